-- The global `headless` of mgba-headless (lua/headless/waiting.h) in the fake host's time.

local fake_headless = {}

--- Whether something arrived on this socket that was not reported yet: edges, as epoll reports them.
local function is_new(watched)
  local socket = watched.socket
  if socket.is_closed then
    return false
  elseif socket.backlog then
    return #socket.backlog > 0 and #socket.backlog ~= watched.reported
  end
  return socket.client.arrivals ~= watched.reported and (socket.client.inbox[1] ~= nil or socket.client.eof == true)
end

local function find_new(list)
  for _, watched in ipairs(list) do
    if is_new(watched) then
      return watched
    end
  end
end

--- `world.log` are the lines that the game has printed; `world.waits` counts calls of wait; `world.cannot_watch` makes watch fail.
function fake_headless.new(world)
  local list = {}
  world.waits, world.log = 0, {}
  return {
    now = function()
      world:spend(0.2)
      return math.floor(world.now)
    end,
    period = function() return world.is_unlimited and 0 or world.period end,
    left = function()
      local due = world.is_unlimited and world.now or world.next_due or world.next_frame
      return math.max(0, math.floor(due - world.now))
    end,
    watch = function(socket, id)
      if not world.cannot_watch then
        list[#list + 1] = { socket = socket, id = id, reported = 0 }
      end
      return not world.cannot_watch
    end,
    logged = function() return #world.log end,
    line = function(number) return world.log[number] or "" end,
    wait = function(microseconds)
      world.waits = world.waits + 1
      world:spend(1)
      world:sleep(microseconds, function() return find_new(list) ~= nil end)
      local watched = find_new(list)
      if watched then
        watched.reported = watched.socket.backlog and #watched.socket.backlog or watched.socket.client.arrivals
      end
      return watched and watched.id or -1
    end,
  }
end

return fake_headless
