import { api, equal, holds } from './tools.mjs';

const Rom = { name: 'game.gba', mimeType: 'application/octet-stream', buffer: Buffer.alloc(100) };

/** What opens each dialog, by view. */
const Dialogs = {
  play: ['Settings', 'Share', 'Keyboard', 'Reset the game'],
  states: [/^Delete /, (page) => page.locator('section', { has: page.getByRole('heading', { name: 'Save data of the cartridge' }) }).locator('input[type=file]').setInputFiles(Rom)],
  cheats: [/^Remove /],
  emulators: [/^Restart /, /^Stop /],
  recordings: [/^Delete /],
};

/** Each dialog, light and dark, in a low window: centred, with all of its buttons visible, and without what axe objects to. So is the place to drop a ROM. */
export async function dialogs({ base, open, audit }) {
  await api(base, 'POST', 'v2/states', { name: 'for a dialog', replace: true });
  await api(base, 'PUT', 'v2/cheats', { name: 'for a dialog', codes: '02001900:07' });
  const { id } = await api(base, 'POST', 'v2/recordings', {});
  await api(base, 'POST', `v2/recordings/${id}/stop`);
  const page = await open('play', { look: 'phone', viewport: { width: 844, height: 390 } });
  const inBoth = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await audit(page, `dialog-${name}-${colorScheme}`);
    }
  };
  for (const [view, openers] of Object.entries(Dialogs)) {
    await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
    for (const [index, opener] of openers.entries()) {
      await (typeof opener === 'function' ? opener(page) : page.getByRole('button', { name: opener }).first().click());
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await inBoth(`${view}-${index}`);
      const { x, width } = await dialog.boundingBox();
      equal(Math.round(2 * x + width), 844, `the middle of the dialog ${index} of ${view}, twice`);
      for (const button of await dialog.locator('.row.end button').all()) {
        const box = await button.boundingBox();
        holds(box.y >= 0 && box.y + box.height <= 390, `the dialog ${index} of ${view} hides ${await button.innerText()}: ${JSON.stringify(box)}`);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  }
  await page.evaluate(() => {
    location.hash = '#/play';
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'game.gba'));
    document.querySelector('main').dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.locator('.toolbar').waitFor();
  await page.locator('.rom-over').waitFor();
  await inBoth('drop');
  await api(base, 'DELETE', `v2/recordings/${id}`);
  await api(base, 'DELETE', 'v2/cheats/for%20a%20dialog');
  await api(base, 'DELETE', 'v2/states/for%20a%20dialog');
}
