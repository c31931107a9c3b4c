-- Where mGBA accesses a Game Boy cartridge beyond its memory, or through a pointer that is not valid: this would end the emulator.

local byte = string.byte

local cartridge = {}

local HEADER <const> = 0x147 -- kind, size of the ROM, size of the RAM
local MBC6 <const>, MBC7 <const>, TAMA5 <const>, HUC3 <const> = 0x20, 0x22, 0xfd, 0xfe
local OWN_RAM <const> = { [5] = 0x100, [6] = 0x100, [MBC7] = 0x100, [TAMA5] = 0x20 } -- 5 and 6 are MBC2; whatever size the header gives
local BANK <const>, HALF_BANK <const> = 0x4000, 0x2000

--- The limits of the cartridge with this domain of its ROM and this size. `unreadable` and `unwritable` are ranges of the bus, { first, last }
--- each, or nil; `sizes` are those of domains that mGBA does not limit itself; `ram_is_apart` when its RAM is never mapped.
function cartridge.limits(rom, rom_size)
  local kind, _, ram = byte(rom:readRange(HEADER, 3), 1, 3)
  local unreadable, unwritable, sizes = {}, nil, { sram = OWN_RAM[kind] }
  if kind == MBC6 then -- after save data was loaded, banks of its flash memory and the second half of its RAM have an old address; at first RAM has none
    unwritable = { { 0xb000, 0xbfff } }
    unreadable = { { 0x4000, 0x7fff }, unwritable[1] }
  elseif kind == HUC3 and ram == 0 then
    unreadable[1], sizes.sram = { 0xa000, 0xbfff }, 0
  end
  local rest = rom_size % (kind == MBC6 and HALF_BANK or BANK)
  if rest > 0 and rom_size > BANK then -- of the last bank, and any bank may be the selected one
    unreadable[#unreadable + 1] = { rest, BANK - 1 }
    unreadable[#unreadable + 1] = { BANK + rest, 2 * BANK - 1 }
    sizes.cart0 = rom_size
  end
  return {
    unreadable = #unreadable > 0 and unreadable or nil, unwritable = unwritable, sizes = sizes, ram_is_apart = kind == MBC7 or kind == TAMA5,
  }
end

return cartridge
