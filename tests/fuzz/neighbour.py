#!/usr/bin/env python3
"""Another client of the script, a process of its own: sends small requests one by one until its standard input ends: neighbour.py PORT

Prints a line when it begins, and at the end JSON: for each answered request the monotonic clock when it was sent and answered, and the frames since the answer before.
"""

import json
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
# pylint: disable=wrong-import-position
from mgba_wire import Client  # noqa: E402

PAUSE = 0.003  # seconds between an answer and the next request


def main():
    client, ending, answered = Client(int(sys.argv[1])), threading.Event(), []
    threading.Thread(target=lambda: (sys.stdin.read(), ending.set()), daemon=True).start()
    frame = client.call("ping").frame
    print("ready", flush=True)
    while not ending.wait(PAUSE):
        sent = time.monotonic()
        reply = client.call("ping")
        if reply.status == "ok":
            answered.append((sent, time.monotonic(), reply.frame - frame))
        frame = reply.frame
    print(json.dumps(answered))


main()
