// Presses A with openapi-fetch and the types that openapi-typescript made of docs/openapi.json, and is refused without a token: URL TOKEN
import createClient from 'openapi-fetch';
import type { paths } from './gateway.js';

declare const process: { argv: string[] };

const [baseUrl = '', token] = process.argv.slice(2);
const body = { keys: ['A' as const], frames: 3, wait: true };

const pressed = await createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } }).POST('/v2/keys/tap', { body });
if (pressed.error) {
  throw new Error(pressed.error.detail);
}
console.log(`pressed for ${pressed.data.up - pressed.data.down} frames`);

const refused = await createClient<paths>({ baseUrl }).POST('/v2/keys/tap', { body });
console.log(refused.response.status, refused.error?.type);
