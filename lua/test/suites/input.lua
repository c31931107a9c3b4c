-- The input engine: the game sees every edge, a tap ends no other holder's hold, nothing sticks.

local t = require("harness")

--- The downs and ups of one key as { down, up } in the host's frames; an open one has no up.
local function presses(world, key)
  local list = {}
  for _, event in ipairs(world.key_log) do
    if event.key == key then
      if event.kind == "down" then
        list[#list + 1] = { down = event.frame }
      else
        list[#list].up = event.frame
      end
    end
  end
  return list
end

t.test("a tap is down for exactly the frames in its reply", function(world)
  local c = world:connect()
  local named = t.ok(c:call("keys.tap A frames=3")).named
  world:frame(10)
  local press = presses(world, 0)[1]
  t.equal(press.down, named.down, "down")
  t.equal(press.up, named.up, "up")
  t.equal(press.up - press.down, 3)
end)

t.test("defaults: 4 frames down, 2 up", function(world)
  local c = world:connect()
  local one = t.ok(c:call("keys.tap A")).named
  local two = t.ok(c:call("keys.tap A")).named
  t.equal(one.up - one.down, 4)
  t.equal(two.down - one.up, 2)
end)

t.test("taps of one key queue with their gaps, in the frames of their replies", function(world)
  local c, replies = world:connect(), {}
  for i = 1, 50 do
    c:request(("keys.tap A frames=%d gap=%d"):format(i % 5 + 1, i % 3 + 1))
  end
  for i = 1, 50 do
    replies[i] = t.ok(c:next()).named
  end
  world:frame(500)
  local list = presses(world, 0)
  t.equal(#list, 50, "presses")
  for i, press in ipairs(list) do
    t.equal(press.down, replies[i].down, "down of " .. i)
    t.equal(press.up, replies[i].up, "up of " .. i)
  end
end)

t.test("keys do not wait for each other, chords wait for all of theirs", function(world)
  local c = world:connect()
  local a = t.ok(c:call("keys.tap A frames=20")).named
  local b = t.ok(c:call("keys.tap B")).named
  t.equal(b.down, a.down + 1, "B goes down at its request")
  local chord = t.ok(c:call("keys.tap A B")).named
  t.equal(chord.down, a.up + 2)
  world:frame(60)
  t.equal(presses(world, 0)[2].down, presses(world, 1)[2].down, "both together")
end)

t.test("1,000 taps from 10 clients over all keys: 1,000 edges, in order", function(world)
  local clients = {}
  for i = 1, 10 do
    clients[i] = world:session("s" .. i)
  end
  for i = 0, 999 do
    clients[i % 10 + 1]:request(("keys.tap %d frames=%d gap=1"):format(math.random(0, 9), math.random(1, 3)))
  end
  for _, c in ipairs(clients) do
    for _ = 1, 100 do
      t.ok(c:next())
    end
  end
  world:frame(1500)
  local count = 0
  for key = 0, 9 do
    count = count + (world.edges[key] or 0)
  end
  t.equal(count, 1000, "edges")
  t.equal(world.core.keys, 0)
end)

t.test("a key added and cleared in one frame is down for one", function(world)
  local c = world:connect()
  c:send("#1 keys.add A<|END|>#2 keys.clear A<|END|>")
  world:frame(5)
  local press = presses(world, 0)[1]
  t.equal(press.up - press.down, 1)
end)

t.test("a key cleared and added in one frame is up for one", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add A"))
  world:frame(5)
  c:send("#10 keys.clear A<|END|>#11 keys.add A<|END|>")
  world:frame(5)
  local list = presses(world, 0)
  t.equal(#list, 2, "presses")
  t.equal(list[2].down - list[1].up, 1, "frames up")
  t.equal(list[2].up, nil)
end)

t.test("cleared, added and cleared in one frame: up, one frame down, up", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add A"))
  world:frame(5)
  c:send("#10 keys.clear A<|END|>#11 keys.add A<|END|>#12 keys.clear A<|END|>")
  world:frame(8)
  local list = presses(world, 0)
  t.equal(#list, 2, "presses")
  t.equal(list[2].up - list[2].down, 1)
end)

t.test("the same with keys.set", function(world)
  local c = world:connect()
  c:send("#1 keys.set 3<|END|>#2 keys.set 0<|END|>#3 keys.set 3<|END|>")
  world:frame(8)
  t.equal(#presses(world, 0), 2)
  t.equal(#presses(world, 1), 2)
  t.equal(world.core.keys, 3)
end)

t.test("a tap does not end a hold, a hold does not end a tap", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add B"))
  t.ok(c:call("keys.tap B"))
  world:frame(20)
  t.equal(#presses(world, 1), 1)
  t.equal(world.core.keys, 2)
  t.ok(c:call("keys.clear B"))
  world:frame(2)
  t.equal(world.core.keys, 0)
  t.ok(c:call("keys.tap B frames=10"))
  t.ok(c:call("keys.add B"))
  t.ok(c:call("keys.clear B"))
  world:frame(3)
  t.equal(world.core.keys, 2, "the tap continues")
  world:frame(20)
  t.equal(world.core.keys, 0)
end)

t.test("hold B, tap B, release in the middle of the tap", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add B"))
  world:frame(3)
  local tap = t.ok(c:call("keys.tap B frames=6")).named
  t.ok(c:call("keys.release"))
  world:frame(20)
  local list = presses(world, 1)
  t.equal(#list, 1)
  t.equal(list[1].up, tap.up)
end)

t.test("holders are a set: down while any holds, adding twice is once", function(world)
  local c = world:connect()
  t.ok(c:call("holder=x keys.add A"))
  t.ok(c:call("holder=x keys.add A"))
  t.ok(c:call("holder=y keys.add A+B"))
  t.ok(c:call("holder=x keys.clear A"))
  world:frame(2)
  t.equal(world.core.keys, 3)
  t.ok(c:call("holder=x keys.clear A"))
  t.ok(c:call("holder=y keys.set 2"))
  world:frame(2)
  t.equal(world.core.keys, 2)
  t.matches(c:call("keys.get").text, '^mask=2 "y" "B"$')
end)

t.test("keys.release takes one holder's levels and queued taps, and no others", function(world)
  local c = world:session("s")
  t.ok(c:call("holder=x keys.add A+B"))
  t.ok(c:call("holder=y keys.add B"))
  for _ = 1, 5 do
    t.ok(c:call("holder=x keys.tap Up frames=50"))
    t.ok(c:call("holder=y keys.tap Down frames=10"))
  end
  t.ok(c:call("holder=x keys.release"), "2")
  world:frame(400)
  t.equal(world.core.keys, 2)
  t.equal(#presses(world, 6), 1, "presses of Up: the one that had begun")
  t.equal(#presses(world, 7), 5, "presses of Down")
end)

t.test("keys.release without a session leaves mGBA-http's taps alone", function(world)
  local c, d = world:connect(), world:connect()
  c:send(("mgba-http.button.tap,A,,<|END|>"):rep(3))
  world:frame(2)
  t.ok(d:call("keys.release"), "0")
  world:frame(80)
  t.equal(#presses(world, 0), 3)
end)

t.test("after a release the key is free at once", function(world)
  local c = world:session("s")
  for _ = 1, 20 do
    t.ok(c:call("keys.tap A frames=100"))
  end
  t.ok(c:call("keys.release"))
  local running = presses(world, 0)[1].down + 100
  t.is_true(t.ok(c:call("keys.tap A")).named.down <= running + 2, "it waits for taps that were dropped")
end)

t.test("keys set by others are not changed", function(world)
  local c = world:connect()
  world.core.keys = 64
  t.ok(c:call("keys.tap A"))
  t.ok(c:call("keys.add B"))
  t.ok(c:call("keys.clear B"))
  t.ok(c:call("keys.release"))
  world:frame(20)
  t.equal(world.core.keys, 64)
  t.matches(c:call("keys.get").text, "^mask=64$")
end)

t.test("frames are counted by us: reset, load-state and a frozen core counter stick nothing", function(world)
  local c = world:connect()
  local state = t.ok(c:call("state.get")).tail
  t.ok(c:call("keys.tap A frames=6"))
  t.ok(c:call("state.load", state))
  world:frame(2)
  t.ok(c:call("game.reset"))
  world.core.frame = 0
  world:frame(20)
  t.equal(world.core.keys, 0)
  t.equal(#presses(world, 0), 1)
end)

t.test("keys the host drops (its own updateKeys) are pressed again next frame", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add A"))
  world.core.keys = 0
  world:frame(1)
  t.equal(world.core.keys, 1)
end)

t.test("1,024 taps may wait on a key, then busy", function(world)
  local c = world:session("s")
  local busy = 0
  for i = 1, 1100 do
    c:request("ack=" .. (c.last_id or 1) - 1 + 1 .. " keys.tap A frames=36000")
    if i % 50 == 0 then
      for _ = 1, 50 do
        local reply = c:next()
        busy = busy + (reply.code == "busy" and 1 or 0)
      end
    end
  end
  t.equal(busy, 1100 - 1024)
  t.ok(c:call("keys.release"))
  t.ok(c:call("keys.tap B"))
end)

t.test("256 holders may have keys down, then busy; one that releases its keys makes room", function(world)
  local c = world:connect()
  local long = ("n"):rep(60)
  for i = 1, 256 do
    t.ok(c:call(("holder=%s%04d keys.add A+B"):format(long, i)))
  end
  t.refused(c:call("holder=late keys.add A"), "busy", "256 holders")
  t.refused(c:call("holder=late keys.set 1"), "busy", "256")
  t.ok(c:call(("holder=%s0001 keys.set 3"):format(long)))
  t.ok(c:call("holder=late keys.set 0"))
  t.ok(c:call("holder=late keys.tap Up"))
  c:send("core.addKey,2,,<|END|>")
  t.equal(c:next().head, "<|SUCCESS|>", "the dialect's one holder")
  t.is_true(#t.ok(c:call("keys.get")).head < 65536, "the reply fits a head")
  t.ok(c:call(("holder=%s0007 keys.clear A+B"):format(long)))
  t.refused(c:call("holder=late keys.add A"), "busy")
  t.ok(c:call(("holder=%s0008 keys.release"):format(long)))
  t.ok(c:call("holder=late keys.add A"))
end)

t.test("presses that wait behind others are bounded: keys pressed and released faster than the game sees them", function(world)
  local c = world:connect()
  local busy = 0
  for _ = 1, 15 do
    for _ = 1, 100 do
      c:request("keys.add A")
      c:request("keys.clear A")
    end
    for _ = 1, 200 do
      busy = busy + (c:next().code == "busy" and 1 or 0)
    end
  end
  t.is_true(busy > 0, "none was refused")
  t.ok(c:call("keys.tap B"))
end)

t.test("the same key twice in a chord is once", function(world)
  local c = world:connect()
  t.ok(c:call("keys.tap A a 0"))
  world:frame(10)
  t.equal(#presses(world, 0), 1)
end)

t.test("keys.get returns what mGBA sees", function(world)
  local c = world:connect()
  t.ok(c:call("keys.add Start"))
  t.matches(c:call("keys.get").text, "^mask=8 ")
end)

t.test("wait=true answers when the key is up", function(world)
  local c = world:connect()
  local reply = t.ok(c:call("keys.tap A frames=5 wait=true"))
  t.equal(reply.frame, reply.named.up)
  t.equal(world.core.keys, 0)
end)

t.test("wait=true answers a change of levels when the keys show it, which is at once for most", function(world)
  local c = world:connect()
  local add = t.ok(c:call("keys.add 16 wait=true"))
  t.equal(world.core.keys, 16)
  local set = t.ok(c:call("keys.set 9 wait=true")) -- in the same frame: the game is to see both
  t.equal(world.core.keys, 9)
  t.is_true(set.frame > add.frame)
  world:frame(5)
  local before = t.ok(c:call("ping")).frame
  local clear = t.ok(c:call("keys.clear 9 wait=true"))
  t.equal(world.core.keys, 0)
  t.is_true(clear.frame <= before + 1)
end)

t.test("a game that closes takes its keys with it, the next one starts with none", function(world)
  local c = world:session("s")
  t.ok(c:call("keys.add A"))
  t.ok(c:call("keys.tap B frames=500"))
  world:close_game()
  world:open_game("gba", { title = "OTHER" })
  world:frame(10)
  t.equal(world.core.keys, 0)
end)

t.test("a Game Boy has no R and L: a mask with them is refused, not shortened", { platform = "gb" }, function(world)
  local c = world:connect()
  for _, head in ipairs({ "keys.set 256", "keys.add 513" }) do
    t.refused(c:call(head), "bad-key", "Game Boy")
  end
  t.equal(world.core.keys, 0)
  t.ok(c:call("keys.set 255"))
  t.ok(c:call("keys.clear 1023"))
  t.ok(c:call("holder=compat keys.set 1023"))
end)

t.test("another ROM in the same core: keys held for the old one are released", { environment = { MGBA_BRIDGE_FOLDERS = "/games" } }, function(world)
  world.files["/games/other.gba"] = { platform = "gba", title = "OTHER", code = "AGB-OTHR", crc32 = 7 }
  local c = world:session("s")
  t.ok(c:call("keys.add A"))
  t.ok(c:call("rom.load /games/other.gba"))
  world:frame(2)
  t.equal(world.core.keys, 0)
end)

t.test("a wait for a tap that a game change ended is answered", function(world)
  local c = world:session("s")
  local id = c:request("keys.tap B frames=500 wait=true")
  world:frame(2)
  world:close_game()
  world:open_game("gba", { title = "OTHER" })
  local reply = c:next()
  while reply and reply.kind == "event" do
    reply = c:next()
  end
  t.equal(reply.id, id)
  t.refused(reply, "cancelled", "game")
end)

t.test("taps that were accepted come, though their client without a session has gone", function(world)
  local c = world:connect()
  c:send(("#1 keys.tap A<|END|>"):rep(5) .. '#2 keys.sequence "B 2, wait 3, B 2"<|END|>')
  c:half_close()
  world:frame(60)
  t.is_true(c.closed_by_script)
  t.equal(#presses(world, 0), 5)
  t.equal(#presses(world, 1), 2)
  t.equal(world.core.keys, 0)
end)

t.test("waiting=shorten: 15 presses a second are each seen, a press that would wait longer joins the last that waits", function(world)
  local c = world:connect()
  local sent, joined, most = 0, 0, 0
  for frame = 1, 300 do
    if frame % 5 < 2 then
      local named = t.ok(c:call("keys.tap A frames=15 waiting=shorten")).named
      sent, joined, most = sent + 1, joined + (named.joined and 1 or 0), math.max(most, named.lag)
    else
      world:frame(1)
    end
  end
  world:frame(100)
  t.is_true(joined > 0, "none had to join")
  t.equal(#presses(world, 0), sent - joined, "presses of A, of " .. sent)
  t.is_true(most <= 24, most .. " frames behind")
  for i, press in ipairs(presses(world, 0)) do
    t.is_true(press.up - press.down >= 3, "press " .. i .. " is too short")
  end
end)

t.test("waiting=shorten: who joined gets the frames of the press, and takes it back only with the others", function(world)
  local c = world:session("s")
  local ids = {}
  for i = 1, 9 do
    ids[i] = c:request("keys.tap A frames=10 wait=true waiting=shorten")
  end
  c:send("#900 cancel " .. ids[9] .. "<|END|>")
  local named, joined = {}, 0
  for _ = 1, 60 do
    world:frame(1)
  end
  for _ = 1, 10 do
    local reply = c:next()
    if reply.id == ids[9] then
      t.refused(reply, "cancelled")
    elseif reply.id ~= 900 then
      named[reply.id] = t.ok(reply).named
      t.equal(reply.frame, reply.named.up)
      joined = joined + (reply.named.joined and 1 or 0)
    end
  end
  t.equal(joined, 1, "joined the seventh")
  t.equal(named[ids[8]].down, named[ids[7]].down)
  t.equal(#presses(world, 0), 7, "presses")
end)

t.test("waiting=shorten shortens the pressed key only, and no press of another holder", function(world)
  local c = world:connect()
  local long = t.ok(c:call("holder=x keys.tap B frames=40")).named
  t.ok(c:call("holder=x keys.tap A Up frames=60"))
  local b = t.ok(c:call("holder=y keys.tap B waiting=shorten")).named
  local a = t.ok(c:call("holder=x keys.tap A waiting=shorten")).named
  t.equal(b.down, long.up + 2, "behind the other holder's press")
  world:frame(100)
  t.equal(presses(world, 6)[1].up - presses(world, 6)[1].down, 60, "Up")
  t.equal(presses(world, 0)[1].up, a.down - 1, "the first press of A")
end)

t.test("waiting=replace takes the place of what waits, whose callers get cancelled", function(world)
  local c = world:session("s")
  t.ok(c:call("keys.tap A frames=60"))
  local dropped = c:request("keys.tap A B frames=30 wait=true")
  local other = c:request("holder=y keys.tap B frames=5 wait=true")
  world:frame(2)
  local named = t.ok(c:call("keys.tap A waiting=replace")).named
  t.refused(c:next(), "cancelled", "replace")
  t.is_true(named.lag <= 4, named.lag .. " frames behind")
  world:frame(120)
  t.equal(c:next().id, other)
  t.equal(#presses(world, 0), 2, "presses of A")
  t.equal(#presses(world, 1), 1, "presses of B: the other holder's")
  t.is_true(dropped)
end)

t.test("a sequence with waiting=shorten follows at once and keeps its own frames", function(world)
  local c = world:connect()
  t.ok(c:call("keys.tap A frames=100"))
  world:frame(10)
  local named = t.ok(c:call('keys.sequence "A 4, A 20, wait 5, A 2" waiting=shorten')).named
  t.is_true(named.lag <= 1, named.lag .. " frames behind")
  world:frame(80)
  local list = presses(world, 0)
  t.equal(#list, 4)
  t.equal(list[2].up - list[2].down, 4)
  t.equal(list[3].up - list[3].down, 20)
  t.equal(list[4].up, named.up)
  t.refused(c:call("keys.tap A waiting=never"), "bad-argument", "queue, shorten or replace")
end)

t.test("a press of a key that is held already says that the game saw none", function(world)
  local c = world:connect()
  t.ok(c:call("holder=other keys.add A"))
  world:frame(2)
  local now = t.ok(c:call("keys.tap A B")).named
  t.equal(now.unseen, 1, "of a press that has begun")
  t.equal(now.missed, 1)
  local later = t.ok(c:call('keys.sequence "A 3, wait 2, A 3, B 2" wait=true')).named
  t.equal(later.unseen, 1, "of a sequence")
  t.equal(later.missed, 2)
  local id = c:request("keys.tap A frames=2 wait=true")
  t.ok(c:call("holder=other keys.clear A"))
  t.equal(t.ok(c:next()).id, id)
  world:frame(10)
  t.equal(t.ok(c:call("keys.tap A wait=true")).named.unseen, nil, "of a free key")
  world.core.keys = 2
  world:frame(1)
  t.equal(t.ok(c:call("keys.tap B wait=true")).named.unseen, 2, "of a key that the player holds")
end)

t.test("keys added and tapped in one frame are one press that the game sees", function(world)
  local c = world:connect()
  c:send("#1 keys.add A<|END|>#2 keys.tap A wait=true<|END|>")
  t.ok(c:next())
  t.equal(t.ok(c:next()).named.unseen, nil)
end)

t.test("a press whose keys were released before it began is cancelled, not done", function(world)
  local c = world:session("s")
  t.ok(c:call("keys.tap A frames=30"))
  c:request("keys.tap A wait=true")
  t.ok(c:call("keys.release"), "0")
  t.refused(c:next(), "cancelled", "released")
end)
