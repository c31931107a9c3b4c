-- Dispatch: runs the requests that are queued on a connection, and closes connections that have ended.

require("commands.basic")
local cheats = require("commands.cheats")
local commands = require("request.command_table")
local connections = require("net.connections")
local freeze_commands = require("commands.freezes")
local framing = require("server.framing")
local legacy = require("legacy.messages")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_budget = require("request.memory_budget")
local proof = require("net.proof")
local receiving = require("server.receiving")
local replies = require("request.replies")
local requests = require("session.requests")
local sessions = require("session.sessions")
local state = require("base.state")
local work = require("request.work")

local DRAIN_SECONDS <const>, SEND_CHUNK <const> = connections.DRAIN_SECONDS, connections.SEND_CHUNK
local CHUNK <const> = receiving.CHUNK
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local format = string.format

local dispatch = {}

--- Runs a request, or returns true when there is no time for it now.
function dispatch.execute(request)
  local run = request.legacy and legacy.run or requests.run
  state.requests = state.requests + 1
  local ok, text, tail = pcall(run, request)
  if not (request.row and request.row.idle) then
    state.activity = state.beat
  end
  if not ok then
    answer_error(request, text)
  elseif text == work.LATER then
    state.requests = state.requests - 1
    return true
  elseif text == DEFERRED then
    request.conn.legacy_busy = request.legacy and request.job ~= nil
  else
    answer(request, text, tail)
  end
end

--- Whether a request has to wait: this frame has no time for its large tail, or there were too many wrong proofs.
local function must_wait(request)
  if not request.conn.trusted and proof.is_resting() then
    return true
  end
  local length = request.tail and #request.tail or 0
  if length < 1024 or not request.text then
    return false
  end
  local row = commands.row_of(request.text)
  local has_items = row and row.has_items
  if has_items and not request.items and math.min(length * work.batch_byte, LIMITS.frame_cost) > work.allowed then
    return true
  end
  return (has_items or row and row.writes_tail) and not memory.may_write(math.min(length, LIMITS.write))
end

--- Whether more replies may be added to the unsent ones of a connection.
local function may_answer(conn)
  return conn.unsent <= math.min(conn.limits.unsent, memory_budget.share(LIMITS.connection))
end

--- Runs queued requests of a connection, up to that cost. One that costs more than `work.allowed` stays, and the connection is marked `heavy`.
--- The replies are sent together when the queue is empty: mGBA's sockets have no TCP_NODELAY, and a second small send would wait until the
--- client acknowledges the first, 40 ms later.
function dispatch.run(conn, most)
  local stop, ran = work.spent + most, false
  while conn.first <= conn.last and work.spent < stop and not conn.legacy_busy and (conn.unsent <= LIMITS.share or may_answer(conn)) do
    local at = conn.first
    local request = conn.queue[at]
    request.session = conn.session
    if must_wait(request) or (not request.problem and dispatch.execute(request)) then
      conn.heavy = true
      connections.flush(conn)
      break
    elseif request.problem then
      answer_error(request, request.problem)
    end
    work.spent, ran = work.spent + work.request, true
    if not conn.closed then
      conn.queue[at] = nil
      conn.first, conn.queued = at + 1, conn.queued - (request.tail and #request.tail or 0)
    end
    if conn.eof and conn.session then
      connections.close(conn) -- the client disconnected before its hello ran: later requests have lost their session
    end
  end
  if conn.first > conn.last then
    conn.first, conn.last, conn.queued = 1, 0, 0
    if conn.is_full and not conn.closed then
      framing.parse(conn)
    end
  end
  if conn.first > conn.last or conn.unsent > SEND_CHUNK then
    connections.flush(conn)
  end
  return ran
end

--- Closes a connection that was refused or has ended. Called once a frame for each, and by dispatch.clean.
function dispatch.settle(conn)
  connections.flush(conn)
  if conn.counted > 0 or conn.unsent > 0 or conn.chunks or conn.queued > CHUNK then
    memory_budget.recount(conn)
  end
  if not conn.trusted and not conn.closing and not conn.closed and proof.is_late(conn) then
    connections.refuse(conn, "auth-required", format("the secret was not proved within %d seconds", LIMITS.untrusted.seconds))
  end
  if conn.closing and not conn.closed then
    conn.close_at = conn.close_at or state.seconds + DRAIN_SECONDS
    if state.seconds > conn.close_at then
      connections.close(conn)
    end
  elseif conn.eof and conn.unsent == 0 and conn.last < conn.first and conn.deferred == 0 and not conn.legacy_busy then
    connections.close(conn)
  end
end

--- Closes ended connections and sessions while a lease controls the game or no frame runs, when frames do not measure time.
function dispatch.clean()
  for _, conn in ipairs(connections.list) do
    dispatch.settle(conn)
  end
  freeze_commands.report()
  cheats.report()
  connections.sweep()
  if state.tick() then
    sessions.sweep()
  end
end

return dispatch
