-- The running game: its core, identity and memory domains. Some calls of the emulator end the process when their arguments are wrong,
-- so every argument is checked first.

local cartridge = require("game.cartridge")
local constants = require("base.constants")
local state = require("base.state")
local wire = require("wire.text")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local match = string.match
local concat = table.concat
local refuse = wire.refuse

local GB_HEADER_END <const> = 0x150 -- mGBA has no smaller ROM in memory, or none at all

local game = {
  core = nil, -- `emu` of this frame
  memory = {}, -- memory domains used in this frame
  platform = -1,
  identity = nil, -- distinguishes one game from another
  domains = {}, -- id -> { base, bound, size, name }
  domain_ids = {},
  limits = {}, -- of a Game Boy cartridge
  core_frame = nil, -- of a window: mGBA's own count in the last callback
  loads = 0, -- how often a state was loaded or the game was reset
}

--- Called once a frame: references to `emu` become invalid with the game.
function game.refresh()
  local core = emu
  if next(game.memory) ~= nil then
    game.memory = {}
  end
  if core and not rawequal(core, game.core) then
    game.read8, game.read16, game.read32, game.read_range = core.read8, core.read16, core.read32, core.readRange
    game.write8, game.write16, game.write32 = core.write8, core.write16, core.write32
    game.save_buffer = core.saveStateBuffer
    game.get_keys, game.add_keys, game.clear_keys = core.getKeys, core.addKeys, core.clearKeys
  end
  game.core = core
  return core
end

local function core_or_refuse()
  return game.core or refuse("no-game", "no game is loaded; open one in mGBA")
end

--- The core of a game whose machine runs or is paused. One that has stopped or crashed would not notice a press or a write.
local function live_core_or_refuse()
  local core, machine = core_or_refuse(), state.machine
  if (machine == "stopped" or machine == "crashed") and game.moved_beat ~= state.beat then
    refuse("not-running", "the game has %s and runs no frames; reset the game or load a state first", machine)
  end
  return core
end

--- The game was reset or a state loaded: what its machine was before does not hold any more.
function game.moved()
  game.moved_frame, game.moved_beat = state.frame, state.beat
  game.loads = game.loads + 1
end

--- Notices that the user of a window loaded a state or reset the game: mGBA has no callback for a state, but its count of frames jumps, which
--- otherwise is one more in each callback, however busy the host is.
function game.follow_user()
  local before, now = game.core_frame, game.core and game.core:currentFrame()
  game.core_frame = now
  if before and now and game.moved_frame ~= state.frame - 1 and now ~= before + 1 then
    game.moved()
    game.moved_frame = state.frame - 1
  end
end

--- Calls a function of mGBA that may run callbacks of this script before it returns. mGBA clears its context after each callback, and every
--- later call of this frame would fail: so the context is restored. A frame callback does nothing meanwhile (on_frame).
local function nested(fn, ...)
  local registry = debug and debug.getregistry and debug.getregistry()
  local context, was_nested = registry and registry.mCtx, state.is_nested
  state.is_nested = true
  local result = table.pack(pcall(fn, ...))
  state.is_nested = was_nested
  if registry then
    registry.mCtx = context
  end
  if not result[1] then
    error(tostring(result[2]), 0)
  end
  return table.unpack(result, 2, result.n)
end

--- The four letters in the header of the ROM, or nil. The result of getGameCode() for the same ROM depends on the mGBA version.
local function letters_in_header(core)
  local cart = core.memory.cart0
  if not cart or game.platform == GB and (game.rom_size < GB_HEADER_END or cart:read8(0x14b) ~= 0x33) then -- a Game Boy header without this value has none
    return nil
  end
  return match(cart:readRange(game.platform == GB and 0x13f or 0xac, 4), "^[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]$")
end

--- Reads the game's platform, title, identity and memory domains.
function game.identify()
  local core = game.refresh()
  if not core then
    game.identity, game.platform, game.domains, game.domain_ids, game.limits = nil, -1, {}, {}, {}
    return
  end
  game.platform = core:platform()
  game.title, game.code, game.rom_size = core:getGameTitle(), core:getGameCode(), core:romSize()
  local ok, sum = pcall(core.checksum, core)
  game.crc32 = ok and type(sum) == "string" and #sum == 4 and string.unpack(">I4", sum) or 0
  game.domains, game.domain_ids = {}, {}
  for id, domain in pairs(core.memory) do
    game.domain_ids[#game.domain_ids + 1] = id
    game.domains[id] = { base = domain:base(), bound = domain:bound(), size = domain:size(), name = domain:name() }
  end
  game.limits = game.platform == GB and game.rom_size >= GB_HEADER_END and cartridge.limits(core.memory.cart0, game.rom_size) or {}
  for id, size in pairs(game.limits.sizes or {}) do
    game.domains[id].size, game.domains[id].is_limited = size, true
  end
  local identity = concat({ game.platform, game.title, game.code, game.crc32, game.rom_size }, "/")
  if identity ~= game.identity then
    game.identity, game.letters = identity, letters_in_header(core)
  end
end

function game.platform_name()
  return game.platform == GBA and "gba" or game.platform == GB and "gb" or "none"
end

--- Refuses an access to one of the ranges that would end the emulator.
local function check_barred(address, length, barred)
  for _, range in ipairs(barred) do
    if address <= range[2] and address + length > range[1] then
      refuse("unsupported", "mGBA has no memory at 0x%X..0x%X for this cartridge, and the access would end it", range[1], range[2])
    end
  end
end

--- `barred` is game.limits.unreadable or game.limits.unwritable.
local function check_bus(address, length, barred)
  local last = game.platform == GB and 0xffff or 0xffffffff
  if address < 0 or address > last then
    refuse("bad-address", "0x%X is outside 0..0x%X", address, last)
  elseif address + length - 1 > last then
    refuse("bad-address", "0x%X and %d bytes reach beyond 0x%X", address, length, last)
  elseif barred then
    check_barred(address, length, barred)
  end
end

--- The memory domain of a location, and whether the range exceeds it. Only a location that wraps may exceed it; mGBA's own rules apply then.
--- Save memory of a Game Boy, and a ROM whose last bank is not complete, never may: mGBA would read and write beyond its buffer.
local function domain_of(location, length)
  local id = location.domain
  local core, known, domain = core_or_refuse(), game.domains[id], game.memory[id]
  if not domain then
    domain = known and core.memory[id]
    game.memory[id] = domain
  end
  if not domain then
    local ids = { table.unpack(game.domain_ids) }
    table.sort(ids)
    refuse("bad-address", "%q is not a memory domain of this game; it has %s", wire.printable(id), concat(ids, " "))
  end
  local outside = location.offset < 0 or location.offset > known.size - length
  if outside and (not location.wraps or (game.platform == GB and (id == "sram" or known.is_limited))) then
    refuse("bad-address", "offset 0x%X and %d bytes reach outside %s, which has %d bytes", location.offset, length, id, known.size)
  end
  return domain, outside
end

game.core_or_refuse, game.live_core_or_refuse, game.nested = core_or_refuse, live_core_or_refuse, nested
game.check_bus, game.domain_of = check_bus, domain_of

return game
