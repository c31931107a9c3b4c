import { expect, test } from 'vitest';
import { withDuration } from '../../src/views/play/webm-duration';

const Head = [0x1a, 0x45, 0xdf, 0xa3, 0x83, 0x42, 0x86, 0x80]; // EBML
const Segment = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]; // of unknown size
const Scale = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]; // 1,000,000 ns
const Cluster = [0x1f, 0x43, 0xb6, 0x75, 0xff, 1, 2, 3];
const info = (...content: number[]) => [0x15, 0x49, 0xa9, 0x66, 0x80 | content.length, ...content];
const bytesOf = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];
const file = (...parts: number[][]) => new Blob([new Uint8Array(parts.flat())], { type: 'video/webm' });

test('the duration is added to the head, and the rest stays', async () => {
  const mended = await withDuration(file(Head, Segment, info(...Scale), Cluster), 2.5);
  const duration = [0x44, 0x89, 0x88, ...new Uint8Array(new Float64Array([2500]).buffer).reverse()];
  const longer = [0x15, 0x49, 0xa9, 0x66, 0x01, 0, 0, 0, 0, 0, 0, Scale.length + duration.length, ...Scale, ...duration];
  expect(await bytesOf(mended)).toEqual([...Head, ...Segment, ...longer, ...Cluster]);
  expect(mended.type).toBe('video/webm');
});

test('a scale of its own counts, and its absence is the default', async () => {
  const tenth = [...await bytesOf(await withDuration(file(Head, Segment, info(0x2a, 0xd7, 0xb1, 0x84, 0x05, 0xf5, 0xe1, 0x00)), 2.5))];
  expect(new DataView(new Uint8Array(tenth.slice(-8)).buffer).getFloat64(0)).toBe(25);
  const none = await bytesOf(await withDuration(file(Head, Segment, info(0xec, 0x80)), 2.5));
  expect(new DataView(new Uint8Array(none.slice(-8)).buffer).getFloat64(0)).toBe(2500);
});

test.each([
  ['nothing', []], ['an MP4', [0, 0, 0, 0x18, 0x66, 0x74, 0x79, 0x70, 0x69]], ['a cut head', [...Head, ...Segment, 0x15, 0x49]],
  ['one with a duration', [...Head, ...Segment, ...info(0x44, 0x89, 0x84, 0, 0, 0, 0), ...Cluster]],
  ['one whose parts have offsets', [...Head, 0x18, 0x53, 0x80, 0x67, 0x90, ...info(...Scale)]],
])('%s stays as it is', async (_, bytes) => {
  expect(await bytesOf(await withDuration(file(bytes), 2))).toEqual(bytes);
});
