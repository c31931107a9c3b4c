#!/usr/bin/env python3
"""Checks that a restore used the packages of a lock file: locked.py PROJECT-ASSETS-JSON PACKAGES-LOCK-JSON

A form of the program for one system cannot use the lock file itself, which has no part for that system. All packages must have the version and the
hash that the lock file states, except the compiler, which belongs to the SDK.
"""

import json
import pathlib
import sys

# of the SDK, whose version global.json states: the compiler of native programs
OF_THE_SDK = "Microsoft.DotNet.ILCompiler"


def main():
    assets, lock = (json.loads(pathlib.Path(path).read_text(encoding="utf-8-sig")) for path in sys.argv[1:3])
    locked = {name: entry for packages in lock["dependencies"].values() for name, entry in packages.items() if "contentHash" in entry}
    used = {key.split("/")[0]: (key.split("/")[1], library["sha512"]) for key, library in assets["libraries"].items() if library["type"] == "package" and not key.split("/")[0].endswith(OF_THE_SDK)}
    problems = []
    for name, (version, content) in sorted(used.items()):
        entry = locked.get(name)
        if entry is None:
            problems.append(f"{name} {version} is not in {sys.argv[2]}")
        elif (entry["resolved"], entry["contentHash"]) != (version, content):
            problems.append(f"{name} {version} has the hash {content}, and {sys.argv[2]} has {entry['resolved']} with {entry['contentHash']}")
    if not used:
        problems.append(f"{sys.argv[1]} has no packages")
    if problems:
        sys.exit("\n".join(problems))


main()
