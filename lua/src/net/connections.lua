-- Connections: open, send, close. Raw `_socket` objects are used because the high-level sockets add a frame callback for each
-- connection, and mGBA 0.10 leaks it.

local constants = require("base.constants")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local host = require("base.host").calls
local jobs = require("request.jobs")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local log = require("base.log")
local memory_budget = require("request.memory_budget")
local proof = require("net.proof")
local replies = require("request.replies")
local sensors = require("game.sensors")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local TERMINATOR <const> = constants.TERMINATOR
local format, sub = string.format, string.sub
local concat = table.concat

-- Properties of mGBA's sockets: readable and empty means closed, whatever the error says; a failed send may look like one byte sent, so check
-- `.error`; a second close() closes another connection, so a closed object is bound to an address that does not exist.
local OK <const>, AGAIN <const> = 0, 1

local SEND_CHUNK <const> = 1048576
local DRAIN_SECONDS <const> = 1 -- minimum time for a refused connection to read the reason
local MAX_REFUSED <const> = 40 -- refused connections at a time: the engine aborts at 1,024 descriptors, and the window uses some
local connections = {
  list = {},
  listener = nil,
  next_id = 1,
  favourite = nil, -- the connection that was busy last
  peak = 0,
  watched = {}, -- by id: connections that the host watches
  is_watched = host ~= nil, -- whether it watches all of them
}

--- Lets the host watch a socket. The listener has the id 0.
function connections.watch(socket, id)
  if host and not host.watch(socket, id) then
    connections.is_watched = false
    log.write("warn", "mgba-headless cannot watch a connection; the script polls instead")
  end
end

function connections.close_socket(socket)
  socket:close()
  socket:open("192.0.2.1", 0)
end

local function new_connection(socket)
  local id = connections.next_id
  connections.next_id = id + 1
  return {
    id = id, name = "connection:" .. id, socket = socket, recv = socket.recv, send = socket.send, select = socket.select,
    trusted = not settings.secret, limits = settings.secret and LIMITS.untrusted or LIMITS, since = state.seconds,
    buffer = "", chunks = nil, waiting_for = 0, scanned = 1, fresh = true, woke = nil,
    queue = {}, first = 1, last = 0, -- requests read and not started
    out = {}, out_first = 1, out_last = 0, out_offset = 1, unsent = 0,
    deferred = 0, queued = 0, running = 0, counted = 0, skip = 0, events = 0, active_beat = state.beat, ready = true,
  }
end

function connections.close(conn)
  if conn.closed then
    return
  end
  conn.closed = true
  connections.watched[conn.id] = nil
  proof.untrusted = proof.untrusted - (conn.trusted and 0 or 1)
  connections.close_socket(conn.socket)
  local session = conn.session
  if session then
    session.connections = session.connections - 1
    if session.connections == 0 then
      session.left, session.released = state.seconds, nil
    end
  else
    levels.release_owner(conn)
    freezes.release_owner(conn)
    sensors.release_owner(conn)
    debugger.release_owner(conn)
  end
  for _, job in ipairs(conn.deferred > 0 and jobs.all() or {}) do
    local request = job.request
    if request.conn == conn and (job.bucket == jobs.slices.by_conn[conn] or (request.row and request.row.kind == "read")) then
      jobs.stop(job)
    end
  end
  conn.queue, conn.out, conn.buffer, conn.chunks = {}, {}, "", nil
  conn.first, conn.last, conn.unsent, conn.queued = 1, 0, 0, 0
  memory_budget.recount(conn)
  if connections.favourite == conn then
    connections.favourite = nil
  end
  log.write("debug", "connection %d ended", conn.id)
end

--- Removes closed connections from the list. Called once a frame, and by dispatch.clean.
function connections.sweep()
  local list, kept = connections.list, 0
  for i = 1, #list do
    local conn = list[i]
    list[i] = nil
    if not conn.closed then
      kept = kept + 1
      list[kept] = conn
    end
  end
end

--- Sends one piece. Returns how many bytes went, or nil when the peer is gone.
local function send_piece(conn, data)
  local sent = conn.send(conn.socket, data)
  local problem = sent == #data and sent > 1 and OK or conn.socket.error
  if problem == OK then
    return sent
  elseif problem == AGAIN then
    return 0
  end
  connections.close(conn)
  return nil
end

local function join_small(conn)
  if conn.out_last > conn.out_first and conn.unsent <= SEND_CHUNK then
    local all = concat(conn.out, "", conn.out_first, conn.out_last)
    conn.out, conn.out_first, conn.out_last = { sub(all, conn.out_offset) }, 1, 1
    conn.out_offset = 1
  end
end

--- Sends queued data until the socket takes no more.
function connections.flush(conn)
  if conn.unsent == 0 then
    return
  end
  join_small(conn)
  while conn.out_first <= conn.out_last do
    local data, offset = conn.out[conn.out_first], conn.out_offset
    local whole = offset == 1 and #data <= SEND_CHUNK
    local piece = whole and data or sub(data, offset, offset + SEND_CHUNK - 1)
    local sent = send_piece(conn, piece)
    if not sent then
      return
    end
    conn.unsent = conn.unsent - sent
    if offset + sent > #data then
      conn.out[conn.out_first] = nil
      conn.out_first, conn.out_offset = conn.out_first + 1, 1
    else
      conn.out_offset = offset + sent
    end
    if sent < #piece then
      return
    end
  end
  conn.out_first, conn.out_last = 1, 0
end

function connections.flush_all()
  for _, conn in ipairs(connections.list) do
    connections.flush(conn)
  end
end

--- Sends a last message and closes the connection after a delay: an immediate close would reset it, and the message would be lost.
function connections.refuse_as(conn, message)
  replies.write(conn, message)
  conn.closing = true
  conn.close_at = state.seconds + DRAIN_SECONDS
  connections.flush(conn)
end

--- Sends an error and closes the connection.
function connections.refuse(conn, code, text)
  connections.refuse_as(conn, concat({ "#0 ", state.frame, " ", state.epoch, " error ", code, " ", wire.quote(text), TERMINATOR }))
end

--- Why a new connection is refused, or nil.
local function reason_to_refuse(conn, count)
  local most = math.max(1, math.min(LIMITS.untrusted.connections, settings.connections // 2))
  if count > settings.connections then
    return format("%d connections are open, the most this script takes; share or close some", settings.connections)
  elseif not conn.trusted and proof.untrusted > most then
    return format("%d connections have not proved the secret yet, the most this script takes; try again in %d s", most, LIMITS.untrusted.seconds)
  end
end

function connections.accept()
  local listener, accepted = connections.listener, 0
  while #connections.list < settings.connections + MAX_REFUSED and listener:select(0) == 1 do
    local socket = listener:accept()
    if not socket or socket.error ~= OK then
      break
    end
    local conn = new_connection(socket)
    local count = #connections.list + 1
    connections.list[count] = conn
    connections.watched[conn.id] = conn
    connections.watch(socket, conn.id)
    connections.peak = math.max(connections.peak, count)
    accepted = accepted + 1
    proof.untrusted = proof.untrusted + (conn.trusted and 0 or 1)
    local reason = reason_to_refuse(conn, count)
    if not conn.trusted and proof.untrusted > LIMITS.untrusted.connections + MAX_REFUSED then
      connections.list[count] = nil
      connections.close(conn) -- refused connections that are still open must not use all places
    elseif reason then
      connections.refuse(conn, "too-many-connections", reason)
    end
    log.write("debug", "connection %d opened", conn.id)
  end
  return accepted
end

function connections.send_event(conn, topic, text, tail)
  conn.events = conn.events + 1
  replies.write(
    conn,
    concat({
      "!", conn.events, tail and "+" or "", tail and #tail or "", " ", state.frame, " ", state.epoch, " ", topic, text and " " or "", text or "",
      TERMINATOR, tail or "",
    })
  )
end

--- Sends an event to every client that has sent hello. A client that does not read loses it; the number of the next event shows the gap.
function connections.announce(topic, text)
  for _, conn in ipairs(connections.list) do
    if conn.greeted and conn.unsent > LIMITS.events then
      conn.events = conn.events + 1
    elseif conn.greeted and not conn.closed then
      connections.send_event(conn, topic, text)
      connections.flush(conn)
    end
  end
end

connections.SEND_CHUNK, connections.DRAIN_SECONDS = SEND_CHUNK, DRAIN_SECONDS

return connections
