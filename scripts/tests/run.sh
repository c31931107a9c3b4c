#!/bin/bash
# Tests the commands behind `make` on the real emulator: scripts/tests/run.sh [PATTERN]
# Each test is a function test_..., which runs in its own folder and process. Tests wait for visible conditions with a long limit, never for a fixed time.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/ports.sh
. "$root/scripts/lib/ports.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

# The commands under test must not use the caller's settings.
unset MAKEFLAGS MFLAGS MAKELEVEL ROM HTTP_PORT LUA_PORT FPS READY_FILE BASE_URL QUICK FULL RATES ASPNETCORE_URLS Bridge__Http__Token
unset MGBA_BRIDGE_PORT MGBA_BRIDGE_NONCE MGBA_BRIDGE_SECRET MGBA_BRIDGE_BIND MGBA_BRIDGE_TIED Bridge__Owned__DataFolder Bridge__Owned__HeadlessProgram

pattern=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=60 # seconds that anything may take on a busy machine

# --- functions for the tests; a test ends at its first failure -------------------------------------------------------

wrong() { echo "# $*"; exit 1; }
skip() { echo "# skipped: $*"; exit 77; }
equal() { [ "$1" = "$2" ] || wrong "$3: \"$1\", expected \"$2\""; }
expect() { grep -q -e "$2" "$1" || wrong "no \"$2\" in $1"; }
refuse() { ! grep -q -e "$2" "$1" || wrong "\"$2\" is in $1"; }
wait_for() { until_true $limit "$@" || wrong "timed out waiting for: $*"; }
says() { grep -q -e "$2" "$1" 2> /dev/null; }

# A process that ended and was not waited for is gone, too.
over() { [ ! -e "/proc/$1/status" ] || grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null; }
any_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# background NAME COMMAND...: in the project's folder and its own session; the output is in ./NAME.out, the process id in $pid
background() {
  local out=$PWD/$1.out ready=$PWD/$1.ready
  shift
  (cd "$root" && READY_FILE=$ready exec setsid "$@") < /dev/null > "$out" 2>&1 &
  pid=$!
  echo $pid >> pids
}

# in_a_terminal NAME COMMAND...: the same in its own terminal, whose input is descriptor 9; the process id is in $pid
in_a_terminal() {
  local out=$PWD/$1.out
  export READY_FILE=$PWD/$1.ready
  shift
  mkfifo keyboard
  # Background processes of a shell ignore SIGINT, and so do their children.
  env --default-signal=INT,QUIT script -qfc "$(printf '%q ' "$@")" /dev/null < keyboard > "$out" 2>&1 &
  pid=$!
  echo $pid >> pids
  exec 9> keyboard
}

# up NAME: waits until the run of that name is ready, and reads its addresses
up() {
  wait_for ready_or_over "$1"
  [ -e "$1.ready" ] || wrong "$1 did not start: $(cat "$1.out")"
  # shellcheck source=/dev/null
  . "./$1.ready"
  printf '%s\n' "$EMULATOR_PID" "$GATEWAY_PID" >> pids
}
ready_or_over() { [ -e "$1.ready" ] || over "$pid"; }

ended() { # ended CODE: the program started last exits with this code
  local code=0
  wait_for over "$pid"
  wait "$pid" || code=$?
  equal "$code" "$1" "exit code"
}

nothing_left() {
  wait_for over "$EMULATOR_PID"
  wait_for over "$GATEWAY_PID"
}

# refused TEXT COMMAND...: the command fails, and a line of its output matches
refused() {
  local text=$1
  shift
  background refused "$@"
  wait_for over "$pid"
  ! wait "$pid" || wrong "it did not fail: $*"
  expect refused.out "$text"
}

occupy() { # occupy PORT: starts a program that listens on it; its process id is in $occupant
  nc -lk 127.0.0.1 "$1" < /dev/null > /dev/null &
  occupant=$!
  echo $occupant >> pids
  wait_for port_taken "$1"
}
port_taken() { ! port_free "$1"; }

echoes() { [ "$(curl -s -m 10 "$1/mgbaendpoint?message=hello")" = hello ]; }
put() { curl -fsS -m 10 -X PUT -H 'Content-Type: application/json' -d "{\"value\":$2}" -o /dev/null "$1"; }
script_says() { printf '#1 %s<|END|>' "$2" | nc -N -w 10 127.0.0.1 "$1" | sed 's/<|END|>.*//'; }

# --- tests -----------------------------------------------------------------------------------------------------------------

test_make_run_answers_and_sigterm_ends_both() {
  background run make run
  up run
  eval "$(sed -n 's/^Try: *//p' run.out)" > /dev/null
  equal "$(head -c 4 game.png | tail -c 3)" PNG "picture of the command after Try"
  curl -fsS -m 10 -o /dev/null "$BASE_URL/healthz"
  curl -fsS -m 10 -o /dev/null "$BASE_URL/readyz"
  expect run.out "$BASE_URL"
  expect run.out "127.0.0.1:$LUA_PORT"
  expect run.out "^  page  *$BASE_URL/\$"
  kill -TERM "$pid"
  wait_for over "$pid"
  nothing_left
  expect run.out '^Ended\.$'
  port_free "$LUA_PORT" || wrong "port $LUA_PORT is still in use"
}

test_make_run_works_with_a_token() {
  Bridge__Http__Token=0123456789abcdef background run make run
  up run
  equal "$(curl -s -m 10 -o /dev/null -w '%{http_code}' "$BASE_URL/v2/game")" 401 "status without the token"
  curl -fsS -m 10 -o /dev/null -H 'Authorization: Bearer 0123456789abcdef' "$BASE_URL/v2/game"
  kill -TERM "$pid"
  wait_for over "$pid"
  nothing_left
}

test_an_address_of_the_user_is_passed_to_the_gateway() {
  local port
  port=$(any_port)
  background run env "ASPNETCORE_URLS=http://127.0.0.1:$port" make run
  up run
  equal "$BASE_URL" "http://127.0.0.1:$port" "address"
  kill -TERM "$pid"
  nothing_left
  ! port_free 5000 || occupy 5000
  background alone env "ASPNETCORE_URLS=http://127.0.0.1:$port" make gateway
  wait_for says alone.out "Now listening on: http://127.0.0.1:$port"
  refuse alone.out 'so the gateway uses'
  kill -TERM "$pid"
}

test_scripts_run_exits_with_0_on_sigterm() {
  background run scripts/run
  up run
  kill -TERM "$pid"
  ended 0
  nothing_left
}

test_a_later_start_builds_nothing() {
  background run make run
  up run
  refuse run.out building
  refuse run.out installing
}

test_the_curl_lines_of_the_readme_work() {
  [ -e "$root/README.md" ] || wrong "there is no README.md"
  background run make run
  up run
  local line count=0
  while IFS= read -r line; do
    count=$((count + 1))
    line=$(sed -E "s#(http://)?(localhost|127\.0\.0\.1):5000#$BASE_URL#g" <<< "$line")
    (eval "${line/#curl/curl -fsS -m 10}") > answer 2>&1 || wrong "not answered: $line: $(cat answer)"
  done < <(grep -E '^ *(\$ )?curl .*:5000' "$root/README.md" | sed -E 's/^ *(\$ )?//')
  [ $count -ge 5 ] || wrong "README.md has only $count curl lines"
}

test_ctrl_c_in_a_terminal_ends_both() {
  in_a_terminal run make -C "$root" run
  up run
  printf '\003' >&9
  wait_for over "$pid"
  nothing_left
  expect run.out 'Ended\.'
}

test_closing_the_terminal_ends_both() {
  in_a_terminal run make -C "$root" run
  up run
  kill -KILL "$pid"
  nothing_left
}

test_a_killed_gateway_leaves_nothing_running() {
  background run scripts/run
  up run
  equal "$GATEWAY_PID" "$pid" "process id of the gateway"
  kill -KILL "$pid"
  nothing_left
}

test_a_killed_make_leaves_nothing_running() {
  background run make run
  up run
  kill -KILL "$pid"
  nothing_left
}

test_two_runs_started_at_once_have_their_own_emulators() {
  background one make run
  local one=$pid
  background two make run
  up two
  local second=$BASE_URL second_port=$LUA_PORT
  pid=$one
  up one
  [ "$BASE_URL" != "$second" ] || wrong "both are at $second"
  [ "$LUA_PORT" != "$second_port" ] || wrong "both scripts are on $LUA_PORT"
  put "$BASE_URL/v2/memory/0x02000400/u32" 1111
  put "$second/v2/memory/0x02000400/u32" 2222
  [[ $(script_says "$LUA_PORT" 'memory.read32 0x02000400') == *" ok 1111" ]] || wrong "the first one's emulator was not written to"
  [[ $(script_says "$second_port" 'memory.read32 0x02000400') == *" ok 2222" ]] || wrong "the second one's emulator was not written to"
}

test_a_gateway_knows_its_own_emulator() {
  background run make run
  up run
  local port
  port=$(any_port)
  background other dotnet "$root/artifacts/gateway/mgba-bridge.dll" --contentRoot "$root/artifacts/gateway" \
    --http-port "$port" --emulator-port "$LUA_PORT" --nonce another
  wait_for curl -fsS -m 10 -o /dev/null "http://127.0.0.1:$port/healthz"
  equal "$(curl -s -m 10 -o answer -w '%{http_code}' "http://127.0.0.1:$port/mgbaendpoint?message=hello")" 502 "status"
  expect answer nonce
}

test_ports_that_are_set_are_used() {
  local http lua
  http=$(any_port) lua=$(any_port)
  background run make run "HTTP_PORT=$http" "LUA_PORT=$lua"
  up run
  equal "$BASE_URL $LUA_PORT" "http://127.0.0.1:$http $lua" "addresses"
  echoes "http://127.0.0.1:$http"
}

test_a_set_port_in_use_is_explained() {
  local port name
  port=$(any_port)
  occupy "$port"
  for name in LUA_PORT HTTP_PORT; do
    refused "port $port is in use by nc (pid $occupant); .*$name=" make run "$name=$port"
  done
  refused "port $port is in use by nc (pid $occupant); .*LUA_PORT=" make emulator "LUA_PORT=$port"
  refused "port $port is in use by nc (pid $occupant); .*HTTP_PORT=" make gateway "HTTP_PORT=$port"
}

test_a_default_http_port_in_use_is_skipped() {
  ! port_free 5000 || occupy 5000
  background run make run
  up run
  [ "$BASE_URL" != http://127.0.0.1:5000 ] || wrong "it claims to be at $BASE_URL"
  expect run.out "port 5000 is in use by .* uses ${BASE_URL##*:}"
  echoes "$BASE_URL"
}

test_invalid_ports_are_refused() {
  local port
  for port in 0 65536 -1 http 8888x; do
    refused "LUA_PORT=$port is not a port" make run "LUA_PORT=$port"
    refused "HTTP_PORT=$port is not a port" make run "HTTP_PORT=$port"
  done
}

test_an_emulator_that_ends_is_started_again() {
  background run scripts/run
  up run
  kill -KILL "$EMULATOR_PID"
  wait_for says run.out 'Emulator 1 answers again after'
  wait_for over "$EMULATOR_PID"
  echoes "$BASE_URL"
  EMULATOR_PID=$(curl -fsS -m 10 "$BASE_URL/v2/status" | sed -n 's/.*"pid":\([0-9]*\).*/\1/p')
  kill -TERM "$pid"
  ended 0
  nothing_left
}

test_an_invalid_rom_or_speed_is_explained() {
  refused '^/nowhere/game.gba does not exist' make run ROM=/nowhere/game.gba
  : > empty.gba
  refused 'did not start: .*empty' make run "ROM=$PWD/empty.gba"
  refused '^--fps is "fast"; expected a number' make run FPS=fast
}

test_a_users_rom_runs_and_is_saved_in_its_folder() {
  mkdir 'my games'
  cp "$default_rom" 'my games/my game.gba'
  background run make run "ROM=$PWD/my games/my game.gba" FPS=120
  up run
  echoes "$BASE_URL"
  put "$BASE_URL/v2/memory/0x02000018/u32" 1 # makes the test ROM save
  kill -TERM "$pid"
  wait_for over "$pid"
  nothing_left
  [ -s 'my games/my game.sav' ] || wrong "there is no save file beside the ROM: $(ls -R)"
}

test_a_killed_emulator_gives_problems_until_it_is_back() {
  local lua http emulator
  lua=$(any_port) http=$(any_port)
  background emulator make emulator "LUA_PORT=$lua"
  background gateway make gateway "HTTP_PORT=$http" "LUA_PORT=$lua"
  local base=http://127.0.0.1:$http
  wait_for echoes "$base"
  emulator=$(listener "$lua" | sed -n 's/.*pid=\([0-9]*\).*/\1/p')
  "$root/scripts/tests/steady.py" "$base/mgbaendpoint?message=hello" 50 > outcomes &
  local steady=$!
  echo $steady >> pids
  wait_for says outcomes '^requesting$'
  kill -KILL "$emulator"
  wait_for over "$emulator"
  wait_for problem "$base"
  background again make emulator "LUA_PORT=$lua"
  wait_for says again.out listening
  local began=${EPOCHREALTIME/./}
  wait_for echoes "$base"
  echo "# answered again $(((${EPOCHREALTIME/./} - began) / 1000)) ms after the emulator had started again"
  kill -TERM "$steady"
  wait_for over "$steady"
  cat outcomes
  expect outcomes '^[0-9]* 200$'
  expect outcomes '^[0-9]* problem '
  refuse outcomes '^[0-9]* no '
}
problem() { [ "$(curl -s -m 10 -o answer -w '%{http_code}' "$1/mgbaendpoint?message=hello")" = 503 ] && says answer '"detail"'; }

test_a_reloaded_script_is_found_again() {
  local lua http
  lua=$(any_port) http=$(any_port)
  mkfifo control
  exec 9<> control
  MGBA_BRIDGE_PORT=$lua background emulator "$host" --control "$PWD/control" --saves "$PWD" --script "$script_lua" "$default_rom"
  background gateway make gateway "HTTP_PORT=$http" "LUA_PORT=$lua"
  wait_for echoes "http://127.0.0.1:$http"
  local before
  before=$(epoch "http://127.0.0.1:$http")
  printf 'run-script %s\n' "$script_lua" >&9
  wait_for says emulator.out 'control: ok run-script'
  wait_for another_epoch "http://127.0.0.1:$http" "$before"
  equal "$(grep -c listening emulator.out)" 2 "loads of the script"
}
epoch() { curl -fs -m 10 -o /dev/null -D - "$1/mgbaendpoint?message=hello" | tr -d '\r' | sed -n 's/^Mgba-Epoch: //p'; }
another_epoch() {
  local now
  now=$(epoch "$1")
  [ -n "$now" ] && [ "$now" != "$2" ]
}

test_without_apt_the_missing_packages_are_named() {
  bare_path bin
  local out
  ! out=$(PATH=$PWD/bin "$root/scripts/install" emulator run 2>&1) || wrong "it did not fail"
  [[ $out == *"sudo apt-get install -y gcc libc6-dev libmgba-dev make iproute2 curl util-linux"* ]] || wrong "it says: $out"
}

test_missing_k6_is_explained() {
  bare_path bin
  mkdir -p elsewhere/scripts
  cp -r "$root/scripts/lib" "$root/scripts/find-k6" elsewhere/scripts/
  local out
  ! out=$(PATH=$PWD/bin elsewhere/scripts/find-k6 2>&1) || wrong "it did not fail"
  [[ $out == "find-k6: k6 is missing"* ]] || wrong "it says: $out"
}

test_an_impossible_load_is_explained() {
  "$root/scripts/find-k6" > /dev/null 2>&1 || skip "k6 is missing"
  refused 'nothing answers at http://127.0.0.1:1 ' make load BASE_URL=http://127.0.0.1:1
  refused 'RATES must be an integer from 1 to 10000, not "0"' make load BASE_URL=http://127.0.0.1:1 RATES=0
  refused 'RATES must be an integer from 1 to 10000, not "1000000"' make load BASE_URL=http://127.0.0.1:1 RATES=1000000
}

test_a_load_on_a_paused_emulator_is_explained() {
  "$root/scripts/find-k6" > /dev/null 2>&1 || skip "k6 is missing"
  background run make run
  up run
  curl -fsS -m 10 -X PUT -H 'Content-Type: application/json' -d '{"paused":true}' -o /dev/null "$BASE_URL/v2/emulators/1/run"
  wait_for not_ready "$BASE_URL"
  refused 'is not ready: The game is paused' make load "BASE_URL=$BASE_URL"
}
not_ready() { [ "$(curl -s -m 10 -o /dev/null -w '%{http_code}' "$1/readyz")" = 503 ]; }

# suite FILE TEXT EXIT-CODE: a fake suite
suite() {
  mkdir -p "elsewhere/$(dirname "$1")"
  printf '#!/bin/sh\nprintf "%%b" "%s"\nexit %s\n' "$2" "$3" > "elsewhere/$1"
  chmod +x "elsewhere/$1"
}

test_suites_are_added_up_and_a_broken_one_counts() {
  mkdir elsewhere
  cp -r "$root/scripts" elsewhere/
  suite scripts/install '' 0
  suite scripts/build '' 0
  suite lua/test/run.sh 'ok - fine\nlua: 2 passed, 0 failed, 1 skipped\n' 0
  suite lua/headless/rom/test/run.sh 'ok - good\nnot ok - bad\n# why\nrom: 1 passed, 1 failed, 0 skipped\n' 1
  suite lua/headless/test/run.sh 'ok - begun\n' 3
  suite scripts/tests/smoke.sh 'smoke: 1 passed, 0 failed, 0 skipped\n' 4
  rm elsewhere/scripts/tests/examples.sh
  local add=elsewhere/scripts/test
  "$add" lua > out || wrong "a suite without a failure fails: $(cat out)"
  equal "$(tail -n 1 out)" "2 passed, 0 failed, 1 skipped" "sum of one"
  ! "$add" lua rom headless smoke examples > out || wrong "failures are no failure"
  equal "$(tail -n 1 out)" "4 passed, 4 failed, 1 skipped" "sum"
  equal "$(cat elsewhere/.run/test-summary)" "$(tail -n 1 out)" "sum for others"
  refuse out '^ok - \(fine\|good\)'
  expect out '^# why'
  expect out 'headless ended without its last line (exit code 3'
  expect out 'smoke ended with exit code 4 although nothing failed'
  expect out 'the suite is missing: scripts/tests/examples.sh'
}

test_make_alone_lists_every_target() {
  make -C "$root" > help.out
  local target
  sed -n 's/^\.PHONY: //p' "$root/Makefile" | tr ' ' '\n' > targets
  while read -r target; do
    expect help.out "^  make $target "
  done < targets
}

# --- the runner --------------------------------------------------------------------------------------------------------------

# The process of a test. The programs that it leaves running are ended by the process ids that it noted.
run_one() {
  set -e
  cd "$1"
  : > pids
  trap 'clean_up' EXIT
  "$2"
}

clean_up() {
  local one
  while read -r one; do
    kill -CONT "$one" 2> /dev/null || true
    kill -TERM "$one" 2> /dev/null || true
  done < pids
  while read -r one; do
    until_true 15 over "$one" || kill -KILL "$one" 2> /dev/null || true
  done < pids
}

skipped=0
"$root/scripts/build" emulator gateway
for test in $(declare -F | sed -n 's/^declare -f \(test_\)/\1/p'); do
  name=${test#test_}
  name=${name//_/ }
  [[ $name == *$pattern* ]] || continue
  mkdir "$work/$test"
  began=$SECONDS
  # Not in a condition: there, set -e has no effect.
  set +e
  (run_one "$work/$test" "$test") > "$work/$test.log" 2>&1
  code=$?
  set -e
  if [ $code -eq 0 ]; then
    passed=$((passed + 1))
    say "ok - $name ($((SECONDS - began)) s)"
    sed 's/^\([^#]\)/# \1/' "$work/$test.log" | sed 's/^/ok   /'
  elif [ $code -eq 77 ]; then
    skipped=$((skipped + 1))
    say "ok - $name # SKIP"
    grep '^# skipped' "$work/$test.log"
  else
    failed=$((failed + 1))
    say "not ok - $name"
    sed 's/^\([^#]\)/# \1/' "$work/$test.log"
    for file in "$work/$test"/*.out; do
      [ ! -s "$file" ] || { say "# end of ${file##*/}:"; tail -n 15 "$file" | cut -c 1-300 | sed 's/^/#   /'; }
    done
  fi
done

say "run: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
