# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the measurements: their program, built when something changed, the machine, and the charts.

program=$artifacts/bench/mgba-bridge-bench.dll # gateway/bench

# build_bench: builds it
build_bench() {
  local log=$logs/build-bench.log lock
  want_sdk
  mkdir -p "$logs" "$artifacts"
  exec {lock}> "$artifacts/.lock"
  flock "$lock"
  say "building gateway/bench (log: $(shown "$log"))"
  if ! (cd "$root" && dotnet publish gateway/bench/MgbaBridge.Gateway.Benchmarks -c Release -o "$artifacts/bench" --artifacts-path "$artifacts/dotnet-bench" -v quiet) < /dev/null > "$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "gateway/bench does not build; the complete log is $(shown "$log")"
  fi
  exec {lock}>&-
}

# machine: the processors and the load average, for reports
machine() {
  printf '%s x %s, load average %s.' "$(nproc)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(cut -d ' ' -f 1 /proc/loadavg)"
}

# draw_charts FILE: the SVG files that FILE (NAME.charts.json) describes, in the same folder
draw_charts() {
  have python3 || fail "python3 is missing, which draws the charts; install it"
  python3 -B "$root/scripts/lib/charts.py" "$@"
}
