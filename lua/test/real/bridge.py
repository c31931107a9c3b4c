"""A windowless emulator with the script in it, and a client of the wire: Python's standard library only, written from docs/protocol.md."""

import hashlib
import hmac
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
HEADLESS = os.environ.get("MGBA_HEADLESS") or os.path.join(ROOT, "lua/headless/build/mgba-headless")
SCRIPT = os.environ.get("MGBA_BRIDGE_SCRIPT") or os.path.join(ROOT, "lua/mgba-bridge.lua")
ROMS = {name: os.path.join(ROOT, "lua/headless/rom/mgba-bridge-test." + name) for name in ("gba", "gb")}
END = b"<|END|>"
MGBA = re.search(r"libmgba (\d+\.\d+)", subprocess.run([HEADLESS, "--version"], capture_output=True, text=True, check=True).stdout).group(1)
# What mGBA reports as the code of the test ROMs.
CODES = {"gba": "AGB-BBTE", "gb": "DMG-"} if MGBA == "0.10" else {"gba": "BBTE", "gb": ""}
PATIENCE = 60  # seconds; only ever reached when something is wrong


class Failure(Exception):
    """A test's expectation that does not hold."""


def proof(role, secret, client, script, session=b""):
    """What a side proves when a secret is set (docs/protocol.md, section 3): `role` is client or script."""
    text = b" ".join([b"mgba-bridge", role.encode(), client, script, session])
    return hmac.new(secret, text, hashlib.sha256).hexdigest().encode()


class Emulator:
    """One mgba-headless process. Its output is read line by line on a thread."""

    def __init__(self, rom="gba", options=(), environment=None, scripts=(), wait=True):
        self.folder = tempfile.mkdtemp(prefix="mgba-bridge-test-")
        self.fifo = os.path.join(self.folder, "control")
        os.mkfifo(self.fifo)
        env = {k: v for k, v in os.environ.items() if not k.startswith("MGBA_BRIDGE_")}
        env.update(environment or {})
        # stdbuf: mGBA's console goes to stdout, which is kept back when it is no terminal
        command = ["stdbuf", "-oL", HEADLESS, "--saves", self.folder, "--control", self.fifo, "--stats", "0", *options]
        for script in (*scripts, SCRIPT):
            command += ["--script", script]
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
        try:
            return self.ports.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failure("the script did not start: " + " / ".join(self.lines + self.errors)) from None

    def control(self, command):
        with open(self.fifo, "w", encoding="utf-8") as fifo:
            fifo.write(command + "\n")
        try:
            answer = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failure("no answer to control " + command) from None
        if not answer.startswith("control: ok"):
            raise Failure(answer)

    def revive(self, opens=False):
        """Resets the game; one that was closed, or when asked, is opened again, as a person would."""
        try:
            self.control("load " + self.rom if opens else "reset")
        except Failure as failure:
            if "no game is open" not in str(failure):
                raise
            self.control("load " + self.rom)

    def freeze(self):
        """No callback runs until thaw(), as in a window whose game is paused. (The control command pause goes on serving.)"""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def is_alive(self):
        return self.process.poll() is None

    def check(self):
        if not self.is_alive():
            raise Failure(f"the emulator ended with code {self.process.returncode}: " + " / ".join(self.errors[-5:]))
        bad = [line for line in self.lines + self.errors if re.search(r"\.lua:\d+:", line)]
        if bad:
            raise Failure("a mistake in the script, caught and shown: " + bad[0])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid()}/fd"))

    def pid(self):
        return self.process.pid  # stdbuf becomes the emulator

    def connect(self, **hello):
        client = Client(self.port)
        if hello:
            client.hello = client.call("hello 2 " + " ".join(f"{k}={v}" for k, v in hello.items()))
        return client

    def end(self):
        if self.is_alive():
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise Failure("the emulator does not end") from None
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.process.returncode != 0:
            raise Failure(f"the emulator ended with code {self.process.returncode}: " + " / ".join(self.errors[-5:]))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.check()
            self.end()
        else:
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
            if self.errors:
                print("  # emulator: " + "\n  # emulator: ".join(self.errors[-5:]))


class Message:
    """A reply, refusal, event or legacy answer."""

    def __init__(self, head, read_tail):
        self.head, self.tail, self.id, self.status, self.code, self.detail, self.text = head, None, None, None, None, None, ""
        self.kind = "legacy"
        found = re.match(rb"^([#!])(\d+)(?:\+(\d+))? (\d+) ([0-9a-f]{8}) ([a-z.]+)(?: (.*))?$", head, re.S)
        if found is None:
            if head[:1] in (b"#", b"!"):
                raise Failure(f"not a head: {head!r}")
            return
        mark, number, length, frame, epoch, word, rest = found.groups()
        self.kind = "reply" if mark == b"#" else "event"
        self.id, self.frame, self.epoch, self.status = int(number), int(frame), epoch.decode(), word.decode()
        self.text = (rest or b"").decode("utf-8", "surrogateescape")
        if self.status == "error":
            code = re.match(r'^([a-z-]+) "((?:[^"\\]|\\.)*)"', self.text)
            if code is None:
                raise Failure(f"a refusal without code or detail: {head!r}")
            self.code, self.detail = code.group(1), code.group(2)
        self.tail = read_tail(int(length)) if length is not None else None

    def ok(self):
        if self.status != "ok":
            raise Failure(f"refused: {self.head!r}")
        return self

    def refused(self, code, part=""):
        if self.code != code or part not in (self.detail or ""):
            raise Failure(f"not refused as {code} {part!r}: {self.head[:300]!r}")
        return self

    def number(self, name=None):
        return int(self.text) if name is None else int(re.search(r"(?:^| )" + name + r"=(-?\d+)", self.text).group(1))

    def named(self, name):
        return re.search(r"(?:^| )" + name + r'="?([^" ]*)"?', self.text).group(1)


class Client:
    """One TCP connection. Ids count up from 1 unless given."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.last, self.hello, self.events = bytearray(), 0, None, []

    def send(self, data):
        self.socket.sendall(data)

    def _more(self):
        try:
            data = self.socket.recv(1 << 20)
        except socket.timeout:
            raise Failure("no answer") from None
        if not data:
            raise EOFError("the connection was closed")
        self.buffer += data

    def _take(self, length):
        while len(self.buffer) < length:
            self._more()
        data = bytes(self.buffer[:length])
        del self.buffer[:length]
        return data

    def receive(self):
        start = 0
        while True:
            stop = self.buffer.find(END, start)
            if stop >= 0:
                break
            start = max(0, len(self.buffer) - len(END))
            self._more()
        head = self._take(stop)
        self._take(len(END))
        return Message(head, self._take)

    def reply(self):
        while True:
            message = self.receive()
            if message.kind != "event":
                return message
            self.events.append(message)

    def ask(self, head, tail=None, number=None):
        self.last = number if number is not None else self.last + 1
        self.send(request(self.last, head, tail))
        return self.last

    def call(self, head, tail=None, number=None):
        wanted = self.ask(head, tail, number)
        message = self.reply()
        if message.id != wanted:
            raise Failure(f"asked {wanted} ({head}), answered: {message.head[:200]!r}")
        return message

    def legacy(self, head):
        self.send(head.encode() + END)
        return self.reply().head.decode()

    def is_closed(self):
        """Waits for the other side to close; says whether it did so in peace."""
        try:
            while True:
                data = self.socket.recv(65536)
                if not data:
                    return True
                self.buffer += data
        except ConnectionError:
            return False
        except socket.timeout:
            raise Failure("the connection stays open") from None

    def close(self):
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def wait_frames(self, count):
        """Until so many frames of the emulator have passed, by its own count."""
        until = self.call("ping").frame + count
        while self.call("ping").frame < until:
            time.sleep(0.002)


def request(number, head, tail=None):
    data = head if isinstance(head, bytes) else head.encode()
    return b"#%d%s %s" % (number, b"" if tail is None else b"+%d" % len(tail), data) + END + (tail or b"")


def equal(found, wanted, what="the value"):
    if found != wanted:
        shown, asked = repr(found), repr(wanted)
        raise Failure(f"{what} is {shown[:300]}, not {asked[:300]}")


def true(found, what):
    if not found:
        raise Failure(what)


def run(tests):
    """Runs the tests whose names contain $ONLY; prints a line each and `counts PASSED FAILED SKIPPED`."""
    only, passed, failed = os.environ.get("ONLY", ""), 0, 0
    for name, test in tests:
        if only and not re.search(only, name):
            continue
        try:
            test()
            passed += 1
            print("ok - " + name, flush=True)
        except Exception as problem:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok - {name}\n  # {type(problem).__name__}: {problem}", flush=True)
            if not isinstance(problem, Failure):
                import traceback

                print("  # " + traceback.format_exc().replace("\n", "\n  # "))
    print(f"counts {passed} {failed} 0", flush=True)
    return 1 if failed else 0
