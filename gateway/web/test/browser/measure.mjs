import { api, eventually } from './tools.mjs';

const Edge = '0x02000020';
const Presses = 40;

const middle = (list) => [...list].sort((one, other) => one - other)[Math.floor(list.length / 2)];

/** Measures for scripts/bench-page: the first view, and a press until the game saw it and until its picture is back. Prints JSON. */
export async function measure({ open, base }) {
  const first = [];
  for (let count = 0; count < 5; count += 1) {
    const began = performance.now();
    const page = await open('play');
    await eventually('a picture', () => page.evaluate(() => document.querySelector('[data-measure="Frame"]')?.innerText > '0'));
    const navigation = await page.evaluate(() => performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null);
    first.push({ paint: navigation, picture: performance.now() - began });
    await page.context().close();
  }
  const page = await open('play');
  await page.locator('canvas').waitFor();
  const frames = [];
  const milliseconds = [];
  const seen = [];
  for (let count = 0; count < Presses; count += 1) {
    const shown = await page.locator('[data-measure="Press to picture"]').innerText();
    const [before, start] = await read(base);
    await page.keyboard.down('KeyX');
    const { frame } = await api(base, 'POST', 'v2/wait', { condition: `u32 ${Edge} gt ${before}`, frames: 600 });
    await page.keyboard.up('KeyX');
    const text = await eventually('the picture', async () => {
      const now = await page.locator('[data-measure="Press to picture"]').innerText();
      return now !== shown ? now : false;
    }, 3000).catch(() => shown);
    const [ms, taken] = text.match(/\d+/g)?.map(Number) ?? [];
    if (ms !== undefined) {
      milliseconds.push(ms);
      frames.push(taken);
    }
    seen.push(frame - start);
  }
  const rate = async (name) => Number.parseFloat(await page.locator(`[data-measure="${name}"]`).innerText());
  console.log(JSON.stringify({
    firstPaintMs: middle(first.map(({ paint }) => paint)), firstPictureMs: middle(first.map(({ picture }) => picture)),
    pressToGameFrames: middle(seen), pressToPictureFrames: middle(frames), pressToPictureMs: middle(milliseconds),
    picturesPerSecond: await rate('Pictures'), gameFps: await rate('Game'),
  }));
}

/** Twenty viewers at 30 pictures a second, in one page without drawing. Prints JSON. */
export async function viewers({ open, base, ask, seconds }) {
  const page = await open('emulators');
  await page.evaluate(() => {
    globalThis.counts = Array.from({ length: 20 }, () => 0);
    const address = new URL('v2/ws', document.baseURI);
    address.protocol = 'ws:';
    globalThis.counts.forEach((_, index) => {
      const socket = new WebSocket(address);
      socket.binaryType = 'blob';
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, op: 'screen.stream', body: { fps: 30 } }));
      socket.onmessage = ({ data }) => {
        globalThis.counts[index] += typeof data === 'string' ? 0 : 1;
      };
    });
  });
  await eventually('every viewer has pictures', () => page.evaluate(() => globalThis.counts.every((count) => count > 5)));
  await ask('begin');
  const before = await page.evaluate(() => [...globalThis.counts]);
  const [, first] = await read(base);
  const began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const after = await page.evaluate(() => [...globalThis.counts]);
  const [, last] = await read(base);
  const took = (performance.now() - began) / 1000;
  await ask('end');
  const rates = after.map((count, index) => (count - before[index]) / took);
  console.log(JSON.stringify({ seconds: took, picturesPerSecond: { lowest: Math.min(...rates), middle: middle(rates) }, gameFps: (last - first) / took }));
}

async function read(base) {
  const { frame, reads } = await api(base, 'POST', 'v2/memory/read', { reads: [{ location: Edge, type: 'u32' }] });
  return [reads[0].value, frame];
}
