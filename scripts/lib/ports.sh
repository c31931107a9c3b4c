# shellcheck shell=bash disable=SC2034,SC2154
# TCP ports on this machine: which program uses one, and which is free.

valid_port() { [[ $1 =~ ^[0-9]{1,5}$ ]] && [ "$((10#$1))" -ge 1 ] && [ "$((10#$1))" -le 65535 ]; }

# The listener that occupies 127.0.0.1:PORT, as a line of ss, or nothing.
listener() {
  ss -Hltnp "sport = :$1" | awk '$4 ~ /^(127\.0\.0\.1:|0\.0\.0\.0:|\*:|\[::\]:|\[::ffff:)/ { print; exit }'
}

port_free() { [ -z "$(listener "$1")" ]; }

# port_owner PORT: "nc (pid 17)"
port_owner() {
  local line
  line=$(listener "$1")
  if [[ $line =~ users:\(\(\"([^\"]*)\",pid=([0-9]+) ]]; then
    printf '%s (pid %s)' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  else
    printf 'a program of another user'
  fi
}

# want_port NAME PORT: fails unless PORT, which the setting NAME requests, is valid and free
want_port() {
  valid_port "$2" || fail "$1=$2 is not a port; give a number from 1 to 65535"
  port_free "$2" || fail "port $2 is in use by $(port_owner "$2"); stop that program, choose another port ($1=$(next_free $(($2 + 1)))), or omit $1 to use a free one"
}

# next_free FROM: the first free port at or above FROM
next_free() {
  local port=$1
  until port_free "$port"; do
    port=$((port + 1))
    [ "$port" -le 65535 ] || port=1024
  done
  printf '%s' "$port"
}
