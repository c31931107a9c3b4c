"""Programs that a test runs, whose output goes to files."""

import os
import pathlib
import re
import signal
import subprocess

import processes
from checks import equal, until
from mgba_wire import TIME_LIMIT, Failure


ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, cwd=ROOT, timeout=None, **environment):
    """The output of a command that must succeed."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


class Output:
    """A file to which a program writes. Patterns are regular expressions, in which ^ and $ are the ends of a line."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.touch()

    def text(self):
        return self.path.read_text(errors="replace")

    def lines(self, pattern=""):
        return [line for line in self.text().splitlines() if re.search(pattern, line)]

    def find(self, pattern):
        """The last text that the pattern's group matches."""
        found = re.findall(pattern, self.text(), re.MULTILINE)
        return found[-1] if found else None

    def expect(self, pattern):
        if not re.search(pattern, self.text(), re.MULTILINE):
            raise Failure(f'no "{pattern}" in {self.path.name}:\n{self.end()}')

    def refuse(self, pattern):
        if re.search(pattern, self.text(), re.MULTILINE):
            raise Failure(f'"{pattern}" is in {self.path.name}:\n{self.end()}')

    def wait(self, pattern, count=1):
        """Waits until so many lines match."""
        try:
            until(lambda: len(self.lines(pattern)) >= count, f'{count} x "{pattern}" in {self.path.name}')
        except Failure as failure:
            raise Failure(f"{failure}:\n{self.end()}") from None

    def end(self):
        return "\n".join(line[:300] for line in self.text().splitlines()[-15:])

    def clear(self):
        os.truncate(self.path, 0)


class Program:
    """A program in a session of its own, which ends with the test. Its output is in FOLDER/NAME.out and NAME.err."""

    def __init__(self, *command, folder, name="program", stdin=subprocess.DEVNULL, **options):
        self.out, self.err = Output(pathlib.Path(folder, name + ".out")), Output(pathlib.Path(folder, name + ".err"))
        with open(self.out.path, "ab") as out, open(self.err.path, "ab") as err:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, command)], stdin=stdin, stdout=out, stderr=err, start_new_session=True, **options
            )
        self.pid = self.process.pid

    def is_over(self):
        return self.process.poll() is not None

    def ended(self, code):
        """Waits until the program ends by itself, with this exit code."""
        until(self.is_over, f"the end of {self.process.args[3:]}")
        equal(self.process.returncode, code, f"the exit code, after {self.err.end()!r},")

    def kill(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def end(self):
        if not self.is_over():
            end_all([self.pid])
            self.process.wait(TIME_LIMIT)


def end_all(pids):
    """Ends processes: with SIGTERM, and with SIGKILL those that do not end."""
    for number in (signal.SIGCONT, signal.SIGTERM):
        for pid in pids:
            processes.send(pid, number)
    for pid in pids:
        try:
            until(lambda: processes.has_ended(pid), f"the end of {pid}", seconds=15)
        except Failure:
            processes.send(pid, signal.SIGKILL)
