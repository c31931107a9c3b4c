"""What the programs share that write the operations of a client package from docs/openapi.json."""

import json
import pathlib
import re
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/openapi.json"
KEYS = ["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"]
EVENTS = "text/event-stream"
STREAMS = (EVENTS, "multipart/", "audio/")


class Argument(NamedTuple):
    """A parameter of the path, of the query or of the body, or the whole body."""

    name: str
    schema: dict
    is_needed: bool
    about: str
    is_body: bool = False

    @property
    def sentence(self):
        """What it is, and its limits."""
        return f"{self.about}{limits(self.schema)}"


class Operation(NamedTuple):
    """An operation that has a request and a response. What is in neither path nor query is a property of the JSON body, or with is_whole the body itself."""

    name: str
    method: str
    path: str
    about: dict
    arguments: list
    query: tuple
    media: str | None
    is_whole: bool
    has_holder: bool
    is_per_emulator: bool

    @property
    def is_keyed(self):
        """Whether an idempotency key makes it safe to send again. Steps have none: they end with their connection."""
        return self.has_holder and not self.name.startswith(("lease.", "vector."))

    @property
    def problems(self):
        """Its failures that others do not have, as one line."""
        return " ".join(f"{status}: {response['description']}" for status, response in self.about["responses"].items() if status[0] in "45" and "$ref" not in response and status not in ("400", "503"))


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[.\-_ ]", name))


def limits(schema):
    """Range and default of a value, in brackets."""
    low, high = schema.get("minimum"), schema.get("maximum")
    parts = []
    if low is not None or high is not None:
        parts.append(f"{low} to {high}" if None not in (low, high) else f"from {low}" if high is None else f"up to {high}")
    if "default" in schema:
        parts.append(f"default {json.dumps(schema['default'])}")
    return f" ({'; '.join(parts)})" if parts else ""


class Module:
    """The text of the file. What differs between languages is in the classes of python_client.py, typescript_client.py and csharp_client.py."""

    SIMPLE = {}  # the types of strings, numbers and truth values
    ANY = BYTES = ""

    def __init__(self, document):
        self.document = document
        self.types, self.named = {}, {}
        for name, schema in document["components"]["schemas"].items():
            if schema and name != "Problem":
                self.object(name, schema, name.endswith("Body"))

    def type_of(self, schema, name, is_request):
        """The type of a value; objects get a name."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            return target if self.document["components"]["schemas"][target] else self.ANY
        kinds = schema.get("type")
        if isinstance(kinds, list):
            kind = next(one for one in kinds if one != "null")
            return self.nullable(self.type_of({**schema, "type": kind}, name, is_request))
        if "enum" in schema:
            return "Key" if schema["enum"] == KEYS else self.literal(schema["enum"])
        if kinds == "array":
            return self.sequence(self.type_of(schema["items"], name + "Item", is_request), is_request)
        if kinds == "object" and "properties" in schema:
            text = json.dumps(schema, sort_keys=True)
            if text not in self.named:
                self.named[text] = name
                self.object(name, schema, is_request)
            return self.named[text]
        if kinds == "object":
            values = schema.get("additionalProperties")
            return self.mapping(self.type_of(values, name + "Value", is_request) if isinstance(values, dict) else self.ANY, is_request)
        if kinds == "string" and schema.get("format") == "binary":
            return self.BYTES
        return self.SIMPLE.get(kinds, self.ANY)

    def object(self, name, schema, is_request):
        """Adds the type of an object."""
        required = schema.get("required", [])
        fields = [(field, self.type_of(about, name + camel(field), is_request), field in required, about.get("description", "")) for field, about in schema["properties"].items()]
        self.types[name] = self.object_type(name, schema.get("description", ""), fields)

    def events(self):
        """The names of the types that streams of events have."""
        contents = (about["responses"].get("200", {}).get("content", {}) for methods in self.document["paths"].values() for about in methods.values())
        schemas = {one[EVENTS].get("schema", {}).get("$ref", "") for one in contents if EVENTS in one}
        return sorted(schema.rpartition("/")[2] for schema in schemas if schema)

    def operations(self):
        """All operations that are not streams, by name."""
        found = []
        for path, methods in self.document["paths"].items():
            for method, about in methods.items():
                contents = about["responses"].get("200", {}).get("content", {})
                is_stream = not contents or any(media.startswith(STREAMS) for media in contents)
                if "x-operation" in about and path.startswith("/v2/") and method != "head" and not is_stream:
                    found.append(operation(method.upper(), path, about))
        return sorted(found, key=lambda one: one.name)

    def answer(self, one):
        """The type of the response, of several media types that of the first."""
        content = next(iter(one.about["responses"]["200"]["content"].values()))
        return self.type_of(content.get("schema", {"type": "string", "format": "binary"}), camel(one.name) + "Answer", False)

    def argument_type(self, one, argument):
        return self.type_of(argument.schema, camel(one.name) + camel(argument.name), True)


def operation(method, path, about):
    parameters = about.get("parameters", [])
    arguments = [Argument(one["name"], one["schema"], one.get("required", False), one.get("description", "")) for one in parameters if one["in"] in ("path", "query")]
    media, is_whole = None, False
    if "requestBody" in about:
        (media, content), = about["requestBody"]["content"].items()
        schema = content["schema"]
        is_whole = "$ref" in schema or schema.get("type") != "object"
        if is_whole:
            arguments.append(Argument("body", schema, about["requestBody"].get("required", False), "The body; text and bytes are sent as they are.", True))
        else:
            arguments += [Argument(name, part, name in schema.get("required", []), part.get("description", "")) for name, part in schema["properties"].items()]
    query = tuple(one["name"] for one in parameters if one["in"] == "query")
    has_holder = any(one["name"] == "Mgba-Holder" for one in parameters)
    return Operation(about["x-operation"], method, path, about, arguments, query, media, is_whole, has_holder, "servers" not in about)


def main(module, target, arguments):
    """Writes the file, or with --check compares it with the committed one."""
    text = module(json.loads(DOCUMENT.read_text(encoding="utf-8"))).text()
    if arguments == ["--check"]:
        committed = target.read_text(encoding="utf-8") if target.exists() else ""
        sys.exit(0 if text == committed else f"{target.relative_to(ROOT)} is not that of docs/openapi.json: run {pathlib.Path(sys.argv[0]).resolve().relative_to(ROOT)}")
    target.write_text(text, encoding="utf-8")
