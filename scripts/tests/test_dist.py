"""The packages of this system: built, their content, and the packed program with the tests of the one that the runtime compiles. test_install.py installs
them in clean systems. DIST_OUTPUT=folder takes packages that are already built."""

import collections
import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import zipfile

import pytest

import node
from caller import Caller
from gateway import Gateway
from headless import SCRIPT
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
DOCUMENTS = ["README.md", "docs/examples/coins.py", "docs/openapi.json"]
IN_ARCHIVE = ["README.txt", "LICENSE", "THIRD-PARTY-NOTICES.txt", "DOTNET-THIRD-PARTY-NOTICES.txt", "MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt", "mgba-bridge", "mgba-headless", "mgba-rom-test"]
IN_DEB = """usr/bin/mgba-bridge usr/bin/mgba-headless usr/bin/mgba-rom-test usr/share/mgba-bridge/mgba-bridge.lua usr/share/mgba-bridge/mgba-bridge-test.gba
    lib/systemd/system/mgba-bridge.service lib/systemd/system/mgba-bridge-emulator@.service usr/share/doc/mgba-bridge/copyright
    usr/share/doc/mgba-bridge/DOTNET-THIRD-PARTY-NOTICES.txt usr/share/doc/mgba-bridge/MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt
    usr/share/man/man1/mgba-bridge.1.gz usr/share/man/man1/mgba-headless.1.gz
    usr/share/man/man1/mgba-rom-test.1.gz""".split()
COMPLETIONS = ["bash-completion/completions/mgba-bridge", "zsh/vendor-completions/_mgba-bridge", "fish/vendor_completions.d/mgba-bridge.fish"]
Packages = collections.namedtuple("Packages", "folder tar deb archive debian")  # the last two are unpacked


@pytest.fixture(scope="module")
def packages(make_packages, tmp_path_factory):
    work, folder, name = tmp_path_factory.mktemp("unpacked"), make_packages("linux-x64", "deb", "python-linux-x64", "mcpb-linux-x64"), f"mgba-bridge-{VERSION}-linux-x64"
    made = Packages(folder, folder / f"{name}.tar.gz", folder / f"mgba-bridge_{VERSION}_amd64.deb", work / name, work / "deb")
    run("sha256sum", "-c", "--strict", "SHA256SUMS", cwd=folder)
    run("tar", "-xzf", made.tar, "-C", work)
    run("dpkg-deb", "--raw-extract", made.deb, made.debian)
    return made


def unzipped(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read()


def verbs(program):
    """What `help` completes to, which are all verbs, in the order of the help."""
    line = "mgba-bridge help "
    names, text = run(program, f"[suggest:{len(line)}]", line).split(), run(program, "--help")
    listed = re.findall(r"^  (\S+)", text, re.MULTILINE)
    return sorted((name for name in names if not name.startswith("-") and name in listed), key=listed.index)


def first_line(pattern, path):
    return re.search(f"^.*{pattern}.*$", path.read_text(encoding="utf-8"), re.MULTILINE)[0]


def test_package_with_another_hash_than_in_the_lock_file_is_refused(packages, tmp_path):
    lock = (ROOT / "gateway/src/MgbaBridge.Gateway/packages.lock.json").read_text(encoding="utf-8")
    changed = tmp_path / "lock.json"
    changed.write_text(re.sub('"contentHash": "....', '"contentHash": "AAAA', lock, count=1), encoding="utf-8")
    assets = ROOT / "artifacts/dist/native-linux-x64/obj/MgbaBridge.Gateway/project.assets.json"
    done = subprocess.run([ROOT / "scripts/lib/locked.py", assets, changed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode != 0 and "has the hash" in done.stdout, done.stdout


def test_all_parts_have_the_version(packages):
    said = {
        "the script": first_line("local VERSION", pathlib.Path(SCRIPT)),
        "openapi.json": first_line('"version"', ROOT / "docs/openapi.json"),
        "the packed program": run(packages.archive / "mgba-bridge", "--version"),
        "the packed emulator": run(packages.archive / "mgba-headless", "--version"),
        "the deb": run("dpkg-deb", "-f", packages.deb, "Version"),
        "the manual page": next(line for line in unzipped(packages.debian / "usr/share/man/man1/mgba-bridge.1.gz").splitlines() if line.startswith(".TH")),
        "the newest heading of the changes": first_line("^## ", ROOT / "docs/CHANGELOG.md"),
    }
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    assert {part: text for part, text in said.items() if not re.search(rf'(^|[ "]){re.escape(VERSION)}($|[ ",])', text, re.MULTILINE)} == {}


@pytest.mark.parametrize("program, folder", [("{0.archive}/mgba-bridge", "{0.archive}"), ("{0.debian}/usr/bin/mgba-bridge", "{0.debian}/usr/share/doc/mgba-bridge")], ids=["archive", "deb"])
def test_documents_are_complete(packages, program, folder):
    """each help names this folder, what it names is there, and so is what the documents link to"""
    program, folder = program.format(packages), pathlib.Path(folder.format(packages))
    helps = [run(program, *verb, "--help", cwd=folder) for verb in ([], *([verb] for verb in verbs(program)))]
    assert [text for text in helps if f"docs/ is in {folder.resolve()}." not in text.splitlines()] == []
    named = re.findall(r"docs/[a-z-]*\.md", "".join(helps))
    assert [page for page in DOCUMENTS + named if not (folder / page).is_file() or not (folder / page).stat().st_size] == []
    run(ROOT / "scripts/lib/documents.py", "--check", ".", cwd=folder)


def hang_up(listener):
    with contextlib.suppress(OSError):  # closed by the test
        while True:
            listener.accept()[0].close()


def doctors(program):
    """What doctor says where nothing runs, where another program has the port, and where a library is missing."""
    with socket.create_server(("127.0.0.1", 0)) as other, tempfile.TemporaryDirectory() as data:
        broken = pathlib.Path(data, "mgba-headless")
        broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
        broken.chmod(0o755)
        threading.Thread(target=hang_up, args=(other,), daemon=True).start()
        for settings in ([], [f"--http-port={other.getsockname()[1]}"], [f"--Bridge:Owned:HeadlessProgram={broken}"]):
            command = [program, "doctor", "--json", "--http-port=0", "--Bridge:Transport:FirstScriptPort=1", f"--Bridge:Owned:DataFolder={data}/data", *settings]
            yield json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout)


def members(archive):
    if archive.name.endswith(".tar.gz"):
        return run("tar", "-tzf", archive).split()
    return zipfile.ZipFile(archive).namelist()


def test_doctor_names_what_is_there(packages):
    """its next step can be typed, and the documents that it names are in each archive"""
    said = list(doctors(packages.archive / "mgba-bridge"))
    assert [one["next"] for one in said if not one["command"] or not shutil.which(one["command"].removeprefix("sudo ").split()[0])] == []
    named = set(re.findall(r"docs/[a-z-]*\.md|[a-z/-]*mgba-bridge\.lua", json.dumps(said))) | {"mgba-bridge.lua", "docs/settings.md"}
    archives = [path for pattern in ("mgba-bridge-*.tar.gz", "mgba-bridge-*.zip") for path in packages.folder.glob(pattern)]
    assert archives and {(path.name, name) for path in archives for name in named if not any(member.endswith(f"/{name}") for member in members(path))} == set()


def test_archive_is_complete(packages):
    assert [name for name in IN_ARCHIVE if not (packages.archive / name).stat().st_size] == []
    assert all(os.access(packages.archive / name, os.X_OK) for name in ("mgba-bridge", "mgba-headless"))
    assert (packages.archive / "mgba-bridge.lua").read_bytes() == pathlib.Path(SCRIPT).read_bytes()
    assert [line for line in run("tar", "-tvzf", packages.tar).splitlines() if " 0/0 " not in line] == [], "files that do not belong to root"
    with_path = [path for path in packages.archive.rglob("*") if path.is_file() and bytes(ROOT) in path.read_bytes()]
    assert with_path == [], "files with a path of this machine"


def test_packed_program_starts(packages):
    run("scripts/tests/start-archive.sh", packages.folder, "linux-x64")


def test_deb_is_complete(packages):
    deb = packages.debian
    assert [name for name in IN_DEB if not (deb / name).stat().st_size] == []
    assert all("suggest" in (deb / "usr/share" / name).read_text(encoding="utf-8") for name in COMPLETIONS)
    assert (deb / "usr/bin/mgba-bridge").read_bytes() == (packages.archive / "mgba-bridge").read_bytes()
    settings = sorted(f"/{path.relative_to(deb)}" for path in (deb / "etc").rglob("*") if path.is_file())
    assert sorted((deb / "DEBIAN/conffiles").read_text(encoding="utf-8").split()) == settings
    run("md5sum", "-c", "--quiet", "DEBIAN/md5sums", cwd=deb)
    assert re.sub(r" \(>= [0-9.]+\)", "", run("dpkg-deb", "-f", packages.deb, "Depends")) == "libc6, libssl3 | libssl3t64\n"
    assert [line for line in run("dpkg-deb", "-c", packages.deb).splitlines() if " root/root " not in line] == [], "files that do not belong to root"
    for script in ("postinst", "prerm", "postrm"):
        run("sh", "-n", ROOT / "packaging/debian" / script)


@pytest.mark.parametrize("folder", ["{0.archive}", "{0.debian}/usr/bin"], ids=["archive", "deb"])
def test_packed_emulator_runs_test_roms(packages, folder):
    assert run(f"{folder.format(packages)}/mgba-rom-test", "-l", "1", "headless/roms/self-test.gba") == "GBA Debug: a fatal line\n"


@pytest.mark.parametrize("name", ["mgba-bridge", "mgba-headless", "mgba-rom-test"])
def test_manual_page_has_no_errors(packages, tmp_path, name):
    page = tmp_path / f"{name}.1"
    page.write_text(unzipped(packages.debian / f"usr/share/man/man1/{name}.1.gz"), encoding="utf-8")
    done = subprocess.run(["man", "--warnings", "-l", page], env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100"}, capture_output=True, text=True)
    assert done.stderr == ""
    assert "exit codes" in done.stdout.lower(), "it does not have the text of --help"
    assert str(ROOT / "artifacts") not in done.stdout, "it has a path of this machine"


def test_manual_page_has_all_verbs(packages):
    sections = re.findall(r'^\.SH "MGBA-BRIDGE (.*)"$', unzipped(packages.debian / "usr/share/man/man1/mgba-bridge.1.gz"), re.MULTILINE)
    assert [section.lower() for section in sections] == verbs(packages.debian / "usr/bin/mgba-bridge")
    assert {"PLAY", "TAP", "KEYS"} <= set(sections)


@pytest.fixture
def packed(packages, monkeypatch):
    """Gateways that tests start are the packed program with the packed emulator."""
    monkeypatch.setenv("GATEWAY_PROGRAM", str(packages.archive / "mgba-bridge"))
    monkeypatch.setenv("MGBA_HEADLESS", str(packages.archive / "mgba-headless"))


def test_packed_program_has_its_pages_and_its_documents(packed):
    gateway = Gateway()
    try:
        pages = {path: Caller(gateway.url).send("GET", path) for path in ("/", "/docs/index.html", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/docs/messages", "/openapi/v1.json", "/asyncapi.json")}
    finally:
        gateway.end()
    assert [path for path, (status, content) in pages.items() if status != 200 or not content] == []
    for path, file in (("/openapi/v1.json", "openapi.json"), ("/asyncapi.json", "asyncapi.json")):
        served, committed = pages[path][1], json.loads((ROOT / "docs" / file).read_text(encoding="utf-8"))
        assert {name: part for name, part in served.items() if name != "servers"} == {name: part for name, part in committed.items() if name != "servers"}


@pytest.mark.parametrize("tests", ["clients/python/test/test_emulator.py", "tests/fuzz/test_http.py"])
def test_packed_program_passes_tests(packed, tests):
    """native code responds as the tests of the program that the runtime compiles require: each operation, and random requests"""
    said = run("scripts/pytest", f"dist-{pathlib.Path(tests).stem}", tests, FUZZ_COUNT="sample", FUZZ_SECONDS="1200")
    print(said.splitlines()[-1])


def test_client_package_plays_a_game_without_a_gateway(start_emulator, tmp_path):
    """a program in an empty folder installs the client's package and plays the test game with the script of the package"""
    folder, program = tmp_path / "dist", tmp_path / "program"
    run("scripts/dist", "client", DIST_OUTPUT=str(folder))
    with zipfile.ZipFile(folder / f"MgbaBridge.Client.{VERSION}.nupkg") as package:
        assert {"README.md", "lib/net10.0/MgbaBridge.Client.dll", "lib/net10.0/MgbaBridge.Client.xml"} <= set(package.namelist())
        nuspec = package.read("MgbaBridge.Client.nuspec").decode()
    assert re.findall('<dependency id="((?!Microsoft\\.Extensions|Microsoft\\.IO|Polly)[^"]*)"', nuspec) == [], "it needs no ASP.NET Core and no gateway"
    assert "<license" in nuspec and "<readme" in nuspec and "<frameworkReference" not in nuspec, nuspec

    program.mkdir()
    shutil.copy(ROOT / "docs/examples/client.cs", program)
    (program / "nuget.config").write_text(f'<configuration><packageSources><add key="here" value="{folder}" /></packageSources></configuration>', encoding="utf-8")
    # its own folder of packages, which has no other package of this version; what the machine has of others is not downloaded again
    known = run("dotnet", "nuget", "locals", "global-packages", "--list").partition(":")[2].strip()
    run("dotnet", "build", "client.cs", "-o", "built", cwd=program, NUGET_PACKAGES=str(tmp_path / "packages"), NUGET_FALLBACK_PACKAGES=known)
    emulator = start_emulator(script=program / "built/mgba-bridge.lua")
    said = run(program / "built/client", LUA_PORT=str(emulator.port))
    assert re.search(r"Five presses took the score from \d+ to \d+, and the state took it back\.\s*$", said), said


PLAYS = """
import numpy, mgba_bridge
with mgba_bridge.Emulator(rom=":test:", fps=0) as game:
    before = game.read("0x02000094", "u32")
    game.press("A")
    assert game.read("0x02000094", "u32") > before and game.screen().shape == (160, 240, 3)
"""


def test_python_package_with_programs_plays_where_nothing_is_installed(packages, tmp_path):
    """pip installs it into an environment, which is not activated: there is no mgba-bridge in PATH"""
    (wheel,) = packages.folder.glob("mgba_bridge-*-py3-none-manylinux_2_*_x86_64.whl")
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path)
    run(tmp_path / "bin/python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel)
    run(tmp_path / "bin/python", "-c", PLAYS, PATH="/usr/bin:/bin", MGBA_BRIDGE_PROGRAM="", Bridge__Owned__DataFolder=str(tmp_path / "data"))
    assert VERSION in run(tmp_path / "bin/mgba-bridge", "--version") and VERSION in run(tmp_path / "bin/mgba-headless", "--version")
    kept = {name.rpartition("/")[2] for name in zipfile.ZipFile(wheel).namelist() if "/licenses/" in name}
    assert kept >= {"THIRD-PARTY-NOTICES.txt", "DOTNET-THIRD-PARTY-NOTICES.txt", "MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt"}
    run("dpkg", "--compare-versions", re.search("manylinux_([0-9_]+)_x86_64", wheel.name)[1].replace("_", "."), "le", "2.36")  # that of Debian 12


CONFIGURATION = """
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
const { getMcpConfigForManifest } = await import(pathToFileURL(`${process.argv[1]}/node_modules/@anthropic-ai/mcpb/dist/index.js`))
const [manifest, extensionPath, userConfig] = [JSON.parse(readFileSync(`${process.argv[2]}/manifest.json`)), process.argv[2], JSON.parse(process.argv[3])]
console.log(JSON.stringify(await getMcpConfigForManifest({ manifest, extensionPath, systemDirs: {}, userConfig, pathSeparator: '/' })))
"""


def test_bundle_for_clients_of_mcp_plays(packages, tmp_path):
    """as a client that unpacks it and starts what its manifest says, where nothing is installed"""
    (bundle,) = packages.folder.glob("mgba-bridge-*-linux-x64.mcpb")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    path = node.path()
    run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "@anthropic-ai/mcpb@2.1.2", cwd=tmp_path, PATH=path)
    run(tmp_path / "node_modules/.bin/mcpb", "unpack", bundle, tmp_path / "unpacked", PATH=path)
    run(tmp_path / "node_modules/.bin/mcpb", "validate", tmp_path / "unpacked/manifest.json", PATH=path)
    assert {"LICENSE", "THIRD-PARTY-NOTICES.txt", "DOTNET-THIRD-PARTY-NOTICES.txt", "MGBA-HEADLESS-THIRD-PARTY-NOTICES.txt"} <= {file.name for file in (tmp_path / "unpacked").iterdir()}
    none, start = (json.loads(run("node", "--input-type=module", "-e", CONFIGURATION, tmp_path, tmp_path / "unpacked", json.dumps(chosen), PATH=path)) for chosen in ({}, {"games": [":test:"]}))
    assert (none["args"], start["args"]) == (["mcp"], ["mcp", ":test:"])
    calls = [("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bundle", "version": "1"}}), ("tools/call", {"name": "press", "arguments": {"keys": "A", "picture": "none"}})]
    environment = {"PATH": "/usr/bin:/bin", "Bridge__Owned__DataFolder": str(tmp_path / "data"), **start["env"]}
    with subprocess.Popen([start["command"], *start["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as client:
        for number, (method, parameters) in enumerate(calls):
            client.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + "\n")
            client.stdin.flush()
            answer = json.loads(client.stdout.readline())
        client.stdin.close()
    assert answer["result"]["structuredContent"]["presses"] == 1, answer


def test_entry_of_the_registry_names_the_bundles(packages):
    run("scripts/dist", "server-json", DIST_OUTPUT=str(packages.folder), GITHUB_REPOSITORY="someone/mgba-bridge")
    entry = json.loads((packages.folder / "server.json").read_text(encoding="utf-8"))
    assert entry["name"] == "io.github.someone/mgba-bridge" and entry["version"] == VERSION and len(entry["description"]) <= 100
    for package in entry["packages"]:
        bundle = packages.folder / package["identifier"].rpartition("/")[2]
        assert package["identifier"].startswith(f"https://github.com/someone/mgba-bridge/releases/download/v{VERSION}/") and package["registryType"] == "mcpb"
        assert hashlib.sha256(bundle.read_bytes()).hexdigest() == package["fileSha256"]


def test_containerfile_has_no_warnings():
    run("npx", "--yes", "--ignore-scripts", "dockerfilelint@1.8.0", "packaging/container/Containerfile")


def test_unknown_part_is_refused():
    done = subprocess.run([ROOT / "scripts/dist", "nonsense"], capture_output=True, text=True)
    assert done.returncode == 1 and 'there is no part "nonsense"; the parts are linux-x64' in done.stderr
