-- Topics of events. `make lua` writes them to the gateway's Commands.g.cs and to the table in docs/playing.md.

-- A topic: name; source: "watch" (who wants it sends the command `watch`), "script" (every client gets it after hello) or "gateway" (the script does
-- not send it); every, the interval in frames unless given; examples, how clients of the gateway write it, each with what it reports; events, those of
-- the script where their names differ from the topic's; gateway_events, those that the gateway adds; is_live, those of the past are not kept for
-- clients that resume.
return {
  { name = "frame", source = "watch", every = 1, examples = { { "frame", "every frame" }, { "frame/60", "every 60 frames" } } },
  {
    name = "keys", source = "watch", every = 1,
    examples = { { "keys", "the keys have changed, regardless of who pressed them; `from` is the first frame with these keys" } },
  },
  {
    name = "memory", source = "watch", every = 1,
    examples = { { "memory:0x02000000/4", "these 4 bytes have changed" }, { "memory:wram:0x10/4/30", "the same, checked every 30 frames" } },
  },
  {
    name = "log", source = "watch", every = 1,
    examples = { { "log", "the game has printed `lines` (mGBA's debug registers, AGBPrint), or mGBA has reported an error; with mgba-headless only" } },
  },
  {
    name = "sound", source = "watch", every = 1, is_live = true,
    examples = { { "sound", "the game has made sound: 16-bit samples, left and right in turn, 48,000 pairs a second of the game; with mgba-headless only" } },
  },
  {
    name = "rumble", source = "watch", every = 1, is_live = true,
    examples = { { "rumble", "a frame in which the cartridge's motor ran; with mgba-headless only" } },
  },
  {
    name = "state", source = "watch", every = 1,
    examples = { { "state", "a state was loaded, or the game was reset; `from` is the first frame that ran after it" } },
  },
  {
    name = "game", source = "script",
    examples = { { "game", "the game was opened, closed, reset or stopped, its frames begin or end, or its save file cannot be written, or can again" } },
    events = { "game.opened", "game.closed", "game.reset", "game.crashed", "game.stopped", "game.machine", "game.save" },
  },
  { name = "lease", source = "script", examples = { { "lease", "the lease has another holder, or has ended" } } },
  { name = "freeze", source = "script", examples = { { "freeze", "values were frozen or released" } } },
  { name = "cheat", source = "script", examples = { { "cheat", "a cheat was added, switched or removed" } } },
  {
    name = "script", source = "script", examples = { { "script", "the script ends, or the connection to it was lost or made" } },
    events = { "script.stopping" }, gateway_events = { "script.lost", "script.connected" },
  },
  {
    name = "emulator", source = "gateway", examples = { { "emulator", "an owned emulator was lost or restarted, or a client shows a message" } },
    events = {}, gateway_events = { "emulator.lost", "emulator.restarted", "emulator.message" },
  },
}
