"""What the clients of a schedule requested, the responses, and the rules that both must satisfy.

Each operation has an outcome: `ok`, `none` (the response says that it did not run), or `maybe` (it ran once or not at all: the response says so, or
there was none). docs/operating.md, "Failures", states which problem means what.
"""

import dataclasses
import threading
import time

NOT_RUN = {
    "overloaded", "connect-failed", "connect-timed-out", "not-ours", "wrong-version", "silent", "guard-failed", "leased", "rejected",
    "rate-limited", "no-such-emulator",
}
MAY_HAVE_RUN = {"connection-lost", "reply-timed-out", "indeterminate", "reply-too-large"}
REJECTED_MAY_HAVE_RUN = {"cancelled", "internal"}


class Violation(AssertionError):
    """A rule that the history breaks."""


@dataclasses.dataclass
class Operation:
    kind: str
    value: object
    sent: float
    answered: float = 0.0
    outcome: str = "maybe"
    result: object = None
    problem: str = ""


def outcome_of(status, problem, code):
    """The outcome that a response promises; an undocumented one is a violation."""
    if status == 200:
        return "ok"
    if problem == "rejected" and code in REJECTED_MAY_HAVE_RUN or problem in MAY_HAVE_RUN:
        return "maybe"
    if problem in NOT_RUN:
        return "none"
    raise Violation(f"an undocumented response: {status} {problem!r} {code!r}")


class History:
    """The operations of one client thread, which sends one at a time, in their order."""

    def __init__(self, name):
        self.name = name
        self.operations = []
        self.lock = threading.Lock()

    def begin(self, kind, value=None):
        operation = Operation(kind, value, time.monotonic())
        with self.lock:
            self.operations.append(operation)
        return operation

    @staticmethod
    def end(operation, outcome, result=None, problem=""):
        operation.answered, operation.outcome, operation.result, operation.problem = time.monotonic(), outcome, result, problem


def check_cell(history):
    """A cell that one client writes with ever new values and reads: each write takes effect at most once, and only if it may have run.

    A write without a certain outcome may still be on its way, so it may take effect at any later time, once.
    """
    current, pending = 0, set()
    for operation in history.operations:
        if operation.kind == "write":
            if operation.outcome == "ok":
                current = operation.value
            elif operation.outcome == "maybe":
                pending.add(operation.value)
        elif operation.outcome == "ok" and operation.result != current:
            if operation.result not in pending:
                raise Violation(f"{history.name}: read {operation.result}, but the cell holds {current} or one of {sorted(pending)}")
            pending.discard(operation.result)
            current = operation.result


def check_counter(histories, final):
    """A counter that several clients increase by guarded batches: no value is taken twice, and no increment is lost or invented."""
    done, possible = {}, set()
    for history in histories:
        for operation in history.operations:
            if operation.kind != "increase":
                continue
            if operation.outcome == "ok":
                if operation.value in done:
                    raise Violation(f"{history.name} and {done[operation.value]} both increased the counter from {operation.value}")
                done[operation.value] = history.name
            elif operation.outcome == "maybe":
                possible.add(operation.value)
    for value in range(final):
        if value not in done and value not in possible:
            raise Violation(f"nobody may have increased the counter from {value}, but it is {final}")
    beyond = [value for value in done if value >= final]
    if beyond:
        raise Violation(f"the counter is {final}, but the increase from {max(beyond)} succeeded")


def check_monotonic(histories):
    """What is read of the counter never decreases in real time, and both copies that a batch writes are equal."""
    reads = sorted((o for h in histories for o in h.operations if o.kind == "both" and o.outcome == "ok"), key=lambda o: o.answered)
    highest = []
    for operation in reads:
        first, second = operation.result
        if first != second:
            raise Violation(f"half of a batch is visible: {first} and {second}")
        before = max((o.result[0] for o in highest if o.answered < operation.sent), default=0)
        if first < before:
            raise Violation(f"the counter was read as {first} after {before}")
        highest.append(operation)


def check_presses(history, seen):
    """The game saw each tap that was accepted once, and no tap that was refused."""
    sure = sum(o.outcome == "ok" for o in history.operations if o.kind == "tap")
    most = sum(o.outcome != "none" for o in history.operations if o.kind == "tap")
    if not sure <= seen <= most:
        raise Violation(f"{history.name}: the game saw {seen} presses; {sure} were accepted, and at most {most} may have run")


def check_constants(history):
    """Each address holds a value of its own, so a reply that belongs to another request has the wrong value."""
    for operation in history.operations:
        if operation.kind == "constant" and operation.outcome == "ok" and operation.result != operation.value:
            raise Violation(f"{history.name}: got the reply of another request: {operation.result:#x} instead of {operation.value:#x}")


def check_key_order(events):
    """Of each key the game sees a press, then a release, and so on."""
    down = {}
    for frame, key, pressed in events:
        if down.get(key, not pressed) == pressed:
            raise Violation(f"key {key} is {'pressed' if pressed else 'released'} twice in a row (frame {frame})")
        down[key] = pressed
