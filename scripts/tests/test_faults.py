"""Emulators that a gateway owns are killed, stopped and made to hang under load.

Long forms: `FAULT_TIMES=20 scripts/pytest faults scripts/tests/test_faults.py -k recovered` prints the rows of docs/performance/reliability.md, and
`FAULT_MINUTES=60 scripts/pytest faults scripts/tests/test_faults.py -k random` causes random faults for an hour.
"""

import os
import random

import resource
import signal
import time

import pytest

from checks import until
from mgba_wire import TIME_LIMIT, Failure
from owned_faults import KINDS, MARKER, STATE_EVERY, FaultStage
from processes import descriptors_by_kind

LARGEST = 1024  # bytes of a file; less than a state has
SPARE = 8  # connections to the emulators are opened and closed by need
TIMES, MINUTES = int(os.environ.get("FAULT_TIMES") or 1), float(os.environ.get("FAULT_MINUTES") or 0)


@pytest.fixture(scope="module")
def stage():
    stage = FaultStage(emulators=1)
    stage.begin_load()
    yield stage
    stage.end()


@pytest.mark.parametrize("kind", KINDS)
def test_fault_is_recovered_from(stage, kind):
    """a fault is found, and the game continues from its newest state"""
    recoveries = []
    for _ in range(TIMES):
        until(lambda: stage.request("PUT", MARKER, {"value": 4711})[0] == 200, "the marker is written")
        stage.settle("1")
        if TIMES > 1:
            time.sleep(random.random() * STATE_EVERY)  # at any moment between two states
        recoveries.append(stage.fail("1", kind))
        status, answer = until(lambda: (found := stage.request("GET", MARKER))[0] == 200 and found, "the marker is read")
        assert answer["value"] == 4711
    found, back, lost = (sorted(getattr(one, name) for one in recoveries) for name in ("found", "back", "lost"))
    middle = TIMES // 2
    print(f"| {kind} | {TIMES} | {found[middle]:.2f} s / {found[-1]:.2f} s | {back[middle]:.2f} s / {back[-1]:.2f} s | {lost[-1]:.1f} s |")
    assert lost[-1] < STATE_EVERY + TIME_LIMIT  # within which it was found


def test_every_request_is_answered(stage):
    """every request during the faults is answered, with 200 or a documented problem"""
    stage.end_load()
    print(", ".join(f"{count} {name}" for name, count in stage.outcomes.most_common()))
    assert stage.outcomes["200"] > 0


def test_random_faults_leave_nothing(request):
    """random faults of three emulators at once leave no process, port, socket or file; in the long form no other descriptor either"""
    stage = FaultStage(emulators=3, rate=10)
    request.addfinalizer(stage.end)
    stage.begin_load()
    if MINUTES:
        stage.disturb_all("first", lambda count: count == 3)  # what is loaded once is loaded
    before, end = descriptors_by_kind(stage.gateway.process.pid), time.monotonic() + 60 * MINUTES
    kinds = stage.disturb_all(2, lambda count: time.monotonic() > end if MINUTES else count == 3)
    stage.end_load()
    print(", ".join(f"{count} {kind}" for kind, count in (kinds + stage.outcomes).most_common()))
    stage.check_processes()
    stage.check_files()
    until(lambda: stage.sockets() <= before["socket"] + SPARE, "sockets are as before")
    more = descriptors_by_kind(stage.gateway.process.pid) - before
    print(f"more descriptors: {dict(more)}")
    if MINUTES and sum(count for name, count in more.items() if name != "socket") > SPARE:
        raise Failure(f"the gateway has more descriptors than before: {more}")


def test_limit_on_file_sizes(request):
    """a state beyond the limit on the size of files is refused, and neither gateway nor emulator ends"""
    stage = FaultStage()
    request.addfinalizer(stage.end)
    emulator = until(lambda: stage.answers("1") and stage.process("1"), "the emulator answers")["pid"]
    for pid in (stage.gateway.process.pid, emulator):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LARGEST, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))
    status, answer = until(lambda: (found := stage.request("POST", "/v2/states", {"name": "large"}))[0] in (200, 507) and found, "it is answered")
    assert (status, answer.get("type")) == (507, "urn:mgba-bridge:problem:store-failed"), (answer, stage.gateway.process.poll())
    print(answer["detail"])
    with open(f"/proc/{emulator}/status", encoding="ascii") as file:
        ignored = int(next(line for line in file if line.startswith("SigIgn")).split()[1], 16)
    assert ignored >> signal.SIGXFSZ - 1 & 1
    assert stage.gateway.process.poll() is None
    until(lambda: stage.answers("1"), "the emulator answers")
    for _ in range(LARGEST // 8):  # each writes a line to the emulator's log, until that is too large as well
        assert stage.request("PUT", "/v2/emulators/1/run", {"paused": False})[0] == 200
    stage.check_processes()
    stage.gateway.process.terminate()
    assert stage.gateway.process.wait(TIME_LIMIT) == 0
