import { Store } from '../ui/store';

const Key = 'mgba-bridge.token';

const NotAccepted = 'The gateway did not accept the token, or no longer does: ask the person who runs it for another one.';

/** The token that the gateway asks for, or null for none; `wrong` says why it did not accept the last one, `ended` that it was that of a link. */
export const token = new Store<{ value: string | null; wanted: boolean; wrong: string | null; ended: boolean }>({ value: read(), wanted: false, wrong: null, ended: false });

// a link that is opened in this tab once more changes only the part of the address that loads nothing
globalThis.addEventListener?.('hashchange', () => {
  const value = read();
  if (value !== null && value !== token.value.value) {
    token.value = { value, wanted: false, wrong: null, ended: false };
  }
});

/** Keeps a token: until the tab is closed, or on this device. */
export function keepToken(value: string, onDevice: boolean): void {
  store(onDevice ? 'localStorage' : 'sessionStorage', value);
  token.value = { value, wanted: false, wrong: null, ended: false };
}

function store(storage: 'localStorage' | 'sessionStorage', value: string): void {
  try {
    globalThis[storage].setItem(Key, value);
  } catch {
    // without storage it lasts until the page is closed
  }
}

/** The gateway answered 401; with a sentence for a link that has ended. */
export function refuseToken(ended?: string): void {
  if (!token.value.wanted) {
    token.value = { ...token.value, wanted: true, wrong: token.value.value === null ? null : ended ?? NotAccepted, ended: ended !== undefined };
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

// The address may have the token, which browsers do not send to servers as part of it: that of an overlay, since OBS has no person to ask, and those
// of guests. Only an overlay keeps it in its address.
function read(): string | null {
  const [view, query] = (globalThis.location?.hash ?? '').split('?', 2);
  const given = new URLSearchParams(query ?? '').get('token');
  if (given && view === '#/overlay') {
    return given;
  }
  if (given) {
    history.replaceState(null, '', view);
    store('sessionStorage', given);
    return given;
  }
  try {
    return sessionStorage.getItem(Key) ?? localStorage.getItem(Key);
  } catch {
    return null;
  }
}
