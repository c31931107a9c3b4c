# shellcheck shell=bash disable=SC2154
# The control FIFO: every command, and every way to write a bad line.
# Sourced by run.sh; the functions are in words.sh.

test_pause_stands_still_and_uses_no_cpu() {
  start_controlled --script "$here/events.lua" --stats 0.4 "$roms/game.gba"
  wait_for out '^event frame 1'
  say pause 'ok pause'
  ask_stats
  local frames cpu
  frames=$(field frames <<< "$stats")
  equal "$(field paused <<< "$stats")" yes paused
  cpu=$(cpu_ticks)
  until_true has_lines err 'paused=yes' 4
  equal "$(last_stats | field frames)" "$frames" "frames while paused"
  at_most $(($(cpu_ticks) - cpu)) 2 "CPU ticks in more than a second of pause"
  say resume 'ok resume'
  until_true has_frames $((frames + 10))
  equal "$(field total_lost <<< "$stats")" 0 "frames lost by a pause"
  say stop 'ok stop'
  ended 0
}

cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }

test_advance_runs_that_many_frames_and_stays_paused() {
  start_controlled --script "$here/events.lua" "$roms/game.gba"
  say pause 'ok pause'
  ask_stats
  local frames
  frames=$(field frames <<< "$stats")
  say 'advance 5' 'ok advance'
  ask_stats
  equal "$(field frames <<< "$stats")" $((frames + 5)) frames
  equal "$(field paused <<< "$stats")" yes paused
  # In one write: each line waits for the one before it.
  printf 'advance 3\nadvance 4\nclose\n' >&9
  wait_for out '^control: ok close$'
  equal "$(lines out '^control: ok advance$')" 3 answers
  equal "$(count_of frame)" $((frames + 12)) frames
  say 'advance 1' 'error advance: no game is open'
  say stop 'ok stop'
  ended 0
}

test_advance_from_running_pauses() {
  start_controlled "$roms/game.gba"
  say 'advance 2' 'ok advance'
  ask_stats
  equal "$(field paused <<< "$stats")" yes paused
  say 'advance 1000000' 'error' & # answered when the program ends
  local waiting=$!
  until_true has_frames 20
  kill -TERM "$pid"
  ended 0
  wait $waiting || fail "the advance that was cut off got no answer"
  expect out '^control: error advance: the emulation ended after [0-9]* frames$'
}

test_fps_command_changes_the_pace() {
  start_controlled "$roms/game.gba"
  say 'fps 0' 'ok fps'
  ask_stats
  equal "$(field target_fps <<< "$stats")" 0 target
  until_true has_frames 1000
  say 'fps 30' 'ok fps'
  ask_stats
  equal "$(field target_fps <<< "$stats")" 30 target
  say 'fps x' 'error fps: requires'
  say stop 'ok stop'
  ended 0
}

test_reset_command_fires_reset_once() {
  start_controlled --script "$here/events.lua" "$roms/game.gba"
  say reset 'ok reset'
  expect out '^event reset 2 emu=yes$'
  say 'advance 5' 'ok advance'
  say close 'ok close'
  equal "$(count_of reset)" 2 reset
  say stop 'ok stop'
  ended 0
}

test_close_and_load_take_emu_away_and_bring_it_back() {
  script look.lua <<< 'console:log("emu is " .. type(emu))
    if emu and not kept then kept = emu end
    if kept then console:log("old " .. select(2, pcall(function() return kept:platform() end))) end'
  start_controlled --script "$here/events.lua" --script look.lua "$roms/game.gba"
  wait_for out '^event frame 1'
  : > out
  say pause 'ok pause'
  say close 'ok close'
  expect out '^event shutdown 1 emu=yes$'
  say 'run-script look.lua' 'ok run-script'
  expect out '^emu is nil$'
  expect out '^old .*Invalid object'
  say "load $roms/color.gbc" 'ok load'
  expect out '^event start 2 emu=yes$'
  expect out '^event reset 2 emu=yes$'
  ask_stats
  equal "$(field paused <<< "$stats")" no paused
  say 'run-script look.lua' 'ok run-script'
  expect out '^emu is userdata$'
  say "load $roms/game.gb" 'ok load' # over a running game
  expect out '^event shutdown 2 emu=yes$'
  expect out '^event start 3 emu=yes$'
  say stop 'ok stop'
  ended 0
  equal "$(lines out '^event shutdown')" 3 shutdowns
}

test_load_of_a_bad_rom_keeps_the_game() {
  start_controlled --script "$here/events.lua" "$roms/game.gba"
  wait_for out '^event frame 1'
  say 'load missing.gba' 'error load: cannot open ROM "missing.gba"'
  : > empty.gba
  say 'load empty.gba' 'error load: .*is empty'
  echo text > text.gba
  say 'load text.gba' 'error load: .*is not a GBA'
  refuse out '^event shutdown'
  say 'advance 2' 'ok advance'
  say stop 'ok stop'
  ended 0
}

test_load_of_the_same_rom_finds_what_was_saved() {
  mail 4
  start_controlled --script mail.lua "$roms/game.gba"
  wait_for out '^mailed$'
  say 'advance 2' 'ok advance'
  script read.lua <<< 'callbacks:add("start", function() fresh = true end)
    callbacks:add("frame", function() if fresh then fresh = false console:log("sram " .. emu:read8(0x0E000000)) end end)'
  say 'run-script read.lua' 'ok run-script'
  say "load $roms/game.gba" 'ok load'
  wait_for out '^sram 90$'
  say stop 'ok stop'
  ended 0
}

test_states_by_slot_and_by_file() {
  script frame.lua <<< 'console:log("frame " .. emu:currentFrame())'
  start_controlled "$roms/game.gba"
  say 'advance 10' 'ok advance'
  say 'run-script frame.lua' 'ok run-script'
  local first
  first=$(sed -n 's/^frame //p' out)
  say 'save-state 2' 'ok save-state'
  say 'save-state a file.state' 'ok save-state'
  for where in 2 'a file.state'; do
    say 'advance 7' 'ok advance'
    say "load-state $where" 'ok load-state'
    say 'run-script frame.lua' 'ok run-script'
    equal "$(sed -n 's/^frame //p' out | tail -n 1)" "$first" "frame after load-state $where"
  done
  [ -s saves/game.ss2 ] || fail "no slot file"
  say 'load-state 8' 'error load-state: slot 8 is empty'
  say 'load-state missing' 'error load-state: cannot open "missing"'
  echo text > text
  say 'load-state text' 'error load-state: "text" is not a state of this game'
  say 'save-state missing/file' 'error save-state: cannot open'
  say stop 'ok stop'
  ended 0
}

test_run_script_runs_in_the_same_state() {
  script count.lua <<< 'loads = (loads or 0) + 1 local mine = loads console:log("load " .. mine)
    callbacks:add("reset", function() console:log("callback of " .. mine) end)'
  start_controlled --script count.lua "$roms/game.gba"
  say 'run-script count.lua' 'ok run-script'
  expect out '^load 2$'
  say reset 'ok reset'
  expect out '^callback of 1$'
  expect out '^callback of 2$'
  script bad.lua <<< 'error({})'
  say 'run-script bad.lua' 'error run-script: script failed while loading: .error object is a table value'
  script bad.lua <<< 'x x'
  say 'run-script bad.lua' 'error run-script: script has a syntax error'
  say 'run-script missing.lua' 'error run-script: cannot open script'
  say 'advance 2' 'ok advance'
  say stop 'ok stop'
  ended 0
}

test_scripts_reset_is_a_new_state() {
  script mark.lua <<< 'console:log("mark " .. tostring(mark) .. " emu " .. type(emu)) mark = true'
  start_controlled --script "$here/events.lua" --script mark.lua "$roms/game.gba"
  wait_for out '^event frame 1'
  say scripts-reset 'ok scripts-reset'
  say 'run-script mark.lua' 'ok run-script'
  equal "$(lines out '^mark nil emu userdata$')" 2 "fresh states"
  say reset 'ok reset'
  refuse out '^event reset 2'
  say 'advance 2' 'ok advance'
  say stop 'ok stop'
  ended 0
}

test_stop_command_is_a_clean_end() {
  start_controlled --script "$here/events.lua" "$roms/game.gba"
  say stop 'ok stop'
  ended 0
  expect out '^event shutdown 1 emu=yes$'
}

test_every_line_gets_one_answer() {
  start_controlled "$roms/game.gba"
  say 'nonsense' 'error line: unknown command "nonsense"'
  say '' 'error line: unknown command ""'
  say 'pause now' 'error pause: takes no argument'
  say 'advance' 'error advance: requires a number of frames'
  say 'advance 0' 'error advance: requires an integer'
  say 'advance 1000001' 'error advance: requires an integer'
  say 'load' 'error load: requires a ROM file'
  say $'  pause\r' 'ok pause'
  say $'\tresume' 'ok resume'
  # A line in two halves.
  printf 'pau' >&9
  printf 'se\n' >&9
  until_true has_lines out '^control: ok pause$' 2
  # Several lines in one write.
  : > out
  printf 'resume\npause\nfps 0\n' >&9
  until_true has_lines out '^control: ' 3
  equal "$(tr '\n' ' ' < out)" 'control: ok resume control: ok pause control: ok fps ' answers
  # Far too long, and with a zero byte: one answer each, and the next line is read again.
  : > out
  { head -c 100000 /dev/zero | tr '\0' 'x'; printf '\npause\n'; } >&9
  until_true has_lines out '^control: ' 2
  printf 'pau\0se\nresume\n' >&9
  until_true has_lines out '^control: ' 4
  equal "$(cut -d' ' -f1-4 out | tr '\n' ' ')" \
    'control: error line: the control: ok pause control: error line: the control: ok resume ' answers
  say stop 'ok stop'
  ended 0
}

test_lines_that_wait_at_the_start_run_before_the_first_frame() {
  mkfifo fifo
  exec 9<> fifo
  printf 'pause\nadvance 3\n' >&9
  start_controlled --script "$here/events.lua" "$roms/game.gba"
  wait_for out '^control: ok advance$'
  say stop 'ok stop'
  ended 0
  equal "$(count_of frame)" 3 frames
}

test_a_zipped_rom_runs() {
  command -v python3 > /dev/null || skip 'no python3 to make an archive with'
  (cd "$roms" && python3 -m zipfile -c "$OLDPWD/archive.zip" game.gba)
  mail 4
  runs 0 --script "$here/events.lua" --script mail.lua --frames 10 --fps 0 archive.zip
  equal "$(count_of frame)" 10 frames
  equal "$(first_byte saves/archive.sav)" 5a save
}

test_writers_come_and_go() {
  start_controlled --stats 0.3 "$roms/game.gba"
  say 'fps 60' 'ok fps' # it has the FIFO open
  exec 9>&- # no writer is left
  for n in 1 2 3 4 5; do
    echo pause > fifo
    until_true has_lines out '^control: ok pause$' $n
    echo resume > fifo
    until_true has_lines out '^control: ok resume$' $n
  done
  local cpu
  echo pause > fifo
  until_true has_lines out '^control: ok pause$' 6
  cpu=$(cpu_ticks)
  : > err
  until_true has_lines err ': stats ' 4
  at_most $(($(cpu_ticks) - cpu)) 3 "CPU ticks in a second without a writer"
  echo stop > fifo
  ended 0
}
