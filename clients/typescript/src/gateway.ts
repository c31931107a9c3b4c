import { BridgeError, check, failure, type Problem } from './errors.js';
import { declarations, type Declaration, type OperationName } from './operations.js';

const framesASecond = 50; // a game that runs slower needs a longer timeout

/** How a response may differ from what the operation's arguments say. */
export interface CallOptions {
  /** Which of the media types of the response. */
  accept?: string;
  /** How many frames the response may take, unless the arguments say so. */
  frames?: number;
}

export interface Response {
  headers: Headers;
  /** The JSON, or the bytes. */
  value: unknown;
}

/** A gateway, and what all requests to one of its emulators have in common. */
export class Gateway {
  readonly #base: string;
  readonly #emulator: string;
  readonly #headers: Record<string, string>;

  constructor(readonly url: string, emulator: string | undefined, readonly token: string | undefined, readonly holder: string, public timeout: number) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.search || parsed.hash || parsed.username || parsed.password) {
      throw new TypeError(`"${url}" is not the URL of a gateway; it has the form http://127.0.0.1:5000.`);
    }
    for (const [name, value] of Object.entries({ token, holder, emulator })) {
      if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) {
        throw new TypeError(`${name} must consist of visible ASCII characters.`);
      }
    }
    if (!(timeout > 0)) {
      throw new TypeError(`timeout must be more than 0 ms, not ${timeout}.`);
    }
    this.#base = parsed.href.replace(/\/$/, '');
    this.#emulator = emulator === undefined ? '' : `/i/${encodeURIComponent(emulator)}`;
    this.#headers = { 'Mgba-Holder': holder, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  }

  /** The URL of the WebSocket. */
  get socketUrl(): string {
    return `${this.#base.replace(/^http/, 'ws')}${this.#emulator}/v2/ws`;
  }

  /** Sends the request of an operation. Reads, and effects with an idempotency key, are sent once more when the connection ends before the response. */
  async send(name: OperationName, values: Record<string, unknown>, options: CallOptions = {}): Promise<Response> {
    const declared: Declaration = declarations[name];
    const { path, body } = requestOf(name, declared, values);
    const headers: Record<string, string> = { ...this.#headers };
    if (options.accept) {
      headers['Accept'] = options.accept;
    }
    if (declared.media) {
      headers['Content-Type'] = declared.media;
    }
    if (declared.isKeyed) {
      headers['Idempotency-Key'] = randomId();
    }
    const frames = options.frames ?? (typeof values['frames'] === 'number' ? values['frames'] : 0);
    const limit = this.timeout + (frames * 1000) / framesASecond;
    const url = this.#base + (declared.isOfGateway ? '' : this.#emulator) + path;
    const once = () => this.#fetch(name, url, { method: declared.method, headers, ...(body === undefined ? {} : { body }) }, limit);
    try {
      return await once();
    } catch (error) {
      if (error instanceof BridgeError && error.name === 'unreachable' && error.mayHaveRun && (declared.method === 'GET' || declared.isKeyed)) {
        return await once();
      }
      throw error;
    }
  }

  async #fetch(name: string, url: string, request: RequestInit, limit: number): Promise<Response> {
    let response: globalThis.Response;
    let bytes: ArrayBuffer;
    try {
      response = await fetch(url, { ...request, signal: AbortSignal.timeout(Math.ceil(limit)), cache: 'no-store' });
      bytes = await response.arrayBuffer();
    } catch (error) {
      const code = codeOf(error);
      if ((error instanceof Error && error.name === 'TimeoutError') || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
        throw failure('timeout', `${name}: no response within ${limit / 1000} s; the request may still run. Raise timeout, or look at statusGet().`, true, error);
      }
      if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
        throw failure('unreachable', `No gateway answers at ${this.url} (${code}); start one with mgba-bridge run, or check the URL.`, false, error);
      }
      throw failure('unreachable', `${name}: there is no response from ${this.url} (${code}); the request may have run. Check the gateway and the URL.`, true, error);
    }
    const media = response.headers.get('Content-Type')?.split(';')[0] ?? '';
    let value: unknown = new Uint8Array(bytes);
    if (media === 'application/json' || media === 'application/problem+json') {
      try {
        value = JSON.parse(new TextDecoder().decode(bytes));
      } catch (error) {
        throw this.#notAGateway('JSON that cannot be read', error);
      }
    }
    if (response.status === 200) {
      return { headers: response.headers, value };
    }
    if (media !== 'application/problem+json') {
      throw this.#notAGateway(`status ${response.status}`);
    }
    const after = response.headers.get('Retry-After');
    throw new BridgeError(value as Problem, after === null ? undefined : Number(after));
  }

  #notAGateway(found: string, cause?: unknown): BridgeError {
    return failure('unreachable', `${this.url} is not a gateway of mGBA-bridge: it answered with ${found}; check the URL.`, false, cause);
  }
}

/** Path with query, and body. */
function requestOf(operation: string, declared: Declaration, values: Record<string, unknown>): { path: string; body?: BodyInit } {
  const rest = new Map(Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => [name, composed(operation, name, value)]));
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return String(value);
  };
  let path = declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(take(name)));
  const query = (declared.query ?? []).filter((name) => rest.has(name)).map((name) => `${name}=${encodeURIComponent(take(name))}`);
  if (query.length > 0) {
    path += `?${query.join('&')}`;
  }
  if (!declared.media || declared.isWhole) {
    check(operation, Object.fromEntries(rest), [...(declared.query ?? []), ...(declared.isWhole ? ['body'] : [])]); // names in a JSON body are checked by the gateway
  }
  if (!declared.media) {
    return { path };
  }
  const content = declared.isWhole ? (rest.get('body') ?? '') : Object.fromEntries(rest);
  const isRaw = typeof content === 'string' || ArrayBuffer.isView(content);
  return { path, body: isRaw ? (content as BodyInit) : JSON.stringify(content) };
}

/** The name of a state with each letter and its accent as one character (NFC): the gateway compares names as they are. */
function composed(operation: string, argument: string, value: unknown): unknown {
  return typeof value === 'string' && (operation.startsWith('states.') || (operation === 'emulators.start' && argument === 'state')) ? value.normalize() : value;
}

/** The code of the system behind an error of `fetch`, or its text. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
}

export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
