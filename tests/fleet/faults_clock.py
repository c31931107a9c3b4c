"""Machines whose clocks are minutes apart, a long test: nothing moves without a reason, and lost hosts are found in time."""

import contextlib
import email.utils
import os
import pathlib
import time
import urllib.request

from checks import until
from cluster import Postgres
from faults_fleet import Player, call, host_of, load
from gateway import LISTENING, Gateway
from mgba_wire import Failure
from fleet import check_events
from two_machines import SETTINGS, Node

AHEAD, BEHIND = 300, -300  # seconds
LEASE = 6  # seconds
SESSIONS = 8
QUIET = 15  # seconds without a fault
IN_TIME = 60  # seconds; far less than the clocks are apart, and more than a busy machine takes


def library():
    found = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    if not found:
        raise Failure("missing: libfaketime. `scripts/install fleet-faults` installs it.")
    return str(found[0])


@contextlib.contextmanager
def clock(seconds):
    """The clock of programs that are started here, and of their children, is so far ahead. Monotonic clocks are not changed."""
    changes = {"LD_PRELOAD": library(), "FAKETIME": f"{seconds:+d}s", "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


class ClockGateway(Gateway):
    def __init__(self, seconds, *settings):
        self.seconds = seconds
        super().__init__(*settings)

    def start(self):
        with clock(self.seconds):
            super().start()


class Fleet:
    """PostgreSQL with the right clock; a gateway and hosts ahead of it, and a gateway and hosts behind. The gateway ahead leads."""

    def __init__(self):
        with contextlib.ExitStack() as undo:
            self.database = Postgres()
            undo.callback(self.database.end)
            self.settings = [setting for setting in SETTINGS if "LeaseTime" not in setting]
            self.settings += [f"Fleet:Database={self.database.address}", f"Fleet:LeaseTime=00:00:{LEASE:02}", f"Fleet:EmulatorsPerHost={SESSIONS // 2}"]
            self.gateways, self.nodes = [], []
            undo.callback(lambda: [one.end() for one in [*self.nodes, *self.gateways]])
            for seconds in (AHEAD, BEHIND):
                self.gateways.append(ClockGateway(seconds, *self.settings))
                check_clock(self.gateways[-1].url, seconds)
                until(lambda: "leads the fleet" in self.gateways[0].log.read_text(errors="replace"), "the gateway ahead leads")
            for seconds in (AHEAD, BEHIND):
                self.add(seconds)
            self.ids = call(self.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": SESSIONS})[1]["ids"]
            until(lambda: call(self.gateways[0], "/v2/fleet")[1]["running"] == SESSIONS, "all sessions run", 120)
            self.undo = undo.pop_all()

    def query(self, sql):
        return self.database.query(sql)

    def add(self, seconds):
        """Starts a host. Returns it when it is registered."""
        with clock(seconds):
            node = Node(self.gateways[0].program, *self.settings)
        self.nodes.append(node)
        until(lambda: host_of(node), "the host is registered")
        check_clock(LISTENING.search(node.log.read_text(errors="replace")).group(1), seconds)
        return node

    def lost(self):
        return [row[0] for row in self.query("select host from mgba_fleet.events where kind = 'host.lost' order by id")]

    def generations(self):
        return self.query("select id, generation from mgba_fleet.sessions order by id")

    def failures(self):
        return self.query("select session, detail from mgba_fleet.events where kind = 'session.failed' order by id")

    def sessions_of(self, node):
        return [row[0] for row in self.query(f"select id from mgba_fleet.sessions where host = '{host_of(node)}'")]

    def end(self):
        self.undo.close()


def check_clock(url, seconds):
    """The clock of a program is really so far ahead: by the `Date` of its responses."""
    with urllib.request.urlopen(f"{url}/healthz", timeout=30) as response:
        ahead = email.utils.parsedate_to_datetime(response.headers["Date"]).timestamp() - time.time()
    assert abs(ahead - seconds) < 60, f"the clock is {ahead:.0f} s ahead, not {seconds}"


def lose(fleet, node, players, gateway=None):
    """Kills a host, and a gateway before it. Returns after how many seconds the host was declared lost and its sessions answered elsewhere."""
    host, sessions = host_of(node), fleet.sessions_of(node)
    assert sessions, "the host has no sessions"
    epochs = {player.session: player.acknowledged[-1][2] for player in players}
    if gateway:
        gateway.kill()
    node.process.kill()
    killed = time.monotonic()
    until(lambda: host in fleet.lost(), "the host is declared lost", IN_TIME)
    declared = time.monotonic() - killed
    for player in players:
        if player.session in sessions:
            try:
                until(lambda player=player: player.acknowledged[-1][2] != epochs[player.session], f"{player.session} answers elsewhere", IN_TIME)
            except Failure as failure:
                state = fleet.query(f"select state, generation, host, detail from mgba_fleet.sessions where id = '{player.session}'")
                raise Failure(f"{failure}; {state}, {fleet.failures()}, {player.problems}, player {'lives' if player.is_alive() else 'is dead'}") from None
    return declared, max(player.acknowledged[-1][0] - killed for player in players if player.session in sessions)


def test_clocks_minutes_apart():
    """Two gateways and two hosts are five minutes ahead and behind: writes are accepted and nothing moves; lost hosts are found and their sessions run elsewhere"""
    fleet = Fleet()
    try:
        players = [Player(fleet, session, number) for number, session in enumerate(fleet.ids)]
        for player in players:
            player.start()
        until(lambda: all(player.acknowledged for player in players), "all sessions are written to")
        generations = fleet.generations()
        time.sleep(QUIET)
        assert fleet.lost() == []
        assert [player.problems for player in players] == [{}] * SESSIONS
        assert fleet.generations() == generations
        quiet = sum(len(player.acknowledged) for player in players)
        ahead, behind = fleet.nodes
        fleet.add(AHEAD)
        first = lose(fleet, ahead, players)
        fleet.add(BEHIND)
        second = lose(fleet, behind, players, fleet.gateways[0])
        for player in players:
            player.going = False
        for player in players:
            player.join(60)
        print(f"starts that failed: {fleet.failures()}")
        print(f"clocks {AHEAD} s ahead and {-BEHIND} s behind: {quiet} writes accepted in {QUIET} s without a fault. Host ahead killed: lost after {first[0]:.1f} s, elsewhere after {first[1]:.1f} s. "
              f"Leading gateway ahead and host behind killed: lost after {second[0]:.1f} s, elsewhere after {second[1]:.1f} s (lease {LEASE} s); {load()}")
        assert len(fleet.lost()) >= 2, fleet.lost()  # a busy machine may lose another one
        assert check_events(fleet) == []
        assert [wrong for player in players for wrong in player.wrong] == []
        for player in players:
            epochs = [epoch for _, _, epoch in player.acknowledged]
            changes = [epoch for epoch, before in zip(epochs, [None, *epochs]) if epoch != before]
            assert len(changes) == len(set(changes)), f"{player.session}: an earlier copy was written again: {changes}"
    finally:
        fleet.end()
