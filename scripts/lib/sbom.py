#!/usr/bin/env python3
"""Prints a CycloneDX document without what differs from run to run, with our name and version, and with the Debian packages whose libraries mgba-headless
contains, of which standard input has a line each, name and version: sbom.py FILE VERSION"""

import json
import sys
import urllib.parse

document = json.load(open(sys.argv[1], encoding="utf-8"))
document.pop("serialNumber", None)
document.pop("annotations", None)
metadata = document.setdefault("metadata", {})
metadata.pop("timestamp", None)
component = metadata.setdefault("component", {})
component.update(name="mgba-bridge", version=sys.argv[2], type="application")
names = {entry.get("name") for entry in document.get("components", [])}
if "Polly.Core" not in names:
    sys.exit(f"the list lacks packages of the gateway; it has {len(names)} components")
for line in sys.stdin:
    name, version = line.split()
    purl = f"pkg:deb/debian/{name}@{urllib.parse.quote(version, safe='')}"
    document["components"].append({"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl})
json.dump(document, sys.stdout, indent=2, sort_keys=True)
print()
