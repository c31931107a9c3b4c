"""Long tests of a fleet: FLEET_LOST_HOSTS=20 lost and frozen hosts under load, a database that is away for FLEET_OUTAGE=60 seconds, and the latency of links (FLEET_LINK_ROUNDS=20)."""

import http.client
import os
import signal
import statistics
import threading
import time

import pytest

from cluster import Postgres, until
from gateway import Gateway
from fleet import CELL, check_events, request
from two_machines import SETTINGS, Node, Stage

LOST_HOSTS = int(os.environ.get("FLEET_LOST_HOSTS", "20"))
OUTAGE = int(os.environ.get("FLEET_OUTAGE", "60"))
ROUNDS = int(os.environ.get("FLEET_LINK_ROUNDS", "20"))
STATE_EVERY = 1


def load():
    return f"load average {os.getloadavg()[0]:.0f}"


def call(gateway, path, body=None, method=None):
    return request(gateway, path, body, method, timeout=40)[:2]


class Fleet:
    """Gateways, and hosts that the test itself starts; all reach the scripts directly."""

    def __init__(self, lease, hosts, sessions):
        self.database, self.gateways, self.nodes = Postgres(), [], []
        self.settings = [setting for setting in SETTINGS if "LeaseTime" not in setting]
        self.settings += [f"Fleet:Database={self.database.address}", f"Fleet:LeaseTime=00:00:{lease:02}", "Fleet:EmulatorsPerHost=4"]
        try:
            for _ in range(2):
                self.gateways.append(Gateway(*self.settings))
            for _ in range(hosts):
                self.add()
            until(lambda: self.ready() == hosts, "all hosts are registered", 60)
            self.ids = call(self.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": sessions})[1]["ids"]
            until(lambda: call(self.gateways[0], "/v2/fleet")[1]["running"] == sessions, "all sessions run", 120)
        except BaseException:
            self.end()
            raise

    def add(self):
        self.nodes.append(Node(self.gateways[0].program, *self.settings))

    def ready(self):
        return int(self.database.query("select count(*) from mgba_fleet.hosts where state = 'ready' and lease_until > mgba_fleet.moment()")[0][0])

    def query(self, sql):
        return self.database.query(sql)

    def end(self):
        for node in self.nodes:
            node.process.send_signal(signal.SIGCONT)
            node.end()
        for gateway in self.gateways:
            gateway.end()
        self.database.end()


class Player(threading.Thread):
    """Writes ever greater values into a cell of a session, and keeps what became of them."""

    def __init__(self, fleet, session, number):
        super().__init__(daemon=True)
        self.fleet, self.session, self.number = fleet, session, number
        self.value, self.acknowledged, self.problems, self.wrong = 0, [], {}, []
        self.going = True

    def run(self):
        while self.going:
            gateway = self.fleet.gateways[self.value % 2]
            self.value += 1
            try:
                self.write_and_read(gateway)
            except (OSError, http.client.HTTPException) as error:
                self.count(type(error).__name__)
            time.sleep(0.02)

    def write_and_read(self, gateway):
        status, answer = call(gateway, f"/i/{self.session}/v2/memory/{CELL}/u32", {"value": self.value}, "PUT")
        if status != 200:
            self.count(answer.get("type", str(status)).rsplit(":", 1)[-1])
            return
        self.acknowledged.append((time.monotonic(), self.value, answer["epoch"]))
        status, answer = call(gateway, f"/i/{self.session}/v2/memory/{CELL}/u32")
        # a state of before may have been loaded meanwhile, but nothing may be there that was not sent
        if status == 200 and answer["value"] > self.value:
            self.wrong.append(f"{self.session}: {answer['value']} was read when {self.value} was the greatest value sent")

    def count(self, problem):
        self.problems[problem] = self.problems.get(problem, 0) + 1


def test_lost_hosts_under_load():
    """Hosts are killed and frozen in turn while all sessions are written to: each session answers elsewhere in time, no copy is written twice"""
    lease = 6
    fleet = Fleet(lease, hosts=3, sessions=4)
    try:
        players = [Player(fleet, session, number) for number, session in enumerate(fleet.ids)]
        for player in players:
            player.start()
        took, refused = [], 0
        for round_ in range(LOST_HOSTS):
            until(lambda: fleet.ready() >= 3 and call(fleet.gateways[0], "/v2/fleet")[1]["running"] == len(fleet.ids), "all run, and there are three hosts", 90)
            time.sleep(STATE_EVERY + 0.5)
            hosts = {int(name): (host, node) for node in fleet.nodes for name, host in [(node.process.pid, host_of(node))] if host}
            busy = {row[0] for row in fleet.query("select distinct host from mgba_fleet.sessions where host is not null")}
            host, node = next((host, node) for host, node in hosts.values() if host in busy)
            lost = [row[0] for row in fleet.query(f"select id from mgba_fleet.sessions where host = '{host}'")]
            epochs = {player.session: player.acknowledged[-1][2] for player in players if player.acknowledged}
            frozen = round_ % 2 == 1
            node.process.send_signal(signal.SIGSTOP if frozen else signal.SIGKILL)
            began = time.monotonic()
            for player in players:
                if player.session in lost:
                    until(lambda player=player: player.acknowledged[-1][0] > began and player.acknowledged[-1][2] != epochs[player.session], f"{player.session} answers elsewhere", 90)
                    first = next(at for at, _, epoch in player.acknowledged if at > began and epoch != epochs[player.session])
                    took.append(first - began)
            print(f"{round_ + 1}: {'frozen' if frozen else 'killed'}, sessions answer elsewhere after {', '.join(f'{each:.1f}' for each in took[-len(lost):])} s", flush=True)
            if frozen:
                node.process.send_signal(signal.SIGCONT)  # it is fenced: ends its copies and registers anew
                until(lambda host=host: host_of(node) not in (None, host), "the host registers under another id", 60)
                refused += 1
            else:
                fleet.nodes.remove(node)
                node.end()
                fleet.add()
        for player in players:
            player.going = False
        for player in players:
            player.join(60)
        lost_hosts = len(fleet.query("select 1 from mgba_fleet.events where kind = 'host.lost'"))
        problems = {name: sum(player.problems.get(name, 0) for player in players) for name in sorted({name for player in players for name in player.problems})}
        print(f"{LOST_HOSTS} hosts lost ({refused} of them frozen and continued), {len(took)} sessions moved: median {statistics.median(took):.1f} s, max {max(took):.1f} s (lease {lease} s); "
              f"{sum(len(player.acknowledged) for player in players)} writes accepted, others {problems}; {load()}")
        assert check_events(fleet) == []
        assert [wrong for player in players for wrong in player.wrong] == []
        assert lost_hosts >= LOST_HOSTS
        # effects of a copy are accepted only before the first one of its successor
        for player in players:
            epochs = [epoch for _, _, epoch in player.acknowledged]
            changes = [epoch for epoch, before in zip(epochs, [None, *epochs]) if epoch != before]
            assert len(changes) == len(set(changes)), f"{player.session}: an earlier copy was written again: {changes}"
        assert set(problems) <= {"session-moving", "lease-expired", "connect-failed", "connection-lost", "silent", "emulator-missing", "no-game", "script-missing", "timeout", "unknown-emulator"}, problems
    finally:
        fleet.end()


def host_of(node):
    """The id under which a host has registered last, by its log."""
    found = [line for line in node.log.read_text(errors="replace").splitlines() if "is registered in the fleet" in line]
    return found[-1].split("Host ")[1].split()[0] if found else None


def test_database_away_for_a_minute():
    """The database is away for a minute, with a lease of 15 s: effects are refused in time, reads answered, nothing moves, nothing is lost"""
    lease = 15
    fleet = Fleet(lease, hosts=2, sessions=4)
    try:
        before = {session: call(fleet.gateways[0], f"/i/{session}/v2/game")[1]["epoch"] for session in fleet.ids}
        for session in fleet.ids:
            call(fleet.gateways[1], f"/i/{session}/v2/game")
        generations = fleet.query("select id, generation from mgba_fleet.sessions order by id")
        fleet.database.stop()
        stopped, last, first_refused, reads, writes = time.monotonic(), 0, None, 0, {}
        while time.monotonic() < stopped + OUTAGE:
            for number, session in enumerate(fleet.ids):
                gateway = fleet.gateways[number % 2]
                status, answer = call(gateway, f"/i/{session}/v2/memory/{CELL}/u32", {"value": number}, "PUT")
                at = time.monotonic() - stopped
                if status == 200:
                    last = at
                    assert at <= lease + 1, f"an effect was accepted {at:.1f} s after the database had stopped"
                else:
                    name = answer["type"].rsplit(":", 1)[1]
                    assert name == "lease-expired", answer
                    first_refused = first_refused or at
                writes[status] = writes.get(status, 0) + 1
                status, answer = call(gateway, f"/i/{session}/v2/game")
                assert (status, answer.get("epoch")) == (200, before[session]), answer
                reads += 1
            time.sleep(0.2)
        status, answer = call(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:"})
        assert (status, answer["type"].rsplit(":", 1)[1]) == (503, "fleet-unavailable"), answer
        fleet.database.start()
        back = time.monotonic()
        for session in fleet.ids:
            until(lambda session=session: call(fleet.gateways[0], f"/i/{session}/v2/memory/{CELL}/u32", {"value": 7}, "PUT")[0] == 200, "effects are accepted again", 60)
        again = time.monotonic() - back
        time.sleep(lease + 3)  # longer than the leader waits before it moves anything
        assert fleet.query("select id, generation from mgba_fleet.sessions order by id") == generations
        assert {session: call(fleet.gateways[0], f"/i/{session}/v2/game")[1]["epoch"] for session in fleet.ids} == before
        assert check_events(fleet) == []
        print(f"database away for {OUTAGE} s, lease {lease} s: last effect accepted after {last:.1f} s, first refused after {first_refused:.1f} s, {reads} reads all answered, "
              f"writes by status {writes}; effects accepted {again:.1f} s after it was back, nothing moved; {load()}")
    finally:
        fleet.end()


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.end()


def test_latency_of_links(stage):
    """Requests through a link and without one, in alternating rounds"""
    fleets = {"direct": stage.fleet(links=False), "link": stage.fleet()}
    connections, times = {}, {name: [] for name in fleets}
    for name, fleet in fleets.items():
        fleet.start_session("game")
        connections[name] = fleet.connect()
    for round_ in range(ROUNDS + 1):
        for name, connection in connections.items():
            for _ in range(100):
                began = time.perf_counter()
                connection.request("GET", f"/i/game/v2/memory/{CELL}/u32")
                response = connection.getresponse()
                response.read()
                assert response.status == 200
                if round_:  # the first round warms up
                    times[name].append(time.perf_counter() - began)
    for part, what in ((10, "p10"), (50, "p50"), (90, "p90")):
        value = {name: 1000 * statistics.quantiles(values, n=100)[part - 1] for name, values in times.items()}
        print(f"{ROUNDS} rounds of 100 reads, {what}: direct {value['direct']:.3f} ms, through a link {value['link']:.3f} ms, difference {value['link'] - value['direct']:.3f} ms; {load()}")
