"""Fixtures of the tests in a real window: a screen of its own (Xvfb) and mgba-qt on it, operated like a person does (xdotool).

GUI_SECONDS=1200 limits the whole run; tests that were not reached by then fail. .run/gui/ (gui-2 while another run uses that) keeps a picture of the
screen for each failure, and the output of mgba-qt.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from desktop import QT, Desktop
from stage import ROOT

RUNS = ROOT / ".run"
LIMIT = int(os.environ.get("GUI_SECONDS") or 1200)
NEEDED = {"Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool", "import": "imagemagick"}
screen = None


class OutOfTime(Exception):
    pass


def pytest_sessionstart(session):
    subprocess.run([ROOT / "scripts/build", "gateway"], check=True)  # a first build takes longer than a start may

    def give_up(*_):
        signal.alarm(1)  # again, if the test catches it
        raise OutOfTime(f"not over within {LIMIT} s (GUI_SECONDS)")

    session.config.gui_deadline = time.monotonic() + LIMIT
    signal.signal(signal.SIGALRM, give_up)
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("ended by SIGTERM"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    left = item.config.gui_deadline - time.monotonic()
    if left <= 0:
        pytest.fail(f"not reached within {LIMIT} s (GUI_SECONDS)", pytrace=False)
    signal.alarm(int(left) + 1)
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown():
    signal.alarm(0)
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    if outcome.get_result().failed and screen:
        screen.save_picture(screen.folder / f"failed-{re.sub('[^a-z0-9]+', '-', item.name.lower())[:60]}.png")


def own_folder():
    """.run/gui, or the next while another run uses it, and the lock that reserves it."""
    RUNS.mkdir(exist_ok=True)
    for name in ("gui", *(f"gui-{number}" for number in range(2, 100))):
        lock = open(RUNS / f"{name}.lock", "w", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        shutil.rmtree(RUNS / name, ignore_errors=True)
        (RUNS / name).mkdir()
        return RUNS / name, lock
    pytest.fail("too many runs at a time")


@pytest.fixture(scope="session")
def desktop():
    missing = [package for tool, package in NEEDED.items() if not shutil.which(tool)] + ([] if QT else ["mgba-qt"])
    if missing:
        pytest.fail(f"missing: {' '.join(missing)}; on Debian: apt-get install {' '.join(missing)}", pytrace=False)
    global screen
    folder, lock = own_folder()
    screen = Desktop(folder)
    yield screen
    screen.stop()
    screen = None
    lock.close()


@pytest.fixture(scope="session")
def script(desktop):
    """A copy of the script, so that an editor does not change it during a test."""
    return shutil.copy(ROOT / "lua/mgba-bridge.lua", desktop.folder / "mgba-bridge.lua")


@pytest.fixture
def window(stage):
    return stage.window
