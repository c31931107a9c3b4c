import { expect, test } from 'vitest';
import type { Domain } from '../../src/api/memory';
import type { Socket } from '../../src/api/socket';
import { type Instruction, isArm, isCode, locationOf, modeOf, nameAt, namesOf, partsOf, readBefore } from '../../src/views/debug/code';
import { pointAt } from '../../src/views/debug/disassembly';
import { commandOf } from '../../src/views/debug/keys';
import { hitOf } from '../../src/views/debug/points';
import { flagsOf } from '../../src/views/debug/registers';

const instruction = (changes: Partial<Instruction>): Instruction => ({ address: '0x080000C0', bytes: '0a0000eb', text: 'bl 0x080000f0', kind: 'call', ...changes });
const domain = (id: string, base: number, size: number): Domain => ({ id, name: id, base, size });

test('the address of a branch is a link with its name', () => {
  const target = { address: '0x080000F0', symbol: 'update' };
  expect(partsOf(instruction({ target }))).toEqual({ before: 'bl ', link: { text: 'update', address: 0x080000f0, bank: null, isData: false }, after: '' });
  expect(partsOf(instruction({ text: 'jr nz, $0150', target: { address: '0x00000150', bank: 0 } }))).toEqual({ before: 'jr nz, ', link: { text: '$0150', address: 0x150, bank: 0, isData: false }, after: '' });
  expect(partsOf(instruction({ text: 'nop' }))).toEqual({ before: 'nop', link: null, after: '' });
});

test('the word that an instruction loads stands behind it', () => {
  const target = { address: '0x080000E0', value: '0x03000010', valueSymbol: 'score' };
  expect(partsOf(instruction({ text: 'ldr r0, [pc, #24]', kind: 'data', target }))).toEqual({ before: 'ldr r0, [pc, #24]  = ', link: { text: 'score', address: 0x03000010, bank: null, isData: true }, after: '' });
});

test('a place has the name of the symbol before it, in its bank', () => {
  const gba = namesOf([{ name: 'score', location: '0x02000008', size: 4 }, { name: 'update', location: '0x08000100' }, { name: 'constant' }], [domain('wram', 0x02000000, 0x40000), domain('cart0', 0x08000000, 0x2000000)], 'gba');
  expect(nameAt(gba, 0x02000008)).toBe('score');
  expect(nameAt(gba, 0x0200000b)).toBe('score+0x3');
  expect(nameAt(gba, 0x0200000c)).toBeNull();
  expect(nameAt(gba, 0x08000106)).toBe('update+0x6');
  expect(nameAt(gba, 0x08008000)).toBeNull();
  const gb = namesOf([{ name: 'one', location: 'cart0:0x4100' }, { name: 'two', location: 'cart0:0x8100' }, { name: 'home', location: 'cart0:0x150' }], [domain('cart0', 0, 0x8000 * 4)], 'gb');
  expect(nameAt(gb, 0x4102, 2)).toBe('two+0x2');
  expect(nameAt(gb, 0x4102, 1)).toBe('one+0x2');
  expect(nameAt(gb, 0x150, 2)).toBe('home');
  expect(locationOf({ address: '0x00004102', bank: 2 }, 'gb')).toBe('cart0:0x8102');
  expect(locationOf({ address: '0x00000150', bank: 0 }, 'gb')).toBe('0x00000150');
  expect(locationOf({ address: '0x08000100' }, 'gba')).toBe('0x08000100');
});

test('code before an address ends there', async () => {
  const asked: unknown[] = [];
  const link = { request: async (_: string, query: unknown) => {
    asked.push(query);
    return { instructions: ['0x08000000', '0x08000002', '0x08000006', '0x08000008'].map((address, index) => instruction({ address, bytes: index === 1 ? '00f000f8' : '0047' })) };
  } } as unknown as Socket;
  expect((await readBefore(link, 0x08000006, null, 'thumb', 'gba')).map(({ address }) => address)).toEqual(['0x08000000', '0x08000002']);
  expect((await readBefore(link, 0x08000004, null, 'thumb', 'gba')).map(({ address }) => address)).toEqual(['0x08000000']);
  expect(await readBefore(link, 0x08000000, null, 'thumb', 'gba')).toEqual([]);
  expect(asked[0]).toMatchObject({ address: '0x08000000', mode: 'thumb' });
});

test('the mode of code is that of the processor, or what it looks like', () => {
  expect([modeOf({ cpsr: 0x3f }), modeOf({ cpsr: 0x6000001f }), modeOf({ a: 1 })]).toEqual(['thumb', 'arm', 'sm83']);
  expect(isArm([instruction({}), instruction({ bytes: '0130c3e1' }), instruction({ bytes: '0300000a' })])).toBe(true);
  expect(isArm([instruction({ bytes: 'f0b54e46' }), instruction({ bytes: 'e0b59f69' }), instruction({ bytes: '3800dee9' })])).toBe(false);
  expect([isCode(0x08000100, 'gba'), isCode(0x03000000, 'gba'), isCode(0x04000000, 'gba'), isCode(4, 'gba'), isCode(0x4000, 'gb'), isCode(0xc000, 'gb')]).toEqual([true, true, false, false, true, false]);
});

test('a breakpoint is that of its instruction, in its bank', () => {
  const point = { point: 1, holder: 'web-1', kind: 'execute', first: '0x00004100', last: '0x00004100', bank: 2, halts: true, hits: 0 };
  expect(pointAt([point], { address: '0x00004100', bank: 2 })).toBe(point);
  expect(pointAt([point], { address: '0x00004100', bank: 1 })).toBeUndefined();
  expect(pointAt([{ ...point, bank: null }], { address: '0x00004100', bank: 1 })).toBeDefined();
  expect(pointAt([{ ...point, kind: 'write' }], { address: '0x00004100', bank: 2 })).toBeUndefined();
});

test('keys are commands, letters only while no text is written', () => {
  const key = (name: string, shiftKey = false, ctrlKey = false) => ({ key: name, shiftKey, ctrlKey, altKey: false, metaKey: false });
  expect(['F8', 'F10', 'F11', 'F4', 'F9', 'F5'].map((name) => commandOf(key(name), true))).toEqual(['run', 'over', 'into', 'to', 'point', null]);
  expect(commandOf(key('F11', true), true)).toBe('out');
  expect(commandOf(key('F10', false, true), false)).toBeNull();
  expect(['c', 'n', 's', 'f', 'u', 'b', 'x'].map((name) => commandOf(key(name), false))).toEqual(['run', 'over', 'into', 'out', 'to', 'point', null]);
  expect(commandOf(key('c'), true)).toBeNull();
});

test('a line of the topic hits is a hit', () => {
  expect(hitOf('2 8 134218224 0 33554440 4 10 0 0 1 4711', [])).toEqual({
    point: 2, kind: 'change', pc: '0x080001F0', bank: 0, symbol: null, address: '0x02000008', name: null, size: 4, before: 10, value: 0, after: 0, byDma: true, frame: 4711,
  });
});

test('flags are those of the processor', () => {
  expect(flagsOf({ cpsr: 0x6000003f })).toBe('Z C, Thumb, system');
  expect(flagsOf({ cpsr: 0x00000092 })).toBe('no flags, IRQs off, ARM, IRQ');
  expect(flagsOf({ af: 0x26b0, f: 0xb0 })).toBe('Z H C');
});
