# shellcheck shell=bash disable=SC2154
# Pace, and the stats line that measures it.
# Sourced by run.sh; the functions are in words.sh.

test_the_default_pace_is_kept() {
  script time.lua <<< 'callbacks:add("frame", function() if emu:currentFrame() == 0 then console:log("first") end end)'
  start_controlled --script time.lua "$roms/game.gba"
  wait_for out '^first$'
  ask_stats
  local first=$stats
  say 'advance 120' 'ok advance'
  ask_stats
  # 120 frames take at least 119 periods of the test's clock; less would be too fast.
  local frames span
  frames=$(($(field frames <<< "$stats") - $(field frames <<< "$first")))
  span=$(awk -v a="$(field unix_s <<< "$first")" -v b="$(field unix_s <<< "$stats")" 'BEGIN { print b - a }')
  at_least "$frames" 120 frames
  at_least "$span" 1.98 seconds
  equal "$(field target_fps <<< "$stats")" 59.7275 target
  kill -TERM "$pid"
  ended 0
}

test_frames_come_evenly() {
  # The kernel's uptime has hundredths of a second: at 59.73 frames a second no two frames should see the same one.
  script even.lua <<'LUA'
    local last, same, frames = nil, 0, 0
    callbacks:add("frame", function()
      local file = io.open("/proc/uptime")
      local now = file:read("n")
      file:close()
      frames = frames + 1
      if now == last then same = same + 1 end
      last = now
      if frames == 60 then console:log("same " .. same) end
    end)
LUA
  runs 0 --script even.lua --frames 60 "$roms/game.gba"
  at_most "$(sed -n 's/^same //p' out)" 20 "frames in a burst" # a few after every delay of a busy machine
}

test_fps_0_is_as_fast_as_it_goes() {
  start_controlled --fps 0 "$roms/game.gba"
  say 'fps 0' 'ok fps' # it runs: before, SIGUSR1 would end it
  until_true has_frames 2000
  at_least "$(field fps <<< "$stats")" 150 fps
  equal "$(field total_late <<< "$stats")" 0 late
  equal "$(field total_lost <<< "$stats")" 0 lost
  equal "$(field target_fps <<< "$stats")" 0 target
  say stop 'ok stop'
  ended 0
}

has_frames() {
  ask_stats
  [ "$(field frames <<< "$stats")" -ge "$1" ]
}

test_a_short_block_is_made_up_and_a_long_one_is_lost() {
  # select() on a socket that was never opened is a sleep.
  script block.lua <<'LUA'
    callbacks:add("frame", function()
      if emu:currentFrame() == 10 then
        _socket.create():select(600)
        console:log("blocked")
      end
    end)
LUA
  start --script block.lua "$roms/game.gba"
  wait_for out '^blocked$'
  until_true has_frames 12
  at_least "$(field total_late <<< "$stats")" 1 late
  at_least "$(field total_lost <<< "$stats")" 30 lost
  at_most "$(field total_lost <<< "$stats")" 100 lost # 36 and the delays of a busy machine: each counted once
  at_least "$(field total_callback_ms <<< "$stats")" 600 callback_ms
  kill -TERM "$pid"
  ended 0
  rm -f out err
  # 150 ms in each of the first frames is late, but never 0.25 s, when the rate is 10.
  script block.lua <<< 'callbacks:add("frame", function() if emu:currentFrame() == 2 then _socket.create():select(150) end
    if emu:currentFrame() == 5 then console:log("made up") end end)'
  start --fps 10 --script block.lua "$roms/game.gba"
  wait_for out '^made up$'
  ask_stats
  at_least "$(field total_late <<< "$stats")" 1 late
  kill -TERM "$pid"
  ended 0
}

test_the_stats_line_has_its_form_and_comes_by_itself() {
  start --stats 0.2 "$roms/game.gba"
  until_true has_lines err ': stats ' 4
  local number='[0-9]+' decimal='[0-9]+\.[0-9]+'
  local form="^mgba-headless: stats frames=$number window_s=$decimal window_frames=$number late=$number lost=$number fps=$decimal"
  form+=" callback_ms=$decimal callback_pct=$decimal paused=no game=running target_fps=59\.7275 total_late=$number total_lost=$number"
  form+=" total_drawn=$number total_callback_ms=$decimal up_s=$decimal unix_s=$decimal\$"
  equal "$(grep -cvE "$form" err)" 0 "lines of another form"
  at_least "$(last_stats | field window_s)" 0.2 window
  kill -TERM "$pid"
  ended 0
}

test_sigusr1_brings_a_line_and_interrupts_no_script() {
  script wait.lua <<'LUA'
    local socket, frames = _socket.create(), 0
    callbacks:add("frame", function()
      frames = frames + 1
      if frames == 1 then console:log("ready") end
      local result = socket:select(200)
      if result ~= 0 then console:log("select was interrupted: " .. result) end
    end)
LUA
  start --stats 0 --script wait.lua "$roms/game.gba"
  wait_for out '^ready$'
  for _ in 1 2 3; do ask_stats; done
  refuse out interrupted
  equal "$(lines err ': stats ')" 3 "stats lines"
  kill -TERM "$pid"
  ended 0
}

test_frames_option_counts_exactly() {
  runs 0 --script "$here/events.lua" --frames 7 --fps 500 "$roms/game.gb"
  equal "$(count_of frame)" 7 frames
}
