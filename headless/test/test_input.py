"""Control commands over the standard input: its end of file ends the program, in whatever state it is."""

import os
import pathlib
import signal
import subprocess

import pytest

from conftest import EVENTS, first_byte, mail, script
from checks import equal


@pytest.fixture
def start_on_input(start):
    """The standard input is a pipe with one writer."""
    return lambda *arguments, **options: start(*arguments, control="-", **options)


def test_input_commands_are_answered_as_from_a_fifo(start_on_input):
    host = start_on_input("roms/game.gba")
    host.say("pause", "ok pause")
    host.say("advance 5", "ok advance")
    host.say("fps 30", "ok fps")
    host.say("nonsense", "error line")
    host.say("stop", "ok stop")
    host.ended(0)


@pytest.mark.parametrize("rom", ("game.gba", "game.gb"))
def test_input_end_of_file_writes_the_save_and_ends_it(start_on_input, rom):
    mail(4)
    host = start_on_input("--script", EVENTS, "--script", "mail.lua", f"roms/{rom}")
    host.out.wait("^mailed$")
    host.run_a_frame_more()
    host.close()
    host.ended(0)
    host.out.expect("^event shutdown 1 emu=yes$")
    equal(first_byte("saves/game.sav"), 0x5A, "save")
    equal(host.err.text(), "", "stderr")


@pytest.mark.parametrize("command", ("pause", "close", "fps 0.01"))
def test_input_end_of_file_ends_it_while_no_frame_runs(start_on_input, command):
    host = start_on_input("--script", EVENTS, "roms/game.gba")
    host.say(command, "ok")
    host.close()
    host.ended(0)
    host.out.expect("^event shutdown 1")


def test_input_end_of_file_runs_the_commands_before_it(start_on_input):
    host = start_on_input("roms/game.gba")
    host.write("pause\nsave-state last\nincomplete")
    host.close()
    host.ended(0)
    host.out.expect("^control: ok save-state$")
    assert any(os.path.exists(path) and os.path.getsize(path) for path in ("saves/last", "last")), "no state was saved"
    host.out.refuse("control: error")


def test_input_end_of_file_ends_a_long_advance(start_on_input):
    host = start_on_input("--script", EVENTS, "roms/game.gba")
    host.write("advance 1000000\n")
    host.out.wait("^event frame 1")
    host.close()
    host.ended(0)
    host.out.expect("^control: error advance: the emulation ended")


def test_input_closed_by_a_killed_parent_ends_it(start):
    # The parent holds the only writer; it is killed and cannot close anything itself.
    reader, writer = os.pipe()
    parent = subprocess.Popen(["sleep", "600"], pass_fds=[writer])
    os.close(writer)
    try:
        host = start("--control", "-", "--script", EVENTS, "roms/game.gba", stdin=reader)
        os.close(reader)
        host.out.wait("^event frame 1")
    finally:
        parent.kill()
        parent.wait()
    host.ended(0)
    host.out.expect("^event shutdown 1")


@pytest.mark.versions
@pytest.mark.parametrize("ignored", ("INT", "INT,TERM"))
def test_input_end_of_file_ends_a_script_that_never_returns(start_on_input, ignored):
    script("endless.lua", 'callbacks:add("frame", function() console:log("hangs") while true do end end)')
    host = start_on_input("--script", "endless.lua", "roms/game.gba", ignore=ignored)
    host.out.wait("^hangs$")
    host.close()
    host.ended(50)
    host.err.expect("exiting immediately")


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM), ids=lambda number: number.name)
def test_input_a_signal_ignored_at_start_stays_ignored(start_on_input, number):
    host = start_on_input("--script", EVENTS, "roms/game.gba", ignore="INT,TERM")
    host.out.wait("^event frame 1")
    host.kill(number)
    host.say("pause", "ok pause")
    host.close()
    host.ended(0)


def test_input_is_clean_under_valgrind(start_on_input, valgrind):
    kinds = ("--errors-for-leak-kinds=definite,possible", "--show-leak-kinds=definite,possible")
    host = start_on_input("--fps", "0", "roms/game.gba", prefix=(*valgrind, *kinds))
    host.say("pause", "ok pause")
    host.say("advance 30", "ok advance")
    host.close()
    host.ended(0)
    equal(pathlib.Path("valgrind.log").read_text(), "", "valgrind.log")
