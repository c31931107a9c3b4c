"""Random schedules of faults: the same seed gives the same schedule."""

import dataclasses
import os
import random
import resource

from fault_proxy import DIRECTIONS

LENGTH = 2.5  # seconds in which faults begin
LONGEST = 1.2  # seconds that one lasts


@dataclasses.dataclass(frozen=True)
class Fault:
    at: float  # seconds after the start
    kind: str
    seconds: float = 0.0
    direction: str = ""

    def __str__(self):
        parts = [f"{self.at:.2f} s: {self.kind}", self.direction, f"for {self.seconds:.2f} s" if self.seconds else ""]
        return " ".join(part for part in parts if part)


LASTING = ("delay", "blackhole", "refuse", "stop the emulator", "no descriptors for the emulator")
SUDDEN = ("cut with FIN", "cut with RST", "truncate", "duplicate", "kill the gateway", "kill the emulator")
WITH_DIRECTION = ("delay", "blackhole", "truncate", "duplicate")


def schedule(seed):
    """3 to 6 faults; at most one of them ends the gateway and one the emulator, because a start takes longer than all the others."""
    chance = random.Random(seed)
    faults = []
    for _ in range(chance.randint(3, 6)):
        kind = chance.choice(LASTING + SUDDEN)
        if kind.startswith("kill") and any(fault.kind == kind for fault in faults):
            kind = "duplicate"
        direction = chance.choice(DIRECTIONS) if kind in WITH_DIRECTION else ""
        seconds = round(chance.uniform(0.05, LONGEST), 2) if kind in LASTING else 0.0
        faults.append(Fault(round(chance.uniform(0, LENGTH), 2), kind, seconds, direction))
    return sorted(faults, key=lambda fault: fault.at)


class Faults:
    """Causes the faults of a schedule on a running stage."""

    def __init__(self, stage):
        self.stage, self.proxy = stage, stage.proxy
        self.limits = {}  # of descriptors: by process, those before

    def begin(self, fault):
        match fault.kind:
            case "delay":
                self.proxy.delay[fault.direction] = 0.05
            case "blackhole":
                self.proxy.set_blackhole(fault.direction, True)
            case "refuse":
                self.proxy.refusing = True
                self.proxy.cut(with_reset=True)
            case "stop the emulator":
                self.stage.emulator.freeze()
            case "cut with FIN":
                self.proxy.cut(with_reset=False)
            case "cut with RST":
                self.proxy.cut(with_reset=True)
            case "truncate" | "duplicate":
                self.proxy.arm(fault.kind, fault.direction, times=3)
            case "no descriptors for the emulator":
                self.limit_descriptors(self.stage.emulator.process.pid)
            case "kill the gateway":
                self.stage.restart_gateway()
            case "kill the emulator":
                self.stage.restart_emulator()

    def end(self, fault):
        match fault.kind:
            case "delay":
                self.proxy.delay[fault.direction] = 0.0
            case "blackhole":
                self.proxy.set_blackhole(fault.direction, False)
            case "refuse":
                self.proxy.refusing = False
            case "stop the emulator":
                self.stage.emulator.thaw()
            case "no descriptors for the emulator":
                self.permit_descriptors()

    def limit_descriptors(self, pid):
        """The process can open nothing more: no file, and no connection."""
        self.limits.setdefault(pid, resource.prlimit(pid, resource.RLIMIT_NOFILE))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")), self.limits[pid][1]))

    def permit_descriptors(self):
        for pid, limits in list(self.limits.items()):
            try:
                resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
            except ProcessLookupError:
                pass  # it was killed meanwhile

