-- The example conversations of docs/transcripts, replayed as docs/transcripts/README.md describes.

local t = require("harness")
local wire = require("wire")

local FOLDER <const> = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../../docs/transcripts"
local PLACES <const> = {
  frame = "%d+", epoch = "%x%x%x%x%x%x%x%x", number = "%-?%d+", hex = "%x+", any = ".*", string = '"[^"\\]*"', challenge = "(" .. ("%x"):rep(32) .. ")",
}
local UNESCAPE <const> = { r = "\r", n = "\n" }

local function read_lines(path)
  local list = {}
  for line in assert(io.lines(path)) do
    local kind, rest = line:match("^(%S+) ?(.*)$")
    if kind and kind ~= "#" then
      list[#list + 1] = { kind = kind, text = rest, number = #list + 1 }
    end
  end
  return list
end

--- The head as a Lua pattern. Strings may hold escaped quotes, which no pattern can say: they are made plain on both sides first.
local function to_pattern(head)
  local pattern = head:gsub("\\.", "''"):gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0")
  return "^" .. pattern:gsub("{(%l+)}", PLACES) .. "$"
end

local function from_hex(text)
  return (text:gsub("%x%x", function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

local function to_hex(bytes)
  return (bytes:gsub(".", function(byte)
    return ("%02x"):format(byte:byte())
  end))
end

local Replay = {}
Replay.__index = Replay

function Replay:connection()
  local name = self.name or "a"
  self.clients[name] = self.clients[name] or self.world:connect()
  return self.clients[name]
end

--- What a `>` line and the `>+` lines behind it send.
function Replay:send(at)
  local line = self.lines[at]
  local text = line.text:gsub("{epoch}", self.epoch or "")
  text = text:gsub("{proof (%w+) (%x+)}", function(session, challenge)
    return wire.proof("client", self.secret, { client = challenge, script = self.challenge }, session)
  end)
  local parts = { text, wire.TERMINATOR }
  while self.lines[at + 1] and self.lines[at + 1].kind == ">+" do
    at = at + 1
    parts[#parts + 1] = from_hex(self.lines[at].text)
  end
  self:connection():send(table.concat(parts))
  return at
end

function Replay:send_raw(text)
  self:connection():send((text:gsub("\\([rnx])(%x?%x?)", function(letter, hex)
    return letter == "x" and string.char(tonumber(hex, 16)) or UNESCAPE[letter] .. hex
  end)))
end

function Replay:expect(at)
  local line = self.lines[at]
  local message = self:connection():next()
  t.is_true(message, "no answer; wanted " .. line.text)
  local found = message.head:gsub("\\.", "''")
  t.matches(found, to_pattern(line.text), "the head")
  self.epoch = message.epoch or self.epoch
  self.challenge = line.text:find("{challenge}", 1, true) and found:match(to_pattern(line.text)) or self.challenge
  local tail
  while self.lines[at + 1] and self.lines[at + 1].kind == "<+" do
    at = at + 1
    local count = self.lines[at].text:match("^{bytes (%d+)}$")
    tail = count and message.tail:sub(1, tonumber(count)) or (tail or "") .. from_hex(self.lines[at].text)
  end
  t.equal(to_hex(message.tail or ""), to_hex(tail or ""), "the tail, in hex")
  return at
end

function Replay:command(text)
  local word, rest = text:match("^(%S+) ?(.*)$")
  if word == "frames" then
    self.world:frame(tonumber(rest))
  elseif word == "close" then
    self:connection():close()
  elseif word == "closed" then
    self.world:frame(130)
    t.is_true(self:connection().closed_by_script, "the connection is open")
    t.equal(self:connection():take(), "", "what came before the close")
  else
    error("no such line: = " .. text)
  end
end

function Replay:run()
  local at = 1
  while at <= #self.lines do
    local line = self.lines[at]
    if line.kind == "@" then
      self.name = line.text
    elseif line.kind == ">" then
      at = self:send(at)
    elseif line.kind == ">>" then
      self:send_raw(line.text)
    elseif line.kind == "<" then
      at = self:expect(at)
    elseif line.kind == "=" then
      self:command(line.text)
    else
      error("no such line: " .. line.kind .. " " .. line.text)
    end
    at = at + 1
  end
end

local pipe = assert(io.popen("ls '" .. FOLDER .. "'/*.txt"))
for path in pipe:lines() do
  local lines, environment = read_lines(path), {}
  while lines[1] and lines[1].text:find("^setting ") do
    local name, value = table.remove(lines, 1).text:match("^setting (%S+) (.*)$")
    environment[name] = value
  end
  t.test(path:match("[^/]+$"), { host = "headless", waits_for_all = true, environment = environment }, function(world)
    local replay = setmetatable({ world = world, lines = lines, clients = {}, secret = environment.MGBA_BRIDGE_SECRET }, Replay)
    replay:run()
  end)
end
pipe:close()
