-- Changes of the running game: reset, step, another ROM.

local arguments = require("wire.arguments")
local clock = require("pace.clock")
local connections = require("net.connections")
local constants = require("base.constants")
local crypto = require("base.crypto")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local host = require("base.host").calls
local input = require("keys.input")
local jobs = require("request.jobs")
local memory = require("game.memory")
local pace = require("pace.schedule")
local replies = require("request.replies")
local requests = require("session.requests")
local sensors = require("game.sensors")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local to_integer = arguments.to_integer
local GB <const>, GBA <const> = constants.GB, constants.GBA
local core_or_refuse, nested = game.core_or_refuse, game.nested
local DEFERRED <const> = replies.DEFERRED
local answer, answer_error = replies.answer, replies.answer_error
local byte, find, sub = string.byte, string.find, string.sub
local refuse = wire.refuse

local LOGO <const>, LOGO_AT <const> = "\xce\xed\x66\x66", 0x104
local GBA_BRANCH <const> = "\xea" -- each GBA game begins with a branch
local GBX <const>, ZIP <const>, SEVEN_ZIP <const> = "GBX!", "PK\x03\x04", "7z\xbc\xaf\x27\x1c"
local LOADS_OF_A_WINDOW <const> = 800 -- with 1,024 open files select() would end mGBA

local loads = 0

local control = {}

--- Cancels all requests, releases all keys and ends all freezes when the game changes.
function control.cancel_all()
  input.forget_all()
  freezes.drop()
  sensors.drop()
  debugger.drop()
  for _, job in ipairs(jobs.all()) do
    jobs.stop(job)
    answer_error(job.request, "cancelled the game was closed or changed while this was under way")
  end
end

--- Detects another game, or none: a new epoch begins, and no key of the old one stays down.
local function identify_again()
  local before = game.identity
  game.identify()
  if game.identity == before then
    return false
  end
  state.epoch = crypto.random_hex(8)
  requests.forget_parsed()
  control.cancel_all()
  clock.trusted = nil
  pace.start_learning()
  return true
end

function control.update_game()
  if identify_again() and game.core then
    connections.announce("game.opened", wire.record({ "title", game.title, "code", game.code, "crc32", game.crc32, "platform", game.platform_name() }))
  end
end

--- Resets the game. See control.step for its effect on steps in the same frame.
function control.reset()
  local core = core_or_refuse()
  game.moved()
  nested(core.reset, core)
end

-- Where a state has the flag of a halted processor: offset and mask
local HALTED <const> = { [GBA] = { 0x31c, 1 }, [GB] = { 0x44, 0x10 } }

local HALT <const> = "\x76"

--- Whether an interrupt is sure to end a halt soon: V-blank, or on a Game Boy the timer.
local function will_wake(core)
  if game.platform == GBA then
    return core:read16(0x04000200) & 1 == 1 and core:read16(0x04000004) & 8 == 8
  end
  local enabled = core:read8(0xffff)
  return enabled & 1 == 1 and core:read8(0xff40) & 0x80 ~= 0 or enabled & 4 == 4 and core:read8(0xff07) & 4 == 4
end

--- Whether the processor is halted, or on a Game Boy may be about to halt.
local function may_be_halted(core)
  work.spent = work.spent + work.state
  local offset, mask = HALTED[game.platform][1], HALTED[game.platform][2]
  if (byte(states.save(0), offset + 1) or 0) & mask ~= 0 then
    return true
  end
  local pc = game.platform == GB and to_integer(core:readRegister("pc"))
  if not pc then
    return false
  end
  local ok, code = pcall(memory.read, math.max(0, pc - 2), math.min(5, 0x10000 - pc + 2))
  return not ok or find(code, HALT, 1, true) ~= nil
end

--- mGBA's step of a halted processor returns when an interrupt ends the halt; without one, never.
local function step_once(core)
  if not will_wake(core) and may_be_halted(core) then
    refuse("busy", "the processor is halted and no interrupt is sure to wake it: the step might never return; step in a later frame")
  end
  nested(core.step, core)
end

--- Runs one instruction. On a Game Boy a step after a reset or a loaded state in the same callback leaves mGBA 0.10 in an endless loop, so
--- it runs one frame later then.
function control.step(request)
  local core = core_or_refuse()
  if game.moved_frame ~= state.frame then
    step_once(core)
    return
  elseif request.is_item then
    refuse("busy", "the game was reset or a state loaded in this frame; step in a later one")
  end
  jobs.check_limit(request)
  jobs.start(request, function()
    if game.moved_frame ~= state.frame then
      core = core_or_refuse()
      step_once(core)
      answer(request)
      return true
    end
  end)
  return DEFERRED
end

--- Whether mGBA may take the file for a game of this console; mgba-headless knows it. For a Game Boy mGBA looks for the start of the logo or for a GBX
--- footer, also inside an archive.
local function may_be_game(path)
  if host then
    return host.isRom(path)
  end
  local file = io.open(path, "rb")
  if not file then
    return true -- mGBA says what is wrong
  end
  local head = file:read(LOGO_AT + #LOGO) or ""
  file:seek("end", -#GBX)
  local foot = file:read(#GBX)
  file:close()
  local is_game_boy = sub(head, LOGO_AT + 1) == LOGO or foot == GBX
  if game.platform ~= GB then
    return not is_game_boy or sub(head, 4, 4) == GBA_BRANCH
  end
  return is_game_boy or find(head, ZIP, 1, true) == 1 or find(head, SEVEN_ZIP, 1, true) == 1
end

--- Loads another ROM. Returns false and why when mGBA could not. What is no game of this console is refused before, and the running game continues:
--- newer engines unload the old one first and need a reset immediately after a failure; on a Game Boy mGBA 0.10.5 then reads memory of a cartridge that is
--- not there.
function control.load_rom(path, resets)
  local core = core_or_refuse()
  if not may_be_game(path) then
    return false, ("it is not a %s game; the game that runs continues"):format(game.platform == GB and "Game Boy" or "Game Boy Advance")
  elseif state.host ~= "headless" and loads >= LOADS_OF_A_WINDOW then
    return false, "this window has loaded " .. loads .. " games, and mGBA keeps a file open for each; start it again"
  end
  loads = loads + 1
  game.memory = {}
  if path:find("^%a:\\") then -- a path of Windows, where mGBA, too, looks for the last / to name the save file
    path = path:gsub("\\", "/")
  end
  local ok = nested(core.loadFile, core, path)
  if ok and resets then
    core:autoloadSave()
  end
  game.moved()
  if resets or not ok then
    control.reset()
  end
  return ok, "the file may be damaged. The game was reset"
end

return control
