"""What the fuzzers share: how long they run, seeds, reproductions and their minimization."""

import base64
import json
import os
import pathlib
import random
import time

from mgba_wire import Failure

SECONDS = float(os.environ.get("FUZZ_SECONDS") or 20)
COUNT = int(os.environ.get("FUZZ_COUNT") or 0)
SEED = int(os.environ.get("FUZZ_SEED") or 1)
ROUND = int(os.environ["FUZZ_ROUND"]) if os.environ.get("FUZZ_ROUND") else None
ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/fuzz/corpus"
FOUND = ROOT / ".run/fuzz"


def random_of(number):
    """The random numbers of a round: the same for the same FUZZ_SEED and number."""
    return random.Random(SEED * 1000003 + number)


def rounds(share=1.0, first=0, step=1):
    """The numbers of the rounds to run: FUZZ_ROUND alone, FUZZ_COUNT of them, or as many as FUZZ_SECONDS allow."""
    if ROUND is not None:
        yield ROUND
        return
    began, number = time.monotonic(), first
    while (number < COUNT) if COUNT else (time.monotonic() - began < SECONDS * share):
        yield number
        number += step


def minimize(parts, fails, most=300):
    """The parts without those that `fails` does not need; at most so many attempts."""
    size = max(1, len(parts) // 2)
    while parts and most > 0:
        at = 0
        while at < len(parts) and most > 0:
            fewer = parts[:at] + parts[at + size :]
            most -= 1
            if fails(fewer):
                parts = fewer
            else:
                at += size
        if size == 1:
            break
        size = max(1, size // 2)
    return parts


def report(kind, number, problem, reproduction):
    """Writes a reproduction, ready for the corpus, and fails."""
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / f"{kind}-{SEED}-{number}.json"
    path.write_text(json.dumps(reproduction, indent=1) + "\n", encoding="utf-8")
    raise Failure(f"FUZZ_SEED={SEED} FUZZ_ROUND={number}: {problem}\nreproduction: {path.relative_to(ROOT)} (keep it as a file of tests/fuzz/corpus/{kind})")


def corpus(kind):
    """The kept reproductions: (name, content)."""
    return [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted((CORPUS / kind).glob("*.json"))]


def to_text(data):
    return base64.b64encode(data).decode()


def to_bytes(text):
    return base64.b64decode(text)


# --- random values and bytes

INTERESTING = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x61000, 0x11800)


def byte_edits(rng, length, most):
    """Changes of bytes as (offset, bytes in hex)."""
    edits = []
    for _ in range(rng.randint(1, most)):
        at, size = rng.randrange(max(1, length)), rng.choice((1, 1, 2, 4, 4, 8))
        what = rng.random()
        data = rng.randbytes(size) if what < 0.5 else (rng.choice(INTERESTING) & (1 << 8 * size) - 1).to_bytes(size, rng.choice(("little", "big")))
        edits.append([at, data.hex()])
    return edits


def apply(data, edits):
    """The bytes with these changes. An offset beyond the end extends them, one that is `cut` shortens them."""
    result = bytearray(data)
    for at, change in edits:
        if change == "cut":
            del result[at:]
        elif change.startswith("insert "):
            result[at:at] = bytes.fromhex(change[7:])
        elif change.startswith("remove "):
            del result[at : at + int(change[7:])]
        else:
            part = bytes.fromhex(change)
            result[at : at + len(part)] = part
    return bytes(result)
