-- Functions that mgba-headless offers and an mGBA window does not: the time, the schedule of the frames, waiting for all connections at once,
-- what the game prints.

--- Calls of the host, as lua/headless/waiting.h and game-log.h describe them, or nil in a window.
---@class Host
---@field now fun(): integer microseconds of a monotonic clock
---@field period fun(): integer microseconds of a frame; 0 without a frame limit
---@field left fun(): integer microseconds until the next frame is due
---@field watch fun(socket: table, id: integer): boolean
---@field wait fun(microseconds: integer): integer id of a socket with data, or -1
---@field logged fun(): integer lines that the game has printed
---@field line fun(number: integer): string one of them; empty when it is no longer kept

---@type Host?
local host = headless and {
  now = headless.now, period = headless.period, left = headless.left, watch = headless.watch, wait = headless.wait,
  logged = headless.logged, line = headless.line,
} or nil

return { calls = host }
