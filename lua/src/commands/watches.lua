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
