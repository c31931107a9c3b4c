// How fast the game runs meanwhile: frames over time, asked twice a second beside the load.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Gauge } from 'k6/metrics';
import { echo, frameOf } from './what.js';

export const fps = new Gauge('emulator_fps');

// The scenario that watches; `steps` says when each begins and ends: [{ name, start, end }], in seconds.
export function watcher(steps) {
  return { executor: 'constant-vus', vus: 1, duration: `${steps[steps.length - 1].end}s`, gracefulStop: '12s', exec: 'watchPace' };
}

let current; // the step that is being watched, and what the first look at it saw

export function watch(steps) {
  const response = echo('pace');
  const at = (Date.now() - exec.scenario.startTime) / 1000;
  const step = steps.find((s) => at >= s.start && at < s.end);
  const look = { step, at, frame: frameOf(response) };
  if (response.status === 200 && step) {
    if (!current || current.step !== step) {
      current = look;
    } else if (look.at > current.at) {
      fps.add((look.frame - current.frame) / (look.at - current.at), { step: step.name });
    }
  }
  sleep(0.5);
}
