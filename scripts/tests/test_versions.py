"""mgba-headless with other mGBAs than the one inside it: those that other Debians have (scripts/lib/debian-mgba.sh). Their states can be exchanged, and what the
same version emulates is the same to the last bit. Also a selection of tests, those with the mark `versions`: the script and mgba-headless on the other core, and
the script in the other window. `make test MGBA=VERSION` runs all of them, `make test MGBA=FOLDER` with an mGBA built by hand."""

import hashlib
import os
import pathlib
import re
import subprocess

import pytest

from headless import ROMS
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "lua/headless/build/mgba-headless"
PARTS = {"core": ["lua/test/real", "lua/headless/test", "-n", "4"], "window": ["lua/test-gui"]}
FRAMES = 10000

# other keys in each third frame, from a generator of its own: that of Lua has another seed in each process
PLAY = """
local n, seed, keys = 0, 1, 0
local states = io.open("states", "wb")
callbacks:add("frame", function()
  n = n + 1
  if n % 3 == 0 then
    seed = seed * 1103515245 + 12345 & 0x7fffffff
    keys = seed >> 16 & 0x3ff
  end
  emu:setKeys(keys)
  if n % 100 == 0 then
    states:write(emu:saveStateBuffer(0))
  end
end)
callbacks:add("shutdown", function() states:close() end)
"""
SAVE = """
local n = 0
callbacks:add("frame", function()
  n = n + 1
  if n == 100 then
    local file = io.open("state", "wb")
    file:write(emu:saveStateBuffer(30))
    file:close()
    console:log("frame " .. emu:currentFrame())
  end
end)
"""
LOAD = """
local n = 0
callbacks:add("frame", function()
  n = n + 1
  if n == 5 then
    console:log("loaded " .. tostring(emu:loadStateBuffer(io.open("state", "rb"):read("a"), 30)))
  elseif n == 15 then
    console:log("frame " .. emu:currentFrame() - 10)
  end
end)
"""


def other(version):
    """mgba-headless on the shared library of this version."""
    run("scripts/build", "emulator", MGBA=version)
    return ROOT / f"lua/headless/build/mgba-{version}/mgba-headless"


def own():
    said = run(OWN, "--version")
    assert "(libmgba 0.10.5)" in said, f"its core is not inside, or another than Debian's: {said}"
    return OWN


def played(program, rom, folder):
    """The hashes of all pictures, of the sound and of a state in each hundredth frame."""
    folder.mkdir()
    (folder / "play.lua").write_text(PLAY, encoding="utf-8")
    os.mkfifo(folder / "pictures")
    arguments = ["--fps", "0", "--stats", "0", "--saves", ".", "--frames", str(FRAMES), "--render", ".", "--script", "play.lua", rom]
    with subprocess.Popen([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process, open(folder / "pictures", "rb") as pictures:
        shown = hashlib.file_digest(pictures, "sha256").hexdigest()
        assert process.wait(timeout=120) == 0, process.stderr.read()
    assert (folder / "states").stat().st_size > FRAMES // 100 * 1000 and (folder / "sound").stat().st_size > FRAMES * 800 * 4
    return {"pictures": shown, **{name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("states", "sound")}}


@pytest.mark.parametrize("rom", ROMS)
def test_core_inside_is_that_of_debian(rom, tmp_path):
    """pictures, sound and states of 10,000 frames with changing keys are the same as with the shared library of the same version"""
    assert played(own(), ROMS[rom], tmp_path / "own") == played(other("0.10.5"), ROMS[rom], tmp_path / "other")


def says(program, script, rom, folder):
    (folder / "script.lua").write_text(script, encoding="utf-8")
    return run(program, "--fps", "0", "--stats", "0", "--saves", folder, "--frames", "200", "--script", "script.lua", rom, cwd=folder)


@pytest.mark.parametrize("rom", ROMS)
@pytest.mark.parametrize("version", ["0.10.1", "0.10.5"])
def test_states_are_exchanged_both_ways(version, rom, tmp_path):
    for saving, loading in ((own(), other(version)), (other(version), own())):
        frame = re.search(r"frame \d+", says(saving, SAVE, ROMS[rom], tmp_path)).group()
        said = says(loading, LOAD, ROMS[rom], tmp_path)
        assert "loaded true" in said and f"{frame}\n" in said, said


@pytest.mark.parametrize("version, part", [("0.10.5", "core"), ("0.10.5", "window"), ("0.10.1", "core")])
def test_version(version, part, record_property):
    other(version)
    done = subprocess.run([ROOT / "scripts/pytest", f"versions-{version}-{part}", *PARTS[part], "-m", "versions"], env={**os.environ, "MGBA": version}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\n$", done.stdout)
    for name, count in zip(("passed", "failed", "skipped"), counts.groups() if counts else ()):
        record_property(name, int(count))
    assert counts and done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
