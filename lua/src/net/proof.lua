-- Authentication with a secret: client and script prove that they know it, over the challenges of both (docs/protocol.md, section 3).
-- The secret itself is never sent.

local crypto = require("base.crypto")
local LIMITS <const> = require("base.limits")
local settings = require("base.settings")
local state = require("base.state")
local wire = require("wire.text")

local concat = table.concat
local refuse = wire.refuse

local proof = {}

proof.untrusted, proof.failures, proof.failed_in = 0, 0, 0 -- connections now; wrong proofs in the second `failed_in`

function proof.note_failure()
  proof.failures = (proof.failed_in == state.seconds and proof.failures or 0) + 1
  proof.failed_in = state.seconds
end

--- Whether unauthenticated requests wait for the next second because this one had too many wrong proofs.
function proof.is_resting()
  return proof.failures >= LIMITS.untrusted.failures and proof.failed_in == state.seconds
end

function proof.is_late(conn)
  return state.seconds - conn.since > LIMITS.untrusted.seconds
end

function proof.trust(conn)
  conn.trusted, conn.limits, conn.challenges = true, LIMITS, nil
  proof.untrusted = proof.untrusted - 1
end

--- The role is part of the text, so that one side's proof cannot be replayed as the other's.
local function proof_by(role, challenges, session)
  return crypto.hmac(settings.secret, concat({ "mgba-bridge", role, challenges.client, challenges.script, session or "" }, " "))
end

--- Refuses hello permanently: the connection closes after the error reply is sent, and later requests do not run.
local function reject(conn, ...)
  conn.closing = true
  conn.queue, conn.first, conn.last = {}, 1, 0
  refuse(...)
end

--- Refuses hello until it brings the proof, then returns the script's own proof. A connection has one challenge and one attempt.
function proof.authenticate(conn, values, request)
  local given, challenges = values.proof, conn.challenges
  if given and not challenges then
    reject(conn, "version", "this client sends proof= without a challenge= before it, as older versions do; update the client (the gateway)")
  elseif not given and challenges then
    reject(conn, "auth-failed", "a connection gets one challenge; open another connection")
  elseif not given and not values.challenge then
    refuse("auth-required", "this emulator requires a secret; send hello with challenge=, 32 to 64 random hex digits")
  elseif not given then
    conn.challenges = { client = values.challenge, script = crypto.random_hex(32) }
    request.challenge = conn.challenges.script
    refuse("auth-required", "send hello again with proof= (docs/protocol.md, section 3)")
  elseif given ~= proof_by("client", challenges, values.session) then -- one comparison per challenge, so its timing reveals nothing
    proof.note_failure()
    reject(conn, "auth-failed", "the proof does not match; client and MGBA_BRIDGE_SECRET need the same secret")
  end
  proof.trust(conn)
  return proof_by("script", challenges, values.session)
end

return proof
