"""The MCP server with the public npm clients of both protocol generations (agents/), and the public conformance suite, whose expected failures conformance.yml lists.
PLAY_SECONDS=300 lets agents and a person play for five minutes instead of some seconds."""

import pytest

import node
from caller import Caller
from gateway import PATIENT_ENVIRONMENT, Gateway
from headless import ROMS
from programs import ROOT, run

AGENTS = ROOT / "scripts/tests/agents"


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
