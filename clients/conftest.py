"""What the tests of all packages share."""

import pytest

from gateway import Gateway


@pytest.fixture(scope="module")
def gateway():
    """A gateway with a GBA test game as fast as possible."""
    yield from playing(":test:")


@pytest.fixture(scope="module")
def demo():
    """The same with the demo game, for one program that plays it."""
    yield from playing(":demo:")


def playing(game):
    gateway = Gateway(f"Owned:Roms:0={game}", "Owned:Fps=0")
    yield gateway
    assert not gateway.unhandled()
    gateway.end()
