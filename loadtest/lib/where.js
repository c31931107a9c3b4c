// Where the gateway is, and whether it can be asked anything.
import http from 'k6/http';
import exec from 'k6/execution';

export const baseUrl = (__ENV.BASE_URL || 'http://127.0.0.1:5000').replace(/\/+$/, '');

// For setup(): ends the test with a sentence unless emulator and gateway answer. Gives what /v2/status says.
export function mustBeReady() {
  const ready = http.get(`${baseUrl}/readyz`, { tags: { name: 'readyz' }, timeout: '10s' });
  if (ready.status === 0) {
    exec.test.abort(`nothing answers at ${baseUrl} (${ready.error}); start it with make run, or name another with BASE_URL`);
  }
  if (ready.status !== 200) {
    exec.test.abort(`the gateway at ${baseUrl} is not ready: ${detail(ready)}`);
  }
  return http.get(`${baseUrl}/v2/status`, { tags: { name: 'status' } }).json();
}

function detail(response) {
  try {
    return response.json('detail') || response.body;
  } catch {
    return `status ${response.status}, ${response.body}`;
  }
}
