-- SHA-256, HMAC-SHA-256 and random numbers. mGBA offers none to scripts.

local state = require("base.state")

local byte, format, gsub, sub = string.byte, string.format, string.gsub, string.sub

local crypto = {}

--- The first 32 bits of the fractional part of the given root of each of the first `count` primes: SHA-2's constants.
local function root_fractions(count, exponent)
  local list, candidate = {}, 2
  while #list < count do
    local is_prime = true
    for divisor = 2, math.floor(candidate ^ 0.5) do
      is_prime = is_prime and candidate % divisor ~= 0
    end
    if is_prime then
      local root = candidate ^ exponent
      list[#list + 1] = math.floor((root - math.floor(root)) * 4294967296)
    end
    candidate = candidate + 1
  end
  return list
end

local SHA_INITIAL <const> = root_fractions(8, 1 / 2)
local SHA_ROUND <const> = root_fractions(64, 1 / 3)

local function rotate(x, n)
  return (x >> n | x << (32 - n)) & 0xffffffff
end

local function sha256_block(hash, block)
  local w = { string.unpack(">I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4", block) }
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    local s0 = rotate(x, 7) ~ rotate(x, 18) ~ (x >> 3)
    local s1 = rotate(y, 17) ~ rotate(y, 19) ~ (y >> 10)
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff
  end
  local a, b, c, d, e, f, g, h = table.unpack(hash)
  for i = 1, 64 do
    local s1 = rotate(e, 6) ~ rotate(e, 11) ~ rotate(e, 25)
    local t1 = h + s1 + ((e & f) ~ (~e & 0xffffffff & g)) + SHA_ROUND[i] + w[i]
    local s0 = rotate(a, 2) ~ rotate(a, 13) ~ rotate(a, 22)
    local t2 = s0 + ((a & b) ~ (a & c) ~ (b & c))
    h, g, f, e, d, c, b, a = g, f, e, (d + t1) & 0xffffffff, c, b, a, (t1 + t2) & 0xffffffff
  end
  for i, word in ipairs({ a, b, c, d, e, f, g, h }) do
    hash[i] = (hash[i] + word) & 0xffffffff
  end
end

function crypto.sha256(text)
  local padded = text .. "\x80" .. string.rep("\0", (55 - #text) % 64) .. string.pack(">I8", #text * 8)
  local hash = { table.unpack(SHA_INITIAL) }
  for at = 1, #padded, 64 do
    sha256_block(hash, sub(padded, at, at + 63))
  end
  return string.pack(">I4I4I4I4I4I4I4I4", table.unpack(hash))
end

function crypto.hmac(key, text)
  key = #key > 64 and crypto.sha256(key) or key
  key = key .. string.rep("\0", 64 - #key)
  local function masked(mask)
    return (gsub(key, ".", function(c)
      return string.char(byte(c) ~ mask)
    end))
  end
  local digest = crypto.sha256(masked(0x5c) .. crypto.sha256(masked(0x36) .. text))
  return (gsub(digest, ".", function(c)
    return format("%02x", byte(c))
  end))
end

--- Random lower-case hex digits from /dev/urandom; without it, from values that differ between two starts.
function crypto.random_hex(digits)
  local source = io.open("/dev/urandom", "rb")
  local bytes = source and source:read(32)
  if source then
    source:close()
  end
  bytes = bytes or (tostring({}) .. os.time() .. os.clock() .. math.random(0))
  return sub(crypto.hmac(bytes, tostring(state) .. math.random(0)), 1, digits)
end

return crypto
