import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { current, gameName } from '../../api/gateway';
import { call, read, send } from '../../api/http';
import { RequestError } from '../../api/problem';
import type { components } from '../../api/schema';
import { NamePattern } from '../../api/state-names';
import { tell } from '../../ui/toast';
import { BlobImage } from '../../api/blob-image';
import { ConfirmButton } from '../../ui/confirm';
import { agoText, bytesText, numberText } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { save } from '../../ui/save';
import { Comparison } from './comparison';
import { Rewind } from './rewind';
import { newerSave } from '../play/actions';
import { SaveData } from './save-data';

type State = components['schemas']['StoredStateAnswer'];
type Shelf = components['schemas']['StoredStatesAnswer'];

/** The shelf of save states, and the rewind bar. */
export function States() {
  const status = useStore(current);
  const [shelf, setShelf] = useState<Shelf | null>(null);
  const [withAutomatic, setWithAutomatic] = useState(true);
  const [onlyThis, setOnlyThis] = useState(true);
  const [picked, setPicked] = useState<string[]>([]);
  const action = useAction();
  const refresh = async () => setShelf(await call('get', '/v2/states', {}));
  usePolling(3000, refresh, []);

  const load = (state: State) => void action.run(() => ofThisRomOrAsked(async (anyRom) => {
    const { kept, warning } = await call('post', '/v2/states/{state}/load', { emulator: status?.id, path: { state: state.name }, body: { anyRom } });
    tell(warning ?? `Loaded ${state.name}.${newerSave(kept)}`, warning != null || kept != null);
  }));
  const remove = (state: State) => void action.run(async () => {
    await call('delete', '/v2/states/{state}', { path: { state: state.name } });
    setPicked((old) => old.filter((name) => name !== state.name));
    await refresh();
  });
  const download = (state: State) => void action.run(async () => save(await (await read('/v2/states/{state}', { path: { state: state.name } })).blob(), `${state.name}.ss`));
  const upload = (file: File | undefined) => file && void action.run(() => ofThisRomOrAsked(async (anyRom) => {
    await send('put', '/v2/state', { emulator: status?.id, bytes: file, ...(anyRom ? { query: { anyRom } } : {}) });
    tell(`Loaded ${file.name}.`);
  }));
  const pick = (name: string) => setPicked((old) => (old.includes(name) ? old.filter((one) => one !== name) : [...old.slice(-1), name]));

  const isHere = (state: State) => state.title === status?.title && state.code === status?.code && state.platform === status?.platform;
  const shown = (shelf?.states ?? []).filter((state) => (withAutomatic || state.kind !== 'automatic') && (!onlyThis || isHere(state))).sort((one, other) => other.savedAt.localeCompare(one.savedAt));
  return (
    <>
      <h1 class="view-title">States</h1>
      <div class="stack">
        <Rewind emulator={status?.id} title={(status && gameName(status)) || 'the game'} />
        <section class="card" aria-labelledby="shelf-title">
          <div class="card-head shelf-head">
            <h2 id="shelf-title">Saved states</h2>
            <label class="check"><input type="checkbox" checked={onlyThis} onChange={(event) => setOnlyThis(event.currentTarget.checked)} /><span>This game only</span></label>
            <label class="check"><input type="checkbox" checked={withAutomatic} onChange={(event) => setWithAutomatic(event.currentTarget.checked)} /><span>Automatic</span></label>
          </div>
          <div class="row shelf-tools">
            <Allowed method="post" path="/v2/states"><SaveForm emulator={status?.id} onSaved={() => void refresh()} /></Allowed>
            <Allowed method="put" path="/v2/state">
              <label class="button upload"><Icon name="upload" /><span>Load a file</span><input type="file" class="visually-hidden" onChange={(event) => { upload(event.currentTarget.files?.[0]); event.currentTarget.value = ''; }} /></label>
            </Allowed>
          </div>
          {action.error && <p class="error" role="alert">{action.error}</p>}
          {shelf !== null && shown.length === 0 && <p class="empty"><b>No states</b>Save the game as it is now; the state stays on the gateway's machine.</p>}
          <ul class="shelf plain-list">
            {shown.map((state) => (
              <li key={state.name} class={`state-card${picked.includes(state.name) ? ' picked' : ''}`}>
                <Allowed method="post" path="/v2/states/{state}/load">
                  <button type="button" class="state-picture" aria-label={`Load ${state.name}`} disabled={!isHere(state) || action.isBusy} onClick={() => load(state)}>
                    {state.picture ? <BlobImage path="/v2/states/{state}/picture" parameters={{ state: state.name }} version={state.sha256} alt="" /> : <span class="picture empty-picture" />}
                  </button>
                </Allowed>
                <div class="state-facts">
                  <b class="ellipsis" title={state.name}>{state.kind === 'automatic' ? 'Automatic' : state.name}</b>
                  <span class="quiet ellipsis">{agoText(state.savedAt)} · frame {numberText(state.frame)}</span>
                  {!onlyThis && <span class="quiet ellipsis">{state.title.trim() || (status && isHere(state) ? gameName(status) : `Untitled, CRC32 ${state.crc32}`)}</span>}
                </div>
                <div class="state-tools">
                  <label class="check"><input type="checkbox" checked={picked.includes(state.name)} onChange={() => pick(state.name)} /><span>Compare</span></label>
                  <span class="spacer" />
                  <Allowed method="get" path="/v2/states/{state}">
                    <button type="button" class="icon-button small" aria-label={`Download ${state.name}`} title="Download" onClick={() => download(state)}><Icon name="download" /></button>
                  </Allowed>
                  <Allowed method="delete" path="/v2/states/{state}">
                    <ConfirmButton label={`Delete ${state.name}`} title="Delete the state?" question={`${state.name} cannot be restored.`} action="Delete" onConfirm={() => remove(state)}><Icon name="trash" /></ConfirmButton>
                  </Allowed>
                </div>
              </li>
            ))}
          </ul>
          {shelf !== null && <p class="quiet shelf-foot">{numberText(shelf.states.length)} states, {bytesText(shelf.bytes)}; of each kind at most {numberText(shelf.maxStates)} states and {bytesText(shelf.maxBytes)}</p>}
        </section>
        <SaveData emulator={status?.id} game={(status && gameName(status)) || ''} />
        {picked.length === 2 && <Comparison first={picked[0]!} second={picked[1]!} />}
      </div>
    </>
  );
}

/** Loads a state; one of another ROM only if the person wants that. */
async function ofThisRomOrAsked(load: (anyRom: boolean) => Promise<void>): Promise<void> {
  try {
    await load(false);
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind !== 'other-game') {
      throw error;
    }
    if (confirm('The state is of another ROM, such as an earlier build of this game. Load it all the same? The game may crash; a reset repairs that.')) {
      await load(true);
    }
  }
}

function SaveForm({ emulator, onSaved }: { emulator: string | undefined; onSaved: () => void }) {
  const [name, setName] = useState('');
  const action = useAction();
  const wanted = name.normalize().trim(); // a keyboard may write an accent as a character of its own
  const isValid = wanted === '' || NamePattern.test(wanted);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await call('post', '/v2/states', { emulator, body: { name: wanted || defaultName() } });
      setName('');
      onSaved();
    });
  };
  return (
    <form class="row middle" onSubmit={submit}>
      <span class="group">
        <input aria-label="Name of the state" placeholder="Name (optional)" value={name} maxLength={64} aria-invalid={!isValid} onInput={(event) => setName(event.currentTarget.value)} />
        <button type="submit" class="primary" disabled={!isValid || action.isBusy}>Save state</button>
      </span>
      {!isValid && <p class="error" role="alert">Use letters, digits, spaces and . _ -; begin with a letter or a digit, and not with auto.</p>}
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}

function defaultName(): string {
  return `state-${new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}`;
}
