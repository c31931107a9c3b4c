"""Events of topics, over a connection of their own."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import urllib.parse
from collections.abc import Sequence
from typing import Any, NamedTuple, Self, cast

from ._connection import CONNECT_TIMEOUT, connect, reason, unreachable
from ._http import Address, Response, not_a_gateway
from ._operations import EventAnswer
from .errors import Unreachable

SILENCE = 45.0  # the gateway writes something every 15 s


class Event(NamedTuple):
    """Something that happened.

    name: such as `frame`, `keys` or `game.reset`; `lost` counts events that were dropped because they were not taken in time.
    id: names it.
    values: frame, epoch and topic, and what the topic has; of `lost`, `{"lost": 12}`.
    """

    name: str
    id: str | None
    values: EventAnswer


class Events:
    """An iterator over events. It ends with `close`, also that of the emulator, and raises when the connection ends."""

    def __init__(self, address: Address, topics: Sequence[str]) -> None:
        path = f"{address.emulator_path}/v2/events?topics={urllib.parse.quote(','.join(topics))}"
        self._address = address
        self._is_closed = False
        self._socket = connect(address, CONNECT_TIMEOUT)
        try:
            self._socket.settimeout(SILENCE)
            self._socket.sendall((address.head("GET", path) + "Connection: close\r\n\r\n").encode("ascii"))
            self._lines = http.client.HTTPResponse(self._socket, method="GET")
            self._lines.begin()
            if self._lines.status != 200:
                headers = {name.lower(): value for name, value in self._lines.getheaders()}
                Response(self._lines.status, headers, self._lines.read()).result(address.url)
        except OSError as error:
            self.close()
            raise unreachable(address, error) from error
        except http.client.HTTPException as error:
            self.close()
            raise not_a_gateway(address.url, "something else than HTTP") from error
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        fields: dict[str, str] = {}
        while line := self._line():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif not line.startswith(":") and "data" in fields:
                return Event(fields.get("event", "message"), fields.get("id"), cast(EventAnswer, self._json(fields["data"])))
        raise StopIteration

    def _line(self) -> str:
        """The next line; empty when it was closed."""
        failure: Exception | None = None
        try:
            if line := self._lines.readline():
                return line.decode()
        except (OSError, ValueError, http.client.HTTPException) as error:
            failure = error
        if self._is_closed:
            return ""
        self.close()
        raise Unreachable(f"The connection for events ended ({reason(failure) if failure else 'the gateway closed it'}); check the gateway.") from failure

    def _json(self, data: str) -> Any:
        try:
            return json.loads(data)
        except ValueError as error:
            self.close()
            raise not_a_gateway(self._address.url, "JSON that cannot be read") from error

    def close(self) -> None:
        """Ends it, also while another thread waits for an event."""
        self._is_closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
