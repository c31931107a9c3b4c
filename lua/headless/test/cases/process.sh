# shellcheck shell=bash disable=SC2154
# The process itself: descriptors, memory, and the ROMs of the project.
# Sourced by run.sh; the functions are in words.sh.

test_descriptors_do_not_leak() {
  start_controlled "$roms/game.gba"
  say "load $roms/game.gba" 'ok load'
  local before
  before=$(descriptors)
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    say "load $roms/game.gb" 'ok load'
    say 'load missing' 'error load'
    say 'save-state 1' 'ok save-state'
    say 'load-state 1' 'ok load-state'
    say 'save-state file' 'ok save-state'
    say 'load-state file' 'ok load-state'
    say "load $roms/game.gba" 'ok load'
    say "run-script $here/events.lua" 'ok run-script'
    say scripts-reset 'ok scripts-reset'
  done
  equal "$(descriptors)" "$before" descriptors
  say stop 'ok stop'
  ended 0
}

descriptors() {
  set -- "/proc/$pid/fd"/*
  echo $#
}

test_a_closed_stdout_is_not_taken_by_another_file() {
  mkdir saves
  script log.lua <<< 'callbacks:add("frame", function() console:log("log") console:warn("running") end)'
  "$program" --saves saves --script log.lua "$roms/game.gba" 2> err <&- >&- &
  pid=$!
  wait_for err running
  equal "$(readlink "/proc/$pid/fd/0") $(readlink "/proc/$pid/fd/1")" '/dev/null /dev/null' 'stdin and stdout'
  kill -TERM "$pid"
  ended 0
}

test_it_is_clean_under_valgrind() {
  command -v valgrind > /dev/null || fail "valgrind is missing; install it (apt-get install valgrind)"
  mail 4
  script busy.lua <<'LUA'
    local buffer = console:createBuffer("name")
    buffer:print("text")
    callbacks:add("frame", function()
      local frame = emu:currentFrame()
      if frame == 3 then emu:screenshot("shot.png") end
      if frame == 4 then emu:saveStateSlot(1) emu:loadStateSlot(1) end
      if frame == 6 then error("on purpose") end
    end)
LUA
  script bad.lua <<< 'error({})'
  mkfifo fifo
  mkdir saves
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
    --suppressions="$here/valgrind.supp" --log-file=valgrind.log \
    "$program" --saves saves --control fifo --fps 0 --script "$here/events.lua" --script busy.lua --script mail.lua \
    "$roms/game.gba" >> out 2>> err &
  pid=$!
  exec 9<> fifo
  say pause 'ok pause'
  say 'advance 30' 'ok advance'
  say 'save-state file' 'ok save-state'
  say 'load-state file' 'ok load-state'
  say reset 'ok reset'
  say 'run-script bad.lua' 'error run-script'
  say 'load missing' 'error load'
  head -c 20000 "$roms/game.gb" > short.gb
  say 'load short.gb' 'error load'
  say "load $roms/super.gb" 'ok load'
  say 'advance 5' 'ok advance'
  say scripts-reset 'ok scripts-reset'
  say "run-script $here/events.lua" 'ok run-script'
  say 'advance 5' 'ok advance'
  say close 'ok close'
  say "load $roms/game.gba" 'ok load'
  script off.lua <<'LUA'
    emu:write8(0x02000000, 2)
    local kept = emu:saveStateBuffer(30)
    callbacks:add("idleStopped", function() console:log("stopped") emu:loadStateBuffer("short", 29) emu:loadStateBuffer(kept, 29) emu:reset() end)
    callbacks:add("idlePaused", function() console:log("paused") emu:saveStateBuffer(31) end)
LUA
  say 'run-script off.lua' 'ok run-script'
  wait_for out '^stopped$'
  say pause 'ok pause'
  wait_for out '^paused$'
  kill -TERM "$pid"
  ended 0
  [ ! -s valgrind.log ] || fail "$(head -n 40 valgrind.log)"
}

test_a_refusal_is_clean_under_valgrind() {
  command -v valgrind > /dev/null || fail "valgrind is missing; install it (apt-get install valgrind)"
  script bad.lua <<< 'error({})'
  mkdir saves
  local code=0
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
    --suppressions="$here/valgrind.supp" --log-file=valgrind.log "$program" --script bad.lua --saves saves "$roms/game.gba" > out 2> err || code=$?
  equal $code 22 "exit code"
}

test_the_project_test_roms_run() {
  for rom in mgba-bridge-test.gba mgba-bridge-test.gb; do
    [ -s "$here/../rom/$rom" ] || skip "rom/$rom is not there; make -C lua/headless/rom"
    runs 0 --script "$here/events.lua" --frames 60 --fps 0 "$here/../rom/$rom"
    equal "$(count_of frame)" 60 "frames of $rom"
    equal "$(count_of crashed)" 0 "crashes of $rom"
  done
}
