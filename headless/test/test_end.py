"""Every way to end it, and that nothing is lost."""

import signal
import time

import pytest

from conftest import EVENTS, first_byte, mail, script
from checks import equal, until

INT_TERM = pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM), ids=lambda number: number.name)


@pytest.mark.parametrize("rom", ("game.gba", "game.gb"))
@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM, signal.SIGHUP), ids=lambda number: number.name)
def test_signals_end_it_cleanly_and_write_the_save(start, number, rom):
    mail(4)
    host = start("--script", EVENTS, "--script", "mail.lua", f"roms/{rom}")
    host.out.wait("^mailed$")
    host.run_a_frame_more()
    host.stop(number)
    host.out.expect("^event shutdown 1 emu=yes$")
    equal(first_byte("saves/game.sav"), 0x5A, "save")
    equal(host.err.text(), "", "stderr")


@INT_TERM
def test_it_stops_while_paused(start_controlled, number):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.say("pause", "ok pause")
    host.stop(number)
    host.out.expect("^event shutdown 1 emu=yes$")


@INT_TERM
def test_it_stops_without_a_game(start_controlled, number):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.say("close", "ok close")
    host.stop(number)
    equal(len(host.out.lines("^event shutdown")), 1, "shutdowns")


@INT_TERM
@pytest.mark.versions
def test_it_stops_while_a_script_waits_in_select(start, number):
    script("wait.lua", 'callbacks:add("frame", function() console:log("waiting") _socket.create():select(400) end)')
    host = start("--script", EVENTS, "--script", "wait.lua", "roms/game.gba")
    host.out.wait("^waiting$")
    host.stop(number)
    host.out.expect("^event shutdown 1 emu=yes$")


def test_it_stops_in_slow_motion(start_controlled):
    # One frame in 1000 s: the signal and control lines must not wait for it.
    host = start_controlled("--script", EVENTS, "--stats", "0.3", "--fps", "0.001", "roms/game.gba")
    host.out.wait("^event frame 1")
    host.say("pause", "ok pause")
    host.say("resume", "ok resume")
    # Nor may lines that wait behind an advance keep it busy.
    host.write("advance 2\n")
    host.err.wait(": stats .* paused=yes")
    host.write("pause\n")
    cpu = host.cpu_ticks()
    host.err.wait(": stats .* paused=yes", 4)
    assert host.cpu_ticks() - cpu <= 3, "CPU ticks in a second of waiting"
    host.stop()


def test_many_signals_are_one(start):
    host = start("--script", EVENTS, "roms/game.gba")
    host.out.wait("^event frame 1")
    first = time.monotonic()
    while not host.is_over() and time.monotonic() < first + 2:  # one that comes 3 s after the first ends it at once
        host.kill()
    host.ended(0)
    equal(len(host.out.lines("^event shutdown")), 1, "shutdowns")


@pytest.mark.versions
def test_a_script_that_never_returns_is_ended_by_a_later_signal(start):
    script("hang.lua", 'callbacks:add("frame", function() console:log("hanging") while true do end end)')
    host = start("--script", "hang.lua", "roms/game.gba")
    host.out.wait("^hanging$")
    until(lambda: host.kill() or host.is_over(), "it ends by a later signal", pause=0.1)
    host.ended(50)
