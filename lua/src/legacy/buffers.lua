-- Messages of mGBA-http with bytes as `d3,00,...`. A save state takes a hundred milliseconds, so it is converted in slices.

local arguments = require("wire.arguments")
local constants = require("base.constants")
local game = require("game.game")
local jobs = require("request.jobs")
local legacy = require("legacy.messages")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_compat = require("game.memory_compat")
local replies = require("request.replies")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local SAVESTATE <const> = constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local flags_or, message, number, split, tolerant = legacy.flags_or, legacy.message, legacy.number, legacy.split, legacy.tolerant
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local format, gsub, match, sub = string.format, string.gsub, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local SLICE <const> = 8192

local HEX_OF <const>, BYTE_OF <const> = {}, {}

for value = 0, 255 do
  local hex, c = format("%02x", value), string.char(value)
  HEX_OF[c] = hex .. ","
  for _, spelled in ipairs({ hex, hex:upper(), hex:sub(1, 1):upper() .. hex:sub(2), hex:sub(1, 1) .. hex:sub(2):upper() }) do
    BYTE_OF[spelled] = c
    BYTE_OF[spelled .. ","] = c
  end
end

--- Replies with the hex of `data`, or of what read(offset, length) returns, one slice a step.
local function answer_hex(request, data, length, read)
  local parts, at = {}, 1
  length = length or #data
  jobs.check_limit(request, length * 4)
  local function step()
    local piece = data and sub(data, at, at + SLICE - 1) or read(at - 1, math.min(SLICE, length - at + 1))
    parts[#parts + 1] = gsub(piece, ".", HEX_OF)
    at = at + SLICE
    if at > length then
      answer(request, sub(concat(parts), 1, -2))
      return true
    end
  end
  if not step() then
    jobs.start(request, step, "slices", SLICE * work.hex_byte, length * 4)
  end
  return DEFERRED
end

--- Reads a range; in slices when it costs more than one frame has time for.
local function answer_range(location, length, request)
  if memory.read_cost(location, length) <= LIMITS.frame_cost then
    return answer_hex(request, memory_compat.read(location, length))
  end
  return answer_hex(request, nil, length, function(offset, count)
    return memory_compat.read(memory.location_after(location, offset), count)
  end)
end

local function range_cost(location, length)
  return math.min(memory.read_cost(location, length), LIMITS.frame_cost) + math.min(length, SLICE) * work.hex_byte
end

legacy.read("core.readRange", split.values, function(address, length, _, request)
  return answer_range(number(address), parse.length(length), request)
end, function(address, length)
  return range_cost(number(address), parse.length(length))
end)

legacy.read("memoryDomain.readRange", split.values, function(domain, offset, length, request)
  return answer_range({ domain = domain, offset = number(offset) }, parse.length(length), request)
end, function(_, _, length)
  return range_cost({}, parse.length(length))
end)

legacy.read("core.saveStateBuffer", split.values, function(flags, _, _, request)
  return answer_hex(request, states.save(flags_or(flags, SAVESTATE.all)))
end, work.png_state)

--- Converts `[d3,00,…]` to bytes, one slice a step, then loads the state.
message("core.loadStateBuffer", split.text_and_word, function(text, flags, _, request)
  local body = match(text, "^%[(%x%x[%x,]*)%]$") or refuse("bad-argument", "the buffer must be written [d3,00,...]")
  local wanted, parts, at, unpacking = flags_or(flags, SAVESTATE.load), {}, 1, nil
  local function step()
    if unpacking then
      return unpacking()
    end
    local plain = gsub(sub(body, at, at + SLICE * 3 - 1), "%x%x,?", BYTE_OF)
    parts[#parts + 1] = plain
    at = at + SLICE * 3
    if at > #body then
      local data = concat(parts)
      if #data ~= (#body + 1) // 3 then
        refuse("bad-argument", "the buffer must be two hex digits a byte, separated by commas")
      elseif not states.is_png(data) then
        answer(request, (tolerant(states.load_raw, data, wanted)))
        return true
      end
      unpacking = states.unpacking(request, data, wanted, tolerant)
    end
  end
  core_or_refuse()
  if not step() then
    jobs.start(request, step, "slices", SLICE * work.hex_byte)
  end
  return DEFERRED
end)
