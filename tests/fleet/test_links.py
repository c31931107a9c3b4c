"""A gateway and a host on two machines: sessions are reached through TLS, and nothing else of the host is open."""

import os
import re
import socket

import pytest

from machines import NotPermitted
from two_machines import Stage


@pytest.fixture
def stage():
    try:
        stage = Stage()
    except NotPermitted as missing:
        pytest.skip(str(missing))
    yield stage
    stage.end()


def listening(pid):
    """Addresses at which a machine listens, as a process there sees it."""
    found = []
    for name in ("tcp", "tcp6"):
        for line in open(f"/proc/{pid}/net/{name}", encoding="ascii").read().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A":
                address, port = words[1].split(":")
                found.append((address, int(port, 16)))
    return found


def test_session_on_another_machine(stage):
    """A session on another machine is read and played through a link; its host shows only the port of the links to other machines"""
    fleet = stage.fleet()
    fleet.start_session("far")
    for number in range(3):
        status, answer = fleet.request("/i/far/v2/keys/tap", {"keys": ["A"], "frames": 1})
        assert status == 200, (number, answer)

    open_to_others = [(address, port) for address, port in listening(fleet.node.process.pid) if not re.fullmatch("(0100007F|0{24}01000000|0{16}FFFF00000100007F)", address)]
    with stage.machines.inside(0):
        for _, port in open_to_others:
            with socket.create_connection((stage.machines.ADDRESSES[1], port), 5) as stranger:
                stranger.settimeout(10)
                stranger.sendall(b"#1 hello 2<|END|>" + os.urandom(4_000))
                try:
                    received = stranger.recv(1000)
                except ConnectionResetError:
                    received = b""
                assert len(received) <= 7, received  # at most an alert of TLS
    assert len(open_to_others) == 1, open_to_others
