import { useEffect, useRef, useState } from 'preact/hooks';
import { current } from '../../api/gateway';
import { useEmulator } from '../../api/hooks';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { msText, numberText, sentence } from '../../ui/format';
import { usePolling, useStore } from '../../ui/hooks';
import { Histogram, Rates } from './charts';
import { between, isFailure, isFull, keep, quantile, type Sample } from './durations';

type Entry = components['schemas']['TrafficEntryAnswer'];

const Every = 1000;
const Kept = 500;
const Shown = 100;

/** What clients request from the emulator: how often, how long it takes, and what fails. */
export function Traffic() {
  const emulator = useEmulator();
  const [samples, setSamples] = useState<Sample[]>([]);
  const [entries, setEntries] = useState<Entry[]>([]);
  const [isPaused, setPaused] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const read = useRef(0);
  useEffect(() => {
    read.current = 0;
    setSamples([]);
    setEntries([]);
  }, [emulator]);
  usePolling(Every, async () => {
    if (emulator === undefined) {
      return;
    }
    try {
      const { last, requests, boundsMs, durations } = await call('get', '/v2/traffic', { emulator, query: { after: read.current, limit: isPaused ? 1 : Kept } });
      setSamples((old) => keep(old, { at: performance.now(), boundsMs, durations }));
      if (!isPaused) {
        const isOther = last < read.current; // the gateway restarted and counts from 1
        read.current = isOther ? 0 : last;
        setEntries((old) => (isOther ? [] : [...old, ...requests].slice(-Kept)));
      }
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [emulator, isPaused]);
  const last = samples.at(-1);
  const minute = last && between(samples[0]!, last);
  const recent = last && between(samples.at(-11) ?? samples[0]!, last);
  const rows = (last?.durations ?? []).map(({ command }) => command).filter((command, index, all) => all.indexOf(command) === index)
    .map((command) => ({ command, share: between(samples[0]!, last!, command), recent: between(samples.at(-11) ?? samples[0]!, last!, command) }))
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
      <p class="view-lead">These figures cover the time since this view was opened, at most the last minute.</p>
      {error && <p class="error" role="alert">{error}</p>}
      <div class="stack">
        <dl class="figures">{facts.map(([name, value]) => <div key={name} class="card"><dt>{name}</dt><dd data-figure={name}>{value}</dd></div>)}</dl>
        <div class="traffic-charts">
          <section class="card" aria-labelledby="rate-title"><h2 id="rate-title">Requests per second, last minute</h2><Rates samples={samples} /></section>
          <section class="card" aria-labelledby="latency-title"><h2 id="latency-title">Time until the reply, last minute</h2>{minute && <Histogram share={minute} />}</section>
        </div>
        <section class="card" aria-labelledby="commands-title">
          <h2 id="commands-title">By command, last minute</h2>
          {rows.length === 0 ? <p class="quiet">{isFull(samples) ? 'No requests in the last minute.' : 'No requests since this view was opened.'}</p> : (
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
        <Clients />
        <Log entries={entries} isPaused={isPaused} onPause={() => setPaused(!isPaused)} />
      </div>
    </>
  );
}

/** Who is connected by the protocol of another program. */
function Clients() {
  const clients = useStore(current)?.clients ?? [];
  if (clients.length === 0) {
    return null;
  }
  return (
    <section class="card" aria-labelledby="clients-title">
      <h2 id="clients-title">Clients of other protocols</h2>
      <div class="table-place" tabIndex={0} role="region" aria-label="Clients of other protocols">
        <table>
          <thead><tr><th>Protocol</th><th>Address</th><th class="number">Requests</th><th>Last request</th></tr></thead>
          <tbody>
            {clients.map(({ protocol, caller, requests, last, lastSeen }) => (
              <tr key={`${protocol} ${caller}`}>
                <td class="mono">{protocol}</td><td class="mono">{caller}</td><td class="number">{numberText(requests)}</td>
                <td><span class="mono">{last ?? '–'}</span> <span class="quiet">{timeText(lastSeen)}</span></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Log({ entries, isPaused, onPause }: { entries: readonly Entry[]; isPaused: boolean; onPause: () => void }) {
  const [filter, setFilter] = useState('');
  const [onlyFailures, setOnlyFailures] = useState(false);
  const found = entries.filter((entry) => (!onlyFailures || isFailure(entry.outcome)) && `${entry.command} ${entry.outcome} ${entry.detail ?? ''}`.toLowerCase().includes(filter.toLowerCase()));
  const shown = found.slice(-Shown).reverse();
  return (
    <section class="card" aria-labelledby="log-title">
      <div class="card-head">
        <h2 id="log-title">Requests</h2>
        <input aria-label="Filter" placeholder="Filter" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <label class="check"><input type="checkbox" checked={onlyFailures} onChange={(event) => setOnlyFailures(event.currentTarget.checked)} /><span>Failures only</span></label>
        <button type="button" aria-pressed={isPaused} onClick={onPause}>{isPaused ? 'Continue' : 'Pause'}</button>
      </div>
      {shown.length === 0 && <p class="quiet">{entries.length === 0 ? 'Requests of all clients appear here as they end.' : 'No request matches.'}</p>}
      {shown.length > 0 && (
        <div class="table-place traffic-log" tabIndex={0} role="region" aria-label="Newest requests">
          <table>
            <thead><tr><th>Time</th><th>Command</th><th class="number">Frame</th><th class="number">Took</th><th>Outcome</th></tr></thead>
            <tbody>
              {shown.map((entry) => (
                <tr key={entry.id}>
                  <td class="mono">{timeText(entry.at)}</td><td class="mono">{entry.command}</td><td class="number">{entry.frame ? numberText(entry.frame) : '–'}</td>
                  <td class="number">{msText(entry.ms)}</td>
                  <td><span class={`chip ${isFailure(entry.outcome) ? 'bad' : entry.outcome === 'ok' ? 'good' : ''}`}>{entry.outcome}</span>{entry.detail && <span class="log-detail">{entry.detail}</span>}</td>
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
