"""GDB's remote protocol: packets, and sessions of GDB and lldb with a C program in ARM and Thumb."""

import contextlib
import pathlib
import random
import re
import shutil
import socket
import subprocess
import time

import pytest

from checks import equal, until
from conftest import script
from headless import PROGRAM, ROOT
from mgba_wire import TIME_LIMIT
from programs import Program

GBA = ROOT / "headless/roms/gba"
HERE = pathlib.Path(__file__).parent
HASH = "local state = emu:saveStateBuffer(0) local sum = 0 for i = 1, #state do sum = (sum * 31 + state:byte(i)) & 0xffffffff end return sum"
BAD, NOWHERE, TOO_MANY = b"E16", b"E0e", b"E0c"
SP, LR, PC, CPSR = 13, 14, 15, 25


# --- the game and its emulator


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Builds the game, and returns the path of its ELF; the ROM is beside it."""
    folder = tmp_path_factory.mktemp("debugged")

    def build(mode):
        elf = folder / f"{mode}.elf"
        tool, objects = "arm-none-eabi-", (folder / f"{mode}-start.o", HERE / "debugged.c")
        options = ("-mcpu=arm7tdmi", f"-m{mode}", "-O0", "-g", "-std=c11", "-ffreestanding", "-nostdlib", "-Wl,--no-warn-rwx-segments", "-T", GBA / "gba.ld")
        for command in (
            (tool + "as", "-mcpu=arm7tdmi", GBA / "start.s", "-o", objects[0]),
            (tool + "gcc", *options, *objects, "-o", elf),
            (tool + "objcopy", "-O", "binary", "--gap-fill", "0xFF", "--pad-to", "0x08001000", elf, elf.with_suffix(".gba")),
        ):
            subprocess.run(list(map(str, command)), check=True)
        return elf

    built = {}
    return lambda mode: built.setdefault(mode, None) or built.update({mode: build(mode)}) or built[mode]


def symbols(elf):
    listed = subprocess.run(("arm-none-eabi-nm", str(elf)), capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in listed.splitlines())}


def port_of(host):
    host.err.wait("waiting for a debugger")
    assert not host.is_over()
    return int(host.err.find(r"waiting for a debugger at 127\.0\.0\.1:(\d+)"))


class Debugged:
    """An emulator with the game, and a debugger's connection."""

    def __init__(self, host, elf):
        self.host, self.elf, self.port, self.said = host, elf, port_of(host), 0
        self.names = symbols(elf) if elf else {}

    def connect(self):
        return Client(self.port)

    def attach(self):
        """A client for which the game is halted."""
        client = self.connect().greet()
        assert client.ask("?").startswith(b"T05")
        return client

    def lua(self, text):
        self.said += 1
        script("do.lua", f"print('said {self.said} ' .. tostring(((function() {text} end)())))")
        self.host.say("run-script do.lua", "ok run-script")
        self.host.out.wait(f"^said {self.said} ")
        return self.host.out.find(f"^said {self.said} (.*)")

    def frames(self):
        return self.host.stats()["frames"]

    def runs(self):
        before = self.frames()
        until(lambda: self.frames() > before, "a frame")

    def stands(self):
        before = self.frames()
        time.sleep(0.1)
        equal(self.frames(), before, "the frames of a halted game")


@pytest.fixture
def debugged(start_controlled, programs):
    def debugged(mode="thumb", *options, **popen):
        elf = programs(mode)
        return Debugged(start_controlled("--gdb", "0", "--stats", "0", *options, elf.with_suffix(".gba"), **popen), elf)

    return debugged


class Client:
    """A debugger that sends packets as they are."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), TIME_LIMIT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.came, self.acks = b"", True

    @staticmethod
    def packet(data):
        data = data if isinstance(data, bytes) else data.encode()
        return b"$%b#%02x" % (data, sum(data) & 0xFF)

    def send(self, data):
        self.socket.sendall(data)
        return self

    def byte(self):
        """The next byte; empty when the connection has ended."""
        if not self.came:
            with contextlib.suppress(ConnectionResetError):
                self.came = self.socket.recv(1 << 20)
        found, self.came = self.came[:1], self.came[1:]
        return found

    def answer(self):
        """The data of the next packet."""
        while (byte := self.byte()) != b"$":
            assert byte == b"+", f"{byte} instead of a packet"
        data = bytearray()
        while (byte := self.byte()) != b"#":
            assert byte, "the connection ended inside a packet"
            data += byte
        equal(int(self.byte() + self.byte(), 16), sum(data) & 0xFF, "the checksum")
        if self.acks:
            self.send(b"+")
        return bytes(data)

    def ask(self, data):
        return self.send(self.packet(data)).answer()

    def greet(self):
        self.features = self.ask("qSupported:swbreak+;hwbreak+;xmlRegisters=arm")
        equal(self.ask("QStartNoAckMode"), b"OK")
        self.acks = False
        return self

    def all(self, *packets):
        """Packets that are each answered with OK."""
        for data in packets:
            equal(self.ask(data), b"OK", f"the answer to {data}")

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}").decode()), "little")

    def read(self, address, size):
        return bytes.fromhex(self.ask(f"m{address:x},{size:x}").decode())

    def word(self, address):
        return int.from_bytes(self.read(address, 4), "little")

    def write(self, address, data):
        escaped = b"".join(b"}" + bytes((byte ^ 0x20,)) if byte in b"#$}*" else bytes((byte,)) for byte in data)
        equal(self.ask(b"X%x,%x:" % (address, len(data)) + escaped), b"OK")

    def monitor(self, text):
        return bytes.fromhex(self.ask("qRcmd," + text.encode().hex()).decode()).decode()

    def interrupt(self):
        return self.send(b"\3").answer()

    def has_ended(self):
        self.socket.settimeout(TIME_LIMIT)
        return self.byte() == b""

    def close(self):
        self.socket.close()


def pc_of(stop):
    return int.from_bytes(bytes.fromhex(re.search(rb"(?<=[;5])0f:(\w{8});", stop).group(1).decode()), "little")


# --- attaching and leaving


@pytest.mark.parametrize("leave", ("detach", "kill", "vKill", "break"))
def test_attached_game_stands_until_the_debugger_leaves(debugged, leave):
    game = debugged()
    game.runs()
    client = game.connect().greet()
    game.stands()
    client.all(f"Z0,{game.names['play'] & ~1:x},2")
    if leave == "break":
        client.close()
    elif leave == "kill":
        client.send(client.packet("k"))
        assert client.has_ended()
    else:
        client.all({"detach": "D;1", "vKill": "vKill;1"}[leave])
        assert client.has_ended()
    game.runs()
    game.runs()  # its breakpoint is gone
    again = game.attach()
    game.stands()
    again.close()


def test_running_game_goes_on_when_the_connection_breaks(debugged):
    game = debugged()
    client = game.attach()
    client.all(f"Z0,{game.names['add'] & ~1:x},2")
    client.send(client.packet("c"))
    client.answer()
    client.send(client.packet("c") + b"\3")
    client.close()
    game.runs()
    game.runs()


def test_second_debugger_is_refused(debugged):
    game = debugged()
    first = game.attach()
    second = game.connect()
    assert second.has_ended()
    game.host.err.wait("^mgba-headless: a second debugger was refused")
    equal(first.ask("qAttached"), b"1")
    first.all("D")
    game.attach()


def test_silent_connection_keeps_nobody_away(debugged):
    game = debugged()
    silent = game.connect()
    game.runs()
    until(lambda: not game.connect().send(Client.packet("qC")).has_ended(), "an answer")
    assert silent.has_ended()


@pytest.mark.parametrize("request_line", (b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01", b"\0"), ids=("http", "tls", "zero"))
def test_other_protocols_do_not_reach_the_game(debugged, request_line):
    """also when a packet is inside, as a web page can send it"""
    game = debugged()
    client = game.connect().send(request_line + Client.packet("qRcmd," + b"save stolen".hex()))
    assert client.has_ended()
    game.host.err.wait("what came is not GDB's protocol")
    game.runs()
    assert not pathlib.Path("stolen").exists()
    game.attach()


def test_pace_and_pause(debugged):
    game = debugged("arm", "--paused")
    client = game.attach()
    client.send(client.packet("c"))
    game.runs()
    assert client.interrupt().startswith(b"T02")


# --- packets


def test_answers_to_what_gdb_and_lldb_ask(debugged):
    client = debugged().attach()
    for word in (b"PacketSize=20000", b"QStartNoAckMode+", b"swbreak+", b"hwbreak+", b"vContSupported+", b"qXfer:features:read+", b"qXfer:memory-map:read+"):
        assert word in client.features.split(b";"), client.features
    wanted = {
        "vMustReplyEmpty": "", "!": "", "jThreadsInfo": "", "qTStatus": "", "Z5,0,1": "", "QNonStop:1": "", "qCRC:0,1": "",
        "vCont?": "vCont;c;C;s;S;r", "qC": "QC1", "qfThreadInfo": "m1", "qsThreadInfo": "l", "qAttached": "1", "qAttached:1": "1",
        "Hg0": "OK", "Hc-1": "OK", "Hg1": "OK", "T1": "OK", "X2000000,0:": "OK",
        "qMemoryRegionInfo:8000000": "start:8000000;size:6000000;permissions:rwx;", "qMemoryRegionInfo:5000": "start:4000;size:1ffc000;",
    }
    for asked, answer in wanted.items():
        equal(client.ask(asked), answer.encode(), f"the answer to {asked}")
    assert b"endian:little" in client.ask("qHostInfo") and b"pid:1" in client.ask("qProcessInfo")


def test_bad_arguments_are_errors(debugged):
    client = debugged().attach()
    for asked in ("m", "m2000000", "m2000000,", "m2000000,0", "mx,1", "m2000000,1x", "m123456789,1", "M2000000,2:00", "M2000000,1:0000", "X2000000,2:a", "Pf", "Pf=", "Pf=00", "P99=00000000",
                  "p99", "pff", "p", "G00", "Z0,8000000", "Z0,8000000,0", "Z2,2000000,0", "Z0,8000000,2;X1,0", "z", "Z", "Hx1", "Hg2", "T2", "c8000000x", "C", "sx", "vCont", "vCont;", "vCont;x",
                  "vCont;r", "vCont;r1", "vCont;c:2", "vCont;c:1:1", "qRcmd,6", "qRcmd,00", "qRcmd,zz", "qXfer:features:read:target.xml:", "qXfer:memory-map:read::0", "qMemoryRegionInfo:"):
        equal(client.ask(asked), BAD, f"the answer to {asked}")
    for asked in ("m1000000,1", "mffffffff,1", "m4000400,4", "M1000000,1:00", "X8002000,1:a"):
        equal(client.ask(asked), NOWHERE, f"the answer to {asked}")


def test_documents_come_in_parts(debugged):
    client = debugged().attach()
    for name in ("features:read:target.xml", "memory-map:read:"):
        whole = client.ask(f"qXfer:{name}:0,ffff")
        parts, at = b"", 0
        while True:
            part = client.ask(f"qXfer:{name}:{at:x},40")
            parts, at = parts + part[1:], at + 0x40
            if part[:1] == b"l":
                break
        equal(whole, b"l" + parts, name)
        equal(client.ask(f"qXfer:{name}:ffff,10"), b"l", "what is behind the end")


def test_acknowledgements(debugged):
    client = debugged().connect()
    client.send(b"$qC#00")
    equal(client.byte(), b"-", "the answer to a wrong checksum")
    client.send(b"$qC#zz$q")
    equal(client.byte(), b"-", "the answer to a checksum that is none")
    client.send(client.packet("qC"))  # the one before was cut
    equal(client.byte(), b"+")
    equal(client.answer(), b"QC1")
    client.send(b"-")
    equal(client.answer(), b"QC1", "the answer again")
    client.send(client.packet("qC") * 2)
    equal([client.answer(), client.answer()], [b"QC1", b"QC1"], "the answers to a packet that came twice")


def test_megabytes_and_garbage(debugged):
    game = debugged()
    client = game.attach()
    client.send(b"$m" + b"0" * 3_000_000 + b"#00")
    equal(client.answer(), BAD, "the answer to a packet of 3 MB")
    client.send(b"$Z0," + bytes(range(1, 35)) + b"}#00")
    equal(client.answer(), BAD)
    client.send(bytes(range(0x80, 0x100)) * 100)
    equal(client.ask("qC"), b"QC1", "behind garbage")
    client.send(b"\3\3\3")
    equal(client.ask("qC"), b"QC1", "behind Ctrl-C while the game stands")


def test_answers_that_nobody_takes_are_bounded(debugged):
    game = debugged()
    client = game.attach()
    client.socket.settimeout(0.5)
    asked = client.packet("m2000000,10000") * 2_000_000
    with pytest.raises(TimeoutError):
        client.send(asked)
    before = pathlib.Path(f"/proc/{game.host.pid}/statm").read_text().split()[1]
    time.sleep(0.2)
    equal(pathlib.Path(f"/proc/{game.host.pid}/statm").read_text().split()[1], before, "its memory")
    client.close()
    game.runs()


@pytest.mark.parametrize("seed", range(4))
def test_any_bytes(debugged, seed):
    """Packets that were changed at random, on many connections."""
    game, chance = debugged(), random.Random(seed)
    kinds = ["g", "p19", "m2000000,40", "M2000000,2:0102", "X2000000,2:ab", "Z2,2000000,4", "z2,2000000,4", "vCont;s:1;c", "vCont;r8000000,8001000", "s", "qSupported:a;b", "qXfer:features:read:target.xml:0,40",
             "qRcmd,68656c70", "qMemoryRegionInfo:0", "P3=00000001", "Hg1", "?", "c"]
    for _ in range(20):
        client = game.connect().greet()
        client.socket.settimeout(5)
        for _ in range(40):
            data = bytearray(chance.choice(kinds).encode())
            for _ in range(chance.randrange(3)):
                at = chance.randrange(len(data) + 1)
                data[at:at + chance.randrange(2)] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the packet became D or k
                client.send(Client.packet(bytes(data)) if chance.random() < 0.8 else bytes(data))
        client.close()
    client = game.attach()
    client.monitor("reset")
    client.all("D")
    game.runs()


# --- registers and memory


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_registers(debugged, mode):
    game = debugged(mode)
    client = game.attach()
    play = game.names["play"] & ~1
    client.all(f"Z0,{play:x},2")
    assert pc_of(client.ask("c")) == play
    all_of_them = bytes.fromhex(client.ask("g").decode())
    equal(len(all_of_them), 17 * 4, "the bytes of g")
    equal(int.from_bytes(all_of_them[PC * 4:PC * 4 + 4], "little"), play, "pc")
    equal(bool(client.register(CPSR) & 0x20), mode == "thumb", "the bit of Thumb")
    client.all("P7=78563412")
    equal(client.register(7), 0x12345678, "r7")
    changed = bytearray(all_of_them)
    changed[0:4] = b"\1\2\3\4"
    client.all("G" + changed.hex())
    equal(bytes.fromhex(client.ask("g").decode()), bytes(changed), "what G has written")
    # a jump into the other kind of code, as GDB does it
    other = CPSR, client.register(CPSR) ^ 0x20
    target = play + (2 if mode == "arm" else 0)
    client.all(f"Pf={target.to_bytes(4, 'little').hex()}", f"P{other[0]:x}={other[1].to_bytes(4, 'little').hex()}")
    equal((client.register(PC), client.register(CPSR)), (target, other[1]), "pc and cpsr")


def test_registers_of_other_modes(debugged):
    client = debugged().attach()
    names = re.findall(rb'reg name="(\w+)"', client.ask("qXfer:features:read:target.xml:0,ffff"))
    numbers = {name.decode(): 26 + at for at, name in enumerate(names[17:])}
    equal(client.register(numbers["sp_irq"]), 0x03007FA0, "what start.s gives to the stack of interrupts")
    equal(client.register(numbers["sp_usr"]), client.register(SP), "the stack of the present mode")
    client.all(f"P{numbers['r8_fiq']:x}=01000000", f"P{numbers['spsr_svc']:x}=1f000000", f"P{numbers['sp_usr']:x}=007e0003")
    equal((client.register(numbers["r8_fiq"]), client.register(8)), (1, 0), "r8 of two modes")
    equal((client.register(numbers["spsr_svc"]), client.register(SP)), (0x1F, 0x03007E00))
    client.all("P19=11000000")
    equal(client.register(8), 1, "r8 in the mode of fast interrupts")


def test_memory(debugged):
    game = debugged()
    client = game.attach()
    data = random.Random(1).randbytes(0x10000)
    client.write(0x02010000, data)
    equal(client.read(0x02010000, 0x10000), data, "64 KB")
    equal(len(client.read(0x02000000, 0x20000)), 0x10000, "the most of one answer")
    client.all("M2000000,4:01020304")
    equal(client.read(0x02000000, 4), b"\1\2\3\4")
    equal(len(client.read(0x08000FF0, 0x40)), 16, "the bytes until the end of the ROM")
    client.write(0x08000F00, b"patch")
    equal(client.read(0x08000F00, 5), b"patch", "a patch of the ROM")
    equal(game.lua("return emu:readRange(0x08000F00, 5)"), "patch")
    client.write(0x05000002, b"\x1f")
    equal(client.read(0x05000002, 2), b"\x1f\0", "a byte of the palette")


def test_reads_change_nothing(debugged):
    game = debugged()
    client = game.attach()
    before = game.lua(HASH)
    for address, size in ((0x04000000, 0x400), (0, 0x4000), (0x06000000, 0x10000), (0x0E000000, 0x10000)):
        equal(len(client.read(address, size)), size, f"the bytes at {address:#x}")
    client.ask("g")
    equal(game.lua(HASH), before, "the state")


def test_code_that_is_written_at_pc_is_executed(debugged):
    game = debugged("thumb")
    client = game.attach()
    play = game.names["play"] & ~1
    client.all(f"Z0,{play:x},2")
    client.ask("c")
    client.write(play, bytes.fromhex("2a20fee7"))  # movs r0, #42; b .
    client.ask("s")
    equal((client.register(0), client.register(PC)), (42, play + 2), "r0 and pc")


# --- points and steps


def test_breakpoints_and_steps(debugged):
    game = debugged("arm")
    client = game.attach()
    play = game.names["play"]
    client.all(f"Z0,{play:x},4", f"Z0,{play:x},4", f"z1,{play:x},4")
    stop = client.ask("c")
    assert pc_of(stop) == play and b";swbreak:;" in stop and stop.endswith(b"thread:1;"), stop
    equal(client.ask("?"), stop, "the stop again")
    equal(pc_of(client.ask("s")), play + 4)
    equal(pc_of(client.ask("vCont;s:1;c")), play + 8)
    equal(pc_of(client.ask("S05")), play + 12)
    client.all(f"z0,{play:x},4", f"Z1,{play:x},4")
    stop = client.ask("vCont;c")
    assert pc_of(stop) == play and b";hwbreak:;" in stop, stop
    equal(pc_of(client.ask(f"s{play + 4:x}")), play + 8, "a step from another address")
    client.all(f"z1,{play:x},4", f"z1,{play:x},4")
    client.send(client.packet("c"))
    assert b"T02" in client.interrupt()


def test_range_step_is_one_packet(debugged):
    game = debugged("arm")
    client = game.attach()
    play = game.names["play"]
    client.all(f"Z0,{play:x},4")
    client.ask("c")
    found = pc_of(client.ask(f"vCont;r{play:x},{play + 8:x}:1"))
    equal(found, play + 8, "the first instruction behind the range")


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_step_goes_over_the_bios_and_interrupts(debugged, mode):
    """A step over VBlankIntrWait returns behind it, a frame later; interrupts are served meanwhile."""
    game = debugged(mode)
    client = game.attach()
    play = game.names["play"] & ~1
    client.all(f"Z0,{play:x},2")
    client.ask("c")
    client.all(f"z0,{play:x},2")
    frames = game.names["frames"]
    before = client.word(frames)
    for _ in range(400):
        pc = pc_of(client.ask("s"))
        assert 0x08000000 <= pc < 0x08001000, f"{pc:#x} is not the game's"
        if client.word(frames) > before + 1:
            return
    raise AssertionError("no frame")


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_watchpoints(debugged, mode):
    game = debugged(mode)
    client = game.attach()
    player = game.names["player"]
    client.all(f"Z2,{player:x},c")
    stop = client.ask("c")
    assert re.search(rb";watch:(300000\w);", stop), stop
    # GDB steps once over an access that it takes as not made yet
    equal(pc_of(client.ask("s")), pc_of(stop), "pc behind the step over the access")
    assert pc_of(client.ask("s")) != pc_of(stop)
    client.all(f"z2,{player:x},c", f"Z3,{game.names['frames']:x},4", f"Z4,{game.names['sums']:x},10")
    assert b";awatch:" in client.ask("c")
    client.all(f"z4,{game.names['sums']:x},10", f"z3,{game.names['frames']:x},4", f"Z3,{player:x},4")
    assert b";rwatch:%x;" % player in client.ask("c")


def test_write_of_the_same_value_is_no_change_for_gdb(debugged):
    """and a hit for lldb, which says that it is lldb"""
    game = debugged()
    name = game.names["player"] + 6
    client = game.attach()
    client.all(f"Z0,{game.names['play'] & ~1:x},2")
    for _ in range(6):
        client.ask("c")
    client.all(f"z0,{game.names['play'] & ~1:x},2", f"Z2,{name:x},4")
    client.send(client.packet("c"))
    game.runs()
    assert client.interrupt().startswith(b"T02")
    client.all(f"z2,{name:x},4")
    client.ask("qHostInfo")
    client.all(f"Z2,{name:x},4")
    assert b";watch:" in client.ask("c")


def test_a_thousand_breakpoints(debugged):
    game = debugged()
    client = game.attach()
    first = 0x08000800
    client.all(*(f"Z0,{first + 2 * at:x},2" for at in range(1000)), f"Z0,{game.names['add'] & ~1:x},2")
    equal(pc_of(client.ask("c")), game.names["add"] & ~1)
    client.all(*(f"z0,{first + 2 * at:x},2" for at in range(1000)))
    answers = {client.ask(f"Z1,{first + 2 * at:x},2") for at in range(4096)}
    equal(answers, {b"OK", TOO_MANY})
    client.all("D")
    game.attach().all(f"Z0,{first:x},2")


# --- what happens to a game meanwhile


def test_moved_game_is_not_run_from_where_it_was(debugged):
    game = debugged()
    client = game.attach()
    client.all(f"Z0,{game.names['add'] & ~1:x},2")
    client.ask("c")
    game.host.say("save-state here", "ok save-state")
    client.ask("s")
    for resume in ("c", "s", "vCont;c"):
        game.host.say("load-state here", "ok load-state")
        equal(pc_of(client.ask(resume)), game.names["add"] & ~1, f"pc behind {resume} of a game whose state was loaded")
    game.host.say("reset", "ok reset")
    equal(pc_of(client.ask("c")), 0, "pc behind a reset")
    equal(pc_of(client.ask("c")), game.names["add"] & ~1, "pc behind the next continue")


def test_another_game(debugged):
    game = debugged()
    client = game.attach()
    client.send(client.packet("c"))
    game.runs()
    game.host.say("load roms/game.gb", "ok load")
    equal(client.answer(), b"W00", "the answer to a debugger that cannot debug a Game Boy")
    assert client.has_ended()
    game.host.err.wait("the debugger was detached: it knows games of the Game Boy Advance only")
    assert game.connect().has_ended()
    game.runs()
    game.host.say("load roms/game.gba", "ok load")
    client = game.attach()
    game.host.say("close", "ok close")
    assert client.has_ended()


def test_crash_is_a_signal(start_controlled):
    game = Debugged(start_controlled("--gdb", "0", "--stats", "0", "roms/game.gba"), None)
    client = game.attach()
    client.write(0x02000000, b"\1")
    assert client.ask("c").startswith(b"T0b")
    assert client.ask("c").startswith(b"T0b"), "again, as nothing runs"
    client.monitor("reset")
    client.send(client.packet("c"))
    game.runs()
    assert client.interrupt().startswith(b"T02"), "the continue was an answer to the packet"


@pytest.mark.parametrize("packet", ("g", "m2000000,4", "?", "s", "Z0,8000000,2"))
def test_game_that_somebody_else_resumes_is_halted_for_the_next_packet(debugged, packet):
    game = debugged()
    client = game.attach()
    game.lua("headless.resume(0, 0, -1)")
    game.runs()
    assert client.ask(packet)
    game.stands()
    if packet not in ("?", "s"):
        assert client.ask("c").startswith(b"T05"), "where the game is now"
    client.send(client.packet("c"))
    game.runs()
    assert client.interrupt().startswith(b"T02")


@pytest.mark.parametrize("packet", ("c", "vCont;c"))
def test_game_that_somebody_else_resumes_continues(debugged, packet):
    game = debugged()
    client = game.attach()
    client.all(f"Z0,{game.names['play'] & ~1:x},2")
    game.lua("headless.resume(0, 0, -1)")
    assert client.ask(packet).startswith(b"T05"), "its own breakpoint"
    equal(client.register(PC), game.names["play"] & ~1)
    client.all(f"z0,{game.names['play'] & ~1:x},2")
    game.lua("headless.resume(0, 0, -1)")
    game.runs()
    client.send(client.packet(packet))
    game.runs()
    assert client.interrupt().startswith(b"T02")


def test_end_of_the_program_is_an_exit(debugged):
    game = debugged()
    client = game.attach()
    client.send(client.packet("c"))
    game.runs()
    game.host.stop()
    equal(client.answer(), b"W00")


def test_scripts_are_served_while_the_game_stands(debugged):
    script("idle.lua", "n = 0 callbacks:add('idleHalted', function() n = n + 1 headless.wait(14000) end)")
    game = debugged("arm", "--script", "idle.lua")
    client = game.attach()
    before = int(game.lua("return n"))
    for _ in range(100):
        client.ask("s")
    assert int(game.lua("return n")) < before + 100, "a step does not wait for an idle callback"
    until(lambda: int(game.lua("return n")) > before + 3, "idle callbacks")


def test_script_that_holds_the_game_lets_a_debugger_attach(debugged):
    """as a lease does, between its steps"""
    script("hold.lua", "callbacks:add('frame', function() while not headless.isStepping() do headless.wait(10000) end end)")
    game = debugged("arm", "--fps", "0", "--script", "hold.lua")
    client = game.attach()
    client.send(client.packet("c"))
    assert client.interrupt().startswith(b"T02"), "Ctrl-C in the event of a frame"
    client.all("D")
    web = game.connect().send(b"GET / HTTP/1.1\r\n\r\n")
    assert web.has_ended()
    again = game.attach()
    again.close()


# --- monitor


def test_monitor(debugged):
    game = debugged()
    client = game.attach()
    add = game.names["add"] & ~1
    assert {"reset", "save FILE", "load FILE", "screenshot FILE"} <= {re.split("  +", line)[0] for line in client.monitor("help").splitlines()}
    for wrong, pattern in (("dance", "unknown command"), ("save", "requires FILE"), ("reset now", "requires no argument"), ("load missing", "cannot open"), ("save /missing/x", "cannot open"),
                           ("freeze 1 2", "requires an address"), ("freeze 02000000 123", "requires an address"), ("thaw 02000000", "nothing is frozen")):
        assert pattern in client.monitor(wrong), client.monitor(wrong)
    client.all(f"Z0,{add:x},2")
    client.ask("c")
    equal(client.monitor("save a state"), "done\n")
    equal(client.monitor("screenshot picture.png"), "done\n")
    assert pathlib.Path("picture.png").read_bytes().startswith(b"\x89PNG") and pathlib.Path("a state").exists()
    for _ in range(3):
        client.ask("c")
    later = client.word(game.names["frames"])
    equal(client.monitor("load a state"), "done\n")
    equal(pc_of(client.ask("s")), add, "the first step shows where the state is, and runs nothing")
    assert client.word(game.names["frames"]) < later
    equal(client.monitor("reset"), "done\n")
    equal(pc_of(client.ask("c")), add, "a continue runs")
    equal(client.word(game.names["frames"]), 0, "frames behind the reset")
    equal(client.monitor("freeze 0x02001000 0x1234"), "done\n")
    client.ask("c"), client.ask("c"), client.ask("c")
    equal(client.read(0x02001000, 2), b"\x34\x12", "what is frozen")
    equal(client.monitor("thaw 0x02001000"), "done\n")


# --- programs


def test_bad_ports(refused, start):
    for value in ("x", "-1", "65536", ""):
        refused(2, "--gdb requires a port", "--gdb", value, "roms/game.gba")
    port = port_of(start("--gdb", "0", "roms/game.gba"))
    refused(2, f"cannot listen on port {port}", "--gdb", port, "roms/game.gba")


@pytest.mark.parametrize("option", ("-g0", "--gdb=0"))
def test_rom_test_waits_for_the_debugger(option):
    run = Program(pathlib.Path(PROGRAM).with_name("mgba-rom-test"), option, ROOT / "headless/roms/self-test.gba", folder=".")
    client = Client(port_of(run)).greet()
    equal(run.out.text(), "", "what the ROM prints before")
    equal(pc_of(client.ask("?")), 0, "the first instruction of the BIOS")
    equal(client.ask("c"), b"W00", "the end of the test")
    run.ended(0)
    run.out.expect("GBA Debug: ")


def test_it_is_clean_under_valgrind(debugged, valgrind):
    game = debugged("arm", prefix=valgrind)
    client = game.attach()
    play = game.names["play"]
    client.all(f"Z0,{play:x},4", f"Z2,{game.names['player']:x},4")
    for asked in ("c", "c", "s", "g", "m2000000,10000", f"vCont;r{play:x},{play + 16:x}", "qXfer:memory-map:read::0,ffff", "pff"):
        client.ask(asked)
    client.monitor("save state")
    client.monitor("freeze 02000000 01")
    client.all("D")
    game.host.stop()
    equal(pathlib.Path("valgrind.log").read_text(), "", "what valgrind reports")


# --- GDB


def gdb(game, *commands, interpreter=()):
    """What GDB prints, which runs these commands behind the connection."""
    lines = ("set confirm off", "set pagination off", "set width 0", f"target remote 127.0.0.1:{game.port}", *commands)
    options = [word for line in lines for word in ("-ex", line)]
    done = subprocess.run(("gdb-multiarch", "-nx", "-batch", *interpreter, *options, str(game.elf)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIME_LIMIT, check=False)
    return done.stdout


def expect(said, *patterns):
    """All of the patterns, in this order."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(said, at)
        assert found, f'no "{pattern}" in\n{said[at:]}'
        at = found.end()


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_gdb_runs_steps_and_shows(debugged, mode):
    game = debugged(mode)
    said = gdb(
        game, "monitor reset", "break play if frame == 3", "continue", "backtrace", "info locals", "print player", "next", "next", "next", "step", "tbreak add", "continue", "up", "print frame",
        "down", "finish", "step", "stepi", "x/2i $pc", "print/x $cpsr & 0x20", "print $sp_irq", "info breakpoints", "detach")
    expect(
        said, r"^done", r"^Breakpoint 1 at ", r"^Breakpoint 1, play \(frame=3\) at .*debugged.c", r"^#0  play \(frame=3\)", r"^#1 .* in main \(\)", r"^points = ", r"score = 9, lives = 3",
        r"player\.score \+= points", r"if \(frame == 3\)", r"player\.lives -= 1", r"player\.name", r"Temporary breakpoint 2, add \(left=4, right=2\)", r"^#1 .* in play \(frame=4\)", r" = 4",
        r"Value returned is .* = 6", r"player\.score \+= points", r"=> 0x800", "= 0x20" if mode == "thumb" else "= 0x0", r"= 50364320", r"breakpoint already hit 1 time", r"detached")
    game.runs()


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_gdb_watches(debugged, mode):
    game = debugged(mode)
    said = gdb(
        game, "monitor reset", "tbreak play", "continue", "watch player.score", "continue", "continue", "delete", "watch player.lives", "continue", "delete", "rwatch player.score", "continue", "delete",
        "awatch sums", "continue", "delete", "watch -location frames if frames == 20", "continue", "print frames", "delete", "hbreak add", "continue", "detach")
    expect(
        said, "Temporary breakpoint 1, play", r"Hardware watchpoint 2: player\.score", r"^Old value = 0\nNew value = 2\nplay \(frame=0\)", r"^Old value = 2\nNew value = 5\nplay \(frame=1\)",
        r"^Old value = 3\nNew value = 2\nplay \(frame=3\)", r"Hardware read watchpoint 4: player\.score\n\nValue = 14", r"Hardware access \(read/write\) watchpoint 5: sums",
        r"^New value = 20$", r" = 20$", "Hardware assisted breakpoint", r"Breakpoint 7, add")


def line_of(text):
    return 1 + next(at for at, line in enumerate((HERE / "debugged.c").read_text().splitlines()) if text in line)


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_gdb_goes_back(debugged, mode):
    game = debugged(mode)
    said = gdb(
        game, "monitor reset", "monitor history 16", "tbreak play if frame == 5", "continue", "print player.score", "watch player.score", "reverse-continue", "print frame", "print player.score",
        "delete", "tbreak add", "reverse-continue", "reverse-finish", "tbreak play if frame == 5", "continue", "stepi", "stepi", "reverse-stepi", "reverse-stepi", "print frame",
        *(("next", "reverse-next", "reverse-step") if mode == "arm" else ()), # in Thumb code GDB 13 does not find the caller from the end of a function
        "delete", "reverse-continue", "reverse-stepi",
        "tbreak play if frame == 9", "continue", "detach")
    expect(
        said, r"Temporary breakpoint 1, play \(frame=5\)", r"= 20$", r"^Old value = 20\nNew value = 14\n", r"\$2 = 4", r"\$3 = 14", r"Temporary breakpoint 3, add", r"Temporary breakpoint 4, play \(frame=5\)",
        r"= 5$", r"No more reverse-execution history", r"No more reverse-execution history", r"Temporary breakpoint 5, play \(frame=9\)", "detached")


def test_gdb_has_no_history_unless_it_is_kept(debugged):
    expect(gdb(debugged("arm"), "reverse-stepi", "info registers pc", "detach"), "No more reverse-execution history", "^pc ", "detached")


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_gdb_calls_and_writes(debugged, mode):
    game = debugged(mode)
    said = gdb(
        game, "monitor reset", "tbreak play", "continue", "print add(40, 2)", "print sums[2]", "set variable player.score = 1000", "set variable $r0 = 7", "print $r0", "next", "next", "print player.score",
        "tbreak add", "jump play", "set variable *(unsigned short*) 0x08000f00 = 0xbeef", "x/xh 0x08000f00", "print *(int*) 0x01000000", "detach")
    expect(said, r"\$1 = 42", r"\$2 = 42", r"\$3 = 7", r"\$4 = 1002", "Temporary breakpoint 2, add", "0xbeef", "Cannot access memory at address 0x1000000")


def test_gdb_loads_a_program(debugged):
    """ROM is memory that can be written: a build that was made again replaces that in the emulator."""
    game = debugged("arm")
    said = gdb(game, "load", "compare-sections .text", "tbreak main", "continue", "detach")
    expect(said, "Loading section .text", "Section .text.*matched", "Temporary breakpoint 1, main")


def test_gdb_interrupts(debugged):
    game = debugged("arm")
    with subprocess.Popen(("gdb-multiarch", "-nx", "-q", "--interpreter=mi3", str(game.elf)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        mi = Mi(run)
        mi.ask("-gdb-set mi-async on")
        mi.ask(f"-target-select remote 127.0.0.1:{game.port}", "connected")
        mi.ask("-exec-continue", "running")
        game.runs()
        mi.ask("-exec-interrupt")
        mi.wait(r'\*stopped,reason="signal-received",signal-name="SIGINT"')
        mi.ask("-gdb-exit", "exit")
        run.wait(TIME_LIMIT)
    game.runs()


class Mi:
    """GDB's machine interface."""

    def __init__(self, run):
        self.run, self.number = run, 0

    def wait(self, pattern):
        said = []
        for line in self.run.stdout:
            said.append(line)
            if re.match(pattern, line):
                return line
        raise AssertionError(f"no {pattern} in {said}")

    def ask(self, command, answer="done"):
        self.number += 1
        self.run.stdin.write(f"{self.number}{command}\n")
        self.run.stdin.flush()
        line = self.wait(rf"{self.number}\^")
        assert line.startswith(f"{self.number}^{answer}"), line
        return line


@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_machine_interface_as_vs_code_uses_it(debugged, mode):
    game = debugged(mode)
    with subprocess.Popen(("gdb-multiarch", "-nx", "-q", "--interpreter=mi3", str(game.elf)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        mi = Mi(run)
        mi.ask("-gdb-set mi-async on")
        mi.ask("-enable-pretty-printing")
        mi.ask(f"-target-select remote 127.0.0.1:{game.port}", "connected")
        mi.ask('-interpreter-exec console "monitor reset"')
        mi.ask("-break-insert -f debugged.c:" + str(line_of("player.score += points")))
        mi.ask("-exec-continue", "running")
        mi.wait(r'\*stopped,reason="breakpoint-hit".*func="play"')
        assert '{level="1"' in mi.ask("-stack-list-frames")
        assert 'name="points",type="word",value="2"' in mi.ask("-stack-list-variables --simple-values")
        assert 'value="0x' in mi.ask("-data-list-register-values x 13 15 25")
        mi.ask("-var-create - * player")
        for command in ("-exec-next", "-exec-step-instruction", "-exec-next-instruction"):
            mi.ask(command, "running")
            mi.wait(r'\*stopped,reason="end-stepping-range"')
        mi.ask("-break-watch player.score")
        mi.ask("-break-delete 1")
        mi.ask("-exec-continue", "running")
        mi.wait(r'\*stopped,reason="watchpoint-trigger".*value={old="2",new="5"}.*func="play"')
        contents = re.search(r'contents="(\w+)"', mi.ask("-data-read-memory-bytes 0x02000000 65536")).group(1)
        equal(len(contents), 2 * 65536, "the digits of 64 KB")
        mi.ask("-data-disassemble -s $pc -e $pc+8 -- 0")
        mi.ask("-target-detach")
        mi.ask("-gdb-exit", "exit")
        run.wait(TIME_LIMIT)
    game.runs()


# --- lldb


@pytest.mark.long
@pytest.mark.parametrize("mode", ("thumb", "arm"))
def test_lldb(debugged, mode):
    assert shutil.which("lldb-14"), "lldb-14 is missing: install it (Debian: apt-get install lldb-14; with its libraries it has 500 MB)"
    game = debugged(mode)
    commands = (
        f"gdb-remote 127.0.0.1:{game.port}", "process plugin packet monitor reset", "stepi", "breakpoint set --name play", "continue", "bt", "frame variable", "next", "breakpoint disable 1",
        "watchpoint set variable player.score", "continue", "continue", "register read pc cpsr", "memory read --format x --size 4 --count 2 0x03000000", "memory region 0x08000000", "register write r3 0x1234",
        "register read r3", "watchpoint delete 1", "stepi", "finish", "process detach")
    options = [word for line in commands for word in ("-o", line)]
    said = subprocess.run(("lldb-14", "--no-lldbinit", "--batch", *options, str(game.elf)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT, check=True).stdout
    expect(
        said, "stop reason = signal SIGTRAP", r"0x00000000", "stop reason = breakpoint 1.1", r"play\(frame=0\)", r"frame #1: .*main", r"\(word\) frame = 0", "stop reason = step over", "old value: 0\nnew value: 2",
        "stop reason = watchpoint 1", "old value: 2\nnew value: 5", r"play\(frame=1\)", "pc = 0x0800", "0x03000000: 0x00000005", r"\[0x0000000008000000-0x000000000e000000\) rwx", "r3 = 0x00001234",
        "stop reason = instruction step into", "stop reason = step out", "Process 1 detached")
    game.runs()
