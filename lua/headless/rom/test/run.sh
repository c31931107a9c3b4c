#!/bin/sh
# Tests both ROMs: the committed files match the sources, and they behave as in README.md.
#
#   lua/headless/rom/test/run.sh                        builds ../build/mgba-headless if it can
#   MGBA_HEADLESS=/path lua/headless/rom/test/run.sh    uses another host
#
# One line a check, the sum as the last line; exit code 1 when something failed.
set -u
cd "$(dirname "$0")/.." || exit 1
name=mgba-bridge-test
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# All output, also of the parts, goes through one file, where the parts' own sums are added up at the end.
report=$work/report
ok() { echo "ok - $1"; echo "rom: 1 passed, 0 failed, 0 skipped"; }
not_ok() { echo "not ok - $1"; echo "rom: 0 passed, 1 failed, 0 skipped"; }
skip() { echo "ok - $1 # SKIP"; echo "rom: 0 passed, 0 failed, 1 skipped"; }

have() { command -v "$1" >/dev/null; }

check_build() {
  if ! { have arm-none-eabi-gcc && have sdcc && have make; }; then
    skip "the committed ROMs come out of the sources (gcc-arm-none-eabi, sdcc or make missing)"
  elif make check; then
    ok "the committed ROMs come out of the sources"
  else
    not_ok "the committed ROMs come out of the sources (other compiler versions? see the Makefile)"
  fi
} 2>&1

# A run of its own folder, so that no save of another run is found. The end of the host's messages is kept for failures:
# some hosts print one line per instruction of a crashed game.
run_script() { # mode, machine, run, frames
  folder=$work/$1-$2-$3
  mkdir "$folder"
  cp "$name.$2" "$folder/"
  {
    ROM_TEST=$1 ROM_TEST_PICTURES=$folder timeout 120 \
      "$host" --script test/rom_test.lua --frames "$4" --fps 0 "$folder/$name.$2" >"$folder/out" 2>&3
    echo $? >"$folder/status"
  } 3>&1 | tail -n 20 >"$folder/err"
  if ! grep -q '^rom: ' "$folder/out" || [ "$(cat "$folder/status")" != 0 ]; then
    not_ok "$2: $1: script and host came to their ends (exit code $(cat "$folder/status"))"
    cat "$folder/err"
  fi
  cat "$folder/out"
}

run_host() {
  for kind in gba gb; do
    run_script main $kind 1 800
    run_script main $kind 2 800 >"$work/again"
    if cmp "$work/main-$kind-1/out" "$work/main-$kind-2/out"; then
      ok "$kind: two runs give the same output and the same memory"
    else
      not_ok "$kind: two runs give the same output and the same memory"
    fi
    if have python3; then
      python3 test/check_picture.py "$work/main-$kind-1" || not_ok "$kind: pictures"
    else
      skip "$kind: pictures (python3 missing)"
    fi
    run_script stop $kind 1 60
  done
  run_script crash gba 1 60
} 2>&1

check_build >"$report"
host=${MGBA_HEADLESS:-../build/mgba-headless}
if [ -z "${MGBA_HEADLESS:-}" ] && ! make -s -C .. >>"$report" 2>&1; then
  not_ok "the host builds" >>"$report"
elif [ ! -x "$host" ]; then
  not_ok "there is a host: $host" >>"$report"
else
  run_host >>"$report"
fi

grep -v '^rom: ' "$report"
awk '/^rom: / { passed += $2; failed += $4; skipped += $6 }
  END { printf "rom: %d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }' "$report"
