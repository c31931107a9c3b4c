"""The wheel: its content, and what README.md and docs/learning.md show."""

import pathlib
import re
import subprocess
import zipfile

import pytest

from code_blocks import code_blocks

ROOT = pathlib.Path(__file__).resolve().parents[3]
README = ROOT / "clients/python/README.md"
LEARNING = ROOT / "docs/learning.md"
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()


def test_operations_are_those_of_the_openapi_document():
    done = subprocess.run([ROOT / "scripts/lib/python_client.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_wheel_is_complete(wheel):
    sources = {f"mgba_bridge/{path.name}" for path in (ROOT / "clients/python/mgba_bridge").iterdir() if path.is_file()}
    with zipfile.ZipFile(wheel) as content:
        names = set(content.namelist())
        (metadata,) = (content.read(name).decode() for name in names if name.endswith("/METADATA"))
        everything = b"".join(content.read(name) for name in names)
    assert wheel.name == f"mgba_bridge-{VERSION}-py3-none-any.whl"
    assert {name for name in names if name.startswith("mgba_bridge/")} == sources
    assert "mgba_bridge/py.typed" in names and any(name.endswith("LICENSE") for name in names)
    assert f"\nVersion: {VERSION}\n" in metadata and re.findall("^Requires-Dist: (.*)$", metadata, re.M) == ["numpy (>=1.22)", "gymnasium (>=1.0) ; extra == 'gymnasium'"]
    assert bytes(ROOT) not in everything, "a path of this machine"


@pytest.mark.parametrize("program", code_blocks(README, "python") + code_blocks(LEARNING, "python"), ids=["five lines", "asyncio", "environment", "environments", "learning", "receiving"])
def test_example_runs(program, python, gateway):
    environment = {"MGBA_BRIDGE_URL": gateway.url, "PATH": ""}
    done = subprocess.run([python, "-I", "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "screen()" not in program or done.stdout.strip() == "(160, 240, 3)"


def test_importing_it_imports_nothing_slow(python):
    said = subprocess.run([python, "-I", "-c", "import sys, mgba_bridge; print([name for name in ('numpy', 'asyncio', 'gymnasium', 'ssl', 'subprocess') if name in sys.modules])"], capture_output=True, text=True)
    assert said.stdout.strip() == "[]", said.stdout + said.stderr
