-- Decompresses zlib streams in coroutines. mGBA inflates whatever a PNG chunk claims, so the script does it first, with every length
-- bounded, a piece at a time.

local wire = require("wire.text")

local byte = string.byte
local concat = table.concat
local refuse = wire.refuse

local inflate = {}

local PIECE <const> = 16384 -- bytes, about a millisecond
local LENGTHS <const> = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 }
local LENGTH_BITS <const> = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 }

local DISTANCES <const> = {
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
}

local ORDER <const> = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }

local function damaged(what)
  refuse("not-a-state", "the picture's compressed state is damaged: %s", what)
end

--- Reads bits, lowest first; `work` counts the work since the last pause.
local function reader(data)
  return { data = data, at = 1, hold = 0, have = 0, work = 0 }
end

local function bits(from, count)
  while from.have < count do
    local value = byte(from.data, from.at) or damaged("it ends early")
    from.hold, from.have, from.at = from.hold | value << from.have, from.have + 8, from.at + 1
  end
  local value = from.hold & (1 << count) - 1
  from.hold, from.have = from.hold >> count, from.have - count
  return value
end

--- A Huffman code of the lengths first..last: how many symbols of each length there are, and the symbols in the order of their codes.
local function code_of(lengths, first, last)
  local counts, next_at, symbols, left = {}, { 0 }, {}, 1
  for length = 1, 15 do
    counts[length] = 0
  end
  for i = first, last do
    local length = lengths[i]
    counts[length] = length > 0 and counts[length] + 1 or nil
  end
  for length = 1, 15 do
    left = left * 2 - counts[length]
    next_at[length + 1] = next_at[length] + counts[length]
  end
  if left < 0 then
    damaged("a code has too many symbols")
  end
  for i = first, last do
    local length = lengths[i]
    if length > 0 then
      symbols[next_at[length]], next_at[length] = i - first, next_at[length] + 1
    end
  end
  return { counts = counts, symbols = symbols }
end

local function symbol(from, code)
  local counts, value, first, index = code.counts, 0, 0, 0
  local hold, have = from.hold, from.have
  for length = 1, 15 do
    if have == 0 then
      hold, have, from.at = byte(from.data, from.at) or damaged("it ends early"), 8, from.at + 1
    end
    value, hold, have = value | hold & 1, hold >> 1, have - 1
    local count = counts[length]
    if value - count < first then
      from.hold, from.have = hold, have
      return code.symbols[index + value - first]
    end
    index, first, value = index + count, (first + count) << 1, value << 1
  end
  damaged("a code is not known")
end

local FIXED <const> = {}

for i = 0, 287 do
  FIXED[i] = i < 144 and 8 or i < 256 and 9 or i < 280 and 7 or 8
end

for i = 288, 317 do
  FIXED[i] = 5
end

local function dynamic_codes(from)
  local literals, distances, count = bits(from, 5) + 257, bits(from, 5) + 1, bits(from, 4) + 4
  local lengths, i, last = {}, 0, literals + distances
  for n = 1, 19 do
    lengths[ORDER[n]] = n <= count and bits(from, 3) or 0
  end
  local code = code_of(lengths, 0, 18)
  lengths = {}
  while i < last do
    local sign = symbol(from, code)
    local value, times = sign, 1
    if sign == 16 then
      value, times = lengths[i - 1] or damaged("nothing to repeat"), 3 + bits(from, 2)
    elseif sign > 16 then
      value, times = 0, sign == 17 and 3 + bits(from, 3) or 11 + bits(from, 7)
    end
    for n = i, i + times - 1 do
      lengths[n] = value
    end
    i = i + times
  end
  if i > last or literals > 286 then
    damaged("a code is too long")
  end
  from.work = from.work + 1024
  return code_of(lengths, 0, literals - 1), code_of(lengths, literals, last - 1)
end

local function rest(from)
  if from.work >= PIECE then
    from.work = 0
    coroutine.yield()
  end
end

local function stored_block(from, out, most)
  bits(from, from.have & 7)
  local length, check = bits(from, 16), bits(from, 16)
  if length ~= check ~ 0xffff or #out + length > most then
    damaged("a stored block's length is wrong")
  end
  for _ = 1, length do
    out[#out + 1] = bits(from, 8)
  end
  from.work = from.work + length
end

--- Copies earlier output.
local function copy(from, out, count, sign, distances, most)
  local length = (LENGTHS[sign - 256] or damaged("a length is not known")) + bits(from, LENGTH_BITS[sign - 256])
  local far = symbol(from, distances)
  local distance = (DISTANCES[far + 1] or damaged("a distance is not known")) + bits(from, math.max(0, (far >> 1) - 1))
  if distance > count or count + length > most then
    damaged(distance > count and "it repeats what was not there" or "it is longer than it should be")
  end
  for i = count + 1, count + length do
    out[i] = out[i - distance]
  end
  from.work = from.work + length
  return count + length
end

local function coded_block(from, out, most, literals, distances)
  local count = #out
  while true do
    local sign = symbol(from, literals)
    from.work = from.work + 4
    if sign < 256 then
      count = count + 1
      if count > most then
        damaged("it is longer than it should be")
      end
      out[count] = sign
    elseif sign == 256 then
      return
    else
      count = copy(from, out, count, sign, distances, most)
    end
    rest(from)
  end
end

--- The bytes as a string. Verifies their checksum.
local function text_of(out, from)
  local parts, low, high = {}, 1, 0
  for at = 1, #out, 4096 do
    local last = math.min(#out, at + 4095)
    for i = at, last do
      low = low + out[i]
      high = high + low
    end
    low, high = low % 65521, high % 65521
    parts[#parts + 1] = string.char(table.unpack(out, at, last))
    from.work = from.work + 4096
    rest(from)
  end
  bits(from, from.have & 7)
  local sum = 0
  for _ = 1, 4 do
    sum = sum << 8 | bits(from, 8)
  end
  if sum ~= high << 16 | low then
    damaged("its checksum is wrong")
  end
  return concat(parts)
end

--- Decompresses a zlib stream of at most `most` bytes. Runs in a coroutine and yields after each piece.
function inflate.inflate(data, most)
  local from, out = reader(data), {}
  local method, flags = bits(from, 8), bits(from, 8)
  if method & 15 ~= 8 or (method << 8 | flags) % 31 ~= 0 or flags & 0x20 ~= 0 then
    damaged("it has no zlib header")
  end
  repeat
    local last, kind = bits(from, 1), bits(from, 2)
    if kind == 0 then
      stored_block(from, out, most)
    elseif kind == 1 then
      coded_block(from, out, most, code_of(FIXED, 0, 287), code_of(FIXED, 288, 317))
    elseif kind == 2 then
      coded_block(from, out, most, dynamic_codes(from))
    else
      damaged("a block's kind is not known")
    end
    from.work = from.work + 256
    rest(from)
  until last == 1
  return text_of(out, from)
end

return inflate
