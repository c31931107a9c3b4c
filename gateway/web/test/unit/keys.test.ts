import { expect, test } from 'vitest';
import { explain, type Situation } from '../../src/api/explain';
import { codeOf, codeText } from '../../src/views/play/codes';
import { withHat } from '../../src/views/play/hat';
import { GamepadDefaults, GamepadHotkeys, gamepadMap, keysOf } from '../../src/views/play/gamepad';
import { type HotkeyActions, Hotkeys } from '../../src/views/play/hotkeys';
import { HeldKeys, type Key } from '../../src/views/play/keys';

const settle = () => new Promise((resolve) => setTimeout(resolve));

function slow() {
  const sent: Key[][] = [];
  const waiting: (() => void)[] = [];
  const held = new HeldKeys((keys) => {
    sent.push(keys);
    return new Promise((resolve) => waiting.push(resolve));
  });
  return { held, sent, answer: async () => { waiting.shift()?.(); await settle(); } };
}

test('a press that was released before it could be sent is sent all the same, in order', async () => {
  const { held, sent, answer } = slow();
  held.press('keyboard', 'A');
  held.press('keyboard', 'B');
  held.release('keyboard', 'B');
  held.release('keyboard', 'A');
  for (let count = 0; count < 4; count += 1) {
    await answer();
  }
  expect(sent).toEqual([['A'], ['A', 'B'], ['A'], []]);
});

test('one device does not release what another one holds', () => {
  const { held } = slow();
  held.press('keyboard', 'A');
  held.hold('gamepad-0', ['A', 'Up']);
  held.hold('gamepad-0', []);
  expect(held.now).toEqual(['A']);
});

test('a step has the keys that were pressed since the last one', () => {
  const { held } = slow();
  held.press('keyboard', 'A');
  held.release('keyboard', 'A');
  expect(held.forStep()).toEqual(['A']);
  expect(held.forStep()).toEqual([]);
});

test('after a reconnect held keys are sent again', async () => {
  const { held, sent, answer } = slow();
  held.press('keyboard', 'A');
  await answer();
  held.forget();
  await settle();
  expect(sent).toEqual([['A'], ['A']]);
});

test('a gamepad with the standard mapping', () => {
  const buttons = Array.from({ length: 17 }, (_, index) => ({ pressed: [1, 9].includes(index), touched: false, value: 0 }));
  expect(keysOf({ buttons, axes: [-0.9, 0.2] })).toEqual(['A', 'Start', 'Left']);
});

test('another button for a key', () => {
  gamepadMap.value = { ...GamepadDefaults, A: 20, B: null };
  const buttons = Array.from({ length: 21 }, (_, index) => ({ pressed: [0, 20].includes(index), touched: false, value: 0 }));
  expect(keysOf({ buttons, axes: [] })).toEqual(['A']);
  gamepadMap.value = GamepadDefaults;
});

test('what is wrong is one sentence', () => {
  const fine: Situation = { isAway: false, isLate: false, status: { state: 'ready' } as Situation['status'], socket: 'open', leaseHolder: null, holder: 'web-1', isOutdated: false };
  expect(explain(fine)).toBeNull();
  expect(explain({ ...fine, isAway: true })?.level).toBe('bad');
  expect(explain({ ...fine, socket: 'waiting' })?.text).toContain('reconnects');
  expect(explain({ ...fine, status: { state: 'leased' } as Situation['status'], leaseHolder: 'bot-1' })?.text).toContain('bot-1 has control');
  expect(explain({ ...fine, status: { state: 'leased' } as Situation['status'], leaseHolder: 'web-1' })).toBeNull();
});

test('the triggers of a gamepad rewind and hurry while they are held', () => {
  const seen: string[] = [];
  const action = (name: string) => ({ press: () => { seen.push(name); }, release: () => { seen.push(`${name} ends`); } });
  const actions = Object.fromEntries(Hotkeys.map((name) => [name, action(name)])) as unknown as HotkeyActions;
  const buttons = (...down: number[]) => Array.from({ length: 16 }, (_, index) => ({ pressed: down.includes(index), touched: false, value: 0 }));
  const triggers = new GamepadHotkeys();
  for (const down of [[], [6], [6], [6, 7], [7]]) {
    triggers.look({ index: 0, buttons: buttons(...down) }, actions);
  }
  triggers.look({ index: 1, buttons: buttons(6) }, actions);
  triggers.look({ index: 0, buttons: [] }, actions); // it is gone
  expect(seen).toEqual(['rewind', 'fast', 'rewind ends', 'rewind', 'fast ends']);
});

const pad = (index: number, axes: number[], down: number[] = [], mapping = '') =>
  ({ id: 'a pad', index, axes, mapping, buttons: Array.from({ length: 14 }, (_, number) => ({ pressed: down.includes(number), touched: false, value: 0 })) }) as unknown as Gamepad;
const around = (index: number, value: number) => keysOf(withHat(pad(index, [0, 0, 0, 0, 0, 0, 0, 0, 0, value])));
const sides = (index: number, x: number, y: number) => keysOf(withHat(pad(index, [0, 0, 0, 0, 0, 0, x, y])));

test('a hat that goes around in eighths is the direction pad', () => {
  const keys: Key[][] = [['Up'], ['Right', 'Up'], ['Right'], ['Right', 'Down'], ['Down'], ['Left', 'Down'], ['Left'], ['Left', 'Up']];
  for (const [index, rest] of [9 / 7, 23 / 7, 0].entries()) {
    expect(around(index, rest)).toEqual([]);
    expect(keys.map((_, eighth) => around(index, Math.fround(-1 + (2 * eighth) / 7)))).toEqual(keys);
    expect(around(index, rest)).toEqual([]);
  }
});

test('a hat of two axes is the direction pad', () => {
  expect(sides(3, 0, 0)).toEqual([]);
  expect([sides(3, -1, 0), sides(3, 1, -1), sides(3, 0, 1)]).toEqual([['Left'], ['Right', 'Up'], ['Down']]);
});

test('triggers at the axes of hats are none', () => {
  for (const value of [-1, -0.6, -0.2, 0, 0.5, 1, -1, 0, -1]) { // two at rest at -1; one is pressed
    expect(around(4, value)).toEqual([]);
    expect(sides(5, value, -1)).toEqual([]);
  }
  expect(keysOf(withHat(pad(6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [], 'standard')))).toEqual([]);
});

test('buttons behind a hat keep their order', () => {
  const { buttons } = withHat(pad(7, [0, 0, 0, 0, 0, 0, 0, 0], [1, 12]));
  expect(buttons.flatMap(({ pressed }, number) => (pressed ? [number] : []))).toEqual([1, 16]);
});

test('keys without a code are found by what they write, and both keys for Enter are one', () => {
  const codes = [['NumpadEnter', 'Enter'], ['', 'x'], ['', 'X'], ['Unidentified', '7'], ['', '`'], ['', ' '], ['', 'ArrowUp'], ['', 'Enter'], ['KeyY', 'z'], ['', 'Unidentified'], ['', 'Dead']] as const;
  expect(codes.map(([code, key]) => codeOf({ code, key }))).toEqual(['Enter', 'KeyX', 'KeyX', 'Digit7', 'Backquote', 'Space', 'ArrowUp', 'Enter', 'KeyY', '', '']);
});

test('keys have the names of the layout, where it is known', () => {
  const german = new Map([['KeyZ', 'y'], ['Minus', 'ß']]);
  expect(['KeyZ', 'Minus', 'KeyX', 'Digit1', 'ArrowUp', 'F2'].map((code) => codeText(code, german))).toEqual(['Y', 'ß', 'X', '1', '↑', 'F2']);
});

test('keys of the keyboard are released without those of other devices', () => {
  const { held } = slow();
  held.press('keyboard', 'A');
  held.hold('keyboard-B', ['B']);
  held.hold('gamepad-0', ['Up']);
  held.releaseAll('keyboard');
  expect(held.now).toEqual(['Up']);
});
