-- Constants that several modules share.

local VERSION <const> = "@VERSION@" -- lua/bundle.lua writes the content of the file VERSION here

local PROTOCOL <const> = 3
local TERMINATOR <const> = "<|END|>"
local SAVESTATE <const> = { screenshot = 1, save = 30, load = 25, restore = 10, metadata = 16, all = 31 }
local LOG_LEVELS <const> = { error = 1, warn = 2, info = 3, debug = 4 }
local KEYS <const> = { "A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L" }
local ALL_KEYS <const> = (1 << #KEYS) - 1
local MAX_ID <const> = (1 << 53) - 1 -- the largest integer that JSON clients have
local GBA <const>, GB <const> = 0, 1
local MILLISECOND <const> = 1000

return {
  VERSION = VERSION, PROTOCOL = PROTOCOL, TERMINATOR = TERMINATOR, SAVESTATE = SAVESTATE, LOG_LEVELS = LOG_LEVELS, KEYS = KEYS, ALL_KEYS = ALL_KEYS,
  MAX_ID = MAX_ID, GBA = GBA, GB = GB, MILLISECOND = MILLISECOND,
}
