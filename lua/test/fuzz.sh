#!/bin/sh
# Random input for lua/mgba-bridge.lua in a real emulator: FUZZ_MESSAGES=1000000 lua/test/fuzz.sh, or FUZZ_SECONDS=120 (default 600 s).
# FUZZ_SEED=n starts with other input; a failure prints the FUZZ_SEED and FUZZ_ROUND that repeat it.
set -eu
cd "$(dirname "$0")/../.."
scripts/install emulator python
scripts/build emulator
FUZZ_SECONDS="${FUZZ_SECONDS:-600}" exec scripts/pytest fuzz lua/test/real -m fuzz
