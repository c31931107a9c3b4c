import { useState } from 'preact/hooks';
import { keepToken, token } from '../api/token';
import { useStore } from '../ui/hooks';

/** Asks for the gateway's token, once. */
export function TokenForm() {
  const { wrong, ended } = useStore(token);
  const [value, setValue] = useState('');
  const [onDevice, setOnDevice] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    if (value.trim() !== '') {
      keepToken(value.trim(), onDevice);
    }
  };
  return (
    <main class="center">
      <form class="card narrow" onSubmit={submit}>
        <h1>mGBA-bridge</h1>
        {!ended && <p>This gateway requires a token: that of its setting <code>Bridge:Http:Token</code>, or one whose hash is in <code>Bridge:Http:Tokens</code>.</p>}
        {wrong !== null && <p class="error" role="alert">{wrong}</p>}
        <label class="field">
          <span>Token</span>
          <input type="password" autocomplete="current-password" value={value} onInput={(event) => setValue(event.currentTarget.value)} required />
        </label>
        <label class="check">
          <input type="checkbox" checked={onDevice} onChange={(event) => setOnDevice(event.currentTarget.checked)} />
          <span>Keep it on this device</span>
        </label>
        <div class="row end"><button class="primary" type="submit">Continue</button></div>
      </form>
    </main>
  );
}
