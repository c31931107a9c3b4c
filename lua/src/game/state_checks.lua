-- Checks of save states. mGBA trusts most fields of a state; a bad one keeps a frame from ending or writes beyond an array.
-- docs/states.md lists the fields.

local wire = require("wire.text")

local byte, pack, sub, unpack = string.byte, string.pack, string.sub, string.unpack
local refuse = wire.refuse

local state_checks = {}

local FRAME <const> = 280896 -- cycles of a GBA frame; a Game Boy has half as many
local LATE <const> = 1024 -- a Game Boy event is a few cycles late at most; its timer counts wrongly from 2,048 on
local SECOND <const> = 16777216
local CPU_MODES <const> = { [0x10] = true, [0x11] = true, [0x12] = true, [0x13] = true, [0x17] = true, [0x1b] = true, [0x1f] = true }
local CODE_REGIONS <const> = { [0] = 0x4000, [2] = SECOND, [3] = SECOND, [5] = SECOND, [6] = SECOND, [7] = SECOND } -- plus the cartridge, 8 to 13
local PRESCALERS <const> = { [0] = true, [6] = true, [8] = true, [10] = true }
local MODELS <const> = { [0] = true, [0x20] = true, [0x40] = true, [0x60] = true, [0x80] = true, [0xa0] = true, [0xc0] = true }
local TIMA_PERIODS <const> = { [0] = true, [1] = true, [4] = true, [16] = true, [64] = true }

--- How many cycles a time lies in the past, as mGBA counts it.
local function age(now, time)
  return (now - time + 0x80000000 & 0xffffffff) - 0x80000000
end

local function bad(what, at, value)
  refuse("not-a-state", "%s, at 0x%X of the state, is %d: the emulator would hang or end; save the state again in mGBA", what, at, value)
end

--- Each of `rules` is { offset, form, least, most, what }.
local function check_rules(data, rules)
  for _, rule in ipairs(rules) do
    local value = unpack(rule[2], data, rule[1] + 1)
    if value < rule[3] or value > rule[4] then
      bad(rule[5], rule[1], value)
    end
  end
end

local function check_range(data, at, least, most, what)
  local value = unpack("<i4", data, at + 1)
  if value < least or value > most then
    bad(what, at, value)
  end
end

local function check_one_of(data, at, allowed, what)
  local value = byte(data, at + 1)
  if not allowed[value] then
    bad(what, at, value)
  end
end

--- A channel that plays while sound is off would count from its last event on when sound is switched on, however long that is later.
local function check_noise(data, sound_at)
  local sound = byte(data, sound_at + 1)
  if sound & 0x88 == 0x08 then
    bad("sound channel 4 (it plays while sound is off)", sound_at, sound)
  end
end

local GBA_SOUND <const> = { cycles = 0x68, event = 0x184, envelope = 0x1de, channels = 0x484, sample = 0x1e0 } -- offsets into the state
local GB_SOUND <const> = { cycles = 0x2c, event = 0x9c, envelope = 0xa6, channels = 0x326, sample = 0x1d8 }

local function with_recent_time(data, at, now)
  local since = age(now, unpack("<I4", data, at + 1))
  if since >= -FRAME and since <= SECOND then
    return data
  end
  return sub(data, 1, at) .. pack("<I4", now & 0xffffffff) .. sub(data, at + 5)
end

--- The last sample of states before version 7 is in no field: mGBA computes it, wrongly, from the next one.
function state_checks.has_sample_time(data, is_gba)
  return not is_gba or unpack("<I4", data) >= 0x01000007
end

--- The state with the present as the time of the last sound sample and of the noise channel's last event, if they are further away than in a game. The
--- channel counts from its event to the sample, without end when half the range of times lies between. mGBA 0.10 takes a wrong time from a state
--- of 0.9 and keeps it. An event of 0 means the present, unless the channel's envelope has ended.
function state_checks.with_recent_sound(data, is_gba)
  local at = is_gba and GBA_SOUND or GB_SOUND
  local now = unpack("<I4", data, 13) + unpack("<I4", data, at.cycles + 1)
  if byte(data, at.channels + 1) & 8 ~= 0 and (unpack("<I4", data, at.event + 1) ~= 0 or byte(data, at.envelope + 1) & 0x20 ~= 0) then
    data = with_recent_time(data, at.event, now)
  end
  return state_checks.has_sample_time(data, is_gba) and with_recent_time(data, at.sample, now) or data
end

local GBA_RULES <const> = {
  { 0x68, "<i4", 0, FRAME, "the count of processor cycles" },
  { 0x134, "<i4", -FRAME, FRAME, "the next step of the sound" },
  { 0x1d4, "<i4", -FRAME, 1024, "the next sound sample" }, -- a later one writes before the array of samples
  { 0x294, "<i4", -1, 7, "the clock's count of bytes" }, -- an index
  { 0x29c, "<i4", 0, 8, "the clock's count of bits" },
  { 0x324, "<i4", 0, SECOND, "the wait of the BIOS" },
  { 0x406, "<I2", 0, 227, "the picture's line" }, -- VCOUNT: counts on to 228 and ends the frame at 160
}

local function check_timer(data, index)
  local at = 0x200 + index * 0x14
  local flags = unpack("<I4", data, at + 0x11)
  if not PRESCALERS[flags & 15] then
    bad("the divider of timer " .. index, at + 0x10, flags & 15)
  elseif flags & 0x40 ~= 0 and (index == 0 or flags & 0x10 == 0) then
    local period = 0x10000 << (flags & 15)
    check_range(data, at + 4, -period - FRAME, FRAME, "the last event of timer " .. index)
    check_range(data, at + 8, -FRAME, period + FRAME, "the next event of timer " .. index)
  end
end

--- A transfer that is under way has its time as an absolute count.
local function check_transfer(data, index, now)
  local at, enabled = 0x250 + index * 0x10, unpack("<I2", data, 0x400 + 0xba + index * 12 + 1) & 0x8000 ~= 0
  local count, time = unpack("<I4I4", data, at + 9)
  local away = age(time, now)
  if enabled and count & 0xfffff ~= 0 and (away < -FRAME or away > FRAME) then
    bad("the time of transfer " .. index, at + 12, time)
  end
end

--- Whether the processor of a GBA can run code at this address. Elsewhere mGBA declares the game crashed.
function state_checks.is_code(address)
  local region = address >> 24
  return (region >= 8 and region <= 13) or address & 0xffffff < (CODE_REGIONS[region] or 0)
end

local function check_code(data)
  local pc, cpsr = unpack("<I4I4", data, 0x5c + 1)
  if not state_checks.is_code(pc) then
    bad("the program counter", 0x5c, pc)
  elseif not CPU_MODES[cpsr & 31] then
    bad("the processor's mode", 0x60, cpsr & 31)
  end
end

local function check_gba(data)
  local magic, now = unpack("<I4", data, 1), unpack("<I4", data, 13) + unpack("<I4", data, 0x69)
  check_rules(data, GBA_RULES)
  check_range(data, magic < 0x01000007 and 0x1e0 or 0x1f4, -FRAME, FRAME, "the next line of the picture")
  check_code(data)
  check_noise(data, GBA_SOUND.channels)
  for index = 0, 3 do
    check_timer(data, index)
    check_transfer(data, index, now)
  end
  if unpack("<I4", data, 0x31d) & 4 ~= 0 then
    check_range(data, 0x320, -FRAME, FRAME, "the next interrupt")
  end
  if byte(data, 0x2e3) & 0x20 ~= 0 then
    check_range(data, 0x2e4, -FRAME, SECOND, "the end of writing save data")
  end
  if byte(data, 0x2b8) & 0x20 ~= 0 and byte(data, 0x529) & 0x80 ~= 0 then
    check_range(data, 0x2c4, -FRAME, SECOND, "the next event of the link")
  end
  local save = byte(data, 0x2e1)
  if save > 6 and save ~= 255 then
    bad("the kind of save data", 0x2e0, save)
  end
end

local GB_RULES <const> = {
  { 0x2c, "<i4", 0, FRAME, "the count of processor cycles" },
  { 0xb0, "<i4", -LATE, 65536, "the next sound sample" },
  { 0x154, "<i4", -LATE, 1024, "the next event of the timer" },
  { 0x15c, "<i4", 0, 1024, "the step of the timer" },
  { 0x165, "<I1", 0, 1, "the timer's flags" },
  { 0x166, "<I2", 0, 0, "the upper half of the timer's period" }, -- mGBA reads four bytes here instead of one
  { 0x17c, "<I2", 0, 2048, "the rest of the picture transfer" },
  { 0x1dc, "<I1", 0, 31, "the index of the sound samples" },
}

--- One of the picture's two events must be scheduled: the next mode while the display is on, otherwise the next frame.
local function check_picture(data)
  local line, flags, on = unpack("<i2", data, 0xb7), byte(data, 0xce), byte(data, 0x341) & 0x80 ~= 0
  local mode = flags >> 2 & 3
  if line < 0 or line > 154 or (line >= 144 and mode ~= 1) then
    bad("the picture's line in mode " .. mode, 0xb6, line)
  elseif flags & (on and 0x10 or 0x20) ~= 0 then
    bad("the picture's flags (no event follows)", 0xcd, flags)
  end
  if flags & 0x10 == 0 then
    check_range(data, 0xc0, -LATE, 4096, "the next mode of the picture")
  end
  if flags & 0x20 == 0 then
    check_range(data, 0xb8, -LATE, 2 * FRAME, "the next frame")
  end
end

--- Only the end of the picture transfer clears the flag "blocked".
local function check_gb_transfers(data, flags)
  local left, to = unpack("<I2", data, 0x17d), unpack("<I2", data, 0x17b)
  if left > 0 then
    check_range(data, 0x174, -LATE, 4096, "the time of the picture transfer")
    if to < 0x8000 or to + left > 0xc000 then
      bad("the target of the picture transfer", 0x17a, to)
    end
  elseif flags & 0x20 ~= 0 then
    bad("the processor's flags (blocked forever)", 0x44, flags)
  end
  if byte(data, 0x17f) > 0 then
    check_range(data, 0x16c, -LATE, 4096, "the time of the sprite transfer")
  end
end

--- The clock's selected register is an index, and the RAM of some cartridges is smaller than the window through which mapped RAM is written.
local function check_cartridge(data, ram_is_apart)
  local flags = unpack("<I2", data, 0x195)
  if flags & 2 ~= 0 and flags >> 5 & 7 > 4 then
    bad("the register of the cartridge's clock", 0x194, flags)
  elseif flags & 1 ~= 0 and ram_is_apart then
    bad("the flags of the cartridge (its RAM cannot be mapped)", 0x194, flags)
  end
end

--- `ram_is_apart` is of game.limits.
local function check_gb(data, ram_is_apart)
  local flags = unpack("<I4", data, 0x45)
  check_rules(data, GB_RULES)
  check_one_of(data, 8, MODELS, "the model")
  check_one_of(data, 0x164, TIMA_PERIODS, "the timer's period")
  check_noise(data, GB_SOUND.channels)
  check_picture(data)
  check_gb_transfers(data, flags)
  check_cartridge(data, ram_is_apart)
  if flags & 8 ~= 0 then
    check_range(data, 0x3c, -LATE, 64, "the start of interrupts")
  end
  if byte(data, 0x166) & 1 ~= 0 then
    check_range(data, 0x158, -LATE, 64, "the timer's interrupt")
  end
  if byte(data, 9) & 0x20 ~= 0 and byte(data, 0xc7dc) > 129 then -- an index
    bad("the adapter's count of bits", 0xc7db, byte(data, 0xc7dc))
  end
end

local CLOCK_TYPES <const> = 3 -- none, fixed, from an epoch, with an offset; mGBA calls a function that does not exist for others

--- Checks the extra data that mGBA takes from a state. `save_most` is the size of the largest save file.
function state_checks.check_extra(extra, save_tag, clock_tag, save_most)
  local save, clock = extra[save_tag], extra[clock_tag]
  if save and #save > save_most then
    refuse("not-a-state", "the state's save data has %d bytes; a save file has at most %d", #save, save_most)
  elseif clock and (#clock ~= 16 or unpack("<I4", clock) > CLOCK_TYPES) then
    refuse("not-a-state", "the state's clock (%d bytes) is of an unknown type: the emulator would end; save the state again in mGBA", #clock)
  end
end

state_checks.check_gba, state_checks.check_gb = check_gba, check_gb

return state_checks
