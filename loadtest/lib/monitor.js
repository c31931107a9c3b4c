// Monitors the game's frame rate and the gateway's resources during the load, twice a second.
import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';
import { frameOf, game } from './requests.js';
import { baseUrl } from './target.js';

const fps = new Gauge('emulator_fps');
const kept = new Gauge('pace_kept'); // frames a second under load relative to those without
const cpu = new Gauge('gateway_cpu'); // processors
const memory = new Gauge('gateway_memory'); // MB
const retries = new Counter('gateway_retries');

const interval = 0.5; // seconds
const minAnswered = 0.95; // the ladder ends at a step with a lower fraction of answers
const tolerance = 2; // requests: the first and the last of a step may be counted in the neighbouring one

// The scenario that monitors `steps`.
export function monitor(steps) {
  return { executor: 'constant-vus', vus: 1, duration: `${steps[steps.length - 1].end}s`, gracefulStop: '12s', exec: 'watchPace' };
}

let step; // the current step
let first; // the first sample of the test
let since; // the first sample of the step
let last; // the previous sample
let doneBefore; // iterations completed before the step
let samples = 0; // samples taken during the step: k6 counts them as iterations

// idleFps: frames a second without load
export function watch(steps, idleFps) {
  const now = sample();
  const current = steps.find((s) => now.at >= s.start && now.at < s.end);
  if (current !== step) {
    finish(step, now);
    step = current;
    since = now;
    doneBefore = (last || now).done;
    samples = 0;
  } else if (step && now.frame && since.frame) {
    record(now, idleFps);
  }
  last = now;
  samples++;
  sleep(interval);
}

function sample() {
  const frame = frameOf(game());
  const at = (Date.now() - exec.scenario.startTime) / 1000;
  const now = { at, frame, done: exec.instance.iterationsCompleted, ...gatewayMetrics() };
  if (!first && frame) {
    first = now;
  }
  return now;
}

function record(now, idleFps) {
  const tags = { step: step.name };
  const time = now.at - since.at;
  // A lower frame number means that the emulator was restarted.
  if (now.frame > since.frame) {
    fps.add((now.frame - since.frame) / time, tags);
  }
  if (idleFps && !step.mayFail && now.frame > first.frame && now.at - first.at > 2) {
    kept.add((now.frame - first.frame) / (now.at - first.at) / idleFps);
  }
  if (now.cpu >= since.cpu) {
    cpu.add((now.cpu - since.cpu) / time, tags);
    memory.add(now.memory, tags);
  }
}

// Records what is counted once per step. A step that may fail, and does, ends the test.
function finish(old, now) {
  if (!old) {
    return;
  }
  if (now.retries > since.retries) {
    retries.add(now.retries - since.retries, { step: old.name });
  }
  const scheduled = old.scheduled * old.seconds;
  const answered = now.done - doneBefore - samples;
  if (old.mayFail && scheduled - answered > tolerance && answered / scheduled < minAnswered) {
    exec.test.abort(`Of ${old.scheduled} requests a second ${Math.floor((100 * answered) / scheduled)} % were answered in time: the ladder ends here.`);
  }
}

// Some values of the gateway's /metrics; other programs have none.
function gatewayMetrics() {
  const page = http.get(`${baseUrl}/metrics`, { tags: { name: 'metrics' }, timeout: '2s' });
  if (page.status !== 200) {
    return {};
  }
  const sum = (name) => [...page.body.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((all, [, value]) => all + Number(value), 0);
  return {
    cpu: sum('dotnet_process_cpu_time_seconds_total'),
    memory: sum('dotnet_process_memory_working_set_bytes') / 1e6,
    retries: sum('mgba_client_operation_retries_total'),
  };
}
