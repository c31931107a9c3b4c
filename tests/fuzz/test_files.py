"""Mutated files of names (ELF, linker map, .sym, property map) and recordings, uploaded to a gateway.

What must hold: each upload is answered soon with a documented status, a refusal is a problem that is no defect, and the gateway's memory stays flat.
FUZZ_SECONDS or FUZZ_COUNT says how much, FUZZ_SEED where to start.
"""

import json
import struct
import urllib.parse

import http.client

from fuzzing import Budget, apply, byte_edits, corpus, minimize, random_of, report, to_bytes, to_text
from gateway import Gateway
from headless import HeadlessEmulator
from mgba_wire import TIME_LIMIT, Failure
from openapi_requests import ROOT, SCALARS, mutated
from processes import processor_seconds, resident

LIMIT = 2.0  # seconds of the gateway's processor time for one upload, whatever is in it
GROWTH = 300  # megabytes after the warm-up: the gateway keeps what it reads, up to Bridge:Symbols:MaxMemory
ALLOWED = {"/v2/symbols": (200, 400, 413, 507), "/v2/properties": (200, 400, 413, 507), "/v2/cheats": (200, 400, 413), "/v2/replay": (200, 400, 409, 413, 422, 423, 503)}

SYM = b"; made by hand\n00:0150 Start\n01:4000 Bank1\n00:C100 wFrames\n02000008 frames\n080001A0 T main\n03000040 box_x\n08000000 .byt:0004\n"
WLA = b"; wlalink\n[labels]\n00:0150 main\n01:4000 far_label\n[ramsections]\n7f:c000 0000:c000 00000010 vars\n[definitions]\n0000000a MAX_HP\nfffffffe NEGATIVE\n"
NM = (b"02000000 g 00000004 gPlayer\n02000004 00000004 B _ZN2bn4core6updateEiNS_7fixed_tILi12EEE\n08000100 T std::vector<int>::push(int const&)\n"
      b"08000200 update,00000010\n00:0200 caf\\u00e9\nBOOT:0000 Start\n")
NOI = b"DEF .__.ABS. 0x0\nDEF _main 0x200\nDEF s__DATA 0xC0A0\nDEF l__DATA 0x10\nDEF _far 0x24000\n"
ASLINK = b"ASxxxx Linker V03.00 + sdld,  page 1.\n\n_CODE  00000200  00000123 =  291. bytes (REL,CON)\n\n     00000200  _main    main\n     0000C0A0  s__DATA  main\n"
CHEATS = {
    "libretro": b'cheats = 2\ncheat0_desc = "a"\ncheat0_code = "32010008+0063"\ncheat0_enable = true\ncheat1_code = "02010000:07"\n',
    "mgba": b"!GSAv1 raw\n# a\n02010008 00000007\n!disabled\n# b\n08000100:e001\n02010000:07\n",
    "ezflash": b"[Money]\nON=02A10,10,27,00;40010,01\n[Weapon]\nDagger=00100,01\n[GameInfo]\nName=Test\n",
}
MAP = b"""Memory Configuration

Name             Origin             Length             Attributes
ewram            0x02000000         0x00040000

Linker script and memory map

.text           0x08000000      0x400
 .text          0x080000c0      0x2e0 main.o
                0x080000c0                main
                0x08000200                update
.bss            0x03000000       0x80
                0x03000040                box_x
"""
PROPERTIES = {
    "crc32": "0x52258CD4",
    "textTables": {"main": {"codes": {"41": "a", "42": "bc", "00": ""}}},
    "structs": {"event": {"fields": {"frame": {"at": 0, "type": "u32"}, "key": {"at": 4, "type": "u16"}}}, "log": {"size": 600, "fields": {"events": {"at": 8, "type": "event", "count": 64}}}},
    "properties": {
        "frames": {"type": "u32", "at": "0x02000008"},
        "edges": {"type": "u32", "count": 10, "at": "0x02000020"},
        "log": {"type": "log", "at": "wram:0x100"},
        "name": {"type": "text", "length": 16, "at": "wram:0xA0", "table": "main"},
        "node.value": {"type": "u32", "at": "0x020000B0", "chain": [8, 0]},
        "box": {"type": "s32", "at": "box_x+0x4", "endian": "big"},
    },
}


def method(path):
    return "POST" if path in ("/v2/replay", "/v2/cheats") else "PUT"


class Stage:
    def __init__(self):
        self.emulator = HeadlessEmulator(options=["--fps", "0"])
        self.gateway = Gateway(emulator_port=self.emulator.port)
        self.host = urllib.parse.urlsplit(self.gateway.url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=TIME_LIMIT)
        started = json.loads(self.send("POST", "/v2/recordings", b'{"hashEvery":10}')[1])
        self.send("POST", "/v2/keys/tap", b'{"keys":["A"],"frames":2,"wait":true}')
        self.send("POST", "/v2/wait", b'{"frames":30}')
        self.send("POST", f"/v2/recordings/{started['id']}/stop")
        recording = self.send("GET", f"/v2/recordings/{started['id']}")[1]
        self.send("DELETE", f"/v2/recordings/{started['id']}")
        self.bases = {
            "elf": ("/v2/symbols", (ROOT / "docs/examples/mgba-bridge-test.elf").read_bytes()),
            "sym": ("/v2/symbols", SYM),
            "map": ("/v2/symbols", MAP),
            "wla": ("/v2/symbols", WLA),
            "nm": ("/v2/symbols", NM),
            "noi": ("/v2/symbols", NOI),
            "aslink": ("/v2/symbols", ASLINK),
            **{name: ("/v2/cheats", data) for name, data in CHEATS.items()},
            "properties": ("/v2/properties", json.dumps(PROPERTIES, indent=1).encode()),
            "recording": ("/v2/replay", recording),
        }
        for name, (path, data) in self.bases.items():
            status, answer = self.send(method(path), path, data)
            if status != 200:
                raise Failure(f"the {name} that the mutations begin with was answered {status} {answer[:300]!r}")

    def send(self, method, path, body=None):
        headers = {"Content-Type": "application/json" if body and body[:1] in b"{[" else "application/octet-stream"}
        try:
            self.connection.request(method, path, body, headers)
            response = self.connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as problem:
            self.connection.close()
            raise Failure(f"{method} {path}: {type(problem).__name__} {problem}") from None

    def upload(self, made):
        """Uploads a file. Returns the status; fails when the answer is none that is documented, or takes too long."""
        path, data = self.bases[made["base"]]
        data = apply(to_bytes(made["data"]) if "data" in made else data, made["edits"])
        before = processor_seconds(self.gateway.process.pid)
        status, answer = self.send(method(path), path, data)
        used = processor_seconds(self.gateway.process.pid) - before
        if status not in ALLOWED[path] or b"problem:defect" in answer:
            raise Failure(f"{path} answered {status} {answer[:500]!r}")
        if used > LIMIT:
            raise Failure(f"{path} took {used:.1f} s of processor time for {len(data)} bytes")
        return status

    def check(self):
        self.emulator.check()
        if self.gateway.process.poll() is not None or self.gateway.unhandled():
            raise Failure(f"the gateway ended, or its log has {self.gateway.unhandled()[:1]}")
        status, answer = self.send("GET", "/v2/game")
        if status != 200:
            raise Failure(f"GET /v2/game answered {status} {answer[:300]!r}")

    def end(self):
        self.check()
        self.gateway.end()
        self.emulator.kill()


def elf_edits(rng, data):
    """Fields of the header, of a section header, or of a symbol."""
    sections, = struct.unpack_from("<I", data, 32)
    count, = struct.unpack_from("<H", data, 48)
    what = rng.random()
    if what < 0.35:
        return byte_edits(rng, 52, 3)
    if what < 0.75:
        at = sections + 40 * rng.randrange(max(1, count)) + 4 * rng.randrange(10)
        return [[at, rng.choice((0, 1, 2, 4, 11, len(data), len(data) - 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, rng.randrange(1 << 32))).to_bytes(4, "little").hex()]]
    return byte_edits(rng, len(data), 8)


def text_edits(rng, data):
    """Lines doubled, cut, exchanged; numbers and separators replaced."""
    at = rng.randrange(len(data) + 1)
    what = rng.random()
    if what < 0.3:
        return [[at, "insert " + rng.choice((b"\n", b"\0", b"\xff\xfe", b" " * 5000, b"x" * 70000, b"0x", b"99999999999999999999", b"-1", b":", b"[", b"\r", b"[labels]\n", b"FFFFFFFF a\n" * 500)).hex()]]
    if what < 0.5:
        return [[at, f"remove {rng.choice((1, 2, 10, 100))}"]]
    if what < 0.6:
        return [[at, "cut"]]
    return byte_edits(rng, len(data), 6)


def mutation(rng, stage):
    base = rng.choice(list(stage.bases))
    data = stage.bases[base][1]
    made = {"base": base, "edits": []}
    if base == "properties" and rng.random() < 0.7:
        value = PROPERTIES
        for _ in range(rng.choice((1, 1, 2, 4))):
            value = mutated(rng, value)
        made["data"] = to_text(json.dumps(value).encode("utf-8", "surrogatepass"))
    elif base == "recording" and rng.random() < 0.6:
        lines = data.split(b"\n")[:-1]
        at = rng.randrange(len(lines))
        what = rng.random()
        if what < 0.6:
            lines[at] = json.dumps(mutated(rng, json.loads(lines[at]))).encode()
        elif what < 0.8:
            lines = lines[:at] + lines[at + 1 :] if what < 0.7 else lines[:at] + [lines[at]] * 3 + lines[at:]
        else:
            lines.insert(at, json.dumps({"frame": rng.choice((0, -1, 1 << 40, *SCALARS[:10])), "keys": rng.choice(("A", "Q", "", None, 1))}).encode())
        made["data"] = to_text(b"\n".join(lines) + b"\n")
    else:
        made["edits"] = (elf_edits if base == "elf" else text_edits)(rng, data)
    return made


def fails(stage, made):
    try:
        stage.upload(made)
        stage.check()
        return False
    except Failure:
        return True


def test_kept_files_are_read_or_refused():
    """the files of the corpus are read or refused"""
    stage = Stage()
    for name, made in corpus("files"):
        try:
            stage.upload(made)
        except Failure as problem:
            raise Failure(f"{name}: {problem}") from None
    stage.end()


def test_mutated_files_are_read_or_refused():
    """mutated files are read or refused, soon"""
    stage, statuses, warm, budget = Stage(), {}, None, Budget("files")
    for number in budget.rounds():
        made = mutation(random_of(number), stage)
        try:
            status = stage.upload(made)
            budget.add()
            statuses[(made["base"], status)] = statuses.get((made["base"], status), 0) + 1
            if budget.inputs % 100 == 0:
                stage.check()
                warm = warm or resident(stage.gateway.process.pid)
        except Failure as problem:
            if made["edits"]:
                made["edits"] = minimize(made["edits"], lambda edits: fails(stage, {**made, "edits": edits}), most=40)
            report("files", number, str(problem), made)
    grown = resident(stage.gateway.process.pid) - (warm or 0)
    stage.end()
    budget.check()
    print(f"files: {budget}: " + ", ".join(f"{count} {base} {status}" for (base, status), count in sorted(statuses.items())) + f"; the gateway grew by {grown:.0f} MB")
    assert not warm or grown < GROWTH, f"the gateway grew by {grown:.0f} MB"
