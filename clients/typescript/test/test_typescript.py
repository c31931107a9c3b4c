"""The TypeScript package, as users have it: what npm packs, installed into a folder of its own, with its tests and examples against a gateway."""

import json
import pathlib
import tarfile

import pytest

from code_blocks import code_blocks
from gateway import Gateway
from node import path as node_path, run_tests
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients/typescript"
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
LIMIT = 300  # seconds that anything may take on a busy machine


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "scripts/dist", "typescript", DIST_OUTPUT=str(folder))
    return folder / f"mgba-bridge-{VERSION}.tgz"


@pytest.fixture(scope="module")
def node(package, tmp_path_factory):
    """Runs commands in a folder that has the package, with the Node that scripts use."""
    folder = tmp_path_factory.mktemp("project")
    path = node_path()
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    run("npm", "install", "--offline", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", package, cwd=folder, PATH=path)
    for test in (PACKAGE / "test").glob("*.test.js"):
        (folder / test.name).write_bytes(test.read_bytes())

    def start(*command, **environment):
        return run(*command, cwd=folder, timeout=LIMIT, PATH=path, **environment)

    start.folder, start.path = folder, path
    return start


def test_operations_are_those_of_the_openapi_document():
    run(ROOT / "scripts/lib/typescript_client.py", "--check")


def test_package_is_complete_and_needs_no_other(package):
    with tarfile.open(package) as content:
        names = {name.removeprefix("package/") for name in content.getnames()}
        about = json.loads(content.extractfile("package/package.json").read())
        everything = b"".join(content.extractfile(name).read() for name in content.getnames())
    built = {f"dist/{path.stem}{ending}" for path in (PACKAGE / "src").glob("*.ts") for ending in (".js", ".d.ts")}
    assert names == built | {"package.json", "README.md", "LICENSE"}
    assert about["version"] == VERSION and "dependencies" not in about
    assert bytes(ROOT) not in everything, "a path of this machine"


def test_lock_file_names_no_registry():
    assert "resolved" not in (PACKAGE / "package-lock.json").read_text(encoding="utf-8")


def test_package_plays(node, gateway, record_property):
    secured = Gateway("Owned:Roms:0=:test:", "Http:Token=a-token-of-the-tests")
    try:
        run_tests("emulator.test.js", "--test-timeout=120000", cwd=node.folder, record_property=record_property, PATH=node.path, BASE_URL=gateway.url, SECURED_URL=secured.url, ROOT=str(ROOT))
    finally:
        secured.end()


@pytest.mark.parametrize("program", code_blocks(PACKAGE / "README.md", "ts"), ids=["play", "events", "errors"])
def test_example_of_the_readme_compiles_and_runs(node, gateway, program):
    (node.folder / "example.ts").write_text(program, encoding="utf-8")
    compiler = ROOT / "artifacts/dist/typescript/node_modules/typescript/bin/tsc"
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
    node("node", compiler, *options, "example.ts")
    node("node", "example.js", MGBA_BRIDGE_URL=gateway.url)
