-- No web page's tool, and the secret: nothing runs before it is proved.

local t = require("harness")
local wire = require("wire")

local REQUESTS <const> = {
  "POST / HTTP/1.1\r\nHost: 127.0.0.1:8888\r\nContent-Type: text/plain\r\n\r\n#1 keys.add A<|END|>",
    "GET /core.addKey,0,,<|END|>core.addKey,0,,<|END|> HTTP/1.1\r\n\r\n",
  "POST / HTTP/1.1\r\n\r\ncore.addKey,0,,<|END|>core.addKey,0,,<|END|>", "OPTIONS * HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>",
    "PUT /x HTTP/1.0\r\n\r\n<|END|>#1 keys.add A<|END|>",
  "PROPFIND / HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>", "get / HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>",
    "M-SEARCH * HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>",
  "\r\nPOST / HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n<|END|>#1 keys.add A<|END|>",
    "\22\3\1\2\0\1\0\1\252\3\3<|END|>#1 keys.add A<|END|>",
  "CONNECT 127.0.0.1:8888 HTTP/1.1\r\n\r\n<|END|>#1 keys.add A<|END|>",
}

for i, text in ipairs(REQUESTS) do
  t.test(("%q in one piece, in bytes and in random cuts: closed, nothing runs, HTTP is answered"):format(text:gsub("[^ -~]", "."):sub(1, 16)), function(world)
    for mode = 1, 3 do
      local c = world:connect()
      if mode == 1 then
        c:send(text)
      else
        local at = 1
        while at <= #text and not c.closed_by_script and #c.outbox == 0 do
          local size = mode == 2 and 1 or math.random(1, 12)
          c:send(text:sub(at, at + size - 1))
          at = at + size
          world:frame()
        end
      end
      world:frame(130)
      t.is_true(c.closed_by_script, "request " .. i .. " in mode " .. mode .. " is still connected")
      local said = c:take()
      local length, body = said:match("^HTTP/1%.1 421 .*\r\nContent%-Length: (%d+)\r\n.*\r\n\r\n(.*)$")
      if text:byte() == 22 then
        t.equal(said, "", "what was said to TLS")
      else
        t.equal(#body, tonumber(length), "the length of the answer")
        t.matches(body, "8888 .* mgba%-bridge serves HTTP, usually at http://127%.0%.0%.1:5000")
      end
    end
    t.equal(world.core.keys, 0, "keys")
    t.equal(world.edges[0], nil, "presses of A")
    t.ok(world:connect():call("ping"))
  end)
end

t.test("a request line split in bytes is refused as soon as it is recognised, without what follows it", function(world)
  local c = world:connect()
  for ch in ("POST /"):gmatch(".") do
    c:send(ch)
    world:frame()
  end
  world:frame(130)
  t.is_true(c.closed_by_script)
end)

t.test("messages that only look like HTTP are not refused", function(world)
  local c = world:connect()
  for _, head in ipairs({ "echo HTTP/1.1", 'console.log "GET / HTTP/1.1"', 'echo "POST / HTTP/1.1"' }) do
    local message = wire.request(1, head)
    for i = 1, #message do
      c:send(message:sub(i, i))
      world:frame()
    end
    t.ok(c:next())
  end
end)

local PASSWORD <const> = "let me in, please \xc3\xa9"
local SECRET <const> = { environment = { MGBA_BRIDGE_SECRET = PASSWORD } }
local OURS <const> = ("0123456789abcdef"):rep(2)

--- Sends the first hello. Returns both challenges.
local function challenge(client, session)
  local refusal = client:call("hello 3 challenge=" .. OURS .. (session and " session=" .. session or ""))
  t.refused(refusal, "auth-required", "proof=")
  return { client = OURS, script = refusal.named.challenge }
end

local function prove(client, challenges, session, role)
  return client:call("hello 3" .. (session and " session=" .. session or "") .. " proof=" .. wire.proof(role or "client", PASSWORD, challenges, session))
end

local function authenticated(world)
  local c = world:connect()
  t.ok(prove(c, challenge(c)))
  return c
end

t.test("with a secret: challenges, both proofs, and then everything works", SECRET, function(world)
  local c = world:connect()
  local challenges = challenge(c, "s")
  t.matches(challenges.script, "^%x+$")
  t.equal(#challenges.script, 32)
  local reply = prove(c, challenges, "s")
  t.ok(reply)
  t.equal(reply.named.proof, wire.proof("script", PASSWORD, challenges, "s"), "the script's own proof")
  t.ok(c:call("memory.write8 0x02001000 1"))
  t.equal(t.ok(c:call("hello 3 session=s")).named.proof, nil, "a later hello proves nothing")
end)

t.test("without a secret a challenge is ignored and nothing is proved", function(world)
  local reply = t.ok(world:connect():call("hello 3 challenge=" .. OURS))
  t.equal(reply.named.proof, nil)
end)

t.test("before the proof nothing runs: every command, and the old dialect", SECRET, function(world)
  local c = world:connect()
  for _, head in ipairs({ "ping", "status", "memory.read8 0x02000000", "memory.write8 0x02001000 1", "keys.add A", "game.reset", "game.get", "commands",
    "cancel 1", "echo x", "console.log x", "hello 3" }) do
    t.refused(c:call(head), "auth-required")
  end
  c:send("core.addKey,0,,<|END|>")
  t.refused(c:next(), "auth-required", "mGBA%-http")
  t.equal(world.core.keys, 0)
  t.equal(world.core.bytes[0x02001000], nil)
  t.equal(world.resets, 0)
end)

t.test("the old dialect stays off after the proof", SECRET, function(world)
  local c = authenticated(world)
  c:send("core.addKey,0,,<|END|>")
  t.refused(c:next(), "auth-required")
  t.equal(world.core.keys, 0)
end)

t.test("a wrong proof: auth-failed, closed, and nothing behind it runs", SECRET, function(world)
  for _, proof in ipairs({ ("0"):rep(64), "x", '""', ("f"):rep(63) }) do
    local c = world:connect()
    local challenges = challenge(c)
    c:send(wire.request(5, "hello 3 proof=" .. proof) .. wire.request(6, "keys.add A") .. wire.request(7, "hello 3 proof="
      .. wire.proof("client", PASSWORD, challenges)) .. wire.request(8, "keys.add A"))
    t.refused(c:next(), "auth-failed", "MGBA_BRIDGE_SECRET")
    world:frame(130)
    t.is_true(c.closed_by_script)
    t.equal(c:take(), "", "what was said after the refusal")
    t.equal(world.core.keys, 0)
  end
end)

t.test("a proof is bound to its connection, its role, its session and both challenges", SECRET, function(world)
  local c, d = world:connect(), world:connect()
  local challenges, others = challenge(c), challenge(d)
  t.is_true(challenges.script ~= others.script, "two connections have the same challenge")
  t.refused(prove(d, challenges), "auth-failed")
  t.refused(prove(c, challenges, nil, "script"), "auth-failed") -- what the script itself would send: reflected
  local e, f, g = world:connect(), world:connect(), world:connect()
  t.refused(e:call("hello 3 session=b proof=" .. wire.proof("client", PASSWORD, challenge(e, "a"), "a")), "auth-failed")
  t.refused(prove(f, { client = OURS:reverse(), script = challenge(f).script }), "auth-failed")
  local own = challenge(g) -- the script's challenge sent back as the client's
  t.refused(g:call("hello 3 challenge=" .. own.script .. " proof=" .. wire.proof("client", PASSWORD, { client = own.script, script = own.script })),
    "auth-failed")
end)

t.test("an older client without a challenge gets a request to update", SECRET, function(world)
  local c = world:connect()
  local refusal = c:call("hello 3 session=s")
  t.refused(refusal, "auth-required")
  t.equal(refusal.named.challenge, nil)
  t.refused(c:call("hello 3 session=s proof=" .. wire.hmac(PASSWORD, "")), "version", "update the client")
  world:frame(130)
  t.is_true(c.closed_by_script)
end)

t.test("a connection gets one challenge", SECRET, function(world)
  local c = world:connect()
  challenge(c)
  t.refused(c:call("hello 3 challenge=" .. OURS), "auth-failed", "one challenge")
  world:frame(130)
  t.is_true(c.closed_by_script)
  for _, bad in ipairs({ '""', ("0"):rep(31), ("0"):rep(65), ("x"):rep(32) }) do
    t.refused(world:connect():call("hello 3 challenge=" .. bad), "bad-argument", "32 to 64")
  end
end)

t.test("wrong proofs are limited to 16 a second, and a right one comes through", SECRET, function(world)
  local attackers = {}
  for i = 1, 40 do
    attackers[i] = world:connect()
    challenge(attackers[i])
  end
  local c = world:connect()
  local challenges = challenge(c)
  world:frame(math.ceil((1000000 - world.now % 1000000) / 16743)) -- the next second begins
  for _, attacker in ipairs(attackers) do
    attacker:send(wire.request(9, "hello 3 proof=" .. ("0"):rep(64)))
  end
  world:frame(2)
  local refused = 0
  for _, attacker in ipairs(attackers) do
    refused = refused + (attacker:take():find("auth-failed", 1, true) and 1 or 0)
  end
  t.equal(refused, 16, "attempts in one second")
  t.ok(prove(c, challenges))
end)

t.test("before authentication: heads of 4 KB, no tails, four requests, no cancels, closed after 5 seconds", SECRET, function(world)
  local c, d, e, f = world:connect(), world:connect(), world:connect(), world:connect()
  c:send("#1 hello 3 client=" .. ("x"):rep(4200))
  world:frame(2)
  t.refused(c:next(), "head-too-long", "4096")
  d:send("#1 hello 3 client=" .. ("x"):rep(4200) .. "<|END|>")
  t.refused(d:next(), "head-too-long", "4096")
  e:send("#1+1 echo<|END|>")
  t.refused(e:next(), "tail-too-long", "before authentication")
  for id = 1, 2000 do
    f:send(wire.request(id, "cancel " .. id))
  end
  world:frame(560)
  t.is_true(c.closed_by_script and d.closed_by_script and e.closed_by_script and f.closed_by_script)
  t.is_true(not f:take():find("cancelled", 1, true))
  local g = authenticated(world)
  world:frame(560)
  t.ok(g:call("echo", ("x"):rep(5000)))
end)

t.test("a slow or silent client is closed after 5 seconds, also after requesting a challenge", SECRET, function(world)
  local silent, trickling, asking = world:connect(), world:connect(), world:connect()
  challenge(asking)
  for _ = 1, 240 do
    trickling:send("#")
    world:frame()
  end
  t.is_true(not (silent.closed_by_script or asking.closed_by_script), "closed within 4 seconds")
  world:frame(320)
  t.is_true(silent.closed_by_script and trickling.closed_by_script and asking.closed_by_script, "open after 9 seconds")
  t.matches(silent:take(), "auth%-required \"the secret was not proved within 5 seconds")
end)

t.test("clients that have not proved the secret cannot take all places", SECRET, function(world)
  local before = authenticated(world)
  local crowd = {}
  for i = 1, 400 do
    crowd[i] = world:connect()
  end
  world:frame()
  t.matches(crowd[101]:take(), "too%-many%-connections \"100 connections have not proved")
  t.is_true(crowd[400].closed_by_script, "the last one waits to read why")
  t.is_true(t.ok(before:call("status")).named.connections <= 141, "places taken")
  world:frame(500)
  t.ok(before:call("ping"))
  authenticated(world)
end)

t.test("the secret is never written anywhere", SECRET, function(world)
  local c = world:connect()
  c:call("hello 3 proof=x")
  c = world:connect()
  challenge(c)
  c:call("hello 3 proof=x")
  for _, level in ipairs({ "log", "warn", "error" }) do
    for _, line in ipairs(world.console[level]) do
      t.is_true(not line:find("let me in", 1, true), line)
    end
  end
end)

for _, short in ipairs({ "q", "fifteen letters", ("\xc3\xa9"):rep(15) }) do
  t.test(("a secret of %d bytes and less than 16 characters is refused"):format(#short),
    { environment = { MGBA_BRIDGE_SECRET = short }, load = false }, function(world)
    local ok, problem = world:load()
    t.is_true(not ok)
    t.matches(problem, "MGBA_BRIDGE_SECRET has %d+ characters; use at least 16")
    t.is_true(not problem:find(short .. " ", 1, true), "the secret in the message")
  end)
end

--- The script's HMAC compared with another implementation, for secrets and lengths around SHA-256's block.
for _, length in ipairs({ 16, 20, 31, 55, 56, 63, 64, 65, 119, 128, 131, 200 }) do
  local secret = ("\xaa\x01k"):rep(70):sub(1, length)
  t.test("HMAC-SHA-256 with a secret of " .. length .. " bytes", { environment = { MGBA_BRIDGE_SECRET = secret } }, function(world)
    local c = world:connect()
    t.ok(c:call("hello 3 proof=" .. wire.proof("client", secret, challenge(c))))
  end)
end

t.test("without /dev/urandom nonce, epoch and challenge still differ", { environment = { MGBA_BRIDGE_SECRET = PASSWORD }, load = false }, function(world)
  world.no_random = true
  assert(world:load())
  local seen = {}
  for _ = 1, 20 do
    local text = challenge(world:connect()).script
    t.is_true(not seen[text], "the same challenge twice")
    seen[text] = true
  end
end)
