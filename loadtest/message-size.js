// Does the size of a message matter, and is every byte echoed?
// scripts/load message-size, or against a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/message-size.js
//
// Echoes of SIZES=1,4,16,64,256,1024,5000,16384,65536 bytes, made of characters that are special in a query or on the wire. RATE=50 a second,
// DURATION=3 seconds each.
import { allAnswersCorrect, checkEcho, nothingDropped, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { specialMessage, echo } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { list, seconds, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';
import exec from 'k6/execution';

const duration = seconds();
const rate = setting('RATE', 50, 10000);
const sizes = list('SIZES', 65536, [1, 4, 16, 64, 256, 1024, 5000, 16384, 65536]);

const steps = sequence(
  sizes.map((bytes) => ({ label: String(bytes), scheduled: rate, seconds: duration, scenarios: { echo: (start) => ({ ...arrivals(rate, duration, start, 'sendEcho'), env: { BYTES: String(bytes) } }) } })),
);
const gates = [allAnswersCorrect, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
export const setup = requireReady;

export function sendEcho() {
  const message = specialMessage(Number(__ENV.BYTES), exec.scenario.iterationInTest);
  checkEcho(echo(message), message);
}

export function watchPace({ idleFps }) {
  watch(steps, idleFps);
}

export function handleSummary(data) {
  return report(data, { name: 'message-size', title: `Echo of 1 byte to 64 KB, ${rate} a second`, first: 'bytes', steps, gates });
}
