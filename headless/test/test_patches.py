"""Patches: an own encoder makes them, and the program applies them or names what is wrong."""

import pathlib
import random
import struct
import subprocess
import zlib

import pytest

import small_roms
from checks import equal
from headless import PROGRAM

PATCHES = 1000
FORMATS = ("ips", "ups", "bps")
HEAD = 0x400  # stays as it is, so that the result is a ROM
DUMP = """
callbacks:add('start', function()
  local file = io.open('result', 'wb')
  local size = emu:romSize()
  for at = 0, size - 1, 4096 do file:write(emu.memory.cart0:readRange(at, math.min(4096, size - at))) end
  file:close()
end)"""


def number(value):
    """A number of UPS and BPS."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F)
        value = (value >> 7) - 1
    return bytes(out) + bytes([value | 0x80])


def sealed(body, rom, result):
    body += struct.pack("<II", zlib.crc32(rom), zlib.crc32(result))
    return body + struct.pack("<I", zlib.crc32(body))


def differences(rom, result):
    """Ranges of the result that differ from the ROM, which counts as followed by zeros."""
    padded = rom.ljust(len(result), b"\0")
    at = 0
    while at < len(result):
        if padded[at] == result[at]:
            at += 1
            continue
        end = at
        while end < len(result) and padded[end] != result[end]:
            end += 1
        yield at, end
        at = end


def ips(rom, result, chance):
    out = bytearray(b"PATCH")
    for at, end in differences(rom, result):
        data = result[at:end]
        if len(set(data)) == 1 and chance.random() < 0.8:
            out += at.to_bytes(3, "big") + b"\0\0" + len(data).to_bytes(2, "big") + data[:1]
        else:
            out += at.to_bytes(3, "big") + len(data).to_bytes(2, "big") + data
    if len(result) > len(rom) and result[-1] == 0:
        out += (len(result) - 1).to_bytes(3, "big") + b"\0\1\0"
    out += b"EOF"
    return bytes(out + len(result).to_bytes(3, "big") if len(result) < len(rom) else out)


def ups(rom, result, _chance):
    size = max(len(rom), len(result))
    mixed = bytes(a ^ b for a, b in zip(rom.ljust(size, b"\0"), result.ljust(size, b"\0")))
    out = b"UPS1" + number(len(rom)) + number(len(result))
    at = 0
    while True:
        begin = next((i for i in range(at, size) if mixed[i]), None)
        if begin is None:
            return sealed(out, rom, result)
        end = mixed.find(0, begin)
        end = size if end < 0 else end
        out += number(begin - at) + mixed[begin:end] + b"\0"
        at = end + 1


def bps(rom, result, chance):
    """All four actions: copies of the ROM at the same and at other places, repeated bytes of the result, and new bytes."""
    comment = b"<made by a test/>" if chance.random() < 0.5 else b""
    out = b"BPS1" + number(len(rom)) + number(len(result)) + number(len(comment)) + comment
    at = from_rom = from_result = 0

    def step(action, length):
        return number((length - 1) << 2 | action)

    def move(before, to):
        return number(abs(to - before) << 1 | (to < before))

    while at < len(result):
        same = 0
        while at + same < min(len(rom), len(result)) and rom[at + same] == result[at + same]:
            same += 1
        length = min(chance.randint(1, 64), len(result) - at)
        elsewhere = rom.find(result[at:at + length])
        repeated = 0
        while at and at + repeated < len(result) and result[at + repeated] == result[at - 1]:
            repeated += 1
        if same and chance.random() < 0.9:
            out, at = out + step(0, same), at + same
        elif repeated > 1:
            out, from_result, at = out + step(3, repeated) + move(from_result, at - 1), at - 1 + repeated, at + repeated
        elif elsewhere >= 0:
            out, from_rom, at = out + step(2, length) + move(from_rom, elsewhere), elsewhere + length, at + length
        else:
            out, at = out + step(1, length) + result[at:at + length], at + length
    return sealed(out, rom, result)


ENCODERS = {"ips": ips, "ups": ups, "bps": bps}


def changed(rom, chance):
    """The ROM with random changes behind its head: bytes, runs, another size."""
    out = bytearray(rom)
    size = chance.choice((len(rom), len(rom), chance.randint(HEAD + 1, len(rom)), len(rom) + chance.randint(1, 5000)))
    out = out[:size].ljust(size, b"\0")
    for _ in range(chance.randint(0, 12)):
        at = chance.randrange(HEAD, size)
        length = min(chance.choice((1, 2, 3, 40, 700)), size - at)
        out[at:at + length] = chance.randbytes(1) * length if chance.random() < 0.4 else chance.randbytes(length)
    return bytes(out)


def run(patch, rom):
    pathlib.Path("x.patch").write_bytes(patch)
    pathlib.Path("game.rom").write_bytes(rom)
    pathlib.Path("result").unlink(missing_ok=True)
    options = ("--fps", "0", "--stats", "0", "--frames", "1", "--saves", "saves", "--script", "dump.lua")
    return subprocess.run((PROGRAM, *options, "--patch", "x.patch", "game.rom"), capture_output=True, text=True, check=False, timeout=60)


def refused_as(patch, rom, reason):
    done = run(patch, rom)
    equal((done.returncode, done.stdout, done.stderr.count("\n")), (14, "", 1), f"the end of a run that says {done.stderr!r}")
    assert reason in done.stderr and "x.patch" in done.stderr, done.stderr


@pytest.fixture(autouse=True)
def dump():
    pathlib.Path("dump.lua").write_text(DUMP)


def base(chance):
    rom = bytearray(small_roms.GAMES[chance.choice(("game.gba", "game.gb"))])
    rom[HEAD:] = chance.randbytes(16) * ((len(rom) - HEAD) // 16)
    return bytes(rom)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 10))])
@pytest.mark.parametrize("kind", FORMATS)
def test_random_patches_give_the_right_bytes(kind, part):
    for index in range(part, PATCHES // len(FORMATS) + 1, 10):
        chance = random.Random(f"{kind} {index}")
        rom = base(chance)
        result = changed(rom, chance)
        done = run(ENCODERS[kind](rom, result, chance), rom)
        equal((done.returncode, done.stderr), (0, ""), f"the end of a run with the patch {kind} {index}")
        assert pathlib.Path("result").read_bytes() == result, f"the patch {kind} {index} gave other bytes"


@pytest.mark.parametrize("kind", FORMATS)
def test_damaged_patches_are_refused(kind):
    for index in range(60):
        chance = random.Random(f"damaged {kind} {index}")
        rom = base(chance)
        patch = bytearray(ENCODERS[kind](rom, changed(rom, chance), chance))
        if kind == "ips" or chance.random() < 0.3:
            patch = patch[:chance.randrange(5, max(6, len(patch) - 3))]
        else:
            patch[chance.randrange(4, len(patch))] ^= chance.randint(1, 255)
        refused_as(bytes(patch), rom, "is damaged")


@pytest.mark.parametrize("kind", ("ups", "bps"))
def test_patch_of_another_rom_is_refused(kind):
    chance = random.Random(kind)
    rom = base(chance)
    result = bytearray(rom)
    result[HEAD + 5] ^= 1
    result = bytes(result) + b"more"
    patch = ENCODERS[kind](rom, result, chance)
    other = rom[:-1] + bytes([rom[-1] ^ 1])
    refused_as(patch, other, f"one of {len(rom)} bytes with CRC32 {zlib.crc32(rom):08X}; \"game.rom\" has {len(other)} bytes and CRC32 {zlib.crc32(other):08X}")
    refused_as(patch, result, "already is the result")
    wrong = sealed(patch[:-12], rom, rom)
    refused_as(wrong, rom, "its result has CRC32")


@pytest.mark.parametrize("body, reason", (
    (b"UPS1" + number(0x1000) + number(0x1000) + number(0xFFF) + b"\1\1\1\0", "behind the end"),
    (b"UPS1" + number(0x1000) + number(0x1000) + number(0) + b"\1\1", "too early"),
    (b"UPS1" + bytes(20), "too large"),
    (b"UPS1" + number(0x1000) + number(1 << 40), "at most 33554432"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(0x1000 << 2), "behind the end"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(2) + number(0x2000 << 1), "from outside"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(2) + number(3), "from outside"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(3) + number(0), "from outside"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(4 << 2 | 1) + b"abc", "too early"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(0) + number(7 << 2), "too early"),
    (b"BPS1" + number(0x1000) + number(0x2000) + number(0) + number(0x1800 << 2), "from outside"),
    (b"BPS1" + number(0x1000) + number(0x1000) + number(99) + b"comment", "too early"),
))
def test_records_are_checked(body, reason):
    """though the sums are right"""
    rom = small_roms.GBA
    refused_as(sealed(body, rom, rom), rom, reason)


@pytest.mark.parametrize("patch, reason", (
    (b"", "IPS, UPS or BPS"),
    (b"BPS2" + bytes(30), "IPS, UPS or BPS"),
    (b"UPS1", "too early"),
    (b"PATCH", "too early"),
    (b"PATCH\0\0\xb2\0\0\0\0\1EOF", "no length"),
    (b"PATCHEOF\0\0\0", "nothing of the ROM"),
))
def test_files_that_are_no_good_patch_are_refused(patch, reason):
    refused_as(patch, small_roms.GBA, reason)


@pytest.mark.versions
def test_result_must_be_a_rom():
    refused_as(b"PATCH" + b"\0\1\4" + b"\0\0\0\x30\0" + b"EOF", small_roms.GAMES["game.gb"], "no ROM of its console")


@pytest.mark.versions
def test_ips_edges():
    """A record at the offset that reads as EOF, and a result that is larger than the 16 MB that libmgba gives to an IPS patch."""
    rom = small_roms.GBA
    done = run(b"PATCH" + b"EOF" + b"\0\1\x77" + b"EOF", rom)
    equal(done.returncode, 0, "the exit code")
    equal(pathlib.Path("result").read_bytes(), rom.ljust(0x454F46, b"\0") + b"\x77", "the result")
    done = run(b"PATCH" + b"\xff\xff\xff" + b"\0\0\xff\xff\x55" + b"EOF", rom)
    equal(done.returncode, 0, "the exit code")
    equal(pathlib.Path("result").read_bytes(), rom.ljust(0xFFFFFF, b"\0") + b"\x55" * 0xFFFF, "the result")


@pytest.mark.parametrize("behind", (b"\n", b"\r\n", b"\r\n\n", b'{"patcher": "EBPatcher", "title": "x"}', b"any other bytes that are no records"))
def test_bytes_behind_the_end_of_ips_are_ignored(behind):
    rom = small_roms.GBA
    done = run(b"PATCH" + b"\0\4\0" + b"\0\4HACK" + b"EOF" + behind, rom)
    equal(done.returncode, 0, f"the exit code after {done.stderr!r}")
    equal(pathlib.Path("result").read_bytes(), rom[:0x400] + b"HACK" + rom[0x404:], "the result")


def test_size_behind_the_end_of_ips_may_be_followed_by_a_line_feed():
    rom = small_roms.GBA
    equal(run(b"PATCH" + b"\0\4\0" + b"\0\4HACK" + b"EOF\0\5\0\n", rom).returncode, 0, "the exit code")
    equal(pathlib.Path("result").read_bytes(), rom[:0x400] + b"HACK" + rom[0x404:0x500], "the result")


@pytest.mark.parametrize("kind", ("ups", "bps"))
def test_patch_of_a_rom_that_is_padded_or_trimmed_says_so(kind):
    rom = small_roms.GBA + b"\xff" * 64
    result = rom[:0x400] + b"HACK" + rom[0x404:]
    patch = ENCODERS[kind](rom, result, random.Random(kind))
    refused_as(patch, rom + b"\xff" * 100, f"for this ROM without padding: \"game.rom\" has {len(rom) + 100} bytes, of which the first {len(rom)} are the ROM")
    refused_as(patch, rom[:-64], f"for this ROM before it was trimmed: \"game.rom\" has {len(rom) - 64} bytes; fill it up with bytes 0xFF to {len(rom)}")
    zeros = rom + b"\0" * 32
    refused_as(ENCODERS[kind](zeros, result, random.Random(kind)), rom, f"fill it up with bytes 0x00 to {len(zeros)}")


@pytest.mark.parametrize("patch, name", (
    (b"\xd6\xc3\xc4\0\5\0game.gba//", "is in the format xdelta (VCDIFF)"),
    (b"APS10" + bytes(62), "is in the format APS for the Nintendo 64"),
    (b"APS1" + struct.pack("<II", 0x1000, 0x1000), "is in the format APS for the GBA"),
    (b"PK\3\4" + bytes(30), "is a zip archive; unpack it"),
    (b"7z\xbc\xaf\x27\x1c" + bytes(30), "is a 7z archive; unpack it"),
))
def test_other_formats_are_refused_by_their_name(patch, name):
    refused_as(patch, small_roms.GBA, name)


@pytest.mark.versions
def test_file_problems_name_the_file(refused, tmp_path):
    game = "roms/game.gba"
    refused(14, "cannot open the patch \"missing.ips\"", "--patch", "missing.ips", game)
    refused(14, "\"roms\" is a directory, not a patch", "--patch", "roms", game)
    refused(14, "device or pipe", "--patch", "/dev/null", game)
    with open("huge.ips", "wb") as file:
        file.truncate((64 << 20) + 1)
    refused(14, "more than 67108864 bytes", "--patch", "huge.ips", game)
    refused(2, "--patch requires a value", game, "--patch")


def test_picture_that_is_drawn_later_is_of_the_patched_game(runs):
    """A second machine draws it (picture.c); if it had another ROM, all frames after it would be drawn."""
    pathlib.Path("x.ips").write_bytes(b"PATCH" + b"\0\4\0" + b"\0\1\x11" + b"EOF")
    pathlib.Path("shot.lua").write_text("callbacks:add('frame', function() if emu:currentFrame() == 30 then emu:screenshot('shot.png') end end)")
    host = runs(0, "--patch", "x.ips", "--fps", "0", "--frames", "300", "--script", "shot.lua", "--stats", "0.001", "roms/game.gba")
    assert pathlib.Path("shot.png").exists()
    assert host.last_stats()["total_drawn"] < 100, "all frames were drawn"
