"""HTTP and WebSocket requests made from docs/openapi.json, against a gateway and the real emulator.

What must hold: each request is answered with a documented status; a failure of the server (5xx) is a problem with its type, and never `defect`;
nothing unhandled is in the gateway's log; its memory stays flat; the game runs, and a valid request works throughout. FUZZ_SECONDS or FUZZ_COUNT
says how much, FUZZ_SEED where to start.
"""

import http.client
import json
import posixpath
import re
import socket
import threading
import time

import openapi_requests as requests
from fuzzing import Budget, corpus, minimize, random_of, report, to_bytes, to_text
from gateway_stage import GatewayStage
from mgba_wire import TIME_LIMIT, Failure
from processes import resident
from websocket import TooMany, WebSocket

WORKERS = 3
LONG_BODY = 4_000_000  # bytes, a little less than Http:MaxBody
CHECK_EVERY = 100  # rounds of a worker between two checks of the game and of the log
WARM = 3000  # requests after which the gateway's memory is compared
SHORT = 0.5  # seconds after which the client leaves a request that waits for frames
GROWTH = 250  # megabytes that the gateway may grow after the warm-up: its pools fill
PROBLEM = "urn:mgba-bridge:problem:"
NAMES = requests.problem_names()


class Stage(GatewayStage):
    """The operations, too."""

    def __init__(self):
        super().__init__("Http:MaxConnections=2000")
        self.operations = requests.operations()
        self.messages = requests.Messages()
        self.names = [operation["name"] for operation in self.get("/v2/operations")["operations"]]
        self.samples = (self.get("/v2/state"), b"MBT1" * 50, (requests.ROOT / "docs/examples/mgba-bridge-test.elf").read_bytes(), b'{"properties":{"a":{"type":"u8","at":"wram:1"}}}')


class Sender:
    """Sends requests on one connection, and a new one where the last was left."""

    def __init__(self, stage):
        self.stage, self.connection = stage, None

    def send(self, made):
        """The status and body of the response, or None where the client left: the request waits for frames, or the answer is a stream."""
        may_wait = requests.MAY_WAIT.match(made["operation"])
        is_stream = made["operation"] in requests.STREAMS
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.stage.host)
        connection = self.connection
        connection.timeout = SHORT if may_wait or is_stream else TIME_LIMIT
        try:
            connection.connect() if connection.sock is None else connection.sock.settimeout(connection.timeout)
            headers = {name: value.encode("utf-8") for name, value in made["headers"].items()}
            try:
                connection.request(made["method"], requests.target(made), requests.body_of(made), headers)
            except ConnectionError:
                if len(requests.body_of(made) or b"") < LONG_BODY:
                    raise
                self.leave()  # the gateway has refused a body that is too long, without reading it to its end
                return None
            response = connection.getresponse()
            if is_stream and response.status < 400:
                self.leave()
                return response.status, response.headers.get_content_type(), b"..."
            data = response.read()
            if response.will_close:
                self.leave()
            return response.status, response.headers.get_content_type(), data
        except TimeoutError:
            self.leave()
            if not may_wait and not is_stream:
                raise Failure(f"no answer within {TIME_LIMIT} s") from None
            return None
        except ValueError:
            self.leave()
            return None  # what Python's client does not send
        except (ConnectionError, http.client.HTTPException) as problem:
            self.leave()
            raise Failure(f"the connection ended: {type(problem).__name__} {problem}") from None

    def leave(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def wrong(operations, made, answer):
    """What is wrong with an answer, or None."""
    if answer is None:
        return None
    status, media, data = answer
    path = posixpath.normpath(made["path"])  # the server removes dot segments (RFC 3986, section 5.2.4), and another operation may answer
    operation = next((one for one in operations if one.method == made["method"]
                      and (one.path == made["operation"] if path == made["path"] else one.is_at(path))), None)
    if problem := operation.undocumented(status, media, data) if operation else status < 400 and f"status {status} of no operation: {data[:300]!r}":
        return problem
    if status >= 400 and made["method"] != "HEAD" and made["operation"].startswith("/v2/"):
        if media != "application/problem+json":
            return f"status {status} with {media}: {data[:300]!r}"
        try:
            problem = json.loads(data)
        except ValueError:
            return f"status {status} with a body that is no JSON: {data[:300]!r}"
        name = problem["type"].removeprefix(PROBLEM)
        if name not in NAMES or name == "defect" or problem["status"] != status or not problem.get("detail"):
            return f"status {status}, and docs/operating.md has no such failure: {data[:500]!r}"
    elif status == 500:
        return f"status 500: {data[:300]!r}"
    return None


def send_one(stage, sender, made):
    """What is wrong with the answer to a request, or None. A lease that was taken is released: it stops the game."""
    try:
        answer = sender.send(made)
        if (made["operation"], made["method"]) == ("/v2/lease", "POST") and answer and answer[0] == 200:
            sender.send({**made, "method": "DELETE", "query": [], "body": None, "headers": {"Mgba-Holder": json.loads(answer[2])["holder"]}})
        return wrong(stage.operations, made, answer)
    except Failure as problem:
        return str(problem)


class Workers:
    """Threads that share a budget, each with `round_of(number)`, which returns how many inputs it sent; until one fails."""

    def __init__(self, stage, budget, round_of):
        self.stage, self.budget, self.round_of, self.failures, self.longest = stage, budget, round_of, [], (0, None)
        self.threads = [threading.Thread(target=self.work, args=(first,), daemon=True) for first in range(WORKERS)]
        for thread in self.threads:
            thread.start()

    def work(self, first):
        try:
            for count, number in enumerate(self.budget.rounds()):
                began = time.monotonic()
                self.budget.add(self.round_of(number))
                self.longest = max(self.longest, (time.monotonic() - began, number))
                if first == 0 and count % CHECK_EVERY == 0:
                    self.stage.revive()
                    self.stage.check()
                if self.failures:
                    return
        except Exception as problem:  # a thread has nobody to tell
            self.failures.append(problem)

    def is_working(self):
        return any(thread.is_alive() for thread in self.threads)


class Found(Failure):
    """What a round found, and its input."""

    def __init__(self, number, problem, made):
        super().__init__(problem)
        self.number, self.made = number, made


def request_round(stage, senders, number):
    """Sends one request, if it is none of those that are rarely useful."""
    rng = random_of(number)
    operation = rng.choice(stage.operations)
    if requests.STATE_CHANGING.match(operation.path) and rng.random() < 0.9:
        return 0
    made = requests.make(rng, operation, stage.samples)
    sender = senders.__dict__.setdefault("sender", Sender(stage))
    if problem := send_one(stage, sender, made):
        raise Found(number, problem, made)
    return 1


def slow_bodies(stage, stop, sent):
    """Sends bodies byte by byte and leaves some unfinished. Others are not affected."""
    host, port = stage.host.split(":")
    while not stop.is_set():
        sockets = [socket.create_connection((host, int(port)), timeout=TIME_LIMIT) for _ in range(20)]
        for sock in sockets:
            sock.sendall(b"POST /v2/memory/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n")
        for letter in b'{"reads":[{"location"':
            stop.wait(0.05)
            for sock in sockets:
                try:
                    sock.sendall(bytes([letter]))
                except OSError:
                    pass  # the gateway has ended it
        for sock in sockets:
            sock.close()
            sent[0] += 1


def test_kept_requests_have_documented_answers():
    """the requests of the corpus have documented answers"""
    stage = Stage()
    for name, made in corpus("http"):
        problem = send_one(stage, Sender(stage), made)
        if problem:
            raise Failure(f"{name}: {problem}")
    stage.end()


def test_generated_requests_have_documented_answers():
    """generated HTTP requests have documented answers, and the gateway stays as it was"""
    stage, budget, senders, slow_sent, stop = Stage(), Budget("http", share=0.7), threading.local(), [0], threading.Event()
    slow = threading.Thread(target=slow_bodies, args=(stage, stop, slow_sent), daemon=True)
    slow.start()
    workers = Workers(stage, budget, lambda number: request_round(stage, senders, number))
    warm = None
    while workers.is_working():
        time.sleep(0.1)
        warm = warm or (resident(stage.gateway.process.pid) if budget.inputs > WARM else None)
    stop.set()
    slow.join()
    for found in workers.failures:
        if isinstance(found, Found):
            made = found.made
            kept = minimize(requests.parts_of(made), lambda parts: send_one(stage, Sender(stage), requests.of_parts(made, parts)) is not None, most=60)
            report("http", found.number, f"{made['method']} {requests.target(made)}: {found}", requests.of_parts(made, kept))
        raise found
    stage.revive()
    grown = resident(stage.gateway.process.pid) - (warm or 0)
    stage.end()
    budget.check()
    print(f"HTTP requests: {budget}; {slow_sent[0]} slow bodies; the gateway grew by {grown:.0f} MB after the first {WARM}")
    assert not warm or grown < GROWTH, f"the gateway grew by {grown:.0f} MB"


# --- WebSocket


def frames(rng, stage):
    """What one client sends, as dictionaries that can be written as JSON: messages, and at the end perhaps a frame that is invalid."""
    made = []
    for identity in range(1, rng.choice((2, 10, 40))):
        operation = rng.choice([one for one in stage.operations if one.path.startswith("/v2/")])
        name = rng.choice(stage.names) if rng.random() < 0.9 else rng.choice(("subscribe", "unsubscribe", "cancel", "nope", "", "x" * 300))
        if name in ("emulators.stop", "emulators.start", "emulators.run"):
            continue
        body = requests.mutated(rng, operation.json) if operation.json is not None and rng.random() < 0.5 else {
            parameter["name"]: rng.choice((parameter.get("example"), *requests.SCALARS)) for parameter in operation.parameters if parameter["in"] != "header"}
        message = {"id": identity, "op": name, "body": body}
        made.append({"text": requests.mutated(rng, message) if rng.random() < 0.1 else message})
    what = rng.random()
    if what < 0.3:
        made.append({"bytes": to_text(rng.randbytes(rng.choice((0, 1, 20, 300)))), "opcode": rng.choice((0, 1, 2, 3, 8, 9, 10, 11)), "first": rng.choice((0x80, 0, 0xF0))})
    elif what < 0.4:
        made.append({"bytes": to_text(b"x" * 50), "opcode": 1, "length": rng.choice((60, 70000, 1 << 40))})
    return made


def connect(stage):
    """A WebSocket; waits for the end of earlier ones while there are as many as the gateway allows."""
    deadline = time.monotonic() + TIME_LIMIT
    while True:
        try:
            return WebSocket(stage.host)
        except TooMany:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        except (EOFError, OSError) as problem:
            raise Failure(f"the upgrade was not answered: {type(problem).__name__} {problem}") from None


def converse(stage, made):
    """Sends frames on a socket of its own, and what is wrong with an answer, or None. That the gateway closes the socket is not wrong.

    After a frame that is invalid the last request may have no answer. The deadline is that of all answers: pictures and events come for ever.
    """
    sock = connect(stage)
    is_valid = all("text" in frame for frame in made)
    try:
        for frame in made:
            if "text" in frame:
                sock.send(json.dumps(frame["text"]).encode())
            else:
                sock.send(to_bytes(frame["bytes"]), frame["opcode"], frame.get("first", 0x80), frame.get("length"))
        sock.send(b'{"id":999999,"op":"game.get","body":{}}')
        deadline = time.monotonic() + (TIME_LIMIT if is_valid else SHORT)
        while True:
            opcode, data = sock.next(deadline)
            named = re.search(rb'"urn:mgba-bridge:problem:([^"]*)"', data) if opcode == 1 else None
            if named and (named[1] == b"defect" or named[1].decode() not in NAMES):
                return f"docs/operating.md has no such failure: {data[:500]!r}"
            if opcode == 1 and (problem := undocumented(stage, made, json.loads(data))):
                return problem
            if opcode == 8 or b"999999" in data[:40]:
                return None
    except TimeoutError:
        return f"the last request had no answer within {TIME_LIMIT} s" if is_valid else None
    except (EOFError, OSError):
        return None
    finally:
        sock.socket.close()


def undocumented(stage, made, message):
    """What of a message of the gateway docs/asyncapi.json does not have, or None."""
    requested = [frame["text"] for frame in made if isinstance(frame.get("text"), dict)] + [{"id": 999999, "op": "game.get"}]
    return stage.messages.undocumented(message, {str(one.get("op")) for one in requested if one.get("id") == message.get("id")})


def socket_round(stage, number):
    """One socket: how many messages it sent."""
    made = frames(random_of(number), stage)
    if problem := converse(stage, made):
        raise Found(number, problem, made)
    return len(made)


def test_kept_messages_have_documented_answers():
    """the WebSocket messages of the corpus have documented answers"""
    stage = Stage()
    for name, made in corpus("websocket"):
        problem = converse(stage, made)
        if problem:
            raise Failure(f"{name}: {problem}")
    stage.end()


def test_each_operation_has_documented_messages():
    """the answers to each operation on a WebSocket, as JSON and with a binary message, are those of docs/asyncapi.json"""
    stage = Stage()
    examples = {operation.name: operation.example for operation in stage.operations}
    examples |= {"subscribe": {"topics": ["frame/2", "keys", "game", "sound", "log", "memory:0x02000000/4"]}, "unsubscribe": {"topics": ["keys"]}, "cancel": {"id": 1}}
    wrong = []
    for name in stage.messages.answers:
        for options in ({}, {"binary": True}):
            if problem := converse(stage, [{"text": {"id": 1, "op": name, "body": examples.get(name, {}), **options}}]):
                wrong.append(f"{name}: {problem}")
    assert wrong == []
    stage.revive()
    stage.end()


def test_generated_messages_leave_the_gateway_as_it_was():
    """generated WebSocket messages leave the gateway and the game as they were"""
    stage, budget = Stage(), Budget("http", share=0.3)
    workers = Workers(stage, budget, lambda number: socket_round(stage, number))
    for thread in workers.threads:
        thread.join()
    for found in workers.failures:
        if isinstance(found, Found):
            kept = minimize(found.made, lambda made: converse(stage, made) is not None, most=60)
            report("websocket", found.number, str(found), kept)
        raise found
    stage.revive()
    stage.end()
    budget.check()
    print(f"WebSocket messages: {budget}, on {budget.next - 1} sockets; the longest, of round {workers.longest[1]}, took {workers.longest[0]:.1f} s")
