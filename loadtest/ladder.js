// How many requests a second does the emulator answer, and how fast, while the game keeps its pace?
// BASE_URL=http://127.0.0.1:5000 QUICK=1 k6 run loadtest/ladder.js   (make load starts all by itself)
//
// The original load test, step by step: each step asks a fixed number of echoes a second, whatever the answers take.
// QUICK=1: 3 s a step, few steps. RATES=100,800 SECONDS=10: others. MESSAGE_BYTES=5000: longer messages. REPORT=file.json: the figures.
import { arrivals, rates, seconds, whole } from './lib/amount.js';
import { isEcho, summaryTrendStats } from './lib/good.js';
import { watch, watcher } from './lib/pace.js';
import { figures, table } from './lib/report.js';
import { echo, uniqueMessage } from './lib/what.js';
import { mustBeReady } from './lib/where.js';

const pause = 1; // seconds between steps
const duration = seconds();
const messageBytes = __ENV.MESSAGE_BYTES ? whole('MESSAGE_BYTES', __ENV.MESSAGE_BYTES, 65536) : 36;

const steps = rates().map((rate, i) => ({
  name: `${i + 1}-${rate}`,
  rate,
  start: i * (duration + pause),
  end: i * (duration + pause) + duration,
}));

function scenarios() {
  const all = { pace: watcher(steps) };
  for (const step of steps) {
    all[`step-${step.name}`] = { ...arrivals(step.rate, duration, step.start, 'ask'), tags: { step: step.name } };
  }
  return all;
}

// k6 keeps figures of a single step only where a threshold names them. One of these is a gate: every answer is right. The others always hold.
function thresholds() {
  const all = { checks: ['rate==1'] };
  for (const { name } of steps) {
    all[`checks{step:${name}}`] = ['rate>=0'];
    all[`http_reqs{step:${name}}`] = ['count>=0'];
    all[`http_req_duration{step:${name}}`] = ['max>=0'];
    all[`dropped_iterations{step:${name}}`] = ['count>=0'];
    all[`emulator_fps{step:${name}}`] = ['value>=0'];
  }
  return all;
}

export const options = { scenarios: scenarios(), thresholds: thresholds(), summaryTrendStats };

export function setup() {
  return mustBeReady();
}

export function ask() {
  const message = uniqueMessage(messageBytes);
  isEcho(echo(message), message);
}

export function watchPace() {
  watch(steps);
}

export function handleSummary(data) {
  const rows = steps.map((step) => figures(data, step.name, step.rate, duration)).filter((row) => row.requests + row.dropped > 0);
  if (rows.length === 0) {
    return {};
  }
  const out = { stdout: `\nEcho of ${messageBytes} bytes, ${duration} s a step\n\n${table(rows)}\n` };
  if (__ENV.REPORT) {
    out[__ENV.REPORT] = JSON.stringify({ messageBytes, seconds: duration, steps: rows }, null, 2);
  }
  return out;
}
