import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { api, bytesBy, downloadBy, equal, eventually, holds } from './tools.mjs';

/** A recording: made, stopped, replayed, downloaded, and the difference of one that was changed. */
export async function recordings({ base, open, audit, auditLooks, browserName }) {
  for (const { id } of (await api(base, 'GET', 'v2/recordings')).recordings) {
    await api(base, 'DELETE', `v2/recordings/${id}`);
  }
  const [{ id: emulator }] = await api(base, 'GET', 'v2/emulators');
  const setSpeed = (fps) => api(base, 'PUT', `v2/emulators/${emulator}/run`, { fps });
  const page = await open('recordings');
  await page.getByText('No recordings').waitFor();
  await audit(page, 'recordings-none');
  await page.getByLabel('Compare memory').selectOption('10');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.locator('.recording-now').waitFor();
  await api(base, 'POST', 'v2/keys/tap', { keys: ['A'] });
  const [{ id }] = (await api(base, 'GET', 'v2/recordings')).recordings;
  await eventually('hashes', async () => (await api(base, 'GET', 'v2/recordings')).recordings[0].hashes > 2);
  await page.getByRole('button', { name: `Stop ${id}` }).click();
  await page.getByText('Complete').waitFor();
  await setSpeed(4 * 59.7275); // on a busy machine the recording may be long; without a limit the emulator would take a processor from the browser

  await page.getByRole('button', { name: `Replay ${id}` }).click();
  await page.getByText('Same', { exact: true }).waitFor();
  const lines = (await downloadBy(page, () => page.getByRole('button', { name: `Download ${id}` }).click())).trim().split('\n');
  equal(JSON.parse(lines[0]).recording, 1, 'the version of the recording');

  await page.evaluate(() => { globalThis.saved = undefined; });
  const video = await bytesBy(page, () => page.getByRole('button', { name: `Make a video of ${id}` }).click());
  equal(video.subarray(4, 8).toString(), 'ftyp', 'the beginning of the MP4 file');
  holds(video.length > 3_000, `the video has ${video.length} bytes`);

  const hashes = lines.map((line, index) => [JSON.parse(line), index]).filter(([line]) => line.hash);
  const [changed, index] = hashes[1];
  lines[index] = JSON.stringify({ ...changed, hash: '0'.repeat(64) });
  const file = `${tmpdir()}/${browserName}-${id}.jsonl`;
  writeFileSync(file, lines.join('\n'));
  await page.getByLabel('Replay a file').setInputFiles(file);
  await page.getByText('Different', { exact: true }).waitFor();
  await page.getByText('0'.repeat(64)).waitFor();
  await audit(page, 'recordings-different');

  await auditLooks('recordings', async (one) => {
    await one.getByRole('button', { name: `Replay ${id}` }).click();
    await one.getByText('Same', { exact: true }).waitFor();
  });
  await setSpeed(59.7275);
  await page.getByRole('button', { name: `Delete ${id}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No recordings').waitFor();
}
