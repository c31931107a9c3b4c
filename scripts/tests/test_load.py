"""The load commands: invalid settings are reported with a message, and an interrupted run writes its report."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

import processes
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
    pytest.param(["designs"], {"DESIGNS": "pool tree"}, 'unknown design "tree"; the designs are shared fresh pool retry gateway', id="unknown design"),
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
    try:
        pause(instance, True)
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


LAB = ["threads", "threads-lock", "select", "epoll", "async", "listeners", "acceptors", "udp-client", "udp-pinned"]


def bench(part, folder, *prefix, **settings):
    """Runs scripts/bench-PART; its exit code, what it said, and its report."""
    command = [*prefix, ROOT / f"scripts/bench-{part}"]
    done = subprocess.run(command, env={**os.environ, "RESULTS": str(folder), **settings}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    report = folder / f"{part}.md"
    return done.returncode, done.stdout + done.stderr, report.read_text(encoding="utf-8") if report.exists() else ""


def test_lab_measures_each_server(tmp_path):
    """In its shortest form. It fails by itself when an echo is wrong, when the pinned buffer allocates, or when a port that is handed over loses a connection."""
    code, said, report = bench("lab", tmp_path, LAB_SECONDS="0.2", SOCKETS="8", IDLE="20")
    assert code == 0, said
    assert [name for name in LAB if f"| {name} |" not in report] == [], report
    assert (tmp_path / "lab-rate.svg").read_text(encoding="utf-8").count("<polyline") == 5


def test_lab_leaves_out_what_needs_more_files(tmp_path):
    code, said, report = bench("lab", tmp_path, "prlimit", "--nofile=256:256", LAB_SECONDS="0.1", SOCKETS="8,512", IDLE="20")
    assert code == 0 and "Left out: 512 connections, which need more files than this process may open (256)" in report, said


def test_each_design_answers(load, tmp_path):
    run = load("designs", DESIGN_RATES="20", DURATION="2", DESIGN_RATE="10", RESTART_SECONDS="10")
    assert run.wait(600) == 0, run.text()
    for name in ("shared", "fresh", "pool", "retry", "gateway"):
        figures = json.loads((tmp_path / f"results/designs/ladder-{name}.json").read_text(encoding="utf-8"))
        assert figures["rows"][0]["success"] == 1 and figures["socketsOpened"] > 0, figures
        restarted = json.loads((tmp_path / f"results/designs/restart-{name}.json").read_text(encoding="utf-8"))
        assert restarted["rows"][0]["success"] < 1, restarted
        if name != "pool":  # whose broken sockets stay, but two requests at once after the restart open a new one
            assert restarted["answersAgain"] is (name != "shared"), restarted
    assert (tmp_path / "results/designs.svg").stat().st_size


def test_interrupted_designs_leave_no_process(load, tmp_path):
    run = load("designs", DESIGNS="pool", DESIGN_RATES="10", DURATION="60")
    until(lambda: run.poll() is not None or "== ladder-pool" in run.text() and len(processes.children(run.pid)) >= 3, "emulator, design and k6 run", 300)
    started = processes.descendants(run.pid)
    run.send_signal(signal.SIGINT)
    assert run.wait(LIMIT) == 130, run.text()
    until(lambda: all(map(processes.has_ended, started)), "its programs have ended")


def test_many_emulators_are_measured(tmp_path):
    code, said, report = bench("many", tmp_path, EMULATORS="2", SECONDS_EACH="1")
    assert code == 0 and "| 2 | " in report, said
    code, said, _ = bench("many", tmp_path, EMULATORS="0")
    assert code == 1 and 'EMULATORS must be numbers from 1 to 500, not "0"' in said
