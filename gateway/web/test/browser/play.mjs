import { readFileSync, writeFileSync } from 'node:fs';
import { api, bytesBy, equal, eventually, holds, isMoving, isPainted, number, write } from './tools.mjs';

const Edges = { A: '0x02000020', B: '0x02000024', Start: '0x0200002C', Right: '0x02000030', Down: '0x0200003C' };
const mine = async (base) => (await api(base, 'GET', 'v2/keys')).holders.find(({ holder }) => holder.startsWith('web-'))?.keys ?? [];

/** The picture moves, and keys of keyboard and pad are seen by the game exactly as often as they were pressed. */
export async function play({ base, open, auditLooks }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const before = await number(base, Edges.A);
  for (let count = 1; count <= 5; count += 1) {
    await page.keyboard.down('KeyX');
    await eventually('A is held', async () => (await mine(base)).includes('A'));
    await page.keyboard.up('KeyX');
    await eventually('A is released', async () => !(await mine(base)).includes('A'));
    await eventually('the game saw A', async () => (await number(base, Edges.A)) === before + count);
  }

  const right = page.locator('.pad-right');
  const box = await right.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await eventually('Right is held', async () => (await mine(base)).includes('Right'));
  await page.locator('.pad-right[aria-pressed="true"]').waitFor();
  const up = await page.locator('.pad-up').boundingBox();
  await page.mouse.move(up.x + up.width / 2, up.y + up.height / 2);
  await eventually('the finger slid to Up', async () => JSON.stringify(await mine(base)) === '["Up"]');
  await page.mouse.up();
  await eventually('Up is released', async () => (await mine(base)).length === 0);

  await page.locator('.pad-b').focus();
  const presses = await number(base, Edges.B);
  await page.keyboard.press('Space');
  await eventually('B was pressed with the space bar', async () => (await number(base, Edges.B)) === presses + 1);

  await api(base, 'PUT', 'v2/keys', { keys: ['L'] });
  await page.locator('.holder', { hasText: 'test' }).locator('kbd', { hasText: 'L' }).waitFor();
  await api(base, 'DELETE', 'v2/keys');
  await eventually('rates are shown', async () => Number.parseFloat(await page.locator('[data-measure="Game"]').innerText()) > 30);
  await page.context().close();
  await eventually('the keys of a closed page are released', async () => (await mine(base)).length === 0);
  await auditLooks('play', (one) => eventually('a picture', () => isPainted(one)));
}

/** Control: exact steps, running, refusal of others, and giving it back. */
export async function control({ base, browserName, open, audit }) {
  const page = await open('play');
  const other = await open('play');
  await eventually('a picture', () => isPainted(other));
  await page.getByRole('button', { name: 'Take control' }).click();
  await page.locator('.stage-badge', { hasText: 'You have control' }).waitFor();
  await other.locator('.notice', { hasText: 'has control' }).waitFor();
  await audit(other, 'play-controlled-by-another');
  const late = await open('play'); // opened during the lease
  await late.locator('.notice', { hasText: /^web-[0-9a-f]{4} has control/ }).waitFor();
  await late.locator('.holder', { hasText: 'has control' }).waitFor();
  await late.context().close();
  const count = () => number(base, '0x02000008');
  const began = await count();
  await page.getByRole('button', { name: '+1 frames' }).click();
  await eventually('one frame', async () => (await count()) === began + 1);
  await page.getByRole('button', { name: '+10 frames' }).click();
  await eventually('ten frames', async () => (await count()) === began + 11);
  const presses = await number(base, Edges.A);
  await page.keyboard.press('KeyX');
  await page.getByRole('button', { name: '+1 frames' }).click();
  await eventually('the step has the press', async () => (await number(base, Edges.A)) === presses + 1);
  await page.getByRole('button', { name: 'Run' }).click();
  await eventually('the game runs', async () => (await count()) > began + 40);
  await audit(page, 'play-in-control');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Run' }).waitFor();
  const last = await number(base, Edges.A);
  await page.keyboard.press('KeyX');
  await page.getByRole('button', { name: '+1 frames' }).click(); // behind the steps that were under way
  await eventually('the step has the press again', async () => (await number(base, Edges.A)) === last + 1);
  const stopped = await count();
  if (browserName === 'chromium') { // once is enough
    await new Promise((resolve) => setTimeout(resolve, 12_000)); // longer than the lease's limit: the page keeps it
  }
  equal(await count(), stopped, 'the frame count of a stopped game');
  await other.getByRole('button', { name: 'Take control' }).click();
  await other.locator('.error', { hasText: 'lease' }).waitFor();
  await page.getByRole('button', { name: 'Give control back' }).click();
  await eventually('the game continues', async () => (await count()) > stopped + 10);
  await other.locator('.notice').waitFor({ state: 'detached' });
  await other.getByRole('button', { name: 'Take control' }).click();
  await other.locator('.stage-badge', { hasText: 'You have control' }).waitFor();
  await page.getByRole('button', { name: 'End control' }).click(); // an owner ends the control of anybody
  await other.locator('.stage-badge').waitFor({ state: 'detached' });
  await page.locator('.notice').waitFor({ state: 'detached' });
  await other.getByRole('button', { name: 'Take control' }).click();
  await other.locator('.stage-badge', { hasText: 'You have control' }).waitFor();
  await other.context().close();
  await eventually('a closed page loses control', async () => (await api(base, 'GET', 'v2/status')).state === 'ready');
  holds(await page.getByRole('button', { name: 'Take control' }).isVisible(), 'the first page can take control again');
}

/** A reset asks first. */
export async function reset({ base, open, audit }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const count = () => number(base, '0x02000008');
  const before = await count();
  const button = page.getByRole('button', { name: 'Reset the game' });
  await button.click();
  await audit(page, 'play-reset');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const then = await count();
  holds(then >= before, `the game continues after Cancel: ${then}`);
  await button.click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.locator('.toast', { hasText: 'The game was reset' }).waitFor();
  await eventually('the game began again', async () => (await count()) < then);
}

/** Another key of the keyboard for A. */
export async function keyboard({ base, open, audit }) {
  const page = await open('play');
  await page.getByRole('button', { name: 'Keyboard' }).click();
  await page.getByRole('button', { name: 'Change the key for A, now X' }).click();
  await page.keyboard.press('KeyK');
  await page.getByRole('button', { name: 'Change the key for A, now K' }).waitFor();
  await audit(page, 'play-keyboard');
  await page.getByRole('button', { name: 'Close' }).click();
  const before = await number(base, Edges.A);
  await page.locator('main').focus();
  await page.keyboard.press('KeyK');
  await eventually('K is A', async () => (await number(base, Edges.A)) === before + 1);
}

/** Another button of a gamepad for A: kept, and back to the default by Reset all. The dialog has the buttons while it is open. */
export async function gamepad({ base, open, picture }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const connect = () => page.evaluate(() => {
    globalThis.pressed = [];
    navigator.getGamepads = () => [{ index: 0, axes: [0, 0], buttons: Array.from({ length: 17 }, (_, index) => ({ pressed: globalThis.pressed.includes(index) })) }];
    dispatchEvent(new Event('gamepadconnected'));
  });
  const hold = (...buttons) => page.evaluate((pressed) => { globalThis.pressed = pressed; }, buttons);
  const isA = async (button) => {
    const before = await number(base, Edges.A);
    await hold(button);
    await eventually('A is held', async () => (await mine(base)).includes('A'));
    await hold();
    await eventually('the game saw A', async () => (await number(base, Edges.A)) === before + 1);
    await eventually('A is released', async () => (await mine(base)).length === 0);
  };
  const change = (now) => page.getByRole('button', { name: `Change the button for A, now ${now}` });
  await connect();
  await isA(1);
  await page.getByRole('button', { name: 'Keyboard' }).click();
  const before = await number(base, Edges.A);
  await change('Right').click();
  await page.getByText('Press a button…').waitFor();
  await hold(3);
  await change('Top').waitFor();
  await picture(page, 'play-gamepad');
  equal(await number(base, Edges.A), before, 'the presses of A while the dialog is open');
  await hold();
  await page.getByRole('button', { name: 'Close' }).click();
  await isA(3);
  await page.reload();
  await eventually('a picture', () => isPainted(page));
  await connect();
  await isA(3);
  await page.getByRole('button', { name: 'Keyboard' }).click();
  await change('Top').click();
  await page.keyboard.press('Delete');
  await change('–').waitFor();
  await page.getByRole('button', { name: 'Reset all' }).click();
  await change('Right').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await isA(1);
}

/** A key whose end macOS does not report, keys without a code, Enter of the number pad, the names of another layout, and a direction pad that is a hat. */
export async function odd_devices({ base, open, picture }) {
  const page = await open('play', { at: 'about:blank' });
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'keyboard', { value: { getLayoutMap: async () => new Map([['KeyZ', 'y'], ['KeyY', 'z'], ['Minus', 'ß']]) } });
  });
  await page.goto(`${base}#/play`);
  await eventually('a picture', () => isPainted(page));
  const holds = (...keys) => eventually(`[${keys}] are held`, async () => JSON.stringify(await mine(base)) === JSON.stringify(keys));
  const send = (type, key, code = '') => page.evaluate((init) => document.body.dispatchEvent(new KeyboardEvent(init.type, { ...init, bubbles: true })), { type, key, code });

  await page.keyboard.down('KeyX');
  await holds('A');
  await send('keydown', 'Meta', 'MetaLeft');
  await holds();
  await send('keyup', 'Meta', 'MetaLeft');
  await page.keyboard.up('KeyX');
  const isFast = async () => (await api(base, 'GET', 'v2/emulators'))[0].process.heldFps !== undefined;
  await send('keydown', 'Tab', 'Tab');
  await eventually('fast forward', isFast);
  await send('keyup', 'Meta', 'MetaLeft');
  await eventually('its end', async () => !(await isFast()));

  await send('keydown', 'x');
  await holds('A');
  await send('keyup', 'x');
  await holds();
  const starts = await number(base, Edges.Start);
  await page.keyboard.press('NumpadEnter');
  await eventually('Enter of the number pad is Start', async () => (await number(base, Edges.Start)) === starts + 1);

  await page.evaluate(() => {
    globalThis.axes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 9 / 7];
    navigator.getGamepads = () => [{ id: 'hat', index: 0, mapping: '', axes: globalThis.axes, buttons: Array.from({ length: 12 }, () => ({ pressed: false })) }];
    dispatchEvent(new Event('gamepadconnected'));
  });
  const hat = (value) => page.evaluate((now) => { globalThis.axes = [0, 0, 0, 0, 0, 0, 0, 0, 0, now]; }, value);
  await page.waitForFunction(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))); })); // it was seen at rest
  await hat(-3 / 7);
  await holds('Right');
  await hat(-5 / 7);
  await holds('Right', 'Up');
  await hat(9 / 7);
  await holds();

  await page.getByRole('button', { name: 'Keyboard' }).click();
  await page.getByRole('button', { name: 'Change the key for B, now Y' }).waitFor();
  await page.getByRole('button', { name: 'Change the key for B' }).click();
  await send('keydown', 'Unidentified'); // is no key that could be found again
  await page.getByText('Press a key…').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change the button for A' }).click();
  await page.getByText('Press a button…').waitFor();
  await hat(1 / 7);
  await page.getByRole('button', { name: 'Change the button for A, now Pad ↓' }).waitFor();
  await hat(9 / 7);
  await picture(page, 'play-odd-devices');
  await page.getByRole('button', { name: 'Close' }).click();
  await hat(1 / 7);
  await holds('A');
  await hat(9 / 7);
  await holds();
}

/** The keyboard is the game's again after a list, a button or a dialog was used, also while a closed list has the focus. */
export async function focus({ base, browserName, open }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const plays = async (code, key) => {
    const before = await number(base, Edges[key]);
    await page.keyboard.press(code);
    await eventually(`${code} is ${key}`, async () => (await number(base, Edges[key])) === before + 1);
  };
  const speed = page.getByLabel('Speed');
  const isSpeed = (label) => eventually(`the speed is ${label}`, () => speed.evaluate((list, wanted) => list.selectedOptions[0].label === wanted, label));

  await speed.click();
  await (browserName === 'chromium' ? page.keyboard.press('Escape') : speed.click()); // closes it: Playwright's keys do not reach a list of Firefox
  await plays('ArrowRight', 'Right');
  await isSpeed('Own speed');
  await speed.click();
  await speed.selectOption({ label: 'Double' });
  await plays('ArrowRight', 'Right');
  await plays('KeyX', 'A');
  await isSpeed('Double');

  // a dialog that closes gives the focus to its button first; the page moves it on in the next task
  const isBack = () => eventually('the game has the keyboard', () => page.evaluate(() => !document.activeElement?.matches('button, dialog *')));
  const help = page.getByRole('button', { name: 'Keyboard' });
  await help.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await isBack();
  await plays('Enter', 'Start');
  equal(await page.getByRole('dialog').count(), 0, 'the number of dialogs after Start');
  await help.click();
  await page.getByRole('button', { name: 'Close' }).click();
  await isBack();
  await plays('Enter', 'Start');
  await page.getByRole('button', { name: 'Save the picture' }).click();
  await plays('Enter', 'Start');

  for (let count = 0; count < 40 && !(await speed.evaluate((list) => list === document.activeElement)); count += 1) {
    await page.keyboard.press('Tab');
  }
  await plays('KeyX', 'A'); // would choose by its first letter
  await plays('ArrowDown', 'Down');
  await isSpeed('Double');
  const [{ id }] = await api(base, 'GET', 'v2/emulators');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { fps: 59.7275 });
}

/** The picture is a whole multiple that fills a large window; on a phone picture and pad are seen together, upright, on its side, and on the whole screen. */
export async function sizes({ base, open, picture, browserName }) {
  const large = await open('play', { viewport: { width: 1920, height: 1080 } });
  await eventually('a picture', () => isPainted(large));
  equal(await large.locator('canvas').evaluate(({ width, clientWidth, clientHeight }) => [clientWidth / width, clientHeight]), [5, 800], 'the scale of the picture on a large window, and its height');
  await picture(large, 'play-large');
  for (const [width, height] of [[844, 390], [667, 375], [390, 844]]) {
    const page = await open('play', { look: 'phone', viewport: { width, height } });
    await eventually('a picture', () => isPainted(page));
    const [{ id }] = await api(base, 'GET', 'v2/emulators');
    for (const paused of [true, false]) { // a notice takes room
      await api(base, 'PUT', `v2/emulators/${id}/run`, { paused });
      await page.locator('.notice').waitFor({ state: paused ? 'visible' : 'detached' });
      for (const place of [page.locator('canvas'), ...(await page.locator('.pad-key').all())]) {
        const box = await place.boundingBox();
        holds(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5,
          `${width} x ${height} does not show all of ${(await place.getAttribute('aria-label')) ?? (await place.innerText())}: ${JSON.stringify(box)}`);
      }
    }
    const { scale, ratio, spare } = await page.locator('canvas').evaluate((canvas) => ({
      scale: (canvas.clientWidth / canvas.width) * devicePixelRatio, ratio: devicePixelRatio,
      spare: Math.min(canvas.parentElement.clientWidth - canvas.clientWidth, canvas.parentElement.clientHeight - canvas.clientHeight),
    }));
    holds(ratio >= 2 ? spare <= 1 : scale === Math.round(scale), `${width} x ${height}: the picture fills a dense display, or its scale, ${scale}, is an integer; ${spare} pixels are free`);
    await picture(page, `play-${width}x${height}`);
    await holdsTools(page, 12, `${width} x ${height}`);
    if (browserName === 'chromium') { // Firefox plays nothing on a machine without a sound device
      await page.getByRole('button', { name: 'Sound' }).tap();
      await page.getByRole('button', { name: 'Mute' }).waitFor();
      await holdsTools(page, 12, `${width} x ${height} with sound`);
      await page.getByRole('button', { name: 'Mute' }).tap();
    }
    if (width > height) {
      const [cross, shown, button] = await Promise.all(['.pad-cross', 'canvas', '.pad-buttons'].map((place) => page.locator(place).boundingBox()));
      holds(cross.x + cross.width <= shown.x && button.x >= shown.x + shown.width, `${width} x ${height}: the cross is at one side of the picture, the buttons at the other`);
    }
    if (browserName === 'chromium') {
      await page.getByRole('button', { name: 'Full screen' }).click();
      await eventually('the whole screen', () => page.evaluate(() => document.fullscreenElement !== null));
      holds(await page.getByRole('button', { name: 'A', exact: true }).isVisible(), `${width} x ${height} has a pad on the whole screen`);
      holds(!(await page.locator('.toolbar').isVisible()), 'the whole screen has no tools');
      await picture(page, `play-${width}x${height}-full`);
    }
    await page.context().close();
  }
}

const Insets = [
  { width: 844, height: 390, insets: { top: 0, left: 47, bottom: 21, right: 47 } }, // an iPhone on its side, and upright as an app
  { width: 390, height: 844, insets: { top: 47, left: 0, bottom: 34, right: 0 } },
];

/** Nothing to press or to read lies below a phone's notch or home bar, in no view, with and without the whole screen. */
export async function insets({ open, picture }) {
  for (const { width, height, insets: edge } of Insets) {
    const page = await open('play', { look: 'phone', viewport: { width, height } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: edge });
    await eventually('a picture', () => isPainted(page));
    const inside = async (places, where) => {
      for (const place of await page.locator(`:is(${places}):visible`).all()) {
        const box = await place.boundingBox();
        holds(box === null || (box.x >= edge.left - 0.5 && box.y >= edge.top - 0.5 && box.x + box.width <= width - edge.right + 0.5 && box.y + box.height <= height - edge.bottom + 0.5),
          `${width} x ${height}, ${where}: outside of the safe area is ${(await place.getAttribute('aria-label')) ?? (await place.innerText())}: ${JSON.stringify(box)}`);
      }
    };
    const isOnItsSide = width > height;
    await inside(`canvas, .pad-key, .shell-top > *${isOnItsSide ? ', .toolbar > *, .toolbar-end > *' : ''}`, 'Play');
    await holdsTools(page, 12, `${width} x ${height} with insets`);
    await picture(page, `insets-${width}x${height}`);
    for (const view of await page.locator('nav[aria-label=Views] > a').evaluateAll((links) => links.map((link) => link.getAttribute('href').slice(2)))) {
      await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
      await page.locator(`main.view-${view} h1`).waitFor();
      await page.locator('main .card').first().waitFor();
      await eventually(`${view} at ${width} x ${height}: all cards are inside of the safe area`, async () => {
        const { left, right, bottom } = await page.evaluate(() => {
          scrollTo(0, document.documentElement.scrollHeight); // again where more has come
          const boxes = [...document.querySelectorAll('main .card, nav > a[aria-current]')].filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'contents').map((one) => one.getBoundingClientRect());
          return { left: Math.min(...boxes.map((box) => box.left)), right: Math.max(...boxes.map((box) => box.right)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
        });
        return left >= edge.left && right <= width - edge.right + 0.5 && bottom <= height - edge.bottom + 0.5;
      });
      await picture(page, `insets-${view}-${width}x${height}`);
    }
    await page.evaluate(() => { location.hash = '#/play'; });
    await eventually('a picture', () => isPainted(page));
    await page.evaluate(() => document.querySelector('.play').requestFullscreen());
    await eventually('the whole screen', () => page.evaluate(() => document.fullscreenElement !== null));
    await inside('.pad-key', 'the whole screen');
    await picture(page, `insets-${width}x${height}-full`);
    await page.context().close();
  }
}

/** All tools are in the window, and none covers another. */
async function holdsTools(page, count, where) {
  const tools = await page.locator(':is(.toolbar, .touch-tools) :is(button, select, input):not(dialog *):visible, .shell-top > .icon-button').all();
  holds(tools.length >= count, `${where} has ${tools.length} tools`);
  const boxes = await Promise.all(tools.map((tool) => tool.boundingBox()));
  const { width, height } = page.viewportSize();
  const isApart = (one, other) => ['x', 'y'].some((axis) => Math.abs(one[axis] - other[axis]) > (one[axis] < other[axis] ? one : other)[axis === 'x' ? 'width' : 'height'] - 0.5); // edges are rounded
  for (const [index, one] of boxes.entries()) {
    const name = (await tools[index].getAttribute('aria-label')) ?? (await tools[index].innerText());
    holds(one.x >= 0 && one.y >= 0 && one.x + one.width <= width + 0.5 && one.y + one.height <= height + 0.5, `${where} does not show all of ${name}: ${JSON.stringify(one)}`);
    holds(boxes.slice(index + 1).every((other) => isApart(one, other)), `${where}: ${name} covers another tool`);
  }
}

/** A game without a title has the name of its file. */
export async function untitled({ base, open, picture, file }) {
  const page = await open('play');
  await page.getByRole('heading', { name: `Play: ${file}` }).waitFor();
  await page.getByLabel(`Live picture of ${file}`).waitFor();
  await page.locator('.shell-emulator select', { hasText: `1 · ${file}` }).waitFor();
  await picture(page, 'untitled');
  await page.goto(`${base}#/emulators`);
  await page.getByRole('heading', { name: `1 · ${file}` }).waitFor();
  await api(base, 'POST', 'v2/states', { name: 'of an untitled game' });
  await page.goto(`${base}#/states`);
  await page.getByLabel('This game only').uncheck();
  await page.locator('.state-card', { hasText: 'of an untitled game' }).getByText(file).waitFor();
}

/** What loudspeakers would get: its loudest frequency in Hz, 0 for silence, after the page was busy for a time. Call `listen` before the page is opened. */
const listen = (context) => context.addInitScript(() => {
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function connectAndListen(target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      globalThis.ear = new AnalyserNode(this.context, { fftSize: 8192 });
      connect.call(this, globalThis.ear);
    }
    return connect.call(this, target, ...rest);
  };
});
const pitch = (page, milliseconds = 0) => page.evaluate((busy) => {
  const levels = new Float32Array(globalThis.ear.frequencyBinCount);
  const end = performance.now() + busy;
  do {
    globalThis.ear.getFloatFrequencyData(levels);
  } while (performance.now() < end);
  const loudest = levels.indexOf(Math.max(...levels.slice(8))); // below are the steps between loud and silent
  return levels[loudest] < -60 ? 0 : (loudest * globalThis.ear.context.sampleRate) / globalThis.ear.fftSize;
}, milliseconds);

/** Makes the game sound a tone. */
async function tone(base, hertz) {
  await write(base, '0x04000084', '80');
  await write(base, '0x04000080', '77ff0200');
  const rate = Buffer.alloc(2);
  rate.writeUInt16LE(0x8000 + 2048 - Math.round(131072 / hertz));
  await write(base, '0x04000062', '80f0');
  await write(base, '0x04000064', rate.toString('hex'));
}

/** The game's sound is heard after a click, follows the game, and ends with another click; a page without a secure context plays it, too. */
export async function sound({ base, open, audit }) {
  for (const isSecure of [true, false]) {
    const page = await open('', {});
    await listen(page.context());
    if (!isSecure) {
      await page.context().addInitScript(() => {
        Object.defineProperty(BaseAudioContext.prototype, 'audioWorklet', { value: undefined });
      });
    }
    await page.goto(`${base}#/play`);
    await page.reload();
    await page.getByRole('button', { name: 'Sound' }).click();
    await page.getByRole('slider', { name: 'Volume' }).waitFor();
    const sounds = async (hertz, busy) => Math.abs((await pitch(page, busy)) - hertz) < 12;
    const plays = async (hertz) => {
      await tone(base, hertz);
      await eventually(`a tone of ${hertz} Hz`, () => sounds(hertz));
    };
    await plays(440);
    await plays(880);
    if (isSecure) {
      await audit(page, 'play-sound');
      await eventually('a tone that begins while the page is busy', async () => {
        await plays(440);
        const isHeard = sounds(880, 2000);
        await tone(base, 880);
        return isHeard;
      });
    }
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('slider', { name: 'Volume' }).waitFor({ state: 'detached' });
    await eventually('nothing listens any more', () => page.evaluate(() => globalThis.ear.context.state === 'suspended'));
    await page.context().close();
  }
}

/** Without sound there is a sentence that says why, the game continues, and the next click tries it again. */
export async function no_sound({ open }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  const button = page.getByRole('button', { name: 'Sound' });
  await page.evaluate(() => {
    globalThis.Kept = AudioContext;
    globalThis.AudioContext = undefined;
  });
  await button.click();
  await page.locator('.toolbar .error', { hasText: 'The browser cannot play sound: ' }).waitFor();
  await page.evaluate(() => {
    globalThis.AudioContext = class extends globalThis.Kept { // that of a device without sound
      get state() { return 'suspended'; }

      resume() { return new Promise(() => undefined); }
    };
  });
  await button.click();
  await page.locator('.toolbar .error', { hasText: 'The browser plays no sound: see whether this device has a sound output.' }).waitFor();
  await isMoving(page);
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.locator('.toolbar .error').waitFor({ state: 'detached' });
}

/** A cartridge with a motor: the gamepad in use vibrates, after a touch the device, and neither when that is switched off. */
export async function rumble({ base, browserName, open }) {
  const rom = readFileSync(new URL('../../../../headless/roms/mgba-bridge-test.gb', import.meta.url));
  rom[0x147] = 0x1e; // MBC5 with a motor, RAM and a battery
  const name = `motor ${browserName}.gb`;
  equal((await fetch(new URL(`v2/roms?name=${encodeURIComponent(name)}`, base), { method: 'POST', body: rom })).ok, true, 'the ROM');
  const { id } = await api(base, 'POST', 'v2/emulators', { rom: name });
  const at = new URL(`i/${id}/`, base);
  const motor = (runs) => api(at, 'PUT', 'v2/memory/0x4000/u8', { value: runs ? 8 : 0 });
  const page = await open('play');
  await page.getByLabel('Emulator', { exact: true }).selectOption(id);
  await eventually('a picture', () => isPainted(page));
  await page.evaluate(() => {
    globalThis.shaking = null;
    globalThis.pressed = false;
    const shake = (what, milliseconds) => { globalThis.shaking = milliseconds > 0 ? what : null; };
    const vibrationActuator = { playEffect: async (_, { duration }) => shake('pad', duration), reset: async () => shake('pad', 0) };
    navigator.vibrate = (milliseconds) => shake('device', milliseconds);
    navigator.getGamepads = () => [{ index: 0, axes: [0, 0], vibrationActuator, buttons: [{ pressed: globalThis.pressed }] }];
    dispatchEvent(new Event('gamepadconnected'));
  });
  const shakes = (what) => eventually(`what shakes is ${what}`, async () => (await page.evaluate(() => globalThis.shaking)) === what);
  await page.locator('.stage').click();
  await motor(true);
  await shakes('device');
  await page.evaluate(() => { globalThis.pressed = true; });
  await shakes('pad');
  await motor(false);
  await shakes(null);
  await motor(true);
  await shakes('pad');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: true });
  await shakes(null);
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: false });
  await shakes('pad');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Vibrate when the game does, and on touch').uncheck();
  await shakes(null);
  await page.context().close();
  await api(base, 'DELETE', `v2/emulators/${id}`);
  await api(base, 'DELETE', `v2/roms/${encodeURIComponent(name)}`);
}

/** The clip that the gateway renders, the one that the page makes when it cannot, with the sound, and a GIF: the files, and how many pictures the page has encoded. */
export async function clip({ base, open, folder, seconds }) {
  const page = await open('play');
  await tone(base, 440);
  page.setDefaultTimeout(seconds * 1000); // a busy machine encodes slowly
  await page.evaluate(() => {
    const { encode } = VideoEncoder.prototype;
    globalThis.encoded = 0;
    VideoEncoder.prototype.encode = function count(...parameters) {
      globalThis.encoded += 1;
      return encode.apply(this, parameters);
    };
  });
  await page.getByRole('button', { name: 'Sound' }).click();
  await page.getByRole('slider', { name: 'Volume' }).waitFor();
  await eventually('a picture', () => isPainted(page));
  const first = await number(base, '0x02000008');
  await eventually('33 seconds', async () => (await number(base, '0x02000008')) > first + 33 * 60, seconds * 1000);
  equal((await number(base, '0x04000084')) % 2, 1, 'that the tone sounds in the game');
  const began = Date.now();
  const rendered = await bytesBy(page, () => page.keyboard.press('F9'));
  const renderedMs = Date.now() - began;
  equal(await page.evaluate(() => globalThis.encoded), 0, 'the number of pictures that the page encoded');
  const save = async (action) => {
    await page.evaluate(() => { globalThis.saved = undefined; });
    return bytesBy(page, action);
  };
  await api(base, 'DELETE', 'v2/rewind');
  const again = Date.now();
  const video = await save(() => page.keyboard.press('F9'));
  const [pictures, ms] = [await page.evaluate(() => globalThis.encoded), Date.now() - again];
  const gif = await save(() => page.getByRole('button', { name: 'GIF of the last 5 seconds' }).click());
  writeFileSync(`${folder}/clip.mp4`, rendered);
  writeFileSync(`${folder}/clip.webm`, video);
  writeFileSync(`${folder}/clip.gif`, gif);
  console.log(JSON.stringify({ renderedMs, pictures, ms }));
}

/** A video of the game: as large as three of its pixels, with its sound, and playable. */
export async function video_file({ base, open }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  for (const hasSound of [false, true]) {
    if (hasSound) {
      await page.getByRole('button', { name: 'Sound' }).click();
      await page.getByRole('slider', { name: 'Volume' }).waitFor();
    }
    await page.getByRole('button', { name: 'Record a video' }).click();
    const end = page.getByRole('button', { name: 'End the video and save it' });
    await end.waitFor();
    const first = await number(base, '0x02000008');
    await eventually('three seconds', async () => (await number(base, '0x02000008')) > first + 180); // a busy page draws the first of them late
    if (hasSound) {
      await page.getByRole('button', { name: 'Mute' }).click(); // the file ends with silence
    }
    const bytes = await bytesBy(page, () => end.click());
    holds(bytes.length > 10_000, `the file has ${bytes.length} bytes`);
    await page.evaluate(() => { globalThis.saved = undefined; });
    const viewer = await page.context().newPage(); // the policy of the page plays no files
    const found = await viewer.evaluate(async (base64) => {
      const video = document.createElement('video');
      video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${base64}`)).blob());
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve;
        video.onerror = () => reject(new Error(video.error.message));
      });
      const stream = video.captureStream?.() ?? video.mozCaptureStream();
      await new Promise((resolve) => {
        video.onseeked = resolve;
        video.currentTime = 1;
      });
      return { width: video.videoWidth, height: video.videoHeight, sounds: stream.getAudioTracks().length, time: video.currentTime, isLong: video.duration > 1.9 && video.duration < 60 };
    }, bytes.toString('base64'));
    await viewer.close();
    equal(found, { width: 720, height: 480, sounds: hasSound ? 1 : 0, time: 1, isLong: true }, 'the video');
  }
}

/** A phone that is held upright has the tools under the pad: slots, and fast forward and rewind while they are held. */
export async function thumb({ base, open, audit }) {
  const page = await open('play', { look: 'phone', viewport: { width: 390, height: 844 } });
  await eventually('a picture', () => isPainted(page));
  const status = async () => (await api(base, 'GET', 'v2/emulators'))[0];
  const count = () => number(base, '0x02000008');
  const tool = (name) => page.getByRole('button', { name });
  const saved = await count();
  await tool('Save to slot 1').tap();
  await page.locator('.toast', { hasText: 'Saved to slot 1' }).waitFor();
  await eventually('the game runs on', async () => (await count()) > saved + 120);
  const late = await count();
  await tool('Load slot 1').tap();
  await page.locator('.toast', { hasText: 'Loaded slot 1' }).waitFor();
  await eventually('the game was where it was saved', async () => (await count()) < late);
  const hold = async (name) => {
    const box = await tool(name).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
  };
  await hold('Fast forward, while held');
  await eventually('it runs faster', async () => Math.round((await status()).process.heldFps ?? 0) === 239);
  await page.mouse.move(10, 10);
  await page.mouse.up(); // the finger has left the button
  await eventually('it runs at its speed', async () => (await status()).process.heldFps === undefined);
  await eventually('there is something to go back to', async () => (await count()) > saved + 240);
  await hold('Rewind, while held');
  await eventually('it goes back', async () => { const before = await count(); await new Promise((resolve) => setTimeout(resolve, 100)); return (await count()) < before; });
  await page.mouse.up();
  await eventually('it continues', async () => { const before = await count(); await new Promise((resolve) => setTimeout(resolve, 1000)); return (await count()) > before + 30; });
  await audit(page, 'thumb');
  await page.context().close();
}

/** Hotkeys: slots, fast forward and rewind while they are held, and the list of all of them. */
export async function hotkeys({ base, open, audit }) {
  const page = await open('play');
  await eventually('a picture', () => isPainted(page));
  await page.locator('.stage').click();
  const status = async () => (await api(base, 'GET', 'v2/emulators'))[0];

  const mark = (value) => api(base, 'PUT', 'v2/memory/0x02002000/u32', { value });
  await mark(1);
  await page.keyboard.press('F2');
  await page.locator('.toast', { hasText: 'Saved to slot 1' }).waitFor();
  await mark(2);
  await page.keyboard.press('F4');
  await page.locator('.toast', { hasText: 'Loaded slot 1' }).waitFor();
  equal(await number(base, '0x02002000'), 1, 'the mark of when it was saved');
  await page.keyboard.press('n');
  await page.locator('.toast', { hasText: 'Slot 2' }).waitFor();
  await page.keyboard.press('F4');
  await page.locator('.toast', { hasText: 'Slot 2 of this game is empty' }).waitFor();

  await page.keyboard.down('Tab');
  await eventually('it runs faster', async () => Math.round((await status()).process.heldFps ?? 0) === 239);
  await page.keyboard.up('Tab');
  await eventually('it runs at its speed', async () => (await status()).process.heldFps === undefined);
  const other = await open('play');
  await eventually('a picture for the other one', () => isPainted(other));
  await other.locator('.stage').click();
  await other.keyboard.down('Tab');
  await page.bringToFront();
  await page.keyboard.down('Tab');
  await page.keyboard.up('Tab');
  await other.close();
  await eventually('it runs at its speed when a page is closed', async () => (await status()).process.heldFps === undefined);
  await page.locator('.stage').click();
  await page.keyboard.press('p');
  await eventually('it is paused', async () => (await status()).process.paused);
  await page.keyboard.press('p');
  await eventually('it continues', async () => !(await status()).process.paused);

  await eventually('Play keeps states', async () => (await fetch(new URL('v2/rewind', base))).ok); // 404 until the page's request has arrived
  await eventually('four states are kept', async () => (await api(base, 'GET', 'v2/rewind')).points.length >= 4);
  await page.keyboard.down('Backquote');
  await page.locator('.toast', { hasText: 'That is the oldest state' }).waitFor();
  await page.keyboard.up('Backquote');
  await api(base, 'DELETE', 'v2/rewind');

  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Change the key for Fast forward, while held, now Tab' }).click();
  await page.getByText('Press a key…').waitFor();
  await page.keyboard.press('KeyL');
  await page.getByRole('button', { name: 'Change the key for Fast forward, while held, now L' }).waitFor();
  await audit(page, 'play-hotkeys');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.stage').click();
  await page.keyboard.press('Tab'); // no hotkey any more
  holds(await page.evaluate(() => !document.activeElement.matches('body, main, .stage')), 'Tab leaves the game');
  await api(base, 'DELETE', 'v2/states/MGBABRIDGE%2052258CD4%20slot%201');
}
