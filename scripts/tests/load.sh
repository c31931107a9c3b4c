#!/bin/bash
# Tests the load commands: invalid settings are reported with a message, an interrupted run writes its report, and the module check finds import cycles.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/processes.sh
. "$root/scripts/lib/processes.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

without_k6() {
  mkdir -p "$work/tree"
  cp -r scripts "$work/tree/"
  bare_path "$work/bin"
  PATH=$work/bin "$work/tree/scripts/load"
}

# Both use one instance, whose emulator is paused and resumed.
on_an_instance() {
  refused "a paused emulator is named as such" "is not ready: The game is paused" paused
  interrupted
  say "$passed $failed" > "$work/counts"
}

paused() {
  pause true
  local code=0
  silent() { [ "$(curl -s -m 5 -o /dev/null -w '%{http_code}' "$BASE_URL/readyz")" = 503 ]; }
  until_true 30 silent
  RATES=10 MESSAGE_BYTES=36 scripts/load ladder || code=$?
  pause false
  return $code
}
pause() { curl -fsS -m 10 -X PUT -H 'Content-Type: application/json' -d "{\"paused\":$1}" -o /dev/null "$BASE_URL/v2/emulators/1/run"; }

interrupted() {
  local code=0 end=0
  ready() { curl -fs -m 5 -o /dev/null "$BASE_URL/readyz"; }
  until_true 30 ready
  mkdir "$work/interrupted"
  RESULTS=$work/interrupted MINUTES=5 PARTS=60 env --default-signal=INT scripts/load soak > "$work/out" 2>&1 < /dev/null &
  local pid=$!
  second_part() { grep -q '5-10$' "$work/out" || gone "$pid"; }
  until_true 60 second_part
  kill -INT $pid
  wait $pid || end=$?
  [ $end -eq 130 ] && [ -s "$work/interrupted/soak.md" ] && [ -s "$work/interrupted/soak-latency.svg" ] && grep -q '"ended": "early"' "$work/interrupted/soak.json" || code=1
  result "an interrupted run exits with 130 and writes its report" $code "$work/out"
}

if [ "${1:-}" = on_an_instance ]; then
  work=$2
  trap - EXIT
  on_an_instance
  exit 0
fi

# The commands under test must not use the caller's settings.
unset BASE_URL FULL QUICK RATES DURATION MESSAGE_BYTES MAKEFLAGS MFLAGS MAKELEVEL
export RESULTS=$work/results MESSAGE_BYTES=36 RATES=10
refused "k6 is missing" "k6 is missing; the load tests require it" without_k6
if ! scripts/find-k6 > /dev/null; then
  say "not ok - k6 is missing: install it (https://grafana.com/docs/k6/latest/set-up/install-k6/), or add it to PATH"
  failed=$((failed + 1))
  total load
fi
refused "an unknown question" 'unknown question "lader"; the questions are bot burst' scripts/load lader
refused "results that cannot be written" "cannot write the report to /proc/nowhere" env RESULTS=/proc/nowhere scripts/load
refused "no gateway" "nothing answers at http://127.0.0.1:9 " env BASE_URL=http://127.0.0.1:9 scripts/load ladder
refused "a rate of 0" "RATES must be an integer from 1 to 10000, not \"0\"" env BASE_URL=http://127.0.0.1:9 RATES=0 scripts/load ladder
refused "a rate of a million" "RATES must be an integer from 1 to 10000, not \"1000000\"" env BASE_URL=http://127.0.0.1:9 RATES=1,1000000 scripts/load ladder
refused "chaos against a running gateway" "it requires its own" env BASE_URL=http://127.0.0.1:9 scripts/load chaos
import_cycle() {
  mkdir -p "$work/modules"
  printf "import { b } from './b.js';\n" > "$work/modules/a.js"
  printf "import {\n  a,\n} from './a.js';\n" > "$work/modules/b.js"
  python3 -B scripts/lib/import_cycles.py "$work/modules"
}
refused "an import cycle" "import cycle: a.js -> b.js -> a.js" import_cycle
scripts/with-instance "$0" on_an_instance "$work"
read -r more worse < "$work/counts"
passed=$((passed + more)) failed=$((failed + worse))
total load
