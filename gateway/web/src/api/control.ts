import { current, socket } from './gateway';
import { call, holder } from './http';
import { RequestError } from './problem';
import type { Socket } from './socket';
import { Store } from '../ui/store';

const LimitMs = 10_000;
const RefreshMs = 1500;
const StepsAhead = 2;

/** Who has the lease, as far as this page knows; null when nobody has. */
export const leaseHolder = new Store<string | null>(null);

/** Whether this page has control, and whether it lets the game run. */
export const control = new Store<{ isMine: boolean; isRunning: boolean }>({ isMine: false, isRunning: false });

/** Where the keys of a step come from. */
export const stepKeys: { take: () => string[] } = { take: () => [] };

let timer = 0;

/** Takes the lease: from then on the game runs only in steps of this page. */
export async function takeControl(link: Socket): Promise<void> {
  await link.request('lease.take', { limitMs: LimitMs });
  stepKeys.take(); // what was pressed before is in no step
  control.value = { isMine: true, isRunning: false };
  leaseHolder.value = holder.value;
  keep(link);
}

/** Gives the lease back; the game continues. */
export async function releaseControl(link: Socket): Promise<void> {
  lose();
  await link.request('lease.release');
}

/** Ends the control of anybody, for owners. */
export async function endControl(): Promise<void> {
  await call('delete', '/v2/lease', { emulator: current.value?.id, holder: null });
}

/** Runs so many frames with the held keys. */
export async function step(link: Socket, frames: number): Promise<void> {
  try {
    await link.request('lease.step', frames === 0 ? { frames } : { frames, keys: stepKeys.take() });
  } catch (error) {
    if (error instanceof RequestError && ['rejected', 'leased', 'role-needed'].includes(error.kind) && error.problem.code !== 'guard-failed') {
      lose();
    }
    throw error;
  }
}

/** Lets the game run at its rate while this page has control, in steps of one frame with the keys of that moment. */
export async function runUnderControl(link: Socket): Promise<void> {
  control.value = { isMine: true, isRunning: true };
  const isOn = () => control.value.isMine && control.value.isRunning;
  const worker = async () => {
    while (isOn()) {
      await step(link, 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: StepsAhead }, worker));
  } finally {
    stop();
  }
}

/** Stops the game between two frames. */
export function stop(): void {
  if (control.value.isRunning) {
    control.value = { ...control.value, isRunning: false };
  }
}

/** The lease changed hands, or it ended. */
export function follow(name: string | undefined): void {
  leaseHolder.value = name ?? null;
  if (name !== holder.value) {
    lose();
  }
}

function lose(): void {
  clearInterval(timer);
  control.value = { isMine: false, isRunning: false };
  if (leaseHolder.value === holder.value) {
    leaseHolder.value = null;
  }
}

// a step of no frames shows that the holder is still there
function keep(link: Socket): void {
  clearInterval(timer);
  timer = window.setInterval(() => {
    if (!control.value.isMine || socket.value !== link) {
      lose();
    } else if (!control.value.isRunning) {
      step(link, 0).catch(() => undefined);
    }
  }, RefreshMs);
}

// the status names the holder to a page that was opened during a lease; events arrive earlier
current.follow(() => {
  if (!control.value.isMine) {
    leaseHolder.value = current.value?.leaseHolder ?? null;
  }
});
