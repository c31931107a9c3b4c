-- Messages of mGBA-http, `type,value1,value2,value3`, on the same port, with the names of all its versions.

local arguments = require("wire.arguments")
local constants = require("base.constants")
local lease = require("session.lease")
local wire = require("wire.text")
local work = require("request.work")

local parse, to_integer = arguments.parse, arguments.to_integer
local ALL_KEYS <const>, SAVESTATE <const> = constants.ALL_KEYS, constants.SAVESTATE
local gmatch, match, sub = string.gmatch, string.match, string.sub
local refuse = wire.refuse

local legacy = { types = {} }
local split = {}

--- Three values at most; empty ones keep their positions.
function split.values(rest)
  local values, n = {}, 0
  for value in gmatch(rest .. ",", "([^,]*),") do
    n = n + 1
    values[n] = value
  end
  return values[1] or "", values[2] or "", values[3] or ""
end

--- One text with its own commas; mGBA-http appends two.
function split.text(rest)
  return sub(rest, -2) == ",," and sub(rest, 1, -3) or rest
end

--- A text, then one word: `a,b.ss1,29,`.
function split.text_and_word(rest)
  local text, word = match(rest, "^(.*),([%w-]*),$")
  if not text then
    text, word = match(rest, "^(.*),([%w-]*)$")
  end
  return text or rest, word or ""
end

local function number(text)
  return to_integer(text) or refuse("bad-argument", "%q is not an integer", wire.printable(text))
end

--- Flags; unknown bits are ignored, as in mGBA.
local function flags_or(text, default)
  return text == "" and default or number(text) & SAVESTATE.all
end

local function key_mask(text)
  local value = number(text)
  if value < 0 or value > ALL_KEYS then
    refuse("bad-argument", "key mask %d is outside 0..%d", value, ALL_KEYS)
  end
  return value
end

local function named_keys(text)
  local keys = {}
  for name in gmatch(text, "[^;]+") do
    keys[#keys + 1] = parse.key(name)
  end
  if #keys == 0 then
    refuse("bad-key", "no button was named")
  end
  return keys
end

local function define(is_read, names, splitter, run, cost)
  for name in gmatch(names, "%S+") do
    legacy.types[name] = { split = splitter, run = run, name = name, cost = cost or 0, is_read = is_read }
  end
end

--- Defines messages: how their values are split, and what runs. A result of nil is success without a value. `cost` is that of a command, of
--- the values.
function legacy.message(...)
  define(false, ...)
end

--- As above, messages that change nothing: they run while another client holds the lease.
function legacy.read(...)
  define(true, ...)
end

--- Clients of mGBA-http expect false for a file or state that cannot be used.
local function tolerant(fn, ...)
  local ok, result = pcall(fn, ...)
  local code = ok or wire.caught(result)
  if not ok and code ~= "not-a-state" and code ~= "not-found" then
    error(result, 0)
  end
  return ok, result
end

--- Runs a message of mGBA-http. Returns its value, or DEFERRED.
function legacy.run(request)
  local name, rest = match(request.text, "^([^,]+),?(.*)$")
  local row = legacy.types[name] or refuse("unknown-command", "%q is not a message of mGBA-http", wire.printable(name))
  if lease.holder and not row.is_read then
    lease.check(request)
  end
  local first, second, third = row.split(rest)
  second, third = second or "", third or ""
  local cost = work.of(row, first, second, third)
  if cost > 0 and not work.admits(cost) then
    return work.LATER
  end
  return row.run(first, second, third, request)
end

legacy.split = split
legacy.number = number
legacy.flags_or = flags_or
legacy.key_mask = key_mask
legacy.named_keys = named_keys
legacy.tolerant = tolerant

return legacy
