# shellcheck shell=bash disable=SC2154
# Every way to end it, and that nothing is lost.
# Sourced by run.sh; the functions are in words.sh.

test_signals_end_it_cleanly_and_write_the_save() {
  mail 4
  for signal in INT TERM HUP; do
    for rom in game.gba game.gb; do
      rm -f out err saves/*
      start --script "$here/events.lua" --script mail.lua "$roms/$rom"
      wait_for out '^mailed$'
      script_frame_after_mail
      kill "-$signal" "$pid"
      ended 0
      expect out '^event shutdown 1 emu=yes$'
      equal "$(first_byte saves/game.sav)" 5a "save of $rom after SIG$signal"
      [ ! -s err ] || fail "stderr is not empty"
    done
  done
}

# The ROM reads its mailbox once a frame: give it one more.
script_frame_after_mail() {
  local before
  ask_stats
  before=$(field frames <<< "$stats")
  until_true has_frames $((before + 2))
  : > err
}

test_it_stops_while_paused() {
  for signal in INT TERM; do
    rm -f out err
    start_controlled --script "$here/events.lua" "$roms/game.gba"
    say pause 'ok pause'
    kill "-$signal" "$pid"
    ended 0
    expect out '^event shutdown 1 emu=yes$'
  done
}

test_it_stops_without_a_game() {
  for signal in INT TERM; do
    rm -f out err
    start_controlled --script "$here/events.lua" "$roms/game.gba"
    say close 'ok close'
    kill "-$signal" "$pid"
    ended 0
    equal "$(lines out '^event shutdown')" 1 shutdowns
  done
}

test_it_stops_while_a_script_waits_in_select() {
  script wait.lua <<< 'callbacks:add("frame", function() console:log("waiting") _socket.create():select(400) end)'
  for signal in INT TERM; do
    rm -f out err
    start --script "$here/events.lua" --script wait.lua "$roms/game.gba"
    wait_for out '^waiting$'
    kill "-$signal" "$pid"
    ended 0
    expect out '^event shutdown 1 emu=yes$'
  done
}

test_it_stops_in_slow_motion() {
  # One frame in 1000 s: the signal and control lines must not wait for it.
  start_controlled --script "$here/events.lua" --stats 0.3 --fps 0.001 "$roms/game.gba"
  wait_for out '^event frame 1'
  say pause 'ok pause'
  say resume 'ok resume'
  # Nor may lines that wait behind an advance keep it busy.
  local cpu
  printf 'advance 2\n' >&9
  until_true has_lines err ': stats .* paused=yes' 1
  printf 'pause\n' >&9
  cpu=$(cpu_ticks)
  until_true has_lines err ': stats .* paused=yes' 4
  at_most $(($(cpu_ticks) - cpu)) 3 "CPU ticks in a second of waiting"
  kill -TERM "$pid"
  ended 0
}

test_many_signals_are_one() {
  start --script "$here/events.lua" "$roms/game.gba"
  wait_for out '^event frame 1'
  while running; do kill -TERM "$pid" 2> /dev/null || true; done
  ended 0
  equal "$(lines out '^event shutdown')" 1 shutdowns
}

test_a_script_that_never_returns_is_ended_by_a_later_signal() {
  script hang.lua <<< 'callbacks:add("frame", function() console:log("hanging") while true do end end)'
  start --script hang.lua "$roms/game.gba"
  wait_for out '^hanging$'
  local end=$((SECONDS + limit))
  while running && [ $SECONDS -lt $end ]; do
    kill -TERM "$pid" 2> /dev/null || true
    sleep 0.1
  done
  ended 50
}
