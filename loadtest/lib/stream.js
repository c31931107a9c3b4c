// Subscribers to every frame, for as long as they are told.
import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { WebSocket } from 'k6/websockets';
import { baseUrl } from './where.js';

export const frames = new Counter('frames_told');
export const missed = new Counter('frames_missed');

// Server-sent events. k6 cannot read a stream's events, only that it stays open until we end it, and how many bytes come.
export function listen(seconds) {
  exec.vu.metrics.tags.step = 'listening'; // its time is no measure of the answers'
  const stream = http.get(`${baseUrl}/v2/events?topics=frame`, { tags: { name: 'events' }, timeout: `${seconds}s`, responseType: 'none' });
  check(stream, { 'the stream is open until its end': (r) => r.error_code === 1050 && r.timings.receiving > 0 });
}

// A WebSocket, of which each event is seen: no frame may be missing.
export function listenBySocket(seconds) {
  exec.vu.metrics.tags.step = 'listening';
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/v2/ws`);
  let last = 0;
  let isOurs = false;
  socket.onopen = () => {
    socket.send('{"id":1,"op":"subscribe","body":{"topics":["frame"]}}');
    setTimeout(() => {
      isOurs = true;
      socket.close();
    }, seconds * 1000);
  };
  socket.onmessage = ({ data }) => {
    const found = /"event":"frame".*?"frame":(\d+)/.exec(data);
    if (found) {
      const frame = Number(found[1]);
      frames.add(1);
      missed.add(last ? frame - last - 1 : 0);
      last = frame;
    }
  };
  socket.onclose = () => check(null, { 'the socket is open until its end, and told of frames': () => isOurs && last > 0 });
}
