import { keptStore, Store } from '../ui/store';
import { call } from './http';
import type { components } from './schema';
import { Socket } from './socket';
import { token } from './token';

export type Status = components['schemas']['StatusAnswer'];

const Interval = 1000;
const HiddenInterval = 10000;

/** The states in which an emulator's script answers. */
const Answering = new Set(['ready', 'leased', 'paused', 'stopped', 'crashed', 'no-game']);

export const isConnected = (status: Status): boolean => Answering.has(status.state);

/** Whether the gateway opened a window in which the script is not loaded. */
export const lacksScript = ({ state, process }: Status): boolean => state === 'script-missing' && process?.window === true && process.pid !== 0;

/** All emulators, or null before the first answer. */
export const emulators = new Store<Status[] | null>(null);

/** How many polls in a row had no answer. */
export const failures = new Store(0);

/** The names of the gateway's operations; null until they are known. Views of operations that this gateway lacks say so. */
export const operations = new Store<ReadonlySet<string> | null>(null);

/** Whether the gateway has been updated since this page was loaded. */
export const isOutdated = new Store(false);

/** The emulator that the person chose; null is the first. */
export const chosen = keptStore<string | null>('emulator', null);

/** The emulator that the address names, instead of the chosen one; null for none. */
export const pinned = new Store<string | null>(null);

/** The WebSocket to the chosen emulator; null while there is none. */
export const socket = new Store<Socket | null>(null);

/** The status of the chosen emulator. */
export const current = new Store<Status | null>(null);

let timer = 0;
let lost = false;

/** Follows the emulators from now on. */
export function start(): void {
  chosen.follow(choose);
  pinned.follow(choose);
  token.follow(() => {
    if (!token.value.wanted) {
      socket.value?.close();
      socket.value = null;
      void poll();
    }
  });
  document.addEventListener('visibilitychange', () => void poll());
  void poll();
}

/** Looks again now. */
export async function poll(): Promise<void> {
  clearTimeout(timer);
  try {
    const found = await call('get', '/v2/emulators', {});
    emulators.value = found as Status[];
    choose();
    if (operations.value === null || lost) {
      await learn();
    }
    failures.value = 0;
  } catch {
    lost = true;
    if (!token.value.wanted) {
      failures.value += 1;
    }
  }
  clearTimeout(timer);
  timer = window.setTimeout(() => void poll(), document.hidden ? HiddenInterval : Interval);
}

// after a restart the gateway may be another version: other operations, and another page
async function learn(): Promise<void> {
  const answer = await call('get', '/v2/operations', {});
  operations.value = new Set(answer.operations.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]));
  if (lost) {
    const html = await (await fetch('./', { cache: 'no-store' })).text();
    const found = /name="mgba-page" content="([^"]*)"/.exec(html)?.[1];
    const mine = document.querySelector<HTMLMetaElement>('meta[name="mgba-page"]')?.content;
    isOutdated.value = found !== undefined && found !== mine;
  }
  lost = false;
}

function choose(): void {
  const all = emulators.value ?? [];
  const named = all.find(({ id }) => id === (pinned.value ?? chosen.value)) ?? null;
  const status = pinned.value !== null ? named : named ?? all.find(isConnected) ?? all[0] ?? null;
  current.value = same(current.value, status) ? current.value : status;
  if (socket.value?.emulator !== status?.id) {
    socket.value?.close();
    socket.value = status === null ? null : new Socket(status.id);
  }
}

function same(one: Status | null, other: Status | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
