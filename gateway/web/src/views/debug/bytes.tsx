import { useEffect, useState } from 'preact/hooks';
import { refusalOf } from '../../api/allowed';
import { debugged } from '../../api/debugger';
import { type Domain, find, locationIn } from '../../api/memory';
import type { Socket } from '../../api/socket';
import { sentence } from '../../ui/format';
import { useStore } from '../../ui/hooks';
import { link as linkTo } from '../../ui/router';
import { tell } from '../../ui/toast';
import { HexGrid } from '../memory/hex-grid';

/** Memory beside the code, with the grid of the view Memory. */
export function Bytes({ link, emulator, domains, wanted }: { link: Socket | null; emulator: string | undefined; domains: readonly Domain[]; wanted: { text: string } }) {
  const now = useStore(debugged)?.now;
  const isKnown = now !== undefined; // the place may be a register
  const [place, setPlace] = useState<{ domain: Domain; offset: number } | null>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const go = async (to: string) => {
    try {
      const register = now?.registers[to.trim().toLowerCase()];
      setPlace(await find(emulator, domains, register === undefined ? to : `0x${register.toString(16)}`));
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  useEffect(() => {
    if (domains.length > 0 && isKnown) {
      void go(wanted.text);
    }
  }, [wanted, domains, isKnown]);
  const write = (offset: number, value: number) => {
    const refusal = refusalOf('put', '/v2/memory/{location}');
    refusal === undefined
      ? link?.request('memory.write', { location: locationIn(place!.domain, offset), type: 'u8', value }).catch((thrown: unknown) => tell(sentence(thrown), true))
      : tell(refusal, true);
  };
  return (
    <section class="card" aria-labelledby="bytes-title">
      <div class="card-head">
        <h2 id="bytes-title">Memory</h2>
        <form class="group" onSubmit={(event) => { event.preventDefault(); void go(text); }}>
          <input aria-label="Place in memory" placeholder="Address, name, register" list="debug-names" value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
          <button type="submit">Go</button>
        </form>
        {place && <a class="button" title="Show it in the view Memory" href={linkTo('memory', { at: locationIn(place.domain, place.offset) })}>Open</a>}
      </div>
      {error && <p class="error" role="alert">{error}</p>}
      {place && (
        <div class="debug-bytes-place">
          <HexGrid link={link} domain={place.domain} columns={8} selected={place.offset} isLive={!now?.halted} onSelect={(offset) => setPlace({ domain: place.domain, offset })} onWrite={write} onBytes={() => undefined} />
        </div>
      )}
    </section>
  );
}
