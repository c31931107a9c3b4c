import { Store } from '../../ui/store';

/** What some keys of the keyboard write, by `KeyboardEvent.code`. */
type Layout = ReadonlyMap<string, string>;

const ByText: Record<string, string> = { ' ': 'Space', '`': 'Backquote' };
const Unnamed = ['', 'Unidentified', 'Dead', 'Process'];

/** What the keys of this keyboard write, where the browser tells. */
export const layout = new Store<Layout>(new Map());

/** Reads the layout of the keyboard: of browsers, Chromium's tell it, and only to a page with HTTPS or of this machine. */
export async function readLayout(): Promise<void> {
  try {
    layout.value = await (navigator as { keyboard?: { getLayoutMap?: () => Promise<Layout> } }).keyboard?.getLayoutMap?.() ?? layout.value;
  } catch {
    // not in a frame of another page: keys keep the names of a keyboard of the USA
  }
}

/** The key of an event, as `KeyboardEvent.code` names it, with both keys for Enter as one. Soft and remote keyboards send no code: what the key writes names it then. Empty when nothing does. */
export function codeOf({ code, key }: Pick<KeyboardEvent, 'code' | 'key'>): string {
  if (code === 'NumpadEnter') {
    return 'Enter';
  }
  if (!Unnamed.includes(code)) {
    return code;
  }
  if (Unnamed.includes(key)) {
    return '';
  }
  return /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : ByText[key] ?? key;
}

/** Whether it is the key of macOS or Windows. macOS sends no end of a press that ends while it is held. */
export const isMeta = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => key === 'Meta' || key === 'OS';

/** The name of a key for people: on a keyboard with another layout, what it writes there. */
export function codeText(code: string, keys: Layout = layout.value): string {
  const written = keys.get(code);
  if (written !== undefined) {
    const large = written.toUpperCase();
    return large.length === written.length ? large : written; // there is no single large ß
  }
  return code.replace(/^(Key|Digit)/, '').replace('Backquote', '`').replace('ArrowUp', '↑').replace('ArrowDown', '↓').replace('ArrowLeft', '←').replace('ArrowRight', '→');
}
