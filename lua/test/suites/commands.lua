-- Every command of the table, used as docs/protocol.md describes.

local t = require("harness")

local function bytes_at(world, address, length)
  local list = {}
  for i = 0, length - 1 do
    list[i + 1] = string.char(world.core.bytes[address + i] or 0)
  end
  return table.concat(list)
end

t.test("hello reports the script, the game and the limits", function(world)
  local c = world:connect()
  local reply = t.ok(c:call('hello 3 client="tests" session=abc'))
  local named = reply.named
  t.equal(named.protocol, 3)
  t.equal(named.mgba, "0.10")
  t.equal(named.host, "qt")
  t.matches(named.nonce, "^%x+$")
  t.equal(named.port, world:port())
  t.equal(named.game, true)
  t.equal(named.title, "MGBABRIDGE")
  t.equal(named.code, "AGB-BBTE")
  t.equal(named.crc32, 1378192596)
  t.equal(named.platform, "gba")
  t.equal(named.resumed, false)
  t.equal(named.head, 65536)
  t.equal(named.tail, 4194304)
  t.equal(named.inflight, 256)
  t.equal(named.connections, 600)
  t.equal(named.replies, 4096)
  t.matches(named.capabilities, "registers")
end)

t.test("every reply names a frame that never goes back, and the epoch", function(world)
  local c = world:connect()
  local last, epoch = 0, nil
  for _, head in ipairs({ "ping", "game.reset", "ping", "state.get", "nope", "ping" }) do
    local reply = c:call(head)
    t.is_true(reply.frame >= last, "the frame went back")
    last, epoch = reply.frame, epoch or reply.epoch
    t.equal(reply.epoch, epoch)
    world:frame(3)
  end
end)

t.test("commands lists every row, and each row answers without arguments", function(world)
  local c = world:connect()
  local list = t.ok(c:call("commands"))
  t.is_true(list.values.n >= 47, "only " .. list.values.n .. " commands")
  for i = 1, list.values.n do
    local name, kind = list.values[i]:match("^(%S+) (%S+) .+$")
    t.is_true(kind == "read" or kind == "effect", list.values[i])
    t.is_true(name ~= nil and c:call(name), name)
  end
end)

t.test("game.get", function(world)
  local reply = t.ok(world:connect():call("game.get"))
  t.equal(reply.named.title, "MGBABRIDGE")
  t.equal(reply.named.rom_size, 4096)
  t.equal(reply.named.frame_cycles, 280896)
  t.equal(reply.named.frequency, 16777216)
end)

t.test("game_code comes from the ROM header, not from what mGBA reports", function(world)
  local c = world:connect()
  t.equal(c:call("game.get").named.game_code, "BBTE")
  world:close_game()
  world:open_game("gb")
  t.equal(c:call("game.get").named.game_code, "BBTE", "a Game Boy header of the newer form")
  t.equal(c:call("game.get").named.code, "DMG-")
end)

t.test("game_code is nil where the ROM header has none", function(world)
  local c = world:connect()
  world:open_game("gb", { header = { [0x14b] = 1 } })
  t.matches(c:call("game.get").text, "game_code=nil$", "a Game Boy header of the older form")
  world:close_game()
  world:open_game("gb", { header = { [0x140] = 0 } })
  t.matches(c:call("game.get").text, "game_code=nil$", "a Game Boy header without letters")
  world:close_game()
  world:open_game("gba", { header = { [0x080000ae] = 0x20 } })
  t.matches(c:call("game.get").text, "game_code=nil$", "a GBA header without letters")
end)

t.test("game.frame, game.checksum, game.step, game.reset", function(world)
  local c = world:connect()
  t.matches(t.ok(c:call("game.frame")).text, "^%d+$")
  t.ok(c:call("game.checksum"), "1378192596")
  t.ok(c:call("game.step"), "")
  t.equal(world.steps, 1)
  t.ok(c:call("game.reset"), "")
  t.equal(world.resets, 1)
end)

t.test("a step behind a reset or a loaded state comes a frame later", function(world)
  local c = world:session("s")
  t.ok(c:call("state.save_slot 1"))
  local state = t.ok(c:call("state.get")).tail
  for _, row in ipairs({ { "game.reset" }, { "state.load_slot 1" }, { "state.load", state } }) do
    local before = world.steps
    local moved, first, second = c:request(row[1], row[2]), c:request("game.step"), c:request("game.step")
    local frames = {}
    for _ = 1, 3 do
      local reply = c:next()
      while reply.kind == "event" do
        reply = c:next()
      end
      frames[reply.id] = t.ok(reply).frame
    end
    t.equal(frames[first], frames[moved] + 1, "the frame of the step")
    t.equal(frames[second], frames[moved] + 1)
    t.equal(world.steps, before + 2)
  end
  c:send("coreAdapter.reset,,,<|END|>core.step,,,<|END|>core.platform,,,<|END|>")
  c:all()
  world:frame(4)
  local answers = {}
  for _, message in ipairs(c:all()) do
    answers[#answers + 1] = message.kind == "legacy" and message.head or nil
  end
  t.equal(table.concat(answers, " "), "<|SUCCESS|> <|SUCCESS|> 0")
  local reply = t.ok(c:call("batch.run", "game.reset<|END|>game.step<|END|>"))
  t.equal(reply.named.done, 1)
  t.matches(reply.tail, 'error busy "')
end)

t.test("a frame that ends inside game.step is not counted and serves nothing", function(world)
  local c, other = world:session("s"), world:session("other")
  world.step_ends_frame = true
  local before, ids = t.ok(c:call("game.frame")), {}
  for i = 1, 5 do
    ids[i] = c:request("game.step")
  end
  local waiting, write = other:request("wait.until frames=2"), other:request("memory.write8 0x02000000 1")
  world:frame()
  for i = 1, 5 do
    local reply = t.ok(c:next())
    t.equal(reply.id, ids[i], "each step is answered once, in order")
    t.equal(reply.frame, before.frame + 1, "the script's frame does not move in a step")
  end
  t.equal(world.steps, 5)
  t.equal(t.ok(other:next()).id, write)
  world:frame(2)
  local reply = t.ok(other:next())
  t.equal(reply.id, waiting)
  t.equal(reply.frame, before.frame + 3, "frames inside steps do not count for a wait")
  t.is_true(tonumber(t.ok(c:call("game.frame")).text) >= tonumber(before.text) + 5, "mGBA counts them")
  t.ok(c:call("batch.run", ("game.step<|END|>"):rep(3)))
  t.equal(world.steps, 8)
  t.equal(#c:all() + #other:all(), 0, "nothing is answered twice")
end)

t.test("a reset with other scripts' callbacks leaves the rest of the frame working", function(world)
  local seen = 0
  world.registry.mCtx = "context"
  world.globals.callbacks:add("reset", function() seen = seen + 1 end)
  world.registry.mCtx = nil
  local c = world:connect()
  c:send("#1 game.reset<|END|>#2 game.frame<|END|>#3 memory.read16 0x04000130<|END|>#4 ping<|END|>")
  for id = 1, 4 do
    local reply = t.ok(c:next())
    t.equal(reply.id, id)
  end
  t.equal(seen, 1)
end)

t.test("reading the key register runs other scripts' keysRead and completes", function(world)
  local seen = 0
  world.registry.mCtx = "context"
  world.globals.callbacks:add("keysRead", function() seen = seen + 1 end)
  world.registry.mCtx = nil
  local c = world:connect()
  for _, head in ipairs({ "memory.read8 0x04000130", "memory.read8 0x04000131", "memory.read16 0x04000130", "memory.read32 0x04000130",
    "memory.read16 0x0400012f", "memory.read32 0x0400012e", "memory.read 0x04000100 0x40", "memory.gather 0x04000130 2" }) do
    c:send("#1 " .. head .. "<|END|>#2 game.frame<|END|>")
    t.ok(c:next())
    t.ok(c:next())
  end
  t.is_true(seen >= 8, "keysRead ran " .. seen .. " times")
end)

t.test("reading the key register of a Game Boy in its domain completes", { platform = "gb" }, function(world)
  local seen = 0
  world.registry.mCtx = "context"
  world.globals.callbacks:add("keysRead", function() seen = seen + 1 end)
  world.registry.mCtx = nil
  local c = world:connect()
  for _, head in ipairs({ "memory.read8 io:0", "memory.read io:0x0 128", "memory.gather io:0 2 0xC000 2", "memory.read 0xFF00 2" }) do
    c:send("#1 " .. head .. "<|END|>#2 game.frame<|END|>")
    t.ok(c:next())
    t.ok(c:next())
  end
  t.equal(seen, 4)
end)

t.test("memory.domains gives five values a domain", function(world)
  local reply = t.ok(world:connect():call("memory.domains"))
  t.equal(reply.values.n, 50)
  local found
  for i = 1, reply.values.n, 5 do
    if reply.values[i] == "wram" then
      found = table.concat(reply.values, " ", i, i + 4)
    end
  end
  t.equal(found, "wram EWRAM 33554432 33816576 262144")
end)

t.test("memory.write and memory.read at every alignment and length", function(world)
  local c = world:connect()
  for offset = 0, 5 do
    for length = 0, 13 do
      local data = {}
      for i = 1, length do
        data[i] = string.char(math.random(0, 255))
      end
      data = table.concat(data)
      local address = 0x02001000 + offset + length * 64
      local reply = t.ok(c:call(("memory.write 0x%X"):format(address), data))
      t.equal(reply.named.first, reply.named.last)
      t.equal(bytes_at(world, address, length), data)
      t.equal(bytes_at(world, address + length, 4), "\0\0\0\0", "what follows")
      t.equal(t.ok(c:call(("memory.read %d %d"):format(address, length))).tail, data)
      t.equal(t.ok(c:call(("memory.read wram:%d %d"):format(address - 0x02000000, length))).tail, data)
    end
  end
end)

for _, odd in ipairs({ false, true }) do
  t.test("long reads of the work memory, out of a state" .. (odd and " that is laid out in an unknown way" or ""), function(world)
    world.odd_states = odd
    local c = world:session("s")
    for i = 0, 0x3ffff, 61 do
      world.core.bytes[0x02000000 + i] = i * 7919 % 256
    end
    for _, range in ipairs({ { 0, 262144 }, { 1, 262143 }, { 100001, 100000 }, { 163840, 98304 }, { 77, 98303 } }) do
      local wanted = bytes_at(world, 0x02000000 + range[1], range[2])
      t.is_true(t.ok(c:call(("memory.read %d %d"):format(0x02000000 + range[1], range[2]))).tail == wanted, "on the bus from " .. range[1])
      t.is_true(t.ok(c:call(("memory.read wram:%d %d"):format(range[1], range[2]))).tail == wanted, "in the domain from " .. range[1])
    end
    t.refused(c:call("memory.read wram:1 262144"), "bad-address")
    t.equal(#t.ok(c:call("memory.read 0x02000001 262144")).tail, 262144)
  end)
end

t.test("a long read far outside the domain is refused, and those after it still come out of a state", function(world)
  local c = world:session("s")
  t.refused(c:call("memory.read wram:0x7FFFFFFFFFFFFFFF 98304"), "bad-address")
  local before = #world.snapshots
  t.ok(c:call("memory.read wram:0 98304"))
  t.equal(#world.snapshots, before + 1)
end)

t.test("numbers of 8, 16 and 32 bits, aligned and not, on the bus and in a domain", function(world)
  local c = world:connect()
  for _, width in ipairs({ 8, 16, 32 }) do
    for offset = 0, 3 do
      for _, place in ipairs({ "0x%X", "wram:0x%X" }) do
        local at = place:format((place == "0x%X" and 0x02000000 or 0) + 0x1000 + offset)
        local value = 0x12345678 & (1 << width) - 1
        t.ok(c:call(("memory.write%d %s %d"):format(width, at, value)), "")
        t.ok(c:call(("memory.read%d %s"):format(width, at)), tostring(value))
        t.ok(c:call(("memory.write%d %s -1"):format(width, at)), "")
        t.ok(c:call(("memory.read%d %s"):format(width, at)), tostring((1 << width) - 1))
      end
    end
  end
end)

t.test("byte writes to video memory, palette and sprites through a domain and as a range", function(world)
  local c = world:connect()
  for _, at in ipairs({ "vram:0x101", "palette:0x11", "oam:0x21" }) do
    t.ok(c:call("memory.write8 " .. at .. " 77"))
    t.ok(c:call("memory.read8 " .. at), "77")
    t.ok(c:call("memory.write " .. at, "abcdefg"))
    t.equal(c:call("memory.read " .. at .. " 7").tail, "abcdefg")
  end
  for _, at in ipairs({ 0x06000101, 0x05000011, 0x07000021 }) do
    t.ok(c:call("memory.write " .. at, "ABCDE"))
    t.equal(c:call("memory.read " .. at .. " 5").tail, "ABCDE")
  end
end)

t.test("save memory takes single bytes", function(world)
  local c = world:connect()
  t.ok(c:call("memory.write 0x0E000000", "save data!"))
  t.equal(c:call("memory.read 0x0E000000 10").tail, "save data!")
end)

t.test("memory.write of 40,000 bytes is spread over frames, in order", function(world)
  local c = world:connect()
  local data = ("0123456789abcdef"):rep(2500)
  local reply = t.ok(c:call("memory.write 0x02010000", data))
  t.equal(reply.named.last - reply.named.first, 2, "frames between first and last")
  t.equal(bytes_at(world, 0x02010000, #data), data)
end)

t.test("two long writes and a read behind them", function(world)
  local c = world:connect()
  local one = c:request("memory.write 0x02010000", ("1"):rep(40000))
  local two = c:request("memory.write 0x02010000", ("2"):rep(40000))
  t.ok(c:call("memory.read8 0x02001000"), "0")
  local done = {}
  for _ = 1, 2 do
    local reply = c.others[_] or c:next()
    done[reply.id] = t.ok(reply)
  end
  t.is_true(done[one] and done[two], "both are answered")
  t.equal(bytes_at(world, 0x02010000, 40000), ("2"):rep(40000))
end)

t.test("a long write outside a domain is refused before anything is written", function(world)
  local c = world:connect()
  local before = world.core.writes
  t.refused(c:call("memory.write wram:0x38000", ("x"):rep(40000)), "bad-address")
  t.equal(world.core.writes, before, "writes")
end)

t.test("a long write that would stop the machine is refused before anything is written", function(world)
  local c = world:connect()
  local before = world.core.writes
  t.refused(c:call("memory.write 0x03FF8000", ("\xff"):rep(40000)), "bad-argument", "HALTCNT")
  t.equal(world.core.writes, before, "writes")
end)

t.test("writes beside HALTCNT and without its stop bit are made", function(world)
  local c = world:connect()
  for _, head in ipairs({ "8 0x04000301 0x7F", "16 0x04000300 0x7FFF", "8 0x04000300 255", "8 0x04000302 255", "32 0x04000302 -1" }) do
    t.ok(c:call("memory.write" .. head))
  end
  t.ok(c:call("memory.write 0x040002FF", "\xff\xff\x7f\xff"))
end)

t.test("memory.gather joins ranges in order", function(world)
  local c = world:connect()
  t.ok(c:call("memory.write 0x02001000", "abcdefgh"))
  t.equal(t.ok(c:call("memory.gather 0x02001004 2 wram:0x1000 3 0x02001000 0 0x02001007 1")).tail, "efabch")
  t.equal(#t.ok(c:call("memory.gather" .. (" 0x02001000 4"):rep(1024))).tail, 4096)
end)

t.test("1,024 numbers in one answer", function(world)
  local c = world:connect()
  local parts = {}
  for i = 0, 1023 do
    world.core.bytes[0x02001000 + i] = i & 0xff
    parts[#parts + 1] = ("0x%X"):format(0x02001000 + i)
  end
  local reply = t.ok(c:call("memory.read8 " .. table.concat(parts, " ")))
  t.equal(reply.values.n, 1024)
  t.equal(reply.values[1000], 999 & 0xff)
end)

t.test("registers are unsigned numbers", function(world)
  local c = world:connect()
  t.ok(c:call("registers.read r0"), "4294967295")
  t.ok(c:call("registers.read PC"), "134225608")
  t.ok(c:call("registers.write r1 0xFFFFFFFF"), "")
  t.equal(world.core.registers.r1, -1)
  t.ok(c:call("registers.read r1"), "4294967295")
  t.ok(c:call("registers.write R2 -5"), "")
  t.equal(world.core.registers.r2, -5)
end)

t.test("all registers are returned at once", function(world)
  local c = world:connect()
  local reply = c:call("registers.get")
  t.equal(reply.named.r0, 4294967295)
  t.equal(reply.named.pc, 134225608)
  t.equal(reply.named.cpsr, 0x1f)
end)

t.test("Game Boy registers lose the engine's garbage", { platform = "gb" }, function(world)
  local c = world:connect()
  t.ok(c:call("registers.read a"), "1")
  t.ok(c:call("registers.read hl"), tostring(0x5500 | 0x1234))
  t.refused(c:call("registers.read r0"), "not-found", "bc")
end)

t.test("the Game Boy's bus ends at 0xFFFF", { platform = "gb" }, function(world)
  local c = world:connect()
  t.ok(c:call("memory.write 0xC800", "abc"))
  t.equal(c:call("memory.read 0xC7FF 5").tail, "\0abc\0")
  t.ok(c:call("memory.read8 0xFFFF"))
  t.ok(c:call("memory.read16 0xC801"), tostring(("bc"):byte(1) | ("bc"):byte(2) << 8))
  t.refused(c:call("memory.read8 0x10000"), "bad-address", "0xFFFF")
  t.refused(c:call("memory.read 0xFFFF 2"), "bad-address")
  t.refused(c:call("keys.tap R"), "bad-key", "Game Boy")
  t.refused(c:call("keys.add A+L"), "bad-key")
  t.ok(c:call("keys.tap A"))
end)

t.test("state.get and state.load bring memory back", function(world)
  local c = world:connect()
  t.ok(c:call("memory.write8 0x02001000 1"))
  local state = t.ok(c:call("state.get")).tail
  t.is_true(#state > 0x61000, "the state is raw")
  t.ok(c:call("memory.write8 0x02001000 2"))
  t.ok(c:call("state.load", state), "")
  t.ok(c:call("memory.read8 0x02001000"), "1")
  t.equal(t.ok(c:call("state.get flags=31")).tail:sub(1, 4), "\x89PNG")
end)

t.test("slots", function(world)
  local c = world:connect()
  t.ok(c:call("memory.write8 0x02001000 5"))
  t.ok(c:call("state.save_slot 9"), "")
  t.ok(c:call("memory.write8 0x02001000 6"))
  t.ok(c:call("state.load_slot 9 flags=29"), "")
  t.ok(c:call("memory.read8 0x02001000"), "5")
  t.refused(c:call("state.load_slot 8"), "not-found", "8")
end)

local FILES <const> = { environment = { MGBA_BRIDGE_FOLDERS = "/games;/states/" } }

t.test("files below the allowed folders", FILES, function(world)
  local c = world:connect()
  t.matches(c:call("hello 3").named.capabilities, "files")
  t.ok(c:call('state.save_file "/states/a, b.ss1"'), "")
  t.ok(c:call('state.load_file "/states/a, b.ss1" flags=29'), "")
  t.ok(c:call("state.save_file relative.ss1"), "")
  t.is_true(world.files["/games/relative.ss1"], "a relative path starts in the first folder")
  t.refused(c:call("state.load_file /states/none.ss1"), "not-found", "none")
  t.ok(c:call("save.load /games/a.sav true"), "")
  t.equal(world.saves[1][2], true)
  t.refused(c:call("save.load /games/unwritable.sav false"), "failed", "unwritable")
  t.ok(c:call("screen.save /games/shot.png"), "")
  t.equal(world.screenshots[1], "/games/shot.png")
end)

t.test("files outside them are forbidden", FILES, function(world)
  local c = world:connect()
  for _, path in ipairs({ "/etc/passwd", "/games", "/games/", "/games/../etc/passwd", "/gamesx/a", "../a", "a/../../b", ".", "./a", "C:/x", "\\\\x",
    "/games/./a", "/games/a\\\\..\\\\b", "a\\x00b" }) do
    t.refused(c:call('state.save_file "' .. path .. '"'), "forbidden")
  end
  t.refused(c:call('state.save_file ""'), "forbidden")
end)

t.test("names that are no ordinary file names are forbidden, for every command with a path", FILES, function(world)
  local c = world:connect()
  for _, name in ipairs({ "CON", "nul", "AUX.txt", "com1", "Lpt9.sav.gz", "COM\xc2\xb9", "nul .txt", "conin$", "a:b", "a.sav:stream", "x.", "x ", " x", ".x",
    "-x", "a\\x07b", "a\\x7fb", "a<b", "a>b", 'a\\"b', "a\\x7cb", "a?b", "a*b", "a//b", "a/", "a/CON/b", "\xc0\xae\xc0\xae/b", "a\xffb",
    ("n"):rep(256) }) do
    for _, command in ipairs({ 'state.save_file "%s"', 'state.load_file "%s"', 'rom.load "%s"', 'save.load "%s" true', 'screen.save "/games/%s"' }) do
      t.refused(c:call((command:gsub("%%s", (name:gsub("%%", "%%%%"))))), "forbidden")
    end
  end
  for _, name in ipairs({ "Pokémon - Émeraude (F) [!], 2.sav", "con1", "lpt", "console.sav", "a.b.c", "a/b/c.ss1", "auxiliary", "~x", "x~1.sav",
    "100% & more'+#{}.ss1" }) do
    t.ok(c:call('state.save_file "' .. name .. '"'), "")
    t.is_true(world.files["/games/" .. name], name)
  end
  t.ok(c:call('state.save_file "/games/a\\\\b.ss1"'), "")
  t.is_true(world.files["/games/a/b.ss1"], "what is checked is what is opened")
end)

t.test("a FIFO is forbidden instead of opened: it would block the emulator", { load = false }, function(world)
  local pipe = assert(io.popen("d=$(mktemp -d) && mkfifo $d/fifo && : > $d/file && echo $d"))
  local folder = pipe:read("l")
  pipe:close()
  world.environment.MGBA_BRIDGE_FOLDERS = folder
  assert(world:load())
  local c = world:connect()
  t.equal(c:call("hello 3").named.folders, folder)
  for _, command in ipairs({ "state.save_file fifo", "state.load_file fifo", "rom.load fifo", "save.load fifo true", "screen.save " .. folder .. "/fifo" }) do
    t.refused(c:call(command), "forbidden", "not a regular file")
  end
  c:send("core.screenshot," .. folder .. "/fifo,,<|END|>")
  t.equal(c:next().head, "<|ERROR|>")
  t.ok(c:call("state.save_file file"), "")
  os.execute("rm -r " .. folder)
end)

t.test("rom.load", FILES, function(world)
  world.files["/games/other.gba"] = { platform = "gba", title = "OTHER", code = "AGB-OTHR", crc32 = 7 }
  world.files["/games/a.gb"] = { platform = "gb", state = ("\0"):rep(0x104) .. "\xce\xed\x66\x66" }
  local c = world:connect()
  local before = c:call("ping").epoch
  local reply = c:call("rom.load /games/other.gba")
  t.ok(reply, "")
  t.equal(world.resets, 1)
  local after = c:call("game.get")
  t.equal(after.named.title, "OTHER")
  t.is_true(after.epoch ~= before, "another game, another epoch, at once")
  t.equal(world.core.keys, 0)
  local resets, epoch = world.resets, after.epoch
  t.refused(c:call("rom.load /games/a.gb"), "failed", "a Game Boy Advance game; the game that runs continues")
  t.equal(c:call("ping").epoch, epoch)
  t.equal(world.resets, resets, "the game of another console resets nothing")
  t.refused(c:call("rom.load /games/none.gba"), "not-found", "none.gba")
  t.equal(world.resets, resets, "a file that is not there resets nothing")
  t.ok(c:call("rom.load /games/other.gba reset=false"), "")
  t.equal(world.resets, resets, "with reset=false")
  t.refused(c:call("rom.load /games/other.gba reset=maybe"), "bad-argument")
end)

t.test("rom.load of a bad file on an engine that unloads first", FILES, function(world)
  world.unloads_first = true
  world.files["/games/bad.gba"] = { platform = "none" }
  local c = world:connect()
  t.refused(c:call("rom.load /games/bad.gba"), "failed")
  t.ok(c:call("ping"))
end)

t.test("rom.load in a window ends before mGBA has too many files open", FILES, function(world)
  world.files["/games/other.gba"] = { platform = "gba", title = "OTHER", code = "AGB-OTHR", crc32 = 7 }
  local c = world:connect()
  for _ = 1, 800 do
    t.ok(c:call("rom.load /games/other.gba"), "")
  end
  t.refused(c:call("rom.load /games/other.gba"), "failed", "start it again")
end)

local GB_WITH_FILES <const> = { platform = "gb", environment = FILES.environment }

t.test("rom.load on a Game Boy refuses what is no Game Boy game before mGBA unloads the old one", GB_WITH_FILES, function(world)
  world.files["/games/bad.gb"] = { platform = "none" }
  world.files["/games/other.gb"] = { platform = "gb", title = "OTHER", code = "DMG-", crc32 = 7, state = ("\0"):rep(0x104) .. "\xce\xed\x66\x66" }
  local c = world:connect()
  t.refused(c:call("rom.load /games/bad.gb"), "failed", "Game Boy game")
  t.equal(world.resets, 0)
  t.ok(c:call("rom.load /games/other.gb"), "")
end)

t.test("save.autoload", function(world)
  local c = world:connect()
  t.ok(c:call("save.autoload"), "")
  world.no_save = true
  t.refused(c:call("save.autoload"), "failed")
end)

t.test("screen.pixels has the size that is wanted, which is never larger than the picture", { host = "headless", waits_for_all = true }, function(world)
  local c = world:connect()
  local reply = t.ok(c:call("screen.pixels"))
  t.equal(#reply.tail, 240 * 160 * 3)
  reply = t.ok(c:call("screen.pixels grey=true width=84 height=80"))
  t.equal(#reply.tail, 84 * 80)
  t.equal(reply.named.width, 84)
  t.equal(reply.named.height, 80)
  t.refused(c:call("screen.pixels width=241"), "bad-argument")
  t.refused(c:call("screen.pixels height=-1"), "bad-argument")
end)

t.test("a window has no pixels", function(world)
  t.refused(world:connect():call("screen.pixels"), "unsupported")
end)

t.test("screen.get is a PNG without mGBA's private chunks", function(world)
  local reply = t.ok(world:connect():call("screen.get"))
  t.equal(reply.named.width, 240)
  t.equal(reply.named.height, 160)
  t.equal(reply.tail:sub(1, 8), "\x89PNG\r\n\x1a\n")
  t.is_true(not reply.tail:find("gbAs", 1, true) and not reply.tail:find("gbAx", 1, true), "private chunks are left")
  t.matches(reply.tail, "IEND")
end)

t.test("no pixels: refused, never tried", { environment = { MGBA_BRIDGE_FOLDERS = "/games" } }, function(world)
  world.has_video = false
  local c = world:connect()
  t.matches(c:call("hello 3").named.capabilities, "screen") -- the command is known all the same
  t.refused(c:call("screen.get"), "unsupported")
  t.refused(c:call("screen.save /games/a.png"), "unsupported")
  c:send("core.screenshot,/games/a.png,,<|END|>")
  t.equal(c:next().head, "<|ERROR|>")
  t.refused(c:call("state.get flags=31"), "unsupported")
  t.equal(#world.screenshots, 0)
end)

t.test("console lines arrive, with any text", function(world)
  local c = world:connect()
  for _, level in ipairs({ "log", "warn", "error" }) do
    t.ok(c:call("console." .. level .. ' "a, b = %s \\"c\\""'), "")
    t.equal(world.console[level][#world.console[level]], 'a, b = %s "c"')
  end
end)

t.test("status counts", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  t.refused(c:call("nope"), "unknown-command")
  local named = t.ok(c:call("status")).named
  t.equal(named.requests, 3)
  t.equal(named.errors, 1)
  t.equal(named.connections, 1)
  t.equal(named.sessions, 0)
  t.is_true(named.memory_kb > 100, "memory_kb")
  t.equal(named.held, 0)
end)

t.test("no game: every command of the game is refused as no-game", { platform = false }, function(world)
  world.core = require("fake_core").new(world, "gba") -- frames run, but `emu` is nil
  local c = world:connect()
  t.ok(c:call("ping"))
  local hello = t.ok(c:call("hello 3"))
  t.equal(hello.named.game, false)
  t.equal(tostring(hello.named.title), "nil")
  t.equal(tostring(hello.named.platform), "nil")
  for _, head in ipairs({ "game.get", "game.frame", "game.checksum", "game.step", "game.reset", "memory.domains", "memory.read8 0x02000000",
    "memory.write8 0x02000000 1",
    "memory.read 0x02000000 4", "memory.gather 0x02000000 4", "state.get", "state.save_slot 1", "state.load_slot 1", "screen.get", "keys.get",
    "keys.add A", "keys.tap A", "keys.clear A", "keys.set 1", "keys.add 1", "keys.clear 1", "save.autoload" }) do
    t.refused(c:call(head), "no-game", "open one")
  end
  t.refused(c:call("memory.write 0x02000000", "abc"), "no-game")
  t.refused(c:call("state.load", ("x"):rep(2000)), "no-game")
  t.refused(c:call("registers.read r0"), "no-game")
  t.refused(c:call("registers.write r0 1"), "no-game")
  t.refused(c:call("memory.read wram:0 1"), "no-game")
end)
