import { useEffect, useState } from 'preact/hooks';
import { Allowed, useRefusal } from '../../api/allowed';
import { debugged, findWriters, type GameHistory, HistoryMegabytes, keepHistory, readHistory, type Writer, writerText } from '../../api/debugger';
import type { Socket } from '../../api/socket';
import { bytesText } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';

type Props = { link: Socket | null; wanted: string | null; onCode: (address: string, bank: number | null | undefined) => void };

/** What the game did: how much is kept, and who wrote to a place. */
export function History({ link, wanted, onCode }: Props) {
  const now = useStore(debugged)?.now;
  const refusal = useRefusal('put', '/v2/debug/history');
  const [history, setHistory] = useState<GameHistory | null>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ place: string; writers: readonly Writer[] } | null>(null);
  const action = useAction();
  const read = async () => { link !== null && setHistory(await readHistory(link)); };
  usePolling(2000, read, [link, now?.halt]);
  const search = (place: string) => action.run(async () => {
    setFound(null);
    const writers = await findWriters(link!, place);
    setFound({ place, writers });
  });
  const isKept = history !== null && history.megabytes > 0;
  useEffect(() => {
    if (wanted !== null) {
      setText(wanted);
    }
    if (wanted !== null && link !== null && isKept) {
      void search(wanted);
    }
  }, [wanted, link, isKept]);
  const keep = (megabytes: number) => action.run(async () => {
    await keepHistory(link!, megabytes);
    await read();
  });

  return (
    <section class="card" aria-labelledby="history-title">
      <div class="card-head">
        <h2 id="history-title">History</h2>
        <Allowed method="put" path="/v2/debug/history">
          <button type="button" disabled={link === null || history === null || refusal !== undefined || history.inPast} onClick={() => void keep(isKept ? 0 : HistoryMegabytes)}>{isKept ? 'Stop' : 'Keep'}</button>
        </Allowed>
      </div>
      <p class="quiet">{historyText(history)}</p>
      {isKept && (
        <form class="group" onSubmit={(event) => { event.preventDefault(); void search(text); }}>
          <input aria-label="Who wrote to this place" placeholder="Address or name" list="debug-names" required value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
          <button type="submit" disabled={link === null || action.isBusy}>Who wrote it?</button>
        </form>
      )}
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {found && (
        <div role="status">
          {found.writers.length === 0 ? <p>Nobody has written another value to {found.place} since the history began.</p> : (
            <ul class="debug-writers">
              {found.writers.map((writer) => (
                <li key={`${writer.frame} ${writer.address} ${writer.before} ${writer.value}`}>
                  {writerText(writer)} {writer.pc ? <button type="button" class="link mono" onClick={() => onCode(writer.pc!, writer.bank)}>{writer.symbol ?? writer.pc}</button> : null}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}

/** How much is kept, in a sentence. */
export function historyText(history: GameHistory | null): string {
  if (history === null) {
    return 'Asking…';
  }
  if (history.problem) {
    return `There is no history: ${history.problem}.`;
  }
  if (history.megabytes === 0) {
    return 'Keep what the game does, to step back and to see who wrote a value.';
  }
  const kept = `Kept since frame ${history.first}: ${bytesText(history.bytes)} of ${history.megabytes} MB.`;
  return history.inPast ? `${kept} The game is in its past, at frame ${history.at}; Continue leads to the present.` : kept;
}
