"""The TypeScript package, as users have it: what npm packs, installed into a folder of its own, with its tests and examples against a gateway."""

import json
import os
import pathlib
import re
import subprocess
import tarfile

import pytest

from gateway import Gateway

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients/typescript"
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
LIMIT = 300  # seconds that anything may take on a busy machine


def run(*command, cwd=ROOT, **environment):
    """The output of a command, and whether it succeeded."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MGBA_BRIDGE_")}
    return subprocess.run(list(map(str, command)), cwd=cwd, env={**variables, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)


def succeeded(done):
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def blocks():
    return re.findall(r"^```ts\n(.*?)^```$", (PACKAGE / "README.md").read_text(encoding="utf-8"), flags=re.M | re.S)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    succeeded(run(ROOT / "scripts/dist", "typescript", DIST_OUTPUT=str(folder)))
    return folder / f"mgba-bridge-{VERSION}.tgz"


@pytest.fixture(scope="module")
def node(package, tmp_path_factory):
    """Runs commands in a folder that has the package, with the Node that scripts use."""
    folder = tmp_path_factory.mktemp("project")
    path = succeeded(run("bash", "-c", f'. "{ROOT}/scripts/lib/common.sh"; . "{ROOT}/scripts/lib/node.sh"; use_node; printf %s "$PATH"'))
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    succeeded(run("npm", "install", "--offline", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", package, cwd=folder, PATH=path))
    for test in (PACKAGE / "test").glob("*.test.js"):
        (folder / test.name).write_bytes(test.read_bytes())

    def start(*command, **environment):
        return run(*command, cwd=folder, PATH=path, **environment)

    start.folder = folder
    return start


@pytest.fixture(scope="module")
def gateway():
    gateway = Gateway("Owned:Roms:0=:test:", "Owned:Fps=0")
    yield gateway
    assert not gateway.unhandled()
    gateway.end()


def test_operations_are_those_of_the_openapi_document():
    succeeded(run(ROOT / "scripts/lib/typescript_client.py", "--check"))


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
        done = node("node", "--test", "--test-reporter=tap", "--test-timeout=120000", "emulator.test.js", BASE_URL=gateway.url, SECURED_URL=secured.url, ROOT=str(ROOT))
    finally:
        secured.end()
    counts = {name: int(count) for name, count in re.findall(r"^# (pass|fail|cancelled|skipped) (\d+)$", done.stdout, re.M)}
    if counts:
        record_property("passed", counts["pass"])
        record_property("failed", counts["fail"] + counts["cancelled"])
        record_property("skipped", counts["skipped"])
    assert done.returncode == 0 and counts.get("pass"), done.stdout


@pytest.mark.parametrize("program", blocks(), ids=["play", "events", "errors"])
def test_example_of_the_readme_compiles_and_runs(node, gateway, program):
    (node.folder / "example.ts").write_text(program, encoding="utf-8")
    compiler = ROOT / "artifacts/dist/typescript/node_modules/typescript/bin/tsc"
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
    succeeded(node("node", compiler, *options, "example.ts"))
    succeeded(node("node", "example.js", MGBA_BRIDGE_URL=gateway.url))
