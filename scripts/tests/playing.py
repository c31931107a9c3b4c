#!/usr/bin/env python3
"""Runs every example of docs/playing.md as it stands: scripts/tests/playing.py (scripts/tests/playing.sh starts what it needs).

Commands of one section share a folder and their variables. What a command answers is compared with the page: JSON by fields and kinds, lines by their
fixed words; numbers, hashes and names of things made up at random may differ. The examples in docs/examples/ must step as many frames as they say.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE_URL = os.environ["BASE_URL"]
LIMIT = 120  # seconds that anything may take on a busy machine
passed = failed = 0


def report(name, problem=None):
    global passed, failed
    if problem:
        failed += 1
        print(f"not ok - {name}\n# " + str(problem).replace("\n", "\n# "))
    else:
        passed += 1
        print(f"ok - {name}")


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


def shape(value):
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    return type(value).__name__


def compare(shown, found):
    """What is wrong with an answer, or None."""
    try:
        expected, answer = json.loads(shown), json.loads(found)
    except ValueError:
        def plain(text):
            return [re.sub(r"[0-9a-f]{8}-?\d*|\d+", "#", line).split("{")[0] for line in text.strip().splitlines()]

        return None if plain(shown) == plain(found) else f"the page shows\n{shown}\nand the answer is\n{found}"
    if shape(expected) != shape(answer):
        return f"the page shows {shown}\nand the answer is {found}"
    for key in ("same", "met", "ok", "released", "ended", "done", "of", "inputs"):
        if expected.get(key) != answer.get(key):
            return f"{key} is {expected.get(key)} on the page and {answer.get(key)} in the answer {found}"
    return None


def run(program, text, folder):
    text = text.replace("http://127.0.0.1:5000", BASE_URL)
    return subprocess.run(
        [*program, text], cwd=folder, capture_output=True, text=True, timeout=LIMIT, env={**os.environ, "PYTHONPATH": str(ROOT / "docs/examples"), "PYTHONDONTWRITEBYTECODE": "1"}
    )


def run_shell(title, block, folder):
    # variables live on: each command runs behind those before it, which then say nothing
    before = ""
    for command, shown in commands(block):
        quick = command.replace("curl ", "curl -sS -m 60 ")
        assigned = re.match(r"(\w+=\$\([^;]*\));", command)
        done = run(["bash", "-c"], f"{before}\n{quick}", folder)
        name = f"{title}: {command[:100]}"
        report(name, done.stderr if done.returncode or (not done.stdout and shown) else compare(shown, done.stdout))
        before += f"\n{assigned.group(1)}" if assigned else ""


def run_python(title, block, folder):
    done = run([sys.executable, "-c"], block, folder)
    report(f"{title}: python", None if done.returncode == 0 and done.stdout else f"exit code {done.returncode}\n{done.stdout}{done.stderr}")


def run_example(name):
    done = subprocess.run([sys.executable, str(ROOT / "docs/examples" / name), BASE_URL, "1"], capture_output=True, text=True, timeout=LIMIT)
    stepped = re.match(r"([1-9]\d*) steps a second", done.stdout)
    report(f"docs/examples/{name} steps", None if stepped and done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    blocks = 0
    for title, examples in sections((ROOT / "docs/playing.md").read_text()):
        with tempfile.TemporaryDirectory() as folder:
            for language, block in examples:
                blocks += 1
                (run_shell if language == "sh" else run_python)(title, block, folder)
    report("the page has its examples", None if blocks >= 12 else f"only {blocks} blocks were found")
    run_example("gym_env.py")
    run_example("mgba_socket.py")
    print(f"playing: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
