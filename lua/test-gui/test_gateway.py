"""A typical window: the gateway in front of it, audio sync, SIGPIPE ignored as README recommends, and no setting but the port. All tests share
the window and the gateway and run in this order."""

import base64
import threading

import pytest

import rom
from checks import equal, until
from gateway import Events, Gateway, Pictures, Refused
from stage import GBA, GBA_CODE, Stage, keys_are, paused

LIVE_KEYS = {"read": {"location": f"{rom.LIVE_KEYS:#x}", "type": "u32"}}
COUNTER = {"read": {"location": f"{rom.COUNTER:#x}", "type": "u32"}}
LIT = (255, 255, 0)


def shown(png):
    """The counter that a picture shows. All of it has to be right for that counter and no key, pixel by pixel."""
    width, height, pixels = rom.decode_png(png)
    equal((width, height), (240, 160), "size of the picture")
    counter = sum(1 << 15 - cell for cell in range(16) if pixels[54][14 + 14 * cell] == LIT)
    wanted = rom.picture(counter, 0)
    wrong = [(x, y) for y in range(160) for x in range(240) if pixels[y][x] != wanted[y][x]]
    assert not wrong, f"{len(wrong)} pixels of the picture of {counter} are wrong, the first at {wrong[:3]}"
    return counter


@pytest.fixture(scope="module")
def stage(desktop, script):
    stage = Stage(desktop, script)
    stage.open_at_port("gateway", GBA)
    stage.load()
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def gateway(stage):
    with Gateway(stage.window.folder, stage.port) as gateway:
        yield gateway


def test_status_describes_host_and_game(stage, gateway):
    """through the gateway: status describes the host and the game"""
    status = gateway.call("GET", "/v2/status")
    found = {name: status[name] for name in ("state", "host", "port", "title", "code", "platform")}
    equal(found, dict(state="ready", host="qt", port=stage.port, title="MGBABRIDGE", code=GBA_CODE, platform="gba"), "status")


def test_taps_of_five_callers(stage, gateway):
    """through the gateway: 100 taps by 5 callers at once are 100 presses, in the frames of their responses"""
    with stage.client() as client:
        before, answers = rom.read(client), []

        def tap_all():
            for key in rom.KEYS * 2:
                answers.append(gateway.call("POST", "/v2/keys/tap", {"keys": [key], "frames": 2}))

        callers = [threading.Thread(target=tap_all) for _ in range(5)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        equal(len(answers), 100, "answers")
        last = max(answer["up"] for answer in answers)
        until(lambda: client.call("ping").ok().frame > last + 1, "the last tap is over")
        after = rom.read(client)
        equal([b - a for a, b in zip(before.edges, after.edges)], [10] * 10, "presses of each key")
        equal([b - a for a, b in zip(before.held, after.held)], [20] * 10, "frames of each key")
        downs = sorted(answer["down"] for answer in answers)
        seen = sorted(frame for frame, _, pressed in after.events_since(after.event_count - 64) if pressed)
        assert seen, "the game's list of presses is empty"
        equal([frame - after.counter + after.frame - 1 for frame in seen], downs[-len(seen) :], "frames of the last presses")


def test_events(gateway, window, desktop):
    """through the gateway: events of frames, of memory, and of keys that the player presses"""
    # on two streams, because the events of the press and of the memory arrive in one frame, in either order
    with Events(gateway, "frame/30,keys") as events, Events(gateway, f"memory:{rom.LIVE_KEYS:#x}/4") as seen:
        frames = [events.next("frame")["frame"] for _ in range(3)]
        equal([b - a for a, b in zip(frames, frames[1:])], [30, 30], "frames between events")
        window.focus()
        desktop.key_down("x")
        try:
            events.next("keys", lambda event: event["keys"] == ["A"])
            seen.next("memory", lambda event: base64.b64decode(event["bytes"]) == b"\1\0\0\0")
        finally:
            desktop.key_up("x")
        events.next("keys", lambda event: event["keys"] == [])


def test_websocket(gateway):
    """through the gateway's WebSocket: commands, events and pictures on one connection"""
    with gateway.socket("player") as game:
        read = {"reads": [{"location": f"{rom.COUNTER:#x}", "type": "u32"}]}
        first = game.call("memory.gather", read)["reads"][0]["value"]
        game.call("subscribe", {"topics": ["keys", "frame/20"]})
        pressed = game.begin("keys.tap", {"keys": ["Start"], "frames": 3, "wait": True})
        while game.event("keys")["body"]["keys"] != ["Start"]:
            pass
        answer = game.end(pressed)
        equal(answer["up"] - answer["down"], 3, "frames of the press")
        frames = [game.event("frame")["body"]["frame"] for _ in range(3)]
        equal([b - a for a, b in zip(frames, frames[1:])], [20, 20], "frames between events")
        game.call("screen.stream", {"fps": 10})
        counters = [shown(game.event("screen")["bytes"]) for _ in range(2)]
        assert first < counters[0] < counters[1], f"the game counted {first}, its pictures then {counters}"
        game.call("screen.stop")


def test_picture_stream(gateway):
    """through the gateway: the stream of pictures shows the game as it runs, each its own frame"""
    with Pictures(gateway, 10) as stream:
        taken = [stream.next() for _ in range(6)]
    shows = [(frame, shown(png)) for frame, png in taken]
    assert all(a[0] < b[0] for a, b in zip(shows, shows[1:])), f"frames and counters are {shows}"
    equal(len({frame - counter for frame, counter in shows}), 1, f"offsets between frames and the counters shown ({shows})")


def take_lease(game):
    """The response to a lease request, or None while the window's pace is not known yet."""
    try:
        return game.call("lease.take", {"limitMs": 10000})
    except Refused as refused:
        equal((refused.problem["status"], refused.problem["code"]), (503, "busy"), "refusal")
        assert "not known yet" in refused.problem["detail"], f"the refusal is {refused}"


def test_lease_without_a_setting(gateway):
    """through the gateway: a lease without any setting, as soon as the window's pace is known; each step is one frame"""
    with gateway.socket("player") as game:
        until(lambda: take_lease(game), "the lease is granted", pause=0.2)
        first = game.call("lease.step", {"frames": 0, "items": [COUNTER]})["results"][0]["value"]
        for step in range(1, 41):
            keys = [key for key in ("A", "B") if step >> rom.KEYS.index(key) & 1]
            results = game.call("lease.step", {"frames": 1, "keys": keys, "items": [COUNTER, LIVE_KEYS]})["results"]
            equal([result["value"] for result in results], [first + step, step % 4], f"counter and keys of step {step}")
        refused = gateway.refusal("POST", "/v2/keys/tap", {"keys": ["A"]}, "other")
        equal(refused.status, 423, "refusal of others")


def test_recording_and_replay(stage, gateway, window, desktop):
    """through the gateway: what callers and the player press is recorded, and replayed without divergence"""
    with stage.client() as client:
        started = gateway.call("POST", "/v2/recordings", {"hashEvery": 20})
        gateway.call("POST", "/v2/wait", {"frames": 2})  # what is pressed in its first frame belongs to its head
        gateway.call("POST", "/v2/keys/sequence", {"sequence": "A 1, wait 5, Up+B 2, wait 5", "wait": True})
        window.focus()
        desktop.key_down("z")
        try:
            keys_are(client, 2)
        finally:
            desktop.key_up("z")
        keys_are(client, 0)
        gateway.call("POST", "/v2/wait", {"frames": 20})
        stopped = gateway.call("POST", f"/v2/recordings/{started['id']}/stop")
        equal((stopped["ended"], stopped["inputs"]), ("stopped", 6), "end and changes of keys")
        stage.recorded = gateway.bytes("GET", f"/v2/recordings/{started['id']}")
        answer = gateway.call("POST", "/v2/replay", stage.recorded)
        wanted = dict(same=True, frames=stopped["last"] - stopped["frame"], inputs=6, hashes=stopped["hashes"])
        equal({name: answer.get(name) for name in wanted}, wanted, f"replay ({answer})")


def test_rewind(gateway):
    """through the gateway: the rewind ring fills, its pictures show their frames, and the game returns to them"""
    gateway.call("PUT", "/v2/rewind", {"every": 10, "points": 30})
    points = lambda: gateway.call("GET", "/v2/rewind")["points"]
    until(lambda: len(points()) >= 4, "the ring has states")
    gateway.call("POST", "/v2/lease", {"limitMs": 10000}, "player")
    held = gateway.call("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
    now, old = held["value"], points()[1]
    picture = gateway.bytes("GET", f"/v2/rewind/{old['frame']}/screen")
    gateway.call("POST", f"/v2/rewind/{old['frame']}", holder="player")
    found = gateway.number(rom.COUNTER)
    gateway.call("DELETE", "/v2/lease", holder="player")
    counter = shown(picture)
    equal(counter, now - (held["frame"] - old["frame"]), "what the picture shows, by its frame")
    assert found < now, f"the game counts {found}, and {now} before going back"
    equal(found, counter, "what the game counts, beside what the picture shows")
    gateway.call("DELETE", "/v2/rewind")
    equal(gateway.refusal("GET", "/v2/rewind").status, 404, "status without a ring")


def test_paused_game(stage, gateway):
    """through the gateway, paused: a problem response; resumed: an event stream continues"""
    with Events(gateway, "frame/10") as events, stage.client() as client:
        before = events.next("frame")["frame"]
        with paused(stage.window, client):
            problem = gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
            assert problem, "there was a response"
            equal(problem.status, 503, "status")
        until(lambda: not gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32"), "requests are answered again")
        events.next("frame", lambda event: event["frame"] > before + 60)


def test_script_loaded_again(stage, gateway):
    """the script reset and loaded again behind the gateway: listeners are notified and receive frames again"""
    with Events(gateway, "script,frame/10") as events, stage.client() as client:
        epoch = events.next("frame")["epoch"]
        with paused(stage.window, client):
            stage.window.reset_scripts()
            events.next("script.lost")
            stage.load()
        events.next("script.connected")
        assert events.next("frame")["epoch"] != epoch, "the epoch is the old one"
    until(lambda: not gateway.refusal("GET", f"/v2/memory/{rom.BLOCK:#x}/u32"), "requests are answered again")
    equal(gateway.number(rom.BLOCK), 0x3154424D, "the start of the block")


def test_game_opened_again(gateway, window):
    """the game closed and opened again while others listen and watch: reported, and both continue"""
    with Events(gateway, "game,frame/10") as events, Pictures(gateway, 10) as stream:
        epoch = events.next("frame")["epoch"]
        stream.next()
        window.choose("e", "u")
        events.next("game.closed")
        problem = gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
        assert problem, "there was an answer without a game"
        equal(problem.status, 503, "status without a game")
        window.load_rom(window.rom)
        opened = events.next("game.opened")
        equal((opened["title"], opened["code"]), ("MGBABRIDGE", GBA_CODE), "the game")
        assert opened["epoch"] != epoch, "the epoch is the old one"
        equal(events.next("frame")["epoch"], opened["epoch"], "epoch of the frames after it")
        until(lambda: gateway.number(rom.COUNTER) > 30, "the new game runs")
        game = gateway.call("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
        frame, png = stream.next()
        while frame < game["frame"]:  # those that nobody has taken meanwhile
            frame, png = stream.next()
        equal(shown(png), game["value"] + frame - game["frame"], "what the stream shows of the new game")
