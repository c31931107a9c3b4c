"""Plays Game Boy and Game Boy Advance games in mGBA through mGBA-bridge.

from mgba_bridge import Emulator

with Emulator() as emu:
    emu.press("A")
"""

import importlib
from typing import TYPE_CHECKING, Any

from ._operations import VERSION as __version__
from .emulator import Emulator, Step
from .errors import MgbaError, Problem, ResponseTimeout, StartFailed, Unreachable

if TYPE_CHECKING:
    from ._events import Event, Events
    from .async_emulator import AsyncEmulator
    from .env import MgbaEnv
    from .vector import MgbaVectorEnv

__all__ = [
    "AsyncEmulator",
    "Emulator",
    "Event",
    "Events",
    "MgbaEnv",
    "MgbaError",
    "MgbaVectorEnv",
    "Problem",
    "ResponseTimeout",
    "StartFailed",
    "Step",
    "Unreachable",
    "__version__",
]

# imported when they are used: asyncio, NumPy and Gymnasium take longer than everything else
_LATER = {"Event": "._events", "Events": "._events", "AsyncEmulator": ".async_emulator", "MgbaEnv": ".env", "MgbaVectorEnv": ".vector"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name], __name__), name)
