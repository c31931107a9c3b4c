-- File names from clients: only ordinary names below a folder of the settings are allowed. Lua cannot see symbolic links; a gateway on
-- this machine checks them (docs/settings.md).

local arguments = require("wire.arguments")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local parse = arguments.parse
local find, gmatch, gsub, lower, match, sub = string.find, string.gmatch, string.gsub, string.lower, string.match, string.sub
local concat = table.concat
local refuse = wire.refuse

local paths = {}

-- Device names on Windows, in every folder and with any extension.
local DEVICES <const> = { con = true, prn = true, aux = true, nul = true, ["clock$"] = true, ["conin$"] = true, ["conout$"] = true }

for digit in gmatch("0 1 2 3 4 5 6 7 8 9 \u{b9} \u{b2} \u{b3}", "[^ ]+") do
  DEVICES["com" .. digit], DEVICES["lpt" .. digit] = true, true
end

--- Why a name in a path is not allowed, or nil.
local function name_problem(name)
  if find(name, '[%c<>:"|?*]') then
    return 'has a control character or one of < > : " | ? *'
  elseif find(name, "^[. -]") then
    return "starts with a dot, a dash or a space"
  elseif find(name, "[. ]$") then
    return "ends with a dot or a space"
  elseif DEVICES[lower(match(name, "^[^. ]*"))] then
    return "is the name of a device on Windows"
  elseif #name > 255 then
    return "is longer than 255 bytes"
  end
end

--- Refuses a FIFO, which would block the emulator. Opened for update it does not block, and unlike a file it cannot seek. A read-only file
--- cannot be distinguished from a FIFO this way and is allowed.
local function check_kind(path)
  local file = io.open(path, "r+b")
  local size = file and file:seek("end")
  if file then
    file:close()
    return size or refuse("forbidden", "%q is not a regular file", wire.printable(path))
  end
end

--- The allowed folder that contains the path, and the rest of the path; nil when there is none.
local function split_path(path)
  if not find(path, "^/") and not find(path, "^%a:/") then
    return (gsub(settings.folders[1], "[/\\]+$", "")) .. "/", path
  end
  for _, folder in ipairs(settings.folders) do
    local root = gsub(gsub(folder, "\\", "/"), "/+$", "") .. "/"
    if sub(path, 1, #root) == root then
      return root, sub(path, #root + 1)
    end
  end
end

--- The command that starts this emulator with these folders.
local function command_with(folders)
  local quoted = gsub(gsub(concat(folders, ";"), "%c", "?"), "'", "'\\''")
  return "MGBA_BRIDGE_FOLDERS='" .. quoted .. "' " .. (state.host == "qt" and "mgba-qt GAME" or "mgba-bridge run GAME")
end

local function refuse_outside(text, path)
  local folders = { table.unpack(settings.folders) }
  folders[#folders + 1] = match(path, "^(.+)/") or path
  local allowed = concat(settings.folders, "; ")
  refuse("forbidden", "%q is outside the allowed folders (%s); to allow its folder: %s", wire.printable(text), allowed, command_with(folders))
end

function parse.path(text)
  local path = gsub(text, "\\", "/")
  if #settings.folders == 0 then
    refuse("forbidden", "files are off; to allow those in a folder: %s", command_with({ match(path, "^(/.+)/") or "/FOLDER" }))
  end
  local root, rest = split_path(path)
  if not root then
    refuse_outside(text, path)
  elseif not utf8.len(rest) then
    refuse("forbidden", "%q is not UTF-8", wire.printable(text))
  elseif rest == "" or find("/" .. rest .. "/", "//", 1, true) or find("/" .. rest .. "/", "/%.%.?/") then
    refuse("forbidden", "%q is not a plain path; omit . and .. and empty names", wire.printable(text))
  end
  for name in gmatch(rest, "[^/]+") do
    local problem = name_problem(name)
    if problem then
      refuse("forbidden", "%q in the path %s; use an ordinary file name", wire.printable(name), problem)
    end
  end
  check_kind(root .. rest)
  return root .. rest
end

function paths.is_readable(path)
  local file = io.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

return paths
