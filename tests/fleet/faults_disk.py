"""A host whose disk is full, a long test: its sessions run elsewhere, nothing of theirs is lost, and it is said what is wrong."""

import signal
import subprocess

import pytest

from checks import until
from fleet import CELL, get, problem, request
from two_machines import SETTINGS, Hosts, Node

TOO_SMALL = "16k"  # for a state and for the script
MOUNT = ["unshare", "--mount", "sh", "-c", f'mkdir "$0" && mount -t tmpfs -o size={TOO_SMALL} tmpfs "$0" && exec "$@"']


class SmallNode(Node):
    """A host whose data folder is on a disk of its own, which nobody else sees."""

    def wrap(self, command):
        return [*MOUNT, self.folder, *command]

    def enlarge(self):
        subprocess.run(["nsenter", "--mount", "--target", str(self.process.pid), "mount", "-o", "remount,size=16m", self.folder], check=True)


@pytest.fixture
def fleet():
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mount namespaces are not permitted here")
    fleet = Games(SETTINGS, [SmallNode, Node])
    yield fleet
    fleet.end()


class Games(Hosts):
    def game(self):
        return request(self.gateway, "/i/game/v2/game", headers={"Prefer": "wait=30"})[:2]

    def failure(self):
        return until(lambda: (found := get(self.gateway, "/v2/fleet/sessions/game"))["failures"] and found, "its start has failed")


def test_full_disk_of_a_host(fleet):
    """A session runs on the host that has room on its disk; on the other one it says what is wrong, and continues when there is room"""
    small, large = fleet.nodes
    assert request(fleet.gateway, "/v2/fleet/sessions", {"rom": ":test:", "id": "game"})[0] == 200
    assert fleet.game()[0] == 200
    assert request(fleet.gateway, f"/i/game/v2/memory/{CELL}/u32", {"value": 77}, "PUT")[0] == 200
    large.process.send_signal(signal.SIGTERM)  # it gives the session back, with its state
    detail = fleet.failure()["detail"]
    assert "No space left on device" in detail and "Free space" in detail, detail
    status, answer = request(fleet.gateway, "/i/game/v2/game")[:2]
    assert (status, problem(answer)) == (503, "session-moving"), answer
    assert "Please report this" not in small.log.read_text(errors="replace")
    small.enlarge()
    assert fleet.game()[0] == 200
    assert get(fleet.gateway, f"/i/game/v2/memory/{CELL}/u32")["value"] == 77
