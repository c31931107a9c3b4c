-- mGBA-http's messages: all 62, as that program sends them, with the answers its clients know (and without its mistakes).

local t = require("harness")

local END <const> = "<|END|>"
local FILES <const> = { environment = { MGBA_BRIDGE_FOLDERS = "/games" } }

local function say(client, head)
  client:send(head .. END)
  local message = client:next()
  t.is_true(message, "no answer to " .. head)
  t.equal(message.kind, "legacy", "the kind of answer")
  return message.head
end

-- { message, answer }; an answer that starts with ^ is a pattern. In order: later ones see what earlier ones did.
local ROWS <const> = {
  { "core.getGameTitle,,,", "MGBABRIDGE" }, { "core.getGameCode,,,", "AGB-BBTE" }, { "core.platform,,,", "0" }, { "core.romSize,,,", "4096" },
  { "core.checksum,,,", "1378192596" }, { "core.frameCycles,,,", "280896" }, { "core.frequency,,,", "16777216" }, { "core.currentFrame,,,", "^%d+$" },
  { "core.write8,0x0203FF00,200,", "<|SUCCESS|>" }, { "core.read8,0x0203FF00,,", "200" }, { "core.read8,33816320,,", "200" },
  { "core.write16,0x0203FF02,65535,", "<|SUCCESS|>" }, { "core.read16,0x0203FF02,,", "65535" }, { "core.write16,0x0203FF02,0,", "<|SUCCESS|>" },
  { "core.write32,0x0203FF04,4294967295,", "<|SUCCESS|>" }, { "core.read32,0x0203FF04,,", "4294967295" },
  { "core.write8,0x04000301,128,", "<|ERROR|>" }, { "core.write16,0x04000301,128,", "<|ERROR|>" }, { "core.write32,0x040002FE,-1,", "<|ERROR|>" },
  { "core.readRange,0x0203FF00,9,", "c8,00,00,00,ff,ff,ff,ff,00" }, { "core.readRange,0x0203FF00,0,", "" },
  { "core.readRegister,lmao,,", "<|SUCCESS|>" }, { "core.readRegister,r15,,", "134225608" }, { "core.readRegister,r0,,", "-1" },
  { "core.writeRegister,r1,-7,", "<|SUCCESS|>" }, { "core.readRegister,r1,,", "-7" },
  { "coreAdapter.memory,,,", "^[%w,]+$" }, { "memoryDomain.base,wram,,", "33554432" }, { "memoryDomain.bound,wram,,", "33816576" },
  { "memoryDomain.size,wram,,", "262144" }, { "memoryDomain.name,wram,,", "EWRAM" },
  { "memoryDomain.write8,wram,0x3FF10,1", "<|SUCCESS|>" }, { "memoryDomain.read8,wram,0x3FF10,", "1" }, { "core.read8,0x0203FF10,,", "1" },
  { "memoryDomain.write16,wram,0x3FF12,513", "<|SUCCESS|>" }, { "memoryDomain.read16,wram,0x3FF12,", "513" },
  { "memoryDomain.write32,wram,0x3FF14,4294967295", "<|SUCCESS|>" }, { "memoryDomain.read32,wram,0x3FF14,", "4294967295" },
  { "memoryDomain.readRange,wram,0x3FF10,4", "01,00,01,02" },
  { "core.addKey,4,,", "<|SUCCESS|>" }, { "core.getKey,4,,", "1" }, { "core.getKeys,,,", "16" }, { "core.setKeys,9,,", "<|SUCCESS|>" },
  { "mgba-http.button.getAll,,,", "Start,A" }, { "core.setKeys,0,,", "<|SUCCESS|>" }, { "mgba-http.button.getAll,,,", "" }, { "core.getKeys,,,", "0" },
  { "core.addKeys,6,,", "<|SUCCESS|>" }, { "core.getKeys,,,", "6" }, { "core.clearKey,1,,", "<|SUCCESS|>" }, { "core.getKeys,,,", "^[46]$" },
  { "core.clearKeys,1023,,", "<|SUCCESS|>" },
  { "mgba-http.button.add,Start,,", "<|SUCCESS|>" }, { "mgba-http.button.get,Start,,", "1" }, { "mgba-http.button.get,0,,", "0" },
  { "mgba-http.button.addMany,Up;L,,", "<|SUCCESS|>" }, { "mgba-http.button.getAll,,,", "L,Up,Start" },
  { "mgba-http.button.clear,Start,,", "<|SUCCESS|>" }, { "mgba-http.button.clearMany,Up;L,,", "<|SUCCESS|>" },
  { "mgba-http.button.tap,A,,", "<|SUCCESS|>" }, { "mgba-http.button.tapMany,A;B,,", "<|SUCCESS|>" }, { "mgba-http.button.hold,A,5,", "<|SUCCESS|>" },
  { "mgba-http.button.holdMany,Left;R,3,", "<|SUCCESS|>" },
  { "core.saveStateSlot,2,31,", "true" }, { "core.loadStateSlot,2,29,", "true" }, { "core.loadStateSlot,9,29,", "false" },
  { "core.saveStateSlot,1,-1,", "true" }, { "core.saveStateSlot,1,4096,", "true" },
  { "core.saveStateFile,/games/a, b.ss1,31,", "true" }, { "core.loadStateFile,/games/a, b.ss1,29,", "true" },
    { "core.loadStateFile,/games/none.ss1,29,", "false" },
  { "core.saveStateBuffer,30,,", "^[%x,]+$" }, { "core.loadStateBuffer,[00,01],29,", "false" },
  { "core.loadSaveFile,/games/a,b.sav,True,", "true" }, { "core.loadSaveFile,/games/a.sav,False,", "true" },
    { "core.loadSaveFile,/games/unwritable.sav,False,", "false" },
  { "core.autoloadSave,,,", "true" }, { "core.screenshot,/games/shot, one.png,,", "<|SUCCESS|>" },
  { "core.loadFile,/games/none.gba,,", "false" }, { "mgba-http.extension.loadFile,/games/none.gba,,", "false" },
  { "core.loadFile,/games/other, 2.gba,,", "true" },
    { "mgba-http.extension.loadfile,/games/other, 2.gba,,", "true" }, { "mgba-http.extension.loadFile,/games/other, 2.gba,,", "true" },
  { "console.log,a,b,,", "<|SUCCESS|>" }, { "console.warn,w,,", "<|SUCCESS|>" }, { "console.error,e,,", "<|SUCCESS|>" },
  { "core.step,,,", "<|SUCCESS|>" }, { "coreAdapter.reset,,,", "<|SUCCESS|>" },
}

t.test("every message of mGBA-http answers as it does there", FILES, function(world)
  world.files["/games/other, 2.gba"] = { platform = "gba", title = "OTHER", code = "AGB-OTHR", crc32 = 7 }
  local c, types, count = world:connect(), {}, 0
  for _, row in ipairs(ROWS) do
    local answer = say(c, row[1])
    if row[2]:find("^%^") then
      t.matches(answer, row[2], row[1])
    else
      t.equal(answer, row[2], row[1])
    end
    local name = row[1]:match("^[^,]+")
    count, types[name] = count + (types[name] and 0 or 1), true
    world:frame(2)
  end
  t.equal(count, 62 + 1, "different messages, one of them under its older name")
  t.equal(world.console.log[#world.console.log], "a,b")
  t.equal(world.screenshots[1], "/games/shot, one.png")
  t.equal(world.saves[1][1], "/games/a,b.sav")
  t.equal(world.saves[1][2], true)
  t.equal(world.saves[2][2], false)
end)

local BAD <const> = {
  "core.read8,,,", "core.read8,zzz,,", "core.read16", "core.write8,0x02000000,,", "core.write8,,1,",
    "core.write8,0x02000000,x,",
  "core.readRange,0x02000000,-1,", "core.readRange,0x02000000,4294967295,", "core.readRange,0x02000000,,", "core.readRange,,,", "core.addKey,10,,",
    "core.addKey,-1,,", "core.addKey,,,",
  "core.addKey,x,,", "core.addKeys,1024,,", "core.addKeys,-1,,", "core.setKeys,x,,", "core.getKey,10,,", "core.clearKeys,,,", "core.nope,,,", "nope",
    "mgba-http.button.tap,Nope,,",
  "mgba-http.button.tap,,,", "mgba-http.button.hold,A,0,", "mgba-http.button.hold,A,-5,", "mgba-http.button.hold,A,x,", "mgba-http.button.hold,A,,",
    "mgba-http.button.hold,A,99999999999,",
  "mgba-http.button.addMany,,,", "mgba-http.button.addMany,A;Nope,,", "mgba-http.button.holdMany,A;B,,", "memoryDomain.read8,nope,0,",
    "memoryDomain.read8,,0,", "memoryDomain.base,nope,,",
  "memoryDomain.readRange,wram,0,-1", "memoryDomain.readRange,wram,0x40000,4294967295", "memoryDomain.write8,cart0,0x1000,1",
    "memoryDomain.readRange,wram,0,x", "core.writeRegister,nope,1,",
    "core.writeRegister,r0,x,",
  "core.writeRegister,r0,4294967296,", "core.saveStateSlot,x,31,", "core.saveStateSlot,10,31,", "core.saveStateSlot,1,x,", "core.loadStateSlot,,29,",
    "core.saveStateBuffer,x,,",
  "core.loadStateBuffer,,29,", "core.loadStateBuffer,[],29,", "core.loadStateBuffer,zz,29,", "core.loadStateBuffer,00,29,",
    "core.loadStateBuffer,[00,0],29,", "core.loadStateBuffer,[00 01],29,",
  "core.loadStateBuffer,[00,01],x,", "core.loadStateBuffer,[0g],29,", "console.log,,,", "core.loadFile,/etc/passwd,,", "core.loadFile,../x,,",
    "core.loadFile,,,", "core.loadSaveFile,/games/a.sav,maybe,",
  "core.screenshot,/etc/x.png,,", "core.screenshot,,,", "mgba-http.extension.loadFile,/etc/passwd,,", "x,y", "a b c", "getKeys",
}

t.test("every bad message gets <|ERROR|> once, a line in the console, and the next one works", FILES, function(world)
  local c = world:connect()
  for _, head in ipairs(BAD) do
    local lines = #world.console.warn
    t.equal(say(c, head), "<|ERROR|>", head)
    t.equal(say(c, "core.getGameCode,,,"), "AGB-BBTE", "after " .. head)
    t.equal(#world.console.warn, lines + 1, "console lines after " .. head)
    world:frame(60)
  end
  t.equal(world.core.keys, 0, "keys")
end)

t.test("console lines are limited: a client that errs all the time does not fill the window", function(world)
  local c = world:connect()
  c:send(("nope,,,<|END|>"):rep(500))
  for _ = 1, 500 do
    t.equal(c:next().head, "<|ERROR|>")
  end
  t.is_true(#world.console.warn <= 20, #world.console.warn .. " lines")
end)

t.test("the error without allowed folders names the setting", function(world)
  local c = world:connect()
  t.equal(say(c, "core.loadFile,/games/a.gba,,"), "<|ERROR|>")
  t.matches(world.console.warn[1], "MGBA_BRIDGE_FOLDERS")
end)

t.test("answers come in the order of the requests, the long ones too", function(world)
  local c = world:connect()
  c:send(table.concat({ "core.getGameCode,,,", "core.readRange,0x02000000,100000,", "core.platform,,,", "core.saveStateBuffer,30,,",
    "core.romSize,,,", "" }, END))
  t.equal(c:next().head, "AGB-BBTE")
  t.equal(#c:next().head, 299999)
  t.equal(c:next().head, "0")
  t.is_true(#c:next().head > 1000000)
  t.equal(c:next().head, "4096")
end)

t.test("a state is saved and loaded as hex in either case", function(world)
  local c = world:connect()
  say(c, "core.write8,0x02001000,7,")
  local hex = say(c, "core.saveStateBuffer,30,,")
  say(c, "core.write8,0x02001000,8,")
  t.equal(say(c, "core.loadStateBuffer,[" .. hex .. "],29,"), "true")
  t.equal(say(c, "core.read8,0x02001000,,"), "7")
  say(c, "core.write8,0x02001000,8,")
  t.equal(say(c, "core.loadStateBuffer,[" .. hex:upper() .. "],,"), "true")
  t.equal(say(c, "core.read8,0x02001000,,"), "7")
end)

t.test("a hex upload that arrives slowly", function(world)
  local c = world:connect()
  local hex = say(c, "core.saveStateBuffer,30,,")
  local message = "core.loadStateBuffer,[" .. hex .. "],29," .. END .. "core.platform,,," .. END
  for at = 1, #message, 5000 do
    c:send(message:sub(at, at + 4999))
    world:frame()
  end
  t.equal(c:next().head, "true")
  t.equal(c:next().head, "0")
end)

t.test("a hex upload without end is refused", function(world)
  local c = world:connect()
  c:send("core.loadStateBuffer,[" .. ("00,"):rep(1500000))
  world:frame(130)
  t.matches(c:take(), "head%-too%-long")
  t.is_true(c.closed_by_script)
end)

t.test("values in the style of mGBA-http's integers: negative and large writes are cut like there", function(world)
  local c = world:connect()
  t.equal(say(c, "core.write8,0x02001000,-1,"), "<|SUCCESS|>")
  t.equal(say(c, "core.read8,0x02001000,,"), "255")
  t.equal(say(c, "core.write8,0x02001000,511,"), "<|SUCCESS|>")
  t.equal(say(c, "core.read8,0x02001000,,"), "255")
end)

t.test("text with markers, quotes, commas and line breaks", function(world)
  local c = world:connect()
  for _, text in ipairs({ "a,b,c,d", ",", "<|SUCCESS|>", 'quote " here', "two\nlines", "%s %d", "GET /x HTTP/1.1", "POST it", "trailing " }) do
    t.equal(say(c, "console.log," .. text .. ",,"), "<|SUCCESS|>", text)
    t.equal(world.console.log[#world.console.log], text)
  end
end)

t.test("v2 and legacy messages mix on one connection", function(world)
  local c = world:connect()
  c:send("#1 ping" .. END .. "core.platform,,," .. END .. "#2 echo x" .. END)
  t.equal(c:next().id, 1)
  t.equal(c:next().head, "0")
  t.equal(c:next().id, 2)
end)

t.test("tap holds 15 frames, hold takes frames, many press together", function(world)
  local c = world:connect()
  say(c, "mgba-http.button.tap,A,,")
  say(c, "mgba-http.button.hold,B,7,")
  say(c, "mgba-http.button.tapMany,Up;Left,,")
  world:frame(60)
  local down, length = {}, {}
  for _, event in ipairs(world.key_log) do
    if event.kind == "down" then
      down[event.key] = event.frame
    else
      length[event.key] = event.frame - down[event.key]
    end
  end
  t.equal(length[0], 15, "frames of A")
  t.equal(length[1], 7, "frames of B")
  t.equal(length[6], 15, "frames of Up")
  t.equal(down[6], down[5], "Up and Left go down together")
end)

-- { message, answer }: mGBA maps addresses beyond the end.
local BEYOND <const> = {
  { "memoryDomain.write8,wram,0x40010,7", "<|SUCCESS|>" }, { "memoryDomain.read8,wram,0x10,", "7" }, { "memoryDomain.read8,wram,0x02000010,", "7" },
  { "memoryDomain.write32,wram,0x3FFFE,0x04030201", "<|SUCCESS|>" }, { "memoryDomain.readRange,wram,0x3FFFC,8", "01,02,03,04,00,00,00,00" },
  { "memoryDomain.write16,wram,0x40000,0x0605", "<|SUCCESS|>" }, { "memoryDomain.readRange,wram,0x3FFFF,3", "04,05,06" },
  { "memoryDomain.read32,wram,-4,", "67305985" }, { "memoryDomain.read16,wram,0x40001,", "1541" },
  { "memoryDomain.write8,io,0x301,128", "<|SUCCESS|>" }, { "memoryDomain.write8,io,0x500,1", "<|SUCCESS|>" },
  { "core.read8,0x100000000,,", "0" }, { "core.read8,-1,,", "0" }, { "core.read8,0x102000010,,", "7" }, { "core.read32,0xFFFFFFFE,,", "0" },
  { "core.write32,0xFFFFFFFE,1,", "<|SUCCESS|>" }, { "core.readRange,0xFFFFFFFF,2,", "00,00" },
}

t.test("access beyond the end of memory is answered as mGBA maps it, and v2 still refuses it", function(world)
  local c = world:connect()
  for _, row in ipairs(BEYOND) do
    t.equal(say(c, row[1]), row[2], row[1])
  end
  t.equal(t.ok(c:call("holder=compat memory.read8 wram:0x40010")).head:match("%d+$"), "7")
  t.equal(t.ok(c:call("holder=compat memory.read wram:0x3FFFF 3")).tail, "\4\5\6")
  t.ok(c:call("holder=compat memory.write8 wram:0x40011 9"))
  t.equal(say(c, "core.read8,0x02000011,,"), "9")
  t.refused(c:call("memory.read8 wram:0x40010"), "bad-address")
  t.refused(c:call("memory.read wram:0x3FFFF 3"), "bad-address")
  t.refused(c:call("memory.write8 wram:0x40011 9"), "bad-address")
  t.refused(c:call("memory.write8 cart0:0x1000 9"), "bad-address", "ROM")
end)

t.test("a Game Boy's bus ends at 0xFFFF and begins again", { platform = "gb" }, function(world)
  local c = world:connect()
  t.equal(say(c, "core.write8,0x1C001,7,"), "<|SUCCESS|>")
  t.equal(say(c, "core.read8,0xC001,,"), "7")
  t.equal(#say(c, "core.readRange,0xFFFF,65538,"), 65538 * 3 - 1)
end)

t.test("clear and setKeys end the running and waiting presses of their own holder only", function(world)
  local c = world:connect()
  for _, message in ipairs({ "mgba-http.button.clear,A,,", "mgba-http.button.clearMany,A;B,,", "core.clearKey,0,,", "core.clearKeys,3,,",
    "core.setKeys,64,," }) do
    local before = world.edges[0] or 0
    t.ok(c:call("holder=other keys.tap Start frames=20"))
    say(c, "mgba-http.button.holdMany,A;Up,600,")
    say(c, "mgba-http.button.tap,A,,")
    say(c, "mgba-http.button.tap,A,,")
    world:frame(3)
    say(c, message)
    t.equal(say(c, "mgba-http.button.getAll,,,"), "Up,Start", message)
    world:frame(1)
    t.equal(world.core.keys, 72, "in the game after " .. message)
    world:frame(700)
    t.equal(world.edges[0] - before, 2, "presses of A with " .. message)
    say(c, "core.clearKeys,1023,,")
    world:frame(1)
    t.equal(world.core.keys, 0, "after all")
  end
end)

t.test("a press that is cleared in its own frame is seen for that frame, and reported as released", function(world)
  local c = world:connect()
  c:send("mgba-http.button.tap,A<|END|>mgba-http.button.clear,A<|END|>core.getKeys<|END|>")
  t.equal(c:next().head, "<|SUCCESS|>")
  t.equal(c:next().head, "<|SUCCESS|>")
  t.equal(c:next().head, "0")
  world:frame(2)
  t.equal(world.edges[0], 1, "presses")
  t.equal(world.core.keys, 0)
end)

t.test("setKeys takes a running press over without an edge, and the key stays down", function(world)
  local c = world:connect()
  say(c, "mgba-http.button.hold,A,5,")
  world:frame(2)
  say(c, "core.setKeys,1,,")
  world:frame(30)
  t.equal(world.core.keys, 1)
  t.equal(world.edges[0], 1, "presses")
end)

t.test("keys.clear and keys.set end the presses of the holder compat only", function(world)
  local c = world:connect()
  t.ok(c:call("holder=compat keys.tap A frames=600"))
  t.ok(c:call("holder=compat keys.clear 1"))
  t.ok(c:call("holder=bot keys.tap B frames=600"))
  t.ok(c:call("holder=bot keys.clear 2"))
  world:frame(2)
  t.equal(world.core.keys, 2)
end)

t.test("messages of older versions: other names, and a frame that passes", function(world)
  local c = world:connect()
  say(c, "core.addKey,Start,,")
  t.equal(say(c, "core.getKey,Start,,"), "1")
  say(c, "core.clearKey,Start,,")
  for _, message in ipairs({ "mgba-http.button,A,,", "mgba-http.button.tapmany,A;B,,", "mgba-http.button.holdmany,A;B,3," }) do
    t.equal(say(c, message), "<|SUCCESS|>", message)
  end
  world:frame(80)
  t.equal(world.edges[0], 3, "presses")
  local before = tonumber(say(c, "core.currentFrame,,,"))
  t.equal(say(c, "core.runFrame,,,"), "<|SUCCESS|>")
  t.is_true(tonumber(say(c, "core.currentFrame,,,")) > before, "a frame passed")
end)

t.test("five quick taps are five presses", function(world)
  local c = world:connect()
  c:send(("mgba-http.button.tap,A,,<|END|>"):rep(5))
  world:frame(120)
  t.equal(world.edges[0], 5)
  t.equal(world.core.keys, 0)
end)

t.test("a legacy connection that closes while its long answer is made", function(world)
  local c, d = world:connect(), world:connect()
  c:send("core.saveStateBuffer,30,," .. END .. "core.write8,0x02001000,1,," .. END)
  world:frame(1)
  c:reset()
  world:frame(5)
  t.ok(d:call("ping"))
end)

t.test("what a client set is what it reads, in the same frame, and the game sees every press of it", function(world)
  local c = world:connect()
  for _, step in ipairs({ { "mgba-http.button.add,A", "1" }, { "mgba-http.button.clear,A", "0" }, { "mgba-http.button.add,A", "1" },
    { "mgba-http.button.clear,A", "0" } }) do
    c:send(step[1] .. "<|END|>mgba-http.button.get,A<|END|>core.getKeys<|END|>mgba-http.button.getAll<|END|>")
    t.equal(c:next().head, "<|SUCCESS|>")
    t.equal(c:next().head, step[2], "after " .. step[1])
    t.equal(c:next().head, step[2])
    t.equal(c:next().head, step[2] == "1" and "A" or "")
  end
  world:frame(8)
  t.equal(world.edges[0], 2, "presses of A")
  t.equal(world.core.keys, 0)
end)

t.test("levels of the old dialect stay when its connection goes", function(world)
  local c = world:connect()
  say(c, "core.addKey,0,,")
  c:close()
  world:frame(300)
  t.equal(world.core.keys, 1)
  local d = world:connect()
  t.ok(d:call("holder=compat keys.clear A"))
  world:frame(2)
  t.equal(world.core.keys, 0)
end)

t.test("v2 requests for the holder compat leave their levels too", function(world)
  local c = world:session("s")
  t.ok(c:call("holder=compat keys.add A"))
  t.ok(c:call("keys.add B"))
  c:close()
  world:frame(300)
  t.equal(world.core.keys, 1)
end)

t.test("a Game Boy's registers and domains", { platform = "gb" }, function(world)
  local c = world:connect()
  t.equal(say(c, "core.platform,,,"), "1")
  t.equal(say(c, "core.readRegister,a,,"), "1")
  t.equal(say(c, "memoryDomain.size,hram,,"), "127")
  t.equal(say(c, "core.addKey,8,,"), "<|SUCCESS|>")
end)

t.test("taps faster than a tap lasts are seen each, soon, and in their order", function(world)
  local c = world:connect()
  for _ = 1, 50 do
    say(c, "mgba-http.button.tap,A,,")
    world:frame(5)
  end
  t.equal(world.edges[0], 50, "presses of A")
  world:frame(20)
  t.equal(world.core.keys, 0)
  local first = #world.key_log
  c:send(("mgba-http.button.tap,Down,,<|END|>"):rep(2) .. "mgba-http.button.tap,A,,<|END|>mgba-http.button.tap,Down,,<|END|>")
  world:frame(60)
  local downs = {}
  for i = first + 1, #world.key_log do
    local event = world.key_log[i]
    downs[#downs + 1] = event.kind == "down" and event.key or nil
  end
  t.equal(table.concat(downs, " "), "7 7 0 7", "keys in the order in which they went down")
end)
