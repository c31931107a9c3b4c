-- A status page in the Scripting window, where the host has one.

local commands = require("request.command_table")
local connections = require("net.connections")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local lease = require("session.lease")
local pace = require("pace.schedule")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local command = commands.define
local VERSION <const> = constants.VERSION
local format = string.format
local NIL <const> = wire.NIL

local status = { buffer = nil, requests = 0 }

--- Opens the page where the host is known to have a window: elsewhere the call ends the process. The page of an earlier load of this file is
--- reused: otherwise Lua would collect it in the game's thread, and the window's list of pages would crash.
function status.open(earlier)
  local on_new_engine = system ~= nil
  if earlier then
    status.buffer = earlier
    return
  elseif state.host == "headless" or (on_new_engine and canvas == nil) then
    return
  end
  local ok, buffer = pcall(console.createBuffer, console, "mGBA-bridge")
  if ok and buffer then
    status.buffer = buffer
    buffer:setSize(64, 12)
  end
end

function status.draw()
  local buffer = status.buffer
  local rate = (state.requests - status.requests) * 2
  status.requests = state.requests
  buffer:clear()
  buffer:print(format("mGBA-bridge %s on %s:%d\n", VERSION, settings.bind, settings.port))
  buffer:print(format("clients   %d\nrequests  %d a second\nlinger    %.1f ms a frame\n", #connections.list, rate, pace.lingered / 1000))
  buffer:print(format("late      %d frames since load\nlast error  %s\n", pace.late, state.last_error or "none"))
end

--- @command status
--- @type ReadScriptStatus() Returns the state of the script, and who has the lockstep lease.
--- @reply `frame= core_frame= connections= sessions= requests= errors= linger_us= late= period_us= pace= memory_kb= held= lease=
---   machine= loads=`
--- @notes counters since load; `held` is the script's mask, `lease` the holder or `nil`; `machine` says whether frames run
---   (introduction), `loads` how often a state was loaded or the game reset: while it is the same, pictures of one frame are
command({
  name = "status",
  kind = "read",
  run = function()
    local core = game.core
    return wire.record({
      "frame", state.frame, "core_frame", core and core:currentFrame() or NIL, "connections", #connections.list, "sessions", sessions.count,
      "requests", state.requests, "errors", state.errors, "linger_us", math.floor(pace.lingered), "late", pace.late, "period_us",
      pace.period and math.floor(pace.period) or NIL, "pace", pace.mode, "memory_kb", math.floor(collectgarbage("count")), "held", input.down,
      "lease", lease.holder or NIL, "machine", state.machine, "loads", game.loads,
    })
  end,
})

return status
