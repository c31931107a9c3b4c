// Emulator against a gateway at BASE_URL that plays the test game, and one at SECURED_URL that requires a token.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { BridgeError, declarations, Emulator } from 'mgba-bridge';

const { BASE_URL, SECURED_URL, ROOT } = process.env;
const score = 'u32 0x02000094';
const isStream = (name) => ['sound.stream', 'events.stream', 'screen.stream', 'holder.stream', 'websocket.open', 'echo.send'].includes(name);
let emu;

before(async () => {
  emu = await Emulator.connect(BASE_URL);
  assert.ok(await emu.wait('u32 0x02000000 == 827605581'));
  await emu.symbolsLoad(readFileSync(`${ROOT}/docs/examples/mgba-bridge-test.elf`));
  await emu.propertiesLoad(readFileSync(`${ROOT}/docs/examples/mgba-bridge-test.json`));
});
after(() => emu.close());

/** A program at an URL that answers each request by the next of these functions. */
async function serve(use, ...answers) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.shift() ?? (() => request.socket.destroy());
    request.resume().on('end', () => answer(response, request));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json = (value, status = 200, headers = {}) => (response) =>
  response.writeHead(status, { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json', ...headers }).end(JSON.stringify(value));

async function refusal(promise, name, ...words) {
  const error = await promise.then(() => assert.fail('it was not refused'), (error) => error);
  assert.ok(error instanceof BridgeError, String(error));
  assert.equal(error.name, name, error.detail);
  assert.ok(words.every((word) => error.detail.includes(word)) && !error.detail.includes('\n'), error.detail);
  return error;
}

test('every operation is a method', async () => {
  const { operations } = await emu.operationsList();
  const names = operations.filter(({ name, path }) => path.startsWith('/v2/') && !isStream(name)).map(({ name }) => name);
  assert.ok(names.length > 80);
  const method = (name) => name.replace(/\.(\w)/g, (_, letter) => letter.toUpperCase());
  assert.deepEqual(names.filter((name) => !(name in declarations) || typeof emu[method(name)] !== 'function'), []);
});

test('an option that there is not is refused, with the nearest one', async () => {
  const wrong = (call, sentence) => assert.rejects(call, { name: 'TypeError', message: sentence });
  await wrong(emu.press('A', { fames: 3 }), 'press has no option "fames"; did you mean "frames"?');
  await wrong(emu.read('score', { tpye: 'u8' }), 'read has no option "tpye"; did you mean "type"?');
  await wrong(emu.write('0x02010000', 1, { as: 'u8' }), 'write has no option "as"; it has type.');
  await wrong(emu.screen({ scael: 2 }), 'screen has no option "scael"; did you mean "scale"?');
  await wrong(emu.pixels({ gray: true }), 'pixels has no option "gray"; did you mean "grey"?');
  await wrong(emu.wait(undefined, { seconds: 1 }), 'wait has no option "seconds"; it has frames.');
  await wrong(emu.step(1, { key: 'A' }), 'step has no option "key"; did you mean "keys"?');
  await wrong(Emulator.connect(BASE_URL, { tokn: 'x' }), 'connect has no option "tokn"; did you mean "token"?');
  await wrong(emu.memoryReadValue('0x02010000', 'u8', { cuont: 2 }), 'memory.readValue has no option "cuont"; did you mean "count"?');
  await wrong(emu.stateLoad({ bdy: new Uint8Array(1) }), 'state.load has no option "bdy"; did you mean "body"?');
  await refusal(emu.keysTap(['A'], { fames: 3 }), 'bad-request', 'fames', 'frames');
  await emu.screen({ scale: undefined });
});

test('presses reach the game', async () => {
  const start = await emu.read('score');
  const pressed = await emu.press('A', { frames: 3 });
  assert.equal(pressed.up - pressed.down, 3);
  assert.equal(await emu.read('score'), start + 17);
  await emu.play('A 1, wait 3, A 1');
  assert.equal(await emu.read('score'), start + 3 * 17);
  await emu.hold('Up+B');
  assert.ok(await emu.wait(`u32 0x0200000C == ${(1 << 6) | (1 << 1)}`));
  await emu.release();
  assert.ok(await emu.wait('u32 0x0200000C == 0'));
});

test('memory has its values', async () => {
  assert.equal(await emu.read('0x02000000', { type: 'u32' }), 827605581);
  assert.equal(await emu.read(0x02000000, { type: 'u32' }), 827605581);
  assert.deepEqual(await emu.read('0x02000000', { count: 4 }), [...Buffer.from('MBT1')]);
  assert.equal(await emu.read('wram:0x0', { type: 'text', length: 4 }), 'MBT1');
  assert.deepEqual(await emu.read('0x02000000', { type: 'bytes', length: 4 }), await emu.readBytes(0x02000000, 4));
  assert.match(await emu.read('greeting'), /^HELLO/);
  assert.deepEqual(Object.keys(await emu.readAll('greeting', 'score')), ['greeting', 'score']);
  await emu.write('0x02010000', -2, { type: 's16' });
  await emu.write(0x02010002, new Uint8Array([1, 2]));
  await emu.write('0x02010004', [5, 6]);
  assert.deepEqual([...(await emu.readBytes('0x02010000', 6))], [254, 255, 1, 2, 5, 6]);
  await emu.step(0, { keys: '' }); // the game moves the box
  await emu.write('box', 40);
  assert.equal(await emu.read('box'), 40);
});

test('the screen is a PNG and pixels', async () => {
  assert.equal(Buffer.from(await emu.screen()).toString('latin1', 1, 4), 'PNG');
  await emu.step(1, { keys: '' });
  const { width, height, channels, data } = await emu.pixels();
  assert.deepEqual([width, height, channels, data.length], [240, 160, 3, 240 * 160 * 3]);
  assert.ok(new Set(data).size > 2);
  const small = await emu.pixels({ grey: true, width: 84, height: 84 });
  assert.deepEqual([small.width, small.height, small.channels, small.data.length], [84, 84, 1, 84 * 84]);
});

test('steps are exact, and states bring the game back', async () => {
  const first = await emu.step(3, { keys: 'A', reads: ['u32 0x02000008', '0x02000094 u32'] });
  const second = await emu.step(5, { keys: '', reads: ['u32 0x02000008'] });
  assert.equal(second.frame - first.frame, 5);
  assert.equal(second.values[0] - first.values[0], 5);
  assert.equal(second.epoch, first.epoch);
  const state = await emu.save();
  const played = async () => {
    const values = [];
    for (const keys of ['A', '', 'A+B', '']) values.push((await emu.step(2, { keys, reads: [score] })).values[0]);
    return values;
  };
  const before = await played();
  assert.ok(before[3] > before[1]);
  await emu.load(state);
  assert.deepEqual(await played(), before);
});

test('the name of a state is the same with composed and separate accents', async () => {
  const [composed, separate] = ['\u00e9tat', 'e\u0301tat'];
  assert.equal((await emu.statesSave(separate)).name, composed);
  await emu.load(separate);
  assert.equal((await emu.statesCompare(separate, composed)).bytes, 0);
  await emu.statesDelete(separate);
  assert.ok(!(await emu.statesList()).states.some(({ name }) => name === composed));
});

test('steps at once follow each other', async () => {
  const [first, second, third] = await Promise.all([emu.step(2), emu.step(3), emu.step(4)]);
  assert.deepEqual([second.frame - first.frame, third.frame - second.frame], [3, 4]);
});

test('a step without the lease is refused, and the next takes it again', async () => {
  await emu.step(1);
  await emu.leaseRelease();
  const error = await emu.step(1).then(() => assert.fail(), (error) => error);
  assert.deepEqual([error.status, error.code, error.mayHaveRun], [409, 'no-lease', false]);
  assert.ok((await emu.step(1)).frame);
  await emu.leaseRelease();
});

test('close gives keys and lease back', async () => {
  const other = await Emulator.connect(BASE_URL, { holder: 'other' });
  await other.hold('B');
  await other.step(1);
  assert.equal((await emu.statusGet()).leaseHolder, 'other');
  await other.leaseRelease();
  await assert.rejects(other.step(1)); // after which it does not know whether it has the lease
  await other.leaseTake();
  await other.close();
  assert.equal((await emu.statusGet()).leaseHolder, undefined);
  assert.deepEqual((await emu.keysGet()).holders, []);
});

test('events arrive, and a loop that ends closes its WebSocket', async () => {
  const seen = [];
  let isPressed = false;
  for await (const event of emu.events('frame/10', 'keys')) {
    seen.push(event.event);
    if (event.event === 'frame' && !isPressed) {
      isPressed = true;
      await emu.press('L', { wait: false });
    }
    if (event.event === 'keys' && event.keys.includes('L')) {
      assert.ok(event.frame > 0 && event.id && event.epoch);
      break;
    }
  }
  assert.equal(seen[0], 'frame');
  for await (const event of emu.events('sound')) {
    if (event.event !== 'sound') continue;
    assert.ok(event.samples instanceof Int16Array && event.samples.length > 0 && event.samples.length % 2 === 0);
    break;
  }
});

test('close ends loops over events', async () => {
  const other = await Emulator.connect(BASE_URL);
  let count = 0;
  for await (const _ of other.events('frame/10')) {
    count++;
    await other.close();
  }
  assert.equal(count, 1);
});

test('wrong topics are refused', async () => {
  await refusal(emu.events('nonsense').next(), 'bad-request', 'nonsense');
});

test('refusals are one sentence', async () => {
  await refusal(emu.press('Z'), 'bad-request', 'Keys are A, B, Select');
  await refusal(emu.press('A', { frames: 0 }), 'bad-request', 'from 1 to 36000');
  assert.equal((await refusal(emu.read('scor'), 'no-such-name', 'scor')).status, 404);
  await refusal(emu.load('nowhere'), 'no-such-state', 'nowhere');
  await refusal(emu.load(new Uint8Array([1, 2, 3])), 'rejected', 'state');
  await assert.rejects(emu.step(1, { reads: ['u33 0x02000000'] }), { name: 'TypeError', message: /u33 0x02000000/ });
  for (const url of ['127.0.0.1:5000', 'ftp://127.0.0.1', 'http://', 'http://127.0.0.1:5000?x=1']) {
    await assert.rejects(Emulator.connect(url), { name: 'TypeError', message: /http:\/\/127\.0\.0\.1:5000/ });
  }
  await refusal(Emulator.connect(BASE_URL, { emulator: 'nobody' }), 'no-such-emulator', 'nobody');
});

test('a token is sent over HTTP and WebSocket', async () => {
  for (const token of [undefined, 'another-token-than-that']) {
    assert.equal((await refusal(Emulator.connect(SECURED_URL, token ? { token } : {}), 'token-needed', 'oken')).status, 401);
  }
  const secured = await Emulator.connect(SECURED_URL, { token: 'a-token-of-the-tests' });
  assert.ok((await secured.press('A')).down);
  assert.equal((await secured.events('frame').next()).value.event, 'frame');
  await secured.close();
});

test('another program, or none, is one sentence', async () => {
  await serve((url) => refusal(Emulator.connect(url), 'unreachable', url, 'not a gateway'), (response) => response.writeHead(404).end('no'));
  let gone;
  await serve(async (url) => (gone = url));
  await refusal(Emulator.connect(gone), 'unreachable', 'ECONNREFUSED', 'mgba-bridge run');
});

test('a missing response is one sentence', async () => {
  await serve(async (url) => {
    const other = await Emulator.connect(url, { timeout: 50 }).catch((error) => error);
    assert.ok(other instanceof BridgeError && other.name === 'timeout' && other.detail.includes('0.05 s'), String(other));
  }, () => {});
});

test('a problem says when to try again', async () => {
  const problem = { type: 'urn:mgba-bridge:rate-limited', title: '', status: 429, detail: 'Too many.' };
  await serve(async (url) => assert.equal((await refusal(Emulator.connect(url), 'rate-limited')).retryAfter, 7), json(problem, 429, { 'Retry-After': '7' }));
});

test('an effect is sent again with the same key, and a step is not', async () => {
  const cut = (_, request) => request.socket.destroy();
  await serve(async (url, requests) => {
    const other = await Emulator.connect(url);
    assert.deepEqual(await other.press('A'), {});
    const keys = requests.slice(1).map(({ headers }) => headers['idempotency-key']);
    assert.ok(keys.length === 2 && keys[0] && keys[0] === keys[1], String(keys));
    await refusal(other.leaseStep(1), 'unreachable', 'may have run');
    assert.equal(requests.length, 4);
  }, json({}), cut, json({}), cut);
});
