/** Pairs of samples a second. */
export const SampleRate = 48000;

const Kept = 1 << 17;
const Frame = SampleRate / 59.7275;
const Shortest = 2.5 * Frame;
const Longest = 12 * Frame;
const Growth = Frame / 2;
const Surplus = 6 * Frame; // above the wanted length: the game runs faster than its own speed, or this page was asleep
const Calm = 30 * SampleRate; // after so long without a gap the buffer becomes shorter again
const Spare = 1.5 * Frame; // if it was never shorter than this meanwhile
const Jitter = SampleRate / 4; // a longer gap is a pause of the game
const Correction = 0.005; // of the speed; an ear hears more than that
const Smoothing = 1 / 64;
const Crossfade = 240;

/**
 * The samples between the network, which delivers them a frame at a time and never evenly, and the loudspeaker, whose clock is its own. The speed of playing
 * follows the length of the buffer, and the wanted length how late frames come.
 */
export class SoundBuffer {
  readonly #left = new Float32Array(Kept);
  readonly #right = new Float32Array(Kept);
  #written = 0;
  #read = 0;
  #fadeFrom = 0;
  #fade = 0;
  #wanted = Shortest;
  #smoothed = Shortest;
  #isFilling = true;
  #silent = Jitter;
  #calm = 0;
  #lowest = Infinity; // while it is calm

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

  /** Fills both channels; with silence where there is nothing to play. */
  pull(left: Float32Array, right: Float32Array): void {
    let index = 0;
    if (this.#startsNow(left.length)) {
      this.#skipSurplus();
      this.#smoothed += (this.length - this.#smoothed) * Smoothing;
      const deviation = (this.#smoothed - this.#wanted) / this.#wanted;
      const speed = 1 + Math.max(-1, Math.min(1, deviation)) * Correction;
      for (; index < left.length && this.length >= 3; index += 1) {
        left[index] = this.#faded(this.#left);
        right[index] = this.#faded(this.#right);
        this.#read += speed;
        this.#fadeFrom += speed;
        this.#fade = Math.max(0, this.#fade - 1);
      }
      this.#isFilling = index < left.length;
    }
    left.fill(0, index);
    right.fill(0, index);
    this.#silent += left.length - index;
    this.#relax(index);
  }

  #startsNow(count: number): boolean {
    const isFull = () => this.length >= Math.max(this.#wanted, count);
    if (this.#isFilling && isFull() && this.#silent < Jitter) {
      this.#wanted = Math.min(Longest, Math.max(this.#wanted + Growth, this.length + this.#silent));
      this.#silent = Jitter;
    }
    if (this.#isFilling && isFull()) {
      this.#isFilling = false;
      this.#silent = 0;
      this.#calm = 0;
      this.#lowest = Infinity;
      this.#smoothed = this.length;
    }
    return !this.#isFilling;
  }

  #skipSurplus(): void {
    if (this.length > this.#wanted + Surplus) {
      this.#fadeFrom = this.#read;
      this.#fade = Crossfade;
      this.#read = this.#written - this.#wanted;
      this.#smoothed = this.#wanted;
    }
  }

  #relax(played: number): void {
    this.#calm += played;
    this.#lowest = Math.min(this.#lowest, this.length);
    if (this.#calm > Calm) {
      this.#wanted = this.#lowest > Spare ? Math.max(Shortest, this.#wanted - Growth) : this.#wanted;
      this.#calm = 0;
      this.#lowest = Infinity;
    }
  }

  #faded(channel: Float32Array): number {
    const value = valueAt(channel, this.#read);
    const share = this.#fade / Crossfade;
    return share === 0 ? value : value * (1 - share) + valueAt(channel, this.#fadeFrom) * share;
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
