"""A gateway process of its own that starts the test game by itself, for tests of the web page."""

import os
import pathlib
import re
import subprocess
import tempfile
import time

from mgba_wire import Failure

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 60  # seconds for a start on a busy machine
LISTENING = re.compile(r"Now listening on: (http://\S+)")


def program():
    """The built gateway; GATEWAY_PROGRAM names another one."""
    named = os.environ.get("GATEWAY_PROGRAM")
    if named is None:
        subprocess.run([ROOT / "scripts/build", "emulator", "gateway"], check=True)
    return named or str(ROOT / "artifacts/gateway/mgba-bridge")


class Gateway:
    """`settings` are switches such as "Owned:Roms:0=:test:"; without any the gateway starts the test game."""

    def __init__(self, *settings):
        self.program = program()
        self.data = tempfile.TemporaryDirectory()
        self.settings = settings or ("Owned:Roms:0=:test:",)
        self.url = None
        self.start()

    def start(self):
        port = self.url.rsplit(":", 1)[1] if self.url else "0"
        log = pathlib.Path(self.data.name, "log")
        switches = [f"--http-port={port}", "--contentRoot", str(pathlib.Path(self.program).parent), f"--Bridge:Owned:DataFolder={self.data.name}/data"]
        switches += [f"--Bridge:{setting}" for setting in self.settings]
        environment = {name: value for name, value in os.environ.items() if not re.match("(Bridge__|MGBA_BRIDGE_|ASPNETCORE_)", name)}
        environment.setdefault("MGBA_HEADLESS", str(ROOT / "lua/headless/build/mgba-headless"))
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", self.program, *switches, f"--Bridge:Owned:HeadlessProgram={environment['MGBA_HEADLESS']}"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment)
        deadline = time.monotonic() + LIMIT
        while not (found := LISTENING.search(text := log.read_text(errors="replace"))):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise Failure(f"the gateway did not start:\n{text}")
            time.sleep(0.02)
        self.url = found.group(1)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def end(self):
        self.stop()
        self.data.cleanup()
