-- Commands for the connection and its session.

local arguments = require("wire.arguments")
local commands = require("request.command_table")
local constants = require("base.constants")
local debugger = require("game.debugger")
local freezes = require("game.freezes")
local game = require("game.game")
local jobs = require("request.jobs")
local lease = require("session.lease")
local levels = require("keys.levels")
local LIMITS <const> = require("base.limits")
local pace = require("pace.schedule")
local proof = require("net.proof")
local replies = require("request.replies")
local save_file = require("game.save_file")
local sensors = require("game.sensors")
local sessions = require("session.sessions")
local settings = require("base.settings")
local state = require("base.state")
local tap_queue = require("keys.tap_queue")
local wire = require("wire.text")

local parse = arguments.parse
local command = commands.define
local PROTOCOL <const>, VERSION <const> = constants.PROTOCOL, constants.VERSION
local answer_error = replies.answer_error
local find, sub = string.find, string.sub
local concat = table.concat
local NIL <const> = wire.NIL
local refuse = wire.refuse

local function hello_reply(resumed)
  local has_game = game.core ~= nil
  return wire.record({
    "protocol", PROTOCOL, "script", VERSION, "mgba", state.mgba, "host", state.host, "nonce", settings.nonce, "port", settings.port,
    "game", has_game, "title", has_game and game.title or NIL, "code", has_game and game.code or NIL, "crc32", has_game and game.crc32 or NIL,
    "platform", has_game and game.platform_name() or NIL, "machine", state.machine, "period", pace.wanted(),
    "save_problem", save_file.problem() or NIL, "saves_sent", save_file.sent, "lease", lease.holder or NIL, "resumed", resumed,
    "capabilities", state.capabilities, "head", LIMITS.head, "tail", LIMITS.tail, "inflight", LIMITS.inflight, "connections", settings.connections,
    "replies", LIMITS.replies,
  })
end

function parse.version(text)
  local version = parse.integer(text)
  if version < PROTOCOL then
    refuse("version", "the client uses protocol %d, this script uses %d; update the client (the gateway)", version, PROTOCOL)
  elseif version > PROTOCOL then
    refuse("version", "the client uses protocol %d, this script uses %d; update mgba-bridge.lua", version, PROTOCOL)
  end
  return version
end

function parse.challenge(text)
  if not find(text, "^%x+$") or #text < 32 or #text > 64 then
    refuse("bad-argument", "challenge is %q; use 32 to 64 random hex digits", wire.printable(text))
  end
  return text
end

function parse.session(text)
  if not find(text, "^[%w_.-]+$") or #text > 64 then
    refuse("bad-argument", "session is %q; use 1 to 64 of A-Z a-z 0-9 _ . -", wire.printable(text))
  end
  return text
end

--- @command hello
--- @type Hello(Client, Session, Challenge, Proof) The first request on a connection.
--- @arguments see section 3
command({
  name = "hello",
  kind = "read",
  arguments = { "version" },
  named = { "client:string", "session", "challenge", "proof:string" },
  alone = true,
  untrusted = true,
  run = function(values, request)
    local conn = request.conn
    local own_proof = not conn.trusted and proof.authenticate(conn, values, request)
    local resumed = false
    if values.session and conn.session and conn.session.name ~= values.session then
      refuse("bad-argument", "this connection belongs to session %s already; open another for %s", conn.session.name, values.session)
    elseif values.session and not conn.session then
      local session
      session, resumed = sessions.open(values.session)
      session.connections, session.left, session.released = session.connections + 1, nil, nil
      conn.session = session
      for _, id in ipairs(conn.early_cancels or {}) do
        pcall(sessions.forbid, session, id)
      end
    end
    conn.greeted, conn.early_cancels = true, nil
    conn.client = sub(values.client or "", 1, 64)
    local folders = #settings.folders > 0 and " folders=" .. wire.quote(concat(settings.folders, ";")) or ""
    return hello_reply(resumed) .. folders .. (own_proof and " proof=" .. wire.quote(own_proof) or "")
  end,
})

--- @command owner.release
--- @type ReleaseOwner(Begun) Ends what requests with this `owner=` hold.
--- @arguments `begun=false`
--- @reply count of levels, freezes, sensors, points and leases ended
--- @notes the levels, freezes, sensors and points of the request's `owner=`, the lease if it has taken it, and its taps that have not begun; with
---   `begun=true` also those that have; section 6
command({
  name = "owner.release",
  kind = "effect",
  named = { "begun:boolean=false" },
  alone = true,
  leased = true,
  run = function(values, request)
    local owner = request.owner
    if not (owner and owner.within) then
      refuse("bad-argument", "owner.release ends what one owner holds; write owner=NAME before it")
    end
    local points = debugger.release_owner(owner) -- also while another holder has the lease
    local had_lease = lease.owner == owner
    if had_lease then
      lease.finish("the connection of its holder has ended")
    else
      lease.check(request)
    end
    local cancel = values.begun and tap_queue.finish or tap_queue.drop
    cancel(function(other)
      return other.owner == owner
    end)
    return tostring(levels.release_owner(owner) + freezes.release_owner(owner) + sensors.release_owner(owner) + points
      + (had_lease and 1 or 0))
  end,
})

--- @command cancel
--- @type Cancel(Id) Cancels a request of this session.
--- @arguments id
--- @reply `true` / `false`
--- @notes section 5
command({
  name = "cancel",
  kind = "read",
  arguments = { "id" },
  alone = true,
  run = function(values, request)
    local session, id = request.session, values[1]
    if not session then
      refuse("unsupported", "only requests of a session can be cancelled; send hello with session= first")
    end
    local running = session.running[id] or jobs.find(session, id)
    if running and running.job then
      jobs.stop(running.job)
      answer_error(running, "cancelled request " .. id .. " was cancelled while it ran")
      return "true"
    elseif running and running == lease.request then
      lease.stop_step("step " .. id .. " was cancelled while it ran")
      return "true"
    end
    sessions.forbid(session, id)
    return tostring(session.cancelled[id] == true)
  end,
})
