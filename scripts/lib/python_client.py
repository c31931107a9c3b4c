#!/usr/bin/python3
"""Writes the operations of the Python package from docs/openapi.json: python_client.py [--check]

--check compares them with the committed file instead.
"""

import json
import keyword
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/openapi.json"
MODULE = ROOT / "clients/python/mgba_bridge/_operations.py"
KEYS = ["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"]
HANGING = "\t"  # before a line of a docstring whose continuation is indented
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = '''"""The operations of the gateway, written by scripts/openapi from docs/openapi.json; do not edit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Concatenate, Literal, NamedTuple, NotRequired, ParamSpec, TypedDict, TypeVar, cast

VERSION = "{version}"
Key = Literal[{keys}]
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Declaration(NamedTuple):
    """How HTTP sends an operation. What is in neither path nor query is a property of the JSON body, or the body itself."""

    method: str
    path: str
    query: tuple[str, ...] = ()
    media: str | None = None
    is_whole: bool = False
    has_holder: bool = False
    is_per_emulator: bool = True


'''


def snake(name):
    name = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name).replace(".", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[.\-_ ]", name))


class Module:
    """The text of the module."""

    def __init__(self, document):
        self.document = document
        self.types, self.named = {}, {}

    def type_of(self, schema, name, is_request):
        """The type of a value; objects get a name."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            return target if self.document["components"]["schemas"][target] else "Any"
        kinds = schema.get("type")
        if isinstance(kinds, list):
            kind = next(one for one in kinds if one != "null")
            return self.type_of({**schema, "type": kind}, name, is_request) + " | None"
        if "enum" in schema:
            return "Key" if schema["enum"] == KEYS else f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
        if kinds == "array":
            return f"{'Sequence' if is_request else 'list'}[{self.type_of(schema['items'], name + 'Item', is_request)}]"
        if kinds == "object" and "properties" in schema:
            text = json.dumps(schema, sort_keys=True)
            if text not in self.named:
                self.named[text] = name
                self.object(name, schema, is_request)
            return self.named[text]
        if kinds == "object":
            values = schema.get("additionalProperties")
            values = self.type_of(values, name + "Value", is_request) if isinstance(values, dict) else "Any"
            return f"{'Mapping' if is_request else 'dict'}[str, {values}]"
        if kinds == "string" and schema.get("format") == "binary":
            return "bytes"
        return SIMPLE.get(kinds, "Any")

    def object(self, name, schema, is_request):
        """Adds a TypedDict."""
        required = schema.get("required", [])
        fields = []
        for field, about in schema["properties"].items():
            kind = self.type_of(about, name + camel(field), is_request)
            fields.append((field, kind if field in required else f"NotRequired[{kind}]", about.get("description", "")))
        about = schema.get("description", "")
        if all(field.isidentifier() and not keyword.iskeyword(field) for field, _, _ in fields):
            lines = [f"class {name}(TypedDict):"]
            lines += docstring([about], 4) if about else []
            for field, kind, sentence in fields:
                lines += comment(sentence) + [f"    {field}: {kind}"]
        else:  # names that a class cannot have
            lines = [f"# {about}"] if about else []
            lines += [f"{name} = TypedDict(", f'    "{name}",', "    {"]
            for field, kind, sentence in fields:
                lines += comment(sentence, 8) + [f"        \"{field}\": '{kind}',"]
            lines += ["    },", ")"]
        self.types[name] = "\n".join(lines) + "\n"

    def operations(self):
        """Name, method, path and description of each that has a request and a response."""
        for path, methods in self.document["paths"].items():
            for method, about in methods.items():
                contents = about["responses"]["200"].get("content", {})
                streams = not contents or any(media.startswith(("text/event-stream", "multipart/", "audio/")) for media in contents)
                if "x-operation" in about and path.startswith("/v2/") and method != "head" and not streams:
                    yield about["x-operation"], method.upper(), path, about

    def answer(self, name, about):
        contents = about["responses"]["200"]["content"]
        kinds = [self.type_of(content.get("schema", {"type": "string", "format": "binary"}), camel(name) + "Answer", False) for content in contents.values()]
        return kinds[0]

    def operation(self, name, method, path, about):
        """The declaration and the method."""
        parameters = about.get("parameters", [])
        declared = [(one, one["schema"], one.get("required", False)) for one in parameters if one["in"] in ("path", "query")]
        media, is_whole = None, False
        if "requestBody" in about:
            (media, content), = about["requestBody"]["content"].items()
            schema = content["schema"]
            is_whole = "$ref" in schema or schema.get("type") != "object"
            if is_whole:
                declared.append(({"name": "body", "description": "The body; text and bytes are sent as they are."}, schema, about["requestBody"].get("required", False)))
            else:
                declared += [({"name": one, "description": part.get("description", "")}, part, one in schema.get("required", [])) for one, part in schema["properties"].items()]
        query = tuple(one["name"] for one in parameters if one["in"] == "query")
        holder = any(one["name"] == "Mgba-Holder" for one in parameters)
        options = [f"{key}={value!r}" for key, value in (("query", query), ("media", media), ("is_whole", is_whole), ("has_holder", holder)) if value]
        options += ["is_per_emulator=False"] if "servers" in about else []
        declaration = f'    "{name}": Declaration({", ".join([json.dumps(method), json.dumps(path), *options])}),'.replace("'", '"')

        needed, optional, lines, passed = [], [], [about["summary"] + "."], []
        if about.get("description"):
            lines += ["", about["description"]]
        arguments = []
        for one, schema, required in declared:
            argument = snake(one["name"])
            kind = self.type_of(schema, camel(name) + camel(one["name"]), True)
            if is_whole and one["name"] == "body":
                kind = "bytes | str" if kind == "bytes" else f"{kind} | bytes | str"
            (needed if required else optional).append(f"{argument}: {kind}" + ("" if required else " | None = None"))
            passed.append(f'"{one["name"]}": {argument}')
            arguments.append(f"{argument}: {one.get('description', '')}{limits(schema)}")
        problems = [f"{status}: {response['description']}" for status, response in about["responses"].items() if status[0] in "45" and status not in ("400", "503")]
        if arguments:
            lines += ["", *(HANGING + line for line in arguments)]
        if problems:
            lines += ["", HANGING + "Problems: " + " ".join(problems)]
        signature = ", ".join(["self", *needed, *(["*", *optional] if optional else [])])
        text = [f"    def {snake(name)}({signature}) -> {self.answer(name, about)}:", *docstring(lines, 8)]
        text.append(f'        return self._call("{name}", {{{", ".join(passed)}}})')
        return declaration, "\n".join(text)

    def text(self):
        for name, schema in self.document["components"]["schemas"].items():
            if schema and name != "Problem":
                self.object(name, schema, name.endswith("Body"))
        declarations, methods, awaited = [], [], []
        for name, method, path, about in sorted(self.operations(), key=lambda one: one[0]):
            declaration, text = self.operation(name, method, path, about)
            declarations.append(declaration)
            methods.append(text)
            awaited.append(f"    {snake(name)} = awaited(Operations.{snake(name)})")
        head = HEAD.format(version=self.document["info"]["version"], keys=", ".join(f'"{key}"' for key in KEYS))
        return "".join([
            head,
            "\n\n".join(self.types.values()),
            "\n\nDECLARATIONS = {\n" + "\n".join(declarations) + "\n}\n\n\n",
            "class Operations:\n    \"\"\"A method for each operation, which sends the request and returns the response.\"\"\"\n\n",
            "    def _call(self, name: str, arguments: dict[str, Any]) -> Any:\n        raise NotImplementedError\n\n",
            "\n\n".join(methods),
            "\n\n\ndef awaited(method: Callable[Concatenate[Any, Parameters], Answer]) -> Callable[Concatenate[Any, Parameters], Awaitable[Answer]]:\n",
            '    """The same method for a class whose `_call` is a coroutine."""\n    return cast(Any, method)\n\n\n',
            "class AsyncOperations:\n    \"\"\"The same methods, to be awaited.\"\"\"\n\n" + "\n".join(awaited) + "\n",
        ])


def limits(schema):
    """Range and default of a value, in brackets."""
    low, high = schema.get("minimum"), schema.get("maximum")
    parts = []
    if low is not None or high is not None:
        parts.append(f"{low} to {high}" if None not in (low, high) else f"from {low}" if high is None else f"up to {high}")
    if "default" in schema:
        parts.append(f"default {json.dumps(schema['default'])}")
    return f" ({'; '.join(parts)})" if parts else ""


def docstring(lines, indent):
    space = " " * indent
    wrapped = []
    for line in lines:
        hang = "  " if line.startswith(HANGING) else ""
        wrapped += textwrap.wrap(line.removeprefix(HANGING).replace("\\", "\\\\"), 150, subsequent_indent=hang, break_long_words=False) or [""]
    if len(wrapped) == 1:
        return [f'{space}"""{wrapped[0]}"""']
    return [f'{space}"""{wrapped[0]}'] + [f"{space}{line}" if line else "" for line in wrapped[1:]] + [f'{space}"""']


def comment(sentence, indent=4):
    return [f"{' ' * indent}# {line}" for line in textwrap.wrap(sentence, 150, break_long_words=False)]


def main(arguments):
    text = Module(json.loads(DOCUMENT.read_text(encoding="utf-8"))).text()
    if arguments == ["--check"]:
        committed = MODULE.read_text(encoding="utf-8") if MODULE.exists() else ""
        sys.exit(0 if text == committed else f"{MODULE.relative_to(ROOT)} is not that of docs/openapi.json: run scripts/lib/python_client.py")
    MODULE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
