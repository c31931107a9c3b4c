# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by every script: strict mode, the project's paths, and functions to print and to fail.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runs=$root/.run       # files of runs: logs, saves, locks; ignored by git
logs=$runs/logs
artifacts=$root/artifacts
script_lua=$root/lua/mgba-bridge.lua
host=$root/headless/build/mgba-headless
default_rom=$root/headless/roms/mgba-bridge-test.gba
engine_libraries=(libelf-dev libinih-dev liblua5.4-dev libminizip-dev libpng-dev zlib1g-dev) # Debian's packages whose static libraries mgba-headless contains
hardening="-fstack-protector-strong -D_FORTIFY_SOURCE=2" # Debian's flags for C, of mGBA's core and of the packed mgba-headless

# Do not leave build servers running, and keep dotnet's output short and the same on all machines.
export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 UseSharedCompilation=false
export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_CLI_UI_LANGUAGE=en

say() { printf '%s\n' "$*"; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
have() { command -v "$1" > /dev/null 2>&1; }
shown() { printf '%s' "${1#"$root"/}"; } # a path relative to the project's root, for messages

# machine: the processors and the load, for reports
machine() { printf '%s x %s, load average %s.' "$(nproc)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(cut -d ' ' -f 1 /proc/loadavg)"; }

# want_sdk: fails unless the .NET SDK that global.json names is installed
want_sdk() {
  have dotnet || fail "the .NET SDK 10 is missing; see https://dotnet.microsoft.com/download"
  (cd "$root" && dotnet --version) > /dev/null 2>&1 || fail "this requires the .NET SDK 10; installed are: $(dotnet --list-sdks | cut -d ' ' -f 1 | paste -sd ' '); see https://dotnet.microsoft.com/download"
}

# build_alone MAKE-ARGUMENTS...: runs make without the settings of a make that called this script
build_alone() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s --no-print-directory "$@"; }

# MGBA selects another mGBA than the installed one: a version that another Debian has, such as 0.10.5, or the folder of one built by hand, with include/,
# libmgba.so.* and mgba-qt. Everything that starts an emulator then uses it; MGBA_HEADLESS and MGBA_QT pass it on.
if [ -n "${MGBA:-}" ]; then
  [[ $MGBA == */* ]] || MGBA=$("$root/scripts/lib/debian-mgba.sh" "$MGBA") || exit 1
  [ -d "$MGBA/include" ] || [ -d "$MGBA/usr/include/mgba" ] || fail "MGBA=$MGBA contains no mGBA; set MGBA to a folder with include/ and libmgba.so.*"
  MGBA=$(cd "$MGBA" && pwd)
  host=$root/headless/build/${MGBA##*/}/mgba-headless
  export MGBA MGBA_HEADLESS=$host MGBA_QT=$MGBA/mgba-qt
fi
