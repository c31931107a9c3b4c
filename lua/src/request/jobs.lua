-- Jobs: requests that do not fit one frame or wait for a frame.

local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local answer_error = replies.answer_error
local refuse = wire.refuse

-- A job is { request, step, cost, bucket }: step() does a piece and returns true when the job is done. Jobs are kept by connection, so that many of
-- one do not delay another's: `frames` run once a frame, `slices` as often as the frame's time allows, `writes` one a frame in turn (and while no
-- frame runs), `halts` once a frame and in each idle callback, `timed` in one frame only. A step that fails answers its request with the error.
local jobs = {
  frames = { buckets = {}, by_conn = {}, turn = 0 },
  slices = { buckets = {}, by_conn = {}, turn = 0 },
  writes = { buckets = {}, by_conn = {}, turn = 0 },
  halts = { buckets = {}, by_conn = {}, turn = 0 },
  timed = {}, -- frame -> list of jobs, and their cost together
  count = 0,
}

--- The bytes that a request holds while it runs; `length` is the size of the result it collects.
function jobs.size(request, length)
  return #(request.tail or "") + #(request.content or "") + #(request.text or "") + (length or 0)
end

--- Refuses a request that takes frames when too many are running. Called before the request has any effect.
function jobs.check_limit(request, length)
  local conn = request.conn
  local held, most = conn.running + jobs.size(request, length), memory_budget.share(LIMITS.connection)
  if held > most then
    refuse("busy", "requests under way would hold %d bytes for this connection, of at most %d now; wait for some, or send less", held, most)
  end
  if conn.deferred >= LIMITS.inflight then
    refuse("busy", "%d requests of this connection are still under way; wait for some, or cancel them", conn.deferred)
  end
end

local function begin(request, step, cost, bucket, length)
  local job = { request = request, step = step, cost = cost, bucket = bucket, conn = request.conn, size = jobs.size(request, length) }
  job.conn.running = job.conn.running + job.size
  bucket.list[#bucket.list + 1] = job
  jobs.count, request.job = jobs.count + 1, job
  request.conn.deferred = request.conn.deferred + 1
end

--- Starts a job of the given kind. `cost` is that of one step.
function jobs.start(request, step, kind, cost, length)
  local ring, conn = jobs[kind or "frames"], request.conn
  local bucket = ring.by_conn[conn]
  if not bucket then
    bucket = { conn = conn, list = {}, at = 0, left = 0 }
    ring.by_conn[conn], ring.buckets[#ring.buckets + 1] = bucket, bucket
  end
  begin(request, step, cost or work.look, bucket, length)
end

--- Starts a job of one step that runs in exactly that frame, whose time is reserved.
function jobs.start_at(request, frame, step, cost)
  local bucket = jobs.timed[frame] or { frame = frame, list = {}, cost = 0 }
  if bucket.cost + cost > LIMITS.frame_cost then
    refuse("busy", "frame %d has %d us of batches already, of at most %d; take another frame", frame, bucket.cost // 1, LIMITS.frame_cost)
  end
  jobs.check_limit(request)
  jobs.timed[frame], bucket.cost = bucket, bucket.cost + cost
  begin(request, step, cost, bucket)
end

local function forget_timed(bucket, job)
  for i, other in ipairs(bucket.list) do
    if other == job then
      table.remove(bucket.list, i)
      break
    end
  end
  if #bucket.list == 0 then
    jobs.timed[bucket.frame] = nil
  end
end

local function finish(job)
  local bucket, request = job.bucket, job.request
  job.done, bucket.has_done, jobs.has_done, request.job = true, true, true, nil
  if bucket.frame then
    bucket.cost = bucket.cost - job.cost
    forget_timed(bucket, job)
  end
  jobs.count, request.conn.deferred = jobs.count - 1, request.conn.deferred - 1
  job.conn.running = job.conn.running - job.size
  memory_budget.recount(job.conn)
end

local function run_job(job)
  if job.done then
    return
  end
  work.spent = work.spent + job.cost
  local ok, done = pcall(job.step)
  if not job.done and (not ok or done) then
    finish(job)
    if not ok then
      answer_error(job.request, done)
    end
  end
end

--- Removes finished jobs. The turn of the others is kept.
local function compact(ring)
  local buckets, kept_buckets = ring.buckets, 0
  for i = 1, #buckets do
    local bucket = buckets[i]
    local list, kept, at = bucket.list, 0, 0
    for k = 1, bucket.has_done and #list or 0 do
      local job = list[k]
      list[k] = nil
      if not job.done then
        kept = kept + 1
        list[kept] = job
      end
      at = k == bucket.at and kept or at
    end
    bucket.at, bucket.has_done = bucket.has_done and at or bucket.at, nil
    bucket.at = bucket.left > 0 and bucket.at or 0
    buckets[i] = nil
    if #list > 0 or not bucket.conn.closed then
      kept_buckets = kept_buckets + 1
      buckets[kept_buckets] = bucket
    else
      ring.by_conn[bucket.conn] = nil
    end
  end
end

local function run_ring(ring, budget)
  work.share(ring, budget, run_job)
  compact(ring)
end

local WRITE_ONE <const> = 100 -- a budget that one piece of a write exhausts

--- Runs slices of jobs that consist of slices, and writes while no frame runs.
function jobs.run_slices(budget)
  run_ring(jobs.slices, budget)
  run_ring(jobs.halts, LIMITS.jobs_cost)
  if state.machine ~= "running" then
    run_ring(jobs.writes, WRITE_ONE)
  end
end

local function has_any(ring)
  for _, bucket in ipairs(ring.buckets) do
    if #bucket.list > 0 then
      return true
    end
  end
  return false
end

--- Whether a job continues without a new frame.
function jobs.has_slices()
  return jobs.count > 0 and (has_any(jobs.slices) or (state.machine ~= "running" and has_any(jobs.writes)))
end

--- Runs what is due in this frame, and one step of each other job.
function jobs.run()
  local due = jobs.timed[state.frame]
  while due and due.list[1] do
    run_job(due.list[1])
  end
  if jobs.count > 0 or jobs.has_done then
    jobs.has_done = nil
    run_ring(jobs.writes, WRITE_ONE)
    run_ring(jobs.frames, LIMITS.jobs_cost)
    jobs.run_slices(LIMITS.jobs_cost)
  end
end

--- All running jobs, in any order.
function jobs.all()
  local all = {}
  local function add(buckets)
    for _, bucket in pairs(buckets) do
      for _, job in ipairs(bucket.list) do
        all[#all + 1] = not job.done and job or nil
      end
    end
  end
  add(jobs.frames.buckets)
  add(jobs.slices.buckets)
  add(jobs.writes.buckets)
  add(jobs.halts.buckets)
  add(jobs.timed)
  return all
end

--- A running request of a session. Reads that take frames are found only here, because a session keeps only effects.
function jobs.find(session, id)
  for _, job in ipairs(jobs.all()) do
    if job.request.session == session and job.request.id == id then
      return job.request
    end
  end
end

function jobs.stop(job)
  if not job.done then
    finish(job)
    if job.request.on_stop then
      job.request.on_stop()
    end
  end
end

return jobs
