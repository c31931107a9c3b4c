-- Framing: cuts received bytes into requests.

local arguments = require("wire.arguments")
local connections = require("net.connections")
local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local sessions = require("session.sessions")
local settings = require("base.settings")
local wire = require("wire.text")

local to_integer = arguments.to_integer
local TERMINATOR <const> = constants.TERMINATOR
local byte, find, format, match, sub = string.byte, string.find, string.format, string.match, string.sub
local concat = table.concat

local framing = {}

local GATEWAY <const> = "http://127.0.0.1:5000" -- unless its settings name another port

local HEX_UPLOAD <const> = "core.loadStateBuffer," -- the only message whose head contains data

local function push(conn, request)
  conn.last = conn.last + 1
  conn.queue[conn.last] = request
end

function framing.push_refusal(conn, id, code, text)
  push(conn, { id = id, conn = conn, session = conn.session, problem = code .. " " .. text })
end

--- Web pages can post text to any port of this machine, so an HTTP request must not run anything.
local function speaks_http(head)
  return find(head, "^%u%u%u+ ") or find(head, "^%a[^ ,]* [^ ]+ HTTP/%d") or byte(head, 1) == 0x16
end

--- Says where HTTP is served, and closes the connection; one with a TLS handshake is closed only.
local function refuse_http(conn, head)
  if byte(head, 1) == 0x16 then
    connections.close(conn)
    return
  end
  local text = format(
    "Port %d is that of the script in mGBA, which speaks no HTTP. The program mgba-bridge serves HTTP, usually at %s.\n", settings.port, GATEWAY
  )
  connections.refuse_as(conn, concat({
    "HTTP/1.1 421 Misdirected Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ", #text, "\r\nConnection: close\r\n\r\n",
    find(head, "^HEAD ") and "" or text,
  }))
end

--- Parses a head. Returns the length of its tail, or nil when the connection was closed.
local function take_head(conn, head)
  if byte(head, 1) ~= 35 then
    if speaks_http(head) then
      refuse_http(conn, head)
      return nil
    elseif not find(head, "^%a") then
      framing.push_refusal(conn, 0, "bad-head", format("a message starts with # and an id, or is one of mGBA-http's; this one starts %q", wire.printable(head)))
    elseif settings.secret then
      framing.push_refusal(conn, 0, "auth-required", "mGBA-http's messages are off while a secret is set")
    else
      push(conn, { legacy = true, text = head, conn = conn })
    end
    return 0
  end
  local id, plus, rest = match(head, "^#([1-9]%d*)(%+?%d*) +(.*)$")
  local number = to_integer(id or match(head, "^#([1-9]%d*)") or "")
  number = number and number <= constants.MAX_ID and number or 0
  if not id or number == 0 or plus == "+" then
    framing.push_refusal(conn, number, "bad-head", format("%q is not a head; write #id, +length before a tail, a space and a command", wire.printable(head)))
    return 0
  end
  id = number
  local length = plus ~= "" and tonumber(sub(plus, 2)) or nil
  if length and length > conn.limits.tail then
    local hint = conn.trusted and "" or " before authentication"
    connections.refuse(conn, "tail-too-long", format("request %d announces %.0f bytes; the most is %d%s", id, length, conn.limits.tail, hint))
    return nil
  end
  push(conn, { id = id, text = rest, conn = conn, session = conn.session, tail = length and "" })
  return length or 0
end

--- A cancel takes effect when it is read, before earlier requests in the queue run. Cancels before a queued hello are kept until it runs.
local function notice_cancel(conn, request)
  local text = request.text or ""
  if not find(text, "cancel", 1, true) or not conn.trusted then
    return
  end
  local at, next_at = 1, 1
  while next_at do
    at, next_at = next_at, match(text, "^%l+=[^ ]+ +()", next_at)
  end
  local id = to_integer(match(text, "^cancel +(%w+) *$", at) or "")
  if id and conn.session then
    pcall(sessions.forbid, conn.session, id)
  elseif id and not conn.greeted then
    conn.early_cancels = conn.early_cancels or {}
    if #conn.early_cancels < LIMITS.inflight then
      conn.early_cancels[#conn.early_cancels + 1] = id
    end
  end
end

--- Checks an incomplete message.
local function check_unfinished(conn, buffer, at)
  conn.is_upload = false
  if at > #buffer then
    return
  end
  local start = sub(buffer, at, at + 63)
  if speaks_http(start) then
    refuse_http(conn, start)
  elseif #buffer - at + 1 > conn.limits.head + #TERMINATOR then
    local is_upload = not settings.secret and sub(start, 1, #HEX_UPLOAD) == HEX_UPLOAD
    if not is_upload or #buffer - at > LIMITS.tail then
      connections.refuse(conn, "head-too-long", format("no <|END|> within %d bytes", conn.limits.head))
    end
    conn.is_upload = is_upload
  end
  conn.scanned = math.max(1, #buffer - #TERMINATOR + 2 - at + 1)
end

--- Cuts the buffer into requests until it ends or the queue is full. A full queue stops reading until the rest is cut, too.
function framing.parse(conn)
  local buffer, at = conn.buffer, 1
  conn.is_full = true
  while conn.last - conn.first + 1 < conn.limits.inflight and not conn.closing do
    at = find(buffer, "[^ \t\r\n]", at) or #buffer + 1
    local stop, last = find(buffer, TERMINATOR, math.max(at, conn.scanned), true)
    if not stop then
      conn.is_full = false
      check_unfinished(conn, buffer, at)
      break
    end
    local length = stop - at > conn.limits.head and sub(buffer, at, at + #HEX_UPLOAD - 1) ~= HEX_UPLOAD and -1 or nil
    if length then
      connections.refuse(conn, "head-too-long", format("a head has %d bytes; the most is %d", stop - at, conn.limits.head))
      break
    end
    length = take_head(conn, sub(buffer, at, stop - 1))
    conn.fresh = false
    if not length then
      return
    end
    local request = conn.queue[conn.last]
    if last + length > #buffer then -- the tail is incomplete: the request is cut again when all of it has arrived
      conn.queue[conn.last] = nil
      conn.last = conn.last - 1
      conn.waiting_for, conn.is_full = last + length - at + 1, false
      break
    end
    if length > 0 then
      request.tail = sub(buffer, last + 1, last + length)
    end
    notice_cancel(conn, request)
    at, conn.scanned = last + length + 1, 1
  end
  if at > 1 then
    conn.buffer, conn.scanned, conn.queued = sub(buffer, at), 1, conn.queued + at - 1
  end
end

return framing
