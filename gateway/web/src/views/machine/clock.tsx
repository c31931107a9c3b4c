import { useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { useEmulator } from '../../api/hooks';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { sentence } from '../../ui/format';
import { useAction, usePolling } from '../../ui/hooks';

type Clock = components['schemas']['ClockAnswer'];
type Mode = 'host' | 'offset' | 'fixed' | 'emulated';

const Modes: Record<Mode, string> = {
  host: 'The time of the emulator’s machine', offset: 'That time, moved', fixed: 'It stands', emulated: 'It advances with the frames',
};

/** The clock of the cartridge: what the game reads, and where it has it from. */
export function ClockCard() {
  const emulator = useEmulator();
  const action = useAction();
  const [clock, setClock] = useState<Clock | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [mode, setMode] = useState<Mode>('host');
  const [time, setTime] = useState('2026-01-01T12:00:00');
  const [hours, setHours] = useState(1);
  const refresh = async () => {
    try {
      setClock(await call('get', '/v2/clock', { emulator }));
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  usePolling(1000, refresh, [emulator]);
  const submit = (event: Event) => {
    event.preventDefault();
    const seconds = (text: string) => text.length === 16 ? `${text}:00` : text;
    void action.run(async () => {
      await call('put', '/v2/clock', {
        emulator, body: mode === 'host' ? { mode } : mode === 'offset' ? { mode: 'host', offsetSeconds: Math.round(hours * 3600) } : { mode, time: seconds(time) },
      });
      await refresh();
    });
  };
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      {clock && <p>The game reads <b class="mono">{clock.time.replace('T', ' ')}</b> <span class="quiet">{(Modes[clock.offsetSeconds ? 'offset' : clock.mode as Mode]).toLowerCase()}{clock.offsetSeconds ? ` by ${clock.offsetSeconds / 3600} hours` : ''}</span></p>}
      <Allowed method="put" path="/v2/clock">
        <form class="row" onSubmit={submit}>
          <label class="field"><span>Source</span>
            <select value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>{(Object.keys(Modes) as Mode[]).map((one) => <option key={one} value={one}>{Modes[one]}</option>)}</select>
          </label>
          {mode === 'offset' && <label class="field"><span>Hours</span><input type="number" step="any" required value={hours} onInput={(event) => setHours(event.currentTarget.valueAsNumber)} /></label>}
          {(mode === 'fixed' || mode === 'emulated') && <label class="field"><span>Time</span><input type="datetime-local" step="1" min="2000-01-01T00:00" max="2099-12-31T23:59" required value={time} onInput={(event) => setTime(event.currentTarget.value)} /></label>}
          <button type="submit" class="primary" disabled={action.isBusy}>Set</button>
        </form>
      </Allowed>
      {(action.error ?? error) && <p class="error" role="alert">{action.error ?? error}</p>}
    </section>
  );
}
