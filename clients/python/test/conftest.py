"""The package, as users have it: its wheel, installed into an environment of its own."""

import json
import pathlib
import sys
import sysconfig

import pytest

import gateway as gateways
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[3]
MAP = ROOT / "docs/examples/mgba-bridge-test.json"
SYMBOLS = ROOT / "docs/examples/mgba-bridge-test.elf"
GB = ROOT / "headless/roms/mgba-bridge-test.gb"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "scripts/dist", "python", DIST_OUTPUT=str(folder))
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def python(wheel, tmp_path_factory):
    """The interpreter of an environment that has the wheel, and NumPy of the system."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--system-site-packages", folder)
    run(folder / "bin/python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel)
    return folder / "bin/python"


@pytest.fixture(scope="session")
def package(python):
    """The installed package, imported here."""
    folder = sysconfig.get_path("purelib", "venv", {"base": str(python.parents[1])})
    sys.path.insert(0, folder)
    import mgba_bridge

    assert mgba_bridge.__file__.startswith(folder)
    yield mgba_bridge
    sys.path.remove(folder)


@pytest.fixture
def rom(monkeypatch, tmp_path):
    """A game, and the settings of a gateway that is started for it."""
    monkeypatch.setenv("MGBA_BRIDGE_PROGRAM", gateways.program())
    for name, value in gateways.PATIENT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("Bridge__Owned__DataFolder", str(tmp_path / "data"))
    monkeypatch.setenv("Bridge__Owned__HeadlessProgram", str(gateways.emulator_program()))
    file = tmp_path / "game.gb"
    file.write_bytes(GB.read_bytes())
    return file


@pytest.fixture
def scenario(tmp_path):
    """A folder as stable-retro has them, for the test game: a press of A scores 17, and holding A scores nothing more."""
    variables = {"score": {"address": 0x02000094, "type": "<u4"}, "keys": {"address": 0x0200000C, "type": "<u2"}}
    reward = {"variables": {"score": {"reward": 2.0}, "keys": {"measurement": "absolute", "op": "zero", "reward": -0.5}}}
    done = {"condition": "all", "variables": {"keys": {"op": "equal", "reference": 1}, "score": {"measurement": "delta", "op": "zero"}}}
    actions = [[["LEFT"], [], ["RIGHT"]], [["A"], []]]
    folder = tmp_path / "Test-GbAdvance"
    folder.mkdir()
    (folder / "data.json").write_text(json.dumps({"info": variables}, indent=2))
    (folder / "scenario.json").write_text(json.dumps({"reward": reward, "done": done, "actions": actions, "crop": [16, 8, 0, 100]}, indent=2))
    (folder / "rom.sha").write_text("da39a3ee5e6b4b0d3255bfef95601890afd80709\n")
    return folder


@pytest.fixture
def emu(package, gateway):
    """The game of the gateway, with the names of its values."""
    with package.Emulator(gateway.url) as emulator:
        assert emulator.wait("u32 0x02000000 == 827605581")
        emulator.symbols_load(SYMBOLS.read_bytes())
        emulator.properties_load(MAP.read_bytes())
        yield emulator
