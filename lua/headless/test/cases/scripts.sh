# shellcheck shell=bash disable=SC2154
# Scripts: loading, output, and the calls that need something of the host.
# Sourced by run.sh; the functions are in words.sh.

test_scripts_load_in_order_with_emu_and_know_their_host() {
  mkdir 'a directory'
  script 'a directory/one.lua' <<< 'order = "one" console:log("host " .. os.getenv("MGBA_BRIDGE_HOST")) require("neighbour")
    console:log("source " .. debug.getinfo(1, "S").source)'
  script 'a directory/neighbour.lua' <<< 'console:log("neighbour found")'
  script two-without-suffix <<< 'console:log(order .. " two, emu " .. type(emu) .. ", frame " .. emu:currentFrame())'
  runs 0 --script 'a directory/one.lua' --script two-without-suffix --frames 1 --fps 0 "$roms/game.gba"
  expect out '^host headless$'
  expect out '^neighbour found$'
  expect out "^source @/.*/a directory/one.lua$"
  expect out '^one two, emu userdata, frame 0$'
}

test_what_a_script_does_while_loading_stays() {
  script write.lua <<< 'emu:write8(0x02000100, 77)
    callbacks:add("frame", function() console:log("value " .. emu:read8(0x02000100)) end)'
  runs 0 --script write.lua --frames 1 --fps 0 "$roms/game.gba"
  expect out '^value 77$'
}

test_a_failing_script_ends_the_ones_before_it_properly() {
  script bad.lua <<< 'error("no")'
  runs 22 --script "$here/events.lua" --script bad.lua "$roms/game.gba"
  expect out '^event shutdown 1 emu=yes$'
  refuse out '^event start'
}

test_log_is_stdout_line_by_line_warn_and_error_are_stderr() {
  script log.lua <<< 'console:log("a log") console:warn("a warning") console:error("an error") print("a print")
    console:log(("x"):rep(100000))'
  start --script log.lua "$roms/game.gba"
  wait_for out 'xxx' # while it runs: a full buffer would hold the log back
  wait_for out '^a log$'
  wait_for out '^a print$'
  wait_for err 'a warning'
  wait_for err 'an error'
  refuse out 'a warning\|an error'
  refuse err 'a log'
  equal "$(awk 'length > 99999' out | wc -l)" 1 "long line"
  kill -TERM "$pid"
  ended 0
}

test_library_log_only_when_asked_for() {
  script slot.lua <<< 'callbacks:add("frame", function() emu:saveStateSlot(1) end)'
  runs 0 --script slot.lua --frames 2 --fps 0 "$roms/game.gba"
  [ ! -s err ] || fail "stderr is not empty"
  [ ! -s out ] || fail "stdout is not empty"
  runs 0 --verbose --script slot.lua --frames 2 --fps 0 "$roms/game.gba"
  expect err 'State 1 saved'
  [ ! -s out ] || fail "stdout is not empty"
}

test_errors_of_callbacks_are_told_once() {
  script bad.lua <<< 'callbacks:add("frame", function() error("broken callback") end)'
  runs 0 --script bad.lua --frames 50 --fps 0 "$roms/game.gba"
  equal "$(lines err 'callback frame: .*bad.lua:1: broken callback')" 1 reports
}

test_create_buffer_is_safe() {
  script buffer.lua <<'LUA'
    for i = 1, 100 do
      local buffer = i % 2 == 0 and console:createBuffer("name") or console:createBuffer()
      buffer:setName("other")
      buffer:print("text\nmore text\n")
      buffer:moveCursor(3, 4)
      buffer:advance(2)
      local place = buffer:getX() .. "," .. buffer:getY()
      buffer:setSize(20, 10)
      buffer:clear()
      if i == 100 then
        console:log("buffer " .. place .. " " .. buffer:cols() .. "x" .. buffer:rows())
      end
      buffer:setSize(0, 0) buffer:setSize(4000000000, 4000000000) buffer:advance(-2000000000) buffer:print(("x\n"):rep(100000))
    end
    collectgarbage()
LUA
  runs 0 --script buffer.lua --frames 2 --fps 0 "$roms/game.gba"
  expect out '^buffer 5,4 20x10$'
}

test_screenshots_and_slots_from_a_script() {
  script state.lua <<'LUA'
    callbacks:add("frame", function()
      local frame = emu:currentFrame()
      if frame == 5 then
        emu:screenshot("shot.png")
        emu:screenshot()
        console:log("save " .. tostring(emu:saveStateSlot(3)))
        console:log("state " .. tostring(#emu:saveStateBuffer() > 0))
        console:log("empty " .. tostring(emu:loadStateSlot(9)))
      elseif frame == 20 and not done then
        done = true
        console:log("load " .. tostring(emu:loadStateSlot(3)) .. " " .. emu:currentFrame())
      end
    end)
LUA
  runs 0 --script state.lua --frames 40 --fps 0 "$roms/game.gba"
  expect out '^save true$'
  expect out '^state true$'
  expect out '^empty false$'
  expect out '^load true 5$'
  for file in shot.png saves/game-0.png; do
    equal "$(head -c 8 "$file" | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a "$file"
  done
  [ -s saves/game.ss3 ] || fail "no slot file"
}

test_a_dead_socket_does_not_end_the_emulator() {
  script server.lua <<'LUA'
    local listener, port = _socket.create(), nil
    for try = 20000 + os.time() % 5000, 32000 do -- a free port
      if listener:open("127.0.0.1", try) == 0 then port = try break end
    end
    listener:listen(1)
    console:log("port " .. port)
    local peer, writes = nil, 0
    callbacks:add("frame", function()
      if not peer then
        local one = listener:accept()
        if one.error == 0 then peer = one end
      elseif writes < 50 then
        writes = writes + 1
        peer:send(("x"):rep(1000))
        if writes == 50 then console:log("still here") end
      end
    end)
LUA
  start --script server.lua "$roms/game.gba"
  wait_for out '^port '
  exec 8<> "/dev/tcp/127.0.0.1/$(sed -n 's/^port //p' out)"
  exec 8>&-
  wait_for out '^still here$'
  kill -TERM "$pid"
  ended 0
}
