import { useLayoutEffect, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { hasDebugger } from '../../api/debugger';
import { current } from '../../api/gateway';
import { addressText, bytesOf, bytesOfNumber, type Domain, locationIn, numberAt, type NumberType, NumberTypes, parseNumber } from '../../api/memory';
import type { Socket } from '../../api/socket';
import { useAction, useStore } from '../../ui/hooks';
import { link as linkTo } from '../../ui/router';
import { toBase64 } from '../../ui/format';
import { watchLocation } from '../watch/list';
import { Freezes } from './freeze';

type Props = { link: Socket | null; all: readonly Domain[]; domain: Domain; offset: number; first: number; bytes: Uint8Array; name: string | null };

/** The selected place as numbers of all types, to read and to write. */
export function Inspector({ link, all, domain, offset, first, bytes, name }: Props) {
  const [isBig, setBig] = useState(false);
  const [type, setType] = useState<NumberType>('u8');
  const [text, setText] = useState('');
  const action = useAction();
  const location = locationIn(domain, offset);
  const isDebugged = hasDebugger(useStore(current));
  useLayoutEffect(() => { // before anything is typed at the new place
    setText('');
    action.clear();
  }, [location, type]);
  const write = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const value = parseNumber(text);
      const content = value === null ? null : bytesOfNumber(value, type, isBig);
      if (content === null) {
        throw new Error(`"${text}" is not a ${type}: write a number such as 12, -3 or 0x1F.`);
      }
      await link!.request('memory.write', { location, bytes: toBase64(content) });
      setText('');
    });
  };
  return (
    <section class="card" aria-labelledby="inspector-title">
      <h2 id="inspector-title" class="mono">0x{addressText(domain, offset)}</h2>
      <p class="quiet"><code>{location}</code>{name && <> {name}</>}</p>
      <dl class="facts">
        {NumberTypes.filter((one) => offset % bytesOf(one) === 0 || bytesOf(one) === 1).map((one) => (
          <div key={one}><dt>{one}</dt><dd class="mono">{numberAt(bytes, offset - first, one, isBig) ?? '–'}</dd></div>
        ))}
        <div><dt>bits</dt><dd class="mono">{(bytes[offset - first] ?? 0).toString(2).padStart(8, '0')}</dd></div>
      </dl>
      <label class="check"><input type="checkbox" checked={isBig} onChange={(event) => setBig(event.currentTarget.checked)} /><span>Big endian</span></label>
      <form class="row" onSubmit={write}>
        <label class="field"><span>Type</span>
          <select value={type} onChange={(event) => setType(event.currentTarget.value as NumberType)}>{NumberTypes.map((one) => <option key={one}>{one}</option>)}</select>
        </label>
        <label class="field grow"><span>New value</span><input value={text} inputMode="text" autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <Allowed method="put" path="/v2/memory/{location}"><button type="submit" disabled={link === null || text === ''}>Write</button></Allowed>
      </form>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      <div class="row">
        <button type="button" class="small" onClick={() => watchLocation(location, type)}>Watch as {type}</button>
        {isDebugged && <a class="button small" href={linkTo('debug', { writers: location })}>Who wrote this?</a>}
      </div>
      <Freezes all={all} location={location} type={type} value={numberAt(bytes, offset - first, type, isBig)} isBig={isBig} />
    </section>
  );
}
