// A test as steps, one after the other, each measured by itself: [{ name, label, x, seconds, scenarios, start, end }].
// `scenarios` are functions from the step's start to k6 scenarios; `asked` is how many requests a second (or in all) they ask.
import { watcher } from './pace.js';
import { summaryTrendStats } from './good.js';

const perStep = ['checks', 'succeeded', 'http_reqs', 'http_req_duration', 'data_received', 'emulator_fps', 'gateway_cpu', 'gateway_memory', 'gateway_retries'];

// One after the other, with a pause in which the last answers come in.
export function inTurn(steps, pause = 1) {
  let start = 0;
  return steps.map((step, i) => {
    const placed = { ...step, name: `${i + 1}-${step.label}`.replace(/[^\w.-]+/g, '-'), start, end: start + step.seconds };
    start = placed.end + pause;
    return placed;
  });
}

export function scenarioOf(step, kind) {
  return `${kind}-${step.name}`;
}

// The gates: [{ metric, rule, reason }], k6 thresholds that make a run fail, each with its reason.
export function optionsOf(steps, gates) {
  const scenarios = { pace: watcher(steps) };
  for (const step of steps) {
    for (const [kind, make] of Object.entries(step.scenarios)) {
      scenarios[scenarioOf(step, kind)] = { ...make(step.start), tags: { step: step.name } };
    }
  }
  return { scenarios, thresholds: thresholds(steps, gates), summaryTrendStats, discardResponseBodies: false };
}

// What a step could not ask in time. k6 tags it only by scenario.
export function droppedOf(step) {
  return Object.keys(step.scenarios).map((kind) => `dropped_iterations{scenario:${scenarioOf(step, kind)}}`);
}

// k6 keeps figures of a single step only where a threshold names them; these always hold.
function thresholds(steps, gates) {
  const all = {};
  for (const metric of steps.flatMap(droppedOf)) {
    all[metric] = [];
  }
  for (const metric of perStep) {
    for (const { name } of steps) {
      all[`${metric}{step:${name}}`] = [];
    }
  }
  for (const { metric, rule } of gates) {
    all[metric] = [...(all[metric] || []), rule];
  }
  return all;
}
