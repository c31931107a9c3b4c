"""The cases; run.sh starts them. They share one screen, and most of them one window."""

import fcntl
import os
import re
import shutil
import signal
import sys
import threading
import time

import rom
from desktop import Desktop, Trouble, free_port, until
from front import group_gateway, refused_with_video_sync
from report import OutOfTime, Report, equal, expect
from stage import GB, GB_CODE, GBA, GBA_CODE, MGBA, ROOT, Stage, keys_are, locked, pause, rate
from wire import Client, Closed, Late, Refused, TERMINATOR, result_items

RUNS = ROOT / ".run"
BUDGET = int(os.environ.get("GUI_SECONDS") or 300)
ABUSERS = 2000


# ---------------------------------------------------------------------------------------------------------------------------
# The window that most cases use: GBA, audio sync, SIGPIPE ignored as README says
# ---------------------------------------------------------------------------------------------------------------------------


def group_load(stage):
    window, report = stage.window, stage.report
    with report.case("before the script is loaded nothing listens"):
        equal(window.listening(), [], "ports")
    with report.case("loaded through Tools > Scripting > File > Load script, it listens where MGBA_BRIDGE_PORT says"):
        equal(stage.load(), stage.wanted_port, "port")
    with report.case("hello says which host and which game"), stage.client() as client:
        version = re.search(r'VERSION <const> = "([^"]+)"', stage.script.read_text()).group(1)
        told = {name: client.greeting[name] for name in ("protocol", "script", "mgba", "host", "port", "game", "title", "code", "platform")}
        told["mgba"] = told["mgba"][: len(MGBA)]
        wanted = dict(protocol=2, script=version, mgba=MGBA, host="qt", port=stage.port, game=True)
        wanted.update(title="MGBABRIDGE", code=GBA_CODE, platform="gba")
        equal(told, wanted, "hello")
        expect("screen" in client.greeting["capabilities"].split(), "the capability screen is missing")
    with report.case("its page in the Scripting window has text, which follows what clients do"):
        scripting = window.scripting()
        look = lambda: stage.desktop.picture(scripting)
        # The list of pages is on the left (its chosen row is blue), the page right of it above, the log below.
        until(lambda: look().dark(220, 35, 830, 135) > 400, "there is text on the page")
        until(lambda: look().dark(220, 310, 830, 345) > 200, "there is text in the log")
        clients_line = lambda: look().part(220, 54, 830, 70)
        idle = until(lambda: same_twice(clients_line), "the line of clients stands still")
        with stage.client():
            until(lambda: clients_line() != idle, "the line of clients changes when one connects")
        until(lambda: clients_line() == idle, "the line of clients is as before when it has gone")
        stage.desktop.save_picture(stage.desktop.folder / "page.png")


def same_twice(look):
    first = look()
    time.sleep(0.6)  # the page is drawn twice a second
    return first if look() == first else None


def group_memory(stage):
    report = stage.report
    with report.case("the game runs: its block is where the README says, and counts"), stage.client() as client:
        first = rom.read(client)
        equal(first.magic, b"MBT1", "magic")
        until(lambda: rom.read(client).counter > first.counter + 10, "the frame counter goes on")
    with report.case("48 KiB written and read back, spread over frames"), stage.client() as client:
        data = os.urandom(49152)
        reply = client.ask(f"memory.write {rom.SCRATCH:#x}", data)
        expect(client.bytes(f"{rom.SCRATCH:#x}", len(data)) == data, "what was read is not what was written")
        equal(reply["last"] - reply["first"], 2, "frames between the first and the last piece")
    with report.case("numbers of each width, unaligned ones and in domains"), stage.client() as client:
        for width, offset, value in ((8, 1, 0xA5), (16, 3, 0xBEEF), (32, 5, 0xDEADBEEF), (32, 8, 1), (8, 12, -1), (16, 14, -2)):
            client.ask(f"memory.write{width} {rom.SCRATCH + offset:#x} {value}")
            equal(client.number(f"{rom.SCRATCH + offset:#x}", width), value % (1 << width), f"{width} bits at +{offset}")
            equal(client.number(f"wram:{rom.SCRATCH + offset - rom.BLOCK:#x}", width), value % (1 << width), f"{width} bits of wram")
    with report.case("a wrong request is refused with its reason, and the connection goes on"), stage.client() as client:
        equal(client.refusal("memory.read8 0x1FFFFFFFF"), "bad-address", "refusal")
        equal(client.refusal("nonsense"), "unknown-command", "refusal")
        equal(client.refusal("key.tap Turbo"), "bad-key", "refusal")
        client.ask("ping")
    with report.case("old clients are answered in their dialect"), stage.client(hello=False) as client:
        client.socket.sendall(b"core.getGameTitle,,," + TERMINATOR + b"core.read8,0x02000000,," + TERMINATOR)
        wanted = b"MGBABRIDGE" + TERMINATOR + b"77" + TERMINATOR
        answer = b""
        while len(answer) < len(wanted):
            answer += client.socket.recv(100)
        equal(answer, wanted, "answer")


def group_keys(stage):
    report = stage.report
    with report.case("300 taps by 10 clients at once: 300 presses seen by the game, each key's in order"):
        clients = [stage.client() for _ in range(10)]
        before = rom.read(clients[0])
        sent = [[client.send(f"key.tap {key} frames=2 gap=1") for _ in range(3) for key in rom.KEYS] for client in clients]
        replies = [[client.reply(number) for number in numbers] for client, numbers in zip(clients, sent)]
        last = max(reply["up"] for row in replies for reply in row)
        until(lambda: clients[0].ask("ping").frame > last + 1, "the last tap is over")
        after = rom.read(clients[0])
        equal([b - a for a, b in zip(before.edges, after.edges)], [30] * 10, "presses of each key")
        equal([b - a for a, b in zip(before.held, after.held)], [60] * 10, "frames of each key")
        equal(after.live, 0, "key mask")
        for row in replies:
            for key in range(10):
                downs = [reply["down"] for reply in row[key::10]]
                equal(downs, sorted(downs), f"one client's taps of {rom.KEYS[key]}")
        for client in clients:
            client.close()
    with report.case("each tap goes down and up in the frames its reply told, in the order sent"), stage.client() as client:
        before = rom.read(client)
        numbers = [(key, client.send(f"key.tap {key} frames={frames}")) for frames in (1, 3) for key in ("A", "B", "A", "Up", "R", "A", "L")]
        wanted = []
        for key, number in numbers:
            reply = client.reply(number)
            for frame, pressed in ((reply["down"], 1), (reply["up"], 0)):
                wanted.append((frame - before.frame + before.counter + 1, rom.KEYS.index(key), pressed))
        until(lambda: rom.read(client).event_count >= before.event_count + len(wanted), "the game has seen them all")
        equal(rom.read(client).events_since(before.event_count), sorted(wanted), "what the game saw")
    with report.case("a tap does not end a hold, and a holder's end does"), stage.client() as client:
        with stage.client() as holder:
            holder.ask("key.add B")
            keys_are(client, 2)
            client.ask("key.tap B frames=3 wait=true")
            equal(client.number(rom.LIVE_KEYS), 2, "key mask after the tap")
        keys_are(client, 0)


def group_batch(stage):
    report = stage.report
    spot = f"{rom.SCRATCH:#x}"

    def items(*lines):
        return b"".join(line.encode() + TERMINATOR for line in lines)

    with report.case("a batch runs within one frame when its guard holds"), stage.client() as client:
        client.ask(f"memory.write32 {spot} 5")
        reply = client.ask("batch", items(f"guard32 {spot} eq 5", f"memory.write32 {spot} 6", f"memory.read32 {spot}", "core.frame"))
        results = result_items(reply.tail)
        equal((reply["done"], reply["of"], len(results)), (4, 4, 4), "items done, items, results")
        equal(results[2][0], [6], "the number read in the batch")
    with report.case("and changes nothing when it does not"), stage.client() as client:
        equal(client.refusal("batch", items(f"guard32 {spot} eq 5", f"memory.write32 {spot} 7", "key.tap A")), "guard-failed", "refusal")
        equal(client.number(spot), 6, "the number afterwards")
    with report.case("the picture is 240 x 160 and shows this frame's counter and keys, pixel by pixel"), stage.client() as client:
        client.ask("keys.set 0x241")
        keys_are(client, 0x241)
        reply = client.ask("batch", items(f"memory.read32 {rom.COUNTER:#x} {rom.LIVE_KEYS:#x}", "screen"))
        client.ask("keys.set 0")
        (values, _, _), (_, size, png) = result_items(reply.tail)
        (stage.desktop.folder / "picture.png").write_bytes(png)
        equal((size["width"], size["height"]), (240, 160), "size told")
        width, height, pixels = rom.decode_png(png)
        equal((width, height), (240, 160), "size")
        wanted = rom.picture(*values)
        wrong = [(x, y) for y in range(160) for x in range(240) if pixels[y][x] != wanted[y][x]]
        expect(not wrong, f"{len(wrong)} pixels are wrong, the first at {wrong[:3]}")


def group_waits(stage):
    report = stage.report
    with report.case("a wait is answered in the frame in which its condition is met"), stage.client() as client:
        goal = client.number(rom.COUNTER) + 40
        reply = client.ask(f"wait u32 {rom.COUNTER:#x} ge {goal} frames=600")
        equal(reply.values, [True, goal], "wait")
        equal(client.ask(f"wait u32 {rom.COUNTER:#x} eq 1 frames=5").values[0], False, "a wait that is never met")
    with report.case("watches tell changes and every fifth frame"), stage.client() as client:
        client.ask("watch tick frame every=5")
        client.ask(f"watch live memory at={rom.LIVE_KEYS:#x} length=4")
        client.ask("key.tap Start frames=3")
        ticks, masks = [], []
        while len(ticks) < 10 or len(masks) < 2:
            event = client.event("watch")
            if event[0] == "tick":
                ticks.append(event.frame)
            else:
                masks.append(int.from_bytes(event.tail, "little"))
        equal([b - a for a, b in zip(ticks, ticks[1:])], [5] * (len(ticks) - 1), "frames between ticks")
        equal(masks[-2:], [8, 0], "key masks told")


def group_lease(stage):
    report = stage.report
    with report.case("a lease steps the window's game frame by frame (MGBA_BRIDGE_LEASE=on)"), stage.client(session="lease-1") as client:
        client.ask("lease.take limit=5000")
        read = f"memory.read32 {rom.COUNTER:#x} {rom.LIVE_KEYS:#x}".encode() + TERMINATOR
        first = result_items(client.ask("lease.step 1 keys=0", read).tail)[0][0][0]
        for step in range(1, 61):
            counter, mask = result_items(client.ask(f"lease.step 1 keys={step % 4}", read).tail)[0][0]
            equal((counter, mask), (first + step, step % 4), f"counter and keys of step {step}")
        equal(client.ask("lease.release").values, [True], "release")
        until(lambda: client.number(rom.COUNTER) > first + 80, "the game runs on")
        keys_are(client, 0)
    with report.case("a holder who falls silent loses it, and the game runs on"), stage.client(session="lease-2") as client:
        with stage.client(session="other") as other:
            client.ask("lease.take limit=300")
            equal(other.refusal("key.tap A"), "leased", "refusal of others")
            expect(client.event("lease").values[0], "no holder was told")
            equal(client.event("lease").values[0], None, "holder told at the end")
            before = client.number(rom.COUNTER)
            until(lambda: client.number(rom.COUNTER) > before + 20, "the game runs on")


def group_reload(stage):
    """With the game paused: 0.10.1 lets scripts be loaded while callbacks of others run, see group_running."""
    report, window = stage.report, stage.window
    with report.case("the same script loaded again replaces the server on the same port; its clients are told or closed"):
        old, port = stage.client(session="again"), stage.port
        epoch = old.greeting.epoch
        old.ask("key.add A Right")
        old.ask("key.tap B frames=2000")
        keys_are(old, 0x13)
        pause(window, old)
        stage.load()
        equal(stage.port, port, "port")
        try:
            old.event("script.stopping", 5)
        except Closed:
            pass
        window.press("ctrl+p")
        with stage.client(session="again") as client:
            expect(client.greeting.epoch != epoch, "the epoch is the old one")
            equal(client.greeting["resumed"], False, "resumed")
            equal(client.greeting["host"], "qt", "host")
    with report.case("no key is stuck after it, and taps work"), stage.client() as client:
        keys_are(client, 0)
        equal(client.ask("keys")["mask"], 0, "mask")
        before = rom.read(client)
        client.ask("key.tap A wait=true")
        until(lambda: rom.read(client).edges[0] == before.edges[0] + 1, "a tap is seen once")
    with report.case("Scripting > File > Reset ends the server, loading again starts it"):
        old = stage.client()
        old.ask("key.add Up")
        keys_are(old, 0x40)
        pause(window, old)
        window.reset_scripts()
        until(lambda: not window.listening(), "nothing listens")
        try:
            while True:
                old.ask("ping", timeout=5)
        except (Closed, ConnectionError):
            pass
        equal(stage.load(), stage.wanted_port, "port")
        window.press("ctrl+p")
        with stage.client() as client:
            equal(client.greeting["host"], "qt", "host")
    with report.case("no key that the ended server held is stuck"), stage.client() as client:
        client.ask("wait u32 0x02000008 eq 0 frames=5")
        equal(client.number(rom.LIVE_KEYS), 0, "key mask")


def group_reset(stage):
    report, window = stage.report, stage.window
    with report.case("Emulation > Reset with a tap under way: told, and no key stuck"), stage.client() as client:
        before = client.number(rom.COUNTER)
        epoch = client.greeting.epoch
        number = client.send("key.tap A frames=400 wait=true")
        keys_are(client, 1)
        window.choose("e", "r")
        event = client.event("game.reset")
        equal(event.epoch, epoch, "epoch")
        until(lambda: client.number(rom.BLOCK) == 0x3154424D, "the game has started again")
        expect(client.number(rom.COUNTER) < before + 400, "the game's counter goes on")
        reply = client.reply(number)
        expect(not reply.is_refusal, f"the tap was refused: {reply.code}")
        keys_are(client, 0)
        after = rom.read(client)
        equal(after.edges[0], 1, "presses of A since the reset")


def group_states(stage):
    report, window = stage.report, stage.window
    slot = window.rom.with_suffix(".ss1")
    with report.case("Shift+F1 with a tap under way, F1 after it: back in time, and no key stuck"), stage.client() as client:
        number = client.send("key.tap B frames=150 wait=true")
        keys_are(client, 2)
        window.press("shift+F1")
        until(lambda: slot.exists() and slot.stat().st_size > 0, "the state is saved")
        saved = client.number(rom.COUNTER)
        client.reply(number)
        keys_are(client, 0)
        goal = client.number(rom.COUNTER)
        until(lambda: client.number(rom.COUNTER) > goal + 60, "time goes on")
        window.press("F1")
        until(lambda: client.number(rom.COUNTER) < goal, "the state is loaded")
        keys_are(client, 0)
        equal(client.ask("keys")["mask"], 0, "mask")
        expect(saved > 0, "the state was of frame 0")
    with report.case("F1 with a tap under way: the tap ends when it said"), stage.client() as client:
        number = client.send("key.tap Start frames=150 wait=true")
        keys_are(client, 8)
        before = client.number(rom.COUNTER)
        window.press("F1")
        until(lambda: client.number(rom.COUNTER) < before, "the state is loaded")
        keys_are(client, 8)
        reply = client.reply(number)
        equal(reply.frame - reply["down"], 150, "frames the key was down")
        keys_are(client, 0)


def group_player(stage):
    """The player's own keyboard: X is A, Z is B."""
    report, window, desktop = stage.report, stage.window, stage.desktop
    window.focus()
    with report.case("the player holds A: a tap of A does not let it go"), stage.client() as client:
        before = rom.read(client)
        desktop.key_down("x")
        try:
            keys_are(client, 1)
            for _ in range(5):
                client.ask("key.tap A frames=3 wait=true")
            now = rom.read(client)
            equal(now.live, 1, "key mask after the taps")
            equal(now.edges[0] - before.edges[0], 1, "presses of A that the game saw")
        finally:
            desktop.key_up("x")
        keys_are(client, 0)
    with report.case("the player lets go of A during a tap of it: the tap ends it when it said"), stage.client() as client:
        before = rom.read(client)
        desktop.key_down("x")
        try:
            keys_are(client, 1)
            number = client.send("key.tap A frames=90 wait=true")
            client.ask("ping")
        finally:
            desktop.key_up("x")
        client.reply(number)
        keys_are(client, 0)
        equal(rom.read(client).edges[0] - before.edges[0], 1, "presses of A that the game saw")
    with report.case("a client holds B: the player's press and release of it do not end that"), stage.client() as client:
        client.ask("key.add B")
        keys_are(client, 2)
        before = rom.read(client)
        desktop.key("z", "z")
        desktop.key_down("Up")
        try:
            keys_are(client, 0x42)
            equal(client.ask("keys")["mask"], 0x42, "mask told")
        finally:
            desktop.key_up("Up")
        keys_are(client, 2)
        equal(rom.read(client).edges[1], before.edges[1], "presses of B")
        client.ask("key.clear B")
        keys_are(client, 0)
    with report.case("player and client press different keys together"), stage.client() as client:
        desktop.key_down("z")
        try:
            keys_are(client, 2)
            client.ask("key.tap A Up frames=10")
            keys_are(client, 0x43)
            keys_are(client, 2)
        finally:
            desktop.key_up("z")
        keys_are(client, 0)


def group_fast(stage):
    report, window, desktop = stage.report, stage.window, stage.desktop
    with report.case("fast-forward: faster while Tab is held, answered all the time, taps counted, then back to normal"):
        with stage.client() as client:
            normal = rate(client, 1.5)
            window.focus()
            desktop.key_down("Tab")
            try:
                until(lambda: rate(client, 0.3) > 1.5 * normal, "the game is faster")
                fast = rate(client, 1)
                before = rom.read(client)
                for _ in range(20):
                    client.ask("key.tap L wait=true")
                equal(rom.read(client).edges[9] - before.edges[9], 20, "presses of L")
            finally:
                desktop.key_up("Tab")
            until(lambda: rate(client, 0.5) < 1.25 * normal, "the game is as fast as before")
            until(lambda: 0.8 * normal < rate(client, 1) < 1.25 * normal, "and stays so")
            report.info(f"frames a second: {normal:.1f}, with Tab held {fast:.0f}, then {rate(client, 1):.1f}")


def group_pause(stage):
    report, window = stage.report, stage.window
    spot = [f"{rom.SCRATCH + at:#x}" for at in range(8)]
    with report.case("Emulation > Pause: nobody is answered while the game stands"), stage.client() as client:
        client.ask(f"memory.write {spot[0]}", bytes(8))
        stage.before = rom.read(client)
        stage.asker, stage.canceller = stage.client(session="pause-1"), stage.client(session="pause-2")
        lost = [stage.client(session="lost-1"), stage.client(session="lost-2")]
        window.choose("e", "p")
        until(lambda: not client.has_reply(client.send("ping"), 1), "nobody is answered")
        stage.kept = [stage.asker.send(f"memory.write8 {spot[0]} 1"), stage.asker.send(f"memory.read8 {spot[0]}")]
        stage.taken_back = [stage.canceller.send(f"memory.write8 {spot[1]} 2"), stage.canceller.send("key.tap Start")]
        stage.cancels = [stage.canceller.send(f"cancel {number}") for number in stage.taken_back]
        for place, loser, end in zip(spot[2:], lost, (Client.close, Client.reset)):
            loser.send(f"memory.write8 {place} 3")
            loser.send("key.tap Select")
            end(loser)
        stage.newcomer = stage.client(hello=False)  # the system takes the connection; the script sees it later
        stage.hello = stage.newcomer.send("hello 2 session=pause-3")
        expect(not stage.asker.has_reply(stage.kept[0], 1), "there was an answer")
        expect(not stage.canceller.has_reply(stage.cancels[0], 0.2), "there was an answer")
    with report.case("resumed: what waited is answered, what was cancelled or lost its session has no effect"):
        window.press("ctrl+p")
        equal(stage.asker.reply(stage.kept[1])[0], 1, "what was read after writing")
        for number in stage.taken_back:
            equal(stage.canceller.reply(number).code, "cancelled", "the cancelled one's reply")
        for number in stage.cancels:
            equal(stage.canceller.reply(number).values, [True], "the reply to cancel")
        with stage.client() as client:
            client.ask("wait u8 0x02000080 changed frames=30")
            equal(client.bytes(spot[0], 8), bytes([1] + [0] * 7), "the bytes afterwards")
            after = rom.read(client)
            equal(after.edges, stage.before.edges, "presses")
            equal(after.live, 0, "key mask")
        equal(stage.newcomer.reply(stage.hello)["game"], True, "hello sent while it stood")
        for client in (stage.asker, stage.canceller, stage.newcomer):
            client.close()


def abuse(stage, times):
    """Clients that ask for much and hang up hard, one after another."""
    request = b"".join(b"#%d memory.read 0x02000000 4096" % number + TERMINATOR for number in range(1, 41))
    for _ in range(times):
        client = Client(stage.port, hello=False)
        try:
            client.socket.sendall(request)
        except ConnectionError:
            pass
        client.reset()


def group_abuse(stage):
    report, window = stage.report, stage.window
    with report.case(f"{ABUSERS} clients that ask and hang up hard do not end it, nor stop others being answered"):
        descriptors = window.descriptors()
        with stage.client() as client:
            connections = client.ask("status")["connections"]
            worst, over = 0, threading.Event()
            abuser = threading.Thread(target=lambda: (abuse(stage, ABUSERS), over.set()))
            abuser.start()
            while not over.is_set():
                window.alive()
                began = time.monotonic()
                client.ask("ping")
                worst = max(worst, time.monotonic() - began)
            abuser.join()
            until(lambda: client.ask("status")["connections"] <= connections, "they are forgotten")
            report.info(f"another client's longest wait beside {ABUSERS} abusers: {worst * 1000:.0f} ms")
            expect(worst < 2, f"another client waited {worst:.1f} s")
        until(lambda: window.descriptors() <= descriptors + 1, "their descriptors are closed")


def group_game(stage):
    report, window = stage.report, stage.window
    with report.case("Emulation > Shutdown: clients are told, and nobody is answered without a game"):
        stage.witness = witness = stage.client(session="witness")
        stage.epoch = witness.greeting.epoch
        witness.ask("key.add A")
        keys_are(witness, 1)
        stage.tap = witness.send("key.tap B frames=3000 wait=true")
        keys_are(witness, 3)
        window.choose("e", "u")
        witness.event("game.closed")
        stage.waiting = witness.send("game")
        expect(not witness.has_reply(stage.waiting, 1), "there was an answer")
    with report.case("the same game opened again: told, another epoch, what waited is answered"):
        window.load_rom(window.rom)
        opened = stage.witness.event("game.opened")
        equal((opened["title"], opened["code"]), ("MGBABRIDGE", GBA_CODE), "the game")
        expect(opened.epoch != stage.epoch, "the epoch is the old one")
        equal(stage.witness.reply(stage.waiting)["platform"], "gba", "platform")
        equal(stage.witness.reply(stage.tap).code, "cancelled", "the tap that waited")
    with report.case("no key from before is down in it"), stage.client() as client:
        until(lambda: client.number(rom.BLOCK) == 0x3154424D, "the game has started")
        until(lambda: client.number(rom.COUNTER) > 10, "the game runs")
        after = rom.read(client)
        equal((after.live, after.edges), (0, [0] * 10), "key mask and presses")
    with report.case("another game opened over it, of the other machine: told, another epoch"):
        other = window.folder / GB.name
        shutil.copy(GB, other)
        epoch = stage.witness.ask("ping").epoch
        window.load_rom(other)
        opened = stage.witness.event("game.opened")
        equal(opened["code"], GB_CODE, "code")
        expect(opened.epoch != epoch, "the epoch is the old one")
        equal(stage.witness.ask("game")["platform"], "gb", "platform")
        until(lambda: stage.witness.bytes(f"{rom.GB_BLOCK:#x}", 4) == b"MBT1", "the other game has started")
        window.load_rom(window.rom)
        equal(stage.witness.event("game.opened")["code"], GBA_CODE, "code of the first, opened again")
        equal(stage.witness.ask("game")["platform"], "gba", "platform")


def group_quit(stage):
    report, window = stage.report, stage.window
    with report.case("the window closed with clients connected: ends with 0, clients see it, the port is free"):
        clients = [stage.client() for _ in range(4)]
        clients[0].ask("key.add A")
        window.focus()
        stage.desktop.key("alt+F4")
        until(lambda: window.process.poll() is not None, "mgba-qt ends", 30)
        equal(window.process.returncode, 0, "return code")
        for client in clients:
            try:
                while True:
                    client.ask("ping", timeout=5)
            except (Closed, ConnectionError):
                pass
        try:
            Client(stage.port, hello=False).close()
            expect(False, "somebody still listens")
        except ConnectionRefusedError:
            pass


# ---------------------------------------------------------------------------------------------------------------------------
# Windows of their own
# ---------------------------------------------------------------------------------------------------------------------------


def group_gb(stage):
    report = stage.report
    with report.case("a GB game, and no settings: the script takes a port of 8888..8903 itself"):
        stage.open("gb", GB)
        port = stage.load()
        expect(8888 <= port <= 8903, f"the port is {port}")
    with report.case("hello and game say gb"), stage.client() as client:
        told = {name: client.greeting[name] for name in ("host", "title", "code", "platform", "port")}
        equal(told, dict(host="qt", title="MGBABRIDGE", code=GB_CODE, platform="gb", port=stage.port), "hello")
        until(lambda: client.bytes(f"{rom.GB_BLOCK:#x}", 4) == b"MBT1", "the game has started")
    with report.case("20 taps are 20 presses on the GB"), stage.client() as client:
        edges = lambda: client.number(f"{rom.GB_BLOCK + 0x20:#x}", 16)
        before = edges()
        for number in [client.send("key.tap A wait=true") for _ in range(20)]:
            client.reply(number)
        until(lambda: edges() >= before + 20, "they are seen")
        equal(edges() - before, 20, "presses")
    with report.case("the GB picture is 160 x 144"), stage.client() as client:
        reply = client.ask("screen")
        width, height, pixels = rom.decode_png(reply.tail)
        equal((width, height, reply["width"], reply["height"]), (160, 144, 160, 144), "size")
        equal([pixels[0][0], pixels[0][159], pixels[143][0], pixels[143][159]], [(0,) * 3, (82,) * 3, (82,) * 3, (0,) * 3], "corners")
    with report.case("and it keeps its pace"), stage.client() as client:
        locked(client)
        status = client.ask("status")
        frames = rate(client, 2)
        report.info(f"GB: {frames:.1f} frames a second; period {status['period_us']} us, pace {status['pace']}; lease: {try_lease(client)}")
        expect(30 < frames < 120, f"{frames:.1f} frames a second")


def try_lease(client):
    """What a window without MGBA_BRIDGE_LEASE=on says to one who wants a lease."""
    try:
        client.ask("lease.take limit=300")
        client.ask("lease.release")
        return "granted"
    except Refused as refusal:
        return refusal.code


def group_video(stage):
    report = stage.report
    port = free_port()
    with report.case("video sync instead of audio sync: loads and answers"):
        stage.open("video", GBA, options=("-C", "videoSync=1", "-C", "audioSync=0"), environment={"MGBA_BRIDGE_PORT": str(port)})
        equal(stage.load(), port, "port")
        with stage.client() as client:
            equal(client.greeting["platform"], "gba", "platform")
    with report.case("its frame rate is kept, also with a client that asks without pause"), stage.client() as client:
        locked(client)
        quiet = rate(client, 2)
        first, began, asked = client.ask("status")["frame"], time.monotonic(), 0
        while time.monotonic() < began + 3:
            client.ask(f"memory.read32 {rom.COUNTER:#x}")
            asked += 1
        busy = (client.ask("status")["frame"] - first) / (time.monotonic() - began)
        status = client.ask("status")
        report.info(f"video sync: {quiet:.1f} frames a second, {busy:.1f} beside {asked / 3:.0f} requests a second; period {status['period_us']} us")
        expect(30 < quiet < 120, f"{quiet:.1f} frames a second")
        expect(busy > quiet / 2, f"{busy:.1f} frames a second beside a busy client, {quiet:.1f} otherwise")
    with report.case("a lease is refused in it"), stage.client() as client:
        equal(client.refusal("lease.take limit=300"), "unsupported", "refusal")
        client.ask("ping")
    refused_with_video_sync(stage)


def keeps_pace_and_speed(stage):
    """As a script that was loaded by hand: the game keeps its rate, and a client gets more than an answer a frame."""
    with stage.client() as client:
        locked(client)
        quiet = rate(client, 2)
        first, began, asked = client.ask("status")["frame"], time.monotonic(), 0
        while time.monotonic() < began + 2:
            client.ask("ping")
            client.ask(f"memory.read8 {rom.GB_BLOCK:#x}")
            asked += 2
        frames = client.ask("status")["frame"] - first
        busy = frames / (time.monotonic() - began)
    stage.report.info(f"{quiet:.1f} frames a second, {busy:.1f} beside {asked / 2:.0f} requests a second")
    expect(30 < quiet < 120, f"{quiet:.1f} frames a second")
    expect(busy > quiet / 2, f"{busy:.1f} frames a second beside a busy client, {quiet:.1f} otherwise")
    expect(asked > 5 * frames, f"{asked} answers in {frames} frames")


def group_option(stage):
    """Started with --script, which only mGBA 0.11 has."""
    report = stage.report
    if MGBA == "0.10":
        report.skip("started with --script", "mGBA 0.10 does not have this option")
        return
    port = free_port()
    options = ("--script", str(stage.script), "-C", "audioBuffers=2048")
    with report.case("started with --script and no game: the game loaded later is served, in pace and at speed"):
        stage.open("option", GBA, options=options, environment={"MGBA_BRIDGE_PORT": str(port)}, loads=False)
        stage.window.load_rom(stage.window.rom)
        stage.port = until(lambda: stage.window.alive() and stage.window.listening(), "the script listens")[0]
        equal(stage.port, port, "port")
        keeps_pace_and_speed(stage)
    with report.case("the same game opened again: served, in pace and at speed"), stage.client() as client:
        stage.window.choose("e", "u")
        client.event("game.closed")
        stage.window.load_rom(stage.window.rom)
        equal(client.event("game.opened")["code"], GBA_CODE, "code")
        keeps_pace_and_speed(stage)
    with report.case("a game of the other machine opened over it: served, in pace and at speed"), stage.client() as client:
        other = stage.window.folder / GB.name
        shutil.copy(GB, other)
        stage.window.load_rom(other)
        client.event("game.opened")
        equal(client.ask("game")["platform"], "gb", "platform")
        keeps_pace_and_speed(stage)
    stage.close()
    port = free_port()
    with report.case("started with --script and a game: served, in pace and at speed; each frame is counted once"):
        stage.open("option-game", GBA, options=options, environment={"MGBA_BRIDGE_PORT": str(port)})
        stage.port = until(lambda: stage.window.alive() and stage.window.listening(), "the script listens")[0]
        keeps_pace_and_speed(stage)
        with stage.client() as client:
            before = rom.read(client)
            client.ask("wait u8 0x02000080 changed frames=30")
            after = rom.read(client)
            equal(after.frame - before.frame, after.counter - before.counter, "frames of the script, beside the game's own")


def group_sigpipe(stage):
    """Not ours to prevent: what happens when nobody ignores the signal is told, not judged."""
    report = stage.report
    port = free_port()
    with report.case("started without SIGPIPE ignored: loads and answers"):
        stage.open("sigpipe", GBA, environment={"MGBA_BRIDGE_PORT": str(port)}, ignore_sigpipe=False)
        equal(stage.load(), port, "port")
        stage.client().close()
    try:
        abuse(stage, ABUSERS)
        with stage.client() as client:
            until(lambda: client.ask("status")["connections"] == 1, "they are forgotten")
        report.info(f"without SIGPIPE ignored: alive after {ABUSERS} clients that hung up hard")
    except (OSError, Closed, Late, Trouble) as problem:
        try:
            code = stage.window.process.wait(3)
            died = "killed by SIGPIPE (141 in a shell)" if code == -signal.SIGPIPE else f"return code {code}"
            report.info(f"without SIGPIPE ignored: ended by {ABUSERS} clients that hung up hard, {died}")
        except Exception:
            report.fail("without SIGPIPE ignored", f"neither alive nor dead: {problem}")


def group_running(stage):
    """Not ours to prevent: OpenGL's PainterGL::swapTex of mGBA 0.10.1 takes an Interrupter in the CPU thread each frame, which ends the wait of
    the window's own one. So the window loads a script while the CPU thread runs callbacks, in one Lua state. Gone in 0.10.2."""
    report, survived, wanted = stage.report, 0, 5
    port = free_port()
    with report.case("for a script loaded again while the game runs: loads and answers"):
        stage.open("running", GBA, environment={"MGBA_BRIDGE_PORT": str(port)})
        equal(stage.load(), port, "port")
        stage.client().close()
    try:
        for _ in range(wanted):
            with stage.client() as client:
                keys_are(client, 0)
                stage.load()
            with stage.client() as client:
                client.ask("ping")
            survived += 1
        end = "alive"
    except Exception as problem:
        end = f"then: {problem}"
    report.info(f"loaded again while the game ran, without a pause: {survived} of {wanted} times, {end}")


SHARED = ("load", "memory", "keys", "batch", "waits", "lease", "reload", "reset", "states", "player", "fast", "pause", "abuse", "game", "quit")
ALONE = ("gb", "option", "video", "gateway", "sigpipe", "running")


def run_shared(stage, names):
    stage.wanted_port = free_port()
    stage.open("gba", GBA, environment={"MGBA_BRIDGE_PORT": str(stage.wanted_port), "MGBA_BRIDGE_LEASE": "on"})
    if "load" not in names:
        stage.load()
    run_groups(stage, [name for name in SHARED if name in names])


def run_groups(stage, names):
    for name in names:
        try:
            globals()["group_" + name](stage)
        except Exception as problem:
            stage.report.fail(f"group {name}", f"{type(problem).__name__}: {problem}")


def run(desktop, report, script, names):
    windows = [("the shared window", run_shared, names)] if set(SHARED) & set(names) else []
    windows += [(name, run_groups, [name]) for name in ALONE if name in names]
    for title, function, groups in windows:
        stage = Stage(desktop, report, script)
        try:
            function(stage, groups)
        except Exception as problem:
            report.fail(title, f"{type(problem).__name__}: {problem}")
        finally:
            stage.close()


def own_folder():
    """.run/gui, or one beside it when another run has that; and the lock that keeps it ours."""
    RUNS.mkdir(exist_ok=True)
    for name in ("gui", *(f"gui-{number}" for number in range(2, 100))):
        lock = open(RUNS / f"{name}.lock", "w", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        shutil.rmtree(RUNS / name, ignore_errors=True)
        (RUNS / name).mkdir()
        return RUNS / name, lock
    sys.exit("too many runs at a time")


def give_up(*_):
    raise OutOfTime


def main(names):
    if names == ["--list"]:
        print(*SHARED, *ALONE)
        return True
    unknown = set(names) - set(SHARED + ALONE)
    if unknown:
        sys.exit(f"there is no group {' '.join(sorted(unknown))}; --list names them")
    folder, lock = own_folder()
    script = folder / "mgba-bridge.lua"  # a copy, so that an editor does not change it under a test
    shutil.copy(ROOT / "lua/mgba-bridge.lua", script)
    desktop = None
    report = Report(lambda name: desktop and desktop.save_picture(folder / f"failed-{report.failed}-{name}.png"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(BUDGET)
    try:
        desktop = Desktop(folder)
        run(desktop, report, script, names or SHARED + ALONE)
    except OutOfTime:
        report.fail("the run", f"not over within {BUDGET} s (GUI_SECONDS)")
    except Exception as problem:
        report.fail("the screen", f"{type(problem).__name__}: {problem}")
    finally:
        signal.alarm(0)
        if desktop:
            desktop.stop()
        lock.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
