-- Limits of the protocol and of the work of one frame. docs/settings.md documents them. `make lua` writes each, with its comment, to the gateway's
-- Commands.g.cs.

local LIMITS <const> = {
  head = 65536, -- bytes of a head
  tail = 4194304, -- bytes of a tail
  inflight = 256, -- requests of one connection that are queued; the same limit applies to those that take frames
  sessions = 64, -- sessions at a time
  replies = 4096, -- replies kept for one session, until acknowledged
  reply_bytes = 8388608, -- bytes of the kept replies of one session
  unsent = 33554432, -- bytes of replies that the client has not read yet
  memory = 134217728, -- bytes of all requests and replies that the script holds: received, running, kept for sessions and not sent yet
  connection = 33554432, -- bytes of them that one connection may hold; never more than is free, so that other connections can still be served
  share = 65536, -- bytes that each connection may hold in any case
  events = 1048576, -- bytes of unsent data beyond which a client loses events; the next event reports how many
  write = 16384, -- bytes of memory that one request writes in one frame
  frame_writes = 32768, -- bytes of memory that all requests together write in one frame: mGBA 0.10 has no range write, and this takes 3 ms
  repeats = 1024, -- locations, ranges or keys in one command
  cached_locations = 8192, -- parsed locations that the script keeps
  cached_location = 40, -- bytes of the text of a cached location
  items = 4096, -- commands in one batch
  arguments = 8192, -- arguments in all commands of one batch: that many take most of a frame's spare time
  session_seconds = 60, -- a session without a connection is forgotten
  release_seconds = 2, -- after this time, the keys of such a session are released
  freezes = 256, -- values written every frame, of all holders
  freeze_bytes = 1024, -- bytes of one frozen value
  freeze_name = 64, -- bytes of the name of a freeze
  freezes_cost = 1000, -- microseconds a frame for all freezes
  holder = 64, -- characters of the name of a holder
  holders = 256, -- holders with a key down
  taps = 1024, -- taps waiting on one key
  lag = 24, -- frames that a press with waiting=shorten waits at most, where it can join one of the same keys
  frame_cost = 16000, -- microseconds that one batch may cost, or all batches of one later frame, or one read in one frame
  jobs_cost = 2000, -- microseconds a frame for all requests that take frames
  watches = 64, -- watches of one connection
  log_lines = 256, -- lines of the game's log in one event; the newest
  points = 1024, -- breakpoints and watchpoints of all holders
  hits = 4096, -- hits that the script keeps for those who watch them
  watches_cost = 2000, -- microseconds a frame for all watches
  conditions = 32, -- tests of one wait
  frames = 36000, -- frames of one request: ten minutes
  state = 0x61000, -- bytes of the largest raw state, without extra data
  state_extra = 0x120100, -- bytes of one entry of its extra data: the save data of an MBC6, and its clock
  kept_states = 8, -- states that the emulator keeps
  state_name = 64, -- bytes of the name of one
  camera = 14336, -- bytes of a picture that a camera takes: 128 x 112, each pixel grey from 0 (black)
  observation = 262144, -- bytes that a step of an attached socket answers
  steps = 512, -- steps of one key sequence
  secret = 16, -- minimum characters of a secret: a short one can be found offline from one recorded exchange
}

-- Limits of a connection that is not authenticated yet. A client that waits for the reply to hello never reaches them.
LIMITS.untrusted = {
  head = 4096,
  tail = 0,
  inflight = 4,
  unsent = 65536,
  connections = 100, -- at most half of the connections setting
  seconds = 5, -- until it has to be authenticated, not counting a pause of the game
  failures = 16, -- wrong proofs in one second, all connections together; later ones wait for the next second
}

return LIMITS
