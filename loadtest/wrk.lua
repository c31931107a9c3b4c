-- Repeats one request with wrk, which uses less CPU than k6: PAUSE=30 wrk -c1 -t1 -d8s -s loadtest/wrk.lua URL
-- PAUSE is the longest pause between an answer and the next request, in milliseconds. scripts/bench-http reads the last line:
-- answers a second; p50, p99 and max in milliseconds; the number of failed requests.

local longest = tonumber(os.getenv("PAUSE"))
if longest then
  function delay() -- luacheck: ignore
    return math.random(0, longest)
  end
end

function done(summary, latency) -- luacheck: ignore
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("row %.0f %.3f %.3f %.2f %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, latency.max / 1000, bad))
end
