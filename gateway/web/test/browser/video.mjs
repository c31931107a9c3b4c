import { eventually } from './tools.mjs';

const hasPictures = (page) => page.evaluate(() => {
  const pictures = [...document.querySelectorAll('img.video-picture')];
  return pictures.length > 0 && pictures.every((picture) => picture.complete && picture.naturalWidth > 0);
});

/** Backgrounds, sprites, tiles and palettes are shown, live. */
export async function video({ open, audit, auditLooks }) {
  await auditLooks('video', (page) => eventually('pictures of the backgrounds', () => hasPictures(page)));
  const page = await open('video');
  await eventually('pictures of the backgrounds', () => hasPictures(page));
  const source = () => page.locator('img.video-picture').first().getAttribute('src');
  const first = await source();
  await eventually('the picture is fetched again', async () => (await source()) !== first);
  await page.getByRole('button', { name: 'On the screen' }).click();
  await eventually('pictures of the screen', () => hasPictures(page));
  await page.getByRole('link', { name: 'Sprites' }).click();
  await page.getByLabel('Hidden ones too').check();
  await page.locator('.video-sprites tbody tr').nth(127).waitFor({ state: 'attached' });
  await audit(page, 'video-sprites');
  await page.getByRole('link', { name: 'Tiles' }).click();
  await eventually('a picture of the tiles', () => hasPictures(page));
  await page.getByLabel('Bits of a pixel').selectOption('8');
  await page.getByLabel('Palette', { exact: true }).waitFor({ state: 'detached' });
  await audit(page, 'video-tiles');
  await page.getByRole('link', { name: 'Palettes' }).click();
  await page.locator('.swatch-row').nth(31).waitFor();
  await audit(page, 'video-palettes');
}
