import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/http';
import { current } from '../../api/gateway';
import { useAction, useStore } from '../../ui/hooks';
import { Store } from '../../ui/store';

/** The extensions of save data, as mGBA and most other emulators name it. */
export const SaveExtensions = ['.sav', '.srm', '.sa1', '.sa2', '.sps', '.xps', '.gsv', '.dsv'];

/** Save data for the current game, which somebody chose or dropped. */
export const offeredSave = new Store<File | null>(null);

/** Asks whether to use it, since that resets the game, and says what became of it. */
export function SaveOffer() {
  const file = useStore(offeredSave);
  const dialog = useRef<HTMLDialogElement>(null);
  const action = useAction();
  const [kept, setKept] = useState<string | null>(null);
  useEffect(() => {
    if (file) {
      setKept(null);
      action.clear();
      dialog.current?.showModal();
    }
  }, [file]);
  const use = () => void action.run(async () => setKept((await call('put', '/v2/save', { emulator: current.value?.id, bytes: file! })).kept ?? ''));
  const close = () => {
    dialog.current?.close();
    offeredSave.value = null;
  };
  return (
    <dialog ref={dialog} aria-label="Use this save data?" onCancel={close}>
      <h2>{kept === null ? 'Use this save data?' : 'The save data is used'}</h2>
      {kept === null
        ? <p>The game is reset and finds {file?.name} as its save. The state before is kept.</p>
        : <p role="status">The game has its new save data and was reset.{kept && <> The state before is kept as <b>{kept}</b>.</>}</p>}
      {action.error && <p class="error" role="alert">{action.error}</p>}
      <div class="row end">
        <button type="button" onClick={close}>{kept === null ? 'Cancel' : 'Close'}</button>
        {kept === null && <button type="button" class="danger" disabled={action.isBusy} onClick={use}>Reset and use it</button>}
      </div>
    </dialog>
  );
}
