"""Starts `mgba-bridge run`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
import weakref
from collections.abc import Sequence

from .errors import StartFailed

START_TIMEOUT = 60.0
END_TIMEOUT = 20.0


class OwnGateway:
    """A gateway with emulators of its own, until `end`, until nothing refers to it, or until the end of Python, in whatever way that comes."""

    def __init__(self, roms: Sequence[str | os.PathLike[str]], program: str | None, fps: float | None, options: Sequence[str]) -> None:
        wanted = program or os.environ.get("MGBA_BRIDGE_PROGRAM") or shutil.which("mgba-bridge", path=sysconfig.get_path("scripts")) or "mgba-bridge"
        found = shutil.which(wanted)
        if found is None:
            raise StartFailed(f"There is no program {wanted}: install mGBA-bridge, or name its program by `program` or MGBA_BRIDGE_PROGRAM.")
        command = [found, "run", "--json", *(["--fps", f"{fps:g}"] if fps is not None else []), *options, *map(os.fspath, roms)]
        with tempfile.TemporaryFile() as log:
            environment = {**os.environ, "MGBA_BRIDGE_END_WITH_INPUT": "1"}
            try:
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True, env=environment)
            except OSError as error:
                raise StartFailed(f"{found} did not start: {error.strerror}") from error
            self._end = weakref.finalize(self, end, self._process)
            # the pipe ends with the process, so that a start that takes too long ends the reading
            timer = threading.Timer(START_TIMEOUT, self._process.kill)
            timer.daemon = True  # after Ctrl-C, at whatever moment, Python does not wait for it when it ends
            timer.start()
            try:
                assert self._process.stdout is not None
                line = self._process.stdout.readline()
            finally:
                timer.cancel()
            if not line:
                self.end()
                log.seek(0)
                said = log.read().decode(errors="replace").strip().splitlines()
                raise StartFailed(f"{found} run did not start: {said[-1] if said else f'exit code {self._process.returncode}'}")
        started = json.loads(line)
        self.url: str = started["url"]
        self.emulators: list[str] = [emulator["id"] for emulator in started["emulators"]]

    def end(self) -> None:
        """Saves the games and ends everything."""
        self._end()


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
