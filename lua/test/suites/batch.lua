-- Batches: between the same two frames, in order, all or nothing on guards.

local t = require("harness")
local wire = require("wire")

local END <const> = wire.TERMINATOR

--- The results in a batch's tail: { "ok 5", tail = … } or { "error …" }.
local function results(tail)
  local list, at = {}, 1
  while at <= #tail do
    local stop, last = tail:find(END, at, true)
    assert(stop, "a result has no end")
    local head = tail:sub(at, stop - 1)
    local length, rest = head:match("^%+(%d+) (.*)$")
    length = tonumber(length) or 0
    list[#list + 1] = { text = rest or head, tail = rest and tail:sub(last + 1, last + length) }
    at = last + 1 + length
  end
  return list
end

local function items(list)
  local parts = {}
  for _, item in ipairs(list) do
    if type(item) == "table" then
      parts[#parts + 1] = "+" .. #item[2] .. " " .. item[1] .. END .. item[2]
    else
      parts[#parts + 1] = item .. END
    end
  end
  return table.concat(parts)
end

t.test("results in order, with tails, all in one frame", function(world)
  local c = world:connect()
  local reply = t.ok(c:call("batch.run", items({
    "memory.write8 0x02001000 7", "memory.read8 0x02001000", { "memory.write 0x02001001", "<|END|>" }, "memory.read 0x02001000 8", { "echo", "tail" },
      "echo x", "game.frame", "console.log hello",
  })))
  t.equal(reply.named.done, 8)
  t.equal(reply.named.of, 8)
  local list = results(reply.tail)
  t.equal(list[1].text, "ok")
  t.equal(list[2].text, "ok 7")
  t.equal(list[3].text, ("ok first=%d last=%d"):format(reply.frame, reply.frame))
  t.equal(list[4].tail, "\7<|END|>")
  t.equal(list[5].tail, "tail")
  t.equal(list[6].text, 'ok "x"')
  t.equal(list[8].text, "ok")
end)

t.test("an item that would stop the machine is refused, and what follows it does not run", function(world)
  local c = world:connect()
  local reply = t.ok(c:call("batch.run", items({ "memory.write8 0x02001000 7", { "memory.write 0x04000300", "\0\x80" }, "memory.write8 0x02001000 8" })))
  t.equal(reply.named.done, 1)
  t.matches(results(reply.tail)[2].text, "^error bad%-argument .*HALTCNT")
  t.ok(c:call("memory.read8 0x02001000"), "7")
end)

t.test("an empty batch does nothing", function(world)
  local reply = t.ok(world:connect():call("batch.run", ""))
  t.equal(reply.named.done, 0)
  t.equal(reply.tail, "")
end)

t.test("guards of every width and comparison", function(world)
  local c = world:connect()
  t.ok(c:call("memory.write32 0x02001000 0x80000001"))
  for _, row in ipairs({ { "eq 0x80000001", true }, { "ne 0x80000001", false }, { "gt 1", true }, { "lt 1", false }, { "ge 0x80000001", true },
    { "le 0x80000000", false } }) do
    local reply = c:call("batch.run", items({ "guard32 0x02001000 " .. row[1], "memory.write8 0x02001010 1" }))
    if row[2] then
      t.ok(reply)
      t.equal(#results(reply.tail), 2)
    else
      t.refused(reply, "guard%-failed" and "guard-failed", "2147483649")
      t.equal(reply.named.item, 1)
    end
  end
  t.ok(c:call("batch.run", items({ "guard8 0x02001003 eq 128", "guard16 wram:0x1002 eq 0x8000", { "guard 0x02001000", "\1\0\0\x80" } })))
end)

t.test("a failing guard anywhere: nothing is done", function(world)
  local c = world:connect()
  local before = world.core.writes
  local reply = c:call("batch.run", items({ "guard8 0x02001000 eq 0", { "guard 0x02001000", "\1" }, "memory.write8 0x02001000 9", "keys.add A" }))
  t.refused(reply, "guard-failed")
  t.equal(reply.named.item, 2)
  t.equal(world.core.writes, before, "writes")
  t.equal(world.core.keys, 0, "keys")
end)

local BAD <const> = {
  { "unknown command", { "memory.write8 0x02001000 9", "nope" }, 2 }, { "bad argument", { "memory.write8 0x02001000 9", "memory.write8 0x02001000 256x" }, 2 },
  { "bad arity", { "memory.write8 0x02001000 9", "memory.read8" }, 2 }, { "missing tail", { "memory.write8 0x02001000 9", "memory.write 0x02001000" }, 2 },
  { "tail not taken", { { "memory.read8 0x02001000", "x" } }, 1 }, { "guard after a command", { "memory.write8 0x02001000 9", "guard8 0x02001000 eq 0" }, 2 },
  { "batch in a batch", { { "batch.run", "" } }, 1 }, { "hello", { "memory.write8 0x02001000 9", "hello 3" }, 2 }, { "cancel", { "cancel 1" }, 1 },
    { "rom.load", { "rom.load x" }, 1 },
  { "empty item", { "memory.write8 0x02001000 9", "" }, 2 }, { "bad escape", { "memory.write8 0x02001000 9", 'echo "\\q"' }, 2 }, { "comparison",
    { "guard8 0x02001000 is 0" }, 1 },
  { "long write", { { "memory.write 0x02010000", ("x"):rep(16385) } }, 1 }, { "waiting tap", { "memory.write8 0x02001000 9", "keys.tap A wait=true" }, 2 },
  { "a bad address", { "memory.write8 0x02001000 9", "memory.read8 nope:0" }, 2 }, { "value too big", { "memory.write8 0x02001000 9",
    "memory.write8 0x02001000 256" }, 2 },
  { "no register", { "memory.write8 0x02001000 9", "registers.read nope" }, 2 }, { "item id", { "memory.write8 0x02001000 9", "#5 ping" }, 2 },
}

for _, row in ipairs(BAD) do
  t.test("bad item, " .. row[1] .. ": refused by number or reported as its result", function(world)
    local c = world:connect()
    local reply = c:call("batch.run", items(row[2]))
    if reply.status == "error" then
      t.refused(reply, "bad-batch", "item " .. row[3])
      t.equal(reply.named.item, row[3])
      t.equal(world.core.bytes[0x02001000], nil, "something was written")
    else
      local list = results(reply.tail)
      t.equal(#list, row[3], "results")
      t.matches(list[#list].text, "^error ")
      t.equal(reply.named.done, row[3] - 1)
    end
    t.ok(c:call("ping"))
  end)
end

t.test("arguments are checked before anything is done: a batch with a late typing mistake does nothing", function(world)
  local c = world:connect()
  for _, bad in ipairs({ "nope", "memory.read8", 'echo "', "memory.write8 x 1", "memory.write8 0x02001000 x", "keys.tap Q", "keys.tap A frames=0",
    "keys.tap A wait=true", "state.get flags=77" }) do
    t.refused(c:call("batch.run", items({ "memory.write8 0x02001000 9", bad })), "bad-batch", "item 2")
  end
  t.equal(world.core.bytes[0x02001000], nil)
end)

t.test("cut tails", function(world)
  local c = world:connect()
  t.refused(c:call("batch.run", "ping"), "bad-batch", "item 1")
  t.refused(c:call("batch.run", "ping<|END|>pi"), "bad-batch", "item 2")
  t.refused(c:call("batch.run", "+5 echo<|END|>abc"), "bad-batch", "item 1")
  t.refused(c:call("batch.run", "+99999999999999999999 echo<|END|>abc"), "bad-batch", "item 1")
  t.refused(c:call("batch.run", "+x echo<|END|>abc"), "bad-batch", "item 1")
end)

t.test("the first item that fails ends the batch", function(world)
  local c = world:connect()
  local reply = t.ok(c:call("batch.run", items({ "memory.write8 0x02001000 1", "state.load_slot 5", "memory.write8 0x02001000 2" })))
  t.equal(reply.named.done, 1)
  t.equal(reply.named.of, 3)
  local list = results(reply.tail)
  t.equal(#list, 2)
  t.matches(list[2].text, "^error not%-found \"")
  t.equal(world.core.bytes[0x02001000], 1)
end)

t.test("4,096 items, not more", function(world)
  local c = world:connect()
  t.equal(t.ok(c:call("batch.run", ("ping<|END|>"):rep(4096))).named.done, 4096)
  t.refused(c:call("batch.run", ("ping<|END|>"):rep(4097)), "bad-batch", "4096")
end)

t.test("8,192 arguments, not more: a batch runs in one frame", function(world)
  local c = world:connect()
  local thousand = "memory.read8" .. (" 0x02000000"):rep(1024) .. "<|END|>"
  t.equal(t.ok(c:call("batch.run", thousand:rep(8))).named.done, 8)
  t.refused(c:call("batch.run", thousand:rep(8) .. "memory.write8 0x02001000 1<|END|>"), "bad-batch", "item 9: .*8192")
  t.equal(world.core.bytes[0x02001000], nil)
end)

t.test("a reply does not outgrow the limit of a tail", function(world)
  local c = world:connect()
  local reply = c:call("batch.run", ("memory.read 0x02000000 2000000<|END|>"):rep(3))
  t.ok(reply)
  t.is_true(#reply.tail <= 4194304 + 200, "the tail has " .. #reply.tail .. " bytes")
  t.equal(reply.named.done, 2)
  t.matches(results(reply.tail)[reply.named.done + 1].text, "^error ")
end)

t.test("one batch writes at most what one frame may write", function(world)
  local c = world:connect()
  local list = {}
  for i = 1, 20 do
    list[i] = { "memory.write 0x02010000", ("x"):rep(16384) }
  end
  t.refused(c:call("batch.run", items(list)), "bad-batch", "16384")
  t.equal(world.core.writes, 0)
end)

t.test("at= and after= choose the frame", function(world)
  local c = world:connect()
  local now = c:call("ping").frame
  local reply = t.ok(c:call("batch.run at=" .. now + 9, items({ "game.frame", "memory.write8 0x02001000 1" })))
  t.equal(reply.frame, now + 9)
  local asked = c:call("ping").frame
  reply = t.ok(c:call("batch.run after=5", "ping<|END|>"))
  t.equal(reply.frame, asked + 1 + 5, "it was read a frame later, and waits five")
end)

t.test("a delayed batch checks its guards when it runs, and its arguments when it is sent", function(world)
  local c = world:connect()
  t.refused(c:call("batch.run after=5", "nope<|END|>"), "bad-batch")
  local id = c:request("batch.run after=5", items({ "guard8 0x02001000 eq 0", "memory.write8 0x02001000 2" }))
  t.ok(c:call("memory.write8 0x02001000 1"))
  local reply = c.others[1] or c:next()
  t.equal(reply.id, id)
  t.refused(reply, "guard-failed")
  t.equal(reply.named.item, 1)
end)

t.test("two clients count up by guarded batches: nothing is lost", function(world)
  local clients, total = { world:session("a"), world:session("b") }, 0
  while total < 400 do
    local pending = {}
    for _, c in ipairs(clients) do
      local value = t.ok(c:call("memory.read16 0x02001000")).values[1]
      pending[c] = c:request("batch.run", items({ "guard16 0x02001000 eq " .. value, "memory.write16 0x02001000 " .. value + 1 }))
    end
    for _, c in ipairs(clients) do
      local reply = c:next()
      t.equal(reply.id, pending[c])
      total = total + (reply.status == "ok" and 1 or 0)
    end
  end
  t.ok(clients[1]:call("memory.read16 0x02001000"), tostring(total))
end)

t.test("keys in a batch belong to the batch's holder and session", function(world)
  local c = world:session("s")
  t.ok(c:call("holder=h batch.run", items({ "keys.add A", "keys.tap B" })))
  t.matches(c:call("keys.get").text, '"h" "A"')
  c:close()
  world:frame(200)
  t.equal(world.core.keys, 0)
end)
