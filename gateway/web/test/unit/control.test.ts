import { expect, test, vi } from 'vitest';
import { explain } from '../../src/api/explain';
import { current, type Status } from '../../src/api/gateway';
import { holder } from '../../src/api/http';
import type { Socket } from '../../src/api/socket';
import { control, follow, leaseHolder, releaseControl, step, stepKeys, takeControl } from '../../src/api/control';
import { HeldKeys } from '../../src/views/play/keys';

const leased = (by: string) => ({ id: '1', state: 'leased', since: '', leaseHolder: by }) as Status;
const notice = () => explain({ isAway: false, isLate: false, status: current.value, socket: 'open', leaseHolder: leaseHolder.value, holder: holder.value, isOutdated: false });

test('nobody is named between the release and the next status', async () => {
  holder.value = 'web-1';
  current.value = leased('web-1');
  leaseHolder.value = 'web-1';
  control.value = { isMine: true, isRunning: false };
  await releaseControl({ request: async () => expect(notice()).toBeNull() } as unknown as Socket);
  follow(undefined);
  expect(current.value.state).toBe('leased');
  expect(notice()).toBeNull();
});

test('a holder that takes the lease at once is named', () => {
  follow('bot');
  expect(notice()?.text).toMatch(/^bot has control/);
  follow(undefined);
  expect(notice()).toBeNull();
  current.value = leased('other-bot');
  expect(notice()?.text).toMatch(/^other-bot has control/);
});

test('the first step has the keys that were pressed since control was taken', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  const steps: unknown[] = [];
  const link = { request: async (op: string, body: unknown) => { steps.push([op, body]); } } as unknown as Socket;
  const held = new HeldKeys(async () => undefined);
  stepKeys.take = () => held.forStep();
  held.press('keyboard', 'A');
  held.release('keyboard', 'A');
  held.press('keyboard', 'Up');
  await takeControl(link);
  held.press('keyboard', 'B');
  held.release('keyboard', 'B');
  await step(link, 1);
  expect(steps[1]).toEqual(['lease.step', { frames: 1, keys: ['B', 'Up'] }]);
  await releaseControl(link);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
