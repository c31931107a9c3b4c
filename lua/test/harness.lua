-- Tests: `test(name, function(world) … end)` runs in a fresh fake emulator; what the emulator noticed at its end fails the test too.

local fake_mgba = require("fake_mgba")

local harness = { passed = 0, failed = 0, skipped = 0, filter = os.getenv("ONLY"), suite = "" }

local function show(value)
  return type(value) == "string" and ("%q"):format(#value > 300 and value:sub(1, 300) .. "..." or value) or tostring(value)
end

function harness.equal(found, wanted, what)
  if found ~= wanted then
    error(("%s is %s, not %s"):format(what or "the value", show(found), show(wanted)), 2)
  end
end

function harness.matches(found, pattern, what)
  if type(found) ~= "string" or not found:find(pattern) then
    error(("%s is %s, which does not match %s"):format(what or "the text", show(found), pattern), 2)
  end
end

function harness.is_true(found, what)
  if not found then
    error(what or "it is not so", 2)
  end
end

--- A reply that is a refusal with this code, whose sentence names what was wrong.
function harness.refused(message, code, pattern)
  if not message then
    error("no answer", 2)
  elseif message.status ~= "error" or message.code ~= code then
    error(("the answer is %s, not %s"):format(message.head, code), 2)
  elseif pattern and not message.detail:find(pattern) then
    error(("%s does not match %s"):format(show(message.detail), pattern), 2)
  end
end

function harness.ok(message, text)
  if not message or message.status ~= "ok" then
    error("the answer is " .. (message and message.head or "missing"), 2)
  elseif text and message.text ~= text then
    error(("the answer is %s, not %s"):format(show(message.text), show(text)), 2)
  end
  return message
end

local function report(name, ok, problem)
  harness[ok and "passed" or "failed"] = harness[ok and "passed" or "failed"] + 1
  print((ok and "ok - " or "not ok - ") .. name)
  if not ok then
    print("  # " .. tostring(problem):gsub("\n", "\n  # "))
  end
end

--- options: those of fake_mgba.new. run(world) may be given without them.
function harness.test(name, options, run)
  if type(options) == "function" then
    options, run = {}, options
  end
  name = harness.suite .. ": " .. name
  if harness.filter and not name:find(harness.filter) then
    return
  end
  math.randomseed(20261121)
  local world
  local ok, problem = xpcall(function()
    world = options.bare and {} or fake_mgba.new(options)
    run(world)
  end, function(problem)
    local trace = debug.traceback("", 2):gsub("\n[^\n]*harness%.lua.*", "")
    return tostring(problem) .. trace:gsub("^.-stack traceback:", "")
  end)
  local noticed = world and world.problems and world:problems() or {}
  if #noticed > 0 and not options.expects_crash then
    ok, problem = false, (ok and "" or tostring(problem) .. "\n") .. "mGBA would have ended: " .. table.concat(noticed, "; ")
  end
  report(name, ok, problem)
end

return harness
