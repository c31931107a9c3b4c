#!/bin/bash
# Collects coins in the demo game and lights the lamp, in exact frames, with curl: see README.md.
set -euo pipefail

base=${BASE_URL:-http://127.0.0.1:5000}
holder=coins-$RANDOM
route="Start:2 92,108 52,116 92,112 156,112 156,138 156,96 188,90 188,48 150,48 188,48 188,90 Right:60
  36,88 36,76 36,88 124,88 128,72 Right:2 A:2 124,88 104,100 104,124 118,104 120,88 Up:90 120,112 Up:12 Up:40 Up:12 A:2"

call() { # a problem says what to change
  local answer
  answer=$(curl --silent --show-error --fail-with-body -H "Mgba-Holder: $holder" -H 'Content-Type: application/json' "$@") || { echo "$answer" >&2; exit 1; }
  echo "$answer"
}
step() { call "$base/v2/lease/step" -d "{\"frames\":$1,\"keys\":[${2:+\"$2\"}]}" > /dev/null; }
value() { call "$base/v2/values/$1" | sed -n 's/.*"value":\(-\{0,1\}[0-9]*\).*/\1/p'; }

go() { # to a place of one axis: three pixels in two frames
  local distance
  while distance=$(($2 - $(value "$1"))) && [ "${distance#-}" -gt 1 ]; do
    if [ "$distance" -lt 0 ]; then step $(((-distance * 2 + 1) / 3)) "$3"; else step $(((distance * 2 + 1) / 3)) "$4"; fi
  done
}

call "$base/v2/lease" -d '{"limitMs":10000}' > /dev/null # the game stops between steps
trap 'call -X DELETE "$base/v2/lease" > /dev/null' EXIT
step 60
for place in $route; do
  case $place in
    *:*) step "${place#*:}" "${place%:*}"; step 60 ;; # a screen comes up, or somebody begins to talk
    *) go y "${place#*,}" Up Down; go x "${place%,*}" Left Right ;;
  esac
  while mode=$(value mode) && { [ "$mode" = 3 ] || [ "$mode" = 4 ]; }; do # turn the page, and say yes
    step 2 A
    step 2
  done
done
echo "$(value coins) coins, milestone $(value milestone)"
