"""The script in windows of their own: a GB game, video sync, the option --script, and what mGBA 0.10.1 does without care."""

import collections
import shutil
import signal
import time

import pytest

import rom
from checks import equal, until
from gateway import Gateway
from mgba_wire import TIME_LIMIT, Closed, Failure, Refused
from stage import ABUSERS, GB, GB_CODE, GBA, GBA_CODE, MGBA, Stage, abuse, keys_are, locked, rate

pytestmark = pytest.mark.long


@pytest.fixture(scope="class")
def stage(desktop, script):
    stage = Stage(desktop, script)
    yield stage
    stage.close()


class TestGb:
    @pytest.fixture(scope="class", autouse=True)
    def opened(self, stage):
        stage.open("gb", GB)
        stage.load()

    def test_gb_takes_a_free_port(self, stage):
        """a GB game without settings: the script takes a port of 8888 to 8903"""
        assert 8888 <= stage.port <= 8903, f"the port is {stage.port}"

    def test_hello_describes_the_gb_game(self, stage):
        """hello and game report gb"""
        with stage.client() as client:
            found = {name: client.hello[name] for name in ("host", "title", "code", "platform", "port")}
            equal(found, dict(host="qt", title="MGBABRIDGE", code=GB_CODE, platform="gb", port=stage.port), "hello")
            until(lambda: client.bytes(f"{rom.GB_BLOCK:#x}", 4) == b"MBT1", "the game has started")

    def test_gb_taps(self, stage):
        """20 taps are 20 presses on the GB"""
        with stage.client() as client:
            edges = lambda: client.number(f"{rom.GB_BLOCK + 0x20:#x}", 16)
            before = edges()
            for number in [client.send("keys.tap A wait=true") for _ in range(20)]:
                client.reply(number)
            until(lambda: edges() >= before + 20, "they are seen")
            equal(edges() - before, 20, "presses")

    def test_gb_picture(self, stage):
        """the GB picture is 160 x 144"""
        with stage.client() as client:
            reply = client.call("screen.get").ok()
            width, height, pixels = rom.decode_png(reply.tail)
            equal((width, height, reply["width"], reply["height"]), (160, 144, 160, 144), "size")
            equal([pixels[0][0], pixels[0][159], pixels[143][0], pixels[143][159]], [(0,) * 3, (82,) * 3, (82,) * 3, (0,) * 3], "corners")

    def test_gb_keeps_its_pace(self, stage):
        """the GB game keeps its pace"""
        with stage.client() as client:
            locked(client)
            status = client.call("status").ok()
            frames = until(lambda: 30 < (found := rate(client, 2)) < 120 and found, "the game keeps its pace")
            print(f"GB: {frames:.1f} frames a second; period {status['period_us']} us, pace {status['pace']}; lease: {try_lease(client)}")


def try_lease(client):
    """The result of a lease request in a window without MGBA_BRIDGE_LEASE=on."""
    try:
        client.call("lease.take limit=300").ok()
        client.call("lease.release").ok()
        return "granted"
    except Refused as refusal:
        return refusal.code


class TestVideo:
    @pytest.fixture(scope="class", autouse=True)
    def opened(self, stage):
        stage.open_at_port("video", GBA, options=("-C", "videoSync=1", "-C", "audioSync=0"))
        stage.load()

    def test_video_sync_answers(self, stage):
        """video sync instead of audio sync: it loads and answers"""
        equal(stage.port, stage.wanted_port, "port")
        with stage.client() as client:
            equal(client.hello["platform"], "gba", "platform")

    def test_video_sync_keeps_its_rate(self, stage):
        """its frame rate is kept, also with a client that sends requests without pause"""
        with stage.client() as client:
            locked(client)
            quiet = until(lambda: 30 < (found := rate(client, 2)) < 120 and found, "the game keeps its pace")

            def beside_requests():
                first, began = client.call("status").ok()["frame"], time.monotonic()
                while time.monotonic() < began + 3:
                    client.call(f"memory.read32 {rom.COUNTER:#x}").ok()
                return (client.call("status").ok()["frame"] - first) / (time.monotonic() - began)

            busy = until(lambda: (found := beside_requests()) > quiet / 2 and found, "it keeps it beside a busy client")
            print(f"video sync: {quiet:.1f} frames a second, {busy:.1f} beside a busy client; period {client.call('status').ok()['period_us']} us")

    def test_video_sync_refuses_a_lease(self, stage):
        """a lease is refused in it"""
        with stage.client() as client:
            client.call("lease.take limit=300").refused("unsupported")
            client.call("ping").ok()

    def test_gateway_refuses_a_lease_and_a_replay(self, stage):
        """through the gateway: a lease and a replay are refused in it, with the reason"""
        # Waiting inside the frame callback would stop such a window permanently (0.10.1).
        with Gateway(stage.window.folder, stage.port) as gateway:
            started = gateway.call("POST", "/v2/recordings", {"hashEvery": 10})
            gateway.call("POST", "/v2/wait", {"frames": 20})
            gateway.call("POST", f"/v2/recordings/{started['id']}/stop")
            recorded = gateway.bytes("GET", f"/v2/recordings/{started['id']}")
            until(lambda: gateway.refusal("POST", "/v2/lease", {"limitMs": 300}).fields["code"] != "busy", "the window's pace is known")
            for path, body in (("/v2/lease", {"limitMs": 300}), ("/v2/replay", recorded)):
                problem = gateway.refusal("POST", path, body)
                equal((problem.status, problem.fields["code"]), (501, "unsupported"), f"refusal by {path}")
                assert "MGBA_BRIDGE_LEASE" in problem.fields["detail"], f"{path} says {problem}"
            before = gateway.number(rom.COUNTER)
            until(lambda: gateway.number(rom.COUNTER) > before + 20, "the game runs on")


def keeps_pace_and_speed(stage):
    """Like a script that was loaded by hand: the game keeps its rate, and a client gets many replies in a frame."""
    answers = collections.Counter()
    with stage.client() as client:
        locked(client)

        def ask_seldom():
            time.sleep(0.02)
            return client.call("ping").ok().frame

        def ask_often():
            client.call("ping").ok()
            frame = client.call(f"memory.read8 {rom.GB_BLOCK:#x}").ok().frame
            answers[frame] += 1
            return frame

        def paces():
            """Seconds of a frame without and beside a busy client, in turns, because other programs are not equally busy all the time."""
            turns = [(seconds_a_frame(client, 30, ask_seldom), seconds_a_frame(client, 30, ask_often)) for _ in range(4)]
            quiet, busy = (sum(column) / 4 for column in zip(*turns))
            return 30 < 1 / quiet < 120 and busy < quiet * 2 and (quiet, busy)

        quiet, busy = until(paces, "the game keeps its rate, also beside a busy client")
        # a script that does not wait for requests answers once a frame; one that waits does not while others take its processor
        until(lambda: seconds_a_frame(client, 10, ask_often) and max(answers.values()) > 5, "several reads are answered in a frame", 120)
    print(f"{1 / quiet:.1f} frames a second, {1 / busy:.1f} beside a busy client, at most {max(answers.values())} reads in a frame")


def seconds_a_frame(client, frames, ask):
    first, began = client.call("ping").ok().frame, time.monotonic()
    while (frame := ask()) < first + frames:
        pass
    return (time.monotonic() - began) / (frame - first)


def open_with_script_option(stage, name, **options):
    """Started with --script, which only mGBA 0.11 has."""
    if MGBA == "0.10":
        pytest.skip("mGBA 0.10 does not have the option --script")
    stage.open_at_port(name, GBA, options=("--script", str(stage.script), "-C", "audioBuffers=2048"), **options)


@pytest.mark.versions
class TestScriptOption:
    @pytest.fixture(scope="class", autouse=True)
    def opened(self, stage):
        open_with_script_option(stage, "option", loads=False)
        stage.window.load_rom(stage.window.rom)
        stage.find_port()

    def test_script_option_without_a_game(self, stage):
        """started with --script and no game: the game loaded later is served, in pace and at speed"""
        equal(stage.port, stage.wanted_port, "port")
        keeps_pace_and_speed(stage)

    def test_same_game_opened_again(self, stage):
        """the same game opened again: served, in pace and at speed"""
        with stage.client() as client:
            stage.window.choose("e", "u")
            client.event("game.closed")
            stage.window.load_rom(stage.window.rom)
            equal(client.event("game.opened")["code"], GBA_CODE, "code")
            keeps_pace_and_speed(stage)

    def test_other_console_opened(self, stage):
        """a game of the other console opened over it: served, in pace and at speed"""
        with stage.client() as client:
            other = stage.window.folder / GB.name
            shutil.copy(GB, other)
            stage.window.load_rom(other)
            client.event("game.opened")
            equal(client.call("game.get").ok()["platform"], "gb", "platform")
            keeps_pace_and_speed(stage)


@pytest.mark.versions
class TestScriptOptionWithGame:
    @pytest.fixture(scope="class", autouse=True)
    def opened(self, stage):
        open_with_script_option(stage, "option-game")
        stage.find_port()

    def test_script_option_with_a_game(self, stage):
        """started with --script and a game: served, in pace and at speed; each frame is counted once"""
        keeps_pace_and_speed(stage)
        with stage.client() as client:
            before = rom.read(client)
            client.call("wait.until u8 0x02000080 changed frames=30").ok()
            after = rom.read(client)
            equal(after.frame - before.frame, after.counter - before.counter, "frames of the script, beside the game's own")


class TestSigpipe:
    """Not ours to prevent: what happens when nothing ignores the signal is printed, not judged."""

    def test_without_sigpipe_ignored(self, stage):
        """started without SIGPIPE ignored: it loads and answers"""
        stage.open_at_port("sigpipe", GBA, ignore_sigpipe=False)
        equal(stage.load(), stage.wanted_port, "port")
        stage.client().close()
        try:
            abuse(stage, ABUSERS)
            with stage.client() as client:
                until(lambda: client.call("status").ok()["connections"] == 1, "their connections are closed")
            print(f"without SIGPIPE ignored: alive after {ABUSERS} clients that reset their connections")
        except (OSError, Closed, Failure):
            code = stage.window.process.wait(TIME_LIMIT)
            died = "killed by SIGPIPE (141 in a shell)" if code == -signal.SIGPIPE else f"return code {code}"
            print(f"without SIGPIPE ignored: ended by {ABUSERS} clients that reset their connections, {died}")


class TestRunning:
    """Not ours to prevent: OpenGL's PainterGL::swapTex of mGBA 0.10.1 takes an Interrupter in the CPU thread each frame, which ends the wait of
    the window's own one. So the window loads a script while the CPU thread runs callbacks, in one Lua state. Fixed in 0.10.2."""

    def test_loaded_again_while_the_game_runs(self, stage):
        """the script loaded again while the game runs: it loads and answers"""
        stage.open_at_port("running", GBA)
        equal(stage.load(), stage.wanted_port, "port")
        stage.client().close()
        survived, wanted, end = 0, 5, "alive"
        try:
            while survived < wanted:
                with stage.client() as client:
                    keys_are(client, 0)
                    stage.load()
                with stage.client() as client:
                    client.call("ping").ok()
                survived += 1
        except Exception as problem:
            end = f"then: {problem}"
        print(f"loaded again while the game ran, without a pause: {survived} of {wanted} times, {end}")
