-- Commands for debugging: points, halts and steps.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local conditions = require("commands.conditions")
local constants = require("base.constants")
local debugger = require("game.debugger")
local game = require("game.game")
local host = require("base.host").calls
local jobs = require("request.jobs")
local registers = require("commands.registers")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local DEFERRED <const> = replies.DEFERRED
local NIL <const> = wire.NIL
local answer, answer_error = replies.answer, replies.answer_error
local concat = table.concat
local refuse = wire.refuse

arguments.define_integer("point", 1, 2147483647)
arguments.define_integer("halt_seconds", 1, 3600, "seconds")
arguments.define_integer("point_length", 1, 0x10000000, "length")

local function one_of(known, what)
  local names = {}
  for name in pairs(known) do
    names[#names + 1] = name
  end
  table.sort(names)
  return function(text)
    return known[text] and text or refuse("bad-argument", "%q is not a %s; use one of %s", wire.printable(text), what, concat(names, ", "))
  end
end

parse.point_kind = one_of(debugger.KINDS, "kind of point")
parse.step_kind = one_of({ into = true, over = true, out = true, to = true }, "step")

--- Registers of a machine that is halted, and why it is; nothing else of one that runs.
local function describe()
  local record = debugger.halted() or {}
  local history = debugger.history()
  if history.past then
    record[#record + 1], record[#record + 2] = "past", history.frame + history.offset
  end
  if debugger.searches() then
    record[#record + 1], record[#record + 2] = "searching", true
  end
  record[#record + 1], record[#record + 2] = "registers", wire.record(registers.read_all())
  return wire.record(record)
end

--- @command debug.get
--- @type ReadDebugger() Whether the game is halted, and the registers of the processor.
--- @reply `halt= reason= pc= bank=` of a game that is halted, with a point `point= kind= at= atbank=` and of an access
---   `address= size= before= value= after= dma=`; then `registers=`
--- @notes `halt` counts the halts; `reason` is `requested`, `step`, `point`, `moved` (a state was loaded, or the game reset) or `history` (which
---   begins there); `past=` is the frame that the game is in, in its past, `searching=true` while it goes back or repeats it; `pc` is the
---   instruction that is executed next, `at` the one that hit the point. `mgba-headless` only, as all commands of debugging
command({
  name = "debug.get",
  kind = "read",
  run = function()
    debugger.check()
    return describe()
  end,
})

--- @command debug.add
--- @type AddPoint(Kind, Address, Condition, Length, Bank, Halts, Seconds, Text) Sets a breakpoint or a watchpoint.
--- @arguments kind address; `condition="" length=1 bank= halts=true seconds= text=""`
--- @reply id
--- @notes kind: `execute` (before the instruction), `read`, `write`, `access` (both), `change` (a write of another value) or `interrupt` (the
---   address is that of a vector); bank: of a Game Boy's memory, any unless given; a condition as of `wait.until`, with `register:NAME` as a
---   place; `text` is what `debug.list` has in place of it; without `halts` hits are only counted and reported; a halt ends with its owner, and
---   with `seconds` after this time. A point ends with its owner, too. Commands of debugging run while another holder has the lease
command({
  name = "debug.add",
  kind = "effect",
  arguments = { "kind:point_kind", "address:address" },
  named = { "condition:string", "length:point_length=1", "bank:bank", "halts:boolean=true", "seconds:halt_seconds", "text:string" },
  alone = true,
  leased = true,
  run = function(values, request)
    debugger.check()
    local first = values[2]
    game.check_bus(first, values.length)
    first = values[1] == "execute" and game.platform == constants.GBA and first & ~1 or first -- bit 0 of a function's address says Thumb
    local holds
    if values.condition then
      local alternatives = conditions.parse((arguments.split(values.condition)))
      holds = function()
        return (conditions.check(alternatives))
      end
    end
    return tostring(debugger.add({
      kind = values[1], first = first, last = first + values.length - 1, bank = values.bank, holds = holds,
      condition = values.text or values.condition, halts = values.halts, seconds = values.seconds, holder = request.holder, owner = request.owner,
    }))
  end,
})

--- @command debug.remove
--- @type RemovePoints(Id) Removes points of the holder.
--- @arguments [id]
--- @reply count of points removed
--- @notes the point of this id, of any holder, or all of the holder
command({
  name = "debug.remove",
  kind = "effect",
  arguments = { "id:point" },
  optional = true,
  alone = true,
  leased = true,
  run = function(values, request)
    debugger.check()
    return tostring(debugger.remove(function(point)
      return point.id == values[1] or not values[1] and point.holder == request.holder
    end))
  end,
})

--- @command debug.list
--- @type ListPoints() Lists the points of all holders.
--- @reply nine values a point: id, holder, kind, first address, last address, bank or `nil`, condition or `nil`, whether it halts, hits
--- @notes of all holders
command({
  name = "debug.list",
  kind = "read",
  run = function()
    debugger.check()
    local parts = {}
    for i, point in ipairs(debugger.points) do
      parts[i] = concat({
        point.id, wire.quote(point.holder), wire.quote(point.kind), point.first, point.last, wire.value(point.bank or NIL),
        point.condition and wire.quote(point.condition) or wire.value(NIL), wire.value(point.halts), point.hits,
      }, " ")
    end
    return #parts > 0 and concat(parts, " ") or nil
  end,
})

--- Answers when the game is halted again, or cannot be. After `last` it is halted wherever it is.
local function await_halt(request, before, last)
  jobs.check_limit(request)
  jobs.start(request, function()
    local _, count = debugger.halted()
    if count and count ~= before then
      answer(request, describe())
      return true
    elseif state.machine == "crashed" or state.machine == "stopped" or not game.core then
      answer_error(request, ("not-running the game %s before it could be halted; reset it"):format(game.core and state.machine or "was closed"))
      return true
    elseif last and state.frame >= last then
      last = nil
      host.halt()
    end
  end, "halts")
  return DEFERRED
end

--- @command debug.halt
--- @type HaltGame(Seconds) Halts the game before its next instruction.
--- @arguments `seconds=`
--- @reply as `debug.get`
--- @notes a game that is halted stays so. The halt ends with its owner, and with `seconds` after this time
command({
  name = "debug.halt",
  kind = "effect",
  named = { "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    game.live_core_or_refuse()
    debugger.own(request, values.seconds)
    local _, before = debugger.halted()
    if before and not debugger.searches() then
      return describe()
    end
    host.halt()
    return await_halt(request, before)
  end,
})

--- @command debug.continue
--- @type ContinueGame() Lets a game that is halted run.
--- @reply `true`, or `false` if it was not halted
--- @notes until the next point that halts it; in its past, as it happened, into the present
command({
  name = "debug.continue",
  kind = "effect",
  alone = true,
  leased = true,
  run = function()
    debugger.check()
    debugger.check_search()
    local was_halted = debugger.halted() ~= nil
    debugger.resume("continue")
    return tostring(was_halted)
  end,
})

--- @command debug.step
--- @type StepGame(How, Address, Bank, Frames, Seconds) Executes instructions of a game that is halted.
--- @arguments how=`into` `over` `out` `to`; `address= bank= frames=600 seconds=`
--- @reply as `debug.get`, when the game is halted again
--- @notes `into`: one instruction; `over`: and the function that it calls; `out`: until the present function returns; `to`: until the
---   address, of a Game Boy in this bank or any. A point on the way halts it, too, and after `frames` it is halted wherever it is
command({
  name = "debug.step",
  kind = "effect",
  arguments = { "how:step_kind" },
  named = { "address:address", "bank:bank", "frames:frames=600", "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local _, before = debugger.halted()
    if not before then
      refuse("bad-argument", "the game is not halted; send debug.halt first, or set a point")
    elseif (values[1] == "to") ~= (values.address ~= nil) then
      refuse("bad-argument", "address= is for a step `to`, and needed there")
    end
    debugger.check_search()
    jobs.check_limit(request)
    debugger.resume(values[1], values.address, values.bank)
    debugger.own(request, values.seconds)
    return await_halt(request, before, state.frame + values.frames)
  end,
})

return { await_halt = await_halt }
