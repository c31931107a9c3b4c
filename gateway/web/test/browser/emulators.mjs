import { api, equal, eventually } from './tools.mjs';

/** Starts, pauses, restarts and stops an emulator, reads its log, and changes to it. */
export async function emulators({ base, browserName, open, auditLooks }) {
  const page = await open('emulators');
  const id = `second-${browserName}`;
  await page.getByLabel('ROM').selectOption('mgba-bridge-test.gb');
  await page.getByLabel('Id (optional)').fill(id);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const card = page.locator('section.card', { has: page.getByRole('heading', { name: `${id} ` }) });
  await card.getByText('shown').waitFor();
  await page.locator('.emulator select', { hasText: id }).waitFor();
  const status = async () => (await api(base, 'GET', 'v2/emulators')).find((one) => one.id === id);
  await card.getByRole('button', { name: 'Pause' }).click();
  await eventually('it is paused', async () => (await status()).process.paused);
  await card.getByRole('button', { name: 'Continue' }).click();
  await card.getByLabel(`Speed of ${id}`).selectOption({ label: 'Double speed' });
  await eventually('it runs at double speed', async () => Math.round((await status()).process.targetFps) === 119);
  await card.getByRole('button', { name: 'Log' }).click();
  await card.getByText('listening on').waitFor();
  const { pid } = (await status()).process;
  await card.getByRole('button', { name: `Restart ${id}` }).click();
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await eventually('another process', async () => { const process = (await status())?.process; return process?.pid > 0 && process.pid !== pid; });
  await card.getByText('shown').waitFor();
  await page.goto(`${base}#/play`);
  await page.getByLabel('Live picture of MGBABRIDGE').waitFor();
  await eventually('a picture of the Game Boy', () => page.evaluate(() => document.querySelector('canvas')?.height === 144));
  const kept = { mine: `game-boy-${browserName}`, other: `advance-${browserName}` }; // two games with the same title
  await api(base, 'POST', `i/${id}/v2/states`, { name: kept.mine, replace: true });
  await api(base, 'POST', 'v2/states', { name: kept.other, replace: true });
  await page.goto(`${base}#/states`);
  await page.getByRole('button', { name: `Load ${kept.mine}`, exact: true }).waitFor();
  equal(await page.getByRole('button', { name: `Load ${kept.other}`, exact: true }).count(), 0, 'states of the other game');
  await page.getByLabel('This game only').uncheck();
  await page.getByRole('button', { name: `Load ${kept.other}`, exact: true }).waitFor();
  for (const name of Object.values(kept)) {
    await api(base, 'DELETE', `v2/states/${name}`);
  }
  await page.goto(`${base}#/emulators`);
  await card.getByRole('button', { name: `Stop ${id}` }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await card.waitFor({ state: 'detached' });
  await page.context().close();
  await auditLooks('emulators', (one) => one.getByText('ready').first().waitFor());
}
