"""Games whose history is kept, paused: they go back and forth as a test says."""

from checks import equal, until
from machines import Machine

EXECUTE, READ, WRITE, CHANGE = 1, 2, 4, 8
CONTINUE, STEP, OVER, OUT, TO = range(5)
BACK_STEP, BACK_POINT, BACK_BEFORE, BACK_FRAME = range(4)
GAME, DMA, OUTSIDE = range(3)
HASH = "local state = emu:saveStateBuffer(0) local sum = 0 for i = 1, #state do sum = (sum * 31 + state:byte(i)) & 0xffffffff end return sum"
SERVE = "callbacks:add('debugHit', function() headless.hit() if halts then headless.haltHere() end end) halts = true"


class Game:
    def __init__(self, start_controlled, rom, *options, megabytes=64, serve=SERVE, **popen):
        self.machine = Machine(start_controlled, rom, "--clock", "emulated:2026-01-01T12:00", *options, **popen)
        self.lua = self.machine.lua
        self.lua(f"{serve} headless.keepHistory({megabytes})")

    def advance(self, frames):
        self.machine.advance(frames)

    def history(self):
        fields = self.lua("return headless.history()").split(" ")
        return dict(zip("megabytes bytes runs first frame now past searching".split(), map(int, fields))) | {"problem": " ".join(fields[8:])}

    def halted(self):
        return self.lua("return headless.halted()").split()

    def host_halts(self):
        """A frame that a point ends."""
        self.machine.host.say("advance 1", "error advance: the game halted")
        return until(self.halted, "a halt")

    def halt(self):
        self.lua("headless.halt()")
        return until(self.halted, "a halt")

    def hash(self):
        return self.lua(HASH)

    def move(self, what):
        before = self.halted()[0]
        self.lua(what)
        return until(lambda: (self.halted() or [before])[0] != before and self.halted(), "another halt")

    def back(self, how=BACK_STEP, count=1):
        before = self.halted()[0]
        equal(self.lua(f"return headless.goBack({how}, {count})"), "true", "whether it goes back")
        return until(lambda: self.halted()[0] != before and self.halted(), "another halt")

    def resume(self, how, address=0):
        return self.move(f"headless.resume({how}, {address}, -1)")

    def writers(self, first, last=None, bank=-1, count=8):
        equal(self.lua(f"return headless.findWriters({first}, {last or first}, {bank}, {count})"), "true", "whether the memory is known")
        until(lambda: not self.history()["searching"], "the end of the search")
        lines = self.lua("return (headless.writers():gsub('\\n', '|'))").split("|")
        return [tuple(map(int, line.split())) for line in lines if line]
