import { useEffect, useRef, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { current, gameName } from '../../api/gateway';
import { call } from '../../api/http';
import { type NumberType, NumberTypes, parseNumber, readNumbers } from '../../api/memory';
import { link as linkTo } from '../../ui/router';
import { Sparkline } from '../../ui/chart';
import { useOpenSocket } from '../../api/hooks';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { keyOf, listOf, setList, type Watched, watched } from './list';

type History = { times: number[]; values: (number | null)[] };
type Value = { shown: string; number: number | null; location: string | null };

const Kept = 300;
const Interval = 200;

/** Values by name or by location, each with how it changed. */
export function Watch() {
  const link = useOpenSocket();
  const status = useStore(current);
  useStore(watched);
  const title = status === null ? '' : gameName(status);
  const list = listOf(title);
  const histories = useRef(new Map<string, History>());
  const [values, setValues] = useState<ReadonlyMap<string, Value>>(new Map());
  const [error, setError] = useState<string | null>(null);

  useEffect(() => histories.current.clear(), [title, status?.epoch]);
  usePolling(Interval, async () => {
    if (link === null || list.length === 0) {
      return;
    }
    try {
      const found = await readAll(link, status?.id, list);
      for (const [key, { number }] of found.values) {
        const history = histories.current.get(key) ?? { times: [], values: [] };
        histories.current.set(key, { times: [...history.times, found.frame].slice(-Kept), values: [...history.values, number].slice(-Kept) });
      }
      setValues(found.values);
      setError(null);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }, [link, title, list.map(keyOf).join('\n')]);

  return (
    <>
      <h1 class="view-title">Watch</h1>
      <div class="stack">
        <AddForm title={title} emulator={status?.id} list={list} />
        {error && <p class="error" role="alert">{error}</p>}
        {list.length === 0 ? <section class="card empty"><b>Nothing is watched</b>Add a property or a location, or use Watch in Memory and Search.</section> : (
          <section class="card" aria-label="Watched values">
            <div class="table-place" tabIndex={0} role="region" aria-label="Values">
              <table>
                <thead><tr><th>Name</th><th class="number">Value</th><th>Last {Math.round((Kept * Interval) / 1000)} s</th><th class="number wide">Lowest</th><th class="number wide">Highest</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
                <tbody>
                  {list.map((one) => (
                    <Row key={keyOf(one)} one={one} value={values.get(keyOf(one)) ?? null} history={histories.current.get(keyOf(one)) ?? { times: [], values: [] }} emulator={status?.id}
                      onRemove={() => setList(title, list.filter((other) => other !== one))} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )}
      </div>
    </>
  );
}

function Row({ one, value, history, emulator, onRemove }: { one: Watched; value: Value | null; history: History; emulator: string | undefined; onRemove: () => void }) {
  const [text, setText] = useState<string | null>(null);
  const action = useAction();
  const key = keyOf(one);
  const numbers = history.values.filter((number) => number !== null);
  const write = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const number = parseNumber(text ?? '');
      if (number === null) {
        throw new Error(`"${text}" is not a number.`);
      }
      await ('name' in one
        ? call('put', '/v2/values/{name}', { emulator, path: { name: one.name }, body: { value: number } })
        : call('put', '/v2/memory/{location}/value', { emulator, path: { location: one.location }, query: { type: one.type }, body: { value: number } }));
      setText(null);
    });
  };
  return (
    <tr>
      <td><b>{'name' in one ? one.name : one.location}</b>{'type' in one && <span class="quiet"> {one.type}</span>}{action.error && <p class="error" role="alert">{action.error}</p>}</td>
      <td class="number mono watch-value">
        {text === null
          ? <Allowed method="put" path="/v2/memory/{location}/value"><button type="button" class="link value-button" aria-label={`Change ${key}, now ${value?.shown ?? 'unknown'}`} disabled={value?.number === null} onClick={() => setText(value?.shown ?? '')}>{value?.shown ?? '–'}</button></Allowed>
          : (
            <form onSubmit={write}>
              <input aria-label={`New value of ${key}`} value={text} ref={(input) => input?.focus()} onInput={(event) => setText(event.currentTarget.value)}
                onKeyDown={(event) => event.key === 'Escape' && setText(null)} />
            </form>
          )}
      </td>
      <td class="watch-line"><Sparkline times={history.times} values={history.values} label={`${key} over time`} /></td>
      <td class="number mono wide">{numbers.length > 0 ? Math.min(...numbers) : '–'}</td>
      <td class="number mono wide">{numbers.length > 0 ? Math.max(...numbers) : '–'}</td>
      <td class="actions">
        {value?.location && <a class="button small-link" href={linkTo('memory', { at: value.location })} aria-label={`Show ${key} in memory`}>Show</a>}
        <button type="button" class="icon-button small" aria-label={`Remove ${key}`} title="Remove" onClick={onRemove}><Icon name="close" /></button>
      </td>
    </tr>
  );
}

function AddForm({ title, emulator, list }: { title: string; emulator: string | undefined; list: Watched[] }) {
  const [names, setNames] = useState<string[]>([]);
  const [text, setText] = useState('');
  const [type, setType] = useState<NumberType>('u16');
  const action = useAction();
  const epoch = useStore(current)?.epoch;
  useEffect(() => {
    call('get', '/v2/properties', { emulator }).then(({ properties }) => setNames(properties.map(({ name }) => name)), () => setNames([]));
  }, [emulator, epoch]);
  const add = (added: Watched[]) => setList(title, [...list, ...added.filter((one) => !list.some((other) => keyOf(other) === keyOf(one)))]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const wanted = text.trim();
      if (names.includes(wanted)) {
        add([{ name: wanted }]);
      } else {
        const place = /^[0-9a-f]{8}$/i.test(wanted) ? `0x${wanted}` : wanted;
        if (!/^(\w+:)?(0x)?[0-9a-f]+$/i.test(place)) {
          throw new Error(`"${wanted}" is not a property of this game, an address (0x02000000) or an offset (wram:0x10).`);
        }
        await call('post', '/v2/memory/read', { emulator, body: { reads: [{ location: place, type }] } });
        add([{ location: place, type }]);
      }
      setText((now) => (now.trim() === wanted ? '' : now)); // the next one may be written already
    });
  };
  const missing = names.filter((name) => !list.some((one) => 'name' in one && one.name === name));
  return (
    <form class="card" onSubmit={submit} aria-labelledby="add-title">
      <h2 id="add-title">Add a value</h2>
      <div class="row">
        <label class="field grow"><span>Property or location</span><input value={text} required list="properties" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <datalist id="properties">{missing.map((name) => <option key={name} value={name} />)}</datalist>
        <label class="field"><span>Type of a location</span>
          <select value={type} onChange={(event) => setType(event.currentTarget.value as NumberType)}>{NumberTypes.map((one) => <option key={one}>{one}</option>)}</select>
        </label>
        <Allowed method="post" path="/v2/memory/read"><button type="submit" class="primary" disabled={action.isBusy}>Add</button></Allowed>
        {missing.length > 0 && <button type="button" onClick={() => add(missing.slice(0, 64 - list.length).map((name) => ({ name })))}>Add all {missing.length} properties</button>}
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}

async function readAll(link: NonNullable<ReturnType<typeof useOpenSocket>>, emulator: string | undefined, list: Watched[]): Promise<{ frame: number; values: Map<string, Value> }> {
  const values = new Map<string, Value>();
  const places = list.filter((one) => 'location' in one);
  const names = list.filter((one) => 'name' in one);
  let frame = 0;
  if (places.length > 0) {
    const answer = await readNumbers(link, places);
    frame = answer.frame;
    places.forEach((one, index) => { values.set(keyOf(one), { shown: String(answer.values[index]), number: answer.values[index]!, location: one.location }); });
  }
  if (names.length > 0) {
    const answer = await call('post', '/v2/values', { emulator, body: { names: names.map(({ name }) => name) } });
    frame ||= answer.frame;
    for (const { name, location, value } of answer.values) {
      const isNumber = typeof value === 'number';
      values.set(name, { shown: value === undefined || value === null ? '–' : isNumber ? String(value) : JSON.stringify(value), number: isNumber ? value : null, location: location ?? null });
    }
  }
  return { frame, values };
}
