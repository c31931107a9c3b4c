import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { api, bytesBy, equal, eventually, holds, isPainted } from './tools.mjs';

const TestRom = readFileSync(new URL('../../../../headless/roms/mgba-bridge-test.gba', import.meta.url));

/** Starts, pauses, restarts and stops an emulator, reads its log, and changes to it. */
export async function emulators({ base, browserName, open, auditLooks }) {
  const page = await open('emulators');
  const id = `second-${browserName}`;
  await page.locator('form').getByLabel('ROM').selectOption('mgba-bridge-test.gb');
  await page.getByLabel('Id (optional)').fill(id);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const card = page.locator('section.card', { has: page.getByRole('heading', { name: `${id} ` }) });
  await card.getByText('shown').waitFor();
  await page.locator('.shell-emulator select', { hasText: id }).waitFor();
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
  await page.evaluate(() => { location.hash = '#/play'; });
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

/** A zip archive of these files, not compressed. */
function zip(files) {
  const [parts, list] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const label = Buffer.from(name);
    const common = Buffer.alloc(26); // from the version to the length of the extra field
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2); // the name is UTF-8
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(label.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\u0003\u0004'), common, label, content);
    list.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), common, rest, label);
    offset += 30 + label.length + content.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(list.length / 4, 4);
  end.writeUInt16LE(list.length / 4, 6);
  end.writeUInt32LE(Buffer.concat(list).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...list, Buffer.from('PK\u0005\u0006'), end]);
}

/** Drops a file on a page. */
const dropOn = (page) => (name, bytes) => page.evaluate(([name, base64]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
  const target = document.querySelector('main');
  target.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  target.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [name, bytes.toString('base64')]);

/** A ROM that is dropped on the page is played; it stays there as a tile; what is no ROM gets a sentence. */
export async function bring({ base, browserName, open, audit, picture }) {
  const page = await open('emulators');
  const drop = dropOn(page);
  await page.getByText('Drop a ROM here').waitFor();
  await drop('notes.gba', Buffer.from('no ROM'));
  await page.locator('.toast', { hasText: 'notes.gba is not a GBA, GB or GBC ROM' }).waitFor();

  await drop('notes.txt', Buffer.from('no ROM'));
  await page.locator('.toast', { hasText: '.mb or .zip; this one is "notes.txt"' }).waitFor();

  const name = `Mein Spiel é ${browserName}.gba`;
  const rom = Buffer.concat([TestRom, Buffer.from(browserName)]); // other bytes than those of the game that runs
  await drop(name, rom);
  await page.waitForURL(/#\/play$/);
  await eventually('a picture', () => isPainted(page));
  const all = () => api(base, 'GET', 'v2/emulators');
  const started = (await all()).find(({ process }) => process?.rom.endsWith(name));
  holds(started !== undefined, 'an emulator runs the uploaded ROM');
  await page.goto(`${base}#/emulators`);
  await drop(`other name ${browserName}.gba`, rom); // the same bytes: the game that runs is shown
  await page.waitForURL(/#\/play$/);
  equal((await all()).filter(({ process }) => process?.rom.endsWith(`${browserName}.gba`)).length, 1, 'emulators with these bytes');
  await api(base, 'DELETE', `v2/roms/${encodeURIComponent(`other name ${browserName}.gba`)}`);
  await eventually('the page remembers it', () => page.evaluate(() => localStorage.getItem('mgba-bridge.recent-games')));

  await page.goto(`${base}#/emulators`);
  const tile = page.locator(`.rom-tile[title$="${name}"]`);
  await tile.waitFor();
  await audit(page, 'emulators-played-before');
  await tile.click(); // it runs: no second one is started
  await page.waitForURL(/#\/play$/);
  equal((await all()).filter(({ process }) => process?.rom.endsWith(name)).length, 1, 'emulators with this ROM');
  await api(base, 'DELETE', `v2/emulators/${started.id}`);
  await page.goto(`${base}#/emulators`);
  await tile.click();
  await eventually('it is started again', async () => (await all()).some(({ process }) => process?.rom.endsWith(name)));
  await page.waitForURL(/#\/play$/);

  await drop(`both ${browserName}.zip`, zip({ 'game.sav': Buffer.from('save'), [name]: rom }));
  await page.locator('.toast', { hasText: `Of both ${browserName}.zip only the ROM is used, not game.sav.` }).waitFor();
  await picture(page, 'bring-zip');
  await drop('two.zip', zip({ 'a.gba': TestRom, 'b.gba': TestRom }));
  await page.locator('.toast', { hasText: 'more than one ROM, a.gba and b.gb' }).waitFor();

  for (const { id } of (await all()).filter(({ process }) => process?.rom.endsWith(name))) {
    await api(base, 'DELETE', `v2/emulators/${id}`);
  }
  await api(base, 'DELETE', `v2/roms/${encodeURIComponent(name)}`);
}

/** The save data of the cartridge as a file, and back, chosen or dropped. */
export async function cartridge({ base, open, audit }) {
  const page = await open('states');
  await page.getByRole('button', { name: 'Download .sav' }).waitFor();
  const size = await eventually('the game has saved', async () => {
    const response = await fetch(new URL('v2/save', base));
    return response.ok ? (await response.arrayBuffer()).byteLength : false;
  });
  const saved = await bytesBy(page, () => page.getByRole('button', { name: 'Download .sav' }).click());
  equal(saved.length, size, 'bytes of the file');
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Save data of the cartridge' }) });
  await card.locator('input[type=file]').setInputFiles({ name: 'mine.sav', mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 0x5a) });
  await audit(page, 'states-save-data');
  await page.getByRole('button', { name: 'Reset and use it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use this save data?' });
  const kept = await dialog.getByRole('status').locator('b').innerText();
  holds(kept.startsWith('before save '), `the state before is kept: ${kept}`);
  await audit(page, 'states-save-data-used');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(() => { location.hash = '#/play'; });
  await dropOn(page)('Dropped.SAV', Buffer.alloc(size + 1000));
  await dialog.getByText('finds Dropped.SAV as its save').waitFor();
  await dialog.getByRole('button', { name: 'Reset and use it' }).click();
  await dialog.locator('.error', { hasText: 'are no save data of this game' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await api(base, 'DELETE', `v2/states/${kept}`);
}

/** The ROM of the game that runs is built again: the page says so, and restarts the game with it. */
export async function rebuilt({ base, open, audit, ask }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const { crc32: before } = await api(base, 'GET', 'v2/game');
  await api(base, 'POST', 'v2/states', { name: 'of the build before', replace: true });
  const bytes = await api(base, 'GET', 'v2/state');
  await ask('build the ROM again');
  const notice = page.locator('.notice', { hasText: `The ROM was built again (CRC32 0x` });
  await notice.waitFor();
  holds((await notice.innerText()).includes(`${before} runs`), `both checksums: ${await notice.innerText()}`);
  await audit(page, 'rebuilt');
  const phone = await open('play', { look: 'phone' });
  await phone.locator('.notice', { hasText: 'The ROM was built again' }).waitFor();
  await audit(phone, 'rebuilt-phone');
  const restarted = page.waitForResponse((response) => response.url().endsWith('/restart')); // until then another notice may stand here, and nothing may answer
  await notice.getByRole('button', { name: 'Restart with it' }).click();
  equal((await restarted).status(), 200, 'the restart');
  await notice.waitFor({ state: 'detached' });
  await eventually('a picture of it', () => isPainted(page));
  holds((await api(base, 'GET', 'v2/game')).crc32 !== before, 'the new ROM runs');

  await page.evaluate(() => { location.hash = '#/states'; });
  const answered = async (method, action) => {
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog[method]();
      return dialog.message();
    });
    await action();
    holds((await asked).includes('of another ROM, such as an earlier build'), 'the page asks first');
  };
  const choose = () => page.getByRole('button', { name: 'Load of the build before', exact: true }).click();
  await answered('dismiss', choose);
  equal(await page.locator('.toast').count(), 0, 'what is loaded after a refusal');
  await answered('accept', choose);
  await page.locator('.toast', { hasText: 'The game may crash' }).waitFor();
  await answered('accept', () => page.locator('input[type=file]').first().setInputFiles({ name: 'old.ss', mimeType: 'application/octet-stream', buffer: bytes }));
  await page.locator('.toast', { hasText: 'Loaded old.ss.' }).waitFor();
}
