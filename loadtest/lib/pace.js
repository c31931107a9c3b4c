// How fast the game runs meanwhile, and how the gateway is: looked at twice a second beside the load.
import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';
import { frameOf, game } from './what.js';
import { baseUrl } from './where.js';

const fps = new Gauge('emulator_fps');
const kept = new Gauge('pace_kept'); // frames a second under load against those before it
const cpu = new Gauge('gateway_cpu'); // processors
const memory = new Gauge('gateway_memory'); // MB
const retries = new Counter('gateway_retries');

const between = 0.5; // seconds
const broken = 0.95; // of what was asked for: with less answered, there is no use in asking for more
const atTheEnds = 2; // requests of a step that are not missed: its first and its last may be counted beside it

// The scenario that watches `steps`.
export function watcher(steps) {
  return { executor: 'constant-vus', vus: 1, duration: `${steps[steps.length - 1].end}s`, gracefulStop: '12s', exec: 'watchPace' };
}

let step; // the one that is being watched,
let since; // what the first look at it saw,
let last; // the look before this one,
let doneBefore; // requests done before the step began,
let looks = 0; // how often we looked meanwhile: k6 counts that too,
let first; // and the first look of all

// rest: frames a second without load
export function watch(steps, rest) {
  const now = look();
  const present = steps.find((s) => now.at >= s.start && now.at < s.end);
  if (present !== step) {
    leave(steps, step, now);
    step = present;
    since = now;
    doneBefore = (last || now).done;
    looks = 0;
  } else if (step && now.frame && since.frame) {
    measure(now, rest);
  }
  last = now;
  looks++;
  progress(steps, now);
  sleep(between);
}

function look() {
  const frame = frameOf(game());
  const at = (Date.now() - exec.scenario.startTime) / 1000;
  const seen = { at, frame, done: exec.instance.iterationsCompleted, ...gateway() };
  if (!first && frame) {
    first = seen;
  }
  return seen;
}

function measure(now, rest) {
  const tags = { step: step.name };
  const time = now.at - since.at;
  // A frame less is an emulator that was started anew.
  if (now.frame > since.frame) {
    fps.add((now.frame - since.frame) / time, tags);
  }
  if (rest && !step.endless && now.frame > first.frame && now.at - first.at > 2) {
    kept.add((now.frame - first.frame) / (now.at - first.at) / rest);
  }
  if (now.cpu >= since.cpu) {
    cpu.add((now.cpu - since.cpu) / time, tags);
    memory.add(now.memory, tags);
  }
}

// What is counted once, when a step is over. One that has to hold (`endless`) and does not ends the test.
function leave(steps, old, now) {
  if (!old) {
    return;
  }
  if (now.retries > since.retries) {
    retries.add(now.retries - since.retries, { step: old.name });
  }
  const asked = old.asked * old.seconds;
  const answered = now.done - doneBefore - looks;
  if (old.endless && asked - answered > atTheEnds && answered / asked < broken) {
    exec.test.abort(`Of ${old.asked} requests a second ${Math.floor((100 * answered) / asked)} % were answered in time: the ladder ends here.`);
  }
}

// A few lines of the gateway's scrape page; another program has none.
function gateway() {
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

// For scripts/load, which draws a bar of it.
function progress(steps, now) {
  if (__ENV.PROGRESS) {
    const part = Math.min(now.at / steps[steps.length - 1].end, 1);
    console.log(`@progress ${Math.floor(part * 100)} ${step ? step.label : ''}`);
  }
}
