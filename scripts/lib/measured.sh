# shellcheck shell=bash disable=SC2034,SC2154
# The programs under measurement: an emulator with a script and, optionally, an HTTP server in front of it. Requires ports.sh and processes.sh.

host_pid='' front_pid=''

# start_host LOG SAVES SCRIPT [GAME]: starts an emulator with the script; sets $host_pid and $port. False if it does not start.
start_host() {
  port=$(next_free 8920)
  mkdir -p "$2"
  MGBA_BRIDGE_PORT=$port start "$1" "$host" --stats 0 --saves "$2" --script "$3" -- "${4:-$default_rom}"
  host_pid=$started
  listening() { gone "$host_pid" || ! port_free "$port"; }
  until_true 20 listening || true
  if gone "$host_pid" || port_free "$port"; then
    say "the emulator with ${3##*/} did not start: $(tail -n 5 "$1")" >&2
    return 1
  fi
}

# start_front LOG URL COMMAND...: starts an HTTP server that answers at URL; sets $front_pid. False if it does not start.
start_front() {
  local log=$1 url=$2
  shift 2
  start "$log" "$@"
  front_pid=$started
  answers() { gone "$front_pid" || curl -fs -m 5 -o /dev/null "$url/readyz"; }
  until_true 30 answers || true
  if gone "$front_pid"; then
    say "the HTTP server did not start: $(tail -n 5 "$log")" >&2
    return 1
  fi
}

# end_both: ends those of the two that run
end_both() {
  finish "$front_pid" 10
  finish "$host_pid" 5
  front_pid='' host_pid=''
}
