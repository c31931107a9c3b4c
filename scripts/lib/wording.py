"""Reports phrases that the project does not use (CONTRIBUTING.md, "Style and commits"): wording.py; ends with 1 if it finds one."""

import pathlib
import re
import subprocess
import sys

# the phrase, and what to write instead
PHRASES = {
    r"lets? go of|letting go of": "release",
    r"left away|leav(e|es|ing) (it )?away": "omit",
    r"told|unasked": "notify, an event, says",
    r"go(es)? on": "continue, resume",
    r"comes? back": "return, reconnect",
    r"(?<!there )is no (?!such\b|longer\b|more\b)": "is not a",
    r"whole number": "integer",
    r"not to be had": "not available",
    r"stands? (still|for|in|before)": "is, is stopped, means",
    r"whoever|who woke": "the client, the connection that",
    r"the rooms|the house": "modules, folders",
    r"is asked (to|for)": "a request to",
    r"the plain way": "baseline",
}

# generated, copied from other projects, or history
SKIPPED = re.compile(
    r"^(docs/decisions/|docs/CHANGELOG\.md|docs/performance/|lua/types/|gateway/src/MgbaBridge\.Gateway/Interfaces/WebPage/Bundle/|scripts/lib/wording\.py$)|lock\.json$"
    r"|\.(png|svg|ico|gba|gb|ss\d|elf|sav|state|bin)$"
)


def findings(root):
    """Lines with one of the phrases, as path:line: text."""
    pattern = re.compile("|".join(rf"(?P<p{i}>\b(?:{phrase}))(?!\w)" for i, phrase in enumerate(PHRASES)), re.IGNORECASE)
    instead = list(PHRASES.values())
    for name in subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines():
        if SKIPPED.search(name):
            continue
        try:
            lines = (root / name).read_text(encoding="utf-8").splitlines()
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
        for number, line in enumerate(lines, 1):
            found = pattern.search(line)
            if found:
                yield f'{name}:{number}: "{found.group().strip()}"; write: {instead[int(found.lastgroup[1:])]}'


def main():
    wrong = list(findings(pathlib.Path(__file__).resolve().parents[2]))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
