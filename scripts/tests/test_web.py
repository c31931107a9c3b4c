"""Pages in a real browser (Debian's Chromium): a page of another origin must not be able to press a key, neither at the script's port nor at the
gateway; the gateway's own page must work."""

import functools
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request

import pytest

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


def dom(url):
    """The page after its scripts ran for a while."""
    browser, home = chromium(url, "--virtual-time-budget=5000", "--dump-dom")
    try:
        return browser.communicate(timeout=LIMIT)[0].decode()
    finally:
        browser.kill()
        browser.wait()
        shutil.rmtree(home, ignore_errors=True)


def test_first_page_shows_the_emulator_and_its_picture(instance):
    page = dom(instance.base_url + "/")
    assert "An emulator is connected." in page
    assert 'src="i/1/v2/screen/stream"' in page and 'href="docs/index.html"' in page
