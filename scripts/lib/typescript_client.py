#!/usr/bin/python3
"""Writes the operations of the TypeScript package from docs/openapi.json: typescript_client.py [--check]

--check compares them with the committed file instead.
"""

import json
import re
import sys
import textwrap

import openapi_client
from openapi_client import KEYS, ROOT, camel

TARGET = ROOT / "clients/typescript/src/operations.ts"
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = {"function", "options", "with"}  # names of parameters that a method cannot have
HEAD = """/** The operations of the gateway, written by scripts/openapi from docs/openapi.json; do not edit. */

export const version = '{version}';
export type Key = {keys};

/** How HTTP sends an operation. What is in neither path nor query is a property of the JSON body, or the body itself. */
export interface Declaration {{
  method: string;
  path: string;
  query?: readonly string[];
  media?: string;
  /** Whether the argument `body` is the whole body. */
  isWhole?: boolean;
  /** Whether an idempotency key makes it safe to send again. Steps have none: they end with their connection. */
  isKeyed?: boolean;
  /** Whether it is about the gateway rather than one emulator. */
  isOfGateway?: boolean;
}}

"""


class Module(openapi_client.Module):
    SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
    ANY, BYTES = "unknown", "Uint8Array"

    def nullable(self, kind):
        return kind + " | null"

    def literal(self, values):
        return " | ".join(map(quoted, values))

    def sequence(self, item, is_request):
        return f"{'readonly ' if is_request else ''}{f'({item})' if ' ' in item else item}[]"

    def mapping(self, values, is_request):
        return f"{{ {'readonly ' if is_request else ''}[name: string]: {values} }}"

    def object_type(self, name, about, fields):
        lines = comment([about] if about else [], "") + [f"export interface {name} {{"]
        for field, kind, is_needed, sentence in fields:
            lines += comment([sentence] if sentence else [], "  ") + [f"  {property_name(field)}{'' if is_needed else '?'}: {kind};"]
        return "\n".join([*lines, "}"]) + "\n"

    def operation(self, one):
        """The declaration and the method."""
        fields = {"method": one.method, "path": one.path, "query": list(one.query), "media": one.media, "isWhole": one.is_whole, "isKeyed": one.is_keyed, "isOfGateway": not one.is_per_emulator}
        declaration = ", ".join(f"{name}: {value_text(value)}" for name, value in fields.items() if value)

        needed, options, passed = [], [], []
        lines = [one.about["summary"] + "."]
        if one.about.get("description"):
            lines += ["", one.about["description"]]
        lines += ["", f"Problems: {one.problems}"] if one.problems else []
        lines += [""] if one.arguments else []
        for argument in sorted(one.arguments, key=lambda argument: not argument.is_needed):
            kind = self.argument_type(one, argument)
            if argument.is_body:
                kind = " | ".join(dict.fromkeys([kind, "Uint8Array", "string"]))
            if argument.is_needed:
                name = argument.name + ("_" if argument.name in RESERVED else "")
                needed.append(f"{name}: {kind}")
                passed.append(name if name == argument.name else f"{argument.name}: {name}")
                lines.append(f"@param {name} {argument.sentence}")
            else:
                options.append(f"{property_name(argument.name)}?: {kind}")
                lines.append(f"@param options.{argument.name} {argument.sentence}")
        if options:
            needed.append(f"options: {{ {'; '.join(options)} }} = {{}}")
            passed.append("...options")
        arguments = f"{{ {', '.join(passed)} }}" if passed else "{}"
        text = comment(lines, "  ")
        text += [f"  {method_name(one.name)}({', '.join(needed)}): Promise<{self.answer(one)}> {{", f"    return this.call({quoted(one.name)}, {arguments});", "  }"]
        return f"  {quoted(one.name)}: {{ {declaration} }},", "\n".join(text)

    def text(self):
        operations = [self.operation(one) for one in self.operations()]
        return "".join([
            HEAD.format(version=self.document["info"]["version"], keys=self.literal(KEYS)),
            "\n".join(self.types.values()),
            "\nexport const declarations = {\n" + "\n".join(declaration for declaration, _ in operations) + "\n} satisfies Record<string, Declaration>;\n\n",
            "export type OperationName = keyof typeof declarations;\n\n",
            "/** A method for each operation, which sends the request and returns the response. */\nexport abstract class Operations {\n",
            "  protected abstract call<Answer>(name: OperationName, values: Record<string, unknown>): Promise<Answer>;\n\n",
            "\n\n".join(text for _, text in operations) + "\n}\n",
        ])


def method_name(name):
    name = camel(name)
    return name[0].lower() + name[1:]


def property_name(name):
    return name if IDENTIFIER.fullmatch(name) else quoted(name)


def quoted(text):
    return "'" + json.dumps(text)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def value_text(value):
    if isinstance(value, list):
        return f"[{', '.join(map(quoted, value))}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def comment(lines, indent):
    """Lines as a comment that editors show."""
    wrapped = []
    for line in lines:
        wrapped += textwrap.wrap(line.replace("*/", "* /"), 150, subsequent_indent="  " if line.startswith(("@", "Problems:")) else "", break_long_words=False) or [""]
    if len(wrapped) <= 1:
        return [f"{indent}/** {line} */" for line in wrapped]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in wrapped), f"{indent} */"]


if __name__ == "__main__":
    openapi_client.main(Module, TARGET, sys.argv[1:])
