import { FrameRate } from '../../api/frame-rate';
import type { GameEvent, Picture } from '../../api/socket';
import { SampleRate } from '../../api/sound-buffer';

const MaxBytes = 64 * 1024 * 1024;
const MaxFrames = Math.ceil(30 * FrameRate);

/** The pictures and the sound of the last 30 seconds of the game, as they came: at most 64 MiB. */
export class Moments {
  #pictures: Picture[] = [];
  #sounds: { frame: number; first: number; samples: Int16Array }[] = [];
  #bytes = 0;

  /** Keeps a picture. Those before a frame that is not later are of another game, or of before a restart. */
  show(picture: Picture): void {
    const last = this.#pictures.at(-1);
    if (last !== undefined && (last.epoch !== picture.epoch || last.frame > picture.frame)) {
      this.clear();
    } else if (last?.frame === picture.frame) {
      return;
    }
    this.#pictures.push(picture);
    this.#bytes += picture.png.byteLength;
    while (this.#bytes > MaxBytes || this.#pictures[0]!.frame <= picture.frame - MaxFrames) {
      this.#bytes -= this.#pictures.shift()!.png.byteLength;
    }
    while ((this.#sounds[0]?.frame ?? Infinity) < this.#pictures[0]!.frame) {
      this.#sounds.shift();
    }
  }

  /** Keeps the sound of a frame. */
  hear({ frame, sample: first, samples }: GameEvent): void {
    if (samples !== undefined && first !== undefined && this.#pictures.length > 0) {
      this.#sounds.push({ frame, first, samples: new Int16Array(samples) });
    }
  }

  clear(): void {
    [this.#pictures, this.#sounds, this.#bytes] = [[], [], 0];
  }

  /** The pictures of the last seconds of the game. */
  pictures(seconds: number): Picture[] {
    const end = (this.#pictures.at(-1)?.frame ?? 0) - Math.round(seconds * FrameRate);
    return this.#pictures.filter(({ frame }) => frame > end);
  }

  /** The sound from a frame to another, left and right in turn, silent where there was none; null without any. */
  sound(from: number, to: number): Int16Array | null {
    const heard = this.#sounds.filter(({ frame }) => frame >= from && frame < to);
    if (heard.length === 0) {
      return null;
    }
    const whole = new Int16Array(2 * Math.round(((to - from) * SampleRate) / FrameRate));
    const start = heard[0]!.first - Math.round(((heard[0]!.frame - from) * SampleRate) / FrameRate);
    for (const { first, samples } of heard) {
      const at = 2 * (first - start);
      if (at >= 0 && at < whole.length) {
        whole.set(samples.subarray(0, whole.length - at), at);
      }
    }
    return whole;
  }
}
