import { expect, test } from 'vitest';
import { concealment } from '../../src/api/sound-concealment';

const Rate = 48000;
const Kept = 4096;

function ring(end: number, sample: (at: number) => number): Float32Array {
  const samples = new Float32Array(Kept);
  for (let at = end - Kept; at < end; at += 1) {
    samples[(at + Kept) % Kept] = sample(at);
  }
  return samples;
}

test.each([50, 60, 440, 1234, 6000])('a tone of %d Hz continues, ever quieter', (hertz) => {
  const end = 5000;
  const tone = (at: number) => Math.sin((at * 2 * Math.PI * hertz) / Rate);
  const [left, right] = concealment([ring(end, tone), ring(end, (at) => tone(at) / 2)], end);
  expect(left!.length).toBe(0.15 * Rate);
  expect(Math.abs(left!.at(-1)!)).toBeLessThan(0.001);
  const step = (2 * Math.PI * hertz) / Rate;
  let before = tone(end - 1);
  for (let index = 0; index < left!.length; index += 1) {
    expect(right![index]).toBeCloseTo(left![index]! / 2, 5);
    expect(Math.abs(left![index]! - before)).toBeLessThan(step + 0.02); // no click
    before = left![index]!;
  }
  for (let index = 0; index < 960; index += 1) {
    expect(Math.abs(left![index]! - tone(end + index) * (1 - index / left!.length))).toBeLessThan(0.05); // the period is an integer number of samples
  }
});

test('noise is not louder than it was', () => {
  let seed = 1;
  const noise = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647 - 0.5;
  };
  const samples = ring(9000, noise);
  const [left] = concealment([samples, samples], 9000);
  expect(Math.max(...left!.map(Math.abs))).toBeLessThanOrEqual(0.5);
  expect(left!.slice(0, 960).reduce((sum, value) => sum + value ** 2, 0)).toBeGreaterThan(30); // as loud at first: the power of 960 such samples is 80
});

test('silence stays silent', () => {
  const samples = new Float32Array(Kept);
  expect(concealment([samples, samples], 20)[0]!.every((value) => value === 0)).toBe(true);
});
