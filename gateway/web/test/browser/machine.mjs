import { api, equal, eventually, number } from './tools.mjs';

// one pixel
const White = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==', 'base64');

const Read = { nothing: 0, clock: 1, light: 2, gyro: 3, tilt: 4 };

/** What a cartridge is, its clock, and its sensors: beside the game and in a view of their own. */
export async function machine({ base, browserName, open, auditLooks }) {
  const { id } = await api(base, 'POST', 'v2/emulators', { rom: 'machine.gba', id: `machine-${browserName}`, saveType: 'eeprom', hardware: 'rtc,light,tilt' });
  const at = new URL(`i/${id}/`, base);
  const reads = (what) => api(at, 'PUT', 'v2/memory/0x0200000C/u32', { value: Read[what] });
  const value = (offset) => number(at, `0x${(0x02000000 + offset).toString(16)}`);
  const page = await open('play');
  await page.getByLabel('Emulator', { exact: true }).selectOption(id);
  const slide = async (name, to) => {
    const slider = page.getByRole('slider', { name });
    await slider.fill(`${to}`);
  };
  await reads('light');
  await slide(/^Light/, 100);
  await eventually('it is bright', async () => (await value(0x30)) === 0);
  await slide(/^Light/, 0);
  await eventually('it is dark', async () => (await value(0x30)) === 255);
  await reads('tilt');
  await eventually('it is level', async () => (await value(0x38)) === 0x3A0);
  await slide('Tilt to the right', 30);
  await eventually('it is tilted', async () => (await value(0x38)) !== 0x3A0);
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await eventually('it is level again', async () => (await value(0x38)) === 0x3A0);
  const pad = await page.locator('.tilt-pad').boundingBox();
  await page.mouse.move(pad.x + pad.width / 2, pad.y + pad.height / 2);
  await page.mouse.down();
  await page.mouse.move(pad.x + pad.width, pad.y + pad.height / 2);
  await page.getByText('Tilt to the right: 90°').waitFor();
  await page.mouse.up();
  await page.getByText('Tilt to the right: 0°').waitFor();
  await page.evaluate(() => { location.hash = '#/machine'; });
  await page.getByText('rtc,light,tilt').waitFor();
  await page.getByLabel(/^Source/).selectOption('fixed');
  await page.getByLabel('Time', { exact: true }).fill('2031-05-06T07:08:09');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('2031-05-06 07:08:09').waitFor();
  await reads('clock');
  await eventually('the game reads it', async () => (await value(0x14)) === 0x31 && (await value(0x28)) === 0x08);
  equal((await api(at, 'GET', 'v2/clock')).mode, 'fixed', 'the mode');
  await auditLooks('machine', (one) => one.getByRole('heading', { name: 'Clock' }).waitFor());
  await api(base, 'DELETE', `v2/emulators/${id}`);
}

/** A picture of a file is what the camera of a cartridge sees. */
export async function camera({ base, browserName, open }) {
  const { id } = await api(base, 'POST', 'v2/emulators', { rom: 'camera.gb', id: `camera-${browserName}` });
  const at = new URL(`i/${id}/`, base);
  const page = await open('machine');
  await page.getByLabel('Emulator', { exact: true }).selectOption(id);
  await page.getByLabel('Choose a picture').setInputFiles({ name: 'white.png', mimeType: 'image/png', buffer: White });
  await eventually('it sees the picture', async () => (await api(at, 'GET', 'v2/sensors')).camera);
  await api(at, 'PUT', 'v2/memory/0xC10F/u8', { value: 1 });
  await eventually('the picture was taken', async () => (await api(at, 'GET', 'v2/memory/0xC110/u16')).value === 1);
  equal((await api(at, 'GET', 'v2/memory/0xC120/u32')).value, 0, 'its first pixels, which are white');
  await page.getByLabel('Choose a picture').setInputFiles({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('text') });
  await page.getByText('text.png is no picture').waitFor();
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await eventually('it is dark', async () => !(await api(at, 'GET', 'v2/sensors')).camera);
  await api(base, 'DELETE', `v2/emulators/${id}`);
}
