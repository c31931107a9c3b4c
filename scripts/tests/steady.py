#!/usr/bin/env python3
"""Asks a URL at a steady rate until SIGTERM, whatever the answers take: steady.py URL REQUESTS-A-SECOND

Prints `asking` after the first answer, and in the end how often each outcome came: `200`, `problem 503 <type>`, or `no answer <why>`.
"""
import collections
import json
import signal
import sys
import threading
import time
import urllib.error
import urllib.request

LIMIT = 15  # seconds; the gateway's own deadline is a fraction of it

outcomes = collections.Counter()
lock = threading.Lock()
stopping = threading.Event()


def ask(url):
    try:
        with urllib.request.urlopen(url, timeout=LIMIT) as response:
            response.read()
            return str(response.status)
    except urllib.error.HTTPError as error:
        try:
            return f"problem {error.code} {json.loads(error.read())['type']}"
        except (ValueError, KeyError):
            return f"no problem document with {error.code}"
    except OSError as error:
        return f"no answer {error}"


def ask_and_count(url):
    outcome = ask(url)
    with lock:
        if not outcomes:
            print("asking", flush=True)
        outcomes[outcome] += 1


def main():
    url, rate = sys.argv[1], float(sys.argv[2])
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    threads = []
    began = time.monotonic()
    while not stopping.wait(max(0, began + len(threads) / rate - time.monotonic())):
        threads.append(threading.Thread(target=ask_and_count, args=(url,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    for outcome, count in sorted(outcomes.items()):
        print(count, outcome)


main()
