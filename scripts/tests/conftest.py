"""What the tests of the commands share."""

import os
import pathlib
import shutil

import pytest

from clean_system import System
from instance import FOREIGN
from programs import run

BARE = "bash dirname env id cut tail sed grep mkdir cat realpath".split()  # the programs that every script requires


@pytest.fixture(scope="session", autouse=True)
def environment():
    """The commands under test do not use the caller's settings."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if FOREIGN.fullmatch(name) or name in ("BASE_URL", "QUICK", "FULL", "RATES", "DURATION"):
                patch.delenv(name)
        yield


@pytest.fixture
def bare(tmp_path):
    """An environment whose PATH has only what every script requires."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in BARE:
        (folder / name).symlink_to(shutil.which(name))
    return {**os.environ, "PATH": str(folder)}


@pytest.fixture(scope="module")
def make_packages(tmp_path_factory):
    """Makes packages, unless DIST_OUTPUT is a folder that has them. Returns their folder."""

    def make(*parts):
        if os.environ.get("DIST_OUTPUT"):
            return pathlib.Path(os.environ["DIST_OUTPUT"])
        folder = tmp_path_factory.mktemp("packages") / "dist"
        run("scripts/dist", *parts, DIST_OUTPUT=str(folder))
        return folder

    return make


@pytest.fixture(scope="module")
def make_system(clean, packages, tmp_path_factory):
    """Makes copies of `clean` with `packages`, which the module has."""
    folder, made = tmp_path_factory.mktemp("systems"), []
    yield lambda: made.append(System(clean, packages, folder / str(len(made)))) or made[-1]
    shutil.rmtree(folder)
