import { expect, test } from 'vitest';
import { SampleRate, SoundBuffer } from '../../src/api/sound-buffer';

const Rate = 59.7275;
const Block = 128;

/** Plays `seconds` of a tone that the game makes `speed` times as fast as the loudspeaker takes it; `late` is how late the network brings a frame, in seconds. */
function play(seconds: number, { speed = 1, late = () => 0, pause = () => false }: { speed?: number; late?: (frame: number) => number; pause?: (second: number) => boolean } = {}) {
  const buffer = new SoundBuffer();
  const left = new Float32Array(Block);
  const right = new Float32Array(Block);
  const arrivals: { at: number; count: number }[] = [];
  const out: number[] = [];
  let longest = 0;
  let frame = 0;
  let made = 0;
  let differences = 0;
  for (let time = 0; time < seconds; time += Block / SampleRate) {
    for (; frame / (Rate * speed) <= time; frame += 1) {
      const count = Math.floor(((frame + 1) * SampleRate) / Rate) - Math.floor((frame * SampleRate) / Rate);
      if (!pause(time)) {
        arrivals.push({ at: frame / (Rate * speed) + late(frame), count });
      }
    }
    while (arrivals[0] && arrivals[0].at <= time) {
      const samples = new Int16Array(arrivals.shift()!.count * 2);
      for (let index = 0; index < samples.length; index += 2) {
        samples[index] = samples[index + 1] = 16384 + Math.round(8192 * Math.sin((made * 2 * Math.PI * 440) / SampleRate));
        made += 1;
      }
      buffer.push(samples);
    }
    buffer.pull(left, right);
    differences += left.every((value, index) => value === right[index]) ? 0 : 1;
    out.push(...left);
    longest = Math.max(longest, buffer.length);
  }
  expect(differences).toBe(0);
  const start = out.findIndex((value) => value !== 0);
  let gaps = 0;
  let roughest = 0;
  for (let index = start + 1; index < out.length; index += 1) {
    gaps += out[index] === 0 && out[index - 1] !== 0 ? 1 : 0;
    roughest = Math.max(roughest, Math.abs(out[index]! - out[index - 1]!));
  }
  return { start, gaps, roughest, longest, last: buffer.length };
}

test('an even stream is played without a gap, 50 ms behind', () => {
  const { start, gaps, roughest, longest } = play(20);
  expect(start).toBeLessThan(0.05 * SampleRate);
  expect(gaps).toBe(0);
  expect(longest).toBeLessThan(0.07 * SampleRate);
  expect(roughest).toBeLessThan(0.016); // the steepest step of the tone is 0.0144
});

test.each([0.998, 1.002])('a clock that drifts (%f) makes no gap and no growing delay', (speed) => {
  const { gaps, roughest, longest } = play(120, { speed });
  expect(gaps).toBe(0);
  expect(longest).toBeLessThan(0.08 * SampleRate);
  expect(roughest).toBeLessThan(0.016);
});

test('frames that come late are waited for: the buffer grows until they fit', () => {
  const { gaps, longest } = play(60, { late: (frame) => (frame % 120 === 0 ? 0.12 : 0) });
  expect(gaps).toBeGreaterThan(0);
  expect(gaps).toBeLessThan(4);
  expect(longest).toBeLessThan(0.25 * SampleRate);
});

test('frames that come late again and again make no gap again', () => {
  const { gaps } = play(200, { late: (frame) => (frame % 120 === 0 ? 0.08 : 0) });
  expect(gaps).toBeLessThan(3);
});

test('the buffer is short again when frames come in time', () => {
  const { last } = play(240, { late: (frame) => (frame === 600 ? 0.08 : 0) });
  expect(last).toBeLessThan(0.08 * SampleRate);
});

test('a pause of the game is no jitter', () => {
  const { gaps, last } = play(30, { pause: (second) => second % 10 > 8 });
  expect(gaps).toBe(3);
  expect(last).toBeLessThan(0.07 * SampleRate);
});

test('a game at double speed is heard in parts, without clicks and without delay', () => {
  const { gaps, roughest, longest } = play(20, { speed: 2 });
  expect(gaps).toBe(0);
  expect(longest).toBeLessThan(0.2 * SampleRate);
  expect(roughest).toBeLessThan(0.02);
});
