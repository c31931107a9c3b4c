"""TCP ports of this machine."""

import random
import socket

from mgba_wire import Failure


def free_port():
    """A port outside the range from which the system takes ports for clients."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first = int(file.read().split()[0])
    for port in random.sample(range(10000, first), 1000):  # others look for one at the same time
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise Failure("no port is free")


def listening():
    """The port and the inode of each socket that listens, IPv4 only."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [row.split() for row in list(table)[1:]]
    return [(int(row[1].split(":")[1], 16), row[9]) for row in rows if row[3] == "0A"]


def is_listening(port):
    """Whether a program listens on a port."""
    return any(port == used for used, _ in listening())
