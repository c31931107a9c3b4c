#!/usr/bin/env python3
"""Writes server.json, the entry of the MCP registry: registry.py VERSION OWNER/REPOSITORY BUNDLE..."""

import hashlib
import json
import pathlib
import sys


def entry(version, repository, bundles):
    """The entry for bundles that the release of this version has."""
    owner, name = repository.split("/")
    url = f"https://github.com/{repository}"
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": f"io.github.{owner}/{name}",
        "title": "mGBA-bridge",
        "description": "Play and debug Game Boy and Game Boy Advance games in mGBA.",
        "repository": {"url": url, "source": "github"},
        "version": version,
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": f"{url}/releases/download/v{version}/{bundle.name}",
                "version": version,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": {"type": "stdio"},
            }
            for bundle in bundles
        ],
    }


if __name__ == "__main__":
    print(json.dumps(entry(sys.argv[1], sys.argv[2], [pathlib.Path(path) for path in sys.argv[3:]]), indent=2))
