// Does anything grow or slow down with time?
// MINUTES=60 scripts/load soak, or beside a running gateway: MINUTES=60 BASE_URL=http://127.0.0.1:5000 k6 run loadtest/soak.js
//
// RATE=200 echoes a second for MINUTES=1, a row for each of PARTS=6 equal parts: the last must not differ from the first.
import { arrivals, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const rate = setting('RATE', 200, 10000);
const parts = setting('PARTS', 6, 100);
const part = Math.max(1, Math.round((60 * setting('MINUTES', 1, 10080)) / parts));

const steps = inTurn(
  Array.from({ length: parts }, (_, i) => ({
    label: `${i * part}-${(i + 1) * part}`,
    x: (i + 1) * part,
    asked: rate,
    seconds: part,
    scenarios: { ask: (start) => arrivals(rate, part, start, 'ask') },
  })),
  0,
);
const gates = [everyAnswerRight, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
export const setup = mustBeReady;

export function ask() {
  const message = uniqueMessage(36);
  isEcho(echo(message), message);
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

// Memory of the first part is no measure: the runtime is still warming up.
function growth({ rows }) {
  const [first, last] = [rows[Math.min(1, rows.length - 1)], rows[rows.length - 1]];
  return [`The gateway's memory went from ${first.memory ? first.memory.toFixed(0) : '-'} to ${last.memory ? last.memory.toFixed(0) : '-'} MB from the second part to the last.`];
}

export function handleSummary(data) {
  return report(data, { name: 'soak', title: `${rate} echoes a second for ${part * parts} s`, first: 'seconds', axis: 'seconds since the start', steps, gates, also: growth });
}
