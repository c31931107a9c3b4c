-- Sensors of the cartridge. Each shows what was set last by a holder that has not ended it.

local game = require("game.game")
local LIMITS <const> = require("base.limits")
local host = require("base.host").calls
local owners = require("base.owners")
local wire = require("wire.text")

local refuse = wire.refuse

-- What a sensor shows that nobody has set, in the order of the host's call.
local NAMES <const> = { "light", "x", "y", "gyro" }
local ALL <const> = { "light", "x", "y", "gyro", "camera" }
local NEUTRAL <const> = { light = 255, x = 0, y = 0, gyro = 0, camera = "" }

local sensors = {
  held = {}, -- settings { name, value, holder, owner }, in the order in which they were set
  text = "light=255 x=0 y=0 gyro=0", -- what they show now
  camera = "", -- the picture that the camera sees now; empty: darkness
}

local function value_of(name)
  for place = #sensors.held, 1, -1 do
    if sensors.held[place].name == name then
      return sensors.held[place].value
    end
  end
  return NEUTRAL[name]
end

local function apply()
  local parts = {}
  for place, name in ipairs(NAMES) do
    parts[place] = name .. "=" .. value_of(name)
  end
  sensors.text = table.concat(parts, " ")
  host.setSensors(value_of("light"), value_of("x"), value_of("y"), value_of("gyro"))
  local camera = value_of("camera")
  if camera ~= sensors.camera then
    sensors.camera = camera
    host.setCamera(camera)
  end
end

--- Refuses where the host has no sensors.
function sensors.check()
  game.core_or_refuse()
  if not (host and host.setSensors) then
    refuse("unsupported", "mGBA's window hands no sensors to scripts; set them in its menu Tools, or run the game with mgba-headless")
  end
end

--- The settings for which `matches` is false.
local function others(matches)
  local kept = {}
  for _, setting in ipairs(sensors.held) do
    if not matches(setting) then
      kept[#kept + 1] = setting
    end
  end
  return kept
end

--- Ends the settings for which `matches` is true. Returns how many.
local function remove(matches)
  local kept = others(matches)
  local count = #sensors.held - #kept
  if count > 0 then
    sensors.held = kept
    apply()
  end
  return count
end

--- Sets those that `values` names.
function sensors.set(holder, owner, values)
  local kept = others(function(setting)
    return setting.holder == holder and values[setting.name] ~= nil
  end)
  if #kept + #ALL > LIMITS.holders * #ALL then
    refuse("busy", "%d holders have set sensors, the most that are allowed; release some with sensors.release", LIMITS.holders)
  end
  for _, name in ipairs(ALL) do
    if values[name] then
      kept[#kept + 1] = { name = name, value = values[name], holder = holder, owner = owner }
    end
  end
  sensors.held = kept
  apply()
end

--- Ends what a holder has set. Returns how many sensors that were.
function sensors.release(holder)
  return remove(function(setting)
    return setting.holder == holder
  end)
end

--- Ends what an owner that is gone has set. Returns how many sensors that were.
function sensors.release_owner(owner)
  return remove(function(setting)
    return owners.includes(owner, setting.owner)
  end)
end

--- Gives what a holder has set to another owner.
function sensors.move(holder, from, to)
  for _, setting in ipairs(sensors.held) do
    if setting.holder == holder and setting.owner == from then
      setting.owner = to
    end
  end
end

--- Ends everything, because the game was closed or changed.
function sensors.drop()
  remove(function()
    return true
  end)
end

return sensors
