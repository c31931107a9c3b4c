"""What cases share: the window they play in, and some questions to it."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

import rom
from desktop import Window, until
from report import equal
from wire import Client

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GBA = ROOT / "lua/headless/rom/mgba-bridge-test.gba"
GB = ROOT / "lua/headless/rom/mgba-bridge-test.gb"
SAID = subprocess.run([os.environ["MGBA_QT"], "--version"], capture_output=True, text=True, check=True).stdout
MGBA = re.search(r" (\d+\.\d+)", SAID).group(1)
# What mGBA reports as the code of the two games.
GBA_CODE, GB_CODE = ("AGB-BBTE", "DMG-") if MGBA == "0.10" else ("BBTE", "")


class Stage:
    """What the cases of one window share."""

    def __init__(self, desktop, report, script):
        self.desktop, self.report, self.script = desktop, report, script
        self.window = None
        self.port = None

    def open(self, name, game, **options):
        self.window = Window(self.desktop, name, game, **options)

    def load(self):
        """Loads the script by hand and returns the port it then listens on."""
        before = set(self.window.listening())
        self.window.load_script(self.script)
        until(lambda: self.window.alive() and self.window.listening(), "the script listens")
        ports = self.window.listening()
        equal(len(ports), 1, f"number of ports it listens on ({ports}, before {sorted(before)})")
        self.port = ports[0]
        return self.port

    def client(self, **options):
        self.window.alive()
        return Client(self.port, **options)

    def close(self):
        if self.window:
            self.window.end()
            self.window = None


def keys_are(client, mask):
    return until(lambda: client.number(rom.LIVE_KEYS) == mask, f"the game sees the key mask {mask:#x}")


def pause(window, client):
    window.press("ctrl+p")
    until(lambda: not client.has_reply(client.send("ping"), 1), "nobody is answered")


@contextlib.contextmanager
def standing(window, client):
    """The game is paused meanwhile."""
    pause(window, client)
    try:
        yield
    finally:
        window.press("ctrl+p")


def rate(client, seconds):
    """Frames a second of the game."""
    first, began = client.ask("status")["frame"], time.monotonic()
    while time.monotonic() < began + seconds:
        client.ask("ping")
        time.sleep(0.02)
    last = client.ask("status")["frame"]
    return (last - first) / (time.monotonic() - began)


def locked(client, seconds=40):
    """Waits until the script has learned how fast the host goes."""
    until(lambda: client.ask("status")["pace"] != "learn", "the script knows the pace", seconds, 0.2)
