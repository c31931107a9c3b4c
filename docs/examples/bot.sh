#!/bin/bash
# Plays the test game with curl: see README.md.
set -euo pipefail

base=${BASE_URL:-http://127.0.0.1:5000}
score=0x02000094 # goes up by 17 with each press of A
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

call() { curl --silent --show-error --fail-with-body "$@"; }
json() { call -H 'Content-Type: application/json' "$@"; }
value() { call "$base/v2/memory/$1/u32" | sed -n 's/.*"value":\([0-9]*\).*/\1/p'; }

# The game writes MBT1 when it has started.
json "$base/v2/wait" -d '{"all":[{"location":"0x02000000","type":"u32","value":827605581}],"frames":600}' > "$work/started"
grep -q '"met":true' "$work/started" || { echo "This is not our test game." >&2; exit 1; }

before=$(value $score)
call -o "$work/state" "$base/v2/state"
for press in 1 2 3 4 5; do
  # With wait the answer comes when the key is up again. A key of its own makes it safe to send the press again.
  json -o "$work/press" -H "Idempotency-Key: $RANDOM-$RANDOM-$press" "$base/v2/keys/tap" -d '{"keys":["A"],"frames":2,"wait":true}'
done
after=$(value $score)
[ "$((after - before))" -eq 85 ] || { echo "The score went from $before to $after." >&2; exit 1; }

call -o "$work/screen.png" "$base/v2/screen"
[ "$(head -c 4 "$work/screen.png" | tail -c 3)" = PNG ] || { echo "The picture is not a PNG." >&2; exit 1; }

call -o "$work/loaded" -X PUT -H 'Content-Type: application/octet-stream' --data-binary "@$work/state" "$base/v2/state"
[ "$(value $score)" -eq "$before" ] || { echo "The state did not bring the score back." >&2; exit 1; }
echo "Five presses took the score from $before to $after, and the state took it back."
