import { api, equal, eventually, write } from './tools.mjs';

const Red = '255,0,0,255';
const Blue = '0,0,255,255';
const Clear = '0,0,0,0';

const hasPictures = (page) => page.evaluate(() => {
  const pictures = [...document.querySelectorAll('img.video-picture')];
  return pictures.length > 0 && pictures.every((picture) => picture.complete && picture.naturalWidth > 0);
});

/** A pixel of a picture as the browser decoded it: red, green, blue, opacity. */
const pixelOf = (picture, x, y) => picture.evaluate(async (image, [left, top]) => {
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return [...context.getImageData(left, top, 1, 1).data].join();
}, [x, y]);

// a picture that was just replaced cannot be decoded
const shows = (picture, x, y, color) => eventually(`the pixel ${x},${y} has the colour ${color}`, async () => (await pixelOf(picture, x, y).catch(() => null)) === color);

/** Backgrounds, sprites, tiles and palettes are what is in the console's memory, live. */
export async function video({ base, open, audit, auditLooks }) {
  await auditLooks('video', (page) => eventually('pictures of the backgrounds', () => hasPictures(page)));
  const [{ id }] = await api(base, 'GET', 'v2/emulators');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: true });
  try {
    // palette 2 has red, palette 3 of the sprites has blue; tile 5 has a pixel at 1,0, and the third sprite tile is full
    await write(base, '0x05000042', '1f00');
    await write(base, '0x0500027E', '007c');
    await write(base, '0x060000A0', '10000000');
    await write(base, '0x06010040', 'ff'.repeat(32));

    // background 1: 512 by 256, scrolled by 3 and 4, with tile 5 at the cells 1,1 and, mirrored, 33,1
    await write(base, '0x0600F042', '0520');
    await write(base, '0x0600F842', '0524');
    await write(base, '0x0400000A', '025e');
    await write(base, '0x04000014', '03000400');

    // sprite 1 at 20,30; the others are hidden
    await write(base, '0x07000000', '0002000000000001'.repeat(128));
    await write(base, '0x07000008', '1e001400023400' + '01');
    await write(base, '0x04000000', '4012');

    const page = await open('video');
    const background = page.locator('section', { has: page.getByRole('heading', { name: 'Background 1' }) });
    await background.getByText('512 × 256').waitFor();
    await shows(background.locator('img'), 270, 8, Red);
    equal(await pixelOf(background.locator('img'), 271, 8), Clear, 'the pixel beside it');
    await write(base, '0x05000042', '007c');
    await shows(background.locator('img'), 270, 8, Blue);
    await write(base, '0x05000042', '1f00');
    await page.getByRole('button', { name: 'On the screen' }).click();
    await shows(background.locator('img'), 6, 4, Red);
    await audit(page, 'video-screen');

    await page.getByRole('link', { name: 'Sprites' }).click();
    await page.getByRole('heading', { name: '1 sprite', exact: true }).waitFor();
    const row = page.locator('.video-sprites tbody tr');
    equal((await row.innerText()).split(/\s+/).filter(Boolean).join(' '), '1 20 30 8 × 8 2,050 19 1', 'the sprite');
    await shows(row.locator('img'), 0, 0, Blue);
    const all = page.getByRole('img', { name: 'All sprites at their positions' });
    await shows(all, 41, 61, Blue);
    equal(await pixelOf(all, 39, 61), Clear, 'the pixel beside the sprite');
    await page.getByLabel('Hidden ones too').check();
    await page.locator('.video-sprites tbody tr').nth(127).waitFor({ state: 'attached' });
    await audit(page, 'video-sprites');

    await page.getByRole('link', { name: 'Tiles' }).click();
    const tiles = page.getByRole('img', { name: 'All tiles of video memory' });
    await page.getByLabel('Palette', { exact: true }).selectOption({ label: 'Palette 2' });
    await shows(tiles, (5 * 8 + 1) * 2, 0, Red);
    await page.getByLabel('Palette', { exact: true }).selectOption({ label: 'Palette 19, sprites' });
    await shows(tiles, 2 * 16, 64 * 16, Blue);
    await audit(page, 'video-tiles');
    await page.getByLabel('Bits of a pixel').selectOption('8');
    await page.getByLabel('Palette', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Palettes' }).click();
    await page.locator('.swatch-row').nth(31).waitFor();
    equal(await page.locator('.swatch-row').nth(2).locator('.swatch').nth(1).evaluate((one) => getComputedStyle(one).backgroundColor), 'rgb(255, 0, 0)', 'the swatch');
    await audit(page, 'video-palettes');
    await page.getByLabel('Live').uncheck();
    await page.getByRole('link', { name: 'Backgrounds' }).click();
    await eventually('pictures without Live', () => hasPictures(page));
  } finally {
    await api(base, 'POST', 'v2/reset');
    await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: false });
  }
}

/** The sprite, the tiles and the window of a Game Boy game. */
export async function video_gb({ base, browserName, open, audit }) {
  const id = `video-${browserName}`;
  await api(base, 'POST', 'v2/emulators', { rom: 'mgba-bridge-test.gb', id });
  try {
    const page = await open('video?part=sprites');
    await page.getByLabel('Emulator', { exact: true }).selectOption(id);
    const row = page.locator('.video-sprites tbody tr').first();
    await row.getByText('8 × 8').waitFor();
    await eventually('the sprite', async () => /^\d+,\d+,\d+,255$/.test(await pixelOf(row.locator('img'), 4, 4).catch(() => '')));
    await audit(page, 'video-gb-sprites');
    await page.getByRole('link', { name: 'Backgrounds' }).click();
    await page.getByText('window', { exact: true }).waitFor();
    await eventually('pictures of the backgrounds', () => hasPictures(page));
    await audit(page, 'video-gb');
  } finally {
    await api(base, 'DELETE', `v2/emulators/${id}`);
  }
}
