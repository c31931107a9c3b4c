// What do clients receive while the emulator is killed and restarted, and while it hangs?
// scripts/load chaos, which kills, starts, stops and continues an emulator when this test reports the beginning of a part.
//
// RATE=50 echoes a second during the whole test; DURATION=4 seconds a part. While the emulator is unavailable, each request must end with a problem
// response; afterwards all requests must be answered again.
import { allAnswersCorrect, checkEchoOrProblem, nothingDropped } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { seconds, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';

const rate = setting('RATE', 50, 1000);
const duration = seconds(4, 20);

const parts = ['before', 'killed', 'started', 'after', 'frozen', 'continued', 'end'];
const steps = sequence(
  parts.map((label, i) => ({ label, x: i + 1, scheduled: rate, seconds: duration, scenarios: { echo: (start) => arrivals(rate, duration, start, 'sendEcho') } })),
  0,
);
const named = (label) => steps.find((step) => step.label === label).name;
const gates = [
  { ...allAnswersCorrect, reason: 'each request ends in time, with the echo or with a problem response' },
  nothingDropped,
  { metric: `succeeded{step:${named('before')}}`, rule: 'rate==1', reason: 'all requests are answered before' },
  { metric: `succeeded{step:${named('after')}}`, rule: 'rate==1', reason: 'all requests are answered again after a kill' },
  { metric: `succeeded{step:${named('end')}}`, rule: 'rate==1', reason: 'all requests are answered again after a freeze' },
];

export const options = optionsOf(steps, gates);
export const setup = requireReady;

export function sendEcho() {
  const message = uniqueMessage(36);
  checkEchoOrProblem(echo(message), message);
}

export function watchPace() {
  watch(steps);
}

export function handleSummary(data) {
  return report(data, { name: 'chaos', title: `${rate} echoes a second while the emulator is killed, restarted and frozen`, first: 'emulator', axis: 'part of the test', steps, gates });
}
