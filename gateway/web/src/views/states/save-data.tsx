import { Allowed } from '../../api/allowed';
import { read } from '../../api/http';
import { useAction } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { save } from '../../ui/save';
import { offeredSave, SaveExtensions } from './save-offer';

/** What the game itself has saved: to take home as a file, and to bring from another emulator. */
export function SaveData({ emulator, game }: { emulator: string | undefined; game: string }) {
  const action = useAction();
  const download = () => void action.run(async () => save(await (await read('/v2/save', { emulator })).blob(), `${game || 'game'}.sav`));
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
            <input type="file" class="visually-hidden" accept={SaveExtensions.join()} disabled={action.isBusy} onChange={(event) => {
              offeredSave.value = event.currentTarget.files?.[0] ?? null;
              event.currentTarget.value = '';
            }} />
          </label>
        </Allowed>
        <span class="quiet">What the game saves by itself, as mGBA and most other emulators keep it.</span>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </section>
  );
}
