"""An emulator for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ssl
import time
import weakref
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Self

from ._connection import CONNECT_TIMEOUT, Exchange, HolderStream, closes, unreachable
from ._events import Event, Events
from ._http import MAX_LINE, Address, Call, Response, reading
from ._operations import AsyncOperations, awaited
from .emulator import RENEW_AFTER, Program, Shortcuts, Target, step_call
from .errors import MgbaError


class AsyncConnection:
    """A connection that is kept open, and opened again when the gateway has closed it. Requests of several tasks are sent one after another."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._lock = asyncio.Lock()
        self.used_at = time.monotonic()

    async def exchange(self, calls: Sequence[Call], timeout: float) -> list[Response]:
        """The responses to requests, in their order."""
        exchange = Exchange(self._address, calls, timeout)
        async with self._lock:
            if self._streams is not None and self._streams[0].at_eof():
                self.close()
            try:
                with exchange.explained():
                    async with asyncio.timeout(exchange.limit):
                        try:
                            responses = await self._attempt(exchange)
                        except (ConnectionResetError, BrokenPipeError):
                            self.close()
                            if not exchange.is_repeatable:
                                raise
                            responses = await self._attempt(exchange)
            except BaseException:
                self.close()
                raise
            finally:
                self.used_at = time.monotonic()
            if closes(responses):
                self.close()
            return responses

    async def _attempt(self, exchange: Exchange) -> list[Response]:
        if self._streams is None:
            secure = ssl.create_default_context() if self._address.is_secure else None
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    self._streams = await asyncio.open_connection(self._address.host, self._address.port, ssl=secure, limit=MAX_LINE)
            except OSError as error:
                raise unreachable(self._address, error) from error
        received, sent = self._streams
        sent.write(exchange.data)
        await sent.drain()
        responses = []
        for _ in range(exchange.count):
            program = reading(self._address.url)
            wanted = next(program)
            try:
                while True:
                    try:
                        data = await received.readline() if wanted is None else await received.readexactly(wanted)
                    except asyncio.IncompleteReadError as error:
                        data = error.partial
                    wanted = program.send(data)
            except StopIteration as end:
                responses.append(end.value)
        return responses

    def close(self) -> None:
        """The next request opens it again."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class AsyncEmulator(Target, AsyncOperations):
    """The methods of Emulator, to be awaited."""

    _is_leased = _had_lease = False
    _holds_keys = False
    _holds_sensors = False

    @functools.wraps(Target.__init__)
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._connection = AsyncConnection(self._address)
        self._stream = HolderStream(self._address)
        self._events: weakref.WeakSet[Events] = weakref.WeakSet()
        self._keeper: asyncio.Task[None] | None = None

    press = awaited(Shortcuts.press)
    play = awaited(Shortcuts.play)
    hold = awaited(Shortcuts.hold)
    sense = awaited(Shortcuts.sense)
    release = awaited(Shortcuts.release)
    read = awaited(Shortcuts.read)
    read_all = awaited(Shortcuts.read_all)
    read_bytes = awaited(Shortcuts.read_bytes)
    write = awaited(Shortcuts.write)
    screen = awaited(Shortcuts.screen)
    save = awaited(Shortcuts.save)
    load = awaited(Shortcuts.load)
    wait = awaited(Shortcuts.wait)
    step = awaited(Shortcuts.step)
    _check_running = Shortcuts._check_running
    _take = Shortcuts._take
    _stepped = Shortcuts._stepped

    async def events(self, *topics: str) -> AsyncGenerator[Event, None]:
        """The events of 1 to 64 topics, as Emulator has them, from the first turn of the loop on."""
        events = await asyncio.to_thread(Events, self._address, topics)
        self._events.add(events)
        try:
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield event
        finally:
            events.close()

    async def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        return (await self._exchange([Call(name, arguments)]))[0]

    async def _exchange(self, calls: list[Call]) -> list[Any]:
        return self._results(calls, await self._connection.exchange(calls, self.timeout))

    async def _run(self, program: Program[Any]) -> Any:
        try:
            calls = next(program)
            while True:
                try:
                    results = await self._exchange(calls)
                except MgbaError as error:
                    calls = program.throw(error)
                else:
                    calls = program.send(results)
        except StopIteration as end:
            return end.value

    def _renew(self) -> None:
        if self._keeper is None or self._keeper.done():  # it renews later leases as well
            self._keeper = asyncio.create_task(keep_lease(weakref.ref(self)))

    async def _renew_lease(self) -> None:
        with contextlib.suppress(MgbaError):  # the gateway may start again
            await asyncio.to_thread(self._stream.open)
        if self._is_leased and time.monotonic() - self._connection.used_at >= RENEW_AFTER:
            with contextlib.suppress(MgbaError):  # the next step says why
                await self._exchange([step_call(0, None, [])])

    async def close(self) -> None:
        """Gives the lease and keys back, and ends events and a gateway of its own."""
        for events in list(self._events):
            events.close()
        if self._keeper:
            self._keeper.cancel()
        with contextlib.suppress(MgbaError):
            self._is_leased = False
            if self._had_lease:  # after a failure it may still have it
                await self.lease_release()
            if self._holds_keys or self._holds_sensors:
                await self.release()
        self._stream.close()
        self._connection.close()
        if self._own:
            await asyncio.to_thread(self._own.end)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def keep_lease(reference: weakref.ref[AsyncEmulator]) -> None:
    """Renews the lease until the emulator is closed or no longer referred to."""
    while (kept := reference()) is not None:
        await kept._renew_lease()
        del kept
        await asyncio.sleep(RENEW_AFTER)
