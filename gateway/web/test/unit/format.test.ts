import { expect, test } from 'vitest';
import { durationText, framesText } from '../../src/ui/format';

test('one frame is singular', () => {
  expect([0, 1, 2, 1200].map(framesText)).toEqual(['0 frames', '1 frame', '2 frames', '1,200 frames']);
});

test('seconds are rounded before they are minutes', () => {
  expect([59.4, 59.6, 899.7, 3599.6, 90061].map(durationText)).toEqual(['59 s', '1 min 0 s', '15 min 0 s', '1 h 0 min', '1 d 1 h']);
});
