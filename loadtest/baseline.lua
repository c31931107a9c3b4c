-- The baseline: a socket server for mGBA, written the way the scripting documentation suggests. Everything else is measured against it.
--
-- Command: MGBA_BRIDGE_PORT=8888 lua/headless/build/mgba-headless --script loadtest/baseline.lua GAME
--
-- It uses the high-level sockets: listen() without a backlog, `received` handlers, text answers. mGBA calls the handler of each socket once a
-- frame; the handler reads once and answers every message it received. A client that waits for its answer therefore gets one answer a frame.
-- (Reading until nothing is left would not help: a client that sends its next request within microseconds would then occupy the handler.)
-- The messages are those of mGBA-http (`type,value,value,value<|END|>`), limited to the ones that are measured.

local PORT <const> = tonumber(os.getenv("MGBA_BRIDGE_PORT")) or 8888
local TERMINATOR <const> = "<|END|>"
local TAP_FRAMES <const> = 15
local BUTTONS <const> = { A = 0, B = 1, Select = 2, Start = 3, Right = 4, Left = 5, Up = 6, Down = 7, R = 8, L = 9 }

local taps = {} -- key -> frame of its release

local function hex(bytes)
  return (bytes:gsub(".", function(c)
    return string.format("%02x,", c:byte())
  end):sub(1, -2))
end

local commands = {
  ["core.read8"] = function(address)
    return emu:read8(tonumber(address))
  end,
  ["core.currentFrame"] = function()
    return emu:currentFrame()
  end,
  ["core.readRange"] = function(address, length)
    return hex(emu:readRange(tonumber(address), tonumber(length)))
  end,
  ["core.saveStateBuffer"] = function(flags)
    return hex(emu:saveStateBuffer(tonumber(flags)))
  end,
  ["mgba-http.button.tap"] = function(button)
    emu:addKey(BUTTONS[button])
    taps[BUTTONS[button]] = emu:currentFrame() + TAP_FRAMES
    return "<|SUCCESS|>"
  end,
  ["mgba-http.echo"] = function(text)
    return text
  end,
}

local function answer(message)
  local name, first, second = message:match("^([^,]*),?([^,]*),?([^,]*)")
  local ok, value = pcall(commands[name], first, second)
  return (ok and tostring(value) or "<|ERROR|>") .. TERMINATOR
end

local function serve(client)
  local waiting = ""
  client:add("received", function()
    local bytes, problem = client:receive(4096)
    if not bytes then
      if problem ~= socket.ERRORS.AGAIN then
        client:close()
      end
      return
    end
    waiting = waiting .. bytes
    local stop = waiting:find(TERMINATOR, 1, true)
    while stop do
      client:send(answer(waiting:sub(1, stop - 1)))
      waiting = waiting:sub(stop + #TERMINATOR)
      stop = waiting:find(TERMINATOR, 1, true)
    end
  end)
end

local server = assert(socket.bind("127.0.0.1", PORT))
assert(server:listen())
server:add("received", function()
  local client, problem = server:accept()
  if client then
    serve(client)
  else
    console:error("baseline: accept: " .. problem)
  end
end)

callbacks:add("frame", function()
  for key, frame in pairs(taps) do
    if emu:currentFrame() >= frame then
      emu:clearKey(key)
      taps[key] = nil
    end
  end
end)

console:log("baseline: listening on 127.0.0.1:" .. PORT .. ".")
