// What do callers see when the emulator is killed and comes back, and when it hangs?
// scripts/load chaos: it kills, starts, stops and continues an emulator when this test says which part begins.
//
// RATE=50 echoes a second all the time; DURATION=5 seconds a part. While the emulator is away each request must end with a problem in words; when it is
// back, all must be answered again.
import { arrivals, seconds, setting } from './lib/amount.js';
import { everyAnswerRight, isEchoOrProblem, nothingDropped } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const rate = setting('RATE', 50, 1000);
const duration = seconds(4, 20);

const parts = ['before', 'killed', 'started', 'after', 'frozen', 'continued', 'end'];
const steps = inTurn(
  parts.map((label, i) => ({ label, x: i + 1, asked: rate, seconds: duration, scenarios: { ask: (start) => arrivals(rate, duration, start, 'ask') } })),
  0,
);
const named = (label) => steps.find((step) => step.label === label).name;
const gates = [
  { ...everyAnswerRight, reason: 'each request ends in time, with the echo or with a problem in words' },
  nothingDropped,
  { metric: `succeeded{step:${named('before')}}`, rule: 'rate==1', reason: 'all are answered before' },
  { metric: `succeeded{step:${named('after')}}`, rule: 'rate==1', reason: 'all are answered again after a kill' },
  { metric: `succeeded{step:${named('end')}}`, rule: 'rate==1', reason: 'all are answered again after a freeze' },
];

export const options = optionsOf(steps, gates);
export const setup = mustBeReady;

export function ask() {
  const message = uniqueMessage(36);
  isEchoOrProblem(echo(message), message);
}

export function watchPace() {
  watch(steps);
}

export function handleSummary(data) {
  return report(data, { name: 'chaos', title: `${rate} echoes a second while the emulator is killed, started, frozen`, first: 'emulator', axis: 'part of the test', steps, gates });
}
