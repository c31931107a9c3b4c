-- The global `headless` of mgba-headless (headless/scripts/functions.h) in the fake host's time.

local fake_headless = {}

--- Whether something arrived on this socket that was not reported yet: edges, as epoll reports them.
local function is_new(watched)
  local socket = watched.socket
  if socket.is_closed then
    return false
  elseif socket.backlog then
    return #socket.backlog > 0 and #socket.backlog ~= watched.reported
  end
  return socket.client.arrivals ~= watched.reported and (socket.client.inbox[1] ~= nil or socket.client.eof == true)
end

local function find_new(list)
  for _, watched in ipairs(list) do
    if is_new(watched) then
      return watched
    end
  end
end

--- Cheats as far as the script knows them: the codes ADDRESS:VALUE and ADDRESS VALUE, of which the first is written when the cheat is switched on.
local function add_cheats(world, calls)
  local cheats = {}
  local function find(name)
    for i, cheat in ipairs(cheats) do
      if cheat.name == name then
        return cheat, i
      end
    end
  end
  local function write(cheat)
    for address, value in cheat.codes:gmatch("(%x+):(%x%x)") do
      world.core.bytes[tonumber(address, 16)] = cheat.enabled and tonumber(value, 16) or nil
    end
  end
  function calls.setCheat(name, codes, enabled)
    local lines = {}
    for code in codes:gmatch("[^+\n]+") do
      if not code:find("^%x+[: ]%x+$") then
        return ('"%s" is no code that mGBA knows for this console'):format(code)
      end
      lines[#lines + 1] = code .. "\n"
    end
    local cheat = { name = name, codes = table.concat(lines), enabled = enabled }
    cheats[select(2, find(name)) or #cheats + 1] = cheat
    write(cheat)
    return ""
  end
  function calls.loadCheats(text)
    local last = "the file has no cheat for this console"
    for name, code in text:gmatch("# ([^\n]+)\n([^\n]+)") do
      last = calls.setCheat(name, code, true)
    end
    return last
  end
  function calls.enableCheat(name, enabled)
    local cheat = find(name)
    if cheat then
      cheat.enabled = enabled
      write(cheat)
    end
    return cheat ~= nil
  end
  function calls.removeCheat(name)
    local at = select(2, find(name))
    return at ~= nil and table.remove(cheats, at) ~= nil
  end
  function calls.cheat(number)
    local cheat = cheats[number]
    return cheat and ("%s\n%s\n%s"):format(cheat.enabled and "on" or "off", cheat.name, cheat.codes) or ""
  end
  return calls
end

--- Debugging: `world.points` are those that are set, world:hit() hits one; a game that is halted gets idle callbacks in place of frames.
local function add_debugger(world, calls)
  local last, count, pc, hit = 0, 0, 0x08000000, nil
  world.points = {}
  local function halt(reason, details)
    count = count + 1
    world.halted = ("%d %s %d 0%s"):format(count, reason, pc, details and " " .. details or "")
  end
  --- Hits a point; `details` is what headless.hit() returns behind its id.
  function world:hit(id, details)
    hit = id .. " " .. details
    self.halts_here = false
    self:trigger("debugHit")
    if self.halts_here then
      halt("point", hit)
    end
  end
  function calls.addPoint(kinds, first, final, bank)
    last = last + 1
    world.points[last] = ("%d 0x%08X 0x%08X %d"):format(kinds, first, final, bank)
    return last
  end
  function calls.removePoint(id)
    local found = world.points[id] ~= nil
    world.points[id] = nil
    return found
  end
  function calls.hit() return hit end
  function calls.haltHere() world.halts_here = true end
  function calls.halt() halt("requested") end
  function calls.resume(how)
    if world.halted then
      world.halted = nil
      if how > 0 then
        pc = pc + 4
        halt("step")
      end
    end
  end
  function calls.halted() return world.halted or "" end
  function calls.release() world.halted = nil end
  function calls.isSearching() return false end
  local megabytes = 0
  function calls.keepHistory(wanted) megabytes = wanted end
  function calls.history() return megabytes .. " 0 0 0 0 0 0 0 " end
  function calls.goBack() pc = pc - 4 halt("step") return true end
  function calls.findWriters() return true end
  function calls.writers() return "0 5 134217736 0 33554432 4 1 2\n" end
  function calls.findTrace(...)
    world.traced = table.concat({ ... }, " ")
    return select(2, ...) <= select(3, ...)
  end
  function calls.past(frame, domain, offset, length)
    world.past = ("%d %s %d %d"):format(frame, domain, offset, length)
    return frame < 0 and "" or ("p"):rep(length)
  end
  function calls.trace() return '5 2 1\n5 0 77 3 2 134217736 0 134217800 0 0 0 "bl 0x08000048"\n5 1 99 3 64 134217736 0 67108960 2 7 1 ""\n' end
  function calls.callStack(lines)
    return ("pc 0 134217736 nil nil nil nil\nlink 0 134217800 134217796 0 134217728 nil\n"):match(("[^\n]*\n"):rep(math.min(lines, 2)))
  end
  function calls.isStepping() return false end
  function calls.lostHits() return 0 end
  return calls
end

--- `world.log` are the lines that the game has printed; `world.sound` is the sound that it has made; `world.rumbles` says that its motor runs;
--- `world.skip` frames run without the event, `world.skipped` did, `world.waits` counts calls of wait; `world.cannot_watch` makes watch fail.
function fake_headless.new(world)
  local list = {}
  world.waits, world.log, world.sound = 0, {}, ""
  world.skip, world.skipped = 0, 0
  return add_debugger(world, add_cheats(world, {
    isRom = function(path)
      local file = world.files[path]
      return file ~= nil and file.platform == world.platform
    end,
    now = function()
      world:spend(0.2)
      return math.floor(world.now)
    end,
    period = function() return world.is_unlimited and 0 or world.period end,
    left = function()
      local due = world.is_unlimited and world.now or world.next_due or world.next_frame
      return math.max(0, math.floor(due - world.now))
    end,
    watch = function(socket, id)
      if not world.cannot_watch then
        list[#list + 1] = { socket = socket, id = id, reported = 0 }
      end
      return not world.cannot_watch
    end,
    skip = function(frames)
      local skipped = world.skipped
      world.skip, world.skipped = frames, 0
      return skipped
    end,
    isEnding = function() return world.is_ending == true end,
    logged = function() return #world.log end,
    line = function(number) return world.log[number] or "" end,
    pixels = function(channels, width, height) return ("x"):rep(channels * (width > 0 and width or 240) * (height > 0 and height or 160)) end,
    pixelsWidth = function() return 240 end,
    pixelsHeight = function() return 160 end,
    heard = function() return #world.sound // 4 end,
    samples = function(from) return world.sound:sub(from * 4 + 1) end,
    setSensors = function(...) world.sensors = table.concat({ ... }, " ") end,
    setCamera = function(picture)
      world.camera = picture
      return true
    end,
    clock = function() return world.clock or "host 0 1767225600000" end,
    setClock = function(mode, value)
      world.clock = ("%s %d %d"):format(mode, value, mode == "host" and 1767225600000 or mode == "offset" and 1767225600000 + value or value)
      return true
    end,
    cartridge = function() return "save-type sram detected\nhardware none default" end,
    disassemble = function(address, count, mode, bank)
      world.disassembled = ("%d %d %s %d"):format(address, count, mode, bank)
      return ('0 %d "fefffeea" "branch" 0 134217920 nil "b 0x080000c0"\n'):format(math.max(address, 0)):rep(math.min(count, 2))
    end,
    bank = function(address) return address // 0x4000 end,
    rumble = function() return world.rumbles == true end,
    wait = function(microseconds)
      world.waits = world.waits + 1
      world:spend(1)
      world:sleep(microseconds, function() return find_new(list) ~= nil end)
      local watched = find_new(list)
      if watched then
        watched.reported = watched.socket.backlog and #watched.socket.backlog or watched.socket.client.arrivals
      end
      return watched and watched.id or -1
    end,
  }))
end

return fake_headless
