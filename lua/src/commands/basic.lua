-- Commands that need no game.

local commands = require("request.command_table")
local wire = require("wire.text")

local command = commands.define
local concat = table.concat
local refuse = wire.refuse

--- @command ping
--- @type Ping() Requests a heartbeat. It does not make the script wait for more requests.
--- @reply `ok`
--- @notes does not count as activity for linger
command({
  name = "ping",
  kind = "read",
  idle = true,
  run = function() end,
})

--- @command echo
--- @type Echo(Message:tail) Returns bytes unchanged. They are sent as a tail, so any byte is allowed.
--- @arguments string, or a tail
--- @reply the same, as string or as tail
command({
  name = "echo",
  kind = "read",
  arguments = { "string" },
  optional = true,
  tail = "may",
  bulk = "tail",
  run = function(values, request)
    if request.tail then
      return nil, request.tail
    end
    return wire.quote(values[1] or refuse("bad-arity", "echo takes a string or a tail"))
  end,
})

--- @command commands
--- @type ListCommands() Lists the commands that the script supports.
--- @reply one string a command: `name kind arguments`
command({
  name = "commands",
  kind = "read",
  run = function()
    local lines = {}
    table.sort(commands.names)
    for i, name in ipairs(commands.names) do
      local row = commands.rows[name]
      lines[i] = wire.quote(name .. " " .. row.kind .. " " .. row.takes)
    end
    return concat(lines, " ")
  end,
})

--- @command console.log console.warn console.error
--- @type WriteConsole(Level=ConsoleLevel.Log/Warn/Error, Text) Writes a line into mGBA's Scripting window.
--- @reply `ok`
for _, level in ipairs({ "log", "warn", "error" }) do
  command({
    name = "console." .. level,
    kind = "effect",
    arguments = { "text:string" },
    run = function(values)
      console[level](console, values[1])
    end,
  })
end
