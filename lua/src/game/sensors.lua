-- Sensors of the cartridge. Each shows what was set last by a holder that has not ended it.

local game = require("game.game")
local LIMITS <const> = require("base.limits")
local host = require("base.host").calls
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")

local refuse = wire.refuse

-- What a sensor shows that nobody has set, in the order of the host's call.
local NAMES <const> = { "light", "x", "y", "gyro" }
local ALL <const> = { "light", "x", "y", "gyro", "camera" }
local NEUTRAL <const> = { light = 255, x = 0, y = 0, gyro = 0, camera = "" }

-- A show: a step of a sequence that sets sensors for some frames, and is among the taps of its press: keys (none), values, down and up (frames), holder,
-- owner, request, unseen (0), begun (its settings are held) and dropped (it never begins).
local sensors = {
  held = {}, -- settings { name, value, holder, owner, show }, in the order in which they were set
  shows = {}, -- that are not over
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
    return setting.holder == holder and not setting.show and values[setting.name] ~= nil
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

--- Begins the shows that are due and ends those that are over. Called once a frame, and after each change of them.
function sensors.advance()
  local kept, changed = {}, false
  for _, show in ipairs(sensors.shows) do
    local is_over = show.dropped or show.up <= state.frame
    if show.begun and is_over then
      changed = true
      sensors.held = others(function(setting)
        return setting.show == show
      end)
    elseif not is_over and not show.begun and show.down <= state.frame then
      changed, show.begun = true, true
      for _, name in ipairs(ALL) do
        if show.values[name] then
          sensors.held[#sensors.held + 1] = { name = name, value = show.values[name], holder = show.holder, owner = show.owner, show = show }
        end
      end
    end
    kept[#kept + 1] = not is_over and show or nil
  end
  sensors.shows = kept
  if changed then
    apply()
  end
end

--- Whether they stay as they are without another request.
function sensors.is_settled()
  return #sensors.shows == 0
end

local function is_of(show, holder, values)
  for name in pairs(values) do
    if show.holder == holder and show.values[name] then
      return true
    end
  end
  return false
end

--- The first frame, from `frame`, in which no earlier show of this holder has one of these sensors.
function sensors.free_from(holder, values, frame)
  for _, show in ipairs(sensors.shows) do
    frame = is_of(show, holder, values) and math.max(frame, show.up) or frame
  end
  return frame
end

--- Ends the shows of this holder with one of these sensors.
function sensors.replace(holder, values)
  for _, show in ipairs(sensors.shows) do
    if is_of(show, holder, values) then
      show.dropped, show.up = not show.begun, math.min(show.up, state.frame)
    end
  end
  sensors.advance()
end

--- Sets these sensors from the frame `down` to the frame `up`. Returns the show.
function sensors.add_show(values, down, up, request)
  local show = { keys = {}, values = values, down = down, up = up, holder = request.holder, owner = request.owner, request = request, unseen = 0 }
  sensors.shows[#sensors.shows + 1] = show
  return show
end

--- Cancels the shows that have not begun and for which belongs(request) is true; with `begun` it ends instead those that have, each after at least
--- one frame.
function sensors.cancel(belongs, begun)
  for _, show in ipairs(sensors.shows) do
    if belongs(show.request) and begun and show.begun then
      show.up = math.min(show.up, math.max(show.down + 1, state.frame))
    elseif belongs(show.request) and not begun and not show.begun then
      show.dropped = true
    end
  end
  sensors.advance()
end

--- Ends what a holder has set. Returns how many sensors that were.
function sensors.release(holder)
  sensors.cancel(function(request)
    return request.holder == holder
  end)
  return remove(function(setting)
    return setting.holder == holder
  end)
end

--- Ends what an owner that is gone has set. Returns how many sensors that were.
function sensors.release_owner(owner)
  return remove(function(setting)
    return not setting.show and owners.includes(owner, setting.owner)
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
  for _, show in ipairs(sensors.shows) do
    show.dropped = true
  end
  sensors.shows = {}
  remove(function()
    return true
  end)
end

return sensors
