"""The examples of docs/examples and docs/agents.md play the demo game."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

import pytest

from caller import Caller
from checks import until
from code_blocks import code_blocks
from gateway import Gateway, emulator_program
from ports import free_port, is_listening
from programs import Output, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
LAMP_IS_LIT = "6 coins, milestone 5"
FRAMES = 1400  # that any of them plays at least
LIMIT = 300  # seconds; npm fetches packages


@pytest.fixture
def gateway():
    gateway = Gateway("Owned:Roms:0=:demo:", "Owned:Fps=240")
    yield gateway
    gateway.end()


@pytest.fixture
def play(gateway):
    """Runs a program, which finds the gateway, the emulator and the Python package. Returns what it prints."""

    def play(*command, cwd=ROOT, **environment):
        path = os.pathsep.join([str(pathlib.Path(gateway.program).parent), str(pathlib.Path(emulator_program()).parent), os.environ["PATH"]])
        settings = {"BASE_URL": gateway.url, "MGBA_BRIDGE_URL": gateway.url, "PYTHONPATH": str(ROOT / "clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
        return run(*command, cwd=cwd, timeout=LIMIT, **settings, **{"PATH": path, **environment})

    return play


@pytest.mark.parametrize("command", [[EXAMPLES / "coins.sh"], [sys.executable, EXAMPLES / "coins.py"]], ids=["curl", "Python"])
def test_example_collects_the_coins(play, command):
    assert play(*command) == f"{LAMP_IS_LIT}\n"


def test_program_of_the_readme_collects_two_coins_in_each_run(play):
    (program,) = code_blocks(ROOT / "README.md", "python")[:1]
    assert [play(sys.executable, "-c", program) for _ in range(2)] == ["2 coins\n"] * 2


def test_typescript_collects_the_coins(play, tmp_path):
    copy = shutil.copytree(EXAMPLES / "typescript", tmp_path / "typescript")  # so that nothing is installed into the source folder
    play("npm", "ci", "--no-progress", cwd=copy)
    assert play("npm", "start", cwd=copy, OPENAPI=str(ROOT / "docs/openapi.json")).splitlines()[-1] == LAMP_IS_LIT


def test_failure_is_said(gateway):
    done = subprocess.run([EXAMPLES / "coins.sh"], env={**os.environ, "BASE_URL": f"{gateway.url}/i/nobody"}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 1 and "No emulator has the id nobody" in done.stderr, done.stderr


def test_clip_is_that_of_the_recording(play, tmp_path):
    assert "same: true" in play(EXAMPLES / "clip.sh", tmp_path / "coins.mp4")
    stream = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=nb_frames", "-of", "csv=p=0", tmp_path / "coins.mp4"]
    assert int(run(*stream)) >= FRAMES


def test_test_file_passes(play, tmp_path):
    assert play("mgba-bridge", "test", EXAMPLES / "coins.test.yaml", "--output", tmp_path) == "3 passed, 0 failed\n"


def test_session_of_an_agent_is_as_shown(gateway):
    lines = code_blocks(ROOT / "docs/agents.md", "text")[0].splitlines()
    calls = [{"name": (call := line.split(" ", 1))[0], "arguments": json.loads(call[1])} for line in lines[::2]]
    with subprocess.Popen([gateway.program, "mcp"], env={**os.environ, "MGBA_BRIDGE_URL": gateway.url}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:

        def ask(number, method, parameters):
            print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}), file=agent.stdin, flush=True)
            while (answer := json.loads(agent.stdout.readline())).get("id") != number:
                pass  # a notification
            return answer["result"]

        ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "example", "version": "1"}})
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=agent.stdin, flush=True)
        for number, (call, shown) in enumerate(zip(calls, lines[1::2], strict=True), 1):
            has(ask(number, "tools/call", call)["structuredContent"], json.loads(shown))
        agent.stdin.close()


def has(answer, shown):
    """The answer has what is shown of it."""
    for name, value in shown.items():
        if isinstance(value, dict):
            has(answer[name], value)
        else:
            assert answer[name] == value, name


VOTERS = 20


class Chatter:
    """A user of an IRC server."""

    def __init__(self, port, nick):
        self.nick = nick
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\r\n")
        self.send(f"NICK {nick}", f"USER {nick} 0 * :{nick}")
        self.wait(" 001 ")
        self.send("JOIN #play")
        self.wait(" 366 ")

    def send(self, *lines):
        self.socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def say(self, *texts):
        self.send(*(f"PRIVMSG #play :{text}" for text in texts))

    def wait(self, part):
        while part not in self.lines.readline():
            pass

    def end(self):
        self.lines.close()
        self.socket.close()


@pytest.fixture
def irc(tmp_path):
    """The port of an IRC server."""
    port = free_port()
    settings = tmp_path / "ngircd.conf"
    settings.write_text(
        f"[Global]\nName = irc.test\nInfo = test\nListen = 127.0.0.1\nPorts = {port}\nMotdPhrase = none\n"
        "[Limits]\nMaxConnectionsIP = 0\nMaxNickLength = 20\nMaxPenaltyTime = 0\n[Options]\nPAM = no\nIdent = no\nDNS = no\n"
    )
    tmp_path.chmod(0o755)  # the server gives up the rights of root
    with open(tmp_path / "ngircd.log", "wb") as log, subprocess.Popen(["/usr/sbin/ngircd", "--nodaemon", "--config", settings], stdin=subprocess.DEVNULL, stdout=log, stderr=log) as server:
        until(lambda: is_listening(port), "the IRC server listens")
        yield port
        server.terminate()


def test_chat_votes(gateway, irc, tmp_path):
    """Messages of an IRC chat are ballots, each counted once; others are not; a moderator blocks a voter."""
    caller = Caller(gateway.url)
    said = Output(tmp_path / "said")
    environment = {**os.environ, "BASE_URL": gateway.url, "MODERATORS": "ash", "PYTHONDONTWRITEBYTECODE": "1"}
    with open(said.path, "wb") as out, subprocess.Popen([sys.executable, EXAMPLES / "chat_votes.py", f"127.0.0.1:{irc}", "#Play"], env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out) as chat:
        users = []
        try:
            until(lambda: said.lines("^reads #play$"), "it has joined")
            users = [Chatter(irc, name) for name in ("Ash", *(f"voter{number}" for number in range(VOTERS)))]
            moderator, *voters = users
            moderator.say("left", "!unblock nobody")  # there is no vote yet
            until(lambda: said.lines("nobody"), "it has read both")
            vote = caller.ok("POST", "/v2/votes", {"mode": "anarchy", "keys": ["Left", "Right", "A"], "times": 3, "choices": [{"name": "pirate ship"}]})["id"]

            def counted():
                return {choice["name"]: choice["ballots"] for choice in caller.ok("GET", f"/v2/votes/{vote}")["choices"]}

            def follows():
                voters[0].say("pirate ship")
                return counted()["pirate ship"] > 0

            until(follows, "it has found the vote", pause=1)
            for number, voter in enumerate(voters):
                voter.say("hello everybody", "LEFT" if number % 4 else "A3", "<script>alert(1)</script>", "left or right", "right9", "\u202e" * 70)
            until(lambda: counted() | {"pirate ship": 0} == {"Left": VOTERS * 3 // 4, "Right": 0, "A": VOTERS // 4, "pirate ship": 0}, "all ballots are counted")

            voters[1].say("!block voter2")  # is no moderator
            moderator.say("!block Voter3", "!block @voter4 600")
            until(lambda: len(said.lines("^!block")) == 2, "they are blocked")
            assert [voter["voter"] for voter in caller.ok("GET", "/v2/voters")["voters"]] == ["voter3", "voter4"]
            voters[3].say("left")
            voters[4].say("left")
            voters[5].say("right")
            until(lambda: counted()["Right"] == 1, "the others vote")
            moderator.say("!unblock voter3")
            until(lambda: said.lines("^!unblock"), "one is unblocked")
            voters[3].say("right")
            until(lambda: counted()["Right"] == 2, "it votes")
            assert counted()["Left"] == VOTERS * 3 // 4
        finally:
            chat.terminate()
            for user in users:
                user.end()


def test_chat_with_tags_of_twitch_is_read(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    chat_votes = __import__("chat_votes")
    line = "@badges=moderator/1;color=#0000FF;display-name=Ash;user-id=1 :ash!ash@ash.tmi.twitch.tv PRIVMSG #play :A3 :)"
    assert chat_votes.parse(line) == ("ash", "PRIVMSG", ["#play", "A3 :)"])
    assert [chat_votes.parse(line) for line in ("PING :tmi.twitch.tv", ":", "@", "")] == [("", "PING", ["tmi.twitch.tv"]), *[("", "", [])] * 3]
