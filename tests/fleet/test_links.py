"""A gateway and a host on two machines: sessions are reached through TLS, and nothing else of the host is open."""

import os
import re
import socket

import pytest

from machines import NotPermitted
from mgba_wire import TIME_LIMIT
from ports import listening
from two_machines import Stage


@pytest.fixture
def stage():
    try:
        stage = Stage()
    except NotPermitted as missing:
        pytest.skip(str(missing))
    yield stage
    stage.end()


def test_session_on_another_machine(stage):
    """A session on another machine is read and played through a link; its host shows only the port of the links to other machines"""
    fleet = stage.fleet()
    fleet.start_session("far")
    for number in range(3):
        status, answer = fleet.request("/i/far/v2/keys/tap", {"keys": ["A"], "frames": 1})
        assert status == 200, (number, answer)

    tables = [f"/proc/{fleet.node.process.pid}/net/{name}" for name in ("tcp", "tcp6")]  # as a process there sees them
    open_to_others = [(address, port) for table in tables for address, port, _ in listening(table) if not re.fullmatch("(0100007F|0{24}01000000|0{16}FFFF00000100007F)", address)]
    with stage.machines.inside(0):
        for _, port in open_to_others:
            with socket.create_connection((stage.machines.ADDRESSES[1], port), TIME_LIMIT) as client:
                client.sendall(b"#1 hello 3<|END|>" + os.urandom(4_000))
                try:
                    received = client.recv(1000)
                except ConnectionResetError:
                    received = b""
                assert len(received) <= 7, received  # at most an alert of TLS
    assert len(open_to_others) == 1, open_to_others
