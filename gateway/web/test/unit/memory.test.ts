import { expect, test } from 'vitest';
import { bytesOfNumber, numberAt, parseNumber, parsePlace } from '../../src/api/memory';

test('numbers of memory', () => {
  expect(numberAt(Uint8Array.of(0xfe, 0xff), 0, 's16')).toBe(-2);
  expect(numberAt(Uint8Array.of(0xfe, 0xff), 0, 'u16', true)).toBe(0xfeff);
  expect(numberAt(Uint8Array.of(1), 0, 'u16')).toBeNull();
  expect(bytesOfNumber(-2, 'u16')).toEqual(Uint8Array.of(0xfe, 0xff));
  expect(bytesOfNumber(65536, 'u16')).toBeNull();
  expect(parseNumber('-0x10')).toBe(-16);
  expect(parseNumber('$1F')).toBe(31);
  expect(parseNumber('1F')).toBeNull();
});

test('places in memory', () => {
  const all = [{ id: 'wram', name: 'EWRAM', base: 0x02000000, size: 0x40000 }];
  expect(parsePlace(all, '0x02000010')?.offset).toBe(16);
  expect(parsePlace(all, '02000010')?.offset).toBe(16);
  expect(parsePlace(all, 'wram:0x3FFFF')?.offset).toBe(0x3ffff);
  expect(parsePlace(all, 'wram:0x40000')).toBeNull();
  expect(parsePlace(all, '0x04000000')).toBeNull();
  expect(parsePlace(all, 'health')).toBeNull();
  const gameBoy = [{ id: 'cart0', name: 'ROM', base: 0, size: 0x100000 }, { id: 'wram', name: 'WRAM', base: 0xc000, size: 0x2000 }];
  expect(parsePlace(gameBoy, '0xC100')).toEqual({ domain: gameBoy[1], offset: 0x100 });
  expect(parsePlace(gameBoy, '0x4100')).toEqual({ domain: gameBoy[0], offset: 0x4100 });
});
