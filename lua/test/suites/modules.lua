-- The modules of lua/src, each on its own, and the bundle made of them.

local t = require("harness")

local SOURCE <const> = "lua/src/"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function module_names()
  local names = {}
  local list = assert(io.popen("find lua/src -name '*.lua'"))
  for path in list:lines() do
    names[#names + 1] = path:sub(#SOURCE + 1, -5):gsub("/", ".")
  end
  list:close()
  table.sort(names)
  return names
end

local GLOBALS <const> = {
  assert = assert, collectgarbage = collectgarbage, coroutine = coroutine, debug = debug, error = error, io = io, ipairs = ipairs, math = math,
  next = next, os = os, pairs = pairs, pcall = pcall, select = select, setmetatable = setmetatable, string = string, table = table,
  tonumber = tonumber, tostring = tostring, type = type, utf8 = utf8, _VERSION = _VERSION,
}

local OF_SOME_HOSTS <const> = { emu = true, system = true, canvas = true, headless = true }

--- Loads modules outside mGBA, each with what it requires and nothing else. A global that it sets or misses is an error.
local function loader()
  local loaded = {}
  local environment = setmetatable({}, {
    __index = function(_, name)
      if GLOBALS[name] == nil and not OF_SOME_HOSTS[name] then
        error("global " .. name .. " is used while loading", 2)
      end
      return GLOBALS[name]
    end,
    __newindex = function(_, name)
      error("sets the global " .. name, 2)
    end,
  })
  local function load_module(name)
    if not loaded[name] then
      local path = SOURCE .. name:gsub("%.", "/") .. ".lua"
      loaded[name] = { assert(load(read(path), "@" .. path, "t", environment))() }
    end
    return table.unpack(loaded[name])
  end
  rawset(environment, "require", load_module)
  return load_module
end

for _, name in ipairs(module_names()) do
  t.test(name .. " loads with only what it requires, and without mGBA", { bare = true }, function()
    local text = read(SOURCE .. name:gsub("%.", "/") .. ".lua")
    t.is_true(text:find("^%-%- "), "the first line does not describe the module")
    if name == "main" then
      return -- starts the server
    end
    local result = loader()(name)
    t.is_true(type(result) == "table" or (result == nil and not text:find("\nreturn ")), "returns no table")
  end)
end

-- The folders of lua/src, lowest first. A module requires modules of its own folder and of those before it.
local FOLDERS <const> = { "base", "wire", "request", "game", "keys", "pace", "net", "session", "commands", "legacy", "server" }

t.test("modules require only modules of their own folder and of lower ones", { bare = true }, function()
  local levels = {}
  for level, folder in ipairs(FOLDERS) do
    levels[folder] = level
  end
  local function level_of(name)
    return name == "main" and #FOLDERS + 1 or levels[name:match("^[^.]+")] or error("FOLDERS of this test has no level for " .. name)
  end
  for _, name in ipairs(module_names()) do
    for required in read(SOURCE .. name:gsub("%.", "/") .. ".lua"):gmatch('require%("([%w_.]+)"%)') do
      t.is_true(level_of(required) <= level_of(name), name .. " requires " .. required .. " of a higher folder")
    end
  end
end)

t.test("the bundle is what the modules give", { bare = true }, function()
  t.is_true(os.execute("lua5.4 lua/bundle.lua --check"), "stale: run make lua")
end)

t.test("the bundle does not use package.loaded", { bare = true }, function()
  t.equal(read("lua/mgba-bridge.lua"):find("package.", 1, true), nil)
end)

t.test("crypto: SHA-256 and HMAC of the standards' examples", { bare = true }, function()
  local crypto = loader()("base.crypto")
  local digest = crypto.sha256("abc"):gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end)
  t.equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  t.equal(crypto.hmac("Jefe", "what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  t.matches(crypto.random_hex(32), "^%x+$")
end)

t.test("wire: values and records", { bare = true }, function()
  local wire = loader()("wire.text")
  t.equal(wire.quote('a"b\n\1|'), '"a\\"b\\n\\x01\\x7c"')
  t.equal(wire.record({ "title", "ABC", "port", 1, "game", wire.NIL }), 'title="ABC" port=1 game=nil')
  local ok, problem = pcall(wire.refuse, "bad-key", "%q", "Z")
  t.equal(ok, false)
  local code, text = wire.caught(problem)
  t.equal(code .. "/" .. text, 'bad-key/"Z"')
end)

t.test("arguments: words, named values, integers", { bare = true }, function()
  local arguments = loader()("wire.arguments")
  local words, named = arguments.split('wram:4 "two words" frames=0x10')
  t.equal(table.concat(words, "|"), "wram:4|two words")
  t.equal(named.frames, "0x10")
  t.equal(arguments.to_integer("-12"), -12)
  t.equal(arguments.to_integer("1.0"), nil)
  local ok, problem = pcall(arguments.parse.integer, "x")
  t.is_true(not ok)
  t.equal(problem, 'bad-argument "x" is not an integer; write 255 or 0xFF')
end)

t.test("inflate: a stored zlib stream, and its limit", { bare = true }, function()
  local inflate = loader()("game.inflate").inflate
  local stream = "\x78\x01\x01\x03\x00\xfc\xffabc\x02\x4d\x01\x27"
  t.equal(inflate(stream, 3), "abc")
  t.equal(pcall(inflate, stream, 2), false)
end)

t.test("work: buckets run in turn until the budget is used up", { bare = true }, function()
  local work = loader()("request.work")
  local ring, order = { turn = 0, buckets = {} }, {}
  for i, name in ipairs({ "a", "b" }) do
    ring.buckets[i] = { list = { name .. 1, name .. 2 }, at = 0, left = 0 }
  end
  work.share(ring, 150, function(item)
    order[#order + 1], work.spent = item, work.spent + 100
  end)
  t.equal(table.concat(order, " "), "a1 b1")
  work.share(ring, 1000, function(item)
    order[#order + 1], work.spent = item, work.spent + 100
  end)
  t.equal(table.concat(order, " ", 3), "a2 b2 a1 b1")
end)
