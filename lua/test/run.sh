#!/bin/bash
# All tests of the script except those in a window and random input (scripts/fuzz): static checks, the unit suites with a fake mGBA, and the real core.
#   lua/test/run.sh                    takes about four minutes
# Prints `ok - name` or `not ok - name` for each test; the last line counts them. A missing tool is a failure.
. "$(dirname "$0")/../../scripts/lib/common.sh"
# shellcheck source=../../scripts/lib/tests.sh
. "$root/scripts/lib/tests.sh"

cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need() { # need PROGRAM PACKAGE
  have "$1" || { result "$1 is missing: install it (Debian: apt-get install $2)" 1; return 1; }
}

# check NAME COMMAND...: one test; prints the output of a command that fails
check() {
  local name=$1 code=0
  shift
  "$@" > "$work/out" 2>&1 || code=$?
  result "$name" $code "$work/out"
}

# add FILE COMMAND: prints what the command wrote to the file, and adds the counts of its last line
add() {
  if count_last_line "$1"; then
    sed '$d' "$1"
  else
    result "$2 ended without its last line" 1 "$1"
  fi
}

built=
real=(lua/test/real -n 2) # two at a time: most of them wait for frames
if need make make && need cc gcc; then
  check "the headless emulator builds" build_alone -C lua/headless
  [ ! -x "${MGBA_HEADLESS:-$host}" ] || built=1
fi

if need luacheck lua-check; then check "luacheck finds nothing" luacheck -q lua; fi
if need luac5.4 lua5.4; then check "the stubs parse" luac5.4 -p lua/types/mgba.lua; fi
if need python3 python3; then check "the command table of docs/protocol.md and Commands.g.cs are of lua/src, and docs/transcripts have every command (make lua)" lua/command_table.py --check; fi
if need lua5.4 lua5.4; then
  mapfile -t sources < <(find lua/src -name '*.lua')
  check "no function has more than 40 lines" lua5.4 lua/test/functions.lua lua/bundle.lua "${sources[@]}" lua/test/*.lua lua/test/suites/*.lua
  check "lua/mgba-bridge.lua is what lua/src gives (make lua)" lua5.4 lua/bundle.lua --check
  # two at a time: their emulator is a fake, whose time is not real
  # shellcheck disable=SC2016 # the inner shell expands it
  printf '%s\n' lua/test/suites/*.lua | sed 's|.*/||; s|\.lua$||' | work=$work xargs -P 2 -I {} sh -c 'lua5.4 lua/test/run.lua {} > "$work/unit-{}" 2>&1 || true'
  for file in lua/test/suites/*.lua; do
    name=${file##*/}
    name=${name%.lua}
    add "$work/unit-$name" "lua/test/run.lua $name"
  done
fi

# Alone, because several of them measure pace.
if [ -n "$built" ]; then
  scripts/pytest real "${real[@]}" > "$work/real" 2>&1 || true
  add "$work/real" "scripts/pytest real"
fi
total lua
