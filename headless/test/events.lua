-- Logs the first time of every event and, at shutdown, how often each came.
local names = { "start", "reset", "frame", "keysRead", "shutdown", "crashed", "savedataUpdated", "stop", "sleep", "alarm" }
local count = {}

for _, name in ipairs(names) do
  callbacks:add(name, function()
    count[name] = (count[name] or 0) + 1
    if name ~= "frame" and name ~= "keysRead" or count[name] == 1 then
      console:log(("event %s %d emu=%s"):format(name, count[name], emu and "yes" or "no"))
    end
    if name == "shutdown" then
      for _, each in ipairs(names) do
        console:log(("count %s %d"):format(each, count[each] or 0))
      end
    end
  end)
end
