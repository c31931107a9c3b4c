import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../ui/icons';
import { useStore } from '../../ui/store';
import { codeText, keyboardIsOn, keyboardMap } from './devices';
import { HotkeyNames, Hotkeys, hotkeyMap, type Hotkey } from './hotkeys';
import { Keys, type Key } from './keys';

/** Opens the dialog with the keys. */
export const showKeyboardHelp = (): void => document.querySelector<HTMLDialogElement>('dialog.keyboard')?.showModal();

/** Which key of the keyboard is which of the game or of the page, to read and to change. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const map = useStore(keyboardMap);
  const hotkeys = useStore(hotkeyMap);
  const isOn = useStore(keyboardIsOn);
  const [changing, setChanging] = useState<Key | Hotkey | null>(null);

  useLayoutEffect(() => { // the next key is it, however soon it is pressed
    if (changing === null) {
      return undefined;
    }
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      if (event.code !== 'Escape') {
        keyboardMap.value = changed(Keys, map, changing, event.code);
        hotkeyMap.value = changed(Hotkeys, hotkeys, changing, event.code);
      }
      setChanging(null);
    };
    addEventListener('keydown', take, true);
    return () => removeEventListener('keydown', take, true);
  }, [changing, map, hotkeys]);

  return (
    <>
      <button type="button" class="icon-button" aria-label="Keyboard" title="Keyboard and gamepad" onClick={() => dialog.current?.showModal()}><Icon name="help" /></button>
      <dialog ref={dialog} class="keyboard" aria-labelledby="keyboard-title" onClose={() => setChanging(null)}>
        <h2 id="keyboard-title">Keyboard and gamepad</h2>
        <label class="check"><input type="checkbox" checked={isOn} onChange={(event) => { keyboardIsOn.value = event.currentTarget.checked; }} /><span>Play with the keyboard</span></label>
        <dl class="facts keys-of-keyboard">
          {Keys.map((key) => <Row key={key} name={key} code={map[key]} isChanging={changing === key} onChange={() => setChanging(key)} />)}
          {Hotkeys.map((key) => <Row key={key} name={HotkeyNames[key]} code={hotkeys[key]} isChanging={changing === key} onChange={() => setChanging(key)} />)}
        </dl>
        <p class="quiet">Tab that is only tapped leaves the game. <b>?</b> shows this list.</p>
        <p class="quiet">A gamepad works as soon as one of its buttons is pressed. Its left trigger rewinds, and its right one is fast forward.</p>
        <div class="row end"><button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button></div>
      </dialog>
    </>
  );
}

function Row({ name, code, isChanging, onChange }: { name: string; code: string; isChanging: boolean; onChange: () => void }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd><button type="button" aria-label={`Change the key for ${name}, now ${codeText(code)}`} onClick={onChange}>{isChanging ? 'Press a key…' : codeText(code)}</button></dd>
    </div>
  );
}

/** The map in which `name`, if it is one of its names, has this key; what had it before gets the old one. */
function changed<N extends string>(names: readonly N[], map: Record<N, string>, name: string, code: string): Record<N, string> {
  const mine = names.find((one) => one === name);
  if (mine === undefined) {
    return map;
  }
  const other = names.find((one) => one !== mine && map[one] === code);
  return { ...map, ...(other === undefined ? {} : { [other]: map[mine] }), [mine]: code };
}
