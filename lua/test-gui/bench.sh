#!/bin/bash
# How fast the script answers in a real window, and how that affects the frame rate: a Markdown table. Not a test.
#
#   lua/test-gui/bench.sh                  this script, and the baseline (loadtest/baseline.lua)
#   lua/test-gui/bench.sh FILE.lua ...     other scripts; the load is mGBA-http's core.read8, or memory.read8 for this script
#   lua/test-gui/bench.sh --budget FILE    how the time of a frame is spent, as JSON; scripts/bench-budget window makes tables of it
#
#   BENCH_SECONDS=10    duration of each row
#   BENCH_SYNC=video    video sync instead of audio sync
#   BENCH_SETTLE=8      seconds without clients after loading, in which the script measures the pace
set -u
cd "$(dirname "$0")" || exit 1

for tool in Xvfb openbox xdotool import python3 cc; do
  command -v "$tool" > /dev/null || { echo "bench.sh: $tool is missing; on Debian: apt-get install mgba-qt xvfb openbox xdotool imagemagick python3 gcc" >&2; exit 1; }
done
qt=${MGBA_QT:-$(PATH=$PATH:/usr/games command -v mgba-qt)}
[ -x "$qt" ] || { echo "bench.sh: mgba-qt is missing; on Debian: apt-get install mgba-qt" >&2; exit 1; }

folder=$(cd ../.. && pwd)/.run/gui-bench
rm -rf "$folder" && mkdir -p "$folder" || exit 1
cc -O2 -Wall -Wextra -o "$folder/wire-load" wire-load.c || exit 1
export MGBA_QT=$qt GUI_FOLDER=$folder PYTHONPATH=../../tests/python
if [ "${1:-}" = --budget ]; then
  exec python3 -B budget.py "$2"
fi
[ $# -gt 0 ] || set -- ../mgba-bridge.lua ../../loadtest/baseline.lua
exec python3 -B bench.py "$@"
