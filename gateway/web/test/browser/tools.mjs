/** A condition that must become true; the last value is in the message. */
export async function eventually(what, probe, limit = 60000) {
  const end = Date.now() + limit;
  let last;
  do {
    last = await probe();
    if (last) {
      return last;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (Date.now() < end);
  throw new Error(`${what} did not happen within ${limit / 1000} s`);
}

/** Fails with both values when they differ. */
export function equal(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }
}

export function holds(condition, what) {
  if (!condition) {
    throw new Error(what);
  }
}

/** A request of the API, beside the page. */
export async function api(base, method, path, body, headers = {}) {
  const response = await fetch(new URL(path, base), {
    method, headers: { 'Content-Type': 'application/json', 'Mgba-Holder': 'test', ...headers }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
  return response.headers.get('Content-Type')?.includes('json') ? response.json() : Buffer.from(await response.arrayBuffer());
}

/** A number of the test game's memory. */
export const number = async (base, location, type = 'u32') => (await api(base, 'GET', `v2/memory/${location}/${type}`)).value;

/** The bytes of the file that an action saves; Playwright has no event for downloads in an unmodified Firefox. */
export async function bytesBy(page, action) {
  await page.evaluate(() => {
    const blobs = new Map(); // also those of pictures
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      const address = create(blob);
      blobs.set(address, blob);
      return address;
    };
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function () {
      globalThis.saved = blobs.get(this.href);
      click.call(this);
    };
    globalThis.saved = undefined;
  });
  await action();
  await page.waitForFunction(() => globalThis.saved !== undefined);
  return Buffer.from(await page.evaluate(async () => [...new Uint8Array(await globalThis.saved.arrayBuffer())]));
}

/** The same as text. */
export const downloadBy = async (page, action) => (await bytesBy(page, action)).toString();

/** Whether the canvas of a page shows a picture. */
export const isPainted = (page) => page.evaluate(() => {
  const canvas = document.querySelector('canvas');
  const pixels = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return pixels.some((value, index) => index % 4 !== 3 && value > 0);
});

/** Waits until the view Play shows newer pictures. */
export async function isMoving(page) {
  const frame = () => page.locator('[data-measure="Frame"]').innerText();
  const first = await frame();
  await eventually('newer pictures', async () => (await frame()) !== first);
}

/** Writes bytes, given in hex, to the console's memory. */
export async function write(base, location, hex) {
  const response = await fetch(new URL(`v2/memory/${location}`, base), { method: 'PUT', headers: { 'Content-Type': 'application/octet-stream', 'Mgba-Holder': 'test' }, body: Buffer.from(hex, 'hex') });
  if (!response.ok) {
    throw new Error(`${location}: ${response.status} ${await response.text()}`);
  }
}
