import { useState } from 'preact/hooks';
import { debugged } from '../../api/debugger';
import { numberAt, readRange } from '../../api/memory';
import type { components } from '../../api/schema';
import type { Socket } from '../../api/socket';
import { hex } from '../../ui/format';
import { usePolling, useStore } from '../../ui/hooks';
import { isCode, type Name, nameAt } from './code';

const Words = 16;
const Functions = 12;

type Backtrace = components['schemas']['BacktraceAnswer'];
type Called = Backtrace['functions'][number];

const certaintyText = ({ certainty, from }: Called): string => (from === 'interrupt' ? 'interrupted' : certainty === 'guess' ? 'a guess' : '');

/** The functions that are under way, and the words at the stack pointer; those that lead to code with its name. */
export function Stack({ link, platform, names, onCode }: { link: Socket | null; platform: string; names: readonly Name[]; onCode: (address: number) => void }) {
  const now = useStore(debugged)?.now ?? null;
  const [read, setRead] = useState<{ at: number; bytes: Uint8Array } | null>(null);
  const [called, setCalled] = useState<readonly Called[]>([]);
  const at = now?.registers.sp ?? 0;
  const size = platform === 'gb' ? 2 : 4;
  // another program may write it while the game is halted
  usePolling(now?.halted ? 1000 : null, async () => {
    if (link !== null && now?.halted) {
      const length = Math.min(Words * size, platform === 'gb' ? 0x10000 - at : 0x1000000 - at % 0x1000000);
      setCalled((await link.request<Backtrace>('debug.backtrace', { count: Functions })).functions);
      setRead(length > 0 ? { at, bytes: (await readRange(link, `0x${hex(at, 8)}`, length)).bytes } : null);
    }
  }, [link, at, now?.halt, now?.halted]);
  const rows = read === null || !now?.halted ? [] : Array.from({ length: Math.floor(read.bytes.length / size) }, (_, index) => ({ offset: index * size, value: numberAt(read.bytes, index * size, size === 2 ? 'u16' : 'u32')! }));
  return (
    <section class="card" aria-labelledby="stack-title">
      <h2 id="stack-title">Stack</h2>
      {now?.halted && called.length > 0 && (
        <ol class="plain-list debug-calls" tabIndex={0} aria-label="Functions that are under way">
          {called.map(one => {
            const place = one.call ?? one.address;
            return (
              <li key={`${one.from} ${one.place ?? ''}`}>
                <button type="button" class="link" title="Show the code" onClick={() => onCode(Number(place))}>{one.symbol ?? place}</button>{' '}
                <span class="quiet">{certaintyText(one)}</span>
              </li>
            );
          })}
        </ol>
      )}
      {rows.length === 0 ? <p class="quiet">Shown while the game is halted.</p> : (
        <ol class="plain-list debug-stack" tabIndex={0} aria-label="Words of the stack">
          {rows.map(({ offset, value }) => {
            const name = isCode(value, platform) ? nameAt(names, size === 4 ? value - value % 2 : value, now?.bank ?? null) : null;
            return (
              <li key={offset}>
                <span class="quiet">sp+{hex(offset, 2)}</span> <span>{hex(value, size * 2)}</span>
                {name !== null && <> <button type="button" class="link" title="Show the code" onClick={() => onCode(value)}>{name}</button></>}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
