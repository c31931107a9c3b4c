import { holder } from '../api/http';
import { keptStore } from '../ui/store';

const TabKey = 'mgba-bridge.tab';

/** The name under which others see who holds keys and who has control. */
export const personName = keptStore('name', '');

/** What a name may have: the characters of a holder. */
export const NamePattern = /^[A-Za-z0-9_.-]{0,40}$/;

/** Names the holder of this tab: two tabs must not release each other's keys. */
export function nameHolder(): void {
  holder.value = `${personName.value || 'web'}-${tab()}`;
}

function tab(): string {
  try {
    const known = sessionStorage.getItem(TabKey);
    // a duplicated tab has a copy of the storage
    if (known !== null && performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload')) {
      return known;
    }
    const fresh = random();
    sessionStorage.setItem(TabKey, fresh);
    return fresh;
  } catch {
    return random();
  }
}

function random(): string {
  return [...crypto.getRandomValues(new Uint8Array(2))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
