import { api, eventually, holds, number } from './tools.mjs';

const Properties = { 'the frames': { at: '0x02000008', type: 'u32' }, 'a value': { at: '0x02003000', type: 'u16' } };

/** Watches a property and a location, changes one, and shows its line. */
export async function watch({ base, open, auditLooks }) {
  await api(base, 'PUT', 'v2/properties', { properties: Properties });
  const page = await open('watch');
  await page.getByText('Nothing is watched').waitFor();
  await page.getByRole('button', { name: 'Add all 2 properties' }).click();
  const row = (name) => page.locator('tr', { hasText: name });
  await row('the frames').getByRole('button', { name: /^Change the frames, now \d/ }).waitFor();
  const value = async () => Number(await row('the frames').locator('td').nth(1).innerText());
  const first = await value();
  await eventually('the value is live', async () => (await value()) > first);
  await row('a value').getByRole('button', { name: /^Change/ }).click();
  await page.getByLabel('New value of a value').fill('0x1234');
  await page.keyboard.press('Enter');
  await eventually('the property is written', async () => (await number(base, '0x02003000', 'u16')) === 0x1234);
  await page.getByLabel('Property or location').fill('wram:0x3000');
  await page.getByLabel('Type of a location').selectOption('u8');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await eventually('the location is shown', async () => (await row('wram:0x3000').locator('td').nth(1).innerText()) === '52');
  await page.getByLabel('Property or location').fill('no such thing');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.error', { hasText: 'is not a property' }).waitFor();
  await page.reload();
  const remove = row('wram:0x3000').getByRole('button', { name: 'Remove wram:0x3000 u8' });
  await remove.waitFor();
  const place = async () => JSON.stringify(await remove.boundingBox());
  const before = await place();
  await row('wram:0x3000').getByRole('button', { name: 'Change wram:0x3000 u8, now 52' }).waitFor();
  holds((await place()) === before, 'a button stays where it is when the first values arrive');
  await remove.click();
  await row('wram:0x3000').waitFor({ state: 'detached' });
  await page.context().close();
  await auditLooks('watch', async (one) => {
    await one.getByRole('button', { name: 'Add all 2 properties' }).click();
    await one.locator('canvas').nth(1).waitFor();
  });
}

/** Freezes a value: the game cannot change it until it is released. */
export async function freeze({ base, open, audit }) {
  const page = await open('memory?at=0x02003100');
  await page.getByRole('heading', { name: '0x02003100' }).waitFor();
  await api(base, 'PUT', 'v2/memory/0x02003100/u8', { value: 9 });
  await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: '09' }).waitFor();
  await page.getByRole('button', { name: 'Freeze as u8' }).click();
  await page.getByText('0x02003100 = 9').waitFor();
  await audit(page, 'memory-frozen');
  await api(base, 'PUT', 'v2/memory/0x02003100/u8', { value: 3 });
  await eventually('the value is written again', async () => (await number(base, '0x02003100', 'u8')) === 9);
  await page.getByRole('button', { name: /^Release/ }).click();
  await page.getByText('0x02003100 = 9').waitFor({ state: 'detached' });
  await api(base, 'PUT', 'v2/memory/0x02003100/u8', { value: 3 });
  await api(base, 'POST', 'v2/wait', { frames: 5 }); // a freeze would write in each
  holds((await number(base, '0x02003100', 'u8')) === 3, 'a released value stays as it is');
  await page.locator('[role="gridcell"][aria-selected="true"]', { hasText: '03' }).waitFor();
  await page.getByRole('button', { name: 'Freeze as u8' }).click();
  await page.getByText('0x02003100 = 3').waitFor();
  await page.context().close();
  const other = await open('memory?at=0x02003100');
  const button = other.getByRole('button', { name: /^Release \S+ \(frozen by web-[0-9a-f]{4}\)$/ });
  await button.waitFor();
  await audit(other, 'memory-frozen-by-another');
  await button.click();
  await eventually('another tab releases it', async () => (await api(base, 'GET', 'v2/freezes')).freezes.length === 0);
  await button.waitFor({ state: 'detached' });
}

/** Cheats are added, switched off and on, and removed; what is no code gets a sentence. */
export async function cheats({ base, open, auditLooks }) {
  const page = await open('cheats');
  const names = async () => (await api(base, 'GET', 'v2/cheats')).cheats.map(({ name, enabled }) => `${name} ${enabled}`);
  await page.getByLabel('Name', { exact: true }).fill('seven lives');
  await page.getByLabel('Codes').fill('no code');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('form .error', { hasText: 'no code' }).waitFor();
  await page.getByLabel('Codes').fill('02001800:07');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await eventually('the cheat writes', async () => (await number(base, '0x02001800', 'u8')) === 7);
  await page.getByRole('checkbox', { name: 'seven lives' }).click();
  await eventually('it is off', async () => (await names()).join() === 'seven lives false');
  await page.getByRole('checkbox', { name: 'seven lives' }).click();
  await eventually('it is on', async () => (await names()).join() === 'seven lives true');
  await auditLooks('cheats', (one) => one.getByRole('checkbox', { name: 'seven lives' }).waitFor());
  await page.getByRole('button', { name: 'Remove seven lives' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No cheats').waitFor();
}
