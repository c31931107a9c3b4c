import { keptStore } from '../../ui/store';
import { codeOf, isMeta } from './codes';
import { Keys, type HeldKeys, type Key } from './keys';

/** Those of mGBA's window. */
export const KeyboardDefaults: Record<Key, string> = {
  A: 'KeyX', B: 'KeyZ', L: 'KeyA', R: 'KeyS', Start: 'Enter', Select: 'Backspace', Up: 'ArrowUp', Down: 'ArrowDown', Left: 'ArrowLeft', Right: 'ArrowRight',
};

/** The keys of the keyboard, by `codeOf`. */
export const keyboardMap = keptStore('keyboard', KeyboardDefaults);

/** Whether keys of the keyboard are keys of the game. */
export const keyboardIsOn = keptStore('keyboard-on', true);

const ButtonKeys = ['Enter', 'Space'];

/** Presses keys with the keyboard until the returned function is called. */
export function useKeyboard(held: HeldKeys): () => void {
  const keyOf = (event: KeyboardEvent): Key | undefined => Keys.find((key) => keyboardMap.value[key] === codeOf(event));
  const down = (event: KeyboardEvent) => {
    if (isMeta(event)) {
      held.releaseAll('keyboard');
    }
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
    if (isMeta(event)) {
      held.releaseAll('keyboard');
    } else if (key !== undefined) {
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
  const isOperated = target.matches('button, a, summary') ? ButtonKeys.includes(codeOf(event)) : target.matches('select') && isOpen(target);
  return isOperated || target.closest('input, textarea, dialog') !== null;
}

// browsers that do not know it keep the keys of an open list for themselves, or give them to the game
function isOpen(list: Element): boolean {
  return CSS.supports('selector(:open)') && list.matches(':open');
}
