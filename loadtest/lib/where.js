// Where the gateway is, and whether it can be asked anything.
import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';
import { frameOf, game, rom } from './what.js';

export const baseUrl = (__ENV.BASE_URL || 'http://127.0.0.1:5000').replace(/\/+$/, '');

const restSeconds = 2;
const patience = 1000; // milliseconds for a frame to begin

// For setup(): ends the test with a sentence unless emulator and gateway answer. Gives what /v2/status says, and the frames a second without load.
export function mustBeReady() {
  const ready = http.get(`${baseUrl}/readyz`, { tags: { name: 'readyz' }, timeout: '10s' });
  if (ready.status === 0) {
    exec.test.abort(`nothing answers at ${baseUrl} (${ready.error}); start it with make run, or name another with BASE_URL`);
  }
  if (ready.status !== 200) {
    exec.test.abort(`the gateway at ${baseUrl} is not ready: ${detail(ready)}`);
  }
  const status = http.get(`${baseUrl}/v2/status`, { tags: { name: 'status' } });
  return { ...(status.status === 200 ? status.json() : {}), rest: pace() };
}

// For setup() of tests that know what stands in memory.
export function mustBeTestRom(status) {
  if (status.title !== rom.title) {
    exec.test.abort(`the game is "${status.title}"; this test wants the test ROM, so start make run without ROM`);
  }
  return status;
}

// From the beginning of one frame to that of another, so that few seconds say it exactly.
function pace() {
  const from = nextFrame();
  sleep(restSeconds);
  const to = nextFrame();
  return ((to.frame - from.frame) * 1000) / (to.at - from.at);
}

function nextFrame() {
  const began = Date.now();
  const before = frameOf(game());
  while (Date.now() - began < patience) {
    const frame = frameOf(game());
    if (frame !== before) {
      return { frame, at: Date.now() };
    }
  }
  return exec.test.abort(`the game at ${baseUrl} stands still; is it paused, or held by a lease?`);
}

function detail(response) {
  try {
    return response.json('detail') || response.body;
  } catch {
    return `status ${response.status}, ${response.body}`;
  }
}
