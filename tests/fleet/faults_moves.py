"""Sessions that are moved while clients change them, a long test (FLEET_MOVES=12 hosts): what was reported as done is in the game, and once."""

import collections
import http.client
import json
import os
import random
import signal
import statistics
import threading
import time
import uuid

from checks import until
from history import History, Violation, outcome_of
from mgba_wire import TIME_LIMIT
from moved_history import check_moved_counter, check_moved_taps, copies_of
from rom import BLOCK
from fleet import SETTINGS, Fleet, check_events, get, request

MOVES = int(os.environ.get("FLEET_MOVES", "12"))
SESSIONS = 4
LEASE = 15  # seconds
STATE_EVERY = 1.0  # of SETTINGS
TO_STORE = 1.5  # seconds that a state may take to be stored, on a busy machine
COUNTER = 0x02010000  # not used by the test game
PRESSES = BLOCK + 0x20  # of the key A, counted by the test game
AGAIN = 5  # each fifth request is sent again with its key


def number(location):
    return f"/v2/memory/{location:#x}/u32"


class Player(threading.Thread):
    """One client of a session: sends requests through both gateways in turn, each with a key of its own, half of them with `Prefer: wait`, and keeps what became of them."""

    def __init__(self, fleet, session, name, step):
        super().__init__(daemon=True)
        self.fleet, self.session, self.step = fleet, session, step
        self.history, self.problems, self.violation, self.going = History(f"{name} of {session}"), collections.Counter(), None, True
        self.connections, self.count, self.repeated = {}, 0, 0

    def run(self):
        try:
            while self.going:
                self.count += 1
                self.step(self)
                time.sleep(0.02)
        except Violation as violation:
            self.violation = violation

    def send(self, method, path, body, key):
        gateway = self.count % len(self.fleet.gateways)
        for _ in range(2):  # an idle connection may have been closed meanwhile
            if gateway not in self.connections:
                self.connections[gateway] = http.client.HTTPConnection(self.fleet.gateways[gateway].url.split("//")[1], timeout=TIME_LIMIT)
            try:
                headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {}) | ({"Prefer": "wait=30"} if self.count // 2 % 2 else {})
                self.connections[gateway].request(method, f"/i/{self.session}{path}", None if body is None else json.dumps(body), headers)
                response = self.connections[gateway].getresponse()
                return response.status, json.loads(response.read()), response.headers
            except (OSError, http.client.HTTPException) as error:
                self.connections.pop(gateway).close()
                if not key:
                    return 0, {"type": type(error).__name__}, {}
        raise Violation(f"{self.history.name}: no response to {method} {path} within {TIME_LIMIT} s")

    def operate(self, kind, value, method, path, body=None):
        """Sends it and records the outcome. Returns the JSON of a success."""
        operation = self.history.begin(kind, value)
        key = None if method == "GET" else str(uuid.uuid4())
        status, answer, headers = self.send(method, path, body, key)
        outcome = self.outcome(status, answer)
        self.history.end(operation, outcome, (headers.get("Mgba-Epoch"),))
        if key and outcome != "none" and (outcome == "maybe" or self.count % AGAIN == 0):
            self.repeated += 1
            again = self.send(method, path, body, key)
            if again[:2] != (status, answer) or again[2].get("Idempotency-Replayed") != "true":
                raise Violation(f"{self.history.name}: the second response to one key differs: {status} {answer}, then {again[0]} {again[1]}")
        return operation, answer if status == 200 else None

    def outcome(self, status, answer):
        if status == 200:
            return "ok"
        problem = answer.get("type", "").rsplit(":", 1)[-1]
        self.problems[problem] += 1
        if status == 0 or problem in ("session-moving", "lease-expired"):
            return "maybe" if status == 0 or answer.get("mayHaveRun") else "none"
        return outcome_of(status, problem, answer.get("code", ""))


def increase(player):
    operation, answer = player.operate("read", None, "GET", number(COUNTER))
    if not answer:
        return
    value = answer["value"]
    operation.result = answer["epoch"], value
    player.operate("increase", value, "POST", "/v2/batch", {"items": [
        {"guard": {"location": hex(COUNTER), "type": "u32", "value": value}}, {"write": {"location": hex(COUNTER), "type": "u32", "value": value + 1}}]})


def tap(player):
    _, answer = player.operate("tap", None, "POST", "/v2/keys/tap", {"keys": ["A"], "frames": 2})
    over = answer and (answer["epoch"], answer["up"] + 2)
    while player.going:
        operation, answer = player.operate("count", None, "GET", number(PRESSES))
        if answer and (over is None or answer["epoch"] != over[0] or answer["frame"] > over[1]):
            operation.result = answer["epoch"], answer["value"]
            return
        operation.outcome = "none"  # the press is not over yet
        time.sleep(0.02)


KINDS = {
    "drain": lambda fleet, node, job: fleet.slurm.call("scancel", "--full", job),
    "cancel": lambda fleet, node, job: fleet.slurm.call("scancel", job),
    "lost": lambda fleet, node, job: os.kill(node, signal.SIGKILL),
}


def move(fleet, kind):
    """Ends the hosts of half of the sessions. Returns when, and the sessions."""
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == SESSIONS, "all run", 120)
    time.sleep(STATE_EVERY + TO_STORE)  # a state of each copy is stored
    sessions = random.sample(fleet.ids, SESSIONS // 2)
    jobs = [fleet.job(session) for session in sessions]
    before = {session: fleet.sessions()[session]["generation"] for session in sessions}
    began = time.monotonic()
    for job, node in jobs:
        KINDS[kind](fleet, node, job)
    until(lambda: all(now["state"] == "running" and now["generation"] > before.get(session, 0) for session, now in fleet.sessions().items()), "the sessions run elsewhere", 120)
    print(f"{kind}: {len(sessions)} sessions run elsewhere after {time.monotonic() - began:.1f} s", flush=True)
    return began, sessions


def test_moves_lose_nothing_and_run_nothing_twice():
    """Hosts are drained, cancelled and lost in turn under guarded increments and taps: what succeeded is in the game once, what did not run is not"""
    fleet = Fleet([*(setting for setting in SETTINGS if "LeaseTime" not in setting), f"Fleet:LeaseTime=00:00:{LEASE}"])
    try:
        fleet.run(SESSIONS)
        players = {session: [Player(fleet, session, "counter 1", increase), Player(fleet, session, "counter 2", increase), Player(fleet, session, "taps", tap)] for session in fleet.ids}
        everyone = [player for group in players.values() for player in group]
        for player in everyone:
            player.start()
        moves = {session: [] for session in fleet.ids}
        for round_ in range(MOVES):
            kind = list(KINDS)[round_ % len(KINDS)]
            began, sessions = move(fleet, kind)
            for session in sessions:
                moves[session].append((began, kind != "lost"))
        time.sleep(2)
        for player in everyone:
            player.going = False
        for player in everyone:
            player.join(TIME_LIMIT + 5)
            assert not player.is_alive(), f"{player.history.name} hangs"
        violations = [str(player.violation) for player in everyone if player.violation]
        lost = []
        for session in fleet.ids:
            *counters, taps = (player.history for player in players[session])
            final = request(fleet.gateways[0], f"/i/{session}{number(COUNTER)}")[1]["value"]
            try:
                copies = copies_of([*counters, taps], moves[session])
                lost += check_moved_counter(counters, copies, final) + check_moved_taps(taps, copies)
            except Violation as violation:
                violations.append(f"{session}: {violation}")
        outcomes = collections.Counter(f"{each.kind} {each.outcome}" for player in everyone for each in player.history.operations if each.kind in ("increase", "tap"))
        print(f"{MOVES} moves of {sum(map(len, moves.values()))} copies: {dict(sorted(outcomes.items()))}, problems {dict(sum((player.problems for player in everyone), collections.Counter()))}, "
              f"{sum(player.repeated for player in everyone)} sent again with their key; load average {os.getloadavg()[0]:.0f}")
        if lost:
            print(f"play lost at a lost host, by the oldest missing change: median {statistics.median(lost):.2f} s, max {max(lost):.2f} s of {len(lost)} (Owned:StateEvery {STATE_EVERY:.0f} s)")
        assert violations == []
        assert check_events(fleet) == []
        assert max(lost, default=0) <= STATE_EVERY + TO_STORE
    finally:
        fleet.end()
