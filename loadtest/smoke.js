// Does every kind of request get the correct answer from the real emulator, under concurrent load?
// BASE_URL=http://127.0.0.1:5000 k6 run loadtest/smoke.js
//
// Requires the test ROM, which make run starts. DURATION=5 seconds.
import { check, sleep } from 'k6';
import { checkDone, checkEcho, checkValue, summaryTrendStats } from './lib/checks.js';
import { address, echo, frameOf, read, rom, tap, uniqueMessage, write } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { setting } from './lib/settings.js';
import { requireReady, requireTestRom } from './lib/setup.js';
import exec from 'k6/execution';

const duration = setting('DURATION', 5, 3600);

// Characters that are special in a query or on the wire.
const specials = ['a b+c%20d', 'key=value&x=y#z', '<|END|>', '#1 game.get<|END|>', 'quote " backslash \\ pipe |', 'line\r\nline\ttab', 'ÄÖ 日本 🎮', ','];

export const options = {
  scenarios: {
    echoes: arrivals(20, duration, 0, 'sendEcho'),
    reads: arrivals(20, duration, 0, 'readMemory'),
    writes: arrivals(5, duration, 0, 'writeMemory'),
    taps: { executor: 'per-vu-iterations', vus: 1, iterations: duration, maxDuration: `${duration + 60}s`, exec: 'pressKey' },
  },
  thresholds: {
    checks: ['rate==1'], // every answer is correct
    http_req_failed: ['rate==0'], // every request has an answer
    dropped_iterations: ['count==0'], // every request was sent on schedule
    'http_reqs{name:echo}': ['count>0'],
    'http_reqs{name:read8}': ['count>0'],
    'http_reqs{name:write32}': ['count>0'],
    'http_reqs{name:tap}': ['count>0'],
  },
  summaryTrendStats,
};

export function setup() {
  const status = requireTestRom(requireReady());
  return { status, presses: presses(status) };
}

export function sendEcho() {
  const message = exec.scenario.iterationInTest % 2 ? uniqueMessage(36) : specials[(exec.scenario.iterationInTest / 2) % specials.length];
  checkEcho(echo(message), message);
}

let lastFrame = 0;

export function readMemory({ status }) {
  const counter = read(address(status, rom.frame), 8);
  checkValue(counter, (value) => Number.isInteger(value) && value >= 0 && value <= 255);
  check(counter, { 'frame numbers never decrease': (r) => frameOf(r) >= lastFrame });
  lastFrame = frameOf(counter);
  checkValue(read(address(status, rom.constant), 32), (value) => value === rom.constantValue);
}

// Each virtual user writes to its own address, behind the block that the ROM uses.
export function writeMemory({ status }) {
  const where = address(status, 0x400 + 4 * exec.vu.idInTest);
  const value = Math.floor(Math.random() * 0x100000000);
  checkDone(write(where, 32, value), 'write');
  checkValue(read(where, 32), (found) => found === value);
}

// The second tap must wait until the game has registered the first.
export function pressKey() {
  checkDone(tap('B'), 'tap');
  checkDone(tap('B'), 'tap');
  sleep(1);
}

// How many presses of B the game has counted.
function presses(status) {
  const bytes = rom.edgeBytes[status.platform];
  return read(address(status, rom.edges + bytes), 8 * bytes).json('value');
}

// Wait for queued taps, and then one second for a tap too many.
export function teardown({ status, presses: before }) {
  const taps = 2 * duration;
  for (let i = 0; i < 100 && presses(status) - before < taps; i++) {
    sleep(0.1);
  }
  sleep(1);
  check(presses(status) - before, { 'the game registered each tap once': (seen) => seen === taps });
}
