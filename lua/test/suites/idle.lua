-- While no frame runs: mgba-headless calls the script all the same, and it answers what takes no frame.

local t = require("harness")

local HEADLESS <const> = { host = "headless" }

--- Sends a command and returns its reply, without a frame.
local function call(world, client, head, tail, event)
  local id = client:request(head, tail)
  for _ = 1, 400 do
    world:idle(event or "idlePaused")
    for _, message in ipairs(client:all()) do
      if message.kind == "reply" and message.id == id then
        return message
      end
      client.others[#client.others + 1] = message
    end
  end
  error("no answer to " .. head)
end

local function count(client)
  return #client:all()
end

t.test("paused: reads, writes, states, reset and status are answered, and no frame is counted", HEADLESS, function(world)
  local c = world:session("s")
  local frame = t.ok(c:call("ping")).frame
  t.ok(call(world, c, "memory.write8 0x02000000 7"))
  t.ok(call(world, c, "memory.read8 0x02000000"), "7")
  local data = t.ok(call(world, c, "state.get")).tail
  t.ok(call(world, c, "state.load", data))
  t.ok(call(world, c, "game.reset"))
  local reply = t.ok(call(world, c, "status"))
  t.equal(reply.named.machine, "paused")
  t.equal(reply.named.frame, frame, "frames")
  t.equal(reply.frame, frame, "the frame of the reply")
  world:frame()
  t.equal(t.ok(c:call("status")).named.machine, "running")
end)

t.test("status and hello say why no frame runs, and each change is an event", HEADLESS, function(world)
  local c = world:session("s")
  for event, machine in pairs({ idlePaused = "paused", idleStopped = "stopped", idleCrashed = "crashed" }) do
    t.equal(t.ok(call(world, c, "status", nil, event)).named.machine, machine)
    local d = world:connect()
    t.equal(t.ok(call(world, d, "hello 3", nil, event)).named.machine, machine)
    world:frame()
  end
  c:all()
  world:idle("idleStopped", 3)
  world:frame(3)
  local topics = {}
  for _, message in ipairs(c:all()) do
    topics[#topics + 1] = message.topic .. " " .. tostring(message.named.machine)
  end
  t.equal(table.concat(topics, ", "), "game.machine stopped, game.machine running")
end)

t.test("without a game, requests are refused as no-game", HEADLESS, function(world)
  local c = world:session("s")
  world:close_game()
  t.refused(call(world, c, "game.get", nil, "idleEmpty"), "no-game")
  t.equal(t.ok(call(world, c, "status", nil, "idleEmpty")).named.machine, "none")
end)

t.test("presses, waits, delayed batches and steps stay queued until frames run", HEADLESS, function(world)
  local c = world:session("s")
  local frame = t.ok(call(world, c, "ping")).frame
  c:request("keys.tap A frames=2 wait=true")
  c:request("wait.until frames=3")
  c:request("batch.run after=2", "")
  t.ok(call(world, c, "game.reset"))
  c:request("game.step")
  world:idle("idlePaused", 50)
  t.equal(count(c), 0, "answers while paused")
  t.equal(world.edges[0] or 0, 0, "presses while paused")
  world:frame(6)
  local frames = {}
  for _, message in ipairs(c:all()) do
    frames[#frames + 1] = message.status == "ok" and message.frame - frame or nil
  end
  table.sort(frames)
  t.equal(table.concat(frames, " "), "1 2 2 3", "frames of the answers")
  t.equal(world.edges[0], 1, "presses")
  t.equal(world.steps, 1, "steps")
end)

t.test("a long write and a legacy range continue while paused", HEADLESS, function(world)
  local c = world:session("s")
  local data = ("0123456789abcdef"):rep(8192)
  local reply = t.ok(call(world, c, "memory.write 0x02010000", data))
  t.equal(reply.named.last, reply.named.first, "frames of the write")
  t.equal(t.ok(call(world, c, "memory.read 0x02010000 " .. #data)).tail, data)
  c:send("core.readRange,0x02010000,60000,<|END|>")
  world:idle("idlePaused", 30)
  local answers = c:all()
  t.equal(#answers, 1)
  t.equal(#answers[1].head, 60000 * 3 - 1)
end)

t.test("a lease taken while paused steps when frames run, and ends when its holder is silent", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("other")
  t.ok(call(world, c, "lease.take limit=200"))
  t.refused(call(world, d, "memory.write8 0x02000000 1"), "leased")
  local step = c:request("lease.step 2")
  world:idle("idlePaused", 100)
  t.refused(call(world, d, "memory.write8 0x02000000 1"), "leased")
  c:all()
  local done
  world:frame(2)
  for _, message in ipairs(c:all()) do
    done = done or message.kind == "reply" and message.id == step and message
  end
  t.ok(done)
  world:idle("idlePaused", 60)
  t.ok(call(world, d, "memory.write8 0x02000000 1"))
end)

t.test("a game that stops or crashes ends the lease: else only its holder could reset it", HEADLESS, function(world)
  for event, idle in pairs({ stop = "idleStopped", crashed = "idleCrashed" }) do
    local c, d = world:session(event), world:session("other-" .. event)
    t.ok(call(world, c, "lease.take"))
    local step = c:request("lease.step 100")
    world:idle("idlePaused", 5)
    world:frame(2)
    world:trigger(event)
    world:idle(idle)
    local answered
    for _, message in ipairs(c:all()) do
      answered = message.kind == "reply" and message.id == step and message or answered
    end
    t.refused(answered, "cancelled", "reset")
    local resets = world.resets
    t.ok(call(world, d, "game.reset", nil, idle))
    t.equal(world.resets, resets + 1)
    world:frame(2)
  end
end)

t.test("connections come and go while no frame runs", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(call(world, c, "ping"))
  local before = world:open_descriptors()
  for i = 1, 40 do
    local d = world:connect()
    t.ok(call(world, d, "hello 3 session=n" .. i))
    d:close()
    world:idle("idlePaused", 3)
  end
  world:idle("idlePaused", 70 * 1000 // 16)
  t.equal(world:open_descriptors(), before)
  t.equal(t.ok(call(world, c, "status")).named.sessions, 1)
end)

t.test("stopped: the lease is not granted, so that a reset is not refused", HEADLESS, function(world)
  local c = world:session("s")
  t.refused(call(world, c, "lease.take", nil, "idleStopped"), "not-running", "reset the game")
  t.refused(call(world, c, "lease.take", nil, "idleCrashed"), "not-running", "reset the game")
  t.ok(call(world, c, "game.reset", nil, "idleStopped"))
  world:frame()
  t.ok(call(world, c, "lease.take"))
end)

t.test("stopped and crashed: what no frame would see is refused until the game was reset", HEADLESS, function(world)
  for _, idle in ipairs({ "idleStopped", "idleCrashed" }) do
    local c = world:session("s" .. idle)
    local presses = { "keys.tap 0", "keys.set 1", "keys.add A", 'keys.sequence "A 1"' }
    for _, command in ipairs({ "memory.write8 0x02000000 1", "registers.write r0 1", table.unpack(presses) }) do
      t.refused(call(world, c, command, nil, idle), "not-running", "reset the game")
    end
    t.refused(call(world, c, "memory.write 0x02000000", "x", idle), "not-running")
    t.refused(call(world, c, "freezes.set f 0x02000000", "x", idle), "not-running")
    t.equal(t.ok(call(world, c, "batch.run", "keys.tap 0<|END|>", idle)).named.done, 0)
    t.ok(call(world, c, "keys.clear 1023", nil, idle))
    t.ok(call(world, c, "memory.read8 0x02000000", nil, idle))
    t.ok(call(world, c, "batch.run", "game.reset<|END|>keys.tap 0<|END|>", idle))
    world:frame()
    t.ok(call(world, c, "memory.write8 0x02000000 1"))
  end
end)
