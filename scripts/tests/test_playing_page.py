"""Runs every example of docs/playing.md, and the Python examples of docs/examples/.

The commands of one section share a folder and their variables. The output of a command is compared with the page: JSON by fields and kinds, lines by
their fixed words; numbers, hashes and random names may differ.
"""

import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/playing.md"
LIMIT = 120  # seconds that anything may take on a busy machine


def sections(page):
    """Title and code blocks of each section."""
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        yield title, re.findall(r"^```(sh|python)\n(.*?)^```$", text, flags=re.M | re.S)


def commands(block):
    """Each command with the lines that the page shows below it."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown.rstrip("\n")


def alike(shown, found):
    """Whether two JSON values have the same fields and kinds. A list that is empty on one side says nothing of its items."""
    if isinstance(shown, dict) and isinstance(found, dict):
        return shown.keys() == found.keys() and all(alike(shown[key], found[key]) for key in shown)
    if isinstance(shown, list) and isinstance(found, list):
        return not shown or not found or alike(shown[0], found[0])
    return type(shown) is type(found)


def compare(shown, found):
    """What is wrong with an answer, or None."""
    try:
        expected, answer = json.loads(shown), json.loads(found)
    except ValueError:
        def plain(text):
            return [re.sub(r"[0-9a-f]{8}-?\d*|\d+", "#", line).split("{")[0] for line in text.strip().splitlines()]

        return None if plain(shown) == plain(found) else f"the page shows\n{shown}\nand the answer is\n{found}"
    if not alike(expected, answer):
        return f"the page shows {shown}\nand the answer is {found}"
    for key in ("same", "met", "ok", "released", "ended", "done", "of", "inputs"):
        if expected.get(key) != answer.get(key):
            return f"{key} is {expected.get(key)} on the page and {answer.get(key)} in the answer {found}"
    return None


def examples():
    """The parameters of a test for each command, and for each Python block."""
    for title, blocks in sections(PAGE.read_text()):
        for language, block in blocks:
            before = ""
            if language == "python":
                yield pytest.param(title, [sys.executable, "-c"], block, None, id=f"{title}: python")
                continue
            for command, shown in commands(block):
                quick = command.replace("curl ", "curl -sS -m 60 ")
                yield pytest.param(title, ["bash", "-c"], f"{before}\n{quick}", shown, id=f"{title}: {command[:100]}")
                # the variables that it set, for the commands after it
                assigned = re.match(r"(\w+=\$\([^;]*\));", command)
                before += f"\n{assigned.group(1)}" if assigned else ""


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory):
    """A folder for each section."""
    folders = {}
    return lambda title: folders.setdefault(title, tmp_path_factory.mktemp("section"))


@pytest.mark.parametrize("title, program, text, shown", examples())
def test_example(title, program, text, shown, instance, folder_of):
    """docs/playing.md"""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}/docs/examples:{ROOT}/clients/python", "PYTHONDONTWRITEBYTECODE": "1"}
    text = text.replace("http://127.0.0.1:5000", instance.base_url)
    done = subprocess.run([*program, text], cwd=folder_of(title), capture_output=True, text=True, timeout=LIMIT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    if shown is None:
        assert done.stdout, "there is no output"
    else:
        problem = compare(shown, done.stdout)
        assert problem is None, problem


def test_page_has_its_examples():
    blocks = sum(len(blocks) for _, blocks in sections(PAGE.read_text()))
    assert blocks >= 12, f"only {blocks} blocks were found"


def test_socket_example_steps(instance):
    done = subprocess.run([sys.executable, ROOT / "docs/examples/mgba_socket.py", instance.base_url, "1"], capture_output=True, text=True, timeout=LIMIT)
    stepped = re.match(r"([1-9]\d*) steps a second", done.stdout)
    assert stepped and done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def test_socket_example_takes_the_path_of_its_base_url(instance, monkeypatch):
    """The emulator below /i/ that does not exist is refused, the one that exists is not."""
    monkeypatch.syspath_prepend(ROOT / "docs/examples")
    socket = importlib.import_module("mgba_socket")
    with socket.MgbaSocket(f"{instance.base_url}/i/1/") as game:
        assert game.call("game.get")["title"]
    with pytest.raises(ConnectionError, match="404"):
        socket.MgbaSocket(f"{instance.base_url}/i/nobody")
