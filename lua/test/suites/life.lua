-- Loading, settings, reloading, games that come and go, and the status page.

local t = require("harness")

local function topics(client)
  local list = {}
  for _, message in ipairs(client:all()) do
    list[#list + 1] = message.topic or message.head
  end
  return table.concat(list, " ")
end

t.test("the first line has address, version and the next step", function(world)
  t.equal(#world.console.log, 1)
  t.matches(world.console.log[1], "mGBA%-bridge %d+%.%d+%.%d+ listening on 127%.0%.0%.1:8888%..*gateway.*nc %-w 1 127%.0%.0%.1 8888")
end)

t.test("the next free port is taken, and said", { load = false }, function(world)
  world.taken_ports[8888], world.deaf_ports[8889] = true, true
  assert(world:load())
  t.equal(world:port(), 8890)
  t.equal(t.ok(world:connect():call("hello 3")).named.port, 8890)
end)

t.test("no free port: an error with the setting to change", { load = false }, function(world)
  for port = 8888, 8903 do
    world.taken_ports[port] = true
  end
  local ok, problem = world:load()
  t.is_true(not ok)
  t.matches(problem, "8888%.%.8903.*MGBA_BRIDGE_PORT")
end)

t.test("a port that was set is taken, or it is an error", { load = false, environment = { MGBA_BRIDGE_PORT = "9000" } }, function(world)
  world.taken_ports[9000] = true
  local ok, problem = world:load()
  t.is_true(not ok)
  t.matches(problem, "9000 is in use.*MGBA_BRIDGE_PORT")
  world.taken_ports[9000] = nil
  assert(world:load())
  t.equal(world:port(), 9000)
end)

for name, values in pairs({ MGBA_BRIDGE_PORT = { "0", "65536", "x", "1.5", "-1" }, MGBA_BRIDGE_CONNECTIONS = { "0", "901", "x" },
  MGBA_BRIDGE_LINGER = { "-1", "101", "x" }, MGBA_BRIDGE_LOG = { "loud" }, MGBA_BRIDGE_LEASE = { "yes" }, MGBA_BRIDGE_FOLDERS = { "roms", "states" } }) do
  for _, value in ipairs(values) do
    t.test(name .. "=" .. value .. " is an error that names the setting", { load = false, environment = { [name] = value } }, function(world)
      local ok, problem = world:load()
      t.is_true(not ok, "it loaded")
      t.matches(problem, name)
      t.matches(problem, value)
      t.equal(#world.callbacks, 0, "callbacks left behind")
      world:frame(3)
    end)
  end
end

t.test("empty settings count as unset", { environment = { MGBA_BRIDGE_PORT = "", MGBA_BRIDGE_SECRET = "", MGBA_BRIDGE_FOLDERS = "",
  MGBA_BRIDGE_NONCE = "" } }, function(world)
  t.ok(world:connect():call("ping"))
end)

t.test("the nonce can be given", { environment = { MGBA_BRIDGE_NONCE = "abc-123" } }, function(world)
  t.equal(world:connect():call("hello 3").named.nonce, "abc-123")
end)

t.test("an old Lua gets a sentence", { load = false }, function(world)
  world.globals._VERSION = "Lua 5.3"
  local ok, problem = world:load()
  t.is_true(not ok)
  t.matches(problem, "Lua 5%.4")
end)

t.test("the only global left behind is the guard", function(world)
  local known = { MGBA_BRIDGE = true, emu = true, console = true, callbacks = true, C = true, _socket = true }
  for name in pairs(world.globals) do
    t.is_true(known[name] or _G[name] ~= nil, "global " .. name)
  end
end)

t.test("loading the file again replaces the server on the same port", function(world)
  local c = world:session("s")
  t.ok(c:call("keys.add A"))
  local before, nonce = c.hello.epoch, c.hello.named.nonce
  for _ = 1, 5 do
    assert(world:load())
    t.equal(world:port(), 8888)
    t.equal(world.core.keys, 0, "keys held by the old one")
  end
  t.equal(topics(c), "script.stopping")
  t.is_true(c.closed_by_script)
  local d = world:session("s")
  t.equal(d.hello.named.resumed, false)
  t.is_true(d.hello.epoch ~= before, "the same epoch")
  t.is_true(d.hello.named.nonce ~= nonce, "the same nonce")
  world:frame(5)
  local live = 0
  for _, callback in ipairs(world.callbacks) do
    live = live + (callback.is_removed and 0 or 1)
  end
  t.equal(live, 13, "callbacks of the new server")
  t.equal(world:open_descriptors(), 2, "descriptors: listener and client")
end)

t.test("loading again with a mistake in the settings leaves no half server", function(world)
  world.environment.MGBA_BRIDGE_PORT = "x"
  local ok = world:load()
  t.is_true(not ok)
  world:frame(3)
  world.environment.MGBA_BRIDGE_PORT = nil
  assert(world:load())
  t.ok(world:connect():call("ping"))
end)

t.test("a headless host gets no window and no picture file", { host = "headless" }, function(world)
  t.equal(world:connect():call("hello 3").named.host, "headless")
  world:frame(100)
  t.equal(world.buffer, nil)
end)

t.test("a headless 0.11, known by having no canvas, too", { host = "headless-0.11" }, function(world)
  local named = world:connect():call("hello 3").named
  t.equal(named.mgba, "0.11.0")
  t.equal(named.host, "unknown")
  world:frame(100)
end)

t.test("the window's page: address, clients, requests, last error; at most twice a second", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  t.refused(c:call("nope"), "unknown-command")
  c:send("nope,,,<|END|>")
  world:frame(60)
  local text = table.concat(world.buffer.text)
  t.matches(text, "127%.0%.0%.1:8888")
  t.matches(text, "clients +1")
  t.matches(text, "requests")
  t.matches(text, "nope")
  local calls = world.buffer_calls
  world:frame(60)
  t.is_true(world.buffer_calls - calls <= 2 * 6, "the page is drawn too often")
end)

t.test("another game: new epoch, an event, new facts", function(world)
  local c = world:session("s")
  local before = c:call("ping").epoch
  world:close_game()
  t.equal(topics(c), "game.closed")
  world:open_game("gb", { title = "OTHER" })
  world:frame(2)
  t.matches(topics(c), "game.opened")
  local game = c:call("game.get")
  t.is_true(game.epoch ~= before)
  t.equal(game.named.title, "OTHER")
  t.equal(game.named.platform, "gb")
  t.ok(c:call("memory.read8 hram:0"))
  t.refused(c:call("memory.read8 iwram:0"), "bad-address")
end)

t.test("the same game closed and opened again: another epoch", function(world)
  local c = world:session("s")
  local before = c.hello.epoch
  world:close_game()
  world:open_game("gba")
  world:frame(2)
  c:all()
  t.is_true(c:call("ping").epoch ~= before)
end)

t.test("a reset or a load-state is not a change of the game", function(world)
  local c = world:session("s")
  t.ok(c:call("game.reset"))
  t.ok(c:call("state.load", t.ok(c:call("state.get")).tail))
  world:frame(130)
  t.equal(c:call("ping").epoch, c.hello.epoch)
end)

t.test("references to a closed game are never used", function(world)
  local c = world:session("s")
  t.ok(c:call("keys.add A"))
  t.ok(c:call("memory.read wram:0 4"))
  c:request("batch.run after=5", "memory.write8 0x02001000 1<|END|>")
  world:frame(2)
  world:close_game()
  world:frame(3)
  world:open_game("gba", { title = "OTHER" })
  world:frame(20)
  t.equal(world.core.bytes[0x02001000], nil, "a batch for the old game ran in the new one")
  t.ok(c:call("memory.read wram:0 4"))
end)

t.test("a long write ends with its game", function(world)
  local c = world:session("s")
  c:request("memory.write 0x02010000", ("x"):rep(16384 * 8))
  world:frame(2)
  world:close_game()
  world:open_game("gba", { title = "OTHER" })
  world:frame(20)
  for address = 0x02010000, 0x02010000 + 16384 * 8 - 1 do
    t.equal(world.core.bytes[address], nil, "bytes of the old write in the new game")
  end
end)

t.test("a game that vanishes without a word (its event raced): refused, and served again later", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  world.core.is_alive, world.globals.emu = false, nil
  t.refused(c:call("memory.read8 0x02000000"), "no-game")
  world:open_game("gba")
  t.ok(c:call("memory.read8 0x02000000"))
end)

t.test("loaded with no game: served when one comes", { platform = false }, function(world)
  local c = world:connect()
  c:request("ping")
  world:open_game("gba")
  t.ok(c:next())
  t.equal(t.ok(c:call("hello 3")).named.title, "MGBABRIDGE")
end)

t.test("a crashed game is reported", function(world)
  local c = world:session("s")
  world:trigger("crashed")
  t.equal(topics(c), "game.crashed")
end)

t.test("an engine call that throws is one internal error, and the next request works", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  local real = world.core.object.getKeys
  getmetatable(world.core.object).__index = (function(old)
    return function(object, key)
      if key == "getKeys" then
        return function() error("Error calling function (invoking failed)", 0) end
      end
      return old(object, key)
    end
  end)(getmetatable(world.core.object).__index)
  t.is_true(real ~= nil)
  t.refused(c:call("keys.get"), "internal", "invoking failed")
  t.ok(c:call("ping"))
end)

t.test("log=debug writes a line a connection, never a line a request", { environment = { MGBA_BRIDGE_LOG = "debug" } }, function(world)
  local c = world:connect()
  for _ = 1, 50 do
    t.ok(c:call("ping"))
  end
  c:close()
  world:frame(3)
  t.is_true(#world.console.log <= 5, #world.console.log .. " lines")
end)

t.test("100,000 frames without clients: no memory, hardly any calls", function(world)
  world:frame(200)
  collectgarbage()
  local before, selects = collectgarbage("count"), world.selects
  world:frame(20000)
  collectgarbage()
  t.is_true(collectgarbage("count") - before < 50, "kept: " .. collectgarbage("count") - before .. " KB")
  t.is_true(world.selects - selects <= 20000 * 2, "selects")
end)
