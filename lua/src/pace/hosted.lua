-- Pace of mgba-headless, which knows when the next frame is due: nothing has to be measured.

local host = require("base.host").calls
local pace = require("pace.learning")
local state = require("base.state")

local hosted = {}

local LATE <const> = 1.25 -- periods after the frame before: late

--- Notes the host's frame rate, and whether this frame is late. Returns the time.
function hosted.observe()
  local time, period = host.now(), host.period()
  local before = pace.last_time
  if period > 0 then
    pace.mode, pace.period = "locked", period
    if before and pace.last_frame == state.frame - 1 and time - before > period * LATE then
      pace.late = pace.late + 1
    end
  else
    pace.mode = "free"
    pace.period = before and (time - before) / math.max(1, state.frame - pace.last_frame) or nil
  end
  pace.last_time, pace.last_frame = time, state.frame
  return time
end

return hosted
