"""Programs of Windows under wine, in a Debian 13 in a folder: that of Debian 12 does not start .NET 10. What is started has a console, a network and processes of its
own. Needs root, the right to make namespaces, and a Debian mirror."""

import contextlib
import os
import pathlib
import pty
import subprocess
import threading

import machines
import processes
from checks import until
from clean_system import NAMESPACES, check_rights
from programs import Output, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
CTRL_C = b"\x03"
# $1 is the root, $2 the folder that becomes its /home; the shell stays, since programs that wine leaves are its children then. Ctrl-C is for the program
ENTER = 'trap "" INT; mount --bind "$2" "$1/home" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && ip link set lo up && shift 2 && env -i "$@"'
# until wine has written its registry, and what a program that was killed has left has ended, too
WAIT = '"$@"; code=$?; wineserver -w; exit $code'
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home", "LC_ALL": "C.UTF-8", "WINEPREFIX": "/home/prefix", "WINEDEBUG": "-all", "XDG_RUNTIME_DIR": "/home",
               "TERM": "xterm"}


class Wine:
    """A Windows whose drive Z: is `root`; its folder /home is `home`. One command runs at a time."""

    def __init__(self, root, home):
        self.root, self.home, self.log = root, home, Output(home / "log")
        self.run("sh", "-c", WAIT, "sh", "wineboot", "--init")

    def command(self, *words):
        variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        return ["setpriv", "--pdeathsig", "KILL", *NAMESPACES, "--net", "sh", "-c", ENTER, "sh", self.root, self.home, *variables,
                "chroot", self.root, "sh", "-c", 'cd /home && exec "$@"', "sh", *words]

    def run(self, *words, timeout=120):
        """What a command prints, which must succeed."""
        return run(*self.command(*words), timeout=timeout).replace("\r\n", "\n")

    @contextlib.contextmanager
    def running(self, *words, ends=0):
        """The process that runs a command in a console, on a network of its own, which this thread is on. Ctrl-C must end it with this exit code."""
        self.log.clear()
        own, console = pty.openpty()
        process = subprocess.Popen(["setsid", "--ctty", *self.command("sh", "-c", WAIT, "sh", *words)], stdin=console, stdout=console, stderr=console)
        os.close(console)
        reader = threading.Thread(target=self._read, args=[own])
        reader.start()
        try:
            until(lambda: process.poll() is not None or os.readlink(f"/proc/{process.pid}/ns/net") != os.readlink("/proc/self/ns/net"), "its network is there")
            with machines.inside(process.pid):
                yield process
            if process.poll() is None:
                os.write(own, CTRL_C)
            code = process.wait(30)
            assert code == ends, f"ended with {code}:\n{self.log.text()}"
        finally:
            process.kill()
            process.wait()
            reader.join()
            os.close(own)

    def _read(self, console):
        with self.log.path.open("ab", buffering=0) as log, contextlib.suppress(OSError):  # the console is gone
            while text := os.read(console, 65536):
                log.write(text)


def programs(process, name):
    """The processes of a program below a process. Linux knows 15 characters of its name."""
    return [one for one in processes.descendants(process.pid) if processes.name(one) == name[:15]]


def wine_root():
    """The folder with Debian 13 and wine, made once in artifacts/."""
    check_rights()
    folder = ROOT / "artifacts" / "debian-wine"
    run("scripts/lib/debian-root.sh", folder, "trixie", "--variant=minbase", "--include=wine,wine64")
    return folder
