"""Faults of the machine: a full disk, little memory, and a gateway that is killed while it writes.

CHAOS_KILLS is how often the gateway is killed (5 unless given), CHAOS_SEED chooses when.
"""

import hashlib
import http.client
import os
import pathlib
import random
import socket
import subprocess
import threading
import time

import gateway as gateways
import pytest
from caller import Caller
from checks import until
from gateway import Gateway
from history import NOT_RUN, MAY_HAVE_RUN
from mgba_wire import TIME_LIMIT, Failure

KILLS = int(os.environ.get("CHAOS_KILLS", "5"))
SEED = int(os.environ.get("CHAOS_SEED", "1"))
DISK = 4_000_000  # bytes
HEAP = 0x10000000  # bytes: 256 MiB
FILES, CONNECTIONS = 700, 900
WITH_FEW_FILES = """#!/bin/sh
exec prlimit --nofile=$FILES:$FILES "$PROGRAM" "$@"
"""
ON_SMALL_DISK = """#!/bin/sh
# runs the gateway with a file system of its own, as small as DISK, as its data folder
for argument; do
  case $argument in --Bridge:Owned:DataFolder=*) folder=${argument#*=} ;; esac
done
mkdir -p "$folder"
[ "$(id -u)" = 0 ] || map=--map-root-user
exec unshare --mount $map sh -c 'mount -t tmpfs -o size=$DISK none "$0" && exec "$@"' "$folder" "$PROGRAM" "$@"
"""


def name_of(problem):
    return problem["type"].rsplit(":", 1)[-1]


def names_of_states(caller):
    return [state["name"] for state in caller.ok("GET", "/v2/states")["states"]]


def check_states(caller):
    """Each state that is listed has the bytes that its hash says. Returns the hashes by name."""
    hashes = {}
    for state in caller.ok("GET", "/v2/states")["states"]:
        status, data = caller.send("GET", f"/v2/states/{state['name']}")
        if status == 404 and state["kind"] == "automatic" and state["name"] not in names_of_states(caller):
            continue  # a newer one has taken its place meanwhile
        if status != 200:
            raise Failure(f"the state {state['name']} was listed, and then answered {status} {str(data)[:300]}")
        if hashlib.sha256(data).hexdigest() != state["sha256"] or len(data) != state["bytes"]:
            raise Failure(f"the state {state['name']} is damaged")
        hashes[state["name"]] = state["sha256"]
    return hashes


@pytest.fixture
def start_gateway():
    """Starts gateways that have an emulator of their own; at the end, nothing unhandled is in their logs."""
    started = []

    def start(*settings):
        started.append(Gateway("Owned:Roms:0=:test:", "Owned:StateEvery=00:00:01", *settings))
        caller = Caller(started[-1].url)
        caller.until_ok("GET", "/v2/game")
        return started[-1], caller

    yield start
    for one in started:
        unhandled = one.unhandled()
        one.end()
        assert not unhandled, unhandled[0]


@pytest.fixture
def on_small_disk(tmp_path, monkeypatch):
    """Gateways have a small data folder. Returns the folder of one, as it sees it."""
    wrapper = tmp_path / "mgba-bridge"
    wrapper.write_text(ON_SMALL_DISK, encoding="utf-8")
    wrapper.chmod(0o755)
    if subprocess.run(["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"]), "true"], check=False).returncode:
        pytest.skip("this user cannot make a file system of its own (unshare --mount)")
    monkeypatch.setenv("PROGRAM", gateways.program())
    monkeypatch.setenv("DISK", str(DISK))
    monkeypatch.setenv("GATEWAY_PROGRAM", str(wrapper))
    return lambda gateway: pathlib.Path(f"/proc/{gateway.process.pid}/root{gateway.data.name}/data")


def test_full_disk(on_small_disk, start_gateway):
    """On a full disk no state is saved, those that were saved stay, and the game continues"""
    gateway, caller = start_gateway()
    saved = caller.ok("POST", "/v2/states", {"name": "first"})
    filler = on_small_disk(gateway) / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(65536))
    # automatic states may still have made room for one
    deadline = time.monotonic() + TIME_LIMIT
    while (answer := caller.send("POST", "/v2/states", {"name": "second", "replace": True}))[0] == 200:
        assert time.monotonic() < deadline
    assert answer[0] == 507 and name_of(answer[1]) == "store-failed", answer
    assert check_states(caller)["first"] == saved["sha256"]
    caller.ok("POST", "/v2/states/first/load")
    caller.ok("POST", "/v2/wait", {"frames": 150})  # automatic states fail meanwhile
    os.kill(caller.ok("GET", "/v2/status")["process"]["pid"], 9)
    caller.until_ok("POST", "/v2/wait", {"frames": 10})
    filler.unlink()
    caller.ok("POST", "/v2/states", {"name": "third"})
    assert check_states(caller)["first"] == saved["sha256"]


def save_until_it_ends(gateway, number, ending, sent):
    """Replaces states of a few names again and again; keeps what was answered."""
    caller, count = Caller(gateway.url), 0
    try:
        while not ending.is_set():
            count += 1
            name = f"state-{number}-{count % 3}"
            answer = caller.ok("POST", "/v2/states", {"name": name, "replace": True})
            sent[name] = answer["sha256"]
    except (OSError, http.client.HTTPException):
        pass  # it was killed


@pytest.mark.long
def test_killed_while_writing(start_gateway):
    """A gateway that is killed while it saves states has every state that it reported, whole"""
    gateway, caller = start_gateway()
    kept = caller.ok("POST", "/v2/states", {"name": "kept"})["sha256"]
    chance, sent = random.Random(SEED), {}
    for _ in range(KILLS):
        ending = threading.Event()
        threads = [threading.Thread(target=save_until_it_ends, args=(gateway, number, ending, sent)) for number in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(chance.uniform(0.05, 0.8))
        gateway.kill()
        ending.set()
        for thread in threads:
            thread.join()
        gateway.start()
        caller = Caller(gateway.url)
        caller.until_ok("GET", "/v2/game")
        hashes = check_states(caller)
        assert hashes["kept"] == kept
        assert not set(sent) - set(hashes), f"reported as saved, and gone: {set(sent) - set(hashes)}"
        left = [path.name for path in pathlib.Path(gateway.data.name, "data").rglob("*") if path.suffix in (".tmp", ".damaged")]
        assert not left, left


def test_few_descriptors(tmp_path, start_gateway, monkeypatch):
    """A client that opens more connections than the gateway has descriptors for does not end it"""
    wrapper = tmp_path / "mgba-bridge"
    wrapper.write_text(WITH_FEW_FILES, encoding="utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PROGRAM", gateways.program())
    monkeypatch.setenv("FILES", str(FILES))
    monkeypatch.setenv("GATEWAY_PROGRAM", str(wrapper))
    gateway, caller = start_gateway()
    host, port = gateway.url.removeprefix("http://").split(":")
    idle = [socket.create_connection((host, int(port)), timeout=TIME_LIMIT) for _ in range(CONNECTIONS)]
    for sock in idle[-50:]:
        try:
            assert sock.recv(1) == b""  # it was closed
        except ConnectionResetError:
            pass
    until(lambda: gateway.descriptors() < FILES - 100, "descriptors are left")
    check_states(caller)
    caller.ok("POST", "/v2/states", {"name": "meanwhile"})
    for sock in idle:
        sock.close()
    deadline = time.monotonic() + TIME_LIMIT
    while True:
        try:
            Caller(gateway.url).ok("GET", "/v2/game")
            return
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < deadline


@pytest.mark.long
def test_little_memory(start_gateway, monkeypatch):
    """With a heap of 256 MiB large requests are answered as documented, and the gateway lives"""
    monkeypatch.setenv("DOTNET_GCHeapHardLimit", f"{HEAP:X}")
    gateway, caller = start_gateway()
    state, wrong = caller.ok("GET", "/v2/state"), []

    def send(number):
        own, chance = Caller(gateway.url), random.Random(number)
        for _ in range(8):
            method, path, body = chance.choice((
                ("PUT", "/v2/state", bytes(4_000_000)), ("PUT", "/v2/state", state), ("PUT", "/v2/symbols", b"00:0150 Start\n" * 250_000), ("GET", "/v2/state", None),
                ("GET", "/v2/memory/wram:0x0?length=262144", None), ("POST", "/v2/searches", {"type": "u8", "alignment": 1, "domains": ["wram"]}), ("POST", "/v2/replay", bytes(4_000_000))))
            try:
                status, content = own.send(method, path, body)
            except (OSError, http.client.HTTPException) as problem:
                wrong.append(f"{method} {path}: {problem!r}")
                return
            if status >= 500 and (not isinstance(content, dict) or name_of(content) not in NOT_RUN | MAY_HAVE_RUN | {"memory-full"}):
                wrong.append(f"{method} {path}: {status} {str(content)[:300]}")

    threads = [threading.Thread(target=send, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gateway.process.poll() is None
    assert not wrong, f"{len(wrong)}: {wrong[0]}"
    caller.until_ok("GET", "/v2/game")
