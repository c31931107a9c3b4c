-- Sensors and the clock of the cartridge.

local t = require("harness")

local HEADLESS <const> = { host = "headless", waits_for_all = true }

t.test("of several holders the last one's setting applies, and each ends its own", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("t")
  t.ok(c:call("holder=a sensors.set light=10 x=1000"))
  t.ok(d:call("holder=b sensors.set x=-2000 gyro=3000"))
  t.equal(world.sensors, "10 -2000 0 3000")
  t.ok(c:call("holder=a sensors.release"), "2")
  t.equal(world.sensors, "255 -2000 0 3000")
  t.ok(c:call("holder=a sensors.release"), "0")
  t.ok(c:call("holder=a sensors.set x=7"))
  t.ok(d:call("holder=b sensors.set x=9"))
  t.equal(world.sensors, "255 9 0 3000")
  d:close()
  world:frame(600)
  t.equal(world.sensors, "255 7 0 0", "its session is lost")
end)

t.test("sensors of a connection without a session end with it", HEADLESS, function(world)
  local c = world:connect()
  t.ok(c:call("sensors.set y=90000"))
  t.equal(world.sensors, "255 0 90000 0")
  c:close()
  world:frame(10)
  t.equal(world.sensors, "255 0 0 0")
end)

t.test("owner.release ends the sensors of an owner", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call("holder=a owner=guest sensors.set light=0"))
  t.ok(c:call("holder=b owner=other sensors.set gyro=1"))
  t.ok(c:call("owner=guest owner.release"), "1")
  t.equal(world.sensors, "255 0 0 1")
end)

t.test("a camera sees the picture that was shown last, and then the one before", HEADLESS, function(world)
  local c = world:session("s")
  local black, white = ("\0"):rep(14336), ("\255"):rep(14336)
  t.ok(c:call("holder=a camera.set", black))
  t.ok(c:call("holder=b camera.set", white))
  t.equal(world.camera, white)
  t.ok(c:call("sensors.get"), "light=255 x=0 y=0 gyro=0 camera=true")
  t.ok(c:call("holder=b sensors.release"), "1")
  t.equal(world.camera, black)
  t.ok(c:call("holder=a sensors.release"), "1")
  t.equal(world.camera, "")
  t.refused(c:call("camera.set", "short"), "bad-argument", "14336; this one has 5")
  t.equal(world.camera, "")
end)

t.test("the pictures of a camera are events with the first frame that has them", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call("watch w camera"))
  t.ok(c:call("camera.set", ("\7"):rep(14336)))
  world:frame(3)
  local seen
  for _, list in ipairs({ c.others, c:all() }) do
    for _, message in ipairs(list) do
      seen = message.topic == "watch" and message or seen
    end
  end
  t.matches(seen.text, "camera from=%d+$")
  t.equal(seen.tail, ("\7"):rep(14336))
end)

--- What the sensors show in each of these frames.
local function shown(world, frames)
  local list = {}
  for place = 1, frames do
    list[place] = world.sensors or "rest"
    world:frame()
  end
  return table.concat(list, ", ")
end

t.test("steps of a sequence set sensors for their frames, beside keys", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call("sensors.set light=9"))
  t.ok(c:call('keys.sequence "A x=10000 y=-5000 2, wait 1, gyro=30 light=0 2, B 1"'))
  t.equal(shown(world, 7), "9 10000 -5000 0, 9 10000 -5000 0, 9 0 0 0, 0 0 0 30, 0 0 0 30, 9 0 0 0, 9 0 0 0")
end)

t.test("sequences of one holder with the same sensor come one after the other, or replace each other", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call('keys.sequence "x=1 2"'))
  t.ok(c:call('keys.sequence "x=2 2, y=3 2"'))
  t.equal(shown(world, 6), "255 1 0 0, 255 2 0 0, 255 2 0 0, 255 0 3 0, 255 0 3 0, 255 0 0 0", "one frame has passed")
  t.ok(c:call('keys.sequence "x=1 20"'))
  t.ok(c:call('keys.sequence "x=5 2" waiting=replace'))
  t.equal(shown(world, 3), "255 5 0 0, 255 5 0 0, 255 0 0 0")
end)

t.test("sensors of a sequence end with its request, its holder and the game", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call('keys.sequence "x=1 2, x=2 20"'))
  t.ok(c:call("keys.release"))
  t.equal(shown(world, 3), "255 1 0 0, 255 0 0 0, 255 0 0 0", "what had not begun")
  t.ok(c:call('keys.sequence "x=1 20, x=2 20"'))
  t.ok(c:call("sensors.release"), "1")
  t.equal(shown(world, 30):gsub("255 0 0 0,? ?", ""), "")
  t.ok(c:call('keys.sequence "x=1 20, x=2 20"'))
  world:close_game()
  world:frame(2)
  t.equal(world.sensors, "255 0 0 0")
end)

for _, case in ipairs({
  { "A z=1 4", "not a step" }, { "A x=90001 4", "%-90000 to 90000" }, { "x=1 A 4", "not a step" }, { "A B 4", "not a step" },
  { "x= 4", "not a key" }, { "light=0.5 4", "not a key" },
}) do
  t.test("the step " .. case[1] .. " is refused", HEADLESS, function(world)
    t.matches(world:session("s"):call(('keys.sequence "%s"'):format(case[1])).head, "error bad%-.*" .. case[2])
    t.equal(world.sensors, nil)
  end)
end

t.test("a sequence with sensors is refused in a window", function(world)
  t.refused(world:connect():call('keys.sequence "x=1 4"'), "unsupported", "mgba%-headless")
end)

t.test("sensors end when the game changes", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call("sensors.set light=0"))
  world:close_game()
  world:frame(2)
  t.equal(world.sensors, "255 0 0 0")
end)

for _, case in ipairs({
  { "clock.set later", "use host, offset, fixed or emulated" }, { "clock.set fixed", "has a value" }, { "clock.set host value=5", "use offset" },
  { "clock.set fixed value=946684799999", "2000 to 2099" }, { "clock.set emulated value=4102444800000", "integer from" },
  { "sensors.set light=256", "0 to 255" }, { "sensors.set", "name a sensor" },
}) do
  t.test(case[1] .. " is refused", HEADLESS, function(world)
    local c = world:session("s")
    t.refused(c:call(case[1]), "bad-argument", case[2])
    t.equal(world.clock, nil)
    t.equal(world.sensors, nil)
  end)
end

for _, head in ipairs({ "sensors.get", "sensors.set light=1", "sensors.release", "clock.get", "clock.set fixed value=946684800000", "cartridge.get" }) do
  t.test(head .. " is refused in a window", function(world)
    t.refused(world:connect():call(head), "unsupported", "mgba%-headless")
  end)
end
