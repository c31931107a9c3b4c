-- What mGBA gives a script, and the one global of ours.
std = "lua54"
max_line_length = 160
read_globals = { "console", "emu", "callbacks", "C", "socket", "_socket", "util", "system", "canvas", "headless" }
files["lua/mgba-bridge.lua"] = { globals = { "MGBA_BRIDGE" } }
files["lua/src/main.lua"] = { read_globals = { "MGBA_BRIDGE" } }
files["lua/src/server/server.lua"] = { globals = { "MGBA_BRIDGE" } }
