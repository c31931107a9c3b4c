// How good an answer is: checks look at values, and gates are ratios, never times, so that they hold on any machine.
import { check } from 'k6';
import { frameOf } from './what.js';

export const summaryTrendStats = ['avg', 'med', 'p(99)', 'max'];

export function isEcho(response, message) {
  return check(response, {
    'echo is answered': (r) => r.status === 200,
    'echo is the message, byte for byte': (r) => r.body === message,
  });
}

// A value read of a memory cell, with the frame that it belongs to.
export function isValue(response, right) {
  return check(response, {
    'read is answered': (r) => r.status === 200,
    'read has the right value': (r) => r.status === 200 && right(r.json('value')),
    'read names its frame': (r) => r.status === 200 && r.json('frame') === frameOf(r),
  });
}

export function isDone(response, what) {
  return check(response, { [`${what} is done`]: (r) => r.status === 200 });
}
