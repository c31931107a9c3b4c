#!/bin/bash
# Records how coins.sh plays the demo game, replays the recording, and makes a video of it: ./clip.sh coins.mp4; see README.md.
set -euo pipefail

video=${1:?Usage: ./clip.sh FILE.mp4}
export MGBA_BRIDGE_URL=${BASE_URL:-http://127.0.0.1:5000}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

id=$(mgba-bridge record start --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
"$here/coins.sh"
mgba-bridge record stop "$id" > "$work/stopped"
mgba-bridge record download "$id" --out "$work/coins.jsonl"
mgba-bridge record replay "$work/coins.jsonl" # the same keys in the same frames: the same memory
mgba-bridge record video "$work/coins.jsonl" "$video" --rom :demo:
