"""The commands behind `make`, on the real emulator."""

import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest

import ports
import processes
from checks import LIMIT, equal, until
from headless import ROMS, SCRIPT
from instance import FOREIGN, ROOT
from mgba_wire import Client, Failure
from programs import Program, end_all

GATEWAY = ROOT / "artifacts/gateway/mgba-bridge.dll"
RATE = 50  # requests a second


class Run(Program):
    """A command in the project's folder."""

    def __init__(self, folder, *command, settings, **options):
        self.pids = []
        super().__init__(*command, folder=folder, cwd=ROOT, env={**os.environ, **settings}, **options)

    def text(self):
        return self.out.text() + self.err.text()

    def up(self):
        """Waits until the whole run is ready, and reads its addresses from what it says."""
        until(lambda: self.out.lines("^End: ") or self.is_over(), f"it starts: {self.text()}", seconds=2 * LIMIT)
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


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """The commands under test do not use the caller's settings."""
    for name in list(os.environ):
        if FOREIGN.fullmatch(name) or name in ("BASE_URL", "QUICK", "FULL", "RATES"):
            monkeypatch.delenv(name)


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


@pytest.fixture
def refuse(start):
    """Expects that a command fails, with a line that matches."""

    def refuse(pattern, *command):
        run = start(*command)
        until(run.is_over, f"the end of {command}")
        assert run.process.returncode != 0, f"it did not fail: {command}"
        assert re.search(pattern, run.text(), re.MULTILINE), run.text()

    return refuse


@pytest.fixture
def occupied():
    """Listens on a port, unless another program does; true if this one does."""
    sockets = []

    def occupied(port):
        sockets.append(socket.socket())
        sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sockets[-1].bind(("127.0.0.1", port))
            sockets[-1].listen()
        except OSError:
            return False
        return True

    yield occupied
    for one in sockets:
        one.close()


def http(url, value=None, limit=10, **headers):
    """The status, headers and text of a GET, or of a PUT of this value; status 0 if nothing answers."""
    request = urllib.request.Request(url, headers=headers)
    if value is not None:
        request = urllib.request.Request(url, json.dumps(value).encode(), {"Content-Type": "application/json"}, method="PUT")
    try:
        with urllib.request.urlopen(request, timeout=limit) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()
    except OSError as error:
        return 0, {}, str(error)


def hello(url):
    return http(url + "/mgbaendpoint?message=hello")


def echoes(url):
    return hello(url)[2] == "hello"


def shell(line, **options):
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=LIMIT, **options)


def word(port):
    with Client(port) as client:
        return client.call("memory.read32 0x02000400").ok().text


# --- make run


def test_make_run_answers_and_sigterm_ends_both(start, tmp_path):
    run = start("make", "run").up()
    shell(run.out.find("^Try: *(.*)"), cwd=tmp_path)
    equal((tmp_path / "game.png").read_bytes()[1:4], b"PNG", "picture of the command after Try")
    equal([http(run.url + path)[0] for path in ("/healthz", "/readyz")], [200, 200])
    run.out.expect(re.escape(run.url))
    run.out.expect(f"127.0.0.1:{run.lua_port}")
    run.out.expect(f"^  page  *{run.url}/$")
    run.kill()
    until(run.is_over, "the end of make")
    run.nothing_left()
    run.out.expect(r"^Ended\.$")
    until(lambda: not ports.is_listening(run.lua_port), f"port {run.lua_port} is free")  # another program may take it for a while


def test_make_run_works_with_a_token(start):
    run = start("make", "run", Bridge__Http__Token="0123456789abcdef").up()
    equal(http(run.url + "/v2/game")[0], 401, "status without the token")
    equal(http(run.url + "/v2/game", Authorization="Bearer 0123456789abcdef")[0], 200, "status with the token")
    run.kill()
    until(run.is_over, "the end of make")
    run.nothing_left()


def test_an_address_of_the_user_is_passed_to_the_gateway(start, occupied):
    url = f"http://127.0.0.1:{ports.free_port()}"
    run = start("make", "run", ASPNETCORE_URLS=url).up()
    equal(run.url, url, "address")
    run.kill()
    run.nothing_left()
    occupied(5000)
    alone = start("make", "gateway", ASPNETCORE_URLS=url)
    alone.out.wait(f"Now listening on: {url}")
    assert "so the gateway uses" not in alone.text()


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
        line = re.sub(r"(http://)?(localhost|127\.0\.0\.1):5000", run.url, line).replace("curl", "curl -fsS -m 10", 1)
        answer = shell(line, cwd=tmp_path)  # some write files
        assert answer.returncode == 0, f"not answered: {line}: {answer.stderr}"


def test_ctrl_c_in_a_terminal_ends_both(in_a_terminal):
    run = in_a_terminal("make", "-C", ROOT, "run").up()
    run.process.stdin.write(b"\3")
    run.process.stdin.flush()
    until(run.is_over, "the end of make")
    run.nothing_left()
    run.out.expect(r"Ended\.")


def test_closing_the_terminal_ends_both(in_a_terminal):
    run = in_a_terminal("make", "-C", ROOT, "run").up()
    run.kill(signal.SIGKILL)
    run.nothing_left()


def test_a_killed_gateway_leaves_nothing_running(start):
    run = start("scripts/run").up()
    equal(run.gateway, run.pid, "process id of the gateway")
    run.kill(signal.SIGKILL)
    run.nothing_left()


def test_a_killed_make_leaves_nothing_running(start):
    run = start("make", "run").up()
    run.kill(signal.SIGKILL)
    run.nothing_left()


def test_two_runs_started_at_once_have_their_own_emulators(start):
    one, two = start("make", "run"), start("make", "run")
    two.up()
    one.up()
    assert one.url != two.url and one.lua_port != two.lua_port
    for run, value in ((one, 1111), (two, 2222)):
        equal(http(run.url + "/v2/memory/0x02000400/u32", {"value": value})[0], 200, "status of the write")
    equal([word(one.lua_port), word(two.lua_port)], ["1111", "2222"], "what was written to each emulator")


def test_a_gateway_knows_its_own_emulator(start):
    run = start("make", "run").up()
    port = ports.free_port()
    start("dotnet", GATEWAY, "--contentRoot", GATEWAY.parent, "--http-port", port, "--emulator-port", run.lua_port, "--nonce", "another")
    url = f"http://127.0.0.1:{port}"
    until(lambda: http(url + "/healthz")[0] == 200, "the other gateway answers")
    status, _, answer = hello(url)
    equal(status, 502, "status")
    assert "nonce" in answer


def test_ports_that_are_set_are_used(start):
    port, lua = ports.free_port(), ports.free_port()
    run = start("make", "run", f"HTTP_PORT={port}", f"LUA_PORT={lua}").up()
    equal((run.url, run.lua_port), (f"http://127.0.0.1:{port}", lua), "addresses")
    assert echoes(run.url)


def test_a_set_port_in_use_is_explained(refuse, occupied):
    port = ports.free_port()
    assert occupied(port)
    owner = re.escape(f"port {port} is in use by {pathlib.Path('/proc/self/comm').read_text().strip()} (pid {os.getpid()}); ")
    for command, name in (("run", "LUA_PORT"), ("run", "HTTP_PORT"), ("emulator", "LUA_PORT"), ("gateway", "HTTP_PORT")):
        refuse(f"{owner}.*{name}=", "make", command, f"{name}={port}")


def test_a_default_http_port_in_use_is_skipped(start, occupied):
    while True:
        is_ours = occupied(5000)
        run = start("make", "run").up()
        if is_ours or not run.url.endswith(":5000"):
            break
        run.end()  # the other program has ended meanwhile
    assert run.url != "http://127.0.0.1:5000"
    run.out.expect(f"port 5000 is in use by .* uses {run.url.rsplit(':', 1)[1]}")
    assert echoes(run.url)


def test_invalid_ports_are_refused(refuse):
    for port in ("0", "65536", "-1", "http", "8888x"):
        for name in ("LUA_PORT", "HTTP_PORT"):
            refuse(f"{name}={port} is not a port", "make", "run", f"{name}={port}")


def test_an_emulator_that_ends_is_started_again(start):
    run = start("scripts/run").up()
    os.kill(run.emulator, signal.SIGKILL)
    run.out.wait("Emulator 1 answers again after")
    until(lambda: processes.has_ended(run.emulator), "the end of the killed emulator")
    assert echoes(run.url)
    run.pids.append(int(re.search(r'"pid":(\d+)', http(run.url + "/v2/status")[2]).group(1)))
    run.kill()
    run.ended(0)
    run.nothing_left()


def test_an_invalid_rom_or_speed_is_explained(refuse, tmp_path):
    empty = tmp_path / "empty.gba"
    empty.touch()
    refuse("^/nowhere/game.gba does not exist", "make", "run", "ROM=/nowhere/game.gba")
    refuse("did not start: .*empty", "make", "run", f"ROM={empty}")
    refuse('^--fps is "fast"; expected a number', "make", "run", "FPS=fast")


def test_a_users_rom_runs_and_is_saved_in_its_folder(start, tmp_path):
    folder = tmp_path / "my games"
    folder.mkdir()
    rom = shutil.copy(ROMS["gba"], folder / "my game.gba")
    run = start("make", "run", f"ROM={rom}", "FPS=120").up()
    assert echoes(run.url)
    equal(http(run.url + "/v2/memory/0x02000018/u32", {"value": 1})[0], 200)  # makes the test ROM save
    run.kill()
    until(run.is_over, "the end of make")
    run.nothing_left()
    assert (folder / "my game.sav").stat().st_size > 0


# --- make emulator and make gateway


class Steady:
    """Requests a URL at a constant rate, however long the responses take, and counts the outcomes."""

    def __init__(self, url):
        self.url, self.outcomes, self.threads, self.stopping = url, collections.Counter(), [], threading.Event()
        self.sender = threading.Thread(target=self._send, daemon=True)
        self.sender.start()
        until(lambda: self.outcomes, "a first response")

    def _send(self):
        began = time.monotonic()
        while not self.stopping.wait(max(0, began + len(self.threads) / RATE - time.monotonic())):
            self.threads.append(threading.Thread(target=self._fetch, daemon=True))
            self.threads[-1].start()

    def _fetch(self):
        status, _, text = http(self.url, limit=15)  # seconds; longer than the gateway's own timeout
        try:
            outcome = "200" if status == 200 else f"problem {status} {json.loads(text)['type']}"
        except (ValueError, KeyError):
            outcome = f"no problem document with {status}: {text}"
        self.outcomes[outcome] += 1

    def stop(self):
        self.stopping.set()
        for thread in [self.sender, *self.threads]:
            thread.join()
        return dict(self.outcomes)


def test_a_killed_emulator_gives_problems_until_it_is_back(start):
    lua, port = ports.free_port(), ports.free_port()
    emulator = start("make", "emulator", f"LUA_PORT={lua}")
    start("make", "gateway", f"HTTP_PORT={port}", f"LUA_PORT={lua}")
    url = f"http://127.0.0.1:{port}"
    until(lambda: echoes(url), "an answer")
    (killed,) = processes.children(emulator.pid)
    steady = Steady(url + "/mgbaendpoint?message=hello")
    os.kill(killed, signal.SIGKILL)
    until(lambda: processes.has_ended(killed), "the end of the emulator")
    until(lambda: (answer := hello(url))[0] == 503 and '"detail"' in answer[2], "a problem")
    start("make", "emulator", f"LUA_PORT={lua}").out.wait("listening")
    until(lambda: echoes(url), "an answer after the emulator has started again")
    outcomes = steady.stop()
    print(outcomes)
    assert outcomes["200"] > 0
    assert any(one.startswith("problem ") for one in outcomes)
    assert not [one for one in outcomes if one.startswith("no ")]


def test_a_reloaded_script_is_found_again(start, start_emulator):
    emulator = start_emulator(environment={"MGBA_BRIDGE_PORT": str(ports.free_port())})
    port = ports.free_port()
    start("make", "gateway", f"HTTP_PORT={port}", f"LUA_PORT={emulator.port}")
    url = f"http://127.0.0.1:{port}"
    until(lambda: echoes(url), "an answer")
    before = hello(url)[1]["Mgba-Epoch"]
    emulator.control(f"run-script {SCRIPT}")
    until(lambda: hello(url)[1].get("Mgba-Epoch", before) != before, "another epoch")
    equal(len([line for line in emulator.lines if "listening" in line]), 2, "loads of the script")


# --- other commands


def test_without_apt_the_missing_packages_are_named(bare):
    said = subprocess.run([ROOT / "scripts/install", "emulator", "run"], capture_output=True, text=True, env=bare)
    assert said.returncode != 0
    assert "sudo apt-get install -y gcc libc6-dev libmgba-dev make iproute2 curl util-linux" in said.stdout + said.stderr


PYTEST = """#!/bin/sh
case $1 in
  playing) printf 'ok - fine\\nplaying: 2 passed, 0 failed, 1 skipped\\n' ;;
  web) printf 'ok - good\\nnot ok - bad\\n# why\\nweb: 1 passed, 1 failed, 0 skipped\\n'; exit 1 ;;
  chaos) echo ok - begun; exit 3 ;;
  faults) echo 'faults: 1 passed, 0 failed, 0 skipped'; exit 4 ;;
esac
"""


def test_suites_are_added_up_and_a_broken_one_counts(tmp_path):
    scripts = shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    for name, text in (("install", "#!/bin/sh\n"), ("build", "#!/bin/sh\n"), ("pytest", PYTEST)):
        (scripts / name).write_text(text)
    (scripts / "tests/agents.sh").unlink()

    def add(*suites):
        said = subprocess.run([scripts / "test", *suites], capture_output=True, text=True)
        return said.returncode, said.stdout

    code, said = add("playing")
    equal((code, said.splitlines()[-1]), (0, "2 passed, 0 failed, 1 skipped"), "the sum of one")
    code, said = add("playing", "web", "chaos", "faults", "agents")
    assert code != 0
    equal(said.splitlines()[-1], "4 passed, 4 failed, 1 skipped", "the sum")
    equal((tmp_path / ".run/test-summary").read_text(), "4 passed, 4 failed, 1 skipped\n", "the sum for others")
    assert not re.search("^ok - (fine|good)", said, re.MULTILINE)
    assert re.search("^# why", said, re.MULTILINE)
    assert "chaos ended without its last line (exit code 3" in said
    assert "faults ended with exit code 4 although nothing failed" in said
    assert "the suite is missing: scripts/tests/agents.sh" in said


def test_make_alone_lists_every_target():
    said = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE).group(1).split()
    equal([target for target in targets if not re.search(f"^  make {target} ", said, re.MULTILINE)], [], "targets that are not listed")
