import { expect, test } from 'vitest';
import { middleOf } from '../../src/views/machine/camera';

test('the middle of a picture has the proportions of the camera', () => {
  expect(middleOf(128, 112)).toEqual([0, 0, 128, 112]);
  expect(middleOf(400, 112)).toEqual([136, 0, 128, 112]);
  expect(middleOf(128, 512)).toEqual([0, 200, 128, 112]);
});
