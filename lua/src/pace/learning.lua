-- Pace: how long a frame may wait for requests without delaying the game. This module measures the period of the frames.

local constants = require("base.constants")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND

-- mGBA sleeps after each frame until the next is due. The script waits for requests in that time instead ("linger") and must return before the
-- next frame is due. So it learns when frames are due: their period while it does not linger, then a schedule that follows the frames (early
-- frames move it immediately, late ones hardly, or the script would slow the game and take that for its pace). It lingers until `reserve` before
-- the next frame is due. A host that is paced by its audio buffer (mgba-qt) has no such schedule: it runs three frames at once and then sleeps.
-- There the script measures the sleep that remains between frames, and lingers longer the more there is ("share").
local pace = {
  mode = "learn", -- learn: measuring, no linger; locked: lingering; free: no pace to keep, as in fast-forward
  times = {}, -- of the frames seen while learning
  period = nil,
  is_bursty = nil, -- several frames at once, then sleep; nil: not known yet
  learn_at = nil, -- the frame in which learning starts again
  jitter = 0, -- how irregular frames are without lingering
  due = nil, -- when this frame was due; nil when unknown, because no client was connected
  last_frame = 0,
  reserve = 3000, -- microseconds; the maximum of its initial value
  emulation = 0, -- microseconds of processor time from one callback to the next, on average
  emulations = 0, -- frames in that average
  cpu_ended = nil, -- the processor's time when the last callback ended
  early = 0, -- frames in a row that came early
  late = 0, -- frames that came late, since load
  late_row = 0, -- late frames in a row
  lingered = 0, -- microseconds in the last frame
  share = 4000, -- bursty hosts: microseconds of a frame to linger
  ceiling = 14000, -- maximum of `share`
  ended = nil, -- when the last frame with a client that is active returned to the emulator
  gaps = {}, -- from there to the next frame: emulation and the host's sleep
  mark_frame = 0, -- start of the measurement of the host's long-term rate
  mark_time = nil,
}

local LEARN_FRAMES <const> = 32
local LEARN_BURSTY <const> = 256
local UNEVEN <const> = 0.25 -- of a period: more jitter needs a longer measurement
-- Part of the frames that closely follow another one: measured with audio sync 0.58, and 0.22 beside 14 busy processes on two processors; with video
-- sync 0, and 0.08 beside them. What is between the two decides nothing; a host that is not known yet is then measured again.
local BURSTY <const>, SCHEDULED <const> = 0.2, 0.1
local UNDECIDED_FRAMES <const> = 600
local FREE_PERIOD <const> = 4000 -- below it (250 frames a second) the game has no frame limit
local FREE_FRAMES <const> = 240
local RESERVE_AT_FIRST <const>, RESERVE_UNKNOWN <const> = 1000, pace.reserve -- beyond the emulation; while that is not known
local EMULATIONS <const> = 20

--- The part of the frames that closely follow another one.
local function bursts(times, period)
  local close = 0
  for i = 2, #times do
    close = close + (times[i] - times[i - 1] < period / 2 and 1 or 0)
  end
  return close / (#times - 1)
end

--- Period and jitter of the frames at these times. Uses medians and deciles, because some frames are very late on a busy machine.
local function fit(times)
  local n, half, steps, offs = #times, #times // 2, {}, {}
  for i = 1, n - half do
    steps[i] = times[i + half] - times[i]
  end
  table.sort(steps)
  local period = steps[#steps // 2 + 1] / half
  for i = 1, n do
    offs[i] = times[i] - times[1] - (i - 1) * period
  end
  table.sort(offs)
  local early, late = offs[n // 10 + 1], offs[n - n // 10]
  return period, late - early, early, bursts(times, period)
end

--- Starts learning; with `is_look` only to check again, which ends with the next request.
function pace.start_learning(is_look)
  pace.mode, pace.times, pace.early, pace.late_row, pace.is_look, pace.learn_at = "learn", {}, 0, 0, is_look, nil
end

--- Uses the learned period. Without `due`, the schedule begins with the next frame.
local function lock(due)
  pace.mode, pace.due, pace.last_frame = "locked", due, state.frame
  pace.mark_time, pace.ended, pace.gaps = nil, nil, {}
  pace.learn_at = pace.is_bursty == nil and state.frame + UNDECIDED_FRAMES or nil
end

local function learn(time)
  local times = pace.times
  times[#times + 1] = time
  local n = #times
  if n > 1 and (time <= times[n - 1] or time - times[n - 1] > 500 * MILLISECOND) then
    pace.start_learning(pace.is_look) -- paused, or the clock was set
    return
  end
  if n % LEARN_FRAMES ~= 0 then
    return
  end
  local seen = n < LEARN_BURSTY and table.move(times, n - LEARN_FRAMES + 1, n, 1, {}) or times
  local period, jitter, least, close = fit(seen)
  if n < LEARN_BURSTY and jitter > period * UNEVEN and period > FREE_PERIOD then
    return -- bursts, or a machine that is busy for a while: measure longer
  end
  if close > BURSTY or close < SCHEDULED then
    pace.is_bursty = close > BURSTY
  end
  pace.period, pace.jitter = period, pace.is_bursty and jitter or math.min(jitter, period * UNEVEN)
  if period < FREE_PERIOD then
    pace.mode, pace.learn_at = "free", state.frame + FREE_FRAMES
    return
  end
  if pace.emulations == EMULATIONS and not pace.is_look then
    pace.reserve = math.min(pace.emulation + RESERVE_AT_FIRST, RESERVE_UNKNOWN) -- processor time counts all threads of a window
  end
  lock(seen[1] + (#seen - 1) * period + least)
end

--- Measures the emulation since the last callback ended, as processor time because the host sleeps in between.
function pace.began(cpu)
  if pace.cpu_ended then
    pace.emulations = math.min(pace.emulations + 1, EMULATIONS)
    pace.emulation = pace.emulation + ((cpu - pace.cpu_ended) * 1000000 - pace.emulation) / pace.emulations
  end
end

pace.lock, pace.learn = lock, learn

return pace
