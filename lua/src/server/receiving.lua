-- Receiving: reads the sockets.

local arguments = require("wire.arguments")
local connections = require("net.connections")
local constants = require("base.constants")
local framing = require("server.framing")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local state = require("base.state")

local to_integer = arguments.to_integer
local TERMINATOR <const> = constants.TERMINATOR
local find, format, match, sub = string.find, string.format, string.match, string.sub
local concat = table.concat

local receiving = {
  is_held = false, -- whether a connection was not read although it may have data
}

local CHUNK <const> = 16384
local READ_ROUND <const> = 4194304 -- bytes read from one connection at a time

--- Whether enough is read of a client with a full queue. A little more than the queue is read, to notice when the client disconnects.
local function has_enough(conn)
  return conn.is_full and not conn.closing and #conn.buffer >= CHUNK
end

local PIECE <const> = 65536
local OVERLAP <const> = #TERMINATOR - 1 -- bytes of a terminator that may be in the previous piece

--- Keeps received pieces. Appending each piece to a buffer would take quadratic time for a long message, and a table of many small pieces a
--- multiple of its memory, so a piece is joined with its neighbour while that is not longer, up to PIECE bytes.
local function gather(conn, data)
  local chunks = conn.chunks
  if not chunks then
    if conn.buffer == "" then
      conn.buffer = data
      return
    end
    chunks = { conn.buffer, size = #conn.buffer, edge = sub(conn.buffer, -OVERLAP) }
    conn.chunks = chunks
  end
  chunks.has_end = find(data, TERMINATOR, 1, true) or find(chunks.edge .. sub(data, 1, OVERLAP), TERMINATOR, 1, true)
  chunks.edge = sub(#data < OVERLAP and chunks.edge .. data or data, -OVERLAP)
  chunks.size = chunks.size + #data
  local last = #chunks
  while last > 0 and #chunks[last] <= #data and #chunks[last] < PIECE do
    data = chunks[last] .. data
    chunks[last] = nil
    last = last - 1
  end
  chunks[last + 1] = data
end

local function may_be_whole(conn)
  local chunks = conn.chunks
  if not chunks or (conn.fresh and chunks.size < 256) then
    return true
  elseif conn.waiting_for > 0 then
    return chunks.size >= conn.waiting_for
  end
  return chunks.size > (conn.is_upload and LIMITS.tail or conn.limits.head) or chunks.has_end
end

local function received(conn, data)
  if conn.skip > 0 then
    conn.skip, data = math.max(0, conn.skip - #data), sub(data, conn.skip + 1)
  end
  if conn.closing or data == "" then
    return
  elseif conn.is_full then
    conn.buffer = conn.buffer .. data
    return
  end
  gather(conn, data)
  if may_be_whole(conn) then
    if conn.chunks then
      conn.buffer, conn.chunks = concat(conn.chunks), nil
    end
    conn.waiting_for = 0
    framing.parse(conn)
  end
end

--- The peer has closed its side. A client with a session has ended; one without, such as `printf … | nc`, still expects its replies.
local function ended(conn)
  conn.eof = true
  if conn.session or conn.closing or (conn.last < conn.first and conn.unsent == 0 and conn.deferred == 0 and not conn.is_full) then
    connections.close(conn)
  end
end

--- Whether there is something to read. -1 is an interrupted wait, or out-of-band data, which stays and hides everything else.
local function is_readable(conn)
  local answer_of_select = conn.select(conn.socket, 0)
  conn.odd = answer_of_select == -1 and (conn.odd or 0) + 1 or 0
  if conn.odd > 100 then
    connections.close(conn)
  end
  return answer_of_select == 1
end

--- Drops an incomplete message when there is no memory for the rest and the connection holds nothing else that could be freed.
local function shed(conn)
  if conn.first <= conn.last or conn.unsent > 0 or conn.running > 0 or conn.closing then
    return
  end
  local data = conn.chunks and concat(conn.chunks) or conn.buffer
  local id, missing = to_integer(match(data, "^#(%d+)") or ""), conn.waiting_for - #data
  local text = format("requests and replies hold %d of %d bytes: the memory limit is reached; try again later", memory_budget.used, LIMITS.memory)
  conn.buffer, conn.chunks, conn.waiting_for, conn.scanned = "", nil, 0, 1
  if id and missing > 0 then
    conn.skip = missing
    framing.push_refusal(conn, id, "busy", text)
  else
    connections.refuse(conn, "busy", text)
  end
  memory_budget.recount(conn)
end

--- Whether a connection holds so much that it is not read for now.
local function holds_too_much(conn)
  memory_budget.recount(conn)
  if conn.counted <= memory_budget.share(LIMITS.connection) then
    return false
  end
  shed(conn)
  return true
end

--- Reads received data. Returns whether there was any.
function receiving.read(conn)
  local woke = conn.woke -- select has just reported data
  conn.woke = nil
  if conn.eof or conn.unsent > conn.limits.unsent or has_enough(conn) then
    receiving.is_held = receiving.is_held or not conn.eof
    return false
  elseif conn.counted > LIMITS.share and holds_too_much(conn) then
    receiving.is_held = true
    return false
  elseif not conn.ready and not woke and not is_readable(conn) then
    return false
  end
  local total, size = 0, CHUNK
  repeat
    local data = conn.recv(conn.socket, size)
    if data == "" then
      if not conn.ready then
        ended(conn)
      end
      conn.ready = false
      break
    end
    conn.ready = true
    total = total + #data
    received(conn, data)
    local full = #data == size
    size = 65536
  until not full or total >= READ_ROUND or conn.closed or has_enough(conn)
  if total > 0 then
    conn.active_beat = state.beat
  end
  if total > CHUNK and not conn.closed then
    memory_budget.recount(conn)
  end
  return total > 0
end

--- Reads until nothing is left (or enough is), so that cancels and the end of the connection are seen before anything runs.
function receiving.read_all(conn)
  local rounds = 0
  repeat
    local got = receiving.read(conn)
    rounds = rounds + 1
  until rounds >= 8 or conn.closed or (not got and not conn.ready)
  if rounds > 1 and not conn.closed then
    receiving.read(conn)
  end
end

receiving.CHUNK = CHUNK

return receiving
