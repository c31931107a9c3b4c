import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { sentence } from './format';
import type { Store } from './store';

/** The value of a store; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  const { value } = store;
  useEffect(() => {
    if (!Object.is(store.value, value)) { // it changed before it was followed
      draw();
    }
    return store.follow(() => draw());
  }, [store]);
  return value;
}

/** Calls again and again while the page is visible: the next call begins `interval` ms after the last one ended. Null: once. */
export function usePolling(interval: number | null, action: () => Promise<unknown> | undefined, inputs: readonly unknown[]): void {
  const newest = useRef(action);
  newest.current = action;
  useEffect(() => {
    let timer = 0;
    let isOver = false;
    const run = async () => {
      try {
        if (!document.hidden) {
          await newest.current();
        }
      } catch {
        // the next call may succeed; the page's notice says what is wrong
      }
      if (!isOver && interval !== null) {
        timer = window.setTimeout(() => void run(), interval);
      }
    };
    void run();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [interval, ...inputs]);
}

/** Runs what a person asked for, one at a time, and keeps the sentence about a failure. */
export function useAction(): { run: (action: () => Promise<unknown>) => Promise<boolean>; isBusy: boolean; error: string | null; clear: () => void } {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await action();
      return true;
    } catch (thrown) {
      setError(sentence(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, clear: () => setError(null) };
}
