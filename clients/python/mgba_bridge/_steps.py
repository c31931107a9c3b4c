"""How MgbaVectorEnv has its emulators step: by one request to the gateway, or by a local socket to each."""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._connection import Connection
from ._http import Call
from ._message import OK, Message
from .emulator import Emulator
from .env import KEYS
from .errors import MgbaError

ENDED = "the connection was closed, because the emulator or the lease ended"
FAILED, LATE = 503, 504  # statuses of rows, as the gateway gives them
ATTACH_WITHIN = 10.0
AT_LEAST, PER_FRAME = 5.0, 0.1  # seconds that a step may take unless a deadline is given, as the gateway has them
TRUNCATED = int(getattr(socket, "MSG_TRUNC", 0))
STEP = struct.Struct("<HHI")  # docs/protocol.md, section 7.6
HEAD = np.dtype([("frame", "<i8"), ("epoch", "<u4"), ("status", "<u4")])
NUMBERS = {"u8": "u1", "s8": "i1", "u16": "<u2", "s16": "<i2", "u32": "<u4", "s32": "<i4"}


class GatewaySteps:
    """One request for all of them."""

    def __init__(self, connection: Connection, url: str, emulators: Sequence[str], asked: dict[str, Any], timeout: float) -> None:
        self._connection, self._url, self._timeout = connection, url, timeout
        self._heads = [f'{{"emulator":{json.dumps(name)},' for name in emulators]
        self._frames = asked["frames"]
        self._end = "]," + json.dumps(asked, separators=(",", ":"))[1:-1]
        self.state: str | None = None

    def row(self, number: int, keys: Sequence[str]) -> Any:
        """The step of an environment with these keys."""
        return f'{self._heads[number]}"keys":"{"+".join(keys)}"}}'

    def reset_row(self, number: int, frames: int) -> Any:
        """That of an environment which begins an episode."""
        return f'{self._heads[number]}"frames":{frames},"reset":true}}'

    def still_row(self, last: Any) -> Any:
        """What an environment observes in the frame in which it is, with the keys of its last step."""
        return json.dumps({**json.loads(last), "frames": 0, "reset": False})

    def exchange(self, rows: Sequence[Any], numbers: Sequence[int] | range) -> Message:
        """The results of these rows, of the environments with these numbers."""
        del numbers  # the rows name their emulators
        body = f'{{"rows":[{",".join(rows)}{self._end},"state":{json.dumps(self.state)}}}'.encode()
        call = Call("vector.step", {}, frames=10 * self._frames, is_whole=True, json=body)
        (response,) = self._connection.exchange([call], self._timeout)
        return Message.of(response.result(self._url))

    def close(self) -> None:
        """The connection is the caller's."""


class LocalSteps:
    """A socket to each emulator, on which the gateway has no part."""

    def __init__(self, emulators: Mapping[str, Emulator], frame_skip: int, reads: Sequence[dict[str, Any]], pixels: dict[str, Any] | None, shape: tuple[int, ...], deadline: float | None, most_frames: int) -> None:
        self._names, self._emulators, self._frames = list(emulators), list(emulators.values()), frame_skip
        self._limit = limit = deadline or AT_LEAST + PER_FRAME * most_frames
        self._timeval = struct.pack("@ll", int(limit), int(limit % 1 * 1e6))
        self._arguments = {name: value for name, value in (("reads", list(reads)), ("pixels", pixels)) if value}
        self._numbers = np.dtype([(str(number), NUMBERS[read["type"]]) for number, read in enumerate(reads)])
        self._shape = shape
        self._sockets: list[socket.socket | None] = [None] * len(emulators)
        self._poll = select.poll()  # those under way by `begin`, until when they may take, and those that were not sent
        self._under_way: dict[int, float] = {}
        self._failed: dict[int, str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="mgba-bridge-steps-")
        self._path = os.path.join(self._folder.name, "steps")
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.bind(self._path)
        self._listener.listen(1)
        self._listener.settimeout(ATTACH_WITHIN)
        self.state: str | None = None

    def start(self, state: str | None) -> None:
        """Has all emulators connect. Steps that begin episodes continue in this state."""
        self.state = state
        try:
            for number in range(len(self._sockets)):
                self._attach(number)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def is_possible() -> bool:
        """Whether this system has such sockets."""
        return hasattr(socket, "AF_UNIX") and hasattr(socket, "SOCK_SEQPACKET")

    def row(self, number: int, keys: Sequence[str]) -> Any:
        """The step of an environment with these keys."""
        del number
        return STEP.pack(sum(1 << KEYS.index(key) for key in set(keys)), 0, self._frames)

    def reset_row(self, number: int, frames: int) -> Any:
        """That of an environment which begins an episode."""
        del number
        return STEP.pack(0, 1, frames)

    def still_row(self, last: Any) -> Any:
        """What an environment observes in the frame in which it is, with the keys of its last step."""
        return STEP.pack(STEP.unpack(last)[0], 0, 0)

    def _attach(self, number: int) -> None:
        """Has an emulator connect; one that is started again is waited for."""
        self._drop(number)
        self._emulators[number].lease_attach(self._path, state=self.state, deadline_ms=round(self._limit * 1000), **self._arguments)
        try:
            self._sockets[number] = connection = self._listener.accept()[0]
            connection.setblocking(True)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, self._timeval)  # a timeout of Python's own costs a further system call
        except TimeoutError as error:
            raise MgbaError(f"The emulator {self._names[number]} did not connect to {self._path} within {ATTACH_WITHIN:g} s.") from error

    def exchange(self, rows: Sequence[Any], numbers: Sequence[int] | range) -> Message:
        """The results of these rows, of the environments with these numbers."""
        results = Results(len(rows), self._numbers, self._shape)
        # those that have to connect first do not delay the others
        order = sorted(range(len(rows)), key=lambda position: self._sockets[numbers[position]] is None)
        problems = {position: self._send(numbers[position], rows[position]) for position in order}
        try:
            is_late = False
            for position, number in enumerate(numbers):
                problem = problems[position]
                if problem is not None:
                    results.fail(position, FAILED, problem)
                else:
                    is_late |= not self._receive(number, position, results, socket.MSG_DONTWAIT if is_late else 0)
        except BaseException:
            self._abandon(numbers)
            raise
        return results.message()

    def begin(self, rows: Sequence[Any], numbers: Sequence[int]) -> None:
        """Sends the steps of these environments, of which none is under way."""
        for number, row in zip(numbers, rows):
            self._under_way[number] = time.monotonic() + self._limit
            problem = self._send(number, row)
            if problem is None:
                self._poll.register(self._sockets[number], select.POLLIN)  # type: ignore[arg-type]
            else:
                self._failed[number] = problem

    def finish(self, count: int) -> tuple[list[int], Message]:
        """Which environments were done first, and their results, in this order."""
        results = Results(count, self._numbers, self._shape)
        done: list[int] = []
        try:
            while len(done) < count:
                for number in self._done()[: count - len(done)]:
                    problem = self._failed.pop(number, None)
                    if problem is not None:
                        results.fail(len(done), FAILED, problem)
                    else:
                        self._poll.unregister(self._sockets[number])  # type: ignore[arg-type]
                        self._receive(number, len(done), results, socket.MSG_DONTWAIT)
                    del self._under_way[number]
                    done.append(number)
        except BaseException:
            self._abandon(range(len(self._sockets)))
            raise
        return done, results.message()

    def close(self) -> None:
        """Closes the sockets. The leases stay."""
        for number in range(len(self._sockets)):
            self._drop(number)
        self._listener.close()
        self._folder.cleanup()

    def _abandon(self, numbers: Sequence[int] | range) -> None:
        """After such as a KeyboardInterrupt: answers that come later would be taken for those of other steps."""
        self._poll, self._under_way, self._failed = select.poll(), {}, {}
        for number in numbers:
            self._drop(number)

    def _drop(self, number: int) -> None:
        connection, self._sockets[number] = self._sockets[number], None
        if connection is not None:
            connection.close()

    def _send(self, number: int, row: bytes) -> str | None:
        """Why the step is not under way, or None."""
        try:
            if self._sockets[number] is None:
                self._attach(number)
            self._sockets[number].send(row)  # type: ignore[union-attr]
            return None
        except MgbaError as error:
            problem = str(error)
        except OSError:
            problem = ENDED
        self._drop(number)
        return f"The step of emulator {self._names[number]} did not run: {problem}"

    def _done(self) -> list[int]:
        """Those under way that have answered, failed or are late; waits for the first."""
        if self._failed:
            return list(self._failed)
        left = min(self._under_way.values()) - time.monotonic()
        ready = {descriptor for descriptor, _ in self._poll.poll(max(0.0, left) * 1000)}
        now = time.monotonic()
        return [number for number, end in self._under_way.items() if self._sockets[number].fileno() in ready or end <= now]  # type: ignore[union-attr]

    def _receive(self, number: int, position: int, results: Results, flags: int) -> bool:
        """Whether it answered, or ended, within the time limit of its socket."""
        connection = self._sockets[number]
        assert connection is not None
        try:
            problem = results.receive(position, connection, flags)
        except BlockingIOError:
            self._drop(number)  # its answer may still come
            results.fail(position, LATE, f"The emulator {self._names[number]} did not answer the step within the deadline; the frames may have run.")
            return False
        except OSError as error:
            problem = str(error)
        if problem is not None:
            self._drop(number)
            results.fail(position, FAILED, f"The emulator {self._names[number]} ended the steps: {problem}")
        return True


class Results:
    """The arrays of a step, into which the answers are received."""

    def __init__(self, rows: int, numbers: np.dtype[Any], shape: tuple[int, ...]) -> None:
        self._heads, self._raw, self._pixels = np.zeros(rows, HEAD), np.zeros(rows, numbers), np.zeros((rows, *shape), np.uint8) if shape else None
        parts = [self._heads, self._raw, *([self._pixels] if shape else [])]
        self._views = [(memoryview(part.reshape(-1).view(np.uint8)), part.nbytes // rows) for part in parts if part.nbytes]
        self._size = sum(size for _, size in self._views)
        self._statuses = np.full(rows, OK, np.uint32)
        self._failures: list[dict[str, Any]] = []

    def receive(self, position: int, connection: socket.socket, flags: int) -> str | None:
        """Receives an answer. Returns why there is none."""
        size, _, flags, _ = connection.recvmsg_into([view[position * length : (position + 1) * length] for view, length in self._views], 0, flags)
        if size == 0:
            return ENDED
        if size >= HEAD.itemsize and self._heads["status"][position]:
            text = b"".join(bytes(view[position * length : (position + 1) * length]) for view, length in self._views[1:])
            return text[: size - HEAD.itemsize].decode("utf-8", "replace") or "no reason was given"
        return None if size == self._size and not flags & TRUNCATED else f"its answer has {size} bytes instead of {self._size}"

    def fail(self, position: int, status: int, detail: str) -> None:
        """A row without an observation."""
        for view, length in self._views[1:]:
            view[position * length : (position + 1) * length] = bytes(length)
        self._statuses[position] = status
        self._failures.append({"row": position, "detail": detail})

    def message(self) -> Message:
        """What the step returned."""
        values = np.empty((len(self._raw), len(self._raw.dtype)), np.int64)
        for number, name in enumerate(self._raw.dtype.names or ()):
            values[:, number] = self._raw[name]
        return Message(self._heads["frame"].copy(), values, None, self._heads["epoch"].copy(), self._statuses, None, self._pixels, self._failures)
