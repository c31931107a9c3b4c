-- Commands for the history of a game: what it did, back in it, who wrote what, and what was executed.

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
local answer, answer_error = replies.answer, replies.answer_error
local command = commands.define
local refuse = wire.refuse

local BACKS <const> = { step = 0, point = 1, frame = 3 } -- as headless/debugger/script-history.h counts them
local WRITERS <const> = { [0] = "game", "dma", "outside" }
local ANY_BANK <const> = -1
local HIGHEST <const> = 0xFFFFFFFF
-- As headless/debugger/trace.h counts them.
local TRACES <const> = {
  instruction = 1, call = 2, ["return"] = 4, interrupt = 8, dma = 16, display = 32, sound = 64, timer = 128, serial = 256,
}
local TRACE_NAMES <const> = {}
for name, bit in pairs(TRACES) do
  TRACE_NAMES[bit] = name
end

arguments.define_integer("history_megabytes", 0, 4096, "megabytes")
arguments.define_integer("back_count", 1, 100000, "count")
arguments.define_integer("writer_count", 1, 64, "count")
arguments.define_integer("writer_length", 1, 4096, "length")
arguments.define_integer("trace_number", 0, 2147483647, "number")
arguments.define_integer("trace_count", 1, 256, "count")

function parse.back_kind(text)
  return BACKS[text] and text or refuse("bad-argument", "%q is no way to go back; use frame, point or step", wire.printable(text))
end

--- Kinds of events, separated by commas.
function parse.trace_kinds(text)
  for word in string.gmatch(text .. ",", "([^,]*),") do
    if not TRACES[word] then
      refuse("bad-argument", "%q is no kind of event; use some of call, display, dma, instruction, interrupt, return, serial, sound and timer",
        wire.printable(word))
    end
  end
  return text
end

--- Refuses without a history, and while something is searched in it.
local function check_history()
  local history = debugger.kept_history()
  if history.searches then
    refuse("busy", "something is searched in the history; wait until that is answered, or end it with debug.halt")
  end
  return history
end

local searches = 0 -- that were begun

--- Answers with what `read` returns when the search that was begun is done.
local function await_search(request, read)
  searches = searches + 1
  local own = searches
  jobs.start(request, function()
    if searches ~= own then
      answer_error(request, "busy another search has begun before this one was answered; send it again")
      return true
    elseif not debugger.history().searches then
      answer(request, read())
      return true
    end
  end, "halts")
  return replies.DEFERRED
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
    return await_search(request, function()
      return writers(offset)
    end)
  end,
})

--- The frame and the number where to continue, and how many frames were missed; then twelve values an event.
local function trace(offset)
  local head, events = string.match(host.trace(), "^([^\n]*)\n(.*)$")
  local frame, number, missed = string.match(head, "^(%d+) (%d+) (%d+)$")
  local parts = { ("%d %s %s"):format(math.tointeger(frame) + offset, number, missed) }
  for at, rest, kind, values in string.gmatch(events, "(%d+) (%d+ %d+ %d+) (%d+) ([^\n]+)\n") do
    parts[#parts + 1] = ("%d %s %s %s"):format(math.tointeger(at) + offset, rest, wire.quote(TRACE_NAMES[math.tointeger(kind)]), values)
  end
  return table.concat(parts, " ")
end

--- @command debug.trace
--- @type ReadTrace(Kinds, Frame, Number, Count, First, Last) Returns what the game did, event by event.
--- @arguments kinds; `frame= number=0 count=64 first=0 last=0xFFFFFFFF`
--- @reply `frame number missed`, then twelve values an event: frame, number, cycle, line of the picture, kind, instruction and its bank, address or `nil`,
---   size, value, whether DMA did it, text
--- @notes kinds, separated by commas: `instruction`, `call`, `return`, `interrupt`, and writes to devices: `dma` (also what DMA writes), `display`, `sound`,
---   `timer`, `serial`. From the frame (the last one unless given) and the number in it on, at instructions from `first` to `last`. Events of a frame are
---   numbered, those that are asked for: the next request begins at the frame and the number at the head. `missed` frames at the beginning are not
---   kept any more
command({
  name = "debug.trace",
  kind = "read",
  arguments = { "kinds:trace_kinds" },
  named = { "frame:past_frame", "number:trace_number=0", "count:trace_count=64", "first:address=0", "last:address=" .. HIGHEST },
  alone = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local history = check_history()
    jobs.check_limit(request)
    local kinds = 0
    for word in string.gmatch(values[1], "[^,]+") do
      kinds = kinds | TRACES[word]
    end
    local frame = values.frame and math.max(values.frame - history.offset, 0) or math.max(history.present - 1, 0)
    if not host.findTrace(kinds, values.first, values.last, frame, values.number, values.count) then
      refuse("bad-argument", "first 0x%08X is behind last 0x%08X", values.first, values.last)
    end
    return await_search(request, function()
      return trace(history.offset)
    end)
  end,
})
