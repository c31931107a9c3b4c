"""Faults of emulators that a gateway owns: causes them under a constant load, observes the recovery, and counts what is left afterwards."""

import collections
import contextlib
import dataclasses
import datetime
import http.client
import os
import pathlib
import random
import re
import shutil
import signal
import tempfile
import threading
import time

from caller import Caller
from checks import until
from gateway import Gateway
from headless import PROGRAM, ROMS, ROOT
from history import Violation, outcome_of
from mgba_wire import TIME_LIMIT, Failure
from ports import is_listening
from processes import descriptors_by_kind

KINDS = ("SIGKILL", "hung core")
STATE_EVERY = 2  # seconds; the shortest time in which a busy machine takes a state reliably
STABLE = 3.5  # seconds; RestartPolicy.StableAfter and some more: a later fault counts as a new one
KEPT_STATES = 5  # automatic states of each run of an emulator
MAX_STATES = 20  # of all runs, for each emulator
KEPT_CRASH_LOGS = int(re.search(r"`crash-\*\.log` \(the newest (\d+)\)", (ROOT / "docs/operating.md").read_text(encoding="utf-8"))[1])
VALUE = "/v2/memory/0x02000008/u32"
MARKER = "/v2/memory/0x02001000/u32"
HANG = "callbacks:add('frame', function() if emu and emu:read8(0x0203FFF0) == 90 then while true do end end end)\n"


def seconds_of(text):
    """The Unix time of a time in the gateway's JSON."""
    return datetime.datetime.fromisoformat(text).timestamp()


class Load:
    """Reads a value at a constant rate, each request in a thread of its own, and keeps when each was answered and how."""

    def __init__(self, stage, emulator, rate):
        self.stage, self.emulator, self.rate = stage, emulator, rate
        self.ended, self.sent = threading.Event(), 0
        self.answers = []  # (sent, answered, status, problem)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        due = time.monotonic()
        while not self.ended.wait(max(0, due - time.monotonic())):
            self.sent += 1
            threading.Thread(target=self.ask, daemon=True).start()
            due += 1 / self.rate

    def ask(self):
        sent = time.monotonic()
        status, body = self.stage.request("GET", VALUE, emulator=self.emulator)
        self.answers.append((sent, time.monotonic(), status, str(body.get("type", "")).rsplit(":", 1)[-1]))

    def answered_since(self, moment):
        """When the first request that was sent after a moment succeeded."""
        return min((answered for sent, answered, status, _ in self.answers if sent > moment and status == 200), default=None)

    def end(self):
        """Stops, and fails unless each request has one response that is 200 or a documented problem. Returns how many there are of each."""
        self.ended.set()
        self.thread.join()
        until(lambda: len(self.answers) == self.sent, "every request is answered")
        for _, _, status, problem in self.answers:
            try:
                outcome_of(status, problem, "")
            except Violation as violation:
                raise Failure(f"a response under faults is neither 200 nor documented: {violation}") from None
        return collections.Counter(f"{status} {problem}".strip() for _, _, status, problem in self.answers)


@dataclasses.dataclass
class Recovery:
    """What became of a fault: seconds until it was found, until a request succeeded again, and of play that was lost, at most."""

    kind: str
    found: float
    back: float
    lost: float


class FaultStage:
    """A gateway that owns emulators, each with a load, which can be made to hang."""

    def __init__(self, emulators=1, rate=50):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mgba-bridge-faults-"))
        self.rate, self.loads, self.ports, self.lock = rate, [], set(), threading.Lock()
        self.outcomes = collections.Counter()
        (self.folder / "hang.lua").write_text(HANG, encoding="ascii")
        host = self.folder / "host"
        host.write_text(f"#!/bin/sh\nexec '{PROGRAM}' --script '{self.folder}/hang.lua' \"$@\"\n", encoding="utf-8")
        host.chmod(0o755)
        self.ids = [str(number + 1) for number in range(emulators)]
        for emulator in self.ids:
            shutil.copy(ROMS["gba"], self.folder / f"game{emulator}.gba")
        self.gateway = Gateway(
            *(f"Owned:Roms:{number}={self.folder}/game{number + 1}.gba" for number in range(emulators)),
            f"Owned:HeadlessProgram={host}", f"Owned:StateEvery=00:00:{STATE_EVERY:02}", f"Owned:KeptStates={KEPT_STATES}",
            f"Owned:MaxStates={MAX_STATES * emulators}", "Transport:SilenceTimeout=00:00:00.250")

    def request(self, method, path, body=None, emulator=None, timeout=30):
        """Status and JSON; status 0 when there is no response."""
        with contextlib.closing(Caller(self.gateway.url, timeout)) as caller:
            try:
                status, content = caller.send(method, (f"/i/{emulator}" if emulator else "") + path, body)
                return status, content or {}
            except (OSError, ValueError, http.client.HTTPException):
                return 0, {}

    def process(self, emulator):
        """What the gateway knows of the process; empty while the emulator is replaced."""
        status, body = self.request("GET", "/v2/status", emulator=emulator)
        process = body.get("process", {}) if status == 200 else {}
        if "port" in body:
            with self.lock:
                self.ports.add(body["port"])
        return process

    def states(self, emulator):
        """Its automatic states, newest first."""
        return [state for state in self.request("GET", "/v2/states")[1].get("states", []) if state["kind"] == "automatic" and state["emulator"] == emulator]

    def answers(self, emulator):
        return self.request("GET", VALUE, emulator=emulator)[0] == 200

    def begin_load(self):
        self.loads = [Load(self, emulator, self.rate) for emulator in self.ids]

    def end_load(self):
        for load in self.loads:
            self.outcomes += load.end()
        self.loads = []

    def load_of(self, emulator):
        return self.loads[self.ids.index(emulator)]

    def settle(self, emulator):
        """Waits until the next fault counts as a new one and a state was taken since the last start."""
        process = until(lambda: self.process(emulator), f"emulator {emulator} has a process")
        since = max(seconds_of(process["startedAt"]), seconds_of(process.get("lastFault", {}).get("restartedAt", process["startedAt"])))
        until(lambda: time.time() > since + STABLE, f"emulator {emulator} is stable")
        until(lambda: any(seconds_of(state["savedAt"]) > since for state in self.states(emulator)), f"a state of emulator {emulator} is taken")

    def cause(self, emulator, kind, pid):
        if kind == "hung core":
            self.request("PUT", "/v2/memory/0x0203FFF0/u8", {"value": 90}, emulator)
        else:
            os.kill(pid, getattr(signal, kind))

    def fail(self, emulator, kind):
        """Causes a fault and waits until it is over. The emulator must be settled, and its load run."""
        before = until(lambda: self.process(emulator), f"emulator {emulator} has a process")
        wall, at = time.time(), time.monotonic()
        threading.Thread(target=self.cause, args=(emulator, kind, before["pid"]), daemon=True).start()
        after = until(
            lambda: (now := self.process(emulator)).get("restarts", 0) > before["restarts"] and "restartedAt" in now.get("lastFault", {}) and now,
            f"emulator {emulator} is restarted after {kind}")
        fault = after["lastFault"]
        found = seconds_of(fault["at"]) - wall
        back = until(lambda: self.load_of(emulator).answered_since(at + found), f"requests to emulator {emulator} succeed after {kind}") - at
        newest = next(state["name"] for state in self.states(emulator) if seconds_of(state["savedAt"]) <= seconds_of(fault["at"]))
        if fault.get("restoredFrom", "") < newest:  # names have the time; one may have been saved while the fault was found
            raise Failure(f"after {kind} emulator {emulator} continued from {fault.get('restoredFrom')}, not from its newest state {newest}")
        return Recovery(kind, found, back, fault["lostSeconds"])

    def disturb(self, emulator, rng):
        """Causes a random fault, or interrupts a recovery, and waits until the emulator answers again."""
        kind = rng.choice((*KINDS, "SIGSEGV", "SIGSTOP", "twice", "restart", "replace"))
        if kind == "restart":
            self.request("POST", f"/v2/emulators/{emulator}/restart", timeout=TIME_LIMIT)
        elif kind == "replace":
            self.request("DELETE", f"/v2/emulators/{emulator}", timeout=TIME_LIMIT)
            until(
                lambda: self.request("POST", "/v2/emulators", {"rom": f"game{emulator}.gba", "id": emulator}, timeout=TIME_LIMIT)[0] in (200, 201, 409),
                f"emulator {emulator} is started again")
        elif kind == "SIGSTOP":
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                self.cause(emulator, kind, until(lambda: self.process(emulator).get("pid", 0), f"emulator {emulator} has a process"))
        else:
            for signalled in ("SIGKILL", "SIGSEGV") if kind == "twice" else (kind,):
                before = until(lambda: self.process(emulator).get("pid", 0), f"emulator {emulator} has a process")
                try:
                    self.cause(emulator, signalled, before)
                except ProcessLookupError:
                    continue  # it has just ended
                until(lambda old=before: self.process(emulator).get("pid", 0) not in (0, old), f"emulator {emulator} is another process after {signalled}")
        until(lambda: self.answers(emulator), f"emulator {emulator} answers after {kind}")
        return kind

    def disturb_all(self, seed, is_over):
        """Disturbs all emulators at once until `is_over(how often one was disturbed)`. Returns how often each kind was caused."""
        kinds, problems = collections.Counter(), []

        def work(emulator):
            rng, count = random.Random(f"{seed}/{emulator}"), 0
            try:
                while not problems and not is_over(count):
                    count += 1
                    kinds[self.disturb(emulator, rng)] += 1
                    time.sleep(rng.random())  # when a fault comes is random, too
            except AssertionError as problem:
                problems.append(problem)

        workers = [threading.Thread(target=work, args=(emulator,)) for emulator in self.ids]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if problems:
            raise Failure(f"seed {seed}: {problems[0]}")
        return kinds

    def processes(self):
        """The processes of the emulators: their command lines have the folder."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and int(entry.name) != self.gateway.process.pid and str(self.folder).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def sockets(self):
        return descriptors_by_kind(self.gateway.process.pid)["socket"]

    def check_files(self):
        """Fails if the data folder has more than the limits permit."""
        data = pathlib.Path(self.gateway.data.name, "data")
        for emulator in self.ids:
            logs = list(data.glob(f"*/emulators/{emulator}/crash-*.log"))
            if len(logs) > KEPT_CRASH_LOGS:
                raise Failure(f"emulator {emulator} has {len(logs)} crash logs; the limit is {KEPT_CRASH_LOGS}")
        states = sum(len(self.states(emulator)) for emulator in self.ids)
        if states > MAX_STATES * len(self.ids):
            raise Failure(f"there are {states} automatic states; the limit is {MAX_STATES * len(self.ids)}")
        allowed = len(self.ids) * (2 * MAX_STATES + KEPT_CRASH_LOGS + 10) + 20
        files = [file for file in data.rglob("*") if file.is_file()]
        if len(files) > allowed:
            raise Failure(f"the data folder has {len(files)} files, more than {allowed}: {sorted(str(file.relative_to(data)) for file in files)[:80]}")

    def check_processes(self):
        """Fails unless there is one process for each emulator, and a script listens only for each of them."""
        until(lambda: len(self.processes()) == len(self.ids), f"there are {len(self.ids)} processes")
        ports = {until(lambda one=emulator: self.request("GET", "/v2/status", emulator=one)[1].get("port"), "its port is known") for emulator in self.ids}
        until(lambda: not [port for port in self.ports - ports if is_listening(port)], "ports of earlier processes are free")

    def end(self):
        """Kills the gateway, and fails if a process or a port is left."""
        for load in self.loads:
            load.ended.set()
        self.gateway.kill()
        try:
            until(lambda: not self.processes(), "no process is left after the gateway was killed")
            until(lambda: not [port for port in self.ports if is_listening(port)], "no port is left after the gateway was killed")
        finally:
            for process in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self.gateway.data.cleanup()
            shutil.rmtree(self.folder)
