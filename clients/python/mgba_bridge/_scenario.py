"""Scenarios: files that the gateway evaluates."""

from __future__ import annotations

import functools
import gzip
import hashlib
import itertools
import json
import math
import operator
import os
import pathlib
import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._http import Call

KEYS = ("A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L")  # a key's place is its bit
BUTTONS = ("B", "", "Select", "Start", "Up", "Down", "Left", "Right", "A", "", "L", "R")  # in the order of stable-retro's cores
YAML = (".yaml", ".yml")
MGBA_STATES = (0x01000000, 0x00400000)  # how states of GBA and GB begin, besides the version
LARGEST_STATE = 4 << 20
LARGEST = sys.float_info.max
NUMBERS = {order + kind: name for kind, name in (("u1", "u8"), ("i1", "s8")) for order in "<>=|"} | {
    order + kind: name for kind, name in (("u2", "u16"), ("i2", "s16"), ("u4", "u32"), ("i4", "s32")) for order in "<=|"
}
COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
Expression = Callable[[Sequence[int], Sequence[int]], float]


class ScenarioFiles:
    """The files of a scenario: YAML, or a folder of stable-retro with its scenario.json or another scenario in it; with a rom, of which it has to be."""

    def __init__(self, path: str | os.PathLike[str], rom: str | os.PathLike[str] | None) -> None:
        given = pathlib.Path(path)
        self._path = given / "scenario.json" if given.is_dir() else given
        self._folder = self._path.parent
        self._is_yaml = given.suffix in YAML
        files = [self._path] if self._is_yaml else [self._folder / "data.json", self._path]
        for file in files:
            if not file.is_file():
                raise ValueError(f"{os.fspath(path)!r} is no scenario: there is no file {file}. Give a YAML file, a folder with data.json and scenario.json, or the file of another scenario beside data.json.")
        self._texts = [file.read_bytes().removeprefix(b"\xef\xbb\xbf") for file in files]
        if not self._is_yaml:
            self._check_rom(rom)

    def _check_rom(self, rom: str | os.PathLike[str] | None) -> None:
        hashes = self._folder / "rom.sha"
        if rom is not None and hashes.is_file() and os.path.isfile(rom):
            known, found = hashes.read_text(errors="replace").lower().split(), hashlib.sha1(pathlib.Path(rom).read_bytes()).hexdigest()
            if found not in known:
                raise ValueError(f"The scenario {self._folder.name} is of another ROM: {os.fspath(rom)} has the SHA-1 {found}, and {hashes} names {', '.join(known)}.")

    def call(self, emulator: str) -> Call:
        """Has the gateway load it; names in YAML are those of this emulator's game."""
        if self._is_yaml:
            body = json.dumps({"yaml": self._texts[0].decode("utf-8", "replace"), "emulator": emulator}).encode()
        else:
            body = b'{"data":%b,"scenario":%b}' % tuple(self._texts)  # unchanged, so that errors have the lines of the files
        return Call("scenarios.load", {"name": f"python-{hashlib.sha256(body).hexdigest()[:32]}"}, json=body)

    def state(self, name: str | None) -> bytes | None:
        """The save state NAME.state beside the scenario, or without a name the default_state of metadata.json; None where there is none that mGBA can load."""
        is_default = name is None
        name = self._default_state() if is_default else name
        file = self._folder / f"{name}.state"
        if name is None or not file.is_file():
            return None
        try:
            with gzip.open(file) as packed:
                state = packed.read(LARGEST_STATE + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{file} is no state of stable-retro, which are packed with gzip: {error}.") from None
        if len(state) <= LARGEST_STATE and int.from_bytes(state[:4], "little") & ~0xFF in MGBA_STATES:
            return state
        if not is_default:
            raise ValueError(f"{file} is no state of mGBA, but of another emulator.")
        warnings.warn(f"{file} is no state of mGBA, but of another emulator: episodes start in the state of the first reset.", stacklevel=3)
        return None

    def _default_state(self) -> str | None:
        file = self._folder / "metadata.json"
        if not file.is_file() or self._is_yaml:
            return None
        try:
            name = json.loads(file.read_bytes()).get("default_state")
        except json.JSONDecodeError as error:
            raise ValueError(f"{file}: Line {error.lineno}, column {error.colno}: {error.msg}.") from None
        except (AttributeError, UnicodeDecodeError):
            raise ValueError(f"{file} has to be an object {{ }} with default_state.") from None
        if not isinstance(name, (str, type(None))):
            raise ValueError(f"{file}: default_state has to be the name of a state, not {name!r}.")
        return name


class Judge:
    """Computes reward and end of a scenario as the gateway does, whose expressions it has: finite 64-bit floats, x / 0 is 0."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self._places = {one["name"]: place for place, one in enumerate(scenario["variables"])}
        self._reward, self._done = self._expression(scenario["reward"]), self._expression(scenario["done"])
        self._groups = [[mask_of(keys) for keys in group] for group in scenario["actions"]]

    @staticmethod
    def reads_of(scenario: Mapping[str, Any]) -> list[str] | None:
        """The variables as locations with types; None where one is of another form, for which only the gateway has the types."""
        reads = [f"{NUMBERS.get(one['type'])} {one['location']}" for one in scenario["variables"] if one["type"] in NUMBERS and "mask" not in one]
        return reads if len(reads) == len(scenario["variables"]) else None

    def of(self, before: Sequence[int], after: Sequence[int]) -> tuple[float, bool]:
        """The reward of a step that changed the variables so, and whether the episode is over."""
        return self._reward(before, after), self._done(before, after) > 0

    def allowed(self, keys: Iterable[str]) -> list[str]:
        """The keys that the actions allow: of each group its keys, if they are one of its combinations."""
        if not self._groups:
            return list(keys)
        held, allowed = mask_of("+".join(keys)), 0
        for group in self._groups:
            part = held & functools.reduce(operator.or_, group, 0)
            allowed |= part if part in group else 0
        return [key for bit, key in enumerate(KEYS) if allowed >> bit & 1]

    def _expression(self, steps: Iterable[Mapping[str, Any]]) -> Expression:
        stack: list[Expression] = []
        for step in steps:
            ((kind, what),) = step.items()
            if kind == "operator" and what in UNARY:
                stack.append(applied(UNARY[what], stack.pop()))
            elif kind == "operator":
                right, left = stack.pop(), stack.pop()
                stack.append(combined(BINARY[what], left, right))
            else:
                stack.append(constant(float(what)) if kind == "number" else measured(self._places[what], kind == "change"))
        return stack[-1]


def mask_of(keys: str) -> int:
    return sum(1 << KEYS.index(key) for key in set(keys.split("+")) if key)


def constant(number: float) -> Expression:
    return lambda before, after: number


def measured(place: int, is_change: bool) -> Expression:
    return (lambda before, after: float(after[place] - before[place])) if is_change else (lambda before, after: float(after[place]))


def applied(function: Callable[[float], float], inner: Expression) -> Expression:
    return lambda before, after: function(inner(before, after))


def combined(function: Callable[[float, float], float], left: Expression, right: Expression) -> Expression:
    return lambda before, after: function(left(before, after), right(before, after))


def nearest(number: float) -> float:
    """A result of finite numbers: the nearest one of those that there are."""
    return number if -LARGEST <= number <= LARGEST else math.copysign(LARGEST, number)


UNARY: dict[str, Callable[[float], float]] = {"abs": abs, "sign": lambda number: float((number > 0) - (number < 0))}
BINARY: dict[str, Callable[[float, float], float]] = {
    "+": lambda one, other: nearest(one + other),
    "-": lambda one, other: nearest(one - other),
    "*": lambda one, other: nearest(one * other),
    "/": lambda one, other: nearest(one / other) if other else 0.0,
    "min": min,
    "max": max,
    "and": lambda one, other: float(one > 0 and other > 0),
    "or": lambda one, other: float(one > 0 or other > 0),
    **{name: (lambda compare: lambda one, other: float(compare(one, other)))(compare) for name, compare in COMPARISONS.items()},
}


def actions_of(scenario: Mapping[str, Any]) -> list[str]:
    """One combination of each group, in the order of stable-retro's Actions.DISCRETE."""

    def order(keys: str) -> int:
        return sum(1 << BUTTONS.index(key) for key in keys.split("+") if key)

    groups: list[Sequence[str]] = sorted((sorted(group, key=order) for group in scenario["actions"]), key=lambda group: order("+".join({key for keys in group for key in keys.split("+")})))
    return ["+".join(key for key in reversed(keys) if key) for keys in itertools.product(*reversed(groups))]
