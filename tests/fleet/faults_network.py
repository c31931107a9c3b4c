"""Faults of the network between machines, a long test: a machine that is cut off with its host and gateway (FLEET_CUTS=10 times), and a link that falls silent."""

import contextlib
import os
import statistics
import tempfile
import threading
import time

import pytest

import processes
from checks import until
from cluster import Postgres
from faults_fleet import CELL, STATE_EVERY, call, host_of, load
from gateway import Gateway
from machines import Machines
from fleet import check_events
from two_machines import SETTINGS, Node, Stage, make_certificates

CUTS = int(os.environ.get("FLEET_CUTS", "10"))
LEASE = 6  # seconds
LEADER_LOCK = 0x6261_0003  # the lower half of the advisory lock
DOCUMENTED = {"session-moving", "lease-expired", "connect-failed", "connection-lost", "silent", "emulator-missing", "no-game", "script-missing", "timeout", "unknown-emulator", "indeterminate"}
SILENT_SECONDS = 30  # docs/fleet.md, section "Several machines"
# of what is measured here, a second of silence is a part
QUICK = ["Transport:ConnectTimeout=00:00:02", "Transport:SilenceTimeout=00:00:02", "Transport:RequestTimeout=00:00:10"]


def settings(*others):
    named = {setting.split("=")[0] for setting in others}
    return [*(setting for setting in SETTINGS if setting.split("=")[0] not in named), *others]


def name_of(answer):
    return answer.get("type", "").rsplit(":", 1)[-1]


class Fleet:
    """A gateway and a host on each of two machines; PostgreSQL is on the first one. The gateway of the second one leads."""

    def __init__(self, sessions):
        with contextlib.ExitStack() as undo:
            self.machines = Machines()
            undo.callback(self.machines.end)
            self.folder = undo.enter_context(tempfile.TemporaryDirectory(prefix="mgba-bridge-certificates-"))
            with self.machines.inside(0):
                self.database = Postgres(listen=Machines.ADDRESSES[0])
            undo.callback(self.database.end)
            self.settings = settings(*QUICK, f"Fleet:LeaseTime=00:00:{LEASE:02}", "Fleet:EmulatorsPerHost=4",
                                     f"Fleet:Database=Host={Machines.ADDRESSES[0]};Username=postgres;Database=postgres", *make_certificates(self.folder))
            self.gateways, self.nodes = [None, None], [None, None]
            undo.callback(self.end_programs)
            for machine in (1, 0):
                with self.machines.inside(machine):
                    self.gateways[machine] = Gateway(*self.settings)
                if machine == 1:
                    until(lambda: self.leader() == Machines.ADDRESSES[1], "the gateway of the second machine leads", 30)
            for machine in (0, 1):
                self.start_node(machine)
            self.ids = self.call(0, "/v2/fleet/sessions", {"rom": ":test:", "count": sessions})[1]["ids"]
            until(lambda: self.call(0, "/v2/fleet")[1]["running"] == sessions, "all sessions run", 120)
            self.undo = undo.pop_all()

    def start_node(self, machine):
        with self.machines.inside(machine):
            address = Machines.ADDRESSES[machine]
            self.nodes[machine] = Node(self.gateways[machine].program, *self.settings, f"Fleet:ListenAddress={address}", f"Fleet:AdvertisedAddress={address}")
        until(lambda: host_of(self.nodes[machine]) and self.ready() >= sum(node is not None for node in self.nodes), "the host is registered", 60)

    def call(self, machine, path, body=None, method=None):
        with self.machines.inside(machine):
            return call(self.gateways[machine], path, body, method)

    def query(self, sql):
        return self.database.query(sql)

    def ready(self):
        return int(self.query("select count(*) from mgba_fleet.hosts where state = 'ready' and lease_until > mgba_fleet.moment()")[0][0])

    def leader(self):
        rows = self.query(f"select host(a.client_addr) from pg_stat_activity a join pg_locks l using (pid) where l.locktype = 'advisory' and l.granted and l.objid::bigint = {LEADER_LOCK}")
        return rows[0][0] if rows else None

    def sessions_of(self, machine):
        return [row[0] for row in self.query(
            f"select s.id from mgba_fleet.sessions s join mgba_fleet.hosts h on h.id = s.host where h.state = 'ready' and h.address = '{Machines.ADDRESSES[machine]}' order by s.id")]

    def emulators(self, machine):
        return processes.children(self.nodes[machine].process.pid)

    def end_programs(self):
        for one in [*self.nodes, *self.gateways]:
            if one:
                one.end()

    def end(self):
        self.undo.close()


class Player(threading.Thread):
    """Writes into a cell of a session through the gateway of one machine, and keeps what was accepted: when it was sent and answered, and by which copy."""

    def __init__(self, fleet, machine, session):
        super().__init__(daemon=True)
        self.fleet, self.machine, self.session = fleet, machine, session
        self.accepted, self.problems, self.going = [], {}, True

    def run(self):
        value = 0
        while self.going:
            value += 1
            sent = time.monotonic()
            try:
                status, answer = self.fleet.call(self.machine, f"/i/{self.session}/v2/memory/{CELL}/u32", {"value": value}, "PUT")
            except OSError as error:
                status, answer = 0, {"type": type(error).__name__}
            if status == 200:
                self.accepted.append((sent, time.monotonic(), answer["epoch"]))
            else:
                self.problems[name_of(answer)] = self.problems.get(name_of(answer), 0) + 1
            time.sleep(0.05)


class Watch(threading.Thread):
    """When the database noticed that the second machine was cut off: its connections and, if it led, its lock."""

    def __init__(self, fleet, cut):
        super().__init__(daemon=True)
        self.fleet, self.cut, self.ended, self.led = fleet, cut, None, None

    def run(self):
        while self.ended is None or self.led is None:
            if self.led is None and self.fleet.leader() == Machines.ADDRESSES[0]:
                self.led = time.monotonic() - self.cut
            if self.ended is None and self.fleet.query(f"select count(*) from pg_stat_activity where client_addr = '{Machines.ADDRESSES[1]}'") == [["0"]]:
                self.ended = time.monotonic() - self.cut
            time.sleep(0.3)

    def report(self):
        lost = self.fleet.query("select extract(epoch from clock_timestamp() - max(at)) from mgba_fleet.events where kind = 'host.lost'")[0][0]
        return (f"the first machine led after {self.led:.1f} s, the database had no connection left after {self.ended:.1f} s, "
                f"the host was declared lost after {time.monotonic() - self.cut - float(lost):.1f} s")


def overlapping(players):
    """Writes that a copy accepted although they were sent after its successor had accepted one."""
    wrong = []
    for session in {player.session for player in players}:
        writes = sorted((write for player in players if player.session == session for write in player.accepted), key=lambda write: write[1])
        first = {}
        for _, answered, epoch in writes:
            first.setdefault(epoch, answered)
        order = list(first)
        for sent, _, epoch in writes:
            later = [other for other in order[order.index(epoch) + 1:] if first[other] < sent]
            wrong += [f"{session}: {epoch} accepted a write {sent - first[later[0]]:.2f} s after {later[0]}"] if later else []
    return wrong


def test_machine_cut_off():
    """A machine is cut off with its host and its gateway: its sessions answer elsewhere, its copies are fenced and end when it is back"""
    fleet = Fleet(sessions=4)
    try:
        players = [Player(fleet, machine, session) for machine in (0, 1) for session in fleet.ids]
        for player in players:
            player.start()
        took, with_leader = [], []
        for round_ in range(CUTS):
            if not fleet.sessions_of(1):  # the host of the first machine hands its sessions over
                fleet.nodes[0].end()
                fleet.nodes[0] = None
                until(lambda: len(fleet.sessions_of(1)) == len(fleet.ids), "the second machine has all sessions", 60)
                fleet.start_node(0)
            until(lambda: fleet.call(0, "/v2/fleet")[1]["running"] == len(fleet.ids), "all sessions run", 60)
            lost, host, leads = fleet.sessions_of(1), host_of(fleet.nodes[1]), fleet.leader() == Machines.ADDRESSES[1]
            watched = [player for player in players if player.machine == 0 and player.session in lost]
            began = time.monotonic()
            until(lambda: all(player.accepted and player.accepted[-1][0] > began for player in watched), "all are played", 60)
            time.sleep(STATE_EVERY + 0.5)
            epochs = {player.session: player.accepted[-1][2] for player in watched}
            cut = time.monotonic()
            how = ("silent", "cut")[round_ % 2]
            fleet.machines.silence() if how == "silent" else fleet.machines.cut()
            watch = Watch(fleet, cut)
            watch.start()
            for player in watched:
                until(lambda player=player: player.accepted[-1][2] != epochs[player.session], f"{player.session} answers elsewhere", 120)
                first = next(answered for _, answered, epoch in player.accepted if answered > cut and epoch != epochs[player.session])
                (with_leader if leads else took).append(first - cut)
            watch.join(60)
            assert not watch.is_alive(), "the database still has connections of the machine that was cut off"
            copies = len(fleet.emulators(1))
            fleet.machines.heal()
            healed = time.monotonic()
            until(lambda host=host: host_of(fleet.nodes[1]) != host, "its host registers under another id", 60)
            back = time.monotonic() - healed
            until(lambda: len(fleet.emulators(1)) == len(fleet.sessions_of(1)), "its old copies have ended", 60)
            late = fleet.query("select t.session, t.generation from mgba_fleet.states t join mgba_fleet.events e on e.session = t.session and e.kind = 'session.placed' "
                               "and e.generation > t.generation and e.at < t.taken_at")
            assert late == [], f"states of fenced copies were stored: {late}"
            print(f"{round_ + 1}: {how}{' with the leader' if leads else ''}, {len(lost)} sessions answer elsewhere after {', '.join(f'{each:.1f}' for each in (with_leader if leads else took)[-len(lost):])} s; "
                  f"{watch.report()}; it kept {copies} emulators; its host was back {back:.1f} s after the link", flush=True)
        for player in players:
            player.going = False
        for player in players:
            player.join(60)
        problems = {}
        for player in players:
            for name, count in player.problems.items():
                problems[name] = problems.get(name, 0) + count
        for times, what in ((took, "cut off"), (with_leader, "cut off with the leader")):
            if times:
                print(f"{what}: {len(times)} sessions answer elsewhere, median {statistics.median(times):.1f} s, max {max(times):.1f} s (lease {LEASE} s); {load()}")
        print(f"{sum(len(player.accepted) for player in players)} writes accepted, others {problems}")
        assert check_events(fleet) == []
        assert overlapping(players) == []
        assert any(player.problems.get("lease-expired") for player in players if player.machine == 1)  # by the gateway that was cut off
        assert set(problems) <= DOCUMENTED | {"fleet-unavailable"}, problems
    finally:
        fleet.end()


def descriptors(pid):
    """Those of a process, without the assemblies that it has loaded until now."""
    return sum(count for kind, count in processes.descriptors_by_kind(pid).items() if not kind.endswith(".dll"))


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.end()


def test_silent_link(stage):
    """A link falls silent without a sign: requests get a documented problem in time, connections end on both sides, and nothing is left"""
    fleet = stage.fleet(settings=settings(*QUICK))
    machines = stage.machines
    fleet.start_session("game")
    gateway, node = fleet.gateway.process.pid, fleet.node.process.pid
    path = f"/i/game/v2/memory/{CELL}/u32"
    assert fleet.request(path)[0] == 200
    before = {pid: descriptors(pid) for pid in (gateway, node)}
    names, longest = {}, 0
    assert machines.connections(0) and machines.connections(1)
    old = set(machines.connections(1))
    machines.silence()
    silent, gone = time.monotonic(), None
    while time.monotonic() < silent + SILENT_SECONDS + 15:
        began = time.monotonic()
        status, answer = fleet.request(path)
        longest = max(longest, time.monotonic() - began)
        assert status in (502, 503, 504), (status, answer)
        names[name_of(answer)] = names.get(name_of(answer), 0) + 1
        if gone is None and not old & set(machines.connections(1)):
            gone = time.monotonic() - silent
        time.sleep(0.2)
    assert not machines.connections(0) and not machines.connections(1), (machines.connections(0), machines.connections(1))
    assert gone and gone < SILENT_SECONDS + 5, gone
    assert set(names) <= DOCUMENTED, names
    machines.heal()
    healed = time.monotonic()
    until(lambda: fleet.request(path)[0] == 200, "the session answers again", 60)
    again = time.monotonic() - healed
    until(lambda: all(descriptors(pid) <= count + 4 for pid, count in before.items()), "no connection is left", 60)
    print(f"silent link: the longest request took {longest:.1f} s, {names}; the host's connections ended after {gone:.1f} s; answered {again:.1f} s after the link was back; "
          f"descriptors {before} before, {({pid: descriptors(pid) for pid in before})} after; {load()}")
    assert longest < 10, longest
