// What do lasting subscribers cost, who are told of every frame?
// scripts/load streams, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/streams.js
//
// SUBSCRIBERS=1,10,50,100 hold /v2/events?topics=frame (server-sent events) for a whole step, beside RATE=100 echoes a second. k6 cannot read a stream's
// events, only that it stays open and how many bytes come: a subscriber counts as served when its stream lasted until we ended it.
import { check } from 'k6';
import exec from 'k6/execution';
import { arrivals, atOnce, list, seconds, setting } from './lib/amount.js';
import { everyAnswerRight, isEcho, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report, table } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { echo, events, timedOut, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const duration = seconds(6);
const rate = setting('RATE', 100, 10000);
const quietest = 20; // bytes of the shortest event, with its id, name and data

const steps = inTurn(
  list('SUBSCRIBERS', 1000, [1, 10, 50, 100]).map((subscribers) => ({
    label: String(subscribers),
    x: subscribers,
    asked: rate,
    seconds: duration,
    scenarios: {
      listen: (start) => atOnce(subscribers, 1, duration + 5, start, 'listen'),
      ask: (start) => arrivals(rate, duration, start, 'ask'),
    },
  })),
  3,
);
// The subscribers' bytes and outcomes by themselves.
const listening = steps.map((step) => `{scenario:listen-${step.name}}`);
const gates = [everyAnswerRight, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
for (const scenario of listening) {
  options.thresholds[`data_received${scenario}`] = [];
  options.thresholds[`checks${scenario}`] = [];
}
// A stream never ends by itself: its request is no measure of the answers' time.
export const setup = mustBeReady;

export function listen() {
  exec.vu.metrics.tags.step = 'listening';
  const stream = events('frame', duration);
  check(stream, { 'the stream is open until its end': timedOut });
}

export function ask() {
  const message = uniqueMessage(36);
  isEcho(echo(message), message);
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

export function handleSummary(data) {
  const values = (metric, i) => (data.metrics[`${metric}${listening[i]}`] || { values: {} }).values;
  const told = ({ rows }) => [
    table(['subscribers', 'served to the end', 'bytes a second each'], rows.map((row, i) => {
      const bytes = (values('data_received', i).count || 0) / row.x / row.seconds;
      return [row.label, values('checks', i).passes || 0, bytes > quietest ? bytes.toFixed(0) : 'none'];
    })),
  ];
  return report(data, { name: 'streams', title: `${rate} echoes a second beside subscribers to every frame`, first: 'subscribers', steps, gates, also: told });
}
