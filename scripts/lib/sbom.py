#!/usr/bin/env python3
"""Prints a CycloneDX document without what differs from run to run, with our name and version: sbom.py FILE VERSION"""

import json
import sys

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
json.dump(document, sys.stdout, indent=2, sort_keys=True)
print()
