import { keptStore } from '../../ui/store';
import { Keys, type HeldKeys, type Key } from './keys';

/** The keys of the keyboard, by `KeyboardEvent.code`; the defaults are those of mGBA's window. */
export const keyboardMap = keptStore<Record<Key, string>>('keyboard', {
  A: 'KeyX', B: 'KeyZ', L: 'KeyA', R: 'KeyS', Start: 'Enter', Select: 'Backspace', Up: 'ArrowUp', Down: 'ArrowDown', Left: 'ArrowLeft', Right: 'ArrowRight',
});

/** Whether keys of the keyboard are keys of the game. */
export const keyboardIsOn = keptStore('keyboard-on', true);

const Standard: [number, Key][] = [[0, 'B'], [1, 'A'], [4, 'L'], [5, 'R'], [8, 'Select'], [9, 'Start'], [12, 'Up'], [13, 'Down'], [14, 'Left'], [15, 'Right']];
const DeadZone = 0.5;

/** The name of a key of the keyboard for people. */
export function codeText(code: string): string {
  return code.replace(/^(Key|Digit)/, '').replace('ArrowUp', '↑').replace('ArrowDown', '↓').replace('ArrowLeft', '←').replace('ArrowRight', '→');
}

/** Presses keys with the keyboard until the returned function is called. */
export function useKeyboard(held: HeldKeys): () => void {
  const keyOf = (event: KeyboardEvent): Key | undefined => Keys.find((key) => keyboardMap.value[key] === event.code);
  const down = (event: KeyboardEvent) => {
    const key = keyOf(event);
    if (key === undefined || !keyboardIsOn.value || event.ctrlKey || event.altKey || event.metaKey || isForPage(event)) {
      return;
    }
    event.preventDefault();
    if (!event.repeat) {
      held.press('keyboard', key);
    }
  };
  const up = (event: KeyboardEvent) => {
    const key = keyOf(event);
    if (key !== undefined) {
      held.release('keyboard', key);
    }
  };
  const leave = () => held.releaseAll();
  addEventListener('keydown', down);
  addEventListener('keyup', up);
  addEventListener('blur', leave);
  document.addEventListener('visibilitychange', leave);
  return () => {
    removeEventListener('keydown', down);
    removeEventListener('keyup', up);
    removeEventListener('blur', leave);
    document.removeEventListener('visibilitychange', leave);
    held.releaseAll();
  };
}

/** Presses keys with gamepads until the returned function is called. */
export function useGamepads(held: HeldKeys): () => void {
  let frame = 0;
  const look = () => {
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (pad !== null) {
        held.hold(`gamepad-${pad.index}`, keysOf(pad));
      }
    }
    frame = requestAnimationFrame(look);
  };
  const start = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(look);
  };
  const gone = (event: GamepadEvent) => held.hold(`gamepad-${event.gamepad.index}`, []);
  if ((navigator.getGamepads?.() ?? []).some((pad) => pad !== null)) {
    start();
  }
  addEventListener('gamepadconnected', start);
  addEventListener('gamepaddisconnected', gone);
  return () => {
    cancelAnimationFrame(frame);
    removeEventListener('gamepadconnected', start);
    removeEventListener('gamepaddisconnected', gone);
  };
}

/** The game's keys of a gamepad with the standard mapping: buttons and the left stick. */
export function keysOf(pad: Pick<Gamepad, 'buttons' | 'axes'>): Key[] {
  const keys = new Set<Key>(Standard.filter(([index]) => pad.buttons[index]?.pressed).map(([, key]) => key));
  const [x = 0, y = 0] = pad.axes;
  if (Math.abs(x) > DeadZone) {
    keys.add(x > 0 ? 'Right' : 'Left');
  }
  if (Math.abs(y) > DeadZone) {
    keys.add(y > 0 ? 'Down' : 'Up');
  }
  return Keys.filter((key) => keys.has(key));
}

// what a person types into a field, or activates, is not for the game
function isForPage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (target === null || target.closest === undefined) {
    return false;
  }
  if (target.closest('input, textarea, select, dialog, [contenteditable], [role="grid"]') !== null) {
    return true;
  }
  return ['Enter', 'Space'].includes(event.code) && target.closest('button, a, summary') !== null;
}
