-- Cost accounting, in microseconds. Work is limited by its estimated cost, not by the number of requests.

-- The costs were measured with mGBA 0.10.1 (docs/settings.md, "Costs"). A request adds its cost to `spent` when it runs. A request that costs
-- more than `allowed` does not run: the result is LATER, and it stays first in its connection's queue until a frame has time for it.
local work = {
  spent = 0, -- microseconds since the script was loaded
  allowed = 0, -- maximum cost of a request at the moment
  LATER = {},
  request = 10, -- base cost of any request: parse, run, reply
  turn = 320, -- requests of one connection before the next one's turn, divided among the connections that wait
  heavy = 150, -- requests above this cost run after all others, one of each connection in turn
  job_turn = 100, -- jobs or watches of one connection before the next one's turn
  look = 0.5, -- one step of a job, or the check of a watch that is not due
  condition = 1,
  freeze = 3, -- of one that is short; a longer one costs its writing, too
  event = 5,
  item = 2, -- of a batch, and each of its arguments
  argument = 0.8,
  batch_byte = 0.1, -- parsing a batch of many small items
  write = 0.1, -- a byte, four at once; a single byte costs more
  write_single = 0.6,
  state = 300, -- a raw state, saved or loaded
  png_state = 2200, -- one with a picture
  slot = 2200,
  screen = 2200, -- with a state, in a window
  png = 700, -- without one, by mgba-headless
  pixels = 150,
  file = 5000,
  slice = 1000, -- of a read that takes frames
  hex_byte = 0.25, -- of mGBA-http's `d3,00,...`
}

--- The cost of a request beyond the base cost: a number in the row, or a function of the arguments.
function work.of(row, ...)
  local cost = row.cost
  return type(cost) == "function" and cost(...) or cost
end

--- Whether a request of this cost may run now. Counts the cost if so.
function work.admits(cost)
  if cost > work.allowed then
    return false
  end
  work.spent = work.spent + cost
  return true
end

--- Runs the items of each bucket in turn until all have run or the budget is used up. A bucket is { list, at, left }: the items of one
--- connection and its position. Items that did not run are first next time. run(item) adds its cost.
function work.share(ring, budget, run)
  local buckets, stop, more = ring.buckets, work.spent + budget, false
  for i = 1, #buckets do
    local bucket = buckets[i]
    bucket.left = #bucket.list
    more = more or bucket.left > 0
  end
  while more do
    more = false
    for i = 1, #buckets do
      local bucket = buckets[(ring.turn + i - 1) % #buckets + 1]
      local list, turn_stop = bucket.list, work.spent + work.job_turn
      while bucket.left > 0 and work.spent < turn_stop do
        bucket.left, bucket.at = bucket.left - 1, bucket.at % #list + 1
        run(list[bucket.at])
      end
      more = more or bucket.left > 0
      if work.spent >= stop then
        ring.turn = (ring.turn + i) % #buckets
        return
      end
    end
  end
end

return work
