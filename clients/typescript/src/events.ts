import { BridgeError, failure, type Problem } from './errors.js';
import type { Gateway } from './gateway.js';
import type { EventAnswer } from './operations.js';

const kept = 4096; // events that wait for a slow reader; then the oldest are dropped

/** An event: which one, and the fields that its topic has. */
export interface GameEvent extends Partial<EventAnswer> {
  /** Such as `frame`, `keys` or `game.reset`; `lost` counts events that were dropped because they were not taken in time. */
  event: string;
  /** Names it. */
  id?: string;
  /** Of the topic `sound`: left and right in turn. */
  samples?: Int16Array;
  /** Of `lost`: how many. */
  lost?: number;
}

interface Message {
  id?: number;
  problem?: Problem;
  event?: string;
  eventId?: string;
  body?: EventAnswer;
  binary?: number;
  hello?: unknown;
}

/** The events of topics, over a WebSocket of its own. It ends when the caller leaves the loop or `end` is aborted, and throws when the connection ends. */
export async function* events(gateway: Gateway, topics: readonly string[], end: AbortSignal): AsyncGenerator<GameEvent, void, undefined> {
  const waiting: GameEvent[] = [];
  let lost = 0;
  let problem: BridgeError | undefined;
  let wake = () => {};
  if (end.aborted) {
    return;
  }
  const Socket = await socketClass();
  const protocols = gateway.token === undefined ? ['mgba-bridge'] : ['mgba-bridge', `bearer.${base64Url(gateway.token)}`];
  const socket = new Socket(gateway.socketUrl, protocols);
  socket.binaryType = 'arraybuffer';

  const add = (event: GameEvent) => {
    waiting.push(event);
    if (waiting.length > kept) {
      waiting.shift();
      lost++;
    }
  };
  let expected: Message | undefined;
  const receive = (data: unknown) => {
    if (typeof data !== 'string') {
      if (expected?.event !== undefined) {
        add(eventOf(expected, data as ArrayBuffer));
      }
      expected = undefined;
      return;
    }
    const message = JSON.parse(data) as Message;
    if (message.hello !== undefined) {
      socket.send(JSON.stringify({ id: 1, op: 'subscribe', body: { topics } }));
    } else if (message.problem) {
      problem = new BridgeError(message.problem);
    } else if (message.binary !== undefined) {
      expected = message;
    } else if (message.event !== undefined) {
      add(eventOf(message));
    }
  };
  socket.addEventListener('message', ({ data }) => {
    receive(data);
    wake();
  });
  socket.addEventListener('error', () => {}); // `close` follows
  socket.addEventListener('close', ({ code, reason }) => {
    problem ??= failure('unreachable', `events: the connection to ${gateway.url} ended (${reason || code}); check the gateway, the URL and the token.`);
    wake();
  });
  const onEnd = () => {
    socket.close(); // also when the caller asks for no more events
    wake();
  };
  end.addEventListener('abort', onEnd);
  try {
    while (!end.aborted) {
      if (lost > 0) {
        const count = lost;
        lost = 0;
        yield { event: 'lost', lost: count };
        continue;
      }
      const next = waiting.shift();
      if (next) {
        yield next;
      } else if (problem) {
        throw problem;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    end.removeEventListener('abort', onEnd);
    socket.close();
  }
}

function eventOf(message: Message, bytes?: ArrayBuffer): GameEvent {
  return {
    ...message.body,
    event: message.event ?? '',
    ...(message.eventId === undefined ? {} : { id: message.eventId }),
    ...(bytes === undefined ? {} : { samples: new Int16Array(bytes) }),
  };
}

/** That of browsers and of Node 22; with Node 20 that of the package ws. */
async function socketClass(): Promise<typeof WebSocket> {
  if (globalThis.WebSocket) {
    return globalThis.WebSocket;
  }
  const name: string = 'ws'; // a string rather than a literal: bundlers for browsers do not look for it
  try {
    return ((await import(name)) as { default: typeof WebSocket }).default;
  } catch (error) {
    throw failure('failed', 'events: this version of Node has no WebSocket; use Node 22 or newer, or install the package ws.', false, error);
  }
}

function base64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
