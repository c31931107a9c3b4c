"""The demo game: the committed files match the sources, and it can be played to its end (docs/demo.md)."""

import pathlib
import shutil
import struct
import subprocess

import pytest

from headless import HeadlessEmulator

HERE = pathlib.Path(__file__).parent
ROM = HERE.parent / "demo.gba"
MAX_BYTES = 256 * 1024
BLOCK, BLOCK_BYTES, TEXT = "0x02000000", 0x100, 0x80
FIELDS = (
    "magic version frame keys hp coins x y map milestone mode facing taken choice enemy_x enemy_y coin_x coin_y random saves late lines played safe".split()
)
LOAD, TITLE, WALK, TALK, CHOICE, ENDING = range(6)  # mode
HARBOUR, MEADOW, CAPE, LAMP = range(4)  # map
BEGUN, FIRST_COIN, FIVE_COINS, DOOR_OPEN, LAMP_LIT = range(1, 6)  # milestone
LIMIT = 600  # frames within which anything must have happened
LINES = 228  # of a frame


class Demo:
    """The game, frame by frame, with the keys that were down: pairs of keys and frames."""

    def __init__(self):
        self.emulator = HeadlessEmulator(rom=str(ROM), options=("--fps", "0"))
        self.client = self.emulator.connect()
        self.client.call("lease.take limit=10000").ok()
        self.power_on()

    def power_on(self):
        self.client.call("game.reset").ok()
        self.played = []

    def step(self, keys="", frames=1):
        self.client.call(f"lease.step {frames} keys={keys.replace(' ', '+') or 0}").ok()
        self.played.append((keys, frames))

    @property
    def block(self):
        return self.client.bytes(BLOCK, BLOCK_BYTES)

    @property
    def text(self):
        return self.block[TEXT:].split(b"\0")[0].decode()

    @property
    def picture(self):
        return self.client.call("screen.get").ok().tail

    def __getattr__(self, name):
        if name not in FIELDS:
            raise AttributeError(name)
        return struct.unpack_from("<i", self.block, 4 * FIELDS.index(name))[0]

    def press(self, key, gap=2):
        self.step(key, 2)
        self.step("", gap)

    def until(self, reached, keys=""):
        for _ in range(LIMIT):
            if reached(self):
                return
            self.step(keys)
        raise AssertionError(f"not reached within {LIMIT} frames: {dict(zip(FIELDS, struct.unpack_from(f'<{len(FIELDS)}i', self.block)))}, {self.text!r}")

    def begin(self):
        """From power-on to the harbour, with the first box closed."""
        self.until(lambda game: game.mode == TITLE)
        self.press("START")
        self.until(lambda game: game.mode == TALK)
        self.listen()

    def listen(self, answer=0):
        """What was said, page by page."""
        pages = []
        while self.mode in (TALK, CHOICE):
            self.step("A", 1)
            self.step()
            if self.mode == CHOICE and self.choice != answer:
                self.press("RIGHT")
            text = self.text
            if text and pages and text.startswith(pages[-1]):
                pages[-1] = text
            elif text:
                pages.append(text)
        return pages

    def go(self, *places):
        """To these places one after another, first up or down, then to the side; what is said on the way is listened to."""
        for x, y in places:
            for _ in range(LIMIT):
                if self.mode in (TALK, CHOICE):
                    self.listen()
                dx, dy = x - self.x, y - self.y
                if abs(dx) < 2 and abs(dy) < 2:
                    break
                self.step("" if self.mode == LOAD else ("DOWN" if dy > 0 else "UP") if abs(dy) > 1 else "RIGHT" if dx > 0 else "LEFT")
            else:
                raise AssertionError(f"stuck at {self.x}, {self.y} on map {self.map}, on the way to {x}, {y}")

    def leave(self, key, number):
        self.until(lambda game: game.map == number and game.mode == WALK, key)

    def east(self):
        """From the harbour to the meadow, past Mira."""
        self.go((130, 104), (188, 90))
        self.leave("RIGHT", MEADOW)

    def harbour(self):
        """Three coins."""
        self.go((92, 108), (52, 116), (92, 112), (156, 112), (156, 138), (156, 96), (188, 90), (188, 48), (150, 48), (188, 48), (188, 90))

    def meadow(self):
        """Five coins, one of them Bo's."""
        self.leave("RIGHT", MEADOW)
        self.go((36, 88), (36, 76), (36, 88), (124, 88), (128, 72))
        self.until(lambda game: game.mode == TALK, "A RIGHT")
        self.listen()
        self.go((124, 88), (104, 100), (104, 124), (118, 100), (184, 118), (184, 124), (184, 112), (212, 104), (212, 74), (212, 104), (120, 104))

    def cape(self):
        """Two coins, and the door."""
        self.leave("UP", CAPE)
        self.go((120, 134), (40, 128), (40, 80), (56, 80), (56, 68), (70, 68), (56, 68), (56, 80), (40, 80), (40, 128))
        self.go((196, 128), (196, 84), (180, 84), (180, 68), (170, 68), (180, 68), (180, 84), (196, 84), (196, 128), (120, 132), (120, 112))

    def tower(self):
        self.until(lambda game: game.milestone == DOOR_OPEN, "UP")
        self.listen()
        self.leave("UP", LAMP)
        self.go((120, 112))
        self.until(lambda game: game.mode == TALK, "A UP")
        self.listen()
        self.until(lambda game: game.mode == ENDING)
        self.step("", 300)


@pytest.fixture
def demo():
    game = Demo()
    yield game
    game.emulator.end()


def test_the_committed_files_come_out_of_the_sources():
    missing = [tool for tool in ("arm-none-eabi-gcc", "make") if not shutil.which(tool)]
    assert not missing, f"missing: {missing}; on Debian: apt-get install gcc-arm-none-eabi make"
    made = subprocess.run(["make", "check"], cwd=HERE.parent, capture_output=True, text=True)
    assert made.returncode == 0, f"another compiler version? see the Makefile\n{made.stdout}{made.stderr}"
    assert ROM.stat().st_size <= MAX_BYTES


def test_title_begins_the_game(demo):
    demo.until(lambda game: game.mode == TITLE)
    assert (demo.text, demo.milestone, demo.version) == ("LAMPLIGHT ISLE", 0, 1)
    demo.press("START")
    demo.until(lambda game: game.mode == TALK)
    demo.step("", 20)
    assert "Night falls".startswith(demo.text[:11]) and len(demo.text) < 14, "letters come one after another"
    demo.listen()
    assert (demo.mode, demo.map, demo.milestone, demo.hp, demo.coins) == (WALK, HARBOUR, BEGUN, 3, 0)


def test_walker_walks_and_walls_stop_it(demo):
    demo.begin()
    x, y = demo.x, demo.y
    demo.step("RIGHT", 12)
    assert (demo.x, demo.y, demo.facing) == (x + 18, y, 3), "three pixels in two frames"
    demo.step("DOWN", 300)
    assert 112 <= demo.y <= 130, "the sea"


def test_coin_is_collected_once(demo):
    demo.begin()
    demo.go((92, 108))
    assert (demo.coin_x, demo.coin_y) == (52, 116), "the nearest one"
    demo.go((52, 116))
    assert (demo.coins, demo.milestone, demo.taken) == (1, FIRST_COIN, 0b10)
    demo.go((80, 112), (52, 116))
    assert demo.coins == 1


@pytest.mark.parametrize("answer, coins", [(0, 1), (1, 0)], ids=["yes", "no"])
def test_bo_gives_his_coin_if_one_wants_it(demo, answer, coins):
    demo.begin()
    demo.east()
    demo.go((124, 88), (128, 72))
    demo.until(lambda game: game.mode == TALK, "A RIGHT")
    said = demo.listen(answer)
    assert demo.coins == coins
    assert said[1].startswith("Bo: Want my lucky coin?") and ("There you go" in said[-1]) == (answer == 0), said
    demo.until(lambda game: game.mode == TALK, "A RIGHT")
    assert ("Want my lucky coin?" in " ".join(demo.listen(1))) == (answer == 1), "he asks again, unless he gave it"


def test_door_takes_five_coins(demo):
    demo.begin()
    demo.east()
    demo.go((120, 88))
    demo.leave("UP", CAPE)
    demo.go((120, 112))
    demo.until(lambda game: game.mode == TALK, "UP")
    assert demo.listen() == ["It is locked. Five coins\nfit into the lock."]
    assert (demo.milestone, demo.map) == (BEGUN, CAPE)
    demo.step("UP", 30)
    assert demo.mode == WALK, "it says so once"
    demo.client.call("memory.write32 0x02000014 5").ok()
    demo.press("A")
    assert demo.milestone == DOOR_OPEN
    demo.listen()
    demo.leave("UP", LAMP)


def test_crab_hurts_pushes_back_and_takes_the_last_heart(demo):
    demo.begin()
    demo.go((156, 112), (156, 138))
    demo.east()
    demo.go((100, 90), (110, 106), (150, 110))
    coins = demo.coins
    for hp in (2, 1):
        demo.go((150, 118))
        demo.until(lambda game: game.hp == hp)
        place = demo.x, demo.y
        demo.step("", 8)
        assert demo.hp == hp and abs(demo.x - place[0]) + abs(demo.y - place[1]) >= 8, "pushed back"
    demo.go((150, 118))
    demo.until(lambda game: game.mode == LOAD)
    demo.until(lambda game: game.mode == WALK)
    assert (demo.map, demo.hp, demo.coins, demo.x) == (MEADOW, 3, coins, 6), "at the start of the screen, with the coin"


def test_mira_heals(demo):
    demo.begin()
    demo.client.call("memory.write32 0x02000010 1").ok()
    demo.go((104, 94))
    demo.until(lambda game: game.mode == TALK, "A RIGHT")
    assert demo.listen()[-1] == "Your hearts are full." and demo.hp == 3


def test_save_is_continued(demo):
    demo.begin()
    demo.go((52, 116))
    demo.step("", 12)
    demo.power_on()
    demo.until(lambda game: game.mode == TITLE)
    assert demo.coins == 0
    demo.press("START")
    demo.until(lambda game: game.mode == WALK)
    assert (demo.coins, demo.map, demo.taken, demo.milestone) == (1, HARBOUR, 0b10, FIRST_COIN) and abs(demo.x - 52) < 12
    demo.power_on()
    demo.until(lambda game: game.mode == TITLE)
    demo.press("DOWN")
    demo.press("START")
    demo.until(lambda game: game.mode == TALK)
    assert demo.coins == 0, "a new game"


def test_whole_game_and_the_same_inputs_give_the_same_frames(demo):
    demo.begin()
    demo.harbour()
    assert demo.coins == 3
    demo.meadow()
    assert (demo.coins, demo.milestone) == (8, FIVE_COINS)
    demo.cape()
    assert demo.coins == 10
    demo.tower()
    assert (demo.mode, demo.milestone, demo.text) == (ENDING, LAMP_LIT, "The lamp is lit!\nTHE END")
    frames = sum(frames for _, frames in demo.played)
    assert abs(frames - demo.frame) < 5, "a frame of the game in each frame of the machine"
    assert demo.late == 0 and demo.lines < LINES * 3 // 4

    again = Demo()
    for keys, frames in demo.played:
        again.step(keys, frames)
    assert again.block == demo.block
    assert again.picture == demo.picture
    again.emulator.end()
