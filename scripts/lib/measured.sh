# shellcheck shell=bash disable=SC2034,SC2154
# What is measured: an emulator with some script, and perhaps what answers HTTP in front of it. Wants ports.sh and processes.sh.

host_pid='' front_pid=''

# start_host LOG SAVES SCRIPT [GAME]: an emulator with that script; its number is in $host_pid, its port in $port. False if it does not come up.
start_host() {
  port=$(next_free 8920)
  mkdir -p "$2"
  MGBA_BRIDGE_PORT=$port start "$1" "$host" --stats 0 --saves "$2" --script "$3" -- "${4:-$default_rom}"
  host_pid=$started
  listening() { gone "$host_pid" || ! port_free "$port"; }
  until_true 20 listening || true
  if gone "$host_pid" || port_free "$port"; then
    say "the emulator with ${3##*/} did not come up: $(tail -n 5 "$1")" >&2
    return 1
  fi
}

# start_front LOG URL COMMAND...: what answers HTTP at URL; its number is in $front_pid. False if it does not come up.
start_front() {
  local log=$1 url=$2
  shift 2
  start "$log" "$@"
  front_pid=$started
  answers() { gone "$front_pid" || curl -fs -m 5 -o /dev/null "$url/readyz"; }
  until_true 30 answers || true
  if gone "$front_pid"; then
    say "the front did not start: $(tail -n 5 "$log")" >&2
    return 1
  fi
}

# end_both: whichever of them runs
end_both() {
  finish "$front_pid" 10
  finish "$host_pid" 5
  front_pid='' host_pid=''
}
