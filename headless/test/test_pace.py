"""Pace, and the stats line that measures it."""

import re

import pytest

from conftest import EVENTS, script
from checks import equal, until

NUMBER, DECIMAL = r"\d+", r"\d+\.\d+"
FORM = (
    f"mgba-headless: stats frames={NUMBER} window_s={DECIMAL} window_frames={NUMBER} late={NUMBER} lost={NUMBER} fps={DECIMAL}"
    rf" callback_ms={DECIMAL} callback_pct={DECIMAL} paused=no game=running target_fps=59\.7275 total_late={NUMBER} total_lost={NUMBER}"
    f" total_drawn={NUMBER} total_callback_ms={DECIMAL} up_s={DECIMAL} unix_s={DECIMAL}"
)


def test_the_default_pace_is_kept(start_controlled):
    script("time.lua", 'callbacks:add("frame", function() if emu:currentFrame() == 0 then console:log("first") end end)')
    host = start_controlled("--script", "time.lua", "roms/game.gba")
    host.out.wait("^first$")
    first = host.stats()
    host.say("advance 120", "ok advance")
    stats = host.stats()
    # 120 frames take at least 119 periods of the test's clock; less would be too fast.
    assert stats["frames"] - first["frames"] >= 120
    assert stats["unix_s"] - first["unix_s"] >= 1.98
    equal(stats["target_fps"], 59.7275, "target")
    host.stop()


def test_frames_come_evenly(start):
    # The kernel's uptime has hundredths of a second: at 59.73 frames a second no two frames should see the same one, and on a busy machine a few after every
    # delay do.
    script("even.lua", """
        local last, same, frames = nil, 0, 0
        callbacks:add("frame", function()
          local file = io.open("/proc/uptime")
          local now = file:read("n")
          file:close()
          frames = frames + 1
          if now == last then same = same + 1 end
          last = now
          if frames % 60 == 0 then
            console:log("same " .. same)
            same = 0
          end
        end)""")
    host = start("--script", "even.lua", "roms/game.gba")
    until(lambda: any(int(line.split()[1]) <= 20 for line in host.out.lines("^same [0-9]+$")), "of 60 frames at most 20 come in a burst")
    host.stop()


def test_fps_0_is_as_fast_as_it_goes(start_controlled):
    host = start_controlled("--fps", "0", "roms/game.gba")
    host.say("fps 0", "ok fps")  # it runs: before, SIGUSR1 would end it
    host.reach(2000)
    stats = until(lambda: (found := host.stats())["fps"] >= 150 and found, "150 frames a second")
    equal([stats["total_late"], stats["total_lost"], stats["target_fps"]], [0, 0, 0], "late, lost and target")
    host.say("stop", "ok stop")
    host.ended(0)


def test_a_short_block_is_made_up_and_a_long_one_is_lost(start):
    # select() on a socket that was never opened is a sleep.
    script("block.lua", """
        callbacks:add("frame", function()
          if emu:currentFrame() == 10 then
            _socket.create():select(600)
            console:log("blocked")
          end
        end)""")
    host = start("--script", "block.lua", "roms/game.gba")
    host.out.wait("^blocked$")
    stats = host.reach(12)
    assert stats["total_late"] >= 1
    assert stats["total_lost"] >= 30  # 36 and the delays of a busy machine
    assert stats["total_lost"] + stats["frames"] <= stats["up_s"] * 60 + 2, "each counted once"
    assert stats["total_callback_ms"] >= 600
    host.stop()
    # 150 ms in each of the first frames is late, but never 0.25 s, when the rate is 10.
    script("block.lua", """callbacks:add("frame", function() if emu:currentFrame() == 2 then _socket.create():select(150) end
        if emu:currentFrame() == 5 then console:log("made up") end end)""")
    host = start("--fps", "10", "--script", "block.lua", "roms/game.gba")
    host.out.wait("^made up$")
    assert host.stats()["total_late"] >= 1
    host.stop()


def test_the_stats_line_has_its_form_and_comes_by_itself(start):
    host = start("--stats", "0.2", "roms/game.gba")
    host.err.wait(": stats ", 4)
    equal([line for line in host.err.lines() if not re.fullmatch(FORM, line)], [], "lines of another form")
    assert host.last_stats()["window_s"] >= 0.2
    host.stop()


@pytest.mark.versions
def test_sigusr1_brings_a_line_and_interrupts_no_script(start):
    script("wait.lua", """
        local socket, frames = _socket.create(), 0
        callbacks:add("frame", function()
          frames = frames + 1
          if frames == 1 then console:log("ready") end
          local result = socket:select(200)
          if result ~= 0 then console:log("select was interrupted: " .. result) end
        end)""")
    host = start("--stats", "0", "--script", "wait.lua", "roms/game.gba")
    host.out.wait("^ready$")
    for _ in range(3):
        host.stats()
    host.out.refuse("interrupted")
    equal(len(host.err.lines(": stats ")), 3, "stats lines")
    host.stop()


def test_frames_option_counts_exactly(runs):
    host = runs(0, "--script", EVENTS, "--frames", "7", "--fps", "500", "roms/game.gb")
    equal(host.count_of("frame"), 7, "frames")
