-- A host for lua/mgba-bridge.lua without mGBA: its globals, a game, clients, and a clock that only moves when something takes time.
-- Strict where the engine is: an error that leaves a callback, a value returned from one, or a call that would
-- end the process are recorded in `world.crashes`, and every test fails on them.

local fake_core = require("fake_core")
local fake_headless = require("fake_headless")
local fake_socket = require("fake_socket")
local wire = require("wire")

local fake_mgba = {}
local World = {}
World.__index = World

function World:crash(what)
  self.crashes[#self.crashes + 1] = what
  error("CRASH: " .. what, 0)
end

function World:need_context()
  if not self.registry.mCtx then
    error("Function called from invalid context", 0)
  end
end

-- Time, in microseconds. `spend` uses the processor, `sleep` does not.

local function run_due(world)
  while world.agenda[1] and world.agenda[1].time <= world.now do
    table.remove(world.agenda, 1).run()
  end
end

function World:spend(microseconds)
  local cost = microseconds * self.slowness
  self.now, self.cpu = self.now + cost, self.cpu + microseconds
  run_due(self)
end

function World:sleep(microseconds, is_woken)
  local stop = self.now + microseconds
  while not (is_woken and is_woken()) do
    local next_one = self.agenda[1]
    if not next_one or next_one.time > stop then
      self.now = stop
      return
    end
    self.now = math.max(self.now, next_one.time)
    run_due(self)
  end
end

--- Runs something when the clock comes to that time.
function World:at(time, run)
  local at = #self.agenda + 1
  while at > 1 and self.agenda[at - 1].time > time do
    at = at - 1
  end
  table.insert(self.agenda, at, { time = time, run = run })
end

function World:take_descriptor()
  local fd = self.first_descriptor
  while self.descriptors[fd] do
    fd = fd + 1
  end
  self.descriptors[fd] = true
  return fd
end

function World:give_descriptor(fd)
  self.descriptors[fd] = nil
end

function World:open_descriptors()
  local count = 0
  for _ in pairs(self.descriptors) do
    count = count + 1
  end
  return count
end

-- Callbacks.

function World:trigger(name)
  for _, callback in ipairs({ table.unpack(self.callbacks) }) do
    if callback.name == name and not callback.is_removed then
      self.registry.mCtx = "context"
      local result = table.pack(pcall(callback.run))
      self.registry.mCtx = nil
      if not result[1] then
        self.crashes[#self.crashes + 1] = "an error left the callback " .. name .. ": " .. tostring(result[2])
      elseif result.n > 1 then
        self.crashes[#self.crashes + 1] = "the callback " .. name .. " returned " .. result.n - 1 .. " values"
      end
    end
  end
end

local function make_callbacks(world)
  local object = {}
  function object.add(self, name, run)
    world:need_context()
    assert(self == object and type(name) == "string")
    if type(run) ~= "function" then
      world:crash("callbacks:add without a function: a segfault")
    end
    world.callbacks[#world.callbacks + 1] = { name = name, run = run }
    return #world.callbacks
  end
  function object.remove(self, id)
    world:need_context()
    assert(self == object)
    local callback = world.callbacks[id]
    if callback and callback.is_removed then
      world:crash("callbacks:remove of the same id twice: a segfault")
    elseif callback then
      callback.is_removed = true
    end
  end
  return setmetatable(object, {
    __index = function(_, key)
      error("Invalid key: " .. tostring(key), 0)
    end,
  })
end

-- The console.

local function make_buffer(world)
  local buffer = { text = {} }
  for _, name in ipairs({ "clear", "print", "setSize", "moveCursor", "advance", "setName" }) do
    buffer[name] = function(self, ...)
      assert(self == buffer)
      world:need_context()
      local first, second = ...
      if name == "clear" then
        buffer.text = {}
      elseif name == "print" then
        assert(type(first) == "string" and second == nil)
        buffer.text[#buffer.text + 1] = first
      elseif name == "setSize" then
        assert(first <= 500 and second <= 10000)
      end
      world.buffer_calls = world.buffer_calls + 1
    end
  end
  return buffer
end

local function make_console(world)
  local object = {}
  for _, level in ipairs({ "log", "warn", "error" }) do
    world.console[level] = {}
    object[level] = function(self, ...)
      world:need_context()
      local text = ...
      if self ~= object or select("#", ...) ~= 1 or type(text) ~= "string" then
        error("Error calling function (invoking failed)", 0)
      end
      local lines = world.console[level]
      lines[#lines + 1] = text:match("^[^\0]*")
    end
  end
  function object.createBuffer(self)
    world:need_context()
    assert(self == object)
    if world.host ~= "qt" then
      world:crash("console:createBuffer where there is no window: a segfault")
    end
    world.buffer = make_buffer(world)
    return world.buffer
  end
  return object
end

local CONSTANTS <const> = {
  SAVESTATE = { SCREENSHOT = 1, SAVEDATA = 2, CHEATS = 4, RTC = 8, METADATA = 16, ALL = 31 },
  PLATFORM = { NONE = -1, GBA = 0, GB = 1 },
  CHECKSUM = { CRC32 = 0 },
  SOCKERR = {
    UNKNOWN_ERROR = -1, OK = 0, AGAIN = 1, ADDRESS_IN_USE = 2, CONNECTION_REFUSED = 3, DENIED = 4, FAILED = 5, NETWORK_UNREACHABLE = 6,
    NOT_FOUND = 7, NO_DATA = 8, OUT_OF_MEMORY = 9, TIMEOUT = 10, UNSUPPORTED = 11,
  },
}

--- The globals of one Lua state of mGBA. Loading a script twice uses the same ones.
local function make_globals(world)
  local globals = {}
  for name, value in pairs(_G) do
    globals[name] = value
  end
  globals._G, globals.emu = globals, world.core and world.core.object
  globals.console, globals.callbacks, globals.C = make_console(world), make_callbacks(world), CONSTANTS
  globals._socket = {
    create = function()
      world:need_context()
      return fake_socket.create(world)
    end,
  }
  globals.os = setmetatable({
    clock = function()
      world:spend(0.2)
      return world.cpu / 1000000
    end,
    time = function() return math.floor(world.now / 1000000) end,
    getenv = function(name) return world.environment[name] end,
  }, { __index = os })
  globals.io = setmetatable({
    open = function(path, mode)
      if world.no_random and path == "/dev/urandom" then
        return nil, "no such file"
      elseif world.files[path] then
        return { close = function() end, seek = function() return 0 end, read = function() return world.files[path].state or "" end }
      end
      return io.open(path, mode)
    end,
  }, { __index = io })
  globals.debug = setmetatable({ getregistry = function() return world.registry end }, { __index = debug })
  if world.host == "headless-0.11" then
    globals.system = { version = "0.11.0" }
  end
  globals.headless = world.waits_for_all and fake_headless.new(world) or nil
  return globals
end

-- The script as bytecode: parsing it takes ten times as long as loading that, and each test loads it.
local bytecode
local function compiled_script()
  bytecode = bytecode or string.dump(assert(loadfile(fake_mgba.script, "t")))
  return bytecode
end

--- Runs the script's file in this Lua state, as the Scripting window does. Returns whether it loaded, and the error.
function World:load(path)
  local chunk = path and assert(loadfile(path, "t", self.globals)) or load(compiled_script(), "@" .. fake_mgba.script, "b", self.globals)
  self.registry.mCtx = "context"
  local ok, problem = pcall(chunk)
  self.registry.mCtx = nil
  if not ok and type(problem) ~= "string" then
    self.crashes[#self.crashes + 1] = "the main chunk threw a " .. type(problem)
  end
  return ok, problem
end

function World:port()
  local last
  for _, line in ipairs(self.console.log) do
    last = tonumber(line:match("listening on [^ ]+:(%d+)%.")) or last
  end
  return last
end

-- Frames.

local function note_keys(world)
  local keys = world.core.keys
  local before = world.keys_seen
  for key = 0, 9 do
    local bit = 1 << key
    if keys & bit ~= before & bit then
      local kind = keys & bit ~= 0 and "down" or "up"
      if kind == "down" then
        world.edges[key] = (world.edges[key] or 0) + 1
      end
      world.key_log[#world.key_log + 1] = { frame = world.frame_count, key = key, kind = kind }
    end
  end
  world.keys_seen = keys
end

--- One emulated frame; the game sees the keys that are down when the callbacks are over.
function World:frame(count)
  for _ = 1, count or 1 do
    self.frame_count = self.frame_count + 1
    self.now = math.max(self.now + self.emulation, self.next_frame)
    self.next_frame = math.max(self.next_frame, self.now) + self.period
    run_due(self)
    if not self.core then
      return
    elseif self.core.is_broken then
      self:crash("a frame without a cartridge: a segfault")
    end
    if self.halted then
      self:trigger("idleHalted")
    elseif (self.skip or 0) > 0 then
      self.skip, self.skipped = self.skip - 1, self.skipped + 1
    else
      self:trigger("frame")
    end
    if self.core then
      note_keys(self)
      self.core.frame = self.core.frame + 1
    end
  end
end

--- No frame runs, and mgba-headless says why: "idlePaused", "idleHalted", "idleStopped", "idleCrashed" or "idleEmpty".
function World:idle(event, count)
  for _ = 1, count or 1 do
    self.now = self.now + 16000
    run_due(self)
    self:trigger(event)
  end
end

--- Frames at the host's pace, as audio sync keeps it, `burst` of them at once and then its sleep; returns when each callback began and how long it took.
function World:run(count)
  local visits = {}
  for i = 1, count do
    local due = self.next_due or self.now
    self.next_due = due + self.period
    self:spend(self.emulation)
    if self.now < due then
      self:sleep(self.frame_count % (self.burst or 1) == 0 and due - self.now or 0)
    elseif self.now - due > 3 * self.period then
      self.next_due = self.now + self.period
    end
    self.frame_count = self.frame_count + 1
    local began = self.now
    self:trigger("frame")
    note_keys(self)
    self.core.frame = self.core.frame + 1
    visits[i] = { began = began, due = due, took = self.now - began, late = began - due }
  end
  return visits
end

-- Games.

function World:close_game()
  self:trigger("shutdown")
  self.core.is_alive = false
  self.core, self.globals.emu = nil, nil
end

function World:open_game(platform, changes)
  self.core = fake_core.new(self, platform or "gba")
  for key, value in pairs(changes or {}) do
    self.core[key] = value
  end
  for address, value in pairs(self.core.header or {}) do
    self.core.bytes[address] = value
  end
  self.globals.emu, self.keys_seen = self.core.object, 0
  self:trigger("start")
  self:trigger("reset")
end

-- Clients.

local function send_request(client, head, tail)
  client.last_id = (client.last_id or 0) + 1
  client:send(wire.request(client.last_id, head, tail))
  return client.last_id
end

--- The next message for this client, however many frames it takes (within reason).
local function next_message(client, most)
  for _ = 1, most or 400 do
    client.inbound = (client.inbound or "") .. client:take()
    local message, rest = wire.cut(client.inbound)
    if message then
      client.inbound = rest
      return message
    end
    client.world:frame()
  end
  return nil
end

local function all_messages(client)
  local list = {}
  client.inbound = (client.inbound or "") .. client:take()
  while true do
    local message, rest = wire.cut(client.inbound)
    if not message then
      return list
    end
    list[#list + 1], client.inbound = message, rest
  end
end

--- Sends one command and returns its reply.
local function call(client, head, tail)
  local id = send_request(client, head, tail)
  for _ = 1, 50 do
    local message = next_message(client)
    assert(message, "no answer to " .. head)
    if message.id == id then
      return message
    end
    client.others[#client.others + 1] = message
  end
end

function World:connect()
  local client = fake_socket.connect(self, self:port())
  client.request, client.call, client.next, client.all, client.others = send_request, call, next_message, all_messages, {}
  return client
end

--- A connection that has said hello in a session.
function World:session(name)
  local client = self:connect()
  client.hello = client:call("hello 3 session=" .. name)
  assert(client.hello.status == "ok", client.hello.detail)
  return client
end

--- What must be true at the end of every test.
function World:problems()
  local list = { table.unpack(self.crashes) }
  for _, level in ipairs({ "warn", "error" }) do
    for _, line in ipairs(self.console[level]) do
      if line:find("%.lua:%d+:") then
        list[#list + 1] = "a mistake in the script, caught and shown: " .. line
      end
    end
  end
  for _, socket in ipairs(self.sockets) do
    if socket.is_closed and not socket.is_released then
      list[#list + 1] = "a closed socket still knows its descriptor: on 0.10 the collector closes it again"
      break
    end
  end
  return list
end

fake_mgba.script = os.getenv("MGBA_BRIDGE_SCRIPT") or "lua/mgba-bridge.lua"

--- Options: platform ("gba", "gb" or false for no game), host ("qt", "headless", "headless-0.11"), environment, load (false: not yet),
--- waits_for_all (the host has the global `headless`).
function fake_mgba.new(options)
  options = options or {}
  local world = setmetatable({
    host = options.host or "qt", waits_for_all = options.waits_for_all,
    environment = { MGBA_BRIDGE_LINGER = "0", MGBA_BRIDGE_LOG = "warn" }, registry = {}, crashes = {}, console = {},
      callbacks = {}, sockets = {}, taken_ports = {},
    deaf_ports = {}, descriptors = {}, first_descriptor = 40, agenda = {}, now = 1700000000000000, cpu = 0, slowness = 1, emulation = 1000,
    period = 16743, next_frame = 0, frame_count = 0, calls = {}, edges = {}, key_log = {}, keys_seen = 0, snapshots = {}, slots = {}, files = {},
    saves = {}, screenshots = {}, resets = 0, steps = 0, selects = 0, buffer_calls = 0, stale_errors = { 0, 1, -1 }, has_video = true,
  }, World)
  world.next_frame = world.now
  for name, value in pairs(options.environment or {}) do
    world.environment[name] = value
  end
  world.environment.MGBA_BRIDGE_HOST = world.host == "headless" and "headless" or nil
  if options.platform ~= false then
    world.core = fake_core.new(world, options.platform or "gba")
  end
  world.globals = make_globals(world)
  if options.load ~= false then
    assert(world:load())
  end
  return world
end

return fake_mgba
