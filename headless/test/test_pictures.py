"""Pictures of frames that were not drawn."""

import pathlib
import subprocess

import pytest

import small_roms
from conftest import script
from checks import equal
from headless import PROGRAM, ROMS
from rom import decode_png

SIZES = pytest.mark.parametrize("size", (4096, 1124, 1048576))
PICTURES = """
local n, seed = 0, 12345
local function random() seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 end
local function hash(s) local h = 5381 for i = 1, #s do h = (h * 33 + s:byte(i)) & 0xffffffffffff end return h end
local function picture()
  local data, at, parts = emu:saveStateBuffer(1), 9, {}
  while at + 11 <= #data do
    local length, kind = string.unpack(">I4c4", data, at)
    if kind == "IDAT" then parts[#parts + 1] = data:sub(at, at + length) end
    at = at + length + 12
  end
  return hash(table.concat(parts))
end
callbacks:add("frame", function()
  n = n + 1
  if random() % 7 == 0 then emu:setKeys(random() % 1024) end
  if random() % 5 == 0 then emu:write16((emu:platform() == C.PLATFORM.GBA and 0x06000000 or 0x8000) + random() % 0x1000 * 2, random()) end
  if random() % 13 == 0 then console:log(n .. " picture " .. picture()) end
  if n % 200 == 0 then console:log(n .. " state " .. hash(emu:saveStateBuffer(0))) end
end)
"""


def same_pictures(runs, rom, pictures=40):
    """The pictures and states of 800 frames, which are the same with all frames drawn and without."""
    drawn, undrawn = (
        runs(0, kind, "--fps", "0", "--frames", "800", "--stats", "0", "--script", "pictures.lua", rom, saves=saves).out.lines()
        for kind, saves in (("--draw-all", "saves"), ("--verbose", "roms"))
    )
    assert len([line for line in drawn if "picture" in line]) > pictures
    equal(undrawn, drawn, "what is seen without drawing all frames")
    return undrawn


@pytest.mark.parametrize("kind", ("gba", "gb", "odd", "elf"))
def test_pictures_and_the_machine_are_the_same_with_all_frames_drawn_and_without(runs, kind):
    script("pictures.lua", PICTURES)
    if kind == "odd":
        pathlib.Path("odd.gba").write_bytes(pathlib.Path(ROMS["gba"]).read_bytes() + bytes(100))  # libmgba pads it
    if kind == "elf":
        pathlib.Path("game.elf").write_bytes(small_roms.elf(pathlib.Path(ROMS["gba"]).read_bytes()))
    same_pictures(runs, {**ROMS, "odd": "odd.gba", "elf": "game.elf"}[kind])


@pytest.mark.parametrize("kind", ("gba", "gb"))
def test_pictures_after_many_frames_in_which_a_script_only_pressed_keys(runs, kind):
    """The frames are run again with the keys of each."""
    script("pictures.lua", PICTURES.replace("random() % 5 == 0", "random() % 50 == 0").replace("random() % 7 == 0", "random() % 3 == 0").replace("random() % 13 == 0", "random() % 17 == 0"))
    same_pictures(runs, ROMS[kind], pictures=30)


@pytest.mark.parametrize("kind", ("gba", "gb"))
def test_pictures_after_frames_that_a_script_skipped_are_the_same(runs, kind):
    script("pictures.lua", PICTURES.replace("n = n + 1", "n = n + 1 + headless.skip(0)").replace("n % 200 == 0", "random() % 30 == 0").replace("\nend)\n", "\n  headless.skip(random() % 12)\nend)\n"))
    lines = same_pictures(runs, ROMS[kind], pictures=5)
    frames = [int(line.split()[0]) for line in lines if line.split()[1:2] == ["picture"]]
    assert frames == sorted(frames) and frames[-1] <= 800


@pytest.mark.versions
def test_pictures_of_a_game_boy_game_whose_states_cannot_be_loaded(runs):
    script("pictures.lua", PICTURES + "emu:write8(0xFF50, 0xFF)")
    same_pictures(runs, ROMS["gb"])


@SIZES
@pytest.mark.versions
def test_pictures_show_a_rom_that_a_script_changes_from_the_next_frame_on(runs, size):
    script("pictures.lua", PICTURES + """
callbacks:add("frame", function()
  if n % 31 == 0 then
    if n % 2 == 0 then console:log(n .. " picture before " .. picture()) end
    emu.memory.cart0:write16(0x200, n * 257)
    console:log(n .. " picture after " .. picture())
  end
end)
""")
    pathlib.Path("game.gba").write_bytes(small_roms.painted(size))
    lines = same_pictures(runs, "game.gba")
    assert len({line.split()[-1] for line in lines if "picture" in line}) > 20, "the pictures do not differ"


@SIZES
def test_frames_of_a_rom_of_any_size_are_drawn_when_they_cannot_be_drawn_later(start_controlled, size):
    if "libmgba 0.11" in subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout:
        pytest.skip("libmgba 0.11 draws all frames")
    script("write.lua", "emu.memory.cart0:write8(0x200, 1)")
    pathlib.Path("game.gba").write_bytes(small_roms.painted(size))
    host = start_controlled("--fps", "0", "--stats", "0", "game.gba")
    host.say("pause", "ok pause")
    host.say("advance 100", "ok advance")
    equal(host.stats()["total_drawn"], 0, "frames drawn")
    host.say("run-script write.lua", "ok run-script")
    host.say("advance 100", "ok advance")
    equal(host.stats()["total_drawn"], 100, "frames drawn after the ROM was changed")
    host.say("stop", "ok stop")
    host.ended(0)


AFTER_LOADS = PICTURES.partition("callbacks:add")[0] + """
local kept, shown
callbacks:add("frame", function()
  n = n + 1
  if n % 7 == 0 then emu:setKeys(n // 7 % 1024) end
  if n == 50 then kept, shown = emu:saveStateBuffer(30), picture() end
  if n == 100 or n == 101 then
    local before = picture()
    emu:loadStateBuffer(kept, 25)
    console:log("other before " .. tostring(before ~= shown) .. ", same after " .. tostring(picture() == shown) .. " and again " .. tostring(picture() == shown))
  end
  if n >= 100 then console:log(n .. " picture " .. picture()) end
end)
"""


@pytest.mark.parametrize("kind", ("gba", "gb"))
@pytest.mark.versions
def test_a_loaded_state_shows_the_picture_of_its_moment_before_a_frame_runs(runs, kind):
    script("pictures.lua", AFTER_LOADS)
    drawn, undrawn = (
        runs(0, "--fps", "0", "--frames", "130", "--stats", "0", "--script", "pictures.lua", *options, ROMS[kind], saves=saves).out.lines()
        for options, saves in ((("--draw-all",), "saves"), ((), "roms"))
    )
    equal([line for line in undrawn if "other" in line], ["other before true, same after true and again true"] * 2, "pictures around a load")
    equal(undrawn, drawn, "what is seen without drawing all frames")


def test_a_loaded_state_of_a_game_that_changes_colours_while_a_frame_is_drawn_shows_the_next_frame(runs):
    pathlib.Path("lines.gb").write_bytes(small_roms.STRIPED)
    script("pictures.lua", AFTER_LOADS.replace('console:log("other', 'emu:screenshot("lines.png") console:log("other'))
    runs(0, "--fps", "0", "--frames", "130", "--script", "pictures.lua", "lines.gb")
    _, _, pixels = decode_png(pathlib.Path("lines.png").read_bytes())
    equal(len({row[0] for row in pixels}), 4, "shades of the lines")
