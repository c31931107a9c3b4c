"""headless.disassemble: ARM and Thumb as GNU objdump writes them, the SM83 of the Game Boy beside a table of its opcodes."""

import collections
import pathlib
import random
import re
import shutil
import struct
import subprocess

import pytest

from checks import equal
from conftest import script

CODE = 0x08000200  # where the code of a GBA ROM of these tests begins
GB_CODE = 0x150
MOST = 4096  # lines that one call gives
RANDOM_WORDS = 20_000
TOOLS = "arm-none-eabi-"

Line = collections.namedtuple("Line", "bank address bytes kind target_bank target value text")

needs_objdump = pytest.mark.skipif(not shutil.which(f"{TOOLS}objdump"), reason="there is no arm-none-eabi-objdump")


def gba(code):
    header = bytearray(CODE & 0xFFFF)
    header[0:4] = struct.pack("<I", 0xEA00002E)  # b 0xC0
    header[0xB2] = 0x96
    header[0xC0:0xC4] = struct.pack("<I", 0xEAFFFFFE)  # b 0xC0
    return bytes(header) + code


def gb(code, size=0x8000):
    rom = bytearray(size)
    rom[0x100:0x104] = bytes.fromhex("00c35001")
    rom[0x104:0x108] = bytes.fromhex("ceed6666")
    if size > 0x8000:
        rom[0x147:0x149] = bytes((0x19, size.bit_length() - 16))  # MBC5
    rom[GB_CODE : GB_CODE + len(code)] = code
    return bytes(rom)


def read(line):
    bank, address, code, kind, target_bank, target, value, text = line.split(" ", 7)
    return Line(int(bank), int(address), bytes.fromhex(code.strip('"')), kind.strip('"'), *(None if one == "nil" else int(one) for one in (target_bank, target, value)), text.strip('"'))


@pytest.fixture
def disassemble(runs):
    """The lines of (address, count, mode, bank) …, of a game that has run one frame."""

    def disassemble(rom, suffix, *calls, before="", after="true"):
        pathlib.Path(f"code.{suffix}").write_bytes(rom)
        wanted = "".join(f"{{{address}, {count}, '{mode}', {bank}}}," for address, count, mode, bank in calls)
        script("disassemble.lua", f"""local file, done = io.open("lines", "w"), false
            local function ask(address, count, mode, bank)
              while count > 0 do
                local text = headless.disassemble(address, math.min(count, {MOST}), mode, bank)
                local _, found = text:gsub("\\n", "")
                file:write(text)
                count = count - {MOST}
                local last, bytes = text:match("^%d+ (%d+) .(%x+)", (text:find("[^\\n]*\\n$")))
                if found < {MOST} or count <= 0 then return end
                address = math.tointeger(last) + #bytes // 2
              end
            end
            callbacks:add("frame", function()
              if done then return end
              done = true
              {before}
              for _, call in ipairs({{{wanted}}}) do ask(table.unpack(call)) end
              file:close()
              assert({after})
            end)""")
        runs(0, "--fps", "0", "--frames", "1", "--script", "disassemble.lua", f"code.{suffix}").err.refuse("callback frame")
        return [read(line) for line in pathlib.Path("lines").read_text(encoding="ascii").splitlines()]

    return disassemble


# --- beside objdump ------------------------------------------------------------------------------------------------------------------


def run(*command):
    return subprocess.run([TOOLS + command[0], *command[1:]], check=True, capture_output=True, text=True, timeout=120).stdout


def number(match):
    value = match[1]
    return f"#{value if value == '-0' else int(value, 0) % 2**32}"


def normal(text):
    """Without comments and symbols; numbers in one form, a rotated one as its value; "data" for what is no instruction."""
    text = " ".join(re.sub("<.*>", "", re.sub("[@;].*", "", text)).lower().split())
    if not text or text.startswith("."):
        return "data"
    if rotated := re.search(r"(?<!\]), #(\d+), (\d+)$", text):
        value, by = int(rotated[1]), int(rotated[2])
        text = f"{text[: rotated.start()]}, #{(value >> by | value << (32 - by)) % 2**32}"
    if jump := re.fullmatch(r"(bl?(?!ic)[a-z.]*) (?:0x)?([0-9a-f]+)", text):
        return f"{jump[1]} {int(jump[2], 16):x}"
    return re.sub(r"#(-?(?:0x[0-9a-f]+|\d+))", number, text)


# The instructions of this processor. objdump also knows those of later ones, and of coprocessors, which is data here.
OURS = re.compile(r"((and|eor|sub|rsb|add|adc|sbc|rsc|orr|mov|bic|mvn|lsl|lsr|asr|ror|rrx|mul|mla|[us]mull|[us]mlal)s?|negs|(tst|teq|cmp|cmn)p?|ldr(b|h|sb|sh|t|bt)?|"
    r"str(b|h|t|bt)?|(ldm|stm)(ia|ib|da|db|fd)?|b|bl|bx|svc|swpb?|mrs|msr|push|pop|nop|udf)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(\.n)?(\s|$)")
LATER_NOP = "bf00"


def objdump(elf):
    """address → (length in bytes, text or "" for an instruction of another processor), of what the mapping symbols call code."""
    found = {}
    for line in run("objdump", "-d", "-z", elf).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*(?:\t(.*))?$", line)
        if match and not (match[3] or "").startswith(".") and "UNPREDICTABLE" not in line:
            is_ours = match[2] != LATER_NOP and OURS.match(normal(match[3] or "")) and "illegal" not in line
            found[int(match[1], 16)] = len(match[2].replace(" ", "")) // 2, match[3] if is_ours else ""
    return found


def differences(lines, expected):
    ours = {line.address: line for line in lines}
    return [(hex(address), ours.get(address), text) for address, (size, text) in expected.items()
        if address not in ours or len(ours[address].bytes) != size or normal(ours[address].text) != normal(text)]


def runs_of_code(elf, expected):
    """(address, count of instructions, mode) of code that is contiguous and of one mode."""
    modes = {}
    for line in run("nm", "-n", "--special-syms", elf).splitlines():
        if match := re.match(r"([0-9a-f]+) \w \$([atd])", line):
            modes[int(match[1], 16)] = match[2]
    found, mode, follows = [], "d", None
    for address, (size, _) in expected.items():
        previous, mode = mode, modes.get(address, mode)
        if mode == "d":
            follows = None
        elif follows != address or mode != previous:
            found.append([address, 1, {"a": "arm", "t": "thumb"}[mode]])
            follows = address + size
        else:
            found[-1][1] += 1
            follows += size
    return found


def archives():
    """Libraries of the compiler for this processor, in ARM and Thumb: always libgcc, and others if they are installed."""
    for mode in ("-marm", "-mthumb"):
        for name in ("libgcc.a", "libc.a", "libm.a", "libstdc++.a"):
            path = run("gcc", mode, f"-print-file-name={name}").strip() if shutil.which(f"{TOOLS}gcc") else name
            if name == "libgcc.a" or "/" in path:
                yield pytest.param(path, id=f"{name} {mode}")


@needs_objdump
@pytest.mark.parametrize("archive", archives())
def test_compiled_code_is_that_of_objdump(disassemble, archive):
    run("ld", "-z", "muldefs", "--whole-archive", archive, f"-Ttext={CODE:#x}", "-e", f"{CODE:#x}", "--unresolved-symbols=ignore-all",
        "--defsym", "__dso_handle=0", "-o", "code.elf")
    run("objcopy", "-O", "binary", "-j", ".text", "code.elf", "code.bin")
    expected = objdump("code.elf")
    calls = runs_of_code("code.elf", expected)
    lines = disassemble(gba(pathlib.Path("code.bin").read_bytes()), "gba", *((*call, -1) for call in calls))
    assert len(lines) == sum(count for _, count, _ in calls) > 10_000
    equal(differences(lines, expected)[:9], [], "what differs")


def assembled(directive, mode, values):
    pathlib.Path("code.s").write_text(f".arch armv4t\n.{mode}\n" + "".join(f"{directive} {value:#x}\n" for value in values), encoding="ascii")
    run("as", "code.s", "-o", "code.o")
    run("ld", f"-Ttext={CODE:#x}", "-e", f"{CODE:#x}", "code.o", "-o", "code.elf")
    return objdump("code.elf")


def is_later(word):
    """An encoding that this processor has not, or leaves undefined, and objdump reads as one of a later processor: a test without its flags; MOV and MVN of two
    operands; the user's halfwords; a halfword from PC that would write PC back."""
    is_test = word & 0x0D900000 == 0x01000000
    is_move = word & 0x0DA00000 == 0x01A00000 and word & 0x000F0000
    is_half = word & 0x0E000090 == 0x00000090 and word & 0x60
    return is_test or is_move or is_half and (word & 0x01200000 == 0x00200000 or word & 0x012F0000 == 0x012F0000)


@needs_objdump
def test_random_words_are_those_of_objdump(disassemble):
    numbers = random.Random(59)
    words = [numbers.getrandbits(32) for _ in range(RANDOM_WORDS)]
    words = [word if i % 4 == 0 else word % 2**28 | 0xE0000000 for i, word in enumerate(words)]
    words = [word for word in words if not is_later(word)]
    expected = assembled(".inst", "arm", words)
    lines = disassemble(gba(struct.pack(f"<{len(words)}I", *words)), "gba", (CODE, len(words), "arm", -1))
    equal(differences(lines, expected)[:9], [], "what differs")


@needs_objdump
def test_all_thumb_instructions_are_those_of_objdump(disassemble):
    codes = [code for code in range(0xE800) if code >> 8 != 0xBF and not 0x4700 <= code < 0x4780 or code % 8 == 0 and code < 0x4780]
    expected = assembled(".inst.n", "thumb", codes)
    lines = disassemble(gba(struct.pack(f"<{len(codes)}H", *codes)), "gba", (CODE, len(codes), "thumb", -1))
    equal(len(lines), len(codes), "lines")
    equal(differences(lines, expected)[:9], [], "what differs")


# --- where they lead -----------------------------------------------------------------------------------------------------------------


def flow(line):
    return line.text, line.kind, line.target, line.value


@pytest.mark.versions
def test_kinds_targets_and_values_of_arm(disassemble):
    words = (0xEA000000, 0xEBFFFFFD, 0xE12FFF1E, 0xE12FFF13, 0xE59F0018, 0xE28F1014, 0xE59FF010, 0xE8BD8010, 0xE25EF004, 0xE1A0F00E, 0xEF050000, 0xE1CF10B0, 0x12345679)
    lines = disassemble(gba(struct.pack(f"<{len(words)}I", *words)), "gba", (CODE, len(words) - 1, "arm", -1))
    pool = CODE + 0x30
    equal([flow(line) for line in lines], [
        ("b 0x08000208", "branch", 0x08000208, None), ("bl 0x08000200", "call", 0x08000200, None), ("bx lr", "return", None, None), ("bx r3", "branch", None, None),
        ("ldr r0, [pc, #24]", "data", pool, 0x12345679), ("add r1, pc, #20", "data", pool, None), ("ldr pc, [pc, #16]", "branch", 0x12345678, None),
        ("pop {r4, pc}", "return", None, None), ("subs pc, lr, #4", "return", None, None), ("mov pc, lr", "return", None, None),
        ("svc 0x00050000", "interrupt", None, None), ("strh r1, [pc]", "data", 0x08000234, None),
    ], "lines")


def test_kinds_targets_and_values_of_thumb(disassemble):
    halves = (0xD0FE, 0xE7FD, 0xF000, 0xF802, 0xF000, 0x46C0, 0x4770, 0x4718, 0xBD10, 0xDF06, 0x4801, 0xA101, 0x46F7, 0x46C0, 0x5678, 0x1234)
    lines = disassemble(gba(struct.pack(f"<{len(halves)}H", *halves)), "gba", (CODE + 1, 13, "", -1))
    equal([flow(line) for line in lines], [
        ("beq.n 0x08000200", "branch", 0x08000200, None), ("b.n 0x08000200", "branch", 0x08000200, None), ("bl 0x0800020c", "call", 0x0800020C, None),
        (".short 0xf000", "undefined", None, None), ("nop", "other", None, None), ("bx lr", "return", None, None), ("bx r3", "branch", None, None), ("pop {r4, pc}", "return", None, None),
        ("svc 6", "interrupt", None, None), ("ldr r0, [pc, #4]", "data", 0x0800021C, 0x12345678), ("add r1, pc, #4", "data", 0x0800021C, None), ("mov pc, lr", "return", None, None),
        ("nop", "other", None, None),
    ], "lines")


@pytest.mark.versions
def test_the_mode_is_the_processors_and_the_address_its_pc(disassemble):
    lines = disassemble(gba(b""), "gba", (-1, 1, "", -1), (0x080000C0, 1, "thumb", -1), (0x080000C2, 1, "arm", -1))
    equal([(line.address, line.text) for line in lines], [(0x080000C0, "b 0x080000c0"), (0x080000C0, ".short 0xfffe"), (0x080000C0, "b 0x080000c0")], "lines")


@pytest.mark.parametrize("call", ((0x08000000, 9, "sm83", -1), (0x08000000, 9, "mips", -1), (0x08000000, 0, "", -1), (0x08000000, -5, "", -1), (1 << 40, 9, "", -1)))
def test_what_cannot_be_gives_no_lines(disassemble, call):
    equal(disassemble(gba(b""), "gba", call), [], "lines")


def test_of_another_processor_there_are_no_lines(disassemble):
    equal(disassemble(gb(b""), "gb", (0x150, 9, "arm", -1), (0x150, 9, "thumb", -1), (0x10000, 9, "", -1)), [], "lines")


# --- SM83 ----------------------------------------------------------------------------------------------------------------------------

# In the order of their opcodes; n8, n16 and e8 are what follows. From the table at gbdev.io; what is missing hangs the processor.
OPCODES = """
nop|ld bc, n16|ld [bc], a|inc bc|inc b|dec b|ld b, n8|rlca|ld [n16], sp|add hl, bc|ld a, [bc]|dec bc|inc c|dec c|ld c, n8|rrca
stop n8|ld de, n16|ld [de], a|inc de|inc d|dec d|ld d, n8|rla|jr e8|add hl, de|ld a, [de]|dec de|inc e|dec e|ld e, n8|rra
jr nz, e8|ld hl, n16|ld [hl+], a|inc hl|inc h|dec h|ld h, n8|daa|jr z, e8|add hl, hl|ld a, [hl+]|dec hl|inc l|dec l|ld l, n8|cpl
jr nc, e8|ld sp, n16|ld [hl-], a|inc sp|inc [hl]|dec [hl]|ld [hl], n8|scf|jr c, e8|add hl, sp|ld a, [hl-]|dec sp|inc a|dec a|ld a, n8|ccf
ld b, b|ld b, c|ld b, d|ld b, e|ld b, h|ld b, l|ld b, [hl]|ld b, a|ld c, b|ld c, c|ld c, d|ld c, e|ld c, h|ld c, l|ld c, [hl]|ld c, a
ld d, b|ld d, c|ld d, d|ld d, e|ld d, h|ld d, l|ld d, [hl]|ld d, a|ld e, b|ld e, c|ld e, d|ld e, e|ld e, h|ld e, l|ld e, [hl]|ld e, a
ld h, b|ld h, c|ld h, d|ld h, e|ld h, h|ld h, l|ld h, [hl]|ld h, a|ld l, b|ld l, c|ld l, d|ld l, e|ld l, h|ld l, l|ld l, [hl]|ld l, a
ld [hl], b|ld [hl], c|ld [hl], d|ld [hl], e|ld [hl], h|ld [hl], l|halt|ld [hl], a|ld a, b|ld a, c|ld a, d|ld a, e|ld a, h|ld a, l|ld a, [hl]|ld a, a
add a, b|add a, c|add a, d|add a, e|add a, h|add a, l|add a, [hl]|add a, a|adc a, b|adc a, c|adc a, d|adc a, e|adc a, h|adc a, l|adc a, [hl]|adc a, a
sub a, b|sub a, c|sub a, d|sub a, e|sub a, h|sub a, l|sub a, [hl]|sub a, a|sbc a, b|sbc a, c|sbc a, d|sbc a, e|sbc a, h|sbc a, l|sbc a, [hl]|sbc a, a
and a, b|and a, c|and a, d|and a, e|and a, h|and a, l|and a, [hl]|and a, a|xor a, b|xor a, c|xor a, d|xor a, e|xor a, h|xor a, l|xor a, [hl]|xor a, a
or a, b|or a, c|or a, d|or a, e|or a, h|or a, l|or a, [hl]|or a, a|cp a, b|cp a, c|cp a, d|cp a, e|cp a, h|cp a, l|cp a, [hl]|cp a, a
ret nz|pop bc|jp nz, n16|jp n16|call nz, n16|push bc|add a, n8|rst $00|ret z|ret|jp z, n16|CB|call z, n16|call n16|adc a, n8|rst $08
ret nc|pop de|jp nc, n16||call nc, n16|push de|sub a, n8|rst $10|ret c|reti|jp c, n16||call c, n16||sbc a, n8|rst $18
ldh [a8], a|pop hl|ldh [c], a|||push hl|and a, n8|rst $20|add sp, d8|jp hl|ld [n16], a||||xor a, n8|rst $28
ldh a, [a8]|pop af|ldh a, [c]|di||push af|or a, n8|rst $30|ld hl, sp+d8|ld sp, hl|ld a, [n16]|ei|||cp a, n8|rst $38
""".replace("\n", "|").strip("|").split("|")
REGISTERS = ("b", "c", "d", "e", "h", "l", "[hl]", "a")
PREFIXED = [f"{name} {register}" for name in ("rlc", "rrc", "rl", "rr", "sla", "sra", "swap", "srl") for register in REGISTERS] + [
    f"{name} {bit}, {register}" for name in ("bit", "res", "set") for bit in range(8) for register in REGISTERS]
SIZES = {"n16": 3, "n8": 2, "e8": 2, "a8": 2, "d8": 2}


def expected_sm83(opcode, address):
    """(size, text) of the opcode with 0x34 0x92 behind it."""
    text = OPCODES[opcode]
    if not text:
        return 1, f"db ${opcode:02x}"
    size = next((size for name, size in SIZES.items() if name in text), 1)
    values = {"n16": "$9234", "n8": "$34", "e8": f"${address + 2 + 0x34:04x}", "a8": "$ff34", "d8": "$34"}
    return size, re.sub("n16|[need]8|a8", lambda match: values[match[0]], text)


def test_all_opcodes_of_the_game_boy(disassemble):
    equal((len(OPCODES), len(PREFIXED)), (256, 256), "opcodes")
    code = b"".join(bytes((opcode, 0x34, 0x92, 0)) for opcode in range(256) if opcode != 0xCB) + b"".join(bytes((0xCB, opcode)) for opcode in range(256))
    calls = [(GB_CODE + 4 * i, 1, "sm83", -1) for i in range(255)] + [(GB_CODE + 4 * 255, 256, "", -1)]
    lines = disassemble(gb(code), "gb", *calls)
    addresses = [GB_CODE + 4 * i for i in range(255)]
    expected = [expected_sm83(opcode, address) for opcode, address in zip((opcode for opcode in range(256) if opcode != 0xCB), addresses)] + [(2, text) for text in PREFIXED]
    equal([(len(line.bytes), line.text) for line in lines], expected, "lines")


def test_kinds_and_targets_of_the_game_boy(disassemble):
    code = bytes.fromhex("18fe c25001 cd0041 ef c9 d9 d0 e9 fa34c1 e080 f8fe e8fe 0834d0 d3")
    lines = disassemble(gb(code), "gb", (GB_CODE, 15, "", -1))
    equal([flow(line)[:3] for line in lines], [
        ("jr $0150", "branch", 0x0150), ("jp nz, $0150", "branch", 0x0150), ("call $4100", "call", 0x4100), ("rst $28", "call", 0x0028), ("ret", "return", None),
        ("reti", "return", None), ("ret nc", "return", None), ("jp hl", "branch", None), ("ld a, [$c134]", "data", 0xC134), ("ldh [$ff80], a", "data", 0xFF80),
        ("ld hl, sp-$02", "other", None), ("add sp, -$02", "other", None), ("ld [$d034], sp", "data", 0xD034), ("db $d3", "undefined", None), ("nop", "other", None),
    ], "lines")


@pytest.mark.versions
def test_banks_of_the_game_boy(disassemble):
    rom = bytearray(gb(bytes.fromhex("18fe"), 0x10000))
    for bank in (1, 2, 3):
        rom[0x4000 * bank : 0x4000 * bank + 6] = bytes((0x3E, bank)) + bytes.fromhex("cd1040c9")
    lines = disassemble(bytes(rom), "gb", (0x4000, 2, "", -1), (0x4000, 2, "", 3), (0x4000, 1, "", -1), before="emu:write8(0x2000, 2)")
    equal([(line.bank, line.text, line.target_bank, line.target) for line in lines], [
        (2, "ld a, $02", None, None), (2, "call $4010", 2, 0x4010), (3, "ld a, $03", None, None), (3, "call $4010", 3, 0x4010), (2, "ld a, $02", None, None),
    ], "lines")


def test_code_ends_where_the_addresses_end(disassemble):
    lines = disassemble(gb(b""), "gb", (0xFFFD, 9, "", -1), before="emu:write8(0xFFFD, 0x3E) emu:write8(0xFFFE, 0x05) emu:write8(0xFFFF, 0xCD)")
    equal([line.text for line in lines], ["ld a, $05", "db $cd"], "lines")


def test_registers_are_read_without_effect(disassemble):
    count = "local keys = 0 callbacks:add('keysRead', function() keys = keys + 1 end) local before = emu:saveStateBuffer(0)"
    lines = disassemble(gb(b""), "gb", (0xFF00, 128, "", -1), before=f"{count} after = function() return emu:saveStateBuffer(0) == before and keys == 0 end", after="after()")
    assert lines
