"""An emulator behind a gateway: all operations, and short forms of the frequent ones."""

from __future__ import annotations

import base64
import contextlib
import functools
import numbers
import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from ._connection import Connection, HolderStream
from ._http import Address, Call, Response
from ._operations import Operations, PressAnswer
from .errors import MgbaError, Problem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._events import Events
    from ._start import OwnGateway

DEFAULT_URL = "http://127.0.0.1:5000"
LEASE_MS = 10000
RENEW_AFTER = 3.0  # seconds without a request after which the lease is renewed
ALL_OF_A_STATE = 1 + 2 + 8 + 16  # what loading takes: picture, save data, clock, metadata
LOCATION = re.compile(r"0[xX][0-9a-fA-F]+|\d+|\w+:(0[xX][0-9a-fA-F]+|\d+)")
TYPES = ("u8", "s8", "u16", "s16", "u32", "s32")

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Program = Generator[list[Call], list[Any], Result]


class Step(NamedTuple):
    """What a step returns: the frame that was reached, the epoch, and the values that were read in it."""

    frame: int
    epoch: str
    values: list[int]


def sent(method: Callable[Concatenate[Any, Parameters], Program[Result]]) -> Callable[Concatenate[Any, Parameters], Result]:
    """A method that is written as a generator: it yields requests and is sent their results."""

    @functools.wraps(method)
    def send(self: Any, *arguments: Parameters.args, **named: Parameters.kwargs) -> Any:
        return self._run(method(self, *arguments, **named))

    return send


def is_location(place: str | int) -> bool:
    """Whether it is an address or an offset in a domain rather than a name."""
    if isinstance(place, numbers.Integral):
        return True
    if not isinstance(place, str) or not place:
        raise ValueError(f'{place!r} is no place in memory; places are such as "player.hp", "0x02000000" or 0x02000000.')
    return LOCATION.fullmatch(place) is not None


class LeaseHolder(Protocol):
    def _renew_leases(self) -> None:
        """Renews what it has and did not use for a while."""


def keep_leases(holder: LeaseHolder, closed: threading.Event) -> threading.Thread:
    """Renews leases in a thread of its own, until the holder is closed or no longer referred to."""
    reference = weakref.ref(holder)

    def renew() -> None:
        while not closed.wait(RENEW_AFTER):
            kept = reference()
            if kept is None:
                return
            kept._renew_leases()
            del kept

    thread = threading.Thread(target=renew, name="mgba-bridge leases", daemon=True)
    thread.start()
    return thread


def keys_of(keys: Iterable[str]) -> list[str]:
    """`"A"`, `"A+Up"` and `["A", "Up"]` as a list."""
    parts = [keys] if isinstance(keys, str) else list(keys)
    wrong = [part for part in parts if not isinstance(part, str)]
    if wrong:
        raise ValueError(f'{wrong[0]!r} is not a key; keys are such as "A", "Up" or "A+Up".')
    return [key for part in parts for key in re.split(r"[+ ]+", part) if key]


def item_of(place: str | int) -> dict[str, Any]:
    """The item of a step that reads a number, such as `"u16 0x02000000"`."""
    words = str(place).split()
    kinds = [word for word in words if word in TYPES]
    locations = [word for word in words if word not in TYPES]
    if len(locations) != 1 or len(kinds) > 1 or not is_location(locations[0]):
        raise ValueError(f"{place!r} is not a location with a type, such as 'u16 0x02000000'; the types are {', '.join(TYPES)}.")
    return {"read": {"location": locations[0], "type": kinds[0] if kinds else "u8"}}


def picture_of(response: Response) -> npt.NDArray[np.uint8]:
    """Pixels as an array, with a last axis of red, green and blue unless they are grey."""
    import numpy as np  # here, because it takes longer to import than everything else

    height, width = int(response.headers["mgba-height"]), int(response.headers["mgba-width"])
    shape = (height, width) if len(response.body) == height * width else (height, width, 3)
    return np.frombuffer(response.body, np.uint8).reshape(shape).copy()


def pixels_call(grey: bool, size: tuple[int, int] | None) -> Call:
    """The picture in grey or of another size, which mgba-headless makes."""
    if size is not None and not (isinstance(size, Sequence) and len(size) == 2 and all(isinstance(length, numbers.Integral) for length in size)):
        raise ValueError(f"size must be a height and a width, such as (84, 84), not {size!r}.")
    height, width = size or (None, None)
    return Call("screen.pixels", {"grey": grey, "height": height, "width": width}, is_whole=True)


SCREEN = Call("screen.get", {"format": "raw"}, is_whole=True)


class Shortcuts:
    """Short forms of frequent operations. Keys are named A, B, Select, Start, Right, Left, Up, Down, R, L; several are `"A", "Up"` or `"A+Up"`."""

    _is_leased = False  # as far as is known
    _had_lease = False
    _holds_keys = False
    _holds_sensors = False

    def _run(self, program: Program[Any]) -> Any:
        raise NotImplementedError

    @sent
    def press(self, *keys: str, frames: int = 4, wait: bool = True) -> Program[PressAnswer]:
        """Press keys together for 1 to 36000 frames, and wait until they are up; returns the frames `down` and `up`."""
        if wait:
            self._check_running()
        (answer,) = yield [Call("keys.tap", {"keys": keys_of(keys), "frames": frames, "wait": wait})]
        return answer

    @sent
    def play(self, sequence: str) -> Program[PressAnswer]:
        """Press a sequence such as `"A 4, wait 10, Up+B 2, tilt 10/0 4"`, with a number of frames behind each, and wait until its last frame."""
        self._check_running()
        frames = sum(map(int, re.findall(r"(\d+)\s*(?:,|$)", sequence)))
        (answer,) = yield [Call("keys.sequence", {"sequence": sequence, "wait": True}, frames=frames)]
        return answer

    @sent
    def hold(self, *keys: str) -> Program[None]:
        """Hold exactly these keys down, until the next call, `release` or `close`."""
        self._holds_keys = True
        yield [Call("keys.set", {"keys": keys_of(keys)})]

    @sent
    def sense(self, *, light: float | None = None, level: int | None = None, tilt: Sequence[float] | None = None, gyro: float | None = None, camera: bytes | None = None) -> Program[None]:
        """Set sensors of the cartridge, those that are given, until the next call, `release` or `close`.

        light: 0 (dark) to 1, or level: the bars that games with a light sensor show, 0 to 10.
        tilt: by how many degrees the right edge, and the edge away from the player, are down (-90 to 90).
        gyro: degrees a second, clockwise (-1000 to 1000).
        camera: the bytes of a PNG or JPEG, which the camera sees.
        """
        values = {name: value for name, value in (("light", light), ("level", level), ("tilt", tilt), ("gyro", gyro)) if value is not None}
        calls = [Call("sensors.set", values)] if values or camera is None else []
        self._holds_sensors = True
        yield [*calls, *([Call("camera.set", {"body": camera})] if camera is not None else [])]

    @sent
    def release(self) -> Program[None]:
        """Release all keys, and the sensors that this emulator has set."""
        yield [Call("keys.release", {})]
        self._holds_keys = False
        if self._holds_sensors:
            yield [Call("sensors.release", {})]
            self._holds_sensors = False

    @sent
    def read(self, place: str | int, type: str | None = None, *, count: int | None = None, length: int | None = None, table: str | None = None) -> Program[Any]:
        """A value of memory: a name such as `"player.hp"`, or a location such as `"0x02000000"` or `"wram:0x10"`.

        type: `u8` (default of a location), `s8`, `u16`, `s16`, `u32`, `s32`, `text` or `bytes`; a name has its own type.
        count: so many numbers side by side, as a list (1 to 262144).
        length: how many bytes a text (1 to 65536) or bytes (1 to 1048576) have.
        table: a text table of the property map.
        Returns an int, a list of int, a str, or bytes.
        """
        options = {"type": type, "count": count, "length": length, "table": table}
        if is_location(place):
            (answer,) = yield [Call("memory.readValue", {**options, "location": place, "type": type or "u8"})]
        else:
            (answer,) = yield [Call("values.read", {**options, "name": place})]
        return base64.b64decode(answer["value"]) if type == "bytes" else answer["value"]

    @sent
    def read_all(self, *names: str) -> Program[dict[str, Any]]:
        """The values of up to 256 names in one frame, by name."""
        (answer,) = yield [Call("values.readMany", {"names": names})]
        return {one["name"]: one["value"] for one in answer["values"]}

    @sent
    def read_bytes(self, location: str | int, length: int) -> Program[bytes]:
        """Bytes of memory in one frame (0 to 4194304)."""
        (answer,) = yield [Call("memory.read", {"location": location, "length": length}, accept="application/octet-stream")]
        return answer

    @sent
    def write(self, place: str | int, value: int | str | Sequence[int] | bytes, type: str | None = None) -> Program[None]:
        """Write a value at a name or a location; a location has the type `u8` unless given."""
        if hasattr(value, "tolist") and not isinstance(value, memoryview):
            value = value.tolist()  # numbers and arrays of NumPy
        if not isinstance(value, (int, Sequence)):
            raise ValueError(f"value must be an integer, a text, a list of integers or bytes, not {value!r}.")
        if isinstance(value, (bytes, bytearray, memoryview)):
            if not is_location(place):
                raise ValueError(f"bytes are written at a location, not at the name {place!r}.")
            yield [Call("memory.write", {"location": place, "body": value})]
        elif is_location(place):
            count = None if isinstance(value, (int, str)) else len(value)
            yield [Call("memory.writeValue", {"location": place, "value": value, "type": type or "u8", "count": count})]
        else:
            yield [Call("values.write", {"name": place, "value": value, "type": type})]

    @sent
    def screen(self, *, grey: bool = False, size: tuple[int, int] | None = None) -> Program[npt.NDArray[np.uint8]]:
        """The picture as an array of red, green and blue: shape (160, 240, 3) on the GBA, (144, 160, 3) on a Game Boy.

        grey: brightness instead, of shape (height, width).
        size: a smaller height and width, such as (84, 84), made from averages of areas. Both need mgba-headless.
        """
        (response,) = yield [pixels_call(grey, size) if grey or size is not None else SCREEN]
        return picture_of(response)

    @sent
    def save(self) -> Program[bytes]:
        """A save state, with the save data and without a picture."""
        (state,) = yield [Call("state.get", {})]
        return state

    @sent
    def load(self, state: bytes | str) -> Program[None]:
        """Continue from a save state, its save data included, or from a state that the gateway keeps under this name."""
        yield self._loading(state)

    @sent
    def wait(self, condition: str | None = None, *, frames: int = 600) -> Program[bool]:
        """Wait for a condition such as `"player.hp < 10"` (docs/playing.md), at most so many frames (1 to 36000); returns whether it held."""
        self._check_running()
        (answer,) = yield [Call("wait.until", {"condition": condition, "frames": frames})]
        return answer["met"]

    @sent
    def step(self, frames: int = 1, keys: Iterable[str] | None = None, reads: Sequence[str | int] = ()) -> Program[Step]:
        """Run exactly so many frames (0 to 36000) with keys down, and read numbers such as `"u16 0x02000000"` in the frame that was reached.

        keys: those of the step before unless given; `""` is none.
        The first step takes the lease: the game is stopped between steps, until `close`. The lease is renewed while Python runs.
        """
        if isinstance(reads, str):
            raise ValueError(f"reads must be a list, such as [{reads!r}].")
        yield from self._take()
        (answer,) = yield from self._stepped([step_call(frames, keys, [item_of(place) for place in reads])])
        return step_of(answer)

    @staticmethod
    def _loading(state: bytes | str) -> list[Call]:
        by_name = isinstance(state, str)
        if not state or not isinstance(state, (str, bytes, bytearray, memoryview)):
            raise ValueError(f"{state!r} is neither a save state nor the name of one.")
        return [Call("states.load", {"state": state}) if by_name else Call("state.load", {"body": state, "flags": ALL_OF_A_STATE})]

    def _check_running(self) -> None:
        if self._is_leased:
            raise MgbaError("The game is stopped between steps, and nobody runs the frames to wait for: use step(), or let the game continue with lease_release().")

    def _take(self) -> Program[None]:
        """Takes the lease unless it is taken."""
        if not self._is_leased:
            yield [Call("lease.take", {"limitMs": LEASE_MS})]
            self._is_leased = self._had_lease = True
            self._renew()

    def _stepped(self, calls: list[Call]) -> Program[list[Any]]:
        """The results of requests that need the lease."""
        try:
            return (yield calls)
        except MgbaError as error:
            # a refused request changes nothing; after all else the lease may have ended
            self._is_leased = isinstance(error, Problem) and error.status in (400, 404, 412)
            raise

    def _renew(self) -> None:
        """Renews the lease from now on."""


def step_call(frames: int, keys: Iterable[str] | None, items: list[dict[str, Any]]) -> Call:
    return Call("lease.step", {"frames": frames, "keys": None if keys is None else keys_of(keys), "items": items})


def step_of(answer: Mapping[str, Any]) -> Step:
    for result in answer["results"]:
        if not result["ok"]:
            raise MgbaError(f"lease.step: {result['detail']}")
    return Step(answer["frame"], answer["epoch"], [result["value"] for result in answer["results"]])


class Target:
    """Which gateway and emulator to use."""

    def __init__(
        self,
        url: str | None = None,
        *,
        rom: str | os.PathLike[str] | None = None,
        emulator: str | None = None,
        token: str | None = None,
        holder: str | None = None,
        timeout: float = 30.0,
        fps: float | None = None,
        program: str | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """url: the gateway; default MGBA_BRIDGE_URL or http://127.0.0.1:5000.
        rom: a file to play instead, in an emulator and a gateway of its own, which end with `close`.
        emulator: its id, where a gateway has several; default the first.
        token: for a gateway that requires one; default MGBA_BRIDGE_TOKEN.
        holder: whose keys and lease they are; default a name of its own.
        timeout: seconds that a response may take, besides the frames that it waits for. May be changed at any time.
        fps, program, options: with rom, the speed (0 is as fast as possible; default the console's), the program `mgba-bridge` (default
          MGBA_BRIDGE_PROGRAM, that of this package or that in PATH), and more options of `mgba-bridge run`.
        """
        if url is not None and rom is not None:
            raise ValueError("Give a url or a rom, not both.")
        if timeout <= 0:
            raise ValueError(f"timeout must be more than 0 s, not {timeout}.")
        self.timeout = timeout
        self._own: OwnGateway | None = None
        if rom is not None:
            from . import _start  # here, because others do not need what it imports

            self._own = _start.OwnGateway([rom], program, fps, options)
        self.url = self._own.url if self._own else url or os.environ.get("MGBA_BRIDGE_URL") or DEFAULT_URL
        self.holder = holder or f"python-{os.urandom(6).hex()}"
        emulator = None if emulator is None else str(emulator)
        self._id = emulator
        self._address = Address(self.url, emulator, token or os.environ.get("MGBA_BRIDGE_TOKEN"), self.holder)

    def _results(self, calls: Sequence[Call], responses: Sequence[Response]) -> list[Any]:
        results = [response.result(self.url) for response in responses]
        if any(call.name == "lease.release" for call in calls):
            self._is_leased = False
        return [response if call.is_whole else result for call, response, result in zip(calls, responses, results)]


class Emulator(Target, Shortcuts, Operations):
    """An emulator, for programs that wait for each response. Threads may share it; their requests are sent one after another."""

    @functools.wraps(Target.__init__)
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connection = Connection(self._address)
        self._stream = HolderStream(self._address)
        self._events: weakref.WeakSet[Events] = weakref.WeakSet()
        self._closed = threading.Event()
        self._keeper: threading.Thread | None = None

    def events(self, *topics: str) -> Events:
        """The events of 1 to 64 topics such as `"frame"`, `"keys"` or `"memory:0x02000000/4"` (docs/playing.md), as an iterator, from now on."""
        from ._events import Events  # here, because it takes longer to import than a request takes

        events = Events(self._address, topics)
        self._events.add(events)
        return events

    def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        return self._exchange([Call(name, arguments)])[0]

    def _exchange(self, calls: list[Call]) -> list[Any]:
        return self._results(calls, self._connection.exchange(calls, self.timeout))

    def _run(self, program: Program[Any]) -> Any:
        try:
            calls = next(program)
            while True:
                try:
                    results = self._exchange(calls)
                except MgbaError as error:
                    calls = program.throw(error)
                else:
                    calls = program.send(results)
        except StopIteration as end:
            return end.value

    def _renew(self) -> None:
        self._stream.open()
        if self._keeper is None or not self._keeper.is_alive():  # it renews later leases as well
            self._keeper = keep_leases(self, self._closed)

    def _renew_leases(self) -> None:
        with contextlib.suppress(MgbaError):  # the gateway may start again
            self._stream.open()
        if self._is_leased and time.monotonic() - self._connection.used_at >= RENEW_AFTER:
            with contextlib.suppress(MgbaError):  # the next step says why
                self._exchange([step_call(0, None, [])])

    def close(self) -> None:
        """Gives the lease and keys back, and ends events and a gateway of its own."""
        self._closed.set()
        for events in list(self._events):
            events.close()
        with contextlib.suppress(MgbaError):
            self._is_leased = False
            if self._had_lease:  # after a failure it may still have it
                self.lease_release()
            if self._holds_keys or self._holds_sensors:
                self.release()
        self._stream.close()
        self._connection.close()
        if self._own:
            self._own.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
