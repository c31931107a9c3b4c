// How many bots can play at once, as bots do: reads all the time, now and then a tap or a picture?
// scripts/load bot, or beside a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/bot.js
//
// Each of BOTS=1,10,40,100 reads memory 15 times a second (every fourth frame); all together tap a key 4 times a second, which is what a game can see of
// one player, and take a picture once a second. Wants our test ROM, as make run has it.
import { arrivals, list, seconds } from './lib/amount.js';
import { everyAnswerRight, isDone, isPicture, isValue, nothingDropped, paceKept } from './lib/good.js';
import { watch } from './lib/pace.js';
import { report, table } from './lib/report.js';
import { inTurn, optionsOf } from './lib/steps.js';
import { address, read, rom, screen, tap } from './lib/what.js';
import { mustBeReady, mustBeTestRom } from './lib/where.js';
import exec from 'k6/execution';

const readsOfEach = 15;
const taps = 4;
const pictures = 1;
const duration = seconds(5);
const keys = ['A', 'B', 'Up', 'Down'];
const kinds = ['read8', 'read32', 'tap', 'screen'];

const steps = inTurn(
  list('BOTS', 500, [1, 10, 40, 100]).map((bots) => ({
    label: String(bots),
    x: bots,
    asked: bots * readsOfEach + taps + pictures,
    seconds: duration,
    scenarios: {
      look: (start) => arrivals(bots * readsOfEach, duration, start, 'look'),
      tap: (start) => arrivals(taps, duration, start, 'press'),
      picture: (start) => arrivals(pictures, duration, start, 'picture'),
    },
  })),
);
const gates = [everyAnswerRight, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
for (const kind of kinds) {
  options.thresholds[`http_req_duration{name:${kind}}`] = [];
  options.thresholds[`http_reqs{name:${kind}}`] = [];
}

export function setup() {
  return mustBeTestRom(mustBeReady());
}

export function look(status) {
  if (exec.scenario.iterationInTest % 2) {
    isValue(read(address(status, rom.frame), 8), (value) => Number.isInteger(value) && value >= 0 && value <= 255);
  } else {
    isValue(read(address(status, rom.constant), 32), (value) => value === rom.constantValue);
  }
}

export function press() {
  isDone(tap(keys[exec.scenario.iterationInTest % keys.length]), 'tap');
}

export function picture() {
  isPicture(screen());
}

export function watchPace({ rest }) {
  watch(steps, rest);
}

export function handleSummary(data) {
  const values = (metric, kind) => (data.metrics[`${metric}{name:${kind}}`] || { values: {} }).values;
  const byKind = () => [
    table(['kind', 'requests', 'p50 ms', 'p99 ms', 'max ms'], kinds.filter((kind) => values('http_reqs', kind).count).map((kind) => {
      const times = values('http_req_duration', kind);
      return [kind, values('http_reqs', kind).count, times.med.toFixed(2), times['p(99)'].toFixed(2), times.max.toFixed(2)];
    })),
  ];
  return report(data, { name: 'bot', title: `Bots: ${readsOfEach} reads a second each, ${taps} taps and ${pictures} picture a second in all`, first: 'bots', steps, gates, also: byKind });
}
