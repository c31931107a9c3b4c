// Checks of answers, and gates. Checks compare values; gates are ratios and never times, so that they hold on any machine.
import { check } from 'k6';
import { Rate } from 'k6/metrics';
import { frameOf } from './requests.js';

export const summaryTrendStats = ['avg', 'med', 'p(99)', 'max'];

// Requests with a correct answer.
export const succeeded = new Rate('succeeded');

// The gates of most questions.
export const allAnswersCorrect = { metric: 'checks', rule: 'rate==1', reason: 'every request has an answer, and every answer is correct' };
export const nothingDropped = { metric: 'dropped_iterations', rule: 'count==0', reason: 'every request was sent on schedule' };
export const paceKept = { metric: 'pace_kept', rule: 'value>=0.99', reason: 'the game loses at most 1 % of the frames that it has without load' };

function count(isCorrect) {
  succeeded.add(isCorrect);
  return isCorrect;
}

export function checkEcho(response, message) {
  return count(
    check(response, {
      'echo is answered': (r) => r.status === 200,
      'echo is the message, byte for byte': (r) => r.body === message,
    }),
  );
}

// A value read from memory, and the frame that it belongs to.
export function checkValue(response, isCorrect) {
  return count(
    check(response, {
      'read is answered': (r) => r.status === 200,
      'read has the correct value': (r) => r.status === 200 && isCorrect(r.json('value')),
      'read names its frame': (r) => r.status === 200 && r.json('frame') === frameOf(r),
    }),
  );
}

export function checkDone(response, what) {
  return count(check(response, { [`${what} is done`]: (r) => r.status === 200 }));
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function checkScreenshot(response) {
  return count(
    check(response, {
      'screenshot is answered': (r) => r.status === 200,
      'screenshot is a PNG': (r) => r.status === 200 && pngSignature.every((byte, i) => new Uint8Array(r.body, 0, 8)[i] === byte),
    }),
  );
}
