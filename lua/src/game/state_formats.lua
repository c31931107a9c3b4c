-- Names what is not a state of mGBA for the running game, and how to bring the game from there.

local byte, find, sub, unpack = string.byte, string.find, string.sub, string.unpack

local state_formats = {}

local SAVE <const> = "; save in the game there, and give its save file (.sav) to the game here"
local RETROARCH <const> = "; if its core is mGBA, send the file's bytes to the gateway, which unpacks them; else save in the game there, "
  .. "and give its save file (.srm) to the game here"
local STARTS <const> = {
  { "\x1f\x8b", "are compressed by gzip; send the file's bytes to the gateway, which unpacks them, or unpack the file" },
  { "RASTATE", "are a state of RetroArch" .. RETROARCH },
  { "#RZIPv", "are compressed by RetroArch" .. RETROARCH },
  { "PK\3\4", "are a zip archive (the states of BizHawk are, too)" .. SAVE },
  { "NO$GBA", "are a state of NO$GBA" .. SAVE },
  { "MDFNSVST", "are a state of Mednafen" .. SAVE },
  { "DeSmuME SState", "are a state of DeSmuME" .. SAVE },
  { "ADVSAVEG", "are save data of a cheat device (.gsv), not a state; give them to the game as save data" },
  { "\13\0\0\0SharkPortSave", "are save data of a cheat device (.sps, .xps), not a state; give them to the game as save data" },
}
local SAVE_SIZES <const> = { [512] = true, [8192] = true, [32768] = true, [65536] = true, [131072] = true }
local GBA_LOGO <const> = "^...\xEA\x24\xFF\xAE\x51"
local GB_LOGO <const> = "\xCE\xED\x66\x66\xCC\x0D"

--- The versions of VisualBoyAdvance's states are small numbers, and a title follows.
local function is_visual_boy_advance(data)
  return #data > 20 and unpack("<I4", data) <= 20 and find(data, "^[%w _%-!.&']+%z*[%w%z ]", 5) ~= nil
end

--- What these bytes are, for a sentence after "these N bytes"; nil for what may be a state of this console.
function state_formats.name_of(data, is_gba)
  for _, start in ipairs(STARTS) do
    if sub(data, 1, #start[1]) == start[1] then
      return start[2]
    end
  end
  if sub(data, 2, 4) == "\0\0\1" or sub(data, 2, 4) == "\0\x40\0" then
    local other = is_gba and "Game Boy" or "Game Boy Advance"
    return byte(data, 4) == (is_gba and 0 or 1) and ("are a state of a %s game; load it where one runs"):format(other) or nil
  elseif sub(data, -4) == "BESS" then
    return "are a state of SameBoy, or another emulator with this format (BESS)" .. SAVE
  elseif is_visual_boy_advance(data) then
    return "are a state of VisualBoyAdvance" .. SAVE
  elseif find(data, GBA_LOGO) or sub(data, 0x105, 0x10a) == GB_LOGO then
    return "are a ROM, not a state"
  elseif SAVE_SIZES[#data] then
    return "are as many as a save file has; give them to the game as save data"
  end
end

return state_formats
