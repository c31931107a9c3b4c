import { expect, test } from 'vitest';
import { explain, type Situation } from '../../src/api/explain';
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
