import { Store } from '../ui/store';
import { RequestError, type Problem } from './problem';
import type { paths } from './schema';
import type { Endpoint } from './socket';
import { refuseToken, token, tokenProtocols } from './token';

export type Method = 'get' | 'put' | 'post' | 'delete';
type Parameters = { path?: object; query?: object };
type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
/** The paths that have a method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never }[keyof paths];
type ParametersOf<O> = O extends { parameters: infer X extends Parameters } ? X : object;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? { body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } } ? { body?: B } : unknown;
type Options<O> = { emulator?: string | undefined; holder?: string | null | undefined; signal?: AbortSignal; bytes?: Blob | string } & BodyOf<O>
  & (ParametersOf<O> extends { path: infer X extends object } ? { path: X } : unknown)
  & (ParametersOf<O> extends { query?: infer X } ? { query?: X } : unknown);

/** The JSON of a successful response. */
export type Answer<P extends keyof paths, M extends Method> = OperationOf<P, M> extends { responses: infer R }
  ? R extends { 200: { content: { 'application/json': infer J } } } ? J : R extends { 201: { content: { 'application/json': infer J } } } ? J : undefined : never;

/** Who this page is for the gateway: the holder of its keys and of its lease. */
export const holder = new Store('web');

/** Sends a request of the API and returns its JSON. */
export async function call<P extends keyof paths, M extends Method>(method: M, path: P, options: Options<OperationOf<P, M>>): Promise<Answer<P, M>> {
  const response = await send(method, path as string, options as Sent);
  return (response.headers.get('Content-Type')?.includes('json') ? await response.json() : undefined) as Answer<P, M>;
}

/** Reads something that is not JSON, such as a picture. */
export async function read(path: string, options: Sent = {}): Promise<Response> {
  return send('get', path, options);
}

type Sent = {
  emulator?: string | undefined;
  /** The holder that is meant, instead of this page; null for none. */
  holder?: string | null | undefined;
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  bytes?: Blob | string;
  signal?: AbortSignal;
};

/** The URL of a path, relative to the page, so that it also works behind a proxy. */
function url(path: string, options: Sent = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(options.path?.[name] ?? '')));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null) {
      query.set(name, String(value));
    }
  }
  const prefix = options.emulator === undefined ? '' : `i/${encodeURIComponent(options.emulator)}/`;
  return `${prefix}${filled.replace(/^\//, '')}${query.size > 0 ? `?${query}` : ''}`;
}

/** The WebSocket of an emulator, for this holder. */
export function socketOf(emulator: string): Endpoint {
  const address = new URL(url('v2/ws', { emulator, query: { holder: holder.value } }), document.baseURI);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return { url: address.href, protocols: tokenProtocols() };
}

/** Sends a request; anything but success is a RequestError. */
export async function send(method: Method, path: string, options: Sent = {}): Promise<Response> {
  const headers: Record<string, string> = options.holder === null ? {} : { 'Mgba-Holder': options.holder ?? holder.value };
  if (token.value.value !== null) {
    headers.Authorization = `Bearer ${token.value.value}`;
  }
  let body: BodyInit | undefined;
  if (options.bytes !== undefined) {
    body = options.bytes;
    headers['Content-Type'] = 'application/octet-stream';
  } else if (options.body !== undefined) {
    body = JSON.stringify(options.body);
    headers['Content-Type'] = 'application/json';
  }
  let response: Response;
  try {
    response = await fetch(url(path, options), {
      method: method.toUpperCase(), headers, cache: 'no-store',
      ...(body === undefined ? {} : { body }), ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    throw new RequestError({ status: 0, detail: 'The gateway does not answer.' });
  }
  if (!response.ok) {
    const error = new RequestError(await problemOf(response));
    if (error.status === 401) {
      refuseToken(error.kind === 'link-ended' ? error.message : undefined);
    }
    throw error;
  }
  return response;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const problem = (await response.json()) as Problem;
    return { ...problem, status: response.status, detail: problem.detail ?? `The gateway answered ${response.status}.` };
  } catch {
    return { status: response.status, detail: `The gateway answered ${response.status} ${response.statusText}.`.replace(' .', '.') };
  }
}
