#!/bin/sh
# Bad input for lua/mgba-bridge.lua in a real emulator: FUZZ_MESSAGES=1000000 lua/test/fuzz.sh, or FUZZ_SECONDS=120 (default 600 s).
# FUZZ_SEED=n starts elsewhere; a failure prints the FUZZ_SEED and FUZZ_ROUND that run it again.
set -eu
cd "$(dirname "$0")/../.."
command -v python3 > /dev/null || { echo "fuzz.sh: python3 is missing; on Debian: apt-get install python3" >&2; exit 1; }
scripts/install emulator
scripts/build emulator
FUZZ_SECONDS="${FUZZ_SECONDS:-600}" exec python3 lua/test/real/fuzz.py
