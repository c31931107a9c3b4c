-- Commands for the cartridge's sensors.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local sensors = require("game.sensors")
local wire = require("wire.text")

local command = commands.define
local refuse = wire.refuse

arguments.define_integer("light", 0, 255)
arguments.define_integer("tilt", -90000, 90000, "tilt (thousandths of a degree)")
arguments.define_integer("gyro", -1000000, 1000000, "gyro (thousandths of a degree a second)")

--- @command sensors.get
--- @type ReadSensors() Returns what the sensors of the cartridge show.
--- @reply `light= x= y= gyro= camera=`
--- @notes light: 0 (bright) to 255 (dark), as the game counts it; x and y: tilt in thousandths of a degree, with the right and the far edge
---   down; gyro in thousandths of a degree a second, clockwise; 255, 0, 0 and 0 unless set; camera: whether it sees a picture. `mgba-headless` only
command({
  name = "sensors.get",
  kind = "read",
  run = function()
    sensors.check()
    return sensors.text .. " camera=" .. tostring(sensors.camera ~= "")
  end,
})

--- @command sensors.set
--- @type SetSensors(Light, TiltX:x, TiltY:y, Gyro) Sets sensors of the cartridge, until the holder ends it.
--- @arguments `light=n x=n y=n gyro=n`
--- @reply `ok`
--- @notes those that are given, for the next frame and after; of several holders the last one's setting applies
command({
  name = "sensors.set",
  kind = "effect",
  named = { "light:light", "x:tilt", "y:tilt", "gyro:gyro" },
  run = function(values, request)
    sensors.check()
    game.live_core_or_refuse()
    if not (values.light or values.x or values.y or values.gyro) then
      refuse("bad-argument", "name a sensor: light=, x=, y= (tilt) or gyro=")
    end
    sensors.set(request.holder, request.owner, values)
  end,
})

--- @command camera.set
--- @type SetCamera(Picture:tail) Shows a picture to the camera of the cartridge, until the holder ends it.
--- @arguments tail
--- @reply `ok`
--- @notes 128 x 112 bytes, each pixel grey from 0 (black) to 255, row by row from the top; a sensor as those of `sensors.set`. A camera that is
---   shown no picture sees darkness
command({
  name = "camera.set",
  kind = "effect",
  tail = "takes",
  run = function(_, request)
    sensors.check()
    game.live_core_or_refuse()
    if #request.tail ~= LIMITS.camera then
      refuse("bad-argument", "a picture for a camera is 128 x 112 bytes, %d; this one has %d", LIMITS.camera, #request.tail)
    end
    sensors.set(request.holder, request.owner, { camera = request.tail })
  end,
})

--- @command sensors.release
--- @type ReleaseSensors() Ends what the holder has set.
--- @reply count of sensors
--- @notes they show what another holder has set before, or their values at the start
command({
  name = "sensors.release",
  kind = "effect",
  run = function(_, request)
    sensors.check()
    return tostring(sensors.release(request.holder))
  end,
})
