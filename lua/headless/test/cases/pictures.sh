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

test_pictures_and_the_machine_are_the_same_with_all_frames_drawn_and_without() {
  local game kind
  picture_script
  for game in "$here"/../rom/mgba-bridge-test.gba "$here"/../rom/mgba-bridge-test.gb; do
    for kind in --draw-all --verbose; do
      mkdir "saves$kind"
      "$program" $kind --fps 0 --frames 800 --stats 0 --saves "saves$kind" --script pictures.lua "$game" > "out$kind" 2> /dev/null
      rm -r "saves$kind"
    done
    [ "$(grep -c picture out--draw-all)" -gt 40 ]
    diff out--draw-all out--verbose
  done
}
