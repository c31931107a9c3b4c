#!/bin/bash
# Runs the examples of docs/playing.md beside an emulator and a gateway of their own.
. "$(dirname "$0")/../lib/common.sh"

exec "$root/scripts/with-instance" "$root/scripts/tests/playing.py"
