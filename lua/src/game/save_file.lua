-- The save file of the game. mgba-headless says when it cannot write it; a window does not say it.

local host = require("base.host").calls
local wire = require("wire.text")

local save_file = {
  sent = 0, -- how often the game got other save data from a client, or another save file
  report = nil, -- tells clients of changes; commands.saves sets it
}

--- Why the file does not have what the game or a client saved; nil when it has.
function save_file.problem()
  local problem = host and host.saveProblem and host.saveProblem() or ""
  return problem ~= "" and problem or nil
end

--- The game has got other save data: states from before do not go with it. Clients know it before the reply.
function save_file.note_sent()
  save_file.sent = save_file.sent + 1
  save_file.report()
end

--- Refuses what saved something, or would use another save file, while the file cannot be written.
function save_file.check()
  local problem = save_file.problem()
  if problem then
    wire.refuse("save-failed", "%s", problem)
  end
end

return save_file
