#!/usr/bin/env python3
"""Requests a URL at a constant rate until SIGTERM, however long the responses take: steady.py URL REQUESTS-PER-SECOND

Prints `requesting` after the first response, and at the end how often each outcome occurred: `200`, `problem 503 <type>`, or `no response <reason>`.
"""
import collections
import json
import signal
import sys
import threading
import time
import urllib.error
import urllib.request

LIMIT = 15  # seconds; longer than the gateway's own timeout

outcomes = collections.Counter()
lock = threading.Lock()
stopping = threading.Event()


def fetch(url):
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
        return f"no response {error}"


def fetch_and_count(url):
    outcome = fetch(url)
    with lock:
        if not outcomes:
            print("requesting", flush=True)
        outcomes[outcome] += 1


def main():
    url, rate = sys.argv[1], float(sys.argv[2])
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    threads = []
    began = time.monotonic()
    while not stopping.wait(max(0, began + len(threads) / rate - time.monotonic())):
        threads.append(threading.Thread(target=fetch_and_count, args=(url,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    for outcome, count in sorted(outcomes.items()):
        print(count, outcome)


main()
