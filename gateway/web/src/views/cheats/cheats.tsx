import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { current } from '../../api/gateway';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { ConfirmButton } from '../../ui/confirm';
import { sentence } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

type Cheat = components['schemas']['Cheat'];

/** The cheats of the game: switched on and off, added and removed. */
export function Cheats() {
  const emulator = useStore(current)?.id;
  const [cheats, setCheats] = useState<readonly Cheat[] | null>(null);
  const [unavailable, setUnavailable] = useState<string | null>(null);
  const action = useAction();
  const refresh = async () => {
    try {
      setCheats((await call('get', '/v2/cheats', { emulator })).cheats);
      setUnavailable(null);
    } catch (error) {
      setUnavailable(sentence(error));
    }
  };
  usePolling(2000, refresh, [emulator]);
  const change = (what: () => Promise<unknown>) => void action.run(async () => {
    await what();
    await refresh();
  });
  const enable = (cheat: Cheat) => change(() => call('put', '/v2/cheats/{cheat}', { emulator, path: { cheat: cheat.name }, body: { enabled: !cheat.enabled } }));
  const remove = (cheat: Cheat) => change(() => call('delete', '/v2/cheats/{cheat}', { emulator, path: { cheat: cheat.name } }));
  return (
    <>
      <h1 class="view-title">Cheats</h1>
      {unavailable !== null ? <p class="error" role="alert">{unavailable}</p> : (
        <div class="stack">
          <Allowed method="put" path="/v2/cheats"><AddCheat emulator={emulator} onAdded={() => void refresh()} /></Allowed>
          <section class="card" aria-labelledby="cheats-title">
            <h2 id="cheats-title">Cheats of this game</h2>
            {action.error && <p class="error" role="alert">{action.error}</p>}
            {cheats?.length === 0 && <p class="empty"><b>No cheats</b>Add one above, or start the game with a file: <code>mgba-bridge run game.gba --cheats game.cht</code></p>}
            <Allowed method="put" path="/v2/cheats/{cheat}">
              <ul class="plain-list">
                {cheats?.map((cheat) => (
                  <li key={cheat.name} class="cheat">
                    <label class="check">
                      <input type="checkbox" checked={cheat.enabled} disabled={action.isBusy || Boolean(cheat.problem)} onChange={() => enable(cheat)} />
                      <span class="ellipsis" title={cheat.name}>{cheat.name || 'Without a name'}</span>
                    </label>
                    <code class="ellipsis" title={cheat.codes.join('\n')}>{cheat.codes.join(' + ')}</code>
                    {!cheat.problem
                      ? <ConfirmButton label={`Remove ${cheat.name}`} title="Remove the cheat?" question={`${cheat.name} is forgotten with its codes.`} action="Remove" onConfirm={() => remove(cheat)}><Icon name="trash" /></ConfirmButton>
                      : <span class="chip warn" title={cheat.problem ?? undefined}>not usable</span>}
                    {cheat.problem && <p class="quiet">{cheat.problem}</p>}
                  </li>
                ))}
              </ul>
            </Allowed>
          </section>
        </div>
      )}
    </>
  );
}

function AddCheat({ emulator, onAdded }: { emulator: string | undefined; onAdded: () => void }) {
  const [name, setName] = useState('');
  const [codes, setCodes] = useState('');
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await call('put', '/v2/cheats', { emulator, body: { name: name.trim(), codes } });
      setName('');
      setCodes('');
      onAdded();
    });
  };
  return (
    <form class="card" onSubmit={submit} aria-labelledby="add-cheat">
      <h2 id="add-cheat">Add a cheat</h2>
      <div class="row top">
        <label class="field"><span>Name</span><input value={name} required maxLength={128} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <label class="field grow long"><span>Codes, one in a line: GameShark, Action Replay, CodeBreaker, Game Genie, ADDRESS:VALUE</span>
          <textarea class="mono" value={codes} required rows={3} spellcheck={false} onInput={(event) => setCodes(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={action.isBusy || name.trim() === '' || codes.trim() === ''}>Add</button>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}
