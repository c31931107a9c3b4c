# shellcheck shell=bash
# Pictures of frames that were not drawn.

# shellcheck disable=SC2154 # of run.sh
picture_script() {
  cat > pictures.lua << 'LUA'
local n, seed = 0, 12345
local function random() seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 end
local function hash(s) local h = 5381 for i = 1, #s do h = (h * 33 + s:byte(i)) & 0xffffffffffff end return h end
local function picture()
  local data, at, parts = emu:saveStateBuffer(1), 9, {}
  while at + 11 <= #data do
    local length, kind = string.unpack(">I4c4", data, at)
    if kind == "IDAT" then parts[#parts + 1] = data:sub(at, at + length) end
    at = at + length + 12
  end
  return hash(table.concat(parts))
end
callbacks:add("frame", function()
  n = n + 1
  if random() % 7 == 0 then emu:setKeys(random() % 1024) end
  if random() % 5 == 0 then emu:write16((emu:platform() == C.PLATFORM.GBA and 0x06000000 or 0x8000) + random() % 0x1000 * 2, random()) end
  if random() % 13 == 0 then console:log(n .. " picture " .. picture()) end
  if n % 200 == 0 then console:log(n .. " state " .. hash(emu:saveStateBuffer(0))) end
end)
LUA
}

# same_pictures ROM [PROGRAM-ARGUMENT...]: the pictures and states of 800 frames with all frames drawn and without
same_pictures() {
  local kind
  for kind in --draw-all --verbose; do
    mkdir "saves$kind"
    "$program" $kind --fps 0 --frames 800 --stats 0 --saves "saves$kind" --script pictures.lua "$@" > "out$kind" 2> /dev/null
    rm -r "saves$kind"
  done
  [ "$(grep -c picture out--draw-all)" -gt 40 ]
  diff out--draw-all out--verbose
}

test_pictures_and_the_machine_are_the_same_with_all_frames_drawn_and_without() {
  local game
  picture_script
  cp "$here/../rom/mgba-bridge-test.gba" odd.gba
  truncate -s +100 odd.gba # libmgba pads it
  for game in "$here"/../rom/mgba-bridge-test.gba "$here"/../rom/mgba-bridge-test.gb odd.gba; do
    same_pictures "$game"
  done
}

# make_painted FILE SIZE: a GBA ROM that fills the picture with the colour at 0x200
make_painted() {
  : > "$1"
  put "$1" 0x00 2e0000ea # b 0xC0
  put "$1" 0xB2 96       # every GBA header has this byte
  put "$1" 0xC0 \
    0504a0e3 0814a0e3 0133a0e3 0040a0e3 `# r0 = palette, r1 = ROM, r3 = IO, r4 = 0` \
    004083e5                            `# 0xD0: mode 0, nothing but the backdrop` \
    002291e5 002080e5 fbffffea           # its colour; b 0xD0
  put "$1" 0x200 1f00
  truncate -s "$2" "$1"
}

test_pictures_show_a_rom_that_a_script_changes_from_the_next_frame_on() {
  local size
  picture_script
  cat >> pictures.lua << 'LUA'
callbacks:add("frame", function()
  if n % 31 == 0 then
    if n % 2 == 0 then console:log(n .. " picture before " .. picture()) end
    emu.memory.cart0:write16(0x200, n * 257)
    console:log(n .. " picture after " .. picture())
  end
end)
LUA
  for size in 4096 1124 1048576; do
    make_painted game.gba "$size"
    same_pictures game.gba
    [ "$(grep -o 'picture.* [-0-9]*$' out--verbose | sed 's/.* //' | sort -u | wc -l)" -gt 20 ] || fail "the pictures do not differ"
  done
}

# advanced: how many frames are drawn in all when 100 more have run
advanced() {
  say 'advance 100' 'ok advance'
  ask_stats
  drawn=$(field total_drawn <<< "$stats")
}

test_frames_of_a_rom_of_any_size_are_drawn_when_they_cannot_be_drawn_later() {
  local size drawn
  ! "$program" --version | grep -q 'libmgba 0\.11' || skip "libmgba 0.11 draws all frames"
  script write.lua <<< 'emu.memory.cart0:write8(0x200, 1)'
  for size in 4096 1124 1048576; do
    make_painted "$size.gba" "$size"
    start_controlled --fps 0 --stats 0 "$size.gba"
    say pause 'ok pause'
    advanced
    equal "$drawn" 0 "frames drawn of $size bytes"
    say 'run-script write.lua' 'ok run-script'
    advanced
    equal "$drawn" 100 "frames drawn after the ROM was changed"
    say stop 'ok stop'
    ended 0
  done
}
