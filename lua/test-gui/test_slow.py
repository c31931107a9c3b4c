"""A window whose game runs at a frame in one or in ten seconds: it is slow, and not dead."""

import time

import pytest

from checks import equal, until
from gateway import Events, Gateway
from stage import GBA, Stage

pytestmark = pytest.mark.long


@pytest.mark.parametrize("fps", [1, 0.1])
def test_slow_window_is_not_dead(desktop, script, fps):
    """a window at 1 and at 0.1 frames a second: when its pace is known it stays ready, events come, and requests are answered"""
    stage = Stage(desktop, script)
    try:
        stage.open_at_port(f"slow-{fps}", GBA, options=("-C", f"fpsTarget={fps}", "-C", "audioBuffers=2048"))
        stage.load()
        with Gateway(stage.window.folder, stage.port, silence="00:00:00.250") as gateway:
            state = lambda: gateway.call("GET", "/v2/status")["state"]
            since = time.monotonic()

            def stays_ready():
                nonlocal since
                since = since if state() == "ready" else time.monotonic()
                return time.monotonic() - since > 3 / fps

            # the pace is known after two slow seconds; until then the window may be silent
            until(stays_ready, "it stays ready", 60 + 10 / fps, 0.2)
            with Events(gateway, "frame") as events:  # the gateway opens a connection for them, which the script greets in its next frame
                first, began = events.next("frame")["frame"], time.monotonic()
                equal(events.next("frame")["frame"], first + 1, "the next frame")
                print(f"{fps} frames a second: {time.monotonic() - began:.1f} s for one")
            answer = gateway.call("POST", "/v2/keys/tap", {"keys": ["A"], "frames": 1, "wait": True})
            equal((answer["up"] - answer["down"], state()), (1, "ready"), "frames of the press, and the state after it")
    finally:
        stage.close()
