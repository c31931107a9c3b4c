-- Commands for the clock of the cartridge, and what the cartridge and the console are.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local game = require("game.game")
local host = require("base.host").calls
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local refuse = wire.refuse

local MODES <const> = { host = true, offset = true, fixed = true, emulated = true }
-- What the chips hold: the years 2000 to 2099, in milliseconds since 1970.
local FIRST <const>, LAST <const> = 946684800000, 4102444799999
local LONGEST <const> = LAST - FIRST

--- The calls of the host, or an error for the client.
local function host_or_refuse()
  game.core_or_refuse()
  return host and host.clock and host
    or refuse("unsupported", "mGBA's window hands neither the clock nor the cartridge to scripts; use its menu Tools > Game overrides, or mgba-headless")
end

function parse.clock_mode(text)
  return MODES[text] and text or refuse("bad-argument", "mode is %q; use host, offset, fixed or emulated", wire.printable(text))
end

arguments.define_integer("clock_value", -LONGEST, LAST, "value (milliseconds)")

--- @command clock.get
--- @type ReadClock() Returns how the clock of the cartridge runs, and what the game reads from it.
--- @reply `mode= value= time=`
--- @notes mode: `host` (the host's local time), `offset` (that and `value`), `fixed` (`value`), `emulated` (`value` and the time of the frames since it
---   was set). `value` and `time` in milliseconds, `time` and those of fixed and emulated since 1970, as the game reads it, whatever the zone
command({
  name = "clock.get",
  kind = "read",
  run = function()
    local mode, value, time = host_or_refuse().clock():match("^(%l+) (%-?%d+) (%-?%d+)$")
    return wire.record({ "mode", mode, "value", tonumber(value), "time", tonumber(time) })
  end,
})

--- @command clock.set
--- @type SetClock(Mode, Value) Sets how the clock of the cartridge runs.
--- @arguments mode; `value=n`
--- @reply `ok`
--- @notes modes as in `clock.get`; `value` only with offset, fixed and emulated; times from 2000 to 2099. A loaded state
---   brings its clock to `host`, and its emulated time to `emulated`
command({
  name = "clock.set",
  kind = "effect",
  arguments = { "mode:clock_mode" },
  named = { "value:clock_value" },
  alone = true,
  run = function(values)
    local calls, mode, value = host_or_refuse(), values[1], values.value
    if mode == "host" and value then
      refuse("bad-argument", "the clock of the host has no value; use offset")
    elseif mode ~= "host" and not value then
      refuse("bad-argument", "a clock of the mode %s has a value, in milliseconds", mode)
    elseif (mode == "fixed" or mode == "emulated") and value < FIRST then
      refuse("bad-argument", "the value is %d; the clocks of cartridges go from 2000 to 2099: %d to %d", value, FIRST, LAST)
    elseif not calls.setClock(mode, value or 0) then
      refuse("bad-argument", "with this value the game would read a time before 2000 or after 2099")
    end
  end,
})

--- @command cartridge.get
--- @type ReadCartridge() Returns what cartridge and console the emulator emulates.
--- @reply three values an entry: key, value, where it comes from
--- @notes keys: `save-type`, `hardware`, `idle-loop`, `model`, `mbc`, `bios`, `palette`, `skip-bios`, `clock`, as far as the console has them, and
---   `idle-loop-problem`; origins: an `option`, mGBA's `table`, a `guess` by the ROM's text or header, `detected` from what the game does, a `state` that
---   was loaded, `script` (`clock.set`), or by `default`
command({
  name = "cartridge.get",
  kind = "read",
  run = function()
    local parts = {}
    for key, value, origin in host_or_refuse().cartridge():gmatch("(%S+) ([^\n]*) (%l+)") do
      parts[#parts + 1] = wire.quote(key) .. " " .. wire.quote(value) .. " " .. wire.quote(origin)
    end
    return table.concat(parts, " ")
  end,
})
