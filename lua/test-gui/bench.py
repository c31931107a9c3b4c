"""The measuring; bench.sh starts it."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from checks import until
from desktop import Desktop, Window
from mgba_wire import END, Client
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(os.environ["GUI_FOLDER"])
GBA = ROOT / "headless/roms/mgba-bridge-test.gba"
SECONDS = float(os.environ.get("BENCH_SECONDS") or 10)
VIDEO = os.environ.get("BENCH_SYNC") == "video"
SYNC = ("-C", "videoSync=1", "-C", "audioSync=0") if VIDEO else ("-C", "audioBuffers=2048")
LOADS = (("serial", 1), ("bot", 1), ("fleet", 20), ("fleet", 64))  # of mgba-bridge-bench wire; clients
SETTLE = float(os.environ.get("BENCH_SETTLE") or 8)  # seconds without clients, in which a script may learn how fast the window goes


class Frames:
    """mGBA's own count of frames, over one connection that stays."""

    def __init__(self, port):
        self.client = Client(port)

    def look(self):
        self.client.socket.sendall(b"core.currentFrame,,," + END)
        while END not in self.client.buffer:
            data = self.client.socket.recv(100)
            if not data:
                raise ConnectionError("the script closed the connection")
            self.client.buffer += data
        text, self.client.buffer = self.client.buffer.split(END, 1)
        return int(text), time.monotonic()

    def during(self, work):
        """Frames a second while `work` runs, and its result."""
        first, began = self.look()
        result = work()
        last, ended = self.look()
        return (last - first) / (ended - began), result


def load(port, shape, clients, dialect):
    """Requests a second, the latencies in ms, and the slowest client against the mean."""
    rows = FOLDER / "rows.jsonl"
    rows.unlink(missing_ok=True)
    options = {"shape": shape, "row": shape, "dialect": dialect, "port": port, "rom": GBA, "out": rows, "seconds": SECONDS, "clients": clients}
    command = ["dotnet", os.environ["BENCH_PROGRAM"], "wire", *(str(word) for name, value in options.items() for word in ("--" + name, value))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 60, check=False)
    if done.returncode != 0:
        return [done.stderr.strip(), "", "", "", ""]
    row = json.loads(rows.read_text(encoding="utf-8"))
    if bad := row["tally"]["bad"]:
        return [f"{bad} without an answer", "", "", "", ""]
    latency = row["latency"]
    return [f"{row['rate']:.0f}", *(f"{latency[name]:.3f}" for name in ("p50", "p99", "max")), f"{row['extra'].get('slowestToMean', 1):.2f}"]


def measure(desktop, script):
    port = free_port()
    window = Window(desktop, script.stem, GBA, options=SYNC, environment={"MGBA_BRIDGE_PORT": str(port)})
    try:
        window.load_script(script)
        until(lambda: window.alive() and port in window.listening().values(), f"{script.name} listens on {port}")
        dialect = "v2" if script.name == "mgba-bridge.lua" else "legacy"
        time.sleep(SETTLE)
        frames = Frames(port)
        rate, _ = frames.during(lambda: time.sleep(SECONDS))
        print(f"| {script.name} | none | | | | | | | {rate:.2f} |", flush=True)
        for shape, clients in LOADS:
            rate, figures = frames.during(lambda: load(port, shape, clients, dialect))
            row = [script.name, clients, "0-30 ms" if shape == "bot" else "none", *figures, f"{rate:.2f}"]
            print("|", " | ".join(map(str, row)), "|", flush=True)
        window.alive()
    finally:
        window.end()


def main(scripts):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"mgba-qt, {'video' if VIDEO else 'audio'} sync, {os.cpu_count()} processors, load before {os.getloadavg()[0]:.1f}, {SECONDS:g} s a row\n")
    print("| script | clients | pauses | requests/s | p50 ms | p99 ms | longest ms | slowest client / mean | frames/s |")
    print("|:-------|--------:|-------:|-----------:|-------:|-------:|-----------:|----------------------:|---------:|", flush=True)
    desktop = Desktop(FOLDER)
    try:
        for script in scripts:
            measure(desktop, pathlib.Path(script).resolve())
    finally:
        desktop.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
