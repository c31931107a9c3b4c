"""Node.js as the scripts use it, and tests of its own runner."""

import re

from programs import run


def path(folder=None):
    """The PATH with this Node. Installs what a folder's package-lock.json names."""
    return run("bash", "-c", '. scripts/lib/common.sh && . scripts/lib/node.sh && use_node && { [ -z "$1" ] || npm_packages "$1"; } && printf %s "$PATH"', "tests/python/node.py", folder or "")


def run_tests(file, *options, cwd, record_property, **environment):
    """Runs the tests of a file; those who count the tests of this run count them instead of the one that calls this."""
    said = run("bash", "-c", 'node --test --test-reporter=tap "$@" || true', "node", *options, file, cwd=cwd, **environment)
    counts = {name: int(count) for name, count in re.findall(r"^# (pass|fail|cancelled|skipped) (\d+)$", said, re.MULTILINE)}
    assert counts, said
    for name, count in (("passed", counts["pass"]), ("failed", counts["fail"] + counts["cancelled"]), ("skipped", counts["skipped"])):
        record_property(name, count)
    assert counts["pass"] and not counts["fail"] + counts["cancelled"], said
    return said
