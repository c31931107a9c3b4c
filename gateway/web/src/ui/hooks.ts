import { useEffect, useRef, useState } from 'preact/hooks';
import { current, socket } from '../api/gateway';
import { sentence } from '../api/problem';
import type { GameEvent, Socket } from '../api/socket';
import { useStore } from './store';

/** The open WebSocket of the chosen emulator, or null. */
export function useOpenSocket(): Socket | null {
  const found = useStore(socket);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (found === null) {
      setOpen(false);
      return undefined;
    }
    const follow = () => setOpen(found.state.value === 'open');
    follow();
    return found.state.follow(follow);
  }, [found]);
  return isOpen ? found : null;
}

/** The id of the chosen emulator. */
export function useEmulator(): string | undefined {
  return useStore(current)?.id;
}

/** Receives events of the chosen emulator while the component is shown. */
export function useTopic(topic: string, listener: (name: string, event: GameEvent) => void): void {
  const found = useStore(socket);
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => found?.subscribe(topic, (name, event) => newest.current(name, event)), [found, topic]);
}

/** Calls again and again while the page is visible: the next call begins `interval` ms after the last one ended. */
export function usePolling(interval: number, action: () => Promise<unknown> | undefined, inputs: readonly unknown[]): void {
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
      if (!isOver) {
        timer = window.setTimeout(() => void run(), interval);
      }
    };
    void run();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // eslint-disable-next-line
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
