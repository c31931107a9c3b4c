#!/bin/sh
# Everything that proves or breaks lua/mgba-bridge.lua, in about five minutes. Run it from anywhere.
#   FUZZ_SECONDS=20 lua/test/run.sh    less fuzz than the two minutes of `make test`
#   ONLY=taps lua/test/run.sh          only tests whose name matches
# Prints `ok - name` or `not ok - name` for each test; the last line counts them. Tools that are missing are failures.
set -u
cd "$(dirname "$0")/../.." || exit 1
export FUZZ_SECONDS="${FUZZ_SECONDS:-120}"

passed=0 failed=0 skipped=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

count() { # name, exit code: one test
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok - $1"
	else
		failed=$((failed + 1))
		echo "not ok - $1"
	fi
}

need() { # program, package
	command -v "$1" >"$scratch/where" 2>&1 && return 0
	count "$1 is there: install it (Debian: apt-get install $2)" 1
	return 1
}

# Runs a program that prints its own lines and `counts PASSED FAILED SKIPPED` at the end.
suite() {
	"$@" >"$scratch/out" 2>&1
	code=$?
	grep -av '^counts ' "$scratch/out"
	line=$(grep -a '^counts ' "$scratch/out" | tail -n 1)
	if [ -z "$line" ]; then
		count "$* ran to its end (exit code $code)" 1
		return
	fi
	# shellcheck disable=SC2086 # three numbers
	set -- ${line#counts }
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

check() { # name, command …: quiet when it succeeds
	name=$1
	shift
	"$@" >"$scratch/out" 2>&1
	code=$?
	[ $code -eq 0 ] || sed 's/^/  # /' "$scratch/out"
	count "$name" $code
}

if [ -z "${ONLY:-}" ]; then
	need luacheck lua-check && check "luacheck finds nothing" luacheck -q lua
	# shellcheck disable=SC2046 # names without spaces
	need lua5.4 lua5.4 && check "no function has more than 40 lines" \
		lua5.4 lua/test/functions.lua lua/bundle.lua $(find lua/src -name '*.lua') lua/test/*.lua lua/test/suites/*.lua
	need lua5.4 lua5.4 && check "lua/mgba-bridge.lua is what lua/src gives (make lua)" lua5.4 lua/bundle.lua --check
	need python3 python3 && check "docs/protocol.md and docs/transcripts have every command (make lua)" lua/commands.py --check
	need luac5.4 lua5.4 && check "the stubs parse" luac5.4 -p lua/types/mgba.lua
fi

if need lua5.4 lua5.4 && need python3 python3; then
	for file in lua/test/suites/*.lua; do
		name=${file##*/}
		suite lua5.4 lua/test/run.lua "${name%.lua}"
	done
fi

if need python3 python3 && need make make && need cc gcc; then
	check "the headless emulator builds" env -u MAKEFLAGS -u MFLAGS make -s -C lua/headless # MGBA from the environment
	if [ -x "${MGBA_HEADLESS:-lua/headless/build/mgba-headless}" ]; then
		suite python3 lua/test/real/core.py
		suite python3 lua/test/real/states.py
		suite python3 lua/test/real/playing.py
		suite python3 lua/test/real/transcripts.py
		[ -n "${ONLY:-}" ] || suite python3 lua/test/real/fuzz.py
	fi
fi

echo "lua: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
