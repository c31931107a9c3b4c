#!/usr/bin/env python3
"""Writes THIRD-PARTY-NOTICES.txt from what the gateway's packages say of themselves: notices.py PROJECT-ASSETS-JSON [--check]

The list is that of the restore: packages with files that a program needs at run time. --check writes nothing and fails when the file is stale.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "THIRD-PARTY-NOTICES.txt"
LICENSES = ROOT / "packaging/licenses"
HEAD = """Third-party notices

mGBA-bridge itself is under the MIT licence (LICENSE). Its program contains the packages below. Written by
scripts/lib/notices.py from the packages; do not edit.

Programs that contain the .NET runtime (all but "portable") come with its notices in DOTNET-THIRD-PARTY-NOTICES.txt; the runtime is under the MIT licence, (c) .NET Foundation and Contributors.
The API page contains Swagger UI, (c) SmartBear Software, under the Apache License 2.0.
The web page contains Preact, (c) 2015-present Jason Miller, uPlot, (c) 2022 Leon Sorokin, gifenc, (c) 2017 Matt DesLauriers, and
webm-muxer, (c) 2022 Vanilagy, under the MIT licence below.
mgba-headless contains mGBA (MPL 2.0, https://mgba.io) and libraries that it uses: packages with it come with their notices and the
address of their source in MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt.
"""


def packages(assets):
    """Name, version and folder of each package with files for run time."""
    target = next(target for name, target in sorted(assets["targets"].items()) if "/" not in name)
    for key, library in sorted(target.items(), key=lambda entry: entry[0].lower()):
        if library["type"] == "package" and any(not file.endswith("_._") for file in library.get("runtime", {})):
            path = assets["libraries"][key]["path"]
            folder = next(pathlib.Path(cache, path) for cache in assets["packageFolders"] if pathlib.Path(cache, path).is_dir())
            yield *key.split("/"), folder


def describe(name, version, folder):
    """The lines about one package, and the SPDX names of its licence."""
    metadata = xml.parse(next(folder.glob("*.nuspec"))).getroot()[0]
    field = {element.tag.split("}")[1]: element for element in metadata}
    licence = field.get("license")
    if licence is None:
        sys.exit(f"{name} {version} states no licence; check it and teach {sys.argv[0]} about it")
    lines = [f"{name} {version}"]
    copyright = field["copyright"].text if "copyright" in field else f"(c) {field['authors'].text}"
    lines.append(copyright.replace("©", "(c)"))
    if "projectUrl" in field:
        lines.append(field["projectUrl"].text)
    if licence.get("type") == "file":
        text = (folder / licence.text).read_text(encoding="utf-8-sig").replace("\r\n", "\n").strip()
        return "\n".join([*lines, "Licence:", "", text]) + "\n", None
    return "\n".join([*lines, f"Licence: {licence.text}, below"]) + "\n", licence.text


def notices(assets):
    parts, licences = [HEAD], set()
    for package in packages(assets):
        text, licence = describe(*package)
        parts.append(text)
        licences |= {licence} if licence else set()
    for licence in sorted(licences | {"Apache-2.0", "MIT"}):
        file = LICENSES / f"{licence}.txt"
        if not file.is_file():
            sys.exit(f"a package has the licence {licence}, and {file.relative_to(ROOT)} is missing; add its text")
        parts.append(f"{licence}\n\n{file.read_text().strip()}\n")
    return ("\n" + "-" * 80 + "\n\n").join(parts)


def main():
    wanted = notices(json.loads(pathlib.Path(sys.argv[1]).read_text()))
    if "--check" not in sys.argv:
        TARGET.write_text(wanted)
    elif not TARGET.is_file() or TARGET.read_text() != wanted:
        sys.exit(f"{TARGET.name} is stale: run scripts/dist notices and commit it")


main()
