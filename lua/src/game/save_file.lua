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

-- How files of other forms start, which the gateway takes as the bytes of a save.
local FORMS <const> = {
  { "ADVSAVEG", "is a file of a cheat device (.gsv)" },
  { "\13\0\0\0SharkPortSave", "is a file of a cheat device (.sps, .xps)" },
  { "\x1f\x8b", "is compressed by gzip" },
  { "#RZIPv", "is compressed by RetroArch" },
}
local OTHERS <const> = {
  { "PK\3\4", "is a zip archive; unpack the save file in it" },
  { "RASTATE", "is a save state, not save data; load it as a state" },
  { "\x89PNG", "is a save state or a picture, not save data; load it as a state" },
}
local DESMUME <const> = "|-DESMUME SAVE-|" -- at the end
local COPIED <const>, SIZES <const> = 512, { [512] = true, [2048] = true, [8192] = true, [32768] = true, [65536] = true, [131072] = true }

local function start_of(forms, head)
  for _, form in ipairs(forms) do
    if head:sub(1, #form[1]) == form[1] then
      return form[2]
    end
  end
end

--- What a file is that mGBA would take for save data as it is; nil for save data, and for a file that is to be made.
local function other_form(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local head, size = file:read(32) or "", file:seek("end") or 0
  local tail = file:seek("set", math.max(0, size - #DESMUME)) and file:read(#DESMUME) or ""
  file:close()
  local form = start_of(FORMS, head) or tail == DESMUME and "is a file of DeSmuME (.dsv)" or SIZES[size - COPIED] and "has 512 bytes in front of the save data"
  return form and form .. ", and the game could not save into it; send its bytes to the gateway as save data, which converts them" or start_of(OTHERS, head)
end

--- Has the game use another save file. Returns whether mGBA could open it.
function save_file.load(core, path, temporary)
  save_file.check()
  local other = other_form(path)
  if other then
    wire.refuse("failed", "%q %s", wire.printable(path), other)
  end
  local loaded = core:loadSaveFile(path, temporary)
  if loaded then
    save_file.note_sent()
  end
  return loaded
end

--- Refuses what saved something, or would use another save file, while the file cannot be written.
function save_file.check()
  local problem = save_file.problem()
  if problem then
    wire.refuse("save-failed", "%s", problem)
  end
end

return save_file
