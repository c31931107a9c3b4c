-- Builds lua/mgba-bridge.lua, the one file that users load, from the modules in lua/src: lua5.4 lua/bundle.lua [--check]
-- --check writes nothing and fails when the file differs from what the modules give.
--
-- mGBA 0.10 has no `require` for files beside a script, and a script that is loaded again must start from nothing. So the bundle does not use
-- package.loaded: each module is a function that runs once, after the modules it requires, and its table is kept in a local.

local folder = arg[0]:match("^(.*)/[^/]*$") or "."
local source, target = folder .. "/src/", folder .. "/mgba-bridge.lua"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local version = read(folder .. "/../VERSION"):match("^(%d+%.%d+%.%d+)\n$")
assert(version, "VERSION must be one line with three numbers, such as 0.1.0")
local order, texts, states = {}, {}, {}

--- Adds a module after those it requires. `chain` names the modules that led here.
local function visit(name, chain)
  chain = chain .. " -> " .. name
  assert(states[name] ~= "open", "modules require each other:" .. chain)
  if states[name] then
    return
  end
  states[name] = "open"
  texts[name] = read(source .. name:gsub("%.", "/") .. ".lua"):gsub('"@VERSION@"[^\n]*', ('"%s"'):format(version))
  for line in texts[name]:gmatch("[^\n]+") do
    local required = line:match('^require%("([%w_.]+)"%)') or line:match('^local [%w_]+ ?<?%w*>? = require%("([%w_.]+)"%)')
    assert(required or not line:find("require%(") or line:find("^ *%-%-"), name .. ": a require must be a line of its own: " .. line)
    if required then
      visit(required, chain)
    end
  end
  states[name] = "done"
  order[#order + 1] = name
end

visit("main", "")
local head, main = texts.main:match("^(%-%-.-\n)\n(.*)$")
local parts = {
  head,
  "--\n-- Built from lua/src by `make lua`: change the modules there. Only the settings below are meant to be changed here.\n\n",
  "local modules = {}\n\nlocal function require(name)\n  return modules[name]\nend\n",
}
for _, name in ipairs(order) do
  if name ~= "main" then
    parts[#parts + 1] = ("\n-- %s\n-- lua/src/%s.lua\n-- %s\n\n"):format(("="):rep(120), name:gsub("%.", "/"), ("="):rep(120))
    parts[#parts + 1] = ('modules["%s"] = (function()\n%send)()\n'):format(name, texts[name]:gsub("^\n+", ""))
  end
end
parts[#parts + 1] = ("\n-- %s\n-- lua/src/main.lua\n-- %s\n\n"):format(("="):rep(120), ("="):rep(120))
parts[#parts + 1] = main
local bundle = table.concat(parts)

if arg[1] == "--check" then
  if read(target) ~= bundle then
    io.stderr:write(target, " is not what lua/src gives: run make lua\n")
    os.exit(1)
  end
else
  local file = assert(io.open(target, "wb"))
  file:write(bundle)
  file:close()
end
