// Drives the page in one browser: run.mjs BROWSER FOLDER. Each line of its input is a case: {"case": NAME, "base": URL}, with further fields for the case.
// After each it prints {"ended": NAME, "failures": [...]}. Pictures go to FOLDER. A case may ask the starter of this program for something: it prints a line,
// and reads a line that says that it is done.
import { createInterface } from 'node:readline';
import { mkdirSync } from 'node:fs';
import { chromium, firefox } from 'playwright-core';
import { AxeBuilder } from '@axe-core/playwright';
import { cases } from './cases.mjs';
import { flawsOf } from './layout.mjs';

const [browserName, folder] = process.argv.slice(2);
const Programs = {
  chromium: () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] }),
  firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' }),
};
const Looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
};

// Firefox reports as errors of the page: a WebSocket of a gateway that is gone or of a page that is left while it connects, and the style that Playwright adds while it takes a picture
const Expected = /can.t establish a connection|was interrupted while the page was loading|sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;
const Limit = 60000;

// rows like those before them, which would take most of the time
const Repeated = ['.hex-row', '.traffic-log tr', '.video-sprites tr', '.swatches li', '.swatch', '.state-card'];
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const browser = await Programs[browserName]();

/** Asks the starter, such as for a restart of the gateway; returns what it answers. */
async function ask(what) {
  console.log(what);
  const { value } = await input.next();
  if (!value?.startsWith('done')) {
    throw new Error(`"${what}" was answered with ${value}`);
  }
  return value.slice('done '.length);
}

/** Runs a case; returns what is wrong. */
async function run({ case: caseName, base, ...more }) {
  const failures = [];

  /** A page with errors of its own as failures of the case; without transitions, in which colours are not yet what they will be. */
  async function open(view = '', { look = 'light', at = base, ...options } = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...Looks[look], ...options, ...(browserName === 'chromium' && look === 'phone' ? { isMobile: true, deviceScaleFactor: 2 } : {}) });
    const page = await context.newPage();
    page.setDefaultTimeout(Limit);
    page.on('pageerror', (error) => Expected.test(error.message) || failures.push(`the page threw: ${error.message}`));
    page.on('response', (response) => response.status() === 501 && failures.push(`the page asked for what the gateway does not offer: ${response.url()}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content.Security.Policy/i.test(message.text())) {
        failures.push(message.text());
      }
    });
    await page.goto(`${at}${view ? `#/${view}` : ''}`);
    return page;
  }

  const picture = async (page, name) => {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${browserName}-${name}.png` });
  };

  /** Accessibility and a picture of the view as it is now. */
  async function audit(page, name) {
    const builder = new AxeBuilder({ page });
    Repeated.forEach((rows) => { builder.exclude(`${rows}:nth-child(n+5)`); });
    const { violations } = await builder.analyze();
    for (const { id, help, nodes } of violations) {
      failures.push(`axe ${name}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
    }
    await picture(page, name);
  }

  /** The same for a view in all its looks, in Firefox only in the first; `prepare` makes it show something. */
  async function auditLooks(view, prepare, name = view.split('?')[0]) {
    for (const look of browserName === 'chromium' ? Object.keys(Looks) : ['light']) {
      const page = await open(view, { look });
      await prepare(page);
      failures.push(...(await flawsOf(page)).map((flaw) => `${view} (${look}): ${flaw}`));
      await audit(page, `${name}-${look}`);
      await page.context().close();
    }
  }

  try {
    await cases[caseName]({ browser, browserName, base, open, audit, auditLooks, picture, ask, ...more });
  } catch (error) {
    failures.push(error.stack ?? String(error));
    for (const [index, page] of browser.contexts().flatMap((context) => context.pages()).entries()) {
      await picture(page, `${caseName}-failed-${index}`).catch(() => undefined);
    }
  }
  await Promise.all(browser.contexts().map((context) => context.close().catch(() => undefined)));
  return failures;
}

for (let line = await input.next(); !line.done; line = await input.next()) {
  const wanted = JSON.parse(line.value);
  console.log(JSON.stringify({ ended: wanted.case, failures: await run(wanted) }));
}
await browser.close();
process.exit(0);
