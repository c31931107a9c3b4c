-- Cheats of the game, which mgba-headless runs by libmgba's cheat engine.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local cheats = {}

local changed -- the name of the cheat that was changed last since the last event

--- The calls of the host, or an error for the client.
local function cheats_or_refuse()
  game.core_or_refuse()
  return host and host.cheat and host
    or refuse("unsupported", "mGBA's window hands no cheats to scripts; use its menu Tools > Cheats, or run the game with mgba-headless")
end

--- The reply of a command that changes the cheat of a name, if there is one.
local function change(name, found)
  if found then
    changed = name
  end
  return tostring(found)
end

--- The name of the last cheat that can be used.
local function last_name()
  local name
  for number = 1, math.maxinteger do
    local is, found = host.cheat(number):match("^([^\n]*)\n([^\n]*)\n")
    if is ~= "on" and is ~= "off" then
      return name
    end
    name = found
  end
end

function parse.cheat(text)
  if #text < 1 or text:find("[%z\r\n]") then
    refuse("bad-argument", "a cheat's name has 1 to 128 bytes, in one line")
  end
  return text
end

--- @command cheats.set
--- @type SetCheat(Name, Codes:block, Enabled) Adds a cheat, or replaces the one of this name.
--- @arguments name, tail; `enabled=true`
--- @reply `ok`
--- @notes the tail has the codes, one in a line or separated by `+`; `bad-argument` says which is none; section 7.5
command({
  name = "cheats.set",
  kind = "effect",
  arguments = { "name:cheat" },
  named = { "enabled:boolean=true" },
  tail = "takes",
  alone = true,
  run = function(values, request)
    local codes = request.tail
    if codes:find("\0", 1, true) then
      refuse("bad-argument", "codes are text, one in a line")
    end
    local reason = cheats_or_refuse().setCheat(values[1], codes, values.enabled)
    if reason ~= "" then
      refuse("bad-argument", "%s", reason)
    end
    changed = values[1]
  end,
})

--- @command cheats.load
--- @type LoadCheats(File:tail) Adds the cheats of a file; each replaces the one of its name.
--- @arguments tail
--- @reply `ok`
--- @notes the tail has the file, in a format of `--cheats`; `bad-argument` says why none of its cheats can be used; section 7.5
command({
  name = "cheats.load",
  kind = "effect",
  tail = "takes",
  alone = true,
  run = function(_, request)
    local text = request.tail
    if text:find("\0", 1, true) then
      refuse("bad-argument", "a file of cheats is text in UTF-8, and has no zero bytes")
    end
    local reason = cheats_or_refuse().loadCheats(text)
    if reason ~= "" then
      refuse("bad-argument", "%s", reason)
    end
    changed = last_name()
  end,
})

--- @command cheats.enable
--- @type EnableCheat(Name, Enabled) Switches a cheat on or off.
--- @arguments name enabled
--- @reply `true`/`false`
--- @notes whether there is one of this name that can be used
command({
  name = "cheats.enable",
  kind = "effect",
  arguments = { "name:cheat", "enabled:boolean" },
  alone = true,
  run = function(values)
    return change(values[1], cheats_or_refuse().enableCheat(values[1], values[2]))
  end,
})

--- @command cheats.delete
--- @type DeleteCheat(Name) Removes a cheat.
--- @arguments name
--- @reply `true`/`false`
--- @notes what it has written to the ROM is undone, what it has written to memory stays
command({
  name = "cheats.delete",
  kind = "effect",
  arguments = { "name:cheat" },
  alone = true,
  run = function(values)
    return change(values[1], cheats_or_refuse().removeCheat(values[1]))
  end,
})

--- @command cheats.list
--- @type ListCheats() Lists the cheats.
--- @reply four values a cheat: name, enabled, length of the codes, why it cannot be used or `nil`; tail of all codes
command({
  name = "cheats.list",
  kind = "read",
  run = function()
    local calls = cheats_or_refuse()
    local parts, tails = {}, {}
    for number = 1, math.maxinteger do
      local text = calls.cheat(number)
      if text == "" then
        break
      end
      local is, name, codes = text:match("^([^\n]*)\n([^\n]*)\n(.*)$")
      local problem = is ~= "on" and is ~= "off" and is or NIL
      parts[number] = concat({ wire.quote(name), wire.value(is == "on"), #codes, problem == NIL and "nil" or wire.quote(problem) }, " ")
      tails[number] = codes
    end
    return #parts > 0 and concat(parts, " ") or nil, concat(tails)
  end,
})

--- Sends an event when cheats have changed: at most one a frame, however many requests changed them.
function cheats.report()
  if changed then
    connections.announce("cheat", wire.record({ "name", changed }))
    changed = nil
  end
end

return cheats
