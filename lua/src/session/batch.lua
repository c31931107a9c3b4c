-- Batches: several commands in one message and one frame.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local command = commands.define
local TERMINATOR <const> = constants.TERMINATOR
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local find, format, match, sub = string.find, string.format, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local batch = {}

local guards = {}

for _, width in ipairs({ 1, 2, 4 }) do
  guards["guard" .. width * 8] = {
    name = "guard" .. width * 8,
    arguments = { "location", "comparison", "integer" },
    least = 3,
    most = 3,
    takes = "location comparison integer",
    tail = "none",
    cost = 0,
    holds = function(values)
      local found = memory.read_number(values[1], width)
      return values[2](found, values[3]), tostring(found)
    end,
  }
end

guards.guard = {
  name = "guard",
  arguments = { "location" },
  least = 1,
  most = 1,
  takes = "location",
  tail = "takes",
  cost = function(values, item)
    return memory.read_cost(values[1], #item.tail)
  end,
  holds = function(values, item)
    return memory.read(values[1], #item.tail) == item.tail, "other bytes"
  end,
}

-- Cache of parsed items that read, by their text, because clients repeat the same ones.
local parsed = { count = 0, by_text = {} }

local MAX_PARSED <const>, PARSED_LENGTH <const> = 512, 256

local function parse_head(head)
  local length, rest = match(head, "^%s*%+(%d+) +(.*)$")
  if length and #length > 9 then
    refuse("bad-batch", "its tail of %s bytes is longer than a message may be", length)
  end
  local name, text = match(rest or head, "^%s*([^ ]+) ?(.*)$")
  if not name then
    refuse("bad-batch", "an item is empty")
  end
  local row = guards[name] or commands.rows[name] or refuse("unknown-command", "%q is not a command", wire.printable(name))
  if row.alone then
    refuse("bad-batch", "%s cannot be in a batch", name)
  end
  local words, named = arguments.split(text)
  return { row = row, values = arguments.read(row, words, named), length = tonumber(length), is_guard = guards[name] ~= nil }
end

local function parse_item(head, request)
  local known = parsed.by_text[head]
  if not known then
    known = parse_head(head)
    if known.row.kind == "read" and #head <= PARSED_LENGTH then
      if parsed.count >= MAX_PARSED then
        parsed.count, parsed.by_text = 0, {}
      end
      parsed.count, parsed.by_text[head] = parsed.count + 1, known
    end
  end
  return {
    row = known.row,
    values = known.values,
    length = known.length,
    is_guard = known.is_guard,
    is_item = true,
    holder = request.holder,
    owner = request.owner,
    session = request.session,
    conn = request.conn,
  }
end

--- What the rows cannot say: order, what fits one frame, and what ends within it.
function batch.check(item, before, request)
  commands.check_tail(item.row, item.tail)
  if item.is_guard and before and not before.is_guard then
    refuse("bad-batch", "guards come before everything else")
  elseif item.values.wait then
    refuse("bad-batch", "wait=true cannot be in a batch, which ends within its frame")
  end
  request.cost = request.cost + work.item + #item.values * work.argument + work.of(item.row, item.values, item)
  request.arguments = (request.arguments or 0) + #item.values
  if request.arguments > LIMITS.arguments then
    refuse("bad-batch", "a batch has up to %d arguments in all its items; read neighbours as ranges, or use another batch", LIMITS.arguments)
  elseif item.row.writes_tail then
    request.written = (request.written or 0) + #item.tail
    if request.written > LIMITS.write then
      refuse("bad-batch", "a batch writes up to %d bytes of memory, since that is what one frame has time for", LIMITS.write)
    end
  end
end

--- The items of a batch's tail, all arguments checked. Refuses with the number of the bad one.
function batch.parse(request)
  local data, at, items = request.tail, 1, {}
  request.cost = work.request
  while at <= #data do
    local stop, last = find(data, TERMINATOR, at, true)
    local number = #items + 1
    if not stop or number > LIMITS.items then
      refuse("bad-batch", stop and "more than %d items" or "item %d does not end in <|END|>", stop and LIMITS.items or number)
    end
    local ok, item = pcall(parse_item, sub(data, at, stop - 1), request)
    if ok and item.length then
      item.tail = sub(data, last + 1, last + item.length)
      ok = #item.tail == item.length
      item = ok and item or "bad-batch its tail is cut short"
    end
    if ok then
      ok, item.problem = pcall(batch.check, item, items[number - 1], request)
      item = ok and item or item.problem
    end
    if not ok then
      local _, text = wire.caught(item)
      request.item = number
      refuse("bad-batch", "item %d: %s", number, text)
    end
    items[number], at = item, last + 1 + (item.length or 0)
  end
  if request.cost and request.cost > LIMITS.frame_cost then
    refuse("bad-batch", "its %d items cost %d us; one frame has time for %d: use several batches", #items, request.cost // 1, LIMITS.frame_cost)
  end
  return items
end

--- The cost of a batch now. Its items are parsed once, also when it has to wait. A batch for a later frame has its time reserved there.
function batch.cost(values, request)
  request.items = request.items or request.tail and batch.parse(request)
  return not values.at and not values.after and request.cost or 0
end

function batch.check_guards(items, request)
  for number, item in ipairs(items) do
    if item.is_guard then
      request.item = number -- part of an error reply
      local holds, found = item.row.holds(item.values, item)
      if not holds then
        refuse("guard-failed", "item %d: found %s", number, found)
      end
    end
  end
  request.item = nil
end

--- A run of items, which continues until one of them fails.
function batch.start(items)
  return { items = items, parts = {}, done = 0, total = 0, failed = false }
end

--- Runs those up to a number that have not run.
function batch.continue(run, last)
  local items, parts = run.items, run.parts
  for number = run.done + 1, run.failed and 0 or math.min(last, #items) do
    local item = items[number]
    local ok, text, tail = true, nil, nil
    if not item.is_guard then
      ok, text, tail = pcall(item.row.run, item.values, item)
      run.total = run.total + (ok and tail and #tail or 0)
      if run.total > LIMITS.tail then
        ok, text = false, format("bad-argument the results have over %d bytes together; request fewer", LIMITS.tail)
      end
    end
    if not ok then
      local code, detail = wire.caught(text)
      parts[#parts + 1] = "error " .. code .. " " .. wire.quote(detail) .. TERMINATOR
      run.failed = true
      break
    end
    run.done = number
    parts[#parts + 1] = (tail and "+" .. #tail .. " " or "") .. "ok" .. (text and " " .. text or "") .. TERMINATOR .. (tail or "")
  end
end

--- Runs the rest. Returns the results of all.
function batch.finish(run)
  batch.continue(run, #run.items)
  return wire.record({ "done", run.done, "of", #run.items }), concat(run.parts)
end

function batch.run(items)
  return batch.finish(batch.start(items))
end

local function guarded_run(items, request)
  batch.check_guards(items, request)
  return batch.run(items)
end

--- @command batch.run
--- @type RunBatch(Items:items, At, After) Runs several commands in order between the same two frames. If a guard does not match, none of them runs.
--- @arguments tail of items; `after=n` or `at=frame`
--- @reply `done= of=`, tail of results
--- @notes section 7.1; takes frames if delayed
command({
  name = "batch.run",
  kind = "effect",
  tail = "takes",
  named = { "at:frame", "after" },
  alone = true,
  has_items = true,
  lasts = { "at", "after" },
  bulk = "tail",
  cost = batch.cost,
  run = function(values, request)
    local items = request.items
    local due = values.at or values.after and state.frame + values.after or state.frame
    if due < state.frame then
      refuse("bad-argument", "frame %d has passed; the current frame is %d", due, state.frame)
    elseif due == state.frame then
      return guarded_run(items, request)
    end
    jobs.start_at(request, due, function()
      answer(request, guarded_run(items, request))
      return true
    end, request.cost)
    return DEFERRED
  end,
})

return batch
