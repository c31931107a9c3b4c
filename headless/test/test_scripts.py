"""Scripts: loading, output, and the calls that need something of the host."""

import os
import pathlib
import socket

import pytest

from conftest import EVENTS, script
from checks import equal

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.versions
def test_scripts_load_in_order_with_emu_and_know_their_host(runs):
    os.mkdir("a directory")
    script("a directory/one.lua", """order = "one" console:log("host " .. os.getenv("MGBA_BRIDGE_HOST")) require("neighbour")
        console:log("source " .. debug.getinfo(1, "S").source)""")
    script("a directory/neighbour.lua", 'console:log("neighbour found")')
    script("two-without-suffix", 'console:log(order .. " two, emu " .. type(emu) .. ", frame " .. emu:currentFrame())')
    scripts = ("--script", "a directory/one.lua", "--script", "two-without-suffix")
    host = runs(0, *scripts, "--frames", "1", "--fps", "0", "roms/game.gba")
    host.out.expect("^host headless$")
    host.out.expect("^neighbour found$")
    host.out.expect("^source @/.*/a directory/one.lua$")
    host.out.expect("^one two, emu userdata, frame 0$")


@pytest.mark.versions
def test_what_a_script_does_while_loading_stays(runs):
    script("write.lua", """emu:write8(0x02000100, 77)
        callbacks:add("frame", function() console:log("value " .. emu:read8(0x02000100)) end)""")
    runs(0, "--script", "write.lua", "--frames", "1", "--fps", "0", "roms/game.gba").out.expect("^value 77$")


@pytest.mark.parametrize("rom, size", [("game.gb", 0x2000), ("color.gbc", 0x8000)])
def test_scripts_have_all_banks_of_a_game_boy(runs, rom, size):
    script("size.lua", """console:log("wram " .. emu.memory.wram:size()) callbacks:add("start", function() console:log("start " .. emu.memory.wram:size()) end)
        emu:write8(0xC010, 1) emu:write8(0xD010, 2) console:log("banks " .. emu.memory.wram:read8(0x10) .. " " .. emu.memory.wram:read8(0x1010))""")
    host = runs(0, "--script", "size.lua", "--frames", "1", "--fps", "0", f"roms/{rom}")
    host.out.expect(f"^wram {size}$")
    host.out.expect(f"^start {size}$")
    host.out.expect("^banks 1 2$")


@pytest.mark.versions
def test_a_failing_script_ends_the_ones_before_it_properly(runs):
    script("bad.lua", 'error("no")')
    host = runs(22, "--script", EVENTS, "--script", "bad.lua", "roms/game.gba")
    host.out.expect("^event shutdown 1 emu=yes$")
    host.out.refuse("^event start")


def test_log_is_stdout_line_by_line_warn_and_error_are_stderr(start):
    script("log.lua", """console:log("a log") console:warn("a warning") console:error("an error") print("a print")
        console:log(("x"):rep(100000))""")
    host = start("--script", "log.lua", "roms/game.gba")
    host.out.wait("^x{100000}$")  # while it runs: a full buffer would hold the log back
    host.out.wait("^a log$")
    host.out.wait("^a print$")
    host.err.wait("a warning")
    host.err.wait("an error")
    host.out.refuse("a warning|an error")
    host.err.refuse("a log")
    equal(len([line for line in host.out.lines() if len(line) > 99999]), 1, "long lines")
    host.stop()


def test_library_log_only_when_asked_for(runs):
    script("slot.lua", 'callbacks:add("frame", function() emu:saveStateSlot(1) end)')
    host = runs(0, "--script", "slot.lua", "--frames", "2", "--fps", "0", "roms/game.gba")
    equal((host.out.text(), host.err.text()), ("", ""), "stdout and stderr")
    host = runs(0, "--verbose", "--script", "slot.lua", "--frames", "2", "--fps", "0", "roms/game.gba")
    host.err.expect("State 1 saved")
    equal(host.out.text(), "", "stdout")


def test_errors_of_callbacks_are_told_once(runs):
    script("bad.lua", 'callbacks:add("frame", function() error("broken callback") end)')
    host = runs(0, "--script", "bad.lua", "--frames", "50", "--fps", "0", "roms/game.gba")
    equal(len(host.err.lines("callback frame: .*bad.lua:1: broken callback")), 1, "reports")


@pytest.mark.versions
def test_create_buffer_is_safe(runs):
    script("buffer.lua", r"""
        for i = 1, 100 do
          local buffer = i % 2 == 0 and console:createBuffer("name") or console:createBuffer()
          buffer:setName("other")
          buffer:print("text\nmore text\n")
          buffer:moveCursor(3, 4)
          buffer:advance(2)
          local place = buffer:getX() .. "," .. buffer:getY()
          buffer:setSize(20, 10)
          buffer:clear()
          if i == 100 then
            console:log("buffer " .. place .. " " .. buffer:cols() .. "x" .. buffer:rows())
          end
          buffer:setSize(0, 0) buffer:setSize(4000000000, 4000000000) buffer:advance(-2000000000) buffer:print(("x\n"):rep(100000))
        end
        collectgarbage()""")
    runs(0, "--script", "buffer.lua", "--frames", "2", "--fps", "0", "roms/game.gba").out.expect("^buffer 5,4 20x10$")


@pytest.mark.versions
def test_screenshots_and_slots_from_a_script(runs):
    script("state.lua", """
        callbacks:add("frame", function()
          local frame = emu:currentFrame()
          if frame == 5 then
            emu:screenshot("shot.png")
            emu:screenshot()
            console:log("save " .. tostring(emu:saveStateSlot(3)))
            console:log("state " .. tostring(#emu:saveStateBuffer() > 0))
            console:log("empty " .. tostring(emu:loadStateSlot(9)))
          elseif frame == 20 and not done then
            done = true
            console:log("load " .. tostring(emu:loadStateSlot(3)) .. " " .. emu:currentFrame())
          end
        end)""")
    host = runs(0, "--script", "state.lua", "--frames", "40", "--fps", "0", "roms/game.gba")
    for line in ("save true", "state true", "empty false", "load true 5"):
        host.out.expect(f"^{line}$")
    for path in ("shot.png", "saves/game-0.png"):
        equal(pathlib.Path(path).read_bytes()[:8], PNG, path)
    assert pathlib.Path("saves/game.ss3").stat().st_size


@pytest.mark.versions
def test_a_dead_socket_does_not_end_the_emulator(start):
    script("server.lua", """
        local listener, port = _socket.create(), nil
        for try = 20000 + os.time() % 5000, 32000 do -- a free port
          if listener:open("127.0.0.1", try) == 0 then port = try break end
        end
        listener:listen(1)
        console:log("port " .. port)
        local peer, writes = nil, 0
        callbacks:add("frame", function()
          if not peer then
            local one = listener:accept()
            if one.error == 0 then peer = one end
          elseif writes < 50 then
            writes = writes + 1
            peer:send(("x"):rep(1000))
            if writes == 50 then console:log("still here") end
          end
        end)""")
    host = start("--script", "server.lua", "roms/game.gba")
    host.out.wait("^port .")
    socket.create_connection(("127.0.0.1", int(host.out.find("^port (.*)")))).close()
    host.out.wait("^still here$")
    host.stop()


SKIPS = """
local seen = 0
callbacks:add("frame", function()
  seen = seen + 1 + headless.skip(0)
  if seen ~= emu:currentFrame() + 1 then console:log("miscounted " .. seen) end
  called = (called or 0) + 1
  headless.skip(3)
end)
callbacks:add("shutdown", function() console:log("called " .. called .. " skipped " .. headless.skip(-1)) end)
"""


@pytest.mark.versions
def test_a_script_alone_skips_frames_and_they_are_counted(runs):
    script("skips.lua", SKIPS)
    host = runs(0, "--script", "skips.lua", "--frames", "103", "--fps", "0", "roms/game.gba")
    host.out.expect("^called 26 skipped 2$")
    host.out.refuse("^miscounted")


def test_no_frame_is_skipped_where_another_script_could_need_it(runs):
    script("skips.lua", SKIPS)
    script("other.lua", "-- nothing")
    host = runs(0, "--script", "skips.lua", "--script", "other.lua", "--frames", "103", "--fps", "0", "roms/game.gba")
    host.out.expect("^called 103 skipped 0$")
