-- Key messages of mGBA-http.

local arguments = require("wire.arguments")
local key_commands = require("commands.keys")
local constants = require("base.constants")
local game = require("game.game")
local input = require("keys.input")
local legacy = require("legacy.messages")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local tap_queue = require("keys.tap_queue")

local parse = arguments.parse
local KEYS <const> = constants.KEYS
local core_or_refuse = game.core_or_refuse
local chord, mask_of = key_commands.chord, key_commands.mask_of
local key_mask, message, named_keys = legacy.key_mask, legacy.message, legacy.named_keys
local read, split = legacy.read, legacy.split
local concat = table.concat

local COMPAT <const> = input.COMPAT
local TAP_FRAMES <const> = 15

local function add_keys(mask)
  core_or_refuse()
  levels.hold(COMPAT, nil, mask)
end

local function clear_keys(mask)
  core_or_refuse()
  levels.clear(COMPAT, mask)
end

local function tap(keys, frames)
  core_or_refuse()
  tap_queue.add(keys, frames, 2, { holder = COMPAT }, "shorten")
end

local duration = arguments.integer_between(1, LIMITS.frames, "duration")

message("core.addKey", split.values, function(key) add_keys(1 << parse.key(key)) end)
message("core.addKeys", split.values, function(mask) add_keys(key_mask(mask)) end)
message("core.clearKey", split.values, function(key) clear_keys(1 << parse.key(key)) end)
message("core.clearKeys", split.values, function(mask) clear_keys(key_mask(mask)) end)

message("core.setKeys", split.values, function(mask)
  core_or_refuse()
  levels.set(COMPAT, nil, key_mask(mask))
end)

read("core.getKey mgba-http.button.get", split.values, function(key)
  return input.reported() >> parse.key(key) & 1
end)

read("core.getKeys", split.values, input.reported)
message("mgba-http.button.add", split.values, function(key) add_keys(1 << parse.key(key)) end)
message("mgba-http.button.addMany", split.values, function(names) add_keys(mask_of(named_keys(names))) end)
message("mgba-http.button.clear", split.values, function(key) clear_keys(1 << parse.key(key)) end)
message("mgba-http.button.clearMany", split.values, function(names) clear_keys(mask_of(named_keys(names))) end)
message("mgba-http.button.tap mgba-http.button", split.values, function(key) tap({ parse.key(key) }, TAP_FRAMES) end)
message("mgba-http.button.tapMany mgba-http.button.tapmany", split.values, function(names) tap(chord(named_keys(names)), TAP_FRAMES) end)
message("mgba-http.button.hold", split.values, function(key, frames) tap({ parse.key(key) }, duration(frames)) end)

message("mgba-http.button.holdMany mgba-http.button.holdmany", split.values, function(names, frames)
  tap(chord(named_keys(names)), duration(frames))
end)

read("mgba-http.button.getAll", split.values, function()
  local names, mask = {}, input.reported()
  for key = 9, 0, -1 do
    if mask >> key & 1 == 1 then
      names[#names + 1] = KEYS[key + 1]
    end
  end
  return concat(names, ",")
end)
