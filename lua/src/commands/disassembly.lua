-- Commands that show code: instructions as text, where functions return to, and which banks of a Game Boy are mapped.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local command = commands.define
local refuse = wire.refuse

local MODES <const> = { arm = constants.GBA, thumb = constants.GBA, sm83 = constants.GB }
local NEXT <const>, MAPPED <const> = -1, -1 -- of the instruction that is executed next; the bank that is mapped
local INSTRUCTION <const> = 1.5 -- microseconds
local BANKS <const> = { rom = 0x4000, vram = 0x8000, sram = 0xA000, wram = 0xD000 }

arguments.define_integer("instructions", 1, 1024, "count")
arguments.define_integer("returns", 1, 128, "count")

function arguments.parse.instruction_set(text)
  return MODES[text] and text or refuse("bad-argument", "mode is %q; use arm, thumb or sm83", wire.printable(text))
end

--- The calls of the host, or an error for the client.
local function host_or_refuse()
  game.core_or_refuse()
  return host and host.disassemble and host or refuse("unsupported", "mGBA's window gives scripts neither instructions as text nor banks; use mgba-headless")
end

--- @command debug.disassemble
--- @type Disassemble(Count, Address, Mode, Bank) Returns instructions as text.
--- @arguments count; `address=n mode=x bank=n`
--- @reply eight values an instruction: bank, address, its bytes as hex digits, kind, bank and address of its target, the value that it loads from there, text
--- @notes from the address, unless given that of the instruction that is executed next; mode: arm, thumb or sm83, unless given the processor's, and
---   thumb for an odd address; bank: of a Game Boy, unless given the mapped one. Kinds: `branch`, `call`, `return`, `interrupt`, `data` (the target is
---   what it reads, writes or takes the address of), `undefined`, `other`; `nil` for no target and no value. Fewer where memory ends.
---   Reads disturb no device. `mgba-headless` only
command({
  name = "debug.disassemble",
  kind = "read",
  arguments = { "count:instructions" },
  named = { "address:address", "mode:instruction_set", "bank:bank" },
  bulk = "count",
  cost = function(values)
    return values[1] * INSTRUCTION
  end,
  run = function(values)
    local calls, mode = host_or_refuse(), values.mode
    if mode and MODES[mode] ~= game.platform then
      refuse("bad-argument", "the processor of this console has no instructions of %s", mode)
    end
    local lines = calls.disassemble(values.address or NEXT, values[1], mode or "", values.bank or MAPPED)
    return (lines:sub(1, -2):gsub("\n", " "))
  end,
})

--- @command debug.backtrace
--- @type ReadCallStack(Count) Returns where the functions that are under way return to.
--- @arguments `count=64`
--- @reply seven values an address, the innermost function first: `pc`, `link`, `stack` or `interrupt`, bank, address, the instruction that calls and its
---   bank, what it calls, the place of the word on the stack; `nil` where there is none
--- @notes `pc` is the instruction that is executed next; `link` and `stack` are addresses behind an instruction that calls, in the register lr and on the
---   stack; `interrupt` is the instruction that an interrupt of a GBA has interrupted. Words that a function has left behind look the same: what is
---   called has to be the function before. `mgba-headless` only
command({
  name = "debug.backtrace",
  kind = "read",
  named = { "count:returns=64" },
  cost = function(values)
    return 20 + values.count
  end,
  run = function(values)
    local lines = host_or_refuse().callStack(values.count)
    return (lines:sub(1, -2):gsub("\n", " "):gsub("%f[%a]%l+", function(word)
      return word ~= "nil" and wire.quote(word) or nil
    end))
  end,
})

--- @command debug.banks
--- @type ReadBanks() Returns which banks of a Game Boy are mapped.
--- @reply `rom= vram= sram= wram=`
--- @notes at 0x4000, 0x8000, 0xA000 and 0xD000; of other consoles 0. `mgba-headless` only
command({
  name = "debug.banks",
  kind = "read",
  run = function()
    local bank = host_or_refuse().bank
    return wire.record({ "rom", bank(BANKS.rom), "vram", bank(BANKS.vram), "sram", bank(BANKS.sram), "wram", bank(BANKS.wram) })
  end,
})
