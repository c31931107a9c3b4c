// How good an answer is: checks look at values, and gates are ratios, never times, so that they hold on any machine.
import { check } from 'k6';
import { Rate } from 'k6/metrics';
import { frameOf } from './what.js';

export const summaryTrendStats = ['avg', 'med', 'p(99)', 'max'];

// Requests that got what they asked for.
export const succeeded = new Rate('succeeded');

// What most questions demand.
export const everyAnswerRight = { metric: 'checks', rule: 'rate==1', reason: 'every answer is right, and there is one to every request' };
export const nothingDropped = { metric: 'dropped_iterations', rule: 'count==0', reason: 'every request was asked at its time' };
export const paceKept = { metric: 'pace_kept', rule: 'value>=0.99', reason: 'the game loses at most 1 % of the frames it has without load' };

function count(isRight) {
  succeeded.add(isRight);
  return isRight;
}

export function isEcho(response, message) {
  return count(
    check(response, {
      'echo is answered': (r) => r.status === 200,
      'echo is the message, byte for byte': (r) => r.body === message,
    }),
  );
}

// A value read of a memory cell, with the frame that it belongs to.
export function isValue(response, right) {
  return count(
    check(response, {
      'read is answered': (r) => r.status === 200,
      'read has the right value': (r) => r.status === 200 && right(r.json('value')),
      'read names its frame': (r) => r.status === 200 && r.json('frame') === frameOf(r),
    }),
  );
}

export function isDone(response, what) {
  return count(check(response, { [`${what} is done`]: (r) => r.status === 200 }));
}

// The eight bytes that every PNG begins with.
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function isPicture(response) {
  return count(
    check(response, {
      'picture is answered': (r) => r.status === 200,
      'picture is a PNG': (r) => r.status === 200 && png.every((byte, i) => new Uint8Array(r.body, 0, 8)[i] === byte),
    }),
  );
}

// While the emulator is away: the echo, or a problem in words and in time. Only the echo is a success.
export function isEchoOrProblem(response, message) {
  count(response.status === 200 && response.body === message);
  return check(response, {
    'each request ends with the echo or with a problem': (r) => (r.status === 200 ? r.body === message : isProblem(r)),
  });
}

function isProblem(response) {
  try {
    return response.status >= 500 && String(response.json('type')).startsWith('urn:mgba-bridge:problem:') && Boolean(response.json('detail'));
  } catch {
    return false;
  }
}
