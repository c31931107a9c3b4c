"""The clock that a game reads: the options, what a script sets, and what states and resets make of it."""

import os
import time

import pytest

from checks import equal
from conftest import script
from machines import CLOCK, FLASH, ROMS, Machine

RTC = ("--hardware", "rtc")
NOON = (26, 1, 1, 4, 12, 0, 0)  # 2026-01-01T12:00, a Thursday
NOON_MS = 1767268800000
SECOND = 60  # frames, a little more than one
ZONES = {"UTC0": 0, "JST-9": 9 * 3600, "NST3:30": -12600}  # and the seconds that they are ahead


@pytest.fixture
def play(start_controlled):
    def play(rom, *options, zone="UTC0"):
        game = Machine(start_controlled, rom, *options, env={**os.environ, "TZ": zone})
        if rom == "machine.gba":
            game.choose(CLOCK)
        return game

    return play


def end(game):
    game.host.write("stop\n")
    game.host.ended(0)


@pytest.mark.parametrize("zone", ZONES)
def test_a_fixed_time_is_read_as_it_is_given(play, zone):
    game = play("machine.gba", *RTC, "--clock", "fixed:2026-01-01T12:00", zone=zone)
    equal(game.clock(), NOON, "the time")
    game.advance(3 * SECOND)
    equal(game.clock(), NOON, "the time three seconds later")
    equal(game.game_clock(), ("fixed", NOON_MS, NOON_MS), "the clock of the host")


@pytest.mark.versions
@pytest.mark.parametrize("zone", ZONES)
def test_emulated_time_goes_with_the_frames(play, zone):
    game = play("machine.gba", *RTC, "--clock", "emulated:2026-12-31T23:59:50", zone=zone)
    equal(game.clock()[:6], (26, 12, 31, 4, 23, 59), "the time at the start")
    game.advance(10 * SECOND)
    equal(game.clock(), (27, 1, 1, 5, 0, 0, 0), "the time ten seconds later")
    mode, value, now = game.game_clock()
    equal((mode, value), ("emulated", 1798761590000), "the clock of the host")
    frames = int(game.lua("return emu:currentFrame()"))
    assert abs(now - value - frames * 1000 / 59.7275) < 20, (now - value, frames)


def test_emulated_time_goes_on_over_a_reset(play):
    game = play("machine.gba", *RTC, "--clock", "emulated:2026-01-01T12:00")
    game.advance(60 * SECOND)
    before = game.game_clock()
    game.host.say("reset", "ok reset")
    equal(game.game_clock(), before, "the clock of the host after a reset")
    game.advance(9)
    game.choose(CLOCK)
    equal(game.clock()[:6], (26, 1, 1, 4, 12, 1), "the time")
    game.lua("emu:reset()")
    game.advance(60 * SECOND)
    game.choose(CLOCK)
    equal(game.clock()[:6], (26, 1, 1, 4, 12, 2), "the time after two resets")


@pytest.mark.parametrize("zone", ZONES)
def test_the_time_of_the_host_is_local(play, zone):
    before = time.time() + ZONES[zone]
    game = play("machine.gba", *RTC, zone=zone)
    read = game.clock()
    mode, value, now = game.game_clock()
    after = time.time() + ZONES[zone]
    equal((mode, value), ("host", 0), "the clock of the host")
    assert int(before) <= now / 1000 <= after
    times = [time.gmtime(second) for second in range(int(before), int(after) + 1)]
    assert read in [(one.tm_year - 2000, one.tm_mon, one.tm_mday, (one.tm_wday + 1) % 7, one.tm_hour, one.tm_min, one.tm_sec) for one in times]


def test_an_offset_is_added_to_the_time_of_the_host(play):
    game = play("machine.gba", *RTC, "--clock", "host+86400000")
    wanted = time.gmtime(time.time() + 86400000)
    equal(game.clock()[:3], (wanted.tm_year - 2000, wanted.tm_mon, wanted.tm_mday), "the date")
    mode, value, now = game.game_clock()
    equal((mode, value), ("offset", 86400000000), "the clock of the host")
    assert abs(now / 1000 - time.time() - 86400000) < 60


def test_a_script_sets_the_clock(play):
    game = play("machine.gba", *RTC)
    for mode, value, read in (("fixed", NOON_MS, NOON), ("emulated", NOON_MS + 3_600_000, (26, 1, 1, 4, 13, 0, 0)), ("fixed", 946684800000, (0, 1, 1, 6, 0, 0, 0)),
                              ("fixed", 4102444799000, (99, 12, 31, 4, 23, 59, 59))):
        equal(game.lua(f"return headless.setClock('{mode}', {value})"), "true", f"{mode} {value}")
        game.advance()
        equal(game.clock(), read, f"the time with {mode} {value}")
    for mode, value in (("fixed", 946684799999), ("emulated", 4102444800000), ("fixed", -1), ("never", NOON_MS), ("", 0), ("offset", 4102444800000)):
        equal(game.lua(f"return headless.setClock('{mode}', {value})"), "false", f"{mode} {value}")
    equal(game.game_clock()[:2], ("fixed", 4102444799000), "the clock after what cannot be set")
    equal(game.lua("return headless.setClock('host', 5)"), "true", "host")
    equal(game.game_clock()[:2], ("host", 0), "the clock")


def test_a_clock_that_was_set_stays_when_a_state_is_loaded(play):
    game = play("machine.gba", *RTC, "--clock", "fixed:2026-01-01T12:00")
    game.host.say(f"save-state {os.getcwd()}/noon.ss", "ok save-state")
    end(game)
    game = play("machine.gba", *RTC, "--clock", "fixed:2030-05-06T07:08:09")
    game.host.say(f"load-state {os.getcwd()}/noon.ss", "ok load-state")
    equal(game.clock(), NOON, "what the game of the state has read")
    game.advance()
    equal(game.clock(), (30, 5, 6, 1, 7, 8, 9), "what it reads then")


def test_the_clock_of_a_state_is_used_where_none_was_set(play):
    game = play("machine.gba", *RTC, "--clock", "fixed:2026-01-01T12:00")
    game.host.say(f"save-state {os.getcwd()}/noon.ss", "ok save-state")
    end(game)
    game = play("machine.gba", *RTC, zone="JST-9")
    game.host.say(f"load-state {os.getcwd()}/noon.ss", "ok load-state")
    game.advance()
    equal(game.clock(), NOON, "the time")
    equal(game.game_clock(), ("fixed", NOON_MS, NOON_MS), "the clock of the host")


def test_a_state_brings_emulated_time_back(play):
    game = play("machine.gba", *RTC, "--clock", "emulated:2026-01-01T12:00")
    game.host.say("save-state 1", "ok save-state")
    equal(game.lua("return headless.keepState(0)"), "true", "whether the state is kept")
    then = game.game_clock()
    for again in (lambda: game.lua("headless.recallState(0)"), lambda: game.host.say("load-state 1", "ok load-state")):
        game.advance(60 * SECOND)
        game.host.say("reset", "ok reset")
        game.advance(5 * SECOND)
        assert game.game_clock() != then
        again()
        equal(game.game_clock(), then, "the clock of the host")
        game.advance(30 * SECOND)
        equal(game.clock()[:6], (26, 1, 1, 4, 12, 0), "the time half a minute later")


def test_emulated_time_advances_over_a_state_without_one(play):
    game = play("machine.gba", *RTC)
    game.advance(60 * SECOND)
    game.host.say(f"save-state {os.getcwd()}/host.ss", "ok save-state")
    end(game)
    game = play("machine.gba", *RTC, "--clock", "emulated:2000-01-01T00:00")
    before = game.game_clock()
    game.host.say(f"load-state {os.getcwd()}/host.ss", "ok load-state")
    equal(game.game_clock(), before, "the clock of the host")


def test_an_mbc3_counts_the_time_that_was_set(play):
    game = play("machine.gb", "--clock", "emulated:2026-01-01T12:00")
    game.advance(62 * SECOND)
    seconds, minutes, *rest = game.bytes(0x10, 5)
    equal((minutes, *rest), (1, 0, 0, 0), "the clock")
    assert seconds in (1, 2), seconds
    game.write(0x1A, 1)
    game.advance(SECOND)  # libmgba writes the clock behind the save when the game has not written for a while
    end(game)
    game = play("machine.gb", "--clock", "fixed:2026-01-02T13:30")
    equal(tuple(game.bytes(0x12, 3)), (1, 1, 0), "hours and days since the first run began")


def test_a_gba_save_with_a_clock_is_read_with_any_clock(play):
    game = play("machine.gba", *RTC, "--save-type", "flash1m", "--clock", "fixed:2026-01-01T12:00")
    equal(game.save(FLASH), 1, "the result")
    end(game)
    equal(os.path.getsize("saves/machine.sav"), 0x20000 + 16, "the size of the save file")
    game = play("machine.gba", *RTC, "--save-type", "flash1m", "--clock", "fixed:2031-02-03T04:05:06")
    equal(game.clock(), (31, 2, 3, 1, 4, 5, 6), "the time with the save of another")
    equal(game.save(FLASH + 1), 1, "the save")


# What both games read of the clock, each frame, over resets and kept states.
STORY = """
local base, sum = emu:platform() == C.PLATFORM.GBA and 0x02000000 or 0xC100, 0
local frames = 0
callbacks:add("frame", function()
  frames = frames + 1
  if frames % 500 == 10 and base == 0x02000000 then emu:write8(base + 0x0C, 1) end
  for c in emu:readRange(base, 0x30):gmatch(".") do sum = (sum * 31 + c:byte()) % 4294967291 end
  if frames == 1000 then headless.keepState(0) end
  if frames == 1500 then emu:reset() end
  if frames == 2500 then headless.recallState(0) end
  if frames == 3000 then print("story " .. sum .. " " .. headless.clock()) end
end)
"""


@pytest.mark.versions
@pytest.mark.parametrize("rom", ("machine.gba", "machine.gb"))
def test_emulated_time_is_the_same_each_time(runs, rom):
    script("story.lua", STORY)
    seen = set()
    for zone in ZONES:
        options = ("--script", "story.lua", "--frames", "3001", "--fps", "0", "--clock", "emulated:2026-01-01T12:00", *(RTC if rom.endswith("gba") else ()))
        seen.add(runs(0, *options, ROMS / rom, env={**os.environ, "TZ": zone}).out.find("^story (.*)"))
        for file in os.listdir("saves"):
            os.remove(f"saves/{file}")
    equal(len(seen), 1, f"the number of different results {seen}")
    assert None not in seen
