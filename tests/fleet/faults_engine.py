"""Slurm's controller hangs while sessions run, a long test: only what needs new hosts waits."""

import os
import pathlib
import signal
import time

from checks import until
from faults_fleet import load
from fleet import CELL, LEASE, SETTINGS, Fleet, check_events, get, request

SESSIONS = 4
IN_TIME = 60  # seconds, also on a busy machine
TIMEOUT = 2  # seconds


def controller(fleet):
    return int(pathlib.Path(fleet.slurm.folder, "run/slurmctld.pid").read_text())


def problem_of_the_engine(fleet):
    return get(fleet.gateways[1], "/v2/fleet")["engineProblem"]


def test_hanging_engine():
    """slurmctld is stopped: the fleet says so, games are played, a lost host is found, its session and new ones wait; all run when it continues"""
    fleet = Fleet([*SETTINGS, f"Fleet:EngineTimeout=00:00:0{TIMEOUT}"])
    pid = controller(fleet)
    try:
        fleet.run(SESSIONS)
        assert problem_of_the_engine(fleet) == ""
        lost = fleet.ids[0]
        os.kill(pid, signal.SIGSTOP)
        for session in fleet.ids:
            assert request(fleet.gateways[0], f"/i/{session}/v2/memory/{CELL}/u32", {"value": 5}, "PUT")[0] == 200
        time.sleep(1.5)  # an automatic state of each is due every second
        os.kill(fleet.job(lost)[1], signal.SIGKILL)
        killed = time.monotonic()
        until(lambda: fleet.database.query("select 1 from mgba_fleet.events where kind = 'host.lost'"), "the host is declared lost", IN_TIME)
        declared = time.monotonic() - killed
        text = until(lambda: problem_of_the_engine(fleet), "the fleet says what is wrong with the engine", IN_TIME)
        said = time.monotonic() - killed
        assert f"did not end within {TIMEOUT} s" in text and "Bridge:Fleet:EngineTimeout" in text, text
        assert request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": ":test:", "id": "late"})[0] == 200
        detail = until(lambda: "the engine failed" in (found := fleet.sessions()["late"])["detail"] and found, "the new session says what it waits for")["detail"]
        os.kill(pid, signal.SIGCONT)
        continued = time.monotonic()
        until(lambda: get(fleet.gateways[1], "/v2/fleet")["running"] == SESSIONS + 1, "all sessions run", IN_TIME)
        again = time.monotonic() - continued
        until(lambda: not problem_of_the_engine(fleet), "the problem of the engine is over")
        assert check_events(fleet) == []
        assert [get(fleet.gateways[1], f"/i/{session}/v2/memory/{CELL}/u32")["value"] for session in fleet.ids] == [5] * SESSIONS
        print(f"slurmctld stopped: a host killed meanwhile was declared lost after {declared:.1f} s (lease {LEASE} s), engineProblem after {said:.1f} s ({text}); "
              f"a new session: {detail}; all ran {again:.1f} s after slurmctld had continued; {load()}")
    finally:
        os.kill(pid, signal.SIGCONT)
        fleet.end()
