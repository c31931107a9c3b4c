-- Start, stop, and the callbacks that mGBA calls.

require("commands.basic")
require("commands.game")
require("commands.saves")
require("commands.memory")
require("commands.states")
require("commands.keys")
require("commands.session")
require("commands.registers")
require("commands.screen")
require("commands.sensors")
require("commands.cartridge")
require("commands.disassembly")
require("commands.watches")
require("commands.conditions")
require("commands.debug")
require("commands.history")
require("commands.freezes")
require("legacy.keys")
require("legacy.game")
require("legacy.buffers")
local connections = require("net.connections")
local constants = require("base.constants")
local control = require("commands.game_control")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local environment = require("base.environment")
local frames = require("server.frames")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local lease = require("session.lease")
local lease_frames = require("server.lease_frames")
local log = require("base.log")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local status = require("server.status")

local VERSION <const> = constants.VERSION
local format, sub = string.format, string.sub
local concat = table.concat

local server = {}

local FIRST_PORT <const>, LAST_PORT <const> = 8888, 8903
local BACKLOG <const> = 512
local updated -- the second in which the script looked last which game runs
local callback_ids = {}

--- A listening socket, or nil and the reason.
local function listen_on(port)
  local socket = _socket.create()
  if socket:open(settings.bind, port) ~= 0 then
    return nil, socket.error == C.SOCKERR.ADDRESS_IN_USE and "in use" or "not available on this machine"
  elseif socket:listen(BACKLOG) ~= 0 then
    connections.close_socket(socket)
    return nil, "in use"
  end
  return socket
end

local function open_listener(usual)
  local socket = usual and not settings.port and listen_on(usual)
  if socket then
    settings.port = usual
    return socket
  end
  local from, to = settings.port or FIRST_PORT, settings.port or LAST_PORT
  local reason
  for port = from, to do
    socket, reason = listen_on(port)
    if socket then
      settings.port = port
      return socket
    end
  end
  if reason ~= "in use" then
    local advice = "set MGBA_BRIDGE_BIND to an IPv4 address of it (127.0.0.1, or 0.0.0.0 for all); ports below 1024 need privileges"
    error(format("%s:%d is %s; %s", settings.bind, from, reason, advice), 0)
  elseif from == to then
    error(format("%s:%d is %s; set MGBA_BRIDGE_PORT to another port, or unset it to take a free one", settings.bind, from, reason), 0)
  end
  error(format("%s:%d..%d are %s; close another emulator or set MGBA_BRIDGE_PORT", settings.bind, from, to, reason), 0)
end

--- A frame that ends inside a call of this script (game.step while the processor is halted) is not counted and serves nothing: the request
--- that made the call is still first in its queue, and would run again.
local function on_frame()
  if state.stopped or state.is_nested then
    return
  end
  frames.run()
  if state.tick() then
    sessions.sweep()
  end
  if state.seconds ~= updated then
    updated = state.seconds
    control.update_game()
  end
  if status.buffer and state.frame % 30 == 0 then
    status.draw()
  end
end

--- Wraps every callback: no error may leave it and nothing is returned, because mGBA would end on either.
local function guarded(run)
  return function()
    if state.is_skipping then
      lease_frames.count_skipped()
    end
    local ok, problem = pcall(run)
    if not ok then
      problem = tostring(problem)
      pcall(log.complain, "%s", problem)
    end
  end
end

local function on_event(topic)
  return guarded(function()
    if state.stopped then
      return
    end
    game.refresh()
    if topic == "game.closed" then
      lease.finish("the game was closed")
      control.cancel_all()
      state.next_keys = nil
      game.identity = nil -- the same game opened again is a new run
    elseif topic == "game.crashed" or topic == "game.stopped" then
      if host then -- whose idle callbacks follow; a window calls nothing more
        frames.note_machine(sub(topic, 6))
      end
      lease.finish("the game " .. sub(topic, 6) .. "; reset it") -- otherwise only the holder of the lease could
    end
    connections.announce(topic)
  end)
end

-- Idle callbacks, and why no frame runs.
local IDLE <const> = {
  idleWaiting = "running", idlePaused = "paused", idleHalted = "halted", idleStopped = "stopped", idleCrashed = "crashed", idleEmpty = "none",
}

local function add_callbacks()
  local handlers = {
    frame = guarded(on_frame),
    reset = on_event("game.reset"),
    shutdown = on_event("game.closed"),
    crashed = on_event("game.crashed"),
    stop = on_event("game.stopped"),
    start = guarded(function()
      if not state.stopped then
        control.update_game()
      end
    end),
  }
  handlers.debugHit = guarded(function()
    game.refresh()
    debugger.on_hit()
  end)
  for name, machine in pairs(IDLE) do
    handlers[name] = guarded(function()
      if not state.stopped then
        frames.run_idle(machine)
      end
    end)
  end
  for name, handler in pairs(handlers) do
    callback_ids[#callback_ids + 1] = callbacks:add(name, handler)
  end
end

--- Stops this server. The next load of this file calls it through the global MGBA_BRIDGE.
local function stop()
  if state.stopped then
    return
  end
  connections.announce("script.stopping")
  state.stopped = true
  for _, id in ipairs(callback_ids) do
    callbacks:remove(id)
  end
  input.forget_all()
  debugger.drop()
  lease.detach()
  for _, conn in ipairs(connections.list) do
    connections.close(conn)
  end
  connections.close_socket(connections.listener)
  log.write("info", "stopped")
end

--- `before` is the server of an earlier load of this file: its port and page are reused.
local function start(before)
  environment.read_settings()
  state.mgba = system and tostring(system.version) or "0.10"
  local named_host = os.getenv("MGBA_BRIDGE_HOST")
  state.host = named_host == "headless" and "headless" or (system == nil or canvas ~= nil) and "qt" or "unknown"
  settings.nonce = settings.nonce or crypto.random_hex(32)
  state.epoch = crypto.random_hex(8)
  connections.listener = open_listener(before.port)
  connections.watch(connections.listener, 0)
  game.identify()
  input.start_clean()
  status.open(before.page)
  add_callbacks()
  MGBA_BRIDGE = { stop = stop, version = VERSION, page = status.buffer, port = settings.port }
  local capabilities = { "registers", "screen" } -- of the script; a host without a picture refuses `screen.get` (docs/protocol.md, section 8)
  if #settings.folders > 0 then
    capabilities[#capabilities + 1] = "files"
  end
  state.capabilities = concat(capabilities, " ")
  console:log(format(
    "mGBA-bridge %s listening on %s:%d. Start the gateway (mgba-bridge, or make gateway in a clone), or try: printf '#1 game<|END|>' | nc -w 1 %s %d",
    VERSION, settings.bind, settings.port, settings.bind, settings.port
  ))
end

server.start = start

return server
