# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the suites that are not Python: a line for each test, and the counts as the last line.

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

# total SUITE: the last line; false when a test failed
total() {
  say "$1: $passed passed, $failed failed, $skipped skipped"
  [ $failed -eq 0 ]
}
