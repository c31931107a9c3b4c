"""A selection of tests, those with the mark `versions`, with another mGBA than the installed one: the script and mgba-headless on its core, and the script in its
window. It is that of another Debian (scripts/lib/debian-mgba.sh). `make test MGBA=VERSION` runs all of them, `make test MGBA=FOLDER` with an mGBA built by hand."""

import os
import pathlib
import re
import subprocess

import pytest

from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"core": ["lua/test/real", "lua/headless/test", "-n", "4"], "window": ["lua/test-gui"]}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("version", ["0.10.5"])
def test_version(version, part, record_property):
    run("scripts/build", "emulator", MGBA=version)
    done = subprocess.run([ROOT / "scripts/pytest", f"versions-{version}-{part}", *PARTS[part], "-m", "versions"], env={**os.environ, "MGBA": version}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\n$", done.stdout)
    for name, count in zip(("passed", "failed", "skipped"), counts.groups() if counts else ()):
        record_property(name, int(count))
    assert counts and done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
