import { FrameRate } from './frame-rate';
import { concealment } from './sound-concealment';

/** Pairs of samples a second. */
export const SampleRate = 48000;

const Kept = 1 << 17;
const Frame = SampleRate / FrameRate;
const First = 2 * Frame; // the wanted length before anything is measured
const Longest = 12 * Frame;
const Margin = Frame / 2;
const Growth = Frame; // after a gap: the next one may be longer
const Slot = SampleRate; // the dips of each second are kept together
const Slots = 30;
const Surplus = 6 * Frame; // above the wanted length: the game runs faster than its own speed, or this page was asleep
const Pause = SampleRate / 4; // a longer gap is a pause of the game, or a stall that no buffer should cover
const Correction = 0.005; // of the speed; an ear hears more than that
const FullAt = Frame / 3; // above or below the wanted length
const Smoothing = SampleRate; // longer than a dip, which must not lower the mean that it is measured from
const Crossfade = 240;

/**
 * The samples between the network, which delivers them a frame at a time and never evenly, and the loudspeaker, whose clock is its own.
 *
 * The rule: the wanted length is the deepest dip of the last 30 seconds and a margin. A dip is how far the length fell below its mean; samples that were missing
 * in a gap count, and a frame more, so that the buffer grows at once. The speed of playing, at most 0.5 % off, brings the mean to the wanted length: the buffer
 * shrinks slowly, and follows the drift of the clocks.
 */
export class SoundBuffer {
  readonly #left = new Float32Array(Kept);
  readonly #right = new Float32Array(Kept);
  readonly #dips = new Float32Array(Slots); // the deepest of each second
  #written = 0;
  #read = 0;
  #pulled = 0;
  #tail: readonly Float32Array[] = [new Float32Array(0), new Float32Array(0)]; // what would be heard next if nothing new came
  #tailAt = 0;
  #fade = 0;
  #wanted = First;
  #mean = First;
  #isFilling = true;
  #missing = Pause;

  constructor() {
    this.#note(First - Margin);
  }

  /** How many pairs wait. */
  get length(): number {
    return this.#written - this.#read;
  }

  /** Adds samples, left and right in turn. */
  push(samples: Int16Array): void {
    for (let index = 0; index + 1 < samples.length; index += 2) {
      const at = this.#written % Kept;
      this.#left[at] = samples[index]! / 32768;
      this.#right[at] = samples[index + 1]! / 32768;
      this.#written += 1;
    }
    if (this.length > Kept / 2) {
      this.#read = this.#written - this.#wanted;
    }
  }

  /** Fills both channels; where samples are missing the last ones fade away. */
  pull(left: Float32Array, right: Float32Array): void {
    const count = left.length;
    let index = 0;
    this.#forget(count);
    if (this.#plays(count)) {
      this.#skipSurplus();
      this.#mean += (this.length - this.#mean) * Math.min(1, count / Smoothing);
      this.#note(this.#mean - (this.length - count));
      const speed = 1 + Math.max(-1, Math.min(1, (this.#mean - this.#wanted) / FullAt)) * Correction;
      for (; index < count && this.length >= 3; index += 1) {
        const share = this.#fade / Crossfade;
        const [fadingLeft, fadingRight] = share > 0 ? this.#nextOfTail() : [0, 0];
        left[index] = valueAt(this.#left, this.#read) * (1 - share) + fadingLeft * share;
        right[index] = valueAt(this.#right, this.#read) * (1 - share) + fadingRight * share;
        this.#read += speed;
        this.#fade = Math.max(0, this.#fade - 1);
      }
      if (index < count) {
        this.#isFilling = true;
        this.#turnTo(concealment([this.#left, this.#right], Math.floor(this.#read)));
      }
    }
    this.#missing += this.length < 3 ? count - index : 0;
    for (; index < count && this.#tailAt < this.#tail[0]!.length; index += 1) {
      [left[index], right[index]] = this.#nextOfTail();
    }
    left.fill(0, index);
    right.fill(0, index);
  }

  #plays(count: number): boolean {
    if (this.#isFilling && this.length >= 3 && this.#missing > 0) {
      if (this.#missing < Pause) {
        this.#note(Math.max(this.#mean, this.#wanted) + this.#missing + Growth);
      }
      this.#missing = 0;
    }
    if (this.#isFilling && this.length >= Math.max(this.#wanted, count)) {
      this.#isFilling = false;
      this.#fade = Crossfade;
      this.#mean = this.#wanted;
    }
    return !this.#isFilling;
  }

  #skipSurplus(): void {
    if (this.length > this.#wanted + Surplus) {
      this.#turnTo([this.#left, this.#right].map((channel) => Float32Array.from({ length: Crossfade }, (_, index) => valueAt(channel, this.#read + index))));
      this.#fade = Crossfade;
      this.#read = this.#written - this.#wanted - Frame / 2; // half a frame above its mean, as after each frame
      this.#mean = this.#wanted;
    }
  }

  #note(dip: number): void {
    const slot = Math.floor(this.#pulled / Slot) % Slots;
    this.#dips[slot] = Math.max(this.#dips[slot]!, dip);
    this.#wanted = Math.min(Longest, Math.max(...this.#dips) + Margin);
  }

  #forget(count: number): void {
    const slot = Math.floor(this.#pulled / Slot);
    this.#pulled += count;
    if (Math.floor(this.#pulled / Slot) !== slot) {
      this.#dips[(slot + 1) % Slots] = 0;
    }
  }

  #turnTo(tail: readonly Float32Array[]): void {
    this.#tail = tail;
    this.#tailAt = 0;
  }

  #nextOfTail(): [number, number] {
    const at = this.#tailAt;
    this.#tailAt += 1;
    return [this.#tail[0]![at] ?? 0, this.#tail[1]![at] ?? 0];
  }
}

/** Between four samples, by Catmull and Rom. */
function valueAt(channel: Float32Array, position: number): number {
  const at = Math.floor(position);
  const t = position - at;
  const sample = (offset: number) => channel[(at + offset + Kept) % Kept]!;
  const [a, b, c, d] = [sample(-1), sample(0), sample(1), sample(2)];
  return t === 0 ? b : b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
