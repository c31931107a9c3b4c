#!/usr/bin/env python3
"""Real pages in Debian's Chromium: scripts/tests/web.py BASE_URL LUA_PORT (scripts/tests/web.sh starts what they need).

A page of another origin must not be able to press a key, neither at the script's port nor at the gateway; the gateway's own page must work.
"""

import functools
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

LIMIT = 90  # seconds that anything may take on a busy machine
EDGES = 0x02000020  # the test ROM's count of presses of each of the ten keys
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
    """Serves one page, and takes what it reports."""

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


def wire(port, message):
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
        connection.sendall(message.encode() + b"<|END|>")
        reply = b""
        while b"<|END|>" not in reply:
            reply += connection.recv(65536)
        return reply.split(b"<|END|>")[0].decode()


def presses(port):
    addresses = " ".join(hex(EDGES + 4 * key) for key in range(10))
    return wire(port, f"#1 memory.read32 {addresses}").split(" ok ")[1]


def visit_attack(base, lua):
    """Lets the page of another origin do its worst, and returns what it says of it."""
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


def test_a_page_of_another_origin_presses_no_key(base, lua):
    before = presses(lua)
    outcomes = visit_attack(base, lua)
    assert outcomes[0] == "failed" and outcomes[-1] == "closed", f"the script answered a web page: {outcomes}"
    wire(lua, "#1 wait frames=30")
    assert presses(lua) == before, f"keys were pressed: {before} before, {presses(lua)} after"


def test_the_check_can_fail(base, lua):
    """The same requests without a browser do press keys, so the test above sees presses."""
    before = presses(lua)
    request = urllib.request.Request(base + "/mgba-http/button/tap?button=A", method="POST")
    assert urllib.request.urlopen(request, timeout=LIMIT).status == 200
    wire(lua, "#1 wait frames=30")
    assert presses(lua) != before, "a tap by curl was not seen"


def test_the_api_page_shows_every_path(base, _):
    with urllib.request.urlopen(base + "/openapi/v1.json", timeout=LIMIT) as answer:
        paths = json.load(answer)["paths"]
    browser, home = chromium(base + "/docs", "--virtual-time-budget=20000", TALL, "--dump-dom")
    page = browser.communicate(timeout=LIMIT)[0].decode()
    shutil.rmtree(home, ignore_errors=True)
    shown = page.count('class="opblock-summary-path"')
    wanted = sum(len([method for method in path if method in ("get", "put", "post", "delete", "patch", "head")]) for path in paths.values())
    assert shown == wanted > 60, f"{shown} operations are shown, {wanted} are documented"


def main():
    base, lua = sys.argv[1], int(sys.argv[2])
    passed = failed = 0
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                test(base, lua)
                passed += 1
                print(f"ok - {name}")
            except Exception as problem:
                failed += 1
                print(f"not ok - {name}\n# {problem}")
    print(f"web: {passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
