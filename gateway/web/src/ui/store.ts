/** A value that components follow. */
export class Store<T> {
  readonly #listeners = new Set<() => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) {
      return;
    }
    this.#value = value;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }

  /** Calls the listener after each change; returns what ends this. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A store whose value is kept in the browser. */
export function keptStore<T>(name: string, initial: T): Store<T> {
  const key = `mgba-bridge.${name}`;
  let value = initial;
  try {
    const text = localStorage.getItem(key);
    const kept = text === null ? initial : (JSON.parse(text) as T);
    value = isRecord(initial) && isRecord(kept) ? { ...initial, ...kept } : kept; // it may be of a version with fewer entries
  } catch {
    // no storage, or not ours: start with the default
  }
  const store = new Store(value);
  store.follow(() => {
    try {
      localStorage.setItem(key, JSON.stringify(store.value));
    } catch {
      // private browsing: the value lasts until the page is closed
    }
  });
  return store;
}
