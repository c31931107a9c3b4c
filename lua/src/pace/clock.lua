-- Real time, which standard Lua does not provide.

local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local log = require("base.log")
local states = require("game.states")

local SAVESTATE <const> = constants.SAVESTATE

-- A save state with nothing but metadata carries the time it was made, in microseconds (0.21 ms each, decision 0002). Between two of them,
-- time is estimated: processor time plus time slept, times a learned factor.
local clock = { trusted = nil, scale = 1, slept = 0, started = 0, base = 0, time = nil }

local TAG_TIME <const> = 0x101

local function time_in(data)
  local at = states.sizes[game.platform]
  while at and at + 16 <= #data do
    local tag, _, offset = string.unpack("<i4i4i8", data, at + 1)
    if tag == TAG_TIME and offset + 8 <= #data then
      return (string.unpack("<i8", data, offset + 1))
    elseif tag == 0 then
      return nil
    end
    at = at + 16
  end
end

--- Microseconds since 1970, or nil where this engine does not provide them.
function clock.look()
  if clock.trusted == false or not game.core then
    return nil
  end
  local ok, data = pcall(game.save_buffer, game.core, SAVESTATE.metadata)
  local time = ok and data and time_in(data)
  if clock.trusted == nil then
    clock.trusted = time ~= nil and time ~= false and math.abs(time / 1000000 - os.time()) < 3
    if not clock.trusted then
      log.write("warn", "this mGBA does not provide the time; waiting for requests is limited to a fixed part of each frame")
    end
  end
  return clock.trusted and time or nil
end

--- Starts measuring: `clock.elapsed` says how many microseconds ago `time` was.
function clock.start(time)
  clock.time, clock.base = time, 0
  clock.started, clock.slept = os.clock(), 0
end

function clock.elapsed()
  return clock.base + ((os.clock() - clock.started) * 1000000 + clock.slept) * clock.scale
end

--- Compares the estimate with real time, adjusts the factor and continues from real time.
function clock.correct()
  local now = clock.look()
  local real = now and now - clock.time
  if not real or real <= clock.base then
    return
  end
  local estimate = (os.clock() - clock.started) * 1000000 + clock.slept
  local factor = math.max(0.3, math.min(4, (real - clock.base) / estimate))
  clock.scale = clock.scale + 0.1 * (factor - clock.scale)
  clock.base = real
  clock.started, clock.slept = os.clock(), 0
end

if host then -- it knows the time: nothing is estimated
  clock.look = host.now

  function clock.start(time)
    clock.time, clock.started = time, time or host.now()
  end

  function clock.elapsed()
    return host.now() - clock.started
  end

  function clock.correct() end
end

return clock
