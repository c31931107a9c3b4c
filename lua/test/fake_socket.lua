-- The engine's `_socket` in memory, with its quirks: stale error numbers at the end of a stream, a failed send that
-- looks like one byte sent, close() that must not come twice, select() that really waits. Clients are the other ends.

local OK <const>, AGAIN <const>, IN_USE <const>, UNKNOWN <const>, FAILED <const> = 0, 1, 2, -1, 5

local fake_socket = {}

local Client = {}
Client.__index = Client

--- Bytes for the script to read. They are there at once.
function Client:send(data)
  assert(not self.is_closed, "this client is closed")
  self.inbox[#self.inbox + 1] = data
  self.arrivals = self.arrivals + 1
  return self
end

--- The client closes; what it sent before can still be read.
function Client:close()
  self.is_closed, self.eof = true, true
  self.arrivals = self.arrivals + 1
end

--- Like `nc`: no more from here, but still listening.
function Client:half_close()
  self.eof = true
  self.arrivals = self.arrivals + 1
end

function Client:reset()
  self.arrivals = self.arrivals + 1
  self.is_closed, self.was_reset_by_peer = true, true
  self.inbox, self.read = {}, 0
end

--- Everything received since the last call.
function Client:take()
  local data = table.concat(self.outbox)
  self.outbox = {}
  return data
end

--- At most as much as was asked for, and as one packet of this client holds. `read` bytes of the inbox were taken before.
local function take_from(client, most)
  if #client.inbox > 1 then
    client.inbox, client.read = { table.concat(client.inbox):sub(client.read + 1) }, 0
  end
  local data = client.inbox[1]
  local size = client.packet and client.packet() or most
  local piece = data:sub(client.read + 1, client.read + math.min(size, most))
  client.read = client.read + #piece
  if client.read == #data then
    client.inbox, client.read = {}, 0
  end
  return piece
end

local function is_readable(self)
  if self.backlog then
    return #self.backlog > 0
  end
  local client = self.client
  return client ~= nil and (client.inbox[1] ~= nil or client.eof or client.was_reset_by_peer) or false
end

local Socket = {}

function Socket:open(address, port)
  local world = self.world
  world:spend(1)
  if type(address) ~= "string" or math.type(port) ~= "integer" then
    error("Error calling function (invoking failed)", 0)
  elseif address == "192.0.2.1" then
    self.is_released, self.error = true, FAILED
    return FAILED
  elseif world.taken_ports[port] then
    self.error = IN_USE
    return IN_USE
  end
  self.port, self.error = port, OK
  self.fd = world:take_descriptor()
  return OK
end

function Socket:listen(backlog)
  assert(math.type(backlog) == "integer" and self.port, "listen needs a port and a number")
  if self.world.deaf_ports[self.port] then
    self.error = IN_USE
    return -1
  end
  self.backlog, self.most = {}, backlog
  self.world.taken_ports[self.port] = self
  return OK
end

function Socket:accept()
  self.world:spend(3)
  local client = table.remove(self.backlog, 1)
  local socket = fake_socket.create(self.world)
  if not client then
    socket.error = AGAIN
    return socket
  end
  socket.fd = self.world:take_descriptor()
  socket.client, client.server = client, socket
  return socket
end

function Socket:send(data)
  self.world:spend(2)
  if type(data) ~= "string" then
    error("Error calling function (invoking failed)", 0)
  end
  local client = self.client
  if client.is_closed or client.send_error then
    self.error = client.send_error or UNKNOWN
    return self.error == UNKNOWN and 1 or -self.error
  end
  local room = client.window and client.window() or #data
  if room <= 0 and #data > 0 then
    self.error = AGAIN
    return -AGAIN
  end
  self.error = OK
  client.outbox[#client.outbox + 1] = data:sub(1, room)
  return math.min(#data, room)
end

function Socket:recv(most)
  self.world:spend(1)
  if math.type(most) ~= "integer" then
    error("Error calling function (invoking failed)", 0)
  elseif most < 1 or most > 65536 then
    self.world:crash("recv of " .. most .. " bytes allocates them all")
  end
  local client = self.client
  if client.inbox[1] then
    self.error = OK
    return take_from(client, most)
  elseif client.was_reset_by_peer then
    self.error = UNKNOWN
  elseif client.eof then
    self.error = self.world.stale_errors[math.random(#self.world.stale_errors)]
  else
    self.error = AGAIN
  end
  return ""
end

function Socket:select(milliseconds)
  local world = self.world
  if type(milliseconds) ~= "number" then
    error("Error calling function (invoking failed)", 0)
  elseif milliseconds < 0 then
    world:crash("select with a negative time waits for ever")
  elseif self.fd and self.fd >= 1024 then
    world:crash("select on descriptor " .. self.fd)
  end
  world.selects = world.selects + 1
  world:spend(1)
  if self.client and self.client.select_error then
    return -1
  elseif is_readable(self) then
    return 1
  end
  world:sleep(milliseconds * 1000, function()
    return is_readable(self)
  end)
  return is_readable(self) and 1 or 0
end

function Socket:close()
  local world = self.world
  if self.is_closed then
    world:crash("a socket was closed twice: on 0.10 that closes somebody else's connection")
    return
  end
  self.is_closed = true
  if self.fd then
    world:give_descriptor(self.fd)
  end
  if self.backlog then
    world.taken_ports[self.port] = nil
  end
  local client = self.client
  if client then
    client.closed_by_script, client.was_reset = true, client.inbox[1] ~= nil
  end
end

local function strict_index(_, key)
  local method = Socket[key]
  if not method then
    error("Invalid key: " .. tostring(key), 0)
  end
  return method
end

function fake_socket.create(world)
  local socket = setmetatable({ world = world, error = OK }, { __index = strict_index })
  for name, method in pairs(Socket) do
    socket[name] = function(self, ...)
      if self ~= socket then
        world:crash("_socket." .. name .. " was called on something else")
      end
      world:need_context()
      return method(socket, ...)
    end
  end
  for _, name in ipairs({ "port", "fd", "client", "backlog", "most", "is_closed", "is_released" }) do
    socket[name] = false
  end
  world.sockets[#world.sockets + 1] = socket
  return socket
end

--- A new connection waiting to be accepted.
function fake_socket.connect(world, port)
  local listener = world.taken_ports[port]
  assert(listener and listener.backlog, "nothing listens on port " .. tostring(port))
  local client = setmetatable({ world = world, inbox = {}, read = 0, outbox = {}, arrivals = 0 }, Client)
  listener.backlog[#listener.backlog + 1] = client
  return client
end

return fake_socket
