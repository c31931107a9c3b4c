import { expect, test, vi } from 'vitest';
import { Part } from '../../src/ui/part';

test('a part is read once', async () => {
  const read = vi.fn(async () => 7);
  const part = new Part(read);
  expect(part.content.value).toBeNull();
  expect(await Promise.all([part.load(), part.load()])).toEqual([7, 7]);
  expect(part.content.value).toBe(7);
  expect(read).toHaveBeenCalledOnce();
});

test('a part that could not be read says so, and is read again', async () => {
  const read = vi.fn(async () => 7).mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const part = new Part(read);
  await expect(part.load()).rejects.toThrow('A part of the page could not be loaded');
  expect(await part.load()).toBe(7);
});
