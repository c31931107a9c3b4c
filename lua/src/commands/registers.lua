-- Registers of the processor.

local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local state_checks = require("game.state_checks")
local wire = require("wire.text")

local command = commands.define
local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, nested = game.core_or_refuse, game.nested
local find, lower = string.find, string.lower
local refuse = wire.refuse

local registers = {}

local REGISTERS <const> = {
  [GBA] = "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 ip sp lr pc cpsr",
  [GB] = "a b c d e f h l bc de hl af sp pc",
}

local function register_name(name)
  core_or_refuse()
  local known = REGISTERS[game.platform] or ""
  local plain = lower(name)
  if not find(plain, "^%w+$") or not find(" " .. known .. " ", " " .. plain .. " ", 1, true) then
    refuse("not-found", "%q is not a register of this console; use one of %s", wire.printable(name), known)
  end
  return plain
end

--- As an unsigned number; nil where this mGBA does not provide it. mGBA 0.10 returns garbage above a Game Boy register.
local function register_value(plain)
  local value = core_or_refuse():readRegister(plain)
  if value and game.platform == GB then
    return value & (#plain == 1 and 0xff or 0xffff)
  end
  return value and value & 0xffffffff
end

function registers.read(name)
  local plain = register_name(name)
  return register_value(plain) or refuse("unsupported", "this mGBA does not provide register %s", plain)
end

--- Names and values of all registers that this mGBA provides, alternating.
function registers.read_all()
  core_or_refuse()
  local fields = {}
  for name in string.gmatch(REGISTERS[game.platform] or "", "%w+") do
    local value = register_value(name)
    if value then
      fields[#fields + 1], fields[#fields + 2] = name, value
    end
  end
  return fields
end

-- The flags N Z C V, I and F. A change of mode or instruction set by a client can crash the core and the process.
local CPSR_FLAGS <const> = 0xF00000C0

function registers.write(name, value)
  if value < -2147483648 or value > 4294967295 then
    refuse("bad-argument", "value %d does not fit 32 bits", value)
  end
  local plain = register_name(name)
  local changed = plain == "cpsr" and (value ~ registers.read(plain)) & ~CPSR_FLAGS & 0xFFFFFFFF or 0
  if changed ~= 0 then
    refuse("bad-argument", "cpsr may only change in its flags (0x%08X), not in 0x%X: mGBA would crash", CPSR_FLAGS, changed)
  end
  if game.platform == GBA and (plain == "pc" or plain == "r15") and not state_checks.is_code(value & 0xFFFFFFFF) then
    refuse("bad-argument", "pc cannot be 0x%08X: there is no memory to run code from, and the game would crash", value & 0xFFFFFFFF)
  end
  local core = core_or_refuse()
  nested(core.writeRegister, core, plain, value > 2147483647 and value - 4294967296 or value) -- an invalid pc runs `crashed` callbacks
end

--- @command registers.read
--- @type ReadRegister(Name) Reads a register of the processor.
--- @arguments name
--- @reply integer, unsigned
--- @notes GBA r0..r15 sp lr pc ip cpsr; GB a b c d e f h l af bc de hl pc sp
command({
  name = "registers.read",
  kind = "read",
  arguments = { "name:string" },
  run = function(values)
    return tostring(registers.read(values[1]))
  end,
})

--- @command registers.get
--- @type ListRegisters() Reads all registers of the processor, in one frame.
--- @reply `name=value` each, as above
--- @notes one frame
command({
  name = "registers.get",
  kind = "read",
  run = function()
    return wire.record(registers.read_all())
  end,
})

--- @command registers.write
--- @type WriteRegister(Name, Value) Writes a register of the processor.
--- @arguments name value
--- @reply `ok`
--- @notes `cpsr` only in its flags (N Z C V I F): another mode or instruction set can crash mGBA. GBA: `pc` only where code can run,
---   otherwise the game crashes
command({
  name = "registers.write",
  kind = "effect",
  arguments = { "name:string", "value:integer" },
  run = function(values)
    game.live_core_or_refuse()
    registers.write(values[1], values[2])
  end,
})

return registers
