-- Taps: presses for a number of frames, queued for each key.

local constants = require("base.constants")
local input = require("keys.input")
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local wire = require("wire.text")

local KEYS <const> = constants.KEYS
local refuse = wire.refuse

local tap_queue = {}

--- The first frame, from `frame`, at which all of these keys can go down with an edge.
local function free_from(keys, frame)
  for _, key in ipairs(keys) do
    if #input.taps[key] >= LIMITS.taps then
      refuse("busy", "%d taps of %s are waiting; let some finish first", LIMITS.taps, KEYS[key + 1])
    end
    frame = math.max(frame, input.free[key])
  end
  return frame
end

local function queue_tap(keys, down, frames, gap, request)
  local tap = { down = down, up = down + frames, gap = gap, before = {}, request = request }
  for _, key in ipairs(keys) do
    local taps = input.taps[key]
    taps[#taps + 1] = tap
    tap.before[key], input.free[key] = input.free[key], tap.up + gap
    input.tapped = input.tapped | 1 << key
  end
  return tap
end

--- Presses keys together for `frames`, after the taps that wait for any of them. Returns the tap with the frames it goes down and up.
function tap_queue.add(keys, frames, gap, request)
  local tap = queue_tap(keys, free_from(keys, state.frame), frames, gap, request)
  input.apply()
  return tap
end

--- Presses one after another, all or none. Returns the first frame down and the frame after the last.
function tap_queue.add_sequence(steps, gap, request)
  local first, at, counts = nil, state.frame, {}
  for _, step in ipairs(steps) do
    for _, key in ipairs(step.keys) do
      counts[key] = (counts[key] or #input.taps[key]) + 1
      if counts[key] > LIMITS.taps then
        refuse("busy", "this sequence and the taps of %s that wait are more than %d", KEYS[key + 1], LIMITS.taps)
      end
    end
  end
  for _, step in ipairs(steps) do
    local down = free_from(step.keys, at)
    if #step.keys > 0 then
      queue_tap(step.keys, down, step.frames, gap, request)
    end
    first, at = first or down, down + step.frames
  end
  input.apply()
  return first, at
end

--- Removes taps that have not begun and for which belongs(request) is true. Taps that have begun run to their end.
function tap_queue.drop(belongs)
  for key = 0, 9 do
    local taps = input.taps[key]
    local free
    for i = #taps, 1, -1 do
      local tap = taps[i]
      if tap.request and tap.down > state.frame and belongs(tap.request) then
        table.remove(taps, i)
        free = tap.before[key]
      end
    end
    local last = taps[#taps]
    if free then
      input.free[key] = last and math.max(last.up + last.gap, state.frame) or math.max(free, state.frame)
    end
  end
end

--- Ends the taps that have begun and for which belongs(request) is true, each after at least one frame.
local function end_begun(belongs)
  for key = 0, 9 do
    local taps = input.taps[key]
    for i, tap in ipairs(taps) do
      if tap.request and tap.down <= state.frame and belongs(tap.request) then
        tap.up = math.min(tap.up, math.max(tap.down + 1, state.frame))
        input.free[key] = i == #taps and tap.up + tap.gap or input.free[key]
      end
    end
  end
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
      if tap.request and tap.request.holder == holder then
        if tap.down > state.frame then
          table.remove(taps, i)
        else
          local up = math.min(tap.up, math.max(tap.down + 1, state.frame))
          taps[i], seen = { down = tap.down, up = up, gap = 1 }, math.max(seen, up)
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
