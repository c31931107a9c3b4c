-- Commands for the running game, its ROM and its save data.

local commands = require("request.command_table")
local control = require("commands.game_control")
local game = require("game.game")
local paths = require("wire.paths")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local NIL <const> = wire.NIL
local refuse = wire.refuse

command({
  name = "game",
  kind = "read",
  run = function()
    local core = core_or_refuse()
    return wire.record({
      "title", game.title, "code", game.code, "platform", game.platform_name(), "crc32", game.crc32, "rom_size", game.rom_size,
      "frame_cycles", core:frameCycles(), "frequency", core:frequency(), "game_code", game.letters or NIL,
    })
  end,
})

command({
  name = "core.frame",
  kind = "read",
  run = function()
    return tostring(core_or_refuse():currentFrame())
  end,
})

command({
  name = "core.checksum",
  kind = "read",
  run = function()
    core_or_refuse()
    return tostring(game.crc32)
  end,
})

command({
  name = "core.reset",
  kind = "effect",
  run = function()
    control.reset()
  end,
})

command({
  name = "core.step",
  kind = "effect",
  run = function(_, request)
    return control.step(request)
  end,
})

command({
  name = "rom.load",
  kind = "effect",
  arguments = { "path" },
  named = { reset = "boolean" },
  alone = true,
  cost = work.file,
  run = function(values)
    if not paths.is_readable(values[1]) then
      refuse("not-found", "%q does not exist or cannot be read", wire.printable(values[1]))
    elseif not control.load_rom(values[1], values.reset ~= false) then
      refuse("failed", "mGBA could not load %q: is it a game for the same console? The game was reset", wire.printable(values[1]))
    end
    control.update_game()
  end,
})

command({
  name = "save.load",
  kind = "effect",
  arguments = { "path", "boolean" },
  cost = work.file,
  run = function(values)
    if not core_or_refuse():loadSaveFile(values[1], values[2]) then
      refuse("failed", "mGBA could not open %q as save data", wire.printable(values[1]))
    end
  end,
})

command({
  name = "save.autoload",
  kind = "effect",
  cost = work.file,
  run = function()
    if not core_or_refuse():autoloadSave() then
      refuse("failed", "mGBA could not open the game's save file")
    end
  end,
})
