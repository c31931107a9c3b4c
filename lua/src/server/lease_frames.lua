-- Frames while a lease is held.

local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local dispatch = require("server.dispatch")
local freezes = require("game.freezes")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local lease = require("session.lease")
local pace = require("pace.schedule")
local scheduler = require("server.scheduler")
local state = require("base.state")
local watches = require("commands.watches")

local MILLISECOND <const> = constants.MILLISECOND
local SHORT_WORK <const> = scheduler.SHORT_WORK
local run_heavy, serve_arrived, serve_round = scheduler.run_heavy, scheduler.serve_arrived, scheduler.serve_round

local lease_frames = {}

local CLEAN <const> = 16 * MILLISECOND -- between two cleanups of connections while the game does not run
local SERVE <const> = 8 -- frames of a step between two checks of the connections where the game has no frame limit

--- Holds the game until the holder of the lease steps, or exceeds its time limit.
function lease_frames.hold()
  local served = true -- the holder has just received a reply
  clock.start(nil)
  local since, cleaned = 0, 0
  state.stands_still = true
  while lease.holder and lease.frames == 0 do
    connections.favourite = not lease.conn.closed and lease.conn or connections.favourite
    local before = lease.idle
    scheduler.may_exceed = true
    run_heavy(SHORT_WORK)
    served = serve_round(SHORT_WORK, served, CLEAN)
    local now = clock.elapsed()
    if lease.idle == before then
      lease.idle = lease.idle + now - since
    end
    since = now
    if now - cleaned >= CLEAN then
      dispatch.clean()
      cleaned = now
    end
    if lease.idle > lease.limit then
      lease.finish("its holder was silent for too long")
    end
  end
  state.stands_still = false
  pace.due, pace.ended, pace.mark_time = nil, nil, nil
end

--- Whether requests run in this frame of a step. Without a frame limit, where frames are short, to look for them in each would slow the game.
local function is_serving()
  local is_free = pace.mode == "free"
  if host then
    is_free = host.period() == 0
  end
  return not is_free or state.frame % SERVE == 0
end

--- Runs one frame of a step. After the last one, replies and waits for the next step.
function lease_frames.run()
  if state.frame % SERVE == 0 then
    dispatch.clean()
    lease.check_caller()
  end
  lease.frames = math.max(0, lease.frames - 1)
  input.apply()
  freezes.run()
  if lease.frames == 0 and lease.request then
    lease.answer_step()
  end
  watches.run()
  jobs.run()
  if lease.frames > 0 and is_serving() then
    scheduler.may_exceed = true
    serve_arrived(clock.elapsed() + SHORT_WORK, false)
  end
  if lease.frames == 0 then -- also when the step was cancelled just now
    lease_frames.hold()
  end
end

return lease_frames
