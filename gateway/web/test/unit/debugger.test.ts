import { beforeEach, expect, test, vi } from 'vitest';
import { addPoint, debugged, type Debugger, forget, haltText, hasDebugger, type Hit, hitText, requestOf, restorePoints, take, type Writer, writerText } from '../../src/api/debugger';
import { current, type Status } from '../../src/api/gateway';
import type { Socket } from '../../src/api/socket';

const hit = (changes: Partial<Hit>): Hit => ({ point: 2, kind: 'change', pc: '0x080001F0', bank: 0, symbol: 'update+0x4', address: '0x02000008', name: 'score', size: 4, before: 10, value: 0, after: 0, byDma: false, ...changes });
const state = (changes: Partial<Debugger>): Debugger => ({ frame: 1, epoch: '9f3a01c2', halted: true, halt: 1, reason: 'requested', pc: '0x080001F4', bank: 0, registers: { r0: 1 }, ...changes });
const status = (changes: Partial<Status>) => ({ id: '1', state: 'halted', since: '', host: 'headless', epoch: '9f3a01c2', ...changes }) as Status;

beforeEach(() => {
  current.value = status({});
  forget();
});

test.each([
  [{}, 'Watchpoint 2: score 10 → 0 by update+0x4.'],
  [{ symbol: null, name: null }, 'Watchpoint 2: 0x02000008 10 → 0 by 0x080001F0.'],
  [{ byDma: true }, 'Watchpoint 2: score 10 → 0 by DMA.'],
  [{ kind: 'write', value: 0x03000010, after: 0x10 }, 'Watchpoint 2: score 10 → 16 (0x03000010 was written) by update+0x4.'],
  [{ kind: 'write', value: 10, after: 10 }, 'Watchpoint 2: score was written as 10 by update+0x4.'],
  [{ kind: 'read', value: 10, after: 10 }, 'Watchpoint 2: score was read as 10 by update+0x4.'],
  [{ kind: 'execute', symbol: 'update' }, 'Breakpoint 2: update.'],
  [{ kind: 'interrupt', symbol: null, pc: '0x00000018' }, 'Interrupt (point 2): 0x00000018.'],
] as [Partial<Hit>, string][])('a hit is a sentence: %j', (changes, text) => {
  expect(hitText(hit(changes))).toBe(text);
  expect(haltText(state({ reason: 'point', hit: hit(changes) }))).toBe(text);
});

test('the reason of a halt is a sentence', () => {
  expect(haltText(state({}))).toBe('Halted at 0x080001F4.');
  expect(haltText(state({ reason: 'step', symbol: 'update+0x8' }))).toBe('Stepped to update+0x8.');
  expect(haltText(state({ reason: 'moved' }))).toBe('A state was loaded, or the game was reset: halted at 0x080001F4.');
  expect(haltText(state({ halted: false }))).toBeNull();
});

test.each([
  [{}, 'Frame 41: score 10 → 0 by'],
  [{ by: 'dma', pc: null, name: null }, 'Frame 41: 0x02000008 10 → 0 by DMA'],
  [{ by: 'outside', pc: null }, 'Frame 41: score 10 → 0 from outside: a client, a freeze, a state or a reset'],
] as [Partial<Writer>, string][])('a write is a sentence: %j', (changes, text) => {
  expect(writerText({ by: 'game', frame: 41, pc: '0x080001F0', address: '0x02000008', name: 'score', size: 4, before: 10, value: 0, ...changes })).toBe(text);
});

test('the beginning of a history is a reason', () => {
  expect(haltText(state({ reason: 'history' }))).toBe('The history begins here, at 0x080001F4.');
  expect(haltText(state({ reason: 'step', past: 4102 }))).toBe('Stepped to 0x080001F4. In the past, in frame 4102.');
});

test('windows and emulators without a game have no debugger', () => {
  expect(hasDebugger(status({}))).toBe(true);
  expect(hasDebugger(status({ host: 'window' }))).toBe(false);
  expect(hasDebugger(status({ state: 'no-game' }))).toBe(false);
  expect(hasDebugger(status({ state: 'script-missing' }))).toBe(false);
  expect(hasDebugger(null)).toBe(false);
});

test('registers are compared with those of the halt before', () => {
  take(state({}));
  expect(debugged.value?.before).toBeNull();
  take(state({ halted: false, halt: null, registers: { r0: 7 } }));
  take(state({ halt: 2, registers: { r0: 2 } }));
  expect(debugged.value?.before).toEqual({ r0: 1 });
  take(state({ halt: 2, registers: { r0: 3 } })); // it was written meanwhile
  expect(debugged.value?.before).toEqual({ r0: 1 });
});

test('points are set again on another connection, in the same game only', async () => {
  const request = vi.fn(async (_op: string, _body?: unknown) => ({ point: request.mock.calls.length }));
  const link = { request } as unknown as Socket;
  const wanted = { kind: 'execute', location: '0x08000100', condition: 'r0 == 1' } as const;
  await addPoint(link, wanted);
  await restorePoints(link);
  expect(request.mock.calls).toEqual([['debug.add', wanted], ['debug.add', wanted]]);
  expect(requestOf(1)).toBeUndefined();
  expect(requestOf(2)).toEqual(wanted);
  current.value = status({ epoch: '00000002' });
  await restorePoints(link);
  expect(request).toHaveBeenCalledTimes(2);
});
