// Does every kind of request get the right answer from the real emulator, several at once?
// BASE_URL=http://127.0.0.1:5000 k6 run loadtest/smoke.js
//
// Wants our test ROM, as make run has it; DURATION=10 is how long.
import { check, sleep } from 'k6';
import { arrivals, setting } from './lib/amount.js';
import { isDone, isEcho, isValue, summaryTrendStats } from './lib/good.js';
import { address, echo, frameOf, read, rom, tap, uniqueMessage, write } from './lib/what.js';
import { mustBeReady, mustBeTestRom } from './lib/where.js';
import exec from 'k6/execution';

const duration = setting('DURATION', 5, 3600);

// What a query or the wire could trip over.
const awkward = ['a b+c%20d', 'key=value&x=y#z', '<|END|>', '#1 game<|END|>', 'quote " backslash \\ pipe |', 'line\r\nline\ttab', 'ÄÖ 日本 🎮', ','];

export const options = {
  scenarios: {
    echoes: arrivals(20, duration, 0, 'askEcho'),
    reads: arrivals(20, duration, 0, 'askRead'),
    writes: arrivals(5, duration, 0, 'askWrite'),
    taps: { executor: 'per-vu-iterations', vus: 1, iterations: duration, maxDuration: `${duration + 60}s`, exec: 'askTap' },
  },
  thresholds: {
    checks: ['rate==1'], // every answer is right
    http_req_failed: ['rate==0'], // and there is one to every request
    dropped_iterations: ['count==0'], // and all were asked
    'http_reqs{name:echo}': ['count>0'],
    'http_reqs{name:read8}': ['count>0'],
    'http_reqs{name:write32}': ['count>0'],
    'http_reqs{name:tap}': ['count>0'],
  },
  summaryTrendStats,
};

export function setup() {
  const status = mustBeTestRom(mustBeReady());
  return { status, presses: presses(status) };
}

export function askEcho() {
  const message = exec.scenario.iterationInTest % 2 ? uniqueMessage(36) : awkward[(exec.scenario.iterationInTest / 2) % awkward.length];
  isEcho(echo(message), message);
}

let lastFrame = 0;

export function askRead({ status }) {
  const counter = read(address(status, rom.frame), 8);
  isValue(counter, (value) => Number.isInteger(value) && value >= 0 && value <= 255);
  check(counter, { 'frames never go back': (r) => frameOf(r) >= lastFrame });
  lastFrame = frameOf(counter);
  isValue(read(address(status, rom.constant), 32), (value) => value === rom.constantValue);
}

// A place of its own for each caller, behind the block that the ROM uses.
export function askWrite({ status }) {
  const where = address(status, 0x400 + 4 * exec.vu.idInTest);
  const value = Math.floor(Math.random() * 0x100000000);
  isDone(write(where, 32, value), 'write');
  isValue(read(where, 32), (found) => found === value);
}

// Two at once: the second has to wait until the game saw the first.
export function askTap() {
  isDone(tap('B'), 'tap');
  isDone(tap('B'), 'tap');
  sleep(1);
}

// How often the game saw B go down.
function presses(status) {
  const bytes = rom.edgeBytes[status.platform];
  return read(address(status, rom.edges + bytes), 8 * bytes).json('value');
}

// The last taps may still be waiting for their turn, and one too many would come within a tap's time.
export function teardown({ status, presses: before }) {
  const taps = 2 * duration;
  for (let i = 0; i < 100 && presses(status) - before < taps; i++) {
    sleep(0.1);
  }
  sleep(1);
  check(presses(status) - before, { 'the game saw each tap once': (seen) => seen === taps });
}
