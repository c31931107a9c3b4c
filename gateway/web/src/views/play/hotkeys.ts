import { keptStore } from '../../ui/store';
import { isForPage, keyboardIsOn, keyboardMap } from './devices';
import { Keys } from './keys';

export const Hotkeys = ['fast', 'rewind', 'save', 'load', 'slot', 'pause', 'mute', 'picture', 'full'] as const;
export type Hotkey = (typeof Hotkeys)[number];

export const HotkeyNames: Record<Hotkey, string> = {
  fast: 'Fast forward, while held', rewind: 'Rewind, while held', save: 'Save to the slot', load: 'Load the slot', slot: 'Next slot', pause: 'Pause', mute: 'Sound', picture: 'Save the picture',
  full: 'Full screen',
};

/** The keys of the page, by `KeyboardEvent.code`; a key that is one of the game's does nothing else. */
export const hotkeyMap = keptStore<Record<Hotkey, string>>('hotkeys', {
  fast: 'Tab', rewind: 'Backquote', save: 'F2', load: 'F4', slot: 'KeyN', pause: 'KeyP', mute: 'KeyM', picture: 'F8', full: 'KeyF',
});

/** What a hotkey does when it is pressed, and when it is released. */
export type HotkeyActions = Record<Hotkey, { press: () => void; release?: () => void }> & { help: () => void };

const TapMs = 200;

// buttons of the standard mapping of gamepads
const Triggers: [number, Hotkey][] = [[6, 'rewind'], [7, 'fast']];

/** What the triggers of gamepads do while they are held. */
export class TriggerHotkeys {
  readonly #held = new Set<string>();

  /** Follows the buttons of a gamepad. */
  look(pad: { index: number; buttons: readonly { pressed: boolean }[] }, actions: HotkeyActions): void {
    for (const [button, hotkey] of Triggers) {
      const name = `${pad.index} ${hotkey}`;
      const isDown = pad.buttons[button]?.pressed ?? false;
      if (isDown && !this.#held.has(name)) {
        this.#held.add(name);
        actions[hotkey].press();
      } else if (!isDown && this.#held.delete(name)) {
        actions[hotkey].release?.();
      }
    }
  }
}

/** Follows the hotkeys until the returned function is called. Tab is one only while the game has the focus; tapped, it leaves the game as elsewhere. */
export function useHotkeys(actions: () => HotkeyActions, leave: () => void): () => void {
  const held = new Map<Hotkey, number>();
  const hotkeyOf = (event: KeyboardEvent) => Keys.some((key) => keyboardMap.value[key] === event.code) ? undefined : Hotkeys.find((one) => hotkeyMap.value[one] === event.code);
  const down = (event: KeyboardEvent) => {
    if (!keyboardIsOn.value || event.ctrlKey || event.altKey || event.metaKey || isForPage(event)) {
      return;
    }
    if (event.key === '?') {
      actions().help();
      return;
    }
    const hotkey = hotkeyOf(event);
    const isOnTheWay = event.code === 'Tab' && (event.shiftKey || document.activeElement?.matches('body, main, .stage') === false);
    if (hotkey === undefined || isOnTheWay) {
      return;
    }
    event.preventDefault();
    if (!held.has(hotkey)) {
      held.set(hotkey, event.timeStamp);
      actions()[hotkey].press();
    }
  };
  const release = (hotkey: Hotkey) => {
    held.delete(hotkey);
    actions()[hotkey].release?.();
  };
  const up = (event: KeyboardEvent) => {
    const hotkey = [...held.keys()].find((one) => hotkeyMap.value[one] === event.code);
    if (hotkey !== undefined) {
      const isTap = event.timeStamp - held.get(hotkey)! < TapMs;
      release(hotkey);
      if (event.code === 'Tab' && isTap) {
        leave();
      }
    }
  };
  const releaseAll = () => [...held.keys()].forEach(release);
  addEventListener('keydown', down);
  addEventListener('keyup', up);
  addEventListener('blur', releaseAll);
  return () => {
    removeEventListener('keydown', down);
    removeEventListener('keyup', up);
    removeEventListener('blur', releaseAll);
    releaseAll();
  };
}
