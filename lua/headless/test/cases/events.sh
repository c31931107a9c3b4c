# shellcheck shell=bash disable=SC2154
# The events of scripts: their order and number, on every machine.
# Sourced by run.sh; the functions are in words.sh.

test_events_come_in_order_and_are_counted() {
  runs 0 --script "$here/events.lua" --frames 60 --fps 0 "$roms/game.gba"
  equal "$(sed -n 's/^event \([a-zA-Z]*\) .*/\1/p' out | tr '\n' ' ')" 'start reset keysRead frame shutdown ' events
  refuse out 'emu=no'
  for pair in start=1 reset=1 frame=60 keysRead=60 shutdown=1 crashed=0 stop=0 sleep=0 alarm=0; do
    equal "$(count_of "${pair%=*}")" "${pair#*=}" "${pair%=*}"
  done
}

test_gb_gbc_and_sgb_run() {
  for rom in game.gb color.gbc super.gb; do
    script shot.lua <<< "callbacks:add('frame', function() if emu:currentFrame() == 20 then emu:screenshot('$rom.png') end end)
      console:log('platform ' .. emu:platform())"
    rm -f out
    runs 0 --script "$here/events.lua" --script shot.lua --frames 40 --fps 0 "$roms/$rom"
    expect out "^platform 1$"
    equal "$(count_of frame)" 40 "frames of $rom"
    at_least "$(count_of keysRead)" 30 "keysRead of $rom"
  done
  # Width and height in the PNG header. The border of the Super Game Boy is part of its picture.
  equal "$(od -An -tx1 -j16 -N8 game.gb.png | tr -d ' ')" 000000a000000090 "GB picture"
  equal "$(od -An -tx1 -j16 -N8 color.gbc.png | tr -d ' ')" 000000a000000090 "GBC picture"
  equal "$(od -An -tx1 -j16 -N8 super.gb.png | tr -d ' ')" 00000100000000e0 "SGB picture"
}

# mail N [FRAME]: a script that puts N into the ROM's mailbox before that frame
mail() {
  script mail.lua <<< "local mailbox = emu:platform() == C.PLATFORM.GBA and 0x02000000 or 0xC000
    callbacks:add('frame', function() if emu and emu:currentFrame() == ${2:-5} then emu:write8(mailbox, $1) console:log('mailed') end end)"
}

test_savedata_updated_fires_once_and_the_save_lies_in_the_directory() {
  mail 4
  for rom in game.gba game.gb; do
    runs 0 --script "$here/events.lua" --script mail.lua --frames 60 --fps 0 "$roms/$rom"
    equal "$(count_of savedataUpdated)" 1 "savedataUpdated of $rom"
    equal "$(first_byte saves/game.sav)" 5a "save of $rom"
    rm saves/game.sav
  done
  [ ! -e "$roms/game.sav" ] || fail "there is a save beside the ROM, too"
}

test_save_lies_beside_the_rom_without_the_option() {
  mail 4
  cp "$roms/game.gba" here.gba
  "$program" --script mail.lua --frames 10 --fps 0 here.gba > out 2> err || fail "exit code $?"
  equal "$(first_byte here.sav)" 5a save
}

test_save_is_read_again() {
  mail 4
  runs 0 --script mail.lua --frames 10 --fps 0 "$roms/game.gba"
  script read.lua <<< "callbacks:add('frame', function() console:log('sram ' .. emu:read8(0x0E000000)) end)"
  runs 0 --script read.lua --frames 1 --fps 0 "$roms/game.gba"
  expect out '^sram 90$'
}

test_sleep_event_and_the_game_goes_on() {
  mail 3
  for rom in game.gba game.gb; do
    runs 0 --script "$here/events.lua" --script mail.lua --frames 20 --fps 0 "$roms/$rom"
    equal "$(count_of sleep)" 1 "sleep of $rom"
    equal "$(count_of stop)" 0 "stop of $rom"
    equal "$(count_of frame)" 20 "frames of $rom"
  done
}

test_stop_event_ends_it_when_nobody_can_reset() {
  mail 2
  runs 0 --script "$here/events.lua" --script mail.lua --frames 20 --fps 0 "$roms/game.gba"
  equal "$(sed -n 's/^event \([a-zA-Z]*\) .*/\1/p' out | tail -n 2 | tr '\n' ' ')" 'stop shutdown ' 'last events'
  equal "$(count_of frame)" 6 frames
  expect err 'stopped its machine'
}

test_a_stopped_game_is_kept_until_it_is_reset_or_a_state_is_loaded() {
  mail 2
  start_controlled --script "$here/events.lua" --script mail.lua "$roms/game.gba"
  wait_for out 'event stop 1 emu=yes'
  wait_for err 'the game stopped its machine'
  ask_stats
  equal "$(field game <<< "$stats")" stopped "game in stats"
  equal "$(field frames <<< "$stats")" 6 "frames before the stop"
  say 'advance 3' 'error advance: the game stopped; reset it first'
  say 'save-state 1' 'ok save-state'
  say pause 'ok pause'
  say reset 'ok reset'
  say 'advance 9' 'error advance: the game stopped after 6 frames' # the script mails again at its frame 5
  say 'load-state 2' 'error load-state: slot 2 is empty'
  ask_stats
  equal "$(field game <<< "$stats")" stopped "game in stats after a state that is not there"
  say 'load-state 1' 'ok load-state'
  say 'advance 9' 'ok advance'
  say "load $roms/game.gba" 'ok load'
  wait_for out 'event start 2 emu=yes'
  say stop 'ok stop'
  ended 0
}

# idler: a script that counts the idle callbacks and logs the first of each in a row, and runs $1 at the tenth of a row
idler() {
  script idle.lua <<< "local row, last = 0, nil
    for _, name in ipairs({ 'frame', 'idlePaused', 'idleStopped', 'idleCrashed', 'idleEmpty' }) do
      callbacks:add(name, function()
        row = name == last and row + 1 or 1
        if row == 1 then console:log('now ' .. name) end
        last = name
        if row == 10 and name ~= 'frame' then $1 end
      end)
    end"
}

states_seen() { sed -n 's/^now //p' out | tr '\n' ' '; }

test_a_script_that_listens_resets_a_game_that_stopped_or_crashed() {
  idler 'emu:reset()'
  for mail in '2 Stopped' '1 Crashed'; do
    mail "${mail% *}"
    start --script "$here/events.lua" --script idle.lua --script mail.lua --fps 0 --frames 20 "$roms/game.gba"
    ended 0
    equal "$(states_seen)" "frame idle${mail#* } frame idle${mail#* } frame idle${mail#* } frame " states
    equal "$(count_of frame)" 20 frames
    rm out err
  done
}

test_a_script_that_listens_loads_a_state_into_a_game_that_stopped() {
  idler 'console:log("loaded " .. tostring(emu:loadStateBuffer("x", 29)) .. " " .. tostring(emu:loadStateBuffer(kept, 29)))'
  mail 2
  script keep.lua <<< "callbacks:add('frame', function() if emu:currentFrame() == 2 and not kept then kept = emu:saveStateBuffer(30) end end)"
  start --script "$here/events.lua" --script idle.lua --script keep.lua --script mail.lua --fps 0 --frames 9 "$roms/game.gba"
  ended 0
  equal "$(states_seen)" "frame idleStopped frame " states
  expect out '^loaded false true$'
}

test_idle_callbacks_say_why_no_frame_runs_and_count_none() {
  idler 'console:log("ten")'
  start_controlled --script "$here/events.lua" --script idle.lua "$roms/game.gba"
  wait_for out '^now frame'
  say pause 'ok pause'
  ask_stats
  local frames
  frames=$(field frames <<< "$stats")
  wait_for out '^ten'
  say 'advance 2' 'ok advance'
  until_true has_lines out '^ten' 2
  ask_stats
  equal "$(field frames <<< "$stats")" $((frames + 2)) frames
  say close 'ok close'
  until_true has_lines out '^ten' 3
  say "load $roms/game.gb" 'ok load'
  until_true has_lines out '^now frame' 3
  say stop 'ok stop'
  ended 0
  equal "$(states_seen)" "frame idlePaused frame idlePaused idleEmpty frame " states
}

test_crash_is_told_once_and_reset_revives() {
  mail 1
  start_controlled --script "$here/events.lua" --script mail.lua "$roms/game.gba"
  wait_for out 'event crashed 1 emu=yes'
  wait_for err 'the game crashed'
  say 'advance 3' 'error advance: the game crashed; reset it first'
  say 'load-state 1' 'error load-state: slot 1 is empty'
  ask_stats
  equal "$(field game <<< "$stats")" crashed "game in stats"
  equal "$(field frames <<< "$stats")" 6 "frames before the crash"
  ask_stats
  equal "$(field window_frames <<< "$stats")" 0 "frames after the crash"
  say pause 'ok pause'
  say reset 'ok reset'
  expect out '^event reset 2'
  say 'advance 9' 'error advance: the game crashed after 6 frames' # the script mails again at its frame 5
  say close 'ok close'
  equal "$(count_of crashed)" 2 crashed
  kill -TERM "$pid"
  ended 0
}

test_emu_reset_from_a_script_fires_reset() {
  script reset.lua <<< "local n = 0 callbacks:add('frame', function() n = n + 1 if n == 5 then emu:reset() end end)"
  runs 0 --script "$here/events.lua" --script reset.lua --frames 20 --fps 0 "$roms/game.gba"
  equal "$(count_of reset)" 2 reset
  equal "$(count_of frame)" 20 frame
}

test_emu_load_file_from_a_script_keeps_running() {
  # A second game in the same machine, its save file, and a picture of it.
  cp "$roms/game.gba" other.gba
  put other.gba 0xAC 4f544852
  script load.lua <<'LUA'
    local n = 0
    callbacks:add("frame", function()
      n = n + 1
      if n == 5 then
        console:log("load " .. tostring(emu:loadFile("other.gba")) .. " " .. tostring(emu:autoloadSave()))
        emu:reset()
      elseif n == 10 then
        -- 0.10.2 and later unload the game first, and then crash unless it is followed by a load or a reset.
        console:log("bad load " .. tostring(emu:loadFile("missing.gba")))
        emu:loadFile("other.gba")
        emu:reset()
      elseif n == 20 then
        console:log("code " .. emu:getGameCode())
        emu:screenshot("shot.png")
      end
    end)
LUA
  runs 0 --script "$here/events.lua" --script load.lua --frames 30 --fps 0 "$roms/game.gba"
  expect out '^load true true$'
  expect out '^bad load false$'
  expect out '^code \(AGB-\)\?OTHR$' # without the prefix on 0.11
  equal "$(count_of frame)" 30 frame
  equal "$(od -An -tx1 -j16 -N8 shot.png | tr -d ' ')" 000000f0000000a0 picture
  [ -e saves/other.sav ] || fail "the save of the other game is not in the directory"
}

test_save_file_of_a_game_that_never_wrote_is_removed() {
  for rom in game.gba game.gb; do
    cp "$roms/$rom" .
    "$program" --frames 5 --fps 0 "$rom" > out 2> err || fail "exit code $?"
    [ ! -e game.sav ] || fail "$rom left a save file"
  done
  cp game.gba other.gba
  printf 'load other.gba\nload other.gba\nstop\n' | "$program" --control - --fps 0 game.gba > out 2> err || fail "exit code $?"
  equal "$(ls ./*.sav 2> /dev/null)" "" "save files after load"
}

test_save_file_that_was_there_or_that_another_program_has_open_stays() {
  cp "$roms/game.gba" .
  head -c 32768 /dev/zero | tr '\0' '\377' > game.sav
  "$program" --frames 5 --fps 0 game.gba > out 2> err || fail "exit code $?"
  [ -s game.sav ] || fail "a save file that was there is gone"
  rm game.sav
  mkfifo control
  "$program" --control control --fps 0 game.gba > out 2> err & pid=$!
  until_true test -e game.sav
  exec 7<> game.sav
  kill -TERM "$pid"
  wait "$pid"
  pid=
  [ -e game.sav ] || fail "a save file that another program has open is gone"
}
