-- Input: the only owner of the key mask.

local constants = require("base.constants")
local game = require("game.game")
local state = require("base.state")

local core_or_refuse = game.core_or_refuse

-- A key is down while a holder holds it or a tap of it runs. Times are in frames of the script (state.frame), so that loading a state, rewind
-- and reset cannot leave a key down. `down` is the mask that the script set last. The player's keys are in mGBA's mask too: mGBA removes a key
-- when the player releases it, and then the script sets its own again. A key that was down before the script pressed it, and has been since, is
-- the player's and stays down when the script releases it. (A key that the player presses while the script holds it cannot be distinguished:
-- the game sees it up for one frame when the script releases it.)
local input = {
  LEASE = "lease", -- the holder of the keys of a lease's steps
  COMPAT = "compat", -- the holder of all requests in the style of mGBA-http, where a clear ends taps, too
  holders = {}, -- holder -> { [key] = first frame down }
  owners = {}, -- holder -> { [key] = owner of the level }, no entry for levels without an owner
  taps = {}, -- key -> list of taps, in order: see keys/tap_queue.lua
  tapped = 0, -- the keys that have taps, and perhaps others
  free = {}, -- key -> first frame at which it may go down again and still make an edge
  down = 0,
  player = 0, -- keys that the player held before the script did, and still holds
  ran = 0, -- the mask with which the last frame ran
  ran_frame = 0, -- the frame after it
}

for key = 0, 9 do
  input.taps[key], input.free[key] = {}, 0
end

--- The keys that holders keep down now.
function input.levels()
  local mask = 0
  for _, keys in pairs(input.holders) do
    for key, from in pairs(keys) do
      mask = from <= state.frame and mask | 1 << key or mask
    end
  end
  return mask
end

--- The mask that has to be down in this frame.
local function wanted_mask()
  local mask, frame = input.levels(), state.frame
  for key = 0, input.tapped ~= 0 and 9 or -1 do
    local taps = input.taps[key]
    while taps[1] and taps[1].up <= frame do
      table.remove(taps, 1)
    end
    if not taps[1] then
      input.tapped = input.tapped & ~(1 << key)
    elseif taps[1].down <= frame then
      mask = mask | 1 << key
      if taps[1].down == frame then
        taps[1].unseen = taps[1].unseen | input.ran & 1 << key
      end
    end
  end
  return mask
end

--- Applies changes to mGBA's mask. Called once a frame and after every change, so that a press takes effect in the frame it arrives in.
function input.apply()
  local core = game.core
  if not core then
    return
  end
  if input.ran_frame ~= state.frame then
    input.ran, input.ran_frame = input.down | game.get_keys(core), state.frame
  end
  local mask = wanted_mask()
  local released = input.down & ~mask
  if mask | released ~= 0 then
    input.player = game.get_keys(core) & (input.player | ~input.down)
  end
  if released ~= 0 then
    game.clear_keys(core, released & ~input.player)
    for key = 0, 9 do
      if released >> key & 1 == 1 and input.free[key] <= state.frame then
        input.free[key] = state.frame + 1
      end
    end
  end
  if mask ~= 0 then
    game.add_keys(core, mask)
  end
  input.down = mask
end

--- Whether the mask stays as it is without another request.
function input.is_settled()
  for _, keys in pairs(input.holders) do
    for _, from in pairs(keys) do
      if from > state.frame then
        return false
      end
    end
  end
  return input.tapped == 0
end

--- Frames until all taps, those that wait included, are over.
function input.tap_frames()
  local last = state.frame
  for key = 0, 9 do
    last = math.max(last, input.free[key])
  end
  return last - state.frame
end

--- Whether a press of this key is active that another may join. One that ended in this frame is not: the game must see both.
function input.is_held(key)
  for _, keys in pairs(input.holders) do
    if keys[key] and keys[key] <= state.frame then
      return true
    end
  end
  for _, tap in ipairs(input.taps[key]) do
    if tap.holder and tap.down <= state.frame and tap.up > state.frame then
      return true
    end
  end
  return false
end

--- The mask as holders and player set it, so that a client reads what it has set. The game may differ for a frame: it sees a press that ended
--- in its own frame, and a press that waits for its edge comes later.
function input.reported()
  local mask = core_or_refuse():getKeys()
  for key = 0, 9 do
    local tap, bit = input.taps[key][1], 1 << key
    if tap and not tap.holder and tap.down <= state.frame and input.player & bit == 0 then
      mask = mask & ~bit
    end
  end
  for _, keys in pairs(input.holders) do
    for key in pairs(keys) do
      mask = mask | 1 << key
    end
  end
  return mask
end

--- Releases all keys, also in the game.
function input.forget_all()
  local held = input.down & ~input.player
  if held ~= 0 then
    pcall(function()
      emu:clearKeys(held)
    end)
  end
  input.holders, input.owners, input.down, input.tapped, input.ran = {}, {}, 0, 0, 0
  for key = 0, 9 do
    input.taps[key], input.free[key] = {}, 0
  end
end

--- Releases keys that an earlier script held when File > Reset ended it without notice. The player's keys are set again in the next frame.
function input.start_clean()
  pcall(function()
    emu:clearKeys(constants.ALL_KEYS)
  end)
end

return input
