import { expect, test } from 'vitest';
import { FastForward } from '../../src/views/play/actions';

function asked() {
  const sent: string[] = [];
  const link = { request: <T>(op: string) => { sent.push(op); return Promise.resolve(undefined as T); } };
  return { fast: new FastForward(() => link), sent };
}

test('a key and a button that ask together are one hold, which ends with the last', () => {
  const { fast, sent } = asked();
  void fast.press();
  void fast.press();
  void fast.release();
  expect(sent).toEqual(['speed.hold']);
  void fast.release();
  void fast.release();
  expect(sent).toEqual(['speed.hold', 'speed.release']);
});

test('the end of the view releases it once, whatever still asks', () => {
  const { fast, sent } = asked();
  void fast.end();
  void fast.press();
  void fast.press();
  void fast.end();
  void fast.release();
  expect(sent).toEqual(['speed.hold', 'speed.release']);
  void fast.press();
  expect(sent).toEqual(['speed.hold', 'speed.release', 'speed.hold']);
});

test('after a reconnect the speed is held again, while something still asks', () => {
  const { fast, sent } = asked();
  void fast.again();
  void fast.press();
  void fast.again();
  void fast.release();
  void fast.again();
  expect(sent).toEqual(['speed.hold', 'speed.hold', 'speed.release']);
});
