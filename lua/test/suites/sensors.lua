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
