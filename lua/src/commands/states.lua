-- Save state commands.

require("wire.paths")
local commands = require("request.command_table")
local game = require("game.game")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local refuse = wire.refuse

--- @command state.get
--- @type SaveState(Flags) Saves the state of the machine. The reply's tail contains it.
--- @reply tail, raw state
--- @notes flags: 1 screenshot (makes a PNG), 2 save data, 4 cheats, 8 RTC, 16 metadata
command({
  name = "state.get",
  kind = "read",
  named = { "flags=30" },
  bulk = true,
  cost = states.cost,
  run = function(values)
    return nil, states.save(values.flags)
  end,
})

--- @command state.load
--- @type LoadState(State:tail, Flags) Loads a state of the machine.
--- @arguments tail; `flags=25`
--- @reply `ok`
--- @notes `not-a-state` if mGBA refuses it or it would hang or end the game ([states.md](states.md)); a PNG takes frames, and cannot be
---   in a batch
command({
  name = "state.load",
  kind = "effect",
  tail = "takes",
  named = { "flags=25" },
  bulk = true,
  cost = function(_, request)
    return sub(request.tail or "", 1, 1) == "\x89" and work.png_state or work.state
  end,
  run = function(values, request)
    return states.load(request, request.tail, values.flags, states.call)
  end,
})

--- @command state.keep
--- @type KeepState(Name) Keeps the state of the machine in the emulator, for `lease.step` with `state`.
--- @arguments name
--- @reply `ok`
--- @notes until another game is loaded; of more than 8 the one that was used longest ago is forgotten
command({
  name = "state.keep",
  kind = "effect",
  arguments = { "name:string" },
  cost = work.state,
  run = function(values)
    states.keep(values[1])
  end,
})

--- Defines a command that saves a state to a slot or file.
local function define_saver(name, kind, method, sentence)
  command({
    name = name,
    kind = "effect",
    arguments = { kind },
    named = { "flags=31" },
    cost = work.slot,
    run = function(values)
      local core = core_or_refuse()
      if not core[method](core, values[1], values.flags) then
        refuse("failed", sentence, tostring(values[1]))
      end
    end,
  })
end

--- @command state.save_slot
--- @type StateSlot(Move=StateMove.Save, Slot, Flags) Saves or loads a state in a slot of the game.
--- @arguments 0..9; `flags`
--- @reply `ok`
--- @notes flags 31 unless given
define_saver("state.save_slot", "slot", "saveStateSlot", "mGBA could not write slot %s")

--- @command state.save_file
--- @type StateFile(Move=StateMove.Save, Path, Flags) Saves or loads a state in a file.
--- @arguments path; `flags`
--- @reply `ok`
--- @notes flags 31 unless given
define_saver("state.save_file", "path", "saveStateFile", "mGBA could not write %q")

--- @command state.load_slot
--- @type StateSlot(Move=StateMove.Load, Slot, Flags) Saves or loads a state in a slot of the game.
--- @arguments 0..9; `flags`
--- @reply `ok`
--- @notes flags 25 unless given; `not-found` for an empty slot, `not-a-state` for a bad one
command({
  name = "state.load_slot",
  kind = "effect",
  arguments = { "slot" },
  named = { "flags=25" },
  cost = work.slot,
  run = function(values)
    if not states.load_slot(values[1], values.flags) then
      refuse("not-found", "slot %d holds no state of this game", values[1])
    end
  end,
})

--- @command state.load_file
--- @type StateFile(Move=StateMove.Load, Path, Flags) Saves or loads a state in a file.
--- @arguments path; `flags`
--- @reply `ok`
--- @notes flags 25 unless given; `not-found` when the file does not exist, `not-a-state` when it is not a state of this game
command({
  name = "state.load_file",
  kind = "effect",
  arguments = { "path" },
  named = { "flags=25" },
  cost = work.slot,
  run = function(values, request)
    core_or_refuse()
    return states.load(request, states.read_file(values[1]), values.flags, states.call)
  end,
})
