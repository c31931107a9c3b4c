"""A clean Debian system, in which packages are installed and run: a folder that becomes the root of programs. What is started there has a network and processes
of its own. Needs root, the right to make namespaces, and a Debian mirror."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

import machines
import processes
from caller import Caller
from checks import until
from mgba_wire import TIME_LIMIT
from programs import Output, end_all, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = "65534:65534"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
               "DOTNET_NOLOGO": "1", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
# $1 is the root, $2 the SDK of this machine, beside the packages for those that need one
ENTER = 'mount --bind "$2" "$1/sdk" && mount -t proc proc "$1/proc" && '
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]


def check_rights():
    """This process may change into another system."""
    assert os.geteuid() == 0, "this needs root, to change into another system; run it as root or in a container"
    assert subprocess.run([*NAMESPACES, "true"]).returncode == 0, "this needs the right to make namespaces (CAP_SYS_ADMIN); give it to the container"


def clean_system(name, *options):
    """The folder with Debian 12 and nothing else, made once in artifacts/; the options are those of mmdebstrap."""
    check_rights()
    folder = ROOT / "artifacts" / name
    run("scripts/lib/debian-root.sh", folder, "bookworm", "--variant=minbase", "--skip=cleanup/apt/lists", *options)
    return folder


class System:
    """A Debian of its own, with the packages in /packages."""

    def __init__(self, clean, packages, folder):
        self.folder, self.log = folder, None
        subprocess.run(["cp", "-a", clean, folder], check=True)
        for name in ("packages", "sdk"):
            (folder / name).mkdir()
        for file in [*packages.glob("mgba[-_]bridge*"), *(ROOT / "packaging/container").glob("[eh]*"), ROOT / "headless/roms/mgba-bridge-test.gba"]:
            shutil.copy(file, folder / "packages")
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")

    def command(self, *words, user="0:0", before="", options=(), **environment):
        """The command that runs one in this system; `before` are commands of a shell before it."""
        variables = [f"{name}={value}" for name, value in (ENVIRONMENT | environment).items()]
        sdk = pathlib.Path(shutil.which("dotnet")).resolve().parent
        return [*NAMESPACES, *options, "sh", "-c", f'{ENTER}{before} root="$1" && shift 2 && exec env -i "$@"', "sh", self.folder, sdk, *variables,
                "chroot", f"--userspec={user}", "--groups=", self.folder, *words]

    def run(self, *words, **options):
        """The output of a command that must succeed."""
        return run(*self.command(*words, **options))

    def fails(self, *words, **options):
        """The output of a command that must end with 1."""
        done = subprocess.run(self.command(*words, **options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 1, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def install(self, *packages):
        self.run("apt-get", "install", "-qy", "--no-install-recommends", *packages)

    def has(self, path):
        return (self.folder / path.lstrip("/")).exists()

    def has_documents(self, *program):
        """The help names a folder with the documents and examples, and each document that it names is there."""
        text = self.run(*program, "--help")
        folder = re.search(r"^docs/ is in (.*)\.$", text, re.MULTILINE)[1]
        assert [page for page in ["README.md", "docs/examples/coins.py", *re.findall(r"docs/[a-z-]*\.md", text)] if not self.has(f"{folder}/{page}")] == []

    @contextlib.contextmanager
    def running(self, *words, user=NOBODY, before="", **environment):
        """The process that runs a command, on a network of its own, which this thread is on; it must end with 0 on SIGTERM."""
        self.log = Output(self.folder / "packages/log")
        self.log.clear()
        command = self.command(*words, user=user, before=f"ip link set lo up && {before}", options=["--net"], **environment)
        with self.log.path.open("ab") as out, subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out) as process:
            try:
                until(lambda: process.poll() is not None or os.readlink(f"/proc/{process.pid}/ns/net") != os.readlink("/proc/self/ns/net"), "its network is there")
                with machines.inside(process.pid):
                    yield process
                    assert process.poll() is None, self.log.text()
                for child in processes.children(process.pid):
                    end_all([child])
                assert process.wait(TIME_LIMIT) == 0, self.log.text()
            finally:
                process.kill()

    def plays(self, *words, **options):
        """Prints how long the program takes from its start until it answers about the game."""
        began = time.monotonic()
        with self.running(*words, HOME="/tmp", **options) as process:
            game = until(lambda: process.poll() is not None or ask()[1], "there is an answer about the game")
            assert process.poll() is None and game["title"] == "LAMPLIGHT", self.log.text()
            print(f"first /v2/game after {time.monotonic() - began:.2f} s")


def ask(token=None, path="/v2/game"):
    """The status, 0 without a gateway, and the content of a success."""
    try:
        with contextlib.closing(Caller("http://127.0.0.1:5000")) as caller:
            status, content = caller.send("GET", path, headers={"Authorization": f"Bearer {token}"} if token else None)
            return status, content if status == 200 else None
    except OSError:
        return 0, None
