// What happens when many clients connect in the same instant?
// scripts/load burst, or against a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/burst.js
//
// CLIENTS=20,60,200,500 at once. Each has its own connection and sends TIMES=5 requests one after the other; the next burst starts after DURATION=4 s.
import { allAnswersCorrect, checkEcho, nothingDropped, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { burst } from './lib/scenarios.js';
import { list, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';

const times = setting('TIMES', 5, 10000);
const interval = setting('DURATION', 4, 3600); // seconds from one burst to the next

const steps = sequence(
  list('CLIENTS', 5000, [20, 60, 200, 500]).map((clients) => ({
    label: String(clients),
    scheduled: clients * times,
    seconds: interval,
    scenarios: { echo: (start) => burst(clients, times, interval, start, 'sendEcho') },
  })),
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

export function handleSummary(data) {
  return report(data, { name: 'burst', title: `Clients in the same instant, ${times} echoes each`, first: 'clients', steps, gates, isTotal: true });
}
