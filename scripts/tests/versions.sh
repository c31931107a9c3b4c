#!/bin/bash
# A selection of tests with each other mGBA version: the script and mgba-headless on its core, and the script in its window. `make test MGBA=VERSION` runs
# all of them. The versions are folders in MGBA_VERSIONS (by default ../shared/tools/mgba); a missing one is reported as skipped.
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/tests.sh
. "$root/scripts/lib/tests.sh"

versions=(0.10.5 0.11-dev)

cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# part NAME COMMAND...: adds the tests that the command prints
part() {
  local name="mGBA $version, $1" code=0 before=$failed
  shift
  "$@" > "$work/out" 2>&1 < /dev/null || code=$?
  sed -n "s/^ok - /ok - $name: /p; s/^not ok - /not ok - $name: /p; /^ *#/p" "$work/out"
  if ! count_last_line "$work/out" || { [ $code -ne 0 ] && [ $failed -eq $before ]; }; then
    result "$name ended with exit code $code" 1 "$work/out"
  fi
}

on_version() {
  local MGBA_HEADLESS=$root/lua/headless/build/$version/mgba-headless
  export MGBA_HEADLESS MGBA=$mgba_versions/$version MGBA_QT=$mgba_versions/$version/mgba-qt
  local code=0
  build_alone -C lua/headless > "$work/out" 2>&1 || code=$?
  result "mGBA $version: the headless host builds" $code "$work/out"
  [ $code -eq 0 ] || return 0
  part script scripts/pytest "versions-$version-script" lua/test/real -m versions -n 2
  part host scripts/pytest "versions-$version-host" lua/headless/test -m versions -n 2
  part window scripts/pytest "versions-$version-window" lua/test-gui -m versions
}

for version in "${versions[@]}"; do
  if [ -d "$mgba_versions/$version/include" ]; then
    on_version
  else
    skipped=$((skipped + 1))
    say "ok - mGBA $version # SKIP not found in $mgba_versions; set MGBA_VERSIONS to the folder of versions"
  fi
done
total versions
