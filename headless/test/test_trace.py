"""What a game did, event by event, and where its functions return to."""

import os
import pathlib

import pytest

from checks import equal, until
from histories import BACK_FRAME, EXECUTE, STEP, Game

INSTRUCTION, CALL, RETURN, INTERRUPT, DMA, DISPLAY, SOUND, TIMER, SERIAL = (1 << bit for bit in range(9))
EVERYWHERE = (0, 0xFFFFFFFF)


def trace(played, kinds, frame, number=0, count=256, where=EVERYWHERE):
    """Where to continue, how many frames were missed, and the events."""
    equal(played.lua(f"return headless.findTrace({kinds}, {where[0]}, {where[1]}, {frame}, {number}, {count})"), "true", "whether it searches")
    until(lambda: not played.history()["searching"], "the end of the search")
    head, *lines = played.lua("return (headless.trace():gsub('\\n', '|'))").split("|")
    events = []
    for line in filter(None, lines):
        numbers, text = line.split(' "')
        fields = [None if field == "nil" else int(field) for field in numbers.split()]
        events.append(dict(zip("frame number cycle line kind pc bank address size value dma".split(), fields)) | {"text": text[:-1]})
    return tuple(map(int, head.split())), events


# Of small_roms.CALLING: the calls and returns of a pass of the loop.
PASSES = {
    "calls.gba": [(CALL, 0x080000CC, 0x080000E0), (CALL, 0x080000E8, 0x080000F0), (RETURN, 0x080000F4, 0x080000EC), (RETURN, 0x080000EC, 0x080000D0)],
    "calls-thumb.gba": [(CALL, 0x080000CC, 0x080000D8), (RETURN, 0x080000DE, 0x080000D0)],
    "calls.gb": [(CALL, 0x154, 0x160), (RETURN, 0x161, 0x157)],
}


@pytest.mark.parametrize("rom", PASSES)
def test_calls_and_returns_are_traced(game, rom):
    played = game(rom)
    played.advance(3)
    frame = played.history()["first"] + 1
    _, events = trace(played, CALL | RETURN, frame)
    equal(len(events), 256, "the events")
    found = [(event["kind"], event["pc"], event["address"]) for event in events]
    start = found.index(PASSES[rom][0])
    wanted = (PASSES[rom] * 256)[:256 - start]
    equal(found[start:], wanted, "the calls and returns")
    equal([event["number"] for event in events], list(range(256)), "the numbers")


@pytest.mark.parametrize("rom", ["calls.gba", "calls.gb", "machine.gba", "mgba-bridge-test.gba", "mgba-bridge-test.gb"])
def test_a_trace_is_what_steps_execute(game, rom):
    played = game(rom)
    played.advance(20)
    played.halt()
    there = played.back(BACK_FRAME, 3)
    _, events = trace(played, INSTRUCTION, played.history()["frame"], count=60)
    places = [int(there[2])] + [int(played.resume(STEP)[2]) for _ in range(39)]
    traced = [event["pc"] for event in events]
    halves = {event["pc"] for before, event in zip(events, events[1:]) if before["text"].startswith("bl ") and event["pc"] == before["pc"] + 2}
    traced = [pc for pc in traced if pc not in halves]
    if traced[0] != places[0]:
        places = places[1:]  # a Game Boy serves an interrupt in place of it
    equal(traced[:len(places)], places, "the instructions")
    assert all(event["text"] for event in events), events


def test_pages_of_a_trace_are_the_whole(game):
    played = game("calls.gba")
    played.advance(4)
    frame = played.history()["first"] + 1
    _, whole = trace(played, CALL, frame, count=100)
    at, pages = (frame, 0), []
    while len(pages) < 100:
        (*at, missed), events = trace(played, CALL, *at, count=30)
        equal((missed, len(events)), (0, 30), "the page")
        pages += events
    equal(pages[:100], whole, "the pages")


def test_a_trace_goes_on_in_the_frames_to_come(game):
    played = game("calls.gba")
    played.advance(3)
    now = played.history()["now"]
    at, events = trace(played, CALL, now)
    equal((at, events), ((now, 0, 0), []), "a trace of what has not been")
    played.advance(1)
    (frame, number, _), events = trace(played, CALL, now, count=3, where=(0x080000E8, 0x080000E8))
    equal([(event["frame"], event["number"], event["pc"]) for event in events], [(now, i, 0x080000E8) for i in range(3)], "the events")
    equal((frame, number), (now, 3), "where it continues")


def test_a_trace_says_what_is_not_kept_any_more(game):
    played = game("calls.gba")
    played.advance(3)
    played.lua("headless.keepHistory(0) headless.keepHistory(64)")
    played.advance(2)
    first = played.history()["first"]
    (*_, missed), events = trace(played, CALL, 2, count=1)
    equal((missed, events[0]["frame"]), (first - 2, first), "what is missed")


@pytest.mark.parametrize("rom, vector", [("machine.gba", 0x18), ("mgba-bridge-test.gb", 0x40), ("mgba-bridge-test.gba", 0x18), ("machine.gb", 0x40)])
def test_interrupts_and_writes_to_devices_are_traced(game, rom, vector):
    played = game(rom)
    played.lua("emu:reset()")
    played.advance(20)
    first = played.history()["first"]
    _, interrupts = trace(played, INTERRUPT, first)
    assert interrupts and {event["address"] for event in interrupts} == {vector}, interrupts[:3]
    _, writes = trace(played, DMA | DISPLAY | SOUND | TIMER | SERIAL, first)
    base = 0x04000000 if rom.endswith("gba") else 0xFF00
    assert writes and all(event["address"] >= base or event["dma"] for event in writes), writes[:3]
    assert all(event["size"] in (1, 2, 4) for event in writes), writes[:3]


def test_the_game_runs_as_without_a_trace(game):
    played = game("mgba-bridge-test.gba")
    played.lua("state = emu:saveStateBuffer(0)")
    sums = []
    for traced in (False, True):
        played.lua("emu:loadStateBuffer(state)")
        for _ in range(4):
            played.advance(10)
            if traced:
                trace(played, 511, played.history()["first"])
        sums.append(played.hash())
    equal(sums[0], sums[1], "the states")


@pytest.mark.parametrize("wrong", ["0, 0, 1, 0, 0, 1", "512, 0, 1, 0, 0, 1", "1, 2, 1, 0, 0, 1", "1, 0, 1, -1, 0, 1", "1, 0, 1, 0, -1, 1", "1, 0, 1, 0, 0, 0"])
def test_traces_of_nothing_are_refused(game, wrong):
    played = game("calls.gba")
    played.advance(2)
    equal(played.lua(f"return headless.findTrace({wrong})"), "false", "whether it searches")


@pytest.mark.parametrize("rom, domain, address", [("mgba-bridge-test.gba", "wram", 0x02000008), ("mgba-bridge-test.gb", "wram", 0xC008)])
def test_memory_of_the_past_is_that_of_then(game, rom, domain, address):
    played = game(rom)
    first, seen = played.history()["now"], []
    for _ in range(5):
        seen.append(played.lua(f"return (emu:readRange({address}, 4):gsub('.', function(c) return ('%02x'):format(c:byte()) end))"))
        played.advance(1)
    for frame, wanted in enumerate(seen, first):
        for place in (f"'{domain}', 8", f"'', {address}"):
            equal(played.lua(f"return (headless.past({frame}, {place}, 4):gsub('.', function(c) return ('%02x'):format(c:byte()) end))"), wanted, f"{place} in frame {frame}")
    for nothing in ("0, 'wram', 0, 4", f"{first}, 'wram', 0x7fffffff, 4", f"{first}, 'sram', 0x7fffffff, 4", f"{first}, 'other', 0, 4", f"{first}, 'wram', 0, 0", f"{first}, '', 0x00000000, 4", f"{first + 5}, 'wram', 0, 4"):
        equal(played.lua(f"return #headless.past({nothing})"), "0", nothing)


# --- the call stack -------------------------------------------------------------------------------------------------------------

STACKS = {
    "calls.gba": (0x080000F0, ["pc 0 0x080000F0 nil nil nil nil", "link 0 0x080000EC 0x080000E8 0 0x080000F0 nil", "stack 0 0x080000D0 0x080000CC 0 0x080000E0 0x03007EFC"]),
    "calls-thumb.gba": (0x080000DA, ["pc 0 0x080000DA nil nil nil nil", "link 0 0x080000D0 0x080000CC 0 0x080000D8 nil", "stack 0 0x080000D0 0x080000CC 0 0x080000D8 0x03007EFC"]),
    "calls.gb": (0x160, ["pc 0 0x160 nil nil nil nil", "stack 0 0x157 0x154 0 0x160 0xFFFC"]),
}


@pytest.mark.parametrize("rom", STACKS)
def test_the_call_stack_has_the_addresses_behind_calls(game, rom):
    place, wanted = STACKS[rom]
    played = game(rom)
    played.advance(2)
    played.lua(f"headless.addPoint({EXECUTE}, {place}, {place}, -1)")
    played.host_halts()
    lines = played.lua("return (headless.callStack(8):gsub('\\n', '|'))").strip("|").split("|")
    equal(lines[:len(wanted)], [" ".join(str(int(field, 16)) if field.startswith("0x") else field for field in line.split()) for line in wanted], "the call stack")
    equal(len(played.lua("return (headless.callStack(1):gsub('\\n', '|'))").strip("|").split("|")), 1, "the lines")
    for nothing in ("0", "-1"):
        equal(played.lua(f"return headless.callStack({nothing})"), "", "the lines")


def test_it_is_clean_under_valgrind(start_controlled, valgrind):
    for rom in ("calls-thumb.gba", "calls.gb"):
        played = Game(start_controlled, os.path.abspath(f"roms/{rom}"), prefix=valgrind)
        played.advance(3)
        for kinds in (511, CALL | RETURN):
            trace(played, kinds, played.history()["first"])
        played.lua("headless.callStack(128)")
        played.machine.host.stop()
        equal(pathlib.Path("valgrind.log").read_text(), "", "valgrind.log")
