-- Prints what lua/command_table.py generates from, as JSON: the command table, the limits, the ranges of integers
-- and the topics of events. Run it in this folder.

package.path = "src/?.lua;" .. package.path
require("server.server") -- loads all modules that define commands

local function json(value)
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or type(value) == "function" and "null" or tostring(value)
  end
  local parts = {}
  if #value > 0 then
    for i, item in ipairs(value) do
      parts[i] = json(item)
    end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for name, item in pairs(value) do
    parts[#parts + 1] = ("%q:%s"):format(name, json(item))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

print(json({
  rows = require("request.command_table").rows, limits = require("base.limits"), ranges = require("wire.arguments").ranges,
  topics = require("commands.topics"),
}))
