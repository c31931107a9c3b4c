import { Store } from '../ui/store';

const Key = 'mgba-bridge.token';

/** The token that the gateway asks for, or null for none; wrong says that it did not accept the last one. */
export const token = new Store<{ value: string | null; wanted: boolean; wrong: boolean }>({ value: read(), wanted: false, wrong: false });

/** Keeps a token: until the tab is closed, or on this device. */
export function keepToken(value: string, onDevice: boolean): void {
  try {
    (onDevice ? localStorage : sessionStorage).setItem(Key, value);
  } catch {
    // without storage it lasts until the page is closed
  }
  token.value = { value, wanted: false, wrong: false };
}

/** The gateway answered 401. */
export function refuseToken(): void {
  if (!token.value.wanted) {
    token.value = { ...token.value, wanted: true, wrong: token.value.value !== null };
  }
}

/** The token as a WebSocket subprotocol, since browsers cannot set headers there. */
export function tokenProtocols(): string[] {
  const { value } = token.value;
  return value === null ? [] : ['mgba-bridge', `bearer.${base64Url(value)}`];
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// OBS has no person to ask: an overlay's address may have the token, which browsers do not send to servers as part of it
function read(): string | null {
  const inAddress = /^#\/overlay\?(.*)/.exec(globalThis.location?.hash ?? '')?.[1];
  const given = new URLSearchParams(inAddress ?? '').get('token');
  if (given) {
    return given;
  }
  try {
    return sessionStorage.getItem(Key) ?? localStorage.getItem(Key);
  } catch {
    return null;
  }
}
