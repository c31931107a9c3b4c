import { api, bytesBy, equal, eventually, holds, number } from './tools.mjs';

const cell = (page) => page.locator('[role="gridcell"][aria-selected="true"]');

/** Live bytes, going to a name, typing into a byte, and numbers of several bytes. */
export async function memory({ base, open, auditLooks }) {
  await api(base, 'PUT', 'v2/properties', { properties: { 'the frames': { at: '0x02000008', type: 'u32' } } });
  const page = await open('memory');
  await page.locator('[role="gridcell"]', { hasText: '4D' }).first().waitFor(); // the test game's magic, MBT1
  await page.locator('.hex-cell.changed').first().waitFor();
  const go = async (where) => {
    await page.getByLabel('Address or name').fill(where);
    await page.getByRole('button', { name: 'Go' }).click();
  };
  await go('the frames');
  await page.getByRole('heading', { name: '0x02000008' }).waitFor();
  await go('0x02001000');
  await page.getByRole('heading', { name: '0x02001000' }).waitFor();
  await cell(page).focus();
  await page.keyboard.type('BEEF');
  await eventually('two bytes are written', async () => (await number(base, '0x02001000', 'u16')) === 0xefbe);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: '0x02001012' }).waitFor();
  await page.locator('section').getByLabel('Type').selectOption('u16');
  await page.getByLabel('New value').fill('-2');
  await page.getByRole('button', { name: 'Write' }).click();
  await eventually('a number is written', async () => (await number(base, '0x02001012', 'u16')) === 0xfffe);
  await page.getByLabel('New value').fill('70000');
  await page.getByRole('button', { name: 'Write' }).click();
  await page.locator('.error', { hasText: 'is not a u16' }).waitFor();
  await go('nothing like this');
  await page.locator('.error', { hasText: 'is not an address' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByLabel('Domain', { exact: true }).selectOption('cart0');
  await page.getByRole('heading', { name: '0x08000000' }).waitFor();
  await cell(page).focus();
  await page.keyboard.press('Control+End');
  await page.getByRole('heading', { name: '0x09FFFFFF' }).waitFor();
  await page.getByText('09FFFFF0').waitFor();
  await page.context().close();
  await auditLooks('memory', (one) => one.locator('.hex-cell.changed').first().waitFor());
}

/** A failure while the view is opened is shown, and the view continues by itself. */
export async function memory_in_time({ open }) {
  const page = await open('play');
  await page.locator('canvas').waitFor();
  let count = 0;
  await page.route('**/v2/memory/domains', (route) => {
    count += 1;
    return count > 2 ? route.continue() : route.fulfill({ status: 504, contentType: 'application/problem+json', body: JSON.stringify({ status: 504, detail: 'Nothing came.' }) });
  });
  await page.evaluate(() => { location.hash = '#/memory'; });
  await page.locator('.error', { hasText: 'Nothing came.' }).waitFor();
  await page.locator('[role="gridcell"]').first().waitFor();
}

/** Finds the count of presses of A, and shows its place in memory. */
export async function search({ base, open, auditLooks, picture }) {
  const page = await open('search');
  await page.getByLabel('Number').selectOption('u16');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('first pass').waitFor();
  const press = () => api(base, 'POST', 'v2/keys/tap', { keys: ['A'], frames: 2, wait: true });
  const refine = async (test, value, label = 'Value') => {
    const before = await page.getByText(/\d+ passes|first pass/).innerText();
    await page.getByLabel('Keep the places whose number').selectOption(test);
    if (value !== undefined) {
      await page.getByLabel(label, { exact: true }).fill(String(value));
    }
    await page.getByRole('button', { name: 'Refine' }).click();
    await eventually('the next pass', async () => (await page.getByText(/\d+ passes|first pass/).innerText()) !== before);
  };
  await press();
  await refine('increased');
  await refine('unchanged');
  for (let count = 0; count < 3; count += 1) {
    await press();
    await refine('increased');
    await refine('unchanged');
  }
  await refine('eq', await number(base, '0x02000020', 'u16'));
  const row = page.locator('tr', { hasText: 'wram:0x20' });
  await row.waitFor();
  equal(await row.locator('td').first().innerText(), '0x02000020 wram:0x20', 'the place');
  await press();
  await refine('decreased', '', 'By'); // a mistake
  await page.getByText('No place is left').waitFor();
  await picture(page, 'search-mistaken');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'what can be undone after that');
  await refine('increased', 1, 'By');
  await row.waitFor();
  await refine('changed', 1, 'By');
  await page.getByText('No place is left').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  await press();
  const now = await number(base, '0x02000020', 'u16');
  await eventually('the list is live', async () => (await row.locator('td').nth(1).innerText()) === String(now));
  await row.getByRole('button', { name: 'Watch wram:0x20' }).click();
  await page.locator('.toast', { hasText: 'wram:0x20' }).waitFor();
  await page.getByLabel('Keep the places whose number').selectOption('eq');
  await page.getByLabel('Value').fill('many');
  await page.getByRole('button', { name: 'Refine' }).click();
  await page.locator('.error', { hasText: 'is not a number' }).waitFor();
  await page.context().close();
  await auditLooks('search', (one) => one.locator('tr', { hasText: 'wram:0x20' }).waitFor());
  const cleaner = await open('search');
  await cleaner.getByRole('button', { name: 'Delete this search' }).click();
  await cleaner.getByText('No search yet').waitFor();
}

/** Saves, loads, compares, downloads and deletes states, and returns to one of the rewind ring. */
export async function states({ base, browserName, open, auditLooks }) {
  await api(base, 'PUT', 'v2/memory/0x02002000/u32', { value: 0 });
  const page = await open('states');
  const names = [`Höhle vor dem Boss ${browserName}`, `two-${browserName}`];
  for (const name of names) {
    await page.getByLabel('Name of the state').fill(name);
    await page.getByRole('button', { name: 'Save state' }).click();
    await page.getByRole('button', { name: `Load ${name}`, exact: true }).waitFor();
  }
  const card = (name) => page.locator('.state-card', { hasText: name });
  await card(names[0]).locator('img.picture').waitFor();
  for (const name of names) {
    await card(name).getByLabel('Compare').check();
  }
  await page.getByRole('heading', { name: `${names[0]} compared with ${names[1]}` }).waitFor();
  await page.getByText('bytes differ').waitFor();
  const file = await bytesBy(page, () => page.getByRole('button', { name: `Download ${names[0]}` }).click());
  equal(file.length, (await api(base, 'GET', `v2/states/${encodeURIComponent(names[0])}`)).length, 'the length of the downloaded state');
  const saved = (await api(base, 'GET', 'v2/states')).states.find(({ name }) => name === names[0]);
  await api(base, 'PUT', 'v2/memory/0x02002000/u32', { value: 77 });
  await page.getByRole('button', { name: `Load ${names[0]}`, exact: true }).click();
  await eventually('the state is loaded', async () => (await number(base, '0x02002000')) === 0);
  holds(saved.frame > 0, 'the state has a frame');
  await api(base, 'PUT', 'v2/memory/0x02002000/u32', { value: 78 });
  await page.locator('.shelf-tools input[type="file"]').setInputFiles({ name: 'downloaded.ss', mimeType: 'application/octet-stream', buffer: file });
  await eventually('the file is loaded', async () => (await number(base, '0x02002000')) === 0);
  await page.locator('.shelf-tools input[type="file"]').setInputFiles({ name: 'wrong.ss', mimeType: 'application/octet-stream', buffer: Buffer.from('not a state') });
  await page.locator('.error').waitFor();
  for (const name of names) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await card(name).waitFor({ state: 'detached' });
  }

  await fetch(new URL('v2/rewind', base), { method: 'DELETE' }); // Play may have begun to keep them
  await page.reload();
  await page.getByRole('button', { name: 'Keep the last minute' }).click();
  await eventually('states are kept', async () => (await fetch(new URL('v2/rewind', base))).ok); // 404 until the page's request has arrived
  await api(base, 'PUT', 'v2/memory/0x02002000/u32', { value: 5 });
  await eventually('two states are kept', async () => (await api(base, 'GET', 'v2/rewind')).points.length >= 2);
  await api(base, 'PUT', 'v2/memory/0x02002000/u32', { value: 6 });
  await page.locator('.rewind img').waitFor();
  const slider = page.getByLabel('State to return to');
  await slider.focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Continue from here' }).click();
  await eventually('the game continued from there', async () => (await number(base, '0x02002000')) !== 6);
  await page.getByRole('button', { name: 'Stop keeping' }).click();
  await page.getByRole('button', { name: 'Keep the last minute' }).waitFor();
  await page.context().close();
  await api(base, 'POST', 'v2/states', { name: `shelf-${browserName}`, replace: true });
  await auditLooks('states', (one) => one.locator('.state-card img').first().waitFor());
}
