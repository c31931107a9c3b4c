-- Save states: raw ones, and PNG files that contain one. A state is checked before mGBA loads it.

local constants = require("base.constants")
local game = require("game.game")
local host = require("base.host").calls
local inflate = require("game.inflate")
local jobs = require("request.jobs")
local LIMITS <const> = require("base.limits")
local replies = require("request.replies")
local save_file = require("game.save_file")
local state = require("base.state")
local state_checks = require("game.state_checks")
local state_formats = require("game.state_formats")
local wire = require("wire.text")
local work = require("request.work")

local GB <const>, GBA <const>, SAVESTATE <const> = constants.GB, constants.GBA, constants.SAVESTATE
local core_or_refuse, nested = game.core_or_refuse, game.nested
local DEFERRED <const> = replies.DEFERRED
local answer = replies.answer
local check_gb, check_gba, with_recent_sound = state_checks.check_gb, state_checks.check_gba, state_checks.with_recent_sound
local sub, unpack = string.sub, string.unpack
local concat = table.concat
local refuse = wire.refuse

local states = { sizes = { [GBA] = LIMITS.state, [GB] = 0x11800 } } -- of raw states without extra data
local EXTRA_SAVE <const>, EXTRA_CLOCK <const> = 2, 4 -- 3 is the cheats; a load uses these three tags of the extra data
local ENTRIES <const> = 64
local WITH_SAVE <const> = 2 -- the flag that puts the save data into the save file
local KEPT_PARTS <const> = WITH_SAVE + 8 -- and the clock
local MAX_SAVE <const> = { [GBA] = 0x20100, [GB] = LIMITS.state_extra } -- the largest save file and the clock behind it; MBC6 has 1 MiB of flash memory

--- Joins the core's part and a table of extra data as mGBA writes it, without unused entries.
function states.join(core, extra)
  state_checks.check_extra(extra, EXTRA_SAVE, EXTRA_CLOCK, MAX_SAVE[game.platform])
  local heads, parts, at = {}, {}, #core + 16
  for tag = EXTRA_SAVE, EXTRA_CLOCK do
    at = at + (extra[tag] and 16 or 0)
  end
  for tag = EXTRA_SAVE, EXTRA_CLOCK do
    local part = extra[tag]
    if part then
      heads[#heads + 1], parts[#parts + 1] = string.pack("<I4i4i8", tag, #part, at), part
      at = at + #part
    end
  end
  return core .. concat(heads) .. ("\0"):rep(16) .. concat(parts)
end

--- The extra data of a raw state by tag. After an empty entry mGBA 0.10.5 reads from a wrong position and older versions
--- loop forever, so empty entries are removed.
local function extra_of(data, size)
  local extra, at = {}, size + 1
  for _ = 1, ENTRIES do
    if at + 15 > #data then
      return extra -- mGBA stops here as well
    end
    local tag, length, offset = unpack("<I4i4i8", data, at)
    if tag == 0 then
      return extra
    elseif length < 0 or offset < size or offset > #data - length then
      local entry = (at - size - 1) // 16 + 1
      refuse("not-a-state", "entry %d of the state's extra data (%d bytes at %d) is outside the state's %d bytes", entry, length, offset, #data)
    end
    if tag >= EXTRA_SAVE and tag <= EXTRA_CLOCK and length > 0 then
      extra[tag] = sub(data, offset + 1, offset + length)
    end
    at = at + 16
  end
  refuse("not-a-state", "the state's table of extra data has more than %d entries", ENTRIES)
end

--- Refuses a raw state that could hang or end the emulator.
function states.check_core(data)
  local size = states.sizes[game.platform]
  if not size then
    refuse("unsupported", "states of this console are not known")
  end
  local other = state_formats.name_of(data, game.platform == GBA)
  if other then
    refuse("not-a-state", "these %d bytes %s", #data, other)
  elseif #data < size then
    refuse("not-a-state", "these %d bytes are no save state of this console: a raw one has at least %d", #data, size)
  end
  if game.platform == GBA then
    check_gba(data)
  else
    check_gb(data, game.limits.ram_is_apart)
  end
end

--- A raw state that is safe to load: checked, with recent times of sound, and with a rebuilt table of extra data.
function states.checked(data)
  states.check_core(data)
  local size = states.sizes[game.platform]
  return states.join(with_recent_sound(sub(data, 1, size), game.platform == GBA), extra_of(data, size))
end

local PNG_START <const> = "\x89PNG\r\n\x1a\n"

function states.is_png(data)
  return sub(data, 1, #PNG_START) == PNG_START
end

--- Calls `visit` with the kind, position and length of each chunk.
local function each_chunk(data, visit)
  local at = #PNG_START + 1
  while at + 11 <= #data do
    local length, kind = unpack(">I4c4", data, at)
    if length > #data - at - 11 then
      refuse("not-a-state", "chunk %s of this PNG has %d bytes, which is beyond its end", wire.printable(kind), length)
    end
    visit(kind, at + 8, length)
    at = at + length + 12
  end
end

--- The raw state in a PNG state. Runs in a coroutine and yields after each piece.
function states.unpack(data)
  local size, core, extra = states.sizes[game.platform] or 0, nil, {}
  each_chunk(data, function(kind, at, length)
    if kind == "gbAs" and not core then
      core = inflate.inflate(sub(data, at, at + length - 1), size)
    elseif kind == "gbAx" and length >= 8 then
      local tag, bytes = unpack("<I4I4", data, at)
      if bytes > 0 and tag >= 2 and tag <= 4 then
        if bytes > LIMITS.state_extra then
          refuse("not-a-state", "extra data of this state has %d bytes; the limit is %d", bytes, LIMITS.state_extra)
        end
        extra[tag] = inflate.inflate(sub(data, at + 8, at + length - 1), bytes)
      end
    end
  end)
  if not core or #core ~= size then
    refuse("not-a-state", core and "this PNG's state has %d bytes instead of %d" or "this PNG holds no save state", core and #core, size)
  end
  return states.join(core, extra)
end

function states.save(flags)
  local core = core_or_refuse()
  local data = game.save_buffer(core, flags)
  if not data then
    refuse("unsupported", "mGBA could not make this save state%s", flags & 1 == 1 and "; leave out flag 1 (screenshot)" or "")
  end
  return data
end

--- Refuses a state with the reason of the host, where it has one.
local function refuse_of_host()
  local problem = host and host.stateProblem and host.stateProblem() or ""
  if problem ~= "" then
    refuse("not-a-state", "%s", problem)
  end
end

--- Corrects the times of sound of a state that mGBA has just loaded, as `states.checked` does before a load. `loaded` is the game as it is now.
local function correct_sound(core, loaded)
  local corrected = with_recent_sound(loaded, game.platform == GBA)
  if corrected ~= loaded then
    nested(core.loadStateBuffer, core, corrected, 0)
  end
end

--- Loads a state by a method of the core. After a load without save data, a window keeps the save file aside until the game writes or is
--- reset, and would not write the save data of this state to it: so it is reset in between.
local function load_by(method, core, source, flags)
  local loaded = nested(method, core, source, flags) -- an invalid instruction may run `crashed` callbacks
  if loaded and flags & WITH_SAVE ~= 0 and not (host and host.saveProblem) then
    nested(core.reset, core)
    loaded = nested(method, core, source, flags)
  end
  return loaded
end

function states.load_raw(data, flags)
  local core, checked = core_or_refuse(), states.checked(data)
  game.moved()
  if not load_by(core.loadStateBuffer, core, checked, flags) then
    refuse_of_host()
    refuse("not-a-state", "mGBA refuses these %d bytes as a save state of this game", #data)
  elseif not state_checks.has_sample_time(checked, game.platform == GBA) then
    correct_sound(core, states.save(0))
  end
  if flags & WITH_SAVE ~= 0 then
    save_file.note_sent()
    save_file.check()
  end
end

--- Gives the game other save data: by a state of this moment, after which `reset` makes the game read it.
function states.load_save(data, reset)
  local core = core_or_refuse()
  local size = states.sizes[game.platform] or refuse("unsupported", "states of this console are not known")
  local now = states.join(sub(states.save(0), 1, size), { [EXTRA_SAVE] = data })
  game.moved()
  if not load_by(core.loadStateBuffer, core, now, WITH_SAVE) then
    refuse("failed", "mGBA did not take these %d bytes as save data", #data)
  end
  reset()
end

--- A job step that unpacks a PNG state, loads it through `run` and replies with the first result of `run`. One state is unpacked at a time.
function states.unpacking(request, data, flags, run)
  local unpacked = coroutine.wrap(function()
    return pcall(states.unpack, data)
  end)
  return function()
    if states.job and states.job ~= request.job and not states.job.done then
      return false
    end
    states.job = request.job
    local ok, raw = unpacked()
    if ok == nil then
      return false
    end
    answer(request, (run(ok and states.load_raw or error, raw, ok and flags or 0)))
    return true
  end
end

--- Loads a state of either kind.
function states.load(request, data, flags, run)
  if not states.is_png(data) then
    return (run(states.load_raw, data, flags))
  elseif request.is_item then
    refuse("not-a-state", "a PNG state takes frames to unpack, so it cannot be in a batch or a step; send it in state.load, or keep raw states (flags=30)")
  end
  core_or_refuse()
  jobs.check_limit(request)
  jobs.start(request, states.unpacking(request, data, flags, run), "slices", work.slice)
  return DEFERRED
end

local kept = { names = {}, data = {}, epoch = nil } -- states in the emulator, by number; `uses` says when each was used

--- The number of the state that is kept under a name, or nil.
local function number_of(name)
  if kept.epoch ~= state.epoch then -- another game
    kept.names, kept.data, kept.uses, kept.use, kept.epoch = {}, {}, {}, 0, state.epoch
  end
  for number = 0, LIMITS.kept_states - 1 do
    if kept.names[number] == name then
      return number
    end
  end
end

--- A number without a state, or that of the state that was used longest ago.
local function free_number()
  local found = 0
  for number = 0, LIMITS.kept_states - 1 do
    if (kept.uses[number] or 0) < (kept.uses[found] or 0) then
      found = number
    end
  end
  return found
end

local function note_use(number)
  kept.use = kept.use + 1
  kept.uses[number] = kept.use
end

--- Keeps the state of the machine under a name, for `recall`. Of more than LIMITS.kept_states the one that was used longest ago is forgotten.
function states.keep(name)
  if name == "" or #name > LIMITS.state_name then
    refuse("bad-argument", "the name of a kept state has 1 to %d bytes, not %d", LIMITS.state_name, #name)
  end
  core_or_refuse()
  local number = number_of(name) or free_number()
  kept.names[number] = nil
  if not (host and host.keepState) then
    kept.data[number] = states.save(KEPT_PARTS)
  elseif not host.keepState(number) then
    refuse("failed", "the emulator has no memory for this state")
  end
  kept.names[number] = name
  note_use(number)
end

function states.is_kept(name)
  return number_of(name) ~= nil
end

--- Continues from a kept state. It was taken of this game, so it needs no checks.
function states.recall(name)
  local core = core_or_refuse()
  local number = number_of(name) or refuse("not-found", "no state of this game is kept as %s; keep it with state.keep", wire.quote(name))
  note_use(number)
  game.moved()
  local loaded
  if host and host.keepState then
    loaded = nested(host.recallState, number)
  else
    loaded = nested(core.loadStateBuffer, core, kept.data[number], KEPT_PARTS)
  end
  if not loaded then
    refuse_of_host()
    refuse("failed", "mGBA does not load the state that is kept as %s", wire.quote(name))
  end
end

function states.call(fn, ...)
  return fn(...)
end

--- Reads a state file.
function states.read_file(path)
  local file = io.open(path, "rb")
  local data = file and file:read(LIMITS.tail + 1)
  if file then
    file:close()
  end
  if not data then
    refuse("not-found", "%q does not exist or cannot be read", wire.printable(path))
  elseif #data > LIMITS.tail then
    refuse("not-a-state", "%q has more than %d bytes", wire.printable(path), LIMITS.tail)
  end
  return data
end

--- A script cannot read a slot, so mGBA loads it and the resulting state is checked. Returns whether the slot held a state of this game.
function states.load_slot(slot, flags)
  local core = core_or_refuse()
  local before = states.save(SAVESTATE.restore)
  game.moved()
  local loaded = load_by(core.loadStateSlot, core, slot, flags)
  if not loaded then
    refuse_of_host()
  end
  local ok, problem = not loaded, nil
  if loaded then
    local now = states.save(0)
    ok, problem = pcall(states.check_core, now)
    if ok then
      correct_sound(core, now)
    end
  end
  if not ok then
    nested(core.loadStateBuffer, core, before, SAVESTATE.restore)
    error(problem, 0)
  elseif loaded and flags & WITH_SAVE ~= 0 then
    save_file.note_sent()
    save_file.check()
  end
  return loaded
end

function states.cost(values)
  return values.flags and values.flags & SAVESTATE.screenshot ~= 0 and work.png_state or work.state
end

return states
