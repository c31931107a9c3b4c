-- An unthrottled emulator that reads one value per frame. scripts/bench-lockstep reports its steps relative to the frame rate of this script.
callbacks:add("frame", function()
  emu:read32(0x02000008)
end)
