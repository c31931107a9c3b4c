export type Command = 'run' | 'into' | 'over' | 'out' | 'to' | 'back' | 'back-to-point' | 'point';

type Shortcut = { key: string; shift?: boolean; letter: string; text: string };

/** The function keys that Chromium's tools use, F9 and F4; letters as in GDB, for keyboards and systems that keep function keys for themselves. */
export const Shortcuts: Record<Command, Shortcut> = {
  run: { key: 'F8', letter: 'c', text: 'F8' },
  over: { key: 'F10', letter: 'n', text: 'F10' },
  into: { key: 'F11', letter: 's', text: 'F11' },
  out: { key: 'F11', shift: true, letter: 'f', text: 'Shift+F11' },
  to: { key: 'F4', letter: 'u', text: 'F4' },
  back: { key: 'F10', shift: true, letter: 'p', text: 'Shift+F10' },
  'back-to-point': { key: 'F8', shift: true, letter: 'r', text: 'Shift+F8' },
  point: { key: 'F9', letter: 'b', text: 'F9' },
};

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

/** The command of a key, or null; letters are none while a text is written. */
export function commandOf({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed, isWriting: boolean): Command | null {
  if (ctrlKey || altKey || metaKey) {
    return null;
  }
  const found = (Object.keys(Shortcuts) as Command[]).find((command) => {
    const { key: wanted, shift = false, letter } = Shortcuts[command];
    return (key === wanted && shiftKey === shift) || (!isWriting && !shiftKey && key === letter);
  });
  return found ?? null;
}
