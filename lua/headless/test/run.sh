#!/bin/bash
# Tests of mgba-headless: run.sh [PROGRAM [PATTERN]]. Every test is a function test_..., run in a directory and a process of its
# own. Nothing waits for a fixed time: every wait is for something that can be seen, with a long limit. Needs valgrind.
set -u

here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath -m "${1:-$here/../build/mgba-headless}")
pattern=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=30 # seconds that anything may take on a busy machine

. "$here/roms.sh"
. "$here/words.sh"
for file in "$here"/cases/*.sh; do
  # shellcheck source=/dev/null
  . "$file"
done

if [ ! -x "$program" ]; then
  echo "not ok - there is no $program; make -C lua/headless builds it"
  echo "headless: 0 passed, 1 failed, 0 skipped"
  exit 1
fi

roms=$work/roms
mkdir "$roms"
make_gba "$roms/game.gba"
make_gb "$roms/game.gb"
make_gb "$roms/color.gbc" 80
make_gb "$roms/super.gb" 00 03

passed=0 failed=0 skipped=0

# The test's own process; an emulator it leaves behind is ended, by the number it was started under.
run_one() {
  set -e
  cd "$1"
  pid=
  trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null || true' EXIT
  "$2"
}

for test in $(declare -F | sed -n 's/^declare -f \(test_\)/\1/p'); do
  name=${test#test_}
  name=${name//_/ }
  [[ $name == *$pattern* ]] || continue
  mkdir "$work/$test"
  (run_one "$work/$test" "$test") > "$work/$test.log" 2>&1
  code=$?
  if [ $code -eq 0 ]; then
    passed=$((passed + 1))
    echo "ok - $name"
  elif [ $code -eq 77 ]; then
    skipped=$((skipped + 1))
    echo "ok - $name # SKIP"
    grep '^# skipped' "$work/$test.log"
  else
    failed=$((failed + 1))
    echo "not ok - $name"
    sed 's/^\([^#]\)/# \1/' "$work/$test.log"
    for file in "$work/$test"/{out,err}; do
      [ ! -s "$file" ] || { echo "# end of ${file##*/}:"; tail -n 15 "$file" | cut -c 1-300 | sed 's/^/#   /'; }
    done
  fi
done

echo "headless: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
