-- Conditions on memory and registers, and the command that waits for one.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local memory = require("game.memory")
local registers = require("commands.registers")
local replies = require("request.replies")
local state = require("base.state")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local command = commands.define
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local concat = table.concat
local refuse = wire.refuse

local conditions = {}

local TYPES <const> = {
  u8 = { 1, 0 }, u16 = { 2, 0 }, u32 = { 4, 0 }, s8 = { 1, 0x80 }, s16 = { 2, 0x8000 }, s32 = { 4, 0x80000000 },
}

local COMPARE <const> = {
  eq = function(a, b) return a == b end,
  ne = function(a, b) return a ~= b end,
  lt = function(a, b) return a < b end,
  le = function(a, b) return a <= b end,
  gt = function(a, b) return a > b end,
  ge = function(a, b) return a >= b end,
}

function parse.comparison(text)
  return COMPARE[text] or refuse("bad-argument", "%q is not a comparison; use eq, ne, lt, le, gt or ge", wire.printable(text))
end

--- A number of one of TYPES: in memory, or the lowest bits of a register.
local function read_typed(condition)
  local register = condition.register
  local value = register and registers.read(register) & (1 << 8 * condition.width) - 1 or memory.read_number(condition.location, condition.width)
  return condition.sign > 0 and (value ~ condition.sign) - condition.sign or value
end

local TESTS <const> = setmetatable({
  mask = function(found, wanted) return found & wanted == wanted end,
  any = function(found, wanted) return found & wanted ~= 0 end,
  changed = function(found, _, before) return found ~= before end,
}, { __index = COMPARE })

--- One condition, `u8 0x02000000 ge 5`, `u16 wram:4 changed` or `u32 register:r0 eq 1`, from position `at`; and the position after it.
local function parse_condition(words, at)
  local kind = TYPES[words[at]]
    or refuse("bad-argument", "%q is not a type; a condition is: u8|u16|u32|s8|s16|s32 location test value", wire.printable(words[at] or "nothing"))
  local name = words[at + 2] or "nothing"
  local test = TESTS[name] or refuse("bad-argument", "%q is not a test; use eq, ne, lt, le, gt, ge, mask, any or changed", wire.printable(name))
  local place = words[at + 1] or ""
  local register = string.match(place, "^register:(%w+)$")
  local condition = { width = kind[1], sign = kind[2], register = register, location = not register and parse.location(place), test = test }
  if register then
    registers.read(register) -- refuses one that does not exist
  end
  if name == "changed" then
    condition.before = read_typed(condition)
    return condition, at + 3
  end
  condition.value = parse.integer(words[at + 3] or "")
  return condition, at + 4
end

--- Conditions joined by `and` and `or`; `and` binds tighter. A list of alternatives, each a list that must hold as a whole.
function conditions.parse(words)
  local alternatives, at, count = { {} }, 1, 0
  while at <= #words do
    local condition
    condition, at = parse_condition(words, at)
    count = count + 1
    if count > LIMITS.conditions then
      refuse("bad-argument", "more than %d conditions", LIMITS.conditions)
    end
    table.insert(alternatives[#alternatives], condition)
    local joint = words[at]
    if joint == "or" then
      alternatives[#alternatives + 1] = {}
    elseif joint and joint ~= "and" then
      refuse("bad-argument", "%q is not expected here; use and, or, or end the conditions", wire.printable(joint))
    end
    at = at + (joint and 1 or 0)
    if joint and at > #words then
      refuse("bad-argument", "nothing follows the last %s", joint)
    end
  end
  return alternatives, count
end

--- Whether one of the alternatives holds now, and every number that was looked at.
function conditions.check(alternatives)
  local met, values = false, {}
  for _, all in ipairs(alternatives) do
    local holds = #all > 0
    for _, condition in ipairs(all) do
      local found = read_typed(condition)
      values[#values + 1] = found
      holds = condition.test(found, condition.value, condition.before) and holds
    end
    met = met or holds
  end
  return met, values
end

parse.condition = parse.string -- one word of conditions

local function wait_text(met, values)
  return tostring(met) .. (#values > 0 and " " .. concat(values, " ") or "")
end

--- @command wait.until
--- @type Wait(AnyOf:condition, Frames) Waits until a condition holds, checked once a frame, or until frames have passed.
--- @arguments condition; `frames=n`
--- @reply `true`/`false`, then every number compared
--- @notes section 7.2; the reply comes when it is met, or `false` after n frames (`true` when there is no condition); takes frames
command({
  name = "wait.until",
  kind = "read",
  repeats = { "condition" },
  optional = true,
  named = { "frames" },
  alone = true,
  lasts = true,
  run = function(values, request)
    local last = values.frames and state.frame + values.frames
    if #values == 0 and not last then
      refuse("bad-arity", "wait takes a condition, frames= or both")
    end
    local alternatives, count = conditions.parse(values)
    local function step()
      local met, found = conditions.check(alternatives)
      local over = last and state.frame >= last
      if met or over then
        answer(request, wait_text(met or #values == 0, found))
        return true
      end
    end
    if not step() then
      jobs.check_limit(request)
      jobs.start(request, step, "frames", work.look + count * work.condition)
    end
    return DEFERRED
  end,
})

return conditions
