-- Writes to the console of the Scripting window.

local constants = require("base.constants")
local settings = require("base.settings")
local state = require("base.state")

local LOG_LEVELS <const> = constants.LOG_LEVELS
local format = string.format

local recent = { complaints = 0, frame = 0 } -- client errors since `frame`
local log = {}

function log.write(level, text, ...)
  if LOG_LEVELS[level] > LOG_LEVELS[settings.log] then
    return
  end
  local line = "mGBA-bridge: " .. (select("#", ...) > 0 and format(text, ...) or text)
  if level == "error" then
    console:error(line)
  elseif level == "warn" then
    console:warn(line)
  else
    console:log(line)
  end
end

--- Writes a client's error to the console, at most five per 60 frames: a line for each request would slow the game.
function log.complain(text, ...)
  state.last_error = format(text, ...)
  if state.frame - recent.frame >= 60 then
    recent.frame, recent.complaints = state.frame, 0
  end
  recent.complaints = recent.complaints + 1
  if recent.complaints <= 5 then
    log.write("warn", "%s", state.last_error)
  end
end

return log
