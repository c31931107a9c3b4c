import { useEffect, useState } from 'preact/hooks';
import type { Picture, Socket } from '../../api/socket';
import { framesText, numberText } from '../../ui/format';
import { usePolling } from '../../ui/hooks';

const Window = 2000;

/** Measures the pictures and the time from a press to its picture. */
export class Meter {
  #pictures: { at: number; frame: number }[] = [];
  #waiting: { at: number; frame: number; before: number } | null = null;
  frame = 0;
  /** Milliseconds and frames from the last press until a picture of a frame that ran with it. */
  press: { ms: number; frames: number } | null = null;

  shown({ frame, epoch: _ }: Picture): void {
    const now = performance.now();
    if (frame < this.frame) {
      this.#pictures = [];
    }
    this.frame = frame;
    this.#pictures.push({ at: now, frame });
    while (this.#pictures[0]!.at < now - Window) {
      this.#pictures.shift();
    }
    if (this.#waiting !== null && frame > this.#waiting.frame) {
      this.press = { ms: now - this.#waiting.at, frames: frame - this.#waiting.before };
      this.#waiting = null;
    }
  }

  pressed(at: number, frame: number): void {
    this.#waiting ??= { at, frame, before: this.frame };
  }

  /** Frames and pictures a second over the last two seconds; null before there were enough pictures to tell. */
  rates(): { game: number; pictures: number } | null {
    const first = this.#pictures[0];
    const last = this.#pictures.at(-1);
    if (first === undefined || last === undefined || performance.now() - last.at > Window) {
      return { game: 0, pictures: 0 };
    }
    if (last.at - first.at < Window / 2) {
      return null;
    }
    const seconds = (last.at - first.at) / 1000;
    return { game: (last.frame - first.frame) / seconds, pictures: (this.#pictures.length - 1) / seconds };
  }
}

export function Measurements({ meter, link }: { meter: Meter; link: Socket | null }) {
  const [, draw] = useState(0);
  const [ping, setPing] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  usePolling(2000, async () => {
    setPing(null);
    if (link !== null) {
      const began = performance.now();
      await link.request('ping');
      setPing(performance.now() - began);
    }
  }, [link]);
  const rates = meter.rates();
  const rows: [string, string][] = [
    ['Frame', numberText(meter.frame)],
    ['Game', rates === null ? '–' : `${rates.game.toFixed(1)} fps`],
    ['Pictures', rates === null ? '–' : `${rates.pictures.toFixed(1)} / s`],
    ['Request', ping === null ? '–' : `${ping.toFixed(1)} ms`],
    ['Press to picture', meter.press === null ? '–' : `${meter.press.ms.toFixed(0)} ms, ${framesText(meter.press.frames)}`],
  ];
  return (
    <section class="card" aria-labelledby="measure-title">
      <h2 id="measure-title">Measurements</h2>
      <dl class="facts">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd data-measure={name}>{value}</dd></div>)}</dl>
    </section>
  );
}
