-- Sessions: what is kept of a client across its connections.

local debugger = require("game.debugger")
local freezes = require("game.freezes")
local jobs = require("request.jobs")
local lease = require("session.lease")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local owners = require("base.owners")
local replies = require("request.replies")
local sensors = require("game.sensors")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local answer_error = replies.answer_error
local refuse = wire.refuse

-- A session: connections (count), mark (highest acknowledged id), replies (id -> { text, reply }), running (id -> request), cancelled
-- (id -> true, not started), and sums for the limits.
local sessions = { by_name = {}, count = 0 }

function sessions.open(name)
  local session = sessions.by_name[name]
  if session then
    return session, true
  end
  if sessions.count >= LIMITS.sessions then
    refuse("busy", "%d sessions are known; close some clients, the oldest are forgotten a minute later", sessions.count)
  end
  session = {
    name = name, connections = 0, mark = 0, replies = {}, kept = 0, kept_bytes = 0, running = {}, cancelled = {}, cancels = 0, left = nil,
  }
  sessions.by_name[name] = session
  sessions.count = sessions.count + 1
  return session, false
end

function sessions.acknowledge(session, id)
  if id <= session.mark then
    return
  end
  session.mark = id
  for old, kept in pairs(session.replies) do
    if old <= id then
      session.replies[old] = nil
      memory_budget.keep(session, -1, -#kept.reply - #kept.content)
    end
  end
  for old in pairs(session.cancelled) do
    if old <= id then
      session.cancelled[old] = nil
      session.cancels = session.cancels - 1
    end
  end
end

--- Marks a request that has not started or not arrived, so that it will not run.
function sessions.forbid(session, id)
  if session.replies[id] or session.running[id] or session.cancelled[id] or id <= session.mark then
    return
  end
  if session.cancels >= LIMITS.replies then
    refuse("busy", "%d cancels are remembered; send a higher ack", session.cancels)
  end
  session.cancelled[id] = true
  session.cancels = session.cancels + 1
end

--- Stops the requests of a client that has disconnected, releases its keys and ends its freezes. Taps that were answered and have not begun
--- still come: the client may reconnect to its session and announced it.
local function abandon(session)
  for id, request in pairs(session.running) do
    if request.job then
      jobs.stop(request.job)
      answer_error(request, "cancelled request " .. id .. " lost its session")
    end
  end
  if lease.request and lease.session == session then
    lease.stop_step("the session of its holder was lost")
  end
  tap_queue.let_go(function(request)
    return owners.includes(session, request.owner)
  end)
  levels.release_owner(session)
  freezes.release_owner(session)
  sensors.release_owner(session)
  debugger.release_owner(session)
end

local function forget(session)
  tap_queue.finish(function(request)
    return owners.includes(session, request.owner)
  end)
  sessions.by_name[session.name] = nil
  memory_budget.keep(session, 0, -session.kept_bytes)
  sessions.count = sessions.count - 1
end

--- Releases the keys and freezes of sessions without a connection, and later forgets them. Called once a second, so the time is up to a second more
--- than the limit.
function sessions.sweep()
  for _, session in pairs(sessions.by_name) do
    local away = session.connections == 0 and state.seconds - session.left or 0
    if away > LIMITS.release_seconds and not session.released then
      session.released = true
      abandon(session)
    end
    if away > LIMITS.session_seconds then
      forget(session)
    end
  end
end

return sessions
