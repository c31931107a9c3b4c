-- Commands for the running game and its ROM.

local commands = require("request.command_table")
local control = require("commands.game_control")
local game = require("game.game")
local paths = require("wire.paths")
local save_file = require("game.save_file")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local NIL <const> = wire.NIL
local refuse = wire.refuse

--- @command game.get
--- @type ReadGame() Returns information about the game.
--- @reply `title= code= platform= crc32= rom_size= frame_cycles= frequency= game_code=`
--- @notes `code` as mGBA reports it: `AGB-BBTE` in 0.10, `BBTE` in 0.11, where it is empty for most Game Boy games. `game_code` is the
---   four letters in the ROM header, the same in every mGBA: GBA at 0xAC; Game Boy at 0x13F if byte 0x14B is 0x33. `nil` when they are
---   not four of A-Z and 0-9. Absent in older scripts
command({
  name = "game.get",
  kind = "read",
  run = function()
    local core = core_or_refuse()
    return wire.record({
      "title", game.title, "code", game.code, "platform", game.platform_name(), "crc32", game.crc32, "rom_size", game.rom_size,
      "frame_cycles", core:frameCycles(), "frequency", core:frequency(), "game_code", game.letters or NIL,
    })
  end,
})

--- @command game.frame
--- @type ReadCoreFrame() Returns mGBA's own frame count, which a reset or a loaded state sets back.
--- @reply integer
--- @notes mGBA's own count; decreases on reset and load-state
command({
  name = "game.frame",
  kind = "read",
  run = function()
    return tostring(core_or_refuse():currentFrame())
  end,
})

--- @command game.checksum
--- @type ReadChecksum() Returns the CRC32 of the ROM.
--- @reply CRC32 as integer
command({
  name = "game.checksum",
  kind = "read",
  run = function()
    core_or_refuse()
    return tostring(game.crc32)
  end,
})

--- @command game.reset
--- @type ResetGame() Presses the reset button.
--- @reply `ok`
command({
  name = "game.reset",
  kind = "effect",
  run = function()
    control.reset()
  end,
})

--- @command game.step
--- @type StepInstruction() Runs one instruction of the CPU.
--- @reply `ok`
--- @notes one CPU instruction. After a reset or a loaded state it runs a frame later (in a batch: `busy`): a Game Boy core would never
---   return. While the game is halted it may last until an interrupt; a frame that ends in it is not counted. `busy` when no interrupt
---   is sure to come: mGBA would not return
command({
  name = "game.step",
  kind = "effect",
  run = function(_, request)
    return control.step(request)
  end,
})

--- @command rom.load
--- @type LoadRom(Path, Reset) Loads another game of the same console.
--- @reply `ok`
--- @notes same platform only; `not-found` when the file does not exist, `failed` when it is not a game of this console (the
---   running game continues) or is damaged (the game is reset); `save-failed` while the save file of the present game cannot be written;
---   `reset=false` leaves the old game's CPU and save data as they are
command({
  name = "rom.load",
  kind = "effect",
  arguments = { "path" },
  named = { "reset:boolean=true" },
  alone = true,
  cost = work.file,
  run = function(values)
    if not paths.is_readable(values[1]) then
      refuse("not-found", "%q does not exist or cannot be read", wire.printable(values[1]))
    end
    save_file.check()
    local ok, reason = control.load_rom(values[1], values.reset)
    if not ok then
      refuse("failed", "mGBA could not load %q: %s", wire.printable(values[1]), reason)
    end
    control.update_game()
  end,
})
