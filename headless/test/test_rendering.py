"""All frames, written for another program (--render)."""

import pathlib
import subprocess

import pytest

from conftest import script
from checks import equal
from headless import ROMS

# a tone of the first channel, on both consoles
SEEN = """
local pictures, sound = io.open("seen", "wb"), io.open("heard", "wb")
local n, from = 0, headless.heard()
callbacks:add("frame", function()
  n = n + 1
  if n == 5 and emu:platform() == C.PLATFORM.GBA then
    emu:write16(0x04000084, 0x80) emu:write32(0x04000080, 0x0002ff77) emu:write16(0x04000062, 0xf080) emu:write16(0x04000064, 0x86d6)
  elseif n == 5 then
    emu:write8(0xff26, 0x80) emu:write8(0xff25, 0xff) emu:write8(0xff24, 0x77) emu:write8(0xff12, 0xf0) emu:write8(0xff13, 0xd6) emu:write8(0xff14, 0x86)
  end
  if n > 1 then
    pictures:write(headless.pixels(3, 0, 0))
    sound:write(headless.samples(from))
  end
  from = headless.heard()
  emu:setKeys(n % 16)
end)
callbacks:add("shutdown", function() pictures:close() sound:close() end)
"""


def rendering(*arguments):
    return ("--render", "frames", "--fps", "0", "--stats", "0", *arguments)


def reader(command):
    pathlib.Path("frames").mkdir(exist_ok=True)
    return subprocess.Popen(["sh", "-c", f"until [ -p frames/pictures ]; do sleep 0.01; done; {command}"])


@pytest.mark.parametrize("kind", ("gba", "gb"))
@pytest.mark.versions
def test_every_frame_but_the_first_is_written_with_its_sound(runs, kind):
    script("seen.lua", SEEN)
    reading = reader("cat frames/pictures > shown")
    runs(0, *rendering("--frames", "200", "--script", "seen.lua", ROMS[kind]))
    equal(reading.wait(timeout=60), 0, "the reader's exit code")
    seen, heard = pathlib.Path("seen").read_bytes(), pathlib.Path("heard").read_bytes()
    equal(len(seen), 199 * 3 * (240 * 160 if kind == "gba" else 160 * 144), "the bytes of the pictures that the script saw")
    assert pathlib.Path("shown").read_bytes() == seen, "the pictures are others"
    assert any(heard) and abs(len(heard) // 4 - 199 * 48000 * 4389 // 262144) < 100
    assert pathlib.Path("frames/sound").read_bytes() == heard, "the sound is another"


def test_without_its_reader_it_ends_with_code_31(runs):
    reader("head -c 1000000 frames/pictures > shown")
    runs(31, *rendering(ROMS["gba"])).err.expect("^mgba-headless: cannot write the frames: Broken pipe")


def test_files_of_an_emulator_that_ended_before_are_used_again(runs):
    """such as one whose port another program had taken"""
    for _ in range(2):
        reading = reader("wc -c < frames/pictures > shown")
        runs(0, *rendering("--frames", "3", ROMS["gba"]))
        equal(reading.wait(timeout=60), 0, "the reader's exit code")
        equal(int(pathlib.Path("shown").read_text(encoding="ascii")), 2 * 3 * 240 * 160, "the bytes of the pictures")
        equal(pathlib.Path("frames/sound").stat().st_size // 4 // 100, 2 * 48000 * 4389 // 262144 // 100, "hundreds of pairs of samples")


def test_folder_that_cannot_be_written_is_code_31(refused):
    refused(31, "give --render a folder that can be written", *rendering(ROMS["gba"]))
    refused(31, "give --render a shorter one", "--render", "x" * 5000, ROMS["gba"])
