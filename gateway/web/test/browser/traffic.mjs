import { api, equal, eventually, holds } from './tools.mjs';

/** Requests are counted, timed and listed, failures with their text. */
export async function traffic({ base, open, audit, auditLooks }) {
  const page = await open('traffic');
  await api(base, 'PUT', 'v2/rewind', { every: 10, points: 10 }); // the gateway then waits for frames all the time
  const kept = async () => (await api(base, 'GET', 'v2/rewind')).points.at(-1)?.frame ?? 0;
  const row = (command) => page.getByRole('region', { name: 'Newest requests' }).locator('tr', { hasText: command });
  await eventually('the newest requests', async () => {
    await api(base, 'GET', 'v2/registers/pc'); // the gateway lists requests from the moment when somebody looks
    return page.getByRole('region', { name: 'Newest requests' }).isVisible();
  });
  await fetch(new URL('v2/memory/nowhere:0x0/u8', base));
  await row('register').first().waitFor();
  await eventually('a rate', async () => Number.parseFloat(await page.locator('[data-figure="Requests"]').innerText()) > 0);
  await eventually('a median', async () => (await page.locator('[data-figure="Median"]').innerText()).endsWith('ms'));
  const command = page.getByRole('region', { name: 'Requests by command' }).locator('tr', { hasText: 'register' });
  await eventually('the command', async () => {
    await api(base, 'GET', 'v2/registers/pc'); // the table counts from the first look of the page
    return command.isVisible();
  });
  const first = await kept();
  await eventually('the gateway waited', async () => (await kept()) > first + 20);
  await page.getByRole('region', { name: 'Requests by command' }).locator('tr', { hasText: 'state.save' }).waitFor();
  equal(await page.locator('td', { hasText: /^wait$/ }).count(), 0, 'the number of waits of the gateway');
  await api(base, 'DELETE', 'v2/rewind');
  await page.getByLabel('Failures only').check();
  const failure = page.locator('.traffic-log tr', { hasText: 'nowhere' }).first(); // the other browser's are still listed
  await failure.waitFor();
  await audit(page, 'traffic-failures');
  await page.getByLabel('Filter').fill('no request has this');
  await page.getByText('No request matches.').waitFor();
  await page.getByLabel('Filter').fill('');
  await page.getByRole('button', { name: 'Pause' }).click();
  const count = await page.locator('.traffic-log tbody tr').count();
  await fetch(new URL('v2/memory/nowhere:0x0/u8', base));
  holds((await page.locator('.traffic-log tbody tr').count()) === count, 'a paused list does not change');
  await page.getByRole('button', { name: 'Continue' }).click();
  await eventually('the list continues', async () => (await page.locator('.traffic-log tbody tr').count()) > count);
  await page.context().close();
  const paths = ['v2/keys', 'v2/memory/0x02000008/u32', 'v2/registers/pc', 'v2/screen', 'v2/memory/nowhere:0x0/u8'];
  const timer = setInterval(() => {
    for (const path of paths.filter((_, index) => Math.random() * (index + 1) < 1)) {
      fetch(new URL(path, base)).catch(() => undefined);
    }
  }, 50);
  try {
    await auditLooks('traffic', async (one) => {
      await one.getByRole('region', { name: 'Newest requests' }).waitFor();
      await one.locator('.histogram').waitFor();
      await eventually('some seconds', async () => (await one.locator('.bar').count()) > 3);
    });
  } finally {
    clearInterval(timer);
  }
}
