-- The client's side of the wire, written from docs/protocol.md and from nothing else, so that it cannot inherit the script's mistakes.

local wire = {}

wire.TERMINATOR = "<|END|>"

function wire.request(id, head, tail)
  return "#" .. id .. (tail and "+" .. #tail or "") .. " " .. head .. wire.TERMINATOR .. (tail or "")
end

function wire.quote(text)
  return '"' .. text:gsub('[%c"\\|]', function(c)
    return ("\\x%02x"):format(c:byte())
  end) .. '"'
end

local ESCAPED <const> = { ["\\"] = "\\", ['"'] = '"', n = "\n", r = "\r", t = "\t" }

local function read_string(text, at)
  local parts = {}
  while true do
    local c = text:sub(at, at)
    assert(c ~= "", "a string in a reply has no end: " .. text)
    if c == '"' then
      return table.concat(parts), at + 1
    elseif c == "\\" then
      local letter = text:sub(at + 1, at + 1)
      if letter == "x" then
        local value = tonumber(text:sub(at + 2, at + 3), 16)
        assert(value, "bad escape in " .. text)
        parts[#parts + 1] = string.char(value)
        at = at + 4
      else
        parts[#parts + 1] = assert(ESCAPED[letter], "bad escape in " .. text)
        at = at + 2
      end
    else
      assert(not c:find("[%c|]"), "a string in a reply holds a byte that must be escaped: " .. text)
      parts[#parts + 1] = c
      at = at + 1
    end
  end
end

local PLAIN <const> = { ["true"] = true, ["false"] = false }

--- Events name their kind by a bare word.
local function read_value(text, at, is_event)
  if text:sub(at, at) == '"' then
    return read_string(text, at + 1)
  end
  local word = text:match("^[^ ]+", at)
  assert(word, "a value is missing in " .. text)
  local value = PLAIN[word]
  if value == nil and word ~= "nil" then
    value = math.tointeger(tonumber(word)) or (is_event and word:match("^%l+$"))
    assert(value, "no value: " .. word .. " in " .. text)
  end
  return value, at + #word
end

--- `1 "a" x=2` -> { 1, "a", n = 2 }, { x = 2 }
function wire.values(text, is_event)
  local list, named, n, at = {}, {}, 0, 1
  while at <= #text do
    local name, after = text:match("^([a-z][a-z0-9_]*)=()", at)
    local value, next_at = read_value(text, after or at, is_event)
    if name then
      named[name] = value == nil and wire.NIL or value
    else
      n = n + 1
      list[n] = value
    end
    assert(next_at > #text or text:sub(next_at, next_at) == " ", "no space between values in " .. text)
    at = next_at + 1
  end
  list.n = n
  return list, named
end

wire.NIL = setmetatable({}, { __tostring = function() return "nil" end })

local function parse_head(head)
  local message = { head = head }
  local mark, id, plus, rest = head:match("^([#!])(%d+)(%+?%d*) (.*)$")
  if not mark then
    message.kind = "legacy"
    return message
  end
  message.kind, message.id, message.length = mark == "#" and "reply" or "event", math.tointeger(tonumber(id)), plus ~= "" and tonumber(plus) or nil
  local frame, epoch, status, text = rest:match("^(%d+) (%x%x%x%x%x%x%x%x) ([a-z.]+) ?(.*)$")
  assert(frame, "no frame, epoch and word in " .. head)
  message.frame, message.epoch, message.status, message.text = tonumber(frame), epoch, status, text
  if mark == "!" then
    message.topic = status
  elseif status == "error" then
    message.code, text = text:match("^([a-z-]+) (.*)$")
    assert(message.code, "no code in " .. head)
  else
    assert(status == "ok", "neither ok nor error: " .. head)
  end
  message.values, message.named = wire.values(text, message.topic ~= nil)
  message.detail = message.code and message.values[1]
  assert(not message.code or (type(message.detail) == "string" and #message.detail > 0), "no detail in " .. head)
  return message
end

--- The first message of these bytes and the rest, or nil when it is not all there.
function wire.cut(bytes)
  local stop, last = bytes:find(wire.TERMINATOR, 1, true)
  if not stop then
    return nil
  end
  local message = parse_head(bytes:sub(1, stop - 1))
  local length = message.length or 0
  if #bytes < last + length then
    return nil
  end
  message.tail = message.length and bytes:sub(last + 1, last + length) or nil
  return message, bytes:sub(last + length + 1)
end

--- HMAC-SHA-256 in hex by another implementation.
function wire.hmac(secret, text)
  local function hex(bytes)
    return (bytes:gsub(".", function(c)
      return ("%02x"):format(c:byte())
    end))
  end
  local program = "import hmac,sys;print(hmac.new(bytes.fromhex(sys.argv[1]),bytes.fromhex(sys.argv[2]),'sha256').hexdigest())"
  local pipe = assert(io.popen(('python3 -c "%s" "%s" "%s"'):format(program, hex(secret), hex(text))))
  local digest = pipe:read("l")
  pipe:close()
  assert(digest and digest:match("^%x+$"), "python3 is needed for an independent HMAC")
  return digest
end

--- What a side proves: `role` is client or script.
function wire.proof(role, secret, challenges, session)
  return wire.hmac(secret, table.concat({ "mgba-bridge", role, challenges.client, challenges.script, session or "" }, " "))
end

return wire
