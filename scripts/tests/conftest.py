"""What the tests of the commands share."""

import os
import shutil

import pytest

BARE = "bash dirname env id cut tail sed grep mkdir cat realpath".split()  # the programs that every script requires


@pytest.fixture
def bare(tmp_path):
    """An environment whose PATH has only what every script requires."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in BARE:
        (folder / name).symlink_to(shutil.which(name))
    return {**os.environ, "PATH": str(folder)}
