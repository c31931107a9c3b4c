"""Fixtures and output of all Python tests, which pytest.ini loads. CONTRIBUTING.md describes how to run them."""

import collections

import pytest


@pytest.fixture
def start_emulator():
    """Starts emulators with the arguments of HeadlessEmulator; each must be alive and without Lua errors when the test ends."""
    from headless import HeadlessEmulator  # pytest.ini's pythonpath is not yet set when the plugin is loaded

    started = []

    def start(*arguments, **options):
        started.append(HeadlessEmulator(*arguments, **options))
        return started[-1]

    yield start
    problems = []
    for emulator in started:
        try:
            emulator.check()
            emulator.end()
        except AssertionError as problem:
            emulator.kill()
            problems.append(str(problem))
    if problems:
        pytest.fail("; ".join(problems), pytrace=False)


@pytest.fixture
def emulator(start_emulator):
    """mgba-headless with the GBA test game at 60 frames a second and the script, on a free port."""
    return start_emulator()


@pytest.fixture(scope="session")
def instance():
    """An emulator and a gateway in front of it, as `make run` starts them, but patient: a busy machine gives an emulator no processor for seconds."""
    from gateway import PATIENT_ENVIRONMENT
    from instance import Instance

    instance = Instance(**PATIENT_ENVIRONMENT)
    yield instance
    instance.end()


# --lines SUITE: the output that scripts/test reads, a line `ok - name` for each test and the counts as the last line. A test that runs several, such as
# a suite in Lua, records its counts: record_property("passed", 17).


def pytest_addoption(parser):
    parser.addoption("--lines", metavar="SUITE", help="print a line `ok - name` or `not ok - name` for each test and the counts instead of pytest's output")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if config.option.lines and not hasattr(config, "workerinput"):
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(Lines(config.option.lines))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    words = (item.obj.__doc__ or item.originalname.removeprefix("test_").replace("_", " ")).strip().partition("\n")[0].rstrip(".")
    part = f" [{item.callspec.id}]" if hasattr(item, "callspec") else ""
    outcome.get_result().title = f"{item.path.stem.removeprefix('test_')}: {words}{part}"


class Lines:
    def __init__(self, suite):
        self.suite, self.counts = suite, collections.Counter()

    def pytest_runtest_logreport(self, report):
        recorded = {name: count for name, count in report.user_properties if name in ("passed", "failed", "skipped")}
        if report.failed or report.skipped or report.when == "call":
            self.counts.update(recorded or {report.outcome: 1})
        if report.failed:
            phase = "" if report.when == "call" else f" ({report.when})"
            print(f"not ok - {report.title}{phase}\n# {report.nodeid}")
            for title, text in [("", report.longreprtext), *report.sections]:
                print("# " + "\n# ".join([title, *text.splitlines()][not title :]))
        elif report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
            print(f"ok - {report.title} # SKIP {reason.removeprefix('Skipped: ')}")
        elif report.when == "call":
            print(f"ok - {report.title} ({report.duration:.1f} s)")
            for line in report.capstdout.splitlines():
                print("# " + line)

    def pytest_collectreport(self, report):
        if report.failed:
            self.counts["failed"] += 1
            print(f"not ok - {report.nodeid} cannot be loaded\n# " + report.longreprtext.replace("\n", "\n# "))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            print("# no test matches")
        print("{0}: {passed} passed, {failed} failed, {skipped} skipped".format(self.suite, **{name: self.counts[name] for name in ("passed", "failed", "skipped")}), flush=True)
