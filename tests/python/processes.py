"""What Linux says of a running process, and of the machine."""

import collections
import contextlib
import os
import pathlib


def resident(pid):
    """MiB of memory of a process."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1048576


def processor_seconds(pid):
    """Seconds that the threads of a process have run; without those that have ended."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass  # it has ended
    return total / 1e9


def has_ended(pid):
    """Whether a process is gone, or only waits for its parent to notice."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            return "\nState:\tZ" in file.read()
    except OSError:
        return True


def send(pid, number):
    """Sends a signal, unless the process is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def children(pid):
    """The processes that a process has started and not yet waited for."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            found += map(int, path.read_text(encoding="ascii").split())
    return found


def descendants(pid):
    """A process, those that it has started, and theirs; a parent comes before its children."""
    return [pid, *(one for child in children(pid) for one in descendants(child))]


def name(pid):
    """The name of a process: that of its program, unless the program has changed it. None of a process that is gone."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return None


def environment(pid):
    """The environment that a process was started with."""
    with open(f"/proc/{pid}/environ", encoding="utf-8", errors="replace") as file:
        return dict(variable.split("=", 1) for variable in file.read().split("\0") if "=" in variable)


def descriptors(pid):
    """The number of files and sockets that a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def descriptors_by_kind(pid):
    """How many descriptors of each kind a process has: sockets, pipes, and files by name."""
    found = collections.Counter()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
        except FileNotFoundError:
            continue
        found[target.partition(":")[0] if ":[" in target else target] += 1
    return found


def machine():
    """The processors and the load of this machine, in a sentence."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "processors")
    return f"{os.cpu_count()} x {model}, load average {os.getloadavg()[0]:.2f}."
