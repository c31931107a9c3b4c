-- Save state commands.

local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local SAVESTATE <const> = constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local refuse = wire.refuse

command({
  name = "state.save",
  kind = "read",
  named = { flags = "flags" },
  cost = states.cost,
  run = function(values)
    return nil, states.save(values.flags or SAVESTATE.save)
  end,
})

command({
  name = "state.load",
  kind = "effect",
  tail = "takes",
  named = { flags = "flags" },
  cost = function(_, request)
    return sub(request.tail or "", 1, 1) == "\x89" and work.png_state or work.state
  end,
  run = function(values, request)
    return states.load(request, request.tail, values.flags or SAVESTATE.load, states.call)
  end,
})

--- Defines a command that saves a state to a slot or file.
local function define_saver(name, kind, method, sentence)
  command({
    name = name,
    kind = "effect",
    arguments = { kind },
    named = { flags = "flags" },
    cost = work.slot,
    run = function(values)
      local core = core_or_refuse()
      if not core[method](core, values[1], values.flags or SAVESTATE.all) then
        refuse("failed", sentence, tostring(values[1]))
      end
    end,
  })
end

define_saver("state.save_slot", "slot", "saveStateSlot", "mGBA could not write slot %s")
define_saver("state.save_file", "path", "saveStateFile", "mGBA could not write %q")

command({
  name = "state.load_slot",
  kind = "effect",
  arguments = { "slot" },
  named = { flags = "flags" },
  cost = work.slot,
  run = function(values)
    if not states.load_slot(values[1], values.flags or SAVESTATE.load) then
      refuse("not-found", "slot %d holds no state of this game", values[1])
    end
  end,
})

command({
  name = "state.load_file",
  kind = "effect",
  arguments = { "path" },
  named = { flags = "flags" },
  cost = work.slot,
  run = function(values, request)
    core_or_refuse()
    return states.load(request, states.read_file(values[1]), values.flags or SAVESTATE.load, states.call)
  end,
})
