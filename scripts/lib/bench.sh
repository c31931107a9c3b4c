# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the measurements: their programs, built when something changed, the machine, the charts and the report.

program=$artifacts/bench/mgba-bridge-bench.dll     # gateway/bench
lab_program=$artifacts/lab/mgba-bridge-lab.dll     # loadtest/lab

build_bench() { publish bench gateway/bench/MgbaBridge.Gateway.Benchmarks; }
build_lab() { publish lab loadtest/lab; }

# publish NAME PROJECT: builds the project into artifacts/NAME
publish() {
  local log=$logs/build-$1.log lock
  want_sdk
  mkdir -p "$logs" "$artifacts"
  exec {lock}> "$artifacts/.lock"
  flock "$lock"
  say "building $2 (log: $(shown "$log"))"
  if ! (cd "$root" && dotnet publish "$2" -c Release -o "$artifacts/$1" --artifacts-path "$artifacts/dotnet-$1" -v quiet) < /dev/null > "$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "$2 does not build; the complete log is $(shown "$log")"
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

# print_report FILE [TEXT]: prints the report and its path
print_report() {
  say
  cat "$1"
  say
  say "The report is in $(shown "$1")${2:-.}"
}
