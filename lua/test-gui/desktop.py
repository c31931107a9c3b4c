"""A virtual screen, mgba-qt on it, and keyboard and mouse."""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess

from checks import until
from mgba_wire import TIME_LIMIT, Failure
from ports import listening

QT = os.environ.get("MGBA_QT") or shutil.which("mgba-qt", path=os.environ["PATH"] + ":/usr/games")  # not on root's PATH in Debian
ACTION = 60  # seconds for one action on the screen
MAIN = "^mGBA - "
SCRIPTING = "^Scripting$"
SCRIPT_DIALOG = "^Select script to load$"
ROM_DIALOG = "^Select ROM$"
TOOLS_PLACE = (4, 5, 3, 6)  # of Scripting below the first entry of Tools: 0.10.1's first, then where other versions may have it


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with this process, however it ends


def start(command, log, **options):
    with open(log, "ab") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, preexec_fn=die_with_parent, **options)


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


class Picture:
    """What `import` took off the screen: width, height and rows of RGB bytes."""

    def __init__(self, data):
        match = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height = int(match.group(1)), int(match.group(2))
        self.pixels = data[match.end() :]

    def part(self, left, top, right, bottom):
        return [self.pixels[3 * (y * self.width + left) : 3 * (y * self.width + right)] for y in range(top, min(bottom, self.height))]

    def dark(self, left, top, right, bottom):
        """How many pixels of this part are nearly black: there is text where these are."""
        rows = self.part(left, top, right, bottom)
        return sum(1 for row in rows for at in range(0, len(row), 3) if max(row[at : at + 3]) < 100)


class Desktop:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.parts = []
        self.environment = dict(os.environ)
        reading, writing = os.pipe()
        self.parts.append(
            start(
                # -noreset: without it the server begins anew when xdotool, still alone, leaves, and refuses an openbox that connects meanwhile
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
                self.folder / "xvfb.log",
                pass_fds=[writing],
            )
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Failure("Xvfb did not start; see xvfb.log")
        home = self.folder / "home"
        (home / "config").mkdir(parents=True)
        self.environment.update(DISPLAY=f":{number}", HOME=str(home), XDG_CONFIG_HOME=str(home / "config"))
        for name in [name for name in self.environment if name.startswith("MGBA_BRIDGE_")] + ["XDG_DATA_HOME", "XAUTHORITY"]:
            self.environment.pop(name, None)
        self.parts.append(start(["openbox"], self.folder / "openbox.log", env=self.environment))
        until(lambda: self.run("xdotool", "get_num_desktops"), "the window manager is there")

    def stop(self):
        for part in reversed(self.parts):
            end(part)

    def run(self, *command):
        """The output of a command, or None if it fails."""
        try:
            done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=ACTION, check=False)
        except subprocess.TimeoutExpired:
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def windows_of(self, title):
        """The windows with a title, the oldest first."""
        return sorted((self.run("xdotool", "search", "--onlyvisible", "--name", title) or "").split(), key=int)

    def window(self, title):
        found = self.run("xdotool", "search", "--onlyvisible", "--name", title)
        return found.split()[0] if found else None

    def windows(self):
        return (self.run("xdotool", "search", "--onlyvisible", "--class", "mgba") or "").split()

    def title(self, window):
        return self.run("xdotool", "getwindowname", window) or ""

    def focus(self, window):
        def is_active():
            if self.run("xdotool", "getactivewindow") == window:
                return True
            self.run("xdotool", "windowactivate", window)
            return False

        until(is_active, f"the window {self.title(window)!r} comes to the front", pause=0.1)

    def key(self, *keys):
        self.run("xdotool", "key", "--delay", "25", *keys)

    def key_down(self, key):
        self.run("xdotool", "keydown", key)

    def key_up(self, key):
        self.run("xdotool", "keyup", key)

    def click(self, window, x, y):
        self.run("xdotool", "mousemove", "--window", window, str(x), str(y), "click", "1")

    def type(self, text):
        self.run("xdotool", "type", "--delay", "6", text)

    def popup(self, open_it):
        """Opens a menu and waits until it is on the screen."""
        before = set(self.windows())
        open_it()
        until(lambda: set(self.windows()) - before, "a menu opens")

    def picture(self, window):
        done = subprocess.run(
            ["import", "-window", window, "-depth", "8", "ppm:-"], env=self.environment, capture_output=True, timeout=ACTION, check=True
        )
        return Picture(done.stdout)

    def save_picture(self, file):
        self.run("import", "-window", "root", str(file))


class Window:
    """One mgba-qt with a game, and the actions of a user in it."""

    def __init__(self, desktop, name, rom, options=("-C", "audioBuffers=2048"), environment=None, ignore_sigpipe=True, loads=True):
        self.desktop, self.name = desktop, name
        self.folder = desktop.folder / name
        self.folder.mkdir()
        self.rom = self.folder / pathlib.Path(rom).name  # a copy: saves and states stay in here
        shutil.copy(rom, self.rom)
        command = [QT, *options, *([str(self.rom)] if loads else [])]
        if ignore_sigpipe:
            command = ["sh", "-c", 'trap "" PIPE; exec "$@"', "sh", *command]
        settings = {"SDL_AUDIODRIVER": "dummy", "QT_QPA_PLATFORM": "xcb", "LIBGL_ALWAYS_SOFTWARE": "1", **(environment or {})}
        self.process = start(command, self.folder / "mgba-qt.log", env={**desktop.environment, **settings})
        self.main = until(lambda: self.alive() and desktop.window(MAIN), f"{name}: the window of mgba-qt is there", 60)
        if loads:
            until(lambda: self.alive() and "fps" in desktop.title(self.main), f"{name}: the game runs", 60)

    def alive(self):
        code = self.process.poll()
        if code is not None:
            raise Failure(f"{self.name}: mgba-qt has ended, return code {code}")
        return True

    def end(self):
        end(self.process)

    def title(self):
        return self.desktop.title(self.main)

    def focus(self):
        self.desktop.focus(self.main)

    def press(self, *keys):
        """Keys to the game's window."""
        self.focus()
        self.desktop.key(*keys)

    def open_menu(self, menu):
        """A menu by its letter."""
        self.focus()
        self.desktop.popup(lambda: self.desktop.key(f"alt+{menu}"))

    def choose(self, menu, *keys):
        """A menu by its letter, then keys in it."""
        self.open_menu(menu)
        self.desktop.key(*keys)

    def scripting(self):
        """The Scripting window; opens it when it is not there."""
        if found := self.desktop.window(SCRIPTING):
            return found
        for place in TOOLS_PLACE:
            before = set(self.desktop.windows())
            self.choose("t", *["Down"] * place, "Return")
            try:
                return until(lambda: self.desktop.window(SCRIPTING), "Tools > Scripting opens its window", 15)
            except Failure:
                for other in set(self.desktop.windows()) - before:
                    self.desktop.focus(other)
                    self.desktop.key("Escape")
        raise Failure("Tools > Scripting did not open its window")

    def scripting_menu(self, *keys):
        scripting = self.scripting()
        self.desktop.focus(scripting)
        self.desktop.popup(lambda: self.desktop.click(scripting, 20, 11))
        self.desktop.key(*keys)

    def answer_dialog(self, title, text):
        """Types a path into a file dialog, again if it stays open: keys can be lost while it appears."""
        for seconds in (15, 15, TIME_LIMIT):
            dialog = until(lambda: self.desktop.windows_of(title), f"the dialog {title} opens")[0]
            self.desktop.focus(dialog)
            self.desktop.key("alt+n", "ctrl+a")  # File name, and all of its text
            self.desktop.type(text)
            self.desktop.key("Return")
            try:
                return until(lambda: self.alive() and not self.desktop.windows_of(title), f"the dialog {title} closes", seconds)
            except Failure:
                for message in self.desktop.windows_of(title)[1:]:  # such as that the file does not exist
                    self.desktop.focus(message)
                    self.desktop.key("Escape")
        raise Failure(f"the dialog {title} did not close")

    def load_script(self, script):
        """Tools > Scripting > File > Load script"""
        self.scripting_menu("Down", "Return")
        self.answer_dialog(SCRIPT_DIALOG, str(script))

    def reset_scripts(self):
        """Scripting > File > Reset"""
        self.scripting_menu("r")

    def load_rom(self, rom):
        """File > Load ROM"""
        self.press("ctrl+o")
        self.answer_dialog(ROM_DIALOG, str(rom))

    def listening(self):
        """The sockets on which this process listens: ports by inode."""
        inodes = set()
        for file in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                inodes.update(re.findall(r"socket:\[(\d+)\]", os.readlink(file)))
            except FileNotFoundError:
                pass
        return {inode: port for _, port, inode in listening() if inode in inodes}

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
