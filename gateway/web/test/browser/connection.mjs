import { api, eventually, holds } from './tools.mjs';

/** Without an emulator: the steps to connect one. */
export async function first_contact({ open, audit, auditLooks, ask }) {
  await auditLooks('play', (page) => page.getByText('Three steps to the first button press').waitFor());
  const page = await open();
  const script = await page.locator('#script').first().innerText();
  holds(script.startsWith('/') && script.endsWith('mgba-bridge.lua'), `the page names the script: ${script}`);
  await ask('start an emulator');
  await page.locator('canvas').waitFor();
  await audit(page, 'play-after-first-contact');
}

/** The gateway restarts while the page is open: the page says so and continues. */
export async function restart({ base, open, audit, ask }) {
  const page = await open('play');
  await page.locator('canvas').waitFor();
  await ask('stop the gateway');
  await page.locator('.notice', { hasText: 'The gateway does not answer' }).waitFor();
  await audit(page, 'gateway-gone');
  await ask('start the gateway');
  await page.locator('.notice').waitFor({ state: 'detached' });
  const frame = async () => (await page.locator('[data-measure="Frame"]').innerText()).replaceAll(',', '');
  const first = await frame();
  await eventually('pictures continue', async () => (await frame()) !== first);
}

/** A gateway with a token asks for it once, and says when it is wrong. */
export async function token({ base, open, audit, ask }) {
  const page = await open('play');
  await page.getByLabel('Token').waitFor();
  await audit(page, 'token-light');
  await page.getByLabel('Token').fill('this-is-not-the-token');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('did not accept the token').waitFor();
  await page.getByLabel('Token').fill('a-token-of-the-tests');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('canvas').waitFor();
  const painted = () => page.evaluate(() => document.querySelector('canvas').getContext('2d').getImageData(0, 0, 240, 160).data.some((value, index) => index % 4 === 2 && value > 0));
  await eventually('a picture over the WebSocket', painted);
  await page.reload();
  await page.locator('canvas').waitFor();
  await eventually('a picture after a reload', painted);
}

/** Paused, gone and back: one sentence each. */
export async function states_of_the_emulator({ base, open, audit }) {
  const page = await open('play');
  await page.locator('canvas').waitFor();
  const [{ id }] = await api(base, 'GET', 'v2/emulators');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: true });
  await page.locator('.notice', { hasText: 'The game is paused.' }).waitFor();
  await audit(page, 'play-paused');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: false });
  await page.locator('.notice').waitFor({ state: 'detached' });
  await page.context().setOffline(true);
  await page.locator('.notice', { hasText: 'The gateway does not answer' }).waitFor();
  await page.context().setOffline(false);
  await page.locator('.notice').waitFor({ state: 'detached' });
}
