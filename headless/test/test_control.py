"""The control FIFO: every command, and every way to write a bad line."""

import os
import pathlib
import zipfile

import pytest

import small_roms
from conftest import EVENTS, first_byte, mail, script
from checks import equal, until
from headless import ROOT


def test_pause_stands_still_and_uses_no_cpu(start_controlled):
    host = start_controlled("--script", EVENTS, "--stats", "0.4", "roms/game.gba")
    host.out.wait("^event frame 1")
    host.say("pause", "ok pause")
    stats = host.stats()
    equal(stats["paused"], "yes", "paused")
    cpu = host.cpu_ticks()
    host.err.wait("paused=yes", 4)
    equal(host.last_stats()["frames"], stats["frames"], "frames while paused")
    assert host.cpu_ticks() - cpu <= 2, "CPU ticks in more than a second of pause"
    host.say("resume", "ok resume")
    until(lambda: lost_in_a_pause(host) == 0, "no frame is lost in one of several pauses: a busy machine may lose some")
    host.say("stop", "ok stop")
    host.ended(0)


def lost_in_a_pause(host):
    """How many frames are lost from before a pause until the game has run on."""
    lost, count = host.stats()["total_lost"], len(host.err.lines("paused=yes"))
    host.say("pause", "ok pause")
    host.err.wait("paused=yes", count + 2)
    host.say("resume", "ok resume")
    return host.reach(host.last_stats()["frames"] + 10)["total_lost"] - lost


def test_cycles_are_measured_between_two_addresses(start_controlled):
    """the test game is interrupted once a frame, of 280896 cycles"""
    host = start_controlled("--paused", "--fps", "0", str(ROOT / "headless/roms/mgba-bridge-test.gba"))
    host.say("measure here there", 'error measure: requires two addresses of code in hexadecimal, such as 8000150 8000160 or 0:150 1:4000, not "here there"')
    host.say("measure 18 18", "ok measure")
    host.say("advance 30", "ok advance")
    host.say("measured", "ok measured")
    count, least, most = host.out.find(r"^mgba-headless: measured (\d+ \d+ \d+)$").split()
    assert 20 <= int(count) < 30, count
    equal((least, most), ("280896", "280896"), "the cycles")
    host.say("stop", "ok stop")
    host.ended(0)


def test_advance_runs_that_many_frames_and_stays_paused(start_controlled):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.say("pause", "ok pause")
    frames = host.stats()["frames"]
    host.say("advance 5", "ok advance")
    stats = host.stats()
    equal((stats["frames"], stats["paused"]), (frames + 5, "yes"), "frames and paused")
    host.write("advance 3\nadvance 4\nclose\n")  # in one write: each line waits for the one before it
    host.out.wait("^control: ok close$")
    equal(len(host.out.lines("^control: ok advance$")), 3, "answers")
    equal(host.count_of("frame"), frames + 12, "frames")
    host.say("advance 1", "error advance: no game is open")
    host.say("stop", "ok stop")
    host.ended(0)


def test_paused_runs_no_frame_until_it_is_told_to(start_controlled):
    host = start_controlled("--script", EVENTS, "--paused", "roms/game.gba")
    host.say("advance 5", "ok advance")
    stats = host.stats()
    equal((stats["frames"], stats["paused"]), (5, "yes"), "frames and paused")
    host.say("resume", "ok resume")
    host.say("stop", "ok stop")
    host.ended(0)


def test_advance_from_running_pauses(start_controlled):
    host = start_controlled("roms/game.gba")
    host.say("advance 2", "ok advance")
    equal(host.stats()["paused"], "yes", "paused")
    host.write("advance 1000000\n")  # answered when the program ends
    host.reach(20)
    host.stop()
    equal(len(host.out.lines("^control: ")), 2, "answers")
    host.out.expect("^control: error advance: the emulation ended after [0-9]* frames$")


def test_fps_command_changes_the_pace(start_controlled):
    host = start_controlled("roms/game.gba")
    host.say("fps 0", "ok fps")
    equal(host.stats()["target_fps"], 0, "target")
    host.reach(1000)
    host.say("fps 30", "ok fps")
    equal(host.stats()["target_fps"], 30, "target")
    host.say("fps x", "error fps: requires")
    host.say("stop", "ok stop")
    host.ended(0)


def test_reset_command_fires_reset_once(start_controlled):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.say("reset", "ok reset")
    host.out.expect("^event reset 2 emu=yes$")
    host.say("advance 5", "ok advance")
    host.say("close", "ok close")
    equal(host.count_of("reset"), 2, "resets")
    host.say("stop", "ok stop")
    host.ended(0)


@pytest.mark.versions
def test_close_and_load_take_emu_away_and_bring_it_back(start_controlled):
    script("look.lua", """console:log("emu is " .. type(emu))
        if emu and not kept then kept = emu end
        if kept then console:log("old " .. select(2, pcall(function() return kept:platform() end))) end""")
    host = start_controlled("--script", EVENTS, "--script", "look.lua", "roms/game.gba")
    host.out.wait("^event frame 1")
    host.out.clear()
    host.say("pause", "ok pause")
    host.say("close", "ok close")
    host.out.expect("^event shutdown 1 emu=yes$")
    host.say("run-script look.lua", "ok run-script")
    host.out.expect("^emu is nil$")
    host.out.expect("^old .*Invalid object")
    host.say("load roms/color.gbc", "ok load")
    host.out.expect("^event start 2 emu=yes$")
    host.out.expect("^event reset 2 emu=yes$")
    equal(host.stats()["paused"], "no", "paused")
    host.say("run-script look.lua", "ok run-script")
    host.out.expect("^emu is userdata$")
    host.say("load roms/game.gb", "ok load")  # over a running game
    host.out.expect("^event shutdown 2 emu=yes$")
    host.out.expect("^event start 3 emu=yes$")
    host.say("stop", "ok stop")
    host.ended(0)
    equal(len(host.out.lines("^event shutdown")), 3, "shutdowns")


def test_load_of_a_bad_rom_keeps_the_game(start_controlled):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.out.wait("^event frame 1")
    host.say("load missing.gba", 'error load: cannot open ROM "missing.gba"')
    pathlib.Path("empty.gba").touch()
    host.say("load empty.gba", "error load: .*is empty")
    pathlib.Path("text.gba").write_text("text\n")
    host.say("load text.gba", "error load: .*is not a GBA")
    host.out.refuse("^event shutdown")
    host.say("advance 2", "ok advance")
    host.say("stop", "ok stop")
    host.ended(0)


def test_load_of_the_same_rom_finds_what_was_saved(start_controlled):
    mail(4)
    host = start_controlled("--script", "mail.lua", "roms/game.gba")
    host.out.wait("^mailed$")
    host.say("advance 2", "ok advance")
    script("read.lua", """callbacks:add("start", function() fresh = true end)
        callbacks:add("frame", function() if fresh then fresh = false console:log("sram " .. emu:read8(0x0E000000)) end end)""")
    host.say("run-script read.lua", "ok run-script")
    host.say("load roms/game.gba", "ok load")
    host.out.wait("^sram 90$")
    host.say("stop", "ok stop")
    host.ended(0)


@pytest.mark.parametrize("rom", ["game.gba", "game.gb"])
@pytest.mark.versions
def test_rom_that_is_built_again_does_not_change_the_running_game(start_controlled, rom):
    path = pathlib.Path("roms", rom)
    script("show.lua", "console:log('title ' .. emu:getGameTitle()) emu:screenshot('shot.png')")
    host = start_controlled("--paused", f"roms/{rom}")
    host.say("advance 5", "ok advance")
    os.truncate(path, 0)  # as a linker does first
    host.say("advance 20", "ok advance")
    host.say("run-script show.lua", "ok run-script")
    path.write_bytes(small_roms.GAMES[rom].replace(b"TEST", b"NEXT"))
    host.say("reset", "ok reset")
    host.say("advance 20", "ok advance")
    host.say("run-script show.lua", "ok run-script")
    assert "NEXT" not in host.out.text(), "the new ROM is seen in the running game"
    host.say(f"load roms/{rom}", "ok load")
    host.say("advance 2", "ok advance")
    script("new.lua", "console:log('new ' .. emu:read8(emu:platform() == C.PLATFORM.GBA and 0x080000AC or 0x134))")
    host.say("run-script new.lua", "ok run-script")
    host.out.expect(f"^new {ord('N')}$")
    host.say("stop", "ok stop")
    host.ended(0)


def test_states_by_slot_and_by_file(start_controlled):
    script("frame.lua", 'console:log("frame " .. emu:currentFrame())')
    host = start_controlled("roms/game.gba")
    host.say("advance 10", "ok advance")
    host.say("run-script frame.lua", "ok run-script")
    first = host.out.find("^frame (.*)")
    assert first
    host.say("save-state 2", "ok save-state")
    host.say("save-state a file.state", "ok save-state")
    for where in ("2", "a file.state"):
        host.say("advance 7", "ok advance")
        host.say(f"load-state {where}", "ok load-state")
        host.say("run-script frame.lua", "ok run-script")
        equal(host.out.find("^frame (.*)"), first, f"frame after load-state {where}")
    assert pathlib.Path("saves/game.ss2").stat().st_size
    host.say("load-state 8", "error load-state: slot 8 is empty")
    host.say("load-state missing", 'error load-state: cannot open "missing"')
    pathlib.Path("text").write_text("text\n")
    host.say("load-state text", 'error load-state: "text" is not a state of this game')
    host.say("save-state missing/file", "error save-state: cannot open")
    host.say("stop", "ok stop")
    host.ended(0)


@pytest.mark.versions
def test_run_script_runs_in_the_same_state(start_controlled):
    script("count.lua", """loads = (loads or 0) + 1 local mine = loads console:log("load " .. mine)
        callbacks:add("reset", function() console:log("callback of " .. mine) end)""")
    host = start_controlled("--script", "count.lua", "roms/game.gba")
    host.say("run-script count.lua", "ok run-script")
    host.out.expect("^load 2$")
    host.say("reset", "ok reset")
    host.out.expect("^callback of 1$")
    host.out.expect("^callback of 2$")
    script("bad.lua", "error({})")
    host.say("run-script bad.lua", "error run-script: script failed while loading: .error object is a table value")
    script("bad.lua", "x x")
    host.say("run-script bad.lua", "error run-script: script has a syntax error")
    host.say("run-script missing.lua", "error run-script: cannot open script")
    host.say("advance 2", "ok advance")
    host.say("stop", "ok stop")
    host.ended(0)


@pytest.mark.versions
def test_scripts_reset_is_a_new_state(start_controlled):
    script("mark.lua", 'console:log("mark " .. tostring(mark) .. " emu " .. type(emu)) mark = true')
    host = start_controlled("--script", EVENTS, "--script", "mark.lua", "roms/game.gba")
    host.out.wait("^event frame 1")
    host.say("scripts-reset", "ok scripts-reset")
    host.say("run-script mark.lua", "ok run-script")
    equal(len(host.out.lines("^mark nil emu userdata$")), 2, "fresh states")
    host.say("reset", "ok reset")
    host.out.refuse("^event reset 2")
    host.say("advance 2", "ok advance")
    host.say("stop", "ok stop")
    host.ended(0)


def test_stop_command_is_a_clean_end(start_controlled):
    host = start_controlled("--script", EVENTS, "roms/game.gba")
    host.say("stop", "ok stop")
    host.ended(0)
    host.out.expect("^event shutdown 1 emu=yes$")


def test_every_line_gets_one_answer(start_controlled):
    host = start_controlled("roms/game.gba")
    host.say("nonsense", 'error line: unknown command "nonsense"')
    host.say("", 'error line: unknown command ""')
    host.say("pause now", "error pause: takes no argument")
    host.say("advance", "error advance: requires a number of frames")
    host.say("advance 0", "error advance: requires an integer")
    host.say("advance 1000001", "error advance: requires an integer")
    host.say("load", "error load: requires a ROM file")
    host.say("  pause\r", "ok pause")
    host.say("\tresume", "ok resume")
    # A line in two halves.
    host.write("pau")
    host.write("se\n")
    host.out.wait("^control: ok pause$", 2)
    # Several lines in one write.
    host.out.clear()
    host.write("resume\npause\nfps 0\n")
    host.out.wait("^control: ", 3)
    equal(host.out.lines(), ["control: ok resume", "control: ok pause", "control: ok fps"], "answers")
    # Far too long, and with a zero byte: one answer each, and the next line is read again.
    host.out.clear()
    for part in (b"x" * 50000, b"x" * 50000, b"\npause\n"):
        while part:
            part = part[host.control.write(part) :]
    host.out.wait("^control: ", 2)
    host.write(b"pau\0se\nresume\n")
    host.out.wait("^control: ", 4)
    answers = [" ".join(line.split(" ")[:4]) for line in host.out.lines()]
    equal(answers, ["control: error line: the", "control: ok pause", "control: error line: the", "control: ok resume"], "answers")
    host.say("stop", "ok stop")
    host.ended(0)


def test_lines_that_wait_at_the_start_run_before_the_first_frame(start_controlled):
    host = start_controlled("--script", EVENTS, "roms/game.gba", first="pause\nadvance 3\n")
    host.out.wait("^control: ok advance$")
    host.say("stop", "ok stop")
    host.ended(0)
    equal(host.count_of("frame"), 3, "frames")


def test_a_zipped_rom_runs(runs):
    with zipfile.ZipFile("archive.zip", "w") as archive:
        archive.write("roms/game.gba", "game.gba")
    mail(4)
    host = runs(0, "--script", EVENTS, "--script", "mail.lua", "--frames", "10", "--fps", "0", "archive.zip")
    equal(host.count_of("frame"), 10, "frames")
    equal(first_byte("saves/archive.sav"), 0x5A, "save")


def test_writers_come_and_go(start_controlled):
    host = start_controlled("--stats", "0.3", "roms/game.gba")
    host.say("fps 60", "ok fps")  # it has the FIFO open
    host.close()  # no writer is left

    def echo(line):
        pathlib.Path("fifo").write_text(line + "\n")

    for number in range(1, 6):
        for line in ("pause", "resume"):
            echo(line)
            host.out.wait(f"^control: ok {line}$", number)
    echo("pause")
    host.out.wait("^control: ok pause$", 6)
    cpu = host.cpu_ticks()
    host.err.clear()
    host.err.wait(": stats ", 4)
    assert host.cpu_ticks() - cpu <= 3, "CPU ticks in a second without a writer"
    echo("stop")
    host.ended(0)
