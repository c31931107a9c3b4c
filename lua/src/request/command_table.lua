-- The command table: one row for each command. Parsers, arity errors, the command list and the batch rules are derived from the row.

local arguments = require("wire.arguments")
local LIMITS <const> = require("base.limits")
local wire = require("wire.text")

local parse = arguments.parse
local match = string.match
local concat = table.concat
local refuse = wire.refuse

-- A row: name; kind "read" (may run again) or "effect" (exactly once); arguments in order; repeats, arguments that may follow again and again;
-- named, in any order. An argument is written "name:kind=default", or shorter when name and kind are the same or there is no default.
-- tail "none" (default), "takes" or "may"; optional = true where no argument has to be there; alone = true where it cannot be an item of a batch;
-- cost, a number or cost(values, request): microseconds beyond those of any request.
-- run(values, request) returns the reply's text (nil: just ok) and its tail, or DEFERRED when it answers later.
-- What others know of it: has_items (its tail has items of a batch), writes_tail (its tail is written to memory), leased (runs while another
-- holder has the lease), untrusted (runs before the secret is proved), idle (does not count as activity).
-- What clients know of it: lasts (takes frames: true, or when one of these named arguments is given), bulk (long: true, or with this argument).
local commands = { rows = {}, names = {} } -- rows by name, and the names

--- Splits arguments into names and kinds. Fills `defaults`.
local function split(list, defaults)
  local names, kinds = {}, {}
  for i, text in ipairs(list or {}) do
    local name, default = match(text, "^([%w_:]+)=?(.*)$")
    names[i], kinds[i] = match(name, "^[%w_]+"), match(name, "[%w_]+$")
    local parser = parse[kinds[i]] or error("no kind of argument " .. kinds[i])
    if default ~= "" then
      defaults[names[i]] = parser(default)
    end
  end
  return names, kinds
end

function commands.define(row)
  local defaults = {}
  row.argument_names, row.arguments = split(row.arguments)
  row.named_names, row.named_kinds = split(row.named, defaults)
  row.repeats = row.repeats and select(2, split(row.repeats))
  row.defaults, row.named = next(defaults) ~= nil and defaults or nil, {}
  for i, name in ipairs(row.named_names) do
    row.named[name] = row.named_kinds[i]
  end
  row.tail, row.cost = row.tail or "none", row.cost or 0
  local fixed = #row.arguments
  row.least, row.most = fixed, fixed
  row.takes = concat(row.argument_names, " ")
  if row.repeats then
    row.least, row.most = fixed + #row.repeats, fixed + #row.repeats * LIMITS.repeats
    row.takes = row.takes .. (fixed > 0 and " " or "") .. concat(row.repeats, " ") .. " ..."
  end
  row.least = row.optional and 0 or row.least
  row.takes = row.takes == "" and "no arguments" or row.takes
  commands.rows[row.name] = row
  commands.names[#commands.names + 1] = row.name
end

--- The row of a request's text, or nil: the first word that is no option names it.
function commands.row_of(text)
  for word in string.gmatch(text, "[^ ]+") do
    if not string.find(word, "=", 1, true) then
      return commands.rows[word]
    end
  end
end

function commands.check_tail(row, tail)
  if row.tail == "takes" and not tail then
    refuse("bad-argument", "%s needs its data as a tail: write +length after the id", row.name)
  elseif row.tail == "none" and tail then
    refuse("bad-argument", "%s takes no tail", row.name)
  end
end

return commands
