-- Freezes: values that the script writes again every frame, for holders.

local LIMITS <const> = require("base.limits")
local game = require("game.game")
local memory = require("game.memory")
local owners = require("base.owners")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local refuse = wire.refuse

-- A freeze: holder, name, owner, location, data, number (of data that is written in one access), last (first frame in
-- which it is not written any more, or nil) and cost. They are written in the order of the list.
local freezes = {
  list = {},
  cost = 0, -- of all freezes in one frame
  changed = false, -- since the last event
  ended = 0, -- freezes that ended without a request since the last event, and why the last one did
  reason = nil,
}

local NUMBERS <const> = { [1] = "<I1", [2] = "<I2", [4] = "<I4" }

--- Data of 1, 2 or 4 bytes is written in one access, as a processor would: registers of the machine are not bytes. What freezes write does not
--- count towards the bytes that requests may write in a frame, or a long write would never run.
local function write(freeze)
  memory.may_write(0)
  local written = memory.written
  if freeze.number then
    memory.write_number(freeze.location, #freeze.data, freeze.number)
  else
    memory.write(freeze.location, freeze.data)
  end
  memory.written = written
end

local function find(holder, name)
  for i, freeze in ipairs(freezes.list) do
    if freeze.holder == holder and freeze.name == name then
      return i
    end
  end
end

--- Writes a value now and in each of the next frames. Replaces the freeze of this holder with the same name.
function freezes.set(freeze)
  local list, at = freezes.list, find(freeze.holder, freeze.name)
  local data, before = freeze.data, at and list[at].cost or 0
  if #data < 1 or #data > LIMITS.freeze_bytes then
    refuse("bad-argument", "a freeze has 1 to %d bytes; this one has %d", LIMITS.freeze_bytes, #data)
  elseif not at and #list >= LIMITS.freezes then
    refuse("busy", "%d freezes are the most there may be; release some with freezes.delete", LIMITS.freezes)
  end
  freeze.cost = work.freeze + memory.write_cost(freeze.location, #data)
  local total = freezes.cost - before + freeze.cost
  if total > LIMITS.freezes_cost then
    refuse("busy", "all freezes would cost %d us a frame, of at most %d; release some, or freeze fewer bytes", total // 1, LIMITS.freezes_cost)
  end
  freeze.number = NUMBERS[#data] and string.unpack(NUMBERS[#data], data)
  write(freeze)
  freezes.cost = total
  list[at or #list + 1], freezes.changed = freeze, true
end

--- Ends the freezes for which `matches` is true. Returns how many.
local function remove(matches)
  local list, kept, count = freezes.list, 0, #freezes.list
  for i = 1, count do
    local freeze = list[i]
    list[i] = nil
    if matches(freeze) then
      freezes.cost, freezes.changed = freezes.cost - freeze.cost, true
    else
      kept = kept + 1
      list[kept] = freeze
    end
  end
  freezes.cost = kept > 0 and freezes.cost or 0
  return count - kept
end

local function note(count, reason)
  if count > 0 then
    freezes.ended, freezes.reason = freezes.ended + count, reason
  end
end

--- Ends the freeze of this name, or all of the holder. Returns how many.
function freezes.release(holder, name)
  return remove(function(freeze)
    return freeze.holder == holder and (not name or freeze.name == name)
  end)
end

--- Ends the freezes of an owner that is gone. Returns how many.
function freezes.release_owner(owner)
  local count = remove(function(freeze)
    return owners.includes(owner, freeze.owner)
  end)
  note(count, "session-ended")
  return count
end

--- Gives the freezes of a holder to another owner.
function freezes.move(holder, from, to)
  for _, freeze in ipairs(freezes.list) do
    if freeze.holder == holder and freeze.owner == from then
      freeze.owner = to
    end
  end
end

--- Ends all freezes, because the game was closed or changed.
function freezes.drop()
  note(remove(function()
    return true
  end), "game-changed")
end

--- Whether a freeze has to end: its frames are over, or the write failed.
local function is_over(freeze)
  if freeze.last and state.frame >= freeze.last then
    note(1, "over")
    return true
  end
  work.spent = work.spent + freeze.cost
  local ok, problem = pcall(write, freeze)
  if not ok then
    note(1, (wire.caught(problem)))
  end
  return not ok
end

--- Writes all values. Called once a frame, before anything reads memory.
function freezes.run()
  if #freezes.list > 0 then
    remove(is_over)
  end
end

--- Writes them again at the end of a frame in which a state was loaded or the game reset, so that no frame runs with other values.
function freezes.restore()
  if game.moved_frame == state.frame then
    freezes.run()
  end
end

return freezes
