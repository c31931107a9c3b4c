-- Wire format of replies: values, records, error codes.

local log = require("base.log")
local state = require("base.state")

local byte, find, format, gmatch, gsub, match = string.byte, string.find, string.format, string.gmatch, string.gsub, string.match
local sub = string.sub
local concat = table.concat

local wire = {}

local ESCAPE <const> = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }
local CODES <const> = {}

for code in
  gmatch(
    "bad-head head-too-long tail-too-long bad-escape bad-option unknown-command bad-arity bad-argument bad-address bad-key bad-batch "
      .. "version auth-required auth-failed too-many-connections busy expired id-reused cancelled epoch-changed guard-failed leased "
      .. "no-game not-running no-lease unsupported failed save-failed not-found not-a-state forbidden internal",
    "%S+"
  )
do
  CODES[code] = true
end

local NIL <const> = {}

local function escape_byte(c)
  return ESCAPE[c] or format("\\x%02x", byte(c))
end

function wire.quote(text)
  return '"' .. gsub(text, '[%c"\\|]', escape_byte) .. '"'
end

function wire.value(value)
  if value == NIL then
    return "nil"
  end
  return type(value) == "string" and wire.quote(value) or tostring(value)
end

--- Named values in order: {"title", "ABC", "port", 1} -> `title="ABC" port=1`. NIL is written as nil.
function wire.record(pairs_in_order)
  local parts = {}
  for i = 1, #pairs_in_order, 2 do
    parts[#parts + 1] = pairs_in_order[i] .. "=" .. wire.value(pairs_in_order[i + 1])
  end
  return concat(parts, " ")
end

function wire.printable(text)
  return (gsub(sub(text, 1, 80), "[^\x20-\x7e]", function(c)
    return format("\\x%02x", byte(c))
  end))
end

--- ` frame epoch` of every reply; computed once a frame.
function wire.stamp()
  if wire.stamp_frame ~= state.frame or wire.stamp_epoch ~= state.epoch then
    wire.stamp_frame, wire.stamp_epoch = state.frame, state.epoch
    wire.stamp_text = " " .. state.frame .. " " .. state.epoch
  end
  return wire.stamp_text
end

--- Ends the running command with an error reply. The code is the first word of the error's text, because errors must be strings:
--- an uncaught error value of another type ends mGBA.
local function refuse(code, text, ...)
  error(code .. " " .. (select("#", ...) > 0 and format(text, ...) or text), 0)
end

--- The code and text of an error that pcall caught. An error that `refuse` did not raise is `internal`.
function wire.caught(problem)
  problem = tostring(problem)
  local code, text = match(problem, "^([%l-]+) (.*)$")
  if code and CODES[code] then
    return code, text
  end
  if find(problem, "Invalid object", 1, true) or (find(problem, "nil value", 1, true) and emu == nil) then
    return "no-game", "no game is loaded; open one in mGBA"
  end
  state.last_error = problem
  log.write("error", "a command failed unexpectedly: %s", problem)
  return "internal", problem
end

wire.NIL, wire.refuse = NIL, refuse

return wire
