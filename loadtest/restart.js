// How many requests stay without an answer while the emulator is killed and started again?
// scripts/load designs runs it over each design, and kills the emulator in mid-run. RATE=50 requests a second, DURATION=8 seconds.
import { checkEcho } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { seconds, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { optionsOf, sequence } from './lib/steps.js';

const duration = seconds(8, 30);
const rate = setting('RATE', 50, 1000);
const steps = sequence([{ label: String(rate), scheduled: rate, seconds: duration, mayFail: false, scenarios: { echo: (start) => arrivals(rate, duration, start, 'sendEcho') } }]);

export const options = optionsOf(steps, []); // what is lost is the result
export const setup = requireReady;

export function sendEcho() {
  const message = uniqueMessage(36);
  checkEcho(echo(message), message);
}

export function watchPace() {
  watch(steps, undefined);
}

export function handleSummary(data) {
  return report(data, { name: __ENV.QUESTION || 'restart', title: `${rate} requests a second for ${duration} s; the emulator is killed after a third, and started again`, first: 'scheduled/s', steps, gates: [] });
}
