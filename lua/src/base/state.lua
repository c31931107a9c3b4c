-- State that several modules share while the script runs.

local state = {
  frame = 0, -- frames since the script was loaded; never decreases
  beat = 0, -- frames and idle callbacks
  machine = "running", -- or why no frame runs: paused, stopped, crashed, none
  period = nil, -- microseconds of a frame at the pace that clients know (pace.wanted)
  ran_keys = nil, -- of the frame that ended last, while there are watches
  next_keys = nil, -- of the next frame, known when the callback ends
  ran_sensors = nil, -- as ran_keys
  next_sensors = nil,
  ran_camera = nil, -- as ran_keys: the picture that the camera saw
  next_camera = nil,
  is_nested = false, -- inside a call of mGBA that may run callbacks of this script
  is_skipping = false, -- the host runs frames without calling this script
  stands_still = false, -- in a callback that may take any time, because a lease holds the game or no frame runs
  epoch = "00000000",
  stopped = false,
  requests = 0,
  errors = 0,
  last_error = nil,
  capabilities = "",
  activity = -1000000, -- the beat of the last request other than ping
  seconds = 0, -- real time while mGBA calls this script: see state.tick
  clock_second = os.time(),
}

--- Counts real time in whole seconds, for limits that must not depend on the frame rate. A longer gap (the game was paused, the clock of
--- the machine was set) counts as one second. Returns whether a new second began.
function state.tick()
  local now = os.time()
  if now == state.clock_second then
    return false
  end
  state.seconds = state.seconds + (now > state.clock_second and 1 or 0)
  state.clock_second = now
  return true
end

return state
