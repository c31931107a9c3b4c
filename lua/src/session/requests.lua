-- Requests: from the text after the id to a command that runs.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local input = require("keys.input")
local lease = require("session.lease")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local owners = require("base.owners")
local replies = require("request.replies")
local sessions = require("session.sessions")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local DEFERRED <const> = replies.DEFERRED
local find, match = string.find, string.match
local concat = table.concat
local refuse = wire.refuse

local requests = {}

--- Whether an effect may start. A repeated one is answered immediately with the kept reply.
local function admit(session, request)
  local id = request.id
  if id <= session.mark then
    refuse("expired", "request %d is at or below the acknowledged %d", id, session.mark)
  end
  local kept, running = session.replies[id], session.running[id]
  if kept or running then
    local content = kept and kept.content or running.content
    if content ~= request.content then
      refuse("id-reused", "request %d was another request before; use each id once", id)
    end
    if kept then
      replies.write(request.conn, kept.reply)
    else
      running.conn.deferred = running.conn.deferred - 1
      running.conn = request.conn
      running.conn.deferred = running.conn.deferred + 1
    end
    return false
  end
  if session.kept >= LIMITS.replies or session.kept_bytes >= memory_budget.share(LIMITS.reply_bytes) then
    refuse("busy", "%d replies (%d bytes with their requests) are kept for this session; send a higher ack", session.kept, session.kept_bytes)
  end
  return true
end

--- Parses the options in front of the command. Returns the command's name and the rest.
local function read_options(request, rest)
  local word, after = match(rest, "^([^ ]+) ?(.*)$")
  while word and find(word, "=", 1, true) do
    local name, value = match(word, "^(%l+)=(.+)$")
    if name and request[name] then
      refuse("bad-option", "%s= is given twice", name)
    elseif name == "ack" then
      request.ack = parse.id(value)
    elseif name == "holder" then
      request.holder = parse.holder(value)
    elseif name == "owner" then
      request.owner = parse.holder(value)
    elseif name == "epoch" then
      request.epoch = value
    else
      refuse("bad-option", "%q is not an option; allowed before the command: ack=, holder=, owner= and epoch=", wire.printable(word))
    end
    word, after = match(after, "^ *([^ ]+) ?(.*)$")
  end
  if not word then
    refuse("unknown-command", "no command after the options")
  end
  return word, after
end

local function check_request(request, row)
  local conn, session = request.conn, request.session
  if not conn.trusted and not row.untrusted then
    refuse("auth-required", "this emulator requires a secret; send hello with challenge= first (docs/protocol.md, section 3)")
  end
  if session then
    if request.ack then
      sessions.acknowledge(session, request.ack)
    end
    if session.cancelled[request.id] then
      refuse("cancelled", "request %d was cancelled before it started", request.id)
    end
  end
  commands.check_tail(row, request.tail)
end

-- Cache of parsed reads by their text, because clients repeat the same reads.
local parsed = { count = 0, by_text = {} }

local MAX_PARSED <const>, PARSED_LENGTH <const> = 512, 128

local function remember(request, row, values, cost)
  local text = request.text
  if row.kind == "read" and not row.alone and not request.ack and not request.epoch and #text <= PARSED_LENGTH and not find(text, "=", 1, true) then
    if parsed.count >= MAX_PARSED then
      parsed.count, parsed.by_text = 0, {}
    end
    parsed.count = parsed.count + 1
    parsed.by_text[text] = { row = row, values = values, cost = cost }
  end
end

--- Clears the cache, because the cost of a read depends on the game.
function requests.forget_parsed()
  parsed.count, parsed.by_text = 0, {}
end

--- Parses the arguments and runs the command, if there is time for it now.
local function run_row(request, row, text)
  local words, named = arguments.split(text)
  local values = arguments.read(row, words, named)
  local cost = work.of(row, values, request)
  remember(request, row, values, cost)
  if cost > 0 and not work.admits(cost) then
    return work.LATER
  end
  request.refused = false
  local session = request.session
  local reply, tail = row.run(values, request)
  if reply == DEFERRED and session and row.kind == "effect" and not session.replies[request.id] then
    session.running[request.id] = request
  end
  return reply, tail
end

--- Runs a request. Returns the reply's text and tail, DEFERRED, or LATER when there is no time for it now and nothing ran.
function requests.run(request)
  local known = parsed.by_text[request.text]
  if known then
    request.row = known.row
    check_request(request, known.row)
    if known.cost > 0 and not work.admits(known.cost) then
      return work.LATER
    end
    return known.row.run(known.values, request)
  end
  local name, text = request.command, request.rest
  if not name then
    name, text = read_options(request, request.text)
    request.command, request.rest = name, text -- a request without time now passes here again; its options are parsed once
  end
  local row = commands.rows[name] or refuse("unknown-command", "%q is not a command; the command `commands` lists them", wire.printable(name))
  local session = request.session
  request.refused = true -- an error reply before the start is not kept as the reply
  request.row = row
  check_request(request, row)
  local effect = row.kind == "effect"
  if effect and session then
    request.content = request.content or concat({ request.holder or "", " ", name, " ", text, request.tail and "\0" or "", request.tail or "" })
    if not admit(session, request) then
      return DEFERRED
    end
  end
  if request.epoch and request.epoch ~= state.epoch then
    refuse("epoch-changed", "the epoch is %s now; the script or the game was changed", state.epoch)
  end
  request.holder = request.holder or (session and session.name) or request.conn.name
  if type(request.owner) ~= "table" then -- else the request has waited for its time
    request.owner = (request.owner or request.holder ~= input.COMPAT) and owners.of(session or request.conn, request.owner) or nil
  end
  if effect and not row.leased then
    lease.check(request)
  end
  return run_row(request, row, text)
end

return requests
