"""An emulator and a gateway of their own, started by scripts/run, for tests."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from mgba_wire import Failure

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_LIMIT = 600  # seconds; the first build may take minutes
# Settings of the caller that are not meant for this instance.
FOREIGN = re.compile(r"(MAKEFLAGS|MFLAGS|MAKELEVEL|ROM|HTTP_PORT|LUA_PORT|FPS|ASPNETCORE_URLS|MGBA_BRIDGE_.*|Bridge__.*)")


class Instance:
    """It plays the test game. `settings` are more variables of its environment."""

    def __init__(self, **settings):
        self.folder = tempfile.TemporaryDirectory()
        log = pathlib.Path(self.folder.name, "out")
        environment = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)} | {"ROM": ":test:"} | settings
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", ROOT / "scripts/run", "--json"],  # ends with us
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
            )
        deadline = time.monotonic() + START_LIMIT
        while not (report := re.search("^{.*}$", log.read_text(errors="replace"), re.MULTILINE)):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise Failure(f"scripts/run did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.02)
        run = json.loads(report[0])
        self.base_url, self.lua_port, self.emulator = run["url"], run["emulators"][0]["port"], run["emulators"][0]["pid"]

    def end(self):
        ended = self.process.poll() is not None
        restarted = not ended and hasattr(self, "emulator") and not pathlib.Path(f"/proc/{self.emulator}").exists()
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        if restarted:
            raise Failure("the emulator ended during the tests, and the gateway restarted it")

    close = end
