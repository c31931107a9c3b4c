import { Store } from './store';

const parts: Part<unknown>[] = [];

/** Something of the page that has a file of its own, which the first view does not wait for. */
export class Part<T> {
  /** What it is; null before it is there. */
  readonly content = new Store<T | null>(null);
  readonly #read: () => Promise<T>;
  #reading: Promise<T> | null = null;

  constructor(read: () => Promise<T>) {
    this.#read = read;
    parts.push(this);
  }

  /** Loads it, once. */
  load(): Promise<T> {
    this.#reading ??= this.#load();
    return this.#reading;
  }

  async #load(): Promise<T> {
    try {
      this.content.value = await this.#read();
      return this.content.value;
    } catch {
      this.#reading = null;
      throw new Error('A part of the page could not be loaded; load the page again when the gateway answers.');
    }
  }
}

const IdleMs = 1000;

// Safari has no requestIdleCallback
const idle = () => new Promise<unknown>((resolve) => 'requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: IdleMs }) : setTimeout(resolve, IdleMs));

/** Loads all parts one after the other while little else is to be done, so that they are there at once, and also when the gateway is gone. */
export async function loadParts(): Promise<void> {
  for (const part of parts) {
    await idle();
    await part.load().catch(() => undefined); // who needs it tries again
  }
}
