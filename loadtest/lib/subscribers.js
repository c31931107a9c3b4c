// Subscribers to every frame.
import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';
import { baseUrl } from './target.js';

export const received = new Counter('frames_received');
export const missed = new Counter('frames_missed');

// Server-sent events. k6 cannot read the events of a stream, only whether it stays open until the timeout, and how many bytes arrive.
export function subscribeByEvents(seconds) {
  exec.vu.metrics.tags.step = 'subscribed'; // keeps the duration of the stream out of the latencies
  const stream = http.get(`${baseUrl}/v2/events?topics=frame`, { tags: { name: 'events' }, timeout: `${seconds}s`, responseType: 'none' });
  check(stream, { 'the stream stays open to the end': (r) => r.error_code === 1050 && r.timings.receiving > 0 });
}

// A WebSocket, of which each event is read: no frame may be missing.
export function subscribeByWebSocket(seconds) {
  exec.vu.metrics.tags.step = 'subscribed';
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/v2/ws`);
  let last = 0;
  let closedByClient = false;
  socket.onopen = () => {
    socket.send('{"id":1,"op":"subscribe","body":{"topics":["frame"]}}');
    setTimeout(() => {
      closedByClient = true;
      socket.close();
    }, seconds * 1000);
  };
  socket.onmessage = ({ data }) => {
    const found = /"event":"frame".*?"frame":(\d+)/.exec(data);
    if (found) {
      const frame = Number(found[1]);
      received.add(1);
      missed.add(last ? frame - last - 1 : 0);
      last = frame;
    }
  };
  socket.onclose = () => check(null, { 'the WebSocket stays open to the end and receives frames': () => closedByClient && last > 0 });
}
