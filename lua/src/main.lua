-- mGBA-bridge: a socket server for mGBA's Scripting window.
--
-- Load this one file in Tools > Scripting, or pass it to mgba-headless --script, while a game runs. Clients then connect to the address that
-- the console prints; docs/protocol.md describes the protocol. Needs mGBA 0.10 or later with its Lua 5.4, and nothing else.

require("base.settings")
local server = require("server.server")

if not _VERSION or _VERSION < "Lua 5.4" then
  error("mGBA-bridge needs Lua 5.4, as mGBA's own builds have; this one has " .. tostring(_VERSION), 0)
end
local earlier = MGBA_BRIDGE
if earlier then
  earlier.stop()
end
server.start(earlier or {})
