-- The command table: one row for each command. Parsers, arity errors, the command list and the batch rules are derived from the row.

local LIMITS <const> = require("base.limits")
local wire = require("wire.text")

local concat = table.concat
local refuse = wire.refuse

-- A row: name; kind "read" (may run again) or "effect" (exactly once); arguments, kinds in order; repeats, kinds that may follow again and
-- again; named, name -> kind; tail "none" (default), "takes" or "may"; alone = true where it cannot be an item of a batch; cost, a number or
-- cost(values, request): microseconds beyond those of any request.
-- run(values, request) returns the reply's text (nil: just ok) and its tail, or DEFERRED when it answers later.
local commands = { rows = {}, names = {} } -- rows by name, and the names

function commands.define(row)
  row.arguments = row.arguments or {}
  row.tail, row.cost = row.tail or "none", row.cost or 0
  local fixed = #row.arguments
  row.least, row.most = fixed, fixed
  row.takes = concat(row.arguments, " ")
  if row.repeats then
    row.least, row.most = fixed + #row.repeats, fixed + #row.repeats * LIMITS.many
    row.takes = row.takes .. (fixed > 0 and " " or "") .. concat(row.repeats, " ") .. " ..."
  end
  row.least = row.optional and 0 or row.least
  row.takes = row.takes == "" and "no arguments" or row.takes
  commands.rows[row.name] = row
  commands.names[#commands.names + 1] = row.name
end

function commands.check_tail(row, tail)
  if row.tail == "takes" and not tail then
    refuse("bad-argument", "%s needs its data as a tail: write +length after the id", row.name)
  elseif row.tail == "none" and tail then
    refuse("bad-argument", "%s takes no tail", row.name)
  end
end

return commands
