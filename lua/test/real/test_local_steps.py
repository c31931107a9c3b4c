"""Steps by a local socket (docs/protocol.md, section 7.6), on a real mGBA core."""

import os
import socket
import struct
import tempfile
import time

import pytest

from checks import equal
from headless import SCRIPT, HeadlessEmulator
from mgba_wire import END, TIME_LIMIT
from rom import wait_for_start

FREE = ["--fps", "0"]
STEP, HEAD = struct.Struct("<HHI"), struct.Struct("<qII")
FRAMES, KEYS_NOW = 0x02000008, 0x0200000C
ITEMS = f"memory.gather {FRAMES:#x} 4 {KEYS_NOW:#x} 4".encode() + END
PIXELS = ITEMS + b"screen.pixels grey=true width=84 height=84" + END


class Learner:
    """A client with the lease whose steps go by a local socket."""

    def __init__(self, emulator, items=ITEMS, state=None):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "steps")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(self.path)
        self.listener.listen()
        self.listener.settimeout(TIME_LIMIT)
        self.client = emulator.connect(session="learner")
        wait_for_start(self.client)
        self.client.call("lease.take limit=10000").ok()
        if state:
            self.client.call(f"state.keep {state}").ok()
        self.attached = self.attach(items, state).ok()
        self.socket = self.accept()

    def attach(self, items=ITEMS, state=None):
        return self.client.call(f"lease.attach {self.path}" + (f" state={state}" if state else ""), items)

    def accept(self):
        accepted, _ = self.listener.accept()
        accepted.settimeout(TIME_LIMIT)
        return accepted

    def send(self, frames, keys=0, reset=0):
        self.socket.send(STEP.pack(keys, reset, frames))

    def answer(self):
        """Frame, status and the rest."""
        message = self.socket.recv(1 << 20)
        frame, epoch, status = HEAD.unpack_from(message)
        equal(f"{epoch:08x}", self.attached.epoch, "epoch")
        return frame, status, message[HEAD.size :]

    def step(self, frames, keys=0, reset=0):
        self.send(frames, keys, reset)
        frame, status, found = self.answer()
        equal(status, 0, found)
        return frame, *struct.unpack_from("<II", found), found[8:]


@pytest.fixture(params=["gba"])
def emulator(request):
    with HeadlessEmulator(request.param, options=FREE) as started:
        yield started
        started.check()


def test_steps_run_exactly_their_frames_with_their_keys(emulator):
    learner = Learner(emulator, PIXELS)
    equal(learner.attached["size"], 8 + 84 * 84, "bytes of an observation")
    frame, counted, _, pixels = learner.step(0)
    equal(len(pixels), 84 * 84, "pixels")
    for keys, frames in ((1, 1), (0, 4), (1023 & ~0x30, 16), (513, 1), (0, 100)):
        reached, now, held, _ = learner.step(frames, keys)
        equal((reached - frame, now - counted, held), (frames, frames, keys), "frames, the game's count, and its keys")
        frame, counted = reached, now
    by_wire = learner.client.call("lease.step 2 keys=2", ITEMS).ok()
    equal(by_wire.frame, frame + 2, "a step by the connection is one of the same lease")
    equal(learner.step(1, 2)[1], counted + 3, "frames")


def test_reset_continues_from_the_kept_state(emulator):
    learner = Learner(emulator, state="start")
    before = learner.step(0)[1]
    learner.step(50, 1)
    equal(learner.step(0, reset=1)[1], before, "the game's count")
    equal(learner.step(3, reset=1)[1], before + 3, "the game's count after three frames")


def test_other_requests_are_served_between_and_during_steps(emulator):
    learner = Learner(emulator)
    watcher = emulator.connect(session="watcher")
    for number in range(200):
        learner.send(1 if number % 2 else 40)
        if number % 10 == 0:
            watcher.call(f"memory.read32 {FRAMES:#x}").ok()
        equal(learner.answer()[1], 0, "status")
    watcher.call("keys.tap A").refused("leased")


def test_other_requests_are_served_during_a_step_of_ten_minutes(start_emulator):
    learner = Learner(emulator := start_emulator())
    watcher = emulator.connect(session="watcher")
    frame = learner.step(0)[0]
    learner.send(36000)
    while watcher.call("ping").ok().frame == frame:
        pass
    learner.client.call("lease.step 1").refused("busy")
    learner.client.call(f"lease.attach {learner.path}").refused("busy")
    learner.client.call("lease.release").ok()
    equal(learner.answer()[1], 1, "status")


def test_socket_closes_with_the_lease_and_the_lease_stays_without_it(start_emulator):
    learner = Learner(start_emulator())
    learner.socket.close()
    learner.client.call("lease.step 1").ok()
    learner.attach().ok()
    learner.socket = learner.accept()
    learner.step(1)
    learner.attach().ok()  # another one: the first is closed
    equal(learner.socket.recv(99), b"", "the first socket")
    learner.socket = learner.accept()
    frame = learner.step(0)[0]
    learner.send(36000)  # ten minutes
    while learner.client.call("ping").ok().frame == frame:
        pass
    learner.client.call("lease.release").ok()
    _, status, reason = learner.answer()
    equal((status, b"cancelled" in reason, b"released" in reason), (1, True, True), reason)
    equal(learner.socket.recv(99), b"", "the socket after the lease")
    learner.attach().refused("no-lease")


def test_socket_closes_when_the_script_is_loaded_again(emulator):
    learner = Learner(emulator)
    learner.step(1)
    emulator.control(f"run-script {SCRIPT}")
    equal(learner.socket.recv(99), b"", "the socket")
    emulator.next_port()


def test_lease_ends_when_the_learner_is_silent(emulator):
    learner = Learner(emulator)
    learner.client.call("lease.release").ok()
    while learner.client.call("lease.take limit=50").ok() and learner.attach().code == "no-lease":
        pass  # on a busy machine it had ended before
    equal(learner.accept().recv(99), b"", "the socket after the limit")


@pytest.mark.parametrize("message", [b"", b"x", STEP.pack(1024, 0, 1), STEP.pack(0, 2, 1), STEP.pack(0, 0, 1 << 31), STEP.pack(0, 0, 1) + b"x"])
def test_wrong_message_closes_the_socket_and_the_lease_stays(emulator, message):
    learner = Learner(emulator)
    learner.socket.send(message)
    equal(learner.socket.recv(99), b"", "the socket")
    learner.client.call("lease.step 1").ok()


def test_wrong_steps_are_refused_one_by_one(emulator):
    learner = Learner(emulator)
    for frames, reset, code in ((36001, 0, b"bad-argument a step has up to 36000 frames"), (1, 1, b"bad-argument lease.attach named no state")):
        frame = learner.step(0)[0]
        learner.send(frames, reset=reset)
        found = learner.answer()
        equal((found[0], found[1], found[2].startswith(code)), (frame, 1, True), found)
    learner.step(1)


def test_wrong_sockets_and_items_are_refused_and_say_why(emulator):
    learner = Learner(emulator)
    call = learner.client.call
    call("lease.attach /no/such/socket", ITEMS).refused("failed", "No such file or directory")
    call(f"lease.attach /{'x' * 200}", ITEMS).refused("failed", "more than 107 bytes")
    call(f"lease.attach {learner.path}", b"keys.set 1" + END).refused("bad-batch", "item 1: a step of an attached socket only reads")
    call(f"lease.attach {learner.path}", f"guard8 {FRAMES:#x} eq 1".encode() + END).refused("bad-batch", "only reads")
    call(f"lease.attach {learner.path}", b"echo x" + END + b"memory.read 0x02000000 262144" + END).ok()
    learner.socket = learner.accept()
    learner.send(1)
    equal(len(learner.answer()[2]), 262144, "bytes of the largest observation")
    call(f"lease.attach {learner.path}", b"memory.read 0x02000000 262144" + END + b"memory.read 0x02000000 1" + END).refused("bad-argument", "up to 262144")
    call(f"lease.attach {learner.path} state=none", ITEMS).refused("not-found", "kept as")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can listen as another user")
def test_socket_of_another_user_is_refused(emulator):
    learner = Learner(emulator)
    other = os.path.join(learner.folder.name, "other")
    os.chmod(learner.folder.name, 0o777)
    child = os.fork()
    if child == 0:
        os.setuid(65534)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(other)
        listener.listen()
        time.sleep(TIME_LIMIT)
        os._exit(0)
    try:
        while not os.path.exists(other) or learner.client.call(f"lease.attach {other}", ITEMS).refused("failed").detail.find("refused") >= 0:
            time.sleep(0.01)
        learner.client.call(f"lease.attach {other}", ITEMS).refused("failed", "another user")
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
