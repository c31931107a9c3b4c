"""Fixtures of the tests of mgba-headless. Each test has its own folder, which is the current one; saves are in its folder saves."""

import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

import processes
import small_roms
from checks import equal, until
from headless import PROGRAM
from programs import Program

HERE = pathlib.Path(__file__).parent
EVENTS = HERE / "events.lua"
VALGRIND = ("valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", f"--suppressions={HERE / 'valgrind.supp'}", "--log-file=valgrind.log")


class Host(Program):
    """mgba-headless, started as a shell starts a program in the background: with SIGINT ignored. `control` is None, or the argument of --control."""

    def __init__(self, *arguments, name, control=None, saves="saves", ignore="INT", prefix=(), first="", **options):
        saves = ("--saves", saves) if saves else ()
        controls = ("--control", control) if control else ()
        self.control = None
        if control == "-":
            options.update(stdin=subprocess.PIPE, bufsize=0)
        elif control:
            if not os.path.exists(control):
                os.mkfifo(control)
            self.control = open(os.open(control, os.O_RDWR), "wb", buffering=0)
            self.write(first)
        signals = ("env", "--default-signal=HUP,TERM", f"--ignore-signal={ignore}")
        super().__init__(*signals, *prefix, PROGRAM, *saves, *controls, *arguments, folder=".", name=name, **options)
        self.control = self.control or self.process.stdin

    def write(self, text):
        self.control.write(text if isinstance(text, bytes) else text.encode())

    def say(self, line, answer):
        """One control line, and the answer that it must get."""
        before = len(self.out.lines("^control: "))
        self.write(line + "\n")
        self.out.wait("^control: ", before + 1)
        found = self.out.lines("^control: ")[-1]
        assert re.match("control: " + answer, found), f'"{line}" was answered "{found}", expected "{answer}"'

    def last_stats(self):
        """The fields of the newest stats line."""
        line = self.err.lines("mgba-headless: stats")[-1]
        return {name: float(value) if re.fullmatch(r"[\d.]+", value) else value for name, value in re.findall(r" (\w+)=(\S*)", line)}

    def stats(self):
        """SIGUSR1, and the line that it brings."""
        before = len(self.err.lines(": stats "))
        self.kill(signal.SIGUSR1)
        self.err.wait(": stats ", before + 1)
        return self.last_stats()

    def reach(self, frames):
        """Waits until so many frames have run, and returns the stats."""
        return until(lambda: (found := self.stats())["frames"] >= frames and found, f"{frames} frames")

    def count_of(self, event):
        """How often an event came, as events.lua says at the end."""
        return int(self.out.find(f"^count {event} (.*)"))

    def run_a_frame_more(self):
        """The ROM reads its mailbox once a frame."""
        self.reach(self.stats()["frames"] + 2)
        self.err.clear()

    def cpu_ticks(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))

    def descriptors(self):
        return processes.descriptors(self.pid)

    def stop(self, number=signal.SIGTERM):
        self.kill(number)
        self.ended(0)

    def close(self):
        if self.control and not self.control.closed:
            self.control.close()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("MGBA_BRIDGE_"):
            monkeypatch.delenv(name)
    os.mkdir("saves")
    os.mkdir("roms")
    for name, data in small_roms.GAMES.items():
        pathlib.Path("roms", name).write_bytes(data)
    return tmp_path


@pytest.fixture
def start():
    """Starts the emulator in the background."""
    assert os.access(PROGRAM, os.X_OK), f"there is no {PROGRAM}; make -C headless builds it"
    started = []

    def start(*arguments, **options):
        started.append(Host(*arguments, name=f"host-{len(started)}", **options))
        return started[-1]

    yield start
    for host in started:
        host.close()
        if not host.is_over():
            host.kill(signal.SIGKILL)
            host.process.wait()


@pytest.fixture
def start_controlled(start):
    """The same with a control FIFO."""
    return lambda *arguments, **options: start(*arguments, control="fifo", **options)


@pytest.fixture
def game(start_controlled):
    """A game whose history is kept."""
    from histories import Game  # which imports this module

    return lambda rom, *options, **more: Game(start_controlled, os.path.abspath(f"roms/{rom}") if rom.startswith("calls") else rom, *options, **more)


@pytest.fixture
def runs(start):
    """A whole run, which exits with this code."""

    def runs(code, *arguments, **options):
        host = start(*arguments, **options)
        host.ended(code)
        return host

    return runs


@pytest.fixture
def refused(runs):
    """A run that ends with this code and one sentence on stderr, which matches, and writes nothing to stdout."""

    def refused(code, pattern, *arguments, **options):
        host = runs(code, *arguments, **options)
        equal(len(host.err.lines()), 1, "the number of lines on stderr")
        host.err.expect(f"^mgba-headless: .*{pattern}")
        equal(host.out.text(), "", "stdout")

    return refused


@pytest.fixture
def valgrind(tmp_path):
    """The prefix of a command. A library of ImageMagick's uses RDTSCP when it is loaded, which valgrind refuses where the processor does not announce it."""
    assert shutil.which("valgrind"), "valgrind is missing; install it (apt-get install valgrind)"
    if os.environ.get("MGBA") and os.path.exists(f"{os.environ['MGBA']}/usr/lib"):
        pytest.skip("this valgrind does not know the C library of another Debian")
    library = tmp_path / "timer.so"
    source = "unsigned long _ZN3hwy8platform15TimerResolutionEv(void) { return 1; }"
    subprocess.run(("gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", library), input=source, text=True, check=True)
    return ("env", f"LD_PRELOAD={library}", *VALGRIND)


def script(name, text):
    pathlib.Path(name).write_text(text)


def mail(number, frame=5):
    """mail.lua, which puts a number into the ROM's mailbox before that frame."""
    script("mail.lua", f"""local mailbox = emu:platform() == C.PLATFORM.GBA and 0x02000000 or 0xC000
        callbacks:add('frame', function() if emu and emu:currentFrame() == {frame} then emu:write8(mailbox, {number}) console:log('mailed') end end)""")


def first_byte(path):
    return pathlib.Path(path).read_bytes()[0]
