"""Why emulators ended that a gateway has started."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from .emulator import Emulator
from .errors import MgbaError

FAULT_WITHIN = 2.0  # seconds until the gateway knows why an emulator that it has started ended
ENDED = (502, 503)  # statuses of an emulator that may have ended


class Faults:
    """The last fault of each emulator that is known, so that later ones are found to be new."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def note(self, status: Mapping[str, Any]) -> None:
        """Notes the last fault of an emulator, if the gateway has started it."""
        if status.get("process"):
            self._known[status["id"]] = fault_of(status)

    def explain(self, name: str, emulator: Emulator) -> str | None:
        """Why this emulator ended, in place of that it does not answer; None when no fault of it is new."""
        fault = self._new(name, emulator) if name in self._known else None
        if fault is None:
            return None
        log = f" Its last output is in {fault['log']}." if fault.get("log") else ""
        return f"Emulator {name} has ended: {fault['reason']}. The gateway starts it again.{log}"

    def _new(self, name: str, emulator: Emulator) -> Any:
        end = time.monotonic() + FAULT_WITHIN
        while True:
            try:
                status = emulator.status_get()
            except MgbaError:
                return None
            fault = fault_of(status)
            if fault is not None and (self._known[name] is None or fault["at"] != self._known[name]["at"]):
                self._known[name] = fault
                return fault
            runs_on = status["state"] in ("ready", "leased") and status.get("leaseHolder") != emulator.holder
            if runs_on or time.monotonic() > end:
                return None
            time.sleep(0.005)


def fault_of(status: Mapping[str, Any]) -> Any:
    return (status.get("process") or {}).get("lastFault")
