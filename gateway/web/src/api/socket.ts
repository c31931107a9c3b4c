import { Store } from '../ui/store';
import { RequestError, type Problem } from './problem';
import type { components } from './schema';

/** An event; `samples` are the bytes of the topic `sound`. */
export type GameEvent = components['schemas']['EventAnswer'] & { samples?: ArrayBuffer };
export type Picture = { frame: number; epoch: string; png: ArrayBuffer; at: number };
export type SocketState = 'connecting' | 'open' | 'waiting';
/** Where a WebSocket is opened, and as whom. */
export type Endpoint = { url: string; protocols: string[] };

type Message = {
  id?: number; body?: unknown; problem?: Problem; event?: string; binary?: number;
  hello?: { holder: string; emulator: string };
};
type Reply = { body: unknown; bytes?: ArrayBuffer | undefined };
type Pending = { resolve: (value: Reply) => void; reject: (error: Error) => void };
type Listener = (name: string, event: GameEvent) => void;

const FirstDelay = 250;
const LongestDelay = 5000;
const RequestLimit = 15000;
const SubscribeAgain = 2000;
const Lost = 'The connection to the gateway was cut.';

/**
 * One WebSocket to one emulator. It opens again after it was cut, with back-off, and restores its topics and its picture stream. What was requested when it was
 * cut fails: the caller decides whether to send it again.
 */
export class Socket {
  readonly state = new Store<SocketState>('connecting');
  readonly screenProblem = new Store<Problem | null>(null);

  readonly #pending = new Map<number, Pending>();
  readonly #topics = new Map<string, Set<Listener>>();
  readonly #viewers = new Map<(picture: Picture) => void, number>();
  #socket: WebSocket | null = null;
  #expecting: Message | null = null;
  #next = 1;
  #delay = FirstDelay;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  readonly #hurry = () => this.#openNow();

  /** Opens it, in a page or in a worker, which has no document. */
  constructor(readonly endpoint: () => Endpoint) {
    addEventListener('online', this.#hurry);
    globalThis.document?.addEventListener('visibilitychange', this.#hurry);
    this.#open();
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true;
    removeEventListener('online', this.#hurry);
    globalThis.document?.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#fail();
  }

  /** Opens it again under the present name of the holder. */
  rename(): void {
    this.#socket?.close();
    this.#delay = 1;
  }

  /** Sends a request and waits for its response. */
  async request<T>(op: string, body?: unknown, limit = RequestLimit): Promise<T> {
    return (await this.#send(op, body, false, limit)).body as T;
  }

  /** The same for responses with bytes. */
  async bytes<T>(op: string, body?: unknown): Promise<{ body: T; bytes: Uint8Array }> {
    const { body: answer, bytes } = await this.#send(op, body, true, RequestLimit);
    return { body: answer as T, bytes: new Uint8Array(bytes ?? new ArrayBuffer(0)) };
  }

  /** Receives the events of a topic, written in full (`keys/1`, not `keys`), until the returned function is called. */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners);
    listeners.add(listener);
    if (listeners.size === 1) {
      this.#restore([topic]);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) {
        this.#topics.delete(topic);
        if (this.state.value === 'open') {
          this.#quiet('unsubscribe', { topics: [topic] });
        }
      }
    };
  }

  /** Receives pictures, at most so many a second, until the returned function is called. */
  watch(fps: number, viewer: (picture: Picture) => void): () => void {
    this.#viewers.set(viewer, fps);
    this.#stream();
    return () => {
      this.#viewers.delete(viewer);
      this.#stream();
    };
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.state.value = this.state.value === 'waiting' ? 'waiting' : 'connecting';
    const { url, protocols } = this.endpoint();
    const socket = new WebSocket(url, protocols);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(socket, data as string | ArrayBuffer);
    socket.onclose = () => this.#closed(socket);
  }

  #openNow(): void {
    if (this.#socket === null && !this.#isClosed && !globalThis.document?.hidden) {
      this.#open();
    }
  }

  #closed(socket: WebSocket): void {
    if (this.#socket !== socket) {
      return;
    }
    this.#socket = null;
    this.#fail();
    if (this.#isClosed) {
      return;
    }
    this.state.value = 'waiting';
    this.#timer = setTimeout(() => this.#openNow(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(this.#delay * 2, LongestDelay);
  }

  #fail(): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#expecting = null;
    for (const { reject } of pending) {
      reject(new RequestError({ status: 0, detail: Lost }));
    }
  }

  #send(op: string, body: unknown, binary: boolean, limit: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new RequestError({ status: 0, detail: Lost }));
        return;
      }
      const id = this.#next++;
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new RequestError({ status: 0, detail: 'The emulator did not answer in time.' }));
      }, limit);
      this.#pending.set(id, {
        resolve: (value) => { clearTimeout(timer); resolve(value); },
        reject: (error) => { clearTimeout(timer); reject(error); },
      });
      this.#socket.send(JSON.stringify({ id, op, ...(body === undefined ? {} : { body }), ...(binary ? { binary } : {}) }));
    });
  }

  // what is restored after each reconnect anyway
  #quiet(op: string, body?: unknown): void {
    this.#send(op, body, false, RequestLimit).catch(() => undefined);
  }

  #receive(socket: WebSocket, data: string | ArrayBuffer): void {
    if (socket !== this.#socket) {
      return;
    }
    if (typeof data !== 'string') {
      const message = this.#expecting;
      this.#expecting = null;
      if (message) {
        this.#handle(message, data);
      }
      return;
    }
    const message = JSON.parse(data) as Message;
    if (message.binary === undefined) {
      this.#handle(message);
    } else {
      this.#expecting = message;
    }
  }

  #handle(message: Message, bytes?: ArrayBuffer): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.problem) {
        pending?.reject(new RequestError(message.problem));
      } else {
        pending?.resolve({ body: message.body, bytes });
      }
    } else if (message.event === 'screen') {
      this.#show(message, bytes);
    } else if (message.event !== undefined) {
      const event = bytes === undefined ? (message.body as GameEvent) : { ...(message.body as GameEvent), samples: bytes };
      for (const listener of [...(this.#topics.get(event.topic) ?? [])]) {
        listener(message.event, event);
      }
    } else if (message.hello) {
      this.#greet();
    }
  }

  #greet(): void {
    this.#delay = FirstDelay;
    this.state.value = 'open';
    this.#restore([...this.#topics.keys()]);
    this.#stream();
  }

  // an emulator that does not answer refuses topics; they are wanted all the same
  #restore(topics: string[]): void {
    const wanted = topics.filter((topic) => this.#topics.has(topic));
    if (wanted.length > 0 && this.state.value === 'open') {
      this.#send('subscribe', { topics: wanted }, false, RequestLimit).catch((error: unknown) => {
        if (error instanceof RequestError && error.status !== 0 && error.status !== 400) {
          setTimeout(() => this.#restore(wanted), SubscribeAgain);
        }
      });
    }
  }

  #show(message: Message, bytes?: ArrayBuffer): void {
    this.screenProblem.value = message.problem ?? null;
    if (bytes === undefined) {
      return;
    }
    const { frame, epoch } = message.body as { frame: number; epoch: string };
    const picture = { frame, epoch, png: bytes, at: performance.now() };
    for (const viewer of [...this.#viewers.keys()]) {
      viewer(picture);
    }
  }

  #stream(): void {
    if (this.state.value !== 'open') {
      return;
    }
    if (this.#viewers.size > 0) {
      this.#quiet('screen.stream', { fps: Math.max(...this.#viewers.values()) });
    } else {
      this.#quiet('screen.stop');
    }
  }
}
