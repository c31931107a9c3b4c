"""The history of a game: back in it, forth again, and who wrote what."""

import random

import pytest

from checks import equal, until
from histories import BACK_FRAME, BACK_POINT, BACK_STEP, CHANGE, CONTINUE, EXECUTE, GAME, HASH, OUTSIDE, STEP
from machines import Machine

# A client that presses keys and writes memory between frames.
DISTURB = """
local n = 0
callbacks:add('frame', function()
  n = n + 1
  emu:setKeys((n * 7) & 0x3ff)
  if n %% 5 == 0 then emu:write8(%d, n & 0xff) end
end)
"""


ROMS = ["machine.gba", "machine.gb", "mgba-bridge-test.gba", "mgba-bridge-test.gb"]


@pytest.mark.parametrize("rom", ROMS)
def test_back_and_forth_gives_the_same_states(game, rom):
    played = game(rom)
    played.lua(DISTURB % (0x02001000 if rom.endswith("gba") else 0xC800))
    played.advance(60)
    played.halt()
    states = [played.hash()]
    chance = random.Random(5)
    for _ in range(12):
        played.back(*chance.choice([(BACK_STEP, 1), (BACK_STEP, 7), (BACK_FRAME, 1), (BACK_FRAME, 3)]))
        states.append(played.hash())
    equal(played.history()["past"], 1, "whether it is in the past")
    # the same moments, forward
    places = [played.halted()[2]]
    for _ in range(5):
        places.append(played.resume(STEP)[2])
    for place in reversed(places[:-1]):
        equal(played.back()[2], place, "the place behind a step back")
    equal(played.hash(), states[-1], "the state behind steps forth and back")
    played.lua("headless.release()")
    until(lambda: not played.halted(), "the end of the halt")
    played.halt()
    equal(played.history()["past"], 0, "whether it is in the past")


# Notes the states of each 300th pass of a loop that counts in memory; afterwards halts there.
NOTE = """
noted, halts = {}, false
callbacks:add('debugHit', function()
  if emu:read16(%d) %% 300 ~= 0 then return end
  if halts then headless.haltHere() else local function hash() %s end noted[#noted + 1] = hash() end
end)
"""
LOOPS = {"calls.gba": 0x080000C8, "calls.gb": 0x153}


@pytest.mark.parametrize("rom", LOOPS)
def test_what_is_repeated_is_what_happened(game, rom):
    played = game(rom, serve=NOTE % (0x02000000 if rom.endswith("gba") else 0xC000, HASH))
    played.lua(DISTURB % (0x02001000 if rom.endswith("gba") else 0xC800))
    played.lua(f"headless.addPoint({EXECUTE}, {LOOPS[rom]}, {LOOPS[rom]}, -1)")
    played.advance(2)
    hits = int(played.lua("return #noted"))
    assert hits > 4, hits
    played.lua("halts = true")
    played.halt()
    present = played.hash()
    for number in range(hits, max(hits - 8, 1), -1):
        fields = played.back(BACK_POINT)
        equal((fields[1], int(fields[2])), ("point", LOOPS[rom]), "the place")
        equal(played.hash(), played.lua(f"return noted[{number}]"), f"the state at hit {number}")
    for number in range(max(hits - 8, 1) + 2, hits + 1):
        equal(played.resume(CONTINUE)[1], "point", "the reason")
        equal(played.hash(), played.lua(f"return noted[{number}]"), f"the state at hit {number}, forward")
    played.resume(STEP)
    equal(played.history()["past"], 1, "whether it is in the past")
    played.lua("halts = false headless.release() headless.halt()")
    until(lambda: not played.history()["past"], "the present")
    equal(played.hash(), present, "the present")


def test_a_change_in_the_past_ends_the_history_there(game):
    played = game("machine.gba")
    played.advance(20)
    played.halt()
    played.back(BACK_FRAME, 5)
    there = played.history()["frame"]
    played.lua("emu:write8(0x02001000, 77)")
    played.lua("headless.release()")
    until(lambda: not played.halted(), "the end of the halt")
    history = played.history()
    equal((history["past"], history["first"] + history["runs"]), (0, there + 1), "the history behind a change")
    equal(played.lua("return emu:read8(0x02001000)"), "77", "the changed byte")
    played.advance(3)
    equal(played.lua("return emu:read8(0x02001000)"), "77", "the changed byte, later")


def test_the_history_begins_somewhere(game):
    played = game("machine.gba")
    played.halt()
    equal(played.back(BACK_STEP)[1], "history", "the reason")
    played.lua("headless.release()")
    played.advance(3)
    played.halt()
    equal(played.back(BACK_FRAME, 50)[1], "history", "the reason")
    played.lua("headless.keepHistory(0)")
    equal(played.history()["megabytes"], 64, "a history in which the game is")


@pytest.mark.parametrize("rom, address, pc, size", [("calls.gba", 0x02000000, 0x080000E4, 4), ("calls.gb", 0xC000, 0x160, 1)])
def test_who_wrote_it(game, rom, address, pc, size):
    played = game(rom)
    played.advance(5)
    value = int(played.lua(f"return emu:read{8 * size}({address})"))
    found = played.writers(address, address + size - 1, count=3)
    equal([(by, at, where, length, was, now) for by, _, at, _, where, length, was, now in found],
        [(GAME, pc, address, size, value - 1 - i, value - i) for i in range(3)], "the last writers")
    played.lua(f"emu:write8({address}, {(value + 100) & 0xff})")
    by, frame, at, _, where, length, _, now = played.writers(address, count=1)[0]
    equal((by, at, where, length, now), (OUTSIDE, 0, address, 1, (value + 100) & 0xFF), "a client's write")
    equal(frame, played.history()["now"] - 1, "the frame")


def test_a_history_keeps_to_its_memory(game):
    played = game("mgba-bridge-test.gba", megabytes=1)
    played.lua("callbacks:add('frame', function() for i = 0, 63 do emu:write32(0x02010000 + 1024 * i, math.random(0, 0x7fffffff)) end end)")
    played.advance(3000)
    history = played.history()
    assert 0 < history["bytes"] <= 1 << 20, history
    assert history["first"] > 0, history


def test_reading_registers_changes_nothing(game):
    """libmgba takes a read of CPSR for a write, and would schedule an interrupt that waits."""
    played = game("mgba-bridge-test.gba")
    played.advance(10)
    played.halt()
    for _ in range(4):
        played.back(BACK_FRAME)
        before = played.hash()
        played.lua("for _, name in ipairs({ 'cpsr', 'r0', 'sp', 'lr', 'pc' }) do emu:readRegister(name) end")
        equal(played.hash(), before, "the state behind a read")


@pytest.mark.parametrize("move", ["emu:reset()", "emu:loadStateBuffer(state)"])
@pytest.mark.parametrize("rom", ["mgba-bridge-test.gba", "mgba-bridge-test.gb"])
def test_a_frame_with_a_reset_or_a_state_is_repeated(game, rom, move):
    """In the event of a frame: its time then says nothing about how long it ran."""
    played = game(rom)
    address = 0x02000008 if rom.endswith("gba") else 0xC000
    played.advance(20)
    played.lua("state = emu:saveStateBuffer(0)")
    played.advance(5)
    played.lua(f"local done callbacks:add('frame', function() if not done then done = true {move} end end)")
    played.advance(10)
    played.writers(address, address + 63, count=64)
    played.halt()
    for _ in range(16):
        played.back(BACK_FRAME)
    played.lua("headless.release() headless.halt()")
    until(lambda: not played.history()["past"], "the present")


def test_a_point_that_has_halted_the_game_is_found_again(game):
    played = game("calls.gba")
    played.advance(2)
    played.lua(f"headless.addPoint({CHANGE}, 0x02000000, 0x02000003, -1)")
    played.host_halts()
    hits = [played.halted()]
    for _ in range(5):
        hits.append(played.resume(CONTINUE))
    for earlier in reversed(hits[:-1]):
        equal(played.back(BACK_POINT)[4:], earlier[4:], "the hit")
    for later in hits[1:]:
        equal(played.resume(CONTINUE)[4:], later[4:], "the hit, forward")


def test_writers_of_a_game_in_its_past_are_those_until_the_present(game):
    played = game("calls.gba")
    played.advance(5)
    wanted = played.writers(0x02000000, 0x02000003, count=3)
    played.halt()
    played.back(BACK_FRAME, 2)
    equal(played.writers(0x02000000, 0x02000003, count=3), wanted, "the writers")


def test_a_search_for_writers_disturbs_no_halt_and_no_step(game):
    played = game("calls.gba")
    played.advance(3)
    played.lua(f"headless.addPoint({EXECUTE}, 0x080000C8, 0x080000C8, -1)")
    played.host_halts()
    count = int(played.lua("return emu:read32(0x02000000)"))
    played.writers(0x02000000, 0x02000003)
    equal(played.resume(CONTINUE)[1], "point", "the reason")
    equal(int(played.lua("return emu:read32(0x02000000)")), count + 1, "the passes of the loop")
    # a step that takes frames
    played.lua("halts = false headless.resume(4, 0x080001F0, -1) headless.findWriters(0x02000000, 0x02000003, -1, 64)")
    until(lambda: not played.history()["searching"], "the end of the search")
    equal(played.lua("return headless.isStepping()"), "true", "whether the step is under way")


def test_the_game_stays_where_it_is_during_a_search(game):
    played = game("calls.gba")
    played.advance(200)
    played.halt()
    there = played.hash()
    played.lua("halts = false")
    played.lua(f"headless.addPoint({EXECUTE}, 0x080000C8, 0x080000C8, -1)")
    played.lua("headless.goBack(1, 1)")
    for _ in range(3):
        equal(played.hash(), there, "the state during the search")
    equal(played.history()["searching"], 1, "whether it searches")
    played.lua("headless.halt()")
    equal(played.history()["searching"], 0, "whether it searches")
    equal(played.hash(), there, "the state behind it")


def test_scripts_are_called_while_a_frame_is_searched_whose_points_take_long(game):
    """Their clients would take the emulator for silent."""
    slow = "callbacks:add('debugHit', function() local stop = os.clock() + 0.001 repeat until os.clock() > stop end)"
    played = game("calls.gba", serve=slow)
    played.advance(10)
    played.lua("headless.keepHistory(0) headless.keepHistory(64)")
    played.advance(1)
    played.lua("headless.halt() calls = 0 callbacks:add('idleHalted', function() calls = calls + (headless.isSearching() and 1 or 0) end)")
    until(played.halted, "a halt")
    runs = played.history()["runs"]
    played.lua(f"headless.addPoint({EXECUTE}, 0x080000C8, 0x080000C8, -1)")
    equal(played.back(BACK_POINT)[1], "history", "the reason")
    calls = int(played.lua("return calls"))
    assert calls > 5 * runs, (calls, runs)


def test_the_history_of_a_game_that_is_started_with_it_begins_with_its_first_frame(start_controlled):
    machine = Machine(start_controlled, "mgba-bridge-test.gba", "--history", "32")
    equal(machine.lua("return headless.history()").split(" ")[:4:3], ["32", "0"], "the memory and the first frame")


def test_many_steps_back_are_one_search(game):
    played = game("mgba-bridge-test.gba")
    played.advance(100)
    played.halt()
    present = played.hash()
    played.back(BACK_STEP, 5000)
    there = played.hash()
    for _ in range(3):
        played.back(BACK_STEP, 50)
    for _ in range(150):
        played.resume(STEP)
    equal(played.hash(), there, "the state")
    played.lua("headless.release() headless.halt()")
    equal(played.hash(), present, "the present")


def test_a_history_that_is_kept_goes_on_with_other_memory(game):
    played = game("machine.gba")
    played.advance(5)
    first = played.history()["first"]
    played.lua("headless.keepHistory(32)")
    played.advance(5)
    history = played.history()
    equal((history["megabytes"], history["first"]), (32, first), "the history")


# At each moment: some instructions back, as many forward, and the state has to be the same.
MOMENTS = """
local function hash() %s end
local left, plan, there, last = %d, {}, nil, nil
compared, different, finished = 0, 0, false
callbacks:add('idleHalted', function()
  local halt, reason = headless.halted():match('^(%%d+) (%%l+)')
  if finished or halt == last or headless.isSearching() then return end
  last = halt
  if reason == 'history' then -- fewer steps back than planned; in the present again
    plan, there = {}, nil
    headless.release()
    headless.halt()
    return
  end
  if #plan == 0 then
    if there then
      compared = compared + 1
      if hash() ~= there then different = different + 1 end
    end
    if left == 0 then finished = true return end
    left, there = left - 1, nil
    local steps = math.random(1, 6)
    plan = { { math.random(0, 1) == 0 and 0 or 3, math.random(1, 40) ^ 2 // 1 | 0 }, 'note', { 0, steps } }
    if plan[1][1] == 3 then plan[1][2] = math.random(1, 12) end
    for _ = 1, steps do plan[#plan + 1] = 'step' end
  elseif plan[1] == 'note' then
    there = hash()
    table.remove(plan, 1)
  end
  local what = table.remove(plan, 1)
  if what == 'step' then headless.resume(1, 0, -1) else headless.goBack(what[1], what[2]) end
end)
"""


@pytest.mark.parametrize("rom", ROMS)
@pytest.mark.parametrize("count", [10, pytest.param(250, marks=pytest.mark.long)])
def test_moments_back_and_forth(game, rom, count):
    played = game(rom)
    played.lua(DISTURB % (0x02001000 if rom.endswith("gba") else 0xC800))
    played.advance(600)
    played.lua(MOMENTS % (HASH, count))
    played.lua("headless.halt()")
    until(lambda: played.lua("return finished") == "true", "the last moment", 600)
    equal(played.lua("return different"), "0", "states that differ")
    assert int(played.lua("return compared")) > count / 2
