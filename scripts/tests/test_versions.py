"""mgba-headless with other mGBAs than the one inside it: those that other Debians have (scripts/lib/debian-mgba.sh). Their states can be exchanged, and what the
same version emulates is the same to the last bit. Also a selection of tests, those with the mark `versions`: the script and mgba-headless on the other core, and
the script in the other window. `make test MGBA=VERSION` runs all of them, `make test MGBA=FOLDER` with an mGBA built by hand."""

import hashlib
import os
import pathlib
import re
import subprocess

import pytest

import small_roms
from headless import ROMS
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "headless/build/mgba-headless"
PARTS = {"core": ["lua/test/real", "headless/test", "-n", "4"], "window": ["lua/test-gui"]}
FRAMES = 10000

# all games that the project has: a file, or the bytes of one
GAMES = {
    **ROMS,
    "busy.gba": ROOT / "loadtest/vector/busy.gba",
    "catch.gba": ROOT / "clients/python/examples/catch.gba",
    **small_roms.GAMES,
    "painted.gba": small_roms.painted(4096),
    "striped.gb": small_roms.STRIPED,
}
MODELS = ("MGB", "SGB", "SGB2", "CGB", "SCGB", "AGB")  # that the Game Boy's ROM also runs on

# Other keys in each third frame. With `hardware` also writes to registers of pictures, sound, timers and DMA, and to video memory: what no ROM here uses. Numbers
# are from a generator of its own: that of Lua has another seed in each process.
PLAY = """
local n, keys = 0, 0
local seed, writes = tonumber(os.getenv("PLAY_SEED")), tonumber(os.getenv("PLAY_WRITES"))
local states = io.open("states", "wb")

local function random(limit)
  seed = seed * 6364136223846793005 + 1442695040888963407
  return (seed >> 33) % limit
end

local function write_gba()
  local kind = random(8)
  if kind == 0 then
    emu:write16(0x04000000, random(0x10000) & 0xff7f) -- DISPCNT, never blank
  elseif kind == 1 then
    emu:write16(0x04000008 + 2 * random(39), random(0x10000)) -- backgrounds, windows, mosaic, blending
  elseif kind == 2 then
    emu:write16(0x04000060 + 2 * random(36), random(0x10000)) -- sound
  elseif kind == 3 then
    emu:write16(0x04000100 + 2 * random(8), random(0x10000) & 0xffbf) -- timers, without interrupts
  elseif kind == 4 then -- DMA 3 or that of sound, into video memory or FIFO A
    local is_sound = random(2) == 0
    local channel = is_sound and 0x040000bc or 0x040000d4
    emu:write32(channel, 0x08000000 + 4 * random(512))
    emu:write32(channel + 4, is_sound and 0x040000a0 or 0x06000000 + 4 * random(0x4000))
    emu:write16(channel + 8, random(256))
    emu:write16(channel + 10, is_sound and 0xb640 or 0x8000 | random(4) << 12 & 0x2000 | random(2) << 10)
  elseif kind == 5 then
    emu:write16(0x05000000 + 2 * random(512), random(0x8000))
  elseif kind == 6 then
    emu:write16(0x07000000 + 2 * random(512), random(0x10000))
  else
    emu:write16(0x06000000 + 2 * random(0xc000), random(0x10000))
  end
end

local function write_gb()
  local kind = random(6)
  if kind == 0 then
    emu:write8(0xff40, 0x80 | random(0x80)) -- LCDC, always on
  elseif kind == 1 then
    emu:write8(0xff10 + random(48), random(256)) -- sound
  elseif kind == 2 then
    local registers = { 0xff05, 0xff06, 0xff07, 0xff42, 0xff43, 0xff47, 0xff48, 0xff49, 0xff4a, 0xff4b, 0xff4f, 0xff68, 0xff69, 0xff6a, 0xff6b }
    emu:write8(registers[1 + random(#registers)], random(256))
  elseif kind == 3 then
    emu:write8(0xfe00 + random(160), random(256))
  else
    emu:write8(0x8000 + random(0x2000), random(256))
  end
end

local write
callbacks:add("frame", function()
  n = n + 1
  if n % 3 == 0 then
    keys = random(0x400)
  end
  emu:setKeys(keys)
  write = write or emu:platform() == C.PLATFORM.GBA and write_gba or write_gb
  for _ = 1, writes do
    write()
  end
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
    return ROOT / f"headless/build/mgba-{version}/mgba-headless"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """That of the packages where they were built."""
    program = OWN
    if packages := os.environ.get("DIST_OUTPUT"):
        folder = tmp_path_factory.mktemp("packed")
        run("tar", "-xf", *pathlib.Path(packages).glob("*-linux-x64.tar.gz"), "-C", folder, "--strip-components=1")
        program = folder / "mgba-headless"
    said = run(program, "--version")
    assert "(libmgba 0.10.5)" in said, f"its core is not inside, or another than Debian's: {said}"
    return program


def played(program, rom, folder, *options, seed, writes):
    """The hashes of all pictures, of the sound and of a state in each hundredth frame."""
    folder.mkdir()
    (folder / "play.lua").write_text(PLAY, encoding="utf-8")
    os.mkfifo(folder / "pictures")
    arguments = ["--fps", "0", "--stats", "0", "--saves", ".", "--frames", str(FRAMES), "--render", ".", "--script", "play.lua", *options, rom]
    environment = {**os.environ, "PLAY_SEED": str(seed), "PLAY_WRITES": str(writes)}
    with subprocess.Popen([program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process, open(folder / "pictures", "rb") as pictures:
        shown = hashlib.file_digest(pictures, "sha256").hexdigest()
        assert process.wait(timeout=120) == 0, process.stderr.read()
    assert (folder / "states").stat().st_size > FRAMES // 100 * 1000 and (folder / "sound").stat().st_size > FRAMES * 800 * 4
    return {"pictures": shown, **{name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("states", "sound")}}


def plays():
    """The games, the models of the Game Boy, and the seeds: the test games once in the sample."""
    long = pytest.mark.long
    for seed, writes in ((1, 0), (2, 20), (3, 1)):
        for game in GAMES:
            yield pytest.param(game, [], seed, writes, id=f"{game}-{seed}", marks=() if game in ROMS and seed < 3 else long)
        for model in MODELS:
            yield pytest.param("gb", ["--config", f"gb.model={model}"], seed, writes, id=f"{model}-{seed}", marks=long)


@pytest.mark.parametrize("game, options, seed, writes", plays())
def test_core_inside_is_that_of_debian(own, game, options, seed, writes, tmp_path):
    """pictures, sound and states of 10,000 frames with changing keys are the same as with the shared library of the same version"""
    rom = GAMES[game]
    if isinstance(rom, bytes):
        rom = tmp_path / game
        rom.write_bytes(GAMES[game])
    mine, theirs = (played(program, rom, tmp_path / name, *options, seed=seed, writes=writes) for name, program in (("own", own), ("other", other("0.10.5"))))
    assert mine == theirs


@pytest.mark.parametrize("kind", ["gba", "elf"])
def test_rom_that_tests_itself_prints_the_same(own, kind):
    rom = ROOT / f"headless/roms/self-test.{kind}"
    assert run(own, "--rom-test", rom) == run(other("0.10.5"), "--rom-test", rom)


def says(program, script, rom, folder):
    (folder / "script.lua").write_text(script, encoding="utf-8")
    return run(program, "--fps", "0", "--stats", "0", "--saves", folder, "--frames", "200", "--script", "script.lua", rom, cwd=folder)


@pytest.mark.parametrize("rom", ROMS)
@pytest.mark.parametrize("version", ["0.10.1", "0.10.5"])
def test_states_are_exchanged_both_ways(own, version, rom, tmp_path):
    for saving, loading in ((own, other(version)), (other(version), own)):
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
