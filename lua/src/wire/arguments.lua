-- Parses the arguments of a command. A parser refuses a bad value with `bad-argument` or a more specific code.

local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local wire = require("wire.text")

local KEYS <const>, SAVESTATE <const> = constants.KEYS, constants.SAVESTATE
local byte, find, gmatch, lower, match, sub = string.byte, string.find, string.gmatch, string.lower, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local arguments = {}

local NONE <const> = {}

local UNESCAPE <const> = { ['"'] = '"', ["\\"] = "\\", n = "\n", r = "\r", t = "\t" }
local KEY_INDEX <const> = {}

for i, name in ipairs(KEYS) do
  KEY_INDEX[lower(name)] = i - 1
  KEY_INDEX[tostring(i - 1)] = i - 1
end

local parse = {} -- kind of argument -> function(text) -> value

-- Kind of integer -> its least and greatest value. `make lua` writes them to the gateway's Commands.g.cs.
local ranges = {}

--- Parses a quoted string at position `at` (its first quote). Returns its value and the position after it.
local function quoted(text, at)
  local from, parts = at + 1, {}
  while true do
    local stop = find(text, '["\\]', from)
    if not stop then
      refuse("bad-escape", "a string has no closing quote")
    end
    parts[#parts + 1] = sub(text, from, stop - 1)
    if byte(text, stop) == 34 then
      return concat(parts), stop + 1
    end
    local letter = sub(text, stop + 1, stop + 1)
    local hex = letter == "x" and match(text, "^%x%x", stop + 2)
    if hex then
      parts[#parts + 1] = string.char(tonumber(hex, 16))
      from = stop + 4
    elseif UNESCAPE[letter] then
      parts[#parts + 1] = UNESCAPE[letter]
      from = stop + 2
    else
      refuse("bad-escape", '"\\%s" is not an escape; use \\\\ \\" \\n \\r \\t or \\xHH', wire.printable(letter))
    end
  end
end

--- Splits the argument text of a head: a list of words and, where there are any, a table of named ones.
function arguments.split(text)
  local words, n = {}, 0
  if not find(text, '["=]') then
    for word in gmatch(text, "[^ ]+") do
      n = n + 1
      words[n] = word
    end
    return words, nil
  end
  local named, at = {}, find(text, "[^ ]")
  while at do
    local name, value_at = match(text, "^(%l[%l%d_]*)=()", at)
    local value, next_at
    if byte(text, value_at or at) == 34 then
      value, next_at = quoted(text, value_at or at)
      if not find(text, "^ ", next_at) and next_at <= #text then
        refuse("bad-argument", "a space is missing after the string that ends at character %d", next_at - 1)
      end
    else
      value, next_at = match(text, '^([^ "=]*)()', value_at or at)
      if not find(text, "^ ", next_at) and next_at <= #text then
        refuse("bad-argument", "%q needs quotes around its value", wire.printable(match(text, "[^ ]*", at)))
      end
    end
    if name then
      named[name] = value
    else
      n = n + 1
      words[n] = value
    end
    at = find(text, "[^ ]", next_at)
  end
  return words, named
end

--- An integer in decimal or 0x form, or nil.
local function to_integer(text)
  local number
  if find(text, "^%-?%d+$") then
    number = tonumber(text)
  elseif find(text, "^0[xX]%x+$") and #text <= 18 then
    number = tonumber(text)
  end
  return math.type(number) == "integer" and number or nil
end

function parse.integer(text)
  return to_integer(text) or refuse("bad-argument", "%q is not an integer; write 255 or 0xFF", wire.printable(text))
end

function arguments.integer_between(low, high, what)
  return function(text)
    local number = to_integer(text)
    if not number or number < low or number > high then
      refuse("bad-argument", "%s is %q; it must be an integer from %d to %d", what, wire.printable(text), low, high)
    end
    return number
  end
end

--- Defines a kind of argument: an integer. `what` names it in an error reply.
function arguments.define_integer(kind, low, high, what)
  parse[kind], ranges[kind] = arguments.integer_between(low, high, what or kind), { low, high }
end

function parse.string(text)
  return text
end

function parse.boolean(text)
  if text == "true" then
    return true
  elseif text == "false" then
    return false
  end
  refuse("bad-argument", "%q is not a boolean; use true or false", wire.printable(text))
end

function parse.key(text)
  return KEY_INDEX[lower(text)]
    or refuse("bad-key", "%q is not a key; use A, B, Select, Start, Right, Left, Up, Down, R, L or 0..9", wire.printable(text))
end

local define_integer = arguments.define_integer
define_integer("length", 0, LIMITS.tail)
define_integer("mask", 0, constants.ALL_KEYS, "key mask")
define_integer("address", 0, 0xFFFFFFFF)
define_integer("slot", 0, 9)
define_integer("flags", 0, SAVESTATE.all)
define_integer("frames", 1, LIMITS.frames)
define_integer("past_frame", 0, 1 << 53, "frame")
define_integer("gap", 1, LIMITS.frames) -- 0 would join two presses into one
define_integer("after", 1, LIMITS.frames)
define_integer("frame", 0, math.maxinteger)
define_integer("id", 1, constants.MAX_ID)
define_integer("bank", 0, 0x1FF) -- of the memory of a Game Boy

--- Keys: a mask, or names joined by `+`.
local mask_number = parse.mask
function parse.mask(text)
  if find(text, "^%-?%d") then
    return mask_number(text)
  end
  local mask = 0
  for name in gmatch(text .. "+", "([^+]*)%+") do
    mask = mask | 1 << parse.key(name)
  end
  return mask
end

function parse.holder(text)
  if not find(text, "^[%w_.:-]+$") or #text > LIMITS.holder then
    refuse("bad-option", "holder is %q; use 1 to %d of A-Z a-z 0-9 _ . : -", wire.printable(text), LIMITS.holder)
  end
  return text
end

--- An address on the bus (a number) or an offset in a memory domain (a table, never changed). Bounds are checked at use, because they
--- depend on the game.
local function locate(text)
  local number = to_integer(text)
  if number then
    return number
  end
  local domain, offset = match(text, "^(%l[%w_]*):(.+)$")
  offset = offset and to_integer(offset)
  if not offset then
    refuse("bad-address", "%q is not a location; write 0x02000000, or wram:0x10 for an offset in a domain", wire.printable(text))
  end
  return { domain = domain, offset = offset }
end

local seen, seen_count = {}, 0

--- Caches locations, because clients read the same ones repeatedly: a lookup costs a fifth of parsing.
function parse.location(text)
  local location = seen[text]
  if not location then
    location = locate(text)
    if #text > LIMITS.cached_location then
      return location
    end
    if seen_count >= LIMITS.cached_locations then
      seen, seen_count = {}, 0
    end
    seen[text], seen_count = location, seen_count + 1
  end
  return location
end

--- The parsed arguments of one request for one row of the command table.
function arguments.read(row, words, named)
  local count, kinds = #words, row.arguments
  if count < row.least or count > row.most then
    refuse("bad-arity", "%s takes %s; it got %d", row.name, row.takes, count)
  end
  local values, fixed, repeats = {}, #kinds, row.repeats
  for i = 1, count do
    local kind = kinds[i] or repeats[(i - fixed - 1) % #repeats + 1]
    values[i] = parse[kind](words[i])
  end
  if named then
    for name, text in pairs(named) do
      local kind = row.named and row.named[name]
      if not kind then
        refuse("bad-argument", "%s has no argument %s=", row.name, wire.printable(name))
      end
      values[name] = parse[kind](text)
    end
  end
  for name, default in pairs(row.defaults or NONE) do
    if values[name] == nil then
      values[name] = default
    end
  end
  return values
end

arguments.parse, arguments.ranges, arguments.to_integer = parse, ranges, to_integer

return arguments
