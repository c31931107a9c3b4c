"""The wire protocol of docs/protocol.md for tests: messages, and a client on one TCP connection. Python's standard library only."""

import hashlib
import hmac
import re
import socket
import time

END = b"<|END|>"
HEAD = re.compile(rb"([#!])(\d+)(?:\+(\d+))? (\d+) ([0-9a-f]{8}) ([a-z.]+)(?: (.*))?", re.DOTALL)
REFUSAL = re.compile(r'([a-z-]+) "((?:[^"\\]|\\.)*)"')
VALUE = re.compile(r'(?:([a-z][a-z0-9_]*)=)?("(?:[^"\\]|\\.)*"|[^ "]+)')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
WORDS = {"true": True, "false": False, "nil": None}
TIME_LIMIT = 60  # seconds until anything must have happened on a busy machine; only reached when something is wrong


class Failure(AssertionError):
    """An expectation that does not hold."""


class Refused(Failure):
    """A refusal where a result was expected."""

    def __init__(self, message):
        super().__init__(f"refused: {message.head[:300]!r}")
        self.code = message.code


class Late(Failure):
    """A message that did not arrive in time."""


class Closed(EOFError):
    """The other side closed the connection."""


def proof(role, secret, client, script, session=b""):
    """What a side proves when a secret is set (docs/protocol.md, section 3): `role` is client or script."""
    text = b" ".join([b"mgba-bridge", role.encode(), client, script, session])
    return hmac.new(secret, text, hashlib.sha256).hexdigest().encode()


def request(number, head, tail=None):
    """The bytes of one request."""
    data = head if isinstance(head, bytes) else head.encode()
    return b"#%d%s %s" % (number, b"" if tail is None else b"+%d" % len(tail), data) + END + (tail or b"")


def parse_value(text):
    if text.startswith('"'):
        return re.sub(r"\\(?:x[0-9a-fA-F]{2}|.)", lambda found: unescape(found.group()), text[1:-1])
    if text in WORDS:
        return WORDS[text]
    try:
        return int(text, 0)
    except ValueError:
        return text


def unescape(text):
    return chr(int(text[2:], 16)) if text[1] == "x" else ESCAPES[text[1]]


def parse_values(text):
    """Positional values, and named ones."""
    values, fields = [], {}
    for name, value in VALUE.findall(text):
        if name:
            fields[name] = parse_value(value)
        else:
            values.append(parse_value(value))
    return values, fields


def result_items(tail):
    """The results in the tail of a batch: (values, fields, bytes) each; the first value of a refused item is its code."""
    results, at = [], 0
    while at < len(tail):
        end = tail.index(END, at)
        length, text = re.fullmatch(rb"(?:\+(\d+) )?(?:ok|error) ?(.*)", tail[at:end], re.DOTALL).groups()
        at = end + len(END)
        size = int(length or 0)
        results.append((*parse_values(text.decode()), tail[at : at + size]))
        at += size
    return results


class Message:
    """A reply, a refusal, an unsolicited event or a legacy answer. `message[0]` is a value, `message["name"]` a named one."""

    def __init__(self, head, tail=None):
        self.head, self.tail, self.text = head, tail, ""
        self.kind, self.id, self.status, self.topic, self.code, self.detail = "legacy", None, None, None, None, None
        self._parsed = None
        found = HEAD.fullmatch(head)
        if found is None:
            if head[:1] in (b"#", b"!"):
                raise Failure(f"not a head: {head!r}")
            return
        mark, number, _, frame, epoch, word, rest = found.groups()
        self.id, self.frame, self.epoch = int(number), int(frame), epoch.decode()
        self.text = (rest or b"").decode("utf-8", "surrogateescape")
        if mark == b"!":
            self.kind, self.topic = "event", word.decode()
            return
        self.kind, self.status = "reply", word.decode()
        if self.status == "error":
            refusal = REFUSAL.match(self.text)
            if refusal is None:
                raise Failure(f"a refusal without code or detail: {head!r}")
            self.code, self.detail = refusal.groups()

    def ok(self):
        if self.status != "ok":
            raise Refused(self)
        return self

    def refused(self, code, part=""):
        if self.code != code or part not in self.detail:
            raise Failure(f"not refused as {code} {part!r}: {self.head[:300]!r}")
        return self

    def _values(self):
        if self._parsed is None:
            self._parsed = parse_values(self.text)
        return self._parsed

    @property
    def values(self):
        return self._values()[0]

    @property
    def fields(self):
        return self._values()[1]

    def __getitem__(self, key):
        return self._values()[isinstance(key, str)][key]


class Client:
    """One TCP connection to the script. Ids count up from 1 unless given.

    Replies that arrive while another one is awaited are kept for `reply`; events are kept in `events`.
    """

    def __init__(self, port, timeout=TIME_LIMIT):
        self.timeout = timeout
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.last, self.hello, self.events = bytearray(), 0, None, []
        self.sent, self.replies = set(), {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes hard: the other side receives a RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def greet(self, **fields):
        """Sends hello with these fields; the reply is in `hello`."""
        self.hello = self.call(" ".join(["hello 3", *(f"{name}={value}" for name, value in fields.items())])).ok()
        return self

    # Sending

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, head, tail=None, number=None):
        """Sends a request and returns its id."""
        self.last = number if number is not None else self.last + 1
        self.sent.add(self.last)
        self.send_bytes(request(self.last, head, tail))
        return self.last

    def call(self, head, tail=None, number=None, timeout=None):
        """The reply to a request, refusals too."""
        return self.reply(self.send(head, tail, number), timeout)

    def legacy(self, head):
        """The answer to a message in mGBA-http's format."""
        self.send_bytes(head.encode() + END)
        return self.reply().head.decode()

    # Receiving

    def _more(self, timeout=None):
        if timeout is not None:
            self.socket.settimeout(max(timeout, 0.001))
        try:
            data = self.socket.recv(1 << 20)
        except socket.timeout:
            raise Late(f"nothing within {self.timeout if timeout is None else timeout:g} s") from None
        except ConnectionError as problem:
            raise Closed(str(problem)) from problem
        finally:
            if timeout is not None:
                self.socket.settimeout(self.timeout)
        if not data:
            raise Closed("the connection was closed")
        self.buffer += data

    def receive(self, deadline=None):
        """The next message of any kind; its tail is complete. Raises Late after the deadline (of time.monotonic)."""
        searched, size = 0, None
        while True:
            if size is None:
                stop = self.buffer.find(END, searched)
                searched = max(0, len(self.buffer) - len(END))
                if stop >= 0:
                    head = bytes(self.buffer[:stop])
                    found = HEAD.fullmatch(head)
                    start = stop + len(END)
                    size = start + int(found.group(3) or 0) if found else start
            if size is not None and len(self.buffer) >= size:
                tail = bytes(self.buffer[start:size]) if found and found.group(3) else None
                del self.buffer[:size]
                return Message(head, tail)
            self._more(None if deadline is None else deadline - time.monotonic())

    def _collect(self, deadline=None):
        """Receives one message and keeps it."""
        message = self.receive(deadline)
        if message.kind == "event":
            self.events.append(message)
        else:
            self.replies.setdefault(message.id, []).append(message)

    def _kept(self, number):
        kept = self.replies.get(number)
        if not kept:
            return None
        message = kept.pop(0)
        if not kept:
            del self.replies[number]
        self.sent.discard(number)
        return message

    def reply(self, number=None, timeout=None):
        """The reply to the request with this id, or the next reply of any."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if number is None and self.replies:
                return self._kept(next(iter(self.replies)))
            message = self._kept(number)
            if message:
                return message
            self._collect(deadline)
            stray = next((other for other in self.replies if other not in self.sent), None)
            if number is not None and stray is not None:
                raise Failure(f"request {number} was answered with {self.replies[stray][0].head[:200]!r}")

    def has_reply(self, number, seconds):
        """Whether the reply is there or arrives in this time."""
        deadline = time.monotonic() + seconds
        while number not in self.replies:
            try:
                self._collect(deadline)
            except Late:
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
            self._collect(deadline)

    def is_closed(self):
        """Waits for the other side to close; False when it reset the connection."""
        try:
            while True:
                data = self.socket.recv(65536)
                if not data:
                    return True
                self.buffer += data
        except ConnectionError:
            return False
        except socket.timeout:
            raise Late("the connection stays open") from None

    # Common requests

    def number(self, location, width=32):
        return self.call(f"memory.read{width} {location}").ok()[0]

    def bytes(self, location, length):
        return self.call(f"memory.read {location} {length}").ok().tail

    def wait_frames(self, count):
        """Until so many frames of the emulator have passed, by its own count."""
        until, deadline = self.call("ping").frame + count, time.monotonic() + TIME_LIMIT
        while self.call("ping").frame < until:
            if time.monotonic() > deadline:
                raise Failure(f"frame {until} has not come within {TIME_LIMIT} s: {self.call('status').text}")
            time.sleep(0.002)
