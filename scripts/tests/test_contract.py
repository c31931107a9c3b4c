"""The documents of the interfaces as other people's tools meet them (contract/): public linters find nothing, the roles of the OpenAPI document are those of the
gateway, and clients that public generators make of it press a key with a token. That every answer is documented is tested with random requests (tests/fuzz/test_http.py)."""

import contextlib
import hashlib
import http.client
import json
import shutil
import urllib.parse

import pytest

import node
import openapi_requests
from fuzzing import random_of
from gateway import Gateway
from programs import ROOT, run

CONTRACT = ROOT / "scripts/tests/contract"
OPENAPI = ROOT / "docs/openapi.json"
ASYNCAPI = ROOT / "docs/asyncapi.json"
ONLY_101 = "#/paths/~1v2~1ws/get/responses"  # a WebSocket is opened with 101, for which the linters have no rule

KIOTA = "1.38.0"
PRESSED = "pressed for 3 frames\n401 urn:mgba-bridge:problem:token-needed\n"  # what the programs with generated clients say
ROLES = [None, "viewer", "guest", "player", "owner"]  # in their order; None is no token


@pytest.fixture(scope="module")
def tool():
    """Runs a program of contract/package.json, with the Node that scripts use."""
    path = node.path(CONTRACT)
    return lambda name, *arguments, **options: run(CONTRACT / "node_modules/.bin" / name, *arguments, cwd=CONTRACT, PATH=path, **options)


def test_redocly_finds_nothing(tool):
    """Redocly's recommended rules find neither errors nor warnings"""
    said = tool("redocly", "lint", OPENAPI, "--format=json", "--max-problems=100000", REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true")
    problems = json.loads(said[said.index("{"):said.rindex("}") + 1])["problems"]
    assert [one for one in problems if (one["ruleId"], one["location"][0]["pointer"]) != ("operation-2xx-response", ONLY_101)] == []


def test_spectral_finds_nothing(tool):
    """Spectral's rules for OpenAPI find neither errors nor warnings"""
    print(tool("spectral", "lint", OPENAPI, "--ruleset", ".spectral.yaml", "--fail-severity", "info"))


def test_asyncapi_parser_finds_nothing():
    """AsyncAPI's own parser finds neither errors nor warnings in docs/asyncapi.json"""
    print(run("node", "asyncapi.mjs", ASYNCAPI, cwd=CONTRACT, PATH=node.path(CONTRACT)))


@pytest.fixture(scope="module")
def secured():
    """A gateway with a token for each role."""
    gateway = Gateway("Owned:Roms:0=:test:", *(f"Http:Tokens:{at}={role}:{hashlib.sha256(token_of(role).encode()).hexdigest()}" for at, role in enumerate(ROLES[1:])))
    yield gateway
    gateway.end()


def token_of(role):
    return f"the-token-of-a-{role}"


def answer(gateway, made, role):
    """(status, media type, body) of a request with the token of a role."""
    with contextlib.closing(http.client.HTTPConnection(urllib.parse.urlsplit(gateway.url).netloc, timeout=60)) as connection:
        headers = {"Authorization": f"Bearer {token_of(role)}"} if role else {}
        connection.request(made["method"], openapi_requests.target(made), openapi_requests.body_of(made), headers)
        response = connection.getresponse()
        return response.status, response.headers.get_content_type(), response.read()


def test_program_serves_its_documents(secured):
    """the program serves both documents as they are committed, and the page of messages, to viewers"""
    for path, file in (("/openapi/v1.json", OPENAPI), ("/asyncapi.json", ASYNCAPI)):
        status, _, body = answer(secured, {"method": "GET", "path": path, "query": [], "body": None}, "viewer")
        served, committed = json.loads(body) if status == 200 else {}, json.loads(file.read_text(encoding="utf-8"))
        assert (status, [name for name in committed if name != "servers" and served.get(name) != committed[name]]) == (200, []), path
    status, media, body = answer(secured, {"method": "GET", "path": "/docs/messages", "query": [], "body": None}, "viewer")
    assert (status, media, b"keys.tap" in body) == (200, "text/html", True)


def test_lower_roles_than_the_documents_are_refused(secured):
    """each operation refuses callers without a token and those with a lower role than the document's, with documented answers"""
    wrong = []
    for number, operation in enumerate(openapi_requests.operations()):
        made = openapi_requests.make(random_of(number), operation, [b""])
        for role in ROLES[: ROLES.index(operation.role)]:
            status, media, body = answer(secured, made, role)
            expected = (403, "urn:mgba-bridge:problem:role-needed") if role else (401, "urn:mgba-bridge:problem:token-needed")
            if operation.undocumented(status, media, body) or (status, json.loads(body)["type"]) != expected:
                wrong.append((operation.method, operation.path, role, status, body[:200]))
    assert wrong == []


def test_the_documents_role_is_enough(secured):
    """each operation that reads serves a caller with the document's role"""
    for operation in openapi_requests.operations():
        if operation.method != "GET" or operation.path in openapi_requests.STREAMS:
            continue
        made = openapi_requests.make(random_of(0), operation, [b""])
        status, media, body = answer(secured, made, operation.role)
        assert status not in (401, 403) and not operation.undocumented(status, media, body), (operation.path, status, body[:200])


@pytest.fixture(scope="module")
def kiota():
    """Makes a client of the document, in a language and a folder."""
    folder = ROOT / ".run" / f"kiota-{KIOTA}"
    if not (folder / "kiota").exists():
        run("dotnet", "tool", "install", "Microsoft.OpenApi.Kiota", "--version", KIOTA, "--tool-path", folder)
    return lambda language, output: run(folder / "kiota", "generate", "--language", language, "--openapi", OPENAPI, "--class-name", "GatewayClient", "--namespace-name", "Generated", "--output", output,
                                        "--exclude-backward-compatible", cwd=output, KIOTA_OFFLINE_ENABLED="true")


def test_csharp_client_of_kiota_presses_a_key(kiota, secured, tmp_path):
    """the C# client that Kiota makes is built, presses a key with a token, and is refused without one"""
    for file in (CONTRACT / "kiota").iterdir():
        shutil.copy(file, tmp_path)
    kiota("CSharp", tmp_path)
    run("dotnet", "build", "-v", "quiet", "-clp:ErrorsOnly", "--output", "out", cwd=tmp_path)
    assert run("dotnet", "out/Client.dll", secured.url, token_of("guest"), cwd=tmp_path) == PRESSED


def test_python_client_of_kiota_compiles(kiota, tmp_path):
    """the Python client that Kiota makes compiles"""
    kiota("Python", tmp_path)
    run("python3", "-m", "compileall", "-q", ".", cwd=tmp_path)


def test_typescript_types_press_a_key(tool, secured, tmp_path):
    """the types of openapi-typescript compile with openapi-fetch, which presses a key with a token, and is refused without one"""
    shutil.copy(CONTRACT / "press.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(CONTRACT / "node_modules")
    tool("openapi-typescript", OPENAPI, "--output", tmp_path / "gateway.d.ts")
    tool("tsc", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--lib", "es2022,dom", "--outDir", tmp_path, tmp_path / "press.ts")
    assert run("node", "press.js", secured.url, token_of("guest"), cwd=tmp_path, PATH=node.path()) == PRESSED
