"""Where the time of a frame goes in the real window; bench.sh --budget FILE starts it, and scripts/bench-budget window makes the table and the picture.

No script runs in the window during the measurement without a script. The frames are the test game's own count, read out of the process's memory; the
processor time is the one of the thread that emulates, by the system's account (10 ms fine); and what that thread does while it sleeps is looked up
about a thousand times a second: in which call it waits.
"""

import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import time

from checks import until
from desktop import Desktop, Window
from mgba_wire import Client, Failure
from ports import free_port
from stage import GBA, ROOT, locked

FOLDER = pathlib.Path(os.environ["GUI_FOLDER"])
SECONDS = float(os.environ.get("BENCH_SECONDS") or 5)
SCRIPT = ROOT / "lua/mgba-bridge.lua"
WARM_UP = 1
LONGEST_PAUSE = 0.0015  # between two looks; random, so that they do not fall in step with the frames
SELECT = {"x86_64": {7, 23, 270, 271}, "aarch64": {72, 73}}  # poll, select and variants
TICK = 1 / os.sysconf("SC_CLK_TCK")
BLOCK = b"MBT1"
COUNTER = 8  # behind the block's start

AUDIO, VIDEO = ("-C", "audioBuffers=2048"), ("-C", "videoSync=1", "-C", "audioSync=0")
WORDS = (
    "Emulation: processor time of the emulating thread in a frame without a script. Our work: what this thread needs more with the script. "
    "What is left of the frame is divided by looking about a thousand times a second at what the thread waits for. Linger: `select`, which only scripts call. Sleep: the window's own waiting, "
    "for its audio buffer or for the picture to be shown.\n\nWhat this cannot distinguish: emulation that a busy machine or a cold cache makes slower counts as script work; waiting for a processor "
    "is spread over linger and sleep (in the windowless emulator's table it is linger inside the callback and sleep outside); looking takes processor time from the client, which lengthens linger a little; the window's "
    "other threads (drawing, sound, menus) are not in the table. Processor time has a resolution of 10 ms, so a part under {least:.3f} ms a frame at 60 fps cannot be distinguished from 0."
)


class Emulating:
    """The thread of mgba-qt in which the game and the scripts run, and the game's own count of frames."""

    def __init__(self, process):
        self.process = process
        tasks = pathlib.Path(f"/proc/{process}/task")
        found = [task for task in tasks.iterdir() if (task / "comm").read_text().strip() == "CPU Thread"]
        if len(found) != 1:
            raise Failure(f"mgba-qt has {len(found)} threads named \"CPU Thread\"")
        self.task = found[0]
        self.calls = SELECT.get(os.uname().machine)
        if not self.calls:
            raise Failure(f"the numbers of select and poll on {os.uname().machine} are not known here")
        self.memory = os.open(f"/proc/{process}/mem", os.O_RDONLY)
        self.look_up = os.open(self.task / "syscall", os.O_RDONLY)
        self.place = until(self.find_counter, "the game's count of frames is found in memory")

    def close(self):
        os.close(self.memory)
        os.close(self.look_up)

    def places(self):
        """Where copies of the block may be."""
        for row in pathlib.Path(f"/proc/{self.process}/maps").read_text().splitlines():
            span, rights, _, _, inode = row.split(None, 5)[:5]
            if not rights.startswith("rw") or inode != "0":
                continue
            first, last = (int(part, 16) for part in span.split("-"))
            try:
                data = os.pread(self.memory, last - first, first)
            except OSError:
                continue
            yield from (first + match.start() for match in re.finditer(BLOCK, data))

    def find_counter(self):
        """The one of them whose counter counts."""
        before = {place + COUNTER: self.count_at(place + COUNTER) for place in self.places()}
        time.sleep(0.2)
        rising = [place for place, count in before.items() if 0 < self.count_at(place) - count < 5000]
        return rising[0] if rising else None

    def count_at(self, place):
        try:
            return struct.unpack("<I", os.pread(self.memory, 4, place))[0]
        except (OSError, struct.error):
            return 0

    def frames(self):
        return self.count_at(self.place)

    def processor(self):
        """Seconds of a processor that the thread has used."""
        fields = (self.task / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK

    def waits_in(self):
        """The number of the call it sleeps in; None while it runs or would like to."""
        call = os.pread(self.look_up, 200, 0).split(b" ", 1)[0].strip()
        return int(call) if call.isdigit() else None

    def account(self):
        """Per frame in SECONDS from now: seconds, of a processor, asleep in select."""
        time.sleep(WARM_UP)
        began, frames, used = time.monotonic(), self.frames(), self.processor()
        seen = []
        while time.monotonic() < began + SECONDS:
            seen.append(self.waits_in())
            time.sleep(random.uniform(0, LONGEST_PAUSE))
        frames = self.frames() - frames
        if frames < 10:
            raise Failure(f"{frames} frames in {SECONDS:g} s")
        seconds, used = time.monotonic() - began, self.processor() - used
        asleep = [call for call in seen if call is not None]
        lingered = max(0.0, seconds - used) * sum(call in self.calls for call in asleep) / max(1, len(asleep))
        return seconds / frames, used / frames, lingered / frames


def row(mode, clients, emulation, account, rate=0.0):
    period, used, lingered = account
    work = max(0.0, used - emulation)
    sleep = max(0.0, period - emulation - work - lingered)
    parts = {"period": period, "emulation": emulation, "work": work, "linger": lingered, "sleep": sleep}
    print(f"{mode}, {clients}: {1 / period:.1f} frames a second", file=sys.stderr, flush=True)
    return {"mode": mode, "clients": clients, "fps": 1 / period, "rate": rate, **{name: 1000 * value for name, value in parts.items()}}


def beside_a_client(thread, port):
    """The budget while one client sends requests back to back, and its replies a second."""
    load = subprocess.Popen(
        [str(FOLDER / "wire-load"), str(port), "1", str(SECONDS + 2 * WARM_UP), "0", "#1 memory.read8 0x02000008<|END|>"], stdout=subprocess.PIPE, text=True
    )
    try:
        account = thread.account()
        found = load.communicate(timeout=SECONDS + 30)[0]
    finally:
        load.kill()
        load.wait()
    if load.returncode:
        raise Failure("the client failed")
    return account, float(found.split()[0])


class Held:
    """A way to run: nothing, or a key held down."""

    def __init__(self, window, key):
        self.window, self.key = window, key

    def __enter__(self):
        if self.key:
            self.window.focus()
            self.window.desktop.key_down(self.key)

    def __exit__(self, *_):
        if self.key:
            self.window.desktop.key_up(self.key)


def measure(desktop, name, options, modes):
    """The rows of one window; `modes` are names, each with the key that is held in it."""
    port = free_port()
    window = Window(desktop, name, GBA, options=options, environment={"MGBA_BRIDGE_PORT": str(port)})
    try:
        thread = Emulating(window.process.pid)
        bare = {}
        for mode, key in modes:
            with Held(window, key):
                bare[mode] = thread.account()
                if bare[mode][2] > 0.01 * bare[mode][0]:
                    raise Failure(f"{mode}: the emulating thread waits in select although no script runs; linger cannot be distinguished from it")
        window.load_script(SCRIPT)
        until(lambda: window.alive() and port in window.listening(), f"the script listens on {port}")
        with Client(port) as client:
            locked(client)
        rows = []
        for mode, key in modes:
            with Held(window, key):
                emulation = bare[mode][1]
                rows.append(row(mode, "no client", emulation, thread.account()))
                rows.append(row(mode, "one client back to back", emulation, *beside_a_client(thread, port)))
        thread.close()
        return rows
    finally:
        window.end()


def main(file):
    desktop = Desktop(FOLDER)
    try:
        rows = measure(desktop, "audio", AUDIO, [("audio sync", None), ("Tab held", "Tab")])
        rows += measure(desktop, "video", VIDEO, [("video sync", None)])
    finally:
        desktop.stop()
    about = "Our test game in the real mgba-qt window"
    budget = {"about": about, "words": WORDS.format(least=1000 * TICK / SECONDS / 60), "rows": rows}
    pathlib.Path(file).write_text(json.dumps(budget), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1])
