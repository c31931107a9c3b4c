-- Replies to requests, exactly once: the reply of an effect is kept until the client acknowledges it.

local constants = require("base.constants")
local log = require("base.log")
local memory_budget = require("request.memory_budget")
local state = require("base.state")
local wire = require("wire.text")

local TERMINATOR <const> = constants.TERMINATOR
local concat = table.concat

local replies = {}

-- The result of a command that replies later.
local DEFERRED <const> = {}

function replies.write(conn, data)
  if conn.closed then
    return
  end
  conn.out_last = conn.out_last + 1
  conn.out[conn.out_last] = data
  conn.unsent = conn.unsent + #data
end

--- Sends a finished reply and keeps that of an effect, which must not run again.
local function settle(request, reply)
  local session = request.session
  if session and session.running[request.id] == request then
    session.running[request.id] = nil
  end
  if session and request.row and request.row.kind == "effect" and not request.refused then
    session.replies[request.id] = { content = request.content, reply = reply }
    memory_budget.keep(session, 1, #reply + #request.content)
  end
  replies.write(request.conn, reply)
end

local function answer_legacy(request, value)
  if value == nil then
    value = "<|SUCCESS|>"
  end
  request.conn.legacy_busy = false
  replies.write(request.conn, tostring(value) .. TERMINATOR)
end

local function answer(request, text, tail)
  if request.legacy then
    return answer_legacy(request, text)
  end
  local id, stamp = request.id, wire.stamp()
  if tail then
    settle(request, "#" .. id .. "+" .. #tail .. stamp .. " ok" .. (text and " " .. text or "") .. TERMINATOR .. tail)
  elseif text then
    settle(request, "#" .. id .. stamp .. " ok " .. text .. TERMINATOR)
  else
    settle(request, "#" .. id .. stamp .. " ok" .. TERMINATOR)
  end
end

local function answer_error(request, problem)
  local code, text = wire.caught(problem)
  state.errors = state.errors + 1
  request.refused = request.refused or code == "busy" -- nothing ran, so the client may retry
  if request.legacy then
    log.complain("%s: %s", wire.printable(request.text), text)
    return answer_legacy(request, "<|ERROR|>")
  end
  local extra = (request.item and " item=" .. request.item or "")
    .. (request.challenge and " challenge=" .. wire.quote(request.challenge) or "")
    .. (code == "leased" and request.leased_by and " holder=" .. wire.quote(request.leased_by) or "")
  settle(
    request,
    concat({ "#", request.id, " ", state.frame, " ", state.epoch, " error ", code, " ", wire.quote(text), extra, TERMINATOR })
  )
end

replies.DEFERRED, replies.answer, replies.answer_error = DEFERRED, answer, answer_error

return replies
