"""The events of scripts: their order and number, on every machine."""

import os
import pathlib
import re
import struct

import pytest

import small_roms
from conftest import EVENTS, first_byte, mail, script
from checks import equal, until

BOTH = pytest.mark.parametrize("rom", ("game.gba", "game.gb"))


def picture_size(path):
    """Width and height in the PNG header."""
    return struct.unpack(">II", pathlib.Path(path).read_bytes()[16:24])


def events(host):
    return re.findall("^event ([a-zA-Z]*) ", host.out.text(), re.MULTILINE)


@pytest.mark.versions
def test_events_come_in_order_and_are_counted(runs):
    host = runs(0, "--script", EVENTS, "--frames", "60", "--fps", "0", "roms/game.gba")
    equal(events(host), ["start", "reset", "keysRead", "frame", "shutdown"], "events")
    host.out.refuse("emu=no")
    wanted = {"start": 1, "reset": 1, "frame": 60, "keysRead": 60, "shutdown": 1, "crashed": 0, "stop": 0, "sleep": 0, "alarm": 0}
    equal({event: host.count_of(event) for event in wanted}, wanted, "counts")


# The border of the Super Game Boy is part of its picture.
def test_raw_reads_of_the_keys_are_none_of_the_game(runs):
    script("keys.lua", """local keys = 0
        callbacks:add("keysRead", function() keys = keys + 1 end)
        callbacks:add("frame", function()
            local before, state = keys, emu:saveStateBuffer(0)
            local value = emu.memory.io:read8(0)
            local range = emu.memory.io:readRange(0, 2):byte()
            print(keys - before, state == emu:saveStateBuffer(0), value == range, value & 0xF)
            emu:read8(0xFF00)
            print("bus", keys - before)
        end)""")
    host = runs(0, "--script", "keys.lua", "--frames", "4", "--fps", "0", "roms/game.gb")
    host.out.expect("^0\ttrue\ttrue\t15$")
    host.out.expect("^bus\t1$")


@pytest.mark.parametrize("rom, size", (("game.gb", (160, 144)), ("color.gbc", (160, 144)), ("super.gb", (256, 224))))
def test_gb_gbc_and_sgb_run(runs, rom, size):
    script("shot.lua", """callbacks:add('frame', function() if emu:currentFrame() == 20 then emu:screenshot('shot.png') end end)
        console:log('platform ' .. emu:platform())""")
    host = runs(0, "--script", EVENTS, "--script", "shot.lua", "--frames", "40", "--fps", "0", f"roms/{rom}")
    host.out.expect("^platform 1$")
    equal(host.count_of("frame"), 40, "frames")
    assert host.count_of("keysRead") >= 30
    equal(picture_size("shot.png"), size, "the size of the picture")


@BOTH
@pytest.mark.versions
def test_savedata_updated_fires_once_and_the_save_lies_in_the_directory(runs, rom):
    mail(4)
    host = runs(0, "--script", EVENTS, "--script", "mail.lua", "--frames", "60", "--fps", "0", f"roms/{rom}")
    equal(host.count_of("savedataUpdated"), 1, "savedataUpdated")
    equal(first_byte("saves/game.sav"), 0x5A, "save")
    assert not os.path.exists("roms/game.sav"), "there is a save beside the ROM, too"


def test_save_lies_beside_the_rom_without_the_option(runs):
    mail(4)
    pathlib.Path("here.gba").write_bytes(small_roms.GBA)
    runs(0, "--script", "mail.lua", "--frames", "10", "--fps", "0", "here.gba", saves=None)
    equal(first_byte("here.sav"), 0x5A, "save")


@pytest.mark.versions
def test_save_is_read_again(runs):
    mail(4)
    runs(0, "--script", "mail.lua", "--frames", "10", "--fps", "0", "roms/game.gba")
    script("read.lua", "callbacks:add('frame', function() console:log('sram ' .. emu:read8(0x0E000000)) end)")
    runs(0, "--script", "read.lua", "--frames", "1", "--fps", "0", "roms/game.gba").out.expect("^sram 90$")


@BOTH
@pytest.mark.versions
def test_sleep_event_and_the_game_goes_on(runs, rom):
    mail(3)
    host = runs(0, "--script", EVENTS, "--script", "mail.lua", "--frames", "20", "--fps", "0", f"roms/{rom}")
    equal([host.count_of(event) for event in ("sleep", "stop", "frame")], [1, 0, 20], "sleep, stop and frame")


@pytest.mark.versions
def test_stop_event_ends_it_when_nobody_can_reset(runs):
    mail(2)
    host = runs(0, "--script", EVENTS, "--script", "mail.lua", "--frames", "20", "--fps", "0", "roms/game.gba")
    equal(events(host)[-2:], ["stop", "shutdown"], "the last events")
    equal(host.count_of("frame"), 6, "frames")
    host.err.expect("stopped its machine")


def test_a_stopped_game_is_kept_until_it_is_reset_or_a_state_is_loaded(start_controlled):
    mail(2)
    host = start_controlled("--script", EVENTS, "--script", "mail.lua", "roms/game.gba")
    host.out.wait("event stop 1 emu=yes")
    host.err.wait("the game stopped its machine")
    stats = host.stats()
    equal((stats["game"], stats["frames"]), ("stopped", 6), "the game, and frames before the stop")
    host.say("advance 3", "error advance: the game stopped; reset it first")
    host.say("save-state 1", "ok save-state")
    host.say("pause", "ok pause")
    host.say("reset", "ok reset")
    host.say("advance 9", "error advance: the game stopped after 6 frames")  # the script mails again at its frame 5
    host.say("load-state 2", "error load-state: slot 2 is empty")
    equal(host.stats()["game"], "stopped", "the game after a state that is not there")
    host.say("load-state 1", "ok load-state")
    host.say("advance 9", "ok advance")
    host.say("load roms/game.gba", "ok load")
    host.out.wait("event start 2 emu=yes")
    host.say("stop", "ok stop")
    host.ended(0)


def idler(action):
    """A script that counts the idle callbacks and logs the first of each in a row, and does something at the tenth of a row."""
    script("idle.lua", f"""local row, last = 0, nil
        for _, name in ipairs({{ 'frame', 'idleWaiting', 'idlePaused', 'idleStopped', 'idleCrashed', 'idleEmpty' }}) do
          callbacks:add(name, function()
            row = name == last and row + 1 or 1
            if row == 1 then console:log('now ' .. name) end
            last = name
            if row == 10 and name ~= 'frame' then {action} end
          end)
        end""")


def states_seen(host):
    return re.findall("^now (.*)", host.out.text(), re.MULTILINE)


def test_a_script_is_called_between_slow_frames_and_they_keep_their_pace(start_controlled):
    idler("if name ~= 'idleWaiting' then error(name) end console:log('waited')")
    host = start_controlled("--script", "idle.lua", "--fps", "0.5", "roms/game.gba")
    host.out.wait("^now frame$", 2)
    host.out.wait("^waited$")  # ten times in a row
    host.say("fps 0.00001", "ok fps")
    host.out.wait("^waited$", 2)
    host.say("fps 60", "ok fps")
    host.reach(30)
    host.stop()
    equal(states_seen(host)[:3], ["frame", "idleWaiting", "frame"], "states")
    host.err.refuse("error")


@pytest.mark.parametrize("number, state", ((2, "idleStopped"), (1, "idleCrashed")))
@pytest.mark.versions
def test_a_script_that_listens_resets_a_game_that_stopped_or_crashed(runs, number, state):
    idler("emu:reset()")
    mail(number)
    host = runs(0, "--script", EVENTS, "--script", "idle.lua", "--script", "mail.lua", "--fps", "0", "--frames", "20", "roms/game.gba")
    equal(states_seen(host), ["frame", state] * 3 + ["frame"], "states")
    equal(host.count_of("frame"), 20, "frames")


@pytest.mark.versions
def test_a_script_that_listens_loads_a_state_into_a_game_that_stopped(runs):
    idler('console:log("loaded " .. tostring(emu:loadStateBuffer("x", 29)) .. " " .. tostring(emu:loadStateBuffer(kept, 29)))')
    mail(2)
    script("keep.lua", "callbacks:add('frame', function() if emu:currentFrame() == 2 and not kept then kept = emu:saveStateBuffer(30) end end)")
    scripts = ("--script", EVENTS, "--script", "idle.lua", "--script", "keep.lua", "--script", "mail.lua")
    host = runs(0, *scripts, "--fps", "0", "--frames", "9", "roms/game.gba")
    equal(states_seen(host), ["frame", "idleStopped", "frame"], "states")
    host.out.expect("^loaded false true$")


def test_idle_callbacks_say_why_no_frame_runs_and_count_none(start_controlled):
    idler('console:log("ten")')
    host = start_controlled("--script", EVENTS, "--script", "idle.lua", "roms/game.gba")
    host.out.wait("^now frame")
    host.say("pause", "ok pause")
    frames = host.stats()["frames"]
    host.out.wait("^ten")
    host.say("advance 2", "ok advance")
    host.out.wait("^ten", 2)
    equal(host.stats()["frames"], frames + 2, "frames")
    host.say("close", "ok close")
    host.out.wait("^ten", 3)
    host.say("load roms/game.gb", "ok load")
    host.out.wait("^now frame", 3)
    host.say("stop", "ok stop")
    host.ended(0)
    equal(states_seen(host), ["frame", "idlePaused", "frame", "idlePaused", "idleEmpty", "frame"], "states")


def test_crash_is_told_once_and_reset_revives(start_controlled):
    mail(1)
    host = start_controlled("--script", EVENTS, "--script", "mail.lua", "roms/game.gba")
    host.out.wait("event crashed 1 emu=yes")
    host.err.wait("the game crashed")
    host.say("advance 3", "error advance: the game crashed; reset it first")
    host.say("load-state 1", "error load-state: slot 1 is empty")
    stats = host.stats()
    equal((stats["game"], stats["frames"]), ("crashed", 6), "the game, and frames before the crash")
    equal(host.stats()["window_frames"], 0, "frames after the crash")
    host.say("pause", "ok pause")
    host.say("reset", "ok reset")
    host.out.expect("^event reset 2")
    host.say("advance 9", "error advance: the game crashed after 6 frames")  # the script mails again at its frame 5
    host.say("close", "ok close")
    equal(host.count_of("crashed"), 2, "crashes")
    host.stop()


@pytest.mark.versions
def test_emu_reset_from_a_script_fires_reset(runs):
    script("reset.lua", "local n = 0 callbacks:add('frame', function() n = n + 1 if n == 5 then emu:reset() end end)")
    host = runs(0, "--script", EVENTS, "--script", "reset.lua", "--frames", "20", "--fps", "0", "roms/game.gba")
    equal((host.count_of("reset"), host.count_of("frame")), (2, 20), "resets and frames")


@pytest.mark.versions
def test_emu_load_file_from_a_script_keeps_running(runs):
    # A second game in the same machine, its save file, and a picture of it.
    pathlib.Path("other.gba").write_bytes(small_roms.GBA.replace(b"TEST", b"OTHR"))
    script("load.lua", """
        local n = 0
        callbacks:add("frame", function()
          n = n + 1
          if n == 5 then
            console:log("load " .. tostring(emu:loadFile("other.gba")) .. " " .. tostring(emu:autoloadSave()))
            emu:reset()
          elseif n == 10 then
            -- 0.10.2 and later unload the game first, and then crash unless it is followed by a load or a reset.
            console:log("bad load " .. tostring(emu:loadFile("missing.gba")))
            emu:loadFile("other.gba")
            emu:reset()
          elseif n == 20 then
            console:log("code " .. emu:getGameCode())
            emu:screenshot("shot.png")
          end
        end)""")
    host = runs(0, "--script", EVENTS, "--script", "load.lua", "--frames", "30", "--fps", "0", "roms/game.gba")
    host.out.expect("^load true true$")
    host.out.expect("^bad load false$")
    host.out.expect("^code (AGB-)?OTHR$")  # without the prefix on 0.11
    equal(host.count_of("frame"), 30, "frames")
    equal(picture_size("shot.png"), (240, 160), "the size of the picture")
    assert os.path.exists("saves/other.sav"), "the save of the other game is not in the directory"


@BOTH
def test_save_file_of_a_game_that_never_wrote_is_removed(runs, start, rom):
    pathlib.Path(rom).write_bytes(small_roms.GAMES[rom])
    runs(0, "--frames", "5", "--fps", "0", rom, saves=None)
    assert not os.path.exists("game.sav"), "it left a save file"
    pathlib.Path("other.gba").write_bytes(small_roms.GBA)
    host = start("--fps", "0", rom, saves=None, control="-")
    host.write("load other.gba\nload other.gba\nstop\n")
    host.close()
    host.ended(0)
    equal(list(pathlib.Path().glob("*.sav")), [], "save files after load")


def test_save_file_that_was_there_or_that_another_program_has_open_stays(runs, start):
    save = pathlib.Path("game.sav")
    pathlib.Path("game.gba").write_bytes(small_roms.GBA)
    save.write_bytes(b"\xff" * 32768)
    runs(0, "--frames", "5", "--fps", "0", "game.gba", saves=None)
    assert save.stat().st_size, "a save file that was there is gone"
    save.unlink()
    script("ready.lua", "callbacks:add('frame', function() if emu:currentFrame() == 1 then console:log('ready') end end)")
    host = start("--script", "ready.lua", "--fps", "0", "game.gba", saves=None, control="fifo")
    host.out.wait("^ready$")  # before, the file may be one with which the program tries the folder
    with save.open("r+b"):
        host.kill()
        until(host.is_over, "the end")
    assert save.exists(), "a save file that another program has open is gone"
