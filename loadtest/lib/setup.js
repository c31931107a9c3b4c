// For setup(): checks that the gateway and the emulator are ready, and measures the frame rate without load.
import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';
import { frameOf, game, rom } from './requests.js';
import { baseUrl } from './target.js';

const idleSeconds = 2;
const frameTimeout = 1000; // milliseconds until a new frame must begin

// Aborts the test unless gateway and emulator answer. Returns the answer of /v2/status, and `idleFps`, the frames a second without load.
export function requireReady() {
  const ready = http.get(`${baseUrl}/readyz`, { tags: { name: 'readyz' }, timeout: '10s' });
  if (ready.status === 0) {
    exec.test.abort(`nothing answers at ${baseUrl} (${ready.error}); start the gateway with make run, or set BASE_URL`);
  }
  if (ready.status !== 200) {
    exec.test.abort(`the gateway at ${baseUrl} is not ready: ${detail(ready)}`);
  }
  const status = http.get(`${baseUrl}/v2/status`, { tags: { name: 'status' } });
  return { ...(status.status === 200 ? status.json() : {}), idleFps: frameRate() };
}

// For tests that check memory contents.
export function requireTestRom(status) {
  if (status.title !== rom.title) {
    exec.test.abort(`the game is "${status.title}"; this test requires the test ROM: start make run without ROM`);
  }
  return status;
}

// Measured from the beginning of one frame to the beginning of another, which is exact even over a few seconds.
function frameRate() {
  const from = nextFrame();
  sleep(idleSeconds);
  const to = nextFrame();
  return ((to.frame - from.frame) * 1000) / (to.at - from.at);
}

function nextFrame() {
  const began = Date.now();
  const before = frameOf(game());
  while (Date.now() - began < frameTimeout) {
    const frame = frameOf(game());
    if (frame !== before) {
      return { frame, at: Date.now() };
    }
  }
  return exec.test.abort(`the game at ${baseUrl} does not run; is it paused, or held by a lease?`);
}

function detail(response) {
  try {
    return response.json('detail') || response.body;
  } catch {
    return `status ${response.status}, ${response.body}`;
  }
}
