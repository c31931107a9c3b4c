-- Reads the settings from the environment and checks them.

local constants = require("base.constants")
local LIMITS <const> = require("base.limits")
local settings = require("base.settings")

local LOG_LEVELS <const> = constants.LOG_LEVELS
local tointeger = math.tointeger
local find, format, gmatch = string.find, string.format, string.gmatch

local environment = {}

local function environment_number(name, low, high, default)
  local text = os.getenv(name)
  if not text or text == "" then
    return default
  end
  local number = tointeger(tonumber(text))
  if not number or number < low or number > high then
    error(format("%s is %q; set it to an integer from %d to %d, or unset it", name, text, low, high), 0)
  end
  return number
end

local function environment_text(name, default)
  local text = os.getenv(name)
  return text and text ~= "" and text or default
end

function environment.read_settings()
  settings.port = environment_number("MGBA_BRIDGE_PORT", 1, 65535, settings.port)
  settings.connections = environment_number("MGBA_BRIDGE_CONNECTIONS", 1, 900, settings.connections)
  settings.linger = environment_number("MGBA_BRIDGE_LINGER", 0, 100, settings.linger)
  settings.bind = environment_text("MGBA_BRIDGE_BIND", settings.bind)
  settings.secret = environment_text("MGBA_BRIDGE_SECRET", settings.secret)
  local length = settings.secret and (utf8.len(settings.secret) or #settings.secret)
  if length and length < LIMITS.secret then
    error(format("MGBA_BRIDGE_SECRET has %d characters; use at least %d, for example what `openssl rand -hex 32` prints", length, LIMITS.secret), 0)
  end
  settings.nonce = environment_text("MGBA_BRIDGE_NONCE", settings.nonce)
  settings.log = environment_text("MGBA_BRIDGE_LOG", settings.log)
  local lease = environment_text("MGBA_BRIDGE_LEASE", settings.lease and "on" or "off")
  if lease ~= "on" and lease ~= "off" then
    error(format("MGBA_BRIDGE_LEASE is %q; use on or off", lease), 0)
  end
  settings.lease = lease == "on"
  if not LOG_LEVELS[settings.log] then
    error(format("MGBA_BRIDGE_LOG is %q; use error, warn, info or debug", settings.log), 0)
  end
  local folders = os.getenv("MGBA_BRIDGE_FOLDERS")
  if folders and folders ~= "" then
    settings.folders = {}
    for folder in gmatch(folders, "[^;]+") do
      if not find(folder, "^[/\\]") and not find(folder, "^%a:[/\\]") then
        error(format("MGBA_BRIDGE_FOLDERS names %q; write whole paths from the root, separated by ;", folder), 0)
      end
      settings.folders[#settings.folders + 1] = folder
    end
  end
end

return environment
