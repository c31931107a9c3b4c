import { api, equal, eventually } from './tools.mjs';

/** Requests are counted, timed and listed, failures with their text. */
export async function traffic({ base, browserName, open, audit, auditLooks }) {
  const page = await open('traffic');
  await api(base, 'PUT', 'v2/rewind', { every: 10, points: 10 }); // the gateway then waits for frames all the time
  const kept = async () => (await api(base, 'GET', 'v2/rewind')).points.at(-1)?.frame ?? 0;
  const row = (command) => page.getByRole('region', { name: 'Newest requests' }).locator('tr', { hasText: command });
  await eventually('the newest requests', async () => {
    await api(base, 'GET', 'v2/registers/pc'); // the gateway lists requests from the moment when somebody looks
    return page.getByRole('region', { name: 'Newest requests' }).isVisible();
  });
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
  await page.getByRole('region', { name: 'Requests by command' }).locator('tr', { hasText: 'state.get' }).waitFor();
  equal(await page.locator('td', { hasText: /^wait$/ }).count(), 0, 'the number of waits of the gateway');
  await api(base, 'DELETE', 'v2/rewind');
  await page.getByLabel('Failures only').check();
  const own = `${browserName}_${Date.now().toString(36)}`; // the list has other failures of this gateway, too, and only the newest
  const fail = (name) => fetch(new URL(`v2/memory/${name}:0x0/u8`, base));
  const listed = (name) => eventually(`the failure of ${name}`, async () => {
    await fail(name);
    return row(name).first().isVisible();
  });
  await listed(`${own}_first`);
  await audit(page, 'traffic-failures');
  await page.getByLabel('Filter').fill('no request has this');
  await page.getByText('No request matches.').waitFor();
  await page.getByLabel('Filter').fill(own);
  await listed(`${own}_filtered`);
  await page.getByRole('button', { name: 'Pause' }).click();
  const pausedLook = () => page.waitForResponse(/v2\/traffic\?.*limit=1$/);
  await pausedLook();
  await fail(`${own}_paused`);
  for (let looks = 0; looks < 3; looks++) { // the first may be under way, and what the second found is drawn before the third
    await pausedLook();
  }
  equal(await row(`${own}_paused`).count(), 0, 'the number of new rows of a paused list');
  await page.getByRole('button', { name: 'Continue' }).click();
  await listed(`${own}_paused`);
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
