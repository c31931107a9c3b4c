import { expect, test } from 'vitest';
import { tiltOf } from '../../src/views/machine/motion';

test('a device that lies flat is not tilted', () => expect(tiltOf(0, 0, 0)).toEqual([0, -0]));

test.each([[0, [10, -20]], [90, [20, 10]], [180, [-10, 20]], [270, [-20, -10]]])('tilt follows the screen turned by %i degrees', (turn, tilt) => {
  expect(tiltOf(20, 10, turn as number)).toEqual(tilt);
});

test('what the chips cannot show is limited', () => expect(tiltOf(-170, null, 0)).toEqual([0, 90]));
