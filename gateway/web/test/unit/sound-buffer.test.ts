import { expect, test } from 'vitest';
import { SampleRate, SoundBuffer } from '../../src/api/sound-buffer';

const Rate = 59.7275;
const Block = 128;
const Frame = SampleRate / Rate;

type Play = { speed?: number; late?: (frame: number) => number; pause?: (second: number) => boolean; block?: number; sleeps?: (second: number) => boolean };

/**
 * Plays `seconds` of a tone that the game makes `speed` times as fast as the loudspeaker takes it, in blocks; `late` is how late the network brings a frame, in
 * seconds. While the game makes a `pause` there are no frames; while the loudspeaker `sleeps` nothing is taken. The clock is the count of samples.
 */
function play(seconds: number, { speed = 1, late = () => 0, pause = () => false, sleeps = () => false, block = Block }: Play = {}) {
  const buffer = new SoundBuffer();
  const left = new Float32Array(block);
  const right = new Float32Array(block);
  const arrivals: { at: number; count: number }[] = [];
  const out: number[] = [];
  const lengths: number[] = [];
  let frame = 0;
  let made = 0;
  let differences = 0;
  let gaps = 0; // the samples of a frame came too late
  let isDry = true;
  for (let time = 0; time < seconds; time += block / SampleRate) {
    for (; frame / (Rate * speed) <= time; frame += 1) {
      const count = Math.floor(((frame + 1) * SampleRate) / Rate) - Math.floor((frame * SampleRate) / Rate);
      if (!pause(time)) {
        arrivals.push({ at: Math.max(arrivals.at(-1)?.at ?? 0, frame / (Rate * speed) + late(frame)), count }); // they come in order
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
    if (!sleeps(time)) {
      buffer.pull(left, right);
      differences += left.every((value, index) => value === right[index]) ? 0 : 1;
      out.push(...left);
      gaps += buffer.length < 3 && !isDry ? 1 : 0;
      isDry = buffer.length < 3;
    }
    lengths.push(buffer.length);
  }
  expect(differences).toBe(0);
  const start = out.findIndex((value) => value !== 0);
  let silences = 0;
  let roughest = 0;
  for (let index = start + 1; index < out.length; index += 1) {
    silences += out[index] === 0 && out[index - 1] !== 0 ? 1 : 0;
    roughest = Math.max(roughest, Math.abs(out[index]! - out[index - 1]!));
  }
  /** The longest between two seconds, in milliseconds. */
  const longest = (from = 0, to = seconds) => (1000 * Math.max(...lengths.slice((from * SampleRate) / block, (to * SampleRate) / block))) / SampleRate;
  return { start, gaps, silences, roughest, longest, out };
}

test('an even stream is played without a gap, 35 ms behind at first, and one frame when that is known to be enough', () => {
  const { start, gaps, roughest, longest } = play(60);
  expect(start).toBeLessThan(0.035 * SampleRate);
  expect(gaps).toBe(0);
  expect(longest(0, 20)).toBeLessThan(55);
  expect(longest(50)).toBeLessThan(30);
  expect(roughest).toBeLessThan(0.016); // the steepest step of the tone is 0.0144
});

test.each([1024, 512])('blocks of %d samples are played without a gap', (block) => {
  const { gaps, longest } = play(90, { block });
  expect(gaps).toBe(0);
  expect(longest(60)).toBeLessThan(50);
});

test.each([2, 3])('a network that brings %d frames at once makes at most one gap, and is not waited for longer than that takes', (together) => {
  const { gaps, longest } = play(90, { late: (frame) => (together - 1 - (frame % together)) / Rate });
  expect(gaps).toBeLessThanOrEqual(1);
  expect(longest(60)).toBeLessThan(((together + 1) * 1000) / Rate);
});

test.each([0.995, 0.998, 1.002, 1.005])('a clock that drifts (%f) makes no gap and no growing delay', (speed) => {
  const { gaps, roughest, longest } = play(240, { speed });
  expect(gaps).toBe(0);
  expect(longest(200)).toBeLessThan(70);
  expect(roughest).toBeLessThan(0.016);
});

test('frames that come late are waited for after the first gap', () => {
  const { gaps, longest } = play(60, { late: (frame) => (frame % 120 === 119 ? 0.12 : 0) });
  expect(gaps).toBe(1);
  expect(longest()).toBeLessThan(200);
});

test('frames that come late again and again make no gap again', () => {
  const { gaps } = play(200, { late: (frame) => (frame % 1200 === 119 ? 0.08 : 0) }); // every 20 seconds
  expect(gaps).toBe(1);
});

test('a gap is concealed, without clicks', () => {
  const { gaps, silences, roughest } = play(30, { late: (frame) => (frame === 600 ? 0.1 : 0) });
  expect(gaps).toBe(1);
  expect(silences).toBe(0);
  expect(roughest).toBeLessThan(0.016);
});

test('a game that stops is silent 150 ms later', () => {
  const { out, silences, roughest } = play(12, { pause: (second) => second > 10 });
  expect(silences).toBe(1);
  expect(roughest).toBeLessThan(0.016);
  expect(out[10.05 * SampleRate]).not.toBe(0);
  expect(out.slice(10.2 * SampleRate).every((value) => value === 0)).toBe(true);
});

test('the buffer is short again when frames come in time', () => {
  const { gaps, longest } = play(90, { late: (frame) => (frame === 600 ? 0.08 : 0) });
  expect(gaps).toBe(1);
  expect(longest(12, 40)).toBeGreaterThan(80);
  expect(longest(70)).toBeLessThan(35);
});

test.each(['the network', 'this page'])('a stall of 500 ms of %s is one gap, and no delay afterwards', (who) => {
  const { gaps, longest } = play(30, who === 'this page' ? { sleeps: (second) => second > 10 && second < 10.5 } : { late: (frame) => (frame / Rate > 10 ? Math.max(0, 10.5 - frame / Rate) : 0) });
  expect(gaps).toBe(who === 'this page' ? 0 : 1);
  expect(longest(11)).toBeLessThan(55);
});

test('a tab that was in the background for a minute plays what is new', () => {
  const { gaps, roughest, longest } = play(90, { sleeps: (second) => second > 10 && second < 70 });
  expect(gaps).toBe(0);
  expect(longest(70.1)).toBeLessThan(55);
  expect(roughest).toBeLessThan(0.6);
});

test('a pause of the game is no jitter', () => {
  const { gaps, longest } = play(30, { pause: (second) => second % 10 > 8 });
  expect(gaps).toBe(3);
  expect(longest()).toBeLessThan(70);
});

test('a game at double speed is heard in parts, without clicks and without delay', () => {
  const { gaps, roughest, longest } = play(20, { speed: 2 });
  expect(gaps).toBe(0);
  expect(longest()).toBeLessThan(200);
  expect(roughest).toBeLessThan(0.02);
});

test('a game at half speed is played in turns of sound and silence, with at most 12 frames kept', () => {
  expect(play(30, { speed: 0.5 }).longest()).toBeLessThan((1000 * 14 * Frame) / SampleRate);
});
