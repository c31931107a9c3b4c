#!/usr/bin/env python3
"""Writes the table of commands in docs/protocol.md, section 7, from lua/commands.tsv and the script's command table: commands.py [--check]

--check writes nothing and fails when the table is stale. Both fail when a command is not described, or no transcript shows it."""

import glob
import os
import re
import subprocess
import sys

LUA = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(LUA, "../docs/protocol.md")
TRANSCRIPTS = os.path.join(LUA, "../docs/transcripts/*.txt")
FIRST, LAST = "<!-- commands: written by make lua -->\n", "<!-- end of commands -->\n"
KINDS = """
package.path = "src/?.lua;" .. package.path
require("server.server") -- loads all modules that define commands
for name, row in pairs(require("request.command_table").rows) do
  print(name, row.kind)
end
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(kinds):
    lines, described = ["| command | arguments | reply | kind | notes |\n", "|---|---|---|---|---|\n"], set()
    for line in read(os.path.join(LUA, "commands.tsv")).splitlines():
        if line.startswith("#"):
            continue
        names, arguments, reply, notes = line.split("\t")
        names = names.split()
        unknown = [name for name in names if name not in kinds or name in described]
        if unknown or len({kinds[name] for name in names}) > 1:
            sys.exit(f"lua/commands.tsv: unknown, described twice or of different kinds: {' '.join(unknown or names)}")
        described.update(names)
        cells = " | ".join((" ".join(f"`{name}`" for name in names), arguments, reply, kinds[names[0]], notes))
        lines.append(re.sub(r"\|  +(?=\|)", "| ", f"| {cells} |\n"))
    if described != set(kinds):
        sys.exit(f"lua/commands.tsv does not describe {' '.join(sorted(set(kinds) - described))}")
    return "".join(lines)


def main():
    output = subprocess.run(["lua5.4", "-e", KINDS], cwd=LUA, capture_output=True, text=True, check=True).stdout
    kinds = dict(line.split("\t") for line in output.splitlines())
    sent = "\n".join(line for path in glob.glob(TRANSCRIPTS) for line in read(path).splitlines() if line.startswith(">"))
    missing = [name for name in kinds if not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", sent)]
    if missing:
        sys.exit(f"no transcript in docs/transcripts shows {' '.join(sorted(missing))}")
    text = read(TARGET)
    before, rest = text.split(FIRST)
    wanted = before + FIRST + "\n" + table(kinds) + "\n" + LAST + rest.split(LAST)[1]
    if "--check" not in sys.argv:
        with open(TARGET, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != text:
        sys.exit("the table of commands in docs/protocol.md is stale: run make lua")


main()
