import { expect, test } from 'vitest';
import { framesText } from '../../src/ui/format';

test('one frame is singular', () => {
  expect([0, 1, 2, 1200].map(framesText)).toEqual(['0 frames', '1 frame', '2 frames', '1,200 frames']);
});
