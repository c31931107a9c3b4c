"""Random faults between the gateway, the script and the emulator, and a check of every response.

CHAOS_SCHEDULES is the number of schedules, CHAOS_SEED the first seed; a failure prints its seed: CHAOS_SEED=17 CHAOS_SCHEDULES=1 scripts/pytest chaos tests/chaos
"""

import collections
import os
import threading
import time

import history
import pytest
import rom
from checks import until
from schedule import Faults, schedule
from stage import COUNTER, KEYS, Stage

FIRST = int(os.environ.get("CHAOS_SEED", "1"))
COUNT = int(os.environ.get("CHAOS_SCHEDULES") or 20)
MAX_DESCRIPTORS = 400  # of the emulator and of the gateway, after the faults; a fresh gateway has some 210


@pytest.fixture(scope="module")
def stage():
    """One emulator and one gateway for all schedules: what a schedule leaves behind, the next one meets."""
    stage = Stage()
    yield stage
    stage.end()


def run(stage, faults):
    causes, timers, began = Faults(stage), [], time.monotonic()
    for fault in faults:
        time.sleep(max(0, began + fault.at - time.monotonic()))
        causes.begin(fault)
        if fault.seconds:
            timers.append(threading.Timer(fault.seconds, causes.end, [fault]))
            timers[-1].start()
    for timer in timers:
        timer.join()
    stage.proxy.heal()
    stage.emulator.thaw()


def check(stage):
    """The rules, on the responses and on what the game holds now."""
    with stage.emulator.connect() as wire:
        wire.greet()
        stage.until_presses_are_over(wire)
        counter = int.from_bytes(wire.call(f"memory.read {COUNTER:#x} 4").ok().tail, "little")
        edges = rom.edges(wire)
        events = rom.events(wire)
    for cell in stage.histories("cell"):
        history.check_cell(cell)
    history.check_counter(stage.histories("counter"), counter)
    history.check_monotonic(stage.histories("counter"))
    for reader in stage.histories("constants"):
        history.check_constants(reader)
    for key in KEYS:
        history.check_presses(stage.histories(f"key {key}")[0], edges[rom.KEYS.index(key)] - stage.edges[rom.KEYS.index(key)])
    history.check_key_order(events)
    stage.check_log()
    stage.emulator.check()
    until(lambda: stage.emulator.descriptors() < MAX_DESCRIPTORS, f"the emulator has fewer than {MAX_DESCRIPTORS} descriptors")
    until(lambda: stage.gateway.descriptors() < MAX_DESCRIPTORS, f"the gateway has fewer than {MAX_DESCRIPTORS} descriptors")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_schedule(stage, seed):
    """Responses state what happened"""
    faults = schedule(seed)
    print(f"seed {seed}: " + "; ".join(map(str, faults)))
    stage.start_clients()
    try:
        run(stage, faults)
        stage.until_working()
        stage.until_each_succeeded(5)
    finally:
        stage.proxy.heal()
        stage.emulator.thaw()
        stage.stop_clients()
    check(stage)
    operations = [o for client in stage.clients for o in client.history.operations]
    outcomes = collections.Counter(operation.outcome for operation in operations)
    print(f"{len(operations)} operations: {outcomes['ok']} ok, {outcomes['none']} none, {outcomes['maybe']} maybe")
