"""The operations of the gateway, written by scripts/openapi from docs/openapi.json; do not edit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Concatenate, Literal, NamedTuple, NotRequired, ParamSpec, TypedDict, TypeVar, cast

VERSION = "0.1.0"
Key = Literal["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"]
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Declaration(NamedTuple):
    """How HTTP sends an operation. What is in neither path nor query is a property of the JSON body, or the body itself."""

    method: str
    path: str
    query: tuple[str, ...] = ()
    media: str | None = None
    is_whole: bool = False
    has_holder: bool = False
    is_per_emulator: bool = True


class AgentAnswer(TypedDict):
    """An agent."""
    # Its id.
    id: str
    # The name that the program gives itself.
    name: str
    # The version that the program gives itself.
    version: NotRequired[str | None]
    # The version of MCP that it uses.
    protocol: str
    # Its address; for owners.
    caller: NotRequired[str | None]
    # The holder of its keys and its lease.
    holder: str
    # Whether it has a session, or sends requests without one.
    connected: bool
    # Whether a person has paused it.
    paused: bool
    # Since when.
    pausedAt: NotRequired[str | None]
    # When it connected first.
    since: str
    # When it sent a request last.
    lastSeen: str
    # How many calls of tools it has made.
    calls: int
    # How many of them ended with an error or were cancelled.
    failed: int
    # How many presses of keys it has made.
    presses: int
    # Its last calls, oldest first.
    recent: list[AgentCall]


class AgentCall(TypedDict):
    """A call of an agent."""
    # When it began.
    at: str
    # The tool.
    tool: str
    # The emulator, or null when it needs none.
    emulator: NotRequired[str | None]
    # How a call of an agent ended.
    outcome: Literal["done", "failed", "cancelled", "paused"]
    # How long it took.
    milliseconds: float
    # The frame of its result, or null.
    frame: NotRequired[int | None]
    # What it did, or why it failed.
    detail: NotRequired[str | None]


class AgentsAnswer(TypedDict):
    """The agents."""
    # The one that was seen last first.
    agents: list[AgentAnswer]


class BacktraceAnswer(TypedDict):
    """The functions that are under way."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The innermost first.
    functions: list[FunctionAnswer]


class BallotAnswer(TypedDict):
    """A ballot that was counted."""
    # The id of the vote.
    vote: str
    # The round in which it was counted.
    round: int
    # The name of the choice.
    choice: str
    # How many ballots the choice has now in this round.
    ballots: int
    # Of anarchy: whether it will be pressed; false when as many presses wait as may.
    queued: NotRequired[bool | None]


class BatchAnswer(TypedDict):
    """What became of a batch."""
    # The frame in which all of it was done.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many items were done: fewer than `of` when one of them could not be.
    done: int
    # How many items there were.
    of: int
    # What became of each, in order, up to the first that could not be done.
    results: list[ItemAnswer]


class BytesAnswer(TypedDict):
    """A range of memory."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    bytes: str


class CapabilitiesAnswer(TypedDict):
    """What this emulator's script can do."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `registers` and `screen`: the script has these commands (`screen.get` is `unsupported` where the host draws no picture); `files`: a folder for files
    # is allowed. docs/protocol.md, section 8, has them all.
    capabilities: list[str]
    # What the script understands: name, kind and arguments.
    commands: list[str]


class CartridgeAnswer(TypedDict):
    """What the emulator takes the cartridge and the console for; what this console does not have is absent."""
    saveType: NotRequired[CartridgePart]
    hardware: NotRequired[CartridgePart]
    idleLoop: NotRequired[CartridgePart]
    model: NotRequired[CartridgePart]
    mbc: NotRequired[CartridgePart]
    bios: NotRequired[CartridgePart]
    palette: NotRequired[CartridgePart]
    skipBios: NotRequired[CartridgePart]
    clock: NotRequired[CartridgePart]


class CartridgePart(TypedDict):
    """One thing about the cartridge or the console."""
    # What it is, as the options of emulators name it.
    value: str
    # Where that comes from: `option`, mGBA's `table` of games, a `guess` by the ROM, `detected` from what the game does, a `state` that was loaded,
    # `script` (a request set the clock), or `default`.
    origin: str
    # What is wrong with it, found while the game ran, and what to change: of an idle loop in which the game is halted for good. Otherwise absent.
    problem: NotRequired[str | None]


class CellAnswer(TypedDict):
    """One value of memory."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # The value, unsigned.
    value: int


class Cheat(TypedDict):
    """A cheat of the game."""
    # Its name.
    name: str
    # Whether it is applied.
    enabled: bool
    # Its codes.
    codes: list[str]
    # Why it cannot be used; null when it can.
    problem: NotRequired[str | None]


class CheatsAnswer(TypedDict):
    """The cheats of an emulator."""
    # The script's frame count when they were listed.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # All of them: those that are used, in the order in which they are applied, then those of the file that cannot be used, with `problem`.
    cheats: list[Cheat]


class ChecksumAnswer(TypedDict):
    """The checksum of the ROM."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its CRC32, `0x` and eight hex digits.
    crc32: str


class ChoiceAnswer(TypedDict):
    """A choice of a vote."""
    # Its name.
    name: str
    # What is pressed for it; absent for nothing.
    sequence: NotRequired[str | None]
    # How many ballots it has in this round.
    ballots: int


class ClockAnswer(TypedDict):
    """How the clock of the cartridge runs."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `host`: it is the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames.
    mode: str
    # What the game reads, without a zone.
    time: str
    # By how many seconds it is before the machine's; absent where it is not.
    offsetSeconds: NotRequired[int | None]


class ComparisonAnswer(TypedDict):
    """Where two states differ."""
    # How many bytes differ in all.
    bytes: int
    # Where, by region.
    regions: list[RegionAnswer]


class ContinuedAnswer(TypedDict):
    """That the game runs."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whether it was halted.
    wasHalted: bool


class CreatedSessionsAnswer(TypedDict):
    """The sessions that were created."""
    # Their ids; their paths are below `/i/{id}` when they run.
    ids: list[str]


class CropAnswer(TypedDict):
    x: int
    y: int
    width: int
    height: int


class DebuggerAnswer(TypedDict):
    """Whether the game is halted, and the registers of the processor."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whether it is halted.
    halted: bool
    # The number of the halt: another number is another halt.
    halt: NotRequired[int | None]
    # Why: `requested`, `step`, `point`, `moved` (a state was loaded, or the game reset), or `history` (which begins there).
    reason: NotRequired[str | None]
    # The instruction that is executed next.
    pc: NotRequired[str | None]
    # Its bank, on a Game Boy.
    bank: NotRequired[int | None]
    # Its name, perhaps with an offset; absent where no symbol is known.
    symbol: NotRequired[str | None]
    hit: NotRequired[HitAnswer]
    # The frame that it is in, in its past; absent in the present.
    past: NotRequired[int | None]
    # Whether it goes back or repeats its past at the moment: it is halted as before until that is done; otherwise absent.
    searching: NotRequired[bool | None]
    # Values by name, unsigned. The `pc` of a GBA is ahead of the instruction that is executed next, as the processor has it.
    registers: dict[str, int]


class DeletedSessionsAnswer(TypedDict):
    """Sessions that were deleted."""
    # How many.
    deleted: int


class DifferentBytes(TypedDict):
    """Bytes that are others in a replay than in its recording."""
    # Where the first is, such as `wram:0x10`.
    location: str
    # The property or symbol that is there, `player.hp` or `counter+0x4`; absent when none is known.
    name: NotRequired[str | None]
    # The bytes in the recording, in hexadecimal.
    expected: str
    # The bytes in the replay.
    found: str


class DisassemblyAnswer(TypedDict):
    """Instructions of a game."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # In the order of their addresses; fewer than were asked for where memory ends.
    instructions: list[InstructionAnswer]


class Divergence(TypedDict):
    """Where a replay went another way."""
    # The frame of the recording.
    frame: int
    # How many frames after its state.
    after: int
    # The hash in the recording.
    expected: str
    # The hash that was found.
    found: str
    # The first 16 places that differ; absent when the recording has no memory of this frame.
    places: NotRequired[list[DifferentBytes] | None]


class DomainAnswer(TypedDict):
    """A part of the game's memory with a name."""
    # Its prefix in a location, such as `wram` in `wram:0x10`.
    id: str
    # What people call it.
    name: str
    # The address of its first byte on the bus.
    base: str
    # How many bytes it has.
    size: int


class DomainsAnswer(TypedDict):
    """The parts of the game's memory that have a name."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # By address.
    domains: list[DomainAnswer]


class DoneAnswer(TypedDict):
    """It was done."""
    # The script's frame count when it was done.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str


class DoorClientAnswer(TypedDict):
    """A client that is connected by the protocol of another emulator."""
    # Its protocol, such as `bizhawk`.
    protocol: str
    # Its address; for owners.
    caller: NotRequired[str | None]
    # When it connected.
    since: str
    # When its last request came.
    lastSeen: str
    # How many requests it has sent.
    requests: int
    # What its last request was.
    last: NotRequired[str | None]


class EmulatorLogAnswer(TypedDict):
    """What an emulator printed."""
    # The last lines, oldest first: at most 200, each with at most 1000 characters.
    lines: list[str]


class EndedGuestsAnswer(TypedDict):
    """Links that were ended."""
    # How many.
    ended: int


# Something that happened.
EventAnswer = TypedDict(
    "EventAnswer",
    {
        # The script's frame count when it happened; 0 when the script did not say it.
        "frame": 'int',
        # Changes when the script or the game changes: eight hex digits.
        "epoch": 'str',
        # The topic that it belongs to, written in full.
        "topic": 'str',
        # Of `keys`: those that are down now.
        "keys": 'NotRequired[list[Key]]',
        # Of `keys`, `sensors`: the first frame that ran with them; of `camera`: the first frame that ran with it; of `state`: the first frame that ran after
        # it.
        "from": 'NotRequired[int]',
        # Of `sensors`: 0 (bright) to 255 (dark).
        "light": 'NotRequired[int]',
        # Of `sensors`: thousandths of a degree, the right edge down.
        "x": 'NotRequired[int]',
        # Of `sensors`: thousandths of a degree, the far edge down.
        "y": 'NotRequired[int]',
        # Of `sensors`: thousandths of a degree a second, clockwise.
        "gyro": 'NotRequired[int]',
        # Of `camera`: 128 x 112 bytes, each pixel grey from 0 (black), row by row from the top; none: darkness; of `memory`: those that are there now; of
        # `sound`: the samples, left and right in turn, 16 bits each, little-endian.
        "bytes": 'NotRequired[str]',
        # Of `log`: each with its category: `GBA Debug: hello`; of `hits`: each a hit: id of the point, kind (1 execute, 2 read, 4 write, 8 change, 16
        # interrupt), pc, its bank, address, size, value before, value, value after, whether DMA did it (1), frame.
        "lines": 'NotRequired[list[str]]',
        # Of `sound`: the number of the first pair of samples, 48,000 a second of the game; a gap in the numbers is sound that was lost.
        "sample": 'NotRequired[int]',
        # Of `hits`: hits of all points since the script was loaded; of `freeze`: how many there are now.
        "count": 'NotRequired[int]',
        # Of `hits`: hits that were not passed on to anybody since the emulator was started.
        "lost": 'NotRequired[int]',
        # Of `game.opened`: its title.
        "title": 'NotRequired[str]',
        # Of `game.opened`: its code.
        "code": 'NotRequired[str]',
        # Of `game.machine`: whether frames run: `running`, `paused`, `halted` (by a debugger), `stopped`, `crashed` or `none` (no game).
        "machine": 'NotRequired[str]',
        # Of `game.save`: why the save file cannot be written, if so.
        "problem": 'NotRequired[str]',
        # Of `lease`: who has it, if anybody.
        "holder": 'NotRequired[str]',
        # Of `lease`: why it ended; of `freeze`: why the last of these ended; of `debug.halted`: `requested`, `step`, `point` or `moved` (a state was loaded, or
        # the game reset); of `emulator.lost`, `emulator.restarted`: why; of `emulator.message`: the message; of `ended`: why, a code of an error.
        "reason": 'NotRequired[str]',
        # Of `freeze`: how many ended without a request since the last event.
        "ended": 'NotRequired[int]',
        # Of `debug.halted`: the number of the halt.
        "halt": 'NotRequired[int]',
        # Of `debug.halted`: the instruction that is executed next.
        "pc": 'NotRequired[int]',
        # Of `debug.halted`: of it.
        "bank": 'NotRequired[int]',
        # Of `debug.halted`: the id of the point that was hit.
        "point": 'NotRequired[int]',
        # Of `debug.halted`: what hit it: `execute`, `read`, `write`, `change` or `interrupt`.
        "kind": 'NotRequired[str]',
        # Of `debug.halted`: the instruction that hit it.
        "at": 'NotRequired[int]',
        # Of `debug.halted`: of the access.
        "address": 'NotRequired[int]',
        # Of `debug.halted`: bytes of the access.
        "size": 'NotRequired[int]',
        # Of `debug.halted`: the value before the access.
        "before": 'NotRequired[int]',
        # Of `debug.halted`: the value that was read or written.
        "value": 'NotRequired[int]',
        # Of `debug.halted`: the value after the access.
        "after": 'NotRequired[int]',
        # Of `vote.opened`, `vote.ballots`, `vote.decided`, `vote.ended`: its id.
        "vote": 'NotRequired[str]',
        # How many events of this topic, or lines of the log, the script left out because they were not taken in time.
        "dropped": 'NotRequired[int]',
    },
)


class ExpressionStep(TypedDict):
    """A step of an expression: what it puts on the stack, or what it makes of the last two numbers there."""
    # This number.
    number: NotRequired[float | None]
    # The value of this variable.
    value: NotRequired[str | None]
    # The change of this variable in the step.
    change: NotRequired[str | None]
    # An operator: `+ - * / == != &lt; &lt;= &gt; &gt;= and or min max`; `sign` and `abs` are of the last number alone.
    operator: NotRequired[str | None]


class FaultAnswer(TypedDict):
    """A fault of an emulator that the gateway started."""
    # When it was found.
    at: str
    # What happened.
    reason: str
    # When the emulator answered again; absent while it does not.
    restartedAt: NotRequired[str | None]
    # The state that it continued from; absent when the game started from its save file.
    restoredFrom: NotRequired[str | None]
    # Seconds of play that were lost, at most.
    lostSeconds: NotRequired[float | None]
    # The file with the last lines that the emulator printed; for owners.
    log: NotRequired[str | None]


class FleetEvent(TypedDict):
    """What happened in the fleet."""
    # Its number, which rises.
    id: int
    # When, by the database's clock.
    at: str
    # What, such as `session.placed`.
    kind: str
    # The session, or null.
    session: NotRequired[str | None]
    # The session's generation, or null.
    generation: NotRequired[int | None]
    # The host, or null.
    host: NotRequired[str | None]
    # More about it, or empty.
    detail: str


class FleetEventsAnswer(TypedDict):
    """What happened, oldest first."""
    # The events.
    events: list[FleetEvent]


class FleetHost(TypedDict):
    """A host as lists show it."""
    # Its id.
    id: str
    # The name of its machine.
    name: str
    # `ready`, `draining` or `gone`.
    state: str
    # The version of its program.
    version: str
    # What the engine calls the job that it is, such as `162_0` of Slurm; null for one that was started by hand.
    job: NotRequired[str | None]
    # Emulators that it takes.
    capacity: int
    # Sessions that it has.
    sessions: int
    # Seconds until its lease ends, by the database's clock; negative when it has ended.
    leaseSeconds: float


class FleetSession(TypedDict):
    """A session as lists show it."""
    # Its id.
    id: str
    # Its owner.
    owner: str
    # Its ROM.
    rom: str
    # `pending`, `placed`, `running` or `deleting`.
    state: str
    # Rises each time a host takes it.
    generation: int
    # The name of the machine whose host has it, such as the node of Slurm, or null.
    host: NotRequired[str | None]
    # What the engine calls its job, such as `162_0` of Slurm; null while no host has it, and without an engine.
    job: NotRequired[str | None]
    # Why it does not run, or why its states are not stored; otherwise empty.
    detail: str
    # Failed starts in a row.
    failures: int
    # Processors of its job, or null.
    cpus: NotRequired[float | None]
    # Memory of its job in MiB, or null.
    memory: NotRequired[int | None]
    # Seconds since its newest state was stored, by the database's clock: what it would lose; null when it has none.
    stateSeconds: NotRequired[float | None]


class FleetStatusAnswer(TypedDict):
    """The fleet in numbers."""
    # Its name.
    fleet: str
    # Hosts that are ready.
    hosts: int
    # Emulators that they take.
    capacity: int
    # Sessions that wait for a host.
    pending: int
    # Sessions that start.
    placed: int
    # Sessions that run.
    running: int
    # Sessions that end.
    deleting: int
    # Age of the newest state of the running session where it is oldest; 0 when none runs. It grows while states cannot be stored, or the game is paused.
    stateSeconds: float
    # That session, or null.
    stateSession: NotRequired[str | None]
    # Why its states are not stored; empty when they are.
    stateProblem: str
    # That the engine that starts hosts failed last, or that its jobs cannot use the database, and why; empty when it works, or there is none.
    engineProblem: str


class FreezeAnswer(TypedDict):
    """A freeze that was set."""
    # The first frame in which it was written.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its id.
    id: str
    # Whose it is.
    holder: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # The last frame in which it is written; absent when it is written until it is released.
    last: NotRequired[int | None]


class FreezeEntry(TypedDict):
    """A freeze."""
    # Its id, unique for the holder.
    id: str
    # Whose it is.
    holder: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    bytes: str
    # The last frame in which it is written; absent when it is written until it is released.
    last: NotRequired[int | None]


class FreezesAnswer(TypedDict):
    """The freezes of an emulator."""
    # The script's frame count when they were listed.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # All of them, in the order in which they are written.
    freezes: list[FreezeEntry]


# A function that is under way.
FunctionAnswer = TypedDict(
    "FunctionAnswer",
    {
        # The instruction that it executes next.
        "address": 'str',
        # Its bank, on a Game Boy.
        "bank": 'NotRequired[int | None]',
        # The place in it; absent where no symbol is known.
        "symbol": 'NotRequired[str | None]',
        # Where the address is from: `pc`, `link` (the register lr), `stack`, or `interrupt` (what an interrupt of a GBA has interrupted, as its BIOS keeps it).
        "from": 'str',
        # `exact`, `matched` (it calls the function before) or `guess`.
        "certainty": 'str',
        # The instruction that calls the function before; absent where none does.
        "call": 'NotRequired[str | None]',
        # Where the address is on the stack; absent where it is not.
        "place": 'NotRequired[str | None]',
    },
)


class GameAnswer(TypedDict):
    """What is known about the loaded game."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The title in its header.
    title: str
    # The code as mGBA reports it: `AGB-BBTE` in 0.10, `BBTE` in 0.11, where it is empty for most Game Boy games.
    code: str
    # The four letters in the ROM header, the same in every mGBA version. Absent when the header has none, or the script is older than this field.
    gameCode: NotRequired[str | None]
    # `gba` or `gb`.
    platform: str
    # The CRC32 of the ROM.
    crc32: str
    # The size of the ROM in bytes.
    romSize: int
    # Cycles of the processor in a frame.
    frameCycles: int
    # Cycles of the processor in a second.
    frequency: int
    cartridge: NotRequired[CartridgeAnswer]
    # The name of the file whose patch was applied to the ROM when the gateway started the emulator; absent without one, in windows, and in batches.
    patch: NotRequired[str | None]
    # The name of the file whose cheats it was started with, likewise.
    cheats: NotRequired[str | None]


class GamePack(TypedDict):
    """A game pack: what a property map adds so that programs can walk and talk in a game. It names places of the map and of the symbols."""
    player: NotRequired[PackPlayer]
    # The names of the maps, by their number: `{"0": "harbour"}`. Default: maps have numbers only.
    maps: dict[str, str]
    grid: NotRequired[PackGrid]
    # People, signs, doors and items.
    things: list[PackThing]
    # Ways to other maps.
    exits: list[PackExit]
    text: NotRequired[PackTextBox]
    # Menus and questions.
    menus: list[PackMenu]
    # What may be reached in the game, in its order.
    milestones: list[PackMilestone]


class GuestAnswer(TypedDict):
    """A guest."""
    # The id.
    id: str
    # What the owner calls the guest.
    name: str
    # What a caller may do. Each role includes the ones before it.
    role: Literal["none", "viewer", "guest", "player", "owner"]
    # When the link ends.
    until: str
    # The open WebSockets of all who use the link, the oldest first.
    connections: list[GuestConnectionAnswer]


class GuestConnectionAnswer(TypedDict):
    """A guest's WebSocket, such as that of the page."""
    # The emulator's id.
    emulator: str
    # The holder of its keys and its lease.
    holder: str
    # When it was opened.
    since: str
    # How many milliseconds its last ping took, as it says itself; absent before it has said so.
    delayMs: NotRequired[float | None]


class GuestsAnswer(TypedDict):
    """The guests."""
    # The oldest first.
    guests: list[GuestAnswer]


class HardwareAnswer(TypedDict):
    """The state of the console's devices."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `gba` or `gb`.
    platform: str
    # The devices.
    parts: list[HardwarePartAnswer]
    # Which banks of a Game Boy are mapped: `rom`, `vram`, `sram` and `wram`. Absent for a GBA, and in windows.
    banks: NotRequired[dict[str, int] | None]


class HardwareFieldAnswer(TypedDict):
    """Some bits of a register."""
    # Their name.
    name: str
    # Their value; 1 is yes.
    value: int
    # What this value means, or the address that it is; omitted where it is a number, yes or no.
    meaning: NotRequired[str | None]


class HardwarePartAnswer(TypedDict):
    """A device."""
    # Its name.
    name: str
    # Its registers.
    registers: list[HardwareRegisterAnswer]


class HardwareRegisterAnswer(TypedDict):
    """A register of a device."""
    # Its name in GBATEK or Pan Docs.
    name: str
    # Its address.
    address: str
    # Its value.
    value: int
    # What its bits mean, from the lowest on.
    fields: list[HardwareFieldAnswer]


class HistoryAnswer(TypedDict):
    """What is kept of the history of a game."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How much memory it may take; 0 when none is kept.
    megabytes: int
    # How much it takes.
    bytes: int
    # The frame in which it begins.
    first: int
    # The frame that the game is in.
    at: int
    # Whether the game is in its past.
    inPast: bool
    # Why nothing is kept; absent without a reason.
    problem: NotRequired[str | None]


class HitAnswer(TypedDict):
    point: int
    kind: str
    pc: str
    bank: int
    symbol: NotRequired[str | None]
    address: NotRequired[str | None]
    name: NotRequired[str | None]
    size: NotRequired[int | None]
    before: NotRequired[int | None]
    value: NotRequired[int | None]
    after: NotRequired[int | None]
    byDma: NotRequired[bool | None]


class HolderAnswer(TypedDict):
    """What one holder keeps down."""
    # Its name: `http` for requests to /v2 that name none, `compat` for requests to mGBA-http's paths.
    holder: str
    # Names of keys. A text such as `A+Up` is taken too.
    keys: list[Key]


class HostsAnswer(TypedDict):
    """Hosts, those that live first."""
    # The hosts.
    hosts: list[FleetHost]


class InstructionAnswer(TypedDict):
    """An instruction."""
    # Where it is.
    address: str
    # In which bank of a Game Boy; omitted for a GBA.
    bank: NotRequired[int | None]
    # The symbol that is there, `main` or `main+0x4`; omitted when none is known.
    symbol: NotRequired[str | None]
    # Its bytes, in hexadecimal.
    bytes: str
    # What it is: ARM and Thumb as GNU objdump writes them, the SM83 of the Game Boy as RGBDS does.
    text: str
    # `branch`, `call`, `return`, `interrupt` (a function of the BIOS), `data` (it reads or writes its target, or takes its address), `undefined` or
    # `other`.
    kind: str
    target: NotRequired[TargetAnswer]


class InvitedGuestAnswer(TypedDict):
    """A guest who was invited."""
    # The id.
    id: str
    # What the owner calls the guest.
    name: str
    # What a caller may do. Each role includes the ones before it.
    role: Literal["none", "viewer", "guest", "player", "owner"]
    # When the link ends.
    until: str
    # The page with the guest's token. It is in no other response: the gateway knows only the token's SHA-256.
    link: str
    # The link as a QR code: lines of block characters, light on dark, one module wide and two high.
    qr: list[str]


class ItemAnswer(TypedDict):
    """What became of one item."""
    # Whether it was done. The first that was not ends the batch.
    ok: bool
    # The number that was read.
    value: NotRequired[int | None]
    bytes: NotRequired[str]
    # Of a press: the first frame with the first key down.
    down: NotRequired[int | None]
    # Of a press: the first frame without the last.
    up: NotRequired[int | None]
    # Of a press: how many frames it waits for others.
    lag: NotRequired[int | None]
    # Of a press: true when it has joined one that was waiting.
    joined: NotRequired[bool | None]
    # Names of keys. A text such as `A+Up` is taken too.
    unseen: NotRequired[list[Key]]
    # Of a press: how many of its presses have such keys.
    missed: NotRequired[int | None]
    # Why not, as a word.
    code: NotRequired[str | None]
    # Why not, as a sentence.
    detail: NotRequired[str | None]
    result: NotRequired[Any]
    # On WebSocket, where bytes are a binary message: how many of them are the item's.
    size: NotRequired[int | None]


class KeysAnswer(TypedDict):
    """Which keys are down."""
    # The script's frame count when the keys were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The keys as mGBA counts them, ours and the player's: bit 0 is A, then B, Select, Start, Right, Left, Up, Down, R and L.
    mask: int
    # Names of keys. A text such as `A+Up` is taken too.
    keys: list[Key]
    # The holders and the keys that each holds down.
    holders: list[HolderAnswer]


class LeaseAnswer(TypedDict):
    """A lease."""
    # The frame at which the game is stopped, unless a step is running.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whose it is: say this in the header `Mgba-Holder` of everything else.
    holder: str
    # Lets the holder resume the lease through another gateway, or after a restart of this one.
    token: str
    # How many milliseconds the holder may say nothing before the lease ends.
    limitMs: int
    # The remaining frames of a step: it ends at `frame` + `running`.
    running: int


class LeftOutAnswer(TypedDict):
    """What a file has besides the symbols that were taken."""
    # What it is.
    what: str
    # How many there are.
    count: int


class LocalStepsAnswer(TypedDict):
    """That the steps of a lease come from a local socket, too."""
    # The frame in which the game stands.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many bytes a step reads.
    size: int


class MapAnswer(TypedDict):
    """A background."""
    # Its number.
    number: int
    # What a background consists of.
    kind: Literal["none", "text", "affine", "bitmap", "window"]
    # Whether it is shown.
    enabled: bool
    # Pixels in a row of the whole background.
    width: int
    # Rows of the whole background.
    height: int
    # Bits of a pixel: 2, 4 or 8; 16 for a bitmap of colours.
    bits: int
    # 0 is in front.
    priority: int
    # Its column at the left edge of the screen; of `affine` and `bitmap` in 1/256 pixels; of a window, the column of the screen where it begins.
    x: int
    # Its line at the top edge of the screen, in the same way.
    y: int
    # Whether it repeats beyond its edges.
    wraps: bool
    # Whether it is drawn with mosaic.
    mosaic: bool
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    tileBase: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    mapBase: NotRequired[str]
    transform: NotRequired[VideoTransform]


class MapBodyTextTablesValue(TypedDict):
    """The text that each byte represents."""
    # A byte in two hex digits, and its text: `{"BB": "A", "BC": "B"}`.
    codes: Mapping[str, str]
    # The byte that ends a text, in two hex digits.
    end: NotRequired[str | None]


class MapBodyStructsValueFieldsValue(TypedDict):
    """A field of a struct."""
    # Its offset in bytes: 8 or `"0x8"`.
    at: Any
    # u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct.
    type: str
    # The number of elements of a list. Default: a single value, not a list.
    count: NotRequired[int | None]
    # How many bytes a text has, or bytes are.
    length: NotRequired[int | None]
    endian: NotRequired[Literal["little", "big"]]
    # The text table of a text: `ascii` unless given.
    table: NotRequired[str | None]


class MapBodyStructsValue(TypedDict):
    """A struct: fields, each at its place."""
    # Its size in bytes. Default: up to the end of its last field.
    size: NotRequired[int | None]
    # The fields by name.
    fields: Mapping[str, MapBodyStructsValueFieldsValue]


class MapBodyPropertiesValue(TypedDict):
    """A value of the game."""
    # Where it is: an address, an offset in a domain, or a symbol, perhaps with an offset: `player+0x10`. With a chain: where the first pointer is.
    at: str
    # Pointers to be followed: at each step the pointer there is read and this is added. The last one gives the value's place.
    chain: NotRequired[Sequence[int] | None]
    # u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct.
    type: str
    # The number of elements of a list. Default: a single value, not a list.
    count: NotRequired[int | None]
    # How many bytes a text has, or bytes are.
    length: NotRequired[int | None]
    endian: NotRequired[Literal["little", "big"]]
    # The text table of a text: `ascii` unless given.
    table: NotRequired[str | None]


class MapBody(TypedDict):
    """A property map: what the values of a game are called, where they are and what they are."""
    # The game's CRC32 in hex, as `game.get` has it. Default: the open game.
    crc32: NotRequired[str | None]
    # Text tables by name. `ascii` is always there.
    textTables: NotRequired[Mapping[str, MapBodyTextTablesValue] | None]
    # Structs by name, which can be used as a type. A struct may contain structs defined before it.
    structs: NotRequired[Mapping[str, MapBodyStructsValue] | None]
    # The properties by name, such as `player.hp`.
    properties: Mapping[str, MapBodyPropertiesValue]
    pack: NotRequired[GamePack]


class MapCellsAnswer(TypedDict):
    """A background with its cells, row by row."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    map: MapAnswer
    # Cells in a row; 0 for a bitmap.
    columns: int
    # Rows of cells; 0 for a bitmap.
    rows: int
    # The number of the tile of each cell, as in `video.tiles` with the map's bits; -1 for one that is not shown.
    tiles: list[int]
    # The number of the palette of each cell.
    palettes: list[int]
    # For each cell 1 when it is mirrored left to right, plus 2 when top to bottom, plus 4 when in front of sprites (Game Boy Color).
    flips: list[int]


class MapsAnswer(TypedDict):
    """The backgrounds."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `gba` or `gb`.
    platform: str
    # The video mode, 0 to 5; 0 on a Game Boy.
    mode: int
    # Whether the screen shows a picture: false when it is off or blanked.
    on: bool
    # All of them.
    maps: list[MapAnswer]


class MatchAnswer(TypedDict):
    """A candidate of the search."""
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # Its value in the last pass.
    value: int
    # Its value when the search began.
    first: int
    # Its values in the last passes, oldest first; at most `keep` of them.
    history: list[SearchObservationAnswer]


class MatchesAnswer(TypedDict):
    """Some of the places that are left."""
    # The script's frame count in the last pass.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many are left in all.
    count: int
    # The `offset` of the next page, if there is one.
    next: NotRequired[int | None]
    # The places, in the order of the ranges and of addresses.
    matches: list[MatchAnswer]


class MemoryValueAnswer(TypedDict):
    """A value of memory."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    value: Any


class NamedAnswer(TypedDict):
    """A value with a name."""
    # The name.
    name: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: NotRequired[str]
    value: NotRequired[Any]


class OperationAnswer(TypedDict):
    """An operation."""
    # Its name: resource, dot, verb.
    name: str
    # The HTTP method.
    method: str
    # The HTTP path.
    path: str
    # What an operation needs permission for.
    access: Literal["read", "play", "control", "write", "manage"]
    # What a caller may do. Each role includes the ones before it.
    role: Literal["none", "viewer", "guest", "player", "owner"]
    # Whether the caller's token is enough.
    allowed: bool
    # Whether it is about one emulator: the path is for the first one, and below `/i/{id}` for each. Otherwise it is about the gateway or all emulators.
    perEmulator: bool
    # Whether it is served without a token, whatever its access.
    withoutToken: bool
    # Whether it changes something, so that it must run at most once.
    effect: bool
    # Whether it can be an item of a batch.
    inBatch: bool
    # The property's name in an item of a batch; absent when it cannot be one.
    batchName: NotRequired[str | None]
    # Whether it comes last in a batch and has a frame of its own: the gateway runs it, not the script. Absent when it cannot be an item.
    batchLast: NotRequired[bool | None]
    # Whether it can be requested over WebSocket.
    webSocket: bool
    # What it does.
    summary: str


class OperationsAnswer(TypedDict):
    """All operations."""
    # What a caller may do. Each role includes the ones before it.
    role: Literal["none", "viewer", "guest", "player", "owner"]
    # In the order of the reference.
    operations: list[OperationAnswer]


class PackExit(TypedDict):
    """A way to another map: one, or those of a list in memory."""
    # The number of the map on which it is. Default: the map on which the player is.
    map: NotRequired[int | None]
    # A property that is a list of structs with the fields x, y and to. Default: it is one exit.
    list: NotRequired[str | None]
    # A number, or the name of a place in memory that has it.
    count: NotRequired[int | None]
    # Left, top, right and bottom.
    area: list[int]
    # The number of the map to which it leads; in a list the field has it.
    to: NotRequired[int | None]
    key: NotRequired[Literal["Left", "Up", "Right", "Down"]]
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    when: NotRequired[str]


class PackGrid(TypedDict):
    """Where the player can walk: cells in memory, row after row, each with a number."""
    # The cells: a property that is a list of numbers.
    cells: str
    # A number, or the name of a place in memory that has it.
    width: int | None
    # A number, or the name of a place in memory that has it.
    height: int | None
    # How many units a cell has in each direction. Default: 1, positions are cells.
    cell: int
    # A number, or the name of a place in memory that has it.
    left: int | None
    # A number, or the name of a place in memory that has it.
    top: int | None
    # Whether `left` and `top` count from the player, as in a picture of what is around it.
    fromPlayer: bool
    # A number, or the name of a place in memory that has it.
    first: int | None
    # From one cell to the next. Default: 1.
    across: int
    # A number, or the name of a place in memory that has it.
    down: NotRequired[int | None]
    # How many cells a map has, where the list has the cells of all maps one after the other. Default: it has those of this map.
    eachMap: NotRequired[int | None]
    # The bits of a cell that count. Default: all.
    mask: int
    # Numbers, or the name of a list in memory that has them.
    free: str | None
    # The number that ends a list in memory. Default: it has none.
    freeEnd: NotRequired[int | None]
    # Whether its body can be beyond the edge. Default: no.
    openEdge: bool


class PackMenu(TypedDict):
    """A menu or a question."""
    # Its name.
    name: str
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    open: str
    # A number, or the name of a place in memory that has it.
    cursor: NotRequired[int | None]
    # The options, from the first on.
    options: list[str]
    # Names of keys. A text such as `A+Up` is taken too.
    previous: list[Key]
    # Names of keys. A text such as `A+Up` is taken too.
    next: list[Key]
    # Names of keys. A text such as `A+Up` is taken too.
    select: list[Key]


class PackMilestone(TypedDict):
    """What may be reached in the game."""
    # Its name.
    name: str
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    when: str
    # The points for it. Default: 1.
    points: int


class PackPlayer(TypedDict):
    """Who walks: where it is, and how it moves. Positions count in the game's own units, pixels or tiles."""
    # A number, or the name of a place in memory that has it.
    x: int | None
    # A number, or the name of a place in memory that has it.
    y: int | None
    # A number, or the name of a place in memory that has it.
    map: int | None
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    present: NotRequired[str]
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    free: NotRequired[str]
    # Left, top, right and bottom.
    body: list[int]
    # How much longer a diagonal unit takes than a straight one: 1.5 where the game goes 3 units straight in the time of 2 diagonal ones. Default: it cannot
    # go diagonally.
    diagonal: NotRequired[float | None]


class PackTextBox(TypedDict):
    """The text box."""
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    open: str
    # Its text: a property that is a text. Default: the text on the screen, by the text table `glyphs`.
    value: NotRequired[str | None]
    # Names of keys. A text such as `A+Up` is taken too.
    next: list[Key]


class PackThing(TypedDict):
    """What is somewhere on a map: one thing with a name, or those of a list in memory."""
    # Its name. Those of a list get a number behind it.
    name: str
    # A property that is a list of structs with the fields x and y. Default: it is one thing.
    list: NotRequired[str | None]
    # A number, or the name of a place in memory that has it.
    count: NotRequired[int | None]
    # The number of its map. Default: the map on which the player is.
    map: NotRequired[int | None]
    # A number, or the name of a place in memory that has it.
    x: int | None
    # A number, or the name of a place in memory that has it.
    y: int | None
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    when: NotRequired[str]
    # Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
    # le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
    # side.
    unless: NotRequired[str]
    # From left to right, and from top to bottom.
    blocks: NotRequired[list[list[int]]]
    # From left to right, and from top to bottom.
    avoid: NotRequired[list[list[int]]]
    # How far away the player stands to talk to it, in units. Default: one cell.
    talk: NotRequired[int | None]
    # From which sides. Default: all four.
    sides: NotRequired[list[Literal["Left", "Up", "Right", "Down"]] | None]


class PaletteAnswer(TypedDict):
    """A palette."""
    # Its number: on the GBA 0 to 15 and 16 to 31 for sprites; on a Game Boy 0 to 7 and 8 to 15, without colours 0, 8 and 9.
    number: int
    # Whether it is for sprites.
    sprites: bool
    # Its colours as `#RRGGBB`, 16 or 4. The first one is transparent, except in backgrounds of a Game Boy.
    colors: list[str]


class PalettesAnswer(TypedDict):
    """Palettes."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `gba` or `gb`.
    platform: str
    # Those of backgrounds, then those of sprites.
    palettes: list[PaletteAnswer]


class PointAnswer(TypedDict):
    """A point that was set."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its id.
    point: int


class PointEntry(TypedDict):
    """A point."""
    # Its id.
    point: int
    # Whose it is.
    holder: str
    # What hits it.
    kind: str
    # Its first address.
    first: str
    # Its last address.
    last: str
    # Its bank; absent for any.
    bank: NotRequired[int | None]
    # Its condition, as it was entered; absent for none.
    condition: NotRequired[str | None]
    # Whether it halts the game.
    halts: bool
    # How often it was hit.
    hits: int


class PointsAnswer(TypedDict):
    """The points of an emulator."""
    # The script's frame count when they were listed.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # All of them, in the order of their ids.
    points: list[PointEntry]


class PressAnswer(TypedDict):
    """When the game sees a press."""
    # The script's frame count when it was answered.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The first frame with the first key down.
    down: int
    # The first frame without the last; a later press with `waiting` may make it earlier.
    up: int
    # How many frames the press waits for others.
    lag: int
    # True when it has joined a press that was waiting: both are one, in these frames.
    joined: NotRequired[bool | None]
    # Names of keys. A text such as `A+Up` is taken too.
    unseen: NotRequired[list[Key]]
    # How many of the presses have such keys; absent when none has.
    missed: NotRequired[int | None]


class ProcessAnswer(TypedDict):
    """The process of an emulator that the gateway started."""
    # The process id; 0 while it is being restarted.
    pid: int
    # The ROM that it was started with: for owners its path, for others its name.
    rom: str
    # The CRC32 of that file as the emulator read it; absent when it cannot be read.
    romCrc32: NotRequired[str | None]
    # The CRC32 of what the file has now, when it was built again since: `emulators.restart` loads it. Absent when it is the same, and for a window.
    newRomCrc32: NotRequired[str | None]
    # Whether it runs in a window.
    window: bool
    # When the process started.
    startedAt: str
    # Seconds since then.
    uptimeSeconds: float
    # Resident memory.
    memoryBytes: int
    # Processor time since its start.
    cpuSeconds: float
    # Frames a second over the last two seconds; absent for a window.
    fps: NotRequired[float | None]
    # Frames a second that were set, 0 for as fast as possible; absent for the console's own rate.
    targetFps: NotRequired[float | None]
    # The highest frame rate that somebody holds by `speed.hold`; absent when nobody does. It runs at this one while it is higher than `targetFps`.
    heldFps: NotRequired[float | None]
    # Whether it was paused by `emulators.run`.
    paused: bool
    # How often it was restarted after a fault.
    restarts: int
    # The folder of its save file; for owners.
    saves: NotRequired[str | None]
    # The file with what it prints; for owners.
    log: NotRequired[str | None]
    # What its user has to do before it can be used; absent if nothing.
    nextStep: NotRequired[str | None]
    # Why the last automatic state that was due could not be taken or kept; absent when it was. Until then a fault loses more play.
    stateProblem: NotRequired[str | None]
    lastFault: NotRequired[FaultAnswer]


class PropertiesAnswer(TypedDict):
    """The properties of the game."""
    # The script's frame count when the game was asked for.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The game's checksum.
    crc32: str
    # All of them, in the order of the map.
    properties: list[PropertyAnswer]


class PropertyAnswer(TypedDict):
    """A property."""
    # Its name.
    name: str
    # Where it is, or the first pointer of its chain.
    at: str
    # What it is.
    type: str
    # What is added to each pointer, if any are followed.
    chain: NotRequired[list[int] | None]


class ReadAnswer(TypedDict):
    """The result of one read."""
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # The number, if a type was given.
    value: NotRequired[int | None]
    bytes: NotRequired[str]


class ReadsAnswer(TypedDict):
    """What was read, all in one frame."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # In the order of the request.
    reads: list[ReadAnswer]


class ReadyAnswer(TypedDict):
    """Whether the emulator answers."""
    # Whether it does.
    ready: bool
    # The state of an emulator in `/v2/status`.
    state: Literal["connecting", "ready", "script-missing", "wrong-version", "other-program", "refused", "silent", "leased", "paused", "halted", "stopped", "crashed", "no-game"]
    # Since when.
    since: str
    # What is wrong and what to do; absent when all is well.
    detail: NotRequired[str | None]


class RecentBallot(TypedDict):
    """A ballot that was counted lately."""
    # Whose it is, as the program that cast it wrote the name.
    voter: str
    # The name of the choice.
    choice: str
    # How many times it is pressed; absent for once.
    times: NotRequired[int | None]


class RecordingAnswer(TypedDict):
    """A recording."""
    # Its name.
    id: str
    # The frame of the state that it begins with.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The frame of the last hash.
    last: int
    # How many changes of the keys it has.
    inputs: int
    # How many hashes it has.
    hashes: int
    # Why it ended, such as `stopped`, `game.reset` or `full`; absent while it is running.
    ended: NotRequired[str | None]


class RecordingsAnswer(TypedDict):
    """The recordings of an emulator."""
    # Oldest first.
    recordings: list[RecordingAnswer]


class RegionAnswer(TypedDict):
    """Where a region of two states differs."""
    # The region: `machine` (registers and devices), `io`, `palette`, `oam`, `vram`, `iwram`, `wram`, `hram` or `super` (Super Game Boy).
    name: str
    # Its size.
    length: int
    # Where it begins on the bus; absent for what has no address.
    address: NotRequired[str | None]
    # How many bytes differ.
    bytes: int
    # Where, at most 64.
    runs: list[RunAnswer]
    # How many follow that are not listed.
    moreRuns: int


class RegisterAnswer(TypedDict):
    """A register of the processor."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its name.
    name: str
    # Its value, unsigned.
    value: int


class RegistersAnswer(TypedDict):
    """All registers of the processor."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Values by name, unsigned. `sp`, `lr` and `pc` are other names of `r13`, `r14` and `r15`.
    registers: dict[str, int]


class ReleaseAnswer(TypedDict):
    """The end of a lease."""
    # The frame from which on the game runs by itself.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whether there was one.
    released: bool


class RemovedAnswer(TypedDict):
    """Points that were removed."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many.
    removed: int


class ReplayAnswer(TypedDict):
    """How a replay ended."""
    # The script's frame count at the end, from which the game continues.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whether every hash was the same.
    same: bool
    # How many frames ran.
    frames: int
    # How many changes of the keys were made.
    inputs: int
    # How many hashes were the same.
    hashes: int
    divergence: NotRequired[Divergence]


class RequestDurations(TypedDict):
    """How long requests of one command with one outcome took."""
    # The command.
    command: str
    # `ok`, `left` (the caller left), or a failure's name.
    outcome: str
    # How many took at most as long as each bound and longer than the bound before it; the last of them took longer than all bounds.
    counts: list[int]


class RewindAnswer(TypedDict):
    """The states to go back to."""
    # How many frames lie between two.
    every: int
    # How many are kept.
    most: int
    # The bytes that they have.
    bytes: int
    # The states, oldest first.
    points: list[RewindPointAnswer]


class RewindPointAnswer(TypedDict):
    """A state to go back to."""
    # The frame that it is of, which is its name.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many bytes it has.
    bytes: int


class RewoundAnswer(TypedDict):
    """Where the game continues after it went back."""
    # The script's frame count.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The frame of the state from which it continues, which is the state's name.
    point: int
    # Whether there is no older state.
    oldest: bool


class RomDeletedAnswer(TypedDict):
    """A ROM that was deleted."""
    # Its name.
    rom: str


class RomUploadedAnswer(TypedDict):
    """A ROM that was uploaded."""
    # The name under which it can be started.
    rom: str
    # Its size.
    bytes: int
    # Whether it was not there before.
    isNew: bool
    # An emulator of the gateway that runs the same bytes, without a patch; absent if none does.
    emulator: NotRequired[str | None]
    # Save data, patches and cheats in the zip archive, which are not used, at most eight. Absent if there are none.
    leftOut: NotRequired[list[str] | None]


class RomsAnswer(TypedDict):
    """The ROMs that can be started."""
    # Names of uploaded ones, and paths relative to one of `Bridge:Owned:RomFolders`, by name: at most 1000.
    roms: list[str]
    # Files whose names are not UTF-8, with U+FFFD for what cannot be read: rename them to start them. Absent if there are none.
    misnamed: NotRequired[list[str] | None]


class RoundAnswer(TypedDict):
    """The result of a round."""
    # Its number.
    round: int
    # The choice with the most ballots; absent when there were none. Of several with as many the one that had them first.
    choice: NotRequired[str | None]
    # How many it had.
    ballots: int
    # How many ballots were counted in the round.
    of: int


class RunAnswer(TypedDict):
    """Bytes next to each other that differ; up to four equal ones may lie between."""
    # Where they begin in the region.
    offset: int
    # How many there are.
    length: int


class SaveLoadedAnswer(TypedDict):
    """Save data that a game has got."""
    # The script's frame count when the game was reset.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many bytes it has.
    length: int
    # The name of the state before, which has the save data before; absent when there was none.
    kept: NotRequired[str | None]


class ScenarioAnswer(TypedDict):
    """A scenario."""
    # Its name.
    name: str
    # Its variables, in the order in which `vector.step` returns them.
    variables: list[VariableAnswer]
    # The key combinations of each group, of which a step may hold one; empty when every combination is allowed.
    actions: list[list[str]]
    # The reward of a step, for programs that compute it: on a stack, in postfix order. Omitted in lists, as is `done`.
    reward: NotRequired[list[ExpressionStep] | None]
    # Likewise a number that is positive when the episode is over.
    done: NotRequired[list[ExpressionStep] | None]
    crop: NotRequired[CropAnswer]


class ScenariosAnswer(TypedDict):
    """All scenarios."""
    # By name.
    scenarios: list[ScenarioAnswer]


class SearchAnswer(TypedDict):
    """A search."""
    # The script's frame count in the last pass, or the frame of the past that it looked at.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its name in paths.
    id: str
    # The type of a number in memory.
    type: Literal["u8", "s8", "u16", "s16", "u32", "s32"]
    # The byte order of a number in memory.
    endian: Literal["little", "big"]
    # Where a number may start.
    alignment: int
    # The ranges of memory that it covers.
    ranges: list[SearchRange]
    # How often memory was read, including at the start.
    passes: int
    # How many places are left.
    count: int
    # How many bytes it keeps in the gateway.
    memory: int
    # Whether `searches.undo` can go back to before the last test.
    canUndo: bool


class SearchObservationAnswer(TypedDict):
    """What a number was in a pass."""
    # The script's frame count then.
    frame: int
    # The number.
    value: int


class SearchRange(TypedDict):
    """A part of memory."""
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # How many bytes.
    length: int


class SearchesAnswer(TypedDict):
    """The searches of an emulator."""
    # Each of them.
    searches: list[SearchAnswer]
    # How many bytes the searches of all emulators keep.
    memory: int
    # How many they may keep (the setting `Bridge:Search:MaxMemory`).
    maxMemory: int


class SensorsAnswer(TypedDict):
    """What the sensors of the cartridge show."""
    # The script's frame count when it ran.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How bright the light is: 0 dark, 1 bright.
    light: float
    # The same as the bars that games with a light sensor show: 0 to 10.
    level: int
    # By how many degrees the right edge, and the edge away from the player, are down.
    tilt: list[float]
    # By how many degrees a second the console is turned clockwise.
    gyro: float
    # Whether the camera sees a picture; otherwise darkness.
    camera: bool


class SessionsAnswer(TypedDict):
    """Sessions in the order of their ids."""
    # The sessions.
    sessions: list[FleetSession]


class Sha1Answer(TypedDict):
    """The SHA-1 of the ROM."""
    # The script's frame count when the game was asked for.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Its SHA-1, 40 hex digits.
    sha1: str


class SpriteAnswer(TypedDict):
    """A sprite."""
    # Its number.
    number: int
    # Whether it is drawn and a part of its area is on the screen.
    onScreen: bool
    # How a sprite is drawn.
    mode: Literal["normal", "blended", "window", "hidden"]
    # The column of the screen of its left edge; may be negative.
    x: int
    # The line of the screen of its top edge; may be negative.
    y: int
    # Pixels in a row; 0 when its size is invalid.
    width: int
    # Rows.
    height: int
    # The number of its first tile, as in `video.tiles`; on the GBA always in units of tiles of 4 bits.
    tile: int
    # Bits of a pixel.
    bits: int
    # The number of its palette.
    palette: int
    # 0 is in front; on a Game Boy 1 is behind the colours 1 to 3 of the background.
    priority: int
    # Whether it is mirrored left to right.
    flipX: bool
    # Whether it is mirrored top to bottom.
    flipY: bool
    # Whether it is drawn with mosaic.
    mosaic: bool
    # Whether the area that it is drawn in has twice its width and height.
    doubleSize: bool
    transform: NotRequired[VideoTransform]


class SpritesAnswer(TypedDict):
    """The sprites."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # `gba` or `gb`.
    platform: str
    # All of them, 128 or 40, hidden ones included.
    sprites: list[SpriteAnswer]


class StatusAnswer(TypedDict):
    """How one emulator is."""
    # Its name in paths below `/i/`.
    id: str
    # The state of an emulator in `/v2/status`.
    state: Literal["connecting", "ready", "script-missing", "wrong-version", "other-program", "refused", "silent", "leased", "paused", "halted", "stopped", "crashed", "no-game"]
    # Since when.
    since: str
    # What is wrong and what to do; absent when all is well.
    detail: NotRequired[str | None]
    # The last thing the script announced that bears on this, such as `game.closed`.
    lastAnnounced: NotRequired[str | None]
    # When it announced that.
    lastAnnouncedAt: NotRequired[str | None]
    # Why the save file does not have what the game or a client saved; absent when it has. The emulator keeps it and tries again each second.
    saveProblem: NotRequired[str | None]
    # Who has the lockstep lease; absent when nobody has it.
    leaseHolder: NotRequired[str | None]
    # The script's version.
    script: NotRequired[str | None]
    # mGBA's version.
    mgba: NotRequired[str | None]
    # Where the script runs: `qt`, `headless` or `unknown`.
    host: NotRequired[str | None]
    # The port the script listens on.
    port: NotRequired[int | None]
    # The epoch when the newest connection was greeted or the game was opened, whichever was later.
    epoch: NotRequired[str | None]
    # The game's title.
    title: NotRequired[str | None]
    # The game's code.
    code: NotRequired[str | None]
    # `gba`, `gb` or `none`.
    platform: NotRequired[str | None]
    # What this emulator can do.
    capabilities: list[str]
    # Open connections to the script.
    connections: int
    # Requests sent and not answered.
    inFlight: int
    # Requests that wait for capacity.
    waiting: int
    # The clients that are connected by the protocols of other emulators; absent when there are none.
    clients: NotRequired[list[DoorClientAnswer] | None]
    process: NotRequired[ProcessAnswer]


class StoredLoadedAnswer(TypedDict):
    """A state that was loaded."""
    # The script's frame count.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Why the game may not run as before; absent when the state is of its ROM.
    warning: NotRequired[str | None]
    # The name of the state before, whose save data the game's next save replaces; absent when that is the same or is kept already.
    kept: NotRequired[str | None]


class StoredStateAnswer(TypedDict):
    """A state that the gateway keeps."""
    # Its name.
    name: str
    # Why it is kept: `named` (by a caller), `before-save` (how the game was before it got other save data), or `automatic` (taken regularly, to continue
    # from after a fault).
    kind: str
    # The emulator that it was taken of.
    emulator: str
    # The game's title.
    title: str
    # The game's code as mGBA reports it.
    code: str
    # `gba` or `gb`.
    platform: str
    # The CRC32 of the ROM, `0x` and eight hex digits.
    crc32: str
    # The script's frame count when it was taken.
    frame: int
    # When it was taken.
    savedAt: str
    # Its size.
    bytes: int
    # The hash of its bytes, which is also its `ETag`.
    sha256: str
    # Whether `states.picture` shows it.
    picture: bool
    # Whether it is deleted when its holder's stream ends.
    temporary: bool


class StoredStatesAnswer(TypedDict):
    """All states, newest first."""
    # The states.
    states: list[StoredStateAnswer]
    # Their size together.
    bytes: int
    # How many of each kind there may be.
    maxStates: int
    # The bytes that those of each kind may have together.
    maxBytes: int


class SymbolAnswer(TypedDict):
    """A symbol."""
    # Its name.
    name: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: NotRequired[str]
    # How many bytes it has, if that is known.
    size: NotRequired[int | None]
    # The value of a constant, which is no place in memory; else omitted.
    value: NotRequired[int | None]


class SymbolsAnswer(TypedDict):
    """The symbols of the game."""
    # The script's frame count when the game was asked for.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The game's checksum.
    crc32: str
    # What file they came from: elf, map, sym or noi; omitted when there are none.
    format: NotRequired[str | None]
    # How many there are in all, or how many have the text that was asked for.
    count: int
    # What the file has besides; omitted when there are none.
    leftOut: NotRequired[list[LeftOutAnswer] | None]
    # The `offset` of the next page, if there is one.
    next: NotRequired[int | None]
    # Some of them, by place; constants behind them, by name.
    symbols: list[SymbolAnswer]


class TargetAnswer(TypedDict):
    address: str
    bank: NotRequired[int | None]
    symbol: NotRequired[str | None]
    value: NotRequired[str | None]
    valueSymbol: NotRequired[str | None]


class TextAnswer(TypedDict):
    """The text that the backgrounds show."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The rows of tiles with at least one letter.
    lines: list[str]


class TilesAnswer(TypedDict):
    """Tiles."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Bits of a pixel in memory.
    bits: int
    # The number of the first tile.
    first: int
    # How many.
    count: int
    pixels: str


class TraceAnswer(TypedDict):
    """What the game did."""
    # The script's frame count when the search had ended.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The events, in their order.
    events: list[TraceEventAnswer]
    next: TracePlace
    # How many frames at the beginning are not kept any more.
    missed: int


class TraceEventAnswer(TypedDict):
    """Something that the game did."""
    # The frame in which it was.
    at: int
    # Its number in this frame, of the events that are asked for.
    number: int
    # Cycles of the machine since the frame began.
    cycle: int
    # The line of the picture that was drawn then.
    line: int
    # What it was: `instruction`, `call`, `return`, `interrupt`, or a write to a device: `dma` (also what DMA writes), `display`, `sound`, `timer`,
    # `serial`.
    kind: str
    # The instruction; of an interrupt the one that is interrupted.
    pc: str
    # Its bank, on a Game Boy.
    bank: NotRequired[int | None]
    # Its name, perhaps with an offset; absent where no symbol is known.
    symbol: NotRequired[str | None]
    # The instruction itself; absent for others than the kind `instruction`.
    text: NotRequired[str | None]
    # What is called, returned to or written, or the vector of the interrupt; absent for the kind `instruction`.
    address: NotRequired[str | None]
    # The name of this address; absent where none is known.
    name: NotRequired[str | None]
    # How many bytes are written; absent for others than writes.
    size: NotRequired[int | None]
    # What is written.
    value: NotRequired[int | None]
    # Whether DMA wrote it, and not the instruction.
    byDma: NotRequired[bool | None]


# A place in a trace.
TracePlace = TypedDict(
    "TracePlace",
    {
        # The frame.
        "from": 'int',
        # The number of an event in it.
        "number": 'int',
    },
)


class TrafficAnswer(TypedDict):
    """The newest requests to an emulator."""
    # The id of the last request to any emulator, to continue after it. It begins again when the gateway restarts.
    last: int
    # The requests, oldest first.
    requests: list[TrafficEntryAnswer]
    # The bounds of the counts in Durations, in milliseconds.
    boundsMs: list[float]
    # How long requests took since the first request for this list, for each command and outcome.
    durations: list[RequestDurations]


class TrafficEntryAnswer(TypedDict):
    """A request to an emulator that has ended."""
    # Its number, in the order of their ends.
    id: int
    # When it was made.
    at: str
    # The command of the wire protocol.
    command: str
    # `ok`, `left` (the caller left), or a failure's name.
    outcome: str
    # Milliseconds from the request to its reply or failure.
    ms: float
    # The frame of the reply; absent when there is none.
    frame: NotRequired[int | None]
    # What went wrong; absent when all is well.
    detail: NotRequired[str | None]


class UnfreezeAnswer(TypedDict):
    """Freezes that were released."""
    # The first frame in which they were not written.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # How many.
    released: int


class ValueAnswer(TypedDict):
    """A value with a name."""
    # The script's frame count when it was read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The name.
    name: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: NotRequired[str]
    value: NotRequired[Any]


class ValuesAnswer(TypedDict):
    """Values with names, all from one frame."""
    # The script's frame count when they were read.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The values, in the order that was asked for.
    values: list[NamedAnswer]


class VariableAnswer(TypedDict):
    """A variable of a scenario."""
    # Its name.
    name: str
    # An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`).
    location: str
    # How it is stored, as in `data.json`.
    type: str
    # The bits that count; omitted for all of them.
    mask: NotRequired[int | None]


class VideoTransform(TypedDict):
    a: int
    b: int
    c: int
    d: int


class VoteAnswer(TypedDict):
    """A vote."""
    # Its id.
    id: str
    # What it is about.
    title: NotRequired[str | None]
    # How ballots become presses.
    mode: Literal["democracy", "anarchy"]
    # Whether ballots are taken.
    open: bool
    # The holder of its presses.
    holder: str
    # The number of the round, from 1.
    round: int
    # How many seconds of the round are left, of anarchy of the vote; absent when it has no end, and when it has ended.
    left: NotRequired[float | None]
    # How many ballots were counted in this round.
    ballots: int
    # How many voters they came from.
    voters: int
    # The choices, each with its ballots in this round.
    choices: list[ChoiceAnswer]
    last: NotRequired[RoundAnswer]
    # The last ballots, the newest last.
    recent: list[RecentBallot]
    # How many presses wait.
    waiting: int
    # How many presses the game got.
    pressed: int
    # How many ballots were counted and are not pressed, because as many presses waited as may.
    dropped: int
    # Why the last press failed, such as that another holder has the lease; absent when it did not.
    problem: NotRequired[str | None]


class VoterAnswer(TypedDict):
    """A voter whose ballots are refused."""
    # The name.
    voter: str
    # For how many seconds more; absent for until it is unblocked.
    left: NotRequired[float | None]


class VotersAnswer(TypedDict):
    """Voters whose ballots are refused."""
    # In the order of their names.
    voters: list[VoterAnswer]


class VotesAnswer(TypedDict):
    """The votes of an emulator."""
    # The newest first.
    votes: list[VoteAnswer]


class WaitAnswer(TypedDict):
    """How a wait ended."""
    # The frame in which it ended.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # Whether the condition holds; false when the frames ran out first.
    met: bool
    # Every number that was read, in the order of the conditions.
    values: list[int]


class WriteAnswer(TypedDict):
    """Something was written."""
    # The script's frame count when it was answered.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The frame of the first byte written.
    first: int
    # The frame of the last byte written: later than the first for more than 16 KiB.
    last: int


class WriterAnswer(TypedDict):
    """A write of another value."""
    # Who it was: `game` (an instruction), `dma`, or `outside`: a client, a freeze, a state or a reset.
    by: str
    # The frame in which it was.
    frame: int
    # The instruction; absent for others than the game.
    pc: NotRequired[str | None]
    # Its bank, on a Game Boy.
    bank: NotRequired[int | None]
    # Its name, perhaps with an offset; absent where no symbol is known.
    symbol: NotRequired[str | None]
    # Where it was.
    address: str
    # The name of this address; absent where none is known.
    name: NotRequired[str | None]
    # How many bytes it had: 1, 2 or 4.
    size: int
    # The value before it.
    before: int
    # The value that was there then.
    value: int


class WritersAnswer(TypedDict):
    """Who wrote to a place last."""
    # The script's frame count when the search had ended.
    frame: int
    # Changes when the script or the game changes: eight hex digits.
    epoch: str
    # The writes, the last one first.
    writers: list[WriterAnswer]


# What must hold; guards come first.
BatchRunItemsItemGuard = TypedDict(
    "BatchRunItemsItemGuard",
    {
        # Where.
        "location": 'str',
        # What the number is, little-endian.
        "type": 'NotRequired[Literal["u8", "u16", "u32"]]',
        # How it compares.
        "is": 'NotRequired[Literal["eq", "ne", "lt", "le", "gt", "ge"]]',
        # With what; negative ones in two's complement.
        "value": 'NotRequired[int]',
        # The bytes that must stand there, instead of type and value.
        "bytes": 'NotRequired[str]',
    },
)


class BatchRunItemsItemRead(TypedDict):
    """Read memory."""
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # What the number is, little-endian.
    type: NotRequired[Literal["u8", "s8", "u16", "s16", "u32", "s32"]]
    # How many bytes.
    length: NotRequired[int]


class BatchRunItemsItemMemoryRead(TypedDict):
    """Read bytes, all from one frame."""
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # How many bytes.
    length: int


class BatchRunItemsItemWrite(TypedDict):
    """Write bytes."""
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # What the number is, little-endian.
    type: NotRequired[Literal["u8", "s8", "u16", "s16", "u32", "s32"]]
    # The number, instead of bytes; negative ones in two's complement.
    value: NotRequired[int]
    # The bytes, instead of type and value; up to 16 KiB in a batch.
    bytes: NotRequired[str]


class BatchRunItemsItemSetKeys(TypedDict):
    """Hold exactly these keys."""
    # The keys.
    keys: Sequence[Key]


class BatchRunItemsItemAddKeys(TypedDict):
    """Press more keys and hold them."""
    # The keys.
    keys: Sequence[Key]


class BatchRunItemsItemClearKeys(TypedDict):
    """Release keys."""
    # The keys.
    keys: Sequence[Key]


class BatchRunItemsItemTap(TypedDict):
    """Press keys together for some frames."""
    # The keys to press together.
    keys: Sequence[Key]
    # For how many frames.
    frames: NotRequired[int]
    # How many frames up before the same key may go down again.
    gap: NotRequired[int]
    # Whether the response is sent when the keys are up again rather than immediately.
    wait: NotRequired[bool]
    # What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the one before
    # it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than 24 frames.
    # `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun.
    waiting: NotRequired[Literal["queue", "shorten", "replace"]]


class BatchRunItemsItemSequenceStepsItem(TypedDict):
    # The keys to press together; none to wait.
    keys: NotRequired[Sequence[Key]]
    # For how many frames.
    frames: int


class BatchRunItemsItemSequence(TypedDict):
    """Press keys one after the other."""
    # Keys or `wait`, and frames: `A 4, wait 10, Up+B 2`. Up to 512 steps. Sensors of the cartridge show something meanwhile: `tilt 10/-5 4`, `B light 0.8
    # gyro 30 10`.
    sequence: NotRequired[str]
    # The same as a list, instead of `sequence`.
    steps: NotRequired[Sequence[BatchRunItemsItemSequenceStepsItem]]
    # How many frames up before the same key may go down again.
    gap: NotRequired[int]
    # Whether the response is sent when the keys are up again rather than immediately.
    wait: NotRequired[bool]
    # What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the one before
    # it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than 24 frames.
    # `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun.
    waiting: NotRequired[Literal["queue", "shorten", "replace"]]


class BatchRunItemsItemSensors(TypedDict):
    """Set sensors of the cartridge."""
    # How bright the light is: 0 dark, 1 bright.
    light: NotRequired[float]
    # The light as the bars that games with a light sensor show, instead of `light`.
    level: NotRequired[int]
    # By how many degrees the right edge, and the edge away from the player, are down.
    tilt: NotRequired[Sequence[float]]
    # By how many degrees a second the console is turned clockwise.
    gyro: NotRequired[float]


class BatchRunItemsItemCamera(TypedDict):
    """Show a picture to the camera of the cartridge."""
    # The picture, a PNG or JPEG.
    bytes: NotRequired[str]


class BatchRunItemsItemRegistersWrite(TypedDict):
    """Write a register."""
    # A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).
    name: str
    # The number, up to 32 bits; negative ones in two's complement.
    value: int


class BatchRunItemsItemDebugDisassemble(TypedDict):
    """Instructions as text. The gateway runs it after all others."""
    # Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address is in Thumb. Without
    # it, at the instruction that is executed next.
    address: NotRequired[str]
    # How many.
    count: NotRequired[int]
    # As which instructions. As the processor executes them now, unless given.
    mode: NotRequired[Literal["arm", "thumb", "sm83"]]
    # In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now.
    bank: NotRequired[int]


class BatchRunItemsItemDebugBacktrace(TypedDict):
    """The functions that are under way. The gateway runs it after all others."""
    # How many functions at most.
    count: NotRequired[int]


class BatchRunItemsItemDebugHardware(TypedDict):
    """The state of display, sound, DMA, timers and interrupts. The gateway runs it after all others."""
    # Only this device.
    part: NotRequired[Literal["display", "sound", "dma", "timers", "keys", "interrupts", "memory", "serial"]]


class BatchRunItemsItemPixels(TypedDict):
    """the picture as pixels, as of `screen.pixels`."""
    # Whether a pixel is one byte, its brightness, rather than red, green and blue.
    grey: NotRequired[bool]
    # How many pixels a row has, made from averages of areas; those of the picture unless given.
    width: NotRequired[int]
    # How many rows there are, as `width`.
    height: NotRequired[int]


class BatchRunItemsItemVideoTiles(TypedDict):
    """Tiles, as the palette's colours of their pixels. The gateway runs it after all others."""
    # Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given.
    bits: NotRequired[int]
    # The number of the first tile.
    first: NotRequired[int]
    # How many tiles; all that follow unless given.
    count: NotRequired[int]


class BatchRunItemsItemVideoMap(TypedDict):
    """A background with its tile map. The gateway runs it after all others."""
    # A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy.
    map: int


class BatchRunItemsItemVideoPalettesPicture(TypedDict):
    """The palettes as a PNG. The gateway runs it after all others."""
    # Makes each pixel a square of this many.
    scale: NotRequired[int]


class BatchRunItemsItemVideoTilesPicture(TypedDict):
    """Tiles side by side as a PNG. The gateway runs it after all others."""
    # Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given.
    bits: NotRequired[int]
    # The number of the first tile.
    first: NotRequired[int]
    # How many tiles; all that follow unless given.
    count: NotRequired[int]
    # The number of the palette to show them with, as in `video.palettes`.
    palette: NotRequired[int]
    # Tiles in a row.
    columns: NotRequired[int]
    # Makes each pixel a square of this many.
    scale: NotRequired[int]


class BatchRunItemsItemVideoMapPicture(TypedDict):
    """A background as a PNG. The gateway runs it after all others."""
    # A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy.
    map: int
    # What of it.
    part: NotRequired[Literal["whole", "screen"]]
    # Makes each pixel a square of this many.
    scale: NotRequired[int]


class BatchRunItemsItemVideoSpritesPicture(TypedDict):
    """The sprites on the screen as a PNG. The gateway runs it after all others."""
    # Makes each pixel a square of this many.
    scale: NotRequired[int]


class BatchRunItemsItemVideoSpritePicture(TypedDict):
    """A sprite as a PNG. The gateway runs it after all others."""
    # A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy.
    sprite: int
    # Makes each pixel a square of this many.
    scale: NotRequired[int]


class BatchRunItemsItemConsoleWrite(TypedDict):
    """Write a line into mGBA's Scripting window."""
    # The line.
    text: str
    # How it is shown.
    level: NotRequired[Literal["log", "warn", "error"]]


class BatchRunItemsItemSaveLoad(TypedDict):
    """Use a file for save data."""
    # Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing.
    file: str
    # Whether what the game saves is not written back to it.
    temporary: NotRequired[bool]


class BatchRunItemsItemSymbolsList(TypedDict):
    """The symbols of the game. The gateway runs it after all others."""
    # Only names that have this text in them, in capitals or not.
    contains: NotRequired[str]
    # How many to leave out.
    offset: NotRequired[int]
    # The maximum number in the response.
    limit: NotRequired[int]


class BatchRunItemsItemValuesReadMany(TypedDict):
    """Read values by name, all from one frame. The gateway runs it after all others."""
    # Names of properties, parts of them and symbols.
    names: Sequence[str]


class BatchRunItemsItemValuesRead(TypedDict):
    """Read a value by name. The gateway runs it after all others."""
    # A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.
    name: str
    # What a symbol is. By its size unless given, else u32.
    type: NotRequired[Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"]]
    # How many numbers side by side: the value is a list then.
    count: NotRequired[int]
    # The byte order of numbers.
    endian: NotRequired[Literal["little", "big"]]
    # How many bytes a text has, or bytes are.
    length: NotRequired[int]
    # A text table of the game's property map; `ascii` unless given.
    table: NotRequired[str]


class BatchRunItemsItemMemoryReadValue(TypedDict):
    """Read a list, a text, or a number in either byte order. The gateway runs it after all others."""
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # What it is.
    type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"]
    # How many numbers side by side: the value is a list then.
    count: NotRequired[int]
    # The byte order of numbers.
    endian: NotRequired[Literal["little", "big"]]
    # How many bytes a text has, or bytes are.
    length: NotRequired[int]
    # A text table of the game's property map; `ascii` unless given.
    table: NotRequired[str]


class BatchRunItemsItemSearchesGet(TypedDict):
    """The state of a search. The gateway runs it after all others."""
    # The id of a search.
    search: str


class BatchRunItemsItemSearchesMatches(TypedDict):
    """The remaining candidates. The gateway runs it after all others."""
    # The id of a search.
    search: str
    # How many to leave out.
    offset: NotRequired[int]
    # The maximum number in the response.
    limit: NotRequired[int]


class BatchRunItemsItemRecordingsDownload(TypedDict):
    """The lines of a recording. The gateway runs it after all others."""
    # The id of a recording.
    recording: str


class BatchRunItemsItemRewindScreen(TypedDict):
    """The picture of a state. The gateway runs it after all others."""
    # The frame of a state in the ring.
    frame: int


class BatchRunItemsItemStatesGet(TypedDict):
    """The bytes of a state that the gateway keeps. The gateway runs it after all others."""
    # The name of a kept state.
    name: str


class BatchRunItemsItemStatesPicture(TypedDict):
    """The picture of a state that the gateway keeps. The gateway runs it after all others."""
    # The name of a kept state.
    name: str


# Where two states differ. The gateway runs it after all others.
BatchRunItemsItemStatesCompare = TypedDict(
    "BatchRunItemsItemStatesCompare",
    {
        # The name of a kept state.
        "name": 'str',
        # The name of the other state.
        "with": 'str',
    },
)


class BatchRunItemsItemEmulatorsLog(TypedDict):
    """The last lines that an emulator printed. The gateway runs it after all others."""
    # The id of an emulator.
    id: str


class BatchRunItemsItemFleetSessionsList(TypedDict):
    """The sessions of the fleet, in the order of their ids. The gateway runs it after all others."""
    # Only those of this owner.
    owner: NotRequired[str]
    # Only those in this state.
    state: NotRequired[Literal["pending", "placed", "running", "deleting"]]
    # Only those behind this id: the last one of the previous response.
    after: NotRequired[str]
    # How many at most.
    limit: NotRequired[int]


class BatchRunItemsItemFleetSessionsGet(TypedDict):
    """One session of the fleet. The gateway runs it after all others."""
    # The id of a session of the fleet.
    session: str


class BatchRunItemsItemFleetEvents(TypedDict):
    """What happened in the fleet, oldest first. The gateway runs it after all others."""
    # Only those of this session.
    session: NotRequired[str]
    # The oldest with a higher id, such as the last one of the previous response; without it, the newest of all.
    after: NotRequired[int]
    # How many at most.
    limit: NotRequired[int]


class BatchRunItemsItemTrafficList(TypedDict):
    """The newest requests to the emulator, and how long requests took. The gateway runs it after all others."""
    # Only requests with a higher `id`: `last` of the previous response.
    after: NotRequired[int]
    # How many at most, the newest.
    limit: NotRequired[int]


class BatchRunItemsItemVotesGet(TypedDict):
    """A vote with its ballots. The gateway runs it after all others."""
    # The id of a vote.
    vote: str


BatchRunItemsItem = TypedDict(
    "BatchRunItemsItem",
    {
        # What must hold; guards come first.
        "guard": 'NotRequired[BatchRunItemsItemGuard]',
        # The status of the emulator. The gateway runs it after all others.
        "status.get": 'NotRequired[Mapping[str, Any]]',
        # All emulators and the status of each. The gateway runs it after all others.
        "emulators.list": 'NotRequired[Mapping[str, Any]]',
        # Whether the gateway runs. The gateway runs it after all others.
        "health.live": 'NotRequired[Mapping[str, Any]]',
        # Whether the emulator responds and its frames advance. The gateway runs it after all others.
        "health.ready": 'NotRequired[Mapping[str, Any]]',
        # What is measured, for Prometheus. The gateway runs it after all others.
        "metrics.get": 'NotRequired[Mapping[str, Any]]',
        # All operations. The gateway runs it after all others.
        "operations.list": 'NotRequired[Mapping[str, Any]]',
        # Read memory.
        "read": 'NotRequired[BatchRunItemsItemRead]',
        # Read bytes, all from one frame.
        "memory.read": 'NotRequired[BatchRunItemsItemMemoryRead]',
        # Write bytes.
        "write": 'NotRequired[BatchRunItemsItemWrite]',
        # The memory domains.
        "memory.domains": 'NotRequired[Mapping[str, Any]]',
        # The frozen values of all holders.
        "freezes.list": 'NotRequired[Mapping[str, Any]]',
        # The cheats of the game.
        "cheats.list": 'NotRequired[Mapping[str, Any]]',
        # The keys that are down, and their holders.
        "keys.get": 'NotRequired[Mapping[str, Any]]',
        # Hold exactly these keys.
        "setKeys": 'NotRequired[BatchRunItemsItemSetKeys]',
        # Press more keys and hold them.
        "addKeys": 'NotRequired[BatchRunItemsItemAddKeys]',
        # Release keys.
        "clearKeys": 'NotRequired[BatchRunItemsItemClearKeys]',
        # Release all keys of this holder and cancel its queued taps.
        "keys.release": 'NotRequired[Mapping[str, Any]]',
        # Press keys together for some frames.
        "tap": 'NotRequired[BatchRunItemsItemTap]',
        # Press keys one after the other.
        "sequence": 'NotRequired[BatchRunItemsItemSequence]',
        # What the cartridge's sensors show.
        "sensors.get": 'NotRequired[Mapping[str, Any]]',
        # Set sensors of the cartridge.
        "sensors": 'NotRequired[BatchRunItemsItemSensors]',
        # Show a picture to the camera of the cartridge.
        "camera": 'NotRequired[BatchRunItemsItemCamera]',
        # Release the sensors that this holder has set.
        "sensors.release": 'NotRequired[Mapping[str, Any]]',
        # The time that the game reads.
        "clock.get": 'NotRequired[Mapping[str, Any]]',
        # Read all registers in one frame.
        "registers.get": 'NotRequired[Mapping[str, Any]]',
        # Read this register.
        "register": 'NotRequired[str]',
        # Write a register.
        "registers.write": 'NotRequired[BatchRunItemsItemRegistersWrite]',
        # Whether the game is halted, and the registers. The gateway runs it after all others.
        "debug.get": 'NotRequired[Mapping[str, Any]]',
        # The breakpoints and watchpoints of all holders.
        "debug.list": 'NotRequired[Mapping[str, Any]]',
        # Instructions as text. The gateway runs it after all others.
        "debug.disassemble": 'NotRequired[BatchRunItemsItemDebugDisassemble]',
        # What is kept of the history of the game.
        "debug.history": 'NotRequired[Mapping[str, Any]]',
        # The functions that are under way. The gateway runs it after all others.
        "debug.backtrace": 'NotRequired[BatchRunItemsItemDebugBacktrace]',
        # The state of display, sound, DMA, timers and interrupts. The gateway runs it after all others.
        "debug.hardware": 'NotRequired[BatchRunItemsItemDebugHardware]',
        # `true`: take the picture.
        "screen": 'NotRequired[bool]',
        # the picture as pixels, as of `screen.pixels`.
        "pixels": 'NotRequired[BatchRunItemsItemPixels]',
        # The palettes. The gateway runs it after all others.
        "video.palettes": 'NotRequired[Mapping[str, Any]]',
        # Tiles, as the palette's colours of their pixels. The gateway runs it after all others.
        "video.tiles": 'NotRequired[BatchRunItemsItemVideoTiles]',
        # The backgrounds, without their cells. The gateway runs it after all others.
        "video.maps": 'NotRequired[Mapping[str, Any]]',
        # A background with its tile map. The gateway runs it after all others.
        "video.map": 'NotRequired[BatchRunItemsItemVideoMap]',
        # The sprites. The gateway runs it after all others.
        "video.sprites": 'NotRequired[Mapping[str, Any]]',
        # The text that the backgrounds show. The gateway runs it after all others.
        "video.text": 'NotRequired[Mapping[str, Any]]',
        # The palettes as a PNG. The gateway runs it after all others.
        "video.palettesPicture": 'NotRequired[BatchRunItemsItemVideoPalettesPicture]',
        # Tiles side by side as a PNG. The gateway runs it after all others.
        "video.tilesPicture": 'NotRequired[BatchRunItemsItemVideoTilesPicture]',
        # A background as a PNG. The gateway runs it after all others.
        "video.mapPicture": 'NotRequired[BatchRunItemsItemVideoMapPicture]',
        # The sprites on the screen as a PNG. The gateway runs it after all others.
        "video.spritesPicture": 'NotRequired[BatchRunItemsItemVideoSpritesPicture]',
        # A sprite as a PNG. The gateway runs it after all others.
        "video.spritePicture": 'NotRequired[BatchRunItemsItemVideoSpritePicture]',
        # `true`: take the state of the whole machine.
        "state": 'NotRequired[bool]',
        # Load this state, in base64.
        "loadState": 'NotRequired[str]',
        # The save data of the game. The gateway runs it after all others.
        "save.get": 'NotRequired[Mapping[str, Any]]',
        # The loaded game.
        "game.get": 'NotRequired[Mapping[str, Any]]',
        # The CRC32 of the ROM.
        "game.checksum": 'NotRequired[Mapping[str, Any]]',
        # The SHA-1 of the ROM. The gateway runs it after all others.
        "game.sha1": 'NotRequired[Mapping[str, Any]]',
        # The capabilities of this emulator. The gateway runs it after all others.
        "game.capabilities": 'NotRequired[Mapping[str, Any]]',
        # `true`: reset the game.
        "reset": 'NotRequired[bool]',
        # Run one CPU instruction.
        "game.step": 'NotRequired[Mapping[str, Any]]',
        # Write a line into mGBA's Scripting window.
        "console.write": 'NotRequired[BatchRunItemsItemConsoleWrite]',
        # Use a file for save data.
        "save.load": 'NotRequired[BatchRunItemsItemSaveLoad]',
        # Use the game's default save file.
        "save.autoload": 'NotRequired[Mapping[str, Any]]',
        # The symbols of the game. The gateway runs it after all others.
        "symbols.list": 'NotRequired[BatchRunItemsItemSymbolsList]',
        # The properties of the game. The gateway runs it after all others.
        "properties.list": 'NotRequired[Mapping[str, Any]]',
        # Read values by name, all from one frame. The gateway runs it after all others.
        "values.readMany": 'NotRequired[BatchRunItemsItemValuesReadMany]',
        # Read a value by name. The gateway runs it after all others.
        "values.read": 'NotRequired[BatchRunItemsItemValuesRead]',
        # Read a list, a text, or a number in either byte order. The gateway runs it after all others.
        "memory.readValue": 'NotRequired[BatchRunItemsItemMemoryReadValue]',
        # The scenarios that the gateway keeps. The gateway runs it after all others.
        "scenarios.list": 'NotRequired[Mapping[str, Any]]',
        # The searches and their memory. The gateway runs it after all others.
        "searches.list": 'NotRequired[Mapping[str, Any]]',
        # The state of a search. The gateway runs it after all others.
        "searches.get": 'NotRequired[BatchRunItemsItemSearchesGet]',
        # The remaining candidates. The gateway runs it after all others.
        "searches.matches": 'NotRequired[BatchRunItemsItemSearchesMatches]',
        # The recordings of this emulator. The gateway runs it after all others.
        "recordings.list": 'NotRequired[Mapping[str, Any]]',
        # The lines of a recording. The gateway runs it after all others.
        "recordings.download": 'NotRequired[BatchRunItemsItemRecordingsDownload]',
        # The states kept for rewinding. The gateway runs it after all others.
        "rewind.get": 'NotRequired[Mapping[str, Any]]',
        # The picture of a state. The gateway runs it after all others.
        "rewind.screen": 'NotRequired[BatchRunItemsItemRewindScreen]',
        # All states that the gateway keeps. The gateway runs it after all others.
        "states.list": 'NotRequired[Mapping[str, Any]]',
        # The bytes of a state that the gateway keeps. The gateway runs it after all others.
        "states.get": 'NotRequired[BatchRunItemsItemStatesGet]',
        # The picture of a state that the gateway keeps. The gateway runs it after all others.
        "states.picture": 'NotRequired[BatchRunItemsItemStatesPicture]',
        # Where two states differ. The gateway runs it after all others.
        "states.compare": 'NotRequired[BatchRunItemsItemStatesCompare]',
        # The last lines that an emulator printed. The gateway runs it after all others.
        "emulators.log": 'NotRequired[BatchRunItemsItemEmulatorsLog]',
        # The ROMs that can be started. The gateway runs it after all others.
        "roms.list": 'NotRequired[Mapping[str, Any]]',
        # The fleet in numbers. The gateway runs it after all others.
        "fleet.status": 'NotRequired[Mapping[str, Any]]',
        # The sessions of the fleet, in the order of their ids. The gateway runs it after all others.
        "fleet.sessions.list": 'NotRequired[BatchRunItemsItemFleetSessionsList]',
        # One session of the fleet. The gateway runs it after all others.
        "fleet.sessions.get": 'NotRequired[BatchRunItemsItemFleetSessionsGet]',
        # The hosts of the fleet, those that live first. The gateway runs it after all others.
        "fleet.hosts": 'NotRequired[Mapping[str, Any]]',
        # What happened in the fleet, oldest first. The gateway runs it after all others.
        "fleet.events": 'NotRequired[BatchRunItemsItemFleetEvents]',
        # The guests whose links are valid, and who of them is connected. The gateway runs it after all others.
        "guests.list": 'NotRequired[Mapping[str, Any]]',
        # The agents that play through MCP. The gateway runs it after all others.
        "agents.list": 'NotRequired[Mapping[str, Any]]',
        # The newest requests to the emulator, and how long requests took. The gateway runs it after all others.
        "traffic.list": 'NotRequired[BatchRunItemsItemTrafficList]',
        # The open vote and the last ones. The gateway runs it after all others.
        "votes.list": 'NotRequired[Mapping[str, Any]]',
        # A vote with its ballots. The gateway runs it after all others.
        "votes.get": 'NotRequired[BatchRunItemsItemVotesGet]',
        # The voters who are blocked. The gateway runs it after all others.
        "voters.list": 'NotRequired[Mapping[str, Any]]',
    },
)


class LeaseAttachReadsItem(TypedDict):
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # What the number is, little-endian.
    type: NotRequired[Literal["u8", "s8", "u16", "s16", "u32", "s32"]]


class LeaseAttachPixels(TypedDict):
    """The picture of that frame, as of `screen.pixels`; none unless given."""
    # Whether a pixel is one byte, its brightness, rather than red, green and blue.
    grey: NotRequired[bool]
    # How many pixels a row has, made from averages of areas; those of the picture unless given.
    width: NotRequired[int]
    # How many rows there are, as `width`.
    height: NotRequired[int]


LeaseStepItemsItem = TypedDict(
    "LeaseStepItemsItem",
    {
        # What must hold; guards come first.
        "guard": 'NotRequired[BatchRunItemsItemGuard]',
        # Read memory.
        "read": 'NotRequired[BatchRunItemsItemRead]',
        # Read bytes, all from one frame.
        "memory.read": 'NotRequired[BatchRunItemsItemMemoryRead]',
        # Write bytes.
        "write": 'NotRequired[BatchRunItemsItemWrite]',
        # The memory domains.
        "memory.domains": 'NotRequired[Mapping[str, Any]]',
        # The frozen values of all holders.
        "freezes.list": 'NotRequired[Mapping[str, Any]]',
        # The cheats of the game.
        "cheats.list": 'NotRequired[Mapping[str, Any]]',
        # The keys that are down, and their holders.
        "keys.get": 'NotRequired[Mapping[str, Any]]',
        # Hold exactly these keys.
        "setKeys": 'NotRequired[BatchRunItemsItemSetKeys]',
        # Press more keys and hold them.
        "addKeys": 'NotRequired[BatchRunItemsItemAddKeys]',
        # Release keys.
        "clearKeys": 'NotRequired[BatchRunItemsItemClearKeys]',
        # Release all keys of this holder and cancel its queued taps.
        "keys.release": 'NotRequired[Mapping[str, Any]]',
        # Press keys together for some frames.
        "tap": 'NotRequired[BatchRunItemsItemTap]',
        # Press keys one after the other.
        "sequence": 'NotRequired[BatchRunItemsItemSequence]',
        # What the cartridge's sensors show.
        "sensors.get": 'NotRequired[Mapping[str, Any]]',
        # Set sensors of the cartridge.
        "sensors": 'NotRequired[BatchRunItemsItemSensors]',
        # Show a picture to the camera of the cartridge.
        "camera": 'NotRequired[BatchRunItemsItemCamera]',
        # Release the sensors that this holder has set.
        "sensors.release": 'NotRequired[Mapping[str, Any]]',
        # The time that the game reads.
        "clock.get": 'NotRequired[Mapping[str, Any]]',
        # Read all registers in one frame.
        "registers.get": 'NotRequired[Mapping[str, Any]]',
        # Read this register.
        "register": 'NotRequired[str]',
        # Write a register.
        "registers.write": 'NotRequired[BatchRunItemsItemRegistersWrite]',
        # The breakpoints and watchpoints of all holders.
        "debug.list": 'NotRequired[Mapping[str, Any]]',
        # What is kept of the history of the game.
        "debug.history": 'NotRequired[Mapping[str, Any]]',
        # `true`: take the picture.
        "screen": 'NotRequired[bool]',
        # the picture as pixels, as of `screen.pixels`.
        "pixels": 'NotRequired[BatchRunItemsItemPixels]',
        # `true`: take the state of the whole machine.
        "state": 'NotRequired[bool]',
        # Load this state, in base64.
        "loadState": 'NotRequired[str]',
        # The loaded game.
        "game.get": 'NotRequired[Mapping[str, Any]]',
        # The CRC32 of the ROM.
        "game.checksum": 'NotRequired[Mapping[str, Any]]',
        # `true`: reset the game.
        "reset": 'NotRequired[bool]',
        # Run one CPU instruction.
        "game.step": 'NotRequired[Mapping[str, Any]]',
        # Write a line into mGBA's Scripting window.
        "console.write": 'NotRequired[BatchRunItemsItemConsoleWrite]',
        # Use a file for save data.
        "save.load": 'NotRequired[BatchRunItemsItemSaveLoad]',
        # Use the game's default save file.
        "save.autoload": 'NotRequired[Mapping[str, Any]]',
    },
)


class MemoryGatherReadsItem(TypedDict):
    # Where: an address on the game's bus, or an offset in a memory domain.
    location: str
    # What the number is, little-endian.
    type: NotRequired[Literal["u8", "s8", "u16", "s16", "u32", "s32"]]
    # How many bytes.
    length: NotRequired[int]


class SearchesStartRangesItem(TypedDict):
    # Where it starts.
    location: str
    # How many bytes.
    length: int


class VectorStepRowsItem(TypedDict):
    # The id of an emulator; each once.
    emulator: str
    # The keys that are down during the frames; none unless given.
    keys: NotRequired[Sequence[Key]]
    # How many frames it runs, unlike the other rows.
    frames: NotRequired[int]
    # Whether it first continues from `state`. This also takes the lease, where the caller has none.
    reset: NotRequired[bool]


class VotesOpenChoicesItem(TypedDict):
    # Its name, which voters write in upper or lower case.
    name: str
    # What is pressed for it: keys or `wait`, and frames: `A 4, wait 10, Up+B 2`; up to 600 frames. Nothing unless given.
    sequence: NotRequired[str]


WaitUntilAllItem = TypedDict(
    "WaitUntilAllItem",
    {
        # Where the number is.
        "location": 'str',
        # What it is, little-endian.
        "type": 'Literal["u8", "s8", "u16", "s16", "u32", "s32"]',
        # How it is looked at; mask: all these bits are set, any: one of them is.
        "is": 'NotRequired[Literal["eq", "ne", "lt", "le", "gt", "ge", "mask", "any", "changed"]]',
        # The number to compare with; not for `changed`.
        "value": 'NotRequired[int]',
    },
)


DECLARATIONS = {
    "agents.change": Declaration("PUT", "/v2/agents/{agent}", media="application/json", is_per_emulator=False),
    "agents.list": Declaration("GET", "/v2/agents", is_per_emulator=False),
    "batch.run": Declaration("POST", "/v2/batch", media="application/json", has_holder=True),
    "camera.set": Declaration("PUT", "/v2/sensors/camera", media="application/octet-stream", is_whole=True, has_holder=True),
    "cheats.delete": Declaration("DELETE", "/v2/cheats/{cheat}", has_holder=True),
    "cheats.enable": Declaration("PUT", "/v2/cheats/{cheat}", media="application/json", has_holder=True),
    "cheats.list": Declaration("GET", "/v2/cheats"),
    "cheats.load": Declaration("POST", "/v2/cheats", media="application/octet-stream", is_whole=True, has_holder=True),
    "cheats.set": Declaration("PUT", "/v2/cheats", media="application/json", has_holder=True),
    "clock.get": Declaration("GET", "/v2/clock"),
    "clock.set": Declaration("PUT", "/v2/clock", media="application/json", has_holder=True),
    "console.write": Declaration("POST", "/v2/console", media="application/json", has_holder=True),
    "debug.add": Declaration("POST", "/v2/debug/points", media="application/json", has_holder=True),
    "debug.back": Declaration("POST", "/v2/debug/back", media="application/json", has_holder=True),
    "debug.backtrace": Declaration("GET", "/v2/debug/backtrace", query=("count",)),
    "debug.continue": Declaration("POST", "/v2/debug/continue", has_holder=True),
    "debug.disassemble": Declaration("GET", "/v2/debug/disassembly", query=("address", "count", "mode", "bank")),
    "debug.get": Declaration("GET", "/v2/debug"),
    "debug.halt": Declaration("POST", "/v2/debug/halt", media="application/json", has_holder=True),
    "debug.hardware": Declaration("GET", "/v2/debug/hardware", query=("part",)),
    "debug.history": Declaration("GET", "/v2/debug/history"),
    "debug.keepHistory": Declaration("PUT", "/v2/debug/history", media="application/json", has_holder=True),
    "debug.list": Declaration("GET", "/v2/debug/points"),
    "debug.remove": Declaration("DELETE", "/v2/debug/points/{point}", has_holder=True),
    "debug.removeAll": Declaration("DELETE", "/v2/debug/points", has_holder=True),
    "debug.step": Declaration("POST", "/v2/debug/step", media="application/json", has_holder=True),
    "debug.trace": Declaration("GET", "/v2/debug/trace", query=("kinds", "location", "length", "from", "number", "count")),
    "debug.writers": Declaration("GET", "/v2/debug/writers", query=("location", "length", "bank", "count")),
    "emulators.list": Declaration("GET", "/v2/emulators", is_per_emulator=False),
    "emulators.log": Declaration("GET", "/v2/emulators/{id}/log", is_per_emulator=False),
    "emulators.restart": Declaration("POST", "/v2/emulators/{id}/restart", is_per_emulator=False),
    "emulators.run": Declaration("PUT", "/v2/emulators/{id}/run", media="application/json", is_per_emulator=False),
    "emulators.start": Declaration("POST", "/v2/emulators", media="application/json", is_per_emulator=False),
    "emulators.stop": Declaration("DELETE", "/v2/emulators/{id}", is_per_emulator=False),
    "fleet.events": Declaration("GET", "/v2/fleet/events", query=("session", "after", "limit"), is_per_emulator=False),
    "fleet.hosts": Declaration("GET", "/v2/fleet/hosts", is_per_emulator=False),
    "fleet.sessions.create": Declaration("POST", "/v2/fleet/sessions", media="application/json", is_per_emulator=False),
    "fleet.sessions.delete": Declaration("DELETE", "/v2/fleet/sessions/{session}", is_per_emulator=False),
    "fleet.sessions.deleteAll": Declaration("DELETE", "/v2/fleet/sessions", query=("owner", "all"), is_per_emulator=False),
    "fleet.sessions.get": Declaration("GET", "/v2/fleet/sessions/{session}", is_per_emulator=False),
    "fleet.sessions.list": Declaration("GET", "/v2/fleet/sessions", query=("owner", "state", "after", "limit"), is_per_emulator=False),
    "fleet.status": Declaration("GET", "/v2/fleet", is_per_emulator=False),
    "freezes.delete": Declaration("DELETE", "/v2/freezes/{freeze}", has_holder=True),
    "freezes.deleteAll": Declaration("DELETE", "/v2/freezes", has_holder=True),
    "freezes.list": Declaration("GET", "/v2/freezes"),
    "freezes.set": Declaration("PUT", "/v2/freezes", media="application/json", has_holder=True),
    "game.capabilities": Declaration("GET", "/v2/capabilities"),
    "game.checksum": Declaration("GET", "/v2/checksum"),
    "game.get": Declaration("GET", "/v2/game"),
    "game.reset": Declaration("POST", "/v2/reset", has_holder=True),
    "game.sha1": Declaration("GET", "/v2/checksum/sha1"),
    "game.step": Declaration("POST", "/v2/step", has_holder=True),
    "guests.change": Declaration("PUT", "/v2/guests/{guest}", media="application/json", is_per_emulator=False),
    "guests.end": Declaration("DELETE", "/v2/guests/{guest}", is_per_emulator=False),
    "guests.endAll": Declaration("DELETE", "/v2/guests", is_per_emulator=False),
    "guests.invite": Declaration("POST", "/v2/guests", media="application/json", is_per_emulator=False),
    "guests.list": Declaration("GET", "/v2/guests", is_per_emulator=False),
    "keys.add": Declaration("POST", "/v2/keys/add", media="application/json", has_holder=True),
    "keys.clear": Declaration("POST", "/v2/keys/clear", media="application/json", has_holder=True),
    "keys.get": Declaration("GET", "/v2/keys"),
    "keys.release": Declaration("DELETE", "/v2/keys", has_holder=True),
    "keys.sequence": Declaration("POST", "/v2/keys/sequence", media="application/json", has_holder=True),
    "keys.set": Declaration("PUT", "/v2/keys", media="application/json", has_holder=True),
    "keys.tap": Declaration("POST", "/v2/keys/tap", media="application/json", has_holder=True),
    "lease.attach": Declaration("POST", "/v2/lease/socket", media="application/json", has_holder=True),
    "lease.release": Declaration("DELETE", "/v2/lease", has_holder=True),
    "lease.step": Declaration("POST", "/v2/lease/step", media="application/json", has_holder=True),
    "lease.take": Declaration("POST", "/v2/lease", media="application/json", has_holder=True),
    "memory.domains": Declaration("GET", "/v2/memory/domains"),
    "memory.gather": Declaration("POST", "/v2/memory/read", media="application/json"),
    "memory.read": Declaration("GET", "/v2/memory/{location}", query=("length",)),
    "memory.read.s16": Declaration("GET", "/v2/memory/{location}/s16"),
    "memory.read.s32": Declaration("GET", "/v2/memory/{location}/s32"),
    "memory.read.s8": Declaration("GET", "/v2/memory/{location}/s8"),
    "memory.read.u16": Declaration("GET", "/v2/memory/{location}/u16"),
    "memory.read.u32": Declaration("GET", "/v2/memory/{location}/u32"),
    "memory.read.u8": Declaration("GET", "/v2/memory/{location}/u8"),
    "memory.readValue": Declaration("GET", "/v2/memory/{location}/value", query=("type", "count", "endian", "length", "table")),
    "memory.write": Declaration("PUT", "/v2/memory/{location}", query=("type", "value"), media="application/octet-stream", is_whole=True, has_holder=True),
    "memory.write.s16": Declaration("PUT", "/v2/memory/{location}/s16", media="application/json", has_holder=True),
    "memory.write.s32": Declaration("PUT", "/v2/memory/{location}/s32", media="application/json", has_holder=True),
    "memory.write.s8": Declaration("PUT", "/v2/memory/{location}/s8", media="application/json", has_holder=True),
    "memory.write.u16": Declaration("PUT", "/v2/memory/{location}/u16", media="application/json", has_holder=True),
    "memory.write.u32": Declaration("PUT", "/v2/memory/{location}/u32", media="application/json", has_holder=True),
    "memory.write.u8": Declaration("PUT", "/v2/memory/{location}/u8", media="application/json", has_holder=True),
    "memory.writeValue": Declaration("PUT", "/v2/memory/{location}/value", query=("type", "count", "endian", "length", "table"), media="application/json", has_holder=True),
    "operations.list": Declaration("GET", "/v2/operations", is_per_emulator=False),
    "properties.delete": Declaration("DELETE", "/v2/properties", has_holder=True),
    "properties.list": Declaration("GET", "/v2/properties"),
    "properties.load": Declaration("PUT", "/v2/properties", media="application/json", is_whole=True, has_holder=True),
    "recordings.delete": Declaration("DELETE", "/v2/recordings/{recording}"),
    "recordings.download": Declaration("GET", "/v2/recordings/{recording}"),
    "recordings.list": Declaration("GET", "/v2/recordings"),
    "recordings.replay": Declaration("POST", "/v2/replay", media="application/jsonl", is_whole=True, has_holder=True),
    "recordings.start": Declaration("POST", "/v2/recordings", media="application/json", has_holder=True),
    "recordings.stop": Declaration("POST", "/v2/recordings/{recording}/stop"),
    "recordings.video": Declaration("POST", "/v2/recordings/{recording}/video", query=("format",)),
    "registers.get": Declaration("GET", "/v2/registers"),
    "registers.read": Declaration("GET", "/v2/registers/{name}"),
    "registers.write": Declaration("PUT", "/v2/registers/{name}", media="application/json", has_holder=True),
    "rewind.back": Declaration("POST", "/v2/rewind", media="application/json", has_holder=True),
    "rewind.get": Declaration("GET", "/v2/rewind"),
    "rewind.load": Declaration("POST", "/v2/rewind/{frame}", has_holder=True),
    "rewind.screen": Declaration("GET", "/v2/rewind/{frame}/screen"),
    "rewind.start": Declaration("PUT", "/v2/rewind", media="application/json"),
    "rewind.stop": Declaration("DELETE", "/v2/rewind"),
    "rewind.video": Declaration("POST", "/v2/rewind/video", query=("seconds", "format")),
    "rom.load": Declaration("POST", "/v2/rom/load", media="application/json", has_holder=True),
    "roms.delete": Declaration("DELETE", "/v2/roms/{rom}", is_per_emulator=False),
    "roms.list": Declaration("GET", "/v2/roms", is_per_emulator=False),
    "roms.upload": Declaration("POST", "/v2/roms", query=("name",), media="application/octet-stream", is_whole=True, is_per_emulator=False),
    "save.autoload": Declaration("POST", "/v2/save/autoload", has_holder=True),
    "save.get": Declaration("GET", "/v2/save"),
    "save.load": Declaration("POST", "/v2/save/load", media="application/json", has_holder=True),
    "save.put": Declaration("PUT", "/v2/save", media="application/octet-stream", is_whole=True, has_holder=True),
    "scenarios.delete": Declaration("DELETE", "/v2/scenarios/{name}", is_per_emulator=False),
    "scenarios.list": Declaration("GET", "/v2/scenarios", is_per_emulator=False),
    "scenarios.load": Declaration("PUT", "/v2/scenarios/{name}", media="application/json", is_per_emulator=False),
    "screen.get": Declaration("GET", "/v2/screen", query=("scale", "format")),
    "screen.pixels": Declaration("GET", "/v2/screen/pixels", query=("grey", "width", "height")),
    "searches.delete": Declaration("DELETE", "/v2/searches/{search}"),
    "searches.get": Declaration("GET", "/v2/searches/{search}"),
    "searches.list": Declaration("GET", "/v2/searches"),
    "searches.matches": Declaration("GET", "/v2/searches/{search}/matches", query=("offset", "limit")),
    "searches.refine": Declaration("POST", "/v2/searches/{search}/refine", media="application/json", has_holder=True),
    "searches.start": Declaration("POST", "/v2/searches", media="application/json", has_holder=True),
    "searches.undo": Declaration("POST", "/v2/searches/{search}/undo"),
    "sensors.get": Declaration("GET", "/v2/sensors"),
    "sensors.release": Declaration("DELETE", "/v2/sensors", has_holder=True),
    "sensors.set": Declaration("PUT", "/v2/sensors", media="application/json", has_holder=True),
    "speed.hold": Declaration("PUT", "/v2/speed", media="application/json"),
    "speed.release": Declaration("DELETE", "/v2/speed"),
    "state.get": Declaration("GET", "/v2/state", query=("flags",)),
    "state.load": Declaration("PUT", "/v2/state", query=("slot", "file", "flags", "anyRom"), media="application/octet-stream", is_whole=True, has_holder=True),
    "state.save": Declaration("POST", "/v2/state/save", media="application/json", has_holder=True),
    "states.compare": Declaration("GET", "/v2/states/{state}/compare", query=("with",)),
    "states.delete": Declaration("DELETE", "/v2/states/{state}"),
    "states.get": Declaration("GET", "/v2/states/{state}"),
    "states.list": Declaration("GET", "/v2/states"),
    "states.load": Declaration("POST", "/v2/states/{state}/load", media="application/json", has_holder=True),
    "states.picture": Declaration("GET", "/v2/states/{state}/picture"),
    "states.save": Declaration("POST", "/v2/states", media="application/json", has_holder=True),
    "status.get": Declaration("GET", "/v2/status"),
    "symbols.delete": Declaration("DELETE", "/v2/symbols", has_holder=True),
    "symbols.list": Declaration("GET", "/v2/symbols", query=("contains", "offset", "limit")),
    "symbols.load": Declaration("PUT", "/v2/symbols", media="application/octet-stream", is_whole=True, has_holder=True),
    "traffic.list": Declaration("GET", "/v2/traffic", query=("after", "limit")),
    "values.read": Declaration("GET", "/v2/values/{name}", query=("type", "count", "endian", "length", "table")),
    "values.readMany": Declaration("POST", "/v2/values", media="application/json"),
    "values.write": Declaration("PUT", "/v2/values/{name}", query=("type", "count", "endian", "length", "table"), media="application/json", has_holder=True),
    "vector.step": Declaration("POST", "/v2/vector", media="application/json", has_holder=True, is_per_emulator=False),
    "video.map": Declaration("GET", "/v2/video/maps/{map}"),
    "video.mapPicture": Declaration("GET", "/v2/video/maps/{map}/picture", query=("part", "scale")),
    "video.maps": Declaration("GET", "/v2/video/maps"),
    "video.palettes": Declaration("GET", "/v2/video/palettes"),
    "video.palettesPicture": Declaration("GET", "/v2/video/palettes/picture", query=("scale",)),
    "video.spritePicture": Declaration("GET", "/v2/video/sprites/{sprite}/picture", query=("scale",)),
    "video.sprites": Declaration("GET", "/v2/video/sprites"),
    "video.spritesPicture": Declaration("GET", "/v2/video/sprites/picture", query=("scale",)),
    "video.text": Declaration("GET", "/v2/video/text"),
    "video.tiles": Declaration("GET", "/v2/video/tiles", query=("bits", "first", "count")),
    "video.tilesPicture": Declaration("GET", "/v2/video/tiles/picture", query=("bits", "first", "count", "palette", "columns", "scale")),
    "voters.block": Declaration("PUT", "/v2/voters/{voter}", media="application/json"),
    "voters.list": Declaration("GET", "/v2/voters"),
    "voters.unblock": Declaration("DELETE", "/v2/voters/{voter}"),
    "votes.cast": Declaration("POST", "/v2/votes/{vote}/ballots", media="application/json"),
    "votes.delete": Declaration("DELETE", "/v2/votes/{vote}"),
    "votes.get": Declaration("GET", "/v2/votes/{vote}"),
    "votes.list": Declaration("GET", "/v2/votes"),
    "votes.open": Declaration("POST", "/v2/votes", media="application/json"),
    "wait.until": Declaration("POST", "/v2/wait", media="application/json"),
}


class Operations:
    """A method for each operation, which sends the request and returns the response."""

    def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        raise NotImplementedError

    def agents_change(self, agent: str, paused: bool) -> AgentAnswer:
        """Pause an agent, or let it continue.

        Pausing cancels its calls, releases its keys and ends its lease. Until it may continue, each of its calls gets an error that says that a person paused
        it, also after it has connected again. Needs the role `player`.

        agent: The id of an agent.
        paused: Whether it is paused.

        Problems: 404: `no-such-agent`: there is no such agent, or its session has ended.
        """
        return self._call("agents.change", {"agent": agent, "paused": paused})

    def agents_list(self) -> AgentsAnswer:
        """The agents that play through MCP.

        Those that are connected, and those that are paused, the one that was seen last first, each with its last 50 calls. At most 64. Needs the role
        `viewer`.
        """
        return self._call("agents.list", {})

    def batch_run(self, items: Sequence[BatchRunItemsItem], *, at: int | None = None, after: int | None = None) -> BatchAnswer:
        """Run several commands in one frame.

        The items run in order, between the same two frames of the game. If a guard is false, nothing runs and the response is 412. An item with the name of
        an operation has the operation's parameters, those of its path included, and its response as `result`. The first item that fails ends the batch:
        compare `done` with `of`. A batch requires the largest access of its items, and `play` for a later frame. Operations that read and that the gateway
        runs, not the script, come last, up to 64: they run one after the other when the script has run its items, each in a frame of its own, unless the game
        is paused or in lockstep. Guards do not cover them. Needs the role `viewer`.

        items: What to do, in order, guards first.
        at: In this frame; at once unless given. (from 0)
        after: The number of frames to wait, instead of `at`. (1 to 36000)

        Problems: 412: `guard-failed`: a guard is false; `detail` says which, and the value. Nothing ran.
        """
        return self._call("batch.run", {"items": items, "at": at, "after": after})

    def camera_set(self, body: bytes | str) -> DoneAnswer:
        """Show a picture to the camera of the cartridge.

        A PNG or JPEG with at most 16777216 pixels: its middle, in grey and scaled to 128 x 112. The camera sees it from the next frame until this holder
        releases its sensors (`sensors.release`), and darkness without one. The rules of `sensors.set` hold. Needs the role `player`.

        body: The body; text and bytes are sent as they are.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
        """
        return self._call("camera.set", {"body": body})

    def cheats_delete(self, cheat: str) -> DoneAnswer:
        """Remove a cheat.

        Needs the role `owner`.

        cheat: The name of a cheat.

        Problems: 404: `no-such-cheat`: there is no such cheat. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`): the game runs
          in a window: mGBA hands its cheats only to mgba-headless.
        """
        return self._call("cheats.delete", {"cheat": cheat})

    def cheats_enable(self, cheat: str, enabled: bool) -> DoneAnswer:
        """Switch a cheat on or off.

        What it has written to the ROM is undone when it is switched off; what it has written to memory stays until the game writes it. Needs the role
        `owner`.

        cheat: The name of a cheat.
        enabled: Whether it is applied.

        Problems: 404: `no-such-cheat`: there is no such cheat, or it cannot be used. `no-such-emulator`: there is no such emulator. 501: `rejected`
          (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
        """
        return self._call("cheats.enable", {"cheat": cheat, "enabled": enabled})

    def cheats_list(self) -> CheatsAnswer:
        """The cheats of the game.

        Those of the file of `--cheats`, and those that were added. Cheats of the file that cannot be used are listed last, with the `problem`. Needs the role
        `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
        """
        return self._call("cheats.list", {})

    def cheats_load(self, body: bytes | str) -> CheatsAnswer:
        """Add the cheats of a file.

        Libretro's, EZ-Flash's or BGB's `.cht`, or mGBA's `.cheats`; up to 4 MB. A cheat of the file replaces the one of its name. The response lists all
        cheats; those of the file that cannot be used are last, with the `problem`. A file without a cheat that can be used changes nothing. Needs the role
        `owner`.

        body: The body; text and bytes are sent as they are.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
        """
        return self._call("cheats.load", {"body": body})

    def cheats_set(self, name: str, codes: str, *, enabled: bool | None = None) -> DoneAnswer:
        """Add a cheat.

        Or replaces the one of this name. mGBA applies it once a frame. Codes of the GBA: GameShark, Action Replay, CodeBreaker and `ADDRESS:VALUE`; of the
        Game Boy: Game Genie, GameShark, CodeBreaker and `AAAA:VV`. A code that writes to the ROM is applied as a patch of it. A cheat ends when it is removed
        and when another game is loaded. An emulator that the gateway started has its cheats again after a restart. Needs the role `owner`.

        name: Its name, 1 to 128 bytes.
        codes: The codes, one in a line or separated by `+`; up to 65536 bytes.
        enabled: Whether it is applied. (default true)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
        """
        return self._call("cheats.set", {"name": name, "codes": codes, "enabled": enabled})

    def clock_get(self) -> ClockAnswer:
        """The time that the game reads.

        Needs the role `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its clock only to mgba-headless.
        """
        return self._call("clock.get", {})

    def clock_set(self, mode: Literal["host", "fixed", "emulated"], *, time: str | None = None, offset_seconds: int | None = None) -> DoneAnswer:
        """Set the clock of the cartridge.

        For games with a clock. A state that is loaded brings its clock to `host` without an offset, and its emulated time to `emulated`; other clocks stay.
        It ends when the emulator ends: `clock` of `emulators.start` is the one that it starts with. Needs the role `owner`.

        mode: `host`: the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames, so that the same input gives the same
          result.
        time: What the game reads from now on, whatever the machine's time zone: from 2000 to 2099, such as `2026-01-01T12:00:00`. For `fixed` and `emulated`.
        offset_seconds: By how many seconds it is before the machine's. For `host`. (-3155759999 to 3155759999; default 0)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its clock only to mgba-headless.
        """
        return self._call("clock.set", {"mode": mode, "time": time, "offsetSeconds": offset_seconds})

    def console_write(self, text: str, *, level: Literal["log", "warn", "error"] | None = None) -> DoneAnswer:
        """Write a line into mGBA's Scripting window.

        Needs the role `owner`.

        text: The line.
        level: How it is shown. (default "log")
        """
        return self._call("console.write", {"text": text, "level": level})

    def debug_add(self, location: str, *, kind: Literal["execute", "read", "write", "access", "change", "interrupt"] | None = None, length: int | None = None, bank: int | None = None, condition: str | None = None, reports: bool | None = None, seconds: int | None = None) -> PointAnswer:
        """Set a breakpoint or a watchpoint.

        A breakpoint (`execute`) is hit before the instruction is executed, a watchpoint after the instruction that reads or writes. Events of the topic
        `debug` say that one halted the game, events of `hits` report all of them, together once a frame. A point ends when it is removed, when its holder's
        connection ends (WebSocket), when the gateway is gone for 2 seconds, and when another game is opened. At most 1024. Needs the role `owner`.

        kind: What hits it: `execute`, `read`, `write`, `access` (both), `change` (a write of another value) or `interrupt` (the processor begins to serve
          one; `location` is its vector: 0x18 on a GBA, 0x40 to 0x60 on a GB). (default "execute")
        location: Where: an address (`0x080001F4`), an offset in a domain (`cart0:0x4123`), or the name of a property or symbol.
        length: How many bytes; those of the symbol or property, or 1, unless given. (1 to 268435456)
        bank: The bank of the address on a Game Boy; any unless given, or that of a symbol or of an offset in a domain. (0 to 511)
        condition: What has to hold, as for `wait.until`, with registers as places: `r0 == 1 and player.hp < 5`.
        reports: Whether a hit is only reported, and the game runs on. (default false)
        seconds: After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless given. (1 to
          3600)

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected`
          (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.add", {"kind": kind, "location": location, "length": length, "bank": bank, "condition": condition, "reports": reports, "seconds": seconds})

    def debug_back(self, *, kind: Literal["step", "point", "frame"] | None = None, count: int | None = None, seconds: int | None = None) -> DebuggerAnswer:
        """Go back in what the game did.

        The game has to be halted, and is halted again where it has gone to; `reason` is `history` where its history begins. In the past, `debug.step` and
        `debug.continue` repeat what happened, with the keys and writes of then, and lead on into the present. A write, a state or a reset in the past ends
        the history there: what came behind it is gone. Needs the role `owner`.

        kind: `step`: so many instructions; `point`: to where a breakpoint or watchpoint would have halted the game last; `frame`: to the beginning of its
          frame, or of so many before. (default "step")
        count: How many instructions or frames. (1 to 100000; default 1)
        seconds: After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless given. (1 to
          3600)

        Problems: 409: `rejected` (`not-running`): no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected`
          (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now.
          `rejected` (`expired`): its reply is not kept any more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for
          scripts.
        """
        return self._call("debug.back", {"kind": kind, "count": count, "seconds": seconds})

    def debug_backtrace(self, *, count: int | None = None) -> BacktraceAnswer:
        """The functions that are under way.

        The innermost first. What is `exact` is where the processor is. What is `matched` is an address on the stack, or in the link register, behind an
        instruction that calls the function before: certain unless an older call has left the same address behind. What is a `guess` is the next address
        behind any instruction that calls: the function before has no symbol, or was called by an address or jumped to. Behind a guess, functions may be
        missing, and some may have returned already. Needs the role `viewer`.

        count: How many functions at most. (1 to 128; default 16)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.backtrace", {"count": count})

    def debug_continue(self) -> ContinuedAnswer:
        """Let the game run until a point halts it.

        Needs the role `owner`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.continue", {})

    def debug_disassemble(self, *, address: str | None = None, count: int | None = None, mode: Literal["arm", "thumb", "sm83"] | None = None, bank: int | None = None) -> DisassemblyAnswer:
        """Instructions as text.

        With the symbols of the game, and those of what they call, read and write. Memory is read without any effect on devices. Needs the role `viewer`.

        address: Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address is in Thumb.
          Without it, at the instruction that is executed next.
        count: How many. (1 to 1024; default 16)
        mode: As which instructions. As the processor executes them now, unless given.
        bank: In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now. (0 to 511)

        Problems: 404: `no-such-name`: the game has no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`):
          the game runs in a window: mGBA hands its instructions only to mgba-headless.
        """
        return self._call("debug.disassemble", {"address": address, "count": count, "mode": mode, "bank": bank})

    def debug_get(self) -> DebuggerAnswer:
        """Whether the game is halted, and the registers.

        Needs the role `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.get", {})

    def debug_halt(self, *, seconds: int | None = None) -> DebuggerAnswer:
        """Halt the game before its next instruction.

        Reads, writes, states and pictures are answered while it is halted; presses, waits and steps of frames wait until it runs. The picture is as far as it
        was drawn. Needs the role `owner`.

        seconds: After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless given. (1 to
          3600)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.halt", {"seconds": seconds})

    def debug_hardware(self, *, part: Literal["display", "sound", "dma", "timers", "keys", "interrupts", "memory", "serial"] | None = None) -> HardwareAnswer:
        """The state of display, sound, DMA, timers and interrupts.

        The registers of the console's devices, all from one frame, with what their bits mean. They are read without any effect on the game, as they were
        written or as the device has set them: `count` of a timer of a GBA and `KEYINPUT` are those that the game itself has started or read last. Needs the
        role `viewer`.

        part: Only this device.
        """
        return self._call("debug.hardware", {"part": part})

    def debug_history(self) -> HistoryAnswer:
        """What is kept of the history of the game.

        Needs the role `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.history", {})

    def debug_keep_history(self, *, megabytes: int | None = None) -> HistoryAnswer:
        """Keep what the game does, to go back in it.

        The oldest is dropped when it would take more memory. What is kept already remains when the memory is changed. Games that are opened later have a
        history, too. `problem` says why none is kept, and what to do. Needs the role `owner`.

        megabytes: How much memory it may take; 0 ends and drops it. (0 to 4096; default 256)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.keepHistory", {"megabytes": megabytes})

    def debug_list(self) -> PointsAnswer:
        """The breakpoints and watchpoints of all holders.

        Needs the role `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.list", {})

    def debug_remove(self, point: int) -> RemovedAnswer:
        """Remove a breakpoint or a watchpoint.

        Needs the role `owner`.

        point: Its id, of any holder. (1 to 2147483647)

        Problems: 404: `no-such-point`: there is no such point. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`): the game runs
          in a window, which has no debugger for scripts.
        """
        return self._call("debug.remove", {"point": point})

    def debug_remove_all(self) -> RemovedAnswer:
        """Remove all points of the holder.

        Needs the role `owner`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.removeAll", {})

    def debug_step(self, *, kind: Literal["into", "over", "out", "to"] | None = None, location: str | None = None, frames: int | None = None, seconds: int | None = None) -> DebuggerAnswer:
        """Execute instructions of a game that is halted.

        The response comes when the game is halted again: at the end of the step, at a point on the way, or after `frames` wherever it is (`reason` is
        `requested` then). Needs the role `owner`.

        kind: `into`: one instruction; `over`: and the function that it calls; `out`: until the present function returns; `to`: until a location. (default
          "into")
        location: Where to, for `to`: an address, an offset in a domain, or the name of a symbol.
        frames: After how many frames the game is halted wherever it is. (1 to 36000; default 600)
        seconds: After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless given. (1 to
          3600)

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected`
          (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.step", {"kind": kind, "location": location, "frames": frames, "seconds": seconds})

    def debug_trace(self, *, kinds: str | None = None, location: str | None = None, length: int | None = None, from_: int | None = None, number: int | None = None, count: int | None = None) -> TraceAnswer:
        """What the game did, event by event.

        From the history that `debug.keepHistory` keeps: a second machine repeats the frames, so that the game runs on undisturbed, and the same request gives
        the same events. Events are numbered in each frame, those that are asked for; `next` is where the next request continues, also in frames that have not
        been yet. `missed` says how many frames at the beginning are not kept any more. Needs the role `viewer`.

        kinds: Which events, separated by commas: `instruction`, `call`, `return`, `interrupt`, and writes to devices: `dma` (also what DMA writes),
          `display`, `sound`, `timer`, `serial`. (default "call,return")
        location: Of which instructions: an address, a place in a domain, or a symbol, which means all of the function. All unless given.
        length: How many bytes of instructions; those of the function, which ends at the next symbol at the latest, or 1, unless given. (1 to 268435456)
        from_: From which frame on; the last one unless given. (0 to 9007199254740992)
        number: From which event of this frame on. (0 to 2147483647; default 0)
        count: How many events. (1 to 256; default 64)

        Problems: 404: `no-such-name`: the game has no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `rejected` (`not-running`): no
          history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was cancelled, or ended by
          a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any
          more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.trace", {"kinds": kinds, "location": location, "length": length, "from": from_, "number": number, "count": count})

    def debug_writers(self, location: str, *, length: int | None = None, bank: int | None = None, count: int | None = None) -> WritersAnswer:
        """Who wrote to a place last.

        Writes of another value since the history began, by instructions of the game, by DMA, or from outside. The game runs on meanwhile. Of RAM, video
        memory, registers and save memory. Needs the role `viewer`.

        location: Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol.
        length: How many bytes; those of the symbol or property, or 1, unless given. (1 to 4096)
        bank: The bank of the address on a Game Boy; the one that is mapped now, unless given. (0 to 511)
        count: How many writes. (1 to 64; default 1)

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `rejected`
          (`not-running`): no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was
          cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its
          reply is not kept any more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
        """
        return self._call("debug.writers", {"location": location, "length": length, "bank": bank, "count": count})

    def emulators_list(self) -> list[StatusAnswer]:
        """All emulators and the status of each.

        Every path exists for each emulator below `/i/{id}`; without this prefix it addresses the first one. Scripts that were found on ports 8888 to 8903 and
        refuse the gateway are listed as `script-PORT`, with what to change in `detail`. Needs the role `viewer`.
        """
        return self._call("emulators.list", {})

    def emulators_log(self, id: str) -> EmulatorLogAnswer:
        """The last lines that an emulator printed.

        For owners: what it prints has paths of the machine. More is in the file that `process.log` of `emulators.list` names. Needs the role `owner`.

        id: The id of an emulator.

        Problems: 409: `not-owned`: the gateway did not start this emulator.
        """
        return self._call("emulators.log", {"id": id})

    def emulators_restart(self, id: str) -> StatusAnswer:
        """Stop an emulator and start it again.

        It saves its game, ends, and starts with the same ROM, id and speed, as after switching it on. A ROM that was built again since is read again. The
        response comes when it answers. To continue where it was, load a state afterwards. Needs the role `owner`.

        id: The id of an emulator.

        Problems: 409: `not-owned`: the gateway did not start this emulator. 502: `start-failed`: the emulator did not start again; `detail` says why. It
          keeps its id, and is tried again as after a fault. 507: `save-failed`: the save file cannot be written, and what the game holds would be lost.
          Nothing was done. `memory-full`: the memory limit is reached.
        """
        return self._call("emulators.restart", {"id": id})

    def emulators_run(self, id: str, *, paused: bool | None = None, fps: float | None = None) -> StatusAnswer:
        """Pause, continue or change the speed of an emulator.

        While it is paused, reads, writes, states and reset are still answered. A lease stays with its holder: while the emulator is paused its steps wait,
        then they run at the new speed; its time limit counts on, except while a step waits. The response has the state after the change. Needs the role
        `owner`.

        id: The id of an emulator.
        paused: Whether it is paused; omitted, that does not change.
        fps: Frames a second; 0 runs as fast as possible. Omitted, that does not change. (0 to 100000)

        Problems: 409: `not-owned`: the gateway did not start this emulator. 501: `unsupported`: the emulator has a window, which only its user can pause.
        """
        return self._call("emulators.run", {"id": id, "paused": paused, "fps": fps})

    def emulators_start(self, rom: str, *, patch: str | None = None, cheats: str | None = None, state: str | None = None, fps: float | None = None, window: bool | None = None, save_type: Literal["none", "sram", "sram512", "eeprom", "eeprom512", "flash512", "flash1m"] | None = None, hardware: str | None = None, idle_loop: str | None = None, model: Literal["DMG", "MGB", "SGB", "SGB2", "CGB", "SCGB", "AGB"] | None = None, mbc: Literal["none", "mbc1", "mbc2", "mbc3", "mbc3-rtc", "mbc5", "mbc5-rumble", "mbc6", "mbc7", "mmm01", "huc-1", "huc-3", "pocket-cam", "tama5"] | None = None, palette: str | None = None, bios: str | None = None, skip_bios: bool | None = None, clock: str | None = None, id: str | None = None) -> StatusAnswer:
        """Start an emulator.

        The response comes when the emulator answers; its paths are below `/i/{id}`. The gateway watches it, and restarts it after a fault from its newest
        automatic state. It ends with the gateway. Needs the role `owner`.

        rom: The ROM: the name of an uploaded one, or a path below one of `Bridge:Owned:RomFolders`, whole or relative to one of them.
        patch: A patch to apply to the ROM in memory (IPS, UPS or BPS): a path as of `rom`.
        cheats: A file of cheats (.cht or .cheats, as of `--cheats`): a path as of `rom`.
        state: The name of the state to continue from; without one the game starts as after switching it on, with its save file.
        fps: Frames a second; 0 runs as fast as possible. The console's own rate unless given. (0 to 100000)
        window: Whether it runs in a window (mgba-qt) rather than without one (mgba-headless). (default false)
        save_type: What the GBA cartridge saves to, for a game that mGBA does not know. What mGBA finds unless given.
        hardware: What the GBA cartridge has besides, joined by commas: `rtc`, `rumble`, `light`, `gyro`, `tilt`, `e-reader`, `gb-player`, or `none`. What
          mGBA finds unless given.
        idle_loop: The address of the loop in which the GBA game waits, such as `0x08000D3C`, or `none`. A wrong one freezes the game. What mGBA finds unless
          given.
        model: The console; a GBA game runs on AGB only. What mGBA chooses for the ROM unless given.
        mbc: The controller of the GB cartridge. That of its header unless given.
        palette: The colours of GB games: 12 of RRGGBB joined by commas (4 of the background, of the first and of the second objects), 4 for all three, or the
          name of a set of mGBA.
        bios: The BIOS of the console: a path as of `rom`. mGBA's own unless given.
        skip_bios: Whether the game starts without what the BIOS shows first. (default false)
        clock: What the game's clock reads: `host` (the time of the emulator's machine), `host+SECONDS`, `host-SECONDS`, `fixed:TIME`, or `emulated:TIME`,
          which advances with the frames. TIME is `2026-01-01T12:00`, perhaps with seconds, from 2000 to 2099. `host` unless given.
        id: Its id: 1 to 32 characters of a-z, 0-9, _ and -; the lowest free number unless given.

        Problems: 403: `rom-forbidden`: the ROM, the patch, the file of cheats or the BIOS is outside `Bridge:Owned:RomFolders`. `foreign-origin`: not from
          here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
          belongs to an owner of sessions. 404: `no-such-rom`: there is no such ROM. `no-such-patch`: there is no such patch. `no-such-cheats`: there is no
          such file of cheats. `no-such-bios`: there is no such BIOS. `no-such-state`: there is no such state. 409: `too-many-emulators`: there are as many
          emulators as allowed. `id-taken`: the id is in use. 422: `options-refused`: the ROM cannot have what the options of the cartridge, the console or
          the clock say, its save file or BIOS is of another kind, or they do not go together; `detail` says what to change. Nothing runs. `key-reused`: the
          key belongs to another request. 501: `emulator-missing`: mgba-headless or mgba-qt is not installed. 502: `start-failed`: the emulator did not start,
          the patch is damaged or of another ROM, the file has no cheats, or the state is of another game; `detail` says why. 507: `store-failed`: the folder
          of the states cannot be used. `memory-full`: the memory limit is reached.
        """
        return self._call("emulators.start", {"rom": rom, "patch": patch, "cheats": cheats, "state": state, "fps": fps, "window": window, "saveType": save_type, "hardware": hardware, "idleLoop": idle_loop, "model": model, "mbc": mbc, "palette": palette, "bios": bios, "skipBios": skip_bios, "clock": clock, "id": id})

    def emulators_stop(self, id: str) -> StatusAnswer:
        """Stop an emulator that the gateway started.

        It saves its game and ends. Its automatic states stay. Needs the role `owner`.

        id: The id of an emulator.

        Problems: 409: `not-owned`: the gateway did not start this emulator. 507: `save-failed`: the save file cannot be written, and what the game holds
          would be lost. Nothing was done. `memory-full`: the memory limit is reached.
        """
        return self._call("emulators.stop", {"id": id})

    def fleet_events(self, *, session: str | None = None, after: int | None = None, limit: int | None = None) -> FleetEventsAnswer:
        """What happened in the fleet, oldest first.

        The newest `limit` events, or with `after` those that follow it. Needs the role `viewer`.

        session: Only those of this session.
        after: The oldest with a higher id, such as the last one of the previous response; without it, the newest of all. (from 0)
        limit: How many at most. (1 to 1000; default 100)

        Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.events", {"session": session, "after": after, "limit": limit})

    def fleet_hosts(self) -> HostsAnswer:
        """The hosts of the fleet, those that live first.

        At most 1000. A host is one process of `mgba-bridge node`; those that are gone are kept for 7 days. Needs the role `viewer`.

        Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.hosts", {})

    def fleet_sessions_create(self, rom: str, *, count: int | None = None, owner: str | None = None, fps: float | None = None, save_type: Literal["none", "sram", "sram512", "eeprom", "eeprom512", "flash512", "flash1m"] | None = None, hardware: str | None = None, idle_loop: str | None = None, model: Literal["DMG", "MGB", "SGB", "SGB2", "CGB", "SCGB", "AGB"] | None = None, mbc: Literal["none", "mbc1", "mbc2", "mbc3", "mbc3-rtc", "mbc5", "mbc5-rumble", "mbc6", "mbc7", "mmm01", "huc-1", "huc-3", "pocket-cam", "tama5"] | None = None, palette: str | None = None, bios: str | None = None, skip_bios: bool | None = None, clock: str | None = None, id: str | None = None, cpus: float | None = None, memory: int | None = None, temporary: bool | None = None) -> CreatedSessionsAnswer:
        """Create sessions, which run on the hosts of the fleet.

        The response comes at once; `fleet.sessions.get` shows when a session runs. All of them are created or none. Needs the role `owner`.

        rom: The ROM: a path below one of `Owned:RomFolders` of the hosts, relative or whole; `:demo:` is the bundled demo game, `:test:` that of tests.
        count: How many. (1 to 1000; default 1)
        owner: Who owns them: 1 to 24 characters of a-z, 0-9 and hyphen; `default` unless given, or the owner that the token belongs to.
        fps: Frames a second; 0 runs as fast as possible. The console's own rate unless given. (0 to 100000)
        save_type: What the GBA cartridge saves to, for a game that mGBA does not know. What mGBA finds unless given.
        hardware: What the GBA cartridge has besides, joined by commas: `rtc`, `rumble`, `light`, `gyro`, `tilt`, `e-reader`, `gb-player`, or `none`. What
          mGBA finds unless given.
        idle_loop: The address of the loop in which the GBA game waits, such as `0x08000D3C`, or `none`. A wrong one freezes the game. What mGBA finds unless
          given.
        model: The console; a GBA game runs on AGB only. What mGBA chooses for the ROM unless given.
        mbc: The controller of the GB cartridge. That of its header unless given.
        palette: The colours of GB games: 12 of RRGGBB joined by commas (4 of the background, of the first and of the second objects), 4 for all three, or the
          name of a set of mGBA.
        bios: The BIOS of the console: a path as of `rom`. mGBA's own unless given.
        skip_bios: Whether the game starts without what the BIOS shows first. (default false)
        clock: What the game's clock reads: `host` (the time of the emulator's machine), `host+SECONDS`, `host-SECONDS`, `fixed:TIME`, or `emulated:TIME`,
          which advances with the frames. TIME is `2026-01-01T12:00`, perhaps with seconds, from 2000 to 2099. `host` unless given.
        id: The id of a single session: 1 to 32 characters of a-z, 0-9, _ and -; a random one unless given.
        cpus: Processors for the job of each, which the engine `slurm` (rounded up) or `kubernetes` gives. What the engine's settings say unless given. (0.01
          to 1024)
        memory: Memory for the job of each in MiB, likewise. (16 to 16777216)
        temporary: Whether they are for the caller's program alone: deleted a minute after the last stream of its holder ended (`holder.stream`), of which one
          has to be open. (default false)

        Problems: 403: `rom-forbidden`: the ROM is outside `Bridge:Owned:RomFolders` of this gateway, if that is set. `foreign-origin`: not from here. `no-
          token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an
          owner of sessions. 404: `no-such-rom`: it is not there, or cannot be read. 409: `over-quota`: the owner would have too many sessions. `too-many-
          sessions`: the fleet would have too many sessions. `id-taken`: the id is in use. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.sessions.create", {"rom": rom, "count": count, "owner": owner, "fps": fps, "saveType": save_type, "hardware": hardware, "idleLoop": idle_loop, "model": model, "mbc": mbc, "palette": palette, "bios": bios, "skipBios": skip_bios, "clock": clock, "id": id, "cpus": cpus, "memory": memory, "temporary": temporary})

    def fleet_sessions_delete(self, session: str) -> FleetSession:
        """Delete a session of the fleet, and its states.

        Its host ends it. The response shows how it was before. Needs the role `owner`.

        session: The id of a session of the fleet.

        Problems: 404: `no-such-session`: there is no such session. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.sessions.delete", {"session": session})

    def fleet_sessions_delete_all(self, *, owner: str | None = None, all: bool | None = None) -> DeletedSessionsAnswer:
        """Delete all sessions of an owner, or of the fleet, and their states.

        Their hosts end them. A token of an owner deletes those of its owner alone. Needs the role `owner`.

        owner: Those of this owner.
        all: Those of all owners. (default false)

        Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.sessions.deleteAll", {"owner": owner, "all": all})

    def fleet_sessions_get(self, session: str) -> FleetSession:
        """One session of the fleet.

        Needs the role `viewer`.

        session: The id of a session of the fleet.

        Problems: 404: `no-such-session`: there is no such session. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.sessions.get", {"session": session})

    def fleet_sessions_list(self, *, owner: str | None = None, state: Literal["pending", "placed", "running", "deleting"] | None = None, after: str | None = None, limit: int | None = None) -> SessionsAnswer:
        """The sessions of the fleet, in the order of their ids.

        Needs the role `viewer`.

        owner: Only those of this owner.
        state: Only those in this state.
        after: Only those behind this id: the last one of the previous response.
        limit: How many at most. (1 to 1000; default 100)

        Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.sessions.list", {"owner": owner, "state": state, "after": after, "limit": limit})

    def fleet_status(self) -> FleetStatusAnswer:
        """The fleet in numbers.

        For a token of an owner: its sessions, and the hosts that have them. Needs the role `viewer`.

        Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
        """
        return self._call("fleet.status", {})

    def freezes_delete(self, freeze: str) -> UnfreezeAnswer:
        """Release a frozen value.

        The freeze of this holder with this id. To release another holder's, send its name in `Mgba-Holder`. Needs the role `owner`.

        freeze: The id of a freeze of the holder.

        Problems: 404: `no-such-freeze`: the holder has no such freeze. `no-such-emulator`: there is no such emulator.
        """
        return self._call("freezes.delete", {"freeze": freeze})

    def freezes_delete_all(self) -> UnfreezeAnswer:
        """Release all frozen values of the holder.

        Needs the role `owner`.
        """
        return self._call("freezes.deleteAll", {})

    def freezes_list(self) -> FreezesAnswer:
        """The frozen values of all holders.

        Needs the role `viewer`.
        """
        return self._call("freezes.list", {})

    def freezes_set(self, location: str, value: Any, *, id: str | None = None, frames: int | None = None, type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"] | None = None, count: int | None = None, endian: Literal["little", "big"] | None = None, length: int | None = None, table: str | None = None) -> FreezeAnswer:
        """Freeze a value.

        Writes the value now and again in every frame, before anything reads it. A freeze ends after its frames, when it is released, when its holder's
        connection ends (WebSocket), when the gateway is gone for 2 seconds, and when the game changes. All freezes together: 256, and 1 ms a frame. Frozen
        values apply during lockstep steps; a recording or a replay does not start while there are freezes. Needs the role `owner`.

        location: Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol. Pointers of a property are
          followed once, now.
        value:
        id: The name of the freeze, 1 to 64 bytes; `location` unless given. A freeze of the same holder with this id is replaced.
        frames: In how many frames it is written; until it is released unless given. (1 to 2147483647)
        type: What it is.
        count: How many numbers side by side: the value is a list then. (1 to 262144)
        endian: The byte order of numbers. (default "little")
        length: How many bytes a text has, or bytes are. (1 to 1048576)
        table: A text table of the game's property map; `ascii` unless given.

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `null-
          pointer`: a pointer on the way is 0. `unsettled`: a pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded.
          `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
          change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("freezes.set", {"location": location, "value": value, "id": id, "frames": frames, "type": type, "count": count, "endian": endian, "length": length, "table": table})

    def game_capabilities(self) -> CapabilitiesAnswer:
        """The capabilities of this emulator.

        Needs the role `viewer`.
        """
        return self._call("game.capabilities", {})

    def game_checksum(self) -> ChecksumAnswer:
        """The CRC32 of the ROM.

        Needs the role `viewer`.
        """
        return self._call("game.checksum", {})

    def game_get(self) -> GameAnswer:
        """The loaded game.

        Needs the role `viewer`.
        """
        return self._call("game.get", {})

    def game_reset(self) -> DoneAnswer:
        """Reset the game.

        The same as switching the console off and on: memory is cleared, save data is kept. Needs the role `owner`.
        """
        return self._call("game.reset", {})

    def game_sha1(self) -> Sha1Answer:
        """The SHA-1 of the ROM.

        Databases of games identify a ROM by it. The gateway reads the whole ROM. Needs the role `viewer`.
        """
        return self._call("game.sha1", {})

    def game_step(self) -> DoneAnswer:
        """Run one CPU instruction.

        For frames instead of instructions, take a lease. Needs the role `owner`.
        """
        return self._call("game.step", {})

    def guests_change(self, guest: str, role: Literal["viewer", "guest", "player"]) -> GuestAnswer:
        """Give a guest another role: hand control over, or take it back.

        A player may take the lease (`lease.take`). What is open for the guest ends: keys are released, and a lease ends. The page opens it again by itself.
        Needs the role `owner`.

        guest: The id of a guest.
        role: What the guest may do: watch (viewer), press keys, too (guest), take the lease, too (player).

        Problems: 404: `no-such-guest`: there is no such guest, or the link has ended. 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file
          cannot be written, so that a restart undoes it. `memory-full`: the memory limit is reached.
        """
        return self._call("guests.change", {"guest": guest, "role": role})

    def guests_end(self, guest: str) -> EndedGuestsAnswer:
        """End a guest's link.

        The token is no longer valid, what is open for the guest ends, and keys are released. Needs the role `owner`.

        guest: The id of a guest.

        Problems: 404: `no-such-guest`: there is no such guest, or the link has ended. 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file
          cannot be written, so that a restart undoes it. `memory-full`: the memory limit is reached.
        """
        return self._call("guests.end", {"guest": guest})

    def guests_end_all(self) -> EndedGuestsAnswer:
        """End the links of all guests.

        Needs the role `owner`.

        Problems: 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file cannot be written, so that a restart undoes it. `memory-full`: the
          memory limit is reached.
        """
        return self._call("guests.endAll", {})

    def guests_invite(self, *, name: str | None = None, role: Literal["viewer", "guest", "player"] | None = None, expires_in: int | None = None, address: str | None = None) -> InvitedGuestAnswer:
        """Invite a guest: make a link to the page, with a token of its own.

        The response has the link once. It ends when its time is up, by `guests.end`, and with the gateway, unless `Http:KeepGuests` is set. Everybody who has
        the link can use it. At most 32 at once. Needs the role `owner`.

        name: What you call the guest. (default "Guest")
        role: What the guest may do: watch (viewer), press keys, too (guest), take the lease, too (player). (default "guest")
        expires_in: How many seconds the link is valid. (60 to 2592000; default 86400)
        address: Where the guest reaches the gateway, such as `https://play.example.com`; its address in the local network unless given.

        Problems: 409: `not-shared`: the gateway listens only to its machine, or the machine is in no network, and no `address` is given. `too-many-guests`:
          there are 32 guests. 507: `store-failed`: `Http:KeepGuests` is set, and the file cannot be written. `memory-full`: the memory limit is reached.
        """
        return self._call("guests.invite", {"name": name, "role": role, "expiresIn": expires_in, "address": address})

    def guests_list(self) -> GuestsAnswer:
        """The guests whose links are valid, and who of them is connected.

        Needs the role `owner`.
        """
        return self._call("guests.list", {})

    def keys_add(self, keys: Sequence[Key]) -> DoneAnswer:
        """Press more keys and hold them.

        Needs the role `guest`.

        keys: The keys.
        """
        return self._call("keys.add", {"keys": keys})

    def keys_clear(self, keys: Sequence[Key]) -> DoneAnswer:
        """Release keys.

        A key that was pressed in this frame stays down until its end, so that the game sees it. Needs the role `guest`.

        keys: The keys.
        """
        return self._call("keys.clear", {"keys": keys})

    def keys_get(self) -> KeysAnswer:
        """The keys that are down, and their holders.

        Needs the role `viewer`.
        """
        return self._call("keys.get", {})

    def keys_release(self) -> DoneAnswer:
        """Release all keys of this holder and cancel its queued taps.

        Needs the role `guest`.
        """
        return self._call("keys.release", {})

    def keys_sequence(self, *, sequence: str | None = None, steps: Sequence[BatchRunItemsItemSequenceStepsItem] | None = None, gap: int | None = None, wait: bool | None = None, waiting: Literal["queue", "shorten", "replace"] | None = None) -> PressAnswer:
        """Press keys one after the other.

        As text (`sequence`) or as a list (`steps`). All steps or none. With sensors of the cartridge it needs the permission of `sensors.set`. Needs the role
        `guest`.

        sequence: Keys or `wait`, and frames: `A 4, wait 10, Up+B 2`. Up to 512 steps. Sensors of the cartridge show something meanwhile: `tilt 10/-5 4`, `B
          light 0.8 gyro 30 10`.
        steps: The same as a list, instead of `sequence`.
        gap: How many frames up before the same key may go down again. (1 to 36000; default 2)
        wait: Whether the response is sent when the keys are up again rather than immediately. (default false)
        waiting: What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the
          one before it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than
          24 frames. `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun. (default "queue")
        """
        return self._call("keys.sequence", {"sequence": sequence, "steps": steps, "gap": gap, "wait": wait, "waiting": waiting})

    def keys_set(self, keys: Sequence[Key]) -> DoneAnswer:
        """Hold exactly these keys.

        The keys stay down until this holder releases them. Keys of other holders stay down. An empty list releases all keys of this holder. Needs the role
        `guest`.

        keys: The keys.
        """
        return self._call("keys.set", {"keys": keys})

    def keys_tap(self, keys: Sequence[Key], *, frames: int | None = None, gap: int | None = None, wait: bool | None = None, waiting: Literal["queue", "shorten", "replace"] | None = None) -> PressAnswer:
        """Press keys together for some frames.

        Taps of a key queue behind each other, with a gap, so that the game sees each of them. The response has the frames `down` and `up`; it is sent
        immediately, or with `wait` when the keys are up again. `unseen` in it names keys that someone holds already, so that the game sees no press of them.
        Needs the role `guest`.

        keys: The keys to press together.
        frames: For how many frames. (1 to 36000; default 4)
        gap: How many frames up before the same key may go down again. (1 to 36000; default 2)
        wait: Whether the response is sent when the keys are up again rather than immediately. (default false)
        waiting: What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the
          one before it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than
          24 frames. `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun. (default "queue")
        """
        return self._call("keys.tap", {"keys": keys, "frames": frames, "gap": gap, "wait": wait, "waiting": waiting})

    def lease_attach(self, socket: str, *, reads: Sequence[LeaseAttachReadsItem] | None = None, pixels: LeaseAttachPixels | None = None, state: str | None = None, deadline_ms: int | None = None) -> LocalStepsAnswer:
        """Take the steps of the lease from a local socket.

        The emulator connects to a Unix socket (`SOCK_SEQPACKET`) on which the caller listens, and takes the steps of the caller's lease from there: several
        times faster than by the gateway, for programs that learn on the emulator's machine. docs/protocol.md, section 7.6, describes the messages. Each step
        answers the numbers, then the picture. With `state` it takes the lease for 10 s after each step where the caller has none, and the emulator keeps the
        state. The socket is closed when the lease ends. Needs the role `owner`.

        socket: The path of the socket, which must be of the user that runs the emulator.
        reads: The numbers to read in the frame that was reached; none unless given.
        pixels: The picture of that frame, as of `screen.pixels`; none unless given.
        state: The name of a kept state, in which steps that reset continue.
        deadline_ms: How many milliseconds it may take until the emulator has connected; with `state` an emulator that is started again is waited for. (10 to
          600000; default 5000)

        Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `rejected` (`no-lease`): there is no
          lease, and no `state` to take it for. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the
          way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the
          game is another one now. `rejected` (`expired`): its reply is not kept any more. 501: `unsupported`: the emulator is a window, or not on Linux.
        """
        return self._call("lease.attach", {"socket": socket, "reads": reads, "pixels": pixels, "state": state, "deadlineMs": deadline_ms})

    def lease_release(self) -> ReleaseAnswer:
        """Release the lease; the game continues.

        A caller with the role owner ends the lease of any holder by a request that names no holder (without `Mgba-Holder`). Needs the role `player`.
        """
        return self._call("lease.release", {})

    def lease_step(self, frames: int, *, keys: Sequence[Key] | None = None, from_: int | None = None, items: Sequence[LeaseStepItemsItem] | None = None) -> BatchAnswer:
        """Run an exact number of frames.

        Runs the frames with `keys` held, then `items` at the frame that was reached, as in a batch; the response has the results. With `from`, the frame of
        the previous response, nothing runs twice: a step that has already run gets 412, and `Mgba-Frame` is the current frame. Needs the role `player`.

        frames: The exact number of frames; 0 only runs the items. (0 to 36000)
        keys: The keys that are down from now on; those of the step before unless given.
        from_: The expected current frame; if it differs, nothing runs (412). A step whose response was lost can so be sent again and runs once. (from 0)
        items: What to do on the frame that was reached, as in a batch.

        Problems: 409: `rejected` (`no-lease`): there is no lease: it ended, or none was taken. Take it first. `rejected` (`no-game`): no game is loaded.
          `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
          change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
          412: `guard-failed`: the current frame is not `from`, or a guard among the items does not match: nothing ran.
        """
        return self._call("lease.step", {"frames": frames, "keys": keys, "from": from_, "items": items})

    def lease_take(self, *, limit_ms: int | None = None, token: str | None = None) -> LeaseAnswer:
        """Take the lockstep lease.

        The game stops between steps, and only this holder's effects run; others get 423. A request without a holder gets a generated one in the response:
        send it in `Mgba-Holder` with every step. The lease ends when its holder sends nothing for `limitMs`. Taking it again with the `token` of the response
        resumes the same lease, also through another gateway; `frame` and `running` show whether a step whose response was lost has run. Needs the role
        `player`.

        limit_ms: How many milliseconds the holder may say nothing before the lease ends. (50 to 10000; default 2000)
        token: The token of a lease to resume. 409 when that lease has ended.

        Problems: 409: `rejected` (`no-lease`): the lease of this token has ended, and the game ran on. `rejected` (`no-game`): no game is loaded. `rejected`
          (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the
          game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 501:
          `rejected` (`unsupported`): this window may have video sync on, which does not survive a lease.
        """
        return self._call("lease.take", {"limitMs": limit_ms, "token": token})

    def memory_domains(self) -> DomainsAnswer:
        """The memory domains.

        Needs the role `viewer`.
        """
        return self._call("memory.domains", {})

    def memory_gather(self, reads: Sequence[MemoryGatherReadsItem]) -> ReadsAnswer:
        """Read many locations in one frame.

        Numbers and ranges, up to 4 MiB together, all from the same frame. Needs the role `viewer`.

        reads: What to read: numbers of a type, or so many bytes.
        """
        return self._call("memory.gather", {"reads": reads})

    def memory_read(self, location: str, length: int) -> BytesAnswer:
        """Read bytes, all from one frame.

        Raw with `Accept: application/octet-stream`, otherwise base64. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        length: How many bytes. (0 to 4194304)
        """
        return self._call("memory.read", {"location": location, "length": length})

    def memory_read_s16(self, location: str) -> CellAnswer:
        """Read a signed number of 16 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.s16", {"location": location})

    def memory_read_s32(self, location: str) -> CellAnswer:
        """Read a signed number of 32 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.s32", {"location": location})

    def memory_read_s8(self, location: str) -> CellAnswer:
        """Read a signed number of 8 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.s8", {"location": location})

    def memory_read_u16(self, location: str) -> CellAnswer:
        """Read an unsigned number of 16 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.u16", {"location": location})

    def memory_read_u32(self, location: str) -> CellAnswer:
        """Read an unsigned number of 32 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.u32", {"location": location})

    def memory_read_u8(self, location: str) -> CellAnswer:
        """Read an unsigned number of 8 bits.

        Little-endian; the address may be odd. Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        """
        return self._call("memory.read.u8", {"location": location})

    def memory_read_value(self, location: str, type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"], *, count: int | None = None, endian: Literal["little", "big"] | None = None, length: int | None = None, table: str | None = None) -> MemoryValueAnswer:
        """Read a list, a text, or a number in either byte order.

        Needs the role `viewer`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        type: What it is.
        count: How many numbers side by side: the value is a list then. (1 to 262144)
        endian: The byte order of numbers. (default "little")
        length: How many bytes a text has, or bytes are. (1 to 1048576)
        table: A text table of the game's property map; `ascii` unless given.
        """
        return self._call("memory.readValue", {"location": location, "type": type, "count": count, "endian": endian, "length": length, "table": table})

    def memory_write(self, location: str, body: bytes | str, *, type: Literal["u8", "s8", "u16", "s16", "u32", "s32"] | None = None, value: int | None = None) -> WriteAnswer:
        """Write bytes.

        Up to 16 KiB are written in one frame; more takes one frame for each 16 KiB, in order, and the response lists the frames. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        type: What the number is, little-endian.
        value: The number, instead of bytes; negative ones in two's complement. (-2147483648 to 4294967295)
        body: The body; text and bytes are sent as they are.
        """
        return self._call("memory.write", {"location": location, "type": type, "value": value, "body": body})

    def memory_write_s16(self, location: str, value: int) -> WriteAnswer:
        """Write a signed number of 16 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-32768 to 65535)
        """
        return self._call("memory.write.s16", {"location": location, "value": value})

    def memory_write_s32(self, location: str, value: int) -> WriteAnswer:
        """Write a signed number of 32 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-2147483648 to 4294967295)
        """
        return self._call("memory.write.s32", {"location": location, "value": value})

    def memory_write_s8(self, location: str, value: int) -> WriteAnswer:
        """Write a signed number of 8 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-128 to 255)
        """
        return self._call("memory.write.s8", {"location": location, "value": value})

    def memory_write_u16(self, location: str, value: int) -> WriteAnswer:
        """Write an unsigned number of 16 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-32768 to 65535)
        """
        return self._call("memory.write.u16", {"location": location, "value": value})

    def memory_write_u32(self, location: str, value: int) -> WriteAnswer:
        """Write an unsigned number of 32 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-2147483648 to 4294967295)
        """
        return self._call("memory.write.u32", {"location": location, "value": value})

    def memory_write_u8(self, location: str, value: int) -> WriteAnswer:
        """Write an unsigned number of 8 bits.

        Little-endian; the address may be odd. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        value: The number; negative ones in two's complement. (-128 to 255)
        """
        return self._call("memory.write.u8", {"location": location, "value": value})

    def memory_write_value(self, location: str, type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"], value: Any, *, count: int | None = None, endian: Literal["little", "big"] | None = None, length: int | None = None, table: str | None = None) -> WriteAnswer:
        """Write a list, a text, or a number in either byte order.

        A text is padded to its length with the byte that ends one. More than 16 KiB takes several frames; the response lists them. Needs the role `owner`.

        location: Where: an address on the game's bus, or an offset in a memory domain.
        type: What it is.
        count: How many numbers side by side: the value is a list then. (1 to 262144)
        endian: The byte order of numbers. (default "little")
        length: How many bytes a text has, or bytes are. (1 to 1048576)
        table: A text table of the game's property map; `ascii` unless given.
        value:
        """
        return self._call("memory.writeValue", {"location": location, "type": type, "count": count, "endian": endian, "length": length, "table": table, "value": value})

    def operations_list(self) -> OperationsAnswer:
        """All operations.

        Every operation with its name on WebSocket, its HTTP method and path, its name in a batch, the access and the role that it requires, and whether the
        caller's token is enough. Needs the role `viewer`.
        """
        return self._call("operations.list", {})

    def properties_delete(self) -> PropertiesAnswer:
        """Delete the property map of the game.

        Needs the role `owner`.
        """
        return self._call("properties.delete", {})

    def properties_list(self) -> PropertiesAnswer:
        """The properties of the game.

        Needs the role `viewer`.
        """
        return self._call("properties.list", {})

    def properties_load(self, body: MapBody | bytes | str) -> PropertiesAnswer:
        """Load a property map.

        The names, locations and types of a game's values. It replaces an earlier map for the same game and lasts until the gateway ends;
        `Bridge:Symbols:Folder` names a folder that is read at each start. An error names line and column, and the earlier map stays. Needs the role `owner`.

        body: The body; text and bytes are sent as they are.

        Problems: 507: `memory-full`: names take as much memory, or are of as many games, as the settings allow.
        """
        return self._call("properties.load", {"body": body})

    def recordings_delete(self, recording: str) -> RecordingAnswer:
        """Delete a recording.

        Needs the role `guest`.

        recording: The id of a recording.

        Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
        """
        return self._call("recordings.delete", {"recording": recording})

    def recordings_download(self, recording: str) -> bytes:
        """The lines of a recording.

        JSON Lines: first the game and its state, then keys, hashes and the end, each with its frame. A running recording is returned up to the current frame.
        Needs the role `viewer`.

        recording: The id of a recording.

        Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
        """
        return self._call("recordings.download", {"recording": recording})

    def recordings_list(self) -> RecordingsAnswer:
        """The recordings of this emulator.

        Needs the role `viewer`.
        """
        return self._call("recordings.list", {})

    def recordings_replay(self, body: bytes | str) -> ReplayAnswer:
        """Replay a recording.

        Loads its state, takes the lockstep lease and runs its frames with its keys. Stops at the first hash that differs, and reports its frame. It takes as
        long as the emulator needs for the frames; disconnecting ends it. Keys of other holders stay down: release them first. Needs the role `owner`.

        body: The body; text and bytes are sent as they are.

        Problems: 409: `other-game`: it is a recording of another game. `keys-held`: others hold keys. `values-frozen`: values are frozen. `rejected` (`no-
          game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was
          cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its
          reply is not kept any more.
        """
        return self._call("recordings.replay", {"body": body})

    def recordings_start(self, *, hash_every: int | None = None, ranges: Sequence[str] | None = None) -> RecordingAnswer:
        """Record key presses.

        Records the keys of every frame, of all holders and of the player, and a hash of memory at a fixed interval of frames. Only keys are recorded: what
        else changes the game (writes, states) makes a replay differ. It ends when the game is reset, changed or lost, or a value is frozen. The gateway keeps
        16 recordings in memory, each with at most 50000 lines. Needs the role `guest`.

        hash_every: About every how many frames memory is hashed. (1 to 36000; default 60)
        ranges: What is hashed: texts such as `wram:0x0/262144`, together at most 1 MiB; all working memory unless given.

        Problems: 409: `values-frozen`: values are frozen. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
          not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
          script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the limit of recordings is
          reached; delete some.
        """
        return self._call("recordings.start", {"hashEvery": hash_every, "ranges": ranges})

    def recordings_stop(self, recording: str) -> RecordingAnswer:
        """End a recording with a last hash.

        Needs the role `guest`.

        recording: The id of a recording.

        Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
        """
        return self._call("recordings.stop", {"recording": recording})

    def recordings_video(self, recording: str, *, format: Literal["mp4", "webm", "mkv"] | None = None) -> bytes:
        """Make a video of a recording, with sound.

        Another emulator without a window plays the recording again, as fast as ffmpeg encodes; the game that is played now is not disturbed. It has each
        frame of the recording once. Only for emulators that the gateway started, whose ROM it knows. One video at a time, of at most 10 minutes of the game
        and 536870912 bytes. Disconnecting ends it. Needs the role `guest`.

        recording: The id of a recording.
        format: H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it. (default "mp4")

        Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator. 413: `too-large`: the recording is too
          long. 422: `no-video`: memory differs from a hash of the recording, or ffmpeg failed. 429: `too-many-requests`: another video is being made. 501:
          `unsupported`: ffmpeg or mgba-headless is not installed, or the gateway did not start the emulator.
        """
        return self._call("recordings.video", {"recording": recording, "format": format})

    def registers_get(self) -> RegistersAnswer:
        """Read all registers in one frame.

        Needs the role `viewer`.
        """
        return self._call("registers.get", {})

    def registers_read(self, name: str) -> RegisterAnswer:
        """Read a register.

        `registers.get` reads all registers in one frame; `batch.run` reads some together with other items. Needs the role `viewer`.

        name: A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).

        Problems: 404: `rejected` (`not-found`): there is no such register; `detail` lists them. `no-such-emulator`: there is no such emulator.
        """
        return self._call("registers.read", {"name": name})

    def registers_write(self, name: str, value: int) -> DoneAnswer:
        """Write a register.

        Needs the role `owner`.

        name: A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).
        value: The number, up to 32 bits; negative ones in two's complement. (-2147483648 to 4294967295)

        Problems: 404: `rejected` (`not-found`): there is no such register; `detail` lists them. `no-such-emulator`: there is no such emulator.
        """
        return self._call("registers.write", {"name": name, "value": value})

    def rewind_back(self, *, frames: int | None = None) -> RewoundAnswer:
        """Go back by frames of play.

        Continues from the newest state that is at least so many frames of play old, or from the oldest one. Frames behind which the game went back before do
        not count, nor those since then within a second (60 frames), so that each call leads further back. Later states are dropped. Needs the role `owner`.

        frames: How many frames to go back. (0 to 36000; default 60)

        Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
        """
        return self._call("rewind.back", {"frames": frames})

    def rewind_get(self) -> RewindAnswer:
        """The states kept for rewinding.

        Needs the role `viewer`.

        Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
        """
        return self._call("rewind.get", {})

    def rewind_load(self, frame: int) -> DoneAnswer:
        """Rewind to a state.

        Later states are dropped, since the game has another future from there. The script's frame count does not decrease. Needs the role `owner`.

        frame: The frame of a state in the ring. (from 0)

        Problems: 404: `no-such-rewind`: the ring has no such state any more. `no-such-emulator`: there is no such emulator.
        """
        return self._call("rewind.load", {"frame": frame})

    def rewind_screen(self, frame: int) -> bytes:
        """The picture of a state.

        Needs the role `viewer`.

        frame: The frame of a state in the ring. (from 0)

        Problems: 404: `no-such-rewind`: the ring has no such state any more. `no-such-emulator`: there is no such emulator. 501: `unsupported`: this emulator
          has no picture.
        """
        return self._call("rewind.screen", {"frame": frame})

    def rewind_start(self, *, every: int | None = None, points: int | None = None) -> RewindAnswer:
        """Keep states for rewinding.

        The gateway takes a state at a fixed interval of frames. It drops the oldest ones beyond the maximum number or 64 MiB, and all when the game changes.
        Each state takes the emulator about two milliseconds. States kept before are dropped. `rewind.video` makes a video of the last seconds. Needs the role
        `owner`.

        every: How many frames lie between two states. (10 to 36000; default 60)
        points: How many states are kept. Together they have at most 64 MiB. (1 to 1000; default 60)
        """
        return self._call("rewind.start", {"every": every, "points": points})

    def rewind_stop(self) -> RewindAnswer:
        """Stop keeping states for rewinding.

        Needs the role `owner`.

        Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
        """
        return self._call("rewind.stop", {})

    def rewind_video(self, *, seconds: int | None = None, format: Literal["mp4", "webm", "mkv"] | None = None) -> bytes:
        """Make a video of the last seconds, with sound.

        Another emulator without a window plays the game again, from a state that is kept for rewinding and with the keys since then, as fast as ffmpeg
        encodes; the game that is played now is not disturbed. It has each frame once. Where a state was loaded or the game was reset meanwhile, a few frames
        are left out. `Mgba-Frame` is the last frame. Values that were written or frozen meanwhile are not written again: where the game then shows something
        else, the video continues from the next kept state, and `Mgba-Deviations` is how many times it does. Only for emulators that the gateway started. One
        video at a time. Disconnecting ends it. Needs the role `guest`.

        seconds: How many seconds of the game; fewer when fewer are kept. (1 to 300; default 30)
        format: H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it. (default "mp4")

        Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator. 422: `no-video`: memory
          differs from a hash of the recording, or ffmpeg failed. 429: `too-many-requests`: another video is being made. 501: `unsupported`: ffmpeg or mgba-
          headless is not installed, or the gateway did not start the emulator.
        """
        return self._call("rewind.video", {"seconds": seconds, "format": format})

    def rom_load(self, file: str) -> DoneAnswer:
        """Load a game and reset.

        For the same console only. The epoch changes. Needs the role `owner`.

        file: Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one.

        Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows; `detail` names the setting. `foreign-origin`: not
          from here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
          belongs to an owner of sessions. 404: `rejected` (`not-found`): there is no such file. `no-such-emulator`: there is no such emulator.
        """
        return self._call("rom.load", {"file": file})

    def roms_delete(self, rom: str) -> RomDeletedAnswer:
        """Delete an uploaded ROM.

        What its game has saved stays, for when it is uploaded again. An emulator that runs it is not disturbed. Needs the role `owner`.

        rom: The name of an uploaded ROM.

        Problems: 404: `no-such-rom`: no ROM was uploaded under this name.
        """
        return self._call("roms.delete", {"rom": rom})

    def roms_list(self) -> RomsAnswer:
        """The ROMs that can be started.

        GBA, GB and GBC files below `Bridge:Owned:RomFolders`, and those that were uploaded: at most 1000 of the first 20000 files. Symbolic links are
        skipped. Needs the role `viewer`.
        """
        return self._call("roms.list", {})

    def roms_upload(self, name: str, body: bytes | str) -> RomUploadedAnswer:
        """Upload a ROM.

        The body is a GBA, GB or GBC ROM of at most 33554432 bytes, or a zip archive with one, of which only the ROM is used. It is kept until it is deleted,
        and can be started under the name in `rom`. The same bytes under the same name are the same ROM. Needs the role `owner`.

        name: The name of its file. A name has up to 200 bytes in UTF-8, none of / \\ : * ? " < > | and no mark of direction among them, does not begin with a
          dot or a space, and ends in .gba, .gb, .gbc, .sgb, .agb, .mb or .zip.
        body: The body; text and bytes are sent as they are.

        Problems: 409: `rom-exists`: another ROM has the name. 413: `too-large`: the request is too large. 422: `not-a-rom`: the bytes are no ROM of these
          consoles, or the zip archive does not have exactly one. 507: `memory-full`: `Bridge:Owned:MaxRomBytes` is reached. `store-failed`: the folder cannot
          be written.
        """
        return self._call("roms.upload", {"name": name, "body": body})

    def save_autoload(self) -> DoneAnswer:
        """Use the game's default save file.

        Needs the role `owner`.
        """
        return self._call("save.autoload", {})

    def save_get(self) -> bytes:
        """The save data of the game.

        What the game has saved in its cartridge, as in the file `.sav` of mGBA and most emulators; behind it the bytes of the cartridge's clock, where it has
        one. Needs the role `viewer`.

        Problems: 404: `no-such-save`: the game has no save data. `no-such-emulator`: there is no such emulator.
        """
        return self._call("save.get", {})

    def save_load(self, file: str, *, temporary: bool | None = None) -> DoneAnswer:
        """Use a file for save data.

        The game sees it after a reset, and saves into it. So a file in another form than mGBA's is refused by its name; `save.put` takes its bytes. Needs the
        role `owner`.

        file: Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing.
        temporary: Whether what the game saves is not written back to it. (default false)

        Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows; `detail` names the setting. `foreign-origin`: not
          from here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
          belongs to an owner of sessions. 404: `rejected` (`not-found`): there is no such file. `no-such-emulator`: there is no such emulator.
        """
        return self._call("save.load", {"file": file, "temporary": temporary})

    def save_put(self, body: bytes | str) -> SaveLoadedAnswer:
        """Give the game other save data, and reset it.

        The bytes of a file `.sav`, `.srm` or `.sa1`, with or without the bytes of a clock at its end (GBA 16, Game Boy 48 or 44, HuC3 136, TAMA5 40) or 512
        bytes in front, or of a `.sps`, `.xps`, `.gsv` or `.dsv`; compressed by gzip or RetroArch, too. The size of the save data has to be that of the
        present one; where the game has none yet, one of 512, 2048, 8192, 32768, 65536, 131072. The state before is kept under the name in `kept`; to undo,
        `states.get` has its bytes, and `state.load` takes them with the flags 2. Needs the role `owner`.

        body: The body; text and bytes are sent as they are.

        Problems: 422: `not-a-save`: the game has no save data of this size. `key-reused`: the key belongs to another request. 507: `save-failed`: the save
          file cannot be written: the game has the save, and the file gets it when it can be written; or, in a fleet, no state with it is stored yet. `store-
          failed`: the state before cannot be kept. `memory-full`: there is no room for it.
        """
        return self._call("save.put", {"body": body})

    def scenarios_delete(self, name: str) -> ScenarioAnswer:
        """Delete a scenario.

        Needs the role `owner`.

        name: The name of the scenario.

        Problems: 404: `no-such-scenario`: there is no such scenario.
        """
        return self._call("scenarios.delete", {"name": name})

    def scenarios_list(self) -> ScenariosAnswer:
        """The scenarios that the gateway keeps.

        Needs the role `viewer`.
        """
        return self._call("scenarios.list", {})

    def scenarios_load(self, name: str, *, data: Any | None = None, scenario: Any | None = None, yaml: str | None = None, emulator: str | None = None) -> ScenarioAnswer:
        """Load a scenario: variables, reward and end of a game.

        Either `yaml`, or `data` and `scenario`, the documents of an integration of stable-retro, unchanged (docs/learning.md describes both). `vector.step`
        then returns rewards and ends. It replaces an earlier scenario of this name and lasts until the gateway ends. An error names document, line and
        column; lines of JSON documents count from the first brace. Needs the role `owner`.

        name: The name of the scenario.
        data:
        scenario:
        yaml: A scenario as YAML: its variables, and reward and end as expressions.
        emulator: The id of the emulator whose game has the names of `yaml`; the first unless given.

        Problems: 404: `no-such-emulator`: there is no such emulator. 507: `memory-full`: so many scenarios are kept as there may be.
        """
        return self._call("scenarios.load", {"name": name, "data": data, "scenario": scenario, "yaml": yaml, "emulator": emulator})

    def screen_get(self, *, scale: int | None = None, format: Literal["png", "raw"] | None = None) -> bytes:
        """A screenshot as a PNG, or raw.

        One pixel of the picture is one of the game: 240 by 160 (GBA), 160 by 144 (GB). Raw pixels are red, green and blue, a byte each, row by row; `Mgba-
        Width` and `Mgba-Height` say how many. The `ETag` names the frame. Needs the role `viewer`.

        scale: Makes each pixel a square of this many. (1 to 8; default 1)
        format: How the picture is written. (default "png")

        Problems: 501: `rejected` (`unsupported`): this emulator has no picture.
        """
        return self._call("screen.get", {"scale": scale, "format": format})

    def screen_pixels(self, *, grey: bool | None = None, width: int | None = None, height: int | None = None) -> bytes:
        """The picture as pixels, of any smaller size, in colours or grey.

        Row by row, a byte each, made in the emulator: faster than a PNG, and made for programs that learn. `Mgba-Width` and `Mgba-Height` say the size. Grey
        is 0.299 red, 0.587 green and 0.114 blue. An mGBA window has no pixels: take `screen.get` with the format `raw` there. Needs the role `viewer`.

        grey: Whether a pixel is one byte, its brightness, rather than red, green and blue. (default false)
        width: How many pixels a row has, made from averages of areas; those of the picture unless given. (1 to 256)
        height: How many rows there are, as `width`. (1 to 256)

        Problems: 501: `rejected` (`unsupported`): the emulator is an mGBA window, or has no picture.
        """
        return self._call("screen.pixels", {"grey": grey, "width": width, "height": height})

    def searches_delete(self, search: str) -> SearchAnswer:
        """Delete a search.

        Returns its last state. Needs the role `guest`.

        search: The id of a search.

        Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
        """
        return self._call("searches.delete", {"search": search})

    def searches_get(self, search: str) -> SearchAnswer:
        """The state of a search.

        Needs the role `viewer`.

        search: The id of a search.

        Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
        """
        return self._call("searches.get", {"search": search})

    def searches_list(self) -> SearchesAnswer:
        """The searches and their memory.

        Needs the role `viewer`.
        """
        return self._call("searches.list", {})

    def searches_matches(self, search: str, *, offset: int | None = None, limit: int | None = None) -> MatchesAnswer:
        """The remaining candidates.

        Needs the role `viewer`.

        search: The id of a search.
        offset: How many to leave out. (from 0; default 0)
        limit: The maximum number in the response. (0 to 1000; default 100)

        Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
        """
        return self._call("searches.matches", {"search": search, "offset": offset, "limit": limit})

    def searches_refine(self, search: str, is_: Literal["eq", "ne", "lt", "le", "gt", "ge", "between", "changed", "unchanged", "increased", "decreased"], *, against: Literal["value", "last", "first"] | None = None, value: int | None = None, to: int | None = None, frames: int | None = None, past: int | None = None) -> SearchAnswer:
        """Keep the candidates that pass a test.

        Reads memory again, all of it in one frame, and removes the candidates that do not pass. When the game or the script has changed since the search
        began: 409 `epoch-changed`, and nothing is removed. Needs the role `guest`.

        search: The id of a search.
        is_: How it is compared.
        against: With what: a value, the last pass, or the first one. `value` unless given; for changed, unchanged, increased and decreased `last`.
        value: The value. Against an earlier pass it is the difference from it (which wraps around as the number does): allowed for eq, ne, between,
          increased, decreased, and changed (in either direction).
        to: The other end of between, included.
        frames: In how many frames it must hold, each later than the one before. With `last`, each frame is compared with the one before. With `past` these
          are frames of the history. (1 to 600; default 1)
        past: A frame out of the history that `debug.keepHistory` keeps: memory as it was before this frame ran, in any order of moments. The present unless
          given. (0 to 9007199254740992)

        Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator. 409: `other-game`: the
          game or the script is another one since the search began. `rejected` (`not-running`): `past` is given, and no history is kept; `debug.keepHistory`
          begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected`
          (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("searches.refine", {"search": search, "is": is_, "against": against, "value": value, "to": to, "frames": frames, "past": past})

    def searches_start(self, type: Literal["u8", "s8", "u16", "s16", "u32", "s32"], *, endian: Literal["little", "big"] | None = None, alignment: int | None = None, domains: Sequence[str] | None = None, ranges: Sequence[SearchesStartRangesItem] | None = None, keep: int | None = None, past: int | None = None) -> SearchAnswer:
        """Start a search for a number in memory.

        Stores the content of memory in one frame; every location is a candidate until `refine` removes it. The gateway holds the searches: together they keep
        a bounded number of bytes (`Bridge:Search:MaxMemory`), and an unused one is deleted after 10 minutes. Needs the role `guest`.

        type: What the number is.
        endian: Which byte comes first. (default "little")
        alignment: 1, 2 or 4: where a number may start, counted from the start of its domain or range. As wide as the number unless given. (1 to 4)
        domains: Domains to look through, by their `id` in `memory.domains`. With no `ranges` either: work memory (`wram`, `iwram`, `hram`).
        ranges: Parts of memory to look through. With the domains up to 4 MiB.
        keep: How many of the last passes are remembered. (1 to 64; default 4)
        past: A frame out of the history that `debug.keepHistory` keeps: memory as it was before this frame ran, in any order of moments. The present unless
          given. (0 to 9007199254740992)

        Problems: 409: `rejected` (`not-running`): `past` is given, and no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is
          loaded. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is
          another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the memory limit of searches is reached; `detail` has
          the limit.
        """
        return self._call("searches.start", {"type": type, "endian": endian, "alignment": alignment, "domains": domains, "ranges": ranges, "keep": keep, "past": past})

    def searches_undo(self, search: str) -> SearchAnswer:
        """Undo the last test of a search.

        The candidates and the last pass are those from before the last `refine`, however many frames it took. One test can be undone: 409 `nothing-to-undo`
        when there was none since. Needs the role `guest`.

        search: The id of a search.

        Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator. 409: `nothing-to-undo`:
          there was no test since the start or the last undo.
        """
        return self._call("searches.undo", {"search": search})

    def sensors_get(self) -> SensorsAnswer:
        """What the cartridge's sensors show.

        Needs the role `viewer`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
        """
        return self._call("sensors.get", {})

    def sensors_release(self) -> DoneAnswer:
        """Release the sensors that this holder has set.

        They show darkness, no tilt and no turning again, or what another holder has set. Needs the role `player`.

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
        """
        return self._call("sensors.release", {})

    def sensors_set(self, *, light: float | None = None, level: int | None = None, tilt: Sequence[float] | None = None, gyro: float | None = None) -> DoneAnswer:
        """Set sensors of the cartridge.

        Those that are given, from the next frame until this holder releases them, as keys that are held. Of several holders the one that set a sensor last
        counts. A game whose cartridge has no such sensor takes no notice. Needs the role `player`.

        light: How bright the light is: 0 dark, 1 bright. (0 to 1)
        level: The light as the bars that games with a light sensor show, instead of `light`. (0 to 10)
        tilt: By how many degrees the right edge, and the edge away from the player, are down.
        gyro: By how many degrees a second the console is turned clockwise. (-1000 to 1000)

        Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
        """
        return self._call("sensors.set", {"light": light, "level": level, "tilt": tilt, "gyro": gyro})

    def speed_hold(self, fps: float) -> StatusAnswer:
        """Run an emulator faster for now.

        It runs at least at this speed until the caller releases it (`speed.release`), as a key is held: on a WebSocket until the socket closes. When several
        callers hold one, the highest counts; after the last one the emulator runs as `emulators.run` has set it. Needs the role `owner`.

        fps: Frames a second; 0 runs as fast as possible. (0 to 100000)

        Problems: 409: `not-owned`: the gateway did not start this emulator. 501: `unsupported`: the emulator has a window, whose user chooses its speed.
        """
        return self._call("speed.hold", {"fps": fps})

    def speed_release(self) -> StatusAnswer:
        """Release the speed that the caller holds.

        Needs the role `owner`.

        Problems: 409: `not-owned`: the gateway did not start this emulator.
        """
        return self._call("speed.release", {})

    def state_get(self, *, flags: int | None = None) -> bytes:
        """Save a state and return its bytes.

        `state.load` continues from this state. About 400 KB on a GBA. The `ETag` is a hash of the bytes: equal states have equal tags unless they include
        metadata (16), which contains the time. Needs the role `viewer`.

        flags: What goes in: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All but the screenshot unless given. (0 to 31)
        """
        return self._call("state.get", {"flags": flags})

    def state_load(self, *, slot: int | None = None, file: str | None = None, flags: int | None = None, any_rom: bool | None = None, body: bytes | str | None = None) -> DoneAnswer:
        """Load a state.

        From bytes, or from a slot or a file beside mGBA. Bytes of another ROM, such as an earlier build, are refused unless `anyRom` is set; slots and files,
        as in mGBA, only when the title differs. A slot is a file beside the game (or in mGBA's folder for states) on the machine that runs mGBA. Slots cannot
        be listed: mGBA gives scripts no information about a slot except by loading it. Needs the role `owner`.

        slot: A slot beside the game. (0 to 9)
        file: A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.
        flags: What is taken: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All but save data and cheats unless given. (0 to 31)
        any_rom: Whether the bytes may be of another ROM of this console, such as an earlier build of it: code or data that is elsewhere now makes the game
          crash. (default false)
        body: The body; text and bytes are sent as they are.

        Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows. `foreign-origin`: not from here. `no-token-set`: only
          callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of
          sessions. 404: `rejected` (`not-found`): there is no state of this game. `no-such-emulator`: there is no such emulator. 409: `other-game`: the bytes
          are of another ROM. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this
          needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another
          one now. `rejected` (`expired`): its reply is not kept any more. 422: `rejected` (`not-a-state`): mGBA refuses these bytes as a state of this game.
          `key-reused`: the key belongs to another request.
        """
        return self._call("state.load", {"slot": slot, "file": file, "flags": flags, "anyRom": any_rom, "body": body})

    def state_save(self, *, slot: int | None = None, file: str | None = None, flags: int | None = None) -> DoneAnswer:
        """Save a state in a slot or a file.

        A slot is a file beside the game (or in mGBA's folder for states) on the machine that runs mGBA. Slots cannot be listed: mGBA gives scripts no
        information about a slot except by loading it. To keep states with pictures, use `states.save`. Needs the role `owner`.

        slot: A slot beside the game. (0 to 9)
        file: A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.
        flags: What goes in: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All unless given. (0 to 31)

        Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows. `foreign-origin`: not from here. `no-token-set`: only
          callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of
          sessions.
        """
        return self._call("state.save", {"slot": slot, "file": file, "flags": flags})

    def states_compare(self, state: str, with_: str) -> ComparisonAnswer:
        """Where two states differ.

        By region, as offsets of bytes. Extra data (save data, clock) is not compared. Needs the role `viewer`.

        state: The name of a kept state.
        with_: The name of the other state.

        Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `other-game`: the state belongs to another
          game.
        """
        return self._call("states.compare", {"state": state, "with": with_})

    def states_delete(self, state: str) -> StoredStateAnswer:
        """Delete a state that the gateway keeps.

        Needs the role `owner`.

        state: The name of a kept state.

        Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator.
        """
        return self._call("states.delete", {"state": state})

    def states_get(self, state: str) -> bytes:
        """The bytes of a state that the gateway keeps.

        A PNG that shows the state, where the emulator had a picture; mGBA and `state.load` take both forms. Needs the role `viewer`.

        state: The name of a kept state.

        Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator.
        """
        return self._call("states.get", {"state": state})

    def states_list(self) -> StoredStatesAnswer:
        """All states that the gateway keeps.

        Of all emulators, newest first: those that callers named, those from before a game got other save data, and the automatic ones of emulators that the
        gateway started. They survive a restart of the gateway. Needs the role `viewer`.
        """
        return self._call("states.list", {})

    def states_load(self, state: str, *, any_rom: bool | None = None) -> StoredLoadedAnswer:
        """Continue from a state that the gateway keeps.

        It may have been taken of another emulator with the same ROM. The save file stays as it is until the game saves, which replaces it by what this state
        had: where that differs, the state before is kept under the name in `kept`, unless one with its save data is. Needs the role `owner`.

        state: The name of a kept state.
        any_rom: Whether the state may be of another ROM of this console, such as an earlier build of it. The response then has a warning: code or data that
          is elsewhere now makes the game crash. (default false)

        Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `other-game`: the state belongs to another
          game. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected`
          (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now.
          `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("states.load", {"state": state, "anyRom": any_rom})

    def states_picture(self, state: str) -> bytes:
        """The picture of a state that the gateway keeps.

        Needs the role `viewer`.

        state: The name of a kept state.

        Problems: 404: `no-such-state`: there is no such state. `no-such-picture`: its emulator draws none. `no-such-emulator`: there is no such emulator.
        """
        return self._call("states.picture", {"state": state})

    def states_save(self, name: str, *, replace: bool | None = None, temporary: bool | None = None) -> StoredStateAnswer:
        """Keep the state of the emulator under a name.

        With the picture of its frame, where the emulator has one. Needs the role `owner`.

        name: Its name: 1 to 64 letters and digits of any language, spaces and . - _; it begins with a letter or a digit, not with auto., and does not end
          with a space.
        replace: Whether it takes the place of a state of this name; without it such a request is refused. (default false)
        temporary: Whether it is deleted when the stream of the caller's holder ends (`holder.stream`), which has to be open. (default false)

        Problems: 409: `state-exists`: send `replace` to replace it. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no
          frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-
          changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the named states
          have as many files or bytes as `Bridge:Owned:MaxStates` and `MaxStateBytes` allow. `store-failed`: the folder cannot be written.
        """
        return self._call("states.save", {"name": name, "replace": replace, "temporary": temporary})

    def status_get(self) -> StatusAnswer:
        """The status of the emulator.

        Answered without a request to the emulator. `detail` says what is wrong and what to do. Needs the role `viewer`.
        """
        return self._call("status.get", {})

    def symbols_delete(self) -> SymbolsAnswer:
        """Delete the symbols of the game.

        Needs the role `owner`.
        """
        return self._call("symbols.delete", {})

    def symbols_list(self, *, contains: str | None = None, offset: int | None = None, limit: int | None = None) -> SymbolsAnswer:
        """The symbols of the game.

        Needs the role `viewer`.

        contains: Only names that have this text in them, in capitals or not.
        offset: How many to leave out. (from 0; default 0)
        limit: The maximum number in the response. (0 to 10000; default 100)
        """
        return self._call("symbols.list", {"contains": contains, "offset": offset, "limit": limit})

    def symbols_load(self, body: bytes | str) -> SymbolsAnswer:
        """Load the symbols of the game.

        An ELF file (32 bits, little-endian), a map of GNU ld or of GBDK's linker, GBDK's `.noi`, or a `.sym` list as RGBDS, WLA-DX, armips, no$gba, `nm` and
        the decompilations of GBA games write it. Names of C++ are as in the source (`game::state`). A constant has a value and no location; it can only be
        read. `leftOut` counts what the file has besides. They replace earlier ones, belong to the open game (by its CRC32), and last until the gateway ends;
        `Bridge:Symbols:Folder` names a folder that is read at each start. Needs the role `owner`.

        body: The body; text and bytes are sent as they are.

        Problems: 507: `memory-full`: names take as much memory, or are of as many games, as the settings allow.
        """
        return self._call("symbols.load", {"body": body})

    def traffic_list(self, *, after: int | None = None, limit: int | None = None) -> TrafficAnswer:
        """The newest requests to the emulator, and how long requests took.

        The requests of all clients over HTTP and WebSocket, of the paths of mGBA-http, and of the gateway itself without its waits for frames, each when it
        has ended. The gateway keeps the newest 1000 of all emulators together, and only while this is requested: the first response is empty, and 15 seconds
        after the last request they are discarded. `durations` counts all requests of that time, also those that are no longer kept. Needs the role `viewer`.

        after: Only requests with a higher `id`: `last` of the previous response. (from 0; default 0)
        limit: How many at most, the newest. (1 to 500; default 200)
        """
        return self._call("traffic.list", {"after": after, "limit": limit})

    def values_read(self, name: str, *, type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"] | None = None, count: int | None = None, endian: Literal["little", "big"] | None = None, length: int | None = None, table: str | None = None) -> ValueAnswer:
        """Read a value by name.

        A property, a part of one (`edges[3]`, `node.tag`), or a symbol, optionally with an offset (`player+0x10`). The query gives the type of a symbol.
        Needs the role `viewer`.

        name: A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.
        type: What a symbol is. By its size unless given, else u32.
        count: How many numbers side by side: the value is a list then. (1 to 262144)
        endian: The byte order of numbers. (default "little")
        length: How many bytes a text has, or bytes are. (1 to 1048576)
        table: A text table of the game's property map; `ascii` unless given.

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `unsettled`: a
          pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
          not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
          script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("values.read", {"name": name, "type": type, "count": count, "endian": endian, "length": length, "table": table})

    def values_read_many(self, names: Sequence[str]) -> ValuesAnswer:
        """Read values by name, all from one frame.

        1 to 256 names of properties, parts of them (`edges[3]`, `node.tag`) and symbols (as u8, u16 or u32, by their size). Pointers are followed in that
        same frame. Needs the role `viewer`.

        names: Names of properties, parts of them and symbols.

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `unsettled`: a
          pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
          not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
          script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("values.readMany", {"names": names})

    def values_write(self, name: str, value: Any, *, type: Literal["u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes"] | None = None, count: int | None = None, endian: Literal["little", "big"] | None = None, length: int | None = None, table: str | None = None) -> ValueAnswer:
        """Write a value by name.

        Names are those of reading. Pointers are read again in the frame of the write; one that has changed is followed again. Needs the role `owner`.

        name: A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.
        type: What a symbol is. By its size unless given, else u32.
        count: How many numbers side by side: the value is a list then. (1 to 262144)
        endian: The byte order of numbers. (default "little")
        length: How many bytes a text has, or bytes are. (1 to 1048576)
        table: A text table of the game's property map; `ascii` unless given.
        value:

        Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `null-
          pointer`: a pointer on the way is 0. `unsettled`: a pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded.
          `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
          change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
        """
        return self._call("values.write", {"name": name, "type": type, "count": count, "endian": endian, "length": length, "table": table, "value": value})

    def vector_step(self, rows: Sequence[VectorStepRowsItem], *, frames: int | None = None, reads: Sequence[LeaseAttachReadsItem] | None = None, pixels: LeaseAttachPixels | None = None, state: str | None = None, scenario: str | None = None, deadline_ms: int | None = None) -> bytes:
        """Step several emulators at once.

        Each row is a step of one emulator under the caller's lease: the emulators run side by side, and one message has what all of them returned
        (docs/learning.md describes its bytes). `reset` begins an episode: the row continues from `state` before its frames, and takes the lease for 10 s
        after each step where the caller has none. The emulator keeps the state, so that it is sent once. A row that fails, or takes longer than `deadlineMs`,
        has the status and the reason of its failure, and does not delay the others. Needs the role `owner`.

        rows: The emulators.
        frames: How many frames each row runs. (0 to 36000; default 1)
        reads: The numbers to read in the frame that was reached; none unless given.
        pixels: The picture of that frame, as of `screen.pixels`; none unless given.
        state: The name of a kept state, in which rows with `reset` continue.
        scenario: The name of a loaded scenario: the rows have rewards, ends and its variables, and hold only keys that its actions allow; none unless given.
        deadline_ms: How many milliseconds a row may take; 5000 and 100 for each frame unless given. (10 to 600000)

        Problems: 404: `no-such-state`: there is no such state. `no-such-scenario`: there is no such scenario.
        """
        return self._call("vector.step", {"rows": rows, "frames": frames, "reads": reads, "pixels": pixels, "state": state, "scenario": scenario, "deadlineMs": deadline_ms})

    def video_map(self, map: int) -> MapCellsAnswer:
        """A background with its tile map.

        0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. Needs the role `viewer`.

        map: A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. (from 0)

        Problems: 404: `no-such-map`: this console has no background of this number. `no-such-emulator`: there is no such emulator.
        """
        return self._call("video.map", {"map": map})

    def video_map_picture(self, map: int, *, part: Literal["whole", "screen"] | None = None, scale: int | None = None) -> bytes:
        """A background as a PNG.

        The whole background, or with `part=screen` what the screen shows of it: scrolled, rotated and scaled. Windows, blending and mosaic are not applied.
        Transparent pixels have no opacity. Needs the role `viewer`.

        map: A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. (from 0)
        part: What of it. (default "whole")
        scale: Makes each pixel a square of this many. (1 to 8; default 1)

        Problems: 404: `no-such-map`: this console has no background of this number. `no-such-emulator`: there is no such emulator.
        """
        return self._call("video.mapPicture", {"map": map, "part": part, "scale": scale})

    def video_maps(self) -> MapsAnswer:
        """The backgrounds, without their cells.

        Needs the role `viewer`.
        """
        return self._call("video.maps", {})

    def video_palettes(self) -> PalettesAnswer:
        """The palettes.

        Needs the role `viewer`.
        """
        return self._call("video.palettes", {})

    def video_palettes_picture(self, *, scale: int | None = None) -> bytes:
        """The palettes as a PNG.

        A row for each palette in the order of `video.palettes`, with a square of 8 by 8 pixels for each colour. Needs the role `viewer`.

        scale: Makes each pixel a square of this many. (1 to 8; default 1)
        """
        return self._call("video.palettesPicture", {"scale": scale})

    def video_sprite_picture(self, sprite: int, *, scale: int | None = None) -> bytes:
        """A sprite as a PNG.

        In its own size: mirrored if it is shown so, not rotated and scaled. Transparent pixels have no opacity. Needs the role `viewer`.

        sprite: A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy. (from 0)
        scale: Makes each pixel a square of this many. (1 to 8; default 1)

        Problems: 404: `no-such-sprite`: there is no sprite of this number, or its size is invalid. `no-such-emulator`: there is no such emulator.
        """
        return self._call("video.spritePicture", {"sprite": sprite, "scale": scale})

    def video_sprites(self) -> SpritesAnswer:
        """The sprites.

        Needs the role `viewer`.
        """
        return self._call("video.sprites", {})

    def video_sprites_picture(self, *, scale: int | None = None) -> bytes:
        """The sprites on the screen as a PNG.

        All sprites that are shown, at their positions, rotated and scaled, without backgrounds. The sprite window, blending and mosaic are not applied.
        Transparent pixels have no opacity. Needs the role `viewer`.

        scale: Makes each pixel a square of this many. (1 to 8; default 1)
        """
        return self._call("video.spritesPicture", {"scale": scale})

    def video_text(self) -> TextAnswer:
        """The text that the backgrounds show.

        For games whose tiles are letters: the text table `glyphs` of the property map says which tile is which letter, by its number in its character block,
        00 to FF. A line is a row of tiles with at least one letter; tiles without a letter are spaces. Backgrounds in front come first. Needs the role
        `viewer`.

        Problems: 404: `no-such-name`: the property map of this game has no such text table. `no-such-emulator`: there is no such emulator.
        """
        return self._call("video.text", {})

    def video_tiles(self, *, bits: int | None = None, first: int | None = None, count: int | None = None) -> TilesAnswer:
        """Tiles, as the palette's colours of their pixels.

        Numbered from the start of video memory: 0 to 3071 (GBA, 4 bits), 0 to 1535 (GBA, 8 bits), 0 to 383 (Game Boy), 384 to 767 for the second bank (Game
        Boy Color). Needs the role `viewer`.

        bits: Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. (2 to 8)
        first: The number of the first tile. (from 0; default 0)
        count: How many tiles; all that follow unless given. (from 1)
        """
        return self._call("video.tiles", {"bits": bits, "first": first, "count": count})

    def video_tiles_picture(self, *, bits: int | None = None, first: int | None = None, count: int | None = None, palette: int | None = None, columns: int | None = None, scale: int | None = None) -> bytes:
        """Tiles side by side as a PNG.

        Transparent pixels have no opacity. Needs the role `viewer`.

        bits: Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. (2 to 8)
        first: The number of the first tile. (from 0; default 0)
        count: How many tiles; all that follow unless given. (from 1)
        palette: The number of the palette to show them with, as in `video.palettes`. (from 0; default 0)
        columns: Tiles in a row. (1 to 64; default 32)
        scale: Makes each pixel a square of this many. (1 to 8; default 1)
        """
        return self._call("video.tilesPicture", {"bits": bits, "first": first, "count": count, "palette": palette, "columns": columns, "scale": scale})

    def voters_block(self, voter: str, *, seconds: int | None = None) -> VoterAnswer:
        """Block a voter.

        The voter's ballots are refused, in all votes of this emulator, until the time is over, the voter is unblocked, or the gateway ends. At most 1000 are
        blocked. Needs the role `owner`.

        voter: The name of a voter.
        seconds: For how long; until the voter is unblocked unless given. (1 to 86400)

        Problems: 507: `memory-full`: as many voters are blocked as can be.
        """
        return self._call("voters.block", {"voter": voter, "seconds": seconds})

    def voters_list(self) -> VotersAnswer:
        """The voters who are blocked.

        Needs the role `viewer`.
        """
        return self._call("voters.list", {})

    def voters_unblock(self, voter: str) -> VoterAnswer:
        """Let a voter vote again.

        Needs the role `owner`.

        voter: The name of a voter.

        Problems: 404: `no-such-voter`: the voter is not blocked. `no-such-emulator`: there is no such emulator.
        """
        return self._call("voters.unblock", {"voter": voter})

    def votes_cast(self, vote: str, voter: str, choice: str) -> BallotAnswer:
        """Cast a ballot for a voter.

        The program that casts it vouches for the name. Names that differ only in upper and lower case, or in spaces around them, are one voter; they are
        compared as they are sent, so send them in Unicode's form C (NFC). A name has no `/`, no control and no invisible characters, and is not `.` or `..`.
        Needs the role `player`.

        vote: The id of a vote.
        voter: The name of the voter.
        choice: The name of a choice, in upper or lower case, perhaps with how many times: `A3`.

        Problems: 403: `voter-blocked`: the voter is blocked. `foreign-origin`: not from here. `no-token-set`: only callers of this machine are let in. `role-
          needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of sessions. 404: `no-such-vote`: there is no such
          vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator. 409: `already-voted`: the voter has voted in this
          round. `vote-ended`: the vote has ended. 429: `too-many-requests`: the voter or all voters have cast as many ballots as are counted in a second, or
          the cooldown is not over.
        """
        return self._call("votes.cast", {"vote": vote, "voter": voter, "choice": choice})

    def votes_delete(self, vote: str) -> VoteAnswer:
        """End a vote and forget it.

        Nothing more is pressed for it, and its keys are released. The response is what it was last. Needs the role `owner`.

        vote: The id of a vote.

        Problems: 404: `no-such-vote`: there is no such vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator.
        """
        return self._call("votes.delete", {"vote": vote})

    def votes_get(self, vote: str) -> VoteAnswer:
        """A vote with its ballots.

        Needs the role `viewer`.

        vote: The id of a vote.

        Problems: 404: `no-such-vote`: there is no such vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator.
        """
        return self._call("votes.get", {"vote": vote})

    def votes_list(self) -> VotesAnswer:
        """The open vote and the last ones.

        The newest first, at most 8. Each time a vote begins, gets ballots (at most five times a second), decides a round or ends, there is an event of the
        topic `vote`. Needs the role `viewer`.
        """
        return self._call("votes.list", {})

    def votes_open(self, *, title: str | None = None, mode: Literal["democracy", "anarchy"] | None = None, keys: Sequence[Key] | None = None, choices: Sequence[VotesOpenChoicesItem] | None = None, seconds: int | None = None, repeat: bool | None = None, frames: int | None = None, times: int | None = None, cooldown: float | None = None) -> VoteAnswer:
        """Open a vote.

        Programs cast ballots for an audience, for example from a chat. In a democracy each voter has one ballot a round, and at its end the choice with the
        most is pressed, of several with as many the one that had them first; without ballots nothing is. In an anarchy each ballot is pressed, one after the
        other, in the order in which they come; while 32 wait, further ones are counted and not pressed. Of a voter at most 10 ballots a second are counted,
        of all 5000. The presses have a holder of their own. While another holder has the lease they are refused, which `problem` says, and the vote
        continues. An emulator has one open vote at a time. A vote ends with its gateway. Needs the role `owner`.

        title: What it is about.
        mode: How ballots become presses. (default "democracy")
        keys: Keys that are a choice each.
        choices: More choices; 32 in all.
        seconds: How long a round takes, of an anarchy the vote. A democracy takes 10 unless given, an anarchy continues until it is deleted. (1 to 86400)
        repeat: Whether a democracy begins another round after each, until it is deleted. (default false)
        frames: For how many frames each of `keys` is pressed. (1 to 600; default 4)
        times: The most times that one ballot of an anarchy is pressed: with 3, `A3` presses A three times. (1 to 9; default 1)
        cooldown: How many seconds a voter waits from one ballot to the next. (0 to 86400; default 0)

        Problems: 409: `vote-open`: a vote of this emulator is open; `detail` has its id.
        """
        return self._call("votes.open", {"title": title, "mode": mode, "keys": keys, "choices": choices, "seconds": seconds, "repeat": repeat, "frames": frames, "times": times, "cooldown": cooldown})

    def wait_until(self, *, all: Sequence[WaitUntilAllItem] | None = None, any: Sequence[WaitUntilAllItem] | None = None, condition: str | None = None, frames: int | None = None) -> WaitAnswer:
        """Wait for a condition on memory, or for some frames.

        The condition is checked when the request arrives and then once a frame. Disconnecting cancels the wait. Without `frames` it waits up to an hour.
        Needs the role `guest`.

        all: All of these have to hold.
        any: One of these has to hold, instead of `all`.
        condition: The same as text: `player.hp lt 10 and 0x02000008 u32 ge 100 or u16 0x02000100 changed`, where `and` binds tighter than `or`. Up to 32
          tests.
        frames: After how many frames to stop waiting; never unless given. (1 to 36000)
        """
        return self._call("wait.until", {"all": all, "any": any, "condition": condition, "frames": frames})


def awaited(method: Callable[Concatenate[Any, Parameters], Answer]) -> Callable[Concatenate[Any, Parameters], Awaitable[Answer]]:
    """The same method for a class whose `_call` is a coroutine."""
    return cast(Any, method)


class AsyncOperations:
    """The same methods, to be awaited."""

    agents_change = awaited(Operations.agents_change)
    agents_list = awaited(Operations.agents_list)
    batch_run = awaited(Operations.batch_run)
    camera_set = awaited(Operations.camera_set)
    cheats_delete = awaited(Operations.cheats_delete)
    cheats_enable = awaited(Operations.cheats_enable)
    cheats_list = awaited(Operations.cheats_list)
    cheats_load = awaited(Operations.cheats_load)
    cheats_set = awaited(Operations.cheats_set)
    clock_get = awaited(Operations.clock_get)
    clock_set = awaited(Operations.clock_set)
    console_write = awaited(Operations.console_write)
    debug_add = awaited(Operations.debug_add)
    debug_back = awaited(Operations.debug_back)
    debug_backtrace = awaited(Operations.debug_backtrace)
    debug_continue = awaited(Operations.debug_continue)
    debug_disassemble = awaited(Operations.debug_disassemble)
    debug_get = awaited(Operations.debug_get)
    debug_halt = awaited(Operations.debug_halt)
    debug_hardware = awaited(Operations.debug_hardware)
    debug_history = awaited(Operations.debug_history)
    debug_keep_history = awaited(Operations.debug_keep_history)
    debug_list = awaited(Operations.debug_list)
    debug_remove = awaited(Operations.debug_remove)
    debug_remove_all = awaited(Operations.debug_remove_all)
    debug_step = awaited(Operations.debug_step)
    debug_trace = awaited(Operations.debug_trace)
    debug_writers = awaited(Operations.debug_writers)
    emulators_list = awaited(Operations.emulators_list)
    emulators_log = awaited(Operations.emulators_log)
    emulators_restart = awaited(Operations.emulators_restart)
    emulators_run = awaited(Operations.emulators_run)
    emulators_start = awaited(Operations.emulators_start)
    emulators_stop = awaited(Operations.emulators_stop)
    fleet_events = awaited(Operations.fleet_events)
    fleet_hosts = awaited(Operations.fleet_hosts)
    fleet_sessions_create = awaited(Operations.fleet_sessions_create)
    fleet_sessions_delete = awaited(Operations.fleet_sessions_delete)
    fleet_sessions_delete_all = awaited(Operations.fleet_sessions_delete_all)
    fleet_sessions_get = awaited(Operations.fleet_sessions_get)
    fleet_sessions_list = awaited(Operations.fleet_sessions_list)
    fleet_status = awaited(Operations.fleet_status)
    freezes_delete = awaited(Operations.freezes_delete)
    freezes_delete_all = awaited(Operations.freezes_delete_all)
    freezes_list = awaited(Operations.freezes_list)
    freezes_set = awaited(Operations.freezes_set)
    game_capabilities = awaited(Operations.game_capabilities)
    game_checksum = awaited(Operations.game_checksum)
    game_get = awaited(Operations.game_get)
    game_reset = awaited(Operations.game_reset)
    game_sha1 = awaited(Operations.game_sha1)
    game_step = awaited(Operations.game_step)
    guests_change = awaited(Operations.guests_change)
    guests_end = awaited(Operations.guests_end)
    guests_end_all = awaited(Operations.guests_end_all)
    guests_invite = awaited(Operations.guests_invite)
    guests_list = awaited(Operations.guests_list)
    keys_add = awaited(Operations.keys_add)
    keys_clear = awaited(Operations.keys_clear)
    keys_get = awaited(Operations.keys_get)
    keys_release = awaited(Operations.keys_release)
    keys_sequence = awaited(Operations.keys_sequence)
    keys_set = awaited(Operations.keys_set)
    keys_tap = awaited(Operations.keys_tap)
    lease_attach = awaited(Operations.lease_attach)
    lease_release = awaited(Operations.lease_release)
    lease_step = awaited(Operations.lease_step)
    lease_take = awaited(Operations.lease_take)
    memory_domains = awaited(Operations.memory_domains)
    memory_gather = awaited(Operations.memory_gather)
    memory_read = awaited(Operations.memory_read)
    memory_read_s16 = awaited(Operations.memory_read_s16)
    memory_read_s32 = awaited(Operations.memory_read_s32)
    memory_read_s8 = awaited(Operations.memory_read_s8)
    memory_read_u16 = awaited(Operations.memory_read_u16)
    memory_read_u32 = awaited(Operations.memory_read_u32)
    memory_read_u8 = awaited(Operations.memory_read_u8)
    memory_read_value = awaited(Operations.memory_read_value)
    memory_write = awaited(Operations.memory_write)
    memory_write_s16 = awaited(Operations.memory_write_s16)
    memory_write_s32 = awaited(Operations.memory_write_s32)
    memory_write_s8 = awaited(Operations.memory_write_s8)
    memory_write_u16 = awaited(Operations.memory_write_u16)
    memory_write_u32 = awaited(Operations.memory_write_u32)
    memory_write_u8 = awaited(Operations.memory_write_u8)
    memory_write_value = awaited(Operations.memory_write_value)
    operations_list = awaited(Operations.operations_list)
    properties_delete = awaited(Operations.properties_delete)
    properties_list = awaited(Operations.properties_list)
    properties_load = awaited(Operations.properties_load)
    recordings_delete = awaited(Operations.recordings_delete)
    recordings_download = awaited(Operations.recordings_download)
    recordings_list = awaited(Operations.recordings_list)
    recordings_replay = awaited(Operations.recordings_replay)
    recordings_start = awaited(Operations.recordings_start)
    recordings_stop = awaited(Operations.recordings_stop)
    recordings_video = awaited(Operations.recordings_video)
    registers_get = awaited(Operations.registers_get)
    registers_read = awaited(Operations.registers_read)
    registers_write = awaited(Operations.registers_write)
    rewind_back = awaited(Operations.rewind_back)
    rewind_get = awaited(Operations.rewind_get)
    rewind_load = awaited(Operations.rewind_load)
    rewind_screen = awaited(Operations.rewind_screen)
    rewind_start = awaited(Operations.rewind_start)
    rewind_stop = awaited(Operations.rewind_stop)
    rewind_video = awaited(Operations.rewind_video)
    rom_load = awaited(Operations.rom_load)
    roms_delete = awaited(Operations.roms_delete)
    roms_list = awaited(Operations.roms_list)
    roms_upload = awaited(Operations.roms_upload)
    save_autoload = awaited(Operations.save_autoload)
    save_get = awaited(Operations.save_get)
    save_load = awaited(Operations.save_load)
    save_put = awaited(Operations.save_put)
    scenarios_delete = awaited(Operations.scenarios_delete)
    scenarios_list = awaited(Operations.scenarios_list)
    scenarios_load = awaited(Operations.scenarios_load)
    screen_get = awaited(Operations.screen_get)
    screen_pixels = awaited(Operations.screen_pixels)
    searches_delete = awaited(Operations.searches_delete)
    searches_get = awaited(Operations.searches_get)
    searches_list = awaited(Operations.searches_list)
    searches_matches = awaited(Operations.searches_matches)
    searches_refine = awaited(Operations.searches_refine)
    searches_start = awaited(Operations.searches_start)
    searches_undo = awaited(Operations.searches_undo)
    sensors_get = awaited(Operations.sensors_get)
    sensors_release = awaited(Operations.sensors_release)
    sensors_set = awaited(Operations.sensors_set)
    speed_hold = awaited(Operations.speed_hold)
    speed_release = awaited(Operations.speed_release)
    state_get = awaited(Operations.state_get)
    state_load = awaited(Operations.state_load)
    state_save = awaited(Operations.state_save)
    states_compare = awaited(Operations.states_compare)
    states_delete = awaited(Operations.states_delete)
    states_get = awaited(Operations.states_get)
    states_list = awaited(Operations.states_list)
    states_load = awaited(Operations.states_load)
    states_picture = awaited(Operations.states_picture)
    states_save = awaited(Operations.states_save)
    status_get = awaited(Operations.status_get)
    symbols_delete = awaited(Operations.symbols_delete)
    symbols_list = awaited(Operations.symbols_list)
    symbols_load = awaited(Operations.symbols_load)
    traffic_list = awaited(Operations.traffic_list)
    values_read = awaited(Operations.values_read)
    values_read_many = awaited(Operations.values_read_many)
    values_write = awaited(Operations.values_write)
    vector_step = awaited(Operations.vector_step)
    video_map = awaited(Operations.video_map)
    video_map_picture = awaited(Operations.video_map_picture)
    video_maps = awaited(Operations.video_maps)
    video_palettes = awaited(Operations.video_palettes)
    video_palettes_picture = awaited(Operations.video_palettes_picture)
    video_sprite_picture = awaited(Operations.video_sprite_picture)
    video_sprites = awaited(Operations.video_sprites)
    video_sprites_picture = awaited(Operations.video_sprites_picture)
    video_text = awaited(Operations.video_text)
    video_tiles = awaited(Operations.video_tiles)
    video_tiles_picture = awaited(Operations.video_tiles_picture)
    voters_block = awaited(Operations.voters_block)
    voters_list = awaited(Operations.voters_list)
    voters_unblock = awaited(Operations.voters_unblock)
    votes_cast = awaited(Operations.votes_cast)
    votes_delete = awaited(Operations.votes_delete)
    votes_get = awaited(Operations.votes_get)
    votes_list = awaited(Operations.votes_list)
    votes_open = awaited(Operations.votes_open)
    wait_until = awaited(Operations.wait_until)
