-- Scheduler: which connection is read, and whose request runs next.

local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local dispatch = require("server.dispatch")
local host = require("base.host").calls
local jobs = require("request.jobs")
local lease = require("session.lease")
local receiving = require("server.receiving")
local state = require("base.state")
local work = require("request.work")

local MILLISECOND <const> = constants.MILLISECOND

local ACCEPT_ROUNDS <const> = 8 -- rounds with requests between two looks for new connections
local SHORT_WORK <const> = 2 * MILLISECOND -- without lingering: processor time for requests in a frame
local COLD_POLLS <const> = 8 -- idle connections that are polled in each round; sixteen times as many when no request arrived
local HOT_FRAMES <const> = 4
local SPINS <const> = 60 -- polls before a sleep, about a microsecond each
local LEASE_SPINS <const> = 200 -- during a lease: must be longer than the wake-up of the client
local MAX_TIMEOUT <const> = 64 * MILLISECOND -- longer than a linger
local SPIN_BACKOFF <const> = 64 -- sleeps without spinning after it did not help
local WAKE_GUESS <const> = 40 -- estimated microseconds of a sleep that ended early
local spin = { credit = 4, backoff = 0, timeout = MILLISECOND }

local scheduler = {
  cold = 0,
  accept_in = 0, -- rounds
  turn = 0,
  heavy = {}, -- connections whose next request is expensive, in the order of their turns
  may_exceed = false, -- whether an expensive request may exceed the rest of the frame: the first of each frame may
}

--- Reads from recently active connections and, in turn, from some others.
local function read_round(served)
  local list = connections.list
  local count, arrived = #list, false
  local from, polls = scheduler.cold, served and COLD_POLLS or COLD_POLLS * 16
  for i = 1, count do
    local conn = list[i]
    if not conn.closed and (conn.woke or state.beat - conn.active_beat <= HOT_FRAMES or (i - from) % count < polls) then
      if receiving.read(conn) then
        arrived = true
        connections.favourite = conn
      end
    end
  end
  scheduler.cold = count > 0 and (from + polls) % count or 0
  return arrived
end

--- Runs some requests of each connection in turn, except expensive ones. Returns whether the time is used up. Connections that did not get a
--- turn are first next time.
local function run_light(budget)
  local list, heavy, again, waiting = connections.list, scheduler.heavy, true, 0
  for i = 1, #list do
    waiting = waiting + (list[i].first <= list[i].last and 1 or 0)
  end
  local most = work.turn / math.max(1, waiting) -- with hundreds of connections a longer turn would delay the others for seconds
  work.allowed = work.heavy
  while again do
    again = false
    for i = 1, #list do
      local conn = list[(scheduler.turn + i) % #list + 1]
      if conn.first <= conn.last and not conn.heavy and not conn.closed and not conn.legacy_busy then
        local ran = dispatch.run(conn, most)
        if conn.heavy then
          heavy[#heavy + 1] = conn
        end
        again = again or (ran and conn.first <= conn.last and not conn.legacy_busy)
        if clock.elapsed() >= budget then
          scheduler.turn = (scheduler.turn + i) % #list
          return true
        end
      end
    end
  end
  return false
end

--- Runs expensive requests, one of each connection in turn, while there is time. The first of a frame always runs, so that each gets its turn.
--- Returns whether any ran.
local function run_heavy(budget)
  local list, left_out, any = scheduler.heavy, 0, false
  while left_out < #list and (scheduler.may_exceed or clock.elapsed() + work.heavy <= budget) do
    local conn = table.remove(list, left_out + 1)
    local before = work.spent
    work.allowed = scheduler.may_exceed and math.huge or budget - clock.elapsed()
    conn.heavy = nil
    if conn.closed or dispatch.run(conn, work.request) then
      any = any or not conn.closed
      scheduler.may_exceed = scheduler.may_exceed and work.spent - before < work.heavy
    elseif conn.heavy then
      left_out = left_out + 1
      table.insert(list, left_out, conn)
    end
  end
  return any
end

--- Runs queued requests until none is left or the time is used up.
local function run_waiting(budget)
  local is_over
  repeat
    is_over = run_light(budget)
    local ran = not is_over and run_heavy(budget)
  until not ran or clock.elapsed() >= budget
  if is_over then
    connections.flush_all()
  end
end

--- Spins before a sleep: a client that sends its next request immediately is faster than a sleep and a wake-up. Where spinning does not help,
--- it is suspended for a while, since it takes processor time from the clients.
local function spin_until_readable(select, socket, polls)
  if spin.backoff > 0 then
    spin.backoff = spin.backoff - 1
    return false
  end
  for _ = 1, polls do
    if select(socket, 0) == 1 then
      spin.credit = math.min(spin.credit + 1, 8)
      return true
    end
  end
  spin.credit = spin.credit - 1
  if spin.credit < 0 then
    spin.credit, spin.backoff = 0, SPIN_BACKOFF
  end
  return false
end

--- Waits up to a millisecond for the connection that was busy last.
local function wait_at_socket(served)
  local conn = connections.favourite
  local socket = conn and conn.socket or connections.listener
  local select = conn and conn.select or socket.select
  local woke = served and spin_until_readable(select, socket, lease.holder and LEASE_SPINS or SPINS)
  if not woke then
    local found = select(socket, 1)
    woke = found == 1
    clock.slept = clock.slept + (found == 0 and MILLISECOND or WAKE_GUESS)
  end
  if conn then
    conn.woke = woke
  end
end

--- Waits for all connections, at most so many microseconds. After a request the first wait is a millisecond, each further one twice as long: a
--- processor that was idle longer answers later. While a connection is not read for now, its data does not end the wait.
local function wait_at_host(served, most)
  local conn = connections.favourite
  if served and conn and spin_until_readable(conn.select, conn.socket, lease.holder and LEASE_SPINS or SPINS) then
    conn.woke = true
    return
  end
  conn = connections.watched[host.wait(math.min(most, receiving.is_held and MILLISECOND or spin.timeout))]
  receiving.is_held = false
  if conn then
    conn.woke, connections.favourite, spin.timeout = true, conn, MILLISECOND
  else
    spin.timeout = math.min(spin.timeout * 2, MAX_TIMEOUT)
  end
end

--- Reads and runs requests. Returns whether any arrived. New connections are accepted last and not in each round, because no client waits for that.
local function serve_arrived(budget, served)
  local arrived = read_round(served)
  run_waiting(budget)
  scheduler.accept_in = scheduler.accept_in - 1
  if not arrived or scheduler.accept_in < 0 then
    scheduler.accept_in = ACCEPT_ROUNDS
    connections.accept()
  end
  return arrived
end

--- The same, or waits for requests: at most so many microseconds, or a millisecond in a window.
local function serve_round(budget, served, most)
  local arrived = serve_arrived(budget, served)
  if jobs.has_slices() then
    jobs.run_slices(work.heavy)
    for _, conn in ipairs(connections.list) do
      connections.flush(conn)
    end
  elseif not arrived and connections.is_watched then
    wait_at_host(served, most)
  elseif not arrived then
    wait_at_socket(served)
  end
  return arrived
end

scheduler.SHORT_WORK = SHORT_WORK
scheduler.run_heavy = run_heavy
scheduler.run_waiting = run_waiting
scheduler.serve_arrived = serve_arrived
scheduler.serve_round = serve_round

return scheduler
