-- The example of CONTRIBUTING.md, "Add an operation", in a copy of the script: the bundle, its row in docs/protocol.md, and its transcript.

local t = require("harness")

local COMMANDS <const> = "gateway/src/MgbaBridge.Client/Commands"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function append(path, text)
  local file = assert(io.open(path, "ab"))
  file:write(text)
  file:close()
end

--- What the example adds: the command with its comment, and the transcript.
local function example()
  local section = read("CONTRIBUTING.md"):match("## Add an operation\n(.-)\n## ")
  local command, transcript = section:match("```lua\n(.-)   ```"), section:match("```\n(   > #.-)   ```")
  return command:gsub("\n   ", "\n"):gsub("^   ", ""), (transcript:gsub("\n   ", "\n"):gsub("^   ", ""))
end

--- Builds a copy with these additions; returns whether that succeeded, its output, and docs/protocol.md.
local function build(command, transcript)
  local folder = os.tmpname()
  os.remove(folder)
  local copy = "mkdir -p %s/lua && cp -r lua/src lua/test lua/*.lua lua/*.py %s/lua && cp -r docs VERSION %s && mkdir -p %s/"
  assert(os.execute(copy:format(folder, folder, folder, folder) .. COMMANDS))
  append(folder .. "/lua/src/commands/game.lua", "\n" .. command)
  append(folder .. "/docs/transcripts/states.txt", transcript)
  local make = "lua5.4 lua/bundle.lua && python3 lua/command_table.py && env -u ONLY lua5.4 lua/test/run.lua transcripts"
  local run = io.popen(("cd %s && (%s) 2>&1"):format(folder, make))
  local output = run:read("a")
  local ok = run:close()
  local protocol = read(folder .. "/docs/protocol.md")
  os.execute("rm -rf " .. folder)
  return ok, output, protocol
end

t.test("the example's command is bundled, has its row and answers as its transcript says", { bare = true }, function()
  local ok, output, protocol = build(example())
  t.is_true(ok, output)
  t.matches(protocol, "| `game.foo` | | integer | read | size of the ROM in KiB |")
end)

t.test("a command without a comment is named", { bare = true }, function()
  local command, transcript = example()
  local ok, output = build(command:gsub("%-%-%- @[^\n]*\n", ""), transcript)
  t.is_true(not ok)
  t.matches(output, "no comment `%-%-%- @command` in lua/src describes game%.foo")
end)

t.test("a command without a transcript is named", { bare = true }, function()
  local ok, output = build((example()), "")
  t.is_true(not ok)
  t.matches(output, "no transcript in docs/transcripts shows game%.foo")
end)

t.test("a comment of no command is named", { bare = true }, function()
  local command, transcript = example()
  local ok, output = build(command:gsub('name = "game%.foo"', 'name = "core.bar"'), (transcript:gsub("game%.foo", "core.bar")))
  t.is_true(not ok)
  t.matches(output, "commands/game%.lua: unknown, described twice or of different kinds: game%.foo")
end)
