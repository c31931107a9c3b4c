"""A TCP proxy between the gateway and the script that delays, cuts, truncates, duplicates and discards what passes through it."""

import re
import socket
import struct
import threading
import time

from mgba_wire import END

TAIL = re.compile(rb"\s*[#!]\d+\+(\d+) ")
PIECE = 65536
TO_SCRIPT, TO_GATEWAY = "to-script", "to-gateway"
DIRECTIONS = (TO_SCRIPT, TO_GATEWAY)


class Stream:
    """One direction of a connection, divided into messages so that a whole one can be repeated."""

    def __init__(self, proxy, source, target, direction):
        self.proxy, self.source, self.target, self.direction = proxy, source, target, direction
        self.pending, self.is_first = b"", True

    def run(self):
        try:
            while True:
                data = self.source.recv(PIECE)
                if not data:
                    break
                self.proxy.hold(self.direction)
                try:
                    if self.proxy.take("truncate", self.direction):
                        self.target.sendall(data[: max(1, len(data) // 2)])
                        self.proxy.reset(self.source)
                        break
                    self.target.sendall(data)
                    self.repeat(data)
                finally:
                    self.proxy.passed()
        except OSError:
            pass
        self.proxy.close(self.source, self.target)

    def repeat(self, data):
        """Sends one more copy of a complete request or reply, if the schedule says so; never of a hello, which is the first message."""
        self.pending += data
        while END in self.pending:
            head, rest = self.pending.split(END, 1)
            found = TAIL.match(head)
            size = int(found.group(1)) if found else 0
            if len(rest) < size:
                return
            message, self.pending = head + END + rest[:size], rest[size:]
            # Only at a boundary of messages: what follows is not interrupted.
            if not self.pending and not self.is_first and self.proxy.take("duplicate", self.direction):
                self.target.sendall(message)
            self.is_first = False
        if len(self.pending) > 1 << 23:
            self.pending = b""


class FaultProxy:
    """Listens on a free port of 127.0.0.1. `port` of the target may change, as when an emulator is started again."""

    def __init__(self, target_port):
        self.target_port = target_port
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Condition()
        self.sockets = set()
        self.delay = dict.fromkeys(DIRECTIONS, 0.0)
        self.blackhole = dict.fromkeys(DIRECTIONS, False)
        self.refusing = False
        self.paused, self.passing = False, 0
        self.armed = {}
        self.counts = {}
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refusing:
                self.reset(client)
                continue
            try:
                script = socket.create_connection(("127.0.0.1", self.target_port), 5)
                script.settimeout(None)
            except OSError:
                self.reset(client)
                continue
            for one in (client, script):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.sockets |= {client, script}
            threading.Thread(target=Stream(self, client, script, TO_SCRIPT).run, daemon=True).start()
            threading.Thread(target=Stream(self, script, client, TO_GATEWAY).run, daemon=True).start()

    def hold(self, direction):
        """Waits as long as the direction lets nothing through; data is kept, as in a network that loses packets and resends them."""
        time.sleep(self.delay[direction])
        with self.lock:
            self.lock.wait_for(lambda: not self.blackhole[direction] and not self.paused)
            self.passing += 1

    def passed(self):
        with self.lock:
            self.passing -= 1
            self.lock.notify_all()

    def pause(self):
        """Lets nothing through until `resume`, whatever faults begin and end; returns when nothing is on its way in here."""
        with self.lock:
            self.paused = True
            self.lock.wait_for(lambda: self.passing == 0)

    def resume(self):
        with self.lock:
            self.paused = False
            self.lock.notify_all()

    def take(self, what, direction):
        with self.lock:
            if self.armed.get((what, direction), 0) == 0:
                return False
            self.armed[what, direction] -= 1
            self.counts[what] = self.counts.get(what, 0) + 1
            return True

    def arm(self, what, direction, times=1):
        """The next messages in this direction are truncated (and their connection ends) or duplicated."""
        with self.lock:
            self.armed[what, direction] = times

    def set_blackhole(self, direction, on):
        with self.lock:
            self.blackhole[direction] = on
            self.lock.notify_all()

    def cut(self, with_reset):
        """Ends all connections."""
        with self.lock:
            sockets = list(self.sockets)
        for one in sockets:
            if with_reset:
                self.reset(one)
            else:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def heal(self):
        with self.lock:
            self.delay = dict.fromkeys(DIRECTIONS, 0.0)
            self.blackhole = dict.fromkeys(DIRECTIONS, False)
            self.refusing, self.paused, self.armed = False, False, {}
            self.lock.notify_all()

    def reset(self, one):
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()

    def close(self, *sockets):
        for one in sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()
        with self.lock:
            self.sockets -= set(sockets)

    def end(self):
        self.listener.close()
        self.heal()
        self.cut(with_reset=True)
