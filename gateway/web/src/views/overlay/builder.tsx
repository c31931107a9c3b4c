import { useMemo, useState } from 'preact/hooks';
import { chosen, emulators } from '../../api/gateway';
import { link as addressOf } from '../../ui/router';
import { save } from '../../ui/save';
import { tell } from '../../ui/toast';
import { Icon } from '../../ui/icons';
import { useStore } from '../../ui/hooks';
import { useOpenSocket } from '../../api/hooks';
import { Panels } from './overlay';
import { Defaults, entry, MaxScale, parse, Parts, Places, Sizes, write, type Part, type Place } from './options';

const Names: Record<Part, string> = { screen: 'The picture', sound: 'The sound', keys: 'The keys', watch: 'Values', players: 'Who plays', votes: 'Votes', timer: 'Time played', frame: 'Frame and rate' };

/** A page for OBS to open as a file: it goes to the overlay as soon as the gateway answers anything. */
function waiting(address: string): Blob {
  const text = JSON.stringify(address).replaceAll('<', '\\u003c');
  return new Blob([`<!doctype html>
<meta charset="utf-8">
<title>mGBA-bridge overlay</title>
<script>
const address = ${text};
const look = () => fetch(new URL('healthz', address), { mode: 'no-cors', cache: 'no-store' }).then(() => location.replace(address), () => setTimeout(look, 1000));
look();
</script>
`], { type: 'text/html' });
}

/** Makes the address of an overlay, and shows what OBS will show. */
export function OverlayBuilder() {
  const all = useStore(emulators) ?? [];
  const emulator = useStore(chosen);
  const [show, setShow] = useState<Part[]>(['screen', 'keys']);
  const [watch, setWatch] = useState('');
  const [at, setAt] = useState<Place>(Defaults.at);
  const [scale, setScale] = useState<number>(Defaults.scale);
  const [size, setSize] = useState<number>(Defaults.size);
  const [from, setFrom] = useState<number>(Defaults.from);
  const link = useOpenSocket();
  const query = write({
    show, watch: watch.split(',').map((part) => part.trim()).filter((part) => part !== '').map(entry), at, scale, size, from, emulator: all.length > 1 ? emulator : null,
  });
  const text = JSON.stringify(query);
  const options = useMemo(() => parse(new URLSearchParams(query)), [text]);
  const address = new URL(addressOf('overlay', query), document.baseURI).href.replaceAll('%2C', ',').replaceAll('%2F', '/');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      tell('The address is on the clipboard.');
    } catch {
      tell('The browser does not allow copying; select the address and copy it.', true);
    }
  };
  return (
    <>
      <h1 class="view-title">Overlay</h1>
      <p class="view-lead">Adds the game to a stream or a recording. In OBS: <b>Sources</b>, <b>Browser</b>, and this address. The background is transparent.</p>
      <div class="overlay-columns">
        <section class="card stack" aria-labelledby="overlay-options">
          <h2 id="overlay-options">What it shows</h2>
          <fieldset class="field choices" aria-label="Parts">
            {Parts.map((part) => (
              <label key={part} class="check">
                <input type="checkbox" checked={show.includes(part)} onChange={() => setShow((old) => (old.includes(part) ? old.filter((one) => one !== part) : [...old, part]))} />
                <span>{Names[part]}</span>
              </label>
            ))}
          </fieldset>
          {show.includes('watch') && (
            <label class="field">
              <span>Values: names, or Label=address/type, separated by commas</span>
              <input value={watch} placeholder="score,HP=0x02000024/u16" onInput={(event) => setWatch(event.currentTarget.value)} />
            </label>
          )}
          {show.includes('timer') && (
            <div class="overlay-from">
              <label class="field">
                <span>The frame at which the timer begins</span>
                <input inputMode="numeric" value={String(from)} onInput={(event) => setFrom(Number(event.currentTarget.value) || 0)} />
              </label>
              <button type="button" disabled={link === null} onClick={() => link?.request<{ frame: number }>('ping').then(({ frame }) => setFrom(frame), () => undefined)}>Now</button>
            </div>
          )}
          <label class="field">
            <span>Corner</span>
            <select value={at} onChange={(event) => setAt(event.currentTarget.value as Place)}>{Places.map((place) => <option key={place} value={place}>{place.replace('-', ' ')}</option>)}</select>
          </label>
          {show.includes('screen') && (
            <label class="field">
              <span>Size of the picture</span>
              <select value={scale} onChange={(event) => setScale(Number(event.currentTarget.value))}>
                {Array.from({ length: MaxScale }, (_, index) => <option key={index} value={index + 1}>{index + 1}×, {240 * (index + 1)} × {160 * (index + 1)}</option>)}
              </select>
            </label>
          )}
          <label class="field">
            <span>Size of the rest: {size} %</span>
            <input type="range" min={Sizes.min} max={Sizes.max} step={10} value={size} onInput={(event) => setSize(Number(event.currentTarget.value))} />
          </label>
        </section>
        <div class="stack">
          <section class="card" aria-labelledby="overlay-address">
            <div class="card-head"><h2 id="overlay-address">Address for OBS</h2></div>
            {typeof options === 'string' ? <p class="error" role="alert">{options}</p> : (
              <>
                <div class="overlay-address">
                  <input readOnly aria-label="Address" class="mono" value={address} onFocus={(event) => event.currentTarget.select()} />
                  <button type="button" class="primary" onClick={() => void copy()}><Icon name="copy" />Copy</button>
                  <a class="button" href={address} target="_blank" rel="noreferrer">Open</a>
                  <button type="button" onClick={() => save(waiting(address), 'mgba-bridge-overlay.html')}><Icon name="download" />File</button>
                </div>
                <p class="quiet overlay-hint">The file waits for the gateway, also when OBS starts first: in OBS tick <b>Local file</b> and choose it.</p>
                <p class="quiet overlay-hint">With a gateway that requires a token, add <code>&token=</code> and a token with the role viewer.</p>
              </>
            )}
          </section>
          <section class="card" aria-labelledby="overlay-preview">
            <h2 id="overlay-preview">Preview</h2>
            <div class={`overlay-preview at-${at}`} style={{ fontSize: `${size}%` }} tabIndex={0} role="region" aria-label="Preview of the overlay">
              {typeof options !== 'string' && <Panels options={options} />}
            </div>
          </section>
        </div>
      </div>
    </>
  );
}
