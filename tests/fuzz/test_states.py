"""Mutated save states, loaded by the script on the real core.

What must hold: each load is answered, the next frame completes within 100 ms of the emulator's processor time, and the emulator lives. A state may
crash the game (the machine then says so); a reset and a good state bring it back. FUZZ_SECONDS or FUZZ_COUNT says how much, FUZZ_SEED where to start.
"""

import struct
import zlib

import pytest

from fuzzing import INTERESTING, Budget, apply, byte_edits, corpus, random_of, report, minimize
from headless import HeadlessEmulator
from mgba_wire import Failure, Late, Refused
from processes import processor_seconds
from rom import wait_for_start

FRAME_LIMIT = 0.1  # seconds of processor time until the frame after a load completes
SHARE = {"gba": 0.25, "gb": 0.75}  # of the number of states: a GBA's takes four times as long
TABLE = {"gba": 0x61000, "gb": 0x11800}
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Stage:
    """An emulator whose game runs only the frames that are requested, and the states that the mutations begin with."""

    def __init__(self, platform):
        self.platform = platform
        self.emulator = HeadlessEmulator(rom=platform, options=["--fps", "0"])
        self.client = self.emulator.connect(session="s")
        if platform == "gba":
            wait_for_start(self.client)
        self.client.wait_frames(30)
        self.good = self.client.call("state.save flags=30").ok().tail
        self.raw = {"raw": self.good, "png": self.client.call("state.save flags=31").ok().tail, "bare": self.client.call("state.save flags=0").ok().tail}
        self.take()

    def take(self):
        self.client.call("lease.take limit=10000").ok()

    def heal(self):
        """Brings a game back that a state has crashed or stopped."""
        self.client.call("core.reset").ok()
        self.client.call("state.load", self.good).ok()
        self.client.wait_frames(1)
        self.take()

    def load(self, data, flags):
        """Loads a state and runs a frame: "loaded", "refused" or "crashed". Fails when the frame takes too long."""
        client = self.client
        reply = client.call(f"ack={client.last} state.load flags={flags}", data)
        if reply.code not in (None, "not-a-state"):
            raise Failure(f"the load was answered {reply.head[:300]!r}")
        before = processor_seconds(self.emulator.process.pid)
        step = client.call("lease.step 1")
        used = processor_seconds(self.emulator.process.pid) - before
        if step.code in ("no-lease", "cancelled"):
            machine = client.call("status").ok()["machine"]
            if machine not in ("crashed", "stopped"):
                raise Failure(f"the lease ended although the machine is {machine}: {step.head!r}")
            self.heal()
            return "crashed"
        step.ok()
        if used > FRAME_LIMIT:
            raise Failure(f"the frame after the load took {used * 1000:.0f} ms")
        return "refused" if reply.code else "loaded"

    def end(self):
        self.emulator.check()
        self.emulator.kill()


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
    kind = rng.choice(("raw", "raw", "bare", "png"))
    data, size = stage.raw[kind], TABLE[stage.platform]
    flags = rng.choice((25, 25, 25, 29, 31, 30, 0, rng.randrange(32)))
    if kind == "png":
        return {"base": kind, "edits": png_edits(rng, data) + (png_edits(rng, data)[:1] if rng.random() < 0.2 else []), "flags": flags}
    what = rng.random()
    if what < 0.55:
        edits = byte_edits(rng, 0x400 if rng.random() < 0.8 else 0x800, 12)
    elif what < 0.65:
        edits = byte_edits(rng, size, 40)
    elif what < 0.9:
        edits = table_edits(rng, size, len(data))
    else:
        edits = [[rng.choice((0, 1, 16, 0x400, size - 1, size, size + 8, len(data) - 1, rng.randrange(len(data)))), "cut"]]
    return {"base": kind, "edits": edits, "flags": flags}


def run(stage, made):
    return stage.load(apply(stage.raw[made["base"]], made["edits"]), made["flags"])


def fails_alone(platform, made):
    """Whether the state fails in a new emulator."""
    stage = Stage(platform)
    try:
        stage.client.timeout = 20
        run(stage, made)
        stage.emulator.check()
        return False
    except (Failure, Late, EOFError, OSError):
        return True
    finally:
        stage.emulator.kill()


@pytest.mark.parametrize("platform", TABLE)
def test_kept_states_are_loaded_or_refused(platform):
    """the states of the corpus are loaded or refused, and the frame completes"""
    stage = Stage(platform)
    for name, made in corpus("states"):
        if made["platform"] == platform:
            try:
                run(stage, made)
            except Exception as problem:
                raise Failure(f"{name}: {problem}") from problem
    stage.end()


@pytest.mark.parametrize("platform", TABLE)
def test_mutated_states_are_loaded_or_refused(platform):
    """mutated states are loaded or refused, and the frame after each completes"""
    stage, counts, budget = Stage(platform), {"loaded": 0, "refused": 0, "crashed": 0}, Budget("states", share=SHARE[platform], seconds_share=0.5)
    for number in budget.rounds():
        made = mutation(random_of(number), stage)
        try:
            counts[run(stage, made)] += 1
            budget.add()
            stage.emulator.check()
            del stage.emulator.lines[:-50]
        except (Failure, Late, Refused, EOFError, OSError) as problem:
            stage.emulator.kill()
            if fails_alone(platform, made):
                made["edits"] = minimize(made["edits"], lambda edits: fails_alone(platform, {**made, "edits": edits}), most=40)
            report("states", number, f"{type(problem).__name__}: {problem}", {**made, "platform": platform})
    stage.end()
    budget.check()
    print(f"states of the {platform}: {budget}: {counts}")
