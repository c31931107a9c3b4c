import { expect, test } from 'vitest';
import { between, isFull, keep, parse, quantile } from '../../src/views/traffic/metrics';

const line = (command: string, outcome: string, bound: string, count: number, emulator = '1') =>
  `mgba_client_operation_duration_seconds_bucket{mgba_emulator="${emulator}",mgba_command="${command}",mgba_outcome="${outcome}",le="${bound}"} ${count}\n`;
const page = (ping: number[], failed: number[]) => `# TYPE mgba_client_operation_duration_seconds histogram\nother_metric 3\n${
  ['0.001', '0.01', '+Inf'].map((bound, index) => line('ping', 'ok', bound, ping[index]!) + line('keys', 'leased', bound, failed[index]!) + line('ping', 'ok', bound, 99, '2')).join('')}`;

const first = parse(page([1, 1, 1], [0, 0, 0]), '1', 0);
const second = parse(page([5, 11, 11], [0, 2, 2]), '1', 2000);

test('only the requests of the emulator are read', () => {
  expect(first.bounds).toEqual([0.001, 0.01, Infinity]);
  expect(first.series).toContainEqual({ command: 'ping', outcome: 'ok', counts: [1, 1, 1] });
});

test('a share has what was added, for each bucket', () => {
  expect(between(first, second)).toEqual({ seconds: 2, bounds: first.bounds, counts: [4, 8, 0], requests: 12, failures: 2 });
  expect(between(first, second, 'ping')).toMatchObject({ counts: [4, 6, 0], requests: 10, failures: 0 });
});

test('a quantile is within its bucket', () => {
  expect(quantile(between(first, second, 'ping'), 0.5)).toBeCloseTo(0.001 + 0.009 / 6);
  expect(quantile(between(first, first), 0.5)).toBeNull();
});

test('after a restart of the gateway the earlier counts are dropped', () => {
  expect(keep([first, second], first)).toEqual([first]);
  expect(keep(Array.from({ length: 61 }, () => first), second)).toHaveLength(61);
});

test('a view that was just opened has less than a minute', () => {
  expect(isFull([])).toBe(false);
  expect(isFull(Array.from({ length: 60 }, () => first))).toBe(false);
  expect(isFull(keep(Array.from({ length: 60 }, () => first), second))).toBe(true);
});
