import { cuttable } from './proxy.mjs';
import { api, equal, eventually, holds } from './tools.mjs';

const Frames = '0x02000008'; // of the test game, counted by one instruction

/** A breakpoint that is set by a click halts the game; steps, run to here and continue; a watchpoint, registers, memory; the halt is also shown in Play. */
export async function debug({ base, browserName, open, audit, auditLooks, picture }) {
  const { id } = await api(base, 'POST', 'v2/emulators', { rom: 'mgba-bridge-test.gba', id: `debug-${browserName}` });
  const at = new URL(`i/${id}/`, base);
  const halted = async () => (await api(at, 'GET', 'v2/debug')).halted;
  const { point } = await api(at, 'POST', 'v2/debug/points', { kind: 'change', location: Frames, length: 4 });
  const { hit } = await eventually('it counts a frame', async () => { const now = await api(at, 'GET', 'v2/debug'); return now.halted && now; });
  await api(at, 'DELETE', `v2/debug/points/${point}`);
  await api(at, 'POST', 'v2/debug/continue');
  await fetch(new URL('v2/symbols', at), { method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' }, body: `${hit.pc.slice(2)} count_frame\n${Frames.slice(2)} frames\n` });

  const proxy = await cuttable(new URL(base));
  const page = await open('debug?at=count_frame', { at: proxy.url });
  await page.getByLabel('Emulator', { exact: true }).selectOption(id);
  const reason = page.locator('.debug-reason');
  const said = (text) => reason.filter({ hasText: text }).waitFor();
  const press = (name) => page.getByRole('button', { name, exact: true }).click();
  const row = (address) => page.locator(`.debug-row[data-address="${address}"]`);
  await said('The game runs.');
  await row(hit.pc).getByRole('button', { name: `Breakpoint at ${hit.pc}` }).click();
  await said(/^Breakpoint \d+: count_frame\.$/);
  equal(await row(hit.pc).getAttribute('aria-current'), 'step', 'the current instruction');
  equal(await row(hit.pc).getByRole('button', { name: /^Breakpoint/ }).getAttribute('aria-pressed'), 'true', 'the mark of the breakpoint');
  await page.getByRole('region', { name: 'Points', exact: true }).getByRole('button', { name: 'count_frame', exact: true }).waitFor();
  await page.getByRole('list', { name: 'Functions that are under way' }).getByRole('button', { name: 'count_frame', exact: true }).waitFor();
  await picture(page, 'debug-breakpoint');

  await page.keyboard.press('F11');
  await said(/^Stepped to count_frame\+0x[24]\.$/);
  await page.getByLabel(/^Change pc, now 0x[0-9A-F]{8}, changed$/).waitFor();
  await press('Step over');
  await said(/^Stepped to count_frame\+0x[468]\.$/);
  const next = await page.locator('.debug-row.current + .debug-row').getAttribute('data-address');
  await row(next).locator('.debug-address').click();
  await page.keyboard.press('F4');
  await page.locator(`.debug-row.current[data-address="${next}"]`).waitFor();
  await page.getByRole('button', { name: /^Change r7,/ }).click();
  await page.getByLabel('New value of r7').fill('1f');
  await page.keyboard.press('Enter');
  await page.getByLabel('Change r7, now 0x0000001F').waitFor();
  equal((await api(at, 'GET', 'v2/registers/r7')).value, 0x1f, 'the register');
  await page.getByText('Devices').click();
  await page.locator('.debug-devices', { hasText: 'IME' }).waitFor();
  await audit(page, 'debug-halted');

  const firstRow = () => page.locator('.debug-row').first().getAttribute('data-address');
  const first = await firstRow();
  await press('Earlier');
  await eventually('code before it', async () => (await firstRow()) < first);
  await page.locator('.debug-row.current').click();
  await page.getByLabel('Instructions of').selectOption('arm');
  await page.locator('.debug-row[aria-selected="true"] .debug-bytes', { hasText: /^[0-9a-f]{8}$/ }).waitFor();
  await page.getByLabel('Place in the code').fill('pc');
  await page.keyboard.press('Enter');
  await press('Current');
  await page.locator('.debug-row.current .debug-bytes', { hasText: /^[0-9a-f]{4}$/ }).waitFor();
  const branch = page.locator('.debug-row', { has: page.locator('button[title^="Show the code"]') }).last();
  const target = (await branch.locator('.debug-text button').getAttribute('title')).slice(-8);
  await branch.focus();
  await page.keyboard.press('Enter');
  await page.locator(`.debug-row[aria-selected="true"][data-address="0x${target}"]`).waitFor();
  await press('Current');

  proxy.cut();
  await said('The connection is lost.');
  await eventually('the game runs on', async () => !(await halted()));
  equal((await api(at, 'GET', 'v2/debug/points')).points, [], 'points without the connection');
  await picture(page, 'debug-cut');
  proxy.mend();
  await said(/^Breakpoint \d+: count_frame\.$/); // it is set again
  await press('Step into');
  await said(/^Stepped to count_frame/);

  await page.evaluate(() => { location.hash = '#/play'; });
  const notice = page.locator('.notice', { hasText: 'Stepped to count_frame' });
  await notice.waitFor();
  await audit(page, 'debug-play');
  await notice.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.notice', { hasText: 'Breakpoint' }).getByRole('link', { name: 'Debug' }).click(); // in the next frame
  await said(/^Breakpoint \d+: count_frame\.$/);
  await page.locator('.debug-row.current').focus();
  await page.keyboard.press('F9');
  await page.getByText('None. Click in front').waitFor();
  await page.keyboard.press('c');
  await said('The game runs.');
  await eventually('it runs', async () => !(await halted()));

  // back in its history, and who wrote a value
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'History' }) });
  await card.getByRole('button', { name: 'Keep' }).click();
  await card.getByText(/^Kept since frame \d+/).waitFor();
  await card.getByLabel('Who wrote to this place').fill('frames');
  await card.getByRole('button', { name: 'Who wrote it?' }).click();
  await card.getByRole('listitem').first().filter({ hasText: /^Frame \d+: .*frames \d+ → \d+ by count_frame/ }).waitFor();
  await press('Halt');
  await said(/^Halted at /);
  await press('Step back');
  await said(/^Stepped to /);
  await card.getByText('The game is in its past').waitFor();
  await page.keyboard.press('r');
  await said('The history begins here');
  await picture(page, 'debug-history');
  await press('Continue');
  await said('The game runs.');
  await eventually('it is in the present', async () => !(await api(at, 'GET', 'v2/debug/history')).inPast);

  await page.getByLabel('Address or name').fill('frames');
  await page.getByLabel('Condition').fill('frames > 5');
  await press('Add');
  await said(/^Watchpoint \d+: .*frames \d+ → \d+ by count_frame\.$/);
  await page.getByText('if frames > 5').waitFor();
  await page.getByRole('button', { name: /^Remove point/ }).click();
  await page.getByLabel('Report only').check();
  await page.getByLabel('Address or name').fill(Frames);
  await page.getByLabel('Condition').fill('');
  await press('Add');
  await press('Continue');
  await page.locator('.debug-hits', { hasText: 'by count_frame' }).waitFor();
  holds(!(await halted()), 'a point that reports does not halt');
  await page.getByLabel('Address or name').fill('nothing like this');
  await press('Add');
  await page.locator('.debug-add .error').waitFor();

  await press('Halt');
  await said(/^Halted at/);
  await page.context().close();
  proxy.close();
  await eventually('the game runs on when the page is closed', async () => !(await halted()));
  equal((await api(at, 'GET', 'v2/debug/points')).points, [], 'its points');

  await api(at, 'POST', 'v2/debug/points', { location: hit.pc });
  await auditLooks('debug', async (one) => {
    await one.getByLabel('Emulator', { exact: true }).selectOption(id);
    await one.locator('.debug-reason', { hasText: 'Breakpoint' }).waitFor();
    await one.locator('.debug-stack').waitFor();
  });
  await api(base, 'DELETE', `v2/emulators/${id}`);
}
