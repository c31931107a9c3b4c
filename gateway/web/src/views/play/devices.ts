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
const ButtonKeys = ['Enter', 'Space'];

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

/** Presses keys with gamepads until the returned function is called. `look` gets the buttons of each, and none when it is gone. */
export function useGamepads(held: HeldKeys, look: (pad: Pick<Gamepad, 'index' | 'buttons'>) => void): () => void {
  let frame = 0;
  const lookAtAll = () => {
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (pad !== null) {
        held.hold(`gamepad-${pad.index}`, keysOf(pad));
        look(pad);
      }
    }
    frame = requestAnimationFrame(lookAtAll);
  };
  const start = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(lookAtAll);
  };
  const gone = ({ gamepad }: GamepadEvent) => {
    held.hold(`gamepad-${gamepad.index}`, []);
    look({ index: gamepad.index, buttons: [] });
  };
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

/** Gives the keyboard back to the game after a list, a dialog or, with a pointer, a button was used, until the returned function is called. */
export function useFocus(game: HTMLElement): () => void {
  const used = (event: Event) => {
    const isByKeyboard = event instanceof MouseEvent && event.detail === 0;
    const isInUse = document.activeElement?.closest(event.type === 'click' ? 'dialog, input, select' : 'dialog, input') != null;
    if (!isByKeyboard && !isInUse) {
      game.focus({ preventScroll: true });
    }
  };
  const events = ['click', 'change', 'close'];
  events.forEach((name) => { addEventListener(name, used, name === 'close'); }); // this one does not bubble
  return () => events.forEach((name) => { removeEventListener(name, used, name === 'close'); });
}

// what a person types into a field, chooses in an open list, or activates with the keyboard is not for the game
export function isForPage(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : document.body;
  const isOperated = target.matches('button, a, summary') ? ButtonKeys.includes(event.code) : target.matches('select') && isOpen(target);
  return isOperated || target.closest('input, textarea, dialog') !== null;
}

// browsers that do not know it keep the keys of an open list for themselves, or give them to the game
function isOpen(list: Element): boolean {
  return CSS.supports('selector(:open)') && list.matches(':open');
}
