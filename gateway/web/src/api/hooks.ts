import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../ui/store';
import { current, socket } from './gateway';
import type { GameEvent, Socket } from './socket';

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
