import { FrameRate } from '../../api/frame-rate';

/** What an overlay can show and play, in the order in which it is shown. */
export const Parts = ['screen', 'sound', 'keys', 'watch', 'players', 'votes', 'timer', 'frame'] as const;
export type Part = (typeof Parts)[number];
export const Places = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type Place = (typeof Places)[number];

/** A value of an overlay: its label and what is read, a name or `LOCATION/TYPE`. */
export type Entry = { label: string; source: string };

export type Options = { show: Part[]; watch: Entry[]; at: Place; scale: number; size: number; from: number; emulator: string | null };

export const Defaults = { at: 'top-left', scale: 2, size: 100, from: 0 } as const;
export const MaxScale = 8;
export const Sizes = { min: 50, max: 400 };
const MaxEntries = 16;

/** The options of an address, or the sentence about what is wrong with them. */
export function parse(parameters: URLSearchParams): Options | string {
  const show = list(parameters.get('show'));
  const unknown = show.find((part) => !Parts.includes(part as Part));
  if (unknown !== undefined || show.length === 0) {
    return `show names what is seen: ${Parts.join(', ')}${unknown === undefined ? '' : `; ${unknown} is none of them`}.`;
  }
  const at = parameters.get('at') ?? Defaults.at;
  if (!Places.includes(at as Place)) {
    return `at is ${Places.join(', ')}; it is ${at}.`;
  }
  const scale = Number(parameters.get('scale') ?? Defaults.scale);
  if (!Number.isInteger(scale) || scale < 1 || scale > MaxScale) {
    return `scale is an integer from 1 to ${MaxScale}; it is ${parameters.get('scale')}.`;
  }
  const size = Number(parameters.get('size') ?? Defaults.size);
  if (!(size >= Sizes.min && size <= Sizes.max)) {
    return `size is the size of the text, ${Sizes.min} to ${Sizes.max} percent; it is ${parameters.get('size')}.`;
  }
  const watch = list(parameters.get('watch')).map(entry);
  if (watch.length > MaxEntries) {
    return `watch has at most ${MaxEntries} values; these are ${watch.length}.`;
  }
  const from = Number(parameters.get('from') ?? Defaults.from);
  if (!Number.isSafeInteger(from) || from < 0) {
    return `from is the frame at which the timer begins; it is ${parameters.get('from')}.`;
  }
  return { show: Parts.filter((part) => show.includes(part)), watch, at: at as Place, scale, size, from, emulator: parameters.get('emulator') };
}

/** The parameters of an address: only what is not a default. */
export function write(options: Options): Record<string, string> {
  return {
    show: options.show.join(','),
    ...(options.watch.length > 0 ? { watch: options.watch.map(({ label, source }) => (label === source ? source : `${label}=${source}`)).join(',') } : {}),
    ...(options.at === Defaults.at ? {} : { at: options.at }),
    ...(options.scale === Defaults.scale ? {} : { scale: String(options.scale) }),
    ...(options.size === Defaults.size ? {} : { size: String(options.size) }),
    ...(options.from === Defaults.from || !options.show.includes('timer') ? {} : { from: String(options.from) }),
    ...(options.emulator === null ? {} : { emulator: options.emulator }),
  };
}

/** `Label=source`, or a source that is its own label. */
export function entry(text: string): Entry {
  const cut = text.indexOf('=');
  return cut < 0 ? { label: text, source: text } : { label: text.slice(0, cut).trim(), source: text.slice(cut + 1).trim() };
}

function list(text: string | null): string[] {
  return (text ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '');
}

/** Frames as the time that a game at its own speed takes for them. */
export function clock(frames: number): string {
  const seconds = Math.floor(Math.max(0, frames) / FrameRate);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
