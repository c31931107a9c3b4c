-- Heads, tails, terminators and limits: what is cut out of the stream, however it arrives.

local t = require("harness")
local wire = require("wire")

local END <const> = wire.TERMINATOR

local function mixed_stream()
  local parts, answers = {}, {}
  local function add(id, head, tail, wanted)
    parts[#parts + 1] = wire.request(id, head, tail)
    answers[#answers + 1] = { id = id, wanted = wanted, tail = wanted == nil and tail or nil }
  end
  add(1, "echo hello", nil, '"hello"')
  add(2, "echo", "raw <|END|> bytes \0\255 of a tail")
  add(3, 'echo "quoted \\"\\\\\\n\\x7cEND\\x7c> text"', nil, '"quoted \\"\\\\\\n\\x7cEND\\x7c> text"')
  add(4, "echo", "")
  add(9007199254740991, "memory.read8 0x02001000", nil, "0")
  add(5, "echo", ("<|END|>"):rep(40))
  return table.concat(parts, "\r\n \t"), answers
end

local function check_answers(client, answers)
  for _, answer in ipairs(answers) do
    local message = client:next()
    t.is_true(message, "no answer to " .. answer.id)
    t.equal(message.id, answer.id, "the id")
    t.equal(message.status, "ok", "the status")
    if answer.tail then
      t.equal(message.tail, answer.tail, "the tail")
    else
      t.equal(message.text, answer.wanted, "the value")
    end
  end
end

t.test("messages in one segment", function(world)
  local c = world:connect()
  local stream, answers = mixed_stream()
  c:send(stream)
  check_answers(c, answers)
end)

t.test("messages byte by byte, one a read", function(world)
  local c = world:connect()
  local stream, answers = mixed_stream()
  c.packet = function() return 1 end
  c:send(stream)
  check_answers(c, answers)
end)

t.test("messages byte by byte, one a frame", function(world)
  local c = world:connect()
  local stream, answers = mixed_stream()
  for i = 1, #stream do
    c:send(stream:sub(i, i))
    world:frame()
  end
  check_answers(c, answers)
end)

t.test("messages in 200 random cuts", function(world)
  local stream, answers = mixed_stream()
  for _ = 1, 200 do
    local c, at = world:connect(), 1
    while at <= #stream do
      local size = math.random(1, math.random() < 0.5 and 4 or 80)
      c:send(stream:sub(at, at + size - 1))
      at = at + size
      if math.random() < 0.3 then
        world:frame()
      end
    end
    check_answers(c, answers)
    c:close()
    world:frame(2)
  end
end)

t.test("a tail of 4 MiB in pieces, with the next request behind it", function(world)
  local c = world:connect()
  local tail = ("<|END|>\0#9 echo"):rep(4194304 // 15 + 1):sub(1, 4194304)
  local data = wire.request(1, "echo", tail) .. wire.request(2, "echo after")
  local at = 1
  while at <= #data do
    c:send(data:sub(at, at + 65000))
    at = at + 65001
    if at % 7 == 0 then
      world:frame()
    end
  end
  t.is_true(c:next().tail == tail, "the returned tail differs")
  t.equal(c:next().text, '"after"')
end)

t.test("a tail over the limit is refused by name and the connection ends", function(world)
  local c = world:connect()
  c:send("#7+4194305 echo<|END|>some of it")
  t.refused(c:next(), "tail-too-long", "4194305.*4194304")
  world:frame(130)
  t.is_true(c.closed_by_script, "the connection is still open")
end)

t.test("absurd tail counts", function(world)
  for _, count in ipairs({ "99999999999999999999", "9223372036854775808", "9007199254740993" }) do
    local c = world:connect()
    c:send("#7+" .. count .. " echo<|END|>")
    t.refused(c:next(), "tail-too-long", "the most is 4194304")
    c:close()
    world:frame()
  end
end)

t.test("a head of exactly 65,536 bytes runs, one byte more is refused and the connection ends", function(world)
  local c = world:connect()
  local text = ("x"):rep(65536 - #"#1 echo ")
  c:send("#1 echo " .. text .. END)
  t.equal(#c:next().text, #text + 2)
  c:send("#2 echo x" .. text .. END .. "#3 echo never" .. END)
  local refusal = c:next()
  t.refused(refusal, "head-too-long", "65537.*65536")
  t.equal(refusal.id, 0)
  world:frame(130)
  t.equal(#c:all(), 0, "answers after it")
  t.is_true(c.closed_by_script, "the connection is still open")
  t.is_true(not c.was_reset, "it was reset with bytes unread")
end)

t.test("a head without an end is refused once and the connection ends", function(world)
  local c = world:connect()
  for _ = 1, 40 do
    c:send(("y"):rep(4000))
    world:frame()
  end
  t.refused(c:next(), "head-too-long", "65536")
  world:frame(130)
  t.equal(#c:all(), 0)
  t.is_true(c.closed_by_script, "the connection is still open")
end)

t.test("a head without an end, byte by byte", function(world)
  local c = world:connect()
  c.packet = function() return 1 end
  c:send("#1 echo " .. ("z"):rep(66000))
  for _ = 1, 67000 do
    world:frame()
    if c.outbox[1] then
      break
    end
  end
  t.refused(c:next(), "head-too-long")
end)

t.test("half a message waits for ever without holding anything up", function(world)
  local a, b = world:connect(), world:connect()
  a:send("#1 echo half")
  world:frame(1000)
  t.ok(b:call("echo whole"), '"whole"')
  a:send(END)
  t.equal(a:next().text, '"half"')
end)

t.test("white space before a head is skipped, empty messages are not", function(world)
  local c = world:connect()
  c:send(" \t\r\n\r\n#1 echo a" .. END .. "\n" .. END .. "#2 echo b" .. END)
  t.equal(c:next().text, '"a"')
  t.refused(c:next(), "bad-head", "starts")
  t.equal(c:next().text, '"b"')
end)

local BAD_HEADS <const> = {
  "#0 ping", "#01 ping", "#-1 ping", "#x ping", "# ping", "#9007199254740992 ping", "#99999999999999999999 ping", "1 ping", "!1 ping", "<|EN D|>",
    "\1\2\3", "#", "##1 ping", "[]", "\xff\xfe",
}

for _, head in ipairs(BAD_HEADS) do
  t.test(("head %q gets one bad-head with id 0"):format(head), function(world)
    local c = world:connect()
    c:send(head .. END .. "#5 ping" .. END)
    local refusal = c:next()
    t.refused(refusal, "bad-head")
    t.equal(refusal.id, 0)
    t.equal(c:next().id, 5, "the id of the next answer")
    world:frame(3)
    t.equal(#c:all(), 0, "further answers")
  end)
end

for _, head in ipairs({ "#5", "#5+x echo", "#5+ echo", "#5+-1 echo", "#5x echo", "#5 ", "#5+3" }) do
  t.test(("head %q is refused under its own id"):format(head), function(world)
    local c = world:connect()
    c:send(head .. END .. "#6 ping" .. END)
    local refusal = c:next()
    t.equal(refusal.status, "error")
    t.equal(refusal.id, 5, "the id")
    t.equal(c:next().id, 6, "the id of the next answer")
  end)
end

t.test("spaces between the parts do not matter", function(world)
  local c = world:connect()
  c:send("#1   memory.write8    0x02001000     9   " .. END .. "#2  memory.read8   0x02001000 " .. END)
  t.ok(c:next(), "")
  t.ok(c:next(), "9")
end)

t.test("10,000 commands in one piece are all answered, in order, and none twice", function(world)
  local c = world:connect()
  local parts = {}
  for i = 1, 10000 do
    parts[i] = wire.request(i, "echo " .. i)
  end
  c:send(table.concat(parts))
  for i = 1, 10000 do
    local message = c:next()
    t.equal(message and message.id, i, "the id")
    t.equal(message.text, '"' .. i .. '"')
  end
  world:frame(5)
  t.equal(#c:all(), 0, "further answers")
end)

t.test("10,000 commands in random cuts: each runs once", function(world)
  local c = world:connect()
  local parts, counter = {}, 0x02001000
  for i = 1, 10000 do
    parts[i] = wire.request(i, "echo " .. ("e"):rep(i % 30))
  end
  parts[#parts + 1] = wire.request(10001, "memory.read8 " .. counter)
  local stream, at = table.concat(parts), 1
  c.packet = function() return math.random(1, math.random(10) == 1 and 20000 or 30) end
  local wanted = 1
  while at <= #stream or wanted <= 10001 do
    local size = math.random(1, 9000)
    if at <= #stream then
      c:send(stream:sub(at, at + size - 1))
      at = at + size
    end
    world:frame()
    for _, message in ipairs(c:all()) do
      t.equal(message.id, wanted, "the id")
      wanted = wanted + 1
    end
  end
  world:frame(5)
  t.equal(#c:all(), 0, "further answers")
end)

t.test("a full queue and a half message behind it: nothing runs twice", function(world)
  local c = world:connect()
  local parts = {}
  for i = 1, 300 do
    parts[i] = wire.request(i, "keys.tap A frames=1 gap=1")
  end
  c:send(table.concat(parts))
  local seen = {}
  local pieces = { "#301 ec", "ho en", "d<|END|>" }
  for round = 1, 600 do
    if pieces[round] then
      c:send(pieces[round])
    end
    world:frame()
    for _, message in ipairs(c:all()) do
      seen[message.id] = (seen[message.id] or 0) + 1
    end
  end
  for i = 1, 301 do
    t.equal(seen[i], 1, "answers to " .. i)
  end
  world:frame(700)
  t.equal(world.edges[0], 300, "presses of A")
end)

t.test("a client that never stops sending is not read without end", function(world)
  local c = world:connect()
  local block = {}
  for i = 1, 20000 do
    block[i] = wire.request(i, "ping")
  end
  block = table.concat(block)
  for _ = 1, 40 do
    c:send(block)
    world:frame()
  end
  local unread = -c.read
  for _, piece in ipairs(c.inbox) do
    unread = unread + #piece
  end
  t.is_true(unread > 20 * #block, "it has been read ahead of what was run: " .. unread .. " of " .. 40 * #block .. " bytes are left")
end)

--- What a run allocates, in KB: without garbage collection.
local function allocated(run)
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  local ok, problem = pcall(run)
  local after = collectgarbage("count")
  collectgarbage("restart")
  t.is_true(ok, problem)
  return after - before
end

t.test("an upload that comes byte by byte is not copied for each byte", function(world)
  local c = world:connect()
  c:send("core.loadStateBuffer,[" .. ("00,"):rep(100000))
  world:frame(2)
  local plain = allocated(function() world:frame(1000) end)
  local kilobytes = allocated(function()
    for i = 1, 1000 do
      c:send(i % 2 == 0 and ">" or "0")
      world:frame()
    end
  end) - plain
  t.is_true(kilobytes < 8000, ("%.0f KB were allocated for 1,000 bytes"):format(kilobytes))
  c:send("]<|EN")
  world:frame()
  c:send("D|>")
  t.equal(c:next().head, "<|ERROR|>")
  c:send("core.platform,,,<|END|>")
  t.equal(c:next().head, "0")
end)

t.test("long spellings of locations are not remembered", function(world)
  local c = world:connect()
  t.ok(c:call("ping"))
  collectgarbage()
  local before = collectgarbage("count")
  for i = 1, 200 do
    t.ok(c:call("memory.read8 " .. ("0"):rep(50000) .. 33554432 + i))
  end
  collectgarbage()
  local kilobytes = collectgarbage("count") - before
  t.is_true(kilobytes < 2000, ("%.0f KB are kept"):format(kilobytes))
end)
