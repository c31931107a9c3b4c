-- The scheduler, with a clock that only moves when something takes time: it waits for requests only in spare time.

local t = require("harness")
local wire = require("wire")

local LINGER <const> = { environment = { MGBA_BRIDGE_LINGER = "" } } -- the setting's default

--- This client sends at the given interval in microseconds until the test ends.
local function keep_asking(world, client, every)
  local id = 1000000
  local function send()
    id = id + 1
    client:send(wire.request(id, "echo x"))
    client:take()
    world:at(world.now + every, send)
  end
  world:at(world.now + every, send)
end

local function mean(visits, field, from)
  local sum, count = 0, 0
  for i = from or 1, #visits do
    sum, count = sum + visits[i][field], count + 1
  end
  return sum / count
end

--- The pace is kept when no frames are lost (at most 0.3 % in these few seconds) and none is held up for long.
local function check_pace(visits, period, longest)
  local first, last, worst = visits[1].began, visits[#visits].began, 0
  for i = 2, #visits do
    worst = math.max(worst, visits[i].began - visits[i - 1].began - period)
  end
  local lost = (last - first) / ((#visits - 1) * period) - 1
  t.is_true(lost < 0.003, ("%.2f %% of the frames are lost"):format(lost * 100))
  t.is_true(worst < (longest or period / 2), ("a frame comes %.1f ms late"):format(worst / 1000))
end

local function busy_world(world, period, every)
  world.period = period or world.period
  local c = world:connect()
  keep_asking(world, c, every or 2500)
  world:run(700)
  return c
end

t.test("no connection: the callback returns immediately", LINGER, function(world)
  world:run(300)
  t.is_true(mean(world:run(200), "took") < 300, "microseconds a frame")
end)

t.test("an active client is waited for, most of the frame, and no frame is late", LINGER, function(world)
  busy_world(world)
  local visits = world:run(600)
  t.is_true(mean(visits, "took") > 5000, "waits only " .. mean(visits, "took") .. " us a frame")
  check_pace(visits, world.period)
end)

t.test("requests are answered within a few milliseconds, not once a frame", LINGER, function(world)
  local c = busy_world(world)
  local waits, id = {}, 5000000
  c:take()
  local asked
  local function poll()
    if asked and c:take():find("#" .. id, 1, true) then
      waits[#waits + 1] = world.now - asked
      asked = nil
    end
    world:at(world.now + 100, poll)
  end
  local function ask()
    id, asked = id + 1, world.now
    c:send(wire.request(id, "game.frame"))
    world:at(world.now + math.random(9000, 40000), ask)
  end
  world.agenda = {}
  poll()
  ask()
  world:run(600)
  table.sort(waits)
  t.is_true(#waits > 200, "answers: " .. #waits)
  t.is_true(waits[#waits // 2] < 3000, "the median answer takes " .. waits[#waits // 2] .. " us")
end)

t.test("a second after the last request it waits no more, and heartbeats do not count", LINGER, function(world)
  local c = busy_world(world)
  world.agenda = {}
  world:run(70)
  local function beat()
    c:send(wire.request(1, "ping"))
    c:take()
    world:at(world.now + 500000, beat)
  end
  beat()
  t.is_true(mean(world:run(300), "took") < 700, "microseconds a frame with heartbeats only")
end)

t.test("linger=0 never waits", function(world)
  busy_world(world)
  t.is_true(mean(world:run(200), "took") < 900)
end)

for _, period in ipairs({ 16667, 16743, 33333, 20000, 8333 }) do
  t.test(("a host of %.1f frames a second keeps its pace and is used"):format(1000000 / period), LINGER, function(world)
    busy_world(world, period)
    local visits = world:run(600)
    check_pace(visits, world.period)
    t.is_true(mean(visits, "took") > period * 0.25, "waits only " .. mean(visits, "took") .. " us a frame")
  end)
end

t.test("a game that needs most of its frame is not slowed down", LINGER, function(world)
  world.emulation = 13000
  busy_world(world)
  local visits = world:run(600)
  check_pace(visits, world.period)
end)

t.test("the host's pace changes: faster and slower are learned again", LINGER, function(world)
  busy_world(world)
  for _, period in ipairs({ 8333, 16743, 33333, 16667 }) do
    world.period = period
    world:run(1500)
    local visits = world:run(400)
    check_pace(visits, world.period)
    t.is_true(mean(visits, "took") > period * 0.2, "at " .. period .. " it waits only " .. mean(visits, "took") .. " us a frame")
  end
end)

t.test("another look at the host's pace ends with the first request", LINGER, function(world)
  local c = busy_world(world)
  world.agenda = {}
  local LOOK_EVERY <const> = 2400
  local frame = t.ok(c:call("game.frame")).frame
  world:run(LOOK_EVERY - frame % LOOK_EVERY + 4)
  t.equal(t.ok(c:call("status")).named.pace, "learn")
  keep_asking(world, c, 2500)
  world:run(2)
  t.is_true(mean(world:run(8), "took") > 4000, "requests that arrive wait for the next frame")
end)

t.test("a window that runs three frames at once is waited for, and again after a time without spare time", LINGER, function(world)
  world.burst = 3
  busy_world(world)
  t.is_true(mean(world:run(300), "took") > 4000, "waits only " .. mean(world:run(300), "took") .. " us a frame")
  local emulation = world.emulation
  world.emulation = world.period * 1.02
  world:run(1200)
  t.is_true(mean(world:run(60), "took") < 500, "waits " .. mean(world:run(60), "took") .. " us a frame of a host that is late")
  world.emulation = emulation
  world:run(3000)
  t.is_true(mean(world:run(300), "took") > 4000, "waits only " .. mean(world:run(300), "took") .. " us a frame after it")
end)

t.test("a host that is busy only at the start is known within two seconds", LINGER, function(world)
  keep_asking(world, world:connect(), 2500)
  for i = 1, 40 do
    world:run(1)
    world:sleep(i * 7919 % 30000)
  end
  world:run(70)
  t.is_true(mean(world:run(10), "took") > 4000)
end)

t.test("fast-forward is not held back", LINGER, function(world)
  busy_world(world)
  world.period, world.emulation = 300, 250
  world:run(3000)
  local began = world.now
  world:run(3000)
  local share = 3000 * 300 / (world.now - began)
  t.is_true(share > 0.25, ("it runs at %.0f %% of its speed"):format(share * 100))
  world.period, world.emulation = 16743, 1000
  world:run(1500)
  t.is_true(mean(world:run(300), "took") > 4000, "waiting does not resume after fast-forward")
end)

t.test("after a pause of a minute nothing is caught up, and everything continues", LINGER, function(world)
  local c = busy_world(world)
  for _, gap in ipairs({ 60000000, 700000, 3000000 }) do
    world.agenda = {}
    world:sleep(gap)
    world.next_due = nil
    keep_asking(world, c, 2500)
    world:run(600)
    local visits = world:run(300)
    check_pace(visits, world.period)
    t.is_true(mean(visits, "took") > 4000, "waits only " .. mean(visits, "took") .. " us a frame")
  end
end)

t.test("an engine without a clock: a fixed part of the frame", { environment = { MGBA_BRIDGE_LINGER = "" }, load = false }, function(world)
  world.no_time = true
  assert(world:load())
  busy_world(world)
  local visits = world:run(300)
  t.is_true(mean(visits, "took") < 10000, mean(visits, "took") .. " us a frame")
  check_pace(visits, world.period)
end)

t.test("the wall clock is set back and forth", LINGER, function(world)
  busy_world(world)
  for _, jump in ipairs({ -3600000000, 7200000000, -40000 }) do
    local agenda = world.agenda
    world.now = world.now + jump
    world.next_due = world.now
    for _, item in ipairs(agenda) do
      item.time = item.time + jump
    end
    world:run(900)
    local visits = world:run(300)
    check_pace(visits, world.period)
  end
end)

t.test("a Game Boy's clock is read too", { platform = "gb", environment = { MGBA_BRIDGE_LINGER = "" } }, function(world)
  busy_world(world)
  t.equal(t.ok(world:connect():call("status")).named.pace ~= nil, true)
  t.is_true(mean(world:run(300), "took") > 4000)
  for _, line in ipairs(world.console.warn) do
    t.is_true(not line:find("does not provide the time", 1, true), line)
  end
end)

t.test("10,000 pipelined commands slow their client and not the game", LINGER, function(world)
  local c = busy_world(world)
  world:run(100)
  local parts = {}
  for i = 1, 10000 do
    parts[i] = wire.request(i, "memory.read 0x02000000 1024")
  end
  c:send(table.concat(parts))
  local visits = world:run(100)
  check_pace(visits, world.period)
end)

t.test("a client that reads the whole memory repeatedly does not slow the game", LINGER, function(world)
  local c = busy_world(world)
  local parts = {}
  for i = 1, 200 do
    parts[i] = wire.request(i, "memory.read 0x02000000 262144")
  end
  c:send(table.concat(parts))
  local visits = world:run(100)
  check_pace(visits, world.period)
end)

t.test("100 clients with 30 commands each at once do not slow the game", LINGER, function(world)
  busy_world(world)
  for _ = 1, 100 do
    local c, parts = world:connect(), {}
    for i = 1, 30 do
      parts[i] = wire.request(i, "memory.read 0x02000000 4096")
    end
    c:send(table.concat(parts))
  end
  local visits = world:run(100)
  check_pace(visits, world.period)
end)

t.test("pipelined writes of 16 KiB are spread over frames", LINGER, function(world)
  local c = busy_world(world)
  local parts = {}
  for i = 1, 60 do
    parts[i] = wire.request(i, "memory.write 0x02010000", ("x"):rep(16384))
  end
  c:send(table.concat(parts))
  local visits = world:run(100)
  check_pace(visits, world.period)
end)

local HOSTED <const> = { host = "headless", waits_for_all = true, environment = { MGBA_BRIDGE_LINGER = "" } }

t.test("mgba-headless: requests are answered at once, also the first after a long pause, and no frame is late", HOSTED, function(world)
  local first, second = world:session("a"), world:session("b")
  world:run(300)
  for round = 1, 20 do
    local client = round % 2 == 0 and first or second
    local asked, answered = world.now + 40000, nil
    client:take()
    world:at(asked, function() client:request("echo x") end)
    local function look()
      if client.outbox[1] then
        answered = world.now
      else
        world:at(world.now + 50, look)
      end
    end
    world:at(asked + 50, look)
    check_pace(world:run(120), world.period)
    t.is_true(answered and answered - asked < 2000, "answered after " .. (answered or 1e9) - asked .. " us")
  end
end)

t.test("mgba-headless: the script wakes about once a frame and once for each request", HOSTED, function(world)
  busy_world(world, nil, 100000)
  local waits, selects, cpu = world.waits, world.selects, world.cpu
  world:run(600)
  t.is_true(world.waits - waits < 800, (world.waits - waits) .. " waits in 600 frames")
  t.is_true(world.selects - selects < 8000, (world.selects - selects) .. " polls of a socket in 600 frames")
  t.is_true(world.cpu - cpu < 600 * (world.emulation + 60), "processor time")
end)

t.test("mgba-headless: data of a connection that is not read for now does not keep the script awake", HOSTED, function(world)
  local c = world:connect()
  c.window = function() return 0 end -- reads nothing
  local request = wire.request(1, "echo " .. ("x"):rep(30000))
  local function send()
    c:send(request)
    world:at(world.now + 3000, send)
  end
  send()
  world:run(400)
  local waits = world.waits
  check_pace(world:run(300), world.period)
  t.is_true(world.waits - waits < 300 * 20, (world.waits - waits) .. " waits in 300 frames")
end)

t.test("mgba-headless without a frame limit does not wait", HOSTED, function(world)
  local c = world:connect()
  world.is_unlimited = true
  world:frame(100)
  local waits = world.waits
  world:frame(100)
  t.equal(world.waits, waits)
  t.matches(t.ok(c:call("status")).text, 'pace="free"')
end)

t.test("mgba-headless that cannot watch sockets: the script polls", HOSTED, function(world)
  world.cannot_watch = true
  local c = busy_world(world)
  local waits = world.waits
  world:run(100)
  t.equal(world.waits, waits)
  t.is_true(#c:take() > 0)
end)
