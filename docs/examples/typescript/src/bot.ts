// Plays the test game: see ../README.md.
import { randomUUID } from 'node:crypto';
import { connect } from './client.js';

const bridge = connect(process.env.BASE_URL ?? 'http://127.0.0.1:5000');
const scorePlace = '0x02000094'; // goes up by 17 with each press of A

function must(holds: boolean | undefined, sentence: string): asserts holds {
  if (!holds) {
    throw new Error(sentence);
  }
}

async function score(): Promise<number> {
  const { data } = await bridge.GET('/v2/memory/{location}/u32', { params: { path: { location: scorePlace } } });
  must(data !== undefined, 'There is no score.');
  return data.value;
}

async function press(): Promise<void> {
  await bridge.POST('/v2/keys/tap', {
    // a key of its own makes it safe to send the press again
    params: { header: { 'Idempotency-Key': randomUUID() } },
    // with wait the answer comes when the key is up again
    body: { keys: ['A'], frames: 2, wait: true },
  });
}

async function main(): Promise<void> {
  // the game writes MBT1 when it has started
  const { data: started } = await bridge.POST('/v2/wait', {
    body: { all: [{ location: '0x02000000', type: 'u32', value: 827605581 }], frames: 600 },
  });
  must(started?.met, 'This is not our test game.');

  const before = await score();
  const { data: state } = await bridge.GET('/v2/state', { parseAs: 'arrayBuffer' });
  must(state !== undefined, 'There is no state.');
  for (let presses = 0; presses < 5; presses++) {
    await press();
  }
  const after = await score();
  must(after - before === 85, `The score went from ${before} to ${after}.`);

  const { data: picture } = await bridge.GET('/v2/screen', { parseAs: 'arrayBuffer' });
  must(picture !== undefined && Buffer.from(picture).toString('latin1', 1, 4) === 'PNG', 'The picture is not a PNG.');

  await bridge.PUT('/v2/state', {
    body: state as unknown as string, // bytes are strings of the format "binary" in OpenAPI
    bodySerializer: () => state,
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  must((await score()) === before, 'The state did not bring the score back.');
  console.log(`Five presses took the score from ${before} to ${after}, and the state took it back.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
