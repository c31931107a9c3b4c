#!/bin/bash
# Drives the MCP server with the public npm clients (scripts/tests/agents). Prints a line for each test; the last line counts them.
# The first argument selects tests by a part of their names. PLAY_SECONDS=300 lets agent and person play for five minutes instead of some seconds.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/node.sh
. "$root/scripts/lib/node.sh"

use_node

# Runs itself again with an instance. A busy machine is not a failure.
export Bridge__Transport__SilenceTimeout=00:00:20 Bridge__Transport__RequestTimeout=00:00:30
[ -n "${BASE_URL:-}" ] || exec python3 -B "$root/tests/python/instance.py" "$0" "$@"

# The clients are installed once for each lock file.
tests=$root/scripts/tests/agents
cache=$runs/cache/agents-$(sha256sum "$tests/package-lock.json" | cut -c 1-16)
if [ ! -e "$cache/installed" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  cp "$tests/package.json" "$tests/package-lock.json" "$cache"
  (cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund --no-progress) > "$cache/npm.log" 2>&1 || {
    tail -n 20 "$cache/npm.log"
    fail "npm could not download the packages of scripts/tests/agents/package-lock.json; check that a registry is configured and reachable"
  }
  touch "$cache/installed"
fi
cp "$tests"/*.mjs "$cache"

MGBA_BRIDGE_PROGRAM=$(readlink -f "$artifacts/gateway")/mgba-bridge.dll
export MGBA_BRIDGE_PROGRAM MGBA_BRIDGE_ROM=$default_rom
cd "$cache"
exec node agents.mjs "$@"
