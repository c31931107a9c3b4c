"""mgba-headless called as mgba-rom-test, with rom/gba/self-test.s."""

import os
import pathlib
import signal
import struct
import subprocess

import pytest

import small_roms
from conftest import script
from checks import equal, until
from headless import PROGRAM, ROOT
from mgba_wire import TIME_LIMIT

RUNNER = str(pathlib.Path(PROGRAM).with_name("mgba-rom-test"))
SELF_TEST = ROOT / "headless/roms/self-test"
ENDINGS = ("thumb 3", "arm 3", "thumb 0x27", "arm 0x27", "arm 0x270000", "mailbox", "wild")
LINES = [f"GBA Debug: {text}" for text in ("a fatal line", "an error line", "a warning line", "an info line", "a debug line")]


def rom(name="test.gba", ending="thumb 3", code=0, kind="gba"):
    """The ROM with these parameters."""
    data = bytearray(SELF_TEST.with_suffix("." + kind).read_bytes())
    struct.pack_into("<II", data, data.index(b"ENDS") + 4, code, ENDINGS.index(ending))
    pathlib.Path(name).write_bytes(data)
    return name


class Run:
    """A run that has ended."""

    def __init__(self, *arguments, program=(RUNNER,), code=0, **options):
        command = [*program, *map(str, arguments)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT, **options)
        self.lines, self.errors = done.stdout.splitlines(), done.stderr
        equal(done.returncode, code, f"the exit code of {command} after {self.errors!r}")

    def printed(self):
        return [line for line in self.lines if line.startswith("GBA Debug: ")]


def refused(pattern, *arguments, **options):
    """A run that cannot start: one sentence on stderr, nothing on stdout."""
    run = Run(*arguments, code=1, **options)
    equal((run.lines, run.errors.count("\n")), ([], 1), "stdout and the lines of stderr")
    assert run.errors.startswith("mgba-rom-test: ") and pattern in run.errors, run.errors


@pytest.mark.versions
@pytest.mark.parametrize("kind, name", (("gba", "test.gba"), ("elf", "test.elf"), ("elf", "hydra-1234"), ("gba", "no-suffix")))
def test_rom_prints_lines_and_ends(kind, name):
    run = Run("-R", "r0", rom(name, code=0x1207, kind=kind), code=7)
    equal((run.printed(), run.errors), (LINES, ""), "the log, and stderr")
    equal(set(os.listdir(".")), {name, "roms", "saves"}, "the files, of which none is a save file")


def test_exit_code_is_0_without_a_register():
    Run(rom(code=7))


@pytest.mark.versions
@pytest.mark.parametrize("ending, options", (
    ("thumb 3", ()), ("arm 3", ()), ("thumb 0x27", ("-S", "0x27")), ("arm 0x27", ("-S39",)), ("arm 0x270000", ("-S0x27",)),
), ids=str)
def test_swi_ends_it_at_once(ending, options):
    run = Run(*options, "-Rr0", rom(ending=ending, code=5), code=5)
    equal(run.printed(), LINES, "the lines, of which none is printed after the SWI")


@pytest.mark.parametrize("ending", ("thumb 3", "arm 3", "thumb 0x27", "arm 0x270000"))
def test_another_swi_does_not_end_it(ending):
    """nor does a stopped machine, when an SWI is given"""
    run = Run("-S", "0x28", "-R", "R0", rom(ending=ending, code=5), code=5)
    equal(run.printed(), [*LINES, "GBA Debug: after"], "the lines")


def test_register_has_several_names():
    game = rom(code=5)
    for name, code in (("R0", 5), ("sp", 255), ("R13", 255), ("ip", 0)):  # sp = 0x03007F00
        Run("-R", name, game, code=code)


def test_levels_are_chosen():
    game = rom()
    equal(Run("-l", "3", game).lines, LINES[:2], "the lines of -l 3")
    equal(Run("-l15", game).lines, LINES[:4], "the lines of -l15")
    equal(Run("--log-level=16", "-ClogLevel.gba.bios=0", game).lines, LINES[4:], "the debug lines without those of the BIOS")
    equal(Run("-l15", "-C", "logLevel.gba.debug=16", game).lines, LINES[4:], "with a level of this category")
    equal(Run("--config", "logToStdout=0", game).lines, [], "without a log")


def test_lines_are_flushed(start):
    host = start("--rom-test", rom(ending="mailbox"), saves=None)
    host.out.wait("^GBA Debug: a debug line$")
    assert not host.is_over()
    host.kill(signal.SIGKILL)
    host.process.wait()


def test_mgba_headless_is_the_same_program_with_an_option():
    equal(Run("--rom-test", "-Rr0", rom(code=3), program=(PROGRAM,), code=3).printed(), LINES, "the lines")
    for command in ((RUNNER,), (PROGRAM, "--rom-test")):
        equal(Run("--version", program=command).lines[0].split()[0], "mgba-rom-test", "the name")
        assert Run("-h", program=command).lines[0].startswith("usage: mgba-rom-test")


def test_help_names_every_option():
    said = "\n".join(Run("--help").lines)
    for option in "SRlCbpcts":
        assert f"  -{option}" in said, option


def test_frames_limit_the_run():
    run = Run("--frames", "20", "-R", "r0", rom(ending="mailbox"), code=124)
    equal(run.errors, "mgba-rom-test: the ROM did not end within 20 frames\n", "stderr")
    Run("--frames", "20", "-R", "r0", rom(ending="mailbox"), "--script", answer(5, frame=15), code=5)


def test_a_wild_jump_does_not_end_it():
    """its interrupt handler may report the test as failed"""
    run = Run("--frames", "3", "-l", "64", rom(ending="wild"), code=124)
    assert "GBA Memory: Jumped to invalid address: 01000000" in run.lines[:5]


def answer(number, frame=3):
    """A script that puts a number into the ROM's mailbox."""
    script("answer.lua", f"callbacks:add('frame', function() if emu:currentFrame() == {frame} then emu:write32(0x02000000, {number}) end end)")
    return "answer.lua"


@pytest.mark.versions
def test_scripts_run():
    script("log.lua", "console:log('loaded')")
    run = Run("--script", "log.lua", "-R", "r0", rom(ending="mailbox"), "--script", answer(9), code=9)
    equal(run.lines[0], "loaded", "the first line")
    script("picture.lua", "callbacks:add('frame', function() emu:screenshot('picture.png') end)")
    run = Run("--script", "picture.lua", "--script", "answer.lua", rom("test.elf", ending="mailbox", kind="elf"))
    assert run.printed() == LINES and pathlib.Path("picture.png").exists()
    script("bad.lua", "error('no')")
    refused("bad.lua:1: no", "--script", "bad.lua", rom())


def test_script_ends_it_with_a_code():
    script("exit.lua", "callbacks:add('frame', function() console:log('bye') os.exit(6) end)")
    assert "bye" in Run("--script", "exit.lua", rom(ending="mailbox"), code=6).lines


def test_state_is_loaded():
    script("save.lua", "callbacks:add('frame', function() if emu:currentFrame() == 3 then emu:saveStateFile('state') emu:write32(0x02000000, 1) end end)")
    game = rom(ending="mailbox")
    Run("-Rr0", "--script", "save.lua", game, code=1)
    run = Run("-Rr0", "-t", "state", "--script", answer(4, frame=6), game, code=4)
    equal(run.printed(), [], "the lines, which were printed before the state was saved")
    refused("state of this game", "--savestate", "answer.lua", game)


def test_patch_is_applied():
    game = rom()
    offset = pathlib.Path(game).read_bytes().index(b"ENDS") + 4
    pathlib.Path("patch").write_bytes(b"PATCH" + offset.to_bytes(3, "big") + b"\0\1" + b"\x2a" + b"EOF")
    Run("-R", "r0", "-p", "patch", game, code=42)
    refused("IPS, UPS or BPS", "--patch", game, game)


def test_cheats_are_those_of_mgba_headless():
    pathlib.Path("ez").write_text("[Axe]\nON=00000,09\n[Bad]\nON=zz\n")
    assert 'the cheat "Bad" is not used; line 4: "zz" is no code' in Run("-c", "ez", rom()).errors
    pathlib.Path("garbage").write_text("garbage here\nmore garbage\n")
    assert 'has no cheat for this console; line 1: "garbage here" is no code' in Run("-c", "garbage", rom(), code=1).errors


def test_cheats_are_applied():
    pathlib.Path("cheats").write_text("# seven\n32000000 0007\n")
    Run("-R", "r0", "-c", "cheats", rom(ending="mailbox"), code=7)


def test_bios_handles_the_other_swis():
    vectors = {vector: f"{(0x100 - vector - 8) // 4:02x}0000ea" for vector in range(0, 0x1C, 4)}  # b 0x100
    pathlib.Path("bios").write_bytes(small_roms.build(16384, {**vectors, 0x100: "0700a0e3 0ef0b0e1"}))  # r0 = 7; movs pc, lr
    game = rom(ending="arm 0x270000", code=5)
    equal(Run("-R", "r0", "-S0x28", "-b", "bios", game, code=7).printed(), [*LINES, "GBA Debug: after"], "the lines")
    refused("not a BIOS", "--bios", game, game)


def test_wrong_options_are_refused():
    game = rom()
    refused("no ROM given")
    refused('"-x"', "-x", game)
    refused('"--nonsense"', "--nonsense", game)
    refused("-S requires a value", game, "-S")
    for value in ("256", "-1", "x", "", "0x", "3x"):
        refused("-S requires", "-S", value, game)
    for value in ("r16", "cpsr", "spsr", "", "a"):
        refused("-R requires", "-R", value, game)
    for value in ("128", "-1", "0x10", ""):
        refused("-l requires", "-l", value, game)
    refused("-s requires", "-s", "x", game)
    refused("--config requires KEY=VALUE", "-C", "=1", game)
    refused("debugger", "-d", game)
    refused("debugger", "--debug", game)
    refused("No such file", "missing.gba")
    refused("is not a GBA", "-R", "r0", "/etc/passwd")
    for option in "bpct":
        refused("No such file", f"-{option}", "missing", game)


def test_a_reader_that_is_gone_ends_it():
    reading, writing = os.pipe()
    os.close(reading)  # before it prints its last line, or it would not notice
    game = rom(ending="wild")
    process = subprocess.Popen([RUNNER, game], stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    said = process.communicate(timeout=TIME_LIMIT)[1]
    equal((process.returncode, said.count("\n")), (1, 1), "the exit code and the lines of stderr")
    assert "cannot write the output" in said


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM), ids=lambda number: number.name)
def test_a_signal_ends_it_as_any_program(number):
    process = subprocess.Popen([RUNNER, rom(ending="mailbox")], stdout=open("out", "wb"), stderr=subprocess.PIPE)
    until(lambda: b"a debug line" in pathlib.Path("out").read_bytes(), "the lines")
    process.send_signal(number)
    equal((process.wait(TIME_LIMIT), process.stderr.read()), (-number, b""), "the signal, and stderr")


def test_stop_ends_it_also_when_a_key_would_wake_the_machine():
    Run("--frames", "60", "--script", answer(3), "roms/game.gba")


@pytest.mark.versions
def test_gb_rom_ends_when_it_stops():
    code = "3e2a 013344" + GB_ENDINGS["stop"]  # ld a, 0x2A; ld bc, 0x4433
    pathlib.Path("stop.gb").write_bytes(small_roms.build(32768, {0x100: "00c35001", 0x104: "ceed6666", 0x150: code}))
    Run("stop.gb")
    Run("-R", "a", "stop.gb", code=0x2A)
    Run("-R", "BC", "stop.gb", code=0x33)
    refused("such as a, not", "-R", "r0", "stop.gb")


GB_ENDINGS = {
    "stop": "1000 18fe",
    "wait": "18fe",
    "passed": "010503 110d08 212215 40 18fe",  # registers 3, 5, 8, 13, 21, 34; ld b, b; jr
    "failed": "014242 114242 214242 40 18fe",
}


def gb_rom(ending, sent=b""):
    """A ROM that sends bytes to the link port."""
    send = "210002 2a b7 280e e001 3e81 e002 f002 cb7f 20fa 18ee"  # each byte from 0x200 on, to a 0: SB = it; SC = 0x81; wait for SC bit 7
    parts = {0x100: "00c35001", 0x104: "ceed6666", 0x150: send + GB_ENDINGS[ending], 0x200: sent.hex()}
    pathlib.Path("test.gb").write_bytes(small_roms.build(32768, parts))
    return "test.gb"


@pytest.mark.versions
def test_text_on_the_link_port_is_logged():
    text = b"first\n\n\x01\xff\rsecond " + b"x" * 300 + b"\nlast"
    lines = ["first", "", "second " + "x" * 248, "x" * 52, "last"]
    run = Run("-l15", gb_rom("stop", text))
    equal((run.lines, run.errors), ([f"GB Serial I/O: {line}" for line in lines], ""), "the lines, and stderr")
    equal(Run("-l15", "--frames", "60", gb_rom("wait", b"last"), code=124).lines, ["GB Serial I/O: last"], "the line that has no end")
    equal(Run("-l0", gb_rom("stop", text)).lines, [], "without information")


@pytest.mark.versions
def test_gb_rom_reports_its_result_by_registers():
    equal(Run("-l15", "--frames", "60", gb_rom("passed", b"text")).lines, ["GB Serial I/O: text"], "the lines")
    equal(Run("--frames", "60", gb_rom("failed"), code=1).errors, "", "stderr")
    Run("--frames", "60", "-R", "b", gb_rom("passed"), code=124)


@pytest.mark.versions
def test_gb_rom_reports_its_result_by_the_link_port():
    for sent, code in ((bytes((3, 5, 8, 13, 21, 34)), 0), (b"BBBBBB", 1)):
        equal(Run("-l15", "--frames", "60", gb_rom("wait", sent), code=code).lines, [], "the lines")
    for sent in (b"BBBBB", b"BBBBBBB"):
        equal(Run("-l15", "--frames", "60", gb_rom("wait", sent), code=124).lines, ["GB Serial I/O: " + sent.decode()], "the lines")


@pytest.mark.parametrize("text, code", (
    ("Passed all tests", 0),
    ("add: Passed\nsub: Passed", 0),
    ("3 Passed, 0 Failed\n", 0),
    ("Passed: 3 Failed: 0\n", 0),
    ("Failed: 0\n", 0),
    ("no failures", 0),
    ("5/5 tests passed", 0),
    ("Test 1 of 3 passed", 0),
    ("Failed #2", 1),
    ("3 Passed, 2 Failed\n", 1),
    ("add: Passed\nsub: Failed\n", 1),
    ("sub: Failed\nadd: Passed\n", 1),
    ("Test 0 FAILED\n", 1),
    ("3 of 5 passed", 1),
    ("Passed: 0\n", 1),
    ("Not passed", 1),
    ("01:ok  02:ok", 124),
))
def test_gb_rom_reports_its_result_by_words(text, code):
    lines = [f"GB Serial I/O: {line}" for line in text.splitlines()]
    equal(Run("-l15", "--frames", "700", gb_rom("wait", text.encode()), code=code).lines, lines, "the lines")
    Run("--frames", "500", gb_rom("wait", text.encode()), code=124)  # it might print more
    Run(gb_rom("stop", text.encode()), code=code % 124)


@pytest.mark.parametrize("code, expected", ((0, 0), (256, 255), (0x10000, 255), (257, 1)))
def test_register_that_is_not_0_is_no_success(code, expected):
    Run("-R", "r0", rom(code=code), code=expected)


def test_it_is_clean_under_valgrind(valgrind):
    script("picture.lua", "callbacks:add('frame', function() emu:screenshot('picture.png') end)")
    prefix = (*valgrind, "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", RUNNER)
    for code, *arguments in (
        (5, "-S0x27", "-Rr0", "-l15", rom(ending="thumb 0x27", code=5)),
        (124, "--frames", "5", "--script", "picture.lua", rom("test.elf", ending="mailbox", kind="elf")),
        (1, "-t", "test.elf", "test.gba"),
        (1, "-R", "r99", "test.gba"),
        (0, gb_rom("passed", b"3 Passed, 0 Failed")),
    ):
        Run(*arguments, program=prefix, code=code)
        equal(pathlib.Path("valgrind.log").read_text(), "", f"valgrind.log of {arguments}")


@pytest.mark.parametrize("name", ("crash.gba", "crash.gb"))
def test_a_game_that_executes_nothing_valid_prints_its_lines_a_few_times(name):
    """And what it prints itself as often as it does, which other tests say."""
    pathlib.Path(name).write_bytes(small_roms.CRASHING[name])
    run = Run("--frames", "30", name, code=124)
    assert 1 <= len([line for line in run.lines if "nvalid address" in line or "llegal opcode" in line]) <= 40
    assert len(run.lines) <= 40


def ends(*options, code="18fe", exit_code=0):
    """What end.txt says of the run of a Game Boy ROM with this code: its lines by their first word."""
    os.makedirs("report", exist_ok=True)
    pathlib.Path("a.gb").write_bytes(small_roms.build(32768, {0x100: "00c35001ceed6666", 0x150: code}))
    Run("--frames", "60", "--report", "report", *options, "a.gb", code=exit_code)
    assert pathlib.Path("report/picture.png").read_bytes().startswith(b"\x89PNG") and b"gbAs" in pathlib.Path("report/state.ss").read_bytes()
    return dict(line.split(" ", 1) for line in pathlib.Path("report/end.txt").read_text().splitlines())


@pytest.mark.parametrize("condition, code, frames", (
    ("ld-b-b", "06034018fe", 0), ("illegal", "0603ed", 0), ("frames:7", "060318fe", 7), ("still:20", "060318fe", None),
    ("memory:FF80=12,FF81=34", "06033e12e0803e34e08118fe", 1), ("memory:0xFF80!00", "06033e12e08018fe", 1),
))
def test_conditions_end_it(condition, code, frames):
    report = ends("--until", "memory:FF90=01", "--until", condition, code=code)
    equal((report["end"], report["b"]), (condition, "3"), "what ended it, and the register")
    assert frames is None or int(report["frames"]) == frames, report


@pytest.mark.parametrize("console, memory, options", (("gba", "02000000:65536", ()), ("gb", "C000:8192", ()), ("gb", "C000:8192", ("--until", "ld-b-b"))))
def test_instructions_are_counted_without_a_difference(console, memory, options):
    """a run with the debugger's loop (ld-b-b) has the same numbers"""
    game = ROOT / f"headless/roms/mgba-bridge-test.{console}"
    ends, counts = [], []
    for counted in ((), ("--coverage", "counts.txt"), ("--coverage", "counts.txt", *options)):
        os.makedirs("report", exist_ok=True)
        Run(*counted, "--report", "report", "--read", memory, "--keys", "20:1,30:40", "--until", "frames:300", game)
        ends.append(pathlib.Path("report/end.txt").read_text())
        counts.append(pathlib.Path("counts.txt").read_text().splitlines() if counted else [])
    assert ends[0] == ends[1] == ends[2], "the end is another one"
    equal(counts[1], counts[2], "the numbers with the debugger's loop")
    addresses = [line.split()[0] for line in counts[1]]
    first = "8000000" if console == "gba" else "0:100"
    assert first in addresses and len(addresses) > 100, addresses
    assert all(int(line.split()[1]) > 0 for line in counts[1])


def test_counts_need_a_file():
    refused("give --coverage a file that can be written", "--coverage", "missing/counts.txt", rom())


def test_save_files_are_used_in_a_given_folder_only():
    """the test game saves when a script writes the command"""
    game = ROOT / "headless/roms/mgba-bridge-test.gba"
    script("saves.lua", """
        local count = 0
        callbacks:add("frame", function()
          count = count + 1
          if count == 30 then emu:write32(0x02000018, 1) end
        end)
    """)
    os.makedirs("kept", exist_ok=True)
    for saves in range(1, 3):
        Run("--saves", "kept", "--frames", "40", "--script", "saves.lua", game, code=124)
        equal(pathlib.Path("kept/mgba-bridge-test.sav").read_bytes()[:8], b"MBSV" + bytes([saves, 0, 0, 0]), "the save file")
    Run("--frames", "40", "--script", "saves.lua", game, code=124)
    equal(pathlib.Path("kept/mgba-bridge-test.sav").read_bytes()[4], 2, "the number of saves")
    refused("is not a directory", "--saves", "missing", game)


def test_moments_are_reported_at_the_end_of_their_frame():
    """units.elf fails a test, and runs for three frames until it ends"""
    os.makedirs("report", exist_ok=True)
    units = ROOT / "headless/roms/units.elf"
    run = Run("-l", "15", "-R", "r0", "--report", "report", "--report-at", "GBA Debug: :F", "--report-at", "no such line", units, code=1)
    equal(run.lines[-2:], ["GBA Debug: :FFAIL", "mgba-rom-test: report 1"], "the log")
    equal(sorted(os.listdir("report")), ["end.txt", "picture-1.png", "picture.png", "state-1.ss", "state.ss"], "the files")
    assert pathlib.Path("report/picture-1.png").read_bytes().startswith(b"\x89PNG")
    Run("-l", "15", "--report", "report", "--until", "log:EXPECT_EQ(23", "--until", "log:never", units)
    equal(pathlib.Path("report/end.txt").read_text().split("\n")[0], "end log:EXPECT_EQ(23", "the end by a line of the log")
    refused("log:TEXT", "--until", "log:", units)
    Run("-t", "report/state-1.ss", "-R", "r0", "--report", "report", units, code=1)
    equal(pathlib.Path("report/end.txt").read_text().split("\n")[:2], ["end stop", "frames 2"], "the end, seen from the moment")
    refused("requires --report FOLDER", "--report-at", "text", units)
    refused("requires a text", "--report", "report", "--report-at", "", units)


def test_report_has_memory_and_every_end():
    equal(ends("--read", "FF80:2", "--read", "0x150:2", code="3e12e0803e34e08118fe", exit_code=124).get("0xFF80"), "1234", "the memory")
    equal(ends(exit_code=124)["end"], "none", "the end by --frames")
    equal(ends(code="1000")["end"], "stop", "the end by stop")
    equal(ends(code="060342414e" "18fe", exit_code=124)["end"], "none", "the end without a result")
    equal(ends(code="06030e0516081e0d26152e2218fe")["end"], "result", "the end by registers")
    equal(ends("--until", "frames:3", code="06030e0516081e0d26152e2218fe")["end"], "frames:3", "the end with a condition, where registers are none")


def test_keys_are_held():
    code = "3e10e000f000f0002fe60147e08018f2"  # P1 = 0x10; b = (0xFF80) = whether A is down
    equal(ends("--until", "frames:10", code=code)["b"], "0", "A without keys")
    equal(ends("--until", "frames:10", "--keys", "3:0,5:1", code=code)["b"], "1", "A")
    equal(ends("--until", "frames:10", "--keys", "2:3,5:2", code=code)["b"], "0", "A, released")
    equal(ends("--until", "memory:FF80=01", "--keys", "5:1", code=code)["frames"], "6", "the frame in which A is seen")


def test_wrong_conditions_are_refused():
    game = rom()
    for value in ("", "ldbb", "still:0", "still:x", "frames:", "memory:", "memory:FF80", "memory:FF80=1", "memory:=11", "memory:FF80=11,FF81!22", "memory:FF80=11,", "memory:XX=11"):
        refused("--until requires", "--until", value, game)
    for value in ("", "FF80", "FF80:0", "FF80:65537", "G:1"):
        refused("--read requires", "--read", value, game)
    for value in ("", "1", "1:", "x:1", "1:400", "1:1,", "1:1;2:2", "1000001:1"):
        refused("--keys requires", "--keys", value, game)
    refused("--until may be given 16 times", *["--until", "frames:1"] * 17, game)
    assert "cannot write the report" in Run("--until", "frames:1", "--report", "missing", game, code=1).errors
