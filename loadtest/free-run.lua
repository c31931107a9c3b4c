-- How many frames a second does an unthrottled host run that does nothing but read once a frame? What scripts/bench-lockstep measures steps against.
callbacks:add("frame", function()
  emu:read32(0x02000008)
end)
