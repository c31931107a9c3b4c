import { afterEach, expect, test, vi } from 'vitest';
import { call, holder } from '../../src/api/http';
import { release, releaseTexts } from '../../src/views/memory/freeze';

const entry = { id: '0x02003100', holder: 'web-9edd', location: 'wram:0x3100', bytes: 'CQ==' };
const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the button names the holder of a freeze that is not of this tab', () => {
  expect(releaseTexts(entry, 'web-9edd')).toEqual({ title: 'Release', label: 'Release 0x02003100' });
  expect(releaseTexts(entry, 'web-1')).toEqual({ title: 'Release (frozen by web-9edd)', label: 'Release 0x02003100 (frozen by web-9edd)' });
});

test('a freeze is released in the name of its holder', async () => {
  const fetched = vi.fn(async () => json({ frame: 1, epoch: '9f3a01c2', released: 1 }));
  vi.stubGlobal('fetch', fetched);
  holder.value = 'web-1';
  await release(entry, '2');
  expect(fetched).toHaveBeenLastCalledWith('i/2/v2/freezes/0x02003100', expect.objectContaining({ method: 'DELETE', headers: { 'Mgba-Holder': 'web-9edd' } }));
  fetched.mockResolvedValueOnce(json({ frame: 1, epoch: '9f3a01c2', freezes: [] }));
  await call('get', '/v2/freezes', { emulator: '2' });
  expect(fetched).toHaveBeenLastCalledWith('i/2/v2/freezes', expect.objectContaining({ headers: { 'Mgba-Holder': 'web-1' } }));
});
