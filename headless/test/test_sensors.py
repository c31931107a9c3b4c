"""Sensors of cartridges: what a game reads when a script says what they measure."""

import pytest

from checks import equal
from conftest import script
from machines import GYRO, LIGHT, ROMS, RUMBLE, TILT, Machine

TILT_OPTIONS = ("--hardware", "tilt", "--save-type", "eeprom")
# Millidegrees, and the counts of one g, 0xE4 (GBA) and 0x70 (MBC7), times the sine
ANGLES = {0: (0, 0), 10_000: (40, 19), -10_000: (-40, -19), 30_000: (114, 56), 90_000: (228, 112), -90_000: (-228, -112)}
GBA_LEVEL, MBC7_LEVEL, GYRO_REST = 0x3A0, 0x81D0, (0x700, 0x360)  # the gyroscope: before 0.10.4 the second


@pytest.fixture
def play(start_controlled):
    return lambda rom, *options: Machine(start_controlled, rom, *options)


@pytest.mark.versions
def test_the_light_is_what_the_counter_sees(play):
    game = play("machine.gba", "--hardware", "light")
    game.choose(LIGHT)
    equal(game.light(), 255, "the light at the start")
    for light in (0, 1, 128, 254, 255):
        game.set_sensors(light=light)
        game.advance()
        equal(game.light(), light, "the light")


def test_light_and_clock_share_a_cartridge(play):
    game = play("machine.gba", "--hardware", "rtc,light", "--clock", "fixed:2026-01-01T12:00")
    game.set_sensors(light=77)
    game.choose(1)
    game.choose(LIGHT)
    equal((game.clock(), game.light()), ((26, 1, 1, 4, 12, 0, 0), 77), "the clock and the light")


@pytest.mark.versions
@pytest.mark.parametrize("angle", ANGLES)
def test_the_tilt_of_a_gba(play, angle):
    game, counts = play("machine.gba", *TILT_OPTIONS), ANGLES[angle][0]
    game.choose(TILT)
    equal(game.tilt(), (GBA_LEVEL, GBA_LEVEL), "a level machine")
    game.set_sensors(tilt_x=angle)
    game.advance()
    equal(game.tilt(), (GBA_LEVEL - counts, GBA_LEVEL), "x, where the right edge is down")
    game.set_sensors(tilt_y=angle)
    game.advance()
    equal(game.tilt(), (GBA_LEVEL, GBA_LEVEL + counts), "y, where the edge away from the player is down")


@pytest.mark.versions
@pytest.mark.parametrize("angle", ANGLES)
def test_the_tilt_of_an_mbc7(play, angle):
    game, counts = play("tilt.gb"), ANGLES[angle][1]
    equal((game.half(0x10), game.half(0x12)), (MBC7_LEVEL, MBC7_LEVEL), "a level machine")
    game.set_sensors(tilt_x=angle)
    game.advance()
    equal((game.half(0x10), game.half(0x12)), (MBC7_LEVEL - counts, MBC7_LEVEL), "x, where the right edge is down")
    game.set_sensors(tilt_y=angle)
    game.advance()
    equal((game.half(0x10), game.half(0x12)), (MBC7_LEVEL, MBC7_LEVEL + counts), "y, where the edge away from the player is down")


@pytest.mark.versions
def test_the_gyroscope_counts_degrees_a_second(play):
    game = play("machine.gba", "--hardware", "gyro")
    game.choose(GYRO)
    rest = game.gyro()
    assert rest in GYRO_REST, hex(rest)
    for speed, counts in ((30_000, 30), (-30_000, -30), (300_000, 300), (0, 0)):
        game.set_sensors(gyro=speed)
        game.advance()
        equal(game.gyro(), rest + counts, f"the gyroscope at {speed}")


def test_values_out_of_range_are_the_nearest_in_range(play):
    game = play("machine.gba", *TILT_OPTIONS)
    game.set_sensors(tilt_x=2_000_000_000, tilt_y=-2_000_000_000)
    game.choose(TILT)
    equal(game.tilt(), (GBA_LEVEL - 228, GBA_LEVEL - 228), "the tilt")


def test_light_out_of_range_is_the_nearest_in_range(play):
    game = play("machine.gba", "--hardware", "light")
    game.choose(LIGHT)
    for given, read in ((-5, 0), (100_000, 255)):
        game.set_sensors(light=given)
        game.advance()
        equal(game.light(), read, "the light")


def test_rumble_is_heard_of_where_the_cartridge_has_it(play):
    for hardware, rumbles in (("rumble", "true"), ("light", "false")):
        game = play("machine.gba", "--hardware", hardware)
        game.choose(RUMBLE)
        equal(game.lua("return headless.rumble()"), rumbles, f"the motor of a cartridge with {hardware}")
        game.choose(0)
        equal(game.lua("return headless.rumble()"), "false", "the motor at the end")
        game.host.write("stop\n")
        game.host.ended(0)


SHADES = {0: "000000", 63: "000000", 64: "525252", 127: "525252", 128: "ADADAD", 191: "ADADAD", 192: "FFFFFF", 255: "FFFFFF"}


def take_picture(game):
    game.write(0x0F, 1)
    game.advance(60)


@pytest.mark.versions
def test_the_camera_takes_the_picture_that_it_is_shown(play):
    game = play("camera.gb")
    take_picture(game)
    equal((game.half(0x10), game.pixel(16 + 64, 16 + 56)), (1, "000000"), "the number of pictures and the darkness at the start")
    # 16 columns of eight pixels: each of the levels, twice
    levels = [level for level in SHADES for _ in range(16)]
    equal(game.lua(f"return headless.setCamera(string.char({','.join(map(str, levels))}):rep(112))"), "true", "what setCamera returns")
    take_picture(game)
    equal([game.pixel(16 + x, 16 + y) for y in (0, 111) for x in range(0, 128, 16)], [*SHADES.values()] * 2, "the colours of columns")
    equal(game.lua("return headless.setCamera('short')"), "false", "for bytes of another size")
    equal(game.lua("return headless.setCamera('')"), "true", "without a picture")
    take_picture(game)
    equal(game.pixel(16 + 127, 16), "000000", "darkness again")


def test_another_game_begins_with_sensors_at_rest(play):
    game = play("tilt.gb")
    game.set_sensors(tilt_x=90_000)
    game.host.say(f"load {ROMS / 'tilt.gb'}", "ok load")
    game.advance(9)
    equal(game.half(0x10), MBC7_LEVEL, "x of the game that was loaded")


def test_a_state_does_not_hold_the_sensors(play):
    game = play("tilt.gb")
    game.set_sensors(tilt_x=10_000)
    game.advance()
    game.host.say("save-state 1", "ok save-state")
    game.set_sensors(tilt_x=-10_000)
    game.host.say("load-state 1", "ok load-state")
    equal(game.half(0x10), MBC7_LEVEL - 19, "x that the state has")
    game.advance()
    equal(game.half(0x10), MBC7_LEVEL + 19, "x that is measured then")


# Each frame other sensors; what the game read in 300 frames, and its picture at the end, which a second machine draws unless all are drawn.
CAMERA_WAVES = """
local sum = 0
callbacks:add("frame", function()
  local n = emu:currentFrame()
  local lit = n % 113 * 128
  headless.setCamera(string.char(n * 7 % 256):rep(lit) .. string.char(n * 31 % 256):rep(14336 - lit))
  if n % 30 == 9 then emu:write8(0xC100 + 0x0F, 1) end
  if n % 45 == 0 then
    for c in (emu:readRange(0xC110, 0x100) .. headless.pixels(3, 0, 0)):gmatch(".") do sum = (sum * 31 + c:byte()) % 4294967291 end
  end
  if n == 300 then print("waves " .. sum) end
end)
"""
WAVES = """
local base, read, sum = emu:platform() == C.PLATFORM.GBA and 0x02000000 or 0xC100, {}, 0
callbacks:add("frame", function()
  local n = emu:currentFrame()
  if n == 10 and base == 0x02000000 then emu:write8(base + 0x0C, %d) end
  headless.setSensors(n * 7 %% 256, n * 997 %% 180001 - 90000, n * 1999 %% 180001 - 90000, n * 4999 %% 2000001 - 1000000)
  for c in emu:readRange(base, 0x50):gmatch(".") do sum = (sum * 31 + c:byte()) %% 4294967291 end
  if n == 300 then
    local picture = 0
    for c in headless.pixels(3, 0, 0):gmatch(".") do picture = (picture * 31 + c:byte()) %% 4294967291 end
    print("waves " .. sum .. " " .. picture)
  end
end)
"""


@pytest.mark.parametrize("rom, command, hardware", (("machine.gba", LIGHT, "light"), ("machine.gba", GYRO, "gyro"), ("machine.gba", TILT, "tilt"), ("tilt.gb", 0, "")))
def test_the_same_sensors_give_the_same_game_and_picture(runs, rom, command, hardware):
    script("waves.lua", WAVES % command)
    options = ("--hardware", hardware, "--save-type", "eeprom") if hardware else ()
    seen = set()
    for extra in ((), ("--draw-all",), ()):
        host = runs(0, "--script", "waves.lua", "--frames", "301", "--fps", "0", *options, *extra, ROMS / rom)
        seen.add(host.out.find("^waves (.*)"))
    equal(len(seen), 1, f"the number of different results {seen}")
    assert None not in seen


def test_the_same_pictures_for_the_camera_give_the_same_game_and_picture(runs):
    script("waves.lua", CAMERA_WAVES)
    seen = {runs(0, "--script", "waves.lua", "--frames", "301", "--fps", "0", *extra, ROMS / "camera.gb").out.find("^waves (.*)") for extra in ((), ("--draw-all",), ())}
    equal(len(seen), 1, f"the number of different results {seen}")
    assert None not in seen


def test_sensors_of_scripts_end_with_them(play):
    game = play("machine.gba", "--hardware", "light")
    game.set_sensors(light=3)
    game.choose(LIGHT)
    equal(game.light(), 3, "the light of the script")
    game.host.say("scripts-reset", "ok scripts-reset")
    game.choose(LIGHT)
    equal(game.light(), 255, "the light without it")
