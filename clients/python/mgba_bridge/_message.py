"""The response of vector.step."""

from __future__ import annotations

import json
import struct
from typing import Any, NamedTuple

import numpy as np

from .errors import MgbaError

HEAD = struct.Struct("<4s7I")  # docs/learning.md describes the message
OK = 200


class Message(NamedTuple):
    """What a step returned, as views of one block of bytes: a row for each environment. Without a scenario there are no rewards and ends."""

    frames: Any
    values: Any
    rewards: Any
    epochs: Any
    statuses: Any
    ends: Any
    pixels: Any
    failures: list[dict[str, Any]]

    @classmethod
    def of(cls, body: bytes) -> Message:
        mark, rows, count, height, width, channels, details, judged = HEAD.unpack_from(body)
        if mark != b"MGV1":
            raise MgbaError("vector.step: the response is not of a form that this package knows; install the package of the gateway's version.")
        block = bytearray(body)  # arrays over bytes could not be written
        at = HEAD.size

        def view(kind: Any, *shape: int) -> Any:
            nonlocal at
            array = np.ndarray(shape, kind, block, at)
            at += array.nbytes
            return array

        frames, values = view("<i8", rows), view("<i8", rows, count)
        rewards = view("<f8", rows) if judged else None
        epochs, statuses = view("<u4", rows), view("<u4", rows)
        ends = view("<u4", rows) if judged else None
        pixels = view(np.uint8, rows, height, width, channels) if channels > 1 else view(np.uint8, rows, height, width) if channels else None
        return cls(frames, values, rewards, epochs, statuses, ends, pixels, json.loads(block[at:]) if details else [])
