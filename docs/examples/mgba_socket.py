"""A WebSocket client of mGBA-bridge in the Python standard library: the part of RFC 6455 that /v2/ws requires.

    with MgbaSocket("http://127.0.0.1:5000") as game:
        print(game.call("memory.gather", {"reads": [{"location": "0x02000008", "type": "u32"}]}))

Run as a program, it takes the lockstep lease and counts steps: python3 mgba_socket.py [BASE_URL] [SECONDS]
"""

import base64
import json
import os
import socket
import struct
import sys
import time
import urllib.parse

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    """The gateway answered with a problem; `problem` has its fields."""

    def __init__(self, problem):
        super().__init__(f"{problem['status']} {problem['title']}: {problem['detail']}")
        self.problem = problem


class MgbaSocket:
    """One connection. Responses are matched by id; events are kept in `events` until `event` takes them.

    The base URL may have a path: http://127.0.0.1:5000/i/red addresses the emulator red.
    """

    def __init__(self, base_url="http://127.0.0.1:5000", path="/v2/ws"):
        address = urllib.parse.urlsplit(base_url)
        self.socket = socket.create_connection((address.hostname, address.port or 80))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = self.socket.makefile("rb")
        self.events, self.last_id = [], 0
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {address.path.rstrip('/')}{path} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        status = self.received.readline()
        while self.received.readline().strip():
            pass
        if b" 101 " not in status:
            raise ConnectionError(f"no WebSocket: {status.decode().strip()}")
        self.hello = json.loads(self.receive()[1])["hello"]

    def send(self, data, kind=TEXT):
        """Sends one message. Clients must mask their messages; a mask of zeros is valid."""
        length = len(data)
        size = bytes([0x80 | length]) if length < 126 else struct.pack(">BH", 0xFE, length) if length < 65536 else struct.pack(">BQ", 0xFF, length)
        self.socket.sendall(bytes([0x80 | kind]) + size + b"\0\0\0\0" + data)

    def receive(self):
        """The next message: its kind and its bytes."""
        whole, data = 0, b""
        while True:
            first, second = self.received.read(2) or (0x88, 0)
            length = second & 0x7F
            if length > 125:
                length = int.from_bytes(self.received.read(2 if length == 126 else 8), "big")
            part = self.received.read(length)
            kind = first & 0x0F
            if kind == CLOSE:
                raise ConnectionError("closed: " + part[2:].decode())
            if kind == PING:
                self.send(part, PONG)
            elif kind != PONG:
                whole = kind or whole  # a continuation is of the kind of its first part
                data += part
                if first & 0x80:
                    return whole, data

    def begin(self, op, body=None, binary=False):
        """Sends a request and returns its id: several may be under way."""
        self.last_id += 1
        request = {"id": self.last_id, "op": op, "body": body or {}}
        if binary:
            request["binary"] = True
        self.send(json.dumps(request).encode())
        return self.last_id

    def message(self):
        """The next text message as a dict, with the bytes that follow it under "bytes"."""
        message = json.loads(self.receive()[1])
        if "binary" in message:
            message["bytes"] = self.receive()[1]
        return message

    def end(self, request_id):
        """Waits for the answer to a request."""
        while True:
            message = self.message()
            if message.get("id") == request_id and "event" not in message:
                if "problem" in message:
                    raise Refused(message["problem"])
                return message["body"] if "bytes" not in message else (message["body"], message["bytes"])
            self.events.append(message)

    def call(self, op, body=None, binary=False):
        """Sends a request and waits for its response."""
        return self.end(self.begin(op, body, binary))

    def event(self, kind):
        """The next event of this kind."""
        while True:
            message = self.events.pop(0) if self.events else self.message()
            if message.get("event") == kind:
                return message

    def close(self):
        """Closes the connection; the gateway releases its keys and lease."""
        self.send(struct.pack(">H", 1000), CLOSE)
        self.received.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main(base_url="http://127.0.0.1:5000", seconds="3"):
    """Steps a second, one frame and one read each."""
    step = {"frames": 1, "keys": "A", "items": [{"read": {"location": "0x02000008", "type": "u32"}}]}
    with MgbaSocket(base_url) as game:
        game.call("lease.take", {"limitMs": 10000})
        count, began = 0, time.perf_counter()
        while time.perf_counter() - began < float(seconds):
            game.call("lease.step", step)
            count += 1
        print(f"{count / (time.perf_counter() - began):.0f} steps a second")


if __name__ == "__main__":
    main(*sys.argv[1:])
