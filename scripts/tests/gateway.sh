#!/bin/bash
# The gateway's tests with `dotnet test`: a line for each test, and the last line that scripts/test reads.
. "$(dirname "$0")/../lib/common.sh"

want_sdk
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count() { sed -n "s/^  $1: \([0-9]*\)\$/\1/p" "$log" | tail -n 1; }

code=0
dotnet test --solution mGBA-bridge.sln --output detailed --no-progress --no-ansi 2>&1 | tee "$log" | sed -u '/^  from .*[.]dll /d; s/^passed /ok - /; s/^failed /not ok - /' || code=$?
[ -z "$(count total)" ] || say "gateway: $(count succeeded) passed, $(count failed) failed, $(count skipped) skipped"
exit $code
