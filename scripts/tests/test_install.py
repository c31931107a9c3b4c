"""The packages, installed in clean Debian 12 systems without an SDK (tests/python/clean_system.py), run and removed. DIST_OUTPUT=folder takes packages that are
already built."""

import pathlib
import shutil
import subprocess

import pytest

from checks import until
from clean_system import ask, clean_system

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
ROM = "/packages/mgba-bridge-test.gba"
ARCHIVE, PORTABLE = f"/opt/mgba-bridge-{VERSION}-linux-x64", f"/opt/mgba-bridge-{VERSION}-portable"
DEB = f"/packages/mgba-bridge_{VERSION}_amd64.deb"
CONTAINER = "10001:10001"
VOLUME = "/var/lib/mgba-bridge"
TOKEN = "of-the-tests-0123456789"


@pytest.fixture(scope="module")
def packages(make_packages):
    return make_packages("linux-x64", "portable", "deb", "tool")


@pytest.fixture(scope="module")
def clean():
    return clean_system("debian-root")


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
