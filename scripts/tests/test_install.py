"""The packages, installed in clean Debian 12 systems without an SDK, run and removed. A system is a folder that becomes the root of programs (mmdebstrap makes it
once, in artifacts/debian-root), and what is started there has a network and processes of its own. Needs root, the right to make namespaces, and a Debian
mirror. DIST_OUTPUT=folder takes packages that are already built."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

import machines
import processes
from caller import Caller
from checks import until
from mgba_wire import TIME_LIMIT
from programs import Output, end_all, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
ROM = "/packages/mgba-bridge-test.gba"
ARCHIVE, PORTABLE = f"/opt/mgba-bridge-{VERSION}-linux-x64", f"/opt/mgba-bridge-{VERSION}-portable"
DEB = f"/packages/mgba-bridge_{VERSION}_amd64.deb"
NOBODY, CONTAINER = "65534:65534", "10001:10001"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
               "DOTNET_NOLOGO": "1", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
# $1 is the root, $2 the SDK of this machine, beside the packages for those that need one
ENTER = 'mount --bind "$2" "$1/sdk" && mount -t proc proc "$1/proc" && '
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
VOLUME = "/var/lib/mgba-bridge"
TOKEN = "of-the-tests-0123456789"


class System:
    """A Debian of its own, with the packages in /packages."""

    def __init__(self, clean, packages, folder):
        self.folder, self.log = folder, None
        subprocess.run(["cp", "-a", clean, folder], check=True)
        for name in ("packages", "sdk"):
            (folder / name).mkdir()
        for file in [*packages.glob("mgba-bridge*"), *(ROOT / "packaging/container").glob("[eh]*"), ROOT / "lua/headless/rom/mgba-bridge-test.gba"]:
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
        assert [page for page in ["README.md", "docs/examples/bot.py", *re.findall(r"docs/[a-z-]*\.md", text)] if not self.has(f"{folder}/{page}")] == []

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
            assert process.poll() is None and game["title"] == "MGBABRIDGE", self.log.text()
            print(f"first /v2/game after {time.monotonic() - began:.2f} s")


def ask(token=None, path="/v2/game"):
    """The status, 0 without a gateway, and the content of a success."""
    try:
        with contextlib.closing(Caller("http://127.0.0.1:5000")) as caller:
            status, content = caller.send("GET", path, headers={"Authorization": f"Bearer {token}"} if token else None)
            return status, content if status == 200 else None
    except OSError:
        return 0, None


@pytest.fixture(scope="module")
def packages(make_packages):
    return make_packages("linux-x64", "portable", "deb", "tool")


@pytest.fixture(scope="module")
def clean():
    assert os.geteuid() == 0, "this needs root, to change into another system; run it as root or in a container"
    assert subprocess.run([*NAMESPACES, "true"]).returncode == 0, "this needs the right to make namespaces (CAP_SYS_ADMIN); give it to the container"
    folder = ROOT / "artifacts/debian-root"
    run("scripts/lib/debian-root.sh", folder, "bookworm", "--variant=minbase", "--skip=cleanup/apt/lists")
    return folder


@pytest.fixture(scope="module")
def make_system(clean, packages, tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("systems"), []
    yield lambda: made.append(System(clean, packages, folder / str(len(made)))) or made[-1]
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def archive(make_system):
    """With the archive unpacked, and what it and the portable archive need."""
    system = make_system()
    unpack(system)
    system.install("libssl3", "unzip")
    return system


@pytest.fixture(scope="module")
def deb(make_system):
    system = make_system()
    system.install(DEB)
    return system


@pytest.fixture(scope="module")
def container(deb):
    """With what the image adds to the deb. As in a container a program is user 10001, who can write the volume only, not even /tmp."""
    deb.run("install", "-D", "-m", "755", "-t", "/usr/lib/mgba-bridge", "/packages/entrypoint", "/packages/healthcheck")
    deb.run("install", "-d", "-o", "10001", "-g", "10001", VOLUME)
    return deb


def unpack(system):
    system.run("tar", "-xzf", f"/packages/mgba-bridge-{VERSION}-linux-x64.tar.gz", "-C", "/opt")


def test_archive_names_the_package_that_it_lacks(make_system):
    """OpenSSL, for the gateway; the emulator lacks nothing"""
    system = make_system()
    unpack(system)
    assert system.run(f"{ARCHIVE}/mgba-bridge", "version") and system.run(f"{ARCHIVE}/mgba-headless", "--version")
    for verb in ("token", "run", "mcp", "doctor"):
        assert "apt install libssl3" in system.fails(f"{ARCHIVE}/mgba-bridge", verb).splitlines()[-1]


def test_archive_plays(archive):
    archive.has_documents(f"{ARCHIVE}/mgba-bridge")
    archive.plays(f"{ARCHIVE}/mgba-bridge", "run", "--no-browser")


def test_portable_archive_plays(archive):
    archive.run("unzip", "-q", f"/packages/mgba-bridge-{VERSION}-portable.zip", "-d", "/opt")
    archive.has_documents("/sdk/dotnet", f"{PORTABLE}/mgba-bridge.dll")
    archive.plays("sh", "-c", f"{ARCHIVE}/mgba-headless --script {PORTABLE}/mgba-bridge.lua --saves /tmp -- {ROM} & exec /sdk/dotnet {PORTABLE}/mgba-bridge.dll")


def test_tool_plays(archive):
    archive.run("/sdk/dotnet", "tool", "install", "mgba-bridge", "--tool-path", "/opt/tool", "--source", "/packages", "--version", VERSION)
    archive.run("chmod", "-R", "a+rX", "/opt/tool")  # for the user that runs it
    assert VERSION in archive.run("/opt/tool/mgba-bridge", "--version", DOTNET_ROOT="/sdk")
    archive.has_documents("env", "DOTNET_ROOT=/sdk", "/opt/tool/mgba-bridge")
    archive.plays("sh", "-c", f"{ARCHIVE}/mgba-headless --script {ARCHIVE}/mgba-bridge.lua --saves /tmp -- {ROM} & exec /opt/tool/mgba-bridge", DOTNET_ROOT="/sdk")


def test_deb_plays(deb):
    assert deb.run("mgba-bridge", "--version") == f"mgba-bridge {VERSION}\n"
    assert "status" in deb.run("mgba-bridge", "[suggest:15]", "mgba-bridge sta").splitlines()
    deb.has_documents("mgba-bridge")
    deb.plays("mgba-bridge", "run", "--no-browser")


@pytest.mark.parametrize("settings, environment, token", [
    pytest.param(None, {}, None, id="none"),
    pytest.param(None, {"Bridge__Http__Token": TOKEN}, TOKEN, id="in the environment"),
    pytest.param('{"Bridge": {"Http": {\n  "Token": "%s"}}}' % TOKEN, {}, TOKEN, id="in the settings"),
    pytest.param('{\n  // "Token": "%s"\n}' % TOKEN, {"Bridge__Owned__DataFolder": f"{VOLUME}/games"}, None, id="in a comment, and a data folder that does not exist"),
])
def test_container_answers_with_its_token(container, settings, environment, token):
    """the container is healthy, makes a token when it has none, and answers with it only"""
    file = container.folder / "etc/mgba-bridge/appsettings.json"
    before = file.read_text(encoding="utf-8")
    file.write_text(settings or before, encoding="utf-8")
    options = {"user": CONTAINER, "before": 'mount -t tmpfs -o ro none "$1/tmp" && ', "HOME": VOLUME, **environment}
    try:
        with container.running("/usr/lib/mgba-bridge/entrypoint", **options) as process:
            health = container.command("/usr/lib/mgba-bridge/healthcheck", **options)
            until(lambda: process.poll() is not None or subprocess.run(health, stderr=subprocess.DEVNULL).returncode == 0, "the container is healthy", pause=0.1)
            made = container.log.find("^No token is set.* the token of this start is (.*)")
            assert bool(made) == (token is None), container.log.text()
            assert (ask(token or made)[0], ask()[0]) == (200, 401)
    finally:
        file.write_text(before, encoding="utf-8")


def test_container_says_that_it_cannot_write_its_data_folder(container):
    said = container.fails("/usr/lib/mgba-bridge/entrypoint", user=CONTAINER, Bridge__Owned__DataFolder="/root")
    assert "The folder /root cannot be used by user 10001" in said


def test_systemd_accepts_the_units(deb):
    deb.install("systemd")
    emulators = deb.folder / "etc/mgba-bridge/emulators"
    shutil.copy(emulators / "example.conf", emulators / "test.conf")
    done = subprocess.run(deb.command("systemd-analyze", "verify", "--man=no", "mgba-bridge.service", "mgba-bridge-emulator@test.service"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert [line for line in done.stdout.splitlines() if "mgba" in line] == []


def test_deb_is_removed_and_purged(make_system):
    """remove leaves the settings alone, and purge nothing"""
    system = make_system()
    system.install(DEB)
    files = [path for path in system.run("dpkg", "-L", "mgba-bridge").splitlines() if not (system.folder / path.lstrip("/")).is_dir()]
    system.run("apt-get", "remove", "-qy", "mgba-bridge")
    assert [path for path in files if system.has(path)] == [path for path in files if path.startswith("/etc/")] != []
    system.install(DEB)
    system.run("apt-get", "purge", "-qy", "mgba-bridge")
    assert [path for path in [*files, "/etc/mgba-bridge", VOLUME] if system.has(path)] == []
    assert "mgba-bridge" not in system.run("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n")
