export const Keys = ['A', 'B', 'Select', 'Start', 'Right', 'Left', 'Up', 'Down', 'R', 'L'] as const;
export type Key = (typeof Keys)[number];

const LongestQueue = 32;

/**
 * What a person holds down, from any number of devices, sent in order: one request at a time, because requests of one socket may overtake each other. A press that
 * was released before it could be sent is sent all the same.
 */
export class HeldKeys {
  readonly #sources = new Map<string, Set<Key>>();
  #queue: { keys: Key[]; at: number }[] = [];
  #latched = new Set<Key>();
  #isSending = false;
  #last = '';

  /** @param send Sends the keys; it gets the time of the press too. */
  constructor(private readonly send: (keys: Key[], at: number) => Promise<void>) {}

  /** The keys that are held now. */
  get now(): Key[] {
    const held = new Set([...this.#sources.values()].flatMap((keys) => [...keys]));
    return Keys.filter((key) => held.has(key));
  }

  /** The keys of a step: those held now, and those pressed since the last step. */
  forStep(): Key[] {
    const keys = new Set([...this.now, ...this.#latched]);
    this.#latched.clear();
    return Keys.filter((key) => keys.has(key));
  }

  /** A device holds exactly these keys now. */
  hold(source: string, keys: readonly Key[]): void {
    if (keys.length === 0) {
      this.#sources.delete(source);
    } else {
      this.#sources.set(source, new Set(keys));
    }
    this.#changed();
  }

  press(source: string, key: Key): void {
    this.hold(source, [...(this.#sources.get(source) ?? []), key]);
  }

  release(source: string, key: Key): void {
    this.hold(source, [...(this.#sources.get(source) ?? [])].filter((one) => one !== key));
  }

  /** Nothing is held any more, by no device, or only by none whose name begins so. */
  releaseAll(devices = ''): void {
    for (const source of [...this.#sources.keys()].filter((name) => name.startsWith(devices))) {
      this.#sources.delete(source);
    }
    this.#changed();
  }

  /** The connection is new: the script knows of no keys. */
  forget(): void {
    this.#queue = [];
    this.#last = '';
    this.#changed();
  }

  #changed(): void {
    const keys = this.now;
    const text = keys.join();
    if (text === this.#last) {
      return;
    }
    this.#last = text;
    keys.forEach((key) => { this.#latched.add(key); });
    this.#queue.push({ keys, at: performance.now() });
    if (this.#queue.length > LongestQueue) {
      this.#queue = this.#queue.slice(-1);
    }
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#isSending) {
      return;
    }
    this.#isSending = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        await this.send(next.keys, next.at).catch(() => undefined);
      }
    } finally {
      this.#isSending = false;
    }
  }
}
