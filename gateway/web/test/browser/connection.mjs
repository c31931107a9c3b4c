import { cuttable } from './proxy.mjs';
import { api, equal, eventually, holds, isMoving, isPainted } from './tools.mjs';

/** Without an emulator: the steps to connect one. */
export async function first_contact({ open, audit, auditLooks, ask }) {
  await auditLooks('play', (page) => page.getByText('Drop a ROM here').waitFor(), 'first-contact');
  const page = await open();
  const script = await page.locator('#script').first().innerText();
  holds(script.startsWith('/') && script.endsWith('mgba-bridge.lua'), `the page names the script: ${script}`);
  await page.locator('.first-contact code', { hasText: 'mgba-bridge run game.gba' }).waitFor();
  await ask('start an emulator');
  await page.locator('canvas').waitFor();
  await audit(page, 'play-after-first-contact');
}

/** No program can play a ROM that is brought: the page offers mGBA's window and the script, and refuses what is dropped. */
export async function without_headless({ open, audit }) {
  const page = await open();
  await page.getByRole('heading', { name: "Three steps to a game in mGBA's window" }).waitFor();
  await page.locator('#script').waitFor();
  equal(await page.getByText('Drop a ROM here').count(), 0);
  equal(await page.getByText('mgba-bridge run').count(), 0);
  await audit(page, 'without-headless');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'game.gba'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  });
  await page.locator('.toast', { hasText: 'open the game in mGBA, and load the script there' }).waitFor();
  await page.evaluate(() => { location.hash = '#/emulators'; });
  await page.getByRole('heading', { name: 'Emulators', level: 1 }).waitFor();
  equal(await page.getByRole('heading', { name: 'Start an emulator' }).count(), 0);
}

/** The gateway restarts while the page is open: the page says so and continues. */
export async function restart({ open, audit, ask }) {
  const page = await open('states');
  await page.getByRole('button', { name: 'Save state' }).waitFor(); // this view has a file of its own
  await page.evaluate(() => { location.hash = '#/play'; });
  await page.locator('canvas').waitFor();
  await ask('stop the gateway');
  await page.locator('.notice', { hasText: /The gateway does not answer.* mgba-bridge run$/ }).waitFor();
  await page.locator('.shell-emulator .shell-state', { hasText: 'no gateway' }).waitFor();
  for (const label of ['Save the picture', 'Sound', 'Reset the game', 'Take control']) {
    await eventually(`"${label}" is off without a gateway`, () => page.getByRole('button', { name: label }).isDisabled());
  }
  await page.locator('.pad-a[aria-disabled="true"]').waitFor();
  await audit(page, 'gateway-gone');
  await page.evaluate(() => { location.hash = '#/states'; });
  await page.getByRole('button', { name: 'Save state' }).waitFor();
  for (const label of ['Save state', 'Download .sav']) {
    await eventually(`"${label}" is off without a gateway`, () => page.getByRole('button', { name: label }).isDisabled());
  }
  await page.evaluate(() => { location.hash = '#/emulators'; });
  await page.locator('.card-head .chip.bad', { hasText: 'no gateway' }).waitFor();
  holds((await page.getByText('ready', { exact: true }).count()) === 0, 'nothing is ready without a gateway');
  await page.evaluate(() => { location.hash = '#/play'; });
  await ask('start the gateway');
  await page.locator('.notice').waitFor({ state: 'detached' });
  await isMoving(page);
}

/** A gateway with a token asks for it once, and says when it is wrong. */
export async function token({ open, audit }) {
  const page = await open('play');
  await page.getByLabel('Token').waitFor();
  await audit(page, 'token-light');
  await page.getByLabel('Token').fill('this-is-not-the-token');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('did not accept the token').waitFor();
  await page.getByLabel('Token').fill('a-token-of-the-tests');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('canvas').waitFor();
  await eventually('a picture over the WebSocket', () => isPainted(page));
  await page.reload();
  await page.locator('canvas').waitFor();
  await eventually('a picture after a reload', () => isPainted(page));
}

const Offered = {
  viewer: { pad: false, control: false, reset: false, state: false, rom: false, recording: false },
  guest: { pad: true, control: false, reset: false, state: false, rom: false, recording: true },
  player: { pad: true, control: true, reset: false, state: false, rom: false, recording: true },
  owner: { pad: true, control: true, reset: true, state: true, rom: true, recording: true },
};

/** What the role of the token does not allow is disabled and says why; no view asks the gateway for it. */
export async function roles({ open, picture, tokens }) {
  for (const [role, offered] of Object.entries(Offered)) {
    const page = await open(`play?token=${tokens[role]}`);
    const refused = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await eventually('a picture', () => isPainted(page));
    await (role === 'owner' ? page.locator('.pad-a[aria-disabled="false"]') : page.locator('.shell-top .chip', { hasText: role })).waitFor();
    const isOffered = async (control) => {
      const isEnabled = await control.isEnabled();
      const why = await control.evaluate((element) => element.closest('[title^="This needs a token with the role"]')?.title);
      const needed = await control.evaluate((one) => one.matches('.pad-a') || /Record/.test(one.textContent) ? 'guest' : /control/.test(one.textContent) ? 'player' : 'owner');
      equal(why, isEnabled ? undefined : `This needs a token with the role ${needed}; yours has the role ${role}.`, 'the reason');
      return isEnabled;
    };
    const found = {
      pad: await isOffered(page.locator('.pad-a')), control: await isOffered(page.getByRole('button', { name: 'Take control' })),
      reset: await isOffered(page.getByRole('button', { name: 'Reset the game' })),
    };
    await page.keyboard.press('KeyX');
    await page.keyboard.press('F4');
    await page.locator('.toast', { hasText: role === 'owner' ? 'is empty' : 'This needs a token with the role owner' }).waitFor();
    await picture(page, `roles-${role}`);
    const links = await page.locator('nav[aria-label=Views] > a').evaluateAll((all) => all.map((link) => link.getAttribute('href').slice(2)));
    for (const name of role === 'viewer' ? links : ['states', 'emulators', 'recordings']) {
      await page.evaluate((view) => { location.hash = `#/${view}`; }, name);
      await page.locator(`main.view-${name} h1`).waitFor();
      if (name === 'states') {
        found.state = await isOffered(page.getByRole('button', { name: 'Save state' }));
      } else if (name === 'recordings') {
        found.recording = await eventually('the list', async () => await page.locator('.empty').count() > 0) && await isOffered(page.getByRole('button', { name: 'Record', exact: true }));
      } else if (name === 'emulators') {
        found.rom = await page.locator('.rom-drop input').isEnabled();
      }
    }
    equal(found, offered, `what the page offers to a ${role}`);
    equal(refused, [], `requests of a ${role} that were refused`);
    await page.context().close();
  }
}

/** Paused, gone and back: one sentence each. */
export async function states_of_the_emulator({ base, open, audit }) {
  const page = await open('play');
  await page.locator('canvas').waitFor();
  const [{ id }] = await api(base, 'GET', 'v2/emulators');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: true });
  await page.locator('.notice', { hasText: 'The game is paused.' }).waitFor();
  await audit(page, 'play-paused');
  await api(base, 'PUT', `v2/emulators/${id}/run`, { paused: false });
  await page.locator('.notice').waitFor({ state: 'detached' });
  await page.context().setOffline(true);
  await page.locator('.notice', { hasText: 'The gateway does not answer' }).waitFor();
  await page.context().setOffline(false);
  await page.locator('.notice').waitFor({ state: 'detached' });
}

/** Without JavaScript: the same steps, and the picture. */
export async function noscript({ open, picture }) {
  const page = await open('', { javaScriptEnabled: false });
  const text = page.locator('main.plain'); // Playwright finds no text inside noscript
  holds((await text.innerText()).includes('This page needs JavaScript'), 'the text says what is missing');
  holds((await text.innerText()).includes('mgba-bridge run game.gba'), 'the text offers run');
  const script = await page.locator('#script').innerText();
  holds(script.startsWith('/') && script.endsWith('mgba-bridge.lua'), `the page names the script: ${script}`);
  await picture(page, 'noscript');
  await text.locator('a').first().click();
  await page.waitForURL('**/docs/index.html');
}

/** The gateway was updated while the page was open: it offers to load the new one. */
export async function updated({ open, picture }) {
  const page = await open('play');
  await page.locator('canvas').waitFor();
  await page.evaluate(() => { document.querySelector('meta[name="mgba-page"]').content = 'of an older gateway'; });
  await page.context().setOffline(true);
  await page.locator('.notice', { hasText: 'The gateway does not answer' }).waitFor();
  await page.context().setOffline(false);
  await page.locator('.notice', { hasText: 'The gateway was updated' }).waitFor();
  await picture(page, 'updated');
  await page.getByRole('button', { name: 'Reload' }).click();
  await isMoving(page);
  await page.locator('.notice').waitFor({ state: 'detached' });
}

/** A view whose file cannot be loaded says so, and is there when that is tried again; those that are loaded need no gateway. */
export async function missing_view({ base, open, audit }) {
  const page = await open('', { at: 'about:blank' });
  const show = (view) => page.evaluate((name) => { location.hash = `#/${name}`; }, view);
  const says = (text) => page.getByRole('heading', { name: text, level: 1 }).waitFor();
  await page.route('**/cheats.js', (route) => route.abort());
  await page.goto(`${base}#/cheats`);
  await says('This view could not be loaded');
  await audit(page, 'view-missing');
  await eventually('the other files', () => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/overlay.js'))));
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').filter({ hasText: 'The gateway does not answer.' }).waitFor();
  await show('traffic');
  await says('Traffic');
  await page.context().setOffline(false);
  await show('cheats');
  await says('This view could not be loaded');
  await page.unroute('**/cheats.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await says('Cheats');
}

/** Only the WebSocket is cut, and refused for some time: the page says so, continues by itself, and holds again what is still held. */
export async function cut_socket({ base, open, picture }) {
  const proxy = await cuttable(new URL(base));
  const isFast = async () => (await api(base, 'GET', 'v2/emulators'))[0].process.heldFps !== undefined;
  const isSlow = async () => !(await isFast());
  try {
    const page = await open('play', { at: proxy.url });
    await isMoving(page);
    await page.keyboard.down('Tab');
    await eventually('fast forward', isFast);
    proxy.cut();
    await eventually('the end of what the connection held', isSlow);
    await page.locator('.notice', { hasText: 'The connection to the gateway was cut; the page reconnects.' }).waitFor();
    await picture(page, 'socket-cut');
    await eventually('it tries again', () => proxy.refused >= 4);
    proxy.mend();
    await page.locator('.notice').waitFor({ state: 'detached' });
    await eventually('fast forward again', isFast);
    await page.keyboard.up('Tab');
    await eventually('its end', isSlow);
    await isMoving(page);
  } finally {
    proxy.close();
  }
}

/** Streams of other pages have taken all connections of the browser: the page says so, and continues when one is free. */
export async function no_connection_left({ open }) {
  const page = await open('play');
  await page.evaluate(() => { window.streams = Array.from({ length: 6 }, () => new EventSource('v2/events?topics=game')); });
  await page.locator('.notice', { hasText: 'they may have taken all six connections' }).waitFor();
  await page.evaluate(() => { for (const stream of window.streams) { stream.close(); } });
  await page.locator('.notice').waitFor({ state: 'detached' });
}

/** An emulator that is not the gateway's: a script of another version, gone, back, another game, and a second gateway. */
export async function foreign_emulator({ open, picture, ask }) {
  const page = await open('play');
  const says = (text) => page.locator('.notice', { hasText: text }).waitFor();
  const isGood = async () => {
    await page.locator('.notice').waitFor({ state: 'detached' });
    await isMoving(page);
  };
  await says('Script and gateway have different versions. ');
  await picture(page, 'wrong-version');
  await ask('start the emulator');
  await isGood();
  await ask('end the emulator');
  await says('The emulator is not connected; the page continues when it is.');
  await picture(page, 'emulator-gone');
  await ask('start the emulator');
  await isGood();

  await ask('open another game');
  await page.locator('.toast', { hasText: 'Another game was opened' }).waitFor();
  await eventually('its picture', () => page.evaluate(() => document.querySelector('canvas').height === 144));
  await picture(page, 'another-game');

  await page.getByRole('button', { name: 'Take control' }).click();
  await page.locator('.stage-badge', { hasText: 'You have control' }).waitFor();
  const other = await open('play', { at: await ask('start another gateway') });
  await other.locator('.notice', { hasText: /^web-[0-9a-f]{4} has control: the game runs only in its steps/ }).waitFor();
  await picture(other, 'control-through-another-gateway');
  await page.getByRole('button', { name: 'Give control back' }).click();
  await other.locator('.notice').waitFor({ state: 'detached' });
  await isMoving(other);
}
