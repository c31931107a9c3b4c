"""The rules for a session that moves between hosts: what its clients sent, and what its game may hold afterwards.

A copy of a session ends with a move. Its successor continues from a state: at a drain nothing may be missing in it, after a loss what came last.
"""

import dataclasses

from history import History, Violation, check_counter


@dataclasses.dataclass
class Copy:
    epoch: str
    ended: float = 0.0  # when the move that ended it began
    keeps: bool = True  # whether its successor has to have everything


def copies_of(histories, moves):
    """The copies that answered, in their order. `moves` are (began, keeps) of the moves of this session."""
    first = {}
    for history in histories:
        for operation in history.operations:
            if operation.outcome == "ok":
                epoch = operation.result[0]
                first[epoch] = min(first.get(epoch, operation.answered), operation.answered)
    epochs = sorted(first, key=first.get)
    if len(epochs) != len(moves) + 1:
        raise Violation(f"{len(epochs)} copies answered, but there were {len(moves)} moves")
    copies = [Copy(epoch, *move) for epoch, move in zip(epochs, moves)]
    return [*copies, Copy(epochs[-1])]


def check_moved_counter(histories, copies, final):
    """A counter that several clients increase by guarded batches: no value is taken twice, and no increment is invented or lost, except at a lost host.

    Operations `increase` have the guarded value, and as result the epoch; `read` have as result epoch and value. Returns for each lost host
    the seconds of play that its successor did not have.
    """
    begins = {}  # the smallest value that a copy had
    for operation in (each for history in histories for each in history.operations if each.outcome == "ok"):
        epoch, value = (operation.result[0], operation.value) if operation.kind == "increase" else operation.result
        begins[epoch] = min(begins.get(epoch, value), value)
    lost, missing, seen = [], set(), set()
    for copy, successor in zip(copies, copies[1:]):
        seen.add(copy.epoch)
        begin = begins[successor.epoch]
        beyond = [each for history in histories for each in history.operations
                  if each.kind == "increase" and each.outcome == "ok" and each.result[0] in seen and id(each) not in missing and each.value >= begin]
        if beyond and copy.keeps:
            raise Violation(f"the increase from {max(each.value for each in beyond)} succeeded, but after the drain the counter was {begin}")
        if not copy.keeps:
            lost.append(copy.ended - min((each.answered for each in beyond), default=copy.ended))
        missing.update(id(each) for each in beyond)
        check_counter(_kept(histories, missing, seen), begin)
    check_counter(_kept(histories, missing, {copy.epoch for copy in copies}), final)
    return lost


def _kept(histories, missing, epochs):
    kept = []
    for history in histories:
        one = History(history.name)
        one.operations = [each for each in history.operations
                          if each.kind == "increase" and id(each) not in missing and (each.outcome == "maybe" or each.outcome == "ok" and each.result[0] in epochs)]
        kept.append(one)
    return kept


def check_moved_taps(history, copies):
    """The game counts each tap of one client once, and none that was refused, except at a lost host.

    Operations `tap` have as result the epoch; `count` have as result epoch and the game's count when all taps before were over. Returns for each
    lost host the seconds of play that its successor did not have.
    """
    lost, taps, current = [], [], None
    low = high = 0
    for operation in history.operations:
        if operation.kind == "tap":
            low, high = low + (operation.outcome == "ok"), high + (operation.outcome != "none")
            if operation.outcome == "ok":
                taps.append(operation)
        elif operation.outcome == "ok":
            epoch, count = operation.result
            if current is None:
                current, low, high = 0, count, count
            while copies[current].epoch != epoch:
                copy, current = copies[current], current + 1
                if current == len(copies):
                    raise Violation(f"{history.name}: {epoch} is not the epoch of a copy")
                if not copy.keeps:
                    before = [each for each in taps if each.result[0] == copy.epoch]
                    gone = min(max(0, low - count), len(before))
                    lost.append(copy.ended - before[-gone].answered if gone else 0.0)
                    low = min(low, count)
            if not low <= count <= high:
                raise Violation(f"{history.name}: the game counted {count} presses; at least {low} were accepted, and at most {high} may have run")
            low = count
    return lost
