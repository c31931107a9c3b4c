"""A client of docs/protocol.md for tests, no more than they need."""

import re
import select
import socket
import time

TERMINATOR = b"<|END|>"
HEAD = re.compile(rb"([#!])(\d+)(?:\+(\d+))? (\d+) ([0-9a-f]{8}) (.*)", re.DOTALL)
VALUE = re.compile(r'(?:([a-z][a-z0-9_]*)=)?("(?:[^"\\]|\\.)*"|[^ "]+)')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


class Closed(Exception):
    pass


class Late(Exception):
    pass


class Refused(Exception):
    def __init__(self, message):
        super().__init__(f"{message.code}: {message.values[0] if message.values else ''}")
        self.code = message.code


def unescape(match):
    text = match.group(0)
    return chr(int(text[2:], 16)) if text[1] == "x" else ESCAPES[text[1]]


def parse_value(text):
    if text.startswith('"'):
        return re.sub(r"\\(?:x[0-9a-fA-F]{2}|.)", unescape, text[1:-1])
    if text in ("true", "false", "nil"):
        return {"true": True, "false": False, "nil": None}[text]
    try:
        return int(text, 0)
    except ValueError:
        return text


def parse_values(text):
    """Positional values and named ones."""
    values, named = [], {}
    for name, value in VALUE.findall(text):
        if name:
            named[name] = parse_value(value)
        else:
            values.append(parse_value(value))
    return values, named


class Message:
    """A reply, a refusal or an event."""

    def __init__(self, head, tail):
        kind, number, _, frame, epoch, rest = HEAD.fullmatch(head).groups()
        self.is_event = kind == b"!"
        self.id, self.frame, self.epoch, self.tail = int(number), int(frame), epoch.decode(), tail
        words = rest.decode().split(" ", 1)
        self.topic = words[0]
        self.is_refusal = not self.is_event and self.topic == "error"
        self.values, self.named = parse_values(words[1] if len(words) > 1 else "")
        self.code = self.values.pop(0) if self.is_refusal else None

    def __getitem__(self, key):
        return self.named[key] if isinstance(key, str) else self.values[key]


def result_items(tail):
    """The results in the tail of a batch: (values, named, bytes), or Refused's code as text."""
    results, at = [], 0
    while at < len(tail):
        end = tail.index(TERMINATOR, at)
        match = re.fullmatch(rb"(?:\+(\d+) )?(ok|error) ?(.*)", tail[at:end], re.DOTALL)
        at = end + len(TERMINATOR)
        size = int(match.group(1) or 0)
        values, named = parse_values(match.group(3).decode())
        results.append((values, named, tail[at : at + size]))
        at += size
    return results


class Client:
    def __init__(self, port, session=None, hello=True, timeout=20):
        self.timeout = timeout
        self.next_id = 1
        self.buffer = b""
        self.replies = {}
        self.events = []
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.greeting = None
        if hello:
            self.greeting = self.ask('hello 2 client="test-gui"' + (f" session={session}" if session else ""))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes hard: the other side gets a RST, whatever it is doing."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def send(self, command, tail=None, options=""):
        number = self.next_id
        self.next_id += 1
        head = f"#{number}{'' if tail is None else f'+{len(tail)}'} {options}{command}"
        self.socket.sendall(head.encode() + TERMINATOR + (tail or b""))
        return number

    def take(self):
        """One message out of what has been read, or None."""
        end = self.buffer.find(TERMINATOR)
        if end < 0:
            return None
        head = self.buffer[:end]
        size = int(HEAD.fullmatch(head).group(3) or 0)
        end += len(TERMINATOR)
        if len(self.buffer) < end + size:
            return None
        tail, self.buffer = self.buffer[end : end + size], self.buffer[end + size :]
        return Message(head, tail)

    def read(self, deadline):
        """Reads until one more message has come in; False when none came in time."""
        while True:
            message = self.take()
            if message:
                if message.is_event:
                    self.events.append(message)
                else:
                    self.replies[message.id] = message
                return True
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                return False
            try:
                data = self.socket.recv(1 << 18)
            except ConnectionError as problem:
                raise Closed(str(problem)) from problem
            if not data:
                raise Closed("the connection was closed")
            self.buffer += data

    def reply(self, number, timeout=None):
        """The reply to a request, refusals too."""
        deadline = time.monotonic() + (timeout or self.timeout)
        while number not in self.replies:
            if not self.read(deadline):
                raise Late(f"no reply to #{number} within {timeout or self.timeout} s")
        return self.replies.pop(number)

    def ask(self, command, tail=None, options="", timeout=None):
        reply = self.reply(self.send(command, tail, options), timeout)
        if reply.is_refusal:
            raise Refused(reply)
        return reply

    def refusal(self, command, tail=None, options=""):
        """The code of the refusal that has to come."""
        reply = self.reply(self.send(command, tail, options))
        return reply.code if reply.is_refusal else f"no refusal but {reply.topic} {reply.values}"

    def has_reply(self, number, seconds):
        """Whether a reply is there already or comes in this time."""
        deadline = time.monotonic() + seconds
        while number not in self.replies:
            if not self.read(deadline):
                return False
        return True

    def event(self, topic, timeout=None):
        """The first event of this topic that has not been taken, waiting for it."""
        deadline = time.monotonic() + (timeout or self.timeout)
        while True:
            for event in self.events:
                if event.topic == topic:
                    self.events.remove(event)
                    return event
            if not self.read(deadline):
                raise Late(f"no event {topic} within {timeout or self.timeout} s")

    def number(self, location, width=32):
        return self.ask(f"memory.read{width} {location}")[0]

    def bytes(self, location, length):
        return self.ask(f"memory.read {location} {length}").tail
