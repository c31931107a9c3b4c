import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Socket } from '../../src/api/socket';

/** A WebSocket whose other end the test is. */
class Line {
  static readonly OPEN = 1;
  static all: Line[] = [];
  readyState = 0;
  sent: { op: string; body?: { topics?: string[]; fps?: number } }[] = [];
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;

  constructor() {
    Line.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
    this.onclose();
  }

  greet(): void {
    this.readyState = 1;
    this.onmessage({ data: '{"hello":{"holder":"web","emulator":"1"}}' });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  Line.all = [];
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:5000/', hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a socket that is cut for a minute tries again with back-off, and restores topics and pictures', async () => {
  const socket = new Socket(() => ({ url: 'ws://127.0.0.1:5000/i/1/v2/ws', protocols: [] }));
  socket.subscribe('game', () => undefined);
  socket.watch(30, () => undefined);
  Line.all[0]!.greet();
  expect(socket.state.value).toBe('open');
  const waiting = expect(socket.request('ping')).rejects.toThrow('The connection to the gateway was cut.');
  Line.all[0]!.close();
  await waiting;
  for (let seconds = 0; seconds < 60; seconds += 1) {
    Line.all.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(socket.state.value).toBe('waiting');
  }
  expect(Line.all.length).toBeGreaterThan(8);
  expect(Line.all.length).toBeLessThan(24);
  const tries = Line.all.length;
  Line.all.at(-1)!.close();
  await vi.advanceTimersByTimeAsync(6250); // the longest delay
  expect(Line.all.length).toBe(tries + 1);
  Line.all.at(-1)!.greet();
  expect(socket.state.value).toBe('open');
  expect(Line.all.at(-1)!.sent.map(({ op, body }) => [op, body?.topics?.join() ?? body?.fps])).toEqual([['subscribe', 'game'], ['screen.stream', 30]]);
  await expect(socket.request('ping', undefined, 10).catch((error: Error) => error.message).finally(() => vi.advanceTimersByTimeAsync(0))).toBeDefined();
  socket.close();
});
