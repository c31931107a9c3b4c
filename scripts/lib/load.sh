# shellcheck shell=bash disable=SC2034,SC2154
# Runs k6: its report, its progress bar, and interruption. Requires bench.sh.

results=${RESULTS:-$root/loadtest/results}

prepare_results() {
  if ! mkdir -p "$results" 2> /dev/null || ! touch "$results/.writable" 2> /dev/null; then
    fail "cannot write the report to $(shown "$results"); make it writable, or set RESULTS to another folder"
  fi
  rm -f "$results/.writable"
  results=$(cd "$results" && pwd)
}

# run_k6 NAME QUESTION [WRAPPER...]: runs loadtest/QUESTION.js under WRAPPER (scripts/with-instance unless BASE_URL is set); its report is called NAME
run_k6() {
  local name=$1 file=$root/loadtest/$2.js wrapper
  shift 2
  wrapper=("$@")
  [ $# -gt 0 ] || [ -n "${BASE_URL:-}" ] || wrapper=("$root/scripts/with-instance")
  local command=(env "QUESTION=$name" "RESULTS=$results" PROGRESS=1 "MACHINE=$(machine)" "${wrapper[@]}"
    "$k6" run --quiet --no-usage-report --address "" --log-format raw "$file")
  local code=0 before interrupted=
  before=$(stamp "$results/$name.json")
  say "== $name"
  with_progress "${command[@]}" || code=$?
  if [ "$(stamp "$results/$name.json")" = "$before" ]; then
    # smoke writes no report, and a run that failed to start has printed the reason.
    [ $code -eq 0 ] || [ -z "$interrupted" ] || exit "$interrupted"
    return $code
  fi
  draw_charts "$results/$name.charts.json"
  say "The report is in $(shown "$results")/$name.md, the figures in $name.json, the charts in $name-*.svg."
  [ -z "$interrupted" ] || exit "$interrupted"
  grep -q '"verdict": "met"' "$results/$name.json"
}

stamp() { stat -c %y "$1" 2> /dev/null || true; }

# with_progress COMMAND...: runs it with a progress bar and forwards signals to its process group, so that k6 writes its report. Sets $interrupted.
with_progress() {
  local code=0 pid
  set -m # a separate process group
  "$@" < /dev/null 2> >(draw_progress) &
  pid=$!
  set +m
  trap 'interrupted=130; kill -INT -- "-$pid" 2> /dev/null || true' INT
  trap 'interrupted=143; kill -INT -- "-$pid" 2> /dev/null || true' TERM HUP
  wait "$pid" || code=$?
  while alive "$pid"; do
    code=0
    wait "$pid" || code=$?
  done
  trap - INT TERM HUP
  return $code
}

# Turns the lines `@progress PERCENT LABEL` of a k6 script into a progress bar, or without a terminal into one line per label; prints other lines unchanged.
draw_progress() {
  trap '' INT TERM HUP
  local line last='' bar=
  while IFS= read -r line; do
    # drop the script position that k6 appends
    [[ $line =~ ^(test\ aborted:.*)\ at\ [A-Za-z]+\ \(file:.*$ ]] && line=${BASH_REMATCH[1]}
    if [ "$line" = "Request Failed" ]; then
      continue # k6 prints it for each failed request; the table counts them
    elif ! [[ $line =~ ^@progress\ ([0-9]+)\ (.*)$ ]]; then
      printf '%s\n' "$line"
    elif [ -t 2 ]; then
      bar=$(printf '%*s' $((BASH_REMATCH[1] * 40 / 100)) '')
      printf '\r[%-40s] %3d %%  %-20s' "${bar// /#}" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
      [ "${BASH_REMATCH[1]}" -lt 100 ] || printf '\r%70s\r' ''
    elif [ -n "${BASH_REMATCH[2]}" ] && [ "${BASH_REMATCH[2]}" != "$last" ]; then
      last=${BASH_REMATCH[2]}
      printf '%3d %%  %s\n' "${BASH_REMATCH[1]}" "$last"
    fi
  done >&2
}
