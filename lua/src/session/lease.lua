-- Lease: one client controls the game, which runs exactly the frames that this client requests.

local arguments = require("wire.arguments")
local batch = require("session.batch")
local clock = require("pace.clock")
local commands = require("request.command_table")
local connections = require("net.connections")
local constants = require("base.constants")
local crypto = require("base.crypto")
local game = require("game.game")
local input = require("keys.input")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local pace = require("pace.schedule")
local replies = require("request.replies")
local settings = require("base.settings")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")

local command = commands.define
local live_core_or_refuse = game.live_core_or_refuse
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local refuse = wire.refuse

local lease = {
  holder = nil, -- who has it
  session = nil,
  token = nil, -- lets the same client continue on another connection
  conn = nil, -- connection of its last request
  limit = 0, -- microseconds that the game may stop between two requests of the holder
  idle = 0, -- used microseconds of this limit
  frames = 0, -- frames still to run
  request = nil, -- the step that is answered afterwards
  run = nil, -- of its items, of which some may have run before the frames
}

--- Cancels the running step, if there is one. The game stops again, and the holder's time limit applies.
function lease.stop_step(reason)
  local request = lease.request
  lease.request, lease.run, lease.frames, lease.idle = nil, nil, 0, 0
  if request then
    request.conn.deferred = request.conn.deferred - 1
    answer_error(request, "cancelled " .. reason)
    connections.flush(request.conn)
  end
end

--- Cancels the running step when the connection of a holder without a session has closed; with a session, sessions.sweep does. The step
--- belongs to the present holder: a client that takes the lease over waits for the step of the previous connection.
function lease.check_caller()
  if lease.request and not lease.session and (lease.conn.eof or lease.conn.closed) then
    lease.stop_step("the connection of its holder was closed")
  end
end

function lease.finish(reason)
  if not lease.holder then
    return
  end
  lease.holder = nil
  lease.stop_step("the lease ended before these frames were over: " .. reason)
  levels.release(input.LEASE, constants.ALL_KEYS)
  connections.announce("lease", "nil " .. wire.quote(reason))
end

--- Refuses an effect of any client but the holder.
function lease.check(request)
  if lease.holder and (request.holder ~= lease.holder or request.session ~= lease.session) then
    request.leased_by = lease.holder
    refuse("leased", "%s has the lockstep lease, for at most %.1f s without a step; only reads are answered", lease.holder, lease.limit / 1000000)
  end
end

--- Refuses a lease where waiting in the frame callback stops the host permanently (mGBA 0.10 with video sync).
local function check_host()
  if state.host == "headless" or pace.is_bursty or settings.lease then
    return
  elseif pace.is_bursty == nil and clock.trusted ~= false then
    refuse("busy", "the pace of this window is not known yet; try again in some seconds")
  else
    refuse("unsupported", "this window may have video sync on, which does not survive a lease; turn it off and set MGBA_BRIDGE_LEASE=on")
  end
end

arguments.define_integer("lease_limit", 50, 10000, "limit (milliseconds)")
arguments.define_integer("step_frames", 0, LIMITS.frames, "frames")
arguments.define_integer("step_before", 0, LIMITS.items, "before (items)")

--- @command lease.take
--- @type TakeLease(LimitMilliseconds:limit, Token) Takes the lockstep lease: the game runs only the frames that the holder requests.
--- @reply `token= limit= running= taps=`
--- @notes section 7.3; `taps` is the number of frames until all taps, those that wait included, are over
command({
  name = "lease.take",
  kind = "effect",
  named = { "limit:lease_limit=2000", "token:string" },
  alone = true,
  leased = true,
  run = function(values, request)
    live_core_or_refuse()
    check_host()
    if not lease.holder or lease.token ~= values.token then
      lease.check(request)
      if values.token then
        refuse("no-lease", "the lease of this token has ended and the game ran on; take one without a token")
      end
      lease.token = crypto.random_hex(32)
    end
    lease.holder, lease.session, lease.conn = request.holder, request.session, request.conn
    lease.limit, lease.idle = values.limit * 1000, 0
    connections.announce("lease", wire.quote(lease.holder))
    return wire.record({ "token", lease.token, "limit", lease.limit // 1000, "running", lease.frames, "taps", input.tap_frames() })
  end,
})

--- @command lease.release
--- @type ReleaseLease() Ends the lockstep lease.
--- @reply `true`/`false`
command({
  name = "lease.release",
  kind = "effect",
  alone = true,
  run = function()
    local had = lease.holder ~= nil
    lease.finish("released")
    return tostring(had)
  end,
})

--- Replies to a step whose frames have run.
function lease.answer_step()
  local request, run = lease.request, lease.run
  lease.request, lease.run = nil, nil
  request.conn.deferred = request.conn.deferred - 1
  local ok, text, tail = pcall(batch.finish, run)
  if ok then
    answer(request, text, tail)
  else
    answer_error(request, text)
  end
  connections.flush(request.conn)
end

--- @command lease.step
--- @type StepLease(Frames, Keys, Items:items, From, State, Before) Runs an exact number of frames, perhaps from a kept state, then items in the frame reached.
--- @arguments frames; `keys=mask from=frame state=name before=items`; tail of items
--- @reply as `batch.run`
--- @notes section 7.3
command({
  name = "lease.step",
  kind = "effect",
  arguments = { "frames:step_frames" },
  named = { "keys:mask", "from:frame", "state:string", "before:step_before=0" },
  tail = "may",
  alone = true,
  has_items = true,
  cost = function(values, request)
    local cost = batch.cost(values, request)
    return (values[1] == 0 or values.before > 0) and cost or 0 -- the other items of a step with frames run after them
  end,
  run = function(values, request)
    if not lease.holder then
      refuse("no-lease", "there is no lockstep lease; take it first (it ends when its holder sends nothing for its time limit)")
    elseif lease.request then
      refuse("busy", "the last step is still running; wait for its reply")
    elseif values.from and values.from ~= state.frame then
      refuse("guard-failed", "the game is at frame %d, not at %d; nothing ran", state.frame, values.from)
    end
    local items = request.items or {}
    batch.check_guards(items, request)
    if values.state then
      states.recall(values.state)
    end
    if values.keys then
      levels.set(input.LEASE, lease.session, values.keys)
    end
    local run = batch.start(items)
    batch.continue(run, values.before)
    lease.request, lease.run, lease.frames, lease.conn, lease.idle = request, run, run.failed and 0 or values[1], request.conn, 0
    request.conn.deferred = request.conn.deferred + 1
    if lease.frames == 0 then
      lease.answer_step()
    end
    return DEFERRED
  end,
})

return lease
