"""What a schedule runs on: the real emulator, the proxy, the real gateway, and clients that keep a history."""

import http.client
import json
import threading
import time

import rom
from fault_proxy import FaultProxy
from gateway import Gateway
from headless import HeadlessEmulator
from history import History, Violation, outcome_of

TIME_LIMIT = 60  # seconds until everything must work again after the last fault
REQUEST_LIMIT = 60  # seconds that a response may take: a longer one is a hang
CONSTANTS, CONSTANT_COUNT = 0x02020000, 256
CELLS = 0x02010000
COUNTER, COPY = 0x02010100, 0x02010104
KEYS = ("A", "B")


def constant(index):
    return (index * 0x9E3779B1 + 0x51) & 0xFFFFFFFF


class Client(threading.Thread):
    """Repeats `step` until the stage ends, one request at a time on one HTTP connection."""

    def __init__(self, stage, name, step):
        super().__init__(daemon=True)
        self.stage, self.history, self.step = stage, History(name), step
        self.connection, self.count, self.violation = None, 0, None

    def run(self):
        try:
            while not self.stage.ending.is_set():
                self.count += 1
                self.step(self, self.count)
                time.sleep(0.005)
        except Violation as violation:
            self.violation = violation

    def send(self, method, path, body=None):
        """(status, JSON), or (0, "refused") when the request was not sent, or (0, "lost") when there is no response."""
        sent = False
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.stage.http_port, timeout=REQUEST_LIMIT)
                self.connection.connect()
            sent = True
            headers = {"Content-Type": "application/json"} if body is not None else {}
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self.connection.getresponse()
            return response.status, json.loads(response.read())
        except TimeoutError:
            raise Violation(f"{method} {path} had no response for {REQUEST_LIMIT} s") from None
        except (OSError, http.client.HTTPException, ValueError):
            if self.connection is not None:
                self.connection.close()
            self.connection = None
            return 0, "lost" if sent else "refused"

    def operate(self, kind, value, method, path, body=None):
        """Sends it and records the outcome. Returns the JSON of a success."""
        operation = self.history.begin(kind, value)
        status, answer = self.send(method, path, body)
        if status == 0:
            self.history.end(operation, "maybe" if answer == "lost" else "none", problem=answer)
            return operation, None
        problem = str(answer.get("type", "")).rsplit(":", 1)[-1]
        self.history.end(operation, outcome_of(status, problem, answer.get("code", "")), problem=problem)
        return operation, answer if status == 200 else None


def number(location):
    return f"/v2/memory/{location:#x}/u32"


def use_cell(index):
    def step(client, count):
        client.operate("write", count, "PUT", number(CELLS + 4 * index), {"value": count})
        operation, answer = client.operate("read", None, "GET", number(CELLS + 4 * index))
        if answer:
            operation.result = answer["value"]
    return step


def use_counter(client, _):
    operation, answer = client.operate("both", None, "POST", "/v2/batch", {"items": [
        {"read": {"location": hex(COUNTER), "type": "u32"}}, {"read": {"location": hex(COPY), "type": "u32"}}]})
    if not answer:
        return
    operation.result = tuple(result["value"] for result in answer["results"])
    value = operation.result[0]
    client.operate("increase", value, "POST", "/v2/batch", {"items": [
        {"guard": {"location": hex(COUNTER), "type": "u32", "value": value}},
        {"write": {"location": hex(COUNTER), "type": "u32", "value": value + 1}},
        {"write": {"location": hex(COPY), "type": "u32", "value": value + 1}}]})


def use_constants(offset):
    def step(client, count):
        index = (count * 7 + offset) % CONSTANT_COUNT
        operation, answer = client.operate("constant", constant(index), "GET", number(CONSTANTS + 4 * index))
        if answer:
            operation.result = answer["value"]
    return step


def use_key(key):
    def step(client, _):
        operation, answer = client.operate("tap", key, "POST", "/v2/keys/tap", {"keys": [key], "frames": 2})
        if answer:
            operation.result = answer["epoch"], answer["up"]
        time.sleep(0.05)
    return step


class Stage:
    def __init__(self):
        self.emulator = HeadlessEmulator()
        self.proxy = FaultProxy(self.emulator.port)
        self.gateway = Gateway("Transport:SilenceTimeout=00:00:00.250", emulator_port=self.proxy.port)
        self.http_port = int(self.gateway.url.rsplit(":", 1)[1])
        self.ending = threading.Event()
        self.clients = []

    def start_clients(self):
        """Memory and counts from zero, then the clients."""
        self.ending.clear()
        with self.emulator.connect() as wire:
            wire.greet()
            rom.wait_for_start(wire)
            wire.call(f"memory.write {CELLS:#x}", tail=bytes(0x200)).ok()
            wire.call(f"memory.write {CONSTANTS:#x}", tail=b"".join(constant(i).to_bytes(4, "little") for i in range(CONSTANT_COUNT))).ok()
            self.edges = rom.edges(wire)
        steps = {f"cell {i}": use_cell(i) for i in range(2)}
        steps |= {f"counter {i}": use_counter for i in range(3)}
        steps |= {f"constants {i}": use_constants(i * 31) for i in range(3)}
        steps |= {f"key {key}": use_key(key) for key in KEYS}
        self.clients = [Client(self, name, step) for name, step in steps.items()]
        for client in self.clients:
            client.start()

    def restart_gateway(self):
        self.check_log()
        self.gateway.kill()
        self.gateway.start()

    def restart_emulator(self):
        """Ends the emulator with SIGKILL, and starts another one where the game was."""
        self.proxy.pause()
        with self.emulator.connect() as wire:
            wire.greet()
            taps = wire.call("lease.take limit=10000").ok()["taps"]
            wire.call(f"lease.step {taps + 8}").ok()  # the presses that were accepted, also those whose answers have not come
            state = wire.call("state.get flags=30").ok().tail
        self.emulator.check()
        self.emulator.kill()
        self.emulator = HeadlessEmulator()
        with self.emulator.connect() as wire:
            rom.wait_for_start(wire)
            wire.call("state.load flags=30", state).ok()
        self.proxy.target_port = self.emulator.port
        self.proxy.cut(with_reset=True)
        self.proxy.resume()

    def until_presses_are_over(self, wire):
        """Until the frames of all presses that were accepted have run: presses of one key queue up."""
        epoch = wire.hello.epoch
        frames = [o.result[1] for h in self.histories("key") for o in h.operations if o.result and o.result[0] == epoch]
        while wire.call("ping").frame <= max(frames, default=0) + 8:
            wire.wait_frames(4)

    def check_log(self):
        errors = self.gateway.unhandled()
        if errors:
            raise Violation("the gateway's log has: " + errors[0])

    def until_working(self):
        probe = Client(self, "probe", None)
        deadline = time.monotonic() + TIME_LIMIT
        while True:
            status, answer = probe.send("GET", number(CONSTANTS))
            if status == 200:
                return
            if time.monotonic() > deadline:
                raise Violation(f"{TIME_LIMIT} s after the last fault, requests still fail: {status} {answer}")
            time.sleep(0.05)

    def until_each_succeeded(self, times):
        """Until each client had so many successes from now on."""
        begun = time.monotonic()
        for client in self.clients:
            while sum(o.outcome == "ok" and o.sent > begun for o in client.history.operations) < times:
                if client.violation:
                    raise client.violation
                if time.monotonic() > begun + TIME_LIMIT:
                    raise Violation(f"{client.history.name} does not succeed again within {TIME_LIMIT} s")
                time.sleep(0.02)

    def stop_clients(self):
        self.ending.set()
        for client in self.clients:
            client.join(REQUEST_LIMIT + 5)  # all of them: one that still runs would disturb the next schedule
        for client in self.clients:
            if client.is_alive():
                raise Violation(f"{client.history.name} hangs")
            if client.violation:
                raise client.violation

    def histories(self, kind):
        return [client.history for client in self.clients if client.history.name.startswith(kind)]

    def end(self):
        self.gateway.end()
        self.proxy.end()
        self.emulator.thaw()
        self.emulator.check()
        self.emulator.end()
