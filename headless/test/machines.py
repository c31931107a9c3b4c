"""The machine ROMs (roms/README.md), paused: frames and Lua run as a test says."""

from conftest import script
from headless import ROOT

ROMS = ROOT / "headless/roms"

# commands of machine.gba
CLOCK, LIGHT, GYRO, TILT, RUMBLE, FLASH, EEPROM, SRAM = 1, 2, 3, 4, 5, 10, 20, 30
READ_ONLY = 1  # added to one of the save commands


class Machine:
    """Offsets are those of the ROM's block."""

    def __init__(self, start_controlled, rom, *options, **popen):
        self.host = start_controlled("--paused", "--fps", "0", *options, ROMS / rom, **popen)
        self.base, self.said = (0x02000000 if str(rom).endswith("gba") else 0xC100), 0
        self.advance(9)

    def advance(self, frames=2):
        self.host.say(f"advance {frames}", "ok advance")

    def lua(self, text):
        """What the Lua text returns."""
        self.said += 1
        script("do.lua", f"print('said {self.said} ' .. tostring(((function() {text} end)())))")
        self.host.say("run-script do.lua", "ok run-script")
        self.host.out.wait(f"^said {self.said} ")
        return self.host.out.find(f"^said {self.said} (.*)")

    def byte(self, offset):
        return int(self.lua(f"return emu:read8({self.base + offset})"))

    def bytes(self, offset, count):
        return bytes.fromhex(self.lua(f"return (emu:readRange({self.base + offset}, {count}):gsub('.', function(c) return ('%02x'):format(c:byte()) end))"))

    def half(self, offset):
        return int.from_bytes(self.bytes(offset, 2), "little")

    def word(self, offset):
        return int.from_bytes(self.bytes(offset, 4), "little")

    def write(self, offset, value):
        self.lua(f"emu:write8({self.base + offset}, {value})")

    def pixel(self, x, y):
        """The colour in the picture, as RRGGBB."""
        return self.lua(f"local p = headless.pixels(3, 0, 0) local at = 3 * ({y} * headless.pixelsWidth() + {x}) + 1 return ('%02X%02X%02X'):format(p:byte(at, at + 2))")

    def cartridge(self):
        """key → (value, origin)"""
        lines = self.lua("return (headless.cartridge():gsub('\\n', '|'))").split("|")
        return {key: (value, origin) for key, value, origin in (line.split(" ") for line in lines if line)}

    def game_clock(self):
        """Mode, value and time, as the host has them."""
        mode, value, time = self.lua("return headless.clock()").split(" ")
        return mode, int(value), int(time)

    def set_sensors(self, light=255, tilt_x=0, tilt_y=0, gyro=0):
        self.lua(f"headless.setSensors({light}, {tilt_x}, {tilt_y}, {gyro})")

    # machine.gba

    def choose(self, command, frames=2):
        self.write(0x0C, command)
        self.advance(frames)

    def clock(self):
        """What the GBA game read: year of the century to second."""
        found = self.bytes(0x14, 28)
        return tuple(int(f"{found[4 * i]:x}") for i in range(7))

    def light(self):
        return self.word(0x30)

    def gyro(self):
        return self.word(0x34)

    def tilt(self):
        return self.word(0x38), self.word(0x3C)

    def save(self, command):
        """The result of a save command: 1 good, 2 other values, 3 another chip."""
        self.choose(command, 60)
        return self.word(0x44)
