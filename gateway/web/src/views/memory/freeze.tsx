import { useState } from 'preact/hooks';
import { Allowed, useRefusal } from '../../api/allowed';
import { current } from '../../api/gateway';
import { call, holder } from '../../api/http';
import { addressOf, bytesOf, type Domain, type NumberType, numberAt } from '../../api/memory';
import type { components } from '../../api/schema';
import { fromBase64 } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

type Entry = components['schemas']['FreezeEntry'];

/** What the button of a frozen value does: its title, and its name for screen readers. */
export function releaseTexts(entry: Entry, mine: string): { title: string; label: string } {
  const whose = entry.holder === mine ? '' : ` (frozen by ${entry.holder})`;
  return { title: `Release${whose}`, label: `Release ${entry.id}${whose}` };
}

/** Releases a frozen value of any holder: a freeze outlives the page that set it. */
export async function release(entry: Entry, emulator: string | undefined): Promise<void> {
  await call('delete', '/v2/freezes/{freeze}', { emulator, holder: entry.holder, path: { freeze: entry.id ?? '' } });
}

/** Keeps the value of a place as it is now, and lists what is frozen. */
export function Freezes({ all, location, type, value, isBig }: { all: readonly Domain[]; location: string; type: NumberType; value: number | null; isBig: boolean }) {
  const emulator = useStore(current)?.id;
  const mine = useStore(holder);
  const [frozen, setFrozen] = useState<readonly Entry[]>([]);
  const refusal = useRefusal('delete', '/v2/freezes/{freeze}');
  const action = useAction();
  const refresh = async () => setFrozen((await call('get', '/v2/freezes', { emulator })).freezes);
  usePolling(1000, refresh, [emulator]);
  const freeze = () => void action.run(async () => {
    await call('put', '/v2/freezes', { emulator, body: { location, type, value, ...(isBig && bytesOf(type) > 1 ? { endian: 'big' } : {}) } });
    await refresh();
  });
  const end = (entry: Entry) => void action.run(async () => {
    await release(entry, emulator);
    await refresh();
  });
  return (
    <div class="freezes">
      <Allowed method="put" path="/v2/freezes"><button type="button" class="small" disabled={value === null} onClick={freeze}><Icon name="lock" />Freeze as {type}</button></Allowed>
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {frozen.length > 0 && (
        <>
          <h3>Frozen</h3>
          <ul class="plain-list">
            {frozen.map((entry) => {
              const bytes = fromBase64(entry.bytes ?? '');
              const shown = numberAt(bytes, 0, ({ 1: 'u8', 2: 'u16', 4: 'u32' } as Record<number, NumberType>)[bytes.length] ?? 'u8');
              const { title, label } = releaseTexts(entry, mine);
              return (
                <li key={`${entry.holder} ${entry.id}`} class="holder">
                  <span class="mono">{addressOf(all, entry.location ?? '')} = {shown}</span>
                  <span class="row middle">
                    {entry.holder !== mine && <span class="chip">{entry.holder}</span>}
                    <button type="button" class="icon-button small" aria-label={label} title={refusal ?? title} disabled={refusal !== undefined} onClick={() => end(entry)}><Icon name="close" /></button>
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}
