-- `emu` in memory, as strict as mGBA 0.10: missing and nil arguments throw, numbers are cut and not checked, what ends the process there
-- is recorded as a crash here, and a reference to a game that is gone throws as soon as it is indexed.

local fake_core = {}

local PLATFORM <const> = { gba = 0, gb = 1 }
local GBA_DOMAINS <const> = {
  { "cart2", "ROM WS2", 0x0c000000, 0x0e000000, 0x2000000 },
  { "wram", "EWRAM", 0x02000000, 0x02040000, 0x40000 },
  { "cart0", "ROM", 0x08000000, 0x0a000000, 0x2000000 },
  { "oam", "OAM", 0x07000000, 0x07000400, 0x400 },
  { "iwram", "IWRAM", 0x03000000, 0x03008000, 0x8000 },
  { "bios", "BIOS", 0, 0x4000, 0x4000 },
  { "vram", "VRAM", 0x06000000, 0x06018000, 0x18000 },
  { "io", "MMIO", 0x04000000, 0x04000400, 0x400 },
  { "palette", "Palette", 0x05000000, 0x05000400, 0x400 },
  { "cart1", "ROM WS1", 0x0a000000, 0x0c000000, 0x2000000 },
}
local GB_DOMAINS <const> = {
  { "cart0", "ROM", 0, 0x8000, 0x800000 },
  { "vram", "VRAM", 0x8000, 0xc000, 0x8000 },
  { "sram", "SRAM", 0xa000, 0xc000, 0x2000 },
  { "wram", "WRAM", 0xc000, 0xe000, 0x8000 },
  { "oam", "OAM", 0xfe00, 0xfea0, 0xa0 },
  { "io", "MMIO", 0xff00, 0xff80, 0x80 },
  { "hram", "HRAM", 0xff80, 0xffff, 0x7f },
}
local STATE_SIZE <const> = { gba = 0x61000, gb = 0x11800 }
local NO_BYTE_WRITES <const> = { io = true, palette = true, vram = true, oam = true }

local TYPES <const> = {
  i = function(value) return type(value) == "number" or type(value) == "boolean" end,
  s = function(value) return type(value) == "string" end,
  b = function(value) return type(value) == "boolean" or type(value) == "number" end,
}

local function check_arguments(spec, given)
  local least = (spec:find("|", 1, true) or #spec + 1) - 1
  local kinds = spec:gsub("|", "")
  local ok = given.n >= least and given.n <= #kinds
  for i = 1, given.n do
    local kind = TYPES[kinds:sub(i, i)]
    ok = ok and kind ~= nil and kind(given[i])
  end
  if not ok then
    error("Error calling function (invoking failed)", 0)
  end
end

--- As the engine hands numbers to C: cut, never checked.
local function u32(value)
  if value ~= value or value >= 2 ^ 63 or value < -2 ^ 63 then
    return 0
  end
  return math.tointeger(value < 0 and math.ceil(value) or math.floor(value)) & 0xffffffff
end

-- Memory: one number an address, nil where nothing was written, which reads as 0. Pages remember their text: tests read megabytes.

local PAGE_BITS <const>, PAGE <const> = 8, 256
local EMPTY <const> = ("\0"):rep(PAGE)

local memory_of = setmetatable({}, { __mode = "k" }) -- core.bytes -> its pages and their texts

local function new_memory()
  local pages, texts = {}, {}
  local bytes = setmetatable({}, {
    __index = function(_, address)
      local page = pages[address >> PAGE_BITS]
      return page and page[address & PAGE - 1]
    end,
    __newindex = function(_, address, value)
      local number = address >> PAGE_BITS
      pages[number] = pages[number] or {}
      pages[number][address & PAGE - 1] = value
      texts[number] = nil
    end,
    __pairs = function()
      return coroutine.wrap(function()
        for number, page in pairs(pages) do
          for at, value in pairs(page) do
            coroutine.yield(number << PAGE_BITS | at, value)
          end
        end
      end)
    end,
  })
  memory_of[bytes] = { pages = pages, texts = texts }
  return bytes
end

local function page_text(memory, number)
  local page = memory.pages[number]
  if page and not memory.texts[number] then
    local piece = {}
    for at = 0, PAGE - 1 do
      piece[at + 1] = page[at] or 0
    end
    memory.texts[number] = string.char(table.unpack(piece))
  end
  return memory.texts[number] or EMPTY
end

local function read_bytes(core, address, length)
  local memory, parts = memory_of[core.bytes], {}
  while length > 0 do
    address = address & 0xffffffff
    local at = address & PAGE - 1
    local size = math.min(length, PAGE - at)
    parts[#parts + 1] = page_text(memory, address >> PAGE_BITS):sub(at + 1, at + size)
    address, length = address + size, length - size
  end
  return table.concat(parts)
end

local function write_bytes(core, address, data)
  core.writes = core.writes + 1
  for i = 1, #data do
    core.bytes[address + i - 1 & 0xffffffff] = data:byte(i)
  end
end

local function touch_keys(core, address, length)
  local register = core.platform == "gb" and 0xff00 or 0x04000130
  if address <= register + 1 and address + length > register then
    core.world:trigger("keysRead")
    write_bytes(core, register, string.pack("<I2", ~core.keys & 0x3ff))
  end
end

local READ <const> = { [8] = "<I1", [16] = "<I2", [32] = "<I4" }

--- The GBA's CPU rotates what it reads from an odd address.
local function bus_read(core, width, address)
  address = u32(address)
  touch_keys(core, address, width // 8)
  local size = width // 8
  local even = core.platform == "gba" and address & ~(size - 1) or address
  local value = string.unpack(READ[width], read_bytes(core, even, size))
  local turn = (address - even) * 8
  return turn == 0 and value or (value >> turn | value << (32 - turn)) & 0xffffffff
end

local function bus_write(core, width, address, value)
  address, value = u32(address), u32(value) & (1 << width) - 1
  if core.platform == "gba" then
    address = address & ~(width // 8 - 1)
    if address >= 0x08000000 and address < 0x0e000000 then
      return
    elseif width == 8 and address >= 0x07000000 and address < 0x07000400 then
      return
    elseif width == 8 and address >= 0x05000000 and address < 0x07000000 then
      write_bytes(core, address & ~1, string.pack("<I1I1", value, value))
      return
    elseif address >= 0x0e000000 and width > 8 then
      value, width = value >> 8 * (address & 3) & 0xff, 8
    end
  elseif address < 0x8000 then
    return
  end
  write_bytes(core, address, string.pack(READ[width], value))
end

local function define(methods, name, spec, run)
  methods[name] = { spec = spec, run = run }
end

local function strict_object(world, is_alive, methods, on_missing)
  local object = {}
  local bound = {}
  for name, row in pairs(methods) do
    bound[name] = function(self, ...)
      if self ~= object then
        if type(self) == "userdata" or type(self) == "table" and getmetatable(self) then
          world:crash(name .. " was called on another object: a segfault")
        end
        error("Error calling function (invoking failed)", 0)
      elseif not is_alive() then
        error("Invalid object", 0)
      end
      world:need_context()
      world:spend(0.4)
      world.calls[name] = (world.calls[name] or 0) + 1
      local given = table.pack(...)
      check_arguments(row.spec, given)
      return row.run(table.unpack(given, 1, given.n))
    end
  end
  return setmetatable(object, {
    __index = function(_, key)
      if not is_alive() then
        error("Invalid object", 0)
      end
      return bound[key] or on_missing(key)
    end,
    __newindex = function()
      error("Invalid key", 0)
    end,
  })
end

local function invalid_key(key)
  error("Invalid key: " .. tostring(key), 0)
end

-- Domains: by offset, without the bus's side effects, but for the keys of a Game Boy.

local function make_domain(core, id, name, base, bound, size)
  local methods = {}
  local byte_writes = core.platform ~= "gba" or not NO_BYTE_WRITES[id]
  define(methods, "base", "", function() return base end)
  define(methods, "bound", "", function() return bound end)
  define(methods, "size", "", function() return size end)
  define(methods, "name", "", function() return name end)
  define(methods, "readRange", "ii", function(offset, length)
    core.world:spend(length * 0.004)
    local from = u32(offset) % size
    if core.platform == "gb" and id == "io" then
      touch_keys(core, base + from, length)
    end
    local first = read_bytes(core, base + from, math.min(length, size - from))
    return from + length > size and first .. read_bytes(core, base, length - #first) or first -- short ranges only: once around
  end)
  for width, format in pairs(READ) do
    define(methods, "read" .. width, "i", function(offset)
      return (string.unpack(format, read_bytes(core, base + (u32(offset) & ~(width // 8 - 1)) % size, width // 8)))
    end)
    define(methods, "write" .. width, "ii", function(offset, value)
      if (width > 8 or byte_writes) and not (id == "io" and core.platform == "gba") then
        write_bytes(core, base + (u32(offset) & ~(width // 8 - 1)) % size, string.pack(format, u32(value) & (1 << width) - 1))
      end
    end)
  end
  return strict_object(core.world, function() return core.is_alive end, methods, invalid_key)
end

-- States: a number of a snapshot, padded to mGBA's size, with the creation time as extra data.

--- What follows the first two numbers: zeros, and the mode of a GBA's processor.
local function padding(platform)
  local zeros = ("\0"):rep(STATE_SIZE[platform] - 8)
  return platform == "gba" and zeros:sub(1, 0x58) .. "\x1f" .. zeros:sub(0x5a) or zeros
end

local function snapshot(core)
  local bytes = {}
  for address, value in pairs(core.bytes) do
    bytes[address] = value
  end
  core.world.snapshots[#core.world.snapshots + 1] = { bytes = bytes, frame = core.frame, keys = core.keys }
  return #core.world.snapshots
end

local function raw_state(core, flags)
  local size = STATE_SIZE[core.platform]
  local number = flags == 16 and 0 or snapshot(core)
  local body = string.pack("<I4I4", 0x01000007, number) .. core.padding
  if flags == 0 and core.platform == "gba" and not core.world.odd_states then
    body = body:sub(1, 0x21000) .. read_bytes(core, 0x02000000, 0x40000) -- the work memory as it is, at its end
  end
  if flags & 16 == 0 or core.world.no_time then
    return body .. string.pack("<i4i4i8", 0, 0, 0)
  end
  return body .. string.pack("<i4i4i8i4i4i8i8", 0x101, 8, size + 32, 0, 0, 0, core.world.now // 1)
end

local function chunk(kind, data)
  return string.pack(">I4", #data) .. kind .. data .. "crc!"
end

--- A zlib stream that compresses nothing.
local function pack(data)
  local parts, low, high = { "\x78\x01" }, 1, 0
  for at = 1, #data, 65535 do
    local part = data:sub(at, at + 65534)
    parts[#parts + 1] = string.pack("<BI2I2", at + 65535 > #data and 1 or 0, #part, #part ~ 0xffff) .. part
  end
  for i = 1, #data do
    low = (low + data:byte(i)) % 65521
    high = (high + low) % 65521
  end
  return table.concat(parts) .. string.pack(">I2I2", high, low)
end

local function png_state(core, flags)
  if core.world.packs_states then
    return "\x89PNG\r\n\x1a\n" .. chunk("gbAs", pack(raw_state(core, 0):sub(1, STATE_SIZE[core.platform]))) .. chunk("IEND", "")
  end
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", string.pack(">I4I4BBBBB", 240, 160, 8, 2, 0, 0, 0)) .. chunk("IDAT", "pixels")
    .. chunk("gbAs", raw_state(core, flags & ~17)) .. chunk("gbAx", "extra") .. chunk("IEND", "")
end

local function load_state(core, data)
  if data == "" then
    core.world:crash("loadStateBuffer of an empty string: a segfault")
  elseif #data < STATE_SIZE[core.platform] then
    return false
  end
  local magic, number = string.unpack("<I4I4", data)
  local from = magic == 0x01000007 and core.world.snapshots[number]
  if not from then
    return false
  end
  core.bytes = new_memory()
  for address, value in pairs(from.bytes) do
    core.bytes[address] = value
  end
  core.frame, core.moved_frame = from.frame, core.world.frame_count
  return true
end

local function define_state_calls(core, methods)
  local world = core.world
  define(methods, "saveStateBuffer", "|i", function(flags)
    flags = u32(flags or 31)
    world:spend(flags & 1 == 1 and 1700 or 200)
    if flags & 1 == 1 then
      return world.has_video and png_state(core, flags) or nil
    end
    return raw_state(core, flags)
  end)
  define(methods, "loadStateBuffer", "s|i", function(data) return load_state(core, data) end)
  define(methods, "saveStateSlot", "i|i", function(slot)
    world.slots[slot] = raw_state(core, 0)
    return true
  end)
  define(methods, "loadStateSlot", "i|i", function(slot)
    return world.slots[slot] ~= nil and load_state(core, world.slots[slot])
  end)
  define(methods, "saveStateFile", "s|i", function(path)
    world.files[path] = { state = raw_state(core, 0) }
    return true
  end)
  define(methods, "loadStateFile", "s|i", function(path)
    local file = world.files[path]
    return file ~= nil and file.state ~= nil and load_state(core, file.state)
  end)
  define(methods, "screenshot", "|s", function(path)
    if not world.has_video then
      world:crash("screenshot without a video buffer: a segfault")
    end
    world.screenshots[#world.screenshots + 1] = path
  end)
end

local function define_file_calls(core, methods)
  local world = core.world
  define(methods, "loadFile", "s", function(path)
    local file = world.files[path]
    if file and file.platform == core.platform then
      core.title, core.code, core.crc32 = file.title, file.code, file.crc32
      return true
    end
    core.is_broken = world.unloads_first
    return false
  end)
  define(methods, "loadSaveFile", "sb", function(path, temporary)
    world.saves[#world.saves + 1] = { path, temporary }
    return not path:find("unwritable", 1, true)
  end)
  define(methods, "autoloadSave", "", function() return not world.no_save end)
  define(methods, "reset", "", function()
    core.frame, core.is_broken, core.bytes, core.moved_frame = 0, false, new_memory(), world.frame_count
    world.resets = world.resets + 1
    world:trigger("reset")
  end)
  define(methods, "step", "", function()
    if core.is_broken then
      world:crash("a step without a cartridge: a segfault")
    elseif core.moved_frame == world.frame_count then
      world:crash("a step behind a reset or a loaded state in one callback: on a Game Boy an endless loop")
    end
    world.steps = world.steps + 1
    if world.step_ends_frame then -- the step of a halted processor
      world:trigger("frame")
      core.frame = core.frame + 1
    end
  end)
end

local function define_memory_calls(core, methods)
  for _, width in ipairs({ 8, 16, 32 }) do
    define(methods, "read" .. width, "i", function(address) return bus_read(core, width, address) end)
    define(methods, "write" .. width, "ii", function(address, value) bus_write(core, width, address, value) end)
  end
  define(methods, "readRange", "ii", function(address, length)
    if length < 0 or length > 0x1000000 then
      core.world:crash("readRange of " .. length .. " bytes")
    end
    core.world:spend(length * 0.002)
    touch_keys(core, u32(address), length)
    return read_bytes(core, u32(address), length)
  end)
  define(methods, "readRegister", "s", function(name)
    local value = core.registers[name:lower()]
    return value and core.platform == "gb" and value | 0x5500 or value
  end)
  define(methods, "writeRegister", "si", function(name, value)
    core.registers[name] = value
  end)
end

local function define_key_calls(core, methods)
  define(methods, "setKeys", "i", function(mask) core.keys = u32(mask) & 0xffff end)
  define(methods, "addKeys", "i", function(mask) core.keys = core.keys | u32(mask) & 0xffff end)
  define(methods, "clearKeys", "i", function(mask) core.keys = core.keys & ~u32(mask) end)
  define(methods, "addKey", "i", function(key) core.keys = core.keys | 1 << (key & 31) end)
  define(methods, "clearKey", "i", function(key) core.keys = core.keys & ~(1 << (key & 31)) end)
  define(methods, "getKey", "i", function(key) return core.keys >> key & 1 end)
  define(methods, "getKeys", "", function() return core.keys end)
end

local function define_facts(core, methods)
  local gba = core.platform == "gba"
  define(methods, "platform", "", function() return PLATFORM[core.platform] end)
  define(methods, "currentFrame", "", function() return core.frame end)
  define(methods, "frameCycles", "", function() return gba and 280896 or 70224 end)
  define(methods, "frequency", "", function() return gba and 16777216 or 4194304 end)
  define(methods, "romSize", "", function() return core.rom_size end)
  define(methods, "checksum", "|i", function() return string.pack(">I4", core.crc32) end)
  define(methods, "getGameTitle", "", function() return core.title end)
  define(methods, "getGameCode", "", function() return core.code end)
end

--- A game in the fake emulator: `core.object` is what the script sees as `emu`.
function fake_core.new(world, platform)
  local gba = platform == "gba"
  local core = {
    world = world, platform = platform, is_alive = true, frame = 0, keys = 0, bytes = new_memory(), writes = 0, title = "MGBABRIDGE",
    code = gba and "AGB-BBTE" or "DMG-", crc32 = 1378192596, rom_size = gba and 4096 or 32768, padding = padding(platform),
    registers = gba and { r0 = -1, r15 = 134225608, pc = 134225608, sp = 50364160, cpsr = 0x1f } or { a = 1, f = 2, hl = 0x1234, pc = 0x150 },
  }
  local methods = {}
  define_facts(core, methods)
  define_memory_calls(core, methods)
  define_key_calls(core, methods)
  define_state_calls(core, methods)
  define_file_calls(core, methods)
  write_bytes(core, gba and 0x080000ac or 0x13f, "BBTE")
  write_bytes(core, 0x14b, "\x33")
  core.writes = 0
  local domains = {}
  for _, row in ipairs(gba and GBA_DOMAINS or GB_DOMAINS) do
    domains[row[1]] = make_domain(core, table.unpack(row))
  end
  core.object = strict_object(world, function() return core.is_alive end, methods, function(key)
    return key == "memory" and domains or nil
  end)
  return core
end

return fake_core
