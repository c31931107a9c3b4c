"""The example conversations of docs/transcripts, replayed against the script in a real emulator."""

import re

import pytest

from checks import equal
from headless import ROOT, game_codes
from mgba_wire import END, Client, Failure, proof

FILES = sorted((ROOT / "docs/transcripts").glob("*.txt"))

PLACES = {
    "frame": rb"[0-9]+", "epoch": rb"[0-9a-f]{8}", "number": rb"-?[0-9]+", "hex": rb"[0-9a-f]+", "any": rb".*",
    "string": rb'"(?:[^"\\]|\\.)*"', "challenge": rb"(?P<challenge>[0-9a-f]{32})",
}


def read(path):
    lines = []
    with open(path, "rb") as file:
        for line in file.read().split(b"\n"):
            kind, _, text = line.partition(b" ")
            if kind not in (b"", b"#"):
                lines.append((kind.decode(), text))
    return lines


def pattern(head):
    head = head.replace(b"AGB-BBTE", game_codes()["gba"].encode())  # written down on 0.10
    parts = re.split(rb"\{([a-z]+)\}", head)
    return b"".join(PLACES[part.decode()] if i % 2 else re.escape(part) for i, part in enumerate(parts))


def unescape(text):
    return re.sub(rb"\\(r|n|x[0-9a-f]{2})", lambda found: {b"r": b"\r", b"n": b"\n"}.get(found[1]) or bytes([int(found[1][1:], 16)]), text)


class Replay:
    """One file's lines against one emulator."""

    def __init__(self, emulator, lines, secret):
        self.emulator, self.lines, self.secret = emulator, lines, secret
        self.clients, self.name, self.epoch, self.challenge = {}, "a", b"", b""

    def connection(self):
        if self.name not in self.clients:
            self.clients[self.name] = Client(self.emulator.port)
        return self.clients[self.name]

    def take(self, kind):
        taken = []
        while self.lines and self.lines[0][0] == kind:
            taken.append(self.lines.pop(0)[1])
        return taken

    def send(self, text):
        text = re.sub(rb"\{proof (\w+) (\w+)\}", lambda found: proof("client", self.secret, found[2], self.challenge, found[1]), text)
        text = text.replace(b"{epoch}", self.epoch)
        self.connection().send_bytes(text + END + b"".join(bytes.fromhex(part.decode()) for part in self.take(">+")))

    def expect(self, text):
        message = self.connection().receive()
        found = re.fullmatch(pattern(text), message.head, re.S)
        if not found:
            raise Failure(f"{message.head!r} does not match {text!r}")
        if message.kind != "legacy":
            self.epoch = message.epoch.encode()
        self.challenge = found.groupdict().get("challenge") or self.challenge
        parts = self.take("<+")
        any_bytes = re.fullmatch(rb"\{bytes ([0-9]+)\}", parts[0]) if parts else None
        if any_bytes:
            equal(len(message.tail), int(any_bytes[1]), "the tail's length")
        else:
            equal((message.tail or b"").hex(), b"".join(parts).replace(b" ", b"").decode().lower(), "the tail, in hex")

    def command(self, text):
        word, _, rest = text.partition(b" ")
        if word == b"frames":
            # on a connection of its own; with a secret nothing would be answered, and nothing needs frames there
            Client(self.emulator.port).wait_frames(int(rest))
        elif word == b"close":
            self.connection().close()
        elif word == b"closed":
            self.connection().is_closed()
            equal(bytes(self.connection().buffer), b"", "what came before the close")
        else:
            raise Failure(f"no such line: = {text!r}")

    def run(self):
        while self.lines:
            kind, text = self.lines.pop(0)
            if kind == "@":
                self.name = text
            elif kind == ">":
                self.send(text)
            elif kind == ">>":
                self.connection().send_bytes(unescape(text))
            elif kind == "<":
                self.expect(text)
            elif kind == "=":
                self.command(text)
            else:
                raise Failure(f"no such line: {kind} {text!r}")


@pytest.mark.versions
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_transcript(path, start_emulator):
    """the script answers as in the file"""
    lines = read(path)
    environment = {}
    while lines and lines[0][1].startswith(b"setting "):
        _, name, value = lines.pop(0)[1].decode().split(" ", 2)
        environment[name] = value
    Replay(start_emulator(environment=environment), lines, environment.get("MGBA_BRIDGE_SECRET", "").encode()).run()
