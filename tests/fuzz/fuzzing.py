"""What the fuzzers share: how much they send, seeds, reproductions and their minimization."""

import base64
import json
import os
import pathlib
import random
import threading
import time

import pytest

SUITE = {"wire": 100_000, "states": 10_000, "http": 20_000, "files": 2_000, "doors": 100_000}  # the inputs of each part within `make test-all`
SHARES = {"suite": 1, "sample": 0.1}  # of these, by FUZZ_COUNT: `make test` sends a sample
COUNT = os.environ.get("FUZZ_COUNT") or ""
SECONDS = float(os.environ.get("FUZZ_SECONDS") or ("inf" if COUNT else 20))
SEED = int(os.environ.get("FUZZ_SEED") or 1)
ROUND = int(os.environ["FUZZ_ROUND"]) if os.environ.get("FUZZ_ROUND") else None
ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/fuzz/corpus"
FOUND = ROOT / ".run/fuzz"


def random_of(number):
    """The random numbers of a round: the same for the same FUZZ_SEED and number."""
    return random.Random(SEED * 1000003 + number)


class Budget:
    """How much of a part runs: FUZZ_ROUND alone; else until FUZZ_COUNT inputs are done or FUZZ_SECONDS are over, whichever is first. Threads may share it."""

    def __init__(self, part, share=1.0, seconds_share=None):
        self.goal = (SUITE[part] * SHARES[COUNT] if COUNT in SHARES else int(COUNT or 0)) * share
        self.seconds, self.began = SECONDS * (seconds_share or share), time.monotonic()
        self.next, self.inputs, self.lock = 0, 0, threading.Lock()

    def rounds(self):
        """The numbers of the rounds to run."""
        while (number := self._take()) is not None:
            yield number

    def add(self, inputs=1):
        """Counts inputs that are done."""
        with self.lock:
            self.inputs += inputs

    def check(self):
        """Fails when fewer inputs were sent than the suite requires."""
        if COUNT in SHARES and ROUND is None and self.inputs < self.goal:
            pytest.fail(f"only {self}; raise FUZZ_SECONDS if the machine is slow", pytrace=False)

    def __str__(self):
        used = time.monotonic() - self.began
        if ROUND is not None or self.inputs >= self.goal:
            return f"{self.inputs} in {used:.0f} s"
        return f"{self.inputs} in {used:.0f} s, fewer than the {self.goal:.0f} of FUZZ_COUNT={COUNT}, because FUZZ_SECONDS={SECONDS:g} were over"

    def _take(self):
        with self.lock:
            self.next += 1
            if ROUND is not None:
                return ROUND if self.next == 1 else None
            is_over = time.monotonic() - self.began >= self.seconds or 0 < self.goal <= self.inputs
            return None if is_over else self.next - 1


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
    pytest.fail(f"FUZZ_SEED={SEED} FUZZ_ROUND={number}: {problem}\nreproduction: {path.relative_to(ROOT)} (keep it as a file of tests/fuzz/corpus/{kind})", pytrace=False)


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
