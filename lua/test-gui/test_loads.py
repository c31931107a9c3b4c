"""Save data and the `state` event in a window whose states are loaded, by its user and by clients. All tests share the window and the gateway."""

import pytest

import small_roms
from checks import equal, until
from gateway import Events, Gateway
from stage import Stage

SAVED = 0x0E000010  # in the save RAM
SIZE = 32768
MAILBOX, SAVES = 0x02000000, 4  # what makes the game save 0x5A in its first byte


@pytest.fixture(scope="module")
def stage(desktop, script):
    stage = Stage(desktop, script)
    game = desktop.folder / "game.gba"
    game.write_bytes(small_roms.GAMES["game.gba"])
    stage.open_at_port("loads", game)
    stage.load()
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def gateway(stage):
    with Gateway(stage.window.folder, stage.port) as gateway:
        yield gateway


class Game:
    """What the tests ask of the window's game."""

    def __init__(self, stage, gateway):
        self.window, self.gateway = stage.window, gateway
        self.slot = self.window.rom.with_suffix(".ss1")
        self.file = self.window.rom.with_suffix(".sav")

    def write(self, address, value):
        self.gateway.call("PUT", f"/v2/memory/{address:#x}/u8", {"value": value})

    def in_file(self):
        data = self.file.read_bytes() if self.file.exists() else b""
        return (data[0], data[16]) if len(data) > 16 else None

    def in_game(self):
        return self.gateway.number(0x0E000000, "u8"), self.gateway.number(SAVED, "u8")

    def reach(self, expected, what):
        until(lambda: self.in_file() == expected, f"{what}: the file has {expected}, not {self.in_file()}")
        equal(self.in_game(), expected, f"{what}: the game")

    def keep_old(self):
        """Keeps a state whose save data has 71, and then the game saves 72."""
        self.gateway.call("PUT", "/v2/save", bytes([1] + [0] * 15 + [71]) + bytes(SIZE - 17))
        self.gateway.call("POST", "/v2/wait", {"frames": 60})
        self.slot.unlink(missing_ok=True)
        self.window.press("shift+F1")
        until(lambda: self.slot.exists() and self.slot.stat().st_size > 0, "the state is saved")
        self.frame = self.gateway.call("GET", "/v2/game")["frame"]  # or before
        self.state = self.gateway.bytes("GET", "/v2/state")
        self.write(SAVED, 72)
        self.reach((1, 72), "saved after the state")

    def press_load(self):
        until(lambda: self.gateway.call("GET", "/v2/game")["frame"] > self.frame, "the game, which was reset, is past the state: one of the next frame would not be noticed")
        with Events(self.gateway, "state") as events:
            self.window.press("F1")
            return events.next("state")

    def load(self, way):
        """Loads the state in one of several ways."""
        for step in way.split(", "):
            if step == "F1":
                self.press_load()
            elif step == "bytes":
                self.gateway.call("PUT", "/v2/state", self.state)
            elif step == "slot":
                self.gateway.call("PUT", "/v2/state?slot=1")
            else:
                self.gateway.call("POST", "/v2/reset")


@pytest.fixture
def game(stage, gateway):
    return Game(stage, gateway)


WAYS = pytest.mark.parametrize("way", ["F1", "bytes", "slot", "F1, reset, F1", "bytes, reset, bytes", "bytes, bytes"])


@WAYS
def test_first_save_of_a_client_after_a_load(game, gateway, way):
    """after a load, the first save that a client sends is in the game and in its file"""
    game.keep_old()
    game.load(way)
    sent = bytes([2] + [0] * 15 + [73]) + bytes(SIZE - 17)
    gateway.call("PUT", "/v2/save", sent)
    equal(gateway.bytes("GET", "/v2/save"), sent, "the save")
    game.reach((2, 73), "after the save was sent")
    gateway.call("POST", "/v2/reset")
    game.reach((2, 73), "after a reset")
    game.write(SAVED, 74)
    game.reach((2, 74), "after the game's next save")


@WAYS
def test_first_save_of_a_game_after_a_load(game, gateway, way):
    """after a load, the first save of the game itself is in its file, on the basis of the state's save data"""
    game.keep_old()
    game.load(way)
    equal(game.in_game(), (1, 71), "the save data of the state")
    game.write(MAILBOX, SAVES)
    game.reach((0x5A, 71), "after the game's own save")
    gateway.call("POST", "/v2/reset")
    game.reach((0x5A, 71), "after a reset")


@pytest.mark.versions
def test_state_event(game, gateway):
    """the `state` event: sent for what the window's user loads and resets, and for what clients load"""
    game.keep_old()
    with Events(gateway, "state") as events, gateway.socket("player") as socket:
        socket.call("subscribe", {"topics": ["state"]})

        def both(what):
            ours, theirs = events.next("state"), socket.event("state")["body"]
            equal(theirs["from"], ours["from"], f"{what}: from, on the two")
            assert ours["from"] <= gateway.call("GET", "/v2/game")["frame"], f"{what}: from is {ours}"

        game.window.press("F1")
        both("F1")
        game.window.choose("e", "r")
        both("Emulation > Reset")
        for way in ("bytes", "slot", "reset"):
            game.load(way)
            both(way)
        past = max(game.frame, gateway.call("GET", "/v2/game")["frame"] + 90)
        until(lambda: gateway.call("GET", "/v2/game")["frame"] > past, "the game runs on, and is past the state, which would not be noticed otherwise")
        game.window.press("F1")
        both("F1 again")
        with gateway.open("GET", "/v2/events?topics=state") as quiet:
            quiet.readline()
            equal(socket.events, [], "events besides")
