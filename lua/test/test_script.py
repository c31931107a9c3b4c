"""The script without mGBA: static checks, and the unit suites in lua/test/suites with a fake mGBA."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = sorted((ROOT / "lua/test/suites").glob("*.lua"))


def run(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


@pytest.mark.parametrize("command", [
    pytest.param(["luacheck", "-q", "lua"], id="luacheck finds nothing"),
    pytest.param(["luac5.4", "-p", "lua/types/mgba.lua"], id="the stubs parse"),
    pytest.param(["lua/command_table.py", "--check"], id="what is made from the command table is up to date (make lua), and docs/transcripts have every command"),
    pytest.param(["lua5.4", "lua/bundle.lua", "--check"], id="lua/mgba-bridge.lua is what lua/src gives (make lua)"),
])
def test_check(command):
    done = run(*command)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("suite", [path.stem for path in SUITES])
def test_unit_suite(suite, record_property):
    done = run("lua5.4", "lua/test/run.lua", suite)
    counts = re.search(r"^unit: (\d+) passed, (\d+) failed, (\d+) skipped$", done.stdout, re.MULTILINE)
    for name, count in zip(("passed", "failed", "skipped"), counts.groups() if counts else ()):
        record_property(name, int(count))
    assert counts and done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ok "))
