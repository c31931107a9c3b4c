"""The script in a window of mgba-qt with the GBA test game, audio sync, and SIGPIPE ignored as README recommends. All tests share the window and run in
this order."""

import re
import shutil
import threading
import time

import pytest

import rom
from checks import equal, until
from mgba_wire import END, Client, Closed, result_items
from ports import free_port
from stage import ABUSERS, FPS, GB, GB_CODE, GBA, GBA_CODE, MGBA, Stage, abuse, keys_are, paused, rate

SPOT = f"{rom.SCRATCH:#x}"
SPOTS = [f"{rom.SCRATCH + at:#x}" for at in range(8)]
AFTER_STATE = 0x51A7E5  # written after the state was saved: loading the state takes it away


@pytest.fixture(scope="module")
def stage(desktop, script):
    stage = Stage(desktop, script)
    stage.wanted_port = free_port()
    stage.open("gba", GBA, environment={"MGBA_BRIDGE_PORT": str(stage.wanted_port), "MGBA_BRIDGE_LEASE": "on"})
    yield stage
    stage.close()


@pytest.fixture(autouse=True)
def script_is_loaded(request, stage):
    if stage.port is None and request.cls is not TestLoad:
        stage.load()


@pytest.mark.versions
class TestLoad:
    def test_nothing_listens_before_the_script_is_loaded(self, window):
        """before the script is loaded, nothing listens"""
        equal(window.listening(), {}, "sockets")

    def test_script_listens_on_its_port(self, stage):
        """loaded through Tools > Scripting > File > Load script, it listens on MGBA_BRIDGE_PORT"""
        equal(stage.load(), stage.wanted_port, "port")


@pytest.mark.versions
class TestHost:
    def test_hello_describes_host_and_game(self, stage):
        """hello describes the host and the game"""
        with stage.client() as client:
            version = re.search(r'VERSION <const> = "([^"]+)"', stage.script.read_text()).group(1)
            found = {name: client.hello[name] for name in ("protocol", "script", "mgba", "host", "port", "game", "title", "code", "platform")}
            found["mgba"] = found["mgba"][: len(MGBA)]
            wanted = dict(protocol=3, script=version, mgba=MGBA, host="qt", port=stage.port, game=True)
            wanted.update(title="MGBABRIDGE", code=GBA_CODE, platform="gba")
            equal(found, wanted, "hello")
            assert "screen" in client.hello["capabilities"].split(), "the capability screen is missing"

    def test_page_follows_the_clients(self, stage, window, desktop):
        """its page in the Scripting window has text that follows the clients"""
        scripting = window.scripting()
        look = lambda: desktop.picture(scripting)
        # The list of pages is on the left (its chosen row is blue), the page right of it above, the log below.
        until(lambda: look().dark(220, 35, 830, 135) > 400, "there is text on the page")
        until(lambda: look().dark(220, 310, 830, 345) > 200, "there is text in the log")
        clients_line = lambda: look().part(220, 54, 830, 70)
        idle = until(lambda: same_twice(clients_line), "the line of clients does not change")
        with stage.client():
            until(lambda: clients_line() != idle, "the line of clients changes when one connects")
        until(lambda: clients_line() == idle, "the line of clients is as before when it has gone")
        desktop.save_picture(desktop.folder / "page.png")


def same_twice(look):
    first = look()
    time.sleep(0.6)  # the page is drawn twice a second
    return first if look() == first else None


class TestMemory:
    def test_game_runs(self, stage):
        """the game runs: its block is where the README says, and its counter increases"""
        with stage.client() as client:
            first = rom.read(client)
            equal(first.magic, b"MBT1", "magic")
            until(lambda: rom.read(client).counter > first.counter + 10, "the frame counter increases")

    def test_legacy_clients_are_served(self, stage):
        """legacy clients get answers in mGBA-http's format"""
        with stage.client(greets=False) as client:
            client.send_bytes(b"core.getGameTitle,,," + END + b"core.read8,0x02000000,," + END)
            wanted = b"MGBABRIDGE" + END + b"77" + END
            answer = b""
            while len(answer) < len(wanted):
                answer += client.socket.recv(100)
            equal(answer, wanted, "answer")


@pytest.mark.versions
class TestKeys:
    def test_taps_of_ten_clients(self, stage):
        """300 taps by 10 clients at once: 300 presses seen by the game, each key's in order"""
        clients = [stage.client() for _ in range(10)]
        before = rom.read(clients[0])
        sent = [[client.send(f"keys.tap {key} frames=2 gap=1") for _ in range(3) for key in rom.KEYS] for client in clients]
        replies = [[client.reply(number) for number in numbers] for client, numbers in zip(clients, sent)]
        last = max(reply["up"] for row in replies for reply in row)
        until(lambda: clients[0].call("ping").ok().frame > last + 1, "the last tap is over")
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

    def test_taps_run_in_their_frames(self, stage):
        """each tap goes down and up in the frames of its reply, in the order sent"""
        with stage.client() as client:
            before = rom.read(client)
            numbers = [(key, client.send(f"keys.tap {key} frames={frames}")) for frames in (1, 3) for key in ("A", "B", "A", "Up", "R", "A", "L")]
            wanted = []
            for key, number in numbers:
                reply = client.reply(number)
                for frame, pressed in ((reply["down"], 1), (reply["up"], 0)):
                    wanted.append((frame - before.frame + before.counter + 1, rom.KEYS.index(key), pressed))
            until(lambda: rom.read(client).event_count >= before.event_count + len(wanted), "the game has seen them all")
            equal(rom.read(client).events_since(before.event_count), sorted(wanted), "what the game saw")

    def test_tap_does_not_end_a_hold(self, stage):
        """a tap does not end a hold, and the end of its holder does"""
        with stage.client() as client:
            with stage.client() as holder:
                holder.call("keys.add B").ok()
                keys_are(client, 2)
                client.call("keys.tap B frames=3 wait=true").ok()
                equal(client.number(rom.LIVE_KEYS), 2, "key mask after the tap")
            keys_are(client, 0)


def items(*lines):
    return b"".join(line.encode() + END for line in lines)


class TestBatch:

    def test_picture(self, stage, desktop):
        """the picture is 240 x 160 and shows this frame's counter and keys, pixel by pixel"""
        with stage.client() as client:
            client.call("keys.set 0x241").ok()
            keys_are(client, 0x241)
            reply = client.call("batch.run", items(f"memory.read32 {rom.COUNTER:#x} {rom.LIVE_KEYS:#x}", "screen.get")).ok()
            client.call("keys.set 0").ok()
            (values, _, _), (_, size, png) = result_items(reply.tail)
            (desktop.folder / "picture.png").write_bytes(png)
            equal((size["width"], size["height"]), (240, 160), "size in the reply")
            width, height, pixels = rom.decode_png(png)
            equal((width, height), (240, 160), "size")
            wanted = rom.picture(*values)
            wrong = [(x, y) for y in range(160) for x in range(240) if pixels[y][x] != wanted[y][x]]
            assert not wrong, f"{len(wrong)} pixels are wrong, the first at {wrong[:3]}"


class TestWaits:

    def test_watches(self, stage):
        """watches report changes and every fifth frame"""
        with stage.client() as client:
            client.call("watch tick frame every=5").ok()
            client.call(f"watch live memory at={rom.LIVE_KEYS:#x} length=4").ok()
            client.call("keys.tap Start frames=3").ok()
            ticks, masks = [], []
            while len(ticks) < 10 or len(masks) < 2:
                event = client.event("watch")
                if event[0] == "tick":
                    ticks.append(event.frame)
                else:
                    masks.append(int.from_bytes(event.tail, "little"))
            equal([b - a for a, b in zip(ticks, ticks[1:])], [5] * (len(ticks) - 1), "frames between ticks")
            equal(masks[-2:], [8, 0], "key masks of the events")


class TestLease:
    def test_lease_steps_the_game(self, stage):
        """a lease steps the window's game frame by frame (MGBA_BRIDGE_LEASE=on)"""
        with stage.client(session="lease-1") as client:
            client.call("lease.take limit=10000").ok()
            read = f"memory.read32 {rom.COUNTER:#x} {rom.LIVE_KEYS:#x}".encode() + END
            first = result_items(client.call("lease.step 1 keys=0", read).ok().tail)[0][0][0]
            for step in range(1, 61):
                counter, mask = result_items(client.call(f"lease.step 1 keys={step % 4}", read).ok().tail)[0][0]
                equal((counter, mask), (first + step, step % 4), f"counter and keys of step {step}")
            equal(client.call("lease.release").ok().values, [True], "release")
            until(lambda: client.number(rom.COUNTER) > first + 80, "the game runs on")
            keys_are(client, 0)

    def test_silent_holder_loses_the_lease(self, stage):
        """a holder that sends nothing loses the lease, and the game runs"""
        with stage.client(session="lease-2") as client:
            with stage.client(session="other") as other:
                client.call("lease.take limit=10000").ok()
                other.call("keys.tap A").refused("leased")
                client.call("lease.take limit=300").ok()
                for _ in range(2):
                    assert client.event("lease").values[0], "no holder in the event"
                equal(client.event("lease").values[0], None, "holder of the last event")
                before = client.number(rom.COUNTER)
                until(lambda: client.number(rom.COUNTER) > before + 20, "the game runs on")


class TestReload:
    """With the game paused: 0.10.1 lets scripts be loaded while callbacks of others run, see TestRunning."""

    def test_script_loaded_again(self, stage, window):
        """the same script loaded again replaces the server on the same port and notifies or closes its clients"""
        old, port = stage.client(session="again"), stage.port
        epoch = old.hello.epoch
        old.call("keys.add A+Right").ok()
        old.call("keys.tap B frames=2000").ok()
        keys_are(old, 0x13)
        with paused(window, old):
            equal(stage.load(), port, "port")
            try:
                old.event("script.stopping")
            except Closed:
                pass
        with stage.client(session="again") as client:
            assert client.hello.epoch != epoch, "the epoch is the old one"
            equal(client.hello["resumed"], False, "resumed")
            equal(client.hello["host"], "qt", "host")

    def test_no_key_sticks_after_loading_again(self, stage):
        """no key sticks after it, and taps work"""
        with stage.client() as client:
            keys_are(client, 0)
            equal(client.call("keys.get").ok()["mask"], 0, "mask")
            before = rom.read(client)
            client.call("keys.tap A wait=true").ok()
            until(lambda: rom.read(client).edges[0] == before.edges[0] + 1, "a tap is seen once")

    def test_scripting_reset(self, stage, window):
        """Scripting > File > Reset ends the server; loading again starts it"""
        old = stage.client()
        old.call("keys.add Up").ok()
        keys_are(old, 0x40)
        with paused(window, old):
            window.reset_scripts()
            until(lambda: not window.listening(), "nothing listens")
            try:
                while True:
                    old.call("ping").ok()
            except (Closed, ConnectionError):
                pass
            equal(stage.load(), stage.wanted_port, "port")
        with stage.client() as client:
            equal(client.hello["host"], "qt", "host")

    def test_no_key_of_the_ended_server_sticks(self, stage):
        """no key that the ended server held sticks"""
        with stage.client() as client:
            client.call("wait.until u32 0x02000008 eq 0 frames=5").ok()
            equal(client.number(rom.LIVE_KEYS), 0, "key mask")


@pytest.mark.versions
class TestReset:
    def test_emulation_reset(self, stage, window, desktop):
        """Emulation > Reset during a tap: reported, and no key sticks"""
        with stage.client() as client:
            before = client.number(rom.COUNTER)
            epoch = client.hello.epoch
            window.open_menu("e")
            number = client.send("keys.tap A frames=600 wait=true")
            keys_are(client, 1)
            desktop.key("r")
            event = client.event("game.reset")
            equal(event.epoch, epoch, "epoch")
            until(lambda: client.number(rom.BLOCK) == 0x3154424D, "the game has started again")
            counted = client.call(f"memory.read32 {rom.COUNTER:#x}").ok()
            assert counted[0] <= counted.frame - event.frame, f"the game counts {counted[0]} {counted.frame - event.frame} frames after the reset, and {before} before it"
            reply = client.reply(number)
            assert reply.status == "ok", f"the tap was refused: {reply.code}"
            keys_are(client, 0)
            after = rom.read(client)
            equal(after.edges[0], 1, "presses of A since the reset")


class TestStates:
    def test_state_loaded_after_a_tap(self, stage, window, desktop):
        """Shift+F1 during a tap, F1 after it: back in time, and no key sticks"""
        with stage.client() as client:
            slot = window.rom.with_suffix(".ss1")
            window.focus()
            number = client.send("keys.tap B frames=150 wait=true")
            keys_are(client, 2)
            desktop.key("shift+F1")
            until(lambda: slot.exists() and slot.stat().st_size > 0, "the state is saved")
            saved = client.number(rom.COUNTER)
            client.reply(number)
            keys_are(client, 0)
            goal = client.number(rom.COUNTER)
            until(lambda: client.number(rom.COUNTER) > goal + 60, "the counter increases")
            client.call(f"memory.write32 {SPOT} {AFTER_STATE}").ok()
            window.press("F1")
            until(lambda: client.number(rom.SCRATCH) != AFTER_STATE, "the state is loaded")
            keys_are(client, 0)
            equal(client.call("keys.get").ok()["mask"], 0, "mask")
            assert saved > 0, "the state was of frame 0"

    def test_state_loaded_during_a_tap(self, stage, window, desktop):
        """F1 during a tap: the tap ends in its frame"""
        with stage.client() as client:
            window.focus()
            client.call(f"memory.write32 {SPOT} {AFTER_STATE}").ok()
            number = client.send("keys.tap Start frames=600 wait=true")
            keys_are(client, 8)
            desktop.key("F1")
            until(lambda: client.number(rom.SCRATCH) != AFTER_STATE, "the state is loaded")
            keys_are(client, 8)
            reply = client.reply(number)
            equal(reply.frame - reply["down"], 600, "frames the key was down")
            keys_are(client, 0)


class TestPlayer:
    """The player's own keyboard: X is A, Z is B."""

    @pytest.fixture(autouse=True)
    def focused(self, window):
        window.focus()

    def test_tap_of_a_key_the_player_holds(self, stage, desktop):
        """the player holds A: a tap of A does not release it"""
        with stage.client() as client:
            before = rom.read(client)
            desktop.key_down("x")
            try:
                keys_are(client, 1)
                for _ in range(5):
                    client.call("keys.tap A frames=3 wait=true").ok()
                now = rom.read(client)
                equal(now.live, 1, "key mask after the taps")
                equal(now.edges[0] - before.edges[0], 1, "presses of A that the game saw")
            finally:
                desktop.key_up("x")
            keys_are(client, 0)

    def test_player_releases_during_a_tap(self, stage, desktop):
        """the player releases A during a tap of it: the tap ends in its frame"""
        with stage.client() as client:
            before = rom.read(client)
            desktop.key_down("x")
            try:
                keys_are(client, 1)
                number = client.send("keys.tap A frames=90 wait=true")
                client.call("ping").ok()
            finally:
                desktop.key_up("x")
            client.reply(number)
            keys_are(client, 0)
            equal(rom.read(client).edges[0] - before.edges[0], 1, "presses of A that the game saw")

    def test_player_presses_a_held_key(self, stage, desktop):
        """a client holds B: the player's press and release of B do not end that"""
        with stage.client() as client:
            client.call("keys.add B").ok()
            keys_are(client, 2)
            before = rom.read(client)
            desktop.key("z", "z")
            desktop.key_down("Up")
            try:
                keys_are(client, 0x42)
                equal(client.call("keys.get").ok()["mask"], 0x42, "mask in the reply")
            finally:
                desktop.key_up("Up")
            keys_are(client, 2)
            equal(rom.read(client).edges[1], before.edges[1], "presses of B")
            client.call("keys.clear B").ok()
            keys_are(client, 0)

    def test_player_and_client_together(self, stage, desktop):
        """player and client press different keys together"""
        with stage.client() as client:
            client.call(f"watch live memory at={rom.LIVE_KEYS:#x} length=4").ok()
            desktop.key_down("z")
            try:
                keys_are(client, 2)
                client.call("keys.tap A Up frames=10").ok()
                while int.from_bytes(client.event("watch").tail, "little") != 0x43:
                    pass
                keys_are(client, 2)
            finally:
                desktop.key_up("z")
            keys_are(client, 0)


class TestFast:
    def test_fast_forward(self, stage, window, desktop):
        """fast-forward: faster while Tab is held, requests answered all the time, taps counted, then back to normal"""
        with stage.client() as client:
            window.focus()
            desktop.key_down("Tab")
            try:
                fast = until(lambda: (found := rate(client, 0.3)) > 1.25 * FPS and found, "the game is faster")
                before = rom.read(client)
                for _ in range(20):
                    client.call("keys.tap L wait=true").ok()
                equal(rom.read(client).edges[9] - before.edges[9], 20, "presses of L")
            finally:
                desktop.key_up("Tab")
            then = until(lambda: 0.8 * FPS < (found := rate(client, 1)) < 1.25 * FPS and found, "the game is as fast as before")
            print(f"frames a second: with Tab held {fast:.0f}, then {then:.1f}")


class TestPause:
    def test_paused_game(self, stage, window):
        """Emulation > Pause: no request is answered; resumed: queued requests are answered; cancelled ones and those of lost sessions have no effect"""
        with stage.client() as client:
            client.call(f"memory.write {SPOTS[0]}", bytes(8)).ok()
            before = rom.read(client)
            asker, canceller = stage.client(session="pause-1"), stage.client(session="pause-2")
            lost = [stage.client(session="lost-1"), stage.client(session="lost-2")]
            with paused(window, client, lambda window: window.choose("e", "p")):
                kept = [asker.send(f"memory.write8 {SPOTS[0]} 1"), asker.send(f"memory.read8 {SPOTS[0]}")]
                taken_back = [canceller.send(f"memory.write8 {SPOTS[1]} 2"), canceller.send("keys.tap Start")]
                cancels = [canceller.send(f"cancel {number}") for number in taken_back]
                for place, loser, end in zip(SPOTS[2:], lost, (Client.close, Client.reset)):
                    loser.send(f"memory.write8 {place} 3")
                    loser.send("keys.tap Select")
                    end(loser)
                newcomer = stage.client(greets=False)  # the system takes the connection; the script sees it later
                hello = newcomer.send("hello 3 session=pause-3")
                assert not asker.has_reply(kept[0], 1), "there was a response"
                assert not canceller.has_reply(cancels[0], 0.2), "there was a response"
            equal(asker.reply(kept[1])[0], 1, "what was read after writing")
            for number in taken_back:
                equal(canceller.reply(number).code, "cancelled", "the cancelled one's reply")
            for number in cancels:
                equal(canceller.reply(number).values, [True], "the reply to cancel")
            client.call("wait.until u8 0x02000080 changed frames=30").ok()
            equal(client.bytes(SPOTS[0], 8), bytes([1] + [0] * 7), "the bytes afterwards")
            after = rom.read(client)
            equal(after.edges, before.edges, "presses")
            equal(after.live, 0, "key mask")
            equal(newcomer.reply(hello)["game"], True, "hello sent while it was paused")
            for one in (asker, canceller, newcomer):
                one.close()


class TestAbuse:
    def test_clients_that_close_hard(self, stage, window):
        """2000 clients that send requests and reset their connections do not end it, and others are served"""
        descriptors = window.descriptors()
        with stage.client() as client:
            connections = client.call("status").ok()["connections"]
            worst, over = 0, threading.Event()
            abuser = threading.Thread(target=lambda: (abuse(stage, ABUSERS), over.set()))
            abuser.start()
            while not over.is_set():
                window.alive()
                began = time.monotonic()
                client.call("ping").ok()
                worst = max(worst, time.monotonic() - began)
            abuser.join()
            until(lambda: client.call("status").ok()["connections"] <= connections, "their connections are forgotten")
            print(f"another client's longest wait beside {ABUSERS} resetting clients: {worst * 1000:.0f} ms")
        until(lambda: window.descriptors() <= descriptors + 1, "their descriptors are closed")


@pytest.mark.versions
class TestGame:
    def test_game_closed(self, stage, window):
        """Emulation > Shutdown: clients are notified, and no request is answered without a game"""
        stage.witness = witness = stage.client(session="witness")
        stage.epoch = witness.hello.epoch
        witness.call("keys.add A").ok()
        keys_are(witness, 1)
        stage.tap = witness.send("keys.tap B frames=3000 wait=true")
        keys_are(witness, 3)
        window.choose("e", "u")
        witness.event("game.closed")
        stage.waiting = witness.send("game.get")
        assert not witness.has_reply(stage.waiting, 1), "there was a response"

    def test_game_opened_again(self, stage, window):
        """the same game opened again: reported with another epoch, and queued requests are answered"""
        window.load_rom(window.rom)
        opened = stage.witness.event("game.opened")
        equal((opened["title"], opened["code"]), ("MGBABRIDGE", GBA_CODE), "the game")
        assert opened.epoch != stage.epoch, "the epoch is the old one"
        equal(stage.witness.reply(stage.waiting)["platform"], "gba", "platform")
        equal(stage.witness.reply(stage.tap).code, "cancelled", "the tap that waited")

    def test_no_key_is_down_in_the_new_game(self, stage):
        """no key from before is down in it"""
        with stage.client() as client:
            until(lambda: client.number(rom.BLOCK) == 0x3154424D, "the game has started")
            until(lambda: client.number(rom.COUNTER) > 10, "the game runs")
            after = rom.read(client)
            equal((after.live, after.edges), (0, [0] * 10), "key mask and presses")

    def test_other_game_opened(self, stage, window):
        """a game of the other console opened over it: reported with another epoch"""
        other = window.folder / GB.name
        shutil.copy(GB, other)
        epoch = stage.witness.call("ping").ok().epoch
        window.load_rom(other)
        opened = stage.witness.event("game.opened")
        equal(opened["code"], GB_CODE, "code")
        assert opened.epoch != epoch, "the epoch is the old one"
        equal(stage.witness.call("game.get").ok()["platform"], "gb", "platform")
        until(lambda: stage.witness.bytes(f"{rom.GB_BLOCK:#x}", 4) == b"MBT1", "the other game has started")
        window.load_rom(window.rom)
        equal(stage.witness.event("game.opened")["code"], GBA_CODE, "code of the first, opened again")
        equal(stage.witness.call("game.get").ok()["platform"], "gba", "platform")


class TestQuit:
    def test_window_closed(self, stage, window, desktop):
        """the window closed with clients connected: it exits with 0, clients see it, the port is free"""
        clients = [stage.client() for _ in range(4)]
        clients[0].call("keys.add A").ok()
        window.focus()
        desktop.key("alt+F4")
        until(lambda: window.process.poll() is not None, "mgba-qt ends")
        equal(window.process.returncode, 0, "return code")
        for client in clients:
            try:
                while True:
                    client.call("ping", timeout=5).ok()
            except (Closed, ConnectionError):
                pass
        try:
            Client(stage.port).close()
            assert False, "the port is still open"
        except ConnectionRefusedError:
            pass
