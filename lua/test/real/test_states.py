"""Save states that would hang or end mGBA, on the real core and by every way into the script: each is refused, and the game continues.

    STATE_MUTATIONS=20000 STATE_SEED=5 scripts/pytest states lua/test/real/test_states.py    a longer search; `make test` changes 150 states of each console
"""

import os
import random
import struct
import tempfile
import zlib
from collections import namedtuple

import pytest

from checks import equal, until
from headless import HeadlessEmulator
from mgba_wire import END
from rom import SCRATCH, wait_for_start

SIZES = {"gba": 0x61000, "gb": 0x11800}
PNG = b"\x89PNG\r\n\x1a\n"
HALF = 0x80000000  # of the range of times
Sound = namedtuple("Sound", "cycles channels event envelope sample")  # offsets into the state
SOUND = {"gba": Sound(0x68, 0x484, 0x184, 0x1DE, 0x1E0), "gb": Sound(0x2C, 0x326, 0x9C, 0xA6, 0x1D8)}


def changed(state, at, form, *values):
    data = bytearray(state)
    struct.pack_into(form, data, at, *values)
    return bytes(data)


def with_table(state, size, *entries):
    """The state with these entries (tag, size, offset) as its extra data, and 64 bytes behind them."""
    table = b"".join(struct.pack("<Iiq", *entry) for entry in entries)
    return state[:size] + table + bytes(80)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(state, *extra, level=6, strategy=zlib.Z_DEFAULT_STRATEGY):
    """A PNG of one pixel with the state in it, and extra data as (tag, stated size, data)."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 15, 8, strategy)
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), chunk(b"IDAT", zlib.compress(b"\0\0\0\0"))]
    parts.append(chunk(b"gbAs", packer.compress(state) + packer.flush()))
    parts += [chunk(b"gbAx", struct.pack("<II", tag, size) + zlib.compress(data)) for tag, size, data in extra]
    return PNG + b"".join(parts) + chunk(b"IEND", b"")


def bad_states(state, rom):
    """What would hang or end mGBA 0.10.1: a name and the bytes."""
    size = SIZES[rom]
    yield "an entry of size -1 that points at itself", with_table(state, size, (2, -1, size))
    yield "an entry beyond the end", with_table(state, size, (2, 64, 1 << 40))
    yield "an entry before the extra data", with_table(state, size, (2, 64, -8))
    yield "a table without an end", state[:size] + struct.pack("<Iiq", 0x7FFFFFFF, 1, size) * 100
    yield "a state cut short", state[: size - 1]
    clock = struct.pack("<IIq", 0x7F0000, 0, 0)
    yield "an entry for a clock of an unknown type", state[:size] + struct.pack("<Iiq", 4, 16, size + 32) + bytes(16) + clock
    yield "noise that plays while sound is off", changed(state, SOUND[rom].channels, "<B", 8)
    if rom == "gba":
        for value in (228, 0x300, 0xFFFF):
            yield f"VCOUNT {value}", changed(state, 0x406, "<H", value)
        yield "a sound sample far away: writes before an array", changed(state, 0x1D4, "<i", 0x7FFF0000)
        yield "a line of the picture far away", changed(state, 0x1F4, "<i", 0x7FFF0000)
        yield "a timer that runs backwards", changed(state, 0x210, "<I", 0x4F)
        yield "a program counter in no memory", changed(state, 0x5C, "<I", 0x40000000)
        yield "a processor mode that is none", changed(state, 0x60, "<I", 0)
        yield "a clock's index beyond its array", changed(state, 0x294, "<i", -5000)
    else:
        yield "line 150 in mode 3", changed(changed(state, 0xB6, "<H", 150), 0xCD, "<B", 3 << 2)
        yield "no event of the picture", changed(state, 0xCD, "<B", state[0xCD] | 0x30)
        yield "a mode far away", changed(state, 0xC0, "<i", 0x7FFF0000)
        yield "blocked for ever", changed(state, 0x44, "<I", 0x20)
        yield "a timer far behind", changed(state, 0x154, "<i", -65536)
        yield "a timer with a huge step", changed(state, 0x15C, "<I", 0xFFFF)
        yield "a clock's register beyond its array", changed(state, 0x194, "<H", 2 | 7 << 5)


def present(state, rom):
    return sum(struct.unpack_from("<I", state, at)[0] for at in (12, SOUND[rom].cycles))


def of_former_version(state, rom):
    """The state as mGBA 0.9 wrote it: without the time of the last sound sample, and on the GBA with the next line in its place."""
    if rom == "gb":
        return changed(changed(state, 0, "<I", 0x00400002), SOUND[rom].sample, "<I", 0)
    return changed(changed(state, 0, "<I", 0x01000006), SOUND[rom].sample, "4s", state[0x1F4:0x1F8])


def states_with_far_times_of_sound(state, rom):
    """What mGBA 0.10 makes of states of 0.9, and those: the noise channel would count without end when half the range of times lies between two."""
    at = SOUND[rom]
    for seconds in (-127, -60, 60, 127, 128):
        far = present(state, rom) + seconds * 0x1000000 & 0xFFFFFFFF
        yield f"the last sample {seconds} seconds away", changed(state, at.sample, "<I", far)
        yield f"the last event of the noise {seconds} seconds away", changed(state, at.event, "<I", far)
        moved = changed(state, 12, "<I", -seconds * 0x1000000 & 0xFFFFFFFF)  # the time of a former version's sample is about 0
        yield f"a state of a former version, {seconds} seconds away", of_former_version(changed(moved, at.event, "<I", present(moved, rom)), rom)
    silent = changed(changed(state, at.envelope, "<B", 0x20), at.event, "<I", 0)
    yield "noise without a last event, whose envelope has ended", changed(silent, 12, "<I", HALF - 0x1000)


def start(emulator, rom):
    client = emulator.connect()
    if rom == "gba":
        wait_for_start(client)
    else:
        client.wait_frames(30)
    return client, client.call("state.get").ok().tail


def test_bad_states_are_refused_everywhere():
    """a state that would hang or end the game is refused by wire, batch, step, legacy upload, file and PNG, on both consoles."""
    for rom in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            with HeadlessEmulator(rom, ["--fps", "0"], {"MGBA_BRIDGE_FOLDERS": folder}) as emulator:
                client, good = start(emulator, rom)
                path = os.path.join(folder, "bad.ss")
                for name, data in bad_states(good, rom):
                    reply = client.call("state.load", data)
                    assert reply.code == "not-a-state", f"{rom}, {name}: {reply.head}"
                    reply = client.call("batch.run", b"+%d state.load" % len(data) + END + data).ok()
                    assert b"error not-a-state" in reply.tail, name + " in a batch: " + str(reply.tail[:80])
                    with open(path, "wb") as file:
                        file.write(data)
                    client.call(f'state.load_file "{path}"').refused("not-a-state")
                    equal(client.legacy(f"core.loadStateFile,{path},29,"), "false", name)
                    if "entry" not in name and "table" not in name:
                        client.call("state.load", png(data[: SIZES[rom]])).refused("not-a-state")
                    client.wait_frames(2)
                equal(client.legacy(f"core.loadStateBuffer,[{','.join('%02x' % b for b in data)}],29,"), "false", name)
                client.call("lease.take").ok()
                reply = client.call("lease.step 1", b"+%d state.load" % len(data) + END + data).ok()
                assert b"error not-a-state" in reply.tail, "in a step: " + str(reply.tail[:80])
                client.call("lease.release").ok()
                client.call("state.load", good).ok()
                client.wait_frames(3)


def test_far_times_of_sound_are_corrected():
    """a state whose times of sound are far away is loaded, from the wire and from a slot: the game continues, and its times are recent."""
    for rom in SIZES:
        with HeadlessEmulator(rom, ["--fps", "0"]) as emulator:
            client, _ = start(emulator, rom)
            for at, value in BUSY[rom]:
                client.call(f"memory.write16 {0x04000000 + at:#x} {value}" if rom == "gba" else f"memory.write8 {0xFF00 + at:#x} {value}").ok()
            client.call("state.save_slot 1").ok()
            noisy = client.call("state.get flags=0").ok().tail
            assert noisy[SOUND[rom].channels] & 0x88 == 0x88, "noise plays"
            for name, state in states_with_far_times_of_sound(noisy, rom):
                with open(os.path.join(emulator.folder, "mgba-bridge-test.ss1"), "wb") as file:
                    file.write(state)
                # mGBA itself loads a slot, and counts without end when half the range lies between the times (docs/states.md)
                for load in (("state.load", state), *([("state.load_slot 1",)] if "128" not in name else [])):
                    client.call(*load).ok()
                    client.wait_frames(3)
                    after = client.call("state.get flags=0").ok().tail
                    since = present(after, rom) - struct.unpack_from("<I", after, SOUND[rom].sample)[0] & 0xFFFFFFFF
                    assert since < 0x1000000, f"{rom}, {name}: the last sample is {since} cycles old"


def test_bad_slot_is_undone(start_emulator):
    """a slot whose state is bad is taken back: the game continues where it was."""
    emulator = start_emulator(options=["--fps", "0"])
    client, good = start(emulator, "gba")
    client.call("state.save_slot 3").ok()
    client.call("state.load_slot 3").ok()
    for name, data in bad_states(good, "gba"):
        if name.split()[0] not in ("VCOUNT", "a") or "program" in name or "array" in name or "table" in name or "cut" in name:
            continue
        with open(os.path.join(emulator.folder, "mgba-bridge-test.ss3"), "wb") as file:
            file.write(data)
        client.call(f"memory.write32 {SCRATCH:#x} 0x12345678").ok()
        client.call("state.load_slot 3").refused("not-a-state")
        equal(client.legacy("core.loadStateSlot,3,29,"), "false", name)
        equal(client.call(f"memory.read32 {SCRATCH:#x}").ok()[0], 0x12345678, "the game before " + name)
        client.wait_frames(3)
    client.call("state.load_slot 8").refused("not-found")
    equal(client.legacy("core.loadStateSlot,8,29,"), "false")


def test_png_states(start_emulator):
    """a PNG state is unpacked whatever its compression, with its save data, and refused when it is damaged or in a batch."""
    emulator = start_emulator(options=["--fps", "0"])
    client, good = start(emulator, "gba")
    core = good[: SIZES["gba"]]
    client.call(f"memory.write {SCRATCH:#x}", random.Random(3).randbytes(16384)).ok()
    noisy = client.call("state.get").ok().tail[: SIZES["gba"]]
    marks = random.Random(3).randbytes(4)
    for state, level, strategy in ((core, 9, zlib.Z_DEFAULT_STRATEGY), (core, 0, zlib.Z_DEFAULT_STRATEGY), (noisy, 6, zlib.Z_FIXED), (noisy, 1, zlib.Z_HUFFMAN_ONLY)):
        state = changed(state, 0x21000 + 0x18000, "4s", marks)
        client.call(f"memory.write32 {SCRATCH + 0x8000:#x} 0").ok()
        client.call("state.load", png(state, level=level, strategy=strategy)).ok()
        equal(client.call(f"memory.read {SCRATCH + 0x8000:#x} 4").ok().tail, marks, f"level {level}, strategy {strategy}")
    whole = png(core)
    packed = zlib.compress(core)
    damaged = {
        "cut short": whole[: len(whole) // 2],
        "no state": PNG + chunk(b"IEND", b""),
        "a length beyond the end": PNG + struct.pack(">I", 0x7FFFFFFF) + b"gbAs" + bytes(2000),
        "a wrong checksum": PNG + chunk(b"gbAs", packed[:-1] + bytes([packed[-1] ^ 1])) + chunk(b"IEND", b""),
        "too long": png(core + b"\0"),
        "too short": png(core[:-1]),
        "a bomb": PNG + chunk(b"gbAs", zlib.compress(bytes(100_000_000))) + chunk(b"IEND", b""),
        "extra data of two gigabytes": png(core, (2, 0x7FFFFFFF, bytes(1000))),
        "extra data longer than stated": png(core, (2, 10, bytes(1000))),
    }
    for name, data in damaged.items():
        client.call("state.load", data).refused("not-a-state")
    rng = random.Random(8)
    for _ in range(40):
        data = bytearray(PNG + chunk(b"gbAs", packed))
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(16, len(data) - 4)] ^= rng.randrange(1, 256)  # not in the chunk's own checksum
        client.call("state.load", bytes(data)).refused("not-a-state")
    reply = client.call("batch.run", b"+%d state.load" % len(whole) + END + whole).ok()
    assert b"error not-a-state" in reply.tail and b"batch" in reply.tail, "a PNG in a batch: " + str(reply.tail[:200])
    equal(client.legacy(f"core.loadStateBuffer,[{whole.hex(',')}],29,"), "true")
    equal(client.legacy(f"core.loadStateBuffer,[{whole[:len(whole) // 2].hex(',')}],29,"), "false")
    ids = [client.send("state.load", whole) for _ in range(5)]
    for _ in ids:
        client.reply().ok()
    client.wait_frames(3)


def mutations(state, rom, count, rng):
    """States with up to four fields of their head changed to values that are extreme, or near those that are right."""
    extremes = (0, 1, -1, 0x7FFFFFFF, -0x80000000, 0x10000, -0x10000, 0xFFFF, 0x40000000, 0x00F00000, -0x10000000)
    places = list(range(0, 0x300, 4)) + (list(range(0x300, 0x800, 4)) if rom == "gba" else [0x320, 0x324, 0x340, 0x344, 0x34C, 0x354, 0xC7D8])
    for _ in range(count):
        data = bytearray(state)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            at, kind = rng.choice(places), rng.randrange(3)
            if kind == 0:
                struct.pack_into("<i", data, at, rng.choice(extremes))
            elif kind == 1:
                struct.pack_into("<i", data, at, rng.randint(-300000, 300000))
            else:
                data[at + rng.randrange(4)] = rng.choice((0, 1, 7, 0x3F, 0x7F, 0x80, 0xC0, 0xFF))
        yield bytes(data)


# Sound, timers and transfers at work, so that their fields mean something: address and 16-bit or 8-bit value.
BUSY = {
    "gba": [(0x84, 0x80), (0x80, 0xFF77), (0x82, 0x330E), (0x62, 0xF080), (0x64, 0x8400), (0x68, 0xF080), (0x6C, 0x8400), (0x70, 0x80), (0x72, 0x2000),
            (0x74, 0x8400), (0x78, 0xF000), (0x7C, 0x8033), (0xBE, 0x0200), (0xC0, 0xA0), (0xC2, 0x0400), (0xC4, 4), (0xC6, 0xB640), (0xB2, 0x0203),
            (0xB6, 0x0203), (0xB8, 4), (0xBA, 0xA200), (0x100, 0xFC00), (0x102, 0x80), (0x104, 0xFF00), (0x106, 0x84), (0x10A, 0x82), (0x10E, 0xC1)],
    "gb": [(0x26, 0x80), (0x25, 0xFF), (0x24, 0x77), (0x12, 0xF0), (0x14, 0x84), (0x17, 0xF0), (0x19, 0x84), (0x1A, 0x80), (0x1C, 0x20), (0x1E, 0x84),
           (0x21, 0xF0), (0x22, 0x33), (0x23, 0x80), (0x06, 0xF0), (0x07, 0x05)],
}


def wait_or_reset(client):
    """Waits two frames, or resets a game that the state has crashed: then no frame runs."""
    until = client.call("ping").frame + 2
    while client.call("ping").frame < until:
        if client.call("status").ok()["machine"] == "crashed":
            client.call("game.reset").ok()


def test_mutated_states_are_refused_or_run():
    """states with changed fields: refused, or the game's frames continue unless it crashes, on both consoles."""
    count, seed = int(os.environ.get("STATE_MUTATIONS", "150")), int(os.environ.get("STATE_SEED", "1"))
    for rom in SIZES:
        with HeadlessEmulator(rom, ["--fps", "0"]) as emulator:
            client, _ = start(emulator, rom)
            for at, value in BUSY[rom]:
                client.call(f"memory.write16 {0x04000000 + at:#x} {value}" if rom == "gba" else f"memory.write8 {0xFF00 + at:#x} {value}").ok()
            state = client.call("state.get flags=0").ok().tail
            refused = 0
            for data in mutations(state, rom, count, random.Random(seed)):
                refused += client.call("state.load", data).status == "error"
                wait_or_reset(client)
                client.call("state.load", state).ok()
            client.wait_frames(3)
            assert 0 < refused < count, f"{refused} of {count} refused"


@pytest.mark.parametrize("rom, block, save", [("gba", 0x02000000, 0x0E000000), ("gb", 0xC100, 0xA000)])
def test_kept_states_are_recalled_before_the_frames_of_a_step(start_emulator, rom, block, save):
    """A step continues from a kept state: with the same memory, save data and picture as after every other time, and with the frame count of the script."""
    client = start_emulator(rom, options=["--fps", "0"]).connect(session="keep")
    while client.call(f"memory.read {block:#x} 4").ok().tail != b"MBT1":
        pass
    client.call("lease.take limit=10000").ok()
    client.call(f"memory.write8 {save + 16:#x} 7").ok()
    client.call("state.keep start").ok()
    items = f"memory.read {block:#x} 256".encode() + END + f"memory.read {save:#x} 64".encode() + END + b"screen.pixels" + END
    before = client.call("lease.step 0").ok().frame
    first = client.call("lease.step 3 keys=1", items).ok()
    client.call("lease.step 40 keys=2").ok()
    client.call(f"memory.write8 {save + 16:#x} 9").ok()
    second = client.call("lease.step 3 keys=1 state=start", items).ok()
    assert second.tail == first.tail and b"\x07" in second.tail and second.frame == before + 46
    client.call("lease.step 1 state=other").refused("not-found")
    equal(client.call("lease.step 0").ok().frame, before + 46, "the frame after a refusal")
    for number in range(8):
        client.call(f"state.keep n{number}").ok()
    client.call("lease.step 1 state=start").refused("not-found")
    client.call("state.keep n8").ok()
    client.call("lease.step 1 state=n0").refused("not-found")
    client.call("lease.step 1 state=n1").ok()
    client.call("state.keep").refused("bad-arity")
    client.call(f"state.keep {'x' * 65}").refused("bad-argument")


@pytest.mark.parametrize("rom, memory, size", [("gba", 0x0E000000, 32768), ("gb", 0xA000, 8192)])
@pytest.mark.parametrize("load", ["state.load flags=25", "state.load_slot 1", "state.load_file", "state.recall"])
def test_first_save_of_a_client_after_a_load_is_in_the_file_and_the_game(start_emulator, tmp_path, rom, memory, size, load):
    """Whatever was loaded before, `save.put` gives the game the save, and its file has it when it is answered."""
    folder = str(tmp_path)
    emulator = start_emulator(rom, environment={"MGBA_BRIDGE_FOLDERS": folder})
    client = emulator.connect(session="saves")
    until(lambda: client.call(f"memory.write8 {memory:#x} 0x11").ok() and client.call(f"memory.read8 {memory:#x}").ok()[0] == 0x11, "the save memory of the game")
    state = client.call("state.get flags=26").ok().tail
    client.call("state.save_slot 1").ok()
    client.call(f"state.save_file {folder}/old.ss").ok()
    client.call("state.keep old").ok()
    client.call(f"memory.write8 {memory:#x} 0x22").ok()
    if load == "state.recall":
        client.call("lease.take limit=10000").ok()
        client.call("lease.step 1 state=old").ok()
        client.call("lease.release").ok()
    elif load == "state.load_file":
        client.call(f"{load} {folder}/old.ss").ok()
    else:
        client.call(load, state if load.startswith("state.load ") else None).ok()
    equal(client.call(f"memory.read8 {memory:#x}").ok()[0], 0x11, "the save of the state")
    client.call("save.put", b"\x77" * size).ok()
    with open(os.path.join(emulator.folder, "mgba-bridge-test.sav"), "rb") as file:
        equal(file.read()[:size], b"\x77" * size, "the save file")
    until(lambda: client.call(f"memory.read8 {memory:#x}").ok()[0] == 0x77, "the save in the game")
    client.call("game.reset").ok()
    until(lambda: client.call(f"memory.read8 {memory:#x}").ok()[0] == 0x77, "the save after a reset")
