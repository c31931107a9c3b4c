import { api, equal, eventually, isPainted } from './tools.mjs';
import { flawsOf } from './layout.mjs';

/** An owner makes links, hands control over, takes it back and ends links; a guest plays by one, whose end the page says. */
export async function guests({ base, browserName, open, audit, token }) {
  const shared = base.replace('127.0.0.1', 'owner.localhost'); // as of a tunnel: an address that others could have, too
  const ask = (method, path, body) => api(base, method, path, body, { Authorization: `Bearer ${token}` });
  const press = (button) => browserName === 'chromium' ? button.tap() : button.click(); // Firefox has no touch screen here
  const down = async () => (await ask('GET', 'v2/keys')).keys;
  const share = async (page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.getByText('Nobody has a link.').waitFor();
    return dialog;
  };
  const invite = async (dialog, name) => {
    const field = dialog.getByRole('textbox', { name: 'Name', exact: true });
    await field.fill(name);
    await field.press('Enter');
    await dialog.getByRole('img', { name: `QR code of the link for ${name}`, exact: true }).waitFor();
    return dialog.getByRole('textbox', { name: `Link for ${name}`, exact: true }).inputValue();
  };

  const alone = await open(`play?token=${token}`);
  await eventually('a picture', () => isPainted(alone));
  const refused = await share(alone);
  await refused.getByRole('button', { name: 'Create a link' }).click();
  await refused.getByText('run --share').waitFor();
  await alone.context().close();

  for (const look of ['light', 'dark', 'phone']) {
    const owner = await open(`play?token=${token}`, { look, at: shared });
    await eventually('a picture', () => isPainted(owner));
    const dialog = await share(owner);
    const name = '<b>Ann</b> of the long and winding name';
    const link = await invite(dialog, name);
    equal(link.startsWith(`${shared}#/play?token=`), true, `whether ${link} leads to this page`);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await invite(dialog, 'Bob');
    await audit(owner, `share-${look}`);
    equal(await flawsOf(owner), [], 'the layout');
    equal(await dialog.evaluate((one) => one.scrollWidth > one.clientWidth), false, 'whether the dialog is wider than its window');
    if (look === 'phone') {
      await play(owner, dialog, name, link);
    }
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await dialog.getByText('Nobody has a link.').waitFor();
    equal(await dialog.getByRole('img').count(), 0, 'the QR codes of links that have ended');
    await owner.context().close();
  }

  async function play(owner, dialog, name, link) {
    const guest = await open('', { at: link });
    await eventually('a picture of the guest', () => isPainted(guest));
    const row = dialog.locator('.guests li', { hasText: name });
    await row.getByText(/^Connected, delay \d/).waitFor();
    equal(await guest.getByRole('button', { name: 'Share' }).count(), 0, 'the buttons to share of a guest');
    await guest.keyboard.down('KeyX');
    await eventually('the key', async () => (await down()).includes('A'));
    await guest.keyboard.up('KeyX');

    const take = guest.getByRole('button', { name: 'Take control' });
    equal(await take.isDisabled(), true, 'whether a guest may not take control');
    await press(dialog.getByRole('button', { name: `Hand control over to ${name}` }));
    await eventually('the guest may take control', () => take.isEnabled());
    await take.click();
    await row.getByText('has control').waitFor();
    await audit(owner, 'share-control');
    await press(dialog.getByRole('button', { name: `Take control back from ${name}` }));
    await eventually('the guest may not take control', () => take.isDisabled());
    await row.getByText('has control').waitFor({ state: 'detached' });
    await eventually('nobody has control', async () => (await ask('GET', 'v2/status')).state === 'ready');

    await eventually('the key again', async () => {
      await guest.keyboard.down('KeyX');
      const isDown = (await down()).includes('A');
      await (isDown || guest.keyboard.up('KeyX'));
      return isDown;
    });
    await press(dialog.getByRole('button', { name: `Kick ${name}` }));
    await eventually('the key of a guest who was kicked is up', async () => (await down()).length === 0);
    await guest.getByText('This link has ended. Ask the person who gave it to you for another one.').waitFor();
    await audit(guest, 'share-ended');
    let requests = 0;
    guest.on('request', () => { requests += 1; });
    guest.on('websocket', () => { requests += 1; });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    equal(requests, 0, 'the requests of a page whose link has ended');

    // another link in the same tab loads nothing
    const next = await invite(dialog, 'Ann again');
    await guest.evaluate((address) => { location.href = address; }, next);
    await eventually('a picture by another link', () => isPainted(guest));
    await guest.context().close();
  }
}
