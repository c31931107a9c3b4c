-- Connections: slow readers, partial sends, dead peers, many at once, and what the engine's sockets do wrong.

local t = require("harness")
local wire = require("wire")

t.test("replies to a reader that takes a byte at a time arrive whole", function(world)
  local c = world:connect()
  c.window = function() return 1 end
  local reply = c:call("echo abcdefghijklmnopqrstuvwxyz")
  t.ok(reply, '"abcdefghijklmnopqrstuvwxyz"')
end)

t.test("a big reply to a reader that takes random amounts, sometimes none", function(world)
  local c = world:connect()
  local data = {}
  for i = 1, 400000 do
    data[i] = string.char(math.random(0, 255))
  end
  data = table.concat(data)
  c.window = function() return math.random() < 0.3 and 0 or math.random(1, 9000) end
  c:request("echo", data)
  c:request("echo after")
  t.is_true(c:next(4000).tail == data, "the returned bytes differ")
  t.ok(c:next(), '"after"')
end)

t.test("8 pipelined hex reads of 256 KiB to a reader that stops for a while: every byte", function(world)
  for i = 0, 0x3ffff do
    world.core.bytes[0x02000000 + i] = (i * 7 + i // 256) & 0xff
  end
  local c = world:connect()
  local open = false
  c.window = function() return open and math.random(1, 70000) or 0 end
  c:send(("core.readRange,0x02000000,262144,<|END|>"):rep(8))
  world:frame(120)
  open = true
  local wanted = {}
  for i = 0, 0x3ffff do
    wanted[i + 1] = ("%02x"):format((i * 7 + i // 256) & 0xff)
  end
  wanted = table.concat(wanted, ",")
  for i = 1, 8 do
    t.is_true(c:next(3000).head == wanted, "answer " .. i)
  end
end)

t.test("a reader that never reads stops being served, and others are not", function(world)
  local c, d = world:connect(), world:connect()
  c.window = function() return 0 end
  for i = 1, 200 do
    c:send(wire.request(i, "memory.read 0x02000000 1000000"))
  end
  world:frame(100)
  t.ok(d:call("ping"))
  collectgarbage()
  t.is_true(collectgarbage("count") < 80000, "memory: " .. collectgarbage("count") // 1024 .. " MB")
  c:reset()
  world:frame(3)
  t.equal(t.ok(d:call("status")).named.connections, 1)
end)

t.test("a peer that is gone while its reply is sent: closed once, nothing else happens", function(world)
  for _, code in ipairs({ -1, 5, 8, 4 }) do
    local c = world:connect()
    c:request("ping")
    c.send_error = code
    world:frame(3)
    t.is_true(c.closed_by_script, "error " .. code)
  end
end)

t.test("EAGAIN is not an error", function(world)
  local c, calls = world:connect(), 0
  c.window = function()
    calls = calls + 1
    return calls < 20 and 0 or 100000
  end
  t.ok(c:call("ping"))
end)

t.test("the end of a stream is seen whatever error number is left over", function(world)
  for _, stale in ipairs({ 0, 1, -1 }) do
    world.stale_errors = { stale }
    local c = world:connect()
    t.ok(c:call("ping"))
    c:close()
    world:frame(3)
    t.is_true(c.closed_by_script, "stale error " .. stale)
  end
  t.equal(world:open_descriptors(), 1, "descriptors: the listener's")
end)

t.test("a reset connection is closed", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  c:reset()
  world:frame(3)
  t.is_true(c.closed_by_script)
  t.equal(world:open_descriptors(), 1)
end)

t.test("out-of-band data, which blinds select, ends the connection after a while", function(world)
  local c, d = world:connect(), world:connect()
  t.ok(c:call("ping"))
  c.select_error = true
  world:frame(200)
  t.is_true(c.closed_by_script)
  t.ok(d:call("ping"))
end)

t.test("512 connections at once, each answered", function(world)
  local clients = {}
  for i = 1, 512 do
    clients[i] = world:connect()
  end
  for _ = 1, 3 do
    for i, c in ipairs(clients) do
      c:request("echo " .. i)
    end
    for i, c in ipairs(clients) do
      t.ok(c:next(), '"' .. i .. '"')
    end
  end
end)

t.test("beyond the cap: an error and a close, not a reset; the others continue", { environment = { MGBA_BRIDGE_CONNECTIONS = "20" } }, function(world)
  local clients = {}
  for i = 1, 20 do
    clients[i] = world:connect()
    t.ok(clients[i]:call("ping"))
  end
  local late = {}
  for i = 1, 200 do
    late[i] = world:connect()
    late[i]:request("ping")
  end
  world:frame(130 * 6)
  for _, c in ipairs(late) do
    local reply = c:next()
    t.refused(reply, "too-many-connections", "20")
    t.equal(reply.id, 0)
    t.is_true(c.closed_by_script and not c.was_reset, "it was reset")
  end
  for _, c in ipairs(clients) do
    t.ok(c:call("ping"))
    c:close()
  end
  world:frame(3)
  t.ok(world:connect():call("ping"))
end)

t.test("900 connections allowed: descriptors stay below 1,024", { environment = { MGBA_BRIDGE_CONNECTIONS = "900" } }, function(world)
  for _ = 1, 1500 do
    world:connect():request("ping")
  end
  world:frame(300)
  t.is_true(world:open_descriptors() <= 950, world:open_descriptors() .. " descriptors")
end)

t.test("5,000 connections, each with one request: nothing is left over", function(world)
  collectgarbage()
  local before = collectgarbage("count")
  for _ = 1, 5000 do
    local c = world:connect()
    t.ok(c:call("ping"))
    c:close()
  end
  world:frame(3)
  world.sockets = {}
  collectgarbage()
  t.equal(world:open_descriptors(), 1)
  t.is_true(collectgarbage("count") - before < 300, "kept: " .. collectgarbage("count") - before .. " KB")
end)

t.test("connections that never say anything cost little and are kept", function(world)
  local quiet = {}
  for i = 1, 100 do
    quiet[i] = world:connect()
  end
  world:frame(3000)
  for _, c in ipairs(quiet) do
    t.is_true(not c.closed_by_script)
  end
  t.ok(quiet[50]:call("ping"))
end)

t.test("one client that pipelines without end does not starve 50 others", function(world)
  local greedy, others = world:connect(), {}
  for i = 1, 50 do
    others[i] = world:connect()
  end
  local block = {}
  for i = 1, 5000 do
    block[i] = wire.request(i, "memory.read 0x02000000 4096")
  end
  greedy:send(table.concat(block))
  world:frame(1)
  for round = 1, 5 do
    for _, c in ipairs(others) do
      c:request("echo " .. round)
    end
    world:frame(2)
    for _, c in ipairs(others) do
      t.is_true(#c:all() == 1, "a polite client waits")
    end
  end
end)

t.test("a half-closed connection gets all its answers, then ends", function(world)
  local c = world:connect()
  for i = 1, 1000 do
    c:send(wire.request(i, "echo " .. i))
  end
  c:half_close()
  for i = 1, 1000 do
    t.equal(c:next().id, i)
  end
  world:frame(3)
  t.is_true(c.closed_by_script)
end)

t.test("events go to those who said hello, numbered", function(world)
  local c, d = world:session("s"), world:connect()
  t.ok(d:call("ping"))
  t.ok(c:call("game.reset"))
  t.ok(c:call("game.reset"))
  local events = c.others
  t.equal(#events, 2)
  t.equal(events[1].kind, "event")
  t.equal(events[1].topic, "game.reset")
  t.equal(events[1].id, 1)
  t.equal(events[2].id, 2)
  t.equal(#d:all(), 0)
end)
