import { holder } from '../../api/http';
import { useStore } from '../../ui/hooks';

export type HeldBy = { holder: string; keys: string[] };

/** Who holds which keys, and who has control. */
export function Holders({ holders, leasedBy }: { holders: readonly HeldBy[]; leasedBy: string | null }) {
  const mine = useStore(holder);
  const name = (one: string) => (one === mine ? `${one} (you)` : one);
  return (
    <section class="card" aria-labelledby="holders-title">
      <h2 id="holders-title">Who holds which keys</h2>
      {leasedBy !== null && <p class="holder"><b>{name(leasedBy)}</b> <span class="chip strong">has control</span></p>}
      {holders.length === 0 && leasedBy === null && <p class="quiet">Nobody.</p>}
      <ul class="plain-list">
        {holders.map(({ holder: one, keys }) => (
          <li key={one} class="holder"><b>{name(one)}</b> <span class="chips">{keys.map((key) => <kbd key={key}>{key}</kbd>)}</span></li>
        ))}
      </ul>
    </section>
  );
}
