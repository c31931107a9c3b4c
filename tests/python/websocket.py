"""A WebSocket client."""

import base64
import os
import socket
import struct
import time

from mgba_wire import TIME_LIMIT, Failure


class TooMany(Failure):
    """As many WebSockets are open as one caller may have: each that a client left ends soon, but not at once."""


class WebSocket:
    """A client with as few rules as possible: it sends any frame."""

    def __init__(self, host, path="/v2/ws", token=None):
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=TIME_LIMIT)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{f'Authorization: Bearer {token}{chr(13)}{chr(10)}' if token else ''}\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = head.split(b"\r\n")[0]
        if b" 429 " in status:
            raise TooMany(f"the upgrade was answered {head[:200]!r}")
        if b" 101 " not in status:
            raise Failure(f"the upgrade was answered {head[:200]!r}")

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError
        self.buffer += data

    def send(self, data, opcode=1, first=0x80, length=None):
        size = len(data) if length is None else length
        head = bytes([first | opcode]) + (bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size) if size < 65536 else bytes([0xFF]) + struct.pack(">Q", size))
        self.socket.sendall(head + b"\0\0\0\0" + data)

    def next(self, deadline):
        """The next frame until then: opcode and content."""
        while True:
            if len(self.buffer) >= 2:
                size, start = self.buffer[1] & 0x7F, 2
                if size == 126 and len(self.buffer) >= 4:
                    size, start = struct.unpack(">H", self.buffer[2:4])[0], 4
                elif size == 127 and len(self.buffer) >= 10:
                    size, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
                if (start > 2 or size < 126) and len(self.buffer) >= start + size:
                    frame = self.buffer[0] & 15, self.buffer[start : start + size]
                    self.buffer = self.buffer[start + size :]
                    return frame
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            self.more()
