"""Random and broken input, from fixed seeds, against the script in a real emulator.

What must hold: the emulator lives and answers, every message that is framed as one gets exactly one answer (valid, mistaken or mutated), no
answer is `internal`, and nothing of the script's own mistakes shows in its console. Several clients send at the same time to each of two emulators, and
the latency of another client is measured. FUZZ_SECONDS or FUZZ_COUNT (of messages) says how much, FUZZ_SEED where to start; a failure names the
round, and FUZZ_ROUND runs that round alone.
"""

import json
import pathlib
import re
import select
import socket
import subprocess
import sys
import threading
import time

import pytest

from checks import until
from fuzzing import ROUND, SEED, Budget, random_of
from headless import HeadlessEmulator
from mgba_wire import END, TIME_LIMIT, Client, Failure, Message, request

SENDERS = 2  # for each emulator
BATCHES = (1, 10, 100, 400, 1000)  # messages that a client sends at once
SILENCE = 0.3  # seconds without an answer after which the game is brought back

NUMBERS = [
    "0", "1", "-1", "255", "256", "65535", "65536", "0x02000000", "0x02010001", "0x0203ffff", "0x03000000", "0x04000130", "0x05000001", "0x06000001", "0x07000001",
    "0x08000000", "0x0E000000", "0xFFFFFFFF", "0x100000000", "4294967295", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "0xffffffffffffffff",
    "1e9", "1.5", "nan", "inf", "0x", "x", "", "wram:0", "wram:0x3ffff", "wram:-1", "wram:9223372036854775807", "vram:1", "oam:0", "palette:3", "io:0x130", "bios:0",
    "cart2:0x1ffffff", "hram:0", "nope:0", "__gc:0", "sram:0", "0xC100", "0xFF00", "0xA000",
]
WORDS = [
    "A", "B", "start", "L", "r", "10", "true", "false", "nil", "r0", "r15", "pc", "cpsr", "bc", "eq", "lt", "x", '"a b"', '"\\x00"', '"\\q"', '"', '"\\', "a=b", "flags=30",
    "flags=31", "flags=16", "flags=99", "frames=2", "frames=0", "gap=1", "wait=false", "wait=true", "until=any", "every=2", "on=change", '"A 2, wait 1, B+Up 2"', "=", "%s", "\x7f", "\t", "..", "/etc/passwd", '"' + "y" * 300 + '"',
]
COMMANDS = ["nope", "Ping", "memory", ""]  # and all that the script lists: see main
LEGACY = [
    "core.addKey", "core.addKeys", "core.autoloadSave", "core.checksum", "core.clearKey", "core.clearKeys", "core.currentFrame", "core.frameCycles", "core.getGameTitle",
    "core.getKey", "core.getKeys", "core.loadFile", "core.loadSaveFile", "core.loadStateBuffer", "core.loadStateFile", "core.loadStateSlot", "core.platform", "core.read8",
    "core.read16", "core.read32", "core.readRange", "core.readRegister", "core.romSize", "core.saveStateSlot", "core.screenshot", "core.setKeys", "core.step", "core.write8",
    "core.write16", "core.write32", "core.writeRegister", "coreAdapter.reset", "coreAdapter.memory", "memoryDomain.base", "memoryDomain.read8", "memoryDomain.read32",
    "memoryDomain.readRange", "memoryDomain.write8", "memoryDomain.write32", "mgba-http.button.add", "mgba-http.button.tap", "mgba-http.button.tapMany", "mgba-http.button.hold",
    "mgba-http.button.clear", "mgba-http.button.getAll", "mgba-http.extension.loadFile", "nope", "core", "x.y.z",
]
LEGACY_VALUES = ["", "0", "1", "-1", "4", "10", "1023", "1024", "0x02000000", "0x02010000", "wram", "nope", "A", "Start;B", "16", "70000", "-1", "4294967295", "zz", "[00,01]", "[]", "r0", "r15", "True", "[zz", "a b", '"']
SHORT = {"memory.read", "memory.gather", "cancel"}  # commands whose numbers are better small


class Found(Exception):
    """What a round found."""


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.7 else str(rng.randint(-70000, 70000))


def some_bytes(rng, most):
    data = rng.randbytes(rng.choice((0, 1, 3, 17, rng.randrange(most))))
    if rng.random() < 0.2:
        data += END + rng.randbytes(5)
    return data


def batch_tail(rng):
    items = []
    for _ in range(rng.randrange(6)):
        head, tail = command(rng, ("memory.read8", "memory.write8", "guard8", "guard", "echo", "keys.add", "memory.write", "state.load", "nope", "batch.run", "hello", "keys.get", "game.get"))
        mark = b"" if tail is None else b"+%d " % (len(tail) + (rng.random() < 0.05))
        items.append(mark + head + END + (tail or b""))
    return b"".join(items)[: None if rng.random() < 0.9 else rng.randrange(40)]


def condition(rng):
    words = []
    for joint in ("and", "or", "")[rng.randrange(3) :]:
        words += [rng.choice(("u8", "s16", "u32", "f64")), number(rng), rng.choice(("eq", "ge", "mask", "changed", "is")), number(rng), joint]
    return words[:-1]


def command(rng, names=COMMANDS):
    name = rng.choice(names)
    words = [name]
    for _ in range(rng.choice((0, 0, 1, 1, 2, 2, 3, 5))):
        words.append(number(rng) if rng.random() < 0.6 else rng.choice(WORDS))
    if name in SHORT and len(words) > 2:
        words[2] = str(rng.choice((0, 1, 7, 4096, 70000, -1)))
    if name == "lease.take" and rng.random() < 0.9:
        words.append("limit=%d" % rng.choice((20, 50)))  # until then the game does not run, and requests that need frames wait
    elif name in ("wait.until", "watch") and rng.random() < 0.7:
        words = [name, *condition(rng), "frames=3" if name == "wait.until" else "every=2"]
    if name == "batch.run":
        words = ["batch.run", *rng.sample(("after=1", "after=3", "at=5", "after=0", "x=1"), rng.choice((0, 0, 0, 1)))]
        return " ".join(words).encode(), batch_tail(rng) if rng.random() < 0.9 else None
    tail = some_bytes(rng, 40000 if name == "memory.write" else 3000) if name in ("memory.write", "state.load", "guard") or rng.random() < 0.06 else None
    options = " ".join(rng.sample(("holder=h", "holder=compat", "ack=3", "epoch=00000000", "ack=x", "holder=|", "q=1"), 1)) + " " if rng.random() < 0.08 else ""
    return (options + " ".join(words)).encode("latin-1"), tail


def mutate(rng, head):
    data = bytearray(head)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        what = rng.random()
        if what < 0.4 and data:
            data[at % len(data)] = rng.randrange(256)
        elif what < 0.7:
            data[at:at] = rng.choice((b'"', b"\\", b"=", b" ", b"\0", b"\xff", b"|", b"\\x", b"-", b"99999999999999999999", b"\r\n", b":", b"#", b"+"))
        elif data:
            del data[at : at + rng.randint(1, 5)]
    return bytes(data)


def is_framed(head):
    """Whether it is one message, by the protocol: no terminator in it, no tail announced, no request line of HTTP."""
    plain = head.lstrip(b" \t\r\n")
    if END in head + END[:-1] or END in (head + END)[:-1] or re.match(rb"#\d*\+", plain) or plain[:1] == b"\x16":
        return False
    return not re.match(rb"[A-Z]{3,} |[A-Za-z][^ ,]* [^ ]+ HTTP/\d", plain)


def message(rng, ids):
    """One framed message: its bytes. Each of them is to get one answer."""
    what = rng.random()
    if what < 0.25:
        values = [rng.choice(LEGACY_VALUES) for _ in range(rng.choice((3, 3, 3, 1, 2, 5)))]
        head = ",".join([rng.choice(LEGACY), *values]).encode()
        head = mutate(rng, head) if rng.random() < 0.2 else head
        return head + END if is_framed(head) else b"core.platform,,," + END
    head, tail = command(rng)
    identity = next(ids)
    if tail is None and rng.random() < 0.4:
        whole = mutate(rng, b"#%d " % identity + head)
        return whole + END if is_framed(whole) else b"#%d ping" % identity + END
    return request(identity, head.decode("latin-1").encode("latin-1"), tail)


def cut(rng, data):
    """The pieces in which the stream is sent."""
    mode = rng.random()
    if mode < 0.4:
        return [data]
    if mode < 0.5 and len(data) < 1500:
        return [data[i : i + 1] for i in range(len(data))]
    pieces, at = [], 0
    while at < len(data):
        size = rng.choice((1, 2, 7, 100, 1460, 5000, 30000))
        pieces.append(data[at : at + size])
        at += size
    return pieces


class Target:
    """An emulator that several threads send to."""

    def __init__(self, emulator):
        self.emulator, self.port = emulator, emulator.port
        self.lock, self.revivals = threading.Lock(), []  # their begin and end, by the monotonic clock

    def revive(self, opens):
        with self.lock:
            began = time.monotonic()
            self.emulator.revive(opens=opens)
            self.revivals.append((began, time.monotonic()))

    def check(self):
        """Fails if it has ended or printed a Lua error."""
        with self.lock:
            self.emulator.check()
            del self.emulator.lines[:-50]


class Neighbour:
    """Another client, which sends small requests one by one all the time. It does not share the processor of this interpreter."""

    def __init__(self, target):
        self.target = target
        command = ["setpriv", "--pdeathsig", "KILL", sys.executable, pathlib.Path(__file__).with_name("neighbour.py"), str(target.port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()  # it has begun

    def end(self):
        """Its latency, in words, except while the game was brought back: then no frames ran."""
        printed = self.process.communicate(timeout=TIME_LIMIT)[0]
        if self.process.returncode:
            raise Failure(f"another client ended with code {self.process.returncode}")
        revivals = self.target.revivals
        seen = [(answered - sent, frames) for sent, answered, frames in json.loads(printed) if not any(sent < end and begin < answered for begin, end in revivals)]
        if not seen and ROUND is not None:
            return "none, one round is too short"
        if not seen:
            raise Failure("another client got no answer")
        parts = (0.5, 0.99, 0.999)
        seconds, frames = ([sorted(values)[int(len(values) * part)] for part in parts] for values in zip(*seen))
        return "p50, p99, p99.9: " + ", ".join(f"{one * 1000:.1f} ms" for one in seconds) + "; frames since the reply before: " + ", ".join(map(str, frames)) + f"; {len(seen)} requests"


def answers(client, pieces, wanted, target):
    """Sends and reads at once; counts answers until so many have come, or the connection ends.

    Random writes to registers and memory can crash the game or switch it off, and no frame means no answer: a reset brings it back. What waits
    behind a press of many minutes that an earlier round began is answered when the game is opened again, which ends both.
    """
    sock, count, pending, deadline, silences = client.socket, 0, list(reversed(pieces)), time.monotonic() + 60, 0
    sock.setblocking(False)
    while count < wanted or pending:
        if time.monotonic() > deadline:
            raise Found(f"{count} answers to {wanted} messages, then nothing for a minute")
        readable, writable, _ = select.select([sock], [sock] if pending else [], [], SILENCE)
        if not readable and not writable:
            silences += 1
            target.revive(opens=silences % 2 == 0)
        if writable and pending:
            piece = pending.pop()
            try:
                sent = sock.send(piece)
            except BlockingIOError:
                sent = 0
            if sent < len(piece):
                pending.append(piece[sent:])
        if readable:
            data = sock.recv(1 << 20)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)  # the script's next segment waits for it
            if not data:
                raise Found(f"closed after {count} answers to {wanted} messages")
            client.buffer += data
            count += parse(client)
    sock.setblocking(True)
    sock.settimeout(60)
    return count


def parse(client):
    """Takes the whole messages out of what was received; checks each; says how many were answers."""
    count, at, data = 0, 0, client.buffer
    while True:
        stop = data.find(END, at)
        if stop < 0:
            break
        head = bytes(data[at:stop])
        length = re.match(rb"[#!]\d+\+(\d+) ", head)
        end = stop + len(END) + (int(length[1]) if length else 0)
        if end > len(data):
            break
        if b" error internal " in head[:60]:
            raise Found(f"internal: {head!r}")
        if head[:1] in (b"#", b"!"):
            Message(head)
        if head[:1] != b"!":
            count += 1
            client.last_head = head
        at = end
    del data[:at]
    return count


def framed_round(rng, target):
    client = Client(target.port)
    ids = iter(range(1, 10 ** 9))
    total = 0
    if rng.random() < 0.4:
        client.send_bytes(request(next(ids), f"hello 3 session=f{rng.randrange(40)}x{rng.randrange(10 ** 9)}"))
        answers(client, [], 1, target)
    count = rng.choice(BATCHES)
    data = b"".join(message(rng, ids) for _ in range(count))
    total += answers(client, cut(rng, data), count, target)
    # one more, so that a surplus answer would show
    answers(client, [b"#77777777 echo end" + END], 1, target)
    if client.last_head[:10] != b"#77777777 ":
        raise Found(f"a surplus answer: {client.last_head[:200]!r}")
    client.close() if rng.random() < 0.5 else client.reset()
    return total


def reused_round(rng, target):
    """Ids of a session used again and again, with the same content and with other; never with what takes frames."""
    client = Client(target.port)
    client.send_bytes(request(1, f"hello 3 session=r{rng.randrange(10 ** 9)}"))
    answers(client, [], 1, target)
    heads = [f"memory.write8 {0x02010000 + i} {i}" for i in range(4)] + ["keys.add A", "keys.clear A", "state.load_slot 7", "memory.read8 0x02010000", "cancel 5"]
    count = 200
    data = b"".join(request(rng.randint(2, 30), (f"ack={rng.randint(1, 12)} " if rng.random() < 0.05 else "") + rng.choice(heads)) for _ in range(count))
    return answers(client, cut(rng, data), count, target)


def broken_round(rng, target):
    """Invalid streams: checks only that the emulator continues to run."""
    client = Client(target.port)
    kind, count = rng.randrange(6), 1
    if kind == 0:
        data = rng.randbytes(rng.randrange(60000))
    elif kind == 1:
        count = 29
        data = b"".join(request(i, *command(rng)) for i in range(1, count + 1))
        data = data[: rng.randrange(len(data))]
    elif kind == 2:
        data = b"#1+%d echo" % rng.choice((10, 100000, 4194304, 4194305, 10 ** 30)) + END + rng.randbytes(rng.randrange(5000)) + request(2, "ping")
    elif kind == 3:
        data = rng.choice((b"#1 echo ", b"core.loadStateBuffer,[", b"x")) + b"7" * rng.choice((70000, 300000, 5000000))
    elif kind == 4:
        count = 39
        data = b"".join(request(i, *command(rng)).replace(b"+", b"+1", 1) for i in range(1, count + 1))
    else:
        data = bytes(rng.choice(b"#<|END|>+ 0123456789\r\n\t\"\\=") for _ in range(rng.randrange(5000)))
    try:
        client.socket.settimeout(60)
        for piece in cut(rng, data)[:3000]:
            client.send_bytes(piece)
            if rng.random() < 0.01:
                client.socket.setblocking(False)
                try:
                    client.socket.recv(1 << 16)
                except BlockingIOError:
                    pass
                client.socket.settimeout(60)
    except (ConnectionError, socket.timeout):
        pass
    client.close() if rng.random() < 0.5 else client.reset()
    return count


def one_round(number, targets):
    rng = random_of(number)
    target = targets[number % len(targets)]
    kind = rng.random()
    try:
        return framed_round(rng, target) if kind < 0.7 else reused_round(rng, target) if kind < 0.75 else broken_round(rng, target)
    except (Found, Failure, OSError, EOFError) as problem:
        target.check()
        raise Failure(f"FUZZ_SEED={SEED} FUZZ_ROUND={number}: {type(problem).__name__}: {problem}") from None


def send_rounds(budget, targets, found):
    """One sender, until the budget is used or a sender has found something."""
    for number in budget.rounds():
        try:
            budget.add(one_round(number, targets))
            if number % 20 == 0:
                for target in targets:
                    target.check()
        except Exception as problem:  # a thread has nobody to tell
            found.append(problem)
        if found:
            return


def leaves_nothing(emulator):
    emulator.revive()
    client = Client(emulator.port)
    client.wait_frames(130)
    until(lambda: emulator.descriptors() <= 40, "no more than 40 descriptors are left")
    status = client.call("status").ok()
    if status["memory_kb"] > 200000:
        raise Failure(f"left over: {status.text}")


def test_every_framed_message_gets_one_answer():
    """every framed message got one answer, and the emulators live"""
    budget, found = Budget("wire"), []
    with HeadlessEmulator() as slow, HeadlessEmulator(rom="gb", options=["--fps", "0"]) as fast:
        COMMANDS.extend(sorted(re.findall(r'"([^ "]+) ', Client(slow.port).call("commands").ok().text)))
        targets = (Target(slow), Target(fast))
        neighbour = Neighbour(targets[0])
        senders = [threading.Thread(target=send_rounds, args=(budget, targets, found), daemon=True) for _ in range(SENDERS * len(targets))]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        if found:
            pytest.fail(str(found[0]), pytrace=False)
        latency = neighbour.end()
        for emulator in (slow, fast):
            leaves_nothing(emulator)
    budget.check()
    print(f"wire messages: {budget}, {budget.next - 1} rounds; another client of the emulator with 60 frames a second: {latency}")
