// What do subscribers to every frame cost?
// scripts/load streams, or against a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/streams.js
//
// SUBSCRIBERS=2,10,50,100, half of them by server-sent events and half by WebSocket, during RATE=100 echoes a second. DURATION=6 seconds a step.
import { allAnswersCorrect, checkEcho, nothingDropped, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { echo, uniqueMessage } from './lib/requests.js';
import { arrivals, burst } from './lib/scenarios.js';
import { list, seconds, setting } from './lib/settings.js';
import { requireReady } from './lib/setup.js';
import { sequence, optionsOf, scenarioOf } from './lib/steps.js';
import { subscribeByEvents, subscribeByWebSocket } from './lib/subscribers.js';
import { table } from './lib/table.js';

const duration = seconds(6);
const rate = setting('RATE', 100, 10000);

const steps = sequence(
  list('SUBSCRIBERS', 1000, [2, 10, 50, 100]).map((subscribers) => ({
    label: String(subscribers),
    scheduled: rate,
    seconds: duration,
    scenarios: {
      events: (start) => burst(Math.ceil(subscribers / 2), 1, duration + 5, start, 'openEvents'),
      socket: (start) => burst(Math.ceil(subscribers / 2), 1, duration + 5, start, 'openWebSocket'),
      echo: (start) => arrivals(rate, duration, start, 'sendEcho'),
    },
  })),
  3,
);
const gates = [allAnswersCorrect, nothingDropped, paceKept, { metric: 'frames_missed', rule: 'count==0', reason: 'no WebSocket subscriber misses a frame' }];

export const options = optionsOf(steps, gates);
const ofKind = (metric, kind, step) => `${metric}{scenario:${scenarioOf(step, kind)}}`;
for (const step of steps) {
  options.thresholds[ofKind('data_received', 'events', step)] = [];
  options.thresholds[ofKind('checks', 'events', step)] = [];
  options.thresholds[ofKind('checks', 'socket', step)] = [];
  options.thresholds[ofKind('frames_received', 'socket', step)] = [];
}

export const setup = requireReady;

export function openEvents() {
  subscribeByEvents(duration);
}

export function openWebSocket() {
  subscribeByWebSocket(duration);
}

export function sendEcho() {
  const message = uniqueMessage(36);
  checkEcho(echo(message), message);
}

export function watchPace({ idleFps }) {
  watch(steps, idleFps);
}

export function handleSummary(data) {
  const value = (metric, kind, i, of) => ((data.metrics[ofKind(metric, kind, steps[i])] || { values: {} }).values[of] || 0);
  const received = ({ rows }) => [
    table(
      ['subscribers', 'event streams open to the end', 'bytes a second per stream', 'WebSockets open to the end', 'frames a second per WebSocket'],
      rows.map((row, i) => {
        const each = Math.ceil(row.x / 2) * row.seconds;
        return [row.label, value('checks', 'events', i, 'passes'), (value('data_received', 'events', i, 'count') / each).toFixed(0),
          value('checks', 'socket', i, 'passes'), (value('frames_received', 'socket', i, 'count') / each).toFixed(1)];
      }),
    ),
  ];
  return report(data, { name: 'streams', title: `${rate} echoes a second with subscribers to every frame`, first: 'subscribers', steps, gates, also: received });
}
