"""HTTP/1.1 without a socket, for the blocking and the asynchronous connection."""

from __future__ import annotations

import json
import unicodedata
import urllib.parse
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from ._operations import DECLARATIONS
from .errors import Problem, Unreachable

MAX_LINE = 65536
FRAMES_A_SECOND = 50  # a game that runs slower needs a longer timeout
ENDED = "it closed the connection"


class Call(NamedTuple):
    """An operation to request.

    accept: which of the media types of the response.
    frames: how many frames the response may take, unless the arguments say so.
    is_whole: whether the result is the Response rather than its JSON or bytes.
    json: the JSON of the body, in place of the arguments.
    """

    name: str
    arguments: Mapping[str, Any]
    accept: str | None = None
    frames: int | None = None
    is_whole: bool = False
    json: bytes | None = None


class Response(NamedTuple):
    """A response; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def result(self, url: str) -> Any:
        """The JSON or the bytes; raises what is not a success."""
        media = self.headers.get("content-type", "").partition(";")[0]
        try:
            value = json.loads(self.body) if media in ("application/json", "application/problem+json") else self.body
        except ValueError as error:
            raise not_a_gateway(url, "JSON that cannot be read") from error
        if self.status == 200:
            return value
        if media == "application/problem+json":
            raise Problem(value)
        raise not_a_gateway(url, f"status {self.status}")


class Address:
    """A gateway's URL, and what all requests to it have in common."""

    def __init__(self, url: str, emulator: str | None, token: str | None, holder: str) -> None:
        parts = urllib.parse.urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or parts.query or parts.fragment:
            raise ValueError(f"{url!r} is not the URL of a gateway; it has the form http://127.0.0.1:5000.")
        for name, value in (("token", token), ("holder", holder), ("emulator", emulator)):
            if value is not None and not (value.isascii() and value.isprintable() and value):
                raise ValueError(f"{name} must consist of visible ASCII characters.")
        self.url = url
        self.is_secure = parts.scheme == "https"
        self.host, self.port = parts.hostname, port or (443 if self.is_secure else 80)
        self._base = parts.path.rstrip("/")
        self.emulator_path = f"/i/{urllib.parse.quote(emulator, safe='')}" if emulator else ""
        self._head = f" HTTP/1.1\r\nHost: {parts.netloc.rpartition('@')[2]}\r\nMgba-Holder: {holder}\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "")

    def head(self, method: str, path: str) -> str:
        """What every request begins with."""
        return f"{method} {self._base}{path}{self._head}"

    def request(self, call: Call, key: str) -> bytes:
        """The bytes of a request. `key` makes it safe to send an effect again."""
        declared = DECLARATIONS[call.name]
        arguments = {name: composed(call.name, name, value) for name, value in call.arguments.items() if value is not None}
        path = declared.path
        if "{" in path:
            for name in [name for name in arguments if f"{{{name}}}" in path]:
                path = path.replace(f"{{{name}}}", urllib.parse.quote(str(arguments.pop(name)), safe=""))
        query = {name: text(arguments.pop(name)) for name in declared.query if name in arguments}
        if query:
            path += "?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        head = self.head(declared.method, (self.emulator_path if declared.is_per_emulator else "") + path)
        if call.accept:
            head += f"Accept: {call.accept}\r\n"
        if is_keyed(call.name):
            head += f"Idempotency-Key: {key}\r\n"
        if declared.media is None:
            return (head + ("\r\n" if declared.method in ("GET", "DELETE") else "Content-Length: 0\r\n\r\n")).encode("ascii")
        content = call.json if call.json is not None else arguments.get("body", b"") if declared.is_whole else arguments
        if isinstance(content, str):
            content = content.encode()
        elif not isinstance(content, (bytes, bytearray, memoryview)):
            content = json.dumps(content, separators=(",", ":"), default=plain).encode()
        return f"{head}Content-Type: {declared.media}\r\nContent-Length: {len(content)}\r\n\r\n".encode("ascii") + bytes(content)


def composed(operation: str, argument: str, value: Any) -> Any:
    """The name of a state with each letter and its accent as one character (NFC): the gateway compares names as they are."""
    is_name = isinstance(value, str) and (operation.startswith("states.") or (operation, argument) == ("emulators.start", "state"))
    return unicodedata.normalize("NFC", value) if is_name else value


def plain(value: Any) -> Any:
    """A number or an array of NumPy as Python's."""
    if not hasattr(value, "tolist"):
        raise ValueError(f"{value!r} is not a value that can be sent.")
    return value.tolist()


def text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def is_keyed(name: str) -> bool:
    """Whether the request has an idempotency key. Steps have none: they end with their connection."""
    return DECLARATIONS[name].has_holder and not name.startswith(("lease.", "vector."))


def is_repeatable(name: str) -> bool:
    """Whether the request may be sent again after the connection ended without a response."""
    return DECLARATIONS[name].method == "GET" or is_keyed(name)


def not_a_gateway(url: str, found: str) -> Unreachable:
    return Unreachable(f"{url} is not a gateway of mGBA-bridge: it answered with {found}; check the URL.")


def reading(url: str, is_endless: bool = False) -> Generator[int | None, bytes, Response]:
    """Reads a response: yields None for a line or a number of bytes, and is sent them. Too few bytes are the end of the connection.

    is_endless: a success has no end, and is returned without a body.
    """
    line = yield None
    if not line:
        raise ConnectionResetError(ENDED)
    words = line.split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise not_a_gateway(url, "something else than HTTP")
    headers: dict[str, str] = {}
    while (line := (yield None)) not in (b"\r\n", b"\n"):
        if not line.endswith(b"\n"):
            raise ConnectionAbortedError(ENDED)
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    if is_endless and words[1] == b"200":
        return Response(200, headers, b"")
    if headers.get("transfer-encoding", "").lower() == "chunked":
        parts = []
        while size := int((yield None).partition(b";")[0] or b"0", 16):
            parts.append((yield size))
            yield None
        while (yield None) not in (b"\r\n", b"\n", b""):
            pass
        body = b"".join(parts)
    else:
        length = int(headers.get("content-length", 0))
        body = (yield length) if length else b""
        if len(body) < length:
            raise ConnectionAbortedError(ENDED)
    return Response(int(words[1]), headers, body)
