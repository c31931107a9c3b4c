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
def test_file_of_ez_flash(runs):
    content = "[Money]\r\nON=02A10,10,27,00\r\n\r\n[Weapon]\nDagger=00100,01;40010,02\nAxe=00100,0G\n\n[GameInfo]\nName=Test\nSystem=GBA\n"
    equal(cheats(runs, content), [
        "off|Money|02002A10:10|02002A11:27|02002A12:00|", "off|Weapon: Dagger|02000100:01|03000010:02|",
        'line 6: "00100,0G" is no code that mGBA knows for this console|Weapon: Axe|00100,0G|',
    ], "the cheats")
    equal(cheats(runs, b"[\xce\xde\xcf\xde]\nON=00100,63\n"), ["off|\u65e0\u9650|02000100:63|"], "a name in GBK")
    equal(cheats(runs, "\ufeff[Größe]\nON=00100,63\n"), ["off|Größe|02000100:63|"], "a name in UTF-8")


@pytest.mark.versions
def test_file_of_bgb(runs):
    equal(cheats(runs, "0155A0DE 0Off one\r\n0166A1DE 1On one\n003-21F-C4A 1\n0177A2DE 1Off one\n\nnothing\n", "gb"), [
        "off|Off one|0155A0DE|", "on|On one|0166A1DE|", "on|Cheat 3|003-21F-C4A|", "on|Off one (2)|0177A2DE|",
        'line 6: "nothing" is no code that mGBA knows for this console|Cheat 5|nothing|',
    ], "the cheats")


@pytest.mark.versions
def test_names_that_all_are_the_same_are_numbered(runs):
    lines = cheats(runs, "# same\n02010000:07\n" * 4096)
    equal((lines[0], lines[-1]), ("on|same|02010000:07|", "on|same (4096)|02010000:07|"), "the cheats")


ROM = """
local at = %s
local before = emu:read16(at)
print("start", before)
callbacks:add("frame", function()
  local frame = emu:currentFrame()
  if frame == 5 then
    print("applied", emu:read16(at))
    headless.enableCheat("ROM", false)
  elseif frame == 8 then
    print("undone", emu:read16(at) == before)
  end
end)
"""


@pytest.mark.versions
def test_writes_to_the_rom_are_patches(runs):
    """libmgba writes them by the bus, which ignores them."""
    for rom, address, codes in (("gba", "0x08000100", "# ROM\n08000100:e001\n"), ("gba", "0x08000100", "# ROM\n08000100:01\n08000101:e0\n"),
                                ("gb", "0x0500", "# ROM\n0500:01\n0501:e0\n")):
        pathlib.Path("x.cht").write_text(codes)
        script("rom.lua", ROM % address)
        out = runs(0, "--cheats", "x.cht", "--frames", "10", "--script", "rom.lua", ROMS[rom]).out
        out.expect("^applied\t57345")
        out.expect("^undone\ttrue")


@pytest.mark.versions
def test_writes_to_the_rom_that_cannot_be_patches_are_refused(runs):
    equal(cheats(runs, "# Bank\n4001:34\n# RAM\nC001:34\n", "gb")[-1],
          "line 2: it changes the ROM at 0x4001, where each bank has other bytes; use a Game Genie code, which compares the byte|Bank|4001:34||", "a bank")
    # CodeBreaker: if the 16 bits at 0x02000000 are 1, the next code
    equal(cheats(runs, "# If\n72000000 0001\n38000100 0063\n# RAM\n02010000:07\n")[-1],
          "line 2: it changes the ROM at 0x08000100 under a condition or more than once, which only a patch of the ROM can do|If|72000000 0001|38000100 0063||", "a condition")


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
