-- Commands for the save data of the game.

require("wire.paths") -- defines the kind of argument "path"
local commands = require("request.command_table")
local connections = require("net.connections")
local control = require("commands.game_control")
local game = require("game.game")
local save_file = require("game.save_file")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local NIL <const> = wire.NIL
local refuse = wire.refuse

local reported, reported_sent = nil, 0

--- Tells all clients when the save file cannot be written, and when it can be again; and that the game has got other save data.
function save_file.report()
  local problem = save_file.problem()
  if problem ~= reported or save_file.sent ~= reported_sent then
    reported, reported_sent = problem, save_file.sent
    connections.announce("game.save", wire.record({ "problem", problem or NIL, "sent", save_file.sent }))
  end
end

--- @command save.put
--- @type PutSave(Data:tail) Gives the game other save data, and resets it.
--- @arguments tail
--- @reply `ok`
--- @notes the save file has it when the reply is sent (in a window when mGBA has written it). `save-failed`: the game has it, and the file
---   gets it when it can be written
command({
  name = "save.put",
  kind = "effect",
  tail = "takes",
  bulk = true,
  cost = 2 * work.state,
  run = function(_, request)
    if request.tail == "" then
      refuse("bad-argument", "the save data is missing; send it as the tail")
    end
    states.load_save(request.tail, control.reset)
    save_file.note_sent()
    save_file.check()
  end,
})

--- @command save.load
--- @type LoadSave(Path, Temporary) Uses another file for the game's save data.
--- @arguments path, boolean temporary
--- @reply `ok`
--- @notes the file is created if missing; `failed` for a file of another form, such as of a cheat device ([states.md](states.md#files-of-other-programs));
---   `save-failed` while the present one cannot be written
command({
  name = "save.load",
  kind = "effect",
  arguments = { "path", "temporary:boolean" },
  cost = work.file,
  run = function(values)
    if not save_file.load(core_or_refuse(), values[1], values[2]) then
      refuse("failed", "mGBA could not open %q as save data", wire.printable(values[1]))
    end
  end,
})

--- @command save.autoload
--- @type AutoloadSave() Loads the save file that belongs to the game.
--- @reply `ok`
command({
  name = "save.autoload",
  kind = "effect",
  cost = work.file,
  run = function()
    save_file.check()
    if not core_or_refuse():autoloadSave() then
      refuse("failed", "mGBA could not open the game's save file")
    end
    save_file.note_sent()
  end,
})
