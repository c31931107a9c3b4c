import { api, equal, eventually } from './tools.mjs';

/** A gateway without a fleet has no view of it. */
export async function no_fleet({ open }) {
  const page = await open('fleet');
  await page.locator('canvas').waitFor();
  equal(await page.getByRole('link', { name: 'Fleet' }).count(), 0, 'the number of links to the fleet');
}

/** Sessions are created on the page, run on hosts that the engine starts, are listed by state, and are deleted. */
export async function fleet({ base, open, auditLooks }) {
  const page = await open('fleet');
  await page.getByLabel('ROM').fill(':test:');
  await page.getByLabel('How many').press('ArrowUp'); // fill() does not replace a number in Firefox
  await page.getByRole('button', { name: 'Create' }).click();
  const rows = page.locator('[data-session]');
  await eventually('both sessions run', async () => (await rows.getByText('running').count()) === 2);
  await eventually('the figure says so', async () => (await page.locator('[data-figure="Running"]').innerText()) === '2');
  await page.locator('[data-host]', { hasText: '1 of 1' }).first().getByText('ready').waitFor();
  await eventually('their jobs are named', async () => (await rows.locator('[data-label="Job"]').getByText(/^\d+$/).count()) === 2);
  await eventually('the ages of their states are shown', async () => (await rows.locator('[data-label="Saved"]').getByText(/^\d+ s ago$/).count()) === 2);
  await api(base, 'POST', 'v2/fleet/sessions', { rom: 'no-such-rom.gba', owner: 'lab' });
  await auditLooks('fleet', async (one) => {
    await one.locator('[data-session]', { hasText: 'lab' }).waitFor();
    await one.locator('[data-session]').last().scrollIntoViewIfNeeded();
  });
  await page.getByLabel('State of the sessions').selectOption('pending');
  await eventually('only waiting sessions are listed', async () => (await rows.count()) === 1);
  await page.getByLabel('State of the sessions').selectOption('');
  for (let left = 3; left > 0; left -= 1) {
    await eventually('all sessions are listed', async () => (await rows.count()) === left);
    const button = page.getByRole('button', { name: /^Delete / }).first();
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  }
  await page.getByText('The fleet has no sessions.').waitFor();
}
