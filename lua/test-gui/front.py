"""The cases of a window as people have it: the gateway in front of it, and no setting but the port."""

import base64
import json
import threading

import rom
from desktop import free_port, until
from gateway import Events, Gateway, Pictures, Refused
from report import equal, expect
from stage import GBA_CODE, GBA, keys_are, standing

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
    expect(not wrong, f"{len(wrong)} pixels of the picture of {counter} are wrong, the first at {wrong[:3]}")
    return counter


def group_gateway(stage):
    """Audio sync and SIGPIPE ignored, as README says; MGBA_BRIDGE_LEASE is not set."""
    port = free_port()
    stage.open("gateway", GBA, environment={"MGBA_BRIDGE_PORT": str(port)})
    stage.load()
    with Gateway(stage.window.folder, port) as gateway:
        for part in (presses, batches, waits, events, sockets, pictures, lease, recordings, rewind, stopped, restarted, other_game):
            part(stage, gateway)


def presses(stage, gateway):
    report = stage.report
    with report.case("through the gateway: it says which host and which game"):
        status = gateway.ask("GET", "/v2/status")
        told = {name: status[name] for name in ("state", "host", "port", "title", "code", "platform")}
        equal(told, dict(state="ready", host="qt", port=stage.port, title="MGBABRIDGE", code=GBA_CODE, platform="gba"), "status")
    with report.case("through the gateway: 100 taps by 5 callers at once are 100 presses, in the frames their answers told"), stage.client() as client:
        before, answers = rom.read(client), []

        def tap_all():
            for key in rom.KEYS * 2:
                answers.append(gateway.ask("POST", "/v2/keys/tap", {"keys": [key], "frames": 2}))

        callers = [threading.Thread(target=tap_all) for _ in range(5)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        equal(len(answers), 100, "answers")
        last = max(answer["up"] for answer in answers)
        until(lambda: client.ask("ping").frame > last + 1, "the last tap is over")
        after = rom.read(client)
        equal([b - a for a, b in zip(before.edges, after.edges)], [10] * 10, "presses of each key")
        equal([b - a for a, b in zip(before.held, after.held)], [20] * 10, "frames of each key")
        downs = sorted(answer["down"] for answer in answers)
        seen = sorted(frame for frame, _, pressed in after.events_since(after.event_count - 64) if pressed)
        expect(seen, "the game's list of presses is empty")
        equal([frame - after.counter + after.frame - 1 for frame in seen], downs[-len(seen) :], "frames of the last presses")
    with report.case("through the gateway: a sequence is answered when it is over, with its frames"), stage.client() as client:
        before = rom.read(client)
        answer = gateway.ask("POST", "/v2/keys/sequence", {"sequence": "A 4, wait 10, Up+B 2", "wait": True})
        equal(answer["up"] - answer["down"], 16, "frames")
        after = rom.read(client)
        equal([b - a for a, b in zip(before.held, after.held)], [4, 2, 0, 0, 0, 0, 2, 0, 0, 0], "frames of each key")


def batches(stage, gateway):
    spot = f"{rom.SCRATCH:#x}"
    guard = {"guard": {"location": spot, "type": "u32", "value": 5}}
    write = {"write": {"location": spot, "type": "u32", "value": 6}}
    with stage.report.case("through the gateway: a batch of one frame, and one whose guard does not hold"):
        gateway.ask("POST", "/v2/batch", {"items": [{"write": {"location": spot, "type": "u32", "value": 5}}]})
        answer = gateway.ask("POST", "/v2/batch", {"items": [guard, write, {"read": {"location": spot, "type": "u32"}}]})
        equal([result.get("value") for result in answer["results"]], [None, None, 6], "values")
        write["write"]["value"] = 7
        equal(gateway.refusal("POST", "/v2/batch", {"items": [guard, write, {"tap": {"keys": ["A"]}}]}).status, 412, "status")
        equal(gateway.number(rom.SCRATCH), 6, "the number afterwards")


def waits(stage, gateway):
    with stage.report.case("through the gateway: a wait is answered in the frame in which its condition is met"):
        goal = gateway.number(rom.COUNTER) + 30
        answer = gateway.ask("POST", "/v2/wait", {"condition": f"u32 {rom.COUNTER:#x} ge {goal}", "frames": 600})
        equal((answer["met"], answer["values"]), (True, [goal]), "answer")
        answer = gateway.ask("POST", "/v2/wait", {"condition": f"u32 {rom.COUNTER:#x} eq 1", "frames": 5})
        equal(answer["met"], False, "met")


def events(stage, gateway):
    window, desktop = stage.window, stage.desktop
    with stage.report.case("through the gateway: events of frames, of memory, and of keys that the player presses"):
        # on two streams, since the press and what the game makes of it are told in one frame, in either order
        with Events(gateway, "frame/30,keys") as told, Events(gateway, f"memory:{rom.LIVE_KEYS:#x}/4") as seen:
            frames = [told.next("frame")["frame"] for _ in range(3)]
            equal([b - a for a, b in zip(frames, frames[1:])], [30, 30], "frames between events")
            window.focus()
            desktop.key_down("x")
            try:
                told.next("keys", lambda event: event["keys"] == ["A"])
                seen.next("memory", lambda event: base64.b64decode(event["bytes"]) == b"\1\0\0\0")
            finally:
                desktop.key_up("x")
            told.next("keys", lambda event: event["keys"] == [])


def sockets(stage, gateway):
    with stage.report.case("through the gateway's WebSocket: commands, events and pictures on one connection"):
        with gateway.socket("player") as game:
            read = {"reads": [{"location": f"{rom.COUNTER:#x}", "type": "u32"}]}
            first = game.ask("memory.read", read)["reads"][0]["value"]
            game.ask("subscribe", {"topics": ["keys", "frame/20"]})
            pressed = game.begin("keys.tap", {"keys": ["Start"], "frames": 3, "wait": True})
            while game.event("keys")["body"]["keys"] != ["Start"]:
                pass
            answer = game.end(pressed)
            equal(answer["up"] - answer["down"], 3, "frames of the press")
            frames = [game.event("frame")["body"]["frame"] for _ in range(3)]
            equal([b - a for a, b in zip(frames, frames[1:])], [20, 20], "frames between events")
            game.ask("screen.stream", {"fps": 10})
            counters = [shown(game.event("screen")["bytes"]) for _ in range(2)]
            expect(first < counters[0] < counters[1], f"the game counted {first}, its pictures then {counters}")
            game.ask("screen.stop")


def pictures(stage, gateway):
    with stage.report.case("through the gateway: the stream of pictures shows the game as it runs, each its own frame"):
        with Pictures(gateway, 10) as stream:
            taken = [stream.next() for _ in range(6)]
        shows = [(frame, shown(png)) for frame, png in taken]
        expect(all(a[0] < b[0] for a, b in zip(shows, shows[1:])), f"frames and counters are {shows}")
        equal(len({frame - counter for frame, counter in shows}), 1, f"offsets between frames and the counters shown ({shows})")


def lease(stage, gateway):
    def take(game):
        """What the window says while it does not know its pace; it may know it already."""
        try:
            return game.ask("lease", {"limitMs": 5000})
        except Refused as refused:
            equal((refused.problem["status"], refused.problem["code"]), (503, "busy"), "refusal")
            expect("not known yet" in refused.problem["detail"], f"the refusal is {refused}")

    with stage.report.case("through the gateway: a lease without any setting, as soon as the window's pace is known; each step is one frame"):
        with gateway.socket("player") as game:
            until(lambda: take(game), "the lease is granted", 60, 0.2)
            first = game.ask("lease.step", {"frames": 0, "items": [COUNTER]})["results"][0]["value"]
            for step in range(1, 41):
                keys = [key for key in ("A", "B") if step >> rom.KEYS.index(key) & 1]
                results = game.ask("lease.step", {"frames": 1, "keys": keys, "items": [COUNTER, LIVE_KEYS]})["results"]
                equal([result["value"] for result in results], [first + step, step % 4], f"counter and keys of step {step}")
            refused = gateway.refusal("POST", "/v2/keys/tap", {"keys": ["A"]}, "somebody")
            equal(refused.status, 423, "refusal of others")
    with stage.report.case("through the gateway: who falls silent loses the lease, listeners are told, and the game runs on"), stage.client() as client:
        with Events(gateway, "lease") as told:
            gateway.ask("POST", "/v2/lease", {"limitMs": 300}, "silent")
            told.next("lease", lambda event: event.get("holder") == "silent")
            told.next("lease", lambda event: "holder" not in event)
        before = client.number(rom.COUNTER)
        until(lambda: client.number(rom.COUNTER) > before + 20, "the game runs on")
        keys_are(client, 0)


def recordings(stage, gateway):
    window, desktop = stage.window, stage.desktop
    recorded = None
    with stage.report.case("through the gateway: what callers and the player press is recorded, and replayed without divergence"), stage.client() as client:
        started = gateway.ask("POST", "/v2/recordings", {"hashEvery": 20})
        gateway.ask("POST", "/v2/wait", {"frames": 2})  # what is pressed in its first frame stands in its head
        gateway.ask("POST", "/v2/keys/sequence", {"sequence": "A 1, wait 5, Up+B 2, wait 5", "wait": True})
        window.focus()
        desktop.key_down("z")
        try:
            keys_are(client, 2)
        finally:
            desktop.key_up("z")
        keys_are(client, 0)
        gateway.ask("POST", "/v2/wait", {"frames": 20})
        stopped = gateway.ask("POST", f"/v2/recordings/{started['id']}/stop")
        equal((stopped["ended"], stopped["inputs"]), ("stopped", 6), "end and changes of keys")
        recorded = gateway.bytes("GET", f"/v2/recordings/{started['id']}")
        answer = gateway.ask("POST", "/v2/replay", recorded)
        wanted = dict(same=True, frames=stopped["last"] - stopped["frame"], inputs=6, hashes=stopped["hashes"])
        equal({name: answer.get(name) for name in wanted}, wanted, f"replay ({answer})")
    with stage.report.case("through the gateway: with a press less, the replay says where it became another game"):
        lines = [json.loads(line) for line in recorded.splitlines()]
        press = next(line for line in lines if line.get("keys") == "A")
        press["keys"] = ""
        hashes = [line["frame"] for line in lines if line.get("hash")]
        answer = gateway.ask("POST", "/v2/replay", b"\n".join(json.dumps(line).encode() for line in lines))
        first = min(frame for frame in hashes if frame > press["frame"])
        equal((answer["same"], answer.get("divergence", {}).get("frame")), (False, first), "replay, and where it differs")


def rewind(stage, gateway):
    with stage.report.case("through the gateway: the rewind ring fills, its pictures show their frames, and one goes back to them"):
        gateway.ask("PUT", "/v2/rewind", {"every": 10, "points": 30})
        points = lambda: gateway.ask("GET", "/v2/rewind")["points"]
        until(lambda: len(points()) >= 4, "the ring has states")
        gateway.ask("POST", "/v2/lease", {"limitMs": 10000}, "player")
        standing_at = gateway.ask("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
        now, old = standing_at["value"], points()[1]
        counter = shown(gateway.bytes("GET", f"/v2/rewind/{old['frame']}/screen"))
        equal(counter, now - (standing_at["frame"] - old["frame"]), "what the picture shows, by its frame")
        gateway.ask("POST", f"/v2/rewind/{old['frame']}", holder="player")
        found = gateway.number(rom.COUNTER)
        gateway.ask("DELETE", "/v2/lease", holder="player")
        expect(found < now, f"the game counts {found}, and {now} before going back")
        equal(found, counter, "what the game counts, beside what the picture shows")
        gateway.ask("DELETE", "/v2/rewind")
        equal(gateway.refusal("GET", "/v2/rewind").status, 404, "status without a ring")


def stopped(stage, gateway):
    with stage.report.case("through the gateway, paused: a problem instead of an answer; resumed: a stream of events goes on"):
        with Events(gateway, "frame/10") as told, stage.client() as client:
            before = told.next("frame")["frame"]
            with standing(stage.window, client):
                problem = gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
                expect(problem, "there was an answer")
                equal(problem.status, 503, "status")
            until(lambda: not gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32"), "requests are answered again")
            told.next("frame", lambda event: event["frame"] > before + 60)


def restarted(stage, gateway):
    with stage.report.case("the script reset and loaded again under the gateway: listeners are told, and told of frames again"):
        with Events(gateway, "script,frame/10") as told, stage.client() as client:
            epoch = told.next("frame")["epoch"]
            with standing(stage.window, client):
                stage.window.reset_scripts()
                told.next("script.lost")
                stage.load()
            told.next("script.connected")
            expect(told.next("frame")["epoch"] != epoch, "the epoch is the old one")
        equal(gateway.number(rom.BLOCK), 0x3154424D, "the start of the block")


def other_game(stage, gateway):
    window = stage.window
    with stage.report.case("the game closed and opened again while others listen and watch: told, and both go on"):
        with Events(gateway, "game,frame/10") as told, Pictures(gateway, 10) as stream:
            epoch = told.next("frame")["epoch"]
            stream.next()
            window.choose("e", "u")
            told.next("game.closed")
            problem = gateway.refusal("GET", f"/v2/memory/{rom.COUNTER:#x}/u32")
            expect(problem, "there was an answer without a game")
            equal(problem.status, 503, "status without a game")
            window.load_rom(window.rom)
            opened = told.next("game.opened")
            equal((opened["title"], opened["code"]), ("MGBABRIDGE", GBA_CODE), "the game")
            expect(opened["epoch"] != epoch, "the epoch is the old one")
            equal(told.next("frame")["epoch"], opened["epoch"], "epoch of the frames told then")
            until(lambda: gateway.number(rom.COUNTER) > 30, "the new game runs")
            first = gateway.number(rom.COUNTER)
            frames = [stream.next() for _ in range(30)]
            expect(shown(frames[-1][1]) >= first, "the stream shows the game of before")


def refused_with_video_sync(stage):
    """Waiting inside the frame callback would stop such a window for good (0.10.1)."""
    with stage.report.case("through the gateway: a lease and a replay are refused in it, with the reason"):
        with Gateway(stage.window.folder, stage.port) as gateway:
            started = gateway.ask("POST", "/v2/recordings", {"hashEvery": 10})
            gateway.ask("POST", "/v2/wait", {"frames": 20})
            gateway.ask("POST", f"/v2/recordings/{started['id']}/stop")
            recorded = gateway.bytes("GET", f"/v2/recordings/{started['id']}")
            until(lambda: gateway.refusal("POST", "/v2/lease", {"limitMs": 300}).fields["code"] != "busy", "the window's pace is known")
            for path, body in (("/v2/lease", {"limitMs": 300}), ("/v2/replay", recorded)):
                problem = gateway.refusal("POST", path, body)
                equal((problem.status, problem.fields["code"]), (501, "unsupported"), f"refusal by {path}")
                expect("MGBA_BRIDGE_LEASE" in problem.fields["detail"], f"{path} says {problem}")
            before = gateway.number(rom.COUNTER)
            until(lambda: gateway.number(rom.COUNTER) > before + 20, "the game runs on")
