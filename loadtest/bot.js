// How many bots can play at once, with frequent reads and occasional taps and screenshots?
// scripts/load bot, or against a running gateway: BASE_URL=http://127.0.0.1:5000 k6 run loadtest/bot.js
//
// Each of BOTS=1,10,40,100 bots reads memory 15 times a second (every fourth frame). Together they tap a key 4 times a second, about the maximum that a
// game registers from one player, and take a screenshot once a second. Requires the test ROM, which make run starts.
import { allAnswersCorrect, checkDone, checkScreenshot, checkValue, nothingDropped, paceKept } from './lib/checks.js';
import { watch } from './lib/monitor.js';
import { report } from './lib/report.js';
import { address, read, rom, screen, tap } from './lib/requests.js';
import { arrivals } from './lib/scenarios.js';
import { list, seconds } from './lib/settings.js';
import { requireReady, requireTestRom } from './lib/setup.js';
import { sequence, optionsOf } from './lib/steps.js';
import { table } from './lib/table.js';
import exec from 'k6/execution';

const readsOfBot = 15;
const taps = 4;
const screenshots = 1;
const duration = seconds(5);
const keys = ['A', 'B', 'Up', 'Down'];
const kinds = ['read8', 'read32', 'tap', 'screen'];

const steps = sequence(
  list('BOTS', 500, [1, 10, 40, 100]).map((bots) => ({
    label: String(bots),
    scheduled: bots * readsOfBot + taps + screenshots,
    seconds: duration,
    scenarios: {
      read: (start) => arrivals(bots * readsOfBot, duration, start, 'readMemory'),
      tap: (start) => arrivals(taps, duration, start, 'pressKey'),
      screenshot: (start) => arrivals(screenshots, duration, start, 'takeScreenshot'),
    },
  })),
);
const gates = [allAnswersCorrect, nothingDropped, paceKept];

export const options = optionsOf(steps, gates);
for (const kind of kinds) {
  options.thresholds[`http_req_duration{name:${kind}}`] = [];
  options.thresholds[`http_reqs{name:${kind}}`] = [];
}

export function setup() {
  return requireTestRom(requireReady());
}

export function readMemory(status) {
  if (exec.scenario.iterationInTest % 2) {
    checkValue(read(address(status, rom.frame), 8), (value) => Number.isInteger(value) && value >= 0 && value <= 255);
  } else {
    checkValue(read(address(status, rom.constant), 32), (value) => value === rom.constantValue);
  }
}

export function pressKey() {
  checkDone(tap(keys[exec.scenario.iterationInTest % keys.length]), 'tap');
}

export function takeScreenshot() {
  checkScreenshot(screen());
}

export function watchPace({ idleFps }) {
  watch(steps, idleFps);
}

export function handleSummary(data) {
  const values = (metric, kind) => (data.metrics[`${metric}{name:${kind}}`] || { values: {} }).values;
  const byKind = () => [
    table(['kind', 'requests', 'p50 ms', 'p99 ms', 'max ms'], kinds.filter((kind) => values('http_reqs', kind).count).map((kind) => {
      const times = values('http_req_duration', kind);
      return [kind, values('http_reqs', kind).count, times.med.toFixed(2), times['p(99)'].toFixed(2), times.max.toFixed(2)];
    })),
  ];
  return report(data, { name: 'bot', title: `Bots: ${readsOfBot} reads a second per bot, ${taps} taps and ${screenshots} screenshot a second in total`, first: 'bots', steps, gates, also: byKind });
}
