import { keptStore, Store } from '../ui/store';
import { isAway } from './away';
import { readAccess } from './allowed';
import { call, socketOf } from './http';
import type { components } from './schema';
import { Socket } from './socket';
import { token } from './token';

export type Status = components['schemas']['StatusAnswer'];

const Interval = 1000;
const HiddenInterval = 10000;
const AwayAfter = 2;
const LateAfter = 5000;

/** The states in which an emulator's script answers. */
const Answering = new Set(['ready', 'leased', 'paused', 'halted', 'stopped', 'crashed', 'no-game']);

/** What the gateway wrote into the page: the script's file, a command that starts mGBA with it, the page's version, whether there is a fleet, and emulators without and with a window. */
export const meta = (name: 'script' | 'start' | 'page' | 'fleet' | 'headless' | 'window'): string => document.querySelector<HTMLMetaElement>(`meta[name="mgba-${name}"]`)?.content ?? '';

export const isConnected = (status: Status): boolean => Answering.has(status.state);

/** Whether the gateway opened a window in which the script is not loaded. */
export const lacksScript = ({ state, process }: Status): boolean => state === 'script-missing' && process?.window === true && process.pid !== 0;

/** Whether the gateway started it without a window, and starts it again by itself when it ends. */
export const isRestarted = ({ process }: Status): boolean => process?.window === false;

/** The game's name for people: its title, or the file of one without a title. Empty when neither is known. */
export function gameName({ title, platform, process }: Status): string {
  const file = process?.rom.split(/[\\/]/).at(-1);
  return title?.trim() || file || (platform === 'gba' || platform === 'gb' ? 'Untitled game' : '');
}

/** All emulators, or null before the first answer. */
export const emulators = new Store<Status[] | null>(null);

/** Whether the gateway has been updated since this page was loaded. */
export const isOutdated = new Store(false);

/** Whether the gateway has left a request without an answer for a while, as when the browser has no connection left for it. */
export const isLate = new Store(false);

/** The emulator that the person chose; null is the first. */
export const chosen = keptStore<string | null>('emulator', null);

/** The emulator that the address names, instead of the chosen one; null for none. */
export const pinned = new Store<string | null>(null);

/** The WebSocket to the chosen emulator; null while there is none. */
export const socket = new Store<Socket | null>(null);

/** The status of the chosen emulator. */
export const current = new Store<Status | null>(null);

let connected: string | undefined; // the emulator of the socket
let timer = 0;
let failures = 0;
let isAccessKnown = false;

/** Follows the emulators from now on. */
export function start(): void {
  chosen.follow(choose);
  pinned.follow(choose);
  token.follow(() => {
    isAccessKnown = false;
    connected = undefined;
    socket.value?.close();
    socket.value = null;
    void poll();
  });
  document.addEventListener('visibilitychange', () => void poll());
  void poll();
}

/** Looks again now. */
export async function poll(): Promise<void> {
  clearTimeout(timer);
  if (token.value.wanted) {
    return; // until there is another one
  }
  const late = window.setTimeout(() => { isLate.value = true; }, LateAfter);
  try {
    const found = await call('get', '/v2/emulators', {});
    emulators.value = found as Status[];
    choose();
    if (failures > 0 || !isAccessKnown) {
      await readAccess();
      isAccessKnown = true;
    }
    if (failures > 0) {
      await compare();
    }
    failures = 0;
  } catch {
    failures += 1;
  }
  clearTimeout(late);
  isLate.value = false;
  isAway.value = failures >= AwayAfter;
  clearTimeout(timer);
  timer = window.setTimeout(() => void poll(), document.hidden ? HiddenInterval : Interval);
}

// after a restart the gateway may be another version, with another page
async function compare(): Promise<void> {
  const html = await (await fetch('./', { cache: 'no-store' })).text();
  const found = /name="mgba-page" content="([^"]*)"/.exec(html)?.[1];
  isOutdated.value = found !== undefined && found !== meta('page');
}

function choose(): void {
  const all = emulators.value ?? [];
  const named = all.find(({ id }) => id === (pinned.value ?? chosen.value)) ?? null;
  const status = pinned.value !== null ? named : named ?? all.find(isConnected) ?? all[0] ?? null;
  current.value = same(current.value, status) ? current.value : status;
  if (connected !== status?.id) {
    connected = status?.id;
    socket.value?.close();
    const opened = status === null ? null : new Socket(() => socketOf(status.id));
    opened?.state.follow(() => { isAccessKnown &&= opened.state.value === 'open'; }); // a guest with another role is connected again
    socket.value = opened;
  }
}

function same(one: Status | null, other: Status | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
