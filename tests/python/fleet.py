"""A fleet on this machine: PostgreSQL, a Slurm of two nodes, two gateways, and requests to it."""

import json
import os
import pathlib
import re
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import processes
from checks import until
from cluster import Postgres, Slurm
from gateway import Gateway
from mgba_wire import TIME_LIMIT, Failure

LEASE = 10  # seconds: longer than a busy machine gives a host no processor
COMMENT = "site; {owner}"  # of the site
CELL = "0x02000400"  # not used by the test game
SETTINGS = [
    "Fleet:Engine=slurm",
    f"Fleet:SlurmComment={COMMENT}",
    "Fleet:SlurmArguments:1=--account={owner}",
    "Fleet:SlurmOwnerArguments:0=students:--nice=77",
    "Fleet:SlurmOwnerArguments:1=strangers:--partition=none",  # there is none
    f"Fleet:LeaseTime=00:00:{LEASE:02}",
    "Owned:StateEvery=00:00:01",
    "Discover=false",
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
            self.logs = pathlib.Path(self.slurm.folder, "log")
            hosts = f"Fleet:SlurmArguments:0=--output={self.logs}/host-%A-%a.log"
            for _ in range(2):
                self.gateways.append(Gateway(f"Fleet:Database={self.database.address}", hosts, *settings))
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

    def until(self, condition, what, seconds=TIME_LIMIT):
        """As checks.until, with the newest events and the ends of the hosts' logs in the failure."""
        try:
            return until(condition, what, seconds)
        except Failure as failure:
            events = self.database.query("select at, kind, session, generation, host, detail from mgba_fleet.events order by id desc limit 40")
            logs = [f"{log.name}:\n{log.read_text(errors='replace')[-3000:]}" for log in sorted(self.logs.glob("host-*"))]
            raise Failure("\n".join([str(failure), *map(str, reversed(events)), *logs])) from failure

    def nodes(self):
        """Processes of `mgba-bridge node` and the environment of each, by the machine's own account."""
        found = {}
        for folder in os.listdir("/proc"):
            try:
                words = open(f"/proc/{folder}/cmdline", "rb").read().split(b"\0")
                environment = processes.environment(folder)
            except OSError:
                continue
            if b"node" in words and any(self.database.folder in value for value in environment.values()) and not processes.has_ended(folder):
                found[int(folder)] = environment
        return found

    def jobs(self):
        """Hosts that are jobs of Slurm, by what they are for, which their environment says: the session and its generation. Slurm's name of each, and its process."""
        jobs = {}
        for node, environment in self.nodes().items():
            index = environment["SLURM_ARRAY_TASK_ID"]
            session, generation = environment["MGBA_BRIDGE_FLEET_JOBS"].split()[int(index)].rsplit(".", 1)
            jobs[session, int(generation)] = f"{environment['SLURM_ARRAY_JOB_ID']}_{index}", node
        return jobs

    def job(self, session):
        """The job that runs a session."""
        return self.jobs()[session, self.sessions()[session]["generation"]]

    def queued(self):
        """The fleet's jobs that have not ended, as Slurm lists them."""
        lines = self.slurm.call("squeue", "--noheader", "--array", "--name=mgba-bridge-default", "--states=PENDING,RUNNING", "--format=%F_%K %k")
        return re.sub(COMMENT.format(owner="[a-z0-9-]+;"), "", lines).splitlines()

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


def frame(fleet, session, gateway=1):
    return get(fleet.gateways[gateway], f"/i/{session}/v2/game", headers={"Prefer": "wait=30"})


def check_events(fleet):
    """The event log: generations rise, and a copy of a session is placed only when the one before was given back, failed, or its host is gone."""
    wrong, current, gone = [], {}, set()
    for number, kind, session, generation, host in fleet.database.query("select id, kind, session, generation, host from mgba_fleet.events order by id"):
        if kind in ("host.lost", "host.gone"):
            gone.add(host)
        elif kind == "session.placed":
            before = current.get(session)
            if before and before[1] not in gone:
                wrong.append(f"{number}: {session} was placed while {before} had it")
            if before and int(generation) <= before[0]:
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
