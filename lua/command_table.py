#!/usr/bin/env python3
"""Writes the table of commands in docs/protocol.md, section 7, from the modules in lua/src: command_table.py [--check]

A comment before the definition of a command gives the cells of its row; @arguments, @reply and @notes may be missing:

    --- @command core.foo
    --- @arguments location; `wait=true`
    --- @reply integer
    --- @notes one line, or several that
    ---   continue with two more spaces

Commands that are described alike share a row: `@command keys.set keys.add`. The kind comes from the command itself.
--check writes nothing and fails when the table is stale. Both fail when a command has no comment, or no transcript shows it."""

import glob
import os
import re
import subprocess
import sys

LUA = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(LUA, "../docs/protocol.md")
TRANSCRIPTS = os.path.join(LUA, "../docs/transcripts/*.txt")
FIRST, LAST = "<!-- commands: written by make lua -->\n", "<!-- end of commands -->\n"
TAGS = ("arguments", "reply", "notes")
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


def described():
    """The rows: names, and the text of each tag."""
    rows = []
    for path in sorted(glob.glob(os.path.join(LUA, "src/**/*.lua"), recursive=True)):
        row, tag = None, None
        for line in read(path).splitlines():
            if match := re.fullmatch(r"--- @(\w+) (.+)", line):
                tag, text = match.groups()
                if tag == "command":
                    row = {"path": os.path.relpath(path, LUA), "names": text.split()}
                    rows.append(row)
                elif row is None or tag not in TAGS or tag in row:
                    sys.exit(f"{os.path.relpath(path, LUA)}: unexpected comment: {line}")
                else:
                    row[tag] = text
            elif row and tag in row and line.startswith("---   "):
                row[tag] += " " + line[6:]
            else:
                row, tag = None, None
    return rows


def table(kinds):
    lines, seen = [], set()
    for row in described():
        names = row["names"]
        wrong = [name for name in names if name not in kinds or name in seen]
        if wrong or len({kinds[name] for name in names}) > 1:
            sys.exit(f"lua/{row['path']}: unknown, described twice or of different kinds: {' '.join(wrong or names)}")
        seen.update(names)
        arguments, reply, notes = (row.get(tag, "") for tag in TAGS)
        cells = " | ".join((" ".join(f"`{name}`" for name in names), arguments, reply, kinds[names[0]], notes))
        lines.append((names[0], re.sub(r"\|  +(?=\|)", "| ", f"| {cells} |\n")))
    if missing := set(kinds) - seen:
        sys.exit(f"no comment `--- @command` in lua/src describes {' '.join(sorted(missing))}")
    return "| command | arguments | reply | kind | notes |\n|---|---|---|---|---|\n" + "".join(line for _, line in sorted(lines))


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
