import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function open(hash: string, stored: string | null = null) {
  const kept = new Map<string, string>();
  const addresses: string[] = [];
  vi.stubGlobal('location', { hash });
  vi.stubGlobal('history', { replaceState: (_state: unknown, _title: string, address: string) => addresses.push(address) });
  vi.stubGlobal('sessionStorage', { getItem: () => stored, setItem: (key: string, value: string) => kept.set(key, value) });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  const { token } = await import('../../src/api/token');
  return { value: token.value.value, kept: [...kept.values()], addresses };
}

test('the token of a shared address is kept in the tab and leaves the address', async () => {
  expect(await open('#/play?token=abc')).toEqual({ value: 'abc', kept: ['abc'], addresses: ['#/play'] });
});

test('the token of an overlay stays in its address', async () => {
  expect(await open('#/overlay?show=screen&token=abc')).toEqual({ value: 'abc', kept: [], addresses: [] });
});

test('without one in the address the token is that of the tab', async () => {
  expect(await open('#/play', 'old')).toEqual({ value: 'old', kept: [], addresses: [] });
});
