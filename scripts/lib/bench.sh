# shellcheck shell=bash disable=SC2034,SC2154
# What measurements share: the program of gateway/bench, built when something changed, the machine, and the report.

bench_project=$root/gateway/bench/MgbaBridge.Gateway.Benchmarks
program=$artifacts/bench/mgba-bridge-bench.dll

build_bench() {
  local log=$logs/build-bench.log lock
  want_sdk
  mkdir -p "$logs" "$artifacts"
  exec {lock}> "$artifacts/.lock"
  flock "$lock"
  say "building the load generator (log: $(shown "$log"))"
  if ! (cd "$root" && dotnet publish "$bench_project" -c Release -o "$artifacts/bench" --artifacts-path "$artifacts/dotnet-bench" -v quiet) < /dev/null > "$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "the load generator does not build; the whole log is in $(shown "$log")"
  fi
  exec {lock}>&-
}

# machine: the one the figures belong to, and how busy it was
machine() {
  printf '%s x %s, load average %s.' "$(nproc)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(cut -d ' ' -f 1 /proc/loadavg)"
}

# tell_report FILE [WHAT-ELSE]: shows it and says where it is
tell_report() {
  say
  cat "$1"
  say
  say "The report is in $(shown "$1")${2:-.}"
}
