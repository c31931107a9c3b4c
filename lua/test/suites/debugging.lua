-- Breakpoints, watchpoints and a game that is halted.

local t = require("harness")

local HEADLESS <const> = { host = "headless", waits_for_all = true }
local HIT <const> = "1 134217736 0 0 0 0 0 0 0" -- kind, pc, bank, address, size, before, value, after, dma

--- The answer to a request, which events may precede.
local function answer(client, text)
  local message = client:call(text)
  while message.head:find("^!") do
    message = client:next()
  end
  return t.ok(message)
end

t.test("a point halts the game, and the halt ends with its owner", HEADLESS, function(world)
  local c, d = world:session("s"), world:session("t")
  local id = tonumber(answer(c, "debug.add execute 0x08000008").text)
  t.equal(world.points[id], "1 0x08000008 0x08000008 -1")
  world:hit(id, HIT)
  t.matches(answer(d, "debug.get").text, '^halt=1 reason="point" pc=%d+ bank=0 point=1 kind="execute" at=134217736 atbank=0 registers="')
  t.equal(answer(d, "status").named.machine, "halted")
  c:close()
  world:frame(600)
  t.equal(answer(d, "status").named.machine, "running", "its session is lost")
  t.equal(next(world.points), nil, "its points")
end)

t.test("owner.release ends the points and the halt of an owner", HEADLESS, function(world)
  local c = world:session("s")
  local id = tonumber(answer(c, "owner=guest debug.add write 0x02000000 length=16").text)
  answer(c, "owner=other debug.add read 0x08000010")
  world:hit(id, "4 134217736 0 33554432 4 1 2 2 0")
  t.matches(answer(c, "debug.get").text, "address=33554432 size=4 before=1 value=2 after=2 dma=false")
  t.ok(c:call("owner=guest owner.release"), "1")
  t.equal(world.halted, nil)
  t.matches(answer(c, "debug.list").text, '^2 "s" "read" 134217744 134217744 nil nil true 0$')
end)

t.test("a condition decides whether a point is hit", HEADLESS, function(world)
  local c = world:session("s")
  local id = tonumber(answer(c, 'debug.add execute 0x08000008 condition="u8 0x02000000 eq 5"').text)
  world:hit(id, HIT)
  t.equal(world.halted, nil)
  world.core.bytes[0x02000000] = 5
  world:hit(id, HIT)
  t.matches(world.halted, "^1 point ")
  answer(c, 'debug.add execute 0x0800000C condition="u8 0x02000000 eq 5" text="hp == 5"')
  t.matches(answer(c, "debug.list").text, '"u8 0x02000000 eq 5" true 1 2 .* "hp == 5" true 0$')
  t.refused(c:call('debug.add execute 0 condition="u32 register:r77 eq 1"'), "not-found", "r77")
  t.refused(c:call('debug.add execute 0 condition="r0"'), "bad-argument")
end)

t.test("a halt with seconds ends after them", HEADLESS, function(world)
  local c = world:session("s")
  answer(c, "debug.halt seconds=3")
  world:frame(120)
  t.is_true(world.halted, "too early")
  world:frame(600)
  t.equal(world.halted, nil)
end)

t.test("steps are answered when the game is halted again", HEADLESS, function(world)
  local c = world:session("s")
  t.refused(c:call("debug.step into"), "bad-argument", "debug.halt")
  answer(c, "debug.halt")
  t.matches(answer(c, "debug.step over").text, '^halt=2 reason="step" pc=134217732 ')
  t.refused(c:call("debug.step to"), "bad-argument", "address=")
  t.refused(c:call("debug.step into address=4"), "bad-argument", "address=")
  t.refused(c:call("debug.step aside"), "bad-argument", "into, out, over, to")
  t.ok(c:call("debug.continue"), "true")
  t.equal(world.halted, nil)
end)

t.test("a game goes back, and names who wrote", HEADLESS, function(world)
  local c = world:session("s")
  t.refused(c:call("debug.back step"), "bad-argument", "debug.halt")
  t.refused(c:call("debug.writers 0x02000000"), "not-running", "debug.keepHistory")
  t.matches(t.ok(c:call("debug.keepHistory 16")).text, "^megabytes=16 ")
  t.matches(answer(c, "debug.history").text, '^megabytes=16 bytes=0 .* past=false problem=""$')
  answer(c, "debug.halt")
  t.refused(c:call("debug.back aside"), "bad-argument", "frame, point or step")
  t.matches(answer(c, "debug.back step count=3").text, '^halt=2 reason="step"')
  t.matches(answer(c, "debug.writers 0x02000000 length=4").text, '^"game" %d+ 134217736 0 33554432 4 1 2$')
  t.refused(c:call("debug.writers 0x02000000 length=5000"), "bad-argument")
end)

t.test("a trace has what was executed, and says where to continue", HEADLESS, function(world)
  local c = world:session("s")
  t.refused(c:call("debug.trace call"), "not-running", "debug.keepHistory")
  t.ok(c:call("debug.keepHistory 16"))
  local text = answer(c, "debug.trace call,sound frame=5 number=2 count=7 first=0x08000000 last=0x08000100").text
  t.matches(text, '^%d+ 2 1 %d+ 0 77 3 "call" 134217736 0 134217800 0 0 0 "bl 0x08000048" %d+ 1 99 3 "sound" 134217736 0 67108960 2 7 1 ""$')
  t.matches(world.traced, "^66 134217728 134217984 %d+ 2 7$")
  t.ok(c:call("debug.trace instruction"))
  t.matches(world.traced, "^1 0 4294967295 %d+ 0 64$")
  for _, wrong in ipairs({ "aside", "call,", "call first=2 last=1", "call count=257", "call count=0" }) do
    t.refused(c:call("debug.trace " .. wrong), "bad-argument")
  end
end)

t.test("memory of the past is read from the history", HEADLESS, function(world)
  local c = world:session("s")
  t.refused(c:call("memory.gather 0x02000000 4 past=5"), "not-running", "debug.keepHistory")
  t.ok(c:call("debug.keepHistory 16"))
  t.equal(t.ok(c:call("memory.gather 0x02000000 4 wram:0x10 2 past=9999999")).tail, "pppppp")
  t.matches(world.past, "^%d+ wram 16 2$")
  t.refused(c:call("memory.gather 0x02000000 4 past=-1"), "bad-argument")
end)

t.test("the call stack is what the host finds", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(c:call("debug.backtrace count=1"), '"pc" 0 134217736 nil nil nil nil')
  t.ok(c:call("debug.backtrace"), '"pc" 0 134217736 nil nil nil nil "link" 0 134217800 134217796 0 134217728 nil')
  t.refused(c:call("debug.backtrace count=129"), "bad-argument", "1 to 128")
end)

t.test("hits that do not halt are reported together, and losses counted", HEADLESS, function(world)
  local c = world:session("s")
  local id = tonumber(answer(c, "debug.add execute 0x08000008 halts=false").text)
  answer(c, 'watch "h" hits')
  world:hit(id, HIT)
  world:hit(id, HIT)
  world:frame()
  local event = c:next()
  t.matches(event.head, 'watch "h" hits count=2 lost=0$')
  t.matches(event.tail, "^1 1 134217736 0 0 0 0 0 0 0 %d+\n1 1 134217736 0 0 0 0 0 0 0 %d+$")
  for _ = 1, 5000 do
    world:hit(id, HIT)
  end
  world:frame()
  t.matches(c:next().head, 'watch "h" hits count=5002 lost=0 dropped=904$')
  t.equal(world.halted, nil)
end)

t.test("a window has no debugger", {}, function(world)
  local c = world:session("s")
  t.refused(c:call("debug.halt"), "unsupported", "mgba%-headless")
  t.refused(c:call("debug.add execute 0"), "unsupported", "mgba%-headless")
end)

t.test("points are limited, and end with the game", HEADLESS, function(world)
  local c = world:session("s")
  for i = 1, 1024 do
    answer(c, "debug.add execute " .. i)
  end
  t.refused(c:call("debug.add execute 0"), "busy", "1024")
  t.ok(c:call("debug.remove 3"), "1")
  t.ok(c:call("debug.remove 3"), "0")
  t.ok(c:call("holder=other debug.remove"), "0")
  t.ok(c:call("debug.remove"), "1023")
end)
