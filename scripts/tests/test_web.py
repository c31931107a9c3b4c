"""Pages in a real browser (Debian's Chromium): a page of another origin must not be able to press a key, neither at the script's port nor at the
gateway; the gateway's own page must work."""

import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request

import pytest

from gateway import Gateway
from mgba_wire import Client
from rom import edges

LIMIT = 90  # seconds that anything may take on a busy machine
FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --disable-default-apps").split()
TALL = "--window-size=1200,30000"  # the API page draws only what is in view

ATTACK = """<!doctype html><title>attack</title><body><script>
const body = 'x<|END|>#1 key.tap A<|END|>mgba-http.button.tap,B,,<|END|>core.addKey,0,,<|END|>';
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


def chromium(url, *flags):
    program = shutil.which("chromium")
    if program is None:
        raise AssertionError("Chromium is missing: apt-get install chromium")
    home = tempfile.mkdtemp()
    return subprocess.Popen([program, *FLAGS, f"--user-data-dir={home}", *flags, url], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL), home


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
    before = edges(client)
    outcomes = visit_attack(instance.base_url, instance.lua_port)
    assert outcomes[0] == "failed" and outcomes[-1] == "closed", f"the script answered a web page: {outcomes}"
    client.call("wait frames=30").ok()
    assert edges(client) == before


def test_same_request_without_a_browser_presses_a_key(instance, client):
    """So that the test above can fail."""
    before = edges(client)
    request = urllib.request.Request(instance.base_url + "/mgba-http/button/tap?button=A", method="POST")
    assert urllib.request.urlopen(request, timeout=LIMIT).status == 200
    client.call("wait frames=30").ok()
    assert edges(client) != before


def test_api_page_shows_every_operation(instance):
    with urllib.request.urlopen(instance.base_url + "/openapi/v1.json", timeout=LIMIT) as answer:
        paths = json.load(answer)["paths"]
    browser, home = chromium(instance.base_url + "/docs", "--virtual-time-budget=20000", TALL, "--dump-dom")
    page = browser.communicate(timeout=LIMIT)[0].decode()
    shutil.rmtree(home, ignore_errors=True)
    shown = page.count('class="opblock-summary-path"')
    wanted = sum(len([method for method in path if method in ("get", "put", "post", "delete", "patch", "head")]) for path in paths.values())
    assert shown == wanted > 60, f"{shown} operations are shown, {wanted} are documented"


# The page at /: each case of gateway/web/test/browser, in both browsers. Its pictures are in .run/web.

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "gateway/web"
PICTURES = ROOT / ".run/web"
BROWSERS = {"chromium": "chromium", "firefox": "firefox-esr"}
CASE_LIMIT = 240  # seconds
TOKEN = "a-token-of-the-tests"
SHARED = ["play", "control", "keyboard", "states_of_the_emulator", "memory", "freeze", "search", "watch", "states", "emulators", "overlay",
          "recordings", "traffic", "video"]


@pytest.fixture(scope="session")
def tools():
    """Playwright and axe, as package-lock.json names them."""
    subprocess.run([ROOT / "scripts/web", "--tools"], check=True)


@pytest.fixture(scope="session")
def owner():
    """A gateway with an emulator of its own, and the folder of test ROMs to start more."""
    gateway = Gateway("Owned:Roms:0=:test:", f"Owned:RomFolders:0={ROOT / 'lua/headless/rom'}")
    yield gateway
    gateway.end()


@pytest.fixture
def start_gateway():
    started = []

    def start(*settings):
        started.append(Gateway(*settings))
        return started[-1]

    yield start
    for gateway in started:
        gateway.end()


def drive(browser, case, url, answers=None):
    """Runs a case; `answers` are functions for the lines that it prints."""
    assert shutil.which(BROWSERS[browser]), f"{BROWSERS[browser]} is missing: apt-get install {BROWSERS[browser]}"
    environment = {**os.environ, browser.upper(): shutil.which(BROWSERS[browser])}
    process = subprocess.Popen(["node", PAGE / "test/browser/run.mjs", browser, case, url + "/", PICTURES], cwd=PAGE, env=environment,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watch = threading.Timer(CASE_LIMIT, process.kill)
    watch.start()
    try:
        for line in process.stdout:
            if line.strip() in (answers or {}):
                answers[line.strip()]()
                process.stdin.write("done\n")
                process.stdin.flush()
            else:
                print(line.rstrip())
        wrong = process.stderr.read()
        if process.wait() != 0:
            pytest.fail(f"{case} in {browser}: {wrong or f'no end within {CASE_LIMIT} s'}", pytrace=False)
    finally:
        watch.cancel()
        process.kill()
        process.wait()


@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("case", SHARED)
def test_page(tools, owner, browser, case):
    drive(browser, case, owner.url)


@pytest.mark.parametrize("browser", BROWSERS)
def test_page_shows_the_first_steps_until_an_emulator_is_connected(tools, start_gateway, browser):
    gateway = start_gateway(f"Owned:RomFolders:0={ROOT / 'lua/headless/rom'}", "Emulators:0:Nonce=nobody", "Emulators:0:Id=nobody")

    def begin():
        body = json.dumps({"rom": "mgba-bridge-test.gba"}).encode()
        request = urllib.request.Request(gateway.url + "/v2/emulators", body, {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=LIMIT).close()

    drive(browser, "first_contact", gateway.url, {"start an emulator": begin})


@pytest.mark.parametrize("browser", BROWSERS)
def test_page_survives_a_restart_of_the_gateway(tools, start_gateway, browser):
    gateway = start_gateway()
    drive(browser, "restart", gateway.url, {"stop the gateway": gateway.stop, "start the gateway": gateway.start})


@pytest.mark.parametrize("browser", BROWSERS)
def test_page_asks_for_the_token_once(tools, start_gateway, browser):
    drive(browser, "token", start_gateway("Owned:Roms:0=:test:", f"Http:Token={TOKEN}").url)


@pytest.mark.parametrize("browser", BROWSERS)
def test_page_shows_agents(tools, start_gateway, browser):
    drive(browser, "agents", start_gateway("Owned:Roms:0=:test:").url)


def test_bundle_is_that_of_the_sources():
    subprocess.run([ROOT / "scripts/web", "--check"], check=True)
