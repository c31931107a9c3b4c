"""States in a folder that the machines of a fleet share: what happens when it is full, read-only, silent or gone, and when it or the database is restored from a backup."""

import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

from checks import until
from fleet import CELL, LEASE, get, request
from gateway import PATIENT
from two_machines import Hosts, Node

SIZE = "24m"  # of the disk that the folder is on
SETTINGS = [f"Fleet:LeaseTime=00:00:{LEASE:02}", "Owned:StateEvery=00:00:01", "Discover=false", *PATIENT]


class Disk:
    """A file system of its own, as a server of NFS has it."""

    def __init__(self):
        self.data = tempfile.TemporaryDirectory(prefix="mgba-bridge-store-")
        self.image, self.folder = pathlib.Path(self.data.name, "image"), pathlib.Path(self.data.name, "folder")
        self.folder.mkdir()
        self.call("truncate", "-s", SIZE, self.image)
        self.call("mkfs.ext4", "-q", self.image)
        self.mount()

    def call(self, *command):
        subprocess.run(list(map(str, command)), check=True, capture_output=True)

    def mount(self):
        self.call("mount", "-o", "loop", self.image, self.folder)

    def unmount(self):
        self.call("umount", "--lazy", self.folder)

    def remount(self, how):
        self.call("mount", "-o", f"remount,bind,{how}", self.folder)

    def freeze(self, how):
        self.call("fsfreeze", how, self.folder)

    def fill(self):
        with open(self.folder / "filler", "wb", buffering=0) as filler:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        filler.write(bytes(size))
                except OSError:
                    pass

    def empty(self):
        (self.folder / "filler").unlink()

    def end(self):
        subprocess.run(["umount", "--lazy", self.folder], capture_output=True, check=False)
        self.data.cleanup()


class Stage(Hosts):
    """With the store."""

    def __init__(self):
        self.disk = Disk()
        super().__init__([*SETTINGS, f"Fleet:StateStore=file://{self.disk.folder}"], [Node], durable=True)

    def lose(self):
        """The oldest host is lost, and another one takes its sessions."""
        self.nodes[0].process.kill()
        self.nodes.pop(0).end()
        self.nodes.append(Node(self.gateway.program, *self.settings))

    def create(self, session):
        assert request(self.gateway, "/v2/fleet/sessions", {"rom": ":test:", "id": session})[0] == 200
        self.game(session)

    def delete(self, session):
        assert request(self.gateway, f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
        until(lambda: request(self.gateway, f"/v2/fleet/sessions/{session}")[0] == 404, "it is deleted")

    def ask(self, session, path, *arguments):
        """The answer of a session, also of one that moves."""
        def answers():
            return (answer := request(self.gateway, f"/i/{session}{path}", *arguments, {"Prefer": "wait=30"}, 60))[0] == 200 and answer

        return until(answers, f"{session} answers", 90, 0.1)[1]

    def game(self, session):
        return self.ask(session, "/v2/game", None, None)

    def write(self, session, value):
        self.ask(session, f"/v2/memory/{CELL}/u32", {"value": value}, "PUT")

    def read(self, session):
        return self.ask(session, f"/v2/memory/{CELL}/u32", None, None)["value"]

    def stored(self, session):
        """The number of the newest stored state."""
        return int(self.database.query(f"select coalesce(max(id), 0) from mgba_fleet.states where session = '{session}'")[0][0])

    def until_stored(self, session):
        """A state is stored that was taken from now on: the second one from now."""
        newest = self.stored(session)
        until(lambda: self.stored(session) >= newest + 2, "states are stored", 60)

    def until_logged(self, text):
        return until(lambda: any(text in node.log.read_text(errors="replace") for node in self.nodes), f"a host says {text}", 90)

    def detail(self, session):
        return get(self.gateway, f"/v2/fleet/sessions/{session}")["detail"]

    def hashes(self, session):
        """Of the states that are in the index, newest first."""
        return [row[0] for row in self.database.query(f"select encode(sha256, 'hex') from mgba_fleet.states where session = '{session}' order by id desc")]

    def file(self, sha256):
        [folder] = self.disk.folder.glob("default-*")
        return folder / sha256[:2] / sha256

    def end(self):
        super().end()
        self.disk.end()


@pytest.fixture(scope="module")
def stage():
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounts are not permitted here")
    stage = Stage()
    yield stage
    stage.end()


@pytest.mark.parametrize(("session", "begin", "end", "message"), [
    ("full", Disk.fill, Disk.empty, "No space left on device"),
    ("read-only", lambda disk: disk.remount("ro"), lambda disk: disk.remount("rw"), "Read-only file system"),
    ("gone", Disk.unmount, Disk.mount, "is it mounted on"),
], ids=["full", "read-only", "gone"])
def test_store_that_cannot_be_written(stage, session, begin, end, message):
    """While the store is full, read-only or gone, games continue, hosts say why no state is stored, and store states again when they can"""
    stage.create(session)
    stage.until_stored(session)
    before = stage.game(session)
    begin(stage.disk)
    try:
        stage.until_logged(message)
        detail = until(lambda: message in (found := stage.detail(session)) and found, "its detail says so")
        assert detail.startswith("Its states are not stored, which is tried again. "), detail
        assert get(stage.gateway, "/v2/fleet")["stateProblem"] == detail
        newest = stage.stored(session)
        stage.write(session, 5)
        time.sleep(LEASE + 1)  # longer than the lease
        stage.write(session, 6)
        assert (stage.stored(session), stage.game(session)["epoch"]) == (newest, before["epoch"])
    finally:
        end(stage.disk)
    stage.until_stored(session)
    assert (stage.read(session), stage.game(session)["epoch"]) == (6, before["epoch"])
    assert stage.detail(session) == ""
    events = get(stage.gateway, f"/v2/fleet/events?session={session}")["events"]
    assert [(event["kind"], message in event["detail"]) for event in events][-2:] == [("session.unsaved", True), ("session.saved", False)], events
    stage.delete(session)


def test_store_that_does_not_answer(stage):
    """A store whose writes hang keeps no host from renewing its lease: effects are accepted, nothing moves, and states are stored when it continues"""
    stage.create("hangs")
    stage.until_stored("hangs")
    before = stage.game("hangs")
    stage.disk.freeze("-f")
    try:
        newest = stage.stored("hangs")
        frozen = time.monotonic()
        while time.monotonic() < frozen + 2 * LEASE + 2:
            stage.write("hangs", 7)
            time.sleep(0.2)
        assert stage.stored("hangs") <= newest + 1  # one may have been written before
        assert stage.game("hangs")["epoch"] == before["epoch"]
    finally:
        stage.disk.freeze("-u")
    stage.until_stored("hangs")
    assert (stage.read("hangs"), stage.game("hangs")["epoch"]) == (7, before["epoch"])
    stage.delete("hangs")


def test_store_older_than_the_database(stage):
    """Of a session whose newest states the store lacks the state before is used; of one of which it has none it is said, and the game does not begin anew"""
    stage.create("older")
    stage.write("older", 1)
    stage.until_stored("older")
    stage.write("older", 2)
    stage.until_stored("older")
    stage.lose()
    assert stage.read("older") == 2
    for _ in range(3):
        stage.until_stored("older")
    stage.nodes[0].process.kill()  # the backup of the store has all but the newest five, more than KeptStates
    for sha256 in stage.hashes("older")[:5]:
        stage.file(sha256).unlink()
    stage.lose()
    stage.game("older")
    assert stage.read("older") == 2
    stage.until_logged("is missing in file://")
    stage.nodes[0].process.kill()  # it has none of them
    away = stage.disk.folder / "away"
    away.mkdir()
    for sha256 in set(stage.hashes("older")):
        if stage.file(sha256).exists():
            stage.file(sha256).rename(away / sha256)
    stage.lose()
    detail = until(lambda: "none of its states can be used" in (found := stage.detail("older")) and found, "it is said what is wrong", 90)
    assert "is missing in file://" in detail, detail
    print(detail)
    newest = stage.stored("older")
    for file in away.iterdir():
        file.rename(stage.file(file.name))
    assert stage.read("older") == 2
    assert stage.stored("older") >= newest
    stage.delete("older")


def test_start_that_takes_too_long(stage, monkeypatch, tmp_path):
    """On a host whose emulator does not answer in time a session says so, its states are not blamed, and it continues from the newest one elsewhere"""
    stage.create("slow")
    stage.write("slow", 8)
    stage.until_stored("slow")
    silent = tmp_path / "mgba-headless"
    silent.write_text("#!/bin/sh\nexec cat > /dev/null\n")
    silent.chmod(0o755)
    stage.nodes[0].process.kill()
    stage.nodes.pop(0).end()
    with monkeypatch.context() as patch:
        patch.setenv("MGBA_HEADLESS", str(silent))
        stage.nodes.append(Node(stage.gateway.program, *stage.settings, "Owned:StartTimeout=00:00:01"))
    detail = until(lambda: "did not answer within 1 s" in (found := stage.detail("slow")) and found, "it is said what is wrong", 90)
    assert "states" not in detail, detail
    print(detail)
    stage.lose()
    assert stage.read("slow") == 8
    stage.delete("slow")


def test_restored_database(stage):
    """A database that is restored from a backup, while the store is that of today: what runs ends, and each session continues from the newest state of the backup"""
    stage.create("restored")
    stage.write("restored", 1)
    stage.until_stored("restored")
    backup = stage.database.run("pg_dump", "-h", stage.database.folder, "-U", "postgres", "--schema=mgba_fleet", "--clean", "--if-exists", "postgres")
    stage.write("restored", 2)
    stage.until_stored("restored")
    stage.lose()
    assert stage.read("restored") == 2
    stage.create("later")
    stage.until_stored("restored")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(backup)
        file.flush()
        shutil.chown(file.name, "postgres")
        stage.database.run("psql", "-h", stage.database.folder, "-U", "postgres", "-d", "postgres", "-qX", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", file.name)
    restored = time.monotonic()
    until(lambda: stage.read("restored") == 1, "it has what it had then", 90)
    print(f"it continued from the newest state of the backup {time.monotonic() - restored:.1f} s after the database was restored")
    assert request(stage.gateway, "/i/later/v2/game")[0] == 404
    stage.until_stored("restored")
    stage.write("restored", 3)
    stage.until_stored("restored")
    stage.lose()
    assert stage.read("restored") == 3
