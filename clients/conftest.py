"""What the tests of all packages share."""

import pytest

from gateway import Gateway


@pytest.fixture(scope="module")
def gateway():
    """A gateway with a GBA test game as fast as possible."""
    gateway = Gateway("Owned:Roms:0=:test:", "Owned:Fps=0")
    yield gateway
    assert not gateway.unhandled()
    gateway.end()
