#!/usr/bin/env python3
"""Compares two gateways by everything they offer: dist_endpoints.py BASE-URL BASE-URL

Sends each operation of the OpenAPI document with its documented example to both, then the same conversation over their WebSockets, and compares status,
content type and form of the responses. Each gateway has an emulator of its own, which gets the same requests in the same order. Numbers may differ.
"""

import json
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/examples"))
sys.dont_write_bytecode = True
from mgba_socket import MgbaSocket, Refused  # noqa: E402

LIMIT = 60  # seconds that a response may take on a busy machine
MAGIC = int.from_bytes(b"MBT1", "little")
STREAMS = ("text/event-stream", "multipart/", "audio/")
OTHER_PAGES = ["/", "/docs", "/docs/index.html", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/openapi/v1.json", "/i/1/v2/status", "/nothing/here"]


def shape(value):
    """What stays the same from run to run: the names and kinds of the fields, and words."""
    if isinstance(value, dict):
        return {key: "any" if key in ("traceId", "bytes", "hash", "pixels") else shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    if isinstance(value, str):
        return words(value)
    return type(value).__name__


def alike(first, second):
    """Whether two forms agree; an empty list agrees with any, because how many entries there are depends on the time."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(alike(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return not first or not second or (len(first) == len(second) and all(map(alike, first, second)))
    return first == second


def difference(answer, other):
    """What only this answer has: of text, its lines."""
    body, others = answer["body"], other["body"]
    lines = sorted(set(body) - set(others)) if body and others and all(isinstance(part, list) and isinstance(part[0], str) for part in (body, others)) else body
    return str({**answer, "body": lines})[:1500]


def words(text):
    if re.fullmatch(r"[0-9a-f]{2}(,[0-9a-f]{2})+", text):
        return "bytes"
    return re.sub(r"[0-9a-f]*[0-9][0-9a-f.:TZE+-]*", "#", text)


def form(kind, body):
    if "json" in kind:
        return shape(json.loads(body)) if body else None
    if kind.startswith("image/png"):
        return body[:24].hex() + " .. " + body[-12:].hex()
    if kind.startswith("application/octet-stream"):
        return len(body)
    if "html" in kind or "javascript" in kind or "css" in kind:
        return re.sub(r'[^\s"<>;]*mgba-bridge\.lua', "mgba-bridge.lua", body.decode())  # the folder is not the same
    lines = body.decode(errors="replace").splitlines()
    return sorted(set(re.sub(r'"[^"]*"', '"#"', words(line)) for line in lines if "dotnet_exceptions" not in line))  # there from the first exception on


def ask(base, method, path, body=None, kind=None):
    headers = {"Mgba-Holder": "bot-1", **({"Content-Type": kind} if kind else {})}
    request = urllib.request.Request(base + path, data=body, method=method, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=LIMIT)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        kind = response.headers.get("Content-Type", "")
        data = response.read(1) if kind.startswith(STREAMS) else response.read()
        return {"status": response.status, "type": kind, "body": None if kind.startswith(STREAMS) else form(kind, data.replace(base.encode(), b"BASE"))}


def requests(document):
    """Each operation as method, path, body and content type: GET first, because others change the game."""
    for want_get in (True, False):
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if method in ("get", "put", "post", "delete") and (method == "get") == want_get and path != "/v2/ws":
                    yield method.upper(), *request_of(path, operation)


def request_of(path, operation):
    query = {}
    for parameter in operation.get("parameters", []):
        example = parameter.get("example", parameter.get("schema", {}).get("example"))
        if parameter.get("in") == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(example))
        elif parameter.get("in") == "query" and parameter.get("required"):
            query[parameter["name"]] = example
    path += "?" + urllib.parse.urlencode(query) if query else ""
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        examples = list(content.get("examples", {}).values())
        example = content.get("example", examples[0].get("value") if examples else None)
        return path, json.dumps(example).encode() if "json" in kind and example is not None else b"\0\0\0\0", kind
    return path, None, None


def wait_for_start(base):
    """Until the test game has cleared its memory after a reset, and has written its magic."""
    end = time.monotonic() + LIMIT
    while json.load(urllib.request.urlopen(base + "/v2/memory/0x02000000/u32", timeout=LIMIT))["value"] != MAGIC:
        if time.monotonic() > end:
            sys.exit(f"{base}: the game did not start within {LIMIT} s")


def conversation(base):
    """Requests, bytes, an event and a refusal over the WebSocket."""
    said = []
    with MgbaSocket(base) as game:
        said.append(shape(game.hello))
        said.append(shape(game.call("memory.gather", {"reads": [{"location": "0x02000008", "type": "u32"}]})))
        said.append(shape(game.call("keys.tap", {"keys": ["A"], "frames": 2})))
        body, picture = game.call("screen.get", binary=True)
        said += [shape(body), picture[:16].hex()]
        for op, body in (("subscribe", {"topics": ["frame/1"]}), ("nonsense", {})):
            try:
                said.append(shape(game.call(op, body)))
            except Refused as refusal:
                said.append(shape(refusal.problem))
        game.call("lease.take")
        said.append(shape(game.call("lease.step", {"frames": 1, "keys": "A", "items": [{"read": {"location": "0x02000008", "type": "u32"}}]})))
    return said


def main():
    first, second = sys.argv[1:3]
    document = json.load(urllib.request.urlopen(first + "/openapi/v1.json", timeout=LIMIT))
    compared = succeeded = 0
    wrong = []
    for method, path, body, kind in [*(("GET", path, None, None) for path in OTHER_PAGES), *requests(document)]:
        expected, found = (ask(base, method, path, body, kind) for base in (first, second))
        if path.endswith("/reset"):
            wait_for_start(first)
            wait_for_start(second)
        compared += 1
        succeeded += found["status"] < 300
        if not alike(expected, found):
            wrong.append(f"{method} {path}\n  compiled {difference(expected, found)}\n  packed   {difference(found, expected)}")
    said = [conversation(base) for base in (first, second)]
    if not alike(*said):
        wrong.append(f"WebSocket\n  compiled {said[0]}\n  packed   {said[1]}")
    print("\n".join(wrong))
    print(f"{compared} requests compared, {succeeded} of them successful, {len(wrong)} different")
    if succeeded < compared * 0.6:
        sys.exit("too few requests succeeded to say something about the program")
    sys.exit(1 if wrong else 0)


main()
