"""What the tests of a window share: the window, clients of its script, and common questions to it."""

import contextlib
import pathlib
import re
import subprocess
import time

import rom
from checks import equal, until
from desktop import ACTION, QT, Window
from mgba_wire import END, Client
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
GBA = ROOT / "headless/roms/mgba-bridge-test.gba"
GB = ROOT / "headless/roms/mgba-bridge-test.gb"
SAID = subprocess.run([QT, "--version"], capture_output=True, text=True, check=True).stdout if QT else " 0.10"
MGBA = re.search(r" (\d+\.\d+)", SAID).group(1)
# What mGBA reports as the code of the two games.
GBA_CODE, GB_CODE = ("AGB-BBTE", "DMG-") if MGBA == "0.10" else ("BBTE", "")
ABUSERS = 2000
FPS = 16777216 / 280896  # of both consoles


class Stage:
    """A window, its script and the port on which the script listens."""

    def __init__(self, desktop, script):
        self.desktop, self.script = desktop, script
        self.window = self.port = self.wanted_port = None

    def open(self, name, game, **options):
        self.window = Window(self.desktop, name, game, **options)

    def open_at_port(self, name, game, **options):
        """Opens the window with MGBA_BRIDGE_PORT set to a free port."""
        self.wanted_port = free_port()
        self.open(name, game, environment={"MGBA_BRIDGE_PORT": str(self.wanted_port)}, **options)

    def load(self):
        """Loads the script by hand and returns the port on which it then listens."""
        before = self.window.listening().keys()
        self.window.load_script(self.script)
        return self.find_port(before)

    def find_port(self, before=frozenset()):
        """Waits until the script listens with a socket that was not there before, and returns its port."""
        ports = until(
            lambda: self.window.alive() and [port for inode, port in self.window.listening().items() if inode not in before],
            "the script listens",
        )
        equal(len(ports), 1, f"number of ports on which it listens ({ports})")
        self.port = ports[0]
        return self.port

    def client(self, greets=True, **fields):
        self.window.alive()
        client = Client(self.port, timeout=ACTION)
        return client.greet(client='"test-gui"', **fields) if greets else client

    def close(self):
        if self.window:
            self.window.end()
            self.window = None


def abuse(stage, times):
    """Clients that send large requests and reset their connections, one after another."""
    request = b"".join(b"#%d memory.read 0x02000000 4096" % number + END for number in range(1, 41))
    for _ in range(times):
        client = Client(stage.port)
        try:
            client.send_bytes(request)
        except ConnectionError:
            pass
        client.reset()


def keys_are(client, mask):
    return until(lambda: client.number(rom.LIVE_KEYS) == mask, f"the game sees the key mask {mask:#x}")


@contextlib.contextmanager
def paused(window, client, pause=lambda window: window.press("ctrl+p")):
    """Pauses the game for the body. Then the title has no frames a second; a busy game may answer no request for a second, too."""
    pause(window)
    until(lambda: "fps" not in window.title() and not client.has_reply(client.send("ping"), 1), "no request is answered")
    try:
        yield
    finally:
        window.press("ctrl+p")


def rate(client, seconds):
    """Frames a second of the game."""
    first, began = client.call("status").ok()["frame"], time.monotonic()
    while time.monotonic() < began + seconds:
        client.call("ping").ok()
        time.sleep(0.02)
    last = client.call("status").ok()["frame"]
    return (last - first) / (time.monotonic() - began)


def locked(client):
    """Waits until the script has learned how fast the host goes."""
    until(lambda: client.call("status").ok()["pace"] != "learn", "the script knows the pace", pause=0.2)
