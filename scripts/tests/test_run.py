"""The commands behind `make`, on the real emulator."""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess

import pytest

import ports
import processes
from caller import Caller
from checks import equal, until
from gateway import PATIENT_ENVIRONMENT
from headless import ROMS
from instance import ROOT
from mgba_wire import TIME_LIMIT, Failure
from programs import Program, end_all


class Run(Program):
    """A command in the project's folder."""

    def __init__(self, folder, *command, settings, **options):
        self.pids = []
        super().__init__(*command, folder=folder, cwd=ROOT, env={**os.environ, **PATIENT_ENVIRONMENT, **settings}, **options)

    def text(self):
        return self.out.text() + self.err.text()

    def up(self):
        """Waits until the whole run is ready, and reads its addresses from what it says."""
        until(lambda: self.out.lines("^End: ") or self.is_over(), f"it starts: {self.text()}", seconds=2 * TIME_LIMIT)
        if not self.out.lines("^End: "):
            raise Failure(f"it did not start: {self.text()}")
        self.url, self.lua_port = self.out.find(r"^  HTTP +(\S+)"), int(self.out.find(r"script 127.0.0.1:(\d+)\)"))
        self.pids = [pid for pid in processes.descendants(self.pid) if processes.name(pid) in ("dotnet", "mgba-headless")]
        self.gateway, self.emulator = self.pids
        return self

    def nothing_left(self):
        for pid in self.pids:
            until(lambda: processes.has_ended(pid), f"process {pid} ends")

    def end(self):
        end_all(self.pids)
        super().end()


@pytest.fixture(scope="module", autouse=True)
def built():
    subprocess.run([ROOT / "scripts/build", "emulator", "gateway"], check=True)


@pytest.fixture
def start(tmp_path):
    """Starts a command with these settings in its environment."""
    started = []

    def start(*command, stdin=subprocess.DEVNULL, **settings):
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(Run(folder, *command, stdin=stdin, settings=settings))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def in_a_terminal(start):
    """Starts a command in a terminal of its own, whose keyboard is the program's stdin."""

    def in_a_terminal(*command):
        # A program that was started in the background may ignore SIGINT, and so would its children.
        return start("env", "--default-signal=INT,QUIT", "script", "-qfc", shlex.join(map(str, command)), "/dev/null", stdin=subprocess.PIPE)

    return in_a_terminal


def echoes(url):
    return Caller(url).send("GET", "/mgbaendpoint?message=hello")[1] == b"hello"


def shell(line, **options):
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=TIME_LIMIT, **options)


# --- make run


def test_make_run_answers_and_sigterm_ends_both(start, tmp_path):
    run = start("make", "run").up()
    shell(run.out.find("^Try: *(.*)"), cwd=tmp_path)
    equal((tmp_path / "game.png").read_bytes()[1:4], b"PNG", "picture of the command after Try")
    equal([Caller(run.url).send("GET", path)[0] for path in ("/healthz", "/readyz")], [200, 200])
    run.out.expect(re.escape(run.url))
    run.out.expect(f"127.0.0.1:{run.lua_port}")
    run.out.expect(f"^  page  *{run.url}/$")
    run.kill()
    until(run.is_over, "the end of make")
    run.nothing_left()
    run.out.expect(r"^Ended\.$")
    until(lambda: not ports.is_listening(run.lua_port), f"port {run.lua_port} is free")  # another program may take it for a while


def test_an_address_of_the_user_is_used(start):
    url = f"http://127.0.0.1:{ports.free_port()}"
    equal(start("make", "run", ASPNETCORE_URLS=url).up().url, url, "address")


def test_scripts_run_exits_with_0_on_sigterm(start):
    run = start("scripts/run").up()
    run.kill()
    run.ended(0)
    run.nothing_left()


def test_a_later_start_builds_nothing(start):
    run = start("make", "run").up()
    assert not re.search("building|installing", run.text())


def test_the_curl_lines_of_the_readme_work(start, tmp_path):
    lines = re.findall(r"^ *(?:\$ )?(curl .*:5000.*)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(lines) >= 5
    run = start("make", "run").up()
    for line in lines:
        line = re.sub(r"(http://)?(localhost|127\.0\.0\.1):5000", run.url, line).replace("curl", "curl -fsS -m 60", 1)
        answer = shell(line, cwd=tmp_path)  # some write files
        assert answer.returncode == 0, f"not answered: {line}: {answer.stderr}"


def test_ctrl_c_in_a_terminal_ends_both(in_a_terminal):
    run = in_a_terminal("make", "-C", ROOT, "run").up()
    run.process.stdin.write(b"\3")
    run.process.stdin.flush()
    until(run.is_over, "the end of make")
    run.nothing_left()
    run.out.expect(r"Ended\.")


def test_a_killed_gateway_leaves_nothing_running(start):
    run = start("scripts/run").up()
    equal(run.gateway, run.pid, "process id of the gateway")
    run.kill(signal.SIGKILL)
    run.nothing_left()


def test_a_killed_make_leaves_nothing_running(start):
    run = start("make", "run").up()
    run.kill(signal.SIGKILL)
    run.nothing_left()


def test_a_users_rom_runs_and_is_saved_in_its_folder(start, tmp_path):
    folder = tmp_path / "my games"
    folder.mkdir()
    rom = shutil.copy(ROMS["gba"], folder / "my game.gba")
    run = start("make", "run", f"ROM={rom}", "FPS=120").up()
    assert echoes(run.url)
    equal(Caller(run.url).send("PUT", "/v2/memory/0x02000018/u32", {"value": 1})[0], 200)  # makes the test ROM save
    run.kill()
    until(run.is_over, "the end of make")
    run.nothing_left()
    assert (folder / "my game.sav").stat().st_size > 0


# --- other commands


def test_without_apt_the_missing_packages_are_named(bare):
    dpkg = pathlib.Path(bare["PATH"], "dpkg-query")
    dpkg.write_text("#!/bin/sh\nexit 1\n")
    dpkg.chmod(0o755)
    said = subprocess.run([ROOT / "scripts/install", "emulator", "run"], capture_output=True, text=True, env=bare)
    assert said.returncode != 0
    assert "sudo apt-get install -y gcc libc6-dev make cmake pkg-config patch xz-utils curl libelf-dev" in said.stdout + said.stderr


def test_core_of_mgba_without_a_compiler_names_what_installs_it(bare):
    said = subprocess.run([ROOT / "scripts/engine"], capture_output=True, text=True, env=bare)
    equal((said.returncode, said.stderr), (1, "engine: cc is missing; scripts/install emulator installs it\n"), "what it says")


@pytest.mark.parametrize("source", ["changed", "cut", "missing"])
def test_source_of_mgba_that_is_not_the_published_one_is_refused(tmp_path, source):
    """nothing is built of it, and the sentence says where another one can be given"""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    folder = tmp_path / "source"
    folder.mkdir()
    if source != "missing":
        (archive,) = (ROOT / "artifacts/engine-source").glob("*.orig.tar.xz")
        data = archive.read_bytes()
        (folder / archive.name).write_bytes(data[:1000] + b"!" + data[1001:] if source == "changed" else data[:-1])
    # without a network
    said = subprocess.run([tmp_path / "scripts/engine"], capture_output=True, text=True, env={**os.environ, "MGBA_SOURCE": str(folder), "https_proxy": "http://127.0.0.1:1"})
    assert said.returncode == 1 and said.stdout == ""
    assert ("its SHA-256 is another" in said.stderr) == (source != "missing")
    assert re.search(r"set MGBA_SOURCE to a folder with mgba_[^ ]*\.orig\.tar\.xz and mgba_[^ ]*\.debian\.tar\.xz$", said.stderr.strip()), said.stderr
    assert sorted(path.name for path in (tmp_path / "artifacts").iterdir()) == ["engine-source", "engine.lock"]
    assert list((tmp_path / "artifacts/engine-source").iterdir()) == []


PYTEST = """#!/bin/sh
case $1 in
  playing) printf 'ok - fine (1m 02s 500ms)\\nok - fast (20.5 s)\\nplaying: 2 passed, 0 failed, 1 skipped\\n' ;;
  web) printf 'ok - good\\nnot ok - bad\\n# why\\n# E   1 != 2\\nweb: 1 passed, 1 failed, 0 skipped\\n'; exit 1 ;;
  chaos) echo ok - begun; exit 3 ;;
  faults) echo 'faults: 1 passed, 0 failed, 0 skipped'; exit 4 ;;
esac
"""


def test_suites_are_added_up_and_a_broken_one_counts(tmp_path):
    scripts = shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    for name, text in (("install", "#!/bin/sh\n"), ("build", "#!/bin/sh\n"), ("pytest", PYTEST)):
        (scripts / name).write_text(text)
    (scripts / "tests/gateway.sh").unlink()

    def add(*suites):
        said = subprocess.run([scripts / "test", *suites], capture_output=True, text=True)
        return said.returncode, said.stdout

    code, said = add("playing")
    equal((code, said.splitlines()[-1]), (0, "2 passed, 0 failed, 1 skipped"), "the sum of one")
    assert re.search(r"^ +62\.5 s  playing: fine\n +20\.5 s  playing: fast$", said, re.MULTILINE), said
    code, said = add("playing", "web", "chaos", "faults", "gateway")
    assert code != 0
    *_, bad, why, chaos, faults, gateway, _, sum_of_all = said.splitlines()
    equal((sum_of_all, bad, why), ("4 passed, 4 failed, 1 skipped", "web: not ok - bad", "web: # E   1 != 2"), "the sum, and the failures before it")
    assert chaos.startswith("chaos: not ok - chaos ended without its last line (exit code 3")
    equal(faults, "faults: not ok - faults ended with exit code 4 although nothing failed")
    equal(gateway, "gateway: not ok - the suite is missing: scripts/tests/gateway.sh")
    assert not re.search("^ok - (fine|good)", said, re.MULTILINE)
    assert re.search("^# why", said, re.MULTILINE)


def test_public_suites_are_scored(tmp_path):
    """two copies of the test game, of which a rule beside them passes one, and a ROM that no rule fits"""
    roms = tmp_path / "roms"
    (roms / "games").mkdir(parents=True)
    for name in ("games/red.gb", "games/green.gb", "other.gb"):
        shutil.copy(ROOT / "headless/roms/mgba-bridge-test.gb", roms / name)
    with open(roms / "games/red.gb", "r+b") as red:
        red.seek(0x7FFF)
        red.write(b"\1")
    (roms / "games/own.rule.yaml").write_text("rule: own\nfits: {title: MGBABRIDGE}\nends: [frames 10]\npasses: 0x7FFF u8 != 1\n")

    done = subprocess.run([ROOT / "scripts/suites", roms], capture_output=True, text=True, env={**os.environ, "RESULTS": str(tmp_path / "results")})

    equal((done.returncode, done.stderr), (0, ""), f"the end of {done.stdout}")
    rows = [line for line in done.stdout.splitlines() if line.startswith("| own") or line.startswith("| none")]
    assert re.fullmatch(r"\| own \| 2 \| 1 \| 1 \| 0 \| 2 \| `[0-9a-f]{12}` \|", rows[0]), rows
    assert re.fullmatch(r"\| none \| 1 \| 0 \| 0 \| 1 \| 1 \| `[0-9a-f]{12}` \|", rows[1]), rows
    assert "(libmgba 0.10" in done.stdout and "3 tests in " in done.stdout
    equal((tmp_path / "results/suites.md").read_text(), done.stdout, "the report")
    equal(subprocess.run([ROOT / "scripts/suites"], capture_output=True, text=True).returncode, 1, "the exit code without a folder")


def test_make_alone_lists_every_target():
    said = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE).group(1).split()
    equal([target for target in targets if not re.search(f"^  make {target} ", said, re.MULTILINE)], [], "targets that are not listed")
