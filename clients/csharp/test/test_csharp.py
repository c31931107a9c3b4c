"""The C# package, as users have it: what NuGet packs, with its examples against a gateway. CSharpPackageTests.cs of the gateway's tests tests what it does."""

import pathlib
import zipfile

import pytest

from code_blocks import code_blocks
from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "clients/csharp"
EXAMPLE = ROOT / "docs/examples/coins.cs"
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
LIMIT = 300  # seconds that anything may take on a busy machine
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <OutputType>Exe</OutputType>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="MgbaBridge.Http" Version="{version}" />
  </ItemGroup>
</Project>
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "scripts/dist", "csharp", DIST_OUTPUT=str(folder))
    return folder / f"MgbaBridge.Http.{VERSION}.nupkg"


@pytest.fixture
def build(package, tmp_path):
    """Builds a program in an empty folder that has the package and no other source of packages, and returns its file."""

    def start(name, program, project=""):
        (tmp_path / "nuget.config").write_text(f'<configuration><packageSources><clear /><add key="here" value="{package.parent}" /></packageSources></configuration>', encoding="utf-8")
        (tmp_path / f"{name}.cs").write_text(program, encoding="utf-8")
        if project:
            (tmp_path / f"{name}.csproj").write_text(project, encoding="utf-8")
        run("dotnet", "build", f"{name}.csproj" if project else f"{name}.cs", "-o", "built", cwd=tmp_path, timeout=LIMIT, NUGET_PACKAGES=str(tmp_path / "packages"))
        return tmp_path / "built" / name

    return start


def test_operations_are_those_of_the_openapi_document():
    run(ROOT / "scripts/lib/csharp_client.py", "--check")


def test_package_is_complete_and_needs_no_other(package):
    with zipfile.ZipFile(package) as content:
        names = set(content.namelist())
        nuspec = content.read("MgbaBridge.Http.nuspec").decode()
        everything = b"".join(content.read(name) for name in names)
    assert {"README.md", "lib/net10.0/MgbaBridge.Http.dll", "lib/net10.0/MgbaBridge.Http.xml"} <= names
    assert "<dependency " not in nuspec and "<frameworkReference" not in nuspec, nuspec
    assert "<license" in nuspec and f"<version>{VERSION}</version>" in nuspec, nuspec
    assert bytes(ROOT) not in everything, "a path of this machine"


@pytest.mark.parametrize("program", code_blocks(PACKAGE / "README.md", "csharp"), ids=["play", "events", "errors"])
def test_example_of_the_readme_compiles_and_runs(build, gateway, tmp_path, program):
    run(build("example", program, PROJECT.format(version=VERSION)), cwd=tmp_path, timeout=LIMIT, MGBA_BRIDGE_URL=gateway.url)


def test_example_collects_the_coins_of_the_demo_game(build, demo):
    assert run(build("coins", EXAMPLE.read_text(encoding="utf-8")), timeout=LIMIT, MGBA_BRIDGE_URL=demo.url) == "6 coins, milestone 5\n"
