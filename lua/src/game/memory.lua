-- Reads and writes of the bus and of memory domains.

local constants = require("base.constants")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local check_bus, core_or_refuse, domain_of, nested = game.check_bus, game.core_or_refuse, game.domain_of, game.nested
local byte, sub = string.byte, string.sub
local refuse = wire.refuse

local memory = {}

--- Reading the key register runs other scripts' keysRead callbacks.
local function touches_keys(address, length)
  if game.platform == GB then
    return address <= 0xff00 and address + length > 0xff00
  end
  return address <= 0x04000131 and address + length > 0x04000130
end

-- A save state contains the work memory, and making one takes a third of the time of reading 256 KB byte by byte (decision 0009).
local WORK_MEMORY <const>, WORK_SIZE <const>, WORK_IN_STATE <const> = 0x02000000, 0x40000, 0x21000

local BY_STATE_FROM <const>, PROBE <const> = 98304, 4096

--- Reads a part of a GBA's work memory from a save state, or returns nil where that is impossible. A piece of it, a different one each time,
--- is compared with an ordinary read: an engine with another state layout is detected, and this way is not used again.
local function read_by_state(location, length)
  local is_domain = type(location) == "table"
  local offset = is_domain and location.offset or location - WORK_MEMORY
  if game.platform ~= GBA or memory.odd_states or (is_domain and location.domain ~= "wram") or offset < 0 or offset > WORK_SIZE - length then
    return nil
  end
  local core, at = core_or_refuse(), state.frame * 4093 % (length - PROBE)
  local data = game.save_buffer(core, 0)
  local part = data and sub(data, WORK_IN_STATE + offset + 1, WORK_IN_STATE + offset + length)
  if part and sub(part, at + 1, at + PROBE) == game.read_range(core, WORK_MEMORY + offset + at, PROBE) then
    return part
  end
  memory.odd_states = true
  return nil
end

--- A range in a domain. A window asks other scripts for the keys of a Game Boy, as on the bus.
local function read_domain(domain, location, length)
  if location.offset == 0 and location.domain == "io" and game.platform == GB then
    return nested(domain.readRange, domain, location.offset, length)
  end
  return domain:readRange(location.offset, length)
end

function memory.read(location, length)
  local by_state = length >= BY_STATE_FROM and read_by_state(location, length)
  if by_state then
    return by_state
  elseif type(location) == "table" then
    return read_domain(domain_of(location, length), location, length)
  end
  check_bus(location, length, game.limits.unreadable)
  local core = core_or_refuse()
  if length == 0 then
    return ""
  elseif touches_keys(location, length) then
    return nested(game.read_range, core, location, length)
  end
  return game.read_range(core, location, length)
end

-- Microseconds a byte, by the high byte of the address: memory is fast; registers, the BIOS and unmapped addresses are slow.
local GB_BYTE <const>, DOMAIN_BYTE <const>, QUICK <const>, SAVE_BYTE <const>, SLOW <const> = 0.006, 0.005, 0.0025, 0.003, 0.018

local BUS_BYTE <const> = { [2] = QUICK, [3] = QUICK, [5] = QUICK, [6] = QUICK, [7] = QUICK, [14] = SAVE_BYTE, [15] = SAVE_BYTE }

--- The cost of reading one byte.
function memory.byte_cost(location)
  if game.platform ~= GBA then
    return GB_BYTE
  elseif type(location) == "table" then
    return DOMAIN_BYTE
  end
  local in_rom = location >= 0x08000000 and location < 0x0E000000 and (location & 0x01FFFFFF) < (game.rom_size or 0)
  return in_rom and QUICK or BUS_BYTE[location >> 24] or SLOW
end

--- The cost of reading a range. A range that begins in fast memory and ends elsewhere costs as much per byte as its end.
function memory.read_cost(location, length)
  if length < 64 then
    return 0
  end
  local last = type(location) == "number" and location + length - 1
  return length * math.max(memory.byte_cost(location), last and memory.byte_cost(last) or 0)
end

--- The cost of writing a range. Save memory and Game Boy memory take single bytes.
function memory.write_cost(location, length)
  local single = game.platform == GB or (type(location) == "number" and location >= 0x0E000000)
  return length * (single and work.write_single or work.write)
end

--- Refuses a range out of bounds.
function memory.check_range(location, length)
  if type(location) == "table" then
    domain_of(location, length)
  else
    check_bus(location, length, game.limits.unreadable)
    core_or_refuse()
  end
end

local UNPACK <const> = { [1] = "<I1", [2] = "<I2", [4] = "<I4" }
local READ <const> = { [1] = "read8", [2] = "read16", [4] = "read32" }
local WRITE <const> = { [1] = "write8", [2] = "write16", [4] = "write32" }

--- Reads a little-endian number. An unaligned one is read as bytes, because the CPU would rotate it.
function memory.read_number(location, width)
  if type(location) == "table" then
    local domain, outside = domain_of(location, width)
    if outside then
      return domain[READ[width]](domain, location.offset)
    end
    return (string.unpack(UNPACK[width], read_domain(domain, location, width)))
  end
  check_bus(location, width, game.limits.unreadable)
  local core = core_or_refuse()
  if location % width ~= 0 or (location <= 0x04000131 and touches_keys(location, width)) then
    return (string.unpack(UNPACK[width], memory.read(location, width)))
  end
  return game[READ[width]](core, location)
end

--- Palette, video memory and sprites have no byte writes: the hardware, and mGBA's domains, widen or drop them.
local function is_halfword_memory(location)
  if game.platform ~= GBA then
    return false
  elseif type(location) == "table" then
    return location.domain == "palette" or location.domain == "vram" or location.domain == "oam"
  end
  return location >= 0x05000000 and location < 0x08000000
end

local function write_byte(target, at, value, halfwords)
  if not halfwords then
    target:write8(at, value)
    return
  end
  local even = at & ~1
  local old = target:read16(even)
  target:write16(even, at == even and (old & 0xff00 | value) or (old & 0xff | value << 8))
end

-- Bit 7 of the byte at HALTCNT switches a GBA off, like the STOP function of its BIOS. No write can stop a Game Boy.
local HALTCNT <const>, STOP_BIT <const> = 0x04000301, 0x80

local ROM_SPACE <const> = 0x2000000 -- size of a GBA's cartridge domain, for any size of ROM

--- Refuses writes beyond the ROM: mGBA would enlarge it, which changes the game's identity and mirrors, or crash without a ROM in memory.
local function check_rom_end(location, length)
  if game.platform == GBA and sub(location.domain, 1, 4) == "cart" and location.offset % ROM_SPACE + length > game.rom_size then
    refuse("bad-address", "offset 0x%X and %d bytes reach beyond the ROM, which has %d bytes", location.offset, length, game.rom_size)
  end
end

local VIDEO_BANKS <const>, VIDEO_BANK_SELECT <const> = 0x4000, 0xff4f

--- Offsets from 0x4000 are the second bank of a Game Boy Color. While the game selects that bank, mGBA writes them beyond its buffer.
local function check_video_bank(location, length)
  if game.platform == GB and location.domain == "vram" and location.offset + length > VIDEO_BANKS and game.core:read8(VIDEO_BANK_SELECT) & 1 == 1 then
    refuse("unsupported", "mGBA cannot write vram from offset 0x%X on while bank 1 is selected; write to 0x8000 on the bus", VIDEO_BANKS)
  end
end

--- Refuses a write over HALTCNT that sets its stop bit. `data` is the bytes or the number to write.
local function check_halt(location, data)
  data = type(data) == "string" and data or string.pack("<I4", data)
  if byte(data, HALTCNT - location + 1) & STOP_BIT ~= 0 then
    refuse("bad-argument", "bit 7 of the byte at 0x%08X (HALTCNT) would stop the machine; write it with bit 7 clear", HALTCNT)
  end
end

--- Checks a write and returns the object and position to write to. Every write of a client passes here with its data.
local function target_of(location, length, data)
  if type(location) == "table" then
    local domain, outside = domain_of(location, length)
    if location.domain == "io" and game.platform == GBA then
      refuse("unsupported", "mGBA ignores writes to the io domain; write to 0x04000000 on the bus")
    end
    check_rom_end(location, length)
    check_video_bank(location, length)
    return domain, location.offset, outside
  end
  check_bus(location, length, game.limits.unwritable)
  if location <= HALTCNT and location + length > HALTCNT and game.platform == GBA then
    check_halt(location, data)
  end
  return core_or_refuse(), location
end

--- Whether this frame has time to write `length` more bytes. While the game does not run, time does not matter.
function memory.may_write(length)
  if memory.write_frame ~= state.frame then
    memory.write_frame, memory.written = state.frame, 0
  end
  return memory.written == 0 or memory.written + length <= LIMITS.frame_writes or state.stands_still
end

--- Writes raw bytes in as few accesses as the memory allows: cartridge save memory takes single bytes only.
function memory.write(location, data)
  memory.may_write(0) -- counts from 0 in a new frame
  memory.written = memory.written + #data
  local target, at = target_of(location, #data, data)
  local halfwords = is_halfword_memory(location)
  local is_bus = type(location) == "number"
  local single = is_bus and (game.platform == GB or at >= 0x0e000000) or (not is_bus and game.platform == GB)
  local from, last = 1, #data
  while from <= last and (single or at % 4 ~= 0) do
    write_byte(target, at, byte(data, from), halfwords)
    from, at = from + 1, at + 1
  end
  local write32, unpack = target.write32, string.unpack
  while from + 3 <= last do
    write32(target, at, (unpack("<I4", data, from)))
    from, at = from + 4, at + 4
  end
  while from <= last do
    write_byte(target, at, byte(data, from), halfwords)
    from, at = from + 1, at + 1
  end
end

function memory.write_number(location, width, value)
  local low, high = -(1 << (width * 8 - 1)), (1 << (width * 8)) - 1
  if value < low or value > high then
    refuse("bad-argument", "value %d does not fit %d bits; it must be from %d to %d", value, width * 8, low, high)
  end
  value = value & high
  local target, at, outside = target_of(location, width, value)
  if not outside and (at % width ~= 0 or (width == 1 and type(location) == "table")) then
    memory.write(location, string.pack(UNPACK[width], value))
  else
    target[WRITE[width]](target, at, value)
  end
end

--- The location `offset` bytes further.
function memory.location_after(location, offset)
  if type(location) == "table" then
    return { domain = location.domain, offset = location.offset + offset }
  end
  return location + offset
end

memory.READ, memory.WRITE, memory.target_of = READ, WRITE, target_of

return memory
