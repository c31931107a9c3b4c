"""The form of the sources, and what no compiler checks in them. `make format` formats what can be formatted automatically."""

import pathlib
import re

import pytest

from programs import ROOT, run

SOLUTION = "mGBA-bridge.sln"


def sources(ending, program):
    """The committed files with this ending or a first line that names this program."""
    for name in run("git", "ls-files").splitlines():
        path = pathlib.Path(ROOT, name)
        if path.is_file() and (name.endswith(ending) or re.match(rb"#!.*\b%s\d*\n" % program, path.open("rb").readline())):
            yield name


def test_no_phrase_is_used_that_the_project_avoids():
    run("python3", "-B", "scripts/lib/wording.py")


@pytest.mark.parametrize("checker, ending, program", [("pyflakes3", ".py", b"python"), ("shellcheck", ".sh", b"(?:ba)?sh")], ids=["pyflakes3", "shellcheck"])
def test_linter_finds_nothing(checker, ending, program):
    run(checker, *sources(ending, program))


def test_lock_files_are_those_of_the_projects():
    run("dotnet", "restore", SOLUTION, "--locked-mode", "-v", "quiet")


def test_csharp_is_formatted():
    run("dotnet", "format", "whitespace", SOLUTION, "--verify-no-changes")


def test_analyzers_find_nothing():
    """the analyzers, which builds of developers omit, find nothing in C#"""
    run("dotnet", "build", SOLUTION, "--artifacts-path", "artifacts/dotnet-analysis", "-v", "quiet", "-clp:ErrorsOnly", "-p:RunAnalyzersDuringBuild=true", CI="true")
