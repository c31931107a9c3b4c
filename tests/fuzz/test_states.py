"""Mutated save states of several games, loaded by the script on the real core.

What must hold: each load is answered and the next frame completes within 100 ms of the emulator's processor time; then the whole bus is read, sound is
switched on, registers are written and eleven frames run, within 100 ms each; the emulator lives. A state may crash the game (the machine then says so);
a reset and a good state bring it back. FUZZ_SECONDS or FUZZ_COUNT says how much, FUZZ_SEED where to start.
"""

import os
import struct
import tempfile
import zlib

import pytest

from fuzzing import INTERESTING, Budget, apply, byte_edits, corpus, random_of, report, minimize
from headless import ROMS, HeadlessEmulator
from mgba_wire import END, Failure, Late, Refused
from processes import processor_seconds

FRAME_LIMIT = 0.1  # seconds of processor time a frame
FRAMES = 12
SHARE = {"gba": 0.25, "gb": 0.75}  # of the number of states: a GBA's takes four times as long
TABLE = {"gba": 0x61000, "gb": 0x11800}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
TIME_LIMIT = 20  # seconds for a reply: only a hang takes longer

# Games: the test ROM of the console with these bytes changed. A Game Boy's are the model and the cartridge (kind, size of the RAM), a GBA's the text
# that names its save memory, and the code by which mGBA knows what else is in the cartridge.
GAMES = {
    "gb": {
        "gb": {}, "color": {0x143: b"\x80"}, "super": {0x146: b"\x03"}, "mbc1": {0x147: b"\x03\x00\x03"}, "mbc2": {0x147: b"\x06\x00\x00"},
        "mbc3": {0x147: b"\x10\x00\x03"}, "mbc7": {0x147: b"\x22\x00\x00"}, "mmm01": {0x147: b"\x0d\x00\x02"}, "camera": {0x147: b"\xfc\x00\x04"},
        "tama5": {0x147: b"\xfd\x00\x00"}, "huc1": {0x147: b"\xff\x00\x03"}, "huc3": {0x147: b"\xfe\x00\x03"}, "mbc6": {0x147: b"\x20\x00\x03"},
        "huc3-without-ram": {0x147: b"\xfe\x00\x00"},
    },
    "gba": {
        "gba": {}, "odd": {0x1000: b"\xff" * 100}, "flash": {0xF00: b"FLASH_V126"}, "flash1m": {0xF00: b"FLASH1M_V103"}, "eeprom": {0xF00: b"EEPROM_V124"},
        "clock": {0xAC: b"AXVE"}, "tilt": {0xAC: b"KYGE", 0xF00: b"EEPROM_V124"}, "gyroscope": {0xAC: b"RZWE"}, "light": {0xAC: b"U3IE"},
        "e-reader": {0xAC: b"PSAE", 0xF00: b"FLASH1M_V103"},
    },
}
# A game with such a cartridge ends mGBA when it reads its RAM itself, and a changed state can make it do so: no frame runs.
NO_FRAMES = {"mbc6", "huc3-without-ram"}

# Sound, timers and transfers at work, so that their fields mean something: address and value. Noise of the longest period stays longest near its end.
BUSY = {
    "gba": [(0x84, 0x80), (0x80, 0xFF77), (0x82, 0x330E), (0x62, 0xF080), (0x64, 0x8400), (0x68, 0xF080), (0x6C, 0x8400), (0x70, 0x80), (0x72, 0x2000),
            (0x74, 0x8400), (0x78, 0xF000), (0x7C, 0x80F7), (0xBE, 0x0200), (0xC0, 0xA0), (0xC2, 0x0400), (0xC4, 4), (0xC6, 0xB640), (0xB2, 0x0203),
            (0xB6, 0x0203), (0xB8, 4), (0xBA, 0xA200), (0x100, 0xFC00), (0x102, 0x80), (0x104, 0xFF00), (0x106, 0x84), (0x10A, 0x82), (0x10E, 0xC1)],
    "gb": [(0x26, 0x80), (0x25, 0xFF), (0x24, 0x77), (0x12, 0xF0), (0x14, 0x84), (0x17, 0xF0), (0x19, 0x84), (0x1A, 0x80), (0x1C, 0x20), (0x1E, 0x84),
           (0x21, 0xF0), (0x22, 0xF7), (0x23, 0x80), (0x06, 0xF0), (0x07, 0x05)],
}
IO = {"gba": 0x04000000, "gb": 0xFF00}
WIDTH = {"gba": 16, "gb": 8}
# Fields that belong together: those of a group are changed together. Each is (offset, bytes).
FIELDS = {
    "gba": {
        "sound": [(0x484, 1), (0x484, 1), (0x184, 4), (0x184, 4), (0x188, 4), (0x134, 4), (0x140, 4), (0x150, 4), (0x178, 4), (0x1D4, 4), (0x1DC, 4), (0x1E0, 4), (0x1E4, 4)],
        "timers": [(0x200 + 0x14 * timer + at, 4) for timer in range(4) for at in (0, 4, 8, 12, 16)] + [(0x502 + 4 * timer, 2) for timer in range(4)],
        "transfers": [(0x250 + 0x10 * dma + at, 4) for dma in range(4) for at in (0, 4, 8, 12)] + [(0x4B8 + 12 * dma, 4) for dma in range(4)],
        "cartridge": [(0x290 + at, 4) for at in range(0, 0x60, 4)] + [(0x2E0, 1), (0x2E1, 1), (0x2E3, 1)],
        "processor": [(0x5C, 4), (0x60, 4), (0x68, 4), (0x6C, 4), (0x31C, 4), (0x320, 4), (0x324, 4), (0x600, 2), (0x608, 2)],
        "picture": [(0x1F0, 4), (0x1F4, 4), (0x1F8, 4), (0x400, 2), (0x404, 2), (0x406, 2)],
    },
    "gb": {
        "sound": [(0x326, 1), (0x326, 1), (0x9C, 4), (0x9C, 4), (0xA0, 4), (0x58, 4), (0x68, 4), (0x90, 4), (0xA4, 4), (0xA6, 1), (0xB0, 4), (0x1DC, 1), (0x1D8, 4)],
        "timers": [(0x150, 4), (0x154, 4), (0x158, 4), (0x15C, 4), (0x160, 4), (0x164, 1), (0x165, 1), (0x304, 4)],
        "transfers": [(0x16C, 4), (0x170, 2), (0x172, 2), (0x174, 4), (0x178, 2), (0x17A, 2), (0x17C, 2), (0x17E, 1), (0x44, 4), (0x346, 1), (0x355, 1)],
        "cartridge": [(0x168, 2), (0x16A, 1), (0x16B, 1), (0x194, 2), (0x194, 1)] + [(0x180 + at, 4) for at in range(0, 0x28, 4)] + [(0x198 + at, 1) for at in range(16)],
        "processor": [(0x2C, 4), (0x30, 4), (0x34, 4), (0x3C, 4), (0x44, 4), (0x26, 2), (0x28, 2), (0x30F, 1), (0x37F, 1)],
        "picture": [(0xB4, 2), (0xB6, 2), (0xB8, 4), (0xC0, 4), (0xC4, 4), (0xCC, 1), (0xCD, 1), (0x340, 1), (0x341, 1), (0x344, 1)],
    },
}


def rom_of(platform, game):
    with open(ROMS[platform], "rb") as file:
        rom = bytearray(file.read())
    for at, data in GAMES[platform][game].items():
        rom[at : at + len(data)] = data
    return bytes(rom)


class Stage:
    """An emulator whose game runs only the frames that are requested, and the states that the mutations begin with."""

    def __init__(self, platform, game):
        self.platform, self.game = platform, game
        with tempfile.TemporaryDirectory() as folder:
            rom = os.path.join(folder, f"{game}.{platform}")
            with open(rom, "wb") as file:
                file.write(rom_of(platform, game))
            self.emulator = HeadlessEmulator(rom=rom, options=["--fps", "0"])
            self.client = self.emulator.connect(session="s")
        self.client.timeout = TIME_LIMIT
        self.client.wait_frames(40)
        self.take()
        self.good = self.save(30)
        for at, value in BUSY[platform]:
            self.client.call(f"memory.write{WIDTH[platform]} {IO[platform] + at:#x} {value}").ok()
        self.client.call("lease.step 1").ok()
        self.raw = {"raw": self.save(30), "png": self.save(31), "bare": self.save(0), "middle": self.save_in_the_middle()}

    def take(self):
        self.client.call("lease.take limit=10000").ok()

    def save(self, flags):
        return self.client.call(f"ack={self.client.last} state.get flags={flags}").ok().tail

    def save_in_the_middle(self):
        """A state within a frame, while the game computes."""
        for _ in range(700):
            if self.client.call(f"ack={self.client.last} game.step").code:
                break  # halted
        return self.save(0)

    def heal(self):
        """Brings a game back that a state has crashed or stopped."""
        self.client.call("game.reset").ok()
        self.client.call("state.load", self.good).ok()
        if self.game not in NO_FRAMES:
            self.client.wait_frames(1)
        self.take()

    def accesses(self, rng):
        """Requests that read everything, switch sound on and write. Some are refused."""
        if self.platform == "gb":
            heads = [f"memory.read {page} 4096" for page in range(0, 0x10000, 0x1000)] + ["memory.read sram:0 32", "memory.read cart0:0 32768"]
            heads += [f"memory.write8 {rng.randrange(0x8000):#x} {rng.choice((0, 1, 3, 8, 10, 14, 0xFF))}", f"memory.write8 {rng.randrange(0xA000, 0xC000):#x} {rng.randrange(256)}"]
            heads += [f"memory.write8 {rng.randrange(0xFF00, 0x10000):#x} {rng.randrange(256)}" for _ in range(rng.choice((0, 0, 1, 3)))]
            return heads + ["memory.write8 0xFF26 0x80", "memory.write8 0xFF22 0xF7", f"memory.write8 {rng.randrange(0xFF10, 0xFF40):#x} {rng.randrange(256)}"]
        heads = [f"memory.read {(region << 24) + rng.randrange(0x8000):#x} 1024" for region in range(16)] + ["memory.read 0x04000000 1024", "memory.read 0x0E000000 65536"]
        heads += [f"memory.read16 {region << 24 | rng.randrange(0x1000000) & ~1:#x}" for region in (8, 9, 13, 13, 13, 14)]
        heads += [f"memory.write{rng.choice((8, 16, 32))} {rng.choice((8, 9, 13, 14)) << 24 | rng.randrange(0x10000) & ~3:#x} {rng.randrange(256)}" for _ in range(2)]
        heads += [f"memory.write16 {0x04000000 + 2 * rng.randrange(0x108):#x} {rng.randrange(65536)}" for _ in range(rng.choice((0, 0, 1, 3)))]
        return heads + ["memory.write16 0x04000084 0x80", "memory.write16 0x0400007C 0x00F7", f"memory.write16 {0x04000060 + 2 * rng.randrange(0x20):#x} {rng.randrange(65536)}"]

    def access(self, number):
        """Sends the requests in a batch, which ends where an item is refused: so in any order. Returns a function that takes the reply."""
        rng, client = random_of(number), self.client
        heads = self.accesses(rng)
        rng.shuffle(heads)
        sent = client.send(f"ack={client.last} batch.run", b"".join(head.encode() + END for head in heads))

        def check():
            reply = client.reply(sent)
            if reply.code or b"error internal" in reply.tail[-1000:]:
                raise Failure(f"the accesses were answered {reply.head[:300]!r}")

        return check

    def has_ended(self, step):
        """Whether the game crashed or stopped in this step: then it is brought back."""
        if step.code not in ("no-lease", "cancelled"):
            step.ok()
            return False
        machine = self.client.call("status").ok()["machine"]
        if machine not in ("crashed", "stopped"):
            raise Failure(f"the lease ended although the machine is {machine}: {step.head!r}")
        self.heal()
        return True

    def load(self, data, flags, number):
        """Loads a state, uses the machine and runs frames: "loaded", "refused" or "crashed". Fails when the frames take too long."""
        client, process = self.client, self.emulator.process.pid
        reply = client.call(f"ack={client.last} state.load flags={flags}", data)
        if reply.code:
            reply.refused("not-a-state")
            return "refused"
        if self.game in NO_FRAMES:
            self.access(number)()
            client.call("lease.step 0").ok()  # or the lease ends, and the game runs
        else:
            before = processor_seconds(process)
            if self.has_ended(client.call("lease.step 1")):
                return "crashed"
            before = self.check_time("the frame after the load", before, 1)
            check = self.access(number)
            step = client.call(f"lease.step {FRAMES - 1}")
            check()
            if self.has_ended(step):
                return "crashed"
            self.check_time("what followed", before, FRAMES - 1)
        client.call(f"ack={client.last} state.load", self.raw["bare"]).ok()
        return "loaded"

    def check_time(self, what, before, frames):
        now = processor_seconds(self.emulator.process.pid)
        if now - before > FRAME_LIMIT * frames:
            raise Failure(f"{what} took {(now - before) * 1000:.0f} ms")
        return now

    def end(self):
        self.emulator.check()
        self.emulator.kill()


def field_edits(rng, platform, data):
    """Changes of two to four fields of a group: bits, and times from just now to 2^31 cycles away, counted from the state's present or from 0."""
    group = rng.choice(list(FIELDS[platform].values()))
    processor = 0x68 if platform == "gba" else 0x2C
    now = sum(struct.unpack_from("<I", data, at)[0] for at in (12, processor))
    edits = []
    for at, size in rng.sample(group, rng.randint(2, 4)):
        old, bits = int.from_bytes(data[at : at + size], "little"), 8 * size
        if size < 4 or rng.random() < 0.25:
            new = rng.choice((old ^ 1 << rng.randrange(bits), rng.getrandbits(bits), rng.choice(INTERESTING)))
        else:
            away = rng.randrange(1 << rng.randrange(1, 32))
            away = 0x80000000 - away % 0x400000 if rng.random() < 0.6 else away
            new = rng.choice((0, now, now)) + rng.choice((-1, 1)) * away
        edits.append([at, (new & (1 << bits) - 1).to_bytes(size, "little").hex()])
    return edits


def table_edits(rng, at, length):
    """A table of extra data at that offset, with sizes and offsets that point anywhere."""
    edits, count = [], rng.choice((1, 1, 2, 3, 5, 70))
    for entry in range(count):
        tag = rng.choice((0, 1, 2, 3, 4, 5, 0x101, 0x102, rng.randrange(1 << 32)))
        size = rng.choice((-1, 0, 1, 64, 4096, length, rng.randrange(-5, 70000), rng.choice(INTERESTING))) & 0xFFFFFFFF
        offset = rng.choice((-1, 0, at, at + entry * 16, length - 1, length, rng.randrange(length + 1), rng.choice(INTERESTING), 1 << 40)) & (1 << 64) - 1
        edits.append([at + entry * 16, struct.pack("<IIQ", tag, size, offset).hex()])
    if rng.random() < 0.7:
        edits.append([at + count * 16, bytes(16).hex()])
    return edits


def chunks(data):
    """The chunks of a PNG: (offset, kind, length)."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        yield at, kind, length
        at += length + 12


def png_edits(rng, data):
    """Changes of one chunk: its length, its kind, its content, its end, or an additional chunk of mGBA with any length."""
    at, kind, length = rng.choice(list(chunks(data)))
    what = rng.randrange(7)
    if what == 0:
        return [[at, struct.pack(">I", rng.choice((0, 1, length + 1, max(0, length - 1), 0x7FFFFFFF, 0xFFFFFFFF, rng.randrange(length + 100)))).hex()]]
    if what == 1:
        return [[at + 4, rng.choice((b"gbAs", b"gbAx", b"IDAT", b"IEND", b"\0\0\0\0", rng.randbytes(4))).hex()]]
    if what == 2 and length:
        return [[at + 8 + offset, change] for offset, change in byte_edits(rng, length, 6)]
    if what == 3:
        return [[at, f"remove {rng.choice((1, 8, length + 12, rng.randrange(length + 12)))}"]]
    if what == 4:
        content = zlib.compress(bytes(rng.choice((0, 16, 70000, 3000000))), 1)
        extra = struct.pack("<II", rng.choice((0, 2, 3, 4, 0xFFFFFFFF)), rng.choice((*INTERESTING, len(content), 1048576, 1048577))) + content[: rng.choice((len(content), 5))]
        chunk = struct.pack(">I", len(extra)) + rng.choice((b"gbAx", b"gbAx", b"gbAs")) + extra
        return [[at, "insert " + (chunk + struct.pack(">I", zlib.crc32(chunk[4:]))).hex()]]
    if what == 5:
        return [[rng.randrange(len(data)), "cut"]]
    whole = data[at : at + length + 12]
    return [[at, "insert " + whole.hex()]]


def mutation(rng, stage):
    """A state: which one it is made of, its changes, and the flags of the load."""
    kind = rng.choice(("raw", "raw", "bare", "middle", "middle", "png"))
    data, size = stage.raw[kind], TABLE[stage.platform]
    flags = rng.choice((25, 25, 25, 29, 31, 30, 0, rng.randrange(32)))
    if kind == "png":
        return {"base": kind, "edits": png_edits(rng, data) + (png_edits(rng, data)[:1] if rng.random() < 0.2 else []), "flags": flags}
    what = rng.random()
    if what < 0.35:
        edits = field_edits(rng, stage.platform, data)
    elif what < 0.65:
        edits = byte_edits(rng, 0x400 if rng.random() < 0.8 else 0x800, 12)
    elif what < 0.75:
        edits = byte_edits(rng, size, 40)
    elif what < 0.9:
        edits = table_edits(rng, size, len(data))
    else:
        edits = [[rng.choice((0, 1, 16, 0x400, size - 1, size, size + 8, len(data) - 1, rng.randrange(len(data)))), "cut"]]
    return {"base": kind, "edits": edits, "flags": flags}


def run(stage, made):
    return stage.load(apply(stage.raw[made["base"]], made["edits"]), made["flags"], made.get("number", 0))


def fails_alone(platform, game, made):
    """Whether the state fails in a new emulator."""
    stage = Stage(platform, game)
    try:
        run(stage, made)
        stage.emulator.check()
        return False
    except (Failure, Late, EOFError, OSError):
        return True
    finally:
        stage.emulator.kill()


@pytest.mark.parametrize("platform", TABLE)
def test_kept_states_are_loaded_or_refused(platform):
    """the states of the corpus are loaded or refused, and the frames complete"""
    stages = {}
    for name, made in corpus("states"):
        game = made["game"]
        if game in GAMES[platform]:
            stage = stages[game] = stages.get(game) or Stage(platform, game)
            try:
                run(stage, made)
            except Exception as problem:
                raise Failure(f"{name}: {problem}") from problem
    for stage in stages.values():
        stage.end()


# States of a game before the next one: an emulator starts in the time of a hundred states.
EACH = 500


@pytest.mark.parametrize("platform", TABLE)
def test_mutated_states_are_loaded_or_refused(platform):
    """mutated states are loaded or refused, the machine can be read and written afterwards, and its frames complete"""
    counts, budget = {"loaded": 0, "refused": 0, "crashed": 0}, Budget("states", share=SHARE[platform], seconds_share=0.5)
    games, stage = list(GAMES[platform]), None
    for number in budget.rounds():
        game = games[number // EACH % len(games)]
        if not stage or stage.game != game:
            if stage:
                stage.end()
            stage = Stage(platform, game)
        made = {**mutation(random_of(number), stage), "number": number}
        try:
            counts[run(stage, made)] += 1
            budget.add()
            stage.emulator.check()
            del stage.emulator.lines[:-50]
        except (Failure, Late, Refused, EOFError, OSError) as problem:
            stage.emulator.kill()
            if fails_alone(platform, game, made):
                made["edits"] = minimize(made["edits"], lambda edits: fails_alone(platform, game, {**made, "edits": edits}), most=40)
            report("states", number, f"{type(problem).__name__}: {problem}", {**made, "game": game})
    stage.end()
    budget.check()
    print(f"states of the {platform}: {budget}: {counts}")
