-- Taps: presses for a number of frames, queued for each key.

local constants = require("base.constants")
local input = require("keys.input")
local LIMITS <const> = require("base.limits")
local sensors = require("game.sensors")
local state = require("base.state")
local wire = require("wire.text")

local KEYS <const> = constants.KEYS
local refuse = wire.refuse

-- A tap: keys, down and up (frames), gap (frames until one of its keys may go down again), before (key -> when the key was free without it), holder,
-- requests (those that wait for it or have joined it), mode (one of tap_queue.modes), unseen (mask of its keys that were down before it began, so
-- that the game saw no press of them) and dropped (it never begins). It is shared by the lists of its keys. A press that only completes a level
-- has neither holder nor requests.
local tap_queue = {}

-- What a press does about presses of its keys, by the same holder, that are not over.
tap_queue.modes = {
  queue = true, -- comes behind them
  shorten = true, -- shortens the one before it; joins one of the same keys rather than wait for more than LIMITS.lag frames
  replace = true, -- takes the place of those that wait, and shortens the one that has begun
}

local SHORTEST <const>, SHORTEST_GAP <const> = 3, 1 -- frames of a shortened press, and after it: 15 presses a second of a game with 60 frames

--- The first frame in which a tap may be over when the next one shortens it.
local function shortest_end(tap)
  return math.min(tap.up, math.max(tap.down + SHORTEST, state.frame))
end

--- The last tap of this key if it may be shortened for this request: one of the same holder, and no other step of the same sequence.
local function last_of(key, request)
  local taps = input.taps[key]
  local tap = taps[#taps]
  return tap and tap.holder == request.holder and tap.requests[1] ~= request and tap
end

--- The first frame in which this key can go down with an edge.
local function free_at(key, request, mode)
  local free = input.free[key]
  local last = mode ~= "queue" and last_of(key, request)
  return last and math.min(free, shortest_end(last) + SHORTEST_GAP) or free
end

--- Refuses presses for which a key has no room, without those that they replace, and more sensors than may wait.
local function check_room(steps, request, mode)
  local counts, shows = {}, #sensors.shows
  for _, step in ipairs(steps) do
    shows = shows + (step.sensors and 1 or 0)
    if shows > LIMITS.taps then
      refuse("busy", "%d steps with sensors would wait, of at most %d; let some finish first", shows, LIMITS.taps)
    end
    for _, key in ipairs(step.keys) do
      if not counts[key] then
        counts[key] = #input.taps[key]
        for _, tap in ipairs(mode == "replace" and input.taps[key] or {}) do
          counts[key] = counts[key] - (tap.holder == request.holder and tap.down > state.frame and 1 or 0)
        end
      end
      counts[key] = counts[key] + 1
      if counts[key] > LIMITS.taps then
        refuse("busy", "%d taps of %s would wait, of at most %d; let some finish first", counts[key], KEYS[key + 1], LIMITS.taps)
      end
    end
  end
end

--- The first frame, from `frame`, at which all of these keys can go down with an edge.
local function free_from(keys, frame, request, mode)
  for _, key in ipairs(keys) do
    frame = math.max(frame, free_at(key, request, mode))
  end
  return frame
end

--- The first frame in which a press may begin without overtaking an earlier one of other keys. Presses that queue for exact frames do not wait for
--- other keys.
local function in_order(request, mode)
  local frame = state.frame
  for key = 0, mode ~= "queue" and input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    for i = #taps, 1, -1 do
      local tap = taps[i]
      if tap.down < frame then
        break
      elseif tap.holder == request.holder and tap.mode ~= "queue" then
        frame = tap.down + 1
        break
      end
    end
  end
  return frame
end

--- The last tap of exactly these keys by this holder that waits and may be joined.
local function waiting_tap(keys, request)
  local taps = input.taps[keys[1]]
  for i = #taps, 1, -1 do
    local tap = taps[i]
    if tap.down <= state.frame then
      return nil
    elseif tap.holder == request.holder and tap.mode == "shorten" and table.concat(tap.keys, " ") == table.concat(keys, " ") then
      return tap
    end
  end
end

--- Ends a tap earlier or later, where no other one follows.
local function move_end(tap, up)
  tap.up = up
  for _, key in ipairs(tap.keys) do
    local taps = input.taps[key]
    if taps[#taps] == tap then
      input.free[key] = up + tap.gap
    end
  end
end

--- Whether another tap follows on one of its keys.
local function is_followed(tap)
  for _, key in ipairs(tap.keys) do
    local taps = input.taps[key]
    if taps[#taps] ~= tap then
      return true
    end
  end
  return false
end

--- Removes a key from a tap, whose others continue. Without any it is dropped.
local function remove_key(tap, key)
  local keys = {}
  for _, other in ipairs(tap.keys) do
    keys[#keys + 1] = other ~= key and other or nil
  end
  tap.keys, tap.dropped = keys, #keys == 0 and tap.down > state.frame
end

--- The part of a tap on this key, its last one, that a press of `keys` may shorten: what else it presses continues.
local function part_of(tap, key, keys)
  local pressed = "," .. table.concat(keys, ",") .. ","
  for _, other in ipairs(tap.keys) do
    if not string.find(pressed, "," .. other .. ",", 1, true) then
      remove_key(tap, key)
      local part = {}
      for name, value in pairs(tap) do
        part[name] = value
      end
      part.keys, input.taps[key][#input.taps[key]] = { key }, part
      return part
    end
  end
  return tap
end

local function queue_tap(keys, down, frames, gap, request, mode)
  for _, key in ipairs(keys) do
    local last = mode ~= "queue" and last_of(key, request)
    if last then
      last = part_of(last, key, keys)
      last.gap = math.min(last.gap, SHORTEST_GAP)
      move_end(last, math.min(last.up, down - last.gap))
    end
  end
  local tap = {
    keys = keys, down = down, up = down + frames, gap = gap, before = {}, holder = request.holder, requests = { request }, mode = mode, unseen = 0,
  }
  for _, key in ipairs(keys) do
    local taps = input.taps[key]
    taps[#taps + 1] = tap
    tap.before[key], input.free[key] = input.free[key], tap.up + gap
    input.tapped = input.tapped | 1 << key
  end
  return tap
end

--- Joins a press to one that waits, which lasts for the longer of the two.
local function join(tap, frames, request)
  if #tap.requests >= LIMITS.taps then
    refuse("busy", "%d presses have joined the one of these keys that waits; let it begin first", LIMITS.taps)
  end
  tap.requests[#tap.requests + 1] = request
  if tap.down + frames > tap.up and not is_followed(tap) then
    move_end(tap, tap.down + frames)
  end
end

--- Removes a request from a tap that has not begun. Returns whether the tap is dropped, because nobody wants it any more.
local function leave(tap, belongs)
  local kept = {}
  for _, request in ipairs(tap.requests) do
    kept[#kept + 1] = not belongs(request) and request or nil
  end
  tap.requests, tap.dropped = kept, #kept == 0
  return tap.dropped
end

--- Removes the taps on keys of `mask` that have not begun and for which belongs(request) is true, also from their other keys. Taps that have begun
--- run to their end.
local function drop(mask, belongs)
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    for _, tap in ipairs(mask >> key & 1 == 1 and input.taps[key] or {}) do
      if tap.holder and tap.down > state.frame and not tap.dropped then
        leave(tap, belongs)
      end
    end
  end
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    local free
    for i = #taps, 1, -1 do
      if taps[i].dropped then
        free = table.remove(taps, i).before[key]
      end
    end
    local last = taps[#taps]
    if free then
      input.free[key] = last and math.max(last.up + last.gap, state.frame) or math.max(free, state.frame)
    end
  end
end

--- Removes taps that have not begun and for which belongs(request) is true; so do those below with sensors of sequences.
function tap_queue.drop(belongs)
  drop(constants.ALL_KEYS, belongs)
  sensors.cancel(belongs)
end

local function replace(steps, request)
  local mask = 0
  for _, step in ipairs(steps) do
    for _, key in ipairs(step.keys) do
      mask = mask | 1 << key
    end
  end
  drop(mask, function(other)
    return other.holder == request.holder
  end)
end

--- Presses keys together for `frames`. Returns the press: its taps; down, its first frame; up, the frame after it, where that is not the end of its
--- last tap; lag, the frames that it waits; joined, whether it has joined another one.
function tap_queue.add(keys, frames, gap, request, mode)
  local steps = { { keys = keys } }
  if mode == "replace" then
    check_room(steps, request, mode)
    replace(steps, request)
  end
  local down = free_from(keys, in_order(request, mode), request, mode)
  local waiting = mode == "shorten" and down - state.frame > LIMITS.lag and waiting_tap(keys, request)
  local tap = waiting
  if waiting then
    join(waiting, frames, request)
  else
    check_room(steps, request, mode)
    tap = queue_tap(keys, down, frames, gap, request, mode)
  end
  input.apply()
  return { taps = { tap }, down = tap.down, lag = tap.down - state.frame, joined = waiting and true or nil }
end

--- Presses one after another, all or none, and sets sensors meanwhile. They keep their frames among each other. Returns the press.
function tap_queue.add_sequence(steps, gap, request, mode)
  check_room(steps, request, mode)
  if mode == "replace" then
    replace(steps, request)
  end
  for _, step in ipairs(mode ~= "queue" and steps or {}) do
    if step.sensors then
      sensors.replace(request.holder, step.sensors)
    end
  end
  local press, at = { taps = {} }, in_order(request, mode)
  for _, step in ipairs(steps) do
    local down = free_from(step.keys, at, request, mode)
    if step.sensors then
      down = sensors.free_from(request.holder, step.sensors, down)
      press.taps[#press.taps + 1] = sensors.add_show(step.sensors, down, down + step.frames, request)
    end
    if #step.keys > 0 then
      press.taps[#press.taps + 1] = queue_tap(step.keys, down, step.frames, gap, request, mode)
    end
    press.down, at = press.down or down, down + step.frames
    press.up = #step.keys == 0 and at or nil
  end
  press.lag = press.down - state.frame
  input.apply()
  sensors.advance()
  return press
end

--- The first frame after a press, as far as it is known.
function tap_queue.up_of(press)
  return press.up or press.taps[#press.taps].up
end

--- The keys of a press that were down before they were pressed, so that the game saw no press of them, and of how many of its taps that is true.
--- A tap that has not begun is taken to find the keys that are held now.
function tap_queue.unseen(press)
  local held, unseen, missed = input.levels(), 0, 0
  for _, tap in ipairs(press.taps) do
    local mask = tap.unseen
    for _, key in ipairs(tap.down > state.frame and tap.keys or {}) do
      mask = mask | held & 1 << key
    end
    unseen, missed = unseen | mask, missed + (mask ~= 0 and 1 or 0)
  end
  return unseen, missed
end

--- Whether a tap of this press was dropped before it began.
function tap_queue.is_dropped(press)
  for _, tap in ipairs(press.taps) do
    if tap.dropped then
      return true
    end
  end
  return false
end

--- Whether belongs(request) is true for all that want this tap.
local function is_wanted_by(tap, belongs)
  for _, request in ipairs(tap.requests) do
    if not belongs(request) then
      return false
    end
  end
  return true
end

--- Ends the taps that have begun and for which belongs(request) is true, each after at least one frame.
local function end_begun(belongs)
  for key = 0, 9 do
    for _, tap in ipairs(input.taps[key]) do
      if tap.holder and tap.down <= state.frame and is_wanted_by(tap, belongs) then
        move_end(tap, math.min(tap.up, math.max(tap.down + 1, state.frame)))
      end
    end
  end
  sensors.cancel(belongs, true)
end

--- Cancels the taps for which belongs(request) is true. A tap that has begun ends now, after at least one frame.
function tap_queue.finish(belongs)
  end_begun(belongs)
  tap_queue.drop(belongs)
  input.apply()
end

--- Releases the keys of taps for which belongs(request) is true. Taps that have not begun still come.
function tap_queue.let_go(belongs)
  end_begun(belongs)
  input.apply()
end

--- Ends the taps of one holder on the keys of `mask`; other keys of the same tap continue. A tap that began in this frame lasts for the frame.
--- Returns the first frame in which none of them is down.
function tap_queue.finish_of(holder, mask)
  local seen = state.frame
  for key = 0, 9 do
    local taps = mask >> key & 1 == 1 and input.taps[key] or {}
    for i = #taps, 1, -1 do
      local tap = taps[i]
      if tap.holder == holder then
        remove_key(tap, key)
        if tap.down > state.frame then
          table.remove(taps, i)
        else
          local up = math.min(tap.up, math.max(tap.down + 1, state.frame))
          taps[i], seen = { down = tap.down, up = up, gap = 1, unseen = 0 }, math.max(seen, up)
        end
        local last = taps[#taps]
        input.free[key] = math.max(last and last.up + last.gap or tap.before[key], state.frame)
      end
    end
  end
  input.apply()
  return seen
end

return tap_queue
