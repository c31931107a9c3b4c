"""Options, files that are no ROM or no script, and the exit code of each."""

import os
import pathlib

import pytest

import small_roms
from conftest import script
from checks import equal

GAME = "roms/game.gba"


def put(name, data):
    pathlib.Path(name).write_bytes(data)


def test_help_lists_every_exit_code(runs):
    host = runs(0, "--help")
    host.out.expect("^usage: mgba-headless")
    equal(host.err.text(), "", "stderr")
    for code in (0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 30, 31, 40, 50):
        host.out.expect(f"^ *{code}  ")


@pytest.mark.versions
def test_version_names_both_versions(runs):
    runs(0, "--version").out.expect(r"^mgba-headless [0-9.]* \((shared )?libmgba 0\.1[01][.-]")


def test_bad_options_are_code_2(refused):
    refused(2, "no ROM given")
    refused(2, '"--nonsense"', "--nonsense", GAME)
    refused(2, '"-x"', "-xy", GAME)
    refused(2, '"--verbose=1"', "--verbose=1", GAME)
    refused(2, "--frames requires a value", GAME, "--frames")
    refused(2, 'remove "other.gba"', GAME, "other.gba")
    for value in ("x", "-1", "nan", "inf", "1e9", "", "5x"):
        refused(2, "--fps requires", "--fps", value, GAME)
    for value in ("0", "-1", "x", "1.5", "99999999999999999999999", ""):
        refused(2, "--frames requires", "--frames", value, GAME)
    refused(2, "--stats requires", "--stats", "x", GAME)
    for value in ("0", "4097", "x", "-1"):
        refused(2, "--history requires megabytes from 1 to 4096", "--history", value, GAME)
    refused(2, "--config requires KEY=VALUE", "--config", "=CGB", GAME)


@pytest.mark.versions
def test_bad_values_of_the_machine_are_code_2(refused):
    wrong = {
        "--save-type": ("flash", "sram,flash1m", ""),
        "--hardware": ("clock", "rtc,", "rtc,,light", "none,rtc", ""),
        "--idle-loop": ("0x", "08000000", "0x080000000", "0x08000001", "0x00000100", "0x0E000000", "-0x8000000", "0x8000000 ", ""),
        "--model": ("GBA", "DMG0", ""),
        "--mbc": ("5", "mbc4", ""),
        "--palette": ("vermilion", "FFF,AAA,555,000", "FFFFFF,AAAAAA,555555", "FFFFFF,AAAAAA,555555,000000,", ",".join(["000000"] * 13), "#FFFFFF,AAAAAA,555555,000000", ""),
        "--clock": ("now", "host+", "host+1h", "host+1.5", "host3600", "host+99999999999", "emulated", "fixed:", "fixed:2026-01-01", "fixed:1999-12-31T23:59", "fixed:2100-01-01T00:00",
                    "fixed:2026-02-29T12:00", "fixed:2026-13-01T12:00", "emulated:2026-01-01T24:00", "emulated:2026-01-01T12:60", "emulated:2026-01-01T12:00:60",
                    "emulated:2026-01-01 12:00", "emulated:2026-01-01T12:00Z", "emulated:2026-1-1T12:00", ""),
    }
    for option, values in wrong.items():
        for value in values:
            refused(2, option, option, value, GAME)
    refused(2, "--clock host.9000000000 .*before 2000 or after 2099", "--clock", "host+9000000000", GAME)
    refused(2, "tilt sensor has it where others have sram; give --save-type eeprom, eeprom512 or none, or remove tilt", "--hardware", "tilt", "--save-type", "sram", GAME)
    refused(2, "e-Reader saves to flash1m, not to none; give --save-type flash1m, or remove e-reader", "--hardware", "e-reader", "--save-type", "none", GAME)
    refused(2, "e-Reader has no tilt sensor; remove e-reader or tilt from --hardware", "--hardware", "Tilt,E-Reader", GAME)


@pytest.mark.versions
def test_a_machine_that_is_not_possible_is_code_16(refused):
    put("game.gb", small_roms.gb())
    put("odd", bytes(1000))
    put("small", bytes(256))
    put("large", bytes(16384))
    for bios, rom, why in (("odd", GAME, "1000 bytes, and that of a GBA has 16384"), ("large", GAME, "seven jumps"), ("large", "game.gb", "16384 bytes, and that of a Game Boy has 256"),
                           ("small", "game.gb", "checksum"), ("missing", GAME, "No such file")):
        refused(16, why, "--bios", bios, rom)
    refused(16, "game of the GBA.*--mbc", "--mbc", "mbc1", GAME)
    refused(16, "model AGB, not SGB2", "--model", "sgb2", GAME)
    refused(16, "game of the Game Boy.*--hardware", "--hardware", "tilt", "game.gb")
    refused(16, "another controller", "--mbc", "mbc6", "game.gb")
    put("none.gb", small_roms.gb()[:0x149] + b"\0" + small_roms.gb()[0x14A:])
    refused(16, "no RAM", "--mbc", "huc-3", "none.gb")
    put("saves/game.sav", bytes(777))
    refused(16, "777 bytes, and one of the save type eeprom has 8192; give --save-type the type of this save, or", "--save-type", "eeprom", GAME)
    put("saves/game.sav", bytes(0x20010))
    refused(16, r"131088 bytes.*\(flash1m\)", "--save-type", "sram", GAME)
    equal(pathlib.Path("saves/game.sav").read_bytes(), bytes(0x20010), "the save file")


@pytest.mark.versions
def test_scripts_see_the_machine_and_its_clock(runs):
    script("machine.lua", "print((headless.cartridge():gsub('\\n', ', ')) .. '; ' .. headless.clock())")
    options = ("--clock", "fixed:2028-02-29T23:59:58", "--frames", "1", "--script", "machine.lua")
    runs(0, *options, GAME).out.expect("^save-type unknown default, hardware none default, idle-loop none default, model AGB default, bios built-in default, skip-bios false default, "
        "clock fixed:2028-02-29T23:59:58 option; fixed 1835481598000 1835481598000$")
    put("game.gb", small_roms.gb())
    runs(0, *options, "game.gb").out.expect("^model DMG guess, mbc mbc1 guess, bios built-in default, palette .* default, skip-bios false default, clock .* option; fixed 1835481598000 1835481598000$")


@pytest.mark.versions
@pytest.mark.parametrize("model", ("DMG", "CGB"))
def test_config_chooses_the_console(runs, model):
    put("game.gb", small_roms.gb())
    script("model.lua", "print('model ' .. (emu:readRegister('a') & 0xFF == 0x11 and 'CGB' or 'DMG'))")  # as the BIOS leaves it
    runs(0, "--config", f"gb.model={model}", "--frames", "1", "--script", "model.lua", "game.gb").out.expect(f"^model {model}")


def test_rom_missing_is_code_10(refused):
    refused(10, "missing.gba.*No such file", "missing.gba")


def test_rom_empty_is_code_11(refused):
    put("empty.gba", b"")
    refused(11, "empty.gba.*is empty", "empty.gba")


def test_rom_truncated_is_code_12(refused):
    put("short.gba", small_roms.GBA[:100])
    refused(12, "truncated", "short.gba")
    put("header.gba", small_roms.GBA[:192])  # the header branches to 192
    refused(12, "truncated", "header.gba")
    put("short.gb", small_roms.gb()[:200])
    refused(12, "truncated", "short.gb")
    put("long.gb", small_roms.gb()[:20000])
    refused(12, r"truncated \(20000 bytes.*32768\)", "long.gb")


def test_rom_foreign_is_code_13(refused):
    put("text.gba", b"this is not a ROM\n")
    refused(13, "is not a GBA", "text.gba")
    put("zero.gb", bytes(65536))
    refused(13, "is not a GBA", "zero.gb")
    put("noise.gba", os.urandom(65536).replace(b"\xea", b"\0"))
    refused(13, "is not a GBA", "noise.gba")
    os.mkdir("directory.gba")
    refused(13, "is a directory", "directory.gba")
    os.mkfifo("fifo.gba")
    refused(13, "device or pipe", "fifo.gba")


@pytest.mark.versions
def test_script_missing_is_code_20(refused):
    refused(20, "missing.lua.*No such file", "--script", "missing.lua", GAME)
    os.mkdir("directory.lua")
    refused(20, "not a regular file", "--script", "directory.lua", GAME)


@pytest.mark.versions
def test_script_that_does_not_parse_is_code_21(refused):
    script("bad.lua", "local = 1")
    refused(21, "syntax error.*bad.lua:1:", "--script", "bad.lua", GAME)


@pytest.mark.versions
def test_script_that_throws_is_code_22(refused):
    for text, said in ((r'error("first line\nsecond line")', "bad.lua:1: first line second line"), ("local x = nil + 1", "arithmetic on a nil")):
        script("bad.lua", text)
        refused(22, said, "--script", "bad.lua", GAME)


@pytest.mark.versions
def test_script_that_throws_no_string_is_code_22(refused):
    for text, said in (
        ("error({})", "error object is a table value"),
        ("error(nil)", "error object is a nil value"),
        ("error(42)", " 42;"),
        ('error(setmetatable({}, { __tostring = function() return "own message" end }))', "own message"),
        ("error(setmetatable({}, { __tostring = function() error({}) end }))", "error object is a table value"),
    ):
        script("bad.lua", text)
        refused(22, said, "--script", "bad.lua", GAME)


def test_saves_unwritable_is_code_30(refused):
    put("file", b"")
    for folder in ("missing", "file", "/proc"):  # /proc refuses even root
        refused(30, "--saves a directory that exists and can be written", GAME, saves=folder)
    assert not os.path.exists("missing"), "a directory was created"


def test_control_unusable_is_code_40(refused):
    refused(40, "missing.*mkfifo", "--control", "missing", GAME)
    put("file", b"")
    refused(40, "is not a FIFO", "--control", "file", GAME)
    os.mkdir("directory")
    refused(40, "directory.*mkfifo", "--control", "directory", GAME)
