import { useRef, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { call, read } from '../../api/http';
import { useAction } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { save } from '../../ui/save';

/** What the game itself has saved: to take home as a file, and to bring from another emulator. */
export function SaveData({ emulator, game, onLoaded }: { emulator: string | undefined; game: string; onLoaded: () => void }) {
  const action = useAction();
  const dialog = useRef<HTMLDialogElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const attempt = (what: () => Promise<unknown>) => {
    setKept(null);
    void action.run(what);
  };
  const download = () => attempt(async () => save(await (await read('/v2/save', { emulator })).blob(), `${game || 'game'}.sav`));
  const load = () => attempt(async () => {
    dialog.current?.close();
    setKept((await call('put', '/v2/save', { emulator, bytes: file! })).kept ?? '');
    onLoaded();
  });
  return (
    <section class="card" aria-labelledby="save-data-title">
      <h2 id="save-data-title">Save data of the cartridge</h2>
      <div class="row middle">
        <Allowed method="get" path="/v2/save">
          <button type="button" disabled={action.isBusy} onClick={download}><Icon name="download" />Download .sav</button>
        </Allowed>
        <Allowed method="put" path="/v2/save">
          <label class="button upload">
            <Icon name="upload" /><span>Use a file</span>
            <input type="file" class="visually-hidden" accept=".sav,.srm,.sa1,.sa2,.sps,.xps,.gsv,.dsv" disabled={action.isBusy} onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (chosen) {
                setFile(chosen);
                dialog.current?.showModal();
              }
            }} />
          </label>
        </Allowed>
        <span class="quiet">What the game saves by itself, as mGBA and most other emulators keep it.</span>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {kept !== null && <p role="status">The game has its new save data and was reset.{kept && <> The state before is kept as <b>{kept}</b>.</>}</p>}
      <dialog ref={dialog} aria-label="Use this save data?">
        <h2>Use this save data?</h2>
        <p>The game is reset and finds {file?.name} as its save. The state before is kept.</p>
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
          <button type="button" class="danger" onClick={load}>Reset and use it</button>
        </div>
      </dialog>
    </section>
  );
}
