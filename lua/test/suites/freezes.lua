-- Freezes: values that the script writes every frame.

local t = require("harness")
local wire = require("wire")

local AT <const> = 0x02010000

--- A client whose requests have other numbers than its events.
local function session(world, name)
  local client = world:session(name)
  client.last_id = 1000
  return client
end

local function byte_at(world, address)
  return world.core.bytes[address] or 0
end

--- The last event of this topic, and how many there were.
local function events(client, topic)
  local last, count = nil, 0
  for _, list in ipairs({ client.others, client:all() }) do
    for _, message in ipairs(list) do
      if message.topic == topic then
        last, count = message, count + 1
      end
    end
  end
  client.others = {}
  return last, count
end

t.test("a frozen value is written at once and in every frame, until it is released", function(world)
  local c = world:connect()
  t.ok(c:call("freezes.set hp 0x02010000", "\99"), "last=nil")
  t.equal(byte_at(world, AT), 99)
  for _ = 1, 5 do
    world.core.bytes[AT] = 1
    world:frame()
    t.equal(byte_at(world, AT), 99)
  end
  t.ok(c:call("freezes.delete hp"), "1")
  world.core.bytes[AT] = 1
  world:frame(3)
  t.equal(byte_at(world, AT), 1)
  t.ok(c:call("freezes.delete hp"), "0")
end)

t.test("a frozen value is there before watches and waits read", function(world)
  local c = world:connect()
  t.ok(c:call("freezes.set hp 0x02010000", "\99"))
  t.ok(c:call("watch hp memory at=0x02010000 length=1"))
  c:send(wire.request(50, "wait.until u8 0x02010000 ne 99 frames=10"))
  for _ = 1, 10 do
    world.core.bytes[AT] = 1
    world:frame()
  end
  for _, message in ipairs(c:all()) do
    t.is_true(message.topic ~= "watch", "the watch saw another value")
    t.is_true(message.id ~= 50 or message.text == "false 99", message.head)
  end
end)

t.test("frames= counts the frames in which it is written, the first included", function(world)
  local c = session(world, "s")
  local reply = t.ok(c:call("freezes.set hp 0x02010000 frames=3", "\99"))
  t.equal(reply.named.last, reply.frame + 2)
  local written = 0
  for _ = 1, 6 do
    world.core.bytes[AT] = 1
    world:frame()
    written = written + (byte_at(world, AT) == 99 and 1 or 0)
  end
  t.equal(written, 2, "frames after the first")
  local last, count = events(c, "freeze")
  t.equal(last.text, 'count=0 ended=1 reason="over"')
  t.equal(count, 2)
end)

t.test("one name replaces, another is added; the last one added is written last", function(world)
  local c = world:connect()
  t.ok(c:call("freezes.set a 0x02010000", "\1"))
  t.ok(c:call("freezes.set b 0x02010000", "\2"))
  world:frame()
  t.equal(byte_at(world, AT), 2)
  t.ok(c:call("freezes.set b 0x02010001", "\3"))
  world:frame()
  t.equal(byte_at(world, AT), 1)
  local list = t.ok(c:call("freezes.list"))
  t.equal(list.values.n, 10)
  t.equal(list.values[2] .. list.values[7], "ab")
  t.equal(list.values[8], "0x02010001")
  t.equal(list.tail, "\1\3")
end)

t.test("numbers are written in one access, longer values as bytes, and both may be unaligned", function(world)
  local c = world:connect()
  t.ok(c:call("freezes.set a 0x02010001", "\1\2\3\4"))
  t.ok(c:call("freezes.set b wram:0x10011", "HELLO"))
  world.core.bytes[AT + 3] = 0
  world:frame()
  t.equal(t.ok(c:call("memory.read 0x02010001 4")).tail, "\1\2\3\4")
  t.equal(t.ok(c:call("memory.read 0x02010011 5")).tail, "HELLO")
end)

t.test("it does not end with a reset or a loaded state, and no frame runs without it", function(world)
  local c = world:connect()
  local before = t.ok(c:call("state.get")).tail
  t.ok(c:call("freezes.set hp 0x02010000", "\99"))
  t.ok(c:call("state.load", before))
  world:frame()
  t.equal(byte_at(world, AT), 99)
  c:send(wire.request(60, "state.load", before))
  world:frame() -- the state is loaded in this frame's callback, and the value is there when it ends
  t.equal(byte_at(world, AT), 99)
  t.ok(c:call("game.reset"))
  t.equal(byte_at(world, AT), 99)
end)

t.test("freezes end when the game closes or changes, with one event", function(world)
  local c = session(world, "s")
  for name = 1, 3 do
    t.ok(c:call("freezes.set n" .. name .. " 0x0201000" .. name, "\1"))
  end
  events(c, "freeze")
  world:close_game()
  world:open_game("gba", { title = "OTHER" })
  world:frame(62)
  t.equal(t.ok(c:call("freezes.list")).values.n, 0)
  local last, count = events(c, "freeze")
  t.equal(count == 0 and "none" or last.text, 'count=0 ended=3 reason="game-changed"')
end)

t.test("freezes of a session outlive its connection for 2 seconds; those of a connection end with it", function(world)
  local watcher, c, plain = session(world, "w"), session(world, "s"), world:connect()
  t.ok(c:call("freezes.set hp 0x02010000", "\99"))
  t.ok(plain:call("freezes.set mp 0x02010004", "\50"))
  c:reset()
  plain:reset()
  world:frame(60)
  t.equal(t.ok(watcher:call("freezes.list")).values[2], "hp", "the session's freeze")
  t.equal(t.ok(watcher:call("freezes.list")).values.n, 5)
  world:frame(240)
  t.equal(t.ok(watcher:call("freezes.list")).values.n, 0)
  t.equal(events(watcher, "freeze").text, 'count=0 ended=1 reason="session-ended"')
end)

t.test("limits: count, bytes, cost; and nothing is written when one is exceeded", function(world)
  local c = world:connect()
  t.refused(c:call("freezes.set x 0x02010000", ("x"):rep(1025)), "bad-argument", "1024")
  t.refused(c:call("freezes.set " .. ("n"):rep(65) .. " 0x02010000", "x"), "bad-argument", "64")
  t.equal(byte_at(world, AT), 0)
  for i = 1, 256 do
    t.ok(c:call(("freezes.set n%d 0x%08X"):format(i, AT + i), "x"))
  end
  t.refused(c:call("freezes.set more 0x02010000", "x"), "busy", "256")
  t.equal(byte_at(world, AT), 0)
  t.ok(c:call("freezes.set n7 0x02010007", "y"), "last=nil")
  t.ok(c:call("freezes.delete"), "256")
  local added = 0
  for i = 1, 20 do
    local reply = c:call(("freezes.set b%d 0x%08X"):format(i, AT + i * 1024), ("x"):rep(1024))
    if reply.status == "ok" then
      added = added + 1
    else
      t.refused(reply, "busy", "1000")
    end
  end
  t.equal(added, 9, "freezes of 1024 bytes")
  t.ok(c:call("freezes.delete"), "9")
  t.ok(c:call("freezes.set again 0x02010000", ("x"):rep(1024)))
end)

t.test("long writes still run while values are frozen", function(world)
  local c = world:connect()
  t.ok(c:call("freezes.set b 0x02020000", ("x"):rep(1000)))
  local reply = t.ok(c:call("memory.write 0x02030000", ("y"):rep(40000)))
  t.is_true(reply.named.last - reply.named.first <= 4, reply.text)
end)

t.test("a lease: its steps have the frozen values, and only its holder changes them", { host = "headless" }, function(world)
  local other, c = session(world, "other"), session(world, "s")
  t.ok(other:call("freezes.set hp 0x02010000", "\99"))
  local function later(client, milliseconds, id, head, tail)
    world:at(world.now + milliseconds * 1000, function()
      client:send(wire.request(id, head, tail))
    end)
  end
  later(c, 20, 41, "lease.take limit=10000")
  later(other, 60, 42, "freezes.set mp 0x02010004", "\1")
  later(c, 70, 43, "memory.write8 0x02010000 5")
  later(c, 80, 44, "lease.step 1", "memory.read8 0x02010000<|END|>")
  later(c, 120, 45, "lease.release")
  local replies = {}
  for _ = 1, 30 do
    world:frame()
    for _, list in ipairs({ c:all(), other:all() }) do
      for _, message in ipairs(list) do
        replies[message.id or 0] = message.kind == "reply" and message or replies[message.id or 0]
      end
    end
  end
  t.refused(replies[42], "leased")
  t.ok(replies[43])
  t.equal(t.ok(replies[44]).tail, "ok 99<|END|>")
  t.ok(replies[45], "true")
end)

t.test("an event a frame at most, however many requests", function(world)
  local c = session(world, "s")
  for i = 1, 50 do
    c:send(wire.request(i + 10, ("freezes.set n%d 0x02010000"):format(i), "x"))
  end
  world:frame(2)
  local _, count = events(c, "freeze")
  t.is_true(count <= 2, count .. " events")
end)

for _, head in ipairs({ "freezes.set", "freezes.set x", "freezes.set x 0x02010000", "freezes.set x nope", "freezes.set x 0x02010000 frames=0",
  "freezes.set x 0x02010000 frames=2147483648", "freezes.set x 0x02010000 0x02010000", "freezes.delete a b", "freezes.list x" }) do
  t.test(("%q is refused"):format(head), function(world)
    local c = world:connect()
    t.equal(c:call(head, head:find("^freezes.set ") and head ~= "freezes.set x 0x02010000" and "x" or nil).status, "error")
    t.ok(c:call("ping"))
  end)
end
