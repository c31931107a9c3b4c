-- Commands for the history of a game: what it did, back in it, and who wrote what.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local debug_commands = require("commands.debug")
local debugger = require("game.debugger")
local game = require("game.game")
local host = require("base.host").calls
local jobs = require("request.jobs")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local refuse = wire.refuse

local BACKS <const> = { step = 0, point = 1, frame = 3 } -- as headless/debugger/script-history.h counts them
local WRITERS <const> = { [0] = "game", "dma", "outside" }
local ANY_BANK <const> = -1

arguments.define_integer("history_megabytes", 0, 4096, "megabytes")
arguments.define_integer("back_count", 1, 100000, "count")
arguments.define_integer("writer_count", 1, 64, "count")
arguments.define_integer("writer_length", 1, 4096, "length")

function parse.back_kind(text)
  return BACKS[text] and text or refuse("bad-argument", "%q is no way to go back; use frame, point or step", wire.printable(text))
end

--- Refuses without a history, and while something is searched in it.
local function check_history()
  local history = debugger.history()
  if history.problem ~= "" then
    refuse("not-running", "no history of this game is kept: %s", history.problem)
  elseif history.megabytes == 0 then
    refuse("not-running", "no history is kept; send debug.keepHistory first")
  elseif history.searches then
    refuse("busy", "something is searched in the history; wait until that is answered, or end it with debug.halt")
  end
  return history
end

--- What is kept.
local function describe()
  local history = debugger.history()
  return wire.record({
    "megabytes", history.megabytes, "bytes", history.bytes, "first", history.first + history.offset, "now", state.frame,
    "frame", history.frame + history.offset, "past", history.past, "problem", history.problem,
  })
end

--- @command debug.keepHistory
--- @type KeepHistory(Megabytes) Keeps what the game does, to go back in it.
--- @arguments megabytes
--- @reply as `debug.history`
--- @notes in so much memory, of which it drops the oldest; 0 ends and drops it. What is kept already remains. Also of games that are opened later
command({
  name = "debug.keepHistory",
  kind = "effect",
  arguments = { "megabytes:history_megabytes" },
  alone = true,
  leased = true,
  run = function(values)
    debugger.check()
    debugger.check_search()
    if debugger.history().past then
      refuse("bad-argument", "the game is in its past; send debug.continue first")
    end
    host.keepHistory(values[1])
    return describe()
  end,
})

--- @command debug.history
--- @type ReadHistory() Returns what is kept of the history of a game.
--- @reply `megabytes= bytes= first= now= frame= past= problem=""`
--- @notes the memory that it may take and takes; the frames where it begins, that is the present, and that the game is in; whether it is in its
---   past; why there is none
command({
  name = "debug.history",
  kind = "read",
  run = function()
    debugger.check()
    return describe()
  end,
})

--- @command debug.back
--- @type GoBack(How, Count, Seconds) Goes back in the history of a game that is halted.
--- @arguments how=`step` `point` `frame`; `count=1 seconds=`
--- @reply as `debug.get`, when the game is halted there
--- @notes `step`: so many instructions; `point`: to where a point would have halted it last; `frame`: to the beginning of its frame, or of so
---   many before. `reason` is `history` where it begins. Steps and `debug.continue` lead forward again, as it happened, into the present
command({
  name = "debug.back",
  kind = "effect",
  arguments = { "how:back_kind" },
  named = { "count:back_count=1", "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local _, before = debugger.halted()
    if not before then
      refuse("bad-argument", "the game is not halted; send debug.halt first, or set a point")
    end
    check_history()
    jobs.check_limit(request)
    if not host.goBack(BACKS[values[1]], values[1] == "point" and 1 or values.count) then
      refuse("not-running", "nothing is behind the game yet: its history begins with the next frame")
    end
    debugger.own(request, values.seconds)
    return debug_commands.await_halt(request, before)
  end,
})

--- Eight values a write: who, frame, pc and its bank, address, size, value before, value.
local function writers(offset)
  local parts = {}
  for by, frame, rest in string.gmatch(host.writers(), "(%d) (%d+) ([^\n]+)\n") do
    parts[#parts + 1] = ("%s %d %s"):format(wire.quote(WRITERS[math.tointeger(tonumber(by))]), math.tointeger(tonumber(frame)) + offset, rest)
  end
  return #parts > 0 and table.concat(parts, " ") or nil
end

--- @command debug.writers
--- @type FindWriters(Address, Length, Bank, Count) Returns who wrote to an address last.
--- @arguments address; `length=1 bank= count=1`
--- @reply eight values a write, the last one first: `game`, `dma` or `outside` (a client, a freeze, a state or a reset), frame, instruction and
---   its bank, address, size in bytes, value before, value
--- @notes only writes of another value, since the history began. Of others than the game the instruction is 0. The game runs on meanwhile
command({
  name = "debug.writers",
  kind = "read",
  arguments = { "address:address" },
  named = { "length:writer_length=1", "bank:bank", "count:writer_count=1" },
  alone = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    game.check_bus(values[1], values.length)
    local offset = check_history().offset
    jobs.check_limit(request)
    if not host.findWriters(values[1], values[1] + values.length - 1, values.bank or ANY_BANK, values.count) then
      refuse("bad-argument", "the history has memory that the game can write: RAM, video memory, registers and saves; none at 0x%08X", values[1])
    end
    jobs.start(request, function()
      if not debugger.history().searches then
        replies.answer(request, writers(offset))
        return true
      end
    end, "halts")
    return replies.DEFERRED
  end,
})
