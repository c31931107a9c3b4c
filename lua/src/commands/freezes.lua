-- Commands for freezes, and the event that reports their changes.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local freezes = require("game.freezes")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local live_core_or_refuse = game.live_core_or_refuse
local format = string.format
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local freeze_commands = {}

function parse.freeze_name(text)
  if #text < 1 or #text > LIMITS.freeze_name then
    refuse("bad-argument", "a freeze's name has 1 to %d bytes; this one has %d", LIMITS.freeze_name, #text)
  end
  return text
end

arguments.define_integer("freeze_frames", 1, 2147483647, "frames")

--- @command freezes.set
--- @type FreezeMemory(Name, Location, Bytes:block, Frames) Writes bytes now and again in every frame. Replaces the holder's freeze of the same name.
--- @arguments name location, tail; `frames=n`
--- @reply `last=`
--- @notes writes the tail (1 to 1,024 bytes) now and in every frame, n frames in all or until it is released; section 7.4
command({
  name = "freezes.set",
  kind = "effect",
  arguments = { "name:freeze_name", "location" },
  named = { "frames:freeze_frames" },
  tail = "takes",
  alone = true,
  run = function(values, request)
    live_core_or_refuse()
    local last = values.frames and state.frame + values.frames
    freezes.set({ holder = request.holder, name = values[1], owner = request.owner, location = values[2], data = request.tail, last = last })
    return wire.record({ "last", last and last - 1 or NIL })
  end,
})

--- @command freezes.delete
--- @type UnfreezeMemory(Name) Releases freezes of the holder.
--- @arguments [name]
--- @reply count of freezes released
--- @notes the holder's freeze of this name, or all of the holder
command({
  name = "freezes.delete",
  kind = "effect",
  arguments = { "name:freeze_name" },
  optional = true,
  alone = true,
  run = function(values, request)
    return tostring(freezes.release(request.holder, values[1]))
  end,
})

local function text_of(location)
  return type(location) == "table" and format("%s:0x%X", location.domain, location.offset) or format("0x%08X", location)
end

--- @command freezes.list
--- @type ListFreezes() Lists the freezes of all holders.
--- @reply five values a freeze: holder, name, location, length, last frame or `nil`; tail of all values, in order
--- @notes of all holders
command({
  name = "freezes.list",
  kind = "read",
  run = function()
    local parts, tails = {}, {}
    for i, freeze in ipairs(freezes.list) do
      parts[i] = concat({
        wire.quote(freeze.holder), wire.quote(freeze.name), wire.quote(text_of(freeze.location)), #freeze.data,
        wire.value(freeze.last and freeze.last - 1 or NIL),
      }, " ")
      tails[i] = freeze.data
    end
    return #parts > 0 and concat(parts, " ") or nil, concat(tails)
  end,
})

--- Sends an event when freezes have changed: at most one a frame, however many requests changed them.
function freeze_commands.report()
  if not freezes.changed then
    return
  end
  local record = { "count", #freezes.list }
  if freezes.ended > 0 then
    record = { "count", #freezes.list, "ended", freezes.ended, "reason", freezes.reason }
  end
  freezes.changed, freezes.ended, freezes.reason = false, 0, nil
  connections.announce("freeze", wire.record(record))
end

return freeze_commands
