"""The Python package with the real Gymnasium, which PyPI and Debian sid have: a system of Debian sid (mmdebstrap makes it once, in artifacts/gymnasium-root), in
which clients/python/test/real_gymnasium.py plays the games of a gateway outside. Needs root, the right to make namespaces, and a Debian mirror.
GYMNASIUM_ROOT=folder takes a system that is there."""

import os
import pathlib
import re
import subprocess

import pytest

from gateway import Gateway
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["python3-gymnasium", "python3-moviepy", "python3-pytest", "ffmpeg"]
# $1 is the root; /tmp is that of this system, where the sockets of local steps are
ENTER = 'mount --bind "$2" "$1/mnt" && mount --bind /tmp "$1/tmp" && mount -t proc proc "$1/proc" && root="$1" && shift 2 && exec env -i "$@"'


@pytest.fixture(scope="module")
def root():
    assert os.geteuid() == 0, "this needs root, to change into another system; run it as root or in a container"
    given = os.environ.get("GYMNASIUM_ROOT")
    if given:
        return pathlib.Path(given)
    folder = ROOT / "artifacts/gymnasium-root"
    run("scripts/lib/debian-root.sh", folder, "sid", "--variant=minbase", f"--include={','.join(PACKAGES)}")
    return folder


def test_real_gymnasium(root, record_property):
    gateway = Gateway(*(f"Owned:Roms:{number}=:test:" for number in range(3)), "Owned:Fps=0")
    try:
        variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "PYTHONPATH=/mnt", "PYTHONDONTWRITEBYTECODE=1", f"MGBA_BRIDGE_URL={gateway.url}"]
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", ENTER, "sh", root, ROOT / "clients/python", *variables, "chroot", root, "python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", "/mnt/test/real_gymnasium.py"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped)", done.stdout.splitlines()[-1])}
        for word, number in counts.items():
            record_property(word, number)
        assert done.returncode == 0 and counts.get("passed"), done.stdout
        assert not gateway.unhandled()
    finally:
        gateway.end()
