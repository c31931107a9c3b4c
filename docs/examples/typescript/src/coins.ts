// Collects coins in the demo game and lights the lamp, in exact frames: see ../../README.md.
import { connect } from './client.js';

const bridge = connect(process.env.BASE_URL ?? 'http://127.0.0.1:5000', 'coins');
const route = `Start:2 92,108 52,116 92,112 156,112 156,138 156,96 188,90 188,48 150,48 188,48 188,90 Right:60
  36,88 36,76 36,88 124,88 128,72 Right:2 A:2 124,88 104,100 104,124 118,104 120,88 Up:90 120,112 Up:12 Up:40 Up:12 A:2`;
type Key = 'A' | 'Start' | 'Right' | 'Left' | 'Up' | 'Down';

async function step(frames: number, ...keys: Key[]): Promise<void> {
  await bridge.POST('/v2/lease/step', { body: { frames, keys } });
}

async function read(name: string): Promise<number> {
  const { data } = await bridge.GET('/v2/values/{name}', { params: { path: { name } } });
  return data?.value as number;
}

async function go(axis: string, target: number, back: Key, forth: Key): Promise<void> {
  for (let distance; Math.abs((distance = target - (await read(axis)))) > 1; ) {
    await step(Math.ceil((Math.abs(distance) * 2) / 3), distance > 0 ? forth : back); // three pixels in two frames
  }
}

async function main(): Promise<void> {
  await bridge.POST('/v2/lease', { body: { limitMs: 10000 } }); // the game stops between steps
  await step(60);
  for (const place of route.split(/\s+/)) {
    const [x = '', y = ''] = place.split(',');
    const [key = '', frames] = place.split(':');
    if (frames) {
      await step(Number(frames), key as Key);
      await step(60); // a screen comes up, or somebody begins to talk
    } else {
      await go('y', Number(y), 'Up', 'Down');
      await go('x', Number(x), 'Left', 'Right');
    }
    while ([3, 4].includes(await read('mode'))) {
      await step(2, 'A'); // turn the page, and say yes
      await step(2);
    }
  }
  console.log(`${await read('coins')} coins, milestone ${await read('milestone')}`);
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => bridge.DELETE('/v2/lease').catch(() => {})); // it has ended
