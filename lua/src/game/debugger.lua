-- Debugging with mgba-headless: breakpoints and watchpoints of holders, and a game that is halted between two instructions.

local game = require("game.game")
local host = require("base.host").calls
local LIMITS <const> = require("base.limits")
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")

local refuse = wire.refuse

-- As headless/debugger/debugger.h counts them.
local KINDS <const> = { execute = 1, read = 2, write = 4, change = 8, access = 2 | 4, interrupt = 16 }
local KIND_NAMES <const> = { [1] = "execute", [2] = "read", [4] = "write", [8] = "change", [16] = "interrupt" }
local RESUMES <const> = { continue = 0, into = 1, over = 2, out = 3, to = 4 }
local ANY_BANK <const> = -1

-- A point: id, holder, owner, kind, first, last, bank (nil: any), condition (its text, or nil), holds (nil: always), halts, seconds (of a halt), hits.
local debugger = {
  points = {}, -- in the order of their ids
  by_id = {},
  hits = {}, -- texts of the last LIMITS.hits hits, by number modulo LIMITS.hits
  hit_count = 0, -- since the script was loaded
  owner = nil, -- of the halt: with it, the halt ends
  holder = nil,
  until_second = nil, -- when a halt ends whose owner cannot be seen to end
  announced = 0, -- the number of the halt that clients know
}

--- Refuses where the host cannot debug.
function debugger.check()
  game.core_or_refuse()
  if not (host and host.addPoint) then
    refuse("unsupported", "mGBA's window has no debugger for scripts; run the game with mgba-headless")
  end
end

--- The fields of a hit: id, kind, pc, bank, address, size, before, value, after, dma.
local function fields_of(text)
  local fields = {}
  for number in string.gmatch(text, "%-?%d+") do
    fields[#fields + 1] = math.tointeger(tonumber(number))
  end
  return fields
end

--- Names and values of a hit, alternating.
local function record_of(hit)
  local record = { "point", hit[1], "kind", KIND_NAMES[hit[2]], "at", hit[3], "atbank", hit[4] }
  if hit[6] > 0 then
    for _, part in ipairs({ "address", hit[5], "size", hit[6], "before", hit[7], "value", hit[8], "after", hit[9], "dma", hit[10] == 1 }) do
      record[#record + 1] = part
    end
  end
  return record
end

--- Why the game is halted, and where; nil when it is not. Names and values, alternating.
function debugger.halted()
  local text = host and host.halted and host.halted() or ""
  local count, reason, pc, bank, rest = string.match(text, "^(%d+) (%l+) (%d+) (%-?%d+) ?(.*)$")
  if not count then
    return nil
  end
  local record = { "halt", math.tointeger(count), "reason", reason, "pc", math.tointeger(pc), "bank", math.tointeger(bank) }
  if rest ~= "" then
    local hit = record_of(fields_of(rest))
    table.move(hit, 1, #hit, #record + 1, record)
  end
  return record, math.tointeger(count)
end

--- What is kept of the history of the game. The script counts frames from another start than the host: `offset` is to be added.
function debugger.history()
  local text = host.history()
  local numbers = fields_of(string.match(text, "^[%d ]+"))
  local megabytes, bytes, _, first, frame, now, past, searching = table.unpack(numbers)
  return {
    megabytes = megabytes, bytes = bytes, first = first, frame = frame, present = now, offset = state.frame - now, past = past == 1, searches = searching == 1,
    problem = string.match(text, "^[%d ]+(.*)$"),
  }
end

--- The same; refuses without a history.
function debugger.kept_history()
  local history = debugger.history()
  if history.problem ~= "" then
    refuse("not-running", "no history of this game is kept: %s", history.problem)
  elseif history.megabytes == 0 then
    refuse("not-running", "no history is kept; send debug.keepHistory first")
  end
  return history
end

--- Memory as it was before a frame ran.
function debugger.read_past(location, length, frame)
  debugger.check()
  local history = debugger.kept_history()
  local is_domain = type(location) == "table"
  local data = length == 0 and ""
    or host.past(frame - history.offset, is_domain and location.domain or "", is_domain and location.offset or location, length)
  if #data < length then
    if frame < history.first + history.offset or frame >= state.frame then
      refuse("not-found", "the history has the frames %d to %d, and not %d", history.first + history.offset, state.frame - 1, frame)
    end
    refuse("bad-argument", "the history has memory that the game can write: RAM, video memory, registers and saves; not all of these places are there")
  end
  return data
end

--- Whether something is searched in the history of the game: then points are hit once more, and the game is not where it was.
function debugger.searches()
  return host.isSearching()
end

--- Refuses meanwhile.
function debugger.check_search()
  if debugger.searches() then
    refuse("busy", "the game is going back; wait until that is answered, or end it with debug.halt")
  end
end

--- Gives the halt to the owner of a request or a point: it ends with it, or after `seconds`.
function debugger.own(cause, seconds)
  debugger.owner, debugger.holder = cause.owner, cause.holder
  debugger.until_second = seconds and state.seconds + seconds
end

--- Sets a point.
function debugger.add(point)
  if #debugger.points >= LIMITS.points then
    refuse("busy", "%d points are the most there may be; remove some with debug.remove", LIMITS.points)
  end
  local id = host.addPoint(KINDS[point.kind], point.first, point.last, point.bank or ANY_BANK)
  if id == 0 then
    refuse("busy", "the emulator has no room for another point; remove some with debug.remove")
  end
  point.id, point.hits = id, 0
  debugger.points[#debugger.points + 1], debugger.by_id[id] = point, point
  return id
end

--- Removes the points for which `matches` is true. Returns how many.
function debugger.remove(matches)
  local kept, count = {}, 0
  for _, point in ipairs(debugger.points) do
    if matches(point) then
      host.removePoint(point.id)
      debugger.by_id[point.id], count = nil, count + 1
    else
      kept[#kept + 1] = point
    end
  end
  debugger.points = kept
  return count
end

--- `address` and `bank` (nil: any) are those to which it runs, if it does.
function debugger.resume(how, address, bank)
  debugger.owner, debugger.holder, debugger.until_second = nil, nil, nil
  host.resume(RESUMES[how], address or 0, bank or ANY_BANK)
end

--- Whether a point is hit. A condition that cannot be checked any more holds, so that somebody notices.
local function holds(point)
  if not point.holds then
    return true
  end
  local ok, met = pcall(point.holds)
  return not ok or met
end

--- The event of a hit. The game stands between two instructions, or in the middle of an event of its machine.
function debugger.on_hit()
  local text = host.hit()
  local hit = fields_of(text)
  local point = debugger.by_id[hit[1]]
  local repeated = debugger.searches()
  if not point or repeated and not point.halts or not holds(point) then
    return
  elseif repeated then
    host.haltHere()
    return
  end
  point.hits = point.hits + 1
  debugger.hits[debugger.hit_count % LIMITS.hits] = text .. " " .. state.frame
  debugger.hit_count = debugger.hit_count + 1
  if point.halts then
    debugger.own(point, point.seconds)
    host.haltHere()
  end
end

--- The texts of the hits behind the first `from`, and how many of them are not kept any more.
function debugger.hits_since(from)
  local first = math.max(from, debugger.hit_count - LIMITS.hits)
  local lines = {}
  for number = first, debugger.hit_count - 1 do
    lines[#lines + 1] = debugger.hits[number % LIMITS.hits]
  end
  return lines, first - from
end

local function end_halt()
  if debugger.halted() then
    debugger.owner, debugger.holder, debugger.until_second = nil, nil, nil
    host.release()
  end
end

--- Ends what an owner that is gone has set, and its halt. Returns how many points that were.
function debugger.release_owner(owner)
  local count = debugger.remove(function(point)
    return owners.includes(owner, point.owner)
  end)
  if debugger.owner and owners.includes(owner, debugger.owner) then
    end_halt()
  end
  return count
end

--- Gives the points and the halt of a holder to another owner.
function debugger.move(holder, from, to)
  for _, point in ipairs(debugger.points) do
    if point.holder == holder and point.owner == from then
      point.owner = to
    end
  end
  if debugger.holder == holder and debugger.owner == from then
    debugger.owner = to
  end
end

--- Removes everything, because another game was opened or the script ends.
function debugger.drop()
  if host and host.addPoint then
    debugger.remove(function()
      return true
    end)
    end_halt()
  end
end

--- Ends a halt whose time is over.
function debugger.sweep()
  if debugger.until_second and state.seconds > debugger.until_second then
    end_halt()
  end
end

debugger.KINDS, debugger.RESUMES = KINDS, RESUMES

return debugger
