# shellcheck shell=bash disable=SC2034,SC2154
# The program of gateway/bench: built when something changed, and run.

bench_project=$root/gateway/bench/MgbaBridge.Gateway.Benchmarks
program=$artifacts/bench/mgba-bridge-bench.dll

build_bench() {
  local log=$logs/build-bench.log lock
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
