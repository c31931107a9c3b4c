-- Lease: one client controls the game, which runs exactly the frames that this client requests.

local arguments = require("wire.arguments")
local batch = require("session.batch")
local clock = require("pace.clock")
local commands = require("request.command_table")
local connections = require("net.connections")
local constants = require("base.constants")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local pace = require("pace.schedule")
local replies = require("request.replies")
local sensors = require("game.sensors")
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
  owner = nil, -- with whose end it ends
  ended = nil, -- why the last one has ended
  token = nil, -- lets the same client continue on another connection
  conn = nil, -- connection of its last request
  limit = 0, -- microseconds that the game may stop between two requests of the holder
  idle = 0, -- used microseconds of this limit
  frames = 0, -- frames still to run
  request = nil, -- the step that is answered afterwards
  run = nil, -- of its items, of which some may have run before the frames
  attached = nil, -- while the host has a socket from which steps come: { items, state }, what each reads, and where one with `reset` continues
  is_local = false, -- whether the running step came from there
}

lease.SOCKET = 0xffffffff -- for the host: the id of this socket; those of connections are smaller

local OK <const>, FAILED <const> = 0, 1 -- of a step from the socket
local RESET <const> = 1 << 16

--- The head of the answer to a step from the socket: where the game is, and whether what follows is the observation or why there is none.
local function local_head(status)
  return string.pack("<i8I4I4", state.frame, tonumber(state.epoch, 16), status)
end

--- What the items read in this frame.
local function observe(items)
  local parts = {}
  for number, item in ipairs(items) do
    local _, tail = item.row.run(item.values, item)
    parts[number] = tail or ""
  end
  return table.concat(parts)
end

--- Closes the socket; the lease stays.
function lease.detach()
  if lease.attached then
    lease.attached = nil
    host.closeSteps()
  end
end

local function answer_local(status, text)
  lease.is_local = false
  if not host.sendStep(local_head(status) .. text) then
    lease.detach()
  end
end

local function refuse_local(problem)
  local code, text = wire.caught(problem)
  answer_local(FAILED, code .. " " .. text)
end

local function begin_local(step)
  local frames = step >> 32
  if frames > LIMITS.frames then
    refuse("bad-argument", "a step has up to %d frames, not %d", LIMITS.frames, frames)
  elseif step & RESET ~= 0 then
    states.recall(lease.attached.state or refuse("bad-argument", "lease.attach named no state to reset to"))
  end
  levels.set(input.LEASE, lease.session, step & constants.ALL_KEYS)
  return frames
end

--- Begins the next step of the socket. Returns whether one had come.
function lease.take_step()
  local step = lease.attached and host.takeStep() or -1
  if step == -1 then
    return false
  elseif step < 0 then
    lease.detach()
    return false
  end
  lease.idle, lease.is_local = 0, true
  local ok, frames = pcall(begin_local, step)
  if not ok then
    refuse_local(frames)
  elseif frames == 0 then
    lease.answer_step()
  else
    lease.frames = frames
  end
  return true
end

--- Cancels the running step, if there is one. The game stops again, and the holder's time limit applies.
function lease.stop_step(reason)
  local request = lease.request
  lease.request, lease.run, lease.frames, lease.idle = nil, nil, 0, 0
  if request then
    request.conn.deferred = request.conn.deferred - 1
    answer_error(request, "cancelled " .. reason)
    connections.flush(request.conn)
  elseif lease.is_local then
    refuse_local("cancelled " .. reason)
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
  lease.holder, lease.owner, lease.ended = nil, nil, reason
  lease.stop_step("the lease ended before these frames were over: " .. reason)
  lease.detach()
  levels.release(input.LEASE, constants.ALL_KEYS)
  connections.announce("lease", "nil " .. wire.quote(reason))
end

--- Whether a request is a batch of reads: it has no effect.
local function only_reads(request)
  if not (request.row and request.row.has_items and request.tail) then
    return false
  end
  request.items = request.items or batch.parse(request)
  for _, item in ipairs(request.items) do
    if not item.is_guard and item.row.kind ~= "read" then
      return false
    end
  end
  return true
end

--- Refuses an effect of any client but the holder.
function lease.check(request)
  if lease.holder and not only_reads(request) and (request.holder ~= lease.holder or request.session ~= lease.session) then
    request.leased_by = lease.holder
    refuse("leased", "%s has the lockstep lease, for at most %.1f s without a step; only reads are answered", lease.holder, lease.limit / 1000000)
  end
end

local function refuse_missing()
  live_core_or_refuse() -- a crash has ended the lease
  refuse("no-lease", "there is no lockstep lease%s; take it first", lease.ended and " (why the last one ended: " .. lease.ended .. ")" or "")
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
    if lease.holder and lease.owner ~= request.owner then -- who takes it over takes what was held with it
      levels.move(lease.holder, lease.owner, request.owner)
      freezes.move(lease.holder, lease.owner, request.owner)
      sensors.move(lease.holder, lease.owner, request.owner)
      debugger.move(lease.holder, lease.owner, request.owner)
    end
    if lease.holder and lease.session ~= request.session then -- the keys of a running step do not end with the session that sent it
      levels.move(input.LEASE, lease.session, request.session)
    end
    lease.holder, lease.session, lease.conn, lease.owner = request.holder, request.session, request.conn, request.owner
    lease.limit, lease.idle = values.limit * 1000, 0
    connections.announce("lease", wire.quote(lease.holder))
    return wire.record({ "token", lease.token, "limit", lease.limit // 1000, "running", lease.frames, "taps", input.tap_frames() })
  end,
})

--- @command lease.release
--- @type ReleaseLease(Any, Owned) Ends the lockstep lease.
--- @arguments `any=false owned=false`
--- @reply `true`/`false`
--- @notes the caller's own lease; with `any=true` that of any holder, with `owned=true` only one that the request's owner has taken
command({
  name = "lease.release",
  kind = "effect",
  named = { "any:boolean=false", "owned:boolean=false" },
  alone = true,
  leased = true,
  run = function(values, request)
    if not values.any then
      lease.check(request)
    end
    local had = lease.holder ~= nil and not (values.owned and lease.owner ~= request.owner)
    if had then
      lease.finish(values.any and "ended by an owner" or "released")
    end
    return tostring(had)
  end,
})

--- Replies to a step whose frames have run, if there is one.
function lease.answer_step()
  local request, run = lease.request, lease.run
  if lease.is_local then
    local ok, found = pcall(observe, lease.attached.items)
    if ok then
      answer_local(OK, found)
    else
      refuse_local(found)
    end
    return
  elseif not request then
    return
  end
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
      refuse_missing()
    elseif lease.request or lease.is_local then
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

--- Refuses items that a step of the socket cannot have.
local function check_reads(items)
  for number, item in ipairs(items) do
    if item.is_guard or item.row.kind ~= "read" then
      refuse("bad-batch", "item %d: a step of an attached socket only reads", number)
    end
  end
end

--- @command lease.attach
--- @type AttachLease(Path, Items:items, State) Takes the further steps of the lease from a local socket, each of which answers with what the items read.
--- @arguments path; `state=name`; tail of items
--- @reply `size=` bytes that the items read
--- @notes `mgba-headless` on Linux only; section 7.6
command({
  name = "lease.attach",
  kind = "effect",
  arguments = { "path:string" },
  named = { "state:string" },
  tail = "may",
  alone = true,
  has_items = true,
  cost = batch.cost,
  run = function(values, request)
    if not lease.holder then
      refuse_missing()
    elseif not (host and host.openSteps) then
      refuse("unsupported", "only mgba-headless on Linux takes steps from a local socket; send them by lease.step")
    elseif lease.request or lease.is_local then
      refuse("busy", "the last step is still running; wait for its reply")
    elseif values.state and not states.is_kept(values.state) then
      refuse("not-found", "no state of this game is kept as %s; keep it with state.keep", wire.quote(values.state))
    end
    local items = request.items or {}
    check_reads(items)
    local size = #observe(items)
    if size > LIMITS.observation then
      refuse("bad-argument", "the items read %d bytes; a step of an attached socket answers up to %d", size, LIMITS.observation)
    end
    lease.detach()
    local problem = host.openSteps(values[1], lease.SOCKET)
    if problem ~= "" then
      local advice = "listen there first, on the emulator's machine and as its user"
      refuse("failed", "the emulator cannot connect to a socket at %q (%s); %s", wire.printable(values[1]), problem, advice)
    end
    lease.attached, lease.idle = { items = items, state = values.state }, 0
    return wire.record({ "size", size })
  end,
})

return lease
