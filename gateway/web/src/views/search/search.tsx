import { useEffect, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { current } from '../../api/gateway';
import { call } from '../../api/http';
import { addressOf, type Domain, type NumberType, NumberTypes, parseNumber, readNumbers, signed } from '../../api/memory';
import type { components, paths } from '../../api/schema';
import { link as linkTo } from '../../ui/router';
import { bytesText, numberText } from '../../ui/format';
import { useDomains, useOpenSocket } from '../../api/hooks';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { watchLocation } from '../watch/list';

type Found = components['schemas']['SearchAnswer'];
type Match = components['schemas']['MatchAnswer'];
type Test = paths['/v2/searches/{search}/refine']['post']['requestBody']['content']['application/json']['is'];

const Tests: { is: Test; label: string; needs: 'value' | 'range' | 'amount' | 'nothing' }[] = [
  { is: 'eq', label: 'equals', needs: 'value' }, { is: 'ne', label: 'differs from', needs: 'value' },
  { is: 'lt', label: 'is less than', needs: 'value' }, { is: 'gt', label: 'is greater than', needs: 'value' },
  { is: 'between', label: 'is between', needs: 'range' }, { is: 'changed', label: 'has changed', needs: 'amount' },
  { is: 'unchanged', label: 'has not changed', needs: 'nothing' }, { is: 'increased', label: 'has increased', needs: 'amount' },
  { is: 'decreased', label: 'has decreased', needs: 'amount' },
];
const Labels = { value: 'Value', range: 'From', amount: 'By' };
const Shown = 100;

/** Finds the address of a number by how it changes. */
export function Search() {
  const emulator = useStore(current);
  const link = useOpenSocket();
  const [searches, setSearches] = useState<Found[]>([]);
  const [id, setId] = useState<string | null>(null);
  const { domains: all } = useDomains();
  const list = async () => {
    const answer = await call('get', '/v2/searches', { emulator: emulator?.id });
    setSearches(answer.searches);
    setId((old) => (answer.searches.some((one) => one.id === old) ? old : answer.searches[0]?.id ?? null));
  };
  usePolling(3000, list, [emulator?.id, emulator?.epoch]);
  const search = searches.find((one) => one.id === id) ?? null;
  const replace = (one: Found) => {
    setSearches((old) => [...old.filter((other) => other.id !== one.id), one]);
    setId(one.id);
  };
  return (
    <>
      <h1 class="view-title">Search</h1>
      <p class="view-lead">Find the address of a number: start a search, let the number change in the game, and keep the places that changed like it.</p>
      <div class="side-by-side">
        <div class="stack">
          <Allowed method="post" path="/v2/searches"><Start emulator={emulator?.id} all={all} onStarted={replace} /></Allowed>
          {searches.length > 1 && (
            <section class="card" aria-labelledby="searches-title">
              <h2 id="searches-title">Searches</h2>
              <ul class="plain-list">
                {searches.map((one) => (
                  <li key={one.id}><label class="check"><input type="radio" name="search" checked={one.id === id} onChange={() => setId(one.id)} /><span class="mono">{one.id} · {one.type} · {numberText(one.count)}</span></label></li>
                ))}
              </ul>
            </section>
          )}
        </div>
        {search === null
          ? <section class="card empty"><b>No search yet</b>Choose the size of the number and start.</section>
          : <Results key={search.id} search={search} emulator={emulator?.id} all={all} link={link} onChange={replace} onDeleted={() => void list()} />}
      </div>
    </>
  );
}

function Start({ emulator, all, onStarted }: { emulator: string | undefined; all: readonly Domain[]; onStarted: (search: Found) => void }) {
  const [type, setType] = useState<NumberType>('u16');
  const [isBig, setBig] = useState(false);
  const [domain, setDomain] = useState('');
  const action = useAction();
  const start = (event: Event) => {
    event.preventDefault();
    void action.run(async () => onStarted(await call('post', '/v2/searches', {
      emulator, body: { type, endian: isBig ? 'big' : 'little', ...(domain ? { domains: [domain] } : {}) },
    })));
  };
  return (
    <form class="card stack" onSubmit={start} aria-labelledby="start-title">
      <h2 id="start-title">New search</h2>
      <label class="field"><span>Number</span>
        <select value={type} onChange={(event) => setType(event.currentTarget.value as NumberType)}>
          {NumberTypes.map((one) => <option key={one} value={one}>{one.startsWith('s') ? 'signed' : 'unsigned'}, {one.slice(1)} bits</option>)}
        </select>
      </label>
      <label class="field"><span>Memory</span>
        <select value={domain} onChange={(event) => setDomain(event.currentTarget.value)}>
          <option value="">Work memory</option>
          {all.filter(({ size }) => size <= 4194304).map(({ id, name, size }) => <option key={id} value={id}>{name} · {bytesText(size)}</option>)}
        </select>
      </label>
      <label class="check"><input type="checkbox" checked={isBig} onChange={(event) => setBig(event.currentTarget.checked)} /><span>Big endian</span></label>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      <button type="submit" class="primary" disabled={action.isBusy}>Start</button>
    </form>
  );
}

function Results({ search, emulator, all, link, onChange, onDeleted }: {
  search: Found; emulator: string | undefined; all: readonly Domain[]; link: ReturnType<typeof useOpenSocket>; onChange: (search: Found) => void; onDeleted: () => void;
}) {
  const [test, setTest] = useState<Test>('eq');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [matches, setMatches] = useState<Match[]>([]);
  const [live, setLive] = useState<Map<string, number>>(new Map());
  const action = useAction();
  const type = search.type as NumberType;
  const { needs } = Tests.find(({ is }) => is === test)!;

  useEffect(() => {
    let isGone = false;
    if (search.passes > 1) {
      call('get', '/v2/searches/{search}/matches', { emulator, path: { search: search.id }, query: { limit: Shown } })
        .then((answer) => isGone || setMatches(answer.matches), () => undefined);
    } else {
      setMatches([]);
    }
    return () => { isGone = true; };
  }, [search.id, search.passes, search.count, emulator]);
  usePolling(250, async () => {
    if (link !== null && matches.length > 0) {
      const { values } = await readNumbers(link, matches.map(({ location }) => ({ location, type })));
      setLive(new Map(matches.map(({ location }, index) => [location, swap(values[index]!, type, search.endian)])));
    }
  }, [link, matches]);

  const refine = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const read = (text: string) => {
        const value = parseNumber(text);
        if (value === null) {
          throw new Error(`"${text}" is not a number: write 12, -3 or 0x1F.`);
        }
        return value;
      };
      const isAny = needs === 'nothing' || (needs === 'amount' && first.trim() === '');
      const body = { is: test, ...(isAny ? {} : { value: read(first) }), ...(needs === 'range' ? { to: read(second) } : {}) };
      onChange(await call('post', '/v2/searches/{search}/refine', { emulator, path: { search: search.id }, body }));
    });
  };
  const undo = () => void action.run(async () => onChange(await call('post', '/v2/searches/{search}/undo', { emulator, path: { search: search.id } })));
  const remove = () => void action.run(async () => {
    await call('delete', '/v2/searches/{search}', { emulator, path: { search: search.id } });
    onDeleted();
  });
  return (
    <section class="card" aria-labelledby="results-title">
      <div class="card-head">
        <h2 id="results-title">{numberText(search.count)} {search.count === 1 ? 'place' : 'places'}</h2>
        <span class="chip">{search.type}</span><span class="chip">{search.passes === 1 ? 'first pass' : `${search.passes} passes`}</span><span class="chip">{bytesText(search.memory)}</span>
        <Allowed method="delete" path="/v2/searches/{search}"><button type="button" class="icon-button small" aria-label="Delete this search" onClick={remove}><Icon name="trash" /></button></Allowed>
      </div>
      <form class="row search-refine" onSubmit={refine}>
        <label class="field"><span>Keep the places whose number</span>
          <select value={test} onChange={(event) => setTest(event.currentTarget.value as Test)}>{Tests.map(({ is, label }) => <option key={is} value={is}>{label}</option>)}</select>
        </label>
        {needs !== 'nothing' && <label class="field short"><span>{Labels[needs]}</span><input value={first} required={needs !== 'amount'} placeholder={needs === 'amount' ? 'any' : ''} onInput={(event) => setFirst(event.currentTarget.value)} /></label>}
        {needs === 'range' && <label class="field short"><span>To</span><input value={second} required onInput={(event) => setSecond(event.currentTarget.value)} /></label>}
        <Allowed method="post" path="/v2/searches/{search}/refine"><button type="submit" class="primary" disabled={action.isBusy}>Refine</button></Allowed>
        {search.canUndo && <Allowed method="post" path="/v2/searches/{search}/undo"><button type="button" disabled={action.isBusy} onClick={undo}><Icon name="back" />Undo</button></Allowed>}
      </form>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {search.passes === 1 ? <p class="quiet pad">The values of all places are noted. Let the number change in the game, then refine.</p>
        : matches.length === 0 ? <p class="quiet pad">No place is left. {search.canUndo ? 'Undo the last test, or start' : 'Start'} a new search.</p> : (
          <div class="table-place" tabIndex={0} role="region" aria-label="Places">
            <table>
              <thead><tr><th>Address</th><th class="number">Now</th><th class="number">Last pass</th><th class="number wide">First</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
              <tbody>
                {matches.map(({ location, value, first: begin }) => {
                  const now = live.get(location);
                  const last = signed(Number(value), type);
                  return (
                    <tr key={location}>
                      <td class="mono">{addressOf(all, location)} <span class="quiet">{location}</span></td>
                      <td class={`number mono${now !== undefined && now !== last ? ' differs' : ''}`}>{now ?? '–'}</td>
                      <td class="number mono">{last}</td>
                      <td class="number mono wide">{signed(Number(begin), type)}</td>
                      <td class="actions">
                        <a class="button small-link" href={linkTo('memory', { at: location })} aria-label={`Show ${location} in memory`}>Show</a>
                        <button type="button" class="small" aria-label={`Watch ${location}`} onClick={() => watchLocation(location, type)}>Watch</button>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      {search.count > matches.length && matches.length > 0 && <p class="quiet">The first {matches.length} are shown.</p>}
    </section>
  );
}

// numbers are read in the order of the game; a search may be for the other one
function swap(value: number, type: NumberType, endian: string): number {
  if (endian === 'little' || type.endsWith('8')) {
    return value;
  }
  const size = Number(type.slice(1)) / 8;
  let rest = value < 0 ? value + 2 ** (8 * size) : value;
  let turned = 0;
  for (let index = 0; index < size; index += 1) {
    turned = turned * 256 + (rest % 256);
    rest = Math.floor(rest / 256);
  }
  return signed(turned, type);
}
