-- Memory as clients of mGBA-http know it: mGBA maps addresses and offsets beyond the end. Only lengths are limited.

local constants = require("base.constants")
local game = require("game.game")
local memory = require("game.memory")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, domain_of = game.core_or_refuse, game.domain_of
local READ <const>, WRITE <const> = memory.READ, memory.WRITE
local concat = table.concat

local memory_compat = {}

local function bus_size()
  return game.platform == GB and 0x10000 or 0x100000000
end

--- The location as mGBA interprets it: reduced to the bus, or to the 32 bits of an offset.
local function compatible(location, length)
  if type(location) == "number" then
    return location % bus_size()
  end
  local known = game.domains[location.domain]
  if known and location.offset >= 0 and location.offset <= known.size - length then
    return location
  end
  return { domain = location.domain, offset = location.offset & 0xffffffff, wraps = true }
end

function memory_compat.read(location, length)
  location = compatible(location, length)
  if type(location) == "table" then
    return memory.read(location, length)
  end
  local parts, size = {}, bus_size()
  while location + length > size do
    parts[#parts + 1] = memory.read(location, size - location)
    location, length = 0, length - (size - location)
  end
  parts[#parts + 1] = memory.read(location, length)
  return concat(parts)
end

function memory_compat.read_number(location, width)
  location = compatible(location, width)
  if type(location) == "number" and location + width > bus_size() then
    local core = core_or_refuse()
    return core[READ[width]](core, location)
  end
  return memory.read_number(location, width)
end

--- mGBA ignores writes to the GBA's io domain, so they succeed without effect.
function memory_compat.write_number(location, width, value)
  location = compatible(location, width)
  if type(location) == "number" and location + width > bus_size() then
    local core = core_or_refuse()
    core[WRITE[width]](core, location, value)
  elseif type(location) == "table" and location.domain == "io" and game.platform == GBA then
    domain_of(location, width)
  else
    memory.write_number(location, width, value)
  end
end

return memory_compat
