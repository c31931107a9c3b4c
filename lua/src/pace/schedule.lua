-- Pace of a host with a schedule, and how long each frame may wait for requests.

local clock = require("pace.clock")
local constants = require("base.constants")
local bursts = require("pace.bursts")
local host = require("base.host").calls
local hosted = require("pace.hosted")
local pace = require("pace.learning")
local settings = require("base.settings")
local slow = require("pace.slow")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND
local learn, lock = pace.learn, pace.lock

local RESERVE_LEAST <const> = 500
local MAX_RESERVE <const> = 0.85 -- of the period
local RESERVE_SPARE <const> = 3000 -- beyond twice the emulation: later frames are caused by the host's own sleep
local RESERVE_STEP <const> = 5
local SHIFT_ALLOWED <const> = 700
local IDLE_LOOK <const> = 16
local RELEARN_FRAMES <const> = 2400 -- a multiple of IDLE_LOOK
local UNTRUSTED_LINGER <const> = 8 * MILLISECOND

-- Lingering until the next frame hides a host that has become faster (another fps target, fast-forward), so a few frames return early at times.
local PROBE_EVERY <const>, PROBE_FRAMES <const>, PROBE_PART <const> = 300, 6, 0.3

--- Adjusts the reserve. Lateness does not accumulate: the linger ends at a fixed time of the schedule, so a late frame lingers less, and a
--- reserve shorter than the emulation of a frame shifts all frames by the difference. So the reserve grows only while most frames are late, by
--- steps that increase with each late frame in a row. On a busy machine some frames are always late, and a longer reserve would not help.
local function adjust_reserve(lateness)
  if lateness <= pace.jitter + SHIFT_ALLOWED then
    pace.shift_row, pace.late_row = 0, 0
    pace.reserve = math.max(RESERVE_LEAST, pace.reserve - RESERVE_STEP)
    return
  end
  pace.shift_row = math.min((pace.shift_row or 0) + 1, 20)
  local most = math.min(pace.period * MAX_RESERVE, pace.emulation * 2 + RESERVE_SPARE)
  pace.reserve = math.max(RESERVE_LEAST, math.min(pace.reserve + RESERVE_STEP * pace.shift_row, most))
  if lateness <= pace.jitter + pace.period / 4 then
    pace.late_row = 0
    return
  end
  pace.late, pace.late_row = pace.late + 1, pace.late_row + 1
  if pace.late_row > 120 then
    pace.start_learning() -- late although nothing lingers: the host has become slower
  end
end

--- Moves the schedule to this frame, and adjusts the reserve to its lateness.
local function follow(time)
  local frames = state.frame - pace.last_frame
  pace.last_frame = state.frame
  pace.due = pace.due and pace.due + frames * pace.period or time
  local lateness = time - pace.due
  if math.abs(lateness) > 8 * pace.period + pace.jitter then
    pace.due, pace.early = time, 0 -- a pause or a long stall: nothing to catch up
    return
  end
  if lateness < 0 then
    pace.due = time
    pace.early = lateness < -400 and pace.early + 1 or 0
    if pace.early >= 4 then
      pace.start_learning() -- the host is ahead of the schedule: it has become faster
    end
    return
  end
  pace.early = 0
  pace.due = pace.due + math.min(lateness, pace.period * 0.0003)
  adjust_reserve(lateness)
end

--- Reads the clock when this frame needs it. Returns the time or nil.
function pace.observe(is_active)
  if host then
    return hosted.observe()
  end
  if pace.mode == "learn" and pace.is_look and is_active then
    lock(nil) -- the earlier result is used until frames differ from it
  end
  if pace.learn_at and state.frame >= pace.learn_at then
    pace.start_learning()
  end
  if pace.mode == "learn" then
    local time = clock.look()
    if time then
      learn(time)
    end
    return time
  elseif pace.mode == "free" then
    return nil
  elseif not is_active and state.frame % IDLE_LOOK ~= 0 then
    return nil
  elseif not is_active and state.frame % RELEARN_FRAMES == 0 then
    pace.start_learning(true) -- the host may have changed since the last request
  end
  local time = clock.look()
  if time and pace.is_bursty then
    bursts.follow(time)
  elseif time then
    follow(time)
  end
  return time
end

--- Microseconds of a frame at the pace that the host wants; 0 when it has no limit, or is not known.
function pace.wanted()
  return host and host.period() or slow.period
end

--- How many microseconds this frame may wait for requests.
function pace.linger_budget(is_active, time)
  if settings.linger == 0 then
    return 0
  elseif host then
    return math.min(host.left(), settings.linger * MILLISECOND) -- also without requests: the wait costs nothing
  elseif not is_active then
    return 0
  elseif clock.trusted == false then
    return math.min(settings.linger * MILLISECOND, UNTRUSTED_LINGER)
  elseif pace.mode ~= "locked" or not time then
    return 0
  elseif pace.is_bursty then
    return math.min(pace.share, settings.linger * MILLISECOND)
  end
  local early = state.frame % PROBE_EVERY < PROBE_FRAMES and pace.period * PROBE_PART or 0
  local back = (pace.due or time) + pace.period - pace.reserve - early
  return math.max(0, math.min(back - time, settings.linger * MILLISECOND))
end

return pace
