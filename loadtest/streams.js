// What do lasting subscribers cost, who are told of every frame?
// scripts/load streams, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/streams.js
//
// SUBSCRIBERS=2,10,50,100 for a whole step, half of them by server-sent events and half by WebSocket, beside RATE=100 echoes a second.
import { arrivals, atOnce, list, seconds, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report, table } from './lib/report.js';
import { inTurn, optionsOf, scenarioOf } from './lib/steps.js';
import { listen, listenBySocket } from './lib/stream.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const duration = seconds(6);
const rate = setting('RATE', 100, 10000);

const steps = inTurn(
  list('SUBSCRIBERS', 1000, [2, 10, 50, 100]).map((subscribers) => ({
    label: String(subscribers),
    x: subscribers,
    asked: rate,
    seconds: duration,
    scenarios: {
      stream: (start) => atOnce(Math.ceil(subscribers / 2), 1, duration + 5, start, 'subscribe'),
      socket: (start) => atOnce(Math.ceil(subscribers / 2), 1, duration + 5, start, 'subscribeBySocket'),
      ask: (start) => arrivals(rate, duration, start, 'ask'),
    },
  })),
  3,
);
const gates = [everyAnswerRight, nothingDropped, paceKept, { metric: 'frames_missed', rule: 'count==0', reason: 'no subscriber by WebSocket misses a frame' }];

export const options = optionsOf(steps, gates);
const ofKind = (metric, kind, step) => `${metric}{scenario:${scenarioOf(step, kind)}}`;
for (const step of steps) {
  options.thresholds[ofKind('data_received', 'stream', step)] = [];
  options.thresholds[ofKind('checks', 'stream', step)] = [];
  options.thresholds[ofKind('checks', 'socket', step)] = [];
  options.thresholds[ofKind('frames_told', 'socket', step)] = [];
}

export const setup = mustBeReady;

export function subscribe() {
  listen(duration);
}

export function subscribeBySocket() {
  listenBySocket(duration);
}

export function ask() {
  const message = uniqueMessage(36);
  isEcho(echo(message), message);
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

export function handleSummary(data) {
  const value = (metric, kind, i, of) => ((data.metrics[ofKind(metric, kind, steps[i])] || { values: {} }).values[of] || 0);
  const told = ({ rows }) => [
    table(
      ['subscribers', 'streams to the end', 'bytes a second each', 'sockets to the end', 'frames a second each'],
      rows.map((row, i) => {
        const each = Math.ceil(row.x / 2) * row.seconds;
        return [row.label, value('checks', 'stream', i, 'passes'), (value('data_received', 'stream', i, 'count') / each).toFixed(0),
          value('checks', 'socket', i, 'passes'), (value('frames_told', 'socket', i, 'count') / each).toFixed(1)];
      }),
    ),
  ];
  return report(data, { name: 'streams', title: `${rate} echoes a second beside subscribers to every frame`, first: 'subscribers', steps, gates, also: told });
}
