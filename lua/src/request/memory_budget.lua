-- The bytes that the script holds for requests and replies, and how many of them each connection and session may hold.

local LIMITS <const> = require("base.limits")

local memory_budget = { used = 0 }

--- How many bytes a connection or a session may hold: at most what is free, so that others can still be served.
function memory_budget.share(most)
  return math.max(LIMITS.share, math.min(most, LIMITS.memory - memory_budget.used))
end

--- Counts the bytes of a connection: received, running, unsent. Small requests that are answered immediately are not counted.
function memory_budget.recount(conn)
  local held = conn.queued + conn.running + conn.unsent + #conn.buffer + (conn.chunks and conn.chunks.size or 0)
  memory_budget.used, conn.counted = memory_budget.used + held - conn.counted, held
end

function memory_budget.keep(session, count, bytes)
  session.kept, session.kept_bytes = session.kept + count, session.kept_bytes + bytes
  memory_budget.used = memory_budget.used + bytes
end

return memory_budget
