-- Watches: events that a client subscribes to, checked once a frame.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local connections = require("net.connections")
local game = require("game.game")
local host = require("base.host").calls
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local state = require("base.state")
local topics = require("base.topics")
local wire = require("wire.text")
local work = require("request.work")

local SAMPLE <const> = 4 -- bytes of left and right

local parse = arguments.parse
local command = commands.define
local core_or_refuse = game.core_or_refuse
local refuse = wire.refuse

-- mGBA's window adds the player's keys to the mask right before the script's callback. So the frame that ended ran with the mask at the end of
-- the previous callback, not with the present one. (mGBA 0.11 adds them after the script's callback when the script was loaded before the game;
-- the player's keys are then reported a frame late.)
local watches = {
  ran = nil, -- the keys of the frame that ended last
  buckets = {}, -- of work.share: one for each connection that has watches
  turn = 0,
  next = nil, -- the keys of the next frame, known when the callback ends
}

--- Sends an event. When the client reads too slowly, the event is counted as dropped, and the next one reports the count.
function watches.send_event(conn, watch, text, tail)
  if conn.unsent > LIMITS.events then
    watch.dropped = watch.dropped + 1
    return
  end
  local dropped = watch.dropped > 0 and " dropped=" .. watch.dropped or ""
  watch.dropped = 0
  connections.send_event(conn, "watch", wire.quote(watch.name) .. (text and " " .. text or "") .. dropped, tail)
end

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
  return ("sound sample=%d"):format(watch.before - #samples // SAMPLE), samples
end

--- The check of each topic: returns the text and tail of an event, or nil.
local LOOKS <const> = {
  memory = function(watch)
    local now = memory.read(watch.location, watch.length)
    if now ~= watch.before then
      watch.before = now
      return "memory", now
    end
  end,
  frame = function()
    return "frame"
  end,
  keys = function(watch)
    core_or_refuse()
    if watches.ran and watches.ran ~= watch.before then
      watch.before = watches.ran
      return ("keys %d from=%d"):format(watches.ran, state.frame - 1)
    end
  end,
  log = function(watch)
    if host.logged() > watch.before and watch.conn.unsent <= LIMITS.events then
      return "log", new_lines(watch)
    end
  end,
  sound = function(watch)
    if host.heard() > watch.before and watch.conn.unsent <= LIMITS.events then
      return new_samples(watch)
    end
  end,
  rumble = function()
    return host.rumble() and "rumble" or nil
  end,
  state = function(watch)
    if game.moved_beat ~= watch.before then
      watch.before = game.moved_beat
      return ("state from=%d"):format(game.moved_frame)
    end
  end,
}

--- Checks a watch that is due. One that fails, because the game or its memory is gone, reports this once and ends.
local function look(watch)
  local conn = watch.conn
  work.spent = work.spent + work.look
  if state.frame < watch.next_frame or conn.closed then
    return
  end
  if watch.topic == "frame" or watch.topic == "keys" then
    watch.dropped = watch.dropped + (state.frame - watch.next_frame) // watch.every -- there was no time for these
  end
  watch.next_frame = state.frame + watch.every
  work.spent = work.spent + watch.cost
  local ok, text, tail = pcall(LOOKS[watch.topic], watch)
  if not ok then
    watches.remove(conn, watch.name)
    watches.send_event(conn, watch, "ended " .. wire.quote((wire.caught(text))))
  elseif text then
    work.spent = work.spent + work.event
    watches.send_event(conn, watch, text, tail)
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

local watched = {}
for _, topic in ipairs(topics) do
  watched[#watched + 1] = topic.source == "watch" and topic.name or nil
end

function parse.topic(text)
  return LOOKS[text] and text or refuse("bad-argument", "%q is not a topic; use one of %s", wire.printable(text), table.concat(watched, ", "))
end

--- A function of the host that a window does not have.
local function host_call(name)
  return host and host[name] or refuse("unsupported", "mGBA's window hands its log, sound and rumble to no script; run the game with mgba-headless")
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
    local conn, name = request.conn, values[1]
    local watch = {
      name = name, conn = conn, topic = values[2], every = values.every, next_frame = state.frame, dropped = 0, cost = work.condition,
    }
    if watch.topic == "memory" then
      watch.location = values.at or refuse("bad-argument", "a memory watch needs at=location")
      watch.length = values.length
      watch.before = memory.read(watch.location, watch.length)
      watch.cost = watch.cost + memory.read_cost(watch.location, watch.length)
    elseif watch.topic == "log" then
      watch.before = host_call("logged")()
    elseif watch.topic == "sound" then
      watch.before = host_call("heard")()
    elseif watch.topic == "rumble" then
      host_call("rumble")
    elseif watch.topic == "state" then
      watch.before = game.moved_beat
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
