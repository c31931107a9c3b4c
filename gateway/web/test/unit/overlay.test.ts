import { expect, test } from 'vitest';
import { parse, write } from '../../src/views/overlay/options';

const options = (query: string) => parse(new URLSearchParams(query));

test('an address has parts in their own order, and the defaults', () => {
  expect(options('show=keys,screen')).toEqual({ show: ['screen', 'keys'], watch: [], at: 'top-left', scale: 2, size: 100, emulator: null });
});

test('values have labels of their own, or that of their source', () => {
  const found = options('show=watch&watch=Score%3Dscore,0x02000008/u32');
  expect(typeof found !== 'string' && found.watch).toEqual([{ label: 'Score', source: 'score' }, { label: '0x02000008/u32', source: '0x02000008/u32' }]);
});

test.each([
  ['', 'show names what is seen'], ['show=clock', 'clock is none of them'], ['show=keys&at=middle', 'it is middle'], ['show=keys&scale=9', 'from 1 to 8; it is 9'],
  ['show=keys&scale=1.5', 'it is 1.5'], ['show=keys&size=5', 'it is 5'], ['show=keys&size=big', 'it is big'],
  [`show=watch&watch=${Array.from({ length: 17 }, (_, index) => `v${index}`).join(',')}`, 'at most 16 values; these are 17'],
])('%s is refused with a sentence', (query, part) => {
  expect(options(query)).toContain(part);
});

test.each(['show=keys', 'show=screen,frame&at=bottom-right&scale=3&size=150&emulator=two', 'show=watch&watch=Score%3Dscore'])('%s is written as it was read', (query) => {
  const found = options(query);
  expect(typeof found === 'string' ? {} : options(new URLSearchParams(write(found)).toString())).toEqual(found);
});
