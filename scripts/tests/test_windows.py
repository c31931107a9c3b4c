"""The archive for Windows, under wine (tests/python/wine.py): what the programs do is what wine lets them do, and how fast says nothing. docs/installation.md lists what
this does not show. DIST_OUTPUT=folder takes an archive that is already built."""

import contextlib
import pathlib
import shutil
import signal
import zipfile

import pytest

import processes
from caller import Caller
from checks import equal, until
from clean_system import ask
from programs import run
from wine import Wine, programs, wine_root

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
FOLDER = f"mgba-bridge-{VERSION}-win-x64"
GATEWAY, EMULATOR = "mgba-bridge.exe", "mgba-headless.exe"
URL = "http://127.0.0.1:5000"
PRESSES_OF_A, COMMAND, WRITE_THE_SAVE = "0x02000020", "0x02000018", 1  # headless/roms/README.md
MISSED_TIMES = 60  # seconds that starts may take on a busy machine


@pytest.fixture(scope="module")
def packages(make_packages):
    return make_packages("win-x64")


@pytest.fixture(scope="module")
def windows(packages, tmp_path_factory):
    home = tmp_path_factory.mktemp("windows")
    with zipfile.ZipFile(packages / f"{FOLDER}.zip") as archive:
        archive.extractall(home)
    for rom in ("mgba-bridge-test.gba", "self-test.gba"):
        shutil.copy(ROOT / "headless/roms" / rom, home)
    yield Wine(wine_root(), home)
    shutil.rmtree(home)  # a prefix has 700 MB


@pytest.fixture
def game(windows, request):
    """A game in a folder of its own, with spaces and accents in the path."""
    rom = windows.home / f"Spiele für Zoë/{request.node.name}/Höhle (é).gba"
    rom.parent.mkdir(parents=True)
    shutil.copy(windows.home / "mgba-bridge-test.gba", rom)
    return rom


def program(name):
    return ["wine", f"/home/{FOLDER}/{name}"]


def inside(windows, path):
    """A path of this machine as programs of Windows name it."""
    return "Z:\\home\\" + str(path.relative_to(windows.home)).replace("/", "\\")


@contextlib.contextmanager
def playing(windows, game, *options, ends=0):
    """The process of `run`, and a caller outside of wine."""
    with windows.running(*program(GATEWAY), "run", "--no-browser", *options, inside(windows, game), ends=ends) as process, contextlib.closing(Caller(URL)) as caller:
        until(lambda: process.poll() is not None or ask()[1], "there is an answer about the game", MISSED_TIMES)
        assert process.poll() is None, windows.log.text()
        yield process, caller


def presses(caller):
    return caller.ok("GET", f"/v2/memory/{PRESSES_OF_A}/u32")["value"]


def press(caller):
    before = presses(caller)
    caller.ok("POST", "/v2/keys/tap", {"keys": ["A"], "frames": 4})
    until(lambda: presses(caller) == before + 1, "the game has seen the key")


def save(caller):
    caller.ok("PUT", f"/v2/memory/{COMMAND}/u32", {"value": WRITE_THE_SAVE})
    until(lambda: caller.ok("GET", "/v2/save").startswith(b"MBSV"), "the game has saved")


def test_archive_has_both_programs(windows):
    equal(windows.run(*program(GATEWAY), "--version"), f"mgba-bridge {VERSION}\n")
    assert windows.run(*program(EMULATOR), "--version").startswith(f"mgba-headless {VERSION} (libmgba 0.10.5)")
    files = {file.name for file in (windows.home / FOLDER).iterdir()}
    assert {"LICENSE", "THIRD-PARTY-NOTICES.txt", "DOTNET-THIRD-PARTY-NOTICES.txt", "MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt", "mgba-bridge.lua", "docs"} <= files, files


def test_doctor_finds_the_emulator(windows, game):
    """and opens the game; only the gateway does not run"""
    said = windows.run(*program(GATEWAY), "doctor", inside(windows, game))
    equal([line.split()[:2] for line in said.splitlines()][-4:-1], [["ok", "mgba-headless:"], ["ok", "rom:"], ["warning", "gateway:"]], f"the checks, of {said},")


def test_run_plays(windows, game):
    """keys, memory, picture, sound, states and the page; Ctrl-C leaves the save beside the game"""
    with playing(windows, game) as (_, caller):
        press(caller)
        assert caller.ok("GET", "/v2/screen").startswith(b"\x89PNG")
        assert caller.ok("GET", "/v2/sound?seconds=0.5").startswith(b"RIFF")
        assert caller.ok("GET", "/").startswith(b"<!doctype html>")
        save(caller)
        caller.ok("POST", "/v2/states", {"name": "Höhle 1"})
        press(caller)
        caller.ok("POST", "/v2/states", {"name": "Höhle 1", "replace": True})
        press(caller)
        caller.ok("POST", "/v2/states/H%C3%B6hle%201/load")
        equal(presses(caller), 2)
    assert game.with_suffix(".sav").read_bytes().startswith(b"MBSV")
    assert not game.with_name(f"{game.stem}.sav.lock").exists()


def test_game_continues_when_its_emulator_is_killed(windows, game):
    with playing(windows, game, "--Bridge:Owned:StateEvery=00:00:01") as (process, caller):
        press(caller)
        before, pressed = programs(process, EMULATOR), caller.ok("GET", "/v2/game")["frame"]
        until(lambda: any(state["kind"] == "automatic" and state["frame"] > pressed for state in caller.ok("GET", "/v2/states")["states"]), "there is a later state")
        processes.send(before[0], signal.SIGKILL)
        until(lambda: (found := programs(process, EMULATOR)) and found != before and ask()[1], "another emulator answers", MISSED_TIMES)
        equal(presses(caller), 1)


def test_emulator_ends_with_a_gateway_that_is_killed(windows, game):
    """and saves; the next run continues with that"""
    with playing(windows, game, ends=137) as (process, caller):
        press(caller)
        save(caller)
        processes.send(programs(process, GATEWAY)[0], signal.SIGKILL)
        until(lambda: not programs(process, EMULATOR), "the emulator has ended")
    assert game.with_suffix(".sav").read_bytes().startswith(b"MBSV")
    with playing(windows, game) as (_, caller):
        assert caller.ok("GET", "/v2/save").startswith(b"MBSV")


def test_programs_outside_of_wine_play(windows, game):
    """an example, by HTTP"""
    demo = shutil.copy(ROOT / "demo/demo.gba", game.with_name("demo.gba"))
    with playing(windows, demo):
        assert run("docs/examples/coins.sh", BASE_URL=URL) == "6 coins, milestone 5\n"


def test_what_windows_lacks_is_said(windows, game):
    with playing(windows, game) as (_, caller):
        status, problem = caller.send("GET", "/v2/sound?format=opus&seconds=1")
        equal((status, problem["detail"]), (501, "Opus is encoded on Linux only. Leave out format=opus for WAV."))
        caller.ok("POST", "/v2/lease", {})
        status, problem = caller.send("POST", "/v2/lease/socket", {"socket": "Z:\\home\\steps", "reads": [{"location": "0x02000008"}]})
        assert status == 501 and "mgba-headless on Linux" in problem["detail"], problem


def test_roms_that_test_themselves(windows):
    assert "GBA Debug: a fatal line" in windows.run(*program(EMULATOR), "--rom-test", "-l", "1", "/home/self-test.gba")


def test_tests_of_roms_pass(windows):
    """with their pictures"""
    for folder in ("headless/roms", "docs/examples", "clients/python/examples"):
        shutil.copytree(ROOT / folder, windows.home / "project" / folder, ignore=shutil.ignore_patterns("node_modules"))
    said = windows.run(*program(GATEWAY), "test", "--output", "Z:\\home\\results", "Z:\\home\\project\\headless\\roms\\test", timeout=300)
    assert said.splitlines()[-1].endswith(" passed, 0 failed"), said
