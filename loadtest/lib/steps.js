// A test as a sequence of steps, each measured separately: [{ name, label, scheduled, seconds, scenarios, start, end, mayFail }].
// `scenarios` maps names to functions from the start of the step to a k6 scenario; `scheduled` is the number of requests a second (in bursts: in total).
import { summaryTrendStats } from './checks.js';
import { monitor } from './monitor.js';

const perStep = ['checks', 'succeeded', 'http_reqs', 'http_req_duration', 'data_received', 'emulator_fps', 'gateway_cpu', 'gateway_memory', 'gateway_retries'];

// One step after the other, with a pause of some seconds for the last answers.
export function sequence(steps, pause = 1) {
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

// The k6 options. gates: [{ metric, rule, reason }] are thresholds that fail the run, each with its reason.
export function optionsOf(steps, gates) {
  const scenarios = { pace: monitor(steps) };
  for (const step of steps) {
    for (const [kind, make] of Object.entries(step.scenarios)) {
      scenarios[scenarioOf(step, kind)] = { ...make(step.start), tags: { step: step.name } };
    }
  }
  return { scenarios, thresholds: thresholds(steps, gates), summaryTrendStats, discardResponseBodies: false };
}

// The metrics of dropped requests of a step. k6 tags them by scenario only.
export function droppedOf(step) {
  return Object.keys(step.scenarios).map((kind) => `dropped_iterations{scenario:${scenarioOf(step, kind)}}`);
}

// k6 keeps the figures of a single step only if a threshold names them; an empty threshold always passes.
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
