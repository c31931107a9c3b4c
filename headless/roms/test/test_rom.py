"""Both test ROMs: the committed files match the sources, and they behave as in README.md. rom_test.lua prints a line for each of its checks."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

import rom
from checks import equal
from headless import PROGRAM, ROMS

HERE = pathlib.Path(__file__).parent
LIMIT = 120  # seconds of a run on a busy machine
KINDS = pytest.mark.parametrize("kind", ("gba", "gb"))
PICTURES = 14  # of a main run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder and the output of a run, each in a folder of its own, so that no save of another run is found."""
    runs = {}

    def run(mode, kind, number=1):
        if (mode, kind, number) not in runs:
            folder = tmp_path_factory.mktemp(f"{mode}-{kind}-{number}")
            game = shutil.copy(ROMS[kind], folder)
            command = [PROGRAM, "--script", HERE / "rom_test.lua", "--frames", "800" if mode == "main" else "60", "--fps", "0", game]
            environment = {**os.environ, "ROM_TEST": mode, "ROM_TEST_PICTURES": folder}
            said = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, timeout=LIMIT)
            assert said.returncode == 0, "\n".join([said.stdout, *said.stderr.splitlines()[-20:]])
            runs[mode, kind, number] = folder, said.stdout
        return runs[mode, kind, number]

    return run


def test_the_committed_roms_come_out_of_the_sources():
    missing = [tool for tool in ("arm-none-eabi-gcc", "sdcc", "make") if not shutil.which(tool)]
    assert not missing, f"missing: {missing}; on Debian: apt-get install gcc-arm-none-eabi sdcc make"
    made = subprocess.run(["make", "check"], cwd=HERE.parent, capture_output=True, text=True)
    assert made.returncode == 0, f"other compiler versions? see the Makefile\n{made.stdout}{made.stderr}"


@pytest.mark.parametrize("mode, kind", (("main", "gba"), ("main", "gb"), ("stop", "gba"), ("stop", "gb"), ("crash", "gba")))
def test_rom_behaves_as_described(run, mode, kind):
    output = run(mode, kind)[1]
    print(output)
    assert not re.search("^not ok", output, re.MULTILINE)
    counts = re.search(r"^rom: (\d+) passed, 0 failed, 0 skipped$", output, re.MULTILINE)
    assert counts and int(counts.group(1)) > 0, "script and host did not come to their ends"


@KINDS
def test_two_runs_give_the_same_output_and_the_same_memory(run, kind):
    equal(run("main", kind, 2)[1], run("main", kind)[1], "the output of the second run")


@KINDS
def test_pictures_are_as_described(run, kind):
    folder, _ = run("main", kind)
    pictures = [line.split() for line in (folder / "list.txt").read_text().splitlines()]
    equal(len(pictures), PICTURES, "the number of pictures")
    for name, machine, frame, keys in pictures:
        wanted = {"gba": rom.picture, "gb": rom.gb_picture}[machine](int(frame), int(keys))
        width, height, pixels = rom.decode_png((folder / name).read_bytes())
        equal((width, height), (len(wanted[0]), len(wanted)), f"the size of {name}")
        for y, row in enumerate(wanted):
            equal(pixels[y], row, f"row {y} of {name}")
