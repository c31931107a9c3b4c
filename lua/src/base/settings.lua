-- Settings: change them here, or set the environment variable named beside each before mGBA starts. The variable wins.

local settings = {
  port = nil, -- MGBA_BRIDGE_PORT: nil takes the first free port of 8888..8903; a number takes exactly that port or fails
  bind = "127.0.0.1", -- MGBA_BRIDGE_BIND: the IPv4 address to listen on; set a secret before you open it to others
  secret = nil, -- MGBA_BRIDGE_SECRET: at least 16 characters; clients must prove that they know it; disables the legacy dialect
  folders = {}, -- MGBA_BRIDGE_FOLDERS: absolute folders (separated by ";") below which clients may name files
  nonce = nil, -- MGBA_BRIDGE_NONCE: sent in the reply to hello; identifies the emulator to the program that started it; random when nil
  connections = 600, -- MGBA_BRIDGE_CONNECTIONS: 1..900; the engine aborts above 1,023 descriptors
  linger = 35, -- MGBA_BRIDGE_LINGER: maximum milliseconds per frame spent waiting for requests, 0..100; 0 replies once per frame
  lease = false, -- MGBA_BRIDGE_LEASE=on: allow lockstep leases in a window that may have video sync on (docs/protocol.md, 7.3)
  log = "info", -- MGBA_BRIDGE_LOG: error, warn, info or debug; debug writes one line per connection, never one per request
}

return settings
