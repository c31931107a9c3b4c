"""Requests made from docs/openapi.json: valid ones, and ones with wrong types, extremes, unknown fields and broken bodies."""

import json
import re
import urllib.parse

from fuzzing import ROOT, to_bytes, to_text

SCALARS = [
    0, -1, 1, 2, 5, 16, 255, 256, 65535, 65536, 36000, 36001, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30, 0.5, -0.0, 1e308, True, False, None,
    "", "0", "x", "0x02001000", "0x02000008", "wram:0x10", "wram:-1", "nope:0", "0xFFFFFFFFFF", "A", "u8", "text", "bytes", "AQID", "a" * 64, "b" * 65, "é€😀", "\0", "..", "../x", "%00", "c" * 3000,
    [], {}, [[]], [0], ["A"], {"x": 1}, [None], [{}], ["A"] * 200,
]
RAW = ["NaN", "1e999", "9" * 400, "-", "\"\\ud800\"", "\"\\x\"", "tru", "'a'", "[1,]", "{\"a\":}", "\"" + "q" * 70000 + "\"", "[" * 200 + "]" * 200, "{\"a\":" * 100 + "1" + "}" * 100]
TEXTS = ["", "0", "1", "-1", "x", "0x02000000", "0x02001000", "wram:0x10", "wram:0x40000", "nope:1", "4294967296", "9" * 40, "1.5", "true", "a b", "a/b", "..", "%", "é", "\0", "\n", "z" * 300, "r0", "frames", "1,2", "game,frame/1"]
HEADERS = {
    "Accept": ["*/*", "image/png", "application/octet-stream", "text/html", "application/json;q=0", "x", ",", "a" * 500],
    "Content-Type": ["application/json", "application/json; charset=utf-8", "text/plain", "application/octet-stream", "multipart/form-data", "x", ""],
    "Mgba-Holder": ["bot-1", "http", "compat", "a b", "x" * 65, "", "lease", "ö"],
    "Idempotency-Key": ["k", "x" * 255, "x" * 256, "", "a b"],
    "If-None-Match": ["*", "\"x\"", "W/\"1\"", ","],
    "Prefer": ["wait=1", "wait=0", "wait=-1", "wait=x", "respond-async, wait=1"],
    "Range": ["bytes=0-1"],
    "Content-Encoding": ["gzip", "identity"],
    "Accept-Encoding": ["gzip", "br;q=0"],
    "traceparent": ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"],
    "Origin": ["http://localhost", "http://evil.example", "null"],
}
KIND_OF = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
STREAMS = ("/v2/events", "/v2/holder/stream", "/v2/screen/stream", "/v2/sound", "/v2/ws")
MAY_WAIT = re.compile(r"/v2/(wait|keys/(tap|sequence)|batch|lease/step|replay|memory|emulators|recordings|rewind)|/mgba-http/|/core/")
STATE_CHANGING = re.compile(r"/v2/(emulators|rom)")


class Operation:
    """One operation of the document."""

    def __init__(self, path, method, entry, components):
        self.name, self.path, self.method, self.role, self.parameters = entry.get("x-operation"), path, method.upper(), entry.get("x-role"), entry.get("parameters", [])
        self.schemas, shared = components["schemas"], components["responses"]
        responses = {int(status): shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for status, one in entry["responses"].items()}
        self.contents = {status: {media.split(";")[0]: about.get("schema", {}) for media, about in one.get("content", {}).items()} for status, one in responses.items()}
        content = entry.get("requestBody", {}).get("content", {})
        self.json = content.get("application/json", {}).get("example")
        self.media = next(iter(content), None)
        outside = {one["name"]: one["example"] for one in self.parameters if one["in"] != "header" and "example" in one}
        self.example = {**(self.json if isinstance(self.json, dict) else {}), **outside}

    def is_at(self, path):
        """Whether a path without dot segments belongs to it."""
        return re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(self.path)), path) is not None

    def undocumented(self, status, media, data):
        """What of an answer the document does not have, or None. A path of mGBA-http may leave the text of a failure out."""
        known = self.contents.get(status)
        if known is None or (media not in known if data else known and "text/plain" not in known):
            return f"status {status} with {media} is not documented: {data[:300]!r}"
        if data and media in ("application/json", "application/problem+json"):
            wrong = mismatch(json.loads(data), known[media], self.schemas)
            return wrong and f"status {status} has a body that is not the documented one: {wrong}: {data[:300]!r}"
        return None


def mismatch(value, schema, schemas, place="$"):
    """Where a value is not what a schema of the document says, or None."""
    if "$ref" in schema:
        return mismatch(value, schemas[schema["$ref"].rpartition("/")[2]], schemas, place)
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and KIND_OF[type(value)] not in kinds and not (type(value) is int and "number" in kinds):
        return f"{place} is {value!r:.50}, not {' or '.join(kinds)}"
    if "const" in schema and value != schema["const"]:
        return f"{place} is {value!r:.50}, not {schema['const']!r}"
    if "enum" in schema and value is not None and value not in schema["enum"]:
        return f"{place} is {value!r:.50}, none of the enum"
    if isinstance(value, list):
        return next(filter(None, (mismatch(item, schema.get("items", {}), schemas, f"{place}[{at}]") for at, item in enumerate(value))), None)
    if not isinstance(value, dict):
        return None
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    if missing := [name for name in schema.get("required", []) if name not in value]:
        return f"{place} lacks {missing}"
    if properties and "additionalProperties" not in schema and (unknown := [name for name in value if name not in properties]):
        return f"{place} has {unknown}, which the document does not"
    parts = ((name, properties.get(name, others if isinstance(others, dict) else {})) for name in value)
    return next(filter(None, (mismatch(value[name], part, schemas, f"{place}.{name}") for name, part in parts)), None)


def operations():
    with open(ROOT / "docs/openapi.json", encoding="utf-8") as file:
        document = json.load(file)
    return [Operation(path, method, entry, document["components"]) for path, methods in document["paths"].items() for method, entry in methods.items() if method != "parameters"]


class Messages:
    """The messages of a WebSocket that docs/asyncapi.json has."""

    def __init__(self):
        with open(ROOT / "docs/asyncapi.json", encoding="utf-8") as file:
            document = json.load(file)
        self.schemas = document["components"]["schemas"]
        messages = document["channels"]["webSocket"]["messages"]
        self.hello, self.problem = messages["hello"]["payload"], messages["problem"]["payload"]
        self.answers = {one["x-operation"]: [messages[message["$ref"].rpartition("/")[2]]["payload"] for message in one["reply"]["messages"]]
                        for one in document["operations"].values() if "x-operation" in one}
        self.events = {one["payload"]["properties"]["event"]["const"]: one["payload"] for one in messages.values() if "event" in one["payload"]["properties"]}

    def undocumented(self, message, names):
        """What of a message of the gateway the document does not have, or None. `names` are those of the operations that were requested under its id."""
        if "event" in message:
            known = [self.events[message["event"]]] if message["event"] in self.events else []
        elif "hello" in message:
            known = [self.hello]
        else:
            known = [self.problem, *(answer for name in names for answer in self.answers.get(name, []))]
        wrong = [mismatch(message, schema, self.schemas) for schema in known]
        return None if None in wrong else f"a message that is not documented: {wrong}: {json.dumps(message)[:300]}"


def problem_names():
    """The names of problems that docs/operating.md lists."""
    text = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([a-z][a-z-]+)`", text.split("\n## Failures\n")[1].split("\n## ")[0]))


def mutated(rng, value, depth=0):
    """A JSON value that differs somewhere."""
    what = rng.random()
    if isinstance(value, dict) and value and what < 0.85:
        result = dict(value)
        key = rng.choice(list(result))
        if what < 0.1:
            del result[key]
        elif what < 0.2:
            result[rng.choice(("unknown", "", "__proto__", key.upper(), "x" * 500))] = rng.choice(SCALARS)
        else:
            result[key] = mutated(rng, result[key], depth + 1)
        return result
    if isinstance(value, list) and value and what < 0.8:
        result = list(value)
        at = rng.randrange(len(result))
        if what < 0.1:
            del result[at]
        elif what < 0.25:
            result = result * rng.choice((2, 30, 300))
        else:
            result[at] = mutated(rng, result[at], depth + 1)
        return result
    return rng.choice(SCALARS)


def json_body(rng, example):
    """The bytes of a JSON body."""
    value = example
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        value = mutated(rng, value)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    what = rng.random()
    if what < 0.05:
        parts = re.findall(r'"[^"]*"|[^"]+', text)
        parts[rng.randrange(len(parts))] = rng.choice(RAW)
        text = "".join(parts)
    elif what < 0.08:
        text = text[: rng.randrange(len(text) + 1)]
    elif what < 0.1:
        text += rng.choice((" ", "x", "{}", "\0", "//c"))
    data = text.encode("utf-8", "surrogatepass")
    if what > 0.97 and data:
        at = rng.randrange(len(data))
        data = data[:at] + rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0")) + data[at:]
    return data


def make(rng, operation, samples):
    """A request as a dictionary that can be written as JSON."""
    path, query, headers = operation.path, [], {}
    for parameter in operation.parameters:
        name, place, example = parameter["name"], parameter["in"], parameter.get("example", "")
        example = ",".join(example) if isinstance(example, list) else str(example)
        value = example if rng.random() < 0.7 else rng.choice(TEXTS)
        if place == "path":
            path = path.replace(f"{{{name}}}", urllib.parse.quote(value.replace("\0", "") or "x", safe=""))  # the server itself refuses %00 in a path
        elif place == "query" and (parameter.get("required") or rng.random() < 0.5) and rng.random() < 0.95:
            query.append([name, value])
        elif place == "header" and rng.random() < 0.2:
            headers[name] = example
    if rng.random() < 0.05:
        query.append([rng.choice(("unknown", "", "type")), rng.choice(TEXTS)])
    for name, values in HEADERS.items():
        if rng.random() < 0.04:
            headers[name] = rng.choice(values)
    body = None
    if operation.json is not None:
        body = json_body(rng, operation.json)
        headers.setdefault("Content-Type", "application/json")
    elif operation.media:
        body = rng.choice((b"", b"\0", rng.randbytes(rng.choice((1, 5, 100, 5000))), *samples))
        headers.setdefault("Content-Type", operation.media)
    if body is not None and rng.random() < 0.02:
        body = None
    if rng.random() < 0.02:
        body = rng.randbytes(20)
    return {"method": operation.method, "operation": operation.path, "path": path, "query": query, "headers": headers, "body": None if body is None else to_text(body)}


def target(made):
    return made["path"] + ("?" + urllib.parse.urlencode([tuple(pair) for pair in made["query"]]) if made["query"] else "")


def body_of(made):
    return None if made["body"] is None else to_bytes(made["body"])


def parts_of(made):
    """The parts that a reproduction may not need: query parameters and headers."""
    return [("query", pair) for pair in made["query"]] + [("header", pair) for pair in made["headers"].items()]


def of_parts(made, parts):
    return {**made, "query": [pair for kind, pair in parts if kind == "query"], "headers": dict(pair for kind, pair in parts if kind == "header")}
