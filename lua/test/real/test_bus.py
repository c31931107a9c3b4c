"""No read and no write of the bus ends the emulator, whatever the cartridge is. BUS_SWEEP=all tries every value of the header's three bytes."""

import contextlib
import os
import random
import subprocess
import tempfile

import pytest

from headless import ROMS, HeadlessEmulator
from mgba_wire import END

FULL = os.environ.get("BUS_SWEEP") == "all"
SEED = int(os.environ.get("BUS_SEED", "1"))

NO_MBC, MBC1, MBC2, MMM01, MBC3_CLOCK, MBC3, MBC5, RUMBLE, MBC6, MBC7, CAMERA, TAMA5, HUC3, HUC1 = (
    0x00, 0x03, 0x06, 0x0D, 0x10, 0x13, 0x1B, 0x1E, 0x20, 0x22, 0xFC, 0xFD, 0xFE, 0xFF
)
KINDS = (NO_MBC, MBC1, MBC2, MMM01, MBC3_CLOCK, MBC3, MBC5, RUMBLE, MBC6, MBC7, CAMERA, TAMA5, HUC3, HUC1)
RAM_SIZES = range(6)  # every other value is a size of 8 KiB
PAGE = 0x1000
VALUES = (0, 1, 2, 3, 8, 0xA, 0xB, 0xC, 0xD, 0xE, 0x10, 0x40, 0x80, 0xFF)
MODES = (0xA, 0, 0xB, 0xC, 0xD, 0xE)  # what the lowest register switches on
REGISTERS = (*range(0x400, 0x8000, 0x400), 0x2001, 0x2080, 0x2100, 0x7FFF)
RAM = (*range(0xA000, 0xC000, 0x400), 0xA080, 0xBFFF)


def is_readable(kind, ram, address):
    """Whether the script lets a client read there."""
    if kind == MBC6:
        return not (0x4000 <= address < 0x8000 or 0xB000 <= address < 0xC000)
    return kind != HUC3 or ram != 0 or not 0xA000 <= address < 0xC000


def is_writable(kind, address):
    return kind != MBC6 or address < 0xB000


class Stand:
    """An emulator into which one cartridge after another is put; no frame of its game runs, so only the script accesses the bus."""

    def __init__(self, platform):
        self.folder = tempfile.TemporaryDirectory()
        self.emulator = HeadlessEmulator(platform, ["--fps", "0"], environment={"MGBA_BRIDGE_FOLDERS": self.folder.name})
        self.client = self.emulator.connect(session="s")
        self.number = 0
        self.kind = platform

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.emulator.kill()
        self.folder.cleanup()

    def insert(self, rom, size=None):
        self.number += 1
        path = os.path.join(self.folder.name, f"{self.number}.{self.kind}")
        with open(path, "wb") as file:
            file.write(rom)
            file.truncate(size or len(rom))
        self.client.call(f'rom.load "{path}"').ok()
        self.client.call("lease.take limit=10000").ok()
        os.remove(path)

    def does(self, heads):
        """All of these commands are done, or each is refused for a reason of its own, not for the cartridge."""
        while heads:
            reply = self.client.call(f"ack={self.client.last} batch.run", b"".join(head.encode() + END for head in heads)).ok()
            assert b"error unsupported" not in reply.tail, f"{heads[reply['done']]} is refused"
            heads = heads[reply["done"] + 1 :]

    def refuses(self, heads):
        for head in heads:
            self.client.call(f"ack={self.client.last} {head}").refused("unsupported")

    def fate(self):
        """What became of the emulator, for the message of a failure."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"it ended with code {self.emulator.process.wait(3)}: {' / '.join(self.emulator.errors[-5:])}"
        return f"it runs: {' / '.join((self.emulator.lines + self.emulator.errors)[-5:])}"

    def finish(self):
        """The frames of the game after that are its own: only the emulator must live."""
        self.client.call("lease.release").ok()
        self.emulator.check()
        del self.emulator.lines[:-50]


def gb_rom(kind, size, ram, length=0x8000):
    with open(ROMS["gb"], "rb") as file:
        rom = bytearray(file.read().ljust(length, b"\xff")[:length])
    rom[0x147:0x14A] = kind, size, ram
    # The code is an endless loop, so that what the game does is the same for every cartridge: nothing.
    rom[0x100:0x103] = b"\x00\x18\xfd"
    return bytes(rom)


def read_all(stand, kind, ram):
    pages = {page: is_readable(kind, ram, page) for page in range(0, 0x10000, PAGE)}
    stand.does([f"memory.read {page} {PAGE}" for page, readable in pages.items() if readable])
    stand.does(["memory.read sram:0 32", "memory.read8 sram:0", "memory.read cart0:0 32768"])
    stand.refuses([f"memory.read {page} {PAGE}" for page, readable in pages.items() if not readable])


def sweep_gb(stand, kind, size, ram, pairs):
    stand.insert(gb_rom(kind, size, ram), 0x8000 << size if size < 9 else None)
    read_all(stand, kind, ram)
    for mode, value in pairs:
        stand.does([f"memory.write8 {address} {value}" for address in REGISTERS] + [f"memory.write8 {address} {mode}" for address in (0, 0x100)])
        read_all(stand, kind, ram)
        stand.does([f"memory.write8 {address} {value}" for address in RAM if is_writable(kind, address)])
        stand.refuses([f"memory.write8 {address} {value}" for address in RAM if not is_writable(kind, address)])
        stand.does([f"memory.write8 sram:{offset} {value}" for offset in (0, 0x1F, 0xFF)])
    read_all(stand, kind, ram)
    stand.finish()


def gb_headers():
    """(kind, size, ram, pairs of mode and value): all kinds with all sizes of RAM, and each value of the other bytes with the known kinds."""
    rng, pairs = random.Random(SEED), [(mode, value) for mode in MODES for value in VALUES]
    for kind in range(256) if FULL else sorted({*KINDS, *rng.sample(range(256), 6)}):
        for ram in RAM_SIZES if FULL or kind in (MBC6, HUC3) else (0, 2, rng.choice((3, 4, 5))):
            yield kind, 0, ram, pairs if FULL else rng.sample(pairs, 6)
    for kind in KINDS if FULL else (MBC6, HUC3, rng.choice(KINDS)):
        for value in range(256) if FULL else rng.sample(range(256), 3):
            yield kind, value, rng.choice(RAM_SIZES), rng.sample(pairs, 3)
            yield kind, 0, value, rng.sample(pairs, 3)


@pytest.mark.versions
def test_no_access_to_the_bus_of_a_game_boy_ends_the_emulator():
    """every kind of cartridge and size of RAM and ROM: the whole bus is read, its registers and save memory are written, and the emulator lives"""
    with Stand("gb") as stand:
        for kind, size, ram, pairs in gb_headers():
            try:
                sweep_gb(stand, kind, size, ram, pairs)
            except (AssertionError, EOFError) as problem:
                raise AssertionError(f"header {kind:#04x} {size:#04x} {ram:#04x}: {problem}; {stand.fate()}") from problem


@pytest.mark.versions
def test_no_command_reaches_memory_that_a_cartridge_does_not_have():
    """every command that reads or writes the bus is refused there, also those that take frames"""
    with Stand("gb") as stand:
        stand.insert(gb_rom(MBC6, 0, 0))
        stand.does(["memory.write8 0 10"])  # switches the RAM on: then mGBA follows its pointer
        client = stand.client
        stand.refuses([
            "memory.read8 0xB000", "memory.read16 0xAFFF", "memory.read32 0xAFFD", "memory.read32 0xBFFC", "memory.read8 0xA000 0xB000", "memory.read 0xB7FF 1",
            "memory.read 0 65536", "memory.read8 0x4000", "memory.gather 0xA000 16 0xB000 1", "memory.write8 0xB000 1", "memory.write16 0xAFFF 1", "memory.write32 0xB800 1",
            "watch w memory at=0xAFFF length=2", "wait.until u8 0xB000 eq 1 frames=3", "wait.until u16 0xAFFF changed frames=3",
        ])
        for head, tail in (
            ("memory.write 0xA000", bytes(0x1001)), ("memory.write 0xBFFF", b"x"), ("freezes.set f 0xBFFF", b"x"),
            ("memory.write 0x8000", bytes(0x8000)),  # over several frames
        ):
            client.call(f"ack={client.last} {head}", tail).refused("unsupported")
        assert b"error unsupported" in client.call("batch.run", b"memory.read8 0xB000" + END).ok().tail
        client.call("batch.run", b"guard8 0xB000 eq 1" + END).refused("unsupported")
        for message in ("core.read8,0xB000", "core.read32,45053", "core.readRange,0xA000,0x2000", "core.write8,0xB000,1", "core.read16,0xFFFFAFFF"):
            assert client.legacy(message).startswith("<|ERROR|>"), message
        assert len(client.call("memory.read 0xA000 0x1000").ok().tail) == 0x1000
        state = client.call("state.get flags=2").ok().tail
        client.call("state.load flags=2", state).ok()  # save data of more than 1 MiB
        stand.finish()


@pytest.mark.versions
@pytest.mark.parametrize("kind, size", [(MBC2, 0x100), (MBC7, 0x100), (TAMA5, 0x20), (HUC3, 0)])
def test_the_save_memory_of_a_cartridge_ends_where_its_chip_ends(kind, size):
    """the domain of the save memory has the size of the chip; what lies beyond it in the emulator is neither read nor written"""
    with Stand("gb") as stand:
        stand.insert(gb_rom(kind, 0, 0))
        stand.does(["memory.write8 0 10"])
        client = stand.client
        assert client.call(f"memory.read sram:0 {size}").ok().tail is not None
        for head in (f"memory.read sram:{size} 1", f"memory.read8 sram:{size}", f"memory.write8 sram:{size} 1", f"memory.read16 sram:{max(size - 1, 0)}"):
            client.call(head).refused("bad-address")
        assert client.legacy(f"memoryDomain.read8,sram,{size}").startswith("<|ERROR|>")
        stand.finish()


@pytest.mark.versions
def test_a_rom_whose_last_bank_is_cut_off_is_read_only_where_it_has_bytes():
    """a ROM of 33 KiB: every bank is selected, and nothing behind the ROM is read"""
    length = 0x8400
    with Stand("gb") as stand:
        rom = gb_rom(MBC5, 0, 0, length)
        stand.insert(rom)
        for bank in range(5):
            stand.does([f"memory.write8 0x2000 {bank}", "memory.read 0 1024", "memory.read 0x4000 1024"])
            stand.refuses(["memory.read8 0x4400", "memory.read 0x43FF 2", "memory.read8 0x7FFF", "memory.read8 0x0400"])
        client = stand.client
        assert client.call(f"memory.read cart0:0 {length}").ok().tail == rom
        client.call(f"memory.read cart0:{length - 1} 2").refused("bad-address")
        stand.finish()


# Save types are recognised by these texts in a ROM, and hardware in the cartridge by its code: clock, tilt, gyroscope, light, rumble, e-reader.
SAVE_TYPES = (b"", b"SRAM_V113", b"SRAM_F_V100", b"FLASH_V126", b"FLASH512_V131", b"FLASH1M_V103", b"EEPROM_V124")
CODES = (b"BBTE", b"KYGE", b"KHPJ", b"RZWE", b"V49E", b"U3IE", b"AXVE", b"BPEE", b"PSAE", b"A3UJ", b"BR4J", b"FSME")
GBA_SIZES = (0x1000, 0x1064, 0x100000, 0x1000000, 0x2000000)
GBA_VALUES = (0, 1, 0x20, 0x5555, 0xFFFF, 0xAA)
GBA_READS = [f"memory.read {(region << 24) + at:#x} 512" for region in range(16) for at in (0, 0xFE00, 0x1FF00, 0xF80000, 0xFC0000, 0xFFFE00)]
GBA_READS += [f"memory.read16 {(region << 24) + at:#x}" for region in range(4, 16) for at in (0, 0xC4, 0xF80000, 0xFD0000, 0xFE20F8, 0xFE2FFE, 0xFFFFFE)]
GBA_READS += ["memory.read 0xFFFFFE00 512", "memory.read 0x0E000000 65536"]
# Devices and mappers, the registers of flash memory, and those of a debugging cartridge (AGBPrint)
GBA_WRITES = [
    f"memory.write{bits} {(region << 24) + at:#x}" for region in range(5, 16) for bits in (8, 16, 32)
    for at in (0, 0xC4, 0xC8, 0x100, 0x2AA8, 0x5554, 0x8000, 0xFF80, 0x800100, 0xF80000, 0xFD0000, 0xFE20F8, 0xFE20FC, 0xFE2FFC, 0xFFFFFC)
]
FLASH_COMMANDS = (0x90, 0xF0, 0xA0, 0xB0, 0x80)


def gba_rom(save_type, code):
    with open(ROMS["gba"], "rb") as file:
        rom = bytearray(file.read())
    rom[0xAC:0xB0] = code
    rom[0xF00 : 0xF00 + len(save_type)] = save_type
    return bytes(rom)


def sweep_gba(stand, rom, size, rng, values):
    stand.insert(rom, size)
    stand.does(GBA_READS)
    for value in values:
        writes = [f"{head} {value & 0xFF}" for head in GBA_WRITES]
        rng.shuffle(writes)
        stand.does(writes + GBA_READS)
        for command in FLASH_COMMANDS:
            prefix = ["memory.write8 0x0E005555 0xAA", "memory.write8 0x0E002AAA 0x55", f"memory.write8 0x0E005555 {command}"]
            stand.does([*prefix, f"memory.write8 0x0E000000 {value & 1}", "memory.read 0x0E000000 4096"])
        stand.does([f"memory.write16 0x0D000000 {rng.randrange(2)}" for _ in range(90)] + ["memory.read16 0x0D000000"] * 70)
    stand.finish()


@pytest.mark.versions
def test_no_access_to_the_bus_of_a_gba_ends_the_emulator():
    """each kind of save memory, device and size of ROM: all regions are read and written, and the emulator lives"""
    rng = random.Random(SEED)
    with Stand("gba") as stand:
        for save_type in SAVE_TYPES:
            for code in CODES if FULL else rng.sample(CODES, 3):
                for size in GBA_SIZES if FULL else (rng.choice(GBA_SIZES),):
                    try:
                        sweep_gba(stand, gba_rom(save_type, code), size, rng, GBA_VALUES if FULL else rng.sample(GBA_VALUES, 2))
                    except (AssertionError, EOFError) as problem:
                        raise AssertionError(f"save type {save_type}, code {code}, {size} bytes: {problem}; {stand.fate()}") from problem
