"""Counting, and the lines that are read by people and by scripts/test."""

import contextlib
import re
import sys
import time
import traceback


CASES = ("tests.py", "front.py")


class Failed(Exception):
    pass


class OutOfTime(BaseException):
    pass


def expect(condition, text):
    if not condition:
        raise Failed(text)


def equal(found, wanted, what):
    if found != wanted:
        raise Failed(f"{what} is {found!r} and not {wanted!r}")


def where(problem):
    """The line of the test that noticed."""
    lines = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.endswith(CASES)]
    return f" ({lines[-1].filename.rsplit('/', 1)[-1]}:{lines[-1].lineno})" if lines else ""


class Report:
    def __init__(self, take_picture):
        self.passed = self.failed = self.skipped = 0
        self.take_picture = take_picture
        self.began = time.monotonic()

    def say(self, text):
        print(text, flush=True)

    def info(self, text):
        self.say(f"# {text}")

    def fail(self, name, reason):
        self.failed += 1
        self.say(f"not ok - {name}: {reason}")
        try:
            self.take_picture(re.sub(r"[^a-z0-9]+", "-", name.lower())[:60])
        except Exception as problem:  # the reason above matters more
            self.info(f"no picture of it: {problem}")

    def skip(self, name, reason):
        self.skipped += 1
        self.say(f"ok - {name} # SKIP {reason}")

    @contextlib.contextmanager
    def case(self, name):
        began = time.monotonic()
        try:
            yield
        except Exception as problem:
            self.fail(name, f"{type(problem).__name__ + ': ' if not isinstance(problem, Failed) else ''}{problem}{where(problem)}")
        else:
            self.passed += 1
            self.say(f"ok - {name} ({time.monotonic() - began:.1f} s)")

    def end(self):
        self.info(f"{time.monotonic() - self.began:.0f} s")
        self.say(f"gui: {self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.stdout.flush()
        return self.failed == 0 and self.passed > 0
