#!/usr/bin/python3
"""Copies README.md, docs/ with the examples, and what they link to into a folder: documents.py FOLDER

documents.py --check FOLDER names the links of a copy whose files are missing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")


def links(root, page):
    """The files that a page below a folder links to, relative to the folder."""
    return {pathlib.Path(os.path.normpath(page.parent / target)) for target in LINK.findall((root / page).read_text())}


def copy(folder):
    """Copies them, with the folders that they have here."""
    listed = subprocess.run(["git", "ls-files", "README.md", "docs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = {pathlib.Path(file) for file in listed}
    linked = set().union(*(links(ROOT, page) for page in files if page.suffix == ".md"))
    for file in sorted(files | {file for file in linked if (ROOT / file).is_file()}):
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, target)
        target.chmod(0o755 if os.access(ROOT / file, os.X_OK) else 0o644)


def check(folder):
    """What README.md and docs/ link to exists."""
    pages = [folder / "README.md", *folder.glob("docs/**/*.md")]
    wrong = [f"{page} links to {target}" for page in pages for target in links(folder, page.relative_to(folder)) if not (folder / target).exists()]
    sys.exit("\n".join(sorted(wrong)) or 0)


if __name__ == "__main__":
    check(pathlib.Path(sys.argv[2])) if sys.argv[1] == "--check" else copy(pathlib.Path(sys.argv[1]))
