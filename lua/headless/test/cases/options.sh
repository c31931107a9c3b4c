# shellcheck shell=bash disable=SC2154
# Options, files that are no ROM or no script, and the exit code of each.
# Sourced by run.sh; the functions are in words.sh.

test_help_lists_every_exit_code() {
  runs 0 --help
  expect out '^usage: mgba-headless'
  [ ! -s err ] || fail "stderr is not empty"
  for code in 0 1 2 10 11 12 13 20 21 22 30 40 50; do
    expect out "^ *$code  "
  done
}

test_version_names_both_versions() {
  runs 0 --version
  expect out '^mgba-headless [0-9.]* (libmgba 0\.1[01][.-]'
}

test_bad_options_are_code_2() {
  local game=$roms/game.gba
  refused 2 'no ROM given'
  refused 2 '"--nonsense"' --nonsense "$game"
  refused 2 '"-x"' -xy "$game"
  refused 2 '"--verbose=1"' --verbose=1 "$game"
  refused 2 '--frames requires a value' "$game" --frames
  refused 2 'remove "other.gba"' "$game" other.gba
  for value in x -1 nan inf 1e9 '' 5x; do
    refused 2 '--fps requires' --fps "$value" "$game"
  done
  for value in 0 -1 x 1.5 99999999999999999999999 ''; do
    refused 2 '--frames requires' --frames "$value" "$game"
  done
  refused 2 '--stats requires' --stats x "$game"
}

test_rom_missing_is_code_10() { refused 10 'missing.gba.*No such file' missing.gba; }

test_rom_empty_is_code_11() {
  : > empty.gba
  refused 11 'empty.gba.*is empty' empty.gba
}

test_rom_truncated_is_code_12() {
  head -c 100 "$roms/game.gba" > short.gba
  refused 12 'truncated' short.gba
  head -c 192 "$roms/game.gba" > header.gba # the header branches to 192
  refused 12 'truncated' header.gba
  head -c 200 "$roms/game.gb" > short.gb
  refused 12 'truncated' short.gb
  head -c 20000 "$roms/game.gb" > long.gb
  refused 12 'truncated (20000 bytes.*32768)' long.gb
}

test_rom_foreign_is_code_13() {
  echo 'this is not a ROM' > text.gba
  refused 13 'is not a GBA' text.gba
  head -c 65536 /dev/zero > zero.gb
  refused 13 'is not a GBA' zero.gb
  head -c 65536 /dev/urandom | tr '\352' '\0' > noise.gba
  refused 13 'is not a GBA' noise.gba
  mkdir directory.gba
  refused 13 'is a directory' directory.gba
  mkfifo fifo.gba
  refused 13 'device or pipe' fifo.gba
}

test_script_missing_is_code_20() {
  refused 20 'missing.lua.*No such file' --script missing.lua "$roms/game.gba"
  mkdir directory.lua
  refused 20 'not a regular file' --script directory.lua "$roms/game.gba"
}

test_script_that_does_not_parse_is_code_21() {
  script bad.lua <<< 'local = 1'
  refused 21 'syntax error.*bad.lua:1:' --script bad.lua "$roms/game.gba"
}

test_script_that_throws_is_code_22() {
  script bad.lua <<< 'error("first line\nsecond line")'
  refused 22 'bad.lua:1: first line second line' --script bad.lua "$roms/game.gba"
  script bad.lua <<< 'local x = nil + 1'
  refused 22 'arithmetic on a nil' --script bad.lua "$roms/game.gba"
}

test_script_that_throws_no_string_is_code_22() {
  script bad.lua <<< 'error({})'
  refused 22 'error object is a table value' --script bad.lua "$roms/game.gba"
  script bad.lua <<< 'error(nil)'
  refused 22 'error object is a nil value' --script bad.lua "$roms/game.gba"
  script bad.lua <<< 'error(42)'
  refused 22 ' 42;' --script bad.lua "$roms/game.gba"
  script bad.lua <<< 'error(setmetatable({}, { __tostring = function() return "own message" end }))'
  refused 22 'own message' --script bad.lua "$roms/game.gba"
  script bad.lua <<< 'error(setmetatable({}, { __tostring = function() error({}) end }))'
  refused 22 'error object is a table value' --script bad.lua "$roms/game.gba"
}

test_saves_unwritable_is_code_30() {
  # /proc refuses even root.
  : > file
  for directory in missing file /proc; do
    refused 30 '--saves a directory that exists and can be written' --saves "$directory" "$roms/game.gba"
  done
  [ ! -e missing ] || fail "a directory was created"
}

test_control_unusable_is_code_40() {
  refused 40 'missing.*mkfifo' --control missing "$roms/game.gba"
  : > file
  refused 40 'is not a FIFO' --control file "$roms/game.gba"
  mkdir directory
  refused 40 'directory.*mkfifo' --control directory "$roms/game.gba"
}
