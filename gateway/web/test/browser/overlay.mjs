import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { api, downloadBy, equal, eventually, holds, isPainted } from './tools.mjs';

const Query = 'overlay?show=screen,keys,watch,players,frame&watch=Frames%3D0x02000008/u32,0x02000020/u32';

/** The overlay has nothing but its parts, on a transparent background, and explains a wrong address. */
export async function overlay({ base, open, audit, auditLooks }) {
  const page = await open(Query);
  await eventually('a picture', () => isPainted(page));
  equal(await page.locator('nav, header, button, a').count(), 0, 'the number of controls');
  for (const element of ['html', 'body', 'main']) {
    equal(await page.locator(element).evaluate((one) => getComputedStyle(one).backgroundColor), 'rgba(0, 0, 0, 0)', `the background of ${element}`);
  }
  await api(base, 'PUT', 'v2/keys', { keys: ['A', 'Up'] });
  await page.locator('[data-key="A"].down').waitFor();
  await page.locator('[data-key="Up"].down').waitFor();
  await page.locator('.overlay-players', { hasText: 'test' }).waitFor();
  const shown = async () => Number((await page.locator('[data-value="0x02000008/u32"]').innerText()).replaceAll(',', ''));
  const first = await eventually('a value', shown);
  await eventually('the value follows the game', async () => (await shown()) > first);
  await audit(page, 'overlay');
  await api(base, 'DELETE', 'v2/keys');
  await page.locator('[data-key="A"]:not(.down)').waitFor();
  await page.locator('.overlay-players').waitFor({ state: 'detached' });
  await page.getByText('fps').waitFor();

  const wrong = await open('overlay?show=clock');
  await wrong.getByText('clock is none of them').waitFor();
  const missing = await open('overlay?show=watch&watch=nothing-of-this-name');
  await missing.locator('.overlay-error', { hasText: 'nothing-of-this-name' }).waitFor();
  const gone = await open('overlay?show=keys&emulator=nobody');
  await gone.locator('main.overlay').waitFor({ state: 'attached' });
  equal(await gone.locator('.overlay-panel').count(), 0, 'the number of panels without an emulator');

  const builder = await open('overlay');
  await builder.getByLabel('Values', { exact: true }).check();
  await builder.getByLabel('Values: names').fill('Frames=0x02000008/u32');
  await builder.getByLabel('Corner').selectOption('bottom-right');
  const address = await builder.getByLabel('Address', { exact: true }).inputValue();
  holds(address.startsWith(base) && address.includes('at=bottom-right'), `the address: ${address}`);
  const file = (await downloadBy(builder, () => builder.getByRole('button', { name: 'File' }).click())).toString();
  holds(file.includes(JSON.stringify(address)), `the file that waits: ${file}`);
  await builder.goto(address);
  await eventually('the address shows the value', async () => (await builder.locator('dt', { hasText: 'Frames' }).count()) === 1);
  await auditLooks('overlay', async (one) => {
    await eventually('the preview', () => isPainted(one));
  });
}

/** An overlay of several parts over one WebSocket: a vote with its ballots, names with scripts as text, and the result. */
export async function overlay_votes({ base, open, audit }) {
  const page = await open('overlay?show=votes,timer,keys');
  await page.locator('[data-overlay-timer]').waitFor();
  equal(await page.locator('.overlay-votes').count(), 0, 'the number of votes before one is open');
  const choices = [{ name: '<img src=x onerror=alert(1)>', sequence: 'A 4' }, { name: 'wait' }];
  const { id } = await api(base, 'POST', 'v2/votes', { title: 'Where to? <b>', mode: 'anarchy', keys: ['Left', 'Right'], choices, times: 3 });
  const cast = (voter, choice) => api(base, 'POST', `v2/votes/${id}/ballots`, { voter, choice });
  await page.locator('.overlay-votes').waitFor();
  await cast('ash', 'left');
  await cast('<script>alert(1)', 'left3');
  await cast('gary', '<IMG SRC=X ONERROR=ALERT(1)>');
  for (const name of ['<script>alert(1)</script>', '\u202egary']) {
    holds(await cast(name, 'left').then(() => false, ({ message }) => message.includes('400') && message.includes('expected a name')), `${name} is refused: it could not be blocked, or looks like another`);
  }
  await page.locator('[data-ballots="Left"]', { hasText: '2' }).waitFor();
  await page.locator('.overlay-ballots', { hasText: '<script>alert(1) Left3' }).waitFor();
  await page.locator('.overlay-ballots', { hasText: 'gary <img src=x onerror=alert(1)>' }).waitFor();
  equal(await page.locator('.overlay img, .overlay script').count(), 0, 'the number of elements from names');
  await audit(page, 'overlay-votes');
  await api(base, 'DELETE', `v2/votes/${id}`);
  await page.locator('.overlay-votes').waitFor({ state: 'detached' });

  const round = await api(base, 'POST', 'v2/votes', { keys: ['A', 'B'], seconds: 2 });
  await api(base, 'POST', `v2/votes/${round.id}/ballots`, { voter: 'ash', choice: 'b' });
  await page.locator('[data-overlay-result]', { hasText: 'Round 1: B, 1 of 1' }).waitFor();
}

/** The overlay as a file that is opened before the gateway runs: it waits for it. */
export async function overlay_first({ open, ask }) {
  const builder = await open('overlay');
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  try {
    const file = join(folder, 'overlay.html');
    writeFileSync(file, await downloadBy(builder, () => builder.getByRole('button', { name: 'File' }).click()));
    await ask('stop the gateway');
    const page = await open('', { at: 'about:blank' });
    const asked = page.waitForEvent('requestfailed');
    await page.goto(pathToFileURL(file).href);
    await asked;
    await ask('start the gateway');
    await page.locator('.overlay-screen canvas').waitFor();
    await eventually('the overlay has a picture', () => isPainted(page));
    equal(await page.locator('nav').count(), 0, 'the navigation of an overlay');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
