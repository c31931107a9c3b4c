"""Emulators that a gateway owns are killed, stopped and made to hang under load. scripts/faults is the long form, which measures."""

import resource
import signal

import pytest

from checks import LIMIT, until
from owned_faults import KINDS, MARKER, STATE_EVERY, FaultStage

# Bounds for a busy machine. On a quiet one a fault is found within 2 s and over within 3 s (docs/performance/reliability.md).
FOUND, BACK = 15, 30
LARGEST = 1024  # bytes of a file; less than a state has
SPARE_SOCKETS = 8  # connections to the emulators are opened and closed by need


@pytest.fixture(scope="module")
def stage():
    stage = FaultStage(emulators=1)
    stage.begin_load()
    yield stage
    stage.end()


@pytest.mark.parametrize("kind", KINDS)
def test_fault_is_recovered_from(stage, kind):
    """a fault is found, and the game continues from its newest state"""
    stage.request("PUT", MARKER, {"value": 4711})
    stage.settle("1")
    recovery = stage.fail("1", kind)
    print(f"found after {recovery.found:.2f} s, answers after {recovery.back:.2f} s, {recovery.lost:.1f} s of play lost")
    assert recovery.found < FOUND
    assert recovery.back < BACK
    assert recovery.lost < STATE_EVERY + FOUND
    assert stage.request("GET", MARKER)[1]["value"] == 4711


def test_every_request_is_answered(stage):
    """every request during the faults is answered, with 200 or a documented problem"""
    stage.end_load()
    print(", ".join(f"{count} {name}" for name, count in stage.outcomes.most_common()))
    assert stage.outcomes["200"] > 0


def test_random_faults_leave_nothing(request):
    """random faults of three emulators at once leave no process, port, socket or file"""
    stage = FaultStage(emulators=3, rate=10)
    request.addfinalizer(stage.end)
    sockets = stage.sockets()
    stage.begin_load()
    kinds = stage.disturb_all(2, lambda count: count == 3)
    stage.end_load()
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    stage.check_processes()
    stage.check_files()
    until(lambda: stage.sockets() <= sockets + SPARE_SOCKETS, "sockets are as before")


def test_limit_on_file_sizes(request):
    """a state beyond the limit on the size of files is refused, and neither gateway nor emulator ends"""
    stage = FaultStage()
    request.addfinalizer(stage.end)
    emulator = until(lambda: stage.answers("1") and stage.process("1"), "the emulator answers")["pid"]
    for pid in (stage.gateway.process.pid, emulator):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LARGEST, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))
    status, answer = stage.request("POST", "/v2/states", {"name": "large"})
    assert (status, answer.get("type")) == (507, "urn:mgba-bridge:problem:store-failed"), (answer, stage.gateway.process.poll())
    print(answer["detail"])
    with open(f"/proc/{emulator}/status", encoding="ascii") as file:
        ignored = int(next(line for line in file if line.startswith("SigIgn")).split()[1], 16)
    assert ignored >> signal.SIGXFSZ - 1 & 1
    assert stage.gateway.process.poll() is None and stage.answers("1")
    for _ in range(LARGEST // 8):  # each writes a line to the emulator's log, until that is too large as well
        assert stage.request("PUT", "/v2/emulators/1/run", {"paused": False})[0] == 200
    stage.check_processes()
    stage.gateway.process.terminate()
    assert stage.gateway.process.wait(LIMIT) == 0
