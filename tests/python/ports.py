"""Ports of this machine."""

import random
import socket

from mgba_wire import Failure


def free_port():
    """A port that neither TCP nor UDP uses, outside the range from which the system takes ports for clients."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first = int(file.read().split()[0])
    for port in random.sample(range(10000, first), 1000):  # others look for one at the same time
        with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Failure("no port is free")


def listening(table="/proc/net/tcp"):
    """The address as the kernel writes it, the port and the inode of each socket in the table that listens."""
    with open(table, encoding="ascii") as lines:
        rows = [line.split() for line in list(lines)[1:]]
    return [(address, int(port, 16), row[9]) for row in rows if row[3] == "0A" for address, port in [row[1].split(":")]]


def is_listening(port):
    """Whether a program listens on a port."""
    return any(port == used for _, used, _ in listening())
