-- Pace of a host without a schedule, which runs several frames at once and then sleeps (mgba-qt with audio).

local constants = require("base.constants")
local pace = require("pace.learning")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND

local bursts = {}

local GAPS <const> = 16
local SLEEP_LEFT <const> = 1200 -- average microseconds of sleep per frame that are left to the host
local RATE_FRAMES <const> = 240
local SLOWER <const>, MUCH_SLOWER <const>, FASTER <const> = 0.005, 0.03, 0.03 -- parts of the period
local CEILING_STEP <const> = 50 -- microseconds by which the share may grow again, each time the rate was right
local CEILING_USUAL <const> = 0.8 -- of the period: up to there it grows faster

--- More linger while the host sleeps between its frames, less when it hardly does. A short gap is taken for emulation alone.
local function share_by_gaps()
  local sum, gaps = 0, pace.gaps
  for _, gap in ipairs(gaps) do
    sum = sum + gap
  end
  table.sort(gaps)
  local sleep = sum / GAPS - gaps[GAPS // 4]
  pace.gaps = {}
  if sleep < SLEEP_LEFT / 4 then
    pace.share = pace.share * 0.9
  else
    pace.share = math.max(0, math.min(pace.share + (sleep - SLEEP_LEFT) / 4, pace.ceiling))
  end
end

--- The long-term rate bounds the share: noise of a busy machine resembles sleep, but lost frames are reliable.
local function watch_rate(time)
  if not pace.mark_time then
    pace.mark_frame, pace.mark_time = state.frame, time
  end
  local frames = state.frame - pace.mark_frame
  if frames < RATE_FRAMES // 4 then
    return
  end
  local excess = (time - pace.mark_time) / frames - pace.period
  if frames < RATE_FRAMES and excess < pace.period * MUCH_SLOWER then
    return
  end
  pace.mark_frame, pace.mark_time = state.frame, time
  if excess < -pace.period * FASTER then
    pace.start_learning()
  elseif excess > pace.period * SLOWER then
    pace.late = pace.late + math.floor(frames * excess / pace.period)
    pace.late_row = pace.late_row + 1
    pace.ceiling = math.max(0, math.min(pace.share, pace.ceiling) - excess - SLEEP_LEFT / 4)
    pace.share = pace.ceiling
    if pace.late_row > 8 then
      pace.start_learning() -- late whatever we do: it has become slower
    end
  else
    pace.late_row = 0
    pace.ceiling = pace.ceiling + math.max(CEILING_STEP, (pace.period * CEILING_USUAL - pace.ceiling) / 8)
    pace.ceiling = math.min(pace.ceiling, pace.period)
  end
end

--- A frame of a host without a schedule.
function bursts.follow(time)
  if pace.ended then
    local gap = time - pace.ended
    pace.ended = nil
    if gap > 0 and gap < 200 * MILLISECOND then
      pace.gaps[#pace.gaps + 1] = gap
    elseif gap > 0 then
      pace.mark_time = nil -- paused
    end
    if #pace.gaps == GAPS then
      share_by_gaps()
    end
  end
  watch_rate(time)
end

return bursts
