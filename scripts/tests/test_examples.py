"""Each of docs/examples plays its game against an emulator and a gateway of its own."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from gateway import Gateway

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
LAST_LINE = re.compile(r"Five presses took the score from \d+ to \d+, and the state took it back\.")
LIMIT = 300  # seconds; npm and dotnet fetch packages


@pytest.fixture
def run(instance):
    def run(*command, base_url=instance.base_url, cwd=ROOT):
        environment = {**os.environ, "BASE_URL": base_url, "OPENAPI": str(ROOT / "docs/openapi.json"), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)

    return run


def plays(done):
    assert done.returncode == 0 and LAST_LINE.fullmatch(done.stdout.splitlines()[-1]), done.stdout


@pytest.mark.parametrize("command", [[EXAMPLES / "bot.sh"], ["python3", EXAMPLES / "bot.py"], ["dotnet", "run", EXAMPLES / "bot.cs"]], ids=["curl", "Python", "C#"])
def test_example_plays_the_test_game(run, command):
    plays(run(*command))


def test_typescript_plays_the_test_game(run, tmp_path):
    copy = shutil.copytree(EXAMPLES / "typescript", tmp_path / "typescript")  # so that nothing is installed into the source folder
    installed = run("npm", "ci", "--no-progress", cwd=copy)
    assert installed.returncode == 0, f"npm could not download the packages of package-lock.json; check that a registry is configured and reachable\n{installed.stdout}"
    plays(run("npm", "start", cwd=copy))


def test_failure_is_one_sentence(run, instance):
    done = run("python3", EXAMPLES / "bot.py", base_url=instance.base_url + "/i/nobody")
    assert done.returncode == 1 and re.fullmatch(r".*No emulator has the id nobody.*\n", done.stdout), done.stdout


def test_python_package_collects_the_coins_of_the_demo_game():
    gateway = Gateway("Owned:Roms:0=:demo:", "Owned:Fps=0")
    try:
        environment = {**os.environ, "MGBA_BRIDGE_URL": gateway.url, "PYTHONPATH": str(ROOT / "clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, EXAMPLES / "coins.py"], env=environment, capture_output=True, text=True, timeout=LIMIT)
    finally:
        gateway.end()
    assert done.stdout == "6 coins, milestone 5\n", done.stderr
