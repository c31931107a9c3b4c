"""A connection that is kept open, and opened again when the gateway has closed it."""

from __future__ import annotations

import contextlib
import io
import os
import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence

from ._http import FRAMES_A_SECOND, MAX_LINE, Address, Call, Response, is_repeatable, reading
from .errors import ResponseTimeout, Unreachable

CONNECT_TIMEOUT = 10.0


class Exchange:
    """Requests that are sent together, and how long their responses may take."""

    def __init__(self, address: Address, calls: Sequence[Call], timeout: float) -> None:
        self.calls = calls
        self.count = len(calls)
        self.data = b"".join(address.request(call, os.urandom(16).hex()) for call in calls)
        self.limit = timeout + sum(call.frames or call.arguments.get("frames") or 0 for call in calls) / FRAMES_A_SECOND
        self.is_repeatable = all(is_repeatable(call.name) for call in calls)

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turns the errors of a socket into those of this package."""
        name = self.calls[0].name
        try:
            yield
        except TimeoutError as error:
            message = f"{name}: no response within {self.limit:g} s; the request may still run. Raise `timeout`, or look at status_get()."
            raise ResponseTimeout(message) from error
        except OSError as error:
            message = f"{name}: the connection ended before the response ({reason(error)}); the request may have run. Check the gateway."
            raise Unreachable(message) from error


def reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def unreachable(address: Address, error: Exception) -> Unreachable:
    return Unreachable(f"No gateway answers at {address.url} ({reason(error)}); start one with `mgba-bridge run`, or check the URL.")


def connect(address: Address, timeout: float) -> socket.socket:
    """A socket to the gateway."""
    try:
        connected = socket.create_connection((address.host, address.port), timeout)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if address.is_secure:
            import ssl  # here, because it takes longer to import than a request takes

            connected = ssl.create_default_context().wrap_socket(connected, server_hostname=address.host)
        return connected
    except OSError as error:
        raise unreachable(address, error) from error


def receive(received: io.BufferedReader, url: str, is_endless: bool = False) -> Response:
    """Reads a response."""
    program = reading(url, is_endless)
    wanted = next(program)
    try:
        while True:
            wanted = program.send(received.readline(MAX_LINE) if wanted is None else received.read(wanted))
    except StopIteration as end:
        return end.value


def closes(responses: Sequence[Response]) -> bool:
    return responses[-1].headers.get("connection", "").lower() == "close"


class Connection:
    """Blocking. One thread at a time has it, from `begin` to `end`."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._socket: socket.socket | None = None
        self._received = io.BufferedReader(io.BytesIO())  # type: ignore[arg-type]
        self._lock = threading.RLock()
        self._current: Exchange | None = None
        self.used_at = time.monotonic()

    def exchange(self, calls: Sequence[Call], timeout: float) -> list[Response]:
        """The responses to requests, in their order."""
        self.begin(calls, timeout)
        return self.end()

    def begin(self, calls: Sequence[Call], timeout: float) -> None:
        """Sends requests; `end` must follow."""
        exchange = Exchange(self._address, calls, timeout)
        self._lock.acquire()
        try:
            if self._socket is not None and select.select([self._socket], [], [], 0)[0]:
                self.close()  # nothing is expected: the gateway has closed it
            self._send(exchange)
            self._current = exchange
        except BaseException:
            self._lock.release()
            raise

    def end(self) -> list[Response]:
        """The responses to the requests of `begin`."""
        exchange = self._current
        assert exchange is not None
        try:
            with exchange.explained():
                try:
                    responses = self._receive(exchange)
                except (ConnectionResetError, BrokenPipeError):
                    self.close()
                    if not exchange.is_repeatable:
                        raise
                    self._send(exchange)
                    responses = self._receive(exchange)
        except BaseException:
            self.close()
            raise
        finally:
            self._current = None
            self.used_at = time.monotonic()
            self._lock.release()
        if closes(responses):
            self.close()
        return responses

    def _send(self, exchange: Exchange) -> None:
        if self._socket is None:
            self._connect(exchange)
        assert self._socket is not None
        try:
            self._socket.settimeout(exchange.limit)
            self._socket.sendall(exchange.data)
        except (ConnectionResetError, BrokenPipeError):
            self.close()  # reading finds it out as well
        except OSError:
            self.close()
            raise

    def _connect(self, exchange: Exchange) -> None:
        self._socket = connect(self._address, min(CONNECT_TIMEOUT, exchange.limit))
        self._received = self._socket.makefile("rb", 65536)

    def _receive(self, exchange: Exchange) -> list[Response]:
        if self._socket is None:
            raise ConnectionResetError("it was closed")
        return [receive(self._received, self._address.url) for _ in range(exchange.count)]

    def close(self) -> None:
        """The next request opens it again."""
        if self._socket is not None:
            self._received.close()
            self._socket.close()
            self._socket = None


class HolderStream:
    """A response without an end: when this process ends, in whatever way, the gateway gives back what its holder has."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self.opened = 0  # how often: the gateway may have given everything back in between

    def open(self) -> None:
        """Opens it unless it is open."""
        with self._lock:
            if self._socket is not None and self._lasts():
                return
            self._close()
            connected = connect(self._address, CONNECT_TIMEOUT)
            try:
                connected.sendall((self._address.head("POST", "/v2/holder/stream") + "Connection: close\r\nContent-Length: 0\r\n\r\n").encode("ascii"))
                with connected.makefile("rb", 0) as received:  # without a buffer, which would take more than the head
                    receive(received, self._address.url, is_endless=True).result(self._address.url)  # type: ignore[arg-type]
            except OSError as error:
                connected.close()
                raise unreachable(self._address, error) from error
            except BaseException:
                connected.close()
                raise
            connected.setblocking(False)
            self._socket, self.opened = connected, self.opened + 1

    def close(self) -> None:
        """Ends it."""
        with self._lock:
            self._close()

    def _lasts(self) -> bool:
        assert self._socket is not None
        try:
            while self._socket.recv(4096):
                pass  # that the gateway is still there
        except BlockingIOError:
            return True
        except OSError as error:
            return type(error).__name__ == "SSLWantReadError"
        return False

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
