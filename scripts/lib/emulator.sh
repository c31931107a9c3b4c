# shellcheck shell=bash disable=SC2034,SC2154
# How the windowless emulator is started: from ROM, LUA_PORT and FPS.

rom=${ROM:-$default_rom}

# fills $emulator_command; the argument is the folder for save files of our own test ROM. Those of a person's game stay beside it.
prepare_emulator() {
  emulator_command=("$host" --script "$script_lua")
  [ -z "${FPS:-}" ] || emulator_command+=(--fps "$FPS")
  if [ -z "${ROM:-}" ]; then
    mkdir -p "$1"
    emulator_command+=(--saves "$1")
  fi
  emulator_command+=(-- "$rom")
  [ -z "${LUA_PORT:-}" ] || export MGBA_BRIDGE_PORT=$LUA_PORT
}
