"""Pages in a real browser (Debian's Chromium): a page of another origin must not be able to press a key, neither at the script's port nor at the
gateway; the gateway's own page must work."""

import contextlib
import functools
import hashlib
import http.server
import json
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time

import pytest

import node
from browser import BROWSERS, PAGE, Browser
from caller import Caller
from cluster import Postgres
from gateway import Gateway
from headless import ROMS, HeadlessEmulator
from mgba_wire import Client
from rom import edges
from sound import heard

LIMIT = 180  # seconds that anything may take on a busy machine
FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --disable-default-apps").split()
TALL = "--window-size=1200,30000"  # the API page draws only what is in view

ATTACK = """<!doctype html><title>attack</title><body><script>
const body = 'x<|END|>#1 keys.tap A<|END|>mgba-http.button.tap,B,,<|END|>core.addKey,0,,<|END|>';
const targets = %(targets)s;
(async () => {
  const outcomes = [];
  for (const [method, url] of targets) {
    try {
      await fetch(url, { method, mode: 'no-cors', headers: { 'Content-Type': 'text/plain' }, body: method === 'GET' ? undefined : body });
      outcomes.push('sent');
    } catch (error) {
      outcomes.push('failed');
    }
  }
  try {
    await new Promise((open, fail) => {
      const socket = new WebSocket('ws://127.0.0.1:%(lua)d/');
      socket.onopen = open;
      socket.onerror = fail;
    });
    outcomes.push('open');
  } catch (error) {
    outcomes.push('closed');
  }
  await fetch('/report', { method: 'POST', body: JSON.stringify(outcomes) });
})();
</script></body>"""


class Reports(http.server.BaseHTTPRequestHandler):
    """Serves one page, and keeps its reports."""

    def __init__(self, page, reports, *arguments):
        self.page, self.reports = page, reports
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.reports.append(json.loads(self.rfile.read(length)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def chromium(url, *flags, stdout=subprocess.DEVNULL):
    program = shutil.which("chromium")
    if program is None:
        raise AssertionError("Chromium is missing: apt-get install chromium")
    home = tempfile.mkdtemp()
    return subprocess.Popen([program, *FLAGS, f"--user-data-dir={home}", *flags, url], stdout=stdout, stderr=subprocess.DEVNULL), home


@pytest.fixture
def client(instance):
    with Client(instance.lua_port) as client:
        yield client


def visit_attack(base, lua):
    """Opens a page of another origin that tries to press keys, and returns the outcomes that it reports."""
    targets = [[method, f"http://127.0.0.1:{lua}/"] for method in ("POST", "GET")]
    targets += [["POST", base + path] for path in ("/mgba-http/button/tap?button=A", "/core/addkey?key=0", "/core/setkeys?keys=3", "/v2/keys/tap")]
    page, reports = ATTACK % {"targets": json.dumps(targets), "lua": lua}, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Reports, page, reports))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser, home = chromium(f"http://127.0.0.1:{server.server_address[1]}/", "--remote-debugging-port=0")
    try:
        end = time.monotonic() + LIMIT
        while not reports and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        browser.kill()
        browser.wait()
        server.shutdown()
        shutil.rmtree(home, ignore_errors=True)
    assert reports, "the page did not report"
    return reports[0]


def test_page_of_another_origin_presses_no_key(instance, client):
    """The script answers HTTP with a refusal, which the page cannot read, and runs nothing of it."""
    before = edges(client)
    outcomes = visit_attack(instance.base_url, instance.lua_port)
    assert outcomes[-1] == "closed", f"the script opened a WebSocket of a web page: {outcomes}"
    client.call("wait.until frames=30").ok()
    assert edges(client) == before


def test_same_request_without_a_browser_presses_a_key(instance, client):
    """So that the test above can fail."""
    before = edges(client)
    Caller(instance.base_url).ok("POST", "/mgba-http/button/tap?button=A")
    client.call("wait.until frames=30").ok()
    assert edges(client) != before


def test_api_page_shows_every_operation(instance):
    paths = Caller(instance.base_url).ok("GET", "/openapi/v1.json")["paths"]
    browser, home = chromium(instance.base_url + "/docs", "--virtual-time-budget=20000", TALL, "--dump-dom", stdout=subprocess.PIPE)
    page = browser.communicate(timeout=LIMIT)[0].decode()
    shutil.rmtree(home, ignore_errors=True)
    shown = page.count('class="opblock-summary-path"')
    wanted = sum(len([method for method in path if method in ("get", "put", "post", "delete", "patch", "head")]) for path in paths.values())
    assert shown == wanted > 60, f"{shown} operations are shown, {wanted} are documented"


# The page at /: each case of gateway/web/test/browser. Its pictures are in .run/web.

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = "a-token-of-the-tests"
IN_CHROMIUM = ["play", "sizes", "memory", "search", "watch", "states", "emulators", "bring", "cartridge", "cheats", "machine", "camera", "debug", "overlay", "recordings", "traffic", "video"]  # also on a phone, and dark
IN_FIREFOX = ["control", "keyboard", "gamepad", "odd_devices", "hotkeys", "focus", "no_sound", "rumble", "states_of_the_emulator", "memory_in_time", "freeze", "video_gb", "reset", "updated", "missing_view", "cut_socket", "no_connection_left"]
ONLY_IN_CHROMIUM = ["layout", "insets", "thumb", "dialogs", "sound", "video_file", "overlay_votes"]  # dialogs differ little; insets and a touch screen can only be set there; Firefox plays nothing on a machine without a sound device
SAMPLE = {"play", "layout", "thumb", "states", "emulators", "bring", "control", "keyboard", "cut_socket"}


def first_in(first, *values):
    """The parameters of a case in both browsers, of which the sample has the first."""
    return [pytest.param(*values, browser, marks=() if browser == first else pytest.mark.long) for browser in BROWSERS]


def cases():
    for first, names in (("chromium", IN_CHROMIUM), ("firefox", IN_FIREFOX)):
        for name in names:
            yield from (pytest.param(*one.values, marks=[*one.marks, *([] if name in SAMPLE else [pytest.mark.long])]) for one in first_in(first, name))
    yield from (pytest.param(name, "chromium", marks=() if name in SAMPLE else pytest.mark.long) for name in ONLY_IN_CHROMIUM)


chromium_first = pytest.mark.parametrize("browser", first_in("chromium"))
firefox_first = pytest.mark.parametrize("browser", first_in("firefox"))


@pytest.fixture(scope="session")
def browsers():
    """Both browsers; each runs the cases one after the other."""
    path = node.path(PAGE)
    found = {name: Browser(name, path) for name in BROWSERS}
    yield found
    for browser in found.values():
        browser.end()


@pytest.fixture(scope="session")
def owner():
    """A gateway with an emulator of its own, and the folder of test ROMs to start more."""
    gateway = Gateway("Owned:Roms:0=:test:", f"Owned:RomFolders:0={ROOT / 'headless/roms'}")
    yield gateway
    gateway.end()


@pytest.fixture
def start_gateway():
    started = []

    def start(*settings, **options):
        started.append(Gateway(*settings, **options))
        return started[-1]

    yield start
    for gateway in started:
        gateway.end()


@pytest.fixture
def drive(browsers):
    def run(browser, case, url, answers=None, **more):
        wrong = browsers[browser].run(case, url, answers, **more)
        if wrong:
            pytest.fail(f"{case} in {browser}: " + "\n".join(wrong), pytrace=False)

    return run


@pytest.mark.parametrize("case, browser", cases())
def test_page(drive, owner, browser, case):
    drive(browser, case, owner.url)


@chromium_first
def test_page_shows_the_first_steps_until_an_emulator_is_connected(drive, start_gateway, browser):
    gateway = start_gateway(f"Owned:RomFolders:0={ROOT / 'headless/roms'}", "Emulators:0:Nonce=nobody", "Emulators:0:Id=nobody")

    def begin():
        assert Caller(gateway.url).send("POST", "/v2/emulators", {"rom": "mgba-bridge-test.gba"})[0] < 300

    drive(browser, "first_contact", gateway.url, {"start an emulator": begin})


@chromium_first
def test_page_without_an_emulator_program_offers_the_window(drive, start_gateway, browser):
    """as on Windows and macOS"""
    gateway = start_gateway("Owned:HeadlessProgram=/nowhere/mgba-headless", "Owned:WindowProgram=/nowhere/mgba-qt", "Emulators:0:Nonce=nobody", "Emulators:0:Id=nobody")
    drive(browser, "without_headless", gateway.url)


@pytest.mark.long
@firefox_first
def test_page_survives_a_restart_of_the_gateway(drive, start_gateway, browser):
    gateway = start_gateway()
    drive(browser, "restart", gateway.url, {"stop the gateway": gateway.stop, "start the gateway": gateway.start})


@chromium_first
def test_page_restarts_a_game_with_its_new_build(drive, start_gateway, tmp_path, browser):
    rom = tmp_path / "game.gba"
    rom.write_bytes(pathlib.Path(ROMS["gba"]).read_bytes())
    gateway = start_gateway(f"Owned:Roms:0={rom}")
    drive(browser, "rebuilt", gateway.url, {"build the ROM again": lambda: rom.write_bytes(rom.read_bytes() + b"new.")})


@pytest.mark.long
@chromium_first
def test_overlay_that_is_opened_first_waits_for_the_gateway(drive, start_gateway, browser):
    gateway = start_gateway()
    drive(browser, "overlay_first", gateway.url, {"stop the gateway": gateway.stop, "start the gateway": gateway.start})


@firefox_first
def test_page_asks_for_the_token_once(drive, start_gateway, browser):
    drive(browser, "token", start_gateway("Owned:Roms:0=:test:", f"Http:Token={TOKEN}").url)


@firefox_first
def test_page_offers_what_the_role_allows(drive, start_gateway, browser):
    tokens = {role: f"a-token-of-a-{role}" for role in ("viewer", "guest", "player", "owner")}
    settings = (f"Http:Tokens:{index}={role}:{hashlib.sha256(token.encode()).hexdigest()}" for index, (role, token) in enumerate(tokens.items()))
    drive(browser, "roles", start_gateway("Owned:Roms:0=:test:", *settings).url, tokens=tokens)


@chromium_first
def test_page_shares_the_game_with_guests(drive, start_gateway, browser):
    gateway = start_gateway("Owned:Roms:0=:test:", f"Http:Token={TOKEN}", "Http:AllowedHosts:0=owner.localhost")
    drive(browser, "guests", gateway.url, token=TOKEN)


@pytest.mark.long
@chromium_first
def test_page_shows_agents(drive, start_gateway, browser):
    drive(browser, "agents", start_gateway("Owned:Roms:0=:test:").url)


@pytest.mark.long
@firefox_first
def test_page_names_a_game_without_a_title_by_its_file(drive, start_gateway, tmp_path, browser):
    rom = bytearray(pathlib.Path(ROMS["gba"]).read_bytes())
    rom[0xA0:0xAC] = bytes(12)
    files = [tmp_path / "Höhle demo.gba", tmp_path / "other.gba"]
    for file in files:
        file.write_bytes(rom)
    gateway = start_gateway(*(f"Owned:Roms:{index}={file}" for index, file in enumerate(files)))
    drive(browser, "untitled", gateway.url, file=files[0].name)


@pytest.fixture(scope="module")
def fleet():
    """A gateway whose fleet runs on this machine."""
    database = Postgres()
    gateway = Gateway(f"Fleet:Database={database.address}", "Fleet:Engine=local", "Owned:StateEvery=00:00:01", "Discover=false")
    yield gateway
    gateway.end()
    database.end()


@pytest.mark.long
@chromium_first
def test_page_shows_the_fleet(drive, owner, fleet, browser):
    drive(browser, "no_fleet", owner.url)
    drive(browser, "fleet", fleet.url)


def test_page_explains_itself_without_javascript(drive, owner):
    """In Chromium: Playwright cannot turn JavaScript off in Firefox."""
    drive("chromium", "noscript", owner.url)


def measured(file):
    """What ffprobe counts in a file."""
    assert shutil.which("ffprobe"), "ffprobe is missing: scripts/install video"
    found = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames:format=duration", "-of", "json", file],
                           check=True, stdout=subprocess.PIPE)
    return json.loads(found.stdout)


@pytest.mark.long
def test_page_makes_clips(drive, owner, tmp_path):
    """A clip of the gateway has each frame; one of the page, and a GIF, the pictures and the sound that came; in Chromium, since Firefox plays no sound on a machine without a
    sound device."""
    lines = []
    drive("chromium", "clip", owner.url, show=lines.append, limit=3 * LIMIT, folder=str(tmp_path), seconds=2 * LIMIT)
    made = json.loads(lines[-1])
    print(f"rendered in {made['renderedMs']} ms; {made['pictures']} pictures in {made['ms']} ms")
    rendered = tmp_path / "clip.mp4"
    video, sound = measured(rendered)["streams"]
    frames = int(video["nb_read_frames"])
    assert (video["codec_name"], video["width"], video["height"], sound["codec_name"]) == ("h264", 960, 640, "aac")
    assert 1792 <= frames <= 1792 + 60, "30 seconds, from the state before them"
    samples = subprocess.run(["ffmpeg", "-v", "error", "-i", rendered, "-vn", "-f", "s16le", "-"], check=True, stdout=subprocess.PIPE).stdout
    assert -1024 <= len(samples) // 4 - frames * 48000 * 4389 // 262144 <= 2048 and any(samples), "AAC begins with the encoder's delay, and ends with a whole block"
    assert abs(heard(samples)[1] - 440 * frames * 4389 / 262144) < 20, "the tone of the game"
    clip = measured(tmp_path / "clip.webm")
    video, sound = clip["streams"]
    assert (video["codec_name"], video["width"], video["height"], int(video["nb_read_frames"])) == ("vp8", 480, 320, made["pictures"])
    seconds = float(clip["format"]["duration"])  # on a busy machine the page gets fewer pictures, and its first may be later
    assert 20 < seconds < 30.1 and sound["codec_name"] == "opus"
    samples = subprocess.run(["ffmpeg", "-v", "error", "-i", tmp_path / "clip.webm", "-vn", "-f", "s16le", "-"], check=True, stdout=subprocess.PIPE).stdout
    assert abs(len(samples) / 4 / 48000 - seconds) < 0.1 and any(samples)
    gif = measured(tmp_path / "clip.gif")
    assert (gif["streams"][0]["width"], gif["streams"][0]["height"]) == (480, 320) and 0 < float(gif["format"]["duration"]) < 5.2


class OtherVersion:
    """A script of another protocol version: the real one has only its own."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.connections.append(self.listener.accept()[0])
                threading.Thread(target=self._answer, args=(self.connections[-1],), daemon=True).start()

    def _answer(self, connection):
        received = b""
        with contextlib.suppress(OSError):
            while data := connection.recv(4096):
                received += data
                while b"<|END|>" in received:
                    message, received = received.split(b"<|END|>", 1)
                    connection.sendall(message.split()[0] + b' 0 00000000 error version "the client uses protocol 2, this script uses 3; update the client (the gateway)"<|END|>')

    def end(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, so that the port is free at once
                connection.close()


@pytest.mark.long
@firefox_first
def test_page_explains_what_is_wrong_with_an_emulator(drive, start_gateway, browser):
    script, emulators = OtherVersion(), []
    gateway = start_gateway(emulator_port=script.port)

    def start():
        script.end()
        emulators.append(HeadlessEmulator(environment={"MGBA_BRIDGE_PORT": str(script.port)}))

    try:
        drive(browser, "foreign_emulator", gateway.url, {
            "start the emulator": start,
            "end the emulator": lambda: emulators[-1].kill(),
            "open another game": lambda: emulators[-1].control("load " + ROMS["gb"]),
            "start another gateway": lambda: start_gateway(emulator_port=script.port).url + "/",
        })
    finally:
        for emulator in emulators:
            emulator.kill()


def test_bundle_is_that_of_the_sources():
    subprocess.run([ROOT / "scripts/web", "--check"], check=True)
