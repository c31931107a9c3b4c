-- Functions that mgba-headless offers and an mGBA window does not: the time, the schedule of the frames, waiting for all connections at once.

--- Calls of the host, as lua/headless/waiting.h describes them, or nil in a window.
---@class Host
---@field now fun(): integer microseconds of a monotonic clock
---@field period fun(): integer microseconds of a frame; 0 without a frame limit
---@field left fun(): integer microseconds until the next frame is due
---@field watch fun(socket: table, id: integer): boolean
---@field wait fun(microseconds: integer): integer id of a socket with data, or -1

---@type Host?
local host = headless and {
  now = headless.now, period = headless.period, left = headless.left, watch = headless.watch, wait = headless.wait,
} or nil

return { calls = host }
