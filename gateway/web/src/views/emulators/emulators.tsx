import { useEffect, useState } from 'preact/hooks';
import { Allowed } from '../../api/allowed';
import { isAway } from '../../api/away';
import { chosen, current, emulators, gameName, isConnected, isRestarted, meta, poll, type Status } from '../../api/gateway';
import { stateText } from '../../api/explain';
import { FrameRate } from '../../api/frame-rate';
import { call, holder } from '../../api/http';
import { FirstContact } from './first-contact';
import { RomPicker } from './rom-picker';
import { ConfirmButton } from '../../ui/confirm';
import { agoText, bytesText, durationText, sentence } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';

const Speeds: [string, number][] = [['Half speed', FrameRate / 2], ['Own speed', FrameRate], ['Double speed', 2 * FrameRate], ['4 times', 4 * FrameRate], ['No limit', 0]];

/** All emulators of the gateway: those that it started can be stopped, restarted, paused and read. */
export function Emulators() {
  const all = useStore(emulators) ?? [];
  return (
    <>
      <h1 class="view-title">Emulators</h1>
      <div class="stack">
        <Allowed method="post" path="/v2/emulators">
          <RomPicker />
          {(meta('headless') !== 'no' || meta('window') !== 'no') && <StartForm />}
        </Allowed>
        {!all.some((one) => isConnected(one) || isRestarted(one)) && <FirstContact />}
        {all.map((status) => <Emulator key={status.id} status={status} />)}
      </div>
    </>
  );
}

function Emulator({ status }: { status: Status }) {
  const isCurrent = useStore(current)?.id === status.id;
  const isLost = useStore(isAway);
  const me = useStore(holder);
  const action = useAction();
  const [isLogOpen, setLogOpen] = useState(false);
  const { process } = status;
  const isOwned = process !== undefined && process !== null;
  const run = (what: () => Promise<unknown>) => void action.run(async () => {
    await what();
    await poll();
  });
  const path = { id: status.id };
  const facts: [string, string | null | undefined][] = [
    ['mGBA', status.mgba && `${status.mgba} (${status.host === 'qt' ? 'window' : status.host})`], ['Port', status.port?.toString()],
    ...(isOwned ? [
      ['ROM', process.rom], ['Speed', process.fps === null || process.fps === undefined ? null : `${process.fps.toFixed(1)} fps`],
      ['Running for', durationText(process.uptimeSeconds)], ['Memory', bytesText(process.memoryBytes)],
      ['Processor', `${((100 * process.cpuSeconds) / Math.max(1, process.uptimeSeconds)).toFixed(1)} % of a core`],
      ['Restarts after faults', process.restarts > 0 ? String(process.restarts) : null],
    ] as [string, string | null][] : []),
  ];
  return (
    <section class="card" aria-labelledby={`emulator-${status.id}`}>
      <div class="card-head">
        <h2 id={`emulator-${status.id}`}>{[status.id, gameName(status)].filter(Boolean).join(' · ')}</h2>
        <span class={`chip ${!isLost && isConnected(status) ? (status.state === 'ready' || status.state === 'leased' ? 'good' : 'warn') : 'bad'}`}>{stateText(status, isLost, me)}</span>
        {isCurrent ? <span class="chip strong">shown</span> : <button type="button" class="small" onClick={() => { chosen.value = status.id; }}>Show</button>}
      </div>
      {status.detail && <p class="quiet">{status.detail}</p>}
      {process?.nextStep && <p class="quiet">{process.nextStep}</p>}
      <dl class="facts columns">{facts.filter(([, value]) => value).map(([name, value]) => <div key={name} class={name === 'ROM' ? 'long' : ''}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      {process?.stateProblem && <p class="fault"><span class="chip warn">no state</span> {process.stateProblem} A fault would lose the play since the last one.</p>}
      {process?.lastFault && (
        <p class="fault"><span class="chip warn">last fault</span> {process.lastFault.reason}, {agoText(process.lastFault.at)}
          {process.lastFault.restartedAt ? `; continued from ${process.lastFault.restoredFrom ?? 'the save file'}, ${process.lastFault.lostSeconds ?? 0} s lost.` : '; it is being restarted.'}</p>
      )}
      {isOwned && (
        <div class="row middle card-foot">
          {!process.window && (
            <Allowed method="put" path="/v2/emulators/{id}/run">
              <button type="button" disabled={action.isBusy} onClick={() => run(() => call('put', '/v2/emulators/{id}/run', { path, body: { paused: !process.paused } }))}>
                <Icon name={process.paused ? 'resume' : 'pause'} />{process.paused ? 'Continue' : 'Pause'}
              </button>
              <select aria-label={`Speed of ${status.id}`} value={process.targetFps ?? FrameRate} onChange={(event) => { const fps = Number(event.currentTarget.value); run(() => call('put', '/v2/emulators/{id}/run', { path, body: { fps } })); }}>
                {Speeds.map(([label, fps]) => <option key={label} value={fps}>{label}</option>)}
              </select>
            </Allowed>
          )}
          <span class="spacer" />
          <button type="button" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>Log</button>
          <Allowed method="post" path="/v2/emulators/{id}/restart">
            <ConfirmButton label={`Restart ${status.id}`} title="Restart the emulator?" question="It saves its game and starts again, as after switching it on." action="Restart" isDisabled={action.isBusy}
              onConfirm={() => run(() => call('post', '/v2/emulators/{id}/restart', { path }))}><Icon name="restart" /></ConfirmButton>
          </Allowed>
          <Allowed method="delete" path="/v2/emulators/{id}">
            <ConfirmButton label={`Stop ${status.id}`} title="Stop the emulator?" question="It saves its game and ends." action="Stop" isDisabled={action.isBusy}
              onConfirm={() => run(() => call('delete', '/v2/emulators/{id}', { path }))}><Icon name="stop" /></ConfirmButton>
          </Allowed>
        </div>
      )}
      {action.error && <p class="error" role="alert">{action.error}</p>}
      {isOwned && isLogOpen && <Log id={status.id} />}
    </section>
  );
}

function Log({ id }: { id: string }) {
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  usePolling(1000, async () => {
    try {
      setLines((await call('get', '/v2/emulators/{id}/log', { path: { id } })).lines);
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [id]);
  return error ? <p class="error">{error}</p> : <pre class="log" tabIndex={0} aria-label={`Log of ${id}`}>{lines === null ? 'Reading…' : lines.length === 0 ? 'It has printed nothing.' : lines.join('\n')}</pre>;
}

function StartForm() {
  const [roms, setRoms] = useState<readonly string[] | null>(null);
  const [rom, setRom] = useState('');
  const [id, setId] = useState('');
  const [isWindow, setWindow] = useState(meta('headless') === 'no');
  const action = useAction();
  useEffect(() => {
    call('get', '/v2/roms', {}).then((answer) => setRoms(answer.roms), () => setRoms([]));
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const started = await call('post', '/v2/emulators', { body: { rom, window: isWindow, ...(id ? { id } : {}) } });
      setId('');
      chosen.value = started.id;
      await poll();
    });
  };
  return (
    <form class="card" onSubmit={submit} aria-labelledby="start-emulator">
      <h2 id="start-emulator">Start an emulator</h2>
      <div class="row">
        <label class="field grow long"><span>ROM</span>
          {roms === null || roms.length > 0
            ? <select value={rom} required disabled={roms === null} onChange={(event) => setRom(event.currentTarget.value)}><option value="">{roms === null ? 'Reading…' : 'Choose…'}</option>{roms?.map((one) => <option key={one}>{one}</option>)}</select>
            : <input value={rom} required placeholder="A file below Bridge:Owned:RomFolders" onInput={(event) => setRom(event.currentTarget.value)} />}
        </label>
        <label class="field short"><span>Id (optional)</span><input value={id} pattern="[a-z0-9_\-]{1,32}" title="1 to 32 of a-z 0-9 _ -" onInput={(event) => setId(event.currentTarget.value)} /></label>
        <label class="check"><input type="checkbox" checked={isWindow} disabled={meta('headless') === 'no' || meta('window') === 'no'} onChange={(event) => setWindow(event.currentTarget.checked)} /><span>In a window</span></label>
        <button type="submit" class="primary" disabled={action.isBusy || rom === ''}>{action.isBusy ? 'Starting…' : 'Start'}</button>
      </div>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}
