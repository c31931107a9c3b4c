import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../ui/icons';
import { useStore } from '../../ui/store';
import { codeText, keyboardIsOn, keyboardMap } from './devices';
import { Keys, type Key } from './keys';

/** Which key of the keyboard is which of the game, to read and to change. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const map = useStore(keyboardMap);
  const isOn = useStore(keyboardIsOn);
  const [changing, setChanging] = useState<Key | null>(null);

  useEffect(() => {
    if (changing === null) {
      return undefined;
    }
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      if (event.code !== 'Escape') {
        const other = Keys.find((key) => key !== changing && map[key] === event.code);
        keyboardMap.value = { ...map, ...(other ? { [other]: map[changing] } : {}), [changing]: event.code };
      }
      setChanging(null);
    };
    addEventListener('keydown', take, true);
    return () => removeEventListener('keydown', take, true);
  }, [changing, map]);

  return (
    <>
      <button type="button" class="icon-button" aria-label="Keyboard" title="Keyboard and gamepad" onClick={() => dialog.current?.showModal()}><Icon name="help" /></button>
      <dialog ref={dialog} aria-labelledby="keyboard-title" onClose={() => setChanging(null)}>
        <h2 id="keyboard-title">Keyboard and gamepad</h2>
        <label class="check"><input type="checkbox" checked={isOn} onChange={(event) => { keyboardIsOn.value = event.currentTarget.checked; }} /><span>Play with the keyboard</span></label>
        <dl class="facts keys-of-keyboard">
          {Keys.map((key) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd><button type="button" aria-label={`Change the key for ${key}, now ${codeText(map[key])}`} onClick={() => setChanging(key)}>{changing === key ? 'Press a key…' : codeText(map[key])}</button></dd>
            </div>
          ))}
        </dl>
        <p class="quiet">A gamepad works as soon as one of its buttons is pressed.</p>
        <div class="row end"><button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button></div>
      </dialog>
    </>
  );
}
