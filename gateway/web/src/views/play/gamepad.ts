import { keptStore } from '../../ui/store';
import { type Pad, withHat } from './hat';
import { Hotkeys, type Hotkey, type HotkeyActions } from './hotkeys';
import { Keys, type HeldKeys, type Key } from './keys';

/** A button of gamepads by its index, or none. */
export type Button = number | null;

/** The buttons of the standard mapping. */
export const GamepadDefaults: Record<Key | Hotkey, Button> = {
  A: 1, B: 0, L: 4, R: 5, Select: 8, Start: 9, Up: 12, Down: 13, Left: 14, Right: 15,
  fast: 7, rewind: 6, save: null, load: null, slot: null, pause: null, mute: null, picture: null, clip: null, full: null,
};

/** Which button of gamepads is which key of the game, and which hotkey. */
export const gamepadMap = keptStore('gamepad', GamepadDefaults);

const Names = ['Bottom', 'Right', 'Left', 'Top', 'L1', 'R1', 'L2', 'R2', 'Back', 'Start', 'L3', 'R3', 'Pad ↑', 'Pad ↓', 'Pad ←', 'Pad →', 'Home'];
const DeadZone = 0.5;

/** The name of a button for people. */
export function buttonText(button: Button): string {
  return button === null ? '–' : Names[button] ?? `Button ${button + 1}`;
}

const pads = (): Pad[] => (navigator.getGamepads?.() ?? []).filter((pad) => pad !== null).map(withHat);
const isDown = (pad: Pick<Pad, 'buttons'>, button: Button): boolean => button !== null && (pad.buttons[button]?.pressed ?? false);

/** Calls with the next button that is pressed, until the returned function is called. */
export function onNextButton(take: (button: number) => void): () => void {
  let frame = 0;
  let before: Set<string> | null = null;
  const look = () => {
    const pressed = pads().flatMap(({ index, buttons }) => buttons.flatMap((button, number) => (button.pressed ? [{ name: `${index} ${number}`, number }] : [])));
    const next = pressed.find(({ name }) => before !== null && !before.has(name));
    before = new Set(pressed.map(({ name }) => name));
    if (next !== undefined) {
      take(next.number);
    }
    frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}

/** Presses keys with gamepads until the returned function is called; a dialog has their buttons while it is open. `look` gets each, and none when it is gone. */
export function useGamepads(held: HeldKeys, look: (pad: Pick<Pad, 'index' | 'buttons'>) => void): () => void {
  let frame = 0;
  const follow = (pad: Pad) => {
    held.hold(`gamepad-${pad.index}`, keysOf(pad));
    look(pad);
  };
  const none = (index: number): Pad => ({ index, buttons: [], axes: [] });
  const lookAtAll = () => {
    const isForDialog = document.querySelector('dialog[open]') !== null;
    for (const pad of pads()) {
      follow(isForDialog ? none(pad.index) : pad);
    }
    frame = requestAnimationFrame(lookAtAll);
  };
  const start = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(lookAtAll);
  };
  const gone = ({ gamepad }: GamepadEvent) => follow(none(gamepad.index));
  if (pads().length > 0) {
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

/** The game's keys of a gamepad: its buttons, and the left stick. */
export function keysOf(pad: Pick<Pad, 'buttons' | 'axes'>): Key[] {
  const keys = new Set<Key>(Keys.filter((key) => isDown(pad, gamepadMap.value[key])));
  const [x = 0, y = 0] = pad.axes;
  if (Math.abs(x) > DeadZone) {
    keys.add(x > 0 ? 'Right' : 'Left');
  }
  if (Math.abs(y) > DeadZone) {
    keys.add(y > 0 ? 'Down' : 'Up');
  }
  return Keys.filter((key) => keys.has(key));
}

/** The hotkeys of gamepads, while they are held. */
export class GamepadHotkeys {
  readonly #held = new Set<string>();

  /** Follows the buttons of a gamepad. */
  look(pad: Pick<Pad, 'index' | 'buttons'>, actions: HotkeyActions): void {
    for (const hotkey of Hotkeys) {
      const name = `${pad.index} ${hotkey}`;
      const isHeld = isDown(pad, gamepadMap.value[hotkey]);
      if (isHeld && !this.#held.has(name)) {
        this.#held.add(name);
        actions[hotkey].press();
      } else if (!isHeld && this.#held.delete(name)) {
        actions[hotkey].release?.();
      }
    }
  }
}
