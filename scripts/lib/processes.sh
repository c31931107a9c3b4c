# shellcheck shell=bash disable=SC2034,SC2154
# Starting programs that must not outlive us, and ending them.

# start LOG COMMAND...: runs it in the background, its number is in $started. It has a session of its own, so that Ctrl-C reaches only us and
# we decide the order; and it is told to end should we be killed without a chance to do so.
start() {
  local log=$1
  shift
  setsid setpriv --pdeathsig TERM "$@" < /dev/null > "$log" 2>&1 &
  started=$!
}

alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }

# finish PID SECONDS: asks it to end, and ends it when it does not
finish() {
  [ -n "$1" ] && alive "$1" || return 0
  kill -TERM "$1" 2> /dev/null || return 0
  until_true "$2" gone "$1" || kill -KILL "$1" 2> /dev/null || true
}
