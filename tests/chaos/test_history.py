"""The checker finds each kind of violation: a rule that cannot fail proves nothing."""

import history
import pytest
from history import History, Operation, Violation


def a_history(*operations):
    """Of (kind, value, outcome, result), one second each."""
    one = History("a client")
    one.operations = [Operation(kind, value, at, at + 0.5, outcome, result) for at, (kind, value, outcome, result) in enumerate(operations)]
    return one


def write(value, outcome):
    return ("write", value, outcome, None)


def read(result):
    return ("read", None, "ok", result)


@pytest.mark.parametrize(
    "operations",
    [
        [write(1, "ok"), read(1)],
        [write(1, "maybe"), read(0), read(1)],  # runs late
        [write(1, "maybe"), write(2, "ok"), read(2), read(1)],  # still on its way when the next one ran
        [write(1, "none"), read(0)],
    ],
)
def test_lawful_writes(operations):
    """Writes that took effect at most once are accepted"""
    history.check_cell(a_history(*operations))


@pytest.mark.parametrize(
    "operations",
    [
        [write(1, "ok"), read(0)],  # lost
        [write(1, "none"), read(1)],  # ran although it was reported as not run
        [write(1, "maybe"), read(1), write(2, "ok"), read(1)],  # ran twice
        [read(7)],  # from nowhere
    ],
)
def test_unlawful_writes(operations):
    """Lost, repeated and unreported writes are found"""
    with pytest.raises(Violation):
        history.check_cell(a_history(*operations))


def increase(value, outcome):
    return ("increase", value, outcome, None)


def test_counter():
    """Increments that are lost, doubled or invented are found"""
    history.check_counter([a_history(increase(0, "ok"), increase(1, "maybe"))], 2)
    history.check_counter([a_history(increase(0, "ok"), increase(1, "maybe"))], 1)
    for operations, final in (
        ([increase(0, "ok"), increase(0, "ok")], 1),
        ([increase(0, "ok")], 0),
        ([increase(0, "ok"), increase(1, "none")], 2),
    ):
        with pytest.raises(Violation):
            history.check_counter([a_history(*operations)], final)


def test_monotonic():
    """Half a batch, and a counter that goes back, are found"""
    history.check_monotonic([a_history(("both", None, "ok", (1, 1)), ("both", None, "ok", (1, 1)))])
    for results in ([(1, 2)], [(2, 2), (1, 1)]):
        with pytest.raises(Violation):
            history.check_monotonic([a_history(*(("both", None, "ok", result) for result in results))])


@pytest.mark.parametrize("seen", [1, 4])
def test_presses(seen):
    """A lost press, and one more than may have run, are found"""
    taps = a_history(("tap", "A", "ok", 9), ("tap", "A", "ok", 9), ("tap", "A", "maybe", None), ("tap", "A", "none", None))
    history.check_presses(taps, 2)
    history.check_presses(taps, 3)
    with pytest.raises(Violation):
        history.check_presses(taps, seen)


def test_constants():
    """The reply of another request is found"""
    with pytest.raises(Violation):
        history.check_constants(a_history(("constant", 5, "ok", 5), ("constant", 6, "ok", 5)))


def test_key_order():
    """A key that is pressed twice without a release is found"""
    history.check_key_order([(1, 0, 1), (2, 1, 1), (3, 0, 0), (4, 0, 1)])
    with pytest.raises(Violation):
        history.check_key_order([(1, 0, 1), (3, 0, 1)])


def test_outcomes():
    """An undocumented response is found"""
    assert history.outcome_of(200, "", "") == "ok"
    assert history.outcome_of(503, "silent", "") == "none"
    assert history.outcome_of(409, "rejected", "cancelled") == "maybe"
    for status, problem in ((500, "defect"), (418, ""), (404, "no-such-path")):
        with pytest.raises(Violation):
            history.outcome_of(status, problem, "")
