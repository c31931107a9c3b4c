"""Owners of sessions: a token of one reaches nothing of another, over any interface, and gets the answers of what does not exist."""

import hashlib
import json
import re
import socket
import time
import urllib.error
import urllib.request

import pytest

from checks import until
from cluster import Postgres
from doors import PORTS
from fleet import CELL, problem, request
from gateway import Gateway
from mgba_wire import TIME_LIMIT
from ports import free_port
from websocket import WebSocket

OPERATOR, ALICE, BOB, VIEWER = (f"token-of-{name}-0123456789" for name in ("operator", "alice", "bob", "alice-who-views"))
MISSING = "g0123456789"  # as long as the ids that there are
SHARED = {"emulators.start", "emulators.stop", "emulators.run", "speed.hold", "speed.release", "emulators.restart", "emulators.log", "roms.list", "roms.upload", "roms.delete", "agents.list", "agents.change",
          "guests.list", "guests.invite", "guests.change", "guests.end", "guests.endAll", "metrics.get", "lease.attach"}
OF_FILES = {"rom.load", "save.load", "save.autoload", "save.put", "state.save", "rewind.start", "rewind.stop", "symbols.load", "symbols.delete", "properties.load", "properties.delete"}
NORMAL = {"application/problem+json", "application/json"}


def setting(role, token, owner=None):
    return f"{role}:{hashlib.sha256(token.encode()).hexdigest()}{f':{owner}' if owner else ''}"


class Api:
    """Requests with a token."""

    def __init__(self, gateway, token):
        self.gateway, self.token = gateway, token

    def send(self, path, body=None, method=None, headers=None):
        return request(self.gateway, path, body, method, {"Authorization": f"Bearer {self.token}", **(headers or {})})

    def ok(self, path, body=None, method=None, headers=None):
        status, answer, _ = self.send(path, body, method, headers)
        assert status == 200, (path, answer)
        return answer

    def refused(self, path, body=None, method=None):
        status, answer, _ = self.send(path, body, method)
        return status, problem(answer)

    def raw(self, path, body):
        """The bytes of an answer."""
        call = urllib.request.Request(self.gateway.url + path, json.dumps(body).encode(), {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Mgba-Holder": "learner"})
        try:
            with urllib.request.urlopen(call, timeout=TIME_LIMIT) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


class Stage:
    """Two gateways with doors, an owner's game in each of two hosts, and one of the operator."""

    def __init__(self, folder):
        self.gateways = []
        self.database = Postgres()
        for name in ("alice/game.gba", "bob/game.gba", "open.gba"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(bytes(512))
        self.bizhawk, self.retroarch = free_port(), free_port()
        tokens = [setting("owner", OPERATOR), setting("owner", ALICE, "alice"), setting("owner", BOB, "bob"), setting("viewer", VIEWER, "alice")]
        settings = [f"Fleet:Database={self.database.address}", "Fleet:Engine=local", "Fleet:LeaseTime=00:00:10", "Discover=false", f"Owned:RomFolders:0={folder}", "Doors:BizHawk:Enabled=true",
                    f"Doors:BizHawk:Port={self.bizhawk}", "Doors:RetroArch:Enabled=true", f"Doors:RetroArch:Port={self.retroarch}",
                    *(f"Http:Tokens:{number}={token}" for number, token in enumerate(tokens))]
        try:
            for _ in range(2):
                self.gateways.append(Gateway(*settings))
            self.operator, self.alice, self.bob, self.viewer = (Api(self.gateways[0], token) for token in (OPERATOR, ALICE, BOB, VIEWER))
            self.ids = [api.ok("/v2/fleet/sessions", {"rom": ":test:"})["ids"][0] for api in (self.operator, self.alice, self.bob)]
            self.of_operator, self.of_alice, self.of_bob = self.ids
            for session in self.ids:  # the first gateway has routes to all, the second one to none
                self.operator.ok(f"/i/{session}/v2/game", headers={"Prefer": "wait=60"})
        except BaseException:
            self.end()
            raise

    def end(self):
        for gateway in self.gateways:
            gateway.end()
        self.database.end()


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    stage = Stage(tmp_path_factory.mktemp("roms"))
    yield stage
    stage.end()


def operations(api):
    return {operation["name"]: operation for operation in api.ok("/v2/operations")["operations"]}


def answer(gateway, method, path, token):
    """All of an answer that may differ: status, headers, body."""
    import http.client
    connection = http.client.HTTPConnection(gateway.url.split("//")[1], timeout=TIME_LIMIT)
    connection.request(method, path, None if method in ("GET", "HEAD") else "{}", {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "X-Correlation-ID": "one"})
    response = connection.getresponse()
    headers = {name: value for name, value in response.getheaders() if name not in ("Date", "Content-Length")}
    body = response.read() if response.headers.get_content_type() in NORMAL or response.status != 200 else b"a stream"
    connection.close()
    return response.status, headers, body.decode()


def test_lists_have_what_the_owner_has(stage):
    """Sessions, hosts, events and numbers of an owner are its own; the operator sees all"""
    for api, owned in ((stage.operator, stage.ids), (stage.alice, [stage.of_alice]), (stage.viewer, [stage.of_alice]), (stage.bob, [stage.of_bob])):
        assert sorted(session["id"] for session in api.ok("/v2/fleet/sessions")["sessions"]) == sorted(owned)
        numbers = api.ok("/v2/fleet")
        assert (numbers["running"], numbers["hosts"], numbers["capacity"]) == (len(owned),) * 3, numbers
        hosts = [host for host in api.ok("/v2/fleet/hosts")["hosts"] if host["state"] == "ready"]
        assert [host["sessions"] for host in hosts] == [1] * len(owned), hosts
        events = api.ok("/v2/fleet/events?limit=1000")["events"]
        assert {event["session"] for event in events if "session" in event} == set(owned)
        assert api is stage.operator or all("session" in event for event in events), events
        kinds = [event["kind"] for event in api.ok(f"/v2/fleet/events?session={stage.of_alice}")["events"]]
        assert kinds == (["session.created", "session.placed", "session.running"] if stage.of_alice in owned else []), kinds
        assert sorted(emulator["id"] for emulator in api.ok("/v2/emulators")) == sorted(owned)
    assert stage.alice.ok("/v2/fleet/sessions?owner=bob")["sessions"] == []
    assert stage.alice.ok("/v2/fleet/sessions?owner=alice&after=a")["sessions"][0]["owner"] == "alice"


def test_foreign_session_is_answered_as_a_missing_one(stage):
    """Every operation, and mGBA-http's paths: the answer about a foreign session is that about none, whether the gateway has a route to it or not"""
    paths = [(operation["method"], operation["path"]) for operation in operations(stage.operator).values() if operation["perEmulator"]]
    paths += [("HEAD", "/v2/state"), ("GET", "/core/getgametitle"), ("POST", "/core/loadfile?path=/etc/passwd"), ("GET", "/nonsense"), ("GET", "/v2/nonsense"), ("PATCH", "/v2/game"), ("GET", "")]
    paths = [(method, re.sub(r"{[^}]*}", "1", path)) for method, path in paths]
    assert len(paths) > 100
    for gateway in reversed(stage.gateways):  # first the one that has no routes
        for method, path in paths:
            foreign, missing = (answer(gateway, method, f"/i/{session}{path}", ALICE) for session in (stage.of_bob, MISSING))
            assert foreign[0] >= 400 and foreign[:2] == missing[:2] and foreign[2] == missing[2].replace(MISSING, stage.of_bob), (method, path, foreign, missing)
            of_operator = answer(gateway, method, f"/i/{stage.of_operator}{path}", ALICE)
            assert of_operator[2] == missing[2].replace(MISSING, stage.of_operator), (method, path, of_operator)
        assert {emulator["id"] for emulator in Api(gateway, OPERATOR).ok("/v2/emulators")} == ({*stage.ids} if gateway is stage.gateways[0] else set())  # nothing was routed
    for method in ("GET", "DELETE"):
        foreign, missing = (answer(stage.gateways[0], method, f"/v2/fleet/sessions/{session}", ALICE) for session in (stage.of_bob, MISSING))
        assert foreign[0] == 404 and foreign[2] == missing[2].replace(MISSING, stage.of_bob)
    assert stage.bob.ok(f"/i/{stage.of_bob}/v2/game")["platform"] == "gba"
    assert Api(stage.gateways[1], BOB).ok(f"/i/{stage.of_bob}/v2/game", headers={"Prefer": "wait=30"})["platform"] == "gba"


def test_own_session_is_played(stage):
    """An owner plays its session, and what concerns files or all callers is refused: every operation"""
    own = f"/i/{stage.of_alice}"
    assert stage.alice.ok(f"{own}/v2/keys/tap", {"keys": ["A"], "frames": 1})
    assert stage.alice.ok(f"{own}/v2/memory/{CELL}/u32", {"value": 7}, "PUT")
    assert stage.viewer.ok(f"{own}/v2/memory/{CELL}/u32")["value"] == 7
    assert stage.viewer.refused(f"{own}/v2/memory/{CELL}/u32", {"value": 8}, "PUT") == (403, "role-needed")
    assert stage.viewer.refused("/v2/fleet/sessions", {"rom": ":test:"}) == (403, "role-needed")
    known = operations(stage.alice)
    assert {name for name, operation in known.items() if not operation["allowed"]} == SHARED | OF_FILES
    for name in SHARED | OF_FILES:
        path = re.sub(r"{[^}]*}", "1", known[name]["path"])
        if known[name]["perEmulator"]:
            path = own + path
        status, _, body = answer(stage.gateways[0], known[name]["method"], path, ALICE)
        # where parameters are read first, they are wrong
        assert (status, '"operator-needed"' in body or ":operator-needed" in body) == (403, True) or status == 400, (name, status, body)
    for path, body in (("/v2/save/autoload", {}), ("/v2/rom/load", {"file": "/etc/passwd"}), ("/v2/state/save", {"slot": 1}), ("/v2/lease/socket", {"socket": "/tmp/x"})):
        assert stage.alice.refused(own + path, body) == (403, "operator-needed"), path
    assert stage.alice.refused(f"{own}/v2/state?slot=1", method="PUT") == (403, "operator-needed")
    for method, path in (("GET", "/core/getgametitle"), ("POST", "/core/loadstateslot?slot=1"), ("POST", "/core/screenshot?path=/tmp/x")):
        assert answer(stage.gateways[0], method, own + path, ALICE)[0] == 403
    for path in ("/v2/status", "/v2/game", "/readyz", "/v2/screen"):  # there is no first emulator
        assert stage.alice.refused(path) == (404, "no-such-emulator"), path
    assert stage.alice.refused("/metrics") == (403, "operator-needed")


def test_several_at_once(stage):
    """Steps of several emulators and items of batches reach no more than requests of their own"""
    stage.operator.ok(f"/i/{stage.of_operator}/v2/states", {"name": "kept"})
    stage.bob.ok(f"/i/{stage.of_bob}/v2/states", {"name": "of-bob"})

    foreign, missing = (stage.alice.raw("/v2/vector", {"rows": [{"emulator": session}]})[1] for session in (stage.of_bob, MISSING))
    assert foreign == missing.replace(MISSING.encode(), stage.of_bob.encode()) and b"No emulator has the id" in foreign, foreign
    assert stage.alice.refused("/v2/vector", {"rows": [{"emulator": stage.of_alice, "reset": True}], "state": "kept"}) == (404, "no-such-state")
    assert stage.alice.refused("/v2/vector", {"rows": [{"emulator": stage.of_alice}], "scenario": "kept"}) == (404, "no-such-scenario")
    result = stage.alice.ok(f"/i/{stage.of_alice}/v2/batch", {"items": [{"states.list": {}}, {"scenarios.list": {}}, {"emulators.list": {}}]})["results"]
    assert [one["ok"] for one in result] == [True] * 3 and result[0]["result"]["states"] == result[1]["result"]["scenarios"] == [], result
    assert [emulator["id"] for emulator in result[2]["result"]] == [stage.of_alice], result
    refused = stage.alice.ok(f"/i/{stage.of_alice}/v2/batch", {"items": [{"roms.list": {}}]})["results"][0]
    assert not refused["ok"] and "alice" in refused["detail"], refused
    assert stage.alice.refused(f"/i/{stage.of_alice}/v2/batch", {"items": [{"rom.load": {"path": "/etc/passwd"}}]})[0] in (400, 403)


def names(api, path, what):
    return sorted(entry["name"] for entry in api.ok(path)[what] if entry.get("kind") != "automatic")


def test_kept_states_and_scenarios(stage):
    """Owners have names of their own for what a gateway keeps, and episodes begin from them"""
    scenario = {"data": {"info": {"score": {"address": 49312, "type": "<d4"}}}, "scenario": {"reward": {"variables": {"score": {"reward": 1.0}}}}}
    for api, session in ((stage.operator, stage.of_operator), (stage.alice, stage.of_alice), (stage.bob, stage.of_bob)):
        assert api.ok(f"/i/{session}/v2/states", {"name": "same", "replace": True})["name"] == "same"
        assert api.ok("/v2/scenarios/same", scenario, "PUT")["name"] == "same"
        status, stepped = api.raw("/v2/vector", {"rows": [{"emulator": session, "reset": True}], "state": "same", "scenario": "same"})
        assert status == 200 and b"refused" not in stepped, stepped
    assert "alice_same" in names(stage.operator, "/v2/states", "states") and "same" in names(stage.operator, "/v2/states", "states")
    for api, other in ((stage.alice, "of-bob"), (stage.bob, "kept")):
        assert "same" in names(api, "/v2/states", "states") and other not in names(api, "/v2/states", "states")
        assert names(api, "/v2/scenarios", "scenarios") == ["same"]
        for foreign in (other, "bob_same", "alice_same", "alice_alice_same"):
            for method, path in (("GET", f"/v2/states/{foreign}"), ("GET", f"/v2/states/{foreign}/picture"), ("DELETE", f"/v2/states/{foreign}"), ("GET", f"/v2/states/same/compare?with={foreign}")):
                assert api.refused(f"/i/{stage.of_alice if api is stage.alice else stage.of_bob}{path}", method=method) == (404, "no-such-state"), (method, path)
            assert api.refused(f"/v2/scenarios/{foreign}", method="DELETE") == (404, "no-such-scenario")
    stage.alice.ok(f"/i/{stage.of_alice}/v2/states/same/load", {}, headers={"Mgba-Holder": "learner"})
    for api, session in ((stage.operator, stage.of_operator), (stage.alice, stage.of_alice), (stage.bob, stage.of_bob)):
        api.ok(f"/i/{session}/v2/lease", method="DELETE", headers={"Mgba-Holder": "learner"})
    stage.alice.ok("/v2/states/same", method="DELETE")
    stage.alice.ok("/v2/scenarios/same", method="DELETE")
    assert names(stage.bob, "/v2/states", "states") == ["of-bob", "same"] and names(stage.bob, "/v2/scenarios", "scenarios") == ["same"]


def test_creation_says_nothing_of_others(stage):
    """Owners name sessions and ROMs below their own name, and Idempotency-Key is of a token"""
    def create(api=stage.alice, **body):
        return api.refused("/v2/fleet/sessions", {"rom": ":test:", **body})

    assert create(owner="bob") == (400, "bad-request")
    for taken in (stage.of_bob, "anything", "bob_one", "alic"):
        assert create(id=taken) == (400, "bad-request"), taken
    stage.alice.ok("/v2/fleet/sessions", {"rom": "alice/game.gba", "id": "alice_one", "owner": "alice"})
    assert create(id="alice_one") == (409, "id-taken")
    texts = [stage.alice.send("/v2/fleet/sessions", {"rom": rom})[1]["detail"].replace(rom, "") for rom in ("bob/game.gba", "bob/none.gba", "open.gba", "none.gba", "alice/../bob/game.gba", "/etc/passwd")]
    assert len(set(texts)) == 1, texts
    assert create(rom="bob/game.gba") == create(rom="alice/none.gba") == (404, "no-such-rom")
    stage.alice.ok("/v2/fleet/sessions/alice_one", method="DELETE")
    made = {api: api.ok("/v2/fleet/sessions", {"rom": ":test:"}, headers={"Idempotency-Key": "mine"})["ids"][0] for api in (stage.alice, stage.bob)}
    for api, session in made.items():
        assert api.ok("/v2/fleet/sessions", {"rom": ":test:"}, headers={"Idempotency-Key": "mine"})["ids"] == [session]
        api.ok(f"/v2/fleet/sessions/{session}", method="DELETE")
    assert len(set(made.values())) == 2
    until(lambda: sorted(session["id"] for session in stage.operator.ok("/v2/fleet/sessions")["sessions"]) == sorted(stage.ids), "the other sessions are gone")


def test_websocket(stage):
    """A WebSocket is to a session of the owner, and answers no more than HTTP"""
    host = stage.gateways[0].url.split("//")[1]
    for session in (stage.of_bob, MISSING):
        with pytest.raises(AssertionError, match="no-such-emulator|404"):
            WebSocket(host, f"/i/{session}/v2/ws", ALICE)
    socket_ = WebSocket(host, f"/i/{stage.of_alice}/v2/ws", ALICE)

    def ask(op, **body):
        socket_.send(json.dumps({"id": 1, "op": op, "body": body}).encode())
        while "id" not in (message := json.loads(socket_.next(time.monotonic() + TIME_LIMIT)[1])):
            pass
        return message

    assert ask("game.get")["body"]["platform"] == "gba"
    assert [emulator["id"] for emulator in ask("emulators.list")["body"]] == [stage.of_alice]
    assert [session["id"] for session in ask("fleet.sessions.list")["body"]["sessions"]] == [stage.of_alice]
    assert problem(ask("fleet.sessions.get", session=stage.of_bob)["problem"]) == "no-such-session"
    assert problem(ask("fleet.sessions.delete", session=stage.of_bob)["problem"]) == "no-such-session"
    for op, body in (("metrics.get", {}), ("roms.list", {}), ("agents.list", {}), ("save.autoload", {}), ("state.load", {"slot": 1})):
        assert problem(ask(op, **body)["problem"]) == "operator-needed", op
    assert ask("cancel", id=7)["body"]["cancelled"] is False


def test_agents(stage):
    """Tools and resources of MCP are about the owner's session alone; notes, which agents share, are refused"""
    def call(method, **params):
        meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                          "io.modelcontextprotocol/clientCapabilities": {}}}
        status, text = stream("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **meta}})
        assert status == 200, text
        return json.loads(re.findall(r"^data: (.*)$", text, re.MULTILINE)[-1])

    def stream(path, body):
        headers = {"Authorization": f"Bearer {ALICE}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
                   "Mcp-Method": body["method"], "Mcp-Name": body["params"].get("name", body["params"].get("uri", ""))}
        with urllib.request.urlopen(urllib.request.Request(stage.gateways[0].url + path, json.dumps(body).encode(), headers), timeout=TIME_LIMIT) as response:
            return response.status, response.read().decode()

    def tool(name, /, **arguments):
        result = call("tools/call", name=name, arguments=arguments)["result"]
        return result.get("isError", False), json.dumps(result)

    failed, text = tool("emulators")
    assert not failed and stage.of_alice in text and stage.of_bob not in text and stage.of_operator not in text and "game.gba" not in text, text
    assert not tool("observe", emulator=stage.of_alice)[0]
    (first, foreign), (second, missing) = (tool("observe", emulator=session) for session in (stage.of_bob, MISSING))
    assert first and second and foreign == missing.replace(MISSING, stage.of_bob), foreign
    for name, arguments in (("notes", {}), ("start_emulator", {"rom": ":test:"})):
        failed, text = tool(name, **({"emulator": stage.of_alice} if name != "start_emulator" else {}), **arguments)
        assert failed and "alice" in text, (name, text)
    stage.operator.ok(f"/i/{stage.of_operator}/v2/states", {"name": "of-operator", "replace": True})
    assert not tool("save", emulator=stage.of_alice, name="by-agent")[0]
    failed, text = tool("load", emulator=stage.of_alice)
    assert not failed and "by-agent" in text and "of-operator" not in text and "alice_" not in text, text
    assert tool("load", emulator=stage.of_alice, name="of-operator")[0] and not tool("load", emulator=stage.of_alice, name="by-agent")[0]
    resources = json.dumps(call("resources/list"))
    assert stage.of_alice in resources and stage.of_bob not in resources and "notes" not in resources, resources
    errors = [call("resources/read", uri=f"mgba://emulators/{session}/screen")["error"] for session in (stage.of_bob, MISSING)]
    assert errors[0] == json.loads(json.dumps(errors[1]).replace(MISSING, stage.of_bob)), errors
    assert "error" in call("resources/read", uri=f"mgba://emulators/{stage.of_alice}/notes")
    assert "result" in call("resources/read", uri=f"mgba://emulators/{stage.of_alice}/screen")


def test_while_the_database_is_away(stage):
    """A foreign session is answered as a missing one also by what the gateway knows without the database; one's own is played"""
    stage.database.stop()
    try:
        for gateway in stage.gateways:
            for path in ("/v2/game", "/v2/status", "/v2/states"):
                foreign, missing = (answer(gateway, "GET", f"/i/{session}{path}", ALICE) for session in (stage.of_bob, MISSING))
                assert foreign[0] == 503 and foreign[2] == missing[2].replace(MISSING, stage.of_bob), (foreign, missing)
        assert stage.alice.ok(f"/i/{stage.of_alice}/v2/game")["platform"] == "gba"
    finally:
        stage.database.start()
    until(lambda: stage.alice.send("/v2/fleet/sessions")[0] == 200, "the database is back")


def test_doors_have_no_sessions(stage):
    """Servers for clients of other emulators, which send no token, serve no session"""
    for port in range(stage.bizhawk, stage.bizhawk + PORTS):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), TIME_LIMIT)
    for port in range(stage.retroarch, stage.retroarch + PORTS):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.connect(("127.0.0.1", port))
            client.settimeout(2)
            client.send(b"VERSION")
            with pytest.raises((ConnectionRefusedError, TimeoutError)):
                client.recv(100)
