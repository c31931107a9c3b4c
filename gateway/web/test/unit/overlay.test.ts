import { expect, test } from 'vitest';
import { clock, parse, write } from '../../src/views/overlay/options';

const options = (query: string) => parse(new URLSearchParams(query));

test('an address has parts in their own order, and the defaults', () => {
  expect(options('show=keys,screen')).toEqual({ show: ['screen', 'keys'], watch: [], at: 'top-left', scale: 2, size: 100, from: 0, emulator: null });
});

test('values have labels of their own, or that of their source', () => {
  const found = options('show=watch&watch=Score%3Dscore,0x02000008/u32');
  expect(typeof found !== 'string' && found.watch).toEqual([{ label: 'Score', source: 'score' }, { label: '0x02000008/u32', source: '0x02000008/u32' }]);
});

test.each([
  ['', 'show names what is seen'], ['show=clock', 'clock is none of them'], ['show=keys&at=middle', 'it is middle'], ['show=keys&scale=9', 'from 1 to 8; it is 9'],
  ['show=keys&scale=1.5', 'it is 1.5'], ['show=keys&size=5', 'it is 5'], ['show=keys&size=big', 'it is big'], ['show=timer&from=soon', 'it is soon'], ['show=timer&from=-1', 'it is -1'],
  [`show=watch&watch=${Array.from({ length: 17 }, (_, index) => `v${index}`).join(',')}`, 'at most 16 values; these are 17'],
])('%s is refused with a sentence', (query, part) => {
  expect(options(query)).toContain(part);
});

test.each(['show=keys', 'show=screen,frame&at=bottom-right&scale=3&size=150&emulator=two', 'show=watch&watch=Score%3Dscore', 'show=votes,timer&from=600'])('%s is written as it was read', (query) => {
  const found = options(query);
  expect(typeof found === 'string' ? {} : options(new URLSearchParams(write(found)).toString())).toEqual(found);
});

test.each([[0, '0:00:00'], [59, '0:00:00'], [60, '0:00:01'], [216000, '1:00:16'], [-5, '0:00:00']])('after %i frames the timer is %s', (frames, shown) => {
  expect(clock(frames)).toBe(shown);
});
