"""Assertions with short messages."""

import time

from mgba_wire import TIME_LIMIT, Failure


def equal(found, wanted, what="the value"):
    """Like assert, but long bytes are cut instead of compared line by line."""
    if found != wanted:
        raise Failure(f"{what} is {repr(found)[:300]}, not {repr(wanted)[:300]}")


def until(condition, what, seconds=TIME_LIMIT, pause=0.02):
    """Repeats a condition until it is true, and returns its value."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(pause)
    return found
