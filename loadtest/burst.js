// What if many clients come in the same instant?
// scripts/load burst, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/burst.js
//
// 20, 60, 200 and 500 clients at once, each with a connection of its own, each asking 5 times in a row. CLIENTS=20,1000 takes others.
import { atOnce, list, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const times = setting('TIMES', 5, 10000);
const room = setting('DURATION', 4, 3600); // seconds from one burst to the next

const steps = inTurn(
  list('CLIENTS', 5000, [20, 60, 200, 500]).map((clients) => ({
    label: String(clients),
    x: clients,
    asked: clients * times,
    seconds: room,
    scenarios: { ask: (start) => atOnce(clients, times, room, start, 'ask') },
  })),
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

export function handleSummary(data) {
  return report(data, { name: 'burst', title: `Clients in the same instant, ${times} echoes each`, first: 'clients', axis: 'clients at once', steps, gates, inAll: true });
}
