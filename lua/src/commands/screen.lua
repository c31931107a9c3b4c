-- The picture of the game.

require("wire.paths")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local SAVESTATE <const> = constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local concat = table.concat
local refuse = wire.refuse

local screen = {}

--- The picture as a plain PNG. A save state with a screenshot is a PNG with two private chunks, which are removed. Any other way of taking
--- a screenshot ends an emulator that has no video buffer.
function screen.take()
  local data = game.core and game.save_buffer(game.core, SAVESTATE.screenshot)
  local has_picture = data ~= nil and sub(data, 1, 8) == "\x89PNG\r\n\x1a\n"
  if not has_picture then
    core_or_refuse()
    refuse("unsupported", "this emulator has no picture")
  end
  local parts, at = { sub(data, 1, 8) }, 9
  while at + 11 <= #data do
    local length, kind = string.unpack(">I4c4", data, at)
    if kind ~= "gbAs" and kind ~= "gbAx" then
      parts[#parts + 1] = sub(data, at, at + length + 11)
    end
    at = at + length + 12
  end
  local width, height = string.unpack(">I4I4", data, 17)
  return concat(parts), width, height
end

function screen.save(path)
  screen.take() -- refuses where a screenshot would end the emulator
  core_or_refuse():screenshot(path)
end

--- @command screen.get
--- @type ReadScreen() Takes a screenshot. The reply's tail contains it as PNG.
--- @reply tail PNG, `width= height=`
--- @notes `unsupported` where the host has no picture
command({
  name = "screen.get",
  kind = "read",
  bulk = true,
  cost = work.screen,
  run = function()
    local png, width, height = screen.take()
    return wire.record({ "width", width, "height", height }), png
  end,
})

--- @command screen.save
--- @type SaveScreen(Path) Writes a screenshot to a PNG file.
--- @arguments path
--- @reply `ok`
--- @notes PNG file
command({
  name = "screen.save",
  kind = "effect",
  arguments = { "path" },
  cost = work.screen + work.file,
  run = function(values)
    screen.save(values[1])
  end,
})

return screen
