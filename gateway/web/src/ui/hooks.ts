import { useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from './format';

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
