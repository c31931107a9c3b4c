#!/bin/bash
# The gateway's tests with `dotnet test`, and the last line that scripts/test reads.
# With REPEAT_FAILED=N, at most N failed tests run once more and count as passed when they pass then.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

want_sdk
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run COMMAND...: sets $code; the output is in $log
run() {
  code=0
  "$@" --no-progress --no-ansi 2>&1 | tee "$log" || code=$?
}
count() { sed -n "s/^  $1: \([0-9]*\)\$/\1/p" "$log" | tail -n 1; }

run dotnet test --solution mGBA-bridge.sln
[ -n "$(count total)" ] || exit 1
passed=$(count succeeded) failed=$(count failed) skipped=$(count skipped)
mapfile -t again < <(sed -n 's/^failed \([A-Za-z0-9_.+`]*\).*/\1/p' "$log" | sort -u)
if [ "$code" -eq 2 ] && [ ${#again[@]} -gt 0 ] && may_repeat; then # 2: tests failed; with other exit codes some may not have run
  run gateway/tests/MgbaBridge.Gateway.Tests/bin/Debug/net10.0/MgbaBridge.Gateway.Tests --filter-method "${again[@]}"
  if [ "$code" -eq 0 ] && [ "$(count succeeded)" -ge "$failed" ] && [ "$(count skipped)" -eq 0 ]; then passed=$((passed + failed)) failed=0; fi
fi
# An error without a failed test: a test program that ended early, or no tests.
[ "$code" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
total gateway
