"""Clients of the gateway's servers for other emulators' protocols (docs/doors.md)."""

import socket
import struct

from checks import until
from mgba_wire import TIME_LIMIT

PORTS = 5  # that a server tries


class RetroArchClient:
    """A client of RetroArch's Network Control Interface."""

    def __init__(self, port):
        self.socket, self.asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
        self.socket.connect(("127.0.0.1", port))
        self.socket.settimeout(1)
        until(self._is_served, "RetroArch's interface answers")
        self.socket.settimeout(TIME_LIMIT)

    def _is_served(self):
        try:
            return bool(self.ask("VERSION"))
        except OSError:
            return False

    def send(self, datagram):
        self.socket.send(datagram if isinstance(datagram, bytes) else datagram.encode("latin-1"))

    def ask(self, datagram):
        """The answers to a datagram: those before the answer to a question that is sent after it."""
        self.asked += 1
        last, answers = f"GET_CONFIG_PARAM question{self.asked} unsupported".encode(), []
        self.send(datagram)
        self.send(f"GET_CONFIG_PARAM question{self.asked}\n")
        while (answer := self.socket.recv(65536)) != last:
            answers.append(answer)
        return answers

    def read(self, address, count):
        (answer,) = self.ask(f"READ_CORE_MEMORY {address:x} {count}")
        return bytes.fromhex(answer.split(b" ", 2)[2].decode())

    def write(self, address, *values):
        return self.ask(f"WRITE_CORE_MEMORY {address:x} " + " ".join(f"{value:x}" for value in values))


class BizHawkClient:
    """A client as Archipelago's: it tries five ports in turn until one answers VERSION, and sends a line for each answer."""

    def __init__(self, port):
        self.ports, self.socket, self.lines = range(port, port + PORTS), None, None
        until(lambda: any(self.connect(one) for one in self.ports), "one of the BizHawk server's ports answers", pause=0.001)

    def connect(self, port):
        """Whether the server at this port takes this client."""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), TIME_LIMIT)
        except ConnectionRefusedError:
            return False
        self.lines = self.socket.makefile("rb")
        return self.ask(b"VERSION") == b"1\n" or self.leave()

    def ask(self, line):
        """The answer; None when the connection has ended."""
        try:
            self.socket.sendall(line + b"\n")
            return self.lines.readline() or None
        except ConnectionError:
            return None

    def leave(self, is_reset=False):
        if is_reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.lines.close()
        self.socket.close()
