import { useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from '../ui/format';
import { usePolling, useStore } from '../ui/hooks';
import { current, socket } from './gateway';
import { type Domain, domains as readDomains } from './memory';
import type { GameEvent, Socket } from './socket';

const DelayEvery = 2000;

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

/** Tells the gateway how long a ping takes, which owners see in the list of guests. */
export function useDelay(isOn: boolean): void {
  const link = useOpenSocket();
  const delay = useRef<number | undefined>(undefined);
  usePolling(DelayEvery, async () => {
    if (link !== null && isOn) {
      const at = performance.now();
      await link.request('ping', { delayMs: delay.current });
      delay.current = Math.round((performance.now() - at) * 10) / 10;
    }
  }, [link, isOn]);
}

/** The memory domains of the chosen emulator's game. They are read until that succeeds; meanwhile there are none, and the sentence about a failure. */
export function useDomains(): { domains: readonly Domain[]; error: string | null } {
  const status = useStore(current);
  const game = `${status?.id} ${status?.epoch}`;
  const read = useRef<string | null>(null);
  const [domains, setDomains] = useState<readonly Domain[]>([]);
  const [error, setError] = useState<string | null>(null);
  usePolling(1000, async () => {
    if (status === null || read.current === game) {
      return;
    }
    try {
      setDomains(await readDomains(status.id));
      read.current = game;
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [game]);
  return { domains, error };
}
