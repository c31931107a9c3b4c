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
local sensors = require("game.sensors")
local state = require("base.state")
local watches = require("commands.watches")

local MILLISECOND <const> = constants.MILLISECOND
local SHORT_WORK <const> = scheduler.SHORT_WORK
local run_heavy, serve_arrived, serve_round = scheduler.run_heavy, scheduler.serve_arrived, scheduler.serve_round

local lease_frames = {}

local CLEAN <const> = 16 * MILLISECOND -- between two cleanups of connections while the game does not run
local SERVE <const> = 32 -- frames between two checks of the connections where the game has no frame limit
local CLEAN_FRAMES <const> = 8 -- between two cleanups while it runs
local served_frame, cleaned_frame = 0, 0 -- when they were checked, and cleaned up, last

--- Waits for the next step of the attached socket, and begins it. Returns false when there is something else to do first: a connection has data, its
--- turn has come, or no step came for a while.
local function await_step()
  if not lease.attached or state.frame - served_frame >= SERVE then
    return false
  elseif lease.take_step() then
    return true
  end
  local conn = connections.watched[host.wait(CLEAN)]
  if conn then
    conn.woke, connections.favourite = true, conn
  end
  return lease.take_step()
end

--- Whether a debugger lets the game run: a halt takes place between two instructions, and not in the event of a frame.
local function is_stepping()
  return host and host.isStepping and host.isStepping()
end

--- Holds the game until the holder of the lease steps, or exceeds its time limit.
function lease_frames.hold()
  if await_step() and lease.frames > 0 then
    return
  end
  local served = not lease.attached -- the holder has just received a reply
  clock.start(nil)
  local since, cleaned = 0, 0
  state.stands_still = true
  while lease.holder and lease.frames == 0 and not is_stepping() do
    connections.favourite = not lease.conn.closed and lease.conn or connections.favourite
    local before = lease.idle
    scheduler.may_exceed = true
    run_heavy(SHORT_WORK)
    served = serve_round(SHORT_WORK, served, lease.attached and 0 or CLEAN)
    served_frame = state.frame
    await_step()
    local now = clock.elapsed()
    if lease.idle == before then
      lease.idle = lease.idle + now - since
    end
    since = now
    if now - cleaned >= CLEAN then
      dispatch.clean()
      cleaned = now
      if host and host.isEnding() then
        lease.finish("the emulator ends")
      end
    end
    if lease.idle > lease.limit then
      lease.finish("its holder was silent for too long")
    end
  end
  state.stands_still = false
  served_frame = state.frame
  pace.due, pace.ended, pace.mark_time = nil, nil, nil
end

--- Whether frames are so short that to look for requests in each would slow the game.
local function is_free()
  if host then
    return host.period() == 0
  end
  return pace.mode == "free"
end

--- Whether requests run in this frame of a step.
local function is_serving()
  return state.frame - served_frame >= SERVE or not is_free()
end

--- Lets the host run the frames of a step in which nothing has to be done without calling this script.
function lease_frames.skip()
  local count = math.min(lease.frames, served_frame + SERVE - state.frame) - 1
  if count < 1 or not host or not is_free() or jobs.count > 0 or jobs.has_done or #freezes.list > 0 or #watches.buckets > 0 or not input.is_settled()
    or not sensors.is_settled() then
    return
  end
  host.skip(count)
  state.is_skipping = true
end

--- Counts the frames that were skipped. Called first in every callback.
function lease_frames.count_skipped()
  local count = host.skip(0)
  state.is_skipping = false
  state.frame, state.beat, lease.frames = state.frame + count, state.beat + count, lease.frames - count
end

--- Runs one frame of a step. After the last one, replies and waits for the next step.
function lease_frames.run()
  if state.frame - cleaned_frame >= CLEAN_FRAMES then
    cleaned_frame = state.frame
    dispatch.clean()
    lease.check_caller()
  end
  lease.frames = math.max(0, lease.frames - 1)
  input.apply()
  sensors.advance()
  freezes.run()
  if lease.frames == 0 then
    lease.answer_step()
  end
  watches.run()
  jobs.run()
  if lease.frames > 0 and is_serving() then
    served_frame = state.frame
    scheduler.may_exceed = true
    serve_arrived(clock.elapsed() + SHORT_WORK, false)
  end
  if lease.frames == 0 then -- also when the step was cancelled just now
    lease_frames.hold()
  end
end

return lease_frames
