"""The save file: what the game, a script or a state saves is in it at once, whatever was loaded before, and when its disk is full it is not damaged."""

import os
import pathlib
import signal
import time

import pytest

import small_roms
from checks import equal, until
from conftest import script

BOTH = pytest.mark.parametrize("rom", ["game.gba", "game.gb"])
SAVE = pathlib.Path("saves/game.sav")
MEMORY = "local save, mailbox = table.unpack(emu:platform() == C.PLATFORM.GBA and {0x0E000000, 0x02000000} or {0xA000, 0xC000}) "
SMALL = "192k"  # a disk for a save file of 32 KiB and the copy beside it


class Game:
    """A paused game: each call runs what it says."""

    def __init__(self, host):
        self.host = host
        self.advance(8)  # the GB game switches its save memory on
        self.memory()  # a GBA's is known when it is used

    def advance(self, frames):
        self.host.say(f"advance {frames}", "ok advance")

    def lua(self, text):
        script("do.lua", MEMORY + text)
        self.host.say("run-script do.lua", "ok run-script")

    def save(self):
        """The game saves 0x5A in its first byte."""
        self.lua("emu:write8(mailbox, 4)")
        self.advance(2)

    def write(self, at, value):
        """A client writes to the save memory."""
        self.lua(f"emu:write8(save + {at}, {value})")

    def memory(self):
        """The first bytes of the save memory."""
        self.host.out.clear()
        self.lua("console:log(('save %02X %02X'):format(emu:read8(save), emu:read8(save + 1)))")
        self.host.out.wait("^save ")
        return self.host.out.find("^save (.*)")


def in_file(path=SAVE):
    return path.read_bytes()[:2].hex(" ").upper()


def reaches(expected, path=SAVE):
    until(lambda: path.exists() and in_file(path) == expected, f"{expected} in {path}")


@pytest.fixture
def play(start_controlled):
    def play(rom="game.gba", **options):
        return Game(start_controlled("--paused", "--fps", "0", f"roms/{rom}", **options))

    return play


@pytest.fixture
def play_on_small_disk(play):
    """The folder of the saves is a file system of its own, which only the emulator and save() see."""
    mount = f'mount -t tmpfs -o size={SMALL} none "$0" && exec "$@"'
    namespaces = ("unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)))

    def play_on_small_disk(rom="game.gba"):
        game = play(rom, prefix=(*namespaces, "sh", "-c", mount, os.path.abspath("saves")))
        game.folder = pathlib.Path(f"/proc/{game.host.pid}/root", os.path.abspath("saves").lstrip("/"))
        assert game.folder.is_mount(), "a test of full disks mounts a tmpfs (unshare of util-linux, as root or with user namespaces)"
        return game

    return play_on_small_disk


def fill(folder, leave=0):
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            file.truncate(filler.stat().st_size // 4096 * 4096 - leave)
    return filler


@BOTH
@pytest.mark.versions
def test_first_save_of_a_game_after_a_load_is_in_the_file_when_its_frame_ends(play, rom):
    game = play(rom)
    game.host.say("save-state old", "ok save-state")
    game.write(1, 0x33)
    reaches("FF 33")
    game.host.say("load-state old", "ok load-state")
    equal(game.memory(), "FF FF", "the save memory of the state")
    game.advance(40)
    equal(in_file(), "FF 33", "the file after a load")
    game.save()
    equal(in_file(), "5A FF", "the file after the game saved")
    game.host.kill(signal.SIGKILL)
    until(game.host.is_over, "the end")
    equal(in_file(), "5A FF", "the file after SIGKILL")


@BOTH
@pytest.mark.versions
def test_reset_after_a_load_gives_the_save_of_the_file(play, rom):
    game = play(rom)
    game.host.say("save-state old", "ok save-state")
    game.save()
    game.host.say("load-state old", "ok load-state")
    equal(game.memory(), "FF FF", "the save memory of the state")
    game.host.say("reset", "ok reset")
    game.advance(8)
    equal((game.memory(), in_file()), ("5A FF", "5A FF"), "the save memory after the reset, and the file")


@BOTH
@pytest.mark.versions
def test_save_of_a_state_is_kept_out_or_written_by_command(play, rom):
    game = play(rom)
    game.host.say("save-state old", "ok save-state")
    game.save()
    game.host.say("load-state old", "ok load-state")
    game.host.say("keep-save", "ok keep-save")
    equal((game.memory(), in_file()), ("5A FF", "5A FF"), "the save memory and the file after keep-save")
    game.write(1, 0x12)
    reaches("5A 12")
    game.host.say("load-state old", "ok load-state")
    game.host.say("write-save", "ok write-save")
    equal((game.memory(), in_file()), ("FF FF", "FF FF"), "the save memory and the file after write-save")


@BOTH
@pytest.mark.versions
def test_game_that_saved_just_before_a_load_has_saved(play, rom):
    game = play(rom)
    game.host.say("save-state old", "ok save-state")
    game.save()
    game.host.say("load-state old", "ok load-state")
    game.advance(40)
    equal((game.memory(), in_file()), ("FF FF", "5A FF"), "the save memory of the state, and the file")


@BOTH
@pytest.mark.versions
def test_save_with_a_state_after_a_load_is_in_the_file_and_the_game(play, rom):
    game = play(rom)
    game.host.say("save-state old", "ok save-state")
    game.lua("emu:write8(save, 0x77) sent = emu:saveStateBuffer(2) emu:write8(save, 0x11)")
    game.host.say("load-state old", "ok load-state")
    game.lua("emu:loadStateBuffer(sent, 2)")
    equal(in_file(), "77 FF", "the file")
    game.lua("emu:reset()")
    game.advance(8)
    equal(game.memory(), "77 FF", "the save memory after a reset")
    game.host.stop()
    equal(in_file(), "77 FF", "the file at the end")


def test_write_of_a_client_to_the_domain_is_a_save(play):
    game = play("game.gb")
    game.write(0, 0x12)
    game.host.say("save-state old", "ok save-state")
    game.write(0, 0x13)
    game.host.say("load-state old", "ok load-state")
    reaches("13 FF")
    game.lua("emu.memory.sram:write8(1, 0x44)")
    reaches("12 44")


@pytest.mark.parametrize("link", ["symbolic", "hard"])
@pytest.mark.versions
def test_links_to_a_save_file_stay_links(play, link):
    there = pathlib.Path("there.sav")
    there.write_bytes(b"\xff" * 8192)
    if link == "symbolic":
        SAVE.symlink_to("../there.sav")
    else:
        os.link(there, SAVE)
    there.chmod(0o640)
    game = play()
    game.save()
    equal(in_file(there), "5A FF", "the file that is linked to")
    game.lua("emu:write8(save + 1, 0x77) emu:loadStateBuffer(emu:saveStateBuffer(2), 2)")
    equal((in_file(there), there.stat().st_mode & 0o777, there.stat().st_size), ("5A 77", 0o640, 32768), "the file that is linked to, its mode and size")
    assert SAVE.is_symlink() if link == "symbolic" else os.path.samefile(SAVE, there), "the link is gone"
    equal(sorted(os.listdir("saves")), ["game.sav"], "files")


@pytest.mark.versions
def test_file_that_another_program_cuts_or_replaces_does_not_end_the_game(play):
    game = play()
    game.write(1, 0x22)
    os.truncate(SAVE, 0)
    equal(game.memory(), "FF 22", "the save memory after the file was cut")
    game.save()
    equal((in_file(), SAVE.stat().st_size), ("5A 22", 32768), "the file and its size")
    pathlib.Path("saves/other").write_bytes(bytes(32768))
    os.rename("saves/other", SAVE)
    game.write(0, 0x99)
    reaches("99 22")
    SAVE.unlink()
    game.write(0, 0x98)
    reaches("98 22")


def test_full_disk_keeps_the_save_whole_and_is_tried_again(play_on_small_disk):
    game = play_on_small_disk()
    save = game.folder / "game.sav"
    game.write(1, 0x22)
    reaches("FF 22", save)
    filler = fill(game.folder)
    game.save()  # it has its blocks
    equal(in_file(save), "5A 22", "the save of the game on a full disk")
    game.lua("emu:write8(save + 1, 0x77) sent = emu:saveStateBuffer(2) emu:write8(save + 1, 0x22)")
    reaches("5A 22", save)
    game.lua("emu:loadStateBuffer(sent, 2) console:log('problem ' .. headless.saveProblem())")
    game.host.out.expect(r'^problem the save file ".*/saves/game.sav" cannot be written \(No space left on device\), .* tries again every second')
    game.host.err.expect("cannot be written .No space left on device")
    equal((in_file(save), save.stat().st_size, sorted(os.listdir(game.folder))), ("5A 22", 32768, ["filler", "game.sav"]), "the file")
    equal(game.memory(), "5A 77", "the save memory")
    game.host.say("load roms/game.gba", r"error load: the save file .*No space left")
    game.host.say("close", r"error close: the save file .*No space left")
    filler.unlink()
    game.lua("callbacks:add('idlePaused', function() end)")
    game.host.err.wait("is written again")
    equal(in_file(save), "5A 77", "the file when there is room")
    game.host.stop()


def test_first_save_on_a_full_disk_leaves_no_half_file(play_on_small_disk):
    game = play_on_small_disk()
    save = game.folder / "game.sav"
    fill(game.folder, leave=8192)
    game.save()
    equal((save.stat().st_size, sorted(os.listdir(game.folder))), (0, ["filler", "game.sav"]), "the size of the file, and the files")
    equal(game.memory(), "5A FF", "the save memory")
    game.host.kill(signal.SIGTERM)
    game.host.ended(30)
    game.host.err.expect("what the game saved last is lost")


def test_save_file_that_is_too_large_is_refused(refused):
    SAVE.touch()
    os.truncate(SAVE, 4 << 20)
    refused(30, "cannot open the save file", "roms/game.gba")


def test_temporary_save_is_not_written(play):
    pathlib.Path("other.sav").write_bytes(b"\x01\x02" * 16384)
    game = play()
    game.write(1, 0x22)
    game.lua("emu:loadSaveFile('other.sav', true)")
    os.truncate("other.sav", 0)
    equal(game.memory(), "01 02", "the temporary save")
    game.save()
    game.advance(40)
    equal((game.memory(), in_file(), os.path.getsize("other.sav")), ("5A 02", "FF 22", 0), "the memory, the file, and the size of the other")


@pytest.mark.versions
def test_a_state_of_another_model_is_refused_with_its_save_and_clock(start):
    pathlib.Path("roms/game.gb").write_bytes(small_roms.gb(color="80"))
    os.mkdir("other")
    first, second = (Game(start("--paused", "--fps", "0", "--model", model, "roms/game.gb", saves=saves, control=f"{saves}/fifo")) for model, saves in (("CGB", "saves"), ("DMG", "other")))
    first.write(1, 0x33)
    first.lua("headless.setClock('fixed', 1000000000000)")
    first.host.say("save-state old", "ok save-state")
    second.host.say("load-state old", "error load-state: the state is of the model CGB, and --model makes this one DMG")
    equal(second.memory(), "FF FF", "the save memory")
    second.lua("console:log('clock ' .. headless.clock())")
    second.host.out.expect("^clock host 0 ")
    first.host.say("load-state old", "ok load-state")
    equal(first.memory(), "FF 33", "the save memory of the model")


NOON = bytes.fromhex("21061502120000")  # 2021-06-15, a Tuesday, as a cartridge's clock has it


@pytest.mark.versions
def test_clock_behind_a_save_is_in_states_and_kept_out_where_the_file_has_none(play):
    content = bytearray(pathlib.Path("roms/game.gba").read_bytes())
    content[0xAC:0xB0] = b"AXVE"  # by which mGBA knows that the cartridge has a clock and 128 KiB
    pathlib.Path("roms/clock.gba").write_bytes(content)
    clock = NOON + b"\x40" + int(time.time() - 3 * 3600).to_bytes(8, "little")
    pathlib.Path("saves/clock.sav").write_bytes(bytes(131072) + clock)
    game = play("clock.gba")

    def times():
        """That of the last look at the clock, and those behind the save data of a state."""
        game.host.out.clear()
        game.lua("local state = emu:saveStateBuffer(2) local function hex(data) return (data:gsub('.', function(byte) return ('%02x'):format(byte:byte()) end)) end "
                 "console:log('clock ' .. hex(state:sub(0x2B1, 0x2B7)) .. ' ' .. hex(state:sub(-16)) .. ' ' .. #state)")
        game.host.out.wait("^clock ")
        return game.host.out.find("^clock (.*)").split()

    with_clock = times()
    equal(with_clock[:2], [NOON.hex(), clock.hex()], "the clock and that of the state")
    game.host.say("save-state old", "ok save-state")
    game.lua("emu:loadStateBuffer(emu:saveStateBuffer(2), 2)")
    equal(pathlib.Path("saves/clock.sav").read_bytes()[131072:], clock, "the file after a state was loaded with its save")
    game.host.stop()

    pathlib.Path("saves/clock.sav").unlink()
    game = play("clock.gba")
    equal([times()[0], int(times()[2])], ["00" * 7, int(with_clock[2]) - 16], "without a clock in the file")
    game.host.say("load-state old", "ok load-state")
    game.host.say("reset", "ok reset")
    game.advance(8)
    equal(times()[0], "00" * 7, "the clock after a reset: the file has none")
