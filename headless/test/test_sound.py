"""The sound of the channels that both consoles have: after a long silence, and from a state."""

import pathlib

import pytest

from conftest import script
from headless import ROMS
from sound import heard

# of channels: address and value, 16 bits on the GBA, 8 bits on the GB; the first of a GBA are those of all channels
GBA = [(0x84, 0x80), (0x80, 0xFF77), (0x82, 2)]
CHANNELS = {
    "gba": {
        "square": [*GBA, (0x62, 0xF080), (0x64, 0x86D6)],
        "falling square": [*GBA, (0x60, 0x7F), (0x62, 0xF040), (0x64, 0x87D6)],
        "fading square": [*GBA, (0x68, 0xF780), (0x6C, 0x86D6)],
        "wave": [*GBA, (0x90, 0xFFFF), (0x92, 0xFFFF), (0x70, 0x60), (0x94, 0xFFFF), (0x96, 0xFFFF), (0x70, 0xE0), (0x72, 0x2000), (0x74, 0x86D6)],
        "noise": [*GBA, (0x78, 0xF000), (0x7C, 0x8034)],
    },
    "gb": {
        "square": [(0x24, 0x77), (0x25, 0xFF), (0x11, 0x80), (0x12, 0xF0), (0x13, 0xD6), (0x14, 0x86)],
        "second square": [(0x24, 0x77), (0x25, 0xFF), (0x16, 0x80), (0x17, 0xF0), (0x18, 0xD6), (0x19, 0x86)],
    },
}

# begins at a frame to sound, or continues from the state; makes a state after 10 frames, and hears the 30 behind them
SOUNDING = """
local n, from, heard = 0, headless.heard(), nil
local function bytes(name, mode, text)
  local file <close> = assert(io.open(name, mode))
  return text and file:write(text) or file:read("a")
end
callbacks:add("frame", function()
  n = n + 1
  if n == FROM then
    if LOADS then
      assert(emu:loadStateBuffer(bytes("state", "rb"), 0))
    else
      for _, register in ipairs { REGISTERS } do
        if emu:platform() == C.PLATFORM.GBA then
          emu:write16(0x04000000 + register[1], register[2])
        else
          emu:write8(0xff00 + register[1], register[2])
        end
      end
    end
    n = LOADS and FROM + 10 or n
  end
  if n == FROM + 10 then
    from = headless.heard()
    if not LOADS then bytes("state", "wb", emu:saveStateBuffer(0)) end
  elseif n == FROM + 40 then
    bytes("heard", "wb", headless.samples(from))
  end
  headless.heard()
end)
"""


def sounds(runs, kind, registers, begin=5, loads=False):
    """How loud 30 frames of a channel are, and how often they rise."""
    values = ", ".join(f"{{ {address:#x}, {value:#x} }}" for address, value in registers)
    script("sounding.lua", SOUNDING.replace("FROM", str(begin)).replace("LOADS", str(loads).lower()).replace("REGISTERS", values))
    runs(0, "--fps", "0", "--stats", "0", "--frames", str(begin + 41), "--script", "sounding.lua", ROMS[kind])
    samples = pathlib.Path("heard").read_bytes()
    assert 23200 < len(samples) // 4 < 24200
    return heard(samples)


@pytest.mark.parametrize("kind, channel, silent", [("gba", "square", 8000), ("gba", "fading square", 8000), ("gb", "second square", 16000)])
@pytest.mark.versions
def test_a_channel_sounds_after_a_long_silence(runs, kind, channel, silent):
    """128 seconds of a GBA, and 256 of a GB: 2^31 cycles."""
    loudness, rises = sounds(runs, kind, CHANNELS[kind][channel], begin=silent)
    assert loudness > 1000 and rises > 100, f"{loudness}, {rises} rises"


@pytest.mark.parametrize("kind, channel", [(kind, channel) for kind, channels in CHANNELS.items() for channel in channels])
@pytest.mark.versions
def test_a_state_sounds_the_same_in_another_process(runs, kind, channel):
    loudness, rises = sounds(runs, kind, CHANNELS[kind][channel])
    again, rises_again = sounds(runs, kind, CHANNELS[kind][channel], loads=True)
    assert loudness > 500 and rises > 20, f"{loudness}, {rises} rises"
    assert abs(again / loudness - 1) < 0.05 and abs(rises_again / rises - 1) < 0.05, f"{again}, {rises_again} rises, were {loudness}, {rises}"
