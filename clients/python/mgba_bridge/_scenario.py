"""Integrations of stable-retro: folders whose documents the gateway evaluates."""

from __future__ import annotations

import hashlib
import itertools
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from ._http import Call

BUTTONS = ("B", "", "Select", "Start", "Up", "Down", "Left", "Right", "A", "", "L", "R")  # in the order of stable-retro's cores


def scenario_call(path: str | os.PathLike[str], rom: str | os.PathLike[str] | None) -> Call:
    """Has the gateway load a folder's scenario.json, or another scenario by its file; with a rom, of which it has to be."""
    scenario = pathlib.Path(path)
    scenario = scenario / "scenario.json" if scenario.is_dir() else scenario
    data = scenario.with_name("data.json")
    for file in (scenario, data):
        if not file.is_file():
            raise ValueError(f"{os.fspath(path)!r} is no scenario: there is no file {file}. Give a folder with data.json and scenario.json, or the file of another scenario beside data.json.")
    hashes = scenario.with_name("rom.sha")
    if rom is not None and hashes.is_file() and os.path.isfile(rom):
        known, found = hashes.read_text(errors="replace").lower().split(), hashlib.sha1(pathlib.Path(rom).read_bytes()).hexdigest()
        if found not in known:
            raise ValueError(f"The scenario {scenario.parent.name} is of another ROM: {os.fspath(rom)} has the SHA-1 {found}, and {hashes} names {', '.join(known)}.")
    texts = [file.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip() for file in (data, scenario)]
    body = b'{"data":%b,"scenario":%b}' % tuple(texts)  # unchanged, so that errors have the lines of the files
    return Call("scenarios.load", {"name": f"python-{hashlib.sha256(body).hexdigest()[:32]}"}, json=body)


def actions_of(scenario: Mapping[str, Any]) -> list[str]:
    """One combination of each group, in the order of stable-retro's Actions.DISCRETE."""

    def order(keys: str) -> int:
        return sum(1 << BUTTONS.index(key) for key in keys.split("+") if key)

    groups: list[Sequence[str]] = sorted((sorted(group, key=order) for group in scenario["actions"]), key=lambda group: order("+".join({key for keys in group for key in keys.split("+")})))
    return ["+".join(key for key in reversed(keys) if key) for keys in itertools.product(*reversed(groups))]
