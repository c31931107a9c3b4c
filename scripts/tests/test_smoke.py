"""A short load test on the real emulator: correct responses to every kind of request, and to each of the quick ladder; and the script compared with the
baseline. No time decides: the pace that the ladder measures is printed."""

import json
import os
import pathlib
import socket
import subprocess
import time

from headless import SCRIPT
from mgba_wire import END
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIN_RATIO = 50  # requests a second of one client, compared with the baseline's one per frame; above 300 on an idle machine
LIMIT = 300  # seconds


def k6(*question, base_url, **settings):
    environment = {**os.environ, "BASE_URL": base_url, **settings}
    return subprocess.run([ROOT / "scripts/load", *question], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)


def test_every_kind_of_request_gets_the_correct_answer(instance):
    done = k6("smoke", base_url=instance.base_url)
    assert done.returncode == 0, done.stdout


def test_each_request_of_the_quick_ladder_is_answered(instance, tmp_path):
    done = k6("ladder", base_url=instance.base_url, QUICK="1", MESSAGE_BYTES="36", RESULTS=str(tmp_path))
    gates = json.loads((tmp_path / "ladder-36.json").read_text(encoding="utf-8"))["gates"]
    print(*(line for line in done.stdout.splitlines() if line.startswith("|")), sep="\n")
    assert gates and not [gate for gate in gates if not gate["ok"] and gate["metric"] != "pace_kept"], done.stdout


def answers_a_second(port, seconds=3):
    """Of one client that sends its next request when it has the answer."""
    count, end = 0, time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", port)) as connection:
        while time.monotonic() < end:
            connection.sendall(b"core.currentFrame" + END)
            received = b""
            while not received.endswith(END):
                received += connection.recv(4096)
            count += 1
    return count / seconds


def test_one_client_gets_far_more_answers_than_from_the_baseline(start_emulator):
    rates = []
    for script in (ROOT / "loadtest/baseline.lua", SCRIPT):
        emulator = start_emulator(script=script, environment={"MGBA_BRIDGE_PORT": str(free_port())})
        rates.append(answers_a_second(emulator.port))
    print(f"the baseline script answers {rates[0]:.0f} times a second, ours {rates[1]:.0f} times")
    assert rates[1] / rates[0] >= MIN_RATIO
