// Drives one case of the page in one browser: run.mjs BROWSER CASE URL FOLDER
// Pictures go to FOLDER. A case may ask the starter of this program for something: it prints a line, and reads a line that says that it is done.
import { createInterface } from 'node:readline';
import { mkdirSync } from 'node:fs';
import { chromium, firefox } from 'playwright-core';
import { AxeBuilder } from '@axe-core/playwright';
import { cases } from './cases.mjs';

const [browserName, caseName, base, folder] = process.argv.slice(2);
const Programs = {
  chromium: () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] }),
  firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' }),
};
const Looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
};

// Firefox reports as errors of the page: a WebSocket of a gateway that is gone, and the style that Playwright adds while it takes a picture
const Expected = /can.t establish a connection|sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;
const Limit = 30000;
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const browser = await Programs[browserName]();
const failures = [];

/** Asks the starter, such as for a restart of the gateway. */
async function ask(what) {
  console.log(what);
  const { value } = await answers.next();
  if (value !== 'done') {
    throw new Error(`"${what}" was answered with ${value}`);
  }
}

/** A page with errors of its own as failures of the case. */
async function open(view = '', { look = 'light', path = '', ...options } = {}) {
  const context = await browser.newContext({ ...Looks[look], ...options, ...(browserName === 'chromium' && look === 'phone' ? { isMobile: true, deviceScaleFactor: 2 } : {}) });
  const page = await context.newPage();
  page.setDefaultTimeout(Limit);
  page.on('pageerror', (error) => Expected.test(error.message) || failures.push(`the page threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy/i.test(message.text())) {
      failures.push(message.text());
    }
  });
  await page.goto(`${base}${path}${view ? `#/${view}` : ''}`);
  return page;
}

/** Accessibility and a picture of the view as it is now. */
async function audit(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const { id, help, nodes } of violations) {
    failures.push(`axe ${name}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.html} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
  }
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${browserName}-${name}.png` });
}

/** The same for a view in all its looks, in Firefox only in the first; `prepare` makes it show something. */
async function auditLooks(view, prepare) {
  for (const look of browserName === 'chromium' ? Object.keys(Looks) : ['light']) {
    const page = await open(view, { look });
    await prepare(page);
    await audit(page, `${view.split('?')[0]}-${look}`);
    await page.context().close();
  }
}

try {
  await cases[caseName]({ browser, browserName, base, open, audit, auditLooks, ask, limit: Limit });
} catch (error) {
  failures.push(error.stack ?? String(error));
  mkdirSync(folder, { recursive: true });
  for (const [index, page] of browser.contexts().flatMap((context) => context.pages()).entries()) {
    await page.screenshot({ path: `${folder}/${browserName}-${caseName}-failed-${index}.png` }).catch(() => undefined);
  }
} finally {
  await browser.close();
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exit(1);
}
process.exit(0);
