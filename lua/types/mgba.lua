---@meta

-- What mGBA gives a script: stubs for the Lua language server, never run. Checked against mGBA 0.10.1 and 0.10.5; what only 0.11
-- (development) has is marked so. Every method throws when an argument is missing, nil or of another type, and numbers are cut to
-- their C type without a check. Some calls end the emulator; each of them says so.
-- luacheck: ignore

---The running game; nil when there is none. A reference kept from before throws "Invalid object" once the game has gone.
---@type mgba.Core?
emu = nil

---@class mgba.Core
---@field memory table<string, mgba.MemoryDomain> by id, as `wram`; nil for an unknown one; built when the game starts
local Core = {}

---Another ROM in place of this one, for the same console. 0.10.2 and later unload first: reset at once after a false.
---@param path string
---@return boolean
function Core:loadFile(path) end

---Opens the save file beside the ROM, or creates it.
---@return boolean
function Core:autoloadSave() end

---@param path string created if missing
---@param temporary boolean
---@return boolean
function Core:loadSaveFile(path, temporary) end

---@return integer # C.PLATFORM
function Core:platform() end

---Goes back on reset, rewind and load-state. In a `frame` callback still the count before this frame.
---@return integer
function Core:currentFrame() end

---@return integer # GBA 280896, GB 70224
function Core:frameCycles() end

---@return integer # GBA 16777216, GB 4194304
function Core:frequency() end

---@return integer
function Core:romSize() end

---Raw bytes, the CRC32 with its highest byte first.
---@param kind? integer C.CHECKSUM
---@return string?
function Core:checksum(kind) end

---@return string
function Core:getGameTitle() end

---@return string # 0.10 "AGB-ABCE" or "DMG-…", 0.11 "ABCE" or ""
function Core:getGameCode() end

---Runs `reset` callbacks from inside: later calls of the same callback then throw "Function called from invalid context".
function Core:reset() end

---One frame with all its callbacks, from inside.
function Core:runFrame() end

---One instruction.
function Core:step() end

---@param mask integer
function Core:setKeys(mask) end
---@param mask integer
function Core:addKeys(mask) end
---@param mask integer
function Core:clearKeys(mask) end
---@param key integer C.GBA_KEY or C.GB_KEY, not checked
function Core:addKey(key) end
---@param key integer
function Core:clearKey(key) end
---@param key integer
---@return integer # 0 or 1
function Core:getKey(key) end
---@return integer
function Core:getKeys() end

---On the bus, with side effects. On a GBA unaligned reads are rotated, as the CPU does it.
---@param address integer
---@return integer
function Core:read8(address) end
---@param address integer
---@return integer
function Core:read16(address) end
---@param address integer
---@return integer
function Core:read32(address) end
---@param address integer
---@param length integer not checked: -1 reads 4 GiB
---@return string
function Core:readRange(address, length) end
---@param address integer
---@param value integer
function Core:write8(address, value) end
---@param address integer
---@param value integer
function Core:write16(address, value) end
---@param address integer
---@param value integer
function Core:write32(address, value) end

---@param name string
---@return integer? # signed; 0.10 leaves garbage above a Game Boy's registers
function Core:readRegister(name) end
---@param name string Game Boy: lower case only
---@param value integer signed 32 bits
function Core:writeRegister(name, value) end

---@param flags? integer C.SAVESTATE; with SCREENSHOT a PNG
---@return string? # 0.10: nil for a screenshot where there is no video buffer
function Core:saveStateBuffer(flags) end
---@param buffer string "" ends the process
---@param flags? integer
---@return boolean
function Core:loadStateBuffer(buffer, flags) end
---@param slot integer
---@param flags? integer
---@return boolean
function Core:saveStateSlot(slot, flags) end
---@param slot integer
---@param flags? integer
---@return boolean
function Core:loadStateSlot(slot, flags) end
---@param path string
---@param flags? integer
---@return boolean
function Core:saveStateFile(path, flags) end
---@param path string
---@param flags? integer
---@return boolean
function Core:loadStateFile(path, flags) end

---Ends the process where there is no video buffer. Does not report success.
---@param path? string
function Core:screenshot(path) end

---0.11.
---@return mgba.Image?
function Core:screenshotToImage() end
---0.11.
---@return integer
function Core:currentCycle() end
---0.11; -1 without a debugger.
---@param run fun(info: table)
---@param address integer
---@param segment? integer
---@return integer
function Core:setBreakpoint(run, address, segment) end
---0.11.
---@param run fun(info: table)
---@param address integer
---@param kind integer C.WATCHPOINT_TYPE
---@param segment? integer
---@return integer
function Core:setWatchpoint(run, address, kind, segment) end
---0.11.
---@param run fun(info: table)
---@param first integer
---@param last integer exclusive
---@param kind integer
---@param segment? integer
---@return integer
function Core:setRangeWatchpoint(run, first, last, kind, segment) end
---0.11.
---@param id integer
---@return boolean
function Core:clearBreakpoint(id) end
---0.11.
---@param callbacks table
---@return table?
function Core:setRotationCallbacks(callbacks) end
---0.11.
---@param run fun(): integer
function Core:setSolarSensorCallback(run) end

---Memory by offset, without the bus's side effects. Offsets wrap around; aligned accesses only.
---@class mgba.MemoryDomain
local MemoryDomain = {}

---@return integer
function MemoryDomain:base() end
---@return integer # exclusive
function MemoryDomain:bound() end
---@return integer
function MemoryDomain:size() end
---@return string
function MemoryDomain:name() end
---@param offset integer
---@return integer
function MemoryDomain:read8(offset) end
---@param offset integer
---@return integer
function MemoryDomain:read16(offset) end
---@param offset integer
---@return integer
function MemoryDomain:read32(offset) end
---@param offset integer
---@param length integer
---@return string
function MemoryDomain:readRange(offset, length) end
---On 0.10 nothing happens for a GBA's io, palette, vram and oam.
---@param offset integer
---@param value integer
function MemoryDomain:write8(offset, value) end
---@param offset integer
---@param value integer
function MemoryDomain:write16(offset, value) end
---@param offset integer
---@param value integer
function MemoryDomain:write32(offset, value) end

---@class mgba.Console
console = {}
---@param text string cut at the first zero byte
function console:log(text) end
---@param text string
function console:warn(text) end
---@param text string
function console:error(text) end
---Ends the process where there is no Scripting window.
---@param name? string
---@return mgba.TextBuffer
function console:createBuffer(name) end

---@class mgba.TextBuffer
local TextBuffer = {}
---@param text string
function TextBuffer:print(text) end
function TextBuffer:clear() end
---@param columns integer up to 500
---@param rows integer up to 10000
function TextBuffer:setSize(columns, rows) end
---@param x integer
---@param y integer
function TextBuffer:moveCursor(x, y) end
---@param count integer
function TextBuffer:advance(count) end
---@param name string
function TextBuffer:setName(name) end
---@return integer
function TextBuffer:getX() end
---@return integer
function TextBuffer:getY() end
---@return integer
function TextBuffer:cols() end
---@return integer
function TextBuffer:rows() end

---@alias mgba.Event
---| "start" # a game begins, before its first frame
---| "reset"
---| "frame" # each emulated frame, at the start of its VBlank
---| "keysRead" # each time the game reads its keys
---| "savedataUpdated"
---| "stop" # the game has switched itself off
---| "shutdown" # a game ends; `emu` is usually still there
---| "crashed"
---| "sleep"
---| "alarm"
---| "rumble" # 0.11
---| "memoryBlocksChanged" # 0.11
---| "key" # 0.11, window only; so are the next ones
---| "mouseButton"
---| "mouseMove"
---| "mouseWheel"
---| "gamepadButton"
---| "gamepadHat"

---@class mgba.Callbacks
callbacks = {}
---@param event mgba.Event
---@param run fun(...) must return nothing and throw nothing but strings
---@return integer id
function callbacks:add(event, run) end
---Twice with the same id ends 0.10.
---@param id integer
function callbacks:remove(id) end
---0.11; on 0.10 the key throws.
---@param event mgba.Event
---@param run fun(...)
---@return integer id
function callbacks:oneshot(event, run) end

---@class mgba.Socket
---@field _s mgba.RawSocket
local Socket = {}
---@param address string?
---@param port integer
---@return integer?, string? # 1, or nil and why
function Socket:bind(address, port) end
---@param address string
---@param port integer
---@return integer?, string?
function Socket:connect(address, port) end
---@param backlog? integer 1 unless given
---@return integer?, string?
function Socket:listen(backlog) end
---@return mgba.Socket?, string?
function Socket:accept() end
---@param data string
---@param first? integer
---@param last? integer
---@return integer?, string? # look at `_s.error`: a failed send may say 1
function Socket:send(data, first, last) end
---@param most integer
---@return string?, string?
function Socket:receive(most) end
---@return boolean?, string?
function Socket:hasdata() end
function Socket:poll() end
---@param event "received" | "error"
---@param run fun(...)
---@return integer? # 0.10.1 returns nothing
function Socket:add(event, run) end
---@param id integer
function Socket:remove(id) end
function Socket:close() end

---@class mgba.SocketLibrary
---@field ERRORS table<integer | string, string>
socket = {}
---@return mgba.Socket
function socket.tcp() end
---@param address string? nil is 0.0.0.0
---@param port integer
---@return mgba.Socket?, string?
function socket.bind(address, port) end
---@param address string
---@param port integer
---@return mgba.Socket?, string?
function socket.connect(address, port) end

---One descriptor, without the high level's callbacks.
---@class mgba.RawSocket
---@field error integer C.SOCKERR of the last call; at the end of a stream any
local RawSocket = {}
---@param address string
---@param port integer
---@return integer # 0 or an error
function RawSocket:open(address, port) end
---@param address string
---@param port integer
---@return integer
function RawSocket:connect(address, port) end
---@param backlog? integer
---@return integer # 0 or -1
function RawSocket:listen(backlog) end
---@return mgba.RawSocket # look at its error
function RawSocket:accept() end
---@param data string
---@return integer # bytes sent, or minus the error; errors without a number give 1
function RawSocket:send(data) end
---@param most integer allocated whatever comes
---@return string # "" when nothing is there, and at the end
function RawSocket:recv(most) end
---@param milliseconds number 0 looks, more waits, less than 0 waits for ever; descriptors of 1024 and above abort
---@return integer # 1 readable, 0 not, -1 error
function RawSocket:select(milliseconds) end
---On 0.10 the collector closes the same descriptor again: open("192.0.2.1", 0) afterwards makes it forget.
function RawSocket:close() end

---@class mgba.RawSocketLibrary
_socket = {}
---@return mgba.RawSocket
function _socket.create() end

---@class mgba.Util
util = {}
---@param bits integer[] not empty; 0.10 dies of strings in it
---@return integer
function util.makeBitmask(bits) end
---@param mask integer
---@return integer[]
function util.expandBitmask(mask) end
---0.11.
---@param x integer
---@param y integer
---@param width integer
---@param height integer
---@return table
function util.newRectangle(x, y, width, height) end
---0.11.
---@param width integer
---@param height integer
---@return table
function util.newSize(width, height) end

---@class mgba.Constants
C = {
  SAVESTATE = { SCREENSHOT = 1, SAVEDATA = 2, CHEATS = 4, RTC = 8, METADATA = 16, ALL = 31 },
  PLATFORM = { NONE = -1, GBA = 0, GB = 1 },
  CHECKSUM = { CRC32 = 0, MD5 = 1, SHA1 = 2 }, -- MD5 and SHA1: 0.11
  GBA_KEY = { A = 0, B = 1, SELECT = 2, START = 3, RIGHT = 4, LEFT = 5, UP = 6, DOWN = 7, R = 8, L = 9 },
  GB_KEY = { A = 0, B = 1, SELECT = 2, START = 3, RIGHT = 4, LEFT = 5, UP = 6, DOWN = 7 },
  SOCKERR = {
    UNKNOWN_ERROR = -1, OK = 0, AGAIN = 1, ADDRESS_IN_USE = 2, CONNECTION_REFUSED = 3, DENIED = 4, FAILED = 5, NETWORK_UNREACHABLE = 6,
    NOT_FOUND = 7, NO_DATA = 8, OUT_OF_MEMORY = 9, TIMEOUT = 10, UNSUPPORTED = 11,
  },
  WATCHPOINT_TYPE = { WRITE = 1, READ = 2, RW = 3, WRITE_CHANGE = 5 }, -- 0.11
}

---0.11; nil on 0.10, which distinguishes them.
---@type { version: string, program: string, branch: string, commit: string, revision: integer }?
system = nil

---0.11: this file's own.
---@type { dir: string?, path: string }?
script = nil

---0.11 with a window; nil without one.
---@class mgba.Canvas
---@field newLayer fun(self: mgba.Canvas, width: integer, height: integer): table?
---@field update fun(self: mgba.Canvas)
---@field width fun(self: mgba.Canvas): integer
---@field height fun(self: mgba.Canvas): integer
---@field screenWidth fun(self: mgba.Canvas): integer
---@field screenHeight fun(self: mgba.Canvas): integer
canvas = nil

---mgba-headless (headless/scripts/functions.h); nil in a window.
---@type { now: (fun(): integer), period: (fun(): integer), left: (fun(): integer), watch: function, wait: (fun(microseconds: integer): integer) }?
headless = nil

---0.11.
---@class mgba.Image
---@field width integer
---@field height integer
---@field getPixel fun(self: mgba.Image, x: integer, y: integer): integer
---@field setPixel fun(self: mgba.Image, x: integer, y: integer, argb: integer)
---@field save fun(self: mgba.Image, path: string, format?: "PNG"): boolean

---The one global of lua/mgba-bridge.lua: loading the file again stops the server that runs.
---@type { stop: fun(), version: string }?
MGBA_BRIDGE = nil
