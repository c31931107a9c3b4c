"""The examples of docs/examples and docs/agents.md play the demo game."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from code_blocks import code_blocks
from gateway import Gateway, emulator_program
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
LAMP_IS_LIT = "6 coins, milestone 5"
FRAMES = 1400  # that any of them plays at least
LIMIT = 300  # seconds; npm fetches packages


@pytest.fixture
def gateway():
    gateway = Gateway("Owned:Roms:0=:demo:", "Owned:Fps=240")
    yield gateway
    gateway.end()


@pytest.fixture
def play(gateway):
    """Runs a program, which finds the gateway, the emulator and the Python package. Returns what it prints."""

    def play(*command, cwd=ROOT, **environment):
        path = os.pathsep.join([str(pathlib.Path(gateway.program).parent), str(pathlib.Path(emulator_program()).parent), os.environ["PATH"]])
        settings = {"BASE_URL": gateway.url, "MGBA_BRIDGE_URL": gateway.url, "PYTHONPATH": str(ROOT / "clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
        return run(*command, cwd=cwd, timeout=LIMIT, **settings, **{"PATH": path, **environment})

    return play


@pytest.mark.parametrize("command", [[EXAMPLES / "coins.sh"], [sys.executable, EXAMPLES / "coins.py"]], ids=["curl", "Python"])
def test_example_collects_the_coins(play, command):
    assert play(*command) == f"{LAMP_IS_LIT}\n"


def test_typescript_collects_the_coins(play, tmp_path):
    copy = shutil.copytree(EXAMPLES / "typescript", tmp_path / "typescript")  # so that nothing is installed into the source folder
    play("npm", "ci", "--no-progress", cwd=copy)
    assert play("npm", "start", cwd=copy, OPENAPI=str(ROOT / "docs/openapi.json")).splitlines()[-1] == LAMP_IS_LIT


def test_failure_is_said(gateway):
    done = subprocess.run([EXAMPLES / "coins.sh"], env={**os.environ, "BASE_URL": f"{gateway.url}/i/nobody"}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 1 and "No emulator has the id nobody" in done.stderr, done.stderr


def test_clip_is_that_of_the_recording(play, tmp_path):
    assert "same: true" in play(EXAMPLES / "clip.sh", tmp_path / "coins.mp4")
    stream = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=nb_frames", "-of", "csv=p=0", tmp_path / "coins.mp4"]
    assert int(run(*stream)) >= FRAMES


def test_test_file_passes(play, tmp_path):
    assert play("mgba-bridge", "test", EXAMPLES / "coins.test.yaml", "--output", tmp_path) == "3 passed, 0 failed\n"


def test_session_of_an_agent_is_as_shown(gateway):
    lines = code_blocks(ROOT / "docs/agents.md", "text")[0].splitlines()
    calls = [{"name": (call := line.split(" ", 1))[0], "arguments": json.loads(call[1])} for line in lines[::2]]
    with subprocess.Popen([gateway.program, "mcp"], env={**os.environ, "MGBA_BRIDGE_URL": gateway.url}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:

        def ask(number, method, parameters):
            print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}), file=agent.stdin, flush=True)
            while (answer := json.loads(agent.stdout.readline())).get("id") != number:
                pass  # a notification
            return answer["result"]

        ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "example", "version": "1"}})
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=agent.stdin, flush=True)
        for number, (call, shown) in enumerate(zip(calls, lines[1::2], strict=True), 1):
            has(ask(number, "tools/call", call)["structuredContent"], json.loads(shown))
        agent.stdin.close()


def has(answer, shown):
    """The answer has what is shown of it."""
    for name, value in shown.items():
        if isinstance(value, dict):
            has(answer[name], value)
        else:
            assert answer[name] == value, name
