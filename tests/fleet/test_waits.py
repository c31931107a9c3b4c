"""Callers who prefer to wait (`Prefer: wait`) while the host of their session is lost, frozen or stopped, or the database is away: they are answered when the session can be reached."""

import random
import signal
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

import processes
from checks import until
from fleet import CELL, LEASE, get, problem, request
from gateway import PATIENT
from rom import BLOCK
from two_machines import Hosts, Node, make_certificates

SETTINGS = [f"Fleet:LeaseTime=00:00:{LEASE:02}", "Owned:StateEvery=00:00:01", "Discover=false", *PATIENT]
PRESSES = f"/v2/memory/{BLOCK + 0x20:#x}/u32"  # of the key A, counted by the test game
WAIT = {"Prefer": "wait=60"}
WORDS = 8


@pytest.fixture(scope="module", params=["direct", "encrypted"])
def hosts(request):
    with tempfile.TemporaryDirectory(prefix="mgba-bridge-certificates-") as folder:
        links = ["Fleet:ListenAddress=127.0.0.1", "Fleet:AdvertisedAddress=127.0.0.1", *make_certificates(folder)] if request.param == "encrypted" else []
        hosts = Hosts([*SETTINGS, *links], [Node, Node])
        yield hosts
        hosts.end()


@pytest.fixture
def session(hosts):
    """A session that runs and has a stored state, and the host that runs it. Afterwards there are two hosts again."""
    name = start_session(hosts)
    node = host_of(hosts, name)
    yield name, node
    node.process.send_signal(signal.SIGCONT)
    node.end()
    hosts.nodes.remove(node)
    assert request(hosts.gateway, f"/v2/fleet/sessions/{name}", method="DELETE")[0] == 200
    hosts.add()


def start_session(hosts):
    status, answer, _ = request(hosts.gateway, "/v2/fleet/sessions", {"rom": ":test:"})
    assert status == 200, answer
    [session] = answer["ids"]
    get(hosts.gateway, f"/i/{session}/v2/game", headers=WAIT, timeout=90)
    until(lambda: hosts.database.query(f"select 1 from mgba_fleet.states where session = '{session}'"), "a state is stored")
    return session


def host_of(hosts, session):
    [[host]] = hosts.database.query(f"select host from mgba_fleet.sessions where id = '{session}'")
    return next(node for node in hosts.nodes if host in node.log.read_text(errors="replace"))


def call(hosts, session, path, body=None, method=None, headers=WAIT):
    return request(hosts.gateway, f"/i/{session}{path}", body, method, headers, timeout=90)


def test_killed_host(hosts, session):
    """A host is killed: requests sent at once with `Prefer: wait` are answered by the next one, each effect once; those without are refused as before"""
    session, node = session
    before = get(hosts.gateway, f"/i/{session}/v2/game")["epoch"]
    emulators = processes.children(node.process.pid)
    node.process.kill()
    until(lambda: all(map(processes.has_ended, emulators)), "its emulator has ended")
    killed = time.monotonic()
    with ThreadPoolExecutor(32) as pool:
        reads = [pool.submit(call, hosts, session, path) for path in ("/v2/game", f"/v2/memory/{CELL}/u32", "/v2/video/palettes", "/v2/checksum/sha1")]
        until(lambda: problem(call(hosts, session, "/v2/game", headers={})[1]) == "connect-failed", "the connection is known to be lost")
        status, answer, headers = call(hosts, session, f"/v2/memory/{CELL}/u32", {"value": 1}, "PUT", {})
        assert (status, problem(answer), headers["Retry-After"], answer.get("mayHaveRun")) == (503, "connect-failed", "1", None), answer
        effects = [pool.submit(call, hosts, session, f"/v2/memory/{int(CELL, 0) + 4 * word:#x}/u32", {"value": 100 + word}, "PUT") for word in range(WORDS)]
        effects += [pool.submit(call, hosts, session, "/v2/keys/tap", {"keys": ["A"], "frames": 2})]
        effects += [pool.submit(call, hosts, session, "/v2/batch", {"items": [{"write": {"location": hex(int(CELL, 0) + 4 * WORDS), "type": "u32", "value": 200}}]})]
        key = {**WAIT, "Idempotency-Key": "once"}
        effects += [pool.submit(call, hosts, session, "/v2/keys/tap", {"keys": ["B"], "frames": 1}, None, key) for _ in range(3)]
        status, answer, headers = call(hosts, session, "/v2/game", headers={"Prefer": "wait=1"})
        assert (status, problem(answer), headers["Preference-Applied"]) == (503, "connect-failed", "wait=1"), answer
        for status, answer, headers in [each.result() for each in [*reads, *effects]]:
            assert status == 200 and headers["Mgba-Epoch"] != before, answer
    print(f"{len(reads) + len(effects)} requests answered {time.monotonic() - killed:.1f} s after the host was killed (lease {LEASE} s)")
    assert [call(hosts, session, f"/v2/memory/{int(CELL, 0) + 4 * word:#x}/u32")[1]["value"] for word in range(WORDS + 1)] == [*range(100, 100 + WORDS), 200]
    assert call(hosts, session, "/v2/wait", {"frames": 60})[0] == 200  # the answer to a tap comes when it is queued
    assert call(hosts, session, PRESSES)[1]["value"] == 1


@pytest.mark.parametrize("leased", [False, True], ids=["running", "leased"])
def test_save_that_was_sent(hosts, session, leased):
    """A save that was sent and answered is there after its host was killed, also one of a game that is stepped"""
    session, node = session
    holder = {**WAIT, "Mgba-Holder": "learner"}
    if leased:
        status, answer, _ = call(hosts, session, "/v2/lease", {"limitMs": 10_000}, None, holder)
        assert status == 200, answer
    save, path = random.Random(leased).randbytes(32_768), f"{hosts.gateway.url}/i/{session}/v2/save"
    sent = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(path, save, {**holder, "Content-Type": "application/octet-stream"}, method="PUT"), timeout=90) as response:
        assert response.status == 200
    node.process.kill()
    print(f"answered after {time.monotonic() - sent:.1f} s")
    until(lambda: call(hosts, session, "/v2/game", headers={})[0] != 200, "the host is lost")
    with urllib.request.urlopen(urllib.request.Request(path, headers=WAIT), timeout=90) as response:
        assert response.read() == save


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM], ids=["killed", "frozen", "stopped"])
def test_player_who_waits(hosts, session, end):
    """A player who prefers to wait is refused nothing while the session moves, except effects that may have run"""
    session, node = session
    before, value, unknown = get(hosts.gateway, f"/i/{session}/v2/game")["epoch"], 0, []
    ended, epochs = time.monotonic(), {before}
    while len(epochs) == 1:
        value += 1
        if value == 10:
            node.process.send_signal(end)
            ended = time.monotonic()
        status, answer, _ = call(hosts, session, f"/v2/memory/{CELL}/u32", {"value": value}, "PUT")
        if status == 200:
            epochs.add(answer["epoch"])
        else:
            assert answer.get("mayHaveRun"), answer
            unknown.append(problem(answer))
        status, answer, headers = call(hosts, session, f"/v2/memory/{CELL}/u32")
        assert status == 200 and answer["value"] <= value, answer
        epochs.add(headers["Mgba-Epoch"])
        assert time.monotonic() < ended + 90
        time.sleep(0.05)
    print(f"answered by the next host {time.monotonic() - ended:.1f} s after the signal, {value} writes, unknown {unknown} (lease {LEASE} s)")


def test_database_away(hosts, session):
    """An effect that is refused while the database is away runs, for a caller who prefers to wait, when the database is back; the session has not moved"""
    session, _ = session
    before = get(hosts.gateway, f"/i/{session}/v2/game")["epoch"]

    def is_refused():
        status, answer, _ = call(hosts, session, "/v2/keys/tap", {"keys": ["B"], "frames": 1}, headers={})
        return status != 200 and problem(answer) == "lease-expired"

    with ThreadPoolExecutor() as pool:
        hosts.database.stop()
        try:
            until(is_refused, "effects are refused")
            waiting = pool.submit(call, hosts, session, f"/v2/memory/{CELL}/u32", {"value": 1}, "PUT")
            assert call(hosts, session, "/v2/game")[1]["epoch"] == before
        finally:
            hosts.database.start()
        status, answer, _ = waiting.result()
    assert (status, answer["epoch"]) == (200, before), answer
