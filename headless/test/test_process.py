"""The process itself: descriptors, memory, and the ROMs of the project."""

import os
import pathlib

import pytest

import small_roms
from conftest import EVENTS, mail, script
from checks import equal
from headless import ROMS

KINDS = ("--errors-for-leak-kinds=definite", "--show-leak-kinds=definite")


@pytest.mark.versions
def test_descriptors_do_not_leak(start_controlled):
    host = start_controlled("roms/game.gba")
    host.say("load roms/game.gba", "ok load")
    before = host.descriptors()
    for _ in range(10):
        host.say("load roms/game.gb", "ok load")
        host.say("load missing", "error load")
        for where in ("1", "file"):
            host.say(f"save-state {where}", "ok save-state")
            host.say(f"load-state {where}", "ok load-state")
        host.say("load roms/game.gba", "ok load")
        host.say(f"run-script {EVENTS}", "ok run-script")
        host.say("scripts-reset", "ok scripts-reset")
    equal(host.descriptors(), before, "descriptors")
    host.say("stop", "ok stop")
    host.ended(0)


def test_a_closed_stdout_is_not_taken_by_another_file(start):
    script("log.lua", 'callbacks:add("frame", function() console:log("log") console:warn("running") end)')
    closed = ("sh", "-c", 'exec "$@" <&- >&-', "sh")
    host = start("--script", "log.lua", "roms/game.gba", prefix=closed)
    host.err.wait("running")
    equal([os.readlink(f"/proc/{host.pid}/fd/{number}") for number in (0, 1)], ["/dev/null", "/dev/null"], "stdin and stdout")
    host.stop()


def test_it_is_clean_under_valgrind(start_controlled, valgrind):
    mail(4)
    script("busy.lua", """
        local buffer = console:createBuffer("name")
        buffer:print("text")
        callbacks:add("frame", function()
          local frame = emu:currentFrame()
          if frame == 3 then emu:screenshot("shot.png") end
          if frame == 4 then emu:saveStateSlot(1) emu:loadStateSlot(1) end
          if frame == 6 then error("on purpose") end
        end)""")
    script("bad.lua", "error({})")
    scripts = ("--script", EVENTS, "--script", "busy.lua", "--script", "mail.lua")
    host = start_controlled("--fps", "0", *scripts, "roms/game.gba", prefix=(*valgrind, *KINDS))
    host.say("pause", "ok pause")
    host.say("advance 30", "ok advance")
    host.say("save-state file", "ok save-state")
    host.say("load-state file", "ok load-state")
    host.say("reset", "ok reset")
    host.say("run-script bad.lua", "error run-script")
    host.say("load missing", "error load")
    pathlib.Path("short.gb").write_bytes(small_roms.gb()[:20000])
    host.say("load short.gb", "error load")
    host.say("load roms/super.gb", "ok load")
    host.say("advance 5", "ok advance")
    host.say("scripts-reset", "ok scripts-reset")
    host.say(f"run-script {EVENTS}", "ok run-script")
    host.say("advance 5", "ok advance")
    host.say("close", "ok close")
    host.say("load roms/game.gba", "ok load")
    script("off.lua", """
        emu:write8(0x02000000, 2)
        local kept = emu:saveStateBuffer(30)
        callbacks:add("idleStopped", function() console:log("stopped") emu:loadStateBuffer("short", 29) emu:loadStateBuffer(kept, 29) emu:reset() end)
        callbacks:add("idlePaused", function() console:log("paused") emu:saveStateBuffer(31) end)""")
    host.say("run-script off.lua", "ok run-script")
    host.out.wait("^stopped$")
    host.say("pause", "ok pause")
    host.out.wait("^paused$")
    host.stop()
    equal(pathlib.Path("valgrind.log").read_text(), "", "valgrind.log")


def test_a_refusal_is_clean_under_valgrind(runs, valgrind):
    script("bad.lua", "error({})")
    runs(22, "--script", "bad.lua", "roms/game.gba", prefix=(*valgrind, KINDS[0]))


@pytest.mark.parametrize("kind", ("gba", "gb"))
def test_the_project_test_roms_run(runs, kind):
    host = runs(0, "--script", EVENTS, "--frames", "60", "--fps", "0", ROMS[kind])
    equal((host.count_of("frame"), host.count_of("crashed")), (60, 0), "frames and crashes")
