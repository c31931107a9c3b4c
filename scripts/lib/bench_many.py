#!/usr/bin/env python3
"""Measures many emulators of a busy game, each asked a few times a second: bench_many.py HOST SCRIPT OUT

EMULATORS (24), RATE (10 requests a second each), DURATION (20 s), REPEAT (1) and WORK (1000, the game's own work in a frame) change it. The
emulators run first without clients, which gives the processor time of emulation, then with one client each. Requests are sent at their scheduled
times, however long the replies take."""

import heapq
import os
import random
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time

END = b"<|END|>"
RATE_OF_GAME = 16777216 / 280896
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests/python")]
# pylint: disable=wrong-import-position
from processes import processor_seconds  # noqa: E402

HEADER = os.path.join(ROOT, "lua/headless/rom/mgba-bridge-test.gba")  # its first 192 bytes are reused
# ARM code of the game, loaded at 0x080000c0: mode 1 with three backgrounds, objects and blending over random tiles. Each frame it scrolls, runs
# the loop at 4 (load, add, eor, mul, store, a store into video memory) WORK times and halts until the V-blank.
CODE = """
0103a0e3 1f1ca0e3 411081e3 b010c0e1 3f1ca0e3 411081e3 b015c0e1 021ba0e3 081081e3 b215c0e1 011ca0e3 b810c0e1 021ca0e3 ba10c0e1 091ba0e3 bc10c0e1
c010a0e3 b012c0e1 b612c0e1 0810a0e3 b410c0e1 022c80e2 0110a0e3 b010c2e1 0634a0e3 0649a0e3 ac509fe5 056086e0 e66626e0 046083e4 044054e2 faffff1a
0534a0e3 014ba0e3 056086e0 e66626e0 046083e4 044054e2 faffff1a 0734a0e3 014ba0e3 056086e0 e66626e0 037cc6e3 037bc7e3 047083e4 044054e2 f8ffff1a
0284a0e3 004098e5 014084e2 004088e5 b041c0e1 b641c0e1 {work} 042098e5 052082e0 e23323e0 920306e0 042088e5 3f7c06e2 067487e2 b060c7e1 019059e2
f5ffff1a 0110a0e3 022c80e2 b210c2e1 0010a0e3 0111c2e5 e9ffffea b979379e
"""


def number(name, default):
    return type(default)(os.environ.get(name) or default)


EMULATORS, RATE, SECONDS, REPEAT, WORK = number("EMULATORS", 24), number("RATE", 10.0), number("DURATION", 20.0), number("REPEAT", 1), number("WORK", 1000)


def write_game(path):
    if WORK % 4 or not 0 < WORK < 1024:
        sys.exit(f"WORK={WORK} is not a multiple of 4 below 1024")
    move = (0xE3A09F00 | WORK // 4).to_bytes(4, "little").hex()  # mov r9, #WORK
    with open(HEADER, "rb") as file:
        head = bytearray(file.read(0xC0))
    head[:4] = (0xEA00002E).to_bytes(4, "little")  # b 0x080000c0
    with open(path, "wb") as file:
        file.write((bytes(head) + bytes.fromhex(CODE.format(work=move))).ljust(16384, b"\0"))


class Emulator:
    """One mgba-headless process and its client."""

    def __init__(self, host, script, game, folder):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MGBA_BRIDGE_")}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            environment["MGBA_BRIDGE_PORT"] = str(free.getsockname()[1])
        command = [host, "--saves", folder, "--stats", "0", "--script", script, game]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)\.", line) or sys.exit(f"an emulator did not start: {line}")
        self.port, self.socket, self.received, self.sent, self.last = int(found.group(1)), None, b"", {}, 0

    def cpu(self):
        """Seconds of processor time."""
        return processor_seconds(self.process.pid)

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, now):
        self.last += 1
        self.sent[self.last] = now
        self.socket.sendall(b"#%d memory.read32 0x02000000<|END|>" % self.last)

    def receive(self, now):
        """The milliseconds each reply took, and the newest frame."""
        self.received += self.socket.recv(65536)
        *heads, self.received = self.received.split(END)
        words = [head.split() for head in heads]
        if any(word[3] != b"ok" for word in words):
            sys.exit(f"refused: {heads}")
        return [(now - self.sent.pop(int(word[0][1:]))) * 1000 for word in words], int(words[-1][1]) if words else None

    def end(self):
        self.process.terminate()
        self.process.wait()


def ask(emulators, seconds):
    """Sends requests for that time. Returns latencies, the frames a second of each emulator and how late requests were sent."""
    times, frames, late = [], {}, []
    begin = time.monotonic() + 0.1
    due = [(begin + random.random() / RATE, at) for at in range(len(emulators))]
    heapq.heapify(due)
    with selectors.DefaultSelector() as selector:
        for emulator in emulators:
            selector.register(emulator.socket, selectors.EVENT_READ, emulator)
        while due[0][0] < begin + seconds:
            for key, _ in selector.select(max(0.0, due[0][0] - time.monotonic())):
                now = time.monotonic()
                took, frame = key.data.receive(now)
                times += took
                if frame:
                    frames.setdefault(key.data, []).append((now, frame))
            while due[0][0] <= time.monotonic():
                planned, at = heapq.heapreplace(due, (due[0][0] + 1 / RATE, due[0][1]))
                emulators[at].send(planned)
                late.append((time.monotonic() - planned) * 1000)
    rates = [(seen[-1][1] - seen[0][1]) / (seen[-1][0] - seen[0][0]) for seen in frames.values()]
    return sorted(times), rates, sorted(late)


def part(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


def measure(emulators):
    """One row: first without clients' requests, then with them."""
    before = [emulator.cpu() for emulator in emulators]
    begin = time.monotonic()
    time.sleep(SECONDS)
    alone = [(emulator.cpu() - cpu) / (time.monotonic() - begin) for emulator, cpu in zip(emulators, before)]
    ask(emulators, 2)  # the scripts begin to wait for requests
    before, begin = [emulator.cpu() for emulator in emulators], time.monotonic()
    times, rates, late = ask(emulators, SECONDS)
    asked = [(emulator.cpu() - cpu) / (time.monotonic() - begin) for emulator, cpu in zip(emulators, before)]
    time.sleep(2.5)  # they stop waiting
    emulation, total = sum(alone) / len(alone), sum(asked) / len(asked)
    return (
        f"| {len(emulators)} | {RATE:g} | {sum(rates) / len(rates):.2f} | {min(rates):.2f} | {part(times, 0.5):.2f} | {part(times, 0.99):.2f} "
        f"| {times[-1]:.1f} | {part(late, 0.99):.2f} | {emulation:.4f} | {total:.4f} | {total - emulation:.4f} |"
    )


def main():
    host, script, out = sys.argv[1:4]
    lines = [
        "# Many emulators of a busy game",
        "",
        f"One client for each emulator, {SECONDS:g} s; processor time in cores for each emulator. *Late* is how late the client sent (its own p99).",
        "",
        "| emulators | requests/s each | fps | slowest | p50 ms | p99 ms | max ms | late ms | without clients | with | script |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    emulators = []
    with tempfile.TemporaryDirectory() as folder:
        game = os.path.join(folder, "busy.gba")
        write_game(game)
        try:
            for at in range(EMULATORS):
                saves = os.path.join(folder, str(at))
                os.mkdir(saves)
                emulators.append(Emulator(host, script, game, saves))
            time.sleep(3)  # the scripts measure the frame rate
            for emulator in emulators:
                emulator.connect()
            for _ in range(REPEAT):
                lines.append(measure(emulators))
                print(lines[-1], flush=True)
        finally:
            for emulator in emulators:
                emulator.end()
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n\n" + os.environ.get("NOTE", "") + f" Pace: {RATE_OF_GAME:.2f} frames a second.\n")


if __name__ == "__main__":
    main()
