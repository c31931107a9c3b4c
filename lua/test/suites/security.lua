-- No web page's tool, and the secret: nothing runs before it is proved.

local t = require("harness")
local wire = require("wire")

local REQUESTS <const> = {
  "POST / HTTP/1.1\r\nHost: 127.0.0.1:8888\r\nContent-Type: text/plain\r\n\r\n#1 key.add A<|END|>",
    "GET /core.addKey,0,,<|END|>core.addKey,0,,<|END|> HTTP/1.1\r\n\r\n",
  "POST / HTTP/1.1\r\n\r\ncore.addKey,0,,<|END|>core.addKey,0,,<|END|>", "OPTIONS * HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>",
    "PUT /x HTTP/1.0\r\n\r\n<|END|>#1 key.add A<|END|>",
  "PROPFIND / HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>", "get / HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>",
    "M-SEARCH * HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>",
  "\r\nPOST / HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n<|END|>#1 key.add A<|END|>",
    "\22\3\1\2\0\1\0\1\252\3\3<|END|>#1 key.add A<|END|>",
  "CONNECT 127.0.0.1:8888 HTTP/1.1\r\n\r\n<|END|>#1 key.add A<|END|>",
}

for i, text in ipairs(REQUESTS) do
  t.test(("%q in one piece, in bytes and in random cuts: closed, nothing runs, nothing is said"):format(text:gsub("[^ -~]", "."):sub(1, 20)), function(world)
    for mode = 1, 3 do
      local c = world:connect()
      if mode == 1 then
        c:send(text)
      else
        local at = 1
        while at <= #text and not c.closed_by_script do
          local size = mode == 2 and 1 or math.random(1, 12)
          c:send(text:sub(at, at + size - 1))
          at = at + size
          world:frame()
        end
      end
      world:frame(3)
      t.is_true(c.closed_by_script, "request " .. i .. " in mode " .. mode .. " is still connected")
      t.equal(c:take(), "", "what was said to it")
    end
    t.equal(world.core.keys, 0, "keys")
    t.equal(world.edges[0], nil, "presses of A")
    t.ok(world:connect():call("ping"))
  end)
end

t.test("a request line split in bytes is refused as soon as it can be told, with nothing behind it", function(world)
  local c = world:connect()
  for ch in ("POST /"):gmatch(".") do
    c:send(ch)
    world:frame()
  end
  world:frame(2)
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

local SECRET <const> = { environment = { MGBA_BRIDGE_SECRET = "let me in \xc3\xa9" } }

t.test("with a secret: challenge, proof, and then everything works", SECRET, function(world)
  local c = world:connect()
  local refusal = c:call("hello 2 session=s")
  t.refused(refusal, "auth-required")
  local challenge = refusal.named.challenge
  t.matches(challenge, "^%x+$")
  t.equal(#challenge, 32)
  t.ok(c:call("hello 2 session=s proof=" .. wire.hmac(SECRET.environment.MGBA_BRIDGE_SECRET, challenge)))
  t.ok(c:call("memory.write8 0x02001000 1"))
  t.ok(c:call("hello 2 session=s"))
end)

t.test("before the proof nothing runs: every command, and the old dialect", SECRET, function(world)
  local c = world:connect()
  for _, head in ipairs({ "ping", "status", "memory.read8 0x02000000", "memory.write8 0x02001000 1", "key.add A", "core.reset", "game", "commands",
    "cancel 1", "echo x", "console.log x" }) do
    t.refused(c:call(head), "auth-required")
  end
  c:send("core.addKey,0,,<|END|>")
  t.refused(c:next(), "auth-required", "mGBA%-http")
  t.equal(world.core.keys, 0)
  t.equal(world.core.bytes[0x02001000], nil)
  t.equal(world.resets, 0)
end)

t.test("the old dialect stays off after the proof", SECRET, function(world)
  local c = world:connect()
  local challenge = c:call("hello 2").named.challenge
  t.ok(c:call("hello 2 proof=" .. wire.hmac(SECRET.environment.MGBA_BRIDGE_SECRET, challenge)))
  c:send("core.addKey,0,,<|END|>")
  t.refused(c:next(), "auth-required")
  t.equal(world.core.keys, 0)
end)

t.test("a wrong proof: auth-failed, closed, and nothing behind it runs", SECRET, function(world)
  for _, proof in ipairs({ ("0"):rep(64), "x", '""', ("f"):rep(63) }) do
    local c = world:connect()
    local challenge = c:call("hello 2").named.challenge
    c:send(wire.request(5, "hello 2 proof=" .. proof) .. wire.request(6, "key.add A") .. wire.request(7, "hello 2 proof="
      .. wire.hmac(SECRET.environment.MGBA_BRIDGE_SECRET, challenge)) .. wire.request(8, "key.add A"))
    t.refused(c:next(), "auth-failed")
    world:frame(130)
    t.is_true(c.closed_by_script)
    t.equal(world.core.keys, 0)
  end
end)

t.test("a challenge is good once, and only on its own connection", SECRET, function(world)
  local c, d = world:connect(), world:connect()
  local challenge = c:call("hello 2").named.challenge
  local other = d:call("hello 2").named.challenge
  t.is_true(challenge ~= other, "two connections have the same challenge")
  t.refused(d:call("hello 2 proof=" .. wire.hmac(SECRET.environment.MGBA_BRIDGE_SECRET, challenge)), "auth-failed")
end)

t.test("a proof without a challenge only gets a challenge", SECRET, function(world)
  local c = world:connect()
  t.refused(c:call("hello 2 proof=" .. ("0"):rep(64)), "auth-required")
end)

t.test("the secret is never written anywhere", SECRET, function(world)
  local c = world:connect()
  c:call("hello 2 proof=x")
  c:call("hello 2 proof=x")
  for _, level in ipairs({ "log", "warn", "error" }) do
    for _, line in ipairs(world.console[level]) do
      t.is_true(not line:find("let me in", 1, true), line)
    end
  end
end)

--- The script's HMAC against somebody else's, for secrets and lengths around SHA-256's block.
for _, length in ipairs({ 1, 20, 31, 55, 56, 63, 64, 65, 119, 128, 131, 200 }) do
  local secret = ("\xaa\x01k"):rep(70):sub(1, length)
  t.test("HMAC-SHA-256 with a secret of " .. length .. " bytes", { environment = { MGBA_BRIDGE_SECRET = secret } }, function(world)
    local c = world:connect()
    local challenge = c:call("hello 2").named.challenge
    t.ok(c:call("hello 2 proof=" .. wire.hmac(secret, challenge)))
  end)
end

t.test("without /dev/urandom nonce, epoch and challenge still differ", { environment = { MGBA_BRIDGE_SECRET = "s" }, load = false }, function(world)
  world.no_random = true
  assert(world:load())
  local seen = {}
  for _ = 1, 20 do
    local challenge = world:connect():call("hello 2").named.challenge
    t.is_true(not seen[challenge], "the same challenge twice")
    seen[challenge] = true
  end
end)
