# shellcheck shell=bash disable=SC2034,SC2154
# Control commands over the standard input: its end of file ends the program, in whatever state it is.
# Sourced by run.sh; the functions are in words.sh.

# start_on_input ARGUMENTS...: the standard input is a pipe whose only writer is descriptor 9
start_on_input() {
  rm -f input out err
  mkfifo input
  mkdir -p saves
  "$program" --saves saves --control - "$@" < input >> out 2>> err 9>&- &
  pid=$!
  exec 9> input
}

test_input_commands_are_answered_as_from_a_fifo() {
  start_on_input "$roms/game.gba"
  say pause 'ok pause'
  say 'advance 5' 'ok advance'
  say 'fps 30' 'ok fps'
  say nonsense 'error line'
  say stop 'ok stop'
  ended 0
}

test_input_end_of_file_writes_the_save_and_ends_it() {
  mail 4
  for rom in game.gba game.gb; do
    rm -rf saves
    start_on_input --script "$here/events.lua" --script mail.lua "$roms/$rom"
    wait_for out '^mailed$'
    script_frame_after_mail
    exec 9>&-
    ended 0
    expect out '^event shutdown 1 emu=yes$'
    equal "$(first_byte saves/game.sav)" 5a "save of $rom"
    [ ! -s err ] || fail "stderr is not empty"
  done
}

test_input_end_of_file_ends_it_while_no_frame_runs() {
  for command in pause close 'fps 0.01'; do
    start_on_input --script "$here/events.lua" "$roms/game.gba"
    say "$command" 'ok'
    exec 9>&-
    ended 0
    expect out '^event shutdown 1'
  done
}

test_input_end_of_file_runs_the_commands_before_it() {
  start_on_input "$roms/game.gba"
  printf 'pause\nsave-state last\nincomplete' >&9
  exec 9>&-
  ended 0
  expect out '^control: ok save-state$'
  [ -s saves/last ] || [ -s last ] || fail "no state was saved"
  refuse out 'control: error'
}

test_input_end_of_file_ends_a_long_advance() {
  start_on_input --script "$here/events.lua" "$roms/game.gba"
  printf 'advance 1000000\n' >&9
  wait_for out '^event frame 1'
  exec 9>&-
  ended 0
  expect out '^control: error advance: the emulation ended'
}

test_input_closed_by_a_killed_parent_ends_it() {
  mkfifo input
  mkdir saves
  # The parent holds the only writer; it is killed and cannot close anything itself.
  bash -c 'exec 9> input; echo ready; sleep 60' > parent 2>&1 &
  local parent=$!
  "$program" --saves saves --control - --script "$here/events.lua" "$roms/game.gba" < input > out 2> err &
  pid=$!
  wait_for parent '^ready$'
  wait_for out '^event frame 1'
  pkill -KILL -P $parent || true
  kill -KILL $parent
  ended 0
  expect out '^event shutdown 1'
}

test_input_end_of_file_ends_a_script_that_never_returns() {
  script endless.lua <<< 'callbacks:add("frame", function() console:log("hangs") while true do end end)'
  start_on_input --script endless.lua "$roms/game.gba"
  wait_for out '^hangs$'
  exec 9>&-
  ended 50
  expect err 'exiting immediately'
}

test_input_a_sigint_ignored_at_start_stays_ignored() {
  start_on_input --script "$here/events.lua" "$roms/game.gba" # bash ignores SIGINT in programs that it starts with &
  wait_for out '^event frame 1'
  kill -INT "$pid"
  say pause 'ok pause'
  exec 9>&-
  ended 0
}

test_input_a_sigterm_ignored_at_start_stays_ignored() {
  trap '' TERM
  start_on_input --script "$here/events.lua" "$roms/game.gba"
  trap - TERM
  wait_for out '^event frame 1'
  kill -TERM "$pid"
  say pause 'ok pause'
  exec 9>&-
  ended 0
}

test_input_is_clean_under_valgrind() {
  command -v valgrind > /dev/null || fail "valgrind is missing; install it (apt-get install valgrind)"
  mkfifo input
  mkdir saves
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible --show-leak-kinds=definite,possible \
    --suppressions="$here/valgrind.supp" --log-file=valgrind.log \
    "$program" --saves saves --control - --fps 0 "$roms/game.gba" < input >> out 2>> err 9>&- &
  pid=$!
  exec 9> input
  say pause 'ok pause'
  say 'advance 30' 'ok advance'
  exec 9>&-
  ended 0
  [ ! -s valgrind.log ] || fail "$(head -n 40 valgrind.log)"
}
