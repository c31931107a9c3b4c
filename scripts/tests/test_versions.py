"""A selection of tests, those with the mark `versions`, with each other mGBA: the script and mgba-headless on its core, and the script in its window.
`make test MGBA=VERSION` runs all of them. The versions are folders in MGBA_VERSIONS (by default ../shared/tools/mgba)."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(os.environ.get("MGBA_VERSIONS") or ROOT.parent / "shared/tools/mgba")
PARTS = {"core": ["lua/test/real", "lua/headless/test", "-n", "4"], "window": ["lua/test-gui"]}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("version", ["0.10.5", "0.11-dev"])
def test_version(version, part, record_property):
    if not (FOLDER / version / "include").is_dir():
        pytest.skip(f"not found in {FOLDER}; set MGBA_VERSIONS to the folder of versions")
    environment = {**os.environ, "MGBA": version}
    subprocess.run([ROOT / "scripts/build", "emulator"], env=environment, check=True)
    done = subprocess.run([ROOT / "scripts/pytest", f"versions-{version}-{part}", *PARTS[part], "-m", "versions"], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\n$", done.stdout)
    for name, count in zip(("passed", "failed", "skipped"), counts.groups() if counts else ()):
        record_property(name, int(count))
    assert counts and done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
