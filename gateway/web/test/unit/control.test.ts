import { expect, test } from 'vitest';
import { explain } from '../../src/api/explain';
import { current, type Status } from '../../src/api/gateway';
import { holder } from '../../src/api/http';
import type { Socket } from '../../src/api/socket';
import { control, follow, leaseHolder, releaseControl } from '../../src/api/control';

const leased = (by: string) => ({ id: '1', state: 'leased', since: '', leaseHolder: by }) as Status;
const notice = () => explain({ isAway: false, status: current.value, socket: 'open', leaseHolder: leaseHolder.value, holder: holder.value, isOutdated: false });

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
