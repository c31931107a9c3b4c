"""The packages for ARM, in a clean Debian 12 of that architecture (tests/python/clean_system.py), whose programs the kernel starts with qemu: what they do is that of
an ARM machine, and how fast says nothing. DIST_OUTPUT=folder takes packages that are already built."""

import contextlib
import pathlib
import shutil
import subprocess

import pytest

from caller import Caller
from checks import until
from clean_system import NOBODY, ask, clean_system

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
ARCHIVE = f"/opt/mgba-bridge-{VERSION}-linux-arm64"
BINFMT = pathlib.Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
PRESSES_OF_A, COMMAND, WRITE_THE_SAVE = "0x02000020", "0x02000018", 1  # headless/roms/README.md
STEPS = """
from mgba_bridge import MgbaVectorEnv

COUNT = "u32 0x02000008"  # of frames
with MgbaVectorEnv(rom="/packages/mgba-bridge-test.gba", num_envs=2, values=[COUNT], grey=True, size=(84, 84)) as envs:
    envs.reset(seed=1)
    before = envs.step([0, 0])[4]["values"][COUNT]  # the game has begun to count
    for number in range(1, 6):
        pictures, _, _, truncated, info = envs.step([0, 1])
        assert not truncated.any() and (info["values"][COUNT] == before + 4 * number).all(), info
    assert (envs.is_local, pictures.shape, str(pictures.dtype)) == (True, (2, 84, 84), "uint8") and pictures.any()
"""


@pytest.fixture(scope="module")
def packages(make_packages):
    return make_packages("linux-arm64", "deb-arm64", "python-linux-arm64")


@pytest.fixture(scope="module")
def clean():
    done = subprocess.run(["update-binfmts", "--enable", "qemu-aarch64"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert BINFMT.exists(), f"this kernel does not start programs for ARM; it needs binfmt_misc, as on a machine with qemu-user-static and binfmt-support: {done.stdout}"
    return clean_system("debian-arm64-root", "--architectures=arm64")


@pytest.fixture(scope="module")
def deb(make_system):
    system = make_system()
    system.install(f"/packages/mgba-bridge_{VERSION}_arm64.deb")
    return system


def test_archive_runs_test_roms(make_system):
    """without a package that a clean system lacks"""
    system = make_system()
    system.run("tar", "-xzf", f"/packages/mgba-bridge-{VERSION}-linux-arm64.tar.gz", "-C", "/opt")
    shutil.copy(ROOT / "headless/roms/self-test.gba", system.folder / "packages")
    assert system.run(f"{ARCHIVE}/mgba-bridge", "--version") == f"mgba-bridge {VERSION}\n"
    assert "(libmgba 0.10.5)" in system.run(f"{ARCHIVE}/mgba-headless", "--version")
    assert system.run(f"{ARCHIVE}/mgba-rom-test", "-l", "1", "/packages/self-test.gba") == "GBA Debug: a fatal line\n"
    system.has_documents(f"{ARCHIVE}/mgba-bridge")


def test_deb_plays(deb):
    """`run` answers, presses a key, takes a picture, and saves the game"""
    rom = deb.folder / "tmp/game/game.gba"
    rom.parent.mkdir()
    shutil.copy(ROOT / "headless/roms/mgba-bridge-test.gba", rom)
    deb.run("chown", "-R", NOBODY, "/tmp/game")
    with deb.running("mgba-bridge", "run", "--no-browser", "/tmp/game/game.gba", HOME="/tmp") as process, contextlib.closing(Caller("http://127.0.0.1:5000")) as caller:
        until(lambda: process.poll() is not None or ask()[1], "there is an answer about the game")
        caller.ok("POST", "/v2/keys/tap", {"keys": ["A"], "frames": 4})
        until(lambda: caller.ok("GET", f"/v2/memory/{PRESSES_OF_A}/u32")["value"] == 1, "the game has seen the key")
        assert caller.ok("GET", "/v2/screen").startswith(b"\x89PNG")
        caller.ok("PUT", f"/v2/memory/{COMMAND}/u32", {"value": WRITE_THE_SAVE})
        until(lambda: caller.ok("GET", "/v2/save").startswith(b"MBSV"), "the game has saved")
    assert rom.with_suffix(".sav").read_bytes().startswith(b"MBSV")


def test_deb_emulates_what_other_machines_do(deb):
    """the tests of the test games pass, with their pictures"""
    for folder in ("headless/roms", "docs/examples", "clients/python/examples"):
        shutil.copytree(ROOT / folder, deb.folder / "project" / folder)
    said = deb.run("mgba-bridge", "test", "--output", "/tmp/results", "/project/headless/roms/test")
    assert said.splitlines()[-1].endswith(" passed, 0 failed"), said


def test_python_package_steps_many_games(make_system):
    """by local sockets; with Debian's NumPy"""
    system = make_system()
    system.install("python3-venv", "python3-numpy")
    system.run("python3", "-m", "venv", "--system-site-packages", "/opt/python")
    system.run("sh", "-c", "/opt/python/bin/pip install --no-index /packages/mgba_bridge-*_aarch64.whl")
    system.run("/opt/python/bin/python", "-c", STEPS)
