"""A gateway process of its own, for tests: it starts the test game by itself, or connects to an emulator that runs."""

import os
import pathlib
import re
import subprocess
import tempfile
import time

import processes
from mgba_wire import TIME_LIMIT, Failure
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENT = [  # settings of tests that a busy machine must not fail
    "Owned:StartTimeout=00:01:00",
    "Transport:ConnectTimeout=00:00:10",
    "Transport:SilenceTimeout=00:00:20",
    "Transport:RequestTimeout=00:00:30",
]
PATIENT_ENVIRONMENT = {"Bridge__" + name.replace(":", "__"): value for name, value in (setting.split("=") for setting in PATIENT)}
LISTENING = re.compile(r"Now listening on: (http://\S+)")


def program():
    """The built gateway; GATEWAY_PROGRAM names another one."""
    named = os.environ.get("GATEWAY_PROGRAM")
    if named is None:
        subprocess.run([ROOT / "scripts/build", "emulator", "gateway"], check=True)
    return named or str(ROOT / "artifacts/gateway/mgba-bridge")


def emulator_program():
    """The built `mgba-headless`; MGBA_HEADLESS names another one."""
    return os.environ.get("MGBA_HEADLESS") or ROOT / "headless/build/mgba-headless"


def start_logged(command, log, settings=()):
    """Starts the gateway's program, which ends with this process, without settings of the environment except for these, such as "Owned:Roms:0=:test:"."""
    environment = {name: value for name, value in os.environ.items() if not re.match("(Bridge__|MGBA_BRIDGE_|ASPNETCORE_)", name)}
    for setting in settings:
        name, value = setting.split("=", 1)
        environment[f"Bridge__{name.replace(':', '__')}"] = value
    with log.open("wb") as out:
        return subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment)


def end_process(process, patience=30):
    """Ends a process: with SIGTERM, and with SIGKILL after so many seconds."""
    process.terminate()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Gateway:
    """`settings` are switches such as "Owned:Roms:0=:test:"; without any, and without the port of a script, the gateway starts the test game.
    Its time limits are those of PATIENT, unless the settings have others."""

    def __init__(self, *settings, emulator_port=None):
        self.program = program()
        self.data = tempfile.TemporaryDirectory(prefix="mgba-bridge-gateway-")
        self.log = pathlib.Path(self.data.name, "log")
        self.settings = settings or (() if emulator_port else ("Owned:Roms:0=:test:",))
        self.emulator_port = emulator_port
        self.port = free_port()  # no client takes it while the gateway is started again
        self.start()

    def start(self):
        switches = [f"--http-port={self.port}", "--contentRoot", str(pathlib.Path(self.program).parent), f"--Bridge:Owned:DataFolder={self.data.name}/data"]
        switches += [f"--Bridge:Owned:HeadlessProgram={emulator_program()}"]
        switches += [f"--Bridge:{setting}" for setting in (*PATIENT, *self.settings)]
        switches += [f"--emulator-port={self.emulator_port}"] if self.emulator_port else []
        self.process = start_logged([self.program, *switches], self.log)
        deadline = time.monotonic() + TIME_LIMIT
        while not (found := LISTENING.search(text := self.log.read_text(errors="replace"))):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise Failure(f"the gateway did not start:\n{text}")
            time.sleep(0.02)
        self.url = found.group(1)

    def stop(self):
        end_process(self.process)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def descriptors(self):
        return processes.descriptors(self.process.pid)

    def unhandled(self):
        """Unhandled exceptions in the log since the start."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if "nhandled exception" in line or "crit:" in line]

    def end(self):
        self.stop()
        self.data.cleanup()
