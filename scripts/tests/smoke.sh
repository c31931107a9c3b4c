#!/bin/bash
# A short load test on the real emulator: correct responses to every kind of request, the quick ladder with its gates, and the script compared with the
# baseline. Gates are ratios within one run, never times. Results that a busy machine can spoil (frames, requests a second) are tried three times; wrong
# responses are not.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/ports.sh
. "$root/scripts/lib/ports.sh"
# shellcheck source=../lib/processes.sh
. "$root/scripts/lib/processes.sh"
# shellcheck source=../lib/measured.sh
. "$root/scripts/lib/measured.sh"
# shellcheck source=../lib/bench.sh
. "$root/scripts/lib/bench.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

attempts=3
min_ratio=50 # requests a second of one client, compared with the baseline's one per frame; above 300 on an idle machine

cd "$root"
unset BASE_URL RATES DURATION FULL RESULTS MGBA_BRIDGE_PORT
work=$(mktemp -d)
trap 'end_both; rm -rf "$work"' EXIT

every_kind() { scripts/with-instance "$k6" run --quiet --no-usage-report --no-color --address "" loadtest/smoke.js > "$work/out" 2>&1; }

# Only a failed pace gate is retried, because a busy machine causes it.
only_pace_failed() {
  [ -s "$work/ladder-36.json" ] && [ "$(grep -c '"ok": false' "$work/ladder-36.json")" -eq 1 ] &&
    grep -A 3 '"metric": "pace_kept"' "$work/ladder-36.json" | grep -q '"ok": false'
}

ladder() {
  local attempt
  for ((attempt = 1; attempt <= attempts; attempt++)); do
    rm -f "$work/ladder-36.json"
    ! QUICK=1 MESSAGE_BYTES=36 RESULTS=$work scripts/load ladder > "$work/out" 2>&1 || return 0
    only_pace_failed || return 1
    say "# attempt $attempt: $(grep 'Not met' "$work/out")"
  done
  return 1
}

# rate SCRIPT: sets $rate to the requests a second of one client, back to back, in an emulator with the script
rate() {
  start_host "$work/emulator.log" "$work" "$1" >> "$work/out" 2>&1 || return 1
  rm -f "$work/rows"
  dotnet "$program" wire --row serial --shape serial --dialect legacy --seconds 3 --port "$port" --pid "$host_pid" --log "$work/emulator.log" \
    --rom "$default_rom" --out "$work/rows" >> "$work/out" 2>&1 || return 1
  end_both
  rate=$(sed -n 's/.*"rate":\([0-9]*\).*/\1/p' "$work/rows")
}

against_the_baseline() {
  local attempt baseline rate=0
  build_bench > "$work/out" 2>&1 || return 1
  for ((attempt = 1; attempt <= attempts; attempt++)); do
    rate "$root/loadtest/baseline.lua" || return 1
    baseline=$rate
    rate "$script_lua" || return 1
    say "| the baseline script answers $baseline times a second, ours $rate times |" >> "$work/out"
    [ "$baseline" -eq 0 ] || [ $((rate / baseline)) -lt $min_ratio ] || return 0
  done
  return 1
}

# attempt_of NAME FUNCTION: one test; prints the tables of its output
attempt_of() {
  local code=0
  : > "$work/out"
  "$2" || code=$?
  result "$1" $code "$work/out"
  [ $code -ne 0 ] || grep '^|' "$work/out" || true
}

if k6=$(scripts/find-k6); then
  "$root/scripts/build" emulator
  attempt_of "every kind of request gets the correct answer" every_kind
  attempt_of "each request of the quick ladder is answered, and the game keeps 99 % of its pace" ladder
  attempt_of "one client gets $min_ratio times as many answers as from the baseline script" against_the_baseline
else
  result "k6 is missing: install it (https://grafana.com/docs/k6/latest/set-up/install-k6/), or add it to PATH" 1
fi
total smoke
