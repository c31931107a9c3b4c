"""The gateway's server for clients of RetroArch, compared with a running RetroArch: both have the same game and get the same datagrams.

RetroArch 1.14 crashes at WRITE_CORE_RAM, and may at a length of 2^31 and more: neither is sent.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.request
import zlib

import pytest

from checks import equal, until
from doors import RetroArchClient
from gateway import Gateway, end_process
from headless import ROMS, HeadlessEmulator
from ports import free_port

CORES = next(pathlib.Path("/usr/lib").glob("*/libretro"), pathlib.Path("/usr/lib/libretro"))
INFORMATION = pathlib.Path("/usr/share/libretro/info")
FRAME, SCRATCH = 0x2000008, 0x2030000  # of the GBA test game: the number of the frame, and memory that it does not use
UNUSED = {"gba": SCRATCH, "gb": 0xC900, "gbc": 0xC900}
READ, WRITE = "READ_CORE_MEMORY", "WRITE_CORE_MEMORY"


class RetroArch:
    """RetroArch without a window, with its mGBA core."""

    def __init__(self, folder, rom):
        self.states = folder / "states"
        for name in ("states", "saves", "system"):
            (folder / name).mkdir()
        shutil.copytree(INFORMATION, folder / "info")  # it writes into this folder
        self.port = free_port()
        settings = {"network_cmd_enable": "true", "network_cmd_port": self.port, "config_save_on_exit": "false", "pause_nonactive": "false"}
        settings |= {f"{driver}_driver": "null" for driver in ("video", "audio", "input", "input_joypad", "menu")}
        settings |= {"audio_sync": "false", "video_vsync": "false", "vrr_runloop_enable": "true", "libretro_directory": CORES, "libretro_info_path": folder / "info"}
        settings |= {"savestate_directory": self.states, "savefile_directory": folder / "saves", "system_directory": folder / "system"}
        (folder / "settings").write_text("".join(f'{name} = "{value}"\n' for name, value in settings.items()), encoding="utf-8")
        command = ["setpriv", "--pdeathsig", "KILL", "retroarch", "-c", folder / "settings", "-L", CORES / "mgba_libretro.so", rom]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)})


class Pair:
    """RetroArch and the gateway, and a client of each."""

    def __init__(self, kind, folder):
        self.kind, rom = kind, folder / f"MGBABRIDGE.{kind}"  # the title in the ROM's header
        rom.write_bytes(game(kind))
        self.retroarch = RetroArch(folder, rom)
        self.emulator = HeadlessEmulator(str(rom))
        port = free_port()
        self.gateway = Gateway("Doors:RetroArch:Enabled=true", f"Doors:RetroArch:Port={port}", emulator_port=self.emulator.port)
        self.clients = [RetroArchClient(one) for one in (self.retroarch.port, port)]

    def compare(self, datagram, form=lambda answer: answer):
        theirs, ours = ([form(answer) for answer in client.ask(datagram)] for client in self.clients)
        equal(ours, theirs, f"the answer to {datagram[:80]!r}")

    def play(self, is_played):
        for client in self.clients:
            if (b" PLAYING " in client.ask("GET_STATUS")[0]) != is_played:
                client.send("PAUSE_TOGGLE")
                until(lambda: (b" PLAYING " in client.ask("GET_STATUS")[0]) == is_played, "the game is paused, or plays")

    def press(self, *hotkeys):
        """Sends each, and waits until the game, which plays, has run two frames since: a hotkey has its effect in the next frame."""
        for hotkey in hotkeys:
            for client in self.clients:
                client.send(hotkey)
                client.ask("VERSION")
                begin = frame(client)
                until(lambda: not begin <= frame(client) < begin + 2, "two frames, or a state was loaded")

    def end(self):
        end_process(self.retroarch.process)
        self.gateway.end()
        self.emulator.end()


def game(kind):
    """A test game; that for Game Boy Color is the one for Game Boy with another header."""
    data = bytearray(pathlib.Path(ROMS["gba" if kind == "gba" else "gb"]).read_bytes())
    if kind == "gbc":
        data[0x143] = 0x80
        data[0x14D] = -sum(data[0x134:0x14D]) - 25 & 0xFF
    return data


def frame(client):
    return int.from_bytes(client.read(FRAME, 4), "little")


def without_bytes(answer):
    """An answer with the number of the bytes that were read."""
    return re.sub(rb"((?: [0-9A-F]{2})+)\n$", lambda found: b" (%d bytes)" % (len(found[1]) // 3), answer)


@pytest.fixture(scope="module", params=UNUSED)
def pair(request, tmp_path_factory):
    pair = Pair(request.param, tmp_path_factory.mktemp("retroarch"))
    yield pair
    pair.end()


@pytest.fixture(scope="module")
def gba_pair(tmp_path_factory):
    pair = Pair("gba", tmp_path_factory.mktemp("retroarch"))
    yield pair
    pair.end()


def test_commands_have_the_same_answers(pair):
    """commands, and what is wrong with them, have the same answers"""
    for datagram in (
        *("VERSION", "VERSION\n", "VERSION \n", "VERSION x", "version", " VERSION", "VERSION\n\n", "\nVERSION", "\n\n\n", "VERSION\nVERSION", "VERSION\0", "VERSION\0\nVERSION", "\0VERSION"),
        *("VERSIONX", "VERSION\tx", "\tVERSION", "VERSION;VERSION", "", "VERSION\n" * 255, "\n" * 2000 + "VERSION", "VERSION".ljust(2047), "get_status", "NOSUCH", "NOSUCH x", "READ_CORE_MEMOR"),
        *("GET_CONFIG_PARAM ", "GET_CONFIG_PARAM  ", "GET_CONFIG_PARAM\n", "GET_CONFIG_PARAM\tvideo_fullscreen", "GET_CONFIG_PARAM a\0b"),
        *(f"GET_CONFIG_PARAM {name}" for name in ("video_fullscreen", "video_fullscreen ", " video_fullscreen", "video_fullscreen x", "Video_Fullscreen", "nothing\n", "a b c", "\xff", "x" * 2030)),
        *("SHOW_MSG hi", "SHOW_MSG \n", "SHOW_MESG x", "LOAD_STATE_SLOT", "LOAD_STATE_SLOT x", "FAST_FORWARD", "MUTE", "SCREENSHOT x"),
        *("READ_CORE_RAM 30000 4", "READ_CORE_RAM ffffffff 1", "READ_CORE_RAM zz 1", "READ_CORE_RAM 0x30000 4\n", "READ_CORE_RAM 30000 x", "READ_CORE_RAM 30000 21840"),
    ):
        pair.compare(datagram)


def test_numbers_are_read_in_the_same_way(pair):
    """numbers are read in the same way"""
    at = f"{UNUSED[pair.kind]:x}"
    long = at.zfill(8)
    for text in (
        *(f"{at}{rest}" for rest in ("", " ", " 1", " 1\n", " 1\r\n", " 01", " +1", "-4294967295", " 1x", " 1.5", " 0x2", " 0", " x", "\t1", " \t1", "\v1", "\f1", "h 1", ",1", " 1 2", " 1 x", "\0 1", " 1\0" + "2")),
        *(f"{at} {count}" for count in (65536, 1_000_000_000, 2**32, 2**32 + 1, 2**32 + 4, 2**64 - 2**32 + 3)),
        *(f"\t{at} 1", f" {at}   1 ", f"0x{at} 1", f"0X{at} 1", f"{at.upper()} 1", f"000000{at} 1", f"1{long} 1", f"12345678{long} 1", f"123456789{long} 1", f"+{at} 1", f"x{at} 1", f"${at} 1"),
        *("-1 1", "0xg 1", " 1", "", "zz 1", "zz"),
    ):
        pair.compare(f"{READ} {text}")
    for text in (
        *("1", "1\n", "01 2 fF Ff", "0x1 0X2", "100", "1ff", "123456789", " 1   2", "1\t2", "-1", "+1", "-ff", "1 2\0 3", " ".join(["5a"] * 660), "1" * 40),
    ):
        pair.compare(f"{WRITE} {at} {text}\n{READ} {at} 16")
    for start in (f"  {at}", f"0x{at}", f"1{long}", f"+{at}", f"{at}\t"):
        pair.compare(f"{WRITE} {start} 7 8\n{READ} {at} 4")


EDGES = {
    "gba": [0, 0x3FFC, 0x4000, 0x1FFFFFC, 0x1FFFFFF, 0x2000000, 0x203FFFC, 0x2040000, 0x207FFFE, 0x2FFFFFE, 0x3000000, 0x3007FFC, 0x3008000, 0x3FFFFFE, 0x4000000, 0x40003FE, 0x4000400,
            0x4000800, 0x4FFFFFF, 0x5000000, 0x50003FE, 0x5000400, 0x5FFFFFF, 0x6000000, 0x6017FFE, 0x6018000, 0x6020000, 0x6FFFFFF, 0x7000000, 0x70003FE, 0x7000400, 0x7FFFFFF, 0x8000000,
            0x8000FFE, 0x8001000, 0x9000000, 0x9FFFFFF, 0xA000000, 0xA000FFE, 0xA001000, 0xC000000, 0xC001000, 0xDFFFFFE, 0xE020000, 0xEFFFFFF, 0xF000000, 0x10000000, 0xFFFFFFFF],
    "gb": [0, 0x100, 0x3FFE, 0x4000, 0x7FFE, 0x8000, 0x9FFE, 0xA000, 0xA7FF, 0xBFFE, 0xC000, 0xCFFE, 0xD000, 0xDFFE, 0xE000, 0xF000, 0xFDFF, 0xFE00, 0xFE9E, 0xFEA0, 0xFEFF, 0xFF80, 0xFFFE,
           0xFFFF, 0x12000, 0x16000, 0x20000, 0xFFFFFFFF],
}


def test_memory_has_the_same_addresses(pair):
    """memory has the same addresses, ends at the same places and is written at the same"""
    pair.play(False)
    for address in EDGES["gba" if pair.kind == "gba" else "gb"]:
        for count in (1, 8, 21827, 21828, 65536):
            pair.compare(f"{READ} {address:x} {count}", without_bytes)
        if address >> 24 != 4:  # I/O registers
            pair.compare(f"{WRITE} {address:x} a5\n{READ} {address:x} 8" if pair.kind == "gba" else f"{WRITE} {address:x} a5 5a\n{READ} {address:x} 2")
    pair.play(True)


def different(pair):
    """What docs/doors.md lists: a datagram, RetroArch's answers and the gateway's."""
    at, end = f"{UNUSED[pair.kind]:x}", {"gba": 0x2040000, "gb": 0xD000, "gbc": 0xD000}[pair.kind]
    to_end = f"{WRITE} {at} {end - UNUSED[pair.kind]}\n"
    yield "VERSION\r\n", [], ["1.14.0\n"]
    yield "VERSION".ljust(2048), ["1.14.0\n"], []
    yield "GET_CONFIG_PARAM savestate_directory", [f"GET_CONFIG_PARAM savestate_directory {pair.retroarch.states}"], ["GET_CONFIG_PARAM savestate_directory unsupported"]
    yield "READ_CORE_RAM 8 0", ["READ_CORE_RAM 8\n"], ["READ_CORE_RAM 8 -1\n"]
    yield "LOAD_STATE_SLOT 5", [], ["LOAD_STATE_SLOT 5"]
    yield f"{READ} 0x 0", [f"{READ} 0\n"], []
    yield f"{WRITE} {at} 1 ", [to_end], [f"{WRITE} {at} 1\n"]
    yield f"{WRITE} {at} 1\r\n", [to_end], [f"{WRITE} {at} 1\n"]
    for wrong in (" 1 zz", " 1,2", " 0x", "z 1"):
        yield f"{WRITE} {at}{wrong}", [to_end], []
    yield f"{WRITE} zz 1", [f"{WRITE} 0 -1 descriptor data is readonly\n"], []
    if pair.kind == "gba":
        yield f"{READ} e000000 0", [f"{READ} e000000\n"], [f"{READ} e000000 -1 no descriptor for address\n"]
        yield f"{WRITE} 4000010 0", [f"{WRITE} 4000010 1\n"], [f"{WRITE} 4000010 -1 descriptor data is readonly\n"]
    else:
        status = f"GET_STATUS PLAYING %s,MGBABRIDGE,crc32={zlib.crc32(game(pair.kind)):x}\n"
        yield "GET_STATUS", [status % "game_boy_advance"], [status % "game_boy"]
        yield f"{READ} ff7e 2", [f"{READ} ff7e 00 00\n"], [f"{READ} ff7e FF FF\n"]
    if pair.kind == "gbc":
        yield f"{READ} 10000 0", [f"{READ} 10000\n"], [f"{READ} 10000 -1 no descriptor for address\n"]


def test_differences_are_those_that_are_documented(pair):
    """differences are those that docs/doors.md has"""
    for datagram, theirs, ours in different(pair):
        for answers, client, name in zip((theirs, ours), pair.clients, ("RetroArch", "the gateway")):
            equal(client.ask(datagram), [answer.encode() for answer in answers], f"the answer of {name} to {datagram[:80]!r}")


def test_pause_and_frames(gba_pair):
    """the game is paused and frames advance in the same way"""
    pair = gba_pair
    pair.compare("GET_STATUS")
    pair.press("PAUSE_TOGGLE x", "FRAMEADVANCE x", "pause_toggle")
    pair.compare("GET_STATUS")
    for client in pair.clients:
        client.send("PAUSE_TOGGLE\nPAUSE_TOGGLE")
        until(lambda: b" PAUSED " in client.ask("GET_STATUS")[0], "two in a datagram count as one")
        for datagram in ("FRAMEADVANCE", "FRAMEADVANCE\n", "FRAMEADVANCE\nFRAMEADVANCE", "FRAMEADVANCE\nFRAMEADVANCE\n", "FRAMEADVANCE"):
            before = frame(client)
            client.send(datagram)
            until(lambda: frame(client) != before, "a frame advances")
            equal(frame(client), before + 1, "the frame")
    pair.compare("GET_STATUS")
    for client in pair.clients:
        client.send("FRAMEADVANCE\nPAUSE_TOGGLE")
        until(lambda: b" PLAYING " in client.ask("GET_STATUS")[0], "the game plays")
        client.send("FRAMEADVANCE")
        until(lambda: b" PAUSED " in client.ask("GET_STATUS")[0], "a frame advance pauses the game")
    pair.play(True)


def test_states(gba_pair):
    """states have the same slots and names"""
    pair = gba_pair

    def mark(value):
        for client in pair.clients:
            client.write(SCRATCH, value)

    def save(name):
        pair.press("SAVE_STATE")
        until(lambda: (pair.retroarch.states / name).exists(), f"RetroArch writes {name}")

    def load(value):
        for client in pair.clients:
            until(lambda: client.send("LOAD_STATE") or client.read(SCRATCH, 1)[0] == value, f"the state with {value} is loaded", pause=0.2)

    mark(1)
    save("MGBABRIDGE.state")
    pair.press("STATE_SLOT_PLUS")
    mark(2)
    save("MGBABRIDGE.state1")
    mark(3)
    pair.press("STATE_SLOT_MINUS x")
    load(2)
    pair.press("STATE_SLOT_MINUS")
    load(1)
    pair.press("STATE_SLOT_PLUS\nSTATE_SLOT_PLUS")
    load(2)
    pair.press("STATE_SLOT_MINUS", "STATE_SLOT_MINUS", "STATE_SLOT_MINUS", "STATE_SLOT_PLUS")
    load(2)
    pair.press("STATE_SLOT_PLUS")
    mark(4)
    pair.press("LOAD_STATE")
    pair.compare(f"{READ} {SCRATCH:x} 1")
    with urllib.request.urlopen(f"{pair.gateway.url}/v2/states") as answer:
        names = sorted(state["name"] for state in json.load(answer)["states"])
    equal(names, sorted(path.name for path in pair.retroarch.states.iterdir()), "the names of the states")


def test_reset(gba_pair):
    """the game is reset"""
    for client in gba_pair.clients:
        client.write(SCRATCH, 9)
        client.send("RESET")
        until(lambda: client.read(SCRATCH, 1) == b"\0", "memory is new")
