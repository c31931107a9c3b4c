// How many requests a second does the emulator answer, and how fast, while the game runs at full speed?
// scripts/load ladder, or against a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/ladder.js
//
// The original load test: each step sends a fixed number of echoes a second; further steps double the rate until less than 95 % are answered in time.
// DURATION=3 seconds a step, 30 with FULL=1 as in the original. RATES=100,800 sets the steps, QUICK=1 selects fewer. MESSAGE_BYTES=36.
import { allAnswersCorrect, checkEcho, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { compareWithOriginal } from './lib/original.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { highestOriginal, rates, seconds, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';

const duration = seconds();
const messageBytes = setting('MESSAGE_BYTES', 36, 65536);

const steps = sequence(
  rates().map((rate) => ({
    label: String(rate),
    scheduled: rate,
    seconds: duration,
    mayFail: !__ENV.RATES && rate > highestOriginal,
    scenarios: { echo: (start) => arrivals(rate, duration, start, 'sendEcho') },
  })),
);

// Steps beyond the original's may fail.
const gates = [...steps.filter((step) => !step.mayFail).map((step) => ({ ...allAnswersCorrect, metric: `checks{step:${step.name}}` })), paceKept];

export const options = optionsOf(steps, gates);
export const setup = requireReady;

export function sendEcho() {
  const message = uniqueMessage(messageBytes);
  checkEcho(echo(message), message);
}

export function watchPace({ idleFps }) {
  watch(steps, idleFps);
}

export function handleSummary(data) {
  const title = `Echo of ${messageBytes} bytes, ${duration} s a step`;
  return report(data, { name: __ENV.QUESTION || `ladder-${messageBytes}`, title, first: 'scheduled/s', steps, gates, also: compareWithOriginal });
}
