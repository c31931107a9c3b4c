import { api, equal, eventually, isPainted } from './tools.mjs';

const Sizes = [[390, 844], [844, 390], [1280, 800], [1920, 1080]];

/** Every view, with something in it, at the sizes of a phone, upright and on its side, of a laptop and of a large screen: nothing covers or leaves another part. */
export async function layout({ base, open, picture }) {
  await api(base, 'POST', 'v2/states', { name: 'a state of the layout check', replace: true });
  await api(base, 'PUT', 'v2/cheats', { name: 'a cheat of the layout check', codes: '02001900:07\n02001901:08\n02001902:09' });
  const { id } = await api(base, 'POST', 'v2/recordings', {});
  await api(base, 'POST', `v2/recordings/${id}/stop`);
  const flaws = [];
  for (const [width, height] of Sizes) {
    const page = await open('play', { look: width < 1000 ? 'phone' : 'light', viewport: { width, height } });
    await eventually('a picture', () => isPainted(page));
    const views = await page.locator('nav[aria-label=Views] > a').evaluateAll((links) => links.map((link) => link.getAttribute('href').slice(2)));
    for (const view of views) {
      await page.evaluate((name) => { location.hash = `#/${name}`; }, view);
      await page.locator(`main.view-${view} h1`).waitFor();
      await page.locator('main .card').first().waitFor();
      flaws.push(...(await flawsOf(page)).map((flaw) => `${view} at ${width} x ${height}: ${flaw}`));
      await picture(page, `layout-${view}-${width}x${height}`);
    }
    await page.context().close();
  }
  await api(base, 'DELETE', `v2/recordings/${id}`);
  await api(base, 'DELETE', 'v2/cheats/a%20cheat%20of%20the%20layout%20check');
  await api(base, 'DELETE', 'v2/states/a%20state%20of%20the%20layout%20check');
  equal(flaws, [], 'what covers or leaves another part');
}

/** What is wrong with the layout of a page as it is now: parts that cover each other, leave their card, or are wider than the window. */
export const flawsOf = (page) => page.evaluate(() => {
  const flaws = [];
  const slack = 2.5; // pixels: borders, rounding, and buttons with transparent borders that share them
  const name = (one) => `${one.tagName.toLowerCase()}${one.className && typeof one.className === 'string' ? `.${one.className.trim().replaceAll(/\s+/g, '.')}` : ''} "${(one.getAttribute('aria-label') ?? one.innerText ?? '').trim().slice(0, 30)}"`;
  const styleOf = (one) => getComputedStyle(one);
  const ancestors = (one) => {
    const found = [];
    for (let parent = one.parentElement; parent !== null; parent = parent.parentElement) {
      found.push(parent);
    }
    return found;
  };
  const isShown = (one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && styleOf(one).clipPath === 'none';
  };
  const clips = (one) => styleOf(one).overflowX !== 'visible' || styleOf(one).overflowY !== 'visible';
  const layer = (one, root) => [one, ...ancestors(one)].find((part) => part === root || ['absolute', 'fixed', 'sticky'].includes(styleOf(part).position));

  const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wider > 0) {
    flaws.push(`it is ${wider} pixels wider than the window`);
  }
  for (const root of [document.querySelector('header'), document.querySelector('main')]) {
    const parts = [...root.querySelectorAll('*')].filter((one) => !one.closest('dialog, svg, canvas') && isShown(one));
    for (const card of parts.filter((one) => one.matches('.card'))) {
      const edge = card.getBoundingClientRect();
      for (const one of parts.filter((part) => card.contains(part) && part !== card)) {
        const box = one.getBoundingClientRect();
        const between = ancestors(one).slice(0, ancestors(one).indexOf(card));
        const isOut = box.left < edge.left - slack || box.right > edge.right + slack || box.top < edge.top - slack || box.bottom > edge.bottom + slack;
        if (isOut && !clips(card) && !between.some(clips) && styleOf(card).display !== 'contents' && edge.width > 0 && styleOf(card).pointerEvents !== 'none') {
          flaws.push(`${name(one)} leaves its card ${name(card)}`);
        }
      }
    }
    // what people read or press: controls, and the smallest elements with a text
    const solid = parts.filter((one) => one.matches('button, input, select, textarea, img, .button') || (one.children.length === 0 && one.innerText?.trim()));
    for (const [index, one] of solid.entries()) {
      for (const other of solid.slice(index + 1)) {
        if (one.contains(other) || other.contains(one) || layer(one, root) !== layer(other, root)) {
          continue;
        }
        if ([one, other].some((part) => part.matches('input') && part.closest('label')?.contains(part === one ? other : one))) {
          continue;
        }
        // a text that wraps has a box for each line
        const shared = [...one.getClientRects()].flatMap((a) => [...other.getClientRects()].map((b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)]));
        const [x, y] = shared.find((size) => size.every((length) => length > slack)) ?? [0, 0];
        const isCut = [one, other].some((part) => ancestors(part).some((parent) => {
          const window_ = parent.getBoundingClientRect();
          const box = part.getBoundingClientRect();
          return clips(parent) && (box.left >= window_.right || box.right <= window_.left || box.top >= window_.bottom || box.bottom <= window_.top);
        }));
        if (x > 0 && !isCut) {
          flaws.push(`${name(one)} covers ${name(other)} by ${Math.round(x)} x ${Math.round(y)} pixels`);
        }
      }
    }
  }
  return flaws.slice(0, 10);
});
