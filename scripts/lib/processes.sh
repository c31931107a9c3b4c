# shellcheck shell=bash disable=SC2034,SC2154
# Starts programs that must not outlive this script, and ends them.

# start LOG COMMAND...: runs it in the background and sets $started to its process id. It has its own session, so that Ctrl-C reaches only this script,
# which ends its programs in order; it receives SIGTERM if this script is killed.
start() {
  local log=$1
  shift
  setsid setpriv --pdeathsig TERM "$@" < /dev/null > "$log" 2>&1 &
  started=$!
}

alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }

# finish PID SECONDS: sends SIGTERM, and SIGKILL after the time
finish() {
  [ -n "$1" ] && alive "$1" || return 0
  kill -TERM "$1" 2> /dev/null || return 0
  until_true "$2" gone "$1" || kill -KILL "$1" 2> /dev/null || true
}
