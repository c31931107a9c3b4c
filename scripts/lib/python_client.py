#!/usr/bin/python3
"""Writes the operations of the Python package from docs/openapi.json: python_client.py [--check]

--check compares them with the committed file instead.
"""

import json
import keyword
import re
import sys
import textwrap

import openapi_client
from openapi_client import KEYS, ROOT

TARGET = ROOT / "clients/python/mgba_bridge/_operations.py"
HANGING = "\t"  # before a line of a docstring whose continuation is indented
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


class Module(openapi_client.Module):
    SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
    ANY, BYTES = "Any", "bytes"

    def nullable(self, kind):
        return kind + " | None"

    def literal(self, values):
        return f"Literal[{', '.join(map(json.dumps, values))}]"

    def sequence(self, item, is_request):
        return f"{'Sequence' if is_request else 'list'}[{item}]"

    def mapping(self, values, is_request):
        return f"{'Mapping' if is_request else 'dict'}[str, {values}]"

    def object_type(self, name, about, fields):
        """A TypedDict."""
        fields = [(field, kind if is_needed else f"NotRequired[{kind}]", sentence) for field, kind, is_needed, sentence in fields]
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
        return "\n".join(lines) + "\n"

    def operation(self, one):
        """The declaration and the method."""
        options = [f"{key}={value!r}" for key, value in (("query", one.query), ("media", one.media), ("is_whole", one.is_whole), ("has_holder", one.has_holder)) if value]
        options += [] if one.is_per_emulator else ["is_per_emulator=False"]
        declaration = f'    "{one.name}": Declaration({", ".join([json.dumps(one.method), json.dumps(one.path), *options])}),'.replace("'", '"')

        needed, optional, passed = [], [], []
        for argument in one.arguments:
            name, kind = snake(argument.name), self.argument_type(one, argument)
            if argument.is_body:
                kind = "bytes | str" if kind == "bytes" else f"{kind} | bytes | str"
            (needed if argument.is_needed else optional).append(f"{name}: {kind}" + ("" if argument.is_needed else " | None = None"))
            passed.append(f'"{argument.name}": {name}')
        lines = [one.about["summary"] + "."]
        if one.about.get("description"):
            lines += ["", one.about["description"]]
        if one.arguments:
            lines += ["", *(f"{HANGING}{snake(argument.name)}: {argument.sentence}" for argument in one.arguments)]
        if one.problems:
            lines += ["", f"{HANGING}Problems: {one.problems}"]
        signature = ", ".join(["self", *needed, *(["*", *optional] if optional else [])])
        text = [f"    def {snake(one.name)}({signature}) -> {self.answer(one)}:", *docstring(lines, 8)]
        text.append(f'        return self._call("{one.name}", {{{", ".join(passed)}}})')
        return declaration, "\n".join(text)

    def text(self):
        declarations, methods, awaited = [], [], []
        for one in self.operations():
            declaration, text = self.operation(one)
            declarations.append(declaration)
            methods.append(text)
            awaited.append(f"    {snake(one.name)} = awaited(Operations.{snake(one.name)})")
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


if __name__ == "__main__":
    openapi_client.main(Module, TARGET, sys.argv[1:])
