import { useRef, useState } from 'preact/hooks';
import { socket } from '../api/gateway';
import { token } from '../api/token';
import { Icon } from '../ui/icons';
import { useStore } from '../ui/hooks';
import { vibrationIsOn } from '../ui/vibration';
import { nameHolder, NamePattern, personName } from './person';
import { theme, type Theme } from './theme';
import { rewindIsKept } from '../views/play/actions';

const Themes: [Theme, string][] = [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];

/** The settings of this browser. */
export function Settings() {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosenTheme = useStore(theme);
  const mayVibrate = useStore(vibrationIsOn);
  const isKept = useStore(rewindIsKept);
  const [name, setName] = useState(personName.value);
  const isValid = NamePattern.test(name);
  const keepName = () => {
    if (!isValid) {
      setName(personName.value);
    } else if (name !== personName.value) {
      personName.value = name;
      nameHolder();
      socket.value?.rename();
    }
  };
  return (
    <>
      <button type="button" class="icon-button" aria-label="Settings" title="Settings" onClick={() => dialog.current?.showModal()}><Icon name="gear" /></button>
      <dialog ref={dialog} aria-labelledby="settings-title" onClose={keepName}>
        <form method="dialog" onSubmit={(event) => isValid || event.preventDefault()}>
          <h2 id="settings-title">Settings of this browser</h2>
          <label class="field">
            <span>Your name, which others see when you hold keys</span>
            <input value={name} maxLength={40} placeholder="web" aria-invalid={!isValid} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          {!isValid && <p class="error" role="alert">Use letters, digits, and _ . - only.</p>}
          <fieldset class="field choices">
            <legend>Colours</legend>
            {Themes.map(([value, label]) => (
              <label key={value} class="check"><input type="radio" name="theme" checked={chosenTheme === value} onChange={() => { theme.value = value; }} /><span>{label}</span></label>
            ))}
          </fieldset>
          <label class="check"><input type="checkbox" checked={mayVibrate} onChange={(event) => { vibrationIsOn.value = event.currentTarget.checked; }} /><span>Vibrate when the game does, and on touch</span></label>
          <label class="check"><input type="checkbox" checked={isKept} onChange={(event) => { rewindIsKept.value = event.currentTarget.checked; }} /><span>Keep the last minute of games that are played here, for rewinding and clips</span></label>
          {token.value.value !== null && (
            <p><button type="button" class="link" onClick={forgetToken}>Forget the token on this device</button></p>
          )}
          <div class="row end">
            <button type="submit" class="primary">Close</button>
          </div>
        </form>
      </dialog>
    </>
  );
}

function forgetToken(): void {
  for (const storage of [localStorage, sessionStorage]) {
    storage.removeItem('mgba-bridge.token');
  }
  location.reload();
}
