// The requests of the load tests. Each is tagged by name, so that results can be separated.
import http from 'k6/http';
import { baseUrl } from './target.js';

const timeout = '10s'; // longer than the gateway's own timeout, so that late answers are counted as answers

// The addresses at which the test ROM shows its state; see headless/roms/README.md.
export const rom = {
  title: 'MGBABRIDGE',
  base: { gba: 0x02000000, gb: 0xc100 },
  frame: 0x008,
  edges: 0x020, // presses counted per key, in the order A B Select Start Right Left Up Down R L
  edgeBytes: { gba: 4, gb: 2 },
  constant: 0x090,
  constantValue: 0xc0ffee42,
};

export function address(status, offset) {
  return `0x${(rom.base[status.platform] + offset).toString(16)}`;
}

// Sends a message to the script and back: the endpoint of the original load test.
export function echo(message) {
  return http.get(`${baseUrl}/mgbaendpoint?message=${encodeURIComponent(message)}`, { tags: { name: 'echo' }, timeout });
}

// A cheap request; its answer carries the frame number.
export function game() {
  return http.get(`${baseUrl}/v2/game`, { tags: { name: 'game' }, timeout });
}

// A unique message: a random id, repeated up to the requested length.
export function uniqueMessage(bytes) {
  const id = crypto.randomUUID();
  return id.repeat(Math.ceil(bytes / id.length)).slice(0, bytes);
}

const specials = ['a b+c%20d', 'key=value&x=y#z', '<|END|>', '#1 game.get<|END|>', '"\\|', '\r\n\t', '0123456789', ',;/?:@'];

const maxBytes = 65536;
const variants = 1024; // different messages per size
let store; // built once: concatenating strings for each request would load k6 instead of the gateway

// A message of characters that are special in a query or on the wire; it differs from request to request.
export function specialMessage(bytes, turn) {
  store = store || specials.join('~').repeat(Math.ceil((maxBytes + variants) / specials.join('~').length));
  const from = (turn * 7) % variants;
  return store.slice(from, from + bytes);
}

export function read(where, bits) {
  return http.get(`${baseUrl}/v2/memory/${where}/u${bits}`, { tags: { name: `read${bits}` }, timeout });
}

export function write(where, bits, value) {
  const headers = { 'Content-Type': 'application/json' };
  return http.put(`${baseUrl}/v2/memory/${where}/u${bits}`, JSON.stringify({ value }), { tags: { name: `write${bits}` }, headers, timeout });
}

export function tap(key) {
  return http.post(`${baseUrl}/mgba-http/button/tap?button=${key}`, null, { tags: { name: 'tap' }, timeout });
}

export function screen() {
  return http.get(`${baseUrl}/v2/screen`, { tags: { name: 'screen' }, responseType: 'binary', timeout });
}

// The frame number that every answer carries.
export function frameOf(response) {
  return Number(response.headers['Mgba-Frame']) || 0;
}
