"""The script on a real mGBA core: what ends an emulator, what a game sees, what comes through a real socket."""

import os
import random
import re
import shutil
import socket
import struct
import tempfile
import threading
import time
import zipfile
import zlib

import pytest

from checks import equal, until
from headless import ROMS, SCRIPT, HeadlessEmulator, game_codes
from mgba_wire import END, TIME_LIMIT, Client, proof, request
from rom import BLOCK, KEYS, SCRATCH, clear_counters, decode_png, edges, events, wait_for_start


@pytest.mark.versions
def test_hello_and_game_describe_the_rom(emulator):
    """hello and game report the facts of the game."""
    client = emulator.connect(client="tests", session="s")
    with open(ROMS["gba"], "rb") as rom:
        data = rom.read()
    equal(client.hello["crc32"], zlib.crc32(data), "the checksum")
    equal(client.hello["port"], emulator.port)
    equal(client.hello["host"], "headless")
    game = client.call("game.get").ok()
    equal((game["rom_size"], game["title"], game["code"]), (len(data), "MGBABRIDGE", game_codes()["gba"]))
    equal(game["game_code"], "BBTE")
    equal(client.call("memory.read 0x08000000 4096").ok().tail, data, "the ROM on the bus")
    equal(client.call("memory.read cart0:0 4096").ok().tail, data, "the ROM in its domain")


@pytest.mark.versions
@pytest.mark.parametrize("running, other", (("gba", "gb"), ("gb", "gba")))
def test_rom_of_another_console_leaves_the_running_game_alone(running, other, tmp_path):
    """a load that is refused changes nothing: no reset, no new epoch, the key stays down."""
    shutil.copy(ROMS[other], tmp_path / "other.rom")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.write(ROMS[other], f"game.{other}")
    with HeadlessEmulator(running, environment={"MGBA_BRIDGE_FOLDERS": str(tmp_path)}) as emulator:
        client = emulator.connect(session="s")
        client.wait_frames(20)
        client.call("keys.add A").ok()
        before, frame = client.call("ping").ok().epoch, int(client.call("game.frame").ok().text)
        for name in ("other.rom", "other.zip"):
            client.call(f'rom.load "{tmp_path}/{name}"').refused("failed", "the game that runs continues")
        equal(client.legacy(f"core.loadFile,{tmp_path}/other.rom,,"), "false")
        after = int(client.call("game.frame").ok().text)
        assert after >= frame, (frame, after)
        equal(client.call("ping").ok().epoch, before, "the epoch")
        equal(client.call("keys.get").ok()["mask"], 1, "the keys")


@pytest.mark.versions
def test_requests_that_would_end_mgba_are_refused():
    """every way to end the emulator that the wire can reach returns an error."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "bad.gba"), "wb") as file:
            file.write(b"not a game" * 100)
        with open(os.path.join(folder, "a.gb"), "wb") as file:
            file.write(b"\0" * 32768)
        with HeadlessEmulator(environment={"MGBA_BRIDGE_FOLDERS": folder}) as emulator:
            client = emulator.connect(session="s")
            rows = [
                ("state.load", b"", "not-a-state"), ("state.load", b"\0", "not-a-state"), ("state.load", b"\0" * 2000, "not-a-state"),
                ("state.load", b"\0" * 0x61000, "not-a-state"), ("state.load", b"\x89PNG\r\n\x1a\n" + b"\0" * 5000, "not-a-state"),
                ("state.load", b"\xff" * 4194304, "not-a-state"), ("memory.read 0x02000000 -1", None, "bad-argument"),
                ("memory.read 0x02000000 4294967295", None, "bad-argument"), ("memory.read 0x02000000 9223372036854775807", None, "bad-argument"),
                ("memory.read __index:0 1", None, "bad-address"), ("memory.read8 _core:0", None, "bad-address"), ("memory.read8 read8:0", None, "bad-address"),
                ("memory.read8 wram:9223372036854775807", None, "bad-address"), ("memory.read8 wram:-9223372036854775808", None, "bad-address"),
                ("memory.read wram:0x3ffff 4194304", None, "bad-address"), ("memory.write wram:0x3ffff", b"\0" * 100000, "bad-address"),
                ("memory.read32 0xfffffffd", None, "bad-address"), ("memory.write32 0xffffffff 1", None, "bad-address"), ("keys.add 0x", None, "bad-argument"),
                ("keys.set 4294967295", None, "bad-argument"), ("state.load_slot 99", None, "bad-argument"), ("state.get flags=4096", None, "bad-argument"),
                (f'rom.load "{folder}/bad.gba"', None, "failed"), (f'rom.load "{folder}/a.gb"', None, "failed"), (f'rom.load "{folder}/none.gba"', None, "not-found"),
                (f'state.load_file "{folder}/bad.gba"', None, "not-a-state"), (f'screen.save "{folder}/../x.png"', None, "forbidden"), ('registers.read "r0\\x00"', None, "not-found"),
                ("registers.write pc 99999999999", None, "bad-argument"),
                ("registers.write cpsr -35095", None, "bad-argument"),
                ("registers.write cpsr 0", None, "bad-argument"),
                ("memory.write8 0x04000301 128", None, "bad-argument"), ("memory.write16 0x04000301 0xff", None, "bad-argument"),
                ("memory.write32 0x040002ff -1", None, "bad-argument"), ("memory.write 0x04000300", b"\0\x80", "bad-argument"),
                ("memory.write 0x03ff8000", b"\xff" * 100000, "bad-argument"), ("memory.write8 io:0x301 128", None, "unsupported"),
            ]
            for head, tail, code in rows:
                client.call(head, tail).refused(code)
                client.wait_frames(2)
            for head in ("core.loadStateBuffer,[],29,", "core.readRange,0x02000000,-1,", "core.readRange,0x02000000,4294967295,", "core.addKey,40,,", "core.screenshot,/x,,", "core.write8,0x04000301,128,"):
                equal(client.legacy(head), "<|ERROR|>", head)
            equal(client.legacy("core.loadStateBuffer,[00,01],29,"), "false")
            equal(client.legacy(f"core.loadFile,{folder}/bad.gba,,"), "false")
            client.wait_frames(10)
            client.call("game.reset").ok()
            wait_for_start(client)
            client.call(f'screen.save "{folder}/shot.png"').ok()
            with open(os.path.join(folder, "shot.png"), "rb") as file:
                equal(file.read(4), b"\x89PNG")


@pytest.mark.versions
def test_callbacks_of_another_script_run_inside_requests():
    """reset, step and reads of the key register run another script's callbacks, and the frame completes."""
    script = os.path.join(tempfile.mkdtemp(), "other.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write("for _, n in ipairs({'reset', 'keysRead', 'frame'}) do callbacks:add(n, function() SEEN = (SEEN or 0) + 1 end) end\n")
    for rom, register in (("gba", "0x04000130"), ("gb", "0xff00")):
        with HeadlessEmulator(rom=rom, scripts=[script]) as emulator:
            client = emulator.connect(session="s")
            heads = ["game.reset", "game.frame", f"memory.read8 {register}", "game.step", "game.frame", f"memory.read {register} 2", "game.reset", "game.get", "state.get", "keys.get"] * 5
            for i, head in enumerate(heads):
                client.send(head)
            for head in heads:
                client.reply().ok()
            client.wait_frames(5)


def test_many_short_writes_in_one_frame_are_all_done(emulator):
    """more short writes than one frame has room for are all answered."""
    client = emulator.connect(session="s")
    for _ in range(300):
        client.call("ping").ok()  # the script lingers for an active client
    for _ in range(5):
        for _ in [client.send(f"memory.write {SCRATCH:#x}", b"x" * 1000) for _ in range(120)]:
            client.reply().ok()


@pytest.mark.versions
def test_log_has_what_the_game_prints(emulator):
    client = emulator.connect()
    client.call("watch out log").ok()
    client.call("memory.write16 0x04FFF780 0xC0DE").ok()
    for text in (b"hello", bytes(range(1, 256)), b"with an end\n"):  # 256 bytes with the last 0 are the most
        for at, byte in enumerate(text + b"\0"):
            client.call(f"memory.write8 {0x04FFF600 + at:#x} {byte}").ok()
        client.call("memory.write16 0x04FFF700 0x103").ok()
        equal(client.event("watch").tail, b"GBA Debug: " + text.rstrip(b"\n"), "the event's line")


@pytest.mark.versions
def test_pixels_are_those_of_the_png_reduced_by_averages_of_areas(emulator):
    client = emulator.connect(session="s")
    client.call("lease.take limit=10000").ok()
    client.call("lease.step 30").ok()
    png = client.call("screen.get").ok()
    colours = client.call("screen.pixels").ok()
    equal((colours.fields["width"], colours.fields["height"]), (240, 160), "the size")
    equal(colours.tail, bytes(value for row in decode_png(png.tail)[2] for colour in row for value in colour), "the pixels")

    def reduced(channels, width, height):
        columns = [[(x, min((x + 1) * width, (to + 1) * 240) - max(x * width, to * 240)) for x in range(to * 240 // width, -(-(to + 1) * 240 // width))]
                   for to in range(width)]
        rows = [[(y, min((y + 1) * height, (to + 1) * 160) - max(y * height, to * 160)) for y in range(to * 160 // height, -(-(to + 1) * 160 // height))]
                for to in range(height)]
        return bytes(
            (sum(v * h * channels[(y * 240 + x) * count + channel] for y, v in row for x, h in column) + 19200) // 38400
            for row in rows for column in columns for channel in range(count))

    for count, form, channels in ((3, "", colours.tail), (1, "grey=true ", None)):
        if channels is None:
            pixels = colours.tail
            channels = bytes((77 * r + 150 * g + 29 * b + 128) >> 8 for r, g, b in zip(pixels[::3], pixels[1::3], pixels[2::3]))
            equal(client.call("screen.pixels grey=true").ok().tail, channels, "in grey")
        for width, height in ((84, 84), (120, 80), (240, 1), (1, 160), (239, 159)):
            reply = client.call(f"screen.pixels {form}width={width} height={height}").ok()
            equal((reply.fields["width"], reply.fields["height"]), (width, height), "the size")
            equal(reply.tail, reduced(channels, width, height), f"{count} channels of {width} x {height}")
    equal(client.call("screen.pixels width=241").code, "bad-argument")
    client.call("lease.release").ok()


@pytest.mark.versions
def test_sound_has_every_sample_of_the_game(emulator):
    client = emulator.connect()
    for address, value in ((0x04000084, 0x80), (0x04000080, 0xFF77), (0x04000082, 2), (0x04000062, 0xF080), (0x04000064, 0x8000 + 2048 - 256)):
        client.call(f"memory.write16 {address:#x} {value}").ok()  # a square wave of 131072 / 256 = 512 Hz
    client.wait_frames(20)  # more than is kept when nobody listens
    client.call("watch music sound").ok()
    heard, frames, expected = b"", [], None
    while len(heard) < 48000 * 4:
        event = client.event("watch")
        number = event.fields["sample"]
        expected = number if expected is None else expected
        equal(number, expected, "the number of the first sample")
        expected += len(event.tail) // 4
        heard += event.tail
        frames.append(event.frame)
    equal(frames, list(range(frames[0], frames[0] + len(frames))), "frames with sound")
    left = struct.unpack(f"<{len(heard) // 2}h", heard)[::2]
    equal(struct.unpack(f"<{len(heard) // 2}h", heard)[1::2], left, "the right channel")
    left = left[24000:]  # after the step from silence to the tone
    middle = (min(left) + max(left)) / 2
    rises = [at for at in range(1, len(left)) if left[at - 1] < middle <= left[at]]
    periods = {after - before for before, after in zip(rises, rises[1:])}
    equal(periods <= {93, 94}, True, f"48000 / 512 = 93.75 samples a period: {periods}")
    per_frame = len(heard) / 4 / len(frames)
    equal(abs(per_frame - 48000 * 280896 / 16777216) < 2, True, f"{per_frame} samples a frame")


@pytest.mark.versions
def test_frozen_values_are_written_in_every_frame(emulator):
    """the game never runs a frame with another value, and counts on without it afterwards."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    counter, text = BLOCK + 8, BLOCK + 0xA0  # the game adds 1 to the counter in every frame
    client.call(f"freezes.set frames {counter:#x}", struct.pack("<I", 5000)).ok()
    client.call("freezes.set text wram:0xA0", b"HELLO GATEWAY").ok()
    client.call("freezes.set colour 0x05000000", b"\x1f").ok()  # a byte of the palette, which has no byte writes
    for _ in range(20):
        equal(client.call(f"memory.read32 {counter:#x}").ok()[0], 5000)
        client.wait_frames(1)
    equal(client.call(f"memory.read {text:#x} 13").ok().tail, b"HELLO GATEWAY")
    equal(client.call("memory.read8 0x05000000").ok()[0], 0x1F)
    before = client.call("state.get flags=0").ok().tail
    client.call("freezes.delete").ok()
    client.wait_frames(10)
    assert client.call(f"memory.read32 {counter:#x}").ok()[0] > 5005
    client.call("lease.take limit=10000").ok()
    client.call(f"freezes.set frames {counter:#x} frames=30", struct.pack("<I", 9)).ok()
    client.call("state.load", before).ok()
    client.call("lease.step 1").ok()
    equal(client.call(f"memory.read32 {counter:#x}").ok()[0], 9)
    client.call("lease.step 40").ok()
    equal(client.call("freezes.list").ok().values, [])
    client.call("lease.release").ok()
    # the most that may be frozen keeps the game's pace
    for i in range(9):
        client.call(f"freezes.set b{i} {SCRATCH + i * 1024:#x}", b"x" * 1024).ok()
    client.call(f"freezes.set one-more {SCRATCH:#x}", b"x" * 1024).refused("busy")
    client.wait_frames(30)
    emulator.check()


def test_steps_of_a_halted_game(start_emulator):
    """steps of a halted game are answered once each, and refused when no interrupt would wake it."""
    def item(address, *data):
        return b"+%d memory.write %#x" % (len(data), address) + END + bytes(data)

    emulator = start_emulator(rom="gb")
    client = emulator.connect(session="s")
    step = b"game.step" + END
    # di; nop; halt; jr -3: halted until the next V-blank, again and again
    loop = item(0xC100, 0xF3, 0x00, 0x76, 0x18, 0xFD) + b"registers.write pc 0xc100" + END
    client.call("batch.run", item(0xFF40, 0x91) + item(0xFFFF, 1) + item(0xFF0F, 0) + loop).ok()
    before = client.call("game.frame").ok()
    ids = [client.send("game.step") for _ in range(300)]
    for identity in ids:
        equal(client.reply().ok().id, identity, "the request that was answered")
    after = client.call("game.frame").ok()
    print(f"{after[0] - before[0]} frames of mGBA, {after.frame - before.frame} of the script")
    client.wait_frames(3)
    # with no interrupt enabled
    reply = client.call("batch.run", item(0xFFFF, 0) + loop + step * 5).ok()
    assert b"error busy" in reply.tail, str(reply.tail)
    client.wait_frames(3)
    client.call("game.step").refused("busy", "is halted")
    client.call("registers.write pc 0x150").ok()
    client.call("game.step").refused("busy", "is halted")
    emulator.check()

    emulator = start_emulator()
    client = emulator.connect(session="s")
    wait_for_start(client)
    client.call("memory.write16 0x04000200 0").ok()
    client.wait_frames(2)  # a game that has just been woken halts again
    code = struct.pack("<I", 0xEAFFFFFE)
    client.call("batch.run", b"+4 memory.write %#x" % SCRATCH + END + code + b"registers.write pc %#x" % SCRATCH + END).ok()
    client.call("game.step").refused("busy", "is halted")  # the test game waits for its V-blank
    emulator.check()


def test_frames_inside_steps_are_not_counted(start_emulator):
    """a frame that ends inside game.step is not counted and serves nothing."""
    emulator = start_emulator(rom="gb")
    client, other = emulator.connect(session="s"), emulator.connect(session="t")
    # xor a; ldh (0x0f), a; halt; nop; jr -7: each halt lasts until the next V-blank
    code = bytes((0xAF, 0xE0, 0x0F, 0x76, 0x00, 0x18, 0xF9))
    loop = b"+7 memory.write 0xc100" + END + code + b"registers.write pc 0xc100" + END
    video = b"+1 memory.write 0xff40" + END + b"\x91" + b"+1 memory.write 0xffff" + END + b"\1"
    client.call("batch.run", video + loop).ok()
    # in one batch: frames of the core pass, none of the script
    here = b"game.frame" + END + b"memory.read8 0xff04" + END
    reply = client.call("batch.run", here + (b"game.step" + END) * 40 + here).ok()
    first, _, last, counter = (int(value) for value in re.findall(rb"ok (\d+)<", reply.tail))
    assert last - first >= 5, f"only {last - first} frames ended inside 40 steps"
    # the game continues where the steps ended: its counter has 70,224 / 256 more in each frame
    client.wait_frames(2)
    further, later = (int(value) for value in re.findall(rb"ok (\d+)<", client.call("batch.run", here).ok().tail))
    error = (later - counter - (further - last) * 70224 / 256 + 128) % 256 - 128
    assert abs(error) < 2, f"the counter is {error} off after {further - last} frames"
    # of two clients: each request is answered once, in order
    ids = [(client.send("game.step"), other.send("game.step")) for _ in range(100)]
    for mine, theirs in ids:
        equal((client.reply().ok().id, other.reply().ok().id), (mine, theirs), "the requests that were answered")
    before = client.call("game.frame").ok()
    other.call("game.frame").ok()
    client.wait_frames(3)
    after = client.call("game.frame").ok()
    equal(after[0] - before[0], after.frame - before.frame, "frames of mGBA in frames of the script")


@pytest.mark.versions
def test_steps_after_resets_and_loaded_states():
    """steps behind resets and loaded states, any number in one segment: an endless loop in a Game Boy core if done at once."""
    for rom in ("gb", "gba"):
        with HeadlessEmulator(rom=rom, options=["--fps", "0"]) as emulator:
            client = emulator.connect()
            client.call("state.save_slot 1").ok()
            for heads in (["game.reset", "game.step"], ["state.load_slot 1"] + ["game.step"] * 10, ["game.step", "game.reset", "game.step", "state.load_slot 1", "game.step"]):
                for _ in range(20):
                    for head in heads:
                        client.send(head)
                    for _ in heads:
                        client.reply().ok()
                    client.wait_frames(2)


def test_taps_of_ten_clients_are_all_seen(emulator):
    """1,000 taps sent at once by 10 clients over all keys are 1,000 edges, in order, each in its frames."""
    random.seed(1)
    watcher = emulator.connect(session="watch")
    wait_for_start(watcher)
    clear_counters(watcher)
    clients = [emulator.connect(session=f"s{i}") for i in range(10)]
    sent = [0] * 10
    for i in range(1000):
        key = random.randrange(10)
        sent[key] += 1
        clients[i % 10].send(f"keys.tap {KEYS[key]} frames=1 gap=1")
    last = {}
    for client in clients:
        for _ in range(100):
            reply = client.reply().ok()
            last[reply["up"]] = True
    end = max(last)
    while watcher.call("ping").frame < end + 3:
        time.sleep(0.01)
    equal(edges(watcher), sent, "presses the game counted")
    equal(watcher.call("keys.get").ok().text, "mask=0")


def test_taps_run_in_the_frames_of_their_replies(emulator):
    """taps reach the game in the frames of their replies, chords together."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    clear_counters(client)
    for head in ("keys.tap A frames=3 gap=2", "keys.tap A frames=1 gap=1", "keys.tap A B frames=2 gap=3", "keys.tap B frames=1", "keys.tap Up frames=5"):
        client.send(head)
    replies = [client.reply().ok() for _ in range(5)]
    end = max(reply["up"] for reply in replies)
    # the ROM's frame counter against the script's: one pair from one frame
    probe = client.call(f"memory.read32 {BLOCK + 8:#x}").ok()
    while client.call("ping").frame < end + 3:
        pass
    shift = probe[0] + 1 - probe.frame
    wanted = sorted((reply[field] + shift, key, field == "down")
                    for reply, keys in zip(replies, ([0], [0], [0, 1], [1], [6])) for key in keys for field in ("down", "up"))
    found = sorted((frame, key, press == 1) for frame, key, press in events(client))
    equal(found, wanted, "what the game saw")


def test_no_key_sticks_after_loads_and_resets(emulator):
    """tap and load-state, tap and reset, hold and tap and release: the right level after each."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    state = client.call("state.get").ok().tail
    for middle, tail in (("state.load", state), ("game.reset", None), ("state.load", state)):
        client.send("keys.tap A frames=10")
        client.send(middle, tail)
        client.reply().ok(), client.reply().ok()
        client.wait_frames(14)
        equal(client.call("keys.get").ok().text, "mask=0", "keys after tap and " + middle)
        wait_for_start(client)
        client.wait_frames(2)
        equal(client.call(f"memory.read32 {BLOCK + 0xc:#x}").ok()[0], 0, "keys the game sees after " + middle)
    client.call("keys.add B").ok()
    client.wait_frames(2)
    with_key = client.call("state.get").ok().tail
    client.call("keys.tap B frames=3").ok()
    client.wait_frames(6)
    equal(client.call("keys.get").ok()["mask"], 2, "B while it is held")
    client.call("keys.release").ok()
    client.wait_frames(3)
    equal(client.call("keys.get").ok().text, "mask=0")
    client.call("state.load", with_key).ok()
    client.wait_frames(4)
    equal(client.call(f"memory.read32 {BLOCK + 0xc:#x}").ok()[0], 0, "keys after loading a state saved with B down")


def test_frozen_emulator_drops_cancelled_and_lost_requests(emulator):
    """frozen with presses, writes and cancels queued: what was cancelled or lost its session has no effect."""
    keeper, loser, free = emulator.connect(session="keep"), emulator.connect(session="lose"), emulator.connect()
    wait_for_start(keeper)
    clear_counters(keeper)
    emulator.freeze()
    first = 1_000_000  # far from the numbers of the polls before and behind them, of which a busy machine sends few or many
    keeper.send_bytes(b"".join(request(first + i, head) for i, head in enumerate(("keys.tap A", f"memory.write8 {SCRATCH:#x} 1", "keys.tap B", f"memory.write8 {SCRATCH + 1:#x} 1"))))
    keeper.send_bytes(request(first + 4, f"cancel {first + 2}") + request(first + 5, f"cancel {first + 3}"))
    loser.send_bytes(request(first, "keys.tap Up") + request(first + 1, f"memory.write8 {SCRATCH + 2:#x} 1"))
    loser.close()
    free.send_bytes(request(1, f"memory.write8 {SCRATCH + 3:#x} 1"))
    free.socket.shutdown(socket.SHUT_WR)
    late = Client(emulator.port)
    late.send_bytes(request(1, "hello 3 session=late") + request(2, "keys.tap Down") + request(3, "cancel 2"))
    time.sleep(0.1)  # beyond the end of the frame in which it was frozen: the next one reads everything before any of it runs
    emulator.thaw()
    keeper.reply().ok(), keeper.reply().ok()
    keeper.reply().refused("cancelled"), keeper.reply().refused("cancelled")
    equal([keeper.reply().ok().text for _ in range(2)], ["true", "true"])
    free.reply().ok()
    keeper.wait_frames(20)
    equal(keeper.call(f"memory.read {SCRATCH:#x} 4").ok().tail, b"\1\0\0\1", "the writes")
    seen = edges(keeper)
    equal((seen[0], seen[1], seen[6]), (1, 0, 0), "presses of A, B, Up")


# swi 3 (the BIOS call Stop; from 0.10.3 on only the BIOS may write HALTCNT); b .
STOPPING_CODE = struct.pack("<5I", 0xEF030000, *[0xEAFFFFFE] * 4)


def machine(client):
    return client.call("status").ok()["machine"]


def wait_for_machine(client, wanted):
    while machine(client) != wanted:
        pass


def pause(emulator, client):
    """Until the control command `resume` no frame runs, so that what is sent for one comes in time on any machine."""
    emulator.control("pause")
    wait_for_machine(client, "paused")


@pytest.mark.versions
def test_stopped_machine_is_reported(emulator):
    """a game that stops its machine is reported as stopped and answers; a reset or a loaded state lets frames run again."""
    client, other = emulator.connect(session="s"), emulator.connect(session="other")
    wait_for_start(client)
    state = client.call("state.get").ok().tail
    for how, data in (("game.reset", None), ("state.load", state), ("game.reset", None)):
        client.call("lease.take limit=10000").ok()
        client.call("batch.run", b"+20 memory.write %#x" % SCRATCH + END + STOPPING_CODE + b"registers.write pc %#x" % SCRATCH + END).ok()
        client.call("lease.step 5").refused("cancelled")
        wait_for_machine(client, "stopped")
        frame = other.call("ping").ok().frame
        equal(other.call(f"memory.read {SCRATCH:#x} 20").ok().tail, STOPPING_CODE)
        assert len(other.call("state.get").ok().tail) > 100000, "a state is saved"
        equal(other.call("ping").ok().frame, frame, "frames of a stopped machine")
        other.call("keys.tap 0").refused("not-running")
        other.call(how, data).ok()
        other.wait_frames(3)
        equal(machine(client), "running")


@pytest.mark.versions
def test_crashed_machine_is_reported(emulator):
    """a game that crashed is reported as crashed and answers; a reset lets frames run again, but none during a lease."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    client.call("registers.write pc 0x01000000").refused("bad-argument")
    jump = struct.pack("<2I", 0xE3A00401, 0xE12FFF10)  # mov r0, #0x01000000; bx r0
    client.call("batch.run", b"+8 memory.write %#x" % SCRATCH + END + jump + b"registers.write pc %#x" % SCRATCH + END).ok()
    wait_for_machine(client, "crashed")
    client.call("memory.read8 0x02000000").ok()
    client.call("memory.write8 0x02000000 1").refused("not-running")
    reset, lease = client.send("game.reset"), client.send("lease.take limit=10000")
    client.reply(reset).ok()
    frame = client.reply(lease).ok().frame
    time.sleep(0.1)
    equal(client.call("ping").ok().frame, frame, "the frame during a lease that begins with the reset")
    client.call("lease.release").ok()
    client.wait_frames(3)
    equal(machine(client), "running")


def test_paused_game_serves_requests(emulator):
    """paused, what takes no frame is answered in the same frame, a press waits; without a game the answer is no-game."""
    client, presser = emulator.connect(session="s"), emulator.connect(session="p")
    wait_for_start(client)
    clear_counters(client)
    pause(emulator, client)
    frame = client.call("ping").ok().frame
    presser.send("keys.tap A frames=2 wait=true")
    for value in range(200):
        client.call(f"memory.write8 {SCRATCH:#x} {value}").ok()
        equal(client.call(f"memory.read8 {SCRATCH:#x}").ok()[0], value)
    client.call("memory.write 0x02010000", bytes(range(256)) * 512).ok()
    equal(client.call("memory.read 0x02010000 131072").ok().tail, bytes(range(256)) * 512)
    equal(client.call("ping").ok().frame, frame, "the frame")
    equal(edges(client)[0], 0, "presses of A while paused")
    emulator.control("advance 1")
    equal(client.call("ping").ok().frame, frame + 1, "the frame after one")
    emulator.control("resume")
    presser.reply().ok()
    client.wait_frames(2)
    equal(edges(client)[0], 1, "presses of A")
    emulator.control("close")
    wait_for_machine(client, "none")
    client.call("game.get").refused("no-game")
    emulator.control("load " + ROMS["gba"])
    client.wait_frames(2)


@pytest.mark.versions
def test_script_loaded_again_replaces_itself(emulator):
    """the script loaded again replaces itself on the same port; keys are released, epoch and nonce change."""
    client = emulator.connect(session="s")
    client.call("keys.add A").ok()
    epoch, nonce = client.hello.epoch, client.hello["nonce"]
    for _ in range(3):
        emulator.control("run-script " + SCRIPT)
        equal(emulator.next_port(), emulator.port, "the port")
    client.is_closed()
    again = emulator.connect(session="s")
    assert again.hello.epoch != epoch and again.hello["nonce"] != nonce, "epoch and nonce are those of before"
    equal(again.hello["resumed"], False)
    equal(again.call("keys.get").ok().text, "mask=0")
    emulator.control("scripts-reset")
    again.is_closed()


@pytest.mark.versions
def test_other_games_and_a_crash_are_reported(emulator):
    """the game closed and opened again, the other console's game, and a crash."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    epochs = [client.hello.epoch]
    client.call("keys.add A").ok()
    client.send("batch.run after=200", b"memory.write8 0xc900 1" + END)
    for rom, platform in (("gba", "gba"), ("gb", "gb"), ("gba", "gba")):
        emulator.control("close")
        emulator.control("load " + ROMS[rom])
        client.send("game.get")
        while True:
            reply = client.reply()
            if reply.id == client.last:
                break
            reply.refused("cancelled")
        equal(reply.ok()["platform"], platform)
        assert reply.epoch not in epochs, "an epoch was used twice"
        epochs.append(reply.epoch)
        equal(client.call("keys.get").ok().text, "mask=0", "keys in the new game")
    assert any(event.topic == "game.closed" for event in client.events), "no event game.closed"
    assert any(event.topic == "game.opened" for event in client.events), "no event game.opened"
    emulator.control("reset")
    client.call("ping").ok()
    wait_for_start(client)
    client.call(f"memory.write8 {BLOCK + 0x18:#x} 4").ok()
    while not any(event.topic == "game.crashed" for event in client.events):
        message = client.receive()
        client.events.append(message)
    emulator.control("reset")
    client.call("ping").ok()


def test_slow_reader_receives_every_byte(emulator):
    """8 pipelined hex reads of 256 KiB to a reader that stops for 120 frames: every byte right."""
    random.seed(2)
    data = bytes(random.randrange(256) for _ in range(0x3f000))
    client = emulator.connect(session="s")
    client.call("memory.write wram:0x1000", data).ok()
    slow = Client(emulator.port)
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    slow.send_bytes(b"core.readRange,0x02001000,258048,<|END|>" * 8)
    client.wait_frames(120)
    wanted = ",".join("%02x" % byte for byte in data)
    for i in range(8):
        head = slow.reply().head.decode()
        # the ROM's own block is below; scratch memory stays as it was
        assert head[: 3 * 0x1000] == wanted[: 3 * 0x1000] and head == wanted, f"answer {i} differs"


def test_connections_up_to_the_limit_are_served(start_emulator):
    """512 connections are all served; beyond the limit an error and no reset."""
    emulator = start_emulator(environment={"MGBA_BRIDGE_CONNECTIONS": "520"})
    clients = [Client(emulator.port) for _ in range(520)]
    for turn in range(3):
        for i, client in enumerate(clients):
            client.send(f"echo {i}")
        for i, client in enumerate(clients):
            equal(client.reply().ok().text, f'"{i}"')
    late = [Client(emulator.port) for _ in range(150)]
    for client in late:
        client.send("ping")
    for client in late:
        equal(client.reply().refused("too-many-connections", "520").id, 0)
        assert client.is_closed(), "a connection beyond the cap was reset"
    for client in clients:
        client.call("ping").ok()


def test_connections_never_reach_descriptor_1024(start_emulator):
    """1,200 connections never bring the engine to descriptor 1,024."""
    emulator = start_emulator(environment={"MGBA_BRIDGE_CONNECTIONS": "900"})
    clients = []
    for _ in range(1200):
        client = Client(emulator.port)
        client.send_bytes(b"#1 ping<|END|>")
        clients.append(client)
    for client in clients:
        reply = client.reply()
        assert reply.status == "ok" or reply.code == "too-many-connections", repr(reply.head)
    emulator.check()


def test_connection_churn_leaks_nothing(emulator):
    """4,000 connections with one request each beside lasting clients: no reset, descriptors and memory flat."""
    lasting = [emulator.connect(session=f"s{i}") for i in range(4)]
    marks = []
    for i in range(4000):
        client = Client(emulator.port)
        equal(client.call("echo hello").ok().text, '"hello"')
        if i % 3 == 0:
            client.reset()
        else:
            client.close()
        if i % 1000 == 999:
            for other in lasting:
                other.call("ping").ok()
            lasting[0].wait_frames(70)
            marks.append((emulator.descriptors(), lasting[0].call("status").ok()["memory_kb"]))
    assert max(mark[0] for mark in marks) <= min(mark[0] for mark in marks) + 2, f"descriptors: {marks}"
    assert marks[-1][1] < marks[0][1] + 3000, f"memory: {marks}"


def test_clients_that_leave_unread_replies_do_no_harm(emulator):
    """300 clients that leave with unread replies, some by reset, do no harm."""
    keeper = emulator.connect(session="s")
    for i in range(300):
        client = Client(emulator.port)
        client.send_bytes(b"".join(request(n, "memory.read 0x02000000 200000") for n in range(1, 6)))
        if i % 3 == 0:
            client.reset()
        elif i % 3 == 1:
            client.close()
        else:
            client.reply().ok()
            client.reset()
    keeper.wait_frames(70)
    until(lambda: keeper.call("status").ok()["connections"] == 1, "only the keeper is connected")


def test_big_writes_are_spread_over_frames(emulator):
    """big writes are spread over frames in order, and say which."""
    random.seed(3)
    client = emulator.connect(session="s")
    data = bytes(random.randrange(256) for _ in range(0x30000))
    reply = client.call(f"memory.write {SCRATCH:#x}", data).ok()
    assert reply["last"] - reply["first"] >= 11, "it was not spread: " + reply.text
    equal(client.call(f"memory.read {SCRATCH:#x} {len(data)}").ok().tail, data, "the memory")
    for i in range(40):
        client.send(f"memory.write {SCRATCH + i * 4096:#x}", bytes([i]) * 4096)
    for i in range(40):
        client.reply().ok()
    equal(client.call(f"memory.read {SCRATCH:#x} {40 * 4096}").ok().tail, b"".join(bytes([i]) * 4096 for i in range(40)), "the memory")


@pytest.mark.versions
def test_every_memory_at_any_alignment(emulator):
    """every memory takes bytes at any alignment, on the bus and in its domain."""
    random.seed(5)
    client = emulator.connect(session="s")
    wait_for_start(client)
    places = ["wram:0x20001", "0x02020003", "iwram:0x6001", "0x03006102", "vram:0x14001", "0x06014101", "palette:0x101", "0x05000103", "oam:0x201", "0x07000303", "0x0E000101"]
    for place in places:
        data = bytes(random.randrange(1, 256) for _ in range(37))
        client.call("memory.write " + place, data).ok()
        equal(client.call(f"memory.read {place} 37").ok().tail, data, "bytes at " + place)
    for width in (8, 16, 32):
        for offset in range(4):
            value = 0x87654321 & (1 << width) - 1
            client.call(f"memory.write{width} {SCRATCH + offset:#x} {value}").ok()
            equal(client.call(f"memory.read{width} {SCRATCH + offset:#x}").ok()[0], value)
            client.call(f"memory.write{width} wram:{0x10000 + offset:#x} -1").ok()
            equal(client.call(f"memory.read{width} wram:{0x10000 + offset:#x}").ok()[0], (1 << width) - 1)


def legacy(client, head):
    """The answer to a message in the style of mGBA-http."""
    client.send_bytes(head.encode() + END)
    return client.reply().head.decode()


@pytest.mark.versions
def test_memory_beyond_its_end(emulator, start_emulator):
    """mGBA-http's messages get what mGBA maps beyond the end of a memory; v2 refuses, and the ROM never grows."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    size = client.call("game.get").ok()["rom_size"]
    bios, rom = (client.call(f"memory.read {place} 4").ok().tail.hex(",") for place in ("bios:0x10", "cart0:0"))
    for message, answer in (
        ("memoryDomain.write32,wram,0x60000,0x44332211", "<|SUCCESS|>"), ("memoryDomain.read32,wram,0x20000,", "1144201745"),
        ("memoryDomain.read32,wram,0x02020000,", "1144201745"), ("memoryDomain.write16,wram,0x3FFFF,0x0605", "<|SUCCESS|>"),
        ("memoryDomain.read16,wram,0x3FFFF,", "1541"), ("memoryDomain.readRange,iwram,0xFFFF,0", ""), ("memoryDomain.readRange,bios,0x4010,4", bios),
        ("memoryDomain.read8,io,0x500,", None), ("memoryDomain.write8,io,0x301,128", "<|SUCCESS|>"), ("memoryDomain.read32,cart0,0x1FFFFFE,", None),
        ("memoryDomain.readRange,cart0,0x2000000,4", rom), ("memoryDomain.write8,vram,0x18000,1", "<|SUCCESS|>"),
        ("memoryDomain.write32,palette,0x402,1", "<|SUCCESS|>"), ("core.read8,0x102020000,,", "17"), ("core.read32,0xFFFFFFFE,,", None),
        ("core.readRange,0xFFFFFFFE,4,", None), ("core.write32,0xFFFFFFFF,1,", "<|SUCCESS|>"), ("memoryDomain.write8,cart0,0x1000000,1", "<|ERROR|>"),
        ("memoryDomain.write32,cart2,0x3000000,1", "<|ERROR|>"), ("memoryDomain.readRange,wram,0x40000,-1", "<|ERROR|>"),
    ):
        found = legacy(client, message)
        assert (found != "<|ERROR|>" if answer is None else found == answer), f"{message} was answered with {found}"
    for head in ("memory.read8 wram:0x40000", "memory.write8 cart0:0x1000000 1"):
        client.call(head).refused("bad-address")
    equal(client.call("holder=compat memory.read32 wram:0x60000").ok()[0], 0x44332211)
    equal(client.call("game.get").ok()["rom_size"], size, "the ROM's size")
    emulator = start_emulator(rom="gb")
    client = emulator.connect(session="s")
    for domain in ("cart0", "vram", "wram", "oam", "io", "hram"):
        for offset in (0x7FFF, 0x8000, 0xFFFF, 0x10001, 0x900000, -1):
            for message in (f"memoryDomain.read32,{domain},{offset},", f"memoryDomain.readRange,{domain},{offset},40000", f"memoryDomain.write16,{domain},{offset},0"):
                refused = domain == "vram" and "write" in message  # a Game Boy's VBK reads as bank 1
                assert (legacy(client, message) == "<|ERROR|>") == refused, message
    equal(legacy(client, "memoryDomain.read8,sram,0x8000,"), "<|ERROR|>")
    equal(len(legacy(client, "core.readRange,0xFFFF,65538,")), 65538 * 3 - 1, "letters")


@pytest.mark.versions
def test_second_video_bank_is_not_written_beyond_its_end():
    """a Game Boy Color's second video bank is not written beyond mGBA's buffer, which ends at 0x4000, while it is selected."""
    with tempfile.TemporaryDirectory() as folder:
        rom = os.path.join(folder, "color.gbc")
        with open(ROMS["gb"], "rb") as source, open(rom, "wb") as copy:
            data = bytearray(source.read())
            data[0x143] = 0x80  # the header's mark of a Game Boy Color game
            copy.write(data)
        with HeadlessEmulator(rom=rom) as emulator:
            client = emulator.connect(session="s")
            for bank, answer in ((1, "<|ERROR|>"), (0, "<|SUCCESS|>")):
                client.call(f"memory.write8 0xFF4F {bank}").ok()
                equal(client.call("memory.read8 0xFF4F").ok()[0], 0xFE + bank, "the bank")
                equal(legacy(client, "memoryDomain.write8,vram,0x5FFF,7"), answer, f"with bank {bank}")
            equal(legacy(client, "memoryDomain.read8,vram,0x5FFF,"), "7", "the byte in bank 1")


def test_long_reads_equal_short_ones(emulator):
    """a long read of the work memory is the same as many short ones of the same frame."""
    random.seed(6)
    client = emulator.connect(session="s")
    wait_for_start(client)
    client.call(f"memory.write {SCRATCH:#x}", bytes(random.randrange(256) for _ in range(0x20000))).ok()
    for place, first in (("0x%x", BLOCK), ("wram:0x%x", 0)):
        items = [f"memory.read {place % first} 262144", f"memory.read {place % (first + 0x10001)} 131072"]
        items += [f"memory.read {place % (first + at)} 16384" for at in range(0, 0x40000, 16384)]
        tail = client.call("batch.run", (END.decode().join(items) + END.decode()).encode()).ok().tail
        parts = []
        while tail:
            head, rest = tail.split(END, 1)
            length = int(head.split(b"+")[1].split()[0])
            parts.append(rest[:length])
            tail = rest[length:]
        short = b"".join(parts[2:])
        equal((len(parts), len(short)), (18, 0x40000), "items and bytes")
        assert parts[0] == short, "262,144 bytes at " + place % first
        assert parts[1] == short[0x10001:0x30001], "131,072 bytes inside"


@pytest.mark.versions
def test_game_boy(start_emulator):
    """the Game Boy: facts, memory, registers, taps, states, picture."""
    emulator = start_emulator(rom="gb")
    client = emulator.connect(session="s")
    while client.call("memory.read 0xC100 4").ok().tail != b"MBT1":
        pass
    equal(client.hello["platform"], "gb")
    client.call("memory.write 0xC801", b"hello").ok()
    equal(client.call("memory.read 0xC800 7").ok().tail, b"\0hello\0")
    client.call("memory.read8 0x10000").refused("bad-address", "0xFFFF")
    assert 0 <= client.call("registers.read a").ok()[0] <= 255, "register a"
    client.call("keys.tap L").refused("bad-key", "Game Boy")
    client.call("memory.write8 0xC118 3").ok()
    client.wait_frames(3)
    for key in ("A", "B", "Select", "Start", "Right", "Up") * 5:  # mGBA hides opposite directions from a Game Boy
        client.send(f"keys.tap {key} frames=2 gap=1")
    end = max(client.reply().ok()["up"] for _ in range(30))
    while client.call("ping").frame < end + 3:
        pass
    equal(struct.unpack("<8H", client.call("memory.read 0xC120 16").ok().tail), (5, 5, 5, 5, 5, 0, 5, 0), "presses")
    state = client.call("state.get").ok().tail
    client.call("memory.write 0xC801", b"world").ok()
    client.call("state.load", state).ok()
    equal(client.call("memory.read 0xC801 5").ok().tail, b"hello")
    screen = client.call("screen.get").ok()
    equal((screen["width"], screen["height"]), (160, 144))
    equal(client.legacy("core.getGameCode,,,"), game_codes()["gb"])
    assert client.call("game.get").ok().text.endswith(" game_code=nil"), "a code that the ROM header does not have"


@pytest.mark.versions
def test_states_by_slot_and_file_and_a_picture():
    """states by buffer, slot and file, and a picture that any reader takes."""
    with tempfile.TemporaryDirectory() as folder, HeadlessEmulator(environment={"MGBA_BRIDGE_FOLDERS": folder}) as emulator:
        client = emulator.connect(session="s")
        wait_for_start(client)
        for save, load in (("state.save_slot 3", "state.load_slot 3"), (f'state.save_file "{folder}/a, b.ss"', f'state.load_file "{folder}/a, b.ss"')):
            client.call(f"memory.write8 {SCRATCH:#x} 1").ok()
            client.call(save).ok()
            client.call(f"memory.write8 {SCRATCH:#x} 2").ok()
            client.call(load).ok()
            equal(client.call(f"memory.read8 {SCRATCH:#x}").ok().text, "1", load)
        client.call("state.load_slot 8").refused("not-found")
        picture = client.call("screen.get").ok()
        equal(check_png(picture.tail), (240, 160), "the picture")
        state = client.call("state.get flags=31").ok().tail
        equal(state[:4], b"\x89PNG")
        client.call("state.load", state).ok()


def check_png(data):
    """Size of a PNG whose every chunk is whole and known."""
    at, size = 8, None
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        equal(struct.unpack_from(">I", data, at + 8 + length)[0], zlib.crc32(kind + body), f"the checksum of {kind}")
        assert kind in (b"IHDR", b"IDAT", b"IEND", b"PLTE"), f"chunk {kind} is left in"
        size = struct.unpack_from(">II", body) if kind == b"IHDR" else size
        at += 12 + length
    return size


@pytest.mark.versions
def test_same_state_and_inputs_give_the_same_memory(emulator):
    """the same state and the same inputs give the same memory, five times."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    clear_counters(client)
    state = client.call("state.get").ok().tail
    seen = set()
    for _ in range(5):
        pause(emulator, client)
        start = client.call("ping").frame + 20
        items = b"+%d state.load" % len(state) + END + state
        items += b"".join(f"keys.tap {key} frames={n % 4 + 1} gap=2".encode() + END for n, key in enumerate(KEYS * 3))
        client.send(f"ack={client.last} batch.run at={start}", items)
        client.send(f"batch.run at={start + 60}", b"memory.read 0x02000000 0x340" + END + b"state.get flags=0" + END)
        emulator.control("resume")
        equal(client.reply().ok().frame, start)
        reply = client.reply().ok()
        equal(reply.frame, start + 60)
        seen.add(reply.tail)
    equal(len(seen), 1, "different outcomes")


def test_batch_runs_in_its_frame(emulator):
    """a batch at a frame runs in that frame; one that is too late says so."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    pause(emulator, client)
    probe = client.call(f"memory.read32 {BLOCK + 8:#x}").ok()
    number = client.send(f"batch.run at={probe.frame + 20}", f"memory.read32 {BLOCK + 8:#x}".encode() + END)
    emulator.control("resume")
    reply = client.reply(number).ok()
    equal(reply.frame, probe.frame + 20)
    equal(reply.tail, b"ok %d" % (probe[0] + 20) + END, "the ROM's frame counter")
    client.call(f"batch.run at={probe.frame}", b"ping" + END).refused("bad-argument", "has passed")


def reaches_twice_its_rate(client):
    """In one of the seconds of a minute, beside a client that sends requests without pause: other work on the machine may slow it down, nothing speeds it up."""
    deadline, best = time.monotonic() + 60, 0
    while time.monotonic() < deadline and best < 120:
        mark, first = time.monotonic(), client.call("ping").frame
        while time.monotonic() - mark < 1:
            last = client.call("game.frame").ok().frame
        best = max(best, (last - first) / (time.monotonic() - mark))
    assert best >= 120, f"at most {best:.0f} frames a second in a minute"


def test_fast_forward_keeps_its_speed(start_emulator):
    """with an active client and no limit the game runs at a good part of its free speed."""
    emulator = start_emulator(options=["--fps", "0"])
    client = emulator.connect(session="s")
    wait_for_start(client)
    reaches_twice_its_rate(client)


def test_fast_forward_is_noticed_later(emulator):
    """a host that is sped up while a client is busy is noticed."""
    client = emulator.connect(session="s")
    wait_for_start(client)
    began = time.monotonic()
    while time.monotonic() - began < 4:
        client.call("game.frame").ok()
    emulator.control("fps 0")
    reaches_twice_its_rate(client)


def test_secret_is_proved_by_both_sides(start_emulator):
    """a secret is proved by both sides; a client that does not prove it is closed."""
    text, ours = "swordfish, of course", "00112233445566778899aabbccddeeff"
    emulator = start_emulator(environment={"MGBA_BRIDGE_SECRET": text})
    client, silent = Client(emulator.port), Client(emulator.port)
    client.call("ping").refused("auth-required")
    refusal = client.call(f"hello 3 session=s challenge={ours}").refused("auth-required")
    challenge = re.search(r'challenge="([0-9a-f]{32})"', refusal.text).group(1)
    sides = [proof(role, text.encode(), ours.encode(), challenge.encode(), b"s").decode() for role in ("client", "script")]
    reply = client.call(f"hello 3 session=s proof={sides[0]}").ok()
    equal(reply["proof"], sides[1], "the script's proof")
    client.call("ping").ok()
    for role in ("0" * 64, sides[0], sides[1]):
        wrong = Client(emulator.port)
        wrong.call(f"hello 3 challenge={ours}").refused("auth-required")
        wrong.call("hello 3 session=s proof=" + role).refused("auth-failed")
        wrong.is_closed()
    silent.receive().refused("auth-required", "5 seconds")
    silent.is_closed()
    client.call("ping").ok()


def test_fifo_is_refused():
    """a FIFO below an allowed folder is refused, and the emulator continues."""
    with tempfile.TemporaryDirectory() as folder, HeadlessEmulator(environment={"MGBA_BRIDGE_FOLDERS": folder}) as emulator:
        os.mkfifo(os.path.join(folder, "fifo"))
        client = emulator.connect(session="s")
        for command in ("state.save_file fifo", "state.load_file fifo", "rom.load fifo", "save.load fifo false", "screen.save fifo"):
            client.call(command).refused("forbidden", "not a regular file")
        client.call("state.save_file good.ss1").ok()
        client.call("ping").ok()


def test_http_client_has_no_effect(emulator):
    """an HTTP client gets a sentence, and does nothing."""
    import http.client

    keeper = emulator.connect(session="s")
    for body in ("#1 keys.add A<|END|>", "core.addKey,0,,<|END|>" * 3):
        connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=TIME_LIMIT)
        connection.request("POST", "/", body)
        answer = connection.getresponse()
        equal((answer.status, b"mgba-bridge" in answer.read()), (421, True), "the answer")
        connection.close()
    equal(keeper.call("keys.get").ok().text, "mask=0")


def test_taken_port_is_refused():
    """a port that is taken is refused with a sentence; without one the next free is used."""
    with HeadlessEmulator() as first, HeadlessEmulator() as second:
        assert first.port != second.port, "both have the same port"
        third = HeadlessEmulator(environment={"MGBA_BRIDGE_PORT": str(first.port)}, wait=False)
        assert third.process.wait(TIME_LIMIT) == 22, "exit code"
        until(lambda: any("MGBA_BRIDGE_PORT" in line for line in third.errors), f"it says why, not {third.errors}")
        first.connect(session="a"), second.connect(session="a")


def frames_of_a_load(load, count):
    """Sends that many costly requests at once, and 1,000 small ones by another client. Returns the frames of the costly answers, and of the last small
    one."""
    with HeadlessEmulator() as emulator:
        busy, other = emulator.connect(), emulator.connect()
        emulator.freeze()  # so that both come in one frame
        busy.send_bytes(b"".join(request(i + 1, *load) for i in range(count)))
        other.send_bytes(b"".join(request(i + 1, f"memory.read8 {BLOCK:#x}") for i in range(1000)))
        emulator.thaw()
        frames = []
        answers = threading.Thread(target=lambda: frames.extend(busy.reply().ok().frame for _ in range(count)))
        answers.start()
        small = [other.reply().ok().frame for _ in range(1000)]
        answers.join()
        equal(len(frames), count, "the number of answers")
        return frames, small[-1]


def test_costly_load_delays_nobody(emulator):
    """batches of 4 MB and thousands of slots stop neither the game nor another client."""
    frames, small = frames_of_a_load(("batch.run", b"memory.read 0x02000000 4000000<|END|>"), 64)
    most = max(frames.count(frame) for frame in frames)
    assert most <= 2, f"{most} batches of 10 ms ran in one frame"
    assert small < frames[32], f"another client's last answer came in frame {small}, those to the batches in the frames {frames}"
    frames, small = frames_of_a_load(("state.save_slot 1",), 200)
    most = max(frames.count(frame) for frame in frames)
    assert most <= 8, f"{most} slots were written in one frame"
    assert small < frames[100], f"another client's last answer came in frame {small}, those to the slots in the frames {frames}"
    client = emulator.connect(session="s")
    client.call("batch.run", b"state.save_slot 1<|END|>" * 4096).refused("bad-batch", "one frame has time for 16000")
    client.call("batch.run", b"state.save_slot 1<|END|>" * 4).ok()
    reply = client.call("memory.read 0x04000400 4000000").ok()
    equal(len(reply.tail), 4000000, "the length of a read of several frames")


@pytest.mark.versions
def test_rumble_of_a_cartridge_with_a_motor(start_emulator, tmp_path):
    """an event for each frame in which the motor ran, none after a reset or another state."""
    with open(ROMS["gb"], "rb") as source:
        rom = bytearray(source.read())
    rom[0x147] = 0x1E  # MBC5 with a motor, RAM and a battery
    path = tmp_path / "motor.gb"
    path.write_bytes(rom)
    client = start_emulator(rom=str(path)).connect(session="s")
    client.call("lease.take limit=10000").ok()
    client.call("watch motor rumble").ok()

    def count(*before):
        """Sends these requests, runs five frames, and returns how many of them the motor ran in."""
        for head in before:
            client.call(head).ok()
        client.events.clear()
        client.call("lease.step 5").ok()
        client.call("ping").ok()
        equal({event.text for event in client.events} <= {'"motor" rumble'}, True, client.events)
        return len(client.events)

    equal(count("lease.step 60"), 0)
    state = client.call("state.get").ok().tail
    equal(count("memory.write8 0x4000 8"), 5)
    equal(count(), 5)
    equal(count("memory.write8 0x4000 0", "memory.write8 0x4000 8", "memory.write8 0x4000 0"), 1, "a part of a frame")
    equal(count("memory.write8 0x4000 8", "game.reset"), 0)
    equal(count("memory.write8 0x4000 8"), 5)
    client.call("state.load", state).ok()
    equal(count(), 0)
    client.call("lease.release").ok()


def test_save_file_of_another_form_is_named(tmp_path):
    """a file that is no save data as mGBA writes it is named, and neither used nor changed."""
    save = bytes([5]) + bytes(32767)
    files = {
        "a.gsv": (b"ADVSAVEG" + bytes(0x428) + save, "cheat device"),
        "a.sps": (b"\r\0\0\0SharkPortSave" + bytes(64) + save, "cheat device"),
        "a.dsv": (save + b"|<--Snip above here|-DESMUME SAVE-|", "DeSmuME"),
        "front.sav": (bytes(512) + save, "512 bytes in front"),
        "a.srm": (b"#RZIPv\1#" + bytes(64), "compressed by RetroArch"),
        "a.sav.gz": (b"\x1f\x8b\x08\0" + bytes(64), "compressed by gzip"),
        "a.zip": (b"PK\3\4" + bytes(64), "unpack"),
        "a.state": (b"RASTATE" + bytes(64), "load it as a state"),
    }
    with HeadlessEmulator(environment={"MGBA_BRIDGE_FOLDERS": str(tmp_path)}) as emulator:
        client = emulator.connect(session="s")
        for name, (content, words) in files.items():
            (tmp_path / name).write_bytes(content)
            for temporary in ("false", "true"):
                client.call(f"save.load {name} {temporary}").refused("failed", words)
            equal((tmp_path / name).read_bytes(), content, name)
        equal(client.call("memory.read8 0x0E000000").ok()[0], 255, "the save memory")
        for name, content in (("plain.sav", save), ("clock.sav", save + bytes(16)), ("short.sav", b""), ("a", save[:100])):
            (tmp_path / name).write_bytes(content)
            client.call(f"save.load {name} true").ok()
        client.call("save.load plain.sav false").ok()
        client.call("game.reset").ok()
        equal(client.call("memory.read8 0x0E000000").ok()[0], 5, "the save memory")
