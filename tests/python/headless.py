"""mgba-headless with the script, for tests."""

import functools
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading

import processes
from mgba_wire import TIME_LIMIT, Client, Failure

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("MGBA_HEADLESS") or str(ROOT / "headless/build/mgba-headless")
SCRIPT = os.environ.get("MGBA_BRIDGE_SCRIPT") or str(ROOT / "lua/mgba-bridge.lua")
ROMS = {name: str(ROOT / f"headless/roms/mgba-bridge-test.{name}") for name in ("gba", "gb")}


@functools.cache
def game_codes():
    """The codes that this mGBA reports for the test games."""
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    is_010 = re.search(r"libmgba (\d+\.\d+)", said).group(1) == "0.10"
    return {"gba": "AGB-BBTE", "gb": "DMG-"} if is_010 else {"gba": "BBTE", "gb": ""}


class HeadlessEmulator:
    """One mgba-headless process on a free port. A thread reads its output line by line."""

    def __init__(self, rom="gba", options=(), environment=None, scripts=(), wait=True, script=SCRIPT, program=PROGRAM):
        if not os.path.exists(program):
            raise Failure(f"{program} is missing; build it with make -C headless")
        self.folder = tempfile.mkdtemp(prefix="mgba-bridge-test-")
        self.fifo = os.path.join(self.folder, "control")
        os.mkfifo(self.fifo)
        env = {k: v for k, v in os.environ.items() if not k.startswith("MGBA_BRIDGE_")}
        env.update(environment or {})
        # setpriv: it ends with the test, also when that is killed. stdbuf: mGBA's console writes to stdout, which is fully buffered when it is a pipe
        command = ["setpriv", "--pdeathsig", "KILL", "stdbuf", "-oL", str(program), "--saves", self.folder, "--control", self.fifo, "--stats", "0", *options]
        for one in (*scripts, script):
            command += ["--script", str(one)]
        self.rom = ROMS.get(rom, rom)
        self.process = subprocess.Popen(
            command + [self.rom], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", env=env
        )
        self.lines, self.errors, self.answers, self.ports = [], [], queue.Queue(), queue.Queue()
        for stream, lines in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            threading.Thread(target=self._read, args=(stream, lines), daemon=True).start()
        self.port = self.next_port() if wait else None

    def _read(self, stream, lines):
        for line in stream:
            line = line.rstrip("\n")
            lines.append(line)
            if line.startswith("control: "):
                self.answers.put(line)
            found = re.search(r"listening on [^ ]+:(\d+)\.", line)
            if found:
                self.ports.put(int(found.group(1)))

    def next_port(self):
        """The port that the script prints when it starts, each time it is loaded."""
        try:
            return self.ports.get(timeout=TIME_LIMIT)
        except queue.Empty:
            raise Failure("the script did not start: " + " / ".join(self.lines + self.errors)) from None

    def control(self, command):
        """Runs a control command (headless/README.md)."""
        with open(self.fifo, "w", encoding="utf-8") as fifo:
            fifo.write(command + "\n")
        try:
            answer = self.answers.get(timeout=TIME_LIMIT)
        except queue.Empty:
            raise Failure("no answer to control " + command) from None
        if not answer.startswith("control: ok"):
            raise Failure(answer)

    def revive(self, opens=False):
        """Resets the game; opens it again if it was closed, or if `opens`."""
        try:
            self.control("load " + self.rom if opens else "reset")
        except Failure as failure:
            if "no game is open" not in str(failure):
                raise
            self.control("load " + self.rom)

    def freeze(self):
        """Stops the process until thaw(), like a window whose game is paused. (The script still serves after the control command pause.)"""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def is_alive(self):
        return self.process.poll() is None

    def check(self):
        """Fails if the process has ended or the script reported a Lua error."""
        if not self.is_alive():
            raise Failure(f"the emulator ended with code {self.process.returncode}: " + " / ".join(self.errors[-5:]))
        bad = [line for line in self.lines + self.errors if re.search(r"\.lua:\d+:", line)]
        if bad:
            raise Failure("a Lua error in the script: " + bad[0])

    def descriptors(self):
        return processes.descriptors(self.process.pid)  # stdbuf becomes the emulator

    def connect(self, **hello):
        """A client; with fields, it has sent hello."""
        client = Client(self.port)
        return client.greet(**hello) if hello else client

    def end(self):
        """Ends the process; fails unless it exits with 0."""
        if self.is_alive():
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(TIME_LIMIT)
            except subprocess.TimeoutExpired:
                self.kill()
                raise Failure("the emulator does not end") from None
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.process.returncode != 0:
            raise Failure(f"the emulator ended with code {self.process.returncode}: " + " / ".join(self.errors[-5:]))

    def kill(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.check()
            self.end()
        else:
            self.kill()
            print("\n".join("emulator: " + line for line in self.errors[-5:]))
