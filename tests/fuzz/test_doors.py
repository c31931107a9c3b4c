"""Datagrams, lines and packets of every kind, to the servers for clients of RetroArch and BizHawk and for trackers (docs/doors.md), against a gateway and the real emulator.

What must hold after each round: the game runs, another client reads the BIOS, and nothing unhandled is in the gateway's log. Each answer has the form that
the protocol has for it, and each line its answer. The gateway's memory stays flat. FUZZ_SECONDS or FUZZ_COUNT says how much, FUZZ_SEED where to start.
"""

import base64
import json
import re
import time

import openapi_requests as requests
from doors import BizHawkClient, RetroArchClient
from fuzzing import Budget, INTERESTING, apply, byte_edits, corpus, minimize, random_of, report, to_bytes, to_text
from gateway_stage import GatewayStage
from mgba_wire import TIME_LIMIT, Failure
from ports import free_port
from processes import resident
from websocket import WebSocket

BIOS = bytes.fromhex("D30000EA")  # its start; nothing can write it
DATAGRAMS = 200  # of a round
TOGETHER = 16  # datagrams between two questions: more may not fit in the buffers of the sockets
ANSWER = re.compile(
    rb"1\.14\.0\n|GET_STATUS (PLAYING|PAUSED) game_boy_advance,\w+,crc32=[0-9a-f]+\n|GET_CONFIG_PARAM .* (unsupported|false)|LOAD_STATE_SLOT \d+"
    rb"|READ_CORE_MEMORY [0-9a-f]+(( [0-9A-F]{2})*| -1 no descriptor for address)\n|READ_CORE_RAM [0-9a-f]+ -1\n"
    rb"|WRITE_CORE_MEMORY [0-9a-f]+ (\d+|-1 (no descriptor for address|descriptor data is readonly))\n",
    re.DOTALL,
)
MAX_LINE = 1_048_576
WARM = 20_000  # inputs after which the gateway's memory is compared
GROWTH = 50  # megabytes that the gateway may grow after that


def fuzz(stage, inputs, share, make, count):
    """Sends the corpus of these inputs, then what `make` makes of a round's random numbers; `count` says how many inputs that is."""
    budget, warm = Budget("doors", share=share), None
    for name, made in corpus(inputs):
        if problem := stage.wrong(made):
            raise Failure(f"{name}: {problem}")
    for round_number in budget.rounds():
        made = make(random_of(round_number))
        if problem := stage.wrong(made):
            report(inputs, round_number, problem, minimize(made, lambda some: stage.wrong(some) is not None, most=60))
        budget.add(count(made))
        warm = warm or (resident(stage.gateway.process.pid) if budget.inputs > WARM else None)
    now = resident(stage.gateway.process.pid)
    stage.end()
    budget.check()
    print(f"{inputs}: {budget}; the gateway has {now:.0f} MB" + (f", and had {warm:.0f} after the first {WARM}" if warm else ""))
    assert not warm or now - warm < GROWTH, f"the gateway grew by {now - warm:.0f} MB"


# --- RetroArch


def number(rng, form):
    value = rng.choice((rng.choice(INTERESTING), rng.randrange(300), rng.choice((2, 3, 5, 6, 7, 8, 14)) << 24 | rng.randrange(0x40000), rng.getrandbits(rng.choice((8, 32, 70)))))
    return rng.choice(("", "", "", "-", "+", "0x")) + format(value, form)


def command(rng):
    what = rng.random()
    space = " " if rng.random() < 0.9 else rng.choice(("", "  ", "\t", "\r", "\0"))
    if what < 0.5:
        return space.join((rng.choice(("READ_CORE_MEMORY", "READ_CORE_MEMORY", "READ_CORE_RAM")), number(rng, "x"), number(rng, "d")))
    if what < 0.85:
        return space.join(("WRITE_CORE_MEMORY", number(rng, "x"), *(number(rng, "x") for _ in range(rng.choice((0, 1, 2, 16, 600))))))
    if what < 0.97:
        return rng.choice(("VERSION", "GET_STATUS", "GET_CONFIG_PARAM", "LOAD_STATE_SLOT", "WRITE_CORE_RAM")) + space + rng.choice(("", "x", "video_fullscreen", number(rng, "d")))
    hotkeys = ("PAUSE_TOGGLE", "FRAMEADVANCE", "RESET", "LOAD_STATE", "SAVE_STATE", "STATE_SLOT_PLUS", "STATE_SLOT_MINUS", "QUIT", "FAST_FORWARD")
    return rng.choice(hotkeys) if rng.random() < 0.5 else "SHOW_MSG " + rng.choice(requests.TEXTS)


def datagram(rng):
    what = rng.random()
    if what < 0.2:
        return rng.randbytes(rng.choice((0, 1, 1, 2, 20, 200, 2047, 2048)))
    if what < 0.205:
        return (rng.choice(("\n", "A", "VERSION\n", command(rng) + "\n")) * 65507)[:65507].encode("utf-8", "surrogatepass")[:65507]
    data = "\n".join(command(rng) for _ in range(rng.choice((1, 1, 1, 2, 5)))).encode("utf-8", "surrogatepass")
    if what < 0.8:
        data = apply(data, byte_edits(rng, len(data), 4))
        at = rng.randrange(len(data) + 1)
        data = rng.choice((data, data[:at], data[at:], data[:at] + rng.randbytes(3) + data[at:]))
    return data


class RetroArchStage(GatewayStage):
    def __init__(self):
        self.port = free_port()
        super().__init__("Doors:RetroArch:Enabled=true", f"Doors:RetroArch:Port={self.port}")
        self.client, self.other = RetroArchClient(self.port), RetroArchClient(self.port)
        self.client.socket.settimeout(0.5)

    def wrong(self, datagrams):
        """What is wrong after these datagrams, or None."""
        try:
            for first in range(0, len(datagrams), TOGETHER):
                for one in datagrams[first : first + TOGETHER]:
                    self.client.send(to_bytes(one))
                for answer in self.answers():
                    if not ANSWER.fullmatch(answer):
                        raise Failure(f"an answer is {answer[:200]!r}")
            if b" PAUSED " in self.other.ask("GET_STATUS")[0]:
                self.other.send("PAUSE_TOGGLE")
            self.revive()
            if self.other.read(0, len(BIOS)) != BIOS:
                raise Failure("another client reads something else")
            self.check()
        except (OSError, Failure) as problem:
            return str(problem)
        return None

    def answers(self):
        """The answers so far. One that does not fit in the socket's buffer is lost, also that to the question behind which no others come."""
        for _ in range(2 * TIME_LIMIT):
            try:
                return self.client.ask("")
            except TimeoutError:
                continue
        raise Failure(f"no answer within {TIME_LIMIT} s")


def test_datagrams_leave_the_gateway_as_it_was():
    """datagrams to the RetroArch server leave the gateway and the game as they were"""
    fuzz(RetroArchStage(), "datagrams", 0.9, lambda rng: [to_text(datagram(rng)) for _ in range(DATAGRAMS)], len)


# --- BizHawk

DOMAINS = ("EWRAM", "IWRAM", "Combined WRAM", "ROM", "SRAM", "VRAM", "OAM", "PALRAM", "BIOS", "System Bus", "WRAM", "", "nothing", "\ud800")
READ_BIOS = b'[{"type":"READ","address":0,"size":4,"domain":"BIOS"}]'


def data_of(rng):
    return base64.b64encode(rng.randbytes(rng.choice((0, 1, 2, 4, 4, 100)) if rng.random() < 0.98 else rng.choice((16384, 20000)))).decode()


def one_request(rng):
    place = {"address": rng.choice((rng.choice(INTERESTING), rng.randrange(0x40000))), "domain": rng.choice(DOMAINS)}
    return rng.choice((
        {"type": "READ", "size": rng.choice((0, 1, 4, 64, 1000, 1 << 20)), **place},
        {"type": "WRITE", "value": data_of(rng), **place},
        {"type": "GUARD", "expected_data": data_of(rng), **place},
        {"type": rng.choice(("PING", "SYSTEM", "HASH", "PREFERRED_CORES", "UNLOCK", "LOCK", "UNLOCK", "SET_MESSAGE_INTERVAL", "NOSUCH"))},
        {"type": "MEMORY_SIZE", "domain": place["domain"]},
        {"type": "DISPLAY_MESSAGE", "message": rng.choice(requests.TEXTS)},
    ))


def line(rng):
    what = rng.random()
    if what < 0.1:
        return rng.choice((b"VERSION", b"VERSION\r", b"", b" ", rng.randbytes(rng.choice((1, 50, 3000))), rng.choice(requests.RAW).encode(), b"[]" * 3))
    if what < 0.11:
        return rng.choice((b"A", b" ", b"[", READ_BIOS)) * rng.choice((MAX_LINE - 1, MAX_LINE, MAX_LINE + 1)) if rng.random() < 0.3 else READ_BIOS[:-1] + b" " * (MAX_LINE - 100) + b"]"
    return requests.json_body(rng, [one_request(rng) for _ in range(rng.choice((1, 1, 2, 5, 20)))])


def conversation(rng):
    """Connections of a client: each has lines, and how it ends."""
    made = []
    for _ in range(rng.choice((1, 1, 1, 3, 40))):
        lines = [line(rng)[: MAX_LINE + 1].replace(b"\n", b" ") for _ in range(rng.choice((0, 1, 4, 10)))]
        made.append({"lines": [to_text(one) for one in lines], "half": to_text(line(rng)[: rng.choice((0, 1, 20, 4000))].replace(b"\n", b" ")), "is_reset": rng.random() < 0.3})
    return made


def wrong_answer(sent, answer):
    """What is wrong with the answer to a line, or None."""
    if answer is None:
        return None if len(sent) >= MAX_LINE else "the connection ended"
    if sent.rstrip(b"\r") == b"VERSION":
        return None if answer == b"1\n" else f"VERSION is {answer[:100]!r}"
    answers = json.loads(answer)
    if len(answers) == 1 and answers[0]["type"] == "ERROR":
        return None
    return None if len(answers) == len(json.loads(sent.decode(errors="replace"))) and all("type" in one for one in answers) else f"the answer is {answer[:200]!r}"


class BizHawkStage(GatewayStage):
    def __init__(self):
        self.port = free_port()
        super().__init__("Doors:BizHawk:Enabled=true", f"Doors:BizHawk:Port={self.port}")

    def wrong(self, made):
        """What is wrong after these connections, or None."""
        try:
            for connection in made:
                client = BizHawkClient(self.port)
                for text in connection["lines"]:
                    answer = client.ask(to_bytes(text))
                    if answer is None and self.get("/v2/status")["state"] == "crashed":
                        break
                    if problem := wrong_answer(to_bytes(text), answer):
                        return f"{to_bytes(text)[:200]!r}: {problem}"
                    if answer is None:
                        break
                else:
                    client.socket.sendall(to_bytes(connection["half"]))
                client.leave(connection["is_reset"])
            self.revive()
            other = BizHawkClient(self.port)
            (answer,) = json.loads(other.ask(READ_BIOS))
            if base64.b64decode(answer["value"]) != BIOS:
                raise Failure("another client reads something else")
            other.leave()
            self.check()
        except (OSError, ValueError, Failure) as problem:
            return str(problem)
        return None


def test_lines_leave_the_gateway_as_it_was():
    """lines to the BizHawk server leave the gateway and the game as they were"""
    fuzz(BizHawkStage(), "lines", 0.05, conversation, lambda made: sum(len(connection["lines"]) + 1 for connection in made))


# --- trackers

BIOS_NAME = "bios:0x0 u32"
CLOSE = 8


def packet(rng):
    slot = rng.choice(("", "1", "1", "9", 1, None, [], rng.choice(requests.TEXTS)))
    commands = ({"cmd": "Sync"}, {"cmd": "Sync", "slot": slot}, {"cmd": rng.choice(("Info", "Var", "ErrorReply", "", 1))}, {}, 1)
    if rng.random() < 0.05:
        return json.dumps([rng.choice(commands) for _ in range(rng.choice((64, 65)))]).encode()
    return requests.json_body(rng, [rng.choice(commands) for _ in range(rng.choice((0, 1, 1, 3)))])


def trackers(rng):
    """Connections of trackers: the frames of each."""
    made = []
    for _ in range(rng.choice((1, 1, 3, 20))):
        frames = [{"bytes": to_text(packet(rng)[:70000]), "opcode": 1, "first": 0x80} for _ in range(rng.choice((0, 1, 3, 10)))]
        if rng.random() < 0.4:
            frames.append({"bytes": to_text(rng.randbytes(rng.choice((0, 1, 20, 300)))), "opcode": rng.choice((0, 1, 2, 3, 8, 9, 10, 11)), "first": rng.choice((0x80, 0, 0xF0))})
        made.append(frames)
    return made


class UatStage(GatewayStage):
    def __init__(self):
        self.port = free_port()
        super().__init__("Doors:Uat:Enabled=true", f"Doors:Uat:Port={self.port}", f"Doors:Uat:Variables:0={BIOS_NAME}")

    def connect(self):
        """A tracker that has the slots. Waits for the end of earlier connections while there are as many as the server takes."""
        deadline = time.monotonic() + TIME_LIMIT
        while True:
            try:
                client = WebSocket(f"127.0.0.1:{self.port}", "/")
                if self.commands(client, deadline)[0]["cmd"] != "Info":
                    raise Failure("the first command is not Info")
                return client
            except (EOFError, OSError) as problem:
                if time.monotonic() > deadline:
                    raise Failure(f"no tracker can connect: {problem}") from None
                time.sleep(0.02)

    def commands(self, client, deadline):
        """Those of the next packet."""
        while True:
            opcode, data = client.next(deadline)
            if opcode == CLOSE:
                raise EOFError
            if opcode == 1:
                made = json.loads(data)
                if not made or any(one["cmd"] not in ("Info", "Var", "ErrorReply") for one in made):
                    raise Failure(f"a packet is {data[:200]!r}")
                return made

    def wrong(self, made):
        """What is wrong after these connections, or None."""
        try:
            for frames in made:
                client = self.connect()
                try:
                    for frame in frames:
                        client.send(to_bytes(frame["bytes"]), frame["opcode"], frame["first"])
                        self.commands(client, time.monotonic() + 0.01)
                except (EOFError, OSError):
                    pass  # nothing to say, or the connection has ended
                client.socket.close()
            self.revive()
            other = self.connect()
            other.send(b'[{"cmd":"Sync","slot":"1"}]')
            values = [one["value"] for one in self.commands(other, time.monotonic() + TIME_LIMIT) if one.get("name") == BIOS_NAME]
            if values != [int.from_bytes(BIOS, "little")]:
                raise Failure(f"another tracker gets {values}")
            other.socket.close()
            self.check()
        except (EOFError, OSError, ValueError, Failure) as problem:
            return str(problem) or type(problem).__name__
        return None


def test_packets_leave_the_gateway_as_it_was():
    """packets to the server for trackers leave the gateway and the game as they were"""
    fuzz(UatStage(), "packets", 0.05, trackers, lambda made: sum(len(frames) + 1 for frames in made))
