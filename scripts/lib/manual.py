#!/usr/bin/env python3
"""Writes a manual page from what a program says of itself: manual.py DESCRIPTION [EMULATOR...] PROGRAM > NAME.1

EMULATOR is the command that runs the program. The page has the output of `PROGRAM --help`, and that of `PROGRAM VERB --help` for each verb listed there.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys


def help_of(command, *verb):
    text = subprocess.run([*command, *verb, "--help"], check=True, capture_output=True, text=True, env={**os.environ, "COLUMNS": "78", "NO_COLOR": "1"}).stdout
    program = command[-1]
    return text.replace(program.removesuffix(f"/usr/bin/{pathlib.Path(program).name}"), "")  # the folder that becomes the root


def verbs(text):
    """The names in its lists of verbs; those of options begin with a dash, and sentences have no two spaces."""
    return re.findall(r"^  ([a-z][\w-]*)  +\S", text, re.M)


def roff(text):
    """The text as it is: no line is joined to another, and nothing in it is a request."""
    lines = text.strip("\n").replace("\\", "\\e").replace("-", "\\-").split("\n")
    return ".nf\n" + "".join(("\\&" if line[:1] in ".'" else "") + line.rstrip() + "\n" for line in lines) + ".fi\n"


def main():
    description, *command = sys.argv[1:]
    name = pathlib.Path(command[-1]).name
    version = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC).strftime("%Y-%m-%d")
    text = help_of(command)
    page = [f'.TH {name.upper()} 1 "{date}" "mGBA-bridge {version}" "User Commands"\n']
    page.append(f".SH NAME\n{name} \\- {description}\n.SH DESCRIPTION\n{roff(text)}")
    page += [f'.SH "{name.upper()} {verb.upper()}"\n{roff(help_of(command, verb))}' for verb in verbs(text)]
    page.append(".SH FILES\n" + roff("""/usr/share/mgba-bridge/mgba-bridge.lua   the script for mGBA
/etc/mgba-bridge/appsettings.json        settings of the service mgba-bridge
/etc/mgba-bridge/emulators/NAME.conf     settings of the service mgba-bridge-emulator@NAME"""))
    page.append('.SH "SEE ALSO"\n' + roff(f"{'mgba-headless' if name == 'mgba-bridge' else 'mgba-bridge'}(1), /usr/share/doc/mgba-bridge/"))
    sys.stdout.write("".join(page))


main()
