-- Levels: keys that a holder holds down until it releases them.

local constants = require("base.constants")
local input = require("keys.input")
local LIMITS <const> = require("base.limits")
local owners = require("base.owners")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local ALL_KEYS <const>, KEYS <const> = constants.ALL_KEYS, constants.KEYS
local refuse = wire.refuse

local levels = {}

--- Refuses a holder beyond the limit. The two internal holders are always allowed.
local function check_holders(holder)
  local count = 0
  for _ in pairs(input.holders) do
    count = count + 1
  end
  if count >= LIMITS.holders and holder ~= input.LEASE and holder ~= input.COMPAT then
    refuse("busy", "%d holders have keys down, the most that are allowed; release some, or let clients share a holder", count)
  end
end

--- Refuses a press of a key that has the maximum number of waiting taps, because the press may have to wait, too.
local function check_presses(keys, mask)
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    if mask >> key & 1 == 1 and not keys[key] and #input.taps[key] >= LIMITS.taps then
      refuse("busy", "%d taps of %s are waiting; let some finish first", LIMITS.taps, KEYS[key + 1])
    end
  end
end

local function hold(holder, owner, mask)
  if mask == 0 then
    return state.frame
  elseif not input.holders[holder] then
    check_holders(holder)
  end
  check_presses(input.holders[holder] or {}, mask)
  local keys, owned, seen = input.holders[holder] or {}, input.owners[holder] or {}, state.frame
  input.holders[holder], input.owners[holder] = keys, owned
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      keys[key] = keys[key] or input.is_held(key) and state.frame or math.max(state.frame, input.free[key])
      owned[key], seen = owner, math.max(seen, keys[key])
    end
  end
  return seen
end

--- Holds keys down. Returns the first frame in which all of them are down.
function levels.hold(holder, owner, mask)
  local seen = hold(holder, owner, mask)
  input.apply()
  return seen
end

local function release(holder, mask)
  local keys, count, seen = input.holders[holder], 0, state.frame
  if not keys then
    return 0, seen
  end
  for key, from in pairs(keys) do
    if mask >> key & 1 == 1 then
      keys[key], input.owners[holder][key], count = nil, nil, count + 1
      if from >= state.frame then
        local taps = input.taps[key]
        table.insert(taps, from > state.frame and #taps + 1 or 1, { down = from, up = from + 1, gap = 1, unseen = 0 })
        input.tapped = input.tapped | 1 << key
        input.free[key] = math.max(input.free[key], from + 2)
        seen = math.max(seen, from + 1)
      end
    end
  end
  if next(keys) == nil then
    input.holders[holder], input.owners[holder] = nil, nil
  end
  return count, seen
end

--- Releases keys. A key pressed in this frame stays down for the frame, or the game would never see it. Returns how many were held, and the
--- first frame in which none of them is down.
function levels.release(holder, mask)
  local count, seen = release(holder, mask)
  input.apply()
  return count, seen
end

--- Sets the keys of this holder to exactly `mask`, or refuses without a change. Returns the first frame in which it applies.
function levels.set(holder, owner, mask)
  local is_compat = holder == input.COMPAT
  if is_compat then
    tap_queue.drop(function(other)
      return other.holder == holder
    end)
  end
  check_presses(input.holders[holder] or {}, mask)
  local _, released = release(holder, ~mask & ALL_KEYS)
  local seen = math.max(released, hold(holder, owner, mask)) -- before the taps end, so that it can join a running one
  input.apply()
  return is_compat and math.max(seen, tap_queue.finish_of(holder, ALL_KEYS)) or seen
end

--- Clears keys of a holder; for clients of mGBA-http also their taps. Returns the first frame in which none of them is down for this holder.
function levels.clear(holder, mask)
  local ended = holder == input.COMPAT and tap_queue.finish_of(holder, mask) or state.frame
  local _, released = levels.release(holder, mask)
  return math.max(ended, released)
end

--- Releases the levels of an owner. Returns how many.
function levels.release_owner(owner)
  local count = 0
  for holder, owned in pairs(input.owners) do
    local mask = 0
    for key, of in pairs(owned) do
      mask = owners.includes(owner, of) and mask | 1 << key or mask
    end
    count = count + release(holder, mask)
  end
  input.apply()
  return count
end

--- Gives the levels of a holder to another owner.
function levels.move(holder, from, to)
  for key, of in pairs(input.owners[holder] or {}) do
    if of == from then
      input.owners[holder][key] = to
    end
  end
end

return levels
