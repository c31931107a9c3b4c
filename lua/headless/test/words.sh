# shellcheck shell=bash disable=SC2034,SC2154
# Functions for the tests; a test ends at its first failure. Sourced by run.sh.

fail() { echo "# $*"; exit 1; }
skip() { echo "# skipped: $*"; exit 77; }

# start ARGUMENTS...: runs the emulator in the background, output in ./out and ./err, saves in ./saves
start() {
  mkdir -p saves
  "$program" --saves saves "$@" >> out 2>> err &
  pid=$!
}

# start_controlled ARGUMENTS...: the same with a control FIFO, held open on descriptor 9
start_controlled() {
  [ -p fifo ] || mkfifo fifo
  start --control fifo "$@"
  exec 9<> fifo
}

running() { kill -0 "$pid" 2> /dev/null; }

# until_true COMMAND...: runs it until it succeeds
until_true() {
  local end=$((SECONDS + limit))
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "timed out waiting for: $*"
    sleep 0.02
  done
}

has() { grep -q -e "$2" "$1" 2> /dev/null; }
lines() { grep -c -e "$2" "$1" || true; }
has_lines() { [ "$(lines "$1" "$2")" -ge "$3" ]; }
wait_for() { until_true has "$1" "$2"; }
expect() { has "$1" "$2" || fail "no \"$2\" in $1"; }
refuse() { ! has "$1" "$2" || fail "\"$2\" is in $1"; }
equal() { [ "$1" = "$2" ] || fail "$3: \"$1\", expected \"$2\""; }
gone() { ! running; }

# ended CODE: the emulator ends by itself, with this exit code
ended() {
  until_true gone
  local code=0
  wait "$pid" || code=$?
  pid=
  equal "$code" "$1" "exit code"
}

# runs CODE ARGUMENTS...: a whole run
runs() {
  local code=$1
  shift
  start "$@"
  ended "$code"
}

# say LINE ANSWER: one control line, and the answer it must get
say() {
  local before
  before=$(lines out '^control: ')
  printf '%s\n' "$1" >&9
  until_true has_lines out '^control: ' $((before + 1))
  local answer
  answer=$(grep -e '^control: ' out | tail -n 1)
  [[ $answer =~ ^control:\ $2 ]] || fail "\"$1\" was answered \"$answer\", expected \"$2\""
}

# refused CODE PATTERN ARGUMENTS...: ends with this code, one sentence on stderr that matches, nothing on stdout
refused() {
  local code=$1 text=$2
  shift 2
  rm -f out err
  runs "$code" "$@"
  equal "$(wc -l < err)" 1 "lines on stderr"
  expect err "^mgba-headless: .*$text"
  [ ! -s out ] || fail "stdout is not empty"
}

script() { cat > "$1"; } # script FILE < text

first_byte() { head -c 1 "$1" | od -An -tx1 | tr -d ' '; }
count_of() { sed -n "s/^count $1 //p" out | tail -n 1; }
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p"; } # field NAME < stats lines
last_stats() { grep 'mgba-headless: stats' err | tail -n 1; }

# ask_stats: SIGUSR1, and the line it brings is in $stats
ask_stats() {
  local before
  before=$(lines err ': stats ')
  kill -USR1 "$pid"
  until_true has_lines err ': stats ' $((before + 1))
  stats=$(last_stats)
}

at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }' || fail "$3: $1, expected at least $2"; }
at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }' || fail "$3: $1, expected at most $2"; }
