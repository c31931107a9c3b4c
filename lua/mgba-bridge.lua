-- mGBA-bridge: a socket server for mGBA's Scripting window.
--
-- Load this one file in Tools > Scripting, or pass it to mgba-headless --script, while a game runs. Clients then connect to the address that
-- the console prints; docs/protocol.md describes the protocol. Needs mGBA 0.10 or later with its Lua 5.4, and nothing else.
--
-- Built from lua/src by `make lua`: change the modules there. Only the settings below are meant to be changed here.

local modules = {}

local function require(name)
  return modules[name]
end

-- ========================================================================================================================
-- lua/src/base/settings.lua
-- ========================================================================================================================

modules["base.settings"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/base/constants.lua
-- ========================================================================================================================

modules["base.constants"] = (function()
-- Constants that several modules share.

local VERSION <const> = "0.1.0"

local PROTOCOL <const> = 3
local TERMINATOR <const> = "<|END|>"
local SAVESTATE <const> = { screenshot = 1, save = 30, load = 25, restore = 10, metadata = 16, all = 31 }
local LOG_LEVELS <const> = { error = 1, warn = 2, info = 3, debug = 4 }
local KEYS <const> = { "A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L" }
local ALL_KEYS <const> = (1 << #KEYS) - 1
local MAX_ID <const> = (1 << 53) - 1 -- the largest integer that JSON clients have
local GBA <const>, GB <const> = 0, 1
local MILLISECOND <const> = 1000

return {
  VERSION = VERSION, PROTOCOL = PROTOCOL, TERMINATOR = TERMINATOR, SAVESTATE = SAVESTATE, LOG_LEVELS = LOG_LEVELS, KEYS = KEYS, ALL_KEYS = ALL_KEYS,
  MAX_ID = MAX_ID, GBA = GBA, GB = GB, MILLISECOND = MILLISECOND,
}
end)()

-- ========================================================================================================================
-- lua/src/base/limits.lua
-- ========================================================================================================================

modules["base.limits"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/base/state.lua
-- ========================================================================================================================

modules["base.state"] = (function()
-- State that several modules share while the script runs.

local state = {
  frame = 0, -- frames since the script was loaded; never decreases
  beat = 0, -- frames and idle callbacks
  machine = "running", -- or why no frame runs: paused, stopped, crashed, none
  period = nil, -- microseconds of a frame at the pace that clients know (pace.wanted)
  ran_keys = nil, -- of the frame that ended last, while there are watches
  next_keys = nil, -- of the next frame, known when the callback ends
  ran_sensors = nil, -- as ran_keys
  next_sensors = nil,
  ran_camera = nil, -- as ran_keys: the picture that the camera saw
  next_camera = nil,
  is_nested = false, -- inside a call of mGBA that may run callbacks of this script
  is_skipping = false, -- the host runs frames without calling this script
  stands_still = false, -- in a callback that may take any time, because a lease holds the game or no frame runs
  epoch = "00000000",
  stopped = false,
  requests = 0,
  errors = 0,
  last_error = nil,
  capabilities = "",
  activity = -1000000, -- the beat of the last request other than ping
  seconds = 0, -- real time while mGBA calls this script: see state.tick
  clock_second = os.time(),
}

--- Counts real time in whole seconds, for limits that must not depend on the frame rate. A longer gap (the game was paused, the clock of
--- the machine was set) counts as one second. Returns whether a new second began.
function state.tick()
  local now = os.time()
  if now == state.clock_second then
    return false
  end
  state.seconds = state.seconds + (now > state.clock_second and 1 or 0)
  state.clock_second = now
  return true
end

return state
end)()

-- ========================================================================================================================
-- lua/src/base/log.lua
-- ========================================================================================================================

modules["base.log"] = (function()
-- Writes to the console of the Scripting window.

local constants = require("base.constants")
local settings = require("base.settings")
local state = require("base.state")

local LOG_LEVELS <const> = constants.LOG_LEVELS
local format = string.format

local recent = { complaints = 0, frame = 0 } -- client errors since `frame`
local log = {}

function log.write(level, text, ...)
  if LOG_LEVELS[level] > LOG_LEVELS[settings.log] then
    return
  end
  local line = "mGBA-bridge: " .. (select("#", ...) > 0 and format(text, ...) or text)
  if level == "error" then
    console:error(line)
  elseif level == "warn" then
    console:warn(line)
  else
    console:log(line)
  end
end

--- Writes a client's error to the console, at most five per 60 frames: a line for each request would slow the game.
function log.complain(text, ...)
  state.last_error = format(text, ...)
  if state.frame - recent.frame >= 60 then
    recent.frame, recent.complaints = state.frame, 0
  end
  recent.complaints = recent.complaints + 1
  if recent.complaints <= 5 then
    log.write("warn", "%s", state.last_error)
  end
end

return log
end)()

-- ========================================================================================================================
-- lua/src/wire/text.lua
-- ========================================================================================================================

modules["wire.text"] = (function()
-- Wire format of replies: values, records, error codes.

local log = require("base.log")
local state = require("base.state")

local byte, find, format, gmatch, gsub, match = string.byte, string.find, string.format, string.gmatch, string.gsub, string.match
local sub = string.sub
local concat = table.concat

local wire = {}

local ESCAPE <const> = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }
local CODES <const> = {}

for code in
  gmatch(
    "bad-head head-too-long tail-too-long bad-escape bad-option unknown-command bad-arity bad-argument bad-address bad-key bad-batch "
      .. "version auth-required auth-failed too-many-connections busy expired id-reused cancelled epoch-changed guard-failed leased "
      .. "no-game not-running no-lease unsupported failed save-failed not-found not-a-state forbidden internal",
    "%S+"
  )
do
  CODES[code] = true
end

local NIL <const> = {}

local function escape_byte(c)
  return ESCAPE[c] or format("\\x%02x", byte(c))
end

function wire.quote(text)
  return '"' .. gsub(text, '[%c"\\|]', escape_byte) .. '"'
end

function wire.value(value)
  if value == NIL then
    return "nil"
  end
  return type(value) == "string" and wire.quote(value) or tostring(value)
end

--- Named values in order: {"title", "ABC", "port", 1} -> `title="ABC" port=1`. NIL is written as nil.
function wire.record(pairs_in_order)
  local parts = {}
  for i = 1, #pairs_in_order, 2 do
    parts[#parts + 1] = pairs_in_order[i] .. "=" .. wire.value(pairs_in_order[i + 1])
  end
  return concat(parts, " ")
end

function wire.printable(text)
  return (gsub(sub(text, 1, 80), "[^\x20-\x7e]", function(c)
    return format("\\x%02x", byte(c))
  end))
end

--- ` frame epoch` of every reply; computed once a frame.
function wire.stamp()
  if wire.stamp_frame ~= state.frame or wire.stamp_epoch ~= state.epoch then
    wire.stamp_frame, wire.stamp_epoch = state.frame, state.epoch
    wire.stamp_text = " " .. state.frame .. " " .. state.epoch
  end
  return wire.stamp_text
end

--- Ends the running command with an error reply. The code is the first word of the error's text, because errors must be strings:
--- an uncaught error value of another type ends mGBA.
local function refuse(code, text, ...)
  error(code .. " " .. (select("#", ...) > 0 and format(text, ...) or text), 0)
end

--- The code and text of an error that pcall caught. An error that `refuse` did not raise is `internal`.
function wire.caught(problem)
  problem = tostring(problem)
  local code, text = match(problem, "^([%l-]+) (.*)$")
  if code and CODES[code] then
    return code, text
  end
  if find(problem, "Invalid object", 1, true) or (find(problem, "nil value", 1, true) and emu == nil) then
    return "no-game", "no game is loaded; open one in mGBA"
  end
  state.last_error = problem
  log.write("error", "a command failed unexpectedly: %s", problem)
  return "internal", problem
end

wire.NIL, wire.refuse = NIL, refuse

return wire
end)()

-- ========================================================================================================================
-- lua/src/wire/arguments.lua
-- ========================================================================================================================

modules["wire.arguments"] = (function()
-- Parses the arguments of a command. A parser refuses a bad value with `bad-argument` or a more specific code.

local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local wire = require("wire.text")

local KEYS <const>, SAVESTATE <const> = constants.KEYS, constants.SAVESTATE
local byte, find, gmatch, lower, match, sub = string.byte, string.find, string.gmatch, string.lower, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local arguments = {}

local NONE <const> = {}

local UNESCAPE <const> = { ['"'] = '"', ["\\"] = "\\", n = "\n", r = "\r", t = "\t" }
local KEY_INDEX <const> = {}

for i, name in ipairs(KEYS) do
  KEY_INDEX[lower(name)] = i - 1
  KEY_INDEX[tostring(i - 1)] = i - 1
end

local parse = {} -- kind of argument -> function(text) -> value

-- Kind of integer -> its least and greatest value. `make lua` writes them to the gateway's Commands.g.cs.
local ranges = {}

--- Parses a quoted string at position `at` (its first quote). Returns its value and the position after it.
local function quoted(text, at)
  local from, parts = at + 1, {}
  while true do
    local stop = find(text, '["\\]', from)
    if not stop then
      refuse("bad-escape", "a string has no closing quote")
    end
    parts[#parts + 1] = sub(text, from, stop - 1)
    if byte(text, stop) == 34 then
      return concat(parts), stop + 1
    end
    local letter = sub(text, stop + 1, stop + 1)
    local hex = letter == "x" and match(text, "^%x%x", stop + 2)
    if hex then
      parts[#parts + 1] = string.char(tonumber(hex, 16))
      from = stop + 4
    elseif UNESCAPE[letter] then
      parts[#parts + 1] = UNESCAPE[letter]
      from = stop + 2
    else
      refuse("bad-escape", '"\\%s" is not an escape; use \\\\ \\" \\n \\r \\t or \\xHH', wire.printable(letter))
    end
  end
end

--- Splits the argument text of a head: a list of words and, where there are any, a table of named ones.
function arguments.split(text)
  local words, n = {}, 0
  if not find(text, '["=]') then
    for word in gmatch(text, "[^ ]+") do
      n = n + 1
      words[n] = word
    end
    return words, nil
  end
  local named, at = {}, find(text, "[^ ]")
  while at do
    local name, value_at = match(text, "^(%l[%l%d_]*)=()", at)
    local value, next_at
    if byte(text, value_at or at) == 34 then
      value, next_at = quoted(text, value_at or at)
      if not find(text, "^ ", next_at) and next_at <= #text then
        refuse("bad-argument", "a space is missing after the string that ends at character %d", next_at - 1)
      end
    else
      value, next_at = match(text, '^([^ "=]*)()', value_at or at)
      if not find(text, "^ ", next_at) and next_at <= #text then
        refuse("bad-argument", "%q needs quotes around its value", wire.printable(match(text, "[^ ]*", at)))
      end
    end
    if name then
      named[name] = value
    else
      n = n + 1
      words[n] = value
    end
    at = find(text, "[^ ]", next_at)
  end
  return words, named
end

--- An integer in decimal or 0x form, or nil.
local function to_integer(text)
  local number
  if find(text, "^%-?%d+$") then
    number = tonumber(text)
  elseif find(text, "^0[xX]%x+$") and #text <= 18 then
    number = tonumber(text)
  end
  return math.type(number) == "integer" and number or nil
end

function parse.integer(text)
  return to_integer(text) or refuse("bad-argument", "%q is not an integer; write 255 or 0xFF", wire.printable(text))
end

function arguments.integer_between(low, high, what)
  return function(text)
    local number = to_integer(text)
    if not number or number < low or number > high then
      refuse("bad-argument", "%s is %q; it must be an integer from %d to %d", what, wire.printable(text), low, high)
    end
    return number
  end
end

--- Defines a kind of argument: an integer. `what` names it in an error reply.
function arguments.define_integer(kind, low, high, what)
  parse[kind], ranges[kind] = arguments.integer_between(low, high, what or kind), { low, high }
end

function parse.string(text)
  return text
end

function parse.boolean(text)
  if text == "true" then
    return true
  elseif text == "false" then
    return false
  end
  refuse("bad-argument", "%q is not a boolean; use true or false", wire.printable(text))
end

function parse.key(text)
  return KEY_INDEX[lower(text)]
    or refuse("bad-key", "%q is not a key; use A, B, Select, Start, Right, Left, Up, Down, R, L or 0..9", wire.printable(text))
end

local define_integer = arguments.define_integer
define_integer("length", 0, LIMITS.tail)
define_integer("mask", 0, constants.ALL_KEYS, "key mask")
define_integer("address", 0, 0xFFFFFFFF)
define_integer("slot", 0, 9)
define_integer("flags", 0, SAVESTATE.all)
define_integer("frames", 1, LIMITS.frames)
define_integer("past_frame", 0, 1 << 53, "frame")
define_integer("gap", 1, LIMITS.frames) -- 0 would join two presses into one
define_integer("after", 1, LIMITS.frames)
define_integer("frame", 0, math.maxinteger)
define_integer("id", 1, constants.MAX_ID)
define_integer("bank", 0, 0x1FF) -- of the memory of a Game Boy

--- Keys: a mask, or names joined by `+`.
local mask_number = parse.mask
function parse.mask(text)
  if find(text, "^%-?%d") then
    return mask_number(text)
  end
  local mask = 0
  for name in gmatch(text .. "+", "([^+]*)%+") do
    mask = mask | 1 << parse.key(name)
  end
  return mask
end

function parse.holder(text)
  if not find(text, "^[%w_.:-]+$") or #text > LIMITS.holder then
    refuse("bad-option", "holder is %q; use 1 to %d of A-Z a-z 0-9 _ . : -", wire.printable(text), LIMITS.holder)
  end
  return text
end

--- An address on the bus (a number) or an offset in a memory domain (a table, never changed). Bounds are checked at use, because they
--- depend on the game.
local function locate(text)
  local number = to_integer(text)
  if number then
    return number
  end
  local domain, offset = match(text, "^(%l[%w_]*):(.+)$")
  offset = offset and to_integer(offset)
  if not offset then
    refuse("bad-address", "%q is not a location; write 0x02000000, or wram:0x10 for an offset in a domain", wire.printable(text))
  end
  return { domain = domain, offset = offset }
end

local seen, seen_count = {}, 0

--- Caches locations, because clients read the same ones repeatedly: a lookup costs a fifth of parsing.
function parse.location(text)
  local location = seen[text]
  if not location then
    location = locate(text)
    if #text > LIMITS.cached_location then
      return location
    end
    if seen_count >= LIMITS.cached_locations then
      seen, seen_count = {}, 0
    end
    seen[text], seen_count = location, seen_count + 1
  end
  return location
end

--- The parsed arguments of one request for one row of the command table.
function arguments.read(row, words, named)
  local count, kinds = #words, row.arguments
  if count < row.least or count > row.most then
    refuse("bad-arity", "%s takes %s; it got %d", row.name, row.takes, count)
  end
  local values, fixed, repeats = {}, #kinds, row.repeats
  for i = 1, count do
    local kind = kinds[i] or repeats[(i - fixed - 1) % #repeats + 1]
    values[i] = parse[kind](words[i])
  end
  if named then
    for name, text in pairs(named) do
      local kind = row.named and row.named[name]
      if not kind then
        refuse("bad-argument", "%s has no argument %s=", row.name, wire.printable(name))
      end
      values[name] = parse[kind](text)
    end
  end
  for name, default in pairs(row.defaults or NONE) do
    if values[name] == nil then
      values[name] = default
    end
  end
  return values
end

arguments.parse, arguments.ranges, arguments.to_integer = parse, ranges, to_integer

return arguments
end)()

-- ========================================================================================================================
-- lua/src/request/command_table.lua
-- ========================================================================================================================

modules["request.command_table"] = (function()
-- The command table: one row for each command. Parsers, arity errors, the command list and the batch rules are derived from the row.

local arguments = require("wire.arguments")
local LIMITS <const> = require("base.limits")
local wire = require("wire.text")

local parse = arguments.parse
local match = string.match
local concat = table.concat
local refuse = wire.refuse

-- A row: name; kind "read" (may run again) or "effect" (exactly once); arguments in order; repeats, arguments that may follow again and again;
-- named, in any order. An argument is written "name:kind=default", or shorter when name and kind are the same or there is no default.
-- tail "none" (default), "takes" or "may"; optional = true where no argument has to be there; alone = true where it cannot be an item of a batch;
-- cost, a number or cost(values, request): microseconds beyond those of any request.
-- run(values, request) returns the reply's text (nil: just ok) and its tail, or DEFERRED when it answers later.
-- What others know of it: has_items (its tail has items of a batch), writes_tail (its tail is written to memory), leased (runs while another
-- holder has the lease), untrusted (runs before the secret is proved), idle (does not count as activity).
-- What clients know of it: lasts (takes frames: true, or when one of these named arguments is given), bulk (long: true, or with this argument).
local commands = { rows = {}, names = {} } -- rows by name, and the names

--- Splits arguments into names and kinds. Fills `defaults`.
local function split(list, defaults)
  local names, kinds = {}, {}
  for i, text in ipairs(list or {}) do
    local name, default = match(text, "^([%w_:]+)=?(.*)$")
    names[i], kinds[i] = match(name, "^[%w_]+"), match(name, "[%w_]+$")
    local parser = parse[kinds[i]] or error("no kind of argument " .. kinds[i])
    if default ~= "" then
      defaults[names[i]] = parser(default)
    end
  end
  return names, kinds
end

function commands.define(row)
  local defaults = {}
  row.argument_names, row.arguments = split(row.arguments)
  row.named_names, row.named_kinds = split(row.named, defaults)
  row.repeats = row.repeats and select(2, split(row.repeats))
  row.defaults, row.named = next(defaults) ~= nil and defaults or nil, {}
  for i, name in ipairs(row.named_names) do
    row.named[name] = row.named_kinds[i]
  end
  row.tail, row.cost = row.tail or "none", row.cost or 0
  local fixed = #row.arguments
  row.least, row.most = fixed, fixed
  row.takes = concat(row.argument_names, " ")
  if row.repeats then
    row.least, row.most = fixed + #row.repeats, fixed + #row.repeats * LIMITS.repeats
    row.takes = row.takes .. (fixed > 0 and " " or "") .. concat(row.repeats, " ") .. " ..."
  end
  row.least = row.optional and 0 or row.least
  row.takes = row.takes == "" and "no arguments" or row.takes
  commands.rows[row.name] = row
  commands.names[#commands.names + 1] = row.name
end

--- The row of a request's text, or nil: the first word that is no option names it.
function commands.row_of(text)
  for word in string.gmatch(text, "[^ ]+") do
    if not string.find(word, "=", 1, true) then
      return commands.rows[word]
    end
  end
end

function commands.check_tail(row, tail)
  if row.tail == "takes" and not tail then
    refuse("bad-argument", "%s needs its data as a tail: write +length after the id", row.name)
  elseif row.tail == "none" and tail then
    refuse("bad-argument", "%s takes no tail", row.name)
  end
end

return commands
end)()

-- ========================================================================================================================
-- lua/src/commands/basic.lua
-- ========================================================================================================================

modules["commands.basic"] = (function()
-- Commands that need no game.

local commands = require("request.command_table")
local wire = require("wire.text")

local command = commands.define
local concat = table.concat
local refuse = wire.refuse

--- @command ping
--- @type Ping() Requests a heartbeat. It does not make the script wait for more requests.
--- @reply `ok`
--- @notes does not count as activity for linger
command({
  name = "ping",
  kind = "read",
  idle = true,
  run = function() end,
})

--- @command echo
--- @type Echo(Message:tail) Returns bytes unchanged. They are sent as a tail, so any byte is allowed.
--- @arguments string, or a tail
--- @reply the same, as string or as tail
command({
  name = "echo",
  kind = "read",
  arguments = { "string" },
  optional = true,
  tail = "may",
  bulk = "tail",
  run = function(values, request)
    if request.tail then
      return nil, request.tail
    end
    return wire.quote(values[1] or refuse("bad-arity", "echo takes a string or a tail"))
  end,
})

--- @command commands
--- @type ListCommands() Lists the commands that the script supports.
--- @reply one string a command: `name kind arguments`
command({
  name = "commands",
  kind = "read",
  run = function()
    local lines = {}
    table.sort(commands.names)
    for i, name in ipairs(commands.names) do
      local row = commands.rows[name]
      lines[i] = wire.quote(name .. " " .. row.kind .. " " .. row.takes)
    end
    return concat(lines, " ")
  end,
})

--- @command console.log console.warn console.error
--- @type WriteConsole(Level=ConsoleLevel.Log/Warn/Error, Text) Writes a line into mGBA's Scripting window.
--- @reply `ok`
for _, level in ipairs({ "log", "warn", "error" }) do
  command({
    name = "console." .. level,
    kind = "effect",
    arguments = { "text:string" },
    run = function(values)
      console[level](console, values[1])
    end,
  })
end
end)()

-- ========================================================================================================================
-- lua/src/game/cartridge.lua
-- ========================================================================================================================

modules["game.cartridge"] = (function()
-- Where mGBA accesses a Game Boy cartridge beyond its memory, or through a pointer that is not valid: this would end the emulator.

local byte = string.byte

local cartridge = {}

local HEADER <const> = 0x147 -- kind, size of the ROM, size of the RAM
local MBC6 <const>, MBC7 <const>, TAMA5 <const>, HUC3 <const> = 0x20, 0x22, 0xfd, 0xfe
local OWN_RAM <const> = { [5] = 0x100, [6] = 0x100, [MBC7] = 0x100, [TAMA5] = 0x20 } -- 5 and 6 are MBC2; whatever size the header gives
local BANK <const>, HALF_BANK <const> = 0x4000, 0x2000

--- The limits of the cartridge with this domain of its ROM and this size. `unreadable` and `unwritable` are ranges of the bus, { first, last }
--- each, or nil; `sizes` are those of domains that mGBA does not limit itself; `ram_is_apart` when its RAM is never mapped.
function cartridge.limits(rom, rom_size)
  local kind, _, ram = byte(rom:readRange(HEADER, 3), 1, 3)
  local unreadable, unwritable, sizes = {}, nil, { sram = OWN_RAM[kind] }
  if kind == MBC6 then -- after save data was loaded, banks of its flash memory and the second half of its RAM have an old address; at first RAM has none
    unwritable = { { 0xb000, 0xbfff } }
    unreadable = { { 0x4000, 0x7fff }, unwritable[1] }
  elseif kind == HUC3 and ram == 0 then
    unreadable[1], sizes.sram = { 0xa000, 0xbfff }, 0
  end
  local rest = rom_size % (kind == MBC6 and HALF_BANK or BANK)
  if rest > 0 and rom_size > BANK then -- of the last bank, and any bank may be the selected one
    unreadable[#unreadable + 1] = { rest, BANK - 1 }
    unreadable[#unreadable + 1] = { BANK + rest, 2 * BANK - 1 }
    sizes.cart0 = rom_size
  end
  return {
    unreadable = #unreadable > 0 and unreadable or nil, unwritable = unwritable, sizes = sizes, ram_is_apart = kind == MBC7 or kind == TAMA5,
  }
end

return cartridge
end)()

-- ========================================================================================================================
-- lua/src/game/game.lua
-- ========================================================================================================================

modules["game.game"] = (function()
-- The running game: its core, identity and memory domains. Some calls of the emulator end the process when their arguments are wrong,
-- so every argument is checked first.

local cartridge = require("game.cartridge")
local constants = require("base.constants")
local state = require("base.state")
local wire = require("wire.text")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local match = string.match
local concat = table.concat
local refuse = wire.refuse

local GB_HEADER_END <const> = 0x150 -- mGBA has no smaller ROM in memory, or none at all

local game = {
  core = nil, -- `emu` of this frame
  memory = {}, -- memory domains used in this frame
  platform = -1,
  identity = nil, -- distinguishes one game from another
  domains = {}, -- id -> { base, bound, size, name }
  domain_ids = {},
  limits = {}, -- of a Game Boy cartridge
  core_frame = nil, -- of a window: mGBA's own count in the last callback
  loads = 0, -- how often a state was loaded or the game was reset
}

--- Called once a frame: references to `emu` become invalid with the game.
function game.refresh()
  local core = emu
  if next(game.memory) ~= nil then
    game.memory = {}
  end
  if core and not rawequal(core, game.core) then
    game.read8, game.read16, game.read32, game.read_range = core.read8, core.read16, core.read32, core.readRange
    game.write8, game.write16, game.write32 = core.write8, core.write16, core.write32
    game.save_buffer = core.saveStateBuffer
    game.get_keys, game.add_keys, game.clear_keys = core.getKeys, core.addKeys, core.clearKeys
  end
  game.core = core
  return core
end

local function core_or_refuse()
  return game.core or refuse("no-game", "no game is loaded; open one in mGBA")
end

--- The core of a game whose machine runs or is paused. One that has stopped or crashed would not notice a press or a write.
local function live_core_or_refuse()
  local core, machine = core_or_refuse(), state.machine
  if (machine == "stopped" or machine == "crashed") and game.moved_beat ~= state.beat then
    refuse("not-running", "the game has %s and runs no frames; reset the game or load a state first", machine)
  end
  return core
end

--- The game was reset or a state loaded: what its machine was before does not hold any more.
function game.moved()
  game.moved_frame, game.moved_beat = state.frame, state.beat
  game.loads = game.loads + 1
end

--- Notices that the user of a window loaded a state or reset the game: mGBA has no callback for a state, but its count of frames jumps, which
--- otherwise is one more in each callback, however busy the host is.
function game.follow_user()
  local before, now = game.core_frame, game.core and game.core:currentFrame()
  game.core_frame = now
  if before and now and game.moved_frame ~= state.frame - 1 and now ~= before + 1 then
    game.moved()
    game.moved_frame = state.frame - 1
  end
end

--- Calls a function of mGBA that may run callbacks of this script before it returns. mGBA clears its context after each callback, and every
--- later call of this frame would fail: so the context is restored. A frame callback does nothing meanwhile (on_frame).
local function nested(fn, ...)
  local registry = debug and debug.getregistry and debug.getregistry()
  local context, was_nested = registry and registry.mCtx, state.is_nested
  state.is_nested = true
  local result = table.pack(pcall(fn, ...))
  state.is_nested = was_nested
  if registry then
    registry.mCtx = context
  end
  if not result[1] then
    error(tostring(result[2]), 0)
  end
  return table.unpack(result, 2, result.n)
end

--- The four letters in the header of the ROM, or nil. The result of getGameCode() for the same ROM depends on the mGBA version.
local function letters_in_header(core)
  local cart = core.memory.cart0
  if not cart or game.platform == GB and (game.rom_size < GB_HEADER_END or cart:read8(0x14b) ~= 0x33) then -- a Game Boy header without this value has none
    return nil
  end
  return match(cart:readRange(game.platform == GB and 0x13f or 0xac, 4), "^[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]$")
end

--- Reads the game's platform, title, identity and memory domains.
function game.identify()
  local core = game.refresh()
  if not core then
    game.identity, game.platform, game.domains, game.domain_ids, game.limits = nil, -1, {}, {}, {}
    return
  end
  game.platform = core:platform()
  game.title, game.code, game.rom_size = core:getGameTitle(), core:getGameCode(), core:romSize()
  local ok, sum = pcall(core.checksum, core)
  game.crc32 = ok and type(sum) == "string" and #sum == 4 and string.unpack(">I4", sum) or 0
  game.domains, game.domain_ids = {}, {}
  for id, domain in pairs(core.memory) do
    game.domain_ids[#game.domain_ids + 1] = id
    game.domains[id] = { base = domain:base(), bound = domain:bound(), size = domain:size(), name = domain:name() }
  end
  game.limits = game.platform == GB and game.rom_size >= GB_HEADER_END and cartridge.limits(core.memory.cart0, game.rom_size) or {}
  for id, size in pairs(game.limits.sizes or {}) do
    game.domains[id].size, game.domains[id].is_limited = size, true
  end
  local identity = concat({ game.platform, game.title, game.code, game.crc32, game.rom_size }, "/")
  if identity ~= game.identity then
    game.identity, game.letters = identity, letters_in_header(core)
  end
end

function game.platform_name()
  return game.platform == GBA and "gba" or game.platform == GB and "gb" or "none"
end

--- Refuses an access to one of the ranges that would end the emulator.
local function check_barred(address, length, barred)
  for _, range in ipairs(barred) do
    if address <= range[2] and address + length > range[1] then
      refuse("unsupported", "mGBA has no memory at 0x%X..0x%X for this cartridge, and the access would end it", range[1], range[2])
    end
  end
end

--- `barred` is game.limits.unreadable or game.limits.unwritable.
local function check_bus(address, length, barred)
  local last = game.platform == GB and 0xffff or 0xffffffff
  if address < 0 or address > last then
    refuse("bad-address", "0x%X is outside 0..0x%X", address, last)
  elseif address + length - 1 > last then
    refuse("bad-address", "0x%X and %d bytes reach beyond 0x%X", address, length, last)
  elseif barred then
    check_barred(address, length, barred)
  end
end

--- The memory domain of a location, and whether the range exceeds it. Only a location that wraps may exceed it; mGBA's own rules apply then.
--- Save memory of a Game Boy, and a ROM whose last bank is not complete, never may: mGBA would read and write beyond its buffer.
local function domain_of(location, length)
  local id = location.domain
  local core, known, domain = core_or_refuse(), game.domains[id], game.memory[id]
  if not domain then
    domain = known and core.memory[id]
    game.memory[id] = domain
  end
  if not domain then
    local ids = { table.unpack(game.domain_ids) }
    table.sort(ids)
    refuse("bad-address", "%q is not a memory domain of this game; it has %s", wire.printable(id), concat(ids, " "))
  end
  local outside = location.offset < 0 or location.offset > known.size - length
  if outside and (not location.wraps or (game.platform == GB and (id == "sram" or known.is_limited))) then
    refuse("bad-address", "offset 0x%X and %d bytes reach outside %s, which has %d bytes", location.offset, length, id, known.size)
  end
  return domain, outside
end

game.core_or_refuse, game.live_core_or_refuse, game.nested = core_or_refuse, live_core_or_refuse, nested
game.check_bus, game.domain_of = check_bus, domain_of

return game
end)()

-- ========================================================================================================================
-- lua/src/base/host.lua
-- ========================================================================================================================

modules["base.host"] = (function()
-- Functions that mgba-headless offers and an mGBA window does not: the time, the schedule of the frames, waiting for all connections at once,
-- what the game prints, its sound, its motor, its picture, kept states, its save file,
-- steps by a local socket, cheats, its sensors, its clock, what cartridge it is, debugging.

--- Calls of the host, as headless/scripts/functions.h and the headers that it names describe them, or nil in a window.
---@class Host
---@field now fun(): integer microseconds of a monotonic clock
---@field period fun(): integer microseconds of a frame; 0 without a frame limit
---@field left fun(): integer microseconds until the next frame is due
---@field watch fun(socket: table, id: integer): boolean
---@field wait fun(microseconds: integer): integer id of a socket with data, or -1
---@field skip fun(frames: integer): integer
---@field isEnding fun(): boolean whether it was asked to end, for which it waits until no callback runs
---@field logged fun(): integer lines that the game has printed
---@field line fun(number: integer): string one of them; empty when it is no longer kept
---@field heard fun(): integer samples of sound
---@field samples fun(from: integer): string those behind the first `from`
---@field rumble fun(): boolean whether the motor of the cartridge ran in the frame that has ended
---@field png fun(): string the picture; empty when there is none
---@field pixels fun(channels: integer, width: integer, height: integer): string
---@field pixelsWidth fun(): integer
---@field pixelsHeight fun(): integer
---@field keepState fun(number: integer): boolean
---@field recallState fun(number: integer): boolean
---@field saveProblem fun(): string why the save file has not what the game saved, or empty
---@field openSteps? fun(path: string, id: integer): string why not, or empty; nil where the system has no such sockets
---@field takeStep fun(): integer
---@field sendStep fun(bytes: string): boolean
---@field closeSteps fun()
---@field isRom fun(path: string): boolean whether the file is a game of this console
---@field setCheat fun(name: string, codes: string, enabled: boolean): string why it cannot be used, or empty
---@field loadCheats fun(text: string): string why none of a file can be used, or empty
---@field enableCheat fun(name: string, enabled: boolean): boolean
---@field removeCheat fun(name: string): boolean
---@field cheat fun(number: integer): string one of them; empty beyond the last
---@field setSensors? fun(light: integer, tilt_x: integer, tilt_y: integer, gyro: integer): boolean?
---@field setCamera? fun(picture: string): boolean
---@field clock? fun(): string `mode value time`
---@field setClock? fun(mode: string, value: integer): boolean
---@field cartridge? fun(): string lines of a key, its value and its origin
---@field stateProblem? fun(): string why the emulator refused the state that was loaded last, once; or empty
---@field disassemble? fun(address: integer, count: integer, mode: string, bank: integer): string lines of eight values
---@field bank? fun(address: integer): integer
---@field addPoint? fun(kinds: integer, first: integer, last: integer, bank: integer): integer id, or 0
---@field removePoint? fun(id: integer): boolean
---@field hit? fun(): string
---@field haltHere? fun()
---@field halt? fun()
---@field resume? fun(how: integer, address: integer, bank: integer)
---@field halted? fun(): string empty when the game is not halted
---@field isStepping? fun(): boolean
---@field lostHits? fun(): integer
---@field release? fun()
---@field isSearching? fun(): boolean whether it goes back in its history, or forward again
---@field keepHistory? fun(megabytes: integer)
---@field history? fun(): string
---@field goBack? fun(how: integer, count: integer): boolean
---@field findWriters? fun(first: integer, last: integer, bank: integer, count: integer): boolean
---@field writers? fun(): string lines of eight numbers
---@field findTrace? fun(kinds: integer, first: integer, last: integer, frame: integer, number: integer, count: integer): boolean
---@field trace? fun(): string a line of three numbers, and lines of twelve values
---@field past? fun(frame: integer, domain: string, offset: integer, length: integer): string empty if that is not kept
---@field callStack? fun(count: integer): string lines of seven values

---@type Host?
local host = headless and {
  now = headless.now, period = headless.period, left = headless.left, watch = headless.watch, wait = headless.wait, skip = headless.skip,
  isEnding = headless.isEnding,
  logged = headless.logged, line = headless.line,
  heard = headless.heard, samples = headless.samples, rumble = headless.rumble,
  png = headless.png, pixels = headless.pixels, pixelsWidth = headless.pixelsWidth, pixelsHeight = headless.pixelsHeight,
  keepState = headless.keepState, recallState = headless.recallState,
  saveProblem = headless.saveProblem,
  openSteps = headless.openSteps, takeStep = headless.takeStep, sendStep = headless.sendStep, closeSteps = headless.closeSteps,
  isRom = headless.isRom,
  setCheat = headless.setCheat, loadCheats = headless.loadCheats, enableCheat = headless.enableCheat, removeCheat = headless.removeCheat,
  cheat = headless.cheat,
  setSensors = headless.setSensors, setCamera = headless.setCamera, clock = headless.clock, setClock = headless.setClock, cartridge = headless.cartridge,
  addPoint = headless.addPoint, removePoint = headless.removePoint, hit = headless.hit, haltHere = headless.haltHere, halt = headless.halt,
  resume = headless.resume, halted = headless.halted, isStepping = headless.isStepping, lostHits = headless.lostHits,
  release = headless.release, isSearching = headless.isSearching, keepHistory = headless.keepHistory, history = headless.history, goBack = headless.goBack,
  findWriters = headless.findWriters, writers = headless.writers, findTrace = headless.findTrace, trace = headless.trace,
  past = headless.past, callStack = headless.callStack,
  stateProblem = headless.stateProblem,
  disassemble = headless.disassemble, bank = headless.bank,
} or nil

return { calls = host }
end)()

-- ========================================================================================================================
-- lua/src/game/inflate.lua
-- ========================================================================================================================

modules["game.inflate"] = (function()
-- Decompresses zlib streams in coroutines. mGBA inflates whatever a PNG chunk claims, so the script does it first, with every length
-- bounded, a piece at a time.

local wire = require("wire.text")

local byte = string.byte
local concat = table.concat
local refuse = wire.refuse

local inflate = {}

local PIECE <const> = 16384 -- bytes, about a millisecond
local LENGTHS <const> = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 }
local LENGTH_BITS <const> = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 }

local DISTANCES <const> = {
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
}

local ORDER <const> = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }

local function damaged(what)
  refuse("not-a-state", "the picture's compressed state is damaged: %s", what)
end

--- Reads bits, lowest first; `work` counts the work since the last pause.
local function reader(data)
  return { data = data, at = 1, hold = 0, have = 0, work = 0 }
end

local function bits(from, count)
  while from.have < count do
    local value = byte(from.data, from.at) or damaged("it ends early")
    from.hold, from.have, from.at = from.hold | value << from.have, from.have + 8, from.at + 1
  end
  local value = from.hold & (1 << count) - 1
  from.hold, from.have = from.hold >> count, from.have - count
  return value
end

--- A Huffman code of the lengths first..last: how many symbols of each length there are, and the symbols in the order of their codes.
local function code_of(lengths, first, last)
  local counts, next_at, symbols, left = {}, { 0 }, {}, 1
  for length = 1, 15 do
    counts[length] = 0
  end
  for i = first, last do
    local length = lengths[i]
    counts[length] = length > 0 and counts[length] + 1 or nil
  end
  for length = 1, 15 do
    left = left * 2 - counts[length]
    next_at[length + 1] = next_at[length] + counts[length]
  end
  if left < 0 then
    damaged("a code has too many symbols")
  end
  for i = first, last do
    local length = lengths[i]
    if length > 0 then
      symbols[next_at[length]], next_at[length] = i - first, next_at[length] + 1
    end
  end
  return { counts = counts, symbols = symbols }
end

local function symbol(from, code)
  local counts, value, first, index = code.counts, 0, 0, 0
  local hold, have = from.hold, from.have
  for length = 1, 15 do
    if have == 0 then
      hold, have, from.at = byte(from.data, from.at) or damaged("it ends early"), 8, from.at + 1
    end
    value, hold, have = value | hold & 1, hold >> 1, have - 1
    local count = counts[length]
    if value - count < first then
      from.hold, from.have = hold, have
      return code.symbols[index + value - first]
    end
    index, first, value = index + count, (first + count) << 1, value << 1
  end
  damaged("a code is not known")
end

local FIXED <const> = {}

for i = 0, 287 do
  FIXED[i] = i < 144 and 8 or i < 256 and 9 or i < 280 and 7 or 8
end

for i = 288, 317 do
  FIXED[i] = 5
end

local function dynamic_codes(from)
  local literals, distances, count = bits(from, 5) + 257, bits(from, 5) + 1, bits(from, 4) + 4
  local lengths, i, last = {}, 0, literals + distances
  for n = 1, 19 do
    lengths[ORDER[n]] = n <= count and bits(from, 3) or 0
  end
  local code = code_of(lengths, 0, 18)
  lengths = {}
  while i < last do
    local sign = symbol(from, code)
    local value, times = sign, 1
    if sign == 16 then
      value, times = lengths[i - 1] or damaged("nothing to repeat"), 3 + bits(from, 2)
    elseif sign > 16 then
      value, times = 0, sign == 17 and 3 + bits(from, 3) or 11 + bits(from, 7)
    end
    for n = i, i + times - 1 do
      lengths[n] = value
    end
    i = i + times
  end
  if i > last or literals > 286 then
    damaged("a code is too long")
  end
  from.work = from.work + 1024
  return code_of(lengths, 0, literals - 1), code_of(lengths, literals, last - 1)
end

local function rest(from)
  if from.work >= PIECE then
    from.work = 0
    coroutine.yield()
  end
end

local function stored_block(from, out, most)
  bits(from, from.have & 7)
  local length, check = bits(from, 16), bits(from, 16)
  if length ~= check ~ 0xffff or #out + length > most then
    damaged("a stored block's length is wrong")
  end
  for _ = 1, length do
    out[#out + 1] = bits(from, 8)
  end
  from.work = from.work + length
end

--- Copies earlier output.
local function copy(from, out, count, sign, distances, most)
  local length = (LENGTHS[sign - 256] or damaged("a length is not known")) + bits(from, LENGTH_BITS[sign - 256])
  local far = symbol(from, distances)
  local distance = (DISTANCES[far + 1] or damaged("a distance is not known")) + bits(from, math.max(0, (far >> 1) - 1))
  if distance > count or count + length > most then
    damaged(distance > count and "it repeats what was not there" or "it is longer than it should be")
  end
  for i = count + 1, count + length do
    out[i] = out[i - distance]
  end
  from.work = from.work + length
  return count + length
end

local function coded_block(from, out, most, literals, distances)
  local count = #out
  while true do
    local sign = symbol(from, literals)
    from.work = from.work + 4
    if sign < 256 then
      count = count + 1
      if count > most then
        damaged("it is longer than it should be")
      end
      out[count] = sign
    elseif sign == 256 then
      return
    else
      count = copy(from, out, count, sign, distances, most)
    end
    rest(from)
  end
end

--- The bytes as a string. Verifies their checksum.
local function text_of(out, from)
  local parts, low, high = {}, 1, 0
  for at = 1, #out, 4096 do
    local last = math.min(#out, at + 4095)
    for i = at, last do
      low = low + out[i]
      high = high + low
    end
    low, high = low % 65521, high % 65521
    parts[#parts + 1] = string.char(table.unpack(out, at, last))
    from.work = from.work + 4096
    rest(from)
  end
  bits(from, from.have & 7)
  local sum = 0
  for _ = 1, 4 do
    sum = sum << 8 | bits(from, 8)
  end
  if sum ~= high << 16 | low then
    damaged("its checksum is wrong")
  end
  return concat(parts)
end

--- Decompresses a zlib stream of at most `most` bytes. Runs in a coroutine and yields after each piece.
function inflate.inflate(data, most)
  local from, out = reader(data), {}
  local method, flags = bits(from, 8), bits(from, 8)
  if method & 15 ~= 8 or (method << 8 | flags) % 31 ~= 0 or flags & 0x20 ~= 0 then
    damaged("it has no zlib header")
  end
  repeat
    local last, kind = bits(from, 1), bits(from, 2)
    if kind == 0 then
      stored_block(from, out, most)
    elseif kind == 1 then
      coded_block(from, out, most, code_of(FIXED, 0, 287), code_of(FIXED, 288, 317))
    elseif kind == 2 then
      coded_block(from, out, most, dynamic_codes(from))
    else
      damaged("a block's kind is not known")
    end
    from.work = from.work + 256
    rest(from)
  until last == 1
  return text_of(out, from)
end

return inflate
end)()

-- ========================================================================================================================
-- lua/src/request/memory_budget.lua
-- ========================================================================================================================

modules["request.memory_budget"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/request/replies.lua
-- ========================================================================================================================

modules["request.replies"] = (function()
-- Replies to requests, exactly once: the reply of an effect is kept until the client acknowledges it.

local constants = require("base.constants")
local log = require("base.log")
local memory_budget = require("request.memory_budget")
local state = require("base.state")
local wire = require("wire.text")

local TERMINATOR <const> = constants.TERMINATOR
local concat = table.concat

local replies = {}

-- The result of a command that replies later.
local DEFERRED <const> = {}

function replies.write(conn, data)
  if conn.closed then
    return
  end
  conn.out_last = conn.out_last + 1
  conn.out[conn.out_last] = data
  conn.unsent = conn.unsent + #data
end

--- Sends a finished reply and keeps that of an effect, which must not run again.
local function settle(request, reply)
  local session = request.session
  if session and session.running[request.id] == request then
    session.running[request.id] = nil
  end
  if session and request.row and request.row.kind == "effect" and not request.refused then
    session.replies[request.id] = { content = request.content, reply = reply }
    memory_budget.keep(session, 1, #reply + #request.content)
  end
  replies.write(request.conn, reply)
end

local function answer_legacy(request, value)
  if value == nil then
    value = "<|SUCCESS|>"
  end
  request.conn.legacy_busy = false
  replies.write(request.conn, tostring(value) .. TERMINATOR)
end

local function answer(request, text, tail)
  if request.legacy then
    return answer_legacy(request, text)
  end
  local id, stamp = request.id, wire.stamp()
  if tail then
    settle(request, "#" .. id .. "+" .. #tail .. stamp .. " ok" .. (text and " " .. text or "") .. TERMINATOR .. tail)
  elseif text then
    settle(request, "#" .. id .. stamp .. " ok " .. text .. TERMINATOR)
  else
    settle(request, "#" .. id .. stamp .. " ok" .. TERMINATOR)
  end
end

local function answer_error(request, problem)
  local code, text = wire.caught(problem)
  state.errors = state.errors + 1
  request.refused = request.refused or code == "busy" -- nothing ran, so the client may retry
  if request.legacy then
    log.complain("%s: %s", wire.printable(request.text), text)
    return answer_legacy(request, "<|ERROR|>")
  end
  local extra = (request.item and " item=" .. request.item or "")
    .. (request.challenge and " challenge=" .. wire.quote(request.challenge) or "")
    .. (code == "leased" and request.leased_by and " holder=" .. wire.quote(request.leased_by) or "")
  settle(
    request,
    concat({ "#", request.id, " ", state.frame, " ", state.epoch, " error ", code, " ", wire.quote(text), extra, TERMINATOR })
  )
end

replies.DEFERRED, replies.answer, replies.answer_error = DEFERRED, answer, answer_error

return replies
end)()

-- ========================================================================================================================
-- lua/src/request/work.lua
-- ========================================================================================================================

modules["request.work"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/request/jobs.lua
-- ========================================================================================================================

modules["request.jobs"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/game/save_file.lua
-- ========================================================================================================================

modules["game.save_file"] = (function()
-- The save file of the game. mgba-headless says when it cannot write it; a window does not say it.

local host = require("base.host").calls
local wire = require("wire.text")

local save_file = {
  sent = 0, -- how often the game got other save data from a client, or another save file
  report = nil, -- tells clients of changes; commands.saves sets it
}

--- Why the file does not have what the game or a client saved; nil when it has.
function save_file.problem()
  local problem = host and host.saveProblem and host.saveProblem() or ""
  return problem ~= "" and problem or nil
end

--- The game has got other save data: states from before do not go with it. Clients know it before the reply.
function save_file.note_sent()
  save_file.sent = save_file.sent + 1
  save_file.report()
end

-- How files of other forms start, which the gateway takes as the bytes of a save.
local FORMS <const> = {
  { "ADVSAVEG", "is a file of a cheat device (.gsv)" },
  { "\13\0\0\0SharkPortSave", "is a file of a cheat device (.sps, .xps)" },
  { "\x1f\x8b", "is compressed by gzip" },
  { "#RZIPv", "is compressed by RetroArch" },
}
local OTHERS <const> = {
  { "PK\3\4", "is a zip archive; unpack the save file in it" },
  { "RASTATE", "is a save state, not save data; load it as a state" },
  { "\x89PNG", "is a save state or a picture, not save data; load it as a state" },
}
local DESMUME <const> = "|-DESMUME SAVE-|" -- at the end
local COPIED <const>, SIZES <const> = 512, { [512] = true, [2048] = true, [8192] = true, [32768] = true, [65536] = true, [131072] = true }

local function start_of(forms, head)
  for _, form in ipairs(forms) do
    if head:sub(1, #form[1]) == form[1] then
      return form[2]
    end
  end
end

--- What a file is that mGBA would take for save data as it is; nil for save data, and for a file that is to be made.
local function other_form(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local head, size = file:read(32) or "", file:seek("end") or 0
  local tail = file:seek("set", math.max(0, size - #DESMUME)) and file:read(#DESMUME) or ""
  file:close()
  local form = start_of(FORMS, head) or tail == DESMUME and "is a file of DeSmuME (.dsv)" or SIZES[size - COPIED] and "has 512 bytes in front of the save data"
  return form and form .. ", and the game could not save into it; send its bytes to the gateway as save data, which converts them" or start_of(OTHERS, head)
end

--- Has the game use another save file. Returns whether mGBA could open it.
function save_file.load(core, path, temporary)
  save_file.check()
  local other = other_form(path)
  if other then
    wire.refuse("failed", "%q %s", wire.printable(path), other)
  end
  local loaded = core:loadSaveFile(path, temporary)
  if loaded then
    save_file.note_sent()
  end
  return loaded
end

--- Refuses what saved something, or would use another save file, while the file cannot be written.
function save_file.check()
  local problem = save_file.problem()
  if problem then
    wire.refuse("save-failed", "%s", problem)
  end
end

return save_file
end)()

-- ========================================================================================================================
-- lua/src/game/state_checks.lua
-- ========================================================================================================================

modules["game.state_checks"] = (function()
-- Checks of save states. mGBA trusts most fields of a state; a bad one keeps a frame from ending or writes beyond an array.
-- docs/states.md lists the fields.

local wire = require("wire.text")

local byte, pack, sub, unpack = string.byte, string.pack, string.sub, string.unpack
local refuse = wire.refuse

local state_checks = {}

local FRAME <const> = 280896 -- cycles of a GBA frame; a Game Boy has half as many
local LATE <const> = 1024 -- a Game Boy event is a few cycles late at most; its timer counts wrongly from 2,048 on
local SECOND <const> = 16777216
local CPU_MODES <const> = { [0x10] = true, [0x11] = true, [0x12] = true, [0x13] = true, [0x17] = true, [0x1b] = true, [0x1f] = true }
local CODE_REGIONS <const> = { [0] = 0x4000, [2] = SECOND, [3] = SECOND, [5] = SECOND, [6] = SECOND, [7] = SECOND } -- plus the cartridge, 8 to 13
local PRESCALERS <const> = { [0] = true, [6] = true, [8] = true, [10] = true }
local MODELS <const> = { [0] = true, [0x20] = true, [0x40] = true, [0x60] = true, [0x80] = true, [0xa0] = true, [0xc0] = true }
local TIMA_PERIODS <const> = { [0] = true, [1] = true, [4] = true, [16] = true, [64] = true }

--- How many cycles a time lies in the past, as mGBA counts it.
local function age(now, time)
  return (now - time + 0x80000000 & 0xffffffff) - 0x80000000
end

local function bad(what, at, value)
  refuse("not-a-state", "%s, at 0x%X of the state, is %d: the emulator would hang or end; save the state again in mGBA", what, at, value)
end

--- Each of `rules` is { offset, form, least, most, what }.
local function check_rules(data, rules)
  for _, rule in ipairs(rules) do
    local value = unpack(rule[2], data, rule[1] + 1)
    if value < rule[3] or value > rule[4] then
      bad(rule[5], rule[1], value)
    end
  end
end

local function check_range(data, at, least, most, what)
  local value = unpack("<i4", data, at + 1)
  if value < least or value > most then
    bad(what, at, value)
  end
end

local function check_one_of(data, at, allowed, what)
  local value = byte(data, at + 1)
  if not allowed[value] then
    bad(what, at, value)
  end
end

--- A channel that plays while sound is off would count from its last event on when sound is switched on, however long that is later.
local function check_noise(data, sound_at)
  local sound = byte(data, sound_at + 1)
  if sound & 0x88 == 0x08 then
    bad("sound channel 4 (it plays while sound is off)", sound_at, sound)
  end
end

local GBA_SOUND <const> = { cycles = 0x68, event = 0x184, envelope = 0x1de, channels = 0x484, sample = 0x1e0 } -- offsets into the state
local GB_SOUND <const> = { cycles = 0x2c, event = 0x9c, envelope = 0xa6, channels = 0x326, sample = 0x1d8 }

local function with_recent_time(data, at, now)
  local since = age(now, unpack("<I4", data, at + 1))
  if since >= -FRAME and since <= SECOND then
    return data
  end
  return sub(data, 1, at) .. pack("<I4", now & 0xffffffff) .. sub(data, at + 5)
end

--- The last sample of states before version 7 is in no field: mGBA computes it, wrongly, from the next one.
function state_checks.has_sample_time(data, is_gba)
  return not is_gba or unpack("<I4", data) >= 0x01000007
end

--- The state with the present as the time of the last sound sample and of the noise channel's last event, if they are further away than in a game. The
--- channel counts from its event to the sample, without end when half the range of times lies between. mGBA 0.10 takes a wrong time from a state
--- of 0.9 and keeps it. An event of 0 means the present, unless the channel's envelope has ended.
function state_checks.with_recent_sound(data, is_gba)
  local at = is_gba and GBA_SOUND or GB_SOUND
  local now = unpack("<I4", data, 13) + unpack("<I4", data, at.cycles + 1)
  if byte(data, at.channels + 1) & 8 ~= 0 and (unpack("<I4", data, at.event + 1) ~= 0 or byte(data, at.envelope + 1) & 0x20 ~= 0) then
    data = with_recent_time(data, at.event, now)
  end
  return state_checks.has_sample_time(data, is_gba) and with_recent_time(data, at.sample, now) or data
end

local GBA_RULES <const> = {
  { 0x68, "<i4", 0, FRAME, "the count of processor cycles" },
  { 0x134, "<i4", -FRAME, FRAME, "the next step of the sound" },
  { 0x1d4, "<i4", -FRAME, 1024, "the next sound sample" }, -- a later one writes before the array of samples
  { 0x294, "<i4", -1, 7, "the clock's count of bytes" }, -- an index
  { 0x29c, "<i4", 0, 8, "the clock's count of bits" },
  { 0x324, "<i4", 0, SECOND, "the wait of the BIOS" },
  { 0x406, "<I2", 0, 227, "the picture's line" }, -- VCOUNT: counts on to 228 and ends the frame at 160
}

local function check_timer(data, index)
  local at = 0x200 + index * 0x14
  local flags = unpack("<I4", data, at + 0x11)
  if not PRESCALERS[flags & 15] then
    bad("the divider of timer " .. index, at + 0x10, flags & 15)
  elseif flags & 0x40 ~= 0 and (index == 0 or flags & 0x10 == 0) then
    local period = 0x10000 << (flags & 15)
    check_range(data, at + 4, -period - FRAME, FRAME, "the last event of timer " .. index)
    check_range(data, at + 8, -FRAME, period + FRAME, "the next event of timer " .. index)
  end
end

--- A transfer that is under way has its time as an absolute count.
local function check_transfer(data, index, now)
  local at, enabled = 0x250 + index * 0x10, unpack("<I2", data, 0x400 + 0xba + index * 12 + 1) & 0x8000 ~= 0
  local count, time = unpack("<I4I4", data, at + 9)
  local away = age(time, now)
  if enabled and count & 0xfffff ~= 0 and (away < -FRAME or away > FRAME) then
    bad("the time of transfer " .. index, at + 12, time)
  end
end

--- Whether the processor of a GBA can run code at this address. Elsewhere mGBA declares the game crashed.
function state_checks.is_code(address)
  local region = address >> 24
  return (region >= 8 and region <= 13) or address & 0xffffff < (CODE_REGIONS[region] or 0)
end

local function check_code(data)
  local pc, cpsr = unpack("<I4I4", data, 0x5c + 1)
  if not state_checks.is_code(pc) then
    bad("the program counter", 0x5c, pc)
  elseif not CPU_MODES[cpsr & 31] then
    bad("the processor's mode", 0x60, cpsr & 31)
  end
end

local function check_gba(data)
  local magic, now = unpack("<I4", data, 1), unpack("<I4", data, 13) + unpack("<I4", data, 0x69)
  check_rules(data, GBA_RULES)
  check_range(data, magic < 0x01000007 and 0x1e0 or 0x1f4, -FRAME, FRAME, "the next line of the picture")
  check_code(data)
  check_noise(data, GBA_SOUND.channels)
  for index = 0, 3 do
    check_timer(data, index)
    check_transfer(data, index, now)
  end
  if unpack("<I4", data, 0x31d) & 4 ~= 0 then
    check_range(data, 0x320, -FRAME, FRAME, "the next interrupt")
  end
  if byte(data, 0x2e3) & 0x20 ~= 0 then
    check_range(data, 0x2e4, -FRAME, SECOND, "the end of writing save data")
  end
  if byte(data, 0x2b8) & 0x20 ~= 0 and byte(data, 0x529) & 0x80 ~= 0 then
    check_range(data, 0x2c4, -FRAME, SECOND, "the next event of the link")
  end
  local save = byte(data, 0x2e1)
  if save > 6 and save ~= 255 then
    bad("the kind of save data", 0x2e0, save)
  end
end

local GB_RULES <const> = {
  { 0x2c, "<i4", 0, FRAME, "the count of processor cycles" },
  { 0xb0, "<i4", -LATE, 65536, "the next sound sample" },
  { 0x154, "<i4", -LATE, 1024, "the next event of the timer" },
  { 0x15c, "<i4", 0, 1024, "the step of the timer" },
  { 0x165, "<I1", 0, 1, "the timer's flags" },
  { 0x166, "<I2", 0, 0, "the upper half of the timer's period" }, -- mGBA reads four bytes here instead of one
  { 0x17c, "<I2", 0, 2048, "the rest of the picture transfer" },
  { 0x1dc, "<I1", 0, 31, "the index of the sound samples" },
}

--- One of the picture's two events must be scheduled: the next mode while the display is on, otherwise the next frame.
local function check_picture(data)
  local line, flags, on = unpack("<i2", data, 0xb7), byte(data, 0xce), byte(data, 0x341) & 0x80 ~= 0
  local mode = flags >> 2 & 3
  if line < 0 or line > 154 or (line >= 144 and mode ~= 1) then
    bad("the picture's line in mode " .. mode, 0xb6, line)
  elseif flags & (on and 0x10 or 0x20) ~= 0 then
    bad("the picture's flags (no event follows)", 0xcd, flags)
  end
  if flags & 0x10 == 0 then
    check_range(data, 0xc0, -LATE, 4096, "the next mode of the picture")
  end
  if flags & 0x20 == 0 then
    check_range(data, 0xb8, -LATE, 2 * FRAME, "the next frame")
  end
end

--- Only the end of the picture transfer clears the flag "blocked".
local function check_gb_transfers(data, flags)
  local left, to = unpack("<I2", data, 0x17d), unpack("<I2", data, 0x17b)
  if left > 0 then
    check_range(data, 0x174, -LATE, 4096, "the time of the picture transfer")
    if to < 0x8000 or to + left > 0xc000 then
      bad("the target of the picture transfer", 0x17a, to)
    end
  elseif flags & 0x20 ~= 0 then
    bad("the processor's flags (blocked forever)", 0x44, flags)
  end
  if byte(data, 0x17f) > 0 then
    check_range(data, 0x16c, -LATE, 4096, "the time of the sprite transfer")
  end
end

--- The clock's selected register is an index, and the RAM of some cartridges is smaller than the window through which mapped RAM is written.
local function check_cartridge(data, ram_is_apart)
  local flags = unpack("<I2", data, 0x195)
  if flags & 2 ~= 0 and flags >> 5 & 7 > 4 then
    bad("the register of the cartridge's clock", 0x194, flags)
  elseif flags & 1 ~= 0 and ram_is_apart then
    bad("the flags of the cartridge (its RAM cannot be mapped)", 0x194, flags)
  end
end

--- `ram_is_apart` is of game.limits.
local function check_gb(data, ram_is_apart)
  local flags = unpack("<I4", data, 0x45)
  check_rules(data, GB_RULES)
  check_one_of(data, 8, MODELS, "the model")
  check_one_of(data, 0x164, TIMA_PERIODS, "the timer's period")
  check_noise(data, GB_SOUND.channels)
  check_picture(data)
  check_gb_transfers(data, flags)
  check_cartridge(data, ram_is_apart)
  if flags & 8 ~= 0 then
    check_range(data, 0x3c, -LATE, 64, "the start of interrupts")
  end
  if byte(data, 0x166) & 1 ~= 0 then
    check_range(data, 0x158, -LATE, 64, "the timer's interrupt")
  end
  if byte(data, 9) & 0x20 ~= 0 and byte(data, 0xc7dc) > 129 then -- an index
    bad("the adapter's count of bits", 0xc7db, byte(data, 0xc7dc))
  end
end

local CLOCK_TYPES <const> = 3 -- none, fixed, from an epoch, with an offset; mGBA calls a function that does not exist for others

--- Checks the extra data that mGBA takes from a state. `save_most` is the size of the largest save file.
function state_checks.check_extra(extra, save_tag, clock_tag, save_most)
  local save, clock = extra[save_tag], extra[clock_tag]
  if save and #save > save_most then
    refuse("not-a-state", "the state's save data has %d bytes; a save file has at most %d", #save, save_most)
  elseif clock and (#clock ~= 16 or unpack("<I4", clock) > CLOCK_TYPES) then
    refuse("not-a-state", "the state's clock (%d bytes) is of an unknown type: the emulator would end; save the state again in mGBA", #clock)
  end
end

state_checks.check_gba, state_checks.check_gb = check_gba, check_gb

return state_checks
end)()

-- ========================================================================================================================
-- lua/src/game/state_formats.lua
-- ========================================================================================================================

modules["game.state_formats"] = (function()
-- Names what is not a state of mGBA for the running game, and how to bring the game from there.

local byte, find, sub, unpack = string.byte, string.find, string.sub, string.unpack

local state_formats = {}

local SAVE <const> = "; save in the game there, and give its save file (.sav) to the game here"
local RETROARCH <const> = "; if its core is mGBA, send the file's bytes to the gateway, which unpacks them; else save in the game there, "
  .. "and give its save file (.srm) to the game here"
local STARTS <const> = {
  { "\x1f\x8b", "are compressed by gzip; send the file's bytes to the gateway, which unpacks them, or unpack the file" },
  { "RASTATE", "are a state of RetroArch" .. RETROARCH },
  { "#RZIPv", "are compressed by RetroArch" .. RETROARCH },
  { "PK\3\4", "are a zip archive (the states of BizHawk are, too)" .. SAVE },
  { "NO$GBA", "are a state of NO$GBA" .. SAVE },
  { "MDFNSVST", "are a state of Mednafen" .. SAVE },
  { "DeSmuME SState", "are a state of DeSmuME" .. SAVE },
  { "ADVSAVEG", "are save data of a cheat device (.gsv), not a state; give them to the game as save data" },
  { "\13\0\0\0SharkPortSave", "are save data of a cheat device (.sps, .xps), not a state; give them to the game as save data" },
}
local SAVE_SIZES <const> = { [512] = true, [8192] = true, [32768] = true, [65536] = true, [131072] = true }
local GBA_LOGO <const> = "^...\xEA\x24\xFF\xAE\x51"
local GB_LOGO <const> = "\xCE\xED\x66\x66\xCC\x0D"

--- The versions of VisualBoyAdvance's states are small numbers, and a title follows.
local function is_visual_boy_advance(data)
  return #data > 20 and unpack("<I4", data) <= 20 and find(data, "^[%w _%-!.&']+%z*[%w%z ]", 5) ~= nil
end

--- What these bytes are, for a sentence after "these N bytes"; nil for what may be a state of this console.
function state_formats.name_of(data, is_gba)
  for _, start in ipairs(STARTS) do
    if sub(data, 1, #start[1]) == start[1] then
      return start[2]
    end
  end
  if sub(data, 2, 4) == "\0\0\1" or sub(data, 2, 4) == "\0\x40\0" then
    local other = is_gba and "Game Boy" or "Game Boy Advance"
    return byte(data, 4) == (is_gba and 0 or 1) and ("are a state of a %s game; load it where one runs"):format(other) or nil
  elseif sub(data, -4) == "BESS" then
    return "are a state of SameBoy, or another emulator with this format (BESS)" .. SAVE
  elseif is_visual_boy_advance(data) then
    return "are a state of VisualBoyAdvance" .. SAVE
  elseif find(data, GBA_LOGO) or sub(data, 0x105, 0x10a) == GB_LOGO then
    return "are a ROM, not a state"
  elseif SAVE_SIZES[#data] then
    return "are as many as a save file has; give them to the game as save data"
  end
end

return state_formats
end)()

-- ========================================================================================================================
-- lua/src/game/states.lua
-- ========================================================================================================================

modules["game.states"] = (function()
-- Save states: raw ones, and PNG files that contain one. A state is checked before mGBA loads it.

local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local inflate = require("game.inflate")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local replies = require("request.replies")
local save_file = require("game.save_file")
local state = require("base.state")
local state_checks = require("game.state_checks")
local state_formats = require("game.state_formats")
local wire = require("wire.text")
local work = require("request.work")

local GB <const>, GBA <const>, SAVESTATE <const> = constants.GB, constants.GBA, constants.SAVESTATE
local core_or_refuse, nested = game.core_or_refuse, game.nested
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local check_gb, check_gba, with_recent_sound = state_checks.check_gb, state_checks.check_gba, state_checks.with_recent_sound
local sub, unpack = string.sub, string.unpack
local concat = table.concat
local refuse = wire.refuse

local states = { sizes = { [GBA] = LIMITS.state, [GB] = 0x11800 } } -- of raw states without extra data
local EXTRA_SAVE <const>, EXTRA_CLOCK <const> = 2, 4 -- 3 is the cheats; a load uses these three tags of the extra data
local ENTRIES <const> = 64
local WITH_SAVE <const> = 2 -- the flag that puts the save data into the save file
local KEPT_PARTS <const> = WITH_SAVE + 8 -- and the clock
local MAX_SAVE <const> = { [GBA] = 0x20100, [GB] = LIMITS.state_extra } -- the largest save file and the clock behind it; MBC6 has 1 MiB of flash memory

--- Joins the core's part and a table of extra data as mGBA writes it, without unused entries.
function states.join(core, extra)
  state_checks.check_extra(extra, EXTRA_SAVE, EXTRA_CLOCK, MAX_SAVE[game.platform])
  local heads, parts, at = {}, {}, #core + 16
  for tag = EXTRA_SAVE, EXTRA_CLOCK do
    at = at + (extra[tag] and 16 or 0)
  end
  for tag = EXTRA_SAVE, EXTRA_CLOCK do
    local part = extra[tag]
    if part then
      heads[#heads + 1], parts[#parts + 1] = string.pack("<I4i4i8", tag, #part, at), part
      at = at + #part
    end
  end
  return core .. concat(heads) .. ("\0"):rep(16) .. concat(parts)
end

--- The extra data of a raw state by tag. After an empty entry mGBA 0.10.5 reads from a wrong position and older versions
--- loop forever, so empty entries are removed.
local function extra_of(data, size)
  local extra, at = {}, size + 1
  for _ = 1, ENTRIES do
    if at + 15 > #data then
      return extra -- mGBA stops here as well
    end
    local tag, length, offset = unpack("<I4i4i8", data, at)
    if tag == 0 then
      return extra
    elseif length < 0 or offset < size or offset > #data - length then
      local entry = (at - size - 1) // 16 + 1
      refuse("not-a-state", "entry %d of the state's extra data (%d bytes at %d) is outside the state's %d bytes", entry, length, offset, #data)
    end
    if tag >= EXTRA_SAVE and tag <= EXTRA_CLOCK and length > 0 then
      extra[tag] = sub(data, offset + 1, offset + length)
    end
    at = at + 16
  end
  refuse("not-a-state", "the state's table of extra data has more than %d entries", ENTRIES)
end

--- Refuses a raw state that could hang or end the emulator.
function states.check_core(data)
  local size = states.sizes[game.platform]
  if not size then
    refuse("unsupported", "states of this console are not known")
  end
  local other = state_formats.name_of(data, game.platform == GBA)
  if other then
    refuse("not-a-state", "these %d bytes %s", #data, other)
  elseif #data < size then
    refuse("not-a-state", "these %d bytes are no save state of this console: a raw one has at least %d", #data, size)
  end
  if game.platform == GBA then
    check_gba(data)
  else
    check_gb(data, game.limits.ram_is_apart)
  end
end

--- A raw state that is safe to load: checked, with recent times of sound, and with a rebuilt table of extra data.
function states.checked(data)
  states.check_core(data)
  local size = states.sizes[game.platform]
  return states.join(with_recent_sound(sub(data, 1, size), game.platform == GBA), extra_of(data, size))
end

local PNG_START <const> = "\x89PNG\r\n\x1a\n"

function states.is_png(data)
  return sub(data, 1, #PNG_START) == PNG_START
end

--- Calls `visit` with the kind, position and length of each chunk.
local function each_chunk(data, visit)
  local at = #PNG_START + 1
  while at + 11 <= #data do
    local length, kind = unpack(">I4c4", data, at)
    if length > #data - at - 11 then
      refuse("not-a-state", "chunk %s of this PNG has %d bytes, which is beyond its end", wire.printable(kind), length)
    end
    visit(kind, at + 8, length)
    at = at + length + 12
  end
end

--- The raw state in a PNG state. Runs in a coroutine and yields after each piece.
function states.unpack(data)
  local size, core, extra = states.sizes[game.platform] or 0, nil, {}
  each_chunk(data, function(kind, at, length)
    if kind == "gbAs" and not core then
      core = inflate.inflate(sub(data, at, at + length - 1), size)
    elseif kind == "gbAx" and length >= 8 then
      local tag, bytes = unpack("<I4I4", data, at)
      if bytes > 0 and tag >= 2 and tag <= 4 then
        if bytes > LIMITS.state_extra then
          refuse("not-a-state", "extra data of this state has %d bytes; the limit is %d", bytes, LIMITS.state_extra)
        end
        extra[tag] = inflate.inflate(sub(data, at + 8, at + length - 1), bytes)
      end
    end
  end)
  if not core or #core ~= size then
    refuse("not-a-state", core and "this PNG's state has %d bytes instead of %d" or "this PNG holds no save state", core and #core, size)
  end
  return states.join(core, extra)
end

function states.save(flags)
  local core = core_or_refuse()
  local data = game.save_buffer(core, flags)
  if not data then
    refuse("unsupported", "mGBA could not make this save state%s", flags & 1 == 1 and "; leave out flag 1 (screenshot)" or "")
  end
  return data
end

--- Refuses a state with the reason of the host, where it has one.
local function refuse_of_host()
  local problem = host and host.stateProblem and host.stateProblem() or ""
  if problem ~= "" then
    refuse("not-a-state", "%s", problem)
  end
end

--- Corrects the times of sound of a state that mGBA has just loaded, as `states.checked` does before a load. `loaded` is the game as it is now.
local function correct_sound(core, loaded)
  local corrected = with_recent_sound(loaded, game.platform == GBA)
  if corrected ~= loaded then
    nested(core.loadStateBuffer, core, corrected, 0)
  end
end

--- Loads a state by a method of the core. After a load without save data, a window keeps the save file aside until the game writes or is
--- reset, and would not write the save data of this state to it: so it is reset in between.
local function load_by(method, core, source, flags)
  local loaded = nested(method, core, source, flags) -- an invalid instruction may run `crashed` callbacks
  if loaded and flags & WITH_SAVE ~= 0 and not (host and host.saveProblem) then
    nested(core.reset, core)
    loaded = nested(method, core, source, flags)
  end
  return loaded
end

function states.load_raw(data, flags)
  local core, checked = core_or_refuse(), states.checked(data)
  game.moved()
  if not load_by(core.loadStateBuffer, core, checked, flags) then
    refuse_of_host()
    refuse("not-a-state", "mGBA refuses these %d bytes as a save state of this game", #data)
  elseif not state_checks.has_sample_time(checked, game.platform == GBA) then
    correct_sound(core, states.save(0))
  end
  if flags & WITH_SAVE ~= 0 then
    save_file.note_sent()
    save_file.check()
  end
end

--- Gives the game other save data: by a state of this moment, after which `reset` makes the game read it.
function states.load_save(data, reset)
  local core = core_or_refuse()
  local size = states.sizes[game.platform] or refuse("unsupported", "states of this console are not known")
  local now = states.join(sub(states.save(0), 1, size), { [EXTRA_SAVE] = data })
  game.moved()
  if not load_by(core.loadStateBuffer, core, now, WITH_SAVE) then
    refuse("failed", "mGBA did not take these %d bytes as save data", #data)
  end
  reset()
end

--- A job step that unpacks a PNG state, loads it through `run` and replies with the first result of `run`. One state is unpacked at a time.
function states.unpacking(request, data, flags, run)
  local unpacked = coroutine.wrap(function()
    return pcall(states.unpack, data)
  end)
  return function()
    if states.job and states.job ~= request.job and not states.job.done then
      return false
    end
    states.job = request.job
    local ok, raw = unpacked()
    if ok == nil then
      return false
    end
    answer(request, (run(ok and states.load_raw or error, raw, ok and flags or 0)))
    return true
  end
end

--- Loads a state of either kind.
function states.load(request, data, flags, run)
  if not states.is_png(data) then
    return (run(states.load_raw, data, flags))
  elseif request.is_item then
    refuse("not-a-state", "a PNG state takes frames to unpack, so it cannot be in a batch or a step; send it in state.load, or keep raw states (flags=30)")
  end
  core_or_refuse()
  jobs.check_limit(request)
  jobs.start(request, states.unpacking(request, data, flags, run), "slices", work.slice)
  return DEFERRED
end

local kept = { names = {}, data = {}, epoch = nil } -- states in the emulator, by number; `uses` says when each was used

--- The number of the state that is kept under a name, or nil.
local function number_of(name)
  if kept.epoch ~= state.epoch then -- another game
    kept.names, kept.data, kept.uses, kept.use, kept.epoch = {}, {}, {}, 0, state.epoch
  end
  for number = 0, LIMITS.kept_states - 1 do
    if kept.names[number] == name then
      return number
    end
  end
end

--- A number without a state, or that of the state that was used longest ago.
local function free_number()
  local found = 0
  for number = 0, LIMITS.kept_states - 1 do
    if (kept.uses[number] or 0) < (kept.uses[found] or 0) then
      found = number
    end
  end
  return found
end

local function note_use(number)
  kept.use = kept.use + 1
  kept.uses[number] = kept.use
end

--- Keeps the state of the machine under a name, for `recall`. Of more than LIMITS.kept_states the one that was used longest ago is forgotten.
function states.keep(name)
  if name == "" or #name > LIMITS.state_name then
    refuse("bad-argument", "the name of a kept state has 1 to %d bytes, not %d", LIMITS.state_name, #name)
  end
  core_or_refuse()
  local number = number_of(name) or free_number()
  kept.names[number] = nil
  if not (host and host.keepState) then
    kept.data[number] = states.save(KEPT_PARTS)
  elseif not host.keepState(number) then
    refuse("failed", "the emulator has no memory for this state")
  end
  kept.names[number] = name
  note_use(number)
end

function states.is_kept(name)
  return number_of(name) ~= nil
end

--- Continues from a kept state. It was taken of this game, so it needs no checks.
function states.recall(name)
  local core = core_or_refuse()
  local number = number_of(name) or refuse("not-found", "no state of this game is kept as %s; keep it with state.keep", wire.quote(name))
  note_use(number)
  game.moved()
  local loaded
  if host and host.keepState then
    loaded = nested(host.recallState, number)
  else
    loaded = nested(core.loadStateBuffer, core, kept.data[number], KEPT_PARTS)
  end
  if not loaded then
    refuse_of_host()
    refuse("failed", "mGBA does not load the state that is kept as %s", wire.quote(name))
  end
end

function states.call(fn, ...)
  return fn(...)
end

--- Reads a state file.
function states.read_file(path)
  local file = io.open(path, "rb")
  local data = file and file:read(LIMITS.tail + 1)
  if file then
    file:close()
  end
  if not data then
    refuse("not-found", "%q does not exist or cannot be read", wire.printable(path))
  elseif #data > LIMITS.tail then
    refuse("not-a-state", "%q has more than %d bytes", wire.printable(path), LIMITS.tail)
  end
  return data
end

--- A script cannot read a slot, so mGBA loads it and the resulting state is checked. Returns whether the slot held a state of this game.
function states.load_slot(slot, flags)
  local core = core_or_refuse()
  local before = states.save(SAVESTATE.restore)
  game.moved()
  local loaded = load_by(core.loadStateSlot, core, slot, flags)
  if not loaded then
    refuse_of_host()
  end
  local ok, problem = not loaded, nil
  if loaded then
    local now = states.save(0)
    ok, problem = pcall(states.check_core, now)
    if ok then
      correct_sound(core, now)
    end
  end
  if not ok then
    nested(core.loadStateBuffer, core, before, SAVESTATE.restore)
    error(problem, 0)
  elseif loaded and flags & WITH_SAVE ~= 0 then
    save_file.note_sent()
    save_file.check()
  end
  return loaded
end

function states.cost(values)
  return values.flags and values.flags & SAVESTATE.screenshot ~= 0 and work.png_state or work.state
end

return states
end)()

-- ========================================================================================================================
-- lua/src/pace/clock.lua
-- ========================================================================================================================

modules["pace.clock"] = (function()
-- Real time, which standard Lua does not provide.

local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local log = require("base.log")
local states = require("game.states")

local SAVESTATE <const> = constants.SAVESTATE

-- A save state with nothing but metadata carries the time it was made, in microseconds (0.21 ms each, decision 0002). Between two of them,
-- time is estimated: processor time plus time slept, times a learned factor.
local clock = { trusted = nil, scale = 1, slept = 0, started = 0, base = 0, time = nil }

local TAG_TIME <const> = 0x101

local function time_in(data)
  local at = states.sizes[game.platform]
  while at and at + 16 <= #data do
    local tag, _, offset = string.unpack("<i4i4i8", data, at + 1)
    if tag == TAG_TIME and offset + 8 <= #data then
      return (string.unpack("<i8", data, offset + 1))
    elseif tag == 0 then
      return nil
    end
    at = at + 16
  end
end

--- Microseconds since 1970, or nil where this engine does not provide them.
function clock.look()
  if clock.trusted == false or not game.core then
    return nil
  end
  local ok, data = pcall(game.save_buffer, game.core, SAVESTATE.metadata)
  local time = ok and data and time_in(data)
  if clock.trusted == nil then
    clock.trusted = time ~= nil and time ~= false and math.abs(time / 1000000 - os.time()) < 3
    if not clock.trusted then
      log.write("warn", "this mGBA does not provide the time; waiting for requests is limited to a fixed part of each frame")
    end
  end
  return clock.trusted and time or nil
end

--- Starts measuring: `clock.elapsed` says how many microseconds ago `time` was.
function clock.start(time)
  clock.time, clock.base = time, 0
  clock.started, clock.slept = os.clock(), 0
end

function clock.elapsed()
  return clock.base + ((os.clock() - clock.started) * 1000000 + clock.slept) * clock.scale
end

--- Compares the estimate with real time, adjusts the factor and continues from real time.
function clock.correct()
  local now = clock.look()
  local real = now and now - clock.time
  if not real or real <= clock.base then
    return
  end
  local estimate = (os.clock() - clock.started) * 1000000 + clock.slept
  local factor = math.max(0.3, math.min(4, (real - clock.base) / estimate))
  clock.scale = clock.scale + 0.1 * (factor - clock.scale)
  clock.base = real
  clock.started, clock.slept = os.clock(), 0
end

if host then -- it knows the time: nothing is estimated
  clock.look = host.now

  function clock.start(time)
    clock.time, clock.started = time, time or host.now()
  end

  function clock.elapsed()
    return host.now() - clock.started
  end

  function clock.correct() end
end

return clock
end)()

-- ========================================================================================================================
-- lua/src/base/owners.lua
-- ========================================================================================================================

modules["base.owners"] = (function()
-- Owners: to whom what a request holds (levels, taps, freezes, the lease) belongs. It ends with its owner.

local owners = {}

--- The owner of requests with `owner=name` of a session or connection. Without a name it is the session or connection itself.
function owners.of(whole, name)
  if not name then
    return whole
  end
  whole.owners = whole.owners or setmetatable({}, { __mode = "v" }) -- only what somebody holds keeps an owner
  local owner = whole.owners[name] or { within = whole }
  whole.owners[name] = owner
  return owner
end

--- Whether what belongs to `owner` ends with `whole`: the same one, or the session or connection of it.
function owners.includes(whole, owner)
  return owner == whole or (owner ~= nil and owner.within == whole)
end

return owners
end)()

-- ========================================================================================================================
-- lua/src/game/debugger.lua
-- ========================================================================================================================

modules["game.debugger"] = (function()
-- Debugging with mgba-headless: breakpoints and watchpoints of holders, and a game that is halted between two instructions.

local game = require("game.game")
local host = require("base.host").calls
local LIMITS <const> = require("base.limits")
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")

local refuse = wire.refuse

-- As headless/debugger/debugger.h counts them.
local KINDS <const> = { execute = 1, read = 2, write = 4, change = 8, access = 2 | 4, interrupt = 16 }
local KIND_NAMES <const> = { [1] = "execute", [2] = "read", [4] = "write", [8] = "change", [16] = "interrupt" }
local RESUMES <const> = { continue = 0, into = 1, over = 2, out = 3, to = 4 }
local ANY_BANK <const> = -1

-- A point: id, holder, owner, kind, first, last, bank (nil: any), condition (its text, or nil), holds (nil: always), halts, seconds (of a halt), hits.
local debugger = {
  points = {}, -- in the order of their ids
  by_id = {},
  hits = {}, -- texts of the last LIMITS.hits hits, by number modulo LIMITS.hits
  hit_count = 0, -- since the script was loaded
  owner = nil, -- of the halt: with it, the halt ends
  holder = nil,
  until_second = nil, -- when a halt ends whose owner cannot be seen to end
  announced = 0, -- the number of the halt that clients know
}

--- Refuses where the host cannot debug.
function debugger.check()
  game.core_or_refuse()
  if not (host and host.addPoint) then
    refuse("unsupported", "mGBA's window has no debugger for scripts; run the game with mgba-headless")
  end
end

--- The fields of a hit: id, kind, pc, bank, address, size, before, value, after, dma.
local function fields_of(text)
  local fields = {}
  for number in string.gmatch(text, "%-?%d+") do
    fields[#fields + 1] = math.tointeger(tonumber(number))
  end
  return fields
end

--- Names and values of a hit, alternating.
local function record_of(hit)
  local record = { "point", hit[1], "kind", KIND_NAMES[hit[2]], "at", hit[3], "atbank", hit[4] }
  if hit[6] > 0 then
    for _, part in ipairs({ "address", hit[5], "size", hit[6], "before", hit[7], "value", hit[8], "after", hit[9], "dma", hit[10] == 1 }) do
      record[#record + 1] = part
    end
  end
  return record
end

--- Why the game is halted, and where; nil when it is not. Names and values, alternating.
function debugger.halted()
  local text = host and host.halted and host.halted() or ""
  local count, reason, pc, bank, rest = string.match(text, "^(%d+) (%l+) (%d+) (%-?%d+) ?(.*)$")
  if not count then
    return nil
  end
  local record = { "halt", math.tointeger(count), "reason", reason, "pc", math.tointeger(pc), "bank", math.tointeger(bank) }
  if rest ~= "" then
    local hit = record_of(fields_of(rest))
    table.move(hit, 1, #hit, #record + 1, record)
  end
  return record, math.tointeger(count)
end

--- What is kept of the history of the game. The script counts frames from another start than the host: `offset` is to be added.
function debugger.history()
  local text = host.history()
  local numbers = fields_of(string.match(text, "^[%d ]+"))
  local megabytes, bytes, _, first, frame, now, past, searching = table.unpack(numbers)
  return {
    megabytes = megabytes, bytes = bytes, first = first, frame = frame, present = now, offset = state.frame - now, past = past == 1, searches = searching == 1,
    problem = string.match(text, "^[%d ]+(.*)$"),
  }
end

--- The same; refuses without a history.
function debugger.kept_history()
  local history = debugger.history()
  if history.problem ~= "" then
    refuse("not-running", "no history of this game is kept: %s", history.problem)
  elseif history.megabytes == 0 then
    refuse("not-running", "no history is kept; send debug.keepHistory first")
  end
  return history
end

--- Memory as it was before a frame ran.
function debugger.read_past(location, length, frame)
  debugger.check()
  local history = debugger.kept_history()
  local is_domain = type(location) == "table"
  local data = length == 0 and ""
    or host.past(frame - history.offset, is_domain and location.domain or "", is_domain and location.offset or location, length)
  if #data < length then
    if frame < history.first + history.offset or frame >= state.frame then
      refuse("not-found", "the history has the frames %d to %d, and not %d", history.first + history.offset, state.frame - 1, frame)
    end
    refuse("bad-argument", "the history has memory that the game can write: RAM, video memory, registers and saves; not all of these places are there")
  end
  return data
end

--- Whether something is searched in the history of the game: then points are hit once more, and the game is not where it was.
function debugger.searches()
  return host.isSearching()
end

--- Refuses meanwhile.
function debugger.check_search()
  if debugger.searches() then
    refuse("busy", "the game is going back; wait until that is answered, or end it with debug.halt")
  end
end

--- Gives the halt to the owner of a request or a point: it ends with it, or after `seconds`.
function debugger.own(cause, seconds)
  debugger.owner, debugger.holder = cause.owner, cause.holder
  debugger.until_second = seconds and state.seconds + seconds
end

--- Sets a point.
function debugger.add(point)
  if #debugger.points >= LIMITS.points then
    refuse("busy", "%d points are the most there may be; remove some with debug.remove", LIMITS.points)
  end
  local id = host.addPoint(KINDS[point.kind], point.first, point.last, point.bank or ANY_BANK)
  if id == 0 then
    refuse("busy", "the emulator has no room for another point; remove some with debug.remove")
  end
  point.id, point.hits = id, 0
  debugger.points[#debugger.points + 1], debugger.by_id[id] = point, point
  return id
end

--- Removes the points for which `matches` is true. Returns how many.
function debugger.remove(matches)
  local kept, count = {}, 0
  for _, point in ipairs(debugger.points) do
    if matches(point) then
      host.removePoint(point.id)
      debugger.by_id[point.id], count = nil, count + 1
    else
      kept[#kept + 1] = point
    end
  end
  debugger.points = kept
  return count
end

--- `address` and `bank` (nil: any) are those to which it runs, if it does.
function debugger.resume(how, address, bank)
  debugger.owner, debugger.holder, debugger.until_second = nil, nil, nil
  host.resume(RESUMES[how], address or 0, bank or ANY_BANK)
end

--- Whether a point is hit. A condition that cannot be checked any more holds, so that somebody notices.
local function holds(point)
  if not point.holds then
    return true
  end
  local ok, met = pcall(point.holds)
  return not ok or met
end

--- The event of a hit. The game stands between two instructions, or in the middle of an event of its machine.
function debugger.on_hit()
  local text = host.hit()
  local hit = fields_of(text)
  local point = debugger.by_id[hit[1]]
  local repeated = debugger.searches()
  if not point or repeated and not point.halts or not holds(point) then
    return
  elseif repeated then
    host.haltHere()
    return
  end
  point.hits = point.hits + 1
  debugger.hits[debugger.hit_count % LIMITS.hits] = text .. " " .. state.frame
  debugger.hit_count = debugger.hit_count + 1
  if point.halts then
    debugger.own(point, point.seconds)
    host.haltHere()
  end
end

--- The texts of the hits behind the first `from`, and how many of them are not kept any more.
function debugger.hits_since(from)
  local first = math.max(from, debugger.hit_count - LIMITS.hits)
  local lines = {}
  for number = first, debugger.hit_count - 1 do
    lines[#lines + 1] = debugger.hits[number % LIMITS.hits]
  end
  return lines, first - from
end

local function end_halt()
  if debugger.halted() then
    debugger.owner, debugger.holder, debugger.until_second = nil, nil, nil
    host.release()
  end
end

--- Ends what an owner that is gone has set, and its halt. Returns how many points that were.
function debugger.release_owner(owner)
  local count = debugger.remove(function(point)
    return owners.includes(owner, point.owner)
  end)
  if debugger.owner and owners.includes(owner, debugger.owner) then
    end_halt()
  end
  return count
end

--- Gives the points and the halt of a holder to another owner.
function debugger.move(holder, from, to)
  for _, point in ipairs(debugger.points) do
    if point.holder == holder and point.owner == from then
      point.owner = to
    end
  end
  if debugger.holder == holder and debugger.owner == from then
    debugger.owner = to
  end
end

--- Removes everything, because another game was opened or the script ends.
function debugger.drop()
  if host and host.addPoint then
    debugger.remove(function()
      return true
    end)
    end_halt()
  end
end

--- Ends a halt whose time is over.
function debugger.sweep()
  if debugger.until_second and state.seconds > debugger.until_second then
    end_halt()
  end
end

debugger.KINDS, debugger.RESUMES = KINDS, RESUMES

return debugger
end)()

-- ========================================================================================================================
-- lua/src/game/memory.lua
-- ========================================================================================================================

modules["game.memory"] = (function()
-- Reads and writes of the bus and of memory domains.

local constants = require("base.constants")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local check_bus, core_or_refuse, domain_of, nested = game.check_bus, game.core_or_refuse, game.domain_of, game.nested
local byte, sub = string.byte, string.sub
local refuse = wire.refuse

local memory = {}

--- Reading the key register runs other scripts' keysRead callbacks.
local function touches_keys(address, length)
  if game.platform == GB then
    return address <= 0xff00 and address + length > 0xff00
  end
  return address <= 0x04000131 and address + length > 0x04000130
end

-- A save state contains the work memory, and making one takes a third of the time of reading 256 KB byte by byte (decision 0009).
local WORK_MEMORY <const>, WORK_SIZE <const>, WORK_IN_STATE <const> = 0x02000000, 0x40000, 0x21000

local BY_STATE_FROM <const>, PROBE <const> = 98304, 4096

--- Reads a part of a GBA's work memory from a save state, or returns nil where that is impossible. A piece of it, a different one each time,
--- is compared with an ordinary read: an engine with another state layout is detected, and this way is not used again.
local function read_by_state(location, length)
  local is_domain = type(location) == "table"
  local offset = is_domain and location.offset or location - WORK_MEMORY
  if game.platform ~= GBA or memory.odd_states or (is_domain and location.domain ~= "wram") or offset < 0 or offset > WORK_SIZE - length then
    return nil
  end
  local core, at = core_or_refuse(), state.frame * 4093 % (length - PROBE)
  local data = game.save_buffer(core, 0)
  local part = data and sub(data, WORK_IN_STATE + offset + 1, WORK_IN_STATE + offset + length)
  if part and sub(part, at + 1, at + PROBE) == game.read_range(core, WORK_MEMORY + offset + at, PROBE) then
    return part
  end
  memory.odd_states = true
  return nil
end

--- A range in a domain. A window asks other scripts for the keys of a Game Boy, as on the bus.
local function read_domain(domain, location, length)
  if location.offset == 0 and location.domain == "io" and game.platform == GB then
    return nested(domain.readRange, domain, location.offset, length)
  end
  return domain:readRange(location.offset, length)
end

function memory.read(location, length)
  local by_state = length >= BY_STATE_FROM and read_by_state(location, length)
  if by_state then
    return by_state
  elseif type(location) == "table" then
    return read_domain(domain_of(location, length), location, length)
  end
  check_bus(location, length, game.limits.unreadable)
  local core = core_or_refuse()
  if length == 0 then
    return ""
  elseif touches_keys(location, length) then
    return nested(game.read_range, core, location, length)
  end
  return game.read_range(core, location, length)
end

-- Microseconds a byte, by the high byte of the address: memory is fast; registers, the BIOS and unmapped addresses are slow.
local GB_BYTE <const>, DOMAIN_BYTE <const>, QUICK <const>, SAVE_BYTE <const>, SLOW <const> = 0.006, 0.005, 0.0025, 0.003, 0.018

local BUS_BYTE <const> = { [2] = QUICK, [3] = QUICK, [5] = QUICK, [6] = QUICK, [7] = QUICK, [14] = SAVE_BYTE, [15] = SAVE_BYTE }

--- The cost of reading one byte.
function memory.byte_cost(location)
  if game.platform ~= GBA then
    return GB_BYTE
  elseif type(location) == "table" then
    return DOMAIN_BYTE
  end
  local in_rom = location >= 0x08000000 and location < 0x0E000000 and (location & 0x01FFFFFF) < (game.rom_size or 0)
  return in_rom and QUICK or BUS_BYTE[location >> 24] or SLOW
end

--- The cost of reading a range. A range that begins in fast memory and ends elsewhere costs as much per byte as its end.
function memory.read_cost(location, length)
  if length < 64 then
    return 0
  end
  local last = type(location) == "number" and location + length - 1
  return length * math.max(memory.byte_cost(location), last and memory.byte_cost(last) or 0)
end

--- The cost of writing a range. Save memory and Game Boy memory take single bytes.
function memory.write_cost(location, length)
  local single = game.platform == GB or (type(location) == "number" and location >= 0x0E000000)
  return length * (single and work.write_single or work.write)
end

--- Refuses a range out of bounds.
function memory.check_range(location, length)
  if type(location) == "table" then
    domain_of(location, length)
  else
    check_bus(location, length, game.limits.unreadable)
    core_or_refuse()
  end
end

local UNPACK <const> = { [1] = "<I1", [2] = "<I2", [4] = "<I4" }
local READ <const> = { [1] = "read8", [2] = "read16", [4] = "read32" }
local WRITE <const> = { [1] = "write8", [2] = "write16", [4] = "write32" }

--- Reads a little-endian number. An unaligned one is read as bytes, because the CPU would rotate it.
function memory.read_number(location, width)
  if type(location) == "table" then
    local domain, outside = domain_of(location, width)
    if outside then
      return domain[READ[width]](domain, location.offset)
    end
    return (string.unpack(UNPACK[width], read_domain(domain, location, width)))
  end
  check_bus(location, width, game.limits.unreadable)
  local core = core_or_refuse()
  if location % width ~= 0 or (location <= 0x04000131 and touches_keys(location, width)) then
    return (string.unpack(UNPACK[width], memory.read(location, width)))
  end
  return game[READ[width]](core, location)
end

--- Palette, video memory and sprites have no byte writes: the hardware, and mGBA's domains, widen or drop them.
local function is_halfword_memory(location)
  if game.platform ~= GBA then
    return false
  elseif type(location) == "table" then
    return location.domain == "palette" or location.domain == "vram" or location.domain == "oam"
  end
  return location >= 0x05000000 and location < 0x08000000
end

local function write_byte(target, at, value, halfwords)
  if not halfwords then
    target:write8(at, value)
    return
  end
  local even = at & ~1
  local old = target:read16(even)
  target:write16(even, at == even and (old & 0xff00 | value) or (old & 0xff | value << 8))
end

-- Bit 7 of the byte at HALTCNT switches a GBA off, like the STOP function of its BIOS. No write can stop a Game Boy.
local HALTCNT <const>, STOP_BIT <const> = 0x04000301, 0x80

local ROM_SPACE <const> = 0x2000000 -- size of a GBA's cartridge domain, for any size of ROM

--- Refuses writes beyond the ROM: mGBA would enlarge it, which changes the game's identity and mirrors, or crash without a ROM in memory.
local function check_rom_end(location, length)
  if game.platform == GBA and sub(location.domain, 1, 4) == "cart" and location.offset % ROM_SPACE + length > game.rom_size then
    refuse("bad-address", "offset 0x%X and %d bytes reach beyond the ROM, which has %d bytes", location.offset, length, game.rom_size)
  end
end

local VIDEO_BANKS <const>, VIDEO_BANK_SELECT <const> = 0x4000, 0xff4f

--- Offsets from 0x4000 are the second bank of a Game Boy Color. While the game selects that bank, mGBA writes them beyond its buffer.
local function check_video_bank(location, length)
  if game.platform == GB and location.domain == "vram" and location.offset + length > VIDEO_BANKS and game.core:read8(VIDEO_BANK_SELECT) & 1 == 1 then
    refuse("unsupported", "mGBA cannot write vram from offset 0x%X on while bank 1 is selected; write to 0x8000 on the bus", VIDEO_BANKS)
  end
end

--- Refuses a write over HALTCNT that sets its stop bit. `data` is the bytes or the number to write.
local function check_halt(location, data)
  data = type(data) == "string" and data or string.pack("<I4", data)
  if byte(data, HALTCNT - location + 1) & STOP_BIT ~= 0 then
    refuse("bad-argument", "bit 7 of the byte at 0x%08X (HALTCNT) would stop the machine; write it with bit 7 clear", HALTCNT)
  end
end

--- Checks a write and returns the object and position to write to. Every write of a client passes here with its data.
local function target_of(location, length, data)
  if type(location) == "table" then
    local domain, outside = domain_of(location, length)
    if location.domain == "io" and game.platform == GBA then
      refuse("unsupported", "mGBA ignores writes to the io domain; write to 0x04000000 on the bus")
    end
    check_rom_end(location, length)
    check_video_bank(location, length)
    return domain, location.offset, outside
  end
  check_bus(location, length, game.limits.unwritable)
  if location <= HALTCNT and location + length > HALTCNT and game.platform == GBA then
    check_halt(location, data)
  end
  return core_or_refuse(), location
end

--- Whether this frame has time to write `length` more bytes. While the game does not run, time does not matter.
function memory.may_write(length)
  if memory.write_frame ~= state.frame then
    memory.write_frame, memory.written = state.frame, 0
  end
  return memory.written == 0 or memory.written + length <= LIMITS.frame_writes or state.stands_still
end

--- Writes raw bytes in as few accesses as the memory allows: cartridge save memory takes single bytes only.
function memory.write(location, data)
  memory.may_write(0) -- counts from 0 in a new frame
  memory.written = memory.written + #data
  local target, at = target_of(location, #data, data)
  local halfwords = is_halfword_memory(location)
  local is_bus = type(location) == "number"
  local single = is_bus and (game.platform == GB or at >= 0x0e000000) or (not is_bus and game.platform == GB)
  local from, last = 1, #data
  while from <= last and (single or at % 4 ~= 0) do
    write_byte(target, at, byte(data, from), halfwords)
    from, at = from + 1, at + 1
  end
  local write32, unpack = target.write32, string.unpack
  while from + 3 <= last do
    write32(target, at, (unpack("<I4", data, from)))
    from, at = from + 4, at + 4
  end
  while from <= last do
    write_byte(target, at, byte(data, from), halfwords)
    from, at = from + 1, at + 1
  end
end

function memory.write_number(location, width, value)
  local low, high = -(1 << (width * 8 - 1)), (1 << (width * 8)) - 1
  if value < low or value > high then
    refuse("bad-argument", "value %d does not fit %d bits; it must be from %d to %d", value, width * 8, low, high)
  end
  value = value & high
  local target, at, outside = target_of(location, width, value)
  if not outside and (at % width ~= 0 or (width == 1 and type(location) == "table")) then
    memory.write(location, string.pack(UNPACK[width], value))
  else
    target[WRITE[width]](target, at, value)
  end
end

--- The location `offset` bytes further.
function memory.location_after(location, offset)
  if type(location) == "table" then
    return { domain = location.domain, offset = location.offset + offset }
  end
  return location + offset
end

memory.READ, memory.WRITE, memory.target_of = READ, WRITE, target_of

return memory
end)()

-- ========================================================================================================================
-- lua/src/game/freezes.lua
-- ========================================================================================================================

modules["game.freezes"] = (function()
-- Freezes: values that the script writes again every frame, for holders.

local LIMITS <const> = require("base.limits")
local game = require("game.game")
local memory = require("game.memory")
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local refuse = wire.refuse

-- A freeze: holder, name, owner, location, data, number (of data that is written in one access), last (first frame in
-- which it is not written any more, or nil) and cost. They are written in the order of the list.
local freezes = {
  list = {},
  cost = 0, -- of all freezes in one frame
  changed = false, -- since the last event
  ended = 0, -- freezes that ended without a request since the last event, and why the last one did
  reason = nil,
}

local NUMBERS <const> = { [1] = "<I1", [2] = "<I2", [4] = "<I4" }

--- Data of 1, 2 or 4 bytes is written in one access, as a processor would: registers of the machine are not bytes. What freezes write does not
--- count towards the bytes that requests may write in a frame, or a long write would never run.
local function write(freeze)
  memory.may_write(0)
  local written = memory.written
  if freeze.number then
    memory.write_number(freeze.location, #freeze.data, freeze.number)
  else
    memory.write(freeze.location, freeze.data)
  end
  memory.written = written
end

local function find(holder, name)
  for i, freeze in ipairs(freezes.list) do
    if freeze.holder == holder and freeze.name == name then
      return i
    end
  end
end

--- Writes a value now and in each of the next frames. Replaces the freeze of this holder with the same name.
function freezes.set(freeze)
  local list, at = freezes.list, find(freeze.holder, freeze.name)
  local data, before = freeze.data, at and list[at].cost or 0
  if #data < 1 or #data > LIMITS.freeze_bytes then
    refuse("bad-argument", "a freeze has 1 to %d bytes; this one has %d", LIMITS.freeze_bytes, #data)
  elseif not at and #list >= LIMITS.freezes then
    refuse("busy", "%d freezes are the most there may be; release some with freezes.delete", LIMITS.freezes)
  end
  freeze.cost = work.freeze + memory.write_cost(freeze.location, #data)
  local total = freezes.cost - before + freeze.cost
  if total > LIMITS.freezes_cost then
    refuse("busy", "all freezes would cost %d us a frame, of at most %d; release some, or freeze fewer bytes", total // 1, LIMITS.freezes_cost)
  end
  freeze.number = NUMBERS[#data] and string.unpack(NUMBERS[#data], data)
  write(freeze)
  freezes.cost = total
  list[at or #list + 1], freezes.changed = freeze, true
end

--- Ends the freezes for which `matches` is true. Returns how many.
local function remove(matches)
  local list, kept, count = freezes.list, 0, #freezes.list
  for i = 1, count do
    local freeze = list[i]
    list[i] = nil
    if matches(freeze) then
      freezes.cost, freezes.changed = freezes.cost - freeze.cost, true
    else
      kept = kept + 1
      list[kept] = freeze
    end
  end
  freezes.cost = kept > 0 and freezes.cost or 0
  return count - kept
end

local function note(count, reason)
  if count > 0 then
    freezes.ended, freezes.reason = freezes.ended + count, reason
  end
end

--- Ends the freeze of this name, or all of the holder. Returns how many.
function freezes.release(holder, name)
  return remove(function(freeze)
    return freeze.holder == holder and (not name or freeze.name == name)
  end)
end

--- Ends the freezes of an owner that is gone. Returns how many.
function freezes.release_owner(owner)
  local count = remove(function(freeze)
    return owners.includes(owner, freeze.owner)
  end)
  note(count, "session-ended")
  return count
end

--- Gives the freezes of a holder to another owner.
function freezes.move(holder, from, to)
  for _, freeze in ipairs(freezes.list) do
    if freeze.holder == holder and freeze.owner == from then
      freeze.owner = to
    end
  end
end

--- Ends all freezes, because the game was closed or changed.
function freezes.drop()
  note(remove(function()
    return true
  end), "game-changed")
end

--- Whether a freeze has to end: its frames are over, or the write failed.
local function is_over(freeze)
  if freeze.last and state.frame >= freeze.last then
    note(1, "over")
    return true
  end
  work.spent = work.spent + freeze.cost
  local ok, problem = pcall(write, freeze)
  if not ok then
    note(1, (wire.caught(problem)))
  end
  return not ok
end

--- Writes all values. Called once a frame, before anything reads memory.
function freezes.run()
  if #freezes.list > 0 then
    remove(is_over)
  end
end

--- Writes them again at the end of a frame in which a state was loaded or the game reset, so that no frame runs with other values.
function freezes.restore()
  if game.moved_frame == state.frame then
    freezes.run()
  end
end

return freezes
end)()

-- ========================================================================================================================
-- lua/src/keys/input.lua
-- ========================================================================================================================

modules["keys.input"] = (function()
-- Input: the only owner of the key mask.

local constants = require("base.constants")
local game = require("game.game")
local state = require("base.state")

local core_or_refuse = game.core_or_refuse

-- A key is down while a holder holds it or a tap of it runs. Times are in frames of the script (state.frame), so that loading a state, rewind
-- and reset cannot leave a key down. `down` is the mask that the script set last. The player's keys are in mGBA's mask too: mGBA removes a key
-- when the player releases it, and then the script sets its own again. A key that was down before the script pressed it, and has been since, is
-- the player's and stays down when the script releases it. (A key that the player presses while the script holds it cannot be distinguished:
-- the game sees it up for one frame when the script releases it.)
local input = {
  LEASE = "lease", -- the holder of the keys of a lease's steps
  COMPAT = "compat", -- the holder of all requests in the style of mGBA-http, where a clear ends taps, too
  holders = {}, -- holder -> { [key] = first frame down }
  owners = {}, -- holder -> { [key] = owner of the level }, no entry for levels without an owner
  taps = {}, -- key -> list of taps, in order: see keys/tap_queue.lua
  tapped = 0, -- the keys that have taps, and perhaps others
  free = {}, -- key -> first frame at which it may go down again and still make an edge
  down = 0,
  player = 0, -- keys that the player held before the script did, and still holds
  ran = 0, -- the mask with which the last frame ran
  ran_frame = 0, -- the frame after it
}

for key = 0, 9 do
  input.taps[key], input.free[key] = {}, 0
end

--- The keys that holders keep down now.
function input.levels()
  local mask = 0
  for _, keys in pairs(input.holders) do
    for key, from in pairs(keys) do
      mask = from <= state.frame and mask | 1 << key or mask
    end
  end
  return mask
end

--- The mask that has to be down in this frame.
local function wanted_mask()
  local mask, frame = input.levels(), state.frame
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    while taps[1] and taps[1].up <= frame do
      table.remove(taps, 1)
    end
    if not taps[1] then
      input.tapped = input.tapped & ~(1 << key)
    elseif taps[1].down <= frame then
      mask = mask | 1 << key
      if taps[1].down == frame then
        taps[1].unseen = taps[1].unseen | input.ran & 1 << key
      end
    end
  end
  return mask
end

--- Applies changes to mGBA's mask. Called once a frame and after every change, so that a press takes effect in the frame it arrives in.
function input.apply()
  local core = game.core
  if not core then
    return
  end
  if input.ran_frame ~= state.frame then
    input.ran, input.ran_frame = input.down | game.get_keys(core), state.frame
  end
  local mask = wanted_mask()
  local released = input.down & ~mask
  if mask | released ~= 0 then
    input.player = game.get_keys(core) & (input.player | ~input.down)
  end
  if released ~= 0 then
    game.clear_keys(core, released & ~input.player)
    for key = 0, 9 do
      if released >> key & 1 == 1 and input.free[key] <= state.frame then
        input.free[key] = state.frame + 1
      end
    end
  end
  if mask ~= 0 then
    game.add_keys(core, mask)
  end
  input.down = mask
end

--- Whether the mask stays as it is without another request.
function input.is_settled()
  for _, keys in pairs(input.holders) do
    for _, from in pairs(keys) do
      if from > state.frame then
        return false
      end
    end
  end
  return input.tapped == 0
end

--- Frames until all taps, those that wait included, are over.
function input.tap_frames()
  local last = state.frame
  for key = 0, 9 do
    last = math.max(last, input.free[key])
  end
  return last - state.frame
end

--- Whether a press of this key is active that another may join. One that ended in this frame is not: the game must see both.
function input.is_held(key)
  for _, keys in pairs(input.holders) do
    if keys[key] and keys[key] <= state.frame then
      return true
    end
  end
  for _, tap in ipairs(input.taps[key]) do
    if tap.holder and tap.down <= state.frame and tap.up > state.frame then
      return true
    end
  end
  return false
end

--- The mask as holders and player set it, so that a client reads what it has set. The game may differ for a frame: it sees a press that ended
--- in its own frame, and a press that waits for its edge comes later.
function input.reported()
  local mask = core_or_refuse():getKeys()
  for key = 0, 9 do
    local tap, bit = input.taps[key][1], 1 << key
    if tap and not tap.holder and tap.down <= state.frame and input.player & bit == 0 then
      mask = mask & ~bit
    end
  end
  for _, keys in pairs(input.holders) do
    for key in pairs(keys) do
      mask = mask | 1 << key
    end
  end
  return mask
end

--- Releases all keys, also in the game.
function input.forget_all()
  local held = input.down & ~input.player
  if held ~= 0 then
    pcall(function()
      emu:clearKeys(held)
    end)
  end
  input.holders, input.owners, input.down, input.tapped, input.ran = {}, {}, 0, 0, 0
  for key = 0, 9 do
    input.taps[key], input.free[key] = {}, 0
  end
end

--- Releases keys that an earlier script held when File > Reset ended it without notice. The player's keys are set again in the next frame.
function input.start_clean()
  pcall(function()
    emu:clearKeys(constants.ALL_KEYS)
  end)
end

return input
end)()

-- ========================================================================================================================
-- lua/src/game/sensors.lua
-- ========================================================================================================================

modules["game.sensors"] = (function()
-- Sensors of the cartridge. Each shows what was set last by a holder that has not ended it.

local game = require("game.game")
local LIMITS <const> = require("base.limits")
local host = require("base.host").calls
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")

local refuse = wire.refuse

-- What a sensor shows that nobody has set, in the order of the host's call.
local NAMES <const> = { "light", "x", "y", "gyro" }
local ALL <const> = { "light", "x", "y", "gyro", "camera" }
local NEUTRAL <const> = { light = 255, x = 0, y = 0, gyro = 0, camera = "" }

-- A show: a step of a sequence that sets sensors for some frames, and is among the taps of its press: keys (none), values, down and up (frames), holder,
-- owner, request, unseen (0), begun (its settings are held) and dropped (it never begins).
local sensors = {
  held = {}, -- settings { name, value, holder, owner, show }, in the order in which they were set
  shows = {}, -- that are not over
  text = "light=255 x=0 y=0 gyro=0", -- what they show now
  camera = "", -- the picture that the camera sees now; empty: darkness
}

local function value_of(name)
  for place = #sensors.held, 1, -1 do
    if sensors.held[place].name == name then
      return sensors.held[place].value
    end
  end
  return NEUTRAL[name]
end

local function apply()
  local parts = {}
  for place, name in ipairs(NAMES) do
    parts[place] = name .. "=" .. value_of(name)
  end
  sensors.text = table.concat(parts, " ")
  host.setSensors(value_of("light"), value_of("x"), value_of("y"), value_of("gyro"))
  local camera = value_of("camera")
  if camera ~= sensors.camera then
    sensors.camera = camera
    host.setCamera(camera)
  end
end

--- Refuses where the host has no sensors.
function sensors.check()
  game.core_or_refuse()
  if not (host and host.setSensors) then
    refuse("unsupported", "mGBA's window hands no sensors to scripts; set them in its menu Tools, or run the game with mgba-headless")
  end
end

--- The settings for which `matches` is false.
local function others(matches)
  local kept = {}
  for _, setting in ipairs(sensors.held) do
    if not matches(setting) then
      kept[#kept + 1] = setting
    end
  end
  return kept
end

--- Ends the settings for which `matches` is true. Returns how many.
local function remove(matches)
  local kept = others(matches)
  local count = #sensors.held - #kept
  if count > 0 then
    sensors.held = kept
    apply()
  end
  return count
end

--- Sets those that `values` names.
function sensors.set(holder, owner, values)
  local kept = others(function(setting)
    return setting.holder == holder and not setting.show and values[setting.name] ~= nil
  end)
  if #kept + #ALL > LIMITS.holders * #ALL then
    refuse("busy", "%d holders have set sensors, the most that are allowed; release some with sensors.release", LIMITS.holders)
  end
  for _, name in ipairs(ALL) do
    if values[name] then
      kept[#kept + 1] = { name = name, value = values[name], holder = holder, owner = owner }
    end
  end
  sensors.held = kept
  apply()
end

--- Begins the shows that are due and ends those that are over. Called once a frame, and after each change of them.
function sensors.advance()
  local kept, changed = {}, false
  for _, show in ipairs(sensors.shows) do
    local is_over = show.dropped or show.up <= state.frame
    if show.begun and is_over then
      changed = true
      sensors.held = others(function(setting)
        return setting.show == show
      end)
    elseif not is_over and not show.begun and show.down <= state.frame then
      changed, show.begun = true, true
      for _, name in ipairs(ALL) do
        if show.values[name] then
          sensors.held[#sensors.held + 1] = { name = name, value = show.values[name], holder = show.holder, owner = show.owner, show = show }
        end
      end
    end
    kept[#kept + 1] = not is_over and show or nil
  end
  sensors.shows = kept
  if changed then
    apply()
  end
end

--- Whether they stay as they are without another request.
function sensors.is_settled()
  return #sensors.shows == 0
end

local function is_of(show, holder, values)
  for name in pairs(values) do
    if show.holder == holder and show.values[name] then
      return true
    end
  end
  return false
end

--- The first frame, from `frame`, in which no earlier show of this holder has one of these sensors.
function sensors.free_from(holder, values, frame)
  for _, show in ipairs(sensors.shows) do
    frame = is_of(show, holder, values) and math.max(frame, show.up) or frame
  end
  return frame
end

--- Ends the shows of this holder with one of these sensors.
function sensors.replace(holder, values)
  for _, show in ipairs(sensors.shows) do
    if is_of(show, holder, values) then
      show.dropped, show.up = not show.begun, math.min(show.up, state.frame)
    end
  end
  sensors.advance()
end

--- Sets these sensors from the frame `down` to the frame `up`. Returns the show.
function sensors.add_show(values, down, up, request)
  local show = { keys = {}, values = values, down = down, up = up, holder = request.holder, owner = request.owner, request = request, unseen = 0 }
  sensors.shows[#sensors.shows + 1] = show
  return show
end

--- Cancels the shows that have not begun and for which belongs(request) is true; with `begun` it ends instead those that have, each after at least
--- one frame.
function sensors.cancel(belongs, begun)
  for _, show in ipairs(sensors.shows) do
    if belongs(show.request) and begun and show.begun then
      show.up = math.min(show.up, math.max(show.down + 1, state.frame))
    elseif belongs(show.request) and not begun and not show.begun then
      show.dropped = true
    end
  end
  sensors.advance()
end

--- Ends what a holder has set. Returns how many sensors that were.
function sensors.release(holder)
  sensors.cancel(function(request)
    return request.holder == holder
  end)
  return remove(function(setting)
    return setting.holder == holder
  end)
end

--- Ends what an owner that is gone has set. Returns how many sensors that were.
function sensors.release_owner(owner)
  return remove(function(setting)
    return not setting.show and owners.includes(owner, setting.owner)
  end)
end

--- Gives what a holder has set to another owner.
function sensors.move(holder, from, to)
  for _, setting in ipairs(sensors.held) do
    if setting.holder == holder and setting.owner == from then
      setting.owner = to
    end
  end
end

--- Ends everything, because the game was closed or changed.
function sensors.drop()
  for _, show in ipairs(sensors.shows) do
    show.dropped = true
  end
  sensors.shows = {}
  remove(function()
    return true
  end)
end

return sensors
end)()

-- ========================================================================================================================
-- lua/src/keys/tap_queue.lua
-- ========================================================================================================================

modules["keys.tap_queue"] = (function()
-- Taps: presses for a number of frames, queued for each key.

local constants = require("base.constants")
local input = require("keys.input")
local LIMITS <const> = require("base.limits")
local sensors = require("game.sensors")
local state = require("base.state")
local wire = require("wire.text")

local KEYS <const> = constants.KEYS
local refuse = wire.refuse

-- A tap: keys, down and up (frames), gap (frames until one of its keys may go down again), before (key -> when the key was free without it), holder,
-- requests (those that wait for it or have joined it), mode (one of tap_queue.modes), unseen (mask of its keys that were down before it began, so
-- that the game saw no press of them) and dropped (it never begins). It is shared by the lists of its keys. A press that only completes a level
-- has neither holder nor requests.
local tap_queue = {}

-- What a press does about presses of its keys, by the same holder, that are not over.
tap_queue.modes = {
  queue = true, -- comes behind them
  shorten = true, -- shortens the one before it; joins one of the same keys rather than wait for more than LIMITS.lag frames
  replace = true, -- takes the place of those that wait, and shortens the one that has begun
}

local SHORTEST <const>, SHORTEST_GAP <const> = 3, 1 -- frames of a shortened press, and after it: 15 presses a second of a game with 60 frames

--- The first frame in which a tap may be over when the next one shortens it.
local function shortest_end(tap)
  return math.min(tap.up, math.max(tap.down + SHORTEST, state.frame))
end

--- The last tap of this key if it may be shortened for this request: one of the same holder, and no other step of the same sequence.
local function last_of(key, request)
  local taps = input.taps[key]
  local tap = taps[#taps]
  return tap and tap.holder == request.holder and tap.requests[1] ~= request and tap
end

--- The first frame in which this key can go down with an edge.
local function free_at(key, request, mode)
  local free = input.free[key]
  local last = mode ~= "queue" and last_of(key, request)
  return last and math.min(free, shortest_end(last) + SHORTEST_GAP) or free
end

--- Refuses presses for which a key has no room, without those that they replace, and more sensors than may wait.
local function check_room(steps, request, mode)
  local counts, shows = {}, #sensors.shows
  for _, step in ipairs(steps) do
    shows = shows + (step.sensors and 1 or 0)
    if shows > LIMITS.taps then
      refuse("busy", "%d steps with sensors would wait, of at most %d; let some finish first", shows, LIMITS.taps)
    end
    for _, key in ipairs(step.keys) do
      if not counts[key] then
        counts[key] = #input.taps[key]
        for _, tap in ipairs(mode == "replace" and input.taps[key] or {}) do
          counts[key] = counts[key] - (tap.holder == request.holder and tap.down > state.frame and 1 or 0)
        end
      end
      counts[key] = counts[key] + 1
      if counts[key] > LIMITS.taps then
        refuse("busy", "%d taps of %s would wait, of at most %d; let some finish first", counts[key], KEYS[key + 1], LIMITS.taps)
      end
    end
  end
end

--- The first frame, from `frame`, at which all of these keys can go down with an edge.
local function free_from(keys, frame, request, mode)
  for _, key in ipairs(keys) do
    frame = math.max(frame, free_at(key, request, mode))
  end
  return frame
end

--- The first frame in which a press may begin without overtaking an earlier one of other keys. Presses that queue for exact frames do not wait for
--- other keys.
local function in_order(request, mode)
  local frame = state.frame
  for key = 0, mode ~= "queue" and input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    for i = #taps, 1, -1 do
      local tap = taps[i]
      if tap.down < frame then
        break
      elseif tap.holder == request.holder and tap.mode ~= "queue" then
        frame = tap.down + 1
        break
      end
    end
  end
  return frame
end

--- The last tap of exactly these keys by this holder that waits and may be joined.
local function waiting_tap(keys, request)
  local taps = input.taps[keys[1]]
  for i = #taps, 1, -1 do
    local tap = taps[i]
    if tap.down <= state.frame then
      return nil
    elseif tap.holder == request.holder and tap.mode == "shorten" and table.concat(tap.keys, " ") == table.concat(keys, " ") then
      return tap
    end
  end
end

--- Ends a tap earlier or later, where no other one follows.
local function move_end(tap, up)
  tap.up = up
  for _, key in ipairs(tap.keys) do
    local taps = input.taps[key]
    if taps[#taps] == tap then
      input.free[key] = up + tap.gap
    end
  end
end

--- Whether another tap follows on one of its keys.
local function is_followed(tap)
  for _, key in ipairs(tap.keys) do
    local taps = input.taps[key]
    if taps[#taps] ~= tap then
      return true
    end
  end
  return false
end

--- Removes a key from a tap, whose others continue. Without any it is dropped.
local function remove_key(tap, key)
  local keys = {}
  for _, other in ipairs(tap.keys) do
    keys[#keys + 1] = other ~= key and other or nil
  end
  tap.keys, tap.dropped = keys, #keys == 0 and tap.down > state.frame
end

--- The part of a tap on this key, its last one, that a press of `keys` may shorten: what else it presses continues.
local function part_of(tap, key, keys)
  local pressed = "," .. table.concat(keys, ",") .. ","
  for _, other in ipairs(tap.keys) do
    if not string.find(pressed, "," .. other .. ",", 1, true) then
      remove_key(tap, key)
      local part = {}
      for name, value in pairs(tap) do
        part[name] = value
      end
      part.keys, input.taps[key][#input.taps[key]] = { key }, part
      return part
    end
  end
  return tap
end

local function queue_tap(keys, down, frames, gap, request, mode)
  for _, key in ipairs(keys) do
    local last = mode ~= "queue" and last_of(key, request)
    if last then
      last = part_of(last, key, keys)
      last.gap = math.min(last.gap, SHORTEST_GAP)
      move_end(last, math.min(last.up, down - last.gap))
    end
  end
  local tap = {
    keys = keys, down = down, up = down + frames, gap = gap, before = {}, holder = request.holder, requests = { request }, mode = mode, unseen = 0,
  }
  for _, key in ipairs(keys) do
    local taps = input.taps[key]
    taps[#taps + 1] = tap
    tap.before[key], input.free[key] = input.free[key], tap.up + gap
    input.tapped = input.tapped | 1 << key
  end
  return tap
end

--- Joins a press to one that waits, which lasts for the longer of the two.
local function join(tap, frames, request)
  if #tap.requests >= LIMITS.taps then
    refuse("busy", "%d presses have joined the one of these keys that waits; let it begin first", LIMITS.taps)
  end
  tap.requests[#tap.requests + 1] = request
  if tap.down + frames > tap.up and not is_followed(tap) then
    move_end(tap, tap.down + frames)
  end
end

--- Removes a request from a tap that has not begun. Returns whether the tap is dropped, because nobody wants it any more.
local function leave(tap, belongs)
  local kept = {}
  for _, request in ipairs(tap.requests) do
    kept[#kept + 1] = not belongs(request) and request or nil
  end
  tap.requests, tap.dropped = kept, #kept == 0
  return tap.dropped
end

--- Removes the taps on keys of `mask` that have not begun and for which belongs(request) is true, also from their other keys. Taps that have begun
--- run to their end.
local function drop(mask, belongs)
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    for _, tap in ipairs(mask >> key & 1 == 1 and input.taps[key] or {}) do
      if tap.holder and tap.down > state.frame and not tap.dropped then
        leave(tap, belongs)
      end
    end
  end
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    local free
    for i = #taps, 1, -1 do
      if taps[i].dropped then
        free = table.remove(taps, i).before[key]
      end
    end
    local last = taps[#taps]
    if free then
      input.free[key] = last and math.max(last.up + last.gap, state.frame) or math.max(free, state.frame)
    end
  end
end

--- Removes taps that have not begun and for which belongs(request) is true; so do those below with sensors of sequences.
function tap_queue.drop(belongs)
  drop(constants.ALL_KEYS, belongs)
  sensors.cancel(belongs)
end

local function replace(steps, request)
  local mask = 0
  for _, step in ipairs(steps) do
    for _, key in ipairs(step.keys) do
      mask = mask | 1 << key
    end
  end
  drop(mask, function(other)
    return other.holder == request.holder
  end)
end

--- Presses keys together for `frames`. Returns the press: its taps; down, its first frame; up, the frame after it, where that is not the end of its
--- last tap; lag, the frames that it waits; joined, whether it has joined another one.
function tap_queue.add(keys, frames, gap, request, mode)
  local steps = { { keys = keys } }
  if mode == "replace" then
    check_room(steps, request, mode)
    replace(steps, request)
  end
  local down = free_from(keys, in_order(request, mode), request, mode)
  local waiting = mode == "shorten" and down - state.frame > LIMITS.lag and waiting_tap(keys, request)
  local tap = waiting
  if waiting then
    join(waiting, frames, request)
  else
    check_room(steps, request, mode)
    tap = queue_tap(keys, down, frames, gap, request, mode)
  end
  input.apply()
  return { taps = { tap }, down = tap.down, lag = tap.down - state.frame, joined = waiting and true or nil }
end

--- Presses one after another, all or none, and sets sensors meanwhile. They keep their frames among each other. Returns the press.
function tap_queue.add_sequence(steps, gap, request, mode)
  check_room(steps, request, mode)
  if mode == "replace" then
    replace(steps, request)
  end
  for _, step in ipairs(mode ~= "queue" and steps or {}) do
    if step.sensors then
      sensors.replace(request.holder, step.sensors)
    end
  end
  local press, at = { taps = {} }, in_order(request, mode)
  for _, step in ipairs(steps) do
    local down = free_from(step.keys, at, request, mode)
    if step.sensors then
      down = sensors.free_from(request.holder, step.sensors, down)
      press.taps[#press.taps + 1] = sensors.add_show(step.sensors, down, down + step.frames, request)
    end
    if #step.keys > 0 then
      press.taps[#press.taps + 1] = queue_tap(step.keys, down, step.frames, gap, request, mode)
    end
    press.down, at = press.down or down, down + step.frames
    press.up = #step.keys == 0 and at or nil
  end
  press.lag = press.down - state.frame
  input.apply()
  sensors.advance()
  return press
end

--- The first frame after a press, as far as it is known.
function tap_queue.up_of(press)
  return press.up or press.taps[#press.taps].up
end

--- The keys of a press that were down before they were pressed, so that the game saw no press of them, and of how many of its taps that is true.
--- A tap that has not begun is taken to find the keys that are held now.
function tap_queue.unseen(press)
  local held, unseen, missed = input.levels(), 0, 0
  for _, tap in ipairs(press.taps) do
    local mask = tap.unseen
    for _, key in ipairs(tap.down > state.frame and tap.keys or {}) do
      mask = mask | held & 1 << key
    end
    unseen, missed = unseen | mask, missed + (mask ~= 0 and 1 or 0)
  end
  return unseen, missed
end

--- Whether a tap of this press was dropped before it began.
function tap_queue.is_dropped(press)
  for _, tap in ipairs(press.taps) do
    if tap.dropped then
      return true
    end
  end
  return false
end

--- Whether belongs(request) is true for all that want this tap.
local function is_wanted_by(tap, belongs)
  for _, request in ipairs(tap.requests) do
    if not belongs(request) then
      return false
    end
  end
  return true
end

--- Ends the taps that have begun and for which belongs(request) is true, each after at least one frame.
local function end_begun(belongs)
  for key = 0, 9 do
    for _, tap in ipairs(input.taps[key]) do
      if tap.holder and tap.down <= state.frame and is_wanted_by(tap, belongs) then
        move_end(tap, math.min(tap.up, math.max(tap.down + 1, state.frame)))
      end
    end
  end
  sensors.cancel(belongs, true)
end

--- Cancels the taps for which belongs(request) is true. A tap that has begun ends now, after at least one frame.
function tap_queue.finish(belongs)
  end_begun(belongs)
  tap_queue.drop(belongs)
  input.apply()
end

--- Releases the keys of taps for which belongs(request) is true. Taps that have not begun still come.
function tap_queue.let_go(belongs)
  end_begun(belongs)
  input.apply()
end

--- Ends the taps of one holder on the keys of `mask`; other keys of the same tap continue. A tap that began in this frame lasts for the frame.
--- Returns the first frame in which none of them is down.
function tap_queue.finish_of(holder, mask)
  local seen = state.frame
  for key = 0, 9 do
    local taps = mask >> key & 1 == 1 and input.taps[key] or {}
    for i = #taps, 1, -1 do
      local tap = taps[i]
      if tap.holder == holder then
        remove_key(tap, key)
        if tap.down > state.frame then
          table.remove(taps, i)
        else
          local up = math.min(tap.up, math.max(tap.down + 1, state.frame))
          taps[i], seen = { down = tap.down, up = up, gap = 1, unseen = 0 }, math.max(seen, up)
        end
        local last = taps[#taps]
        input.free[key] = math.max(last and last.up + last.gap or tap.before[key], state.frame)
      end
    end
  end
  input.apply()
  return seen
end

return tap_queue
end)()

-- ========================================================================================================================
-- lua/src/keys/levels.lua
-- ========================================================================================================================

modules["keys.levels"] = (function()
-- Levels: keys that a holder holds down until it releases them.

local constants = require("base.constants")
local input = require("keys.input")
local LIMITS <const> = require("base.limits")
local owners = require("base.owners")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local ALL_KEYS <const>, KEYS <const> = constants.ALL_KEYS, constants.KEYS
local refuse = wire.refuse

local levels = {}

--- Refuses a holder beyond the limit. The two internal holders are always allowed.
local function check_holders(holder)
  local count = 0
  for _ in pairs(input.holders) do
    count = count + 1
  end
  if count >= LIMITS.holders and holder ~= input.LEASE and holder ~= input.COMPAT then
    refuse("busy", "%d holders have keys down, the most that are allowed; release some, or let clients share a holder", count)
  end
end

--- Refuses a press of a key that has the maximum number of waiting taps, because the press may have to wait, too.
local function check_presses(keys, mask)
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    if mask >> key & 1 == 1 and not keys[key] and #input.taps[key] >= LIMITS.taps then
      refuse("busy", "%d taps of %s are waiting; let some finish first", LIMITS.taps, KEYS[key + 1])
    end
  end
end

local function hold(holder, owner, mask)
  if mask == 0 then
    return state.frame
  elseif not input.holders[holder] then
    check_holders(holder)
  end
  check_presses(input.holders[holder] or {}, mask)
  local keys, owned, seen = input.holders[holder] or {}, input.owners[holder] or {}, state.frame
  input.holders[holder], input.owners[holder] = keys, owned
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      keys[key] = keys[key] or input.is_held(key) and state.frame or math.max(state.frame, input.free[key])
      owned[key], seen = owner, math.max(seen, keys[key])
    end
  end
  return seen
end

--- Holds keys down. Returns the first frame in which all of them are down.
function levels.hold(holder, owner, mask)
  local seen = hold(holder, owner, mask)
  input.apply()
  return seen
end

local function release(holder, mask)
  local keys, count, seen = input.holders[holder], 0, state.frame
  if not keys then
    return 0, seen
  end
  for key, from in pairs(keys) do
    if mask >> key & 1 == 1 then
      keys[key], input.owners[holder][key], count = nil, nil, count + 1
      if from >= state.frame then
        local taps = input.taps[key]
        table.insert(taps, from > state.frame and #taps + 1 or 1, { down = from, up = from + 1, gap = 1, unseen = 0 })
        input.tapped = input.tapped | 1 << key
        input.free[key] = math.max(input.free[key], from + 2)
        seen = math.max(seen, from + 1)
      end
    end
  end
  if next(keys) == nil then
    input.holders[holder], input.owners[holder] = nil, nil
  end
  return count, seen
end

--- Releases keys. A key pressed in this frame stays down for the frame, or the game would never see it. Returns how many were held, and the
--- first frame in which none of them is down.
function levels.release(holder, mask)
  local count, seen = release(holder, mask)
  input.apply()
  return count, seen
end

--- Sets the keys of this holder to exactly `mask`, or refuses without a change. Returns the first frame in which it applies.
function levels.set(holder, owner, mask)
  local is_compat = holder == input.COMPAT
  if is_compat then
    tap_queue.drop(function(other)
      return other.holder == holder
    end)
  end
  check_presses(input.holders[holder] or {}, mask)
  local _, released = release(holder, ~mask & ALL_KEYS)
  local seen = math.max(released, hold(holder, owner, mask)) -- before the taps end, so that it can join a running one
  input.apply()
  return is_compat and math.max(seen, tap_queue.finish_of(holder, ALL_KEYS)) or seen
end

--- Clears keys of a holder; for clients of mGBA-http also their taps. Returns the first frame in which none of them is down for this holder.
function levels.clear(holder, mask)
  local ended = holder == input.COMPAT and tap_queue.finish_of(holder, mask) or state.frame
  local _, released = levels.release(holder, mask)
  return math.max(ended, released)
end

--- Releases the levels of an owner. Returns how many.
function levels.release_owner(owner)
  local count = 0
  for holder, owned in pairs(input.owners) do
    local mask = 0
    for key, of in pairs(owned) do
      mask = owners.includes(owner, of) and mask | 1 << key or mask
    end
    count = count + release(holder, mask)
  end
  input.apply()
  return count
end

--- Gives the levels of a holder to another owner.
function levels.move(holder, from, to)
  for key, of in pairs(input.owners[holder] or {}) do
    if of == from then
      input.owners[holder][key] = to
    end
  end
end

return levels
end)()

-- ========================================================================================================================
-- lua/src/base/crypto.lua
-- ========================================================================================================================

modules["base.crypto"] = (function()
-- SHA-256, HMAC-SHA-256 and random numbers. mGBA offers none to scripts.

local state = require("base.state")

local byte, format, gsub, sub = string.byte, string.format, string.gsub, string.sub

local crypto = {}

--- The first 32 bits of the fractional part of the given root of each of the first `count` primes: SHA-2's constants.
local function root_fractions(count, exponent)
  local list, candidate = {}, 2
  while #list < count do
    local is_prime = true
    for divisor = 2, math.floor(candidate ^ 0.5) do
      is_prime = is_prime and candidate % divisor ~= 0
    end
    if is_prime then
      local root = candidate ^ exponent
      list[#list + 1] = math.floor((root - math.floor(root)) * 4294967296)
    end
    candidate = candidate + 1
  end
  return list
end

local SHA_INITIAL <const> = root_fractions(8, 1 / 2)
local SHA_ROUND <const> = root_fractions(64, 1 / 3)

local function rotate(x, n)
  return (x >> n | x << (32 - n)) & 0xffffffff
end

local function sha256_block(hash, block)
  local w = { string.unpack(">I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4", block) }
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    local s0 = rotate(x, 7) ~ rotate(x, 18) ~ (x >> 3)
    local s1 = rotate(y, 17) ~ rotate(y, 19) ~ (y >> 10)
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff
  end
  local a, b, c, d, e, f, g, h = table.unpack(hash)
  for i = 1, 64 do
    local s1 = rotate(e, 6) ~ rotate(e, 11) ~ rotate(e, 25)
    local t1 = h + s1 + ((e & f) ~ (~e & 0xffffffff & g)) + SHA_ROUND[i] + w[i]
    local s0 = rotate(a, 2) ~ rotate(a, 13) ~ rotate(a, 22)
    local t2 = s0 + ((a & b) ~ (a & c) ~ (b & c))
    h, g, f, e, d, c, b, a = g, f, e, (d + t1) & 0xffffffff, c, b, a, (t1 + t2) & 0xffffffff
  end
  for i, word in ipairs({ a, b, c, d, e, f, g, h }) do
    hash[i] = (hash[i] + word) & 0xffffffff
  end
end

function crypto.sha256(text)
  local padded = text .. "\x80" .. string.rep("\0", (55 - #text) % 64) .. string.pack(">I8", #text * 8)
  local hash = { table.unpack(SHA_INITIAL) }
  for at = 1, #padded, 64 do
    sha256_block(hash, sub(padded, at, at + 63))
  end
  return string.pack(">I4I4I4I4I4I4I4I4", table.unpack(hash))
end

function crypto.hmac(key, text)
  key = #key > 64 and crypto.sha256(key) or key
  key = key .. string.rep("\0", 64 - #key)
  local function masked(mask)
    return (gsub(key, ".", function(c)
      return string.char(byte(c) ~ mask)
    end))
  end
  local digest = crypto.sha256(masked(0x5c) .. crypto.sha256(masked(0x36) .. text))
  return (gsub(digest, ".", function(c)
    return format("%02x", byte(c))
  end))
end

--- Random lower-case hex digits from /dev/urandom; without it, from values that differ between two starts.
function crypto.random_hex(digits)
  local source = io.open("/dev/urandom", "rb")
  local bytes = source and source:read(32)
  if source then
    source:close()
  end
  bytes = bytes or (tostring({}) .. os.time() .. os.clock() .. math.random(0))
  return sub(crypto.hmac(bytes, tostring(state) .. math.random(0)), 1, digits)
end

return crypto
end)()

-- ========================================================================================================================
-- lua/src/net/proof.lua
-- ========================================================================================================================

modules["net.proof"] = (function()
-- Authentication with a secret: client and script prove that they know it, over the challenges of both (docs/protocol.md, section 3).
-- The secret itself is never sent.

local crypto = require("base.crypto")
local LIMITS <const> = require("base.limits")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local concat = table.concat
local refuse = wire.refuse

local proof = {}

proof.untrusted, proof.failures, proof.failed_in = 0, 0, 0 -- connections now; wrong proofs in the second `failed_in`

function proof.note_failure()
  proof.failures = (proof.failed_in == state.seconds and proof.failures or 0) + 1
  proof.failed_in = state.seconds
end

--- Whether unauthenticated requests wait for the next second because this one had too many wrong proofs.
function proof.is_resting()
  return proof.failures >= LIMITS.untrusted.failures and proof.failed_in == state.seconds
end

function proof.is_late(conn)
  return state.seconds - conn.since > LIMITS.untrusted.seconds
end

function proof.trust(conn)
  conn.trusted, conn.limits, conn.challenges = true, LIMITS, nil
  proof.untrusted = proof.untrusted - 1
end

--- The role is part of the text, so that one side's proof cannot be replayed as the other's.
local function proof_by(role, challenges, session)
  return crypto.hmac(settings.secret, concat({ "mgba-bridge", role, challenges.client, challenges.script, session or "" }, " "))
end

--- Refuses hello permanently: the connection closes after the error reply is sent, and later requests do not run.
local function reject(conn, ...)
  conn.closing = true
  conn.queue, conn.first, conn.last = {}, 1, 0
  refuse(...)
end

--- Refuses hello until it brings the proof, then returns the script's own proof. A connection has one challenge and one attempt.
function proof.authenticate(conn, values, request)
  local given, challenges = values.proof, conn.challenges
  if given and not challenges then
    reject(conn, "version", "this client sends proof= without a challenge= before it, as older versions do; update the client (the gateway)")
  elseif not given and challenges then
    reject(conn, "auth-failed", "a connection gets one challenge; open another connection")
  elseif not given and not values.challenge then
    refuse("auth-required", "this emulator requires a secret; send hello with challenge=, 32 to 64 random hex digits")
  elseif not given then
    conn.challenges = { client = values.challenge, script = crypto.random_hex(32) }
    request.challenge = conn.challenges.script
    refuse("auth-required", "send hello again with proof= (docs/protocol.md, section 3)")
  elseif given ~= proof_by("client", challenges, values.session) then -- one comparison per challenge, so its timing reveals nothing
    proof.note_failure()
    reject(conn, "auth-failed", "the proof does not match; client and MGBA_BRIDGE_SECRET need the same secret")
  end
  proof.trust(conn)
  return proof_by("script", challenges, values.session)
end

return proof
end)()

-- ========================================================================================================================
-- lua/src/net/connections.lua
-- ========================================================================================================================

modules["net.connections"] = (function()
-- Connections: open, send, close. Raw `_socket` objects are used because the high-level sockets add a frame callback for each
-- connection, and mGBA 0.10 leaks it.

local constants = require("base.constants")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local host = require("base.host").calls
local jobs = require("request.jobs")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local log = require("base.log")
local memory_budget = require("request.memory_budget")
local proof = require("net.proof")
local replies = require("request.replies")
local sensors = require("game.sensors")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local TERMINATOR <const> = constants.TERMINATOR
local format, sub = string.format, string.sub
local concat = table.concat

-- Properties of mGBA's sockets: readable and empty means closed, whatever the error says; a failed send may look like one byte sent, so check
-- `.error`; a second close() closes another connection, so a closed object is bound to an address that does not exist.
local OK <const>, AGAIN <const> = 0, 1

local SEND_CHUNK <const> = 1048576
local DRAIN_SECONDS <const> = 1 -- minimum time for a refused connection to read the reason
local MAX_REFUSED <const> = 40 -- refused connections at a time: the engine aborts at 1,024 descriptors, and the window uses some
local connections = {
  list = {},
  listener = nil,
  next_id = 1,
  favourite = nil, -- the connection that was busy last
  peak = 0,
  watched = {}, -- by id: connections that the host watches
  is_watched = host ~= nil, -- whether it watches all of them
}

--- Lets the host watch a socket. The listener has the id 0.
function connections.watch(socket, id)
  if host and not host.watch(socket, id) then
    connections.is_watched = false
    log.write("warn", "mgba-headless cannot watch a connection; the script polls instead")
  end
end

function connections.close_socket(socket)
  socket:close()
  socket:open("192.0.2.1", 0)
end

local function new_connection(socket)
  local id = connections.next_id
  connections.next_id = id + 1
  return {
    id = id, name = "connection:" .. id, socket = socket, recv = socket.recv, send = socket.send, select = socket.select,
    trusted = not settings.secret, limits = settings.secret and LIMITS.untrusted or LIMITS, since = state.seconds,
    buffer = "", chunks = nil, waiting_for = 0, scanned = 1, fresh = true, woke = nil,
    queue = {}, first = 1, last = 0, -- requests read and not started
    out = {}, out_first = 1, out_last = 0, out_offset = 1, unsent = 0,
    deferred = 0, queued = 0, running = 0, counted = 0, skip = 0, events = 0, active_beat = state.beat, ready = true,
  }
end

function connections.close(conn)
  if conn.closed then
    return
  end
  conn.closed = true
  connections.watched[conn.id] = nil
  proof.untrusted = proof.untrusted - (conn.trusted and 0 or 1)
  connections.close_socket(conn.socket)
  local session = conn.session
  if session then
    session.connections = session.connections - 1
    if session.connections == 0 then
      session.left, session.released = state.seconds, nil
    end
  else
    levels.release_owner(conn)
    freezes.release_owner(conn)
    sensors.release_owner(conn)
    debugger.release_owner(conn)
  end
  for _, job in ipairs(conn.deferred > 0 and jobs.all() or {}) do
    local request = job.request
    if request.conn == conn and (job.bucket == jobs.slices.by_conn[conn] or (request.row and request.row.kind == "read")) then
      jobs.stop(job)
    end
  end
  conn.queue, conn.out, conn.buffer, conn.chunks = {}, {}, "", nil
  conn.first, conn.last, conn.unsent, conn.queued = 1, 0, 0, 0
  memory_budget.recount(conn)
  if connections.favourite == conn then
    connections.favourite = nil
  end
  log.write("debug", "connection %d ended", conn.id)
end

--- Removes closed connections from the list. Called once a frame, and by dispatch.clean.
function connections.sweep()
  local list, kept = connections.list, 0
  for i = 1, #list do
    local conn = list[i]
    list[i] = nil
    if not conn.closed then
      kept = kept + 1
      list[kept] = conn
    end
  end
end

--- Sends one piece. Returns how many bytes went, or nil when the peer is gone.
local function send_piece(conn, data)
  local sent = conn.send(conn.socket, data)
  local problem = sent == #data and sent > 1 and OK or conn.socket.error
  if problem == OK then
    return sent
  elseif problem == AGAIN then
    return 0
  end
  connections.close(conn)
  return nil
end

local function join_small(conn)
  if conn.out_last > conn.out_first and conn.unsent <= SEND_CHUNK then
    local all = concat(conn.out, "", conn.out_first, conn.out_last)
    conn.out, conn.out_first, conn.out_last = { sub(all, conn.out_offset) }, 1, 1
    conn.out_offset = 1
  end
end

--- Sends queued data until the socket takes no more.
function connections.flush(conn)
  if conn.unsent == 0 then
    return
  end
  join_small(conn)
  while conn.out_first <= conn.out_last do
    local data, offset = conn.out[conn.out_first], conn.out_offset
    local whole = offset == 1 and #data <= SEND_CHUNK
    local piece = whole and data or sub(data, offset, offset + SEND_CHUNK - 1)
    local sent = send_piece(conn, piece)
    if not sent then
      return
    end
    conn.unsent = conn.unsent - sent
    if offset + sent > #data then
      conn.out[conn.out_first] = nil
      conn.out_first, conn.out_offset = conn.out_first + 1, 1
    else
      conn.out_offset = offset + sent
    end
    if sent < #piece then
      return
    end
  end
  conn.out_first, conn.out_last = 1, 0
end

function connections.flush_all()
  for _, conn in ipairs(connections.list) do
    connections.flush(conn)
  end
end

--- Sends a last message and closes the connection after a delay: an immediate close would reset it, and the message would be lost.
function connections.refuse_as(conn, message)
  replies.write(conn, message)
  conn.closing = true
  conn.close_at = state.seconds + DRAIN_SECONDS
  connections.flush(conn)
end

--- Sends an error and closes the connection.
function connections.refuse(conn, code, text)
  connections.refuse_as(conn, concat({ "#0 ", state.frame, " ", state.epoch, " error ", code, " ", wire.quote(text), TERMINATOR }))
end

--- Why a new connection is refused, or nil.
local function reason_to_refuse(conn, count)
  local most = math.max(1, math.min(LIMITS.untrusted.connections, settings.connections // 2))
  if count > settings.connections then
    return format("%d connections are open, the most this script takes; share or close some", settings.connections)
  elseif not conn.trusted and proof.untrusted > most then
    return format("%d connections have not proved the secret yet, the most this script takes; try again in %d s", most, LIMITS.untrusted.seconds)
  end
end

function connections.accept()
  local listener, accepted = connections.listener, 0
  while #connections.list < settings.connections + MAX_REFUSED and listener:select(0) == 1 do
    local socket = listener:accept()
    if not socket or socket.error ~= OK then
      break
    end
    local conn = new_connection(socket)
    local count = #connections.list + 1
    connections.list[count] = conn
    connections.watched[conn.id] = conn
    connections.watch(socket, conn.id)
    connections.peak = math.max(connections.peak, count)
    accepted = accepted + 1
    proof.untrusted = proof.untrusted + (conn.trusted and 0 or 1)
    local reason = reason_to_refuse(conn, count)
    if not conn.trusted and proof.untrusted > LIMITS.untrusted.connections + MAX_REFUSED then
      connections.list[count] = nil
      connections.close(conn) -- refused connections that are still open must not use all places
    elseif reason then
      connections.refuse(conn, "too-many-connections", reason)
    end
    log.write("debug", "connection %d opened", conn.id)
  end
  return accepted
end

function connections.send_event(conn, topic, text, tail)
  conn.events = conn.events + 1
  replies.write(
    conn,
    concat({
      "!", conn.events, tail and "+" or "", tail and #tail or "", " ", state.frame, " ", state.epoch, " ", topic, text and " " or "", text or "",
      TERMINATOR, tail or "",
    })
  )
end

--- Sends an event to every client that has sent hello. A client that does not read loses it; the number of the next event shows the gap.
function connections.announce(topic, text)
  for _, conn in ipairs(connections.list) do
    if conn.greeted and conn.unsent > LIMITS.events then
      conn.events = conn.events + 1
    elseif conn.greeted and not conn.closed then
      connections.send_event(conn, topic, text)
      connections.flush(conn)
    end
  end
end

connections.SEND_CHUNK, connections.DRAIN_SECONDS = SEND_CHUNK, DRAIN_SECONDS

return connections
end)()

-- ========================================================================================================================
-- lua/src/pace/learning.lua
-- ========================================================================================================================

modules["pace.learning"] = (function()
-- Pace: how long a frame may wait for requests without delaying the game. This module measures the period of the frames.

local constants = require("base.constants")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND

-- mGBA sleeps after each frame until the next is due. The script waits for requests in that time instead ("linger") and must return before the
-- next frame is due. So it learns when frames are due: their period while it does not linger, then a schedule that follows the frames (early
-- frames move it immediately, late ones hardly, or the script would slow the game and take that for its pace). It lingers until `reserve` before
-- the next frame is due. A host that is paced by its audio buffer (mgba-qt) has no such schedule: it runs three frames at once and then sleeps.
-- There the script measures the sleep that remains between frames, and lingers longer the more there is ("share").
local pace = {
  mode = "learn", -- learn: measuring, no linger; locked: lingering; free: no pace to keep, as in fast-forward
  times = {}, -- of the frames seen while learning
  period = nil,
  is_bursty = nil, -- several frames at once, then sleep; nil: not known yet
  learn_at = nil, -- the frame in which learning starts again
  jitter = 0, -- how irregular frames are without lingering
  due = nil, -- when this frame was due; nil when unknown, because no client was connected
  last_frame = 0,
  reserve = 3000, -- microseconds; the maximum of its initial value
  emulation = 0, -- microseconds of processor time from one callback to the next, on average
  emulations = 0, -- frames in that average
  cpu_ended = nil, -- the processor's time when the last callback ended
  early = 0, -- frames in a row that came early
  late = 0, -- frames that came late, since load
  late_row = 0, -- late frames in a row
  lingered = 0, -- microseconds in the last frame
  share = 4000, -- bursty hosts: microseconds of a frame to linger
  ceiling = 14000, -- maximum of `share`
  ended = nil, -- when the last frame with a client that is active returned to the emulator
  gaps = {}, -- from there to the next frame: emulation and the host's sleep
  mark_frame = 0, -- start of the measurement of the host's long-term rate
  mark_time = nil,
}

local LEARN_FRAMES <const> = 32
local LEARN_BURSTY <const> = 256
local UNEVEN <const> = 0.25 -- of a period: more jitter needs a longer measurement
-- Part of the frames that closely follow another one: measured with audio sync 0.58, and 0.22 beside 14 busy processes on two processors; with video
-- sync 0, and 0.08 beside them. What is between the two decides nothing; a host that is not known yet is then measured again.
local BURSTY <const>, SCHEDULED <const> = 0.2, 0.1
local UNDECIDED_FRAMES <const> = 600
local FREE_PERIOD <const> = 4000 -- below it (250 frames a second) the game has no frame limit
local FREE_FRAMES <const> = 240
local RESERVE_AT_FIRST <const>, RESERVE_UNKNOWN <const> = 1000, pace.reserve -- beyond the emulation; while that is not known
local EMULATIONS <const> = 20

--- The part of the frames that closely follow another one.
local function bursts(times, period)
  local close = 0
  for i = 2, #times do
    close = close + (times[i] - times[i - 1] < period / 2 and 1 or 0)
  end
  return close / (#times - 1)
end

--- Period and jitter of the frames at these times. Uses medians and deciles, because some frames are very late on a busy machine.
local function fit(times)
  local n, half, steps, offs = #times, #times // 2, {}, {}
  for i = 1, n - half do
    steps[i] = times[i + half] - times[i]
  end
  table.sort(steps)
  local period = steps[#steps // 2 + 1] / half
  for i = 1, n do
    offs[i] = times[i] - times[1] - (i - 1) * period
  end
  table.sort(offs)
  local early, late = offs[n // 10 + 1], offs[n - n // 10]
  return period, late - early, early, bursts(times, period)
end

--- Starts learning; with `is_look` only to check again, which ends with the next request.
function pace.start_learning(is_look)
  pace.mode, pace.times, pace.early, pace.late_row, pace.is_look, pace.learn_at = "learn", {}, 0, 0, is_look, nil
end

--- Uses the learned period. Without `due`, the schedule begins with the next frame.
local function lock(due)
  pace.mode, pace.due, pace.last_frame = "locked", due, state.frame
  pace.mark_time, pace.ended, pace.gaps = nil, nil, {}
  pace.learn_at = pace.is_bursty == nil and state.frame + UNDECIDED_FRAMES or nil
end

local function learn(time)
  local times = pace.times
  times[#times + 1] = time
  local n = #times
  if n > 1 and (time <= times[n - 1] or time - times[n - 1] > 500 * MILLISECOND) then
    pace.start_learning(pace.is_look) -- paused, or the clock was set
    return
  end
  if n % LEARN_FRAMES ~= 0 then
    return
  end
  local seen = n < LEARN_BURSTY and table.move(times, n - LEARN_FRAMES + 1, n, 1, {}) or times
  local period, jitter, least, close = fit(seen)
  if n < LEARN_BURSTY and jitter > period * UNEVEN and period > FREE_PERIOD then
    return -- bursts, or a machine that is busy for a while: measure longer
  end
  if close > BURSTY or close < SCHEDULED then
    pace.is_bursty = close > BURSTY
  end
  pace.period, pace.jitter = period, pace.is_bursty and jitter or math.min(jitter, period * UNEVEN)
  if period < FREE_PERIOD then
    pace.mode, pace.learn_at = "free", state.frame + FREE_FRAMES
    return
  end
  if pace.emulations == EMULATIONS and not pace.is_look then
    pace.reserve = math.min(pace.emulation + RESERVE_AT_FIRST, RESERVE_UNKNOWN) -- processor time counts all threads of a window
  end
  lock(seen[1] + (#seen - 1) * period + least)
end

--- Measures the emulation since the last callback ended, as processor time because the host sleeps in between.
function pace.began(cpu)
  if pace.cpu_ended then
    pace.emulations = math.min(pace.emulations + 1, EMULATIONS)
    pace.emulation = pace.emulation + ((cpu - pace.cpu_ended) * 1000000 - pace.emulation) / pace.emulations
  end
end

pace.lock, pace.learn = lock, learn

return pace
end)()

-- ========================================================================================================================
-- lua/src/pace/bursts.lua
-- ========================================================================================================================

modules["pace.bursts"] = (function()
-- Pace of a host without a schedule, which runs several frames at once and then sleeps (mgba-qt with audio).

local constants = require("base.constants")
local pace = require("pace.learning")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND

local bursts = {}

local GAPS <const> = 16
local SLEEP_LEFT <const> = 1200 -- average microseconds of sleep per frame that are left to the host
local RATE_FRAMES <const> = 240
local SLOWER <const>, MUCH_SLOWER <const>, FASTER <const> = 0.005, 0.03, 0.03 -- parts of the period
local CEILING_STEP <const> = 50 -- microseconds by which the share may grow again, each time the rate was right
local CEILING_USUAL <const> = 0.8 -- of the period: up to there it grows faster

--- More linger while the host sleeps between its frames, less when it hardly does. A short gap is taken for emulation alone.
local function share_by_gaps()
  local sum, gaps = 0, pace.gaps
  for _, gap in ipairs(gaps) do
    sum = sum + gap
  end
  table.sort(gaps)
  local sleep = sum / GAPS - gaps[GAPS // 4]
  pace.gaps = {}
  if sleep < SLEEP_LEFT / 4 then
    pace.share = pace.share * 0.9
  else
    pace.share = math.max(0, math.min(pace.share + (sleep - SLEEP_LEFT) / 4, pace.ceiling))
  end
end

--- The long-term rate bounds the share: noise of a busy machine resembles sleep, but lost frames are reliable.
local function watch_rate(time)
  if not pace.mark_time then
    pace.mark_frame, pace.mark_time = state.frame, time
  end
  local frames = state.frame - pace.mark_frame
  if frames < RATE_FRAMES // 4 then
    return
  end
  local excess = (time - pace.mark_time) / frames - pace.period
  if frames < RATE_FRAMES and excess < pace.period * MUCH_SLOWER then
    return
  end
  pace.mark_frame, pace.mark_time = state.frame, time
  if excess < -pace.period * FASTER then
    pace.start_learning()
  elseif excess > pace.period * SLOWER then
    pace.late = pace.late + math.floor(frames * excess / pace.period)
    pace.late_row = pace.late_row + 1
    pace.ceiling = math.max(0, math.min(pace.share, pace.ceiling) - excess - SLEEP_LEFT / 4)
    pace.share = pace.ceiling
    if pace.late_row > 8 then
      pace.start_learning() -- late whatever we do: it has become slower
    end
  else
    pace.late_row = 0
    pace.ceiling = pace.ceiling + math.max(CEILING_STEP, (pace.period * CEILING_USUAL - pace.ceiling) / 8)
    pace.ceiling = math.min(pace.ceiling, pace.period)
  end
end

--- A frame of a host without a schedule.
function bursts.follow(time)
  if pace.ended then
    local gap = time - pace.ended
    pace.ended = nil
    if gap > 0 and gap < 200 * MILLISECOND then
      pace.gaps[#pace.gaps + 1] = gap
    elseif gap > 0 then
      pace.mark_time = nil -- paused
    end
    if #pace.gaps == GAPS then
      share_by_gaps()
    end
  end
  watch_rate(time)
end

return bursts
end)()

-- ========================================================================================================================
-- lua/src/pace/hosted.lua
-- ========================================================================================================================

modules["pace.hosted"] = (function()
-- Pace of mgba-headless, which knows when the next frame is due: nothing has to be measured.

local host = require("base.host").calls
local pace = require("pace.learning")
local state = require("base.state")

local hosted = {}

local LATE <const> = 1.25 -- periods after the frame before: late

--- Notes the host's frame rate, and whether this frame is late. Returns the time.
function hosted.observe()
  local time, period = host.now(), host.period()
  local before = pace.last_time
  if period > 0 then
    pace.mode, pace.period = "locked", period
    if before and pace.last_frame == state.frame - 1 and time - before > period * LATE then
      pace.late = pace.late + 1
    end
  else
    pace.mode = "free"
    pace.period = before and (time - before) / math.max(1, state.frame - pace.last_frame) or nil
  end
  pace.last_time, pace.last_frame = time, state.frame
  return time
end

return hosted
end)()

-- ========================================================================================================================
-- lua/src/pace/slow.lua
-- ========================================================================================================================

modules["pace.slow"] = (function()
-- The pace of a window whose frames are slow, from whole seconds, which cost nothing: clients only derive time limits from it.

local SLOW <const> = 100000 -- microseconds of a frame; faster frames need no longer limits

local slow = { period = 0 } -- microseconds of a frame, 0 unless frames are slow

local second, frames, was_slow = os.time(), 0, false

--- Counts a frame. A single slow second may be a pause.
function slow.count()
  frames = frames + 1
  local now = os.time()
  if now == second then
    return
  end
  local period = math.max(0, now - second) * 1000000 // frames
  local is_slow = period > SLOW
  if is_slow and was_slow and (period > slow.period * 2 or period * 2 < slow.period) then
    slow.period = period
  elseif not is_slow then
    slow.period = 0
  end
  second, frames, was_slow = now, 0, is_slow
end

return slow
end)()

-- ========================================================================================================================
-- lua/src/pace/schedule.lua
-- ========================================================================================================================

modules["pace.schedule"] = (function()
-- Pace of a host with a schedule, and how long each frame may wait for requests.

local clock = require("pace.clock")
local constants = require("base.constants")
local bursts = require("pace.bursts")
local host = require("base.host").calls
local hosted = require("pace.hosted")
local pace = require("pace.learning")
local settings = require("base.settings")
local slow = require("pace.slow")
local state = require("base.state")

local MILLISECOND <const> = constants.MILLISECOND
local learn, lock = pace.learn, pace.lock

local RESERVE_LEAST <const> = 500
local MAX_RESERVE <const> = 0.85 -- of the period
local RESERVE_SPARE <const> = 3000 -- beyond twice the emulation: later frames are caused by the host's own sleep
local RESERVE_STEP <const> = 5
local SHIFT_ALLOWED <const> = 700
local IDLE_LOOK <const> = 16
local RELEARN_FRAMES <const> = 2400 -- a multiple of IDLE_LOOK
local UNTRUSTED_LINGER <const> = 8 * MILLISECOND

-- Lingering until the next frame hides a host that has become faster (another fps target, fast-forward), so a few frames return early at times.
local PROBE_EVERY <const>, PROBE_FRAMES <const>, PROBE_PART <const> = 300, 6, 0.3

--- Adjusts the reserve. Lateness does not accumulate: the linger ends at a fixed time of the schedule, so a late frame lingers less, and a
--- reserve shorter than the emulation of a frame shifts all frames by the difference. So the reserve grows only while most frames are late, by
--- steps that increase with each late frame in a row. On a busy machine some frames are always late, and a longer reserve would not help.
local function adjust_reserve(lateness)
  if lateness <= pace.jitter + SHIFT_ALLOWED then
    pace.shift_row, pace.late_row = 0, 0
    pace.reserve = math.max(RESERVE_LEAST, pace.reserve - RESERVE_STEP)
    return
  end
  pace.shift_row = math.min((pace.shift_row or 0) + 1, 20)
  local most = math.min(pace.period * MAX_RESERVE, pace.emulation * 2 + RESERVE_SPARE)
  pace.reserve = math.max(RESERVE_LEAST, math.min(pace.reserve + RESERVE_STEP * pace.shift_row, most))
  if lateness <= pace.jitter + pace.period / 4 then
    pace.late_row = 0
    return
  end
  pace.late, pace.late_row = pace.late + 1, pace.late_row + 1
  if pace.late_row > 120 then
    pace.start_learning() -- late although nothing lingers: the host has become slower
  end
end

--- Moves the schedule to this frame, and adjusts the reserve to its lateness.
local function follow(time)
  local frames = state.frame - pace.last_frame
  pace.last_frame = state.frame
  pace.due = pace.due and pace.due + frames * pace.period or time
  local lateness = time - pace.due
  if math.abs(lateness) > 8 * pace.period + pace.jitter then
    pace.due, pace.early = time, 0 -- a pause or a long stall: nothing to catch up
    return
  end
  if lateness < 0 then
    pace.due = time
    pace.early = lateness < -400 and pace.early + 1 or 0
    if pace.early >= 4 then
      pace.start_learning() -- the host is ahead of the schedule: it has become faster
    end
    return
  end
  pace.early = 0
  pace.due = pace.due + math.min(lateness, pace.period * 0.0003)
  adjust_reserve(lateness)
end

--- Reads the clock when this frame needs it. Returns the time or nil.
function pace.observe(is_active)
  if host then
    return hosted.observe()
  end
  if pace.mode == "learn" and pace.is_look and is_active then
    lock(nil) -- the earlier result is used until frames differ from it
  end
  if pace.learn_at and state.frame >= pace.learn_at then
    pace.start_learning()
  end
  if pace.mode == "learn" then
    local time = clock.look()
    if time then
      learn(time)
    end
    return time
  elseif pace.mode == "free" then
    return nil
  elseif not is_active and state.frame % IDLE_LOOK ~= 0 then
    return nil
  elseif not is_active and state.frame % RELEARN_FRAMES == 0 then
    pace.start_learning(true) -- the host may have changed since the last request
  end
  local time = clock.look()
  if time and pace.is_bursty then
    bursts.follow(time)
  elseif time then
    follow(time)
  end
  return time
end

--- Microseconds of a frame at the pace that the host wants; 0 when it has no limit, or is not known.
function pace.wanted()
  return host and host.period() or slow.period
end

--- How many microseconds this frame may wait for requests.
function pace.linger_budget(is_active, time)
  if settings.linger == 0 then
    return 0
  elseif host then
    return math.min(host.left(), settings.linger * MILLISECOND) -- also without requests: the wait costs nothing
  elseif not is_active then
    return 0
  elseif clock.trusted == false then
    return math.min(settings.linger * MILLISECOND, UNTRUSTED_LINGER)
  elseif pace.mode ~= "locked" or not time then
    return 0
  elseif pace.is_bursty then
    return math.min(pace.share, settings.linger * MILLISECOND)
  end
  local early = state.frame % PROBE_EVERY < PROBE_FRAMES and pace.period * PROBE_PART or 0
  local back = (pace.due or time) + pace.period - pace.reserve - early
  return math.max(0, math.min(back - time, settings.linger * MILLISECOND))
end

return pace
end)()

-- ========================================================================================================================
-- lua/src/session/batch.lua
-- ========================================================================================================================

modules["session.batch"] = (function()
-- Batches: several commands in one message and one frame.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local TERMINATOR <const> = constants.TERMINATOR
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local find, format, match, sub = string.find, string.format, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local batch = {}

local guards = {}

for _, width in ipairs({ 1, 2, 4 }) do
  guards["guard" .. width * 8] = {
    name = "guard" .. width * 8,
    arguments = { "location", "comparison", "integer" },
    least = 3,
    most = 3,
    takes = "location comparison integer",
    tail = "none",
    cost = 0,
    holds = function(values)
      local found = memory.read_number(values[1], width)
      return values[2](found, values[3]), tostring(found)
    end,
  }
end

guards.guard = {
  name = "guard",
  arguments = { "location" },
  least = 1,
  most = 1,
  takes = "location",
  tail = "takes",
  cost = function(values, item)
    return memory.read_cost(values[1], #item.tail)
  end,
  holds = function(values, item)
    return memory.read(values[1], #item.tail) == item.tail, "other bytes"
  end,
}

-- Cache of parsed items that read, by their text, because clients repeat the same ones.
local parsed = { count = 0, by_text = {} }

local MAX_PARSED <const>, PARSED_LENGTH <const> = 512, 256

local function parse_head(head)
  local length, rest = match(head, "^%s*%+(%d+) +(.*)$")
  if length and #length > 9 then
    refuse("bad-batch", "its tail of %s bytes is longer than a message may be", length)
  end
  local name, text = match(rest or head, "^%s*([^ ]+) ?(.*)$")
  if not name then
    refuse("bad-batch", "an item is empty")
  end
  local row = guards[name] or commands.rows[name] or refuse("unknown-command", "%q is not a command", wire.printable(name))
  if row.alone then
    refuse("bad-batch", "%s cannot be in a batch", name)
  end
  local words, named = arguments.split(text)
  return { row = row, values = arguments.read(row, words, named), length = tonumber(length), is_guard = guards[name] ~= nil }
end

local function parse_item(head, request)
  local known = parsed.by_text[head]
  if not known then
    known = parse_head(head)
    if known.row.kind == "read" and #head <= PARSED_LENGTH then
      if parsed.count >= MAX_PARSED then
        parsed.count, parsed.by_text = 0, {}
      end
      parsed.count, parsed.by_text[head] = parsed.count + 1, known
    end
  end
  return {
    row = known.row,
    values = known.values,
    length = known.length,
    is_guard = known.is_guard,
    is_item = true,
    holder = request.holder,
    owner = request.owner,
    session = request.session,
    conn = request.conn,
  }
end

--- What the rows cannot say: order, what fits one frame, and what ends within it.
function batch.check(item, before, request)
  commands.check_tail(item.row, item.tail)
  if item.is_guard and before and not before.is_guard then
    refuse("bad-batch", "guards come before everything else")
  elseif item.values.wait then
    refuse("bad-batch", "wait=true cannot be in a batch, which ends within its frame")
  end
  request.cost = request.cost + work.item + #item.values * work.argument + work.of(item.row, item.values, item)
  request.arguments = (request.arguments or 0) + #item.values
  if request.arguments > LIMITS.arguments then
    refuse("bad-batch", "a batch has up to %d arguments in all its items; read neighbours as ranges, or use another batch", LIMITS.arguments)
  elseif item.row.writes_tail then
    request.written = (request.written or 0) + #item.tail
    if request.written > LIMITS.write then
      refuse("bad-batch", "a batch writes up to %d bytes of memory, since that is what one frame has time for", LIMITS.write)
    end
  end
end

--- The items of a batch's tail, all arguments checked. Refuses with the number of the bad one.
function batch.parse(request)
  local data, at, items = request.tail, 1, {}
  request.cost = work.request
  while at <= #data do
    local stop, last = find(data, TERMINATOR, at, true)
    local number = #items + 1
    if not stop or number > LIMITS.items then
      refuse("bad-batch", stop and "more than %d items" or "item %d does not end in <|END|>", stop and LIMITS.items or number)
    end
    local ok, item = pcall(parse_item, sub(data, at, stop - 1), request)
    if ok and item.length then
      item.tail = sub(data, last + 1, last + item.length)
      ok = #item.tail == item.length
      item = ok and item or "bad-batch its tail is cut short"
    end
    if ok then
      ok, item.problem = pcall(batch.check, item, items[number - 1], request)
      item = ok and item or item.problem
    end
    if not ok then
      local _, text = wire.caught(item)
      request.item = number
      refuse("bad-batch", "item %d: %s", number, text)
    end
    items[number], at = item, last + 1 + (item.length or 0)
  end
  if request.cost and request.cost > LIMITS.frame_cost then
    refuse("bad-batch", "its %d items cost %d us; one frame has time for %d: use several batches", #items, request.cost // 1, LIMITS.frame_cost)
  end
  return items
end

--- The cost of a batch now. Its items are parsed once, also when it has to wait. A batch for a later frame has its time reserved there.
function batch.cost(values, request)
  request.items = request.items or request.tail and batch.parse(request)
  return not values.at and not values.after and request.cost or 0
end

function batch.check_guards(items, request)
  for number, item in ipairs(items) do
    if item.is_guard then
      request.item = number -- part of an error reply
      local holds, found = item.row.holds(item.values, item)
      if not holds then
        refuse("guard-failed", "item %d: found %s", number, found)
      end
    end
  end
  request.item = nil
end

--- A run of items, which continues until one of them fails.
function batch.start(items)
  return { items = items, parts = {}, done = 0, total = 0, failed = false }
end

--- Runs those up to a number that have not run.
function batch.continue(run, last)
  local items, parts = run.items, run.parts
  for number = run.done + 1, run.failed and 0 or math.min(last, #items) do
    local item = items[number]
    local ok, text, tail = true, nil, nil
    if not item.is_guard then
      ok, text, tail = pcall(item.row.run, item.values, item)
      run.total = run.total + (ok and tail and #tail or 0)
      if run.total > LIMITS.tail then
        ok, text = false, format("bad-argument the results have over %d bytes together; request fewer", LIMITS.tail)
      end
    end
    if not ok then
      local code, detail = wire.caught(text)
      parts[#parts + 1] = "error " .. code .. " " .. wire.quote(detail) .. TERMINATOR
      run.failed = true
      break
    end
    run.done = number
    parts[#parts + 1] = (tail and "+" .. #tail .. " " or "") .. "ok" .. (text and " " .. text or "") .. TERMINATOR .. (tail or "")
  end
end

--- Runs the rest. Returns the results of all.
function batch.finish(run)
  batch.continue(run, #run.items)
  return wire.record({ "done", run.done, "of", #run.items }), concat(run.parts)
end

function batch.run(items)
  return batch.finish(batch.start(items))
end

local function guarded_run(items, request)
  batch.check_guards(items, request)
  return batch.run(items)
end

--- @command batch.run
--- @type RunBatch(Items:items, At, After) Runs several commands in order between the same two frames. If a guard does not match, none of them runs.
--- @arguments tail of items; `after=n` or `at=frame`
--- @reply `done= of=`, tail of results
--- @notes section 7.1; takes frames if delayed
command({
  name = "batch.run",
  kind = "effect",
  tail = "takes",
  named = { "at:frame", "after" },
  alone = true,
  has_items = true,
  lasts = { "at", "after" },
  bulk = "tail",
  cost = batch.cost,
  run = function(values, request)
    local items = request.items
    local due = values.at or values.after and state.frame + values.after or state.frame
    if due < state.frame then
      refuse("bad-argument", "frame %d has passed; the current frame is %d", due, state.frame)
    elseif due == state.frame then
      return guarded_run(items, request)
    end
    jobs.start_at(request, due, function()
      answer(request, guarded_run(items, request))
      return true
    end, request.cost)
    return DEFERRED
  end,
})

return batch
end)()

-- ========================================================================================================================
-- lua/src/session/lease.lua
-- ========================================================================================================================

modules["session.lease"] = (function()
-- Lease: one client controls the game, which runs exactly the frames that this client requests.

local arguments = require("wire.arguments")
local batch = require("session.batch")
local clock = require("pace.clock")
local commands = require("request.command_table")
local connections = require("net.connections")
local constants = require("base.constants")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local pace = require("pace.schedule")
local replies = require("request.replies")
local sensors = require("game.sensors")
local settings = require("base.settings")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")

local command = commands.define
local live_core_or_refuse = game.live_core_or_refuse
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local refuse = wire.refuse

local lease = {
  holder = nil, -- who has it
  session = nil,
  owner = nil, -- with whose end it ends
  ended = nil, -- why the last one has ended
  token = nil, -- lets the same client continue on another connection
  conn = nil, -- connection of its last request
  limit = 0, -- microseconds that the game may stop between two requests of the holder
  idle = 0, -- used microseconds of this limit
  frames = 0, -- frames still to run
  request = nil, -- the step that is answered afterwards
  run = nil, -- of its items, of which some may have run before the frames
  attached = nil, -- while the host has a socket from which steps come: { items, state }, what each reads, and where one with `reset` continues
  is_local = false, -- whether the running step came from there
}

lease.SOCKET = 0xffffffff -- for the host: the id of this socket; those of connections are smaller

local OK <const>, FAILED <const> = 0, 1 -- of a step from the socket
local RESET <const> = 1 << 16

--- The head of the answer to a step from the socket: where the game is, and whether what follows is the observation or why there is none.
local function local_head(status)
  return string.pack("<i8I4I4", state.frame, tonumber(state.epoch, 16), status)
end

--- What the items read in this frame.
local function observe(items)
  local parts = {}
  for number, item in ipairs(items) do
    local _, tail = item.row.run(item.values, item)
    parts[number] = tail or ""
  end
  return table.concat(parts)
end

--- Closes the socket; the lease stays.
function lease.detach()
  if lease.attached then
    lease.attached = nil
    host.closeSteps()
  end
end

local function answer_local(status, text)
  lease.is_local = false
  if not host.sendStep(local_head(status) .. text) then
    lease.detach()
  end
end

local function refuse_local(problem)
  local code, text = wire.caught(problem)
  answer_local(FAILED, code .. " " .. text)
end

local function begin_local(step)
  local frames = step >> 32
  if frames > LIMITS.frames then
    refuse("bad-argument", "a step has up to %d frames, not %d", LIMITS.frames, frames)
  elseif step & RESET ~= 0 then
    states.recall(lease.attached.state or refuse("bad-argument", "lease.attach named no state to reset to"))
  end
  levels.set(input.LEASE, lease.session, step & constants.ALL_KEYS)
  return frames
end

--- Begins the next step of the socket. Returns whether one had come.
function lease.take_step()
  local step = lease.attached and host.takeStep() or -1
  if step == -1 then
    return false
  elseif step < 0 then
    lease.detach()
    return false
  end
  lease.idle, lease.is_local = 0, true
  local ok, frames = pcall(begin_local, step)
  if not ok then
    refuse_local(frames)
  elseif frames == 0 then
    lease.answer_step()
  else
    lease.frames = frames
  end
  return true
end

--- Cancels the running step, if there is one. The game stops again, and the holder's time limit applies.
function lease.stop_step(reason)
  local request = lease.request
  lease.request, lease.run, lease.frames, lease.idle = nil, nil, 0, 0
  if request then
    request.conn.deferred = request.conn.deferred - 1
    answer_error(request, "cancelled " .. reason)
    connections.flush(request.conn)
  elseif lease.is_local then
    refuse_local("cancelled " .. reason)
  end
end

--- Cancels the running step when the connection of a holder without a session has closed; with a session, sessions.sweep does. The step
--- belongs to the present holder: a client that takes the lease over waits for the step of the previous connection.
function lease.check_caller()
  if lease.request and not lease.session and (lease.conn.eof or lease.conn.closed) then
    lease.stop_step("the connection of its holder was closed")
  end
end

function lease.finish(reason)
  if not lease.holder then
    return
  end
  lease.holder, lease.owner, lease.ended = nil, nil, reason
  lease.stop_step("the lease ended before these frames were over: " .. reason)
  lease.detach()
  levels.release(input.LEASE, constants.ALL_KEYS)
  connections.announce("lease", "nil " .. wire.quote(reason))
end

--- Whether a request is a batch of reads: it has no effect.
local function only_reads(request)
  if not (request.row and request.row.has_items and request.tail) then
    return false
  end
  request.items = request.items or batch.parse(request)
  for _, item in ipairs(request.items) do
    if not item.is_guard and item.row.kind ~= "read" then
      return false
    end
  end
  return true
end

--- Refuses an effect of any client but the holder.
function lease.check(request)
  if lease.holder and not only_reads(request) and (request.holder ~= lease.holder or request.session ~= lease.session) then
    request.leased_by = lease.holder
    refuse("leased", "%s has the lockstep lease, for at most %.1f s without a step; only reads are answered", lease.holder, lease.limit / 1000000)
  end
end

local function refuse_missing()
  live_core_or_refuse() -- a crash has ended the lease
  refuse("no-lease", "there is no lockstep lease%s; take it first", lease.ended and " (why the last one ended: " .. lease.ended .. ")" or "")
end

--- Refuses a lease where waiting in the frame callback stops the host permanently (mGBA 0.10 with video sync).
local function check_host()
  if state.host == "headless" or pace.is_bursty or settings.lease then
    return
  elseif pace.is_bursty == nil and clock.trusted ~= false then
    refuse("busy", "the pace of this window is not known yet; try again in some seconds")
  else
    refuse("unsupported", "this window may have video sync on, which does not survive a lease; turn it off and set MGBA_BRIDGE_LEASE=on")
  end
end

arguments.define_integer("lease_limit", 50, 10000, "limit (milliseconds)")
arguments.define_integer("step_frames", 0, LIMITS.frames, "frames")
arguments.define_integer("step_before", 0, LIMITS.items, "before (items)")

--- @command lease.take
--- @type TakeLease(LimitMilliseconds:limit, Token) Takes the lockstep lease: the game runs only the frames that the holder requests.
--- @reply `token= limit= running= taps=`
--- @notes section 7.3; `taps` is the number of frames until all taps, those that wait included, are over
command({
  name = "lease.take",
  kind = "effect",
  named = { "limit:lease_limit=2000", "token:string" },
  alone = true,
  leased = true,
  run = function(values, request)
    live_core_or_refuse()
    check_host()
    if not lease.holder or lease.token ~= values.token then
      lease.check(request)
      if values.token then
        refuse("no-lease", "the lease of this token has ended and the game ran on; take one without a token")
      end
      lease.token = crypto.random_hex(32)
    end
    if lease.holder and lease.owner ~= request.owner then -- who takes it over takes what was held with it
      levels.move(lease.holder, lease.owner, request.owner)
      freezes.move(lease.holder, lease.owner, request.owner)
      sensors.move(lease.holder, lease.owner, request.owner)
      debugger.move(lease.holder, lease.owner, request.owner)
    end
    if lease.holder and lease.session ~= request.session then -- the keys of a running step do not end with the session that sent it
      levels.move(input.LEASE, lease.session, request.session)
    end
    lease.holder, lease.session, lease.conn, lease.owner = request.holder, request.session, request.conn, request.owner
    lease.limit, lease.idle = values.limit * 1000, 0
    connections.announce("lease", wire.quote(lease.holder))
    return wire.record({ "token", lease.token, "limit", lease.limit // 1000, "running", lease.frames, "taps", input.tap_frames() })
  end,
})

--- @command lease.release
--- @type ReleaseLease(Any, Owned) Ends the lockstep lease.
--- @arguments `any=false owned=false`
--- @reply `true`/`false`
--- @notes the caller's own lease; with `any=true` that of any holder, with `owned=true` only one that the request's owner has taken
command({
  name = "lease.release",
  kind = "effect",
  named = { "any:boolean=false", "owned:boolean=false" },
  alone = true,
  leased = true,
  run = function(values, request)
    if not values.any then
      lease.check(request)
    end
    local had = lease.holder ~= nil and not (values.owned and lease.owner ~= request.owner)
    if had then
      lease.finish(values.any and "ended by an owner" or "released")
    end
    return tostring(had)
  end,
})

--- Replies to a step whose frames have run, if there is one.
function lease.answer_step()
  local request, run = lease.request, lease.run
  if lease.is_local then
    local ok, found = pcall(observe, lease.attached.items)
    if ok then
      answer_local(OK, found)
    else
      refuse_local(found)
    end
    return
  elseif not request then
    return
  end
  lease.request, lease.run = nil, nil
  request.conn.deferred = request.conn.deferred - 1
  local ok, text, tail = pcall(batch.finish, run)
  if ok then
    answer(request, text, tail)
  else
    answer_error(request, text)
  end
  connections.flush(request.conn)
end

--- @command lease.step
--- @type StepLease(Frames, Keys, Items:items, From, State, Before) Runs an exact number of frames, perhaps from a kept state, then items in the frame reached.
--- @arguments frames; `keys=mask from=frame state=name before=items`; tail of items
--- @reply as `batch.run`
--- @notes section 7.3
command({
  name = "lease.step",
  kind = "effect",
  arguments = { "frames:step_frames" },
  named = { "keys:mask", "from:frame", "state:string", "before:step_before=0" },
  tail = "may",
  alone = true,
  has_items = true,
  cost = function(values, request)
    local cost = batch.cost(values, request)
    return (values[1] == 0 or values.before > 0) and cost or 0 -- the other items of a step with frames run after them
  end,
  run = function(values, request)
    if not lease.holder then
      refuse_missing()
    elseif lease.request or lease.is_local then
      refuse("busy", "the last step is still running; wait for its reply")
    elseif values.from and values.from ~= state.frame then
      refuse("guard-failed", "the game is at frame %d, not at %d; nothing ran", state.frame, values.from)
    end
    local items = request.items or {}
    batch.check_guards(items, request)
    if values.state then
      states.recall(values.state)
    end
    if values.keys then
      levels.set(input.LEASE, lease.session, values.keys)
    end
    local run = batch.start(items)
    batch.continue(run, values.before)
    lease.request, lease.run, lease.frames, lease.conn, lease.idle = request, run, run.failed and 0 or values[1], request.conn, 0
    request.conn.deferred = request.conn.deferred + 1
    if lease.frames == 0 then
      lease.answer_step()
    end
    return DEFERRED
  end,
})

--- Refuses items that a step of the socket cannot have.
local function check_reads(items)
  for number, item in ipairs(items) do
    if item.is_guard or item.row.kind ~= "read" then
      refuse("bad-batch", "item %d: a step of an attached socket only reads", number)
    end
  end
end

--- @command lease.attach
--- @type AttachLease(Path, Items:items, State) Takes the further steps of the lease from a local socket, each of which answers with what the items read.
--- @arguments path; `state=name`; tail of items
--- @reply `size=` bytes that the items read
--- @notes `mgba-headless` on Linux only; section 7.6
command({
  name = "lease.attach",
  kind = "effect",
  arguments = { "path:string" },
  named = { "state:string" },
  tail = "may",
  alone = true,
  has_items = true,
  cost = batch.cost,
  run = function(values, request)
    if not lease.holder then
      refuse_missing()
    elseif not (host and host.openSteps) then
      refuse("unsupported", "only mgba-headless on Linux takes steps from a local socket; send them by lease.step")
    elseif lease.request or lease.is_local then
      refuse("busy", "the last step is still running; wait for its reply")
    elseif values.state and not states.is_kept(values.state) then
      refuse("not-found", "no state of this game is kept as %s; keep it with state.keep", wire.quote(values.state))
    end
    local items = request.items or {}
    check_reads(items)
    local size = #observe(items)
    if size > LIMITS.observation then
      refuse("bad-argument", "the items read %d bytes; a step of an attached socket answers up to %d", size, LIMITS.observation)
    end
    lease.detach()
    local problem = host.openSteps(values[1], lease.SOCKET)
    if problem ~= "" then
      local advice = "listen there first, on the emulator's machine and as its user"
      refuse("failed", "the emulator cannot connect to a socket at %q (%s); %s", wire.printable(values[1]), problem, advice)
    end
    lease.attached, lease.idle = { items = items, state = values.state }, 0
    return wire.record({ "size", size })
  end,
})

return lease
end)()

-- ========================================================================================================================
-- lua/src/session/sessions.lua
-- ========================================================================================================================

modules["session.sessions"] = (function()
-- Sessions: what is kept of a client across its connections.

local debugger = require("game.debugger")
local freezes = require("game.freezes")
local jobs = require("request.jobs")
local lease = require("session.lease")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local owners = require("base.owners")
local replies = require("request.replies")
local sensors = require("game.sensors")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local answer_error = replies.answer_error
local refuse = wire.refuse

-- A session: connections (count), mark (highest acknowledged id), replies (id -> { text, reply }), running (id -> request), cancelled
-- (id -> true, not started), and sums for the limits.
local sessions = { by_name = {}, count = 0 }

function sessions.open(name)
  local session = sessions.by_name[name]
  if session then
    return session, true
  end
  if sessions.count >= LIMITS.sessions then
    refuse("busy", "%d sessions are known; close some clients, the oldest are forgotten a minute later", sessions.count)
  end
  session = {
    name = name, connections = 0, mark = 0, replies = {}, kept = 0, kept_bytes = 0, running = {}, cancelled = {}, cancels = 0, left = nil,
  }
  sessions.by_name[name] = session
  sessions.count = sessions.count + 1
  return session, false
end

function sessions.acknowledge(session, id)
  if id <= session.mark then
    return
  end
  session.mark = id
  for old, kept in pairs(session.replies) do
    if old <= id then
      session.replies[old] = nil
      memory_budget.keep(session, -1, -#kept.reply - #kept.content)
    end
  end
  for old in pairs(session.cancelled) do
    if old <= id then
      session.cancelled[old] = nil
      session.cancels = session.cancels - 1
    end
  end
end

--- Marks a request that has not started or not arrived, so that it will not run.
function sessions.forbid(session, id)
  if session.replies[id] or session.running[id] or session.cancelled[id] or id <= session.mark then
    return
  end
  if session.cancels >= LIMITS.replies then
    refuse("busy", "%d cancels are remembered; send a higher ack", session.cancels)
  end
  session.cancelled[id] = true
  session.cancels = session.cancels + 1
end

--- Stops the requests of a client that has disconnected, releases its keys and ends its freezes. Taps that were answered and have not begun
--- still come: the client may reconnect to its session and announced it.
local function abandon(session)
  for id, request in pairs(session.running) do
    if request.job then
      jobs.stop(request.job)
      answer_error(request, "cancelled request " .. id .. " lost its session")
    end
  end
  if lease.request and lease.session == session then
    lease.stop_step("the session of its holder was lost")
  end
  tap_queue.let_go(function(request)
    return owners.includes(session, request.owner)
  end)
  levels.release_owner(session)
  freezes.release_owner(session)
  sensors.release_owner(session)
  debugger.release_owner(session)
end

local function forget(session)
  tap_queue.finish(function(request)
    return owners.includes(session, request.owner)
  end)
  sessions.by_name[session.name] = nil
  memory_budget.keep(session, 0, -session.kept_bytes)
  sessions.count = sessions.count - 1
end

--- Releases the keys and freezes of sessions without a connection, and later forgets them. Called once a second, so the time is up to a second more
--- than the limit.
function sessions.sweep()
  for _, session in pairs(sessions.by_name) do
    local away = session.connections == 0 and state.seconds - session.left or 0
    if away > LIMITS.release_seconds and not session.released then
      session.released = true
      abandon(session)
    end
    if away > LIMITS.session_seconds then
      forget(session)
    end
  end
end

return sessions
end)()

-- ========================================================================================================================
-- lua/src/session/requests.lua
-- ========================================================================================================================

modules["session.requests"] = (function()
-- Requests: from the text after the id to a command that runs.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local input = require("keys.input")
local lease = require("session.lease")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local owners = require("base.owners")
local replies = require("request.replies")
local sessions = require("session.sessions")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local DEFERRED <const> = replies.DEFERRED
local find, match = string.find, string.match
local concat = table.concat
local refuse = wire.refuse

local requests = {}

--- Whether an effect may start. A repeated one is answered immediately with the kept reply.
local function admit(session, request)
  local id = request.id
  if id <= session.mark then
    refuse("expired", "request %d is at or below the acknowledged %d", id, session.mark)
  end
  local kept, running = session.replies[id], session.running[id]
  if kept or running then
    local content = kept and kept.content or running.content
    if content ~= request.content then
      refuse("id-reused", "request %d was another request before; use each id once", id)
    end
    if kept then
      replies.write(request.conn, kept.reply)
    else
      running.conn.deferred = running.conn.deferred - 1
      running.conn = request.conn
      running.conn.deferred = running.conn.deferred + 1
    end
    return false
  end
  if session.kept >= LIMITS.replies or session.kept_bytes >= memory_budget.share(LIMITS.reply_bytes) then
    refuse("busy", "%d replies (%d bytes with their requests) are kept for this session; send a higher ack", session.kept, session.kept_bytes)
  end
  return true
end

--- Parses the options in front of the command. Returns the command's name and the rest.
local function read_options(request, rest)
  local word, after = match(rest, "^([^ ]+) ?(.*)$")
  while word and find(word, "=", 1, true) do
    local name, value = match(word, "^(%l+)=(.+)$")
    if name and request[name] then
      refuse("bad-option", "%s= is given twice", name)
    elseif name == "ack" then
      request.ack = parse.id(value)
    elseif name == "holder" then
      request.holder = parse.holder(value)
    elseif name == "owner" then
      request.owner = parse.holder(value)
    elseif name == "epoch" then
      request.epoch = value
    else
      refuse("bad-option", "%q is not an option; allowed before the command: ack=, holder=, owner= and epoch=", wire.printable(word))
    end
    word, after = match(after, "^ *([^ ]+) ?(.*)$")
  end
  if not word then
    refuse("unknown-command", "no command after the options")
  end
  return word, after
end

local function check_request(request, row)
  local conn, session = request.conn, request.session
  if not conn.trusted and not row.untrusted then
    refuse("auth-required", "this emulator requires a secret; send hello with challenge= first (docs/protocol.md, section 3)")
  end
  if session then
    if request.ack then
      sessions.acknowledge(session, request.ack)
    end
    if session.cancelled[request.id] then
      refuse("cancelled", "request %d was cancelled before it started", request.id)
    end
  end
  commands.check_tail(row, request.tail)
end

-- Cache of parsed reads by their text, because clients repeat the same reads.
local parsed = { count = 0, by_text = {} }

local MAX_PARSED <const>, PARSED_LENGTH <const> = 512, 128

local function remember(request, row, values, cost)
  local text = request.text
  if row.kind == "read" and not row.alone and not request.ack and not request.epoch and #text <= PARSED_LENGTH and not find(text, "=", 1, true) then
    if parsed.count >= MAX_PARSED then
      parsed.count, parsed.by_text = 0, {}
    end
    parsed.count = parsed.count + 1
    parsed.by_text[text] = { row = row, values = values, cost = cost }
  end
end

--- Clears the cache, because the cost of a read depends on the game.
function requests.forget_parsed()
  parsed.count, parsed.by_text = 0, {}
end

--- Parses the arguments and runs the command, if there is time for it now.
local function run_row(request, row, text)
  local words, named = arguments.split(text)
  local values = arguments.read(row, words, named)
  local cost = work.of(row, values, request)
  remember(request, row, values, cost)
  if cost > 0 and not work.admits(cost) then
    return work.LATER
  end
  request.refused = false
  local session = request.session
  local reply, tail = row.run(values, request)
  if reply == DEFERRED and session and row.kind == "effect" and not session.replies[request.id] then
    session.running[request.id] = request
  end
  return reply, tail
end

--- Runs a request. Returns the reply's text and tail, DEFERRED, or LATER when there is no time for it now and nothing ran.
function requests.run(request)
  local known = parsed.by_text[request.text]
  if known then
    request.row = known.row
    check_request(request, known.row)
    if known.cost > 0 and not work.admits(known.cost) then
      return work.LATER
    end
    return known.row.run(known.values, request)
  end
  local name, text = request.command, request.rest
  if not name then
    name, text = read_options(request, request.text)
    request.command, request.rest = name, text -- a request without time now passes here again; its options are parsed once
  end
  local row = commands.rows[name] or refuse("unknown-command", "%q is not a command; the command `commands` lists them", wire.printable(name))
  local session = request.session
  request.refused = true -- an error reply before the start is not kept as the reply
  request.row = row
  check_request(request, row)
  local effect = row.kind == "effect"
  if effect and session then
    request.content = request.content or concat({ request.holder or "", " ", name, " ", text, request.tail and "\0" or "", request.tail or "" })
    if not admit(session, request) then
      return DEFERRED
    end
  end
  if request.epoch and request.epoch ~= state.epoch then
    refuse("epoch-changed", "the epoch is %s now; the script or the game was changed", state.epoch)
  end
  request.holder = request.holder or (session and session.name) or request.conn.name
  if type(request.owner) ~= "table" then -- else the request has waited for its time
    request.owner = (request.owner or request.holder ~= input.COMPAT) and owners.of(session or request.conn, request.owner) or nil
  end
  if effect and not row.leased then
    lease.check(request)
  end
  return run_row(request, row, text)
end

return requests
end)()

-- ========================================================================================================================
-- lua/src/commands/game_control.lua
-- ========================================================================================================================

modules["commands.game_control"] = (function()
-- Changes of the running game: reset, step, another ROM.

local arguments = require("wire.arguments")
local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local memory = require("game.memory")
local pace = require("pace.schedule")
local replies = require("request.replies")
local requests = require("session.requests")
local sensors = require("game.sensors")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local to_integer = arguments.to_integer
local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, nested = game.core_or_refuse, game.nested
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local byte, find, sub = string.byte, string.find, string.sub
local refuse = wire.refuse

local LOGO <const>, LOGO_AT <const> = "\xce\xed\x66\x66", 0x104
local GBA_BRANCH <const> = "\xea" -- each GBA game begins with a branch
local GBX <const>, ZIP <const>, SEVEN_ZIP <const> = "GBX!", "PK\x03\x04", "7z\xbc\xaf\x27\x1c"
local LOADS_OF_A_WINDOW <const> = 800 -- with 1,024 open files select() would end mGBA

local loads = 0

local control = {}

--- Cancels all requests, releases all keys and ends all freezes when the game changes.
function control.cancel_all()
  input.forget_all()
  freezes.drop()
  sensors.drop()
  debugger.drop()
  for _, job in ipairs(jobs.all()) do
    jobs.stop(job)
    answer_error(job.request, "cancelled the game was closed or changed while this was under way")
  end
end

--- Detects another game, or none: a new epoch begins, and no key of the old one stays down.
local function identify_again()
  local before = game.identity
  game.identify()
  if game.identity == before then
    return false
  end
  state.epoch = crypto.random_hex(8)
  requests.forget_parsed()
  control.cancel_all()
  clock.trusted = nil
  pace.start_learning()
  return true
end

function control.update_game()
  if identify_again() and game.core then
    connections.announce("game.opened", wire.record({ "title", game.title, "code", game.code, "crc32", game.crc32, "platform", game.platform_name() }))
  end
end

--- Resets the game. See control.step for its effect on steps in the same frame.
function control.reset()
  local core = core_or_refuse()
  game.moved()
  nested(core.reset, core)
end

-- Where a state has the flag of a halted processor: offset and mask
local HALTED <const> = { [GBA] = { 0x31c, 1 }, [GB] = { 0x44, 0x10 } }

local HALT <const> = "\x76"

--- Whether an interrupt is sure to end a halt soon: V-blank, or on a Game Boy the timer.
local function will_wake(core)
  if game.platform == GBA then
    return core:read16(0x04000200) & 1 == 1 and core:read16(0x04000004) & 8 == 8
  end
  local enabled = core:read8(0xffff)
  return enabled & 1 == 1 and core:read8(0xff40) & 0x80 ~= 0 or enabled & 4 == 4 and core:read8(0xff07) & 4 == 4
end

--- Whether the processor is halted, or on a Game Boy may be about to halt.
local function may_be_halted(core)
  work.spent = work.spent + work.state
  local offset, mask = HALTED[game.platform][1], HALTED[game.platform][2]
  if (byte(states.save(0), offset + 1) or 0) & mask ~= 0 then
    return true
  end
  local pc = game.platform == GB and to_integer(core:readRegister("pc"))
  if not pc then
    return false
  end
  local ok, code = pcall(memory.read, math.max(0, pc - 2), math.min(5, 0x10000 - pc + 2))
  return not ok or find(code, HALT, 1, true) ~= nil
end

--- mGBA's step of a halted processor returns when an interrupt ends the halt; without one, never.
local function step_once(core)
  if not will_wake(core) and may_be_halted(core) then
    refuse("busy", "the processor is halted and no interrupt is sure to wake it: the step might never return; step in a later frame")
  end
  nested(core.step, core)
end

--- Runs one instruction. On a Game Boy a step after a reset or a loaded state in the same callback leaves mGBA 0.10 in an endless loop, so
--- it runs one frame later then.
function control.step(request)
  local core = core_or_refuse()
  if game.moved_frame ~= state.frame then
    step_once(core)
    return
  elseif request.is_item then
    refuse("busy", "the game was reset or a state loaded in this frame; step in a later one")
  end
  jobs.check_limit(request)
  jobs.start(request, function()
    if game.moved_frame ~= state.frame then
      core = core_or_refuse()
      step_once(core)
      answer(request)
      return true
    end
  end)
  return DEFERRED
end

--- Whether mGBA may take the file for a game of this console; mgba-headless knows it. For a Game Boy mGBA looks for the start of the logo or for a GBX
--- footer, also inside an archive.
local function may_be_game(path)
  if host then
    return host.isRom(path)
  end
  local file = io.open(path, "rb")
  if not file then
    return true -- mGBA says what is wrong
  end
  local head = file:read(LOGO_AT + #LOGO) or ""
  file:seek("end", -#GBX)
  local foot = file:read(#GBX)
  file:close()
  local is_game_boy = sub(head, LOGO_AT + 1) == LOGO or foot == GBX
  if game.platform ~= GB then
    return not is_game_boy or sub(head, 4, 4) == GBA_BRANCH
  end
  return is_game_boy or find(head, ZIP, 1, true) == 1 or find(head, SEVEN_ZIP, 1, true) == 1
end

--- Loads another ROM. Returns false and why when mGBA could not. What is no game of this console is refused before, and the running game continues:
--- newer engines unload the old one first and need a reset immediately after a failure; on a Game Boy mGBA 0.10.5 then reads memory of a cartridge that is
--- not there.
function control.load_rom(path, resets)
  local core = core_or_refuse()
  if not may_be_game(path) then
    return false, ("it is not a %s game; the game that runs continues"):format(game.platform == GB and "Game Boy" or "Game Boy Advance")
  elseif state.host ~= "headless" and loads >= LOADS_OF_A_WINDOW then
    return false, "this window has loaded " .. loads .. " games, and mGBA keeps a file open for each; start it again"
  end
  loads = loads + 1
  game.memory = {}
  if path:find("^%a:\\") then -- a path of Windows, where mGBA, too, looks for the last / to name the save file
    path = path:gsub("\\", "/")
  end
  local ok = nested(core.loadFile, core, path)
  if ok and resets then
    core:autoloadSave()
  end
  game.moved()
  if resets or not ok then
    control.reset()
  end
  return ok, "the file may be damaged. The game was reset"
end

return control
end)()

-- ========================================================================================================================
-- lua/src/wire/paths.lua
-- ========================================================================================================================

modules["wire.paths"] = (function()
-- File names from clients: only ordinary names below a folder of the settings are allowed. Lua cannot see symbolic links; a gateway on
-- this machine checks them (docs/settings.md).

local arguments = require("wire.arguments")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local find, gmatch, gsub, lower, match, sub = string.find, string.gmatch, string.gsub, string.lower, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local paths = {}

-- Device names on Windows, in every folder and with any extension.
local DEVICES <const> = { con = true, prn = true, aux = true, nul = true, ["clock$"] = true, ["conin$"] = true, ["conout$"] = true }

for digit in gmatch("0 1 2 3 4 5 6 7 8 9 \u{b9} \u{b2} \u{b3}", "[^ ]+") do
  DEVICES["com" .. digit], DEVICES["lpt" .. digit] = true, true
end

--- Why a name in a path is not allowed, or nil.
local function name_problem(name)
  if find(name, '[%c<>:"|?*]') then
    return 'has a control character or one of < > : " | ? *'
  elseif find(name, "^[. -]") then
    return "starts with a dot, a dash or a space"
  elseif find(name, "[. ]$") then
    return "ends with a dot or a space"
  elseif DEVICES[lower(match(name, "^[^. ]*"))] then
    return "is the name of a device on Windows"
  elseif #name > 255 then
    return "is longer than 255 bytes"
  end
end

--- Refuses a FIFO, which would block the emulator. Opened for update it does not block, and unlike a file it cannot seek. A read-only file
--- cannot be distinguished from a FIFO this way and is allowed.
local function check_kind(path)
  local file = io.open(path, "r+b")
  local size = file and file:seek("end")
  if file then
    file:close()
    return size or refuse("forbidden", "%q is not a regular file", wire.printable(path))
  end
end

--- The allowed folder that contains the path, and the rest of the path; nil when there is none.
local function split_path(path)
  if not find(path, "^/") and not find(path, "^%a:/") then
    return (gsub(settings.folders[1], "[/\\]+$", "")) .. "/", path
  end
  for _, folder in ipairs(settings.folders) do
    local root = gsub(gsub(folder, "\\", "/"), "/+$", "") .. "/"
    if sub(path, 1, #root) == root then
      return root, sub(path, #root + 1)
    end
  end
end

--- The command that starts this emulator with these folders.
local function command_with(folders)
  local quoted = gsub(gsub(concat(folders, ";"), "%c", "?"), "'", "'\\''")
  return "MGBA_BRIDGE_FOLDERS='" .. quoted .. "' " .. (state.host == "qt" and "mgba-qt GAME" or "mgba-bridge run GAME")
end

local function refuse_outside(text, path)
  local folders = { table.unpack(settings.folders) }
  folders[#folders + 1] = match(path, "^(.+)/") or path
  local allowed = concat(settings.folders, "; ")
  refuse("forbidden", "%q is outside the allowed folders (%s); to allow its folder: %s", wire.printable(text), allowed, command_with(folders))
end

function parse.path(text)
  local path = gsub(text, "\\", "/")
  if #settings.folders == 0 then
    refuse("forbidden", "files are off; to allow those in a folder: %s", command_with({ match(path, "^(/.+)/") or "/FOLDER" }))
  end
  local root, rest = split_path(path)
  if not root then
    refuse_outside(text, path)
  elseif not utf8.len(rest) then
    refuse("forbidden", "%q is not UTF-8", wire.printable(text))
  elseif rest == "" or find("/" .. rest .. "/", "//", 1, true) or find("/" .. rest .. "/", "/%.%.?/") then
    refuse("forbidden", "%q is not a plain path; omit . and .. and empty names", wire.printable(text))
  end
  for name in gmatch(rest, "[^/]+") do
    local problem = name_problem(name)
    if problem then
      refuse("forbidden", "%q in the path %s; use an ordinary file name", wire.printable(name), problem)
    end
  end
  check_kind(root .. rest)
  return root .. rest
end

function paths.is_readable(path)
  local file = io.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

return paths
end)()

-- ========================================================================================================================
-- lua/src/commands/game.lua
-- ========================================================================================================================

modules["commands.game"] = (function()
-- Commands for the running game and its ROM.

local commands = require("request.command_table")
local control = require("commands.game_control")
local game = require("game.game")
local paths = require("wire.paths")
local save_file = require("game.save_file")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local NIL <const> = wire.NIL
local refuse = wire.refuse

--- @command game.get
--- @type ReadGame() Returns information about the game.
--- @reply `title= code= platform= crc32= rom_size= frame_cycles= frequency= game_code=`
--- @notes `code` as mGBA reports it: `AGB-BBTE` in 0.10, `BBTE` in 0.11, where it is empty for most Game Boy games. `game_code` is the
---   four letters in the ROM header, the same in every mGBA: GBA at 0xAC; Game Boy at 0x13F if byte 0x14B is 0x33. `nil` when they are
---   not four of A-Z and 0-9. Absent in older scripts
command({
  name = "game.get",
  kind = "read",
  run = function()
    local core = core_or_refuse()
    return wire.record({
      "title", game.title, "code", game.code, "platform", game.platform_name(), "crc32", game.crc32, "rom_size", game.rom_size,
      "frame_cycles", core:frameCycles(), "frequency", core:frequency(), "game_code", game.letters or NIL,
    })
  end,
})

--- @command game.frame
--- @type ReadCoreFrame() Returns mGBA's own frame count, which a reset or a loaded state sets back.
--- @reply integer
--- @notes mGBA's own count; decreases on reset and load-state
command({
  name = "game.frame",
  kind = "read",
  run = function()
    return tostring(core_or_refuse():currentFrame())
  end,
})

--- @command game.checksum
--- @type ReadChecksum() Returns the CRC32 of the ROM.
--- @reply CRC32 as integer
command({
  name = "game.checksum",
  kind = "read",
  run = function()
    core_or_refuse()
    return tostring(game.crc32)
  end,
})

--- @command game.reset
--- @type ResetGame() Presses the reset button.
--- @reply `ok`
command({
  name = "game.reset",
  kind = "effect",
  run = function()
    control.reset()
  end,
})

--- @command game.step
--- @type StepInstruction() Runs one instruction of the CPU.
--- @reply `ok`
--- @notes one CPU instruction. After a reset or a loaded state it runs a frame later (in a batch: `busy`): a Game Boy core would never
---   return. While the game is halted it may last until an interrupt; a frame that ends in it is not counted. `busy` when no interrupt
---   is sure to come: mGBA would not return
command({
  name = "game.step",
  kind = "effect",
  run = function(_, request)
    return control.step(request)
  end,
})

--- @command rom.load
--- @type LoadRom(Path, Reset) Loads another game of the same console.
--- @reply `ok`
--- @notes same platform only; `not-found` when the file does not exist, `failed` when it is not a game of this console (the
---   running game continues) or is damaged (the game is reset); `save-failed` while the save file of the present game cannot be written;
---   `reset=false` leaves the old game's CPU and save data as they are
command({
  name = "rom.load",
  kind = "effect",
  arguments = { "path" },
  named = { "reset:boolean=true" },
  alone = true,
  cost = work.file,
  run = function(values)
    if not paths.is_readable(values[1]) then
      refuse("not-found", "%q does not exist or cannot be read", wire.printable(values[1]))
    end
    save_file.check()
    local ok, reason = control.load_rom(values[1], values.reset)
    if not ok then
      refuse("failed", "mGBA could not load %q: %s", wire.printable(values[1]), reason)
    end
    control.update_game()
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/saves.lua
-- ========================================================================================================================

modules["commands.saves"] = (function()
-- Commands for the save data of the game.

require("wire.paths") -- defines the kind of argument "path"
local commands = require("request.command_table")
local connections = require("net.connections")
local control = require("commands.game_control")
local game = require("game.game")
local save_file = require("game.save_file")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local NIL <const> = wire.NIL
local refuse = wire.refuse

local reported, reported_sent = nil, 0

--- Tells all clients when the save file cannot be written, and when it can be again; and that the game has got other save data.
function save_file.report()
  local problem = save_file.problem()
  if problem ~= reported or save_file.sent ~= reported_sent then
    reported, reported_sent = problem, save_file.sent
    connections.announce("game.save", wire.record({ "problem", problem or NIL, "sent", save_file.sent }))
  end
end

--- @command save.put
--- @type PutSave(Data:tail) Gives the game other save data, and resets it.
--- @arguments tail
--- @reply `ok`
--- @notes the save file has it when the reply is sent (in a window when mGBA has written it). `save-failed`: the game has it, and the file
---   gets it when it can be written
command({
  name = "save.put",
  kind = "effect",
  tail = "takes",
  bulk = true,
  cost = 2 * work.state,
  run = function(_, request)
    if request.tail == "" then
      refuse("bad-argument", "the save data is missing; send it as the tail")
    end
    states.load_save(request.tail, control.reset)
    save_file.note_sent()
    save_file.check()
  end,
})

--- @command save.load
--- @type LoadSave(Path, Temporary) Uses another file for the game's save data.
--- @arguments path, boolean temporary
--- @reply `ok`
--- @notes the file is created if missing; `failed` for a file of another form, such as of a cheat device ([states.md](states.md#files-of-other-programs));
---   `save-failed` while the present one cannot be written
command({
  name = "save.load",
  kind = "effect",
  arguments = { "path", "temporary:boolean" },
  cost = work.file,
  run = function(values)
    if not save_file.load(core_or_refuse(), values[1], values[2]) then
      refuse("failed", "mGBA could not open %q as save data", wire.printable(values[1]))
    end
  end,
})

--- @command save.autoload
--- @type AutoloadSave() Loads the save file that belongs to the game.
--- @reply `ok`
command({
  name = "save.autoload",
  kind = "effect",
  cost = work.file,
  run = function()
    save_file.check()
    if not core_or_refuse():autoloadSave() then
      refuse("failed", "mGBA could not open the game's save file")
    end
    save_file.note_sent()
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/game/memory_compat.lua
-- ========================================================================================================================

modules["game.memory_compat"] = (function()
-- Memory as clients of mGBA-http know it: mGBA maps addresses and offsets beyond the end. Only lengths are limited.

local constants = require("base.constants")
local game = require("game.game")
local memory = require("game.memory")

local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, domain_of = game.core_or_refuse, game.domain_of
local READ <const>, WRITE <const> = memory.READ, memory.WRITE
local concat = table.concat

local memory_compat = {}

local function bus_size()
  return game.platform == GB and 0x10000 or 0x100000000
end

--- The location as mGBA interprets it: reduced to the bus, or to the 32 bits of an offset.
local function compatible(location, length)
  if type(location) == "number" then
    return location % bus_size()
  end
  local known = game.domains[location.domain]
  if known and location.offset >= 0 and location.offset <= known.size - length then
    return location
  end
  return { domain = location.domain, offset = location.offset & 0xffffffff, wraps = true }
end

function memory_compat.read(location, length)
  location = compatible(location, length)
  if type(location) == "table" then
    return memory.read(location, length)
  end
  local parts, size = {}, bus_size()
  while location + length > size do
    parts[#parts + 1] = memory.read(location, size - location)
    location, length = 0, length - (size - location)
  end
  parts[#parts + 1] = memory.read(location, length)
  return concat(parts)
end

function memory_compat.read_number(location, width)
  location = compatible(location, width)
  if type(location) == "number" and location + width > bus_size() then
    local core = core_or_refuse()
    return core[READ[width]](core, location)
  end
  return memory.read_number(location, width)
end

--- mGBA ignores writes to the GBA's io domain, so they succeed without effect.
function memory_compat.write_number(location, width, value)
  location = compatible(location, width)
  if type(location) == "number" and location + width > bus_size() then
    local core = core_or_refuse()
    core[WRITE[width]](core, location, value)
  elseif type(location) == "table" and location.domain == "io" and game.platform == GBA then
    domain_of(location, width)
  else
    memory.write_number(location, width, value)
  end
end

return memory_compat
end)()

-- ========================================================================================================================
-- lua/src/commands/memory.lua
-- ========================================================================================================================

modules["commands.memory"] = (function()
-- Memory commands.

local commands = require("request.command_table")
local debugger = require("game.debugger")
local game = require("game.game")
local input = require("keys.input")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_compat = require("game.memory_compat")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local target_of = memory.target_of
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local sub = string.sub
local concat = table.concat
local refuse = wire.refuse

local PAST <const> = 4000 -- microseconds: a snapshot of the history is put together

--- @command memory.domains
--- @type ListDomains() Lists the memory domains of the game.
--- @reply five values a domain: id, name, base, bound, size
command({
  name = "memory.domains",
  kind = "read",
  run = function()
    core_or_refuse()
    local parts = {}
    for _, id in ipairs(game.domain_ids) do
      local domain = game.domains[id]
      parts[#parts + 1] = concat({ wire.quote(id), wire.quote(domain.name), domain.base, domain.bound, domain.size }, " ")
    end
    return concat(parts, " ")
  end,
})

--- Reads in slices what costs more than one frame has time for.
local function read_over_frames(location, length, request, read)
  local parts, at = {}, 0
  local slice = length // math.ceil(memory.read_cost(location, length) / work.slice) + 1
  local function step()
    parts[#parts + 1] = read(memory.location_after(location, at), math.min(slice, length - at))
    at = at + slice
    if at >= length then
      answer(request, nil, concat(parts))
      return true
    end
  end
  if read == memory.read then
    memory.check_range(location, length)
  end
  jobs.check_limit(request, length)
  jobs.start(request, step, "slices", work.slice, length)
  return DEFERRED
end

--- @command memory.read
--- @type ReadMemory(Location, Length) Reads a range of memory as raw bytes. The reply's tail contains them.
--- @arguments location length
--- @reply tail
--- @notes length 0..tail limit
command({
  name = "memory.read",
  kind = "read",
  arguments = { "location", "length" },
  bulk = "length",
  cost = function(values, request)
    local cost = memory.read_cost(values[1], values[2])
    return (cost <= LIMITS.frame_cost or request.is_item) and cost or work.slice
  end,
  run = function(values, request)
    local length, read = values[2], request.holder == input.COMPAT and memory_compat.read or memory.read
    if length > LIMITS.write and memory.read_cost(values[1], length) > LIMITS.frame_cost then
      return read_over_frames(values[1], length, request, read)
    end
    return nil, read(values[1], length)
  end,
})

local function write_over_frames(location, data, request)
  local first, last, at = nil, nil, 0
  local function step()
    if not memory.may_write(LIMITS.frame_writes) then
      return -- one piece a frame: the rest of the frame's limit is for shorter requests
    end
    first = first or state.frame
    local piece = sub(data, at + 1, at + LIMITS.write)
    memory.write(memory.location_after(location, at), piece)
    work.spent = work.spent + memory.write_cost(location, #piece)
    at, last = at + LIMITS.write, state.frame
    if at >= #data then
      answer(request, wire.record({ "first", first, "last", last }))
      return true
    end
  end
  target_of(location, #data, data)
  jobs.check_limit(request)
  step()
  jobs.start(request, step, "writes")
  return DEFERRED
end

--- @command memory.write
--- @type WriteMemory(Location, Bytes:tail) Writes raw bytes. The reply says in which frames.
--- @arguments location, tail
--- @reply `first= last=` frames
--- @notes up to 16 KiB in one frame, more is spread over frames in order
command({
  name = "memory.write",
  kind = "effect",
  arguments = { "location" },
  tail = "takes",
  writes_tail = true,
  bulk = "tail",
  cost = function(values, request)
    return memory.write_cost(values[1], math.min(#(request.tail or ""), LIMITS.write))
  end,
  run = function(values, request)
    game.live_core_or_refuse()
    local data = request.tail
    if #data > LIMITS.write then
      return write_over_frames(values[1], data, request)
    end
    memory.write(values[1], data)
    return wire.record({ "first", state.frame, "last", state.frame })
  end,
})

--- @command memory.read8 memory.read16 memory.read32
--- @type ReadCell(Location, Width=CellWidth.Byte/Half/Word) Reads one value of 8, 16 or 32 bits, unsigned and little-endian.
--- @arguments location …
--- @reply one integer each
--- @notes up to 1,024 locations, one frame
--- @command memory.write8 memory.write16 memory.write32
--- @type WriteCell(Location, Width=CellWidth.Byte/Half/Word, Value) Writes one value of 8, 16 or 32 bits, little-endian.
--- @arguments location value
--- @reply `ok`
--- @notes value 0..2^bits-1, or negative in two's complement
for _, width in ipairs({ 1, 2, 4 }) do
  command({
    name = "memory.read" .. width * 8,
    kind = "read",
    repeats = { "location" },
    cost = function(values)
      return #values > 8 and #values * work.argument or 0
    end,
    run = function(values, request)
      local read = request.holder == input.COMPAT and memory_compat.read_number or memory.read_number
      if #values == 1 then
        return tostring(read(values[1], width))
      end
      local numbers = {}
      for i = 1, #values do
        numbers[i] = read(values[i], width)
      end
      return concat(numbers, " ")
    end,
  })
  command({
    name = "memory.write" .. width * 8,
    kind = "effect",
    arguments = { "location", "value:integer" },
    run = function(values, request)
      game.live_core_or_refuse()
      local write = request.holder == input.COMPAT and memory_compat.write_number or memory.write_number
      write(values[1], width, values[2])
    end,
  })
end

--- @command memory.gather
--- @type GatherMemory(Ranges:location+length, Past) Reads many ranges, all from one frame. The reply's tail contains them one after the other.
--- @arguments location length …; `past=`
--- @reply tail, all ranges in order
--- @notes up to 1,024 ranges, one frame; with `past` as they were before this frame ran, from the history (`debug.keepHistory`)
command({
  name = "memory.gather",
  kind = "read",
  repeats = { "location", "length" },
  named = { "past:past_frame" },
  bulk = "length",
  cost = function(values)
    local cost = (#values > 8 and #values * work.argument or 0) + (values.past and PAST or 0)
    for i = 2, #values, 2 do
      cost = cost + memory.read_cost(values[i - 1], values[i])
    end
    if cost > LIMITS.frame_cost then
      refuse("bad-argument", "these ranges cost %d us, more than one frame has time for (%d); request fewer", cost // 1, LIMITS.frame_cost)
    end
    return cost
  end,
  run = function(values)
    if #values % 2 ~= 0 then
      refuse("bad-arity", "memory.gather takes pairs of location and length; the last has no length")
    end
    local parts, total = {}, 0
    for i = 1, #values, 2 do
      total = total + values[i + 1]
      if total > LIMITS.tail then
        refuse("bad-argument", "these ranges have over %d bytes together; request fewer", LIMITS.tail)
      end
      parts[#parts + 1] = values.past and debugger.read_past(values[i], values[i + 1], values.past) or memory.read(values[i], values[i + 1])
    end
    return nil, concat(parts)
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/states.lua
-- ========================================================================================================================

modules["commands.states"] = (function()
-- Save state commands.

require("wire.paths")
local commands = require("request.command_table")
local game = require("game.game")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local refuse = wire.refuse

--- @command state.get
--- @type SaveState(Flags) Saves the state of the machine. The reply's tail contains it.
--- @reply tail, raw state
--- @notes flags: 1 screenshot (makes a PNG), 2 save data, 4 cheats, 8 RTC, 16 metadata
command({
  name = "state.get",
  kind = "read",
  named = { "flags=30" },
  bulk = true,
  cost = states.cost,
  run = function(values)
    return nil, states.save(values.flags)
  end,
})

--- @command state.load
--- @type LoadState(State:tail, Flags) Loads a state of the machine.
--- @arguments tail; `flags=25`
--- @reply `ok`
--- @notes `not-a-state` if mGBA refuses it or it would hang or end the game ([states.md](states.md)); a PNG takes frames, and cannot be
---   in a batch
command({
  name = "state.load",
  kind = "effect",
  tail = "takes",
  named = { "flags=25" },
  bulk = true,
  cost = function(_, request)
    return sub(request.tail or "", 1, 1) == "\x89" and work.png_state or work.state
  end,
  run = function(values, request)
    return states.load(request, request.tail, values.flags, states.call)
  end,
})

--- @command state.keep
--- @type KeepState(Name) Keeps the state of the machine in the emulator, for `lease.step` with `state`.
--- @arguments name
--- @reply `ok`
--- @notes until another game is loaded; of more than 8 the one that was used longest ago is forgotten
command({
  name = "state.keep",
  kind = "effect",
  arguments = { "name:string" },
  cost = work.state,
  run = function(values)
    states.keep(values[1])
  end,
})

--- Defines a command that saves a state to a slot or file.
local function define_saver(name, kind, method, sentence)
  command({
    name = name,
    kind = "effect",
    arguments = { kind },
    named = { "flags=31" },
    cost = work.slot,
    run = function(values)
      local core = core_or_refuse()
      if not core[method](core, values[1], values.flags) then
        refuse("failed", sentence, tostring(values[1]))
      end
    end,
  })
end

--- @command state.save_slot
--- @type StateSlot(Move=StateMove.Save, Slot, Flags) Saves or loads a state in a slot of the game.
--- @arguments 0..9; `flags`
--- @reply `ok`
--- @notes flags 31 unless given
define_saver("state.save_slot", "slot", "saveStateSlot", "mGBA could not write slot %s")

--- @command state.save_file
--- @type StateFile(Move=StateMove.Save, Path, Flags) Saves or loads a state in a file.
--- @arguments path; `flags`
--- @reply `ok`
--- @notes flags 31 unless given
define_saver("state.save_file", "path", "saveStateFile", "mGBA could not write %q")

--- @command state.load_slot
--- @type StateSlot(Move=StateMove.Load, Slot, Flags) Saves or loads a state in a slot of the game.
--- @arguments 0..9; `flags`
--- @reply `ok`
--- @notes flags 25 unless given; `not-found` for an empty slot, `not-a-state` for a bad one
command({
  name = "state.load_slot",
  kind = "effect",
  arguments = { "slot" },
  named = { "flags=25" },
  cost = work.slot,
  run = function(values)
    if not states.load_slot(values[1], values.flags) then
      refuse("not-found", "slot %d holds no state of this game", values[1])
    end
  end,
})

--- @command state.load_file
--- @type StateFile(Move=StateMove.Load, Path, Flags) Saves or loads a state in a file.
--- @arguments path; `flags`
--- @reply `ok`
--- @notes flags 25 unless given; `not-found` when the file does not exist, `not-a-state` when it is not a state of this game
command({
  name = "state.load_file",
  kind = "effect",
  arguments = { "path" },
  named = { "flags=25" },
  cost = work.slot,
  run = function(values, request)
    core_or_refuse()
    return states.load(request, states.read_file(values[1]), values.flags, states.call)
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/keys.lua
-- ========================================================================================================================

modules["commands.keys"] = (function()
-- Key commands.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local jobs = require("request.jobs")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local replies = require("request.replies")
local sensors = require("game.sensors")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local GB <const>, KEYS <const> = constants.GB, constants.KEYS
local core_or_refuse, live_core_or_refuse = game.core_or_refuse, game.live_core_or_refuse
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local gmatch, lower, match = string.gmatch, string.lower, string.match
local concat = table.concat
local refuse = wire.refuse

local key_commands = {}

local function key_names(mask)
  local names = {}
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      names[#names + 1] = KEYS[key + 1]
    end
  end
  return concat(names, "+")
end

--- @command keys.get
--- @type ReadKeys() Returns which keys are down, and who holds what.
--- @reply `mask=`, then `holder="keys"` pairs
--- @notes mask: the keys of all holders and the player's. The game still sees a press that ended within its frame for that frame
command({
  name = "keys.get",
  kind = "read",
  run = function()
    local parts = { "mask=" .. input.reported() }
    for holder, keys in pairs(input.holders) do
      local mask = 0
      for key in pairs(keys) do
        mask = mask | 1 << key
      end
      parts[#parts + 1] = wire.quote(holder) .. " " .. wire.quote(key_names(mask))
    end
    return concat(parts, " ")
  end,
})

--- Replies when the frame count reaches `frame`.
local function answer_at(request, frame)
  jobs.start(request, function()
    if state.frame >= frame then
      answer(request)
      return true
    end
  end)
  return DEFERRED
end

--- A press with the frames in which it is down, as far as they are known.
local function text_of(press)
  local unseen, missed = tap_queue.unseen(press)
  return wire.record({ "down", press.down, "up", tap_queue.up_of(press), "lag", press.lag })
    .. (press.joined and " joined=true" or "")
    .. (missed > 0 and " unseen=" .. unseen .. " missed=" .. missed or "")
end

--- Replies when a press is over: another one may have shortened it, and what was dropped was not pressed.
local function answer_after(request, press)
  request.on_stop = function()
    tap_queue.finish(function(other)
      return other == request
    end)
  end
  jobs.start(request, function()
    if tap_queue.is_dropped(press) then
      refuse("cancelled", "its holder released its keys, or pressed them with waiting=replace, before all of it was pressed")
    elseif state.frame >= tap_queue.up_of(press) then
      answer(request, text_of(press))
      return true
    end
  end)
  return DEFERRED
end

--- What a press does about those that wait.
function parse.waiting(text)
  return tap_queue.modes[text] and text
    or refuse("bad-argument", "waiting is %q; use queue, shorten or replace", wire.printable(text))
end

--- Defines a command that changes the holder's levels. The game sees every change, so a key that is pressed and released in one frame stays
--- down for a frame or two longer; with `wait=true` the reply comes after that.
local function level_command(name, core_of, presses, change)
  command({
    name = name,
    kind = "effect",
    arguments = { "mask" },
    named = { "wait:boolean=false" },
    run = function(values, request)
      core_of()
      if values[1] > 255 and game.platform == GB and presses and request.holder ~= input.COMPAT then
        refuse("bad-key", "a Game Boy has no R and L (bits 8 and 9); use a mask of 0..255")
      elseif values.wait then
        jobs.check_limit(request)
      end
      local seen = change(request, values[1])
      return values.wait and seen > state.frame and answer_at(request, seen) or nil
    end,
  })
end

--- @command keys.set keys.add keys.clear
--- @type ChangeKeys(Change=KeyChange.Set/Add/Clear, Keys:mask, Wait) Changes which keys a holder keeps down.
--- @arguments mask 0..1023, or names joined by `+`; `wait=false`
--- @reply `ok`
--- @notes the holder's levels; with `wait=true` the reply comes when `keys.get` shows it: a key pressed and released in one frame is down
---   for that frame
level_command("keys.set", live_core_or_refuse, true, function(request, mask)
  return levels.set(request.holder, request.owner, mask)
end)

level_command("keys.add", live_core_or_refuse, true, function(request, mask)
  return levels.hold(request.holder, request.owner, mask)
end)

level_command("keys.clear", core_or_refuse, false, function(request, mask)
  return levels.clear(request.holder, mask)
end)

--- The mask of these keys. Refuses keys that the console does not have.
local function mask_of(keys)
  local mask = 0
  for _, key in ipairs(keys) do
    if key > 7 and game.platform == GB then
      refuse("bad-key", "a Game Boy has no %s; use A, B, Select, Start, Right, Left, Up or Down", KEYS[key + 1])
    end
    mask = mask | 1 << key
  end
  return mask
end

--- The keys of a chord, without duplicates, checked.
local function chord(values)
  local mask, keys = mask_of(values), {}
  for key = 0, 9 do
    if mask >> key & 1 == 1 then
      keys[#keys + 1] = key
    end
  end
  return keys
end

--- @command keys.tap
--- @type TapKeys(Keys:key, Frames, Gap, Wait, Waiting) Presses keys together.
--- @arguments key …; `frames=4 gap=2 wait=false waiting=queue`
--- @reply `down= up= lag=` frames; perhaps `joined=true`, `unseen=mask missed=n`
--- @notes frames and gap from 1; pressed together; with `wait=true` the reply comes when the keys are up; section 7.7
command({
  name = "keys.tap",
  kind = "effect",
  repeats = { "key" },
  named = { "frames=4", "gap=2", "wait:boolean=false", "waiting=queue" },
  lasts = { "wait" },
  run = function(values, request)
    live_core_or_refuse()
    if values.wait then
      jobs.check_limit(request)
    end
    local press = tap_queue.add(chord(values), values.frames, values.gap, request, values.waiting)
    return values.wait and answer_after(request, press) or text_of(press)
  end,
})

local SENSORS <const> = { light = "light", x = "tilt", y = "tilt", gyro = "gyro" } -- each with what parses it

local function refuse_step(part)
  refuse("bad-argument", "%q is not a step; write keys and frames, as in `A 4, wait 10, Up+B 2`, or sensors, as in `A x=10000 y=0 4`", wire.printable(part))
end

--- What is down and shown in a step: `A`, `Up+B x=10000`, `light=51` or `wait`.
local function parse_step(part, what)
  local step = { keys = {} }
  for word in gmatch(what, "%S+") do
    local name, value = match(word, "^(%l+)=(%-?%d+)$")
    if name then
      step.sensors = step.sensors or {}
      step.sensors[name] = parse[SENSORS[name] or refuse_step(part)](value)
    elseif step.has_keys or step.sensors then
      refuse_step(part)
    elseif lower(word) ~= "wait" then
      for key in gmatch(word, "[^+]+") do
        step.keys[#step.keys + 1] = parse.key(key)
      end
    end
    step.has_keys = true
  end
  return step
end

--- `A 4, wait 10, Up+B x=10000 2`: keys, sensors and frames of each step, in order.
function parse.sequence(text)
  local steps = {}
  for part in gmatch(text .. ",", "([^,]*),") do
    local what, frames = match(part, "^%s*(%S.-)%s+(%d+)%s*$")
    if not what then
      refuse_step(part)
    elseif #steps >= LIMITS.steps then
      refuse("bad-argument", "a sequence has at most %d steps", LIMITS.steps)
    end
    local step = parse_step(part, what)
    step.frames = parse.frames(frames)
    steps[#steps + 1] = step
  end
  return steps
end

--- @command keys.sequence
--- @type PlaySequence(Steps, Gap, Wait, Waiting) Presses keys one after the other, all or none.
--- @arguments string; `gap=2 wait=false waiting=queue`
--- @reply as `keys.tap`
--- @notes `A 4, wait 10, Up+B x=10000 2`: keys (joined by `+`) or `wait`, sensors of the cartridge as in `sensors.set`, which show this during
---   the step, and frames; up to 512 steps, all or none
command({
  name = "keys.sequence",
  kind = "effect",
  arguments = { "steps:sequence" },
  named = { "gap=2", "wait:boolean=false", "waiting=queue" },
  lasts = { "wait" },
  run = function(values, request)
    live_core_or_refuse()
    for _, step in ipairs(values[1]) do
      step.keys = chord(step.keys)
      if step.sensors then
        sensors.check()
      end
    end
    if values.wait then
      jobs.check_limit(request)
    end
    local press = tap_queue.add_sequence(values[1], values.gap, request, values.waiting)
    return values.wait and answer_after(request, press) or text_of(press)
  end,
})

--- @command keys.release
--- @type ReleaseKeys() Releases all levels and queued taps of the holder.
--- @reply count of levels released
--- @notes all levels and queued taps of the holder
command({
  name = "keys.release",
  kind = "effect",
  run = function(_, request)
    tap_queue.drop(function(other)
      return other.holder == request.holder
    end)
    return tostring((levels.release(request.holder, constants.ALL_KEYS)))
  end,
})

key_commands.answer_at, key_commands.mask_of, key_commands.chord = answer_at, mask_of, chord

return key_commands
end)()

-- ========================================================================================================================
-- lua/src/commands/session.lua
-- ========================================================================================================================

modules["commands.session"] = (function()
-- Commands for the connection and its session.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local jobs = require("request.jobs")
local lease = require("session.lease")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local pace = require("pace.schedule")
local proof = require("net.proof")
local replies = require("request.replies")
local save_file = require("game.save_file")
local sensors = require("game.sensors")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local PROTOCOL <const>, VERSION <const> = constants.PROTOCOL, constants.VERSION
local answer_error = replies.answer_error
local find, sub = string.find, string.sub
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local function hello_reply(resumed)
  local has_game = game.core ~= nil
  return wire.record({
    "protocol", PROTOCOL, "script", VERSION, "mgba", state.mgba, "host", state.host, "nonce", settings.nonce, "port", settings.port,
    "game", has_game, "title", has_game and game.title or NIL, "code", has_game and game.code or NIL, "crc32", has_game and game.crc32 or NIL,
    "platform", has_game and game.platform_name() or NIL, "machine", state.machine, "period", pace.wanted(),
    "save_problem", save_file.problem() or NIL, "saves_sent", save_file.sent, "lease", lease.holder or NIL, "resumed", resumed,
    "capabilities", state.capabilities, "head", LIMITS.head, "tail", LIMITS.tail, "inflight", LIMITS.inflight, "connections", settings.connections,
    "replies", LIMITS.replies,
  })
end

function parse.version(text)
  local version = parse.integer(text)
  if version < PROTOCOL then
    refuse("version", "the client uses protocol %d, this script uses %d; update the client (the gateway)", version, PROTOCOL)
  elseif version > PROTOCOL then
    refuse("version", "the client uses protocol %d, this script uses %d; update mgba-bridge.lua", version, PROTOCOL)
  end
  return version
end

function parse.challenge(text)
  if not find(text, "^%x+$") or #text < 32 or #text > 64 then
    refuse("bad-argument", "challenge is %q; use 32 to 64 random hex digits", wire.printable(text))
  end
  return text
end

function parse.session(text)
  if not find(text, "^[%w_.-]+$") or #text > 64 then
    refuse("bad-argument", "session is %q; use 1 to 64 of A-Z a-z 0-9 _ . -", wire.printable(text))
  end
  return text
end

--- @command hello
--- @type Hello(Client, Session, Challenge, Proof) The first request on a connection.
--- @arguments see section 3
command({
  name = "hello",
  kind = "read",
  arguments = { "version" },
  named = { "client:string", "session", "challenge", "proof:string" },
  alone = true,
  untrusted = true,
  run = function(values, request)
    local conn = request.conn
    local own_proof = not conn.trusted and proof.authenticate(conn, values, request)
    local resumed = false
    if values.session and conn.session and conn.session.name ~= values.session then
      refuse("bad-argument", "this connection belongs to session %s already; open another for %s", conn.session.name, values.session)
    elseif values.session and not conn.session then
      local session
      session, resumed = sessions.open(values.session)
      session.connections, session.left, session.released = session.connections + 1, nil, nil
      conn.session = session
      for _, id in ipairs(conn.early_cancels or {}) do
        pcall(sessions.forbid, session, id)
      end
    end
    conn.greeted, conn.early_cancels = true, nil
    conn.client = sub(values.client or "", 1, 64)
    local folders = #settings.folders > 0 and " folders=" .. wire.quote(concat(settings.folders, ";")) or ""
    return hello_reply(resumed) .. folders .. (own_proof and " proof=" .. wire.quote(own_proof) or "")
  end,
})

--- @command owner.release
--- @type ReleaseOwner(Begun) Ends what requests with this `owner=` hold.
--- @arguments `begun=false`
--- @reply count of levels, freezes, sensors, points and leases ended
--- @notes the levels, freezes, sensors and points of the request's `owner=`, the lease if it has taken it, and its taps that have not begun; with
---   `begun=true` also those that have; section 6
command({
  name = "owner.release",
  kind = "effect",
  named = { "begun:boolean=false" },
  alone = true,
  leased = true,
  run = function(values, request)
    local owner = request.owner
    if not (owner and owner.within) then
      refuse("bad-argument", "owner.release ends what one owner holds; write owner=NAME before it")
    end
    local points = debugger.release_owner(owner) -- also while another holder has the lease
    local had_lease = lease.owner == owner
    if had_lease then
      lease.finish("the connection of its holder has ended")
    else
      lease.check(request)
    end
    local cancel = values.begun and tap_queue.finish or tap_queue.drop
    cancel(function(other)
      return other.owner == owner
    end)
    return tostring(levels.release_owner(owner) + freezes.release_owner(owner) + sensors.release_owner(owner) + points
      + (had_lease and 1 or 0))
  end,
})

--- @command cancel
--- @type Cancel(Id) Cancels a request of this session.
--- @arguments id
--- @reply `true` / `false`
--- @notes section 5
command({
  name = "cancel",
  kind = "read",
  arguments = { "id" },
  alone = true,
  run = function(values, request)
    local session, id = request.session, values[1]
    if not session then
      refuse("unsupported", "only requests of a session can be cancelled; send hello with session= first")
    end
    local running = session.running[id] or jobs.find(session, id)
    if running and running.job then
      jobs.stop(running.job)
      answer_error(running, "cancelled request " .. id .. " was cancelled while it ran")
      return "true"
    elseif running and running == lease.request then
      lease.stop_step("step " .. id .. " was cancelled while it ran")
      return "true"
    end
    sessions.forbid(session, id)
    return tostring(session.cancelled[id] == true)
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/registers.lua
-- ========================================================================================================================

modules["commands.registers"] = (function()
-- Registers of the processor.

local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local state_checks = require("game.state_checks")
local wire = require("wire.text")

local command = commands.define
local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, nested = game.core_or_refuse, game.nested
local find, lower = string.find, string.lower
local refuse = wire.refuse

local registers = {}

local REGISTERS <const> = {
  [GBA] = "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 ip sp lr pc cpsr",
  [GB] = "a b c d e f h l bc de hl af sp pc",
}

local function register_name(name)
  core_or_refuse()
  local known = REGISTERS[game.platform] or ""
  local plain = lower(name)
  if not find(plain, "^%w+$") or not find(" " .. known .. " ", " " .. plain .. " ", 1, true) then
    refuse("not-found", "%q is not a register of this console; use one of %s", wire.printable(name), known)
  end
  return plain
end

--- As an unsigned number; nil where this mGBA does not provide it. mGBA 0.10 returns garbage above a Game Boy register.
local function register_value(plain)
  local value = core_or_refuse():readRegister(plain)
  if value and game.platform == GB then
    return value & (#plain == 1 and 0xff or 0xffff)
  end
  return value and value & 0xffffffff
end

function registers.read(name)
  local plain = register_name(name)
  return register_value(plain) or refuse("unsupported", "this mGBA does not provide register %s", plain)
end

--- Names and values of all registers that this mGBA provides, alternating.
function registers.read_all()
  core_or_refuse()
  local fields = {}
  for name in string.gmatch(REGISTERS[game.platform] or "", "%w+") do
    local value = register_value(name)
    if value then
      fields[#fields + 1], fields[#fields + 2] = name, value
    end
  end
  return fields
end

-- The flags N Z C V, I and F. A change of mode or instruction set by a client can crash the core and the process.
local CPSR_FLAGS <const> = 0xF00000C0

function registers.write(name, value)
  if value < -2147483648 or value > 4294967295 then
    refuse("bad-argument", "value %d does not fit 32 bits", value)
  end
  local plain = register_name(name)
  local changed = plain == "cpsr" and (value ~ registers.read(plain)) & ~CPSR_FLAGS & 0xFFFFFFFF or 0
  if changed ~= 0 then
    refuse("bad-argument", "cpsr may only change in its flags (0x%08X), not in 0x%X: mGBA would crash", CPSR_FLAGS, changed)
  end
  if game.platform == GBA and (plain == "pc" or plain == "r15") and not state_checks.is_code(value & 0xFFFFFFFF) then
    refuse("bad-argument", "pc cannot be 0x%08X: there is no memory to run code from, and the game would crash", value & 0xFFFFFFFF)
  end
  local core = core_or_refuse()
  nested(core.writeRegister, core, plain, value > 2147483647 and value - 4294967296 or value) -- an invalid pc runs `crashed` callbacks
end

--- @command registers.read
--- @type ReadRegister(Name) Reads a register of the processor.
--- @arguments name
--- @reply integer, unsigned
--- @notes GBA r0..r15 sp lr pc ip cpsr; GB a b c d e f h l af bc de hl pc sp
command({
  name = "registers.read",
  kind = "read",
  arguments = { "name:string" },
  run = function(values)
    return tostring(registers.read(values[1]))
  end,
})

--- @command registers.get
--- @type ListRegisters() Reads all registers of the processor, in one frame.
--- @reply `name=value` each, as above
--- @notes one frame
command({
  name = "registers.get",
  kind = "read",
  run = function()
    return wire.record(registers.read_all())
  end,
})

--- @command registers.write
--- @type WriteRegister(Name, Value) Writes a register of the processor.
--- @arguments name value
--- @reply `ok`
--- @notes `cpsr` only in its flags (N Z C V I F): another mode or instruction set can crash mGBA. GBA: `pc` only where code can run,
---   otherwise the game crashes
command({
  name = "registers.write",
  kind = "effect",
  arguments = { "name:string", "value:integer" },
  run = function(values)
    game.live_core_or_refuse()
    registers.write(values[1], values[2])
  end,
})

return registers
end)()

-- ========================================================================================================================
-- lua/src/commands/screen.lua
-- ========================================================================================================================

modules["commands.screen"] = (function()
-- The picture of the game.

require("wire.paths")
local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local SAVESTATE <const> = constants.SAVESTATE
local host_png = host and host.png
local core_or_refuse = game.core_or_refuse
local sub = string.sub
local concat = table.concat
local refuse = wire.refuse

local screen = {}

local SIGNATURE <const> = "\x89PNG\r\n\x1a\n"

--- A save state with a screenshot is a PNG with private chunks, which are removed.
local function without_state(data)
  local parts, at = { SIGNATURE }, #SIGNATURE + 1
  while at + 11 <= #data do
    local length, kind = string.unpack(">I4c4", data, at)
    if kind ~= "gbAs" and kind ~= "gbAx" then
      parts[#parts + 1] = sub(data, at, at + length + 11)
    end
    at = at + length + 12
  end
  return concat(parts)
end

--- The picture as PNG. In a window it comes with a save state: any other way of taking a screenshot ends an emulator that has no video buffer.
function screen.take()
  local core = core_or_refuse()
  local data = host_png and host_png() or game.save_buffer(core, SAVESTATE.screenshot)
  if not data or sub(data, 1, #SIGNATURE) ~= SIGNATURE then
    refuse("unsupported", "this emulator has no picture")
  end
  local width, height = string.unpack(">I4I4", data, 17)
  return host_png and data or without_state(data), width, height
end

function screen.save(path)
  local core = core_or_refuse()
  if not host_png then
    screen.take() -- refuses where a screenshot would end the emulator
  end
  core:screenshot(path)
end

--- @command screen.get
--- @type ReadScreen() Takes a screenshot. The reply's tail contains it as PNG.
--- @reply tail PNG, `width= height=`
--- @notes `unsupported` where the host has no picture
command({
  name = "screen.get",
  kind = "read",
  bulk = true,
  cost = host_png and work.png or work.screen,
  run = function()
    local png, width, height = screen.take()
    return wire.record({ "width", width, "height", height }), png
  end,
})

arguments.define_integer("side", 0, 256, "the side (pixels)")

local function checked_side(name, wanted, most)
  return wanted <= most and wanted or refuse("bad-argument", "%s is %d; this picture has %d", name, wanted, most)
end

--- @command screen.pixels
--- @type ReadPixels(Grey, Width, Height) Reads the picture as pixels. The reply's tail contains them.
--- @reply tail pixels, `width= height=`
--- @notes `mgba-headless` only; red, green and blue, or grey: a byte each, row by row. A smaller `width` or `height` is made by averages of areas; 0 is
---   the picture's own
command({
  name = "screen.pixels",
  kind = "read",
  named = { "grey:boolean=false", "width:side=0", "height:side=0" },
  cost = work.pixels,
  run = function(values)
    if not (host and host.pixels) then
      refuse("unsupported", "mGBA's window gives its pixels only as a PNG; run the game with mgba-headless")
    end
    core_or_refuse()
    local width, height = host.pixelsWidth(), host.pixelsHeight()
    local new_width, new_height = checked_side("width", values.width, width), checked_side("height", values.height, height)
    local pixels = host.pixels(values.grey and 1 or 3, new_width, new_height)
    if pixels == "" then
      refuse("unsupported", "this emulator has no picture")
    end
    return wire.record({ "width", new_width > 0 and new_width or width, "height", new_height > 0 and new_height or height }), pixels
  end,
})

--- @command screen.save
--- @type SaveScreen(Path) Writes a screenshot to a PNG file.
--- @arguments path
--- @reply `ok`
--- @notes PNG file
command({
  name = "screen.save",
  kind = "effect",
  arguments = { "path" },
  cost = work.screen + work.file,
  run = function(values)
    screen.save(values[1])
  end,
})

return screen
end)()

-- ========================================================================================================================
-- lua/src/commands/sensors.lua
-- ========================================================================================================================

modules["commands.sensors"] = (function()
-- Commands for the cartridge's sensors.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local sensors = require("game.sensors")
local wire = require("wire.text")

local command = commands.define
local refuse = wire.refuse

arguments.define_integer("light", 0, 255)
arguments.define_integer("tilt", -90000, 90000, "tilt (thousandths of a degree)")
arguments.define_integer("gyro", -1000000, 1000000, "gyro (thousandths of a degree a second)")

--- @command sensors.get
--- @type ReadSensors() Returns what the sensors of the cartridge show.
--- @reply `light= x= y= gyro= camera=`
--- @notes light: 0 (bright) to 255 (dark), as the game counts it; x and y: tilt in thousandths of a degree, with the right and the far edge
---   down; gyro in thousandths of a degree a second, clockwise; 255, 0, 0 and 0 unless set; camera: whether it sees a picture. `mgba-headless` only
command({
  name = "sensors.get",
  kind = "read",
  run = function()
    sensors.check()
    return sensors.text .. " camera=" .. tostring(sensors.camera ~= "")
  end,
})

--- @command sensors.set
--- @type SetSensors(Light, TiltX:x, TiltY:y, Gyro) Sets sensors of the cartridge, until the holder ends it.
--- @arguments `light=n x=n y=n gyro=n`
--- @reply `ok`
--- @notes those that are given, for the next frame and after; of several holders the last one's setting applies
command({
  name = "sensors.set",
  kind = "effect",
  named = { "light:light", "x:tilt", "y:tilt", "gyro:gyro" },
  run = function(values, request)
    sensors.check()
    game.live_core_or_refuse()
    if not (values.light or values.x or values.y or values.gyro) then
      refuse("bad-argument", "name a sensor: light=, x=, y= (tilt) or gyro=")
    end
    sensors.set(request.holder, request.owner, values)
  end,
})

--- @command camera.set
--- @type SetCamera(Picture:tail) Shows a picture to the camera of the cartridge, until the holder ends it.
--- @arguments tail
--- @reply `ok`
--- @notes 128 x 112 bytes, each pixel grey from 0 (black) to 255, row by row from the top; a sensor as those of `sensors.set`. A camera that is
---   shown no picture sees darkness
command({
  name = "camera.set",
  kind = "effect",
  tail = "takes",
  run = function(_, request)
    sensors.check()
    game.live_core_or_refuse()
    if #request.tail ~= LIMITS.camera then
      refuse("bad-argument", "a picture for a camera is 128 x 112 bytes, %d; this one has %d", LIMITS.camera, #request.tail)
    end
    sensors.set(request.holder, request.owner, { camera = request.tail })
  end,
})

--- @command sensors.release
--- @type ReleaseSensors() Ends what the holder has set.
--- @reply count of sensors
--- @notes they show what another holder has set before, or their values at the start
command({
  name = "sensors.release",
  kind = "effect",
  run = function(_, request)
    sensors.check()
    return tostring(sensors.release(request.holder))
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/cartridge.lua
-- ========================================================================================================================

modules["commands.cartridge"] = (function()
-- Commands for the clock of the cartridge, and what the cartridge and the console are.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local refuse = wire.refuse

local MODES <const> = { host = true, offset = true, fixed = true, emulated = true }
-- What the chips hold: the years 2000 to 2099, in milliseconds since 1970.
local FIRST <const>, LAST <const> = 946684800000, 4102444799999
local LONGEST <const> = LAST - FIRST

--- The calls of the host, or an error for the client.
local function host_or_refuse()
  game.core_or_refuse()
  return host and host.clock and host
    or refuse("unsupported", "mGBA's window hands neither the clock nor the cartridge to scripts; use its menu Tools > Game overrides, or mgba-headless")
end

function parse.clock_mode(text)
  return MODES[text] and text or refuse("bad-argument", "mode is %q; use host, offset, fixed or emulated", wire.printable(text))
end

arguments.define_integer("clock_value", -LONGEST, LAST, "value (milliseconds)")

--- @command clock.get
--- @type ReadClock() Returns how the clock of the cartridge runs, and what the game reads from it.
--- @reply `mode= value= time=`
--- @notes mode: `host` (the host's local time), `offset` (that and `value`), `fixed` (`value`), `emulated` (`value` and the time of the frames since it
---   was set). `value` and `time` in milliseconds, `time` and those of fixed and emulated since 1970, as the game reads it, whatever the zone
command({
  name = "clock.get",
  kind = "read",
  run = function()
    local mode, value, time = host_or_refuse().clock():match("^(%l+) (%-?%d+) (%-?%d+)$")
    return wire.record({ "mode", mode, "value", tonumber(value), "time", tonumber(time) })
  end,
})

--- @command clock.set
--- @type SetClock(Mode, Value) Sets how the clock of the cartridge runs.
--- @arguments mode; `value=n`
--- @reply `ok`
--- @notes modes as in `clock.get`; `value` only with offset, fixed and emulated; times from 2000 to 2099. A loaded state
---   brings its clock to `host`, and its emulated time to `emulated`
command({
  name = "clock.set",
  kind = "effect",
  arguments = { "mode:clock_mode" },
  named = { "value:clock_value" },
  alone = true,
  run = function(values)
    local calls, mode, value = host_or_refuse(), values[1], values.value
    if mode == "host" and value then
      refuse("bad-argument", "the clock of the host has no value; use offset")
    elseif mode ~= "host" and not value then
      refuse("bad-argument", "a clock of the mode %s has a value, in milliseconds", mode)
    elseif (mode == "fixed" or mode == "emulated") and value < FIRST then
      refuse("bad-argument", "the value is %d; the clocks of cartridges go from 2000 to 2099: %d to %d", value, FIRST, LAST)
    elseif not calls.setClock(mode, value or 0) then
      refuse("bad-argument", "with this value the game would read a time before 2000 or after 2099")
    end
  end,
})

--- @command cartridge.get
--- @type ReadCartridge() Returns what cartridge and console the emulator emulates.
--- @reply three values an entry: key, value, where it comes from
--- @notes keys: `save-type`, `hardware`, `idle-loop`, `model`, `mbc`, `bios`, `palette`, `skip-bios`, `clock`, as far as the console has them, and
---   `idle-loop-problem`; origins: an `option`, mGBA's `table`, a `guess` by the ROM's text or header, `detected` from what the game does, a `state` that
---   was loaded, `script` (`clock.set`), or by `default`
command({
  name = "cartridge.get",
  kind = "read",
  run = function()
    local parts = {}
    for key, value, origin in host_or_refuse().cartridge():gmatch("(%S+) ([^\n]*) (%l+)") do
      parts[#parts + 1] = wire.quote(key) .. " " .. wire.quote(value) .. " " .. wire.quote(origin)
    end
    return table.concat(parts, " ")
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/disassembly.lua
-- ========================================================================================================================

modules["commands.disassembly"] = (function()
-- Commands that show code: instructions as text, where functions return to, and which banks of a Game Boy are mapped.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local command = commands.define
local refuse = wire.refuse

local MODES <const> = { arm = constants.GBA, thumb = constants.GBA, sm83 = constants.GB }
local NEXT <const>, MAPPED <const> = -1, -1 -- of the instruction that is executed next; the bank that is mapped
local INSTRUCTION <const> = 1.5 -- microseconds
local BANKS <const> = { rom = 0x4000, vram = 0x8000, sram = 0xA000, wram = 0xD000 }

arguments.define_integer("instructions", 1, 1024, "count")
arguments.define_integer("returns", 1, 128, "count")

function arguments.parse.instruction_set(text)
  return MODES[text] and text or refuse("bad-argument", "mode is %q; use arm, thumb or sm83", wire.printable(text))
end

--- The calls of the host, or an error for the client.
local function host_or_refuse()
  game.core_or_refuse()
  return host and host.disassemble and host or refuse("unsupported", "mGBA's window gives scripts neither instructions as text nor banks; use mgba-headless")
end

--- @command debug.disassemble
--- @type Disassemble(Count, Address, Mode, Bank) Returns instructions as text.
--- @arguments count; `address=n mode=x bank=n`
--- @reply eight values an instruction: bank, address, its bytes as hex digits, kind, bank and address of its target, the value that it loads from there, text
--- @notes from the address, unless given that of the instruction that is executed next; mode: arm, thumb or sm83, unless given the processor's, and
---   thumb for an odd address; bank: of a Game Boy, unless given the mapped one. Kinds: `branch`, `call`, `return`, `interrupt`, `data` (the target is
---   what it reads, writes or takes the address of), `undefined`, `other`; `nil` for no target and no value. Fewer where memory ends.
---   Reads disturb no device. `mgba-headless` only
command({
  name = "debug.disassemble",
  kind = "read",
  arguments = { "count:instructions" },
  named = { "address:address", "mode:instruction_set", "bank:bank" },
  bulk = "count",
  cost = function(values)
    return values[1] * INSTRUCTION
  end,
  run = function(values)
    local calls, mode = host_or_refuse(), values.mode
    if mode and MODES[mode] ~= game.platform then
      refuse("bad-argument", "the processor of this console has no instructions of %s", mode)
    end
    local lines = calls.disassemble(values.address or NEXT, values[1], mode or "", values.bank or MAPPED)
    return (lines:sub(1, -2):gsub("\n", " "))
  end,
})

--- @command debug.backtrace
--- @type ReadCallStack(Count) Returns where the functions that are under way return to.
--- @arguments `count=64`
--- @reply seven values an address, the innermost function first: `pc`, `link`, `stack` or `interrupt`, bank, address, the instruction that calls and its
---   bank, what it calls, the place of the word on the stack; `nil` where there is none
--- @notes `pc` is the instruction that is executed next; `link` and `stack` are addresses behind an instruction that calls, in the register lr and on the
---   stack; `interrupt` is the instruction that an interrupt of a GBA has interrupted. Words that a function has left behind look the same: what is
---   called has to be the function before. `mgba-headless` only
command({
  name = "debug.backtrace",
  kind = "read",
  named = { "count:returns=64" },
  cost = function(values)
    return 20 + values.count
  end,
  run = function(values)
    local lines = host_or_refuse().callStack(values.count)
    return (lines:sub(1, -2):gsub("\n", " "):gsub("%f[%a]%l+", function(word)
      return word ~= "nil" and wire.quote(word) or nil
    end))
  end,
})

--- @command debug.banks
--- @type ReadBanks() Returns which banks of a Game Boy are mapped.
--- @reply `rom= vram= sram= wram=`
--- @notes at 0x4000, 0x8000, 0xA000 and 0xD000; of other consoles 0. `mgba-headless` only
command({
  name = "debug.banks",
  kind = "read",
  run = function()
    local bank = host_or_refuse().bank
    return wire.record({ "rom", bank(BANKS.rom), "vram", bank(BANKS.vram), "sram", bank(BANKS.sram), "wram", bank(BANKS.wram) })
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/topics.lua
-- ========================================================================================================================

modules["commands.topics"] = (function()
-- Topics of events. A topic is one row here: `make lua` writes what the gateway, its documents and the client packages know of it.

local debugger = require("game.debugger")
local game = require("game.game")
local host = require("base.host").calls
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local state = require("base.state")
local wire = require("wire.text")

local SAMPLE <const> = 4 -- bytes of left and right

---@class Topic
---@field name string
---@field source string who sends it: "watch" (to those who send `watch`), "script" (to every client after hello) or "gateway" (the gateway itself)
---@field examples table how clients of the gateway write it, each with what it reports
---@field every integer? of a watch: frames between two checks unless given, 1 when absent
---@field values table? what its event says, see below
---@field events table? where its events have other names than the topic: each with its name, its `values`, and `is_gateway` when the gateway adds it
---@field is_live boolean? those of the past are not kept for clients that resume
---@field is_level boolean? a client that subscribes gets the last one first
---@field counts_frames boolean? a frame that was not checked is an event that was dropped
---@field host string? the call of mgba-headless without which there is no such watch
---@field start fun(watch: table, arguments: table)? called when a watch begins
---@field look fun(watch: table): string?, string? of a watch: the values of an event and its tail, or nil for none

-- A value is { name, kind, sentence, place }. The name is that in the gateway's JSON, too. The kind is `text`, `integer` or `keys` (a mask); of a tail
-- `bytes`, `lines` or `samples`, which on a WebSocket are a binary message. It is written `name=value`, and with a place without its name: the first,
-- the second. One without a kind is only in the script's message.

--- The lines of the game's log behind those that the client has. They are kept for it while it reads too slowly, as far as the host keeps them.
local function new_lines(watch)
  local last = host.logged()
  local lines = {}
  for number = math.max(watch.before, last - LIMITS.log_lines) + 1, last do
    lines[#lines + 1] = host.line(number)
  end
  watch.dropped = watch.dropped + last - watch.before - #lines
  watch.before = last
  return table.concat(lines, "\n")
end

--- The samples of sound behind those that the client has, with the number of the first.
local function new_samples(watch)
  local samples = host.samples(watch.before)
  watch.before = host.heard()
  return ("sample=%d"):format(watch.before - #samples // SAMPLE), samples
end

---@type Topic[]
local topics = {
  {
    name = "frame", source = "watch", counts_frames = true,
    examples = { { "frame", "every frame" }, { "frame/60", "every 60 frames" } },
    look = function()
      return ""
    end,
  },
  {
    name = "keys", source = "watch", is_level = true, counts_frames = true,
    examples = { { "keys", "the keys have changed, regardless of who pressed them; `from` is the first frame with these keys" } },
    values = { { "keys", "keys", "those that are down now", 1 }, { "from", "integer", "the first frame that ran with them" } },
    look = function(watch)
      game.core_or_refuse()
      if state.ran_keys and state.ran_keys ~= watch.before then
        watch.before = state.ran_keys
        return ("%d from=%d"):format(state.ran_keys, state.frame - 1)
      end
    end,
  },
  {
    name = "sensors", source = "watch", is_level = true, counts_frames = true, host = "setSensors",
    examples = {
      {
        "sensors",
        "the cartridge's sensors have changed: `light` from 0 (bright) to 255 (dark), tilt (`x`, `y`) and `gyro` in thousandths of a degree; "
          .. "`from` is the first frame with them; with mgba-headless only",
      },
    },
    values = {
      { "light", "integer", "0 (bright) to 255 (dark)" },
      { "x", "integer", "thousandths of a degree, the right edge down" }, { "y", "integer", "thousandths of a degree, the far edge down" },
      { "gyro", "integer", "thousandths of a degree a second, clockwise" }, { "from", "integer", "the first frame that ran with them" },
    },
    look = function(watch)
      if state.ran_sensors and state.ran_sensors ~= watch.before then
        watch.before = state.ran_sensors
        return ("%s from=%d"):format(state.ran_sensors, state.frame - 1)
      end
    end,
  },
  {
    name = "camera", source = "watch", is_level = true, counts_frames = true, host = "setCamera",
    examples = { { "camera", "the camera of the cartridge sees another picture; `from` is the first frame with it; with mgba-headless only" } },
    values = {
      { "bytes", "bytes", "128 x 112 bytes, each pixel grey from 0 (black), row by row from the top; none: darkness" },
      { "from", "integer", "the first frame that ran with it" },
    },
    look = function(watch)
      if state.ran_camera and state.ran_camera ~= watch.before then
        watch.before = state.ran_camera
        return ("from=%d"):format(state.frame - 1), state.ran_camera
      end
    end,
  },
  {
    name = "memory", source = "watch",
    examples = { { "memory:0x02000000/4", "these 4 bytes have changed" }, { "memory:wram:0x10/4/30", "the same, checked every 30 frames" } },
    values = { { "bytes", "bytes", "those that are there now" } },
    start = function(watch, arguments)
      watch.location = arguments.at or wire.refuse("bad-argument", "a memory watch needs at=location")
      watch.length = arguments.length
      watch.before = memory.read(watch.location, watch.length)
      watch.cost = watch.cost + memory.read_cost(watch.location, watch.length)
    end,
    look = function(watch)
      local now = memory.read(watch.location, watch.length)
      if now ~= watch.before then
        watch.before = now
        return "", now
      end
    end,
  },
  {
    name = "log", source = "watch", host = "logged",
    examples = { { "log", "the game has printed `lines` (mGBA's debug registers, AGBPrint), or mGBA has reported an error; with mgba-headless only" } },
    values = { { "lines", "lines", "each with its category: `GBA Debug: hello`" } },
    start = function(watch)
      watch.before = host.logged()
    end,
    look = function(watch)
      if host.logged() > watch.before and watch.conn.unsent <= LIMITS.events then
        return "", new_lines(watch)
      end
    end,
  },
  {
    name = "sound", source = "watch", is_live = true, host = "heard",
    examples = { { "sound", "the game has made sound: 16-bit samples, left and right in turn, 48,000 pairs a second of the game; with mgba-headless only" } },
    values = {
      { "bytes", "samples", "the samples, left and right in turn, 16 bits each, little-endian" },
      { "sample", "integer", "the number of the first pair of samples, 48,000 a second of the game; a gap in the numbers is sound that was lost" },
    },
    start = function(watch)
      watch.before = host.heard()
    end,
    look = function(watch)
      if host.heard() > watch.before and watch.conn.unsent <= LIMITS.events then
        return new_samples(watch)
      end
    end,
  },
  {
    name = "rumble", source = "watch", is_live = true, host = "rumble",
    examples = { { "rumble", "a frame in which the cartridge's motor ran; with mgba-headless only" } },
    look = function()
      return host.rumble() and "" or nil
    end,
  },
  {
    name = "hits", source = "watch", host = "addPoint",
    examples = { { "hits", "breakpoints and watchpoints that were hit since the last event; with mgba-headless only" } },
    values = {
      {
        "lines", "lines",
        "each a hit: id of the point, kind (1 execute, 2 read, 4 write, 8 change, 16 interrupt), pc, its bank, address, size, value before, value, "
          .. "value after, whether DMA did it (1), frame",
      },
      { "count", "integer", "hits of all points since the script was loaded" },
      { "lost", "integer", "hits that were not passed on to anybody since the emulator was started" },
    },
    start = function(watch)
      watch.before = debugger.hit_count
    end,
    look = function(watch)
      if debugger.hit_count > watch.before and watch.conn.unsent <= LIMITS.events then
        local lines, dropped = debugger.hits_since(watch.before)
        watch.before, watch.dropped = debugger.hit_count, watch.dropped + dropped
        return ("count=%d lost=%d"):format(debugger.hit_count, host.lostHits()), table.concat(lines, "\n")
      end
    end,
  },
  {
    name = "state", source = "watch",
    examples = { { "state", "a state was loaded, or the game was reset; `from` is the first frame that ran after it" } },
    values = { { "from", "integer", "the first frame that ran after it" } },
    start = function(watch)
      watch.before = game.moved_beat
    end,
    look = function(watch)
      if game.moved_beat ~= watch.before then
        watch.before = game.moved_beat
        return ("from=%d"):format(game.moved_frame)
      end
    end,
  },
  {
    name = "game", source = "script",
    examples = { { "game", "the game was opened, closed, reset or stopped, its frames begin or end, or its save file cannot be written, or can again" } },
    events = {
      { name = "game.opened", values = { { "title", "text", "its title" }, { "code", "text", "its code" }, { "crc32" }, { "platform" } } },
      { name = "game.closed" }, { name = "game.reset" }, { name = "game.crashed" }, { name = "game.stopped" },
      {
        name = "game.machine",
        values = { { "machine", "text", "whether frames run: `running`, `paused`, `halted` (by a debugger), `stopped`, `crashed` or `none` (no game)" } },
      },
      {
        name = "game.save",
        values = { { "problem", "text", "why the save file cannot be written, if so" }, { "sent" } },
      },
    },
  },
  {
    name = "lease", source = "script",
    examples = { { "lease", "the lease has another holder, or has ended" } },
    values = { { "holder", "text", "who has it, if anybody", 1 }, { "reason", "text", "why it ended", 2 } },
  },
  {
    name = "freeze", source = "script",
    examples = { { "freeze", "values were frozen or released" } },
    values = {
      { "count", "integer", "how many there are now" },
      { "ended", "integer", "how many ended without a request since the last event" },
      { "reason", "text", "why the last of these ended" },
    },
  },
  {
    name = "debug", source = "script",
    examples = { { "debug", "a debugger has halted the game" } },
    events = {
      {
        name = "debug.halted",
        values = {
          { "halt", "integer", "the number of the halt" },
          { "reason", "text", "`requested`, `step`, `point` or `moved` (a state was loaded, or the game reset)" },
          { "pc", "integer", "the instruction that is executed next" }, { "bank", "integer", "of it" },
          { "point", "integer", "the id of the point that was hit" }, { "kind", "text", "what hit it: `execute`, `read`, `write`, `change` or `interrupt`" },
          { "at", "integer", "the instruction that hit it" }, { "atbank" }, { "address", "integer", "of the access" },
          { "size", "integer", "bytes of the access" },
          { "before", "integer", "the value before the access" }, { "value", "integer", "the value that was read or written" },
          { "after", "integer", "the value after the access" }, { "dma" },
        },
      },
    },
  },
  { name = "cheat", source = "script", examples = { { "cheat", "a cheat was added, switched or removed" } }, values = { { "name" } } },
  {
    name = "script", source = "script",
    examples = { { "script", "the script ends, or the connection to it was lost or made" } },
    events = { { name = "script.stopping" }, { name = "script.lost", is_gateway = true }, { name = "script.connected", is_gateway = true } },
  },
  {
    name = "emulator", source = "gateway",
    examples = { { "emulator", "an owned emulator was lost or restarted, or a client shows a message" } },
    events = {
      { name = "emulator.lost", is_gateway = true, values = { { "reason", "text", "why", 1 } } },
      { name = "emulator.restarted", is_gateway = true, values = { { "reason", "text", "why", 1 } } },
      { name = "emulator.message", is_gateway = true, values = { { "reason", "text", "the message", 1 } } },
    },
  },
  {
    name = "vote", source = "gateway",
    examples = { { "vote", "a vote was opened, has new ballots (at most five times a second), has decided a round, or has ended" } },
    events = {
      { name = "vote.opened", is_gateway = true, values = { { "vote", "text", "its id", 1 } } },
      { name = "vote.ballots", is_gateway = true, values = { { "vote", "text", "its id", 1 } } },
      { name = "vote.decided", is_gateway = true, values = { { "vote", "text", "its id", 1 } } },
      { name = "vote.ended", is_gateway = true, values = { { "vote", "text", "its id", 1 } } },
    },
  },
}

return topics
end)()

-- ========================================================================================================================
-- lua/src/commands/watches.lua
-- ========================================================================================================================

modules["commands.watches"] = (function()
-- Watches: events that a client subscribes to, checked once a frame. The topics are rows of topics.lua.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local host = require("base.host").calls
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local topics = require("commands.topics")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local command = commands.define
local refuse = wire.refuse

-- mGBA's window adds the player's keys to the mask right before the script's callback. So the frame that ended ran with the mask at the end of
-- the previous callback, not with the present one. (mGBA 0.11 adds them after the script's callback when the script was loaded before the game;
-- the player's keys are then reported a frame late.)
local watches = {
  buckets = {}, -- of work.share: one for each connection that has watches
  turn = 0,
}

local watched, names = {}, {} -- the topics that need a watch, by name and in their order
for _, topic in ipairs(topics) do
  if topic.source == "watch" then
    watched[topic.name], names[#names + 1] = topic, topic.name
  end
end

--- Sends an event. When the client reads too slowly, the event is counted as dropped, and the next one reports the count.
function watches.send_event(conn, watch, event, text, tail)
  if conn.unsent > LIMITS.events then
    watch.dropped = watch.dropped + 1
    return
  end
  local dropped = watch.dropped > 0 and " dropped=" .. watch.dropped or ""
  watch.dropped = 0
  connections.send_event(conn, "watch", wire.quote(watch.name) .. " " .. event .. (text == "" and "" or " " .. text) .. dropped, tail)
end

--- Checks a watch that is due. One that fails, because the game or its memory is gone, reports this once and ends.
local function look(watch)
  local conn = watch.conn
  work.spent = work.spent + work.look
  if state.frame < watch.next_frame or conn.closed then
    return
  end
  if watch.topic.counts_frames then
    watch.dropped = watch.dropped + (state.frame - watch.next_frame) // watch.every -- there was no time for these
  end
  watch.next_frame = state.frame + watch.every
  work.spent = work.spent + watch.cost
  local ok, text, tail = pcall(watch.topic.look, watch)
  if not ok then
    watches.remove(conn, watch.name)
    watches.send_event(conn, watch, "ended", wire.quote((wire.caught(text))))
  elseif text then
    work.spent = work.spent + work.event
    watches.send_event(conn, watch, watch.topic.name, text, tail)
  end
end

--- Checks all watches that are due, those of each connection in turn.
function watches.run()
  local buckets, kept = watches.buckets, 0
  if #buckets == 0 then
    return
  end
  work.share(watches, LIMITS.watches_cost, look)
  for i = 1, #buckets do
    local bucket = buckets[i]
    buckets[i] = nil
    if bucket.conn.watches == bucket and not bucket.conn.closed then
      kept = kept + 1
      buckets[kept] = bucket
    end
  end
end

function watches.find(conn, name)
  for i, watch in ipairs(conn.watches and conn.watches.list or {}) do
    if watch.name == name then
      return i
    end
  end
end

--- Adds a watch. Replaces the watch of the same name.
function watches.add(conn, watch)
  local bucket = conn.watches
  if not bucket then
    bucket = { conn = conn, list = {}, at = 0, left = 0 }
    conn.watches, watches.buckets[#watches.buckets + 1] = bucket, bucket
  end
  local list, at = bucket.list, watches.find(conn, watch.name)
  if not at and #list >= LIMITS.watches then
    refuse("busy", "%d watches are the most a connection may have; end one with unwatch", LIMITS.watches)
  end
  list[at or #list + 1] = watch
end

--- Ends a watch. Returns whether there was one.
function watches.remove(conn, name)
  local at = watches.find(conn, name)
  if not at then
    return false
  end
  local bucket = conn.watches
  table.remove(bucket.list, at)
  bucket.at = at <= bucket.at and bucket.at - 1 or bucket.at
  bucket.left = math.min(bucket.left, #bucket.list)
  if #bucket.list == 0 then
    conn.watches = nil
  end
  return true
end

function parse.topic(text)
  return watched[text] or refuse("bad-argument", "%q is not a topic; use one of %s", wire.printable(text), table.concat(names, ", "))
end

arguments.define_integer("every", 1, LIMITS.frames)
arguments.define_integer("watch_bytes", 1, 4096, "length")

--- @command watch
--- @type AddWatch(Name, Topic, Every, At, Length) Starts a watch, whose events arrive on this connection.
--- @arguments name, topic; `every=n`; `at=location length=n`
--- @reply `ok`
--- @notes section 7.2; events on this connection
command({
  name = "watch",
  kind = "read",
  arguments = { "name:string", "topic" },
  named = { "every=1", "at:location", "length:watch_bytes=1" },
  alone = true,
  run = function(values, request)
    local conn, topic = request.conn, values[2]
    if topic.host and not (host and host[topic.host]) then
      refuse("unsupported", "mGBA's window hands its log, sound and rumble to no script; run the game with mgba-headless")
    end
    local watch = {
      name = values[1], conn = conn, topic = topic, every = values.every, next_frame = state.frame, dropped = 0, cost = work.condition,
    }
    if topic.start then
      topic.start(watch, values)
    end
    watches.add(conn, watch)
  end,
})

--- @command unwatch
--- @type RemoveWatch(Name) Ends a watch.
--- @arguments name
--- @reply `true`/`false`
command({
  name = "unwatch",
  kind = "read",
  arguments = { "name:string" },
  alone = true,
  run = function(values, request)
    return tostring(watches.remove(request.conn, values[1]))
  end,
})

return watches
end)()

-- ========================================================================================================================
-- lua/src/commands/conditions.lua
-- ========================================================================================================================

modules["commands.conditions"] = (function()
-- Conditions on memory and registers, and the command that waits for one.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local registers = require("commands.registers")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local command = commands.define
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local concat = table.concat
local refuse = wire.refuse

local conditions = {}

local TYPES <const> = {
  u8 = { 1, 0 }, u16 = { 2, 0 }, u32 = { 4, 0 }, s8 = { 1, 0x80 }, s16 = { 2, 0x8000 }, s32 = { 4, 0x80000000 },
}

local COMPARE <const> = {
  eq = function(a, b) return a == b end,
  ne = function(a, b) return a ~= b end,
  lt = function(a, b) return a < b end,
  le = function(a, b) return a <= b end,
  gt = function(a, b) return a > b end,
  ge = function(a, b) return a >= b end,
}

function parse.comparison(text)
  return COMPARE[text] or refuse("bad-argument", "%q is not a comparison; use eq, ne, lt, le, gt or ge", wire.printable(text))
end

--- A number of one of TYPES: in memory, or the lowest bits of a register.
local function read_typed(condition)
  local register = condition.register
  local value = register and registers.read(register) & (1 << 8 * condition.width) - 1 or memory.read_number(condition.location, condition.width)
  return condition.sign > 0 and (value ~ condition.sign) - condition.sign or value
end

local TESTS <const> = setmetatable({
  mask = function(found, wanted) return found & wanted == wanted end,
  any = function(found, wanted) return found & wanted ~= 0 end,
  changed = function(found, _, before) return found ~= before end,
}, { __index = COMPARE })

--- One condition, `u8 0x02000000 ge 5`, `u16 wram:4 changed` or `u32 register:r0 eq 1`, from position `at`; and the position after it.
local function parse_condition(words, at)
  local kind = TYPES[words[at]]
    or refuse("bad-argument", "%q is not a type; a condition is: u8|u16|u32|s8|s16|s32 location test value", wire.printable(words[at] or "nothing"))
  local name = words[at + 2] or "nothing"
  local test = TESTS[name] or refuse("bad-argument", "%q is not a test; use eq, ne, lt, le, gt, ge, mask, any or changed", wire.printable(name))
  local place = words[at + 1] or ""
  local register = string.match(place, "^register:(%w+)$")
  local condition = { width = kind[1], sign = kind[2], register = register, location = not register and parse.location(place), test = test }
  if register then
    registers.read(register) -- refuses one that does not exist
  end
  if name == "changed" then
    condition.before = read_typed(condition)
    return condition, at + 3
  end
  condition.value = parse.integer(words[at + 3] or "")
  return condition, at + 4
end

--- Conditions joined by `and` and `or`; `and` binds tighter. A list of alternatives, each a list that must hold as a whole.
function conditions.parse(words)
  local alternatives, at, count = { {} }, 1, 0
  while at <= #words do
    local condition
    condition, at = parse_condition(words, at)
    count = count + 1
    if count > LIMITS.conditions then
      refuse("bad-argument", "more than %d conditions", LIMITS.conditions)
    end
    table.insert(alternatives[#alternatives], condition)
    local joint = words[at]
    if joint == "or" then
      alternatives[#alternatives + 1] = {}
    elseif joint and joint ~= "and" then
      refuse("bad-argument", "%q is not expected here; use and, or, or end the conditions", wire.printable(joint))
    end
    at = at + (joint and 1 or 0)
    if joint and at > #words then
      refuse("bad-argument", "nothing follows the last %s", joint)
    end
  end
  return alternatives, count
end

--- Whether one of the alternatives holds now, and every number that was looked at.
function conditions.check(alternatives)
  local met, values = false, {}
  for _, all in ipairs(alternatives) do
    local holds = #all > 0
    for _, condition in ipairs(all) do
      local found = read_typed(condition)
      values[#values + 1] = found
      holds = condition.test(found, condition.value, condition.before) and holds
    end
    met = met or holds
  end
  return met, values
end

parse.condition = parse.string -- one word of conditions

local function wait_text(met, values)
  return tostring(met) .. (#values > 0 and " " .. concat(values, " ") or "")
end

--- @command wait.until
--- @type Wait(AnyOf:condition, Frames) Waits until a condition holds, checked once a frame, or until frames have passed.
--- @arguments condition; `frames=n`
--- @reply `true`/`false`, then every number compared
--- @notes section 7.2; the reply comes when it is met, or `false` after n frames (`true` when there is no condition); takes frames
command({
  name = "wait.until",
  kind = "read",
  repeats = { "condition" },
  optional = true,
  named = { "frames" },
  alone = true,
  lasts = true,
  run = function(values, request)
    local last = values.frames and state.frame + values.frames
    if #values == 0 and not last then
      refuse("bad-arity", "wait takes a condition, frames= or both")
    end
    local alternatives, count = conditions.parse(values)
    local function step()
      local met, found = conditions.check(alternatives)
      local over = last and state.frame >= last
      if met or over then
        answer(request, wait_text(met or #values == 0, found))
        return true
      end
    end
    if not step() then
      jobs.check_limit(request)
      jobs.start(request, step, "frames", work.look + count * work.condition)
    end
    return DEFERRED
  end,
})

return conditions
end)()

-- ========================================================================================================================
-- lua/src/commands/debug.lua
-- ========================================================================================================================

modules["commands.debug"] = (function()
-- Commands for debugging: points, halts and steps.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local conditions = require("commands.conditions")
local constants = require("base.constants")
local debugger = require("game.debugger")
local game = require("game.game")
local host = require("base.host").calls
local jobs = require("request.jobs")
local registers = require("commands.registers")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local DEFERRED <const> = replies.DEFERRED
local NIL <const> = wire.NIL
local answer, answer_error = replies.answer, replies.answer_error
local concat = table.concat
local refuse = wire.refuse

arguments.define_integer("point", 1, 2147483647)
arguments.define_integer("halt_seconds", 1, 3600, "seconds")
arguments.define_integer("point_length", 1, 0x10000000, "length")

local function one_of(known, what)
  local names = {}
  for name in pairs(known) do
    names[#names + 1] = name
  end
  table.sort(names)
  return function(text)
    return known[text] and text or refuse("bad-argument", "%q is not a %s; use one of %s", wire.printable(text), what, concat(names, ", "))
  end
end

parse.point_kind = one_of(debugger.KINDS, "kind of point")
parse.step_kind = one_of({ into = true, over = true, out = true, to = true }, "step")

--- Registers of a machine that is halted, and why it is; nothing else of one that runs.
local function describe()
  local record = debugger.halted() or {}
  local history = debugger.history()
  if history.past then
    record[#record + 1], record[#record + 2] = "past", history.frame + history.offset
  end
  if debugger.searches() then
    record[#record + 1], record[#record + 2] = "searching", true
  end
  record[#record + 1], record[#record + 2] = "registers", wire.record(registers.read_all())
  return wire.record(record)
end

--- @command debug.get
--- @type ReadDebugger() Whether the game is halted, and the registers of the processor.
--- @reply `halt= reason= pc= bank=` of a game that is halted, with a point `point= kind= at= atbank=` and of an access
---   `address= size= before= value= after= dma=`; then `registers=`
--- @notes `halt` counts the halts; `reason` is `requested`, `step`, `point`, `moved` (a state was loaded, or the game reset) or `history` (which
---   begins there); `past=` is the frame that the game is in, in its past, `searching=true` while it goes back or repeats it; `pc` is the
---   instruction that is executed next, `at` the one that hit the point. `mgba-headless` only, as all commands of debugging
command({
  name = "debug.get",
  kind = "read",
  run = function()
    debugger.check()
    return describe()
  end,
})

--- @command debug.add
--- @type AddPoint(Kind, Address, Condition, Length, Bank, Halts, Seconds, Text) Sets a breakpoint or a watchpoint.
--- @arguments kind address; `condition="" length=1 bank= halts=true seconds= text=""`
--- @reply id
--- @notes kind: `execute` (before the instruction), `read`, `write`, `access` (both), `change` (a write of another value) or `interrupt` (the
---   address is that of a vector); bank: of a Game Boy's memory, any unless given; a condition as of `wait.until`, with `register:NAME` as a
---   place; `text` is what `debug.list` has in place of it; without `halts` hits are only counted and reported; a halt ends with its owner, and
---   with `seconds` after this time. A point ends with its owner, too. Commands of debugging run while another holder has the lease
command({
  name = "debug.add",
  kind = "effect",
  arguments = { "kind:point_kind", "address:address" },
  named = { "condition:string", "length:point_length=1", "bank:bank", "halts:boolean=true", "seconds:halt_seconds", "text:string" },
  alone = true,
  leased = true,
  run = function(values, request)
    debugger.check()
    local first = values[2]
    game.check_bus(first, values.length)
    first = values[1] == "execute" and game.platform == constants.GBA and first & ~1 or first -- bit 0 of a function's address says Thumb
    local holds
    if values.condition then
      local alternatives = conditions.parse((arguments.split(values.condition)))
      holds = function()
        return (conditions.check(alternatives))
      end
    end
    return tostring(debugger.add({
      kind = values[1], first = first, last = first + values.length - 1, bank = values.bank, holds = holds,
      condition = values.text or values.condition, halts = values.halts, seconds = values.seconds, holder = request.holder, owner = request.owner,
    }))
  end,
})

--- @command debug.remove
--- @type RemovePoints(Id) Removes points of the holder.
--- @arguments [id]
--- @reply count of points removed
--- @notes the point of this id, of any holder, or all of the holder
command({
  name = "debug.remove",
  kind = "effect",
  arguments = { "id:point" },
  optional = true,
  alone = true,
  leased = true,
  run = function(values, request)
    debugger.check()
    return tostring(debugger.remove(function(point)
      return point.id == values[1] or not values[1] and point.holder == request.holder
    end))
  end,
})

--- @command debug.list
--- @type ListPoints() Lists the points of all holders.
--- @reply nine values a point: id, holder, kind, first address, last address, bank or `nil`, condition or `nil`, whether it halts, hits
--- @notes of all holders
command({
  name = "debug.list",
  kind = "read",
  run = function()
    debugger.check()
    local parts = {}
    for i, point in ipairs(debugger.points) do
      parts[i] = concat({
        point.id, wire.quote(point.holder), wire.quote(point.kind), point.first, point.last, wire.value(point.bank or NIL),
        point.condition and wire.quote(point.condition) or wire.value(NIL), wire.value(point.halts), point.hits,
      }, " ")
    end
    return #parts > 0 and concat(parts, " ") or nil
  end,
})

--- Answers when the game is halted again, or cannot be. After `last` it is halted wherever it is.
local function await_halt(request, before, last)
  jobs.check_limit(request)
  jobs.start(request, function()
    local _, count = debugger.halted()
    if count and count ~= before then
      answer(request, describe())
      return true
    elseif state.machine == "crashed" or state.machine == "stopped" or not game.core then
      answer_error(request, ("not-running the game %s before it could be halted; reset it"):format(game.core and state.machine or "was closed"))
      return true
    elseif last and state.frame >= last then
      last = nil
      host.halt()
    end
  end, "halts")
  return DEFERRED
end

--- @command debug.halt
--- @type HaltGame(Seconds) Halts the game before its next instruction.
--- @arguments `seconds=`
--- @reply as `debug.get`
--- @notes a game that is halted stays so. The halt ends with its owner, and with `seconds` after this time
command({
  name = "debug.halt",
  kind = "effect",
  named = { "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    game.live_core_or_refuse()
    debugger.own(request, values.seconds)
    local _, before = debugger.halted()
    if before and not debugger.searches() then
      return describe()
    end
    host.halt()
    return await_halt(request, before)
  end,
})

--- @command debug.continue
--- @type ContinueGame() Lets a game that is halted run.
--- @reply `true`, or `false` if it was not halted
--- @notes until the next point that halts it; in its past, as it happened, into the present
command({
  name = "debug.continue",
  kind = "effect",
  alone = true,
  leased = true,
  run = function()
    debugger.check()
    debugger.check_search()
    local was_halted = debugger.halted() ~= nil
    debugger.resume("continue")
    return tostring(was_halted)
  end,
})

--- @command debug.step
--- @type StepGame(How, Address, Bank, Frames, Seconds) Executes instructions of a game that is halted.
--- @arguments how=`into` `over` `out` `to`; `address= bank= frames=600 seconds=`
--- @reply as `debug.get`, when the game is halted again
--- @notes `into`: one instruction; `over`: and the function that it calls; `out`: until the present function returns; `to`: until the
---   address, of a Game Boy in this bank or any. A point on the way halts it, too, and after `frames` it is halted wherever it is
command({
  name = "debug.step",
  kind = "effect",
  arguments = { "how:step_kind" },
  named = { "address:address", "bank:bank", "frames:frames=600", "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local _, before = debugger.halted()
    if not before then
      refuse("bad-argument", "the game is not halted; send debug.halt first, or set a point")
    elseif (values[1] == "to") ~= (values.address ~= nil) then
      refuse("bad-argument", "address= is for a step `to`, and needed there")
    end
    debugger.check_search()
    jobs.check_limit(request)
    debugger.resume(values[1], values.address, values.bank)
    debugger.own(request, values.seconds)
    return await_halt(request, before, state.frame + values.frames)
  end,
})

return { await_halt = await_halt }
end)()

-- ========================================================================================================================
-- lua/src/commands/history.lua
-- ========================================================================================================================

modules["commands.history"] = (function()
-- Commands for the history of a game: what it did, back in it, who wrote what, and what was executed.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local debug_commands = require("commands.debug")
local debugger = require("game.debugger")
local game = require("game.game")
local host = require("base.host").calls
local jobs = require("request.jobs")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local answer, answer_error = replies.answer, replies.answer_error
local command = commands.define
local refuse = wire.refuse

local BACKS <const> = { step = 0, point = 1, frame = 3 } -- as headless/debugger/script-history.h counts them
local WRITERS <const> = { [0] = "game", "dma", "outside" }
local ANY_BANK <const> = -1
local HIGHEST <const> = 0xFFFFFFFF
-- As headless/debugger/trace.h counts them.
local TRACES <const> = {
  instruction = 1, call = 2, ["return"] = 4, interrupt = 8, dma = 16, display = 32, sound = 64, timer = 128, serial = 256,
}
local TRACE_NAMES <const> = {}
for name, bit in pairs(TRACES) do
  TRACE_NAMES[bit] = name
end

arguments.define_integer("history_megabytes", 0, 4096, "megabytes")
arguments.define_integer("back_count", 1, 100000, "count")
arguments.define_integer("writer_count", 1, 64, "count")
arguments.define_integer("writer_length", 1, 4096, "length")
arguments.define_integer("trace_number", 0, 2147483647, "number")
arguments.define_integer("trace_count", 1, 256, "count")

function parse.back_kind(text)
  return BACKS[text] and text or refuse("bad-argument", "%q is no way to go back; use frame, point or step", wire.printable(text))
end

--- Kinds of events, separated by commas.
function parse.trace_kinds(text)
  for word in string.gmatch(text .. ",", "([^,]*),") do
    if not TRACES[word] then
      refuse("bad-argument", "%q is no kind of event; use some of call, display, dma, instruction, interrupt, return, serial, sound and timer",
        wire.printable(word))
    end
  end
  return text
end

--- Refuses without a history, and while something is searched in it.
local function check_history()
  local history = debugger.kept_history()
  if history.searches then
    refuse("busy", "something is searched in the history; wait until that is answered, or end it with debug.halt")
  end
  return history
end

local searches = 0 -- that were begun

--- Answers with what `read` returns when the search that was begun is done.
local function await_search(request, read)
  searches = searches + 1
  local own = searches
  jobs.start(request, function()
    if searches ~= own then
      answer_error(request, "busy another search has begun before this one was answered; send it again")
      return true
    elseif not debugger.history().searches then
      answer(request, read())
      return true
    end
  end, "halts")
  return replies.DEFERRED
end

--- What is kept.
local function describe()
  local history = debugger.history()
  return wire.record({
    "megabytes", history.megabytes, "bytes", history.bytes, "first", history.first + history.offset, "now", state.frame,
    "frame", history.frame + history.offset, "past", history.past, "problem", history.problem,
  })
end

--- @command debug.keepHistory
--- @type KeepHistory(Megabytes) Keeps what the game does, to go back in it.
--- @arguments megabytes
--- @reply as `debug.history`
--- @notes in so much memory, of which it drops the oldest; 0 ends and drops it. What is kept already remains. Also of games that are opened later
command({
  name = "debug.keepHistory",
  kind = "effect",
  arguments = { "megabytes:history_megabytes" },
  alone = true,
  leased = true,
  run = function(values)
    debugger.check()
    debugger.check_search()
    if debugger.history().past then
      refuse("bad-argument", "the game is in its past; send debug.continue first")
    end
    host.keepHistory(values[1])
    return describe()
  end,
})

--- @command debug.history
--- @type ReadHistory() Returns what is kept of the history of a game.
--- @reply `megabytes= bytes= first= now= frame= past= problem=""`
--- @notes the memory that it may take and takes; the frames where it begins, that is the present, and that the game is in; whether it is in its
---   past; why there is none
command({
  name = "debug.history",
  kind = "read",
  run = function()
    debugger.check()
    return describe()
  end,
})

--- @command debug.back
--- @type GoBack(How, Count, Seconds) Goes back in the history of a game that is halted.
--- @arguments how=`step` `point` `frame`; `count=1 seconds=`
--- @reply as `debug.get`, when the game is halted there
--- @notes `step`: so many instructions; `point`: to where a point would have halted it last; `frame`: to the beginning of its frame, or of so
---   many before. `reason` is `history` where it begins. Steps and `debug.continue` lead forward again, as it happened, into the present
command({
  name = "debug.back",
  kind = "effect",
  arguments = { "how:back_kind" },
  named = { "count:back_count=1", "seconds:halt_seconds" },
  alone = true,
  leased = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local _, before = debugger.halted()
    if not before then
      refuse("bad-argument", "the game is not halted; send debug.halt first, or set a point")
    end
    check_history()
    jobs.check_limit(request)
    if not host.goBack(BACKS[values[1]], values[1] == "point" and 1 or values.count) then
      refuse("not-running", "nothing is behind the game yet: its history begins with the next frame")
    end
    debugger.own(request, values.seconds)
    return debug_commands.await_halt(request, before)
  end,
})

--- Eight values a write: who, frame, pc and its bank, address, size, value before, value.
local function writers(offset)
  local parts = {}
  for by, frame, rest in string.gmatch(host.writers(), "(%d) (%d+) ([^\n]+)\n") do
    parts[#parts + 1] = ("%s %d %s"):format(wire.quote(WRITERS[math.tointeger(tonumber(by))]), math.tointeger(tonumber(frame)) + offset, rest)
  end
  return #parts > 0 and table.concat(parts, " ") or nil
end

--- @command debug.writers
--- @type FindWriters(Address, Length, Bank, Count) Returns who wrote to an address last.
--- @arguments address; `length=1 bank= count=1`
--- @reply eight values a write, the last one first: `game`, `dma` or `outside` (a client, a freeze, a state or a reset), frame, instruction and
---   its bank, address, size in bytes, value before, value
--- @notes only writes of another value, since the history began. Of others than the game the instruction is 0. The game runs on meanwhile
command({
  name = "debug.writers",
  kind = "read",
  arguments = { "address:address" },
  named = { "length:writer_length=1", "bank:bank", "count:writer_count=1" },
  alone = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    game.check_bus(values[1], values.length)
    local offset = check_history().offset
    jobs.check_limit(request)
    if not host.findWriters(values[1], values[1] + values.length - 1, values.bank or ANY_BANK, values.count) then
      refuse("bad-argument", "the history has memory that the game can write: RAM, video memory, registers and saves; none at 0x%08X", values[1])
    end
    return await_search(request, function()
      return writers(offset)
    end)
  end,
})

--- The frame and the number where to continue, and how many frames were missed; then twelve values an event.
local function trace(offset)
  local head, events = string.match(host.trace(), "^([^\n]*)\n(.*)$")
  local frame, number, missed = string.match(head, "^(%d+) (%d+) (%d+)$")
  local parts = { ("%d %s %s"):format(math.tointeger(frame) + offset, number, missed) }
  for at, rest, kind, values in string.gmatch(events, "(%d+) (%d+ %d+ %d+) (%d+) ([^\n]+)\n") do
    parts[#parts + 1] = ("%d %s %s %s"):format(math.tointeger(at) + offset, rest, wire.quote(TRACE_NAMES[math.tointeger(kind)]), values)
  end
  return table.concat(parts, " ")
end

--- @command debug.trace
--- @type ReadTrace(Kinds, Frame, Number, Count, First, Last) Returns what the game did, event by event.
--- @arguments kinds; `frame= number=0 count=64 first=0 last=0xFFFFFFFF`
--- @reply `frame number missed`, then twelve values an event: frame, number, cycle, line of the picture, kind, instruction and its bank, address or `nil`,
---   size, value, whether DMA did it, text
--- @notes kinds, separated by commas: `instruction`, `call`, `return`, `interrupt`, and writes to devices: `dma` (also what DMA writes), `display`, `sound`,
---   `timer`, `serial`. From the frame (the last one unless given) and the number in it on, at instructions from `first` to `last`. Events of a frame are
---   numbered, those that are asked for: the next request begins at the frame and the number at the head. `missed` frames at the beginning are not
---   kept any more
command({
  name = "debug.trace",
  kind = "read",
  arguments = { "kinds:trace_kinds" },
  named = { "frame:past_frame", "number:trace_number=0", "count:trace_count=64", "first:address=0", "last:address=" .. HIGHEST },
  alone = true,
  lasts = true,
  run = function(values, request)
    debugger.check()
    local history = check_history()
    jobs.check_limit(request)
    local kinds = 0
    for word in string.gmatch(values[1], "[^,]+") do
      kinds = kinds | TRACES[word]
    end
    local frame = values.frame and math.max(values.frame - history.offset, 0) or math.max(history.present - 1, 0)
    if not host.findTrace(kinds, values.first, values.last, frame, values.number, values.count) then
      refuse("bad-argument", "first 0x%08X is behind last 0x%08X", values.first, values.last)
    end
    return await_search(request, function()
      return trace(history.offset)
    end)
  end,
})
end)()

-- ========================================================================================================================
-- lua/src/commands/freezes.lua
-- ========================================================================================================================

modules["commands.freezes"] = (function()
-- Commands for freezes, and the event that reports their changes.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local freezes = require("game.freezes")
local game = require("game.game")
local LIMITS <const> = require("base.limits")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local live_core_or_refuse = game.live_core_or_refuse
local format = string.format
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local freeze_commands = {}

function parse.freeze_name(text)
  if #text < 1 or #text > LIMITS.freeze_name then
    refuse("bad-argument", "a freeze's name has 1 to %d bytes; this one has %d", LIMITS.freeze_name, #text)
  end
  return text
end

arguments.define_integer("freeze_frames", 1, 2147483647, "frames")

--- @command freezes.set
--- @type FreezeMemory(Name, Location, Bytes:block, Frames) Writes bytes now and again in every frame. Replaces the holder's freeze of the same name.
--- @arguments name location, tail; `frames=n`
--- @reply `last=`
--- @notes writes the tail (1 to 1,024 bytes) now and in every frame, n frames in all or until it is released; section 7.4
command({
  name = "freezes.set",
  kind = "effect",
  arguments = { "name:freeze_name", "location" },
  named = { "frames:freeze_frames" },
  tail = "takes",
  alone = true,
  run = function(values, request)
    live_core_or_refuse()
    local last = values.frames and state.frame + values.frames
    freezes.set({ holder = request.holder, name = values[1], owner = request.owner, location = values[2], data = request.tail, last = last })
    return wire.record({ "last", last and last - 1 or NIL })
  end,
})

--- @command freezes.delete
--- @type UnfreezeMemory(Name) Releases freezes of the holder.
--- @arguments [name]
--- @reply count of freezes released
--- @notes the holder's freeze of this name, or all of the holder
command({
  name = "freezes.delete",
  kind = "effect",
  arguments = { "name:freeze_name" },
  optional = true,
  alone = true,
  run = function(values, request)
    return tostring(freezes.release(request.holder, values[1]))
  end,
})

local function text_of(location)
  return type(location) == "table" and format("%s:0x%X", location.domain, location.offset) or format("0x%08X", location)
end

--- @command freezes.list
--- @type ListFreezes() Lists the freezes of all holders.
--- @reply five values a freeze: holder, name, location, length, last frame or `nil`; tail of all values, in order
--- @notes of all holders
command({
  name = "freezes.list",
  kind = "read",
  run = function()
    local parts, tails = {}, {}
    for i, freeze in ipairs(freezes.list) do
      parts[i] = concat({
        wire.quote(freeze.holder), wire.quote(freeze.name), wire.quote(text_of(freeze.location)), #freeze.data,
        wire.value(freeze.last and freeze.last - 1 or NIL),
      }, " ")
      tails[i] = freeze.data
    end
    return #parts > 0 and concat(parts, " ") or nil, concat(tails)
  end,
})

--- Sends an event when freezes have changed: at most one a frame, however many requests changed them.
function freeze_commands.report()
  if not freezes.changed then
    return
  end
  local record = { "count", #freezes.list }
  if freezes.ended > 0 then
    record = { "count", #freezes.list, "ended", freezes.ended, "reason", freezes.reason }
  end
  freezes.changed, freezes.ended, freezes.reason = false, 0, nil
  connections.announce("freeze", wire.record(record))
end

return freeze_commands
end)()

-- ========================================================================================================================
-- lua/src/legacy/messages.lua
-- ========================================================================================================================

modules["legacy.messages"] = (function()
-- Messages of mGBA-http, `type,value1,value2,value3`, on the same port, with the names of all its versions.

local arguments = require("wire.arguments")
local constants = require("base.constants")
local lease = require("session.lease")
local wire = require("wire.text")
local work = require("request.work")

local parse, to_integer = arguments.parse, arguments.to_integer
local ALL_KEYS <const>, SAVESTATE <const> = constants.ALL_KEYS, constants.SAVESTATE
local gmatch, match, sub = string.gmatch, string.match, string.sub
local refuse = wire.refuse

local legacy = { types = {} }
local split = {}

--- Three values at most; empty ones keep their positions.
function split.values(rest)
  local values, n = {}, 0
  for value in gmatch(rest .. ",", "([^,]*),") do
    n = n + 1
    values[n] = value
  end
  return values[1] or "", values[2] or "", values[3] or ""
end

--- One text with its own commas; mGBA-http appends two.
function split.text(rest)
  return sub(rest, -2) == ",," and sub(rest, 1, -3) or rest
end

--- A text, then one word: `a,b.ss1,29,`.
function split.text_and_word(rest)
  local text, word = match(rest, "^(.*),([%w-]*),$")
  if not text then
    text, word = match(rest, "^(.*),([%w-]*)$")
  end
  return text or rest, word or ""
end

local function number(text)
  return to_integer(text) or refuse("bad-argument", "%q is not an integer", wire.printable(text))
end

--- Flags; unknown bits are ignored, as in mGBA.
local function flags_or(text, default)
  return text == "" and default or number(text) & SAVESTATE.all
end

local function key_mask(text)
  local value = number(text)
  if value < 0 or value > ALL_KEYS then
    refuse("bad-argument", "key mask %d is outside 0..%d", value, ALL_KEYS)
  end
  return value
end

local function named_keys(text)
  local keys = {}
  for name in gmatch(text, "[^;]+") do
    keys[#keys + 1] = parse.key(name)
  end
  if #keys == 0 then
    refuse("bad-key", "no button was named")
  end
  return keys
end

local function define(is_read, names, splitter, run, cost)
  for name in gmatch(names, "%S+") do
    legacy.types[name] = { split = splitter, run = run, name = name, cost = cost or 0, is_read = is_read }
  end
end

--- Defines messages: how their values are split, and what runs. A result of nil is success without a value. `cost` is that of a command, of
--- the values.
function legacy.message(...)
  define(false, ...)
end

--- As above, messages that change nothing: they run while another client holds the lease.
function legacy.read(...)
  define(true, ...)
end

--- Clients of mGBA-http expect false for a file or state that cannot be used.
local function tolerant(fn, ...)
  local ok, result = pcall(fn, ...)
  local code = ok or wire.caught(result)
  if not ok and code ~= "not-a-state" and code ~= "not-found" then
    error(result, 0)
  end
  return ok, result
end

--- Runs a message of mGBA-http. Returns its value, or DEFERRED.
function legacy.run(request)
  local name, rest = match(request.text, "^([^,]+),?(.*)$")
  local row = legacy.types[name] or refuse("unknown-command", "%q is not a message of mGBA-http", wire.printable(name))
  if lease.holder and not row.is_read then
    lease.check(request)
  end
  local first, second, third = row.split(rest)
  second, third = second or "", third or ""
  local cost = work.of(row, first, second, third)
  if cost > 0 and not work.admits(cost) then
    return work.LATER
  end
  return row.run(first, second, third, request)
end

legacy.split = split
legacy.number = number
legacy.flags_or = flags_or
legacy.key_mask = key_mask
legacy.named_keys = named_keys
legacy.tolerant = tolerant

return legacy
end)()

-- ========================================================================================================================
-- lua/src/legacy/keys.lua
-- ========================================================================================================================

modules["legacy.keys"] = (function()
-- Key messages of mGBA-http.

local arguments = require("wire.arguments")
local key_commands = require("commands.keys")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local legacy = require("legacy.messages")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local tap_queue = require("keys.tap_queue")

local parse = arguments.parse
local KEYS <const> = constants.KEYS
local core_or_refuse = game.core_or_refuse
local chord, mask_of = key_commands.chord, key_commands.mask_of
local key_mask, message, named_keys = legacy.key_mask, legacy.message, legacy.named_keys
local read, split = legacy.read, legacy.split
local concat = table.concat

local COMPAT <const> = input.COMPAT
local TAP_FRAMES <const> = 15

local function add_keys(mask)
  core_or_refuse()
  levels.hold(COMPAT, nil, mask)
end

local function clear_keys(mask)
  core_or_refuse()
  levels.clear(COMPAT, mask)
end

local function tap(keys, frames)
  core_or_refuse()
  tap_queue.add(keys, frames, 2, { holder = COMPAT }, "shorten")
end

local duration = arguments.integer_between(1, LIMITS.frames, "duration")

message("core.addKey", split.values, function(key) add_keys(1 << parse.key(key)) end)
message("core.addKeys", split.values, function(mask) add_keys(key_mask(mask)) end)
message("core.clearKey", split.values, function(key) clear_keys(1 << parse.key(key)) end)
message("core.clearKeys", split.values, function(mask) clear_keys(key_mask(mask)) end)

message("core.setKeys", split.values, function(mask)
  core_or_refuse()
  levels.set(COMPAT, nil, key_mask(mask))
end)

read("core.getKey mgba-http.button.get", split.values, function(key)
  return input.reported() >> parse.key(key) & 1
end)

read("core.getKeys", split.values, input.reported)
message("mgba-http.button.add", split.values, function(key) add_keys(1 << parse.key(key)) end)
message("mgba-http.button.addMany", split.values, function(names) add_keys(mask_of(named_keys(names))) end)
message("mgba-http.button.clear", split.values, function(key) clear_keys(1 << parse.key(key)) end)
message("mgba-http.button.clearMany", split.values, function(names) clear_keys(mask_of(named_keys(names))) end)
message("mgba-http.button.tap mgba-http.button", split.values, function(key) tap({ parse.key(key) }, TAP_FRAMES) end)
message("mgba-http.button.tapMany mgba-http.button.tapmany", split.values, function(names) tap(chord(named_keys(names)), TAP_FRAMES) end)
message("mgba-http.button.hold", split.values, function(key, frames) tap({ parse.key(key) }, duration(frames)) end)

message("mgba-http.button.holdMany mgba-http.button.holdmany", split.values, function(names, frames)
  tap(chord(named_keys(names)), duration(frames))
end)

read("mgba-http.button.getAll", split.values, function()
  local names, mask = {}, input.reported()
  for key = 9, 0, -1 do
    if mask >> key & 1 == 1 then
      names[#names + 1] = KEYS[key + 1]
    end
  end
  return concat(names, ",")
end)
end)()

-- ========================================================================================================================
-- lua/src/legacy/game.lua
-- ========================================================================================================================

modules["legacy.game"] = (function()
-- Core, memory, register, file and console messages of mGBA-http.

local arguments = require("wire.arguments")
local key_commands = require("commands.keys")
local constants = require("base.constants")
local control = require("commands.game_control")
local game = require("game.game")
local jobs = require("request.jobs")
local legacy = require("legacy.messages")
local memory_compat = require("game.memory_compat")
local paths = require("wire.paths")
local registers = require("commands.registers")
local save_file = require("game.save_file")
local screen = require("commands.screen")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local GB <const>, SAVESTATE <const> = constants.GB, constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local answer_at = key_commands.answer_at
local flags_or, message, number = legacy.flags_or, legacy.message, legacy.number
local read, split, tolerant = legacy.read, legacy.split, legacy.tolerant
local lower = string.lower
local concat = table.concat
local refuse = wire.refuse

for _, name in ipairs({ "currentFrame", "frameCycles", "frequency", "platform", "romSize", "getGameCode", "getGameTitle" }) do
  read("core." .. name, split.values, function()
    local core = core_or_refuse()
    return core[name](core)
  end)
end

message("core.autoloadSave", split.values, function()
  local loaded = core_or_refuse():autoloadSave()
  if loaded then
    save_file.note_sent()
  end
  return loaded
end)

read("core.checksum", split.values, function()
  core_or_refuse()
  return game.crc32
end)

message("core.step", split.values, function(_, _, _, request)
  return control.step(request)
end)

message("core.runFrame", split.values, function(_, _, _, request) -- emu:runFrame in a callback would call this script recursively
  core_or_refuse()
  jobs.check_limit(request)
  return answer_at(request, state.frame + 1)
end)

message("coreAdapter.reset", split.values, function()
  control.reset()
end)

read("coreAdapter.memory", split.values, function()
  core_or_refuse()
  return concat(game.domain_ids, ",")
end)

for width, bits in pairs({ [1] = "8", [2] = "16", [4] = "32" }) do
  local mask = (1 << width * 8) - 1
  read("core.read" .. bits, split.values, function(address) return memory_compat.read_number(number(address), width) end)
  message("core.write" .. bits, split.values, function(address, value)
    memory_compat.write_number(number(address), width, number(value) & mask)
  end)
  read("memoryDomain.read" .. bits, split.values, function(domain, offset)
    return memory_compat.read_number({ domain = domain, offset = number(offset) }, width)
  end)
  message("memoryDomain.write" .. bits, split.values, function(domain, offset, value)
    memory_compat.write_number({ domain = domain, offset = number(offset) }, width, number(value) & mask)
  end)
end

for _, name in ipairs({ "base", "bound", "size", "name" }) do
  read("memoryDomain." .. name, split.values, function(domain)
    core_or_refuse()
    local known = game.domains[domain] or refuse("not-found", "%q is not a memory domain", wire.printable(domain))
    return known[name]
  end)
end

read("core.readRegister", split.values, function(name)
  local value = core_or_refuse():readRegister(name)
  if value and game.platform == GB then
    value = value & (#name == 1 and 0xff or 0xffff) -- mGBA 0.10 leaves garbage above it
  end
  return value
end)

message("core.writeRegister", split.values, function(name, value) registers.write(name, number(value)) end)

for _, level in ipairs({ "log", "warn", "error" }) do
  read("console." .. level, split.text, function(text)
    if text == "" then
      refuse("bad-argument", "the message is empty")
    end
    console[level](console, text)
  end)
end

for names, resets in pairs({ ["core.loadFile"] = false, ["mgba-http.extension.loadFile mgba-http.extension.loadfile"] = true }) do
  message(names, split.text, function(text)
    local path = parse.path(text)
    core_or_refuse()
    local loaded = paths.is_readable(path) and not save_file.problem() and (control.load_rom(path, resets))
    control.update_game()
    return loaded
  end, work.file)
end

message("core.loadSaveFile", split.text_and_word, function(text, temporary)
  return save_file.load(core_or_refuse(), parse.path(text), parse.boolean(lower(temporary)))
end, work.file)

message("core.saveStateFile", split.text_and_word, function(text, flags)
  return core_or_refuse():saveStateFile(parse.path(text), flags_or(flags, SAVESTATE.all))
end, work.slot)

message("core.loadStateFile", split.text_and_word, function(text, flags, _, request)
  core_or_refuse()
  local found, data = tolerant(states.read_file, parse.path(text))
  return found and states.load(request, data, flags_or(flags, SAVESTATE.load), tolerant)
end, work.slot)

message("core.saveStateSlot", split.values, function(slot, flags)
  return core_or_refuse():saveStateSlot(parse.slot(slot), flags_or(flags, SAVESTATE.all))
end, work.slot)

message("core.loadStateSlot", split.values, function(slot, flags)
  local checked, loaded = tolerant(states.load_slot, parse.slot(slot), flags_or(flags, SAVESTATE.load))
  return checked and loaded
end, work.slot)

message("core.screenshot", split.text, function(text) screen.save(parse.path(text)) end, work.screen + work.file)
end)()

-- ========================================================================================================================
-- lua/src/legacy/buffers.lua
-- ========================================================================================================================

modules["legacy.buffers"] = (function()
-- Messages of mGBA-http with bytes as `d3,00,...`. A save state takes a hundred milliseconds, so it is converted in slices.

local arguments = require("wire.arguments")
local constants = require("base.constants")
local game = require("game.game")
local jobs = require("request.jobs")
local legacy = require("legacy.messages")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_compat = require("game.memory_compat")
local replies = require("request.replies")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local SAVESTATE <const> = constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local flags_or, message, number, split, tolerant = legacy.flags_or, legacy.message, legacy.number, legacy.split, legacy.tolerant
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local format, gsub, match, sub = string.format, string.gsub, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local SLICE <const> = 8192

local HEX_OF <const>, BYTE_OF <const> = {}, {}

for value = 0, 255 do
  local hex, c = format("%02x", value), string.char(value)
  HEX_OF[c] = hex .. ","
  for _, spelled in ipairs({ hex, hex:upper(), hex:sub(1, 1):upper() .. hex:sub(2), hex:sub(1, 1) .. hex:sub(2):upper() }) do
    BYTE_OF[spelled] = c
    BYTE_OF[spelled .. ","] = c
  end
end

--- Replies with the hex of `data`, or of what read(offset, length) returns, one slice a step.
local function answer_hex(request, data, length, read)
  local parts, at = {}, 1
  length = length or #data
  jobs.check_limit(request, length * 4)
  local function step()
    local piece = data and sub(data, at, at + SLICE - 1) or read(at - 1, math.min(SLICE, length - at + 1))
    parts[#parts + 1] = gsub(piece, ".", HEX_OF)
    at = at + SLICE
    if at > length then
      answer(request, sub(concat(parts), 1, -2))
      return true
    end
  end
  if not step() then
    jobs.start(request, step, "slices", SLICE * work.hex_byte, length * 4)
  end
  return DEFERRED
end

--- Reads a range; in slices when it costs more than one frame has time for.
local function answer_range(location, length, request)
  if memory.read_cost(location, length) <= LIMITS.frame_cost then
    return answer_hex(request, memory_compat.read(location, length))
  end
  return answer_hex(request, nil, length, function(offset, count)
    return memory_compat.read(memory.location_after(location, offset), count)
  end)
end

local function range_cost(location, length)
  return math.min(memory.read_cost(location, length), LIMITS.frame_cost) + math.min(length, SLICE) * work.hex_byte
end

legacy.read("core.readRange", split.values, function(address, length, _, request)
  return answer_range(number(address), parse.length(length), request)
end, function(address, length)
  return range_cost(number(address), parse.length(length))
end)

legacy.read("memoryDomain.readRange", split.values, function(domain, offset, length, request)
  return answer_range({ domain = domain, offset = number(offset) }, parse.length(length), request)
end, function(_, _, length)
  return range_cost({}, parse.length(length))
end)

legacy.read("core.saveStateBuffer", split.values, function(flags, _, _, request)
  return answer_hex(request, states.save(flags_or(flags, SAVESTATE.all)))
end, work.png_state)

--- Converts `[d3,00,…]` to bytes, one slice a step, then loads the state.
message("core.loadStateBuffer", split.text_and_word, function(text, flags, _, request)
  local body = match(text, "^%[(%x%x[%x,]*)%]$") or refuse("bad-argument", "the buffer must be written [d3,00,...]")
  local wanted, parts, at, unpacking = flags_or(flags, SAVESTATE.load), {}, 1, nil
  local function step()
    if unpacking then
      return unpacking()
    end
    local plain = gsub(sub(body, at, at + SLICE * 3 - 1), "%x%x,?", BYTE_OF)
    parts[#parts + 1] = plain
    at = at + SLICE * 3
    if at > #body then
      local data = concat(parts)
      if #data ~= (#body + 1) // 3 then
        refuse("bad-argument", "the buffer must be two hex digits a byte, separated by commas")
      elseif not states.is_png(data) then
        answer(request, (tolerant(states.load_raw, data, wanted)))
        return true
      end
      unpacking = states.unpacking(request, data, wanted, tolerant)
    end
  end
  core_or_refuse()
  if not step() then
    jobs.start(request, step, "slices", SLICE * work.hex_byte)
  end
  return DEFERRED
end)
end)()

-- ========================================================================================================================
-- lua/src/base/environment.lua
-- ========================================================================================================================

modules["base.environment"] = (function()
-- Reads the settings from the environment and checks them.

local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local settings = require("base.settings")

local LOG_LEVELS <const> = constants.LOG_LEVELS
local tointeger = math.tointeger
local find, format, gmatch = string.find, string.format, string.gmatch

local environment = {}

local function environment_number(name, low, high, default)
  local text = os.getenv(name)
  if not text or text == "" then
    return default
  end
  local number = tointeger(tonumber(text))
  if not number or number < low or number > high then
    error(format("%s is %q; set it to an integer from %d to %d, or unset it", name, text, low, high), 0)
  end
  return number
end

local function environment_text(name, default)
  local text = os.getenv(name)
  return text and text ~= "" and text or default
end

function environment.read_settings()
  settings.port = environment_number("MGBA_BRIDGE_PORT", 1, 65535, settings.port)
  settings.connections = environment_number("MGBA_BRIDGE_CONNECTIONS", 1, 900, settings.connections)
  settings.linger = environment_number("MGBA_BRIDGE_LINGER", 0, 100, settings.linger)
  settings.bind = environment_text("MGBA_BRIDGE_BIND", settings.bind)
  settings.secret = environment_text("MGBA_BRIDGE_SECRET", settings.secret)
  local length = settings.secret and (utf8.len(settings.secret) or #settings.secret)
  if length and length < LIMITS.secret then
    error(format("MGBA_BRIDGE_SECRET has %d characters; use at least %d, for example what `openssl rand -hex 32` prints", length, LIMITS.secret), 0)
  end
  settings.nonce = environment_text("MGBA_BRIDGE_NONCE", settings.nonce)
  settings.log = environment_text("MGBA_BRIDGE_LOG", settings.log)
  local lease = environment_text("MGBA_BRIDGE_LEASE", settings.lease and "on" or "off")
  if lease ~= "on" and lease ~= "off" then
    error(format("MGBA_BRIDGE_LEASE is %q; use on or off", lease), 0)
  end
  settings.lease = lease == "on"
  if not LOG_LEVELS[settings.log] then
    error(format("MGBA_BRIDGE_LOG is %q; use error, warn, info or debug", settings.log), 0)
  end
  local folders = os.getenv("MGBA_BRIDGE_FOLDERS")
  if folders and folders ~= "" then
    settings.folders = {}
    for folder in gmatch(folders, "[^;]+") do
      if not find(folder, "^[/\\]") and not find(folder, "^%a:[/\\]") then
        error(format("MGBA_BRIDGE_FOLDERS names %q; write whole paths from the root, separated by ;", folder), 0)
      end
      settings.folders[#settings.folders + 1] = folder
    end
  end
end

return environment
end)()

-- ========================================================================================================================
-- lua/src/commands/cheats.lua
-- ========================================================================================================================

modules["commands.cheats"] = (function()
-- Cheats of the game, which mgba-headless runs by libmgba's cheat engine.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local cheats = {}

local changed -- the name of the cheat that was changed last since the last event

--- The calls of the host, or an error for the client.
local function cheats_or_refuse()
  game.core_or_refuse()
  return host and host.cheat and host
    or refuse("unsupported", "mGBA's window hands no cheats to scripts; use its menu Tools > Cheats, or run the game with mgba-headless")
end

--- The reply of a command that changes the cheat of a name, if there is one.
local function change(name, found)
  if found then
    changed = name
  end
  return tostring(found)
end

--- The name of the last cheat that can be used.
local function last_name()
  local name
  for number = 1, math.maxinteger do
    local is, found = host.cheat(number):match("^([^\n]*)\n([^\n]*)\n")
    if is ~= "on" and is ~= "off" then
      return name
    end
    name = found
  end
end

function parse.cheat(text)
  if #text < 1 or text:find("[%z\r\n]") then
    refuse("bad-argument", "a cheat's name has 1 to 128 bytes, in one line")
  end
  return text
end

--- @command cheats.set
--- @type SetCheat(Name, Codes:block, Enabled) Adds a cheat, or replaces the one of this name.
--- @arguments name, tail; `enabled=true`
--- @reply `ok`
--- @notes the tail has the codes, one in a line or separated by `+`; `bad-argument` says which is none; section 7.5
command({
  name = "cheats.set",
  kind = "effect",
  arguments = { "name:cheat" },
  named = { "enabled:boolean=true" },
  tail = "takes",
  alone = true,
  run = function(values, request)
    local codes = request.tail
    if codes:find("\0", 1, true) then
      refuse("bad-argument", "codes are text, one in a line")
    end
    local reason = cheats_or_refuse().setCheat(values[1], codes, values.enabled)
    if reason ~= "" then
      refuse("bad-argument", "%s", reason)
    end
    changed = values[1]
  end,
})

--- @command cheats.load
--- @type LoadCheats(File:tail) Adds the cheats of a file; each replaces the one of its name.
--- @arguments tail
--- @reply `ok`
--- @notes the tail has the file, in a format of `--cheats`; `bad-argument` says why none of its cheats can be used; section 7.5
command({
  name = "cheats.load",
  kind = "effect",
  tail = "takes",
  alone = true,
  run = function(_, request)
    local text = request.tail
    if text:find("\0", 1, true) then
      refuse("bad-argument", "a file of cheats is text in UTF-8, and has no zero bytes")
    end
    local reason = cheats_or_refuse().loadCheats(text)
    if reason ~= "" then
      refuse("bad-argument", "%s", reason)
    end
    changed = last_name()
  end,
})

--- @command cheats.enable
--- @type EnableCheat(Name, Enabled) Switches a cheat on or off.
--- @arguments name enabled
--- @reply `true`/`false`
--- @notes whether there is one of this name that can be used
command({
  name = "cheats.enable",
  kind = "effect",
  arguments = { "name:cheat", "enabled:boolean" },
  alone = true,
  run = function(values)
    return change(values[1], cheats_or_refuse().enableCheat(values[1], values[2]))
  end,
})

--- @command cheats.delete
--- @type DeleteCheat(Name) Removes a cheat.
--- @arguments name
--- @reply `true`/`false`
--- @notes what it has written to the ROM is undone, what it has written to memory stays
command({
  name = "cheats.delete",
  kind = "effect",
  arguments = { "name:cheat" },
  alone = true,
  run = function(values)
    return change(values[1], cheats_or_refuse().removeCheat(values[1]))
  end,
})

--- @command cheats.list
--- @type ListCheats() Lists the cheats.
--- @reply four values a cheat: name, enabled, length of the codes, why it cannot be used or `nil`; tail of all codes
command({
  name = "cheats.list",
  kind = "read",
  run = function()
    local calls = cheats_or_refuse()
    local parts, tails = {}, {}
    for number = 1, math.maxinteger do
      local text = calls.cheat(number)
      if text == "" then
        break
      end
      local is, name, codes = text:match("^([^\n]*)\n([^\n]*)\n(.*)$")
      local problem = is ~= "on" and is ~= "off" and is or NIL
      parts[number] = concat({ wire.quote(name), wire.value(is == "on"), #codes, problem == NIL and "nil" or wire.quote(problem) }, " ")
      tails[number] = codes
    end
    return #parts > 0 and concat(parts, " ") or nil, concat(tails)
  end,
})

--- Sends an event when cheats have changed: at most one a frame, however many requests changed them.
function cheats.report()
  if changed then
    connections.announce("cheat", wire.record({ "name", changed }))
    changed = nil
  end
end

return cheats
end)()

-- ========================================================================================================================
-- lua/src/server/framing.lua
-- ========================================================================================================================

modules["server.framing"] = (function()
-- Framing: cuts received bytes into requests.

local arguments = require("wire.arguments")
local connections = require("net.connections")
local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local sessions = require("session.sessions")
local settings = require("base.settings")
local wire = require("wire.text")

local to_integer = arguments.to_integer
local TERMINATOR <const> = constants.TERMINATOR
local byte, find, format, match, sub = string.byte, string.find, string.format, string.match, string.sub
local concat = table.concat

local framing = {}

local GATEWAY <const> = "http://127.0.0.1:5000" -- unless its settings name another port

local HEX_UPLOAD <const> = "core.loadStateBuffer," -- the only message whose head contains data

local function push(conn, request)
  conn.last = conn.last + 1
  conn.queue[conn.last] = request
end

function framing.push_refusal(conn, id, code, text)
  push(conn, { id = id, conn = conn, session = conn.session, problem = code .. " " .. text })
end

--- Web pages can post text to any port of this machine, so an HTTP request must not run anything.
local function speaks_http(head)
  return find(head, "^%u%u%u+ ") or find(head, "^%a[^ ,]* [^ ]+ HTTP/%d") or byte(head, 1) == 0x16
end

--- Says where HTTP is served, and closes the connection; one with a TLS handshake is closed only.
local function refuse_http(conn, head)
  if byte(head, 1) == 0x16 then
    connections.close(conn)
    return
  end
  local text = format(
    "Port %d is that of the script in mGBA, which speaks no HTTP. The program mgba-bridge serves HTTP, usually at %s.\n", settings.port, GATEWAY
  )
  connections.refuse_as(conn, concat({
    "HTTP/1.1 421 Misdirected Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ", #text, "\r\nConnection: close\r\n\r\n",
    find(head, "^HEAD ") and "" or text,
  }))
end

--- Parses a head. Returns the length of its tail, or nil when the connection was closed.
local function take_head(conn, head)
  if byte(head, 1) ~= 35 then
    if speaks_http(head) then
      refuse_http(conn, head)
      return nil
    elseif not find(head, "^%a") then
      framing.push_refusal(conn, 0, "bad-head", format("a message starts with # and an id, or is one of mGBA-http's; this one starts %q", wire.printable(head)))
    elseif settings.secret then
      framing.push_refusal(conn, 0, "auth-required", "mGBA-http's messages are off while a secret is set")
    else
      push(conn, { legacy = true, text = head, conn = conn })
    end
    return 0
  end
  local id, plus, rest = match(head, "^#([1-9]%d*)(%+?%d*) +(.*)$")
  local number = to_integer(id or match(head, "^#([1-9]%d*)") or "")
  number = number and number <= constants.MAX_ID and number or 0
  if not id or number == 0 or plus == "+" then
    framing.push_refusal(conn, number, "bad-head", format("%q is not a head; write #id, +length before a tail, a space and a command", wire.printable(head)))
    return 0
  end
  id = number
  local length = plus ~= "" and tonumber(sub(plus, 2)) or nil
  if length and length > conn.limits.tail then
    local hint = conn.trusted and "" or " before authentication"
    connections.refuse(conn, "tail-too-long", format("request %d announces %.0f bytes; the most is %d%s", id, length, conn.limits.tail, hint))
    return nil
  end
  push(conn, { id = id, text = rest, conn = conn, session = conn.session, tail = length and "" })
  return length or 0
end

--- A cancel takes effect when it is read, before earlier requests in the queue run. Cancels before a queued hello are kept until it runs.
local function notice_cancel(conn, request)
  local text = request.text or ""
  if not find(text, "cancel", 1, true) or not conn.trusted then
    return
  end
  local at, next_at = 1, 1
  while next_at do
    at, next_at = next_at, match(text, "^%l+=[^ ]+ +()", next_at)
  end
  local id = to_integer(match(text, "^cancel +(%w+) *$", at) or "")
  if id and conn.session then
    pcall(sessions.forbid, conn.session, id)
  elseif id and not conn.greeted then
    conn.early_cancels = conn.early_cancels or {}
    if #conn.early_cancels < LIMITS.inflight then
      conn.early_cancels[#conn.early_cancels + 1] = id
    end
  end
end

--- Checks an incomplete message.
local function check_unfinished(conn, buffer, at)
  conn.is_upload = false
  if at > #buffer then
    return
  end
  local start = sub(buffer, at, at + 63)
  if speaks_http(start) then
    refuse_http(conn, start)
  elseif #buffer - at + 1 > conn.limits.head + #TERMINATOR then
    local is_upload = not settings.secret and sub(start, 1, #HEX_UPLOAD) == HEX_UPLOAD
    if not is_upload or #buffer - at > LIMITS.tail then
      connections.refuse(conn, "head-too-long", format("no <|END|> within %d bytes", conn.limits.head))
    end
    conn.is_upload = is_upload
  end
  conn.scanned = math.max(1, #buffer - #TERMINATOR + 2 - at + 1)
end

--- Cuts the buffer into requests until it ends or the queue is full. A full queue stops reading until the rest is cut, too.
function framing.parse(conn)
  local buffer, at = conn.buffer, 1
  conn.is_full = true
  while conn.last - conn.first + 1 < conn.limits.inflight and not conn.closing do
    at = find(buffer, "[^ \t\r\n]", at) or #buffer + 1
    local stop, last = find(buffer, TERMINATOR, math.max(at, conn.scanned), true)
    if not stop then
      conn.is_full = false
      check_unfinished(conn, buffer, at)
      break
    end
    local length = stop - at > conn.limits.head and sub(buffer, at, at + #HEX_UPLOAD - 1) ~= HEX_UPLOAD and -1 or nil
    if length then
      connections.refuse(conn, "head-too-long", format("a head has %d bytes; the most is %d", stop - at, conn.limits.head))
      break
    end
    length = take_head(conn, sub(buffer, at, stop - 1))
    conn.fresh = false
    if not length then
      return
    end
    local request = conn.queue[conn.last]
    if last + length > #buffer then -- the tail is incomplete: the request is cut again when all of it has arrived
      conn.queue[conn.last] = nil
      conn.last = conn.last - 1
      conn.waiting_for, conn.is_full = last + length - at + 1, false
      break
    end
    if length > 0 then
      request.tail = sub(buffer, last + 1, last + length)
    end
    notice_cancel(conn, request)
    at, conn.scanned = last + length + 1, 1
  end
  if at > 1 then
    conn.buffer, conn.scanned, conn.queued = sub(buffer, at), 1, conn.queued + at - 1
  end
end

return framing
end)()

-- ========================================================================================================================
-- lua/src/server/receiving.lua
-- ========================================================================================================================

modules["server.receiving"] = (function()
-- Receiving: reads the sockets.

local arguments = require("wire.arguments")
local connections = require("net.connections")
local constants = require("base.constants")
local framing = require("server.framing")
local LIMITS <const> = require("base.limits")
local memory_budget = require("request.memory_budget")
local state = require("base.state")

local to_integer = arguments.to_integer
local TERMINATOR <const> = constants.TERMINATOR
local find, format, match, sub = string.find, string.format, string.match, string.sub
local concat = table.concat

local receiving = {
  is_held = false, -- whether a connection was not read although it may have data
}

local CHUNK <const> = 16384
local READ_ROUND <const> = 4194304 -- bytes read from one connection at a time

--- Whether enough is read of a client with a full queue. A little more than the queue is read, to notice when the client disconnects.
local function has_enough(conn)
  return conn.is_full and not conn.closing and #conn.buffer >= CHUNK
end

local PIECE <const> = 65536
local OVERLAP <const> = #TERMINATOR - 1 -- bytes of a terminator that may be in the previous piece

--- Keeps received pieces. Appending each piece to a buffer would take quadratic time for a long message, and a table of many small pieces a
--- multiple of its memory, so a piece is joined with its neighbour while that is not longer, up to PIECE bytes.
local function gather(conn, data)
  local chunks = conn.chunks
  if not chunks then
    if conn.buffer == "" then
      conn.buffer = data
      return
    end
    chunks = { conn.buffer, size = #conn.buffer, edge = sub(conn.buffer, -OVERLAP) }
    conn.chunks = chunks
  end
  chunks.has_end = find(data, TERMINATOR, 1, true) or find(chunks.edge .. sub(data, 1, OVERLAP), TERMINATOR, 1, true)
  chunks.edge = sub(#data < OVERLAP and chunks.edge .. data or data, -OVERLAP)
  chunks.size = chunks.size + #data
  local last = #chunks
  while last > 0 and #chunks[last] <= #data and #chunks[last] < PIECE do
    data = chunks[last] .. data
    chunks[last] = nil
    last = last - 1
  end
  chunks[last + 1] = data
end

local function may_be_whole(conn)
  local chunks = conn.chunks
  if not chunks or (conn.fresh and chunks.size < 256) then
    return true
  elseif conn.waiting_for > 0 then
    return chunks.size >= conn.waiting_for
  end
  return chunks.size > (conn.is_upload and LIMITS.tail or conn.limits.head) or chunks.has_end
end

local function received(conn, data)
  if conn.skip > 0 then
    conn.skip, data = math.max(0, conn.skip - #data), sub(data, conn.skip + 1)
  end
  if conn.closing or data == "" then
    return
  elseif conn.is_full then
    conn.buffer = conn.buffer .. data
    return
  end
  gather(conn, data)
  if may_be_whole(conn) then
    if conn.chunks then
      conn.buffer, conn.chunks = concat(conn.chunks), nil
    end
    conn.waiting_for = 0
    framing.parse(conn)
  end
end

--- The peer has closed its side. A client with a session has ended; one without, such as `printf … | nc`, still expects its replies.
local function ended(conn)
  conn.eof = true
  if conn.session or conn.closing or (conn.last < conn.first and conn.unsent == 0 and conn.deferred == 0 and not conn.is_full) then
    connections.close(conn)
  end
end

--- Whether there is something to read. -1 is an interrupted wait, or out-of-band data, which stays and hides everything else.
local function is_readable(conn)
  local answer_of_select = conn.select(conn.socket, 0)
  conn.odd = answer_of_select == -1 and (conn.odd or 0) + 1 or 0
  if conn.odd > 100 then
    connections.close(conn)
  end
  return answer_of_select == 1
end

--- Drops an incomplete message when there is no memory for the rest and the connection holds nothing else that could be freed.
local function shed(conn)
  if conn.first <= conn.last or conn.unsent > 0 or conn.running > 0 or conn.closing then
    return
  end
  local data = conn.chunks and concat(conn.chunks) or conn.buffer
  local id, missing = to_integer(match(data, "^#(%d+)") or ""), conn.waiting_for - #data
  local text = format("requests and replies hold %d of %d bytes: the memory limit is reached; try again later", memory_budget.used, LIMITS.memory)
  conn.buffer, conn.chunks, conn.waiting_for, conn.scanned = "", nil, 0, 1
  if id and missing > 0 then
    conn.skip = missing
    framing.push_refusal(conn, id, "busy", text)
  else
    connections.refuse(conn, "busy", text)
  end
  memory_budget.recount(conn)
end

--- Whether a connection holds so much that it is not read for now.
local function holds_too_much(conn)
  memory_budget.recount(conn)
  if conn.counted <= memory_budget.share(LIMITS.connection) then
    return false
  end
  shed(conn)
  return true
end

--- Reads received data. Returns whether there was any.
function receiving.read(conn)
  local woke = conn.woke -- select has just reported data
  conn.woke = nil
  if conn.eof or conn.unsent > conn.limits.unsent or has_enough(conn) then
    receiving.is_held = receiving.is_held or not conn.eof
    return false
  elseif conn.counted > LIMITS.share and holds_too_much(conn) then
    receiving.is_held = true
    return false
  elseif not conn.ready and not woke and not is_readable(conn) then
    return false
  end
  local total, size = 0, CHUNK
  repeat
    local data = conn.recv(conn.socket, size)
    if data == "" then
      if not conn.ready then
        ended(conn)
      end
      conn.ready = false
      break
    end
    conn.ready = true
    total = total + #data
    received(conn, data)
    local full = #data == size
    size = 65536
  until not full or total >= READ_ROUND or conn.closed or has_enough(conn)
  if total > 0 then
    conn.active_beat = state.beat
  end
  if total > CHUNK and not conn.closed then
    memory_budget.recount(conn)
  end
  return total > 0
end

--- Reads until nothing is left (or enough is), so that cancels and the end of the connection are seen before anything runs.
function receiving.read_all(conn)
  local rounds = 0
  repeat
    local got = receiving.read(conn)
    rounds = rounds + 1
  until rounds >= 8 or conn.closed or (not got and not conn.ready)
  if rounds > 1 and not conn.closed then
    receiving.read(conn)
  end
end

receiving.CHUNK = CHUNK

return receiving
end)()

-- ========================================================================================================================
-- lua/src/server/dispatch.lua
-- ========================================================================================================================

modules["server.dispatch"] = (function()
-- Dispatch: runs the requests that are queued on a connection, and closes connections that have ended.

require("commands.basic")
local cheats = require("commands.cheats")
local commands = require("request.command_table")
local connections = require("net.connections")
local freeze_commands = require("commands.freezes")
local framing = require("server.framing")
local legacy = require("legacy.messages")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local memory_budget = require("request.memory_budget")
local proof = require("net.proof")
local receiving = require("server.receiving")
local replies = require("request.replies")
local requests = require("session.requests")
local sessions = require("session.sessions")
local state = require("base.state")
local work = require("request.work")

local DRAIN_SECONDS <const>, SEND_CHUNK <const> = connections.DRAIN_SECONDS, connections.SEND_CHUNK
local CHUNK <const> = receiving.CHUNK
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local format = string.format

local dispatch = {}

--- Runs a request, or returns true when there is no time for it now.
function dispatch.execute(request)
  local run = request.legacy and legacy.run or requests.run
  state.requests = state.requests + 1
  local ok, text, tail = pcall(run, request)
  if not (request.row and request.row.idle) then
    state.activity = state.beat
  end
  if not ok then
    answer_error(request, text)
  elseif text == work.LATER then
    state.requests = state.requests - 1
    return true
  elseif text == DEFERRED then
    request.conn.legacy_busy = request.legacy and request.job ~= nil
  else
    answer(request, text, tail)
  end
end

--- Whether a request has to wait: this frame has no time for its large tail, or there were too many wrong proofs.
local function must_wait(request)
  if not request.conn.trusted and proof.is_resting() then
    return true
  end
  local length = request.tail and #request.tail or 0
  if length < 1024 or not request.text then
    return false
  end
  local row = commands.row_of(request.text)
  local has_items = row and row.has_items
  if has_items and not request.items and math.min(length * work.batch_byte, LIMITS.frame_cost) > work.allowed then
    return true
  end
  return (has_items or row and row.writes_tail) and not memory.may_write(math.min(length, LIMITS.write))
end

--- Whether more replies may be added to the unsent ones of a connection.
local function may_answer(conn)
  return conn.unsent <= math.min(conn.limits.unsent, memory_budget.share(LIMITS.connection))
end

--- Runs queued requests of a connection, up to that cost. One that costs more than `work.allowed` stays, and the connection is marked `heavy`.
--- The replies are sent together when the queue is empty: mGBA's sockets have no TCP_NODELAY, and a second small send would wait until the
--- client acknowledges the first, 40 ms later.
function dispatch.run(conn, most)
  local stop, ran = work.spent + most, false
  while conn.first <= conn.last and work.spent < stop and not conn.legacy_busy and (conn.unsent <= LIMITS.share or may_answer(conn)) do
    local at = conn.first
    local request = conn.queue[at]
    request.session = conn.session
    if must_wait(request) or (not request.problem and dispatch.execute(request)) then
      conn.heavy = true
      connections.flush(conn)
      break
    elseif request.problem then
      answer_error(request, request.problem)
    end
    work.spent, ran = work.spent + work.request, true
    if not conn.closed then
      conn.queue[at] = nil
      conn.first, conn.queued = at + 1, conn.queued - (request.tail and #request.tail or 0)
    end
    if conn.eof and conn.session then
      connections.close(conn) -- the client disconnected before its hello ran: later requests have lost their session
    end
  end
  if conn.first > conn.last then
    conn.first, conn.last, conn.queued = 1, 0, 0
    if conn.is_full and not conn.closed then
      framing.parse(conn)
    end
  end
  if conn.first > conn.last or conn.unsent > SEND_CHUNK then
    connections.flush(conn)
  end
  return ran
end

--- Closes a connection that was refused or has ended. Called once a frame for each, and by dispatch.clean.
function dispatch.settle(conn)
  connections.flush(conn)
  if conn.counted > 0 or conn.unsent > 0 or conn.chunks or conn.queued > CHUNK then
    memory_budget.recount(conn)
  end
  if not conn.trusted and not conn.closing and not conn.closed and proof.is_late(conn) then
    connections.refuse(conn, "auth-required", format("the secret was not proved within %d seconds", LIMITS.untrusted.seconds))
  end
  if conn.closing and not conn.closed then
    conn.close_at = conn.close_at or state.seconds + DRAIN_SECONDS
    if state.seconds > conn.close_at then
      connections.close(conn)
    end
  elseif conn.eof and conn.unsent == 0 and conn.last < conn.first and conn.deferred == 0 and not conn.legacy_busy then
    connections.close(conn)
  end
end

--- Closes ended connections and sessions while a lease controls the game or no frame runs, when frames do not measure time.
function dispatch.clean()
  for _, conn in ipairs(connections.list) do
    dispatch.settle(conn)
  end
  freeze_commands.report()
  cheats.report()
  connections.sweep()
  if state.tick() then
    sessions.sweep()
  end
end

return dispatch
end)()

-- ========================================================================================================================
-- lua/src/server/scheduler.lua
-- ========================================================================================================================

modules["server.scheduler"] = (function()
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
end)()

-- ========================================================================================================================
-- lua/src/server/lease_frames.lua
-- ========================================================================================================================

modules["server.lease_frames"] = (function()
-- Frames while a lease is held.

local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local dispatch = require("server.dispatch")
local freezes = require("game.freezes")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local lease = require("session.lease")
local pace = require("pace.schedule")
local scheduler = require("server.scheduler")
local sensors = require("game.sensors")
local state = require("base.state")
local watches = require("commands.watches")

local MILLISECOND <const> = constants.MILLISECOND
local SHORT_WORK <const> = scheduler.SHORT_WORK
local run_heavy, serve_arrived, serve_round = scheduler.run_heavy, scheduler.serve_arrived, scheduler.serve_round

local lease_frames = {}

local CLEAN <const> = 16 * MILLISECOND -- between two cleanups of connections while the game does not run
local SERVE <const> = 32 -- frames between two checks of the connections where the game has no frame limit
local CLEAN_FRAMES <const> = 8 -- between two cleanups while it runs
local served_frame, cleaned_frame = 0, 0 -- when they were checked, and cleaned up, last

--- Waits for the next step of the attached socket, and begins it. Returns false when there is something else to do first: a connection has data, its
--- turn has come, or no step came for a while.
local function await_step()
  if not lease.attached or state.frame - served_frame >= SERVE then
    return false
  elseif lease.take_step() then
    return true
  end
  local conn = connections.watched[host.wait(CLEAN)]
  if conn then
    conn.woke, connections.favourite = true, conn
  end
  return lease.take_step()
end

--- Whether a debugger lets the game run: a halt takes place between two instructions, and not in the event of a frame.
local function is_stepping()
  return host and host.isStepping and host.isStepping()
end

--- Holds the game until the holder of the lease steps, or exceeds its time limit.
function lease_frames.hold()
  if await_step() and lease.frames > 0 then
    return
  end
  local served = not lease.attached -- the holder has just received a reply
  clock.start(nil)
  local since, cleaned = 0, 0
  state.stands_still = true
  while lease.holder and lease.frames == 0 and not is_stepping() do
    connections.favourite = not lease.conn.closed and lease.conn or connections.favourite
    local before = lease.idle
    scheduler.may_exceed = true
    run_heavy(SHORT_WORK)
    served = serve_round(SHORT_WORK, served, lease.attached and 0 or CLEAN)
    served_frame = state.frame
    await_step()
    local now = clock.elapsed()
    if lease.idle == before then
      lease.idle = lease.idle + now - since
    end
    since = now
    if now - cleaned >= CLEAN then
      dispatch.clean()
      cleaned = now
      if host and host.isEnding() then
        lease.finish("the emulator ends")
      end
    end
    if lease.idle > lease.limit then
      lease.finish("its holder was silent for too long")
    end
  end
  state.stands_still = false
  served_frame = state.frame
  pace.due, pace.ended, pace.mark_time = nil, nil, nil
end

--- Whether frames are so short that to look for requests in each would slow the game.
local function is_free()
  if host then
    return host.period() == 0
  end
  return pace.mode == "free"
end

--- Whether requests run in this frame of a step.
local function is_serving()
  return state.frame - served_frame >= SERVE or not is_free()
end

--- Lets the host run the frames of a step in which nothing has to be done without calling this script.
function lease_frames.skip()
  local count = math.min(lease.frames, served_frame + SERVE - state.frame) - 1
  if count < 1 or not host or not is_free() or jobs.count > 0 or jobs.has_done or #freezes.list > 0 or #watches.buckets > 0 or not input.is_settled()
    or not sensors.is_settled() then
    return
  end
  host.skip(count)
  state.is_skipping = true
end

--- Counts the frames that were skipped. Called first in every callback.
function lease_frames.count_skipped()
  local count = host.skip(0)
  state.is_skipping = false
  state.frame, state.beat, lease.frames = state.frame + count, state.beat + count, lease.frames - count
end

--- Runs one frame of a step. After the last one, replies and waits for the next step.
function lease_frames.run()
  if state.frame - cleaned_frame >= CLEAN_FRAMES then
    cleaned_frame = state.frame
    dispatch.clean()
    lease.check_caller()
  end
  lease.frames = math.max(0, lease.frames - 1)
  input.apply()
  sensors.advance()
  freezes.run()
  if lease.frames == 0 then
    lease.answer_step()
  end
  watches.run()
  jobs.run()
  if lease.frames > 0 and is_serving() then
    served_frame = state.frame
    scheduler.may_exceed = true
    serve_arrived(clock.elapsed() + SHORT_WORK, false)
  end
  if lease.frames == 0 then -- also when the step was cancelled just now
    lease_frames.hold()
  end
end

return lease_frames
end)()

-- ========================================================================================================================
-- lua/src/server/frames.lua
-- ========================================================================================================================

modules["server.frames"] = (function()
-- What runs in each frame, in order, and in the idle callbacks while no frame runs.

local cheats = require("commands.cheats")
local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local control = require("commands.game_control")
local debugger = require("game.debugger")
local dispatch = require("server.dispatch")
local freeze_commands = require("commands.freezes")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local lease = require("session.lease")
local lease_frames = require("server.lease_frames")
local pace = require("pace.schedule")
local receiving = require("server.receiving")
local save_file = require("game.save_file")
local scheduler = require("server.scheduler")
local slow = require("pace.slow")
local sensors = require("game.sensors")
local state = require("base.state")
local watches = require("commands.watches")
local wire = require("wire.text")
local work = require("request.work")

local MILLISECOND <const> = constants.MILLISECOND
local SHORT_WORK <const> = scheduler.SHORT_WORK
local run_heavy, run_waiting, serve_round = scheduler.run_heavy, scheduler.run_waiting, scheduler.serve_round

local frames = {}

local CORRECT_AT <const> = 0.65 -- part of the linger after which the estimate is corrected
local CORRECT_FROM <const> = 4 * MILLISECOND -- shorter lingers are not
local ACTIVE_FRAMES <const> = 60 -- lingering ends a second after the last request

--- Serves requests until the budget is used up and the emulator must continue.
local function linger(budget)
  local correct_at = budget >= CORRECT_FROM and clock.time and budget * CORRECT_AT or math.huge
  local served = false
  while true do
    local elapsed = clock.elapsed()
    if elapsed >= correct_at then
      clock.correct()
      elapsed, correct_at = clock.elapsed(), math.huge
    end
    if elapsed >= budget or lease.holder then
      return
    end
    served = serve_round(budget, served, budget - elapsed)
  end
end

--- The fixed part of each frame: everything that has arrived is read before any of it runs.
local function serve_frame(budget)
  connections.accept()
  for _, conn in ipairs(connections.list) do
    receiving.read_all(conn)
  end
  input.apply()
  sensors.advance()
  freezes.run()
  watches.run()
  jobs.run()
  scheduler.may_exceed = true
  run_heavy(budget)
  run_waiting(math.max(budget, clock.elapsed() + SHORT_WORK))
  scheduler.may_exceed = false
  for _, conn in ipairs(connections.list) do
    dispatch.settle(conn)
  end
end

--- A frame without connections: learns the pace and applies keys that are held.
local function idle_frame()
  pace.lingered, pace.due = 0, nil
  if pace.mode == "learn" then
    pace.began(os.clock())
    pace.observe(false)
  end
  input.apply()
  sensors.advance()
  freezes.run()
  jobs.run()
  pace.cpu_ended = pace.mode == "learn" and os.clock() or nil
end

local function serve()
  if #connections.list == 0 and connections.accept() == 0 then
    idle_frame()
    return
  end
  if lease.holder then
    pace.cpu_ended = nil
    lease_frames.run()
    return
  end
  local is_active = state.beat - state.activity <= ACTIVE_FRAMES
  pace.began(os.clock())
  local time = pace.observe(is_active)
  clock.start(time)
  local budget = pace.linger_budget(is_active, time)
  serve_frame(budget)
  if budget > 0 then
    linger(budget)
  end
  pace.ended = is_active and time and time + clock.elapsed() or nil
  pace.lingered = budget
  connections.sweep()
  if lease.holder then
    lease_frames.hold()
  end
  pace.cpu_ended = os.clock()
end

local IDLE_PERIOD <const> = 16 * MILLISECOND -- from one idle callback to the next
local IDLE_LINGER <const> = 14 * MILLISECOND

local function keys_now()
  return game.core and game.get_keys(game.core)
end

--- Notes what the next frame runs with: the keys and sensors at the end of this callback.
local function note_inputs()
  if #watches.buckets > 0 then
    local ok, keys = pcall(keys_now)
    state.next_keys, state.next_sensors, state.next_camera = ok and keys or nil, sensors.text, sensors.camera
  end
end

--- Sends an event when frames stop or resume.
function frames.note_machine(machine)
  if machine ~= state.machine then
    state.machine = machine
    connections.announce("game.machine", wire.record({ "machine", machine }))
  end
end

--- Sends an event when the game is halted, and when it is halted anew.
local function note_halt()
  local record, count = debugger.halted()
  if record and count ~= debugger.announced then
    debugger.announced = count
    connections.announce("debug.halted", wire.record(record))
  end
end

--- Sends an event when the host wants another pace.
local function note_pace()
  local period = pace.wanted()
  if period == state.period then
    return
  elseif state.period then
    connections.announce("pace", wire.record({ "period", period }))
  end
  state.period = period
end

function frames.run()
  state.frame, state.beat = state.frame + 1, state.beat + 1
  game.refresh()
  state.ran_keys, state.next_keys = state.next_keys, nil
  state.ran_sensors, state.next_sensors = state.next_sensors, nil
  state.ran_camera, state.next_camera = state.next_camera, nil
  frames.note_machine("running")
  if not host then
    slow.count()
    game.follow_user()
  end
  note_pace()
  serve()
  freezes.restore()
  freeze_commands.report()
  cheats.report()
  save_file.report()
  note_inputs()
  if lease.frames > 1 then
    lease_frames.skip()
  end
end

--- Ends the lease of a holder that has disconnected or does not step, so that others can reset the game. A step that waits for frames keeps it.
local function check_lease()
  if lease.holder and (lease.frames == 0 or lease.conn.closed) then
    lease.idle = lease.idle + IDLE_PERIOD
    if lease.idle > lease.limit then
      lease.finish("its holder was silent for too long")
    end
  end
end

--- Serves requests while no frame runs, or long before the next one is due. Requests that take frames (presses, waits, steps, delayed batches) wait.
local function serve_idle()
  clock.start(nil)
  connections.accept()
  for _, conn in ipairs(connections.list) do
    receiving.read_all(conn)
  end
  jobs.run_slices(work.heavy)
  scheduler.may_exceed = true
  run_waiting(IDLE_LINGER)
  scheduler.may_exceed = false
  local served = true
  local elapsed = clock.elapsed()
  while (connections.is_watched or state.beat - state.activity <= ACTIVE_FRAMES) and elapsed < IDLE_LINGER do
    served = serve_round(IDLE_LINGER, served, IDLE_LINGER - elapsed)
    elapsed = clock.elapsed()
  end
  check_lease()
  debugger.sweep()
  dispatch.clean()
  pace.due, pace.ended, pace.mark_time, pace.cpu_ended = nil, nil, nil, nil
end

--- The idle callback: mgba-headless calls it about sixty times a second while no frame runs, or until the next one is due; mgba-qt never does.
--- It does not count a frame.
function frames.run_idle(machine)
  state.beat = state.beat + 1
  game.refresh()
  frames.note_machine(machine)
  note_halt()
  note_pace()
  state.stands_still = true
  local ok, problem = pcall(serve_idle)
  state.stands_still = false
  if not ok then
    error(problem, 0)
  end
  local runs = machine == "running" or machine ~= "paused" and game.moved_beat == state.beat -- after this callback
  if runs and lease.holder and lease.frames == 0 then
    lease_frames.hold() -- taken just now: no frame may run before the first step
  end
  save_file.report()
  note_inputs()
  if state.beat % 60 == 1 then
    control.update_game()
  end
end

return frames
end)()

-- ========================================================================================================================
-- lua/src/server/status.lua
-- ========================================================================================================================

modules["server.status"] = (function()
-- A status page in the Scripting window, where the host has one.

local commands = require("request.command_table")
local connections = require("net.connections")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local lease = require("session.lease")
local pace = require("pace.schedule")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local command = commands.define
local VERSION <const> = constants.VERSION
local format = string.format
local NIL <const> = wire.NIL

local status = { buffer = nil, requests = 0 }

--- Opens the page where the host is known to have a window: elsewhere the call ends the process. The page of an earlier load of this file is
--- reused: otherwise Lua would collect it in the game's thread, and the window's list of pages would crash.
function status.open(earlier)
  local on_new_engine = system ~= nil
  if earlier then
    status.buffer = earlier
    return
  elseif state.host == "headless" or (on_new_engine and canvas == nil) then
    return
  end
  local ok, buffer = pcall(console.createBuffer, console, "mGBA-bridge")
  if ok and buffer then
    status.buffer = buffer
    buffer:setSize(64, 12)
  end
end

function status.draw()
  local buffer = status.buffer
  local rate = (state.requests - status.requests) * 2
  status.requests = state.requests
  buffer:clear()
  buffer:print(format("mGBA-bridge %s on %s:%d\n", VERSION, settings.bind, settings.port))
  buffer:print(format("clients   %d\nrequests  %d a second\nlinger    %.1f ms a frame\n", #connections.list, rate, pace.lingered / 1000))
  buffer:print(format("late      %d frames since load\nlast error  %s\n", pace.late, state.last_error or "none"))
end

--- @command status
--- @type ReadScriptStatus() Returns the state of the script, and who has the lockstep lease.
--- @reply `frame= core_frame= connections= sessions= requests= errors= linger_us= late= period_us= pace= memory_kb= held= lease=
---   machine= loads=`
--- @notes counters since load; `held` is the script's mask, `lease` the holder or `nil`; `machine` says whether frames run
---   (introduction), `loads` how often a state was loaded or the game reset: while it is the same, pictures of one frame are
command({
  name = "status",
  kind = "read",
  run = function()
    local core = game.core
    return wire.record({
      "frame", state.frame, "core_frame", core and core:currentFrame() or NIL, "connections", #connections.list, "sessions", sessions.count,
      "requests", state.requests, "errors", state.errors, "linger_us", math.floor(pace.lingered), "late", pace.late, "period_us",
      pace.period and math.floor(pace.period) or NIL, "pace", pace.mode, "memory_kb", math.floor(collectgarbage("count")), "held", input.down,
      "lease", lease.holder or NIL, "machine", state.machine, "loads", game.loads,
    })
  end,
})

return status
end)()

-- ========================================================================================================================
-- lua/src/server/server.lua
-- ========================================================================================================================

modules["server.server"] = (function()
-- Start, stop, and the callbacks that mGBA calls.

require("commands.basic")
require("commands.game")
require("commands.saves")
require("commands.memory")
require("commands.states")
require("commands.keys")
require("commands.session")
require("commands.registers")
require("commands.screen")
require("commands.sensors")
require("commands.cartridge")
require("commands.disassembly")
require("commands.watches")
require("commands.conditions")
require("commands.debug")
require("commands.history")
require("commands.freezes")
require("legacy.keys")
require("legacy.game")
require("legacy.buffers")
local connections = require("net.connections")
local constants = require("base.constants")
local control = require("commands.game_control")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local environment = require("base.environment")
local frames = require("server.frames")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local lease = require("session.lease")
local lease_frames = require("server.lease_frames")
local log = require("base.log")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local status = require("server.status")

local VERSION <const> = constants.VERSION
local format, sub = string.format, string.sub
local concat = table.concat

local server = {}

local FIRST_PORT <const>, LAST_PORT <const> = 8888, 8903
local BACKLOG <const> = 512
local updated -- the second in which the script looked last which game runs
local callback_ids = {}

--- A listening socket, or nil and the reason.
local function listen_on(port)
  local socket = _socket.create()
  if socket:open(settings.bind, port) ~= 0 then
    return nil, socket.error == C.SOCKERR.ADDRESS_IN_USE and "in use" or "not available on this machine"
  elseif socket:listen(BACKLOG) ~= 0 then
    connections.close_socket(socket)
    return nil, "in use"
  end
  return socket
end

local function open_listener(usual)
  local socket = usual and not settings.port and listen_on(usual)
  if socket then
    settings.port = usual
    return socket
  end
  local from, to = settings.port or FIRST_PORT, settings.port or LAST_PORT
  local reason
  for port = from, to do
    socket, reason = listen_on(port)
    if socket then
      settings.port = port
      return socket
    end
  end
  if reason ~= "in use" then
    local advice = "set MGBA_BRIDGE_BIND to an IPv4 address of it (127.0.0.1, or 0.0.0.0 for all); ports below 1024 need privileges"
    error(format("%s:%d is %s; %s", settings.bind, from, reason, advice), 0)
  elseif from == to then
    error(format("%s:%d is %s; set MGBA_BRIDGE_PORT to another port, or unset it to take a free one", settings.bind, from, reason), 0)
  end
  error(format("%s:%d..%d are %s; close another emulator or set MGBA_BRIDGE_PORT", settings.bind, from, to, reason), 0)
end

--- A frame that ends inside a call of this script (game.step while the processor is halted) is not counted and serves nothing: the request
--- that made the call is still first in its queue, and would run again.
local function on_frame()
  if state.stopped or state.is_nested then
    return
  end
  frames.run()
  if state.tick() then
    sessions.sweep()
  end
  if state.seconds ~= updated then
    updated = state.seconds
    control.update_game()
  end
  if status.buffer and state.frame % 30 == 0 then
    status.draw()
  end
end

--- Wraps every callback: no error may leave it and nothing is returned, because mGBA would end on either.
local function guarded(run)
  return function()
    if state.is_skipping then
      lease_frames.count_skipped()
    end
    local ok, problem = pcall(run)
    if not ok then
      problem = tostring(problem)
      pcall(log.complain, "%s", problem)
    end
  end
end

local function on_event(topic)
  return guarded(function()
    if state.stopped then
      return
    end
    game.refresh()
    if topic == "game.closed" then
      lease.finish("the game was closed")
      control.cancel_all()
      state.next_keys = nil
      game.identity = nil -- the same game opened again is a new run
    elseif topic == "game.crashed" or topic == "game.stopped" then
      if host then -- whose idle callbacks follow; a window calls nothing more
        frames.note_machine(sub(topic, 6))
      end
      lease.finish("the game " .. sub(topic, 6) .. "; reset it") -- otherwise only the holder of the lease could
    end
    connections.announce(topic)
  end)
end

-- Idle callbacks, and why no frame runs.
local IDLE <const> = {
  idleWaiting = "running", idlePaused = "paused", idleHalted = "halted", idleStopped = "stopped", idleCrashed = "crashed", idleEmpty = "none",
}

local function add_callbacks()
  local handlers = {
    frame = guarded(on_frame),
    reset = on_event("game.reset"),
    shutdown = on_event("game.closed"),
    crashed = on_event("game.crashed"),
    stop = on_event("game.stopped"),
    start = guarded(function()
      if not state.stopped then
        control.update_game()
      end
    end),
  }
  handlers.debugHit = guarded(function()
    game.refresh()
    debugger.on_hit()
  end)
  for name, machine in pairs(IDLE) do
    handlers[name] = guarded(function()
      if not state.stopped then
        frames.run_idle(machine)
      end
    end)
  end
  for name, handler in pairs(handlers) do
    callback_ids[#callback_ids + 1] = callbacks:add(name, handler)
  end
end

--- Stops this server. The next load of this file calls it through the global MGBA_BRIDGE.
local function stop()
  if state.stopped then
    return
  end
  connections.announce("script.stopping")
  state.stopped = true
  for _, id in ipairs(callback_ids) do
    callbacks:remove(id)
  end
  input.forget_all()
  debugger.drop()
  lease.detach()
  for _, conn in ipairs(connections.list) do
    connections.close(conn)
  end
  connections.close_socket(connections.listener)
  log.write("info", "stopped")
end

--- `before` is the server of an earlier load of this file: its port and page are reused.
local function start(before)
  environment.read_settings()
  state.mgba = system and tostring(system.version) or "0.10"
  local named_host = os.getenv("MGBA_BRIDGE_HOST")
  state.host = named_host == "headless" and "headless" or (system == nil or canvas ~= nil) and "qt" or "unknown"
  settings.nonce = settings.nonce or crypto.random_hex(32)
  state.epoch = crypto.random_hex(8)
  connections.listener = open_listener(before.port)
  connections.watch(connections.listener, 0)
  game.identify()
  input.start_clean()
  status.open(before.page)
  add_callbacks()
  MGBA_BRIDGE = { stop = stop, version = VERSION, page = status.buffer, port = settings.port }
  local capabilities = { "registers", "screen" } -- of the script; a host without a picture refuses `screen.get` (docs/protocol.md, section 8)
  if #settings.folders > 0 then
    capabilities[#capabilities + 1] = "files"
  end
  state.capabilities = concat(capabilities, " ")
  console:log(format(
    "mGBA-bridge %s listening on %s:%d. Start the gateway (mgba-bridge, or make gateway in a clone), or try: printf '#1 game<|END|>' | nc -w 1 %s %d",
    VERSION, settings.bind, settings.port, settings.bind, settings.port
  ))
end

server.start = start

return server
end)()

-- ========================================================================================================================
-- lua/src/main.lua
-- ========================================================================================================================

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
