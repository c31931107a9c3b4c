-- Memory commands.

local commands = require("request.command_table")
local debugger = require("game.debugger")
local game = require("game.game")
local input = require("keys.input")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_compat = require("game.memory_compat")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local target_of = memory.target_of
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local sub = string.sub
local concat = table.concat
local refuse = wire.refuse

local PAST <const> = 4000 -- microseconds: a snapshot of the history is put together

--- @command memory.domains
--- @type ListDomains() Lists the memory domains of the game.
--- @reply five values a domain: id, name, base, bound, size
command({
  name = "memory.domains",
  kind = "read",
  run = function()
    core_or_refuse()
    local parts = {}
    for _, id in ipairs(game.domain_ids) do
      local domain = game.domains[id]
      parts[#parts + 1] = concat({ wire.quote(id), wire.quote(domain.name), domain.base, domain.bound, domain.size }, " ")
    end
    return concat(parts, " ")
  end,
})

--- Reads in slices what costs more than one frame has time for.
local function read_over_frames(location, length, request, read)
  local parts, at = {}, 0
  local slice = length // math.ceil(memory.read_cost(location, length) / work.slice) + 1
  local function step()
    parts[#parts + 1] = read(memory.location_after(location, at), math.min(slice, length - at))
    at = at + slice
    if at >= length then
      answer(request, nil, concat(parts))
      return true
    end
  end
  if read == memory.read then
    memory.check_range(location, length)
  end
  jobs.check_limit(request, length)
  jobs.start(request, step, "slices", work.slice, length)
  return DEFERRED
end

--- @command memory.read
--- @type ReadMemory(Location, Length) Reads a range of memory as raw bytes. The reply's tail contains them.
--- @arguments location length
--- @reply tail
--- @notes length 0..tail limit
command({
  name = "memory.read",
  kind = "read",
  arguments = { "location", "length" },
  bulk = "length",
  cost = function(values, request)
    local cost = memory.read_cost(values[1], values[2])
    return (cost <= LIMITS.frame_cost or request.is_item) and cost or work.slice
  end,
  run = function(values, request)
    local length, read = values[2], request.holder == input.COMPAT and memory_compat.read or memory.read
    if length > LIMITS.write and memory.read_cost(values[1], length) > LIMITS.frame_cost then
      return read_over_frames(values[1], length, request, read)
    end
    return nil, read(values[1], length)
  end,
})

local function write_over_frames(location, data, request)
  local first, last, at = nil, nil, 0
  local function step()
    if not memory.may_write(LIMITS.frame_writes) then
      return -- one piece a frame: the rest of the frame's limit is for shorter requests
    end
    first = first or state.frame
    local piece = sub(data, at + 1, at + LIMITS.write)
    memory.write(memory.location_after(location, at), piece)
    work.spent = work.spent + memory.write_cost(location, #piece)
    at, last = at + LIMITS.write, state.frame
    if at >= #data then
      answer(request, wire.record({ "first", first, "last", last }))
      return true
    end
  end
  target_of(location, #data, data)
  jobs.check_limit(request)
  step()
  jobs.start(request, step, "writes")
  return DEFERRED
end

--- @command memory.write
--- @type WriteMemory(Location, Bytes:tail) Writes raw bytes. The reply says in which frames.
--- @arguments location, tail
--- @reply `first= last=` frames
--- @notes up to 16 KiB in one frame, more is spread over frames in order
command({
  name = "memory.write",
  kind = "effect",
  arguments = { "location" },
  tail = "takes",
  writes_tail = true,
  bulk = "tail",
  cost = function(values, request)
    return memory.write_cost(values[1], math.min(#(request.tail or ""), LIMITS.write))
  end,
  run = function(values, request)
    game.live_core_or_refuse()
    local data = request.tail
    if #data > LIMITS.write then
      return write_over_frames(values[1], data, request)
    end
    memory.write(values[1], data)
    return wire.record({ "first", state.frame, "last", state.frame })
  end,
})

--- @command memory.read8 memory.read16 memory.read32
--- @type ReadCell(Location, Width=CellWidth.Byte/Half/Word) Reads one value of 8, 16 or 32 bits, unsigned and little-endian.
--- @arguments location …
--- @reply one integer each
--- @notes up to 1,024 locations, one frame
--- @command memory.write8 memory.write16 memory.write32
--- @type WriteCell(Location, Width=CellWidth.Byte/Half/Word, Value) Writes one value of 8, 16 or 32 bits, little-endian.
--- @arguments location value
--- @reply `ok`
--- @notes value 0..2^bits-1, or negative in two's complement
for _, width in ipairs({ 1, 2, 4 }) do
  command({
    name = "memory.read" .. width * 8,
    kind = "read",
    repeats = { "location" },
    cost = function(values)
      return #values > 8 and #values * work.argument or 0
    end,
    run = function(values, request)
      local read = request.holder == input.COMPAT and memory_compat.read_number or memory.read_number
      if #values == 1 then
        return tostring(read(values[1], width))
      end
      local numbers = {}
      for i = 1, #values do
        numbers[i] = read(values[i], width)
      end
      return concat(numbers, " ")
    end,
  })
  command({
    name = "memory.write" .. width * 8,
    kind = "effect",
    arguments = { "location", "value:integer" },
    run = function(values, request)
      game.live_core_or_refuse()
      local write = request.holder == input.COMPAT and memory_compat.write_number or memory.write_number
      write(values[1], width, values[2])
    end,
  })
end

--- @command memory.gather
--- @type GatherMemory(Ranges:location+length, Past) Reads many ranges, all from one frame. The reply's tail contains them one after the other.
--- @arguments location length …; `past=`
--- @reply tail, all ranges in order
--- @notes up to 1,024 ranges, one frame; with `past` as they were before this frame ran, from the history (`debug.keepHistory`)
command({
  name = "memory.gather",
  kind = "read",
  repeats = { "location", "length" },
  named = { "past:past_frame" },
  bulk = "length",
  cost = function(values)
    local cost = (#values > 8 and #values * work.argument or 0) + (values.past and PAST or 0)
    for i = 2, #values, 2 do
      cost = cost + memory.read_cost(values[i - 1], values[i])
    end
    if cost > LIMITS.frame_cost then
      refuse("bad-argument", "these ranges cost %d us, more than one frame has time for (%d); request fewer", cost // 1, LIMITS.frame_cost)
    end
    return cost
  end,
  run = function(values)
    if #values % 2 ~= 0 then
      refuse("bad-arity", "memory.gather takes pairs of location and length; the last has no length")
    end
    local parts, total = {}, 0
    for i = 1, #values, 2 do
      total = total + values[i + 1]
      if total > LIMITS.tail then
        refuse("bad-argument", "these ranges have over %d bytes together; request fewer", LIMITS.tail)
      end
      parts[#parts + 1] = values.past and debugger.read_past(values[i], values[i + 1], values.past) or memory.read(values[i], values[i + 1])
    end
    return nil, concat(parts)
  end,
})
