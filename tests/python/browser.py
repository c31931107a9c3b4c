"""Browsers that drive the web page: one process for each browser runs any number of the cases in gateway/web/test/browser."""

import json
import os
import pathlib
import shutil
import subprocess
import threading

from mgba_wire import Failure

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "gateway/web"
PICTURES = ROOT / ".run/web"
BROWSERS = {"chromium": "chromium", "firefox": "firefox-esr"}
CASE_LIMIT = 600  # seconds; the longest takes two minutes on an idle machine


class Browser:
    """A browser, started for the first case and again after it was lost. `path` has Node (node.path)."""

    def __init__(self, name, path):
        self.name, self.path, self.process = name, path, None

    def run(self, case, url, answers=None, show=print, limit=CASE_LIMIT, **more):
        """Runs a case; `answers` are functions for the lines that it prints, whose results it gets; `show` gets its other lines, and `more`
        is given to it. Returns what is wrong."""
        if self.process is None:
            self._start()
        self._send(json.dumps({"case": case, "base": url + "/", **more}))
        late = threading.Timer(limit, self.process.terminate)
        late.start()
        try:
            for line in map(str.strip, self.process.stdout):
                if line.startswith('{"ended"'):
                    failures = json.loads(line)["failures"]
                    if failures:
                        self.end()  # it may have ended with the case
                    return failures
                if line in (answers or {}):
                    self._send(f"done {answers[line]() or ''}")
                else:
                    show(line)
        except BaseException:
            self.end()  # a case that was left in the middle
            raise
        finally:
            late.cancel()
        self.end()
        return [f"{case} did not end within {limit} s, or the browser ended"]

    def end(self):
        if self.process is None:
            return
        process, self.process = self.process, None
        process.stdin.close()  # Playwright ends the browser
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self):
        program = shutil.which(BROWSERS[self.name])
        if program is None:
            raise Failure(f"{BROWSERS[self.name]} is missing: apt-get install {BROWSERS[self.name]}")
        self.process = subprocess.Popen(["node", "test/browser/run.mjs", self.name, PICTURES], cwd=PAGE, env={**os.environ, "PATH": self.path, self.name.upper(): program},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def _send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
