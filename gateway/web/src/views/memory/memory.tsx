import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { refusalOf } from '../../api/allowed';
import { current } from '../../api/gateway';
import { call } from '../../api/http';
import { type Domain, find, locationIn, parsePlace } from '../../api/memory';
import { route } from '../../ui/router';
import { tell } from '../../ui/toast';
import { bytesText, sentence } from '../../ui/format';
import { useDomains, useOpenSocket } from '../../api/hooks';
import { useStore } from '../../ui/hooks';
import { columnsFor, HexGrid } from './hex-grid';
import { Inspector } from './inspector';

type Name = { name: string; location: string };

/** The game's memory as bytes, live. */
export function Memory() {
  const link = useOpenSocket();
  const status = useStore(current);
  const { parameters } = useStore(route);
  const { domains: all, error: failure } = useDomains();
  const [names, setNames] = useState<Name[]>([]);
  const [place, setPlace] = useState<{ domain: Domain; offset: number } | null>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isLive, setLive] = useState(true);
  const [columns, setColumns] = useState(16);
  const [view, setView] = useState<{ first: number; bytes: Uint8Array }>({ first: 0, bytes: new Uint8Array(0) });
  const room = useRef<HTMLDivElement>(null);

  const at = parameters.get('at');
  useEffect(() => {
    if (link === null) {
      return;
    }
    namesOf(status?.id).then(setNames, () => setNames([]));
  }, [link, status?.epoch]);
  useEffect(() => setPlace((old) => parsePlace(all, at ?? '') ?? (old && parsePlace(all, locationIn(old.domain, old.offset))) ?? first(all)), [all, at]);
  useLayoutEffect(() => {
    const measure = () => place && room.current && setColumns(columnsFor(room.current.clientWidth, place.domain));
    const observer = new ResizeObserver(measure);
    if (room.current) {
      observer.observe(room.current);
    }
    measure();
    return () => observer.disconnect();
  }, [place?.domain]);

  const go = async (event: Event) => {
    event.preventDefault();
    try {
      setPlace(await find(status?.id, all, text));
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  const write = (offset: number, value: number) => {
    const refusal = refusalOf('put', '/v2/memory/{location}');
    if (refusal !== undefined) {
      tell(refusal, true);
      return;
    }
    link?.request('memory.write', { location: locationIn(place!.domain, offset), type: 'u8', value }).catch((thrown: unknown) => tell(sentence(thrown), true));
  };
  if (place === null) {
    return <><h1 class="view-title">Memory</h1>{failure ? <p class="error">{failure}</p> : <p class="quiet">Reading the memory domains…</p>}</>;
  }
  const { domain, offset } = place;
  const known = names.find(({ location }) => {
    const there = parsePlace(all, location);
    return there?.domain.id === domain.id && there.offset === offset;
  });
  return (
    <div class="memory">
      <div class="view-title">
        <h1>Memory</h1>
        <form class="row middle" onSubmit={(event) => void go(event)}>
          <select aria-label="Domain" value={domain.id} onChange={(event) => setPlace({ domain: all.find(({ id }) => id === event.currentTarget.value)!, offset: 0 })}>
            {all.map(({ id, name, size }) => <option key={id} value={id}>{name} · {bytesText(size)}</option>)}
          </select>
          <span class="group">
            <input aria-label="Address or name" placeholder="Address, offset or name" list="names" value={text} onInput={(event) => setText(event.currentTarget.value)} />
            <button type="submit">Go</button>
          </span>
          <datalist id="names">{names.map(({ name }) => <option key={name} value={name} />)}</datalist>
          <label class="check"><input type="checkbox" checked={isLive} onChange={(event) => setLive(event.currentTarget.checked)} /><span>Live</span></label>
        </form>
      </div>
      {error && <p class="error" role="alert">{error}</p>}
      <div class="memory-columns">
        <div class="card flush" ref={room}>
          <HexGrid link={link} domain={domain} columns={columns} selected={offset} isLive={isLive} onSelect={(to) => setPlace({ domain, offset: to })} onWrite={write}
            onBytes={(begin, bytes) => setView({ first: begin, bytes })} />
        </div>
        <Inspector link={link} all={all} domain={domain} offset={offset} first={view.first} bytes={view.bytes} name={known?.name ?? null} />
      </div>
    </div>
  );
}

function first(found: readonly Domain[]): { domain: Domain; offset: number } | null {
  const domain = found.find(({ id }) => id === 'wram') ?? found[0];
  return domain ? { domain, offset: 0 } : null;
}

async function namesOf(emulator: string | undefined): Promise<Name[]> {
  const [properties, symbols] = await Promise.all([
    call('get', '/v2/properties', { emulator }).then(({ properties: found }) => found.filter(({ chain }) => !chain?.length).map(({ name, at }) => ({ name, location: at }))),
    call('get', '/v2/symbols', { emulator, query: { limit: 2000 } }).then(({ symbols: found }) => found.flatMap(({ name, location }) => (location === undefined ? [] : [{ name, location }]))),
  ]);
  return [...properties, ...symbols];
}
