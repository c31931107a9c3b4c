"""The checker of moves finds each kind of violation: a rule that cannot fail proves nothing."""

import pytest
from history import History, Operation, Violation
from moved_history import Copy, check_moved_counter, check_moved_taps, copies_of


def a_history(*operations):
    """Of (kind, value, outcome, result), one second each."""
    one = History("a client")
    one.operations = [Operation(kind, value, at, at + 0.5, outcome, result) for at, (kind, value, outcome, result) in enumerate(operations)]
    return one


def increase(value, outcome, epoch=None):
    return ("increase", value, outcome, (epoch,))


def read(epoch, value):
    return ("read", None, "ok", (epoch, value))


def tap(outcome, epoch=None):
    return ("tap", None, outcome, (epoch,))


def count(epoch, value):
    return ("count", None, "ok", (epoch, value))


DRAINED = [Copy("a", 2.0, True), Copy("b")]
LOST = [Copy("a", 2.0, False), Copy("b")]


@pytest.mark.parametrize(
    "operations, copies, final, seconds",
    [
        ([increase(0, "ok", "a"), increase(1, "ok", "a"), read("b", 2), increase(2, "ok", "b")], DRAINED, 3, []),
        ([increase(0, "ok", "a"), increase(1, "maybe"), read("b", 2)], DRAINED, 2, []),
        ([increase(0, "ok", "a"), increase(1, "maybe"), read("b", 1), increase(1, "ok", "b")], DRAINED, 2, []),
        ([increase(0, "ok", "a"), increase(1, "ok", "a"), read("b", 1), increase(1, "ok", "b")], LOST, 2, [0.5]),
        ([increase(0, "ok", "a"), read("b", 1)], LOST, 1, [0.0]),
    ],
)
def test_lawful_counters(operations, copies, final, seconds):
    """A counter that keeps everything at a drain, and its beginning at a loss, is accepted"""
    assert check_moved_counter([a_history(*operations)], copies, final) == seconds


@pytest.mark.parametrize(
    "operations, copies, final",
    [
        ([increase(0, "ok", "a"), increase(1, "ok", "a"), read("b", 1), increase(1, "ok", "b")], DRAINED, 2),  # lost at a drain
        ([increase(0, "ok", "a"), increase(1, "none"), read("b", 2)], DRAINED, 2),  # ran, although it was refused
        ([increase(0, "ok", "a"), increase(0, "ok", "a"), read("b", 1)], DRAINED, 1),  # taken twice
        ([increase(0, "ok", "a"), read("b", 1), increase(1, "ok", "b")], LOST, 1),  # lost without a move
        ([increase(0, "ok", "a"), read("b", 2)], LOST, 2),  # invented
    ],
)
def test_wrong_counters(operations, copies, final):
    """A counter that loses at a drain, takes a value twice, or invents one is refused"""
    with pytest.raises(Violation):
        check_moved_counter([a_history(*operations)], copies, final)


@pytest.mark.parametrize(
    "operations, copies, seconds",
    [
        ([count("a", 7), tap("ok", "a"), count("a", 8), tap("ok", "a"), count("b", 9)], DRAINED, []),
        ([count("a", 7), tap("maybe"), count("b", 8)], DRAINED, []),
        ([count("a", 7), tap("maybe"), count("a", 7), count("a", 8)], DRAINED, []),  # runs late
        ([count("a", 7), tap("ok", "a"), tap("ok", "b"), count("b", 8)], LOST, [0.5]),
    ],
)
def test_lawful_taps(operations, copies, seconds):
    """Taps that the game counts once are accepted"""
    assert check_moved_taps(a_history(*operations), copies) == seconds


@pytest.mark.parametrize(
    "operations, copies",
    [
        ([count("a", 7), tap("ok", "a"), count("b", 7)], DRAINED),  # lost at a drain
        ([count("a", 7), tap("ok", "a"), count("a", 9)], DRAINED),  # twice
        ([count("a", 7), tap("none"), count("a", 8)], DRAINED),  # ran, although it was refused
        ([count("a", 7), tap("ok", "a"), count("b", 9)], LOST),  # invented
        ([count("a", 7), count("c", 7)], DRAINED),  # a copy that nobody knows
    ],
)
def test_wrong_taps(operations, copies):
    """Taps that are lost at a drain, counted twice or made without one are refused"""
    with pytest.raises(Violation):
        check_moved_taps(a_history(*operations), copies)


def test_copies():
    """Each move makes one copy, no more and no less"""
    history = a_history(read("a", 0), read("b", 0), read("a", 0))
    assert [copy.epoch for copy in copies_of([history], [(0.5, True)])] == ["a", "b"]
    with pytest.raises(Violation):
        copies_of([history], [])
