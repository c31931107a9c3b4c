import { BridgeError, check, failure } from './errors.js';
import { events, type GameEvent } from './events.js';
import { Gateway, randomId, type CallOptions } from './gateway.js';
import { Operations, type BatchAnswer, type Key, type MemoryValueAnswer, type OperationName, type PressAnswer, type ValueAnswer, type WaitAnswer } from './operations.js';

const defaultUrl = 'http://127.0.0.1:5000';
const leaseMs = 10_000;
const renewAfterMs = 3000; // without a request, after which the lease is renewed
const allOfAState = 1 + 2 + 8 + 16; // what loading takes: picture, save data, clock, metadata
const location = /^(0[xX][0-9a-fA-F]+|\d+|\w+:(0[xX][0-9a-fA-F]+|\d+))$/;
const numberTypes = ['u8', 's8', 'u16', 's16', 'u32', 's32'] as const;

export type NumberType = (typeof numberTypes)[number];
export type ValueType = NumberType | 'text' | 'bytes';
/** Keys to press together: `'A'`, `'A+Up'`, `['A', 'Up']`. */
export type Keys = string | readonly Key[];

export interface ConnectOptions {
  /** For a gateway that requires one. */
  token?: string;
  /** The id of one of several emulators. */
  emulator?: string;
  /** The name that owns keys and lease. */
  holder?: string;
  /** Milliseconds that a response may take, besides those of the frames that it waits for. */
  timeout?: number;
}

export interface ReadOptions {
  /** `u8` unless given for a location; a name has its own. */
  type?: ValueType;
  /** How many numbers side by side, 1 to 262144. */
  count?: number;
  /** How many bytes a text or bytes have, 1 to 1048576. */
  length?: number;
  /** A text table of the property map. */
  table?: string;
}

/** The bytes of a picture, row by row. */
export interface Pixels {
  width: number;
  height: number;
  /** 3: red, green and blue; 1: brightness. */
  channels: 1 | 3;
  data: Uint8Array;
}

/** What a step reached: frame, epoch, and the numbers that were read in it. */
export interface Step {
  frame: number;
  epoch: string;
  values: number[];
}

/** An emulator behind a gateway: short functions for what programs do often, and a method for each operation. */
export class Emulator extends Operations {
  readonly #gateway: Gateway;
  readonly #end = new AbortController();
  #isLeased = false; // as far as is known
  #stepping: Promise<unknown> = Promise.resolve();
  #holdsKeys = false;
  #pending = 0;
  #usedAt = 0;
  #renewal: ReturnType<typeof setInterval> | undefined;

  private constructor(gateway: Gateway) {
    super();
    this.#gateway = gateway;
  }

  /** Connects to a gateway: `MGBA_BRIDGE_URL` or http://127.0.0.1:5000 unless given. */
  static async connect(url?: string, options: ConnectOptions = {}): Promise<Emulator> {
    check('connect', options, ['token', 'emulator', 'holder', 'timeout']);
    const holder = options.holder ?? `typescript-${randomId().slice(0, 12)}`;
    const token = options.token ?? variable('MGBA_BRIDGE_TOKEN');
    const emulator = new Emulator(new Gateway(url ?? variable('MGBA_BRIDGE_URL') ?? defaultUrl, options.emulator, token, holder, options.timeout ?? 30_000));
    await emulator.statusGet();
    return emulator;
  }

  /** The gateway. */
  get url(): string {
    return this.#gateway.url;
  }

  /** The name that owns keys and lease. */
  get holder(): string {
    return this.#gateway.holder;
  }

  /** Presses keys together for 1 to 36000 frames, and waits until they are up; returns the frames `down` and `up`. */
  async press(keys: Keys, options: { frames?: number; wait?: boolean } = {}): Promise<PressAnswer> {
    check('press', options, ['frames', 'wait']);
    return await this.keysTap(keysOf(keys), { frames: options.frames ?? 4, wait: options.wait ?? true });
  }

  /** Presses a sequence such as `'A 4, wait 10, Up+B 2'`, with frames behind each part, and waits until its last frame. */
  async play(sequence: string): Promise<PressAnswer> {
    const frames = (sequence.match(/\d+/g) ?? []).reduce((sum, number) => sum + Number(number), 0);
    return await this.call('keys.sequence', { sequence, wait: true }, { frames });
  }

  /** Holds exactly these keys, until the next call, `release` or `close`. */
  async hold(keys: Keys): Promise<void> {
    this.#holdsKeys = true;
    await this.keysSet(keysOf(keys));
  }

  /** Releases all keys. */
  async release(): Promise<void> {
    await this.keysRelease();
    this.#holdsKeys = false;
  }

  /** A value of memory: a name such as `'player.hp'`, or a location such as `'0x02000000'`, `'wram:0x10'` or a number. */
  read(place: string | number, options: ReadOptions & { type: 'bytes' }): Promise<Uint8Array>;
  read(place: string | number, options: ReadOptions & { type: 'text' }): Promise<string>;
  read(place: string | number, options: ReadOptions & { count: number }): Promise<number[]>;
  read<Value = number>(place: string | number, options?: ReadOptions): Promise<Value>;
  async read(place: string | number, options: ReadOptions = {}): Promise<unknown> {
    check('read', options, ['type', 'count', 'length', 'table']);
    const { value } = isLocation(place)
      ? await this.call<MemoryValueAnswer>('memory.readValue', { type: 'u8', ...options, location: place })
      : await this.call<ValueAnswer>('values.read', { ...options, name: place });
    return options.type === 'bytes' ? Uint8Array.from(atob(String(value)), (letter) => letter.charCodeAt(0)) : value;
  }

  /** The values of up to 256 names in one frame, by name. */
  async readAll(...names: string[]): Promise<Record<string, unknown>> {
    const { values } = await this.valuesReadMany(names);
    return Object.fromEntries(values.map(({ name, value }) => [name, value]));
  }

  /** Bytes of memory in one frame, 0 to 4194304. */
  readBytes(place: string | number, length: number): Promise<Uint8Array> {
    return this.call('memory.read', { location: place, length }, { accept: 'application/octet-stream' });
  }

  /** Writes a value at a name or a location; a location has the type `u8` unless given. Bytes are written at a location. */
  async write(place: string | number, value: number | string | readonly number[] | Uint8Array, options: { type?: ValueType } = {}): Promise<void> {
    check('write', options, ['type']);
    if (value instanceof Uint8Array) {
      if (!isLocation(place)) {
        throw new TypeError(`Bytes are written at a location, not at the name "${place}".`);
      }
      await this.call('memory.write', { location: place, body: value });
    } else if (isLocation(place)) {
      await this.call('memory.writeValue', { type: 'u8', ...options, location: place, value, ...(Array.isArray(value) ? { count: value.length } : {}) });
    } else {
      await this.call('values.write', { ...options, name: place, value });
    }
  }

  /** The picture as a PNG. */
  async screen(options: { scale?: number } = {}): Promise<Uint8Array> {
    check('screen', options, ['scale']);
    return await this.call('screen.get', options);
  }

  /** The picture as pixels; in grey, or of a smaller size made from averages of areas (both with mgba-headless). */
  async pixels(options: { grey?: boolean; width?: number; height?: number } = {}): Promise<Pixels> {
    check('pixels', options, ['grey', 'width', 'height']);
    const isOther = options.grey || options.width !== undefined || options.height !== undefined;
    const { headers, value } = await this.#send(isOther ? 'screen.pixels' : 'screen.get', isOther ? options : { format: 'raw' });
    return { width: Number(headers.get('Mgba-Width')), height: Number(headers.get('Mgba-Height')), channels: options.grey ? 1 : 3, data: value as Uint8Array };
  }

  /** A save state, with the save data and without a picture. */
  save(): Promise<Uint8Array> {
    return this.stateGet();
  }

  /** Continues from a save state, its save data included, or from a state that the gateway keeps under this name. */
  async load(state: Uint8Array | string): Promise<void> {
    await (typeof state === 'string' ? this.statesLoad(state) : this.stateLoad({ body: state, flags: allOfAState }));
  }

  /** Waits for a condition such as `'player.hp < 10'`, at most so many frames (1 to 36000); returns whether it held. */
  async wait(condition?: string, options: { frames?: number } = {}): Promise<boolean> {
    check('wait', options, ['frames']);
    const { met } = await this.call<WaitAnswer>('wait.until', { condition, frames: options.frames ?? 600 });
    return met;
  }

  /**
   * Runs exactly so many frames (0 to 36000) with keys down, and reads numbers such as `'u16 0x02000000'` in the frame that was reached.
   * Without `keys` those of the step before stay down; `''` is none. The first step takes the lease: the game is stopped between steps, until `close`.
   * A step begins when the one before it has ended.
   */
  async step(frames = 1, options: { keys?: Keys; reads?: readonly (string | number)[] } = {}): Promise<Step> {
    check('step', options, ['keys', 'reads']);
    const items = (options.reads ?? []).map(itemOf);
    const keys = options.keys === undefined ? undefined : keysOf(options.keys);
    const step = this.#stepping.then(() => this.#step(frames, keys, items));
    this.#stepping = step.catch(() => undefined); // which the caller gets
    return step;
  }

  async #step(frames: number, keys: Key[] | undefined, items: ReturnType<typeof itemOf>[]): Promise<Step> {
    await this.#takeLease();
    try {
      const answer = await this.call<BatchAnswer>('lease.step', { frames, keys, items });
      const results = answer.results as readonly { ok: boolean; value?: number; detail?: string }[];
      const values = results.map(({ ok, value, detail }) => {
        if (!ok || value === undefined) {
          throw failure('failed', `lease.step: ${detail}`, true);
        }
        return value;
      });
      return { frame: answer.frame, epoch: answer.epoch, values };
    } catch (error) {
      // a refused request changes nothing; after all else the lease may have ended
      this.#isLeased &&= error instanceof BridgeError && [400, 404, 412].includes(error.status);
      throw error;
    }
  }

  /** The events of topics such as `'frame'`, `'keys'` or `'memory:0x02000000/4'`, from the first `next` on. */
  events(...topics: string[]): AsyncGenerator<GameEvent, void, undefined> {
    return events(this.#gateway, topics, this.#end.signal);
  }

  /** Ends all loops over events, and gives lease and keys back. */
  async close(): Promise<void> {
    this.#end.abort();
    clearInterval(this.#renewal);
    try {
      this.#isLeased = false;
      if (this.#renewal !== undefined) { // it had a lease, and may have it after a failure, too
        await this.leaseRelease();
      }
      if (this.#holdsKeys) {
        await this.release();
      }
    } catch (error) {
      if (!(error instanceof BridgeError)) {
        throw error;
      }
    }
  }

  protected async call<Answer>(name: OperationName, values: Record<string, unknown>, options?: CallOptions): Promise<Answer> {
    return (await this.#send(name, values, options)).value as Answer;
  }

  async #send(name: OperationName, values: Record<string, unknown>, options?: CallOptions) {
    this.#pending++;
    try {
      return await this.#gateway.send(name, values, options);
    } finally {
      this.#pending--;
      this.#usedAt = Date.now();
    }
  }

  async #takeLease(): Promise<void> {
    if (this.#isLeased) {
      return;
    }
    await this.leaseTake({ limitMs: leaseMs });
    this.#isLeased = true;
    clearInterval(this.#renewal);
    this.#renewal = setInterval(() => this.#renew(), renewAfterMs);
    (this.#renewal as { unref?: () => void }).unref?.(); // Node ends nevertheless
  }

  #renew(): void {
    if (!this.#isLeased) {
      clearInterval(this.#renewal);
    } else if (this.#pending === 0 && Date.now() - this.#usedAt >= renewAfterMs) {
      this.leaseStep(0).catch(() => clearInterval(this.#renewal)); // the next step says why
    }
  }
}

function isLocation(place: string | number): boolean {
  return typeof place === 'number' || location.test(place);
}

function keysOf(keys: Keys): Key[] {
  return (typeof keys === 'string' ? keys.split(/[+ ]+/).filter(Boolean) : [...keys]) as Key[];
}

/** The item of a step that reads a number, such as `'u16 0x02000000'`. */
function itemOf(place: string | number) {
  const words = String(place).split(/\s+/).filter(Boolean);
  const isType = (word: string): word is NumberType => (numberTypes as readonly string[]).includes(word);
  const [type = 'u8', ...otherTypes] = words.filter(isType);
  const [at, ...otherPlaces] = words.filter((word) => !isType(word));
  if (at === undefined || !isLocation(at) || otherTypes.length > 0 || otherPlaces.length > 0) {
    throw new TypeError(`"${place}" is not a location with a type, such as "u16 0x02000000"; the types are ${numberTypes.join(', ')}.`);
  }
  return { read: { location: at, type } };
}

/** A variable of the environment, where there is one. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
