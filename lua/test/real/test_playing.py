"""Playing on a real mGBA core, at full size: what the test ROM counts is what was sent, and the same steps give the same memory.

The emulator runs without a limit of speed here, so that ten thousand of each takes seconds.
"""

import hashlib
import pathlib
import random
import threading
import zipfile

import pytest

from checks import equal, until
from headless import ROMS, HeadlessEmulator
from mgba_wire import END, Failure, request
from rom import BLOCK, KEYS, SCRATCH, clear_counters, edges, wait_for_start

COUNT = 10000
FREE = ["--fps", "0"]


class CutLink:
    """A client of one session whose connection is cut at random bytes, in both directions, and that sends again what has no answer."""

    def __init__(self, emulator, session, rng, often):
        self.emulator, self.session, self.rng, self.often = emulator, session, rng, often
        self.client, self.cuts, self.number = None, 0, 10

    def connect(self):
        self.client = self.emulator.connect(session=self.session)

    def try_all(self, waiting, acknowledged):
        """Sends all of them over one connection; takes the answered ones out. Whether the link held."""
        rng = self.rng
        if self.client is None:
            self.connect()
        data = b"".join(request(number, b"ack=%d " % acknowledged + head, tail) for number, (head, tail) in waiting.items())
        cut = rng.randrange(len(data) + 1) if rng.random() < self.often else None
        answers = rng.randrange(len(waiting) + 1) if rng.random() < self.often else None
        try:
            self.client.send_bytes(data if cut is None else data[:cut])
            if cut is not None:
                raise EOFError
            while waiting and answers != 0:
                reply = self.client.reply().ok()
                waiting.pop(reply.id)
                answers = answers and answers - 1
            if waiting:
                raise EOFError
        except (EOFError, OSError):
            self.cuts += 1
            self.client.reset() if rng.random() < 0.5 else self.client.close()
            self.client = None

    def do(self, operations):
        """Every one of them, a hundred under way at a time."""
        for at in range(0, len(operations), 100):
            waiting = {}
            acknowledged = self.number - 1
            for operation in operations[at : at + 100]:
                waiting[self.number] = operation
                self.number += 1
            while waiting:
                self.try_all(waiting, acknowledged)


def test_taps_over_a_cut_link_run_once(start_emulator):
    """5,000 taps and 5,000 increments over a link that is cut at random: each took effect once."""
    rng = random.Random(7)
    emulator = start_emulator(options=FREE)
    watcher = emulator.connect(session="watch")
    wait_for_start(watcher)
    clear_counters(watcher)
    link, sent, operations, value = CutLink(emulator, "cut", rng, 0.7), [0] * 10, [], 0
    for number in range(COUNT):
        if number % 2:
            key = rng.randrange(10)
            sent[key] += 1
            operations.append((b"keys.tap %s frames=1 gap=1" % KEYS[key].encode(), None))
        else:
            items = f"guard32 {SCRATCH:#x} eq {value}".encode() + END + f"memory.write32 {SCRATCH:#x} {value + 1}".encode() + END
            operations.append((b"batch.run", items))
            value += 1
    link.do(operations)
    equal(watcher.call(f"memory.read32 {SCRATCH:#x}").ok()[0], COUNT // 2, f"the counter after {link.cuts} cuts")
    while watcher.call("ping").frame < settled(watcher, sent):
        pass
    equal(edges(watcher), sent, f"presses the game counted after {link.cuts} cuts")
    assert link.cuts > 50, f"the link was cut only {link.cuts} times"


def settled(watcher, sent):
    """A frame by which all of these taps have gone through, one after another on each key."""
    return watcher.call("ping").frame + 2 * max(sent) + 10 if edges(watcher) != sent else 0


def test_guarded_increments_lose_nothing(start_emulator):
    """two clients count one number up by guarded batches, 10,000 times: nothing is lost."""
    emulator = start_emulator(options=FREE)
    watcher = emulator.connect(session="watch")
    wait_for_start(watcher)
    problems, refused = [], [0, 0]

    def count_up(which):
        try:
            client, done = emulator.connect(session=f"counter{which}"), 0
            while done < COUNT // 2:
                value = client.call(f"memory.read32 {SCRATCH:#x}").ok()[0]
                items = f"guard32 {SCRATCH:#x} eq {value}".encode() + END + f"memory.write32 {SCRATCH:#x} {value + 1}".encode() + END
                reply = client.call(f"ack={client.last} batch.run", items)
                if reply.code == "guard-failed":
                    refused[which] += 1
                else:
                    done += bool(reply.ok())
        except (Failure, OSError, EOFError) as problem:
            problems.append(problem)

    threads = [threading.Thread(target=count_up, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(problems, [], "what went wrong")
    equal(watcher.call(f"memory.read32 {SCRATCH:#x}").ok()[0], COUNT, f"the counter after {sum(refused)} refusals")


def steps(emulator, state, name, takeover_at=None):
    """The hash over the memory of 10,000 steps with inputs from one seed. At some step the holder's connection dies, and another takes over."""
    rng, digest = random.Random(11), hashlib.sha256()
    client = emulator.connect(session=name)
    token = client.call("lease.take limit=10000").ok()["token"]
    client.call("state.load", state).ok()
    before = client.call("lease.step 0", b"ping" + END).ok().frame
    for number in range(COUNT):
        if number == takeover_at:
            client.reset()
            client = emulator.connect(session=name + "-successor")
            client.call(f"lease.take limit=10000 token={token}").ok()
        reply = client.call(f"ack={client.last} lease.step 1 keys={rng.randrange(1024)}", f"memory.read {BLOCK:#x} 64".encode() + END).ok()
        equal(reply.frame, before + number + 1, f"the frame of step {number}")
        digest.update(reply.tail)
    client.call("lease.release").ok()
    return digest.hexdigest()


def test_lockstep_is_deterministic(start_emulator):
    """10,000 lockstep steps with random keys from a seed give the same memory in every run, also when the holder is lost in the middle."""
    emulator = start_emulator(options=FREE)
    watcher = emulator.connect(session="watch")
    wait_for_start(watcher)
    clear_counters(watcher)
    state = watcher.call("state.get").ok().tail
    first = steps(emulator, state, "first")
    equal(steps(emulator, state, "second"), first, "the hash of the second run")
    equal(steps(emulator, state, "third", takeover_at=COUNT // 2), first, "the hash of a run whose holder was lost")


def test_emulator_ends_during_a_lease():
    """A lease that holds the game does not keep the emulator from its end."""
    emulator = HeadlessEmulator()
    try:
        holder = emulator.connect(session="holder")
        holder.call("lease.take limit=10000").ok()
        emulator.end()
        assert holder.event("lease").values[0], "no holder in the first event"
        equal(holder.event("lease").values, [None, "the emulator ends"], "the last event")
    finally:
        emulator.kill()


def test_connections_during_a_lease():
    """1,500 connections come and go while a lease holds the game and steps it, and each is answered."""
    for options in ([], FREE):
        with HeadlessEmulator(options=options) as emulator:
            holder = emulator.connect(session="holder")
            holder.call("lease.take limit=10000").ok()
            descriptors = emulator.descriptors()
            for number in range(1500):
                client = emulator.connect()
                client.call("ping").ok()
                client.reset() if number % 3 == 0 else client.close()
                if number % 10 == 0:
                    holder.call(f"ack={holder.last} lease.step {number // 10 % 3}").ok()
            holder.call("lease.release").ok()
            holder.wait_frames(130)
            until(lambda: emulator.descriptors() <= descriptors + 1, f"there are no more than the {descriptors} descriptors of before")


@pytest.mark.versions
@pytest.mark.parametrize("platform", ("gba", "gb"))
def test_loading_games_again_and_again_keeps_no_file_open(platform, tmp_path):
    """300 loads of a ROM, of another one, of one in an archive, and of what is no game."""
    rom = pathlib.Path(ROMS[platform]).read_bytes()
    for number in range(2):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/game.{platform}").write_bytes(rom)
    with zipfile.ZipFile(tmp_path / "1/game.zip", "w") as archive:
        archive.writestr(f"game.{platform}", rom)
    (tmp_path / f"bad.{platform}").write_bytes(b"no game")
    names = (f"0/game.{platform}", f"1/game.{platform}", "1/game.zip")
    with HeadlessEmulator(platform, FREE, environment={"MGBA_BRIDGE_FOLDERS": str(tmp_path)}) as emulator:
        client = emulator.connect(session="s")

        def load(times):
            for number in range(times):
                client.call(f'ack={client.last} rom.load "{names[number % 3]}"').ok()
                client.wait_frames(1)
                client.call(f'ack={client.last} screen.get').ok()
            client.call(f'ack={client.last} rom.load "bad.{platform}"').refused("failed")

        load(3)
        before = emulator.descriptors()
        load(300)
        load(3)
        equal(emulator.descriptors(), before, "descriptors")


def test_cancelled_step_ends(emulator):
    """A step of ten minutes ends when it is cancelled, and when its caller is gone; then others can play."""
    holder, other = emulator.connect(session="holder"), emulator.connect(session="holder")
    watcher = emulator.connect(session="watch")
    holder.call("lease.take limit=10000").ok()
    step = holder.send("lease.step 36000")
    other.wait_frames(20)
    watcher.call("keys.tap A").refused("leased")
    equal(other.call(f"cancel {step}").ok().text, "true")
    stopped = holder.reply()
    while stopped.id != step:
        stopped = holder.reply()
    stopped.refused("cancelled")
    holder.call(f"lease.step 1 from={stopped.frame}").ok()
    holder.send("lease.step 36000")
    other.wait_frames(20)
    other.call("lease.take limit=300").ok()  # renews it: the limit counts when the step has ended
    holder.reset()
    other.close()
    watcher.wait_frames(300)
    watcher.call("keys.tap A").ok()
