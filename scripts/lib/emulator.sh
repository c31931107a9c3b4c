# shellcheck shell=bash disable=SC2034,SC2154
# The command that starts the headless emulator, from ROM, LUA_PORT and FPS.

rom=${ROM:-$default_rom}

# fills $emulator_command; the argument is the folder for save files of the test ROM. A user's game keeps its save files in its own folder.
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
