#!/bin/bash
# Runs each of docs/examples against an emulator and a gateway of its own. Prints a line for each example; the last line counts them.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

# Runs itself again with an instance.
[ -n "${RUN_FOLDER:-}" ] || exec "$root/scripts/with-instance" "$0"

examples=$root/docs/examples
expected='^Five presses took the score from [0-9]+ to [0-9]+, and the state took it back\.$'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# plays NAME PROGRAM COMMAND...: the command succeeds, and its last line is that of all examples
plays() {
  local name=$1 program=$2 code=0
  shift 2
  have "$program" || set -- say "$program is missing; make test installs it where possible"
  "$@" > "$work/out" 2>&1 || code=$?
  tail -n 1 "$work/out" | grep -qE "$expected" || code=1
  result "$name plays the test game" $code "$work/out"
}

# In a copy, so that nothing is installed into the source folder.
typescript() {
  cp -r "$examples/typescript" "$work/typescript"
  cd "$work/typescript"
  npm ci --no-progress || { say "npm could not download the packages of package-lock.json; check that a registry is configured and reachable"; return 1; }
  OPENAPI=$root/docs/openapi.json npm start
}

csharp() {
  cd "$root"
  dotnet run "$examples/bot.cs"
}

plays curl curl "$examples/bot.sh"
plays Python python3 python3 "$examples/bot.py"
plays 'C#' dotnet csharp
plays TypeScript npm typescript
refused "a failure is one sentence" 'No emulator has the id nobody' env BASE_URL="$BASE_URL/i/nobody" python3 "$examples/bot.py"

total examples
