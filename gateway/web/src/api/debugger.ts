import { useEffect } from 'preact/hooks';
import { hex } from '../ui/format';
import { useStore } from '../ui/hooks';
import { Store } from '../ui/store';
import { tell } from '../ui/toast';
import { current, isConnected, poll, type Status } from './gateway';
import { useOpenSocket } from './hooks';
import type { components } from './schema';
import type { Socket } from './socket';

export type Debugger = components['schemas']['DebuggerAnswer'];
export type Registers = Debugger['registers'];
export type Hit = NonNullable<Debugger['hit']>;
export type PointEntry = components['schemas']['PointEntry'];
export type PointKind = 'execute' | 'read' | 'write' | 'access' | 'change' | 'interrupt';
export type PointRequest = { kind: PointKind; location: string; condition?: string; reports?: boolean };
export type StepKind = 'into' | 'over' | 'out' | 'to';
export type BackKind = 'step' | 'point' | 'frame';
export type GameHistory = components['schemas']['HistoryAnswer'];
export type Writer = components['schemas']['WriterAnswer'];

/** The game as the debugger sees it, and its registers at the halt before; null before it is known. */
export const debugged = new Store<{ now: Debugger; before: Registers | null } | null>(null);

const RunsAfter = 150; // a step that is shorter is not shown as running
const StepLimit = 60_000;
const ToFrames = 36_000;
const ToLimit = 700_000; // of as many frames
const SearchLimit = 600_000;
const WritersShown = 5;

/** How much memory the history of a game may take. */
export const HistoryMegabytes = 256;

/** Whether there is a debugger: windows of mGBA have none. */
export const hasDebugger = (status: Status | null): boolean => status !== null && isConnected(status) && status.state !== 'no-game' && status.host === 'headless';

/** The name or the address of the instruction that is executed next. */
export const placeOf = ({ symbol, pc }: Debugger): string => symbol ?? pc ?? '';

/** Why the game is halted, in a sentence; null while it runs. */
export function haltText(now: Debugger): string | null {
  if (!now.halted) {
    return null;
  }
  const text = reasonOf(now);
  return typeof now.past === 'number' ? `${text} In the past, in frame ${now.past}.` : text;
}

function reasonOf(now: Debugger): string {
  const place = placeOf(now);
  switch (now.reason) {
    case 'step': return `Stepped to ${place}.`;
    case 'history': return `The history begins here, at ${place}.`;
    case 'moved': return `A state was loaded, or the game was reset: halted at ${place}.`;
    case 'point': return now.hit ? hitText(now.hit) : `Halted by a point at ${place}.`;
    default: return `Halted at ${place}.`;
  }
}

const valueText = (value: number | null | undefined): string => (value === null || value === undefined ? '?' : value > 0xffff ? `0x${hex(value, 8)}` : String(value));

/** What hit a point: `Watchpoint 2: score 10 → 0 by update+0x4.` */
export function hitText({ point, kind, pc, symbol, address, name, before, value, after, byDma }: Hit): string {
  const place = symbol ?? pc;
  if (kind === 'execute') {
    return `Breakpoint ${point}: ${place}.`;
  }
  if (kind === 'interrupt') {
    return `Interrupt (point ${point}): ${place}.`;
  }
  const by = byDma ? 'DMA' : place;
  const what = name ?? address;
  if (kind === 'read') {
    return `Watchpoint ${point}: ${what} was read as ${valueText(value)} by ${by}.`;
  }
  const taken = after === value ? '' : ` (${valueText(value)} was written)`;
  return before === after
    ? `Watchpoint ${point}: ${what} was written as ${valueText(value)} by ${by}.`
    : `Watchpoint ${point}: ${what} ${valueText(before)} → ${valueText(after)}${taken} by ${by}.`;
}

let last: Debugger | null = null;

/** Keeps what the debugger answered. */
export function take(now: Debugger): void {
  const isNew = now.halted && now.halt !== last?.halt;
  const before = isNew ? last?.registers ?? null : debugged.value?.before ?? null;
  if (now.halted) {
    last = now;
  }
  debugged.value = { now, before };
}

/** Another game, or none: nothing is known. */
export function forget(): void {
  last = null;
  debugged.value = null;
}

/** Asks whether the game is halted. */
export async function refresh(link: Socket): Promise<void> {
  take(await link.request<Debugger>('debug.get'));
}

// a halt and the points of this page belong to its WebSocket: both end when the page is closed
export async function halt(link: Socket): Promise<void> {
  take(await link.request<Debugger>('debug.halt', {}));
}

/** Lets the game run. */
export async function resume(link: Socket): Promise<void> {
  await link.request('debug.continue');
  await refresh(link);
}

/** Runs so far; it ends when the game is halted again. */
export async function step(link: Socket, kind: StepKind, location?: string): Promise<void> {
  take(await link.request<Debugger>('debug.step', kind === 'to' ? { kind, location, frames: ToFrames } : { kind }, kind === 'to' ? ToLimit : StepLimit));
}

/** Goes back in what the game did. */
export async function back(link: Socket, kind: BackKind): Promise<void> {
  take(await link.request<Debugger>('debug.back', { kind }, SearchLimit));
}

export const readHistory = (link: Socket): Promise<GameHistory> => link.request<GameHistory>('debug.history');

export async function keepHistory(link: Socket, megabytes: number): Promise<void> {
  await link.request('debug.keepHistory', { megabytes });
}

/** Who wrote to a place last. */
export async function findWriters(link: Socket, location: string): Promise<readonly Writer[]> {
  return (await link.request<components['schemas']['WritersAnswer']>('debug.writers', { location, count: WritersShown }, SearchLimit)).writers;
}

/** A write, without the instruction that made it: `Frame 4102: score 10 → 0 by`. */
export function writerText({ by, frame, address, name, before, value }: Writer): string {
  const who = by === 'game' ? 'by' : by === 'dma' ? 'by DMA' : 'from outside: a client, a freeze, a state or a reset';
  return `Frame ${frame}: ${name ?? address} ${valueText(before)} → ${valueText(value)} ${who}`;
}

const gameOf = (status: Status | null): string => `${status?.id} ${status?.epoch}`;

/** The points of this page, by id, and the game that they are of. */
let mine: { game: string; points: Map<number, PointRequest> } = { game: '', points: new Map() };

/** What was asked for when this page set a point; undefined for points of others. */
export const requestOf = (id: number): PointRequest | undefined => mine.points.get(id);

export async function addPoint(link: Socket, request: PointRequest): Promise<void> {
  const game = gameOf(current.value);
  const { point } = await link.request<{ point: number }>('debug.add', request);
  if (mine.game !== game) {
    mine = { game, points: new Map() };
  }
  mine.points.set(point, request);
}

export async function removePoint(link: Socket, id: number): Promise<void> {
  mine.points.delete(id);
  await link.request('debug.remove', { point: id });
}

export async function readPoints(link: Socket): Promise<PointEntry[]> {
  return (await link.request<components['schemas']['PointsAnswer']>('debug.list')).points;
}

/** Sets the points of this page again on another connection, since they ended with the one before. */
export async function restorePoints(link: Socket): Promise<void> {
  if (mine.game !== gameOf(current.value) || mine.points.size === 0) {
    return;
  }
  const wanted = [...mine.points.values()];
  mine.points.clear();
  let failure: unknown;
  for (const request of wanted) {
    await addPoint(link, request).catch((error: unknown) => { failure ??= error; });
  }
  if (failure !== undefined) {
    throw failure;
  }
}

/** Follows the debugger of the chosen emulator, for all views. */
export function useFollowDebugger(): void {
  const link = useOpenSocket();
  const status = useStore(current);
  const isOffered = hasDebugger(status);
  const game = gameOf(status);
  const isHalted = status?.state === 'halted';
  const isHaltedNow = useStore(debugged)?.now.halted;
  useEffect(() => {
    if (isHaltedNow !== undefined && isHaltedNow !== isHalted) {
      void poll(); // the status is older
    }
  }, [isHaltedNow]);
  useEffect(() => forget, [game, isOffered]);
  useEffect(() => {
    if (link !== null && isOffered) {
      restorePoints(link).catch((error: Error) => tell(`Not all breakpoints could be set again: ${error.message}`, true));
    }
  }, [link, isOffered]);
  useEffect(() => {
    if (link === null || !isOffered) {
      return undefined;
    }
    let timer = 0;
    const look = () => { refresh(link).catch(() => undefined); }; // the next change is seen again, and the page's notice says what is wrong
    const leave = [
      link.subscribe('debug', look),
      link.subscribe('game', (name) => {
        if (name === 'game.machine') {
          clearTimeout(timer);
          timer = window.setTimeout(look, RunsAfter);
        }
      }),
    ];
    look();
    return () => {
      clearTimeout(timer);
      leave.forEach((end) => { end(); });
    };
  }, [link, isOffered, game, isHalted]);
}
