#!/bin/bash
# How fast the script answers in a real window, and how that affects the frame rate: a Markdown table. Not a test.
#
#   lua/test-gui/bench.sh                  this script, and the baseline (loadtest/baseline.lua)
#   lua/test-gui/bench.sh FILE.lua ...     other scripts; the load is mGBA-http's core.read8, or memory.read8 for this script
#
#   BENCH_SECONDS=10    duration of each row
#   BENCH_SYNC=video    video sync instead of audio sync
#   BENCH_SETTLE=8      seconds without clients after loading, in which the script measures the pace
. "$(dirname "$0")/../../scripts/lib/common.sh"

"$root/scripts/install" window
"$root/scripts/build" bench
folder=$runs/gui-bench
rm -rf "$folder"
mkdir -p "$folder"
[ $# -gt 0 ] || set -- "$script_lua" "$root/loadtest/baseline.lua"
GUI_FOLDER=$folder BENCH_PROGRAM=$artifacts/bench/mgba-bridge-bench.dll PYTHONPATH=$root/tests/python exec python3 -B "$root/lua/test-gui/bench.py" "$@"
