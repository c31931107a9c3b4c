-- Prints a line as soon as the test game counts frames, which is after it has cleared its memory. Loaded beside the script under test.

local FRAMES <const> = { [C.PLATFORM.GBA] = 0x02000008, [C.PLATFORM.GB] = 0xC108 }
local is_running = false

callbacks:add("frame", function()
  if not is_running and emu and emu:read32(FRAMES[emu:platform()]) > 0 then
    is_running = true
    console:log("The test game runs.")
  end
end)
