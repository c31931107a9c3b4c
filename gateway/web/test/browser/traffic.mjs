import { api, eventually, holds } from './tools.mjs';

/** Requests are counted, timed and listed, failures with their text. */
export async function traffic({ base, open, audit, auditLooks }) {
  const page = await open('traffic');
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
  const timer = setInterval(() => paths.forEach((path, index) => Math.random() * (index + 1) < 1 && void fetch(new URL(path, base)).catch(() => undefined)), 50);
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
