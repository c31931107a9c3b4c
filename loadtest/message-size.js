// Does the size of a message matter, and does every byte come back?
// scripts/load message-size, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/message-size.js
//
// Echoes of 1 byte to 64 KB, RATE=50 a second each, made of whatever a query or the wire could trip over. SIZES=1,5000 takes others; DURATION=10 is how long each.
import { arrivals, list, seconds, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { awkwardMessage, echo } from './lib/what.js';
import { mustBeReady } from './lib/where.js';
import exec from 'k6/execution';

const duration = seconds();
const rate = setting('RATE', 50, 10000);
const sizes = list('SIZES', 65536, [1, 4, 16, 64, 256, 1024, 5000, 16384, 65536]);

const steps = inTurn(
  sizes.map((bytes) => ({ label: String(bytes), x: bytes, asked: rate, seconds: duration, scenarios: { ask: (start) => ({ ...arrivals(rate, duration, start, 'ask'), env: { BYTES: String(bytes) } }) } })),
);
const gates = [everyAnswerRight, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
export const setup = mustBeReady;

export function ask() {
  const message = awkwardMessage(Number(__ENV.BYTES), exec.scenario.iterationInTest);
  isEcho(echo(message), message);
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

export function handleSummary(data) {
  return report(data, { name: 'message-size', title: `Echo of 1 byte to 64 KB, ${rate} a second`, first: 'bytes', steps, gates });
}
