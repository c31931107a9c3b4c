import { expect, test } from 'vitest';
import { Moments } from '../../src/views/play/moments';

const picture = (frame: number, epoch = 'e', bytes = 10) => ({ frame, epoch, png: new ArrayBuffer(bytes), at: 0 });
const sound = (frame: number, sample: number, values: number[]) => ({ frame, epoch: 'e', topic: 'sound/1', sample, samples: Int16Array.from(values).buffer });
const frames = (moments: Moments, seconds = 30) => moments.pictures(seconds).map(({ frame }) => frame);

test('the last 30 seconds of the game are kept, each frame once', () => {
  const moments = new Moments();
  for (let frame = 1; frame <= 2000; frame += 1) {
    moments.show(picture(frame));
    moments.show(picture(frame));
  }
  expect(frames(moments)).toHaveLength(1792); // 30 seconds of 59.7275 frames
  expect(frames(moments, 1)).toEqual(Array.from({ length: 60 }, (_, index) => 1941 + index));
});

test('what was before another game, or before an earlier frame, is forgotten', () => {
  const moments = new Moments();
  [picture(5), picture(6), picture(7, 'other')].forEach((one) => { moments.show(one); });
  expect(frames(moments)).toEqual([7]);
  moments.show(picture(3, 'other'));
  expect(frames(moments)).toEqual([3]);
});

test('pictures have at most 64 MiB', () => {
  const moments = new Moments();
  for (let frame = 1; frame <= 5; frame += 1) {
    moments.show(picture(frame, 'e', 20 * 1024 * 1024));
  }
  expect(frames(moments)).toEqual([3, 4, 5]);
});

test('sound is where its frame is, and silent where it was lost', () => {
  const moments = new Moments();
  expect(moments.sound(1, 4)).toBeNull();
  moments.show(picture(1));
  moments.hear(sound(2, 5000, [1, 2, 3, 4]));
  moments.hear(sound(3, 5004, [5, 6]));
  const heard = moments.sound(1, 4)!;
  expect(heard).toHaveLength(2 * 2411); // three frames
  const start = 2 * 804; // one frame
  expect([...heard.slice(start, start + 12)]).toEqual([1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0]);
});
