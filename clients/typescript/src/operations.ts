/** The operations of the gateway, written by scripts/openapi from docs/openapi.json; do not edit. */

export const version = '0.1.0';
export type Key = 'A' | 'B' | 'Select' | 'Start' | 'Right' | 'Left' | 'Up' | 'Down' | 'R' | 'L';

/** How HTTP sends an operation. What is in neither path nor query is a property of the JSON body, or the body itself. */
export interface Declaration {
  method: string;
  path: string;
  query?: readonly string[];
  media?: string;
  /** Whether the argument `body` is the whole body. */
  isWhole?: boolean;
  /** Whether an idempotency key makes it safe to send again. Steps have none: they end with their connection. */
  isKeyed?: boolean;
  /** Whether it is about the gateway rather than one emulator. */
  isOfGateway?: boolean;
}

/** An agent. */
export interface AgentAnswer {
  /** Its id. */
  id: string;
  /** The name that the program gives itself. */
  name: string;
  /** The version that the program gives itself. */
  version?: string | null;
  /** The version of MCP that it uses. */
  protocol: string;
  /** Its address; for owners. */
  caller?: string | null;
  /** The holder of its keys and its lease. */
  holder: string;
  /** Whether it has a session, or sends requests without one. */
  connected: boolean;
  /** Whether a person has paused it. */
  paused: boolean;
  /** Since when. */
  pausedAt?: string | null;
  /** When it connected first. */
  since: string;
  /** When it sent a request last. */
  lastSeen: string;
  /** How many calls of tools it has made. */
  calls: number;
  /** How many of them ended with an error or were cancelled. */
  failed: number;
  /** How many presses of keys it has made. */
  presses: number;
  /** Its last calls, oldest first. */
  recent: AgentCall[];
}

/** A call of an agent. */
export interface AgentCall {
  /** When it began. */
  at: string;
  /** The tool. */
  tool: string;
  /** The emulator, or null when it needs none. */
  emulator?: string | null;
  /** How a call of an agent ended. */
  outcome: 'done' | 'failed' | 'cancelled' | 'paused';
  /** How long it took. */
  milliseconds: number;
  /** The frame of its result, or null. */
  frame?: number | null;
  /** What it did, or why it failed. */
  detail?: string | null;
}

/** The agents. */
export interface AgentsAnswer {
  /** The one that was seen last first. */
  agents: AgentAnswer[];
}

/** The functions that are under way. */
export interface BacktraceAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The innermost first. */
  functions: FunctionAnswer[];
}

/** A ballot that was counted. */
export interface BallotAnswer {
  /** The id of the vote. */
  vote: string;
  /** The round in which it was counted. */
  round: number;
  /** The name of the choice. */
  choice: string;
  /** How many ballots the choice has now in this round. */
  ballots: number;
  /** Of anarchy: whether it will be pressed; false when as many presses wait as may. */
  queued?: boolean | null;
}

/** What became of a batch. */
export interface BatchAnswer {
  /** The frame in which all of it was done. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many items were done: fewer than `of` when one of them could not be. */
  done: number;
  /** How many items there were. */
  of: number;
  /** What became of each, in order, up to the first that could not be done. */
  results: ItemAnswer[];
}

/** A range of memory. */
export interface BytesAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  bytes: string;
}

/** What this emulator's script can do. */
export interface CapabilitiesAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /**
   * `registers` and `screen`: the script has these commands (`screen.get` is `unsupported` where the host draws no picture); `files`: a folder for files
   * is allowed. docs/protocol.md, section 8, has them all.
   */
  capabilities: string[];
  /** What the script understands: name, kind and arguments. */
  commands: string[];
}

/** What the emulator takes the cartridge and the console for; what this console does not have is absent. */
export interface CartridgeAnswer {
  saveType?: CartridgePart;
  hardware?: CartridgePart;
  idleLoop?: CartridgePart;
  model?: CartridgePart;
  mbc?: CartridgePart;
  bios?: CartridgePart;
  palette?: CartridgePart;
  skipBios?: CartridgePart;
  clock?: CartridgePart;
}

/** One thing about the cartridge or the console. */
export interface CartridgePart {
  /** What it is, as the options of emulators name it. */
  value: string;
  /**
   * Where that comes from: `option`, mGBA's `table` of games, a `guess` by the ROM, `detected` from what the game does, a `state` that was loaded,
   * `script` (a request set the clock), or `default`.
   */
  origin: string;
  /** What is wrong with it, found while the game ran, and what to change: of an idle loop in which the game is halted for good. Otherwise absent. */
  problem?: string | null;
}

/** One value of memory. */
export interface CellAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** The value, unsigned. */
  value: number;
}

/** A cheat of the game. */
export interface Cheat {
  /** Its name. */
  name: string;
  /** Whether it is applied. */
  enabled: boolean;
  /** Its codes. */
  codes: string[];
  /** Why it cannot be used; null when it can. */
  problem?: string | null;
}

/** The cheats of an emulator. */
export interface CheatsAnswer {
  /** The script's frame count when they were listed. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** All of them: those that are used, in the order in which they are applied, then those of the file that cannot be used, with `problem`. */
  cheats: Cheat[];
}

/** The checksum of the ROM. */
export interface ChecksumAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its CRC32, `0x` and eight hex digits. */
  crc32: string;
}

/** A choice of a vote. */
export interface ChoiceAnswer {
  /** Its name. */
  name: string;
  /** What is pressed for it; absent for nothing. */
  sequence?: string | null;
  /** How many ballots it has in this round. */
  ballots: number;
}

/** How the clock of the cartridge runs. */
export interface ClockAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** `host`: it is the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames. */
  mode: string;
  /** What the game reads, without a zone. */
  time: string;
  /** By how many seconds it is before the machine's; absent where it is not. */
  offsetSeconds?: number | null;
}

/** Where two states differ. */
export interface ComparisonAnswer {
  /** How many bytes differ in all. */
  bytes: number;
  /** Where, by region. */
  regions: RegionAnswer[];
}

/** That the game runs. */
export interface ContinuedAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whether it was halted. */
  wasHalted: boolean;
}

/** The sessions that were created. */
export interface CreatedSessionsAnswer {
  /** Their ids; their paths are below `/i/{id}` when they run. */
  ids: string[];
}

export interface CropAnswer {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whether the game is halted, and the registers of the processor. */
export interface DebuggerAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whether it is halted. */
  halted: boolean;
  /** The number of the halt: another number is another halt. */
  halt?: number | null;
  /** Why: `requested`, `step`, `point`, `moved` (a state was loaded, or the game reset), or `history` (which begins there). */
  reason?: string | null;
  /** The instruction that is executed next. */
  pc?: string | null;
  /** Its bank, on a Game Boy. */
  bank?: number | null;
  /** Its name, perhaps with an offset; absent where no symbol is known. */
  symbol?: string | null;
  hit?: HitAnswer;
  /** The frame that it is in, in its past; absent in the present. */
  past?: number | null;
  /** Whether it goes back or repeats its past at the moment: it is halted as before until that is done; otherwise absent. */
  searching?: boolean | null;
  /** Values by name, unsigned. The `pc` of a GBA is ahead of the instruction that is executed next, as the processor has it. */
  registers: { [name: string]: number };
}

/** Sessions that were deleted. */
export interface DeletedSessionsAnswer {
  /** How many. */
  deleted: number;
}

/** Bytes that are others in a replay than in its recording. */
export interface DifferentBytes {
  /** Where the first is, such as `wram:0x10`. */
  location: string;
  /** The property or symbol that is there, `player.hp` or `counter+0x4`; absent when none is known. */
  name?: string | null;
  /** The bytes in the recording, in hexadecimal. */
  expected: string;
  /** The bytes in the replay. */
  found: string;
}

/** Instructions of a game. */
export interface DisassemblyAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** In the order of their addresses; fewer than were asked for where memory ends. */
  instructions: InstructionAnswer[];
}

/** Where a replay went another way. */
export interface Divergence {
  /** The frame of the recording. */
  frame: number;
  /** How many frames after its state. */
  after: number;
  /** The hash in the recording. */
  expected: string;
  /** The hash that was found. */
  found: string;
  /** The first 16 places that differ; absent when the recording has no memory of this frame. */
  places?: DifferentBytes[] | null;
}

/** A part of the game's memory with a name. */
export interface DomainAnswer {
  /** Its prefix in a location, such as `wram` in `wram:0x10`. */
  id: string;
  /** What people call it. */
  name: string;
  /** The address of its first byte on the bus. */
  base: string;
  /** How many bytes it has. */
  size: number;
}

/** The parts of the game's memory that have a name. */
export interface DomainsAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** By address. */
  domains: DomainAnswer[];
}

/** It was done. */
export interface DoneAnswer {
  /** The script's frame count when it was done. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
}

/** A client that is connected by the protocol of another emulator. */
export interface DoorClientAnswer {
  /** Its protocol, such as `bizhawk`. */
  protocol: string;
  /** Its address; for owners. */
  caller?: string | null;
  /** When it connected. */
  since: string;
  /** When its last request came. */
  lastSeen: string;
  /** How many requests it has sent. */
  requests: number;
  /** What its last request was. */
  last?: string | null;
}

/** What an emulator printed. */
export interface EmulatorLogAnswer {
  /** The last lines, oldest first: at most 200, each with at most 1000 characters. */
  lines: string[];
}

/** Links that were ended. */
export interface EndedGuestsAnswer {
  /** How many. */
  ended: number;
}

/** Something that happened. */
export interface EventAnswer {
  /** The script's frame count when it happened; 0 when the script did not say it. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The topic that it belongs to, written in full. */
  topic: string;
  /** Of `keys`: those that are down now. */
  keys?: Key[];
  /**
   * Of `keys`, `sensors`: the first frame that ran with them; of `camera`: the first frame that ran with it; of `state`: the first frame that ran after
   * it.
   */
  from?: number;
  /** Of `sensors`: 0 (bright) to 255 (dark). */
  light?: number;
  /** Of `sensors`: thousandths of a degree, the right edge down. */
  x?: number;
  /** Of `sensors`: thousandths of a degree, the far edge down. */
  y?: number;
  /** Of `sensors`: thousandths of a degree a second, clockwise. */
  gyro?: number;
  /**
   * Of `camera`: 128 x 112 bytes, each pixel grey from 0 (black), row by row from the top; none: darkness; of `memory`: those that are there now; of
   * `sound`: the samples, left and right in turn, 16 bits each, little-endian.
   */
  bytes?: string;
  /**
   * Of `log`: each with its category: `GBA Debug: hello`; of `hits`: each a hit: id of the point, kind (1 execute, 2 read, 4 write, 8 change, 16
   * interrupt), pc, its bank, address, size, value before, value, value after, whether DMA did it (1), frame.
   */
  lines?: string[];
  /** Of `sound`: the number of the first pair of samples, 48,000 a second of the game; a gap in the numbers is sound that was lost. */
  sample?: number;
  /** Of `hits`: hits of all points since the script was loaded; of `freeze`: how many there are now. */
  count?: number;
  /** Of `hits`: hits that were not passed on to anybody since the emulator was started. */
  lost?: number;
  /** Of `game.opened`: its title. */
  title?: string;
  /** Of `game.opened`: its code. */
  code?: string;
  /** Of `game.machine`: whether frames run: `running`, `paused`, `halted` (by a debugger), `stopped`, `crashed` or `none` (no game). */
  machine?: string;
  /** Of `game.save`: why the save file cannot be written, if so. */
  problem?: string;
  /** Of `lease`: who has it, if anybody. */
  holder?: string;
  /**
   * Of `lease`: why it ended; of `freeze`: why the last of these ended; of `debug.halted`: `requested`, `step`, `point` or `moved` (a state was loaded, or
   * the game reset); of `emulator.lost`, `emulator.restarted`: why; of `emulator.message`: the message; of `ended`: why, a code of an error.
   */
  reason?: string;
  /** Of `freeze`: how many ended without a request since the last event. */
  ended?: number;
  /** Of `debug.halted`: the number of the halt. */
  halt?: number;
  /** Of `debug.halted`: the instruction that is executed next. */
  pc?: number;
  /** Of `debug.halted`: of it. */
  bank?: number;
  /** Of `debug.halted`: the id of the point that was hit. */
  point?: number;
  /** Of `debug.halted`: what hit it: `execute`, `read`, `write`, `change` or `interrupt`. */
  kind?: string;
  /** Of `debug.halted`: the instruction that hit it. */
  at?: number;
  /** Of `debug.halted`: of the access. */
  address?: number;
  /** Of `debug.halted`: bytes of the access. */
  size?: number;
  /** Of `debug.halted`: the value before the access. */
  before?: number;
  /** Of `debug.halted`: the value that was read or written. */
  value?: number;
  /** Of `debug.halted`: the value after the access. */
  after?: number;
  /** Of `vote.opened`, `vote.ballots`, `vote.decided`, `vote.ended`: its id. */
  vote?: string;
  /** How many events of this topic, or lines of the log, the script left out because they were not taken in time. */
  dropped?: number;
}

/** A step of an expression: what it puts on the stack, or what it makes of the last two numbers there. */
export interface ExpressionStep {
  /** This number. */
  number?: number | null;
  /** The value of this variable. */
  value?: string | null;
  /** The change of this variable in the step. */
  change?: string | null;
  /** An operator: `+ - * / == != &lt; &lt;= &gt; &gt;= and or min max`; `sign` and `abs` are of the last number alone. */
  operator?: string | null;
}

/** A fault of an emulator that the gateway started. */
export interface FaultAnswer {
  /** When it was found. */
  at: string;
  /** What happened. */
  reason: string;
  /** When the emulator answered again; absent while it does not. */
  restartedAt?: string | null;
  /** The state that it continued from; absent when the game started from its save file. */
  restoredFrom?: string | null;
  /** Seconds of play that were lost, at most. */
  lostSeconds?: number | null;
  /** The file with the last lines that the emulator printed; for owners. */
  log?: string | null;
}

/** What happened in the fleet. */
export interface FleetEvent {
  /** Its number, which rises. */
  id: number;
  /** When, by the database's clock. */
  at: string;
  /** What, such as `session.placed`. */
  kind: string;
  /** The session, or null. */
  session?: string | null;
  /** The session's generation, or null. */
  generation?: number | null;
  /** The host, or null. */
  host?: string | null;
  /** More about it, or empty. */
  detail: string;
}

/** What happened, oldest first. */
export interface FleetEventsAnswer {
  /** The events. */
  events: FleetEvent[];
}

/** A host as lists show it. */
export interface FleetHost {
  /** Its id. */
  id: string;
  /** The name of its machine. */
  name: string;
  /** `ready`, `draining` or `gone`. */
  state: string;
  /** The version of its program. */
  version: string;
  /** What the engine calls the job that it is, such as `162_0` of Slurm; null for one that was started by hand. */
  job?: string | null;
  /** Emulators that it takes. */
  capacity: number;
  /** Sessions that it has. */
  sessions: number;
  /** Seconds until its lease ends, by the database's clock; negative when it has ended. */
  leaseSeconds: number;
}

/** A session as lists show it. */
export interface FleetSession {
  /** Its id. */
  id: string;
  /** Its owner. */
  owner: string;
  /** Its ROM. */
  rom: string;
  /** `pending`, `placed`, `running` or `deleting`. */
  state: string;
  /** Rises each time a host takes it. */
  generation: number;
  /** The name of the machine whose host has it, such as the node of Slurm, or null. */
  host?: string | null;
  /** What the engine calls its job, such as `162_0` of Slurm; null while no host has it, and without an engine. */
  job?: string | null;
  /** Why it does not run, or why its states are not stored; otherwise empty. */
  detail: string;
  /** Failed starts in a row. */
  failures: number;
  /** Processors of its job, or null. */
  cpus?: number | null;
  /** Memory of its job in MiB, or null. */
  memory?: number | null;
  /** Seconds since its newest state was stored, by the database's clock: what it would lose; null when it has none. */
  stateSeconds?: number | null;
}

/** The fleet in numbers. */
export interface FleetStatusAnswer {
  /** Its name. */
  fleet: string;
  /** Hosts that are ready. */
  hosts: number;
  /** Emulators that they take. */
  capacity: number;
  /** Sessions that wait for a host. */
  pending: number;
  /** Sessions that start. */
  placed: number;
  /** Sessions that run. */
  running: number;
  /** Sessions that end. */
  deleting: number;
  /** Age of the newest state of the running session where it is oldest; 0 when none runs. It grows while states cannot be stored, or the game is paused. */
  stateSeconds: number;
  /** That session, or null. */
  stateSession?: string | null;
  /** Why its states are not stored; empty when they are. */
  stateProblem: string;
  /** That the engine that starts hosts failed last, or that its jobs cannot use the database, and why; empty when it works, or there is none. */
  engineProblem: string;
}

/** A freeze that was set. */
export interface FreezeAnswer {
  /** The first frame in which it was written. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its id. */
  id: string;
  /** Whose it is. */
  holder: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** The last frame in which it is written; absent when it is written until it is released. */
  last?: number | null;
}

/** A freeze. */
export interface FreezeEntry {
  /** Its id, unique for the holder. */
  id: string;
  /** Whose it is. */
  holder: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  bytes: string;
  /** The last frame in which it is written; absent when it is written until it is released. */
  last?: number | null;
}

/** The freezes of an emulator. */
export interface FreezesAnswer {
  /** The script's frame count when they were listed. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** All of them, in the order in which they are written. */
  freezes: FreezeEntry[];
}

/** A function that is under way. */
export interface FunctionAnswer {
  /** The instruction that it executes next. */
  address: string;
  /** Its bank, on a Game Boy. */
  bank?: number | null;
  /** The place in it; absent where no symbol is known. */
  symbol?: string | null;
  /** Where the address is from: `pc`, `link` (the register lr), `stack`, or `interrupt` (what an interrupt of a GBA has interrupted, as its BIOS keeps it). */
  from: string;
  /** `exact`, `matched` (it calls the function before) or `guess`. */
  certainty: string;
  /** The instruction that calls the function before; absent where none does. */
  call?: string | null;
  /** Where the address is on the stack; absent where it is not. */
  place?: string | null;
}

/** What is known about the loaded game. */
export interface GameAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The title in its header. */
  title: string;
  /** The code as mGBA reports it: `AGB-BBTE` in 0.10, `BBTE` in 0.11, where it is empty for most Game Boy games. */
  code: string;
  /** The four letters in the ROM header, the same in every mGBA version. Absent when the header has none, or the script is older than this field. */
  gameCode?: string | null;
  /** `gba` or `gb`. */
  platform: string;
  /** The CRC32 of the ROM. */
  crc32: string;
  /** The size of the ROM in bytes. */
  romSize: number;
  /** Cycles of the processor in a frame. */
  frameCycles: number;
  /** Cycles of the processor in a second. */
  frequency: number;
  cartridge?: CartridgeAnswer;
  /** The name of the file whose patch was applied to the ROM when the gateway started the emulator; absent without one, in windows, and in batches. */
  patch?: string | null;
  /** The name of the file whose cheats it was started with, likewise. */
  cheats?: string | null;
}

/** A game pack: what a property map adds so that programs can walk and talk in a game. It names places of the map and of the symbols. */
export interface GamePack {
  player?: PackPlayer;
  /** The names of the maps, by their number: `{"0": "harbour"}`. Default: maps have numbers only. */
  maps: { [name: string]: string };
  grid?: PackGrid;
  /** People, signs, doors and items. */
  things: PackThing[];
  /** Ways to other maps. */
  exits: PackExit[];
  text?: PackTextBox;
  /** Menus and questions. */
  menus: PackMenu[];
  /** What may be reached in the game, in its order. */
  milestones: PackMilestone[];
}

/** A guest. */
export interface GuestAnswer {
  /** The id. */
  id: string;
  /** What the owner calls the guest. */
  name: string;
  /** What a caller may do. Each role includes the ones before it. */
  role: 'none' | 'viewer' | 'guest' | 'player' | 'owner';
  /** When the link ends. */
  until: string;
  /** The open WebSockets of all who use the link, the oldest first. */
  connections: GuestConnectionAnswer[];
}

/** A guest's WebSocket, such as that of the page. */
export interface GuestConnectionAnswer {
  /** The emulator's id. */
  emulator: string;
  /** The holder of its keys and its lease. */
  holder: string;
  /** When it was opened. */
  since: string;
  /** How many milliseconds its last ping took, as it says itself; absent before it has said so. */
  delayMs?: number | null;
}

/** The guests. */
export interface GuestsAnswer {
  /** The oldest first. */
  guests: GuestAnswer[];
}

/** The state of the console's devices. */
export interface HardwareAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** `gba` or `gb`. */
  platform: string;
  /** The devices. */
  parts: HardwarePartAnswer[];
  /** Which banks of a Game Boy are mapped: `rom`, `vram`, `sram` and `wram`. Absent for a GBA, and in windows. */
  banks?: { [name: string]: number } | null;
}

/** Some bits of a register. */
export interface HardwareFieldAnswer {
  /** Their name. */
  name: string;
  /** Their value; 1 is yes. */
  value: number;
  /** What this value means, or the address that it is; omitted where it is a number, yes or no. */
  meaning?: string | null;
}

/** A device. */
export interface HardwarePartAnswer {
  /** Its name. */
  name: string;
  /** Its registers. */
  registers: HardwareRegisterAnswer[];
}

/** A register of a device. */
export interface HardwareRegisterAnswer {
  /** Its name in GBATEK or Pan Docs. */
  name: string;
  /** Its address. */
  address: string;
  /** Its value. */
  value: number;
  /** What its bits mean, from the lowest on. */
  fields: HardwareFieldAnswer[];
}

/** What is kept of the history of a game. */
export interface HistoryAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How much memory it may take; 0 when none is kept. */
  megabytes: number;
  /** How much it takes. */
  bytes: number;
  /** The frame in which it begins. */
  first: number;
  /** The frame that the game is in. */
  at: number;
  /** Whether the game is in its past. */
  inPast: boolean;
  /** Why nothing is kept; absent without a reason. */
  problem?: string | null;
}

export interface HitAnswer {
  point: number;
  kind: string;
  pc: string;
  bank: number;
  symbol?: string | null;
  address?: string | null;
  name?: string | null;
  size?: number | null;
  before?: number | null;
  value?: number | null;
  after?: number | null;
  byDma?: boolean | null;
}

/** What one holder keeps down. */
export interface HolderAnswer {
  /** Its name: `http` for requests to /v2 that name none, `compat` for requests to mGBA-http's paths. */
  holder: string;
  /** Names of keys. A text such as `A+Up` is taken too. */
  keys: Key[];
}

/** Hosts, those that live first. */
export interface HostsAnswer {
  /** The hosts. */
  hosts: FleetHost[];
}

/** An instruction. */
export interface InstructionAnswer {
  /** Where it is. */
  address: string;
  /** In which bank of a Game Boy; omitted for a GBA. */
  bank?: number | null;
  /** The symbol that is there, `main` or `main+0x4`; omitted when none is known. */
  symbol?: string | null;
  /** Its bytes, in hexadecimal. */
  bytes: string;
  /** What it is: ARM and Thumb as GNU objdump writes them, the SM83 of the Game Boy as RGBDS does. */
  text: string;
  /**
   * `branch`, `call`, `return`, `interrupt` (a function of the BIOS), `data` (it reads or writes its target, or takes its address), `undefined` or
   * `other`.
   */
  kind: string;
  target?: TargetAnswer;
}

/** A guest who was invited. */
export interface InvitedGuestAnswer {
  /** The id. */
  id: string;
  /** What the owner calls the guest. */
  name: string;
  /** What a caller may do. Each role includes the ones before it. */
  role: 'none' | 'viewer' | 'guest' | 'player' | 'owner';
  /** When the link ends. */
  until: string;
  /** The page with the guest's token. It is in no other response: the gateway knows only the token's SHA-256. */
  link: string;
  /** The link as a QR code: lines of block characters, light on dark, one module wide and two high. */
  qr: string[];
}

/** What became of one item. */
export interface ItemAnswer {
  /** Whether it was done. The first that was not ends the batch. */
  ok: boolean;
  /** The number that was read. */
  value?: number | null;
  bytes?: string;
  /** Of a press: the first frame with the first key down. */
  down?: number | null;
  /** Of a press: the first frame without the last. */
  up?: number | null;
  /** Of a press: how many frames it waits for others. */
  lag?: number | null;
  /** Of a press: true when it has joined one that was waiting. */
  joined?: boolean | null;
  /** Names of keys. A text such as `A+Up` is taken too. */
  unseen?: Key[];
  /** Of a press: how many of its presses have such keys. */
  missed?: number | null;
  /** Why not, as a word. */
  code?: string | null;
  /** Why not, as a sentence. */
  detail?: string | null;
  result?: unknown;
  /** On WebSocket, where bytes are a binary message: how many of them are the item's. */
  size?: number | null;
}

/** Which keys are down. */
export interface KeysAnswer {
  /** The script's frame count when the keys were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The keys as mGBA counts them, ours and the player's: bit 0 is A, then B, Select, Start, Right, Left, Up, Down, R and L. */
  mask: number;
  /** Names of keys. A text such as `A+Up` is taken too. */
  keys: Key[];
  /** The holders and the keys that each holds down. */
  holders: HolderAnswer[];
}

/** A lease. */
export interface LeaseAnswer {
  /** The frame at which the game is stopped, unless a step is running. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whose it is: say this in the header `Mgba-Holder` of everything else. */
  holder: string;
  /** Lets the holder resume the lease through another gateway, or after a restart of this one. */
  token: string;
  /** How many milliseconds the holder may say nothing before the lease ends. */
  limitMs: number;
  /** The remaining frames of a step: it ends at `frame` + `running`. */
  running: number;
}

/** What a file has besides the symbols that were taken. */
export interface LeftOutAnswer {
  /** What it is. */
  what: string;
  /** How many there are. */
  count: number;
}

/** That the steps of a lease come from a local socket, too. */
export interface LocalStepsAnswer {
  /** The frame in which the game stands. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many bytes a step reads. */
  size: number;
}

/** A background. */
export interface MapAnswer {
  /** Its number. */
  number: number;
  /** What a background consists of. */
  kind: 'none' | 'text' | 'affine' | 'bitmap' | 'window';
  /** Whether it is shown. */
  enabled: boolean;
  /** Pixels in a row of the whole background. */
  width: number;
  /** Rows of the whole background. */
  height: number;
  /** Bits of a pixel: 2, 4 or 8; 16 for a bitmap of colours. */
  bits: number;
  /** 0 is in front. */
  priority: number;
  /** Its column at the left edge of the screen; of `affine` and `bitmap` in 1/256 pixels; of a window, the column of the screen where it begins. */
  x: number;
  /** Its line at the top edge of the screen, in the same way. */
  y: number;
  /** Whether it repeats beyond its edges. */
  wraps: boolean;
  /** Whether it is drawn with mosaic. */
  mosaic: boolean;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  tileBase: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  mapBase?: string;
  transform?: VideoTransform;
}

/** The text that each byte represents. */
export interface MapBodyTextTablesValue {
  /** A byte in two hex digits, and its text: `{"BB": "A", "BC": "B"}`. */
  codes: { readonly [name: string]: string };
  /** The byte that ends a text, in two hex digits. */
  end?: string | null;
}

/** A field of a struct. */
export interface MapBodyStructsValueFieldsValue {
  /** Its offset in bytes: 8 or `"0x8"`. */
  at: unknown;
  /** u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct. */
  type: string;
  /** The number of elements of a list. Default: a single value, not a list. */
  count?: number | null;
  /** How many bytes a text has, or bytes are. */
  length?: number | null;
  endian?: 'little' | 'big';
  /** The text table of a text: `ascii` unless given. */
  table?: string | null;
}

/** A struct: fields, each at its place. */
export interface MapBodyStructsValue {
  /** Its size in bytes. Default: up to the end of its last field. */
  size?: number | null;
  /** The fields by name. */
  fields: { readonly [name: string]: MapBodyStructsValueFieldsValue };
}

/** A value of the game. */
export interface MapBodyPropertiesValue {
  /** Where it is: an address, an offset in a domain, or a symbol, perhaps with an offset: `player+0x10`. With a chain: where the first pointer is. */
  at: string;
  /** Pointers to be followed: at each step the pointer there is read and this is added. The last one gives the value's place. */
  chain?: readonly number[] | null;
  /** u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct. */
  type: string;
  /** The number of elements of a list. Default: a single value, not a list. */
  count?: number | null;
  /** How many bytes a text has, or bytes are. */
  length?: number | null;
  endian?: 'little' | 'big';
  /** The text table of a text: `ascii` unless given. */
  table?: string | null;
}

/** A property map: what the values of a game are called, where they are and what they are. */
export interface MapBody {
  /** The game's CRC32 in hex, as `game.get` has it. Default: the open game. */
  crc32?: string | null;
  /** Text tables by name. `ascii` is always there. */
  textTables?: { readonly [name: string]: MapBodyTextTablesValue } | null;
  /** Structs by name, which can be used as a type. A struct may contain structs defined before it. */
  structs?: { readonly [name: string]: MapBodyStructsValue } | null;
  /** The properties by name, such as `player.hp`. */
  properties: { readonly [name: string]: MapBodyPropertiesValue };
  pack?: GamePack;
}

/** A background with its cells, row by row. */
export interface MapCellsAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  map: MapAnswer;
  /** Cells in a row; 0 for a bitmap. */
  columns: number;
  /** Rows of cells; 0 for a bitmap. */
  rows: number;
  /** The number of the tile of each cell, as in `video.tiles` with the map's bits; -1 for one that is not shown. */
  tiles: number[];
  /** The number of the palette of each cell. */
  palettes: number[];
  /** For each cell 1 when it is mirrored left to right, plus 2 when top to bottom, plus 4 when in front of sprites (Game Boy Color). */
  flips: number[];
}

/** The backgrounds. */
export interface MapsAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** `gba` or `gb`. */
  platform: string;
  /** The video mode, 0 to 5; 0 on a Game Boy. */
  mode: number;
  /** Whether the screen shows a picture: false when it is off or blanked. */
  on: boolean;
  /** All of them. */
  maps: MapAnswer[];
}

/** A candidate of the search. */
export interface MatchAnswer {
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** Its value in the last pass. */
  value: number;
  /** Its value when the search began. */
  first: number;
  /** Its values in the last passes, oldest first; at most `keep` of them. */
  history: SearchObservationAnswer[];
}

/** Some of the places that are left. */
export interface MatchesAnswer {
  /** The script's frame count in the last pass. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many are left in all. */
  count: number;
  /** The `offset` of the next page, if there is one. */
  next?: number | null;
  /** The places, in the order of the ranges and of addresses. */
  matches: MatchAnswer[];
}

/** A value of memory. */
export interface MemoryValueAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  value: unknown;
}

/** A value with a name. */
export interface NamedAnswer {
  /** The name. */
  name: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location?: string;
  value?: unknown;
}

/** An operation. */
export interface OperationAnswer {
  /** Its name: resource, dot, verb. */
  name: string;
  /** The HTTP method. */
  method: string;
  /** The HTTP path. */
  path: string;
  /** What an operation needs permission for. */
  access: 'read' | 'play' | 'control' | 'write' | 'manage';
  /** What a caller may do. Each role includes the ones before it. */
  role: 'none' | 'viewer' | 'guest' | 'player' | 'owner';
  /** Whether the caller's token is enough. */
  allowed: boolean;
  /** Whether it is about one emulator: the path is for the first one, and below `/i/{id}` for each. Otherwise it is about the gateway or all emulators. */
  perEmulator: boolean;
  /** Whether it is served without a token, whatever its access. */
  withoutToken: boolean;
  /** Whether it changes something, so that it must run at most once. */
  effect: boolean;
  /** Whether it can be an item of a batch. */
  inBatch: boolean;
  /** The property's name in an item of a batch; absent when it cannot be one. */
  batchName?: string | null;
  /** Whether it comes last in a batch and has a frame of its own: the gateway runs it, not the script. Absent when it cannot be an item. */
  batchLast?: boolean | null;
  /** Whether it can be requested over WebSocket. */
  webSocket: boolean;
  /** What it does. */
  summary: string;
}

/** All operations. */
export interface OperationsAnswer {
  /** What a caller may do. Each role includes the ones before it. */
  role: 'none' | 'viewer' | 'guest' | 'player' | 'owner';
  /** In the order of the reference. */
  operations: OperationAnswer[];
}

/** A way to another map: one, or those of a list in memory. */
export interface PackExit {
  /** The number of the map on which it is. Default: the map on which the player is. */
  map?: number | null;
  /** A property that is a list of structs with the fields x, y and to. Default: it is one exit. */
  list?: string | null;
  /** A number, or the name of a place in memory that has it. */
  count?: number | null;
  /** Left, top, right and bottom. */
  area: number[];
  /** The number of the map to which it leads; in a list the field has it. */
  to?: number | null;
  key?: 'Left' | 'Up' | 'Right' | 'Down';
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  when?: string;
}

/** Where the player can walk: cells in memory, row after row, each with a number. */
export interface PackGrid {
  /** The cells: a property that is a list of numbers. */
  cells: string;
  /** A number, or the name of a place in memory that has it. */
  width: number | null;
  /** A number, or the name of a place in memory that has it. */
  height: number | null;
  /** How many units a cell has in each direction. Default: 1, positions are cells. */
  cell: number;
  /** A number, or the name of a place in memory that has it. */
  left: number | null;
  /** A number, or the name of a place in memory that has it. */
  top: number | null;
  /** Whether `left` and `top` count from the player, as in a picture of what is around it. */
  fromPlayer: boolean;
  /** A number, or the name of a place in memory that has it. */
  first: number | null;
  /** From one cell to the next. Default: 1. */
  across: number;
  /** A number, or the name of a place in memory that has it. */
  down?: number | null;
  /** How many cells a map has, where the list has the cells of all maps one after the other. Default: it has those of this map. */
  eachMap?: number | null;
  /** The bits of a cell that count. Default: all. */
  mask: number;
  /** Numbers, or the name of a list in memory that has them. */
  free: string | null;
  /** The number that ends a list in memory. Default: it has none. */
  freeEnd?: number | null;
  /** Whether its body can be beyond the edge. Default: no. */
  openEdge: boolean;
}

/** A menu or a question. */
export interface PackMenu {
  /** Its name. */
  name: string;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  open: string;
  /** A number, or the name of a place in memory that has it. */
  cursor?: number | null;
  /** The options, from the first on. */
  options: string[];
  /** Names of keys. A text such as `A+Up` is taken too. */
  previous: Key[];
  /** Names of keys. A text such as `A+Up` is taken too. */
  next: Key[];
  /** Names of keys. A text such as `A+Up` is taken too. */
  select: Key[];
}

/** What may be reached in the game. */
export interface PackMilestone {
  /** Its name. */
  name: string;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  when: string;
  /** The points for it. Default: 1. */
  points: number;
}

/** Who walks: where it is, and how it moves. Positions count in the game's own units, pixels or tiles. */
export interface PackPlayer {
  /** A number, or the name of a place in memory that has it. */
  x: number | null;
  /** A number, or the name of a place in memory that has it. */
  y: number | null;
  /** A number, or the name of a place in memory that has it. */
  map: number | null;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  present?: string;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  free?: string;
  /** Left, top, right and bottom. */
  body: number[];
  /**
   * How much longer a diagonal unit takes than a straight one: 1.5 where the game goes 3 units straight in the time of 2 diagonal ones. Default: it cannot
   * go diagonally.
   */
  diagonal?: number | null;
}

/** The text box. */
export interface PackTextBox {
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  open: string;
  /** Its text: a property that is a text. Default: the text on the screen, by the text table `glyphs`. */
  value?: string | null;
  /** Names of keys. A text such as `A+Up` is taken too. */
  next: Key[];
}

/** What is somewhere on a map: one thing with a name, or those of a list in memory. */
export interface PackThing {
  /** Its name. Those of a list get a number behind it. */
  name: string;
  /** A property that is a list of structs with the fields x and y. Default: it is one thing. */
  list?: string | null;
  /** A number, or the name of a place in memory that has it. */
  count?: number | null;
  /** The number of its map. Default: the map on which the player is. */
  map?: number | null;
  /** A number, or the name of a place in memory that has it. */
  x: number | null;
  /** A number, or the name of a place in memory that has it. */
  y: number | null;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  when?: string;
  /**
   * Write for example "player.hp < 10 and 0x02000008 u32 >= 100 or counter changed", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt,
   * le, gt, ge, mask, any (one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either
   * side.
   */
  unless?: string;
  /** From left to right, and from top to bottom. */
  blocks?: number[][];
  /** From left to right, and from top to bottom. */
  avoid?: number[][];
  /** How far away the player stands to talk to it, in units. Default: one cell. */
  talk?: number | null;
  /** From which sides. Default: all four. */
  sides?: ('Left' | 'Up' | 'Right' | 'Down')[] | null;
}

/** A palette. */
export interface PaletteAnswer {
  /** Its number: on the GBA 0 to 15 and 16 to 31 for sprites; on a Game Boy 0 to 7 and 8 to 15, without colours 0, 8 and 9. */
  number: number;
  /** Whether it is for sprites. */
  sprites: boolean;
  /** Its colours as `#RRGGBB`, 16 or 4. The first one is transparent, except in backgrounds of a Game Boy. */
  colors: string[];
}

/** Palettes. */
export interface PalettesAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** `gba` or `gb`. */
  platform: string;
  /** Those of backgrounds, then those of sprites. */
  palettes: PaletteAnswer[];
}

/** A point that was set. */
export interface PointAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its id. */
  point: number;
}

/** A point. */
export interface PointEntry {
  /** Its id. */
  point: number;
  /** Whose it is. */
  holder: string;
  /** What hits it. */
  kind: string;
  /** Its first address. */
  first: string;
  /** Its last address. */
  last: string;
  /** Its bank; absent for any. */
  bank?: number | null;
  /** Its condition, as it was entered; absent for none. */
  condition?: string | null;
  /** Whether it halts the game. */
  halts: boolean;
  /** How often it was hit. */
  hits: number;
}

/** The points of an emulator. */
export interface PointsAnswer {
  /** The script's frame count when they were listed. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** All of them, in the order of their ids. */
  points: PointEntry[];
}

/** When the game sees a press. */
export interface PressAnswer {
  /** The script's frame count when it was answered. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The first frame with the first key down. */
  down: number;
  /** The first frame without the last; a later press with `waiting` may make it earlier. */
  up: number;
  /** How many frames the press waits for others. */
  lag: number;
  /** True when it has joined a press that was waiting: both are one, in these frames. */
  joined?: boolean | null;
  /** Names of keys. A text such as `A+Up` is taken too. */
  unseen?: Key[];
  /** How many of the presses have such keys; absent when none has. */
  missed?: number | null;
}

/** The process of an emulator that the gateway started. */
export interface ProcessAnswer {
  /** The process id; 0 while it is being restarted. */
  pid: number;
  /** The ROM that it was started with: for owners its path, for others its name. */
  rom: string;
  /** The CRC32 of that file as the emulator read it; absent when it cannot be read. */
  romCrc32?: string | null;
  /** The CRC32 of what the file has now, when it was built again since: `emulators.restart` loads it. Absent when it is the same, and for a window. */
  newRomCrc32?: string | null;
  /** Whether it runs in a window. */
  window: boolean;
  /** When the process started. */
  startedAt: string;
  /** Seconds since then. */
  uptimeSeconds: number;
  /** Resident memory. */
  memoryBytes: number;
  /** Processor time since its start. */
  cpuSeconds: number;
  /** Frames a second over the last two seconds; absent for a window. */
  fps?: number | null;
  /** Frames a second that were set, 0 for as fast as possible; absent for the console's own rate. */
  targetFps?: number | null;
  /** The highest frame rate that somebody holds by `speed.hold`; absent when nobody does. It runs at this one while it is higher than `targetFps`. */
  heldFps?: number | null;
  /** Whether it was paused by `emulators.run`. */
  paused: boolean;
  /** How often it was restarted after a fault. */
  restarts: number;
  /** The folder of its save file; for owners. */
  saves?: string | null;
  /** The file with what it prints; for owners. */
  log?: string | null;
  /** What its user has to do before it can be used; absent if nothing. */
  nextStep?: string | null;
  /** Why the last automatic state that was due could not be taken or kept; absent when it was. Until then a fault loses more play. */
  stateProblem?: string | null;
  lastFault?: FaultAnswer;
}

/** The properties of the game. */
export interface PropertiesAnswer {
  /** The script's frame count when the game was asked for. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The game's checksum. */
  crc32: string;
  /** All of them, in the order of the map. */
  properties: PropertyAnswer[];
}

/** A property. */
export interface PropertyAnswer {
  /** Its name. */
  name: string;
  /** Where it is, or the first pointer of its chain. */
  at: string;
  /** What it is. */
  type: string;
  /** What is added to each pointer, if any are followed. */
  chain?: number[] | null;
}

/** The result of one read. */
export interface ReadAnswer {
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** The number, if a type was given. */
  value?: number | null;
  bytes?: string;
}

/** What was read, all in one frame. */
export interface ReadsAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** In the order of the request. */
  reads: ReadAnswer[];
}

/** Whether the emulator answers. */
export interface ReadyAnswer {
  /** Whether it does. */
  ready: boolean;
  /** The state of an emulator in `/v2/status`. */
  state: 'connecting' | 'ready' | 'script-missing' | 'wrong-version' | 'other-program' | 'refused' | 'silent' | 'leased' | 'paused' | 'halted' | 'stopped' | 'crashed' | 'no-game';
  /** Since when. */
  since: string;
  /** What is wrong and what to do; absent when all is well. */
  detail?: string | null;
}

/** A ballot that was counted lately. */
export interface RecentBallot {
  /** Whose it is, as the program that cast it wrote the name. */
  voter: string;
  /** The name of the choice. */
  choice: string;
  /** How many times it is pressed; absent for once. */
  times?: number | null;
}

/** A recording. */
export interface RecordingAnswer {
  /** Its name. */
  id: string;
  /** The frame of the state that it begins with. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The frame of the last hash. */
  last: number;
  /** How many changes of the keys it has. */
  inputs: number;
  /** How many hashes it has. */
  hashes: number;
  /** Why it ended, such as `stopped`, `game.reset` or `full`; absent while it is running. */
  ended?: string | null;
}

/** The recordings of an emulator. */
export interface RecordingsAnswer {
  /** Oldest first. */
  recordings: RecordingAnswer[];
}

/** Where a region of two states differs. */
export interface RegionAnswer {
  /** The region: `machine` (registers and devices), `io`, `palette`, `oam`, `vram`, `iwram`, `wram`, `hram` or `super` (Super Game Boy). */
  name: string;
  /** Its size. */
  length: number;
  /** Where it begins on the bus; absent for what has no address. */
  address?: string | null;
  /** How many bytes differ. */
  bytes: number;
  /** Where, at most 64. */
  runs: RunAnswer[];
  /** How many follow that are not listed. */
  moreRuns: number;
}

/** A register of the processor. */
export interface RegisterAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its name. */
  name: string;
  /** Its value, unsigned. */
  value: number;
}

/** All registers of the processor. */
export interface RegistersAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Values by name, unsigned. `sp`, `lr` and `pc` are other names of `r13`, `r14` and `r15`. */
  registers: { [name: string]: number };
}

/** The end of a lease. */
export interface ReleaseAnswer {
  /** The frame from which on the game runs by itself. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whether there was one. */
  released: boolean;
}

/** Points that were removed. */
export interface RemovedAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many. */
  removed: number;
}

/** How a replay ended. */
export interface ReplayAnswer {
  /** The script's frame count at the end, from which the game continues. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whether every hash was the same. */
  same: boolean;
  /** How many frames ran. */
  frames: number;
  /** How many changes of the keys were made. */
  inputs: number;
  /** How many hashes were the same. */
  hashes: number;
  divergence?: Divergence;
}

/** How long requests of one command with one outcome took. */
export interface RequestDurations {
  /** The command. */
  command: string;
  /** `ok`, `left` (the caller left), or a failure's name. */
  outcome: string;
  /** How many took at most as long as each bound and longer than the bound before it; the last of them took longer than all bounds. */
  counts: number[];
}

/** The states to go back to. */
export interface RewindAnswer {
  /** How many frames lie between two. */
  every: number;
  /** How many are kept. */
  most: number;
  /** The bytes that they have. */
  bytes: number;
  /** The states, oldest first. */
  points: RewindPointAnswer[];
}

/** A state to go back to. */
export interface RewindPointAnswer {
  /** The frame that it is of, which is its name. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many bytes it has. */
  bytes: number;
}

/** Where the game continues after it went back. */
export interface RewoundAnswer {
  /** The script's frame count. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The frame of the state from which it continues, which is the state's name. */
  point: number;
  /** Whether there is no older state. */
  oldest: boolean;
}

/** A ROM that was deleted. */
export interface RomDeletedAnswer {
  /** Its name. */
  rom: string;
}

/** A ROM that was uploaded. */
export interface RomUploadedAnswer {
  /** The name under which it can be started. */
  rom: string;
  /** Its size. */
  bytes: number;
  /** Whether it was not there before. */
  isNew: boolean;
  /** An emulator of the gateway that runs the same bytes, without a patch; absent if none does. */
  emulator?: string | null;
  /** Save data, patches and cheats in the zip archive, which are not used, at most eight. Absent if there are none. */
  leftOut?: string[] | null;
}

/** The ROMs that can be started. */
export interface RomsAnswer {
  /** Names of uploaded ones, and paths relative to one of `Bridge:Owned:RomFolders`, by name: at most 1000. */
  roms: string[];
  /** Files whose names are not UTF-8, with U+FFFD for what cannot be read: rename them to start them. Absent if there are none. */
  misnamed?: string[] | null;
}

/** The result of a round. */
export interface RoundAnswer {
  /** Its number. */
  round: number;
  /** The choice with the most ballots; absent when there were none. Of several with as many the one that had them first. */
  choice?: string | null;
  /** How many it had. */
  ballots: number;
  /** How many ballots were counted in the round. */
  of: number;
}

/** Bytes next to each other that differ; up to four equal ones may lie between. */
export interface RunAnswer {
  /** Where they begin in the region. */
  offset: number;
  /** How many there are. */
  length: number;
}

/** Save data that a game has got. */
export interface SaveLoadedAnswer {
  /** The script's frame count when the game was reset. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many bytes it has. */
  length: number;
  /** The name of the state before, which has the save data before; absent when there was none. */
  kept?: string | null;
}

/** A scenario. */
export interface ScenarioAnswer {
  /** Its name. */
  name: string;
  /** Its variables, in the order in which `vector.step` returns them. */
  variables: VariableAnswer[];
  /** The key combinations of each group, of which a step may hold one; empty when every combination is allowed. */
  actions: string[][];
  /** The reward of a step, for programs that compute it: on a stack, in postfix order. Omitted in lists, as is `done`. */
  reward?: ExpressionStep[] | null;
  /** Likewise a number that is positive when the episode is over. */
  done?: ExpressionStep[] | null;
  crop?: CropAnswer;
}

/** All scenarios. */
export interface ScenariosAnswer {
  /** By name. */
  scenarios: ScenarioAnswer[];
}

/** A search. */
export interface SearchAnswer {
  /** The script's frame count in the last pass, or the frame of the past that it looked at. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its name in paths. */
  id: string;
  /** The type of a number in memory. */
  type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
  /** The byte order of a number in memory. */
  endian: 'little' | 'big';
  /** Where a number may start. */
  alignment: number;
  /** The ranges of memory that it covers. */
  ranges: SearchRange[];
  /** How often memory was read, including at the start. */
  passes: number;
  /** How many places are left. */
  count: number;
  /** How many bytes it keeps in the gateway. */
  memory: number;
  /** Whether `searches.undo` can go back to before the last test. */
  canUndo: boolean;
}

/** What a number was in a pass. */
export interface SearchObservationAnswer {
  /** The script's frame count then. */
  frame: number;
  /** The number. */
  value: number;
}

/** A part of memory. */
export interface SearchRange {
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** How many bytes. */
  length: number;
}

/** The searches of an emulator. */
export interface SearchesAnswer {
  /** Each of them. */
  searches: SearchAnswer[];
  /** How many bytes the searches of all emulators keep. */
  memory: number;
  /** How many they may keep (the setting `Bridge:Search:MaxMemory`). */
  maxMemory: number;
}

/** What the sensors of the cartridge show. */
export interface SensorsAnswer {
  /** The script's frame count when it ran. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How bright the light is: 0 dark, 1 bright. */
  light: number;
  /** The same as the bars that games with a light sensor show: 0 to 10. */
  level: number;
  /** By how many degrees the right edge, and the edge away from the player, are down. */
  tilt: number[];
  /** By how many degrees a second the console is turned clockwise. */
  gyro: number;
  /** Whether the camera sees a picture; otherwise darkness. */
  camera: boolean;
}

/** Sessions in the order of their ids. */
export interface SessionsAnswer {
  /** The sessions. */
  sessions: FleetSession[];
}

/** The SHA-1 of the ROM. */
export interface Sha1Answer {
  /** The script's frame count when the game was asked for. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Its SHA-1, 40 hex digits. */
  sha1: string;
}

/** A sprite. */
export interface SpriteAnswer {
  /** Its number. */
  number: number;
  /** Whether it is drawn and a part of its area is on the screen. */
  onScreen: boolean;
  /** How a sprite is drawn. */
  mode: 'normal' | 'blended' | 'window' | 'hidden';
  /** The column of the screen of its left edge; may be negative. */
  x: number;
  /** The line of the screen of its top edge; may be negative. */
  y: number;
  /** Pixels in a row; 0 when its size is invalid. */
  width: number;
  /** Rows. */
  height: number;
  /** The number of its first tile, as in `video.tiles`; on the GBA always in units of tiles of 4 bits. */
  tile: number;
  /** Bits of a pixel. */
  bits: number;
  /** The number of its palette. */
  palette: number;
  /** 0 is in front; on a Game Boy 1 is behind the colours 1 to 3 of the background. */
  priority: number;
  /** Whether it is mirrored left to right. */
  flipX: boolean;
  /** Whether it is mirrored top to bottom. */
  flipY: boolean;
  /** Whether it is drawn with mosaic. */
  mosaic: boolean;
  /** Whether the area that it is drawn in has twice its width and height. */
  doubleSize: boolean;
  transform?: VideoTransform;
}

/** The sprites. */
export interface SpritesAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** `gba` or `gb`. */
  platform: string;
  /** All of them, 128 or 40, hidden ones included. */
  sprites: SpriteAnswer[];
}

/** How one emulator is. */
export interface StatusAnswer {
  /** Its name in paths below `/i/`. */
  id: string;
  /** The state of an emulator in `/v2/status`. */
  state: 'connecting' | 'ready' | 'script-missing' | 'wrong-version' | 'other-program' | 'refused' | 'silent' | 'leased' | 'paused' | 'halted' | 'stopped' | 'crashed' | 'no-game';
  /** Since when. */
  since: string;
  /** What is wrong and what to do; absent when all is well. */
  detail?: string | null;
  /** The last thing the script announced that bears on this, such as `game.closed`. */
  lastAnnounced?: string | null;
  /** When it announced that. */
  lastAnnouncedAt?: string | null;
  /** Why the save file does not have what the game or a client saved; absent when it has. The emulator keeps it and tries again each second. */
  saveProblem?: string | null;
  /** Who has the lockstep lease; absent when nobody has it. */
  leaseHolder?: string | null;
  /** The script's version. */
  script?: string | null;
  /** mGBA's version. */
  mgba?: string | null;
  /** Where the script runs: `qt`, `headless` or `unknown`. */
  host?: string | null;
  /** The port the script listens on. */
  port?: number | null;
  /** The epoch when the newest connection was greeted or the game was opened, whichever was later. */
  epoch?: string | null;
  /** The game's title. */
  title?: string | null;
  /** The game's code. */
  code?: string | null;
  /** `gba`, `gb` or `none`. */
  platform?: string | null;
  /** What this emulator can do. */
  capabilities: string[];
  /** Open connections to the script. */
  connections: number;
  /** Requests sent and not answered. */
  inFlight: number;
  /** Requests that wait for capacity. */
  waiting: number;
  /** The clients that are connected by the protocols of other emulators; absent when there are none. */
  clients?: DoorClientAnswer[] | null;
  process?: ProcessAnswer;
}

/** A state that was loaded. */
export interface StoredLoadedAnswer {
  /** The script's frame count. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Why the game may not run as before; absent when the state is of its ROM. */
  warning?: string | null;
  /** The name of the state before, whose save data the game's next save replaces; absent when that is the same or is kept already. */
  kept?: string | null;
}

/** A state that the gateway keeps. */
export interface StoredStateAnswer {
  /** Its name. */
  name: string;
  /**
   * Why it is kept: `named` (by a caller), `before-save` (how the game was before it got other save data), or `automatic` (taken regularly, to continue
   * from after a fault).
   */
  kind: string;
  /** The emulator that it was taken of. */
  emulator: string;
  /** The game's title. */
  title: string;
  /** The game's code as mGBA reports it. */
  code: string;
  /** `gba` or `gb`. */
  platform: string;
  /** The CRC32 of the ROM, `0x` and eight hex digits. */
  crc32: string;
  /** The script's frame count when it was taken. */
  frame: number;
  /** When it was taken. */
  savedAt: string;
  /** Its size. */
  bytes: number;
  /** The hash of its bytes, which is also its `ETag`. */
  sha256: string;
  /** Whether `states.picture` shows it. */
  picture: boolean;
  /** Whether it is deleted when its holder's stream ends. */
  temporary: boolean;
}

/** All states, newest first. */
export interface StoredStatesAnswer {
  /** The states. */
  states: StoredStateAnswer[];
  /** Their size together. */
  bytes: number;
  /** How many of each kind there may be. */
  maxStates: number;
  /** The bytes that those of each kind may have together. */
  maxBytes: number;
}

/** A symbol. */
export interface SymbolAnswer {
  /** Its name. */
  name: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location?: string;
  /** How many bytes it has, if that is known. */
  size?: number | null;
  /** The value of a constant, which is no place in memory; else omitted. */
  value?: number | null;
}

/** The symbols of the game. */
export interface SymbolsAnswer {
  /** The script's frame count when the game was asked for. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The game's checksum. */
  crc32: string;
  /** What file they came from: elf, map, sym or noi; omitted when there are none. */
  format?: string | null;
  /** How many there are in all, or how many have the text that was asked for. */
  count: number;
  /** What the file has besides; omitted when there are none. */
  leftOut?: LeftOutAnswer[] | null;
  /** The `offset` of the next page, if there is one. */
  next?: number | null;
  /** Some of them, by place; constants behind them, by name. */
  symbols: SymbolAnswer[];
}

export interface TargetAnswer {
  address: string;
  bank?: number | null;
  symbol?: string | null;
  value?: string | null;
  valueSymbol?: string | null;
}

/** The text that the backgrounds show. */
export interface TextAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The rows of tiles with at least one letter. */
  lines: string[];
}

/** Tiles. */
export interface TilesAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Bits of a pixel in memory. */
  bits: number;
  /** The number of the first tile. */
  first: number;
  /** How many. */
  count: number;
  pixels: string;
}

/** What the game did. */
export interface TraceAnswer {
  /** The script's frame count when the search had ended. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The events, in their order. */
  events: TraceEventAnswer[];
  next: TracePlace;
  /** How many frames at the beginning are not kept any more. */
  missed: number;
}

/** Something that the game did. */
export interface TraceEventAnswer {
  /** The frame in which it was. */
  at: number;
  /** Its number in this frame, of the events that are asked for. */
  number: number;
  /** Cycles of the machine since the frame began. */
  cycle: number;
  /** The line of the picture that was drawn then. */
  line: number;
  /**
   * What it was: `instruction`, `call`, `return`, `interrupt`, or a write to a device: `dma` (also what DMA writes), `display`, `sound`, `timer`,
   * `serial`.
   */
  kind: string;
  /** The instruction; of an interrupt the one that is interrupted. */
  pc: string;
  /** Its bank, on a Game Boy. */
  bank?: number | null;
  /** Its name, perhaps with an offset; absent where no symbol is known. */
  symbol?: string | null;
  /** The instruction itself; absent for others than the kind `instruction`. */
  text?: string | null;
  /** What is called, returned to or written, or the vector of the interrupt; absent for the kind `instruction`. */
  address?: string | null;
  /** The name of this address; absent where none is known. */
  name?: string | null;
  /** How many bytes are written; absent for others than writes. */
  size?: number | null;
  /** What is written. */
  value?: number | null;
  /** Whether DMA wrote it, and not the instruction. */
  byDma?: boolean | null;
}

/** A place in a trace. */
export interface TracePlace {
  /** The frame. */
  from: number;
  /** The number of an event in it. */
  number: number;
}

/** The newest requests to an emulator. */
export interface TrafficAnswer {
  /** The id of the last request to any emulator, to continue after it. It begins again when the gateway restarts. */
  last: number;
  /** The requests, oldest first. */
  requests: TrafficEntryAnswer[];
  /** The bounds of the counts in Durations, in milliseconds. */
  boundsMs: number[];
  /** How long requests took since the first request for this list, for each command and outcome. */
  durations: RequestDurations[];
}

/** A request to an emulator that has ended. */
export interface TrafficEntryAnswer {
  /** Its number, in the order of their ends. */
  id: number;
  /** When it was made. */
  at: string;
  /** The command of the wire protocol. */
  command: string;
  /** `ok`, `left` (the caller left), or a failure's name. */
  outcome: string;
  /** Milliseconds from the request to its reply or failure. */
  ms: number;
  /** The frame of the reply; absent when there is none. */
  frame?: number | null;
  /** What went wrong; absent when all is well. */
  detail?: string | null;
}

/** Freezes that were released. */
export interface UnfreezeAnswer {
  /** The first frame in which they were not written. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** How many. */
  released: number;
}

/** A value with a name. */
export interface ValueAnswer {
  /** The script's frame count when it was read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The name. */
  name: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location?: string;
  value?: unknown;
}

/** Values with names, all from one frame. */
export interface ValuesAnswer {
  /** The script's frame count when they were read. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The values, in the order that was asked for. */
  values: NamedAnswer[];
}

/** A variable of a scenario. */
export interface VariableAnswer {
  /** Its name. */
  name: string;
  /** An address on the game's bus (`0x02000000`), or an offset in a memory domain (`wram:0x10`). */
  location: string;
  /** How it is stored, as in `data.json`. */
  type: string;
  /** The bits that count; omitted for all of them. */
  mask?: number | null;
}

export interface VideoTransform {
  a: number;
  b: number;
  c: number;
  d: number;
}

/** A vote. */
export interface VoteAnswer {
  /** Its id. */
  id: string;
  /** What it is about. */
  title?: string | null;
  /** How ballots become presses. */
  mode: 'democracy' | 'anarchy';
  /** Whether ballots are taken. */
  open: boolean;
  /** The holder of its presses. */
  holder: string;
  /** The number of the round, from 1. */
  round: number;
  /** How many seconds of the round are left, of anarchy of the vote; absent when it has no end, and when it has ended. */
  left?: number | null;
  /** How many ballots were counted in this round. */
  ballots: number;
  /** How many voters they came from. */
  voters: number;
  /** The choices, each with its ballots in this round. */
  choices: ChoiceAnswer[];
  last?: RoundAnswer;
  /** The last ballots, the newest last. */
  recent: RecentBallot[];
  /** How many presses wait. */
  waiting: number;
  /** How many presses the game got. */
  pressed: number;
  /** How many ballots were counted and are not pressed, because as many presses waited as may. */
  dropped: number;
  /** Why the last press failed, such as that another holder has the lease; absent when it did not. */
  problem?: string | null;
}

/** A voter whose ballots are refused. */
export interface VoterAnswer {
  /** The name. */
  voter: string;
  /** For how many seconds more; absent for until it is unblocked. */
  left?: number | null;
}

/** Voters whose ballots are refused. */
export interface VotersAnswer {
  /** In the order of their names. */
  voters: VoterAnswer[];
}

/** The votes of an emulator. */
export interface VotesAnswer {
  /** The newest first. */
  votes: VoteAnswer[];
}

/** How a wait ended. */
export interface WaitAnswer {
  /** The frame in which it ended. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** Whether the condition holds; false when the frames ran out first. */
  met: boolean;
  /** Every number that was read, in the order of the conditions. */
  values: number[];
}

/** Something was written. */
export interface WriteAnswer {
  /** The script's frame count when it was answered. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The frame of the first byte written. */
  first: number;
  /** The frame of the last byte written: later than the first for more than 16 KiB. */
  last: number;
}

/** A write of another value. */
export interface WriterAnswer {
  /** Who it was: `game` (an instruction), `dma`, or `outside`: a client, a freeze, a state or a reset. */
  by: string;
  /** The frame in which it was. */
  frame: number;
  /** The instruction; absent for others than the game. */
  pc?: string | null;
  /** Its bank, on a Game Boy. */
  bank?: number | null;
  /** Its name, perhaps with an offset; absent where no symbol is known. */
  symbol?: string | null;
  /** Where it was. */
  address: string;
  /** The name of this address; absent where none is known. */
  name?: string | null;
  /** How many bytes it had: 1, 2 or 4. */
  size: number;
  /** The value before it. */
  before: number;
  /** The value that was there then. */
  value: number;
}

/** Who wrote to a place last. */
export interface WritersAnswer {
  /** The script's frame count when the search had ended. */
  frame: number;
  /** Changes when the script or the game changes: eight hex digits. */
  epoch: string;
  /** The writes, the last one first. */
  writers: WriterAnswer[];
}

/** What must hold; guards come first. */
export interface BatchRunItemsItemGuard {
  /** Where. */
  location: string;
  /** What the number is, little-endian. */
  type?: 'u8' | 'u16' | 'u32';
  /** How it compares. */
  is?: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
  /** With what; negative ones in two's complement. */
  value?: number;
  /** The bytes that must stand there, instead of type and value. */
  bytes?: string;
}

/** Read memory. */
export interface BatchRunItemsItemRead {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** What the number is, little-endian. */
  type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
  /** How many bytes. */
  length?: number;
}

/** Read bytes, all from one frame. */
export interface BatchRunItemsItemMemoryRead {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** How many bytes. */
  length: number;
}

/** Write bytes. */
export interface BatchRunItemsItemWrite {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** What the number is, little-endian. */
  type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
  /** The number, instead of bytes; negative ones in two's complement. */
  value?: number;
  /** The bytes, instead of type and value; up to 16 KiB in a batch. */
  bytes?: string;
}

/** Hold exactly these keys. */
export interface BatchRunItemsItemSetKeys {
  /** The keys. */
  keys: readonly Key[];
}

/** Press more keys and hold them. */
export interface BatchRunItemsItemAddKeys {
  /** The keys. */
  keys: readonly Key[];
}

/** Release keys. */
export interface BatchRunItemsItemClearKeys {
  /** The keys. */
  keys: readonly Key[];
}

/** Press keys together for some frames. */
export interface BatchRunItemsItemTap {
  /** The keys to press together. */
  keys: readonly Key[];
  /** For how many frames. */
  frames?: number;
  /** How many frames up before the same key may go down again. */
  gap?: number;
  /** Whether the response is sent when the keys are up again rather than immediately. */
  wait?: boolean;
  /**
   * What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the one before
   * it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than 24 frames.
   * `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun.
   */
  waiting?: 'queue' | 'shorten' | 'replace';
}

export interface BatchRunItemsItemSequenceStepsItem {
  /** The keys to press together; none to wait. */
  keys?: readonly Key[];
  /** For how many frames. */
  frames: number;
}

/** Press keys one after the other. */
export interface BatchRunItemsItemSequence {
  /**
   * Keys or `wait`, and frames: `A 4, wait 10, Up+B 2`. Up to 512 steps. Sensors of the cartridge show something meanwhile: `tilt 10/-5 4`, `B light 0.8
   * gyro 30 10`.
   */
  sequence?: string;
  /** The same as a list, instead of `sequence`. */
  steps?: readonly BatchRunItemsItemSequenceStepsItem[];
  /** How many frames up before the same key may go down again. */
  gap?: number;
  /** Whether the response is sent when the keys are up again rather than immediately. */
  wait?: boolean;
  /**
   * What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it shortens the one before
   * it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait for more than 24 frames.
   * `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun.
   */
  waiting?: 'queue' | 'shorten' | 'replace';
}

/** Set sensors of the cartridge. */
export interface BatchRunItemsItemSensors {
  /** How bright the light is: 0 dark, 1 bright. */
  light?: number;
  /** The light as the bars that games with a light sensor show, instead of `light`. */
  level?: number;
  /** By how many degrees the right edge, and the edge away from the player, are down. */
  tilt?: readonly number[];
  /** By how many degrees a second the console is turned clockwise. */
  gyro?: number;
}

/** Show a picture to the camera of the cartridge. */
export interface BatchRunItemsItemCamera {
  /** The picture, a PNG or JPEG. */
  bytes?: string;
}

/** Write a register. */
export interface BatchRunItemsItemRegistersWrite {
  /** A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB). */
  name: string;
  /** The number, up to 32 bits; negative ones in two's complement. */
  value: number;
}

/** Instructions as text. The gateway runs it after all others. */
export interface BatchRunItemsItemDebugDisassemble {
  /**
   * Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address is in Thumb. Without
   * it, at the instruction that is executed next.
   */
  address?: string;
  /** How many. */
  count?: number;
  /** As which instructions. As the processor executes them now, unless given. */
  mode?: 'arm' | 'thumb' | 'sm83';
  /** In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now. */
  bank?: number;
}

/** The functions that are under way. The gateway runs it after all others. */
export interface BatchRunItemsItemDebugBacktrace {
  /** How many functions at most. */
  count?: number;
}

/** The state of display, sound, DMA, timers and interrupts. The gateway runs it after all others. */
export interface BatchRunItemsItemDebugHardware {
  /** Only this device. */
  part?: 'display' | 'sound' | 'dma' | 'timers' | 'keys' | 'interrupts' | 'memory' | 'serial';
}

/** the picture as pixels, as of `screen.pixels`. */
export interface BatchRunItemsItemPixels {
  /** Whether a pixel is one byte, its brightness, rather than red, green and blue. */
  grey?: boolean;
  /** How many pixels a row has, made from averages of areas; those of the picture unless given. */
  width?: number;
  /** How many rows there are, as `width`. */
  height?: number;
}

/** Tiles, as the palette's colours of their pixels. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoTiles {
  /** Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. */
  bits?: number;
  /** The number of the first tile. */
  first?: number;
  /** How many tiles; all that follow unless given. */
  count?: number;
}

/** A background with its tile map. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoMap {
  /** A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. */
  map: number;
}

/** The palettes as a PNG. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoPalettesPicture {
  /** Makes each pixel a square of this many. */
  scale?: number;
}

/** Tiles side by side as a PNG. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoTilesPicture {
  /** Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. */
  bits?: number;
  /** The number of the first tile. */
  first?: number;
  /** How many tiles; all that follow unless given. */
  count?: number;
  /** The number of the palette to show them with, as in `video.palettes`. */
  palette?: number;
  /** Tiles in a row. */
  columns?: number;
  /** Makes each pixel a square of this many. */
  scale?: number;
}

/** A background as a PNG. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoMapPicture {
  /** A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. */
  map: number;
  /** What of it. */
  part?: 'whole' | 'screen';
  /** Makes each pixel a square of this many. */
  scale?: number;
}

/** The sprites on the screen as a PNG. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoSpritesPicture {
  /** Makes each pixel a square of this many. */
  scale?: number;
}

/** A sprite as a PNG. The gateway runs it after all others. */
export interface BatchRunItemsItemVideoSpritePicture {
  /** A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy. */
  sprite: number;
  /** Makes each pixel a square of this many. */
  scale?: number;
}

/** Write a line into mGBA's Scripting window. */
export interface BatchRunItemsItemConsoleWrite {
  /** The line. */
  text: string;
  /** How it is shown. */
  level?: 'log' | 'warn' | 'error';
}

/** Use a file for save data. */
export interface BatchRunItemsItemSaveLoad {
  /** Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing. */
  file: string;
  /** Whether what the game saves is not written back to it. */
  temporary?: boolean;
}

/** The symbols of the game. The gateway runs it after all others. */
export interface BatchRunItemsItemSymbolsList {
  /** Only names that have this text in them, in capitals or not. */
  contains?: string;
  /** How many to leave out. */
  offset?: number;
  /** The maximum number in the response. */
  limit?: number;
}

/** Read values by name, all from one frame. The gateway runs it after all others. */
export interface BatchRunItemsItemValuesReadMany {
  /** Names of properties, parts of them and symbols. */
  names: readonly string[];
}

/** Read a value by name. The gateway runs it after all others. */
export interface BatchRunItemsItemValuesRead {
  /** A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`. */
  name: string;
  /** What a symbol is. By its size unless given, else u32. */
  type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes';
  /** How many numbers side by side: the value is a list then. */
  count?: number;
  /** The byte order of numbers. */
  endian?: 'little' | 'big';
  /** How many bytes a text has, or bytes are. */
  length?: number;
  /** A text table of the game's property map; `ascii` unless given. */
  table?: string;
}

/** Read a list, a text, or a number in either byte order. The gateway runs it after all others. */
export interface BatchRunItemsItemMemoryReadValue {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** What it is. */
  type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes';
  /** How many numbers side by side: the value is a list then. */
  count?: number;
  /** The byte order of numbers. */
  endian?: 'little' | 'big';
  /** How many bytes a text has, or bytes are. */
  length?: number;
  /** A text table of the game's property map; `ascii` unless given. */
  table?: string;
}

/** The state of a search. The gateway runs it after all others. */
export interface BatchRunItemsItemSearchesGet {
  /** The id of a search. */
  search: string;
}

/** The remaining candidates. The gateway runs it after all others. */
export interface BatchRunItemsItemSearchesMatches {
  /** The id of a search. */
  search: string;
  /** How many to leave out. */
  offset?: number;
  /** The maximum number in the response. */
  limit?: number;
}

/** The lines of a recording. The gateway runs it after all others. */
export interface BatchRunItemsItemRecordingsDownload {
  /** The id of a recording. */
  recording: string;
}

/** The picture of a state. The gateway runs it after all others. */
export interface BatchRunItemsItemRewindScreen {
  /** The frame of a state in the ring. */
  frame: number;
}

/** The bytes of a state that the gateway keeps. The gateway runs it after all others. */
export interface BatchRunItemsItemStatesGet {
  /** The name of a kept state. */
  name: string;
}

/** The picture of a state that the gateway keeps. The gateway runs it after all others. */
export interface BatchRunItemsItemStatesPicture {
  /** The name of a kept state. */
  name: string;
}

/** Where two states differ. The gateway runs it after all others. */
export interface BatchRunItemsItemStatesCompare {
  /** The name of a kept state. */
  name: string;
  /** The name of the other state. */
  with: string;
}

/** The last lines that an emulator printed. The gateway runs it after all others. */
export interface BatchRunItemsItemEmulatorsLog {
  /** The id of an emulator. */
  id: string;
}

/** The sessions of the fleet, in the order of their ids. The gateway runs it after all others. */
export interface BatchRunItemsItemFleetSessionsList {
  /** Only those of this owner. */
  owner?: string;
  /** Only those in this state. */
  state?: 'pending' | 'placed' | 'running' | 'deleting';
  /** Only those behind this id: the last one of the previous response. */
  after?: string;
  /** How many at most. */
  limit?: number;
}

/** One session of the fleet. The gateway runs it after all others. */
export interface BatchRunItemsItemFleetSessionsGet {
  /** The id of a session of the fleet. */
  session: string;
}

/** What happened in the fleet, oldest first. The gateway runs it after all others. */
export interface BatchRunItemsItemFleetEvents {
  /** Only those of this session. */
  session?: string;
  /** The oldest with a higher id, such as the last one of the previous response; without it, the newest of all. */
  after?: number;
  /** How many at most. */
  limit?: number;
}

/** The newest requests to the emulator, and how long requests took. The gateway runs it after all others. */
export interface BatchRunItemsItemTrafficList {
  /** Only requests with a higher `id`: `last` of the previous response. */
  after?: number;
  /** How many at most, the newest. */
  limit?: number;
}

/** A vote with its ballots. The gateway runs it after all others. */
export interface BatchRunItemsItemVotesGet {
  /** The id of a vote. */
  vote: string;
}

export interface BatchRunItemsItem {
  /** What must hold; guards come first. */
  guard?: BatchRunItemsItemGuard;
  /** The status of the emulator. The gateway runs it after all others. */
  'status.get'?: { readonly [name: string]: unknown };
  /** All emulators and the status of each. The gateway runs it after all others. */
  'emulators.list'?: { readonly [name: string]: unknown };
  /** Whether the gateway runs. The gateway runs it after all others. */
  'health.live'?: { readonly [name: string]: unknown };
  /** Whether the emulator responds and its frames advance. The gateway runs it after all others. */
  'health.ready'?: { readonly [name: string]: unknown };
  /** What is measured, for Prometheus. The gateway runs it after all others. */
  'metrics.get'?: { readonly [name: string]: unknown };
  /** All operations. The gateway runs it after all others. */
  'operations.list'?: { readonly [name: string]: unknown };
  /** Read memory. */
  read?: BatchRunItemsItemRead;
  /** Read bytes, all from one frame. */
  'memory.read'?: BatchRunItemsItemMemoryRead;
  /** Write bytes. */
  write?: BatchRunItemsItemWrite;
  /** The memory domains. */
  'memory.domains'?: { readonly [name: string]: unknown };
  /** The frozen values of all holders. */
  'freezes.list'?: { readonly [name: string]: unknown };
  /** The cheats of the game. */
  'cheats.list'?: { readonly [name: string]: unknown };
  /** The keys that are down, and their holders. */
  'keys.get'?: { readonly [name: string]: unknown };
  /** Hold exactly these keys. */
  setKeys?: BatchRunItemsItemSetKeys;
  /** Press more keys and hold them. */
  addKeys?: BatchRunItemsItemAddKeys;
  /** Release keys. */
  clearKeys?: BatchRunItemsItemClearKeys;
  /** Release all keys of this holder and cancel its queued taps. */
  'keys.release'?: { readonly [name: string]: unknown };
  /** Press keys together for some frames. */
  tap?: BatchRunItemsItemTap;
  /** Press keys one after the other. */
  sequence?: BatchRunItemsItemSequence;
  /** What the cartridge's sensors show. */
  'sensors.get'?: { readonly [name: string]: unknown };
  /** Set sensors of the cartridge. */
  sensors?: BatchRunItemsItemSensors;
  /** Show a picture to the camera of the cartridge. */
  camera?: BatchRunItemsItemCamera;
  /** Release the sensors that this holder has set. */
  'sensors.release'?: { readonly [name: string]: unknown };
  /** The time that the game reads. */
  'clock.get'?: { readonly [name: string]: unknown };
  /** Read all registers in one frame. */
  'registers.get'?: { readonly [name: string]: unknown };
  /** Read this register. */
  register?: string;
  /** Write a register. */
  'registers.write'?: BatchRunItemsItemRegistersWrite;
  /** Whether the game is halted, and the registers. The gateway runs it after all others. */
  'debug.get'?: { readonly [name: string]: unknown };
  /** The breakpoints and watchpoints of all holders. */
  'debug.list'?: { readonly [name: string]: unknown };
  /** Instructions as text. The gateway runs it after all others. */
  'debug.disassemble'?: BatchRunItemsItemDebugDisassemble;
  /** What is kept of the history of the game. */
  'debug.history'?: { readonly [name: string]: unknown };
  /** The functions that are under way. The gateway runs it after all others. */
  'debug.backtrace'?: BatchRunItemsItemDebugBacktrace;
  /** The state of display, sound, DMA, timers and interrupts. The gateway runs it after all others. */
  'debug.hardware'?: BatchRunItemsItemDebugHardware;
  /** `true`: take the picture. */
  screen?: boolean;
  /** the picture as pixels, as of `screen.pixels`. */
  pixels?: BatchRunItemsItemPixels;
  /** The palettes. The gateway runs it after all others. */
  'video.palettes'?: { readonly [name: string]: unknown };
  /** Tiles, as the palette's colours of their pixels. The gateway runs it after all others. */
  'video.tiles'?: BatchRunItemsItemVideoTiles;
  /** The backgrounds, without their cells. The gateway runs it after all others. */
  'video.maps'?: { readonly [name: string]: unknown };
  /** A background with its tile map. The gateway runs it after all others. */
  'video.map'?: BatchRunItemsItemVideoMap;
  /** The sprites. The gateway runs it after all others. */
  'video.sprites'?: { readonly [name: string]: unknown };
  /** The text that the backgrounds show. The gateway runs it after all others. */
  'video.text'?: { readonly [name: string]: unknown };
  /** The palettes as a PNG. The gateway runs it after all others. */
  'video.palettesPicture'?: BatchRunItemsItemVideoPalettesPicture;
  /** Tiles side by side as a PNG. The gateway runs it after all others. */
  'video.tilesPicture'?: BatchRunItemsItemVideoTilesPicture;
  /** A background as a PNG. The gateway runs it after all others. */
  'video.mapPicture'?: BatchRunItemsItemVideoMapPicture;
  /** The sprites on the screen as a PNG. The gateway runs it after all others. */
  'video.spritesPicture'?: BatchRunItemsItemVideoSpritesPicture;
  /** A sprite as a PNG. The gateway runs it after all others. */
  'video.spritePicture'?: BatchRunItemsItemVideoSpritePicture;
  /** `true`: take the state of the whole machine. */
  state?: boolean;
  /** Load this state, in base64. */
  loadState?: string;
  /** The save data of the game. The gateway runs it after all others. */
  'save.get'?: { readonly [name: string]: unknown };
  /** The loaded game. */
  'game.get'?: { readonly [name: string]: unknown };
  /** The CRC32 of the ROM. */
  'game.checksum'?: { readonly [name: string]: unknown };
  /** The SHA-1 of the ROM. The gateway runs it after all others. */
  'game.sha1'?: { readonly [name: string]: unknown };
  /** The capabilities of this emulator. The gateway runs it after all others. */
  'game.capabilities'?: { readonly [name: string]: unknown };
  /** `true`: reset the game. */
  reset?: boolean;
  /** Run one CPU instruction. */
  'game.step'?: { readonly [name: string]: unknown };
  /** Write a line into mGBA's Scripting window. */
  'console.write'?: BatchRunItemsItemConsoleWrite;
  /** Use a file for save data. */
  'save.load'?: BatchRunItemsItemSaveLoad;
  /** Use the game's default save file. */
  'save.autoload'?: { readonly [name: string]: unknown };
  /** The symbols of the game. The gateway runs it after all others. */
  'symbols.list'?: BatchRunItemsItemSymbolsList;
  /** The properties of the game. The gateway runs it after all others. */
  'properties.list'?: { readonly [name: string]: unknown };
  /** Read values by name, all from one frame. The gateway runs it after all others. */
  'values.readMany'?: BatchRunItemsItemValuesReadMany;
  /** Read a value by name. The gateway runs it after all others. */
  'values.read'?: BatchRunItemsItemValuesRead;
  /** Read a list, a text, or a number in either byte order. The gateway runs it after all others. */
  'memory.readValue'?: BatchRunItemsItemMemoryReadValue;
  /** The scenarios that the gateway keeps. The gateway runs it after all others. */
  'scenarios.list'?: { readonly [name: string]: unknown };
  /** The searches and their memory. The gateway runs it after all others. */
  'searches.list'?: { readonly [name: string]: unknown };
  /** The state of a search. The gateway runs it after all others. */
  'searches.get'?: BatchRunItemsItemSearchesGet;
  /** The remaining candidates. The gateway runs it after all others. */
  'searches.matches'?: BatchRunItemsItemSearchesMatches;
  /** The recordings of this emulator. The gateway runs it after all others. */
  'recordings.list'?: { readonly [name: string]: unknown };
  /** The lines of a recording. The gateway runs it after all others. */
  'recordings.download'?: BatchRunItemsItemRecordingsDownload;
  /** The states kept for rewinding. The gateway runs it after all others. */
  'rewind.get'?: { readonly [name: string]: unknown };
  /** The picture of a state. The gateway runs it after all others. */
  'rewind.screen'?: BatchRunItemsItemRewindScreen;
  /** All states that the gateway keeps. The gateway runs it after all others. */
  'states.list'?: { readonly [name: string]: unknown };
  /** The bytes of a state that the gateway keeps. The gateway runs it after all others. */
  'states.get'?: BatchRunItemsItemStatesGet;
  /** The picture of a state that the gateway keeps. The gateway runs it after all others. */
  'states.picture'?: BatchRunItemsItemStatesPicture;
  /** Where two states differ. The gateway runs it after all others. */
  'states.compare'?: BatchRunItemsItemStatesCompare;
  /** The last lines that an emulator printed. The gateway runs it after all others. */
  'emulators.log'?: BatchRunItemsItemEmulatorsLog;
  /** The ROMs that can be started. The gateway runs it after all others. */
  'roms.list'?: { readonly [name: string]: unknown };
  /** The fleet in numbers. The gateway runs it after all others. */
  'fleet.status'?: { readonly [name: string]: unknown };
  /** The sessions of the fleet, in the order of their ids. The gateway runs it after all others. */
  'fleet.sessions.list'?: BatchRunItemsItemFleetSessionsList;
  /** One session of the fleet. The gateway runs it after all others. */
  'fleet.sessions.get'?: BatchRunItemsItemFleetSessionsGet;
  /** The hosts of the fleet, those that live first. The gateway runs it after all others. */
  'fleet.hosts'?: { readonly [name: string]: unknown };
  /** What happened in the fleet, oldest first. The gateway runs it after all others. */
  'fleet.events'?: BatchRunItemsItemFleetEvents;
  /** The guests whose links are valid, and who of them is connected. The gateway runs it after all others. */
  'guests.list'?: { readonly [name: string]: unknown };
  /** The agents that play through MCP. The gateway runs it after all others. */
  'agents.list'?: { readonly [name: string]: unknown };
  /** The newest requests to the emulator, and how long requests took. The gateway runs it after all others. */
  'traffic.list'?: BatchRunItemsItemTrafficList;
  /** The open vote and the last ones. The gateway runs it after all others. */
  'votes.list'?: { readonly [name: string]: unknown };
  /** A vote with its ballots. The gateway runs it after all others. */
  'votes.get'?: BatchRunItemsItemVotesGet;
  /** The voters who are blocked. The gateway runs it after all others. */
  'voters.list'?: { readonly [name: string]: unknown };
}

export interface LeaseAttachReadsItem {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** What the number is, little-endian. */
  type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
}

/** The picture of that frame, as of `screen.pixels`; none unless given. */
export interface LeaseAttachPixels {
  /** Whether a pixel is one byte, its brightness, rather than red, green and blue. */
  grey?: boolean;
  /** How many pixels a row has, made from averages of areas; those of the picture unless given. */
  width?: number;
  /** How many rows there are, as `width`. */
  height?: number;
}

export interface LeaseStepItemsItem {
  /** What must hold; guards come first. */
  guard?: BatchRunItemsItemGuard;
  /** Read memory. */
  read?: BatchRunItemsItemRead;
  /** Read bytes, all from one frame. */
  'memory.read'?: BatchRunItemsItemMemoryRead;
  /** Write bytes. */
  write?: BatchRunItemsItemWrite;
  /** The memory domains. */
  'memory.domains'?: { readonly [name: string]: unknown };
  /** The frozen values of all holders. */
  'freezes.list'?: { readonly [name: string]: unknown };
  /** The cheats of the game. */
  'cheats.list'?: { readonly [name: string]: unknown };
  /** The keys that are down, and their holders. */
  'keys.get'?: { readonly [name: string]: unknown };
  /** Hold exactly these keys. */
  setKeys?: BatchRunItemsItemSetKeys;
  /** Press more keys and hold them. */
  addKeys?: BatchRunItemsItemAddKeys;
  /** Release keys. */
  clearKeys?: BatchRunItemsItemClearKeys;
  /** Release all keys of this holder and cancel its queued taps. */
  'keys.release'?: { readonly [name: string]: unknown };
  /** Press keys together for some frames. */
  tap?: BatchRunItemsItemTap;
  /** Press keys one after the other. */
  sequence?: BatchRunItemsItemSequence;
  /** What the cartridge's sensors show. */
  'sensors.get'?: { readonly [name: string]: unknown };
  /** Set sensors of the cartridge. */
  sensors?: BatchRunItemsItemSensors;
  /** Show a picture to the camera of the cartridge. */
  camera?: BatchRunItemsItemCamera;
  /** Release the sensors that this holder has set. */
  'sensors.release'?: { readonly [name: string]: unknown };
  /** The time that the game reads. */
  'clock.get'?: { readonly [name: string]: unknown };
  /** Read all registers in one frame. */
  'registers.get'?: { readonly [name: string]: unknown };
  /** Read this register. */
  register?: string;
  /** Write a register. */
  'registers.write'?: BatchRunItemsItemRegistersWrite;
  /** The breakpoints and watchpoints of all holders. */
  'debug.list'?: { readonly [name: string]: unknown };
  /** What is kept of the history of the game. */
  'debug.history'?: { readonly [name: string]: unknown };
  /** `true`: take the picture. */
  screen?: boolean;
  /** the picture as pixels, as of `screen.pixels`. */
  pixels?: BatchRunItemsItemPixels;
  /** `true`: take the state of the whole machine. */
  state?: boolean;
  /** Load this state, in base64. */
  loadState?: string;
  /** The loaded game. */
  'game.get'?: { readonly [name: string]: unknown };
  /** The CRC32 of the ROM. */
  'game.checksum'?: { readonly [name: string]: unknown };
  /** `true`: reset the game. */
  reset?: boolean;
  /** Run one CPU instruction. */
  'game.step'?: { readonly [name: string]: unknown };
  /** Write a line into mGBA's Scripting window. */
  'console.write'?: BatchRunItemsItemConsoleWrite;
  /** Use a file for save data. */
  'save.load'?: BatchRunItemsItemSaveLoad;
  /** Use the game's default save file. */
  'save.autoload'?: { readonly [name: string]: unknown };
}

export interface MemoryGatherReadsItem {
  /** Where: an address on the game's bus, or an offset in a memory domain. */
  location: string;
  /** What the number is, little-endian. */
  type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
  /** How many bytes. */
  length?: number;
}

export interface SearchesStartRangesItem {
  /** Where it starts. */
  location: string;
  /** How many bytes. */
  length: number;
}

export interface VectorStepRowsItem {
  /** The id of an emulator; each once. */
  emulator: string;
  /** The keys that are down during the frames; none unless given. */
  keys?: readonly Key[];
  /** How many frames it runs, unlike the other rows. */
  frames?: number;
  /** Whether it first continues from `state`. This also takes the lease, where the caller has none. */
  reset?: boolean;
}

export interface VotesOpenChoicesItem {
  /** Its name, which voters write in upper or lower case. */
  name: string;
  /** What is pressed for it: keys or `wait`, and frames: `A 4, wait 10, Up+B 2`; up to 600 frames. Nothing unless given. */
  sequence?: string;
}

export interface WaitUntilAllItem {
  /** Where the number is. */
  location: string;
  /** What it is, little-endian. */
  type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32';
  /** How it is looked at; mask: all these bits are set, any: one of them is. */
  is?: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'mask' | 'any' | 'changed';
  /** The number to compare with; not for `changed`. */
  value?: number;
}

export const declarations = {
  'agents.change': { method: 'PUT', path: '/v2/agents/{agent}', media: 'application/json', isOfGateway: true },
  'agents.list': { method: 'GET', path: '/v2/agents', isOfGateway: true },
  'batch.run': { method: 'POST', path: '/v2/batch', media: 'application/json', isKeyed: true },
  'camera.set': { method: 'PUT', path: '/v2/sensors/camera', media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'cheats.delete': { method: 'DELETE', path: '/v2/cheats/{cheat}', isKeyed: true },
  'cheats.enable': { method: 'PUT', path: '/v2/cheats/{cheat}', media: 'application/json', isKeyed: true },
  'cheats.list': { method: 'GET', path: '/v2/cheats' },
  'cheats.load': { method: 'POST', path: '/v2/cheats', media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'cheats.set': { method: 'PUT', path: '/v2/cheats', media: 'application/json', isKeyed: true },
  'clock.get': { method: 'GET', path: '/v2/clock' },
  'clock.set': { method: 'PUT', path: '/v2/clock', media: 'application/json', isKeyed: true },
  'console.write': { method: 'POST', path: '/v2/console', media: 'application/json', isKeyed: true },
  'debug.add': { method: 'POST', path: '/v2/debug/points', media: 'application/json', isKeyed: true },
  'debug.back': { method: 'POST', path: '/v2/debug/back', media: 'application/json', isKeyed: true },
  'debug.backtrace': { method: 'GET', path: '/v2/debug/backtrace', query: ['count'] },
  'debug.continue': { method: 'POST', path: '/v2/debug/continue', isKeyed: true },
  'debug.disassemble': { method: 'GET', path: '/v2/debug/disassembly', query: ['address', 'count', 'mode', 'bank'] },
  'debug.get': { method: 'GET', path: '/v2/debug' },
  'debug.halt': { method: 'POST', path: '/v2/debug/halt', media: 'application/json', isKeyed: true },
  'debug.hardware': { method: 'GET', path: '/v2/debug/hardware', query: ['part'] },
  'debug.history': { method: 'GET', path: '/v2/debug/history' },
  'debug.keepHistory': { method: 'PUT', path: '/v2/debug/history', media: 'application/json', isKeyed: true },
  'debug.list': { method: 'GET', path: '/v2/debug/points' },
  'debug.remove': { method: 'DELETE', path: '/v2/debug/points/{point}', isKeyed: true },
  'debug.removeAll': { method: 'DELETE', path: '/v2/debug/points', isKeyed: true },
  'debug.step': { method: 'POST', path: '/v2/debug/step', media: 'application/json', isKeyed: true },
  'debug.trace': { method: 'GET', path: '/v2/debug/trace', query: ['kinds', 'location', 'length', 'from', 'number', 'count'] },
  'debug.writers': { method: 'GET', path: '/v2/debug/writers', query: ['location', 'length', 'bank', 'count'] },
  'emulators.list': { method: 'GET', path: '/v2/emulators', isOfGateway: true },
  'emulators.log': { method: 'GET', path: '/v2/emulators/{id}/log', isOfGateway: true },
  'emulators.restart': { method: 'POST', path: '/v2/emulators/{id}/restart', isOfGateway: true },
  'emulators.run': { method: 'PUT', path: '/v2/emulators/{id}/run', media: 'application/json', isOfGateway: true },
  'emulators.start': { method: 'POST', path: '/v2/emulators', media: 'application/json', isOfGateway: true },
  'emulators.stop': { method: 'DELETE', path: '/v2/emulators/{id}', isOfGateway: true },
  'fleet.events': { method: 'GET', path: '/v2/fleet/events', query: ['session', 'after', 'limit'], isOfGateway: true },
  'fleet.hosts': { method: 'GET', path: '/v2/fleet/hosts', isOfGateway: true },
  'fleet.sessions.create': { method: 'POST', path: '/v2/fleet/sessions', media: 'application/json', isOfGateway: true },
  'fleet.sessions.delete': { method: 'DELETE', path: '/v2/fleet/sessions/{session}', isOfGateway: true },
  'fleet.sessions.deleteAll': { method: 'DELETE', path: '/v2/fleet/sessions', query: ['owner', 'all'], isOfGateway: true },
  'fleet.sessions.get': { method: 'GET', path: '/v2/fleet/sessions/{session}', isOfGateway: true },
  'fleet.sessions.list': { method: 'GET', path: '/v2/fleet/sessions', query: ['owner', 'state', 'after', 'limit'], isOfGateway: true },
  'fleet.status': { method: 'GET', path: '/v2/fleet', isOfGateway: true },
  'freezes.delete': { method: 'DELETE', path: '/v2/freezes/{freeze}', isKeyed: true },
  'freezes.deleteAll': { method: 'DELETE', path: '/v2/freezes', isKeyed: true },
  'freezes.list': { method: 'GET', path: '/v2/freezes' },
  'freezes.set': { method: 'PUT', path: '/v2/freezes', media: 'application/json', isKeyed: true },
  'game.capabilities': { method: 'GET', path: '/v2/capabilities' },
  'game.checksum': { method: 'GET', path: '/v2/checksum' },
  'game.get': { method: 'GET', path: '/v2/game' },
  'game.reset': { method: 'POST', path: '/v2/reset', isKeyed: true },
  'game.sha1': { method: 'GET', path: '/v2/checksum/sha1' },
  'game.step': { method: 'POST', path: '/v2/step', isKeyed: true },
  'guests.change': { method: 'PUT', path: '/v2/guests/{guest}', media: 'application/json', isOfGateway: true },
  'guests.end': { method: 'DELETE', path: '/v2/guests/{guest}', isOfGateway: true },
  'guests.endAll': { method: 'DELETE', path: '/v2/guests', isOfGateway: true },
  'guests.invite': { method: 'POST', path: '/v2/guests', media: 'application/json', isOfGateway: true },
  'guests.list': { method: 'GET', path: '/v2/guests', isOfGateway: true },
  'keys.add': { method: 'POST', path: '/v2/keys/add', media: 'application/json', isKeyed: true },
  'keys.clear': { method: 'POST', path: '/v2/keys/clear', media: 'application/json', isKeyed: true },
  'keys.get': { method: 'GET', path: '/v2/keys' },
  'keys.release': { method: 'DELETE', path: '/v2/keys', isKeyed: true },
  'keys.sequence': { method: 'POST', path: '/v2/keys/sequence', media: 'application/json', isKeyed: true },
  'keys.set': { method: 'PUT', path: '/v2/keys', media: 'application/json', isKeyed: true },
  'keys.tap': { method: 'POST', path: '/v2/keys/tap', media: 'application/json', isKeyed: true },
  'lease.attach': { method: 'POST', path: '/v2/lease/socket', media: 'application/json' },
  'lease.release': { method: 'DELETE', path: '/v2/lease' },
  'lease.step': { method: 'POST', path: '/v2/lease/step', media: 'application/json' },
  'lease.take': { method: 'POST', path: '/v2/lease', media: 'application/json' },
  'memory.domains': { method: 'GET', path: '/v2/memory/domains' },
  'memory.gather': { method: 'POST', path: '/v2/memory/read', media: 'application/json' },
  'memory.read': { method: 'GET', path: '/v2/memory/{location}', query: ['length'] },
  'memory.read.s16': { method: 'GET', path: '/v2/memory/{location}/s16' },
  'memory.read.s32': { method: 'GET', path: '/v2/memory/{location}/s32' },
  'memory.read.s8': { method: 'GET', path: '/v2/memory/{location}/s8' },
  'memory.read.u16': { method: 'GET', path: '/v2/memory/{location}/u16' },
  'memory.read.u32': { method: 'GET', path: '/v2/memory/{location}/u32' },
  'memory.read.u8': { method: 'GET', path: '/v2/memory/{location}/u8' },
  'memory.readValue': { method: 'GET', path: '/v2/memory/{location}/value', query: ['type', 'count', 'endian', 'length', 'table'] },
  'memory.write': { method: 'PUT', path: '/v2/memory/{location}', query: ['type', 'value'], media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'memory.write.s16': { method: 'PUT', path: '/v2/memory/{location}/s16', media: 'application/json', isKeyed: true },
  'memory.write.s32': { method: 'PUT', path: '/v2/memory/{location}/s32', media: 'application/json', isKeyed: true },
  'memory.write.s8': { method: 'PUT', path: '/v2/memory/{location}/s8', media: 'application/json', isKeyed: true },
  'memory.write.u16': { method: 'PUT', path: '/v2/memory/{location}/u16', media: 'application/json', isKeyed: true },
  'memory.write.u32': { method: 'PUT', path: '/v2/memory/{location}/u32', media: 'application/json', isKeyed: true },
  'memory.write.u8': { method: 'PUT', path: '/v2/memory/{location}/u8', media: 'application/json', isKeyed: true },
  'memory.writeValue': { method: 'PUT', path: '/v2/memory/{location}/value', query: ['type', 'count', 'endian', 'length', 'table'], media: 'application/json', isKeyed: true },
  'operations.list': { method: 'GET', path: '/v2/operations', isOfGateway: true },
  'properties.delete': { method: 'DELETE', path: '/v2/properties', isKeyed: true },
  'properties.list': { method: 'GET', path: '/v2/properties' },
  'properties.load': { method: 'PUT', path: '/v2/properties', media: 'application/json', isWhole: true, isKeyed: true },
  'recordings.delete': { method: 'DELETE', path: '/v2/recordings/{recording}' },
  'recordings.download': { method: 'GET', path: '/v2/recordings/{recording}' },
  'recordings.list': { method: 'GET', path: '/v2/recordings' },
  'recordings.replay': { method: 'POST', path: '/v2/replay', media: 'application/jsonl', isWhole: true, isKeyed: true },
  'recordings.start': { method: 'POST', path: '/v2/recordings', media: 'application/json', isKeyed: true },
  'recordings.stop': { method: 'POST', path: '/v2/recordings/{recording}/stop' },
  'recordings.video': { method: 'POST', path: '/v2/recordings/{recording}/video', query: ['format'] },
  'registers.get': { method: 'GET', path: '/v2/registers' },
  'registers.read': { method: 'GET', path: '/v2/registers/{name}' },
  'registers.write': { method: 'PUT', path: '/v2/registers/{name}', media: 'application/json', isKeyed: true },
  'rewind.back': { method: 'POST', path: '/v2/rewind', media: 'application/json', isKeyed: true },
  'rewind.get': { method: 'GET', path: '/v2/rewind' },
  'rewind.load': { method: 'POST', path: '/v2/rewind/{frame}', isKeyed: true },
  'rewind.screen': { method: 'GET', path: '/v2/rewind/{frame}/screen' },
  'rewind.start': { method: 'PUT', path: '/v2/rewind', media: 'application/json' },
  'rewind.stop': { method: 'DELETE', path: '/v2/rewind' },
  'rewind.video': { method: 'POST', path: '/v2/rewind/video', query: ['seconds', 'format'] },
  'rom.load': { method: 'POST', path: '/v2/rom/load', media: 'application/json', isKeyed: true },
  'roms.delete': { method: 'DELETE', path: '/v2/roms/{rom}', isOfGateway: true },
  'roms.list': { method: 'GET', path: '/v2/roms', isOfGateway: true },
  'roms.upload': { method: 'POST', path: '/v2/roms', query: ['name'], media: 'application/octet-stream', isWhole: true, isOfGateway: true },
  'save.autoload': { method: 'POST', path: '/v2/save/autoload', isKeyed: true },
  'save.get': { method: 'GET', path: '/v2/save' },
  'save.load': { method: 'POST', path: '/v2/save/load', media: 'application/json', isKeyed: true },
  'save.put': { method: 'PUT', path: '/v2/save', media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'scenarios.delete': { method: 'DELETE', path: '/v2/scenarios/{name}', isOfGateway: true },
  'scenarios.list': { method: 'GET', path: '/v2/scenarios', isOfGateway: true },
  'scenarios.load': { method: 'PUT', path: '/v2/scenarios/{name}', media: 'application/json', isOfGateway: true },
  'screen.get': { method: 'GET', path: '/v2/screen', query: ['scale', 'format'] },
  'screen.pixels': { method: 'GET', path: '/v2/screen/pixels', query: ['grey', 'width', 'height'] },
  'searches.delete': { method: 'DELETE', path: '/v2/searches/{search}' },
  'searches.get': { method: 'GET', path: '/v2/searches/{search}' },
  'searches.list': { method: 'GET', path: '/v2/searches' },
  'searches.matches': { method: 'GET', path: '/v2/searches/{search}/matches', query: ['offset', 'limit'] },
  'searches.refine': { method: 'POST', path: '/v2/searches/{search}/refine', media: 'application/json', isKeyed: true },
  'searches.start': { method: 'POST', path: '/v2/searches', media: 'application/json', isKeyed: true },
  'searches.undo': { method: 'POST', path: '/v2/searches/{search}/undo' },
  'sensors.get': { method: 'GET', path: '/v2/sensors' },
  'sensors.release': { method: 'DELETE', path: '/v2/sensors', isKeyed: true },
  'sensors.set': { method: 'PUT', path: '/v2/sensors', media: 'application/json', isKeyed: true },
  'speed.hold': { method: 'PUT', path: '/v2/speed', media: 'application/json' },
  'speed.release': { method: 'DELETE', path: '/v2/speed' },
  'state.get': { method: 'GET', path: '/v2/state', query: ['flags'] },
  'state.load': { method: 'PUT', path: '/v2/state', query: ['slot', 'file', 'flags', 'anyRom'], media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'state.save': { method: 'POST', path: '/v2/state/save', media: 'application/json', isKeyed: true },
  'states.compare': { method: 'GET', path: '/v2/states/{state}/compare', query: ['with'] },
  'states.delete': { method: 'DELETE', path: '/v2/states/{state}' },
  'states.get': { method: 'GET', path: '/v2/states/{state}' },
  'states.list': { method: 'GET', path: '/v2/states' },
  'states.load': { method: 'POST', path: '/v2/states/{state}/load', media: 'application/json', isKeyed: true },
  'states.picture': { method: 'GET', path: '/v2/states/{state}/picture' },
  'states.save': { method: 'POST', path: '/v2/states', media: 'application/json', isKeyed: true },
  'status.get': { method: 'GET', path: '/v2/status' },
  'symbols.delete': { method: 'DELETE', path: '/v2/symbols', isKeyed: true },
  'symbols.list': { method: 'GET', path: '/v2/symbols', query: ['contains', 'offset', 'limit'] },
  'symbols.load': { method: 'PUT', path: '/v2/symbols', media: 'application/octet-stream', isWhole: true, isKeyed: true },
  'traffic.list': { method: 'GET', path: '/v2/traffic', query: ['after', 'limit'] },
  'values.read': { method: 'GET', path: '/v2/values/{name}', query: ['type', 'count', 'endian', 'length', 'table'] },
  'values.readMany': { method: 'POST', path: '/v2/values', media: 'application/json' },
  'values.write': { method: 'PUT', path: '/v2/values/{name}', query: ['type', 'count', 'endian', 'length', 'table'], media: 'application/json', isKeyed: true },
  'vector.step': { method: 'POST', path: '/v2/vector', media: 'application/json', isOfGateway: true },
  'video.map': { method: 'GET', path: '/v2/video/maps/{map}' },
  'video.mapPicture': { method: 'GET', path: '/v2/video/maps/{map}/picture', query: ['part', 'scale'] },
  'video.maps': { method: 'GET', path: '/v2/video/maps' },
  'video.palettes': { method: 'GET', path: '/v2/video/palettes' },
  'video.palettesPicture': { method: 'GET', path: '/v2/video/palettes/picture', query: ['scale'] },
  'video.spritePicture': { method: 'GET', path: '/v2/video/sprites/{sprite}/picture', query: ['scale'] },
  'video.sprites': { method: 'GET', path: '/v2/video/sprites' },
  'video.spritesPicture': { method: 'GET', path: '/v2/video/sprites/picture', query: ['scale'] },
  'video.text': { method: 'GET', path: '/v2/video/text' },
  'video.tiles': { method: 'GET', path: '/v2/video/tiles', query: ['bits', 'first', 'count'] },
  'video.tilesPicture': { method: 'GET', path: '/v2/video/tiles/picture', query: ['bits', 'first', 'count', 'palette', 'columns', 'scale'] },
  'voters.block': { method: 'PUT', path: '/v2/voters/{voter}', media: 'application/json' },
  'voters.list': { method: 'GET', path: '/v2/voters' },
  'voters.unblock': { method: 'DELETE', path: '/v2/voters/{voter}' },
  'votes.cast': { method: 'POST', path: '/v2/votes/{vote}/ballots', media: 'application/json' },
  'votes.delete': { method: 'DELETE', path: '/v2/votes/{vote}' },
  'votes.get': { method: 'GET', path: '/v2/votes/{vote}' },
  'votes.list': { method: 'GET', path: '/v2/votes' },
  'votes.open': { method: 'POST', path: '/v2/votes', media: 'application/json' },
  'wait.until': { method: 'POST', path: '/v2/wait', media: 'application/json' },
} satisfies Record<string, Declaration>;

export type OperationName = keyof typeof declarations;

/** A method for each operation, which sends the request and returns the response. */
export abstract class Operations {
  protected abstract call<Answer>(name: OperationName, values: Record<string, unknown>): Promise<Answer>;

  /**
   * Pause an agent, or let it continue.
   *
   * Pausing cancels its calls, releases its keys and ends its lease. Until it may continue, each of its calls gets an error that says that a person paused
   * it, also after it has connected again. Needs the role `player`.
   *
   * Problems: 404: `no-such-agent`: there is no such agent, or its session has ended.
   *
   * @param agent The id of an agent.
   * @param paused Whether it is paused.
   */
  agentsChange(agent: string, paused: boolean): Promise<AgentAnswer> {
    return this.call('agents.change', { agent, paused });
  }

  /**
   * The agents that play through MCP.
   *
   * Those that are connected, and those that are paused, the one that was seen last first, each with its last 50 calls. At most 64. Needs the role
   * `viewer`.
   */
  agentsList(): Promise<AgentsAnswer> {
    return this.call('agents.list', {});
  }

  /**
   * Run several commands in one frame.
   *
   * The items run in order, between the same two frames of the game. If a guard is false, nothing runs and the response is 412. An item with the name of
   * an operation has the operation's parameters, those of its path included, and its response as `result`. The first item that fails ends the batch:
   * compare `done` with `of`. A batch requires the largest access of its items, and `play` for a later frame. Operations that read and that the gateway
   * runs, not the script, come last, up to 64: they run one after the other when the script has run its items, each in a frame of its own, unless the game
   * is paused or in lockstep. Guards do not cover them. Needs the role `viewer`.
   *
   * Problems: 412: `guard-failed`: a guard is false; `detail` says which, and the value. Nothing ran.
   *
   * @param items What to do, in order, guards first.
   * @param options.at In this frame; at once unless given. (from 0)
   * @param options.after The number of frames to wait, instead of `at`. (1 to 36000)
   */
  batchRun(items: readonly BatchRunItemsItem[], options: { at?: number; after?: number } = {}): Promise<BatchAnswer> {
    return this.call('batch.run', { items, ...options });
  }

  /**
   * Show a picture to the camera of the cartridge.
   *
   * A PNG or JPEG with at most 16777216 pixels: its middle, in grey and scaled to 128 x 112. The camera sees it from the next frame until this holder
   * releases its sensors (`sensors.release`), and darkness without one. The rules of `sensors.set` hold. Needs the role `player`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  cameraSet(body: Uint8Array | string): Promise<DoneAnswer> {
    return this.call('camera.set', { body });
  }

  /**
   * Remove a cheat.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-cheat`: there is no such cheat. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`): the game runs
   *   in a window: mGBA hands its cheats only to mgba-headless.
   *
   * @param cheat The name of a cheat.
   */
  cheatsDelete(cheat: string): Promise<DoneAnswer> {
    return this.call('cheats.delete', { cheat });
  }

  /**
   * Switch a cheat on or off.
   *
   * What it has written to the ROM is undone when it is switched off; what it has written to memory stays until the game writes it. Needs the role
   * `owner`.
   *
   * Problems: 404: `no-such-cheat`: there is no such cheat, or it cannot be used. `no-such-emulator`: there is no such emulator. 501: `rejected`
   *   (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
   *
   * @param cheat The name of a cheat.
   * @param enabled Whether it is applied.
   */
  cheatsEnable(cheat: string, enabled: boolean): Promise<DoneAnswer> {
    return this.call('cheats.enable', { cheat, enabled });
  }

  /**
   * The cheats of the game.
   *
   * Those of the file of `--cheats`, and those that were added. Cheats of the file that cannot be used are listed last, with the `problem`. Needs the role
   * `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
   */
  cheatsList(): Promise<CheatsAnswer> {
    return this.call('cheats.list', {});
  }

  /**
   * Add the cheats of a file.
   *
   * Libretro's, EZ-Flash's or BGB's `.cht`, or mGBA's `.cheats`; up to 4 MB. A cheat of the file replaces the one of its name. The response lists all
   * cheats; those of the file that cannot be used are last, with the `problem`. A file without a cheat that can be used changes nothing. Needs the role
   * `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  cheatsLoad(body: Uint8Array | string): Promise<CheatsAnswer> {
    return this.call('cheats.load', { body });
  }

  /**
   * Add a cheat.
   *
   * Or replaces the one of this name. mGBA applies it once a frame. Codes of the GBA: GameShark, Action Replay, CodeBreaker and `ADDRESS:VALUE`; of the
   * Game Boy: Game Genie, GameShark, CodeBreaker and `AAAA:VV`. A code that writes to the ROM is applied as a patch of it. A cheat ends when it is removed
   * and when another game is loaded. An emulator that the gateway started has its cheats again after a restart. Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its cheats only to mgba-headless.
   *
   * @param name Its name, 1 to 128 bytes.
   * @param codes The codes, one in a line or separated by `+`; up to 65536 bytes.
   * @param options.enabled Whether it is applied. (default true)
   */
  cheatsSet(name: string, codes: string, options: { enabled?: boolean } = {}): Promise<DoneAnswer> {
    return this.call('cheats.set', { name, codes, ...options });
  }

  /**
   * The time that the game reads.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its clock only to mgba-headless.
   */
  clockGet(): Promise<ClockAnswer> {
    return this.call('clock.get', {});
  }

  /**
   * Set the clock of the cartridge.
   *
   * For games with a clock. A state that is loaded brings its clock to `host` without an offset, and its emulated time to `emulated`; other clocks stay.
   * It ends when the emulator ends: `clock` of `emulators.start` is the one that it starts with. Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window: mGBA hands its clock only to mgba-headless.
   *
   * @param mode `host`: the time of the emulator's machine; `fixed`: it stands; `emulated`: it advances with the frames, so that the same input gives the
   *   same result.
   * @param options.time What the game reads from now on, whatever the machine's time zone: from 2000 to 2099, such as `2026-01-01T12:00:00`. For `fixed`
   *   and `emulated`.
   * @param options.offsetSeconds By how many seconds it is before the machine's. For `host`. (-3155759999 to 3155759999; default 0)
   */
  clockSet(mode: 'host' | 'fixed' | 'emulated', options: { time?: string; offsetSeconds?: number } = {}): Promise<DoneAnswer> {
    return this.call('clock.set', { mode, ...options });
  }

  /**
   * Write a line into mGBA's Scripting window.
   *
   * Needs the role `owner`.
   *
   * @param text The line.
   * @param options.level How it is shown. (default "log")
   */
  consoleWrite(text: string, options: { level?: 'log' | 'warn' | 'error' } = {}): Promise<DoneAnswer> {
    return this.call('console.write', { text, ...options });
  }

  /**
   * Set a breakpoint or a watchpoint.
   *
   * A breakpoint (`execute`) is hit before the instruction is executed, a watchpoint after the instruction that reads or writes. Events of the topic
   * `debug` say that one halted the game, events of `hits` report all of them, together once a frame. A point ends when it is removed, when its holder's
   * connection ends (WebSocket), when the gateway is gone for 2 seconds, and when another game is opened. At most 1024. Needs the role `owner`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected`
   *   (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param location Where: an address (`0x080001F4`), an offset in a domain (`cart0:0x4123`), or the name of a property or symbol.
   * @param options.kind What hits it: `execute`, `read`, `write`, `access` (both), `change` (a write of another value) or `interrupt` (the processor
   *   begins to serve one; `location` is its vector: 0x18 on a GBA, 0x40 to 0x60 on a GB). (default "execute")
   * @param options.length How many bytes; those of the symbol or property, or 1, unless given. (1 to 268435456)
   * @param options.bank The bank of the address on a Game Boy; any unless given, or that of a symbol or of an offset in a domain. (0 to 511)
   * @param options.condition What has to hold, as for `wait.until`, with registers as places: `r0 == 1 and player.hp < 5`.
   * @param options.reports Whether a hit is only reported, and the game runs on. (default false)
   * @param options.seconds After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless
   *   given. (1 to 3600)
   */
  debugAdd(location: string, options: { kind?: 'execute' | 'read' | 'write' | 'access' | 'change' | 'interrupt'; length?: number; bank?: number; condition?: string; reports?: boolean; seconds?: number } = {}): Promise<PointAnswer> {
    return this.call('debug.add', { location, ...options });
  }

  /**
   * Go back in what the game did.
   *
   * The game has to be halted, and is halted again where it has gone to; `reason` is `history` where its history begins. In the past, `debug.step` and
   * `debug.continue` repeat what happened, with the keys and writes of then, and lead on into the present. A write, a state or a reset in the past ends
   * the history there: what came behind it is gone. Needs the role `owner`.
   *
   * Problems: 409: `rejected` (`not-running`): no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected`
   *   (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now.
   *   `rejected` (`expired`): its reply is not kept any more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for
   *   scripts.
   *
   * @param options.kind `step`: so many instructions; `point`: to where a breakpoint or watchpoint would have halted the game last; `frame`: to the
   *   beginning of its frame, or of so many before. (default "step")
   * @param options.count How many instructions or frames. (1 to 100000; default 1)
   * @param options.seconds After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless
   *   given. (1 to 3600)
   */
  debugBack(options: { kind?: 'step' | 'point' | 'frame'; count?: number; seconds?: number } = {}): Promise<DebuggerAnswer> {
    return this.call('debug.back', { ...options });
  }

  /**
   * The functions that are under way.
   *
   * The innermost first. What is `exact` is where the processor is. What is `matched` is an address on the stack, or in the link register, behind an
   * instruction that calls the function before: certain unless an older call has left the same address behind. What is a `guess` is the next address
   * behind any instruction that calls: the function before has no symbol, or was called by an address or jumped to. Behind a guess, functions may be
   * missing, and some may have returned already. Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param options.count How many functions at most. (1 to 128; default 16)
   */
  debugBacktrace(options: { count?: number } = {}): Promise<BacktraceAnswer> {
    return this.call('debug.backtrace', { ...options });
  }

  /**
   * Let the game run until a point halts it.
   *
   * Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   */
  debugContinue(): Promise<ContinuedAnswer> {
    return this.call('debug.continue', {});
  }

  /**
   * Instructions as text.
   *
   * With the symbols of the game, and those of what they call, read and write. Memory is read without any effect on devices. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-name`: the game has no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`):
   *   the game runs in a window: mGBA hands its instructions only to mgba-headless.
   *
   * @param options.address Where to begin: an address, a place in a domain (`cart0:0x8000`), or a symbol, perhaps with an offset; of a GBA an odd address
   *   is in Thumb. Without it, at the instruction that is executed next.
   * @param options.count How many. (1 to 1024; default 16)
   * @param options.mode As which instructions. As the processor executes them now, unless given.
   * @param options.bank In which bank of a Game Boy. That of the symbol or domain unless given, otherwise the one that is mapped now. (0 to 511)
   */
  debugDisassemble(options: { address?: string; count?: number; mode?: 'arm' | 'thumb' | 'sm83'; bank?: number } = {}): Promise<DisassemblyAnswer> {
    return this.call('debug.disassemble', { ...options });
  }

  /**
   * Whether the game is halted, and the registers.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   */
  debugGet(): Promise<DebuggerAnswer> {
    return this.call('debug.get', {});
  }

  /**
   * Halt the game before its next instruction.
   *
   * Reads, writes, states and pictures are answered while it is halted; presses, waits and steps of frames wait until it runs. The picture is as far as it
   * was drawn. Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param options.seconds After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless
   *   given. (1 to 3600)
   */
  debugHalt(options: { seconds?: number } = {}): Promise<DebuggerAnswer> {
    return this.call('debug.halt', { ...options });
  }

  /**
   * The state of display, sound, DMA, timers and interrupts.
   *
   * The registers of the console's devices, all from one frame, with what their bits mean. They are read without any effect on the game, as they were
   * written or as the device has set them: `count` of a timer of a GBA and `KEYINPUT` are those that the game itself has started or read last. Needs the
   * role `viewer`.
   *
   * @param options.part Only this device.
   */
  debugHardware(options: { part?: 'display' | 'sound' | 'dma' | 'timers' | 'keys' | 'interrupts' | 'memory' | 'serial' } = {}): Promise<HardwareAnswer> {
    return this.call('debug.hardware', { ...options });
  }

  /**
   * What is kept of the history of the game.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   */
  debugHistory(): Promise<HistoryAnswer> {
    return this.call('debug.history', {});
  }

  /**
   * Keep what the game does, to go back in it.
   *
   * The oldest is dropped when it would take more memory. What is kept already remains when the memory is changed. Games that are opened later have a
   * history, too. `problem` says why none is kept, and what to do. Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param options.megabytes How much memory it may take; 0 ends and drops it. (0 to 4096; default 256)
   */
  debugKeepHistory(options: { megabytes?: number } = {}): Promise<HistoryAnswer> {
    return this.call('debug.keepHistory', { ...options });
  }

  /**
   * The breakpoints and watchpoints of all holders.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   */
  debugList(): Promise<PointsAnswer> {
    return this.call('debug.list', {});
  }

  /**
   * Remove a breakpoint or a watchpoint.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-point`: there is no such point. `no-such-emulator`: there is no such emulator. 501: `rejected` (`unsupported`): the game runs
   *   in a window, which has no debugger for scripts.
   *
   * @param point Its id, of any holder. (1 to 2147483647)
   */
  debugRemove(point: number): Promise<RemovedAnswer> {
    return this.call('debug.remove', { point });
  }

  /**
   * Remove all points of the holder.
   *
   * Needs the role `owner`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   */
  debugRemoveAll(): Promise<RemovedAnswer> {
    return this.call('debug.removeAll', {});
  }

  /**
   * Execute instructions of a game that is halted.
   *
   * The response comes when the game is halted again: at the end of the step, at a point on the way, or after `frames` wherever it is (`reason` is
   * `requested` then). Needs the role `owner`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 501: `rejected`
   *   (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param options.kind `into`: one instruction; `over`: and the function that it calls; `out`: until the present function returns; `to`: until a
   *   location. (default "into")
   * @param options.location Where to, for `to`: an address, an offset in a domain, or the name of a symbol.
   * @param options.frames After how many frames the game is halted wherever it is. (1 to 36000; default 600)
   * @param options.seconds After how long a halt ends by itself, and the game runs on. Over WebSocket it ends with the connection; over HTTP 600 unless
   *   given. (1 to 3600)
   */
  debugStep(options: { kind?: 'into' | 'over' | 'out' | 'to'; location?: string; frames?: number; seconds?: number } = {}): Promise<DebuggerAnswer> {
    return this.call('debug.step', { ...options });
  }

  /**
   * What the game did, event by event.
   *
   * From the history that `debug.keepHistory` keeps: a second machine repeats the frames, so that the game runs on undisturbed, and the same request gives
   * the same events. Events are numbered in each frame, those that are asked for; `next` is where the next request continues, also in frames that have not
   * been yet. `missed` says how many frames at the beginning are not kept any more. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-name`: the game has no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `rejected` (`not-running`): no
   *   history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was cancelled, or ended by
   *   a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any
   *   more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param options.kinds Which events, separated by commas: `instruction`, `call`, `return`, `interrupt`, and writes to devices: `dma` (also what DMA
   *   writes), `display`, `sound`, `timer`, `serial`. (default "call,return")
   * @param options.location Of which instructions: an address, a place in a domain, or a symbol, which means all of the function. All unless given.
   * @param options.length How many bytes of instructions; those of the function, which ends at the next symbol at the latest, or 1, unless given. (1 to
   *   268435456)
   * @param options.from From which frame on; the last one unless given. (0 to 9007199254740992)
   * @param options.number From which event of this frame on. (0 to 2147483647; default 0)
   * @param options.count How many events. (1 to 256; default 64)
   */
  debugTrace(options: { kinds?: string; location?: string; length?: number; from?: number; number?: number; count?: number } = {}): Promise<TraceAnswer> {
    return this.call('debug.trace', { ...options });
  }

  /**
   * Who wrote to a place last.
   *
   * Writes of another value since the history began, by instructions of the game, by DMA, or from outside. The game runs on meanwhile. Of RAM, video
   * memory, registers and save memory. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `rejected`
   *   (`not-running`): no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was
   *   cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its
   *   reply is not kept any more. 501: `rejected` (`unsupported`): the game runs in a window, which has no debugger for scripts.
   *
   * @param location Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol.
   * @param options.length How many bytes; those of the symbol or property, or 1, unless given. (1 to 4096)
   * @param options.bank The bank of the address on a Game Boy; the one that is mapped now, unless given. (0 to 511)
   * @param options.count How many writes. (1 to 64; default 1)
   */
  debugWriters(location: string, options: { length?: number; bank?: number; count?: number } = {}): Promise<WritersAnswer> {
    return this.call('debug.writers', { location, ...options });
  }

  /**
   * All emulators and the status of each.
   *
   * Every path exists for each emulator below `/i/{id}`; without this prefix it addresses the first one. Scripts that were found on ports 8888 to 8903 and
   * refuse the gateway are listed as `script-PORT`, with what to change in `detail`. Needs the role `viewer`.
   */
  emulatorsList(): Promise<StatusAnswer[]> {
    return this.call('emulators.list', {});
  }

  /**
   * The last lines that an emulator printed.
   *
   * For owners: what it prints has paths of the machine. More is in the file that `process.log` of `emulators.list` names. Needs the role `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator.
   *
   * @param id The id of an emulator.
   */
  emulatorsLog(id: string): Promise<EmulatorLogAnswer> {
    return this.call('emulators.log', { id });
  }

  /**
   * Stop an emulator and start it again.
   *
   * It saves its game, ends, and starts with the same ROM, id and speed, as after switching it on. A ROM that was built again since is read again. The
   * response comes when it answers. To continue where it was, load a state afterwards. Needs the role `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator. 502: `start-failed`: the emulator did not start again; `detail` says why. It
   *   keeps its id, and is tried again as after a fault. 507: `save-failed`: the save file cannot be written, and what the game holds would be lost.
   *   Nothing was done. `memory-full`: the memory limit is reached.
   *
   * @param id The id of an emulator.
   */
  emulatorsRestart(id: string): Promise<StatusAnswer> {
    return this.call('emulators.restart', { id });
  }

  /**
   * Pause, continue or change the speed of an emulator.
   *
   * While it is paused, reads, writes, states and reset are still answered. A lease stays with its holder: while the emulator is paused its steps wait,
   * then they run at the new speed; its time limit counts on, except while a step waits. The response has the state after the change. Needs the role
   * `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator. 501: `unsupported`: the emulator has a window, which only its user can pause.
   *
   * @param id The id of an emulator.
   * @param options.paused Whether it is paused; omitted, that does not change.
   * @param options.fps Frames a second; 0 runs as fast as possible. Omitted, that does not change. (0 to 100000)
   */
  emulatorsRun(id: string, options: { paused?: boolean; fps?: number } = {}): Promise<StatusAnswer> {
    return this.call('emulators.run', { id, ...options });
  }

  /**
   * Start an emulator.
   *
   * The response comes when the emulator answers; its paths are below `/i/{id}`. The gateway watches it, and restarts it after a fault from its newest
   * automatic state. It ends with the gateway. Needs the role `owner`.
   *
   * Problems: 403: `rom-forbidden`: the ROM, the patch, the file of cheats or the BIOS is outside `Bridge:Owned:RomFolders`. `foreign-origin`: not from
   *   here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
   *   belongs to an owner of sessions. 404: `no-such-rom`: there is no such ROM. `no-such-patch`: there is no such patch. `no-such-cheats`: there is no
   *   such file of cheats. `no-such-bios`: there is no such BIOS. `no-such-state`: there is no such state. 409: `too-many-emulators`: there are as many
   *   emulators as allowed. `id-taken`: the id is in use. 422: `options-refused`: the ROM cannot have what the options of the cartridge, the console or
   *   the clock say, its save file or BIOS is of another kind, or they do not go together; `detail` says what to change. Nothing runs. `key-reused`: the
   *   key belongs to another request. 501: `emulator-missing`: mgba-headless or mgba-qt is not installed. 502: `start-failed`: the emulator did not start,
   *   the patch is damaged or of another ROM, the file has no cheats, or the state is of another game; `detail` says why. 507: `store-failed`: the folder
   *   of the states cannot be used. `memory-full`: the memory limit is reached.
   *
   * @param rom The ROM: the name of an uploaded one, or a path below one of `Bridge:Owned:RomFolders`, whole or relative to one of them.
   * @param options.patch A patch to apply to the ROM in memory (IPS, UPS or BPS): a path as of `rom`.
   * @param options.cheats A file of cheats (.cht or .cheats, as of `--cheats`): a path as of `rom`.
   * @param options.state The name of the state to continue from; without one the game starts as after switching it on, with its save file.
   * @param options.fps Frames a second; 0 runs as fast as possible. The console's own rate unless given. (0 to 100000)
   * @param options.window Whether it runs in a window (mgba-qt) rather than without one (mgba-headless). (default false)
   * @param options.saveType What the GBA cartridge saves to, for a game that mGBA does not know. What mGBA finds unless given.
   * @param options.hardware What the GBA cartridge has besides, joined by commas: `rtc`, `rumble`, `light`, `gyro`, `tilt`, `e-reader`, `gb-player`, or
   *   `none`. What mGBA finds unless given.
   * @param options.idleLoop The address of the loop in which the GBA game waits, such as `0x08000D3C`, or `none`. A wrong one freezes the game. What mGBA
   *   finds unless given.
   * @param options.model The console; a GBA game runs on AGB only. What mGBA chooses for the ROM unless given.
   * @param options.mbc The controller of the GB cartridge. That of its header unless given.
   * @param options.palette The colours of GB games: 12 of RRGGBB joined by commas (4 of the background, of the first and of the second objects), 4 for all
   *   three, or the name of a set of mGBA.
   * @param options.bios The BIOS of the console: a path as of `rom`. mGBA's own unless given.
   * @param options.skipBios Whether the game starts without what the BIOS shows first. (default false)
   * @param options.clock What the game's clock reads: `host` (the time of the emulator's machine), `host+SECONDS`, `host-SECONDS`, `fixed:TIME`, or
   *   `emulated:TIME`, which advances with the frames. TIME is `2026-01-01T12:00`, perhaps with seconds, from 2000 to 2099. `host` unless given.
   * @param options.id Its id: 1 to 32 characters of a-z, 0-9, _ and -; the lowest free number unless given.
   */
  emulatorsStart(rom: string, options: { patch?: string; cheats?: string; state?: string; fps?: number; window?: boolean; saveType?: 'none' | 'sram' | 'sram512' | 'eeprom' | 'eeprom512' | 'flash512' | 'flash1m'; hardware?: string; idleLoop?: string; model?: 'DMG' | 'MGB' | 'SGB' | 'SGB2' | 'CGB' | 'SCGB' | 'AGB'; mbc?: 'none' | 'mbc1' | 'mbc2' | 'mbc3' | 'mbc3-rtc' | 'mbc5' | 'mbc5-rumble' | 'mbc6' | 'mbc7' | 'mmm01' | 'huc-1' | 'huc-3' | 'pocket-cam' | 'tama5'; palette?: string; bios?: string; skipBios?: boolean; clock?: string; id?: string } = {}): Promise<StatusAnswer> {
    return this.call('emulators.start', { rom, ...options });
  }

  /**
   * Stop an emulator that the gateway started.
   *
   * It saves its game and ends. Its automatic states stay. Needs the role `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator. 507: `save-failed`: the save file cannot be written, and what the game holds
   *   would be lost. Nothing was done. `memory-full`: the memory limit is reached.
   *
   * @param id The id of an emulator.
   */
  emulatorsStop(id: string): Promise<StatusAnswer> {
    return this.call('emulators.stop', { id });
  }

  /**
   * What happened in the fleet, oldest first.
   *
   * The newest `limit` events, or with `after` those that follow it. Needs the role `viewer`.
   *
   * Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param options.session Only those of this session.
   * @param options.after The oldest with a higher id, such as the last one of the previous response; without it, the newest of all. (from 0)
   * @param options.limit How many at most. (1 to 1000; default 100)
   */
  fleetEvents(options: { session?: string; after?: number; limit?: number } = {}): Promise<FleetEventsAnswer> {
    return this.call('fleet.events', { ...options });
  }

  /**
   * The hosts of the fleet, those that live first.
   *
   * At most 1000. A host is one process of `mgba-bridge node`; those that are gone are kept for 7 days. Needs the role `viewer`.
   *
   * Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   */
  fleetHosts(): Promise<HostsAnswer> {
    return this.call('fleet.hosts', {});
  }

  /**
   * Create sessions, which run on the hosts of the fleet.
   *
   * The response comes at once; `fleet.sessions.get` shows when a session runs. All of them are created or none. Needs the role `owner`.
   *
   * Problems: 403: `rom-forbidden`: the ROM is outside `Bridge:Owned:RomFolders` of this gateway, if that is set. `foreign-origin`: not from here. `no-
   *   token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an
   *   owner of sessions. 404: `no-such-rom`: it is not there, or cannot be read. 409: `over-quota`: the owner would have too many sessions. `too-many-
   *   sessions`: the fleet would have too many sessions. `id-taken`: the id is in use. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param rom The ROM: a path below one of `Owned:RomFolders` of the hosts, relative or whole; `:demo:` is the bundled demo game, `:test:` that of tests.
   * @param options.count How many. (1 to 1000; default 1)
   * @param options.owner Who owns them: 1 to 24 characters of a-z, 0-9 and hyphen; `default` unless given, or the owner that the token belongs to.
   * @param options.fps Frames a second; 0 runs as fast as possible. The console's own rate unless given. (0 to 100000)
   * @param options.saveType What the GBA cartridge saves to, for a game that mGBA does not know. What mGBA finds unless given.
   * @param options.hardware What the GBA cartridge has besides, joined by commas: `rtc`, `rumble`, `light`, `gyro`, `tilt`, `e-reader`, `gb-player`, or
   *   `none`. What mGBA finds unless given.
   * @param options.idleLoop The address of the loop in which the GBA game waits, such as `0x08000D3C`, or `none`. A wrong one freezes the game. What mGBA
   *   finds unless given.
   * @param options.model The console; a GBA game runs on AGB only. What mGBA chooses for the ROM unless given.
   * @param options.mbc The controller of the GB cartridge. That of its header unless given.
   * @param options.palette The colours of GB games: 12 of RRGGBB joined by commas (4 of the background, of the first and of the second objects), 4 for all
   *   three, or the name of a set of mGBA.
   * @param options.bios The BIOS of the console: a path as of `rom`. mGBA's own unless given.
   * @param options.skipBios Whether the game starts without what the BIOS shows first. (default false)
   * @param options.clock What the game's clock reads: `host` (the time of the emulator's machine), `host+SECONDS`, `host-SECONDS`, `fixed:TIME`, or
   *   `emulated:TIME`, which advances with the frames. TIME is `2026-01-01T12:00`, perhaps with seconds, from 2000 to 2099. `host` unless given.
   * @param options.id The id of a single session: 1 to 32 characters of a-z, 0-9, _ and -; a random one unless given.
   * @param options.cpus Processors for the job of each, which the engine `slurm` (rounded up) or `kubernetes` gives. What the engine's settings say unless
   *   given. (0.01 to 1024)
   * @param options.memory Memory for the job of each in MiB, likewise. (16 to 16777216)
   * @param options.temporary Whether they are for the caller's program alone: deleted a minute after the last stream of its holder ended
   *   (`holder.stream`), of which one has to be open. (default false)
   */
  fleetSessionsCreate(rom: string, options: { count?: number; owner?: string; fps?: number; saveType?: 'none' | 'sram' | 'sram512' | 'eeprom' | 'eeprom512' | 'flash512' | 'flash1m'; hardware?: string; idleLoop?: string; model?: 'DMG' | 'MGB' | 'SGB' | 'SGB2' | 'CGB' | 'SCGB' | 'AGB'; mbc?: 'none' | 'mbc1' | 'mbc2' | 'mbc3' | 'mbc3-rtc' | 'mbc5' | 'mbc5-rumble' | 'mbc6' | 'mbc7' | 'mmm01' | 'huc-1' | 'huc-3' | 'pocket-cam' | 'tama5'; palette?: string; bios?: string; skipBios?: boolean; clock?: string; id?: string; cpus?: number; memory?: number; temporary?: boolean } = {}): Promise<CreatedSessionsAnswer> {
    return this.call('fleet.sessions.create', { rom, ...options });
  }

  /**
   * Delete a session of the fleet, and its states.
   *
   * Its host ends it. The response shows how it was before. Needs the role `owner`.
   *
   * Problems: 404: `no-such-session`: there is no such session. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param session The id of a session of the fleet.
   */
  fleetSessionsDelete(session: string): Promise<FleetSession> {
    return this.call('fleet.sessions.delete', { session });
  }

  /**
   * Delete all sessions of an owner, or of the fleet, and their states.
   *
   * Their hosts end them. A token of an owner deletes those of its owner alone. Needs the role `owner`.
   *
   * Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param options.owner Those of this owner.
   * @param options.all Those of all owners. (default false)
   */
  fleetSessionsDeleteAll(options: { owner?: string; all?: boolean } = {}): Promise<DeletedSessionsAnswer> {
    return this.call('fleet.sessions.deleteAll', { ...options });
  }

  /**
   * One session of the fleet.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-session`: there is no such session. 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param session The id of a session of the fleet.
   */
  fleetSessionsGet(session: string): Promise<FleetSession> {
    return this.call('fleet.sessions.get', { session });
  }

  /**
   * The sessions of the fleet, in the order of their ids.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   *
   * @param options.owner Only those of this owner.
   * @param options.state Only those in this state.
   * @param options.after Only those behind this id: the last one of the previous response.
   * @param options.limit How many at most. (1 to 1000; default 100)
   */
  fleetSessionsList(options: { owner?: string; state?: 'pending' | 'placed' | 'running' | 'deleting'; after?: string; limit?: number } = {}): Promise<SessionsAnswer> {
    return this.call('fleet.sessions.list', { ...options });
  }

  /**
   * The fleet in numbers.
   *
   * For a token of an owner: its sessions, and the hosts that have them. Needs the role `viewer`.
   *
   * Problems: 501: `no-fleet`: `Bridge:Fleet:Database` is not set.
   */
  fleetStatus(): Promise<FleetStatusAnswer> {
    return this.call('fleet.status', {});
  }

  /**
   * Release a frozen value.
   *
   * The freeze of this holder with this id. To release another holder's, send its name in `Mgba-Holder`. Needs the role `owner`.
   *
   * Problems: 404: `no-such-freeze`: the holder has no such freeze. `no-such-emulator`: there is no such emulator.
   *
   * @param freeze The id of a freeze of the holder.
   */
  freezesDelete(freeze: string): Promise<UnfreezeAnswer> {
    return this.call('freezes.delete', { freeze });
  }

  /**
   * Release all frozen values of the holder.
   *
   * Needs the role `owner`.
   */
  freezesDeleteAll(): Promise<UnfreezeAnswer> {
    return this.call('freezes.deleteAll', {});
  }

  /**
   * The frozen values of all holders.
   *
   * Needs the role `viewer`.
   */
  freezesList(): Promise<FreezesAnswer> {
    return this.call('freezes.list', {});
  }

  /**
   * Freeze a value.
   *
   * Writes the value now and again in every frame, before anything reads it. A freeze ends after its frames, when it is released, when its holder's
   * connection ends (WebSocket), when the gateway is gone for 2 seconds, and when the game changes. All freezes together: 256, and 1 ms a frame. Frozen
   * values apply during lockstep steps; a recording or a replay does not start while there are freezes. Needs the role `owner`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `null-
   *   pointer`: a pointer on the way is 0. `unsettled`: a pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded.
   *   `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
   *   change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *
   * @param location Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol. Pointers of a property are
   *   followed once, now.
   * @param value
   * @param options.id The name of the freeze, 1 to 64 bytes; `location` unless given. A freeze of the same holder with this id is replaced.
   * @param options.frames In how many frames it is written; until it is released unless given. (1 to 2147483647)
   * @param options.type What it is.
   * @param options.count How many numbers side by side: the value is a list then. (1 to 262144)
   * @param options.endian The byte order of numbers. (default "little")
   * @param options.length How many bytes a text has, or bytes are. (1 to 1048576)
   * @param options.table A text table of the game's property map; `ascii` unless given.
   */
  freezesSet(location: string, value: unknown, options: { id?: string; frames?: number; type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes'; count?: number; endian?: 'little' | 'big'; length?: number; table?: string } = {}): Promise<FreezeAnswer> {
    return this.call('freezes.set', { location, value, ...options });
  }

  /**
   * The capabilities of this emulator.
   *
   * Needs the role `viewer`.
   */
  gameCapabilities(): Promise<CapabilitiesAnswer> {
    return this.call('game.capabilities', {});
  }

  /**
   * The CRC32 of the ROM.
   *
   * Needs the role `viewer`.
   */
  gameChecksum(): Promise<ChecksumAnswer> {
    return this.call('game.checksum', {});
  }

  /**
   * The loaded game.
   *
   * Needs the role `viewer`.
   */
  gameGet(): Promise<GameAnswer> {
    return this.call('game.get', {});
  }

  /**
   * Reset the game.
   *
   * The same as switching the console off and on: memory is cleared, save data is kept. Needs the role `owner`.
   */
  gameReset(): Promise<DoneAnswer> {
    return this.call('game.reset', {});
  }

  /**
   * The SHA-1 of the ROM.
   *
   * Databases of games identify a ROM by it. The gateway reads the whole ROM. Needs the role `viewer`.
   */
  gameSha1(): Promise<Sha1Answer> {
    return this.call('game.sha1', {});
  }

  /**
   * Run one CPU instruction.
   *
   * For frames instead of instructions, take a lease. Needs the role `owner`.
   */
  gameStep(): Promise<DoneAnswer> {
    return this.call('game.step', {});
  }

  /**
   * Give a guest another role: hand control over, or take it back.
   *
   * A player may take the lease (`lease.take`). What is open for the guest ends: keys are released, and a lease ends. The page opens it again by itself.
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-guest`: there is no such guest, or the link has ended. 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file
   *   cannot be written, so that a restart undoes it. `memory-full`: the memory limit is reached.
   *
   * @param guest The id of a guest.
   * @param role What the guest may do: watch (viewer), press keys, too (guest), take the lease, too (player).
   */
  guestsChange(guest: string, role: 'viewer' | 'guest' | 'player'): Promise<GuestAnswer> {
    return this.call('guests.change', { guest, role });
  }

  /**
   * End a guest's link.
   *
   * The token is no longer valid, what is open for the guest ends, and keys are released. Needs the role `owner`.
   *
   * Problems: 404: `no-such-guest`: there is no such guest, or the link has ended. 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file
   *   cannot be written, so that a restart undoes it. `memory-full`: the memory limit is reached.
   *
   * @param guest The id of a guest.
   */
  guestsEnd(guest: string): Promise<EndedGuestsAnswer> {
    return this.call('guests.end', { guest });
  }

  /**
   * End the links of all guests.
   *
   * Needs the role `owner`.
   *
   * Problems: 507: `store-failed`: it is done, and `Http:KeepGuests` is set: the file cannot be written, so that a restart undoes it. `memory-full`: the
   *   memory limit is reached.
   */
  guestsEndAll(): Promise<EndedGuestsAnswer> {
    return this.call('guests.endAll', {});
  }

  /**
   * Invite a guest: make a link to the page, with a token of its own.
   *
   * The response has the link once. It ends when its time is up, by `guests.end`, and with the gateway, unless `Http:KeepGuests` is set. Everybody who has
   * the link can use it. At most 32 at once. Needs the role `owner`.
   *
   * Problems: 409: `not-shared`: the gateway listens only to its machine, or the machine is in no network, and no `address` is given. `too-many-guests`:
   *   there are 32 guests. 507: `store-failed`: `Http:KeepGuests` is set, and the file cannot be written. `memory-full`: the memory limit is reached.
   *
   * @param options.name What you call the guest. (default "Guest")
   * @param options.role What the guest may do: watch (viewer), press keys, too (guest), take the lease, too (player). (default "guest")
   * @param options.expiresIn How many seconds the link is valid. (60 to 2592000; default 86400)
   * @param options.address Where the guest reaches the gateway, such as `https://play.example.com`; its address in the local network unless given.
   */
  guestsInvite(options: { name?: string; role?: 'viewer' | 'guest' | 'player'; expiresIn?: number; address?: string } = {}): Promise<InvitedGuestAnswer> {
    return this.call('guests.invite', { ...options });
  }

  /**
   * The guests whose links are valid, and who of them is connected.
   *
   * Needs the role `owner`.
   */
  guestsList(): Promise<GuestsAnswer> {
    return this.call('guests.list', {});
  }

  /**
   * Press more keys and hold them.
   *
   * Needs the role `guest`.
   *
   * @param keys The keys.
   */
  keysAdd(keys: readonly Key[]): Promise<DoneAnswer> {
    return this.call('keys.add', { keys });
  }

  /**
   * Release keys.
   *
   * A key that was pressed in this frame stays down until its end, so that the game sees it. Needs the role `guest`.
   *
   * @param keys The keys.
   */
  keysClear(keys: readonly Key[]): Promise<DoneAnswer> {
    return this.call('keys.clear', { keys });
  }

  /**
   * The keys that are down, and their holders.
   *
   * Needs the role `viewer`.
   */
  keysGet(): Promise<KeysAnswer> {
    return this.call('keys.get', {});
  }

  /**
   * Release all keys of this holder and cancel its queued taps.
   *
   * Needs the role `guest`.
   */
  keysRelease(): Promise<DoneAnswer> {
    return this.call('keys.release', {});
  }

  /**
   * Press keys one after the other.
   *
   * As text (`sequence`) or as a list (`steps`). All steps or none. With sensors of the cartridge it needs the permission of `sensors.set`. Needs the role
   * `guest`.
   *
   * @param options.sequence Keys or `wait`, and frames: `A 4, wait 10, Up+B 2`. Up to 512 steps. Sensors of the cartridge show something meanwhile: `tilt
   *   10/-5 4`, `B light 0.8 gyro 30 10`.
   * @param options.steps The same as a list, instead of `sequence`.
   * @param options.gap How many frames up before the same key may go down again. (1 to 36000; default 2)
   * @param options.wait Whether the response is sent when the keys are up again rather than immediately. (default false)
   * @param options.waiting What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it
   *   shortens the one before it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait
   *   for more than 24 frames. `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun. (default
   *   "queue")
   */
  keysSequence(options: { sequence?: string; steps?: readonly BatchRunItemsItemSequenceStepsItem[]; gap?: number; wait?: boolean; waiting?: 'queue' | 'shorten' | 'replace' } = {}): Promise<PressAnswer> {
    return this.call('keys.sequence', { ...options });
  }

  /**
   * Hold exactly these keys.
   *
   * The keys stay down until this holder releases them. Keys of other holders stay down. An empty list releases all keys of this holder. Needs the role
   * `guest`.
   *
   * @param keys The keys.
   */
  keysSet(keys: readonly Key[]): Promise<DoneAnswer> {
    return this.call('keys.set', { keys });
  }

  /**
   * Press keys together for some frames.
   *
   * Taps of a key queue behind each other, with a gap, so that the game sees each of them. The response has the frames `down` and `up`; it is sent
   * immediately, or with `wait` when the keys are up again. `unseen` in it names keys that someone holds already, so that the game sees no press of them.
   * Needs the role `guest`.
   *
   * @param keys The keys to press together.
   * @param options.frames For how many frames. (1 to 36000; default 4)
   * @param options.gap How many frames up before the same key may go down again. (1 to 36000; default 2)
   * @param options.wait Whether the response is sent when the keys are up again rather than immediately. (default false)
   * @param options.waiting What a press does about presses of its keys by the same holder that are not over. `queue`: it comes behind them. `shorten`: it
   *   shortens the one before it (to 3 frames, and 1 up), keeps the order of different keys, and joins a waiting press of the same keys rather than wait
   *   for more than 24 frames. `replace`: it takes the place of those that wait, which get 409 `cancelled`, and shortens the one that has begun. (default
   *   "queue")
   */
  keysTap(keys: readonly Key[], options: { frames?: number; gap?: number; wait?: boolean; waiting?: 'queue' | 'shorten' | 'replace' } = {}): Promise<PressAnswer> {
    return this.call('keys.tap', { keys, ...options });
  }

  /**
   * Take the steps of the lease from a local socket.
   *
   * The emulator connects to a Unix socket (`SOCK_SEQPACKET`) on which the caller listens, and takes the steps of the caller's lease from there: several
   * times faster than by the gateway, for programs that learn on the emulator's machine. docs/protocol.md, section 7.6, describes the messages. Each step
   * answers the numbers, then the picture. With `state` it takes the lease for 10 s after each step where the caller has none, and the emulator keeps the
   * state. The socket is closed when the lease ends. Needs the role `owner`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `rejected` (`no-lease`): there is no
   *   lease, and no `state` to take it for. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the
   *   way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the
   *   game is another one now. `rejected` (`expired`): its reply is not kept any more. 501: `unsupported`: the emulator is a window, or not on Linux.
   *
   * @param socket The path of the socket, which must be of the user that runs the emulator.
   * @param options.reads The numbers to read in the frame that was reached; none unless given.
   * @param options.pixels The picture of that frame, as of `screen.pixels`; none unless given.
   * @param options.state The name of a kept state, in which steps that reset continue.
   * @param options.deadlineMs How many milliseconds it may take until the emulator has connected; with `state` an emulator that is started again is waited
   *   for. (10 to 600000; default 5000)
   */
  leaseAttach(socket: string, options: { reads?: readonly LeaseAttachReadsItem[]; pixels?: LeaseAttachPixels; state?: string; deadlineMs?: number } = {}): Promise<LocalStepsAnswer> {
    return this.call('lease.attach', { socket, ...options });
  }

  /**
   * Release the lease; the game continues.
   *
   * A caller with the role owner ends the lease of any holder by a request that names no holder (without `Mgba-Holder`). Needs the role `player`.
   */
  leaseRelease(): Promise<ReleaseAnswer> {
    return this.call('lease.release', {});
  }

  /**
   * Run an exact number of frames.
   *
   * Runs the frames with `keys` held, then `items` at the frame that was reached, as in a batch; the response has the results. With `from`, the frame of
   * the previous response, nothing runs twice: a step that has already run gets 412, and `Mgba-Frame` is the current frame. Needs the role `player`.
   *
   * Problems: 409: `rejected` (`no-lease`): there is no lease: it ended, or none was taken. Take it first. `rejected` (`no-game`): no game is loaded.
   *   `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
   *   change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *   412: `guard-failed`: the current frame is not `from`, or a guard among the items does not match: nothing ran.
   *
   * @param frames The exact number of frames; 0 only runs the items. (0 to 36000)
   * @param options.keys The keys that are down from now on; those of the step before unless given.
   * @param options.from The expected current frame; if it differs, nothing runs (412). A step whose response was lost can so be sent again and runs once.
   *   (from 0)
   * @param options.items What to do on the frame that was reached, as in a batch.
   */
  leaseStep(frames: number, options: { keys?: readonly Key[]; from?: number; items?: readonly LeaseStepItemsItem[] } = {}): Promise<BatchAnswer> {
    return this.call('lease.step', { frames, ...options });
  }

  /**
   * Take the lockstep lease.
   *
   * The game stops between steps, and only this holder's effects run; others get 423. A request without a holder gets a generated one in the response:
   * send it in `Mgba-Holder` with every step. The lease ends when its holder sends nothing for `limitMs`. Taking it again with the `token` of the response
   * resumes the same lease, also through another gateway; `frame` and `running` show whether a step whose response was lost has run. Needs the role
   * `player`.
   *
   * Problems: 409: `rejected` (`no-lease`): the lease of this token has ended, and the game ran on. `rejected` (`no-game`): no game is loaded. `rejected`
   *   (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the
   *   game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 501:
   *   `rejected` (`unsupported`): this window may have video sync on, which does not survive a lease.
   *
   * @param options.limitMs How many milliseconds the holder may say nothing before the lease ends. (50 to 10000; default 2000)
   * @param options.token The token of a lease to resume. 409 when that lease has ended.
   */
  leaseTake(options: { limitMs?: number; token?: string } = {}): Promise<LeaseAnswer> {
    return this.call('lease.take', { ...options });
  }

  /**
   * The memory domains.
   *
   * Needs the role `viewer`.
   */
  memoryDomains(): Promise<DomainsAnswer> {
    return this.call('memory.domains', {});
  }

  /**
   * Read many locations in one frame.
   *
   * Numbers and ranges, up to 4 MiB together, all from the same frame. Needs the role `viewer`.
   *
   * @param reads What to read: numbers of a type, or so many bytes.
   */
  memoryGather(reads: readonly MemoryGatherReadsItem[]): Promise<ReadsAnswer> {
    return this.call('memory.gather', { reads });
  }

  /**
   * Read bytes, all from one frame.
   *
   * Raw with `Accept: application/octet-stream`, otherwise base64. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param length How many bytes. (0 to 4194304)
   */
  memoryRead(location: string, length: number): Promise<BytesAnswer> {
    return this.call('memory.read', { location, length });
  }

  /**
   * Read a signed number of 16 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadS16(location: string): Promise<CellAnswer> {
    return this.call('memory.read.s16', { location });
  }

  /**
   * Read a signed number of 32 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadS32(location: string): Promise<CellAnswer> {
    return this.call('memory.read.s32', { location });
  }

  /**
   * Read a signed number of 8 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadS8(location: string): Promise<CellAnswer> {
    return this.call('memory.read.s8', { location });
  }

  /**
   * Read an unsigned number of 16 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadU16(location: string): Promise<CellAnswer> {
    return this.call('memory.read.u16', { location });
  }

  /**
   * Read an unsigned number of 32 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadU32(location: string): Promise<CellAnswer> {
    return this.call('memory.read.u32', { location });
  }

  /**
   * Read an unsigned number of 8 bits.
   *
   * Little-endian; the address may be odd. Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   */
  memoryReadU8(location: string): Promise<CellAnswer> {
    return this.call('memory.read.u8', { location });
  }

  /**
   * Read a list, a text, or a number in either byte order.
   *
   * Needs the role `viewer`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param type What it is.
   * @param options.count How many numbers side by side: the value is a list then. (1 to 262144)
   * @param options.endian The byte order of numbers. (default "little")
   * @param options.length How many bytes a text has, or bytes are. (1 to 1048576)
   * @param options.table A text table of the game's property map; `ascii` unless given.
   */
  memoryReadValue(location: string, type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes', options: { count?: number; endian?: 'little' | 'big'; length?: number; table?: string } = {}): Promise<MemoryValueAnswer> {
    return this.call('memory.readValue', { location, type, ...options });
  }

  /**
   * Write bytes.
   *
   * Up to 16 KiB are written in one frame; more takes one frame for each 16 KiB, in order, and the response lists the frames. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param body The body; text and bytes are sent as they are.
   * @param options.type What the number is, little-endian.
   * @param options.value The number, instead of bytes; negative ones in two's complement. (-2147483648 to 4294967295)
   */
  memoryWrite(location: string, body: Uint8Array | string, options: { type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32'; value?: number } = {}): Promise<WriteAnswer> {
    return this.call('memory.write', { location, body, ...options });
  }

  /**
   * Write a signed number of 16 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-32768 to 65535)
   */
  memoryWriteS16(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.s16', { location, value });
  }

  /**
   * Write a signed number of 32 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-2147483648 to 4294967295)
   */
  memoryWriteS32(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.s32', { location, value });
  }

  /**
   * Write a signed number of 8 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-128 to 255)
   */
  memoryWriteS8(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.s8', { location, value });
  }

  /**
   * Write an unsigned number of 16 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-32768 to 65535)
   */
  memoryWriteU16(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.u16', { location, value });
  }

  /**
   * Write an unsigned number of 32 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-2147483648 to 4294967295)
   */
  memoryWriteU32(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.u32', { location, value });
  }

  /**
   * Write an unsigned number of 8 bits.
   *
   * Little-endian; the address may be odd. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param value The number; negative ones in two's complement. (-128 to 255)
   */
  memoryWriteU8(location: string, value: number): Promise<WriteAnswer> {
    return this.call('memory.write.u8', { location, value });
  }

  /**
   * Write a list, a text, or a number in either byte order.
   *
   * A text is padded to its length with the byte that ends one. More than 16 KiB takes several frames; the response lists them. Needs the role `owner`.
   *
   * @param location Where: an address on the game's bus, or an offset in a memory domain.
   * @param type What it is.
   * @param value
   * @param options.count How many numbers side by side: the value is a list then. (1 to 262144)
   * @param options.endian The byte order of numbers. (default "little")
   * @param options.length How many bytes a text has, or bytes are. (1 to 1048576)
   * @param options.table A text table of the game's property map; `ascii` unless given.
   */
  memoryWriteValue(location: string, type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes', value: unknown, options: { count?: number; endian?: 'little' | 'big'; length?: number; table?: string } = {}): Promise<WriteAnswer> {
    return this.call('memory.writeValue', { location, type, value, ...options });
  }

  /**
   * All operations.
   *
   * Every operation with its name on WebSocket, its HTTP method and path, its name in a batch, the access and the role that it requires, and whether the
   * caller's token is enough. Needs the role `viewer`.
   */
  operationsList(): Promise<OperationsAnswer> {
    return this.call('operations.list', {});
  }

  /**
   * Delete the property map of the game.
   *
   * Needs the role `owner`.
   */
  propertiesDelete(): Promise<PropertiesAnswer> {
    return this.call('properties.delete', {});
  }

  /**
   * The properties of the game.
   *
   * Needs the role `viewer`.
   */
  propertiesList(): Promise<PropertiesAnswer> {
    return this.call('properties.list', {});
  }

  /**
   * Load a property map.
   *
   * The names, locations and types of a game's values. It replaces an earlier map for the same game and lasts until the gateway ends;
   * `Bridge:Symbols:Folder` names a folder that is read at each start. An error names line and column, and the earlier map stays. Needs the role `owner`.
   *
   * Problems: 507: `memory-full`: names take as much memory, or are of as many games, as the settings allow.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  propertiesLoad(body: MapBody | Uint8Array | string): Promise<PropertiesAnswer> {
    return this.call('properties.load', { body });
  }

  /**
   * Delete a recording.
   *
   * Needs the role `guest`.
   *
   * Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
   *
   * @param recording The id of a recording.
   */
  recordingsDelete(recording: string): Promise<RecordingAnswer> {
    return this.call('recordings.delete', { recording });
  }

  /**
   * The lines of a recording.
   *
   * JSON Lines: first the game and its state, then keys, hashes and the end, each with its frame. A running recording is returned up to the current frame.
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
   *
   * @param recording The id of a recording.
   */
  recordingsDownload(recording: string): Promise<Uint8Array> {
    return this.call('recordings.download', { recording });
  }

  /**
   * The recordings of this emulator.
   *
   * Needs the role `viewer`.
   */
  recordingsList(): Promise<RecordingsAnswer> {
    return this.call('recordings.list', {});
  }

  /**
   * Replay a recording.
   *
   * Loads its state, takes the lockstep lease and runs its frames with its keys. Stops at the first hash that differs, and reports its frame. It takes as
   * long as the emulator needs for the frames; disconnecting ends it. Keys of other holders stay down: release them first. Needs the role `owner`.
   *
   * Problems: 409: `other-game`: it is a recording of another game. `keys-held`: others hold keys. `values-frozen`: values are frozen. `rejected` (`no-
   *   game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was
   *   cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its
   *   reply is not kept any more.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  recordingsReplay(body: Uint8Array | string): Promise<ReplayAnswer> {
    return this.call('recordings.replay', { body });
  }

  /**
   * Record key presses.
   *
   * Records the keys of every frame, of all holders and of the player, and a hash of memory at a fixed interval of frames. Only keys are recorded: what
   * else changes the game (writes, states) makes a replay differ. It ends when the game is reset, changed or lost, or a value is frozen. The gateway keeps
   * 16 recordings in memory, each with at most 50000 lines. Needs the role `guest`.
   *
   * Problems: 409: `values-frozen`: values are frozen. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
   *   not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
   *   script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the limit of recordings is
   *   reached; delete some.
   *
   * @param options.hashEvery About every how many frames memory is hashed. (1 to 36000; default 60)
   * @param options.ranges What is hashed: texts such as `wram:0x0/262144`, together at most 1 MiB; all working memory unless given.
   */
  recordingsStart(options: { hashEvery?: number; ranges?: readonly string[] } = {}): Promise<RecordingAnswer> {
    return this.call('recordings.start', { ...options });
  }

  /**
   * End a recording with a last hash.
   *
   * Needs the role `guest`.
   *
   * Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator.
   *
   * @param recording The id of a recording.
   */
  recordingsStop(recording: string): Promise<RecordingAnswer> {
    return this.call('recordings.stop', { recording });
  }

  /**
   * Make a video of a recording, with sound.
   *
   * Another emulator without a window plays the recording again, as fast as ffmpeg encodes; the game that is played now is not disturbed. It has each
   * frame of the recording once. Only for emulators that the gateway started, whose ROM it knows. One video at a time, of at most 10 minutes of the game
   * and 536870912 bytes. Disconnecting ends it. Needs the role `guest`.
   *
   * Problems: 404: `no-such-recording`: there is no such recording. `no-such-emulator`: there is no such emulator. 413: `too-large`: the recording is too
   *   long. 422: `no-video`: memory differs from a hash of the recording, or ffmpeg failed. 429: `too-many-requests`: another video is being made. 501:
   *   `unsupported`: ffmpeg or mgba-headless is not installed, or the gateway did not start the emulator.
   *
   * @param recording The id of a recording.
   * @param options.format H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it. (default
   *   "mp4")
   */
  recordingsVideo(recording: string, options: { format?: 'mp4' | 'webm' | 'mkv' } = {}): Promise<Uint8Array> {
    return this.call('recordings.video', { recording, ...options });
  }

  /**
   * Read all registers in one frame.
   *
   * Needs the role `viewer`.
   */
  registersGet(): Promise<RegistersAnswer> {
    return this.call('registers.get', {});
  }

  /**
   * Read a register.
   *
   * `registers.get` reads all registers in one frame; `batch.run` reads some together with other items. Needs the role `viewer`.
   *
   * Problems: 404: `rejected` (`not-found`): there is no such register; `detail` lists them. `no-such-emulator`: there is no such emulator.
   *
   * @param name A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).
   */
  registersRead(name: string): Promise<RegisterAnswer> {
    return this.call('registers.read', { name });
  }

  /**
   * Write a register.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `rejected` (`not-found`): there is no such register; `detail` lists them. `no-such-emulator`: there is no such emulator.
   *
   * @param name A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).
   * @param value The number, up to 32 bits; negative ones in two's complement. (-2147483648 to 4294967295)
   */
  registersWrite(name: string, value: number): Promise<DoneAnswer> {
    return this.call('registers.write', { name, value });
  }

  /**
   * Go back by frames of play.
   *
   * Continues from the newest state that is at least so many frames of play old, or from the oldest one. Frames behind which the game went back before do
   * not count, nor those since then within a second (60 frames), so that each call leads further back. Later states are dropped. Needs the role `owner`.
   *
   * Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
   *
   * @param options.frames How many frames to go back. (0 to 36000; default 60)
   */
  rewindBack(options: { frames?: number } = {}): Promise<RewoundAnswer> {
    return this.call('rewind.back', { ...options });
  }

  /**
   * The states kept for rewinding.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
   */
  rewindGet(): Promise<RewindAnswer> {
    return this.call('rewind.get', {});
  }

  /**
   * Rewind to a state.
   *
   * Later states are dropped, since the game has another future from there. The script's frame count does not decrease. Needs the role `owner`.
   *
   * Problems: 404: `no-such-rewind`: the ring has no such state any more. `no-such-emulator`: there is no such emulator.
   *
   * @param frame The frame of a state in the ring. (from 0)
   */
  rewindLoad(frame: number): Promise<DoneAnswer> {
    return this.call('rewind.load', { frame });
  }

  /**
   * The picture of a state.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-rewind`: the ring has no such state any more. `no-such-emulator`: there is no such emulator. 501: `unsupported`: this emulator
   *   has no picture.
   *
   * @param frame The frame of a state in the ring. (from 0)
   */
  rewindScreen(frame: number): Promise<Uint8Array> {
    return this.call('rewind.screen', { frame });
  }

  /**
   * Keep states for rewinding.
   *
   * The gateway takes a state at a fixed interval of frames. It drops the oldest ones beyond the maximum number or 64 MiB, and all when the game changes.
   * Each state takes the emulator about two milliseconds. States kept before are dropped. `rewind.video` makes a video of the last seconds. Needs the role
   * `owner`.
   *
   * @param options.every How many frames lie between two states. (10 to 36000; default 60)
   * @param options.points How many states are kept. Together they have at most 64 MiB. (1 to 1000; default 60)
   */
  rewindStart(options: { every?: number; points?: number } = {}): Promise<RewindAnswer> {
    return this.call('rewind.start', { ...options });
  }

  /**
   * Stop keeping states for rewinding.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator.
   */
  rewindStop(): Promise<RewindAnswer> {
    return this.call('rewind.stop', {});
  }

  /**
   * Make a video of the last seconds, with sound.
   *
   * Another emulator without a window plays the game again, from a state that is kept for rewinding and with the keys since then, as fast as ffmpeg
   * encodes; the game that is played now is not disturbed. It has each frame once. Where a state was loaded or the game was reset meanwhile, a few frames
   * are left out. `Mgba-Frame` is the last frame. Values that were written or frozen meanwhile are not written again: where the game then shows something
   * else, the video continues from the next kept state, and `Mgba-Deviations` is how many times it does. Only for emulators that the gateway started. One
   * video at a time. Disconnecting ends it. Needs the role `guest`.
   *
   * Problems: 404: `no-such-rewind`: no states are kept; `rewind.start` begins. `no-such-emulator`: there is no such emulator. 422: `no-video`: memory
   *   differs from a hash of the recording, or ffmpeg failed. 429: `too-many-requests`: another video is being made. 501: `unsupported`: ffmpeg or mgba-
   *   headless is not installed, or the gateway did not start the emulator.
   *
   * @param options.seconds How many seconds of the game; fewer when fewer are kept. (1 to 300; default 30)
   * @param options.format H.264 and AAC, VP9 and Opus, or H.264 and FLAC without loss. The last has the game's size, the others four times it. (default
   *   "mp4")
   */
  rewindVideo(options: { seconds?: number; format?: 'mp4' | 'webm' | 'mkv' } = {}): Promise<Uint8Array> {
    return this.call('rewind.video', { ...options });
  }

  /**
   * Load a game and reset.
   *
   * For the same console only. The epoch changes. Needs the role `owner`.
   *
   * Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows; `detail` names the setting. `foreign-origin`: not
   *   from here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
   *   belongs to an owner of sessions. 404: `rejected` (`not-found`): there is no such file. `no-such-emulator`: there is no such emulator.
   *
   * @param file Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one.
   */
  romLoad(file: string): Promise<DoneAnswer> {
    return this.call('rom.load', { file });
  }

  /**
   * Delete an uploaded ROM.
   *
   * What its game has saved stays, for when it is uploaded again. An emulator that runs it is not disturbed. Needs the role `owner`.
   *
   * Problems: 404: `no-such-rom`: no ROM was uploaded under this name.
   *
   * @param rom The name of an uploaded ROM.
   */
  romsDelete(rom: string): Promise<RomDeletedAnswer> {
    return this.call('roms.delete', { rom });
  }

  /**
   * The ROMs that can be started.
   *
   * GBA, GB and GBC files below `Bridge:Owned:RomFolders`, and those that were uploaded: at most 1000 of the first 20000 files. Symbolic links are
   * skipped. Needs the role `viewer`.
   */
  romsList(): Promise<RomsAnswer> {
    return this.call('roms.list', {});
  }

  /**
   * Upload a ROM.
   *
   * The body is a GBA, GB or GBC ROM of at most 33554432 bytes, or a zip archive with one, of which only the ROM is used. It is kept until it is deleted,
   * and can be started under the name in `rom`. The same bytes under the same name are the same ROM. Needs the role `owner`.
   *
   * Problems: 409: `rom-exists`: another ROM has the name. 413: `too-large`: the request is too large. 422: `not-a-rom`: the bytes are no ROM of these
   *   consoles, or the zip archive does not have exactly one. 507: `memory-full`: `Bridge:Owned:MaxRomBytes` is reached. `store-failed`: the folder cannot
   *   be written.
   *
   * @param name The name of its file. A name has up to 200 bytes in UTF-8, none of / \ : * ? " < > | and no mark of direction among them, does not begin
   *   with a dot or a space, and ends in .gba, .gb, .gbc, .sgb, .agb, .mb or .zip.
   * @param body The body; text and bytes are sent as they are.
   */
  romsUpload(name: string, body: Uint8Array | string): Promise<RomUploadedAnswer> {
    return this.call('roms.upload', { name, body });
  }

  /**
   * Use the game's default save file.
   *
   * Needs the role `owner`.
   */
  saveAutoload(): Promise<DoneAnswer> {
    return this.call('save.autoload', {});
  }

  /**
   * The save data of the game.
   *
   * What the game has saved in its cartridge, as in the file `.sav` of mGBA and most emulators; behind it the bytes of the cartridge's clock, where it has
   * one. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-save`: the game has no save data. `no-such-emulator`: there is no such emulator.
   */
  saveGet(): Promise<Uint8Array> {
    return this.call('save.get', {});
  }

  /**
   * Use a file for save data.
   *
   * The game sees it after a reset, and saves into it. So a file in another form than mGBA's is refused by its name; `save.put` takes its bytes. Needs the
   * role `owner`.
   *
   * Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows; `detail` names the setting. `foreign-origin`: not
   *   from here. `no-token-set`: only callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token
   *   belongs to an owner of sessions. 404: `rejected` (`not-found`): there is no such file. `no-such-emulator`: there is no such emulator.
   *
   * @param file Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing.
   * @param options.temporary Whether what the game saves is not written back to it. (default false)
   */
  saveLoad(file: string, options: { temporary?: boolean } = {}): Promise<DoneAnswer> {
    return this.call('save.load', { file, ...options });
  }

  /**
   * Give the game other save data, and reset it.
   *
   * The bytes of a file `.sav`, `.srm` or `.sa1`, with or without the bytes of a clock at its end (GBA 16, Game Boy 48 or 44, HuC3 136, TAMA5 40) or 512
   * bytes in front, or of a `.sps`, `.xps`, `.gsv` or `.dsv`; compressed by gzip or RetroArch, too. The size of the save data has to be that of the
   * present one; where the game has none yet, one of 512, 2048, 8192, 32768, 65536, 131072. The state before is kept under the name in `kept`; to undo,
   * `states.get` has its bytes, and `state.load` takes them with the flags 2. Needs the role `owner`.
   *
   * Problems: 422: `not-a-save`: the game has no save data of this size. `key-reused`: the key belongs to another request. 507: `save-failed`: the save
   *   file cannot be written: the game has the save, and the file gets it when it can be written; or, in a fleet, no state with it is stored yet. `store-
   *   failed`: the state before cannot be kept. `memory-full`: there is no room for it.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  savePut(body: Uint8Array | string): Promise<SaveLoadedAnswer> {
    return this.call('save.put', { body });
  }

  /**
   * Delete a scenario.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-scenario`: there is no such scenario.
   *
   * @param name The name of the scenario.
   */
  scenariosDelete(name: string): Promise<ScenarioAnswer> {
    return this.call('scenarios.delete', { name });
  }

  /**
   * The scenarios that the gateway keeps.
   *
   * Needs the role `viewer`.
   */
  scenariosList(): Promise<ScenariosAnswer> {
    return this.call('scenarios.list', {});
  }

  /**
   * Load a scenario: variables, reward and end of a game.
   *
   * Either `yaml`, or `data` and `scenario`, the documents of an integration of stable-retro, unchanged (docs/learning.md describes both). `vector.step`
   * then returns rewards and ends. It replaces an earlier scenario of this name and lasts until the gateway ends. An error names document, line and
   * column; lines of JSON documents count from the first brace. Needs the role `owner`.
   *
   * Problems: 404: `no-such-emulator`: there is no such emulator. 507: `memory-full`: so many scenarios are kept as there may be.
   *
   * @param name The name of the scenario.
   * @param options.data
   * @param options.scenario
   * @param options.yaml A scenario as YAML: its variables, and reward and end as expressions.
   * @param options.emulator The id of the emulator whose game has the names of `yaml`; the first unless given.
   */
  scenariosLoad(name: string, options: { data?: unknown; scenario?: unknown; yaml?: string; emulator?: string } = {}): Promise<ScenarioAnswer> {
    return this.call('scenarios.load', { name, ...options });
  }

  /**
   * A screenshot as a PNG, or raw.
   *
   * One pixel of the picture is one of the game: 240 by 160 (GBA), 160 by 144 (GB). Raw pixels are red, green and blue, a byte each, row by row; `Mgba-
   * Width` and `Mgba-Height` say how many. The `ETag` names the frame. Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): this emulator has no picture.
   *
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   * @param options.format How the picture is written. (default "png")
   */
  screenGet(options: { scale?: number; format?: 'png' | 'raw' } = {}): Promise<Uint8Array> {
    return this.call('screen.get', { ...options });
  }

  /**
   * The picture as pixels, of any smaller size, in colours or grey.
   *
   * Row by row, a byte each, made in the emulator: faster than a PNG, and made for programs that learn. `Mgba-Width` and `Mgba-Height` say the size. Grey
   * is 0.299 red, 0.587 green and 0.114 blue. An mGBA window has no pixels: take `screen.get` with the format `raw` there. Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the emulator is an mGBA window, or has no picture.
   *
   * @param options.grey Whether a pixel is one byte, its brightness, rather than red, green and blue. (default false)
   * @param options.width How many pixels a row has, made from averages of areas; those of the picture unless given. (1 to 256)
   * @param options.height How many rows there are, as `width`. (1 to 256)
   */
  screenPixels(options: { grey?: boolean; width?: number; height?: number } = {}): Promise<Uint8Array> {
    return this.call('screen.pixels', { ...options });
  }

  /**
   * Delete a search.
   *
   * Returns its last state. Needs the role `guest`.
   *
   * Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
   *
   * @param search The id of a search.
   */
  searchesDelete(search: string): Promise<SearchAnswer> {
    return this.call('searches.delete', { search });
  }

  /**
   * The state of a search.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
   *
   * @param search The id of a search.
   */
  searchesGet(search: string): Promise<SearchAnswer> {
    return this.call('searches.get', { search });
  }

  /**
   * The searches and their memory.
   *
   * Needs the role `viewer`.
   */
  searchesList(): Promise<SearchesAnswer> {
    return this.call('searches.list', {});
  }

  /**
   * The remaining candidates.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator.
   *
   * @param search The id of a search.
   * @param options.offset How many to leave out. (from 0; default 0)
   * @param options.limit The maximum number in the response. (0 to 1000; default 100)
   */
  searchesMatches(search: string, options: { offset?: number; limit?: number } = {}): Promise<MatchesAnswer> {
    return this.call('searches.matches', { search, ...options });
  }

  /**
   * Keep the candidates that pass a test.
   *
   * Reads memory again, all of it in one frame, and removes the candidates that do not pass. When the game or the script has changed since the search
   * began: 409 `epoch-changed`, and nothing is removed. Needs the role `guest`.
   *
   * Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator. 409: `other-game`: the
   *   game or the script is another one since the search began. `rejected` (`not-running`): `past` is given, and no history is kept; `debug.keepHistory`
   *   begins one. `rejected` (`no-game`): no game is loaded. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected`
   *   (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *
   * @param search The id of a search.
   * @param is How it is compared.
   * @param options.against With what: a value, the last pass, or the first one. `value` unless given; for changed, unchanged, increased and decreased
   *   `last`.
   * @param options.value The value. Against an earlier pass it is the difference from it (which wraps around as the number does): allowed for eq, ne,
   *   between, increased, decreased, and changed (in either direction).
   * @param options.to The other end of between, included.
   * @param options.frames In how many frames it must hold, each later than the one before. With `last`, each frame is compared with the one before. With
   *   `past` these are frames of the history. (1 to 600; default 1)
   * @param options.past A frame out of the history that `debug.keepHistory` keeps: memory as it was before this frame ran, in any order of moments. The
   *   present unless given. (0 to 9007199254740992)
   */
  searchesRefine(search: string, is: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'between' | 'changed' | 'unchanged' | 'increased' | 'decreased', options: { against?: 'value' | 'last' | 'first'; value?: number; to?: number; frames?: number; past?: number } = {}): Promise<SearchAnswer> {
    return this.call('searches.refine', { search, is, ...options });
  }

  /**
   * Start a search for a number in memory.
   *
   * Stores the content of memory in one frame; every location is a candidate until `refine` removes it. The gateway holds the searches: together they keep
   * a bounded number of bytes (`Bridge:Search:MaxMemory`), and an unused one is deleted after 10 minutes. Needs the role `guest`.
   *
   * Problems: 409: `rejected` (`not-running`): `past` is given, and no history is kept; `debug.keepHistory` begins one. `rejected` (`no-game`): no game is
   *   loaded. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is
   *   another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the memory limit of searches is reached; `detail` has
   *   the limit.
   *
   * @param type What the number is.
   * @param options.endian Which byte comes first. (default "little")
   * @param options.alignment 1, 2 or 4: where a number may start, counted from the start of its domain or range. As wide as the number unless given. (1 to
   *   4)
   * @param options.domains Domains to look through, by their `id` in `memory.domains`. With no `ranges` either: work memory (`wram`, `iwram`, `hram`).
   * @param options.ranges Parts of memory to look through. With the domains up to 4 MiB.
   * @param options.keep How many of the last passes are remembered. (1 to 64; default 4)
   * @param options.past A frame out of the history that `debug.keepHistory` keeps: memory as it was before this frame ran, in any order of moments. The
   *   present unless given. (0 to 9007199254740992)
   */
  searchesStart(type: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32', options: { endian?: 'little' | 'big'; alignment?: number; domains?: readonly string[]; ranges?: readonly SearchesStartRangesItem[]; keep?: number; past?: number } = {}): Promise<SearchAnswer> {
    return this.call('searches.start', { type, ...options });
  }

  /**
   * Undo the last test of a search.
   *
   * The candidates and the last pass are those from before the last `refine`, however many frames it took. One test can be undone: 409 `nothing-to-undo`
   * when there was none since. Needs the role `guest`.
   *
   * Problems: 404: `no-such-search`: there is no such search, or it was deleted. `no-such-emulator`: there is no such emulator. 409: `nothing-to-undo`:
   *   there was no test since the start or the last undo.
   *
   * @param search The id of a search.
   */
  searchesUndo(search: string): Promise<SearchAnswer> {
    return this.call('searches.undo', { search });
  }

  /**
   * What the cartridge's sensors show.
   *
   * Needs the role `viewer`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
   */
  sensorsGet(): Promise<SensorsAnswer> {
    return this.call('sensors.get', {});
  }

  /**
   * Release the sensors that this holder has set.
   *
   * They show darkness, no tilt and no turning again, or what another holder has set. Needs the role `player`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
   */
  sensorsRelease(): Promise<DoneAnswer> {
    return this.call('sensors.release', {});
  }

  /**
   * Set sensors of the cartridge.
   *
   * Those that are given, from the next frame until this holder releases them, as keys that are held. Of several holders the one that set a sensor last
   * counts. A game whose cartridge has no such sensor takes no notice. Needs the role `player`.
   *
   * Problems: 501: `rejected` (`unsupported`): the game runs in a window, whose user has its sensors.
   *
   * @param options.light How bright the light is: 0 dark, 1 bright. (0 to 1)
   * @param options.level The light as the bars that games with a light sensor show, instead of `light`. (0 to 10)
   * @param options.tilt By how many degrees the right edge, and the edge away from the player, are down.
   * @param options.gyro By how many degrees a second the console is turned clockwise. (-1000 to 1000)
   */
  sensorsSet(options: { light?: number; level?: number; tilt?: readonly number[]; gyro?: number } = {}): Promise<DoneAnswer> {
    return this.call('sensors.set', { ...options });
  }

  /**
   * Run an emulator faster for now.
   *
   * It runs at least at this speed until the caller releases it (`speed.release`), as a key is held: on a WebSocket until the socket closes. When several
   * callers hold one, the highest counts; after the last one the emulator runs as `emulators.run` has set it. Needs the role `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator. 501: `unsupported`: the emulator has a window, whose user chooses its speed.
   *
   * @param fps Frames a second; 0 runs as fast as possible. (0 to 100000)
   */
  speedHold(fps: number): Promise<StatusAnswer> {
    return this.call('speed.hold', { fps });
  }

  /**
   * Release the speed that the caller holds.
   *
   * Needs the role `owner`.
   *
   * Problems: 409: `not-owned`: the gateway did not start this emulator.
   */
  speedRelease(): Promise<StatusAnswer> {
    return this.call('speed.release', {});
  }

  /**
   * Save a state and return its bytes.
   *
   * `state.load` continues from this state. About 400 KB on a GBA. The `ETag` is a hash of the bytes: equal states have equal tags unless they include
   * metadata (16), which contains the time. Needs the role `viewer`.
   *
   * @param options.flags What goes in: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All but the screenshot unless given. (0 to
   *   31)
   */
  stateGet(options: { flags?: number } = {}): Promise<Uint8Array> {
    return this.call('state.get', { ...options });
  }

  /**
   * Load a state.
   *
   * From bytes, or from a slot or a file beside mGBA. Bytes of another ROM, such as an earlier build, are refused unless `anyRom` is set; slots and files,
   * as in mGBA, only when the title differs. A slot is a file beside the game (or in mGBA's folder for states) on the machine that runs mGBA. Slots cannot
   * be listed: mGBA gives scripts no information about a slot except by loading it. Needs the role `owner`.
   *
   * Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows. `foreign-origin`: not from here. `no-token-set`: only
   *   callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of
   *   sessions. 404: `rejected` (`not-found`): there is no state of this game. `no-such-emulator`: there is no such emulator. 409: `other-game`: the bytes
   *   are of another ROM. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this
   *   needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another
   *   one now. `rejected` (`expired`): its reply is not kept any more. 422: `rejected` (`not-a-state`): mGBA refuses these bytes as a state of this game.
   *   `key-reused`: the key belongs to another request.
   *
   * @param options.slot A slot beside the game. (0 to 9)
   * @param options.file A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.
   * @param options.flags What is taken: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All but save data and cheats unless given.
   *   (0 to 31)
   * @param options.anyRom Whether the bytes may be of another ROM of this console, such as an earlier build of it: code or data that is elsewhere now
   *   makes the game crash. (default false)
   * @param options.body The body; text and bytes are sent as they are.
   */
  stateLoad(options: { slot?: number; file?: string; flags?: number; anyRom?: boolean; body?: Uint8Array | string } = {}): Promise<DoneAnswer> {
    return this.call('state.load', { ...options });
  }

  /**
   * Save a state in a slot or a file.
   *
   * A slot is a file beside the game (or in mGBA's folder for states) on the machine that runs mGBA. Slots cannot be listed: mGBA gives scripts no
   * information about a slot except by loading it. To keep states with pictures, use `states.save`. Needs the role `owner`.
   *
   * Problems: 403: `rejected` (`forbidden`): the file is outside the folders that the script allows. `foreign-origin`: not from here. `no-token-set`: only
   *   callers of this machine are let in. `role-needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of
   *   sessions.
   *
   * @param options.slot A slot beside the game. (0 to 9)
   * @param options.file A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.
   * @param options.flags What goes in: A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata. All unless given. (0 to 31)
   */
  stateSave(options: { slot?: number; file?: string; flags?: number } = {}): Promise<DoneAnswer> {
    return this.call('state.save', { ...options });
  }

  /**
   * Where two states differ.
   *
   * By region, as offsets of bytes. Extra data (save data, clock) is not compared. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `other-game`: the state belongs to another
   *   game.
   *
   * @param state The name of a kept state.
   * @param with_ The name of the other state.
   */
  statesCompare(state: string, with_: string): Promise<ComparisonAnswer> {
    return this.call('states.compare', { state, with: with_ });
  }

  /**
   * Delete a state that the gateway keeps.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator.
   *
   * @param state The name of a kept state.
   */
  statesDelete(state: string): Promise<StoredStateAnswer> {
    return this.call('states.delete', { state });
  }

  /**
   * The bytes of a state that the gateway keeps.
   *
   * A PNG that shows the state, where the emulator had a picture; mGBA and `state.load` take both forms. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator.
   *
   * @param state The name of a kept state.
   */
  statesGet(state: string): Promise<Uint8Array> {
    return this.call('states.get', { state });
  }

  /**
   * All states that the gateway keeps.
   *
   * Of all emulators, newest first: those that callers named, those from before a game got other save data, and the automatic ones of emulators that the
   * gateway started. They survive a restart of the gateway. Needs the role `viewer`.
   */
  statesList(): Promise<StoredStatesAnswer> {
    return this.call('states.list', {});
  }

  /**
   * Continue from a state that the gateway keeps.
   *
   * It may have been taken of another emulator with the same ROM. The save file stays as it is until the game saves, which replaces it by what this state
   * had: where that differs, the state before is kept under the name in `kept`, unless one with its save data is. Needs the role `owner`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-emulator`: there is no such emulator. 409: `other-game`: the state belongs to another
   *   game. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected`
   *   (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the script or the game is another one now.
   *   `rejected` (`expired`): its reply is not kept any more.
   *
   * @param state The name of a kept state.
   * @param options.anyRom Whether the state may be of another ROM of this console, such as an earlier build of it. The response then has a warning: code
   *   or data that is elsewhere now makes the game crash. (default false)
   */
  statesLoad(state: string, options: { anyRom?: boolean } = {}): Promise<StoredLoadedAnswer> {
    return this.call('states.load', { state, ...options });
  }

  /**
   * The picture of a state that the gateway keeps.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-picture`: its emulator draws none. `no-such-emulator`: there is no such emulator.
   *
   * @param state The name of a kept state.
   */
  statesPicture(state: string): Promise<Uint8Array> {
    return this.call('states.picture', { state });
  }

  /**
   * Keep the state of the emulator under a name.
   *
   * With the picture of its frame, where the emulator has one. Needs the role `owner`.
   *
   * Problems: 409: `state-exists`: send `replace` to replace it. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no
   *   frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-
   *   changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more. 507: `memory-full`: the named states
   *   have as many files or bytes as `Bridge:Owned:MaxStates` and `MaxStateBytes` allow. `store-failed`: the folder cannot be written.
   *
   * @param name Its name: 1 to 64 letters and digits of any language, spaces and . - _; it begins with a letter or a digit, not with auto., and does not
   *   end with a space.
   * @param options.replace Whether it takes the place of a state of this name; without it such a request is refused. (default false)
   * @param options.temporary Whether it is deleted when the stream of the caller's holder ends (`holder.stream`), which has to be open. (default false)
   */
  statesSave(name: string, options: { replace?: boolean; temporary?: boolean } = {}): Promise<StoredStateAnswer> {
    return this.call('states.save', { name, ...options });
  }

  /**
   * The status of the emulator.
   *
   * Answered without a request to the emulator. `detail` says what is wrong and what to do. Needs the role `viewer`.
   */
  statusGet(): Promise<StatusAnswer> {
    return this.call('status.get', {});
  }

  /**
   * Delete the symbols of the game.
   *
   * Needs the role `owner`.
   */
  symbolsDelete(): Promise<SymbolsAnswer> {
    return this.call('symbols.delete', {});
  }

  /**
   * The symbols of the game.
   *
   * Needs the role `viewer`.
   *
   * @param options.contains Only names that have this text in them, in capitals or not.
   * @param options.offset How many to leave out. (from 0; default 0)
   * @param options.limit The maximum number in the response. (0 to 10000; default 100)
   */
  symbolsList(options: { contains?: string; offset?: number; limit?: number } = {}): Promise<SymbolsAnswer> {
    return this.call('symbols.list', { ...options });
  }

  /**
   * Load the symbols of the game.
   *
   * An ELF file (32 bits, little-endian), a map of GNU ld or of GBDK's linker, GBDK's `.noi`, or a `.sym` list as RGBDS, WLA-DX, armips, no$gba, `nm` and
   * the decompilations of GBA games write it. Names of C++ are as in the source (`game::state`). A constant has a value and no location; it can only be
   * read. `leftOut` counts what the file has besides. They replace earlier ones, belong to the open game (by its CRC32), and last until the gateway ends;
   * `Bridge:Symbols:Folder` names a folder that is read at each start. Needs the role `owner`.
   *
   * Problems: 507: `memory-full`: names take as much memory, or are of as many games, as the settings allow.
   *
   * @param body The body; text and bytes are sent as they are.
   */
  symbolsLoad(body: Uint8Array | string): Promise<SymbolsAnswer> {
    return this.call('symbols.load', { body });
  }

  /**
   * The newest requests to the emulator, and how long requests took.
   *
   * The requests of all clients over HTTP and WebSocket, of the paths of mGBA-http, and of the gateway itself without its waits for frames, each when it
   * has ended. The gateway keeps the newest 1000 of all emulators together, and only while this is requested: the first response is empty, and 15 seconds
   * after the last request they are discarded. `durations` counts all requests of that time, also those that are no longer kept. Needs the role `viewer`.
   *
   * @param options.after Only requests with a higher `id`: `last` of the previous response. (from 0; default 0)
   * @param options.limit How many at most, the newest. (1 to 500; default 200)
   */
  trafficList(options: { after?: number; limit?: number } = {}): Promise<TrafficAnswer> {
    return this.call('traffic.list', { ...options });
  }

  /**
   * Read a value by name.
   *
   * A property, a part of one (`edges[3]`, `node.tag`), or a symbol, optionally with an offset (`player+0x10`). The query gives the type of a symbol.
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `unsettled`: a
   *   pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
   *   not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
   *   script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *
   * @param name A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.
   * @param options.type What a symbol is. By its size unless given, else u32.
   * @param options.count How many numbers side by side: the value is a list then. (1 to 262144)
   * @param options.endian The byte order of numbers. (default "little")
   * @param options.length How many bytes a text has, or bytes are. (1 to 1048576)
   * @param options.table A text table of the game's property map; `ascii` unless given.
   */
  valuesRead(name: string, options: { type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes'; count?: number; endian?: 'little' | 'big'; length?: number; table?: string } = {}): Promise<ValueAnswer> {
    return this.call('values.read', { name, ...options });
  }

  /**
   * Read values by name, all from one frame.
   *
   * 1 to 256 names of properties, parts of them (`edges[3]`, `node.tag`) and symbols (as u8, u16 or u32, by their size). Pointers are followed in that
   * same frame. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `unsettled`: a
   *   pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded. `rejected` (`not-running`): the game runs no frames, or
   *   not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a change of the game. `rejected` (`epoch-changed`): the
   *   script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *
   * @param names Names of properties, parts of them and symbols.
   */
  valuesReadMany(names: readonly string[]): Promise<ValuesAnswer> {
    return this.call('values.readMany', { names });
  }

  /**
   * Write a value by name.
   *
   * Names are those of reading. Pointers are read again in the frame of the write; one that has changed is followed again. Needs the role `owner`.
   *
   * Problems: 404: `no-such-name`: the game has no property and no symbol of this name. `no-such-emulator`: there is no such emulator. 409: `null-
   *   pointer`: a pointer on the way is 0. `unsettled`: a pointer went elsewhere each time it was followed. `rejected` (`no-game`): no game is loaded.
   *   `rejected` (`not-running`): the game runs no frames, or not in the way that this needs. `rejected` (`cancelled`): it was cancelled, or ended by a
   *   change of the game. `rejected` (`epoch-changed`): the script or the game is another one now. `rejected` (`expired`): its reply is not kept any more.
   *
   * @param name A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.
   * @param value
   * @param options.type What a symbol is. By its size unless given, else u32.
   * @param options.count How many numbers side by side: the value is a list then. (1 to 262144)
   * @param options.endian The byte order of numbers. (default "little")
   * @param options.length How many bytes a text has, or bytes are. (1 to 1048576)
   * @param options.table A text table of the game's property map; `ascii` unless given.
   */
  valuesWrite(name: string, value: unknown, options: { type?: 'u8' | 's8' | 'u16' | 's16' | 'u32' | 's32' | 'text' | 'bytes'; count?: number; endian?: 'little' | 'big'; length?: number; table?: string } = {}): Promise<ValueAnswer> {
    return this.call('values.write', { name, value, ...options });
  }

  /**
   * Step several emulators at once.
   *
   * Each row is a step of one emulator under the caller's lease: the emulators run side by side, and one message has what all of them returned
   * (docs/learning.md describes its bytes). `reset` begins an episode: the row continues from `state` before its frames, and takes the lease for 10 s
   * after each step where the caller has none. The emulator keeps the state, so that it is sent once. A row that fails, or takes longer than `deadlineMs`,
   * has the status and the reason of its failure, and does not delay the others. Needs the role `owner`.
   *
   * Problems: 404: `no-such-state`: there is no such state. `no-such-scenario`: there is no such scenario.
   *
   * @param rows The emulators.
   * @param options.frames How many frames each row runs. (0 to 36000; default 1)
   * @param options.reads The numbers to read in the frame that was reached; none unless given.
   * @param options.pixels The picture of that frame, as of `screen.pixels`; none unless given.
   * @param options.state The name of a kept state, in which rows with `reset` continue.
   * @param options.scenario The name of a loaded scenario: the rows have rewards, ends and its variables, and hold only keys that its actions allow; none
   *   unless given.
   * @param options.deadlineMs How many milliseconds a row may take; 5000 and 100 for each frame unless given. (10 to 600000)
   */
  vectorStep(rows: readonly VectorStepRowsItem[], options: { frames?: number; reads?: readonly LeaseAttachReadsItem[]; pixels?: LeaseAttachPixels; state?: string; scenario?: string; deadlineMs?: number } = {}): Promise<Uint8Array> {
    return this.call('vector.step', { rows, ...options });
  }

  /**
   * A background with its tile map.
   *
   * 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-map`: this console has no background of this number. `no-such-emulator`: there is no such emulator.
   *
   * @param map A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. (from 0)
   */
  videoMap(map: number): Promise<MapCellsAnswer> {
    return this.call('video.map', { map });
  }

  /**
   * A background as a PNG.
   *
   * The whole background, or with `part=screen` what the screen shows of it: scrolled, rotated and scaled. Windows, blending and mosaic are not applied.
   * Transparent pixels have no opacity. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-map`: this console has no background of this number. `no-such-emulator`: there is no such emulator.
   *
   * @param map A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy. (from 0)
   * @param options.part What of it. (default "whole")
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   */
  videoMapPicture(map: number, options: { part?: 'whole' | 'screen'; scale?: number } = {}): Promise<Uint8Array> {
    return this.call('video.mapPicture', { map, ...options });
  }

  /**
   * The backgrounds, without their cells.
   *
   * Needs the role `viewer`.
   */
  videoMaps(): Promise<MapsAnswer> {
    return this.call('video.maps', {});
  }

  /**
   * The palettes.
   *
   * Needs the role `viewer`.
   */
  videoPalettes(): Promise<PalettesAnswer> {
    return this.call('video.palettes', {});
  }

  /**
   * The palettes as a PNG.
   *
   * A row for each palette in the order of `video.palettes`, with a square of 8 by 8 pixels for each colour. Needs the role `viewer`.
   *
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   */
  videoPalettesPicture(options: { scale?: number } = {}): Promise<Uint8Array> {
    return this.call('video.palettesPicture', { ...options });
  }

  /**
   * A sprite as a PNG.
   *
   * In its own size: mirrored if it is shown so, not rotated and scaled. Transparent pixels have no opacity. Needs the role `viewer`.
   *
   * Problems: 404: `no-such-sprite`: there is no sprite of this number, or its size is invalid. `no-such-emulator`: there is no such emulator.
   *
   * @param sprite A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy. (from 0)
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   */
  videoSpritePicture(sprite: number, options: { scale?: number } = {}): Promise<Uint8Array> {
    return this.call('video.spritePicture', { sprite, ...options });
  }

  /**
   * The sprites.
   *
   * Needs the role `viewer`.
   */
  videoSprites(): Promise<SpritesAnswer> {
    return this.call('video.sprites', {});
  }

  /**
   * The sprites on the screen as a PNG.
   *
   * All sprites that are shown, at their positions, rotated and scaled, without backgrounds. The sprite window, blending and mosaic are not applied.
   * Transparent pixels have no opacity. Needs the role `viewer`.
   *
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   */
  videoSpritesPicture(options: { scale?: number } = {}): Promise<Uint8Array> {
    return this.call('video.spritesPicture', { ...options });
  }

  /**
   * The text that the backgrounds show.
   *
   * For games whose tiles are letters: the text table `glyphs` of the property map says which tile is which letter, by its number in its character block,
   * 00 to FF. A line is a row of tiles with at least one letter; tiles without a letter are spaces. Backgrounds in front come first. Needs the role
   * `viewer`.
   *
   * Problems: 404: `no-such-name`: the property map of this game has no such text table. `no-such-emulator`: there is no such emulator.
   */
  videoText(): Promise<TextAnswer> {
    return this.call('video.text', {});
  }

  /**
   * Tiles, as the palette's colours of their pixels.
   *
   * Numbered from the start of video memory: 0 to 3071 (GBA, 4 bits), 0 to 1535 (GBA, 8 bits), 0 to 383 (Game Boy), 384 to 767 for the second bank (Game
   * Boy Color). Needs the role `viewer`.
   *
   * @param options.bits Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. (2 to 8)
   * @param options.first The number of the first tile. (from 0; default 0)
   * @param options.count How many tiles; all that follow unless given. (from 1)
   */
  videoTiles(options: { bits?: number; first?: number; count?: number } = {}): Promise<TilesAnswer> {
    return this.call('video.tiles', { ...options });
  }

  /**
   * Tiles side by side as a PNG.
   *
   * Transparent pixels have no opacity. Needs the role `viewer`.
   *
   * @param options.bits Bits of a pixel: 4 or 8 on the GBA, 2 on a Game Boy; the smaller one unless given. (2 to 8)
   * @param options.first The number of the first tile. (from 0; default 0)
   * @param options.count How many tiles; all that follow unless given. (from 1)
   * @param options.palette The number of the palette to show them with, as in `video.palettes`. (from 0; default 0)
   * @param options.columns Tiles in a row. (1 to 64; default 32)
   * @param options.scale Makes each pixel a square of this many. (1 to 8; default 1)
   */
  videoTilesPicture(options: { bits?: number; first?: number; count?: number; palette?: number; columns?: number; scale?: number } = {}): Promise<Uint8Array> {
    return this.call('video.tilesPicture', { ...options });
  }

  /**
   * Block a voter.
   *
   * The voter's ballots are refused, in all votes of this emulator, until the time is over, the voter is unblocked, or the gateway ends. At most 1000 are
   * blocked. Needs the role `owner`.
   *
   * Problems: 507: `memory-full`: as many voters are blocked as can be.
   *
   * @param voter The name of a voter.
   * @param options.seconds For how long; until the voter is unblocked unless given. (1 to 86400)
   */
  votersBlock(voter: string, options: { seconds?: number } = {}): Promise<VoterAnswer> {
    return this.call('voters.block', { voter, ...options });
  }

  /**
   * The voters who are blocked.
   *
   * Needs the role `viewer`.
   */
  votersList(): Promise<VotersAnswer> {
    return this.call('voters.list', {});
  }

  /**
   * Let a voter vote again.
   *
   * Needs the role `owner`.
   *
   * Problems: 404: `no-such-voter`: the voter is not blocked. `no-such-emulator`: there is no such emulator.
   *
   * @param voter The name of a voter.
   */
  votersUnblock(voter: string): Promise<VoterAnswer> {
    return this.call('voters.unblock', { voter });
  }

  /**
   * Cast a ballot for a voter.
   *
   * The program that casts it vouches for the name. Names that differ only in upper and lower case, or in spaces around them, are one voter; they are
   * compared as they are sent, so send them in Unicode's form C (NFC). A name has no `/`, no control and no invisible characters, and is not `.` or `..`.
   * Needs the role `player`.
   *
   * Problems: 403: `voter-blocked`: the voter is blocked. `foreign-origin`: not from here. `no-token-set`: only callers of this machine are let in. `role-
   *   needed`: the role of the token is not enough. `operator-needed`: the token belongs to an owner of sessions. 404: `no-such-vote`: there is no such
   *   vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator. 409: `already-voted`: the voter has voted in this
   *   round. `vote-ended`: the vote has ended. 429: `too-many-requests`: the voter or all voters have cast as many ballots as are counted in a second, or
   *   the cooldown is not over.
   *
   * @param vote The id of a vote.
   * @param voter The name of the voter.
   * @param choice The name of a choice, in upper or lower case, perhaps with how many times: `A3`.
   */
  votesCast(vote: string, voter: string, choice: string): Promise<BallotAnswer> {
    return this.call('votes.cast', { vote, voter, choice });
  }

  /**
   * End a vote and forget it.
   *
   * Nothing more is pressed for it, and its keys are released. The response is what it was last. Needs the role `owner`.
   *
   * Problems: 404: `no-such-vote`: there is no such vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator.
   *
   * @param vote The id of a vote.
   */
  votesDelete(vote: string): Promise<VoteAnswer> {
    return this.call('votes.delete', { vote });
  }

  /**
   * A vote with its ballots.
   *
   * Needs the role `viewer`.
   *
   * Problems: 404: `no-such-vote`: there is no such vote, or it was forgotten: the last 8 are kept. `no-such-emulator`: there is no such emulator.
   *
   * @param vote The id of a vote.
   */
  votesGet(vote: string): Promise<VoteAnswer> {
    return this.call('votes.get', { vote });
  }

  /**
   * The open vote and the last ones.
   *
   * The newest first, at most 8. Each time a vote begins, gets ballots (at most five times a second), decides a round or ends, there is an event of the
   * topic `vote`. Needs the role `viewer`.
   */
  votesList(): Promise<VotesAnswer> {
    return this.call('votes.list', {});
  }

  /**
   * Open a vote.
   *
   * Programs cast ballots for an audience, for example from a chat. In a democracy each voter has one ballot a round, and at its end the choice with the
   * most is pressed, of several with as many the one that had them first; without ballots nothing is. In an anarchy each ballot is pressed, one after the
   * other, in the order in which they come; while 32 wait, further ones are counted and not pressed. Of a voter at most 10 ballots a second are counted,
   * of all 5000. The presses have a holder of their own. While another holder has the lease they are refused, which `problem` says, and the vote
   * continues. An emulator has one open vote at a time. A vote ends with its gateway. Needs the role `owner`.
   *
   * Problems: 409: `vote-open`: a vote of this emulator is open; `detail` has its id.
   *
   * @param options.title What it is about.
   * @param options.mode How ballots become presses. (default "democracy")
   * @param options.keys Keys that are a choice each.
   * @param options.choices More choices; 32 in all.
   * @param options.seconds How long a round takes, of an anarchy the vote. A democracy takes 10 unless given, an anarchy continues until it is deleted. (1
   *   to 86400)
   * @param options.repeat Whether a democracy begins another round after each, until it is deleted. (default false)
   * @param options.frames For how many frames each of `keys` is pressed. (1 to 600; default 4)
   * @param options.times The most times that one ballot of an anarchy is pressed: with 3, `A3` presses A three times. (1 to 9; default 1)
   * @param options.cooldown How many seconds a voter waits from one ballot to the next. (0 to 86400; default 0)
   */
  votesOpen(options: { title?: string; mode?: 'democracy' | 'anarchy'; keys?: readonly Key[]; choices?: readonly VotesOpenChoicesItem[]; seconds?: number; repeat?: boolean; frames?: number; times?: number; cooldown?: number } = {}): Promise<VoteAnswer> {
    return this.call('votes.open', { ...options });
  }

  /**
   * Wait for a condition on memory, or for some frames.
   *
   * The condition is checked when the request arrives and then once a frame. Disconnecting cancels the wait. Without `frames` it waits up to an hour.
   * Needs the role `guest`.
   *
   * @param options.all All of these have to hold.
   * @param options.any One of these has to hold, instead of `all`.
   * @param options.condition The same as text: `player.hp lt 10 and 0x02000008 u32 ge 100 or u16 0x02000100 changed`, where `and` binds tighter than `or`.
   *   Up to 32 tests.
   * @param options.frames After how many frames to stop waiting; never unless given. (1 to 36000)
   */
  waitUntil(options: { all?: readonly WaitUntilAllItem[]; any?: readonly WaitUntilAllItem[]; condition?: string; frames?: number } = {}): Promise<WaitAnswer> {
    return this.call('wait.until', { ...options });
  }
}
