-- The pace of a window whose frames are slow, from whole seconds, which cost nothing: clients only derive time limits from it.

local SLOW <const> = 100000 -- microseconds of a frame; faster frames need no longer limits

local slow = { period = 0 } -- microseconds of a frame, 0 unless frames are slow

local second, frames, was_slow = os.time(), 0, false

--- Counts a frame. A single slow second may be a pause.
function slow.count()
  frames = frames + 1
  local now = os.time()
  if now == second then
    return
  end
  local period = math.max(0, now - second) * 1000000 // frames
  local is_slow = period > SLOW
  if is_slow and was_slow and (period > slow.period * 2 or period * 2 < slow.period) then
    slow.period = period
  elseif not is_slow then
    slow.period = 0
  end
  second, frames, was_slow = now, 0, is_slow
end

return slow
