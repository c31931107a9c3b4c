import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRefusal } from '../../api/allowed';
import { Icon } from '../../ui/icons';
import { useStore } from '../../ui/hooks';
import { codeOf, codeText, layout, readLayout } from './codes';
import { KeyboardDefaults, keyboardIsOn, keyboardMap } from './devices';
import { buttonText, type Button, GamepadDefaults, gamepadMap, onNextButton } from './gamepad';
import { HotkeyDefaults, hotkeyMap, HotkeyNames, hotkeyRefusal, Hotkeys, type Hotkey } from './hotkeys';
import { Keys, type Key } from './keys';

type Action = Key | Hotkey;

const NoButton = ['Delete', 'Backspace']; // the key named delete on a Mac is the second one
const Actions: readonly Action[] = [...Keys, ...Hotkeys];
const isKey = (action: Action): action is Key => Keys.some((key) => key === action);
const nameOf = (action: Action): string => (isKey(action) ? action : HotkeyNames[action]);

/** Opens the dialog with the keys. */
export function showKeyboardHelp(): void {
  document.querySelector<HTMLDialogElement>('dialog.keyboard')?.showModal();
  void readLayout(); // a person may have changed it
}

/** Which key of the keyboard and which button of a gamepad is which of the game or of the page, to read and to change. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const keys = useStore(keyboardMap);
  const hotkeys = useStore(hotkeyMap);
  const buttons = useStore(gamepadMap);
  const isOn = useStore(keyboardIsOn);
  const written = useStore(layout);
  const keyRefusal = useRefusal('put', '/v2/keys');
  const [changing, setChanging] = useState<{ action: Action; device: 'keyboard' | 'gamepad' } | null>(null);

  useLayoutEffect(() => { // the next key is it, however soon it is pressed
    if (changing === null) {
      return undefined;
    }
    const { action, device } = changing;
    const take = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const code = codeOf(event);
      if (device === 'gamepad' && NoButton.includes(code)) {
        gamepadMap.value = { ...buttons, [action]: null };
      } else if (device === 'keyboard' && code === '') {
        return; // nobody could press it again
      } else if (device === 'keyboard' && code !== 'Escape') {
        keyboardMap.value = changed(keys, action, code);
        hotkeyMap.value = changed(hotkeys, action, code);
      }
      setChanging(null);
    };
    addEventListener('keydown', take, true);
    return () => removeEventListener('keydown', take, true);
  }, [changing, keys, hotkeys, buttons]);
  useEffect(() => changing?.device !== 'gamepad' ? undefined : onNextButton((button) => {
    gamepadMap.value = changed<Action, Button>(buttons, changing.action, button);
    setChanging(null);
  }), [changing, buttons]);
  const reset = () => {
    keyboardMap.value = KeyboardDefaults;
    hotkeyMap.value = HotkeyDefaults;
    gamepadMap.value = GamepadDefaults;
  };

  return (
    <>
      <button type="button" class="icon-button" aria-label="Keyboard" title="Keyboard and gamepad" onClick={showKeyboardHelp}><Icon name="help" /></button>
      <dialog ref={dialog} class="keyboard" aria-labelledby="keyboard-title" onClose={() => setChanging(null)}>
        <h2 id="keyboard-title">Keyboard and gamepad</h2>
        <label class="check"><input type="checkbox" checked={isOn} onChange={(event) => { keyboardIsOn.value = event.currentTarget.checked; }} /><span>Play with the keyboard</span></label>
        <table class="actions-table">
          <thead><tr><th>Action</th><th>Key</th><th>Gamepad</th></tr></thead>
          <tbody>
            {Actions.map((action) => {
              const refusal = isKey(action) ? keyRefusal : hotkeyRefusal(action);
              const code = codeText(isKey(action) ? keys[action] : hotkeys[action], written);
              const button = buttonText(buttons[action]);
              const isChanging = (device: string) => changing?.action === action && changing.device === device;
              return (
                <tr key={action} class={refusal === undefined ? '' : 'quiet'} title={refusal}>
                  <td>{nameOf(action)}</td>
                  <td><button type="button" aria-label={`Change the key for ${nameOf(action)}, now ${code}`} onClick={() => setChanging({ action, device: 'keyboard' })}>{isChanging('keyboard') ? 'Press a key…' : code}</button></td>
                  <td><button type="button" aria-label={`Change the button for ${nameOf(action)}, now ${button}`} onClick={() => setChanging({ action, device: 'gamepad' })}>{isChanging('gamepad') ? 'Press a button…' : button}</button></td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p class="quiet">A gamepad works as soon as one of its buttons is pressed; its left stick is the direction pad, too. Delete instead of a button is none, Escape keeps the old one.</p>
        <p class="quiet">Tab that is only tapped leaves the game. <b>?</b> shows this list.</p>
        <div class="row end">
          <button type="button" onClick={reset}>Reset all</button>
          <button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button>
        </div>
      </dialog>
    </>
  );
}

/** The map in which an action, if it is one of its actions, has this key or button; what had it before gets the old one. */
function changed<N extends string, V>(map: Record<N, V>, action: string, value: V): Record<N, V> {
  const names = Object.keys(map) as N[];
  const mine = names.find((one) => one === action);
  if (mine === undefined) {
    return map;
  }
  const other = names.find((one) => one !== mine && map[one] === value);
  return { ...map, ...(other === undefined ? {} : { [other]: map[mine] }), [mine]: value };
}
