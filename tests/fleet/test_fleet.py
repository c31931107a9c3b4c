"""A fleet on this machine: PostgreSQL, a Slurm of two nodes, two gateways and eight games, and what happens when parts of it fail."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from checks import until
from cluster import Postgres, Slurm, is_alive
from gateway import PATIENT, Gateway
from mgba_wire import Failure

LEASE = 6  # seconds
GAMES = 8
CELL = "0x02000400"  # not used by the test game
SAVED = "0x0E000010"  # save RAM, which becomes the save file
SETTINGS = [
    "Fleet:Engine=slurm",
    f"Fleet:LeaseTime=00:00:{LEASE:02}",
    "Fleet:EmulatorsPerHost=4",
    "Fleet:SpareEmulators=4",
    "Fleet:IdleHostStop=00:10:00",
    "Owned:StateEvery=00:00:01",
    "Discover=false",
    *PATIENT,
]


def request(gateway, path, body=None, method=None, headers=None, timeout=30):
    """Status, JSON and headers of a response."""
    data = None if body is None else json.dumps(body).encode()
    call = urllib.request.Request(gateway.url + path, data, {"Content-Type": "application/json", **(headers or {})}, method=method or ("GET" if body is None else "POST"))
    try:
        with urllib.request.urlopen(call, timeout=timeout) as response:
            return response.status, json.loads(response.read() or b"null"), response.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null"), error.headers


def get(gateway, path, **options):
    status, answer, _ = request(gateway, path, **options)
    if status != 200:
        raise Failure(f"{path}: {status} {answer}")
    return answer


def problem(answer):
    return answer["type"].rsplit(":", 1)[1]


class Fleet:
    def __init__(self, settings=SETTINGS):
        self.gateways, self.ids, self.slurm = [], [], None
        self.database = Postgres()
        try:
            self.slurm = Slurm()
            os.environ.update(self.slurm.environment)
            for _ in range(2):
                self.gateways.append(Gateway(f"Fleet:Database={self.database.address}", *settings))
        except BaseException:
            self.end()
            raise

    def sessions(self, gateway=1):
        return {session["id"]: session for session in get(self.gateways[gateway], "/v2/fleet/sessions?limit=1000")["sessions"]}

    def run(self, count):
        began = time.monotonic()
        status, answer, _ = request(self.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": count})
        assert status == 200, answer
        self.ids += answer["ids"]
        with ThreadPoolExecutor(count) as pool:
            for each in pool.map(lambda session: request(self.gateways[1], f"/i/{session}/v2/game", headers={"Prefer": "wait=60"}, timeout=90), answer["ids"]):
                assert each[0] == 200, each
        return time.monotonic() - began

    def nodes(self):
        """Processes of `mgba-bridge node`, by the machine's own account."""
        found = []
        for folder in os.listdir("/proc"):
            try:
                words = open(f"/proc/{folder}/cmdline", "rb").read().split(b"\0")
                environment = open(f"/proc/{folder}/environ", "rb").read()
            except OSError:
                continue
            if b"node" in words and self.database.folder.encode() in environment and is_alive(folder):
                found.append(int(folder))
        return found

    def emulators(self, node):
        tasks = f"/proc/{node}/task"
        return [child for task in os.listdir(tasks) for child in open(f"{tasks}/{task}/children", encoding="ascii").read().split()]

    def end(self):
        for gateway in self.gateways:
            gateway.stop()  # none requests new hosts
        if self.slurm:
            self.slurm.end()
        self.database.end()
        for node in self.nodes():
            os.kill(node, signal.SIGKILL)
        for gateway in self.gateways:
            gateway.end()  # the hosts write into its folder


@pytest.fixture(scope="module")
def fleet():
    fleet = Fleet()
    yield fleet
    fleet.end()


def frame(fleet, session, gateway=1):
    return get(fleet.gateways[gateway], f"/i/{session}/v2/game", headers={"Prefer": "wait=30"})


def test_eight_sessions_start_on_slurm(fleet):
    """Eight sessions start on two Slurm nodes, and both gateways reach all of them"""
    took = fleet.run(GAMES)
    print(f"POST /v2/fleet/sessions until {GAMES} answer: {took:.1f} s")
    assert get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES
    for gateway in fleet.gateways:
        for session in fleet.ids:
            assert get(gateway, f"/i/{session}/v2/game")["platform"] == "gba"
    assert len({host["name"] for host in get(fleet.gateways[0], "/v2/fleet/hosts")["hosts"]}) >= 1
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["hosts"] == 3, "there is a spare host")


def test_bot_plays_all_sessions(fleet):
    """A bot presses keys in all games through both gateways, and each press is made once"""
    for number, session in enumerate(fleet.ids):
        before = request(fleet.gateways[0], f"/i/{session}/v2/keys/tap", {"keys": ["A"], "frames": 2})
        assert before[0] == 200, before
        after = get(fleet.gateways[1], f"/i/{session}/v2/game")
        assert before[2]["Mgba-Epoch"] == after["epoch"], number


def test_lost_host_is_replaced(fleet):
    """A host is killed under load: each of its sessions answers elsewhere within lease time + 3 s, and no copy is written twice"""
    before = {session: frame(fleet, session) for session in fleet.ids}
    time.sleep(1.5)  # an automatic state of each is due every second
    until(lambda: int(fleet.database.query("select count(distinct session) from mgba_fleet.states")[0][0]) == GAMES, "each session has a stored state")
    hosts = {row[0]: row[1] for row in fleet.database.query("select id, host from mgba_fleet.sessions")}
    victim = next(node for node in fleet.nodes() if len(fleet.emulators(node)) == 4)
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["capacity"] == 12, "there is a spare host")
    os.kill(victim, signal.SIGKILL)
    killed = time.monotonic()
    moved = {}

    def answers(session):
        while time.monotonic() < killed + 60:
            status, answer, _ = request(fleet.gateways[1], f"/i/{session}/v2/keys/tap", {"keys": ["B"], "frames": 1})
            if status == 200 and answer["epoch"] != before[session]["epoch"]:
                return time.monotonic() - killed
            time.sleep(0.05)
        return None

    until(lambda: fleet.database.query("select 1 from mgba_fleet.events where kind = 'host.lost'"), "the host is declared lost", LEASE + 10)
    lost_host = fleet.database.query("select host from mgba_fleet.events where kind = 'host.lost' order by id desc limit 1")[0][0]
    lost = [session for session, host in hosts.items() if host == lost_host]
    with ThreadPoolExecutor(GAMES) as pool:
        moved = dict(zip(lost, pool.map(answers, lost)))
    print(f"{len(lost)} sessions answer elsewhere after {', '.join(f'{took:.1f}' for took in moved.values() if took)} s (lease {LEASE} s)")
    assert len(lost) == 4 and all(moved.values()), moved
    for session in set(fleet.ids) - set(lost):
        assert frame(fleet, session)["epoch"] == before[session]["epoch"]
    assert check_events(fleet) == []


def test_database_away(fleet):
    """While the database is away reads are answered and effects get lease-expired; afterwards nothing has moved"""
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES, "all run")
    before = {session: frame(fleet, session, 0) for session in fleet.ids}
    generations = fleet.database.query("select id, generation from mgba_fleet.sessions order by id")
    fleet.database.stop()
    stopped = time.monotonic()
    refused = None
    while time.monotonic() < stopped + 2 * LEASE + 2:
        status, answer, _ = request(fleet.gateways[0], f"/i/{fleet.ids[0]}/v2/keys/tap", {"keys": ["A"], "frames": 1})
        if status != 200:
            assert (status, problem(answer)) == (503, "lease-expired"), answer
            refused = refused or time.monotonic() - stopped
        time.sleep(0.1)
    assert refused and refused <= LEASE + 1, refused
    for session in fleet.ids:
        assert frame(fleet, session, 0)["epoch"] == before[session]["epoch"]
    status, answer, _ = request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:"})
    assert (status, problem(answer)) == (503, "fleet-unavailable"), answer
    fleet.database.start()

    def play():
        return request(fleet.gateways[0], f"/i/{fleet.ids[0]}/v2/keys/tap", {"keys": ["A"], "frames": 1})[0] == 200

    until(play, "effects are accepted again")
    time.sleep(LEASE + 2)  # longer than the leader waits before it moves anything
    assert fleet.database.query("select id, generation from mgba_fleet.sessions order by id") == generations
    for session in fleet.ids:
        assert frame(fleet, session, 0)["epoch"] == before[session]["epoch"]
    assert check_events(fleet) == []


def test_lost_report_is_repeated(fleet):
    """That a session runs is reported again when a crash of the database has lost it"""
    before = fleet.database.query("select id, generation from mgba_fleet.sessions order by id")
    fleet.database.query(f"update mgba_fleet.sessions set state = 'placed', script_port = null where id = '{fleet.ids[0]}'")
    fleet.database.query("select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen mgba_fleet'")
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES, "all run")
    assert fleet.database.query("select id, generation from mgba_fleet.sessions order by id") == before
    assert frame(fleet, fleet.ids[0])["frame"]


def test_cancelled_job_hands_over(fleet):
    """A job that Slurm cancels stores its states, and its sessions continue on another host with everything that was accepted, each with its own save"""
    before = {session: frame(fleet, session) for session in fleet.ids}
    drained = len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'"))
    jobs = fleet.slurm.call("squeue", "-h", "-t", "running", "-o", "%i").split()
    for number, session in enumerate(fleet.ids):  # after the last automatic state
        for location in (f"{CELL}/u32", f"{SAVED}/u8"):
            status, answer, _ = request(fleet.gateways[0], f"/i/{session}/v2/memory/{location}", {"value": 100 + number}, "PUT")
            assert status == 200, answer
    fleet.slurm.call("scancel", "--full", jobs[0])
    until(lambda: len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'")) >= drained + 4, "four sessions are given back")
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES, "all run again")
    after = {session: frame(fleet, session) for session in fleet.ids}
    assert sum(after[session]["epoch"] != before[session]["epoch"] for session in fleet.ids) == 4
    for location in (f"{CELL}/u32", f"{SAVED}/u8"):
        assert [get(fleet.gateways[1], f"/i/{session}/v2/memory/{location}")["value"] for session in fleet.ids] == [100 + number for number in range(GAMES)], location
    assert check_events(fleet) == []


def test_gateway_killed(fleet):
    """A gateway is killed: the other one serves all sessions, leads, and starts new ones"""
    fleet.gateways[0].kill()
    for session in fleet.ids:
        assert get(fleet.gateways[1], f"/i/{session}/v2/game")["platform"] == "gba"
    status, answer, _ = request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": ":test:", "id": "late"})
    assert status == 200, answer
    assert get(fleet.gateways[1], "/i/late/v2/game", headers={"Prefer": "wait=60"}, timeout=90)["platform"] == "gba"
    fleet.gateways[0].start()


def test_missing_rom(fleet):
    """A session whose ROM no host has says so, and is not started over and over"""
    status, answer, _ = request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": "missing.gba", "id": "missing"})
    assert status == 200, answer
    session = until(lambda: (found := fleet.sessions()["missing"])["failures"] and found, "its start has failed")
    assert "RomFolders" in session["detail"], session
    status, answer, headers = request(fleet.gateways[1], "/i/missing/v2/game")
    assert (status, problem(answer), headers["Retry-After"]) == (503, "session-moving", "1"), answer
    assert request(fleet.gateways[1], "/v2/fleet/sessions/missing", method="DELETE")[0] == 200
    until(lambda: "missing" not in fleet.sessions(), "it is deleted")


def test_deleted_sessions_end(fleet):
    """Deleted sessions end, and so do their emulators"""
    for session in [*fleet.ids, "late"]:
        assert request(fleet.gateways[1], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
    until(lambda: not fleet.sessions(), "all are deleted")
    assert fleet.database.query("select count(*) from mgba_fleet.states") == [["0"]]
    assert request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game", headers={})[0] in (404, 503)
    until(lambda: request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game")[0] == 404, "the gateway does not know it any more")


def check_events(fleet):
    """The event log: generations rise by one, and a copy of a session is placed only when the one before was given back, failed, or its host is gone."""
    wrong, current, gone = [], {}, set()
    for number, kind, session, generation, host in fleet.database.query("select id, kind, session, generation, host from mgba_fleet.events order by id"):
        if kind in ("host.lost", "host.gone"):
            gone.add(host)
        elif kind == "session.placed":
            before = current.get(session)
            if before and before[1] not in gone:
                wrong.append(f"{number}: {session} was placed while {before} had it")
            if before and int(generation) != before[0] + 1:
                wrong.append(f"{number}: {session} has generation {generation} after {before[0]}")
            current[session] = (int(generation), host)
        elif kind in ("session.released", "session.failed"):
            if current.get(session) != (int(generation), host):
                wrong.append(f"{number}: {kind} of {session} by {host}, which does not have it")
            current[session] = (int(generation), None)
            gone.add(None)
        elif kind == "session.running" and current.get(session) != (int(generation), host):
            wrong.append(f"{number}: {session} runs on {host}, which does not have it")
        elif kind == "session.deleted":
            current.pop(session, None)
    return wrong
