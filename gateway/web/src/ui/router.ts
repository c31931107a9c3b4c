import { Store } from './store';

type Route = { view: string; parameters: URLSearchParams };

/** The view that the address names: `#/memory?at=0x02000000`. */
export const route = new Store<Route>(read());

addEventListener('hashchange', () => {
  route.value = read();
});

/** The address of a view. */
export function link(view: string, parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${view}${query ? `?${query}` : ''}`;
}

function read(): Route {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path || 'play', parameters: new URLSearchParams(query ?? '') };
}
