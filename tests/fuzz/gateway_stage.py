"""A gateway in front of an emulator of its own, for fuzzers."""

import contextlib
import http.client
import json
import re
import time
import urllib.parse

from caller import Caller
from gateway import Gateway
from headless import HeadlessEmulator
from mgba_wire import TIME_LIMIT, Failure


class GatewayStage:
    """`settings` are those of the gateway."""

    def __init__(self, *settings):
        self.emulator = HeadlessEmulator(options=["--fps", "240"])
        self.gateway = Gateway(*settings, emulator_port=self.emulator.port)
        self.host = urllib.parse.urlsplit(self.gateway.url).netloc
        self.log_read = 0

    def get(self, path):
        with contextlib.closing(Caller(self.gateway.url)) as caller:
            return caller.ok("GET", path)

    def revive(self):
        """Random writes may crash the game, stop its machine or hold it by a lease; then a reset, or the ROM from its file, brings it back."""
        deadline = time.monotonic() + TIME_LIMIT
        while time.monotonic() < deadline:
            try:
                connection = http.client.HTTPConnection(self.host, timeout=TIME_LIMIT)
                connection.request("POST", "/v2/wait", json.dumps({"frames": 1}), {"Content-Type": "application/json", "Prefer": "wait=2"})
                if connection.getresponse().status == 200:
                    return
                connection.close()
                connection.request("DELETE", "/v2/freezes")
                connection.getresponse().read()
                connection.request("POST", "/v2/reset")
                connection.getresponse().read()
                connection.close()
                self.emulator.revive(opens=True)  # also the ROM may have been written
            except (OSError, http.client.HTTPException, Failure):
                time.sleep(0.2)
        raise Failure("the game does not run any more")

    def check(self):
        self.emulator.check()
        if self.gateway.process.poll() is not None:
            raise Failure(f"the gateway ended with code {self.gateway.process.returncode}")
        with self.gateway.log.open("rb") as log:
            log.seek(self.log_read)
            new = log.read()
        whole = new[: new.rfind(b"\n") + 1]
        found = re.search(rb"^(fail:|crit:).*\n.*|.*nhandled exception.*", whole, re.MULTILINE)
        if found:
            raise Failure(f"in the gateway's log: {found[0][:500].decode(errors='replace')}")
        self.log_read += len(whole)

    def end(self):
        self.check()
        self.gateway.end()
        self.emulator.kill()
