import { useEffect, useRef, useState } from 'preact/hooks';
import { operations } from '../../api/gateway';
import { call, read } from '../../api/http';
import { RequestError, sentence } from '../../api/problem';
import type { components } from '../../api/schema';
import { numberText } from '../../ui/format';
import { useEmulator, usePolling } from '../../ui/hooks';
import { useStore } from '../../ui/store';
import { Histogram, Rates } from './charts';
import { between, isFull, keep, parse, quantile, type Scrape } from './metrics';

type Entry = components['schemas']['TrafficEntryAnswer'];

const Every = 1000;
const Kept = 500;
const Shown = 100;

/** Milliseconds for people. */
export function msText(seconds: number | null): string {
  return seconds === null ? '–' : seconds < 0.01 ? `${(seconds * 1000).toFixed(2)} ms` : seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(1)} s`;
}

/** What clients request from the emulator: how often, how long it takes, and what fails. */
export function Traffic() {
  const emulator = useEmulator();
  const [scrapes, setScrapes] = useState<Scrape[]>([]);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setScrapes([]), [emulator]);
  usePolling(Every, async () => {
    if (emulator === undefined) {
      return;
    }
    try {
      const text = await (await read('/metrics')).text();
      setScrapes((old) => keep(old, parse(text, emulator, performance.now())));
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [emulator]);
  const last = scrapes.at(-1);
  const minute = last && between(scrapes[0]!, last);
  const recent = last && between(scrapes.at(-11) ?? scrapes[0]!, last);
  const rows = (last?.series ?? []).map(({ command }) => command).filter((command, index, all) => all.indexOf(command) === index)
    .map((command) => ({ command, share: between(scrapes[0]!, last!, command), recent: between(scrapes.at(-11) ?? scrapes[0]!, last!, command) }))
    .filter(({ share }) => share.requests > 0).sort((one, other) => other.share.requests - one.share.requests);
  const facts: [string, string][] = [
    ['Requests', recent && recent.seconds > 0 ? `${(recent.requests / recent.seconds).toFixed(1)} / s` : '–'],
    ['Median', minute ? msText(quantile(minute, 0.5)) : '–'],
    ['95 %', minute ? msText(quantile(minute, 0.95)) : '–'],
    ['Failures in a minute', minute ? numberText(minute.failures) : '–'],
  ];
  return (
    <>
      <h1 class="view-title">Traffic</h1>
      {error && <p class="error" role="alert">{error}</p>}
      <div class="stack">
        <p class="quiet">These figures cover the time since this view was opened, at most the last minute.</p>
        <dl class="figures">{facts.map(([name, value]) => <div key={name} class="card"><dt>{name}</dt><dd data-figure={name}>{value}</dd></div>)}</dl>
        <div class="traffic-charts">
          <section class="card" aria-labelledby="rate-title"><h2 id="rate-title">Requests per second, last minute</h2><Rates scrapes={scrapes} /></section>
          <section class="card" aria-labelledby="latency-title"><h2 id="latency-title">Time until the reply, last minute</h2>{minute && <Histogram share={minute} />}</section>
        </div>
        <section class="card" aria-labelledby="commands-title">
          <h2 id="commands-title">By command, last minute</h2>
          {rows.length === 0 ? <p class="quiet">{isFull(scrapes) ? 'No requests in the last minute.' : 'No requests since this view was opened.'}</p> : (
            <div class="table-place" tabIndex={0} role="region" aria-label="Requests by command">
              <table>
                <thead><tr><th>Command</th><th class="number">Per second</th><th class="number">Median</th><th class="number">95 %</th><th class="number">Failures</th></tr></thead>
                <tbody>
                  {rows.map(({ command, share, recent: now }) => (
                    <tr key={command}>
                      <td class="mono">{command}</td><td class="number">{now.seconds > 0 ? (now.requests / now.seconds).toFixed(1) : '–'}</td>
                      <td class="number">{msText(quantile(share, 0.5))}</td><td class="number">{msText(quantile(share, 0.95))}</td>
                      <td class={share.failures > 0 ? 'number error' : 'number'}>{numberText(share.failures)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
        <Log emulator={emulator} />
      </div>
    </>
  );
}

function Log({ emulator }: { emulator: string | undefined }) {
  const known = useStore(operations);
  const [entries, setEntries] = useState<Entry[]>([]);
  const [filter, setFilter] = useState('');
  const [onlyFailures, setOnlyFailures] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const last = useRef(0);
  useEffect(() => {
    last.current = 0;
    setEntries([]);
  }, [emulator]);
  usePolling(Every, async () => {
    if (isPaused || emulator === undefined || !known?.has('traffic.list')) {
      return;
    }
    try {
      const answer = await call('get', '/v2/traffic', { emulator, query: { after: last.current, limit: Kept } });
      const isOther = answer.last < last.current; // the gateway restarted and counts from 1
      last.current = isOther ? 0 : answer.last;
      setEntries((old) => (isOther ? [] : [...old, ...answer.requests].slice(-Kept)));
      setRefusal(null);
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.status === 403) {
        setRefusal(sentence(thrown));
      }
    }
  }, [emulator, isPaused, known]);
  const isFailure = ({ outcome }: Entry) => outcome !== 'ok' && outcome !== 'left';
  const found = entries.filter((entry) => (!onlyFailures || isFailure(entry)) && `${entry.command} ${entry.outcome} ${entry.detail ?? ''}`.toLowerCase().includes(filter.toLowerCase()));
  const shown = found.slice(-Shown).reverse();
  return (
    <section class="card" aria-labelledby="log-title">
      <div class="card-head">
        <h2 id="log-title">Requests</h2>
        <input aria-label="Filter" placeholder="Filter" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <label class="check"><input type="checkbox" checked={onlyFailures} onChange={(event) => setOnlyFailures(event.currentTarget.checked)} /><span>Failures only</span></label>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>{isPaused ? 'Continue' : 'Pause'}</button>
      </div>
      {refusal && <p class="quiet" role="alert">{refusal}</p>}
      {!refusal && shown.length === 0 && <p class="quiet">{entries.length === 0 ? 'Requests of all clients appear here as they end.' : 'No request matches.'}</p>}
      {shown.length > 0 && (
        <div class="table-place traffic-log" tabIndex={0} role="region" aria-label="Newest requests">
          <table>
            <thead><tr><th>Time</th><th>Command</th><th class="number">Frame</th><th class="number">Took</th><th>Outcome</th></tr></thead>
            <tbody>
              {shown.map((entry) => (
                <tr key={entry.id}>
                  <td class="mono">{timeText(entry.at)}</td><td class="mono">{entry.command}</td><td class="number">{entry.frame ? numberText(entry.frame) : '–'}</td>
                  <td class="number">{msText(entry.ms / 1000)}</td>
                  <td><span class={`chip ${isFailure(entry) ? 'bad' : entry.outcome === 'ok' ? 'good' : ''}`}>{entry.outcome}</span>{entry.detail && <span class="log-detail">{entry.detail}</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function timeText(iso: string): string {
  const at = new Date(iso);
  return `${at.toLocaleTimeString('en-GB')}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
