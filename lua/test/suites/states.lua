-- What is checked before a save state reaches mGBA. lua/test/real/test_states.py does the same on a real core, and more.

local t = require("harness")
local wire = require("wire")

local SIZE <const> = 0x61000
local END <const> = "<|END|>"

--- A state of the fake core, with these bytes at `at`.
local function changed(data, at, bytes)
  return data:sub(1, at) .. bytes .. data:sub(at + #bytes + 1)
end

local function saved(c)
  return t.ok(c:call("state.get flags=0")).tail
end

local BAD <const> = {
  { "the picture's line", 0x406, "\xe4\x00" }, { "the picture's line", 0x406, "\x00\x03" }, { "count of processor cycles", 0x68, "\xff\xff\xff\xff" },
  { "next sound sample", 0x1d4, "\x01\x04\x00\x00" }, { "next line", 0x1f4, "\x00\x00\x00\x40" }, { "next line", 0x1f4, "\x00\x00\x00\x80" },
  { "program counter", 0x5c, "\x00\x40\x00\x00" }, { "program counter", 0x5c, "\x00\x00\x00\x04" }, { "processor's mode", 0x60, "\x15" },
  { "divider of timer 2", 0x238, "\x0f" }, { "next event of timer 0", 0x208, "\x00\x00\x00\x40\0\0\0\0\x40" },
  { "next interrupt", 0x31c, "\x04\0\0\0\0\0\0\x80" },
  { "kind of save data", 0x2e0, "\x09" }, { "the end of writing", 0x2e2, "\x20\0\0\0\0\x80" }, { "count of bytes", 0x294, "\x08" },
}

for _, row in ipairs(BAD) do
  t.test(("0x%X: %s is refused before it reaches mGBA"):format(row[2], row[1]), function(world)
    local c = world:connect()
    local good = saved(c)
    local before = world.core.frame
    t.refused(c:call("state.load", changed(good, row[2], row[3])), "not-a-state", row[1])
    t.is_true(world.core.frame >= before, "the game went on")
    t.ok(c:call("state.load", good))
  end)
end

t.test("the table of extra data: what is outside is refused, what is empty or not taken is left out", function(world)
  local c = world:connect()
  local core = saved(c):sub(1, SIZE)
  local function with(...)
    return core .. string.pack("<I4i4i8", ...) .. ("\0"):rep(80)
  end
  for _, entry in ipairs({ { 2, -1, SIZE }, { 2, 81, SIZE + 16 }, { 2, 1, SIZE - 1 }, { 2, 1, -1 }, { 9, 0x7fffffff, SIZE }, { 2, 8, math.maxinteger } }) do
    t.refused(c:call("state.load", with(table.unpack(entry))), "not-a-state", "extra data")
  end
  t.refused(c:call("state.load", core .. string.pack("<I4i4i8", 9, 1, SIZE):rep(65)), "not-a-state", "64 entries")
  for _, entry in ipairs({ { 2, 0, SIZE + 16 }, { 9, 8, SIZE + 16 }, { 2, 8, SIZE + 32 } }) do
    t.ok(c:call("state.load", with(table.unpack(entry))))
  end
  t.ok(c:call("state.load", core))
end)

t.test("extra data: a clock of an unknown type and save data beyond a save file are refused", function(world)
  local c = world:connect()
  local core = saved(c):sub(1, SIZE)
  local function with(tag, data)
    return core .. string.pack("<I4i4i8", tag, #data, SIZE + 32) .. ("\0"):rep(16) .. data
  end
  for kind = 0, 3 do
    t.ok(c:call("state.load", with(4, string.pack("<I4I4i8", kind, 0, 0))))
  end
  for _, clock in ipairs({ string.pack("<I4I4i8", 4, 0, 0), string.pack("<I4I4i8", 0x7f0000, 0, 0), "\1\0\0\0" }) do
    t.refused(c:call("state.load", with(4, clock)), "not-a-state", "clock")
  end
  t.ok(c:call("state.load", with(2, ("x"):rep(0x20100))))
  t.refused(c:call("state.load", with(2, ("x"):rep(0x20101))), "not-a-state", "save data")
end)

t.test("a PNG state takes frames, is loaded with what it holds, and cannot be in a batch", { packs_states = true }, function(world)
  local c = world:connect()
  world.packs_states = true
  t.ok(c:call("memory.write8 0x02001000 7"))
  local png = t.ok(c:call("state.get flags=31")).tail
  t.ok(c:call("memory.write8 0x02001000 1"))
  t.ok(c:call("state.load", png))
  t.equal(t.ok(c:call("memory.read8 0x02001000")).text, "7")
  local reply = t.ok(c:call("batch.run", "+" .. #png .. " state.load" .. END .. png))
  t.matches(reply.tail, "^error not%-a%-state .*batch")
  t.refused(c:call("state.load", changed(png, 100000, "\1")), "not-a-state", "checksum")
  t.refused(c:call("state.load", png:sub(1, 50000)), "not-a-state", "beyond its end")
end)

t.test("a kept state is recalled, also where the host keeps none", { host = "headless" }, function(world)
  local c, replies = world:session("s"), {}
  for number, head in ipairs({ "state.keep start", "lease.take", "lease.step 2 state=start", "lease.step 0 state=other", "lease.release" }) do
    world:at(world.now + number * 40000, function()
      c:send(wire.request(number + 10, head))
    end)
  end
  for _ = 1, 40 do
    world:frame()
    for _, message in ipairs(c:all()) do
      if message.kind == "reply" then
        replies[message.id] = message
      end
    end
  end
  t.ok(replies[11])
  t.equal(t.ok(replies[13]).frame - t.ok(replies[12]).frame, 2)
  t.refused(replies[14], "not-found", "state.keep")
  t.ok(replies[15])
end)

local FOREIGN <const> = {
  { "gzip", "\x1f\x8b\x08\0\0\0" }, { "RetroArch", "RASTATE\1MEM \4\0\0\0abcd" }, { "compressed by RetroArch", "#RZIPv\1#" },
  { "VisualBoyAdvance", "\x0a\0\0\0POKEMON FIREBPRE\0\0\0\0\0\0\0\0" .. ("\7"):rep(400000) }, { "BizHawk", "PK\3\4" }, { "Mednafen", "MDFNSVST" },
  { "NO%$GBA", "NO$GBA Snapshot" }, { "DeSmuME", "DeSmuME SState\0" }, { "SameBoy", ("\3"):rep(70000) .. "BESS" }, { "%.gsv", "ADVSAVEG" },
  { "%.sps", "\13\0\0\0SharkPortSave" }, { "a Game Boy game", "\3\0\x40\0" .. ("\0"):rep(0x11800) }, { "a ROM", "\x2e\0\0\xEA\x24\xFF\xAE\x51" },
  { "save file", ("\0"):rep(32768) },
}

for _, row in ipairs(FOREIGN) do
  t.test(("what is not a state of mGBA is named: %s"):format(row[1]), function(world)
    t.refused(world:connect():call("state.load", row[2]), "not-a-state", row[1])
  end)
end
