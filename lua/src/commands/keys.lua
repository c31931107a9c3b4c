-- Key commands.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local jobs = require("request.jobs")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local replies = require("request.replies")
local sensors = require("game.sensors")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local GB <const>, KEYS <const> = constants.GB, constants.KEYS
local core_or_refuse, live_core_or_refuse = game.core_or_refuse, game.live_core_or_refuse
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local gmatch, lower, match = string.gmatch, string.lower, string.match
local concat = table.concat
local refuse = wire.refuse

local key_commands = {}

local function key_names(mask)
  local names = {}
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      names[#names + 1] = KEYS[key + 1]
    end
  end
  return concat(names, "+")
end

--- @command keys.get
--- @type ReadKeys() Returns which keys are down, and who holds what.
--- @reply `mask=`, then `holder="keys"` pairs
--- @notes mask: the keys of all holders and the player's. The game still sees a press that ended within its frame for that frame
command({
  name = "keys.get",
  kind = "read",
  run = function()
    local parts = { "mask=" .. input.reported() }
    for holder, keys in pairs(input.holders) do
      local mask = 0
      for key in pairs(keys) do
        mask = mask | 1 << key
      end
      parts[#parts + 1] = wire.quote(holder) .. " " .. wire.quote(key_names(mask))
    end
    return concat(parts, " ")
  end,
})

--- Replies when the frame count reaches `frame`.
local function answer_at(request, frame)
  jobs.start(request, function()
    if state.frame >= frame then
      answer(request)
      return true
    end
  end)
  return DEFERRED
end

--- A press with the frames in which it is down, as far as they are known.
local function text_of(press)
  local unseen, missed = tap_queue.unseen(press)
  return wire.record({ "down", press.down, "up", tap_queue.up_of(press), "lag", press.lag })
    .. (press.joined and " joined=true" or "")
    .. (missed > 0 and " unseen=" .. unseen .. " missed=" .. missed or "")
end

--- Replies when a press is over: another one may have shortened it, and what was dropped was not pressed.
local function answer_after(request, press)
  request.on_stop = function()
    tap_queue.finish(function(other)
      return other == request
    end)
  end
  jobs.start(request, function()
    if tap_queue.is_dropped(press) then
      refuse("cancelled", "its holder released its keys, or pressed them with waiting=replace, before all of it was pressed")
    elseif state.frame >= tap_queue.up_of(press) then
      answer(request, text_of(press))
      return true
    end
  end)
  return DEFERRED
end

--- What a press does about those that wait.
function parse.waiting(text)
  return tap_queue.modes[text] and text
    or refuse("bad-argument", "waiting is %q; use queue, shorten or replace", wire.printable(text))
end

--- Defines a command that changes the holder's levels. The game sees every change, so a key that is pressed and released in one frame stays
--- down for a frame or two longer; with `wait=true` the reply comes after that.
local function level_command(name, core_of, presses, change)
  command({
    name = name,
    kind = "effect",
    arguments = { "mask" },
    named = { "wait:boolean=false" },
    run = function(values, request)
      core_of()
      if values[1] > 255 and game.platform == GB and presses and request.holder ~= input.COMPAT then
        refuse("bad-key", "a Game Boy has no R and L (bits 8 and 9); use a mask of 0..255")
      elseif values.wait then
        jobs.check_limit(request)
      end
      local seen = change(request, values[1])
      return values.wait and seen > state.frame and answer_at(request, seen) or nil
    end,
  })
end

--- @command keys.set keys.add keys.clear
--- @type ChangeKeys(Change=KeyChange.Set/Add/Clear, Keys:mask, Wait) Changes which keys a holder keeps down.
--- @arguments mask 0..1023, or names joined by `+`; `wait=false`
--- @reply `ok`
--- @notes the holder's levels; with `wait=true` the reply comes when `keys.get` shows it: a key pressed and released in one frame is down
---   for that frame
level_command("keys.set", live_core_or_refuse, true, function(request, mask)
  return levels.set(request.holder, request.owner, mask)
end)

level_command("keys.add", live_core_or_refuse, true, function(request, mask)
  return levels.hold(request.holder, request.owner, mask)
end)

level_command("keys.clear", core_or_refuse, false, function(request, mask)
  return levels.clear(request.holder, mask)
end)

--- The mask of these keys. Refuses keys that the console does not have.
local function mask_of(keys)
  local mask = 0
  for _, key in ipairs(keys) do
    if key > 7 and game.platform == GB then
      refuse("bad-key", "a Game Boy has no %s; use A, B, Select, Start, Right, Left, Up or Down", KEYS[key + 1])
    end
    mask = mask | 1 << key
  end
  return mask
end

--- The keys of a chord, without duplicates, checked.
local function chord(values)
  local mask, keys = mask_of(values), {}
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      keys[#keys + 1] = key
    end
  end
  return keys
end

--- @command keys.tap
--- @type TapKeys(Keys:key, Frames, Gap, Wait, Waiting) Presses keys together.
--- @arguments key …; `frames=4 gap=2 wait=false waiting=queue`
--- @reply `down= up= lag=` frames; perhaps `joined=true`, `unseen=mask missed=n`
--- @notes frames and gap from 1; pressed together; with `wait=true` the reply comes when the keys are up; section 7.7
command({
  name = "keys.tap",
  kind = "effect",
  repeats = { "key" },
  named = { "frames=4", "gap=2", "wait:boolean=false", "waiting=queue" },
  lasts = { "wait" },
  run = function(values, request)
    live_core_or_refuse()
    if values.wait then
      jobs.check_limit(request)
    end
    local press = tap_queue.add(chord(values), values.frames, values.gap, request, values.waiting)
    return values.wait and answer_after(request, press) or text_of(press)
  end,
})

local SENSORS <const> = { light = "light", x = "tilt", y = "tilt", gyro = "gyro" } -- each with what parses it

local function refuse_step(part)
  refuse("bad-argument", "%q is not a step; write keys and frames, as in `A 4, wait 10, Up+B 2`, or sensors, as in `A x=10000 y=0 4`", wire.printable(part))
end

--- What is down and shown in a step: `A`, `Up+B x=10000`, `light=51` or `wait`.
local function parse_step(part, what)
  local step = { keys = {} }
  for word in gmatch(what, "%S+") do
    local name, value = match(word, "^(%l+)=(%-?%d+)$")
    if name then
      step.sensors = step.sensors or {}
      step.sensors[name] = parse[SENSORS[name] or refuse_step(part)](value)
    elseif step.has_keys or step.sensors then
      refuse_step(part)
    elseif lower(word) ~= "wait" then
      for key in gmatch(word, "[^+]+") do
        step.keys[#step.keys + 1] = parse.key(key)
      end
    end
    step.has_keys = true
  end
  return step
end

--- `A 4, wait 10, Up+B x=10000 2`: keys, sensors and frames of each step, in order.
function parse.sequence(text)
  local steps = {}
  for part in gmatch(text .. ",", "([^,]*),") do
    local what, frames = match(part, "^%s*(%S.-)%s+(%d+)%s*$")
    if not what then
      refuse_step(part)
    elseif #steps >= LIMITS.steps then
      refuse("bad-argument", "a sequence has at most %d steps", LIMITS.steps)
    end
    local step = parse_step(part, what)
    step.frames = parse.frames(frames)
    steps[#steps + 1] = step
  end
  return steps
end

--- @command keys.sequence
--- @type PlaySequence(Steps, Gap, Wait, Waiting) Presses keys one after the other, all or none.
--- @arguments string; `gap=2 wait=false waiting=queue`
--- @reply as `keys.tap`
--- @notes `A 4, wait 10, Up+B x=10000 2`: keys (joined by `+`) or `wait`, sensors of the cartridge as in `sensors.set`, which show this during
---   the step, and frames; up to 512 steps, all or none
command({
  name = "keys.sequence",
  kind = "effect",
  arguments = { "steps:sequence" },
  named = { "gap=2", "wait:boolean=false", "waiting=queue" },
  lasts = { "wait" },
  run = function(values, request)
    live_core_or_refuse()
    for _, step in ipairs(values[1]) do
      step.keys = chord(step.keys)
      if step.sensors then
        sensors.check()
      end
    end
    if values.wait then
      jobs.check_limit(request)
    end
    local press = tap_queue.add_sequence(values[1], values.gap, request, values.waiting)
    return values.wait and answer_after(request, press) or text_of(press)
  end,
})

--- @command keys.release
--- @type ReleaseKeys() Releases all levels and queued taps of the holder.
--- @reply count of levels released
--- @notes all levels and queued taps of the holder
command({
  name = "keys.release",
  kind = "effect",
  run = function(_, request)
    tap_queue.drop(function(other)
      return other.holder == request.holder
    end)
    return tostring((levels.release(request.holder, constants.ALL_KEYS)))
  end,
})

key_commands.answer_at, key_commands.mask_of, key_commands.chord = answer_at, mask_of, chord

return key_commands
