# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the suites: a line for each test, and the counts as the last line. They set $work, a temporary folder.

passed=0 failed=0 skipped=0

# result NAME CODE [FILE]: prints the result of a test; if it failed, also the end of the file
result() {
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    say "ok - $1"
  else
    failed=$((failed + 1))
    say "not ok - $1"
    [ -z "${3:-}" ] || tail -n 60 "$3" | sed 's/^/# /'
  fi
}

# refused NAME SENTENCE COMMAND...: tests that the command fails with this message
refused() {
  local name=$1 sentence=$2 code=0
  shift 2
  "$@" > "$work/out" 2>&1 < /dev/null || code=$?
  if [ $code -eq 1 ] && grep -q -e "$sentence" "$work/out"; then
    code=0
  else
    say "exit code $code" >> "$work/out"
    code=1
  fi
  result "$name" $code "$work/out"
}

# total SUITE: the last line; false when a test failed
total() {
  say "$1: $passed passed, $failed failed, $skipped skipped"
  [ $failed -eq 0 ]
}

# bare_path FOLDER: fills it with only the programs that every script requires, for use as PATH
bare_path() {
  mkdir -p "$1"
  local name
  for name in bash dirname env id cut tail sed grep mkdir cat realpath; do
    ln -sf "$(command -v "$name")" "$1/$name"
  done
}

# count_junit FILE: adds the tests of a JUnit XML file that pytest wrote; a missing file counts as a failure
count_junit() {
  local counts errors failures skips all
  counts=$(sed -n 's/.*<testsuite [^>]*errors="\([0-9]*\)" failures="\([0-9]*\)" skipped="\([0-9]*\)" tests="\([0-9]*\)".*/\1 \2 \3 \4/p' "$1" 2> /dev/null || true)
  if [ -n "$counts" ]; then
    read -r errors failures skips all <<< "$counts"
    passed=$((passed + all - errors - failures - skips)) failed=$((failed + errors + failures)) skipped=$((skipped + skips))
  else
    result "pytest wrote no results to $(shown "$1")" 1
  fi
}

# count_last_line FILE: adds the counts of the last line of a suite's output; false if it has no such line
count_last_line() {
  [[ $(tail -n 1 "$1") =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] || return
  passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
}
