"""The gateway in front of a window, and clients of it in Python's standard library."""

import http.client
import json
import os
import pathlib
import sys
import time

from checks import until
from desktop import ACTION, end, start
from mgba_wire import Failure
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "docs/examples"))
from mgba_socket import MgbaSocket, Refused  # the example that the documentation shows

__all__ = ["Events", "Gateway", "Pictures", "Problem", "Refused"]


class Problem(Exception):
    """The gateway refused: the status and the fields of its problem document."""

    def __init__(self, status, fields):
        super().__init__(f"{status} {fields.get('title')}: {fields.get('detail')}")
        self.status, self.fields = status, fields


class Gateway:
    """Started like a user with a window does: scripts/gateway. A window may give no sign for `silence`: on a busy machine its game gets no processor for a while."""

    def __init__(self, folder, lua_port, silence="00:00:05"):
        self.port = free_port()
        settings = {name: value for name, value in os.environ.items() if not name.startswith(("Bridge__", "MGBA_BRIDGE_"))}
        settings.update(HTTP_PORT=str(self.port), LUA_PORT=str(lua_port), Bridge__Transport__SilenceTimeout=silence,
                        Bridge__Transport__ConnectTimeout="00:00:10", Bridge__Transport__RequestTimeout="00:00:30")
        self.process = start([str(ROOT / "scripts/gateway")], folder / "gateway.log", env=settings)
        until(self.is_ready, "the gateway is ready", 60)

    def is_ready(self):
        if self.process.poll() is not None:
            raise Failure("the gateway has ended; see gateway.log")
        try:
            return self.send("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def end(self):
        end(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=ACTION)

    def open(self, method, path, body=None, holder=None):
        """A response whose body has not been read, on a connection of its own."""
        headers = {"Mgba-Holder": holder} if holder else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        connection = self.connect()
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def send(self, method, path, body=None, holder=None):
        """Status and body, of whatever kind."""
        with self.open(method, path, body, holder) as response:
            return response.status, response.read()

    def bytes(self, method, path, body=None, holder=None):
        status, answer = self.send(method, path, body, holder)
        if status >= 300:
            raise Problem(status, json.loads(answer or b"{}"))
        return answer

    def call(self, method, path, body=None, holder=None):
        return json.loads(self.bytes(method, path, body, holder))

    def refusal(self, method, path, body=None, holder=None):
        """The problem that has to come, or None."""
        try:
            self.bytes(method, path, body, holder)
        except Problem as problem:
            return problem
        return None

    def number(self, location, kind="u32"):
        return self.call("GET", f"/v2/memory/{location:#x}/{kind}")["value"]

    def socket(self, holder):
        client = MgbaSocket(f"http://127.0.0.1:{self.port}", f"/v2/ws?holder={holder}")
        client.socket.settimeout(ACTION)
        return client


class Stream:
    """A streamed response."""

    def __init__(self, gateway, path):
        self.response = gateway.open("GET", path)
        if self.response.status != 200:
            raise Problem(self.response.status, json.loads(self.response.read()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.response.close()

    def line(self):
        line = self.response.readline()
        if not line:
            raise Failure("the stream has ended")
        return line.decode().rstrip("\r\n")


class Events(Stream):
    """Server-sent events."""

    def __init__(self, gateway, topics):
        super().__init__(gateway, f"/v2/events?topics={topics}")
        self.line()  # ": subscribed"; events before this line could be missed

    def next(self, kind, holds=lambda event: True):
        """The next event of this kind that matches; skips those before it."""
        deadline = time.monotonic() + ACTION
        name = None
        while time.monotonic() < deadline:
            field, _, value = self.line().partition(": ")
            if field == "event":
                name = value
            elif field == "data" and name == kind:
                event = json.loads(value)
                if holds(event):
                    return event
        raise Failure(f"no event {kind} within {ACTION} s")


class Pictures(Stream):
    """The picture as a stream: parts of multipart/x-mixed-replace."""

    def __init__(self, gateway, fps):
        super().__init__(gateway, f"/v2/screen/stream?fps={fps}")

    def next(self):
        """The frame and the PNG of the next picture."""
        headers = {}
        while True:
            line = self.line()
            if line:
                name, _, value = line.partition(": ")
                headers[name] = value
            elif "Content-Length" in headers:
                return int(headers["Mgba-Frame"]), self.response.read(int(headers["Content-Length"]))
