"""What a cartridge has and on which console it runs: the options, and what is in force."""

import os
import pathlib

import pytest

import small_roms
from checks import equal
from machines import CLOCK, EEPROM, FLASH, LIGHT, READ_ONLY, ROMS, SRAM, TILT, Machine

EXIT_OPTIONS, EXIT_CARTRIDGE = 2, 16
SAVE = pathlib.Path("saves/machine.sav")
GBA, GB = ROMS / "machine.gba", ROMS / "machine.gb"
MODELS = {"DMG": (1, 0x01, 0x13), "MGB": (2, 0xFF, 0x13), "SGB": (3, 0x01, 0x14), "SGB2": (4, 0xFF, 0x14), "CGB": (5, 0x11, 0x00), "SCGB": (5, 0x11, 0x00), "AGB": (6, 0x11, 0x00)}
COLOURS = ("FF0000", "00FF00", "0000FF", "FFFFFF", "000000", "FFFF00", "FF00FF", "00FFFF", "848484", "840000", "008400", "000084")
LIGHT_AND_FLASH = ("--hardware", "light", "--save-type", "flash1m")


@pytest.fixture
def play(start_controlled):
    return lambda rom, *options: Machine(start_controlled, rom, *options)


def end(game):
    game.host.write("stop\n")
    game.host.ended(0)


def test_a_game_of_an_unknown_code_has_nothing(play):
    game = play("machine.gba")
    for command in (CLOCK, LIGHT):
        game.choose(command)
    equal((game.clock(), game.light()), ((0,) * 7, 256), "clock and light")
    equal(game.save(FLASH), 3, "the result of Flash 1M, where Flash 512 is detected")
    equal(game.word(0x48), 0x1B32, "the chip")
    cartridge = game.cartridge()
    equal(cartridge["save-type"], ("flash512", "detected"), "the save type")
    equal(cartridge["hardware"], ("none", "default"), "the hardware")


@pytest.mark.versions
@pytest.mark.parametrize("name, command, size", (("flash1m", FLASH, 0x20000), ("eeprom", EEPROM, 0x2000), ("sram", SRAM, 0x8000)))
def test_a_game_of_an_unknown_code_saves(play, name, command, size):
    game = play("machine.gba", "--save-type", name)
    equal(game.cartridge()["save-type"], (name, "option"), "the save type")
    game.write(0x40, 0x77)
    equal(game.save(command), 1, "the result")
    end(game)
    equal(SAVE.stat().st_size, size, "the size of the save file")
    game = play("machine.gba", "--save-type", name)
    game.write(0x40, 0x77)
    equal(game.save(command + READ_ONLY), 1, "what the next run reads")
    equal([game.word(0x4C + 4 * i) for i in range(4)], [0x77, 0x78, 0x79, 0x7A], "its values")


def test_without_save_memory_nothing_is_saved(play):
    game = play("machine.gba", "--save-type", "none")
    for command, result in ((FLASH, 3), (EEPROM, 2), (SRAM, 2)):
        equal(game.save(command), result, f"the result of {command}")
    end(game)
    assert not SAVE.exists() or SAVE.stat().st_size == 0


@pytest.mark.parametrize("name, size", (("sram", 0x8000), ("eeprom", 0x2000), ("flash512", 0x10000)))
def test_a_save_file_of_another_size_is_refused_and_stays(refused, name, size):
    SAVE.write_bytes(b"\x5a" * 0x20000)
    refused(EXIT_CARTRIDGE, "save", "--save-type", name, GBA)
    equal(SAVE.read_bytes(), b"\x5a" * 0x20000, "the save file")


def test_options_are_in_force_after_a_reset(play):
    game = play("machine.gba", *LIGHT_AND_FLASH)
    game.host.say("reset", "ok reset")
    game.lua("emu:reset()")
    game.advance(9)
    game.set_sensors(light=3)
    game.choose(LIGHT)
    equal(game.light(), 3, "the light")
    equal(game.save(FLASH), 1, "the result of Flash 1M")


def test_options_of_the_cartridge_are_those_of_the_first_rom(play):
    game = play("machine.gba", *LIGHT_AND_FLASH)
    other = pathlib.Path("other.gba")
    data = bytearray(GBA.read_bytes())
    data[-1] = 0
    other.write_bytes(data)
    game.host.say(f"load {other.absolute()}", "ok load")
    game.advance(9)
    game.choose(LIGHT)
    equal(game.light(), 256, "the light of another ROM")
    equal(game.cartridge()["hardware"], ("none", "default"), "its hardware")
    game.host.say(f"load {GBA}", "ok load")
    game.advance(9)
    game.set_sensors(light=3)
    game.choose(LIGHT)
    equal(game.light(), 3, "the light of the first ROM")
    equal(game.cartridge()["hardware"], ("light", "option"), "its hardware")


def test_tilt_alone_is_read(play):
    game = play("machine.gba", "--hardware", "tilt")
    game.choose(TILT)
    equal(game.tilt(), (0x3A0, 0x3A0), "the tilt")


@pytest.mark.versions
@pytest.mark.parametrize("name", (*MODELS, "cgb"))
def test_the_model_is_what_the_game_sees(play, name):
    game, (model, a, c) = play("machine.gb", "--model", name), MODELS[name.upper()]
    equal((game.byte(0x0F), game.byte(0x0C), game.byte(0x0E)), (model, a, c), "the model, A and C")
    equal(game.cartridge()["model"], (name.upper(), "option"), "the model in force")


def test_the_model_of_the_option_is_in_force_over_that_of_the_configuration(play):
    equal(play("machine.gb", "--config", "gb.model=CGB", "--model", "SGB2").byte(0x0F), 4, "the model")


def test_a_state_of_another_model_is_refused(play):
    state = pathlib.Path("state.ss").absolute()
    game = play("machine.gb", "--model", "SGB")
    game.host.say(f"save-state {state}", "ok save-state")
    end(game)
    game = play("machine.gb", "--model", "CGB")
    game.host.say(f"load-state {state}", "error load-state: the state is of the model SGB, and --model makes this one CGB")
    game.advance()
    equal((game.byte(0x0F), game.word(8)), (5, 7), "the model and the frames of the game that runs on")


@pytest.fixture
def state_of(play):
    def make(*options):
        file = pathlib.Path("state.ss").absolute()
        game = play("machine.gb", *options)
        game.host.say(f"save-state {file}", "ok save-state")
        end(game)
        return file
    return make


@pytest.mark.parametrize("made, loaded, reason", (
    ("DMG", "CGB", "the state is of the model DMG, and --model makes this one CGB"),
    ("CGB", "DMG", "the state is of the model CGB, SCGB or AGB, and --model makes this one DMG"),
    ("AGB", "MGB", "the state is of the model CGB, SCGB or AGB, and --model makes this one MGB"),
    ("DMG", "DMG", None), ("CGB", "CGB", None), ("CGB", "AGB", None), ("MGB", "MGB", None),
))
def test_a_state_of_an_old_game_tells_whether_the_console_has_colours(play, state_of, made, loaded, reason):
    file = state_of("--model", made)
    game = play("machine.gb", "--model", loaded)
    game.host.say(f"load-state {file}", f"error load-state: {reason}" if reason else "ok load-state")
    game.lua(f"emu:loadStateFile('{file}', 31)")
    equal(game.lua("return headless.stateProblem()").split(";")[0], reason or "", "the reason for scripts")
    equal(game.lua("return headless.stateProblem()"), "", "the reason, once more")
    equal(game.cartridge()["model"], (loaded, "option"), "the model in force")


@pytest.mark.parametrize("options, made, after, reset", (
    ((), "SGB", ("SGB", "state"), ("SGB", "state")),
    ((), "CGB", ("CGB", "state"), ("DMG", "guess")),
    ((), "DMG", ("DMG", "guess"), ("DMG", "guess")),
    (("--config", "gb.model=CGB"), "DMG", ("DMG", "state"), ("CGB", "option")),
    (("--config", "gb.model=CGB"), "CGB", ("CGB", "option"), ("CGB", "option")),
))
def test_without_the_option_the_model_in_force_is_that_of_the_state(play, state_of, options, made, after, reset):
    file = state_of("--model", made)
    game = play("machine.gb", *options)
    game.host.say(f"load-state {file}", "ok load-state")
    equal(game.cartridge()["model"], after, "the model after the state")
    game.host.say("reset", "ok reset")
    game.advance(9)
    equal(game.cartridge()["model"], reset, "the model after a reset")
    equal(game.byte(0x0F), MODELS[reset[0]][0], "the model that the game sees then")


def test_palette_bios_and_clock_are_in_force(play):
    game = play("machine.gb")
    cartridge = game.cartridge()
    equal(cartridge["palette"], (",".join(["FFFFFF,ADADAD,525252,000000"] * 3), "default"), "the palette")
    equal((cartridge["skip-bios"], cartridge["clock"]), (("false", "default"), ("host", "default")), "BIOS and clock")
    end(game)
    game = play("machine.gb", "--palette", ",".join(COLOURS), "--skip-bios", "--clock", "fixed:2099-12-31T23:59:58")
    cartridge = game.cartridge()
    equal(cartridge["palette"], (",".join(COLOURS), "option"), "the palette of the option")
    equal((cartridge["skip-bios"], cartridge["clock"]), (("true", "option"), ("fixed:2099-12-31T23:59:58", "option")), "BIOS and clock of the options")
    game.lua("headless.setClock('emulated', 1709164800000)")
    equal(game.cartridge()["clock"], ("emulated:2024-02-29T00:00:00", "script"), "the clock that a script has set")
    game.lua("headless.setClock('offset', -3600000)")
    equal(game.cartridge()["clock"], ("host-3600", "script"), "the clock of the host")
    end(game)
    assert "palette" not in play("machine.gb", "--model", "CGB").cartridge()


def test_the_clock_of_a_state_is_in_force(play, state_of):
    file = state_of("--clock", "fixed:2026-01-01T12:00")
    game = play("machine.gb")
    game.host.say(f"load-state {file}", "ok load-state")
    equal(game.cartridge()["clock"], ("fixed:2026-01-01T12:00:00", "state"), "the clock")


def test_an_idle_loop_that_halts_the_game_for_good_is_reported_with_the_option(start_controlled):
    # r0 = 0x10000; subs r0, 1; bne; and again, without interrupts
    counts = small_roms.build(4096, {0x00: "2e0000ea", 0xAC: "54455354", 0xB2: "96", 0xC0: "0108a0e3 010050e2 fdffff1a fbffffea"})
    pathlib.Path("game.gba").write_bytes(counts)
    sentence = "the game is halted for good in the loop at 0x080000C4 that --idle-loop names"
    game = Machine(start_controlled, pathlib.Path("game.gba").absolute(), "--idle-loop", "0x080000C4")
    equal((sentence in game.host.err.text(), "idle-loop-problem" in game.lua("return headless.cartridge()")), (False, False), "a report at first")
    game.advance(100)
    equal(game.host.err.text().count(sentence), 1, "the lines about it")
    assert f"idle-loop-problem {sentence}" in game.lua("return headless.cartridge():match('idle.loop.problem[^\\n]*')")
    game.host.say("reset", "ok reset")
    game.advance(2)
    end(game)
    for options in ((), ("--idle-loop", "0x080000CC"), ("--idle-loop", "none")):
        game = Machine(start_controlled, pathlib.Path("game.gba").absolute(), *options)
        game.advance(200)
        equal(sentence.split("0x")[0] in game.host.err.text(), False, f"a report with {options}")
        end(game)


def test_a_game_that_waits_for_interrupts_is_not_reported(start_controlled):
    # IE = 1, DISPSTAT: interrupt of the blank lines; and a game without interrupts that is over, a branch to itself
    waits = small_roms.build(4096, {0x00: "2e0000ea", 0xAC: "54455354", 0xB2: "96", 0xC0: "0113a0e3 0800a0e3 b400c1e1 020c81e2 0120a0e3 b020c0e1 0000a0e1 fdffffea"})
    over = small_roms.build(4096, {0x00: "2e0000ea", 0xAC: "54455354", 0xB2: "96", 0xC0: "feffffea"})
    for rom, address in ((waits, "0x080000D8"), (over, "0x080000C0")):
        pathlib.Path("game.gba").write_bytes(rom)
        game = Machine(start_controlled, pathlib.Path("game.gba").absolute(), "--idle-loop", address)
        game.advance(200)
        equal("halted for good" in game.host.err.text(), False, f"a report of {address}")
        end(game)


def test_hardware_and_save_type_are_in_force_after_a_state_without_them(play):
    state = pathlib.Path("state.ss").absolute()
    game = play("machine.gba")
    game.host.say(f"save-state {state}", "ok save-state")
    end(game)
    game = play("machine.gba", *LIGHT_AND_FLASH)
    game.host.say(f"load-state {state}", "ok load-state")
    game.set_sensors(light=9)
    game.choose(LIGHT)
    equal(game.light(), 9, "the light")
    equal(game.save(FLASH), 1, "the result of Flash 1M")


def test_the_model_is_the_one_of_every_game(play):
    game = play("tilt.gb", "--model", "SGB")
    game.host.say(f"load {GB}", "ok load")
    game.advance(9)
    equal(game.byte(0x0F), 3, "the model")


@pytest.mark.versions
def test_a_palette_of_12_colours_is_seen(play):
    game = play("machine.gb", "--model", "DMG", "--palette", ",".join(COLOURS))
    game.advance(9)
    equal([game.pixel(16 + 8 * shade, 113) for shade in range(4)], list(COLOURS[:4]), "the background")
    equal([game.pixel(64 + 8 * shade, 113) for shade in (1, 2, 3)], list(COLOURS[5:8]), "the first objects")
    equal([game.pixel(96 + 8 * shade, 113) for shade in (1, 2, 3)], list(COLOURS[9:]), "the second objects")


def test_a_palette_of_4_colours_is_that_of_all(play):
    game = play("machine.gb", "--palette", ",".join(COLOURS[:4]).lower())
    game.advance(9)
    for first in (16, 64, 96):
        equal([game.pixel(first + 8 * shade, 113) for shade in (1, 2, 3)], list(COLOURS[1:4]), f"the shades from {first}")


def test_a_palette_of_a_name(play):
    game = play("machine.gb", "--palette", "dmg green")
    game.advance(9)
    colour = bytes.fromhex(game.pixel(16 + 8, 113))
    assert colour[1] > colour[0] and colour[1] > colour[2], colour


def test_another_controller_has_no_clock(play):
    game = play("machine.gb", "--mbc", "mbc5", "--clock", "emulated:2026-01-01T12:00")
    game.advance(200)
    equal(set(game.bytes(0x10, 5)) <= {0x00, 0xFF}, True, "whether the clock stands")
    equal(game.cartridge()["mbc"], ("mbc5", "option"), "the controller in force")


def test_what_is_in_force_without_options(play):
    cartridge = play("machine.gb").cartridge()
    equal((cartridge["model"][0], cartridge["mbc"][0]), ("DMG", "mbc3-rtc"), "model and controller")
    assert "hardware" not in cartridge


@pytest.mark.parametrize("rom, options", (
    (GB, ("--hardware", "rtc")), (GB, ("--save-type", "sram")), (GB, ("--idle-loop", "0x08000000")),
    (GBA, ("--mbc", "mbc5")), (GBA, ("--palette", "FFFFFF,AAAAAA,555555,000000")), (GBA, ("--model", "DMG")),
), ids=lambda value: value[0] if isinstance(value, tuple) else value.suffix[1:])
def test_options_of_another_console_are_refused(refused, rom, options):
    refused(EXIT_CARTRIDGE, options[0], *options, rom)


def test_a_gba_accepts_its_own_model(runs):
    runs(0, "--model", "agb", "--frames", "2", "--fps", "0", GBA)


def test_a_bios_of_a_wrong_size_is_refused(refused):
    pathlib.Path("bios.bin").write_bytes(bytes(1000))
    for rom in (GBA, GB):
        refused(EXIT_CARTRIDGE, "bios.bin", "--bios", "bios.bin", rom)


def test_without_these_options_a_save_file_is_as_before(play):
    os.makedirs("saves", exist_ok=True)
    SAVE.write_bytes(b"\xff" * 0x8000)
    game = play("machine.gba")
    equal(game.save(SRAM), 1, "the result of SRAM")
    end(game)
    equal(SAVE.stat().st_size, 0x8000, "the size of the save file")
