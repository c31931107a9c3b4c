"""Clients of the gateway's servers for other emulators' protocols (docs/doors.md)."""

import socket

from checks import until
from mgba_wire import PATIENCE


def free_udp_port():
    """A port of which the next four exist, too."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return min(probe.getsockname()[1], 65531)


class RetroArchClient:
    """A client of RetroArch's Network Control Interface."""

    def __init__(self, port):
        self.socket, self.asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
        self.socket.connect(("127.0.0.1", port))
        self.socket.settimeout(1)
        until(self._is_served, "RetroArch's interface answers")
        self.socket.settimeout(PATIENCE)

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
