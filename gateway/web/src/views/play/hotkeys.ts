import { refusalOf } from '../../api/allowed';
import { keptStore } from '../../ui/store';
import { codeOf, isMeta } from './codes';
import { isForPage, keyboardIsOn, keyboardMap } from './devices';
import { Keys } from './keys';

export const Hotkeys = ['fast', 'rewind', 'save', 'load', 'slot', 'pause', 'mute', 'picture', 'clip', 'full'] as const;
export type Hotkey = (typeof Hotkeys)[number];

export const HotkeyNames: Record<Hotkey, string> = {
  fast: 'Fast forward, while held', rewind: 'Rewind, while held', save: 'Save to the slot', load: 'Load the slot', slot: 'Next slot', pause: 'Pause', mute: 'Sound', picture: 'Save the picture',
  clip: 'Clip of the last 30 seconds', full: 'Full screen',
};

export const HotkeyDefaults: Record<Hotkey, string> = {
  fast: 'Tab', rewind: 'Backquote', save: 'F2', load: 'F4', slot: 'KeyN', pause: 'KeyP', mute: 'KeyM', picture: 'F8', clip: 'F9', full: 'KeyF',
};

/** The keys of the page, by `codeOf`; a key that is one of the game's does nothing else. */
export const hotkeyMap = keptStore('hotkeys', HotkeyDefaults);

/** Why the role of this page's token does not allow what a hotkey does; undefined when it does. */
export function hotkeyRefusal(hotkey: Hotkey): string | undefined {
  switch (hotkey) {
    case 'fast': return refusalOf('put', '/v2/speed');
    case 'pause': return refusalOf('put', '/v2/emulators/{id}/run');
    case 'rewind': return refusalOf('post', '/v2/rewind');
    case 'save': return refusalOf('post', '/v2/states');
    case 'load': return refusalOf('post', '/v2/states/{state}/load');
    default: return undefined;
  }
}

/** What a hotkey does when it is pressed, and when it is released. */
export type HotkeyActions = Record<Hotkey, { press: () => void; release?: () => void }> & { help: () => void };

const TapMs = 200;

/** Follows the hotkeys until the returned function is called. Tab is one only while the game has the focus; tapped, it leaves the game as elsewhere. */
export function useHotkeys(actions: () => HotkeyActions, leave: () => void): () => void {
  const held = new Map<Hotkey, number>();
  const hotkeyOf = (code: string) => Keys.some((key) => keyboardMap.value[key] === code) ? undefined : Hotkeys.find((one) => hotkeyMap.value[one] === code);
  const down = (event: KeyboardEvent) => {
    if (isMeta(event)) {
      releaseAll();
    }
    if (!keyboardIsOn.value || event.ctrlKey || event.altKey || event.metaKey || isForPage(event)) {
      return;
    }
    if (event.key === '?') {
      actions().help();
      return;
    }
    const code = codeOf(event);
    const hotkey = hotkeyOf(code);
    const isOnTheWay = code === 'Tab' && (event.shiftKey || document.activeElement?.matches('body, main, .stage') === false);
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
    const code = codeOf(event);
    const hotkey = [...held.keys()].find((one) => hotkeyMap.value[one] === code);
    if (isMeta(event)) {
      releaseAll();
    } else if (hotkey !== undefined) {
      const isTap = event.timeStamp - held.get(hotkey)! < TapMs;
      release(hotkey);
      if (code === 'Tab' && isTap) {
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
