-- Checks that a test ROM behaves as in README.md. Runs inside mgba-headless (or any host of mGBA's Lua engine):
--
--   mgba-headless --script headless/roms/test/rom_test.lua --frames 1000 --fps 0 mgba-bridge-test.gba
--
-- prints `ok - name` or `not ok - name` for each check and a sum as the last line. test_rom.py runs it in all its ways.
--
--   ROM_TEST=main    (default) everything that leaves the emulator alive
--   ROM_TEST=crash   command 4, GBA only
--   ROM_TEST=stop    command 5
--   ROM_TEST_PICTURES=folder   main also leaves screenshots there, with a list of what they must show

---------------------------------------------------------------- Settings

-- The numbers are written out here and not taken from layout.h: this file represents the tests in other languages, which
-- only have README.md.
local GBA = {
  name = "gba",
  base = 0x02000000,
  save = 0x0E000000,
  save_size = 64,
  keys = 10,
  seed = 0x2545F491,
  word = "<I4",
  entry = "<I4I2I2",
  untouched = { 0x02000380, 0x3FC80 },
  scratch = { { 0x02001000, 0x4000 }, { 0x02010000, 0x30000 } },
  reads_per_frame = 1,
  unknown_command = 99,
}
local GB = {
  name = "gb",
  base = 0xC100,
  save = 0xA000,
  save_size = 32,
  keys = 8,
  seed = 0x2545,
  word = "<I2",
  entry = "<I2BB",
  untouched = { 0xC480, 0xB80 },
  scratch = { { 0xC800, 0x800 } },
  reads_per_frame = 2,
  unknown_command = 4,
}
local rom = emu:platform() == C.PLATFORM.GBA and GBA or GB
local mode = os.getenv("ROM_TEST") or "main"
local pictures = os.getenv("ROM_TEST_PICTURES")

local LAST_TICK_OF_MODEL = 600

---------------------------------------------------------------- Reporting

local passed, failed, skipped, finished = 0, 0, 0, false

local function check(name, good, detail)
  if good then
    passed = passed + 1
    print("ok - " .. rom.name .. ": " .. name)
  else
    failed = failed + 1
    print("not ok - " .. rom.name .. ": " .. name .. (detail and " (" .. detail .. ")" or ""))
  end
end

local function equal(name, got, wanted)
  check(name, got == wanted, ("got %s, wanted %s"):format(tostring(got), tostring(wanted)))
end

local function skip(name)
  skipped = skipped + 1
  print("ok - " .. rom.name .. ": " .. name .. " # SKIP")
end

local function finish()
  if finished then return end
  finished = true
  print(("rom: %d passed, %d failed, %d skipped"):format(passed, failed, skipped))
  io.stdout:flush()
  -- A crashed machine makes no more frames, so --frames would never end the host.
  if mode == "crash" then os.exit(failed == 0) end
end

---------------------------------------------------------------- Reading the block

local word_size = string.packsize(rom.word)
local word_mask = (1 << 8 * word_size) - 1

local function read(offset, format)
  return (string.unpack(format or rom.word, emu:readRange(rom.base + offset, string.packsize(format or rom.word))))
end

local function write(offset, value)
  if word_size == 4 then
    emu:write32(rom.base + offset, value)
  else
    emu:write16(rom.base + offset, value)
  end
end

local function words(offset, count)
  return { string.unpack(rom.word:rep(count), emu:readRange(rom.base + offset, word_size * count)) }
end

local function edges(key) return read(0x20 + key * word_size) end
local function held(key) return read(0x48 + key * word_size) end

local function log_entry(index)
  local size = string.packsize(rom.entry)
  local frame, key, press = string.unpack(rom.entry, emu:readRange(rom.base + 0x110 + index % 64 * size, size))
  return ("%d:%d:%d"):format(frame, key, press)
end

local function command(number) emu:write8(rom.base + 0x18, number) end

---------------------------------------------------------------- A second implementation

-- The ROM in Lua, from README.md alone. It is compared with the real one after every frame.
local model = { frame = 0, keys = 0, before = 0, prng = rom.seed, edges = {}, held = {}, log = {}, on_a = 1000, max = 0, last = 0 }
for key = 0, rom.keys - 1 do
  model.edges[key], model.held[key] = 0, 0
end

local function xorshift(x)
  if rom == GBA then
    x = (x ~ x << 13) & 0xFFFFFFFF
    x = x ~ x >> 17
    return (x ~ x << 5) & 0xFFFFFFFF
  end
  x = (x ~ x << 7) & 0xFFFF
  x = x ~ x >> 9
  return (x ~ x << 8) & 0xFFFF
end

local function model_clear()
  for key = 0, rom.keys - 1 do
    model.edges[key], model.held[key] = 0, 0
  end
  model.log, model.max, model.last = {}, 0, 0
end

local function model_step(keys)
  local together = 0
  model.frame = model.frame + 1
  model.before, model.keys = model.keys, keys
  for key = 0, rom.keys - 1 do
    local down, was = keys >> key & 1, model.before >> key & 1
    together = together + down
    model.held[key] = model.held[key] + down
    if down ~= was then
      model.edges[key] = model.edges[key] + down
      model.log[#model.log + 1] = ("%d:%d:%d"):format(model.frame, key, down)
      if key == 0 and down == 1 then model.on_a = model.on_a + 17 end
    end
  end
  model.max = math.max(model.max, together)
  if together >= 2 then model.last = keys end
  model.prng = xorshift(model.prng)
end

-- Name of a fact, and what reads it and what it must be. A difference is kept with the first frame it was seen in.
local facts = {
  { "frame counter", function() return read(0x08, "<I4") == model.frame end },
  { "live key mask", function() return read(0x0C) == model.keys end },
  { "key mask of the frame before", function() return read(0x74) == model.before end },
  { "prng", function() return read(0x10) == model.prng end },
  { "edge counters", function()
    local got = words(0x20, rom.keys)
    for key = 0, rom.keys - 1 do
      if got[key + 1] ~= model.edges[key] then return false end
    end
    return true
  end },
  { "held counters", function()
    local got = words(0x48, rom.keys)
    for key = 0, rom.keys - 1 do
      if got[key + 1] ~= model.held[key] then return false end
    end
    return true
  end },
  { "most keys together", function() return read(0x70, "<I2") == model.max end },
  { "last chord", function() return read(0x72, "<I2") == model.last end },
  { "event count", function() return read(0x100) == #model.log end },
  { "newest event", function() return #model.log == 0 or log_entry(#model.log - 1) == model.log[#model.log] end },
  { "u8 + 1", function() return read(0x80, "B") == model.frame & 0xFF end },
  { "u16 + 3", function() return read(0x82, "<I2") == model.frame * 3 & 0xFFFF end },
  { "u32 - 7", function() return read(0x84, "<I4") == 1000000 - model.frame * 7 & 0xFFFFFFFF end },
  { "s16 swinging", function() return read(0x88, "<i2") == (model.frame % 2 == 1 and 1234 or -1234) end },
  { "s32 counting down below zero", function() return read(0x8C, "<i4") == 300 - model.frame end },
  { "u32 constant", function() return read(0x90, "<I4") == 0xC0FFEE42 end },
  { "u32 stepping with A", function() return read(0x94, "<I4") == model.on_a end },
  { "u32 stepping every 60 frames", function() return read(0x98, "<I4") == 5000 + model.frame // 60 end },
  { "u16 at an odd address", function() return read(0x9D, "<I2") == 0x1234 + model.frame * 5 & 0xFFFF end },
  { "text", function() return emu:readRange(rom.base + 0xA0, 11) == "HELLO MGBA\0" end },
  { "pointer chain", function()
    local node = read(0xB0)
    local tag = emu:readRange(node, 4)
    local value = string.unpack(rom.word, emu:readRange(node + 8, word_size))
    return tag == "NODE" and string.unpack("<I4", emu:readRange(value, 4)) == 0xBEEF00 + model.frame * 11
  end },
  { "never late", function() return read(0x7C) == 0 end },
}

local function compare()
  for _, fact in ipairs(facts) do
    if not fact.wrong and not fact[2]() then fact.wrong = model.frame end
  end
end

local function report_comparison()
  for _, fact in ipairs(facts) do
    check(fact[1] .. " as modelled, every frame", not fact.wrong, fact.wrong and "first wrong in frame " .. fact.wrong)
  end
  local stored = true
  for index = math.max(0, #model.log - 64), #model.log - 1 do
    stored = stored and log_entry(index) == model.log[index + 1]
  end
  check("all 64 stored events as modelled", stored and #model.log > 64, #model.log .. " events")
end

---------------------------------------------------------------- The timeline

local at_power_on -- what the untouched memory holds when the ROM starts: zeros, or what mGBA makes up for a GB Color

-- What happens at which tick: tick t is the callback in which the ROM's frame counter shows t.
local timeline = {}

local function at(tick, action)
  assert(not timeline[tick], "two things at tick " .. tick)
  timeline[tick] = action
end

local function keys(mask) emu:setKeys(mask) end

-- A number that is equal if everything is the same. Ranges are hashed in pieces that fit on Lua's stack.
local function hash(from, length)
  local h = 0
  local text = emu:readRange(from, length)
  for _, value in ipairs({ string.unpack(("<I4"):rep(#text // 4), text) }) do
    h = (h * 31 + value) & 0xFFFFFFFFFFFF
  end
  return h
end

local function hash_ram()
  local h = 0
  local ranges = rom == GBA and { { 0x02000000, 0x40000 }, { 0x03000000, 0x8000 }, { 0x06000000, 0x12C00 } }
    or { { 0xC000, 0x2000 }, { 0x8000, 0x2000 } }
  for _, range in ipairs(ranges) do
    for from = range[1], range[1] + range[2] - 1, 0x400 do
      h = (h * 31 + hash(from, 0x400)) & 0xFFFFFFFFFFFF
    end
  end
  return h
end

at(1, function()
  equal("magic", emu:readRange(rom.base, 4), "MBT1")
  equal("layout version", read(0x04), 1)
  equal("seed", read(0x14), rom.seed)
  equal("title", emu:getGameTitle():gsub("%z+$", ""), "MGBABRIDGE")
  if rom == GBA then check("game code", emu:getGameCode():sub(-4) == "BBTE") end
  equal("event capacity", read(0x104), 64)
  equal("event size", read(0x108), string.packsize(rom.entry))
  check("memory outside the block is as at power-on", emu:readRange(table.unpack(rom.untouched)) == at_power_on)
  for _, range in ipairs(rom.scratch) do
    for address = range[1], range[1] + range[2] - 1, 2 do
      emu:write16(address, address * 7 & 0xFFFF)
    end
  end
end)

-- Taps of one frame, the shortest there are.
at(10, function() keys(1 << 0) end)
at(11, function()
  keys(0)
  equal("a key set in the callback of frame 10 is seen in frame 11", read(0x0C), 1)
end)
at(12, function()
  equal("one-frame tap: edges", edges(0), 1)
  equal("one-frame tap: held", held(0), 1)
  equal("one-frame tap: press event", log_entry(0), "11:0:1")
  equal("one-frame tap: release event", log_entry(1), "12:0:0")
  equal("one-frame tap: value that steps with A", read(0x94, "<I4"), 1017)
end)
for tap = 0, 4 do -- five taps, one frame down and one up
  at(20 + 2 * tap, function() keys(1 << 1) end)
  at(21 + 2 * tap, function() keys(0) end)
end
at(32, function()
  equal("five one-frame taps: edges", edges(1), 5)
  equal("five one-frame taps: held", held(1), 5)
  equal("five one-frame taps: last release", log_entry(11), "30:1:0")
end)

-- A long hold with a second key inside it.
at(40, function() keys(1 << 4) end)
at(45, function() keys(1 << 4 | 1 << 0) end)
at(48, function() keys(1 << 4) end)
at(60, function() keys(0) end)
at(61, function()
  equal("hold of 20 frames: held", held(4), 20)
  equal("hold of 20 frames: edges", edges(4), 1)
  equal("chord: most keys", read(0x70, "<I2"), 2)
  equal("chord: mask", read(0x72, "<I2"), 1 << 4 | 1 << 0)
  equal("events in order", table.concat({ log_entry(12), log_entry(13), log_entry(14), log_entry(15) }, " "),
    "41:4:1 46:0:1 49:0:0 61:4:0")
end)

-- Every key once, as the last part of a walk through all of them.
for key = 0, rom.keys - 1 do
  at(70 + 3 * key, function() keys(1 << key) end)
  at(71 + 3 * key, function() keys(0) end)
end

-- Clearing, with a key held over it: it gets no new edge, but is counted on.
at(110, function() keys(1 << 2) end)
at(115, function()
  command(3)
  model_clear()
end)
at(116, function()
  equal("clear: word is zero again", read(0x18), 0)
  equal("clear: counted", read(0x1C), 1)
  equal("clear: last command", read(0x320), 3)
  equal("clear: result", read(0x324), 1)
  equal("clear: frame it ran in", read(0x328, "<I4"), 116)
  equal("clear: edges of the held key", edges(2), 0)
  equal("clear: held of the held key counts on", held(2), 1)
  equal("clear: no events", read(0x100), 0)
  keys(0)
end)
at(118, function() equal("clear: the release is the first event", log_entry(0), "117:2:0") end)

-- Random keys for 100 frames: the model watches. No opposite directions: mGBA may filter those.
local random = 12345
for tick = 120, 219 do
  at(tick, function()
    random = (random * 1103515245 + 12345) & 0x7FFFFFFF
    local mask = random >> 8 & (1 << rom.keys) - 1
    if mask & 0x30 == 0x30 then mask = mask & ~0x10 end
    if mask & 0xC0 == 0xC0 then mask = mask & ~0x40 end
    keys(mask)
  end)
end
at(220, function() keys(0) end)

-- The save.
local saved
at(230, function() command(2) end)
at(231, function()
  equal("load with no save: result", read(0x324), 2)
  saved = { prng = read(0x10), edges = words(0x20, rom.keys) }
  command(1)
end)
at(232, function()
  local text = emu:readRange(rom.save, rom.save_size)
  local sum = 0
  for i = 1, rom.save_size - word_size do
    sum = sum + text:byte(i)
  end
  equal("save: result", read(0x324), 1)
  equal("save: magic", text:sub(1, 4), "MBSV")
  equal("save: counter", string.unpack(rom.word, text, 5), 1)
  equal("save: frame", string.unpack("<I4", text, 5 + word_size), 232)
  equal("save: prng", string.unpack(rom.word, text, 9 + word_size), saved.prng)
  local same = true
  for key = 1, rom.keys do
    same = same and string.unpack(rom.word, text, 9 + (key + 1) * word_size) == saved.edges[key]
  end
  check("save: edge counters", same)
  equal("save: word before the checksum", string.unpack(rom.word, text, rom.save_size - 2 * word_size + 1), 0)
  equal("save: checksum", string.unpack(rom.word, text, rom.save_size - word_size + 1), ~sum & word_mask)
  command(2)
end)
at(233, function()
  equal("load: result", read(0x324), 1)
  check("load: bytes", emu:readRange(rom.base + 0x340, rom.save_size) == emu:readRange(rom.save, rom.save_size))
  command(1)
end)
at(234, function()
  equal("second save: counter", string.unpack(rom.word, emu:readRange(rom.save + 4, 4)), 2)
  emu:write8(rom.save + 6, emu:read8(rom.save + 6) ~ 1)
  command(2)
end)
at(235, function()
  equal("load of a damaged save: result", read(0x324), 2)
  command(1)
end)
at(236, function()
  equal("save over a damaged one: counter", string.unpack(rom.word, emu:readRange(rom.save + 4, 4)), 1)
  command(rom.unknown_command)
end)
at(237, function()
  equal("unknown command: result", read(0x324), 3)
  equal("unknown command: last command", read(0x320), rom.unknown_command)
  equal("unknown command: word is zero again", read(0x18), 0)
  equal("commands counted", read(0x1C), 8)
end)

-- The seed.
local new_seed = 0x1234ABCD & word_mask
at(250, function()
  write(0x14, new_seed)
  model.prng = new_seed
end)
at(251, function()
  equal("new seed: first number", read(0x10), xorshift(new_seed))
  write(0x14, new_seed)
end)
at(252, function()
  equal("same seed again: no restart", read(0x10), xorshift(xorshift(new_seed)))
  command(6)
  model.prng = new_seed
end)
at(253, function()
  equal("command 6: restart", read(0x10), xorshift(new_seed))
  write(0x14, 0)
  model.prng = rom.seed
end)
at(254, function() equal("seed 0: the default one", read(0x10), xorshift(rom.seed)) end)

-- Pictures: what they must show is checked by test_rom.py.
local function picture(tick, name, take)
  at(tick, function()
    if not pictures then return end
    take(pictures .. "/" .. name)
    local list = assert(io.open(pictures .. "/list.txt", "a"))
    list:write(("%s %s %d %d\n"):format(name, rom.name, model.frame, model.keys))
    list:close()
  end)
end
local function screenshot(path) emu:screenshot(path) end
local function state(path)
  local file = assert(io.open(path, "wb"))
  file:write(emu:saveStateBuffer(31))
  file:close()
end
at(269, function() keys(0) end)
picture(270, rom.name .. "-idle.png", screenshot)
at(279, function() keys(0x155 & (1 << rom.keys) - 1) end)
picture(280, rom.name .. "-even-keys.png", screenshot)
at(281, function() keys(0x2AA & (1 << rom.keys) - 1) end)
picture(282, rom.name .. "-odd-keys.png", screenshot)
at(283, function() keys(0) end)
for i, tick in ipairs({ 223, 224, 225, 303, 304, 305, 447, 448, 511, 512, 600 }) do
  picture(tick, ("%s-at-%d.png"):format(rom.name, tick), i % 2 == 0 and state or screenshot)
end

-- Once more random keys, so that the event buffer has gone round more than once.
for tick = 520, 590 do
  at(tick, function() keys(tick % 3 == 0 and 0x0F or tick % 5 == 0 and 0x91 or 0) end)
end
at(591, function() keys(0) end)

---------------------------------------------------------------- The three ways to run

local key_reads = 0

local function report_end_of_model()
  report_comparison()
  local intact = true
  for _, range in ipairs(rom.scratch) do
    for address = range[1], range[1] + range[2] - 1, 2 do
      intact = intact and emu:read16(address) == address * 7 & 0xFFFF
    end
  end
  check("scratch memory untouched", intact)
  if key_reads == 0 then
    skip("reads of the key register (this host has no keysRead)")
  else
    equal("reads of the key register in 600 frames", key_reads, LAST_TICK_OF_MODEL * rom.reads_per_frame)
  end
  print("# hash of all memory: " .. hash_ram())
end

-- After the model: a state is saved, keys are pressed, the state is loaded, the same keys are pressed; then a reset.
local replay = { start = 610, length = 60 }

local function replay_keys(step) keys(step % 4 == 0 and 1 << step % rom.keys or 0) end

local function run_replay(tick)
  local step = tick - replay.start
  if step == 0 then replay.state = emu:saveStateBuffer(2) end
  if step < replay.length then
    replay_keys(step)
  elseif step == replay.length then
    replay.first = hash_ram()
    check("state loads", emu:loadStateBuffer(replay.state, 2))
    equal("state brings the frame counter back", read(0x08, "<I4"), replay.start)
    replay_keys(0)
  elseif step < 2 * replay.length then
    replay_keys(step - replay.length)
  elseif step == 2 * replay.length then
    equal("the same keys after loading give the same memory", hash_ram(), replay.first)
    keys(0)
    emu:reset()
  elseif not replay.seen_reset then
    if read(0x08, "<I4") ~= 1 or emu:readRange(rom.base, 4) ~= "MBT1" then return end
    replay.seen_reset = true
    equal("reset: prng starts again", read(0x10), xorshift(rom.seed))
    equal("reset: events are gone", read(0x100), 0)
    equal("reset: commands are forgotten", read(0x1C), 0)
    check("reset: memory is as at power-on again", emu:readRange(table.unpack(rom.untouched)) == at_power_on)
    finish()
  end
end

local tick = 0

local function started()
  return emu:readRange(rom.base, 4) == "MBT1" and read(0x08, "<I4") >= 1
end

local held_keys = 0

local function main_frame()
  at_power_on = at_power_on or emu:readRange(table.unpack(rom.untouched))
  if tick == 0 and not started() then return end
  tick = tick + 1
  if tick > LAST_TICK_OF_MODEL then
    run_replay(tick)
    return
  end
  if tick == 1 then key_reads = rom.reads_per_frame end
  model_step(held_keys)
  compare()
  if timeline[tick] then timeline[tick]() end
  held_keys = emu:getKeys()
  if tick == LAST_TICK_OF_MODEL then report_end_of_model() end
end

local function ending_frame(number)
  if tick == 0 and not started() then return end
  tick = tick + 1
  if tick == 5 then command(number) end
  if tick == 30 then -- nothing fired
    check("command " .. number .. " is noticed by the host", false)
    finish()
  end
end

local function expect_event(number, events)
  for _, event in ipairs(events) do
    callbacks:add(event, function()
      if finished then return end
      equal(event .. ": after the command was taken", read(0x1C), 1)
      equal(event .. ": last command", read(0x320), number)
      equal(event .. ": word is zero again", read(0x18), 0)
      finish()
    end)
  end
end

local frame = main_frame
if mode == "crash" then
  expect_event(4, { "crashed" })
  frame = function() ending_frame(4) end
elseif mode == "stop" then
  expect_event(5, { "stop", "sleep" }) -- mGBA reports a stopped GB as asleep, if the host requests that event
  frame = function() ending_frame(5) end
end

callbacks:add("keysRead", function() key_reads = key_reads + 1 end)
callbacks:add("frame", function()
  if finished then return end
  local good, problem = pcall(frame)
  if not good then
    check("script: " .. tostring(problem), false)
    finish()
  end
end)
