"""What happens when parts of a fleet fail: PostgreSQL, a Slurm of two nodes, two gateways and eight games."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import processes
from checks import until
from fleet import CELL, LEASE, Fleet, check_events, frame, get, problem, request

GAMES = 8
SAVED = "0x0E000010"  # save RAM, which becomes the save file
EVERY_SECOND = """
create sequence failures;
create function fail() returns trigger language plpgsql as $$ begin
  if nextval('failures') % 2 = 1 then raise exception 'a test'; end if;
  return new;
end $$;
create trigger fail before update on mgba_fleet.hosts for each row when (new.state = 'draining' and old.state = 'ready') execute function fail();
create trigger fail before update on mgba_fleet.sessions for each row when (new.host is null) execute function fail();
create trigger fail before insert on mgba_fleet.states for each row execute function fail();
"""  # of those with which a host gives its sessions back


@pytest.fixture(scope="module")
def cluster():
    fleet = Fleet()
    yield fleet
    fleet.end()


@pytest.fixture
def fleet(cluster):
    """With eight games, of which all run."""
    if not cluster.ids:
        print(f"POST /v2/fleet/sessions until {GAMES} answer: {cluster.run(GAMES):.1f} s")
    until(lambda: get(cluster.gateways[0], "/v2/fleet")["running"] == GAMES, "all run", seconds=120)
    return cluster


def test_eight_sessions_start_on_slurm(fleet):
    """Eight sessions start on two Slurm nodes, and both gateways reach all of them"""
    for gateway in fleet.gateways:
        for session in fleet.ids:
            assert get(gateway, f"/i/{session}/v2/game")["platform"] == "gba"
    assert len({host["name"] for host in get(fleet.gateways[0], "/v2/fleet/hosts")["hosts"]}) >= 1
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["hosts"] >= 3, "there is a spare host")


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
    until(lambda: int(fleet.database.query("select count(distinct session) from mgba_fleet.states")[0][0]) == GAMES, "each session has a stored state")
    hosts = {row[0]: row[1] for row in fleet.database.query("select id, host from mgba_fleet.sessions")}
    victim = next(node for node in fleet.nodes() if len(fleet.emulators(node)) == 4)
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["capacity"] >= 12, "there is a spare host")
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


@pytest.mark.parametrize("failing", ["", EVERY_SECOND], ids=["", "although every second statement fails"])
def test_cancelled_job_hands_over(fleet, failing):
    """A job that Slurm cancels stores its states, and its sessions continue on another host with everything that was accepted, each with its own save"""
    before = {session: frame(fleet, session) for session in fleet.ids}
    drained = len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'"))
    node = next(node for node in fleet.nodes() if len(fleet.emulators(node)) == 4)  # one is a spare host, without games
    job = "{SLURM_ARRAY_JOB_ID}_{SLURM_ARRAY_TASK_ID}".format(**processes.environment(node))
    for number, session in enumerate(fleet.ids):  # after the last automatic state
        for location in (f"{CELL}/u32", f"{SAVED}/u8"):
            status, answer, _ = request(fleet.gateways[0], f"/i/{session}/v2/memory/{location}", {"value": 100 + number}, "PUT")
            assert status == 200, answer
    fleet.database.query(failing)
    fleet.slurm.call("scancel", "--full", job)
    fleet.until(lambda: len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'")) >= drained + 4, "four sessions are given back")
    fleet.database.query("drop function if exists fail cascade")
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
    assert request(fleet.gateways[1], "/v2/fleet/sessions/late", method="DELETE")[0] == 200
    until(lambda: "late" not in fleet.sessions(), "it is deleted")
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
    for session in fleet.ids:
        assert request(fleet.gateways[1], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
    until(lambda: not fleet.sessions(), "all are deleted")
    assert fleet.database.query("select count(*) from mgba_fleet.states") == [["0"]]
    assert request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game", headers={})[0] in (404, 503)
    until(lambda: request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game")[0] == 404, "the gateway does not know it any more")
    fleet.ids.clear()
