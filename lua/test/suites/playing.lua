-- Sequences, waits, watches and the lease.

local t = require("harness")
local wire = require("wire")

local function downs(world, key)
  local list = {}
  for _, event in ipairs(world.key_log) do
    if event.key == key and event.kind == "down" then
      list[#list + 1] = event.frame
    end
  end
  return list
end

t.test("a sequence presses in order, with its waits, and reports its frames", function(world)
  local c = world:connect()
  local named = t.ok(c:call('keys.sequence "A 4, wait 10, Up+B 2, A 1"')).named
  world:frame(40)
  local a, b, up = downs(world, 0), downs(world, 1), downs(world, 6)
  t.equal(a[1], named.down, "A")
  t.equal(b[1], named.down + 14, "B")
  t.equal(up[1], b[1], "Up with B")
  t.equal(a[2], named.down + 16, "A again")
  t.equal(named.up, named.down + 17)
  t.equal(world.core.keys, 0)
end)

for _, text in ipairs({ "", "A", "A x", "A 0", "A 36001", "A 4,", ", A 4", "Q 4", "A+ 4 5", "wait", "A -1", ("A 1,"):rep(513) .. "A 1" }) do
  t.test(("sequence %q is refused, and nothing is pressed"):format(text:sub(1, 20)), function(world)
    local c = world:connect()
    t.equal(c:call('keys.sequence "' .. text .. '"').status, "error")
    world:frame(10)
    t.equal(world.core.keys, 0)
    t.equal(next(world.edges), nil)
  end)
end

t.test("a sequence is queued whole or not at all, whichever of its keys has too many taps waiting", function(world)
  local c = world:connect()
  for _ = 1, 3 do
    t.ok(c:call('keys.sequence "' .. ("B 1,"):rep(300) .. 'B 1" gap=36000'))
  end
  t.refused(c:call('keys.sequence "' .. ("A+B 1,"):rep(200) .. 'A 1"'), "busy", "B")
  t.refused(c:call('keys.sequence "' .. ("A 1,"):rep(200) .. ("A+B 1,"):rep(125) .. 'B 1"'), "busy", "B")
  local tap = t.ok(c:call("keys.tap A"))
  t.equal(tap.named.down, tap.frame, "A can be pressed at once")
  t.ok(c:call('keys.sequence "' .. ("A 1,"):rep(300) .. ("A+B 1,"):rep(120) .. 'A 1"'))
end)

for _, case in ipairs({ { "", 1 }, { " begun=true", 0 } }) do
  t.test("owner.release" .. case[1] .. " drops the taps of an owner that wait, and ends those that have begun only if it says so", function(world)
    local c = world:session("s")
    t.ok(c:call("holder=a owner=guest keys.tap A frames=36000"))
    t.ok(c:call("holder=b owner=guest keys.tap A frames=36000"))
    t.ok(c:call("holder=b owner=other keys.tap B frames=36000"))
    world:frame(2)
    t.equal(world.core.keys, 3)
    t.ok(c:call("owner=guest owner.release" .. case[1]), "0")
    world:frame(2)
    t.equal(world.core.keys, 2 + case[2])
    t.equal(t.ok(c:call("keys.tap A")).named.lag > 0, case[2] == 1, "whether A is pressed")
  end)
end

t.test("cancelling a sequence stops the rest of it", function(world)
  local c = world:session("s")
  c:send(wire.request(10, 'keys.sequence "A 4, wait 5, B 4, wait 5, Up 4" wait=true'))
  world:frame(6)
  c:send(wire.request(11, "cancel 10"))
  t.refused(c:next(), "cancelled")
  t.ok(c:next(), "true")
  world:frame(40)
  t.equal(#downs(world, 0), 1)
  t.equal(#downs(world, 1) + #downs(world, 6), 0, "later presses")
end)

t.test("a wait is answered in the frame its condition is met", function(world)
  local c = world:connect()
  c:send(wire.request(1, "wait.until u16 0x02001000 ge 5 and u8 wram:0x1002 eq 1 frames=100"))
  world:frame(5)
  world.core.bytes[0x02001000] = 7
  world:frame(2)
  t.equal(#c:all(), 0, "answers before")
  world.core.bytes[0x02001002] = 1
  local reply = c:next()
  t.ok(reply, "true 7 1")
end)

t.test("a wait that is not met in time is false; one for frames only is true", function(world)
  local c = world:connect()
  local first = c:call("wait.until u8 0x02001000 changed frames=5")
  t.ok(first, "false 0")
  t.ok(c:call("wait.until frames=3"), "true")
  t.ok(c:call("wait.until s8 0x02001000 eq 0"), "true 0")
end)

for _, head in ipairs({ "wait.until", "wait.until u9 0 eq 0", "wait.until u8", "wait.until u8 0x02000000 eq", "wait.until u8 0x02000000 is 1",
  "wait.until u8 0x02000000 eq x", "wait.until u8 0x02000000 eq 0 and", "wait.until u8 0x02000000 eq 0 u8", "wait.until u8 nope:0 eq 0",
  "wait.until u32 0xFFFFFFFF eq 0", "wait.until frames=0", "wait.until u8 0x100000000 changed", "watch", "watch x", "watch x nope", "watch x memory",
    "watch x memory at=nope", "watch x memory at=nope:0", "watch x memory at=0 length=5000", "watch x frame every=0", "unwatch",
  "lease.step 1", "lease.step", "lease.step -1", "lease.take limit=1", "lease.take limit=x" }) do
  t.test(("%q is refused"):format(head), { host = "headless" }, function(world)
    local c = world:connect()
    t.equal(c:call(head).status, "error")
    t.ok(c:call("ping"))
  end)
end

t.test("waits of a connection that ends are gone", function(world)
  local c = world:connect()
  for i = 1, 50 do
    c:send(wire.request(i, "wait.until u8 0x02001000 eq 1"))
  end
  world:frame(2)
  c:reset()
  world:frame(3)
  t.ok(world:connect():call("ping"))
end)

t.test("256 waits, then busy", function(world)
  local c = world:connect()
  for i = 1, 256 do
    c:send(wire.request(i, "wait.until u8 0x02001000 eq 1"))
  end
  world:frame(5)
  c.last_id = 1000
  t.refused(c:call("wait.until u8 0x02001000 eq 1"), "busy")
  t.ok(c:call("ping"))
end)

t.test("a watch reports changes; closing the game may end it, but breaks nothing", function(world)
  local c = world:connect()
  t.ok(c:call("watch hp memory at=wram:0x1000 length=2"))
  world:frame(3)
  world.core.bytes[0x02001001] = 9
  local event = c:next()
  t.equal(event.topic, "watch")
  t.equal(event.tail, "\0\9")
  t.ok(c:call("watch tick frame every=5"))
  world:frame(11)
  t.is_true(#c:all() >= 2, "ticks")
  t.ok(c:call("watch late memory at=iwram:0x4000 length=2"))
  world:close_game()
  world:open_game("gb", { title = "OTHER" })
  world:frame(10)
  local ended
  for _, message in ipairs(c:all()) do
    ended = message.topic == "watch" and message.text:find("ended", 1, true) and message.text or ended
  end
  t.equal(ended, '"late" ended "bad-address"')
  t.ok(c:call("unwatch tick"), "true")
  t.ok(c:call("unwatch tick"), "false")
end)

t.test("a watcher that never reads loses events, not the emulator's memory", function(world)
  local c = world:connect()
  t.ok(c:call("watch m memory at=0x02001000 length=4096"))
  c.window = function() return 0 end
  for i = 1, 2000 do
    world.core.bytes[0x02001000] = i & 0xff
    world:frame()
  end
  collectgarbage()
  t.is_true(collectgarbage("count") < 40000, "memory: " .. collectgarbage("count") // 1024 .. " MB")
  c.window = nil
  world:frame(5)
  world.core.bytes[0x02001000] = 1
  world:frame(2)
  local dropped
  for _, message in ipairs(c:all()) do
    dropped = message.named.dropped or dropped
  end
  t.is_true(dropped and dropped > 100, "dropped= " .. tostring(dropped))
end)

local HOSTED <const> = { host = "headless", waits_for_all = true }
t.test("a watch of the log has the lines behind it, the newest of many, and keeps them for a slow client", HOSTED, function(world)
  local c = world:connect()
  world.log = { "GBA Debug: before" }
  t.ok(c:call("watch out log"))
  world:frame(2)
  world.log[2], world.log[3] = "GBA Debug: one", "GBA Debug: two"
  local event = c:next()
  t.equal(event.text, '"out" log')
  t.equal(event.tail, "GBA Debug: one\nGBA Debug: two")
  t.ok(c:call("watch m memory at=0x02001000 length=4096"))
  c.window = function() return 0 end
  for i = 1, 400 do
    world.core.bytes[0x02001000] = i & 0xff
    world:frame()
  end
  for i = 1, 300 do
    world.log[#world.log + 1] = "GBA Debug: " .. i
  end
  world:frame(2)
  c.window = nil
  world:frame(5)
  local log
  for _, message in ipairs(c:all()) do
    log = message.text:find('"out"', 1, true) and message or log
  end
  t.equal(log.named.dropped, 44)
  t.equal(select(2, log.tail:gsub("\n", "")), 255)
  t.matches(log.tail, "^GBA Debug: 45\n.*: 300$")
end)

t.test("a watch of the sound has each sample once, with its number, also for a slow client", HOSTED, function(world)
  local c = world:connect()
  world.sound = "before.."
  t.ok(c:call("watch music sound"))
  world:frame(2)
  world.sound = world.sound .. "1L1R2L2R"
  local event = c:next()
  t.equal(event.text, '"music" sound sample=2')
  t.equal(event.tail, "1L1R2L2R")
  t.ok(c:call("watch m memory at=0x02001000 length=4096"))
  c.window = function() return 0 end
  for i = 1, 400 do
    world.core.bytes[0x02001000] = i & 0xff
    world.sound = world.sound .. ("%04d"):format(i)
    world:frame()
  end
  c.window = nil
  world:frame(5)
  local heard = {}
  for _, message in ipairs(c:all()) do
    if message.text:find('"music"', 1, true) then
      t.equal(message.named.sample, 4 + #table.concat(heard) // 4)
      heard[#heard + 1] = message.tail
    end
  end
  t.equal(table.concat(heard), world.sound:sub(17))
end)

t.test("a watch of the motor has an event for each frame in which it ran", HOSTED, function(world)
  local c = world:connect()
  t.ok(c:call("watch motor rumble"))
  world:frame(3)
  t.equal(#c:all(), 0)
  world.rumbles = true
  world:frame(2)
  world.rumbles = false
  world:frame(3)
  local events = c:all()
  t.equal(#events, 2)
  t.equal(events[1].text, '"motor" rumble')
  t.equal(events[2].frame, events[1].frame + 1)
end)

t.test("a watch of the state reports the first frame after a loaded state and a reset, once", function(world)
  local c, d = world:connect(), world:connect()
  local state = t.ok(d:call("state.get flags=0"))
  t.ok(c:call("watch machine state"))
  world:frame(3)
  t.equal(#c:all(), 0)
  local loaded = t.ok(d:call("state.load flags=0", state.tail))
  world:frame(3)
  local reset = t.ok(d:call("game.reset"))
  world:frame(3)
  local reported = {}
  for _, message in ipairs(c:all()) do
    reported[#reported + 1] = message.text:match("^\"machine\" state from=(%d+)$")
  end
  t.equal(table.concat(reported, " "), loaded.frame .. " " .. reset.frame)
end)

t.test("a watch of the state reports what the user of a window loads and resets, also a state of soon after", function(world)
  local c = world:connect()
  t.ok(c:call("watch machine state"))
  world:frame(80)
  t.equal(#c:all(), 0)
  local reported = {}
  for _, jump in ipairs({ -20, 0, 1, 30, 400 }) do
    local before = world.core.frame
    world.core.frame = before + (jump == 0 and -before or jump)
    world:frame(3)
    for _, message in ipairs(c:all()) do
      reported[#reported + 1] = message.frame - message.text:match("^\"machine\" state from=(%d+)$")
    end
  end
  t.equal(table.concat(reported, " "), "1 1 1 1 1")
end)

t.test("a window has neither log nor sound nor rumble", function(world)
  t.refused(world:connect():call("watch motor rumble"), "unsupported")
  t.refused(world:connect():call("watch out log"), "unsupported")
  t.refused(world:connect():call("watch out sound"), "unsupported")
end)

t.test("a watch of the keys reports the keys of each frame, also a press of one frame", function(world)
  local c, d = world:connect(), world:connect()
  t.ok(c:call("watch pad keys"))
  world:frame(2)
  local tap = t.ok(d:call("keys.tap A frames=1"))
  world:frame(1)
  local held = t.ok(d:call("keys.set 2"))
  t.ok(d:call("keys.set 0"))
  world:frame(5)
  local reported = {}
  for _, message in ipairs(c:all()) do
    local mask, from = message.text:match("keys (%d+) from=(%d+)")
    reported[#reported + 1] = mask and ("%d@%d"):format(mask, from)
  end
  local down = tonumber(tap.text:match("down=(%d+)"))
  t.equal(#reported >= 5, true, table.concat(reported, " "))
  t.equal(table.concat(reported, " ", 2, 3), ("1@%d 0@%d"):format(down, down + 1))
  t.matches(table.concat(reported, " ", 4), "^2@%d+ 0@%d+$")
  t.is_true(tonumber(reported[5]:match("@(%d+)")) - tonumber(reported[4]:match("@(%d+)")) == 1, reported[4] .. " for one frame: " .. held.frame)
end)

t.test("what the player presses, right before the callback, is reported with the frame that ran with it", function(world)
  local c = world:connect()
  t.ok(c:call("watch pad keys"))
  local tap = t.ok(c:call("keys.tap A frames=1"))
  world:frame(5)
  c:all()
  local offset = tonumber(tap.text:match("down=(%d+)")) - world.key_log[1].frame
  for _, mask in ipairs({ 2, 0 }) do
    world.core.keys = mask
    world:frame(3)
  end
  local reported = {}
  for _, message in ipairs(c:all()) do
    reported[#reported + 1] = message.text:match("keys %d+ from=%d+")
  end
  local press, release = world.key_log[3], world.key_log[4]
  t.equal(press.key, 1)
  t.equal(table.concat(reported, " "), ("keys 2 from=%d keys 0 from=%d"):format(press.frame + offset, release.frame + offset))
end)

local HEADLESS <const> = { host = "headless" }

--- Sends when the clock comes there: while a lease holds the game, only the clock moves.
local function later(world, client, milliseconds, head, id, tail)
  world:at(world.now + milliseconds * 1000, function()
    client:send(wire.request(id, head, tail))
  end)
end

t.test("a host whose system has no local sockets refuses lease.attach", HEADLESS, function(world) -- the fake one has none
  local c = world:session("s")
  later(world, c, 20, "lease.take", 10)
  later(world, c, 30, "lease.attach steps", 11)
  later(world, c, 40, "lease.release", 12)
  for _ = 1, 10 do
    world:frame()
  end
  local attached
  for _, message in ipairs(c:all()) do
    attached = message.id == 11 and message or attached
  end
  t.refused(attached, "unsupported", "mgba%-headless on Linux")
end)

t.test("a lease holds the game, steps exact frames, and ends by release", HEADLESS, function(world)
  local c = world:session("s")
  later(world, c, 20, "lease.take", 10)
  later(world, c, 60, "lease.step 3 keys=1", 11)
  later(world, c, 160, "game.frame", 12)
  later(world, c, 170, "lease.step 2 keys=0", 13)
  later(world, c, 260, "lease.release", 14)
  local replies = {}
  for _ = 1, 40 do
    world:frame()
    for _, message in ipairs(c:all()) do
      if message.kind == "reply" then
        replies[message.id] = t.ok(message)
      end
    end
  end
  t.equal(replies[11].frame - replies[10].frame, 3, "frames of the first step")
  t.equal(replies[13].frame - replies[11].frame, 2, "frames of the second")
  t.ok(replies[14], "true")
  t.equal(world.core.keys, 0)
  t.equal(world.edges[0], 1)
end)

t.test("a lease says how many frames the taps of others take, and these run in its steps", HEADLESS, function(world)
  local other, c = world:session("other"), world:session("s")
  later(world, other, 10, "keys.tap A frames=3 gap=2", 10)
  later(world, other, 10, "keys.tap A frames=4 gap=2", 11)
  later(world, c, 20, "lease.take limit=10000", 12)
  local taken
  for _ = 1, 200 do
    world:frame()
    for _, message in ipairs(c:all()) do
      if message.id == 12 then
        taken = t.ok(message)
        c:send(wire.request(13, "lease.step " .. taken.named.taps))
        later(world, c, 500, "lease.release", 14)
      end
    end
  end
  t.is_true(taken.named.taps > 6 and taken.named.taps <= 11, "frames of taps: " .. taken.named.taps)
  t.equal(world.edges[0], 2)
  t.equal(world.core.keys, 0)
end)

t.test("owner.release ends the lease of its owner for requests with any holder, and no other lease", HEADLESS, function(world)
  local c = world:session("s")
  later(world, c, 20, "holder=q owner=guest lease.take limit=10000", 10)
  later(world, c, 60, "holder=http owner=other owner.release", 11)
  later(world, c, 70, "holder=http owner=guest owner.release", 12)
  world:frame(60)
  local by_id = {}
  for _, message in ipairs(c:all()) do
    by_id[message.id] = message.kind == "reply" and message or by_id[message.id]
  end
  t.refused(by_id[11], "leased")
  t.ok(by_id[12], "1")
  t.ok(c:call("holder=p keys.set A"))
end)

t.test("while it lasts others' effects are refused and their reads answered", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("other")
  later(world, c, 20, "lease.take limit=500", 10)
  later(world, d, 60, "memory.write8 0x02001000 1", 20)
  later(world, d, 70, "memory.read8 0x02001000", 21)
  later(world, d, 80, "batch.run", 22, "memory.read8 0x02001000<|END|>keys.get<|END|>")
  later(world, d, 90, "batch.run", 23, "memory.read8 0x02001000<|END|>memory.write8 0x02001000 1<|END|>")
  world:frame(60)
  local by_id = {}
  for _, message in ipairs(d:all()) do
    by_id[message.id] = message.kind == "reply" and message or by_id[message.id]
  end
  t.refused(by_id[20], "leased")
  t.equal(by_id[20].named.holder, "s")
  t.ok(by_id[21], "0")
  t.ok(by_id[22], "done=2 of=2")
  t.refused(by_id[23], "leased")
  t.ok(d:call("memory.write8 0x02001000 1"))
end)

for _, case in ipairs({ { "in every frame", frames = 1 }, { "within 32 frames when the game has no frame limit", frames = 32, is_unlimited = true } }) do
  t.test("a long step blocks no other client: requests are answered " .. case[1], HOSTED, function(world)
    local c, others = world:session("s"), {}
    world.is_unlimited = case.is_unlimited
    for i = 1, 12 do
      others[i] = world:connect()
    end
    later(world, c, 20, "lease.take", 10)
    later(world, c, 40, "lease.step 600", 11)
    world:frame(20)
    local began, selects = world.now, world.selects
    world:frame(400)
    local waited = (world.now - began) / 400 - world.period
    t.is_true(waited < 200, ("a frame of it is %.0f us longer than the game needs"):format(waited))
    t.is_true(world.selects - selects < 400 * 24 / case.frames, "it looks " .. (world.selects - selects) .. " times")
    for i, other in ipairs(others) do
      other:send(wire.request(i, "ping"))
    end
    world:frame(case.frames)
    for i, other in ipairs(others) do
      local replied = false
      for _, message in ipairs(other:all()) do
        replied = replied or message.kind == "reply" and message.id == i
      end
      t.is_true(replied, "connection " .. i .. " of 12 has no answer")
    end
  end)
end

t.test("connections that end while a lease holds or steps the game make room for others", {
  host = "headless", environment = { MGBA_BRIDGE_CONNECTIONS = "60" },
}, function(world)
  for _, step in ipairs({ "lease.step 0", "lease.step 1", "lease.step 20" }) do
    local c, pings = world:session("s" .. world.frame_count), {}
    later(world, c, 20, "lease.take limit=10000", 10)
    for i = 1, 400 do
      later(world, c, 20 + i * 10, step, 10 + i)
      world:at(world.now + (25 + i * 10) * 1000, function()
        pings[i] = world:connect()
        pings[i]:send(wire.request(1, "ping"))
        pings[i]:half_close()
      end)
    end
    later(world, c, 20 + 410 * 10, "lease.release", 1000)
    world:frame(step == "lease.step 0" and 200 or 900)
    for i, client in ipairs(pings) do
      local reply = client:next(1)
      t.is_true(reply and reply.status == "ok", ("%s: connection %d has %s"):format(step, i, reply and reply.head or "no answer"))
    end
    c:close()
    world:frame(200)
  end
end)

t.test("a refused connection is closed and a lost session is forgotten while a lease holds the game", {
  host = "headless", environment = { MGBA_BRIDGE_CONNECTIONS = "2" },
}, function(world)
  local lost, late = world:session("lost"), nil
  t.ok(lost:call("keys.add B"))
  lost:close()
  world:frame(3)
  local c = world:session("s")
  later(world, c, 20, "lease.take limit=10000", 10)
  world:at(world.now + 30000, function()
    world:connect()
    late = world:connect()
  end)
  later(world, c, 3500, "keys.get", 11)
  later(world, c, 3600, "lease.release", 12)
  local keys
  for _ = 1, 10 do
    world:frame()
    for _, message in ipairs(c:all()) do
      keys = keys or message.id == 11 and t.ok(message)
    end
  end
  t.refused(late:next(1), "too-many-connections")
  t.is_true(late.closed_by_script, "the refused connection is still open")
  t.equal(keys.text, "mask=0", "keys while the game is held")
end)

--- Runs frames and returns the replies that came for this client, by id.
local function replies_of(world, client, frames)
  local replies = {}
  for _ = 1, frames do
    world:frame()
    for _, message in ipairs(client:all()) do
      if message.kind == "reply" then
        replies[message.id] = message
      end
    end
  end
  return replies
end

t.test("frames of a step in which nothing is to be done run without the script, unless somebody needs them", HOSTED, function(world)
  local c = world:session("s")
  world.is_unlimited = true
  later(world, c, 20, "lease.take limit=10000", 10)
  later(world, c, 100, "lease.step 4 keys=1", 11)
  later(world, c, 300, "lease.step 3 keys=2", 12)
  later(world, c, 500, "lease.step 4 keys=0", 13)
  later(world, c, 700, "keys.tap A frames=2", 14)
  later(world, c, 710, "lease.step 4", 15)
  later(world, c, 900, "lease.release", 16)
  local skipped, replies = {}, {}
  for _ = 1, 60 do
    local before = world.skipped
    world:frame(1)
    if world.skipped > before then
      skipped[#skipped + 1] = world.frame_count
    end
    for _, message in ipairs(c:all()) do
      replies[message.id or 0] = message
    end
  end
  local began = t.ok(replies[10]).frame
  t.equal(t.ok(replies[11]).frame - began, 4)
  t.equal(t.ok(replies[12]).frame - began, 7)
  t.equal(t.ok(replies[13]).frame - began, 11)
  t.ok(replies[14])
  t.equal(t.ok(replies[15]).frame - began, 15)
  local offset = skipped[1] - began - 1
  local seen = {}
  for i, frame in ipairs(skipped) do
    seen[i] = frame - began - offset
  end
  t.equal(table.concat(seen, " "), "1 2 3 5 6 8 9 10 14") -- the tap needs each of its frames, and the one in which it ends
  local log = {}
  for i, change in ipairs(world.key_log) do
    log[i] = ("%d %s at %d"):format(change.key, change.kind, change.frame - began - offset)
  end
  t.equal(table.concat(log, ", "), "0 down at 0, 0 up at 4, 1 down at 4, 1 up at 7, 0 down at 11, 0 up at 13")
end)

t.test("a pause within a step counts the frames that were skipped", HOSTED, function(world)
  local c = world:session("s")
  world.is_unlimited = true
  later(world, c, 20, "lease.take limit=10000", 10)
  later(world, c, 40, "lease.step 8", 11)
  repeat
    world:frame(1)
  until world.skip > 0
  local at = world.frame_count
  world:frame(2)
  world:idle("idlePaused", 1)
  t.equal(world.skip, 0)
  local replies = replies_of(world, c, 30)
  t.equal(t.ok(replies[11]).frame - t.ok(replies[10]).frame, 8)
  t.is_true(world.frame_count > at + 8)
end)

t.test("a step of a lease can be cancelled: it stops within 32 frames, and the lease remains", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("s")
  later(world, c, 20, "lease.take limit=10000", 10)
  later(world, c, 40, "lease.step 36000", 11)
  later(world, d, 1000, "cancel 11", 12)
  later(world, c, 1300, "lease.step 3", 13)
  later(world, c, 1500, "lease.release", 14)
  local replies = replies_of(world, c, 120)
  t.refused(replies[11], "cancelled", "11")
  t.equal(t.ok(replies[13]).frame - replies[11].frame, 3, "frames between the cancel and the next step")
  t.is_true(replies[11].frame < 80, "the step stopped in frame " .. replies[11].frame)
  t.ok(replies[14], "true")
end)

t.test("a step whose caller is gone ends: at once without a session, after 2 s with one", HEADLESS, function(world)
  for _, name in ipairs({ "with", "without" }) do
    local c = name == "with" and world:session("s") or world:connect()
    later(world, c, 20, "lease.take limit=500", 10)
    later(world, c, 40, "lease.step 36000", 11)
    world:at(world.now + 500000, function() c:close() end)
    world:frame(60)
    local d = world:connect()
    if name == "with" then
      t.refused(d:call("memory.write8 0x02001000 1"), "leased")
      world:frame(200)
    else
      world:frame(20)
    end
    t.ok(d:call("memory.write8 0x02001000 1"))
  end
end)

t.test("a step whose caller waits is not idle, however long it takes", HEADLESS, function(world)
  local c = world:session("s")
  later(world, c, 20, "lease.take limit=50", 10)
  later(world, c, 40, "lease.step 3000", 11)
  local replies = replies_of(world, c, 3100)
  t.equal(t.ok(replies[11]).frame - replies[10].frame, 3000)
end)

t.test("who took a lease over waits for the step of the one before, whose end does not stop it", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("d")
  later(world, c, 20, "lease.take limit=10000", 10)
  later(world, c, 40, "lease.step 400", 11)
  local taken = t.ok(replies_of(world, c, 40)[10])
  c:close()
  d:send(wire.request(19, "lease.take limit=10000 token=" .. taken.named.token))
  local running = t.ok(replies_of(world, d, 40)[19])
  world:at(world.now + 9000000, function() d:send(wire.request(20, "lease.step 1 from=" .. running.frame + running.named.running)) end)
  later(world, d, 9100, "lease.release", 21)
  t.ok(replies_of(world, d, 500)[20])
end)

t.test("a holder that is silent, or gone, loses it and the game runs on", HEADLESS, function(world)
  for round = 1, 2 do
    local c = world:session("s" .. round)
    later(world, c, 20, "lease.take limit=300", 10)
    later(world, c, 40, "keys.add 1", 11)
    if round == 2 then
      world:at(world.now + 60000, function() c:reset() end)
    end
    local began = world.now
    world:frame(30)
    t.is_true(world.now - began < 5000000, "it was held for " .. (world.now - began) // 1000 .. " ms")
    local d = world:connect()
    t.ok(d:call("memory.write8 0x02001000 1"))
    t.ok(d:call("status"))
  end
end)

t.test("a lease ends with the emulator", HEADLESS, function(world)
  local c = world:session("s")
  later(world, c, 20, "lease.take limit=10000", 10)
  world:at(world.now + 60000, function() world.is_ending = true end)
  local began = world.now
  world:frame(1)
  t.is_true(world.now - began < 200000, "it was held for " .. (world.now - began) // 1000 .. " ms")
  world.is_ending = false
  t.is_true(world:connect():call("ping") ~= nil)
end)

t.test("a step without a lease is refused, before the first and after the last", HEADLESS, function(world)
  local c = world:session("s")
  later(world, c, 20, "lease.step 1", 10)
  later(world, c, 40, "lease.take", 11)
  later(world, c, 60, "lease.release", 12)
  later(world, c, 80, "lease.step 1", 13)
  world:frame(20)
  local replies = {}
  for _, message in ipairs(c:all()) do
    replies[message.id] = message.kind == "reply" and message or replies[message.id]
  end
  t.refused(replies[10], "no-lease", "take it first")
  t.ok(replies[12], "true")
  t.refused(replies[13], "no-lease", "take it first")
end)

t.test("a lease is ended by its holder, or by anybody who says so", HEADLESS, function(world)
  local first, second = world:session("s"), world:session("d")
  later(world, first, 20, "lease.take", 10)
  later(world, second, 40, "lease.release", 11)
  later(world, second, 60, "lease.release any=true", 12)
  later(world, first, 80, "lease.step 1", 13)
  world:frame(20)
  local replies = {}
  for _, message in ipairs(first:all()) do
    replies[message.id] = message.kind == "reply" and message or replies[message.id]
  end
  for _, message in ipairs(second:all()) do
    replies[message.id] = message.kind == "reply" and message or replies[message.id]
  end
  t.ok(replies[10])
  t.refused(replies[11], "leased")
  t.ok(replies[12], "true")
  t.refused(replies[13], "no-lease")
end)

--- As `later`, with a head that is made from the replies that have come until then, which are kept in `replies`.
local function later_of(world, client, milliseconds, head, id, replies)
  world:at(world.now + milliseconds * 1000, function()
    for _, message in ipairs(client:all()) do
      replies[message.id] = message.kind == "reply" and message or replies[message.id]
    end
    if head then
      client:send(wire.request(id, head()))
    end
  end)
end

t.test("a step that names its frame runs in no other", HEADLESS, function(world)
  local c, replies = world:session("s"), {}
  local function from(more)
    return function()
      return "lease.step 3 from=" .. t.ok(replies[10]).frame + more
    end
  end
  later(world, c, 20, "lease.take", 10)
  later_of(world, c, 60, from(0), 11, replies)
  later_of(world, c, 160, from(0), 12, replies)
  later_of(world, c, 200, from(4), 13, replies)
  later_of(world, c, 240, from(3), 14, replies)
  world:frame(40)
  later_of(world, c, 0, nil, 0, replies)
  world:frame(2)
  local stopped_at = replies[10].frame
  t.equal(t.ok(replies[11]).frame, stopped_at + 3)
  t.refused(replies[12], "guard-failed", "is at frame " .. stopped_at + 3)
  t.equal(replies[12].frame, stopped_at + 3)
  t.refused(replies[13], "guard-failed", "nothing ran")
  t.equal(t.ok(replies[14]).frame, stopped_at + 6)
end)

t.test("a guard among a step's items is looked at before its frames", HEADLESS, function(world)
  local c, replies = world:session("s"), {}
  later(world, c, 20, "lease.take", 10)
  world:at(world.now + 60000, function()
    c:send(wire.request(11, "lease.step 3", "guard8 0x02000000 eq 77<|END|>memory.read8 0x02000000<|END|>"))
  end)
  later(world, c, 200, "lease.step 1", 12)
  world:frame(40)
  later_of(world, c, 0, nil, 0, replies)
  world:frame(2)
  t.refused(replies[11], "guard-failed", "item 1")
  t.equal(t.ok(replies[12]).frame, t.ok(replies[10]).frame + 1)
end)

t.test("items of a step run before its frames, the others after them", HEADLESS, function(world)
  local c, replies = world:session("s"), {}
  local items = "game.frame<|END|>game.frame<|END|>"
  later(world, c, 20, "lease.take", 10)
  later_of(world, c, 60, nil, 0, replies)
  world:at(world.now + 60000, function()
    c:send(wire.request(11, "lease.step 3 before=1", items))
  end)
  world:at(world.now + 160000, function()
    c:send(wire.request(12, "lease.step 3 before=1", "memory.read nope:0 1<|END|>" .. items))
  end)
  world:at(world.now + 260000, function()
    c:send(wire.request(13, "lease.step 2 before=4096", items))
  end)
  later(world, c, 360, "lease.step 1 before=4097", 14)
  world:frame(40)
  later_of(world, c, 0, nil, 0, replies)
  world:frame(2)
  local first, last = t.ok(replies[11]).tail:match("^ok (%d+)<|END|>ok (%d+)<|END|>$")
  t.equal(last - first, 3)
  t.equal(replies[11].frame, t.ok(replies[10]).frame + 3)
  t.equal(t.ok(replies[12]).frame, replies[11].frame, "no frame ran after an item that failed")
  t.equal(replies[12].named.done .. " of " .. replies[12].named.of, "0 of 3")
  first, last = t.ok(replies[13]).tail:match("^ok (%d+)<|END|>ok (%d+)<|END|>$")
  t.equal(first, last, "all items ran before the frames")
  t.equal(replies[13].frame, replies[11].frame + 2)
  t.refused(replies[14], "bad-argument", "before")
end)

t.test("legacy reads are served while another client has the lease, legacy effects are not", HEADLESS, function(world)
  local c, older = world:session("s"), world:connect()
  later(world, c, 20, "lease.take limit=10000", 10)
  for place, message in ipairs({ "core.checksum", "core.romSize", "coreAdapter.memory", "memoryDomain.size,wram", "core.setKeys,1", "coreAdapter.reset" }) do
    world:at(world.now + 60000 + place * 20000, function()
      older:send(message .. "<|END|>")
    end)
  end
  later(world, c, 400, "lease.release", 11)
  world:frame(40)
  local answers = {}
  for answer in older:take():gmatch("(.-)<|END|>") do
    answers[#answers + 1] = answer
  end
  t.equal(#answers, 6)
  for place, answer in ipairs(answers) do
    t.equal(answer == "<|ERROR|>", place > 4, place)
  end
end)

t.test("a lease continues in another session with its token, and the first session loses it", HEADLESS, function(world)
  local c, d, first, second = world:session("first"), world:session("second"), {}, {}
  local function with_token()
    return "holder=agent lease.take token=" .. t.ok(first[10]).named.token
  end
  local function step()
    return "holder=agent lease.step 1"
  end
  later(world, c, 20, "holder=agent lease.take", 10)
  later(world, d, 60, "holder=agent lease.take", 20)
  later(world, d, 80, "holder=agent lease.take token=wrong", 21)
  later(world, c, 100, "holder=agent lease.step 64", 11)
  later_of(world, c, 120, step, 12, first)
  later_of(world, d, 320, with_token, 22, second)
  later(world, c, 700, "holder=agent lease.step 1", 13)
  later_of(world, d, 1500, step, 23, second)
  world:frame(100)
  later_of(world, c, 0, nil, 0, first)
  later_of(world, d, 0, nil, 0, second)
  world:frame(2)
  t.refused(second[20], "leased")
  t.refused(second[21], "leased")
  t.refused(first[12], "busy")
  t.equal(t.ok(second[22]).named.token, first[10].named.token)
  t.is_true(second[22].named.running > 0, "a step was running")
  t.equal(second[22].frame + second[22].named.running, t.ok(first[11]).frame, "where it ended")
  t.refused(first[13], "leased")
  t.equal(t.ok(second[23]).frame, first[11].frame + 1)
end)

t.test("a step whose lease another session takes over keeps its keys, though the first session is lost", HEADLESS, function(world)
  local c, d, first, second = world:session("first"), world:session("second"), {}, {}
  later(world, c, 20, "holder=agent lease.take limit=10000", 10)
  later(world, c, 60, "holder=agent lease.step 600 keys=A", 11)
  later_of(world, d, 200, function()
    return "holder=agent lease.take limit=10000 token=" .. t.ok(first[10]).named.token
  end, 20, second)
  later_of(world, c, 100, nil, 0, first)
  world:at(world.now + 300000, function()
    c:close()
  end)
  world:frame(400) -- more than 6 s
  t.equal(world.core.keys, 1, "A")
  later_of(world, d, 0, nil, 0, second)
  world:frame(2)
  t.is_true(t.ok(second[20]).named.running > 500)
  later(world, d, 10000, "holder=agent lease.release", 21)
  world:frame(800)
  t.equal(world.core.keys, 0, "the lease has ended")
end)

t.test("the token of a lease that has ended takes no other", HEADLESS, function(world)
  local c, replies = world:session("s"), {}
  local function again()
    return "lease.take token=" .. t.ok(replies[10]).named.token
  end
  later(world, c, 20, "lease.take", 10)
  later(world, c, 60, "lease.release", 11)
  later_of(world, c, 100, again, 12, replies)
  later(world, c, 140, "lease.take", 13)
  later_of(world, c, 180, again, 14, replies)
  later(world, c, 220, "lease.release", 15)
  world:frame(30)
  later_of(world, c, 0, nil, 0, replies)
  world:frame(2)
  t.refused(replies[12], "no-lease", "has ended")
  t.is_true(t.ok(replies[13]).named.token ~= replies[10].named.token)
  t.refused(replies[14], "no-lease", "has ended")
end)

t.test("a lease is refused in a window that may not survive it", function(world)
  local c = world:session("s")
  t.refused(c:call("lease.take"), "busy", "not known yet")
  world:run(300)
  t.refused(c:call("lease.take"), "unsupported", "MGBA_BRIDGE_LEASE")
end)

--- Frames of a window with audio sync: so many at once, then sleep.
local function run_bursts(world, frames, at_once)
  for i = 1, frames do
    if i % at_once == 0 then
      world.next_due = (world.next_due or world.now) + (at_once - 1) * world.period
    else
      world.next_due = world.now
    end
    world:run(1)
  end
end

t.test("a lease is granted in a window that runs several frames at once", function(world)
  local c = world:session("s")
  run_bursts(world, 300, 3)
  t.ok(c:call("lease.take"))
end)

t.test("a window whose frames decide nothing is measured again before a lease", function(world)
  local c = world:session("s")
  local function run_undecided(frames)
    for i = 1, frames do
      world:run(1)
      if i % 7 == 0 then
        world.next_due = world.now
      end
    end
  end
  run_undecided(300)
  t.refused(c:call("lease.take"), "busy", "not known yet")
  t.equal(t.ok(c:call("status")).named.pace, "locked")
  run_undecided(600)
  t.equal(t.ok(c:call("status")).named.pace, "learn")
  run_bursts(world, 600, 3)
  t.ok(c:call("lease.take"))
end)
