"""The load commands: invalid settings are reported with a message, and an interrupted run writes its report."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

from caller import Caller
from checks import until

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = {"BASE_URL": "http://127.0.0.1:9"}
LIMIT = 120  # seconds that anything may take on a busy machine


@pytest.fixture
def load(tmp_path):
    """Starts scripts/load with these settings; its output is in `out`."""
    (tmp_path / "results").mkdir()
    started = []

    def load(*arguments, script=ROOT / "scripts/load", **settings):
        environment = {**os.environ, "RESULTS": str(tmp_path / "results"), "MESSAGE_BYTES": "36", "RATES": "10", **settings}
        out = (tmp_path / f"out-{len(started)}").open("w+", encoding="utf-8")
        started.append(subprocess.Popen(["env", "--default-signal=INT", sys.executable, script, *arguments], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out))
        started[-1].text = lambda: pathlib.Path(out.name).read_text(encoding="utf-8")
        return started[-1]

    yield load
    for process in started:
        process.terminate()
        process.wait()


def refused(run, sentence):
    assert run.wait(LIMIT) == 1 and re.search(sentence, run.text()), run.text()


def test_missing_k6_is_explained(load, bare, tmp_path):
    for folder in ("scripts", "tests/python"):
        shutil.copytree(ROOT / folder, tmp_path / "tree" / folder)
    refused(load(script=tmp_path / "tree/scripts/load", PATH=bare["PATH"]), "k6 is missing; the load tests require it")


@pytest.mark.parametrize("arguments, settings, sentence", [
    pytest.param(["lader"], {}, 'unknown question "lader"; the questions are bot burst', id="unknown question"),
    pytest.param([], {"RESULTS": "/proc/nowhere"}, "cannot write the report to /proc/nowhere", id="results that cannot be written"),
    pytest.param(["ladder"], NOBODY, "nothing answers at http://127.0.0.1:9 ", id="no gateway"),
    pytest.param(["ladder"], {**NOBODY, "RATES": "0"}, 'RATES must be an integer from 1 to 10000, not "0"', id="a rate of 0"),
    pytest.param(["ladder"], {**NOBODY, "RATES": "1,1000000"}, 'RATES must be an integer from 1 to 10000, not "1000000"', id="a rate of a million"),
])
def test_wrong_setting_is_refused(load, arguments, settings, sentence):
    refused(load(*arguments, **settings), sentence)


def pause(instance, paused):
    Caller(instance.base_url).ok("PUT", "/v2/emulators/1/run", {"paused": paused})
    until(lambda: (Caller(instance.base_url).send("GET", "/readyz")[0] == 200) is not paused, "the gateway says so")


def test_paused_emulator_is_named(load, instance):
    pause(instance, True)
    try:
        refused(load("ladder", BASE_URL=instance.base_url), "is not ready: The game is paused")
    finally:
        pause(instance, False)


def echoes(instance):
    """How many the gateway has answered."""
    page = Caller(instance.base_url).send("GET", "/metrics")[1].decode()
    return sum(float(count) for count in re.findall(r"^http_server_request_duration_seconds_count\{.*mgbaendpoint.*\} (\S+)$", page, re.MULTILINE))


def test_interrupted_run_writes_its_report(load, instance, tmp_path):
    before = echoes(instance)
    run = load("ladder", BASE_URL=instance.base_url, RATES="10,20,20,20", DURATION="60")
    until(lambda: echoes(instance) > before or run.poll() is not None, "requests are answered")
    run.send_signal(signal.SIGINT)
    assert run.wait(LIMIT) == 130, run.text()
    assert '"ended": "early"' in (tmp_path / "results/ladder-36.json").read_text(encoding="utf-8")
    assert (tmp_path / "results/ladder-36.md").stat().st_size
