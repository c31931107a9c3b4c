-- Instructions as text, and banks.

local t = require("harness")

local HEADLESS <const> = { host = "headless", waits_for_all = true }

t.test("instructions have eight values each", HEADLESS, function(world)
  local c = world:session("s")
  t.ok(
    c:call("debug.disassemble 2 address=0x080000C0 mode=arm"),
    '0 134217920 "fefffeea" "branch" 0 134217920 nil "b 0x080000c0" 0 134217920 "fefffeea" "branch" 0 134217920 nil "b 0x080000c0"'
  )
  t.equal(world.disassembled, "134217920 2 arm -1")
  t.ok(c:call("debug.disassemble 1024"))
  t.equal(world.disassembled, "-1 1024  -1", "the next instruction, in the processor's mode and the bank that is mapped")
  t.ok(c:call("debug.disassemble 1 address=0x4000 bank=0x1FF"))
  t.equal(world.disassembled, "16384 1  511")
end)

t.test("banks are those at their addresses", HEADLESS, function(world)
  t.ok(world:session("s"):call("debug.banks"), "rom=1 vram=2 sram=2 wram=3")
end)

for _, case in ipairs({
  { "debug.disassemble 0", "1 to 1024" }, { "debug.disassemble 1025", "1 to 1024" }, { "debug.disassemble 1 address=-1", "0 to 4294967295" },
  { "debug.disassemble 1 bank=512", "0 to 511" }, { "debug.disassemble 1 mode=mips", "use arm, thumb or sm83" },
  { "debug.disassemble 1 mode=sm83", "has no instructions of sm83" },
}) do
  t.test(case[1] .. " is refused", HEADLESS, function(world)
    t.refused(world:session("s"):call(case[1]), "bad-argument", case[2])
    t.equal(world.disassembled, nil)
  end)
end

for _, head in ipairs({ "debug.disassemble 1", "debug.banks" }) do
  t.test(head .. " is refused in a window", function(world)
    t.refused(world:connect():call(head), "unsupported", "mgba%-headless")
  end)
end
