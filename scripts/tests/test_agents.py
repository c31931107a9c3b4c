"""The MCP server with the public npm clients of both protocol generations (agents/), and the public conformance suite, whose expected failures conformance.yml lists; the
configurations of clients in docs/agents.md, by the inspector, and the skills. PLAY_SECONDS=300 lets agents and a person play for five minutes instead of some seconds."""

import json
import re
import tomllib

import pytest

import node
from caller import Caller
from gateway import PATIENT_ENVIRONMENT, Gateway
from headless import ROMS
from programs import ROOT, run

AGENTS = ROOT / "scripts/tests/agents"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"  # not in agents/package.json: one of its packages is not in every registry, which npm ci does not permit


@pytest.fixture(scope="module")
def gateway():
    gateway = Gateway("Owned:Roms:0=:test:")
    Caller(gateway.url).until_ok("GET", "/readyz")
    yield gateway
    gateway.end()


@pytest.fixture(scope="module")
def path():
    return node.path(AGENTS)


@pytest.mark.parametrize("which", [["--test-name-pattern=over HTTP"], ["--test-name-pattern=over stdio"], ["--test-skip-pattern=over HTTP", "--test-skip-pattern=over stdio"]],
                         ids=["over HTTP", "over stdio", "others"])
def test_clients(gateway, path, which, record_property):
    settings = PATIENT_ENVIRONMENT  # of the programs of stdio
    said = node.run_tests("agents.mjs", "--test-timeout=900000", *which, cwd=AGENTS, record_property=record_property, PATH=path, BASE_URL=gateway.url, PROGRAM=gateway.program, ROM=ROMS["gba"], **settings)
    print("\n".join(line for line in said.splitlines() if line.startswith("# ") and not line.startswith("# Subtest")))


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_conformance(gateway, path, tmp_path, version):
    run(AGENTS / "node_modules/.bin/conformance", "server", "--url", f"{gateway.url}/mcp", "--suite", "all", "--spec-version", version,
        "--expected-failures", AGENTS / "conformance.yml", "--output-dir", tmp_path, timeout=120, PATH=path)


PAGE = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
SKILLS = sorted((ROOT / "docs/skills").glob("*/SKILL.md"))


def configurations():
    """What docs/agents.md says how clients start the server, by the client."""
    for client, text in re.findall(r"^\*\*(.+?):?\*\*(.*?)(?=^\*\*)", PAGE.split("**Other clients**")[0] + "**", re.MULTILINE | re.DOTALL):
        form, block = re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)[-1]
        (servers,) = (json.loads(block) if form == "json" else tomllib.loads(block)).values()
        yield client, servers["mgba"]
    command, *arguments = re.search(r"^claude mcp add mgba -- (.*)$", PAGE, re.MULTILINE)[1].split()
    yield "claude mcp add", {"command": command, "args": arguments}


@pytest.fixture(scope="module")
def inspect(path, gateway, tmp_path_factory):
    """Calls a method by the inspector of a server that a client starts with a configuration."""
    folder = tmp_path_factory.mktemp("inspector")
    (folder / "mgba-bridge").symlink_to(gateway.program)

    def inspect(server, *arguments, **environment):
        configuration = folder / "clients.json"
        configuration.write_text(json.dumps({"mcpServers": {"mgba": {"type": "stdio", "env": {**PATIENT_ENVIRONMENT, **environment}, **server}}}))
        said = run("npx", "--yes", INSPECTOR, "--cli", "--config", configuration, "--server", "mgba", *arguments, timeout=300, cwd=folder, PATH=f"{folder}:{path}", npm_config_ignore_scripts="true")
        return json.JSONDecoder().raw_decode(said, said.index("{"))[0]  # it says more behind it

    return inspect


@pytest.mark.parametrize("client", ["claude mcp add", "Claude Code", "Claude Desktop", "Visual Studio Code", "Cursor", "Codex"])
def test_configuration_of_a_client_starts_the_server(gateway, inspect, client):
    server = dict(configurations())[client]
    game = [str(ROMS["gba"]) if argument.endswith(".gba") else argument for argument in server["args"]]
    # the one of Claude Desktop names a game, for which a gateway of its own is started
    url = "" if game != server["args"] else gateway.url
    status = inspect({**server, "args": game}, "--method", "tools/call", "--tool-name", "status", MGBA_BRIDGE_URL=url)["structuredContent"]
    assert status["state"] == "ready" and status["title"] == "MGBABRIDGE", status


def test_inspector_presses_and_reads(inspect, gateway):
    server = {"command": "mgba-bridge", "args": ["mcp", "--url", gateway.url]}
    pressed = inspect(server, "--method", "tools/call", "--tool-name", "press", "--tool-arg", "keys=A 2", "settle=1", "picture=none", "watch=0x02000008/u32")["structuredContent"]
    assert pressed["presses"] == 1 and pressed["seen"]["values"]["0x02000008/u32"] > 0, pressed
    assert {prompt["name"] for prompt in inspect(server, "--method", "prompts/list")["prompts"]} == {"play", "find_address", "write_test"}
    assert len(inspect(server, "--method", "resources/list")["resources"]) == 3


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.parent.name)
def test_skill_names_tools_that_exist(skill, inspect, gateway):
    head, text = re.fullmatch(r"---\n(.*?)\n---\n(.*)", skill.read_text(encoding="utf-8"), re.DOTALL).groups()
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields.keys() == {"name", "description"} and fields["name"] == skill.parent.name and len(fields["description"]) <= 1024
    server = {"command": "mgba-bridge", "args": ["mcp", "--url", gateway.url, "--toolsets", "debug"]}
    known = {tool["name"] for tool in inspect(server, "--method", "tools/list")["tools"]} | {"write_test"}
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", text))
    assert named and named <= known, named - known
