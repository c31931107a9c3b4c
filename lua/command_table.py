#!/usr/bin/env python3
"""Writes what is generated from the command table of the script: command_table.py [--check]

These are the tables of commands and events in docs/protocol.md, section 7, that of topics in docs/playing.md, and the gateway's Commands.g.cs
(csharp.py).

A comment before the definition of a command gives the cells of its row, and the C# type of the command (csharp.py describes it); all but @command may
be missing, and @arguments is needed where the row itself does not say enough:

    --- @command game.foo
    --- @type Foo(Location, Wait) What it does, in a sentence.
    --- @arguments location; `wait=true`
    --- @reply integer
    --- @notes one line, or several that
    ---   continue with two more spaces

Commands that are described alike share a row: `@command keys.set keys.add`. The kind comes from the command itself.
--check writes nothing and fails when one of them is stale. Both fail when a command has no comment, or no transcript shows it."""

import glob
import json
import os
import re
import subprocess
import sys

import csharp

LUA = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(LUA, "../docs/protocol.md")
TRANSCRIPTS = os.path.join(LUA, "../docs/transcripts/*.txt")
PLAYING = os.path.join(LUA, "../docs/playing.md")
COMMANDS = ("<!-- commands: written by make lua -->\n", "<!-- end of commands -->\n")
EVENTS = ("<!-- events: written by make lua -->\n", "<!-- end of events -->\n")
TOPICS = ("<!-- topics: written by make lua -->\n", "<!-- end of topics -->\n")
CELLS = ("arguments", "reply", "notes")
TAGS = ("type", *CELLS)


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


def arguments_of(row):
    """The cell of the arguments as the row has them: `key …; `frames=4 wait=false``."""
    words = [*row["argument_names"], *(f"{kind} …" for kind in row.get("repeats", []))]
    named = [f"{name}={'' if (row['defaults'] or {}).get(name) is None else json.dumps(row['defaults'][name])}" for name in row["named_names"]]
    parts = [" ".join(words)] * bool(words) + ["tail"] * (row["tail"] == "takes") + [f"`{' '.join(named)}`"] * bool(named)
    return "; ".join(parts)


def table(rows, descriptions):
    kinds = {name: row["kind"] for name, row in rows.items()}
    lines, seen = [], set()
    for row in descriptions:
        names = row["names"]
        wrong = [name for name in names if name not in kinds or name in seen]
        if wrong or len({kinds[name] for name in names}) > 1:
            sys.exit(f"lua/{row['path']}: unknown, described twice or of different kinds: {' '.join(wrong or names)}")
        seen.update(names)
        arguments, reply, notes = (row.get(tag, "") for tag in CELLS)
        arguments = arguments or arguments_of(rows[names[0]])
        cells = " | ".join((" ".join(f"`{name}`" for name in names), arguments, reply, kinds[names[0]], notes))
        lines.append((names[0], re.sub(r"\|  +(?=\|)", "| ", f"| {cells} |\n")))
    if missing := set(kinds) - seen:
        sys.exit(f"no comment `--- @command` in lua/src describes {' '.join(sorted(missing))}")
    return "| command | arguments | reply | kind | notes |\n|---|---|---|---|---|\n" + "".join(line for _, line in sorted(lines))


def topics(dump):
    rows = [(example, sentence) for topic in dump["topics"] for example, sentence in topic["examples"]]
    return "| topic | event |\n|---|---|\n" + "".join(f"| `{example}` | {sentence} |\n" for example, sentence in rows)


def wire_value(name, kind=None, sentence=None, place=None):
    """A value of an event as the script writes it."""
    written = "tail" if kind in ("bytes", "lines", "samples") else name if place else f"`{name}=`"
    return f"{written}: {sentence}" if sentence else written


def events(dump):
    rows = []
    for topic in dump["topics"]:
        for event in csharp.events_of(topic):
            if topic["source"] != "gateway" and not event.get("is_gateway"):
                name = f"`watch` name `{event['name']}`" if topic["source"] == "watch" else f"`{event['name']}`"
                rows.append(f"| {name} | {'; '.join(wire_value(*value) for value in event.get('values', []))} |\n".replace("|  |", "| |"))
    return "| event | its values |\n|---|---|\n" + "".join(rows)


def between(text, marks, content):
    before, rest = text.split(marks[0])
    return before + marks[0] + "\n" + content + "\n" + marks[1] + rest.split(marks[1])[1]


def write(path, wanted):
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != read(path):
        sys.exit(f"{os.path.relpath(path, os.path.join(LUA, '..'))} is stale: run make lua")


def main():
    dump = json.loads(subprocess.run(["lua5.4", "rows.lua"], cwd=LUA, capture_output=True, text=True, check=True).stdout)
    sent = "\n".join(line for path in glob.glob(TRANSCRIPTS) for line in read(path).splitlines() if line.startswith(">"))
    missing = [name for name in dump["rows"] if not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", sent)]
    if missing:
        sys.exit(f"no transcript in docs/transcripts shows {' '.join(sorted(missing))}")
    descriptions = described()
    text = between(read(TARGET), COMMANDS, table(dump["rows"], descriptions))
    write(TARGET, between(text, EVENTS, events(dump)))
    write(PLAYING, between(read(PLAYING), TOPICS, topics(dump)))
    write(csharp.TARGET, csharp.generate(dump, descriptions))


main()
