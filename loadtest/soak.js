// Does memory grow or latency increase over time?
// MINUTES=60 scripts/load soak, or against a running gateway: MINUTES=60 BASE_URL=http://127.0.0.1:5000 k6 run loadtest/soak.js
//
// RATE=200 echoes a second for MINUTES=1, with a row for each of PARTS=6 equal parts: compare the last with the first.
import { allAnswersCorrect, checkEcho, nothingDropped, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';

const rate = setting('RATE', 200, 10000);
const parts = setting('PARTS', 6, 100);
const part = Math.max(1, Math.round((60 * setting('MINUTES', 1, 10080)) / parts));

const steps = sequence(
  Array.from({ length: parts }, (_, i) => ({
    label: `${i * part}-${(i + 1) * part}`,
    x: (i + 1) * part,
    scheduled: rate,
    seconds: part,
    scenarios: { echo: (start) => arrivals(rate, part, start, 'sendEcho') },
  })),
  0,
);
const gates = [allAnswersCorrect, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
export const setup = requireReady;

export function sendEcho() {
  const message = uniqueMessage(36);
  checkEcho(echo(message), message);
}

export function watchPace({ idleFps }) {
  watch(steps, idleFps);
}

// Starts with the second part: during the first one the runtime warms up.
function growth({ rows }) {
  const [first, last] = [rows[Math.min(1, rows.length - 1)], rows[rows.length - 1]];
  return [`The gateway's memory went from ${first.memory ? first.memory.toFixed(0) : '-'} to ${last.memory ? last.memory.toFixed(0) : '-'} MB from the second part to the last.`];
}

export function handleSummary(data) {
  return report(data, { name: 'soak', title: `${rate} echoes a second for ${part * parts} s`, first: 'seconds', axis: 'seconds since the start', steps, gates, also: growth });
}
