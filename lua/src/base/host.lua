-- Functions that mgba-headless offers and an mGBA window does not: the time, the schedule of the frames, waiting for all connections at once,
-- what the game prints, its sound, its motor, its picture, kept states, its save file,
-- steps by a local socket, cheats, its sensors, its clock, what cartridge it is, debugging.

--- Calls of the host, as headless/scripts/functions.h and the headers that it names describe them, or nil in a window.
---@class Host
---@field now fun(): integer microseconds of a monotonic clock
---@field period fun(): integer microseconds of a frame; 0 without a frame limit
---@field left fun(): integer microseconds until the next frame is due
---@field watch fun(socket: table, id: integer): boolean
---@field wait fun(microseconds: integer): integer id of a socket with data, or -1
---@field skip fun(frames: integer): integer
---@field isEnding fun(): boolean whether it was asked to end, for which it waits until no callback runs
---@field logged fun(): integer lines that the game has printed
---@field line fun(number: integer): string one of them; empty when it is no longer kept
---@field heard fun(): integer samples of sound
---@field samples fun(from: integer): string those behind the first `from`
---@field rumble fun(): boolean whether the motor of the cartridge ran in the frame that has ended
---@field png fun(): string the picture; empty when there is none
---@field pixels fun(channels: integer, width: integer, height: integer): string
---@field pixelsWidth fun(): integer
---@field pixelsHeight fun(): integer
---@field keepState fun(number: integer): boolean
---@field recallState fun(number: integer): boolean
---@field saveProblem fun(): string why the save file has not what the game saved, or empty
---@field openSteps? fun(path: string, id: integer): string why not, or empty; nil where the system has no such sockets
---@field takeStep fun(): integer
---@field sendStep fun(bytes: string): boolean
---@field closeSteps fun()
---@field isRom fun(path: string): boolean whether the file is a game of this console
---@field setCheat fun(name: string, codes: string, enabled: boolean): string why it cannot be used, or empty
---@field loadCheats fun(text: string): string why none of a file can be used, or empty
---@field enableCheat fun(name: string, enabled: boolean): boolean
---@field removeCheat fun(name: string): boolean
---@field cheat fun(number: integer): string one of them; empty beyond the last
---@field setSensors? fun(light: integer, tilt_x: integer, tilt_y: integer, gyro: integer): boolean?
---@field setCamera? fun(picture: string): boolean
---@field clock? fun(): string `mode value time`
---@field setClock? fun(mode: string, value: integer): boolean
---@field cartridge? fun(): string lines of a key, its value and its origin
---@field stateProblem? fun(): string why the emulator refused the state that was loaded last, once; or empty
---@field disassemble? fun(address: integer, count: integer, mode: string, bank: integer): string lines of eight values
---@field bank? fun(address: integer): integer
---@field addPoint? fun(kinds: integer, first: integer, last: integer, bank: integer): integer id, or 0
---@field removePoint? fun(id: integer): boolean
---@field hit? fun(): string
---@field haltHere? fun()
---@field halt? fun()
---@field resume? fun(how: integer, address: integer, bank: integer)
---@field halted? fun(): string empty when the game is not halted
---@field isStepping? fun(): boolean
---@field lostHits? fun(): integer
---@field release? fun()
---@field isSearching? fun(): boolean whether it goes back in its history, or forward again
---@field keepHistory? fun(megabytes: integer)
---@field history? fun(): string
---@field goBack? fun(how: integer, count: integer): boolean
---@field findWriters? fun(first: integer, last: integer, bank: integer, count: integer): boolean
---@field writers? fun(): string lines of eight numbers
---@field findTrace? fun(kinds: integer, first: integer, last: integer, frame: integer, number: integer, count: integer): boolean
---@field trace? fun(): string a line of three numbers, and lines of twelve values
---@field past? fun(frame: integer, domain: string, offset: integer, length: integer): string empty if that is not kept
---@field callStack? fun(count: integer): string lines of seven values

---@type Host?
local host = headless and {
  now = headless.now, period = headless.period, left = headless.left, watch = headless.watch, wait = headless.wait, skip = headless.skip,
  isEnding = headless.isEnding,
  logged = headless.logged, line = headless.line,
  heard = headless.heard, samples = headless.samples, rumble = headless.rumble,
  png = headless.png, pixels = headless.pixels, pixelsWidth = headless.pixelsWidth, pixelsHeight = headless.pixelsHeight,
  keepState = headless.keepState, recallState = headless.recallState,
  saveProblem = headless.saveProblem,
  openSteps = headless.openSteps, takeStep = headless.takeStep, sendStep = headless.sendStep, closeSteps = headless.closeSteps,
  isRom = headless.isRom,
  setCheat = headless.setCheat, loadCheats = headless.loadCheats, enableCheat = headless.enableCheat, removeCheat = headless.removeCheat,
  cheat = headless.cheat,
  setSensors = headless.setSensors, setCamera = headless.setCamera, clock = headless.clock, setClock = headless.setClock, cartridge = headless.cartridge,
  addPoint = headless.addPoint, removePoint = headless.removePoint, hit = headless.hit, haltHere = headless.haltHere, halt = headless.halt,
  resume = headless.resume, halted = headless.halted, isStepping = headless.isStepping, lostHits = headless.lostHits,
  release = headless.release, isSearching = headless.isSearching, keepHistory = headless.keepHistory, history = headless.history, goBack = headless.goBack,
  findWriters = headless.findWriters, writers = headless.writers, findTrace = headless.findTrace, trace = headless.trace,
  past = headless.past, callStack = headless.callStack,
  stateProblem = headless.stateProblem,
  disassemble = headless.disassemble, bank = headless.bank,
} or nil

return { calls = host }
