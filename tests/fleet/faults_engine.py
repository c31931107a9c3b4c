"""Slurm's controller hangs while sessions run, a long test: only new hosts wait."""

import os
import pathlib
import signal
import time

from checks import until
from faults_fleet import load
from fleet import CELL, LEASE, SETTINGS, Fleet, check_events, get, request

SESSIONS = 4  # of one host
SPARE = 4  # places on another one
IN_TIME = 60  # seconds, also on a busy machine
TIMEOUT = 2  # seconds


def controller(fleet):
    return int(pathlib.Path(fleet.slurm.folder, "run/slurmctld.pid").read_text())


def problem_of_the_engine(fleet):
    return get(fleet.gateways[1], "/v2/fleet")["engineProblem"]


def test_hanging_engine():
    """slurmctld is stopped: the fleet says so, games are played, a lost host is found and its sessions run on the spare one, new sessions wait; all run when it continues"""
    fleet = Fleet([*SETTINGS, f"Fleet:EngineTimeout=00:00:0{TIMEOUT}"])
    pid = controller(fleet)
    try:
        fleet.run(SESSIONS)
        until(lambda: get(fleet.gateways[0], "/v2/fleet")["capacity"] == SESSIONS + SPARE, "there is a spare host")
        assert problem_of_the_engine(fleet) == ""
        before = dict(fleet.database.query("select id, host from mgba_fleet.sessions"))
        os.kill(pid, signal.SIGSTOP)
        stopped = time.monotonic()
        text = until(lambda: problem_of_the_engine(fleet), "the fleet says what is wrong with the engine")
        said = time.monotonic() - stopped
        assert f"did not end within {TIMEOUT} s" in text and "Bridge:Fleet:EngineTimeout" in text, text
        for session in fleet.ids:
            assert request(fleet.gateways[0], f"/i/{session}/v2/memory/{CELL}/u32", {"value": 5}, "PUT")[0] == 200
        time.sleep(1.5)  # an automatic state of each is due every second
        victim = next(node for node in fleet.nodes() if len(fleet.emulators(node)) == SESSIONS)
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        until(lambda: fleet.database.query("select 1 from mgba_fleet.events where kind = 'host.lost'"), "the host is declared lost", IN_TIME)
        lost = time.monotonic() - killed
        until(lambda: get(fleet.gateways[1], "/v2/fleet")["running"] == SESSIONS, "its sessions run on the spare host", IN_TIME)
        elsewhere = time.monotonic() - killed
        after = dict(fleet.database.query("select id, host from mgba_fleet.sessions"))
        assert not set(before.values()) & set(after.values()), (before, after)
        assert request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": ":test:", "id": "late"})[0] == 200
        detail = until(lambda: "did not end within" in (found := fleet.sessions()["late"])["detail"] and found, "the new session says what it waits for")["detail"]
        os.kill(pid, signal.SIGCONT)
        continued = time.monotonic()
        until(lambda: get(fleet.gateways[1], "/v2/fleet")["running"] == SESSIONS + 1, "all sessions run", IN_TIME)
        again = time.monotonic() - continued
        until(lambda: not problem_of_the_engine(fleet), "the problem of the engine is over")
        assert check_events(fleet) == []
        print(f"slurmctld stopped: engineProblem after {said:.1f} s ({text}); a host killed meanwhile was declared lost after {lost:.1f} s, its sessions ran on the spare one after {elsewhere:.1f} s (lease {LEASE} s); "
              f"a new session: {detail}; all ran {again:.1f} s after slurmctld had continued; {load()}")
    finally:
        os.kill(pid, signal.SIGCONT)
        fleet.end()
