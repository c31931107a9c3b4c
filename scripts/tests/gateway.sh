#!/bin/bash
# The gateway's tests with `dotnet test`, and the last line that scripts/test reads.
. "$(dirname "$0")/../lib/common.sh"

want_sdk
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
dotnet test --solution mGBA-bridge.sln --no-progress --no-ansi 2>&1 | tee "$log" || code=$?

total() { sed -n "s/^  $1: \([0-9]*\)\$/\1/p" "$log" | tail -n 1; }
[ -n "$(total total)" ] || exit 1
failed=$(total failed)
# An error without a failed test: a test program that ended early, or no tests.
[ "$code" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
say "gateway: $(total succeeded) passed, $failed failed, $(total skipped) skipped"
exit "$code"
