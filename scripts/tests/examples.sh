#!/bin/bash
# Runs each of docs/examples against an emulator and a gateway of its own. One line an example, the sum as the last line.
. "$(dirname "$0")/../lib/common.sh"

# Once more, beside an instance.
[ -n "${RUN_FOLDER:-}" ] || exec "$root/scripts/with-instance" "$0"

examples=$root/docs/examples
expected='^Five presses took the score from [0-9]+ to [0-9]+, and the state took it back\.$'
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# plays NAME PROGRAM COMMAND...: the command runs and ends with the line that all examples end with
plays() {
  local name=$1 program=$2 code=0
  shift 2
  if ! have "$program"; then
    failed=$((failed + 1))
    say "not ok - $name plays the test game: $program is missing; make test installs it where it may"
    return
  fi
  "$@" > "$work/out" 2>&1 || code=$?
  if [ $code -eq 0 ] && tail -n 1 "$work/out" | grep -qE "$expected"; then
    passed=$((passed + 1))
    say "ok - $name plays the test game"
  else
    failed=$((failed + 1))
    say "not ok - $name plays the test game (exit code $code)"
    tail -n 20 "$work/out" | sed 's/^/  # /'
  fi
}

# In a copy, so that nothing is installed into the sources.
typescript() {
  cp -r "$examples/typescript" "$work/typescript"
  cd "$work/typescript"
  npm ci --no-progress || { say "npm could not fetch what package-lock.json names; is a registry set and reachable?"; return 1; }
  OPENAPI=$root/docs/openapi.json npm start
}

csharp() {
  cd "$root"
  dotnet run "$examples/bot.cs"
}

# What a bot says when the gateway is not there, or the game is another one.
explains() {
  local code=0
  BASE_URL=$BASE_URL/i/nobody python3 "$examples/bot.py" > "$work/out" 2>&1 || code=$?
  if [ $code -eq 1 ] && grep -q 'No emulator has the id nobody' "$work/out"; then
    passed=$((passed + 1))
    say "ok - a failure is one sentence"
  else
    failed=$((failed + 1))
    say "not ok - a failure is one sentence (exit code $code)"
    tail -n 20 "$work/out" | sed 's/^/  # /'
  fi
}

plays curl curl "$examples/bot.sh"
plays Python python3 python3 "$examples/bot.py"
plays 'C#' dotnet csharp
plays TypeScript npm typescript
explains

say "examples: $passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
