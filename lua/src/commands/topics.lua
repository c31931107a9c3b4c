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
