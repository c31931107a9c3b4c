"""`mgba-bridge run --window`: the program opens a real window, serves it, starts it again after a crash, and closes it at the end."""

import json
import os
import pathlib
import re
import shutil
import signal

import pytest

from caller import Caller
from checks import equal, until
from desktop import MAIN, QT, Window, start
from stage import GBA, MGBA, ROOT

START = 60  # seconds for a start on a busy machine


class OpenedWindow(Window):
    """A window that another program opened."""

    def __init__(self, desktop, pid):  # pylint: disable=super-init-not-called
        self.desktop, self.name, self.pid = desktop, "run", pid
        self.main = until(lambda: self.alive() and (found := desktop.window(MAIN)) and "fps" in desktop.title(found) and found, "the game runs in a window of mgba-qt", START)

    def alive(self):
        return pathlib.Path(f"/proc/{self.pid}").exists()


class Run:
    """The program, and requests to its gateway."""

    def __init__(self, desktop, folder):
        folder.mkdir()
        self.log = folder / "run.log"
        rom = shutil.copy(GBA, folder)
        settings = [f"--Bridge:Owned:DataFolder={folder}/data", f"--Bridge:Owned:WindowProgram={QT}", "--Bridge:Owned:StartTimeout=00:00:02"]
        environment = {**desktop.environment, "SDL_AUDIODRIVER": "dummy", "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.program = start(
            [ROOT / "artifacts/gateway/mgba-bridge", "run", rom, "--window", "--json", "--port=0", *settings], self.log, env=environment)
        line = until(lambda: self.running() and next((line for line in self.log.read_text().splitlines(keepends=True) if line[0] == "{" and line[-1] == "\n"), None), "run is ready", START)
        self.report = json.loads(line)
        self.emulator = self.report["emulators"][0]

    def running(self):
        assert self.program.poll() is None, self.log.read_text()
        return True

    def get(self, path):
        """The JSON of a success, else None."""
        status, content = Caller(self.report["url"]).send("GET", path)
        return content if status == 200 else None

    def process(self):
        """What the gateway knows of the window's process; empty while it is replaced."""
        return (self.get("/v2/status") or {}).get("process", {})

    def end(self):
        self.program.send_signal(signal.SIGTERM)
        return self.program.wait(START)


@pytest.fixture
def run(desktop, request):
    run = Run(desktop, desktop.folder / "run")
    request.addfinalizer(lambda: run.program.poll() is None and run.end())
    return run


@pytest.mark.versions
def test_run_with_a_window(desktop, run):
    """run --window: it opens the window, serves its script, starts it again after a crash, and closes it at the end"""
    equal(run.emulator["window"], True, "window in the report")
    window = OpenedWindow(desktop, run.emulator["pid"])
    if MGBA == "0.10":
        window.load_script(re.search(r"open (/.+\.lua)", run.emulator["nextStep"])[1])
    game = until(lambda: run.get("/v2/game"), "the script answers", START)
    equal(game["title"], "MGBABRIDGE", "title")
    equal(run.get("/v2/status")["host"], "qt", "host")
    assert "nextStep" not in run.get("/v2/status")["process"]

    os.kill(run.emulator["pid"], signal.SIGKILL)
    process = until(lambda: (now := run.process()).get("restarts") == 1 and now["pid"] not in (0, run.emulator["pid"]) and now, "it is started again", START)
    again = OpenedWindow(desktop, process["pid"])
    if MGBA == "0.10":
        until(lambda: "Load script" in run.process().get("nextStep", ""), "the next step is named", START)
    else:
        until(lambda: run.get("/v2/game"), "the script answers again", START)

    equal(run.end(), 0, "exit code")
    until(lambda: not again.alive(), "its process is gone")
    until(lambda: not desktop.window(MAIN), "its window is gone")
