"""The time until sessions on an idle Slurm answer, measured FLEET_START_ROUNDS=5 times: the engine's part of it, and ours."""

import os
import pathlib
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from checks import until
from cluster import Postgres, Slurm
from gateway import Gateway
from fleet import SETTINGS, request

ROUNDS = int(os.environ.get("FLEET_START_ROUNDS", "5"))
SESSIONS = 8


def script(path, *lines):
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_start_on_slurm():
    """POST /v2/fleet/sessions until all answer, without what passes between `sbatch` and the first line of the last job"""
    with tempfile.TemporaryDirectory(prefix="mgba-bridge-start-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        database, slurm, gateways = Postgres(), None, []
        before = os.environ["PATH"]
        try:
            slurm = Slurm()
            os.environ.update(slurm.environment)
            os.environ["PATH"] = f"{folder}:{before}"
            script(folder / "sbatch", f"date +%s.%N >> {folder}/requested", f'PATH={before} exec sbatch "$@"')
            settings = [*SETTINGS, f"Fleet:Database={database.address}", f"Fleet:NodeProgram={folder}/node"]
            gateways.append(Gateway(*settings))
            script(folder / "node", f"date +%s.%N >> {folder}/begun", f'exec {gateways[0].program} "$@"')
            gateways.append(Gateway(*settings))
            measure(folder, database, slurm, gateways)
        finally:
            os.environ["PATH"] = before
            for gateway in gateways:
                gateway.stop()  # none requests new hosts
            if slurm:
                slurm.end()
            database.end()
            for gateway in gateways:
                gateway.end()  # the hosts write into its folder


def measure(folder, database, slurm, gateways):
    rounds, gone = [], []
    for round_ in range(ROUNDS + 1):
        for name in ("requested", "begun"):
            (folder / name).write_text("", encoding="ascii")
        posted = time.time()
        status, answer, _ = request(gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": SESSIONS})
        assert status == 200, answer
        with ThreadPoolExecutor(SESSIONS) as pool:
            for each in pool.map(lambda session: request(gateways[1], f"/i/{session}/v2/game", headers={"Prefer": "wait=60"}, timeout=90), answer["ids"]):
                assert each[0] == 200, each
        answered = time.time()
        requested, begun = ([float(line) for line in (folder / name).read_text().split()] for name in ("requested", "begun"))
        assert len(begun) == SESSIONS, begun
        engine = max(begun) - requested[0]
        events = database.query(f"select kind, extract(epoch from max(at)) from mgba_fleet.events where at > to_timestamp({posted}) group by kind")
        steps = {kind: float(at) for kind, at in events if kind in ("host.registered", "session.placed", "session.running")}
        print(f"all answer after {answered - posted:.2f} s: to sbatch {requested[0] - posted:.2f} s, from there to the first line of the last job {engine:.2f} s; from there "
              f"{', '.join(f'to the last {kind} {at - max(begun):.2f} s' for kind, at in sorted(steps.items()))}, to the last answer {answered - max(begun):.2f} s; "
              f"load average {os.getloadavg()[0]:.0f}", flush=True)
        if round_:  # the first round warms up
            rounds.append((answered - posted, engine))
        for session in answer["ids"]:
            assert request(gateways[0], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
        deleted = time.time()
        until(lambda: not slurm.call("squeue", "-h").strip(), "the jobs have ended", 120)
        gone.append(time.time() - deleted)
    whole, engines = zip(*rounds)
    ours = [all_ - engine for all_, engine in rounds]
    print(f"{SESSIONS} sessions in as many new jobs, {ROUNDS} times: median {statistics.median(whole):.2f} s (max {max(whole):.2f}), Slurm's part {statistics.median(engines):.2f} s (max {max(engines):.2f}), "
          f"ours {statistics.median(ours):.2f} s (max {max(ours):.2f}); jobs gone after deletion: median {statistics.median(gone):.2f} s (max {max(gone):.2f}); load average {os.getloadavg()[0]:.0f}")
