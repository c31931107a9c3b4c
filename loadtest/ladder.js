// How many requests a second does the emulator answer, and how fast, while the game keeps its pace?
// scripts/load ladder, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/ladder.js
//
// The original load test, step by step: each step asks a fixed number of echoes a second, whatever the answers take; then on by doubling until it breaks.
// FULL=1: the original's 30 s a step instead of 3. QUICK=1: few steps. RATES=100,800 DURATION=10: others. MESSAGE_BYTES=5000: longer messages.
import { arrivals, highestOriginal, rates, seconds, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, paceKept } from './lib/good.js';
import { besideTheOriginal } from './lib/original.js';
import { watch } from './lib/pace.js';
import { report } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const duration = seconds();
const untilBroken = Boolean(__ENV.UNTIL_BROKEN); // of designs that are meant to break, to compare where
const messageBytes = setting('MESSAGE_BYTES', 36, 65536);

const steps = inTurn(
  rates().map((rate) => ({
    label: String(rate),
    x: rate,
    asked: rate,
    seconds: duration,
    endless: untilBroken || (!__ENV.RATES && rate > highestOriginal),
    scenarios: { ask: (start) => arrivals(rate, duration, start, 'ask') },
  })),
);

// Beyond the original's steps it is meant to break.
const gates = untilBroken ? [] : [...steps.filter((step) => !step.endless).map((step) => ({ ...everyAnswerRight, metric: `checks{step:${step.name}}` })), paceKept];

export const options = optionsOf(steps, gates);
export const setup = mustBeReady;

export function ask() {
  const message = uniqueMessage(messageBytes);
  isEcho(echo(message), message);
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

export function handleSummary(data) {
  const title = `Echo of ${messageBytes} bytes, ${duration} s a step`;
  return report(data, { name: `ladder-${messageBytes}`, title, first: 'asked/s', axis: 'requests a second', steps, gates, also: untilBroken ? undefined : besideTheOriginal });
}
