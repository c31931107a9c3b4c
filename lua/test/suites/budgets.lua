-- Budgets: work is limited by what it costs, and shared between connections.

local t = require("harness")
local wire = require("wire")

local END <const> = wire.TERMINATOR
local MEGABYTES <const> = "memory.read 0x02000000 4000000"

--- Sends that many requests at once.
local function pipeline(client, count, head, tail)
  local parts = {}
  for i = 1, count do
    parts[i] = wire.request(i, head, tail)
  end
  client.last_id = count
  client:send(table.concat(parts))
end

--- Runs frames; returns how many of one client's answers came in the busiest of them. The other client sends one request in each and is answered
--- in each.
local function most_in_a_frame(world, frames, busy, other)
  local most = 0
  for _ = 1, frames do
    local id = other:request("memory.read8 0x02000000")
    world:frame()
    local answers = 0
    for _, message in ipairs(busy:all()) do
      answers = answers + (message.kind == "reply" and 1 or 0)
    end
    most = math.max(most, answers)
    local reply = other:all()[1]
    t.is_true(reply and reply.id == id, "the other client's request waits for the next frame")
  end
  return most
end

t.test("a batch that costs more than a frame has time for is refused with its cost and the limit", function(world)
  local c = world:connect()
  t.refused(c:call("batch.run", ("state.save_slot 1" .. END):rep(4096)), "bad-batch", "4096 items cost %d+ us; one frame has time for 16000")
  t.refused(c:call("batch.run", (MEGABYTES .. END):rep(2)), "bad-batch", "2 items cost 20%d%d%d us")
  t.refused(c:call("batch.run after=5", (MEGABYTES .. END):rep(2)), "bad-batch")
  t.equal(next(world.files), nil, "a slot was written")
  t.equal(t.ok(c:call("batch.run", ("state.save_slot 1" .. END):rep(4))).named.done, 4)
end)

t.test("pipelined batches of 4 MB each: one in a frame, and another client is answered in each", function(world)
  local busy, other = world:connect(), world:connect()
  pipeline(busy, 20, "batch.run", MEGABYTES .. END)
  t.equal(most_in_a_frame(world, 10, busy, other), 1)
end)

t.test("pipelined slots and states: as many in a frame as it has time for", function(world)
  local busy, other = world:connect(), world:connect()
  pipeline(busy, 256, "state.save_slot 1")
  t.equal(most_in_a_frame(world, 20, busy, other), 1)
  local last = world:connect()
  pipeline(last, 100, "state.get")
  local most = most_in_a_frame(world, 20, last, other)
  t.is_true(most >= 2 and most <= 12, most .. " states in a frame")
end)

t.test("a request with options that has to wait for its frame is read once", function(world)
  local c = world:session("s")
  local epoch = t.ok(c:call("ping")).epoch
  for _ = 1, 20 do
    c:request(("holder=h epoch=%s state.save_slot 1"):format(epoch))
  end
  world:frame(40)
  for _ = 1, 20 do
    t.ok(c:next())
  end
end)

t.test("mGBA-http's messages have the same budget", function(world)
  local busy, other = world:connect(), world:connect()
  busy:send(("core.saveStateSlot,1,," .. END):rep(100))
  for _ = 1, 10 do
    local id = other:request("ping")
    world:frame()
    t.equal(other:all()[1].id, id)
    t.is_true(#busy:take() <= #("true" .. END), "more than one slot in a frame")
  end
end)

t.test("clients with costly requests have them run in turn", function(world)
  local clients, answers = {}, {}
  for i = 1, 5 do
    clients[i], answers[i] = world:connect(), 0
    pipeline(clients[i], i == 1 and 60 or 4, i == 1 and MEGABYTES or "state.save_slot 1")
  end
  for _ = 1, 22 do
    world:frame()
    for i, client in ipairs(clients) do
      answers[i] = answers[i] + #client:all()
    end
  end
  for i = 2, 5 do
    t.equal(answers[i], 4, "answers of client " .. i)
  end
  t.is_true(answers[1] >= 4, "answers of the first client: " .. answers[1])
end)

t.test("a costly request runs in the frame in which it comes", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  local before = world.frame_count
  t.ok(c:call("state.get"))
  t.ok(c:call(MEGABYTES))
  t.ok(c:call("batch.run", MEGABYTES .. END))
  t.equal(world.frame_count - before, 3)
end)

t.test("a request that waits for time can be cancelled, and keeps its place", function(world)
  local c = world:session("s")
  local first = c.last_id
  for _ = 1, 3 do
    c:request("batch.run", MEGABYTES .. END)
  end
  c:request("cancel " .. first + 3)
  local seen = {}
  for _ = 1, 8 do
    world:frame()
    for _, message in ipairs(c:all()) do
      seen[#seen + 1] = message.id - first .. message.status
    end
  end
  t.equal(table.concat(seen, " "), "1ok 2ok 3error 4ok")
end)

t.test("a read that costs more than a frame has time for takes several", function(world)
  local busy, other = world:connect(), world:connect()
  world.core.bytes[0x04000123], world.core.bytes[0x043fffff] = 7, 9
  busy:request("memory.read 0x04000200 4193792")
  local frames, reply = 0, nil
  while not reply do
    local id = other:request("ping")
    world:frame()
    t.equal(other:all()[1].id, id)
    frames, reply = frames + 1, busy:all()[1]
    t.is_true(frames < 200, "no answer")
  end
  t.is_true(frames > 10, "it took only " .. frames .. " frames")
  t.equal(#t.ok(reply).tail, 4193792)
  t.equal(reply.tail:byte(-1 - (0x04000200 + 4193792 - 1 - 0x043fffff)), 9)
  t.refused(busy:call("memory.gather 0x04000200 4000000"), "bad-argument", "cost 72000 us")
  t.refused(busy:call("memory.read 0xffffff00 4194304"), "bad-address")
end)

t.test("batches set for one frame: it has time for so many, the next is refused", function(world)
  local c, other = world:connect(), world:connect()
  local frame = t.ok(c:call("ping")).frame + 20
  local id = c:request("batch.run at=" .. frame, MEGABYTES .. END)
  world:frame()
  t.refused(other:call("batch.run at=" .. frame, MEGABYTES .. END), "busy", "frame " .. frame .. " has 10%d+ us")
  t.ok(other:call("batch.run at=" .. frame, "ping" .. END))
  world:frame(20)
  local reply = c:all()[1]
  t.equal(reply.id, id)
  t.equal(reply.frame, frame)
end)

t.test("a cancelled batch gives its time in that frame back", function(world)
  local c = world:session("s")
  local frame = t.ok(c:call("ping")).frame + 30
  for _ = 1, 5 do
    local id = c:request("batch.run at=" .. frame, MEGABYTES .. END)
    t.ok(c:call("cancel " .. id), "true")
  end
end)

local CONDITIONS <const> = ("u32 0x02001000 eq 1 and "):rep(31) .. "u32 0x02001000 eq 1"

t.test("a client with 256 waits of 32 conditions does not delay another's", function(world)
  local busy, other = world:connect(), world:connect()
  pipeline(busy, 256, "wait.until " .. CONDITIONS)
  world:frame(8)
  local reads = world.core.reads or 0
  other:request("wait.until u8 0x02002000 eq 1")
  world:frame(3)
  world.core.bytes[0x02002000] = 1
  world:frame()
  t.ok(other:all()[1], "true 1")
  t.equal(world.core.reads or 0, reads)
  world.core.bytes[0x02001000] = 1
  world:frame(12)
  t.equal(#busy:all(), 256)
end)

t.test("a client with 64 watches of 4 KB does not delay another's, and all of them are looked at", function(world)
  local clients = {}
  for i = 1, 20 do
    clients[i] = world:connect()
    for n = 1, 64 do
      clients[i]:request(("watch w%d memory at=0x02010000 length=4096"):format(n))
    end
  end
  local other = world:connect()
  other:request("watch mine memory at=0x02000000")
  world:frame(30)
  for _, client in ipairs(clients) do
    t.equal(#client:all(), 64)
  end
  t.equal(#other:all(), 1)
  local frame = world.frame_count
  world.core.bytes[0x02000000], world.core.bytes[0x02010000] = 1, 1
  local seen
  for _ = 1, 12 do
    world:frame()
    seen = seen or other:all()[1] and world.frame_count - frame
  end
  t.is_true(seen and seen <= 2, "the other client's event came after " .. tostring(seen) .. " frames")
  for _, client in ipairs(clients) do
    t.equal(#client:all(), 64)
  end
end)

t.test("frame events that there was no time for are counted", function(world)
  local clients = {}
  for i = 1, 12 do
    clients[i] = world:connect()
    for n = 1, 64 do
      clients[i]:request(("watch w%d frame"):format(n))
    end
  end
  world:frame(20)
  clients[1]:all()
  world:frame(20)
  local events, dropped = 0, 0
  for _, message in ipairs(clients[1]:all()) do
    events, dropped = events + 1, dropped + (message.named.dropped or 0)
  end
  t.is_true(dropped > 0, "nothing was left out")
  t.is_true(math.abs(events + dropped - 20 * 64) <= 3 * 64, events .. " events and " .. dropped .. " left out")
end)

t.test("two long writes and short ones behind them progress together", function(world)
  local first, second, third = world:connect(), world:connect(), world:connect()
  first:request("memory.write 0x02010000", ("a"):rep(16384 * 6))
  second:request("memory.write 0x02010000", ("b"):rep(16384 * 6))
  world:frame(2)
  third:request("memory.write 0x02000000", ("c"):rep(16384))
  world:frame(2)
  t.ok(third:all()[1])
  world:frame(12)
  t.ok(first:all()[1])
  t.ok(second:all()[1])
end)

local MB4 <const> = ("x"):rep(4194304)

t.test("many clients with half a message: some are refused as busy, the others continue, and nothing else waits", function(world)
  local clients, other = {}, world:connect()
  local most = t.ok(other:call("status")).named.memory_kb + 250000
  for i = 1, 40 do
    clients[i] = world:connect()
    clients[i]:send("#1+4194304 echo" .. END .. MB4:sub(1, 4000000))
  end
  local refused = 0
  for _ = 1, 20 do
    local id = other:request("ping")
    world:frame()
    t.equal(other:all()[1].id, id)
  end
  collectgarbage()
  t.is_true(t.ok(other:call("status")).named.memory_kb < most, "the script holds too much")
  for _, client in ipairs(clients) do
    client:send(MB4:sub(4000001) .. wire.request(2, "ping"))
    local reply = client:next()
    if reply.status == "error" then
      t.refused(reply, "busy", "of 134217728 bytes")
      refused = refused + 1
    else
      t.equal(#t.ok(reply).tail, 4194304)
    end
    t.equal(reply.id, 1)
    t.equal(t.ok(client:next()).id, 2)
  end
  t.is_true(refused > 4 and refused < 20, refused .. " were refused")
end)

t.test("a client that sends much and reads nothing is not read further, and loses nothing", function(world)
  local c, open = world:connect(), false
  c.window = function() return open and 10000000 or 0 end
  pipeline(c, 30, "echo", MB4)
  world:frame(30)
  local other = world:connect()
  collectgarbage()
  t.is_true(t.ok(other:call("status")).named.memory_kb < 200000, "the script holds too much")
  open = true
  for i = 1, 30 do
    t.equal(t.ok(c:next()).id, i)
  end
end)

t.test("requests under way hold so many bytes, no more", function(world)
  local c, ok, busy = world:connect(), 0, 0
  for _ = 1, 24 do
    c:request("memory.write 0x02010000", MB4:sub(1, 2000000))
    world:frame()
    for _, message in ipairs(c:all()) do
      t.refused(message, "busy", "of at most 33554432")
      busy = busy + 1
    end
  end
  t.is_true(busy == 8, busy .. " of 24 long writes were refused")
  t.equal(ok, 0)
end)

t.test("events for a client that reads nothing are left out, and their numbers say so", function(world)
  local c, open = world:session("s"), false
  c:all()
  c.window = function() return open and 10000000 or 0 end
  c:request("memory.read 0x02000000 1100000")
  world:frame(2)
  for _ = 1, 5000 do
    world:trigger("reset")
  end
  open = true
  world:frame(3)
  world:trigger("reset")
  world:frame()
  local list = c:all()
  t.equal(#list, 2)
  t.equal(list[2].topic, "game.reset")
  t.is_true(list[2].id > 5000, "event " .. list[2].id)
end)
