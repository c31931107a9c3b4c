// What is asked. Every request is tagged by name, so that results can be told apart.
import http from 'k6/http';
import { baseUrl } from './where.js';

const timeout = '10s'; // longer than the gateway's own deadline: a late answer is an answer

// Where our test ROM shows what it does; lua/headless/rom/README.md.
export const rom = {
  title: 'MGBABRIDGE',
  base: { gba: 0x02000000, gb: 0xc100 },
  frame: 0x008,
  edges: 0x020, // presses seen of each key, in the order A B Select Start Right Left Up Down R L
  edgeBytes: { gba: 4, gb: 2 },
  constant: 0x090,
  constantValue: 0xc0ffee42,
};

export function address(status, offset) {
  return `0x${(rom.base[status.platform] + offset).toString(16)}`;
}

// A message to the script and back, the endpoint of the original load test.
export function echo(message) {
  return http.get(`${baseUrl}/mgbaendpoint?message=${encodeURIComponent(message)}`, { tags: { name: 'echo' }, timeout });
}

// The game, as a light question that every answer's frame comes with.
export function game() {
  return http.get(`${baseUrl}/v2/game`, { tags: { name: 'game' }, timeout });
}

// A message that nobody else sends: a random id, repeated up to the wanted length.
export function uniqueMessage(bytes) {
  const id = crypto.randomUUID();
  return id.repeat(Math.ceil(bytes / id.length)).slice(0, bytes);
}

const oddities = ['a b+c%20d', 'key=value&x=y#z', '<|END|>', '#1 game<|END|>', '"\\|', '\r\n\t', '0123456789', ',;/?:@'];

const most = 65536;
const differ = 1024; // how many messages of one size differ
let store; // made once: joining texts piece by piece would keep k6 busy instead of the gateway

// So many bytes of what a query or the wire could trip over, beginning elsewhere each time.
export function awkwardMessage(bytes, turn) {
  store = store || oddities.join('~').repeat(Math.ceil((most + differ) / oddities.join('~').length));
  const from = (turn * 7) % differ;
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

// The script's own count of frames, which every answer carries.
export function frameOf(response) {
  return Number(response.headers['Mgba-Frame']) || 0;
}
