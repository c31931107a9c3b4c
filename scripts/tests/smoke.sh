#!/bin/bash
# A short load on the real emulator: right answers to every kind of request, then the first steps of the ladder.
. "$(dirname "$0")/../lib/common.sh"

cd "$root"
passed=0 failed=0

# try NAME K6-ARGUMENTS...; shows only the table when all is well
try() {
  local name=$1 output
  shift
  if output=$(scripts/with-instance "$k6" run --quiet --no-usage-report --no-color "$@" 2>&1); then
    passed=$((passed + 1))
    say "ok - $name"
    grep '^|' <<< "$output" || true
  else
    failed=$((failed + 1))
    say "not ok - $name: k6 run $*"
    say "$output"
  fi
}

if k6=$(scripts/find-k6); then
  try "every kind of request gets the right answer" loadtest/smoke.js
  try "each request of a quick ladder is answered" -e RATES=10,100,300 loadtest/ladder.js
else
  failed=1
  say "not ok - k6 is missing: install it as its documentation says, or put it on PATH"
fi
say "smoke: $passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
