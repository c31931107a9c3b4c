import { expect, test } from 'vitest';
import { between, isFull, keep, quantile, type Sample } from '../../src/views/traffic/durations';

const sample = (at: number, ping: number[], failed: number[]): Sample =>
  ({ at, boundsMs: [1, 10], durations: [{ command: 'ping', outcome: 'ok', counts: ping }, { command: 'keys.get', outcome: 'leased', counts: failed }] });

const first = sample(0, [1, 0, 0], [0, 0, 0]);
const second = sample(2000, [5, 6, 0], [0, 2, 0]);

test('a share has what was added within each bound', () => {
  expect(between(first, second)).toEqual({ seconds: 2, boundsMs: [1, 10], counts: [4, 8, 0], requests: 12, failures: 2 });
  expect(between(first, second, 'ping')).toMatchObject({ counts: [4, 6, 0], requests: 10, failures: 0 });
});

test('a quantile is between its bounds', () => {
  expect(quantile(between(first, second, 'ping'), 0.5)).toBeCloseTo(1 + 9 / 6);
  expect(quantile(between(first, first), 0.5)).toBeNull();
  expect(quantile(between(first, sample(2000, [1, 0, 3], [0, 0, 0])), 0.5)).toBe(10);
});

test('after the gateway began to count again the earlier samples are dropped', () => {
  expect(keep([first, second], first)).toEqual([first]);
  expect(keep(Array.from({ length: 61 }, () => first), second)).toHaveLength(61);
});

test('a view that was just opened has less than a minute', () => {
  expect(isFull([])).toBe(false);
  expect(isFull(Array.from({ length: 60 }, () => first))).toBe(false);
  expect(isFull(keep(Array.from({ length: 60 }, () => first), second))).toBe(true);
});
