-- The picture of the game.

require("wire.paths")
local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local SAVESTATE <const> = constants.SAVESTATE
local host_png = host and host.png
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local concat = table.concat
local refuse = wire.refuse

local screen = {}

local SIGNATURE <const> = "\x89PNG\r\n\x1a\n"

--- A save state with a screenshot is a PNG with private chunks, which are removed.
local function without_state(data)
  local parts, at = { SIGNATURE }, #SIGNATURE + 1
  while at + 11 <= #data do
    local length, kind = string.unpack(">I4c4", data, at)
    if kind ~= "gbAs" and kind ~= "gbAx" then
      parts[#parts + 1] = sub(data, at, at + length + 11)
    end
    at = at + length + 12
  end
  return concat(parts)
end

--- The picture as PNG. In a window it comes with a save state: any other way of taking a screenshot ends an emulator that has no video buffer.
function screen.take()
  local core = core_or_refuse()
  local data = host_png and host_png() or game.save_buffer(core, SAVESTATE.screenshot)
  if not data or sub(data, 1, #SIGNATURE) ~= SIGNATURE then
    refuse("unsupported", "this emulator has no picture")
  end
  local width, height = string.unpack(">I4I4", data, 17)
  return host_png and data or without_state(data), width, height
end

function screen.save(path)
  local core = core_or_refuse()
  if not host_png then
    screen.take() -- refuses where a screenshot would end the emulator
  end
  core:screenshot(path)
end

--- @command screen.get
--- @type ReadScreen() Takes a screenshot. The reply's tail contains it as PNG.
--- @reply tail PNG, `width= height=`
--- @notes `unsupported` where the host has no picture
command({
  name = "screen.get",
  kind = "read",
  bulk = true,
  cost = host_png and work.png or work.screen,
  run = function()
    local png, width, height = screen.take()
    return wire.record({ "width", width, "height", height }), png
  end,
})

arguments.define_integer("side", 0, 256, "the side (pixels)")

local function checked_side(name, wanted, most)
  return wanted <= most and wanted or refuse("bad-argument", "%s is %d; this picture has %d", name, wanted, most)
end

--- @command screen.pixels
--- @type ReadPixels(Grey, Width, Height) Reads the picture as pixels. The reply's tail contains them.
--- @reply tail pixels, `width= height=`
--- @notes `mgba-headless` only; red, green and blue, or grey: a byte each, row by row. A smaller `width` or `height` is made by averages of areas; 0 is
---   the picture's own
command({
  name = "screen.pixels",
  kind = "read",
  named = { "grey:boolean=false", "width:side=0", "height:side=0" },
  cost = work.pixels,
  run = function(values)
    if not (host and host.pixels) then
      refuse("unsupported", "mGBA's window gives its pixels only as a PNG; run the game with mgba-headless")
    end
    core_or_refuse()
    local width, height = host.pixelsWidth(), host.pixelsHeight()
    local new_width, new_height = checked_side("width", values.width, width), checked_side("height", values.height, height)
    local pixels = host.pixels(values.grey and 1 or 3, new_width, new_height)
    if pixels == "" then
      refuse("unsupported", "this emulator has no picture")
    end
    return wire.record({ "width", new_width > 0 and new_width or width, "height", new_height > 0 and new_height or height }), pixels
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
