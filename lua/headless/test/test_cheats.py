"""Cheats of --cheats: libretro's and mGBA's files, good and bad."""

import pathlib
import random
import subprocess

import pytest

from conftest import script
from checks import equal
from headless import PROGRAM, ROMS

LIST = """
for number = 1, 10000 do
  local text = headless.cheat(number)
  if text == "" then break end
  print("CHEAT " .. text:gsub("\\n", "|"))
end
"""


def cheats(runs, content, rom="gba"):
    """The cheats that the program lists with a file of this content."""
    pathlib.Path("x.cht").write_bytes(content if isinstance(content, bytes) else content.encode())
    script("list.lua", LIST)
    return [line.removeprefix("CHEAT ") for line in runs(0, "--cheats", "x.cht", "--frames", "1", "--script", "list.lua", ROMS[rom]).out.lines() if line.startswith("CHEAT")]


@pytest.mark.versions
def test_libretro_file(runs):
    equal(cheats(runs, """cheats = 5

cheat0_desc = "Infinite Health"
cheat0_code = "32010008+0063"
cheat0_enable = true
cheat1_desc = "Broken"
cheat1_code = "02010000:07+ZZ"
cheat1_enable = false
cheat2_desc = "Infinite Health"
cheat2_code = "82010010 1234+02010012:55+32010000-00FF"
cheat2_enable = false
cheat3_desc = "RetroArch's own"
cheat3_address = "5"
cheat4_code = "02010000:01"
"""), [
        "on|Infinite Health|32010008 0063|", "off|Infinite Health (2)|82010010 1234|02010012:55|32010000 00FF|", "off|Cheat 5|02010000:01|",
        'line 7: "ZZ" is no code that mGBA knows for this console|Broken|02010000:07+ZZ|', "line 12: it has no code|RetroArch's own||",
    ], "the cheats")


@pytest.mark.versions
def test_file_of_mgba(runs):
    equal(cheats(runs, "!disabled\n# Off\n32010008 0063\n32010009 0064\n# On\r\n02010000:07\r\n\n# Bad\nnone\n"),
          ["off|Off|32010008 0063|32010009 0064|", "on|On|02010000:07|", 'line 9: "none" is no code that mGBA knows for this console|Bad|none||'], "the cheats")
    equal(cheats(runs, "02010000:07\n"), ["on|Cheat 1|02010000:07|"], "codes without a name")


@pytest.mark.versions
def test_codes_of_the_game_boy(runs):
    equal(cheats(runs, "# Genie\n003-21F-C4A\n# Shark\n010138CD\n# CodeBreaker\n00C000-12\n# VBA\nC001:34\n", "gb"),
          ["on|Genie|003-21F-C4A|", "on|Shark|010138CD|", "on|CodeBreaker|00C000-12|", "on|VBA|00C001-34|"], "the cheats")


@pytest.mark.versions
def test_cheats_are_applied_and_undone(runs):
    pathlib.Path("x.cht").write_text("# Memory\nC201:34\n# ROM\n123-05F-E66\n")
    script("undo.lua", """
local rom = emu:read8(0x501)
callbacks:add("frame", function()
  local frame = emu:currentFrame()
  if frame == 5 then
    print("applied", emu:read8(0xC201), emu:read8(0x501) ~= rom)
    headless.removeCheat("Memory")
    headless.enableCheat("ROM", false)
    emu:write8(0xC201, 1)
  elseif frame == 8 then
    print("undone", emu:read8(0xC201), emu:read8(0x501) == rom)
  end
end)
""")
    out = runs(0, "--cheats", "x.cht", "--frames", "10", "--script", "undo.lua", ROMS["gb"]).out
    out.expect("^applied\t52")
    out.expect("^undone\t1\ttrue")


@pytest.mark.versions
def test_files_that_cannot_be_used_are_code_15(refused):
    refused(15, "No such file", "--cheats", "missing.cht", ROMS["gba"])
    refused(15, "are no file", "--cheats", ".", ROMS["gba"])
    refused(15, "are no file", "--cheats", "/dev/zero", ROMS["gba"])
    for content, reason in ((b"", "no cheat"), (b"hello\n", 'no cheat.*line 1: "hello" is no code'), (b"cheats = 3\n", "no cheat"), (b"\0" * 100, "no cheat"),
                            (b'cheat99999999_code = "02010000:07"\n', "no cheat")):
        pathlib.Path("x.cht").write_bytes(content)
        refused(15, reason, "--cheats", "x.cht", ROMS["gba"])
    with open("huge.cht", "wb") as file:
        file.truncate(5 << 20)
    refused(15, "are no file of at most", "--cheats", "huge.cht", ROMS["gba"])


@pytest.mark.parametrize("rom", ("gba", "gb"))
def test_random_files_end_nothing(rom):
    rng = random.Random(5)
    words = [b"cheats = 3\n", b"cheat0_desc = \"a\"\n", b"cheat1_code = \"", b"\"\n", b"32010008", b"+", b" ", b"0063", b"# ", b"!PARv3\n", b"!disabled\n", b"-", b":", b"\n",
             b"ABC-DEF-GHI", b"DEADFACE 00000000", b"9", b"\xff", b"x" * 70, b"00000000", b"C4000000 8000", b"08000000 0001"]
    for _ in range(40):
        content = b"# Good\n" + (b"32010008 0063\n" if rom == "gba" else b"00C000-12\n") + b"".join(rng.choices(words, k=rng.randrange(1, 400)))
        pathlib.Path("x.cht").write_bytes(content)
        done = subprocess.run([PROGRAM, "--saves", ".", "--cheats", "x.cht", "--frames", "3", "--fps", "0", ROMS[rom]], capture_output=True, check=False, timeout=60)
        assert done.returncode in (0, 15), (content, done)
