"""Assertions with short messages."""

from mgba_wire import Failure


def equal(found, wanted, what="the value"):
    """Like assert, but long bytes are cut instead of compared line by line."""
    if found != wanted:
        raise Failure(f"{what} is {repr(found)[:300]}, not {repr(wanted)[:300]}")
