# shellcheck shell=bash disable=SC2034,SC2154
# How k6 is run: its report, its bar, and its end.

results=${RESULTS:-$root/loadtest/results}

prepare_results() {
  if ! mkdir -p "$results" 2> /dev/null || ! touch "$results/.writable" 2> /dev/null; then
    fail "cannot write to $(shown "$results"), where the report goes; make it writable, or name another folder with RESULTS"
  fi
  rm -f "$results/.writable"
  results=$(cd "$results" && pwd)
}

# ask_k6 NAME QUESTION [AROUND...]: loadtest/QUESTION.js as k6 run under AROUND (an instance of its own unless BASE_URL is set), its report called NAME
ask_k6() {
  local name=$1 file=$root/loadtest/$2.js around
  shift 2
  around=("$@")
  [ $# -gt 0 ] || [ -n "${BASE_URL:-}" ] || around=("$root/scripts/with-instance")
  local command=(env "QUESTION=$name" "RESULTS=$results" PROGRESS=1 "MACHINE=$(machine)" "${around[@]}"
    "$k6" run --quiet --no-usage-report --address "" --log-format raw "$file")
  local code=0 before interrupted=
  before=$(stamp "$results/$name.json")
  say "== $name"
  attended "${command[@]}" || code=$?
  if [ "$(stamp "$results/$name.json")" = "$before" ]; then
    # The smoke test has no report; whoever ended without one has said why.
    [ $code -eq 0 ] || [ -z "$interrupted" ] || exit "$interrupted"
    return $code
  fi
  say "The report is in $(shown "$results")/$name.md, the figures in $name.json, the pictures in $name-*.svg."
  [ -z "$interrupted" ] || exit "$interrupted"
  grep -q '"verdict": "met"' "$results/$name.json"
}

stamp() { stat -c %y "$1" 2> /dev/null || true; }

# attended COMMAND...: runs it with a bar of its progress; our end is passed on to all of it, so that k6 can write its report. Sets $interrupted.
attended() {
  local code=0 pid
  set -m # a process group of its own
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

# Turns the lines `@progress PERCENT LABEL` of a k6 script into a bar, or on no terminal into a line for each label, and lets the others pass.
draw_progress() {
  trap '' INT TERM HUP
  local line last='' bar=
  while IFS= read -r line; do
    # where in the script k6 stood when it gave up is of no interest
    [[ $line =~ ^(test\ aborted:.*)\ at\ [A-Za-z]+\ \(file:.*$ ]] && line=${BASH_REMATCH[1]}
    if [ "$line" = "Request Failed" ]; then
      continue # k6 says it for every one; the table counts them
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
