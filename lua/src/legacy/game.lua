-- Core, memory, register, file and console messages of mGBA-http.

local arguments = require("wire.arguments")
local key_commands = require("commands.keys")
local constants = require("base.constants")
local control = require("commands.game_control")
local game = require("game.game")
local jobs = require("request.jobs")
local legacy = require("legacy.messages")
local memory_compat = require("game.memory_compat")
local paths = require("wire.paths")
local registers = require("commands.registers")
local save_file = require("game.save_file")
local screen = require("commands.screen")
local state = require("base.state")
local states = require("game.states")
local wire = require("wire.text")
local work = require("request.work")

local parse = arguments.parse
local GB <const>, SAVESTATE <const> = constants.GB, constants.SAVESTATE
local core_or_refuse = game.core_or_refuse
local answer_at = key_commands.answer_at
local flags_or, message, number = legacy.flags_or, legacy.message, legacy.number
local read, split, tolerant = legacy.read, legacy.split, legacy.tolerant
local lower = string.lower
local concat = table.concat
local refuse = wire.refuse

for _, name in ipairs({ "currentFrame", "frameCycles", "frequency", "platform", "romSize", "getGameCode", "getGameTitle" }) do
  read("core." .. name, split.values, function()
    local core = core_or_refuse()
    return core[name](core)
  end)
end

message("core.autoloadSave", split.values, function()
  local loaded = core_or_refuse():autoloadSave()
  if loaded then
    save_file.note_sent()
  end
  return loaded
end)

read("core.checksum", split.values, function()
  core_or_refuse()
  return game.crc32
end)

message("core.step", split.values, function(_, _, _, request)
  return control.step(request)
end)

message("core.runFrame", split.values, function(_, _, _, request) -- emu:runFrame in a callback would call this script recursively
  core_or_refuse()
  jobs.check_limit(request)
  return answer_at(request, state.frame + 1)
end)

message("coreAdapter.reset", split.values, function()
  control.reset()
end)

read("coreAdapter.memory", split.values, function()
  core_or_refuse()
  return concat(game.domain_ids, ",")
end)

for width, bits in pairs({ [1] = "8", [2] = "16", [4] = "32" }) do
  local mask = (1 << width * 8) - 1
  read("core.read" .. bits, split.values, function(address) return memory_compat.read_number(number(address), width) end)
  message("core.write" .. bits, split.values, function(address, value)
    memory_compat.write_number(number(address), width, number(value) & mask)
  end)
  read("memoryDomain.read" .. bits, split.values, function(domain, offset)
    return memory_compat.read_number({ domain = domain, offset = number(offset) }, width)
  end)
  message("memoryDomain.write" .. bits, split.values, function(domain, offset, value)
    memory_compat.write_number({ domain = domain, offset = number(offset) }, width, number(value) & mask)
  end)
end

for _, name in ipairs({ "base", "bound", "size", "name" }) do
  read("memoryDomain." .. name, split.values, function(domain)
    core_or_refuse()
    local known = game.domains[domain] or refuse("not-found", "%q is not a memory domain", wire.printable(domain))
    return known[name]
  end)
end

read("core.readRegister", split.values, function(name)
  local value = core_or_refuse():readRegister(name)
  if value and game.platform == GB then
    value = value & (#name == 1 and 0xff or 0xffff) -- mGBA 0.10 leaves garbage above it
  end
  return value
end)

message("core.writeRegister", split.values, function(name, value) registers.write(name, number(value)) end)

for _, level in ipairs({ "log", "warn", "error" }) do
  read("console." .. level, split.text, function(text)
    if text == "" then
      refuse("bad-argument", "the message is empty")
    end
    console[level](console, text)
  end)
end

for names, resets in pairs({ ["core.loadFile"] = false, ["mgba-http.extension.loadFile mgba-http.extension.loadfile"] = true }) do
  message(names, split.text, function(text)
    local path = parse.path(text)
    core_or_refuse()
    local loaded = paths.is_readable(path) and not save_file.problem() and (control.load_rom(path, resets))
    control.update_game()
    return loaded
  end, work.file)
end

message("core.loadSaveFile", split.text_and_word, function(text, temporary)
  return save_file.load(core_or_refuse(), parse.path(text), parse.boolean(lower(temporary)))
end, work.file)

message("core.saveStateFile", split.text_and_word, function(text, flags)
  return core_or_refuse():saveStateFile(parse.path(text), flags_or(flags, SAVESTATE.all))
end, work.slot)

message("core.loadStateFile", split.text_and_word, function(text, flags, _, request)
  core_or_refuse()
  local found, data = tolerant(states.read_file, parse.path(text))
  return found and states.load(request, data, flags_or(flags, SAVESTATE.load), tolerant)
end, work.slot)

message("core.saveStateSlot", split.values, function(slot, flags)
  return core_or_refuse():saveStateSlot(parse.slot(slot), flags_or(flags, SAVESTATE.all))
end, work.slot)

message("core.loadStateSlot", split.values, function(slot, flags)
  local checked, loaded = tolerant(states.load_slot, parse.slot(slot), flags_or(flags, SAVESTATE.load))
  return checked and loaded
end, work.slot)

message("core.screenshot", split.text, function(text) screen.save(parse.path(text)) end, work.screen + work.file)
