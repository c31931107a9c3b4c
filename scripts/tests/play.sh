#!/bin/bash
# Plays the test game with the programs of a folder, on their system: scripts/tests/play.sh FOLDER
# A key is pressed, which the game must see, and a picture taken. Runs with the bash of macOS as well, without anything else of this project.
set -euo pipefail

port=5917
work=$(mktemp -d)
export Bridge__Owned__DataFolder="$work/data"
"$1/mgba-bridge" run --no-browser --port "$port" :test: > "$work/log" 2>&1 &
pid=$!
trap 'kill $pid 2> /dev/null || true; wait $pid 2> /dev/null || true; rm -rf "$work"' EXIT

ask() { curl -fsS -m 5 "http://127.0.0.1:$port/v2/$1" "${@:2}"; }

# wait_for WORDS: for a command that succeeds; within a minute
wait_for() {
  local end=$((SECONDS + 60))
  until "$@" 2> /dev/null; do
    if [ $SECONDS -gt $end ] || ! kill -0 $pid 2> /dev/null; then
      echo "no success: $*"
      cat "$work/log"
      exit 1
    fi
    sleep 0.1
  done
}

pressed() { [[ $(ask memory/0x02000020/u32) == *'"value":1'* ]]; }

wait_for ask game > /dev/null
ask keys/tap -H 'Content-Type: application/json' -d '{"keys":["A"],"frames":4}' > /dev/null
wait_for pressed
ask screen > "$work/picture"
[ "$(head -c 4 "$work/picture" | tail -c 3)" = PNG ]
echo "a key was pressed, and a picture taken"
