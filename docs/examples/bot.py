#!/usr/bin/env python3
"""Plays the test game with Python's standard library: see README.md."""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid

BASE = os.environ.get("BASE_URL", "http://127.0.0.1:5000")
SCORE = "0x02000094"  # goes up by 17 with each press of A


def call(method, path, body=None, **headers):
    """Sends JSON or bytes; gives back JSON, or bytes."""
    if isinstance(body, dict):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    elif body is not None:
        headers["Content-Type"] = "application/octet-stream"
    request = urllib.request.Request(BASE + path, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = answer.read()
            return json.loads(data) if "json" in answer.headers["Content-Type"] else data
    except urllib.error.HTTPError as error:
        # what went wrong and what to do about it, in one sentence
        sys.exit(f"{method} {path}: {json.loads(error.read())['detail']}")


def score():
    return call("GET", f"/v2/memory/{SCORE}/u32")["value"]


def must(holds, sentence):
    if not holds:
        sys.exit(sentence)


def main():
    # the game writes MBT1 when it has started
    started = call("POST", "/v2/wait", {"all": [{"location": "0x02000000", "type": "u32", "value": 827605581}], "frames": 600})
    must(started["met"], "This is not our test game.")

    before = score()
    state = call("GET", "/v2/state")
    for _ in range(5):
        # with wait the answer comes when the key is up again; a key of its own makes it safe to send the press again
        call("POST", "/v2/keys/tap", {"keys": ["A"], "frames": 2, "wait": True}, **{"Idempotency-Key": str(uuid.uuid4())})
    after = score()
    must(after - before == 85, f"The score went from {before} to {after}.")

    must(call("GET", "/v2/screen")[1:4] == b"PNG", "The picture is not a PNG.")

    call("PUT", "/v2/state", state)
    must(score() == before, "The state did not bring the score back.")
    print(f"Five presses took the score from {before} to {after}, and the state took it back.")


if __name__ == "__main__":
    main()
