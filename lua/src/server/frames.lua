-- What runs in each frame, in order, and in the idle callbacks while no frame runs.

local cheats = require("commands.cheats")
local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local control = require("commands.game_control")
local debugger = require("game.debugger")
local dispatch = require("server.dispatch")
local freeze_commands = require("commands.freezes")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local lease = require("session.lease")
local lease_frames = require("server.lease_frames")
local pace = require("pace.schedule")
local receiving = require("server.receiving")
local save_file = require("game.save_file")
local scheduler = require("server.scheduler")
local slow = require("pace.slow")
local sensors = require("game.sensors")
local state = require("base.state")
local watches = require("commands.watches")
local wire = require("wire.text")
local work = require("request.work")

local MILLISECOND <const> = constants.MILLISECOND
local SHORT_WORK <const> = scheduler.SHORT_WORK
local run_heavy, run_waiting, serve_round = scheduler.run_heavy, scheduler.run_waiting, scheduler.serve_round

local frames = {}

local CORRECT_AT <const> = 0.65 -- part of the linger after which the estimate is corrected
local CORRECT_FROM <const> = 4 * MILLISECOND -- shorter lingers are not
local ACTIVE_FRAMES <const> = 60 -- lingering ends a second after the last request

--- Serves requests until the budget is used up and the emulator must continue.
local function linger(budget)
  local correct_at = budget >= CORRECT_FROM and clock.time and budget * CORRECT_AT or math.huge
  local served = false
  while true do
    local elapsed = clock.elapsed()
    if elapsed >= correct_at then
      clock.correct()
      elapsed, correct_at = clock.elapsed(), math.huge
    end
    if elapsed >= budget or lease.holder then
      return
    end
    served = serve_round(budget, served, budget - elapsed)
  end
end

--- The fixed part of each frame: everything that has arrived is read before any of it runs.
local function serve_frame(budget)
  connections.accept()
  for _, conn in ipairs(connections.list) do
    receiving.read_all(conn)
  end
  input.apply()
  sensors.advance()
  freezes.run()
  watches.run()
  jobs.run()
  scheduler.may_exceed = true
  run_heavy(budget)
  run_waiting(math.max(budget, clock.elapsed() + SHORT_WORK))
  scheduler.may_exceed = false
  for _, conn in ipairs(connections.list) do
    dispatch.settle(conn)
  end
end

--- A frame without connections: learns the pace and applies keys that are held.
local function idle_frame()
  pace.lingered, pace.due = 0, nil
  if pace.mode == "learn" then
    pace.began(os.clock())
    pace.observe(false)
  end
  input.apply()
  sensors.advance()
  freezes.run()
  jobs.run()
  pace.cpu_ended = pace.mode == "learn" and os.clock() or nil
end

local function serve()
  if #connections.list == 0 and connections.accept() == 0 then
    idle_frame()
    return
  end
  if lease.holder then
    pace.cpu_ended = nil
    lease_frames.run()
    return
  end
  local is_active = state.beat - state.activity <= ACTIVE_FRAMES
  pace.began(os.clock())
  local time = pace.observe(is_active)
  clock.start(time)
  local budget = pace.linger_budget(is_active, time)
  serve_frame(budget)
  if budget > 0 then
    linger(budget)
  end
  pace.ended = is_active and time and time + clock.elapsed() or nil
  pace.lingered = budget
  connections.sweep()
  if lease.holder then
    lease_frames.hold()
  end
  pace.cpu_ended = os.clock()
end

local IDLE_PERIOD <const> = 16 * MILLISECOND -- from one idle callback to the next
local IDLE_LINGER <const> = 14 * MILLISECOND

local function keys_now()
  return game.core and game.get_keys(game.core)
end

--- Notes what the next frame runs with: the keys and sensors at the end of this callback.
local function note_inputs()
  if #watches.buckets > 0 then
    local ok, keys = pcall(keys_now)
    state.next_keys, state.next_sensors, state.next_camera = ok and keys or nil, sensors.text, sensors.camera
  end
end

--- Sends an event when frames stop or resume.
function frames.note_machine(machine)
  if machine ~= state.machine then
    state.machine = machine
    connections.announce("game.machine", wire.record({ "machine", machine }))
  end
end

--- Sends an event when the game is halted, and when it is halted anew.
local function note_halt()
  local record, count = debugger.halted()
  if record and count ~= debugger.announced then
    debugger.announced = count
    connections.announce("debug.halted", wire.record(record))
  end
end

--- Sends an event when the host wants another pace.
local function note_pace()
  local period = pace.wanted()
  if period == state.period then
    return
  elseif state.period then
    connections.announce("pace", wire.record({ "period", period }))
  end
  state.period = period
end

function frames.run()
  state.frame, state.beat = state.frame + 1, state.beat + 1
  game.refresh()
  state.ran_keys, state.next_keys = state.next_keys, nil
  state.ran_sensors, state.next_sensors = state.next_sensors, nil
  state.ran_camera, state.next_camera = state.next_camera, nil
  frames.note_machine("running")
  if not host then
    slow.count()
    game.follow_user()
  end
  note_pace()
  serve()
  freezes.restore()
  freeze_commands.report()
  cheats.report()
  save_file.report()
  note_inputs()
  if lease.frames > 1 then
    lease_frames.skip()
  end
end

--- Ends the lease of a holder that has disconnected or does not step, so that others can reset the game. A step that waits for frames keeps it.
local function check_lease()
  if lease.holder and (lease.frames == 0 or lease.conn.closed) then
    lease.idle = lease.idle + IDLE_PERIOD
    if lease.idle > lease.limit then
      lease.finish("its holder was silent for too long")
    end
  end
end

--- Serves requests while no frame runs, or long before the next one is due. Requests that take frames (presses, waits, steps, delayed batches) wait.
local function serve_idle()
  clock.start(nil)
  connections.accept()
  for _, conn in ipairs(connections.list) do
    receiving.read_all(conn)
  end
  jobs.run_slices(work.heavy)
  scheduler.may_exceed = true
  run_waiting(IDLE_LINGER)
  scheduler.may_exceed = false
  local served = true
  local elapsed = clock.elapsed()
  while (connections.is_watched or state.beat - state.activity <= ACTIVE_FRAMES) and elapsed < IDLE_LINGER do
    served = serve_round(IDLE_LINGER, served, IDLE_LINGER - elapsed)
    elapsed = clock.elapsed()
  end
  check_lease()
  debugger.sweep()
  dispatch.clean()
  pace.due, pace.ended, pace.mark_time, pace.cpu_ended = nil, nil, nil, nil
end

--- The idle callback: mgba-headless calls it about sixty times a second while no frame runs, or until the next one is due; mgba-qt never does.
--- It does not count a frame.
function frames.run_idle(machine)
  state.beat = state.beat + 1
  game.refresh()
  frames.note_machine(machine)
  note_halt()
  note_pace()
  state.stands_still = true
  local ok, problem = pcall(serve_idle)
  state.stands_still = false
  if not ok then
    error(problem, 0)
  end
  local runs = machine == "running" or machine ~= "paused" and game.moved_beat == state.beat -- after this callback
  if runs and lease.holder and lease.frames == 0 then
    lease_frames.hold() -- taken just now: no frame may run before the first step
  end
  save_file.report()
  note_inputs()
  if state.beat % 60 == 1 then
    control.update_game()
  end
end

return frames
