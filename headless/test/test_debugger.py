"""A game that stands between two instructions: breakpoints, watchpoints and steps."""

import os

import pytest

from checks import equal, until
from machines import Machine

EXECUTE, READ, WRITE, CHANGE, INTERRUPT = 1, 2, 4, 8, 16
CONTINUE, STEP, OVER, OUT, TO = range(5)
HASH = "local state = emu:saveStateBuffer(0) local sum = 0 for i = 1, #state do sum = (sum * 31 + state:byte(i)) & 0xffffffff end return sum"


@pytest.fixture
def machine(start_controlled):
    games = []

    def machine(rom, *options):
        for game in games:
            game.host.write("stop\n")
            game.host.ended(0)
            games.remove(game)
        games.append(Machine(start_controlled, rom, "--clock", "emulated:2026-01-01T12:00", *options))
        return games[-1]

    return machine


def states(game):
    found = []
    for _ in range(10):
        game.advance(30)
        found.append(game.lua(HASH))
    return found


@pytest.mark.versions
@pytest.mark.parametrize("rom", ["machine.gba", "machine.gb", "mgba-bridge-test.gba", "mgba-bridge-test.gb"])
def test_frames_end_in_the_same_states_with_points(machine, rom):
    plain = states(machine(rom))
    game = machine(rom)
    game.lua("headless.addPoint(1, 0x4, 0x4, -1) headless.addPoint(8, 0x3, 0x3, -1)")
    equal(states(game), plain, "the states")


SERVE = "hits = {} halts = true callbacks:add('debugHit', function() hits[#hits + 1] = headless.hit() if halts then headless.haltHere() end end)"


class Stopped:
    """A game with points, halted at the first of them."""

    def __init__(self, machine, rom, *points):
        self.game = machine(os.path.abspath(f"roms/{rom}"))
        self.game.lua(SERVE)
        self.ids = [int(self.game.lua(f"return headless.addPoint({kinds}, {first}, {last}, {bank})")) for kinds, first, last, bank in points]
        self.game.host.say("advance 1", "error advance: the game halted")
        self.halt()

    def halt(self):
        """The fields of the halt, when there is one."""
        return until(lambda: self.game.lua("return headless.halted()").split(), "a halt")

    def hit(self):
        """The point's number, and kind, pc, bank, address, size, before, value, after and whether DMA did it."""
        fields = [int(field) for field in self.halt()[4:]]
        return self.ids.index(fields[0]), *fields[1:]

    def resume(self, how, address=0, bank=-1):
        """The reason and the place of the next halt."""
        before = self.halt()[0]
        self.game.lua(f"headless.resume({how}, {address}, {bank})")
        fields = until(lambda: self.halt() if self.halt()[0] != before else None, "another halt")
        return fields[1], int(fields[2])


def at(first, last=None, kinds=EXECUTE, bank=-1):
    return kinds, first, last or first, bank


# Of small_roms.CALLING: the loop, where it calls the function, the function, where that returns to, and where the loop continues then; lines of the function.
PROGRAMS = {
    "calls.gba": (0x080000C8, 0x080000CC, 0x080000E0, 0x080000D0, 0x080000D4, (0x080000E4, 0x080000E8, 0x080000EC)),
    "calls-thumb.gba": (0x080000CA, 0x080000CC, 0x080000D8, 0x080000D0, 0x080000D2, (0x080000DA, 0x080000DC, 0x080000DE)),
    "calls.gb": (0x153, 0x154, 0x160, 0x157, 0x158, (0x161,)),
}


@pytest.mark.parametrize("rom", PROGRAMS)
def test_a_game_is_halted_at_a_breakpoint_each_time(machine, rom):
    loop, *_ = PROGRAMS[rom]
    game = Stopped(machine, rom, at(loop))
    equal(game.halt()[1:3], ["point", str(loop)], "the first halt")
    for _ in range(4):
        equal(game.resume(CONTINUE), ("point", loop), "the next halt")
    equal(game.game.lua("return #hits"), "5", "the hits")


@pytest.mark.parametrize("rom", PROGRAMS)
def test_steps_go_into_over_and_out_of_functions(machine, rom):
    loop, call, function, behind, then, lines = PROGRAMS[rom]
    game = Stopped(machine, rom, at(loop))
    for address in (call, function, lines[0]):
        equal(game.resume(STEP), ("step", address), "the place after a step")
    equal(game.resume(OUT), ("step", behind), "the place after a step out")
    equal(game.resume(STEP), ("step", then), "the place after a step")
    equal(game.resume(TO, call), ("point", loop), "a breakpoint on the way")
    equal(game.resume(TO, function), ("step", function), "the place that was run to")
    for address in lines:
        equal(game.resume(OVER), ("step", address), "the place after a step over")
    equal(game.resume(OUT), ("step", behind), "the place after a step out")
    equal(game.resume(CONTINUE), ("point", loop), "the breakpoint")
    for address in (call, behind, then):
        equal(game.resume(OVER), ("step", address), "the place after a step over")


@pytest.mark.parametrize("rom, place, address, size, behind", [
    ("calls.gba", 0x080000E4, 0x02000000, 4, 0x080000E8), ("calls.gb", 0x160, 0xC000, 1, 0x161),
])
def test_a_watchpoint_halts_behind_the_write(machine, rom, place, address, size, behind):
    game = Stopped(machine, rom, at(address, kinds=CHANGE))
    for _ in range(3):
        before = game.hit()[6]
        _, kind, pc, _, where, length, old, value, after, by_dma = game.hit()
        equal((kind, pc, where, length, value, after, by_dma), (CHANGE, place, address, size, old + 1, old + 1, 0), "the hit")
        equal(game.halt()[1:3], ["point", str(behind)], "the place of the halt")
        game.resume(CONTINUE)
        equal(game.hit()[6], before + 1, "the value before the next")


def test_watchpoints_have_ranges_and_kinds(machine):
    game = Stopped(machine, "calls.gba", at(0x02000008, 0x0200000B, WRITE), at(0x02000000, kinds=READ), at(0x03000000, 0x03007FFF, WRITE))
    found = set()
    for _ in range(9):
        number, kind, pc, _, address, size, *_ = game.hit()
        found.add((number, kind, pc, address, size))
        game.resume(CONTINUE)
    equal(found, {
        (0, WRITE, 0x080000F0, 0x02000008, 2), (1, READ, 0x080000D4, 0x02000000, 1), (2, WRITE, 0x080000E0, 0x03007EFC, 4),
    }, "the hits")


def test_a_point_that_does_not_halt_reports_each_hit(machine):
    game = machine(os.path.abspath("roms/calls.gba"))
    game.lua(SERVE + " halts = false headless.addPoint(1, 0x080000E4, 0x080000E4, -1) first = emu:read32(0x02000000)")
    game.advance(2)
    equal(game.lua("return #hits - (emu:read32(0x02000000) - first)"), "0", "hits beyond the calls")
    equal(game.lua("return headless.lostHits()"), "0", "lost hits")


def test_what_a_script_writes_is_no_hit(machine):
    game = machine("mgba-bridge-test.gba")
    game.lua(SERVE + " headless.addPoint(12, 0x0203FFF0, 0x0203FFFF, -1) callbacks:add('frame', function() emu:write8(0x0203FFF0, emu:read8(0x0203FFF0) + 1 & 255) end)")
    game.advance(5)
    equal(game.lua("return #hits"), "0", "the hits")


def test_a_game_that_is_halted_serves_control_lines(machine):
    game = Stopped(machine, "calls.gba", at(0x080000E0))
    equal(game.game.lua("return emu:readRegister('pc') ~= nil and emu:read32(0x02000000) >= 0"), "true", "what a script reads")
    game.game.host.say("advance 1", "error advance: the game halted")
    game.game.host.say("reset", "ok reset")
    equal(game.halt()[1:3], ["moved", "0"], "the halt after a reset")
    game.game.lua("headless.resume(0, 0, -1)")
    game.game.host.say("advance 1", "error advance: the game halted")
    equal(game.halt()[1:3], ["point", str(0x080000E0)], "the next halt")
    game.game.lua(f"headless.removePoint({game.ids[0]}) headless.resume(0, 0, -1)")
    game.game.advance(3)


def test_a_script_halts_between_frames(machine):
    game = machine("mgba-bridge-test.gba")
    game.lua("headless.halt()")
    until(lambda: game.lua("return headless.halted()").startswith("1 requested"), "the halt")
    before = game.lua("return emu:currentFrame()")
    game.lua("headless.resume(0, 0, -1)")
    game.advance(2)
    assert int(game.lua("return emu:currentFrame()")) >= int(before) + 2


def test_points_that_cannot_be_set(machine):
    game = machine("mgba-bridge-test.gba")
    equal(game.lua("return headless.addPoint(1, 5, 4, -1)"), "0", "an empty range")
    equal(game.lua("return headless.addPoint(0, 4, 4, -1)"), "0", "no kind")
    equal(game.lua("return headless.addPoint(32, 4, 4, -1)"), "0", "another kind")
    equal(game.lua("local n = 0 while headless.addPoint(1, 0x03000000 + n, 0x03000000 + n, -1) > 0 do n = n + 1 end return n"), "4096", "the points")
    game.advance(10)
